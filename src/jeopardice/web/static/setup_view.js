// A new game: rule sets to start in one tap, a form for anything else, and the games that were left. Nothing here
// touches the game on the table before *Start*.
import { $, el, games, query, safely } from "./base.js";
import { labelled } from "./goal_form.js";
import { close, unfinished } from "./unfinished.js";

/**
 * @typedef {Record<string, string>} Link the parameters of a game's link
 * @typedef {{ start: (link: Link) => void }} Wishes
 */

/** @type {Link} */
let wish = {};

/**
 * Opens the dialog; `start` is called with the link of the game that is wanted.
 * @param {Link} now the game on the table
 * @param {Wishes} wishes
 */
export async function openSetup(now, wishes) {
  const { games: list, limits } = await games();
  const { game = list[0].name, target = "", rules = "", named = "", opponent = "", seat = "" } = now;
  wish = { game, target, rules, named, opponent, seat, goal: now.goal ?? "", players: now.players ?? "" };
  const dialog = /** @type {HTMLDialogElement} */ ($("#setup"));
  const start = (/** @type {Link} */ link) => {
    dialog.close();
    wishes.start(link);
  };
  const draw = () => dialog.replaceChildren(...parts(list, limits, start, draw, dialog));
  draw();
  if (!dialog.open) dialog.showModal();
  /** @type {HTMLElement} */ (dialog.querySelector(".tile")).focus();
}

/**
 * @param {any[]} list
 * @param {any} limits
 * @param {(link: Link) => void} start
 * @param {() => void} draw
 * @param {HTMLDialogElement} dialog
 */
function parts(list, limits, start, draw, dialog) {
  return [
    el(
      "div.setup-head",
      {},
      el("h2", { id: "setup-title" }, "New game"),
      el("button.quiet", { type: "button", "aria-label": "Close", onclick: () => dialog.close() }, "✕"),
    ),
    el("h3", {}, "Start at once"),
    tileRow(gameTiles(list), start),
    ...leftGames(dialog, draw),
    el("h3", {}, "Or set the table"),
    form(list, limits, start, draw),
    el("h3", {}, "Or rules that people play by"),
    tileRow(namedTiles(list), start),
  ];
}

/** @typedef {{ title: string, about: string, link: Link }} Tile */

/**
 * @param {Tile[]} tiles
 * @param {(link: Link) => void} start
 */
function tileRow(tiles, start) {
  const made = tiles.map(({ title, about, link }) =>
    el(
      "button.tile",
      { type: "button", title: about, "data-start": query(link), onclick: () => start(link) },
      el("strong", {}, title),
      el("span", {}, about),
    ),
  );
  return el("div.tiles", {}, made);
}

/**
 * @param {any[]} list
 * @returns {Tile[]}
 */
const gameTiles = (list) =>
  list.map((one) => ({ title: one.title, about: one.about, link: { game: one.name, goal: one.goals[0] } }));

/**
 * @param {any[]} list
 * @returns {Tile[]}
 */
const namedTiles = (list) =>
  list.flatMap((one) =>
    one.presets.map((/** @type {any} */ preset) => ({
      title: `${one.title}: ${preset.name}`,
      about: preset.about,
      link: { game: one.name, goal: one.goals[0], named: preset.named },
    })),
  );

/**
 * @param {HTMLDialogElement} dialog
 * @param {() => void} draw
 */
function leftGames(dialog, draw) {
  const open = unfinished();
  if (!open.length) return [];
  const item = (/** @type {import("./unfinished.js").Unfinished} */ one) =>
    el(
      "li",
      {},
      el("a", { href: `/?${one.link}` }, el("strong", {}, one.title), el("span", {}, one.words)),
      el(
        "button.quiet.small",
        {
          type: "button",
          "aria-label": `Forget ${one.title} ${one.words}`,
          onclick: () => {
            close(one.id);
            draw();
          },
        },
        "✕",
      ),
    );
  return [el("h3", {}, "Unfinished games"), el("ul.open-games", {}, open.map(item))];
}

/**
 * @param {any[]} list
 * @param {any} limits
 * @param {(link: Link) => void} start
 * @param {() => void} draw
 */
function form(list, limits, start, draw) {
  const game = list.find((one) => one.name === wish.game) ?? list[0];
  const alone = game.goals.includes("alone");
  const least = alone ? 1 : 2;
  const players = Math.max(least, Math.min(game.most_players, Number(wish.players) || (wish.goal === "alone" ? 1 : 2)));
  const names = (wish.opponent || "").split(",");
  const opponent = (/** @type {number} */ n) => names[Math.min(n, names.length - 1)] ?? "";
  const set = (/** @type {Link} */ more) => {
    Object.assign(wish, more);
    draw();
  };
  const option = (/** @type {string} */ value, /** @type {string} */ words, /** @type {boolean} */ selected) =>
    el("option", { value, selected }, words);
  const counts = Array.from({ length: game.most_players - least + 1 }, (_, i) => least + i);
  const aboutOf = (/** @type {string} */ name) =>
    (game.opponents.find((one) => one.name === name) ?? game.opponents[0]).about;
  const others = Array.from({ length: players - 1 }, (_, n) =>
    labelled(
      players > 2 ? `Opponent ${n + 1}` : "Opponent",
      el(
        "select",
        {
          id: `opponent-${n}`,
          onchange: (event) => {
            const chosen = Array.from({ length: players - 1 }, (_, i) => (i === n ? event.target.value : opponent(i)));
            set({ opponent: chosen.every((one) => one === chosen[0]) ? chosen[0] : chosen.join(",") });
          },
        },
        game.opponents.map((one) =>
          option(
            one.name,
            one.title,
            one.name === opponent(n) || (!one.name && !game.opponents.some((any) => any.name === opponent(n))),
          ),
        ),
      ),
      el("p.small.soft.field-about", {}, aboutOf(opponent(n))),
    ),
  );
  const field = el("input", {
    id: "target",
    type: "number",
    min: "1",
    max: String(limits.target),
    step: "1",
    required: true,
    value: wish.target || String(game.target ?? ""),
  });
  const wanted = () => ({
    game: game.name,
    goal: players === 1 ? "alone" : players === 2 ? "duel" : "race",
    players: players > 2 ? String(players) : "",
    opponent: players > 1 ? wish.opponent : "",
    seat: players > 1 ? wish.seat : "",
    rules: wish.rules,
    named: wish.named,
    target: game.target && field.value !== String(game.target) ? field.value : "",
  });
  const submit = safely(async (/** @type {Event} */ event) => {
    event.preventDefault();
    start(wanted());
  });
  return el(
    "form.setup-form",
    { onsubmit: submit },
    labelled(
      "Game",
      el(
        "select",
        {
          id: "game",
          onchange: (event) => set({ game: event.target.value, target: "", rules: "", named: "", opponent: "" }),
        },
        list.map((one) => option(one.name, one.title, one === game)),
      ),
    ),
    game.presets.length
      ? labelled(
          "Rules",
          el(
            "select",
            { id: "named", onchange: (event) => set({ named: event.target.value, rules: "", target: "" }) },
            option("", "Usual rules", !wish.named),
            game.presets.map((one) => option(one.named, one.name, wish.named === one.named)),
          ),
        )
      : null,
    counts.length > 1
      ? labelled(
          "Players",
          el(
            "select",
            {
              id: "players-count",
              onchange: (event) =>
                set({ players: event.target.value, goal: event.target.value === "1" ? "alone" : "" }),
            },
            counts.map((n) => option(String(n), n === 1 ? "1: alone" : String(n), n === players)),
          ),
        )
      : null,
    ...others,
    players === 2
      ? labelled(
          "Who begins",
          el(
            "select",
            { id: "seat", onchange: (event) => set({ seat: event.target.value }) },
            option("", "You", wish.seat !== "second"),
            option("second", "They", wish.seat === "second"),
          ),
        )
      : null,
    game.target ? labelled("Target", field) : null,
    el(
      "p.small.setup-rules",
      {},
      wish.rules ? `Rules: ${wish.rules.replace(/;/g, "; ").replace(/:/g, " ")}. ` : "",
      el("a", { href: `/rules?${query({ game: game.name, rules: wish.rules })}` }, "Change the rules"),
    ),
    el("button.main", { type: "submit", id: "start" }, "Start"),
  );
}
