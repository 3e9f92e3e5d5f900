// What can be picked on the table now (dice, pairs of columns, boxes), and the choices that fit what is picked.
import { diceOf, faceOf } from "./table_view.js";

/** @typedef {import("./table_view.js").Picked} Picked */

/** @returns {Picked} */
export const nothingPicked = () => ({ selected: new Set(), pairing: null });

/** @param {any} game */
export const wantsDice = (game) => game.phase === "choose" && game.choices.some((choice) => choice.pick.dice);

/**
 * The different pairs of columns, each with its choices.
 * @param {any} game
 */
export function pairingsOf(game) {
  /** @type {any[]} */
  const pairings = [];
  if (game.phase !== "choose") return pairings;
  for (const choice of game.choices) {
    const { columns, markers } = choice.pick;
    if (!columns) continue;
    const same = pairings.find((one) => String(one.columns) === String(columns));
    if (same) same.choices.push(choice);
    else pairings.push({ columns, markers, choices: [choice] });
  }
  return pairings;
}

/**
 * The choices that fit what is picked.
 * @param {any} game
 * @param {Picked} picked
 */
export function fittingChoices(game, picked) {
  const pairings = pairingsOf(game);
  if (pairings.length) return picked.pairing === null ? [] : pairings[picked.pairing].choices;
  if (!wantsDice(game)) return game.choices;
  const roll = diceOf(game.position);
  const faces = String([...picked.selected].map((place) => faceOf(roll[place])).sort((a, b) => a - b));
  return game.choices.filter((choice) => choice.pick.dice?.some((set) => String(set) === faces) && !choice.then);
}

/**
 * The places of the dice that a choice sets aside.
 * @param {any} game
 * @param {any} choice
 */
export function placesOf(game, choice) {
  const left = [...choice.pick.dice[0]];
  return diceOf(game.position).flatMap((face, place) => {
    const at = left.indexOf(faceOf(face));
    return at < 0 ? [] : (left.splice(at, 1), [place]);
  });
}

/**
 * The plays that write a box, through setting all dice aside if need be.
 * @param {any} game
 * @param {string} box
 */
export function playsThatWrite(game, box) {
  if (game.phase !== "choose") return null;
  const now = game.choices.find((choice) => choice.pick.box === box);
  if (now) return [now.play];
  const all = game.choices.find((choice) => choice.then?.[box]);
  return all ? [all.play, all.then[box]] : null;
}
