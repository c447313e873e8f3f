/**
 * The stage: the painted board, the spaces that can be reached, and chariots that run along their ways.
 * Which spaces those are, and where a way leads, the server has said.
 * @module
 * @import { Board as Painted, Box, Unpainted } from "./picture.js"
 * @import { Session } from "./session.js"
 * @import * as t from "../lib/types.js"
 */
import { sentence } from "../lib/api.js";
import { html, useEffect, useLayoutEffect, useRef, useSignal, useSignalEffect } from "../lib/html.js";
import words from "../words/table.js";
import { Chariot, place } from "./chariots.js";
import { Runner, curve } from "./motion.js";
import { around, loadBoard } from "./picture.js";

/** @typedef {Painted | Unpainted} Drawn */

const NARROW = matchMedia("(max-width: 760px), (max-aspect-ratio: 1/1), (max-height: 520px)");
const STILL = matchMedia("(prefers-reduced-motion: reduce)");
const NEAREST = 1.3; // points of the screen for a unit of the board
const GLIDE = 320; // milliseconds from one view of the board to another

/**
 * Which course is shown: the race's, or before the first one the first that will be.
 * @param {t.TableShown} shown
 * @returns {[string, t.Direction, string | null]}
 */
function courseOf(shown) {
  if (shown.race) return [shown.race.course, shown.race.direction, shown.race.board];
  const [course, direction] = shown.stages[0] ?? [shown.plan.course, shown.plan.direction];
  return [course, direction, shown.plan.board];
}

/** @param {{ session: Session }} props */
export function Board({ session }) {
  const drawn = useSignal(/** @type {{ key: string, board: Drawn } | null} */ (null));
  const problem = useSignal("");
  const shown = session.shown.value;
  const [course, direction, digest] = shown ? courseOf(shown) : [null, null, null];
  const key = `${course} ${direction} ${digest}`;
  useEffect(() => {
    if (!course || !direction) return undefined;
    let wanted = true;
    const show = (/** @type {Drawn} */ board) => void (wanted && (drawn.value = { key, board }));
    loadBoard(course, direction, digest, show)
      .then(show)
      .catch((thrown) => wanted && (problem.value = sentence(thrown)));
    return () => void (wanted = false);
  }, [key]);
  return html`<div id="board">
    ${
      drawn.value?.key === key
        ? html`<${Stage}
            key=${`${key} ${drawn.value.board.painting !== null}`}
            session=${session}
            board=${drawn.value.board}
          />`
        : html`<p class="board-waits">${problem.value || words.boardComes}</p>`
    }
  </div>`;
}

/** @param {{ session: Session, board: Drawn }} props */
function Stage({ session, board }) {
  const painting = useRef(/** @type {HTMLDivElement | null} */ (null));
  const play = useRef(/** @type {SVGSVGElement | null} */ (null));
  const near = useSignal(/** @type {boolean | null} */ (null)); // null: as it suggests itself
  const narrow = useSignal(NARROW.matches);
  const rigs = useChariots(session, board);

  const room = useSignal({ width: 1, height: 1 });
  useLayoutEffect(() => {
    painting.current?.replaceChildren(...(board.painting ? [board.painting] : []));
    const turned = () => (narrow.value = NARROW.matches);
    const sized = new ResizeObserver(([entry]) => {
      const size = entry?.contentRect;
      if (size?.width && size.height) room.value = { width: size.width, height: size.height };
    });
    if (painting.current) sized.observe(painting.current);
    NARROW.addEventListener("change", turned);
    return () => {
      sized.disconnect();
      NARROW.removeEventListener("change", turned);
    };
  }, [board]);
  useView(session, board, painting, play, near, narrow, room);

  const race = session.race.value;
  const asked = race && (race.voted_on ?? race.turn);
  return html`<div class=${`stage${narrow.value ? " narrow" : ""}${board.painting ? "" : " plain"}`}>
    <div class="painting" ref=${painting} aria-hidden="true"></div>
    <svg
      class="play"
      ref=${play}
      role="group"
      aria-label=${words.boardLabel(board.title, board.course, board.direction)}
    >
      <${Spaces} session=${session} board=${board} />
      <g class="chariots">
        ${(race?.chariots ?? []).map(
          (chariot, i) =>
            html`<${Chariot}
              key=${`${session.shown.value?.game} ${race?.index} ${i}`}
              colour=${chariot.colour}
              leads=${chariot.leads}
              asked=${!race?.over && asked === i}
              take=${(/** @type {SVGGElement | null} */ rig) => (rigs.current[i] = rig)}
            />`,
        )}
      </g>
      <${Marks} session=${session} board=${board} />
    </svg>
    <${Bubble} session=${session} board=${board} play=${play} />
    ${
      narrow.value &&
      race &&
      html`<button
        class="button small glass"
        id="nearer"
        aria-pressed=${near.value === true}
        onClick=${() => (near.value = !(near.value ?? isCalled(session)))}
      >
        ${(near.value ?? isCalled(session)) ? words.wholeBoard : words.nearer}
      </button>`
    }
  </div>`;
}

/** @param {Session} session */
const isCalled = (session) => ["turn", "vote"].includes(session.question.value?.asks ?? "");

/**
 * Keeps the chariots where they are, and lets them run when lines tell of it.
 * @param {Session} session
 * @param {Drawn} board
 */
function useChariots(session, board) {
  const rigs = useRef(/** @type {(SVGGElement | null)[]} */ ([]));
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
    const moves = new Runner(
      (thing, at) => {
        const rig = rigs.current[thing];
        rig?.classList.remove("gone");
        if (rig) place(rig, at);
      },
      (running) => {
        session.running.value = running;
        if (!running) settle();
      },
    );
    settle();
    const deaf = session.hear((lines, whole) =>
      whole ? moves.clear() : moves.add(lines.flatMap((line) => runOf(line, board))),
    );
    return () => {
      deaf();
      moves.close();
      session.running.value = false;
    };
  }, [board]);
  useLayoutEffect(() => {
    if (!session.running.peek()) settle();
  });
  return rigs;
}

/**
 * The run that a line tells of, if it does.
 * @param {t.Line} line
 * @param {Drawn} board
 */
function runOf(line, board) {
  if (line.kind !== "turn" || line.chariot === null || !line.way?.length) return [];
  const spaces = [...(line.origin === null ? [] : [line.origin]), ...line.way].flatMap((id) => board.spaces[id] ?? []);
  const last = spaces.at(-1);
  return last ? [{ thing: line.chariot, points: spaces, angle: last.heading }] : [];
}

/**
 * Shows the whole board or, where there is little room, what matters now.
 * @param {Session} session
 * @param {Drawn} board
 * @param {{ current: HTMLDivElement | null }} painting
 * @param {{ current: SVGSVGElement | null }} play
 * @param {{ value: boolean | null }} near
 * @param {{ value: boolean }} narrow
 * @param {{ value: { width: number, height: number } }} room
 */
function useView(session, board, painting, play, near, narrow, room) {
  const now = useRef(/** @type {Box | null} */ (null));
  const frame = useRef(0);
  useSignalEffect(() => {
    const whole = narrow.value ? board.track : { x: 0, y: 0, width: board.width, height: board.height };
    const close = narrow.value && (near.value ?? isCalled(session));
    const wanted = fill(close ? closeUp(session, board) : whole, room.value, board);
    const set = (/** @type {Box} */ box) => {
      now.current = box;
      const text = `${box.x} ${box.y} ${box.width} ${box.height}`;
      painting.current?.querySelector("svg")?.setAttribute("viewBox", text);
      play.current?.setAttribute("viewBox", text);
    };
    const from = now.current;
    cancelAnimationFrame(frame.current);
    if (!from || STILL.matches || document.hidden) return set(wanted);
    const begun = performance.now();
    const step = (/** @type {number} */ at) => {
      const part = Math.min((at - begun) / GLIDE, 1);
      const between = (/** @type {keyof Box} */ side) => from[side] + (wanted[side] - from[side]) * part * (2 - part);
      set({ x: between("x"), y: between("y"), width: between("width"), height: between("height") });
      if (part < 1) frame.current = requestAnimationFrame(step);
    };
    frame.current = requestAnimationFrame(step);
  });
}

/**
 * A box grown to the shape of the room for it, and moved so that it shows as little as possible from beside the board.
 * @param {Box} box
 * @param {{ width: number, height: number }} room
 * @param {Drawn} board
 * @returns {Box}
 */
function fill(box, room, board) {
  const width = Math.max(box.width, (box.height * room.width) / room.height, room.width / NEAREST);
  const height = (width * room.height) / room.width;
  const inside = (/** @type {number} */ at, /** @type {number} */ size, /** @type {number} */ most) =>
    size > most ? (most - size) / 2 : Math.min(Math.max(at, 0), most - size);
  return {
    x: inside(box.x - (width - box.width) / 2, width, board.width),
    y: inside(box.y - (height - box.height) / 2, height, board.height),
    width,
    height,
  };
}

/**
 * The part of the board that a decision is about, or the reader's own chariots.
 * @param {Session} session
 * @param {Drawn} board
 */
function closeUp(session, board) {
  const [shown, question] = [session.shown.value, session.question.value];
  const chariots = shown?.race?.chariots ?? [];
  const mine = chariots.filter((chariot, i) =>
    question
      ? i === (shown?.race?.voted_on ?? question.chariot)
      : chariot.seat !== null && shown?.yours.includes(chariot.seat),
  );
  const ids = [
    ...mine.map((chariot) => chariot.space ?? -1),
    ...(question?.offers ?? []).flatMap((offer) => offer.way),
  ];
  const places = ids.flatMap((id) => board.spaces[id] ?? []);
  return places.length ? around(places, board, 95) : board.track;
}

/**
 * Every space, those that can be reached lit up.
 * @param {{ session: Session, board: Drawn }} props
 */
function Spaces({ session, board }) {
  const targets = session.targets.value;
  const asks = session.question.value?.asks;
  const live = asks === "turn" || asks === "vote";
  const [to, pointed] = [session.to.value, session.pointed.value];
  const offer = previewed(session);
  const way = offer && waypoints(session, board, offer);
  return html`<g class="spaces">
      ${board.outlines.map((outline, id) => {
        const here = targets.filter((one) => one.to === id);
        const classes = ["space"];
        if (here.length) classes.push("target");
        if (here.some((one) => one.pays)) classes.push("pays");
        if (here.length && here.every((one) => one.disqualifies)) classes.push("disqualifies");
        if (to === id) classes.push("chosen");
        if (pointed === id) classes.push("pointed");
        return html`<path
          key=${id}
          class=${classes.join(" ")}
          data-space=${id}
          data-name=${board.spaces[id]?.name}
          d=${outline}
          onClick=${live ? () => session.chooseSpace(id) : undefined}
          onPointerEnter=${here.length ? () => (session.pointed.value = id) : undefined}
          onPointerLeave=${here.length ? () => session.leave(id) : undefined}
        />`;
      })}
    </g>
    ${way && html`<path class="way-edge" d=${curve(way)} /><path class="way" d=${curve(way)} />`}`;
}

/**
 * What lies on spaces that can be reached: the cards that lead there, and the way home.
 * @param {{ session: Session, board: Drawn }} props
 */
function Marks({ session, board }) {
  const targets = session.targets.value;
  /** @type {Map<t.Destination, t.Offer[]>} */
  const by = new Map();
  for (const offer of targets) if (offer.to !== null) by.set(offer.to, [...(by.get(offer.to) ?? []), offer]);
  return html`<g class="marks">
    ${[...by].map(([to, offers]) => {
      const space = board.spaces[to === "home" ? (offers[0].way.at(-1) ?? 0) : to];
      if (!space) return null;
      const cards = [...new Set(offers.map((offer) => offer.card))].sort().join(" ");
      const pays = offers.some((offer) => offer.pays);
      const at = `translate(${space.x} ${space.y})`;
      if (to === "home")
        return html`<g
          class=${`home-mark${session.to.value === "home" ? " chosen" : ""}`}
          data-space="home"
          transform=${at}
          onClick=${() => session.chooseSpace("home")}
          onPointerEnter=${() => (session.pointed.value = "home")}
          onPointerLeave=${() => session.leave("home")}
        >
          <circle r="26" />
          <text y="2">${words.home}</text>
          <text class="cards" y="17">${cards}</text>
        </g>`;
      return html`<g class=${pays ? "reach pays" : "reach"} transform=${at}>
        <circle r=${cards.length > 3 ? 17 : cards.length > 1 ? 14 : 11} />
        <text y="5">${cards}</text>
      </g>`;
    })}
  </g>`;
}

/** The offer whose way is drawn: the one that is pointed at, else the chosen one. @param {Session} session */
function previewed(session) {
  const pointed = session.pointed.value;
  const at = pointed === null ? undefined : session.targets.value.find((offer) => offer.to === pointed);
  return at ?? session.chosen.value;
}

/**
 * @param {Session} session
 * @param {Drawn} board
 * @param {t.Offer} offer
 */
function waypoints(session, board, offer) {
  const race = session.race.value;
  const mover = race?.chariots[race.voted_on ?? session.question.value?.chariot ?? -1];
  const start = mover && mover.space !== null ? [mover.space] : [];
  return offer.way.length ? [...start, ...offer.way].flatMap((id) => board.spaces[id] ?? []) : null;
}

/**
 * What the move leads to, beside the space that it leads to.
 * @param {{ session: Session, board: Drawn, play: { current: SVGSVGElement | null } }} props
 */
function Bubble({ session, board, play }) {
  const box = useRef(/** @type {HTMLDivElement | null} */ (null));
  const offer = previewed(session);
  const space = offer && offer.to !== null ? board.spaces[offer.way.at(-1) ?? -1] : undefined;
  useLayoutEffect(() => {
    const [bubble, svg] = [box.current, play.current];
    const matrix = svg?.getScreenCTM();
    if (!bubble || !svg || !matrix || !space) return;
    const at = new DOMPoint(space.x, space.y).matrixTransform(matrix);
    const frame = svg.getBoundingClientRect();
    const half = bubble.offsetWidth / 2 + 4;
    const x = Math.min(Math.max(at.x - frame.left, half), Math.max(frame.width - half, half));
    const above = at.y - frame.top > bubble.offsetHeight + 40;
    bubble.style.left = `${x}px`;
    bubble.style.top = `${at.y - frame.top}px`;
    bubble.classList.toggle("below", !above);
  });
  if (!space || !offer) return null;
  return html`<div class=${offer.disqualifies ? "bubble bad" : "bubble"} ref=${box} aria-hidden="true">
    <b>${offer.name}</b> ${offer.words}
  </div>`;
}
