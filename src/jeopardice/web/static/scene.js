// A scene is a list of rectangles, lines, dots and text; the same list is painted on a canvas or written as SVG.
import { el } from "./base.js";

const NS = "http://www.w3.org/2000/svg";
const css = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
const NAMES = ["ink", "soft", "line", "card", "roll", "stop", "accent", "zero", "bad", "good"];
let known = null;
/** The colours of the theme that is shown. */
export function colours() {
  known ??= Object.fromEntries(NAMES.map((name) => [name, css(`--${name}`)]));
  return known;
}
addEventListener("themechange", () => (known = null));
export const SERIES = ["#1f77b4", "#d95f02", "#2a9d5b", "#8a5bc7", "#c2378a", "#7a6a00", "#0e8f9c", "#6b4b3a"];

export function mixed(from, to, share) {
  const a = rgb(from),
    b = rgb(to);
  return `rgb(${a.map((part, i) => Math.round(part + (b[i] - part) * share)).join(",")})`;
}
function rgb(colour) {
  if (!colour.startsWith("#"))
    return colour
      .match(/[\d.]+/g)
      .slice(0, 3)
      .map(Number); // rgb(26, 99, 163)
  return [1, 3, 5].map((i) => parseInt(colour.slice(i, i + 2), 16));
}

/** Colour of a signed number between -1 and 1: stop, nothing, roll. */
export function diverging(share) {
  const { roll, stop, zero } = colours();
  return mixed(zero, share > 0 ? roll : stop, Math.min(1, 0.22 + 0.78 * Math.sqrt(Math.abs(share))));
}
/** Colour of a number between 0 and 1. */
export function rising(share) {
  const { zero, accent } = colours();
  return mixed(zero, accent, Math.max(0, Math.min(1, share)));
}

export function paint(context, scene, scale) {
  context.setTransform(scale, 0, 0, scale, 0, 0);
  context.fillStyle = scene.back;
  context.fillRect(0, 0, scene.width, scene.height);
  for (const item of scene.items) {
    if (item.rect) {
      const [x, y, w, h] = item.rect;
      context.fillStyle = item.fill;
      context.fillRect(x, y, w, h);
    }
    if (item.dot) {
      const [x, y, r] = item.dot;
      context.fillStyle = item.fill;
      context.beginPath();
      context.arc(x, y, r, 0, 2 * Math.PI);
      context.fill();
    }
    if (item.path) {
      context.strokeStyle = item.stroke;
      context.lineWidth = item.width || 1;
      context.setLineDash(item.dash || []);
      context.beginPath();
      item.path.forEach(([x, y], i) => (i ? context.lineTo(x, y) : context.moveTo(x, y)));
      context.stroke();
      context.setLineDash([]);
    }
    if (item.text !== undefined) {
      context.save();
      context.translate(item.x, item.y);
      if (item.turn) context.rotate(-Math.PI / 2);
      context.fillStyle = item.fill;
      context.font = `${item.size || 12}px system-ui, sans-serif`;
      context.textAlign = { start: "left", middle: "center", end: "right" }[item.anchor || "start"];
      context.fillText(item.text, 0, 0);
      context.restore();
    }
  }
}

export function svgOf(scene) {
  const svg = document.createElementNS(NS, "svg");
  const add = (name, attributes, text) => {
    const made = document.createElementNS(NS, name);
    for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
    if (text !== undefined) made.textContent = text;
    svg.append(made);
  };
  svg.setAttribute("xmlns", NS);
  svg.setAttribute("viewBox", `0 0 ${scene.width} ${scene.height}`);
  svg.setAttribute("width", scene.width);
  svg.setAttribute("height", scene.height);
  add("rect", { x: 0, y: 0, width: scene.width, height: scene.height, fill: scene.back });
  const place = (number) => Math.round(number * 100) / 100;
  for (const item of scene.items) {
    if (item.rect) {
      const [x, y, w, h] = item.rect.map(place);
      add("rect", { x, y, width: w, height: h, fill: item.fill });
    }
    if (item.dot) {
      const [cx, cy, r] = item.dot.map(place);
      add("circle", { cx, cy, r, fill: item.fill });
    }
    if (item.path)
      add("polyline", {
        points: item.path.map((point) => point.map(place).join(",")).join(" "),
        fill: "none",
        stroke: item.stroke,
        "stroke-width": item.width || 1,
        ...(item.dash ? { "stroke-dasharray": item.dash.join(" ") } : {}),
      });
    if (item.text !== undefined)
      add(
        "text",
        {
          x: place(item.x),
          y: place(item.y),
          fill: item.fill,
          "font-size": item.size || 12,
          "font-family": "system-ui, sans-serif",
          "text-anchor": item.anchor || "start",
          ...(item.turn ? { transform: `rotate(-90 ${place(item.x)} ${place(item.y)})` } : {}),
        },
        item.text,
      );
  }
  return svg;
}

export function saveFile(name, body, type) {
  const link = el("a", {
    href: URL.createObjectURL(body instanceof Blob ? body : new Blob([body], { type })),
    download: name,
  });
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(link.href), 5000);
}
export const csvOf = (rows) =>
  rows
    .map((row) =>
      row
        .map((cell) =>
          cell === null || cell === undefined
            ? ""
            : /[",\n]/.test(cell)
              ? `"${String(cell).replace(/"/g, '""')}"`
              : cell,
        )
        .join(","),
    )
    .join("\n") + "\n";

const HEAD = 46,
  FOOT = 24;
/** A scene with its title and what it shows above, and the version below: as it is saved. */
export function captioned(scene, title, about, version) {
  const { ink, soft } = colours();
  const moved = scene.items.map((item) => ({
    ...item,
    ...(item.rect ? { rect: [item.rect[0], item.rect[1] + HEAD, item.rect[2], item.rect[3]] } : {}),
    ...(item.dot ? { dot: [item.dot[0], item.dot[1] + HEAD, item.dot[2]] } : {}),
    ...(item.path ? { path: item.path.map(([x, y]) => [x, y + HEAD]) } : {}),
    ...(item.text !== undefined ? { y: item.y + HEAD } : {}),
  }));
  const height = scene.height + HEAD + FOOT;
  const words = [
    { text: title, x: 12, y: 20, fill: ink, size: 15 },
    { text: about, x: 12, y: 38, fill: soft, size: Math.min(12, (1.75 * scene.width) / Math.max(1, about.length)) },
    { text: version, x: scene.width - 10, y: height - 8, fill: soft, size: 10, anchor: "end" },
  ];
  return { ...scene, height, items: [...moved, ...words] };
}
