/**
 * The drivers of a replay: how far they are, what they can still do, and what they hold.
 * @module
 * @import { ChariotShown } from "../lib/types.js"
 * @import { HandOpened } from "../lib/types.js"
 * @import { Player } from "./player.js"
 */
import { Mark } from "../board/signs.js";
import { html } from "../lib/html.js";
import words from "../words/replay.js";

/** As they stand in the race. @param {{ player: Player, open: boolean }} props */
export function Drivers({ player, open }) {
  const { all, cards, mover } = player.scene;
  const place = (/** @type {number} */ i) => all[i].position ?? all.length + 1;
  const order = all.map((_, i) => i).sort((a, b) => place(a) - place(b) || a - b);
  return html`<ul class="replay-drivers">
    ${order.map((i) => html`<${Driver} key=${i} chariot=${all[i]} hand=${cards[i]} moves=${mover === i} open=${open} />`)}
  </ul>`;
}

/** @param {{ chariot: ChariotShown, hand: HandOpened | undefined, moves: boolean, open: boolean }} props */
function Driver({ chariot, hand, moves, open }) {
  const races = chariot.status === "racing";
  const left = chariot.hand_size + chariot.deck_size;
  return html`<li class=${`replay-driver${moves ? " moves" : ""}${races ? "" : " done"}`} aria-current=${moves ? "true" : undefined}>
    <${Mark} colour=${chariot.colour} leads=${chariot.leads} />
    <span class="who"><b>${chariot.name}</b>${chariot.seat === null && html` <span class="soft">${words.riderless}</span>`}</span>
    <span class="means">
      ${races && chariot.owes && html`<span class="coin" role="img" aria-label=${words.owes} title=${words.owes}></span>`}
      ${races && chariot.barred && html`<span class="tag" title=${words.barred}>${words.noSix}</span>`}
      ${chariot.disqualified && html`<span class="tag hot">${words.disqualified}</span>`}
    </span>
    <span class="far">${races ? words.lap(chariot.lap) : words.fate(chariot)}</span>
    <span class=${(chariot.to_spare ?? 0) < 0 ? "spare short" : "spare"} title=${words.cards(left, chariot.points_left)}>
      ${races ? chariot.to_spare !== null && html`<${Spare} points=${chariot.to_spare} />` : chariot.laurels > 0 && words.laurels(chariot.laurels)}
    </span>
    ${open && races && html`<${Hand} name=${chariot.name} hand=${hand} openCard=${chariot.open_card} />`}
  </li>`;
}

/** As at the table. @param {{ points: number }} props */
function Spare({ points }) {
  const long = words.spare(points);
  return html`<span aria-hidden="true" title=${long}>${points < 0 ? `−${-points}` : points ? `+${points}` : "0"}</span
    ><span class="visually-hidden">${long}</span>`;
}

/** @param {{ name: string, hand: HandOpened | undefined, openCard: number | null }} props */
function Hand({ name, hand, openCard }) {
  const cards = hand?.cards.length ? hand.cards : openCard === null ? [] : [openCard];
  const piles = hand?.piles ?? [];
  if (!cards.length && !piles.length) return null;
  return html`<span class="open-hand" role="group" aria-label=${words.handOf(name)}>
    ${cards.map((card, i) => html`<span class="small-card" key=${i}>${card}</span>`)}
    ${piles.map(
      (pile, i) => html`<span class="open-pile" key=${`pile ${i}`}>
        <span class="soft">${words.piles[i]}</span> ${pile.flatMap((count, value) => Array(count).fill(value + 1)).join(" ") || "–"}
      </span>`,
    )}
  </span>`;
}
