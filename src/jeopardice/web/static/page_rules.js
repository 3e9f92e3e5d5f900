// Rules: named rule sets first, then every rule in groups, dice to load; checked as one types, solved on the spot.
import {
  $,
  el,
  games,
  get,
  goalOf,
  params,
  percent,
  problem,
  query,
  remember,
  safely,
  shownValue,
  solved,
  withProgress,
} from "./base.js";
import { diceEditor } from "./dice_editor.js";
import { facesEditor } from "./faces_editor.js";
import { entryOf, labelled, wholeField } from "./goal_form.js";
import { lesson } from "./lesson.js";
import { drawMap, usualMode } from "./maps.js";
import { shareButtons } from "./share.js";

const QUICK_SECONDS = 1.5,
  PATIENT_SECONDS = 15; // what is solved unasked: after a change, and when the page is opened
const GOALS = { duel: "win a race for two", alone: "finish a race alone", turn: "most points in one turn" };
const link = params();
let list, more, limits, house, dice;
let asked = 0,
  last = null;

const entry = () => entryOf(list, link, more);
const goal = () => (entry().goals.includes(link.goal || "duel") ? link.goal || "duel" : entry().goals[0]);
const wanted = () => ({ ...link, goal: goal() });
const preset = () => entry().presets.find((one) => one.named === link.named);
const pairs = (text) =>
  Object.fromEntries(
    (text || "")
      .split(";")
      .filter(Boolean)
      .map((part) => [part.slice(0, part.indexOf(":")), part.slice(part.indexOf(":") + 1)]),
  );
/** The value of a field without changes: that of the named rule set, or the usual one. */
const base = (field) => pairs(preset()?.rules)[field.name] ?? field.usual;
const houseBase = (field) => {
  const said = preset()?.goal?.[field.name];
  return said === undefined ? field.usual : said === true ? "yes" : said === false ? "no" : String(said);
};
/** Whether the fields of the game say what a named set plays; some sets have dice of their own. */
const hasFields = () =>
  !preset() || preset().rules !== "" || entry().fields.every((field) => base(field) === field.usual);

function setRule(field, value) {
  const given = { ...pairs(link.rules), [field.name]: String(value) };
  const fields = Object.fromEntries(entry().fields.map((one) => [one.name, one]));
  link.rules = Object.entries(given)
    .filter(([name, text]) => fields[name] && base(fields[name]) !== text)
    .map(([name, text]) => `${name}:${text}`)
    .join(";");
  work();
}

/** The values that rule sets have for a field, to pick from. */
function seenValues(id, field) {
  if (field.seen.length < 2) return null;
  return el(
    "datalist",
    { id: `${id}-seen` },
    field.seen.map((value) => el("option", { value })),
  );
}

function helpOf(id, field) {
  const often =
    field.seen.length > 1 && field.kind !== "choice" && field.kind !== "yesno"
      ? `Often ${field.seen.slice(0, 5).join(", ")}.`
      : "";
  const words = [field.help && `${field.help[0].toUpperCase()}${field.help.slice(1)}.`, often]
    .filter(Boolean)
    .join(" ");
  return words ? el("div.small.soft", { id: `${id}-help` }, words) : null;
}

function fieldInput(field) {
  const value = pairs(link.rules)[field.name] ?? base(field);
  const id = `rule-${field.name}`;
  const help = helpOf(id, field);
  const about = help ? { "aria-describedby": help.id } : {};
  const set = (event) => setRule(field, event.target.value);
  const redraw = (text, focus) => {
    setRule(field, text || base(field));
    drawForm();
    document.getElementById(focus)?.focus();
  };
  if (field.name === "faces") return facesEditor(value, limits, redraw);
  if (field.kind === "dice") {
    const short = help && el("div.small.soft", {}, "Choose how many, or load them: press + and − under a face.");
    const fixed = field.optional;
    return diceEditor(id, field.title, value === "none" || value === "any" ? "" : value, dice, redraw, {
      help: short,
      fixed,
    });
  }
  if (field.kind === "whole") {
    const made = wholeField(id, field.title, {
      value,
      least: 0,
      most: field.most,
      set: (text) => setRule(field, text),
      help,
    });
    const input = made.querySelector("input");
    const seen = seenValues(id, field);
    if (seen) {
      input.setAttribute("list", seen.id);
      made.append(seen);
    }
    return made;
  }
  if (field.kind === "yesno") {
    const check = (event) => setRule(field, event.target.checked ? "yes" : "no");
    const box = el("input", { id, type: "checkbox", checked: value === "yes", onchange: check });
    return el("div.field", {}, el("label.check", {}, box, field.title));
  }
  if (field.kind === "choice") {
    const words = (one) => field.choice_words[one] || one;
    const options = field.choices.map((one) => el("option", { value: one, selected: one === value }, words(one)));
    return labelled(field.title, el("select", { id, onchange: set }, options));
  }
  const typed = (event) => setRule(field, event.target.value.replace(/\s+/g, ""));
  return labelled(
    field.title,
    el("input", { id, type: "text", value, autocomplete: "off", ...about, onchange: typed }),
    help,
  );
}

function houseInput(field) {
  const id = field.name;
  const value = link[id] || houseBase(field);
  const help = field.help ? el("div.small.soft", { id: `${id}-help` }, field.help) : null;
  const set = (text) => {
    link[id] = text === houseBase(field) ? "" : text;
    work();
  };
  if (field.kind === "whole") return wholeField(id, field.title, { value, most: limits.target, set, help });
  if (field.kind === "yesno") {
    const check = (event) => set(event.target.checked ? "yes" : "no");
    const box = el("input", { id, type: "checkbox", checked: /^(yes|true|1)$/.test(value), onchange: check });
    return el("div.field", {}, el("label.check", {}, box, field.title), help);
  }
  if (field.kind === "choice") {
    const options = field.choices.map(([one, words]) => el("option", { value: one, selected: one === value }, words));
    return labelled(field.title, el("select", { id, onchange: (event) => set(event.target.value) }, options));
  }
  const about = help ? { "aria-describedby": help.id } : {};
  const typed = (event) => set(event.target.value.trim().toLowerCase());
  return labelled(
    field.title,
    el("input", { id, type: "text", value, autocomplete: "off", ...about, onchange: typed }),
    help,
  );
}

/** Named rule sets, to begin with. */
function presetPicker() {
  const { presets } = entry();
  if (!presets.length) return "";
  const begin = (named) => () => {
    for (const key of Object.keys(goalOf(link))) if (key !== "game" && key !== "goal") delete link[key];
    link.named = named;
    drawForm();
    /** @type {HTMLElement} */ (document.querySelector(`[data-named="${named}"]`))?.focus();
    work();
  };
  const button = (named, words, about) =>
    el(
      "button.small",
      {
        type: "button",
        "data-named": named,
        title: about,
        "aria-pressed": String((link.named || "") === named),
        onclick: begin(named),
      },
      words,
    );
  const title = (one) => one.name.replace(/(^|\s)\w/g, (letter) => letter.toUpperCase());
  const chosen = preset();
  return el(
    "div.field",
    {},
    el("h2", {}, "Start from"),
    el(
      "div.tabs",
      { role: "group", "aria-label": "Rule sets" },
      button("", "Usual rules", entry().about),
      presets.map((one) => button(one.named, title(one), one.about)),
    ),
    el("p.small.soft", {}, chosen ? `${chosen.about}. Source: ${chosen.source}.` : entry().about),
  );
}

/** Rules in groups, those that differ from the start open. */
function groups() {
  if (!hasFields()) return [el("p.note", {}, "These dice are played as they are.")];
  const named = {};
  for (const field of entry().fields) (named[field.group] ??= []).push(field);
  const changed = pairs(link.rules);
  return Object.entries(named).map(([name, fields], i) =>
    el(
      "details.group",
      { open: i === 0 || fields.some((field) => field.name in changed) },
      el("summary", {}, name),
      fields.map(fieldInput),
    ),
  );
}

function drawForm() {
  const open = new Set([...document.querySelectorAll("#form details[open] > summary")].map((one) => one.textContent));
  const setGame = (event) => {
    for (const key of Object.keys(goalOf(link))) delete link[key];
    link.game = event.target.value;
    last = null;
    drawForm();
    work();
  };
  const setGoal = (event) => {
    link.goal = event.target.value;
    last = null;
    drawForm();
    work();
  };
  const current = entry();
  const chosen = list.map((one) => el("option", { value: one.name, selected: one === current }, one.title));
  const goals = current.goals.map((one) => el("option", { value: one, selected: one === goal() }, GOALS[one]));
  const target = String(preset()?.goal?.target ?? current.target);
  const setTarget = (text) => {
    link.target = text === target ? "" : text;
    work();
  };
  const race = goal() !== "turn" && current.target;
  const fits = house.filter((field) => field.goals.includes(goal()));
  const between = fits.map(houseInput);
  $("#form").replaceChildren(
    labelled("Game", el("select", { id: "game", onchange: setGame }, chosen)),
    presetPicker(),
    el("h2", {}, "Change them"),
    ...groups(),
    el(
      "details.group",
      { open: fits.some((field) => link[field.name]) },
      el("summary", {}, "To win, to bank, penalties"),
      current.goals.length > 1
        ? labelled("What is wanted", el("select", { id: "goal", onchange: setGoal }, goals))
        : "",
      race
        ? wholeField("target", "Points to win", {
            value: link.target || target,
            least: 1,
            most: limits.target,
            set: setTarget,
          })
        : "",
      race ? between : "",
    ),
  );
  for (const summary of document.querySelectorAll("#form details > summary")) {
    if (open.has(summary.textContent)) /** @type {HTMLDetailsElement} */ (summary.parentElement).open = true;
  }
}

/** Checks the rules at once, says them in sentences, and solves them if that is quick. */
async function work() {
  const mine = ++asked;
  const now = wanted();
  remember(goalOf(now));
  problem(null);
  try {
    const { sentences, seconds } = await get("rules", goalOf(now));
    if (mine !== asked) return;
    $("#taught-card").hidden = !sentences.length;
    $("#taught").replaceChildren(lesson(sentences));
    if (seconds > (last === null ? PATIENT_SECONDS : QUICK_SECONDS)) offer(now, seconds);
    else await solveNow(now, mine);
  } catch (refusal) {
    if (refusal.status === undefined) throw refusal;
    if (mine === asked) refuse(refusal.message);
  }
}

function refuse(words) {
  $("#map-card").hidden = true;
  $("#result").replaceChildren(el("p.note.bad", { id: "refused" }, words));
}

/** Solving takes a while: wait until somebody wants it. */
function offer(now, seconds) {
  const go = safely(() => solveNow(now, asked));
  $("#map-card").hidden = true;
  $("#result").replaceChildren(
    el("p.answer", {}, el("span.then", {}, "These rules can be played."), ""),
    el(
      "button.main",
      { type: "button", id: "solve", onclick: go },
      `Solve them (about ${Math.max(2, Math.round(seconds))} s)`,
    ),
  );
}

async function solveNow(now, mine) {
  if (last === null) $("#result").replaceChildren(el("p.soft", {}, "Solving…"));
  try {
    const solution = await withProgress((watch) => solved(now, watch));
    if (mine !== asked) return;
    show(solution, now);
    const drawn = entry().target && solution.modes.length && !solution.modes.some((mode) => typeof mode === "string");
    $("#map-card").hidden = !drawn;
    if (drawn) await drawMap($("#map"), now, { mode: now.goal === "turn" ? undefined : usualMode(solution) }, solution);
  } catch (refusal) {
    if (refusal.status === undefined) throw refusal;
    if (mine === asked) refuse(refusal.message);
  }
}

const WHAT = {
  chance: "The first player wins with chance",
  points: "A turn is worth on average",
  margin: "The first player can expect a margin of",
  turns: "Best play needs on average",
  rolls: "Best play needs on average",
};

/** By how much a value moved with the last change. */
function changeWords(before, { value, kind }) {
  if (before === null || before.kind !== kind || before.value === value) return "";
  const by = value - before.value;
  const size =
    kind === "chance" ? `${Math.abs(100 * by).toFixed(2)} percentage points` : shownValue(Math.abs(by), kind, 3);
  return `Your last change: ${by > 0 ? "+" : "−"}${size}.`;
}

function show(solution, now) {
  const text = query(goalOf(now));
  const moved = changeWords(last, solution);
  last = { value: solution.value, kind: solution.kind };
  const fair = solution.kind === "chance" && now.goal !== "alone";
  const certify = safely(async () =>
    show(await withProgress((watch) => solved(now, { ...watch, certify: true })), now),
  );
  const digits = solution.error_bound === null ? 0 : Math.max(0, Math.floor(-Math.log10(2 * solution.error_bound)));
  $("#result").replaceChildren(
    el(
      "p.answer",
      {},
      el("span.then", {}, WHAT[solution.kind]),
      el("span", { id: "value" }, shownValue(solution.value, solution.kind, 4)),
    ),
    moved ? el("p", { id: "change" }, moved) : "",
    fair
      ? el("p.small.soft", {}, `Going first is worth ${(100 * solution.value - 50).toFixed(2)} percentage points.`)
      : "",
    solution.threshold !== undefined
      ? el("p.small.soft", {}, `From ${solution.threshold} points at risk on one stops, whatever comes.`)
      : "",
    el(
      "p.small.soft",
      {},
      solution.error_bound === null ? "Solved; " : `Solved, with ${digits} decimal places proved right.`,
      solution.error_bound === null
        ? el("button.small.link", { type: "button", onclick: certify }, "prove how many digits are right")
        : "",
    ),
    el(
      "div.row",
      {},
      now.goal === "turn" ? "" : el("a.button.main", { href: `/?${text}` }, "Play with these rules"),
      el("a.button", { href: `/advise?${text}` }, "Advise"),
      el("a.button", { href: `/explore?${text}` }, "Explore"),
      el("a.button", { id: "rules-file", href: `/api/v1/rules/file?${text}`, download: "" }, "Save as a rules file"),
    ),
  );
}

safely(async () => {
  ({ games: list, more_games: more, limits, house, dice } = await games());
  more = [...list, ...more];
  list = list.filter((one) => !one.only_played);
  $("#share").replaceChildren(shareButtons());
  try {
    drawForm();
  } catch (refusal) {
    const pick = (event) => location.assign(`/rules?game=${event.target.value}`);
    const options = list.map((one) => el("option", { value: one.name }, one.title));
    const none = el("option", { value: "", selected: true, disabled: true }, "choose a game");
    $("#form").replaceChildren(
      labelled("Game", el("select", { id: "game", onchange: pick }, none, options)),
      el("p.note.warn", { id: "no-game", role: "alert" }, refusal.message),
    );
    $("#result").replaceChildren();
    return;
  }
  await work();
})();
