/**
 * The page's shell: which page is shown, what stands around it, and what is said when something breaks.
 * @module
 */
import { Component, effect, html, render, signal, useEffect, useRef, useState } from "./lib/html.js";
import { health } from "./lib/api.js";
import { isOutdated, settleIn } from "./lib/build.js";
import { Wheel } from "./lib/wheel.js";
import { dismiss, notices } from "./lib/notices.js";
import { sound, theme } from "./lib/prefs.js";
import { Link, route } from "./lib/router.js";
import { LanguageSelect } from "./lib/languages.js";
import { language, words } from "./lib/words.js";

/** @import { Signal } from "@preact/signals" */
/** @import { Route } from "./lib/router.js" */
/** @typedef {(props: { params: Record<string, string> }) => any} Page */

/** @type {Record<Exclude<Route["page"], "nowhere">, () => Promise<{ default: Page }>>} */
const PAGES = {
  lobby: () => import("./pages/lobby.js"),
  new: () => import("./pages/new.js"),
  table: () => import("./pages/table.js"),
  replay: () => import("./pages/replay.js"),
  race: () => import("./pages/race.js"),
  rules: () => import("./pages/rules.js"),
  privacy: () => import("./pages/privacy.js"),
};

const OFFLINE = document.documentElement.dataset["offline"] !== undefined;
const LOOK_AGAIN = 3000;

// ---------------------------------------------------------------------- light and dark

const night = matchMedia("(prefers-color-scheme: dark)");

function dress() {
  const dark = theme.value === "dark" || (theme.value === "auto" && night.matches);
  document.documentElement.dataset.theme = dark ? "dark" : "light";
}

effect(dress);
night.addEventListener("change", dress);

// ---------------------------------------------------------------------- what stands around the page

document.documentElement.lang = language;

/** The languages, each by its own name; the one that is spoken shows its letters. */
function Languages() {
  return html`<label class="tool head-language" title=${words.shell.language}>
    <span class="head-letters" aria-hidden="true">${language}</span>
    <${LanguageSelect} />
  </label>`;
}

/** @param {{ page: Route["page"] }} props */
function Tools({ page }) {
  const themes = /** @type {const} */ (["auto", "light", "dark"]);
  const now = theme.value;
  const next = () => (theme.value = themes[(themes.indexOf(now) + 1) % themes.length] ?? "auto");
  const themeWords = words.shell.themeButton(words.shell.theme[now]);
  const soundWords = sound.value ? words.shell.soundOn : words.shell.soundOff;
  return html`<div class="tools">
    ${page !== "table" &&
    html`<${Link} class="head-rules" href="/rules" aria-current=${page === "rules" ? "page" : undefined}>
      <svg viewBox="0 0 24 24" aria-hidden="true">
        <path d="M7 4.5h11v13a2.5 2.5 0 0 0 2.5 2.5H8.5a2.5 2.5 0 0 1-2.5-2.5V7a1.5 1.5 0 0 0-3 0v1.5h3M9.5 9h5.5M9.5 13h5.5" />
      </svg>
      <span>${words.shell.rules}</span>
    <//>`}
    <${Languages} />
    <button class="tool" type="button" aria-label=${soundWords} title=${soundWords} onClick=${() => (sound.value = !sound.value)}>
      <svg viewBox="0 0 24 24" aria-hidden="true">
        <path d="M4 9.5v5h3.5L12 18.5v-13L7.5 9.5z" />
        <path d=${sound.value ? "M15.5 9a4 4 0 0 1 0 6M18 6.5a7.5 7.5 0 0 1 0 11" : "M16 9.5l5 5m0-5l-5 5"} />
      </svg>
    </button>
    <button class="tool" type="button" aria-label=${themeWords} title=${themeWords} onClick=${next}>
      <svg viewBox="0 0 24 24" aria-hidden="true">
        ${now === "dark" && html`<path d="M19.5 14.5A8 8 0 0 1 9.5 4.5a8 8 0 1 0 10 10z" />`}
        ${now === "light" &&
        html`<circle cx="12" cy="12" r="4" />
          <path d="M12 3v2m0 14v2M3 12h2m14 0h2M5.6 5.6 7 7m10 10 1.4 1.4M18.4 5.6 17 7M7 17l-1.4 1.4" />`}
        ${now === "auto" &&
        html`<circle cx="12" cy="12" r="8" />
          <path d="M12 4a8 8 0 0 1 0 16z" fill="currentColor" />`}
      </svg>
    </button>
  </div>`;
}

function Notices() {
  return html`<div class="notices" role="status" aria-live="polite">
    ${notices.value.map(
      ({ key, words: text, kind }) => html`<div class=${`notice of-${kind}`} key=${key}>
        <p>${text}</p>
        <button class="tool" type="button" aria-label=${words.shell.dismiss} onClick=${() => dismiss(key)}>
          <svg viewBox="0 0 24 24" aria-hidden="true"><path d="M7 7l10 10M17 7L7 17" /></svg>
        </button>
      </div>`,
    )}
  </div>`;
}

// ---------------------------------------------------------------------- pages

/** @extends {Component<{ children?: any }, { broken: boolean }>} */
class Guard extends Component {
  /** @override */
  state = { broken: false };

  /** @param {unknown} thrown @override */
  componentDidCatch(thrown) {
    console.error(thrown);
    this.setState({ broken: true });
  }

  /** @override */
  render() {
    return this.state.broken ? html`<${Broken} />` : this.props.children;
  }
}

function Broken() {
  return html`<div class="whole-page">
    <${Wheel} />
    <h1>${words.shell.brokenTitle}</h1>
    <p>${words.shell.brokenWords}</p>
    <p class="row">
      <button class="button primary" type="button" onClick=${() => location.reload()}>${words.shell.reload}</button>
      <a class="button" href="/">${words.shell.toLobby}</a>
    </p>
  </div>`;
}

function Nowhere() {
  return html`<div class="whole-page">
    <${Wheel} />
    <h1>${words.shell.nowhereTitle}</h1>
    <p>${words.shell.nowhereWords}</p>
    <${Link} class="button primary" href="/">${words.shell.toLobby}<//>
  </div>`;
}

/** The server cannot be reached: the worker shows this wherever the reader goes, and the way leads on once it can. */
function Offline() {
  useEffect(() => {
    const look = () => void health().then(() => location.reload(), () => {});
    const looking = setInterval(look, LOOK_AGAIN);
    addEventListener("online", look);
    return () => {
      clearInterval(looking);
      removeEventListener("online", look);
    };
  }, []);
  return html`<div class="whole-page" id="offline">
    <${Wheel} />
    <h1>${words.shell.offlineTitle}</h1>
    <p>${words.shell.offlineWords}</p>
    <button class="button primary" type="button" onClick=${() => location.reload()}>${words.shell.tryAgain}</button>
  </div>`;
}

/** The pages that have come. @type {Signal<Map<string, Page>>} */
const loaded = signal(new Map());

/** @param {Exclude<Route["page"], "nowhere">} page */
async function fetchPage(page) {
  const { default: Page } = await PAGES[page]();
  loaded.value = new Map(loaded.peek()).set(page, Page);
}

/** @param {{ page: Exclude<Route["page"], "nowhere">, params: Record<string, string> }} props */
function Lazy({ page, params }) {
  const [failed, setFailed] = useState(false);
  useEffect(() => {
    if (loaded.peek().has(page)) return;
    fetchPage(page).catch(async (thrown) => {
      await health().catch(() => {});
      if (isOutdated()) return location.reload(); // the server has another build, and no longer this page's modules
      console.error(thrown);
      setFailed(true);
    });
  }, [page]);
  const Page = loaded.value.get(page);
  if (Page) return html`<${Page} params=${params} />`;
  if (failed) return html`<${Broken} />`;
  return html`<div class="whole-page"><${Wheel} rolling /><p class="soft">${words.shell.loading}</p></div>`;
}

function App() {
  const { page, params } = route.value;
  const main = useRef(/** @type {HTMLElement | null} */ (null));
  const place = `${page} ${params["table"] ?? params["replay"] ?? ""}`;
  const before = useRef(place);
  useEffect(() => {
    if (before.current !== place) main.current?.focus({ preventScroll: true });
    before.current = place;
    document.body.dataset["page"] = page;
  }, [place]);
  /** What stands after the # is the table's: a link's key. @param {Event} event */
  const skip = (event) => {
    event.preventDefault();
    main.current?.focus();
  };
  return html`<div class="shell">
    <a class="skip" href="#content" onClick=${skip}>${words.shell.skip}</a>
    <header class="awning">
      <${Link} class="wordmark" href="/" aria-label=${words.shell.home}><${Wheel} /><span>${words.shell.name}</span><//>
      <${Tools} page=${page} />
    </header>
    <main id="content" tabindex="-1" ref=${main}>
      <${Guard} key=${place}>
        ${OFFLINE && html`<${Offline} />`}
        ${!OFFLINE && page === "nowhere" && html`<${Nowhere} />`}
        ${!OFFLINE && page !== "nowhere" && html`<${Lazy} key=${page} page=${page} params=${params} />`}
      <//>
    </main>
    ${loaded.value.has(page) &&
    ["lobby", "new", "rules", "privacy"].includes(page) &&
    html`<footer class="foot">
      <p>${words.shell.footer}</p>
      <p class="foot-links">
        <${Link} href="/privacy" aria-current=${page === "privacy" ? "page" : undefined}>${words.shell.privacy}<//>
        <a href="/api/docs">${words.shell.manual}</a>
      </p>
    </footer>`}
    <${Notices} />
  </div>`;
}

// The page that was asked for is on its way already: until it comes, what index.html has in its place stays.
const first = route.peek().page;
if (!OFFLINE && first !== "nowhere") await fetchPage(first).catch(() => {});
render(html`<${App} />`, document.body);
settleIn();
