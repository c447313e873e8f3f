"""What `make storm` has seen of a server, and what it comes to: the report, and which of our aims were missed."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

NEWS, HEALTH, DRIVER = 1.0, 0.1, 1.0  # seconds: what we aim at
MEBIBYTE = 2**20


@dataclass
class Seen:
    """What was seen of the server from outside."""

    health: list[float] = field(default_factory=list)  # seconds
    connect: list[float] = field(default_factory=list)  # of all that is asked for, until the system has connected
    ready: list[float] = field(default_factory=list)
    disk: list[float] = field(default_factory=list)
    statuses: Counter[str] = field(default_factory=Counter)
    memory: list[int] = field(default_factory=list)  # of the server and its workers, each second
    own: list[int] = field(default_factory=list)  # of the server alone
    files: list[int] = field(default_factory=list)
    begun: float = 0.0
    spent: dict[str, float] = field(default_factory=dict)  # seconds of processor time, by whom
    waited: dict[str, float] = field(default_factory=dict)  # seconds for a processor, by whom


def percentiles(seconds: list[float]) -> dict[str, float]:
    """In milliseconds, with how many there were."""
    ordered = sorted(seconds) or [0.0]
    ranks = {"p50": 0.5, "p99": 0.99, "p99.9": 0.999, "worst": 1.0}
    at = {name: 1000 * ordered[min(len(ordered) - 1, int(rank * len(ordered)))] for name, rank in ranks.items()}
    return {"count": len(seconds), **{name: round(value, 1) for name, value in at.items()}}


def told(
    seen: Seen,
    lasted: float,
    raced: dict[str, Any],
    attacked: dict[str, Any],
    loop: dict[str, Any],
    errors: list[str],
) -> dict[str, Any]:
    """All that was measured."""
    times = {name: percentiles(raced[name]) for name in ("news", "ack", "driver", "rule")}
    for name in ("health", "ready", "connect", "disk"):
        times[name] = percentiles(getattr(seen, name))
    report = {
        "seconds": round(lasted, 1),
        "cores": len(os.sched_getaffinity(0)),
        "load": round(os.getloadavg()[0], 1),
        "milliseconds": times,
        "late": {
            "health": sum(one > HEALTH for one in seen.health),
            "driver": sum(one > DRIVER for one in raced["driver"]),
            "news": sum(one > NEWS for one in raced["news"]),
        },
        "people": raced["counts"] | {"problems": raced["problems"]},
        "answers": dict(seen.statuses),
        "attacks": attacked,
        "memory": [one // MEBIBYTE for one in seen.memory[::60]] + [seen.memory[-1] // MEBIBYTE],
        "most memory": max(seen.memory) // MEBIBYTE,
        "memory of the server alone": [one // MEBIBYTE for one in (seen.own[0], max(seen.own), seen.own[-1])],
        "files": [seen.files[0], max(seen.files), seen.files[-1]],
        "processor": {name: round(seconds, 1) for name, seconds in seen.spent.items()},
        "waited for a processor": {name: round(seconds, 1) for name, seconds in seen.waited.items()},
        "loop": loop,
        "errors": errors,
    }
    return report | {"missed": missed(report)}


def missed(report: dict[str, Any]) -> list[str]:
    """Which aims were missed, in words; the first three are times, the others never depend on the machine."""
    times, people = report["milliseconds"], report["people"]
    failed = sum(one["answers"].get("500", 0) for one in report["attacks"].values())
    aims = {
        f"p99 of news is {times['news']['p99']:.0f} ms": times["news"]["p99"] > 1000 * NEWS,
        f"health's worst answer took {times['health']['worst']:.0f} ms": times["health"]["worst"] > 1000 * HEALTH,
        f"a driver was waited for {times['driver']['worst']:.0f} ms": times["driver"]["worst"] > 1000 * DRIVER,
        "health was not always answered": any(
            what.startswith("/api/health") and what != "/api/health 200" for what in report["answers"]
        ),
        "the server was not always ready": any(
            what.startswith("/api/ready") and what != "/api/ready 200" for what in report["answers"]
        ),
        f"{failed} answers were 500": failed,
        "the server's log has lines": report["errors"],
        "an attack never struck": any(not one["tally"].get("struck") for one in report["attacks"].values()),
    }
    aims |= {
        f"{people[what]} {what}": people.get(what, 0)
        for what in ("moves refused", "moves lost", "news lost", "lines lost", "tables behind")
        if what in people
    }
    return [words for words, so in aims.items() if so]


AIMS = {
    "news": f"p99 {1000 * NEWS:.0f}",
    "health": f"worst {1000 * HEALTH:.0f}",
    "driver": f"worst {1000 * DRIVER:.0f}",
}
WHAT = {
    "news": "time of news",
    "ack": "acknowledgement of a move",
    "driver": "wait for a driver",
    "rule": "wait for a riderless chariot",
    "health": "/api/health",
    "ready": "/api/ready",
    "connect": "of both, to connect",
    "disk": "a write to this disk",
}


def lines_of(report: dict[str, Any]) -> Iterator[str]:
    """The report for people."""
    yield f"{'milliseconds':<30}{'count':>9}{'p50':>9}{'p99':>9}{'p99.9':>9}{'worst':>9}   aim"
    for name, what in WHAT.items():
        row = report["milliseconds"][name]
        figures = "".join(f"{row[rank]:>9.1f}" for rank in ("p50", "p99", "p99.9", "worst"))
        yield f"{what:<30}{row['count']:>9,}{figures}   {AIMS.get(name, '')}".rstrip()
    people = report["people"]
    rate = 1000 * people.get("acknowledged", 0) / max(people.get("milliseconds", 0), 1)
    yield ""
    yield f"human moves: {people.get('acknowledged', 0):,} ({rate:.1f} a second), races ended: {people.get('races', 0)}"
    yield f"memory of server and workers, MiB: {_row(report['memory'])}; most {report['most memory']}"
    yield f"memory of the server alone, MiB: {_row(report['memory of the server alone'])} (first, most, last)"
    yield f"open files: {_row(report['files'])} (first, most, last)"
    spent = ", ".join(f"{name} {seconds / report['seconds']:.2f}" for name, seconds in report["processor"].items())
    yield f"cores busy, of {report['cores']}: {spent}"
    waited = ", ".join(f"{name} {seconds:.1f}" for name, seconds in report["waited for a processor"].items())
    yield f"seconds of waiting for a processor: {waited}"
    loop = report["loop"]
    slowest = f"{1000 * loop['seconds']:.0f} ms"
    yield f"steps of the event loop: {loop['steps']:,}, over 5 ms {loop['slow']:,}, slowest {slowest}"
    for kind in loop["kinds"][:8]:
        yield f"  {kind['many']:>6,} x, slowest {1000 * kind['slowest']:>5.0f} ms: {kind['where']}"
    yield ""
    yield f"{'attack':<16}{'struck':>10}{'let in':>10}{'refused':>10}{'cut':>10}   answers"
    for name, one in sorted(report["attacks"].items()):
        tally = "".join(f"{one['tally'].get(what, 0):>10,}" for what in ("struck", "let in", "refused", "cut"))
        answers = sorted(one["answers"].items(), key=lambda item: -item[1])[:5]
        yield f"{name:<16}{tally}   {', '.join(f'{what} {many:,}' for what, many in answers)}"
    for problem, many in people["problems"].items():
        yield f"people: {many} x {problem}"
    for line in report["errors"][:20]:
        yield f"log: {line}"


def _row(numbers: list[int]) -> str:
    return " ".join(map(str, numbers))
