// The API for people: every endpoint with its parameters, out of the OpenAPI description.
import { $, el, get, safely } from "./base.js";

const kindOf = (schema = {}) =>
  schema.type ||
  (schema.anyOf || [])
    .map(kindOf)
    .filter((kind) => kind !== "null")
    .join(" or ") ||
  (schema.enum || []).join(" | ") ||
  "";
const detail = (schema = {}) =>
  [
    schema.enum ? schema.enum.join(" | ") : kindOf(schema),
    schema.default !== undefined && schema.default !== null && schema.default !== ""
      ? `default ${JSON.stringify(schema.default)}`
      : "",
    schema.maximum !== undefined ? `at most ${schema.maximum}` : "",
    schema.maxLength ? `at most ${schema.maxLength} characters` : "",
  ]
    .filter(Boolean)
    .join(", ");

safely(async () => {
  const api = await get("openapi.json");
  const groups = {};
  for (const [path, methods] of Object.entries(api.paths))
    for (const [method, one] of Object.entries(methods))
      (groups[one.tags?.[0] || "other"] ??= []).push([method, path, one]);
  $("#endpoints").replaceChildren(
    ...Object.entries(groups).map(([name, list]) =>
      el(
        "section.card",
        { "aria-label": name },
        el("h2", {}, name[0].toUpperCase() + name.slice(1)),
        list.map(([method, path, one]) => {
          const reference = one.requestBody?.content?.["application/json"]?.schema?.$ref?.split("/").pop();
          const body = reference
            ? Object.entries(api.components.schemas[reference].properties || {}).map(([key, schema]) => [
                key,
                schema,
                "body",
              ])
            : [];
          const rows = [...(one.parameters || []).map((p) => [p.name, p.schema, p.in, p.description]), ...body].map(
            ([key, schema, where, words]) =>
              el(
                "tr",
                {},
                el("td", {}, el("code", {}, key)),
                el("td", {}, where),
                el("td", {}, detail(schema)),
                el("td", {}, words || schema?.description || ""),
              ),
          );
          return el(
            "details",
            {},
            el(
              "summary",
              {},
              el("span.tag", {}, method.toUpperCase()),
              " ",
              el("code", {}, path),
              ` ${one.summary || ""}`,
            ),
            el("p", {}, one.description || ""),
            rows.length ? el("div.scroll", {}, el("table", {}, el("tbody", {}, rows))) : "",
          );
        }),
      ),
    ),
  );
})();
