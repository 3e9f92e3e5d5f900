// Pictures one can point at, read with the arrow keys, show to an audience and save: heat maps, curves and bars.
import { el, safely, say } from "./base.js";
import { aboutWords, fileName, version } from "./about.js";
import { captioned, colours, csvOf, paint, saveFile, SERIES, svgOf } from "./scene.js";

export { colours, diverging, rising } from "./scene.js";
const LECTURE = 1.7;

/** The frame of a picture: title, buttons to save it and to show it large, readout. */
export function frame(host, title, about, save) {
  const plot = el("div.plot");
  const readout = el("div.readout", { "aria-live": "polite" });
  const saver = (kind) =>
    el(
      "button.small",
      { type: "button", title: `Save as ${kind}`, onclick: safely(() => save[kind](fileName(title, about, kind))) },
      kind,
    );
  const large = el(
    "button.small",
    { type: "button", title: "Full screen, for an audience", onclick: safely(() => lecture(host)) },
    "Large",
  );
  const kinds = ["PNG", "SVG", "CSV"].filter((kind) => save[kind]);
  const buttons = el(
    "span.save",
    { role: "group", "aria-label": `${title}: save or enlarge` },
    kinds.map(saver),
    large,
  );
  const under = aboutWords(about);
  host.replaceChildren(
    el(
      "figure",
      {},
      el("figcaption", {}, el("strong", {}, title), el("span.about", {}, under)),
      plot,
      el("div.below", {}, readout, buttons),
    ),
  );
  return { plot, readout };
}

/** Shows the card of a picture on the whole screen, or stops that. */
async function lecture(host) {
  const card = host.closest(".card") || host;
  if (document.fullscreenElement) await document.exitFullscreen();
  else await card.requestFullscreen();
}
addEventListener("fullscreenchange", () => {
  for (const card of document.querySelectorAll(".card")) {
    card.classList.toggle("lecture", card === document.fullscreenElement);
  }
  setTimeout(() => dispatchEvent(new Event("themechange")), 50);
});
const isLecture = (host) => Boolean(host.closest(".lecture"));

/**
 * Saves numbers as CSV below lines that say what they are.
 * @param {any[][]} rows
 */
export function saveCsv(name, title, about, rows) {
  const heads = [title, aboutWords(about), version()].map((line) => `# ${line}\n`).join("");
  saveFile(name, heads + csvOf(rows), "text/csv");
}

const drawn = new WeakMap();
/** Shows a picture that redraws itself: build(width, type) → {scene, cells}; as canvas or SVG. */
function picture(host, { title, about = {}, canvas = false, build, csv, label = "", hint = "" }) {
  let scene,
    spot = null,
    cells;
  const saved = () => captioned(scene, title, aboutWords(about), version());
  const { plot, readout } = frame(host, title, about, {
    PNG: (name) => {
      const whole = saved();
      const made = el("canvas", { width: whole.width * 2, height: whole.height * 2 });
      paint(made.getContext("2d"), whole, 2);
      made.toBlob((blob) => saveFile(name, blob));
    },
    SVG: (name) => saveFile(name, new XMLSerializer().serializeToString(svgOf(saved())), "image/svg+xml"),
    CSV: async (name) => saveCsv(name, title, about, await csv()),
  });
  readout.textContent = hint;
  plot.tabIndex = 0;
  plot.setAttribute("role", "img");
  plot.setAttribute("aria-label", `${title}. ${label} Arrow keys read the numbers.`);
  const cursor = el("div.cursor", { hidden: true });

  function draw() {
    const width = Math.max(260, Math.round(plot.clientWidth || host.clientWidth || 600));
    const large = isLecture(host);
    const room = large ? Math.max(240, innerHeight - plot.getBoundingClientRect().top - 90) : 0;
    const built = build(width, large ? LECTURE : 1, room);
    scene = { back: colours().card, ...built.scene, width };
    cells = built.cells;
    let shown;
    if (canvas) {
      const scale = Math.min(3, window.devicePixelRatio || 1);
      shown = el("canvas", { width: Math.round(width * scale), height: Math.round(scene.height * scale) });
      paint(shown.getContext("2d"), scene, scale);
    } else shown = svgOf(scene);
    shown.setAttribute("aria-hidden", "true");
    plot.replaceChildren(shown, cursor);
    mark();
  }
  function mark() {
    const cell = spot && cells.at(spot);
    cursor.hidden = !cell;
    if (!cell) return;
    const share = (plot.clientWidth || scene.width) / scene.width;
    const [x, y, w, h] = cell.rect.map((part) => part * share);
    Object.assign(cursor.style, { left: `${x - 2}px`, top: `${y - 2}px`, width: `${w + 4}px`, height: `${h + 4}px` });
    readout.textContent = cell.text;
  }
  function pointed(event) {
    const box = plot.getBoundingClientRect();
    const share = scene.width / box.width;
    return cells.find((event.clientX - box.left) * share, (event.clientY - box.top) * share);
  }
  plot.addEventListener("pointermove", (event) => {
    spot = pointed(event);
    mark();
  });
  plot.addEventListener("pointerleave", () => {
    spot = null;
    cursor.hidden = true;
    readout.textContent = hint;
  });
  plot.addEventListener("click", (event) => {
    const found = pointed(event);
    if (found) cells.pick?.(found);
  });
  plot.addEventListener("keydown", (event) => {
    const step = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] }[event.key];
    if (step) {
      spot = cells.move(spot, step[0], step[1]);
      mark();
      cells.step?.(spot);
      say(readout.textContent);
      event.preventDefault();
    } else if (event.key === "Enter" && spot) cells.pick?.(spot);
  });
  draw();
  drawn.get(host)?.();
  let last = plot.clientWidth;
  const watch = new ResizeObserver(() => {
    if (Math.abs(plot.clientWidth - last) > 1) {
      last = plot.clientWidth;
      draw();
    }
  });
  watch.observe(plot);
  addEventListener("themechange", draw);
  drawn.set(host, () => {
    watch.disconnect();
    removeEventListener("themechange", draw);
  });
  const point = (where) => {
    spot = where;
    mark();
  };
  return { draw, point };
}

const clamp = (number, least, most) => Math.max(least, Math.min(most, number));
function ticks(low, high, count) {
  const rough = (high - low) / Math.max(1, count);
  const power = 10 ** Math.floor(Math.log10(rough || 1));
  const step = [1, 2, 5, 10].map((part) => part * power).find((part) => part >= rough) || 1;
  const found = [];
  for (let tick = Math.ceil(low / step) * step; tick <= high + step * 1e-9; tick += step)
    found.push(Math.round(tick / step) * step);
  return found;
}
const short = (thing) =>
  typeof thing !== "number"
    ? String(thing)
    : Math.abs(thing) >= 1e4
      ? `${+(thing / 1000).toPrecision(4)}k`
      : String(+thing.toPrecision(6));

/** Rows of a key: [[words, colour], …] from left to right, as many rows as are needed. */
function keyRows(items, legend, left, width, ink, t) {
  let x = left,
    row = 0;
  for (const [words, fill] of legend) {
    const wide = (24 + 6.6 * words.length) * t;
    if (x > left && x + wide > width) {
      x = left;
      row++;
    }
    const y = (6 + 20 * row) * t;
    if (fill) items.push({ rect: [x, y, 12 * t, 12 * t], fill });
    items.push({ text: words, x: x + (fill ? 17 * t : 0), y: y + 10 * t, fill: ink, size: 12 * t });
    x += wide + 8 * t;
  }
  return legend.length ? (row + 1) * 20 * t + 8 * t : 8 * t;
}

/**
 * Heat map of values[y][x]; colour(v) gives a colour or null; text(x, y) the numbers; pick(x, y) on click;
 * `parts(v)` names the side a value is on: a line is drawn where it changes.
 */
export function heatMap(
  host,
  {
    title,
    about = {},
    xs,
    ys,
    values,
    xLabel,
    yLabel,
    colour,
    text,
    pick = null,
    legend = [],
    csv = null,
    hint = "",
    parts = null,
  },
) {
  const build = (width, t, room) => {
    const { ink, soft } = colours();
    const left = 52 * t,
      bottom = 40 * t,
      right = 10;
    const items = [];
    const top = keyRows(items, legend, left, width, ink, t);
    const height = room || Math.round(Math.min(480, width * 0.72)) + top;
    const w = (width - left - right) / xs.length,
      h = (height - top - bottom) / ys.length;
    const fills = values.map((row) => row.map((value) => (value === null ? null : colour(value))));
    const place = (x, y) => [left + x * w, height - bottom - y * h];
    for (let y = 0; y < ys.length; y++) {
      for (let x = 0; x < xs.length; ) {
        let end = x + 1;
        while (end < xs.length && fills[y][end] === fills[y][x]) end++;
        const [px, py] = place(x, y + 1);
        if (fills[y][x]) items.push({ rect: [px, py, (end - x) * w + 0.3, h + 0.3], fill: fills[y][x] });
        x = end;
      }
    }
    if (parts) items.push(...boundary(values, parts, place, ink, t));
    const many = typeof xs[0] === "number" ? Math.ceil(xs.length / Math.max(2, Math.floor(width / (70 * t)))) : 1;
    const label = { fill: soft, size: 11 * t };
    xs.forEach((x, i) => {
      if (i % many === 0)
        items.push({
          text: short(x),
          x: left + (i + 0.5) * w,
          y: height - bottom + 15 * t,
          anchor: "middle",
          ...label,
        });
    });
    const tall = Math.ceil(ys.length / Math.max(2, Math.floor(height / (40 * t))));
    ys.forEach((y, i) => {
      if (i % tall === 0)
        items.push({ text: short(y), x: left - 5, y: height - bottom - (i + 0.5) * h + 4, anchor: "end", ...label });
    });
    const name = { anchor: "middle", fill: ink, size: 12 * t };
    items.push({ text: xLabel, x: left + (width - left - right) / 2, y: height - 6, ...name });
    items.push({ text: yLabel, x: 12 * t, y: top + (height - top - bottom) / 2, turn: true, ...name });
    const cells = {
      at: ([x, y]) => ({ rect: [...place(x, y + 1), w, h], text: text(x, y) }),
      find: (px, py) => {
        const x = Math.floor((px - left) / w),
          y = Math.floor((height - bottom - py) / h);
        return x >= 0 && y >= 0 && x < xs.length && y < ys.length ? [x, y] : null;
      },
      move: (spot, dx, dy) =>
        spot ? [clamp(spot[0] + dx, 0, xs.length - 1), clamp(spot[1] + dy, 0, ys.length - 1)] : [0, 0],
      pick: pick && ((spot) => pick(spot[0], spot[1])),
    };
    return { scene: { items, height }, cells };
  };
  const everyCell = () => [[`${yLabel} \\ ${xLabel}`, ...xs], ...ys.map((y, i) => [y, ...values[i]])];
  return picture(host, { title, about, canvas: true, build, hint, csv: csv || everyCell });
}

/** Lines between neighbouring cells whose values are on different sides. */
function boundary(values, parts, place, stroke, t) {
  const lines = [];
  const side = (y, x) => (values[y]?.[x] === null || values[y]?.[x] === undefined ? null : parts(values[y][x]));
  const differ = (a, b) => a !== null && b !== null && a !== b;
  for (let y = 0; y < values.length; y++) {
    for (let x = 0; x < values[y].length; x++) {
      if (differ(side(y, x), side(y + 1, x)))
        lines.push({ path: [place(x, y + 1), place(x + 1, y + 1)], stroke, width: 1.2 * t });
      if (differ(side(y, x), side(y, x + 1)))
        lines.push({ path: [place(x + 1, y), place(x + 1, y + 1)], stroke, width: 1.2 * t });
    }
  }
  return lines;
}

function axes(items, box, xTicks, yTicks, place, { xLabel, yLabel, yWords, xName = short, t }) {
  const { ink, soft, line } = colours();
  const label = { fill: soft, size: 11 * t };
  for (const tick of yTicks) {
    const y = place(0, tick)[1];
    const across = [
      [box.left, y],
      [box.left + box.w, y],
    ];
    items.push({ path: across, stroke: line });
    items.push({ text: yWords(tick), x: box.left - 5, y: y + 4, anchor: "end", ...label });
  }
  let free = -Infinity; // labels that would touch are left out
  for (const tick of xTicks) {
    const at = place(tick, 0)[0];
    if (at < free) continue;
    items.push({ text: xName(tick), x: at, y: box.top + box.h + 16 * t, anchor: "middle", ...label });
    free = at + (7 * xName(tick).length + 8) * t;
  }
  const name = { anchor: "middle", fill: ink, size: 12 * t };
  items.push({ text: xLabel, x: box.left + box.w / 2, y: box.top + box.h + 34 * t, ...name });
  items.push({ text: yLabel, x: 12 * t, y: box.top + box.h / 2, turn: true, ...name });
}

/**
 * Curves over the same x; series [{name, y}]; words(v) writes a value; `range` fixes the axis, `level` a dashed line,
 * `marks` are dots [{at, colour, text}] at places of x; `pick(k)` opens a point, `step(k)` follows the arrow keys.
 */
export function lineChart(
  host,
  {
    title,
    about = {},
    x,
    series,
    xLabel,
    yLabel,
    words,
    range = null,
    from0 = false,
    level = null,
    marks = [],
    pick = null,
    step = null,
    xTicks = null,
    xName = short,
    text = null,
    hint = "",
  },
) {
  const all = series.flatMap((one) => one.y).filter((y) => y !== null);
  const low = range ? range[0] : from0 ? 0 : Math.min(...all),
    high = range ? range[1] : Math.max(...all, low + 1e-9);
  const build = (width, t, room) => {
    const { ink, soft } = colours();
    const items = [];
    const legend = series.length > 1 ? series.map((one, i) => [one.name, SERIES[i % SERIES.length]]) : [];
    const top = keyRows(items, legend, 62 * t, width, ink, t) + 4;
    const height = room || Math.round(Math.min(360, width * 0.55)) + top;
    const box = { left: 62 * t, top, w: width - 76 * t, h: height - top - 42 * t };
    const place = (a, b) => [
      box.left + (box.w * (a - x[0])) / (x[x.length - 1] - x[0] || 1),
      box.top + box.h - (box.h * (b - low)) / (high - low),
    ];
    const shownTicks = xTicks || ticks(x[0], x[x.length - 1], width / (90 * t));
    axes(items, box, shownTicks, ticks(low, high, 5), place, { xLabel, yLabel, yWords: words, xName, t });
    if (level !== null)
      items.push({ path: [place(x[0], level), place(x[x.length - 1], level)], stroke: soft, dash: [5, 4], width: 1.5 });
    series.forEach((one, i) => {
      const path = one.y.map((y, k) => [x[k], y]).filter(([, y]) => y !== null);
      items.push({ path: path.map(([a, b]) => place(a, b)), stroke: SERIES[i % SERIES.length], width: 2 * t });
    });
    for (const mark of marks)
      items.push({ dot: [...place(x[mark.at], series[0].y[mark.at]), 5 * t], fill: mark.colour });
    const named = (one) => (series.length > 1 ? `${one.name} ` : "");
    const value = (one, k) => named(one) + (one.y[k] === null ? "–" : words(one.y[k]));
    const usual = (k) => `${xLabel} ${x[k]}: ${series.map((one) => value(one, k)).join(", ")}`;
    const cells = {
      at: ([k]) => ({ rect: [place(x[k], 0)[0] - 1, box.top, 2, box.h], text: (text || usual)(k) }),
      find: (px) => [nearest(x, x[0] + ((px - box.left) / box.w) * (x[x.length - 1] - x[0]))],
      move: (spot, dx) => [clamp((spot ? spot[0] : -1) + dx, 0, x.length - 1)],
      pick: pick && (([k]) => pick(k)),
      step: step && (([k]) => step(k)),
    };
    return { scene: { items, height }, cells };
  };
  const csv = () => [
    [xLabel, ...series.map((one) => one.name)],
    ...x.map((a, k) => [a, ...series.map((one) => one.y[k])]),
  ];
  return picture(host, { title, about, build, hint, csv });
}

/** The place in a rising list that is nearest to a number. */
function nearest(list, number) {
  let best = 0;
  list.forEach((one, k) => {
    if (Math.abs(one - number) < Math.abs(list[best] - number)) best = k;
  });
  return best;
}

/** A distribution with its long thin tail as one bar. */
export function shortened(law, rest = 0.002) {
  let tail = 0,
    last = law.length;
  while (last > 12 && tail + law[last - 1][1] < rest) tail += law[--last][1];
  return last < law.length ? [...law.slice(0, last), ["more", tail]] : law;
}

/** Bars [[x, height, special?]]; words(h) writes a height; `top` fixes the axis; `csv` are the numbers in full. */
export function barChart(
  host,
  {
    title,
    about = {},
    bars,
    xLabel,
    yLabel,
    words,
    axis = words,
    name = (x) => String(x),
    top = 0,
    csv = null,
    hint = "",
  },
) {
  const high = Math.max(top, ...bars.map((bar) => bar[1]), 1e-12);
  const build = (width, t, room) => {
    const { accent, bad, soft } = colours();
    const height = room || Math.round(Math.min(300, Math.max(200, width * 0.45)));
    const box = { left: 62 * t, top: 10, w: width - 76 * t, h: height - 52 * t };
    const each = box.w / bars.length;
    const items = [];
    const place = (_, b) => [0, box.top + box.h - (box.h * b) / high];
    axes(items, box, [], ticks(0, high, 4), place, { xLabel, yLabel, yWords: axis, t });
    const longest = Math.max(...bars.map(([x]) => name(x).length));
    const many = Math.ceil(bars.length / Math.max(2, Math.floor(box.w / (t * Math.max(46, 7 * longest + 10)))));
    bars.forEach(([x, tall, special], i) => {
      const h = Math.max((box.h * tall) / high, tall > 0 ? 0.5 : 0);
      const rect = [box.left + i * each + each * 0.1, box.top + box.h - h, Math.max(1, each * 0.8), h];
      items.push({ rect, fill: special ? bad : accent });
      const label = { x: box.left + (i + 0.5) * each, y: box.top + box.h + 16 * t, anchor: "middle" };
      if (i % many === 0) items.push({ text: name(x), ...label, fill: soft, size: 11 * t });
    });
    const cells = {
      at: ([k]) => ({
        rect: [box.left + k * each, box.top, each, box.h],
        text: `${xLabel} ${name(bars[k][0])}: ${words(bars[k][1])}`,
      }),
      find: (px) => {
        const k = Math.floor((px - box.left) / each);
        return k >= 0 && k < bars.length ? [k] : null;
      },
      move: (spot, dx) => [clamp((spot ? spot[0] : -1) + dx, 0, bars.length - 1)],
    };
    return { scene: { items, height }, cells };
  };
  const rows = (csv || bars).map(([x, h]) => [name(x), h]);
  return picture(host, { title, about, build, hint, csv: () => [[xLabel, yLabel], ...rows] });
}
