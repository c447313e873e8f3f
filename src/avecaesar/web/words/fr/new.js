/** Ce que dit le formulaire d’une nouvelle table. */
import { capital, counting } from "../plurals.js";
import shell from "./shell.js";

const so = counting("fr");

/** @type {typeof import("../en/new.js").default} */
export default {
  title: "Une nouvelle table : Ave Caesar",
  headline: "Une nouvelle table",
  lead: "Choisis une table et commence.",

  readyTables: "Prêt à courir",
  details: "Changer quelque chose",
  ready: {
    quick: { title: "Course rapide contre l’ordinateur", about: "Toi et trois auriges de l’ordinateur ; on part tout de suite" },
    friends: { title: "Avec des amis, par un lien", about: "Deux amis, où qu’ils soient, et un aurige de l’ordinateur" },
    screen: { title: "Autour d’un seul écran", about: "Trois personnes, un appareil : un rideau cache chaque main" },
    ausgebremst: { about: "Paquets au choix, trois piles, deux cartes en main : courir comme dans un autre jeu" },
    tournament: { title: "Un tournoi", about: "Les mêmes auriges, une course après l’autre, pour les lauriers" },
    open: { title: "Une table ouverte", about: "Pour quiconque passe dans l’atrium" },
  },

  seats: "Qui court",
  seat: (number) => `Place ${number}`,
  who: "Qui",
  kinds: { here: "À cet écran", friend: "Un ami, par lien", driver: "L’ordinateur" },
  kindsAbout: {
    here: "Court sur cet appareil. À plusieurs ici, un rideau cache chaque main.",
    friend: "Tu reçois un lien à envoyer ; la table attend qui l’ouvrira.",
    driver: "",
  },
  friendAtOpen: "Libre pour qui vient : de l’atrium, ou par un lien de ta part.",
  name: "Nom",
  ourName: "nous en trouvons un",
  colour: "Couleur",
  driver: "Aurige",
  usualDriver: "Un des habitués",
  withTime: (budget) => `${budget} par coup`,
  remove: "Retirer",
  removeSeat: (number) => `Retirer la place ${number}`,
  add: "Ajouter :",
  addKinds: { here: "quelqu’un ici", friend: "un ami par lien", driver: "un aurige" },

  edition: "Édition",
  isDefault: "l’habituelle",
  original: "Les règles d’origine ; les autres s’en écartent.",
  differs: (changes) => `S’écarte de l’original : ${changes}.`,

  houseRules: "Règles maison",
  houseRulesAbout: "Chaque règle se change seule. Ce que tu ne touches pas reste comme l’édition le veut.",
  noHouseRules: "comme dans l’édition",
  variants: "Variantes connues",
  groups: {
    cards: "Les cartes",
    six: "Qui mène, et ses 6",
    alley: "L’Allée impériale",
    race: "La course",
    tournament: "Tournoi et lauriers",
    chariots: "Chars sans aurige et équipes",
  },
  asPrinted: (words) => `${words} (comme imprimé)`,
  changes: (count) => so(count, "changement", "changements"),
  reset: "Rétablir",
  resetOption: (option) => `Rétablir : ${option}`,
  resetAll: "Rétablir toutes les règles",

  course: "Parcours",
  courseName: (name) => capital(shell.course(name)),
  boardName: (title, side) => `${title}, face ${side}`,
  direction: "Sens",
  length: "Durée",
  oneRace: "Une course",
  tournament: "Un tournoi",
  tournamentOn: "Parcours du tournoi",
  byEdition: "comme le disent les règles",
  side: (side) => `les deux parcours de la face ${side}`,
  chosenCourses: "des parcours de mon choix",
  firstCourse: "Premier parcours",
  secondCourse: "Second parcours",
  noSecond: "pas de second",
  schedule: "Les courses",
  stage: (course, direction) => `${course}, ${direction}`,
  pictureOf: (course, direction) => `Le parcours ${shell.course(course)} vu d’en haut, couru ${direction}.`,
  facts: {
    spaces: "cases",
    bottlenecks: "goulets",
    shortest_lap: "points pour le tour le plus court",
    alley_extra: "de plus par l’allée",
    shortest_race: "points pour la course la plus courte",
  },
  ownBoard: "Un plateau à toi",
  ownBoardAbout: "Un plateau est un fichier texte ; il est vérifié quand tu le choisis.",
  chooseBoard: "Choisir un plateau",
  checkingBoard: "Le plateau est vérifié…",
  boardFine: (title, courses) => `« ${title} » est bon. Ses parcours : ${courses.map(shell.course).join(", ")}.`,
  forgetBoard: "Revenir à nos plateaux",

  manner: "Comment on joue",
  access: "Qui peut venir",
  byLink: "Par lien seulement",
  byLinkAbout: "Seuls ceux à qui tu envoies un lien peuvent prendre place.",
  open: "Table ouverte",
  openAbout: "La table figure dans l’atrium, et chacun peut prendre une place libre.",
  clock: "Sablier pour un coup",
  clockAbout: "Quand il est vide, un coup raisonnable est joué ; personne n’y perd la course.",
  noClock: "pas de sablier",
  away: "Quand quelqu’un est absent",
  awayAbout: "Jusqu’à son retour, un aurige de l’ordinateur le remplace.",
  neverAway: "la table attend",
  awayAfter: (time) => `un aurige, après ${time}`,
  pace: "Allure des auriges de l’ordinateur",
  paces: { 0: "immédiate", 300: "vive", 700: "habituelle", 1500: "calme", 3000: "lente" },
  paceInShort: (pace) => `auriges : ${pace}`,
  hints: "Conseils",
  hintsAbout: "À ton tour, tu peux demander à Sibylla ce qu’elle ferait.",
  memory: "Aide-mémoire",
  memoryAbout: "Là où tu as des piles à toi, on te montre ce qu’elles contiennent.",
  tableTitle: "Nom de la table",
  tableTitlePlaceholder: "pas nécessaire",
  time: (seconds) =>
    seconds < 60
      ? so(seconds, "seconde", "secondes")
      : seconds < 3600
        ? so(seconds / 60, "minute", "minutes")
        : seconds < 86_400
          ? so(seconds / 3600, "heure", "heures")
          : so(seconds / 86_400, "jour", "jours"),

  summary: "Ta table",
  chariots: (chariots, riderless) =>
    riderless > 0 ? `${so(chariots, "char", "chars")}, dont ${riderless} sans aurige` : so(chariots, "char", "chars"),
  races: (races) => `un tournoi de ${so(races, "course", "courses")}`,
  begin: {
    race: "Lancer la course",
    watch: "Regarder la course",
    tournament: "Lancer le tournoi",
    watchTournament: "Regarder le tournoi",
    invite: "Préparer et inviter",
    open: "Préparer la table ouverte",
  },
  beginAbout: {
    race: "Le départ est immédiat.",
    watch: "Seul l’ordinateur court ; le départ est immédiat.",
    invite: (friends) => `Tu reçois ${so(friends, "lien", "liens")} à envoyer. La course commence quand tu le dis.`,
    open: "Elle figure dans l’atrium jusqu’au départ.",
  },
  laying: "La table se prépare…",
  cannot: "Cela ne peut pas encore se jouer",
};
