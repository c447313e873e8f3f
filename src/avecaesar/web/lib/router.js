/**
 * Where the reader is, and how he gets elsewhere without loading the page again.
 * @module
 */
import { isOutdated } from "./build.js";
import { computed, html, signal } from "./html.js";

/** @typedef {{ page: "lobby" | "new" | "table" | "replay" | "race" | "rules" | "privacy" | "nowhere", params: Record<string, string> }} Route */

const here = signal(location.pathname + location.search);

/** @type {[RegExp, Route["page"], string[]][]} */
const PATHS = [
  [/^\/$/, "lobby", []],
  [/^\/new$/, "new", []],
  [/^\/t\/([^/]+)$/, "table", ["table"]],
  [/^\/replay\/([^/]+)$/, "replay", ["replay"]],
  [/^\/race\/([^/]+)$/, "race", ["replay"]],
  [/^\/rules$/, "rules", []],
  [/^\/rules\/([^/]+)$/, "rules", ["edition"]],
  [/^\/privacy$/, "privacy", []],
];

/** A part of an address as it is meant; null: it means nothing. @param {string} part */
export function decoded(part) {
  try {
    return decodeURIComponent(part);
  } catch {
    return null;
  }
}

/**
 * The page that an address means. What stands after `?` is among its params.
 * @param {string} address
 * @returns {Route}
 */
function routeOf(address) {
  const url = new URL(address, location.origin);
  for (const [pattern, page, names] of PATHS) {
    const found = pattern.exec(url.pathname);
    if (!found) continue;
    const parts = names.map((_, index) => decoded(found[index + 1] ?? ""));
    if (parts.includes(null)) break;
    const params = Object.fromEntries(url.searchParams);
    names.forEach((name, index) => (params[name] = parts[index] ?? ""));
    return { page, params };
  }
  return { page: "nowhere", params: {} };
}

/** The page that is shown. */
export const route = computed(() => routeOf(here.value));

addEventListener("popstate", () => {
  if (isOutdated()) return location.reload();
  here.value = location.pathname + location.search;
});

/**
 * Goes to another page; when the server has another build by now, by loading it whole.
 * @param {string} path
 * @param {{ replace?: boolean, flags?: Record<string, boolean> }} [how] `flags` are for the page there: see `takeFlag`
 */
export function go(path, { replace = false, flags = {} } = {}) {
  history[replace ? "replaceState" : "pushState"](flags, "", path);
  if (isOutdated() && !replace) return location.reload();
  here.value = location.pathname + location.search;
  if (!replace) scrollTo(0, 0);
}

/**
 * Whether the page was gone to with this flag. It is taken away, so that a reload does not find it again.
 * @param {string} flag
 * @returns {boolean}
 */
export function takeFlag(flag) {
  const flags = history.state ?? {};
  if (!flags[flag]) return false;
  const { [flag]: _taken, ...others } = flags;
  history.replaceState(others, "");
  return true;
}

/**
 * A link inside the page; with a modifier key it is any other link.
 * @param {{ href: string, class?: string, children?: any, [name: string]: unknown }} props
 */
export function Link({ href, children, ...others }) {
  /** @param {MouseEvent} event */
  const follow = (event) => {
    if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    go(href);
  };
  return html`<a href=${href} onClick=${follow} ...${others}>${children}</a>`;
}
