"""How long a table's news take while searchers think at other tables: a real server, and two people with a watch.

Two people sit at a table with a connection each. One plays or says something, the other hears of it; the delay is from
before the command is sent until the news have arrived, by one clock in one process. Rounds in which nothing else
happens and rounds in which searchers think take turns, so that whatever slows the machine slows them alike.
"""

from __future__ import annotations

import argparse
import os
import random
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent.parent / "tests" / "support"))
from servers import Server, Visitor, hear, serving, tell

AIM = 50.0  # milliseconds, for ninety-nine in a hundred
GAP = 0.06  # seconds between two commands, at most; a connection may send twenty a second
AT_A_TABLE = 4  # searchers, who think in turns
CALM = 1.5  # seconds until a thought that nobody waits for any more is over


class Person:
    """Somebody at the table, with his connection."""

    def __init__(self, visitor: Visitor, table: str, seat: int) -> None:
        self.seat, self.socket = seat, visitor.socket(table, compression="deflate")  # as browsers do
        self.shown: dict[str, Any] = hear(self.socket, "whole")["table"]

    def hear_until(self, enough: Callable[[dict[str, Any]], bool]) -> None:
        while True:
            message = hear(self.socket)
            self.shown = message.get("table", self.shown)
            if enough(message):
                return


class Pair:
    """Two people who keep a table lively, and time what they hear of each other."""

    def __init__(self, server: Server, seed: int) -> None:
        self._source, self._sent = random.Random(seed), 0
        host, friend = server.visitor(), server.visitor()
        laid = host.lay(["here", "friend"], away=None)
        friend.sit(laid["invitation"])
        self._people = [Person(host, laid["table"], 0), Person(friend, laid["table"], 1)]

    def sample(self) -> float:
        """Seconds from a command to the news of it at the other's."""
        if any(person.shown["phase"] != "racing" for person in self._people):
            self._begin()
        asked = [person for person in self._people if person.shown["question"]]
        moves = asked and self._source.random() < 0.5
        sender = asked[0] if moves else self._source.choice(self._people)
        hearer = self._people[1 - sender.seat]
        known = sender.shown["number"]
        command = self._move(sender) if moves else {"do": "say", "text": f"Ave! ({self._sent})"}
        begun = time.perf_counter()
        self._tell(sender, command)
        hearer.hear_until(lambda message: any(line["number"] > known for line in message.get("story", ())))
        delay = time.perf_counter() - begun
        self._settle(sender)
        return delay

    def _begin(self) -> None:
        host = self._people[0]
        self._tell(host, {"do": "begin", "at": host.shown["changed"]})
        self._settle(host)

    def _move(self, person: Person) -> dict[str, Any]:
        offer = self._source.choice(person.shown["question"]["offers"])
        return {"do": "move", "at": person.shown["changed"], "seat": person.seat, "move": offer["move"]}

    def _tell(self, person: Person, command: dict[str, Any]) -> None:
        self._sent += 1
        tell(person.socket, id=f"c{self._sent}", **command)

    def _settle(self, sender: Person) -> None:
        """Until both know what has come of it."""
        number: list[int] = []

        def known(message: dict[str, Any]) -> bool:
            if message["is"] == "refused":
                raise RuntimeError(message["problem"])
            number.extend([message["number"]] if message["is"] == "done" else [])
            return bool(number) and sender.shown["number"] >= number[0]

        sender.hear_until(known)
        other = self._people[1 - sender.seat]
        if other.shown["number"] < number[0]:
            other.hear_until(lambda _: other.shown["number"] >= number[0])

    def close(self) -> None:
        for person in self._people:
            person.socket.close()


class Thinking:
    """Tables at which searchers race each other."""

    def __init__(self, server: Server, tables: int, driver: str) -> None:
        self._sent = 0
        self._hosts = [server.visitor() for _ in range(tables)]
        self._tables = [host.lay([driver] * AT_A_TABLE, pace=0)["table"] for host in self._hosts]

    def begin(self) -> None:
        """Go on where they were, or race again."""
        for host, table in zip(self._hosts, self._tables, strict=True):
            shown = host.whole(table)["table"]
            if shown["paused"]:
                self._tell(host, table, {"do": "resume"})
            if shown["phase"] != "racing":
                self._tell(host, table, {"do": "begin", "at": shown["changed"]})

    def rest(self) -> None:
        for host, table in zip(self._hosts, self._tables, strict=True):
            if host.whole(table)["table"]["phase"] == "racing":
                self._tell(host, table, {"do": "pause"})
        time.sleep(CALM)

    def decisions(self) -> int:
        return sum(host.whole(table)["table"]["number"] for host, table in zip(self._hosts, self._tables, strict=True))

    def _tell(self, host: Visitor, table: str, command: dict[str, Any]) -> None:
        self._sent += 1
        answer = host.command(table, id=f"t{self._sent}", **command)
        if answer.get("is") != "done":
            raise RuntimeError(str(answer))


def measured(pair: Pair, samples: int, source: random.Random) -> list[float]:
    """Delays in milliseconds, at random moments."""
    delays = []
    for _ in range(samples):
        time.sleep(source.random() * GAP)
        delays.append(1000 * pair.sample())
    return delays


def figures(delays: list[float]) -> dict[str, float]:
    ordered = sorted(delays)
    ranks = {"median": 0.5, "p95": 0.95, "p99": 0.99, "most": 1.0}
    return {name: ordered[min(len(ordered) - 1, int(rank * len(ordered)))] for name, rank in ranks.items()}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--samples", type=int, default=2000, help="of each kind (default: 2000)")
    parser.add_argument("--rounds", type=int, default=5, help="in which the kinds take turns (default: 5)")
    parser.add_argument("--searchers", type=int, default=6, metavar="N", help="who think at once (default: 6)")
    parser.add_argument("--driver", default="sibylla@1s", help="who they are (default: sibylla@1s)")
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    source = random.Random(options.seed)
    calm: list[float] = []
    busy: list[float] = []
    decisions, seconds = 0, 0.0
    load = os.getloadavg()[0]
    with tempfile.TemporaryDirectory() as folder, serving(Path(folder), "--workers", str(options.searchers)) as server:
        pair, thinking = Pair(server, options.seed), Thinking(server, options.searchers, options.driver)
        measured(pair, 50, source)  # a start that is not counted
        for number in range(options.rounds):
            share = (number + 1) * options.samples // options.rounds - number * options.samples // options.rounds
            calm += measured(pair, share, source)
            thinking.begin()
            before, begun = thinking.decisions(), time.perf_counter()
            busy += measured(pair, share, source)
            decisions += thinking.decisions() - before
            seconds += time.perf_counter() - begun
            thinking.rest()
            done = 40 * (number + 1) // options.rounds
            print(f"\r[{'#' * done:.<40}] {len(busy)} of {options.samples} samples of each", end="", flush=True)
        pair.close()
    print(f"\r{f'load average before: {load:.1f}':<80}")
    print(f"{decisions / seconds:.1f} decisions a second at the other tables")
    quiet, loud = figures(calm), figures(busy)
    print(f"{'milliseconds':<14}{'nothing else':>14}{f'{options.searchers} think':>14}{'ratio':>8}")
    print(f"{'samples':<14}{len(calm):>14,}{len(busy):>14,}")
    for name in quiet:
        print(f"{name:<14}{quiet[name]:>14.1f}{loud[name]:>14.1f}{loud[name] / quiet[name]:>8.1f}")
    if loud["p99"] >= AIM:
        sys.exit(f"of a hundred news one is delayed by {loud['p99']:.0f} ms or more: the aim is less than {AIM:.0f}")


if __name__ == "__main__":
    main()
