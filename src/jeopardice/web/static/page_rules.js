// Rules: an editor made from the fields of each game, and one for dice of one's own; solved on the spot.
import {
  $,
  el,
  games,
  get,
  goalOf,
  KIND_WORDS,
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
import { labelled } from "./goal_form.js";
import { die, ENDS } from "./dice.js";
import { drawMap, usualMode } from "./maps.js";

const link = params();
let list,
  limits,
  asked = 0;

const entry = () => list.find((one) => one.name === (link.game || "pig")) || list[0];
const goal = () => (entry().goals.includes(link.goal || "duel") ? link.goal || "duel" : entry().goals[0]);
const rules = () =>
  Object.fromEntries(
    (link.rules || "")
      .split(";")
      .filter(Boolean)
      .map((part) => [part.slice(0, part.indexOf(":")), part.slice(part.indexOf(":") + 1)]),
  );

function setRule(field, value) {
  const given = { ...rules(), [field.name]: String(value) };
  link.rules = Object.entries(given)
    .filter(([name, text]) => entry().fields.find((one) => one.name === name)?.usual !== text)
    .map(([name, text]) => `${name}:${text}`)
    .join(";");
  work();
}

function fieldInput(field) {
  const value = rules()[field.name] ?? field.usual;
  const id = `rule-${field.name}`;
  const title = field.name.replace(/_/g, " ");
  const help = field.help
    ? el("div.small.soft", { id: `${id}-help` }, `${field.help}${field.most ? ` (at most ${field.most})` : ""}`)
    : null;
  const about = field.help ? { "aria-describedby": `${id}-help` } : {};
  if (field.name === "faces") return facesEditor(field, value);
  if (field.kind === "whole")
    return labelled(
      title,
      el("input", {
        id,
        type: "number",
        min: "0",
        max: field.most ? String(field.most) : undefined,
        value,
        ...about,
        onchange: (event) => setRule(field, event.target.value),
      }),
      help,
    );
  if (field.kind === "yesno")
    return el(
      "div.field",
      {},
      el(
        "label.check",
        {},
        el("input", {
          id,
          type: "checkbox",
          checked: value === "yes",
          onchange: (event) => setRule(field, event.target.checked ? "yes" : "no"),
        }),
        title,
      ),
      help,
    );
  if (field.kind === "choice")
    return labelled(
      title,
      el(
        "select",
        { id, ...about, onchange: (event) => setRule(field, event.target.value) },
        field.choices.map((one) => el("option", { value: one, selected: one === value }, one)),
      ),
      help,
    );
  return labelled(
    title,
    el("input", {
      id,
      type: "text",
      value,
      autocomplete: "off",
      ...about,
      onchange: (event) => setRule(field, event.target.value.replace(/\s+/g, "")),
    }),
    help,
  );
}

const EFFECTS = { score: "scores", bust: "busts", bank: "scores and ends the turn" };
function readFaces(text) {
  return text.split(",").map((word) => {
    const [effect, weight] = word.trim().split("*");
    return effect === "bust"
      ? { effect: "bust", points: "", weight: weight || "1" }
      : {
          effect: effect.startsWith("bank") ? "bank" : "score",
          points: effect.replace("bank", ""),
          weight: weight || "1",
        };
  });
}
const writeFaces = (faces) =>
  faces
    .map(
      (one) =>
        `${one.effect === "bust" ? "bust" : `${one.effect === "bank" ? "bank" : ""}${one.points || 1}`}${one.weight === "1" ? "" : `*${one.weight}`}`,
    )
    .join(",");

function facesEditor(field, text) {
  const faces = readFaces(text);
  const total = faces.reduce((sum, one) => sum + Number(one.weight), 0);
  const set = (focus) => {
    setRule(field, writeFaces(faces));
    drawForm();
    document.getElementById(focus)?.focus();
  };
  return el(
    "fieldset.card",
    {},
    el("legend", {}, "The faces of a die"),
    el(
      "div.faces",
      {},
      faces.map((one, i) =>
        el(
          "div.face-row",
          { role: "group", "aria-label": `Face ${i + 1}, falls in ${percent(Number(one.weight) / total)}` },
          die(one.effect === "bust" ? 0 : one.effect === "bank" ? ENDS + Number(one.points) : Number(one.points), {
            classes: "small",
          }),
          el(
            "select",
            {
              id: `effect-${i}`,
              "aria-label": "what it does",
              onchange: (event) => {
                one.effect = event.target.value;
                set(`effect-${i}`);
              },
            },
            Object.entries(EFFECTS).map(([name, words]) =>
              el("option", { value: name, selected: name === one.effect }, words),
            ),
          ),
          el(
            "div",
            {},
            el("label", { for: `points-${i}` }, "points"),
            el("input", {
              id: `points-${i}`,
              type: "number",
              min: "1",
              max: String(limits.face_points),
              value: one.points,
              disabled: one.effect === "bust",
              onchange: (event) => {
                one.points = event.target.value;
                set(`points-${i}`);
              },
            }),
          ),
          el(
            "div",
            {},
            el("label", { for: `weight-${i}` }, "weight"),
            el("input", {
              id: `weight-${i}`,
              type: "number",
              min: "1",
              max: String(limits.face_weight),
              value: one.weight,
              title: percent(Number(one.weight) / total),
              onchange: (event) => {
                one.weight = event.target.value || "1";
                set(`weight-${i}`);
              },
            }),
          ),
          el(
            "button.small",
            {
              type: "button",
              "aria-label": `Remove face ${i + 1}`,
              disabled: faces.length <= 2,
              onclick: () => {
                faces.splice(i, 1);
                set("add-face");
              },
            },
            "✕",
          ),
        ),
      ),
    ),
    el(
      "p",
      {},
      el(
        "button.small",
        {
          type: "button",
          id: "add-face",
          disabled: faces.length >= limits.faces,
          onclick: () => {
            faces.push({
              effect: "score",
              points: String(1 + Math.max(0, ...faces.map((one) => Number(one.points)))),
              weight: "1",
            });
            set("add-face");
          },
        },
        "Add a face",
      ),
    ),
  );
}

function presetPicker() {
  const { presets } = entry();
  if (!presets.length) return "";
  return labelled(
    "Known rule sets",
    el(
      "select",
      {
        id: "preset",
        onchange: (event) => {
          const found = presets.find((one) => one.name === event.target.value);
          if (found) {
            link.rules = found.rules;
            drawForm();
            work();
          }
        },
      },
      el("option", { value: "" }, "your own, below"),
      presets.map((one) =>
        el("option", { value: one.name, selected: one.rules === (link.rules || ""), title: one.about }, one.name),
      ),
    ),
    el("div.small.soft", {}, presets.find((one) => one.rules === (link.rules || ""))?.about || ""),
  );
}

function drawForm() {
  const set = (key) => (event) => {
    link[key] = event.target.value;
    if (key === "game") {
      link.rules = "";
      link.target = "";
      drawForm();
    }
    if (key === "goal") drawForm();
    work();
  };
  const race = goal() !== "turn";
  const choose = (id, words, options, value) =>
    labelled(
      words,
      el(
        "select",
        { id, onchange: set(id) },
        options.map(([name, text]) => el("option", { value: name, selected: name === value }, text)),
      ),
    );
  $("#form").replaceChildren(
    choose(
      "game",
      "Game",
      list.map((one) => [one.name, one.title]),
      entry().name,
    ),
    el("p.small.soft", {}, entry().about),
    el("h3", {}, "Rules"),
    presetPicker(),
    ...entry().fields.map(fieldInput),
    el("h3", {}, "Goal"),
    choose(
      "goal",
      "What is wanted",
      entry().goals.map((one) => [
        one,
        { duel: "win a race for two", alone: "finish a race alone", turn: "most points in one turn" }[one],
      ]),
      goal(),
    ),
    race && entry().target
      ? labelled(
          "Target",
          el("input", {
            id: "target",
            type: "number",
            min: "1",
            max: String(limits.target),
            value: link.target || String(entry().target),
            onchange: set("target"),
          }),
        )
      : "",
    race && entry().target
      ? choose(
          "finish",
          "Finish",
          [
            ["reach", "reach the target or more"],
            ["exact", "land on it exactly (too much ends the turn)"],
          ],
          link.finish || "reach",
        )
      : "",
    goal() === "duel" && entry().target
      ? choose(
          "payoff",
          "What counts",
          [
            ["win", "winning"],
            ["margin", "by how much"],
          ],
          link.payoff || "win",
        )
      : "",
    goal() === "alone" && entry().target
      ? choose(
          "cost",
          "Keep low",
          [
            ["turns", "turns"],
            ["rolls", "rolls"],
          ],
          link.cost || "turns",
        )
      : "",
    entry().target
      ? labelled(
          "Least one may bank",
          el("input", {
            id: "bank_from",
            type: "number",
            min: "0",
            value: link.bank_from || "0",
            onchange: set("bank_from"),
          }),
        )
      : "",
  );
}

async function work() {
  const mine = ++asked;
  if (link.target === String(entry().target)) link.target = "";
  if (link.bank_from === "0") link.bank_from = "";
  remember(goalOf({ ...link, goal: goal() }));
  const wanted = { ...link, goal: goal() };
  try {
    problem(null);
    $("#result").replaceChildren(el("p.soft", {}, "Solving…"));
    const solution = await withProgress((watch) => solved(wanted, watch));
    if (mine !== asked) return;
    show(solution, wanted);
    $("#map-card").hidden = !entry().target || solution.modes.some((mode) => typeof mode === "string");
    if (entry().target && !solution.modes.some((mode) => typeof mode === "string"))
      await drawMap($("#map"), wanted, { mode: wanted.goal === "turn" ? undefined : usualMode(solution) }, solution);
  } catch (refusal) {
    if (mine !== asked) return;
    $("#map-card").hidden = true;
    $("#result").replaceChildren(el("p.note.bad", { id: "refused" }, refusal.message));
    if (!refusal.status && refusal.status !== 0) throw refusal;
  }
}

function show(solution, wanted) {
  const what = {
    chance: "The first player wins with chance",
    points: "A turn is worth on average",
    margin: "The first player can expect a margin of",
    turns: "Best play needs on average",
    rolls: "Best play needs on average",
  }[solution.kind];
  const text = query(goalOf(wanted));
  const duel = wanted.goal === "duel" || !wanted.goal;
  const bound =
    solution.error_bound !== null
      ? `certified within ${solution.error_bound.toExponential(0)}`
      : "error bound not computed yet";
  const certify = el(
    "button.small",
    {
      type: "button",
      onclick: safely(async () => {
        const again = await withProgress((watch) => solved(wanted, { ...watch, certify: true }));
        show(again, wanted);
      }),
    },
    "Certify",
  );
  $("#result").replaceChildren(
    el(
      "p.answer",
      {},
      el("span.then", {}, what),
      el("span", { id: "value" }, shownValue(solution.value, solution.kind, 4)),
    ),
    solution.coin_toss !== undefined && solution.kind === "chance"
      ? el("p.small.soft", {}, `Going first is worth ${percent(solution.value - 0.5, 2)} more than a fair coin.`)
      : "",
    solution.threshold !== undefined
      ? el("p.small.soft", {}, `From ${solution.threshold} points at risk on one stops, whatever comes.`)
      : "",
    el(
      "p.small.soft",
      {},
      `Solved in ${solution.seconds < 0.01 ? "under 0.01" : solution.seconds.toFixed(2)} s; ${bound}. `,
      solution.error_bound === null ? certify : "",
    ),
    el(
      "div.row",
      {},
      wanted.goal === "turn" ? "" : el("a.button.main", { href: `/?${text}` }, "Play with these rules"),
      el("a.button", { href: `/advise?${text}` }, "Advise"),
      duel || wanted.goal === "alone" ? el("a.button", { href: `/explore?${text}` }, "Explore") : "",
      el(
        "button",
        {
          type: "button",
          onclick: safely(async () => {
            await navigator.clipboard.writeText(location.href);
          }),
        },
        "Copy the link",
      ),
    ),
  );
}

safely(async () => {
  ({ games: list, limits } = await games());
  list = list.filter((one) => !one.only_played);
  drawForm();
  await work();
})();
