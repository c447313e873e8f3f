/**
 * The game at a glance: four little pictures with a line each, for the landing page.
 * @module
 */
import { html } from "../lib/html.js";
import words from "../words/coach.js";

/** A chariot from the side, running to the right. @param {{ at: string, kind: string }} props */
const Chariot = ({ at, kind }) => html`<g class=${`glance-chariot ${kind}`} transform=${at}>
  <path class="glance-horse" d="M2 0C4-5 10-5 14-4L18-9 21-8 23-4 20-3 18 1 17 7H15L14 2 7 2 6 7H4L3 2z" />
  <path class="glance-car" d="M-12-6H-3C-2 0-1 2 3 2H-8C-11 2-12-2-12-6z" />
  <circle class="glance-rider" cx="-7" cy="-10" r="3" />
  <circle class="glance-wheel" cx="-6" cy="4" r="4" />
</g>`;

/** A card. @param {{ at: string, value: number, barred?: boolean }} props */
const Card = ({ at, value, barred = false }) => html`<g transform=${at}>
  <rect class="glance-card" x="-13" y="-18" width="26" height="36" rx="4" />
  <text class=${`glance-value of-${value}`} y="8">${value}</text>
  ${barred && html`<path class="glance-bar" d="M-15 16 15-16" />`}
</g>`;

function CardPicture() {
  return html`<svg viewBox="0 0 160 90" aria-hidden="true">
    <path class="glance-sand" d="M0 52H160V80H0z" />
    <path class="glance-line" d="M32 52V80M64 52V80M96 52V80" />
    <path class="glance-goal" d="M128 52H159V80H128z" />
    <path class="glance-way" d="M16 56Q32 42 48 56 64 42 80 56 96 42 112 56 128 42 144 64" />
    <${Chariot} at="translate(13 71) scale(.85)" kind="mine" />
    <${Card} at="translate(80 23) rotate(-6)" value=${4} />
  </svg>`;
}

export function LanePicture() {
  return html`<svg viewBox="0 0 160 90" aria-hidden="true">
    <path class="glance-sand" d="M0 24H84C98 24 98 44 112 44H160V66H112C98 66 98 84 84 84H0z" />
    <path class="glance-wall" d="M0 54H64" />
    <path class="glance-line" d="M30 24V84M64 24V84M114 44V66" />
    <${Chariot} at="translate(138 56)" kind="mine" />
    <${Chariot} at="translate(44 40)" kind="other" />
    <${Chariot} at="translate(44 70)" kind="third" />
  </svg>`;
}

export function SixPicture() {
  return html`<svg viewBox="0 0 160 90" aria-hidden="true">
    <path class="glance-sand" d="M0 52H160V80H0z" />
    <path class="glance-line" d="M40 52V80M80 52V80M120 52V80" />
    <${Chariot} at="translate(20 70)" kind="other" />
    <${Chariot} at="translate(98 70)" kind="mine" />
    <path class="glance-wreath" d="M84 58C76 50 78 40 86 36M98 58C106 50 104 40 96 36" />
    <${Card} at="translate(132 27) rotate(7)" value=${6} barred />
  </svg>`;
}

export function AlleyPicture() {
  return html`<svg viewBox="0 0 160 90" aria-hidden="true">
    <path class="glance-sand" d="M0 62H160V84H0zM30 46C50 46 40 40 58 40H116C132 40 124 46 142 46L150 62H22z" />
    <path class="glance-line" d="M62 40V62M88 40V62M114 40V62" />
    <path class="glance-roof" d="M52 14H124L116 4H60z" />
    <path class="glance-box" d="M56 14H120V32H56z" />
    <path class="glance-pillar" d="M60 14V32M76 14V32M100 14V32M116 14V32" />
    <circle class="glance-caesar" cx="88" cy="22" r="4" />
    <path class="glance-toga" d="M82 32C82 26 94 26 94 32z" />
    <${Chariot} at="translate(76 55)" kind="mine" />
    <circle class="glance-coin" cx="103" cy="38" r="6" />
    <path class="glance-shine" d="M103 35V41M100 38H106" />
  </svg>`;
}

export function Glance() {
  return html`<section class="glance" aria-labelledby="glance-title">
    <h2 id="glance-title">${words.glance.title}</h2>
    <ul>
      <li class="card"><${CardPicture} /><p>${words.glance.card}</p></li>
      <li class="card"><${LanePicture} /><p>${words.glance.lane}</p></li>
      <li class="card"><${SixPicture} /><p>${words.glance.six}</p></li>
      <li class="card"><${AlleyPicture} /><p>${words.glance.alley}</p></li>
    </ul>
  </section>`;
}
