// Dice as pictures: pips up to nine, a number beyond.
const NS = "http://www.w3.org/2000/svg";
const SPOTS = {
  1: [4],
  2: [0, 8],
  3: [0, 4, 8],
  4: [0, 2, 6, 8],
  5: [0, 2, 4, 6, 8],
  6: [0, 2, 3, 5, 6, 8],
  7: [0, 2, 3, 4, 5, 6, 8],
  8: [0, 1, 2, 3, 5, 6, 7, 8],
  9: [0, 1, 2, 3, 4, 5, 6, 7, 8],
};

export const ENDS = 1000000;

/** Returns a die; face null is a blank one, 0 a face that busts, beyond ENDS one that ends the turn. */
export function die(face, { classes = "" } = {}) {
  const svg = document.createElementNS(NS, "svg");
  svg.setAttribute("viewBox", "0 0 64 64");
  svg.setAttribute("class", `die ${classes} ${face === null ? "blank" : ""} ${face === 0 ? "busts" : ""}`);
  svg.setAttribute("role", "img");
  svg.setAttribute(
    "aria-label",
    face === null
      ? "not rolled"
      : face === 0
        ? "bust"
        : face > ENDS
          ? `${face - ENDS}, turn ends`
          : `die showing ${face}`,
  );
  add(svg, "rect", { x: 3, y: 3, width: 58, height: 58, rx: 13 });
  if (face === null) return svg;
  if (SPOTS[face])
    for (const spot of SPOTS[face])
      add(svg, "circle", { cx: 17 + 15 * (spot % 3), cy: 17 + 15 * Math.floor(spot / 3), r: 5.6 });
  else {
    const text = add(svg, "text", { x: 32, y: 43 });
    text.textContent = faceWords(face);
  }
  return svg;
}

/** A face as a line of text says it. */
export const faceWords = (/** @type {any} */ face) =>
  face === 0 ? "✕" : face > ENDS ? `${face - ENDS}!` : String(face);

function add(parent, name, attributes) {
  const made = document.createElementNS(NS, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  parent.append(made);
  return made;
}
