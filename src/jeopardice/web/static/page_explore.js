// Explore: the roll/stop map, the surface, value curves, laws, and strategies against each other.
import {
  $,
  askSolved,
  el,
  goalOf,
  KIND_WORDS,
  params,
  percent,
  problem,
  remember,
  safely,
  shownValue,
} from "./base.js";
import { barChart, colours, diverging, frame, heatMap, lineChart, rising, saveFile, shortened } from "./figures.js";
import { goalForm, labelled } from "./goal_form.js";
import { drawMap, usualMode } from "./maps.js";

const link = params();
let solution, waiting, form;

const keep = () =>
  remember({
    ...goalOf(link),
    mine: link.mine,
    theirs: link.theirs,
    mode: link.mode,
    of: link.of,
    strategies: link.strategies,
  });
const duel = () => (link.goal || "duel") === "duel";
const race = () => (link.goal || "duel") !== "turn";

async function begin() {
  problem(null);
  keep();
  solution = await askSolved("value", link);
  const points = !solution.lengths;
  for (const card of ["surface", "turns", "compare", "curves"]) $(`#${card}`).closest("section").hidden = !points;
  if (!points) {
    $("#sliders").replaceChildren();
    await board();
    return;
  }
  drawSliders();
  await Promise.all([map(), curves(), law(), surface(), compare()]);
}

function slider(key, words, most, step) {
  const shown = el("output", { for: key }, link[key] || "0");
  const range = el("input", {
    id: key,
    type: "range",
    min: "0",
    max: String(most),
    step: String(step),
    value: link[key] || "0",
  });
  range.addEventListener("input", () => {
    link[key] = range.value === "0" ? "" : range.value;
    shown.textContent = range.value;
    clearTimeout(waiting);
    waiting = setTimeout(
      safely(async () => {
        keep();
        await Promise.all([key === "theirs" ? map() : null, law()]);
      }),
      120,
    );
  });
  return el("div.field", {}, el("label", { for: key }, `${words}: `, shown), range);
}

function drawSliders() {
  const { unit, target, modes, mode_word: word } = solution;
  const top = race() ? Math.floor((target - 1) / unit) * unit : 0;
  const parts = [];
  if (race()) parts.push(slider("mine", "Your score (for the law of the turn)", top, unit));
  if (duel()) parts.push(slider("theirs", "Their score", top, unit));
  if (word === "dice" && modes.length > 1 && race())
    parts.push(
      labelled(
        "Dice to roll (for map and surface)",
        el(
          "select",
          {
            id: "mode",
            onchange: safely(async (event) => {
              link.mode = event.target.value;
              keep();
              await Promise.all([map(), surface()]);
            }),
          },
          [...modes]
            .sort((a, b) => b - a)
            .map((mode) =>
              el(
                "option",
                { value: String(mode), selected: String(mode) === (link.mode || usualMode(solution)) },
                String(mode),
              ),
            ),
        ),
      ),
    );
  $("#sliders").replaceChildren(...parts);
}

/** Can't Stop: what each space of a column saves, and how often three columns bust. */
async function board() {
  const data = await askSolved("board", link);
  const tallest = Math.max(...data.columns.map((one) => one.length));
  const all = data.columns.flatMap((one) => one.worth),
    most = Math.max(...all.map(Math.abs));
  heatMap($("#map"), {
    title: "Turns saved by spaces climbed in one column",
    xs: data.columns.map((one) => String(one.column)),
    ys: Array.from({ length: tallest }, (_, i) => i + 1),
    values: Array.from({ length: tallest }, (_, y) => data.columns.map((one) => one.worth[y] ?? null)),
    xLabel: "column",
    yLabel: "spaces climbed",
    colour: (worth) => diverging(Math.max(-1, Math.min(1, worth / most))),
    legend: [
      ["saves turns", colours().roll],
      ...(all.some((worth) => worth < 0) ? [["costs turns!", colours().stop]] : []),
    ],
    text: (x, y) => {
      const worth = data.columns[x].worth[y];
      return worth === undefined
        ? `column ${data.columns[x].column} has only ${data.columns[x].length} spaces`
        : `column ${data.columns[x].column}, ${y + 1} of ${data.columns[x].length} climbed: ${worth >= 0 ? "saves" : "costs"} ${Math.abs(worth).toFixed(4)} turns`;
    },
    hint: `From the empty board best play needs ${data.value.toFixed(4)} turns on average.${all.some((worth) => worth < 0) ? " Orange: progress that costs turns." : ""}`,
  });
  const triples = [...data.triples].sort((a, b) => a.bust - b.bust);
  barChart($("#law"), {
    title: "Bust chance with markers on three columns",
    bars: triples.map((one) => [one.columns.join(" "), one.bust, one.bust > 0.5]),
    xLabel: "columns",
    yLabel: "bust chance",
    words: (chance) => percent(chance, 2),
    axis: (chance) => percent(chance, 0),
    hint: `Safest: ${triples[0].columns.join(", ")} (${percent(triples[0].bust)}); riskiest: ${triples.at(-1).columns.join(", ")} (${percent(triples.at(-1).bust)}).`,
  });
}

const choosing = () => solution.modes.some((mode) => typeof mode === "string");

async function map() {
  if (choosing()) return diceMap();
  return drawMap(
    $("#map"),
    link,
    { theirs: duel() ? link.theirs : undefined, mode: race() ? link.mode || usualMode(solution) : undefined },
    solution,
  );
}

/** Hog: how many dice to roll, by both scores. */
async function diceMap() {
  const data = await askSolved("choices", link);
  const top = Math.max(...data.best.flat().filter((one) => one !== null));
  heatMap($("#map"), {
    title: "How many dice to roll",
    xs: data.mine,
    ys: data.theirs,
    values: data.best,
    xLabel: "your score",
    yLabel: "their score",
    colour: (dice) => rising(dice / top),
    text: (x, y) => `you ${data.mine[x]}, they ${data.theirs[y]}: roll ${data.best[y][x]} dice`,
    hint: "Point at a cell for the numbers.",
  });
}

async function curves() {
  const top = solution.target ? Math.floor((solution.target - 1) / solution.unit) * solution.unit : 0;
  const theirs = duel()
    ? [0, 0.25, 0.5, 0.75, 0.9].map((share) => Math.round((share * top) / solution.unit) * solution.unit)
    : [];
  const data = await askSolved("curves", link, duel() ? { theirs } : {});
  lineChart($("#curves"), {
    title: duel() ? "Value at the start of your turn" : race() ? "Value by score" : "Value by points at risk",
    x: data.x,
    series: data.curves,
    xLabel: data.x_name === "mine" ? "your score" : "points at risk",
    yLabel: KIND_WORDS[data.kind],
    words: (value) => shownValue(value, data.kind, 1),
    hint: "Point at the curves to read them.",
  });
}

async function law() {
  const data = await askSolved("law", link, {
    mine: race() ? link.mine : undefined,
    theirs: duel() ? link.theirs : undefined,
  });
  barChart($("#law"), {
    title: "How the next turn ends under best play",
    bars: [["bust", data.bust_chance, true], ...shortened(data.banked)],
    xLabel: "banked",
    yLabel: "chance",
    words: (chance) => percent(chance, 2),
    axis: (chance) => percent(chance, 0),
    hint: `A bust in ${percent(data.bust_chance)} of turns here.`,
  });
  $("#turns-card").hidden = !data.turns;
  if (!data.turns) return;
  const mean = data.turns.reduce((sum, chance, i) => sum + (i + 1) * chance, 0);
  const last = data.turns.findLastIndex((chance) => chance > 1e-4) + 1;
  barChart($("#turns"), {
    title: "How many turns a race alone takes",
    bars: data.turns.slice(0, last).map((chance, i) => [i + 1, chance]),
    xLabel: "turns",
    yLabel: "chance",
    words: (chance) => percent(chance, 2),
    axis: (chance) => percent(chance, 0),
    hint: `${mean.toFixed(2)} turns on average from ${link.mine || 0} points, playing for the fewest turns.`,
  });
}

let plotly;
/** Loads plotly.js; the style sheets it would write into the page are left out, as the content security policy wants it. */
function loadPlotly() {
  plotly ??= new Promise((resolve, reject) => {
    const make = document.createElement.bind(document);
    document.createElement = (name, ...more) =>
      make(String(name).toLowerCase() === "style" ? "template" : name, ...more);
    document.head.append(el("template", { id: "plotly.js-style-global", class: "no-inline-styles" }));
    const script = el("script", { src: "/plotly.js" });
    script.onload = () => resolve(globalThis["Plotly"]);
    script.onerror = () => reject(new Error("plotly.js is not there; install it with: pip install 'jeopardice[web]'"));
    document.head.append(script);
  });
  return plotly;
}
function hasWebGL() {
  try {
    return Boolean(document.createElement("canvas").getContext("webgl"));
  } catch {
    return false;
  }
}

async function surface() {
  $("#surface-card").hidden = !duel();
  if (!duel()) return;
  const of = choosing() ? "value" : link.of || "stop";
  const data = await askSolved("surface", link, { of, mode: link.mode || usualMode(solution) });
  const dice = link.mode || usualMode(solution);
  const title =
    of === "value" ? "Chance to win, by both scores" : `Stop at or above this surface${dice ? ` (${dice} dice)` : ""}`;
  const csv = () =>
    [
      ["mine", "theirs", of],
      ...data.mine.flatMap((mine, i) => data.theirs.map((theirs, j) => [mine, theirs, data.height[i][j]])),
    ]
      .map((row) => row.join(","))
      .join("\n");
  let made;
  const words = (value) => (of === "value" ? shownValue(value, data.kind, 1) : `${value} at risk`);
  if (!hasWebGL()) {
    const all = data.height.flat(),
      low = Math.min(...all),
      high = Math.max(...all);
    heatMap($("#surface"), {
      title: `${title} (flat: this browser has no WebGL)`,
      xs: data.mine,
      ys: data.theirs,
      values: data.theirs.map((_, j) => data.mine.map((_, i) => data.height[i][j])),
      xLabel: "your score",
      yLabel: "their score",
      colour: (value) => rising((value - low) / (high - low || 1)),
      text: (x, y) => `you ${data.mine[x]}, they ${data.theirs[y]}: ${words(data.height[x][y])}`,
    });
    return;
  }
  const picture = await loadPlotly();
  const image = (kind) => async (name) => {
    const link64 = await picture.toImage(made, { format: kind, width: 900, height: 700 });
    saveFile(name, await await fetchBlob(link64));
  };
  const { plot, readout } = frame($("#surface"), title, {
    PNG: image("png"),
    SVG: image("svg"),
    CSV: (name) => saveFile(name, csv(), "text/csv"),
  });
  const pick = el(
    "span.tabs",
    { role: "group", "aria-label": "What the surface shows" },
    [
      ["stop", "stopping surface"],
      ["value", "win chance"],
    ]
      .filter(([name]) => name === "value" || !choosing())
      .map(([name, text]) =>
        el(
          "button.small",
          {
            type: "button",
            "aria-pressed": String(name === of),
            "aria-selected": String(name === of),
            onclick: safely(async () => {
              link.of = name === "stop" ? "" : name;
              keep();
              await surface();
            }),
          },
          text,
        ),
      ),
  );
  plot.before(pick);
  plot.classList.add("surface");
  plot.setAttribute("role", "img");
  plot.setAttribute("aria-label", `${title}: a surface in three dimensions. The CSV button gives its numbers.`);
  made = plot;
  const draw = () => {
    const { ink, card, line } = colours();
    const axis = (text) => ({ title: { text }, color: ink, gridcolor: line, zerolinecolor: line });
    return picture.react(
      plot,
      [
        {
          type: "surface",
          x: data.mine,
          y: data.theirs,
          z: data.theirs.map((_, j) => data.mine.map((_, i) => data.height[i][j])),
          colorscale: "Viridis",
          showscale: false,
          hovertemplate: `you %{x}, they %{y}: ${of === "value" ? "%{z:.1%}" : "%{z} at risk"}<extra></extra>`,
        },
      ],
      {
        margin: { l: 0, r: 0, t: 0, b: 0 },
        paper_bgcolor: card,
        font: { color: ink },
        scene: {
          xaxis: axis("your score"),
          yaxis: axis("their score"),
          zaxis: axis(of === "value" ? "value" : "at risk"),
          camera: { eye: { x: -1.65, y: -1.65, z: 1 }, center: { x: 0, y: 0, z: -0.1 } },
        },
      },
      { displayModeBar: false, responsive: true },
    );
  };
  await draw();
  readout.textContent = "Drag to turn it, scroll to zoom.";
  addEventListener("themechange", draw);
}
function fetchBlob(link64) {
  const [head, body] = link64.split(",");
  const text = head.includes("base64") ? atob(body) : decodeURIComponent(body);
  return new Blob([Uint8Array.from(text, (letter) => letter.charCodeAt(0))], { type: head.slice(5).split(";")[0] });
}

const usualRules = () =>
  solution.unit >= 50
    ? "optimal,fewest-turns,stop-at-300"
    : choosing()
      ? "optimal,fewest-turns"
      : "optimal,keep-pace,fewest-turns,stop-at-20,stop-at-25,roll-5-times";
async function compare() {
  $("#compare-card").hidden = !duel();
  if (!duel()) return;
  const input = el("input", {
    id: "strategies",
    type: "text",
    value: link.strategies || usualRules(),
    autocomplete: "off",
  });
  const host = el("div");
  const go = safely(async () => {
    link.strategies = input.value.replace(/\s+/g, "") === usualRules() ? "" : input.value.replace(/\s+/g, "");
    keep();
    host.replaceChildren(el("p.soft", {}, "Computing…"));
    try {
      drawTable(
        host,
        await askSolved("compare", link, { strategies: (link.strategies || usualRules()).split(",").filter(Boolean) }),
      );
    } catch (refusal) {
      host.replaceChildren(el("p.note.warn", {}, refusal.message));
    }
  });
  $("#compare").replaceChildren(
    el("h2", {}, "Strategies against each other"),
    labelled(
      "Strategies, with commas between them",
      input,
      el(
        "div.small.soft",
        {},
        "optimal, keep-pace, fewest-turns, fewest-rolls, most-points, louchard, stop-at-N, roll-N-times",
      ),
    ),
    el("p", {}, el("button", { type: "button", id: "run-compare", onclick: go }, "Compare")),
    host,
  );
  if (solution.unit < 50 && !choosing() && solution.target <= 120) await go();
}

function drawTable(host, { names, even, kind }) {
  const words = (value) => (kind === "chance" ? percent(value, 2) : value.toFixed(2));
  const csv = () =>
    [["", ...names], ...names.map((name, i) => [name, ...even[i]])].map((row) => row.join(",")).join("\n");
  const spread = Math.max(0.01, ...even.flat().map((value) => Math.abs(value - (kind === "chance" ? 0.5 : 0))));
  const cell = (value) => {
    const made = el("td.cell", {}, words(value));
    const share = (value - (kind === "chance" ? 0.5 : 0)) / spread;
    made.style.background = `color-mix(in srgb, var(${share > 0 ? "--good" : "--bad"}) ${Math.round(45 * Math.abs(share))}%, transparent)`;
    return made;
  };
  host.replaceChildren(
    el(
      "p.small.soft",
      {},
      "The chance of the row's strategy to win against the column's, a coin deciding who begins. Exact, not simulated.",
    ),
    el(
      "div.scroll",
      {},
      el(
        "table",
        {},
        el(
          "thead",
          {},
          el(
            "tr",
            {},
            el("th", {}, ""),
            names.map((name) => el("th.right", { scope: "col" }, name)),
          ),
        ),
        el(
          "tbody",
          {},
          names.map((name, i) => el("tr", {}, el("th", { scope: "row" }, name), even[i].map(cell))),
        ),
      ),
    ),
    el(
      "p",
      {},
      el("button.small", { type: "button", onclick: () => saveFile("strategies.csv", csv(), "text/csv") }, "CSV"),
    ),
  );
}

safely(async () => {
  form = await goalForm(
    $("#goal-form"),
    link,
    safely(async () => {
      for (const key of ["mine", "theirs", "mode", "of", "strategies"]) delete link[key];
      await begin();
    }),
  );
  await begin();
})();
