/**
 * The curtain between people at one screen: nobody sees another's hand.
 * @module
 * @import { Session } from "./session.js"
 */
import { html, useEffect, useRef } from "../lib/html.js";
import words from "../words/table.js";
import { Shield } from "./signs.js";

/** @param {{ session: Session }} props */
export function Curtain({ session }) {
  const lift = useRef(/** @type {HTMLButtonElement | null} */ (null));
  const shown = session.shown.value;
  const called = shown?.curtain ?? null;
  const waits = called === null || session.running.value || shown?.paused;
  useEffect(() => {
    if (!waits) lift.current?.focus();
  }, [waits, called]);
  const seat = shown?.seats.find((one) => one.seat === called);
  if (waits || !seat) return null;
  return html`<div id="curtain" role="dialog" aria-modal="true" aria-labelledby="curtain-call">
    <div class="curtain-words">
      <svg viewBox="-14 -14 28 28" aria-hidden="true"><${Shield} colour=${seat.colour} /></svg>
      <h2 id="curtain-call">${words.curtain.called(seat.name)}</h2>
      <p>${words.curtain.words}</p>
      <button
        class="button big"
        id="lift"
        ref=${lift}
        type="button"
        disabled=${session.line.value.state !== "open"}
        onClick=${() => session.command({ do: "lift", seat: seat.seat })}
      >
        ${words.curtain.lift}
      </button>
    </div>
  </div>`;
}

/** For who has looked and wants to hide his hand again. @param {{ session: Session }} props */
export function LetFall({ session }) {
  const shown = session.shown.value;
  if (!shown || shown.yours.length < 2 || shown.eyes === null) return null;
  return html`<button
    class="button small quiet"
    id="fall"
    type="button"
    onClick=${() => session.command({ do: "lift", seat: null })}
  >
    ${words.curtain.fall}
  </button>`;
}
