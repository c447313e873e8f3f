/** What the coach says, in the reader's language. */
import { spoken } from "../lib/words.js";

/** @type {typeof import("./en/coach.js").default} */
export default await spoken("coach");
