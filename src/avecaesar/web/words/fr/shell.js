/** Ce que la page dit partout. */
const relative = new Intl.RelativeTimeFormat("fr", { numeric: "auto" });

/** @type {Record<string, string>} */
const COURSES = { white: "blanc", blue: "bleu", yellow: "jaune", red: "rouge" };

/** @type {typeof import("../en/shell.js").default} */
export default {
  name: "Ave Caesar",
  skip: "Aller au contenu",
  home: "Ave Caesar : vers l’atrium",
  ago: (count, unit) => relative.format(-count, unit),
  justNow: "à l’instant",
  unreachable: "Le serveur ne répond pas. Est-il en marche ?",
  offlineTitle: "Les portes sont fermées",
  offlineWords:
    "Le serveur ne répond pas pour le moment. Tes tables y sont en sécurité, et cette page reprend d’elle-même dès qu’il répond.",
  unexpected: "Cette page a eu un accroc. La recharger suffit d’habitude.",
  answered: (status) => `Le serveur n’a pas su répondre (${status}).`,
  lineClosed: "La table a été quittée.",
  lineRefused: "Le serveur a fermé la ligne vers cette table.",
  loading: "Un instant…",
  tryAgain: "Réessayer",
  reload: "Recharger la page",
  toLobby: "Vers l’atrium",
  tooLarge: "Ce fichier dépasse 4 Mo : c’est plus qu’on n’en prend ici.",
  brokenTitle: "Une roue s’est détachée",
  brokenWords: "Cette page s’est brisée. La course continue sans elle, et rien n’est perdu.",
  nowhereTitle: "Ce lieu n’est pas dans le cirque",
  nowhereWords: "Il n’y a rien à cette adresse. Le lien a peut-être été coupé.",
  rules: "Règles",
  language: "Langue",
  theme: { auto: "comme le système", light: "clair", dark: "sombre" },
  themeButton: (now) => `Clair ou sombre, actuellement : ${now}`,
  soundOn: "Le son est activé",
  soundOff: "Le son est coupé",
  dismiss: "Fermer",
  footer: "Une version non officielle du jeu de Wolfgang Riedesser. Plateaux et images sont les nôtres.",
  manual: "Pour les auteurs de bots",
  privacy: "Vie privée",
  colours: { red: "rouge", blue: "bleu", green: "vert", yellow: "jaune", white: "blanc", black: "noir" },
  course: (name) => COURSES[name] ?? name,
  directions: { clockwise: "dans le sens horaire", anticlockwise: "dans le sens antihoraire" },
};
