// The roll/stop map: by standing and points at risk, blue where rolling is better, orange where stopping is.
import { askSolved, query, goalOf } from "./base.js";
import { colours, diverging, heatMap } from "./figures.js";

const words = (gain, kind) =>
  kind === "chance"
    ? `${(100 * Math.abs(gain)).toFixed(3)} % points`
    : `${Math.abs(gain).toFixed(4)} ${kind === "margin" ? "points" : kind}`;

/** Draws the map for a goal; `place` has theirs and mode. */
export async function drawMap(host, goal, place, solution) {
  const map = await askSolved("map", goal, place);
  const turn = map.x_name === "mode";
  const { roll, stop } = colours();
  const filled = map.gain.findLastIndex((row) => row.some((gain) => gain !== null)) + 1;
  // above the last row where anybody rolls there is only "stop": show a little of it
  const rolled = map.gain.findLastIndex((row) => row.some((gain) => gain !== null && gain > 0));
  const bound = Math.max(1, Math.min(filled, Math.ceil(1.25 * (rolled + 1)) + 4));
  const all = map.gain
    .slice(0, bound)
    .flat()
    .filter((gain) => gain !== null)
    .map(Math.abs)
    .sort((a, b) => a - b);
  const top = all[Math.floor(0.98 * (all.length - 1))] || 1;
  const levels = 24;
  const shade = (gain) =>
    diverging(Math.max(-1, Math.min(1, Math.round((levels * gain) / top) / levels || Math.sign(gain) / levels / 2)));
  const dice = solution?.mode_word === "dice" && !turn ? ` with ${map.mode} ${map.mode === 1 ? "die" : "dice"}` : "";
  heatMap(host, {
    title: `Roll or stop${dice}`,
    xs: map.x,
    ys: map.y.slice(0, bound),
    values: map.gain.slice(0, bound),
    colour: shade,
    xLabel: turn ? solution?.mode_word || "mode" : "your score",
    yLabel: "points at risk",
    legend: [
      ["roll", roll],
      ["stop", stop],
    ],
    hint: turn
      ? "Point at a cell for the numbers."
      : "Point at a cell for the numbers; click it (or Enter) to see the advice there.",
    text: (x, y) => {
      const gain = map.gain[y][x];
      const where = `${turn ? `${solution?.mode_word || "mode"} ${map.x[x]}` : `score ${map.x[x]}`}, ${map.y[y]} at risk`;
      if (gain === null) return `${where}: ${y === 0 ? "nothing at risk, so you roll" : "the target is reached"}`;
      return `${where}: ${gain > 0 ? "roll" : "stop"}, better by ${words(gain, map.kind)}`;
    },
    pick: turn
      ? undefined
      : (x, y) => {
          location.href = `/advise?${query({ ...goalOf(goal), mine: map.x[x] || "", theirs: place.theirs, at_risk: map.y[y] || "", mode: place.mode })}`;
        },
  });
  return map;
}

/** The number of dice that a map shows first: with all of them one nearly always rolls. */
export const usualMode = (solution) =>
  solution.mode_word === "dice" && solution.modes.length > 1
    ? String(Math.ceil(Math.max(...solution.modes) / 2))
    : undefined;
