/** What the stage says, in the reader's language. */
import { spoken } from "../lib/words.js";

/** @type {typeof import("./en/stage.js").default} */
export default await spoken("stage");
