// The tour: a strip at the top of five pages, one sentence or two each; it covers nothing and asks for nothing.
import { el } from "./base.js";

const STOPS = [
  ["/", "Here you play. Roll or stop by pressing a button or its key; the bar shows your chance to win."],
  [
    "/advise?mine=41&theirs=49&at_risk=21",
    "Here you ask what to do: set up any moment, and get every option with the reason.",
  ],
  [
    "/explore?theirs=30",
    "Here is the whole strategy in pictures. Point at them to read them; press Play to see the boundary move.",
  ],
  ["/drill", "Here you practise: ten positions, your answers graded, and the ones you missed once more."],
  [
    "/rules",
    "Here you change the rules or load the dice. After a game, Report shows what was luck and what was skill.",
  ],
];

/** Shows the strip where the link asks for it; marks the help link for people who have never opened it. */
export function tour() {
  const help = document.getElementById("help");
  try {
    if (location.pathname === "/help") localStorage.setItem("helped", "yes");
    help?.classList.toggle("new", !localStorage.getItem("helped"));
  } catch {
    /* storage is off */
  }
  const at = Number(new URLSearchParams(location.search).get("tour"));
  const stop = STOPS[at - 1];
  if (!stop || !location.pathname.startsWith(stop[0].split("?")[0])) return;
  const next = STOPS[at];
  const link = next ? `${next[0]}${next[0].includes("?") ? "&" : "?"}tour=${at + 1}` : "/help";
  document
    .getElementById("main")
    ?.prepend(
      el(
        "aside.tour.note",
        { "aria-label": "Tour" },
        el("p", {}, el("strong", {}, `${at} of ${STOPS.length}. `), stop[1]),
        el(
          "p.row",
          {},
          el("a.button.small.main", { href: link, id: "tour-next" }, next ? "Next page" : "Done"),
          el("a.button.small", { href: "/help" }, "Leave the tour"),
        ),
      ),
    );
}
tour();
