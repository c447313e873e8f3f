/** Ciò che dice il modulo per un nuovo tavolo. */
import { capital, counting } from "../plurals.js";
import shell from "./shell.js";

const so = counting("it");

/** @type {typeof import("../en/new.js").default} */
export default {
  title: "Un nuovo tavolo: Ave Caesar",
  headline: "Un nuovo tavolo",
  lead: "Scegli un tavolo e comincia.",

  readyTables: "Pronti a correre",
  details: "Cambia qualcosa",
  ready: {
    quick: { title: "Corsa veloce contro il computer", about: "Tu e tre aurighi del computer; si parte subito" },
    friends: { title: "Con amici, tramite link", about: "Due amici, ovunque siano, e un auriga del computer" },
    screen: { title: "Attorno a uno schermo", about: "Tre persone, un dispositivo: una tenda copre ogni mano" },
    ausgebremst: { about: "Mazzi a scelta, tre pile, due carte in mano: si corre come in un altro gioco" },
    tournament: { title: "Un torneo", about: "Gli stessi aurighi, una corsa dopo l’altra, per gli allori" },
    open: { title: "Un tavolo aperto", about: "Per chiunque si affacci nell’atrio" },
  },

  seats: "Chi corre",
  seat: (number) => `Posto ${number}`,
  who: "Chi",
  kinds: { here: "A questo schermo", friend: "Un amico, tramite link", driver: "Il computer" },
  kindsAbout: {
    here: "Corre su questo dispositivo. Se qui siete in più d’uno, un sipario nasconde ogni mano.",
    friend: "Ricevi un link da spedire; il tavolo aspetta chi lo apre.",
    driver: "",
  },
  friendAtOpen: "Libero per chi arriva: dall’atrio o con un tuo link.",
  name: "Nome",
  ourName: "lo troviamo noi",
  colour: "Colore",
  driver: "Auriga",
  usualDriver: "Uno dei soliti",
  withTime: (budget) => `${budget} per mossa`,
  remove: "Togli",
  removeSeat: (number) => `Togli il posto ${number}`,
  add: "Aggiungi:",
  addKinds: { here: "qualcuno qui", friend: "un amico tramite link", driver: "un auriga" },

  edition: "Edizione",
  isDefault: "la solita",
  original: "Le regole originali; le altre se ne scostano.",
  differs: (changes) => `Si scosta dall’originale: ${changes}.`,

  houseRules: "Regole della casa",
  houseRulesAbout: "Ogni regola si può cambiare da sola. Ciò che non tocchi resta come lo vuole l’edizione.",
  noHouseRules: "come nell’edizione",
  variants: "Varianti note",
  groups: {
    cards: "Carte",
    six: "Chi è in testa e i suoi 6",
    alley: "La Via Imperiale",
    race: "La corsa",
    tournament: "Torneo e allori",
    chariots: "Bighe senza auriga e squadre",
  },
  asPrinted: (words) => `${words} (come stampato)`,
  changes: (count) => so(count, "modifica", "modifiche"),
  reset: "Ripristina",
  resetOption: (option) => `Ripristina: ${option}`,
  resetAll: "Ripristina tutte le regole",

  course: "Percorso",
  courseName: (name) => capital(shell.course(name)),
  boardName: (title, side) => `${title}, lato ${side}`,
  direction: "Direzione",
  length: "Quanto a lungo",
  oneRace: "Una corsa",
  tournament: "Un torneo",
  tournamentOn: "Percorsi del torneo",
  byEdition: "come dicono le regole",
  side: (side) => `i due percorsi del lato ${side}`,
  chosenCourses: "percorsi a mia scelta",
  firstCourse: "Primo percorso",
  secondCourse: "Secondo percorso",
  noSecond: "nessun secondo",
  schedule: "Le corse",
  stage: (course, direction) => `${course}, ${direction}`,
  pictureOf: (course, direction) => `Il percorso ${shell.course(course)} dall’alto, da correre ${direction}.`,
  facts: {
    spaces: "caselle",
    bottlenecks: "strettoie",
    shortest_lap: "punti per il giro più breve",
    alley_extra: "in più per la Via",
    shortest_race: "punti per la corsa più breve",
  },
  ownBoard: "Un tabellone tuo",
  ownBoardAbout: "Un tabellone è un file di testo; viene controllato quando lo scegli.",
  chooseBoard: "Scegli un tabellone",
  checkingBoard: "Controllo del tabellone…",
  boardFine: (title, courses) => `«${title}» è a posto. I suoi percorsi: ${courses.map(shell.course).join(", ")}.`,
  forgetBoard: "Torna ai nostri tabelloni",

  manner: "Come si gioca",
  access: "Chi può partecipare",
  byLink: "Solo tramite link",
  byLinkAbout: "Può prendere posto solo chi riceve un link da te.",
  open: "Tavolo aperto",
  openAbout: "Il tavolo compare nell’atrio, e chiunque può prendere un posto libero.",
  clock: "Clessidra per il turno",
  clockAbout: "Quando il tempo scade si fa una mossa sensata; nessuno perde la corsa per questo.",
  noClock: "nessuna clessidra",
  away: "Se qualcuno è via",
  awayAbout: "Finché non torna, un auriga del computer lo sostituisce.",
  neverAway: "il tavolo aspetta",
  awayAfter: (time) => `un auriga, dopo ${time}`,
  pace: "Passo degli aurighi del computer",
  paces: { 0: "immediato", 300: "svelto", 700: "solito", 1500: "calmo", 3000: "lento" },
  paceInShort: (pace) => `aurighi: ${pace}`,
  hints: "Consigli",
  hintsAbout: "Quando tocca a te puoi chiedere a Sibylla che cosa farebbe.",
  memory: "Promemoria",
  memoryAbout: "Dove hai pile tue, ti si mostra che carte contengono.",
  tableTitle: "Nome del tavolo",
  tableTitlePlaceholder: "non è necessario",
  time: (seconds) =>
    seconds < 60
      ? so(seconds, "secondo", "secondi")
      : seconds < 3600
        ? so(seconds / 60, "minuto", "minuti")
        : seconds < 86_400
          ? so(seconds / 3600, "ora", "ore")
          : so(seconds / 86_400, "giorno", "giorni"),

  summary: "Il tuo tavolo",
  chariots: (chariots, riderless) =>
    riderless > 0 ? `${so(chariots, "biga", "bighe")}, di cui ${riderless} senza auriga` : so(chariots, "biga", "bighe"),
  races: (races) => `un torneo di ${so(races, "corsa", "corse")}`,
  begin: {
    race: "Comincia la corsa",
    watch: "Guarda la corsa",
    tournament: "Comincia il torneo",
    watchTournament: "Guarda il torneo",
    invite: "Prepara e invita",
    open: "Prepara il tavolo aperto",
  },
  beginAbout: {
    race: "Si parte subito.",
    watch: "Corre solo il computer; si parte subito.",
    invite: (friends) => `Ricevi ${so(friends, "link", "link")} da spedire. La corsa comincia quando lo dici tu.`,
    open: "Compare nell’atrio finché non cominci.",
  },
  laying: "Si prepara il tavolo…",
  cannot: "Così non si può ancora giocare",
};
