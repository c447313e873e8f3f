/**
 * The messages between page and server as types; `server/wire/messages.py` is the description that they follow.
 * Use them with `@import` or `import("../lib/types.js").TableShown`; nothing here runs.
 * @module
 */

/** @typedef {"clockwise" | "anticlockwise"} Direction */
/** @typedef {number | "home"} Destination */
/** @typedef {"red" | "blue" | "green" | "yellow" | "white" | "black"} Colour */
/** @typedef {"here" | "friend" | "driver"} SeatKind */
/** @typedef {"gathering" | "racing" | "podium" | "over"} Phase */
/** @typedef {"turn" | "deck" | "sort" | "draw" | "lay" | "vote"} Question */
/** @typedef {"racing" | "home" | "out of cards" | "crashed" | "withdrawn"} Status */
/** @typedef {"ave" | "well-driven" | "make-way" | "hurry" | "sorry" | "close" | "again"} Phrase */
/** @typedef {"beginner" | "solid" | "hard to beat" | "for experiments"} Level */
/** @typedef {"slow" | "average" | "fast"} DeckName */

// ---------------------------------------------------------------------- moves

/** @typedef {{ kind: "play", card: number, to: Destination }} Play */
/** @typedef {{ kind: "miss", exchange?: number | null }} Miss */
/** @typedef {{ kind: "withdraw" }} Withdraw */
/** @typedef {{ kind: "crash" }} Crash */
/** @typedef {{ kind: "deck", deck: DeckName }} ChooseDeck */
/** @typedef {{ kind: "sort", piles: number[][] }} Sort  three piles of cards */
/** @typedef {{ kind: "draw", pile: number }} Draw */
/** @typedef {{ kind: "lay", pile: number }} Lay */
/** @typedef {{ kind: "vote", card?: number | null, to?: Destination | null }} Vote  without a card: abstain */
/** @typedef {Play | Miss | Withdraw | Crash | ChooseDeck | Sort | Draw | Lay | Vote} Move */

// ---------------------------------------------------------------------- a new table

/**
 * @typedef {object} SeatPlan
 * @property {SeatKind} kind
 * @property {string} [name] empty: one of the server's
 * @property {Colour | null} [colour] null: a free one
 * @property {string} [driver] empty: one of the usual ones
 */
/**
 * @typedef {object} NewTable
 * @property {SeatPlan[]} seats
 * @property {string} [edition]
 * @property {Record<string, string>} [options] house rules, by name
 * @property {string} [course]
 * @property {Direction} [direction]
 * @property {boolean} [tournament]
 * @property {"A" | "B" | null} [side]
 * @property {string[] | null} [courses] of a tournament, instead of a side
 * @property {string | null} [board] digest of a board of one's own
 * @property {boolean} [memory_aid]
 * @property {string} [title]
 * @property {boolean} [open]
 * @property {number | null} [clock] seconds a turn
 * @property {number | null} [away] seconds after which a driver stands in
 * @property {boolean} [hints]
 * @property {number} [pace] milliseconds between the moves of the computer's drivers
 * @property {boolean} [lesson] the first race, with a coach
 */
/**
 * What POST /api/check says about a plan.
 * @typedef {object} Checked
 * @property {string | null} problem
 * @property {number} chariots
 * @property {number} riderless
 * @property {[string, Direction][]} stages
 * @property {string[]} house_rules
 */
/** @typedef {{ table: string, invitation: string | null, seats: number[], token: string }} Laid */
/** @typedef {{ token?: string | null, seat?: number | null, name?: string | null, colour?: Colour | null }} Sit */
/** @typedef {{ table: string, seat: number, token: string }} Seated */
/** @typedef {{ token?: string | null, seat: number, name?: string | null }} TakeOver */
/** @typedef {{ table: string, seat: number, token: string | null }} Asking */
/** @typedef {{ seat?: number | null }} WantLink */
/** @typedef {{ until: number | null, shared: boolean, yours: boolean, may: boolean }} Sharing  of a replay; until: seconds since 1970, null: for good */
/** @typedef {{ link: string, until: number }} Link  path and fragment, without the origin */

// ---------------------------------------------------------------------- commands, without their `id`

/** @typedef {{ do: "move", at: number, seat: number, move: Move }} MakeMove */
/** @typedef {{ do: "say", text?: string | null, phrase?: Phrase | null }} Say */
/** @typedef {{ do: "shake", share: string }} Shake */
/** @typedef {{ do: "begin", at: number, share?: string | null }} Begin */
/** @typedef {{ do: "pause" }} Pause */
/** @typedef {{ do: "resume" }} Resume */
/** @typedef {{ do: "dress", seat: number, name: string, colour: Colour }} Dress */
/** @typedef {{ do: "stand", seat: number }} Stand */
/** @typedef {{ do: "appoint", seat: number, driver: string }} Appoint */
/** @typedef {{ do: "vacate", seat: number }} Vacate */
/** @typedef {{ do: "shut_out", seat: number }} ShutOut */
/** @typedef {{ do: "hand_on", at: number, seat: number }} HandOn */
/** @typedef {{ do: "void_links" }} VoidLinks */
/** @typedef {{ do: "agree" | "decline", seat: number, wish: number }} Answered */
/** @typedef {{ do: "ban", at: number, seat: number }} Ban */
/** @typedef {{ do: "close" | "erase_words", at: number }} ForAll */
/** @typedef {{ do: "erase_saying", number: number }} EraseSaying */
/** @typedef {{ do: "lift", seat: number | null }} Lift */
/** @typedef {{ do: "why", seat: number, move: Move }} Why */
/** @typedef {{ do: "hint", seat: number }} AskHint */
/** @typedef {MakeMove | Say | Shake | Begin | Pause | Resume | Dress | Stand | Appoint | Vacate | ShutOut | HandOn | VoidLinks | Answered | Ban | ForAll | EraseSaying} Logged */
/** @typedef {Logged | Lift | Why | AskHint} Command */

// ---------------------------------------------------------------------- answers

/** @typedef {{ is: "done", id: string, number: number }} Done */
/** @typedef {{ is: "refused", id: string | null, problem: string, clause: string | null, pile: number | null }} Refused */
/**
 * @typedef {object} Reason
 * @property {"reason"} is
 * @property {string} id
 * @property {string | null} words
 * @property {string | null} clause
 * @property {number[]} blockers
 * @property {number | null} pile of a sorting the pile that is wrong
 */
/** @typedef {{ move: Move, words: string, laurels: number, error: number }} HintedMove */
/** @typedef {{ is: "hint", id: string, seat: number, changed: number, moves: HintedMove[] }} Hint */
/** @typedef {Done | Reason | Hint} Answer */

// ---------------------------------------------------------------------- what is shown

/**
 * @typedef {object} SeatShown
 * @property {number} seat
 * @property {string} name
 * @property {Colour} colour
 * @property {SeatKind} kind
 * @property {string | null} driver the computer's driver who sits there
 * @property {boolean} taken false: a free seat that somebody may take
 * @property {boolean} connected
 * @property {boolean} stand_in whether a driver stands in for its person now
 * @property {number} laurels in this tournament so far
 * @property {number | null} rank
 * @property {boolean} chosen whether it has answered what all are asked at once (deck, sorting), and waits for others
 * @property {boolean} host whether its person is the host
 * @property {number} devices browsers and programs that hold it
 * @property {boolean} freed in this race: a stand-in drives to its end, unless all who sit here let somebody take over
 * @property {{ number: number, name: string, agreed: number[], waits: number[] } | null} wish of somebody who asks for that
 */
/**
 * @typedef {object} ChariotShown
 * @property {string} name
 * @property {Colour} colour
 * @property {number | null} seat null: riderless
 * @property {number | null} space null: off the board
 * @property {number} lap 0 on the grid
 * @property {Status} status
 * @property {boolean} coin still owed
 * @property {boolean} disqualified
 * @property {boolean} leads
 * @property {boolean} shares the lead, with others
 * @property {boolean} barred leads, and may not play a 6 now
 * @property {number} hand_size
 * @property {number} deck_size
 * @property {number[]} unseen in hand and deck together, how many of each value 1 to 6
 * @property {number} points_left
 * @property {number} to_go
 * @property {number | null} to_spare negative: cannot get home
 * @property {number | null} open_card
 * @property {DeckName | null} deck
 * @property {number[]} piles
 * @property {number | null} laid
 * @property {number[]} emperor
 * @property {number | null} arrival
 * @property {number | null} place
 * @property {number} laurels of this race
 * @property {number | null} position in the race as it stands, 1 is first
 * @property {number | null} behind steps behind whoever of those that race is first
 * @property {string} where the lane or place that it stands in, in words
 * @property {number | null} wasted points that brought it no nearer, once the race is over
 */
/**
 * @typedef {object} RaceShown
 * @property {number} index from 0
 * @property {number} of
 * @property {string} course
 * @property {string | null} board digest of a board of somebody's own
 * @property {Direction} direction
 * @property {string} edition
 * @property {ChariotShown[]} chariots in grid order
 * @property {number | null} turn the chariot that must decide
 * @property {number[]} order the chariots that still race in the order in which they are asked, that one first
 * @property {Question | null} asks
 * @property {number | null} voted_on
 * @property {number} turn_number
 * @property {boolean} ban_lifted
 * @property {boolean} over
 * @property {number[]} arrivals
 * @property {string} commitment
 * @property {string | null} secret once the race is over
 * @property {string[]} shares
 * @property {(number | null)[]} shared_by the seats of those who gave them; null: it is not known
 * @property {boolean[]} shared_left whether they have left those seats since
 * @property {"required" | "dishonour" | "optional"} tribute
 */
/**
 * @typedef {object} Offer
 * @property {Move} move
 * @property {string} words what it leads to
 * @property {string} name the move itself in the fewest words that tell it from all others
 * @property {string} code where it leads to as records have it; empty: nowhere on the board
 * @property {number | null} card
 * @property {Destination | null} to
 * @property {number[]} way the spaces driven over, the last one included
 * @property {number | null} wasted
 * @property {boolean} pays
 * @property {boolean} disqualifies
 * @property {number | null} spare points to spare then
 * @property {"none" | "last" | "stranded" | "disqualified"} risk stranded: cannot get home; last: no more to spare
 * @property {string} warning the risk in a few words
 * @property {number | null} cards of a deck: how many
 * @property {number | null} points and what they add up to
 */
/** @typedef {{ card: number, words: string, clause: string, blockers: number[] }} CardRefused */
/** @typedef {{ why: "wall" | "exact", card: number, to: number, words: string, clause: string, way: number[], wall: [number, number] | null }} Beyond */
/** @typedef {{ advised: Move, because: string, beyond: Beyond[] }} Coaching */
/**
 * @typedef {object} QuestionShown
 * @property {Question} asks
 * @property {number} chariot
 * @property {number} since the event since when this is asked
 * @property {string} title
 * @property {Offer[]} offers all legal moves, the one that suggests itself first
 * @property {CardRefused[]} refused
 * @property {number[]} culprits the chariots because of which no card can be played
 * @property {string} warning what one should know before one decides; mostly empty
 * @property {number[]} to_sort how many of each value 1 to 6
 * @property {boolean} ahead somebody else is on turn: the answer is kept until this seat is asked
 * @property {Coaching | null} coaching in a lesson
 */
/**
 * @typedef {object} HandShown
 * @property {number} chariot
 * @property {number[]} cards
 * @property {number[]} undrawn how many of each value 1 to 6
 * @property {number[][]} piles
 * @property {number[]} bottom
 * @property {string} standing how the chariot stands, in words
 */
/**
 * @typedef {object} Line
 * @property {number} number
 * @property {"turn" | "news" | "said"} kind
 * @property {string} words
 * @property {number | null} chariot
 * @property {number | null} seat
 * @property {string} notation
 * @property {number | null} origin
 * @property {number[]} way
 * @property {boolean} home
 * @property {boolean} paid
 * @property {number[]} culprits of a missed turn: the chariots that everybody sees to stand in the way
 * @property {number | null} lap the lap that it led into
 * @property {boolean} leads whether it took the lead, alone
 * @property {"person" | "driver" | "stand-in" | "clock" | "rule" | null} by
 * @property {Phrase | null} phrase
 * @property {number} at seconds since 1970
 * @property {boolean} erased whether something was said here that is no longer told
 */
/** @typedef {{ rank: number, seat: number, laurels: number, places: number[] }} StandingShown */
/**
 * Who is ready for the next race; `begin` says that one is, the last one's begins it.
 * @typedef {object} ReadyShown
 * @property {number[]} ready seats
 * @property {number[]} waits seats whose persons have not said so
 * @property {boolean} you whether you have said so
 * @property {boolean} begins whether the race begins if you say `begin` now
 * @property {number | null} without_from when you may begin without those who are away, seconds since 1970
 */
/**
 * @typedef {object} TableShown
 * @property {string} table
 * @property {string} title
 * @property {number} number
 * @property {number} changed `at` of a command
 * @property {Phase} phase
 * @property {boolean} paused
 * @property {string | null} paused_by the name of who did it; null: the host
 * @property {number[]} yours
 * @property {boolean} host
 * @property {number | null} eyes
 * @property {number | null} curtain
 * @property {Required<NewTable>} plan
 * @property {string[]} house_rules
 * @property {[string, Direction][]} stages
 * @property {number | null} wished the seat that you have asked to take over
 * @property {SeatShown[]} seats
 * @property {RaceShown | null} race
 * @property {HandShown[]} hands
 * @property {QuestionShown | null} question
 * @property {ReadyShown | null} ready between two races, and after the last
 * @property {string | null} sealed
 * @property {boolean} shaken
 * @property {string[]} shares added so far to the sealed cards
 * @property {(number | null)[]} shared_by the seats of those who gave them
 * @property {boolean[]} shared_left whether they have left those seats since
 * @property {string | null} stopped why the next race cannot begin: the server lacks the key to its cards
 * @property {number | null} deadline
 * @property {number} now
 * @property {StandingShown[]} standings
 * @property {number} watchers
 * @property {boolean} closed nobody plays on
 * @property {boolean} banned whether you may not sit down here any more
 * @property {number} game
 */
/** @typedef {{ is: "whole", table: TableShown, story: Line[] }} Whole */
/** @typedef {{ is: "news", table: TableShown, story: Line[] }} News */
/** @typedef {{ is: "bye", problem: string }} Bye */
/** @typedef {Whole | News | Done | Refused | Reason | Hint | Bye} Outgoing */

// ---------------------------------------------------------------------- the lobby and the menu

/**
 * @typedef {object} TableListed
 * @property {string} table
 * @property {string} title
 * @property {string} edition
 * @property {string} course
 * @property {boolean} tournament
 * @property {Phase} phase
 * @property {{ name: string, colour: Colour, kind: SeatKind, taken: boolean }[]} seats
 * @property {number} free
 * @property {number} updated seconds since 1970
 * @property {number[]} yours
 * @property {boolean} your_turn
 * @property {boolean} stopped its race rests until the server has the key to its cards again
 */
/** @typedef {{ open: TableListed[], mine: TableListed[] }} Lobby */
/** @typedef {{ option: string, meaning: string, words: string }} EditionChange */
/**
 * @typedef {object} EditionOffered
 * @property {string} name
 * @property {string} short what it is called
 * @property {string} title
 * @property {boolean} default
 * @property {EditionChange[]} changes where it differs from the default, in words
 * @property {Record<string, string>} rules every option's value
 */
/**
 * @typedef {object} OptionOffered
 * @property {string} name
 * @property {string} meaning
 * @property {string} group
 * @property {{ value: string, words: string }[]} values none: a number or numbers
 * @property {number | null} least
 * @property {number | null} most
 * @property {string} hint what may be written
 */
/**
 * @typedef {object} CourseOffered
 * @property {string} name
 * @property {string} board
 * @property {string} board_title
 * @property {"A" | "B"} side
 * @property {number} spaces
 * @property {number} bottlenecks
 * @property {number} shortest_lap
 * @property {number} alley_extra
 * @property {number} shortest_race
 * @property {Direction[]} directions
 */
/**
 * @typedef {object} DriverOffered
 * @property {string} name
 * @property {string} shown
 * @property {Level} level
 * @property {string} about
 * @property {boolean} usual
 * @property {boolean} thinks
 */
/**
 * @typedef {object} Menu
 * @property {EditionOffered[]} editions
 * @property {OptionOffered[]} options
 * @property {{ name: string, option: string, value: string }[]} variants
 * @property {CourseOffered[]} courses
 * @property {DriverOffered[]} drivers
 * @property {Colour[]} colours
 * @property {{ phrase: Phrase, words: string }[]} phrases
 * @property {number} most_seats
 * @property {number} longest_name
 * @property {number} longest_saying
 * @property {{ least: number, most: number }} clock
 * @property {{ least: number, most: number }} away
 * @property {{ least: number, most: number }} pace
 * @property {Required<NewTable>} defaults the table of Race now
 */

// ---------------------------------------------------------------------- courses, boards, replays

/**
 * @typedef {object} SpaceDrawn
 * @property {number} id
 * @property {string} name
 * @property {number} x
 * @property {number} y
 * @property {number} heading degrees as driven, clockwise from east
 * @property {boolean} alley
 * @property {boolean} bottleneck
 */
/**
 * @typedef {object} CourseDrawn
 * @property {string} course
 * @property {string} board
 * @property {Direction} direction
 * @property {string} title
 * @property {number} width
 * @property {number} height
 * @property {SpaceDrawn[]} spaces
 * @property {number[]} grid
 * @property {string} picture address of the SVG
 */
/**
 * @typedef {object} BoardChecked
 * @property {string} board its digest
 * @property {string} name
 * @property {string} title
 * @property {"A" | "B"} side
 * @property {Pick<CourseOffered, "name" | "spaces" | "shortest_lap" | "alley_extra" | "shortest_race">[]} courses
 */
/**
 * @typedef {object} Replay
 * @property {string} replay
 * @property {string} title
 * @property {{ course: string, direction: Direction, chariots: object[], turns: number, laurels: number[] }[]} races
 * @property {string} download
 */

export {};
