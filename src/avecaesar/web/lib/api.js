/**
 * What the page asks of the server over HTTP. Every failure is a `Problem` whose message is a sentence for people.
 * @module
 * @import * as t from "./types.js"
 */
import { hearBuild } from "./build.js";
import { language, words } from "./words.js";

/** What went wrong, in a sentence; `status` is 0 when the server could not be reached. */
export class Problem extends Error {
  /**
   * @param {string} message
   * @param {number} [status]
   * @param {string | null} [clause] the rule, if it was one
   */
  constructor(message, status = 0, clause = null) {
    super(message);
    this.name = "Problem";
    this.status = status;
    this.clause = clause;
  }

  /** Whether the server could not be reached at all. */
  get offline() {
    return this.status === 0;
  }
}

/**
 * A sentence for anything that was thrown.
 * @param {unknown} thrown
 * @returns {string}
 */
export function sentence(thrown) {
  return thrown instanceof Problem ? thrown.message : words.shell.unexpected;
}

/**
 * @param {string} path
 * @param {RequestInit & { headers?: Record<string, string> }} [init]
 * @returns {Promise<any>}
 */
async function ask(path, init = {}) {
  const headers = { "Accept-Language": language, ...init.headers };
  let response;
  try {
    response = await fetch(path, { credentials: "same-origin", ...init, headers });
  } catch (thrown) {
    if (thrown instanceof DOMException && thrown.name === "AbortError") throw thrown;
    throw new Problem(words.shell.unreachable);
  }
  hearBuild(response);
  const answer = await response.json().catch(() => null);
  if (response.ok && answer !== null) return answer;
  const problem = typeof answer?.problem === "string" ? answer.problem : words.shell.answered(response.status);
  throw new Problem(problem, response.status, answer?.clause ?? null);
}

/**
 * @param {string} path
 * @param {unknown} body
 * @param {AbortSignal} [signal]
 */
function post(path, body, signal) {
  const headers = { "Content-Type": "application/json" };
  return ask(path, { method: "POST", headers, body: JSON.stringify(body), ...(signal && { signal }) });
}

/**
 * @param {string} path
 * @param {string} body
 * @param {string} type
 */
function upload(path, body, type) {
  return ask(path, { method: "POST", headers: { "Content-Type": type }, body });
}

/** @param {string} table */
const at = (table) => `/api/tables/${encodeURIComponent(table)}`;

/** @type {Promise<t.Menu> | null} */
let menuAsked = null;

/**
 * The menu: everything that can be chosen, in words. It is asked for once.
 * @returns {Promise<t.Menu>}
 */
export function menu() {
  menuAsked ??= ask("/api/menu").catch((thrown) => {
    menuAsked = null;
    throw thrown;
  });
  return menuAsked;
}

/** Whether the server answers; which also tells whether it has another build by now. */
export const health = () => ask("/api/health");

/** @returns {Promise<t.Lobby>} */
export const tables = () => ask("/api/tables");

/** @param {string} table @returns {Promise<t.Whole>} */
export const table = (table) => ask(at(table));

/** @param {t.NewTable} plan @param {AbortSignal} [signal] @returns {Promise<t.Checked>} */
export const check = (plan, signal) => post("/api/check", plan, signal);

/** @param {t.NewTable} plan @returns {Promise<t.Laid>} */
export const lay = (plan) => post("/api/tables", plan);

/** @param {string} table @param {t.Sit} wish @returns {Promise<t.Seated>} */
export const sit = (table, wish) => post(`${at(table)}/sit`, wish);

/** @param {string} table @param {t.TakeOver} wish @returns {Promise<t.Asking>} */
export const takeOver = (table, wish) => post(`${at(table)}/take-over`, wish);

/**
 * The whole address of a link to a seat or, without one, of an invitation.
 * @param {string} table
 * @param {number | null} [seat]
 * @returns {Promise<string>}
 */
export async function link(table, seat = null) {
  /** @type {t.Link} */
  const answer = await post(`${at(table)}/links`, { seat });
  return location.origin + answer.link;
}

/**
 * A board of one's own, checked by the server and kept.
 * @param {string} text
 * @returns {Promise<t.BoardKept>}
 */
export const board = (text) => upload("/api/boards", text, "text/plain");

/**
 * A record, refereed by the server and kept for its replay; JSON or the text notation.
 * @param {string} text
 * @returns {Promise<{ replay: string }>}
 */
export const record = (text) =>
  upload("/api/records", text, text.trimStart().startsWith("{") ? "application/json" : "text/plain");

/**
 * @param {string} course
 * @param {t.Direction} direction
 * @param {string | null} [digest] of a board of somebody's own
 * @returns {Promise<t.CourseShown>}
 */
export const course = (course, direction, digest = null) => ask(courseAt(course, direction, digest, ""));

/**
 * Where a course's picture is.
 * @param {string} course
 * @param {t.Direction} direction
 * @param {string | null} [digest]
 * @returns {string}
 */
export const picture = (course, direction, digest = null) => courseAt(course, direction, digest, "/picture.svg");

/**
 * @param {string} course
 * @param {t.Direction} direction
 * @param {string | null} digest
 * @param {string} what
 */
function courseAt(course, direction, digest, what) {
  const query = digest === null ? "" : `?board=${digest}`;
  return `/api/courses/${encodeURIComponent(course)}/${direction}${what}${query}`;
}

/** @param {string} replay @returns {Promise<t.ReplayShown>} */
export const replay = (replay) => ask(`/api/replays/${encodeURIComponent(replay)}`);

/**
 * The film of a replay's race, as `server/content/replay.py` makes it.
 * @param {string} replay
 * @param {number} race counted from 0
 * @returns {Promise<any>}
 */
export const film = (replay, race) => ask(`/api/replays/${encodeURIComponent(replay)}/races/${race}`);

/**
 * Where the record of a table's game is, for downloading.
 * @param {string} table
 * @param {number} game
 * @param {"json" | "text"} [format]
 * @returns {string}
 */
export const recordAt = (table, game, format = "json") => `${at(table)}/record?game=${game}&format=${format}`;

/**
 * The same, to be looked at: the races of a game that are over, with what their cards came from.
 * @param {string} table
 * @param {number} game
 * @returns {Promise<any>}
 */
export const opened = (table, game) => ask(recordAt(table, game));

/**
 * What a race was, in figures and in words. The first time it takes some seconds.
 * @param {string} replay
 * @param {number} race counted from 0
 * @returns {Promise<t.ChronicleShown>}
 */
export const chronicle = (replay, race) => ask(`/api/replays/${encodeURIComponent(replay)}/races/${race}/chronicle`);

/**
 * The rules of an edition, in words, with little races to see.
 * @param {string} edition
 * @returns {Promise<t.Rulebook>}
 */
export const rules = (edition) => ask(`/api/rules/${encodeURIComponent(edition)}`);

/** After how many days finished tables are erased; null: never. @returns {Promise<{ days: number | null }>} */
export const keeping = () => ask("/api/keeping");

/** Erases the reader's names and words at all tables. @returns {Promise<{ tables: number }>} */
export const forget = () => post("/api/forget", {});

/** How long a replay is kept, and who shares it. @param {string} replay @returns {Promise<t.Sharing>} */
export const sharing = (replay) => ask(`/api/replays/${encodeURIComponent(replay)}/sharing`);

/** @param {string} replay @param {boolean} share @returns {Promise<t.Sharing>} */
export const share = (replay, share) => post(`/api/replays/${encodeURIComponent(replay)}/sharing`, { share });
