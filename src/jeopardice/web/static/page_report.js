// Report: where the game was won and lost. Final − initial = luck + skill, decision by decision.
import {
  $,
  el,
  ensureSolved,
  games,
  get,
  goalBody,
  goalOf,
  params,
  percent,
  post,
  query,
  remember,
  remove,
  safely,
  say,
  scrolled,
  table,
} from "./base.js";
import { positionBoard } from "./board_view.js";
import { facesOf } from "./faces.js";
import { colours, lineChart } from "./figures.js";
import {
  choiceButtons,
  diceRow,
  isChance,
  isEstimated,
  lossWords,
  positionWords,
  seenFrom,
  valueWords,
} from "./game_view.js";

const link = params();
let told, measure, you, chart, begun;

const change = (value) => {
  const size = isChance(measure) ? Math.abs(100 * value).toFixed(1) : Math.abs(value).toFixed(2);
  return `${value >= 0 ? "+" : "−"}${size}`.replace(/^[+−]0\.0+$/, "0");
};
const unit = () => (isChance(measure) ? "percentage points" : measure);
const counted = (number, word) => `${number} ${number === 1 ? word : word.replace(/y$/, "ie") + "s"}`;
const marksWords = ({ blunder, mistake, inaccuracy }) =>
  [counted(blunder, "blunder"), counted(mistake, "mistake"), counted(inaccuracy, "inaccuracy")].join(", ");
const names = () =>
  told.luck.map((_, seat) => (seat === you ? "You" : told.luck.length > 2 ? `Player ${seat + 1}` : "They"));
/** A value of seat 0, or of all seats, as the player sees it. */
const mineOf = (value, values) => (values ? values[you] : seenFrom(value, you, measure));

async function showReport() {
  if (link.by !== "turn") await ensureSolved(link);
  told = await post("report", {
    ...goalBody(link),
    opponent: link.opponent || "",
    seat: link.seat || "first",
    acts: link.acts || "",
    seed: Number(link.seed),
    by: link.by || "",
  });
  measure = told.measure;
  you = told.you;
  $("#report").hidden = false;
  const best = isEstimated(measure)
    ? "the play that looks best by our estimate (this game is not solved here)"
    : "best play";
  $("#lead").textContent =
    `Luck is what the dice did to you; skill is what your choices gave away against ${best}. ` +
    (isEstimated(measure)
      ? `Chances here are estimates: nine of ten are right within ${percent(told.game.spread, 0)}.`
      : "Together they are exactly the difference between where you began and where you ended.");
  summary();
  course();
  rolls();
  const marked = told.decisions.filter((one) => one.mark && (one.seat === you || link.opponent === "friend"));
  if (marked.length && link.told !== "yes") retry(marked);
  else decisions();
}

function summary() {
  const better = (value) => (told.prefers_less ? -value : value);
  const box = (words, value, more = "") => {
    const kind = better(value) > 1e-9 ? ".gain" : better(value) < -1e-9 ? ".loss" : "";
    return el(
      "div",
      {},
      el("div.label", {}, words),
      el(`div.big${kind}`, {}, change(value), isChance(measure) && Math.abs(value) > 5e-4 ? "%" : ""),
      more ? el("div.small.soft", {}, more) : null,
    );
  };
  const many = told.luck.length;
  const forYou = (parts) => parts.map((seats) => seats[you]);
  const lucks = forYou(told.luck_for_seats),
    skills = forYou(told.skill_for_seats);
  const all = (list) => list.reduce((a, b) => a + b, 0);
  const luck = all(lucks),
    skill = all(skills);
  const ended = told.game.values ? told.game.values[you] : seenFrom(told.final, you, measure);
  begun = ended - luck - skill;
  const outcome = !told.is_over
    ? "This game is not finished."
    : many === 1
      ? `Done in ${told.game.position.turn} turns.`
      : told.winners?.includes(you) || told.winner === you
        ? "You won."
        : "You lost.";
  const mine = told.decisions.filter((one) => one.seat === you);
  const marks = `${mine.filter((one) => one.is_best).length} of ${counted(mine.length, "decision")} best; ${marksWords(told.marks[you])}`;
  const even = begun + skill;
  const aside =
    told.is_over && isChance(measure) && many === 2 && even > 0 && even < 1
      ? ` With even luck, such choices win about ${percent(even, 0)} of the time.`
      : "";
  const parts =
    many === 1
      ? [box("Luck of the dice", luck), box("Your choices", skill, marks)]
      : [
          box("Luck of your dice", lucks[you]),
          box("Luck of their dice", luck - lucks[you]),
          box("Your choices", skills[you], marks),
          box("Their errors", skill - skills[you]),
        ];
  const again = { ...goalOf(link), opponent: link.opponent, seat: link.seat, tutor: link.tutor, speed: link.speed };
  $("#summary").replaceChildren(
    el(
      "p.answer",
      { id: "adds-up", "data-remainder": String(told.remainder) },
      outcome,
      el(
        "span.then",
        {},
        `You began at ${valueWords(begun, measure)}: luck ${change(luck)}, choices ${change(skill)} (${unit()}), ` +
          `and ${told.is_over ? "ended" : "stand"} at ${valueWords(ended, measure)}.${aside}`,
      ),
    ),
    el("div.sums", {}, parts),
    el(
      "div.row",
      {},
      el("a.button.small", { href: `/?${query(again)}` }, "Play again"),
      el("a.button.small", { href: `/drill?${query(goalOf(link))}` }, "Practise such positions"),
    ),
  );
}

/** The course of the game: turns below, a line at even chances, mistakes as dots; every point opens its position. */
function course() {
  const steps = told.game.news;
  const values = [begun, ...steps.map((step) => mineOf(step.value, step.values))];
  const decided = Object.fromEntries(told.decisions.map((one) => [one.step, one]));
  const { bad, stop, soft } = colours();
  const colour = { blunder: bad, mistake: stop, inaccuracy: soft };
  const marks = told.decisions.filter((one) => one.mark).map((one) => ({ at: one.step + 1, colour: colour[one.mark] }));
  const seats = told.luck.length;
  const rounds = steps.map((step) => 1 + Math.floor((step.was.turn ?? 0) / seats));
  const begins = rounds.map((round, i) => (i === 0 || round !== rounds[i - 1] ? i : -1)).filter((i) => i >= 0);
  const text = (k) => {
    if (k === 0) return `start: ${valueWords(values[0], measure)}`;
    const mark = decided[k - 1]?.mark;
    const worth = valueWords(values[k], measure);
    return `turn ${rounds[k - 1]}, ${stepWords(steps[k - 1])}: ${worth}${mark ? ` (${mark})` : ""}`;
  };
  const open = (k) => showMoment(k, decided[k - 1]);
  const chance = isChance(measure);
  chart = lineChart($("#course"), {
    title: chance ? `Your ${measure}` : `Expected ${measure}`,
    about: { goal: link },
    x: values.map((_, i) => i),
    series: [{ name: measure, y: values }],
    xLabel: "turn",
    yLabel: measure,
    words: (value) => (chance ? percent(value, 0) : value.toFixed(1)),
    range: chance ? [0, 1] : null,
    level: chance && seats === 2 ? 0.5 : null,
    marks,
    xTicks: begins,
    xName: (i) => String(rounds[i]),
    text,
    pick: open,
    step: open,
    hint: "Click a point, or use the arrow keys: its position opens below. Dots are mistakes.",
  });
  $("#moment").replaceChildren();
}

function stepWords(step) {
  const who = names()[step.seat];
  if (step.roll === undefined) return `${who.toLowerCase()}: ${step.play}`;
  const dice = facesOf(step.roll).join(" ");
  return `${who.toLowerCase()} rolled ${dice}${step.bust ? ", a bust" : ""}`;
}

/** Shows the position at a point of the course, and what was chosen there. */
function showMoment(k, decision) {
  const step = told.game.news[k - 1];
  if (!step) {
    $("#moment").replaceChildren(el("p", {}, "The game begins."));
    return;
  }
  const move = (by) => () => {
    const to = Math.max(0, Math.min(told.game.news.length, k + by));
    chart.point([to]);
    showMoment(
      to,
      told.decisions.find((one) => one.step === to - 1),
    );
    $(by < 0 ? "#step-back" : "#step-on")?.focus();
  };
  const place = step.was;
  const roll = step.roll ? facesOf(step.roll) : diceOf(place);
  const rows = (decision?.choices || []).slice(0, 6).map((one, i) => {
    const chosen = one.play === decision.chosen.play;
    return el(
      i === 0 ? "tr.best" : chosen ? "tr.picked" : "tr",
      {},
      el("td", {}, one.play, chosen ? el("span.tag", {}, "played") : null),
      el("td.right", {}, valueWords(one.value, measure)),
    );
  });
  $("#moment").replaceChildren(
    el(
      "div.row",
      {},
      el("button.small", { type: "button", id: "step-back", onclick: move(-1) }, "◀ Back"),
      el("button.small", { type: "button", id: "step-on", onclick: move(1) }, "On ▶"),
      el("strong", {}, stepWords(step)),
      decision?.mark ? el(`span.tag.${decision.mark}`, {}, decision.mark) : null,
    ),
    el("p.small.soft", {}, longWords(place)),
    positionBoard(place, link.rules),
    roll.length ? el("div.dice", {}, diceRow(roll)) : "",
    decision?.why ? el("p.reason", {}, decision.why) : "",
    rows.length ? el("table", {}, el("tbody", {}, rows)) : "",
  );
}

function retry(marked) {
  $("#retry-card").hidden = false;
  $("#decisions-card").hidden = true;
  let at = 0,
    better = 0;
  const done = () => {
    link.told = "yes";
    remember(link);
    $("#retry-card").hidden = true;
    $("#decisions-card").hidden = false;
    decisions();
  };
  const answered = (one, buttons) => (choice) => {
    const loss = Math.abs(choice.value - one.best.value);
    const best = choice.play === one.best.play || loss < 1e-12;
    if (best) better++;
    at++;
    const words = best
      ? `Yes: ${one.best.play}. In the game you chose ${one.chosen.play}, which lost ${lossWords(one.loss, measure)}.`
      : `${choice.play} loses ${lossWords(loss, measure)}; best was ${one.best.play}.`;
    const on = { type: "button", id: "next-mistake", onclick: next };
    $("#retry").append(
      el(best ? "p.note.good" : "p.note.warn", {}, words),
      one.why ? el("p.reason", {}, one.why) : "",
      el("button.main", on, at < marked.length ? "Next" : "Done"),
    );
    for (const button of buttons.querySelectorAll("button")) button.disabled = true;
    $("#next-mistake").focus({ preventScroll: true });
  };
  function next() {
    if (at >= marked.length) {
      $("#retry").replaceChildren(
        el("p", {}, `You found a better play in ${better} of ${marked.length}.`),
        el("button.main", { type: "button", onclick: done }, "Show every decision"),
      );
      say($("#retry").textContent);
      return;
    }
    const one = marked[at];
    const order = (a, b) => b.points - a.points || Number(b.stops) - Number(a.stops) || (a.mode ?? 0) - (b.mode ?? 0);
    const choices = [...one.choices].sort(order);
    const buttons = el("div.choices", { role: "group", "aria-label": "Your choice" });
    buttons.classList.toggle("many", choices.length > 9);
    buttons.append(...choiceButtons(choices, answered(one, buttons)));
    const skip = el(
      "button.small.quiet",
      { type: "button", id: "tell-me", onclick: done },
      "Skip: just show me everything",
    );
    $("#retry").replaceChildren(
      el("p", {}, `Decision ${at + 1} of ${marked.length}: ${longWords(one.position)}. What is best here?`),
      positionBoard(one.position, link.rules),
      diceOf(one.position).length ? el("div.dice", {}, diceRow(diceOf(one.position))) : "",
      buttons,
      el("p.row", {}, skip),
    );
  }
  next();
}

/** The dice that a decision was about. */
const diceOf = (position) => facesOf(position.roll ?? position.dice);

/** Where a decision was made, in short: the scores in the order of play, beginning with who has the dice. */
function shortWords(position) {
  const seats = position.standings?.length ?? 0;
  if (seats < 3 || position.boards) return positionWords(position, you);
  const scores = position.standings.map((_, k) => position.standings[(position.seat + k) % seats]).join(":");
  return `${scores}${position.at_risk ? ` +${position.at_risk}` : ""}`;
}

/** Where a decision was made, in words. */
function longWords(position) {
  if (!("mode" in position)) return positionWords(position, you);
  const risk = position.at_risk ? `, ${position.at_risk} at risk before the roll` : "";
  const scores = position.standings.map((score, seat) => `${names()[seat].toLowerCase()} ${score}`).join(", ");
  return `${scores}${risk}`;
}

function decisions() {
  const all = link.show === "all";
  const rows = told.decisions.filter((one) => all || !one.is_best);
  const toggled = (event) => {
    link.show = event.target.checked ? "all" : "";
    remember(link);
    decisions();
  };
  const lossOf = (one) => (one.is_best ? "" : isChance(measure) ? (100 * one.loss).toFixed(2) : one.loss.toFixed(3));
  const open = (one) => () => {
    chart.point([one.step + 1]);
    showMoment(one.step + 1, one);
    $("#course").scrollIntoView({ block: "start" });
  };
  const row = (one) =>
    el(
      "tr",
      {},
      el("td", {}, names()[one.seat]),
      el("td", {}, el("button.small.link", { type: "button", onclick: open(one) }, shortWords(one.position))),
      el(
        "td",
        {},
        diceOf(one.position).length ? el("span.row.tight", {}, diceRow(diceOf(one.position), { mini: true })) : "",
      ),
      el("td", {}, one.chosen.play),
      el("td", {}, one.is_best ? "✓" : one.best.play),
      el("td.right", {}, lossOf(one)),
      el("td", {}, one.mark ? el(`span.tag.${one.mark}`, {}, one.mark) : ""),
    );
  const heads = ["Who", "Position", "Roll", "Played", "Best", "Loss", "Mark"];
  const note =
    `${counted(told.decisions.length, "decision")}. Position: the score of who has the dice : the other's, ` +
    `+ points at risk before the roll. Loss in ${unit()}.`;
  $("#decisions").replaceChildren(
    el("p.small.soft", {}, note),
    el(
      "label.check",
      {},
      el("input", { type: "checkbox", id: "show-all", checked: all, onchange: toggled }),
      "Show the best ones too",
    ),
    scrolled("Every decision", table(heads, rows.map(row))),
    rows.length
      ? ""
      : el("p.note.good", {}, told.decisions.length ? "Every decision was the best one." : "No decisions yet."),
  );
}

function rolls() {
  const row = (one) =>
    el(
      "tr",
      {},
      el("td", {}, names()[one.seat]),
      el("td", {}, shortWords(one.position)),
      el(
        "td",
        {},
        facesOf(one.roll).length ? el("span.row.tight", {}, diceRow(facesOf(one.roll), { mini: true })) : "",
        one.bust ? " bust" : "",
      ),
      el("td.right", {}, change(one.luck_for_seats[you])),
    );
  $("#rolls").replaceChildren(table(["Who", "Position", "Roll", "Luck for you"], told.rolls.map(row)));
}

/** The link of a finished game's report. */
function reportLink(r) {
  const text = (value) => (value === undefined || value === null || value === false ? "" : String(value));
  const goal = goalOf(Object.fromEntries(Object.entries(r).map(([key, value]) => [key, text(value)])));
  const opponent = r.opponent === "optimal" ? "" : r.opponent;
  const seat = r.seat === "first" ? "" : r.seat;
  return `/report?${query({ ...goal, opponent, seat, seed: r.seed, acts: r.acts, by: r.by })}`;
}

async function showGames() {
  const [{ games: finished, drills }, { games: list }] = await Promise.all([get("records", { most: 30 }), games()]);
  const titleOf = ({ game, named }) => {
    const known = list.find((one) => one.name === game);
    const rules = known?.presets.find((one) => one.named === named);
    return `${known?.title ?? game}${rules ? `: ${rules.name}` : ""}`;
  };
  const when = (one) => new Date(1000 * one.finished).toLocaleString([], { dateStyle: "short", timeStyle: "short" });
  const row = (one) =>
    el(
      "tr",
      {},
      el("td", {}, when(one)),
      el(
        "td",
        {},
        el(
          "a",
          { href: reportLink(one.record), "aria-label": `report of ${titleOf(one.record)}, ${when(one)}` },
          titleOf(one.record),
        ),
      ),
      el("td", {}, one.won === null ? "" : one.won ? "won" : "lost"),
      el("td.right", {}, one.won === null ? one.loss.toFixed(2) : percent(one.loss)),
    );
  const heads = ["When", "Game", "Result", el("th.right", {}, "Given away")];
  $("#open-one").hidden = !finished.length;
  $("#keep").hidden = !finished.length && !drills.length;
  $("#games").replaceChildren(
    finished.length
      ? scrolled("Your finished games", table(heads, finished.map(row)))
      : el("p.soft", {}, "None yet. ", el("a", { href: "/" }, "Play a game of Pig"), "."),
  );
}

$("#forget").addEventListener(
  "click",
  safely(async () => {
    if (!confirm("Delete all finished games and drill results on this machine?")) return;
    await remove("records");
    await showGames();
  }),
);

safely(async () => {
  await showGames();
  if (link.seed) await showReport();
})();
