/** Quel che si dice di ciò che il server conserva. */
import { counting } from "../plurals.js";

const counted = counting("it");

/** @type {typeof import("../en/privacy.js").default} */
export default {
  pageTitle: "Riservatezza · Ave Caesar",
  title: "Riservatezza",
  lead: "Nessun account, nessun tracciamento. Il server conserva quel che serve a una corsa, e nient’altro.",
  keptTitle: "Che cosa si conserva",
  kept: [
    "La tua chiave: un numero casuale in un cookie, che apre i tuoi posti. Il server ne conserva solo un’impronta.",
    "Quel che scrivi: il tuo nome, i titoli dei tuoi tavoli e quel che dici lì. Chi ha il link di un tavolo può leggerlo.",
    "Le corse: carte, mosse e orari.",
    "Il tuo indirizzo non viene mai annotato. Si conta finché sei qui, perché nessuno sommerga il server.",
  ],
  longTitle: "Per quanto tempo",
  days: (days) =>
    `Un tavolo finito, o dove non è mai cominciata una corsa, viene cancellato dopo ${counted(days, "giorno", "giorni")} senza cambiamenti. Una corsa che condividi resta finché non smetti di condividerla. Ciò che è stato caricato sparisce quando nessuno l’ha aperto per altrettanto tempo.`,
  forever: "Questo server conserva per sempre i tavoli finiti e ciò che è stato caricato.",
  deviceTitle: "In questo browser",
  device:
    "Il tuo nome, il tuo colore e come ti piace giocare sono ricordati solo in questo browser. Così anche, per una quarantina di tavoli e più a lungo dove una corsa non è finita, le promesse, i contributi e le carte che avevi in mano, perché possa controllare la distribuzione; e gli inviti che non hai usato.",
  forgetTitle: "Dimenticami",
  forgetAbout: [
    "I tuoi nomi e tutto quel che hai detto vengono cancellati a tutti i tavoli. I tuoi posti si liberano; in una corsa in atto un sostituto guida fino alla fine. Le corse restano, e le ha guidate Nemo, nessuno. Sparisce anche quel che questo browser ricorda dei tavoli.",
    "Non si può tornare indietro. Vale per questo browser: gli altri tuoi dispositivi hanno chiavi proprie. Quel che qualcuno ha scaricato è suo.",
  ],
  forget: "Dimenticami",
  sure: "Cancellare tutti i tuoi nomi e messaggi e lasciare i tuoi posti?",
  yes: "Sì, dimenticami",
  no: "No, torna indietro",
  busy: "Sto dimenticando…",
  done: (tables) => (tables ? `Sei dimenticato in ${counted(tables, "tavolo", "tavoli")}.` : "Non c’era niente da dimenticare."),

  until: (date) => `Questa corsa si conserva fino al ${date}.`,
  sharedByYou: "Condividi questa corsa: si conserva finché non smetti.",
  shared: "Qualcuno condivide questa corsa: si conserva finché non smette.",
  good: "Questa corsa si conserva per sempre.",
  share: "Conservala di più",
  stop: "Smetti di condividere",
};
