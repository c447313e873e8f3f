/**
 * What moves a replay: the strip of turns with its events, the buttons, and the keys.
 * @module
 * @import { Player } from "./player.js"
 */
import { html, useLayoutEffect } from "../lib/html.js";
import { liveryOf } from "../lib/liveries.js";
import words from "../words/replay.js";
import { PACES, pace } from "./player.js";

const SIGNS = {
  first: "M6 5v14M19 5 9 12l10 7z",
  before: "M12 5 3 12l9 7zM21 5l-9 7 9 7z",
  back: "M17 5 7 12l10 7z",
  play: "M7 4l13 8-13 8z",
  pause: "M7 5h3.5v14H7zM13.5 5H17v14h-3.5z",
  forward: "M7 5l10 7-10 7z",
  after: "M12 5l9 7-9 7zM3 5l9 7-9 7z",
  last: "M18 5v14M5 5l10 7-10 7z",
};

/** @param {{ sign: keyof typeof SIGNS, label: string, act: () => void, off?: boolean, class?: string, id?: string }} props */
function Tool({ sign, label, act, off = false, class: more = "", id }) {
  return html`<button class=${`button reel-tool ${more}`} type="button" id=${id} aria-label=${label} title=${label} disabled=${off} onClick=${act}>
    <svg viewBox="0 0 24 24" aria-hidden="true"><path d=${SIGNS[sign]} /></svg>
  </button>`;
}

/** @param {{ player: Player }} props */
export function Controls({ player }) {
  const [at, last, playing] = [player.at.value, player.last, player.playing.value];
  useKeys(player);
  return html`<div class="reel" role="group" aria-label=${words.turn}>
    <${Strip} player=${player} />
    <div class="reel-tools">
      <${Tool} sign="first" label=${words.first} off=${at === 0} act=${() => player.go(0)} />
      <${Tool} sign="before" label=${words.before} off=${at === 0} act=${() => player.jump(-1)} />
      <${Tool} sign="back" label=${words.back} off=${at === 0} act=${() => player.step(-1)} />
      <${Tool}
        id="play"
        class="primary"
        sign=${playing ? "pause" : "play"}
        label=${playing ? words.pause : words.play}
        act=${() => player.toggle()}
      />
      <${Tool} sign="forward" label=${words.forward} off=${at === last} act=${() => player.step(1)} />
      <${Tool} sign="after" label=${words.after} off=${at === last} act=${() => player.jump(1)} />
      <${Tool} sign="last" label=${words.last} off=${at === last} act=${() => player.go(last)} />
      <label class="reel-speed">
        <span class="visually-hidden">${words.speed}</span>
        <select class="input" value=${pace.value} onChange=${(/** @type {any} */ event) => (pace.value = Number(event.target.value))}>
          ${PACES.map((one) => html`<option key=${one} value=${one} selected=${one === pace.value}>${words.speeds[one]}</option>`)}
        </select>
      </label>
    </div>
  </div>`;
}

/** The strip: a slider, and over it a mark for every event in its chariot's colour. @param {{ player: Player }} props */
function Strip({ player }) {
  const [at, last] = [player.at.value, player.last];
  const colours = player.scenes[0].all.map((chariot) => chariot.colour);
  return html`<div class="strip">
    <div class="strip-marks" aria-hidden="true">
      ${player.film.moments.map(
        ({ scene, kind, chariot, words: told }) =>
          html`<button
            key=${`${scene} ${kind} ${chariot}`}
            type="button"
            tabindex="-1"
            class=${`strip-mark of-${kind.replaceAll(" ", "-")}`}
            title=${told}
            style=${{ left: `${(100 * scene) / Math.max(last, 1)}%`, background: liveryOf(colours[chariot]).paint, borderColor: liveryOf(colours[chariot]).edge }}
            onClick=${() => player.go(scene)}
          ></button>`,
      )}
    </div>
    <input
      type="range"
      id="turn"
      min="0"
      max=${last}
      value=${at}
      style=${{ "--at": at / Math.max(last, 1) }}
      aria-label=${words.turn}
      aria-valuetext=${`${words.at(at, last)}. ${player.scene.words ?? ""}`}
      onInput=${(/** @type {any} */ event) => player.go(Number(event.target.value))}
    />
  </div>`;
}

/** @param {Player} player */
function useKeys(player) {
  useLayoutEffect(() => {
    /** @type {Record<string, () => void>} */
    const keys = {
      " ": () => player.toggle(),
      k: () => player.toggle(),
      ArrowLeft: () => player.step(-1),
      ArrowRight: () => player.step(1),
      ArrowUp: () => player.jump(-1),
      ArrowDown: () => player.jump(1),
      Home: () => player.go(0),
      End: () => player.go(player.last),
    };
    /** @param {KeyboardEvent} event */
    const pressed = (event) => {
      const target = /** @type {Element} */ (event.target);
      const act = keys[event.key];
      if (!act || event.ctrlKey || event.metaKey || event.altKey) return;
      if (target.closest("select, textarea, input:not([type=range], [type=checkbox]), [role=tablist]")) return;
      if (event.key === " " && target.closest("button, a, input[type=checkbox], label, summary")) return;
      if (event.key.startsWith("Arrow") && target.closest(".race-log, .moment-list") && /Up|Down/.test(event.key)) return;
      event.preventDefault();
      act();
    };
    addEventListener("keydown", pressed);
    return () => removeEventListener("keydown", pressed);
  }, [player]);
}
