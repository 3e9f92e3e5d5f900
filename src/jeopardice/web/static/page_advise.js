// Advise: a position in, every option out, best first, and why.
import {
  $,
  aboutChance,
  askSolved,
  el,
  goalOf,
  KIND_WORDS,
  LOSS_UNIT,
  params,
  percent,
  problem,
  remember,
  safely,
  scrolled,
  shownLoss,
  shownValue,
  table,
} from "./base.js";
import { boardView } from "./board_view.js";
import { die } from "./dice.js";
import { barChart, shortened } from "./figures.js";
import { goalForm, labelled, wrongNumber } from "./goal_form.js";
import { PLACE, placeOf, question, readColumns } from "./position.js";
import { shareButtons } from "./share.js";

const state = params();
let solution,
  asked = 0;

const MEANING = {
  chance: "to win",
  points: "on average",
  margin: "ahead",
  turns: "still needed",
  rolls: "still needed",
};

const three = () => state.goal === "race";

async function begin() {
  $("#share").replaceChildren(shareButtons());
  const changed = async () => {
    for (const key of PLACE) delete state[key];
    await ask(true);
  };
  try {
    await goalForm($("#goal-form"), state, safely(changed));
  } catch (refusal) {
    $("#game-settings").open = true;
    refuse(refusal.message);
    throw refusal;
  }
  $("#game-settings").open = matchMedia("(min-width: 761px)").matches;
  await ask(true);
}

async function ask(newGoal = false) {
  problem(null);
  const mine = ++asked;
  remember({ ...goalOf(state), ...placeOf(state) });
  try {
    if (newGoal) {
      solution = await askSolved("value", state);
      drawPosition();
    }
    const answer = await askSolved("advise", state, { ...question(state), why: "true" });
    if (mine === asked) show(answer);
  } catch (refusal) {
    if (refusal.status === undefined) throw refusal;
    if (mine === asked) refuse(refusal.message);
  }
}

/** Says why there is no answer, in place of the answer. */
function refuse(words) {
  asked++; // an answer still under way is not shown any more
  for (const card of ["#options-card", "#why-card"]) $(card).hidden = true;
  $("#verdict").replaceChildren(el("p.note.warn", { id: "refused" }, words));
}

const again = safely(() => ask());

function slider(key, words, most, step) {
  const value = state[key] || "0";
  const bounds = { min: "0", max: String(most), step: String(step), value };
  const number = el("input", { id: key, type: "number", inputmode: "numeric", ...bounds });
  const range = el("input", { type: "range", ...bounds, "aria-label": `${words}, as a slider` });
  const wrong = el("div.wrong", { role: "alert" });
  const set = (text) => {
    wrong.textContent = wrongNumber(text, words, 0, most);
    number.setAttribute("aria-invalid", String(Boolean(wrong.textContent)));
    if (wrong.textContent) return refuse(wrong.textContent);
    state[key] = Number(text) ? String(Number(text)) : "";
    number.value = range.value = text;
    return again();
  };
  number.addEventListener("change", () => set(number.value || "0"));
  range.addEventListener("input", () => set(range.value));
  return el("div.field", {}, el("label", { for: key }, words), el("div.pair", {}, range, number), wrong);
}

const writeColumns = (columns) =>
  Object.entries(columns)
    .filter(([, spaces]) => spaces > 0)
    .map((pair) => pair.join(":"))
    .join(",");

/**
 * A field for a roll that says itself what is wrong with it; `set(faces)` gets rolls that can be read only.
 * @param {number} sides
 * @param {number[]} counts how many dice a roll may have
 * @param {(faces: number[]) => void} set
 */
function rollField(words, sides, counts, set) {
  const wrong = el("div.wrong", { id: "roll-wrong", role: "alert" });
  const input = el("input", {
    id: "roll",
    type: "text",
    inputmode: "numeric",
    placeholder: "none yet",
    value: state.roll || "",
    autocomplete: "off",
    "aria-describedby": "roll-wrong",
  });
  const check = () => {
    const text = input.value.trim();
    const parts = /[\s,]/.test(text) ? text.split(/[\s,]+/) : [...text];
    const faces = parts.filter(Boolean).map(Number);
    const good = faces.every((face) => Number.isInteger(face) && face >= 1 && face <= sides);
    const fits = !faces.length || counts.includes(faces.length);
    const example = Array.from({ length: Math.max(...counts) }, (_, i) => 1 + ((2 * i) % sides)).join("");
    wrong.textContent = !good
      ? `A roll is written as its dice, 1 to ${sides}, like ${example}; got “${text}”.`
      : !fits
        ? `A roll has ${counts.join(" or ")} dice here, got ${faces.length}.`
        : "";
    input.setAttribute("aria-invalid", String(Boolean(wrong.textContent)));
    if (wrong.textContent) refuse(wrong.textContent);
    else set(faces);
  };
  input.addEventListener("change", check);
  return labelled(words, input, wrong);
}

/** Can't Stop: press a space to climb there, to put a marker there, or to let the other climb there. */
function drawBoardPosition() {
  const { lengths } = solution;
  const sides = (lengths.length + 1) / 2;
  const climbed = readColumns(state.board),
    theirs = readColumns(state.their_board),
    markers = readColumns(state.markers);
  const placing = state.placing || "climbed";
  const set = (column, space) => {
    const where = { climbed, theirs, markers }[placing];
    if (where[column] === space) delete where[column];
    else where[column] = space;
    if (markers[column] && markers[column] <= (climbed[column] || 0)) delete markers[column];
    state.board = writeColumns(climbed);
    state.their_board = writeColumns(theirs);
    state.markers = writeColumns(markers);
    drawPosition();
    again();
  };
  const pressed = (name, words) =>
    el(
      "button.small",
      {
        type: "button",
        "aria-pressed": String(name === placing),
        onclick: () => {
          state.placing = name;
          drawPosition();
        },
      },
      words,
    );
  const two = (state.goal || "duel") === "duel";
  const standing = lengths.map((_, i) => climbed[i + 2] || 0);
  const placed = Object.entries(markers).map(([column, space]) => [Number(column), space]);
  const setRoll = (faces) => {
    state.roll = faces.join(",");
    drawPosition();
    again();
  };
  const empty = () => {
    for (const key of ["board", "their_board", "markers", "roll"]) state[key] = "";
    drawPosition();
    again();
  };
  $("#position").replaceChildren(
    rollField("The roll (four dice), if you have rolled", sides, [4], setRoll),
    state.roll ? el("div.dice", {}, rolledDice()) : "",
    el(
      "div.tabs",
      { role: "group", "aria-label": "A press on a space sets" },
      pressed("climbed", two ? "your spaces" : "spaces climbed"),
      two ? pressed("theirs", "their spaces") : null,
      pressed("markers", "markers of this turn"),
    ),
    boardView(lengths, standing, placed, { pick: set, others: two ? lengths.map((_, i) => theirs[i + 2] || 0) : null }),
    el("button.small", { type: "button", onclick: empty }, "Empty the board"),
  );
}

/** Yahtzee: the points of every box that is written, and the roll. */
function drawCardPosition() {
  const card = Object.fromEntries(
    (state.card || "")
      .split(",")
      .filter(Boolean)
      .map((part) => part.split(":")),
  );
  const key = (box) => box.replace(/ /g, "-");
  const write = (box) => (event) => {
    const points = event.target.value.trim();
    if (points) card[key(box)] = points;
    else delete card[key(box)];
    state.card = Object.entries(card)
      .map((pair) => pair.join(":"))
      .join(",");
    again();
  };
  const field = (box) => {
    const given = { type: "number", inputmode: "numeric", min: "0", max: "50", placeholder: "free" };
    const input = el("input", { id: `box-${key(box)}`, ...given, value: card[key(box)] || "", onchange: write(box) });
    return labelled(capital(box), input);
  };
  const setRoll = (faces) => {
    state.roll = faces.join(",");
    state.rolls_left = faces.length ? state.rolls_left || "2" : "";
    drawPosition();
    again();
  };
  const setLeft = (event) => {
    state.rolls_left = event.target.value;
    again();
  };
  const left = ["2", "1", "0"].map((one) => el("option", { value: one, selected: one === state.rolls_left }, one));
  $("#position").replaceChildren(
    rollField("The roll (five dice), if you have rolled", 6, [5], setRoll),
    state.roll ? el("div.dice", {}, rolledDice()) : "",
    state.roll ? labelled("Rolls left this turn", el("select", { id: "rolls_left", onchange: setLeft }, left)) : "",
    el("details", { open: Boolean(state.card) }, [
      el("summary", {}, "Boxes written so far"),
      el("div.boxes", {}, solution.boxes.map(field)),
    ]),
  );
}

const rolledDice = () => state.roll.split(",").map((face) => die(Number(face), { classes: "small" }));

function drawPosition() {
  if (solution.lengths) {
    drawBoardPosition();
    return;
  }
  if (solution.boxes) {
    drawCardPosition();
    return;
  }
  const { unit, target, modes } = solution;
  const duel = (state.goal || "duel") === "duel",
    race = (state.goal || "duel") !== "turn";
  const top = race ? Math.floor((target - 1) / unit) * unit : solution.threshold + 10 * unit;
  const choosing = modes.some((mode) => typeof mode === "string");
  const parts = [];
  if (race) parts.push(slider("mine", duel || three() ? "Your score" : "Score", top, unit));
  if (duel) parts.push(slider("theirs", "Their score", top, unit));
  if (three())
    parts.push(slider("theirs", "Next player’s score", top, unit), slider("third", "Third player’s score", top, unit));
  if (!choosing)
    parts.push(
      slider("at_risk", `Points at risk${solution.mode_word === "dice" ? ", before the roll" : ""}`, top, unit),
    );
  if (solution.mode_word === "dice" && !choosing) parts.push(diceField(modes));
  if (solution.mode_names) parts.push(mixedDiceField());
  $("#position").replaceChildren(...parts);
}

/** Dice that differ: which of them are left, and a roll with a letter for the kind of each die. */
function mixedDiceField() {
  const names = Object.entries(solution.mode_names);
  const letters = solution.kind_names.map((name, i) => `${String.fromCharCode(97 + i)} is ${name || "your own"}`);
  const set = (key) => (event) => {
    state[key] = event.target.value.trim().replace(/[\s,]+/g, ",");
    if (key === "mode") state.roll = "";
    else state.mode = "";
    drawPosition();
    again();
  };
  const rolled = state.roll ? state.roll.replace(/[^a-z]/g, "") : "";
  const left = rolled || state.mode || names[0][0];
  const options = names.map(([value, words]) => el("option", { value, selected: value === left }, words));
  const typed = { id: "roll", type: "text", value: state.roll || "", autocomplete: "off", onchange: set("roll") };
  const help = el("div.small.soft", {}, `Like 1a,5b: ${letters.join(", ")}.`);
  return el(
    "div",
    {},
    labelled("Dice to roll", el("select", { id: "mode", onchange: set("mode") }, options)),
    labelled("The roll, if you have rolled", el("input", typed), help),
  );
}

function diceField(modes) {
  const full = Math.max(...modes);
  const faces = state.roll ? state.roll.split(",").map(Number) : [];
  const count = faces.length || Number(state.mode || full);
  const setRoll = (list) => {
    state.roll = list.join(",");
    drawPosition();
    again();
  };
  const press = (i) => () => {
    const list = faces.length ? [...faces] : Array(count).fill(1);
    if (faces.length) list[i] = (list[i] % 6) + 1;
    setRoll(list);
    /** @type {HTMLElement} */ (document.querySelectorAll("#position button.face")[i])?.focus();
  };
  const buttons = Array.from({ length: count }, (_, i) => {
    const label = `Die ${i + 1}: ${faces[i] ?? "not rolled"}; press to change`;
    return el("button.face", { type: "button", "aria-label": label, onclick: press(i) }, die(faces[i] ?? null));
  });
  const setMode = (event) => {
    state.mode = event.target.value === String(full) ? "" : event.target.value;
    state.roll = "";
    drawPosition();
    again();
  };
  const counts = [...modes].sort((a, b) => b - a);
  const options = counts.map((mode) => el("option", { value: String(mode), selected: mode === count }, String(mode)));
  const clear = el("button.small", { type: "button", id: "clear-roll", onclick: () => setRoll([]) }, "Clear the roll");
  return el(
    "div",
    {},
    el(
      "div.two",
      {},
      rollField("The roll, typed", 6, counts, setRoll),
      labelled("Dice to roll", el("select", { id: "mode", onchange: setMode }, options)),
    ),
    el(
      "div.field",
      {},
      el("span.label", {}, "or press the dice"),
      el("div.dice", {}, buttons, faces.length ? clear : null),
    ),
  );
}

function show(answer) {
  const { kind, options } = answer;
  const [best, second] = options;
  const worst = Math.max(...options.map((one) => one.loss ?? 0)) || 1;
  const digits = second && !second.tie && second.loss < 0.002 && !answer.is_estimate ? 2 : 1;
  const value = answer.is_estimate ? aboutChance(best.value, answer.spread) : shownValue(best.value, kind, digits);
  const worth = `${value} ${solution.boxes ? "still to come" : MEANING[kind]}`;
  const other = second && (second.tie ? "is as good" : shownValue(second.value, kind, digits));
  const ahead = second ? `; “${second.play}” ${other}` : "";
  $("#verdict").replaceChildren(
    el("p.answer", {}, capital(best.play), el("span.then", {}, worth + ahead)),
    answer.reason ? el("p.reason", { id: "reason" }, answer.reason) : "",
  );
  $("#options-card").hidden = false;
  const heads = [
    "Option",
    capital(`${answer.is_estimate ? "estimated " : ""}${solution.boxes ? "points still to come" : KIND_WORDS[kind]}`),
    `Loss (${LOSS_UNIT[kind]})`,
  ];
  const row = (one, i) =>
    el(
      i === 0 ? "tr.best" : "tr",
      {},
      el(
        "td",
        {},
        (one.kept || []).map((face) => die(face, { classes: "mini" })),
        one.kept?.length ? " " : "",
        one.play,
        one.tie && i > 0 ? el("span.tag", {}, "as good") : null,
      ),
      el("td.right", {}, shownValue(one.value, kind, answer.is_estimate ? 1 : 3)),
      el("td.right", {}, i === 0 ? "best" : shownLoss(one.loss, kind)),
      el("td.wide", {}, bar(1 - (0.95 * (one.loss ?? 0)) / worst)),
    );
  $("#answer").replaceChildren(
    scrolled(
      "Every option",
      table(
        [...heads.map((head, i) => el(i ? "th.right" : "th", {}, head)), el("td.wide")],
        options.slice(0, 60).map(row),
      ),
    ),
    answer.is_estimate ? el("p.small.soft", {}, `Not solved: ${answer.note}.`) : "",
    answer.error_bound === null ? "" : el("p.small.soft", {}, `${digitsWords(answer.error_bound)}`),
  );
  showWhy(answer);
}

/** A proven error bound in words. */
export function digitsWords(bound) {
  const digits = Math.max(0, Math.floor(-Math.log10(2 * bound)));
  return `Not simulated: solved, with ${digits} decimal places proved right.`;
}

function bar(share) {
  const inner = el("i");
  inner.style.width = `${Math.round(100 * share)}%`;
  return el("div.bar", { "aria-hidden": "true" }, inner);
}

function showWhy({ why, kind }) {
  $("#why-card").hidden = !why;
  if (!why) return;
  const rolls = why.next_rolls;
  const then = (roll) => (roll.busts ? "turn lost" : roll.stops ? "then stop" : "then roll again");
  const dice = (roll) => (roll.mode !== null && solution.mode_word === "dice" ? `, ${roll.mode} dice left` : "");
  const rows = rolls
    .slice(0, 40)
    .map((roll) =>
      el(
        "tr",
        {},
        el("td", {}, roll.busts ? "Bust" : `${roll.points} at risk${dice(roll)}`),
        el("td.right", {}, percent(roll.chance, 2)),
        el("td.right", {}, shownValue(roll.value, kind)),
        el("td.wide", {}, then(roll)),
      ),
    );
  const chart = el("div");
  const next = percent(rolls.filter((roll) => roll.busts).reduce((sum, roll) => sum + roll.chance, 0));
  const heads = [el("th", {}, "Next roll"), el("th.right", {}, "Chance"), el("th.right", {}, "Worth then")];
  $("#why").replaceChildren(
    el(
      "p",
      {},
      `“${capital(why.play)}”: the next roll busts with chance ${next}, ` +
        `the turn as a whole with ${percent(why.bust_chance)}.`,
    ),
    chart,
    el(
      "details",
      {},
      el("summary", {}, "Every next roll"),
      scrolled("Every next roll", table([...heads, el("td.wide")], rows)),
    ),
  );
  barChart(chart, {
    title: "How the turn ends, if you roll",
    bars: [["bust", why.bust_chance, true], ...shortened(why.banked)],
    xLabel: "banked",
    yLabel: "chance",
    words: (chance) => percent(chance, 2),
    axis: (chance) => percent(chance, 0),
    about: { goal: state, mine: state.mine, theirs: state.theirs, at_risk: why.at_risk },
    csv: [["bust", why.bust_chance], ...why.banked],
  });
}

const capital = (words) => words[0].toUpperCase() + words.slice(1);
safely(begin)();
