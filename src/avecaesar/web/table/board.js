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
import { Field } from "../stage/field.js";
import { Moments } from "../stage/moments.js";
import words from "../words/table.js";
import { worthOf } from "./advice.js";
import { curve } from "./motion.js";
import { around, loadBoard } from "./picture.js";

/** @typedef {Painted | Unpainted} Drawn */

const NARROW = matchMedia("(max-width: 760px), (max-aspect-ratio: 1/1), (max-height: 520px)");
const STILL = matchMedia("(prefers-reduced-motion: reduce)");
const NEAREST = 1.3; // points of the screen for a unit of the board
const AWAY = 26; // points of the screen between a space and what is said of it
/** Where that may stand: above, below, beside. @type {[number, number][]} */
const AROUND = [
  [0, -1],
  [0, 1],
  [1, 0],
  [-1, 0],
];
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
  return html`<div class=${`stage${narrow.value ? " narrow" : ""}${board.painting ? "" : " plain"}`}>
    <div class="painting" ref=${painting} aria-hidden="true"></div>
    <svg
      class="play"
      ref=${play}
      role="group"
      aria-label=${words.boardLabel(board.title, board.course, board.direction)}
    >
      <${Spaces} session=${session} board=${board} />
      <${Field} session=${session} board=${board} />
      <${InTheWay} session=${session} board=${board} />
      <${Marks} session=${session} board=${board} />
    </svg>
    <${Bubble} session=${session} board=${board} play=${play} />
    <${Moments} session=${session} />
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
    const wanted = fill(close ? closeUp(session, board) : whole, room.value, board, close ? NEAREST : Infinity);
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
 * @param {number} nearest points of the screen for a unit of the board, at the most
 * @returns {Box}
 */
function fill(box, room, board, nearest) {
  const width = Math.max(box.width, (box.height * room.width) / room.height, room.width / nearest);
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
    ...(question?.refused ?? []).flatMap((one) => one.blockers.map((i) => chariots[i]?.space ?? -1)),
    ...session.blockers.value.map((i) => chariots[i]?.space ?? -1),
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
        if (here.length && here.every((one) => one.risk !== "none" && one.risk !== "last")) classes.push("disqualifies");
        else if (here.length && here.every((one) => one.risk !== "none")) classes.push("tight");
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
 * Rings round the chariots that stand in the way of what was pointed at.
 * @param {{ session: Session, board: Drawn }} props
 */
function InTheWay({ session, board }) {
  const chariots = session.race.value?.chariots ?? [];
  return html`<g class="in-the-way">
    ${session.blockers.value.map((i) => {
      const space = board.spaces[chariots[i]?.space ?? -1];
      return space && html`<circle key=${i} cx=${space.x} cy=${space.y} r="27" />`;
    })}
  </g>`;
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
      const best = offers.some((offer) => worthOf(session, offer)?.best);
      return html`<g class=${pays ? "reach pays" : "reach"} transform=${at}>
        <circle r=${cards.length > 3 ? 17 : cards.length > 1 ? 14 : 11} />
        <text y="5">${cards}</text>
        ${best && html`<text class="star" x="11" y="-8">★</text>`}
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
 * What the move leads to, beside the space that it leads to, and not over another that can be reached.
 * @param {{ session: Session, board: Drawn, play: { current: SVGSVGElement | null } }} props
 */
function Bubble({ session, board, play }) {
  const box = useRef(/** @type {HTMLDivElement | null} */ (null));
  const offer = previewed(session);
  const ends = (/** @type {t.Offer} */ one) => board.spaces[one.way.at(-1) ?? -1];
  const space = offer && offer.to !== null ? ends(offer) : undefined;
  const others = [...new Set(session.targets.value.flatMap((one) => (one.to === offer?.to ? [] : (ends(one) ?? []))))];
  useLayoutEffect(() => {
    const [bubble, svg] = [box.current, play.current];
    const matrix = svg?.getScreenCTM();
    if (!bubble || !svg || !matrix || !space) return;
    const frame = svg.getBoundingClientRect();
    const onScreen = (/** @type {{ x: number, y: number }} */ { x, y }) => {
      const at = new DOMPoint(x, y).matrixTransform(matrix);
      return { x: at.x - frame.left, y: at.y - frame.top };
    };
    const [across, down] = [bubble.offsetWidth, bubble.offsetHeight];
    const at = onScreen(space);
    const kept = others.map(onScreen);
    const spots = AROUND.map(([dx, dy]) => ({
      x: Math.min(Math.max(at.x + dx * (across / 2 + AWAY) - across / 2, 4), frame.width - across - 4),
      y: Math.min(Math.max(at.y + dy * (down / 2 + AWAY) - down / 2, 4), frame.height - down - 4),
    }));
    const covers = (/** @type {{ x: number, y: number }} */ spot) =>
      [at, ...kept].filter(
        (one) => one.x > spot.x - 14 && one.x < spot.x + across + 14 && one.y > spot.y - 14 && one.y < spot.y + down + 14,
      ).length;
    const best = spots.reduce((one, other) => (covers(other) < covers(one) ? other : one));
    bubble.style.left = `${best.x}px`;
    bubble.style.top = `${best.y}px`;
  });
  if (!space || !offer) return null;
  const risk = { none: "", last: " tight", stranded: " bad", disqualified: " bad" }[offer.risk];
  return html`<div class=${`bubble${risk}`} ref=${box} aria-hidden="true"><b>${offer.name}</b> ${offer.words}</div>`;
}
