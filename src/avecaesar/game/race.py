"""A race for people: readable state over one record of the kernel, which knows the rules."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from typing import overload

import numpy as np

from avecaesar.courses import Course, Direction, load_course
from avecaesar.game.infraction import IllegalMove, Infraction, explain
from avecaesar.game.moves import (
    Crash,
    Destination,
    InvalidMove,
    Miss,
    Move,
    Play,
    Withdraw,
    from_number,
    to_number,
)
from avecaesar.game.view import Chariot, MissReason, Outlook, Status, Turn, View
from avecaesar.kernel import playout, sight, tables
from avecaesar.kernel import records as k
from avecaesar.rules import CARD_VALUES, DECK, Rules, RulesError, check_playable, edition

STATUS: tuple[Status, ...] = ("racing", "home", "out of cards", "crashed", "withdrawn")
REASONS: tuple[MissReason, ...] = ("blocked", "barred", "waiting")
MOVES = (Play, Miss, Withdraw, Crash)
NAMES = ("Aulus", "Brutus", "Cato", "Drusus", "Ennius", "Flavia")
COLOURS = ("red", "blue", "green", "yellow", "white", "black")


def shuffled_deck(source: random.Random) -> list[int]:
    """A full deck in random order, first drawn first."""
    return source.sample(DECK, len(DECK))


def random_source(seed: int | None, *part: int) -> random.Random:
    """Randomness that decides a game: the operating system's, unless a seed asks for repeatable races.

    A `part` (a race's number, a seat …) has a stream of its own, so that a game can be taken up in the middle.
    """
    if seed is not None and not (type(seed) is int and seed >= 0):
        raise RulesError(f"a seed is a whole number from 0 on, not {seed!r}")
    if seed is None:
        return random.SystemRandom()
    return random.Random("/".join(map(str, (seed, *part))) if part else seed)


class LegalMoves:
    """The legal moves of a race as they are now: iterate, count, or ask whether one is among them."""

    def __init__(self, race: Race) -> None:
        self._race = race

    def __iter__(self) -> Iterator[Move]:
        return iter(self._race._list_moves())

    def __getitem__(self, index: int) -> Move:
        return self._race._list_moves()[index]

    def __len__(self) -> int:
        return len(self._race._list_moves())

    def __bool__(self) -> bool:
        return not self._race.over

    def __contains__(self, move: object) -> bool:
        return isinstance(move, MOVES) and self._race.why_not(move) is None

    def __repr__(self) -> str:
        return f"<LegalMoves {list(self)}>"


class Race:
    """One race, from the grid to the last laurel.

    Drivers are numbered from 0 in grid order: these are the seats.

    >>> race = Race("white", ["Livia", "Marcus", "Titus"], seed=2)
    >>> race.view(0).hand
    (1, 1, 6)
    >>> race.legal_moves
    <LegalMoves [Play(card=1, to=2), Play(card=1, to=3), Play(card=6, to=14)]>
    >>> race.play(6, to="N1a")
    >>> race.turn
    1
    >>> race.play(6, to="N1a")
    Traceback (most recent call last):
    ...
    avecaesar.game.infraction.IllegalMove: You hold no 6. (MOV-1)
    """

    def __init__(
        self,
        course: str | Course = "white",
        drivers: int | Sequence[str] = 4,
        *,
        direction: Direction | None = None,
        edition: str | None = None,
        options: Mapping[str, object] | None = None,
        rules: Rules | None = None,
        decks: Sequence[Sequence[int]] | None = None,
        seed: int | None = None,
    ) -> None:
        self.course = _course(course, direction)
        self.names = names_of(drivers)
        self.rules = rules_of(edition, options, rules)
        check_playable(self.rules, len(self.names))
        if decks is None:
            source = random_source(seed)
            decks = [shuffled_deck(source) for _ in self.names]
        self._decks = _checked_decks(decks, len(self.names))
        self._course_table = tables.course_table(self.course)
        self._rules_table = tables.rules_table(self.rules)
        self._races = tables.new_races(1)
        self._fields = {name: self._races[name] for name in k.RACE.names or ()}
        self._history: list[Turn] = []
        self._public: list[Turn] = []  # the same turns as the others see them
        tables.deal(self._races, 0, self._decks)
        playout.begin_race(self._course_table, self._rules_table, self._races, 0, len(self.names))

    def __repr__(self) -> str:
        state = "over" if self.over else f"{self.names[self.turn or 0]}'s turn"
        return f"<Race on {self.course}, {len(self.names)} chariots, {state}>"

    # ------------------------------------------------------------------ where it stands

    def _all(self, field: str) -> list[int]:
        values: list[int] = self._fields[field][0].tolist()
        return values[: len(self.names)]

    def _one(self, field: str) -> int:
        return int(self._fields[field][0])

    @property
    def turn(self) -> int | None:
        """The seat whose turn it is; None when the race is over."""
        return None if self.over else self._one("turn")

    @property
    def over(self) -> bool:
        """Whether the race is over."""
        return self._one("phase") == k.OVER

    @property
    def leaders(self) -> frozenset[int]:
        """The seats that lead, and so may not play a 6; none once a chariot is home."""
        return self._seats(playout.leading(self._races, 0))

    @property
    def banned(self) -> frozenset[int]:
        """The leaders to whom the ban on sixes applies at this moment, whatever they hold (SIX-1)."""
        return self._seats(playout.banned(self._rules_table, self._races, 0))

    def _seats(self, bits: int) -> frozenset[int]:
        return frozenset(seat for seat in range(len(self.names)) if int(bits) >> seat & 1)

    @property
    def arrivals(self) -> tuple[int, ...]:
        """Once the race is over: all seats in order of arrival (NEXT-3)."""
        return tuple(self._all("order")) if self.over else ()

    @property
    def places(self) -> tuple[int | None, ...]:
        """Once the race is over: each seat's place, 1 for the winner, None for who takes none."""
        return tuple(place or None for place in self._all("place"))

    @property
    def laurels(self) -> tuple[int, ...]:
        """Each seat's laurels, once the race is over."""
        return tuple(self._all("laurels"))

    @property
    def disqualified(self) -> frozenset[int]:
        """The seats that went past the alley with their coin (TRI-4)."""
        return frozenset(seat for seat, yes in enumerate(self._all("disqualified")) if yes)

    @property
    def history(self) -> tuple[Turn, ...]:
        """All turns taken, with everything that only their drivers knew: the referee's own log."""
        return tuple(self._history)

    @property
    def decks(self) -> tuple[tuple[int, ...], ...]:
        """The deal, first drawn first, in grid order: nobody's to know before the race is over."""
        return self._decks

    # ------------------------------------------------------------------ moving

    @property
    def legal_moves(self) -> LegalMoves:
        """What the driver on turn may do: a live view, never empty while the race is on."""
        return LegalMoves(self)

    def _list_moves(self) -> list[Move]:
        moves = np.empty(k.MOST_MOVES, np.int64)
        count = playout.list_moves(self._course_table, self._races, 0, moves)
        return [from_number(number) for number in moves[:count].tolist()]

    @overload
    def play(self, move: Move) -> None: ...
    @overload
    def play(self, move: int, to: Destination | str) -> None: ...
    def play(self, move: Move | int, to: Destination | str | None = None) -> None:
        """Make a move: `play(Play(3, 8))`, or a card and where to: `play(3, to=8)`, `play(3, to="S8a")`."""
        chosen = self._move(move, to)
        reason = self._miss_reason() if isinstance(chosen, Miss) else None
        seat = self.turn
        verdict = playout.step(self._course_table, self._rules_table, self._races, 0, to_number(chosen))
        if verdict != k.ALLOWED:
            raise IllegalMove(self._infraction(verdict, chosen))
        exchanged = isinstance(chosen, Miss) and chosen.exchange is not None
        assert seat is not None
        self._history.append(Turn(seat, chosen, exchanged, reason))
        self._public.append(Turn(seat, None if isinstance(chosen, Miss) else chosen, exchanged))

    def _move(self, move: Move | int, to: Destination | str | None) -> Move:
        if isinstance(move, MOVES) and to is None:
            return move
        if isinstance(move, MOVES) or to is None:
            raise InvalidMove(f"{move!r}, to={to!r} is not a move; say for instance play(3, to='S8a')")
        if isinstance(to, str) and to != "home":
            try:
                return Play(move, self.course.space(to).id)
            except KeyError as error:
                raise InvalidMove(error.args[0]) from None
        return Play(move, to)  # type: ignore[arg-type]  # the str left is "home"

    def why_not(self, move: Move | int, to: Destination | str | None = None) -> Infraction | None:
        """Why the driver on turn may not make this move, given as to `play`; None if he may."""
        chosen = self._move(move, to)
        verdict = playout.judge(self._course_table, self._races, 0, to_number(chosen))
        return None if verdict == k.ALLOWED else self._infraction(verdict, chosen)

    def _infraction(self, verdict: int, move: Move) -> Infraction:
        card = move.card if isinstance(move, Play) else (move.exchange or 0) if isinstance(move, Miss) else 0
        to = move.to if isinstance(move, Play) else "home"
        known = to == "home" or to < len(self.course.spaces)
        return explain(verdict, card, "home" if to == "home" or not known else self.course.spaces[to].name)

    def _miss_reason(self) -> MissReason | None:
        return REASONS[self._one("miss")] if self._one("phase") == k.MISS else None

    # ------------------------------------------------------------------ who may know what

    def view(self, seat: int | None = None) -> View:
        """What one seat may know, or a spectator if none is named."""
        if seat is not None and not (type(seat) is int and 0 <= seat < len(self.names)):
            raise ValueError(f"there is no seat {seat!r}; the seats are 0 to {len(self.names) - 1}, None watches")
        mine = seat is not None and seat == self.turn
        return View(
            course=self.course,
            rules=self.rules,
            seat=seat,
            turn=self.turn,
            chariots=self._chariots(),
            leaders=self.leaders,
            banned=self.banned,
            ban_lifted=bool(self._one("ban_lifted")),
            history=self._seen_by(seat),
            hand=() if seat is None else self._hand(seat),
            undrawn=() if seat is None else _counts(self._deck(seat)),
            bottom=() if seat is None else self._bottom(seat),
            legal_moves=tuple(self._list_moves()) if mine else (),
            outlooks=self._outlooks(seat) if mine and seat is not None else {},
            refusals=self._refusals(seat) if mine and seat is not None else {},
            arrivals=self.arrivals,
            laurels=self.laurels,
            decks=self._decks if self.over else None,
            known=self._known(seat),
        )

    def _seen_by(self, seat: int | None) -> tuple[Turn, ...]:
        """The turns so far: of somebody else's miss only that, and whether he exchanged."""
        if self.over:
            return self.history
        turns = zip(self._history, self._public, strict=True)
        return tuple([own if own.seat == seat else public for own, public in turns])

    def _known(self, seat: int | None) -> tables.Records:
        known = tables.new_races(1)
        sight.redact_race(self._races, 0, k.NOBODY if seat is None else seat, known)
        return known

    def _chariots(self) -> tuple[Chariot, ...]:
        columns = (
            "space", "crossings", "coin", "status", "disqualified", "remaining", "held", "undrawn", "arrival", "place"
        )  # fmt: skip
        rows = zip(*(self._all(column) for column in columns), strict=True)
        return tuple(
            Chariot(
                name=name,
                space=None if STATUS[status] not in ("racing", "crashed") else space,
                crossings=crossings,
                coin=bool(coin),
                status=STATUS[status],
                disqualified=bool(disqualified),
                remaining=remaining,
                hand_size=held,
                deck_size=undrawn,
                unseen=_counts([*self._hand(seat), *self._deck(seat)]),
                arrival=arrival or None,
                place=place or None,
            )
            for seat, (name, row) in enumerate(zip(self.names, rows, strict=True))
            for space, crossings, coin, status, disqualified, remaining, held, undrawn, arrival, place in [row]
        )

    def _hand(self, seat: int) -> tuple[int, ...]:
        packed = self._all("hand")[seat]
        return tuple(value for value in CARD_VALUES for _ in range(packed >> 4 * value & 15))

    def _deck(self, seat: int) -> list[int]:
        top, undrawn = self._all("top")[seat], self._all("undrawn")[seat]
        ring: list[int] = self._fields["deck"][0][seat].tolist()
        return [ring[(top + i) % len(ring)] for i in range(undrawn)]

    def _bottom(self, seat: int) -> tuple[int, ...]:
        deck = self._deck(seat)
        return tuple(deck[len(deck) - self._all("known")[seat] :])

    def _outlooks(self, seat: int) -> dict[Play, Outlook]:
        """What each play would do to its own chariot, found by making it on a copy of the race."""
        before, coin = self._all("remaining")[seat], self._all("coin")[seat]
        disqualified = self._all("disqualified")[seat]
        outlooks = {}
        for play in self._list_moves():
            if isinstance(play, Play):
                twin = _twin(self._races)
                playout.step(self._course_table, self._rules_table, twin, 0, to_number(play))
                remaining = int(twin["remaining"][0][seat])
                outlooks[play] = Outlook(
                    remaining=remaining,
                    wasted=0 if play.to == "home" else play.card - (before - remaining),
                    pays=bool(coin > twin["coin"][0][seat]),
                    disqualifies=bool(twin["disqualified"][0][seat] > disqualified),
                )
        return outlooks

    def _refusals(self, seat: int) -> dict[int, Infraction]:
        """For each card in hand that cannot be played at all, the reason that weighs most."""
        playable = {move.card for move in self._list_moves() if isinstance(move, Play)}
        return {card: self._refusal(seat, card) for card in sorted(set(self._hand(seat)) - playable)}

    def _refusal(self, seat: int, card: int) -> Infraction:
        here = self._all("space")[seat]
        window = int(self._course_table["reach"][0][here, card])  # as far as the card goes on an empty course
        spaces = [
            (here + ahead) % len(self.course.spaces) for ahead in range(window.bit_length()) if window >> ahead & 1
        ]
        moves = [Play(card, "home"), *(Play(card, to) for to in spaces)]
        verdicts = {playout.judge(self._course_table, self._races, 0, to_number(move)): move for move in moves}
        for verdict in (k.REFUSED_MUST_CRASH, k.REFUSED_SIX, k.REFUSED_TRIBUTE):
            if verdict in verdicts:
                return self._infraction(verdict, verdicts[verdict])
        return Infraction("MOV-3", f"Other chariots stand in the way: your {card} cannot be moved in full.")

    def copy(self) -> Race:
        """An independent copy of the race as it stands."""
        twin = object.__new__(Race)
        twin.__dict__.update(self.__dict__)
        twin._races = _twin(self._races)
        twin._fields = {name: twin._races[name] for name in self._fields}
        twin._history = list(self._history)
        twin._public = list(self._public)
        return twin


def _twin(races: tables.Records) -> tables.Records:
    """A copy by its bytes: NumPy would copy field by field."""
    return np.frombuffer(bytearray(races.tobytes()), races.dtype)


def _counts(cards: Sequence[int]) -> tuple[int, ...]:
    return tuple(cards.count(value) for value in CARD_VALUES)


def _course(course: str | Course, direction: Direction | None) -> Course:
    if not isinstance(course, Course):
        return load_course(course, direction or "clockwise")
    if direction not in (None, course.direction):
        raise RulesError(f"this course is compiled {course.direction}; load it again to race it {direction}")
    return course


def names_of(drivers: int | Sequence[str]) -> tuple[str, ...]:
    """The drivers' names; a number stands for so many with names of ours."""
    if isinstance(drivers, int) and not isinstance(drivers, bool):
        if not 1 <= drivers <= len(NAMES):
            raise RulesError(f"a race is run by 1 to {len(NAMES)} chariots, not {drivers}")
        return NAMES[:drivers]
    if not isinstance(drivers, list | tuple) or not all(isinstance(name, str) for name in drivers):
        raise RulesError(f"drivers are a number or a list of names, not {drivers!r}")
    if not all(name.strip() for name in drivers):
        raise RulesError("a driver has no name")
    if len(set(drivers)) != len(drivers):
        raise RulesError("two drivers have the same name")
    return tuple(drivers)


def rules_of(name: str | None, options: Mapping[str, object] | None, rules: Rules | None = None) -> Rules:
    """An edition's rules with some options changed, or rules that are complete already."""
    if rules is None:
        return edition(name or "ravensburger").with_options(options or {})
    if name is not None or options is not None or not isinstance(rules, Rules):
        raise RulesError("give either complete Rules, or an edition and the options that differ")
    return rules


def _checked_decks(decks: Sequence[Sequence[int]], drivers: int) -> tuple[tuple[int, ...], ...]:
    if not isinstance(decks, list | tuple) or len(decks) != drivers:
        raise RulesError(f"{drivers} drivers need a list of {drivers} decks")
    for i, deck in enumerate(decks):
        whole = isinstance(deck, list | tuple) and all(type(card) is int for card in deck)
        if not whole or sorted(deck) != sorted(DECK):
            raise RulesError(f"deck {i} is not a full deck of four each of 1 to 6 (SET-1)")
    return tuple(tuple(deck) for deck in decks)
