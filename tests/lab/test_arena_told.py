"""What people see of an arena, who may race in one, and bad input."""

from __future__ import annotations

import json
import re
import shlex
import struct
import sys
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path
from xml.etree import ElementTree

import pytest

from arenas import OWN, by_hand, printed
from avecaesar import Move, Race, load_course
from avecaesar.cli import main
from avecaesar.lab import Experiment, clairvoyant
from avecaesar.lab.arena import Standings, standings_of
from avecaesar.rules import Rules
from checkout import ROOT

pytestmark = pytest.mark.usefixtures("arena_workplace")

DOCS = ROOT / "docs" / "arena.md"


# ---------------------------------------------------------------------- who sees all cards


class Seer:
    """Plays the first legal move, and knows everything."""

    def __init__(self, seed: int, playouts: int, cores: int) -> None:
        assert (seed >= 0, playouts, cores) == (True, 3, 1)

    def choose_seeing(self, race: Race) -> Move:
        assert race.turn in race.driven
        assert len(race.deal) == len(race.names)
        move = race.legal_moves[0]
        race.play(move)  # on a copy
        return move


def test_a_driver_who_sees_all_cards_races_in_the_arena_only(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(clairvoyant.SEEING, "seer", Seer)
    told = json.loads(printed(capsys, "seer@3 --against random --races 4 --chariots 2 --seed 1 --json"))
    assert told["pairings"][0]["moves"] > 40
    for elsewhere in (["simulate", "--drivers", "seer@3"], ["play", "--against", "seer@3"]):
        assert main(elsewhere) == 2
        assert "there is no driver 'seer@3'" in capsys.readouterr().err
    with pytest.raises(ValueError, match="no driver"):
        Experiment(1, load_course("white"), Rules(), ("seer@3",), 1)


# ---------------------------------------------------------------------- what people see


def test_the_tables_are_aligned_and_fit_a_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    told = printed(capsys, "greedy random own.py:Roving --races 12 --seed 5 --chariots 4")
    _, pairings, crossed, differences, ratings, _ = told.split("\n\n")
    for table in (pairings, crossed, differences, ratings):
        assert max(map(len, table.splitlines())) <= 80
    for table in (crossed, differences, ratings):
        assert len({len(line) for line in table.splitlines()}) == 1
    assert len(pairings.splitlines()) == 2 + 2 * 6
    assert "  v 3 own.py:Roving" in pairings


def test_the_command_that_is_told_repeats_everything(capsys: pytest.CaptureFixture[str]) -> None:
    it = "random greedy --races 7 --course red --direction anticlockwise --chariots 3 --edition thibault --seed 6"
    told = printed(capsys, f"{it} --option crash=yes --no-memory-aid", "--json")
    standings = json.loads(told)
    assert (standings["options"], standings["riderless"], standings["against"]) == ({"crash": "yes"}, 3, None)
    program, command, *arguments = shlex.split(standings["command"])
    assert (program, command) == ("avecaesar", "arena")
    assert printed(capsys, shlex.join(arguments), "--json") == told


def test_without_a_seed_one_is_chosen_and_told(capsys: pytest.CaptureFixture[str]) -> None:
    first = printed(capsys, "random --against greedy --races 2 --chariots 2")
    (command,) = re.findall(r"^  avecaesar arena (.+)$", first, re.MULTILINE)
    assert printed(capsys, command) == first


def test_every_key_of_the_json_is_documented(capsys: pytest.CaptureFixture[str]) -> None:
    it = json.loads(printed(capsys, "greedy random own.py:Roving --races 4 --seed 1 --json"))
    assert (it["format"], it["version"], it["races"], it["deals"], it["fair_share"]) == (
        "avecaesar-arena",
        1,
        4,
        1,
        0.25,
    )
    keys = {*it, *it["pairings"][0], *it["pairings"][0]["wins"], *it["differences"][0], *it["ratings"][0]}
    documented = set(re.findall(r"`(\w+)`", DOCS.read_text(encoding="utf-8")))
    assert keys - documented == set()
    header, line = Path(next((Path("data") / "avecaesar" / "arenas").iterdir())).read_text().splitlines()[:2]
    assert {*json.loads(header), *json.loads(line)[1]} - documented == set()


def test_a_bar_on_a_terminal_counts_from_where_it_was_left(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    printed(capsys, "greedy --against random --races 8 --seed 1 --save a.jsonl")
    lines = (tmp_path / "a.jsonl").read_bytes().splitlines(keepends=True)
    (tmp_path / "a.jsonl").write_bytes(b"".join(lines[:6]))
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    assert main(["arena", "--resume", "a.jsonl"]) == 0
    seen = capsys.readouterr().err
    assert "5 of 8 races, starting" in seen
    assert "8 of 8 races, 0 s left" in seen
    assert "3 races in 0 s" in seen


class Balanced(HTMLParser):
    """Sees that all tags are closed in order."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        assert not [value for _, value in attrs if value and "://" in value and "www.w3.org" not in value]
        if tag != "meta":
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


@pytest.mark.parametrize("drivers", ["greedy --against random", "greedy random own.py:Roving"])
def test_plots_are_drawn(drivers: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    printed(capsys, f"{drivers} --races 4 --seed 1 --save a.jsonl", "--plot", "a.png", "--plot", "a.html")
    png = (tmp_path / "a.png").read_bytes()
    assert png[:8] == b"\x89PNG\r\n\x1a\n"
    wide, high = struct.unpack(">II", png[16:24])
    assert wide >= 1200
    assert high >= 300
    page = (tmp_path / "a.html").read_text(encoding="utf-8")
    parser = Balanced()
    parser.feed(page)
    assert parser.open == []
    assert "<script" not in page
    assert "prefers-color-scheme: dark" in page
    drawings = [ElementTree.fromstring(svg) for svg in re.findall(r"<svg.*?</svg>", page, re.DOTALL)]
    assert len(drawings) == (2 if "--against" in drivers else 3)
    names = [text.text for drawing in drawings for text in drawing.iter("{http://www.w3.org/2000/svg}text")]
    assert {"greedy v random", "fair", "greedy"} <= set(names)
    own = ["--own", "own.py:Roving"] if "own.py" in drivers else []
    printed(capsys, "--resume a.jsonl", *own, "--plot", "b.html", "--plot", "b.png")
    assert (tmp_path / "b.html").read_text(encoding="utf-8") == page
    assert (tmp_path / "b.png").read_bytes() == png


def test_names_are_written_into_the_page_safely() -> None:
    from avecaesar.lab.arena import page

    standings: Standings = standings_of(by_hand((1, 0), (1, 1)))
    mischief = replace(standings, arena=replace(standings.arena, course="<script>&"))
    assert "<script" not in page(mischief)


# ---------------------------------------------------------------------- bad input


@pytest.mark.parametrize(
    "arguments",
    [
        "", "greedy", "--against greedy", "greedy --against greedy", "greedy random greedy", "greedy nobody",
        "greedy --against nobody", "greedy --against ''", "greedy '' random", "greedy own.py:Nobody",
        "greedy random --races 0", "greedy random --races 1000001", "greedy random --races x",
        "greedy random --chariots 1", "greedy random --chariots 7", "greedy random --players 1",
        "greedy random --players 2 --chariots 4", "greedy random --each 3", "greedy random --players 4 --each 2",
        "greedy random --course green", "greedy random --edition house", "greedy random --option no=such",
        "greedy random --direction up", "greedy random --seed -1", "greedy random --jobs 0", "greedy random --unknown",
        "greedy random --plot a.jpg", "greedy random --plot nowhere/a.png", "greedy random --plot ''",
        "greedy random --save own.py", "greedy random --save nowhere/a.jsonl", "greedy random --save ''",
        "--resume nowhere.jsonl", "--resume .", "--resume own.py", "--resume ''",
        "greedy --resume own.py", "--resume own.py --races 4", "--resume own.py --no-memory-aid",
        "--resume own.py --seed 0", "--resume own.py --save b.jsonl", "--resume own.py --option crash=yes",
    ],
)  # fmt: skip
def test_bad_input_is_refused_in_one_sentence(
    arguments: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    status: object
    try:
        status = main(["arena", *shlex.split(arguments)])
    except SystemExit as left:
        status = left.code
    told = capsys.readouterr()
    assert (status, told.out) == (2, "")
    assert re.fullmatch(r"avecaesar[^\n]+\n", told.err)
    assert (tmp_path / "own.py").read_text() == OWN


def test_a_png_without_matplotlib_is_refused_before_the_races(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    assert main(["arena", "greedy", "random", "--plot", "a.png", "--save", "a.jsonl"]) == 2
    assert "pip install 'avecaesar[plot]'" in capsys.readouterr().err
    assert not (tmp_path / "a.jsonl").exists()


@pytest.mark.parametrize(
    ("driver", "reason", "jobs"), [("Raising", "KeyError: 'no idea'", "1"), ("Cheating", "IllegalMove", "2")]
)
def test_a_driver_that_fails_ends_the_arena_in_a_sentence(
    driver: str, reason: str, jobs: str, capfd: pytest.CaptureFixture[str]
) -> None:
    assert main(["arena", f"own.py:{driver}", "greedy", "--seed", "77", "--jobs", jobs]) == 2
    told = capfd.readouterr()
    assert told.out == ""
    assert re.fullmatch(
        rf"avecaesar: driver 'own.py:{driver}' failed in decision \d+ of race \d+ of seed 77: {reason}.*\n", told.err
    )
