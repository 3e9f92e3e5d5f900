// Draws one step of a game on the table: while it is played, and when one looks back at it.
import { $ } from "./base.js";
import { riskWords } from "./choices_view.js";
import { nothingPicked } from "./picks.js";
import { diceOf, drawAside, drawChance, drawDice, drawScene, drawSeats } from "./table_view.js";

const noActs = { pairings: [], pickPairing: () => {}, canWrite: () => false, write: () => {} };

/**
 * @param {any} game
 * @param {any[]} steps
 * @param {any} step
 */
export function drawStep(game, steps, step) {
  const rolled = step.roll !== undefined;
  drawSeats(game, step.position, step.seat);
  drawChance(game, step.values);
  drawScene(game, rolled && !step.bust ? step.was : step.position, nothingPicked(), noActs);
  $("#said").textContent = step.words;
  const dice = rolled ? step.roll : diceOf(step.was);
  drawDice(Array.isArray(dice) ? dice : [dice], {
    bust: Boolean(step.bust),
    rolls: rolled,
    dim: rolled ? [] : step.kept,
  });
  drawAside(setsOfTurn(steps, step.was.turn, step), null);
  const risk = step.position.seat === step.seat && !step.stops ? step.position.at_risk : 0;
  $("#risk").textContent = risk ? riskWords(game, risk) : "";
}

/**
 * The dice that scored in a turn, each time with their points, up to a step.
 * @param {any[]} steps
 * @param {number} turn
 * @param {any} [until]
 */
export function setsOfTurn(steps, turn, until) {
  const sets = [];
  for (const step of steps) {
    const points = step.position.at_risk - step.was.at_risk;
    if (step.was.turn === turn && step.roll === undefined && points > 0 && !step.stops)
      sets.push({ dice: step.kept.length ? step.kept : diceOf(step.was), points });
    if (step === until) break;
  }
  return sets;
}
