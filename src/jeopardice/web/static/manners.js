// How the table behaves: tutor, sound and speed. Part of the link, but not of the game.
import { $, el } from "./base.js";
import { hasSound, setSound } from "./effects.js";

/** How long a roll and a choice are shown, in milliseconds. @type {Record<string, [number, number]>} */
const SPEEDS = { normal: [700, 420], fast: [220, 120], instant: [0, 0] };
/** What the link says; "" is the usual. @type {{ tutor: string, speed: string }} */
export const manners = { tutor: "", speed: "" };

export const pauses = () => SPEEDS[manners.speed || "normal"];

/** @param {Record<string, string>} link */
export function readManners({ tutor, speed }) {
  tutor ??= stored("tutor");
  speed ??= stored("speed");
  manners.tutor = tutor === "off" ? "off" : "";
  manners.speed = speed in SPEEDS && speed !== "normal" ? speed : "";
}

/** What was chosen here before; a link goes before it. @param {string} name */
function stored(name) {
  try {
    return localStorage.getItem(name) ?? "";
  } catch {
    return ""; // storage is off
  }
}

/** @param {() => void} changed */
export function drawManners(changed) {
  const check = (id, words, checked, set) =>
    el(
      "label.check",
      {},
      el("input", { type: "checkbox", id, checked, onchange: (event) => set(event.target.checked) }),
      words,
    );
  const set = (more) => {
    Object.assign(manners, more);
    try {
      for (const [name, value] of Object.entries(more)) localStorage.setItem(name, value);
    } catch {
      /* storage is off */
    }
    changed();
  };
  const speed = el(
    "select",
    { id: "speed", onchange: (event) => set({ speed: event.target.value === "normal" ? "" : event.target.value }) },
    Object.keys(SPEEDS).map((name) =>
      el("option", { value: name, selected: name === (manners.speed || "normal") }, name),
    ),
  );
  $("#manners").replaceChildren(
    el("h2", {}, "This table"),
    check("tutor", "Tutor warns me of mistakes", manners.tutor !== "off", (on) => set({ tutor: on ? "" : "off" })),
    check("sound", "Sound", hasSound(), setSound),
    el("label.speed", {}, "Speed of the dice ", speed),
  );
}
