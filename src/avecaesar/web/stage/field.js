/**
 * Chariots on the board and what they stir up: dust, ruts, the crowd, a coin for Caesar. Lines that are told become
 * runs, and `session.running` says whether any is still under way; a hand or a key ends them at once.
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
import { honoured, isMissed, nearlyHome, ownOf, owes, runnerUp } from "./facts.js";
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
  const settle = () => {
    session.race.peek()?.chariots.forEach((chariot, i) => {
      const rig = rigs.current[i];
      if (!rig) return;
      const space = chariot.space === null ? undefined : board.spaces[chariot.space];
      rig.classList.toggle("gone", !space);
      if (space) place(rig, { x: space.x, y: space.y, angle: space.heading });
    });
  };
  useEffect(() => {
    if (!ground.current || !air.current) return undefined;
    const circus = new Circus(board, ground.current, air.current);
    const runner = new Runner(
      (thing, at) => {
        const rig = rigs.current[thing];
        rig?.classList.remove("gone");
        if (rig) place(rig, at);
        circus.passes(at);
      },
      (running) => {
        session.running.value = running;
        if (!running) settle();
      },
    );
    settle();
    let before = session.race.peek();
    const deaf = session.hear((lines, whole) => {
      const shown = session.shown.peek();
      if (whole) {
        runner.clear();
        pass();
      } else if (shown?.race) {
        runner.pace = PACES[motionPace.peek()];
        for (const line of lines) if (isMissed(line)) blocked(shown, line);
        runner.add(lines.flatMap((line) => runOf(line, board, circus, shown, before)));
      }
      before = shown?.race ?? null;
    });
    const cut = () => {
      if (session.running.peek()) runner.finish();
      else cutPhoto();
    };
    addEventListener("pointerdown", cut, true);
    addEventListener("keydown", cut, true);
    return () => {
      removeEventListener("pointerdown", cut, true);
      removeEventListener("keydown", cut, true);
      deaf();
      runner.close();
      circus.close();
      pass();
      session.running.value = false;
    };
  }, [board]);
  useLayoutEffect(() => {
    if (!session.running.peek()) settle();
  });
}

/** Somebody could not drive. @param {t.TableShown} shown @param {t.Line} line */
function blocked(shown, line) {
  play("thud", { gain: ownOf(shown).includes(line.chariot ?? -1) ? 1 : 0.45 });
}

/**
 * The run that a line tells of, if it does, with what goes before it and comes after.
 * @param {t.Line} line
 * @param {Drawn} board
 * @param {Circus} circus
 * @param {t.TableShown} shown
 * @param {t.RaceShown | null} before
 * @returns {Run[]}
 */
function runOf(line, board, circus, shown, before) {
  const { chariot, race } = { chariot: line.chariot, race: shown.race };
  if (line.kind !== "turn" || chariot === null || !line.way?.length || !race) return [];
  const spaces = [...(line.origin === null ? [] : [line.origin]), ...line.way].flatMap((id) => board.spaces[id] ?? []);
  const last = spaces.at(-1);
  if (!last) return [];
  const turn = (last.heading * Math.PI) / 180;
  const beyond = { x: last.x + OUT * Math.cos(turn), y: last.y + OUT * Math.sin(turn) };
  return [
    {
      thing: chariot,
      points: line.home ? [...spaces, beyond] : spaces,
      angle: last.heading,
      before: (time) => {
        circus.begins(time);
        play("card", { gain: 0.8 });
      },
      after: () => {
        circus.ends();
        came(line, last, circus, shown, before);
      },
    },
  ];
}

/**
 * A chariot has come to rest: what that means for the circus.
 * @param {t.Line} line
 * @param {{ x: number, y: number }} at
 * @param {Circus} circus
 * @param {t.TableShown} shown
 * @param {t.RaceShown | null} before
 */
function came(line, at, circus, shown, before) {
  const race = /** @type {t.RaceShown} */ (shown.race);
  const i = /** @type {number} */ (line.chariot);
  const chariot = race.chariots[i];
  if (!chariot) return;
  const own = ownOf(shown).includes(i);
  const who = { name: chariot.name, colour: chariot.colour };
  const near = nearlyHome(race);
  if (line.home && honoured(race).length === 1 && !chariot.disqualified) {
    circus.home();
    play("home");
    const next = runnerUp(race);
    if (!(race.over && STILL.matches))
      show({
        kind: "photo",
        who,
        turn: race.turn_number,
        next: next && { name: next.name, colour: next.colour, toGo: next.to_go },
      });
  } else if (line.home) {
    circus.cheer(at, 2);
    play(chariot.disqualified ? "thud" : "crowd");
  } else if (line.paid) {
    circus.tribute(at, own);
    play(own ? "ave" : "coin");
    if (!own) play("crowd", { gain: 0.5 });
    show({ kind: "ave", who, own });
  } else if (near && !nearlyHome(before)) {
    circus.wave();
    play("drum");
    show({ kind: "straight", who: near, toGo: near.to_go });
  } else if (chariot.leads && before && !before.chariots[i]?.leads && chariot.lap > 0) {
    circus.cheer(at, 2);
    play("gasp");
  }
}
