/**
 * A button that asks once more before it does what cannot be undone.
 * @module
 */
import { html, useEffect, useRef, useSignal } from "./html.js";

/**
 * @param {{ id?: string, label: string, sure: string, yes: string, no: string, act: () => unknown, class?: string, disabled?: boolean }} props
 * `sure` is the question, `yes` and `no` the answers
 */
export function Sure({ id, label, sure, yes, no, act, class: kind = "button", disabled = false }) {
  const asking = useSignal(false);
  const asked = useRef(false);
  const first = useRef(/** @type {HTMLButtonElement | null} */ (null));
  const refuse = useRef(/** @type {HTMLButtonElement | null} */ (null));
  useEffect(() => {
    if (asking.value) refuse.current?.focus();
    else if (asked.current) first.current?.focus();
    asked.current = asking.value;
  }, [asking.value]);
  const escape = (/** @type {KeyboardEvent} */ event) => {
    if (event.key !== "Escape") return;
    event.preventDefault(); // or a dialog around it would close as well
    event.stopPropagation();
    asking.value = false;
  };
  const done = () => {
    asking.value = false;
    act();
  };
  if (!asking.value)
    return html`<button class=${kind} id=${id} ref=${first} type="button" disabled=${disabled} onClick=${() => (asking.value = true)}>
      ${label}
    </button>`;
  return html`<div class="sure" role="group" aria-label=${label} onKeyDown=${escape}>
    <p role="alert">${sure}</p>
    <div class="row">
      <button class="button small primary" id=${id && `${id}-yes`} type="button" disabled=${disabled} onClick=${done}>${yes}</button>
      <button class="button small" ref=${refuse} type="button" onClick=${() => (asking.value = false)}>${no}</button>
    </div>
  </div>`;
}
