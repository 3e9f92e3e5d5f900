// How often a roll busts once the markers stand on three columns: pick the columns, or read the whole table.
import { el, percent } from "./base.js";
import { fileName } from "./about.js";
import { saveCsv } from "./figures.js";

/** @param {{columns: number[], bust: number}[]} triples */
export function bustTable(host, triples, sides, goal) {
  const sorted = [...triples].sort((a, b) => a.bust - b.bust);
  const size = sorted[0].columns.length;
  const columns = Array.from({ length: 2 * sides - 1 }, (_, i) => i + 2);
  let picked = sorted[0].columns;
  const answer = el("p.answer", { "aria-live": "polite", id: "bust-answer" });
  const row = el("div.tabs", { role: "group", "aria-label": `Choose ${size} columns` });
  const title = "Chance of a bust by columns";
  const press = (column) => () => {
    picked = picked.includes(column) ? picked.filter((one) => one !== column) : [...picked, column].slice(-size);
    draw();
  };
  const rank = (found) => `number ${1 + sorted.indexOf(found)}`;
  function draw() {
    const focused = /** @type {HTMLElement} */ (document.activeElement)?.dataset?.column;
    row.replaceChildren(
      ...columns.map((column) =>
        el(
          "button.small",
          {
            type: "button",
            "data-column": String(column),
            "aria-pressed": String(picked.includes(column)),
            onclick: press(column),
          },
          String(column),
        ),
      ),
    );
    if (focused) /** @type {HTMLElement} */ (row.querySelector(`[data-column="${focused}"]`))?.focus();
    const chosen = [...picked].sort((a, b) => a - b).join();
    const found = sorted.find((one) => one.columns.join() === chosen);
    answer.replaceChildren(
      found ? `${percent(found.bust)} bust` : `Choose ${size} columns`,
      el(
        "span.then",
        {},
        found
          ? `with markers on ${found.columns.join(", ")}: ${rank(found)} of ${sorted.length}, the safest first`
          : "",
      ),
    );
  }
  const about = { goal };
  const rows = () => [["columns", "chance of a bust"], ...sorted.map((one) => [one.columns.join(" "), one.bust])];
  const save = () => saveCsv(fileName(title, about, "CSV"), title, about, rows());
  const cell = ({ columns: three, bust }) => {
    const made = el("tr", {}, el("td", {}, three.join(" ")), el("td.right", {}, percent(bust)));
    return made;
  };
  host.replaceChildren(
    el("h2", {}, title),
    el("p.small.soft", {}, `Your markers stand on ${size} columns. How likely does the next roll move none of them?`),
    row,
    answer,
    el(
      "details",
      {},
      el("summary", {}, `All ${sorted.length}, the safest first`),
      el(
        "div.scroll.tall",
        { tabindex: "0", role: "group", "aria-label": title },
        el(
          "table",
          {},
          el("thead", {}, el("tr", {}, el("th", {}, "Columns"), el("th.right", {}, "Bust"))),
          el("tbody", {}, sorted.map(cell)),
        ),
      ),
    ),
    el("p", {}, el("button.small", { type: "button", onclick: save }, "CSV")),
  );
  draw();
}
