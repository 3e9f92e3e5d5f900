// Shapes of pictures.

const NS = "http://www.w3.org/2000/svg";

/**
 * Returns an empty picture.
 * @param {string} box its viewBox
 * @param {string} classes
 * @param {string} words what it shows, for those who hear the page
 */
export function picture(box, classes, words) {
  const made = document.createElementNS(NS, "svg");
  const attributes = { viewBox: box, class: classes, role: "img", "aria-label": words };
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  return made;
}

/**
 * Adds a shape to a picture.
 * @param {Element} parent
 * @param {string} name
 * @param {Record<string, string | number>} attributes
 * @param {string} [words]
 */
export function shape(parent, name, attributes, words) {
  const made = document.createElementNS(NS, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, String(value));
  if (words !== undefined) made.textContent = words;
  parent.append(made);
  return made;
}
