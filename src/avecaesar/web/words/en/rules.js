/** What the rules page says. The clauses themselves are the server's. */

export default {
  pageTitle: "The rules · Ave Caesar",
  title: "The rules",
  loading: "The scroll is unrolled…",
  lostTitle: "These rules are not to be found",
  editions: "Editions",
  contents: "Contents",
  /** @type {Record<string, string>} */
  chapters: {
    aim: "The aim",
    course: "The course",
    cards: "Cards and grid",
    moving: "Moving",
    six: "The six",
    alley: "The Imperial Alley",
    missed: "Missed turns",
    end: "The end of a race",
    laurels: "Laurels",
    next: "The next race",
    special: "Decks, piles and the emperor’s cards",
    riderless: "Riderless chariots",
    ours: "The fine print: our own rulings",
    differences: "What other editions do",
    variants: "Variants and house rules",
  },
  /** @type {Record<string, string>} */
  intros: {
    aim: "Three laps round the circus, and one stop to hail Caesar. Whoever is home first wins the race.",
    six: "The fastest card is not for whoever is in front: that is what keeps the field together.",
    alley: "Caesar is owed a coin. It is paid in the alley beside the finishing straight.",
    ours: "What printed rules leave open, decided once and for all. Nobody needs to read this before a race.",
  },
  /** @param {string} id */
  linkTo: (id) => `Link to clause ${id}`,
  here: "In this edition",
  differencesIntro: "The game was printed several times, and never twice alike. This is where the editions part.",
  variantsIntro: "A table may agree on these before a race; the form for a new table has them all.",
  named: "Variants with a name",
  agreed: "Only if the table agrees",
  house: "Everything that a table can choose",
  thisEdition: "as this edition has it",
  newTable: "To a new table",
  toTop: "Back to the contents",
  print: "Print",
  /** @param {string} about */
  scene: (about) => `A little race: ${about}`,
  play: "Play",
  pause: "Pause",
  next: "Next step",
  steps: "What happens",
  /** @param {string} name @param {number} card */
  tries: (name, card) => `${name} would like to play a ${card}.`,
  pile: ["I", "II", "III"],
};
