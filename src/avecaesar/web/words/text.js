/** What the table in words says, in the reader's language. */
import { spoken } from "../lib/words.js";

/** @type {typeof import("./en/text.js").default} */
export default await spoken("text");
