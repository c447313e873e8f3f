/** Was die Seite überall sagt. */
const relative = new Intl.RelativeTimeFormat("de", { numeric: "auto" });

/** @type {Record<string, string>} */
const COURSES = { white: "Weiß", blue: "Blau", yellow: "Gelb", red: "Rot" };

/** @type {typeof import("../en/shell.js").default} */
export default {
  name: "Ave Caesar",
  skip: "Zum Inhalt",
  home: "Ave Caesar: zum Atrium",
  ago: (count, unit) => relative.format(-count, unit),
  justNow: "gerade eben",
  unreachable: "Der Server ist nicht zu erreichen. Läuft er?",
  offlineTitle: "Die Tore sind geschlossen",
  offlineWords:
    "Der Server ist gerade nicht zu erreichen. Deine Tische sind bei ihm sicher, und diese Seite geht von selbst weiter, sobald er antwortet.",
  unexpected: "Auf dieser Seite ging etwas schief. Meistens hilft es, sie neu zu laden.",
  answered: (status) => `Der Server konnte nicht antworten (${status}).`,
  lineClosed: "Der Tisch wurde verlassen.",
  lineRefused: "Der Server hat die Leitung zu diesem Tisch geschlossen.",
  loading: "Einen Moment …",
  tryAgain: "Noch einmal",
  reload: "Seite neu laden",
  toLobby: "Zum Atrium",
  tooLarge: "Diese Datei ist größer als 4 MB: mehr, als hier angenommen wird.",
  brokenTitle: "Ein Rad ist ab",
  brokenWords: "Diese Seite ist zerbrochen. Das Rennen geht ohne sie weiter, und nichts ist verloren.",
  nowhereTitle: "Diesen Ort gibt es im Circus nicht",
  nowhereWords: "Unter dieser Adresse ist nichts. Vielleicht wurde der Link abgeschnitten.",
  rules: "Regeln",
  language: "Sprache",
  theme: { auto: "wie das System", light: "hell", dark: "dunkel" },
  themeButton: (now) => `Hell oder dunkel, jetzt: ${now}`,
  soundOn: "Der Ton ist an",
  soundOff: "Der Ton ist aus",
  dismiss: "Schließen",
  footer: "Eine inoffizielle Umsetzung des Spiels von Wolfgang Riedesser. Spielpläne und Bilder sind unsere eigenen.",
  manual: "Für Leute, die Bots schreiben",
  privacy: "Datenschutz",
  colours: { red: "rot", blue: "blau", green: "grün", yellow: "gelb", white: "weiß", black: "schwarz" },
  course: (name) => COURSES[name] ?? name,
  directions: { clockwise: "im Uhrzeigersinn", anticlockwise: "gegen den Uhrzeigersinn" },
};
