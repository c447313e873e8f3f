/** Ce qui est dit de ce que le serveur garde. */
import { counting } from "../plurals.js";

const counted = counting("fr");

/** @type {typeof import("../en/privacy.js").default} */
export default {
  pageTitle: "Vie privée · Ave Caesar",
  title: "Vie privée",
  lead: "Pas de compte, pas de pistage. Le serveur garde ce qu’il faut pour une course, et rien d’autre.",
  keptTitle: "Ce qui est gardé",
  kept: [
    "Ta clé : un nombre aléatoire dans un cookie, qui ouvre tes places. Le serveur n’en garde qu’une empreinte.",
    "Ce que tu écris : ton nom, les titres de tes tables et ce que tu y dis. Quiconque a le lien d’une table peut le lire.",
    "Les courses : cartes, coups et heures.",
    "Ton adresse n’est jamais notée. Elle est comptée tant que tu es là, pour que personne n’inonde le serveur.",
  ],
  longTitle: "Pour combien de temps",
  days: (days) =>
    `Une table terminée, ou dont aucune course n’a jamais commencé, est effacée après ${counted(days, "jour", "jours")} sans changement. Une course que tu partages reste tant que tu la partages. Un plateau ou un enregistrement envoyé disparaît quand personne ne l’a ouvert pendant ce même temps.`,
  forever: "Ce serveur garde pour toujours les tables terminées et ce qui a été envoyé.",
  deviceTitle: "Dans ce navigateur",
  device:
    "Ton nom, ta couleur et ta façon de jouer ne sont retenus que dans ce navigateur. De même, pour une quarantaine de tables et plus longtemps là où une course n’est pas finie, les promesses, les parts et les cartes que tu avais en main, pour qu’il puisse vérifier la donne ; et les invitations que tu n’as pas utilisées.",
  forgetTitle: "Oublie-moi",
  forgetAbout: [
    "Tes noms et tout ce que tu as dit sont effacés à toutes les tables. Tes places se libèrent ; dans une course en cours, un remplaçant conduit jusqu’au bout. Les courses restent, et c’est Nemo, personne, qui les a courues. Ce que ce navigateur retient des tables disparaît aussi.",
    "Cela ne peut être annulé. Cela vaut pour ce navigateur : tes autres appareils ont leurs propres clés. Ce que quelqu’un a téléchargé est à lui.",
  ],
  forget: "Oublie-moi",
  sure: "Effacer tous tes noms et messages, et quitter tes places ?",
  yes: "Oui, oublie-moi",
  no: "Non, revenir",
  busy: "Oubli en cours…",
  done: (tables) => (tables ? `Tu es oublié à ${counted(tables, "table", "tables")}.` : "Il n’y avait rien à oublier."),

  until: (date) => `Cette course est gardée jusqu’au ${date}.`,
  sharedByYou: "Tu partages cette course : elle est gardée jusqu’à ce que tu cesses.",
  shared: "Quelqu’un partage cette course : elle est gardée jusqu’à ce qu’il cesse.",
  good: "Cette course est gardée pour toujours.",
  share: "La garder plus longtemps",
  stop: "Ne plus partager",
};
