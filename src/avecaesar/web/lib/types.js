/**
 * All that page and server send each other, as types. Written by tools/page_types.py from the server's own shapes: do
 * not edit it, run that. Use them with `@import * as t from "../lib/types.js"`; nothing here runs.
 * @module
 */
/** @template T @typedef {T extends unknown ? Omit<T, "id"> : never} WithoutId */
/** @typedef {WithoutId<Command>} Unsent  a command before it gets its id */
/** @typedef {"clockwise" | "anticlockwise"} Direction */
/** @typedef {"turn" | "deck" | "sort" | "draw" | "lay" | "vote"} Question */
/** @typedef {"racing" | "home" | "out of cards" | "crashed" | "withdrawn"} Status */
/** @typedef {number | "home"} Destination */
/** @typedef {Play | Miss | Withdraw | Crash | ChooseDeck | Sort | Draw | Lay | Vote} Move */
/** @typedef {"red" | "blue" | "green" | "yellow" | "white" | "black"} Colour */
/** @typedef {"ravensburger" | "pro-ludo" | "thibault" | "fiche" | "riassunto" | "ausgebremst"} EditionName */
/** @typedef {"gathering" | "racing" | "podium" | "over"} Phase */
/** @typedef {"ave" | "well-driven" | "make-way" | "hurry" | "sorry" | "close" | "again"} Phrase */
/** @typedef {"here" | "friend" | "driver"} SeatKind */
/** @typedef {ShutOut | HandOn | VoidLinks | Agree | Decline} RightsCommand */
/** @typedef {Ban | CloseTable | EraseSaying | EraseWords} Moderation */
/** @typedef {RightsCommand | Moderation | MakeMove | Say | Shake | Begin | Pause | Resume | Dress | Stand | Appoint | Vacate} Logged */
/** @typedef {Why | AskHint} Asked */
/** @typedef {RightsCommand | Moderation | Asked | MakeMove | Say | Shake | Begin | Pause | Resume | Dress | Stand | Appoint | Vacate | Lift} Command */
/** @typedef {Whole | News | Done | Refused | Reason | Hint | Bye} Outgoing */
/** @typedef {"slow" | "average" | "fast"} DeckName */
/** @typedef {"stands" | "refused" | "turn"} BeatKind */
/** @typedef {"cards" | "six" | "alley" | "race" | "tournament" | "chariots"} Group */
/** @typedef {"person" | "driver" | "stand-in" | "clock" | "rule"} By */
/** @typedef {"pays" | "home" | "disqualified" | "leads" | "out of cards" | "crashed" | "withdrawn"} Happening */
/** @typedef {"aim" | "course" | "cards" | "moving" | "six" | "alley" | "missed" | "end" | "laurels" | "next" | "special" | "riderless" | "ours"} ChapterName */
/** @typedef {"back" | "between" | "on" | ""} Further */
/** @typedef {"inside" | "second from inside" | "middle" | "second from outside" | "outside" | ""} Lane */
/**
 * Who is to sit on a seat: somebody at this screen, a friend who joins by link, or a driver of the computer's.
 * @typedef {object} SeatPlan
 * @property {SeatKind} [kind]
 * @property {string} [name] empty: one of ours
 * @property {Colour | null} [colour] None: a free one
 * @property {string} [driver] of a driver of the computer's; empty: one of the usual ones
 */
/**
 * What is to be played, by whom and how: everything that a table needs to begin.
 * @typedef {object} NewTable
 * @property {SeatPlan[]} seats
 * @property {EditionName} [edition]
 * @property {Record<string, string>} [options]
 * @property {string} [course]
 * @property {Direction} [direction]
 * @property {boolean} [tournament] the edition's schedule instead of one race
 * @property {"A" | "B" | null} [side] of a tournament
 * @property {string[] | null} [courses] of a tournament, instead of a side
 * @property {string | null} [board] of a board of one's own that was uploaded: the courses are its
 * @property {boolean} [memory_aid]
 * @property {string} [title]
 * @property {boolean} [open] listed in the lobby, anybody may take a free seat; else by link only
 * @property {number | null} [clock] seconds a turn
 * @property {number | null} [away] seconds after which a driver stands in; None: never
 * @property {boolean} [hints] whether the searcher may be asked
 * @property {number} [pace] milliseconds between the moves of the computer's drivers
 * @property {boolean} [lesson] the first race with a coach: only the first seat, the title and the pace are as wished
 */
/**
 * Decide for the chariot of yours that is on turn. `at` is the `changed` of the state that you decided on.
 * @typedef {object} MakeMove
 * @property {"move"} do
 * @property {string} id
 * @property {number} at
 * @property {number} seat
 * @property {Move} move
 */
/**
 * Say something to the table: words of your own, or a phrase.
 * @typedef {object} Say
 * @property {"say"} do
 * @property {string} id
 * @property {string | null} [text]
 * @property {Phrase | null} [phrase]
 */
/**
 * Add 16 random bytes of your own to the next deal, once its commitment is known.
 * @typedef {object} Shake
 * @property {"shake"} do
 * @property {string} id
 * @property {string} share
 */
/**
 * Begin the first race (the host's to say); after it: be ready for the next one, or for a rematch after the last.
 * @typedef {object} Begin
 * @property {"begin"} do
 * @property {string} id
 * @property {number} at
 * @property {string | null} [share]
 */
/** @typedef {{ do: "pause", id: string }} Pause  Stop clocks and drivers. */
/** @typedef {{ do: "resume", id: string }} Resume  Go on. */
/**
 * Another name or colour, before the first race.
 * @typedef {object} Dress
 * @property {"dress"} do
 * @property {string} id
 * @property {number} seat
 * @property {string} name
 * @property {Colour} colour
 */
/**
 * Leave a seat of yours: it is free for somebody else, and driven by the computer's driver until then.
 * @typedef {object} Stand
 * @property {"stand"} do
 * @property {string} id
 * @property {number} seat
 */
/**
 * The host's: give a seat to a driver of the computer's. Whoever held it does no longer.
 * @typedef {object} Appoint
 * @property {"appoint"} do
 * @property {string} id
 * @property {number} seat
 * @property {string} driver
 */
/**
 * The host's: free a seat for a friend. Whoever held it does no longer, and old links to it are void.
 * @typedef {object} Vacate
 * @property {"vacate"} do
 * @property {string} id
 * @property {number} seat
 */
/**
 * Shut all devices but this one out of a seat of yours; links to it that were not opened yet are void.
 * @typedef {object} ShutOut
 * @property {"shut_out"} do
 * @property {string} id
 * @property {number} seat
 */
/**
 * The host's: make the person on a seat the host. You are it no longer, on any device.
 * @typedef {object} HandOn
 * @property {"hand_on"} do
 * @property {string} id
 * @property {number} at
 * @property {number} seat
 */
/** @typedef {{ do: "void_links", id: string }} VoidLinks  The host's: void all invitations, and all links to free seats. */
/**
 * Let somebody who asked for it take over a seat that a stand-in drives: he does when all of you agree.
 * @typedef {object} Agree
 * @property {"agree"} do
 * @property {string} id
 * @property {number} seat
 * @property {number} wish the number of his wish, so that nobody else is meant
 */
/**
 * Do not let him: the stand-in drives on to the end of the race.
 * @typedef {object} Decline
 * @property {"decline"} do
 * @property {string} id
 * @property {number} seat
 * @property {number} wish the number of his wish, so that nobody else is meant
 */
/**
 * The host's: free the seats of the person on a seat for good. He may watch, and not sit down here again.
 * @typedef {object} Ban
 * @property {"ban"} do
 * @property {string} id
 * @property {number} at
 * @property {number} seat
 */
/**
 * The host's: close the table for good. It can be looked at, and nobody plays on.
 * @typedef {object} CloseTable
 * @property {"close"} do
 * @property {string} id
 * @property {number} at
 */
/**
 * Erase what you have said, or, if the table is yours, what anybody has.
 * @typedef {object} EraseSaying
 * @property {"erase_saying"} do
 * @property {string} id
 * @property {number} number of the line
 */
/**
 * The host's, before the first race or after the last: erase all names and words here, and close the table.
 * @typedef {object} EraseWords
 * @property {"erase_words"} do
 * @property {string} id
 * @property {number} at
 */
/**
 * Lift the curtain: this connection, which holds several seats, now sees this one's hand, until it has moved.
 * @typedef {object} Lift
 * @property {"lift"} do
 * @property {string} id
 * @property {number | null} seat None: let it down
 */
/** @typedef {{ do: "why", id: string, seat: number, move: Move }} Why  Ask why a move is not allowed. */
/** @typedef {{ do: "hint", id: string, seat: number }} AskHint  Ask the searcher what she would do. */
/**
 * Take a seat: with the token of a link to it, with an invitation, or at an open table with nothing.
 * @typedef {object} Sit
 * @property {string | null} [token]
 * @property {number | null} [seat] None: the first that is free, or the one that the token is for
 * @property {string | null} [name]
 * @property {Colour | null} [colour]
 */
/**
 * Ask those who sit at the table to let you take over a seat that a stand-in drives in this race.
 * @typedef {object} TakeOver
 * @property {string | null} [token] of a link, unless the table is open
 * @property {number} seat
 * @property {string | null} [name] who asks
 */
/**
 * Which link is wanted: to a seat of one's own or, for the host, to a free one; without a seat an invitation.
 * @typedef {object} WantLink
 * @property {number | null} [seat]
 */
/**
 * A command was carried out and is on the disk; `number` is its event's. Repeated, it is answered the same.
 * @typedef {object} Done
 * @property {"done"} is
 * @property {string} id
 * @property {number} number
 */
/**
 * A command was not carried out, and why; the table is as it was. `clause` names the rule, if it was one.
 * @typedef {object} Refused
 * @property {"refused"} is
 * @property {string | null} id
 * @property {string} problem
 * @property {string | null} clause
 * @property {number | null} pile of a sorting the pile that is wrong, from 0
 */
/**
 * Why a move is not allowed; `words` is None if it is. `blockers` are the chariots that stand in the way.
 * @typedef {object} Reason
 * @property {"reason"} is
 * @property {string} id
 * @property {string | null} words
 * @property {string | null} clause
 * @property {number[]} blockers
 * @property {number | null} pile of a sorting the pile that is wrong, from 0
 */
/**
 * A move that the searcher has tried: the laurels it earned on average, and the standard error of that.
 * @typedef {object} HintedMove
 * @property {Move} move
 * @property {string} words
 * @property {number} laurels
 * @property {number} error
 */
/**
 * The searcher's best moves, the best first, for the state whose `changed` was this.
 * @typedef {object} Hint
 * @property {"hint"} is
 * @property {string} id
 * @property {number} seat
 * @property {number} changed
 * @property {HintedMove[]} moves
 */
/**
 * A seat that was taken. Programs get a key to it, for `Authorization: Bearer TOKEN`; browsers have a cookie.
 * @typedef {object} Seated
 * @property {string} table
 * @property {number} seat
 * @property {string | null} token
 */
/**
 * Those who sit at the table are asked; or you left the seat yourself, and have it back.
 * @typedef {object} Asking
 * @property {string} table
 * @property {number} seat
 * @property {string | null} token
 */
/**
 * How long the races of a table are kept, and whether somebody shares them by link.
 * @typedef {object} Sharing
 * @property {number | null} until seconds since 1970; None: for good, as long as somebody shares them, or opens an upload
 * @property {boolean} shared
 * @property {boolean} yours whether you share them, and may stop it
 * @property {boolean} may whether you may share them
 */
/** @typedef {{ tables: number }} Forgotten  Your names and words are erased at so many tables; your key opens nothing any more. */
/**
 * A table that was laid: its number, the invitation for friends, and the seats of whoever laid it.
 * @typedef {object} Laid
 * @property {string} table
 * @property {string | null} invitation
 * @property {number[]} seats
 * @property {string | null} token the host's key, for programs
 */
/**
 * A link for somebody; what stands after the # is the key to it, and only the server's hash of that is kept.
 * @typedef {object} Link
 * @property {string} link
 * @property {number} until when it expires, seconds since 1970
 */
/** @typedef {{ name: string, colour: Colour, kind: SeatKind, taken: boolean }} SeatListed  A seat of a table in the lobby. */
/**
 * A table in the lobby.
 * @typedef {object} TableListed
 * @property {string} table
 * @property {string} title
 * @property {string} edition
 * @property {string} course
 * @property {boolean} tournament
 * @property {Phase} phase
 * @property {boolean} paused
 * @property {SeatListed[]} seats
 * @property {number} free
 * @property {number} updated
 * @property {number[]} yours
 * @property {boolean} host
 * @property {boolean} your_turn
 * @property {boolean} stopped its race rests until the server has the key to its cards again
 */
/** @typedef {{ open: TableListed[], mine: TableListed[] }} Lobby  Tables that anybody may join or watch, and one's own. */
/**
 * The table and everything told in this race and said so far: the first message, and after a gap.
 * @typedef {object} Whole
 * @property {"whole"} is
 * @property {TableShown} table
 * @property {Line[]} story
 */
/**
 * The table as it is now, and what was told since the message before.
 * @typedef {object} News
 * @property {"news"} is
 * @property {TableShown} table
 * @property {Line[]} story
 */
/** @typedef {{ is: "bye", problem: string }} Bye  The server ends the connection, and why. */
/**
 * Somebody asks to take over a seat that a stand-in drives in this race.
 * @typedef {object} WishShown
 * @property {number} number
 * @property {string} name may be empty
 * @property {number[]} agreed seats whose persons let him
 * @property {number[]} waits seats whose persons have not answered
 */
/**
 * A seat, as everybody sees it.
 * @typedef {object} SeatShown
 * @property {number} seat
 * @property {string} name
 * @property {Colour} colour
 * @property {SeatKind} kind
 * @property {string | null} driver the computer's driver who sits there
 * @property {boolean} taken False: a free seat that somebody may take
 * @property {boolean} connected whether its person has the table before him now; drivers always
 * @property {boolean} stand_in whether a driver stands in for its person now
 * @property {number} laurels in this tournament so far
 * @property {number | null} rank in this tournament, once a race is over
 * @property {boolean} chosen whether it has answered what all are asked at once (deck, sorting), and waits for others
 * @property {boolean} host whether its person is the host
 * @property {number} devices browsers and programs that hold it, each of which sees its hand
 * @property {boolean} freed in this race: a stand-in drives to its end, unless all who sit here let somebody take over
 * @property {WishShown | null} wish of somebody who asks for that
 */
/**
 * A chariot of the current race, as everybody sees it.
 * @typedef {object} ChariotShown
 * @property {string} name
 * @property {string} colour
 * @property {number | null} seat None: riderless
 * @property {number | null} space None: off the board
 * @property {number} lap 0 on the grid
 * @property {Status} status
 * @property {boolean} coin not paid yet
 * @property {boolean} owes and has to be: not where the tribute is optional, nor of whoever is disqualified
 * @property {boolean} must_pay and on this lap, the last on which it can
 * @property {boolean} paid never of a riderless chariot that had none
 * @property {boolean} disqualified
 * @property {boolean} leads
 * @property {boolean} shares the lead, with others
 * @property {boolean} barred leads, and may not play a 6 now (SIX-4 and SIX-5 apart)
 * @property {number} hand_size
 * @property {number} deck_size
 * @property {number[]} unseen in hand and deck together, how many of each value 1 to 6
 * @property {number} points_left
 * @property {number} to_go
 * @property {number | null} to_spare negative: cannot get home; None: does not race, or before decks are revealed
 * @property {number | null} open_card
 * @property {string | null} deck
 * @property {number[]} piles
 * @property {number | null} laid
 * @property {number[]} emperor
 * @property {number | null} arrival
 * @property {number | null} place
 * @property {number} laurels of this race
 * @property {number | null} position in the race as it stands, 1 is first; None: races no more and is not home
 * @property {number | null} behind steps behind whoever of those that race is first; None: does not race
 * @property {string} where the lane or place that it stands in, in words; empty: off the board
 * @property {number | null} wasted points that brought it no nearer, once the race is over
 */
/**
 * The current race, as everybody sees it.
 * @typedef {object} RaceShown
 * @property {number} index from 0
 * @property {number} of
 * @property {string} course its name
 * @property {string | null} board the digest of a board of somebody's own, None: one of ours
 * @property {Direction} direction
 * @property {string} edition
 * @property {ChariotShown[]} chariots in grid order
 * @property {number | null} turn the chariot that must decide
 * @property {number[]} order those that still race in the order of their turns, the one that moves now first
 * @property {Question | null} asks
 * @property {number | null} voted_on
 * @property {number} turn_number
 * @property {boolean} ban_lifted
 * @property {boolean} over
 * @property {number[]} arrivals
 * @property {string} commitment to the secret that the cards came from
 * @property {string | null} secret once the race is over
 * @property {string[]} shares of the players, added to it
 * @property {(number | null)[]} shared_by the seats of those who gave them, in the same order; None: not known
 * @property {boolean[]} shared_left whether they have left those seats since
 * @property {string} tribute the option: required, dishonour or optional
 */
/**
 * A move that can be made, what it leads to, and the way to draw it.
 * @typedef {object} Offer
 * @property {Move} move
 * @property {string} words what it leads to
 * @property {string} name the move itself in the fewest words that tell it from all others
 * @property {string} code where it leads to as records have it, such as S8a; empty: nowhere on the board
 * @property {number | null} card the card that it plays, exchanges or votes with
 * @property {number | "home" | null} to
 * @property {number[]} way the spaces driven over, the last one included
 * @property {number | null} wasted
 * @property {boolean} pays
 * @property {boolean} disqualifies
 * @property {number | null} spare points to spare then; None: not to be told, or of no matter
 * @property {"none" | "last" | "stranded" | "disqualified"} risk stranded: cannot get home; last: no more to spare
 * @property {string} warning the risk in a few words
 * @property {number | null} cards of a deck: how many
 * @property {number | null} points and what they add up to
 */
/**
 * A card in hand that cannot be played, and why.
 * @typedef {object} CardRefused
 * @property {number} card
 * @property {string} words
 * @property {string} clause
 * @property {number[]} blockers the chariots that stand in its way
 */
/**
 * In a lesson: a space that a card does not lead to, and why: a wall lies between, or the count is not exact.
 * @typedef {object} Beyond
 * @property {"wall" | "exact"} why
 * @property {number} card
 * @property {number} to
 * @property {string} words
 * @property {string} clause
 * @property {number[]} way the spaces of a way there through the wall; or of the way that the card leads past it
 * @property {[number, number] | null} wall the step that a wall takes away
 */
/**
 * In a lesson: what the coach would do, who sees what the pupil sees, and what is worth showing.
 * @typedef {object} Coaching
 * @property {Move} advised
 * @property {string} because why, in half a sentence; may be empty
 * @property {Beyond[]} beyond
 */
/**
 * What a seat must decide now.
 * @typedef {object} QuestionShown
 * @property {Question} asks
 * @property {number} chariot of the seat's
 * @property {number} since the event since when it asks this: the same while others answer what all are asked at once
 * @property {string} title
 * @property {Offer[]} offers all legal moves, in the order of cards; of sortings only the usual one
 * @property {CardRefused[]} refused
 * @property {number[]} culprits the chariots because of which no card can be played
 * @property {string} warning what one should know before one decides; mostly empty
 * @property {number[]} to_sort how many of each value 1 to 6, when the deck is to be sorted
 * @property {boolean} ahead somebody else is on turn: the answer is kept until this seat is asked
 * @property {Coaching | null} coaching in a lesson
 */
/**
 * What one of a seat's chariots holds: for the seat only.
 * @typedef {object} HandShown
 * @property {number} chariot
 * @property {number[]} cards
 * @property {number[]} undrawn how many of each value 1 to 6
 * @property {number[][]} piles the same of its piles, if the table allows the memory aid
 * @property {number[]} bottom exchanged cards under the deck, first drawn first
 * @property {string} standing how the chariot stands, in words
 */
/**
 * A line of what happened: a turn, an announcement, or something said.
 * @typedef {object} Line
 * @property {number} number the event's
 * @property {"turn" | "news" | "said"} kind
 * @property {string} words
 * @property {number | null} chariot whose turn
 * @property {number | null} seat who said it, or whom it is about
 * @property {string} notation the turn in the notation of records
 * @property {number | null} origin the space driven from
 * @property {number[]} way the spaces driven over
 * @property {boolean} home
 * @property {boolean} paid
 * @property {boolean} missed whether it was a turn without a move
 * @property {number[]} culprits of a missed turn: the chariots that everybody sees to stand in the way
 * @property {number | null} lap the lap that it led into
 * @property {boolean} leads whether it took the lead, alone
 * @property {number | null} lead_from from which chariot; None: none had led alone before
 * @property {By | null} by
 * @property {Phrase | null} phrase
 * @property {number} at when, seconds since 1970
 * @property {boolean} erased whether something was said here that is no longer told
 */
/** @typedef {{ rank: number, seat: number, laurels: number, places: number[] }} StandingShown  A player's rank in the tournament. */
/**
 * Between two races: who is ready for the next one. `begin` says that one is; the last one's begins it.
 * @typedef {object} ReadyShown
 * @property {number[]} ready seats
 * @property {number[]} waits seats whose persons have not said so
 * @property {boolean} you whether you have said so, for all your seats
 * @property {boolean} begins whether the race begins if you say `begin` now
 * @property {number | null} without_from when you may begin without those who are away, seconds since 1970; None: not at all
 */
/**
 * A table as one connection may see it.
 * @typedef {object} TableShown
 * @property {string} table
 * @property {string} title
 * @property {number} number of the last event
 * @property {number} changed of the last event that a decision must know of: `at` of a command
 * @property {Phase} phase
 * @property {boolean} paused
 * @property {string | null} paused_by the name of who did it; None: the host, without a seat
 * @property {number[]} yours your seats
 * @property {number | null} wished the seat that you have asked to take over
 * @property {boolean} host
 * @property {number | null} eyes the seat whose hand you see; None: a bystander's view
 * @property {number | null} curtain a seat of yours that is called, and whose hand the curtain hides
 * @property {Record<string, any>} plan what is played, as the table was laid
 * @property {string[]} house_rules in words
 * @property {([string, Direction])[]} stages
 * @property {SeatShown[]} seats
 * @property {RaceShown | null} race
 * @property {HandShown[]} hands of `eyes`: the chariot on turn first
 * @property {QuestionShown | null} question
 * @property {ReadyShown | null} ready between two races, and after the last
 * @property {string | null} sealed the commitment to the next race's cards
 * @property {boolean} shaken whether you have added your share to them
 * @property {string[]} shares added to them so far, in the order in which they are dealt with
 * @property {(number | null)[]} shared_by the seats of those who gave them
 * @property {boolean[]} shared_left whether they have left those seats since
 * @property {string | null} stopped why the next race cannot begin: its cards are sealed with a key that the server lacks
 * @property {number | null} deadline when the turn runs out, seconds since 1970
 * @property {number} now the server's time, for the same clock
 * @property {StandingShown[]} standings
 * @property {number} watchers
 * @property {boolean} closed nobody plays on
 * @property {boolean} banned whether you may not sit down here any more
 * @property {number} game which tournament or race at this table, from 0: rematches
 */
/** @typedef {{ kind: "play", card: number, to: Destination }} Play  Play a card and end on a space, or home. */
/**
 * Miss the turn; with the card that goes under the deck, where one is exchanged.
 * @typedef {object} Miss
 * @property {"miss"} kind
 * @property {number | null} [exchange]
 */
/** @typedef {{ kind: "withdraw" }} Withdraw  Leave the race. */
/** @typedef {{ kind: "crash" }} Crash  Crash. */
/** @typedef {{ kind: "deck", deck: DeckName }} ChooseDeck  Choose a deck before the race. */
/** @typedef {{ kind: "sort", piles: number[][] }} Sort  Sort the deck into three piles. */
/** @typedef {{ kind: "draw", pile: number }} Draw  Draw from a pile, counted from 0. */
/** @typedef {{ kind: "lay", pile: number }} Lay  Lay the emperor's card on a pile, counted from 0. */
/**
 * Vote for what a riderless chariot is to do; without a card: abstain.
 * @typedef {object} Vote
 * @property {"vote"} kind
 * @property {number | null} [card]
 * @property {number | "home" | null} [to]
 */
/**
 * A moment of a scene: how things stand after it.
 * @typedef {object} Beat
 * @property {BeatKind} kind
 * @property {string} words
 * @property {(number | null)[]} spaces of each chariot; None: off the board
 * @property {number[]} leads
 * @property {number} [mover]
 * @property {number[]} [hand] the mover's, before the card left it
 * @property {number[]} [piles] and how many cards lie on its piles, if it has any
 * @property {number} [card]
 * @property {number[]} [targets] all spaces that the card can reach
 * @property {number} [to] the space that was refused
 * @property {string} [clause] by which clause
 * @property {number} [origin]
 * @property {number[]} [way]
 * @property {boolean} [home]
 * @property {boolean} [pays]
 * @property {boolean} [disqualified]
 */
/** @typedef {{ x: number, y: number, width: number, height: number }} Box  A part of a picture. */
/**
 * A clause at work on one of our courses.
 * @typedef {object} LittleRace
 * @property {string} clause
 * @property {string} about
 * @property {string} course
 * @property {Direction} direction
 * @property {string} picture
 * @property {string[]} names
 * @property {string[]} colours
 * @property {Box} box
 * @property {Beat[]} beats
 * @property {number} key the beat that shows it best, where nothing moves
 */
/** @typedef {{ option: string, meaning: string, words: string }} Change  An option in which an edition differs from the default one. */
/**
 * An edition: what it is called and what it is, what it changes, and all its options' values.
 * @typedef {object} EditionOffered
 * @property {EditionName} name
 * @property {string} short
 * @property {string} title
 * @property {boolean} default
 * @property {Change[]} changes
 * @property {Record<string, string>} rules
 */
/** @typedef {{ value: string, words: string }} ValueOffered  What an option may be. */
/**
 * An option: one of `values`, or a number from `least` to `most`, or what `hint` says.
 * @typedef {object} OptionOffered
 * @property {string} name
 * @property {string} meaning
 * @property {Group} group
 * @property {ValueOffered[]} values
 * @property {number | null} least
 * @property {number | null} most
 * @property {string} hint
 */
/** @typedef {{ name: string, option: string, value: string }} Variant  A house rule that has a name. */
/**
 * A course of ours, and its figures.
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
 * A driver of the computer's.
 * @typedef {object} DriverOffered
 * @property {string} name
 * @property {string} shown
 * @property {string} level in words
 * @property {string} about
 * @property {boolean} usual
 * @property {boolean} thinks
 */
/** @typedef {{ phrase: Phrase, words: string }} PhraseOffered  Something to say without typing. */
/** @typedef {{ least: number, most: number }} Span  From where to where a number goes. */
/**
 * Everything that can be chosen.
 * @typedef {object} Menu
 * @property {EditionOffered[]} editions
 * @property {OptionOffered[]} options
 * @property {Variant[]} variants
 * @property {CourseOffered[]} courses
 * @property {DriverOffered[]} drivers
 * @property {Colour[]} colours
 * @property {PhraseOffered[]} phrases
 * @property {number} most_seats
 * @property {number} longest_name
 * @property {number} longest_saying
 * @property {Span} clock
 * @property {Span} away
 * @property {Span} pace
 * @property {Required<NewTable>} defaults race now
 */
/**
 * A space in the picture's own coordinates: its middle, and which way a chariot looks there.
 * @typedef {object} SpaceShown
 * @property {number} id
 * @property {string} name the picture has its outline as the element `space-NAME`
 * @property {number} x
 * @property {number} y
 * @property {number} heading degrees clockwise from east, as driven
 * @property {boolean} alley
 * @property {boolean} bottleneck
 */
/**
 * A course in one direction, as the page needs it to put chariots on the picture.
 * @typedef {object} CourseShown
 * @property {string} course
 * @property {string | null} board the digest of a board of somebody's own, None: one of ours
 * @property {Direction} direction
 * @property {string} title
 * @property {number} width
 * @property {number} height
 * @property {number} lane how wide a lane is
 * @property {SpaceShown[]} spaces
 * @property {number[]} grid place I first
 * @property {string} picture where to get it
 */
/**
 * A chariot's cards, and how many of each value 1 to 6 lie on its piles, if it has any.
 * @typedef {object} HandOpened
 * @property {number[]} cards
 * @property {number[][]} [piles]
 */
/**
 * The race after a turn; the first is the grid. Only those chariots and hands are told that have changed since.
 * @typedef {object} SceneShown
 * @property {Record<number, ChariotShown>} chariots by number, from 0 in grid order
 * @property {Record<number, HandOpened>} [hands]
 * @property {number} [turn] the chariot that must decide next
 * @property {number} [mover]
 * @property {string} [words]
 * @property {string} [notation]
 * @property {string} [event] what that brought about for all
 * @property {number} [origin] the space driven from
 * @property {number[]} [way] the spaces driven over
 * @property {boolean} [home]
 * @property {By} [by] "clock" or "stand-in": not who sat there; None: he himself, or it is not known
 */
/** @typedef {{ scene: number, kind: Happening, chariot: number, words: string }} Moment  Something to jump to. */
/**
 * A race from the grid to its end.
 * @typedef {object} Film
 * @property {number} race from 0
 * @property {number} of
 * @property {string} course
 * @property {string | null} board the digest of a board of somebody's own, None: one of ours
 * @property {Direction} direction
 * @property {string} edition
 * @property {SceneShown[]} scenes
 * @property {Moment[]} moments
 * @property {string} result in words
 * @property {number[]} arrivals
 * @property {number[]} laurels
 */
/** @typedef {{ name: string, colour: string, driver: string, riderless: boolean }} DriverShown  Who drove a chariot. */
/**
 * A race of a replay.
 * @typedef {object} RaceListed
 * @property {string} course
 * @property {string | null} board
 * @property {Direction} direction
 * @property {DriverShown[]} chariots
 * @property {number} turns
 * @property {number[]} laurels
 * @property {boolean} sealed whether this server saw the cards sealed before the race; an uploaded seal may be made afterwards
 */
/** @typedef {{ rank: number, name: string, laurels: number }} RankShown  A player's rank after all races of a replay. */
/**
 * What a replay has to show.
 * @typedef {object} ReplayShown
 * @property {string} replay
 * @property {string} title
 * @property {string} edition
 * @property {RaceListed[]} races
 * @property {RankShown[]} standings
 * @property {string} download
 */
/** @typedef {{ option: string, meaning: string, words: string }} Setting  An option as this edition has it. */
/**
 * A clause, and where editions differ, what holds in this one.
 * @typedef {object} ClauseShown
 * @property {string} id
 * @property {string} title
 * @property {string} text
 * @property {Setting[]} here
 */
/** @typedef {{ chapter: ChapterName, clauses: ClauseShown[] }} Chapter  Clauses that belong together. */
/**
 * What other editions do.
 * @typedef {object} Otherwise
 * @property {string} words
 * @property {string[]} editions by name
 */
/**
 * An option in which the editions differ.
 * @typedef {object} Difference
 * @property {string} option
 * @property {string} meaning
 * @property {string} words what this edition does
 * @property {string[]} alike who does the same
 * @property {Otherwise[]} others
 */
/**
 * A house rule that has a name, and the clause that tells of it.
 * @typedef {object} VariantShown
 * @property {string} name
 * @property {string} meaning
 * @property {string} words
 * @property {string} clause
 */
/**
 * An option that a table may choose for itself; what the edition has comes first.
 * @typedef {object} HouseRule
 * @property {string} option
 * @property {string} meaning
 * @property {string[]} values
 */
/** @typedef {{ name: string, short: string, title: string }} EditionNamed  An edition that has rules of its own. */
/**
 * The rules of an edition.
 * @typedef {object} Rulebook
 * @property {string} edition
 * @property {string} title
 * @property {EditionNamed[]} editions
 * @property {Chapter[]} chapters
 * @property {Difference[]} differences
 * @property {VariantShown[]} variants
 * @property {ClauseShown[]} agreed clauses that hold only where a table agrees on them
 * @property {HouseRule[]} house_rules
 * @property {LittleRace[]} scenes
 */
/**
 * A course of an uploaded board, and its figures.
 * @typedef {object} CourseFigures
 * @property {string} name
 * @property {number} spaces
 * @property {number} shortest_lap
 * @property {number} alley_extra
 * @property {number} shortest_race
 */
/**
 * A board of somebody's own that was checked and kept; `board` is its digest, for a new table.
 * @typedef {object} BoardKept
 * @property {string} board
 * @property {string} name
 * @property {string} title
 * @property {"A" | "B"} side
 * @property {CourseFigures[]} courses
 */
/** @typedef {{ share: boolean }} WantSharing  Whether a replay is to be shared by link. */
/** @typedef {{ replay: string }} RecordKept  A record that was refereed and kept: the number of its replay. */
/** @typedef {{ status: "ok", version: string }} Health  That the server is there, and which version of it. */
/** @typedef {{ status: "ok", version: string }} Ready  That tables can be played. */
/** @typedef {{ days: number | null }} Keeping  After how many days finished tables are erased; None: never. */
/** @typedef {{  }} Nothing  There is nothing more to say. */
/**
 * Whether a table can be laid so: `problem` is None, or says in a sentence why not.
 * @typedef {object} Checked
 * @property {string | null} problem
 * @property {number} chariots
 * @property {number} riderless
 * @property {([string, Direction])[]} stages
 * @property {string[]} house_rules
 */
/**
 * A chariot's race. A turn is anybody's, counted from 1; 0 is the grid.
 * @typedef {object} Chronicled
 * @property {string} name
 * @property {string} colour
 * @property {boolean} riderless
 * @property {number | null} player whose it is, players numbered from 0; None: riderless
 * @property {number[]} way spaces to home after each turn, from the grid on
 * @property {Status} status in the end
 * @property {boolean} disqualified
 * @property {number | null} ended the turn with which it came home or left the race
 * @property {number[]} missed turns
 * @property {number[]} barred turns in which a six in its hand was barred
 * @property {number | null} paid the turn in which its coin was paid
 * @property {number} wasted points that brought it no nearer
 * @property {number} led turns after which it was alone in front
 * @property {number | null} arrival
 * @property {number | null} place
 * @property {number} laurels
 */
/** @typedef {{ turn: number, chariot: number }} Lead  A chariot goes in front, alone. */
/** @typedef {{ turn: number, spaces: number }} Close  The moment at which the whole field was closest together, after the first lap. */
/**
 * The most turns in a row that somebody had to miss.
 * @typedef {object} Jam
 * @property {number} turn the last of them
 * @property {number} chariot
 * @property {number} turns
 */
/**
 * A decision, so that it can be put into words.
 * @typedef {object} ChronicledMove
 * @property {"play" | "miss" | "withdraw" | "crash" | "deck" | "draw" | "lay"} kind
 * @property {number | null} card played or exchanged
 * @property {string | null} space its name, None: home
 * @property {"bottleneck" | "alley" | null} ground what is special about it
 * @property {Lane} lane
 * @property {Further} further of several spaces of that lane
 * @property {number | null} pile from 0
 * @property {string | null} deck
 */
/**
 * The decision that cost most, or brought most: the chances to win after it, and after another one.
 * @typedef {object} Decided
 * @property {"loss" | "gain"} kind
 * @property {number} turn
 * @property {number} scene of the replay
 * @property {number} chariot
 * @property {ChronicledMove} played
 * @property {ChronicledMove} other of a loss the best there was; of a gain what one usually plays
 * @property {number} chance from 0 to 1; of a player with several chariots that of any of them
 * @property {number} otherwise
 */
/**
 * What a race was.
 * @typedef {object} Chronicle
 * @property {number} race from 0
 * @property {number} of
 * @property {string} course
 * @property {string | null} board the digest of a board of somebody's own, None: one of ours
 * @property {Direction} direction
 * @property {string} edition
 * @property {number} lap spaces of the shortest lap
 * @property {number[]} scenes of the replay, after each turn from the grid on
 * @property {Chronicled[]} chariots in grid order
 * @property {Lead[]} leads
 * @property {number | null} margin spaces that the second still had to go when the winner came home
 * @property {Close | null} close
 * @property {Jam | null} jam
 * @property {Decided | null} decided None: no turn of its own
 */
/**
 * What was played in the turn that decided the race, and what would have come of something else.
 * @typedef {object} DecidedInWords
 * @property {string} played
 * @property {string} verdict
 */
/**
 * A race in words.
 * @typedef {object} Praise
 * @property {string} headline
 * @property {string} teams what each player's chariots earned together; nothing where everybody has one
 * @property {string[]} story sentences
 * @property {DecidedInWords | null} decided
 */
/** @typedef {{ chronicle: Chronicle, praise: Praise }} ChronicleShown  What a race was, in figures and in words. */

export {};
