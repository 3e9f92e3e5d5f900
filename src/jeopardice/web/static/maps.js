// The map of roll or stop: by score and points at risk, blue where rolling is better, orange where stopping is.
import { askSolved, goalOf, query } from "./base.js";
import { colours, diverging, heatMap } from "./figures.js";

const FULL = { chance: 0.05, turns: 0.25, rolls: 0.75 };
const LEVELS = 24;

const amount = (gain, kind) =>
  kind === "chance"
    ? `${(100 * Math.abs(gain)).toFixed(3)} percentage points`
    : `${Math.abs(gain).toFixed(4)} ${kind === "margin" ? "points" : kind}`;

/** The difference at which the colour is full: the same for every score, so that maps can be compared. */
function fullColour(map) {
  if (FULL[map.kind]) return FULL[map.kind];
  const all = map.gain.flat().filter((gain) => gain !== null);
  const sizes = all.map(Math.abs).sort((a, b) => a - b);
  return sizes[Math.floor(0.98 * (sizes.length - 1))] || 1;
}

const asked = new WeakMap();
/** Draws the map for a goal; `place` has theirs and mode. */
export async function drawMap(host, goal, place, solution) {
  const mine = (asked.get(host) || 0) + 1;
  asked.set(host, mine);
  const map = await askSolved("map", goal, place);
  if (asked.get(host) !== mine) return map; // another one has been asked for meanwhile
  const turn = map.x_name === "mode";
  const { roll, stop } = colours();
  const full = fullColour(map);
  const dice = solution?.mode_word === "dice" && !turn;
  const shade = (gain) => {
    const level = Math.round((LEVELS * gain) / full) / LEVELS || Math.sign(gain) / LEVELS / 2;
    return diverging(Math.max(-1, Math.min(1, level)));
  };
  // one turn: above the last row where anybody rolls there is only "stop", so a little of it is enough
  const rolled = map.gain.findLastIndex((row) => row.some((gain) => gain !== null && gain > 0));
  const filled = map.gain.findLastIndex((row) => row.some((gain) => gain !== null)) + 1;
  const rows = turn ? Math.max(1, Math.min(filled, Math.ceil(1.25 * (rolled + 1)) + 4)) : filled;
  const fullWords =
    map.kind === "chance"
      ? `${100 * full} percentage points`
      : `${+full.toPrecision(2)} ${map.kind === "margin" ? "points" : map.kind}`;
  const name = turn ? solution?.mode_word || "mode" : "your score";
  const scores = { theirs: map.theirs ?? undefined, mode: dice ? map.mode : undefined };
  const words = (x, y) => {
    const gain = map.gain[y][x];
    const where = `${turn ? `${name} ${map.x[x]}` : `score ${map.x[x]}`}, ${map.y[y]} at risk`;
    if (gain === null) return `${where}: ${y === 0 ? "nothing at risk, so you roll" : "nothing to decide"}`;
    return `${where}: ${gain > 0 ? "roll" : "stop"}, better by ${amount(gain, map.kind)}`;
  };
  heatMap(host, {
    title: "Roll or stop",
    about: { goal, ...(["duel", "race"].includes(goal.goal || "duel") ? scores : { mode: scores.mode }) },
    xs: map.x,
    ys: map.y.slice(0, rows),
    values: map.gain.slice(0, rows),
    colour: shade,
    parts: (gain) => gain > 0,
    xLabel: name,
    yLabel: "points at risk",
    legend: [
      ["roll", roll],
      ["stop", stop],
      ["pale: hardly matters", null],
      [`full colour: ${fullWords} or more`, null],
    ],
    hint: turn
      ? "Point at a cell for the numbers."
      : "Point at a cell for the numbers; click it (or Enter) for the advice there.",
    text: words,
    csv: async () => everyRow(await askSolved("map", goal, { ...place, every: "true" }), name),
    pick: turn
      ? null
      : (x, y) => {
          const [theirs, third] = [map.theirs].flat();
          const where = {
            mine: map.x[x] || "",
            theirs: theirs || "",
            third,
            at_risk: map.y[y] || "",
            mode: place.mode,
          };
          location.href = `/advise?${query({ ...goalOf(goal), ...where })}`;
        },
  });
  return map;
}

/** The numbers of a map, one row for each cell that has something to decide. */
function everyRow(map, name) {
  const rows = [[name, "points at risk", `rolling minus stopping (${map.kind})`, "best"]];
  map.gain.forEach((row, y) =>
    row.forEach((gain, x) => {
      if (gain !== null) rows.push([map.x[x], map.y[y], gain, gain > 0 ? "roll" : "stop"]);
    }),
  );
  return rows;
}

/** The number of dice that a map shows first: with all of them one nearly always rolls. */
export const usualMode = (solution) =>
  solution.mode_word === "dice" && solution.modes.length > 1
    ? String(Math.ceil(Math.max(...solution.modes) / 2))
    : undefined;
