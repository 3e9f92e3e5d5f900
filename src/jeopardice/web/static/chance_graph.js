// The course of a game as a line: turns along the bottom, the chance to win upwards, mistakes marked.
import { el, percent, rangeOf } from "./base.js";
import { isChance } from "./game_view.js";
import { picture, shape } from "./svg.js";

const WIDE = 320;
const HIGH = 150;
const LEFT = 34;
const LOW = 20;

/**
 * The points of the line, one for each step: those of a turn at equal distances, the last one of a finished turn at its end.
 * @param {any[]} steps
 * @param {number} initial
 * @param {number} seat
 */
export function course(steps, initial, seat) {
  const open = steps.length ? steps[steps.length - 1].position.turn : 0; // the turn that is not finished
  /** @type {Record<string, number>} */
  const counts = {};
  const numbers = steps.map(({ was }) => (counts[was.turn] = (counts[was.turn] ?? 0) + 1));
  const line = steps.map((step, i) => ({
    turn: step.was.turn + numbers[i] / (counts[step.was.turn] + (step.was.turn === open ? 1 : 0)),
    value: step.values[seat],
    ends: step.position.turn !== step.was.turn,
    mark: step.seat === seat ? step.mark : null,
    words: step.play,
  }));
  return [{ turn: 0, value: initial, ends: true, mark: null, words: "" }, ...line];
}

/**
 * Draws the course of a game as a seat sees it. A press on a point opens its step; so do arrow keys.
 * @param {HTMLElement} host
 * @param {{ steps: any[], initial: number, seat: number, measure: string, spread: number, name: string,
 *   at: number | null, open: (step: number) => void }} game `at` is the step that is open
 */
export function chanceGraph(host, { steps, initial, seat, measure, spread, name, at, open }) {
  const line = course(steps, initial, seat);
  const marks = line.filter((point) => point.mark);
  const chance = isChance(measure);
  const values = line.map((point) => point.value);
  const [least, most] = chance ? [0, 1] : [Math.min(...values) - 0.5, Math.max(...values) + 0.5];
  const turns = Math.max(4, Math.ceil(line[line.length - 1].turn));
  const x = (turn) => LEFT + ((WIDE - LEFT - 8) * turn) / turns;
  const y = (value) => 8 + ((HIGH - LOW - 8) * (most - value)) / (most - least);
  const shown = (value) => (chance ? percent(value, 0) : value.toFixed(1));
  const now = `${shown(values[values.length - 1])} after ${line.filter((point) => point.ends).length - 1} turns`;
  const title = chance
    ? `${name === "You" ? "Your chance" : `Chance of ${name}`} to win`
    : `${measure[0].toUpperCase()}${measure.slice(1)} in all`;
  const svg = picture(
    `0 0 ${WIDE} ${HIGH}`,
    "course",
    `${title}: ${now}; ${marks.length} marked ${marks.length === 1 ? "choice" : "choices"}`,
  );
  for (const value of chance ? [0, 0.5, 1] : [least + 0.5, most - 0.5]) {
    shape(svg, "line", { x1: LEFT, x2: WIDE - 8, y1: y(value), y2: y(value), class: value === 0.5 ? "half" : "grid" });
    shape(svg, "text", { x: LEFT - 4, y: y(value) + 4, "text-anchor": "end" }, shown(value));
  }
  const every = Math.ceil(turns / 8);
  for (let turn = 0; turn <= turns; turn += every)
    shape(svg, "text", { x: x(turn), y: HIGH - 5, "text-anchor": "middle" }, String(turn));
  if (spread) {
    const edge = (side) => line.map((point) => `${x(point.turn)},${y(rangeOf(point.value, spread)[side])}`);
    shape(svg, "polygon", { class: "band", points: [...edge(1), ...edge(0).reverse()].join(" ") });
  }
  shape(svg, "polyline", { class: "way", points: line.map((point) => `${x(point.turn)},${y(point.value)}`).join(" ") });
  for (const point of line.filter(({ ends }) => ends))
    shape(svg, "circle", { class: "stop", cx: x(point.turn), cy: y(point.value), r: 2.6 });
  if (at !== null) shape(svg, "circle", { class: "open", cx: x(line[at + 1].turn), cy: y(line[at + 1].value), r: 7 });
  for (const mark of marks) {
    const spot = shape(svg, "circle", { class: `mark ${mark.mark}`, cx: x(mark.turn), cy: y(mark.value), r: 5 });
    shape(spot, "title", {}, `${mark.mark}: ${mark.words}`);
  }
  const slide = el(
    "div.slide",
    {
      tabindex: "0",
      id: "course-slide",
      role: "slider",
      "aria-label": `${title}, step by step`,
      "aria-valuemin": "0",
      "aria-valuemax": String(Math.max(0, steps.length - 1)),
      "aria-valuenow": String(at ?? Math.max(0, steps.length - 1)),
      "aria-valuetext": steps.length ? steps[at ?? steps.length - 1].words : now,
      onclick: (event) => {
        const box = svg.getBoundingClientRect();
        const place = (event.clientX - box.left) * (WIDE / box.width);
        const far = line.slice(1).map(({ turn }) => Math.abs(x(turn) - place));
        open(far.indexOf(Math.min(...far)));
      },
      onkeydown: (event) => {
        const to = { ArrowLeft: (at ?? steps.length) - 1, ArrowRight: (at ?? steps.length - 2) + 1, Home: 0 };
        const wanted = event.key === "End" ? steps.length - 1 : to[event.key];
        if (wanted === undefined) return;
        event.preventDefault();
        open(Math.max(0, Math.min(steps.length - 1, wanted)));
      },
    },
    svg,
  );
  host.replaceChildren(
    el("h2", {}, title),
    slide,
    el(
      "p.small.soft",
      {},
      "By turns. Press a point, or use ← and →, to look back.",
      marks.length ? " Large dots: choices that cost much." : "",
      spread ? " An estimate: nine times out of ten the right chance lies in the band." : "",
    ),
  );
}
