/**
 * Calling the reader, once the chariots stand: the title, a horn, and a notification if he wants one.
 * @module
 * @import { Session } from "./session.js"
 * @import * as t from "../lib/types.js"
 */
import { useEffect, useRef, useSignalEffect } from "../lib/html.js";
import { notifications, textMode } from "../lib/prefs.js";
import { play } from "../lib/sounds.js";
import { words as all } from "../lib/words.js";
import words from "../words/table.js";
import { titleOf } from "./seat-actions.js";
import { askedOf } from "./session.js";

/** Whether the reader must decide now. @param {t.TableShown | null} shown */
export const isYours = (shown) => Boolean(shown && !shown.paused && (shown.question || shown.curtain !== null));

/** @param {Session} session */
export function useAlerts(session) {
  const called = useRef("");
  useSignalEffect(() => {
    const shown = session.shown.value;
    const title = shown ? titleOf(shown) : all.shell.name;
    const now = isYours(shown) && !session.running.value;
    document.title = now ? `${words.ownTitle}${words.status.yourTurn} – ${title}` : title;
  });
  useEffect(() => {
    const call = () => {
      const shown = session.shown.peek();
      if (session.running.peek()) return;
      const now = isYours(shown) ? askedOf(shown) : "";
      if (now && now !== called.current) announce(shown);
      called.current = now;
    };
    const deaf = session.hear((lines) => {
      if (textMode.peek()) sound(lines); // a board that is drawn sounds by itself
      call();
    });
    const stop = session.running.subscribe(call);
    return () => {
      deaf();
      stop();
      document.title = all.shell.name;
    };
  }, [session]);
}

/** What lines sound like without chariots that drive. @param {t.Line[]} lines */
function sound(lines) {
  if (lines.some((line) => line.home)) play("home");
  else if (lines.some((line) => line.paid)) play("coin");
  else if (lines.some((line) => line.missed)) play("thud", { gain: 0.6 });
  else if (lines.some((line) => line.kind === "turn")) play("card");
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
