// An editor for dice: how many of each kind, and how often each face falls, by clicking.
import { el, percent } from "./base.js";
import { die } from "./dice.js";
import { labelled } from "./goal_form.js";

const MOST_WEIGHT = 20;
const FAIR = [1, 1, 1, 1, 1, 1];

/**
 * The kinds of dice that a text names, as `Dice.read` on the server does: 3x fair, 2x lucky, odd=1,2,1,2,1,2
 * @returns {{count: number, name: string, weights: number[]}[]}
 */
export function readDice(text, known) {
  if (/^\d+$/.test(text.trim())) return [{ count: Number(text), name: "fair", weights: FAIR }];
  const kinds = [];
  for (const entry of text.matchAll(/(?:(\d+)\s*x\s*)?([a-z][a-z0-9-]*)?(?:\s*=\s*([\d,\s]*\d))?/gi)) {
    const [whole, count, name = "", weights] = entry;
    if (!whole.trim()) continue;
    const numbers = weights ? weights.split(",").map(Number) : known[name] || FAIR;
    kinds.push({ count: Number(count || 1), name: weights ? "" : name || "fair", weights: [...numbers] });
  }
  return kinds;
}

export function writeDice(kinds) {
  const used = kinds.filter((one) => one.count > 0);
  const isFair = (one) => one.name === "fair" || one.weights.every((weight) => weight === one.weights[0]);
  if (used.every(isFair)) return String(used.reduce((sum, one) => sum + one.count, 0));
  return used
    .map((one) => `${one.count}x ${isFair(one) ? "fair" : one.name || `=${one.weights.join(",")}`}`)
    .join(", ");
}

/** Draws the editor; `set(text)` after each change. `fixed`: one die that all are like. */
export function diceEditor(id, title, text, known, set, { help = null, most = 8, fixed = false } = {}) {
  const kinds = text ? readDice(text, known) : [];
  const done = (focus) => {
    set(kinds.length ? (fixed ? single(kinds[0]) : writeDice(kinds)) : "", focus);
  };
  const single = (one) => (one.name && one.name !== "fair" ? one.name : one.name ? "" : `=${one.weights.join(",")}`);
  const row = (one, k) => {
    const total = one.weights.reduce((a, b) => a + b, 0) || 1;
    const weigh = (i, by) => () => {
      one.weights = one.weights.map((weight, at) =>
        at === i ? Math.max(0, Math.min(MOST_WEIGHT, weight + by)) : weight,
      );
      one.name = "";
      if (one.weights.some(Boolean)) done(`${id}-${k}-${i}-${by > 0 ? "more" : "less"}`);
    };
    const face = (weight, i) =>
      el(
        "div.load",
        {},
        el(
          "button.small",
          {
            type: "button",
            id: `${id}-${k}-${i}-more`,
            "aria-label": `face ${i + 1} falls more often`,
            onclick: weigh(i, 1),
          },
          "+",
        ),
        die(i + 1, { classes: "small" }),
        el("span.small", {}, percent(weight / total, 0)),
        el(
          "button.small",
          {
            type: "button",
            id: `${id}-${k}-${i}-less`,
            "aria-label": `face ${i + 1} falls less often`,
            disabled: weight === 0,
            onclick: weigh(i, -1),
          },
          "−",
        ),
      );
    const pick = (event) => {
      const name = event.target.value;
      if (name) Object.assign(one, { name, weights: [...(known[name] || FAIR)] });
      done(`${id}-${k}-kind`);
    };
    const names = ["fair", ...Object.keys(known)];
    const options = [
      ...(one.name ? [] : [el("option", { value: "", selected: true }, "your own")]),
      ...names.map((name) => el("option", { value: name, selected: name === one.name }, name.replace(/-/g, " "))),
    ];
    const count = (event) => {
      one.count = Math.max(0, Math.min(most, Math.round(Number(event.target.value) || 0)));
      if (!one.count) kinds.splice(k, 1);
      done(`${id}-${k}-count`);
    };
    return el(
      "div.kind",
      { role: "group", "aria-label": `${title}, kind ${k + 1}` },
      el(
        "div.two",
        {},
        fixed
          ? null
          : labelled(
              "How many",
              el("input", {
                id: `${id}-${k}-count`,
                type: "number",
                min: "0",
                max: String(most),
                value: String(one.count),
                onchange: count,
              }),
            ),
        labelled("Which die", el("select", { id: `${id}-${k}-kind`, onchange: pick }, options)),
      ),
      el("div.loads", {}, one.weights.map(face)),
    );
  };
  const add = () => {
    kinds.push({ count: 1, name: Object.keys(known)[0] || "fair", weights: [...(Object.values(known)[0] || FAIR)] });
    done(`${id}-add`);
  };
  return el(
    "fieldset.card",
    {},
    el("legend", {}, title),
    help,
    kinds.map(row),
    fixed && kinds.length
      ? null
      : el(
          "button.small",
          { type: "button", id: `${id}-add`, onclick: add },
          fixed ? "Load the die" : "Add other dice",
        ),
  );
}
