/**
 * The table as a page of text: everything that the picture shows and lets one do, in headings, lists and buttons.
 * What is words already (the gathering, the podium, the story, the coach) is the same as beside the picture.
 * @module
 * @import { Session } from "../table/session.js"
 */
import { Coach } from "../coach/coach.js";
import { html } from "../lib/html.js";
import { textMode } from "../lib/prefs.js";
import { Podium } from "../podium/podium.js";
import { LineBanner, OrderBanner, PauseBanner, WishBanner } from "../table/bar.js";
import { titleOf } from "../table/seat-actions.js";
import { Story } from "../table/story.js";
import text from "../words/text.js";
import { Question } from "./question.js";
import { WhoIsWhere } from "./who-is-where.js";

/** @param {{ session: Session, gathering: any, welcome: any }} props what is shown instead of the race, or of a question */
export function TextTable({ session, gathering, welcome }) {
  const shown = session.shown.value;
  if (!shown) return null;
  return html`<div class="text-sheet">
    <h1>${titleOf(shown)}</h1>
    <${LineBanner} session=${session} />
    <${PauseBanner} session=${session} />
    <${OrderBanner} session=${session} />
    <${WishBanner} session=${session} />
    <${Podium} key=${`${shown.game} ${shown.race?.index}`} session=${session} unfolded />
    <${Coach} session=${session} />
    ${gathering || html`${welcome || html`<${Question} session=${session} />`}<${WhoIsWhere} session=${session} />`}
    <${Story} session=${session} open close=${() => undefined} />
    <button class="button quiet" id="to-picture" type="button" onClick=${() => (textMode.value = false)}>${text.drawn}</button>
  </div>`;
}
