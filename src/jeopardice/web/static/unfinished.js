// The games that were begun and not finished, remembered by this browser: a link holds a whole game.

const KEY = "games";
const MOST = 12;

/** @typedef {{ id: string, link: string, title: string, words: string, when: number }} Unfinished */

/** @returns {Unfinished[]} the newest first */
export function unfinished() {
  try {
    const games = JSON.parse(localStorage.getItem(KEY) || "[]");
    return Array.isArray(games) ? games.filter((game) => game?.id && game.link) : [];
  } catch {
    return [];
  }
}

/** @param {Unfinished[]} games */
function keep(games) {
  try {
    localStorage.setItem(KEY, JSON.stringify(games.slice(0, MOST)));
  } catch {
    /* storage is off: games live in their links alone */
  }
}

/**
 * Remembers a game as it stands.
 * @param {Unfinished} game
 */
export const leaveOpen = (game) => keep([game, ...unfinished().filter((one) => one.id !== game.id)]);

/**
 * Forgets a game.
 * @param {string} id
 */
export const close = (id) => keep(unfinished().filter((one) => one.id !== id));
