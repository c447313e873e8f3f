/** Was die Wiederholung sagt. */
import { counting } from "../plurals.js";
import shell from "./shell.js";

const counted = counting("de");
/** @type {Record<string, string>} */
const FATES = {
  home: "im Ziel",
  "out of cards": "ohne Karten",
  crashed: "verunglückt",
  withdrawn: "ausgeschieden",
  racing: "im Rennen",
};

/** @type {typeof import("../en/replay.js").default} */
export default {
  pageTitle: (title) => `${title} · Wiederholung`,
  loading: "Der Schiedsrichter fährt das Rennen nach …",
  lostTitle: "Hier ist kein Rennen zu sehen",
  toTable: "Zum Podest",
  ways: "Das Rennen anderswo",
  race: (number) => `Rennen ${number}`,
  races: "Die Rennen",
  course: (course, direction) => `Kurs ${shell.course(course)}, ${shell.directions[direction]}`,
  sealed: "ehrliche Karten",
  sealedAbout:
    "Die Karten waren vor dem Rennen versiegelt, und der Schiedsrichter hat sie aus dem geöffneten Siegel neu verteilt.",
  board: "Der Spielplan",
  first: "Zum Start",
  back: "Einen Zug zurück",
  play: "Abspielen",
  pause: "Anhalten",
  forward: "Einen Zug weiter",
  last: "Zum Ende",
  before: "Zum vorigen Ereignis",
  after: "Zum nächsten Ereignis",
  turn: "Zug",
  at: (at, last) => (at === 0 ? "Der Start" : `Zug ${at} von ${last}`),
  speed: "Geschwindigkeit",
  speeds: { 0.5: "½×", 1: "1×", 2: "2×", 4: "4×", 10: "10×" },
  hands: "Hände",
  notation: "Kurzschrift",
  drivers: "Lenker",
  log: "Das Rennen",
  moments: "Ereignisse",
  standings: "Stand",
  grid: "Die Wagen stehen am Start.",
  summary: "Was für ein Rennen",
  copy: "Link zu diesem Moment",
  copied: "Der Link ist kopiert.",
  copyThis: "Das ist der Link:",
  download: "Aufzeichnung",
  downloadText: "Als Text",
  downloadAbout: "Die Aufzeichnung herunterladen: Die Datei kann überall geprüft und angesehen werden",
  upload: "Andere Aufzeichnung",
  uploading: "Der Schiedsrichter fährt es nach …",
  lap: (lap) => (lap === 0 ? "Start" : `Runde ${["I", "II", "III"][lap - 1]}`),
  owes: "schuldet eine Münze",
  noSix: "6 gesperrt",
  barred: "führt, und darf jetzt keine 6 spielen",
  disqualified: "disqualifiziert",
  riderless: "führerlos",
  spare: (points) => (points < 0 ? `${-points} zu wenig` : `${points} in Reserve`),
  cards: (cards, points) => `${counted(cards, "Karte", "Karten")}, ${counted(points, "Punkt", "Punkte")}`,
  handOf: (name) => `Karten von ${name}`,
  laurels: (laurels) => counted(laurels, "Lorbeer", "Lorbeeren"),
  fate: ({ status, arrival, place }) =>
    status === "home" && (place ?? arrival) ? `${place ?? arrival}. im Ziel` : (FATES[status] ?? status),
  by: { "stand-in": "vertreten", clock: "Zeit abgelaufen" },
  piles: ["I", "II", "III"],
};
