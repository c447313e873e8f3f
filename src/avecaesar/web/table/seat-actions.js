/**
 * What can be done about a seat: links, another driver, leaving it. Whether one may, the server decides.
 * @module
 * @import { Session } from "./session.js"
 * @import * as t from "../lib/types.js"
 */
import * as api from "../lib/api.js";
import { html, useEffect, useSignal } from "../lib/html.js";
import { notify } from "../lib/notices.js";
import { linked } from "../lib/pledges.js";
import { Sure } from "../lib/sure.js";
import { capital } from "../words/plurals.js";
import words from "../words/table.js";

const LOCAL = /^(localhost|127\..*|\[::1\])$/; // names by which a machine knows only itself

/** The menu, once it is there. */
export function useMenu() {
  const menu = useSignal(/** @type {t.Menu | null} */ (null));
  useEffect(
    () =>
      void api.menu().then(
        (found) => (menu.value = found),
        () => undefined,
      ),
    [],
  );
  return menu.value;
}

/** Who drives for the computer unless somebody says otherwise. @param {t.Menu} menu */
export const usualDriver = (menu) => (menu.drivers.find((one) => one.usual) ?? menu.drivers[0])?.name ?? "";

/** The edition's title, as one reads it. @param {t.Menu | null} menu @param {t.TableShown} shown */
export const editionOf = (menu, shown) =>
  capital(menu?.editions.find((one) => one.name === shown.plan.edition)?.short ?? shown.plan.edition);

/** The table's title, or whose it is. @param {t.TableShown} shown */
export function titleOf(shown) {
  const people = shown.seats.filter((seat) => seat.taken && !seat.driver);
  const owner = people.find((seat) => seat.kind === "here") ?? people[0] ?? shown.seats[0];
  return shown.title || words.tableOf(owner?.name ?? "");
}

/** @param {{ session: Session, seat: t.SeatShown }} props */
export function Manage({ session, seat }) {
  const shown = session.shown.value;
  const mine = shown?.yours.includes(seat.seat);
  if (!shown || !(mine || shown.host)) return null;
  const ready = session.line.value.state === "open";
  const { second, seatLink, invite, invitation } = words.gathering;
  const person = !seat.driver && seat.taken;
  const invites = shown.host && !seat.driver && !seat.taken && shown.phase !== "gathering";
  return html`<div class="manage">
    ${person && mine && html`<${LinkMaker} session=${session} seat=${seat.seat} label=${second} words=${seatLink} />`}
    ${invites && html`<${LinkMaker} session=${session} label=${invite} words=${invitation} />`}
    ${mine && seat.devices > 1 && html`<${Do} session=${session} what=${{ do: "shut_out", seat: seat.seat }} label=${words.gathering.shutOut} />`}
    ${mine && html`<${Do} session=${session} what=${{ do: "stand", seat: seat.seat }} label=${words.gathering.stand} />`}
    ${shown.host && person && !seat.host && html`<${Do} session=${session} what=${{ do: "hand_on", at: shown.changed, seat: seat.seat }} label=${words.gathering.handOn} />`}
    ${invites && html`<${Do} session=${session} what=${{ do: "void_links" }} label=${words.gathering.voidLinks} />`}
    ${
      shown.host &&
      !mine &&
      (seat.taken || seat.driver) &&
      html`<button
        class="button small quiet"
        type="button"
        data-vacate=${seat.seat}
        disabled=${!ready}
        onClick=${() => session.command({ do: "vacate", seat: seat.seat })}
      >
        ${words.gathering.vacate}
      </button>`
    }
    ${shown.host && html`<${Appoint} session=${session} seat=${seat} ready=${ready} />`}
    ${
      shown.host &&
      person &&
      !mine &&
      html`<${Sure}
        id=${`ban-${seat.seat}`}
        class="button small quiet"
        label=${words.order.ban}
        sure=${words.order.banSure(seat.name)}
        yes=${words.order.banYes}
        no=${words.order.no}
        disabled=${!ready}
        act=${() => session.command({ do: "ban", at: shown.changed, seat: seat.seat })}
      />`
    }
  </div>`;
}

/** What the host can do about the whole table. @param {{ session: Session }} props */
export function Order({ session }) {
  const shown = session.shown.value;
  if (!shown?.host || shown.plan.lesson) return null;
  const { order } = words;
  const ready = session.line.value.state === "open";
  const blank = shown.closed || shown.phase === "gathering" || shown.phase === "over";
  return html`<h3>${order.title}</h3>
    <div class="order">
      ${
        !shown.closed &&
        html`<${Sure}
          id="close-table"
          class="button small"
          label=${order.close}
          sure=${order.closeSure}
          yes=${order.closeYes}
          no=${order.no}
          disabled=${!ready}
          act=${() => session.command({ do: "close", at: shown.changed })}
        />`
      }
      ${
        blank &&
        html`<${Sure}
          id="erase-words"
          class="button small"
          label=${order.eraseWords}
          sure=${order.eraseWordsSure}
          yes=${order.eraseWordsYes}
          no=${order.no}
          disabled=${!ready}
          act=${() => session.command({ do: "erase_words", at: shown.changed })}
        />`
      }
    </div>`;
}

/** A button that gives a command. @param {{ session: Session, what: t.Logged, label: string }} props */
export const Do = ({ session, what, label }) =>
  html`<button
    class="button small quiet"
    type="button"
    data-do=${what.do}
    disabled=${session.line.value.state !== "open"}
    onClick=${() => session.command(what)}
  >
    ${label}
  </button>`;

/** @param {{ session: Session, seat: t.SeatShown, ready: boolean }} props */
function Appoint({ session, seat, ready }) {
  const menu = useMenu();
  const driver = useSignal("");
  if (!menu) return null;
  const chosen = driver.value || seat.driver || usualDriver(menu);
  return html`<form
    class="appoint row"
    onSubmit=${(/** @type {Event} */ event) => {
      event.preventDefault();
      void session.command({ do: "appoint", seat: seat.seat, driver: chosen });
    }}
  >
    <select
      class="input"
      aria-label=${words.gathering.appoint}
      value=${chosen}
      onChange=${(/** @type {Event} */ event) => (driver.value = /** @type {HTMLSelectElement} */ (event.target).value)}
    >
      ${menu.drivers.map((one) => html`<option value=${one.name} selected=${one.name === chosen}>${one.shown}, ${one.level}</option>`)}
    </select>
    <button class="button small" type="submit" data-appoint=${seat.seat} disabled=${!ready}>
      ${words.gathering.appointNow}
    </button>
  </form>`;
}

/**
 * A button that makes a link, and then the link with a button to copy it.
 * @param {{ session: Session, seat?: number | null, label: string, words: string, id?: string, primary?: boolean }} props
 */
export function LinkMaker({ session, seat = null, label, words: about, id, primary = false }) {
  const link = useSignal("");
  const copied = useSignal(false);
  const copy = async (unasked = false) => {
    copied.value = await copyOut(link.value, unasked);
  };
  const make = async () => {
    try {
      link.value = await api.link(session.id, seat);
      if (seat !== null && session.shown.value?.yours.includes(seat)) linked(session.id);
    } catch (thrown) {
      session.complain(thrown);
      return;
    }
    await copy(true);
  };
  if (!link.value)
    return html`<button class=${primary ? "button" : "button small quiet"} id=${id} type="button" onClick=${make}>
      ${label}
    </button>`;
  return html`<div class="link-made">
    <p class="soft">${about}</p>
    <div class="row">
      <input
        class="input"
        id=${id && `${id}-link`}
        readonly
        value=${link.value}
        aria-label=${label}
        onFocus=${(/** @type {Event} */ event) => /** @type {HTMLInputElement} */ (event.target).select()}
      />
      <button class="button small link-copy" type="button" onClick=${() => copy()}>
        ${copied.value ? html`<span aria-hidden="true">✓</span> ${words.gathering.copied}` : words.gathering.copy}
      </button>
    </div>
    <p class="visually-hidden" role="status">${copied.value && words.gathering.copied}</p>
    ${
      LOCAL.test(location.hostname) &&
      html`<details class="only-here soft">
        <summary>${words.gathering.onlyHere}</summary>
        <p>${words.gathering.elsewhere} <code>avecaesar serve --host 0.0.0.0</code></p>
      </details>`
    }
  </div>`;
}

/**
 * Copies a text; whether the browser allowed it.
 * @param {string} text
 * @param {boolean} unasked a failure needs no complaint: the link is there to be copied
 */
async function copyOut(text, unasked) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    if (!unasked) notify(words.gathering.copyByHand, "trouble");
    return false;
  }
}
