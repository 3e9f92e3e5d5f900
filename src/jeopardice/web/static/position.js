// A position in a link, and as a question to the server names it.

export const PLACE = [
  "mine",
  "theirs",
  "third",
  "at_risk",
  "mode",
  "roll",
  "board",
  "their_board",
  "markers",
  "card",
  "rolls_left",
];

/** The parts of a link that are a position. */
export const placeOf = (link) => Object.fromEntries(PLACE.map((key) => [key, link[key]]));

/** The position as a question: the others' scores, or the other's board, as one text. */
export function question(link) {
  const { third, their_board, theirs, ...rest } = placeOf(link);
  return link.goal === "race"
    ? { ...rest, others: `${theirs || 0},${third || 0}` }
    : { ...rest, theirs, others: their_board || undefined };
}

/** Spaces by column, written like 2:1,7:4. */
export const readColumns = (text) =>
  Object.fromEntries(
    (text || "")
      .split(",")
      .filter(Boolean)
      .map((part) => part.split(":").map(Number)),
  );
