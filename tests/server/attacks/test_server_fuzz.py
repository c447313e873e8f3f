"""Whatever the server is sent, by whomever: no 500, refused means unchanged, carried out means a log that folds.

`make fuzz` sends a million messages and requests, in runs with a server of their own, and goes on where it was
interrupted. `--only 17` repeats the run that found something: the Makefile shows how this file is called. What is
looked at after every message stands in `fuzz_oracles.py`, what is sent in `fuzz_people.py` and `grammar.py`.
"""

from __future__ import annotations

import argparse
import hashlib
import multiprocessing
import os
import subprocess
import sys
import tempfile
import unicodedata
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from avecaesar.cli.progress import Bar
from avecaesar.server.http.routes import tables
from avecaesar.server.refused import RefusedError
from avecaesar.server.tables import decisions, running
from avecaesar.server.tables import events as e
from avecaesar.server.tables.actor import Actor
from avecaesar.server.tables.seats import Circumstances
from avecaesar.server.tables.state import TableState
from avecaesar.server.wire import messages as msg
from checkout import ROOT, TESTS
from fuzz_oracles import Found
from fuzz_world import Report, fuzz

A_RUN = 5000  # messages to one server
A_SHORT_RUN = 2000
LEAST_DECODED, LEAST_DECIDED = 0.5, 0.2


def need_enough(report: Report) -> None:
    """Most of what was sent was nearly right: garbage alone would try nothing but the reader."""
    assert report.decoded.total() >= LEAST_DECODED * report.messages, "too much of it cannot be read"
    assert report.decided.total() >= LEAST_DECIDED * report.messages, "too little of it reaches a table's decisions"


def test_a_short_run_finds_nothing(tmp_path: Path) -> None:
    report = fuzz(tmp_path, "short", A_SHORT_RUN)
    need_enough(report)
    assert report.messages >= A_SHORT_RUN
    assert {kind.__name__ for kind in msg.Command.__args__} <= set(report.sent)  # every kind of command was sent
    assert report.seen["races verified by the referee"]


# ---------------------------------------------------------------------- bugs that are put in, one at a time


def find(folder: Path) -> str:
    """What a few short runs find: not everything happens in each of them."""
    for number in range(3):
        (folder / str(number)).mkdir()
        try:
            fuzz(folder / str(number), f"short {number}", A_SHORT_RUN)
        except Found as found:
            return str(found)
    return "nothing"


def test_a_refusal_that_is_written_down_all_the_same_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    decide = decisions.decide

    def too_late(self: TableState, actor: Actor, command: msg.Logged, circumstances: Circumstances) -> list[e.AnyEvent]:
        """Looks whether the race is paused after it has decided."""
        if self.paused and isinstance(command, msg.MakeMove) and command.seat in actor.seats:
            return [e.Said(command.seat, None, "hurry")]
        return decide(self, actor, command, circumstances)

    async def carried_out(self: running.RunningTable, who: Actor, command: msg.Logged) -> msg.Done:
        done = await carry_out(self, who, command)
        if self.state.paused and isinstance(command, msg.MakeMove):
            raise RefusedError("the race is paused")
        return done

    carry_out = running.RunningTable._carry_out
    monkeypatch.setattr(decisions, "decide", too_late)
    monkeypatch.setattr(running.RunningTable, "_carry_out", carried_out)
    assert "refused" in find(tmp_path)


def test_an_event_that_folds_differently_after_a_restart_is_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def forgetful(event: e.AnyEvent) -> bytes:
        """Writes another colour down than the one that somebody wears."""
        return msgspec.json.encode(e.Dressed(event.seat, event.name, "red") if isinstance(event, e.Dressed) else event)

    monkeypatch.setattr(e, "encode", forgetful)
    assert find(tmp_path).startswith("folded anew, chairs is")


def test_a_handler_that_stumbles_over_an_odd_value_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def named(text: str) -> str | None:
        """Not every character has a name."""
        return "no wheelchairs" if any("WHEELCHAIR" in unicodedata.name(letter) for letter in text) else None

    monkeypatch.setattr(decisions, "fault_in", named)
    assert "no such name" in find(tmp_path)


def test_a_guest_who_is_taken_for_the_host_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def anybody(self: TableState, actor: Actor, seat: int) -> None:
        if not (actor.seats or actor.host) or seat >= len(self.chairs):
            raise RefusedError("only those who sit here may do that")

    monkeypatch.setattr(decisions, "_need_host", anybody)
    assert "not the host" in find(tmp_path)


def test_a_watcher_who_sees_a_hand_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def generous(self: running.RunningTable, who: Actor) -> msg.Whole:
        """Shows somebody who asks without a seat the table with the eyes of whoever is on turn."""
        on_turn = self.state.on_turn
        seats = who.seats or (frozenset() if on_turn is None else frozenset({on_turn}))
        return await whole(self, who._replace(seats=seats))

    whole = running.RunningTable.whole
    monkeypatch.setattr(running.RunningTable, "whole", generous)
    assert "that are not" in find(tmp_path)


def test_a_command_that_is_carried_out_twice_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def again(self: running.RunningTable, events: list[e.AnyEvent], **more: Any) -> bool:
        """Forgets under which name it was written."""
        more.pop("command", None)
        return await add(self, events, **more)

    add = running.RunningTable.add
    monkeypatch.setattr(running.RunningTable, "add", again)
    assert "the log has no command" in find(tmp_path)


def test_an_answer_that_its_manual_does_not_tell_of_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def absent_minded(request: Any, shape: type[Any]) -> Any:
        raise RefusedError("I was elsewhere", status=418)

    monkeypatch.setattr(tables, "in_path", absent_minded)
    assert "418" in find(tmp_path)


# ---------------------------------------------------------------------- many more


class Run(msgspec.Struct):
    """A run that has ended, as it is kept."""

    number: int
    report: dict[str, dict[str, int]]


def sources() -> str:
    """What the results depend on: they are kept as long as this stays the same."""
    support = TESTS / "support"
    ours = [Path(__file__), *support.glob("fuzz*.py"), support / "grammar.py", support / "inprocess.py"]
    files = sorted([*(ROOT / "src").rglob("*.py"), *ours])
    return hashlib.sha256(b"".join(file.read_bytes() for file in files)).hexdigest()[:12]


def run(asked: tuple[int, int, int]) -> Run:
    seed, number, messages = asked
    with tempfile.TemporaryDirectory() as folder:
        report = fuzz(Path(folder), f"{seed}/{number}", messages)
    return Run(number, {name: dict(counted) for name, counted in vars(report).items()})


def runs(asked: list[tuple[int, int, int]], jobs: int) -> Iterator[Run]:
    if jobs == 1:
        yield from map(run, asked)
        return
    with multiprocessing.get_context("spawn").Pool(jobs, maxtasksperchild=20) as pool:
        yield from pool.imap_unordered(run, asked)


def print_report(report: Report) -> None:
    print(f"\n{'sent':56}{'sent':>9}{'decoded':>9}{'decided':>9}{'done':>9}")
    for kind in sorted(report.sent):
        row = (report.sent[kind], report.decoded[kind], report.decided[kind], report.accepted[kind])
        print(f"{kind:56}" + "".join(f"{number:>9,}" for number in row))
    print(f"{'several at once':56}{'':18}{report.decided['several at once']:>9,}")
    for title, counted in (("answers", report.answers), ("at tables", report.tables), ("besides", report.seen)):
        print(f"\n{title}: " + ", ".join(f"{what} {many:,}" for what, many in counted.most_common()))
    total = report.messages
    shares = [counted.total() / total for counted in (report.decoded, report.decided, report.accepted)]
    read, decided, done = shares
    print(f"\n{total:,} messages and requests: {read:.0%} could be read, {decided:.0%} reached a table's decisions "
          f"with a valid key, {done:.0%} were carried out.")  # fmt: skip
    print("No 500 or 503, nothing logged, no log changed by a refusal; every log folds to its table.")


def print_coverage(messages: int, seed: int) -> None:
    """Which part of the server's code such messages reach: measured in runs of their own, which take thrice as long."""
    print(f"\nCoverage of the server's code by {messages:,} of them (lines and branches):", flush=True)
    with tempfile.TemporaryDirectory() as folder:
        env = {**os.environ, "COVERAGE_FILE": str(Path(folder) / "coverage")}
        tool = [sys.executable, "-m", "coverage"]
        fuzzing = [__file__, "--messages", str(messages), "--seed", str(seed), "--jobs", "1", "--anew", "--quiet"]
        measured = ["run", "--branch", f"--source={ROOT / 'src' / 'avecaesar' / 'server'}", *fuzzing]
        subprocess.run([*tool, *measured], env=env, check=True)
        subprocess.run([*tool, "report", "--precision=1"], env=env, check=True)


def main() -> None:
    parser = argparse.ArgumentParser(description="Send the server all sorts of messages and requests.")
    parser.add_argument("--messages", type=int, default=20_000, help="how many (default 20,000)")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--jobs", type=int, default=multiprocessing.cpu_count())
    parser.add_argument("--only", type=int, help="the number of one run, to repeat it")
    parser.add_argument("--anew", action="store_true", help="forget what an earlier call has done already")
    parser.add_argument("--coverage", type=int, default=0, metavar="MESSAGES", help="measure what code so many reach")
    parser.add_argument("--quiet", action="store_true", help="tell nothing unless something is found")
    options = parser.parse_args()
    if os.environ.get("PYTHONHASHSEED") != "0":  # the order of sets is chance, too
        os.execve(sys.executable, [sys.executable, *sys.argv], {**os.environ, "PYTHONHASHSEED": "0"})
    kept = ROOT / "build" / "fuzz" / f"{options.seed}-{sources()}.jsonl"
    kept.parent.mkdir(parents=True, exist_ok=True)
    if options.anew:
        kept = Path(tempfile.mkdtemp()) / kept.name
    done = [msgspec.json.decode(line, type=Run) for line in kept.read_bytes().splitlines()] if kept.exists() else []
    wanted = [
        (options.seed, number, min(A_RUN, options.messages - number * A_RUN))
        for number in range(-(-options.messages // A_RUN))
    ]
    if options.only is not None:
        wanted, done = [(options.seed, options.only, A_RUN)], []
    report = Report()
    for each in done:
        report += Report(**each.report)  # type: ignore[arg-type]
    had = {each.number for each in done}
    bar = Bar(options.messages, "messages", done=min(report.messages, options.messages))
    with kept.open("ab") as file:
        for each in runs([one for one in wanted if one[1] not in had], options.jobs):
            report += Report(**each.report)  # type: ignore[arg-type]
            file.write(msgspec.json.encode(each) + b"\n")
            file.flush()
            bar.show(min(report.messages, options.messages))
    bar.end()
    if not options.quiet:
        print_report(report)
    need_enough(report)
    if options.coverage:
        print_coverage(options.coverage, options.seed)


if __name__ == "__main__":
    main()
