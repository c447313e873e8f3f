/**
 * Small question marks that explain what stands beside them: they open where they are, and close like any popover.
 * @module
 */
import { html, useRef } from "../lib/html.js";
import words from "../words/table.js";

/**
 * @param {{ id: string, about: string[] }} props
 */
export function Explain({ id, about }) {
  const box = useRef(/** @type {HTMLElement | null} */ (null));
  const open = (/** @type {MouseEvent} */ event) => {
    const at = /** @type {HTMLElement} */ (event.currentTarget).getBoundingClientRect();
    const shown = box.current;
    if (!shown) return;
    shown.togglePopover();
    const width = Math.min(shown.offsetWidth, innerWidth - 16);
    const below = at.bottom + shown.offsetHeight + 8 < innerHeight;
    shown.style.left = `${Math.max(8, Math.min(at.right - width / 2, innerWidth - width - 8))}px`;
    shown.style.top = `${below ? at.bottom + 6 : Math.max(8, at.top - shown.offsetHeight - 6)}px`;
  };
  const close = (/** @type {KeyboardEvent} */ event) => {
    if (event.key !== "Escape" || !box.current?.matches(":popover-open")) return;
    event.stopPropagation(); // it closes this and clears nothing
    box.current.hidePopover();
  };
  return html`<button
      class="explain"
      type="button"
      aria-label=${words.legend.what}
      aria-describedby=${id}
      onClick=${open}
      onKeyDown=${close}
    >
      <span aria-hidden="true">?</span>
    </button>
    <div class="explained" id=${id} ref=${box} popover="auto">
      ${about.map((text) => html`<p>${text}</p>`)}
    </div>`;
}
