"""No name at a table looks like another one there, and everybody's own name can be written."""

from __future__ import annotations

from itertools import combinations

import pytest

from avecaesar.drivers import CHARACTERS
from avecaesar.game.lineup import HORSES, NAMES
from avecaesar.server.refused import RefusedError
from avecaesar.server.tables import decisions
from avecaesar.server.tables import events as e
from avecaesar.server.tables.dealing import new_seal
from avecaesar.server.tables.state import TableState
from avecaesar.server.wire.legible import fault_in_name, likeness
from seat_numbers import THIRD


@pytest.mark.parametrize(
    "name",
    [
        "\ua4e1ivia",  # a Lisu letter
        "\u13deivia",  # Cherokee
        "Hel\u0585",  # Armenian
        "Liv\u2c81a",  # Coptic
        "\U00010428livia",  # Deseret
        "Livi\u0430",  # Cyrillic
        "H\u0435ra Κ",
        "\u3163ulia",  # a Korean letter that makes no syllable
        "Livia \u0661",  # an Arabic one
        "Livia \u0967\u0966",  # ten in Devanagari
        "\u3021ulia",  # a Chinese one for merchants
    ],
)
def test_a_name_with_letters_of_two_scripts_is_refused(name: str) -> None:
    assert fault_in_name(name) == "letters of one script only, please: Latin, Greek or Cyrillic"


@pytest.mark.parametrize(
    "name",
    [
        *("Livia", "Zoë", "Nguyễn Thị", "İpek", "Işıl", "Łucja", "O\u02bcBrien", "Ka\u02bbiu", "Strauß", "Ἥρα", "Вера"),
        *("דן", "علي", "อรุณ", "अनु", "Անի", "ꓡꓲꓢꓴ", "ᏣᎳᎩ", "ნინო", "ቤተ"),
        *("李 Lee", "アウルス Mk 2", "이수 Kim", "佐々木 Yū", "ベー・B", "Livia ❤️", "Ⅷ Marcus", "Nero 10"),
        *("علي ٢", "Livia ²", "Nero ❶", "李 二 Lee"),
    ],
)
def test_everybody_can_write_his_own_name(name: str) -> None:
    assert fault_in_name(name) is None


@pytest.mark.parametrize(
    ("name", "copied"),
    [
        ("lulia", "Iulia"),  # a small L
        ("1ulia", "Iulia"),
        ("|ulia", "Iulia"),
        ("\u4e28ulia", "Iulia"),  # Chinese
        ("\u3007ctavia", "Octavia"),  # a Chinese zero
        ("L\u0131via", "Livia"),  # without a dot
        ("L\u0131\u0307v\u0131\u0307a", "Livia"),  # and with one above
        ("Livi\u0251", "Livia"),
        ("\u029fivia", "Livia"),  # a small capital
        ("\u1d0d\u1d00\u0280\u1d04\u1d1c\ua731", "Marcus"),
        ("Ner0", "Nero"),
        ("Au\u0261usta", "Augusta"),
        ("L\u0131\u0301via", "Lívia"),
        ("LIVIA", "livia"),
    ],
)
def test_a_name_that_nobody_could_tell_from_another_has_its_likeness(name: str, copied: str) -> None:
    assert fault_in_name(name) is None
    assert likeness(name) == likeness(copied)


def test_the_games_own_names_are_usable_and_told_from_one_another() -> None:
    own = {*NAMES, *HORSES, *(character.title for character in CHARACTERS.values())}
    assert [name for name in own if fault_in_name(name)] == []
    assert [pair for pair in combinations(own, 2) if len({likeness(name) for name in pair}) < 2] == []


def room() -> TableState:
    state = TableState("t")
    kinds = ("here", "Livia", "red"), ("here", "Iulia", "blue"), ("friend", "Marcus", "green")
    seats = tuple(e.PlannedSeat(kind=kind, name=name, colour=colour) for kind, name, colour in kinds)  # type: ignore[arg-type]
    state.apply(0, 0.0, e.WasLaid(e.Plan(seats=seats)))
    state.apply(1, 0.0, new_seal())
    return state


@pytest.mark.parametrize("name", ["lulia", "L\u0131\u0307v\u0131\u0307a", "\u029fivia", "Livi\u0251"])
def test_nobody_sits_down_under_a_name_that_looks_like_anothers(name: str) -> None:
    with pytest.raises(RefusedError, match="somebody else is called"):
        decisions.sit(room(), THIRD, name, None)


def test_a_name_that_a_seat_has_already_stays_usable() -> None:
    """Tables were laid when fewer names passed for the same."""
    state = room()
    state.apply(state.number + 1, 0.0, e.Dressed(THIRD, "lulia", "green"))
    (sat,) = decisions.sit(state, THIRD, None, "white")
    assert isinstance(sat, e.Sat)
    assert (sat.name, sat.colour) == ("lulia", "white")
