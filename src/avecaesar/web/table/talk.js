/**
 * What others have said while the story is shut, as on a phone: how much of it, and the newest saying for a moment.
 * @module
 * @import { Session } from "./session.js"
 * @import * as t from "../lib/types.js"
 */
import { Mark } from "../board/signs.js";
import { html, useEffect, useSignal } from "../lib/html.js";
import words from "../words/table.js";
import { useMenu } from "./seat-actions.js";
import { isHidden, phraseOf } from "./story.js";

const SEEN_FOR = 8000; // milliseconds that a saying stays in sight

/**
 * @param {Session} session
 * @param {boolean} open whether the story is
 */
export function useUnread(session, open) {
  const unread = useSignal(0);
  const newest = useSignal(/** @type {t.Line | null} */ (null));
  useEffect(() => {
    unread.value = 0;
    newest.value = null;
    if (open) return undefined;
    return session.hear((lines, whole) => {
      const yours = session.shown.peek()?.yours ?? [];
      const said = lines.filter((line) => line.kind === "said" && (line.seat === null || !yours.includes(line.seat)));
      const heard = said.filter((line) => !isHidden(session, line));
      if (whole || !heard.length) return;
      unread.value += heard.length;
      newest.value = heard.at(-1) ?? null;
    });
  }, [session, open]);
  useEffect(() => {
    if (!newest.value) return undefined;
    const timer = setTimeout(() => (newest.value = null), SEEN_FOR);
    return () => clearTimeout(timer);
  }, [newest.value]);
  return { unread: unread.value, newest: newest.value };
}

/** The newest saying, over the board's edge. @param {{ session: Session, line: t.Line | null, open: () => void }} props */
export function Bubble({ session, line, open }) {
  const menu = useMenu();
  if (!line) return null;
  const seat = session.shown.value?.seats.find((one) => one.seat === line.seat);
  return html`<button class="talk-bubble" id="bubble" type="button" onClick=${open}>
    <${Mark} colour=${seat?.colour ?? "white"} />
    <span><b>${seat?.name ?? words.bystander}</b> ${phraseOf(line, menu)}</span>
  </button>`;
}
