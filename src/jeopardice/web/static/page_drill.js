// Drill: ten exercises without answers, graded one by one; then the result, and the missed ones again.
import {
  $,
  el,
  ensureSolved,
  get,
  goalBody,
  goalOf,
  params,
  post,
  query,
  remember,
  safely,
  say,
  table,
} from "./base.js";
import { positionBoard } from "./board_view.js";
import { die } from "./dice.js";
import { lineChart } from "./figures.js";
import { choiceButtons, diceRow, isChance, lossWords, valueWords } from "./game_view.js";
import { facesOf } from "./faces.js";
import { goalForm, labelled } from "./goal_form.js";

const link = params();
let exercises = [],
  results = [],
  again = false,
  measure = "",
  before = null,
  rating = null,
  busy = false;

const fresh = () => String(Math.floor(Math.random() * 1e9));
const at = () => Number(link.at || 0);

async function begin({ anew = false } = {}) {
  if (anew) link.at = "";
  if (anew || !link.seed) link.seed = fresh();
  await ensureSolved(link);
  $("#feedback").replaceChildren();
  $("#exercise").replaceChildren(el("p.soft", {}, "Looking for positions…"));
  const asked = { ...goalBody(link), kind: link.kind || "mixed", count: 10, seed: Number(link.seed) };
  ({ exercises, measure } = await post("drill", asked));
  results = [];
  again = false;
  before = rating;
  show();
}

/** The missed exercises once more; they do not count a second time. */
function tryAgain() {
  exercises = results.filter((one) => !one.grade.is_best).map((one) => one.exercise);
  results = [];
  again = true;
  link.at = "";
  show();
}

function show() {
  remember({ ...goalOf(link), kind: link.kind, seed: link.seed, at: again ? "" : link.at });
  $("#feedback").replaceChildren();
  if (!exercises.length) {
    $("#exercise").replaceChildren(el("p.note", {}, "No such positions were found in this game; try another kind."));
    return;
  }
  if (at() >= exercises.length) {
    showResult();
    return;
  }
  const one = exercises[at()],
    place = one.position;
  const buttons = el("div.choices", { id: "choices", role: "group", "aria-label": "Your choice" });
  const pick = safely((choice) => answer(one, choice));
  const byDice = one.choices.length > 9 && one.choices.some((choice) => choice.kept.length);
  buttons.classList.toggle("many", one.choices.length > 9 && !byDice);
  if (!byDice) buttons.append(...choiceButtons(one.choices, pick));
  const rolled = facesOf(place.roll ?? place.dice);
  const box = (words, points) => el("div.player", {}, el("div.who", {}, words), el("div.points", {}, String(points)));
  const seats = (place.standings || []).map((points, seat) => ({ points, seat }));
  const mineFirst = [...seats.filter((one) => one.seat >= place.seat), ...seats.filter((one) => one.seat < place.seat)];
  const others = seats.length === 2 ? ["Other player"] : ["Next player", "Third player"];
  const name = (seat) => others[(seat - place.seat - 1 + seats.length) % seats.length];
  const scores =
    place.boards || place.standing // the board says it
      ? []
      : mineFirst.map(({ points, seat }) =>
          box(seat === place.seat ? (seats.length > 1 ? "You" : "Score") : name(seat), points),
        );
  const head = `${again ? "Once more" : "Exercise"} ${at() + 1} of ${exercises.length}`;
  $("#exercise").replaceChildren(
    el("p.soft", {}, `${head} · rated ${one.rating}`),
    scores.length ? el("div.players", {}, scores) : "",
    el(
      "div.tray",
      {},
      el(
        "div.said",
        {},
        byDice
          ? "You rolled. Tap the dice to keep."
          : rolled.length
            ? "You rolled. What do you do?"
            : "What do you do?",
      ),
      positionBoard(place, link.rules),
      byDice ? pickedDice(rolled, one.choices, pick, buttons) : el("div.dice", {}, diceRow(rolled)),
      el("div.risk", {}, riskWords(one)),
    ),
    buttons,
  );
  say($("#exercise").textContent);
}

/**
 * Dice to tap, where there are many sets to keep; one button plays what is picked.
 * @param {any[]} rolled
 * @param {any[]} choices
 * @param {(choice: any) => void} pick
 * @param {HTMLElement} buttons
 */
function pickedDice(rolled, choices, pick, buttons) {
  const kept = new Set();
  const sorted = (faces) => [...faces].sort((a, b) => a - b).join();
  const draw = () => {
    const faces = sorted([...kept].map((place) => rolled[place]));
    const found = choiceButtons(
      choices.filter((choice) => sorted(choice.kept) === faces),
      pick,
    );
    buttons.replaceChildren(...(found.length ? found : [el("p.soft", {}, "These dice are not kept together.")]));
  };
  const dice = rolled.map((face, place) => {
    const toggle = () => {
      if (!kept.delete(place)) kept.add(place);
      made.setAttribute("aria-pressed", String(kept.has(place)));
      draw();
    };
    const picture = die(face);
    picture.setAttribute("aria-hidden", "true");
    const label = { "aria-label": `die ${place + 1} showing ${face}`, "aria-pressed": "false" };
    const made = el("button.pick", { type: "button", ...label, onclick: toggle }, picture);
    return made;
  });
  draw();
  return el("div.dice", {}, dice);
}

const rollsLeft = (left) => `${left} ${left === 1 ? "roll" : "rolls"} left`;

function riskWords({ position, choices }) {
  if (position.standing || position.boards) return "";
  if (position.card) return position.dice ? rollsLeft(position.rolls_left) : "";
  if (typeof position.mode === "string") return "How many dice?";
  const risk = position.roll?.length ? Math.max(...choices.map((choice) => choice.points)) : position.at_risk;
  return risk ? `${risk} at risk` : "Nothing at risk yet";
}

async function answer(one, choice) {
  if (busy) return;
  busy = true;
  try {
    const asked = { ...goalBody(link), kind: one.kind, position: one.position, play: choice.play, rated: !again };
    const grade = await post("drill/grade", asked);
    results.push({ exercise: one, grade });
    await progress(); // before the way on is shown: a key pressed at once then finds the page ready
    for (const button of /** @type {NodeListOf<HTMLButtonElement>} */ (document.querySelectorAll("#choices button"))) {
      button.disabled = true;
      if (button.dataset.play === grade.best.play) button.classList.add("hinted");
    }
    showGrade(grade, choice);
  } finally {
    busy = false;
  }
}

function showGrade(grade, choice) {
  const wrong = grade.habit && grade.habit.split(": ").pop() !== grade.best.play;
  const habit = wrong ? el("p.small", {}, `A common habit goes wrong here: ${grade.habit}.`) : "";
  const rows = grade.choices
    .slice(0, 8)
    .map((row, i) =>
      el(
        i === 0 ? "tr.best" : row.play === choice.play ? "tr.picked" : "tr",
        {},
        el("td", {}, row.play, row.play === choice.play ? el("span.tag", {}, "yours") : null),
        el("td.right", {}, valueWords(row.value, measure, 2)),
      ),
    );
  const heads = [el("th", {}, "Choice"), el("th.right", {}, isChance(measure) ? "Chance to win" : measure)];
  const next = () => {
    link.at = String(at() + 1);
    show();
  };
  const kind = grade.is_best ? "div.note.good" : grade.mark ? "div.note.bad" : "div.note.warn";
  $("#feedback").replaceChildren(
    el(kind, {}, el("p", {}, grade.words), habit),
    grade.why ? el("p.reason", { id: "why" }, grade.why) : "",
    el("p.row", {}, el("button.main", { type: "button", id: "next", onclick: next }, "Next ", el("kbd", {}, "N"))),
    table(heads, rows),
  );
  $("#next").focus({ preventScroll: true });
  $("#next").scrollIntoView({ block: "nearest" });
}

function showResult() {
  const right = results.filter((one) => one.grade.is_best).length;
  const lost = results.reduce((sum, one) => sum + one.grade.loss, 0);
  const moved = before !== null && rating !== null && !again ? Math.round(rating) - Math.round(before) : 0;
  const stars = results.map(({ grade, exercise }, i) =>
    el(
      "li",
      {},
      el(
        `span.tag.${grade.is_best ? "fine" : grade.mark || "inaccuracy"}`,
        {},
        grade.is_best ? "right" : grade.mark || "close",
      ),
      ` ${i + 1}. rated ${exercise.rating}: ${grade.best.play}`,
      grade.is_best ? "" : `, not ${grade.chosen.play}`,
    ),
  );
  const missed = results.length - right;
  const change = moved ? ` (${moved > 0 ? "+" : "−"}${Math.abs(moved)})` : "";
  const ending = again ? "" : `; your rating is ${Math.round(rating ?? 0)}${change}`;
  $("#exercise").replaceChildren(
    el(
      "p.answer",
      { id: "result" },
      results.length ? `${right} of ${results.length} right` : "These ten are done",
      results.length ? el("span.then", {}, `You gave away ${lossWords(lost, measure)}${ending}.`) : "",
    ),
    el("ol.results", {}, stars),
    el(
      "div.row",
      {},
      missed
        ? el(
            "button.main",
            { type: "button", id: "missed", onclick: tryAgain },
            `Try the missed ${missed === 1 ? "one" : missed} again`,
          )
        : null,
      el(
        missed ? "button" : "button.main",
        { type: "button", id: "ten-more", onclick: safely(() => begin({ anew: true })) },
        "Ten more",
      ),
    ),
  );
  $(missed ? "#missed" : "#ten-more").focus({ preventScroll: true });
  say($("#result").textContent);
}

async function progress() {
  const { drills, ratings } = await get("records", { most: 1000 });
  const game = link.game || "pig";
  rating = ratings[game] ?? null;
  before ??= rating;
  const mine = drills.filter((one) => one.game === game).reverse();
  if (!mine.length) {
    $("#progress").replaceChildren(el("p.soft", {}, "Nothing answered yet."));
    return;
  }
  const right = mine.filter((one) => one.right).length;
  const chart = el("div");
  $("#progress").replaceChildren(
    el("p", {}, rating === null ? "" : el("strong", { id: "rating" }, `Your rating: ${Math.round(rating)}`)),
    el("p", {}, `${right} of ${mine.length} right (${Math.round((100 * right) / mine.length)}%).`),
    chart,
  );
  if (mine.length > 2) {
    const share = mine.map((_, i) => {
      const last = mine.slice(Math.max(0, i - 19), i + 1);
      return last.filter((one) => one.right).length / last.length;
    });
    lineChart(chart, {
      title: "Right answers among the last 20",
      about: { goal: link },
      x: share.map((_, i) => i + 1),
      series: [{ name: "share", y: share }],
      xLabel: "answer",
      yLabel: "share right",
      words: (value) => `${Math.round(100 * value)}%`,
      range: [0, 1],
    });
  }
}

function drawSettings() {
  const kinds = { mixed: "Both kinds", close: "Close calls", habit: "Where habits go wrong" };
  const pick = safely(async (event) => {
    link.kind = event.target.value === "mixed" ? "" : event.target.value;
    await begin({ anew: true });
  });
  const options = Object.entries(kinds).map(([name, words]) =>
    el("option", { value: name, selected: name === (link.kind || "mixed") }, words),
  );
  $("#settings").replaceChildren(
    labelled("Which positions", el("select", { id: "kind", onchange: pick }, options)),
    el(
      "p.small.soft",
      {},
      "A rating says how hard a position is; yours moves with each answer, as in chess. ",
      "Export or delete your results on the ",
      el("a", { href: `/report?${query({})}` }, "Report page"),
      ".",
    ),
  );
}

addEventListener("keydown", (event) => {
  const target = /** @type {HTMLElement} */ (event.target);
  if (event.ctrlKey || event.metaKey || event.altKey || /^(INPUT|SELECT|TEXTAREA)$/.test(target.tagName)) return;
  const key = event.key.toLowerCase();
  const wanted = key === "n" ? "#next" : `#choices button[data-key="${CSS.escape(key)}"]`;
  const found = /** @type {HTMLButtonElement} */ (document.querySelector(wanted));
  if (found && !found.disabled) found.click();
});

safely(async () => {
  const changed = safely(async () => {
    rating = before = null;
    drawSettings();
    await progress();
    await begin({ anew: true });
  });
  await goalForm($("#goal-form"), link, changed, { goals: ["duel", "race", "alone"] });
  drawSettings();
  await progress();
  await begin();
})();
