/**
 * A file that is chosen, read and handed to the server: one at a time, with what was wrong with it.
 * @module
 */
import * as api from "./api.js";
import { html, useState } from "./html.js";
import { words } from "./words.js";

/** What a record's file may be called. */
export const RECORDS = ".json,.race,.txt,application/json,text/plain";
/** Bytes of the largest file that the server takes (`LARGEST_UPLOAD` of wire/decoding.py). */
export const LARGEST_UPLOAD = 4 * 2 ** 20;

/** @typedef {{ busy: boolean, problem: string, chosen: (event: { currentTarget: HTMLInputElement }) => Promise<void> }} Upload */

/**
 * @param {(text: string) => Promise<unknown>} take what to do with its text; what it throws is said
 * @returns {Upload}
 */
export function useUpload(take) {
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState("");
  return {
    busy,
    problem,
    async chosen({ currentTarget }) {
      const file = currentTarget.files?.[0];
      currentTarget.value = ""; // so that the same file can be chosen again
      if (!file) return;
      const large = file.size > LARGEST_UPLOAD;
      setProblem(large ? words.shell.tooLarge : "");
      if (large) return;
      setBusy(true);
      try {
        await take(await file.text());
      } catch (thrown) {
        setProblem(api.sentence(thrown));
      }
      setBusy(false);
    },
  };
}

/** The control itself, within a label. @param {{ upload: Upload, accept: string }} props */
export function FileInput({ upload, accept }) {
  return html`<input type="file" accept=${accept} disabled=${upload.busy} onChange=${upload.chosen} />`;
}
