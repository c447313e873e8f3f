"""The notation for people: a record as a text that can be read aloud, typed and commented (docs/records.md).

It says the same as the JSON, and round-trips exactly: `parser` reads what is written here.
"""

from __future__ import annotations

import json
import re
import textwrap
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NoReturn

from msgspec import UNSET

from avecaesar.courses import ROMAN, Course
from avecaesar.game import ChariotNumber, ChooseDeck, Crash, Draw, Hidden, Lay, Miss, Play, Sort, Turn, Vote, Withdraw
from avecaesar.game.lineup import RIDERLESS
from avecaesar.kernel.piles import LAID_CARD
from avecaesar.records.boards import courses_of
from avecaesar.records.shape import (
    Choice,
    Record,
    RecordedBoard,
    RecordedRace,
    RecordedTurn,
    RecordError,
    recorded_options,
)
from avecaesar.rules import EDITIONS, offered

GREETING = "# Ave Caesar! 6N1a: a 6 to N1a.  x5: blocked, a 5 goes under the deck.  -(barred): a turn missed, and why."
ON_PILES = "# choice: deck, piles, emperor's cards.  0.: first hand.  +draw2: from pile 2.  +lay3on1: a 3 onto pile 1."
ON_SEALS = "# seal: the secret's SHA-256, told before the race.  share: a player's.  Secret and shares dealt the cards."
ON_VOTES = "# 4S9b{Livia:4S9b,Marcus:4S9a}: a riderless chariot moved by vote, and who voted for what."
WIDTH = 110
_BARE = re.compile(r"[^\s\"#{}:,]+")


def to_text(record: Record) -> str:
    """The record in the notation for people."""
    lines = [*_greeting(record), f"record {record.version}", f"edition {record.edition}", *_options(record)]
    for board in record.boards:
        lines += [f"board {as_word(board.name)} {board.sha256}", *_source(board)]
    for number, (race, course) in enumerate(zip(record.races, courses_of(record), strict=True), 1):
        lines += ["", *_RaceWriter(number, race, course).lines()]
    return "\n".join(lines) + "\n"


def _greeting(record: Record) -> list[str]:
    """How to read it, as far as it is needed here."""
    piles = any(race.choices is not UNSET for race in record.races)
    votes = any(turn.votes is not UNSET for race in record.races for turn in race.turns)
    seals = any(race.seal is not UNSET for race in record.races)
    return [GREETING, *[ON_PILES] * piles, *[ON_VOTES] * votes, *[ON_SEALS] * seals]


def as_word(text: str) -> str:
    """As it is, or in quotation marks if it could be misread."""
    return text if _BARE.fullmatch(text) and text.isprintable() else json.dumps(text)


def _options(record: Record) -> list[str]:
    """The house rules first, then all other options, so that the record stands when an edition changes."""
    values = recorded_options(record)
    usual = usual_options(record.edition)
    house = {name: value for name, value in values.items() if name in usual and usual[name] != value}
    lines = [f"options {_pair(name, value)}  # house rule" for name, value in house.items()]
    others = " ".join(_pair(name, value) for name, value in values.items() if name not in house)
    return [*lines, *textwrap.wrap(others, WIDTH, initial_indent="options ", subsequent_indent="options ")]


def usual_options(edition: object) -> dict[str, Any]:
    """The options of an edition as it was printed; none, if there is no such edition."""
    if not isinstance(edition, str) or edition not in EDITIONS:
        return {}
    rules = EDITIONS[edition].rules
    return {name: getattr(rules, name) for name in offered()}


def _pair(name: str, value: object) -> str:
    return f"{name}={','.join(map(str, value)) if isinstance(value, tuple) else value}"


def _source(board: RecordedBoard) -> list[str]:
    if board.source is UNSET:
        return []
    lines = board.source.split("\n")
    if all(line.replace("\t", " ").isprintable() for line in lines):
        return [f"| {line}" if line else "|" for line in lines]
    return [f"source {json.dumps(board.source)}"]


class _RaceWriter:
    """Writes one race."""

    def __init__(self, number: int, race: RecordedRace, course: Course) -> None:
        self.number, self.race, self.course = number, race, course

    def lines(self) -> list[str]:
        race = self.race
        if len(race.decks) != len(race.chariots):
            self.fail(f"{len(race.chariots)} chariots have as many decks, not {len(race.decks)}")
        results = [("arrivals", map(self.place, race.arrivals)), ("disqualified", map(self.place, race.disqualified))]
        results.append(("laurels", map(str, race.laurels)))
        return [
            f"race {race.course} {race.direction}",
            *_columns([[ROMAN[i], *self.chariot(i)] for i in range(len(race.chariots))]),
            *_columns([["choice", *words] for words in self.choices()]),
            "",
            *_columns([[f"{i}.", *cells] for i, cells in enumerate(self.rounds(), self.first_round)]),
            "",
            *(f"{name} {' '.join(words)}" for name, values in results if (words := list(values))),
            *self.seal(),
        ]

    def seal(self) -> list[str]:
        if self.race.seal is UNSET:
            return []
        seal = self.race.seal
        return [f"seal {seal.commitment}", f"secret {seal.secret}", *(f"share {share}" for share in seal.shares)]

    def fail(self, problem: str, turn: int | None = None) -> NoReturn:
        raise RecordError(f"race {self.number}{'' if turn is None else f', turn {turn}'}: {problem}")

    def chariot(self, i: int) -> list[str]:
        chariot, deck = self.race.chariots[i], "".join(map(str, self.race.decks[i]))
        driver, marks = as_word(chariot.driver), [RIDERLESS] if chariot.riderless else []
        if chariot.driver == RIDERLESS:
            driver, marks = RIDERLESS if chariot.riderless else json.dumps(RIDERLESS), []
        cards = "" if self.is_told_by_its_piles(i) else " ".join(deck[k : k + 6] for k in range(0, len(deck), 6))
        return [as_word(chariot.name), as_word(chariot.colour), driver, *marks, cards]

    def is_told_by_its_piles(self, i: int) -> bool:
        choice = self.race.choices[i] if self.race.choices is not UNSET and i < len(self.race.choices) else None
        return choice is not None and self.race.decks[i] == choice.cards

    def place(self, chariot: int) -> str:
        if chariot >= len(self.race.chariots):
            self.fail(f"there is no chariot {chariot}")
        return ROMAN[chariot]

    def choices(self) -> Iterator[list[str]]:
        if self.race.choices is not UNSET:
            for i, choice in enumerate(self.race.choices):
                yield [self.place(i), *_chosen(choice)]

    @property
    def first_round(self) -> int:
        """1, or 0 if the first hand is drawn before it."""
        return 0 if self.race.turns and self.race.turns[0].draw is not UNSET else 1

    def rounds(self) -> list[list[str]]:
        """A cell for each chariot: its turn, with the draws and cards laid that belong to it, or a dot."""
        rounds: list[list[str]] = []
        last = len(ROMAN)  # so that the first turn begins a round
        first_hand = True
        for number, turn in enumerate(self.race.turns, 1):
            self.place(turn.chariot)
            written = self.turn(number, turn)
            goes_on = turn.draw is not UNSET or turn.lay is not UNSET
            if goes_on and turn.chariot == last:
                rounds[-1][-1] += "+" + written
                continue
            if turn.chariot <= last or (first_hand and not goes_on):
                rounds.append([])
            first_hand = first_hand and goes_on
            rounds[-1] += ["."] * (turn.chariot - len(rounds[-1])) + [written]
            last = turn.chariot
        return rounds

    def turn(self, number: int, turn: RecordedTurn) -> str:
        votes = None if turn.votes is UNSET else {voter: vote.move for voter, vote in turn.votes.items()}
        for play in (*(votes or {}).values(), turn.move):
            if isinstance(play, Play) and play.to != "home" and play.to >= len(self.course.spaces):
                self.fail(f"there is no space {play.to} on {self.course}", number)
        told = Turn(ChariotNumber(turn.chariot), turn.move, reason=None if turn.miss is UNSET else turn.miss)
        return notation_of(told, self.course, votes, laid=0 if turn.lay is UNSET else turn.lay)


def notation_of(
    turn: Turn, course: Course, votes: Mapping[str, Play | None] | None = None, laid: int = LAID_CARD
) -> str:
    """A turn as far as it is known, with the votes that decided it; nothing for choices before the race.

    >>> from avecaesar.courses import load_course
    >>> course = load_course("white")
    >>> notation_of(Turn(0, Play(6, 14)), course), notation_of(Turn(0, Miss(5), True, "blocked"), course)
    ('6N1a', 'x5')
    >>> notation_of(Turn(0, Miss(None), False, "barred"), course), notation_of(Turn(0, None, True), course)
    ('-(barred)', 'x')
    """
    match turn.move:
        case Play():
            return _play(turn.move, course) + ("" if votes is None else f"{{{_votes(votes, course)}}}")
        case Miss(exchange):
            card = "-" if exchange is None else f"x{exchange}"
            return card if turn.reason in ("blocked", None) else f"{card}({turn.reason})"
        case None:
            return "x" if turn.exchanged else "-"
        case Draw(pile):
            return f"draw{pile + 1}"
        case Lay(pile):
            return f"lay{laid}on{pile + 1}"
        case Crash():
            return "crash"
        case Withdraw():
            return "withdraw"
        case Vote() | ChooseDeck() | Sort() | Hidden():
            return ""


def _votes(votes: Mapping[str, Play | None], course: Course) -> str:
    return ",".join(f"{as_word(voter)}:{_play(play, course)}" for voter, play in votes.items() if play is not None)


def _play(play: Play, course: Course) -> str:
    return f"{play.card}{'home' if play.to == 'home' else course.spaces[play.to].name}"


def _chosen(choice: Choice | None) -> list[str]:
    if choice is None:
        return ["none"]
    if choice.piles is UNSET or choice.emperor is UNSET:
        return [choice.deck]
    emperor = ["emperor " + "".join(map(str, choice.emperor))] if choice.emperor else []
    return [choice.deck, *("".join(map(str, pile)) for pile in choice.piles), *emperor]


def _columns(rows: Sequence[Sequence[str]]) -> list[str]:
    """Rows with their cells below one another."""
    longest = max(map(len, rows), default=0)
    widths = [max(len(row[i]) for row in rows if i < len(row)) for i in range(longest)]
    return ["  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=False)).rstrip() for row in rows]
