/** Ce que dit le maître, et le jeu d’un coup d’œil. */
import { counting } from "../plurals.js";

const so = counting("fr");

/** @type {typeof import("../en/coach.js").default} */
export default {
  name: "Crescens",
  learn: "Apprendre en courant",
  learnAbout: "Ta première course, un vieil aurige à tes côtés",
  resume: "Reprendre ta première course",
  progress: (learned, all) => `${learned} sur ${so(all, "feuille gagnée", "feuilles gagnées")}`,

  goOn: "Continuer",
  showMe: "Montre-moi",
  leave: "Courir sans maître",
  call: "Appeler le maître",

  welcome:
    "Ave ! Je suis Crescens ; j’ai couru plus de courses qu’il ne me reste de dents. Trois tours, et le premier arrivé gagne. " +
    "Le reste s’apprend en route.",
  move: {
    title: "Joue une carte",
    words: (card) => `Trois cartes en main. Ce ${card} te fait avancer de ${so(card, "case", "cases")}. Touche-le, puis la case où il mène, puis Jouer.`,
  },
  exact: {
    title: "Compte exact",
    words: (card) => `Une carte se court en entier : ton ${card} mène au-delà de cette case et ne peut s’y arrêter.`,
  },
  six: {
    title: "Le 6",
    barred: "Tu es en tête, alors ton 6 est interdit : qui mène ne peut pas en jouer.",
    free: "Qui est en tête porte la couronne. Dès qu’on te dépasse, ton 6 est libre à nouveau.",
  },
  blocked: {
    title: "Sur ta route",
    words: (card) => `Ton ${card} est bloqué. Un char par case, et nul n’en saute un autre.`,
    back: "Fais-leur la même chose : là où la piste est étroite, personne ne te dépasse.",
  },
  missed: {
    title: "Un tour passé",
    once: "Et si aucune de tes cartes ne peut être jouée, tu passes ton tour : une carte de ton choix va sous ton paquet, et tu en pioches une autre.",
    exchange: "Aucune de tes cartes ne peut être jouée : tu passes ce tour. Choisis la carte qui va sous ton paquet ; tu en pioches une autre à sa place.",
    wait: "Rien que des 6, tous interdits : tu attends avec tes cartes telles quelles, jusqu’à ce qu’on te dépasse.",
  },
  wall: {
    title: "Les murs",
    words: (card) =>
      `Ton ${card} n’atteindrait cette case qu’à travers le mur. Choisis ton couloir avant que le mur commence.`,
  },
  spare: {
    title: "Points de réserve",
    words: (points, way, spare) =>
      `Toutes tes cartes font ${so(points, "point", "points")}, le chemin jusqu’à l’arrivée en demande ${way}. Tu en as donc ${spare} de réserve.`,
    wasteful: (wasted) =>
      `Ici tu perdrais ${so(wasted, "point", "points")} : ce couloir est le plus long.`,
    lost: (before, now) => `Ton couloir était plus long : tu en avais ${before} de réserve, te voilà à ${now}.`,
    short: "Tu as moins de points que de pas à faire. Tu ne peux plus arriver, mais tu peux leur barrer la route.",
  },
  alley: {
    title: "L’Allée impériale",
    words: "La loge de César ! Arrête-toi une fois sur une case de son allée, et tu lui paies la pièce que tu dois.",
    late: "Il faut le faire à la fin du premier ou du deuxième tour. Qui ne fait que passer, ou vient plus tard, a perdu.",
    owing: "Tu dois encore sa pièce à César. Arrête-toi dans son allée à la fin de ce tour, ou tu as perdu.",
    past: "L’allée est passée et tu as ta pièce : tu es disqualifié. Continue pour l’exercice, ou reprends la leçon.",
    paid: "Ave Caesar ! Ta pièce est payée. Désormais, seule l’arrivée compte.",
  },
  advice: (move, because) => (because ? `Moi, je jouerais ${move} : ${because}.` : `Moi, je jouerais ${move}.`),
  adviceElse: (move, because) => (because ? `Mon conseil : ${move} ; ${because}.` : `Mon conseil : ${move}.`),
  adviceTitle: "Mon conseil",

  end: {
    title: "Te voilà aurige",
    alley: {
      title: "L’allée",
      words: "Les cases devant la loge de César. Arrête-toi sur l’une d’elles à la fin du premier ou du deuxième tour, et ta pièce est payée ; passe outre avec la pièce, et tu es disqualifié.",
    },
    six: {
      title: "Le 6 interdit",
      words: "Qui est en tête ne peut pas jouer de 6 : voilà pourquoi le tien était interdit. Dès qu’un autre est devant toi, il est libre à nouveau.",
    },
    spare: {
      title: "Points de réserve",
      words: "Toutes tes cartes ensemble, moins le chemin jusqu’à l’arrivée. Les couloirs plus longs les perdent ; sous 0, tes cartes ne suffisent plus.",
    },
    real: "Courir pour de bon",
    again: "Encore la leçon",
    learned: "Ce que tu as appris",
    close: "Congédier le maître",
  },

  glance: {
    title: "Le jeu d’un coup d’œil",
    card: "Joue une carte et avance d’autant exactement.",
    lane: "Tiens la corde, et sois le premier là où ça se resserre.",
    six: "Qui est en tête ne peut pas jouer de 6.",
    alley: "Arrête-toi une fois dans l’allée de César et paie ta pièce.",
  },
};
