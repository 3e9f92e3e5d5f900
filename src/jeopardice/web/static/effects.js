// What makes a game lively: sounds, off until somebody wants them, and paper in the air for a win.
import { el } from "./base.js";

const CALM = matchMedia("(prefers-reduced-motion: reduce)");
const KEY = "sound";
/** @type {AudioContext | null} */
let audio = null;

/** Whether sounds are wanted. */
export function hasSound() {
  try {
    return localStorage.getItem(KEY) === "on";
  } catch {
    return false;
  }
}

/** @param {boolean} on */
export function setSound(on) {
  try {
    localStorage.setItem(KEY, on ? "on" : "off");
  } catch {
    /* storage is off */
  }
  if (on) sound("bank");
}

/**
 * A tone of some length in seconds, that begins after a delay.
 * @param {number} pitch
 * @param {number} delay
 * @param {number} length
 * @param {OscillatorType} shape
 */
function tone(pitch, delay, length, shape = "sine") {
  const from = audio.currentTime + delay;
  const source = new OscillatorNode(audio, { frequency: pitch, type: shape });
  const volume = new GainNode(audio, { gain: 0.0001 });
  volume.gain.exponentialRampToValueAtTime(0.16, from + 0.01);
  volume.gain.exponentialRampToValueAtTime(0.0001, from + length);
  source.connect(volume).connect(audio.destination);
  source.start(from);
  source.stop(from + length);
}

/**
 * Plays the sound of a roll, a bank, a bust or a win.
 * @param {"roll" | "bank" | "bust" | "win"} name
 */
export function sound(name) {
  if (!hasSound()) return;
  audio ??= new AudioContext();
  if (name === "roll") for (let i = 0; i < 4; i++) tone(160 + 60 * Math.random(), 0.06 * i, 0.05, "square");
  else if (name === "bank") [660, 880].forEach((pitch, i) => tone(pitch, 0.09 * i, 0.18));
  else if (name === "bust") [220, 165].forEach((pitch, i) => tone(pitch, 0.14 * i, 0.25, "triangle"));
  else [523, 659, 784, 1047].forEach((pitch, i) => tone(pitch, 0.13 * i, 0.3));
}

/**
 * Lets paper fall over an element; nothing where people want little motion.
 * @param {HTMLElement} host
 */
export function party(host) {
  if (CALM.matches) return;
  const papers = Array.from({ length: 36 }, (_, i) => {
    const paper = el("i");
    paper.style.left = `${(100 * (i + Math.random())) / 36}%`;
    paper.style.animationDelay = `${0.6 * Math.random()}s`;
    return paper;
  });
  host.replaceChildren(...papers);
  setTimeout(() => host.replaceChildren(), 3500);
}
