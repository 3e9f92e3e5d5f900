// Explore: the map of roll or stop, the surface, curves, distributions, and strategies against each other.
import {
  $,
  askSolved,
  el,
  get,
  goalOf,
  KIND_WORDS,
  params,
  percent,
  problem,
  remember,
  safely,
  shownValue,
} from "./base.js";
import { bustTable } from "./busts.js";
import { barChart, colours, diverging, heatMap, lineChart, rising, saveCsv, shortened } from "./figures.js";
import { fileName } from "./about.js";
import { goalForm, labelled } from "./goal_form.js";
import { drawMap, usualMode } from "./maps.js";
import { shareButtons } from "./share.js";
import { drawSolid, hasWebGL, loadPlotly } from "./solid.js";

const FRAME_MS = 90;
const link = params();
let form,
  solution,
  waiting,
  playing,
  surfaces = 0,
  laws = 0;

const keep = () =>
  remember({
    ...goalOf(link),
    mine: link.mine,
    theirs: link.theirs,
    third: link.third,
    mode: link.mode,
    of: link.of,
    solid: link.solid,
    strategies: link.strategies,
  });
const duel = () => (link.goal || "duel") === "duel";
const three = () => link.goal === "race";
/** The scores of the others, as questions name them. */
const theirScores = () =>
  duel() ? { theirs: link.theirs || 0 } : three() ? { others: `${link.theirs || 0},${link.third || 0}` } : {};
const race = () => (link.goal || "duel") !== "turn";
const choosing = () => solution.modes.some((mode) => typeof mode === "string");
const top = () => Math.floor((solution.target - 1) / solution.unit) * solution.unit;
const mode = () => (race() ? link.mode || usualMode(solution) : undefined);
const show = (...cards) => {
  for (const card of document.querySelectorAll(".gallery > .card")) {
    /** @type {HTMLElement} */ (card).hidden = !cards.includes(card.id.replace("-card", ""));
  }
};

async function begin() {
  stopPlaying();
  problem(null);
  keep();
  if (form.game().shape === "columns") return board();
  solution = await askSolved("value", link);
  show(...(choosing() && three() ? [] : ["map"]), "curves", "law", "turns", ...(duel() ? ["surface", "compare"] : []));
  drawSliders();
  drawMapControls();
  await Promise.all([map(), curves(), law(), surface(), compare()]);
}

function slider(key, words) {
  const shown = el("output", { for: key }, link[key] || "0");
  const bounds = { min: "0", max: String(top()), step: String(solution.unit), value: link[key] || "0" };
  const range = el("input", { id: key, type: "range", ...bounds });
  range.addEventListener("input", () => {
    stopPlaying();
    setScore(key, range.value);
    clearTimeout(waiting);
    waiting = setTimeout(
      safely(() => Promise.all([key === "mine" ? null : map(), law()])),
      120,
    );
  });
  return el("div.field", {}, el("label", { for: key }, `${words}: `, shown), range);
}

function setScore(key, value) {
  link[key] = value === "0" ? "" : value;
  const range = /** @type {HTMLInputElement} */ (document.getElementById(key));
  if (range) {
    range.value = value;
    range.parentElement.querySelector("output").textContent = value;
  }
  keep();
}

function drawSliders() {
  const { modes, mode_word: word } = solution;
  const parts = [];
  const named = Object.entries(solution.mode_names || {});
  const counts = word === "dice" && modes.length > 1 ? [...modes].sort((a, b) => b - a) : [];
  /** @type {any[][]} */
  const choices = named.length ? named : counts.map((one) => [String(one), String(one)]);
  if (choices.length && race()) {
    const options = choices.map(([value, words]) => el("option", { value, selected: value === mode() }, words));
    const pick = safely(async (event) => {
      link.mode = event.target.value;
      keep();
      await Promise.all([map(), surface()]);
    });
    parts.push(
      labelled("Dice to roll (for the first two pictures)", el("select", { id: "mode", onchange: pick }, options)),
    );
  }
  $("#sliders").replaceChildren(...parts);
  const onMap = !choosing() && (duel() || three());
  $("#law-controls").replaceChildren(
    ...(race() ? [slider("mine", "Your score")] : []),
    ...(duel() && !onMap ? [slider("theirs", "Their score")] : []),
  );
}

/** Their score, beside the map that it changes: by hand, or played from 0 up to the target. */
function drawMapControls() {
  if (choosing() || !(duel() || three())) {
    $("#map-controls").replaceChildren();
    return;
  }
  const words = three() ? "Next player’s score" : "Their score";
  const play = el("button.small", { type: "button", id: "play-map", onclick: safely(playMap) }, "▶ Play");
  $("#map-controls").replaceChildren(
    el("div.row", {}, el("div.grow", {}, slider("theirs", words)), play),
    three() ? slider("third", "Third player’s score") : "",
  );
}

function stopPlaying() {
  playing = null;
  const button = $("#play-map");
  if (button) button.textContent = "▶ Play";
}

/** Moves their score from where it is up to the target, drawing the map each time. */
async function playMap() {
  if (playing) return stopPlaying();
  const mine = (playing = {});
  $("#play-map").textContent = "❚❚ Pause";
  const step = solution.unit * Math.max(1, Math.round(top() / solution.unit / 100));
  let at = Number(link.theirs || 0) >= top() ? 0 : Number(link.theirs || 0);
  while (playing === mine) {
    const begun = performance.now();
    setScore("theirs", String(at));
    await map();
    if (at >= top()) break;
    at = Math.min(top(), at + step);
    await new Promise((done) => setTimeout(done, Math.max(0, FRAME_MS - (performance.now() - begun))));
  }
  if (playing !== mine) return undefined;
  stopPlaying();
  return law();
}

async function map() {
  if (choosing() && three()) return $("#map").replaceChildren();
  if (choosing()) return diceMap();
  return drawMap($("#map"), link, { ...theirScores(), mode: mode() }, solution);
}

/** Games that open with a choice of dice: how many to roll, by both scores. */
async function diceMap() {
  const data = await askSolved("choices", link);
  const used = [...new Set(data.best.flat().filter((one) => one !== null))].sort((a, b) => a - b);
  const shade = (dice) => rising(0.08 + (0.92 * used.indexOf(dice)) / Math.max(1, used.length - 1));
  const few = used.length <= 12 ? used : used.filter((_, i) => i % Math.ceil(used.length / 10) === 0);
  heatMap($("#map"), {
    title: "How many dice to roll",
    about: { goal: link },
    xs: data.mine,
    ys: data.theirs,
    values: data.best,
    xLabel: "your score",
    yLabel: duel() ? "their score" : "",
    legend: [["dice:", null], ...few.map((dice) => [String(dice), shade(dice)])],
    colour: shade,
    parts: (dice) => dice,
    text: (x, y) => `you ${data.mine[x]}${duel() ? `, they ${data.theirs[y]}` : ""}: roll ${data.best[y][x]} dice`,
    hint: "Point at a cell for the numbers.",
    csv: () => [
      ["your score", "their score", "dice"],
      ...data.theirs.flatMap((theirs, j) => data.mine.map((mine, i) => [mine, theirs, data.best[j][i]])),
    ],
  });
}

async function curves() {
  const { unit } = solution;
  const round = (share) => Math.round((share * top()) / unit) * unit;
  const others = duel() || three();
  const theirs = others ? [0, 0.25, 0.5, 0.75, 0.9].map(round) : [];
  const data = await askSolved("curves", link, others ? { theirs } : {});
  const they = three() ? "both others have" : "they have";
  const series = data.curves.map((one) => ({ ...one, name: one.name.replace(/^theirs/, they) }));
  lineChart($("#curves"), {
    title: others
      ? "Your chances at the start of your turn"
      : race()
        ? "What is left to do, by score"
        : "What a turn is worth",
    about: { goal: link },
    x: data.x,
    series,
    xLabel: data.x_name === "mine" ? "your score" : "points at risk",
    yLabel: KIND_WORDS[data.kind],
    words: (value) => shownValue(value, data.kind, 1),
    range: data.kind === "chance" ? [0, 1] : null,
    level: duel() && data.kind === "chance" ? 0.5 : null,
    hint: "Point at the curves to read them.",
  });
}

async function law() {
  const mine = ++laws;
  const data = await askSolved("law", link, { mine: race() ? link.mine || 0 : undefined, ...theirScores() });
  const scores = { mine: race() ? link.mine || 0 : undefined, theirs: duel() || three() ? data.theirs : undefined };
  if (mine !== laws) return;
  const chances = { yLabel: "chance", words: (chance) => percent(chance, 2), axis: (chance) => percent(chance, 0) };
  barChart($("#law"), {
    title: "How the next turn ends, played best",
    about: { goal: link, ...scores },
    bars: [["bust", data.bust_chance, true], ...shortened(data.banked)],
    csv: [["bust", data.bust_chance], ...data.banked],
    xLabel: "points banked",
    ...chances,
    top: 0.7,
    hint: `A bust in ${percent(data.bust_chance)} of such turns.`,
  });
  $("#turns-card").hidden = !data.turns;
  if (!data.turns) return;
  const mean = data.turns.reduce((sum, chance, i) => sum + (i + 1) * chance, 0);
  const last = data.turns.findLastIndex((chance) => chance > 1e-4) + 1;
  barChart($("#turns"), {
    title: "How many turns it takes alone",
    about: { goal: link, mine: link.mine || 0 },
    bars: data.turns.slice(0, last).map((chance, i) => [i + 1, chance]),
    csv: data.turns.map((chance, i) => [i + 1, chance]),
    xLabel: "turns",
    ...chances,
    hint: `${mean.toFixed(2)} turns on average from ${link.mine || 0} points, playing for the fewest turns.`,
  });
}

const SURFACES = {
  stop: { title: "From how many points at risk to stop", tab: "stop from", unit: "at risk" },
  again: { title: "From how many points at risk to roll on to the end", tab: "roll on from", unit: "at risk" },
  value: { title: "Chance to win at the start of your turn", tab: "chance to win", unit: "" },
};

/** By both scores: flat, and in three dimensions for those who ask for it. */
async function surface() {
  if (!duel()) return;
  const names = choosing() ? ["value"] : ["stop", "again", "value"];
  const of = names.includes(link.of) ? link.of : names[0];
  const asked = { of: of === "value" ? "value" : "stop", mode: mode() };
  const mine = ++surfaces;
  const data = await askSolved("surface", link, asked);
  if (link.solid === "yes" && hasWebGL()) await loadPlotly();
  if (mine !== surfaces) return; // something else has been asked for meanwhile
  const flipped = (grid) => data.theirs.map((_, j) => data.mine.map((_, i) => grid[i][j]));
  const heights = of === "again" ? data.again : data.height;
  const about = { goal: link, mode: solution.mode_word === "dice" && of !== "value" ? mode() : undefined };
  const words = (i, j) => {
    if (of === "value") return shownValue(data.height[i][j], data.kind, 1);
    const above = data.again[i][j];
    const stop = `roll below ${data.height[i][j]} at risk, then stop`;
    return above === null ? stop : `${stop}, but roll for the target from ${above} on`;
  };
  const csv = async () => {
    const all = await askSolved("surface", link, { ...asked, every: "true" });
    const heads = of === "value" ? ["value"] : ["stop from", "roll on from"];
    const cells = (i, j) => (of === "value" ? [all.height[i][j]] : [all.height[i][j], all.again[i][j]]);
    const rows = all.mine.flatMap((mine, i) => all.theirs.map((theirs, j) => [mine, theirs, ...cells(i, j)]));
    return [["your score", "their score", ...heads], ...rows];
  };
  drawSurfaceControls(names, of);
  const { title, unit } = SURFACES[of];
  if (link.solid === "yes" && hasWebGL()) {
    const lower = { name: SURFACES[of].tab, heights: flipped(heights), scale: "Viridis" };
    const upper = { name: SURFACES.again.tab, heights: flipped(data.again || []), scale: "Hot", opacity: 0.7 };
    await drawSolid($("#surface"), {
      title: of === "stop" ? "Stop between the two surfaces, roll below the lower and above the upper one" : title,
      about,
      x: data.mine,
      y: data.theirs,
      layers: of === "stop" ? [lower, upper] : [lower],
      xLabel: "your score",
      yLabel: "their score",
      zLabel: of === "value" ? "chance to win" : "points at risk",
      hover: `you %{x}, they %{y}: ${of === "value" ? "%{z:.1%}" : "%{z} at risk"}`,
      csv,
    });
    return;
  }
  const all = heights.flat().filter((one) => one !== null);
  const low = of === "value" ? 0 : Math.min(...all),
    high = of === "value" ? 1 : Math.max(...all);
  const key = (share) => {
    const value = low + share * (high - low);
    const words = of === "value" ? percent(value, 0) : String(Math.round(value / solution.unit) * solution.unit);
    return [words, rising(0.08 + 0.92 * share)];
  };
  heatMap($("#surface"), {
    title,
    about,
    xs: data.mine,
    ys: data.theirs,
    values: flipped(heights),
    xLabel: "your score",
    yLabel: "their score",
    legend: [
      ...[0, 0.25, 0.5, 0.75, 1].map(key),
      ...(unit ? [[unit, null]] : []),
      ...(of === "again" ? [["blank: never", null]] : []),
    ],
    colour: (value) => rising(0.08 + (0.92 * (value - low)) / (high - low || 1)),
    text: (x, y) => `you ${data.mine[x]}, they ${data.theirs[y]}: ${words(x, y)}`,
    hint:
      of === "value"
        ? ""
        : "Best play is to roll below the first boundary, stop above it, and often to roll again near the target.",
    csv,
  });
}

function drawSurfaceControls(names, of) {
  const tab = (name, words, pressed, set) => {
    const press = safely(async () => {
      set();
      keep();
      await surface();
    });
    return el(
      "button.small",
      { type: "button", "aria-pressed": String(pressed), "data-of": name, onclick: press },
      words,
    );
  };
  const solid = link.solid === "yes";
  const choices = names.map((name) =>
    tab(name, SURFACES[name].tab, name === of, () => (link.of = name === names[0] ? "" : name)),
  );
  const deep = tab("solid", solid ? "flat" : "in 3-D", solid, () => (link.solid = solid ? "" : "yes"));
  const buttons = [...choices, ...(hasWebGL() ? [deep] : [])];
  $("#surface-controls").replaceChildren(
    el("div.tabs", { role: "group", "aria-label": "What is shown by both scores" }, buttons),
  );
}

const NAMES = { louchard: "best threshold" };
const nameOf = (strategy) => NAMES[strategy] || strategy.replace(/-/g, " ");
const usualChoice = () =>
  solution.unit >= 50
    ? ["optimal", "fewest-turns", "stop-at-300"]
    : choosing()
      ? ["optimal", "fewest-turns"]
      : ["optimal", "keep-pace", "fewest-turns", "stop-at-20", "stop-at-25", "roll-5-times"];

/** Strategies by name, a number in a name as a field; each against each other, exactly. */
async function compare() {
  if (!duel()) return;
  const { strategies } = await get("strategies", goalOf(link));
  const chosen = link.strategies ? link.strategies.split(",") : usualChoice();
  const known = Object.keys(strategies).filter((name) => !/\d/.test(name));
  const numbered = [
    ...new Set([
      ...Object.keys(strategies).filter((name) => /\d/.test(name)),
      ...chosen.filter((name) => /\d/.test(name)),
    ]),
  ];
  const boxes = [...known, ...numbered].map((name) =>
    el(
      "label.check",
      { title: strategies[name] || "" },
      el("input", { type: "checkbox", value: name, checked: chosen.includes(name) }),
      nameOf(name),
    ),
  );
  const own = el("input", {
    id: "own-strategy",
    type: "text",
    placeholder: "stop-at-30, roll-4-times",
    autocomplete: "off",
  });
  const host = el("div");
  const picked = () => {
    const ticked = [...document.querySelectorAll("#strategies input:checked")].map(
      (box) => /** @type {any} */ (box).value,
    );
    const typed = own.value.split(",").map((name) => name.trim().replace(/\s+/g, "-"));
    return [...new Set([...ticked, ...typed])].filter(Boolean);
  };
  const go = safely(async () => {
    const names = picked();
    link.strategies = names.join() === usualChoice().join() ? "" : names.join();
    keep();
    if (!names.length) return host.replaceChildren(el("p.note.warn", {}, "Choose at least one strategy."));
    host.replaceChildren(el("p.soft", {}, "Computing…"));
    try {
      drawTable(host, await askSolved("compare", link, { strategies: names }));
    } catch (refusal) {
      host.replaceChildren(el("p.note.warn", {}, refusal.message));
    }
    return undefined;
  });
  const isQuick = solution.unit < 50 && !choosing() && solution.target <= 120;
  $("#compare").replaceChildren(
    el("h2", {}, "Strategies against each other"),
    el(
      "details",
      { open: Boolean(link.strategies) || !isQuick },
      el("summary", {}, "Choose the strategies"),
      el("fieldset.plain", { id: "strategies" }, el("legend.unseen", {}, "Strategies"), boxes),
      labelled("Others, with any number, commas between them", own),
      el("p", {}, el("button", { type: "button", id: "run-compare", onclick: go }, "Compare")),
    ),
    host,
  );
  if (isQuick) await go();
}

function drawTable(host, { names, even, kind }) {
  const middle = kind === "chance" ? 0.5 : 0;
  const words = (value) => (kind === "chance" ? percent(value, 1) : value.toFixed(2));
  const spread = Math.max(0.01, ...even.flat().map((value) => Math.abs(value - middle)));
  const cell = (value) => {
    const made = el("td.cell", {}, words(value));
    const share = (value - middle) / spread;
    const colour = share > 0 ? "--good" : "--bad";
    made.style.background = `color-mix(in srgb, var(${colour}) ${Math.round(28 * Math.abs(share))}%, transparent)`;
    return made;
  };
  const about = { goal: link };
  const title = "Strategies against each other";
  const save = () =>
    saveCsv(fileName(title, about, "CSV"), title, about, [
      ["", ...names],
      ...names.map((name, i) => [name, ...even[i]]),
    ]);
  const head = el(
    "tr",
    {},
    el("td", {}),
    names.map((name) => el("th.right", { scope: "col" }, nameOf(name))),
  );
  const rows = names.map((name, i) => el("tr", {}, el("th", { scope: "row" }, nameOf(name)), even[i].map(cell)));
  host.replaceChildren(
    el(
      "p.small.soft",
      {},
      "How often the strategy on the left beats the one above, if a coin decides who begins. Computed, not simulated.",
    ),
    el(
      "div.scroll",
      { tabindex: "0", role: "group", "aria-label": "Strategies against each other" },
      el("table", {}, el("thead", {}, head), el("tbody", {}, rows)),
    ),
    el("p", {}, el("button.small", { type: "button", onclick: save }, "CSV")),
  );
}

/** Can't Stop: what each space of a column saves, and how often three columns bust; the latter on any board. */
async function board() {
  for (const host of ["#sliders", "#map-controls", "#law-controls"]) $(host).replaceChildren();
  const { triples, sides } = await get("busts", goalOf(link));
  show("map", "busts");
  bustTable($("#busts"), triples, sides, link);
  if (duel()) {
    $("#map-card").hidden = true;
    return;
  }
  try {
    await columnWorths();
  } catch (refusal) {
    if (!refusal.status) throw refusal;
    $("#map").replaceChildren(el("p.note.warn", {}, refusal.message));
  }
}

async function columnWorths() {
  const data = await askSolved("board", link);
  const tallest = Math.max(...data.columns.map((one) => one.length));
  const all = data.columns.flatMap((one) => one.worth),
    most = Math.max(...all.map(Math.abs));
  const costs = all.some((worth) => worth < 0);
  const { roll, stop } = colours();
  heatMap($("#map"), {
    title: "Turns saved by spaces climbed in one column",
    about: { goal: link },
    xs: data.columns.map((one) => String(one.column)),
    ys: Array.from({ length: tallest }, (_, i) => i + 1),
    values: Array.from({ length: tallest }, (_, y) => data.columns.map((one) => one.worth[y] ?? null)),
    xLabel: "column",
    yLabel: "spaces climbed",
    colour: (worth) => diverging(Math.max(-1, Math.min(1, worth / most))),
    legend: [
      ["saves turns", roll],
      ...(costs ? [["costs turns!", stop]] : []),
      [`full colour: ${most.toFixed(2)} turns`, null],
    ],
    text: (x, y) => {
      const { column, length, worth } = data.columns[x];
      if (worth[y] === undefined) return `column ${column} has only ${length} spaces`;
      const saved = `${worth[y] >= 0 ? "saves" : "costs"} ${Math.abs(worth[y]).toFixed(4)} turns`;
      return `column ${column}, ${y + 1} of ${length} climbed: ${saved}`;
    },
    hint: data.bounds
      ? `Proven: best play needs between ${data.bounds.map((one) => one.toFixed(3)).join(" and ")} turns on average. ` +
        "The map compares upper bounds."
      : `From the empty board best play needs ${data.value.toFixed(4)} turns on average.`,
  });
}

safely(async () => {
  $("#share").replaceChildren(shareButtons());
  const changed = safely(async () => {
    for (const key of ["mine", "theirs", "mode", "of", "strategies"]) delete link[key];
    await begin();
  });
  form = await goalForm($("#goal-form"), link, changed, { shapes: ["points", "columns"] });
  await begin();
})();
