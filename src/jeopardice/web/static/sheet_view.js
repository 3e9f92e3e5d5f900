// The score sheet on the table: boxes with their points, and what the dice on the table would bring.
import { el } from "./base.js";

/**
 * Draws the sheet; `write` says which boxes can be written now, and writes one.
 * @param {any} table
 * @param {{ can: (box: string) => boolean, write: (box: string) => void, best?: string | null }} write
 */
export function sheet(table, { can, write, best = null }) {
  const cell = (/** @type {any} */ one) => {
    const name = one.box[0].toUpperCase() + one.box.slice(1);
    if (one.points !== null)
      return el("div.box.filled", {}, el("span", {}, name), el("strong", {}, String(one.points)));
    const offer = one.offer === null || one.offer === undefined ? "" : String(one.offer);
    const free = can(one.box);
    return el(
      `button.box${free && one.offer ? ".scores" : ""}${best === one.box ? ".hinted" : ""}`,
      { type: "button", disabled: !free, "data-box": one.box, onclick: () => write(one.box) },
      el("span", {}, name),
      el("strong", {}, offer),
    );
  };
  const upper = table.boxes.filter((/** @type {any} */ one) => one.upper);
  const lower = table.boxes.filter((/** @type {any} */ one) => !one.upper);
  const { total, goal, bonus } = table.upper;
  const sum = el(
    "div.box.sum",
    {},
    el("span", {}, `Upper ${total} of ${goal}`),
    el("strong", {}, total >= goal ? `+${bonus}` : ""),
  );
  return el(
    "div.sheet",
    { role: "group", "aria-label": "Score sheet" },
    el("div.half", {}, upper.map(cell), upper.length ? sum : null),
    el(
      "div.half",
      {},
      lower.map(cell),
      table.bonus
        ? el("div.box.sum", {}, el("span", {}, "More of five equal"), el("strong", {}, `+${table.bonus}`))
        : null,
    ),
  );
}
