"""A storm: a real server under attack from all sides, while innocent people race at it with a watch in the hand.

`make storm` starts `avecaesar serve` as anybody would, with all its limits, and lets three kinds of programs loose on
it over real sockets, each from addresses of its own:

- the attackers of `storm_attacks.py`, at low priority (nice 19), who work at the edge of every limit;
- the innocents of `storm_people.py`: 20 tables with people and computer drivers, 10 human moves a second in all;
- this one, which asks for /api/health ten times a second over fresh connections, whether the last has been answered or
  not, and looks at what the server takes of the machine.

At the end it prints what was measured beside what we aim at, writes it to build/storm.json, and ends with status 1 if
an aim was missed. What else happened on the machine is told as well: times are only as good as the machine is quiet.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import random
import re
import socket
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from subprocess import DEVNULL, PIPE, Popen
from typing import Any

from avecaesar.cli.progress import Bar
from storm_lines import BROKEN, Line, never_wait_for_a_processor, request
from storm_report import Seen, lines_of, told

HERE = Path(__file__).parent
WATCH = "127.3.0.1"  # the address that asks for the server's health
HEALTH_EVERY, READY_EVERY, LOOK_EVERY, WRITE_EVERY = 0.1, 5.0, 1.0, 1.0  # seconds
HUMAN_MOVES, TABLES = 10.0, 20
ATTACKERS, NICE = 2, 19  # processes, and how low their priority is
LAST_WORDS = 60.0  # seconds for everybody to say what he has measured
TICK, PAGE = os.sysconf("SC_CLK_TCK"), os.sysconf("SC_PAGE_SIZE")


# ---------------------------------------------------------------------- the server and what it takes


class Server:
    """`avecaesar serve`, and what the system knows of its processes."""

    def __init__(self, folder: Path, *options: str) -> None:
        self.database, self._errors = folder / "storm.db", folder / "errors.txt"
        command = [sys.executable, "-m", "avecaesar", "serve", "--port", "0", "--data", str(self.database), *options]
        with self._errors.open("w") as errors:
            self._process = Popen(command, stdin=DEVNULL, stdout=PIPE, stderr=errors, text=True, start_new_session=True)
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        found = re.fullmatch(r"Ave Caesar is served at http://localhost:(\d+)\n", line)
        if not found:
            raise SystemExit(f"the server does not start: {line}{self.errors}")
        self.port, self.pid = int(found[1]), self._process.pid

    @property
    def alive(self) -> bool:
        return self._process.poll() is None

    @property
    def errors(self) -> str:
        """All that it has complained about."""
        return self._errors.read_text()

    @property
    def workers(self) -> list[int]:
        """All its descendants, of which the workers are some: they are forks of a child of its."""
        return descendants(self.pid)

    @property
    def files(self) -> int:
        return len(os.listdir(f"/proc/{self.pid}/fd"))

    def steps(self) -> dict[str, Any]:
        """What the watchdog over the event loop has counted, asked for through the operator's socket."""
        with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as line:
            line.settimeout(LAST_WORDS)
            line.connect(f"{self.database}.admin/socket")
            line.sendall(b'{"do":"steps"}\n')
            with line.makefile("rb") as answer:
                return dict(json.loads(answer.readline())["loop"])

    def end(self) -> None:
        self._process.kill()
        self._process.communicate()


def descendants(pid: int) -> list[int]:
    """The processes that a process has started, and those that they have started."""
    children: list[int] = []
    with suppress(OSError):
        for task in Path(f"/proc/{pid}/task").iterdir():
            with suppress(OSError):
                children += map(int, (task / "children").read_text().split())
    return [found for child in children for found in (child, *descendants(child))]


def memory(pid: int) -> int:
    """Bytes of a process that are in memory; what it shares with others counts for each of them."""
    with suppress(OSError):
        return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * PAGE
    return 0


def processor(pid: int) -> float:
    """Seconds of processor time that a process has had, those of its own dead children apart."""
    with suppress(OSError):
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / TICK
    return 0.0


def waiting(pid: int) -> float:
    """Seconds for which a process's first thread could have run and had no processor."""
    with suppress(OSError):
        return int(Path(f"/proc/{pid}/task/{pid}/schedstat").read_text().split()[1]) / 1e9
    return 0.0


def machine() -> tuple[float, float]:
    """Seconds of processor time that all processes of the machine had, and that other machines took from it."""
    user, nice, system, _idle, _iowait, irq, softirq, steal = map(
        int, Path("/proc/stat").read_text().split("\n")[0].split()[1:9]
    )
    return (user + nice + system + irq + softirq) / TICK, steal / TICK


# ---------------------------------------------------------------------- measuring


async def ask(port: int, path: str, seen: Seen, into: list[float]) -> None:
    """Ask over a fresh connection, and count the time from before it was opened until the whole answer was there."""
    begun = time.perf_counter()
    try:
        line = await Line.open(port, WATCH)
        seen.connect.append(time.perf_counter() - begun)
        try:
            await line.send(request(port, "GET", path, headers={"Connection": "close"}))
            status = str((await line.answer()).status)
        finally:
            line.reset()
    except BROKEN as error:
        status = type(error).__name__
    into.append(time.perf_counter() - begun)
    seen.statuses[f"{path} {status}"] += 1


async def ask_again(port: int, path: str, every: float, seen: Seen, into: list[float]) -> None:
    """Whether the last question has been answered or not: else a server that stalls would be asked less often."""
    asked: set[asyncio.Task[None]] = set()
    begun, number = time.perf_counter(), 0
    try:
        while True:
            task = asyncio.create_task(ask(port, path, seen, into))
            asked.add(task)
            task.add_done_callback(asked.discard)
            number += 1
            await asyncio.sleep(max(begun + number * every - time.perf_counter(), 0.0))
    finally:
        if asked:
            await asyncio.wait(asked)


async def look(server: Server, seen: Seen) -> None:
    """What the server takes, once a second."""
    while True:
        own = memory(server.pid)
        seen.own.append(own)
        seen.memory.append(own + sum(map(memory, server.workers)))
        seen.files.append(server.files)
        await asyncio.sleep(LOOK_EVERY)


async def write_again(folder: Path, every: float, into: list[float]) -> None:
    """How long this disk takes for what every move costs: a few bytes that are written down for good."""
    while True:
        into.append(await asyncio.to_thread(written_down, folder / "probe"))
        await asyncio.sleep(every)


def written_down(file: Path) -> float:
    begun = time.perf_counter()
    with file.open("ab") as probe:
        probe.write(bytes(4096))
        probe.flush()
        os.fsync(probe.fileno())
    return time.perf_counter() - begun


class Part:
    """A program that takes part: it is told what to do, and tells in the end what came of it."""

    def __init__(self, process: asyncio.subprocess.Process, name: str) -> None:
        self.process, self.name = process, name

    @classmethod
    async def start(cls, program: str, **told: Any) -> Part:
        process = await asyncio.create_subprocess_exec(
            sys.executable, str(HERE / program), stdin=PIPE, stdout=PIPE, limit=2**26
        )
        part = cls(process, program)
        assert process.stdin is not None
        process.stdin.write(json.dumps(told).encode() + b"\n")
        await process.stdin.drain()
        return part

    async def heard(self) -> str:
        assert self.process.stdout is not None
        line = (await self.process.stdout.readline()).decode()
        if not line:
            raise SystemExit(f"{self.name} ended before its time")
        return line

    async def end(self) -> dict[str, Any]:
        """Tell it to stop, and hear what came of it."""
        assert self.process.stdin is not None
        self.process.stdin.close()
        async with asyncio.timeout(LAST_WORDS):
            return dict(json.loads(await self.heard()))

    async def gone(self) -> None:
        if self.process.returncode is None:
            with suppress(ProcessLookupError):
                self.process.kill()
        await self.process.wait()


# ---------------------------------------------------------------------- the storm itself


async def storm(
    server: Server,
    seconds: float,
    seed: int,
    tables: int = TABLES,
    parts: int = ATTACKERS,
    nice: int = NICE,
    only: str = "",
) -> dict[str, Any]:
    """Let it blow for so many seconds, and until every attack has struck; what came of it."""
    seen, others = Seen(), list[Part]()
    watching: list[asyncio.Task[None]] = []
    try:
        a_second = HUMAN_MOVES * tables / TABLES
        people = await Part.start("storm_people.py", port=server.port, tables=tables, a_second=a_second, seed=seed)
        others.append(people)
        await people.heard()  # they race
        seen.begun = time.perf_counter()
        before, waited = accounts(server, others), waits(server, people)
        watching = [
            asyncio.create_task(ask_again(server.port, "/api/health", HEALTH_EVERY, seen, seen.health)),
            asyncio.create_task(ask_again(server.port, "/api/ready", READY_EVERY, seen, seen.ready)),
            asyncio.create_task(write_again(server.database.parent, WRITE_EVERY, seen.disk)),
            asyncio.create_task(look(server, seen)),
        ]
        attackers = [
            await Part.start(
                "storm_attacks.py", port=server.port, seed=seed, part=part, parts=parts, nice=nice, only=only
            )
            for part in range(parts)
        ]
        others += attackers
        for part in attackers:
            await part.heard()  # all of its attacks have struck
        await _wait(server, seen, seconds)
        seen.spent = spent(before, accounts(server, others))
        seen.waited = {name: seconds - waited[name] for name, seconds in waits(server, people).items()}
        lasted = time.perf_counter() - seen.begun
        for task in watching:
            task.cancel()
        await asyncio.gather(*watching, return_exceptions=True)
        raced, *attacked = await asyncio.gather(*(part.end() for part in others))
        attacks = {name: one for part in attacked for name, one in part.items()}
        return told(seen, lasted, raced, attacks, server.steps(), server.errors.splitlines())
    finally:
        for task in watching:
            task.cancel()
        for part in others:
            await part.gone()


async def _wait(server: Server, seen: Seen, seconds: float) -> None:
    bar = Bar(max(1, round(seconds)), "seconds")
    while (passed := time.perf_counter() - seen.begun) < seconds:
        if not server.alive:
            raise SystemExit(f"the server has ended:\n{server.errors}")
        bar.show(min(round(passed), bar.total))
        await asyncio.sleep(min(1.0, seconds - passed))
    bar.clear()


def accounts(server: Server, others: list[Part]) -> dict[str, float]:
    """Seconds of processor time so far, by who had them."""
    everybody, stolen = machine()
    found = {"server": processor(server.pid), "workers": sum(map(processor, server.workers)), "everybody": everybody}
    for name in ("storm_people.py", "storm_attacks.py"):
        found[name] = sum(processor(part.process.pid) for part in others if part.name == name)
    return found | {"storm.py": processor(os.getpid()), "other machines": stolen}


def waits(server: Server, people: Part) -> dict[str, float]:
    """Seconds for which those whose times are measured have waited for a processor so far."""
    programs = {"server's loop": server.pid, people.name: people.process.pid, "storm.py": os.getpid()}
    return {name: waiting(pid) for name, pid in programs.items()}


def spent(before: dict[str, float], after: dict[str, float]) -> dict[str, float]:
    took = {name: seconds - before[name] for name, seconds in after.items()}
    everybody, stolen = took.pop("everybody"), took.pop("other machines")
    return took | {"others on this machine": everybody - sum(took.values()), "other machines": stolen}


# ---------------------------------------------------------------------- as anybody starts it


@contextmanager
def served(*options: str) -> Iterator[Server]:
    """A server with its data in a temporary folder."""
    with tempfile.TemporaryDirectory(prefix="storm-") as folder:
        server = Server(Path(folder), *options)
        try:
            yield server
        finally:
            server.end()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--minutes", type=float, default=60.0, help="how long it lasts (default: 60)")
    parser.add_argument("--tables", type=int, default=TABLES, help=f"of innocents (default: {TABLES})")
    parser.add_argument("--nice", type=int, default=NICE, help=f"how low the attackers' priority is (default: {NICE})")
    parser.add_argument("--only", default="", metavar="NAMES", help="these attacks, such as Lobby,Hints (default: all)")
    parser.add_argument("--seed", type=int, default=random.randrange(2**32), help="of what chance decides")
    options = parser.parse_args()
    if sys.platform != "linux":
        raise SystemExit("a storm needs Linux, where one machine has as many addresses as it likes")
    never_wait_for_a_processor()
    print(f"seed {options.seed}; load average before: {os.getloadavg()[0]:.1f}", flush=True)
    with served() as server:
        report = asyncio.run(
            storm(server, 60 * options.minutes, options.seed, options.tables, ATTACKERS, options.nice, options.only)
        )
    report["seed"] = options.seed
    written = HERE.parent / "build" / "storm.json"
    written.parent.mkdir(exist_ok=True)
    written.write_text(json.dumps(report, indent=1) + "\n")
    print("\n".join(lines_of(report)))
    for words in report["missed"]:
        print(f"missed: {words}")
    sys.exit(1 if report["missed"] else 0)


if __name__ == "__main__":
    main()
