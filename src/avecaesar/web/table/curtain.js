/**
 * The curtain between people at one screen: nobody sees another's hand.
 * @module
 * @import { Session } from "./session.js"
 */
import { Mark, Shield } from "../board/signs.js";
import { html, useEffect, useRef } from "../lib/html.js";
import words from "../words/table.js";

const MOST_TOLD = 6; // turns on the curtain

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
  const stay = (/** @type {KeyboardEvent} */ event) => event.key === "Tab" && event.preventDefault(); // there is one button
  if (waits || !seat) return null;
  return html`<div id="curtain" role="dialog" aria-modal="true" aria-label=${words.curtain.called(seat.name)} data-colour=${seat.colour} onKeyDown=${stay}>
    <div class="curtain-words">
      <svg viewBox="-14 -14 28 28" aria-hidden="true"><${Shield} colour=${seat.colour} /></svg>
      <h2 class="curtain-name">${seat.name}</h2>
      <p><b>${words.status.yourTurn}.</b> ${words.curtain.words}</p>
      <${Recap} session=${session} seat=${seat.seat} />
      <button
        class="button primary big"
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

/** What happened since this seat decided last. @param {{ session: Session, seat: number }} props */
function Recap({ session, seat }) {
  const lines = session.story.value.filter((line) => line.kind !== "said");
  const last = lines.findLastIndex((line) => line.kind === "turn" && line.seat === seat);
  const since = lines.slice(last + 1).filter((line) => line.kind === "turn").slice(-MOST_TOLD);
  if (!since.length) return null;
  return html`<section class="recap">
    <h3>${words.curtain.recap}</h3>
    <ol>
      ${since.map(
        (line) =>
          html`<li key=${line.number}>
            <${Mark} colour=${session.race.value?.chariots[line.chariot ?? -1]?.colour ?? "white"} />
            <span>${line.words}</span>
          </li>`,
      )}
    </ol>
  </section>`;
}

/** For who has looked and wants to hide his hand again. @param {{ session: Session }} props */
export function LetFall({ session }) {
  const shown = session.shown.value;
  if (!shown || shown.yours.length < 2 || shown.eyes === null) return null;
  return html`<button
    class="button small quiet"
    id="fall"
    type="button"
    aria-label=${words.curtain.fall}
    title=${words.curtain.fall}
    onClick=${() => session.command({ do: "lift", seat: null })}
  >
    <svg viewBox="0 0 24 24" aria-hidden="true">
      <path d="M3 4h18M5 4v13.500c1.200 1.500 2.300 1.500 3.500 0V4M8.500 17.500c1.200 1.500 2.300 1.500 3.500 0V4M12 17.500c1.200 1.500 2.300 1.500 3.500 0V4M15.500 17.500c1.200 1.500 2.300 1.500 3.500 0V4" />
    </svg>
    <span>${words.curtain.fall}</span>
  </button>`;
}
