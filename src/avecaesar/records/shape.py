"""The shape of a record: one description that reads, checks, writes and publishes it as a JSON Schema.

It knows which keys and values there are; whether a race was run by the rules is the referee's business.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from typing import Annotated, Any, Literal, TypeVar

import msgspec
from msgspec import UNSET, Meta, UnsetType

from avecaesar.courses import LARGEST_BOARD, Direction
from avecaesar.errors import BadInput, plain
from avecaesar.game.moves import Card, Crash, DeckName, Destination, Draw, Lay, Miss, Move, Pile, Play, Withdraw
from avecaesar.game.sealed_chance import MOST_SHARES, SHARE_BYTES, Lot, Purpose
from avecaesar.game.view import MissReason
from avecaesar.rules import (
    DECKS,
    EDITIONS,
    MOST_CHARIOTS,
    OPTIONS,
    PILES,
    Option,
    Rules,
    RulesError,
    internal,
    unsaid,
)
from avecaesar.speech import say
from avecaesar.validation_words import in_words

FORMAT: Literal["avecaesar-record"] = "avecaesar-record"
VERSION: Literal[1] = 1
EDITION_NAMES = tuple(EDITIONS)
MOST_RACES = OPTIONS["races"].most
MOST_BOARDS = 2  # a tournament is raced on two courses at most
LONGEST_PATH = 4096
T = TypeVar("T")


class RecordError(BadInput):
    """What is wrong with a record, and in which file: one sentence on one line, whatever it quotes."""

    def __init__(self, problem: str, file: object = None) -> None:
        super().__init__(plain(problem) if file is None else f"{plain(file, LONGEST_PATH)}: {plain(problem)}")


# ---------------------------------------------------------------------- the parts

# One line: no control characters, no line or paragraph separators, no half characters.
_NO_CONTROL = r"^(?![\s\S]*[\u0000-\u001f\u007f-\u009f\u2028\u2029\ud800-\udfff])"
Name = Annotated[str, Meta(min_length=1, max_length=200, pattern=_NO_CONTROL)]
Source = Annotated[str, Meta(max_length=LARGEST_BOARD, pattern=r"^(?![\s\S]*[\ud800-\udfff])")]
Digest = Annotated[str, Meta(min_length=64, max_length=64, pattern="^[0-9a-f]{64}$")]
Share = Annotated[
    str, Meta(min_length=2 * SHARE_BYTES, max_length=2 * SHARE_BYTES, pattern=f"^[0-9a-f]{{{2 * SHARE_BYTES}}}$")
]
RecordedNumber = Annotated[int, Meta(ge=0, le=MOST_CHARIOTS - 1)]  # of a chariot, in grid order
Laurels = Annotated[int, Meta(ge=0, le=100)]
DECK_SIZES = [sum(deck) for deck in DECKS.values()]  # AUS-1


class RecordedBoard(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A board that was raced on; with its text if it is not one of ours."""

    name: Name
    sha256: Digest
    source: Source | UnsetType = UNSET


class RecordedChariot(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A chariot on the grid, and who drove it."""

    name: Name
    colour: Name
    driver: Name
    riderless: bool


class RecordedVote(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """What a driver wants a riderless chariot to do (NPC-3)."""

    play: Card
    to: Destination

    @property
    def move(self) -> Play:
        """As the game has it."""
        return Play(self.play, self.to)


# What a turn may be, by its keys beside "chariot".
KINDS = (
    ("play", "to"),
    ("miss", "exchange"),
    ("crash",),
    ("withdraw",),
    ("draw",),
    ("lay", "pile"),
    ("votes", "play", "to"),
)
_KINDS = {frozenset(kind) for kind in KINDS}


class RecordedTurn(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """One decision of one chariot; what kind it is, its keys tell."""

    chariot: RecordedNumber
    votes: dict[Name, RecordedVote] | UnsetType = UNSET
    play: Card | UnsetType = UNSET
    to: Destination | UnsetType = UNSET
    miss: MissReason | UnsetType = UNSET
    exchange: Card | UnsetType | None = UNSET
    crash: bool | UnsetType = UNSET
    withdraw: bool | UnsetType = UNSET
    draw: Pile | UnsetType = UNSET
    lay: Card | UnsetType = UNSET
    pile: Pile | UnsetType = UNSET

    def __post_init__(self) -> None:
        keys = [key for key in _TURN_KEYS if getattr(self, key) is not UNSET]
        if frozenset(keys) not in _KINDS:
            raise ValueError(
                f"{_listed(keys)} beside chariot is no turn; {_listed(KINDS[0])} would be one, for instance"
            )
        if self.crash is False or self.withdraw is False:
            raise ValueError(f"{keys[0]} is true or left out")

    @property
    def move(self) -> Move:
        """The decision as the game has it."""
        if self.play is not UNSET and self.to is not UNSET:
            return Play(self.play, self.to)
        if self.miss is not UNSET and self.exchange is not UNSET:
            return Miss(self.exchange)
        if self.draw is not UNSET:
            return Draw(self.draw)
        if self.pile is not UNSET:
            return Lay(self.pile)
        return Withdraw() if self.crash is UNSET else Crash()


_TURN_KEYS = RecordedTurn.__struct_fields__[1:]


RecordedPiles = Annotated[
    tuple[Annotated[tuple[Card, ...], Meta(min_length=1)], ...], Meta(min_length=PILES, max_length=PILES)
]


class Choice(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """What a driver chose in secret before the race (AUS-1 to AUS-3); piles first drawn first, none before he sorts."""

    deck: DeckName
    piles: RecordedPiles | UnsetType = UNSET
    emperor: Annotated[tuple[Card, ...], Meta(max_length=2)] | UnsetType = UNSET

    def __post_init__(self) -> None:
        if (self.piles is UNSET) != (self.emperor is UNSET):
            raise ValueError("piles and emperor stand together, or are left out together before a deck is sorted")

    @property
    def cards(self) -> tuple[int, ...]:
        """A sorted deck in a row: pile after pile, then the emperor's cards."""
        piles, emperor = self.piles or (), self.emperor or ()
        return (*(card for pile in piles for card in pile), *emperor)


class Seal(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Where the cards came from: a commitment made before the race, the secret opened after it, the players' shares."""

    commitment: Digest
    secret: Digest
    shares: Annotated[tuple[Share, ...], Meta(max_length=MOST_SHARES)]

    def lot(self, purpose: Purpose) -> Lot:
        """The lots that were drawn for this purpose, to be drawn again."""
        return Lot(bytes.fromhex(self.secret), [bytes.fromhex(share) for share in self.shares], purpose)


EACH = Meta(min_length=1, max_length=MOST_CHARIOTS)  # one for each chariot, in grid order
Chariots = Annotated[tuple[RecordedNumber, ...], Meta(max_length=MOST_CHARIOTS)]
Deck = Annotated[tuple[Card, ...], Meta(min_length=min(DECK_SIZES), max_length=max(DECK_SIZES))]


class RecordedRace(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """One race from the deal to the laurels; chariots are numbered from 0 in grid order."""

    course: Name
    direction: Direction
    chariots: Annotated[tuple[RecordedChariot, ...], EACH]
    decks: Annotated[tuple[Deck, ...], EACH]
    choices: Annotated[tuple[Choice | None, ...], EACH] | UnsetType = UNSET
    turns: tuple[RecordedTurn, ...]
    arrivals: Chariots
    disqualified: Chariots
    laurels: Annotated[tuple[Laurels, ...], EACH]
    seal: Seal | UnsetType = UNSET


FIRST_OPTIONS = frozenset(  # which every record names: those that there were when the first was written
    (
        "hand", "draw", "missed_turn", "first_six", "narrow_exception", "tied_exception", "tribute", "race_ends",
        "first_grid", "next_grid", "schedule", "races", "laurels", "riderless", "riderless_count", "riderless_moves",
        "chariots_each", "decks", "emperor_cards", "crash",
    )
)  # fmt: skip


def _values_of(name: str, option: Option) -> Any:
    if name == "laurels":
        return Annotated[tuple[Laurels, ...], Meta(min_length=1, max_length=MOST_CHARIOTS)]
    if name == "riderless_count":
        return Annotated[int, Meta(ge=0, le=MOST_CHARIOTS - 1)] | Literal["fill"]
    if option.values:
        return Literal[option.values]
    return Annotated[int, Meta(ge=option.least, le=option.most)]


def _recorded(name: str, option: Option) -> Any:
    """An option as a record has it; older records do not name one that came later, or with the repair of a rule."""
    if name in internal() or name not in FIRST_OPTIONS:
        return name, _values_of(name, option) | UnsetType, UNSET
    return name, _values_of(name, option)


RecordedRules = msgspec.defstruct(
    "RecordedRules",
    [_recorded(name, option) for name, option in OPTIONS.items()],
    module=__name__,
    namespace={"__doc__": "Every option of the rules."},
    frozen=True,
    forbid_unknown_fields=True,
    kw_only=True,
)


class Record(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """One race, or the races of a tournament in their order."""

    format: Literal["avecaesar-record"]
    version: Literal[1]
    edition: Literal[EDITION_NAMES]  # type: ignore[valid-type]
    rules: RecordedRules  # type: ignore[valid-type]
    boards: Annotated[tuple[RecordedBoard, ...], Meta(min_length=1, max_length=MOST_BOARDS)]
    races: Annotated[tuple[RecordedRace, ...], Meta(min_length=1, max_length=MOST_RACES)]


def recorded_rules(rules: Rules) -> RecordedRules:  # type: ignore[valid-type]
    """Rules as a record has them."""
    silent = unsaid().items()
    values = {name: getattr(rules, name) for name in OPTIONS}
    return RecordedRules(**{name: UNSET if (name, value) in silent else value for name, value in values.items()})


def recorded_options(record: Record) -> dict[str, Any]:
    """The options that it names."""
    return {name: value for name, value in msgspec.structs.asdict(record.rules).items() if value is not UNSET}


def rules_of(record: Record) -> Rules:
    """The rules that it was raced by; an option that it is older than is as in its edition."""
    usual = EDITIONS[record.edition].rules
    later = {name: getattr(usual, name) for name in OPTIONS if name not in FIRST_OPTIONS}
    try:
        return Rules(**{**later, **unsaid(), **recorded_options(record)})
    except RulesError as error:
        raise RecordError(f"rules: {error}") from None


# ---------------------------------------------------------------------- JSON


def to_json(record: Record) -> bytes:
    """The record as a file has it: one line."""
    return msgspec.json.encode(record) + b"\n"


def from_json(data: bytes) -> Record:
    """Read a record and check its shape, or say what is wrong."""
    raw = _parsed(data)
    if not isinstance(raw, dict) or raw.get("format") != FORMAT:
        raise RecordError(say("this is not a record: it has no {format}", format=f'"format": "{FORMAT}"'))
    version = raw.get("version")
    if type(version) is not int or version != VERSION:
        raise RecordError(
            say(
                "this is not version {known} of the format, the one that can be read, but {version}",
                known=VERSION,
                version=repr(version),
            )
        )
    return checked(raw, Record)


def checked(raw: object, part: type[T]) -> T:
    """Plain lists and dictionaries as a part of a record, or what is wrong with them."""
    try:
        return msgspec.convert(raw, part)
    except msgspec.ValidationError as error:
        raise RecordError(in_words(str(error), _place)) from None
    except UnicodeEncodeError:
        raise RecordError(say("a word in it ends in the middle of a character")) from None


def _parsed(data: bytes) -> object:
    """JSON as it should be: UTF-8, no key twice, no NaN, no number beyond reason."""
    try:
        text = data.decode("utf-8-sig")
        return json.loads(text, object_pairs_hook=_object, parse_constant=_no_constant)
    except UnicodeDecodeError:
        raise RecordError(say("this is not a record: a record is a UTF-8 text file")) from None
    except json.JSONDecodeError as error:
        raise RecordError(
            say(
                "this is not JSON: {what} (line {line}, column {column})",
                what=error.msg,
                line=error.lineno,
                column=error.colno,
            )
        ) from None
    except RecursionError:
        raise RecordError(say("this is not a record: it is nested too deeply")) from None
    except RecordError:
        raise
    except ValueError:
        raise RecordError(say("this is not a record: a number in it has thousands of digits")) from None


def _object(pairs: list[tuple[str, object]]) -> dict[str, object]:
    read = dict(pairs)
    if len(read) != len(pairs):
        twice = next(key for key, count in Counter(key for key, _ in pairs).items() if count > 1)
        raise RecordError(say("the key '{what}' stands twice in one object", what=twice))
    return read


def _no_constant(word: str) -> object:
    raise RecordError(say("this is not JSON: {what} is not a number", what=word))


def _place(path: str) -> str:
    """Where msgspec found it, races and turns counted as people count.

    >>> _place("`$.races[0].turns[11].play`")
    'race 1, turn 12, play'
    """
    places: list[str] = []
    for key, index in re.findall(r"\.(\w+)(?:\[(\d+)\])?", path):
        if index and key in ("races", "turns"):
            number = int(index) + 1
            places.append(
                say("race {number}", number=number) if key == "races" else say("turn {number}", number=number)
            )
        else:
            places.append(f"{key}[{index}]" if index else key)
    return ", ".join(places)


# ---------------------------------------------------------------------- the schema


def schema() -> dict[str, Any]:
    """The JSON Schema (2020-12) of a record, from the same description; a turn is exactly one of its kinds."""
    whole = msgspec.json.schema(Record)
    whole["$defs"]["Choice"]["dependentRequired"] = {"piles": ["emperor"], "emperor": ["piles"]}
    turn = whole["$defs"]["RecordedTurn"]
    values = turn["properties"] | {"crash": {"const": True}, "withdraw": {"const": True}}
    whole["$defs"]["RecordedTurn"] = {
        "title": turn["title"],
        "description": turn["description"],
        "oneOf": [_only(("chariot", *kind), values) for kind in KINDS],
    }
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", "title": f"{FORMAT} {VERSION}", **whole}


def _only(keys: tuple[str, ...], values: dict[str, Any]) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": {key: values[key] for key in keys},
        "required": list(keys),
        "additionalProperties": False,
    }


def _listed(keys: Any) -> str:
    return " and ".join(keys) or "nothing"
