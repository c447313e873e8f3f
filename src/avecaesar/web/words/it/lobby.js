/** Ciò che dice l’atrio. */
import { counting } from "../plurals.js";
import shell from "./shell.js";

const so = counting("it");

/** @type {typeof import("../en/lobby.js").default} */
export default {
  title: "Ave Caesar: una corsa di bighe",
  headline: "Tre giri, curve strette e una moneta dovuta a Cesare.",
  lead:
    "Gioca una carta, avanza esattamente di tanto, tieniti all’interno e sbarra la strada a chi ti segue. " +
    "Nessun account: bastano un nome e un colore.",
  you: "Corri come",
  name: "Il tuo nome",
  namePlaceholder: "il tuo nome",
  nameless: "Ancora senza nome? Allora corri come Aulus.",
  colour: "Il tuo colore",
  raceNow: "Corri subito",
  raceNowAbout: "Tu contro tre aurighi del computer",
  laying: "Si attaccano i cavalli…",
  newTable: "Nuovo tavolo",
  newTableAbout: "Amici tramite link o a questo schermo; ogni edizione, percorso e regola",
  watch: "Guarda una corsa",
  watchAbout: "Quattro aurighi del computer, e tu sugli spalti",
  replay: "Rivedi una corsa",
  replayAbout: "Scegli un file salvato dopo una corsa",
  refereeing: "L’arbitro la ripercorre…",
  mine: "I tuoi tavoli",
  mineEmpty: "Ancora nessuno. Una corsa che cominci ti aspetta qui, anche se chiudi la pagina.",
  open: "Tavoli aperti",
  openEmpty: "Ora nessuno aspetta compagni. Prepara un tavolo aperto, e chi passa di qui può unirsi a te.",
  openNew: "Prepara un tavolo aperto",
  asking: "Vediamo chi c’è…",
  offlineTitle: "Nessuna linea con il server",
  offlineKept: "Ciò che vedi qui sotto può essere vecchio.",
  stopped: "Ferma: al server manca la chiave delle carte",
  yourTurn: "Tocca a te",
  resume: "Riprendi",
  drive: "Alla tua biga",
  see: "Guarda com’è finita",
  join: "Partecipa",
  joining: "Prendi posto…",
  watchTable: "Guarda",
  tournament: "torneo",
  on: (course) => `percorso ${shell.course(course)}`,
  raceOn: (course) => `Una corsa sul percorso ${shell.course(course)}`,
  aTournament: "Un torneo",
  free: (count) => so(count, "posto libero", "posti liberi"),
  phases: { gathering: "in attesa di cominciare", racing: "in corsa", podium: "tra due corse", over: "finito" },
  freeSeat: "posto libero",
  older: (count) => `Mostra ${so(count, "tavolo più vecchio", "tavoli più vecchi")}`,
};
