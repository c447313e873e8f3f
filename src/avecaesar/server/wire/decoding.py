"""What comes from outside, read into its shape or refused in a sentence."""

from __future__ import annotations

from functools import cache
from typing import Any, TypeVar

import msgspec

from avecaesar.errors import BadInput, plain
from avecaesar.speech import say
from avecaesar.validation_words import in_words

LARGEST_UPLOAD = 4 * 2**20  # bytes of a record; nothing else that comes from outside is as long

T = TypeVar("T")


class Unreadable(BadInput):
    """Something that was sent has not the shape that it should have."""


def read(data: bytes | str, shape: Any) -> Any:
    """JSON in a shape, or Unreadable."""
    try:
        return _decoder(shape).decode(data)
    except msgspec.MsgspecError as error:
        raise Unreadable(plain(in_words(str(error)))) from None
    except RecursionError:
        raise Unreadable(say("this is nested too deeply")) from None
    except (UnicodeError, ValueError):
        raise Unreadable(say("this is not a text in UTF-8")) from None


def read_words(words: dict[str, str], shape: type[T]) -> T:
    """What stands in an address, in a shape; numbers are written as words there."""
    try:
        return msgspec.convert(words, shape, strict=False)
    except msgspec.MsgspecError as error:
        raise Unreadable(plain(in_words(str(error)))) from None


@cache
def _decoder(shape: Any) -> msgspec.json.Decoder[Any]:
    return msgspec.json.Decoder(shape)
