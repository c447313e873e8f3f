"""What can be chosen and said, in words."""

from __future__ import annotations

from typing import get_args

from avecaesar.server.content.menu import PHRASES
from avecaesar.server.wire.fields import Phrase


def test_every_quick_phrase_has_its_words() -> None:
    assert set(PHRASES) == set(get_args(Phrase))
