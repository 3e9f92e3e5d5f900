// Advise: a position in, every option out, best first, and why.
import {
  $,
  askSolved,
  el,
  games,
  goalOf,
  KIND_WORDS,
  LOSS_UNIT,
  params,
  percent,
  problem,
  query,
  remember,
  safely,
  shownLoss,
  shownValue,
} from "./base.js";
import { goalForm, labelled } from "./goal_form.js";
import { barChart, shortened } from "./figures.js";
import { die } from "./dice.js";

import { boardView } from "./board_view.js";

const state = params();
let form, solution;

async function begin() {
  await games();
  form = await goalForm($("#goal-form"), state, async () => {
    for (const key of ["mine", "theirs", "at_risk", "mode", "roll", "board", "markers"]) delete state[key];
    await ask(true);
  });
  await ask(true);
}

async function ask(newGoal = false) {
  problem(null);
  remember({
    ...goalOf(state),
    mine: state.mine,
    theirs: state.theirs,
    at_risk: state.at_risk,
    mode: state.mode,
    roll: state.roll,
    board: state.board,
    markers: state.markers,
  });
  if (newGoal) {
    solution = await askSolved("value", state);
    drawPosition();
  }
  const place = {
    mine: state.mine,
    theirs: state.theirs,
    at_risk: state.at_risk,
    mode: state.mode,
    roll: state.roll,
    why: "true",
    board: state.board,
    markers: state.markers,
  };
  try {
    const answer = await askSolved("advise", state, place);
    show(answer);
  } catch (refusal) {
    $("#why-card").hidden = true;
    $("#answer").replaceChildren(el("p.note.warn", {}, refusal.message));
  }
}

const again = safely(() => ask());

function slider(key, words, most, step) {
  const number = el("input", {
    id: key,
    type: "number",
    min: "0",
    max: String(most),
    step: String(step),
    value: state[key] || "0",
  });
  const range = el("input", {
    type: "range",
    min: "0",
    max: String(most),
    step: String(step),
    value: state[key] || "0",
    "aria-label": `${words}, slider`,
  });
  const set = (value) => {
    state[key] = value === "0" ? "" : value;
    number.value = value;
    range.value = value;
    again();
  };
  number.addEventListener("change", () => set(number.value || "0"));
  range.addEventListener("input", () => set(range.value));
  return el("div.field", {}, el("label", { for: key }, words), el("div.pair", {}, range, number));
}

const readColumns = (text) =>
  Object.fromEntries(
    (text || "")
      .split(",")
      .filter(Boolean)
      .map((part) => part.split(":").map(Number)),
  );
const writeColumns = (columns) =>
  Object.entries(columns)
    .filter(([, spaces]) => spaces > 0)
    .map((pair) => pair.join(":"))
    .join(",");

/** Can't Stop: press a space to climb there; with "markers" chosen, to put a marker there. */
function drawBoardPosition() {
  const { lengths } = solution;
  const climbed = readColumns(state.board),
    markers = readColumns(state.markers);
  const placing = state.placing === "markers";
  const set = (column, space) => {
    const where = placing ? markers : climbed;
    if (where[column] === space) delete where[column];
    else where[column] = space;
    if (markers[column] && markers[column] <= (climbed[column] || 0)) delete markers[column];
    state.board = writeColumns(climbed);
    state.markers = writeColumns(markers);
    drawPosition();
    again();
  };
  const standing = lengths.map((_, i) => climbed[i + 2] || 0);
  const roll = el("input", {
    id: "roll",
    type: "text",
    inputmode: "numeric",
    placeholder: "none: stop or roll?",
    value: state.roll || "",
    autocomplete: "off",
    onchange: (event) => {
      state.roll = (event.target.value.match(/\d/g) || []).join(",");
      drawPosition();
      again();
    },
  });
  $("#position").replaceChildren(
    el(
      "div.field",
      {},
      el("span.label", {}, "Press a space to set"),
      el(
        "div.tabs",
        { role: "group" },
        [
          ["climbed", "spaces climbed"],
          ["markers", "markers of this turn"],
        ].map(([name, words]) =>
          el(
            "button.small",
            {
              type: "button",
              "aria-pressed": String((name === "markers") === placing),
              "aria-selected": String((name === "markers") === placing),
              onclick: () => {
                state.placing = name;
                drawPosition();
              },
            },
            words,
          ),
        ),
      ),
    ),
    boardView(
      lengths,
      standing,
      Object.entries(markers).map(([column, space]) => [Number(column), space]),
      { pick: set },
    ),
    labelled("The roll (four dice), if you have rolled", roll),
    state.roll
      ? el(
          "div.dice",
          {},
          state.roll.split(",").map((face) => die(Number(face), { classes: "small" })),
        )
      : "",
    el(
      "button.small",
      {
        type: "button",
        onclick: () => {
          state.board = "";
          state.markers = "";
          state.roll = "";
          drawPosition();
          again();
        },
      },
      "Empty the board",
    ),
  );
}

function drawPosition() {
  if (solution.lengths) {
    drawBoardPosition();
    return;
  }
  const { unit, target, modes } = solution;
  const duel = (state.goal || "duel") === "duel",
    race = (state.goal || "duel") !== "turn";
  const top = race ? Math.floor((target - 1) / unit) * unit : solution.threshold + 10 * unit;
  const parts = [];
  if (race) parts.push(slider("mine", duel ? "Your score" : "Score", top, unit));
  if (duel) parts.push(slider("theirs", "Their score", top, unit));
  const choosing = modes.some((mode) => typeof mode === "string");
  if (!choosing) parts.push(slider("at_risk", "Points at risk this turn, before the roll", top, unit));
  if (solution.mode_word === "dice" && !choosing) parts.push(diceField(modes));
  else if (!choosing)
    parts.push(el("p.small.soft", {}, "You choose before each roll: roll on, or stop and bank what is at risk."));
  $("#position").replaceChildren(...parts);
}

function diceField(modes) {
  const full = Math.max(...modes);
  const count = Number(state.mode || (state.roll ? state.roll.split(",").length : full));
  const faces = state.roll ? state.roll.split(",").map(Number) : [];
  const row = el("div.dice", {});
  const setRoll = (list) => {
    state.roll = list.join(",");
    state.mode = String(count);
    if (count === full && !list.length) state.mode = "";
    drawPosition();
    again();
  };
  for (let i = 0; i < count; i++) {
    const face = faces[i] ?? null;
    row.append(
      el(
        "button.face",
        {
          type: "button",
          "aria-label": `Die ${i + 1}: ${face ?? "not rolled"}; press to change`,
          onclick: () => {
            const list = faces.length === count ? [...faces] : Array(count).fill(1);
            if (faces.length === count) list[i] = (list[i] % 6) + 1;
            setRoll(list);
            /** @type {HTMLElement} */ (document.querySelectorAll("button.face")[i])?.focus();
          },
        },
        die(face),
      ),
    );
  }
  const text = el("input", {
    id: "roll",
    type: "text",
    inputmode: "numeric",
    placeholder: "none yet: roll or stop?",
    value: state.roll || "",
    autocomplete: "off",
    onchange: (event) => {
      const list = (event.target.value.match(/[1-6]/g) || []).map(Number);
      state.mode = list.length ? String(list.length) : state.mode;
      state.roll = list.join(",");
      drawPosition();
      again();
    },
  });
  return el(
    "div",
    {},
    labelled(
      "Dice to roll",
      el(
        "select",
        {
          id: "mode",
          onchange: (event) => {
            state.mode = event.target.value === String(full) ? "" : event.target.value;
            state.roll = "";
            drawPosition();
            again();
          },
        },
        [...modes]
          .sort((a, b) => b - a)
          .map((mode) => el("option", { value: String(mode), selected: mode === count }, String(mode))),
      ),
    ),
    el("div.field", {}, el("span.label", {}, "The roll: press the dice, or type it"), row),
    labelled("Roll, typed", text),
    state.roll
      ? el(
          "button.small",
          {
            type: "button",
            onclick: () => {
              state.roll = "";
              drawPosition();
              again();
            },
          },
          "Clear the roll",
        )
      : null,
  );
}

function show(answer) {
  const { kind, options } = answer;
  const best = options[0];
  const worst = Math.max(...options.map((one) => one.loss ?? 0)) || 1;
  $("#answer").replaceChildren(
    el(
      "p.answer",
      {},
      capital(best.play),
      el(
        "span.then",
        {},
        `${shownValue(best.value, kind)} ${kind === "chance" ? "to win" : KIND_WORDS[kind].replace(/^\w+ /, "")}`,
      ),
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
            el("th", {}, "Option"),
            el("th.right", {}, capital(KIND_WORDS[kind])),
            el("th.right", {}, `Loss (${LOSS_UNIT[kind]})`),
            el("th.wide", {}, ""),
          ),
        ),
        el(
          "tbody",
          {},
          options.slice(0, 60).map((one, i) =>
            el(
              i === 0 ? "tr.best" : "tr",
              {},
              el(
                "td",
                {},
                (one.kept || []).map((face) => die(face, { classes: "mini" })),
                one.kept?.length ? " " : "",
                one.play,
                one.tie && i > 0 ? el("span.tag", {}, "tie") : null,
              ),
              el("td.right", {}, shownValue(one.value, kind, 3)),
              el("td.right", {}, i === 0 ? "best" : shownLoss(one.loss, kind)),
              el("td.wide", {}, bar(1 - (0.95 * (one.loss ?? 0)) / worst)),
            ),
          ),
        ),
      ),
    ),
    answer.error_bound === null
      ? ""
      : el("p.small.soft", {}, `All values are exact up to ${answer.error_bound.toExponential(0)} (certified).`),
  );
  showWhy(answer);
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
  const then = (roll) => (roll.busts ? "turn lost" : roll.stops ? "then stop" : "then roll on");
  const rows = rolls
    .slice(0, 40)
    .map((roll) =>
      el(
        "tr",
        {},
        el(
          "td",
          {},
          roll.busts ? "Bust" : `${roll.points} at risk`,
          roll.mode !== null && solution.mode_word === "dice" ? `, ${roll.mode} dice left` : "",
        ),
        el("td.right", {}, percent(roll.chance, 2)),
        el("td.right", {}, shownValue(roll.value, kind)),
        el("td.wide", {}, then(roll)),
      ),
    );
  const chart = el("div");
  $("#why").replaceChildren(
    el(
      "p",
      {},
      `If you ${why.play.replace(/^keep/, "keep")}: the next roll busts in ${percent(rolls.find((roll) => roll.busts)?.chance ?? 0)} of cases, and the turn as a whole ends in a bust in ${percent(why.bust_chance)}.`,
    ),
    chart,
    el(
      "details",
      {},
      el("summary", {}, "Every next roll"),
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
              el("th", {}, "Next roll"),
              el("th.right", {}, "Chance"),
              el("th.right", {}, "Worth then"),
              el("th.wide", {}, ""),
            ),
          ),
          el("tbody", {}, rows),
        ),
      ),
    ),
  );
  const bars = [["bust", why.bust_chance, true], ...shortened(why.banked)];
  barChart(chart, {
    title: "How the turn ends, if you roll",
    bars,
    xLabel: "banked",
    yLabel: "chance",
    words: (chance) => percent(chance, 2),
    axis: (chance) => percent(chance, 0),
  });
}

const capital = (words) => words[0].toUpperCase() + words.slice(1);
safely(begin)();
