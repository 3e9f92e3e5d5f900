// Draws the choices below the table, and says above the dice what there is to choose.
import { $, el, safely } from "./base.js";
import { worthWords } from "./game_view.js";
import { fittingChoices, pairingsOf, wantsDice } from "./picks.js";
import { diceOf } from "./table_view.js";

/**
 * @typedef {{ game: any, picked: import("./table_view.js").Picked, steps: any[], hinted: any[] | null }} View
 * @typedef {{ choose: (play: string) => any, pickPairing: (n: number) => void, pickDice: (choice: any) => void,
 *   afterwards: () => HTMLElement[] }} Acts
 */

/**
 * @param {any} game
 * @param {number} points
 */
export const riskWords = (game, points) =>
  game.table.kind === "board"
    ? `${points} ${points === 1 ? "space" : "spaces"} at risk`
    : `${points.toLocaleString("en")} at risk`;

/**
 * @param {View} view
 * @param {Acts} acts
 */
export function drawChoices(view, acts) {
  const { game, picked, hinted } = view;
  const [fit, pairs] = [fittingChoices(game, picked), pairingsOf(game)];
  $("#said").textContent = saidWords(view, fit);
  $("#risk").textContent = atRisk(game, fit);
  const host = $("#choices");
  if (game.phase === "over") {
    host.classList.remove("many");
    host.replaceChildren(...acts.afterwards());
    return;
  }
  host.classList.toggle("many", game.choices.filter((choice) => choice.pick.count !== undefined).length > 6);
  const pairing = (pair, n) =>
    el(
      `button.pairing${hinted && pair.choices.some((one) => one.play === hinted[0].play) ? ".hinted" : ""}`,
      {
        type: "button",
        "aria-pressed": String(n === picked.pairing),
        "data-key": String(n + 1),
        "data-pairing": n,
        onclick: () => acts.pickPairing(n),
      },
      `Climb ${pair.columns.join(" & ")}`,
      el("kbd", {}, String(n + 1)),
    );
  const buttons = [...fit]
    .sort((a, b) => Number(a.stops) - Number(b.stops))
    .filter((choice) => !choice.pick.box)
    .map((choice) => choiceButton(view, choice, acts));
  host.replaceChildren(
    ...(pairs.length > 1 ? [el("div.pairings", {}, pairs.map(pairing))] : []),
    ...(buttons.length ? buttons : instead(game, acts)),
  );
}

/**
 * @param {View} view
 * @param {any} choice
 * @param {Acts} acts
 */
function choiceButton({ game, hinted }, choice, acts) {
  const count = choice.pick.count;
  const key = count === undefined ? (choice.stops ? "S" : "R") : count < 10 ? String(count) : "";
  const weighed = hinted?.find((one) => one.play === choice.play);
  const value = weighed
    ? el("span.hint", {}, worthWords(weighed.value, game.measure, count === undefined ? 2 : 1))
    : null;
  return el(
    `button.${choice.stops ? "stop" : "roll"}${weighed?.rank === 0 ? ".hinted" : ""}`,
    {
      type: "button",
      "data-play": choice.play,
      "data-key": key.toLowerCase(),
      "aria-label": count === undefined ? undefined : choice.label,
      onclick: safely(() => acts.choose(choice.play)),
    },
    el("span", {}, count === undefined ? choice.label : String(count)),
    value,
    key && count === undefined ? el("kbd", {}, key) : null,
  );
}

/**
 * What stands in place of the buttons while nothing that can be played is picked.
 * @param {any} game
 * @param {Acts} acts
 */
function instead(game, acts) {
  if (!wantsDice(game) || game.table.kind !== "points") return [];
  const all = game.choices[0];
  return [
    el(
      "button.all",
      { type: "button", "data-key": "a", onclick: () => acts.pickDice(all) },
      `Take all that score: ${all.points - game.position.at_risk}`,
      el("kbd", {}, "A"),
    ),
  ];
}

/**
 * What the table says: how the game stands, and what is to be picked.
 * @param {View} view
 * @param {any[]} fit
 */
function saidWords({ game, picked, steps }, fit) {
  if (game.phase === "over") return game.outcome;
  const last = steps[steps.length - 1];
  const before = last ? `${last.words} ` : "";
  const who = game.names[game.seat];
  const now = who === "You" ? "" : `${who}: `;
  if (pairingsOf(game).length > 1 && picked.pairing === null) return `${now}Climb which columns?`;
  if (wantsDice(game) && game.table.kind === "card") return `${now}Keep dice, or write a box.`;
  if (wantsDice(game) && !fit.length)
    return picked.selected.size ? `${now}These do not score together.` : `${now}Tap dice to set aside.`;
  if (game.choices.some((choice) => choice.pick.box)) return `${now}Write which box?`;
  if (game.choices.some((choice) => choice.pick.count !== undefined)) return `${before}${now}How many dice?`;
  if (diceOf(game.position).length) return `${now}Roll or stop?`;
  return `${before}${who === "You" ? "Your turn." : `${who}’s turn.`}`;
}

/**
 * What is at risk with the dice picked, or the rolls that are left.
 * @param {any} game
 * @param {any[]} fit
 */
function atRisk(game, fit) {
  if (game.phase === "over") return "";
  const left = game.table.rolls_left;
  if (left !== undefined && diceOf(game.position).length) return `${left} ${left === 1 ? "roll" : "rolls"} left`;
  const same = fit.length && fit.every((choice) => choice.points === fit[0].points) ? fit[0].points : 0;
  const risk = same || game.position.at_risk;
  return risk ? riskWords(game, risk) : "";
}
