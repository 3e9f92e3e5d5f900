// What every page shares: the link as state, questions to the server, words for numbers.

const USUAL = {
  game: "pig",
  goal: "duel",
  target: "",
  rules: "",
  named: "",
  finish: "reach",
  payoff: "win",
  cost: "turns",
  bank_from: "",
  players: "",
  within: "",
  open_from: "",
  busts: "",
  penalty: "",
  floor: "",
  last_round: "",
  ties: "first",
  piggyback: "",
  indifferent: "stop",
};
const NUMBERS = ["target", "players", "within", "bank_from", "open_from", "busts"];
export const GOAL_KEYS = Object.keys(USUAL);

/** Returns an element with attributes, listeners (onclick: f) and children. */
export function el(name, attributes = {}, ...children) {
  const [tag, ...classes] = name.split(".");
  const made = document.createElement(tag || "div");
  if (classes.length) made.className = classes.join(" ");
  for (const [key, value] of Object.entries(attributes)) {
    if (value === undefined || value === null || value === false) continue;
    if (key.startsWith("on")) made.addEventListener(key.slice(2), value);
    else if (key in made && typeof value !== "string") made[key] = value;
    else made.setAttribute(key, value === true ? "" : value);
  }
  made.append(...children.flat().filter((child) => child !== null && child !== undefined && child !== false));
  return made;
}

export const $ = (selector) => document.querySelector(selector);

/** The link's parameters as a plain object. */
export function params() {
  return Object.fromEntries(new URLSearchParams(location.search));
}

/** Returns a query with the characters that rules are written in left readable. */
export function query(values) {
  return Object.entries(values)
    .filter(([, value]) => value !== undefined && value !== null && value !== "")
    .flatMap(([key, value]) => (Array.isArray(value) ? value.map((one) => [key, one]) : [[key, value]]))
    .map(([key, value]) => `${key}=${readable(encodeURIComponent(value))}`)
    .join("&");
}

const readable = (text) => text.replace(/%3A/g, ":").replace(/%3B/g, ";").replace(/%2C/g, ",").replace(/%20/g, "+");

/** Puts the state into the link; `step` makes it one to go back from. */
export function remember(values, { step = false } = {}) {
  const text = query(values);
  const link = location.pathname + (text ? `?${text}` : "");
  if (link === location.pathname + location.search) return;
  history[step ? "pushState" : "replaceState"](null, "", link);
}

/** The goal named in parameters, what is usual left out. */
export function goalOf(values) {
  const goal = {};
  for (const key of GOAL_KEYS) if (values[key] && values[key] !== USUAL[key]) goal[key] = values[key];
  return goal;
}

export function goalBody(values) {
  /** @type {Record<string, any>} */
  const body = { ...goalOf(values) };
  for (const key of NUMBERS) if (body[key] !== undefined) body[key] = Number(body[key]);
  if (body.last_round !== undefined) body.last_round = /^(true|yes|1)$/.test(body.last_round);
  return body;
}

export class Refused extends Error {
  constructor(status, answer) {
    super(answer.error || `the server answered ${status}`);
    this.status = status;
    this.limit = answer.limit;
  }
}

async function asked(path, options = {}) {
  let answer;
  try {
    answer = await fetch(`/api/v1/${path}`, { credentials: "same-origin", ...options });
  } catch (failure) {
    if (failure.name === "AbortError") throw failure;
    throw new Refused(0, { error: "the server does not answer; is `jeopardice serve` still running?" });
  }
  const body = await answer.json().catch(() => ({}));
  if (!answer.ok) throw new Refused(answer.status, body);
  return body;
}

export const get = (path, values = {}, options = {}) => asked(`${path}?${query(values)}`, options);
export const post = (path, body = {}) =>
  asked(path, { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) });
export const remove = (path) => asked(path, { method: "DELETE" });

/** Solves a goal, with progress; returns the solution. `stop` is handed a function that cancels. */
export async function solved(goal, { progress = (_) => {}, stop = (_) => {}, certify = false } = {}) {
  let { job, solution } = await post("solve", { ...goalBody(goal), certify });
  if (!solution && (job.state === "waiting" || job.state === "running" || job.state === "certifying")) {
    stop(() => post(`jobs/${job.id}/cancel`));
    ({ job, solution } = await new Promise((resolve, reject) => {
      const events = new EventSource(`/api/v1/jobs/${job.id}/events`);
      events.addEventListener("progress", (event) => progress(JSON.parse(event.data)));
      events.addEventListener("end", (event) => {
        events.close();
        resolve(JSON.parse(event.data));
      });
      events.onerror = () => {
        events.close();
        reject(new Refused(0, { error: "the connection to the server was lost" }));
      };
    }));
  }
  if (!solution) throw new Refused(422, { error: job.error || "not solved" });
  return { ...solution, seconds: job.seconds };
}

const ready = new Set();
/** Makes sure that a goal is solved; where that takes a while, with a progress bar. */
export async function ensureSolved(goal) {
  const name = query(goalOf(goal));
  if (ready.has(name)) return;
  await withProgress((watch) => solved(goal, watch));
  ready.add(name);
}

/** Asks a question that needs a solution. */
export async function askSolved(path, goal, values = {}) {
  await ensureSolved(goal);
  try {
    return await get(path, { ...goalOf(goal), ...values });
  } catch (refusal) {
    if (refusal.status !== 409) throw refusal;
    ready.delete(query(goalOf(goal)));
    await ensureSolved(goal);
    return get(path, { ...goalOf(goal), ...values });
  }
}

/** Shows a bar with a button to cancel while a solve runs. */
export async function withProgress(work) {
  const bar = el("progress", { max: 1, "aria-label": "Solving" });
  const words = el("span.small", {}, "solving…");
  const cancel = el("button.small", { type: "button" }, "Cancel");
  const box = el("div.note", { role: "status" }, el("div.row", {}, words, el("span.grow"), cancel), bar);
  const shown = setTimeout(() => $("#main").prepend(box), 250);
  try {
    return await work({
      progress: ({ done, total, seconds, state }) => {
        if (total > 1) {
          bar.max = total;
          bar.value = done;
        }
        const share = total ? done / total : 0;
        const left = share > 0.02 ? `, about ${Math.max(1, Math.round((seconds * (1 - share)) / share))} s left` : "";
        words.textContent =
          state === "certifying" ? "checking the error bound…" : `solving: ${Math.round(100 * share)} %${left}`;
      },
      stop: (end) => cancel.addEventListener("click", end),
    });
  } finally {
    clearTimeout(shown);
    box.remove();
  }
}

let fading;
/** Says what went wrong, where everybody sees it and screen readers say it. */
export function problem(failure) {
  const box = $("#problem");
  if (!failure) {
    box.hidden = true;
    return;
  }
  if (failure.name === "AbortError") return;
  if (!(failure instanceof Refused)) console.error(failure);
  box.textContent = failure.message || String(failure);
  box.hidden = false;
  clearTimeout(fading);
  fading = setTimeout(() => {
    box.hidden = true;
  }, 9000);
}

/** Wraps an event's work so that failures are shown. */
export const safely =
  (work) =>
  async (...given) => {
    try {
      problem(null);
      return await work(...given);
    } catch (failure) {
      problem(failure);
      return undefined;
    }
  };

/** A table from the cells of its head and its rows. */
export const table = (heads, rows) =>
  el(
    "table",
    {},
    el(
      "thead",
      {},
      el(
        "tr",
        {},
        heads.map((head) => (typeof head === "string" ? el("th", {}, head) : head)),
      ),
    ),
    el("tbody", {}, rows),
  );

/** What may be wider than the screen: it scrolls, also by keyboard. */
export const scrolled = (words, ...parts) =>
  el("div.scroll", { tabindex: "0", role: "group", "aria-label": words }, parts);

export function say(words) {
  $("#live").textContent = words;
}

// Words for numbers.
export const percent = (chance, digits = 1) => `${(100 * chance).toFixed(digits)}%`;
/** Between which chances an estimated one lies nine times out of ten; a certain end is certain. */
export const rangeOf = (chance, spread) =>
  chance > 0 && chance < 1 ? [Math.max(0, chance - spread), Math.min(1, chance + spread)] : [chance, chance];
/** An estimated chance: whole per cent, with its range. */
export function aboutChance(chance, spread) {
  const [low, high] = rangeOf(chance, spread);
  return low < high
    ? `about ${percent(chance, 0)} (${Math.round(100 * low)} to ${percent(high, 0)})`
    : percent(chance, 0);
}
const UNITS = { points: "points", margin: "points", turns: "turns", rolls: "rolls" };

export function shownValue(value, kind, digits = 2) {
  if (value === null || value === undefined) return "–";
  return kind === "chance" ? percent(value, digits) : `${value.toFixed(digits)} ${UNITS[kind] || kind}`;
}

export function shownLoss(loss, kind) {
  if (loss === null || loss === undefined) return "–";
  if (loss < 1e-12) return "best";
  if (kind === "chance") return `−${(100 * loss).toFixed(loss < 0.0005 ? 4 : 2)}`;
  return `${kind === "turns" || kind === "rolls" ? "+" : "−"}${loss.toFixed(loss < 0.005 ? 4 : 2)}`;
}

export const LOSS_UNIT = { chance: "% points", points: "points", margin: "points", turns: "turns", rolls: "rolls" };
export const KIND_WORDS = {
  chance: "chance to win",
  points: "points on average",
  margin: "expected margin",
  turns: "turns still needed",
  rolls: "rolls still needed",
};

let known;
/** The games of this server, asked for once. */
export function games() {
  known ??= get("games");
  return known;
}

$("#theme")?.addEventListener("click", () => {
  const root = document.documentElement;
  const dark = root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
  root.dataset.theme = dark ? "light" : "dark";
  try {
    localStorage.setItem("theme", root.dataset.theme);
  } catch {
    /* storage is off */
  }
  dispatchEvent(new Event("themechange"));
});
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => dispatchEvent(new Event("themechange")));
// pages open without a server too, as they were when they were last seen; browsers allow it here and over https
navigator.serviceWorker?.register("/static/worker.js", { scope: "/" }).catch(() => {});
