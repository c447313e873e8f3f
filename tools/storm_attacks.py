"""The attackers of `make storm`: each a class that says what it does, at the edge of the limits that it meets.

A program of its own, at low priority (nice 19): on a machine that it shares with the server it is to press against the
limits and not to win a race for the processor. It is told what to do in a line of JSON, attacks until its standard
input is closed, and then prints what was let in and what was refused, in a line of JSON.
"""

from __future__ import annotations

import asyncio
import json
import os
import sys
from contextlib import suppress
from pathlib import Path
from typing import Any

import storm_connections
import storm_requests
import storm_tables
from storm_people import until_closed
from storm_strikes import Attack

PARTS = (storm_connections, storm_requests, storm_tables)
KINDS = [kind for part in PARTS for kind in Attack.kinds if kind.__module__ == part.__name__]


def _step_back(nice: int) -> None:
    """Take a low priority, beside processes of other sessions too.

    Linux may share the processor among sessions first (autogroup): then a nice value counts within one session only,
    and the session has one of its own.
    """
    os.setsid()
    os.nice(nice)
    with suppress(OSError):
        Path("/proc/self/autogroup").write_text(str(nice))


async def main(port: int, seed: int, part: int, parts: int, nice: int, only: str) -> None:
    """Every so-manieth attack, for as many processes share them."""
    _step_back(nice)
    over = until_closed()
    chosen = [kind for kind in KINDS if not only or kind.__name__ in only.split(",")]
    attacks = [kind(port, number, seed) for number, kind in enumerate(chosen) if number % parts == part]
    running = [asyncio.create_task(attack.run()) for attack in attacks]
    ended: asyncio.Task[Any] = asyncio.create_task(over.wait())
    while not all(attack.tally["struck"] for attack in attacks) and not any(task.done() for task in running):
        await asyncio.sleep(0.1)
    print("all have struck", flush=True)
    done, _ = await asyncio.wait([ended, *running], return_when=asyncio.FIRST_COMPLETED)
    for one in running:
        one.cancel()
    await asyncio.gather(*running, return_exceptions=True)
    for task in done - {ended}:
        task.result()  # an attack never ends by itself: say why
    told = {type(attack).__name__: {"tally": attack.tally, "answers": attack.answers} for attack in attacks}
    print(json.dumps(told), flush=True)


if __name__ == "__main__":
    asyncio.run(main(**json.loads(sys.stdin.readline())))
