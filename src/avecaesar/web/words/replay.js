/** What the replay says, in the reader's language. */
import { spoken } from "../lib/words.js";

/** @type {typeof import("./en/replay.js").default} */
export default await spoken("replay");
