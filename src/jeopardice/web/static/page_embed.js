// A position to show on another page: scores, dice or board, and what is best; nothing to press but the link to more.
import { $, aboutChance, askSolved, el, games, goalOf, params, query, safely, shownValue } from "./base.js";
import { aboutWords } from "./about.js";
import { boardView } from "./board_view.js";
import { die } from "./dice.js";
import { placeOf, question, readColumns } from "./position.js";

const link = params();

function board({ lengths }) {
  const spaces = (text) => {
    const climbed = readColumns(text);
    return lengths.map((_, i) => climbed[i + 2] || 0);
  };
  const markers = Object.entries(readColumns(link.markers)).map(([column, space]) => [Number(column), space]);
  const others = (link.goal || "duel") === "duel" ? spaces(link.their_board) : null;
  return boardView(lengths, spaces(link.board), markers, { others });
}

function scores() {
  const box = (words, value) => el("div.player", {}, el("div.who", {}, words), el("div.points", {}, value || "0"));
  const parts = {
    duel: [box("You", link.mine), box("They", link.theirs)],
    race: [box("You", link.mine), box("Next", link.theirs), box("Third", link.third)],
  }[link.goal || "duel"] ?? [box("Score", link.mine)];
  return el("div.players", {}, parts, link.at_risk ? box("At risk", link.at_risk) : null);
}

safely(async () => {
  await games();
  const solution = await askSolved("value", link);
  const { kind, options, is_estimate, spread } = await askSolved("advise", link, { ...question(link), why: "false" });
  const [best] = options;
  const worth = is_estimate ? aboutChance(best.value, spread) : shownValue(best.value, kind, 1);
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
    el("p.answer", {}, best.play, el("span.then", {}, `${worth}${kind === "chance" ? " to win" : ""}`)),
    el(
      "p.small",
      {},
      el(
        "a",
        { href: `/advise?${query({ ...goalOf(link), ...placeOf(link) })}`, target: "_blank" },
        "Every option, and why",
      ),
    ),
  );
})();
