"""A race for people: readable state over one record of the kernel, which knows the rules."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, cast, overload

import numpy as np

from avecaesar.courses import Course, Direction, load_course
from avecaesar.game.chance import random_source, shuffle
from avecaesar.game.lineup import line_up, names_of, team_names
from avecaesar.game.moves import (
    DECK_NAMES,
    MOVES,
    ChooseDeck,
    Destination,
    Hidden,
    InvalidMove,
    Miss,
    Move,
    Play,
    Sort,
    Vote,
    from_number,
    to_number,
)
from avecaesar.game.numbers import AnyChariot, ChariotNumber
from avecaesar.game.position import LAID, NO_CARDS, added, counts, in_a_row, twin_of
from avecaesar.game.race_state import RaceState
from avecaesar.game.refusal import IllegalMove, Refusal, explain, explain_card
from avecaesar.game.view import Chariot, MissReason, Outlook, Status, Turn, View
from avecaesar.game.what_if import on_empty_course
from avecaesar.kernel import entry_points, packing, redaction
from avecaesar.kernel import layout as k
from avecaesar.rules import DECK, Rules, RulesError, edition

STATUS: tuple[Status, ...] = ("racing", "home", "out of cards", "crashed", "withdrawn")
REASONS: tuple[MissReason, ...] = ("blocked", "barred", "waiting")


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


class Race(RaceState):
    """One race, from the grid to the last laurel.

    Chariots are numbered from 0 in grid order.

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
    avecaesar.game.refusal.IllegalMove: You hold no 6. (MOV-1)
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
        chariots: Sequence[str] | None = None,
        riderless: Sequence[str] | None = None,
        decks: Sequence[Sequence[int]] | None = None,
        memory_aid: bool = True,
        seed: int | random.Random | None = None,
    ) -> None:
        """Line up and deal.

        `drivers` are the players; where each has several chariots, `chariots` may name these in grid order instead,
        and `riderless` the chariots without a driver. `decks` are the deal, one for each chariot on the grid: its
        cards, first drawn first; for a driver who sorts his deck into piles a shuffle of the numbers 0 to 23.
        """
        self.course = _course(course, direction)
        self.rules = rules_of(edition, options, rules)
        driven = team_names(names_of(drivers), self.rules) if chariots is None else names_of(chariots)
        self.names, self.driven = line_up(driven, self.rules, self.course.side, riderless)
        self._course_table = packing.course_table(self.course)
        self._rules_table = packing.rules_table(self.rules)
        self.grid = cast("Sequence[ChariotNumber]", range(len(self.names)))
        self._sorts = self.rules.draw == "from_piles"
        if decks is None:
            source = seed if isinstance(seed, random.Random) else random_source(seed)
            decks = [shuffle(source, self._piled(chariot)) for chariot in self.grid]
        self._deal = self._checked_deal(decks)
        self._history: list[Turn] = []
        self._public: list[Turn] = []  # the same turns as the others see them
        self._lay_out(packing.new_races(1))
        self._fields["memory_aid"][0] = memory_aid
        packing.deal(self._races, 0, self._deal)
        loose = len(self.names) - len(driven)
        entry_points.begin_race(self._course_table, self._rules_table, self._races, 0, len(driven), loose)

    def _checked_deal(self, decks: Sequence[Sequence[int]]) -> tuple[tuple[int, ...], ...]:
        if not isinstance(decks, list | tuple) or len(decks) != len(self.names):
            raise RulesError(f"{len(self.names)} chariots need a list of {len(self.names)} decks")
        for chariot, deck in zip(self.grid, decks, strict=True):
            sorts = self._piled(chariot)
            whole = isinstance(deck, list | tuple) and all(type(card) is int for card in deck)
            if not whole or sorted(deck) != (list(range(len(DECK))) if sorts else sorted(DECK)):
                wanted = "a shuffle of the numbers 0 to 23" if sorts else "a full deck of four each of 1 to 6 (SET-1)"
                raise RulesError(f"deck {chariot} is not {wanted}")
        return tuple(tuple(deck) for deck in decks)

    def __repr__(self) -> str:
        state = "over" if self.over else f"{self.names[self.turn or 0]}'s turn"
        return f"<Race on {self.course}, {len(self.names)} chariots, {state}>"

    # ------------------------------------------------------------------ moving

    @property
    def legal_moves(self) -> LegalMoves:
        """What the driver on turn may do: a live view, never empty while the race is on."""
        return LegalMoves(self)

    def _list_moves(self) -> list[Move]:
        moves = np.empty(k.MOST_MOVES, np.int64)
        count = entry_points.list_moves(self._course_table, self._races, 0, moves)
        to_sort = self._on_turn_to_sort
        return [from_number(number, to_sort) for number in moves[:count].tolist()]

    def move_of(self, number: int) -> Move:
        """The move that the kernel means by a number now."""
        return from_number(number, self._on_turn_to_sort)

    @overload
    def play(self, move: Move) -> None: ...
    @overload
    def play(self, move: int, to: Destination | str) -> None: ...
    def play(self, move: Move | int, to: Destination | str | None = None) -> None:
        """Make a move: `play(Play(3, 8))`, or a card and where to: `play(3, to=8)`, `play(3, to="S8a")`."""
        chosen = self._move(move, to)
        reason = self._miss_reason() if isinstance(chosen, Miss) else None
        chariot, asked = self.turn, self.asks
        verdict = self._verdict(chosen, do=True)
        if verdict != k.ALLOWED:
            raise IllegalMove(self._explained(verdict, chosen))
        assert chariot is not None
        if isinstance(chosen, Sort):
            self._sorted[chariot] = self._piles_of(chariot)
        exchanged = isinstance(chosen, Miss) and chosen.exchange is not None
        turn = Turn(chariot, chosen, exchanged, reason)
        self._history.append(turn)
        self._public.append(turn if chariot in self.riderless else _in_public(turn))
        if asked == "deck" != self.asks:
            self._public = list(self._history)  # AUS-1: all decks are revealed together

    def _verdict(self, move: Move, *, do: bool = False) -> int:
        number = to_number(move)
        if isinstance(move, Sort) and self.asks == "sort":
            sorts_all = counts(in_a_row(move.piles)) == self._to_sort(self._on_turn)
            if not sorts_all:  # the third pile is not in the number
                return k.REFUSED_SORTING
        if do:
            return int(entry_points.step(self._course_table, self._rules_table, self._races, 0, number))
        return int(entry_points.judge(self._course_table, self._races, 0, number))

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

    def why_not(self, move: Move | int, to: Destination | str | None = None) -> Refusal | None:
        """Why the driver on turn may not make this move, given as to `play`; None if he may."""
        chosen = self._move(move, to)
        verdict = self._verdict(chosen)
        return None if verdict == k.ALLOWED else self._explained(verdict, chosen)

    def _explained(self, verdict: int, move: Move) -> Refusal:
        move = move.play if isinstance(move, Vote) and move.play else move
        card = move.card if isinstance(move, Play) else (move.exchange or 0) if isinstance(move, Miss) else 0
        to = move.to if isinstance(move, Play) else "home"
        known = to == "home" or to < len(self.course.spaces)
        return explain(verdict, card, "home" if to == "home" or not known else self.course.spaces[to].name)

    def _miss_reason(self) -> MissReason | None:
        return REASONS[self._one("miss")] if self._one("phase") == k.MISS else None

    # ------------------------------------------------------------------ who may know what

    def view(self, chariot: AnyChariot | None = None) -> View:
        """What the driver of one chariot may know, or a spectator if none is named."""
        if chariot is not None and not (type(chariot) is int and 0 <= chariot < len(self.names)):
            raise ValueError(f"there is no chariot {chariot!r}; they are 0 to {len(self.names) - 1}, None watches")
        return self._view(None if chariot is None else ChariotNumber(chariot))

    def _view(self, chariot: ChariotNumber | None) -> View:
        mine = chariot is not None and chariot == self.turn
        driving = mine and self.asks == "turn" and chariot in self.driven
        return View(
            course=self.course,
            rules=self.rules,
            chariot=chariot,
            turn=self.turn,
            asks=self.asks,
            voted_on=self.voted_on,
            memory_aid=self.memory_aid,
            chariots=self._chariots(),
            leaders=self.leaders,
            under_ban=self.under_ban,
            ban_lifted=bool(self._one("ban_lifted")),
            history=self._seen_by(chariot),
            hand=() if chariot is None else self._hand(chariot),
            undrawn=() if chariot is None else self._undrawn(chariot),
            piles=self._pile_counts(chariot) if chariot in self._sorted and self.memory_aid else (),
            bottom=() if chariot is None else self._bottom(chariot),
            legal_moves=tuple(self._list_moves()) if mine else (),
            outlooks=self._outlooks(chariot) if driving and chariot is not None else {},
            refusals=self._refusals(chariot) if driving and chariot is not None else {},
            arrivals=self.arrivals,
            laurels=self.laurels,
            decks=self.decks if self.over else None,
            known=self._known(chariot),
        )

    def _seen_by(self, chariot: ChariotNumber | None) -> tuple[Turn, ...]:
        """The turns so far: of somebody else's miss only that, and whether he exchanged."""
        if self.over:
            return self.history
        both = zip(self._history, self._public, strict=True)
        turns = [own if own.chariot == chariot else public for own, public in both]
        if self._sorts and not self.memory_aid:  # AUS-3: who sorted must remember
            turns = [_in_public(turn) if isinstance(turn.move, Sort) else turn for turn in turns]
        return tuple(turns)

    def _known(self, chariot: ChariotNumber | None) -> packing.Packed:
        known = packing.new_races(1)
        redaction.redact_race(self._rules_table, self._races, 0, k.NOBODY if chariot is None else chariot, known)
        return known

    def _chariots(self) -> tuple[Chariot, ...]:
        columns = (
            "space", "crossings", "coin", "status", "disqualified", "remaining", "held", "arrival", "place"
        )  # fmt: skip
        rows = zip(*(self._all(column) for column in columns), strict=True)
        players = self.players
        return tuple(
            Chariot(
                name=name,
                riderless=chariot not in self.driven,
                player=players[chariot],
                space=None if STATUS[status] not in ("racing", "crashed") else space,
                crossings=crossings,
                coin=bool(coin),
                status=STATUS[status],
                disqualified=bool(disqualified),
                remaining=remaining,
                hand_size=held,
                deck_size=sum(unseen) - held - self._lays(chariot),
                unseen=unseen,
                open_card=None if chariot in self.driven else next(iter(self._hand(chariot)), None),
                **self._openly_chosen(chariot),
                arrival=arrival or None,
                place=place or None,
            )
            for chariot, name, row in zip(self.grid, self.names, rows, strict=True)
            for space, crossings, coin, status, disqualified, remaining, held, arrival, place in [row]
            for unseen in [self._unseen(chariot)]
        )

    def _openly_chosen(self, chariot: ChariotNumber) -> dict[str, Any]:
        """What everybody sees of deck and piles."""
        choice = self._all("choice")[chariot] if self.asks != "deck" else 0
        piled = self._piled(chariot) and self.asks not in ("deck", "sort")
        laid = self._all("laid")[chariot] if piled else 0
        sizes = self._fields["pile"][0][chariot].tolist() if piled else []
        return {
            "deck": DECK_NAMES[choice - 1] if choice and self.rules.decks == "choice" else None,
            "piles": tuple(size + (laid == pile) for pile, size in enumerate(sizes, 1)),
            "laid": laid - 1 if laid else None,
            "emperor": self._aside(chariot) if self._all("emperor")[chariot] else (),
        }

    def _unseen(self, chariot: ChariotNumber) -> tuple[int, ...]:
        """By counting, everybody knows what a chariot has in hand and deck together, once decks are revealed."""
        if self._piled(chariot) and self.asks in ("deck", "sort"):
            return self._to_sort(chariot) if self.asks == "sort" else NO_CARDS
        unseen = added(counts(self._hand(chariot)), self._undrawn(chariot))
        return added(unseen, LAID) if self._lays(chariot) else unseen

    def _lays(self, chariot: int) -> bool:
        """Whether a chariot has the emperor's 3 between its fingers."""
        return self.asks == "lay" and self.turn == chariot

    def _outlooks(self, chariot: ChariotNumber) -> dict[Play, Outlook]:
        """What each play would do to its own chariot, found by making it on a copy of the race."""
        before, coin = self._all("remaining")[chariot], self._all("coin")[chariot]
        disqualified = self._all("disqualified")[chariot]
        outlooks = {}
        for play in self._list_moves():
            if isinstance(play, Play):
                twin = twin_of(self._races)
                entry_points.step(self._course_table, self._rules_table, twin, 0, to_number(play))
                remaining = int(twin["remaining"][0][chariot])
                owing = int(entry_points.owing(self._rules_table, twin, 0))
                outlooks[play] = Outlook(
                    remaining=remaining,
                    wasted=0 if play.to == "home" else play.card - (before - remaining),
                    pays=bool(coin > twin["coin"][0][chariot]),
                    owes=bool(owing >> chariot & 1),
                    disqualifies=bool(twin["disqualified"][0][chariot] > disqualified),
                )
        return outlooks

    def _refusals(self, chariot: ChariotNumber) -> dict[int, Refusal]:
        """For each card in hand that cannot be played at all, the reason that weighs most."""
        playable = {move.card for move in self._list_moves() if isinstance(move, Play)}
        return {card: self._refusal(chariot, card) for card in sorted(set(self._hand(chariot)) - playable)}

    def _refusal(self, chariot: ChariotNumber, card: int) -> Refusal:
        spaces = on_empty_course(self.course, self._all("space")[chariot], card)
        moves = [Play(card, "home"), *(Play(card, to) for to in spaces)]
        verdicts = {entry_points.judge(self._course_table, self._races, 0, to_number(move)): move for move in moves}
        for verdict in (k.REFUSED_MUST_CRASH, k.REFUSED_SIX, k.REFUSED_TRIBUTE):
            if verdict in verdicts:
                return self._explained(verdict, verdicts[verdict])
        return explain_card(card)

    def copy(self) -> Race:
        """An independent copy of the race as it stands."""
        twin = object.__new__(Race)
        twin.__dict__.update(self.__dict__)
        twin._lay_out(twin_of(self._races))
        twin._sorted = dict(self._sorted)
        twin._history = list(self._history)
        twin._public = list(self._public)
        return twin


def _in_public(turn: Turn) -> Turn:
    """A turn as the others see it: not why it was missed, nor which card, nor what was chosen in secret."""
    match turn.move:
        case Miss():
            return Turn(turn.chariot, None, turn.exchanged)
        case ChooseDeck():
            return replace(turn, move=Hidden("deck"))
        case Sort():
            return replace(turn, move=Hidden("sort"))
        case _:
            return turn


def _course(course: str | Course, direction: Direction | None) -> Course:
    if not isinstance(course, Course):
        return load_course(course, direction or "clockwise")
    if direction not in (None, course.direction):
        raise RulesError(f"this course is compiled {course.direction}; load it again to race it {direction}")
    return course


def rules_of(name: str | None, options: Mapping[str, object] | None, rules: Rules | None = None) -> Rules:
    """An edition's rules with some options changed, or rules that are complete already."""
    if rules is None:
        return edition(name or "ravensburger").with_options(options or {})
    if name is not None or options is not None or not isinstance(rules, Rules):
        raise RulesError("give either complete Rules, or an edition and the options that differ")
    return rules
