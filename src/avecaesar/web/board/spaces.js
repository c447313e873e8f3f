/**
 * The spaces of a board: those that can be reached are lit and marked, a way is drawn, chariots in the way are ringed.
 * What can be reached, and what that brings, is handed to it.
 * @module
 * @import { Destination } from "../lib/types.js"
 * @import { Drawn } from "./field.js"
 * @import { Point } from "./motion.js"
 */
import { html } from "../lib/html.js";
import { curve } from "./motion.js";

/** @typedef {"pays" | "tight" | "disqualifies"} Light how a space that can be reached is lit, if it is more than that */
/**
 * A space that can be reached, or home.
 * @typedef {object} Target
 * @property {Destination} to
 * @property {number} space where its mark lies; of home, the last space of the way there
 * @property {string} cards the cards that lead there
 * @property {readonly Light[]} lights
 * @property {boolean} best starred: the best that can be done
 */
/**
 * What a finger, a mouse or a key does to spaces.
 * @typedef {object} Touch
 * @property {((to: Destination) => void) | null} choose null: nothing can be chosen now
 * @property {(to: Destination) => void} point
 * @property {(to: Destination) => void} leave
 */

/**
 * Every space, those that can be reached lit up; and a way.
 * @param {{ board: Drawn, targets: readonly Target[], chosen: Destination | null, pointed: Destination | null, way: readonly Point[] | null, touch: Touch }} props
 */
export function Spaces({ board, targets, chosen, pointed, way, touch }) {
  const { choose } = touch;
  return html`<g class="spaces">
      ${board.outlines.map((outline, id) => {
        const here = targets.find((one) => one.to === id);
        const classes = ["space"];
        if (here) classes.push("target", ...here.lights);
        if (chosen === id) classes.push("chosen");
        if (pointed === id) classes.push("pointed");
        return html`<path
          key=${id}
          class=${classes.join(" ")}
          data-space=${id}
          data-name=${board.spaces[id]?.name}
          d=${outline}
          onClick=${choose ? () => choose(id) : undefined}
          onPointerEnter=${here ? () => touch.point(id) : undefined}
          onPointerLeave=${here ? () => touch.leave(id) : undefined}
        />`;
      })}
    </g>
    ${way && html`<path class="way-edge" d=${curve(way)} /><path class="way" d=${curve(way)} />`}`;
}

/** Rings round chariots that stand in the way. @param {{ board: Drawn, spaces: readonly (number | null | undefined)[] }} props */
export function InTheWay({ board, spaces }) {
  return html`<g class="in-the-way">
    ${spaces.map((id) => {
      const space = board.spaces[id ?? -1];
      return space && html`<circle key=${id} cx=${space.x} cy=${space.y} r="27" />`;
    })}
  </g>`;
}

/**
 * What lies on spaces that can be reached: the cards that lead there, and the way home.
 * @param {{ board: Drawn, targets: readonly Target[], chosen: Destination | null, home: string, touch: Touch }} props `home`: what is written there
 */
export function Marks({ board, targets, chosen, home, touch }) {
  return html`<g class="marks">
    ${targets.map(({ to, space: id, cards, lights, best }) => {
      const space = board.spaces[id];
      if (!space) return null;
      const at = `translate(${space.x} ${space.y})`;
      if (to === "home")
        return html`<g
          class=${`home-mark${chosen === "home" ? " chosen" : ""}`}
          data-space="home"
          transform=${at}
          onClick=${() => touch.choose?.("home")}
          onPointerEnter=${() => touch.point("home")}
          onPointerLeave=${() => touch.leave("home")}
        >
          <circle r="26" />
          <text y="2">${home}</text>
          <text class="cards" y="17">${cards}</text>
        </g>`;
      return html`<g class=${lights.includes("pays") ? "reach pays" : "reach"} transform=${at}>
        <circle r=${cards.length > 3 ? 17 : cards.length > 1 ? 14 : 11} />
        <text y="5">${cards}</text>
        ${best && html`<text class="star" x="11" y="-8">★</text>`}
      </g>`;
    })}
  </g>`;
}
