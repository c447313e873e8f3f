/**
 * The door to the coach: at a lesson's table he and what he needs are fetched, at any other nothing is.
 * @module
 * @import { Session } from "../table/session.js"
 */
import { html, useEffect, useState } from "../lib/html.js";

/** @typedef {typeof import("./lesson.js").Lesson} Lesson */

/** @param {{ session: Session }} props */
export function Coach({ session }) {
  const shown = session.shown.value;
  const taught = Boolean(shown?.plan.lesson && shown.yours.length && shown.phase !== "gathering");
  const [come, setCome] = useState(/** @type {{ Lesson: Lesson } | null} */ (null));
  useEffect(() => {
    let wanted = true;
    if (taught)
      import("./lesson.js").then(
        (module) => wanted && setCome(module),
        console.error, // without him it is an ordinary race
      );
    return () => void (wanted = false);
  }, [taught]);
  return taught && shown && come ? html`<${come.Lesson} key=${shown.game} session=${session} shown=${shown} />` : null;
}
