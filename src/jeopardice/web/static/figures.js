// Pictures: a scene of rectangles, lines and text that is painted on a canvas or written as SVG; both from the same list.
import { el, say } from "./base.js";

const NS = "http://www.w3.org/2000/svg";
const css = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
export const colours = () => ({
  ink: css("--ink"),
  soft: css("--soft"),
  line: css("--line"),
  card: css("--card"),
  roll: css("--roll"),
  stop: css("--stop"),
  accent: css("--accent"),
  zero: css("--zero"),
  bad: css("--bad"),
});
const SERIES = ["#1f77b4", "#d95f02", "#2a9d5b", "#8a5bc7", "#c2378a", "#7a6a00", "#0e8f9c", "#6b4b3a"];

function mixed(from, to, share) {
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

function paint(context, scene, scale) {
  context.setTransform(scale, 0, 0, scale, 0, 0);
  context.fillStyle = scene.back;
  context.fillRect(0, 0, scene.width, scene.height);
  for (const item of scene.items) {
    if (item.rect) {
      const [x, y, w, h] = item.rect;
      context.fillStyle = item.fill;
      context.fillRect(x, y, w, h);
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

function svgOf(scene) {
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
const csvOf = (rows) =>
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

/** The frame of a picture: title, buttons to save, readout; `save` maps PNG, SVG, CSV to functions. */
export function frame(host, title, save) {
  const name = title
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-|-$/g, "");
  const plot = el("div.plot");
  const readout = el("div.readout", { "aria-live": "polite" });
  const buttons = el(
    "span.save",
    { role: "group", "aria-label": `Save ${title}` },
    ["PNG", "SVG", "CSV"]
      .filter((kind) => save[kind])
      .map((kind) =>
        el(
          "button.small",
          { type: "button", title: `Save as ${kind}`, onclick: () => save[kind](`${name}.${kind.toLowerCase()}`) },
          kind,
        ),
      ),
  );
  host.replaceChildren(el("figure", {}, el("figcaption", {}, el("strong", {}, title), buttons), plot, readout));
  return { plot, readout };
}

/** Shows a picture that redraws itself: build(width) → {scene, spots(i) …}; as canvas or SVG. */
function picture(host, { title, canvas = false, build, csv, label = "", hint = "" }) {
  let scene,
    spot = null,
    cells;
  const { plot, readout } = frame(host, title, {
    PNG: (name) => {
      const made = el("canvas", { width: scene.width * 2, height: scene.height * 2 });
      paint(made.getContext("2d"), scene, 2);
      made.toBlob((blob) => saveFile(name, blob));
    },
    SVG: (name) => saveFile(name, new XMLSerializer().serializeToString(svgOf(scene)), "image/svg+xml"),
    CSV: (name) => saveFile(name, csvOf(csv()), "text/csv"),
  });
  readout.textContent = hint;
  plot.tabIndex = 0;
  plot.setAttribute("role", "img");
  plot.setAttribute("aria-label", `${title}. ${label} Arrow keys read the numbers.`);
  const cursor = el("div.cursor", { hidden: true });

  function draw() {
    const width = Math.max(260, Math.round(plot.clientWidth || host.clientWidth || 600));
    const built = build(width);
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
      say(readout.textContent);
      event.preventDefault();
    } else if (event.key === "Enter" && spot) cells.pick?.(spot);
  });
  draw();
  let last = plot.clientWidth;
  new ResizeObserver(() => {
    if (Math.abs(plot.clientWidth - last) > 1) {
      last = plot.clientWidth;
      draw();
    }
  }).observe(plot);
  addEventListener("themechange", draw);
  return { draw };
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
const short = (number) =>
  Math.abs(number) >= 1e4 ? `${+(number / 1000).toPrecision(4)}k` : String(+number.toPrecision(6));

/** Heat map of values[y][x]; colour(v) gives a colour or null; text(x, y) the numbers; pick(x, y) on click. */
export function heatMap(
  host,
  { title, xs, ys, values, xLabel, yLabel, colour, text, pick = null, legend = [], csv = null, hint = "" },
) {
  const build = (width) => {
    const { ink, soft } = colours();
    const left = 52,
      bottom = 40,
      top = legend.length ? 28 : 8,
      right = 10;
    const height = Math.round(Math.min(480, width * 0.72)) + top;
    const w = (width - left - right) / xs.length,
      h = (height - top - bottom) / ys.length;
    const items = [];
    for (let y = 0; y < ys.length; y++) {
      for (let x = 0; x < xs.length; ) {
        const fill = values[y][x] === null ? null : colour(values[y][x]);
        let end = x + 1;
        while (end < xs.length && (values[y][end] === null ? null : colour(values[y][end])) === fill) end++;
        if (fill)
          items.push({ rect: [left + x * w, height - bottom - (y + 1) * h, (end - x) * w + 0.3, h + 0.3], fill });
        x = end;
      }
    }
    const many = typeof xs[0] === "number" ? Math.ceil(xs.length / Math.max(2, Math.floor(width / 70))) : 1;
    xs.forEach((x, i) => {
      if (i % many === 0)
        items.push({
          text: short2(x),
          x: left + (i + 0.5) * w,
          y: height - bottom + 15,
          anchor: "middle",
          fill: soft,
          size: 11,
        });
    });
    const tall = Math.ceil(ys.length / Math.max(2, Math.floor(height / 40)));
    ys.forEach((y, i) => {
      if (i % tall === 0)
        items.push({
          text: short2(y),
          x: left - 5,
          y: height - bottom - (i + 0.5) * h + 4,
          anchor: "end",
          fill: soft,
          size: 11,
        });
    });
    items.push({
      text: xLabel,
      x: left + (width - left - right) / 2,
      y: height - 6,
      anchor: "middle",
      fill: ink,
      size: 12,
    });
    items.push({
      text: yLabel,
      x: 12,
      y: top + (height - top - bottom) / 2,
      anchor: "middle",
      fill: ink,
      size: 12,
      turn: true,
    });
    legendItems(items, legend, left, ink);
    const rect = ([x, y]) => [left + x * w, height - bottom - (y + 1) * h, w, h];
    const cells = {
      at: (spot) => ({ rect: rect(spot), text: text(spot[0], spot[1]) }),
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
  return picture(host, {
    title,
    canvas: true,
    build,
    hint,
    csv: csv || (() => [[yLabel, ...xs], ...ys.map((y, i) => [y, ...values[i]])]),
  });
}
const short2 = (thing) => (typeof thing === "number" ? short(thing) : String(thing));

function legendItems(items, legend, left, ink) {
  let x = left;
  for (const [words, fill] of legend) {
    items.push({ rect: [x, 6, 12, 12], fill }, { text: words, x: x + 17, y: 16, fill: ink, size: 12 });
    x += 34 + 6.6 * words.length;
  }
}

function axes(items, box, xTicks, yTicks, place, { xLabel, yLabel, yWords }) {
  const { ink, soft, line } = colours();
  for (const tick of yTicks) {
    const y = place(0, tick)[1];
    items.push(
      {
        path: [
          [box.left, y],
          [box.left + box.w, y],
        ],
        stroke: line,
      },
      { text: yWords(tick), x: box.left - 5, y: y + 4, anchor: "end", fill: soft, size: 11 },
    );
  }
  for (const tick of xTicks)
    items.push({
      text: short(tick),
      x: place(tick, 0)[0],
      y: box.top + box.h + 16,
      anchor: "middle",
      fill: soft,
      size: 11,
    });
  items.push({ text: xLabel, x: box.left + box.w / 2, y: box.top + box.h + 34, anchor: "middle", fill: ink, size: 12 });
  items.push({ text: yLabel, x: 12, y: box.top + box.h / 2, anchor: "middle", fill: ink, size: 12, turn: true });
}

/** Curves over the same x; series [{name, y}]; words(v) writes a value. */
export function lineChart(host, { title, x, series, xLabel, yLabel, words, from0 = false, hint = "" }) {
  const all = series.flatMap((one) => one.y).filter((y) => y !== null);
  const low = from0 ? 0 : Math.min(...all),
    high = Math.max(...all, low + 1e-9);
  const build = (width) => {
    const { ink } = colours();
    const legend = series.length > 1 ? series.map((one, i) => [one.name, SERIES[i % SERIES.length]]) : [];
    const perRow = Math.max(1, Math.floor((width - 62) / 130));
    const top = 10 + Math.ceil(legend.length / perRow) * 20;
    const height = Math.round(Math.min(360, width * 0.55)) + top;
    const box = { left: 62, top, w: width - 76, h: height - top - 42 };
    const place = (a, b) => [
      box.left + (box.w * (a - x[0])) / (x[x.length - 1] - x[0] || 1),
      box.top + box.h - (box.h * (b - low)) / (high - low),
    ];
    const items = [];
    axes(items, box, ticks(x[0], x[x.length - 1], width / 90), ticks(low, high, 5), place, {
      xLabel,
      yLabel,
      yWords: words,
    });
    series.forEach((one, i) =>
      items.push({
        path: one.y
          .map((y, k) => [x[k], y])
          .filter(([, y]) => y !== null)
          .map(([a, b]) => place(a, b)),
        stroke: SERIES[i % SERIES.length],
        width: 2,
      }),
    );
    legend.forEach(([name, fill], i) => {
      const lx = 62 + (i % perRow) * 130,
        ly = 6 + Math.floor(i / perRow) * 20;
      items.push({ rect: [lx, ly, 12, 12], fill }, { text: name, x: lx + 17, y: ly + 10, fill: ink, size: 12 });
    });
    const at = ([k]) => ({
      rect: [place(x[k], 0)[0] - 1, box.top, 2, box.h],
      text: `${xLabel} ${x[k]}: ${series.map((one) => `${series.length > 1 ? one.name + " " : ""}${one.y[k] === null ? "–" : words(one.y[k])}`).join(", ")}`,
    });
    const cells = {
      at,
      find: (px) => [clamp(Math.round(((px - box.left) / box.w) * (x.length - 1)), 0, x.length - 1)],
      move: (spot, dx) => [clamp((spot ? spot[0] : -1) + dx, 0, x.length - 1)],
    };
    return { scene: { items, height }, cells };
  };
  return picture(host, {
    title,
    build,
    hint,
    csv: () => [[xLabel, ...series.map((one) => one.name)], ...x.map((a, k) => [a, ...series.map((one) => one.y[k])])],
  });
}

/** A law with its long thin tail as one bar. */
export function shortened(law, rest = 0.002) {
  let tail = 0,
    last = law.length;
  while (last > 12 && tail + law[last - 1][1] < rest) tail += law[--last][1];
  return last < law.length ? [...law.slice(0, last), ["more", tail]] : law;
}

/** Bars [[x, height, special?]]; words(h) writes a height. */
export function barChart(
  host,
  { title, bars, xLabel, yLabel, words, axis = words, name = (x) => String(x), hint = "" },
) {
  const high = Math.max(...bars.map((bar) => bar[1]), 1e-12);
  const build = (width) => {
    const { accent, bad, soft } = colours();
    const height = Math.round(Math.min(300, Math.max(200, width * 0.45)));
    const box = { left: 62, top: 10, w: width - 76, h: height - 52 };
    const each = box.w / bars.length;
    const items = [];
    axes(items, box, [], ticks(0, high, 4), (a, b) => [0, box.top + box.h - (box.h * b) / high], {
      xLabel,
      yLabel,
      yWords: axis,
    });
    const many = Math.ceil(bars.length / Math.max(2, Math.floor(box.w / 46)));
    bars.forEach(([x, tall, special], i) => {
      const h = Math.max((box.h * tall) / high, tall > 0 ? 0.5 : 0);
      items.push({
        rect: [box.left + i * each + each * 0.1, box.top + box.h - h, Math.max(1, each * 0.8), h],
        fill: special ? bad : accent,
      });
      if (i % many === 0)
        items.push({
          text: name(x),
          x: box.left + (i + 0.5) * each,
          y: box.top + box.h + 16,
          anchor: "middle",
          fill: soft,
          size: 11,
        });
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
  return picture(host, { title, build, hint, csv: () => [[xLabel, yLabel], ...bars.map(([x, h]) => [name(x), h])] });
}
