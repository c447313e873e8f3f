/** What is said about what is kept, in the reader's language. */
import { spoken } from "../lib/words.js";

/** @type {typeof import("./en/privacy.js").default} */
export default await spoken("privacy");
