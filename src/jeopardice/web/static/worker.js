// The service worker: pages and files open without a server, as they were when they were last seen. Answers are never
// kept: anybody who plays needs the server on this machine, and a page that is opened without one says so.

const SHELF = "jeopardice-pages";
const own = /** @type {any} */ (globalThis);

own.addEventListener("install", () => own.skipWaiting());
own.addEventListener("activate", (/** @type {any} */ event) => event.waitUntil(own.clients.claim()));
own.addEventListener("fetch", (/** @type {any} */ event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  const isAnswer = pathname.startsWith("/api/");
  if (request.method !== "GET" || origin !== own.location.origin || isAnswer || pathname === "/plotly.js") return;
  event.respondWith(fresh(request));
});

/**
 * The newest version if the server answers, else the one that was kept.
 * @param {Request} request
 */
async function fresh(request) {
  const shelf = await caches.open(SHELF);
  const name = new URL(request.url).pathname; // the link of a game says what a page shows, and not which page it is
  try {
    const answer = await fetch(request);
    if (answer.ok && !answer.redirected) await shelf.put(name, answer.clone());
    return answer;
  } catch (failure) {
    const kept = await shelf.match(name);
    if (kept) return kept;
    throw failure;
  }
}
