/**
 * Who is where, in words: the chariots from the first to the last, each with its way home, its coin, cards and points.
 * How far somebody is before or behind another is the difference of what the server says both have to go.
 * @module
 * @import { Session } from "../table/session.js"
 * @import * as t from "../lib/types.js"
 */
import { Mark } from "../board/signs.js";
import { html } from "../lib/html.js";
import { words as all } from "../lib/words.js";
import { Manage } from "../table/seat-actions.js";
import words from "../words/table.js";
import text from "../words/text.js";
import { counted } from "./lists.js";

/** From the first to the last; then who is out. @param {t.ChariotShown[]} chariots */
function inOrder(chariots) {
  const rank = (/** @type {number} */ i) => chariots[i]?.position ?? chariots.length + 1;
  return chariots.map((_, i) => i).sort((a, b) => rank(a) - rank(b));
}

/** @param {{ session: Session }} props */
export function WhoIsWhere({ session }) {
  const shown = session.shown.value;
  return shown?.race ? html`<${List} session=${session} shown=${shown} race=${shown.race} />` : null;
}

/** @param {{ session: Session, shown: t.TableShown, race: t.RaceShown }} props */
function List({ session, shown, race }) {
  const asked = session.question.value?.chariot;
  const own = race.chariots[asked ?? race.chariots.findIndex((one) => one.seat !== null && shown.yours.includes(one.seat))];
  return html`<section class="text-part" aria-labelledby="text-race">
    <h2 id="text-race">${text.raceTitle}</h2>
    <ol class="text-field" id="seats">
      ${inOrder(race.chariots).map((i) => {
        const chariot = /** @type {t.ChariotShown} */ (race.chariots[i]);
        const seat = shown.seats.find((one) => one.seat === chariot.seat);
        const yours = Boolean(seat && shown.yours.includes(seat.seat));
        const on = race.order[0] === i;
        return html`<li key=${i} class=${on ? "asked" : ""} data-chariot=${i} aria-current=${on ? "true" : undefined}>
          <${Mark} colour=${chariot.colour} leads=${chariot.leads} />
          <div>
            <p><b>${chariot.name}</b> (${tagsOf(chariot, seat, yours, shown.plan.lesson).join(", ")})</p>
            <p>${standingOf(race, chariot, own).join(", ")}.</p>
            <details>
              <summary>${text.more(chariot.name)}</summary>
              ${chariot.unseen.some(Boolean) && html`<p>${words.details.unseen}: ${counted(chariot.unseen)}.</p>`}
              <p>${words.details.handAndDeck(chariot.hand_size, chariot.deck_size)}.</p>
              ${seat && html`<${Manage} session=${session} seat=${seat} />`}
            </details>
          </div>
        </li>`;
      })}
    </ol>
  </section>`;
}

/** @param {t.ChariotShown} chariot @param {t.SeatShown | undefined} seat @param {boolean} yours @param {boolean} lesson */
function tagsOf(chariot, seat, yours, lesson) {
  return [
    yours && words.you,
    all.shell.colours[/** @type {t.Colour} */ (chariot.colour)],
    seat?.driver && !lesson && words.computer,
    !seat && `${words.riderless}${chariot.open_card ? ` · ${chariot.open_card}` : ""}`,
    seat?.taken && seat.stand_in && words.standIn,
    seat && !seat.taken && !seat.driver && words.gathering.free,
    seat && seat.devices > 1 && words.gathering.devices(seat.devices),
    seat?.taken && !seat.connected && !seat.stand_in && words.away,
  ].filter(Boolean);
}

/**
 * Everything that is to be said of a chariot, in a few words each.
 * @param {t.RaceShown} race
 * @param {t.ChariotShown} chariot
 * @param {t.ChariotShown | undefined} own the reader's
 */
function standingOf(race, chariot, own) {
  const place = chariot.place ?? chariot.arrival;
  if (chariot.status !== "racing")
    return [
      chariot.disqualified && words.disqualified,
      words.states[chariot.status],
      place && words.ordinal(place),
    ].filter(Boolean);
  const gap = own && own !== chariot && own.status === "racing" ? own.to_go - chariot.to_go : null;
  const spare = chariot.to_spare;
  return [
    ...(chariot.lap ? [text.lap(chariot.lap), chariot.where] : [text.grid]),
    gap !== null && (gap > 0 ? text.ahead(gap) : gap < 0 ? text.behind(-gap) : text.level),
    words.details.toGo(chariot.to_go),
    chariot.barred ? text.barred : chariot.leads && (chariot.shares ? words.sharesLead : words.leads),
    chariot.disqualified
      ? words.disqualified
      : chariot.emperor.length
        ? words.details.emperor(chariot.emperor.join(", "))
        : race.tribute !== "optional" && (chariot.owes ? words.owes : chariot.paid && words.paid),
    chariot.deck && words.details.deck(chariot.deck),
    text.stock(chariot.hand_size + chariot.deck_size, chariot.points_left),
    spare !== null && (spare < 0 ? text.short(-spare) : text.spare(spare)),
  ].filter(Boolean);
}
