// How a moment of a game is shown: who has what, the dice, the plays in words. Used by Play, Report and Drill.
import { el, percent } from "./base.js";
import { die } from "./dice.js";

export const isChance = (measure) => measure.endsWith("chance");

export const isEstimated = (measure) => isChance(measure) && measure.startsWith("estimated");

/** A value of seat 0 as the player in `seat` sees it. */
export function seenFrom(value, seat, measure) {
  if (seat !== 1) return value;
  return isChance(measure) ? 1 - value : -value;
}

export function valueWords(value, measure, digits = 1) {
  if (isEstimated(measure)) return `about ${percent(value, 0)}`;
  return isChance(measure) ? percent(value, digits) : `${value.toFixed(2)} ${measure}`;
}

/** What a choice is worth beside others: also estimates have a digit here, for they are to be told apart. */
export function worthWords(value, measure, digits = 1) {
  return isEstimated(measure) ? `about ${percent(value, 1)}` : valueWords(value, measure, digits);
}

export function lossWords(loss, measure) {
  return isChance(measure)
    ? `${(100 * loss).toFixed(loss < 0.0095 ? 2 : 1)} points of ${measure}`
    : `${loss.toFixed(2)} ${measure}`;
}

/** A play as a button says it. */
export function playWords(choice) {
  if (choice.play === "stop") return `Stop and bank ${choice.points}`;
  if (choice.play === "roll") return choice.points ? "Roll again" : "Roll";
  if (choice.play.startsWith("move "))
    return choice.play
      .replace(
        /move ([\d ]+)/,
        (_, columns) => `Move ${columns.trim().split(" ").join(" & ")}${columns.endsWith(" ") ? " " : ""}`,
      )
      .replace(/, roll$/, ", roll again");
  if (choice.kept.length && choice.stops) return `Stop and bank ${choice.points}`;
  const words = choice.kept.length ? choice.play.split(", ")[1] || "write a box" : choice.play;
  return words[0].toUpperCase() + words.slice(1);
}

/** Buttons for choices; `pick(choice)` when pressed. */
export function choiceButtons(choices, pick, { marks = (_) => String(), more = (_, __) => null } = {}) {
  const many = choices.length > 9;
  // two of them stand as at the table: to roll, then to stop
  const ordered = choices.length === 2 ? [...choices].sort((a, b) => Number(a.stops) - Number(b.stops)) : choices;
  return ordered.map((choice, i) => {
    const counts = many && typeof choice.mode === "number";
    const key = choice.play === "roll" ? "R" : choice.play === "stop" ? "S" : i < 9 && !many ? String(i + 1) : "";
    return el(
      `button.${choice.stops ? "stop" : "roll"}${marks(choice)}`,
      {
        type: "button",
        "data-play": choice.play,
        "data-key": key.toLowerCase(),
        "aria-label": counts ? `roll ${choice.mode} dice` : choice.kept.length ? choice.play : undefined,
        onclick: () => pick(choice),
      },
      choice.kept.length ? el("span.row.tight", { "aria-hidden": "true" }, diceRow(choice.kept, { mini: true })) : null,
      el("span", {}, counts ? String(choice.mode) : playWords(choice), more(choice, counts)),
      key ? el("kbd", {}, key) : null,
    );
  });
}

/** The dice of a roll; those in `kept` are marked. */
export function diceRow(roll, { kept = [], bust = false, rolls = false, mini = false } = {}) {
  if (!Array.isArray(roll)) return roll === null || roll === undefined ? [] : [el("strong", {}, String(roll))];
  const left = [...kept];
  return roll.map((face) => {
    const at = left.indexOf(face);
    if (at >= 0) left.splice(at, 1);
    return die(face, {
      classes: `${at >= 0 ? "kept" : ""} ${bust && !mini ? "busts" : ""} ${rolls ? "rolls" : ""} ${mini ? "mini" : ""}`,
    });
  });
}

/** Where a game stands, in short: the score of who has the dice, the other's, the points at risk. */
export function positionWords(position, you) {
  if (position.boards) {
    const standing = position.boards[position.seat];
    return `${position.seat === you ? "you" : "they"}: ${boardWords({ standing, markers: position.markers })}`;
  }
  if (position.standing) return boardWords(position);
  const risk = position.at_risk ? ` +${position.at_risk}` : "";
  if (position.standings.length === 1) return `${position.standings[0]}${risk}`;
  return `${position.standings[position.seat]}:${position.standings[1 - position.seat]}${risk}`;
}

export function boardWords({ standing, markers }) {
  const climbed = standing
    .map((space, i) => (space ? `${i + 2}: ${space}` : ""))
    .filter(Boolean)
    .join(", ");
  const placed = markers.map(([column, space]) => `${column} on ${space}`).join(", ");
  return `${climbed ? `climbed ${climbed}` : "empty board"}${placed ? `; markers ${placed}` : ""}`;
}
