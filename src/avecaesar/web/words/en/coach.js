/** What the coach says, and the game at a glance. */
import { counting } from "../plurals.js";

const so = counting("en");

export default {
  name: "Crescens",
  /** The lobby's door to the lesson, and the lesson's table. */
  learn: "Learn by racing",
  learnAbout: "Your first race, with an old charioteer at your side",
  resume: "Go on with your first race",
  /** @param {number} learned @param {number} all */
  progress: (learned, all) => `${learned} of ${so(all, "leaf", "leaves")} earned`,

  goOn: "Go on",
  showMe: "Show me",
  leave: "Race without the coach",
  call: "Call the coach",

  welcome:
    "Ave! I am Crescens; I have driven more races than I have teeth. Three laps, and the first one home wins. " +
    "The rest you learn on the way.",
  move: {
    title: "Play a card",
    /** @param {number} card */
    words: (card) => `Three cards in your hand. This ${card} takes you ${so(card, "space", "spaces")} forward. Touch it, then the space where it leads, then Play.`,
  },
  exact: {
    title: "Exact counts",
    /** @param {number} card */
    words: (card) => `A card is driven in full: your ${card} leads past this space and cannot stop on it.`,
  },
  six: {
    title: "The six",
    barred: "You lead, so your 6 is barred: a leader may not play one.",
    free: "Whoever leads wears the wreath. Once somebody passes you, your 6 is free again.",
  },
  blocked: {
    title: "In the way",
    /** @param {number} card */
    words: (card) => `Your ${card} is blocked. One chariot to a space, and nobody jumps over another.`,
    back: "Do the same to them: where the track is narrow, nobody gets past you.",
  },
  missed: {
    title: "A missed turn",
    once: "And if none of your cards can be played, you miss your turn: one card of your choice goes under your deck, and you draw another.",
    exchange: "None of your cards can be played: you miss this turn. Choose the card that goes under your deck; you draw another for it.",
    wait: "Only sixes, and all of them barred: you wait with your cards as they are, until somebody passes you.",
  },
  wall: {
    title: "Walls",
    /** @param {number} card */
    words: (card) => `Only through the wall would your ${card} reach this space. Choose your lane before a wall begins.`,
  },
  spare: {
    title: "Points to spare",
    /** @param {number} points @param {number} way @param {number} spare */
    words: (points, way, spare) =>
      `All your cards make ${so(points, "point", "points")}, the way home takes ${way}. So you have ${spare} to spare.`,
    /** @param {number} wasted */
    wasteful: (wasted) =>
      `Here you would waste ${so(wasted, "point", "points")}: this lane is the longer one.`,
    /** @param {number} before @param {number} now */
    lost: (before, now) => `The lane you took was longer: you had ${before} to spare, now it is ${now}.`,
    short: "You have fewer points than steps to go. You cannot get home any more, but you can stand in their way.",
  },
  alley: {
    title: "The Imperial Alley",
    words: "Caesar’s box! Stop on a space of his alley once, and you pay him the coin that you owe.",
    late: "It must be at the end of your first or second lap. Who only drives through, or comes later, has lost.",
    owing: "You still owe Caesar his coin. Stop in his alley at the end of this lap, or you have lost.",
    past: "Past the alley with your coin: you are disqualified. Race on for practice, or begin the lesson again.",
    paid: "Ave Caesar! Your coin is paid. From now on only the finish counts.",
  },
  /** @param {string} move @param {string} because */
  advice: (move, because) => (because ? `I would play ${move}: ${because}.` : `I would play ${move}.`),
  /** Anything but a card that is driven. @param {string} move @param {string} because */
  adviceElse: (move, because) => (because ? `My advice: ${move}; ${because}.` : `My advice: ${move}.`),
  adviceTitle: "My advice",

  end: {
    title: "Now you can race",
    alley: {
      title: "The alley",
      words: "The spaces before Caesar’s box. Stop on one of them at the end of lap one or two, and your coin is paid; past them with the coin you are disqualified.",
    },
    six: {
      title: "A barred 6",
      words: "Whoever leads may not play a 6: that is why yours was refused. Once somebody is ahead of you, it is free again.",
    },
    spare: {
      title: "Points to spare",
      words: "All your cards together, less the way home. Longer lanes waste them; below 0 your cards do not reach the finish.",
    },
    real: "Race for real",
    again: "The lesson again",
    learned: "What you have learned",
    close: "Send the coach home",
  },

  glance: {
    title: "The game at a glance",
    card: "Play a card and drive exactly so far.",
    lane: "Keep inside, and be first where it narrows.",
    six: "Who leads the race may not play a 6.",
    alley: "Stop once in Caesar’s alley and pay your coin.",
  },
};
