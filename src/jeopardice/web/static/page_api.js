// The API for people: every endpoint with its parameters, out of the OpenAPI description.
import { $, el, get, safely } from "./base.js";

function kindOf(schema = {}) {
  if (schema.enum) return schema.enum.join(" | ");
  if (schema.type) return schema.type;
  const kinds = (schema.anyOf || []).map(kindOf).filter((kind) => kind !== "null");
  return kinds.join(" or ");
}

function detail(schema = {}) {
  const usual = schema.default;
  return [
    kindOf(schema),
    usual === undefined || usual === null || usual === "" ? "" : `default ${JSON.stringify(usual)}`,
    schema.maximum === undefined ? "" : `at most ${schema.maximum.toLocaleString("en")}`,
    schema.maxLength ? `at most ${schema.maxLength} characters` : "",
  ]
    .filter(Boolean)
    .join(", ");
}

/** The parameters of an endpoint, those of its body last, as rows of a table. */
function rowsOf(one, schemas) {
  const reference = one.requestBody?.content?.["application/json"]?.schema?.$ref?.split("/").pop();
  const body = Object.entries(reference ? schemas[reference].properties || {} : {});
  const parts = [
    ...(one.parameters || []).map((part) => [part.name, part.schema, part.in, part.description]),
    ...body.map(([key, schema]) => [key, schema, "body", ""]),
  ];
  return parts.map(([key, schema, where, words]) => {
    const cells = [el("code", {}, key), where, detail(schema), words || schema?.description || ""];
    return el(
      "tr",
      {},
      cells.map((cell) => el("td", {}, cell)),
    );
  });
}

function endpoint([method, path, one], schemas) {
  const rows = rowsOf(one, schemas);
  const heads = ["Name", "In", "Kind", "Meaning"].map((words) => el("th", {}, words));
  const attributes = { tabindex: "0", role: "group", "aria-label": `Parameters of ${method} ${path}` };
  const table = el("table", {}, el("thead", {}, el("tr", {}, heads)), el("tbody", {}, rows));
  return el(
    "details",
    {},
    el("summary", {}, el("span.tag", {}, method.toUpperCase()), " ", el("code", {}, path), ` ${one.summary || ""}`),
    el("p", {}, one.description || ""),
    rows.length ? el("div.scroll", attributes, table) : "",
  );
}

safely(async () => {
  const api = await get("openapi.json");
  const groups = {};
  for (const [path, methods] of Object.entries(api.paths)) {
    for (const [method, one] of Object.entries(methods)) {
      (groups[one.tags?.[0] || "other"] ??= []).push([method, path, one]);
    }
  }
  const cards = Object.entries(groups).map(([name, list]) => {
    const title = el("h2", {}, name[0].toUpperCase() + name.slice(1));
    const parts = list.map((one) => endpoint(one, api.components.schemas));
    return el("section.card", { "aria-label": name }, title, parts);
  });
  $("#endpoints").replaceChildren(...cards);
})();
