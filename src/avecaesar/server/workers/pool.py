"""The pool of workers, in which searchers think and whatever else takes long is done: the event loop never waits.

One thread hands out the work and hears the answers; a self-pipe wakes it, and `fairness` says whose work is next. A
worker that dies is replaced, and its errand is tried once more. One of them is always kept free of long work, so that
short work never waits for its end; of three or more another one is kept free of what takes longer than any driver
thinks.
"""

from __future__ import annotations

import asyncio
import errno
import os
import pickle
import socket
import threading
import time
from collections import Counter
from collections.abc import Callable, Hashable, Iterator
from concurrent.futures import Future
from contextlib import contextmanager, suppress
from functools import partial
from multiprocessing.connection import wait
from queue import Empty, SimpleQueue
from typing import Any, TypeVar

from avecaesar.drivers import Considered
from avecaesar.errors import plain
from avecaesar.game import Move, View
from avecaesar.server.fairness import NOBODY, VERY_LONG, Asker, FairQueue, Urgency, asking, counted_to
from avecaesar.server.networks import NEIGHBOURS, wider
from avecaesar.server.refused import RefusedError
from avecaesar.server.workers.budgets import A_MOMENT, allowed_driver, budget_of, thinks_for
from avecaesar.server.workers.errands import Crashed, Errand, choose, consider, fail, ping, settle
from avecaesar.server.workers.worker import FROM_OUTSIDE, Worker, never_hear_ctrl_c, new_worker, warm_up
from avecaesar.speech import say

LONGEST_WORK = 300.0  # seconds; who takes longer will never end
FEWEST_WORKERS = 2  # one for long work, one for short
USUAL_WORKERS = 3  # one for drivers who think long, besides
NEW_WORKER = 3.0  # seconds that starting another one counts for; where workers are forked it takes far less
ERRANDS_AN_ADDRESS = 12  # of those that each person may ask for one at a time: two tables of six
ASKED_AN_ADDRESS = 48  # of all kinds: a page asks for several at once
TRIES = 2
STARTS = 3  # workers in a row that die before they are ready: then nobody is started any more until there is work
GONE = "the workers have gone home"

T = TypeVar("T")


class Thinkers:
    """So many workers, two at least; or one for each core, three at least."""

    def __init__(self, workers: int | None = None, searcher: Future[None] | None = None) -> None:
        self._searcher = searcher  # done when she is compiled; None: she is, or who needs her sees to it
        self._number = max(USUAL_WORKERS, _cores()) if workers is None else max(FEWEST_WORKERS, workers)
        self._first: Future[None] = Future()  # done when the first worker is ready
        self._first.set_running_or_notify_cancel()
        self._brought: SimpleQueue[Callable[[], object]] = SimpleQueue()  # what the thread is to do
        self._bell, self._ear = socket.socketpair()  # wakes the thread, which waits for pipes
        self._bell.setblocking(False)
        self._ear.setblocking(False)
        self._closing = False
        self.answers = 0  # how many were heard: who sees it grow knows that somebody is at work
        self._thread = threading.Thread(target=self._run, name="thinkers", daemon=True)
        # The event loop's own:
        self._shared: dict[Hashable, Errand] = {}
        self._asked: Counter[tuple[str, str]] = Counter()  # errands that are waited for, by kind and name
        # The thread's own:
        self._workers: list[Worker] = []
        self._queue: FairQueue[Errand] = FairQueue()
        self._stillborn = 0  # workers in a row that died before they were ready
        self._trouble: OSError = OSError()  # what happened to the last one that was lost

    async def open(self) -> None:
        """Start the workers; the first is ready when this returns, the others follow."""
        self._thread.start()
        await asyncio.gather(asyncio.wrap_future(self._first), asyncio.to_thread(warm_up, searcher=False))

    async def close(self) -> None:
        """Send the workers home at once. Whoever still waits for one is told so."""
        self._closing = True
        self._ring()
        if self._thread.ident is not None:
            await asyncio.to_thread(self._thread.join)
        self._bell.close()
        self._ear.close()

    async def choose(self, driver: str, view: View, begins: Callable[[], None] = lambda: None) -> Move:
        """What a driver of ours does. However many ask for their moves, none is refused.

        Rules of thumb are asked here and now: they take microseconds, far less than sending the view to a worker.
        `begins` is called on the event loop when somebody takes it up: until then it waits for what others have asked.
        """
        if not budget_of(allowed_driver(driver)):
            begins()
            return choose(driver, view)
        await self._until_she_is_compiled()
        errand = Errand(choose, (driver, view), asking(), LONGEST_WORK, thinks_for(driver, view), begins=begins)
        move: Move = await self._wait_for(errand)
        return move

    async def consider(self, view: View, playouts: int = 2000) -> list[Considered]:
        """What each move earns in so many races as they might go on, the best first; one at a time for a person."""
        takes = thinks_for(f"sibylla@{playouts}", view)
        await self._until_she_is_compiled()
        return await self.call(consider, view, playouts, takes=takes, alone=True)

    async def _until_she_is_compiled(self) -> None:
        """On a first start only: a worker that compiled her as well would take longer, and others wait for it."""
        if self._searcher is not None and not self._searcher.done():
            await asyncio.shield(asyncio.wrap_future(self._searcher))

    async def ping(self) -> None:
        """Let one worker answer, whoever asks for it and whatever else is asked for."""
        asker = Asker("", "ping", Urgency.SEATED)
        await self._wait_for(Errand(ping, (), (asker,), LONGEST_WORK, A_MOMENT))

    async def call(
        self,
        function: Callable[..., T],
        *args: object,
        limit: float = LONGEST_WORK,
        takes: float | None = None,
        key: Hashable = None,
        alone: bool = False,
    ) -> T:
        """What a function of a module gives for arguments that can travel (pickle), if that takes no longer than limit.

        `takes` is how long it is expected to take at most, if that is much less. Those who call with the same key while
        it is being done wait for the same errand. Of errands that are done alone a person may ask for one at a time.
        """
        answer: T
        if key is not None and (shared := self._shared.get(key)) is not None:
            for asker in asking():
                self.join(key, asker)
            answer = await self._wait_for(shared)
            return answer
        errand = Errand(function, args, asking(), limit, limit if takes is None else takes, key)
        with self.counted(alone):
            answer = await self._wait_for(errand)
            return answer

    def join(self, key: Hashable, asker: Asker) -> None:
        """Somebody else waits, by way of those who called, for the errand with that key, if there is one."""
        if (shared := self._shared.get(key)) is not None:
            self._bring(partial(self._queue.join, shared, asker))

    async def _wait_for(self, errand: Errand) -> Any:
        """Wait for an errand. When nobody waits for it any more, it is not done."""
        if self._closing:
            raise RuntimeError(GONE)
        if errand.heard is None:
            errand.heard = asyncio.wrap_future(errand.answer)
            self._bring(partial(self._queue.add, errand, errand.askers, errand.takes))
            if errand.key is not None:
                self._shared[errand.key] = errand
        errand.wanted += 1
        try:
            return await asyncio.shield(errand.heard)
        finally:
            errand.wanted -= 1
            if not errand.wanted:
                self._forget(errand)

    def _forget(self, errand: Errand) -> None:
        assert errand.heard is not None
        self._shared.pop(errand.key, None)
        if not errand.heard.done():
            errand.heard.cancel()
            self._bring(partial(self._let_go, errand))

    @contextmanager
    def counted(self, alone: bool) -> Iterator[None]:
        """Be among those that a network, an address and a person may have waiting, or be refused."""
        asker = counted_to()
        network = wider(asker.address)
        rooms = [("address", asker.address, ASKED_AN_ADDRESS), ("network", network, ASKED_AN_ADDRESS * NEIGHBOURS)]
        if alone:
            rooms += [("person", asker.person, 1), ("alone", asker.address, ERRANDS_AN_ADDRESS)]
            rooms += [("alone in network", network, ERRANDS_AN_ADDRESS * NEIGHBOURS)]
        if asker == NOBODY:
            rooms = []  # the server itself
        if alone and rooms and self._asked["person", asker.person]:
            raise RefusedError(say("one thing at a time: your last request is still being worked on"), status=429)
        if any(self._asked[kind, name] >= most for kind, name, most in rooms):
            raise RefusedError(say("too much is being worked on for your address: try again in a moment"), status=429)
        names = [(kind, name) for kind, name, _ in rooms]
        self._asked.update(names)
        try:
            yield
        finally:
            self._asked.subtract(names)
            for name in names:
                if not self._asked[name]:
                    del self._asked[name]

    def _bring(self, what: Callable[[], object]) -> None:
        self._brought.put(what)
        self._ring()

    def _ring(self) -> None:
        with suppress(BlockingIOError, OSError):  # it is ringing already, or nobody is there any more
            self._bell.send(b"!")

    # ------------------------------------------------------------------ in the thread

    def _run(self) -> None:
        try:
            never_hear_ctrl_c()
            self._start()
            while not self._closing:
                self._listen()
                self._hand_out()
        finally:
            self._go_home()

    def _listen(self) -> None:
        """Wait until something happens: work is brought, an answer comes, a worker dies, a worker's time is up."""
        busy = [worker.until for worker in self._workers if worker.errand]
        limit = max(0.0, min(busy) - time.monotonic()) if busy else None
        ready = wait([self._ear, *(worker.pipe for worker in self._workers)], limit)
        if self._ear in ready:
            self._ear.recv(4096)
        self._collect()
        for worker in [worker for worker in self._workers if worker.pipe in ready]:
            self._hear(worker)
        now = time.monotonic()
        for worker in [worker for worker in self._workers if worker.errand and worker.until <= now]:
            assert worker.errand is not None
            fail(worker.errand, TimeoutError(f"this took longer than {worker.errand.limit:g} seconds"))
            self._finish(worker, NEW_WORKER)
            self._lose(worker)

    def _hear(self, worker: Worker) -> None:
        try:
            answer = worker.pipe.recv_bytes()
        except (EOFError, OSError):
            worker.process.join(A_MOMENT)  # it may still be about to say how it ended
            self._lose(worker)
            return
        if worker.errand is not None:
            self.answers += 1
            error = settle(worker.errand, answer)
            spent = isinstance(error, MemoryError)  # what is left of its memory may not do for the next errand
            self._finish(worker, NEW_WORKER if spent else 0.0)
            if spent:
                self._lose(worker)
            return
        worker.ready = True
        self._stillborn = 0
        if not self._first.done():
            self._first.set_result(None)
        for _ in range(self._number - len(self._workers)):
            self._start()

    def _finish(self, worker: Worker, extra: float = 0.0) -> None:
        """A worker's errand is at its end; whoever asked for it has had so much of our time."""
        assert worker.errand is not None
        self._queue.done(worker.errand, time.monotonic() - worker.since + extra)
        worker.errand = None

    def _let_go(self, errand: Errand) -> None:
        """Nobody wants an errand any more: forget it if it waits, stop it if it would go on for long."""
        if self._queue.drop(errand):
            return
        for worker in [worker for worker in self._workers if worker.errand is errand]:
            if errand.takes > VERY_LONG:  # or else it ends before a new worker could take its place
                self._finish(worker, NEW_WORKER)
                self._lose(worker)

    def _hand_out(self) -> None:
        if len(self._queue) and not self._workers:
            self._stillborn = 0
            self._start()
        for worker in [worker for worker in self._workers if worker.ready and not worker.errand]:
            self._give_next(worker)

    @property
    def _at_hand(self) -> int:
        """How many workers are ready. If only one could be started it does long work, too, as if there were two."""
        ready = sum(worker.ready for worker in self._workers)
        return 2 if ready == len(self._workers) == 1 else ready

    def _give_next(self, worker: Worker) -> None:
        """Give a worker the next of the waiting errands that anybody still wants and that can be sent."""
        while (errand := self._queue.take(self._at_hand)) is not None:
            worker.errand, worker.since = errand, time.monotonic()
            worker.until = worker.since + errand.limit
            if not errand.tries and not errand.answer.set_running_or_notify_cancel():
                self._finish(worker)
                continue
            try:
                message = pickle.dumps((errand.function, errand.args))
            except Exception as error:
                fail(errand, error)
                self._finish(worker)
                continue
            errand.tries += 1
            if errand.begins is not None and errand.heard is not None:
                with suppress(RuntimeError):  # the event loop is closed, and nobody waits any more
                    errand.heard.get_loop().call_soon_threadsafe(errand.begins)
            try:
                worker.pipe.send_bytes(message)
            except OSError:
                self._lose(worker)
            return

    def _start(self) -> None:
        """Start a worker; give up when several in a row have come to nothing."""
        while self._stillborn < STARTS and not self._closing:
            try:
                self._workers.append(new_worker(polite=self._first.done()))
                return
            except (OSError, EOFError) as error:  # EOFError: the process that they are forked from has ended just now
                self._stillborn += 1
                self._trouble = _lost(f"none can be started: {plain(error)}")
        if not self._workers:
            self._tell_all(self._trouble)

    def _lose(self, worker: Worker) -> None:
        """Let another worker take a dead one's place and, the first time, its errand."""
        self._workers.remove(worker)
        worker.end()
        code = worker.process.exitcode
        why = f"it ended before its time, with exit status {code}"
        self._trouble = _lost(why)
        if worker.errand is not None and worker.errand.tries < TRIES:
            self._queue.again(worker.errand, time.monotonic() - worker.since + NEW_WORKER)
        elif worker.errand is not None:
            fail(worker.errand, self._trouble if code in FROM_OUTSIDE else _lost(why, Crashed))
            self._finish(worker, NEW_WORKER)
        self._stillborn += not worker.ready
        self._start()

    def _tell_all(self, trouble: Exception) -> None:
        """Tell all who wait that nobody is coming."""
        if not self._first.done():
            self._first.set_exception(trouble)
        for errand in self._queue.clear():
            fail(errand, trouble)

    def _collect(self) -> None:
        with suppress(Empty):
            while True:
                self._brought.get_nowait()()

    def _go_home(self) -> None:
        self._closing = True
        for worker in self._workers:
            worker.kill()  # all of them, before the first is waited for
        for worker in self._workers:
            worker.end()
        self._collect()
        for worker in self._workers:
            if worker.errand is not None:
                fail(worker.errand, RuntimeError(GONE))
        self._tell_all(RuntimeError(GONE))


def _lost(why: str, kind: type[OSError] = OSError) -> OSError:
    return kind(errno.ECHILD, why, "a worker process")


def _cores() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
