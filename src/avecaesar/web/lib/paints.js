/**
 * How each colour of chariot is painted. Written by tools/liveries.py from telling/liveries.toml: do not edit it, run
 * that.
 * @module
 * @import { Colour } from "./types.js"
 */

/**
 * The sign is path data within a circle of radius 10.
 * @typedef {{ paint: string, ink: string, edge: string, sign: string }} Livery
 */

/** @type {Record<Colour, Livery>} */
export const LIVERIES = {
  red: {
    paint: "#c8301f",
    ink: "#fff6e6",
    edge: "#7d180e",
    sign: "M.4-8.2C4.6-4.6 6-1.6 6 1.4a6 6 0 0 1-12 0c0-2 .9-3.8 2.3-5.2.2 1.5.9 2.4 1.8 2.8-.2-2.6.2-5.2 2.3-7.2zM.2 1.4c-1.4 1-2 2-2 3.1a2 2 0 0 0 4 0C2.2 3.3 1.5 2.3.2 1.4z",
  },
  blue: {
    paint: "#2463ae",
    ink: "#f4f9ff",
    edge: "#123a6c",
    sign: "M-8-1.8C-5.6-6-2.6-6 0-3.4 2.4-1 4.8-1.2 8-4.2V-.6C4.8 2.2 2.4 2.2 0 0-2.6-2.4-5.4-2-8 1.8zM-8 4.8C-5.6.6-2.6.6 0 3.2 2.4 5.6 4.8 5.4 8 2.4V6C4.8 8.6 2.4 8.6 0 6.6-2.6 4.2-5.4 4.6-8 8z",
  },
  green: {
    paint: "#2f7d46",
    ink: "#f4fff2",
    edge: "#174a27",
    sign: "M7-7.4C8 .6 5 6-1.6 5.4L-5.6 8.6-6.8 7.4-3.4 3.4C-5.8-2.8-.8-7.2 7-7.4zM3.6-4 -1.8 2.8 2.4-1.6z",
  },
  yellow: {
    paint: "#f2b81c",
    ink: "#3a2a1d",
    edge: "#96690a",
    sign: "M2.2-8.4-5.6 1.6H-.6L-2.6 8.6 5.6-2H.6z",
  },
  white: {
    paint: "#fbf7ec",
    ink: "#3a2a1d",
    edge: "#8b7c66",
    sign: "M0-8.2 2.1-2.7 8-2.5 3.4 1.1 5 6.8 0 3.5-5 6.8-3.4 1.1-8-2.5-2.1-2.7z",
  },
  black: {
    paint: "#2b2725",
    ink: "#f3e6c8",
    edge: "#0f0d0c",
    sign: "M3-7.4A8 8 0 1 0 7.6 3.2 6.4 6.4 0 0 1 3-7.4z",
  },
};
