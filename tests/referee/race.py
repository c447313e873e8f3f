"""One race, refereed by RULES.md alone: `RefereeRace` keeps the table; course.py measures the course.

Written to be compared with the clauses in the comments, line by line. It may know nothing of the package.
"""

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, TypeAlias

from .course import HOME, LAPS, CourseFacts, Space, State, Ways
from .piles import DECKS, EMPERORS_CARDS, PILES, Piles, cards_of, sortings
from .riderless import by_rule, by_vote

__all__ = ["HOME", "KNOWN_VALUES", "LAPS", "CourseFacts", "Move", "RefereeRace", "Space", "State", "Ways"]

Move: TypeAlias = tuple[str | int | Piles | None, ...]

KNOWN_VALUES: dict[str, set[Any]] = {
    "hand": {1, 2, 3, 4, 5, 6},
    "draw": {"at_once", "end_of_round", "from_piles"},
    "missed_turn": {"keep", "exchange_if_blocked", "exchange"},
    "first_six": {"exempt", "barred"},
    "narrow_exception": {"bottleneck", "none"},
    "tied_exception": {"if_cutting", "always", "none"},
    "tribute": {"required", "dishonour", "optional"},
    "race_ends": {"all_home", "first_home"},
    "riderless": {"none", "extra", "fill", "fill_no_tribute"},
    "riderless_moves": {"rule", "vote"},
    "chariots_each": {1, 2, 3},
    "decks": {"standard", "choice"},
    "emperor_cards": {"none", "by_side"},
    "crash": {"yes", "no"},
}
FILLING = {"fill", "fill_no_tribute"}  # NPC-2, AUS-5


def check_the_rules(rules: Mapping[str, Any]) -> None:
    """Every option has a value that is known, and together they make sense."""
    for option, values in KNOWN_VALUES.items():
        assert rules[option] in values, f"option {option} is {rules[option]!r}, expected one of {values}"
    if rules["draw"] == "from_piles":
        assert rules["hand"] == 2, "draw = from_piles goes with a hand of 2 (AUS-3)"
    if rules["decks"] == "choice":
        assert rules["draw"] == "from_piles", "decks = choice needs draw = from_piles"
    if rules["emperor_cards"] == "by_side":
        assert rules["draw"] == "from_piles", "emperor_cards = by_side needs draw = from_piles"
        assert rules["tribute"] == "optional", "emperor_cards = by_side needs tribute = optional"


class RefereeRace:
    """A race of one to six chariots, numbered from 0 in grid order; its fields are its state, open to all."""

    def __init__(
        self,
        facts: CourseFacts,
        rules: Mapping[str, Any],
        decks: Sequence[Sequence[int] | None],
        checked: bool = True,
        *,
        riderless: int = 0,
        side: str = "A",
    ) -> None:
        check_the_rules(rules)
        drivers, each = len(decks) - riderless, rules["chariots_each"]
        assert 1 <= len(decks) <= len(facts.grid), f"{len(decks)} decks for a grid of {len(facts.grid)} places"
        assert 0 <= riderless < len(decks), f"{riderless} of {len(decks)} chariots cannot be riderless"
        assert riderless == 0 or rules["riderless"] != "none", "riderless = none, and yet there are some"
        assert drivers % each == 0, f"{drivers} drivers' chariots, {each} a player"
        assert each == 1 or drivers // each in (2, 3), "two or three players drive several chariots each (TEAM-1)"
        assert side in EMPERORS_CARDS, f"{side!r} is no side"
        self.facts = facts
        self.rules = rules
        self.checked = checked
        self.side = side
        self.chariots = range(len(decks))

        # NPC-1: riderless chariots stand in the last places of the grid; NPC-2: in the first
        first = riderless if rules["riderless"] in FILLING else 0
        self.drivers = range(first, first + drivers)
        self.is_riderless = [chariot not in self.drivers for chariot in self.chariots]
        # TEAM-1: on the grid the players' chariots alternate
        self.players = drivers // each
        self.player: list[int | None] = [
            (chariot - first) % self.players if chariot in self.drivers else None for chariot in self.chariots
        ]

        self.position: list[Space | None] = list(facts.grid[: len(decks)])
        self.crossings = [0 for _ in decks]
        # still has it; of the riderless ones NPC-2's pay tribute, NPC-1's and AUS-5's do not
        self.coin = [chariot in self.drivers or rules["riderless"] == "fill" for chariot in self.chariots]
        self.status = ["racing" for _ in decks]
        self.disqualified = [False for _ in decks]
        self.deck = [list(deck or []) for deck in decks]
        self.hand: list[list[int]] = [[] for _ in decks]  # of a riderless chariot: its open card
        self.choice: list[str | None] = [None for _ in decks]  # AUS-1
        self.emperor: list[list[int]] = [[] for _ in decks]  # AUS-2: his cards that wait for this chariot
        self.piles: list[list[list[int]] | None] = [None for _ in decks]  # AUS-3

        self.turn: int | None = None
        self.phase: str | None = None
        self.started = False  # AUS-1: with the first turn
        self.turns_taken = 0
        self.ban_lifted = False  # END-4
        self.kept = 0  # END-4: missed turns on end without an exchange
        self.idle = 0  # END-4: missed turns on end
        self.ending: str | None = None  # "finished", "crash_cut" or "stalled", once turn is None
        self.home_order: list[int] = []
        self.left_at: dict[int, int] = {}  # NEXT-3: the number of the turn on which a chariot left the race
        self.left_with: dict[int, int] = {}  # NEXT-3: its remaining distance where it stood
        self.voting: int | None = None  # NPC-3: the riderless chariot voted on
        self.votes: list[Space | None] = []  # NPC-3: by player
        self.voted_for: Space | None = None  # NPC-3: what the vote decided for the riderless chariot that moves now

        has_piles = rules["draw"] == "from_piles"
        for chariot, deck in enumerate(decks):
            has_none = has_piles and chariot in self.drivers  # AUS-3: it is sorted into piles
            assert (deck is None) == has_none, f"draw is {rules['draw']}, and chariot {chariot}'s deck is {deck}"
            if chariot in self.drivers and not has_piles:
                self._draw(chariot)  # SET-3
        self._go_on_to_the_start()

    # ---- what the table shows ----

    def racing(self) -> list[int]:
        return [chariot for chariot in self.chariots if self.status[chariot] == "racing"]

    def remaining(self, chariot: int) -> int:
        space = self.position[chariot]
        assert space is not None, f"chariot {chariot} is off the board"
        return self.facts.remaining[space, self.crossings[chariot]]

    def leaders(self) -> set[int]:
        """Words: the racing chariots with the smallest remaining distance; none once any chariot is home."""
        racing = self.racing()
        if "home" in self.status or not racing:
            return set()
        distances = {chariot: self.remaining(chariot) for chariot in racing}
        smallest = min(distances.values())
        return {chariot for chariot in racing if distances[chariot] == smallest}

    def holds_only_sixes(self, chariot: int) -> bool:
        """SIX-8: every card in hand is a six, however short the hand; a riderless chariot's card is its hand."""
        return set(self.hand[chariot]) == {6}

    def holds_only_sixes_among_leaders(self, chariot: int) -> bool:
        """The same for SIX-5, where NPC-4 looks at the whole deck of a riderless chariot of NPC-2 or AUS-5."""
        if self.is_riderless[chariot] and self.rules["riderless"] in FILLING:
            return set(self.hand[chariot] + self.deck[chariot]) == {6}
        return self.holds_only_sixes(chariot)

    # ---- the six ----

    def is_under_the_ban(self, chariot: int, leaders: set[int]) -> bool:
        """SIX-1, with the exceptions that hold whatever the hand and the space."""
        if chariot not in leaders:  # SIX-1; SIX-6 by way of leaders()
            return False
        if self.turns_taken == 0 and self.rules["first_six"] == "exempt":  # SIX-2
            return False
        if len(self.racing()) == 1:  # SIX-7
            return False
        return not self.ban_lifted  # END-4

    def may_play_six_all_the_same(self, chariot: int, leaders: set[int]) -> bool:
        """SIX-4 and SIX-5, the exceptions for a leader with nothing but sixes (SIX-3)."""
        if not self.holds_only_sixes(chariot):
            return False
        if self.rules["narrow_exception"] == "bottleneck" and self.position[chariot] in self.facts.bottlenecks:  # SIX-4
            return True
        if len(leaders) < 2 or not all(self.holds_only_sixes_among_leaders(leader) for leader in leaders):  # SIX-5
            return False
        if self.rules["tied_exception"] == "if_cutting":
            return self.facts.cuts(self._spaces_of(leaders))
        return bool(self.rules["tied_exception"] == "always")

    def sixes_are_barred(self, chariot: int) -> bool:
        """Words, barred: SIX-1 forbids the six at this moment, SIX-2 and SIX-4 to SIX-7 considered."""
        leaders = self.leaders()
        return self.is_under_the_ban(chariot, leaders) and not self.may_play_six_all_the_same(chariot, leaders)

    def must_crash(self, chariot: int) -> bool:
        """CRA-1: SIX-2, SIX-6 and SIX-7 excepted, SIX-4 and SIX-5 not; riderless chariots never."""
        if self.rules["crash"] == "no" or self.is_riderless[chariot] or not self.holds_only_sixes(chariot):
            return False
        return self.is_under_the_ban(chariot, self.leaders())

    # ---- tribute ----

    def must_wait_for_the_alley(self, chariot: int, usable: set[int]) -> bool:
        """TRI-3: on its second lap, with its coin, a usable card could pay if no other chariot were there."""
        if self.rules["tribute"] != "required":  # TRI-5 and tribute = optional
            return False
        if self.crossings[chariot] != 2 or not self.coin[chariot]:
            return False
        space = self.position[chariot]
        assert space is not None
        ways = self.facts.ways(space, self.crossings[chariot], self._spaces_of(self._crashed()))
        return any(stop in self.facts.paying for card in usable for stop in ways[card].items())

    # ---- what may be done ----

    def legal(self) -> set[Move]:
        """Every move of the chariot that must decide now."""
        chariot = self.turn
        assert chariot is not None, "the race is over"
        if self.phase == "turn":
            return self._legal_on_its_turn(chariot)
        match self.phase:
            case "deck":
                return {("deck", deck) for deck in DECKS}  # AUS-1
            case "sort":
                return {("sort", piles) for piles in sortings(self._cards_to_sort(chariot))}  # AUS-3
            case "draw":
                piles = self._piles_of(chariot)
                return {("draw", pile) for pile in PILES if piles[pile]}  # AUS-3: not from an empty one
            case "lay":
                return {("lay", pile) for pile in PILES}  # AUS-4: an empty one included
            case "vote":
                assert self.voting is not None
                votes: set[Move] = {("vote", card, to) for _, card, to in self._plays_of(self.voting)}
                return votes | {("vote", None, None)}  # NPC-3
        raise AssertionError(f"{self.phase!r} is no phase")

    def _legal_on_its_turn(self, chariot: int) -> set[Move]:
        if self.must_crash(chariot):
            return {("crash",)}  # CRA-1
        usable = self._usable(chariot)
        waits = self.must_wait_for_the_alley(chariot, usable)
        plays = self._plays(chariot, usable, waits)
        if plays and self.is_riderless[chariot]:
            return {self._choose_riderless(chariot, plays)}
        moves = plays or self._misses(chariot, usable, waits)  # MOV-3, MOV-4
        if self.disqualified[chariot] and not self.is_riderless[chariot]:
            moves.add(("withdraw",))  # TRI-4
        return moves

    def _usable(self, chariot: int) -> set[int]:
        """The cards in hand, without barred sixes."""
        usable = set(self.hand[chariot])
        if 6 in usable and self.sixes_are_barred(chariot):
            usable.remove(6)  # SIX-1
        return usable

    def _plays_of(self, chariot: int) -> set[Move]:
        usable = self._usable(chariot)
        return self._plays(chariot, usable, self.must_wait_for_the_alley(chariot, usable))

    def _plays(self, chariot: int, usable: set[int], waits: bool) -> set[Move]:
        shuns_alley = self.is_riderless[chariot] and self.rules["riderless"] == "fill_no_tribute"
        space = self.position[chariot]
        assert space is not None
        ways = self.facts.ways(space, self.crossings[chariot], self._spaces_of(self.chariots))  # MOV-2
        moves: set[Move] = set()
        for card in usable:
            for to, crossings in ways[card].items():  # MOV-3: exactly the whole value
                if waits and self.facts.is_past(to, crossings):
                    continue  # TRI-3
                if shuns_alley and to in self.facts.alley:
                    continue  # AUS-5
                moves.add(("play", card, to))
        return moves

    def _misses(self, chariot: int, usable: set[int], waits: bool) -> set[Move]:
        """MOV-4: who cannot play misses, and under some rules must exchange a card of his choice."""
        if self.hand[chariot] and not usable:
            kind = "barred"  # SIX-3
        elif waits:
            kind = "waiting"  # TRI-3
        else:
            kind = "blocked"
        if self.is_riderless[chariot]:
            goes_under_the_deck = self.rules["riderless"] in FILLING  # NPC-2; NPC-1 throws it away or keeps it open
            return {("miss", kind, self.hand[chariot][0] if goes_under_the_deck else None)}
        missed_turn = self.rules["missed_turn"]
        exchanges = missed_turn == "exchange" or (missed_turn == "exchange_if_blocked" and kind != "barred")
        if exchanges and self.hand[chariot] and self.deck[chariot]:
            return {("miss", kind, card) for card in self.hand[chariot]}
        return {("miss", kind, None)}

    def _choose_riderless(self, chariot: int, plays: set[Move]) -> Move:
        """NPC-3: the one of its plays that the vote decided, or else the rule decides."""
        (card,) = self.hand[chariot]
        if self.voted_for is not None:
            return ("play", card, self.voted_for)
        start, crossings = self.position[chariot], self.crossings[chariot]
        assert start is not None
        ways = self.facts.ways(start, crossings, self._spaces_of(self.chariots), most=card)[card]
        return (
            "play",
            card,
            by_rule(
                self.facts,
                destinations={to: crossed for to, crossed in ways.items() if ("play", card, to) in plays},
                stops_to_pay=self.rules["riderless"] == "fill" and crossings == 1 and self.coin[chariot],
                drivers=[
                    (space, self.crossings[driver])
                    for driver in self.drivers
                    if self.status[driver] == "racing" and (space := self.position[driver]) is not None
                ],
            ),
        )

    def _crashed(self) -> list[int]:
        return [chariot for chariot in self.chariots if self.status[chariot] == "crashed"]

    def _spaces_of(self, chariots: Iterable[int]) -> set[Space]:
        return {space for chariot in chariots if (space := self.position[chariot]) is not None}

    # ---- before the first turn ----

    def _go_on_to_the_start(self) -> None:
        """AUS-1: the next decision before the first turn, each kind by all drivers in grid order; or that turn."""
        if self.rules["draw"] == "from_piles":
            for chariot in self.drivers:
                if self.rules["decks"] == "choice" and self.choice[chariot] is None:
                    self.turn, self.phase = chariot, "deck"
                    return
            for chariot in self.drivers:
                if self.rules["emperor_cards"] == "by_side":
                    self.emperor[chariot] = list(EMPERORS_CARDS[self.side])  # AUS-2
            for chariot in self.drivers:
                if self.piles[chariot] is None:
                    self.turn, self.phase = chariot, "sort"
                    return
            for chariot in self.drivers:
                if self._may_draw(chariot):
                    self.turn, self.phase = chariot, "draw"
                    return
        self.started = True
        self._begin_turn(0)

    def _cards_to_sort(self, chariot: int) -> tuple[int, ...]:
        """AUS-3: the deck chosen, or the standard one, without the emperor's cards."""
        return cards_of(self.choice[chariot] or "slow", self.emperor[chariot])

    def _piles_of(self, chariot: int) -> list[list[int]]:
        piles = self.piles[chariot]
        assert piles is not None, f"chariot {chariot} has no piles"
        return piles

    def _may_draw(self, chariot: int) -> bool:
        """AUS-3: the hand is short and a card left in a pile."""
        return len(self.hand[chariot]) < self.rules["hand"] and any(self._piles_of(chariot))

    # ---- decisions ----

    def apply(self, move: Move) -> None:
        """Carry out one decision: a turn, or one before, within or after it."""
        chariot = self.turn
        assert chariot is not None, "the race is over"
        if self.checked:
            assert _in_ascending_order(move) in self.legal(), (
                f"{move} is not among chariot {chariot}'s moves {self.legal()}"
            )
        if self.phase == "turn":
            self._take_turn(chariot, move)
            return
        match move:
            case ("deck", str(deck)):
                self.choice[chariot] = deck
                self._go_on_to_the_start()
            case ("sort", tuple(piles)):
                self.piles[chariot] = [list(pile) for pile in piles]
                self._go_on_to_the_start()
            case ("draw", int(pile)):
                self.hand[chariot] = sorted([*self.hand[chariot], self._piles_of(chariot)[pile].pop(0)])
                if not self.started:
                    self._go_on_to_the_start()
                elif not self._may_draw(chariot):
                    self._end_turn(chariot)
            case ("lay", int(pile)):
                self._piles_of(chariot)[pile].insert(0, self.emperor[chariot].pop())  # AUS-4: on top
                self._end_turn(chariot)
            case ("vote", _, (int() | str() | None) as to):
                self.votes.append(to)
                self._ask_for_votes()
            case _:
                raise AssertionError(f"{move!r} is no move of phase {self.phase}")

    # ---- a turn ----

    def _begin_turn(self, chariot: int) -> None:
        """A driver is asked; a riderless chariot's card is drawn, and maybe voted on."""
        self.turn, self.phase = chariot, "turn"
        if not self.is_riderless[chariot]:
            return
        self.voted_for = None
        self._draw_riderless(chariot)
        if self.rules["riderless_moves"] == "vote" and len(self._plays_of(chariot)) >= 2:
            self.voting, self.votes = chariot, []
            self._ask_for_votes()

    def _draw_riderless(self, chariot: int) -> None:
        if self.rules["riderless"] == "extra":
            if self.hand[chariot]:
                return  # NPC-1: its open six is tried again
            space = self.position[chariot]
            assert space is not None
            taken = self._spaces_of(self.chariots)
            if not self.facts.ways(space, self.crossings[chariot], taken, most=1)[1]:
                return  # NPC-1: with no free space to step to it draws none
        self._draw(chariot, 1)

    def _ask_for_votes(self) -> None:
        """NPC-3: every player, in grid order of their first chariots; then the riderless chariot moves."""
        if len(self.votes) < self.players:
            self.turn, self.phase = self.player.index(len(self.votes)), "vote"
            return
        distances = [-math.inf for _ in range(self.players)]
        for player in range(self.players):
            racing = [chariot for chariot in self.racing() if self.player[chariot] == player]
            if racing:
                distances[player] = min(self.remaining(chariot) for chariot in racing)
        self.voted_for = by_vote(self.votes, distances)
        self.turn, self.phase, self.voting = self.voting, "turn", None

    def _take_turn(self, chariot: int, move: Move) -> None:
        """Carry out one turn in the order of TURN-1."""
        self.turns_taken += 1
        claims = card_spent = False
        match move:
            case ("play", int(card), (int() | str()) as to):
                claims = self._play(chariot, card, to)
            case ("miss", str(kind), (int() | None) as exchanged):
                card_spent = self._miss(chariot, kind, exchanged)
            case ("crash",):
                self._leave(chariot, "crashed")
            case ("withdraw",):
                self._leave(chariot, "withdrawn")
            case _:
                raise AssertionError(f"{move!r} is no move")
        self._count_missed_turns(move[0], card_spent)
        if self.piles[chariot] is None:
            self._draw_after_turn(chariot)
        elif move[0] == "play" and self.status[chariot] == "racing":
            if claims and self.emperor[chariot]:
                self.phase = "lay"  # AUS-4: the 3 of side B
                return
            if not claims and self._may_draw(chariot):  # AUS-4: who claims takes a card instead of drawing
                self.phase = "draw"  # AUS-3
                return
        self._end_turn(chariot)

    def _end_turn(self, chariot: int) -> None:
        """The end of TURN-1: who has no card is out; then the next racing chariot, or the end of the race."""
        cards = self.hand[chariot] or self.deck[chariot] or any(self.piles[chariot] or [])
        if self.status[chariot] == "racing" and not cards:
            self._leave(chariot, "out")  # MOV-6, NPC-1, NPC-2, AUS-4
        self.ending = self._find_ending()
        if self.ending is None:
            self._begin_turn(self._next_racing(chariot))
        else:
            self.turn = self.phase = None

    def _play(self, chariot: int, card: int, to: Space) -> bool:
        """Move the chariot; whether it claims the emperor's cards."""
        self.hand[chariot].remove(card)
        start = self.position[chariot]
        assert start is not None
        taken = self._spaces_of(self.chariots)
        crossings = self.facts.ways(start, self.crossings[chariot], taken, most=card)[card][to]
        claims = False
        if self.coin[chariot] and (to, crossings) in self.facts.paying:
            self.coin[chariot] = False  # TRI-1
            claims = bool(self.emperor[chariot])
        if claims:
            self.hand[chariot] = sorted([*self.hand[chariot], self.emperor[chariot].pop(0)])  # AUS-4
        if self.coin[chariot] and self.facts.is_past(to, crossings) and self.rules["tribute"] != "optional":
            self.disqualified[chariot] = True  # TRI-4, TRI-5
        if to == HOME:
            self._leave(chariot, "home")  # END-1
            self.home_order.append(chariot)
        else:
            self.position[chariot] = to
        self.crossings[chariot] = crossings
        return claims

    def _miss(self, chariot: int, kind: str, exchanged: int | None) -> bool:
        """Whether a card was exchanged, put under the deck or thrown away."""
        if exchanged is not None:  # Words, exchange: under the deck first, then from its top
            self.hand[chariot].remove(exchanged)
            self.deck[chariot].append(exchanged)
            if not self.is_riderless[chariot]:  # NPC-2: the next card is drawn on its next turn
                self._draw(chariot, len(self.hand[chariot]) + 1)
            return True
        if self.is_riderless[chariot] and self.hand[chariot] and kind != "barred":
            self.hand[chariot].clear()  # NPC-1: a card that cannot be used is thrown away
            return True
        return False

    def _leave(self, chariot: int, status: str) -> None:
        """The chariot races no more; what NEXT-3 asks is noted."""
        self.left_at[chariot] = self.turns_taken
        self.left_with[chariot] = 0 if status == "home" else self.remaining(chariot)
        self.status[chariot] = status
        if status != "crashed":  # CRA-1: a crashed one blocks its space
            self.position[chariot] = None

    def _draw(self, chariot: int, size: int | None = None) -> None:
        """MOV-1: up to the size of a hand, or what is left."""
        wanted = self.rules["hand"] if size is None else size
        while len(self.hand[chariot]) < wanted and self.deck[chariot]:
            self.hand[chariot].append(self.deck[chariot].pop(0))
        self.hand[chariot].sort()

    def _draw_after_turn(self, chariot: int) -> None:
        """MOV-1: at once, or every driver when the last racing chariot in grid order has had its turn."""
        racing = self.racing()
        if self.rules["draw"] == "at_once":
            if chariot in racing and not self.is_riderless[chariot]:
                self._draw(chariot)
        elif self.rules["draw"] == "end_of_round" and not any(other > chariot for other in racing):
            for other in racing:
                if not self.is_riderless[other]:
                    self._draw(other)

    def _next_racing(self, chariot: int) -> int:
        """TURN-1, SET-3: the next racing chariot in grid order, all race long."""
        racing = self.racing()
        return min(racing, key=lambda other: (other <= chariot, other))

    # ---- the end ----

    def _count_missed_turns(self, kind: object, card_spent: bool) -> None:
        """END-4: a miss counts, as kept if no card was exchanged or spent; all else starts the counts again."""
        if kind != "miss":
            self.kept = self.idle = 0
        elif card_spent:
            self.kept = 0
            self.idle += 1
        else:
            self.kept += 1
            self.idle += 1
        if kind == "play":
            self.ban_lifted = False

    def _may_take_a_place(self, chariot: int) -> bool:
        """END-2: not a disqualified one; NPC-1: nor an `extra` one; NPC-2: but those that fill the grid."""
        if self.is_riderless[chariot] and self.rules["riderless"] == "extra":
            return False
        return not self.disqualified[chariot]

    def _find_ending(self) -> str | None:
        """How this turn ended the race, if it did; else whether it lifts the ban on sixes (END-4)."""
        racing = self.racing()
        if self.facts.cuts(self._spaces_of(self._crashed())):
            return "crash_cut"  # CRA-1
        if all(self.disqualified[chariot] or self.is_riderless[chariot] for chariot in racing):
            return "finished"  # END-3: no driver's chariot left that can still take a place
        if self.rules["race_ends"] == "first_home" and any(map(self._may_take_a_place, self.home_order)):
            return "finished"  # END-3, 004; NPC-4
        if self.ban_lifted and self.idle >= len(racing):
            return "stalled"  # END-4
        if not self.ban_lifted and (self.kept >= len(racing) or self.idle >= 25 * len(racing)):
            self.ban_lifted = True  # END-4
            self.idle = 0
        return None

    def places(self) -> list[int]:
        """The chariots that take a place, in order (END-2, END-3)."""
        assert self.turn is None, "the race is not over"
        if self.ending == "crash_cut":
            return []  # CRA-1
        home = [chariot for chariot in self.home_order if self._may_take_a_place(chariot)]  # END-2
        if self.rules["race_ends"] == "all_home" or not home:  # END-3: nobody home, nobody scores
            return home
        winner = home[0]
        others = [chariot for chariot in self.racing() if self._may_take_a_place(chariot)]
        others.sort(key=lambda chariot: (self.remaining(chariot), (chariot - winner) % len(self.chariots)))
        return home + others  # END-3, 004: by remaining distance, equals by turn order after the winner

    def laurels(self) -> list[int]:
        """END-2: the laurels of each chariot; NPC-2: those of a riderless chariot's place go to nobody."""
        won = [0 for _ in self.chariots]
        for chariot, laurels in zip(self.places(), self.rules["laurels"], strict=False):
            won[chariot] = 0 if self.is_riderless[chariot] else laurels
        return won

    def arrivals(self) -> list[int]:
        """NEXT-3: those with a place, the drivers' others, the drivers' disqualified."""
        placed = self.places()
        without = [chariot for chariot in self.drivers if chariot not in placed]
        others = [chariot for chariot in without if not self.disqualified[chariot]]
        disqualified = [chariot for chariot in without if self.disqualified[chariot]]
        return placed + self._without_place(others) + self._without_place(disqualified)

    def _without_place(self, group: list[int]) -> list[int]:
        """NEXT-3: home in order of arrival; then by remaining distance, who left later, turn order."""

        def standing(chariot: int) -> tuple[int, float, int]:
            if self.status[chariot] == "racing":  # left last of all
                return self.remaining(chariot), -math.inf, chariot
            return self.left_with[chariot], -self.left_at[chariot], chariot

        home = [chariot for chariot in self.home_order if chariot in group]
        return home + sorted((chariot for chariot in group if chariot not in home), key=standing)


def _in_ascending_order(move: Move) -> Move:
    """A sorting as `legal` has it, its piles not shuffled; any other move as it is."""
    if move[0] != "sort":
        return move
    _, piles = move
    assert isinstance(piles, tuple), f"{piles!r} are no piles"
    return ("sort", tuple(tuple(sorted(pile)) for pile in piles))
