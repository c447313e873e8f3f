/**
 * The stage: the painted board, the spaces that can be reached, and chariots that run along their ways.
 * Which spaces those are, and where a way leads, the server has said.
 * @module
 * @import { Board as Painted, Unpainted } from "./picture.js"
 * @import { Session } from "./session.js"
 * @import * as t from "../lib/types.js"
 */
import { sentence } from "../lib/api.js";
import { html, useEffect, useLayoutEffect, useRef, useSignal } from "../lib/html.js";
import { Field } from "../stage/field.js";
import { Moments, Mood } from "../stage/moments.js";
import { caesarOn } from "../stage/circus.js";
import { beside, lens } from "../stage/spots.js";
import stage from "../words/stage.js";
import words from "../words/table.js";
import { worthOf } from "./advice.js";
import { curve } from "./motion.js";
import { loadBoard } from "./picture.js";
import { isCalled, useView } from "./view.js";

/** @typedef {Painted | Unpainted} Drawn */

const NARROW = matchMedia("(max-width: 760px), (max-aspect-ratio: 1/1), (max-height: 520px)");
const AWAY = 26; // points of the screen between a space and what is said of it
const CLEAR = 24; // and round what that must not cover
const EDGE = 40; // units of the board that its frame is wide, and a little more

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
  const close = near.value ?? isCalled(session);
  return html`<div class=${`stage${narrow.value ? " narrow" : ""}${board.painting ? "" : " plain"}`}>
    <div class="painting" ref=${painting} aria-hidden="true"></div>
    <svg
      class="play"
      ref=${play}
      role="group"
      aria-label=${words.boardLabel(board.title, board.course, board.direction)}
    >
      <${Mood} session=${session} board=${board} />
      <${Spaces} session=${session} board=${board} />
      <${Field} session=${session} board=${board} />
      <${InTheWay} session=${session} board=${board} />
      <${Marks} session=${session} board=${board} />
    </svg>
    <${Bubble} session=${session} board=${board} play=${play} />
    <${Key} session=${session} corner=${narrow.value && close ? null : cornerOf(board, room.value)} />
    <${Moments} session=${session} board=${board} play=${play} />
    ${
      narrow.value &&
      race &&
      html`<button
        class="button small glass"
        id="nearer"
        aria-pressed=${near.value === true}
        onClick=${() => (near.value = !close)}
      >
        ${close ? words.wholeBoard : words.nearer}
      </button>`
    }
  </div>`;
}

/** How a space that these offers lead to is lit. @param {t.Offer[]} here @returns {("pays" | "disqualifies" | "tight")[]} */
function lightOf(here) {
  const pays = here.some((one) => one.pays) ? /** @type {const} */ (["pays"]) : [];
  if (here.every((one) => one.risk !== "none" && one.risk !== "last")) return [...pays, "disqualifies"];
  return here.every((one) => one.risk !== "none") ? [...pays, "tight"] : [...pays];
}

/**
 * The lower left corner of the whole board within its frame, from that of the room for it.
 * @param {Drawn} board @param {{ width: number, height: number }} room
 */
function cornerOf(board, room) {
  const unit = Math.min(room.width / board.width, room.height / board.height);
  const beside = (/** @type {"width" | "height"} */ side) => `${(room[side] - board[side] * unit) / 2 + EDGE * unit}px`;
  return { left: beside("width"), bottom: beside("height") };
}

/**
 * What the colours of the lit spaces say, if there is more than one.
 * @param {{ session: Session, corner: { left: string, bottom: string } | null }} props `corner`: null where no frame is seen
 */
function Key({ session, corner }) {
  const targets = session.targets.value.filter((offer) => typeof offer.to === "number");
  const spaces = [...new Set(targets.map((offer) => offer.to))].map((to) => targets.filter((offer) => offer.to === to));
  const lights = new Set(spaces.flatMap((here) => lightOf(here).at(-1) ?? "reach"));
  if (!lights.size || (lights.size === 1 && lights.has("reach"))) return null;
  const ruins = targets.some((offer) => offer.risk === "disqualified") ? words.disqualified : words.stranded;
  const { reach, pays, tight } = stage.lit;
  const said = { reach, pays, tight, disqualifies: ruins };
  return html`<ul class="board-key" style=${corner ?? { left: "", bottom: "" }} aria-hidden="true">
    ${/** @type {const} */ (["reach", "pays", "tight", "disqualifies"]).map(
      (light) => lights.has(light) && html`<li key=${light}><i class=${light}></i>${said[light]}</li>`,
    )}
  </ul>`;
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
        if (here.length) classes.push("target", ...lightOf(here));
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
 * What the move leads to, beside the space that it leads to: not over another that can be reached, a chariot, or Caesar.
 * @param {{ session: Session, board: Drawn, play: { current: SVGSVGElement | null } }} props
 */
function Bubble({ session, board, play }) {
  const box = useRef(/** @type {HTMLDivElement | null} */ (null));
  const offer = previewed(session);
  const ends = (/** @type {t.Offer} */ one) => board.spaces[one.way.at(-1) ?? -1];
  const space = offer && offer.to !== null ? ends(offer) : undefined;
  const others = session.targets.value.flatMap((one) => (one.to === offer?.to ? [] : (ends(one) ?? [])));
  const chariots = session.race.value?.chariots.flatMap((one) => board.spaces[one.space ?? -1] ?? []) ?? [];
  useLayoutEffect(() => {
    const [bubble, svg] = [box.current, play.current];
    if (!bubble || !svg || !space) return;
    const see = lens(svg);
    const driven = offer?.way.flatMap((id) => board.spaces[id] ?? []) ?? [];
    const kept = [...new Set([space, ...others, ...chariots, ...driven]), caesarOn(board)].map(see);
    const size = { width: bubble.offsetWidth, height: bubble.offsetHeight };
    const frame = { width: svg.clientWidth, height: svg.clientHeight };
    const spot = beside(see(space), size, frame, kept, { away: AWAY, clear: CLEAR, first: "above" });
    bubble.style.left = `${spot.x}px`;
    bubble.style.top = `${spot.y}px`;
  });
  if (!space || !offer) return null;
  const risk = { none: "", last: " tight", stranded: " bad", disqualified: " bad" }[offer.risk];
  return html`<div class=${`bubble${risk}`} ref=${box} aria-hidden="true"><b>${offer.name}</b> ${offer.words}</div>`;
}
