"""A driver who looks ahead: she tries her moves in a thousand races as they might go on.

What she cannot see is sampled for each world, consistent with all that she has seen (`belief`), and in each everybody
drives on by rules of thumb. Sequential halving: all moves get the same worlds, and in each of a few rounds the worse
half is dropped, so that most playouts go to the moves that are hard to tell apart.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import blake2b
from math import hypot, sqrt
from threading import Lock, Thread

import numpy as np

from avecaesar.drivers import belief, search
from avecaesar.drivers.compiled import Scorpus
from avecaesar.drivers.memory import events_of
from avecaesar.drivers.own import DriverError
from avecaesar.game import Move, Play, View
from avecaesar.game.moves import to_number
from avecaesar.kernel import packing
from avecaesar.setting_up import wait_for_searcher

PLAYOUTS = 1000
MOST_PLAYOUTS = 10**9
MOST_CORES = 256
LONGEST = 3600  # seconds a move
BATCH = 16  # worlds between two looks at the clock
SORTINGS = 16  # looked at, of the hundreds that there are


@dataclass(frozen=True, slots=True)
class Considered:
    """A move that she has tried."""

    move: Move
    laurels: float  # that it earns on average; in teams all chariots of the player
    error: float  # standard error of this
    playouts: int


class Searcher:
    """Plays the move that earns most on average over her playouts: so many, or as many as `seconds` allow.

    With a budget in playouts the same view gives the same move, on any machine and any number of cores. The thinking
    is compiled and lets other threads run.

    >>> from avecaesar.game import Race
    >>> race = Race("white", 3, seed=2)
    >>> Searcher(playouts=200).choose(race.view(race.turn)) in race.legal_moves
    True
    """

    def __init__(
        self,
        seed: int | None = None,
        playouts: int = PLAYOUTS,
        seconds: float | None = None,
        cores: int = 1,
    ) -> None:
        if not 1 <= playouts <= MOST_PLAYOUTS:
            raise DriverError(f"a searcher plays from 1 to {MOST_PLAYOUTS:,} races a move, not {playouts}")
        if seconds is not None and not 0 < seconds <= LONGEST:
            raise DriverError(f"a searcher thinks for more than 0 and at most {LONGEST} seconds, not {seconds}")
        if not 1 <= cores <= MOST_CORES:
            raise DriverError(f"a searcher thinks on 1 to {MOST_CORES} cores, not {cores}")
        self.seed = seed
        self.playouts = playouts
        self.seconds = seconds
        self.cores = cores

    def choose(self, view: View) -> Move:
        """The move that earns most; without thinking where there is only one."""
        return view.legal_moves[0] if len(view.legal_moves) == 1 else self.consider(view)[0].move

    def consider(self, view: View) -> list[Considered]:
        """What each move earns, the best first. Of the sortings of a deck she looks at some only."""
        if not view.legal_moves:
            raise ValueError("it is not this chariot's turn: there is nothing to choose")
        wait_for_searcher()
        course, rules = packing.course_table(view.course), packing.rules_table(view.rules)
        events, evidence = events_of(view), belief.new_evidence()
        belief.gather_all(course, rules, view.known, events, evidence)
        seed = self.seed_for(view.known.tobytes() + events.tobytes())
        trial = Trial(course, rules, view.known, evidence, candidates(view), seed, self.cores)
        return trial.halve(self.playouts, self.seconds)

    def seed_for(self, seen: bytes) -> int:
        """The seed of a trial: from what is seen, and her own if she has one."""
        return int.from_bytes(blake2b(f"{self.seed} ".encode() + seen, digest_size=8).digest())


def advise(view: View, playouts: int = 2000) -> list[Considered]:
    """What she would tell a person, the best first: of moves that chance alone tells apart, the one that is home."""
    considered = Searcher(playouts=playouts).consider(view)
    best = considered[0]

    def arrives(one: Considered) -> bool:
        alike = best.laurels - one.laurels <= 2 * hypot(best.error, one.error)
        return alike and isinstance(one.move, Play) and one.move.to == "home"

    return sorted(considered, key=lambda one: not arrives(one))


class Trial:
    """Moves being tried in one position. Without evidence `known` is the race itself, and every world is that."""

    def __init__(
        self,
        course: packing.Packed,
        rules: packing.Packed,
        known: packing.Packed,
        evidence: packing.Packed,
        moves: Sequence[Move],
        seed: int,
        cores: int = 1,
        loose: int = 0,  # one decision in so many of a playout is made at random, 0: none
    ) -> None:
        self.moves = moves
        self.cores = cores
        self.loose = loose
        self._position = course, rules, known, evidence
        self._seed = np.uint64(seed)
        self._numbers = np.array([to_number(move) for move in moves], np.int64)
        self._earned, self._squares, self._playouts = np.zeros((3, len(moves)), np.int64)
        self._next = 0  # the number of the next world
        self._lock = Lock()
        self._failed: list[BaseException] = []

    def halve(self, playouts: int, seconds: float | None) -> list[Considered]:
        """Try all moves, then the better half of them, and so on; what each of them earns, the best first."""
        rounds = max(1, (len(self.moves) - 1).bit_length())
        ranked = list(range(len(self.moves)))
        begun = time.monotonic()
        for number in range(rounds):
            best = ranked[: -(-len(ranked) >> number)]
            if seconds is None:
                self.run(best, worlds=max(1, playouts // (rounds * len(best))))
            else:
                self.run(best, until=begun + seconds * (number + 1) / rounds)
            ranked[: len(best)] = sorted(best, key=self.mean, reverse=True)
        return [self.considered(m) for m in ranked]

    def run(self, best: list[int], worlds: int | None = None, until: float | None = None) -> None:
        """Try the best moves in so many worlds, or in as many as there is time for."""
        begun = self._next
        last = None if worlds is None else begun + worlds
        helpers = [
            Thread(target=self._help, args=(best, last, until), daemon=True)  # nobody waits for them to leave
            for _ in range(self.cores - 1)
        ]
        for helper in helpers:
            helper.start()
        self._work(best, last, until)
        for helper in helpers:
            helper.join()
        if self._failed:
            raise self._failed[0]
        self._playouts[best] += self._next - begun

    def _help(self, best: list[int], last: int | None, until: float | None) -> None:
        try:
            self._work(best, last, until)
        except BaseException as error:  # who asked is told
            self._failed.append(error)

    def _work(self, best: list[int], last: int | None, until: float | None) -> None:
        moves, desk = self._numbers[best], packing.new_races(2)
        earned, squares = np.zeros((2, len(best)), np.int64)
        while worlds := self._take(last, until):
            search.try_moves(
                *self._position,
                moves,
                self.loose,
                self._seed,
                worlds.start,
                len(worlds),
                desk,
                earned,
                squares,
            )
        with self._lock:
            self._earned[best] += earned
            self._squares[best] += squares

    def _take(self, last: int | None, until: float | None) -> range:
        """The next worlds to look at; none when there are no more, or no time."""
        with self._lock:
            first = self._next
            late = until is not None and first > 0 and time.monotonic() >= until
            self._next = first if late else first + BATCH if last is None else min(first + BATCH, last)
            return range(first, self._next)

    def mean(self, m: int) -> float:
        """What a move earned on average."""
        return float(self._earned[m]) / max(1, int(self._playouts[m]))

    def considered(self, m: int) -> Considered:
        """What is known of a move by now."""
        n, mean = int(self._playouts[m]), self.mean(m)
        variance = max(0.0, float(self._squares[m]) / n - mean * mean)
        return Considered(self.moves[m], mean, sqrt(variance / n), n)


def candidates(view: View) -> list[Move]:
    """The moves to try: all of them, but only some of the sortings, the usual one first."""
    moves = list(view.legal_moves)
    if view.asks != "sort":
        return moves
    step = -(-len(moves) // SORTINGS)
    return [Scorpus().choose(view), *moves[step // 2 :: step]]
