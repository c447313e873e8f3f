"""One race, refereed by RULES.md alone: `CourseFacts` measures the course, `RefereeRace` the drivers.

Written to be compared with the clauses in the comments, line by line. It may know nothing of the package.
"""

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, TypeAlias

Space: TypeAlias = int | str
State: TypeAlias = tuple[Space, int]  # a space, and the crossings of a chariot there
Move: TypeAlias = tuple[str | int | None, ...]
Ways: TypeAlias = list[dict[Space, int]]  # by number of steps: the spaces reached, with the crossings on arrival

LAPS = 3  # COU-2
HOME = "home"  # a destination like a space, with LAPS + 1 crossings

KNOWN_VALUES: dict[str, set[Any]] = {
    "hand": {1, 2, 3, 4, 5, 6},
    "draw": {"at_once", "end_of_round"},
    "missed_turn": {"keep", "exchange_if_blocked", "exchange"},
    "first_six": {"exempt", "barred"},
    "narrow_exception": {"bottleneck", "none"},
    "tied_exception": {"if_cutting", "always", "none"},
    "tribute": {"required", "dishonour", "optional"},
    "race_ends": {"all_home", "first_home"},
    "crash": {"yes", "no"},
}


class CourseFacts:
    """What RULES.md asks of a course, worked out from its steps alone; one object serves all its races."""

    def __init__(self, export: Mapping[str, Any]) -> None:
        assert export["laps"] == LAPS, f"a race is {LAPS} laps (COU-2), not {export['laps']}"
        self.grid: list[Space] = list(export["grid"])
        self.steps: dict[Space, list[tuple[Space, bool]]] = {
            space["id"]: [(step["to"], bool(step["line"])) for step in space["steps"]] for space in export["spaces"]
        }
        self.alley: set[Space] = {space["id"] for space in export["spaces"] if space["alley"]}
        self._known_cuts: dict[frozenset[Space], bool] = {}
        self._check_the_course()

        self.states_before = self._find_states_before()
        # Words, remaining(space, crossings): tribute ignored
        self.remaining: dict[State, int] = self._distances_to([(HOME, LAPS + 1)])
        # Words: a bottleneck is a space that cuts the course alone
        self.bottlenecks: set[Space] = {space for space in self.steps if self.cuts([space])}
        # TRI-1: a stop pays before the line with 1 or 2 crossings, beyond it with 2 or 3
        self.alley_before_line: set[Space] = {space for space in self.alley if self._line_lies_ahead(space)}
        self.alley_beyond_line: set[Space] = self.alley - self.alley_before_line
        self.paying: set[State] = {(space, crossings) for space in self.alley_before_line for crossings in (1, 2)}
        self.paying |= {(space, crossings) for space in self.alley_beyond_line for crossings in (2, 3)}
        # TRI-3: everything else is past
        self.not_past: set[State] = set(self._distances_to(self.paying))

    def ways(self, space: Space, crossings: int, taken: set[Space], most: int = 6) -> Ways:
        """Where 0, 1, 2 ... `most` steps lead from a space when the `taken` spaces are closed."""
        ways: Ways = [{space: crossings}]
        for _ in range(most):
            reached: dict[Space, int] = {}
            for here, crossed in ways[-1].items():
                if here == HOME:
                    reached[HOME] = crossed  # MOV-5: any number of steps past the end
                    continue
                for to, line in self.steps[here]:
                    if crossed + line > LAPS:
                        reached[HOME] = crossed + line  # MOV-5: what stands beyond the line no longer counts
                    elif to not in taken:
                        reached[to] = crossed + line  # MOV-2
            ways.append(reached)
        return ways

    def is_past(self, space: Space, crossings: int) -> bool:
        """TRI-3: no paying stop can be reached from there any more (nor from home)."""
        return (space, crossings) not in self.not_past

    def cuts(self, spaces: Iterable[Space]) -> bool:
        """Words: no way round, the alley included, avoids all these spaces."""
        closed = frozenset(spaces)
        if closed not in self._known_cuts:
            self._known_cuts[closed] = not self._leads_on_for_ever(closed, may_cross_line=True)
        return self._known_cuts[closed]

    def _leads_on_for_ever(self, closed: frozenset[Space], may_cross_line: bool) -> bool:
        """Whether a way round is left: take off dead ends until none is left, and see what remains."""
        left = set(self.steps) - closed
        while True:
            dead_ends = {
                space
                for space in left
                if not any(to in left and (may_cross_line or not line) for to, line in self.steps[space])
            }
            if not dead_ends:
                return bool(left)
            left -= dead_ends

    def _line_lies_ahead(self, space: Space) -> bool:
        """Whether a chariot in the alley has yet to cross the line on its way through and out of it."""
        return any(line or (to in self.alley and self._line_lies_ahead(to)) for to, line in self.steps[space])

    def _find_states_before(self) -> dict[State, list[State]]:
        """For each state those one step before it, on an empty course."""
        before: dict[State, list[State]] = {}
        for crossings in range(LAPS + 1):
            for space in self.steps:
                for to, crossed in self.ways(space, crossings, set(), most=1)[1].items():
                    before.setdefault((to, crossed), []).append((space, crossings))
        return before

    def _distances_to(self, goals: Iterable[State]) -> dict[State, int]:
        """The fewest steps to the nearest of the goals, from each state that can still reach one."""
        distances = dict.fromkeys(goals, 0)
        newest = list(distances)
        steps = 0
        while newest:
            steps += 1
            previous = {state for goal in newest for state in self.states_before.get(goal, [])}
            newest = [state for state in previous if state not in distances]
            distances.update(dict.fromkeys(newest, steps))
        return distances

    def _check_the_course(self) -> None:
        assert HOME not in self.steps, f"no space may be called {HOME!r}"
        assert set(self.grid) <= set(self.steps), "a place of the grid is not a space"
        assert all(to in self.steps for steps in self.steps.values() for to, _ in steps), "a step leads nowhere"
        assert self._leads_on_for_ever(frozenset(), may_cross_line=True), "the course does not lead round"
        assert not self._leads_on_for_ever(frozenset(), may_cross_line=False), "one can go round without the line"
        # A move names only its destination: that must tell the crossings, and no move may lead a whole lap.
        for space in self.steps:
            crossings_at: dict[Space, int] = {}
            for reached in self.ways(space, 0, set()):
                for to, crossed in reached.items():
                    assert crossings_at.setdefault(to, crossed) == crossed, f"the way from {space} to {to} is ambiguous"


class RefereeRace:
    """A race of one to six chariots, numbered from 0 in grid order; its fields are its state, open to all."""

    def __init__(
        self,
        facts: CourseFacts,
        rules: Mapping[str, Any],
        decks: Sequence[Sequence[int]],
        checked: bool = True,
    ) -> None:
        for option, values in KNOWN_VALUES.items():
            assert rules[option] in values, f"option {option} is {rules[option]!r}, expected one of {values}"
        assert 1 <= len(decks) <= len(facts.grid), f"{len(decks)} decks for a grid of {len(facts.grid)} places"
        self.facts = facts
        self.rules = rules
        self.checked = checked
        self.chariots = range(len(decks))

        self.position: list[Space | None] = list(facts.grid[: len(decks)])
        self.crossings = [0 for _ in decks]
        self.coin = [True for _ in decks]  # still has it
        self.status = ["racing" for _ in decks]
        self.disqualified = [False for _ in decks]
        self.deck = [list(deck) for deck in decks]
        self.hand: list[list[int]] = [[] for _ in decks]

        self.turn: int | None = 0
        self.turns_taken = 0
        self.ban_lifted = False  # END-4
        self.kept = 0  # END-4: missed turns on end without an exchange
        self.idle = 0  # END-4: missed turns on end
        self.ending: str | None = None  # "finished", "crash_cut" or "stalled", once turn is None
        self.home_order: list[int] = []
        self.left_at: dict[int, int] = {}  # NEXT-3: the number of the turn on which a chariot left the race
        self.left_with: dict[int, int] = {}  # NEXT-3: its remaining distance where it stood

        for chariot in self.chariots:
            self._draw(chariot)  # SET-3

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
        """SIX-8: every card in hand is a six, however short the hand."""
        return set(self.hand[chariot]) == {6}

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
        if len(leaders) < 2 or not all(self.holds_only_sixes(leader) for leader in leaders):  # SIX-5
            return False
        if self.rules["tied_exception"] == "if_cutting":
            return self.facts.cuts(self._spaces_of(leaders))
        return bool(self.rules["tied_exception"] == "always")

    def sixes_are_barred(self, chariot: int) -> bool:
        """Words, barred: SIX-1 forbids the six at this moment, SIX-2 and SIX-4 to SIX-7 considered."""
        leaders = self.leaders()
        return self.is_under_the_ban(chariot, leaders) and not self.may_play_six_all_the_same(chariot, leaders)

    def must_crash(self, chariot: int) -> bool:
        """CRA-1: SIX-2, SIX-6 and SIX-7 excepted, SIX-4 and SIX-5 not."""
        if self.rules["crash"] == "no" or not self.holds_only_sixes(chariot):
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
        """Every move of the chariot whose turn it is."""
        chariot = self.turn
        assert chariot is not None, "the race is over"
        if self.must_crash(chariot):
            return {("crash",)}  # CRA-1
        usable = set(self.hand[chariot])
        if 6 in usable and self.sixes_are_barred(chariot):
            usable.remove(6)  # SIX-1
        waits = self.must_wait_for_the_alley(chariot, usable)
        moves = self._plays(chariot, usable, waits) or self._misses(chariot, usable, waits)  # MOV-3, MOV-4
        if self.disqualified[chariot]:
            moves.add(("withdraw",))  # TRI-4
        return moves

    def _plays(self, chariot: int, usable: set[int], waits: bool) -> set[Move]:
        space = self.position[chariot]
        assert space is not None
        ways = self.facts.ways(space, self.crossings[chariot], self._spaces_of(self.chariots))  # MOV-2
        moves: set[Move] = set()
        for card in usable:
            for to, crossings in ways[card].items():  # MOV-3: exactly the whole value
                if waits and self.facts.is_past(to, crossings):
                    continue  # TRI-3
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
        missed_turn = self.rules["missed_turn"]
        exchanges = missed_turn == "exchange" or (missed_turn == "exchange_if_blocked" and kind != "barred")
        if exchanges and self.hand[chariot] and self.deck[chariot]:
            return {("miss", kind, card) for card in self.hand[chariot]}
        return {("miss", kind, None)}

    def _crashed(self) -> list[int]:
        return [chariot for chariot in self.chariots if self.status[chariot] == "crashed"]

    def _spaces_of(self, chariots: Iterable[int]) -> set[Space]:
        return {space for chariot in chariots if (space := self.position[chariot]) is not None}

    # ---- a turn ----

    def apply(self, move: Move) -> None:
        """Carry out one turn in the order of TURN-1."""
        chariot = self.turn
        assert chariot is not None, "the race is over"
        if self.checked:
            assert move in self.legal(), f"{move} is not among chariot {chariot}'s moves {self.legal()}"
        self.turns_taken += 1

        match move:
            case ("play", int(card), (int() | str()) as to):
                self._play(chariot, card, to)
            case ("miss", _, exchanged):
                self._miss(chariot, exchanged)
            case ("crash",):
                self._leave(chariot, "crashed")
            case ("withdraw",):
                self._leave(chariot, "withdrawn")
            case _:
                raise AssertionError(f"{move!r} is no move")
        self._draw_after_turn(chariot)
        if self.status[chariot] == "racing" and not self.hand[chariot] and not self.deck[chariot]:
            self._leave(chariot, "out")  # MOV-6
        self._count_missed_turns(move)
        self.ending = self._find_ending()
        self.turn = self._next_racing(chariot) if self.ending is None else None

    def _play(self, chariot: int, card: int, to: Space) -> None:
        self.hand[chariot].remove(card)
        start = self.position[chariot]
        assert start is not None
        taken = self._spaces_of(self.chariots)
        crossings = self.facts.ways(start, self.crossings[chariot], taken, most=card)[card][to]
        if self.coin[chariot] and (to, crossings) in self.facts.paying:
            self.coin[chariot] = False  # TRI-1
        if self.coin[chariot] and self.facts.is_past(to, crossings) and self.rules["tribute"] != "optional":
            self.disqualified[chariot] = True  # TRI-4, TRI-5
        if to == HOME:
            self._leave(chariot, "home")  # END-1
            self.home_order.append(chariot)
        else:
            self.position[chariot] = to
        self.crossings[chariot] = crossings

    def _miss(self, chariot: int, exchanged: str | int | None) -> None:
        if exchanged is not None:  # Words, exchange: under the deck first, then from its top
            assert isinstance(exchanged, int)
            self.hand[chariot].remove(exchanged)
            self.deck[chariot].append(exchanged)
            self._draw(chariot, len(self.hand[chariot]) + 1)

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
        """MOV-1: at once, or everybody when the last racing chariot in grid order has had its turn."""
        racing = self.racing()
        if self.rules["draw"] == "at_once":
            if chariot in racing:
                self._draw(chariot)
        elif not any(other > chariot for other in racing):
            for other in racing:
                self._draw(other)

    def _next_racing(self, chariot: int) -> int:
        """TURN-1, SET-3: the next racing chariot in grid order, all race long."""
        racing = self.racing()
        return min(racing, key=lambda other: (other <= chariot, other))

    # ---- the end ----

    def _count_missed_turns(self, move: Move) -> None:
        """END-4: a miss counts, as kept if no card was exchanged; everything else starts the counts again."""
        if move[0] != "miss":
            self.kept = self.idle = 0
        elif move[2] is None:
            self.kept += 1
            self.idle += 1
        else:
            self.kept = 0
            self.idle += 1
        if move[0] == "play":
            self.ban_lifted = False

    def _find_ending(self) -> str | None:
        """How this turn ended the race, if it did; else whether it lifts the ban on sixes (END-4)."""
        racing = self.racing()
        if self.facts.cuts(self._spaces_of(self._crashed())):
            return "crash_cut"  # CRA-1
        if all(self.disqualified[chariot] for chariot in racing):
            return "finished"  # END-3: nobody left that can still take a place
        if self.rules["race_ends"] == "first_home" and any(
            not self.disqualified[chariot] for chariot in self.home_order
        ):
            return "finished"  # END-3, 004
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
        home = [chariot for chariot in self.home_order if not self.disqualified[chariot]]  # END-2
        if self.rules["race_ends"] == "all_home" or not home:  # END-3: nobody home, nobody scores
            return home
        winner = home[0]
        others = [chariot for chariot in self.racing() if not self.disqualified[chariot]]
        others.sort(key=lambda chariot: (self.remaining(chariot), (chariot - winner) % len(self.chariots)))
        return home + others  # END-3, 004: by remaining distance, equals by turn order after the winner

    def laurels(self) -> list[int]:
        """END-2: the laurels of each chariot."""
        won = [0 for _ in self.chariots]
        for chariot, laurels in zip(self.places(), self.rules["laurels"], strict=False):
            won[chariot] = laurels
        return won

    def arrivals(self) -> list[int]:
        """NEXT-3: all chariots: those with a place, the others, the disqualified."""
        placed = self.places()
        others = [chariot for chariot in self.chariots if chariot not in placed and not self.disqualified[chariot]]
        disqualified = [chariot for chariot in self.chariots if self.disqualified[chariot]]
        return placed + self._without_place(others) + self._without_place(disqualified)

    def _without_place(self, group: list[int]) -> list[int]:
        """NEXT-3: home in order of arrival; then by remaining distance, who left later, turn order."""

        def standing(chariot: int) -> tuple[int, float, int]:
            if self.status[chariot] == "racing":  # left last of all
                return self.remaining(chariot), -math.inf, chariot
            return self.left_with[chariot], -self.left_at[chariot], chariot

        home = [chariot for chariot in self.home_order if chariot in group]
        return home + sorted((chariot for chariot in group if chariot not in home), key=standing)
