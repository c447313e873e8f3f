/**
 * Calling the reader: the title, tones of our own, and a notification if he wants one.
 * @module
 * @import { Session } from "./session.js"
 * @import * as t from "../lib/types.js"
 */
import { useEffect, useSignalEffect } from "../lib/html.js";
import { notifications, sound } from "../lib/prefs.js";
import { words as all } from "../lib/words.js";
import words from "../words/table.js";

/** Pitches in Hz, each with its beginning in seconds. @type {Record<string, [number, number][]>} */
const TUNES = {
  turn: [
    [392, 0],
    [587.3, 0.13],
    [784, 0.26],
  ],
  coin: [
    [1318.5, 0],
    [1760, 0.07],
  ],
  home: [
    [523.3, 0],
    [659.3, 0.11],
    [784, 0.22],
    [1046.5, 0.33],
  ],
  card: [[196, 0]],
};

/** @type {AudioContext | null} */
let audio = null;

/** Plays a few tones, if the reader wants to hear them. @param {keyof typeof TUNES} tune */
export function play(tune) {
  if (!sound.peek() || (document.hidden && tune !== "turn")) return;
  try {
    audio ??= new AudioContext();
    if (audio.state === "suspended") void audio.resume();
    if (audio.state !== "running") return; // the browser wants a click first
    for (const [pitch, after] of TUNES[tune] ?? [])
      tone(audio, pitch, audio.currentTime + after, tune === "card" ? 0.09 : 0.28);
  } catch {
    // a browser without sound
  }
}

/** @param {AudioContext} context @param {number} pitch @param {number} at @param {number} length */
function tone(context, pitch, at, length) {
  const voice = new OscillatorNode(context, { type: "triangle", frequency: pitch });
  const volume = new GainNode(context, { gain: 0 });
  volume.gain.setValueAtTime(0, at);
  volume.gain.linearRampToValueAtTime(0.14, at + 0.015);
  volume.gain.exponentialRampToValueAtTime(0.0008, at + length);
  voice.connect(volume).connect(context.destination);
  voice.start(at);
  voice.stop(at + length);
}

/** Whether the reader must decide now. @param {t.TableShown | null} shown */
export const isYours = (shown) => Boolean(shown && !shown.paused && (shown.question || shown.curtain !== null));

/** @param {Session} session */
export function useCalls(session) {
  useSignalEffect(() => {
    const shown = session.shown.value;
    const title = shown?.title || all.shell.name;
    document.title = isYours(shown) ? `${words.ownTitle}${words.status.yourTurn} – ${title}` : title;
  });
  useEffect(() => {
    let called = "";
    const deaf = session.hear((lines) => {
      const shown = session.shown.peek();
      const call = isYours(shown) ? `${shown?.changed}` : "";
      const fresh = call !== "" && call !== called;
      called = call;
      if (fresh) announce(shown);
      else if (lines.some((line) => line.home)) play("home");
      else if (lines.some((line) => line.paid)) play("coin");
      else if (lines.some((line) => line.kind === "turn")) play("card");
    });
    return () => {
      deaf();
      document.title = all.shell.name;
    };
  }, [session]);
}

/** @param {t.TableShown | null} shown */
function announce(shown) {
  play("turn");
  if (!document.hidden || !notifications.peek() || !("Notification" in window) || Notification.permission !== "granted")
    return;
  try {
    const note = new Notification(words.notification, {
      body: shown?.title || all.shell.name,
      tag: shown?.table,
      icon: "/static/favicon.svg",
    });
    note.onclick = () => {
      window.focus();
      note.close();
    };
  } catch {
    // some browsers only let a service worker do that
  }
}
