/**
 * What the circus sounds like, made here: hooves, wheels, brass, drums, coins and the crowd, of tones and noise only.
 * `compose` writes a sound into any context, so that it can be drawn and looked at as well; `play` is for the page.
 * @module
 */
import { sound } from "./prefs.js";

/** @typedef {BaseAudioContext} Context */
/**
 * How a sound is wanted: how loud beside others, how long (where it can be), and how fast something drives.
 * @typedef {{ gain?: number, length?: number, speed?: number }} Wish
 */
/** @typedef {{ context: Context, out: AudioNode, at: number, length: number, speed: number }} Score */

const MASTER = 0.55;

/** White noise, a second of it, once for each context. @type {WeakMap<Context, AudioBuffer>} */
const noises = new WeakMap();

/** @param {Context} context */
function noiseOf(context) {
  let noise = noises.get(context);
  if (!noise) {
    noise = context.createBuffer(1, context.sampleRate, context.sampleRate);
    const samples = noise.getChannelData(0);
    let seed = 20_261;
    for (let i = 0; i < samples.length; i += 1) {
      seed = (seed * 16_807) % 2_147_483_647;
      samples[i] = seed / 1_073_741_823.5 - 1;
    }
    noises.set(context, noise);
  }
  return noise;
}

/**
 * A volume that swells and fades.
 * @param {Score} score @param {number} at @param {number} rise @param {number} length @param {number} loud
 */
function swell({ context, out }, at, rise, length, loud) {
  const volume = new GainNode(context, { gain: 0 });
  volume.gain.setValueAtTime(0.0001, at);
  volume.gain.exponentialRampToValueAtTime(loud, at + rise);
  volume.gain.exponentialRampToValueAtTime(0.0001, at + length);
  volume.connect(out);
  return volume;
}

/**
 * A voice that glides from one pitch to another.
 * @param {Score} score
 * @param {{ at: number, pitch: number, to?: number, length: number, loud: number, rise?: number, type?: OscillatorType }} tone
 */
function tone(score, { at, pitch, to = pitch, length, loud, rise = 0.008, type = "sine" }) {
  const voice = new OscillatorNode(score.context, { type, frequency: pitch });
  voice.frequency.setValueAtTime(pitch, at);
  if (to !== pitch) voice.frequency.exponentialRampToValueAtTime(to, at + length);
  voice.connect(swell(score, at, rise, length, loud));
  voice.start(at);
  voice.stop(at + length);
}

/**
 * Noise through a filter.
 * @param {Score} score
 * @param {{ at: number, pitch: number, to?: number, width?: number, length: number, loud: number, rise?: number, type?: BiquadFilterType }} rush
 */
function rush(score, { at, pitch, to = pitch, width = 1, length, loud, rise = 0.004, type = "bandpass" }) {
  const voice = new AudioBufferSourceNode(score.context, { buffer: noiseOf(score.context), loop: true });
  const filter = new BiquadFilterNode(score.context, { type, frequency: pitch, Q: width });
  filter.frequency.setValueAtTime(pitch, at);
  if (to !== pitch) filter.frequency.exponentialRampToValueAtTime(to, at + length);
  voice.connect(filter).connect(swell(score, at, rise, length, loud));
  voice.start(at, (at * 7.13) % 0.9);
  voice.stop(at + length);
}

/** A note of brass: two reeds a little apart, brighter where it is loud. @param {Score} score @param {number} after @param {number} pitch @param {number} length @param {number} [loud] */
function brass(score, after, pitch, length, loud = 0.16) {
  const { context } = score;
  const at = score.at + after;
  const filter = new BiquadFilterNode(context, { type: "lowpass", frequency: 500, Q: 0.9 });
  filter.frequency.setValueAtTime(500, at);
  filter.frequency.exponentialRampToValueAtTime(Math.min(pitch * 5, 3600), at + 0.06);
  filter.frequency.exponentialRampToValueAtTime(pitch * 1.6, at + length);
  filter.connect(swell(score, at, 0.035, length, loud));
  for (const apart of [-4, 5]) {
    const voice = new OscillatorNode(context, { type: "sawtooth", frequency: pitch, detune: apart });
    voice.connect(filter);
    voice.start(at);
    voice.stop(at + length);
  }
}

/** @param {Score} score @param {number} after @param {number} [loud] */
function drum(score, after, loud = 0.5) {
  const at = score.at + after;
  tone(score, { at, pitch: 118, to: 48, length: 0.34, loud, rise: 0.004 });
  rush(score, { at, pitch: 320, width: 0.7, length: 0.07, loud: loud * 0.5, type: "lowpass" });
}

/** @param {Score} score @param {number} after @param {number} length @param {number} loud @param {number} [voice] */
function crowd(score, after, length, loud, voice = 760) {
  const at = score.at + after;
  const rise = length * 0.3;
  rush(score, { at, pitch: voice * 0.8, to: voice * 1.15, width: 0.9, length, loud, rise });
  rush(score, { at: at + 0.04, pitch: voice * 2.3, to: voice * 1.9, width: 1.6, length: length * 0.8, loud: loud * 0.42, rise });
}

const [C4, D4, E4, F4, G4, A4, C5, E5, G5] = [261.6, 293.7, 329.6, 349.2, 392, 440, 523.3, 659.3, 784];

/** Every sound by its name. @type {Record<Sound, (score: Score) => void>} */
const SCORES = {
  /** Three beats a leap, the faster the nearer together. */
  hooves(score) {
    const stride = 0.34 - 0.12 * score.speed;
    for (let after = 0; after < score.length - 0.1; after += stride)
      for (const [beat, loud] of [
        [0, 0.2],
        [0.26, 0.15],
        [0.5, 0.26],
      ]) {
        const at = score.at + after + beat * stride;
        const far = Math.min(1, (after + 0.12) / 0.25, (score.length - after) / 0.3);
        tone(score, { at, pitch: 132, to: 64, length: 0.075, loud: loud * far });
        rush(score, { at, pitch: 1150, width: 1.2, length: 0.035, loud: loud * 0.55 * far });
      }
  },
  wheels(score) {
    rush(score, { at: score.at, pitch: 190, to: 240, width: 1.4, length: score.length, loud: 0.75, rise: score.length * 0.35 });
  },
  card(score) {
    rush(score, { at: score.at, pitch: 2600, to: 900, width: 0.8, length: 0.09, loud: 0.7 });
    rush(score, { at: score.at + 0.06, pitch: 700, width: 1, length: 0.05, loud: 0.6 });
  },
  coin(score) {
    for (const [after, loud] of [
      [0, 0.16],
      [0.11, 0.1],
      [0.19, 0.06],
    ])
      for (const [pitch, part] of [
        [2093, 1],
        [3322, 0.6],
        [5050, 0.3],
      ])
        tone(score, { at: score.at + after, pitch, length: 0.42 - after, loud: loud * part, rise: 0.003 });
  },
  crowd(score) {
    crowd(score, 0, 1.5, 0.6);
  },
  gasp(score) {
    crowd(score, 0, 0.9, 0.45, 620);
  },
  ave(score) {
    brass(score, 0, C4, 0.2);
    brass(score, 0.16, G4, 0.2);
    brass(score, 0.32, C5, 0.75, 0.2);
    brass(score, 0.32, E4, 0.75, 0.12);
    drum(score, 0.32, 0.34);
    crowd(score, 0.3, 1.5, 0.34);
  },
  turn(score) {
    brass(score, 0, D4, 0.2, 0.15);
    brass(score, 0.18, A4, 0.55, 0.17);
  },
  thud(score) {
    tone(score, { at: score.at, pitch: 96, to: 42, length: 0.24, loud: 0.5 });
    rush(score, { at: score.at, pitch: 420, to: 160, width: 0.8, length: 0.14, loud: 0.34, type: "lowpass" });
  },
  drum(score) {
    for (const [after, loud] of [
      [0, 0.5],
      [0.42, 0.26],
      [0.63, 0.32],
      [0.84, 0.55],
      [1.26, 0.3],
      [1.47, 0.36],
      [1.68, 0.6],
    ])
      drum(score, after, loud);
  },
  home(score) {
    for (const [after, pitch, length] of [
      [0, C4, 0.18],
      [0.14, E4, 0.18],
      [0.28, G4, 0.18],
      [0.42, C5, 0.8],
    ])
      brass(score, after, pitch, length, 0.17);
    brass(score, 0.42, E5, 0.8, 0.09);
    crowd(score, 0.2, 1.8, 0.36);
  },
  triumph(score) {
    for (const [after, pitch, length] of [
      [0, G4, 0.22],
      [0.2, G4, 0.14],
      [0.34, G4, 0.14],
      [0.48, C5, 0.5],
      [0.96, G4, 0.24],
      [1.2, C5, 0.24],
      [1.44, E5, 0.34],
      [1.8, G5, 1.2],
    ])
      brass(score, after, pitch, length, 0.14);
    for (const [after, pitch, length] of [
      [0.48, E4, 0.5],
      [0.96, F4, 0.45],
      [1.44, G4, 0.34],
      [1.8, C5, 1.2],
      [1.8, E4, 1.2],
    ])
      brass(score, after, pitch, length, 0.09);
    for (const after of [0, 0.48, 0.96, 1.44, 1.8]) drum(score, after, 0.36);
    crowd(score, 0.9, 2.4, 0.34);
  },
};

/** @typedef {"hooves" | "wheels" | "card" | "coin" | "crowd" | "gasp" | "ave" | "turn" | "thud" | "drum" | "home" | "triumph"} Sound */
/** @type {readonly Sound[]} */
export const SOUNDS = /** @type {Sound[]} */ (Object.keys(SCORES));

/**
 * Everything goes through here: quiet on the whole, and never harsh when much comes together.
 * @param {Context} context
 */
export function mixer(context) {
  const volume = new GainNode(context, { gain: MASTER });
  const limit = new DynamicsCompressorNode(context, { threshold: -18, knee: 12, ratio: 6, attack: 0.004, release: 0.2 });
  volume.connect(limit).connect(context.destination);
  return volume;
}

/**
 * Writes a sound into a context.
 * @param {Context} context @param {AudioNode} out @param {Sound} name @param {number} at @param {Wish} [wish]
 */
export function compose(context, out, name, at, { gain = 1, length = 0.8, speed = 0.6 } = {}) {
  const volume = new GainNode(context, { gain });
  volume.connect(out);
  SCORES[name]({ context, out: volume, at, length, speed });
  return volume;
}

/** @type {{ context: AudioContext, out: GainNode } | null} */
let desk = null;
/** The sounds played of late, the newest last, for who cannot hear. @type {Sound[]} */
export const played = [];

/**
 * Plays a sound, if the reader wants to hear it; in a hidden tab only the call to his turn.
 * @param {Sound} name @param {Wish} [wish]
 */
export function play(name, wish) {
  if (document.hidden && name !== "turn") return;
  try {
    const ready = open();
    if (!ready) return;
    const { context, out } = ready;
    if (context.state === "suspended") void context.resume();
    played.push(name);
    if (played.length > 32) played.shift();
    compose(context, out, name, context.currentTime + 0.01, wish);
  } catch {
    // a browser without sound
  }
}

/** The desk, set up if need be; nothing, if the reader wants to hear nothing or has not touched the page yet. */
function open() {
  if (!sound.peek() || navigator.userActivation?.hasBeenActive === false) return null;
  if (!desk) {
    const context = new AudioContext();
    desk = { context, out: mixer(context) };
  }
  return desk;
}

// That takes as long as four frames: it is done when a hand or a key comes down, before anything drives.
for (const touch of ["pointerdown", "pointerup", "keydown"]) addEventListener(touch, warm, true);

function warm() {
  try {
    open();
  } catch {
    // a browser without sound
  }
}

sound.subscribe((wanted) => {
  if (desk) desk.out.gain.setTargetAtTime(wanted ? MASTER : 0, desk.context.currentTime, 0.02); // also what sounds now
});
