/** Quae de servatis dicuntur. */
import { counting } from "../plurals.js";

const counted = counting("la");

/** @type {typeof import("../en/privacy.js").default} */
export default {
  pageTitle: "Secreta · Ave Caesar",
  title: "Secreta tua",
  lead: "Nemo hic inscribitur, nemo observatur. Machina servat quae certamini opus sunt, praeterea nihil.",
  keptTitle: "Quae servantur",
  kept: [
    "Clavis tua: numerus fortuitus, qui sellas tuas aperit. Machina vestigium eius tantum servat.",
    "Quae scribis: nomen tuum, tituli mensarum tuarum, quae ibi dicis. Quisquis nexum mensae habet, legere potest.",
    "Certamina: chartae, motus, horae.",
    "Locus tuus retis numquam scribitur. Numeratur dum ades, ne quis machinam obruat.",
  ],
  longTitle: "Quamdiu",
  days: (days) =>
    `Mensa finita, aut ubi numquam certamen coeptum est, deletur postquam per ${counted(days, "diem", "dies")} nihil mutatum est. Certamen quod cum aliis communicas manet donec desinis. Quod huc missum est deletur cum tamdiu nemo id aperuit.`,
  forever: "Haec machina mensas finitas et quae huc missa sunt in perpetuum servat.",
  deviceTitle: "In hoc navigatro",
  device:
    "Nomen tuum, color tuus et quomodo ludere soleas in hoc navigatro tantum servantur. Item, ad quadraginta fere mensas et diutius ubi certamen nondum finitum est, promissa et partes et chartae quas manu tenuisti, ut distributionem probare possit; atque invitationes quibus usus non es.",
  forgetTitle: "Obliviscere mei",
  forgetAbout: [
    "Nomina tua et omnia quae dixisti ad omnes mensas delentur. Sellae tuae vacuae fiunt; si certamen est, vicarius ad finem agitat. Certamina manent, et Nemo ea egit. Quae hoc navigatrum de mensis meminit, ea quoque delentur.",
    "Hoc revocari non potest. Ad hoc navigatrum pertinet: ceterae machinae tuae claves suas habent. Quod quis sibi deposuit, eius est.",
  ],
  forget: "Obliviscere mei",
  sure: "Visne omnia nomina dictaque tua delere et sellas tuas relinquere?",
  yes: "Ita, obliviscere mei",
  no: "Minime, redi",
  busy: "Oblivio fit…",
  done: (tables) => (tables ? `Oblivioni datus es ad ${counted(tables, "mensam", "mensas")}.` : "Nihil erat obliviscendum."),

  until: (date) => `Hoc certamen servatur usque ad ${date}.`,
  sharedByYou: "Hoc certamen communicas: servatur donec desinis.",
  shared: "Aliquis hoc certamen communicat: servatur donec desinit.",
  good: "Hoc certamen in perpetuum servatur.",
  share: "Diutius serva",
  stop: "Noli iam communicare",
};
