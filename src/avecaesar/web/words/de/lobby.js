/** Was das Atrium sagt. */
import { counting } from "../plurals.js";
import shell from "./shell.js";

const so = counting("de");

/** @type {typeof import("../en/lobby.js").default} */
export default {
  title: "Ave Caesar: ein Wagenrennen",
  headline: "Drei Runden, enge Kurven und eine Münze, die Cäsar zusteht.",
  lead:
    "Spiel eine Karte, fahr genau so weit, bleib innen und versperr allen hinter dir den Weg. " +
    "Kein Konto: Name und Farbe genügen.",
  you: "Du fährst als",
  name: "Dein Name",
  namePlaceholder: "dein Name",
  nameless: "Noch kein Name? Dann fährst du als Aulus.",
  colour: "Deine Farbe",
  raceNow: "Sofort fahren",
  raceNowAbout: "Du gegen drei Lenker des Computers",
  laying: "Die Pferde werden angespannt …",
  newTable: "Neuer Tisch",
  newTableAbout: "Freunde per Link oder an diesem Bildschirm; jede Ausgabe, jeder Kurs, jede Regel",
  watch: "Ein Rennen ansehen",
  watchAbout: "Vier Lenker des Computers, und du auf der Tribüne",
  replay: "Aufzeichnung ansehen",
  replayAbout: "Wähl eine Datei, die nach einem Rennen gespeichert wurde",
  refereeing: "Der Schiedsrichter fährt es nach …",
  mine: "Deine Tische",
  mineEmpty: "Noch keine. Ein Rennen, das du beginnst, wartet hier auf dich, auch wenn du die Seite schließt.",
  open: "Offene Tische",
  openEmpty: "Gerade wartet niemand auf andere. Stell einen offenen Tisch auf, und wer hereinschaut, kann mitfahren.",
  openNew: "Offenen Tisch aufstellen",
  asking: "Mal sehen, wer da ist …",
  offlineTitle: "Keine Leitung zum Server",
  offlineKept: "Was du unten siehst, ist vielleicht veraltet.",
  stopped: "Ruht: dem Server fehlt der Schlüssel zu den Karten",
  yourTurn: "Du bist dran",
  resume: "Weiter",
  drive: "Zu deinem Wagen",
  see: "Sehen, wie es ausging",
  join: "Mitfahren",
  joining: "Du nimmst Platz …",
  watchTable: "Zusehen",
  tournament: "Turnier",
  on: (course) => `Kurs ${shell.course(course)}`,
  raceOn: (course) => `Ein Rennen auf Kurs ${shell.course(course)}`,
  aTournament: "Ein Turnier",
  free: (count) => so(count, "Platz frei", "Plätze frei"),
  phases: { gathering: "wartet auf den Start", racing: "im Rennen", podium: "zwischen Rennen", over: "vorbei" },
  freeSeat: "freier Platz",
  older: (count) => `${so(count, "älteren Tisch", "ältere Tische")} zeigen`,
};
