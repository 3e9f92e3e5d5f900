// An editor for the faces of a die of one's own: what each face does, its points, and how often it falls.
import { el, percent } from "./base.js";
import { die, ENDS } from "./dice.js";

const EFFECTS = { score: "scores", bust: "busts", bank: "scores and ends the turn" };

function readFaces(text) {
  return text.split(",").map((word) => {
    const [effect, weight = "1"] = word.trim().split("*");
    if (effect === "bust") return { effect: "bust", points: "", weight };
    return { effect: effect.startsWith("bank") ? "bank" : "score", points: effect.replace("bank", ""), weight };
  });
}

function writeFaces(faces) {
  const word = (one) => (one.effect === "bust" ? "bust" : `${one.effect === "bank" ? "bank" : ""}${one.points || 1}`);
  return faces.map((one) => `${word(one)}${one.weight === "1" ? "" : `*${one.weight}`}`).join(",");
}

const shownFace = (one) =>
  one.effect === "bust" ? 0 : one.effect === "bank" ? ENDS + Number(one.points) : Number(one.points);

/** Draws the editor; `set(text, focus)` after each change. */
export function facesEditor(text, limits, set) {
  const faces = readFaces(text);
  const total = faces.reduce((sum, one) => sum + Number(one.weight), 0);
  const done = (focus) => set(writeFaces(faces), focus);
  const number = (i, key, words, most, disabled) => {
    const id = `${key}-${i}`;
    const changed = (event) => {
      faces[i][key] = String(Math.max(1, Math.min(most, Math.round(Number(event.target.value) || 1))));
      done(id);
    };
    const bounds = { type: "number", min: "1", max: String(most), value: faces[i][key] };
    return el("div", {}, el("label", { for: id }, words), el("input", { id, ...bounds, disabled, onchange: changed }));
  };
  const row = (one, i) => {
    const share = percent(Number(one.weight) / total);
    const pick = (event) => {
      one.effect = event.target.value;
      done(`effect-${i}`);
    };
    const remove = () => {
      faces.splice(i, 1);
      done("add-face");
    };
    const options = Object.entries(EFFECTS).map(([name, words]) =>
      el("option", { value: name, selected: name === one.effect }, words),
    );
    const out = { type: "button", "aria-label": `Remove face ${i + 1}`, disabled: faces.length <= 2, onclick: remove };
    return el(
      "div.face-row",
      { role: "group", "aria-label": `Face ${i + 1}, falls in ${share}` },
      die(shownFace(one), { classes: "small" }),
      el("select", { id: `effect-${i}`, "aria-label": "what it does", onchange: pick }, options),
      number(i, "points", "points", limits.face_points, one.effect === "bust"),
      number(i, "weight", "how often", limits.face_weight, false),
      el("button.small", out, "✕"),
    );
  };
  const add = () => {
    const most = Math.max(0, ...faces.map((one) => Number(one.points)));
    faces.push({ effect: "score", points: String(most + 1), weight: "1" });
    done("add-face");
  };
  const full = faces.length >= limits.faces;
  return el(
    "fieldset.card",
    {},
    el("legend", {}, "The faces of a die"),
    el("div.faces", {}, faces.map(row)),
    el("p", {}, el("button.small", { type: "button", id: "add-face", disabled: full, onclick: add }, "Add a face")),
  );
}
