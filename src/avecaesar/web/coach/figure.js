/**
 * Crescens, an old charioteer in his racing cap; and his wreath, which has a leaf for every lesson.
 * @module
 */
import { html } from "../lib/html.js";
import words from "../words/coach.js";
import { LESSONS } from "./progress.js";

export function Crescens() {
  return html`<svg class="coach-figure" viewBox="0 0 64 64" aria-hidden="true">
    <circle class="coach-sky" cx="32" cy="32" r="31" />
    <path class="coach-tunic" d="M8 56C10 46 20 43 32 43S54 46 56 56A31 31 0 0 1 8 56z" />
    <path class="coach-strap" d="M20 46 40 62M44 46 24 62" />
    <path class="coach-skin" d="M19 25C19 14 45 14 45 25V34C45 44 38 50 32 50S19 44 19 34z" />
    <path class="coach-beard" d="M18 31C20 35 25 36 27 35 30 33 34 33 37 35 39 36 44 35 46 31 48 42 42 55 32 55S16 42 18 31z" />
    <path class="coach-mouth" d="M28 40.500Q32 43.500 36 40.500" />
    <path class="coach-cap" d="M16 27C15 12 24 7 32 7S49 12 48 27C44 22 38 20.500 32 20.500S20 22 16 27z" />
    <path class="coach-seam" d="M32 7V20.500M22 10.500 25 21.500M42 10.500 39 21.500" />
    <path class="coach-brow" d="M22.500 26.500Q25.500 24 29 26M35 26Q38.500 24 41.500 26.500" />
    <circle class="coach-eye" cx="26" cy="29.200" r="1.500" />
    <circle class="coach-eye" cx="38" cy="29.200" r="1.500" />
    <path class="coach-nose" d="M32 28.500 30.500 34Q32 35.200 33.500 34" />
  </svg>`;
}

/** @param {{ learned: number }} props */
export function Leaves({ learned }) {
  const label = words.progress(learned, LESSONS.length);
  return html`<span class="coach-leaves" role="img" aria-label=${label} title=${label}>
    ${LESSONS.map(
      (lesson, i) =>
        html`<svg key=${lesson} class=${i < learned ? "coach-leaf earned" : "coach-leaf"} viewBox="0 0 12 18">
          <path d="M6 1C11 6 11 11 6 17 1 11 1 6 6 1z" />
          <path class="coach-vein" d="M6 6V17" />
        </svg>`,
    )}
  </span>`;
}
