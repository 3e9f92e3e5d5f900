// Ways to hand a page on: its link, a short link, a QR code for the phone.
import { el, get, post, safely, say } from "./base.js";

/** Copies a text; over plain http on a network, where browsers have no clipboard for pages, by an old way. */
export async function copyText(text) {
  if (navigator.clipboard && window.isSecureContext) {
    await navigator.clipboard.writeText(text);
    return true;
  }
  const box = el("textarea", { readonly: true, class: "unseen", "aria-hidden": "true" });
  box.value = text;
  document.body.append(box);
  box.select();
  const done = document.execCommand("copy");
  box.remove();
  return done;
}

/** Buttons: copy the link, make it short, show it as a QR code. `link()` gives the link at that moment. */
export function shareButtons(link = () => location.href) {
  const told = el("span.small.soft", { role: "status" });
  const shown = el("div.shared");
  const copied = (text) => async () => {
    const done = await copyText(text);
    told.textContent = done ? "Copied." : "This browser does not let pages copy: select the link below.";
    if (!done) shown.replaceChildren(linkField(text));
    say(told.textContent);
  };
  const copy = el(
    "button.small",
    { type: "button", id: "copy-link", onclick: safely(() => copied(link())()) },
    "Copy the link",
  );
  const short = el(
    "button.small",
    {
      type: "button",
      id: "short-link",
      onclick: safely(async () => {
        const { code } = await post("links", { path: link().slice(location.origin.length) });
        const text = `${location.origin}/s/${code}`;
        shown.replaceChildren(linkField(text));
        await copied(text)();
      }),
    },
    "Short link",
  );
  const code = el(
    "button.small",
    {
      type: "button",
      id: "qr-code",
      onclick: safely(async () => {
        const { name } = await get("here");
        const text = link().replace(/\/\/(localhost|127\.0\.0\.1|\[::1\])(?=[:/])/, `//${name}`);
        const image = el("img.qr", {
          src: `/api/v1/qr?text=${encodeURIComponent(text)}`,
          alt: "QR code of this link",
          width: 220,
          height: 220,
        });
        const note = /\/\/(localhost|127\.|\[::1)/.test(text)
          ? "A phone cannot open this link yet: start the server with jeopardice serve --host 0.0.0.0."
          : text;
        shown.replaceChildren(image, el("p.small.soft.breaks", {}, note));
      }),
    },
    "QR code",
  );
  return el("div.share", {}, el("div.row.tight-wrap", {}, copy, short, code, told), shown);
}

function linkField(text) {
  const field = el("input", { type: "text", readonly: true, value: text, "aria-label": "The link" });
  field.addEventListener("focus", () => field.select());
  return field;
}
