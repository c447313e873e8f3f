/**
 * Chariots on the board and what they stir up: dust, ruts, the crowd, a coin for Caesar. Lines that are told become
 * runs; once a chariot stands, the session shows what that has led to. A hand or a key ends all runs at once.
 * @module
 * @import { Session } from "../table/session.js"
 * @import { Board, Unpainted } from "../table/picture.js"
 * @import { Run } from "../table/motion.js"
 * @import * as t from "../lib/types.js"
 */
import { html, useEffect, useLayoutEffect, useRef } from "../lib/html.js";
import { motionPace } from "../lib/prefs.js";
import { play } from "../lib/sounds.js";
import { Chariot, place } from "../table/chariots.js";
import { Runner } from "../table/motion.js";
import { Circus } from "./circus.js";
import { closeFinish, honoured, isMissed, nearlyHome, ownOf, owes } from "./facts.js";
import { cutPhoto, pass, show } from "./moments.js";

/** @typedef {Board | Unpainted} Drawn */

const PACES = { calm: 0.7, brisk: 1, "at once": Infinity };
const STILL = matchMedia("(prefers-reduced-motion: reduce)");
const OUT = 90; // units beyond the line, for who is home

/** @param {{ session: Session, board: Drawn }} props */
export function Field({ session, board }) {
  const rigs = useRef(/** @type {(SVGGElement | null)[]} */ ([]));
  const ground = useRef(/** @type {SVGGElement | null} */ (null));
  const air = useRef(/** @type {SVGGElement | null} */ (null));
  useRuns(session, board, rigs, ground, air);
  const shown = session.shown.value;
  const race = session.race.value;
  const own = shown ? ownOf(shown) : [];
  const asked = race && !race.over && !session.running.value ? (race.voted_on ?? race.turn) : null;
  return html`<g class="stage-ground" ref=${ground}></g>
    <${Alley} session=${session} board=${board} own=${own} />
    <g class="chariots">
      ${(race?.chariots ?? []).map(
        (chariot, i) =>
          html`<${Chariot}
            key=${`${shown?.game} ${race?.index} ${i}`}
            colour=${chariot.colour}
            leads=${chariot.leads && chariot.lap > 0}
            asked=${asked === i}
            own=${own.includes(i)}
            take=${(/** @type {SVGGElement | null} */ rig) => (rigs.current[i] = rig)}
          />`,
      )}
    </g>
    <g class="stage-air" ref=${air}></g>`;
}

/**
 * The alley, lit while the reader must decide and owes Caesar a coin; brightly when he can pay now.
 * @param {{ session: Session, board: Drawn, own: number[] }} props
 */
function Alley({ session, board, own }) {
  const [race, question] = [session.race.value, session.question.value];
  if (!race || !question || !own.includes(question.chariot) || !owes(race, question.chariot)) return null;
  const now = question.offers.some((offer) => offer.pays);
  return html`<g class=${now ? "stage-alley now" : "stage-alley"}>
    ${board.spaces.map((space, id) => space.alley && html`<path key=${id} d=${board.outlines[id]} />`)}
  </g>`;
}

/**
 * Keeps the chariots where they are, and lets them run when lines tell of it.
 * @param {Session} session
 * @param {Drawn} board
 * @param {{ current: (SVGGElement | null)[] }} rigs
 * @param {{ current: SVGGElement | null }} ground
 * @param {{ current: SVGGElement | null }} air
 */
function useRuns(session, board, rigs, ground, air) {
  const runner = useRef(/** @type {Runner | null} */ (null));
  const settle = () => {
    session.race.peek()?.chariots.forEach((chariot, i) => {
      const rig = rigs.current[i];
      if (!rig || runner.current?.thing === i) return;
      const space = chariot.space === null ? undefined : board.spaces[chariot.space];
      rig.classList.toggle("gone", !space);
      if (space) place(rig, { x: space.x, y: space.y, angle: space.heading });
    });
  };
  useEffect(() => {
    if (!ground.current || !air.current) return undefined;
    const circus = new Circus(board, ground.current, air.current);
    const runs = (runner.current = new Runner((thing, at) => {
      const rig = rigs.current[thing];
      rig?.classList.remove("gone");
      if (rig) place(rig, at);
      circus.passes(at);
    }));
    settle();
    const leave = session.driveOn({
      drive: (told, before) => {
        runs.pace = PACES[motionPace.peek()];
        runs.add(
          told.story.flatMap((line) => runOf(line, board, circus)),
          () => {
            session.arrived();
            for (const line of told.story) if (line.kind === "turn") came(line, board, circus, session, before.race);
          },
        );
      },
      forget: () => {
        runs.clear();
        pass();
      },
    });
    const cut = () => {
      if (session.running.peek()) runs.finish();
      else cutPhoto();
    };
    addEventListener("pointerdown", cut, true);
    addEventListener("keydown", cut, true);
    return () => {
      removeEventListener("pointerdown", cut, true);
      removeEventListener("keydown", cut, true);
      runner.current = null;
      runs.close();
      leave();
      circus.close();
    };
  }, [session, board]);
  useLayoutEffect(settle);
}

/**
 * The run that a line tells of, if it does, with what goes before it and comes after.
 * @param {t.Line} line
 * @param {Drawn} board
 * @param {Circus} circus
 * @returns {Run[]}
 */
function runOf(line, board, circus) {
  if (line.kind !== "turn" || line.chariot === null || !line.way?.length) return [];
  const spaces = [...(line.origin === null ? [] : [line.origin]), ...line.way].flatMap((id) => board.spaces[id] ?? []);
  const last = spaces.at(-1);
  if (!last) return [];
  const turn = (last.heading * Math.PI) / 180;
  const beyond = { x: last.x + OUT * Math.cos(turn), y: last.y + OUT * Math.sin(turn) };
  return [
    {
      thing: line.chariot,
      points: line.home ? [...spaces, beyond] : spaces,
      angle: last.heading,
      before: (time) => {
        circus.begins(time);
        play("card", { gain: 0.8 });
      },
      after: () => circus.ends(),
    },
  ];
}

/**
 * A turn is over: what that means for the circus.
 * @param {t.Line} line
 * @param {Drawn} board
 * @param {Circus} circus
 * @param {Session} session
 * @param {t.RaceShown | null} before
 */
function came(line, board, circus, session, before) {
  const shown = /** @type {t.TableShown} */ (session.shown.peek());
  const { race } = shown;
  const i = line.chariot ?? -1;
  const [chariot, at] = [race?.chariots[i], board.spaces[line.way?.at(-1) ?? -1]];
  const own = ownOf(shown).includes(i);
  if (isMissed(line)) return play("thud", { gain: own ? 1 : 0.45 });
  if (!race || !chariot || !at) return;
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
  } else if (chariot.leads && before && !before.chariots[i]?.leads && chariot.lap > 0) {
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
