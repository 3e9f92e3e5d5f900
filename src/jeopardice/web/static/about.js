// What a picture shows, in words: the game, its rules, the goal and the scores; for captions and for names of files.
import { games, goalOf } from "./base.js";
import { rulesWords } from "./goal_form.js";

const GOALS = { duel: "race for two", race: "race for three", alone: "race alone", turn: "one turn" };
const SCORES = {
  mine: (value) => `you have ${value}`,
  theirs: (value) => `they have ${[value].flat().join(" and ")}`,
  at_risk: (value) => `${value} at risk`,
  mode: (value) => `${value} ${String(value) === "1" ? "die" : "dice"} to roll`,
};
let titles = {};
games()
  .then(({ games: list }) => {
    titles = Object.fromEntries(list.map((one) => [one.name, one]));
  })
  .catch(() => {});

export const version = () => `jeopardice ${document.documentElement.dataset.version || ""}`;

/** @param {{goal?: any, [name: string]: any}} about the goal, and the scores that matter for the picture */
export function aboutWords({ goal = {}, ...scores }) {
  const given = goalOf(goal);
  const game = titles[given.game || "pig"];
  const target = given.target || game?.target;
  const kind = GOALS[given.goal || game?.goals?.[0] || "duel"] || given.goal;
  const parts = [
    `${game?.title || given.game || "Pig"}, ${kind}${target && given.goal !== "turn" ? ` to ${Number(target).toLocaleString("en")}` : ""}`,
  ];
  const rules = rulesWords(goal);
  if (rules) parts.push(rules);
  for (const [key, words] of Object.entries(SCORES)) if (scores[key] !== undefined) parts.push(words(scores[key] || 0));
  return parts.join("; ");
}

/** The name of a file that says what is in it. */
export function fileName(title, { goal = {}, ...scores }, kind) {
  const given = goalOf(goal);
  const parts = [given.game || "pig", given.goal || "duel", given.target, given.rules, title];
  for (const key of Object.keys(SCORES)) if (scores[key] !== undefined) parts.push(`${key} ${scores[key] || 0}`);
  const name = parts.filter(Boolean).join(" ").toLowerCase();
  return `jeopardice-${name
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-|-$/g, "")
    .slice(0, 120)}.${kind.toLowerCase()}`;
}
