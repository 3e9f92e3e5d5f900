// Draws a table from the state of a game: seats, chances, dice, board or sheet, and the choices. It decides nothing.
import { $, aboutChance, el, percent } from "./base.js";
import { boardTable } from "./board_table.js";
import { die, faceWords } from "./dice.js";
import { isChance, valueWords } from "./game_view.js";
import { sheet } from "./sheet_view.js";

/** @typedef {{ selected: Set<number>, pairing: number | null }} Picked dice by their place, and the columns picked */

/** @param {any} face a face, or the kind of die and its face */
export const faceOf = (face) => (Array.isArray(face) ? face[1] : face);

/**
 * The dice on the table at a position.
 * @param {any} position
 * @returns {any[]}
 */
export const diceOf = (position) => position.roll ?? position.dice ?? [];

/**
 * Everybody at the table, each in the colour of the seat.
 * @param {any} game
 * @param {any} position
 * @param {number} seat who has the dice; -1: nobody
 */
export function drawSeats(game, position, seat) {
  const { kind, target } = game.table;
  const many = position.standings.length;
  $("#players").classList.toggle("crowd", many > 2);
  $("#players").replaceChildren(
    ...position.standings.map((/** @type {number} */ points, /** @type {number} */ who) => {
      const inner = el("i");
      if (target) inner.style.width = `${Math.max(0, Math.min(100, (100 * points) / target))}%`;
      const of =
        kind === "board"
          ? ` / ${target} ${target === 1 ? "column" : "columns"}`
          : target
            ? ` / ${target.toLocaleString("en")}`
            : " points";
      return el(
        `div.seat.seat-${who}${who === seat ? ".turn" : ""}${game.winners?.includes(who) ? ".won" : ""}`,
        { "aria-current": who === seat ? "true" : undefined },
        el("div.who", {}, el("span.peg"), el("span.name", {}, game.names[who])),
        el("div.points", {}, points.toLocaleString("en"), el("span.of", {}, of)),
        target ? el("div.bar", { "aria-hidden": "true" }, inner) : null,
      );
    }),
  );
}

/**
 * The chances of all seats as one bar; alone what the whole game will take; nothing where nobody knows.
 * @param {any} game
 * @param {number[]} values
 */
export function drawChance(game, values) {
  const host = $("#chance");
  if (game.solving && !isChance(game.measure)) {
    host.replaceChildren();
    return;
  }
  if (values.length === 1) {
    const alone = el("strong", { id: "win-chance" }, valueWords(values[0], game.measure));
    host.replaceChildren(el("p.alone", {}, alone, " in all, with best play from here on"));
    return;
  }
  if (!isChance(game.measure)) {
    host.replaceChildren(el("p.alone", { id: "win-chance" }, "Chances to win are not known in this game."));
    return;
  }
  const bars = values.map((value, who) => {
    const part = el(`i.seat-${who}`);
    part.style.width = `${100 * value}%`;
    return part;
  });
  const words = values.map(
    (value, who) => `${game.names[who]} ${game.is_estimate ? aboutChance(value, game.spread) : percent(value)}`,
  );
  const share = (/** @type {number} */ value, /** @type {number} */ who) =>
    who === game.you ? "" : el(`span.seat-${who}`, {}, el("span.peg"), ` ${percent(value, game.is_estimate ? 0 : 1)}`);
  const shown =
    values.length === 2
      ? [el("strong", { id: "win-chance" }, words[game.you]), el("span", {}, words[1 - game.you])]
      : [el("strong", { id: "win-chance" }, words[game.you]), el("span.others", {}, values.map(share))];
  const title = game.is_estimate
    ? `This game is not solved${game.solving ? " yet" : ""}: an estimate, with the range it lies in nine times out of ten`
    : "With best play from here on";
  const bar = el("div.shares", { role: "img", "aria-label": `Chances to win: ${words.join(", ")}` }, bars);
  host.replaceChildren(el("div.chance", { title }, shown[0], el("span.label", {}, "chance to win"), shown[1], bar));
}

/**
 * The board or the sheet in the middle of the table.
 * @param {any} game
 * @param {any} position
 * @param {Picked} picked
 * @param {{ pairings: any[], pickPairing: (n: number) => void, canWrite: (box: string) => boolean,
 *   write: (box: string) => void, best?: string | null }} acts
 */
export function drawScene(game, position, picked, acts) {
  const host = $("#scene");
  const { kind } = game.table;
  $("#tray").dataset.kind = kind;
  if (kind === "board") {
    const climbed = position.boards ?? [position.standing];
    const chosen = picked.pairing === null ? null : acts.pairings[picked.pairing];
    const offers = acts.pairings.flatMap((one, choice) =>
      one.markers
        .filter(([column]) => one.columns.includes(column))
        .map(([column, space]) => ({ column, space, choice })),
    );
    const shown = { columns: game.table.columns, climbed, markers: position.markers ?? [], names: game.names };
    const preview = chosen ? chosen.markers.filter(([column]) => chosen.columns.includes(column)) : [];
    host.replaceChildren(boardTable({ ...shown, seat: position.seat, preview, offers, pick: acts.pickPairing }));
  } else if (kind === "card") {
    const table = position === game.position ? game.table : sheetAt(game.table, position);
    host.replaceChildren(sheet(table, { can: acts.canWrite, write: acts.write, best: acts.best }));
  } else host.replaceChildren();
}

/**
 * The sheet as it stood at a position.
 * @param {any} table
 * @param {any} position
 */
function sheetAt(table, position) {
  return {
    ...table,
    boxes: table.boxes.map((one) => ({ ...one, points: position.card[one.box] ?? null, offer: null })),
  };
}

/**
 * The dice; those that can be set aside are buttons.
 * @param {any[]} roll
 * @param {{ selected?: Set<number>, toggle?: (place: number) => void, bust?: boolean, rolls?: boolean, dim?: any[] }}
 *   how
 */
export function drawDice(roll, { selected = new Set(), toggle, bust = false, rolls = false, dim = [] } = {}) {
  const left = [...dim];
  const shown = roll.map((any, place) => {
    const face = faceOf(any);
    const at = left.indexOf(face);
    if (at >= 0) left.splice(at, 1);
    const picture = die(face, { classes: `${bust ? "busts" : ""} ${rolls ? "rolls" : ""} ${at >= 0 ? "kept" : ""}` });
    picture.style.setProperty("--n", String(place));
    if (!toggle) return picture;
    const key = place < 9 ? String(place + 1) : "";
    const on = selected.has(place);
    const words = `die ${place + 1} showing ${face}`;
    const made = el(
      `button.pick`,
      {
        type: "button",
        "aria-pressed": String(on),
        "aria-label": words,
        "data-place": place,
        "data-key": key,
        onclick: () => toggle(place),
      },
      picture,
    );
    picture.setAttribute("aria-hidden", "true");
    return made;
  });
  $("#dice").classList.toggle("few", roll.length < 3);
  $("#dice").replaceChildren(...shown);
}

/**
 * What has scored in this turn, each time with its points.
 * @param {{ dice: any[], points: number }[]} sets
 * @param {{ dice: any[], points: number } | null} next what is being picked now
 */
export function drawAside(sets, next) {
  const group = (one, more = "") =>
    el(
      `span.set${more}`,
      {},
      one.dice.map((face) => die(faceOf(face), { classes: "mini" })),
      el("b", {}, `+${one.points.toLocaleString("en")}`),
    );
  const shown = sets.map((one) => group(one));
  if (next) shown.push(group(next, ".next"));
  $("#aside").replaceChildren(...(shown.length ? [el("span.small", {}, "This turn"), ...shown] : []));
}

/**
 * The scoring card beside the table; lines that the dice hold are lit.
 * @param {any} game
 */
export function drawScoring(game) {
  const lines = game.table.card ?? [];
  const host = $("#scoring");
  host.hidden = !lines.length;
  if (!lines.length) return;
  const least = game.table.least ? el("p.small", {}, `A bank needs at least ${game.table.least} points now.`) : null;
  host.replaceChildren(
    el("h2", {}, "What scores"),
    el(
      "dl.scoring",
      {},
      lines.map((line) =>
        el(
          `div${line.lit === null ? "" : ".lit"}`,
          {},
          el("dt", {}, line.words),
          el("dd", {}, line.lit === null ? line.points : line.lit.toLocaleString("en")),
        ),
      ),
    ),
    ...(least ? [least] : []),
  );
}

/**
 * What happened, a line for each turn, the newest first.
 * @param {any[]} steps
 * @param {string[]} names
 */
export function drawLog(steps, names) {
  /** @type {{ turn: number, seat: number, parts: string[], end: string, bust: boolean }[]} */
  const lines = [];
  for (const step of steps) {
    let line = lines[lines.length - 1];
    if (!line || line.turn !== step.was.turn)
      lines.push((line = { turn: step.was.turn, seat: step.seat, parts: [], end: "", bust: false }));
    const told = step.words.slice(names[step.seat].length + 1).replace(/[.…!].*$/, "");
    if (step.roll !== undefined) line.parts.push(diceWords(step.roll));
    if (step.bust) [line.end, line.bust] = ["bust", true];
    else if (step.roll === undefined && step.position.turn !== step.was.turn) line.end = told;
  }
  const items = lines
    .reverse()
    .map((line) =>
      el(
        `li.seat-${line.seat}${line.bust ? ".bust" : ""}`,
        {},
        el("span.peg"),
        el("b", {}, names[line.seat]),
        ` ${line.parts.filter(Boolean).join(" · ")}`,
        line.end ? ` → ${line.end}` : " …",
      ),
    );
  $("#log").replaceChildren(...(items.length ? items : [el("li.soft", {}, "Nothing yet.")]));
}

/** @param {any} roll */
function diceWords(roll) {
  return Array.isArray(roll) ? roll.map((face) => faceWords(faceOf(face))).join(" ") : String(roll ?? "");
}
