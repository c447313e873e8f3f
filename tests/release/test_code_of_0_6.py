"""Friends' code goes on: the Python of 0.6's manuals runs, and what was renamed since is found under its old name."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import avecaesar
import avecaesar.game
import avecaesar.lab
import avecaesar.lab.arena
from avecaesar import IllegalMove, Play, Race, Refusal, Tournament, Vote

CODE = re.findall(r"```python\n(.*?)```", (Path(__file__).parent / "code_of_0_6.md").read_text("utf-8"), re.DOTALL)


@pytest.mark.filterwarnings("ignore:avecaesar.players:DeprecationWarning")
@pytest.mark.parametrize("code", CODE, ids=range(len(CODE)))
def test_the_python_of_0_6s_manuals_runs(code: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    names: dict[str, object] = {}
    exec(compile(code, "code_of_0_6.md", "exec"), names)
    if "Miser" in names and "race" not in names:
        race = Race("white", 2, seed=1)
        while not race.over:
            race.play(names["Miser"]().choose(race.view(race.turn)))  # type: ignore[operator]
        assert race.over


def test_all_of_it_was_kept() -> None:
    assert len(CODE) == 8


def test_a_chariots_number_is_found_under_its_old_name() -> None:
    race = Race("white", 3, seed=1)
    race.play(race.legal_moves[0])
    with pytest.warns(DeprecationWarning, match="View.seat is now called chariot"):
        assert race.view(2).seat == 2
    with pytest.warns(DeprecationWarning, match="Turn.seat is now called chariot"):
        assert race.history[0].seat == 0
    with pytest.warns(DeprecationWarning, match="Tournament.seats is now called entries"):
        assert Tournament(["Livia", "Marcus"]).seats == ("Livia", "Marcus")


def test_leaders_under_the_ban_are_found_under_their_old_name() -> None:
    race = Race("white", 3, seed=1)
    for _ in range(3):
        race.play(race.legal_moves[0])
    with pytest.warns(DeprecationWarning, match="View.banned is now called under_ban"):
        assert race.view().banned == race.under_ban
    with pytest.warns(DeprecationWarning, match="Race.banned is now called under_ban"):
        assert race.banned == race.under_ban


def test_a_refusal_is_found_under_its_old_name() -> None:
    with pytest.warns(DeprecationWarning, match=r"is now avecaesar\.Refusal"):
        assert avecaesar.Infraction is Refusal
    with pytest.warns(DeprecationWarning, match=r"is now avecaesar\.game\.Refusal"):
        assert avecaesar.game.Infraction is Refusal
    with pytest.raises(IllegalMove) as refused:
        Race("white", 3, seed=1).play(5, to="N1a")
    with pytest.warns(DeprecationWarning, match="IllegalMove.infraction is now called refusal"):
        assert refused.value.infraction is refused.value.refusal


def test_rows_of_reports_are_found_under_their_old_names() -> None:
    with pytest.warns(DeprecationWarning, match=r"is now avecaesar\.lab\.ReportRow"):
        assert avecaesar.lab.Row is avecaesar.lab.ReportRow
    with pytest.warns(DeprecationWarning, match=r"is now avecaesar\.lab\.arena\.PairingRow"):
        assert avecaesar.lab.arena.Row is avecaesar.lab.arena.PairingRow
    with pytest.warns(DeprecationWarning, match=r"is now avecaesar\.lab\.arena\.PairedDifference"):
        assert avecaesar.lab.arena.Difference is avecaesar.lab.arena.PairedDifference


def test_a_vote_for_a_play_is_understood() -> None:
    with pytest.warns(DeprecationWarning, match=r"is now Vote\(card, to\)"):
        assert Vote(Play(3, 8)) == Vote(3, 8)  # type: ignore[arg-type]
    assert Vote(3, 8).play == Play(3, 8)
    assert Vote().play is None
