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
import { drawChoices } from "./choices_view.js";
import { party, sound } from "./effects.js";
import { isChance } from "./game_view.js";
import { lesson } from "./lesson.js";
import { drawManners, manners, pauses, readManners } from "./manners.js";
import { fittingChoices, nothingPicked, pairingsOf, placesOf, playsThatWrite, wantsDice } from "./picks.js";
import { openSetup } from "./setup_view.js";
import { watchSolving } from "./solving_note.js";
import { drawStep, setsOfTurn } from "./steps_view.js";
import { diceOf, drawAside, drawChance, drawDice, drawLog, drawScene, drawScoring, drawSeats } from "./table_view.js";
import * as tutor from "./tutor_notes.js";
import { close, leaveOpen, unfinished } from "./unfinished.js";

/** @type {any} */
let game = null;
/** @type {any[]} */
let steps = [];
/** @type {any[] | null} */
let hinted = null;
let busy = false;
let skip = false;
/** The step that one looks back at. @type {number | null} */
let looking = null;
/** Settled when the game is judged by its solution. @type {Promise<void> | null} */
let judging = null;
/** The rules of the game, in sentences. @type {string[]} */
let taught = [];
/** @type {import("./table_view.js").Picked} */
let picked = nothingPicked();

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
  [steps, picked, taught, busy] = [[], nothingPicked(), state.taught, false];
  $("#left").replaceChildren();
  state.solving = Boolean(state.job);
  await take(state, { animate: !link.acts && !link.seed });
  if (state.job) watchSolving(state, { isHere: () => game?.id === state.id, solved: () => rejudge(state.id) });
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

/** @param {string} id the game that is solved now */
async function rejudge(id) {
  if (game.id !== id) return;
  if (busy) {
    setTimeout(safely(rejudge), 200, id);
    return;
  }
  judging = (async () => {
    const state = await post(`play/${id}/solved`);
    if (game.id !== id) return;
    steps = [];
    await keepFocus(() => take({ ...state, solving: false }, { animate: false, quietly: true }));
  })().catch(problem);
  await judging;
}

/**
 * Does something that draws the table again, and gives the focus back to what had it.
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
  const isAnother = game !== null && game.seed !== state.seed; // then the browser's way back leads to the one before
  const solving = state.solving ?? (game?.id === state.id && game.solving);
  game = { ...state, solving, seat_wanted: state.you === 1 ? "second" : "first" };
  steps = [...steps.slice(0, state.since), ...state.news];
  if (!quietly) picked = nothingPicked();
  [hinted, looking] = [null, null];
  remember(linkOf(game), { step: isAnother });
  if (game.phase === "over") close(String(game.seed));
  else if (game.acts)
    leaveOpen({
      id: String(game.seed),
      link: query(linkOf(game)),
      title: game.title,
      words: shortWords(game),
      when: Date.now(),
    });
  tutor.quiet();
  drawFrame();
  const taken = game;
  if (animate && pauses()[0]) await show(state.news);
  if (game === taken) draw(quietly); // else another game was begun meanwhile
}

/** @param {any[]} news */
async function show(news) {
  const shown = game;
  [busy, skip] = [true, false];
  const [rollPause, playPause] = pauses();
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
    drawStep(game, steps, step);
    if (rolled) sound(step.bust ? "bust" : "roll");
    else if (step.stops) sound("bank");
    await new Promise((done) =>
      setTimeout(done, rolled ? rollPause : step.seat === game.you ? playPause / 2 : playPause),
    );
    if (game !== shown) return;
  }
  busy = false;
}

function drawFrame() {
  $("#title").textContent = game.title;
  $("#about").textContent = game.aim;
  document.title = `${game.title} · jeopardice`;
  const over = game.phase === "over";
  const tool = (id, key, words, more, sign, off, work) =>
    el(
      "button.small",
      { type: "button", id, disabled: off, title: `${words}${more} (${key})`, onclick: safely(work) },
      sign ? el("span.sign", { "aria-hidden": "true" }, sign) : null,
      el("span", {}, words, more ? el("span.more", {}, more) : null),
    );
  $("#tools").replaceChildren(
    tool("hint", "H", "Hint", "", "", over, showHint),
    tool("undo", "U", "Undo", "", "↶", !game.acts, undo),
    tool("new-game", "N", "New", " game", "+", false, newGame),
  );
  drawScoring(game);
  drawManners(() => remember(linkOf(game)));
}

/** @param {any} choice the dice of a choice are picked */
function pickDice(choice) {
  picked = { ...picked, selected: new Set(placesOf(game, choice)) };
  drawPicks();
}

/** @param {number} place */
function toggle(place) {
  tutor.withdraw();
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
  tutor.withdraw();
  picked = { ...picked, pairing: n };
  drawPicks();
  say(`${pairingsOf(game)[n].columns.join(" and ")} picked.`);
}

/** @param {string} box */
async function write(box) {
  const plays = playsThatWrite(game, box);
  if (plays) await choose(plays[0], { then: plays[1] });
}

/** Draws whatever depends on what is picked. */
function drawPicks() {
  if (looking !== null) {
    looking = null;
    drawGraph();
  }
  const pairs = pairingsOf(game);
  if (pairs.length === 1) picked.pairing = 0;
  const best = hinted?.[0];
  drawScene(game, game.position, picked, {
    pairings: pairs,
    pickPairing,
    canWrite: (box) => Boolean(playsThatWrite(game, box)),
    write: safely(write),
    best: best?.mode && !best.kept.length ? best.mode : null,
  });
  const roll = game.phase === "over" ? diceOf(steps[steps.length - 1]?.was ?? {}) : diceOf(game.position);
  drawDice(roll.length || game.phase === "over" ? roll : Array(game.table.dice || 1).fill(null), {
    selected: picked.selected,
    toggle: wantsDice(game) ? toggle : undefined,
  });
  const fit = fittingChoices(game, picked);
  const isScoring = wantsDice(game) && fit.length && game.table.kind === "points";
  const gained = isScoring ? fit[0].points - game.position.at_risk : 0;
  const faces = [...picked.selected].map((place) => roll[place]);
  drawAside(
    game.phase === "over" ? [] : setsOfTurn(steps, game.position.turn),
    gained ? { dice: faces, points: gained } : null,
  );
  drawChoices({ game, picked, steps, hinted }, { choose, pickPairing, pickDice, afterwards });
}

/** What one can do when the game is over. */
const afterwards = () => [
  el("button.main", { type: "button", id: "again", onclick: safely(() => begin(again())) }, "Play again"),
  el("a.button", { href: `/report?${query(linkOf(game))}`, id: "see-report" }, "Report: luck and skill"),
];

/** A new game like this one, with other dice. */
function again() {
  const { seed, acts, ...same } = linkOf(game);
  if (game.by === "" && game.opponent === "most-points") delete same.opponent;
  return same;
}

/** @param {boolean} [quietly] */
function draw(quietly = false) {
  looking = null;
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

/** Whether the values of the game say how it stands; the points of a turn do not. */
const isKnown = () => isChance(game.measure) || (game.names.length === 1 && !game.solving);

function drawGraph() {
  $("#graph").hidden = !isKnown();
  if (!isKnown()) return;
  const [seat, name] = [game.you, game.names[game.you]];
  const { measure, spread, initials } = game;
  chanceGraph($("#graph"), { steps, initial: initials[seat], seat, measure, spread, name, at: looking, open: lookAt });
}

/**
 * Shows an earlier step on the table; the game waits meanwhile.
 * @param {number} number
 */
function lookAt(number) {
  if (busy || !steps[number]) return;
  const onGraph = document.activeElement?.id === "course-slide";
  looking = number;
  drawStep(game, steps, steps[number]);
  $("#said").classList.remove("big");
  const go = (id, words, to) =>
    el("button", { type: "button", id, disabled: !steps[to], onclick: () => lookAt(to) }, words);
  $("#risk").textContent = `Step ${number + 1} of ${steps.length}`;
  $("#choices").replaceChildren(
    go("earlier", "Earlier", number - 1),
    go("later", "Later", number + 1),
    el("button.main", { type: "button", id: "back-to-game", onclick: lookAway }, "Back to the game"),
  );
  drawGraph();
  if (onGraph) $("#course-slide").focus({ preventScroll: true });
  say(`${$("#said").textContent} ${$("#risk").textContent}`);
}

/** Arrow keys step through the game wherever the focus is; Escape returns to it. */
function isLookingBack(key, target) {
  if ($("#graph").hidden || target.closest("[role=slider], [role=radiogroup]")) return false;
  if (key === "escape" && looking !== null) lookAway();
  else if (key === "arrowleft") lookAt(looking === null ? steps.length - 1 : Math.max(0, looking - 1));
  else if (key === "arrowright" && looking !== null) {
    if (looking === steps.length - 1) lookAway();
    else lookAt(looking + 1);
  } else return false;
  return true;
}

function lookAway() {
  draw(true);
  $("#tray").focus({ preventScroll: true });
}

/**
 * Makes a choice, and the one that it was meant for, unless the tutor objects.
 * @param {string} play
 * @param {{ sure?: boolean, then?: string }} how
 */
async function choose(play, { sure = false, then = "" } = {}) {
  await judging;
  if (busy) return;
  busy = true;
  const { id } = game;
  const isHere = () => game.id === id; // no other game was begun while the server answered
  const watched = manners.tutor !== "off" && !sure && isKnown();
  const act = (/** @type {string} */ one, /** @type {number} */ made) =>
    post(`play/${id}/act`, { play: one, steps: made, tutor: watched });
  try {
    let state = await act(play, game.steps);
    let { warning } = state;
    if (!warning && state.choices.some((choice) => choice.play === then)) {
      const next = await act(then, state.steps);
      ({ warning } = next);
      if (!isHere()) return undefined;
      steps = [...steps.slice(0, state.since), ...state.news];
      if (!warning) state = next;
    }
    if (!isHere()) return undefined;
    busy = false;
    if (!state.warning) await take(state);
    if (!isHere()) return undefined;
    if (warning)
      return tutor.object(
        warning,
        safely(() => choose(warning.play, { sure: true })),
      );
  } catch (refusal) {
    if (!isHere()) return undefined;
    busy = false;
    drawPicks();
    if (refusal.status !== 404) throw refusal;
    await begin(linkOf(game));
  } finally {
    if (isHere()) busy = false;
  }
  // not on a choice: somebody who presses Enter twice must not end the turn
  $("#tray").focus({ preventScroll: true });
  return undefined;
}

async function showHint() {
  if (busy || game.phase !== "choose") return;
  const { id, steps: seen } = game;
  const told = await get(`play/${id}/hint`);
  if (game.id !== id || game.steps !== seen || game.phase !== "choose") return;
  hinted = told.choices;
  const best = game.choices.find((choice) => choice.play === told.choices[0].play);
  if (pairingsOf(game).length) picked.pairing = pairingsOf(game).findIndex((pair) => pair.choices.includes(best));
  if (best?.pick.dice) pickDice(best);
  else drawPicks();
  tutor.hint(game, told);
}

async function undo() {
  if (busy || !game.acts) return;
  const { id } = game;
  const state = await post(`play/${id}/undo`, { steps: game.steps });
  if (game.id !== id) return;
  steps = [];
  await take(state, { animate: false });
  $("#tray").focus({ preventScroll: true });
}

function showRules() {
  const dialog = /** @type {HTMLDialogElement} */ ($("#how"));
  const close = { type: "button", "aria-label": "Close", onclick: () => dialog.close() };
  dialog.replaceChildren(
    el(
      "div.setup-head",
      {},
      el("h2", { id: "how-title" }, `${game.title}: how to play`),
      el("button.quiet", close, "✕"),
    ),
    lesson(taught),
    el("p", {}, el("a", { href: `/rules?${query(goalOf(game))}` }, "Change these rules")),
  );
  dialog.showModal();
}

const newGame = () => openSetup(game ? linkOf(game) : {}, { start: safely(start) });

addEventListener("keydown", (event) => {
  const target = /** @type {HTMLElement} */ (event.target);
  if (
    event.ctrlKey ||
    event.metaKey ||
    event.altKey ||
    target.matches("input:not([type=checkbox]), select, textarea") ||
    document.querySelector("dialog[open]") ||
    !game
  )
    return;
  const key = event.key.toLowerCase();
  if (isLookingBack(key, target)) {
    event.preventDefault();
    return;
  }
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
$("#how-to").addEventListener("click", showRules);
addEventListener("popstate", () => location.reload());

safely(async () => {
  const asked = params();
  readManners(asked);
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
