"""The page's types are written from the server's own shapes, and are those of today."""

from __future__ import annotations

import msgspec
import pytest

from avecaesar.server.wire import messages
from page_types import FILE, Writer


def test_the_page_knows_every_shape_as_the_server_sends_it() -> None:
    assert FILE.read_text(encoding="utf-8") == Writer().text(), "run tools/page_types.py"


def test_a_shape_that_has_changed_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    class Bye(msgspec.Struct, frozen=True, tag_field="is", tag="bye"):
        """The server closes the line."""

        problem: str
        until: float | None = None

    monkeypatch.setattr(messages, "Outgoing", messages.Whole | Bye)
    assert '@typedef {{ is: "bye", problem: string, until: number | null }} Bye' in Writer().text()
