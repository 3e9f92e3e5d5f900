// The form for a goal: which game, what is wanted, to how many points; rules are changed on the Rules page.
import { el, games, goalOf, query, Refused } from "./base.js";

const GOAL_WORDS = { duel: "race for two", race: "race for three", alone: "race alone", turn: "one turn" };

/**
 * Why a number typed into a field cannot be taken, or nothing.
 * @param {string} text
 * @param {string} words what the number is, such as "The target"
 * @param {number} least
 * @param {number} most
 */
export function wrongNumber(text, words, least, most) {
  const number = Number(text);
  if (/^-?\d+$/.test(text.trim()) && number >= least && number <= most) return "";
  return `${words} is a whole number from ${least} to ${most.toLocaleString("en")}, got ${text.trim() || "nothing"}.`;
}

/** A field for a whole number that says itself what is wrong; `set(text)` gets right ones only. */
export function wholeField(id, words, { value, least = 0, most, set, step = 1, help = null }) {
  const wrong = el("div.wrong", { id: `${id}-wrong`, role: "alert" });
  const input = el("input", { id, type: "number", min: String(least), max: String(most), step: String(step), value });
  input.setAttribute("aria-describedby", `${id}-wrong${help ? ` ${help.id}` : ""}`);
  const check = () => {
    wrong.textContent = wrongNumber(input.validity.badInput ? "something else" : input.value, words, least, most);
    input.setAttribute("aria-invalid", String(Boolean(wrong.textContent)));
    return !wrong.textContent;
  };
  input.addEventListener("change", () => check() && set(String(Number(input.value))));
  if (value !== "" && value !== undefined) check();
  return labelled(words, input, el("div", {}, wrong, help));
}

/** The entry of the game that a link names; refuses a name that there is none of, in plain words. */
export function entryOf(list, goal, more = []) {
  const name = goal.game || "pig";
  const found = list.find((one) => one.name === name);
  if (found) return found;
  const known = list.map((one) => one.title).join(", ");
  const elsewhere = more.find((one) => one.name === name);
  throw new Refused(404, {
    error: elsewhere
      ? `${elsewhere.title} is not on this page. Choose one of: ${known}.`
      : `There is no game called “${name}” here. Choose one of: ${known}.`,
  });
}

/** Draws the form into `host`; calls `changed(goal)` after each change. `goals` limits what can be wanted. */
export async function goalForm(host, goal, changed, { goals = ["duel", "race", "alone", "turn"], shapes = null } = {}) {
  const { games: list, more_games: others, limits } = await games();
  const more = [...list, ...others];
  const fits = (one) => one.goals.some((wanted) => goals.includes(wanted)) && (!shapes || shapes.includes(one.shape));
  const shown = list.filter(fits);
  const offered = (game) =>
    goals.filter((one) => game.goals.includes(one) || (one === "race" && game.most_players > 2));

  function pick(key, value) {
    goal[key] = value;
    if (key === "game")
      for (const name of Object.keys(goalOf(goal))) if (name !== "game" && name !== "goal") delete goal[name];
    fitGoal();
    draw();
    changed(goal);
  }
  function fitGoal() {
    const able = offered(entryOf(shown, goal, more));
    if (!able.includes(goal.goal || "duel")) goal.goal = able[0];
    goal.players = goal.goal === "race" ? "3" : "";
  }
  function gameField(current) {
    const options = shown.map((one) => el("option", { value: one.name, selected: one === current }, one.title));
    if (!current) options.unshift(el("option", { value: "", selected: true, disabled: true }, "choose a game"));
    const leave = (value) => location.assign(`${location.pathname}?game=${value}`); // nothing else of the link is right
    const picked = (event) => (current ? pick("game", event.target.value) : leave(event.target.value));
    return labelled("Game", el("select", { id: "game", onchange: picked }, options));
  }
  function draw() {
    const game = entryOf(shown, goal, more);
    const able = offered(game);
    const wanted = able.includes(goal.goal || "duel") ? goal.goal || "duel" : able[0];
    const parts = [gameField(game)];
    if (able.length > 1) {
      const options = able.map((one) => el("option", { value: one, selected: one === wanted }, GOAL_WORDS[one]));
      const attributes = { id: "goal", onchange: (event) => pick("goal", event.target.value) };
      parts.push(labelled("Goal", el("select", attributes, options)));
    }
    if (wanted !== "turn" && game.target) {
      const set = (text) => pick("target", text === String(game.target) ? "" : text);
      const value = goal.target || String(game.target);
      parts.push(wholeField("target", "Target", { value, least: 1, most: limits.target, set }));
    }
    if (wanted === "race") {
      const options = ["stop", "roll"].map((value) =>
        el("option", { value, selected: value === (goal.indifferent || "stop") }, value),
      );
      const set = (event) => pick("indifferent", event.target.value === "stop" ? "" : event.target.value);
      parts.push(labelled("Players who do not care", el("select", { id: "indifferent", onchange: set }, options)));
    }
    parts.push(rulesLine(game));
    host.replaceChildren(...parts);
  }
  function rulesLine(game) {
    if (game.only_played) return el("p.small", {}, game.about);
    const unusual = rulesWords(goal);
    const link = el("a", { href: `/rules?${query(goalOf(goal))}` }, unusual ? "Change them" : "Change the rules");
    return el("p.small", {}, unusual ? `Rules: ${unusual}. ` : `${game.about} `, link);
  }

  try {
    fitGoal();
  } catch (refusal) {
    host.replaceChildren(gameField(null), el("p.note.warn", { role: "alert", id: "no-game" }, refusal.message));
    throw refusal;
  }
  draw();
  return { game: () => entryOf(shown, goal, more), draw };
}

/** What a goal says beyond the usual rules, in words. */
export function rulesWords(goal) {
  const given = goalOf(goal);
  const parts = (given.rules || "").split(";").filter(Boolean);
  const rules = parts.map((part) => part.replace(/_/g, " ").replace(":", " "));
  const house = Object.entries(HOUSE_WORDS).filter(([key]) => given[key]);
  return [...rules, ...house.map(([key, words]) => words(given[key], given))].join("; ");
}

const HOUSE_WORDS = {
  finish: () => "land on the target exactly",
  open_from: (value) => `first bank ${value} or more`,
  bank_from: (value) => `every bank ${value} or more`,
  busts: (value, all) =>
    `${value} busts in a row cost ${all.penalty === "all" ? "everything" : `${all.penalty || 0} points`}`,
  last_round: () => "everybody else has one last turn",
  indifferent: () => "players who do not care roll",
};

export function labelled(words, input, more = null) {
  return el("div.field", {}, el("label", { for: input.id }, words), input, more);
}
