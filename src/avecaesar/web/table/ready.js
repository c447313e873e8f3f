/**
 * Going on after a race: everybody says that he is ready, and with the last one the race begins.
 * @module
 * @import { Session } from "./session.js"
 * @import * as t from "../lib/types.js"
 */
import { Mark } from "../board/signs.js";
import { html, useEffect, useSignal } from "../lib/html.js";
import { listed } from "../text/lists.js";
import words from "../words/table.js";

/** The button that goes on, and who is ready. @param {{ session: Session, last: boolean }} props `last`: the last race of a plan */
export function GoOn({ session, last }) {
  const shown = session.shown.value;
  const late = useLate(session, shown?.ready?.without_from ?? null);
  if (!shown || !session.place.value) return null;
  const { ready } = shown;
  const { podium } = words;
  const begins = !ready || ready.begins || late;
  const names = listed((ready?.waits ?? []).flatMap((seat) => shown.seats.find((one) => one.seat === seat)?.name ?? []));
  const waits = Boolean(ready?.you && !begins);
  const usual = last ? podium.rematch : podium.next;
  const label = waits ? podium.waits(names) : !begins ? podium.iAmReady : late && ready?.you ? podium.without(names) : usual;
  return html`${shown.stopped && html`<p class="trouble" id="stopped" role="status">${shown.stopped}</p>`}<button
      class=${`button ${shown.plan.lesson ? "" : "primary "}podium-next`}
      id=${last ? "rematch" : "next"}
      type="button"
      disabled=${waits || Boolean(shown.stopped) || session.line.value.state !== "open"}
      onClick=${() => session.begin()}
    >
      ${label}
    </button>
    ${ready && ready.ready.length > 0 && ready.waits.length > 0 && html`<${Who} shown=${shown} ready=${ready} />`}`;
}

/** Who is ready, and who is waited for. @param {{ shown: t.TableShown, ready: t.ReadyShown }} props */
function Who({ shown, ready }) {
  const people = shown.seats.filter((seat) => ready.ready.includes(seat.seat) || ready.waits.includes(seat.seat));
  return html`<ul class="ready-people" id="ready" role="status">
    ${people.map((seat) => {
      const on = ready.ready.includes(seat.seat);
      return html`<li key=${seat.seat} class=${on ? "ready-on" : ""}>
        <${Mark} colour=${seat.colour} /><b>${seat.name}</b> ${on ? words.podium.isReady : words.podium.isAwaited}
      </li>`;
    })}
  </ul>`;
}

/** Whether the time has come from which those who are away are waited for no longer. @param {Session} session @param {number | null} from */
function useLate(session, from) {
  const late = useSignal(false);
  useEffect(() => {
    late.value = false;
    if (from === null) return undefined;
    const left = (from - session.ahead.peek()) * 1000 - Date.now();
    const timer = setTimeout(() => (late.value = true), Math.max(0, left));
    return () => clearTimeout(timer);
  }, [from]);
  return late.value;
}
