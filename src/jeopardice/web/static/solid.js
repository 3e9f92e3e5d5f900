// Surfaces in three dimensions, by plotly.js out of the installed package; loaded only when somebody asks for one.
import { el } from "./base.js";
import { saveCsv, frame } from "./figures.js";
import { colours, saveFile } from "./scene.js";

let plotly;
/** Loads plotly.js; the content security policy forbids the style sheets it would write, so they are left out. */
export function loadPlotly() {
  plotly ??= new Promise((resolve, reject) => {
    const make = document.createElement.bind(document);
    document.createElement = (/** @type {string} */ name, ...more) =>
      make(String(name).toLowerCase() === "style" ? "template" : name, ...more);
    document.head.append(el("template", { id: "plotly.js-style-global", class: "no-inline-styles" }));
    const script = el("script", { src: "/plotly.js" });
    script.onload = () => resolve(/** @type {any} */ (window).Plotly);
    script.onerror = () => reject(new Error("plotly.js is missing; install it with: pip install 'jeopardice[web]'"));
    document.head.append(script);
  });
  return plotly;
}

export function hasWebGL() {
  try {
    return Boolean(document.createElement("canvas").getContext("webgl"));
  } catch {
    return false;
  }
}

function blobOf(link64) {
  const [head, body] = link64.split(",");
  const text = head.includes("base64") ? atob(body) : decodeURIComponent(body);
  const bytes = Uint8Array.from(text, (letter) => letter.charCodeAt(0));
  return new Blob([bytes], { type: head.slice(5).split(";")[0] });
}

/**
 * Draws surfaces over x and y; each layer has a name, heights[y][x] and a scale of colours.
 * @param {HTMLElement} host
 */
export async function drawSolid(host, { title, about, x, y, layers, xLabel, yLabel, zLabel, hover, csv }) {
  const picture = await loadPlotly();
  const image = (kind) => async (name) => {
    const made = await picture.toImage(plot, { format: kind, width: 900, height: 700 });
    saveFile(name, blobOf(made));
  };
  const { plot, readout } = frame(host, title, about, {
    PNG: image("png"),
    SVG: image("svg"),
    CSV: async (name) => saveCsv(name, title, about, await csv()),
  });
  plot.classList.add("surface");
  plot.setAttribute("role", "img");
  plot.setAttribute("aria-label", `${title}: a picture in three dimensions. The CSV button gives its numbers.`);
  const draw = () => {
    if (!plot.isConnected) return removeEventListener("themechange", draw);
    const { ink, card, line } = colours();
    const axis = (text) => ({ title: { text }, color: ink, gridcolor: line, zerolinecolor: line });
    const data = layers.map((layer) => ({
      type: "surface",
      x,
      y,
      z: layer.heights,
      colorscale: layer.scale,
      showscale: false,
      opacity: layer.opacity ?? 1,
      name: layer.name,
      hovertemplate: `${hover}<extra>${layer.name}</extra>`,
    }));
    const camera = { eye: { x: -1.65, y: -1.65, z: 1 }, center: { x: 0, y: 0, z: -0.1 } };
    const layout = {
      margin: { l: 0, r: 0, t: 0, b: 0 },
      paper_bgcolor: card,
      font: { color: ink },
      scene: { xaxis: axis(xLabel), yaxis: axis(yLabel), zaxis: axis(zLabel), camera },
    };
    return picture.react(plot, data, layout, { displayModeBar: false, responsive: true });
  };
  await draw();
  readout.textContent = "Drag to turn it, scroll to zoom.";
  addEventListener("themechange", draw);
}
