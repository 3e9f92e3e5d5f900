// Play: a game against the optimum, a weaker bot or a friend; the link holds the whole game.
import {
  $,
  ensureSolved,
  el,
  games,
  get,
  goalBody,
  goalOf,
  params,
  percent,
  post,
  problem,
  query,
  remember,
  safely,
  say,
} from "./base.js";
import { goalForm, labelled } from "./goal_form.js";
import { boardView, lengthsOf } from "./board_view.js";
import {
  choiceButtons,
  diceRow,
  gained,
  gainedWords,
  isChance,
  lossWords,
  seenFrom,
  turnLines,
  valueWords,
} from "./game_view.js";

const OPPONENTS = [
  ["optimal", "Perfect player"],
  ["club", "Club player (errs in close calls)"],
  ["casual", "Casual player"],
  ["beginner", "Beginner"],
  ["stop-at-20", "Rule: stop at 20"],
  ["friend", "A friend, same screen"],
];
const SPEEDS = { normal: [650, 380], fast: [220, 120], instant: [0, 0] };
const link = params();
const boardGoal = () => {
  if (link.game === "cant-stop") link.goal = "alone";
};
let game,
  steps = [],
  busy = false,
  skip = false,
  hinted = null,
  thinking = null;

const settings = () => ({
  ...goalOf(link),
  opponent: link.opponent === strongest() ? "" : link.opponent,
  seat: link.seat === "first" ? "" : link.seat,
  tutor: link.tutor,
  speed: link.speed,
});
const tutorOn = () => link.tutor !== "off";
const names = () =>
  game.position.standings.length === 1
    ? ["You"]
    : link.opponent === "friend"
      ? ["Player 1", "Player 2"]
      : game.you === 0
        ? ["You", "They"]
        : ["They", "You"];

async function begin({ fresh = false } = {}) {
  if (fresh) {
    delete link.seed;
    delete link.acts;
  }
  boardGoal();
  await ensureSolved(link);
  /** @type {Record<string, any>} */
  const body = { ...goalBody(link), opponent: link.opponent || "", seat: link.seat || "first", acts: link.acts || "" };
  if (link.seed) body.seed = Number(link.seed);
  const state = await post("play", body);
  steps = [];
  hinted = null;
  await take(state, { animate: fresh && !link.acts });
}

/** Takes a new state: shows its news step by step, then the choices. */
async function take(state, { animate = true } = {}) {
  const before = game;
  game = state;
  steps = [...steps.slice(0, state.since), ...state.news];
  link.seed = String(state.seed);
  link.acts = state.acts;
  remember({ ...settings(), seed: link.seed, acts: link.acts });
  hinted = null;
  $("#warning").replaceChildren();
  if (animate && state.news.length && (link.speed || "normal") !== "instant") await show(state.news, before);
  draw();
}

async function show(news, before) {
  busy = true;
  skip = false;
  drawChoices();
  const [rollPause, playPause] = SPEEDS[link.speed || "normal"];
  const skipButton = el(
    "button",
    {
      type: "button",
      onclick: () => {
        skip = true;
      },
    },
    "Skip ahead",
  );
  for (const [i, step] of news.entries()) {
    if (skip) break;
    if (i === 2) $("#choices").replaceChildren(skipButton);
    drawPlayers(step.position, step.value, step.seat);
    drawTray(step);
    if (step.roll !== undefined && !step.roll?.length) continue;
    await new Promise((done) =>
      setTimeout(done, step.roll !== undefined ? rollPause : step.seat === game.you ? playPause / 2 : playPause),
    );
  }
  busy = false;
}

const isBoard = () => (link.game || "pig").startsWith("cant-stop");

/** Can't Stop: the board in place of the scores; for two, that of who has the dice over the other's. */
function drawBoard(position, value, seat) {
  const two = Boolean(position.boards),
    who = Math.max(0, seat),
    over = game.phase === "over";
  const key = (name, words) => [el(`span.key.${name}-key`), ` ${words} `];
  const labels = names();
  $("#players").replaceChildren(
    ...(two
      ? position.standings.map((done, one) =>
          el(
            `div.player${one === seat ? ".turn" : ""}`,
            {},
            el(
              "div.who",
              {},
              labels[one] === "They" ? opponentName() : labels[one],
              one === seat ? el("span.tag", {}, "to play") : null,
            ),
            el("div.points", {}, String(done), el("span.small.soft", {}, ` / ${columnsToWin()} columns`)),
          ),
        )
      : [
          el(
            "div",
            {},
            el("strong", {}, `${position.standings[0]} of ${columnsToWin()} columns done`),
            el("span.soft", {}, ` · turn ${position.turn + (over ? 0 : 1)}`),
          ),
        ]),
  );
  drawChance(value);
  if (!$("#board")) $("#dice").before(el("div", { id: "board" }));
  const lengths = lengthsOf(link.rules, two ? { sides: 6, shortest: 3 } : undefined);
  const other = labels[1 - who] === "They" ? "they" : labels[1 - who] === "You" ? "you" : labels[1 - who];
  $("#board").replaceChildren(
    boardView(lengths, two ? position.boards[who] : position.standing, position.markers, {
      others: two ? position.boards[1 - who] : null,
    }),
    el(
      "div.small",
      {},
      key("climbed", two ? (labels[who] === "You" ? "you" : labels[who].toLowerCase()) : "climbed"),
      two ? key("theirs", other) : "",
      key("marker", "markers this turn"),
      two ? el("div", {}, "This board is not solved here: chances are our estimate.") : "",
    ),
  );
}
const columnsToWin = () => Number((/columns_to_win:(\d+)/.exec(link.rules || "") || [0, 3])[1]);

function drawPlayers(position, value, seat) {
  if (isBoard()) {
    drawBoard(position, value, seat);
    return;
  }
  $("#board")?.remove();
  const target = game.target || goalTarget();
  const labels = names();
  $("#players").replaceChildren(
    ...position.standings.map((points, who) => {
      const inner = el("i");
      inner.style.width = `${Math.min(100, (100 * points) / target)}%`;
      return el(
        `div.player${who === seat && game.phase !== "over" ? ".turn" : ""}`,
        {},
        el(
          "div.who",
          {},
          el("span", {}, labels[who] === "They" ? opponentName() : labels[who]),
          who === seat && game.phase !== "over" ? el("span.tag", {}, "to play") : null,
        ),
        el("div.points", {}, String(points), el("span.small.soft", {}, ` / ${target}`)),
        el("div.bar", { role: "img", "aria-label": `${points} of ${target}` }, inner),
      );
    }),
  );
  drawChance(value);
}

function drawChance(value) {
  const mine = seenFrom(value, game.you, game.measure);
  if (isChance(game.measure) && game.position.standings.length === 2) {
    const inner = el("i");
    inner.style.width = `${100 * mine}%`;
    const [a, b] =
      link.opponent === "friend"
        ? ["Player 1", "Player 2"]
        : [isBoard() ? "Your chance (estimate)" : "Your chance", "theirs"];
    $("#chance").replaceChildren(
      el(
        "div.chance",
        { title: isBoard() ? "Not solved here: our estimate" : "With best play from here on" },
        el("strong", { id: "win-chance" }, `${a} ${percent(mine)}`),
        el("div.bar", {}, inner),
        el("span.soft", {}, `${b} ${percent(1 - mine)}`),
      ),
    );
  } else
    $("#chance").replaceChildren(
      el(
        "p",
        {},
        el("strong", { id: "win-chance" }, valueWords(mine, game.measure)),
        " in all, with best play from here on",
      ),
    );
}

function drawTray(step) {
  const labels = names();
  const who = step ? labels[step.seat] : labels[game.seat];
  let said = "",
    roll = null,
    kept = [],
    risk = null;
  const position = step ? step.position : game.position;
  if (step?.roll !== undefined) {
    roll = step.roll;
    said = step.bust ? `${who} bust${who === "They" || who === "You" ? "" : "s"}! The turn is lost.` : `${who} rolled:`;
  } else if (step) {
    said = step.stops
      ? `${who} stop${who.startsWith("P") ? "s" : ""} and bank${who.startsWith("P") ? "s" : ""} ${gainedWords(step)}.`
      : `${who} ${step.play}…`;
    roll = step.was.roll;
    kept = step.kept;
  }
  if (!step || position.seat === step.seat) risk = position.at_risk;
  $("#said").textContent = said;
  $("#dice").replaceChildren(...diceRow(roll, { kept, bust: Boolean(step?.bust), rolls: step?.roll !== undefined }));
  $("#risk").textContent = risk ? `${risk} at risk` : "";
}

function draw() {
  const position = game.position,
    last = steps[steps.length - 1];
  drawPlayers(position, game.value, game.phase === "over" ? -1 : game.seat);
  const labels = names();
  const roll = position.roll?.length ? position.roll : null;
  if (game.phase === "over") {
    const won = game.winner === game.you;
    const alone = position.standings.length === 1;
    drawTray(last);
    $("#said").textContent = alone
      ? `Done in ${position.turn} turns.`
      : link.opponent === "friend"
        ? `${labels[game.winner]} wins!`
        : won
          ? "You win!"
          : "They win this one.";
    $("#risk").textContent = "";
  } else {
    const lately = describeLast(last);
    $("#said").textContent = roll
      ? `${game.seat === game.you || labels[game.seat] === "You" ? "You" : labels[game.seat]} rolled. What now?`
      : `${lately}${labels[game.seat] === "You" ? "Your turn." : `${labels[game.seat]}'s turn.`}`;
    $("#dice").replaceChildren(...(roll ? diceRow(roll, { rolls: last?.roll !== undefined }) : []));
    const shown =
      roll && game.choices.length ? Math.max(...game.choices.map((choice) => choice.points)) : position.at_risk;
    $("#risk").textContent = shown
      ? `${shown} ${isBoard() ? `space${shown === 1 ? "" : "s"} ` : ""}at risk`
      : typeof position.mode === "string"
        ? "How many dice?"
        : "Nothing at risk yet";
  }
  drawChoices();
  drawTools();
  drawLog();
  say(`${$("#said").textContent} ${$("#risk").textContent}`);
}

function describeLast(last) {
  if (!last || last.seat === game.seat) return "";
  const name = names()[last.seat];
  const banked = gained(last);
  if (last.bust) return name === "They" ? "They bust. " : `${name} busts. `;
  return name === "They" ? `They bank ${banked}. ` : `${name} banks ${banked}. `;
}

function drawChoices() {
  const host = $("#choices");
  const many = game.choices.length > 9;
  host.classList.toggle("many", many);
  if (game.phase === "over") {
    host.replaceChildren(
      el("button.main", { type: "button", onclick: safely(() => begin({ fresh: true })) }, "Play again"),
      el(
        "a.button",
        { href: `/report?${query({ ...settings(), seed: link.seed, acts: link.acts })}`, id: "see-report" },
        "See the report: luck and skill",
      ),
    );
    return;
  }
  if (busy) {
    host.replaceChildren(el("button", { disabled: true }, "…"));
    return;
  }
  const weighed = (choice) => hinted?.find((one) => one.play === choice.play);
  host.replaceChildren(
    ...choiceButtons(
      game.choices,
      safely((choice) => choose(choice.play)),
      {
        marks: (choice) =>
          `${!choice.stops && game.choices.length === 1 ? ".main" : ""}${weighed(choice)?.rank === 0 ? ".hinted" : ""}`,
        more: (choice, counts) =>
          weighed(choice)
            ? el("span.hint", {}, ` ${valueWords(weighed(choice).value, game.measure, counts ? 1 : 2)}`)
            : null,
      },
    ),
  );
}

async function choose(play, sure = false) {
  if (busy) return;
  busy = true;
  clearTimeout(thinking);
  try {
    const state = await post(`play/${game.id}/act`, { play, steps: game.steps, tutor: tutorOn() && !sure });
    busy = false;
    if (state.warning) {
      warn(state.warning);
      return;
    }
    await take(state);
  } catch (refusal) {
    busy = false;
    if (refusal.status === 404) {
      await begin();
      return;
    }
    throw refusal;
  } finally {
    busy = false;
  }
  /** @type {HTMLElement} */ (document.querySelector("#choices button"))?.focus({ preventScroll: true });
}

function warn({ play, loss, mark }) {
  const still = el("button", { type: "button", onclick: safely(() => choose(play, true)) }, "Play it anyway");
  $("#warning").replaceChildren(
    el(
      "div.note.warn",
      {},
      el(
        "p",
        {},
        el("strong", {}, "Tutor: "),
        `that is ${{ inaccuracy: "an inaccuracy", mistake: "a mistake", blunder: "a blunder" }[mark]}. “${play}” loses ${lossWords(loss, game.measure)}.`,
      ),
      el(
        "div.row",
        {},
        el(
          "button.main",
          {
            type: "button",
            onclick: () => {
              $("#warning").replaceChildren();
              /** @type {HTMLElement} */ (document.querySelector("#choices button"))?.focus();
            },
          },
          "Let me think again",
        ),
        still,
      ),
    ),
  );
  $("#warning button").focus({ preventScroll: true });
}

function drawTools() {
  const over = game.phase === "over";
  $("#tools").replaceChildren(
    el(
      "button.small",
      { type: "button", id: "hint", disabled: over, onclick: safely(showHint) },
      "Hint ",
      el("kbd", {}, "H"),
    ),
    el(
      "button.small",
      { type: "button", id: "undo", disabled: !game.acts, onclick: safely(undo) },
      "Undo ",
      el("kbd", {}, "U"),
    ),
    el(
      "label.check",
      {},
      el("input", {
        type: "checkbox",
        id: "tutor",
        checked: tutorOn(),
        onchange: (event) => {
          link.tutor = event.target.checked ? "" : "off";
          remember({ ...settings(), seed: link.seed, acts: link.acts });
        },
      }),
      "Tutor warns me",
    ),
    el("span.grow"),
    over || game.position.boards ? "" : el("a.small", { href: adviseLink() }, "Why? Advise"),
  );
  $("#hints").replaceChildren();
}

function boardParams({ standing, markers, roll }) {
  return {
    board: standing
      .map((space, i) => (space ? `${i + 2}:${space}` : ""))
      .filter(Boolean)
      .join(","),
    markers: markers.map((marker) => marker.join(":")).join(","),
    roll: roll ? roll.join(",") : "",
  };
}

function adviseLink() {
  if (isBoard()) return `/advise?${query({ ...goalOf(link), ...boardParams(game.position) })}`;
  const { standings, seat, at_risk: risk, mode, roll } = game.position;
  return `/advise?${query({ ...goalOf(link), mine: standings[seat] || "", theirs: standings[1 - seat] || "", at_risk: risk || "", mode: typeof mode === "number" && mode ? mode : "", roll: roll?.length && game.position.mode > 1 ? roll.join(",") : "" })}`;
}

async function showHint() {
  if (busy || game.phase === "over") return;
  hinted = (await get(`play/${game.id}/hint`)).choices;
  drawChoices();
  const [best, second] = hinted;
  const words = second
    ? `${/^estimated/.test(game.measure) ? "Best by our estimate" : "Best"}: ${best.play} (${valueWords(best.value, game.measure, 2)}); ${second.play} loses ${lossWords(second.loss, game.measure)}.`
    : `There is only one thing to do: ${best.play}.`;
  $("#hints").replaceChildren(el("p.note.good", {}, words));
  say(words);
}

async function undo() {
  if (busy || !game.acts) return;
  const state = await post(`play/${game.id}/undo`, { steps: game.steps });
  steps = [];
  await take(state, { animate: false });
}

function drawLog() {
  const labels = names().map((name) => (name === "They" ? opponentName() : name));
  const lines = turnLines(steps, labels).reverse();
  $("#log").replaceChildren(
    ...(lines.length
      ? lines.map((line) => el(line.bust ? "li.bust" : "li", {}, line.words))
      : [el("li.soft", {}, "Nothing yet.")]),
  );
}

/** The best opponent there is, which is not perfect where nothing is solved. */
const strongest = () => (link.game === "cant-stop-race" ? "look-ahead" : "optimal");
const opponentName = () =>
  (link.opponent || strongest()) === "look-ahead"
    ? "One roll ahead"
    : link.opponent === "rule-of-28"
      ? "Rule of 28"
      : (OPPONENTS.find(([name]) => name === (link.opponent || strongest())) || ["", link.opponent])[1].replace(
          / \(.*/,
          "",
        );
let list = [];
const entry = () => list.find((one) => one.name === (link.game || "pig"));
const goalTarget = () => Number(link.target || entry()?.target || 100);

function drawSettings() {
  const pick = (key) =>
    safely(async (event) => {
      link[key] = event.target.value;
      await begin({ fresh: true });
    });
  const race = link.game === "cant-stop-race";
  const offered = race
    ? [
        ["look-ahead", "Looks one roll ahead (our best, not perfect)"],
        ["rule-of-28", "Rule of 28"],
        ["casual", "Casual player"],
        ["beginner", "Beginner"],
        ["friend", "A friend, same screen"],
      ]
    : (link.game || "pig") === "ten-thousand"
      ? OPPONENTS.map(([name, words]) => (name === "stop-at-20" ? ["stop-at-300", "Rule: stop at 300"] : [name, words]))
      : OPPONENTS;
  const given =
    link.opponent && !offered.some(([name]) => name === link.opponent) ? [[link.opponent, link.opponent]] : [];
  const alone = link.goal === "alone" || link.game === "cant-stop";
  $("#settings").replaceChildren(
    alone
      ? ""
      : labelled(
          "Opponent",
          el(
            "select",
            { id: "opponent", onchange: pick("opponent") },
            [...offered, ...given].map(([name, words]) =>
              el("option", { value: name, selected: name === (link.opponent || strongest()) }, words),
            ),
          ),
        ),
    alone
      ? ""
      : labelled(
          "Who begins",
          el(
            "select",
            { id: "seat", onchange: pick("seat") },
            [
              ["first", "You"],
              ["second", "They"],
            ].map(([name, words]) => el("option", { value: name, selected: name === (link.seat || "first") }, words)),
          ),
        ),
    labelled(
      "Speed of the dice",
      el(
        "select",
        {
          id: "speed",
          onchange: (event) => {
            link.speed = event.target.value === "normal" ? "" : event.target.value;
            remember({ ...settings(), seed: link.seed, acts: link.acts });
          },
        },
        Object.keys(SPEEDS).map((name) =>
          el("option", { value: name, selected: name === (link.speed || "normal") }, name),
        ),
      ),
    ),
    el(
      "button.main",
      { type: "button", id: "new-game", onclick: safely(() => begin({ fresh: true })) },
      "New game ",
      el("kbd", {}, "N"),
    ),
  );
  $("#title").textContent = entry().title;
  $("#about").textContent =
    `${entry().about} ${link.game === "cant-stop-race" ? `First to complete ${columnsToWin()} columns wins.` : isBoard() ? `Complete ${columnsToWin()} columns in as few turns as you can.` : alone ? `Reach ${goalTarget()} in as few turns as you can.` : `First to ${goalTarget()} wins.`}`;
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
  const found = /** @type {HTMLElement} */ (document.querySelector(`#choices button[data-key="${CSS.escape(key)}"]`));
  if (found) found.click();
  else if (key === "h") safely(showHint)();
  else if (key === "u") safely(undo)();
  else if (key === "n") safely(() => begin({ fresh: true }))();
});
addEventListener("popstate", () => location.reload());

safely(async () => {
  ({ games: list } = await games());
  await goalForm(
    $("#goal-form"),
    link,
    safely(async () => {
      if (/^(stop-at|rule-of|look-ahead|optimal)/.test(link.opponent || "")) link.opponent = "";
      drawSettings();
      await begin({ fresh: true });
    }),
    { goals: ["duel", "alone"], played: true },
  );
  drawSettings();
  await begin({ fresh: !link.seed });
})();
