// Report: final − initial = luck + skill, decision by decision; mistakes can be tried again before being told.
import {
  $,
  el,
  ensureSolved,
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
} from "./base.js";
import { choiceButtons, diceRow, isChance, lossWords, positionWords, seenFrom, valueWords } from "./game_view.js";
import { positionBoard } from "./board_view.js";
import { lineChart } from "./figures.js";

const link = params();
let told, measure, you;

const sign = () => (you === 1 ? -1 : 1);
const change = (value) => {
  const shown = isChance(measure)
    ? `${value >= 0 ? "+" : "−"}${Math.abs(100 * value).toFixed(1)}`
    : `${value >= 0 ? "+" : "−"}${Math.abs(value).toFixed(2)}`;
  return shown.replace(/^[+−]0\.0+$/, "0");
};
const unit = () => (isChance(measure) ? `points of ${measure}` : measure);

async function showReport() {
  await ensureSolved(link);
  const body = {
    ...goalBody(link),
    opponent: link.opponent || "",
    seat: link.seat || "first",
    acts: link.acts || "",
    seed: Number(link.seed),
  };
  told = await post("report", body);
  measure = told.measure;
  you = told.you;
  $("#report").hidden = false;
  $("#lead").textContent =
    `Luck is what the dice did to you; skill is what your choices gave away against ${/^estimated/.test(measure) ? "the play that looks best by our estimate (this board is not solved here)" : "best play"}. Together they are exactly the difference between where you began and where you ended.`;
  summary();
  course();
  rolls();
  const marked = told.decisions.filter((one) => one.mark && (one.seat === you || link.opponent === "friend"));
  if (marked.length && link.told !== "yes") retry(marked);
  else decisions();
}

function summary() {
  const good = (value) =>
    el(
      `div.big${(told.prefers_less ? -value : value) > 1e-9 ? ".gain" : (told.prefers_less ? -value : value) < -1e-9 ? ".loss" : ""}`,
      {},
      change(value),
    );
  const box = (words, value, more) =>
    el("div", {}, el("div.label", {}, words), good(value), more ? el("div.small.soft", {}, more) : null);
  const begun = seenFrom(told.initial, you, measure),
    ended = seenFrom(told.final, you, measure);
  const two = told.luck.length === 2;
  const mine = you,
    theirs = 1 - you,
    s = sign();
  const outcome = !told.is_over
    ? "This game is not finished."
    : !two
      ? `Done in ${told.game.position.turn} turns.`
      : told.winner === you
        ? "You won."
        : "You lost.";
  const marks = told.marks[mine];
  const parts = two
    ? [
        box("Luck of your dice", s * told.luck[mine]),
        box("Luck of their dice", s * told.luck[theirs]),
        box(
          "Your choices",
          s * told.skill[mine],
          `${marks.blunder} blunders, ${marks.mistake} mistakes, ${marks.inaccuracy} inaccuracies`,
        ),
        box("Their errors", s * told.skill[theirs]),
      ]
    : [
        box("Luck of the dice", told.luck[0]),
        box(
          "Your choices",
          told.skill[0],
          `${marks.blunder} blunders, ${marks.mistake} mistakes, ${marks.inaccuracy} inaccuracies`,
        ),
      ];
  const luck = s * told.luck.reduce((a, b) => a + b),
    skill = s * told.skill.reduce((a, b) => a + b);
  $("#summary").replaceChildren(
    el(
      "p.answer",
      {},
      outcome,
      el(
        "span.then",
        {},
        `Began at ${valueWords(begun, measure)}, ended at ${valueWords(ended, measure)}: luck ${change(luck)}, skill ${change(skill)} (${unit()}).`,
      ),
    ),
    el("div.sums", {}, parts),
    el(
      "p.small.soft",
      { id: "adds-up", "data-remainder": String(told.remainder) },
      `The sum holds for every roll and every choice: ${valueWords(begun, measure, 3)} ${change(luck)} ${change(skill)} = ${valueWords(ended, measure, 3)} (rounding leaves ${Math.abs(told.remainder).toExponential(0)}).`,
    ),
    el(
      "div.row",
      {},
      el(
        "a.button.small",
        {
          href: `/?${query({ ...goalOf(link), opponent: link.opponent, seat: link.seat, tutor: link.tutor, speed: link.speed })}`,
        },
        "Play again",
      ),
      el("a.button.small", { href: "/drill?" + query(goalOf(link)) }, "Practise such positions"),
    ),
  );
}

function course() {
  const values = [told.initial, ...told.game.news.map((step) => step.value)].map((value) =>
    seenFrom(value, you, measure),
  );
  lineChart($("#course"), {
    title: isChance(measure) ? `Your ${measure}, step by step` : `Expected ${measure}, step by step`,
    x: values.map((_, i) => i),
    series: [{ name: "value", y: values }],
    xLabel: "step",
    yLabel: measure,
    words: (value) => valueWords(value, measure),
    from0: isChance(measure),
    hint: "Point at the curve, or use the arrow keys, to read it.",
  });
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
    const choices = [...one.choices].sort(
      (a, b) => b.points - a.points || Number(b.stops) - Number(a.stops) || (a.mode ?? 0) - (b.mode ?? 0),
    );
    const buttons = el("div.choices", { role: "group", "aria-label": "Your choice" });
    buttons.classList.toggle("many", choices.length > 9);
    buttons.append(
      ...choiceButtons(choices, (choice) => {
        const loss = Math.abs(choice.value - one.best.value);
        const best = choice.play === one.best.play || loss < 1e-12;
        if (best) better++;
        at++;
        $("#retry").append(
          el(
            best ? "p.note.good" : "p.note.warn",
            {},
            best
              ? `Yes: ${one.best.play}. In the game you chose ${one.chosen.play}, which lost ${lossWords(one.loss, measure)}.`
              : `${choice.play} loses ${lossWords(loss, measure)}; best was ${one.best.play}. In the game you chose ${one.chosen.play}.`,
          ),
          el(
            "button.main",
            { type: "button", id: "next-mistake", onclick: next },
            at < marked.length ? "Next" : "Done",
          ),
        );
        buttons.querySelectorAll("button").forEach((button) => {
          button.disabled = true;
        });
        $("#next-mistake").focus({ preventScroll: true });
      }),
    );
    $("#retry").replaceChildren(
      el("p", {}, `Decision ${at + 1} of ${marked.length}: ${longWords(one.position)}. What is best here?`),
      positionBoard(one.position, link.rules),
      one.position.roll?.length ? el("div.dice", {}, diceRow(one.position.roll)) : "",
      buttons,
      el(
        "p.row",
        {},
        el("button.small.quiet", { type: "button", id: "tell-me", onclick: done }, "Skip: just show me everything"),
      ),
    );
  }
  next();
}

/** Where a decision was made, in words. */
function longWords(position) {
  if (!("mode" in position)) return positionWords(position, you);
  const risk = position.at_risk ? `, ${position.at_risk} at risk before the roll` : "";
  return position.standings.length === 1
    ? `you have ${position.standings[0]}${risk}`
    : `you have ${position.standings[position.seat]}, they have ${position.standings[1 - position.seat]}${risk}`;
}

function decisions() {
  const all = link.show === "all";
  const rows = told.decisions.filter((one) => all || !one.is_best);
  const names = told.luck.length === 1 ? ["You"] : you === 0 ? ["You", "They"] : ["They", "You"];
  $("#decisions").replaceChildren(
    el(
      "p.small.soft",
      {},
      `${told.decisions.length} decisions; position: score of who has the dice : the other's +points at risk before the roll. Loss in ${unit()}.`,
    ),
    el(
      "label.check",
      {},
      el("input", {
        type: "checkbox",
        id: "show-all",
        checked: all,
        onchange: (event) => {
          link.show = event.target.checked ? "all" : "";
          remember(link);
          decisions();
        },
      }),
      "Show the best ones too",
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
            ["Who", "Position", "Roll", "Played", "Best", "Loss", ""].map((words) => el("th", {}, words)),
          ),
        ),
        el(
          "tbody",
          {},
          rows.map((one) =>
            el(
              "tr",
              {},
              el("td", {}, names[one.seat]),
              el("td", {}, positionWords(one.position, you)),
              el(
                "td",
                {},
                one.position.roll?.length ? el("span.row.tight", {}, diceRow(one.position.roll, { mini: true })) : "",
              ),
              el("td", {}, one.chosen.play),
              el("td", {}, one.is_best ? "✓" : one.best.play),
              el(
                "td.right",
                {},
                one.is_best ? "" : isChance(measure) ? (100 * one.loss).toFixed(2) : one.loss.toFixed(3),
              ),
              el("td", {}, one.mark ? el(`span.tag.${one.mark}`, {}, one.mark) : ""),
            ),
          ),
        ),
      ),
    ),
    rows.length
      ? ""
      : el("p.note.good", {}, told.decisions.length ? "Every decision was the best one." : "No decisions yet."),
  );
}

function rolls() {
  const names = told.luck.length === 1 ? ["You"] : you === 0 ? ["You", "They"] : ["They", "You"];
  $("#rolls").replaceChildren(
    el(
      "table",
      {},
      el(
        "thead",
        {},
        el(
          "tr",
          {},
          ["Who", "Position", "Roll", "Luck for you"].map((words) => el("th", {}, words)),
        ),
      ),
      el(
        "tbody",
        {},
        told.rolls.map((one) =>
          el(
            "tr",
            {},
            el("td", {}, names[one.seat]),
            el("td", {}, positionWords(one.position, you)),
            el(
              "td",
              {},
              one.roll?.length ? el("span.row.tight", {}, diceRow(one.roll, { mini: true })) : "",
              one.bust ? " bust" : "",
            ),
            el("td.right", {}, change(sign() * one.luck)),
          ),
        ),
      ),
    ),
  );
}

async function showGames() {
  const { games } = await get("records", { most: 30 });
  $("#games").replaceChildren(
    games.length
      ? el(
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
                ["When", "Game", "Result", "Lost", ""].map((words) =>
                  el(words === "Lost" ? "th.right" : "th", {}, words),
                ),
              ),
            ),
            el(
              "tbody",
              {},
              games.map((one) => {
                const r = one.record;
                return el(
                  "tr",
                  {},
                  el(
                    "td",
                    {},
                    new Date(1000 * one.finished).toLocaleString([], { dateStyle: "short", timeStyle: "short" }),
                  ),
                  el("td", {}, one.game),
                  el("td", {}, one.won === null ? "" : one.won ? "won" : "lost"),
                  el("td.right", {}, one.won === null ? one.loss.toFixed(2) : percent(one.loss)),
                  el(
                    "td",
                    {},
                    el(
                      "a",
                      {
                        href: `/report?${query({ ...goalOf({ ...r, target: r.target && String(r.target), bank_from: r.bank_from && String(r.bank_from) }), opponent: r.opponent === "optimal" ? "" : r.opponent, seat: r.seat === "first" ? "" : r.seat, seed: r.seed, acts: r.acts })}`,
                      },
                      "report",
                    ),
                  ),
                );
              }),
            ),
          ),
        )
      : el("p.soft", {}, "None yet. ", el("a", { href: "/" }, "Play a game of Pig"), "."),
  );
}

$("#forget").addEventListener(
  "click",
  safely(async () => {
    if (!confirm("Delete all finished games and drill results kept on this machine?")) return;
    await remove("records");
    await showGames();
  }),
);

safely(async () => {
  await showGames();
  if (link.seed) await showReport();
})();
