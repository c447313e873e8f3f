"""Worker processes come and go: they are forked anew when they are gone, and none is left behind."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
from multiprocessing import forkserver
from pathlib import Path
from typing import Any

import pytest

from avecaesar.server.workers import pool, worker
from avecaesar.server.workers.pool import Thinkers
from busy_workers import hold_up
from checkout import environment
from worker_chores import die_the_first_time, with_thinkers


def alive(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    return True


def test_there_are_as_many_workers_as_cores_or_as_one_wishes_and_never_one_alone() -> None:
    for wished, number in ((None, max(3, pool._cores())), (1, 2), (2, 2), (5, 5)):
        made = Thinkers(wished)
        assert made._number == number
        asyncio.run(made.close())  # was never opened


def test_workers_are_polite(thinkers: Thinkers) -> None:
    assert asyncio.run(thinkers.call(os.nice, 0)) == min(19, os.nice(0) + 10)


def test_only_the_first_worker_gets_ready_at_the_servers_own_priority(monkeypatch: pytest.MonkeyPatch) -> None:
    """Somebody waits for that one; the others replace workers that visitors can have stopped."""
    told, new_worker = list[bool](), worker.new_worker

    def seen(polite: bool) -> Any:
        told.append(polite)
        return new_worker(polite)

    monkeypatch.setattr(pool, "new_worker", seen)

    async def play(thinkers: Thinkers) -> None:
        with pytest.raises(OSError, match="a worker process"):
            await thinkers.call(os._exit, 1)
        assert await thinkers.call(max, 1, 2) == 2

    with_thinkers(2, play)
    assert len(told) > 2
    assert told == [False] + [True] * (len(told) - 1)


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere nobody is forked")
def test_workers_outlive_the_process_that_they_are_forked_from() -> None:
    async def play(thinkers: Thinkers) -> None:
        os.kill(forkserver._forkserver._forkserver_pid, signal.SIGKILL)  # type: ignore[attr-defined]
        assert await thinkers.call(max, 1, 2) == 2
        for _ in range(2):  # the workers that are left, and those that take their places
            with pytest.raises(OSError, match="a worker process"):
                await thinkers.call(os._exit, 1)
        assert await thinkers.call(max, 1, 2) == 2

    with_thinkers(2, play)


def test_a_worker_that_cannot_be_forked_is_tried_again(monkeypatch: pytest.MonkeyPatch) -> None:
    new_worker, failures = worker.new_worker, [EOFError, OSError]

    def failing(polite: bool) -> Any:
        if polite and failures:
            raise failures.pop(0)
        return new_worker(polite)

    monkeypatch.setattr(pool, "new_worker", failing)

    async def play(thinkers: Thinkers) -> None:
        with pytest.raises(OSError, match="a worker process"):
            await thinkers.call(os._exit, 1)
        assert await thinkers.call(max, 1, 2) == 2

    with_thinkers(2, play)
    assert not failures


def test_work_that_nobody_wants_any_more_is_not_begun(tmp_path: Path) -> None:
    pipe, mark = tmp_path / "pipe", tmp_path / "mark"
    os.mkfifo(pipe)

    async def play(thinkers: Thinkers) -> None:
        busy = asyncio.create_task(thinkers.call(hold_up, str(pipe)))
        unwanted = asyncio.create_task(thinkers.call(die_the_first_time, mark))
        writing = await asyncio.to_thread(pipe.open, "w")  # which it can when the worker is reading
        unwanted.cancel()
        with writing:
            writing.write("go on")
        assert await busy == "go on"
        with pytest.raises(asyncio.CancelledError):
            await unwanted
        assert await thinkers.call(max, 1, 2) == 2
        assert not mark.exists()

    with_thinkers(1, play)


def test_closing_leaves_no_process_behind_and_tells_who_waits(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    processes: set[int] = set()

    async def play() -> None:
        thinkers = Thinkers(2)
        await thinkers.open()
        while len(processes) < 2:
            processes.update(await asyncio.gather(*(thinkers.call(os.getpid, takes=0) for _ in range(2))))
        at_work = [asyncio.create_task(thinkers.call(hold_up, str(pipe))) for _ in range(5)]
        held_open = await asyncio.to_thread(os.open, pipe, os.O_WRONLY)  # which it is when a worker is reading
        await thinkers.close()
        os.close(held_open)
        for task in at_work:
            with pytest.raises(RuntimeError, match="the workers have gone home"):
                await task
        with pytest.raises(RuntimeError, match="the workers have gone home"):
            await thinkers.call(max, 1, 2)
        await thinkers.close()  # a second time: harmless

    asyncio.run(play())
    assert not any(map(alive, processes))


INTERRUPTED = """
import asyncio, os, signal
from avecaesar.server.workers.pool import Thinkers

async def main():
    heard = asyncio.Event()
    asyncio.get_running_loop().add_signal_handler(signal.SIGINT, heard.set)
    thinkers = Thinkers(2)
    opening = asyncio.create_task(thinkers.open())
    print("opening", flush=True)
    await heard.wait()
    await opening
    heard.clear()
    before = set()
    while len(before) < 2:
        before.update(await asyncio.gather(*(thinkers.call(os.getpid, takes=0) for _ in range(2))))
    print("open", flush=True)
    await heard.wait()
    after = set(await asyncio.gather(*(thinkers.call(os.getpid, takes=0) for _ in range(10))))
    print(after <= before, flush=True)
    await thinkers.close()

if __name__ == "__main__":
    asyncio.run(main())
"""


def test_ctrl_c_reaches_the_server_only(tmp_path: Path) -> None:
    script = tmp_path / "server.py"
    script.write_text(INTERRUPTED)
    with subprocess.Popen(
        [sys.executable, str(script)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    ) as server:
        assert server.stdout is not None
        for line in ("opening\n", "open\n"):
            assert server.stdout.readline() == line
            os.killpg(server.pid, signal.SIGINT)
        out, err = server.communicate()
    assert (out, err, server.returncode) == ("True\n", "", 0)


KILLED = """
import asyncio, sys
from pathlib import Path
from avecaesar.server.workers.pool import Thinkers
from worker_chores import toil

async def main():
    thinkers = Thinkers(2)
    await thinkers.open()
    marks = [Path(sys.argv[1]) / name for name in ("one", "other")]
    await asyncio.gather(*(thinkers.call(toil, mark, takes=0) for mark in marks))

if __name__ == "__main__":
    asyncio.run(main())
"""


def test_workers_end_with_a_server_that_is_killed(tmp_path: Path) -> None:
    script = tmp_path / "server.py"
    script.write_text(KILLED)
    marks = [tmp_path / name for name in ("one", "other")]
    for mark in marks:
        os.mkfifo(mark)
    command = [sys.executable, str(script), str(tmp_path)]
    here = environment()
    with subprocess.Popen(command, env=here, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as server:
        for mark in marks:
            assert mark.read_text() == "begun"  # each worker is in the middle of its work
        server.kill()
        out, err = server.communicate()  # which comes to an end when nobody is left who could write
    assert (out, err) == ("", "")
