/** Ciò che dice il maestro, e il gioco in breve. */
import { counting } from "../plurals.js";

const so = counting("it");

/** @type {typeof import("../en/coach.js").default} */
export default {
  name: "Crescens",
  learn: "Impara correndo",
  learnAbout: "La tua prima corsa, con un vecchio auriga al fianco",
  resume: "Continua la tua prima corsa",
  progress: (learned, all) => `${learned} di ${so(all, "foglia guadagnata", "foglie guadagnate")}`,

  goOn: "Avanti",
  showMe: "Fammi vedere",
  leave: "Corri senza maestro",
  call: "Chiama il maestro",

  welcome:
    "Ave! Io sono Crescens: ho corso più gare di quanti denti mi restano. Tre giri, e vince chi arriva primo. " +
    "Il resto lo impari per strada.",
  move: {
    title: "Gioca una carta",
    words: (card) => `Hai tre carte in mano. Questo ${card} ti porta avanti di ${so(card, "casella", "caselle")}. Toccalo, poi tocca la casella dove porta, poi Gioca.`,
  },
  exact: {
    title: "Conti esatti",
    words: (card) => `Una carta si corre per intero: il tuo ${card} va oltre questa casella e non può fermarcisi.`,
  },
  six: {
    title: "Il 6",
    barred: "Sei in testa, perciò il tuo 6 è vietato: chi è in testa non può giocarlo.",
    free: "Chi è in testa porta la corona. Appena qualcuno ti supera, il tuo 6 è di nuovo libero.",
  },
  blocked: {
    title: "Strada sbarrata",
    words: (card) => `Il tuo ${card} è bloccato. Una biga per casella, e nessuno ne salta un’altra.`,
    back: "Fai lo stesso con loro: dove la pista è stretta, nessuno ti supera.",
  },
  missed: {
    title: "Un turno saltato",
    once: "E se nessuna tua carta si può giocare, salti il turno: una carta a tua scelta va sotto il mazzo, e ne peschi un’altra.",
    exchange: "Nessuna tua carta si può giocare: salti questo turno. Scegli la carta che va sotto il mazzo; al suo posto ne peschi un’altra.",
    wait: "Solo 6, e tutti vietati: aspetti con le tue carte così come sono, finché qualcuno ti supera.",
  },
  wall: {
    title: "I muri",
    words: (card) =>
      `Solo attraverso il muro il tuo ${card} arriverebbe a questa casella. Scegli la corsia prima che il muro cominci.`,
  },
  spare: {
    title: "Punti di scorta",
    words: (points, way, spare) =>
      `Tutte le tue carte fanno ${so(points, "punto", "punti")}, la strada fino all’arrivo ne chiede ${way}. Ne hai ${spare} di scorta.`,
    wasteful: (wasted) =>
      `Qui sprecheresti ${so(wasted, "punto", "punti")}: questa corsia è la più lunga.`,
    lost: (before, now) => `La corsia che hai preso era più lunga: ne avevi ${before} di scorta, ora ${now}.`,
    short: "Hai meno punti che passi da fare. Non puoi più arrivare, ma puoi sbarrare la strada agli altri.",
  },
  alley: {
    title: "La Via Imperiale",
    words: "Il palco di Cesare! Fermati una volta su una casella della sua Via, e gli paghi la moneta che gli devi.",
    late: "Va fatto alla fine del primo o del secondo giro. Chi passa soltanto, o arriva più tardi, ha perso.",
    owing: "Devi ancora la moneta a Cesare. Fermati nella sua Via alla fine di questo giro, o hai perso.",
    past: "Oltre la Via con la tua moneta: sei squalificato. Continua per esercizio, o ricomincia la lezione.",
    paid: "Ave Caesar! La moneta è pagata. D’ora in poi conta solo il traguardo.",
  },
  advice: (move, because) => (because ? `Io giocherei ${move}: ${because}.` : `Io giocherei ${move}.`),
  adviceElse: (move, because) => (because ? `Il mio consiglio: ${move}; ${because}.` : `Il mio consiglio: ${move}.`),
  adviceTitle: "Il mio consiglio",

  end: {
    title: "Ora sai correre",
    alley: {
      title: "La Via",
      words: "Le caselle davanti al palco di Cesare. Fermati su una di esse alla fine del primo o del secondo giro, e la moneta è pagata; se le oltrepassi con la moneta, sei squalificato.",
    },
    six: {
      title: "Il 6 vietato",
      words: "Chi è in testa non può giocare un 6: per questo il tuo era vietato. Appena qualcuno ti sta davanti, è di nuovo libero.",
    },
    spare: {
      title: "Punti di scorta",
      words: "Tutte le tue carte insieme, meno la strada fino all’arrivo. Le corsie più lunghe li sprecano; sotto lo 0 le carte non bastano più.",
    },
    real: "Corri sul serio",
    again: "Di nuovo la lezione",
    learned: "Che cosa hai imparato",
    close: "Congeda il maestro",
  },

  glance: {
    title: "Il gioco in breve",
    card: "Gioca una carta e avanza esattamente di tanto.",
    lane: "Tieniti all’interno, e sii il primo dove si stringe.",
    six: "Chi è in testa non può giocare un 6.",
    alley: "Fermati una volta nella Via di Cesare e paga la moneta.",
  },
};
