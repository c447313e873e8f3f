/** Was der Lehrer sagt, und das Spiel auf einen Blick. */
import { counting } from "../plurals.js";

const so = counting("de");

/** @type {typeof import("../en/coach.js").default} */
export default {
  name: "Crescens",
  learn: "Beim Fahren lernen",
  learnAbout: "Dein erstes Rennen, mit einem alten Wagenlenker an der Seite",
  resume: "Dein erstes Rennen fortsetzen",
  progress: (learned, all) => `${learned} von ${so(all, "Blatt", "Blättern")} verdient`,

  goOn: "Weiter",
  showMe: "Zeig es mir",
  leave: "Ohne Lehrer fahren",
  call: "Den Lehrer rufen",

  welcome:
    "Ave! Ich bin Crescens; ich habe mehr Rennen gefahren, als ich Zähne habe. Drei Runden, und wer zuerst im Ziel ist, gewinnt. " +
    "Den Rest lernst du unterwegs.",
  move: {
    title: "Spiel eine Karte",
    words: (card) => `Drei Karten auf der Hand. Diese ${card} bringt dich ${so(card, "Feld", "Felder")} vorwärts. Tipp sie an, dann das Feld, auf das sie führt, dann „Spielen“.`,
  },
  exact: {
    title: "Genau gezählt",
    words: (card) => `Eine Karte wird ganz gefahren: Deine ${card} führt an diesem Feld vorbei und kann dort nicht halten.`,
  },
  six: {
    title: "Die Sechs",
    barred: "Du führst, darum ist deine 6 gesperrt: Wer führt, darf keine spielen.",
    free: "Wer führt, trägt den Kranz. Sobald dich jemand überholt, ist deine 6 wieder frei.",
  },
  blocked: {
    title: "Im Weg",
    words: (card) => `Deine ${card} ist blockiert. Ein Wagen je Feld, und keiner springt über einen anderen.`,
    back: "Mach es mit ihnen ebenso: Wo die Strecke eng ist, kommt niemand an dir vorbei.",
  },
  missed: {
    title: "Ein Zug fällt aus",
    once: "Und wenn keine deiner Karten spielbar ist, setzt du aus: Eine Karte deiner Wahl kommt unter dein Deck, und du ziehst eine andere.",
    exchange: "Keine deiner Karten ist spielbar: Du setzt diesen Zug aus. Wähl die Karte, die unter dein Deck kommt; du ziehst dafür eine andere.",
    wait: "Nur Sechsen, und alle gesperrt: Du wartest mit deinen Karten, wie sie sind, bis dich jemand überholt.",
  },
  wall: {
    title: "Mauern",
    words: (card) =>
      `Nur durch die Mauer käme deine ${card} auf dieses Feld. Wähl deine Bahn, bevor eine Mauer beginnt.`,
  },
  spare: {
    title: "Punkte in Reserve",
    words: (points, way, spare) =>
      `Alle deine Karten ergeben ${so(points, "Punkt", "Punkte")}, der Weg ins Ziel braucht ${way}. Du hast also ${spare} in Reserve.`,
    wasteful: (wasted) =>
      `Hier würdest du ${so(wasted, "Punkt", "Punkte")} vergeuden: Diese Bahn ist die längere.`,
    lost: (before, now) => `Deine Bahn war länger: Du hattest ${before} in Reserve, jetzt sind es ${now}.`,
    short: "Du hast weniger Punkte als Schritte vor dir. Ins Ziel kommst du nicht mehr, aber im Weg stehen kannst du.",
  },
  alley: {
    title: "Die Kaisergasse",
    words: "Cäsars Loge! Halt einmal auf einem Feld seiner Gasse, und du zahlst ihm die Münze, die du schuldest.",
    late: "Es muss am Ende der ersten oder zweiten Runde sein. Wer nur durchfährt oder später kommt, hat verloren.",
    owing: "Du schuldest Cäsar noch seine Münze. Halt am Ende dieser Runde in seiner Gasse, sonst hast du verloren.",
    past: "Mit der Münze an der Gasse vorbei: Du bist disqualifiziert. Fahr zur Übung weiter, oder beginn die Lektion neu.",
    paid: "Ave Caesar! Deine Münze ist gezahlt. Von jetzt an zählt nur noch das Ziel.",
  },
  advice: (move, because) => (because ? `Ich würde spielen: ${move} – ${because}.` : `Ich würde spielen: ${move}.`),
  adviceElse: (move, because) => (because ? `Mein Rat: ${move} – ${because}.` : `Mein Rat: ${move}.`),
  adviceTitle: "Mein Rat",

  end: {
    title: "Jetzt kannst du fahren",
    alley: {
      title: "Die Gasse",
      words: "Die Felder vor Cäsars Loge. Halt am Ende der ersten oder zweiten Runde auf einem davon, und deine Münze ist gezahlt; mit der Münze daran vorbei, und du bist disqualifiziert.",
    },
    six: {
      title: "Die gesperrte 6",
      words: "Wer führt, darf keine 6 spielen: Darum war deine gesperrt. Sobald jemand vor dir liegt, ist sie wieder frei.",
    },
    spare: {
      title: "Punkte in Reserve",
      words: "Alle deine Karten zusammen, weniger der Weg ins Ziel. Längere Bahnen vergeuden sie; unter 0 reichen deine Karten nicht mehr.",
    },
    real: "Im Ernst fahren",
    again: "Noch einmal die Lektion",
    learned: "Was du gelernt hast",
    close: "Den Lehrer entlassen",
  },

  glance: {
    title: "Das Spiel auf einen Blick",
    card: "Spiel eine Karte und fahr genau so weit.",
    lane: "Bleib innen, und sei der Erste, wo es eng wird.",
    six: "Wer führt, darf keine 6 spielen.",
    alley: "Halt einmal in Cäsars Gasse und zahl deine Münze.",
  },
};
