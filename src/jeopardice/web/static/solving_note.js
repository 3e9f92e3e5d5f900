// While a game that is played already is being solved: how far it is, and how long it will take.
import { $, el, safely } from "./base.js";
import { isChance } from "./game_view.js";

/**
 * Follows a solve; `solved` is called at its end if the game is still on the table.
 * @param {any} state
 * @param {{ isHere: () => boolean, solved: () => Promise<void> }} how
 */
export function watchSolving(state, { isHere, solved }) {
  const note = el("div.note.small", { role: "status" }, solvingWords(state, state.job));
  $("#left").replaceChildren(note);
  const events = new EventSource(`/api/v1/jobs/${state.job.id}/events`);
  const end = () => {
    events.close();
    note.remove();
  };
  events.addEventListener("progress", (event) => {
    if (isHere()) note.textContent = solvingWords(state, JSON.parse(event.data));
    else events.close();
  });
  events.addEventListener(
    "end",
    safely(async () => {
      end();
      if (isHere()) await solved();
    }),
  );
  events.onerror = end;
}

/**
 * @param {any} state
 * @param {{ done: number, total: number, seconds: number }} job
 */
function solvingWords(state, { done, total, seconds }) {
  const share = total > 1 ? done / total : 0;
  const left = share > 0.02 ? `, about ${Math.max(1, Math.round((seconds * (1 - share)) / share))} s left` : "";
  const far = `Solving these rules: ${Math.round(100 * share)} %${left}.`;
  return `${far} Play on: ${isChance(state.measure) ? "chances are estimates until then" : "chances come with the solution"}.`;
}
