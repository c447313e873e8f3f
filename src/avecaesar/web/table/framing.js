/**
 * What of the board matters to whoever sits at a table: what he is asked about, where his cards lead, who is in the way.
 * @module
 * @import { Drawn } from "../board/field.js"
 * @import { Framing } from "../board/view.js"
 * @import { Session } from "./session.js"
 */
import { askedOf } from "./session.js";

/** @param {Session} session */
export const isCalled = (session) => ["turn", "vote"].includes(session.question.value?.asks ?? "");

/**
 * What is to be seen now.
 * @param {Session} session
 * @param {Drawn} board
 * @param {{ value: boolean | null }} near what the reader wishes; null: as it suggests itself
 * @param {{ value: boolean }} narrow
 * @returns {Framing}
 */
export function framingOf(session, board, near, narrow) {
  const close = narrow.value && (near.value ?? isCalled(session));
  const at = (/** @type {(number | null | undefined)[]} */ ids) => ids.flatMap((id) => board.spaces[id ?? -1] ?? []);
  const question = session.question.value;
  const chariots = session.shown.value?.race?.chariots ?? [];
  const standing = (/** @type {number[]} */ some) => some.map((i) => chariots[i]?.space);
  const movers = at(moversOf(session));
  const ends = session.card.value === null ? [] : session.targets.value.map((offer) => offer.way.at(-1));
  const needed = at([...ends, ...standing(session.blockers.value)]);
  const ways = (question?.offers ?? []).flatMap((offer) => offer.way);
  const blocked = (question?.refused ?? []).flatMap((one) => standing(one.blockers));
  return {
    close,
    about: close && question ? `${narrow.value} ${askedOf(session.shown.value)}` : "",
    movers,
    needed: needed.length ? needed : movers,
    around: at([...ways, ...blocked]),
  };
}

/** Where the chariots stand that a decision is about, or else the reader's own; for who watches, the one on turn. @param {Session} session */
function moversOf(session) {
  const [shown, question] = [session.shown.value, session.question.value];
  const chariots = shown?.race?.chariots ?? [];
  const mine = chariots.filter((chariot, i) =>
    question
      ? i === (shown?.race?.voted_on ?? question.chariot)
      : chariot.seat !== null && shown?.yours.includes(chariot.seat),
  );
  const seen = mine.some((chariot) => chariot.space !== null) ? mine : chariots.filter((_, i) => i === shown?.race?.turn);
  return seen.map((chariot) => chariot.space);
}
