/** Was über das gesagt wird, was der Server aufbewahrt. */
import { counting } from "../plurals.js";

const counted = counting("de");

/** @type {typeof import("../en/privacy.js").default} */
export default {
  pageTitle: "Datenschutz · Ave Caesar",
  title: "Datenschutz",
  lead: "Kein Konto, keine Verfolgung. Der Server bewahrt auf, was ein Rennen braucht, und sonst nichts.",
  keptTitle: "Was aufbewahrt wird",
  kept: [
    "Dein Schlüssel: eine Zufallszahl in einem Cookie, die deine Plätze öffnet. Der Server hat davon nur einen Fingerabdruck.",
    "Was du schreibst: dein Name, die Titel deiner Tische und was du dort sagst. Wer den Link eines Tisches hat, kann es lesen.",
    "Die Rennen: Karten, Züge und Zeiten.",
    "Deine Adresse wird nie aufgeschrieben. Sie wird gezählt, solange du da bist, damit niemand den Server überflutet.",
  ],
  longTitle: "Wie lange",
  days: (days) =>
    `Ein beendeter Tisch, oder einer, an dem nie ein Rennen begann, wird gelöscht, wenn sich ${counted(days, "Tag", "Tage")} lang nichts geändert hat. Ein Rennen, das du teilst, bleibt, bis du es nicht mehr teilst. Was hochgeladen wurde, verschwindet, wenn es ebenso lange niemand geöffnet hat.`,
  forever: "Dieser Server bewahrt beendete Tische und Hochgeladenes für immer auf.",
  deviceTitle: "In diesem Browser",
  device:
    "Dein Name, deine Farbe und wie du gern spielst, merkt sich nur dieser Browser. Ebenso, für bis zu vierzig Tische und länger, wo ein Rennen nicht zu Ende ist, die Zusagen, die Beiträge und die Karten, die du auf der Hand hattest, damit er das Geben prüfen kann; und Einladungen, die du nicht benutzt hast.",
  forgetTitle: "Vergiss mich",
  forgetAbout: [
    "Deine Namen und alles, was du gesagt hast, werden an allen Tischen gelöscht. Deine Plätze werden frei; in einem laufenden Rennen fährt eine Vertretung bis ins Ziel. Die Rennen bleiben, gefahren von Nemo, von niemandem. Auch was sich dieser Browser von Tischen merkt, verschwindet.",
    "Das lässt sich nicht rückgängig machen. Es gilt für diesen Browser: Deine anderen Geräte haben eigene Schlüssel. Was jemand heruntergeladen hat, gehört ihm.",
  ],
  forget: "Vergiss mich",
  sure: "Alle deine Namen und Äußerungen löschen und deine Plätze aufgeben?",
  yes: "Ja, vergiss mich",
  no: "Nein, zurück",
  busy: "Wird vergessen …",
  done: (tables) => (tables ? `Du bist an ${counted(tables, "Tisch", "Tischen")} vergessen.` : "Es gab nichts zu vergessen."),

  until: (date) => `Dieses Rennen wird bis zum ${date} aufbewahrt.`,
  sharedByYou: "Du teilst dieses Rennen: Es bleibt, bis du damit aufhörst.",
  shared: "Jemand teilt dieses Rennen: Es bleibt, bis er damit aufhört.",
  good: "Dieses Rennen wird für immer aufbewahrt.",
  share: "Länger aufbewahren",
  stop: "Nicht mehr teilen",
};
