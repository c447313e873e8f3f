"""`avecaesar editions` and `avecaesar rules`: everything that can be played, in words."""

from __future__ import annotations

import pytest

from avecaesar.cli import main
from avecaesar.rules import EDITIONS, OPTIONS, clauses, offered
from avecaesar.server.tables.plan import check
from avecaesar.server.wire import messages as msg
from avecaesar.telling.wording import what_changes


def test_every_value_of_every_option_is_told_in_words(capsys: pytest.CaptureFixture[str]) -> None:
    for name, chosen in EDITIONS.items():
        assert main(["editions", name]) == 0
        told = " ".join(capsys.readouterr().out.split())
        for option, choice in offered().items():
            assert f"{option} " in told
            value = getattr(chosen.rules, option)
            assert choice.words.get(str(value), "") in told


def test_riderless_chariots_that_fill_the_grid_are_told_in_words(capsys: pytest.CaptureFixture[str]) -> None:
    for arguments in (["thibault"], ["ausgebremst"], ["fiche", "thibault"], []):
        assert main(["editions", *arguments]) == 0
        told = " ".join(capsys.readouterr().out.split())
        assert "as many as bring a race to 4 on side A, 6 on" in told


@pytest.mark.parametrize(
    ("edition", "among_them"),
    [("ravensburger", []), ("thibault", ["NPC-2"]), ("ausgebremst", ["NPC-2", "AUS-1", "AUS-6"])],
)
def test_an_edition_names_the_clauses_that_the_default_does_not_have(
    edition: str, among_them: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    main(["editions", edition])
    _, _, named = capsys.readouterr().out.partition("does not have")
    told = [line.split()[0] for line in named.splitlines()[1:]]
    assert set(among_them) <= set(told)
    assert all(edition in clauses()[name].editions for name in told)
    assert not any("ravensburger" in clauses()[name].editions for name in told)


def test_two_editions_side_by_side_show_what_differs_and_nothing_else(capsys: pytest.CaptureFixture[str]) -> None:
    for one in EDITIONS:
        for other in EDITIONS:
            assert main(["editions", one, other]) == 0
            told = capsys.readouterr().out
            differences = EDITIONS[one].rules.differences(EDITIONS[other].rules)
            assert {name for name in OPTIONS if f"({name})" in told} == set(differences)


def test_every_clause_can_be_read_by_its_name_in_any_case(capsys: pytest.CaptureFixture[str]) -> None:
    for name, clause in clauses().items():
        assert main(["rules", name.lower()]) == 0
        told = " ".join(capsys.readouterr().out.split())
        assert told.startswith(f"{name} · {clause.title}")
        assert " ".join(clause.text.split()) in told


def test_a_group_is_read_whole_and_words_are_looked_for(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rules", "six"]) == 0
    told = capsys.readouterr().out
    assert all(f"SIX-{n} ·" in told for n in range(1, 8))
    assert main(["rules", "alley", "coin"]) == 0
    assert "TRI-1" in capsys.readouterr().out


def test_the_list_of_an_edition_leaves_out_what_it_does_not_know(capsys: pytest.CaptureFixture[str]) -> None:
    main(["rules", "--edition", "riassunto"])
    told = capsys.readouterr().out
    assert "SIX-1 " in told
    assert "SIX-5 " not in told
    main(["rules", "--edition", "ausgebremst"])
    told = capsys.readouterr().out
    assert "AUS-1 " in told
    assert "TRI-3 " not in told


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["rules", "SIX-99"], "no clause"),
        (["rules", "--edition", "nero"], "no edition 'nero'"),
        (["editions", "nero"], "no edition 'nero'"),
        (["editions", "fiche", "fiche", "fiche"], "side by side"),
    ],
)
def test_bad_names_are_refused_in_a_sentence(
    arguments: list[str], says: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(arguments) == 2
    told = capsys.readouterr().err
    assert says in told
    assert told.count("\n") == 1


@pytest.mark.parametrize(("course", "full"), [("white", 4), ("blue", 4), ("yellow", 6), ("red", 6)])
def test_a_table_as_the_form_lays_it_has_as_many_riderless_chariots_as_its_edition_says(course: str, full: int) -> None:
    assert "riderless chariots fill the grid (A: 4, B: 6)" in what_changes("ausgebremst")
    for many in range(1, 7):
        seats = tuple(msg.SeatPlan(kind="driver") for _ in range(many))
        checked = check(msg.NewTable(seats=seats, edition="ausgebremst", course=course))
        assert (checked.problem, checked.riderless) == (None, max(0, full - many))
        assert checked.chariots == max(many, full)
