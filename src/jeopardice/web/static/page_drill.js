// Drill: exercises without answers, graded one by one; results are kept by the server.
import { $, el, ensureSolved, get, goalBody, goalOf, params, post, query, remember, safely, say } from "./base.js";
import { positionBoard } from "./board_view.js";
import { goalForm, labelled } from "./goal_form.js";
import { choiceButtons, diceRow, isChance, valueWords } from "./game_view.js";
import { lineChart } from "./figures.js";

const link = params();
let exercises = [],
  measure = "",
  busy = false;

async function begin({ fresh = false } = {}) {
  if (fresh) {
    link.seed = String(Math.floor(Math.random() * 1e9));
    link.at = "";
  }
  link.seed ||= String(Math.floor(Math.random() * 1e9));
  await ensureSolved(link);
  $("#exercise").replaceChildren(el("p.soft", {}, "Looking for positions…"));
  ({ exercises, measure } = await post("drill", {
    ...goalBody(link),
    kind: link.kind || "mixed",
    count: 10,
    seed: Number(link.seed),
  }));
  show();
}

function show() {
  const at = Number(link.at || 0);
  remember({ ...goalOf(link), kind: link.kind, seed: link.seed, at: at ? String(at) : "" });
  $("#feedback").replaceChildren();
  if (!exercises.length) {
    $("#exercise").replaceChildren(el("p.note", {}, "No such positions were found in this game; try another kind."));
    return;
  }
  if (at >= exercises.length) {
    $("#exercise").replaceChildren(
      el("p.answer", {}, "That was all ten."),
      el("button.main", { type: "button", id: "ten-more", onclick: safely(() => begin({ fresh: true })) }, "Ten more"),
    );
    $("#ten-more").focus({ preventScroll: true });
    return;
  }
  const one = exercises[at],
    place = one.position;
  const two = place.standings.length === 2;
  const buttons = el("div.choices", { id: "choices", role: "group", "aria-label": "Your choice" });
  buttons.classList.toggle("many", one.choices.length > 9);
  buttons.append(
    ...choiceButtons(
      one.choices,
      safely((choice) => answer(one, choice)),
    ),
  );
  const box = (words, points) => el("div.player", {}, el("div.who", {}, words), el("div.points", {}, String(points)));
  const risk =
    place.roll?.length && one.choices.length ? Math.max(...one.choices.map((choice) => choice.points)) : place.at_risk;
  $("#exercise").replaceChildren(
    el("p.soft", {}, `Exercise ${at + 1} of ${exercises.length}`),
    place.standing
      ? ""
      : el(
          "div.players",
          {},
          box(two ? "You" : "Score", place.standings[place.seat]),
          two ? box("They", place.standings[1 - place.seat]) : "",
        ),
    el(
      "div.tray",
      {},
      el("div.said", {}, place.roll?.length ? "You rolled. What do you do?" : "What do you do?"),
      positionBoard(place, link.rules),
      place.roll?.length ? el("div.dice", {}, diceRow(place.roll)) : "",
      el(
        "div.risk",
        {},
        risk
          ? `${risk} ${place.standing ? "spaces " : ""}at risk`
          : typeof place.mode === "string"
            ? "How many dice?"
            : "Nothing at risk yet",
      ),
    ),
    buttons,
  );
  say($("#exercise").textContent);
}

async function answer(one, choice) {
  if (busy) return;
  busy = true;
  try {
    const grade = await post("drill/grade", {
      ...goalBody(link),
      kind: one.kind,
      position: one.position,
      play: choice.play,
    });
    /** @type {NodeListOf<HTMLButtonElement>} */ (document.querySelectorAll("#choices button")).forEach((button) => {
      button.disabled = true;
      if (button.dataset.play === grade.best.play) button.classList.add("hinted");
    });
    const habit =
      grade.habit && grade.habit !== grade.best.play
        ? el("p.small", {}, `The usual habit, “${grade.habit}”, goes wrong here.`)
        : "";
    $("#feedback").replaceChildren(
      el(
        grade.is_best ? "div.note.good" : grade.mark ? "div.note.bad" : "div.note.warn",
        {},
        el("p", {}, grade.words),
        habit,
      ),
      el(
        "table",
        {},
        el(
          "thead",
          {},
          el("tr", {}, el("th", {}, "Choice"), el("th.right", {}, isChance(measure) ? "Chance to win" : measure)),
        ),
        el(
          "tbody",
          {},
          grade.choices
            .slice(0, 8)
            .map((row, i) =>
              el(
                i === 0 ? "tr.best" : row.play === choice.play ? "tr.picked" : "tr",
                {},
                el("td", {}, row.play),
                el("td.right", {}, valueWords(row.value, measure, 2)),
              ),
            ),
        ),
      ),
      el(
        "p.row",
        {},
        el(
          "button.main",
          {
            type: "button",
            id: "next",
            onclick: () => {
              link.at = String(Number(link.at || 0) + 1);
              show();
            },
          },
          "Next ",
          el("kbd", {}, "N"),
        ),
      ),
    );
    $("#next").focus({ preventScroll: true });
    await progress();
  } finally {
    busy = false;
  }
}

async function progress() {
  const { drills } = await get("records", { most: 1000 });
  const mine = drills.filter((one) => one.game === (link.game || "pig")).reverse();
  if (!mine.length) {
    $("#progress").replaceChildren(el("p.soft", {}, "Nothing answered yet."));
    return;
  }
  const right = mine.filter((one) => one.right).length;
  const chart = el("div");
  $("#progress").replaceChildren(
    el("p", {}, `${right} of ${mine.length} right (${Math.round((100 * right) / mine.length)}%).`),
    chart,
  );
  if (mine.length > 2) {
    const share = mine.map((_, i) => {
      const last = mine.slice(Math.max(0, i - 19), i + 1);
      return last.filter((one) => one.right).length / last.length;
    });
    lineChart(chart, {
      title: "Right answers, last 20",
      x: share.map((_, i) => i + 1),
      series: [{ name: "share", y: share }],
      xLabel: "answer",
      yLabel: "share right",
      words: (value) => `${Math.round(100 * value)}%`,
      from0: true,
    });
  }
}

function drawSettings() {
  $("#settings").replaceChildren(
    labelled(
      "Which positions",
      el(
        "select",
        {
          id: "kind",
          onchange: safely(async (event) => {
            link.kind = event.target.value === "mixed" ? "" : event.target.value;
            await begin({ fresh: true });
          }),
        },
        [
          ["mixed", "Both kinds"],
          ["close", "Close calls"],
          ["habit", "Where habits go wrong"],
        ].map(([name, words]) => el("option", { value: name, selected: name === (link.kind || "mixed") }, words)),
      ),
    ),
    el(
      "p.small.soft",
      {},
      "Results are kept on this machine only; export or delete them on the ",
      el("a", { href: `/report?${query({})}` }, "Report page"),
      ".",
    ),
  );
}

addEventListener("keydown", (event) => {
  if (
    event.ctrlKey ||
    event.metaKey ||
    event.altKey ||
    /^(INPUT|SELECT|TEXTAREA)$/.test(/** @type {Element} */ (event.target).tagName)
  )
    return;
  const key = event.key.toLowerCase();
  const found = key === "n" ? $("#next") : document.querySelector(`#choices button[data-key="${CSS.escape(key)}"]`);
  if (found && !found.disabled) found.click();
});

safely(async () => {
  await goalForm(
    $("#goal-form"),
    link,
    safely(async () => {
      drawSettings();
      await begin({ fresh: true });
      await progress();
    }),
    { goals: ["duel", "alone"] },
  );
  drawSettings();
  await begin();
  await progress();
})();
