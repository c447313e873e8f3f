/** Ciò che dice la replica. */
import { counting } from "../plurals.js";
import shell from "./shell.js";

const counted = counting("it");
/** @type {Record<string, string>} */
const FATES = { home: "arrivato", "out of cards": "senza carte", crashed: "incidentato", withdrawn: "ritirato", racing: "in corsa" };

/** @type {typeof import("../en/replay.js").default} */
export default {
  pageTitle: (title) => `${title} · replica`,
  loading: "L’arbitro ripercorre la corsa…",
  lostTitle: "Qui non c’è nessuna corsa da vedere",
  toTable: "Al podio",
  ways: "La corsa altrove",
  race: (number) => `Corsa ${number}`,
  races: "Corse",
  course: (course, direction) => `Percorso ${shell.course(course)}, ${shell.directions[direction]}`,
  sealed: "carte leali",
  sealedAbout: "Le carte erano sigillate prima della corsa, e l’arbitro le ha ridistribuite dal sigillo aperto.",
  board: "Il tabellone",
  first: "Alla griglia",
  back: "Un turno indietro",
  play: "Avvia",
  pause: "Pausa",
  forward: "Un turno avanti",
  last: "Alla fine",
  before: "All’evento precedente",
  after: "All’evento successivo",
  turn: "Turno",
  at: (at, last) => (at === 0 ? "La griglia" : `Turno ${at} di ${last}`),
  speed: "Velocità",
  speeds: { 0.5: "½×", 1: "1×", 2: "2×", 4: "4×", 10: "10×" },
  hands: "Mani",
  notation: "Notazione",
  drivers: "Aurighi",
  log: "La corsa",
  moments: "Eventi",
  standings: "Classifica",
  grid: "Le bighe sono sulla griglia.",
  summary: "Che corsa è stata",
  copy: "Link a questo momento",
  copied: "Il link è copiato.",
  copyThis: "Questo è il link:",
  download: "Registrazione",
  downloadText: "Come testo",
  downloadAbout: "Scarica la registrazione: il file si può verificare e rivedere ovunque",
  upload: "Un’altra registrazione",
  uploading: "L’arbitro la ripercorre…",
  lap: (lap) => (lap === 0 ? "griglia" : `giro ${["I", "II", "III"][lap - 1]}`),
  owes: "deve una moneta",
  noSix: "6 vietato",
  barred: "è in testa, e ora non può giocare un 6",
  disqualified: "squalificato",
  riderless: "senza auriga",
  spare: (points) => (points < 0 ? `ne mancano ${-points}` : `${points} di scorta`),
  cards: (cards, points) => `${counted(cards, "carta", "carte")}, ${counted(points, "punto", "punti")}`,
  handOf: (name) => `Carte di ${name}`,
  laurels: (laurels) => counted(laurels, "alloro", "allori"),
  fate: ({ status, arrival, place }) =>
    status === "home" && (place ?? arrival) ? `arrivato ${place ?? arrival}º` : (FATES[status] ?? status),
  by: { "stand-in": "sostituto", clock: "tempo scaduto" },
  piles: ["I", "II", "III"],
};
