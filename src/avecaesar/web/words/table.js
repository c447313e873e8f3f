/** What the table says, in the reader's language. */
import { spoken } from "../lib/words.js";

/** @type {typeof import("./en/table.js").default} */
export default await spoken("table");
