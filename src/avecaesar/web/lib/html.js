/**
 * Everything that the page takes from Preact, htm and signals, in one place: markup as tagged templates.
 * @module
 */
import { h, render, Fragment, Component } from "preact";
import { useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import { batch, computed, effect, signal, useComputed, useSignal, useSignalEffect } from "@preact/signals";
import htm from "htm";

/** Markup: html`<p class="x">${words}</p>`. Whatever stands in ${…} becomes text, never markup. */
export const html = htm.bind(h);

export { h, render, Fragment, Component };
export { useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState };
export { batch, computed, effect, signal, useComputed, useSignal, useSignalEffect };
