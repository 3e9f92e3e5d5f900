// The board of columns on the table: pegs in the colours of the seats, the markers of this turn, and the choices on it.
import { el } from "./base.js";
import { picture, shape } from "./svg.js";

const W = 32;
const H = 25;

/**
 * What the board shows, in words.
 * @param {{ column: number, length: number }[]} columns
 * @param {number[][]} climbed
 * @param {number[][]} markers
 * @param {string[]} names
 */
function boardWords(columns, climbed, markers, names) {
  const players = climbed.map((spaces, seat) => {
    const begun = columns
      .map(({ column, length }, i) =>
        spaces[i] ? `column ${column} ${spaces[i] === length ? "done" : `on ${spaces[i]} of ${length}`}` : "",
      )
      .filter(Boolean);
    return `${names[seat]}: ${begun.join(", ") || "nothing yet"}`;
  });
  const placed = markers.map(([column, space]) => `${column} on ${space}`).join(", ");
  return `Board. ${players.join("; ")}${placed ? `; markers of this turn: ${placed}` : ""}.`;
}

/**
 * Draws the board. `preview` are markers that a choice would place; `offers` are spaces that a choice climbs to, with
 * the number of the choice; `pick(number)` is called when one is pressed.
 * @param {{
 *   columns: { column: number, length: number }[], climbed: number[][], markers: number[][], names: string[],
 *   seat: number, preview?: number[][], offers?: { column: number, space: number, choice: number }[],
 *   pick?: (choice: number) => void,
 * }} shown
 */
export function boardTable({ columns, climbed, markers, names, seat, preview = [], offers = [], pick }) {
  const rows = Math.max(...columns.map((one) => one.length));
  const high = (rows + 1) * H + 4;
  const words = boardWords(columns, climbed, markers, names);
  const svg = picture(`0 0 ${columns.length * W} ${high}`, "columns-board", words);
  for (const [i, { column, length }] of columns.entries()) {
    const owner = climbed.findIndex((spaces) => spaces[i] >= length);
    const base = high - H - 2;
    const top = (/** @type {number} */ space) => base - space * H;
    for (let space = 1; space <= length; space++)
      shape(svg, "rect", {
        x: i * W + 2,
        y: top(space) + 2,
        width: W - 4,
        height: H - 4,
        rx: 6,
        class: owner >= 0 ? `space done seat-${owner}` : "space",
      });
    shape(
      svg,
      "text",
      { x: i * W + W / 2, y: base + H - 7, class: `foot${owner >= 0 ? " done" : ""}` },
      String(column),
    );
    if (owner >= 0) shape(svg, "text", { x: i * W + W / 2, y: top(length) + H - 7, class: "tick" }, "✓");
    else {
      const here = climbed.map((spaces, who) => ({ who, space: spaces[i] })).filter((one) => one.space > 0);
      for (const { who, space } of here) {
        const same = here.filter((one) => one.space === space);
        const shift = (same.findIndex((one) => one.who === who) - (same.length - 1) / 2) * 9;
        shape(svg, "circle", {
          cx: i * W + W / 2 + shift,
          cy: top(space) + H / 2,
          r: same.length > 1 ? 6.5 : 8,
          class: `peg seat-${who}`,
        });
      }
    }
    for (const offer of offers.filter((one) => one.column === column)) {
      const target = shape(svg, "rect", {
        x: i * W + 1,
        y: top(offer.space) + 1,
        width: W - 2,
        height: H - 2,
        rx: 7,
        class: "offer",
      });
      if (pick) target.addEventListener("click", () => pick(offer.choice));
    }
    for (const [where, kind] of /** @type {[number[][], string][]} */ ([
      [markers, "marker"],
      [preview, "marker preview"],
    ]))
      for (const [, space] of where.filter(([one]) => one === column))
        shape(svg, "circle", { cx: i * W + W / 2, cy: top(space) + H / 2, r: 8.5, class: `${kind} seat-${seat}` });
  }
  return el("div.board-frame", {}, svg);
}
