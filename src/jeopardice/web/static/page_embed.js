// A position to show on another page: scores, dice or board, and what is best; nothing to press but the link to more.
import { $, askSolved, el, games, goalOf, params, query, safely, shownValue } from "./base.js";
import { aboutWords } from "./about.js";
import { boardView } from "./board_view.js";
import { die } from "./dice.js";

const link = params();
const PLACE = ["mine", "theirs", "at_risk", "mode", "roll", "board", "markers"];
const place = Object.fromEntries(PLACE.map((key) => [key, link[key]]));
const columns = (text) =>
  (text || "")
    .split(",")
    .filter(Boolean)
    .map((part) => part.split(":").map(Number));

function board({ lengths }) {
  const climbed = Object.fromEntries(columns(link.board));
  return boardView(
    lengths,
    lengths.map((_, i) => climbed[i + 2] || 0),
    columns(link.markers),
  );
}

function scores() {
  const box = (words, value) => el("div.player", {}, el("div.who", {}, words), el("div.points", {}, value || "0"));
  const two = (link.goal || "duel") === "duel";
  const parts = [box(two ? "You" : "Score", link.mine), two ? box("They", link.theirs) : null];
  return el("div.players", {}, parts, link.at_risk ? box("At risk", link.at_risk) : null);
}

safely(async () => {
  await games();
  const solution = await askSolved("value", link);
  const { kind, options } = await askSolved("advise", link, { ...place, why: "false" });
  const [best] = options;
  const faces = (link.roll || "").split(",").filter(Boolean).map(Number);
  $("#embed").replaceChildren(
    el("p.small.soft", {}, aboutWords({ goal: link })),
    solution.lengths ? board(solution) : scores(),
    faces.length
      ? el(
          "div.dice",
          {},
          faces.map((face) => die(face)),
        )
      : "",
    el(
      "p.answer",
      {},
      best.play,
      el("span.then", {}, `${shownValue(best.value, kind, 1)}${kind === "chance" ? " to win" : ""}`),
    ),
    el(
      "p.small",
      {},
      el("a", { href: `/advise?${query({ ...goalOf(link), ...place })}`, target: "_blank" }, "Every option, and why"),
    ),
  );
})();
