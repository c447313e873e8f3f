"""One file says how chariots are painted, for the page, the posters and the terminal."""

from __future__ import annotations

from avecaesar.game import COLOURS
from avecaesar.telling.liveries import liveries, livery_of
from avecaesar.tui.paint import livery
from liveries import FILE, text


def test_the_page_paints_chariots_as_the_posters_do() -> None:
    assert FILE.read_text(encoding="utf-8") == text(), "run tools/liveries.py"


def test_every_colour_has_a_livery_of_its_own() -> None:
    assert tuple(liveries()) == COLOURS
    for looks in (
        [(one.paint, one.ink) for one in liveries().values()],
        [one.sign for one in liveries().values()],
        [livery(colour) for colour in COLOURS],
    ):
        assert len(set(looks)) == len(COLOURS)


def test_a_colour_that_is_not_ours_is_white() -> None:
    assert livery_of("puce") == livery_of("white")
    assert livery("puce") == livery("white")
