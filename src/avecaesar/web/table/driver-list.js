/**
 * The drivers: how far everybody is, what he owes, holds and can spare, and whether he is there.
 * @module
 * @import { Session } from "./session.js"
 * @import * as t from "../lib/types.js"
 */
import { Mark } from "../board/signs.js";
import { html, useEffect, useLayoutEffect, useRef, useSignal } from "../lib/html.js";
import { capital } from "../words/plurals.js";
import words from "../words/table.js";
import { Counts } from "./hand.js";
import { Explain } from "./legend.js";
import { useMenu } from "./seat-actions.js";

const COLUMNS = /** @type {const} */ (["behind", "lap", "coin", "points", "spare", "laurels"]);
const STILL = matchMedia("(prefers-reduced-motion: reduce)");

/** The drivers as the race stands, the first one first. @param {{ session: Session, manage: () => void }} props `manage` opens the seats */
export function DriverList({ session, manage }) {
  const open = useSignal(/** @type {number | null} */ (null));
  const list = useRef(/** @type {HTMLUListElement | null} */ (null));
  const shown = session.shown.value;
  const race = shown?.race;
  const order = race ? standing(race) : [];
  useReorder(list, order.join());
  useEffect(() => {
    if (open.value === null) return undefined;
    const escape = (/** @type {KeyboardEvent} */ event) => {
      if (event.key !== "Escape") return;
      event.stopPropagation();
      open.value = null;
    };
    addEventListener("keydown", escape, true);
    return () => removeEventListener("keydown", escape, true);
  }, [open.value]);
  if (!shown || !race) return null;
  const opened = (/** @type {MouseEvent} */ event) => {
    if (event.detail) /** @type {HTMLElement} */ (event.currentTarget).blur(); // by a pointer: keys are moves afterwards
    manage();
  };
  const many = shown.stages.length > 1;
  const gifts = race.tribute === "optional" && race.chariots.some((chariot) => chariot.emperor.length);
  const { place, behind, lap, coin, points, spare, emperor } = words.legend;
  return html`<section class=${`drivers card${many ? " tournament" : ""}`} id="seats" aria-label=${words.drivers}>
    <div class="driver head">
      <span class="who"
        >${words.columns.driver}
        <${Explain} id="explain-columns" about=${[place, behind, lap, race.tribute === "optional" ? emperor : coin, points, spare]} />
        ${session.place.value && !shown.plan.lesson && html`<button class="button small quiet" id="open-seats" type="button" onClick=${opened}>${words.seats.title}</button>`}
      </span>
      ${COLUMNS.map(
        (column) =>
          (column === "laurels" ? many : !choosesOf(race)) &&
          html`<span class=${`of-${column}`} aria-hidden="true" title=${words.columnsLong[column]}
            >${column === "coin" && gifts ? words.columns.emperor : words.columns[column]}</span
          >`,
      )}
    </div>
    <ul ref=${list}>
      ${order.map((i) => {
        const chariot = /** @type {t.ChariotShown} */ (race.chariots[i]);
        const seat = shown.seats.find((one) => one.seat === chariot.seat);
        return html`<li key=${i} class="driver-item" data-place=${chariot.position}>
          <${Driver}
            shown=${shown}
            race=${race}
            index=${i}
            seat=${seat}
            many=${many}
            open=${open.value === i}
            toggle=${() => (open.value = open.value === i ? null : i)}
          />
          ${open.value === i && html`<${Details} lesson=${shown.plan.lesson} chariot=${chariot} seat=${seat} close=${() => (open.value = null)} />`}
        </li>`;
      })}
    </ul>
  </section>`;
}

/** The chariots in the order of the race as it stands; those that are out come last. @param {t.RaceShown} race */
function standing(race) {
  const place = (/** @type {number} */ i) => race.chariots[i]?.position ?? race.chariots.length + 1;
  return race.chariots.map((_, i) => i).sort((a, b) => place(a) - place(b) || a - b);
}

/**
 * Lets lines glide to where they belong when their order changes.
 * @param {{ current: HTMLUListElement | null }} list
 * @param {string} order
 */
function useReorder(list, order) {
  const before = useRef(/** @type {Map<Element, DOMRect>} */ (new Map()));
  useLayoutEffect(() => {
    for (const line of list.current?.children ?? []) {
      const [was, now] = [before.current.get(line), line.getBoundingClientRect()];
      const [across, down] = was ? [was.x - now.x, was.y - now.y] : [0, 0];
      if (STILL.matches || !(across || down)) continue;
      const layer = down > 0 ? 2 : 1; // who climbs glides over who falls back
      const glide = [{ transform: `translate(${across}px, ${down}px)`, zIndex: layer }, { zIndex: layer }];
      line.animate(glide, { duration: 380, easing: "ease-in-out" });
    }
  }, [order]);
  useLayoutEffect(() => {
    before.current = new Map([...(list.current?.children ?? [])].map((line) => [line, line.getBoundingClientRect()]));
  });
}

/**
 * One line a chariot.
 * @param {{ shown: t.TableShown, race: t.RaceShown, index: number, seat: t.SeatShown | undefined, many: boolean, open: boolean, toggle: () => void }} props
 */
function Driver({ shown, race, index, seat, many, open, toggle }) {
  const chariot = /** @type {t.ChariotShown} */ (race.chariots[index]);
  const deciding = choosesOf(race) ? seat !== undefined && !seat.chosen && isYou(shown, seat) : race.order[0] === index;
  const asked = !race.over && !shown.paused && !shown.closed && deciding;
  const out = chariot.status !== "racing";
  const next = !race.over && !shown.paused && !choosesOf(race) && race.order[1] === index;
  const mine = seat && shown.yours.includes(seat.seat);
  const choosing = !race.over && choosesOf(race);
  const classes = ["driver", asked ? "asked" : "", out ? "out" : "", chariot.disqualified ? "disqualified" : ""];
  if (chariot.status === "home" && !chariot.disqualified) classes.push("home");
  if (mine) classes.push("mine");
  if (next) classes.push("next-up");
  if (!chariot.behind) classes.push("foremost");
  return html`<button
    class=${classes.filter(Boolean).join(" ")}
    type="button"
    data-chariot=${index}
    aria-expanded=${open}
    onClick=${toggle}
  >
    <span class="who">
      <span class="driver-place"><span class="label">${words.columnsLong.place}: </span>${chariot.position ?? "–"}</span>
      <${Mark} colour=${chariot.colour} leads=${chariot.leads && chariot.lap > 0} />
      <span class="name">
        <span class="call">${chariot.name}</span><${Tags} shown=${shown} chariot=${chariot} seat=${seat} next=${next} />
        ${seat?.driver && !shown.plan.lesson && html`<span class="soft computer">${driverOf(seat)}</span>`}
      </span>
    </span>
    ${
      out
        ? html`<span class="fate">${fateOf(chariot)}</span>`
        : choosing // riderless chariots have nothing to choose
          ? html`<span class=${seat?.chosen ? "fate chosen-already" : "fate"}>${seat?.chosen ? `✓ ${words.hasChosen}` : seat ? words.chooses : "–"}</span>`
          : html`<${Figures} chariot=${chariot} />`
    }
    ${many && html`<span class="of-laurels"><span class="label">${words.columnsLong.laurels}: </span>${seat ? seat.laurels : "–"}</span>`}
  </button>`;
}

/** Whether all choose their decks, or sort them, at once. @param {t.RaceShown} race */
const choosesOf = (race) => race.asks === "deck" || race.asks === "sort";

/** What became of a chariot that races no more. @param {t.ChariotShown} chariot */
function fateOf(chariot) {
  if (chariot.disqualified) return words.disqualified;
  const place = chariot.arrival ? `, ${words.ordinal(chariot.arrival)}` : "";
  return `${words.states[chariot.status]}${place}`;
}

/** @param {{ chariot: t.ChariotShown }} props */
function Figures({ chariot }) {
  const spare = chariot.to_spare;
  const label = (/** @type {string} */ text) => html`<span class="label">${text}: </span>`;
  return html`<span class="of-behind">${label(words.columnsLong.behind)}${chariot.behind ? chariot.behind : "–"}</span>
    <span class="of-lap"
      >${label(words.columnsLong.lap)}${chariot.lap ? words.roman[chariot.lap - 1] : html`<span class="at-gate">${words.gate}</span>`}</span
    >
    <span class="of-coin">
      ${
        chariot.disqualified
          ? html`<span class="refused-coin" title=${words.disqualified}
              >✗<span class="label">${words.disqualified}</span></span
            >`
          : chariot.emperor.length
            ? html`<span class="kept-cards" title=${words.details.emperor(chariot.emperor.join(", "))}
                >${chariot.emperor.join("+")}</span
              >`
            : chariot.owes
              ? html`<span class="owed-coin" title=${words.owes}><span class="label">${words.owes}</span></span>`
              : chariot.paid
                ? html`<span class="paid-coin" title=${words.paid}>✓<span class="label">${words.paid}</span></span>`
                : html`<span aria-hidden="true">–</span>`
      }
    </span>
    <span class="of-points">${label(words.columnsLong.points)}${chariot.points_left || "–"}</span>
    <span
      class=${spare !== null && spare < 0 ? "of-spare short" : "of-spare"}
      title=${spare !== null && spare < 0 ? words.stranded : words.columnsLong.spare}
      >${label(words.columnsLong.spare)}${spare === null ? "–" : words.spare(spare)}</span
    >`;
}

/** Who drives for the computer, unless the name says it already. @param {t.SeatShown} seat */
export const driverOf = (seat) =>
  seat.driver?.toLowerCase() === seat.name.toLowerCase() ? words.computer : capital(seat.driver ?? "");

/**
 * Whether a seat is the reader's; of several at one screen the one whose hand is seen.
 * @param {t.TableShown} shown
 * @param {t.SeatShown | undefined} seat
 */
export const isYou = (shown, seat) =>
  seat !== undefined && shown.yours.includes(seat.seat) && (shown.yours.length === 1 || shown.eyes === seat.seat);

/** @param {{ shown: t.TableShown, chariot: t.ChariotShown, seat: t.SeatShown | undefined, next: boolean }} props */
function Tags({ shown, chariot, seat, next }) {
  return html`<span class="tags">
    ${chariot.leads && html`<span class="label">${chariot.shares ? words.sharesLead : words.leads}</span>`}
    ${chariot.barred && html`<span class="tag six" title=${words.barredLong}>${words.barred}</span>`}
    ${isYou(shown, seat) && html`<span class="tag you">${words.you}</span>`}
    ${next && html`<span class="tag next-tag" title=${words.nextLong}>${words.next}</span>`}
    ${!seat && html`<span class="tag">${words.riderless}${chariot.open_card ? ` · ${chariot.open_card}` : ""}</span>`}
    ${seat?.taken && seat.stand_in && html`<span class="tag hot" title=${words.standInLong}>${words.standIn}</span>`}
    ${seat && !seat.taken && html`<span class="tag hot">${words.gathering.free}</span>`}
    ${seat && seat.devices > 1 && html`<span class="tag hot devices" data-many=${seat.devices}>${words.gathering.devices(seat.devices)}</span>`}
    ${seat?.taken && !seat.connected && !seat.stand_in && html`<span class="tag hot">${words.away}</span>`}
  </span>`;
}

/** What is less often asked for. @param {{ lesson: boolean, chariot: t.ChariotShown, seat: t.SeatShown | undefined, close: () => void }} props */
function Details({ lesson, chariot, seat, close }) {
  const { details } = words;
  const menu = useMenu();
  const shown = menu?.drivers.find((one) => one.name === seat?.driver)?.shown ?? capital(seat?.driver ?? "");
  const driver = shown === chariot.name ? words.computer : details.driver(shown);
  return html`<div class="details" role="group" aria-label=${details.of(chariot.name)}>
    <p class="details-name">
      <b>${chariot.name}</b> ${seat?.driver && !lesson && html`<span class="soft">${driver}</span>`}
    </p>
    ${
      chariot.status === "racing" &&
      html`<p>
        ${[
          chariot.position !== null && words.ordinal(chariot.position),
          chariot.behind ? details.behind(chariot.behind) : chariot.shares ? words.sharesLead : "",
          chariot.where,
          chariot.owes ? words.owes : "",
        ]
          .filter(Boolean)
          .join(" · ")}
      </p>`
    }
    ${chariot.unseen.some(Boolean) && html`<p><span class="soft">${details.unseen}</span> <${Counts} counts=${chariot.unseen} /></p>`}
    <p class="soft">
      ${details.handAndDeck(chariot.hand_size, chariot.deck_size)}${chariot.status === "racing" && ` · ${details.toGo(chariot.to_go)}`}
      ${chariot.deck && ` · ${details.deck(chariot.deck)}`}
      ${chariot.piles.length > 0 && ` · ${details.piles} ${chariot.piles.join(" / ")}`}
      ${chariot.emperor.length > 0 && ` · ${details.emperor(chariot.emperor.join(", "))}`}
    </p>
    <button class="button small quiet close" type="button" onClick=${close}>${words.close}</button>
  </div>`;
}
