/**
 * A card that is played flies from the hand to the space that it leads to.
 * @module
 * @import { Session } from "./session.js"
 */
import { useSignalEffect } from "../lib/html.js";

const STILL = matchMedia("(prefers-reduced-motion: reduce)");
const FLIGHT = 420; // milliseconds

/** @param {Session} session */
export function useFlight(session) {
  useSignalEffect(() => {
    if (session.sending.value && !STILL.matches && !document.hidden) fly(session);
  });
}

/** @param {Session} session */
function fly(session) {
  const card = document.querySelector("#hand .playing-card.chosen");
  const space = document.querySelector(`#board [data-space="${session.to.peek()}"]`);
  if (!(card instanceof HTMLElement) || !space) return;
  const [from, to] = [card.getBoundingClientRect(), space.getBoundingClientRect()];
  const ghost = /** @type {HTMLElement} */ (card.cloneNode(true));
  ghost.removeAttribute("data-card");
  ghost.inert = true;
  ghost.classList.add("flying");
  ghost.style.cssText = `left:${from.left}px;top:${from.top}px;width:${from.width}px`;
  document.body.append(ghost);
  const across = to.x + to.width / 2 - from.x - from.width / 2;
  const down = to.y + to.height / 2 - from.y - from.height / 2;
  const lands = `translate(${across}px, ${down}px) scale(0.3) rotate(-14deg)`;
  const flight = ghost.animate(
    [
      { transform: "none", opacity: 1 },
      { transform: `translate(${across * 0.5}px, ${down * 0.5 - 60}px) scale(0.9) rotate(-8deg)`, opacity: 1 },
      { transform: lands, opacity: 0 },
    ],
    { duration: FLIGHT, easing: "cubic-bezier(.3,.1,.5,1)" },
  );
  flight.onfinish = flight.oncancel = () => ghost.remove();
}
