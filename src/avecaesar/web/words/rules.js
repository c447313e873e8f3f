/** What the rules page says, in the reader's language. */
import { spoken } from "../lib/words.js";

/** @type {typeof import("./en/rules.js").default} */
export default await spoken("rules");
