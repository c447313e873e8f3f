"""Messages made from the very types that describe them, so that a new kind of message is tried without a line here.

`Grammar.of` makes a sound value of a type; `fill` may say what stands in a field, by its name. `spoil` makes something
of a sound message that is nearly right, or not at all.
"""

from __future__ import annotations

import copy
import json
import random
import re
import string
from collections.abc import Callable, Iterator
from functools import cache
from typing import Any, Final

from msgspec import NODEFAULT, inspect

NOT_FILLED: Final = object()
Fill = Callable[[str, inspect.Type], Any]

ALPHABETS = (string.hexdigits[:16], string.ascii_letters + string.digits + "_-", string.ascii_lowercase + "-")
WORDS = (
    "Livia", "Marcus", "Ave!", "Ça va ?", "Hül-sen", "Λύδια", "馬", "a", "x" * 24, "well driven, all of you", "🐎 go",
    "white", "clockwise", "scorpus", "home", "O’Brien", "a\x07b", "a\u202eb", "a\u200db", "a\u0378b",
    "e" + "\u0301" * 8,
)  # fmt: skip
ODD: tuple[Any, ...] = (
    None, True, False, 0, 1, 5, 6, 7, -1, 64, 255, 2**31, 2**53, 2**53 + 1, 2**63, -(2**63), 2**64, 10**40, 0.5, 1.0,
    -0.0, 1e308, "", " ", "a", "0", "null", "home", "\0", "\x1b[31m", "\u202eevil", "a\u200bb", "\ufeff", "é" * 300,
    "Z" + "\u0301" * 9, "𝕏" * 5000, "<script>", "' OR 1=1 --", "%s%n", "../../etc/passwd", "a\nb", "\u2028", "\ud800",
    "constructor", "play", "miss", "move", [], {}, [[]], [None], {"": None}, {"kind": "play"},
    {"kind": "vote", "card": 1}, [1] * 50,
)  # fmt: skip
SCRAPS = (
    b"", b"\0", b"\xff\xfe", b"\xc0\x80", b"\xed\xa0\x80", b'"', b"{", b"}", b"[", b"]", b",", b":", b"\\u0000",
    b"\\ud800", b"NaN", b"Infinity", b"1e999", b"-0", b"9" * 400, b"null", b"true", b"//", b"\xe2\x80\xae", b"\r\n",
    b" " * 100,
)  # fmt: skip


class Grammar:
    """Sound values of types, by chance."""

    def __init__(
        self, source: random.Random, fill: Fill = lambda name, kind: NOT_FILLED, usual: tuple[str, ...] = ()
    ) -> None:
        """Of the fields that may be left out the usual ones are there nine times in ten, others every second time."""
        self._source, self._fill, self._usual = source, fill, usual

    def of(self, kind: inspect.Type, name: str = "") -> Any:
        """A value that the type allows, as JSON has it."""
        filled = self._fill(name, kind)
        return self._made(kind, name) if filled is NOT_FILLED else filled

    def _made(self, kind: inspect.Type, name: str) -> Any:
        source = self._source
        match kind:
            case inspect.Metadata(type=inner):
                return self.of(inner, name)
            case inspect.NoneType():
                return None
            case inspect.BoolType():
                return source.random() < 0.5
            case inspect.IntType():
                return self._integer(kind)
            case inspect.FloatType():
                return source.choice((0.0, 1.5, -2.0, 1e9))
            case inspect.StrType():
                return self._text(kind)
            case inspect.LiteralType(values=values):
                return source.choice(sorted(values, key=str))  # their order is chance
            case inspect.UnionType(types=types):
                return self.of(source.choice(sorted(types, key=str)), name)
            case inspect.ListType() | inspect.VarTupleType():
                return [self.of(kind.item_type, name) for _ in range(self._many(kind))]
            case inspect.TupleType(item_types=items):
                return [self.of(item, name) for item in items]
            case inspect.DictType():
                return {self.of(kind.key_type, f"{name} key"): self.of(kind.value_type, f"{name} value")
                        for _ in range(self._many(kind))}  # fmt: skip
            case inspect.StructType():
                return self._struct(kind)
            case inspect.AnyType():
                return _odd(self._source)
        raise NotImplementedError(f"no value of {kind} is known here: teach tests/support/grammar.py to make one")

    def _struct(self, kind: inspect.StructType) -> dict[str, Any]:
        made: dict[str, Any] = {} if kind.tag_field is None else {kind.tag_field: kind.tag}
        for field in kind.fields:
            optional = field.default is not NODEFAULT or field.default_factory is not NODEFAULT
            if not optional or self._source.random() < (0.9 if field.name in self._usual else 0.5):
                made[field.encode_name] = self.of(field.type, field.name)
        return made

    def _integer(self, kind: inspect.IntType) -> int:
        least = kind.ge if kind.ge is not None else kind.gt + 1 if kind.gt is not None else -5
        most = kind.le if kind.le is not None else kind.lt - 1 if kind.lt is not None else least + 100
        near = self._source.randint(least, min(most, least + 8))
        return self._source.choice((least, most, near, near, near, self._source.randint(least, most)))

    def _many(self, kind: inspect.ListType | inspect.VarTupleType | inspect.DictType) -> int:
        least = kind.min_length or 0
        most = least + 3 if kind.max_length is None else kind.max_length
        return self._source.choice((least, min(most, least + 1), min(most, least + 2), most))

    def _text(self, kind: inspect.StrType) -> str:
        least = kind.min_length or 0
        most = min(kind.max_length if kind.max_length is not None else least + 40, 2000)
        fits = re.compile(kind.pattern or "").search
        size = self._source.choice((least, most, self._source.randint(least, most)))
        made = ["".join(self._source.choices(letters, k=size)) for letters in ALPHABETS]
        words = self._source.choice(WORDS)
        wanted = [text for text in (words, *made) if least <= len(text) <= most and fits(text)]
        if not wanted:
            raise NotImplementedError(
                f"no text is known that fits {kind.pattern!r}: teach tests/support/grammar.py one"
            )
        return wanted[0] if self._source.random() < 0.5 else self._source.choice(wanted)


@cache
def type_of(shape: Any) -> inspect.Type:
    """What a type allows."""
    return inspect.type_info(shape)


@cache
def members(shape: Any) -> tuple[inspect.StructType, ...]:
    """The structs of a union, or the one that it is."""
    kind = type_of(shape)
    kinds = kind.types if isinstance(kind, inspect.UnionType) else (kind,)
    structs = [each for each in kinds if isinstance(each, inspect.StructType)]
    return tuple(sorted(structs, key=lambda each: each.cls.__name__))


# ---------------------------------------------------------------------- spoiling


def places(value: Any, way: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Where all parts of a message are."""
    if way:
        yield way
    inside = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, part in inside:
        yield from places(part, (*way, key))


def spoil(message: Any, source: random.Random) -> bytes:
    """A message as bytes that no longer is what it was."""
    if source.random() < 0.25:
        return spoil_bytes(written(message), source)
    message = copy.deepcopy(message)
    for _ in range(source.choice((1, 1, 1, 2, 4))):
        message = _spoil_part(message, source)
    return written(message)


def written(message: Any) -> bytes:
    """As JSON; half characters and what is not a number stand there as Python writes them."""
    return json.dumps(message).encode()


def _spoil_part(message: Any, source: random.Random) -> Any:
    ways = list(places(message))
    if not ways:
        return _odd(source)
    way, other = source.choice(ways), source.choice(ways)
    part: Any = message
    for key in way[:-1]:
        part = part[key]
    match source.randrange(7):
        case 0:
            del part[way[-1]]
        case 1:
            part[way[-1]] = _odd(source)
        case 2:
            part[way[-1]] = copy.deepcopy(_at(message, other))
        case 3 if isinstance(part, dict):
            part[source.choice(("extra", "id", "", "do", "kind", "seat", "__proto__"))] = _odd(source)
        case 4 if isinstance(part[way[-1]], int):
            part[way[-1]] += source.choice((-1, 1, 1, 10, -100, 2**60))
        case 5:
            part[way[-1]] = str(part[way[-1]])
        case _:
            part[way[-1]] = [part[way[-1]]]
    return message


def _odd(source: random.Random) -> Any:
    return copy.deepcopy(source.choice(ODD))


def _at(message: Any, way: tuple[Any, ...]) -> Any:
    for key in way:
        message = message[key]
    return message


def spoil_bytes(data: bytes, source: random.Random) -> bytes:
    """Cut, doubled, overwritten, nested deeply, blown up, or something else altogether."""
    spoiled = bytearray(data)
    for _ in range(source.choice((1, 1, 2, 6))):
        a, b = sorted(source.randrange(len(spoiled) + 1) for _ in range(2))
        match source.randrange(8):
            case 0:
                del spoiled[a:b]
            case 1:
                spoiled[a:a] = spoiled[a:b]
            case 2 | 3:
                spoiled[a : a + source.randrange(3)] = source.choice(SCRAPS)
            case 4:
                spoiled[a : a + 1] = bytes([source.randrange(256)])
            case 5:
                depth = source.choice((5, 300, 2000))
                spoiled[:] = b"[" * depth + spoiled + b"]" * depth
            case 6:
                spoiled[:] = source.randbytes(source.randrange(60))
            case _:
                spoiled += b" " * source.choice((1, 100, 16 * 2**10))
    return bytes(spoiled)
