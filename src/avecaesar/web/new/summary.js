/**
 * What the table will be, what the server says about it, and the button that begins.
 * @module
 * @import * as t from "../lib/types.js"
 * @import { Plan, Section } from "./form.js"
 */
import { html } from "../lib/html.js";
import { Badge } from "../lib/liveries.js";
import { Wheel } from "../lib/wheel.js";
import { words } from "../lib/words.js";

/**
 * @param {{ menu: t.Menu, plan: Plan, board: t.BoardKept | null, checked: t.Checked | null, asking: boolean,
 *   laying: boolean, refused: string, begin: () => void }} props
 */
export function Summary({ menu, plan, board, checked, asking, laying, refused, begin }) {
  const problem = refused || (asking ? "" : (checked?.problem ?? ""));
  const { edition, course } = inShort(menu, plan, board, checked);
  const { button, about } = whatHappens(plan);
  const sound = checked && checked.problem === null;
  return html`<aside class="summary card" aria-label=${words.plan.summary}>
    <div class="summary-words">
      <h2>${words.plan.summary}</h2>
      <ul class="seated">
        ${plan.seats.map(
          (seat, index) => html`<li key=${index}>
            <${Badge} colour=${seat.colour ?? "white"} /><span>${nameOf(menu, seat)}</span>
          </li>`,
        )}
      </ul>
      <ul class="told">
        <li>${edition}</li>
        <li>${course}</li>
        ${sound && html`<li>${words.plan.chariots(checked.chariots, checked.riderless)}</li>`}
        ${checked?.house_rules.map((rule) => html`<li class="changed">${rule}</li>`)}
      </ul>
    </div>
    <div class="summary-begin">
      <div role="status">${problem && html`<p class="trouble">${problem}</p>`}</div>
      <button class="button primary big" type="button" disabled=${laying || Boolean(checked?.problem)} onClick=${begin}>
        ${laying ? html`<${Wheel} rolling />${words.plan.laying}` : problem && !refused ? words.plan.cannot : button}
      </button>
      ${!problem && html`<p class="soft about">${about}</p>`}
    </div>
  </aside>`;
}

/**
 * What was chosen in each part of the form, in a line.
 * @param {t.Menu} menu
 * @param {Plan} plan
 * @param {t.BoardKept | null} board
 * @param {t.Checked | null} checked
 * @returns {Record<Section, string>}
 */
export function inShort(menu, plan, board, checked) {
  const course = board ? `${board.title}, ${plan.course}` : words.lobby.on(plan.course);
  const paces = /** @type {Record<string, string>} */ (words.plan.paces);
  return {
    seats: plan.seats.map((seat) => nameOf(menu, seat)).join(", "),
    course: plan.tournament
      ? words.plan.races(checked?.stages.length ?? 0)
      : words.plan.stage(course, words.shell.directions[plan.direction]),
    edition: menu.editions.find((edition) => edition.name === plan.edition)?.short ?? plan.edition,
    rules: checked?.house_rules.join("; ") || words.plan.noHouseRules,
    manner: [
      plan.open ? words.plan.open : words.plan.byLink,
      plan.clock === null ? words.plan.noClock : words.plan.time(plan.clock),
      words.plan.paceInShort(paces[plan.pace] ?? ""),
    ].join(" · "),
  };
}

/**
 * What the button does, in words.
 * @param {Plan} plan
 */
function whatHappens(plan) {
  const { begin, beginAbout } = words.plan;
  const friends = plan.seats.filter((seat) => seat.kind === "friend").length;
  const watched = plan.seats.every((seat) => seat.kind === "driver");
  if (friends > 0 && plan.open) return { button: begin.open, about: beginAbout.open };
  if (friends > 0) return { button: begin.invite, about: beginAbout.invite(friends) };
  if (watched) return { button: plan.tournament ? begin.watchTournament : begin.watch, about: beginAbout.watch };
  return { button: plan.tournament ? begin.tournament : begin.race, about: beginAbout.race };
}

/**
 * @param {t.Menu} menu
 * @param {t.SeatPlan} seat
 */
function nameOf(menu, seat) {
  if (seat.kind === "driver") {
    return menu.drivers.find((driver) => driver.name === seat.driver)?.shown ?? words.plan.kinds.driver;
  }
  return seat.name?.trim() || words.plan.kinds[seat.kind ?? "driver"];
}
