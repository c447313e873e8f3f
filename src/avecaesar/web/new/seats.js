/**
 * Who drives: people here, friends by link, the computer's drivers; and what goes with the line-up.
 * @module
 * @import * as t from "../lib/types.js"
 * @import { Changed, PartProps } from "./form.js"
 */
import { html, useRef } from "../lib/html.js";
import { Badge } from "../lib/liveries.js";
import { words } from "../lib/words.js";
import { Select } from "./form.js";
import { Group } from "./edition.js";

/**
 * The same seats, each with a colour where one is free.
 * @param {t.SeatPlan[]} seats
 * @param {t.Colour[]} colours
 * @returns {t.SeatPlan[]}
 */
export function dressed(seats, colours) {
  const free = colours.filter((colour) => !seats.some((seat) => seat.colour === colour));
  return seats.map((seat) => (seat.colour ? seat : { ...seat, colour: free.shift() ?? null }));
}

/** @param {PartProps} props */
export function SeatsPart({ menu, plan, change }) {
  const list = useRef(/** @type {HTMLElement | null} */ (null));
  const { seats } = plan;
  /** @param {t.SeatPlan[]} changed */
  const set = (changed) => change("seats", { seats: dressed(changed, menu.colours) });
  /** @param {number} index @param {Partial<t.SeatPlan>} patch */
  const patch = (index, patch) => set(seats.map((seat, at) => (at === index ? { ...seat, ...patch } : seat)));
  /** Whoever wears the colour takes the old one instead. @param {number} index @param {t.Colour} colour */
  const wear = (index, colour) => {
    const old = seats[index]?.colour ?? null;
    const given = seats.map((seat) => (seat.colour === colour ? { ...seat, colour: old } : seat));
    set(given.map((seat, at) => (at === index ? { ...seat, colour } : seat)));
  };
  /** @param {number} index */
  const remove = (index) => {
    set(seats.filter((_, at) => at !== index));
    list.current?.focus();
  };
  /** @param {t.SeatKind} kind */
  const add = (kind) => set([...seats, { kind, name: "", colour: null, driver: "" }]);
  const kinds = /** @type {const} */ (["here", "friend", "driver"]);

  return html`
    <ol class="places" ref=${list} tabindex="-1" aria-label=${words.plan.seats}>
      ${seats.map(
        (seat, index) => html`<${SeatRow}
          key=${index}
          menu=${menu}
          seat=${seat}
          open=${plan.open}
          number=${index + 1}
          patch=${(/** @type {Partial<t.SeatPlan>} */ changed) => patch(index, changed)}
          wear=${(/** @type {t.Colour} */ colour) => wear(index, colour)}
          remove=${seats.length > 1 ? () => remove(index) : null}
        />`,
      )}
    </ol>
    ${seats.length < menu.most_seats &&
    html`<div class="row add">
      <span class="soft">${words.plan.add}</span>
      ${kinds.map(
        (kind) => html`<button class="button small" type="button" onClick=${() => add(kind)}>
          ${words.plan.addKinds[kind]}
        </button>`,
      )}
    </div>`}
    <${Group} menu=${menu} plan=${plan} change=${change} group="chariots" section="seats" />
  `;
}

/**
 * @param {{ menu: t.Menu, seat: t.SeatPlan, open: boolean, number: number,
 *   patch: (changed: Partial<t.SeatPlan>) => void, wear: (colour: t.Colour) => void, remove: (() => void) | null }} props
 */
function SeatRow({ menu, seat, open, number, patch, wear, remove }) {
  const driver = menu.drivers.find((driver) => driver.name === seat.driver);
  const ofPerson = open && seat.kind === "friend" ? words.plan.friendAtOpen : words.plan.kindsAbout[seat.kind ?? "driver"];
  const about = seat.kind === "driver" ? (driver?.about ?? "") : ofPerson;
  /** @param {string} kind */
  const become = (kind) => patch({ kind: /** @type {t.SeatKind} */ (kind), driver: "" });
  return html`<li class="place" aria-label=${words.plan.seat(number)}>
    <${Medallion} colours=${menu.colours} worn=${seat.colour} number=${number} wear=${wear} />
    <${Select}
      label=${`${words.plan.who}, ${words.plan.seat(number)}`}
      value=${seat.kind}
      choices=${Object.entries(words.plan.kinds)}
      onChoose=${become}
    />
    ${seat.kind === "driver"
      ? html`<${Select}
          label=${`${words.plan.driver}, ${words.plan.seat(number)}`}
          value=${seat.driver ?? ""}
          choices=${[["", words.plan.usualDriver], ...menu.drivers.map((driver) => [driver.name, driverWords(driver)])]}
          onChoose=${(/** @type {string} */ name) => patch({ driver: name })}
        />`
      : html`<input
          class="input"
          type="text"
          maxlength=${menu.longest_name}
          spellcheck="false"
          autocomplete="off"
          placeholder=${words.plan.ourName}
          aria-label=${`${words.plan.name}, ${words.plan.seat(number)}`}
          value=${seat.name}
          onInput=${(/** @type {Changed} */ event) => patch({ name: event.currentTarget.value })}
        />`}
    <button
      class="tool"
      type="button"
      disabled=${!remove}
      aria-label=${words.plan.removeSeat(number)}
      title=${words.plan.remove}
      onClick=${remove}
    >
      <svg viewBox="0 0 24 24" aria-hidden="true"><path d="M7 7l10 10M17 7L7 17" /></svg>
    </button>
    ${about && html`<p class="hint soft">${about}</p>`}
  </li>`;
}

/**
 * The colour of a seat: its medallion, which opens into all six.
 * @param {{ colours: t.Colour[], worn: t.Colour | null | undefined, number: number, wear: (colour: t.Colour) => void }} props
 */
function Medallion({ colours, worn, number, wear }) {
  const box = useRef(/** @type {HTMLDetailsElement | null} */ (null));
  const label = `${words.plan.colour}, ${words.plan.seat(number)}`;
  const close = () => {
    if (!box.current?.open) return;
    box.current.open = false;
    box.current.querySelector("summary")?.focus();
  };
  /** @param {KeyboardEvent} event */
  const keyed = (event) => {
    if (event.key === "Escape" || event.key === "Enter") close();
  };
  /** Whoever looks elsewhere has chosen. @param {FocusEvent} event */
  const left = (event) => {
    const to = /** @type {Node | null} */ (event.relatedTarget);
    if (box.current && to && !box.current.contains(to)) box.current.open = false;
  };
  return html`<details class="medallion" ref=${box} onFocusOut=${left}>
    <summary aria-label=${`${label}: ${worn ? words.shell.colours[worn] : ""}`} title=${words.plan.colour}>
      <${Badge} colour=${worn ?? "white"} />
    </summary>
    <div class="medallions card" role="radiogroup" aria-label=${label} onKeyDown=${keyed}>
      ${colours.map(
        (colour) => html`<label class="swatch" key=${colour} title=${words.shell.colours[colour]}>
          <input
            type="radio"
            name=${`colour-${number}`}
            aria-label=${words.shell.colours[colour]}
            checked=${worn === colour}
            onChange=${() => wear(colour)}
            onClick=${(/** @type {MouseEvent} */ event) => event.detail > 0 && close()}
          />
          <${Badge} colour=${colour} />
        </label>`,
      )}
    </div>
  </details>`;
}

/** @param {t.DriverOffered} driver */
function driverWords(driver) {
  const budget = driver.name.split("@")[1];
  return [driver.shown, driver.level, ...(budget ? [words.plan.withTime(budget)] : [])].join(", ");
}
