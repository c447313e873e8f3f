/**
 * The service worker: keeps the files of its own build, and says so in the reader's language when the server cannot be
 * reached. Pages always come from the server, and what the API answers is never kept: it is nobody's but the reader's.
 * The server writes in what its build is; files of another build are left to the network, so that no page mixes two.
 */
const BUILD = "BUILD_NAME";
const CACHE = `avecaesar-${BUILD}`;
const FILES = `${location.origin}/static/v-${BUILD}/`;
const OFFLINE = "/offline";
const SHELL = ["SHELL_FILES"]; // what that page is made of
const NOBODY_HOME = [502, 503, 504]; // what a proxy says while the server is away

/** @typedef {Event & { waitUntil: (work: Promise<unknown>) => void }} Lasting */
/**
 * @typedef {Lasting & { request: Request, preloadResponse: Promise<Response | undefined>,
 *   respondWith: (answer: Promise<Response>) => void }} Asked
 */
const worker = /** @type {any} */ (self);

worker.addEventListener("install", (/** @type {Lasting} */ event) => {
  event.waitUntil(keep([OFFLINE, ...SHELL.map((name) => FILES + name)]).then(() => worker.skipWaiting()));
});

worker.addEventListener("activate", (/** @type {Lasting} */ event) => {
  event.waitUntil(begin());
});

/** The page tells what it has loaded, before there was a worker to see it. */
worker.addEventListener("message", (/** @type {Lasting & { data: { keep?: string[] } }} */ event) => {
  event.waitUntil(keep((event.data.keep ?? []).filter((address) => address.startsWith(FILES))));
});

worker.addEventListener("fetch", (/** @type {Asked} */ event) => {
  const { request } = event;
  if (request.mode === "navigate") event.respondWith(page(event));
  else if (request.method === "GET" && request.url.startsWith(FILES)) event.respondWith(file(request));
});

async function begin() {
  const old = (await caches.keys()).filter((name) => name.startsWith("avecaesar-") && name !== CACHE);
  await Promise.all(old.map((name) => caches.delete(name)));
  await worker.registration.navigationPreload?.enable(); // so that a page need not wait until the worker is awake
  await worker.clients.claim();
}

/** @param {string[]} addresses */
async function keep(addresses) {
  const cache = await caches.open(CACHE);
  await Promise.all(
    addresses.map(async (address) => {
      if (!(await cache.match(address, { ignoreVary: true }))) await cache.add(address);
    }),
  );
}

/** @param {Asked} event */
async function page(event) {
  try {
    const answer = (await event.preloadResponse) ?? (await fetch(event.request));
    if (!NOBODY_HOME.includes(answer.status)) return answer;
  } catch {
    // nobody answers
  }
  return (await caches.match(OFFLINE, { ignoreVary: true })) ?? Response.error();
}

/** @param {Request} request */
async function file(request) {
  const cache = await caches.open(CACHE);
  const kept = await cache.match(request, { ignoreVary: true });
  if (kept) return kept;
  const answer = await fetch(request);
  if (answer.ok) await cache.put(request, answer.clone());
  return answer;
}
