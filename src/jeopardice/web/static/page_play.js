// Play: this file owns the game on the table. What is drawn comes from its state, and nothing but *Start* replaces it.
import {
  $,
  Refused,
  ensureSolved,
  el,
  get,
  goalBody,
  goalOf,
  params,
  post,
  problem,
  query,
  remember,
  safely,
  say,
} from "./base.js";
import { chanceGraph } from "./chance_graph.js";
import { hasSound, party, setSound, sound } from "./effects.js";
import { isChance, valueWords } from "./game_view.js";
import { openSetup } from "./setup_view.js";
import {
  diceOf,
  faceOf,
  drawAside,
  drawChance,
  drawDice,
  drawLog,
  drawScene,
  drawScoring,
  drawSeats,
} from "./table_view.js";
import { close, leaveOpen, unfinished } from "./unfinished.js";

/** @type {Record<string, [number, number]>} */
const SPEEDS = { normal: [700, 420], fast: [220, 120], instant: [0, 0] };
/** How the page behaves; part of the link, but not of the game. @type {{ tutor: string, speed: string }} */
const manners = { tutor: "", speed: "" };

/** @type {any} */
let game = null;
/** @type {any[]} */
let steps = [];
/** @type {any[] | null} */
let hinted = null;
let busy = false;
let skip = false;
/** Settled when the game is judged by its solution. @type {Promise<void> | null} */
let judging = null;
/** @type {import("./table_view.js").Picked} */
let picked = { selected: new Set(), pairing: null };

// The link of a game is made from its state alone.

/** @param {any} state */
const linkOf = (state) => ({
  ...goalOf(state),
  opponent: state.names.length > 1 ? state.opponent : "",
  seat: state.seat_wanted === "second" ? "second" : "",
  by: state.by,
  ...manners,
  seed: String(state.seed),
  acts: state.acts,
});

/** @param {any} state */
const shortWords = (state) =>
  `${state.names.map((name, seat) => `${name} ${state.position.standings[seat]}`).join(", ")}`;

/**
 * Begins the game of a link, or one like it with new dice.
 * @param {Record<string, string>} link
 */
async function begin(link) {
  /** @type {any} */
  const body = {
    ...goalBody(link),
    opponent: link.opponent || "",
    seat: link.seat || "first",
    acts: link.acts || "",
    by: link.by || "",
  };
  if (link.seed) body.seed = Number(link.seed);
  let state;
  try {
    state = await post("play", body);
  } catch (refusal) {
    if (refusal.status !== 409) throw refusal;
    await ensureSolved(link);
    state = await post("play", body);
  }
  [steps, picked] = [[], { selected: new Set(), pairing: null }];
  $("#left").replaceChildren();
  state.solving = Boolean(state.job);
  await take(state, { animate: !link.acts && !link.seed });
  if (state.job) watch(state);
}

/**
 * Starts another game; the one on the table can be had back.
 * @param {Record<string, string>} link
 */
async function start(link) {
  const before =
    game && game.phase !== "over" && game.acts
      ? { words: shortWords(game), title: game.title, link: query(linkOf(game)) }
      : null;
  await begin(link);
  if (!before) return;
  const back = el(
    "button.small",
    { type: "button", id: "back", onclick: safely(() => begin(Object.fromEntries(new URLSearchParams(before.link)))) },
    "Undo: back to that game",
  );
  $("#left").replaceChildren(el("div.note.row", {}, `Game left: ${before.title}, ${before.words}.`, back));
}

/**
 * Waits until a game that is being played is solved as well, and judges it by the solution from then on.
 * @param {any} state
 */
function watch(state) {
  const note = el("div.note.small", { role: "status" }, solvingWords(state, state.job));
  $("#left").replaceChildren(note);
  const events = new EventSource(`/api/v1/jobs/${state.job.id}/events`);
  const isHere = () => game?.id === state.id;
  events.addEventListener("progress", (event) => {
    if (isHere()) note.textContent = solvingWords(state, JSON.parse(event.data));
    else events.close();
  });
  events.addEventListener(
    "end",
    safely(async () => {
      events.close();
      note.remove();
      if (isHere()) await rejudge();
    }),
  );
  events.onerror = () => {
    events.close();
    note.remove();
  };
}

/**
 * @param {any} state
 * @param {{ done: number, total: number, seconds: number }} job
 */
function solvingWords(state, { done, total, seconds }) {
  const share = total > 1 ? done / total : 0;
  const left = share > 0.02 ? `, about ${Math.max(1, Math.round((seconds * (1 - share)) / share))} s left` : "";
  const others = state.names.length > 1 ? ` ${state.names[1 - Math.min(1, state.you)]} plays meanwhile.` : "";
  const far = `Solving ${state.title}: ${Math.round(100 * share)} %${left}.`;
  return `${far} You can play already; chances come with the solution.${others}`;
}

async function rejudge() {
  if (busy) {
    setTimeout(safely(rejudge), 200);
    return;
  }
  judging = (async () => {
    const state = await post(`play/${game.id}/solved`);
    steps = [];
    await keepFocus(() => take({ ...state, solving: false }, { animate: false, quietly: true }));
  })().catch(problem);
  await judging;
}

/**
 * Does something that draws the table anew, and gives the focus back to what had it.
 * @param {() => Promise<void>} work
 */
async function keepFocus(work) {
  const { id, dataset } = /** @type {HTMLElement} */ (document.activeElement);
  await work();
  const named = Object.entries(dataset ?? {}).find(([key]) => ["box", "place", "pairing", "play"].includes(key));
  const had = id ? `#${id}` : named ? `#table [data-${named[0]}="${CSS.escape(named[1])}"]` : "";
  if (had) /** @type {HTMLElement | null} */ (document.querySelector(had))?.focus({ preventScroll: true });
}

/**
 * Takes a new state: shows its news step by step, then the choices.
 * @param {any} state
 * @param {{ animate?: boolean, quietly?: boolean }} how
 */
async function take(state, { animate = true, quietly = false } = {}) {
  const solving = state.solving ?? (game?.id === state.id && game.solving);
  game = { ...state, solving, seat_wanted: state.you === 1 ? "second" : "first" };
  steps = [...steps.slice(0, state.since), ...state.news];
  if (!quietly) picked = { selected: new Set(), pairing: null };
  hinted = null;
  remember(linkOf(game));
  if (game.phase === "over") close(String(game.seed));
  else if (game.acts)
    leaveOpen({
      id: String(game.seed),
      link: query(linkOf(game)),
      title: game.title,
      words: shortWords(game),
      when: Date.now(),
    });
  $("#warning").replaceChildren();
  $("#hints").replaceChildren();
  drawFrame();
  if (animate && state.news.length && (manners.speed || "normal") !== "instant") await show(state.news);
  draw(quietly);
}

/** @param {any[]} news */
async function show(news) {
  [busy, skip] = [true, false];
  const [rollPause, playPause] = SPEEDS[manners.speed || "normal"];
  $("#choices").replaceChildren(
    el(
      "button",
      {
        type: "button",
        id: "skip",
        onclick: () => {
          skip = true;
        },
      },
      "Skip ahead",
    ),
  );
  for (const step of news) {
    if (skip) break;
    const rolled = step.roll !== undefined;
    if (rolled && !diceOf({ roll: step.roll }).length) continue;
    drawStep(step);
    if (rolled) sound(step.bust ? "bust" : "roll");
    else if (step.stops) sound("bank");
    await new Promise((done) =>
      setTimeout(done, rolled ? rollPause : step.seat === game.you ? playPause / 2 : playPause),
    );
  }
  busy = false;
}

const nothing = { pairings: [], pickPairing: () => {}, canWrite: () => false, write: () => {} };

/** @param {any} step */
function drawStep(step) {
  const rolled = step.roll !== undefined;
  drawSeats(game, step.position, step.seat);
  drawChance(game, step.values);
  drawScene(game, rolled && !step.bust ? step.was : step.position, { selected: new Set(), pairing: null }, nothing);
  $("#said").textContent = step.words;
  const dice = rolled ? step.roll : diceOf(step.was);
  drawDice(Array.isArray(dice) ? dice : [dice], {
    bust: Boolean(step.bust),
    rolls: rolled,
    dim: rolled ? [] : step.kept,
  });
  drawAside(setsOf(step), null);
  const risk = step.position.seat === step.seat && !step.stops ? step.position.at_risk : 0;
  $("#risk").textContent = risk ? riskWords(risk) : "";
}

/**
 * The dice set aside in the turn that a step belongs to, up to it; without a step, in the turn in progress.
 * @param {any} [until]
 */
function setsOf(until) {
  const turn = until ? until.was.turn : game.position.turn;
  const sets = [];
  for (const step of steps) {
    if (step.was.turn === turn && step.kept.length && step.was.at_risk !== undefined && !step.stops)
      sets.push({ kept: step.kept, points: step.position.at_risk - step.was.at_risk });
    if (step === until) break;
  }
  return sets;
}

/** @param {number} points */
const riskWords = (points) =>
  game.table.kind === "board"
    ? `${points} ${points === 1 ? "space" : "spaces"} at risk`
    : `${points.toLocaleString("en")} at risk`;

function drawFrame() {
  $("#title").textContent = game.title;
  $("#about").textContent = game.aim;
  document.title = `${game.title} · jeopardice`;
  const over = game.phase === "over";
  const tool = (id, key, words, sign, off, work) =>
    el(
      "button.small",
      { type: "button", id, disabled: off, title: `${words} (${key})`, onclick: safely(work) },
      sign ? el("span", { "aria-hidden": "true" }, sign) : null,
      el("span.words", {}, words),
    );
  $("#tools").replaceChildren(
    tool("hint", "H", "Hint", "", over, showHint),
    tool("undo", "U", "Undo", "↶", !game.acts, undo),
    tool("new-game", "N", "New game", "+", false, newGame),
  );
  drawScoring(game);
  drawManners();
}

// What one can choose now.

const mayPick = () => !busy && game.phase === "choose";
const wantsDice = () => mayPick() && game.choices.some((choice) => choice.pick.dice);
/** The different pairs of columns, each with its choices. */
function pairings() {
  /** @type {any[]} */
  const found = [];
  if (mayPick())
    for (const choice of game.choices) {
      const { columns, markers } = choice.pick;
      if (!columns) continue;
      const same = found.find((one) => String(one.columns) === String(columns));
      if (same) same.choices.push(choice);
      else found.push({ columns, markers, choices: [choice] });
    }
  return found;
}

/** The choices that fit what is picked. */
function fitting() {
  if (pairings().length) return picked.pairing === null ? [] : pairings()[picked.pairing].choices;
  if (!wantsDice()) return game.choices;
  const roll = diceOf(game.position);
  const faces = String([...picked.selected].map((place) => faceOf(roll[place])).sort((a, b) => a - b));
  return game.choices.filter((choice) => choice.pick.dice?.some((set) => String(set) === faces) && !choice.then);
}

/** @param {any} choice the dice of a choice are picked */
function pickDice(choice) {
  const left = [...choice.pick.dice[0]];
  const places = diceOf(game.position).flatMap((face, place) => {
    const at = left.indexOf(faceOf(face));
    return at < 0 ? [] : (left.splice(at, 1), [place]);
  });
  picked = { ...picked, selected: new Set(places) };
  drawPicks();
}

/** @param {number} place */
function toggle(place) {
  const selected = new Set(picked.selected);
  if (!selected.delete(place)) selected.add(place);
  picked = { ...picked, selected };
  drawPicks();
  /** @type {HTMLElement | null} */ (document.querySelector(`#dice [data-place="${place}"]`))?.focus({
    preventScroll: true,
  });
}

/** @param {number} n */
function pickPairing(n) {
  picked = { ...picked, pairing: n };
  drawPicks();
  say(`${pairings()[n].columns.join(" and ")} picked.`);
}

/** @param {string} box the play that writes there, through setting all dice aside if need be */
function writes(box) {
  const now = game.choices.find((choice) => choice.pick.box === box);
  if (now) return [now.play];
  const all = game.choices.find((choice) => choice.then?.[box]);
  return all ? [all.play, all.then[box]] : null;
}

/** @param {string} box */
async function write(box) {
  const plays = writes(box);
  if (!plays) return;
  // the last free box is written without a second choice
  for (const play of plays) if (!game.choices.some((choice) => choice.play === play) || !(await choose(play))) return;
}

/** Draws whatever depends on what is picked. */
function drawPicks() {
  const pairs = pairings();
  if (pairs.length === 1) picked.pairing = 0;
  const best = hinted?.[0];
  drawScene(game, game.position, picked, {
    pairings: pairs,
    pickPairing,
    canWrite: (box) => mayPick() && Boolean(writes(box)),
    write: safely(write),
    best: best?.mode && !best.kept.length ? best.mode : null,
  });
  const roll = game.phase === "over" ? diceOf(steps[steps.length - 1]?.was ?? {}) : diceOf(game.position);
  drawDice(roll.length || game.phase === "over" ? roll : Array(game.table.dice).fill(null), {
    selected: picked.selected,
    toggle: wantsDice() ? toggle : undefined,
  });
  const fit = fitting();
  const gained = wantsDice() && fit.length && game.table.kind === "points" ? fit[0].points - game.position.at_risk : 0;
  const faces = [...picked.selected].map((place) => roll[place]);
  drawAside(game.phase === "over" ? [] : setsOf(), gained ? { kept: faces, points: gained } : null);
  drawRisk(fit);
  $("#said").textContent = saidWords(fit);
  drawChoices(fit, pairs);
}

/** @param {any[]} fit */
function drawRisk(fit) {
  const { at_risk: risk } = game.position;
  const same = fit.length && fit.every((choice) => choice.points === fit[0].points) ? fit[0].points : risk;
  const left = game.table.rolls_left;
  const rolled = left === undefined || !diceOf(game.position).length;
  const told =
    game.phase === "over"
      ? ""
      : !rolled
        ? `${left} ${left === 1 ? "roll" : "rolls"} left`
        : same
          ? riskWords(same)
          : risk
            ? riskWords(risk)
            : "";
  $("#risk").textContent = told;
}

/**
 * @param {any[]} fit
 * @param {any[]} pairs
 */
function drawChoices(fit, pairs) {
  const host = $("#choices");
  const counts = game.choices.filter((choice) => choice.pick.count !== undefined);
  host.classList.toggle("many", counts.length > 6);
  if (game.phase === "over") {
    host.replaceChildren(
      el("button.main", { type: "button", id: "again", onclick: safely(() => begin(again())) }, "Play again"),
      el("a.button", { href: `/report?${query(linkOf(game))}`, id: "see-report" }, "Report: luck and skill"),
    );
    return;
  }
  const shown = [];
  if (pairs.length > 1)
    shown.push(
      el(
        "div.pairings",
        {},
        pairs.map((pair, n) =>
          el(
            `button.pairing${hinted && pair.choices.some((one) => one.play === hinted[0].play) ? ".hinted" : ""}`,
            {
              type: "button",
              "aria-pressed": String(n === picked.pairing),
              "data-key": String(n + 1),
              "data-pairing": n,
              onclick: () => pickPairing(n),
            },
            `Climb ${pair.columns.join(" & ")}`,
            el("kbd", {}, String(n + 1)),
          ),
        ),
      ),
    );
  const buttons = [...fit]
    .sort((a, b) => Number(a.stops) - Number(b.stops))
    .filter((choice) => !choice.pick.box)
    .map(choiceButton);
  shown.push(...buttons);
  if (!buttons.length) shown.push(...instead());
  host.replaceChildren(...shown);
}

/** @param {any} choice */
function choiceButton(choice) {
  const count = choice.pick.count;
  const key =
    count !== undefined ? (count < 10 ? String(count) : "") : choice.stops ? "S" : game.choices.length ? "R" : "";
  const weighed = hinted?.find((one) => one.play === choice.play);
  const value = weighed
    ? el("span.hint", {}, valueWords(weighed.value, game.measure, count === undefined ? 2 : 1))
    : null;
  return el(
    `button.${choice.stops ? "stop" : "roll"}${weighed?.rank === 0 ? ".hinted" : ""}`,
    {
      type: "button",
      "data-play": choice.play,
      "data-key": key.toLowerCase(),
      "aria-label": count === undefined ? undefined : choice.label,
      onclick: safely(() => choose(choice.play)),
    },
    el("span", {}, count === undefined ? choice.label : String(count)),
    value,
    key && count === undefined ? el("kbd", {}, key) : null,
  );
}

/** What stands in place of the buttons while nothing that can be played is picked. */
function instead() {
  if (!wantsDice() || game.table.kind !== "points") return [];
  const all = game.choices[0];
  return [
    el(
      "button.all",
      { type: "button", "data-key": "a", onclick: () => pickDice(all) },
      `Take all that score: ${all.points - game.position.at_risk}`,
      el("kbd", {}, "A"),
    ),
  ];
}

/**
 * What the table says: how the game stands, and what is to be picked.
 * @param {any[]} fit
 */
function saidWords(fit) {
  const last = steps[steps.length - 1];
  if (game.phase === "over") return game.outcome;
  const who = game.names[game.seat];
  const now = who === "You" ? "" : `${who}: `;
  if (pairings().length > 1 && picked.pairing === null) return `${now}Climb which columns?`;
  if (wantsDice() && game.table.kind === "card") return `${now}Keep dice, or write a box.`;
  if (wantsDice() && !fit.length)
    return picked.selected.size ? `${now}These do not score together.` : `${now}Tap dice to set aside.`;
  if (game.choices.some((choice) => choice.pick.box)) return `${now}Write which box?`;
  if (game.choices.some((choice) => choice.pick.count !== undefined))
    return `${last ? `${last.words} ` : ""}${now}How many dice?`;
  if (diceOf(game.position).length) return `${now}Roll or stop?`;
  return `${last ? `${last.words} ` : ""}${who === "You" ? "Your turn." : `${who}’s turn.`}`;
}

/** A new game like this one, with other dice. */
function again() {
  const { seed, acts, ...same } = linkOf(game);
  if (game.by === "" && game.opponent === "most-points") delete same.opponent;
  return same;
}

/** @param {boolean} [quietly] */
function draw(quietly = false) {
  const over = game.phase === "over";
  drawSeats(game, game.position, over ? -1 : game.seat);
  drawChance(game, game.values);
  const last = steps[steps.length - 1];
  $("#said").classList.toggle("big", over);
  drawPicks();
  drawLog(steps, game.names);
  drawGraph();
  if (quietly) return;
  const dice = diceOf(game.position).length && last ? `${last.words} ` : "";
  say(`${dice}${$("#said").textContent} ${$("#risk").textContent}`.trim());
  if (over && game.winners.some((seat) => game.people.includes(seat))) {
    sound("win");
    party($("#party"));
  }
}

function drawGraph() {
  const isKnown = !game.solving && (isChance(game.measure) || game.names.length === 1);
  $("#graph").hidden = !isKnown;
  if (!isKnown) return;
  const [seat, name] = [game.you, game.names[game.you]];
  chanceGraph($("#graph"), { steps, initial: game.initials[seat], seat, measure: game.measure, name });
}

/**
 * Makes a choice; false if the tutor objects first.
 * @param {string} play
 * @param {boolean} [sure]
 */
async function choose(play, sure = false) {
  await judging;
  if (busy) return false;
  busy = true;
  try {
    const state = await post(`play/${game.id}/act`, {
      play,
      steps: game.steps,
      tutor: manners.tutor !== "off" && !sure && !game.solving,
    });
    busy = false;
    if (state.warning) {
      warn(state.warning);
      return false;
    }
    await take(state);
  } catch (refusal) {
    busy = false;
    drawPicks();
    if (refusal.status !== 404) throw refusal;
    await begin(linkOf(game));
  } finally {
    busy = false;
  }
  // not on a choice: whoever presses Enter twice must not end the turn
  $("#tray").focus({ preventScroll: true });
  return true;
}

const MARKS = { inaccuracy: "an inaccuracy", mistake: "a mistake", blunder: "a blunder" };

/** @param {{ play: string, mark: "inaccuracy" | "mistake" | "blunder", words: string, why: string }} warning */
function warn({ play, mark, words, why }) {
  const think = el(
    "button.main",
    {
      type: "button",
      id: "think",
      onclick: () => {
        $("#warning").replaceChildren();
        $("#tray").focus();
      },
    },
    "Let me think again",
  );
  const still = el(
    "button",
    { type: "button", id: "anyway", onclick: safely(() => choose(play, true)) },
    "Play it anyway",
  );
  $("#hints").replaceChildren();
  $("#warning").replaceChildren(
    el(
      "div.note.warn",
      {},
      el("p", {}, el("strong", {}, `That is ${MARKS[mark]}. `), words, " ", why),
      el("div.row", {}, think, still),
    ),
  );
  think.focus({ preventScroll: true });
}

async function showHint() {
  if (busy || game.phase !== "choose") return;
  const { choices, why } = await get(`play/${game.id}/hint`);
  hinted = choices;
  const [best, second] = choices;
  if (pairings().length)
    picked.pairing = pairings().findIndex((pair) => pair.choices.some((one) => one.play === best.play));
  const chosen = game.choices.find((choice) => choice.play === best.play);
  if (chosen?.pick.dice) pickDice(chosen);
  else drawPicks();
  const by = game.is_estimate || game.solving ? "Best by our estimate" : "Best";
  const words = second ? `${by}: ${best.play}. ${why}` : `There is only one thing to do: ${best.play}.`;
  $("#warning").replaceChildren();
  $("#hints").replaceChildren(el("p.note.good", {}, words));
  say(words);
}

async function undo() {
  if (busy || !game.acts) return;
  const state = await post(`play/${game.id}/undo`, { steps: game.steps });
  steps = [];
  await take(state, { animate: false });
  $("#tray").focus({ preventScroll: true });
}

const newGame = () => openSetup(game ? linkOf(game) : {}, { start: safely(start) });

function drawManners() {
  const check = (id, words, checked, changed) =>
    el(
      "label.check",
      {},
      el("input", { type: "checkbox", id, checked, onchange: (event) => changed(event.target.checked) }),
      words,
    );
  const set = (more) => {
    Object.assign(manners, more);
    remember(linkOf(game));
  };
  const speed = el(
    "select",
    { id: "speed", onchange: (event) => set({ speed: event.target.value === "normal" ? "" : event.target.value }) },
    Object.keys(SPEEDS).map((name) =>
      el("option", { value: name, selected: name === (manners.speed || "normal") }, name),
    ),
  );
  $("#manners").replaceChildren(
    el("h2", {}, "This table"),
    check("tutor", "Tutor warns me of mistakes", manners.tutor !== "off", (on) => set({ tutor: on ? "" : "off" })),
    check("sound", "Sound", hasSound(), setSound),
    el("label.speed", {}, "Speed of the dice ", speed),
  );
}

addEventListener("keydown", (event) => {
  const target = /** @type {HTMLElement} */ (event.target);
  if (
    event.ctrlKey ||
    event.metaKey ||
    event.altKey ||
    target.matches("input:not([type=checkbox]), select, textarea") ||
    $("#setup").open ||
    !game
  )
    return;
  const key = event.key.toLowerCase();
  const found = /** @type {HTMLElement | null} */ (
    document.querySelector(`#choices [data-key="${CSS.escape(key)}"], #dice [data-key="${CSS.escape(key)}"]`)
  );
  if (found) found.click();
  else if (key === "h") safely(showHint)();
  else if (key === "u") safely(undo)();
  else if (key === "n") {
    event.preventDefault();
    safely(newGame)();
  }
});
addEventListener("popstate", () => location.reload());

safely(async () => {
  const asked = params();
  Object.assign(manners, {
    tutor: asked.tutor === "off" ? "off" : "",
    speed: SPEEDS[asked.speed] && asked.speed !== "normal" ? asked.speed : "",
  });
  const names = Object.keys(asked).filter((key) => !(key in manners));
  const [open] = unfinished();
  const link = !names.length && open ? { ...Object.fromEntries(new URLSearchParams(open.link)) } : asked;
  try {
    await begin(link);
  } catch (refusal) {
    if (!(refusal instanceof Refused) || !names.length) throw refusal;
    await begin({});
    problem(
      new Refused(422, {
        error: `This link cannot be played: ${refusal.message}. Here is a game of ${game.title} instead.`,
      }),
    );
  }
})();
