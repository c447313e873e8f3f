/** What the table says. */
import { counting } from "../plurals.js";
import shell from "./shell.js";

const counted = counting("en");

const ORDINALS = ["", "1st", "2nd", "3rd", "4th", "5th", "6th"];

export default {
  boardComes: "The board is being unrolled…",
  /** @param {string} title @param {string} course @param {string} direction */
  boardLabel: (title, course, direction) => `${title}: ${shell.course(course)}, ${shell.directions[direction]}`,
  home: "HOME",
  nearer: "Nearer",
  wholeBoard: "Whole board",
  roman: ["I", "II", "III", "IV", "V", "VI"],
  /** @param {number} place */
  ordinal: (place) => ORDINALS[place] ?? `${place}th`,
  /** @param {string} name */
  tableOf: (name) => `Table of ${name}`,
  joining: "Joining the table…",
  toLobby: "To the lobby",
  another: {
    title: "Open this link too?",
    words: "You already have a place at this table. With this link you would drive another seat from this browser as well. Open it only if that seat is yours too.",
    yes: "Yes, open it",
    no: "No, go back",
  },

  // the bar
  status: {
    gathering: "The drivers gather",
    yourTurn: "Your turn",
    yourVote: "Your vote",
    /** @param {string} name */
    theirTurn: (name) => `${name} is on turn`,
    /** @param {string} name */
    voteOn: (name) => `A vote on ${name}`,
    /** @param {string} name */
    called: (name) => `${name} is called`,
    driving: "The chariots drive…",
    /** @param {string} name */
    yourTurnAs: (name) => `Your turn, ${name}`,
    sending: "Your move is on its way…",
    paused: "The race rests",
    podium: "The race is over",
    over: "The last race is over",
    watching: "You are watching",
    closed: "The table is closed",
  },
  /** @param {number} index @param {number} of */
  raceOf: (index, of) => `Race ${index + 1} of ${of}`,
  /** @param {number} turn */
  turn: (turn) => `turn ${turn}`,
  /** @param {number} count */
  watchers: (count) => (count ? counted(count, "watcher", "watchers") : ""),
  clock: "Time left for this turn",
  pause: "Pause",
  resume: "Go on",
  story: "Story and talk",
  settings: "Help and preferences",
  close: "Close",
  lost: "The line to the table is lost. Nothing else is: it is tried again by itself.",
  /** @param {number} seconds */
  lostFor: (seconds) => `Next try in ${counted(seconds, "second", "seconds")}.`,
  tryNow: "Try now",
  ended: "This page has left the table",
  /** @param {string | null} name */
  pausedBy: (name) => `${name ?? "The host"} has paused the race.`,
  pausedWords: "Clocks and drivers stand still until somebody goes on.",
  ownTitle: "● ",

  // drivers
  drivers: "Drivers",
  columns: {
    driver: "driver",
    lap: "lap",
    coin: "coin",
    points: "points",
    spare: "spare",
    laurels: "laurels",
    behind: "behind",
    emperor: "gift",
  },
  columnsLong: {
    place: "Place in the race now",
    behind: "Steps behind the first",
    lap: "Lap",
    coin: "Coin for Caesar",
    points: "Points left on them",
    spare: "Points to spare; negative: cannot get home",
    laurels: "Laurels in this tournament",
  },
  legend: {
    what: "What does this mean?",
    place: "Place: how the chariots stand now, the nearest to home first.",
    behind: "Behind: how many steps a chariot is behind the first.",
    lap: "Lap: the race goes over three laps; the fourth crossing of the line is home.",
    coin: "Coin: everybody owes Caesar one. Stop once in the Imperial Alley at the end of the first or second lap; who drives past it for good is disqualified.",
    points: "Points: all that is left on the cards, in hand and to draw. Nobody gets more.",
    spare: "Spare: the points left beyond those needed to get home. Every detour costs some; below 0 you cannot get home any more.",
    emperor: "Gift: the cards that the emperor keeps for you. A stop in the alley brings them back; nobody has to.",
  },
  you: "you",
  leads: "leads",
  sharesLead: "shares the lead",
  hasChosen: "has chosen",
  chooses: "is choosing",
  next: "next",
  nextLong: "Is on turn next",
  turnOrder: "Turn order",
  barred: "6 barred",
  barredLong: "Leads, and may not play a 6 now",
  riderless: "riderless",
  away: "away",
  standIn: "stand-in",
  standInLong: "A driver of the computer’s stands in until this person is back",
  computer: "computer",
  owes: "owes the coin",
  paid: "has paid",
  disqualified: "disqualified",
  gate: "grid",
  /** @param {number} spare */
  spare: (spare) => (spare < 0 ? `−${-spare}` : spare ? `+${spare}` : "0"),
  stranded: "Cannot get home any more",
  /** @type {Record<string, string>} */
  states: { home: "home", "out of cards": "out of cards", crashed: "crashed", withdrawn: "withdrawn", racing: "" },
  details: {
    /** @param {string} name */
    of: (name) => `About ${name}`,
    unseen: "Cards left",
    /** @param {number} count */
    toGo: (count) => `${counted(count, "point", "points")} to go`,
    /** @param {number} hand @param {number} deck */
    handAndDeck: (hand, deck) => `${hand} in hand, ${deck} to draw`,
    /** @param {string} deck */
    deck: (deck) => `the ${deck} deck`,
    /** @param {number} count */
    behind: (count) => counted(count, "step behind", "steps behind"),
    piles: "Piles",
    /** @param {string} cards */
    emperor: (cards) => `The emperor keeps ${cards}`,
    /** @param {string} name */
    driver: (name) => `driven by ${name}`,
  },
  value: {
    /** @param {number} count @param {number} value */
    many: (count, value) => `${count} × ${value}`,
  },

  // the hand and questions
  hand: "Your hand",
  /** @param {string} name */
  handOf: (name) => `Hand of ${name}`,
  noHand: "No cards in hand.",
  /** @param {number} card */
  card: (card) => `Card ${card}`,
  cannotPlay: "cannot be played",
  deck: "To draw",
  deckEmpty: "Nothing left to draw.",
  under: "under the deck",
  chooseFirst: "Choose a card or a space",
  chooseOne: "Choose",
  whichUnder: "You miss this turn. Which card goes under the deck?",
  chooseFrom: "Choose a pile: you draw at once",
  missTurn: "Miss this turn",
  /** @param {number} card */
  missAndExchange: (card) => `Miss this turn, exchange the ${card}`,
  chooseTarget: "Choose a space",
  /** @param {number} card */
  chooseSpace: (card) => `The ${card}: choose a space`,
  chooseCard: "Choose the card for it",
  confirm: "Confirm",
  /** @type {Record<string, string>} */
  confirmKinds: {
    play: "Play",
    miss: "Miss",
    withdraw: "Withdraw",
    crash: "Crash",
    deck: "Take",
    draw: "Draw",
    lay: "Lay",
    vote: "Vote",
    sort: "Sort so",
  },
  cancel: "Clear",
  /** @param {string} name */
  waitFor: (name) => `${name} decides.`,
  watching: "You watch this race. Nobody shows you his cards.",
  raceOver: "The race is over.",
  hint: "Hint",
  hintThinking: "Thinking…",
  hintTitle: "Sibylla would",
  worth: { best: "the best", alike: "about as good", worse: "a little worse", bad: "clearly worse" },
  about: {
    decks: "A deck is all the points you get. Slow ones turn well, fast ones run far; all are revealed together.",
    sort: "From these three piles you draw all race long: one or two values on each. What lies on which pile is your secret.",
    draw: "Each pile holds the values that you sorted onto it; choose what you need next.",
    lay: "The emperor’s 3 goes face down on top of one of your piles: it is the next card that you draw there.",
  },
  /** @param {number} cards @param {number} points */
  deckSum: (cards, points) => `${counted(cards, "card", "cards")} · ${counted(points, "point", "points")}`,
  pile: {
    /** @param {string} roman */
    name: (roman) => `Pile ${roman}`,
    /** @param {number} count */
    size: (count) => counted(count, "card", "cards"),
    empty: "empty",
    laid: "the emperor’s card lies here",
  },
  sorting: {
    how: "Tap a card, then the pile it goes to; or drag it.",
    usual: "The usual sorting",
    confirm: "Sort so",
    /** @param {number} card @param {string} pile */
    card: (card, pile) => `${card}, on pile ${pile}`,
    /** @param {number} card */
    to: (card) => `The ${card} goes to`,
    /** @param {number} card */
    all: (card) => `every ${card}`,
  },

  // story and talk
  log: "Story",
  inNotation: "Notation",
  /** @param {string} roman */
  lap: (roman) => `Lap ${roman}`,
  /** @param {number} count */
  opening: (count) => `Before the start (${count})`,
  takesLead: "takes the lead",
  /** @param {number} count */
  unread: (count) => counted(count, "new message", "new messages"),
  /** @param {string} told */
  timeRanOut: (told) => `Your time ran out: ${told}`,
  nothingYet: "Nothing has happened yet.",
  /** @type {Record<string, string>} */
  by: { "stand-in": "stand-in", clock: "time ran out", rule: "by rule", person: "", driver: "" },
  say: "Say something",
  send: "Send",
  phrases: "Quick phrases",
  bystander: "The host",

  // curtain
  curtain: {
    /** @param {string} name */
    called: (name) => `${name}, it is your turn`,
    words: "Hand the screen over. The others look away.",
    recap: "Since your last turn",
    lift: "Lift the curtain",
    fall: "Let the curtain fall",
  },

  seats: { title: "Seats", about: "Send links to seats, or let drivers of the computer’s take them." },

  // gathering
  gathering: {
    title: "The drivers gather",
    /** @param {number} free */
    waiting: (free) => (free ? `${counted(free, "seat is", "seats are")} still free.` : "Everybody is here."),
    free: "free seat",
    here: "at the host’s screen",
    friend: "by link",
    begin: "Begin the race",
    hostBegins: "The host begins the race.",
    /** @param {number} free */
    needs: (free) => counted(free, "seat is still free: invite a friend, or appoint a driver", "seats are still free: invite friends, or appoint drivers"),
    freeSeat: "A free seat",
    /** @param {string} name */
    invitedBy: (name) => `${name} invites you to a race.`,
    onlyHere: "This link works on this machine only",
    elsewhere: "For friends elsewhere start the server with",
    invite: "Invite a friend",
    invitation: "Whoever has this link may take a free seat.",
    copy: "Copy the link",
    copied: "Copied",
    copyByHand: "The browser did not allow copying: mark the link and copy it yourself.",
    sitTitle: "Take a seat",
    sit: "Sit down",
    /** @param {string} name */
    sitAs: (name) => `Drive on for ${name}`,
    name: "Name",
    namePlaceholder: "your name",
    colour: "Colour",
    save: "Keep",
    stand: "Leave the seat",
    second: "Link for a second device",
    seatLink: "This link opens once, on your other device: send it to nobody else.",
    /** @param {number} n */
    devices: (n) => counted(n, "device", "devices"),
    shutOut: "Shut out other devices",
    handOn: "Make host",
    voidLinks: "Void all invitations",
    /** @param {string} name */
    askFor: (name) => `Ask to take over ${name}’s chariot`,
    /** @param {string} name */
    asked: (name) => `You have asked to take over ${name}’s chariot. The others decide.`,
    /** @param {string} asker may be empty @param {string} name */
    wish: (asker, name) => (asker ? `${asker} asks to take over ${name}’s chariot in this race.` : `Somebody asks to take over ${name}’s chariot in this race.`),
    agree: "Agree",
    decline: "Not now",
    appoint: "Give it to a driver of the computer’s",
    appointNow: "Appoint",
    fill: "Seat a computer",
    vacate: "Free this seat for a friend",
    houseRules: "House rules",
    tournament: "tournament",
    open: "Open to everybody",
    byLink: "By link only",
    /** @param {string} name */
    watch: (name) => (name ? `You are watching. To race along, ask ${name} for the invitation link.` : "You are watching. To race along, ask for the invitation link."),
    /** @param {number} seconds */
    clock: (seconds) => (seconds % 60 ? `${counted(seconds, "second", "seconds")} a turn` : `${counted(seconds / 60, "minute", "minutes")} a turn`),
    manage: "Manage this seat",
  },

  // order
  order: {
    title: "Order at this table",
    /** @param {string} name */
    about: (name) => `About what ${name} said`,
    /** @param {string} name */
    mute: (name) => `Hide what ${name} says`,
    /** @param {string} names */
    muted: (names) => `Hidden: ${names}`,
    /** @param {string} name */
    unmute: (name) => `Show what ${name} says`,
    erase: "Erase this saying",
    no: "No, go back",
    ban: "Ban from this table",
    /** @param {string} name */
    banSure: (name) => `Ban ${name}? The seat becomes free, and ${name} may watch but never sit down here again.`,
    banYes: "Yes, ban",
    close: "Close the table",
    closeSure: "Close the table for good? Nobody plays on; everybody may still look at it.",
    closeYes: "Yes, close it",
    eraseWords: "Erase all names and words",
    eraseWordsSure: "Erase all names, the title and everything that was said here, and close the table? The races stay. This cannot be undone.",
    eraseWordsYes: "Yes, erase them",
    closed: "This table is closed. It can be looked at, and nobody plays on.",
    banned: "You were banned from this table. You may watch, but not sit down here.",
  },

  // podium
  podium: {
    title: "The podium",
    triumph: "Triumph",
    /** @param {string} name */
    wins: (name) => `${name} wins the race`,
    /** @param {string} name */
    wonTournament: (name) => `${name} wins the tournament`,
    nobody: "Nobody came home with honour",
    places: "The race",
    standings: "The tournament",
    /** @param {number} count */
    laurels: (count) => counted(count, "laurel", "laurels"),
    /** @param {number} count @param {number} place */
    times: (count, place) => (count === 1 ? `${ORDINALS[place]}` : `${count} × ${ORDINALS[place]}`),
    next: "Next race",
    rematch: "Race again",
    iAmReady: "I am ready",
    isReady: "is ready",
    isAwaited: "is awaited",
    /** @param {string} names */
    waits: (names) => `Waiting for ${names}`,
    /** @param {string} names */
    without: (names) => `Begin without ${names}`,
    replay: "Watch the replay",
    summary: "What a race it was",
    record: "Download the record",
    look: "Look at the board",
    back: "Back to the podium",
    fairBefore: "The cards were sealed before the race",
    fairAfter: "The seal is opened",
    fairNext: "The next race’s cards are sealed already",
    commitment: "Seal",
    secret: "Secret",
    shares: "Shares of the players",
    check: "The record holds all of this: avecaesar verify checks that nobody can have chosen the cards.",
    notHome: "not home",
  },

  // whether the server kept its word about the cards
  seal: {
    checking: "Checking the cards…",
    failed: "The cards could not be checked just now.",
    again: "Check again",
    found: {
      checked: "Your browser has checked the cards: they are what was pledged before the race, with your share in them.",
      watched: "Your browser has checked the cards: they are what was pledged before the race. No share in them is yours.",
      unseen: "Your browser did not see the pledge before the race, so it cannot tell whether somebody chose the cards.",
      doubtful: "The cards match what was pledged, but one of the shares in them is suspicious.",
      broken: "The cards do not match what was pledged!",
    },
    lies: {
      pledge: "Before the race the server pledged something else.",
      withheld: "The server has not opened its secret, though the race is over.",
      secret: "The opened secret is not the one that was pledged.",
      share: "A share that was given is missing, or was put in another place.",
      record: "The record of the race tells of another seal or other chariots.",
      grid: "The places on the grid do not follow from the seal.",
      decks: "The decks do not follow from the seal.",
      hand: "You drew other cards than those that follow from the seal.",
      turns: "What was played does not follow from the decks, or is not what your browser saw.",
    },
    doubts: {
      stranger: "One share comes from nobody who sat at the table.",
      mine: "One share carries your name but does not come from this browser.",
      device: "One share carries your name and is said to come from another device of yours, but you let none in from this browser.",
    },
    advice: "Save the record, show it to the others, and do not trust this server.",
    yours: "(yours)",
    /** @param {string} name */
    of: (name) => `(${name})`,
    /** @param {string} name */
    later: (name) => `(${name}, after yours)`,
    ofLeft: "(somebody who has left)",
    laterOfLeft: "(somebody who has left, after yours)",
    nobodys: "(nobody at this table)",
    laterAbout: "Whoever gives a share after yours could, together with the server, try many and keep the best: do you trust them?",
  },

  // preferences and help
  prefs: {
    tabs: { prefs: "How you play", seats: "Seats", table: "This table", keys: "Keys" },
    confirm: "Confirm every move before it stands",
    sound: "Sound",
    pace: "How fast chariots drive",
    paces: { calm: "calmly", brisk: "briskly", "at once": "at once" },
    allRules: "All the rules",
    figures: "What the figures mean",
    theme: "Light or dark",
    notifications: "Tell me by a notification when it is my turn",
    denied: "The browser does not allow notifications for this page.",
    keys: [
      ["1 – 6", "choose a card; a deck or a pile by its number"],
      ["← → ↑ ↓", "go through the spaces it reaches"],
      ["Enter", "confirm"],
      ["Esc", "clear, close"],
      ["h", "ask for a hint"],
      ["p", "pause, go on"],
      ["s", "story and talk"],
      ["l", "lift the curtain, let it fall"],
      ["1 – 3", "put the card you are at on that pile, when sorting"],
      ["t", "the table in words, or drawn"],
      ["c", "to Crescens, the coach"],
      ["?", "this page"],
    ],
    shortcuts: "Keys of a single letter or digit",
    text: "The table in words",
  },
  notification: "It is your turn",
};
