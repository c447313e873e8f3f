/**
 * What there is to say at this moment. It follows from what the server shows (the question, its offers, the cards it
 * refuses and their clauses, points to spare) and from what the pupil knows already; there is no rule of the game here.
 * @module
 * @import * as t from "../lib/types.js"
 * @import { Lesson } from "./progress.js"
 */
import words from "../words/coach.js";
import { LESSONS } from "./progress.js";

/**
 * What a thought is about, so that it can be pointed at.
 * @typedef {{ card: number } | { space: t.Destination, way?: number[], wall?: [number, number] | null } | { chariot: number, column?: "spare" | "coin" } |
 *   { offer: string } | { confirm: true } | null} About
 */
/**
 * One thought: a bubble.
 * @typedef {object} Thought
 * @property {string} key
 * @property {string} title
 * @property {string} words
 * @property {About} about
 * @property {Lesson | null} lesson learned once this was said
 * @property {boolean} [touch] it ends when a card or a move is touched, not by a button
 */

/**
 * @typedef {object} Moment
 * @property {t.QuestionShown} question
 * @property {t.ChariotShown} me
 * @property {number} index of my chariot
 * @property {number | null} before what I had to spare at my last turn
 */

/**
 * @param {Lesson} lesson
 * @param {string} title
 * @param {[string, About][]} said
 * @returns {Thought[]}
 */
const teach = (lesson, title, said) =>
  said.map(([text, about], i) => ({
    key: `${lesson} ${i}`,
    title,
    words: text,
    about,
    lesson: i === said.length - 1 ? lesson : null,
  }));

/**
 * A space that a card does not lead to, with the way that shows why.
 * @param {Moment} now
 * @param {"wall" | "exact"} lesson
 * @param {{ title: string, words: (card: number) => string }} said
 */
function outOfReach({ question, me }, lesson, said) {
  const beyond = question.coaching?.beyond.find((one) => one.why === lesson);
  if (!beyond || me.space === null) return null;
  const about = { space: beyond.to, way: [me.space, ...beyond.way], wall: beyond.wall };
  return teach(lesson, said.title, [[said.words(beyond.card), about]]);
}

/** For each lesson what is said when its moment has come; null: it has not. @type {Record<Lesson, (now: Moment) => Thought[] | null>} */
const TEACHING = {
  move({ question }) {
    const advised = question.coaching?.advised;
    if (!advised || !("card" in advised) || !advised.card) return null;
    const [card] = teach("move", words.move.title, [[words.move.words(advised.card), { card: advised.card }]]);
    return [{ key: "welcome", title: words.name, words: words.welcome, about: null, lesson: null }, { ...card, touch: true }];
  },
  alley({ question }) {
    const offer = question.offers.find((one) => one.pays);
    if (!offer || offer.to === null) return null;
    return teach("alley", words.alley.title, [
      [words.alley.words, { space: offer.to }],
      [words.alley.late, { space: offer.to }],
    ]);
  },
  six({ question, index }) {
    const refused = question.refused.find((one) => one.clause.startsWith("SIX"));
    if (!refused) return null;
    return teach("six", words.six.title, [
      [words.six.barred, { card: refused.card }],
      [words.six.free, { chariot: index }],
    ]);
  },
  blocked({ question }) {
    const refused = question.refused.find((one) => one.clause.startsWith("MOV"));
    if (!refused) return null;
    return teach("blocked", words.blocked.title, [
      [words.blocked.words(refused.card), { card: refused.card }],
      [words.blocked.back, null],
      ...(misses(question) ? [] : [/** @type {[string, About]} */ ([words.missed.once, null])]),
    ]);
  },
  wall: (now) => outOfReach(now, "wall", words.wall),
  exact: (now) => outOfReach(now, "exact", words.exact),
  spare({ question, me, index, before }) {
    const now = me.to_spare;
    const wasteful = question.offers.find((one) => one.wasted && one.to !== null);
    const lost = before !== null && now !== null && now < before;
    if (now === null || !(wasteful || lost)) return null;
    /** @type {About} */
    const column = { chariot: index, column: "spare" };
    return teach("spare", words.spare.title, [
      ...(lost ? [/** @type {[string, About]} */ ([words.spare.lost(before, now), column])] : []),
      [words.spare.words(me.points_left, me.to_go, now), column],
      ...(wasteful && !lost
        ? [/** @type {[string, About]} */ ([words.spare.wasteful(wasteful.wasted ?? 0), { space: wasteful.to }])]
        : []),
    ]);
  },
};

/** Whether no card can be played. @param {t.QuestionShown} question */
const misses = (question) => question.asks === "turn" && question.offers.every((one) => one.to === null);

/** What is said again and again, because it matters. @param {Moment} now @returns {Thought[]} */
function warnings({ me, index, before }) {
  const say = (/** @type {string} */ key, /** @type {string} */ title, /** @type {string} */ text, /** @type {About} */ about) => [
    { key, title, words: text, about, lesson: null },
  ];
  if (me.disqualified) return say("past", words.alley.title, words.alley.past, null);
  if (me.to_spare !== null && me.to_spare < 0 && before !== null && before >= 0)
    return say("short", words.spare.title, words.spare.short, { chariot: index, column: "spare" });
  if (me.must_pay) return say("owing", words.alley.title, words.alley.owing, { chariot: index, column: "coin" });
  return [];
}

/** What happens to who can play no card. @param {Moment} now @returns {Thought[]} */
function missing({ question }) {
  if (!misses(question)) return [];
  const how = question.offers.some((one) => one.card !== null) ? "exchange" : "wait";
  return [{ key: `missed ${how}`, title: words.missed.title, words: words.missed[how], about: null, lesson: null }];
}

/**
 * What is to be said now: one lesson, or what matters, or nothing.
 * @param {Moment} now
 * @param {Lesson[]} learned
 * @param {string[]} said keys of warnings that were given already
 * @returns {Thought[]}
 */
export function thoughts(now, learned, said) {
  const unsaid = (/** @type {Thought[]} */ list) => list.filter((one) => !said.includes(one.key));
  for (const lesson of LESSONS) {
    const found = learned.includes(lesson) ? null : TEACHING[lesson](now);
    if (found) return [...found, ...unsaid(missing(now))];
    if (lesson === "move" && !learned.includes("move")) return []; // first things first
  }
  return unsaid([...missing(now), ...warnings(now)]);
}
