/**
 * The line to a table. It comes back by itself when it is lost, and sends again what was not yet acknowledged: commands
 * keep their numbers, so that none is carried out twice.
 * @module
 * @import * as t from "./types.js"
 */
import { Problem, health, table as askTable } from "./api.js";
import { isOutdated } from "./build.js";
import { newId } from "./random.js";
import { language, words } from "./words.js";

/** @typedef {"joining" | "open" | "lost" | "ended"} State */
/** `farewell`: what the server said, if it hung up before it had shown the table. @typedef {{ state: State, problem: string | null, retry: number | null, farewell?: string | null }} LineState */
/**
 * @typedef {object} Listener
 * @property {(message: t.Whole | t.News) => void} told the table as it is now
 * @property {(line: LineState) => void} [line] how the line stands; `retry`: when it is tried again, in ms since 1970;
 *   null: now
 */
/**
 * A command that is not answered yet.
 * @typedef {{ body: string, patience: number, sent: number, done: (answer: any) => void,
 *   failed: (problem: Problem) => void }} Waiting
 */

const FIRST_PAUSE = 300;
const LONGEST_PAUSE = 10_000;
const PATIENCE = 10_000; // a line on which a command stays unanswered for so long is dead
const HINT_PATIENCE = 60_000;
const POLICY = 1008; // the server does not want us back

/** A table's line; `close` it when the page is left. */
export class TableSocket {
  /** @type {WebSocket | null} */
  #socket = null;
  /** @type {Map<string, Waiting>} */
  #waiting = new Map();
  /** What the server said last before it hung up. @type {string | null} */
  #bye = null;
  /** @type {string | null} */
  #farewell = null;
  #greeted = false; // on this line, with the whole table
  #state = "";
  #table;
  #listener;
  #attempts = 0;
  #everOpen = false;
  #closed = false;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer;
  /** @type {ReturnType<typeof setInterval>} */
  #watch;

  /**
   * @param {string} table
   * @param {Listener} listener
   */
  constructor(table, listener) {
    this.#table = table;
    this.#listener = listener;
    this.#watch = setInterval(() => this.#checkPatience(), 1000);
    addEventListener("online", this.again);
    document.addEventListener("visibilitychange", this.#seen);
    this.#connect();
  }

  /**
   * Sends a command; the answer is what it promises, or a `Problem` with the server's sentence.
   * @template {t.Unsent} C
   * @param {C} command without its number, which is given here
   * @returns {Promise<C extends { do: "why" } ? t.Reason : C extends { do: "hint" } ? t.Hint : t.Done>}
   */
  send(command) {
    if (this.#closed) return Promise.reject(new Problem(words.shell.lineClosed));
    const id = newId();
    const patience = command.do === "hint" ? HINT_PATIENCE : PATIENCE;
    return new Promise((done, failed) => {
      const waiting = { body: JSON.stringify({ ...command, id }), patience, sent: Date.now(), done, failed };
      this.#waiting.set(id, waiting);
      if (this.#socket?.readyState === WebSocket.OPEN) this.#socket.send(waiting.body);
    });
  }

  /** Connects anew at once: after a seat was taken, or because the reader does not want to wait. */
  again = () => {
    if (this.#closed) return;
    this.#attempts = 0;
    this.#connect();
  };

  /** Hangs up for good. */
  close() {
    this.#end(words.shell.lineClosed);
  }

  #seen = () => {
    if (document.visibilityState === "visible" && this.#timer !== undefined) this.again();
  };

  #connect() {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#drop();
    this.#bye = null;
    this.#greeted = false;
    if (!this.#everOpen) this.#say("joining");
    else if (!this.#state.startsWith("open")) this.#say("lost");
    const scheme = location.protocol === "https:" ? "wss:" : "ws:";
    const path = `/api/tables/${encodeURIComponent(this.#table)}/socket?lang=${language}`;
    const socket = new WebSocket(`${scheme}//${location.host}${path}`);
    let opened = false;
    socket.onopen = () => {
      if (this.#everOpen) void this.#compare();
      opened = this.#everOpen = true;
      for (const waiting of this.#waiting.values()) {
        waiting.sent = Date.now();
        socket.send(waiting.body);
      }
    };
    socket.onmessage = (event) => this.#hear(JSON.parse(event.data));
    socket.onclose = (event) => {
      if (socket !== this.#socket) return;
      this.#socket = null;
      if (event.code === POLICY) this.#end(this.#bye ?? (event.reason || words.shell.lineRefused));
      else if (opened) this.#retry();
      else void this.#findOut();
    };
    this.#socket = socket;
  }

  /** @param {t.Outgoing} message */
  #hear(message) {
    if (message.is === "bye") {
      this.#bye = message.problem;
    } else if (message.is === "whole" || message.is === "news") {
      this.#attempts = 0;
      this.#greeted = true;
      this.#farewell = null;
      this.#say("open");
      this.#listener.told(message);
    } else if (message.id !== null) {
      const waiting = this.#waiting.get(message.id);
      this.#waiting.delete(message.id);
      if (message.is === "refused") waiting?.failed(new Problem(message.problem, 409, message.clause));
      else waiting?.done(message);
    }
  }

  /** A server that was away may have come back as another: then this page, which lost nothing yet, begins anew. */
  async #compare() {
    await health().catch(() => {});
    if (isOutdated() && !this.#closed && this.#waiting.size === 0) location.reload();
  }

  /** A browser does not say why a line was refused; a plain question does. */
  async #findOut() {
    try {
      await askTable(this.#table);
    } catch (thrown) {
      if (thrown instanceof Problem && [401, 403, 404].includes(thrown.status)) return this.#end(thrown.message);
    }
    this.#retry();
  }

  #retry() {
    if (this.#closed || this.#socket || this.#timer !== undefined) return;
    const pause = Math.min(FIRST_PAUSE * 2 ** this.#attempts, LONGEST_PAUSE) * (0.75 + Math.random() / 2);
    this.#attempts += 1;
    this.#timer = setTimeout(() => this.#connect(), pause);
    this.#farewell = this.#greeted ? null : this.#bye;
    this.#say(this.#everOpen ? "lost" : "joining", this.#bye ?? words.shell.unreachable, Date.now() + pause);
  }

  #checkPatience() {
    if (this.#socket?.readyState !== WebSocket.OPEN) return;
    const now = Date.now();
    if ([...this.#waiting.values()].some((waiting) => now - waiting.sent > waiting.patience)) this.#connect();
  }

  /** @param {string} problem */
  #end(problem) {
    if (this.#closed) return;
    this.#closed = true;
    clearTimeout(this.#timer);
    clearInterval(this.#watch);
    removeEventListener("online", this.again);
    document.removeEventListener("visibilitychange", this.#seen);
    this.#drop();
    for (const waiting of this.#waiting.values()) waiting.failed(new Problem(problem));
    this.#waiting.clear();
    this.#say("ended", problem);
  }

  #drop() {
    const socket = this.#socket;
    this.#socket = null;
    socket?.close();
  }

  /**
   * @param {LineState["state"]} state
   * @param {string | null} [problem]
   * @param {number | null} [retry]
   */
  #say(state, problem = null, retry = null) {
    const said = `${state} ${problem} ${retry} ${this.#farewell}`;
    if (said === this.#state) return;
    this.#state = said;
    this.#listener.line?.({ state, problem, retry, farewell: this.#farewell });
  }
}
