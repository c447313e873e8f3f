/**
 * The house's mark: a chariot's wheel.
 * @module
 */
import { html } from "./html.js";

/** @param {{ rolling?: boolean }} props */
export function Wheel({ rolling = false }) {
  return html`<svg class=${rolling ? "wheel rolling" : "wheel"} viewBox="-32 -32 64 64" aria-hidden="true">
    <g fill="none" stroke="currentColor" stroke-linecap="round">
      <circle r="26" stroke-width="6" />
      <path stroke-width="4" d="M0-24V24M-20.8-12L20.8 12M-20.8 12L20.8-12" />
    </g>
    <circle r="7" fill="currentColor" />
  </svg>`;
}
