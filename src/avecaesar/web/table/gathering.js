/**
 * Before the first race: who sits where, seats that fill, invitations, names and colours.
 * @module
 * @import { Session } from "./session.js"
 * @import * as t from "../lib/types.js"
 */
import * as api from "../lib/api.js";
import { html, useRef, useSignal } from "../lib/html.js";
import { Badge, LIVERIES } from "../lib/liveries.js";
import { myColour, myName } from "../lib/prefs.js";
import { words as all } from "../lib/words.js";
import words from "../words/table.js";
import { driverOf } from "./driver-list.js";
import { Do, LinkMaker, Manage, editionOf, titleOf, useMenu, usualDriver } from "./seat-actions.js";

const LONGEST_NAME = 24;

/**
 * @param {{ session: Session, invitation: string | null, seated: () => void }} props `seated`: a seat was taken
 */
export function Gathering({ session, invitation, seated }) {
  const open = useSignal(/** @type {number | null} */ (null));
  const menu = useMenu();
  const shown = session.shown.value;
  if (!shown) return null;
  const free = shown.seats.filter((seat) => !seat.taken && !seat.driver);
  const ready = session.line.value.state === "open";
  const welcome = !shown.closed && !shown.banned && !shown.yours.length && free.length > 0 && (invitation !== null || shown.plan.open);
  const inviter = shown.seats.find((seat) => seat.kind === "here" && seat.taken)?.name;
  return html`<section class="gathering card" aria-label=${words.gathering.title}>
    <h2>${welcome && inviter ? words.gathering.invitedBy(inviter) : titleOf(shown)}</h2>
    <p class="soft">${[welcome && inviter && shown.title, about(shown, menu)].filter(Boolean).join(" · ")}</p>
    ${
      shown.house_rules.length > 0 &&
      html`<details class="house">
        <summary>${words.gathering.houseRules}</summary>
        <ul>
          ${shown.house_rules.map((rule) => html`<li>${rule}</li>`)}
        </ul>
      </details>`
    }
    ${welcome && html`<${SitDown} session=${session} shown=${shown} free=${free} invitation=${invitation} seated=${seated} />`}
    <ul id="seats">
      ${shown.seats.map((seat) => {
        const may = shown.host || shown.yours.includes(seat.seat);
        const held = seat.taken || seat.driver;
        const called = held ? seat.name : `${words.gathering.freeSeat}, ${all.shell.colours[seat.colour]}`;
        return html`<li key=${seat.seat} class="gathered" data-seat=${seat.seat}>
          <div class="gathered-line">
            <${Badge} colour=${seat.colour} />
            ${
              held
                ? html`<span class="call">${seat.name}</span>`
                : html`<span class="call soft">${words.gathering.freeSeat}</span>`
            }
            <${Holder} shown=${shown} seat=${seat} />
            ${
              shown.host &&
              !held &&
              menu &&
              html`<button
                class="button small"
                type="button"
                data-fill=${seat.seat}
                disabled=${!ready}
                onClick=${() => session.command({ do: "appoint", seat: seat.seat, driver: usualDriver(menu) })}
              >
                ${words.gathering.fill}
              </button>`
            }
            ${
              may &&
              html`<button
                class="button small quiet"
                type="button"
                aria-expanded=${open.value === seat.seat}
                aria-label=${`${open.value === seat.seat ? words.close : words.gathering.manage}: ${called}`}
                onClick=${() => (open.value = open.value === seat.seat ? null : seat.seat)}
              >
                ${open.value === seat.seat ? words.close : "…"}
              </button>`
            }
          </div>
          ${
            may &&
            open.value === seat.seat &&
            html`<div class="gathered-more">
              ${shown.yours.includes(seat.seat) && html`<${Dress} session=${session} shown=${shown} seat=${seat} done=${() => (open.value = null)} />`}
              <${Manage} session=${session} seat=${seat} />
            </div>`
          }
        </li>`;
      })}
    </ul>
    ${!(shown.host && free.length) && html`<p id="free" class="soft">${words.gathering.waiting(free.length)}</p>`}
    ${shown.host && free.length > 0 && html`<${LinkMaker} session=${session} id="invite" primary label=${words.gathering.invite} words=${words.gathering.invitation} />
      <${Do} session=${session} what=${{ do: "void_links" }} label=${words.gathering.voidLinks} />`}
    ${!welcome && !shown.closed && !shown.banned && !session.place.value && html`<p class="soft" id="ask-for-link">${words.gathering.watch(inviter ?? "")}</p>`}
    ${shown.stopped && html`<p class="trouble" id="stopped" role="status">${shown.stopped}</p>`}
    ${
      shown.host
        ? html`<button
            class=${free.length ? "button big waits" : "button primary big"}
            id="begin"
            type="button"
            disabled=${!ready || shown.closed || free.length > 0 || Boolean(shown.stopped)}
            onClick=${() => session.begin()}
          >
            ${words.gathering.begin}${free.length > 0 && html`<small>${words.gathering.needs(free.length)}</small>`}
          </button>`
        : html`<p class="soft">${words.gathering.hostBegins}</p>`
    }
  </section>`;
}

/** What will be raced. @param {t.TableShown} shown @param {t.Menu | null} menu */
function about(shown, menu) {
  const { plan } = shown;
  const races = plan.tournament
    ? words.gathering.tournament
    : `${all.shell.course(plan.course)}, ${all.shell.directions[plan.direction]}`;
  const clock = plan.clock ? words.gathering.clock(plan.clock) : "";
  return [menu && editionOf(menu, shown), races, clock, plan.open ? words.gathering.open : words.gathering.byLink].filter(Boolean).join(" · ");
}

/** Who holds a seat, and on how many devices, if on several. @param {{ shown: t.TableShown, seat: t.SeatShown }} props */
export const Holder = ({ shown, seat }) =>
  html`<${Person} shown=${shown} seat=${seat} />${seat.devices > 1 && html`<span class="tag hot devices">${words.gathering.devices(seat.devices)}</span>`}`;

/** @param {{ shown: t.TableShown, seat: t.SeatShown }} props */
function Person({ shown, seat }) {
  if (shown.yours.includes(seat.seat)) return html`<span class="tag you">${words.you}</span>`;
  if (seat.driver) return html`<span class="soft">${driverOf(seat)}</span>`;
  if (!seat.taken) return null;
  return html`<span class=${seat.connected ? "tag good" : "tag"}
    >${seat.connected ? words.gathering[seat.kind === "here" ? "here" : "friend"] : words.away}</span
  >`;
}

/**
 * A name and a colour.
 * @param {{ name: string, colour: string, taken: string[], label: string, keep: (name: string, colour: t.Colour) => void, id: string, primary?: boolean }} props
 */
function Clothes({ name, colour, taken, label, keep, id, primary = false }) {
  const called = useSignal(name);
  const worn = useSignal(colour);
  return html`<form
    class="clothes"
    onSubmit=${(/** @type {Event} */ event) => {
      event.preventDefault();
      if (called.value.trim()) keep(called.value.trim(), /** @type {t.Colour} */ (worn.value));
    }}
  >
    <label class="field"
      ><span class="name">${words.gathering.name}</span>
      <input
        class="input"
        id=${`${id}-name`}
        required
        maxlength=${LONGEST_NAME}
        placeholder=${words.gathering.namePlaceholder}
        value=${called.value}
        onInput=${(/** @type {Event} */ event) => (called.value = /** @type {HTMLInputElement} */ (event.target).value)}
      />
    </label>
    <fieldset class="liveries">
      <legend class="visually-hidden">${words.gathering.colour}</legend>
      ${Object.keys(LIVERIES).map((one) => {
        const livery = /** @type {t.Colour} */ (one);
        return html`<label class=${taken.includes(one) ? "livery taken" : "livery"}>
          <input
            type="radio"
            name=${`${id}-colour`}
            value=${one}
            checked=${worn.value === one}
            disabled=${taken.includes(one)}
            onChange=${() => (worn.value = one)}
          />
          <${Badge} colour=${one} /><span class="visually-hidden">${all.shell.colours[livery]}</span>
        </label>`;
      })}
    </fieldset>
    <button class=${primary ? "button primary" : "button"} id=${id} type="submit">${label}</button>
  </form>`;
}

/** @param {{ session: Session, shown: t.TableShown, seat: t.SeatShown, done: () => void }} props */
function Dress({ session, shown, seat, done }) {
  const taken = shown.seats.filter((one) => one.seat !== seat.seat).map((one) => one.colour);
  const keep = async (/** @type {string} */ name, /** @type {t.Colour} */ colour) => {
    if (await session.command({ do: "dress", seat: seat.seat, name, colour })) done();
  };
  return html`<${Clothes}
    id="dress"
    name=${seat.name}
    colour=${seat.colour}
    taken=${taken}
    label=${words.gathering.save}
    keep=${keep}
  />`;
}

/**
 * Taking a free seat: with a name and a colour of one's own, or in mid-race as the driver who was there.
 * @param {{ session: Session, shown: t.TableShown, free: t.SeatShown[], invitation: string | null, seated: () => void }} props
 */
export function SitDown({ session, shown, free, invitation, seated }) {
  const asked = useRef(false); // and not answered yet
  const seat = free.find((one) => one.colour === myColour.value) ?? free[0];
  if (!seat) return null;
  const alone = async (/** @type {() => Promise<unknown>} */ request) => {
    if (asked.current) return false;
    asked.current = true;
    try {
      await request();
      return true;
    } catch (thrown) {
      session.complain(thrown);
      return false;
    } finally {
      asked.current = false;
    }
  };
  const take = async (/** @type {t.Sit} */ wish) => {
    if (!(await alone(() => api.sit(session.id, { ...(invitation && { token: invitation }), ...wish })))) return;
    seated();
    session.socket.again();
  };
  const ask = async (/** @type {t.SeatShown} */ one) => {
    const token = invitation && { token: invitation };
    const name = myName.value.trim();
    if (!(await alone(() => api.takeOver(session.id, { ...token, seat: one.seat, ...(name && { name }) })))) return;
    session.socket.again();
  };
  if (shown.phase === "racing" || shown.phase === "podium")
    // names and colours stay as they are
    return html`<section class="sit-down">
      <h3>${words.gathering.sitTitle}</h3>
      ${free.map((one) =>
        one.seat === shown.wished
          ? html`<p class="soft" role="status">${words.gathering.asked(one.name)}</p>`
          : html`<button class="button primary" id="sit" type="button" onClick=${() => (one.freed ? ask(one) : take({ seat: one.seat }))}>
              <${Badge} colour=${one.colour} />${one.freed ? words.gathering.askFor(one.name) : words.gathering.sitAs(one.name)}
            </button>`,
      )}
    </section>`;
  const taken = shown.seats.filter((one) => one.taken || one.driver).map((one) => /** @type {string} */ (one.colour));
  const worn = myColour.value && !taken.includes(myColour.value) ? myColour.value : seat.colour;
  const keep = async (/** @type {string} */ name, /** @type {t.Colour} */ colour) => {
    myName.value = name;
    myColour.value = colour;
    await take({ seat: (free.find((one) => one.colour === colour) ?? seat).seat, name, colour });
  };
  return html`<section class="sit-down" aria-label=${words.gathering.sitTitle}>
    <${Clothes}
      id="sit"
      primary
      name=${myName.value}
      colour=${worn}
      taken=${taken}
      label=${words.gathering.sit}
      keep=${keep}
    />
  </section>`;
}
