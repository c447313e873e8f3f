/** Was das Formular für einen neuen Tisch sagt. */
import { capital, counting } from "../plurals.js";
import shell from "./shell.js";

const so = counting("de");

/** @type {typeof import("../en/new.js").default} */
export default {
  title: "Ein neuer Tisch: Ave Caesar",
  headline: "Ein neuer Tisch",
  lead: "Such dir einen Tisch aus und fang an.",

  readyTables: "Fertig zum Losfahren",
  details: "Etwas ändern",
  ready: {
    quick: { title: "Schnelles Rennen gegen den Computer", about: "Du und drei Lenker des Computers; es geht sofort los" },
    friends: { title: "Mit Freunden über einen Link", about: "Zwei Freunde, wo immer sie sind, und ein Lenker des Computers" },
    screen: { title: "Rund um einen Bildschirm", about: "Drei Leute, ein Gerät: Ein Vorhang verdeckt jede Hand" },
    ausgebremst: { about: "Decks zur Wahl, drei Stapel, zwei Karten auf der Hand: fahren wie in einem anderen Spiel" },
    tournament: { title: "Ein Turnier", about: "Dieselben Lenker, ein Rennen nach dem anderen, um Lorbeeren" },
    open: { title: "Ein offener Tisch", about: "Für alle, die im Atrium vorbeischauen" },
  },

  seats: "Wer fährt",
  seat: (number) => `Platz ${number}`,
  who: "Wer",
  kinds: { here: "Hier am Gerät", friend: "Ein Freund, per Link", driver: "Der Computer" },
  kindsAbout: {
    here: "Fährt an diesem Gerät. Seid ihr hier mehrere, verbirgt ein Vorhang jede Hand.",
    friend: "Du bekommst einen Link zum Verschicken; der Tisch wartet, bis ihn jemand öffnet.",
    driver: "",
  },
  friendAtOpen: "Frei für alle, die kommen: aus dem Atrium oder mit einem Link von dir.",
  name: "Name",
  ourName: "wir finden einen",
  colour: "Farbe",
  driver: "Lenker",
  usualDriver: "Einer der üblichen",
  withTime: (budget) => `${budget} je Zug`,
  remove: "Entfernen",
  removeSeat: (number) => `Platz ${number} entfernen`,
  add: "Dazu:",
  addKinds: { here: "jemand hier", friend: "ein Freund per Link", driver: "ein Lenker" },

  edition: "Ausgabe",
  isDefault: "die übliche",
  original: "Die ursprünglichen Regeln; die anderen weichen davon ab.",
  differs: (changes) => `Weicht vom Original ab: ${changes}.`,

  houseRules: "Hausregeln",
  houseRulesAbout: "Jede Regel lässt sich einzeln ändern. Was du nicht anrührst, bleibt wie in der Ausgabe.",
  noHouseRules: "wie in der Ausgabe",
  variants: "Bekannte Varianten",
  groups: {
    cards: "Karten",
    six: "Spitzenreiter und ihre Sechsen",
    alley: "Die Kaisergasse",
    race: "Das Rennen",
    tournament: "Turnier und Lorbeeren",
    chariots: "Führerlose Wagen und Teams",
  },
  asPrinted: (words) => `${words} (wie gedruckt)`,
  changes: (count) => so(count, "Änderung", "Änderungen"),
  reset: "Zurücksetzen",
  resetOption: (option) => `Zurücksetzen: ${option}`,
  resetAll: "Alle Hausregeln zurücksetzen",

  course: "Kurs",
  courseName: (name) => capital(shell.course(name)),
  boardName: (title, side) => `${title}, Seite ${side}`,
  direction: "Richtung",
  length: "Wie lange",
  oneRace: "Ein Rennen",
  tournament: "Ein Turnier",
  tournamentOn: "Kurse des Turniers",
  byEdition: "wie in den Regeln",
  side: (side) => `beide Kurse der Seite ${side}`,
  chosenCourses: "Kurse meiner Wahl",
  firstCourse: "Erster Kurs",
  secondCourse: "Zweiter Kurs",
  noSecond: "kein zweiter",
  schedule: "Die Rennen",
  stage: (course, direction) => `${course}, ${direction}`,
  pictureOf: (course, direction) => `Kurs ${shell.course(course)} von oben, ${direction} gefahren.`,
  facts: {
    spaces: "Felder",
    bottlenecks: "Engpässe",
    shortest_lap: "Punkte für die kürzeste Runde",
    alley_extra: "mehr durch die Gasse",
    shortest_race: "Punkte für das kürzeste Rennen",
  },
  ownBoard: "Ein eigener Spielplan",
  ownBoardAbout: "Ein Spielplan ist eine Textdatei; er wird geprüft, wenn du ihn wählst.",
  chooseBoard: "Spielplan wählen",
  checkingBoard: "Der Spielplan wird geprüft …",
  boardFine: (title, courses) => `„${title}“ ist in Ordnung. Seine Kurse: ${courses.map(shell.course).join(", ")}.`,
  forgetBoard: "Wieder unsere Spielpläne",

  manner: "Wie gespielt wird",
  access: "Wer mitfahren darf",
  byLink: "Nur per Link",
  byLinkAbout: "Nur wem du einen Link schickst, der kann Platz nehmen.",
  open: "Offener Tisch",
  openAbout: "Der Tisch steht im Atrium, und jeder darf einen freien Platz nehmen.",
  clock: "Sanduhr für einen Zug",
  clockAbout: "Läuft sie ab, wird ein vernünftiger Zug gemacht; niemand verliert dadurch das Rennen.",
  noClock: "keine Sanduhr",
  away: "Wenn jemand weg ist",
  awayAbout: "Bis er zurück ist, vertritt ihn ein Lenker des Computers.",
  neverAway: "der Tisch wartet",
  awayAfter: (time) => `ein Lenker nach ${time.replace(/Tage$/, "Tagen")}`,
  pace: "Tempo der Lenker des Computers",
  paces: { 0: "sofort", 300: "flott", 700: "üblich", 1500: "ruhig", 3000: "langsam" },
  paceInShort: (pace) => `Lenker: ${pace}`,
  hints: "Tipps",
  hintsAbout: "Wenn du dran bist, darfst du Sibylla fragen, was sie tun würde.",
  memory: "Gedächtnisstütze",
  memoryAbout: "Wo du eigene Stapel hast, wird dir gezeigt, was darin liegt.",
  tableTitle: "Name des Tisches",
  tableTitlePlaceholder: "muss nicht sein",
  time: (seconds) =>
    seconds < 60
      ? so(seconds, "Sekunde", "Sekunden")
      : seconds < 3600
        ? so(seconds / 60, "Minute", "Minuten")
        : seconds < 86_400
          ? so(seconds / 3600, "Stunde", "Stunden")
          : so(seconds / 86_400, "Tag", "Tage"),

  summary: "Dein Tisch",
  chariots: (chariots, riderless) =>
    riderless > 0 ? `${so(chariots, "Wagen", "Wagen")}, davon ${riderless} führerlos` : so(chariots, "Wagen", "Wagen"),
  races: (races) => `ein Turnier mit ${so(races, "Rennen", "Rennen")}`,
  begin: {
    race: "Rennen beginnen",
    watch: "Rennen ansehen",
    tournament: "Turnier beginnen",
    watchTournament: "Turnier ansehen",
    invite: "Aufstellen und einladen",
    open: "Offenen Tisch aufstellen",
  },
  beginAbout: {
    race: "Es geht sofort los.",
    watch: "Es fährt nur der Computer; es geht sofort los.",
    invite: (friends) => `Du bekommst ${so(friends, "Link", "Links")} zum Verschicken. Das Rennen beginnt, wenn du willst.`,
    open: "Er steht im Atrium, bis du beginnst.",
  },
  laying: "Der Tisch wird aufgestellt …",
  cannot: "So kann noch nicht gespielt werden",
};
