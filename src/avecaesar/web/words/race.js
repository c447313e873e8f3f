/** What the summary of a race says, in the reader's language. */
import { spoken } from "../lib/words.js";

/** @type {typeof import("./en/race.js").default} */
export default await spoken("race");
