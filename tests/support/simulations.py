"""Simulations in tests, as they are typed."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from avecaesar.cli import main
from avecaesar.lab import Experiment, report_on, run

OWN = """
import random

class Roving:
    def __init__(self, seed):
        self.source = random.Random(seed)

    def choose(self, view):
        return self.source.choice(view.legal_moves)

class First:
    def choose(self, view):
        return view.legal_moves[0]

class Attentive:
    def __init__(self, seed):
        self.source = random.Random(seed)
        self.chariots = set()

    def choose(self, view):
        assert view.me.player is not None and not view.me.riderless
        assert view.piles == () or view.memory_aid
        self.chariots.add(view.chariot)
        each = view.rules.chariots_each
        assert len(self.chariots) <= each
        if view.me.crossings > 1:
            assert len(self.chariots) == each  # one driver for all chariots of a player
        return self.source.choice(view.legal_moves)

class Raising:
    def choose(self, view):
        if len(view.history) > 9:
            raise KeyError("no idea")
        return view.legal_moves[0]

class Cheating:
    def choose(self, view):
        from avecaesar import Play
        return Play(6, "home")

class Silent:
    def choose(self, view):
        return None

class Leaving:
    def choose(self, view):
        import os
        os._exit(3)

class Slow:
    def choose(self, view):
        if not view.history:
            print("racing", flush=True)
        while True:
            pass
"""


def printed(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    assert main(["simulate", *arguments]) == 0
    told = capsys.readouterr()
    assert told.err == ""
    return told.out


def typed(*arguments: str, cwd: Path, **changes: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "avecaesar", "simulate", *arguments],
        cwd=cwd,
        env=os.environ | changes,
        capture_output=True,
        text=True,
        check=False,
    )


def files(folder: Path) -> dict[str, bytes]:
    return {file.name: file.read_bytes() for file in folder.iterdir()}


def report_of(experiment: Experiment) -> Any:
    return report_on(experiment, run(experiment))
