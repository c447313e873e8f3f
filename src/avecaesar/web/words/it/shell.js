/** Ciò che la pagina dice dappertutto. */
const relative = new Intl.RelativeTimeFormat("it", { numeric: "auto" });

/** @type {Record<string, string>} */
const COURSES = { white: "bianco", blue: "blu", yellow: "giallo", red: "rosso" };

/** @type {typeof import("../en/shell.js").default} */
export default {
  name: "Ave Caesar",
  skip: "Al contenuto",
  home: "Ave Caesar: all’atrio",
  ago: (count, unit) => relative.format(-count, unit),
  justNow: "proprio ora",
  unreachable: "Il server non risponde. È acceso?",
  offlineTitle: "I cancelli sono chiusi",
  offlineWords:
    "Il server al momento non risponde. I tuoi tavoli lì sono al sicuro, e questa pagina riprende da sola appena risponde.",
  unexpected: "Qualcosa è andato storto in questa pagina. Di solito basta ricaricarla.",
  answered: (status) => `Il server non ha saputo rispondere (${status}).`,
  lineClosed: "Il tavolo è stato lasciato.",
  lineRefused: "Il server ha chiuso la linea con questo tavolo.",
  loading: "Un momento…",
  tryAgain: "Riprova",
  reload: "Ricarica la pagina",
  toLobby: "All’atrio",
  tooLarge: "Questo file supera i 4 MB: più di quanto si accetti qui.",
  brokenTitle: "Si è staccata una ruota",
  brokenWords: "Questa pagina si è rotta. La corsa continua senza di lei, e nulla è perduto.",
  nowhereTitle: "Nel circo questo posto non c’è",
  nowhereWords: "A questo indirizzo non c’è nulla. Forse il link è stato tagliato.",
  rules: "Regole",
  language: "Lingua",
  theme: { auto: "come il sistema", light: "chiaro", dark: "scuro" },
  themeButton: (now) => `Chiaro o scuro, ora: ${now}`,
  soundOn: "Il suono è acceso",
  soundOff: "Il suono è spento",
  dismiss: "Chiudi",
  footer: "Una versione non ufficiale del gioco di Wolfgang Riedesser. Tabelloni e disegni sono nostri.",
  manual: "Per chi scrive bot",
  privacy: "Riservatezza",
  colours: { red: "rosso", blue: "blu", green: "verde", yellow: "giallo", white: "bianco", black: "nero" },
  course: (name) => COURSES[name] ?? name,
  directions: { clockwise: "in senso orario", anticlockwise: "in senso antiorario" },
};
