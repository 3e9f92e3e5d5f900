// The form for a goal: which game, what is wanted, to how many points; rules are changed on the Rules page.
import { el, games, goalOf, query } from "./base.js";

const GOAL_WORDS = { duel: "race for two", alone: "race alone", turn: "one turn" };

/** Draws the form into `host`; calls `changed(goal)` after each change. `goals` limits what can be wanted. */
export async function goalForm(host, goal, changed, { goals = ["duel", "alone", "turn"], played = false } = {}) {
  const { games: list, limits } = await games();
  const shown = list.filter((one) => played || !one.only_played);

  function draw() {
    const game = shown.find((one) => one.name === (goal.game || "pig")) || shown[0];
    const offered = game.goals.filter((one) => goals.includes(one));
    const wanted = offered.includes(goal.goal || "duel") ? goal.goal || "duel" : offered[0];
    const pick = (key, value) => {
      goal[key] = value;
      if (key === "game") {
        goal.target = "";
        goal.rules = "";
        const offers = shown.find((one) => one.name === value).goals.filter((one) => goals.includes(one));
        if (!offers.includes(goal.goal || "duel")) goal.goal = offers[0];
      }
      draw();
      changed(goal);
    };
    const parts = [
      labelled(
        "Game",
        el(
          "select",
          { id: "game", onchange: (event) => pick("game", event.target.value) },
          shown.map((one) => el("option", { value: one.name, selected: one === game }, one.title)),
        ),
      ),
    ];
    if (offered.length > 1)
      parts.push(
        labelled(
          "Goal",
          el(
            "select",
            { id: "goal", onchange: (event) => pick("goal", event.target.value) },
            offered.map((one) => el("option", { value: one, selected: one === wanted }, GOAL_WORDS[one])),
          ),
        ),
      );
    if (wanted !== "turn" && game.target)
      parts.push(
        labelled(
          "Target",
          el("input", {
            id: "target",
            type: "number",
            min: "1",
            max: String(limits.target),
            value: goal.target || String(game.target),
            onchange: (event) => pick("target", event.target.value === String(game.target) ? "" : event.target.value),
          }),
        ),
      );
    if (game.only_played) {
      host.replaceChildren(...parts, el("p.small", {}, game.about));
      return;
    }
    const link = `/rules?${query(goalOf(goal))}`;
    parts.push(
      el(
        "p.small",
        {},
        goal.rules ? `Rules: ${goal.rules.replace(/;/g, "; ").replace(/:/g, " ")} ` : `${game.about} `,
        el("a", { href: link }, goal.rules ? "change" : "Change the rules"),
      ),
    );
    host.replaceChildren(...parts);
  }
  const first = shown.find((one) => one.name === (goal.game || "pig"));
  const able = first?.goals.filter((one) => goals.includes(one)) || [];
  if (able.length && !able.includes(goal.goal || "duel")) goal.goal = able[0];
  draw();
  return { game: () => shown.find((one) => one.name === (goal.game || "pig")) || shown[0], draw };
}

export function labelled(words, input, more) {
  return el("div.field", {}, el("label", { for: input.id }, words), input, more);
}
