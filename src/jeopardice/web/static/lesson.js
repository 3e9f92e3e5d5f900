// The rules of a game in sentences, as a list.
import { el } from "./base.js";

/**
 * Sentences as a list; those that begin with a dash belong below the one before.
 * @param {string[]} sentences
 */
export function lesson(sentences) {
  const whole = el("ul.lesson");
  for (const one of sentences) {
    if (!one.startsWith("- ")) whole.append(el("li", {}, one));
    else {
      if (!whole.lastElementChild?.querySelector("ul")) whole.lastElementChild?.append(el("ul"));
      whole.lastElementChild?.querySelector("ul").append(el("li", {}, one.slice(2)));
    }
  }
  return whole;
}
