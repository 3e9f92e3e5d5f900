// The board of Can't Stop: columns of spaces, what is climbed, where the markers stand.
import { el } from "./base.js";

/** Lengths of the columns by the rules of a link. */
export function lengthsOf(rules, usual = { sides: 4, shortest: 2 }) {
  // for two players the official board: sides 6, shortest 3
  const given = Object.fromEntries(
    (rules || "")
      .split(";")
      .filter(Boolean)
      .map((part) => part.split(":")),
  );
  const sides = Number(given.sides || usual.sides),
    shortest = Number(given.shortest || usual.shortest);
  return Array.from({ length: 2 * sides - 1 }, (_, i) => shortest + 2 * Math.min(i, 2 * sides - 2 - i));
}

/** Draws a board; `others` is what an opponent climbed; `pick(column, space)` makes the spaces clickable. */
export function boardView(lengths, standing, markers, { others = null, pick = null, note = (_, __) => "" } = {}) {
  const marked = Object.fromEntries(markers.map(([column, space]) => [column, space]));
  const words = lengths
    .map(
      (length, i) =>
        `column ${i + 2}: ${standing[i]} of ${length}${marked[i + 2] ? `, marker on ${marked[i + 2]}` : ""}`,
    )
    .filter((_, i) => standing[i] || marked[i + 2])
    .join("; ");
  const board = el("div.board", {
    role: pick ? "group" : "img",
    "aria-label": `Board. ${words || "Nothing climbed yet."}`,
  });
  board.style.gridTemplateColumns = `repeat(${lengths.length}, minmax(22px, 46px))`;
  for (const [i, length] of lengths.entries()) {
    const column = el("div.column");
    for (let space = length; space >= 1; space--) {
      const kind =
        marked[i + 2] === space
          ? "marker"
          : space <= standing[i]
            ? others && space <= others[i]
              ? "both"
              : "climbed"
            : marked[i + 2] > space
              ? "passed"
              : others && space <= others[i]
                ? "theirs"
                : "";
      column.append(
        el(pick ? "button" : "span", {
          class: `space ${kind}`,
          ...(pick
            ? { type: "button", "aria-label": `column ${i + 2}, space ${space}`, onclick: () => pick(i + 2, space) }
            : { "aria-hidden": "true" }),
          title: note(i + 2, space),
        }),
      );
    }
    column.append(
      el(
        `span.foot${standing[i] === length || others?.[i] === length ? ".done" : ""}`,
        { "aria-hidden": "true" },
        String(i + 2),
      ),
    );
    board.append(column);
  }
  return others ? el("div", {}, board, key()) : board;
}

/** What the colours of a board for two mean. */
function key() {
  const part = (name, words) => el("span", {}, el(`span.key.${name}-key`), ` ${words} `);
  return el("p.small", {}, part("climbed", "yours"), part("theirs", "theirs"), part("marker", "this turn’s markers"));
}

/** A score sheet as it stands: what is written, and what is free. */
function cardView({ card, free }) {
  const box = (name, points) =>
    el(
      `li${points === undefined ? "" : ".written"}`,
      {},
      `${name[0].toUpperCase()}${name.slice(1)} `,
      el("b", {}, points === undefined ? "free" : String(points)),
    );
  return el("ul.card-view", { "aria-label": "Score sheet" }, [
    ...free.map((name) => box(name, undefined)),
    ...Object.entries(card).map(([name, points]) => box(name, points)),
  ]);
}

/** The board or the score sheet of a position, or nothing where a game has none. */
export function positionBoard(position, rules) {
  if (position.card) return cardView(position);
  if (position.boards)
    return boardView(lengthsOf(rules, { sides: 6, shortest: 3 }), position.boards[position.seat], position.markers, {
      others: position.boards[1 - position.seat],
    });
  return position.standing ? boardView(lengthsOf(rules), position.standing, position.markers) : "";
}
