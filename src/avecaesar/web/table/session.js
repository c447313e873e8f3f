/**
 * One table as this page knows it: what is shown, what the reader has pointed at so far, and his commands. What the
 * server tells is shown as soon as the chariots that it tells of have arrived, one turn after another; where no board is
 * drawn, at once. It knows no rule: what can be chosen are the server's offers.
 * @module
 * @import * as t from "../lib/types.js"
 * @import { LineState } from "../lib/socket.js"
 */
import { Problem, sentence } from "../lib/api.js";
import { batch, computed, effect, signal } from "../lib/html.js";
import { notify } from "../lib/notices.js";
import * as pledges from "../lib/pledges.js";
import { confirmMoves } from "../lib/prefs.js";
import { newShare } from "../lib/random.js";
import { TableSocket } from "../lib/socket.js";

/** @typedef {{ words: string, clause: string | null, blockers: number[], card?: number }} Refusal */
/** @typedef {(lines: t.Line[], whole: boolean) => void} Hearer */
/** @typedef {{ table: t.TableShown, story: t.Line[] }} Told */
/**
 * Where chariots are seen to drive. For everything that it is given it says once, in order, that it has `arrived`;
 * `forget`: the table is shown whole, and whatever is under way does not matter any more.
 * @typedef {{ drive: (told: Told, before: t.TableShown) => void, forget: () => void }} Stage
 */

/** @param {t.Move} move */
export const keyOf = (move) => JSON.stringify(move);

/** What is asked, as a name: it stays while others answer what all are asked at once. @param {t.TableShown | null} shown */
export function askedOf(shown) {
  const { game, eyes, changed, question } = shown ?? {};
  return [game, eyes, ...(question ? [question.asks, question.since, question.chariot] : [changed])].join(" ");
}

export class Session {
  shown = signal(/** @type {t.TableShown | null} */ (null));
  story = signal(/** @type {t.Line[]} */ ([]));
  line = signal(/** @type {LineState} */ ({ state: "joining", problem: null, retry: null }));
  /** How much the server's clock is ahead of ours, in seconds. */
  ahead = signal(0);
  card = signal(/** @type {number | null} */ (null));
  to = signal(/** @type {t.Destination | null} */ (null));
  #key = signal(/** @type {string | null} */ (null));
  /** The space that the pointer or the keyboard is at. */
  pointed = signal(/** @type {t.Destination | null} */ (null));
  refusal = signal(/** @type {Refusal | null} */ (null));
  /** Which card of the hand was taken, of several equal ones; null: any. */
  taken = signal(/** @type {number | null} */ (null));
  /** The card that the pointer or the keyboard is at. */
  peeked = signal(/** @type {number | null} */ (null));
  hint = signal(/** @type {t.Hint | null} */ (null));
  thinking = signal(false);
  sending = signal(false);
  /** What was told and is not shown yet. */
  #behind = signal(/** @type {Told[]} */ ([]));
  /** Whether chariots are still on their way. */
  running = computed(() => this.#behind.value.length > 0);
  /** The event that the reader's last decision has become: what was asked before it is asked no more. */
  #decided = signal(-1);

  /** What the reader is asked, once all chariots have come to rest. */
  question = computed(() => {
    const shown = this.shown.value;
    return !shown || this.running.value || shown.number < this.#decided.value ? null : shown.question;
  });
  race = computed(() => this.shown.value?.race ?? null);
  chosen = computed(() => this.question.value?.offers.find((offer) => keyOf(offer.move) === this.#key.value) ?? null);
  /** Whether the reader can do something now: the line is there, and nothing of his is on its way. */
  ready = computed(() => this.line.value.state === "open" && !this.sending.value && !this.shown.value?.paused);
  /** Whether the reader sits here or is the host. */
  place = computed(() => Boolean(this.shown.value && (this.shown.value.yours.length || this.shown.value.host)));
  /** The seat that answers the question. */
  seat = computed(() => {
    const [question, race] = [this.question.value, this.race.value];
    return question && race ? (race.chariots[question.chariot]?.seat ?? null) : null;
  });

  /** The chariots that stand in the way of what was pointed at, or of every card where none can be played. */
  blockers = computed(() => {
    const question = this.question.value;
    const refused = question?.refused.find((one) => one.card === this.peeked.value);
    return refused?.blockers ?? this.refusal.value?.blockers ?? question?.culprits ?? [];
  });

  /** @type {Set<Hearer>} */
  #hearers = new Set();
  /** @type {Stage | null} */
  #stage = null;
  #shaken = "";
  #stopShaking;

  /** @param {string} id */
  constructor(id) {
    this.id = id;
    this.socket = new TableSocket(id, {
      told: (message) => this.#told(message),
      line: (line) => (this.line.value = line),
    });
    this.#stopShaking = effect(() => this.#shake());
  }

  close() {
    this.#stopShaking();
    this.socket.close();
  }

  /**
   * Listens to what happens: lines told since, and whether the table was shown whole, after a gap or at first.
   * @param {Hearer} hearer
   */
  hear(hearer) {
    this.#hearers.add(hearer);
    return () => void this.#hearers.delete(hearer);
  }

  /**
   * Lets chariots drive somewhere before it is said where they are. Who goes away leaves nothing behind, and may do so
   * when another has come already.
   * @param {Stage} stage
   */
  driveOn(stage) {
    this.#leaveStage();
    this.#stage = stage;
    return () => void (this.#stage === stage && this.#leaveStage());
  }

  #leaveStage() {
    this.#stage?.forget();
    this.#stage = null;
    while (this.running.peek()) this.arrived();
  }

  /** The chariots of what was told first have come to rest: now it is shown. */
  arrived() {
    const [first, ...rest] = this.#behind.peek();
    if (!first) return;
    batch(() => {
      this.#behind.value = rest;
      this.#show(first, false);
    });
  }

  /** @param {t.Whole | t.News} message */
  #told(message) {
    pledges.observe(message.table, message.is === "whole");
    const before = this.#behind.peek().at(-1)?.table ?? this.shown.peek();
    batch(() => {
      this.ahead.value = message.table.now - Date.now() / 1000;
      if (message.is === "whole" || !before) {
        this.#stage?.forget();
        this.#behind.value = [];
        return this.#show(message, true);
      }
      this.#behind.value = [...this.#behind.peek(), message];
      if (!this.#stage) return this.arrived();
      try {
        this.#stage.drive(message, before);
      } catch (thrown) {
        reportError(thrown);
        while (this.running.peek()) this.arrived();
      }
    });
  }

  /** @param {Told} told @param {boolean} whole */
  #show({ table, story }, whole) {
    const before = this.shown.peek();
    batch(() => {
      if (askedOf(before) !== askedOf(table)) {
        this.clear();
        this.hint.value = null;
      }
      const fresh = before !== null && (before.game !== table.game || before.race?.index !== table.race?.index);
      const known = this.story.peek();
      const kept = whole ? [] : fresh ? known.filter((line) => line.kind === "said") : known;
      this.story.value = [...kept, ...story];
      this.shown.value = table;
    });
    for (const hearer of this.#hearers) hearer(story, whole);
  }

  /** Adds the reader's share to cards that are sealed, once. */
  #shake() {
    const shown = this.shown.value;
    if (!shown?.sealed || shown.shaken || !shown.yours.length || this.#shaken === shown.sealed) return;
    this.#shaken = shown.sealed;
    const share = newShare();
    pledges.offer(shown, share);
    this.socket.send({ do: "shake", share }).then(
      () => pledges.given(shown, share),
      () => undefined, // another page of this browser was quicker: no harm
    );
  }

  /**
   * Sends a command; a refusal is shown to the reader.
   * @param {t.Unsent} command
   * @returns {Promise<boolean>} whether it was carried out
   */
  async command(command) {
    try {
      await this.socket.send(command);
      return true;
    } catch (thrown) {
      this.complain(thrown);
      return false;
    }
  }

  /** @param {unknown} thrown */
  complain(thrown) {
    const clause = thrown instanceof Problem && thrown.clause ? ` (${thrown.clause})` : "";
    notify(sentence(thrown) + clause, "trouble");
  }

  begin() {
    const shown = this.shown.value;
    if (!shown) return Promise.resolve(false);
    const share = shown.shaken || !shown.yours.length ? null : newShare();
    if (share) pledges.offer(shown, share);
    return this.command({ do: "begin", at: shown.changed, share });
  }

  // ------------------------------------------------------------------ pointing

  clear() {
    batch(() => {
      this.card.value = this.to.value = this.#key.value = this.pointed.value = this.refusal.value = null;
      this.taken.value = null;
    });
  }

  /** The pointer has left a space; the keyboard may be at another. @param {t.Destination | null} to */
  leave(to) {
    if (this.pointed.value === to) this.pointed.value = null;
  }

  /** The offers that lead to a space of the board, of the card that was chosen or of all. */
  targets = computed(() => {
    const card = this.card.value;
    const offers = this.question.value?.offers ?? [];
    return offers.filter((offer) => offer.to !== null && (card === null || offer.card === card));
  });

  /**
   * Points at an offer; without confirmation it is played at once, if that was the last thing to point at.
   * @param {t.Offer} offer
   * @param {boolean} [last]
   */
  choose(offer, last = true) {
    batch(() => {
      if (this.card.value !== offer.card) this.taken.value = null;
      this.card.value = offer.card;
      this.to.value = offer.to;
      this.#key.value = keyOf(offer.move);
      this.refusal.value = null;
    });
    if (last && !confirmMoves.value) void this.play();
  }

  /** @param {number} card @param {number | null} [nth] of several equal ones in the hand */
  chooseCard(card, nth = null) {
    const question = this.question.value;
    if (!question || !this.ready.value) return;
    if (this.card.value === card && (this.taken.value ?? 0) === (nth ?? 0)) return this.clear();
    if (this.card.value === card) return void (this.taken.value = nth);
    const offers = question.offers.filter((offer) => offer.card === card);
    const both = offers.filter((offer) => offer.to === this.to.value);
    const refused = question.refused.find((one) => one.card === card);
    if (this.card.value === null && this.to.value !== null && both.length === 1) {
      this.taken.value = nth;
      return this.choose(both[0]);
    }
    batch(() => {
      this.clear();
      this.card.value = card;
      this.taken.value = nth;
      if (!offers.length && refused) this.refusal.value = refused;
    });
    if (offers.length === 1) this.choose(offers[0], offers[0].to === null);
  }

  /** @param {t.Destination} to */
  chooseSpace(to) {
    const question = this.question.value;
    if (!question || !this.ready.value) return;
    const offers = question.offers.filter((offer) => offer.to === to);
    const fitting = offers.filter((offer) => this.card.value === null || offer.card === this.card.value);
    if (this.to.value === to && this.chosen.value?.to === to) return void this.play(); // once more: he means it
    if (!offers.length) return void this.askWhy(question, to);
    if (fitting.length === 1) return this.choose(fitting[0]);
    if (!fitting.length && offers.length === 1) return this.choose(offers[0], false);
    batch(() => {
      this.clear();
      this.to.value = to;
    });
  }

  /**
   * @param {t.QuestionShown} question
   * @param {t.Destination} to
   */
  async askWhy(question, to) {
    const seat = this.seat.value;
    const hand = this.shown.value?.hands.find((one) => one.chariot === question.chariot);
    const card = this.card.value ?? question.offers.find((offer) => offer.card)?.card ?? hand?.cards.at(-1);
    if (seat === null || card === undefined || card === null || !["turn", "vote"].includes(question.asks)) return;
    /** @type {t.Move} */
    const move = question.asks === "vote" ? { kind: "vote", card, to } : { kind: "play", card, to };
    try {
      const reason = await this.why(move);
      if (reason?.words) this.refusal.value = { ...reason, words: reason.words, card };
    } catch (thrown) {
      this.complain(thrown);
    }
  }

  /**
   * Why a move is not allowed; null if nobody is asked for one now.
   * @param {t.Move} move
   * @returns {Promise<t.Reason | null>}
   */
  async why(move) {
    const seat = this.seat.value;
    return seat === null ? null : this.socket.send({ do: "why", seat, move });
  }

  // ------------------------------------------------------------------ deciding

  /** Plays what was chosen. */
  play() {
    const offer = this.chosen.value;
    return offer ? this.decide(offer.move) : Promise.resolve(false);
  }

  /**
   * Makes a move; it stands once the server has it.
   * @param {t.Move} move
   */
  async decide(move) {
    const [shown, seat] = [this.shown.value, this.seat.value];
    if (!shown || seat === null || !this.ready.value) return false;
    this.sending.value = true;
    try {
      const done = await this.socket.send({ do: "move", at: shown.changed, seat, move });
      this.#decided.value = done.number;
      return true;
    } catch (thrown) {
      this.complain(thrown);
      return false;
    } finally {
      this.sending.value = false;
    }
  }

  async askHint() {
    const seat = this.seat.value;
    if (seat === null || this.thinking.value) return;
    this.thinking.value = true;
    const asked = askedOf(this.shown.value);
    try {
      const hint = await this.socket.send({ do: "hint", seat });
      if (asked === askedOf(this.shown.value)) this.hint.value = hint;
    } catch (thrown) {
      this.complain(thrown);
    }
    this.thinking.value = false;
  }
}
