/**
 * Which build of the page this is, and whether the server has moved on to another since.
 * @module
 */
const OWN = document.documentElement.dataset["build"] ?? "";

let moved = false;

/** Every answer of the server names the build that belongs to it. @param {Response} response */
export function hearBuild(response) {
  const theirs = response.headers.get("Avecaesar-Build");
  if (theirs) moved = theirs !== OWN;
}

/** Whether the page must be loaded again before it goes elsewhere. */
export const isOutdated = () => moved;

/**
 * Keeps the page's files for the next time, and for when the server cannot be reached: see `worker.js`. It waits until
 * the page has loaded, so that it takes nothing from it.
 */
export function settleIn() {
  if (!("serviceWorker" in navigator)) return; // only over TLS, and on localhost
  const workers = navigator.serviceWorker;
  const tell = () => {
    const keep = performance.getEntriesByType("resource").map((entry) => entry.name);
    workers.controller?.postMessage({ keep });
  };
  const settle = async () => {
    workers.addEventListener("controllerchange", tell);
    await workers.register("/worker.js", { updateViaCache: "none" });
    tell();
  };
  const soon = () => void settle().catch(() => {}); // a browser may forbid it; the page does without
  if (document.readyState === "complete") soon();
  else addEventListener("load", soon, { once: true });
}
