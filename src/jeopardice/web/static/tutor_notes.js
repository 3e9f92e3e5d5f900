// What the tutor says at the table: an objection to a choice, and a hint, each with its reason.
import { $, el, say } from "./base.js";

const MARKS = { inaccuracy: "an inaccuracy", mistake: "a mistake", blunder: "a blunder" };

/** Takes back an objection, as to a choice that is picked no more. */
export const withdraw = () => $("#warning").replaceChildren();

/** Takes back what the tutor said. */
export function quiet() {
  withdraw();
  $("#hints").replaceChildren();
}

/**
 * @param {{ mark: "inaccuracy" | "mistake" | "blunder", words: string, why: string }} warning
 * @param {(event: Event) => any} playAnyway
 */
export function object({ mark, words, why }, playAnyway) {
  quiet();
  const thinkAgain = () => {
    quiet();
    $("#tray").focus();
  };
  const think = el("button.main", { type: "button", id: "think", onclick: thinkAgain }, "Let me think again");
  const still = el("button", { type: "button", id: "anyway", onclick: playAnyway }, "Play it anyway");
  $("#warning").replaceChildren(
    el(
      "div.note.warn",
      {},
      el("p", {}, el("strong", {}, `That is ${MARKS[mark]}. `), words, " ", why),
      el("div.row", {}, think, still),
    ),
  );
  think.focus({ preventScroll: true });
}

/**
 * @param {any} game
 * @param {{ choices: any[], why: string }} hint
 */
export function hint(game, { choices: [best, second], why }) {
  const { pick, stops } = game.choices.find((choice) => choice.play === best.play) ?? { pick: {} };
  const play = pick.columns ? `climb ${pick.columns.join(" and ")}, then ${stops ? "stop" : "roll"}` : best.play;
  const by = game.is_estimate || game.solving ? "Best by our estimate" : "Best";
  const words = second ? `${by}: ${play}.` : `There is only one thing to do: ${play}.`;
  const reason = second ? why : "";
  quiet();
  // on a board the reason would cover what it speaks of, so it waits for a tap
  const open = game.table.kind === "points";
  const folded = el("details", { open }, el("summary", {}, words), reason);
  $("#hints").replaceChildren(el("div.note.good", {}, reason ? folded : words));
  say(`${words} ${reason}`.trim());
}
