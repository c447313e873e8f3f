"""Reads the notation for people: builds what the JSON would hold, and lets the one description of the shape check it.

What is wrong is told with its line number.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from typing import Any, NoReturn

import msgspec
from msgspec import UNSET

from avecaesar.courses import DIRECTIONS, LARGEST_BOARD, ROMAN, Course, boards
from avecaesar.game.lineup import RIDERLESS
from avecaesar.game.moves import Destination, Move, Vote
from avecaesar.records.boards import board_of, course_among, recorded
from avecaesar.records.notation import usual_options
from avecaesar.records.shape import (
    FORMAT,
    MOST_BOARDS,
    MOST_RACES,
    VERSION,
    Record,
    RecordedBoard,
    RecordedTurn,
    RecordError,
    checked,
)
from avecaesar.rules import DECK
from avecaesar.speech import say

_QUOTED = r'"(?:[^"\\]|\\.)*"'
_WORD = re.compile(rf'(?:{_QUOTED}|\{{(?:{_QUOTED}|[^"{{}}])*\}}|[^\s"{{}}])+')
_BLANKS = re.compile(r"\s+")
_TURN = re.compile(
    r"(?P<play>\d{1,3})(?P<to>[A-Za-z]\w*)|(?:-|x(?P<exchange>\d{1,3}))(?:\((?P<reason>\w+)\))?|(?P<fate>crash|withdraw)"
    r"|draw(?P<draw>\d{1,3})|lay(?P<lay>\d{1,3})on(?P<pile>\d{1,3})",
    re.ASCII,
)
_VOTES = re.compile(rf'\{{((?:{_QUOTED}|[^"{{}}])*)\}}')
_VOTE = re.compile(rf'({_QUOTED}|[^\s"{{}}:,]+):(\d{{1,3}})([A-Za-z]\w*)(?:,|$)', re.ASCII)


def from_text(data: bytes) -> Record:
    """Read the notation for people, or say what is wrong and on which line."""
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise RecordError(say("this is not a record: a record is a UTF-8 text file")) from None
    return _NotationReader().record(text)


def moves_of(cell: str, course: Course) -> tuple[Move, ...]:
    """The decisions that a turn is written as, the votes on it first: `notation.notation_of` read backwards.

    >>> from avecaesar.courses import load_course
    >>> moves_of("6N1a{Livia:6N1a}", load_course("white"))
    (Vote(card=6, to=14), Play(card=6, to=14))
    """
    reader = _NotationReader()
    reader.course = course
    turns = [checked({"chariot": 0, **turn}, RecordedTurn) for turn in reader.turns(cell)]
    return tuple(move for turn in turns for move in (*_cast(turn), turn.move))


def _cast(turn: RecordedTurn) -> Iterator[Vote]:
    votes = () if turn.votes is UNSET else turn.votes.values()
    return (Vote(vote.play, vote.to) for vote in votes)


class _NotationReader:
    """Goes through the lines once and builds what the JSON would hold."""

    def __init__(self) -> None:
        self.line = 0
        self.edition = ""
        self.options: dict[str, Any] = {}
        self.source: list[str] = []  # of the last board
        self.source_size = 0
        self.boards: list[dict[str, Any]] = []
        self.races: list[dict[str, Any]] = []
        self.course: Course | None = None
        self.round = 0

    def record(self, text: str) -> Record:
        keywords: dict[str, Callable[[list[str]], None]] = {
            "record": self.read_version,
            "edition": self.read_edition,
            "options": self.read_options,
            "board": self.read_board,
            "source": self.read_source,
            "race": self.read_race,
            "choice": self.read_choice,
            "arrivals": self.read_places,
            "disqualified": self.read_places,
            "laurels": self.read_laurels,
            "seal": self.read_seal,
            "secret": self.read_secret,
            "share": self.read_share,
        }
        seen_version = False
        for self.line, line in enumerate(text.split("\n"), 1):
            if line.startswith("|"):
                self.read_source_line(line.removesuffix("\r")[1:].removeprefix(" "))
                continue
            words = self.words(line)
            if not words:
                continue
            if not seen_version and words[0] != "record":
                self.fail(f"this is not a record: it begins with 'record {VERSION}'")
            seen_version = True
            if words[0] in keywords:
                keywords[words[0]](words)
            elif words[0] in ROMAN:
                self.read_chariot(words)
            elif re.fullmatch(r"\d{1,6}\.", words[0]):
                self.read_round(words)
            else:
                self.fail(
                    f"'{words[0]}' begins no line: {', '.join(keywords)}, a place {ROMAN[0]} to {ROMAN[-1]}, a round 1."
                )
        return self.whole()

    def fail(self, problem: str) -> NoReturn:
        raise RecordError(f"line {self.line}: {problem}")

    def words(self, line: str) -> list[str]:
        """The words of a line up to a comment, quotation marks still about them."""
        words, at = [], _after_blanks(line, 0)
        while at < len(line) and line[at] != "#":
            word = _WORD.match(line, at)
            if word is None:
                self.fail("a quotation mark or bracket is left open")
            words.append(word.group())
            at = _after_blanks(line, word.end())
        return words

    def plain(self, word: str) -> str:
        """A word without its quotation marks."""
        if not word.startswith('"'):
            return word
        try:
            text = json.loads(word)
        except ValueError:
            self.fail(f"{word} is not quoted as in JSON")
        assert isinstance(text, str)
        return text

    # ------------------------------------------------------------------ headings

    def read_version(self, words: list[str]) -> None:
        if words != ["record", str(VERSION)]:
            self.fail(f"this release reads 'record {VERSION}', not '{' '.join(words)}'")

    def read_edition(self, words: list[str]) -> None:
        if self.edition or len(words) != 2:
            self.fail("write 'edition NAME', once")
        self.edition = words[1]

    def read_options(self, words: list[str]) -> None:
        for word in words[1:]:
            name, equals, value = word.partition("=")
            if not equals or name in self.options:
                self.fail(f"options are written NAME=VALUE, each once, not '{word}'")
            self.options[name] = [_value(part) for part in value.split(",")] if name == "laurels" else _value(value)

    def read_board(self, words: list[str]) -> None:
        self.end_source()
        if len(words) != 3:
            self.fail("write 'board NAME SHA256', and nothing for a board of ours")
        if len(self.boards) == MOST_BOARDS:
            self.fail(f"a record has at most {MOST_BOARDS} boards")
        self.boards.append({"name": self.plain(words[1]), "sha256": words[2]})

    def read_source_line(self, line: str) -> None:
        if not self.boards or self.races:
            self.fail("a line of a board's text stands after its 'board'")
        self.source.append(line)
        self.source_size += len(line) + 1
        if self.source_size > LARGEST_BOARD + 1:
            self.fail(f"the text of a board is at most {LARGEST_BOARD // 2**10} KiB")

    def read_source(self, words: list[str]) -> None:
        if not self.boards or self.races or self.source or len(words) != 2:
            self.fail("write 'source \"TEXT\"' after its board, once")
        self.source = [self.plain(words[1])]

    def end_source(self) -> None:
        """What follows is no text of the board any more."""
        if self.source:
            self.boards[-1]["source"] = "\n".join(self.source)
            self.source, self.source_size = [], 0

    # ------------------------------------------------------------------ a race

    def read_race(self, words: list[str]) -> None:
        if len(words) != 3 or words[2] not in DIRECTIONS:
            self.fail(f"write 'race COURSE {DIRECTIONS[0]}' or 'race COURSE {DIRECTIONS[1]}'")
        if len(self.races) == MOST_RACES:
            self.fail(f"a record has at most {MOST_RACES} races")
        self.end_source()
        names = ("chariots", "decks", "turns", "arrivals", "disqualified", "laurels")
        self.races.append({"course": words[1], "direction": words[2], **{name: [] for name in names}})
        self.course, self.round = None, 0
        self.add_board_of(words[1])

    def add_board_of(self, course: str) -> None:
        """A board of ours need not be named."""
        try:
            known = any(course in board_of(entry).courses for entry in self.entries())
        except RecordError as error:
            self.fail(str(error))
        if not known:
            self.boards += [msgspec.to_builtins(recorded(board)) for board in boards() if course in board.courses]

    def entries(self) -> tuple[RecordedBoard, ...]:
        return tuple(checked(board, RecordedBoard) for board in self.boards)

    @property
    def race(self) -> dict[str, Any]:
        if not self.races:
            self.fail("this stands before any 'race COURSE DIRECTION'")
        return self.races[-1]

    def space(self, name: str) -> Destination:
        """The number of a space by its name."""
        if name == "home":
            return "home"
        if self.course is None:
            try:
                self.course = course_among(self.entries(), self.race["course"], self.race["direction"])
            except RecordError as error:
                self.fail(str(error))
        try:
            return self.course.space(name).id
        except KeyError as error:
            self.fail(str(error.args[0]))

    def read_chariot(self, words: list[str]) -> None:
        at = len(self.race["chariots"])
        if at >= len(ROMAN) or words[0] != ROMAN[at]:
            self.fail(f"place {words[0]} stands where place {ROMAN[min(at, len(ROMAN) - 1)]} should")
        riderless = RIDERLESS in words[3:5]
        cards = "".join(words[5 if words[4:5] == [RIDERLESS] else 4 :])
        if len(words) < 4 or not re.fullmatch("[0-9]{0,100}", cards):  # a sorted deck's are told by its choice
            self.fail(f"write '{words[0]} NAME COLOUR DRIVER' and the {len(DECK)} cards of the deck, first drawn first")
        name, colour, driver = (self.plain(word) for word in words[1:4])
        self.race["chariots"].append({"name": name, "colour": colour, "driver": driver, "riderless": riderless})
        self.race["decks"].append([int(card) for card in cards])

    def read_choice(self, words: list[str]) -> None:
        choices = self.race.setdefault("choices", [])
        if len(words) < 3 or len(choices) >= len(ROMAN) or words[1] != ROMAN[len(choices)]:
            self.fail("write 'choice PLACE DECK PILE PILE PILE emperor CARDS', place after place")
        if words[2:] == ["none"]:
            choices.append(None)
            return
        if len(words) == 3:
            choices.append({"deck": words[2]})
            return
        piles, emperor = words[3:6], words[6:]
        if not all(re.fullmatch("[0-9]{1,100}", word) for word in (*piles, *emperor[1:])):
            self.fail("a pile is written as its cards, first drawn first, such as 6655")
        if emperor and (emperor[0] != "emperor" or len(emperor) != 2):
            self.fail("the cards put aside are written at the end: emperor 43")
        cards = [[int(card) for card in word] for word in (*piles, *emperor[1:])]
        if len(self.race["decks"]) > len(choices) and not self.race["decks"][len(choices)]:
            self.race["decks"][len(choices)] = [card for row in cards for card in row]
        choices.append({"deck": words[2], "piles": cards[: len(piles)], "emperor": cards[-1] if emperor else []})

    def read_round(self, words: list[str]) -> None:
        if words[0] != "0." or self.race["turns"]:  # the first hand, before the first round
            self.round += 1
            if words[0] != f"{self.round}.":
                self.fail(f"round {words[0]} stands where round {self.round}. should")
        if len(words) - 1 > len(self.race["chariots"]):
            self.fail(f"a round of {len(self.race['chariots'])} chariots has no more turns than that")
        for chariot, cell in enumerate(words[1:]):
            if cell != ".":
                self.race["turns"] += ({"chariot": chariot, **turn} for turn in self.turns(cell))

    def turns(self, cell: str) -> Iterator[dict[str, Any]]:
        """The turn of a cell, and after a + the draws and cards laid that belong to it."""
        at = 0
        while True:
            match = _TURN.match(cell, at)
            votes = _VOTES.match(cell, match.end()) if match else None
            at = (votes or match).end() if match else -1
            if match is None or cell[at : at + 1] not in ("", "+"):
                self.fail(f"'{cell}' is no turn: write 6N1a, x5, -(barred), crash or withdraw, or . for none")
            voted = {"votes": self.votes(votes.group(1))} if votes else {}
            yield voted | self.turn(match)
            if at == len(cell):
                return
            at += 1

    def turn(self, match: re.Match[str]) -> dict[str, Any]:
        if match["play"]:
            return {"play": int(match["play"]), "to": self.space(match["to"])}
        if match["fate"]:
            return {match["fate"]: True}
        if match["draw"]:
            return {"draw": int(match["draw"]) - 1}
        if match["lay"]:
            return {"lay": int(match["lay"]), "pile": int(match["pile"]) - 1}
        exchange = match["exchange"]
        return {"miss": match["reason"] or "blocked", "exchange": int(exchange) if exchange else None}

    def votes(self, text: str) -> dict[str, Any]:
        votes: dict[str, Any] = {}
        at = 0
        while at < len(text):
            vote = _VOTE.match(text, at)
            driver = self.plain(vote[1]) if vote else ""
            if vote is None or driver in votes:
                self.fail(f"'{text[at:]}' are no votes: write {{Livia:4S9b,Marcus:4S9a}}, each driver once")
            votes[driver] = {"play": int(vote[2]), "to": self.space(vote[3])}
            at = vote.end()
        return votes

    # ------------------------------------------------------------------ results

    def read_places(self, words: list[str]) -> None:
        if self.race[words[0]]:
            self.fail(f"'{words[0]}' stands a second time")
        for word in words[1:]:
            if word not in ROMAN:
                self.fail(f"'{word}' is no place from {ROMAN[0]} to {ROMAN[-1]}")
        self.race[words[0]] = [ROMAN.index(word) for word in words[1:]]

    def read_laurels(self, words: list[str]) -> None:
        if self.race["laurels"]:
            self.fail("'laurels' stands a second time")
        self.race["laurels"] = [_value(word) for word in words[1:]]

    def read_seal(self, words: list[str]) -> None:
        if "seal" in self.race or len(words) != 2:
            self.fail("write 'seal COMMITMENT', once a race")
        self.race["seal"] = {"commitment": words[1], "shares": []}

    def read_secret(self, words: list[str]) -> None:
        seal = self.race.get("seal")
        if seal is None or "secret" in seal or len(words) != 2:
            self.fail("write 'secret SECRET' after its seal, once")
        seal["secret"] = words[1]

    def read_share(self, words: list[str]) -> None:
        seal = self.race.get("seal")
        if seal is None or len(words) != 2:
            self.fail("write 'share SHARE' after its seal, a line for each")
        seal["shares"].append(words[1])

    def whole(self) -> Record:
        self.end_source()
        for number, race in enumerate(self.races, 1):
            race["laurels"] = race["laurels"] or [0] * len(race["chariots"])
            if [] in race["decks"]:
                raise RecordError(f"race {number}: place {ROMAN[race['decks'].index([])]} has neither cards nor piles")
        return checked(
            {
                "format": FORMAT,
                "version": VERSION,
                "edition": self.edition,
                "rules": usual_options(self.edition) | self.options,
                "boards": self.boards,
                "races": self.races,
            },
            Record,
        )


def _after_blanks(line: str, at: int) -> int:
    blanks = _BLANKS.match(line, at)
    return blanks.end() if blanks else at


def _value(word: str) -> int | str:
    return int(word) if re.fullmatch("[0-9]{1,6}", word) else word
