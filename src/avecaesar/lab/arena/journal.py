"""An arena on disk: what is raced in the first line, then a line a race, only ever added to.

A batch of races counts when it is on the disk. Whatever ends the program, all that counted is there; at most the last
line is torn, and it is dropped when the arena is taken up again.
"""

from __future__ import annotations

import hashlib
import os
import sys
from collections.abc import Callable, Iterable, Sequence
from contextlib import closing
from functools import cache
from pathlib import Path
from types import TracebackType
from typing import BinaryIO, Self

import msgspec

import avecaesar
from avecaesar.courses import Direction
from avecaesar.drivers import is_own
from avecaesar.errors import BadInput, plain
from avecaesar.files import write_atomically
from avecaesar.lab.arena.pairings import Arena, ArenaError
from avecaesar.lab.arena.results import Results
from avecaesar.lab.experiment import written
from avecaesar.lab.racing import Count, Outcome
from avecaesar.lab.workers import run_each
from avecaesar.records import RecordedBoard
from avecaesar.records.boards import course_among, recorded
from avecaesar.rules import edition

FORMAT, VERSION = "avecaesar-arena-journal", 1
DECIDING = ("courses", "rules", "kernel", "game", "drivers", "lab/experiment.py", "lab/racing.py", "lab/clairvoyant.py")


class Header(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The first line: everything that decides the races."""

    format: str
    version: int
    avecaesar: str  # its version
    sources: str  # a digest of what decides a race in it
    drivers: tuple[str, ...]
    own: dict[str, str]  # the digests of drivers of one's own
    against: str | None
    races: int
    edition: str
    options: dict[str, str]  # that differ from the edition's
    course: str
    direction: Direction
    board: RecordedBoard
    chariots: int
    memory_aid: bool
    seed: int


LINE = msgspec.json.Decoder(tuple[Count, Outcome])  # the pairing's number, and what came of a race of it


class Journal:
    """An arena that is being raced. Nobody else can write to its file meanwhile."""

    def __init__(self, path: Path, arena: Arena, results: Results, file: BinaryIO) -> None:
        self.path = path
        self.arena = arena
        self.results = results
        self._file = file

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, where: TracebackType | None
    ) -> None:
        self._file.close()

    @classmethod
    def begin(cls, path: Path, arena: Arena) -> Journal:
        """A new journal; an arena that is there already is not written over."""
        if path.exists():
            raise ArenaError(f"{path} is there already; go on with it by --resume, or save to another file")
        write_atomically(path, msgspec.json.encode(_header(arena)) + b"\n")
        file = _opened(path)
        file.seek(0, os.SEEK_END)
        return cls(path, arena, Results(arena), file)

    @classmethod
    def resume(cls, path: Path, own: Sequence[str] = ()) -> Journal:
        """An arena as it was left; what is wrong with its journal is told in a sentence.

        Drivers whose files would run must be named in `own`: whoever wrote the journal has chosen them.
        """
        file = _opened(path)
        try:
            *whole, torn = file.read().split(b"\n")
            arena = _arena(whole[0] if whole else b"", own)
            results = Results(arena)
            for number, line in enumerate(whole[1:], 2):
                _read(line, number, results)
            file.truncate(file.seek(-len(torn), os.SEEK_END))
        except BadInput as error:
            file.close()
            raise ArenaError(f"{path}: {error}") from None
        except BaseException:
            file.close()
            raise
        return cls(path, arena, results, file)

    @property
    def kept(self) -> int:
        """Races on the disk: among them one that an interruption kept out of the results."""
        self._file.flush()
        return self.path.read_bytes().count(b"\n") - 1

    def add(self, pairing: int, outcomes: Iterable[Outcome]) -> None:
        """Races that were run: on the disk first, then among the results."""
        kept = list(outcomes)
        try:
            self._file.write(b"".join(msgspec.json.encode((pairing, outcome)) + b"\n" for outcome in kept))
            self._file.flush()
            os.fsync(self._file.fileno())
        except OSError as error:
            raise OSError(error.errno, error.strerror, str(self.path)) from None
        for outcome in kept:
            self.results.add(pairing, outcome)

    def race(self, jobs: int = 1, progress: Callable[[int], None] = lambda done: None) -> Results:
        """Run all races that are missing; `progress` hears how many are there after each batch."""
        with closing(run_each(self.arena.experiments, self.results.missing, jobs)) as races:
            for pairing, outcomes in races:
                self.add(pairing, outcomes)
                progress(self.results.count)
        return self.results


def _opened(path: Path) -> BinaryIO:
    try:
        file = open(path, "r+b")  # noqa: SIM115  # the journal closes it
    except OSError as error:
        raise ArenaError(f"{path} cannot be taken up: {error.strerror}") from None
    if os.name == "posix":
        import fcntl

        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            file.close()
            raise ArenaError(f"{path}: this arena is being raced elsewhere at the moment") from None
    return file


def _read(line: bytes, number: int, results: Results) -> None:
    try:
        results.add(*LINE.decode(line))
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError, ArenaError) as error:
        raise ArenaError(f"line {number} is spoilt: {error}") from None


# ---------------------------------------------------------------------- the first line


def _header(arena: Arena) -> Header:
    experiment = arena.experiments[0]
    return Header(
        format=FORMAT,
        version=VERSION,
        avecaesar=avecaesar.__version__,
        sources=_sources(),
        drivers=arena.drivers,
        own=_own(arena.names),
        against=arena.against,
        races=arena.asked,
        edition=arena.edition,
        options={name: written(value) for name, value in experiment.options.items()},
        course=arena.course,
        direction=arena.track.direction,
        board=recorded(arena.track.board),
        chariots=arena.chariots,
        memory_aid=arena.memory_aid,
        seed=arena.seed,
    )


def _arena(line: bytes, own: Sequence[str]) -> Arena:
    """The arena that a first line tells of, if it can be gone on with here."""
    try:
        kind = msgspec.json.decode(line)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        kind = None
    if not isinstance(kind, dict) or kind.get("format") != FORMAT:
        raise ArenaError("this is not the journal of an arena")
    if kind.get("version") != VERSION:
        raise ArenaError(f"this journal's version is {kind.get('version')}, and only {VERSION} is known here")
    try:
        header = msgspec.convert(kind, Header)
    except msgspec.ValidationError as error:
        raise ArenaError(f"line 1 is spoilt: {error}") from None
    if header.avecaesar != avecaesar.__version__ or header.sources != _sources():
        here = "this one" if header.avecaesar == avecaesar.__version__ else avecaesar.__version__
        raise ArenaError(
            f"this was begun with another state of Ave Caesar {header.avecaesar} than {here}, where drivers may "
            "drive otherwise; begin anew"
        )
    for name in (*header.drivers, *([header.against] if header.against else [])):
        if is_own(name) and name not in own:
            raise ArenaError(f"it runs Python code that the journal names: if you trust it, add --own '{plain(name)}'")
    arena = Arena(
        drivers=header.drivers,
        against=header.against,
        asked=header.races,
        course=header.course,
        track=course_among([header.board], header.course.rpartition(":")[2], header.direction),
        rules=edition(header.edition).with_options(header.options),
        edition=header.edition,
        chariots=header.chariots,
        seed=header.seed,
        memory_aid=header.memory_aid,
    )
    for name, digest in _own(arena.names).items():
        if header.own.get(name) != digest:
            raise ArenaError(f"driver '{name}' has changed since this was begun; begin anew")
    return arena


@cache
def _sources() -> str:
    """A digest of all sources of ours that decide a race."""
    home = Path(avecaesar.__file__).parent
    return _digest(file for part in DECIDING for file in sorted((home / part).rglob("*.py")) or [home / part])


def _own(names: Iterable[str]) -> dict[str, str]:
    """Drivers of one's own, which are loaded by now, with the digests of the files they stand in."""
    digests = {}
    for name in names:
        where, _, _ = name.rpartition(":")
        file = where if where.endswith(".py") else getattr(sys.modules.get(where), "__file__", None)
        if file is not None:
            digests[name] = _digest([Path(file)])
    return digests


def _digest(files: Iterable[Path]) -> str:
    digest = hashlib.sha256()
    for file in files:
        digest.update(file.read_bytes())
    return digest.hexdigest()
