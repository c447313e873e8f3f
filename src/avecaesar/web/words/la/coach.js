/** Quae magister dicit, et ludus breviter. */
import { counting } from "../plurals.js";

const so = counting("la");

/** @type {typeof import("../en/coach.js").default} */
export default {
  name: "Crescens",
  learn: "Currendo disce",
  learnAbout: "Primum certamen tuum, vetere auriga adiuvante",
  resume: "Ad primum certamen tuum redi",
  progress: (learned, all) => `${learned} ex ${so(all, "folio merito", "foliis meritis")}`,

  goOn: "Perge",
  showMe: "Monstra mihi",
  leave: "Sine magistro curre",
  call: "Magistrum voca",

  welcome:
    "Ave! Crescens sum; plura certamina cucurri quam dentes habeo. Tria spatia: vincit qui primus pervenit. " +
    "Cetera in via disces.",
  move: {
    title: "Chartam pone",
    words: (card) => `Tres chartae in manu. Haec ${card} te ${so(card, "locum", "locos")} provehit. Tange eam, deinde locum quo ducit, deinde «Pone».`,
  },
  exact: {
    title: "Numerus iustus",
    words: (card) => `Charta tota curritur: ${card} tua hunc locum praeterit nec ibi consistere potest.`,
  },
  six: {
    title: "Senio",
    barred: "Praecedis, ergo senio tuus vetatur: qui praecedit eum ponere non potest.",
    free: "Qui praecedit coronam gerit. Cum te aliquis praeterierit, senio tuus iterum liber erit.",
  },
  blocked: {
    title: "Via obstructa",
    words: (card) => `Charta ${card} impeditur. Una quadriga in quoque loco stat, nec ulla aliam transilit.`,
    back: "Idem tu illis fac: ubi angustum est curriculum, nemo te praeterit.",
  },
  missed: {
    title: "Vices omissae",
    once: "Quod si nulla charta tua poni potest, vices omittis: unam chartam quam vis sub fasciculum condis, et aliam sumis.",
    exchange: "Nulla charta tua poni potest: has vices omittis. Elige chartam quae sub fasciculum eat; pro ea aliam sumis.",
    wait: "Soli seniones, et omnes vetiti: exspectas chartis tuis servatis, dum te aliquis praetereat.",
  },
  wall: {
    title: "Muri",
    words: (card) => `Charta ${card} hunc locum nonnisi per murum attingeret. Ante murum semitam elige.`,
  },
  spare: {
    title: "Puncta superantia",
    words: (points, way, spare) =>
      `Chartae tuae omnes efficiunt ${so(points, "punctum", "puncta")}, iter ad calcem poscit ${way}. Ergo superant ${spare}.`,
    wasteful: (wasted) =>
      `Hic perderes ${so(wasted, "punctum", "puncta")}: haec semita longior est.`,
    lost: (before, now) => `Semita tua longior erat: superabant ${before}, nunc superant ${now}.`,
    short: "Pauciora puncta habes quam passus restant. Pervenire iam non potes, sed ceteris obstare potes.",
  },
  alley: {
    title: "Via imperatoria",
    words: "Ecce pulvinar Caesaris! Semel in loco viae eius consiste, et nummum quem debes ei solvis.",
    late: "In fine primi aut secundi spatii fieri debet. Qui transit tantum, aut serius venit, victus est.",
    owing: "Caesari nummum adhuc debes. In fine huius spatii in via eius consiste, aut victus es.",
    past: "Viam cum nummo praeteriisti: exclusus es. Exercendi causa perge, aut lectionem ab initio repete.",
    paid: "Ave Caesar! Nummus solutus est. Iam sola calx spectanda est.",
  },
  advice: (move, because) => (because ? `Ego sic agerem: ${move}; ${because}.` : `Ego sic agerem: ${move}.`),
  adviceElse: (move, because) => (because ? `Hoc suadeo: ${move}; ${because}.` : `Hoc suadeo: ${move}.`),
  adviceTitle: "Consilium meum",

  end: {
    title: "Iam auriga es",
    alley: {
      title: "Via imperatoria",
      words: "Loci ante pulvinar Caesaris. In uno eorum in fine primi aut secundi spatii consiste, et nummus solutus est; si cum nummo praeteris, excluderis.",
    },
    six: {
      title: "Senio vetitus",
      words: "Qui praecedit senionem ponere non potest: ideo tuus vetitus est. Cum quis ante te erit, iterum liber erit.",
    },
    spare: {
      title: "Puncta superantia",
      words: "Omnes chartae tuae, dempto itinere ad calcem. Semitae longiores ea perdunt; si pauciora quam 0 superant, chartae non sufficiunt.",
    },
    real: "Serio curre",
    again: "Lectionem repete",
    learned: "Quae didicisti",
    close: "Magistrum dimitte",
  },

  glance: {
    title: "Ludus breviter",
    card: "Chartam pone et totidem locos procede.",
    lane: "Interiora tene, et in angustiis primus esto.",
    six: "Qui praecedit senionem ponere non potest.",
    alley: "Semel in via Caesaris consiste et nummum solve.",
  },
};
