/**
 * A table's chariots on the board, and what they stir up: a coin for Caesar, the crowd, cries, sounds. Lines that are told
 * become runs; once a chariot stands, the session shows what that has led to. A hand or a key ends all runs at once.
 * @module
 * @import { Circus } from "../board/circus.js"
 * @import { Drawn, Drive, Track } from "../board/field.js"
 * @import { Session } from "./session.js"
 * @import * as t from "../lib/types.js"
 */
import { Field } from "../board/field.js";
import { html, useCallback } from "../lib/html.js";
import { motionPace } from "../lib/prefs.js";
import { play } from "../lib/sounds.js";
import { closeFinish, honoured, nearlyHome, ownOf } from "./facts.js";
import { cutPhoto, pass, show } from "./moments.js";

const PACES = { calm: 0.7, brisk: 1, "at once": Infinity };
const STILL = matchMedia("(prefers-reduced-motion: reduce)");

/** @param {{ session: Session, board: Drawn }} props */
export function TableField({ session, board }) {
  const enter = useCallback((/** @type {Track} */ track) => performOn(track, session), [session]);
  const shown = session.shown.value;
  const race = session.race.value;
  const own = shown ? ownOf(shown) : [];
  const asked = session.running.value ? null : race?.order[0];
  const chariots = (race?.chariots ?? []).map(({ colour, space, leads, lap }, i) => ({
    colour,
    space,
    leads: leads && lap > 0,
    asked: asked === i,
    own: own.includes(i),
  }));
  return html`<${Field} board=${board} chariots=${chariots} race=${`${shown?.game} ${race?.index}`} enter=${enter}>
    <${Alley} session=${session} board=${board} own=${own} />
  <//>`;
}

/**
 * The alley, lit while the reader must decide and owes Caesar a coin; brightly when he can pay now.
 * @param {{ session: Session, board: Drawn, own: number[] }} props
 */
function Alley({ session, board, own }) {
  const [race, question] = [session.race.value, session.question.value];
  if (!race || !question || !own.includes(question.chariot) || !race.chariots[question.chariot]?.owes) return null;
  const now = question.offers.some((offer) => offer.pays);
  return html`<g class=${now ? "stage-alley now" : "stage-alley"}>
    ${board.spaces.map((space, id) => space.alley && html`<path key=${id} d=${board.outlines[id]} />`)}
  </g>`;
}

/**
 * Lets chariots run when lines tell of it.
 * @param {Track} track
 * @param {Session} session
 */
function performOn(track, session) {
  const leave = session.driveOn({
    drive: (told, before) => {
      const turns = told.story.filter((line) => line.kind === "turn");
      track.pace = PACES[motionPace.peek()];
      track.drive(turns.flatMap(driveOf), () => {
        session.arrived();
        for (const line of turns) came(line, track, session, before.race);
      });
    },
    forget: () => {
      track.clear();
      pass();
    },
  });
  const cut = () => {
    if (session.running.peek()) track.finish();
    else cutPhoto();
  };
  addEventListener("pointerdown", cut, true);
  addEventListener("keydown", cut, true);
  return () => {
    removeEventListener("pointerdown", cut, true);
    removeEventListener("keydown", cut, true);
    leave();
  };
}

/** The way that a turn tells of; whoever is home drives on, out of the circus. @param {t.Line} line @returns {Drive[]} */
function driveOf({ chariot, origin, way, home }) {
  return chariot === null ? [] : [{ chariot, origin, way, out: home, before: () => play("card", { gain: 0.8 }) }];
}

/**
 * A turn is over: what that means for the circus.
 * @param {t.Line} line
 * @param {Track} track
 * @param {Session} session
 * @param {t.RaceShown | null} before
 */
function came(line, { board, circus }, session, before) {
  const shown = /** @type {t.TableShown} */ (session.shown.peek());
  const { race } = shown;
  const i = line.chariot ?? -1;
  const [chariot, at] = [race?.chariots[i], board.spaces[line.way?.at(-1) ?? -1]];
  const own = ownOf(shown).includes(i);
  if (line.missed) return play("thud", { gain: own ? 1 : 0.45 });
  if (!race || !chariot || !at || !circus) return;
  const who = { name: chariot.name, colour: chariot.colour };
  const near = nearlyHome(race);
  if (line.home) {
    arrives(line, at, circus, session);
  } else if (line.paid) {
    circus.tribute(at, own);
    play(own ? "ave" : "coin");
    if (!own) play("crowd", { gain: 0.5 });
    show({ kind: "ave", who, own, at });
  } else if (near && !nearlyHome(before)) {
    circus.wave();
    play("drum");
    show({ kind: "straight", who: near, toGo: near.to_go, at });
  } else if (line.lead_from !== null) {
    circus.cheer(at, 2);
    play("gasp");
  }
}

/**
 * Somebody is home. A close finish is looked at twice, unless the reader himself still races; the first one home is
 * called out even where that ends the race.
 * @param {t.Line} line
 * @param {{ x: number, y: number }} at
 * @param {Circus} circus
 * @param {Session} session
 */
function arrives(line, at, circus, session) {
  const shown = /** @type {t.TableShown} */ (session.shown.peek());
  const race = /** @type {t.RaceShown} */ (shown.race);
  const chariot = /** @type {t.ChariotShown} */ (race.chariots[line.chariot ?? -1]);
  if (chariot.disqualified) return play("thud");
  const first = honoured(race).length === 1;
  if (first) circus.home();
  else circus.cheer(at, 2);
  play(first ? "home" : "crowd");
  const close = closeFinish(race, session.story.peek(), line.chariot ?? -1);
  const racing = ownOf(shown).some((i) => race.chariots[i]?.status === "racing");
  if (close && !racing && !STILL.matches)
    show({ kind: "photo", first: close.first, next: close.next, turn: race.turn_number - close.ago });
  else if (!race.over || (first && !STILL.matches))
    show({ kind: "home", who: chariot, place: chariot.arrival ?? 1, turn: race.turn_number, at });
}
