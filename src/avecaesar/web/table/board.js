/**
 * The stage: the painted board, the spaces that can be reached, and chariots that run along their ways.
 * Which spaces those are, and where a way leads, the server has said.
 * @module
 * @import { Drawn } from "../board/field.js"
 * @import { Light, Target, Touch } from "../board/spaces.js"
 * @import { Session } from "./session.js"
 * @import * as t from "../lib/types.js"
 */
import { caesarOn } from "../board/circus.js";
import { loadBoard } from "../board/picture.js";
import { InTheWay, Marks, Spaces } from "../board/spaces.js";
import { beside, lens } from "../board/spots.js";
import { useView } from "../board/view.js";
import { sentence } from "../lib/api.js";
import { html, useEffect, useLayoutEffect, useRef, useSignal } from "../lib/html.js";
import stage from "../words/stage.js";
import words from "../words/table.js";
import { worthOf } from "./advice.js";
import { framingOf, isCalled } from "./framing.js";
import { Moments, Mood } from "./moments.js";
import { TableField } from "./table-field.js";

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
  useView(board, painting, play, room, () => framingOf(session, board, near, narrow));

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
      <${LitSpaces} session=${session} board=${board} />
      <${TableField} session=${session} board=${board} />
      <${Blockers} session=${session} board=${board} />
      <${CardMarks} session=${session} board=${board} />
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

/** How a space that these offers lead to is lit. @param {t.Offer[]} here @returns {Light[]} */
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

/** What can be reached, space by space. @param {Session} session @returns {Target[]} */
function targetsOf(session) {
  /** @type {Map<t.Destination, t.Offer[]>} */
  const by = new Map();
  for (const offer of session.targets.value)
    if (offer.to !== null) by.set(offer.to, [...(by.get(offer.to) ?? []), offer]);
  return [...by].map(([to, offers]) => ({
    to,
    space: to === "home" ? (offers[0].way.at(-1) ?? 0) : to,
    cards: [...new Set(offers.map((offer) => offer.card))].sort().join(" "),
    lights: lightOf(offers),
    best: offers.some((offer) => worthOf(session, offer)?.best),
  }));
}

/** What the reader does to spaces. @param {Session} session @returns {Touch} */
const touchOf = (session) => ({
  choose: isCalled(session) ? (to) => session.chooseSpace(to) : null,
  point: (to) => void (session.pointed.value = to),
  leave: (to) => session.leave(to),
});

/** @param {{ session: Session, board: Drawn }} props */
function LitSpaces({ session, board }) {
  const offer = previewed(session);
  return html`<${Spaces}
    board=${board}
    targets=${targetsOf(session)}
    chosen=${session.to.value}
    pointed=${session.pointed.value}
    way=${offer && waypoints(session, board, offer)}
    touch=${touchOf(session)}
  />`;
}

/** @param {{ session: Session, board: Drawn }} props */
function Blockers({ session, board }) {
  const chariots = session.race.value?.chariots ?? [];
  return html`<${InTheWay} board=${board} spaces=${session.blockers.value.map((i) => chariots[i]?.space)} />`;
}

/** @param {{ session: Session, board: Drawn }} props */
function CardMarks({ session, board }) {
  return html`<${Marks}
    board=${board}
    targets=${targetsOf(session)}
    chosen=${session.to.value}
    home=${words.home}
    touch=${touchOf(session)}
  />`;
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
