"""How fast the page is: a real server, a real Chromium with an empty cache, and what the browser itself measures.

A page is ready when what it is for is there to be used (the button, the board, the slider). It is interactive when it
is ready and the last long task (over 50 ms) before a quiet second is over. Blocked is what long tasks have beyond 50 ms
each between the first paint and then. Frames are the times between two animation frames while six chariots race in a
replay at its usual speed; late are those that took over one and a half of the usual 16.7 ms. Each figure is the median
of several runs, with the least and the most in brackets. Bytes are as they went over the line, packed, with headers.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from playwright.sync_api import Browser, BrowserContext, CDPSession, Page

sys.path.insert(0, str(Path(__file__).parent.parent / "tests" / "support"))
from avecaesar.records import to_json
from avecaesar.table import Setup, Table, seats_for
from browser import PATIENCE, chromium
from servers import Server, serving

DRIVERS = ("scorpus", "festina", "bibulus", "greedy", "scorpus", "festina")
FRAME = 1000 / 60
MILESTONES = ("first paint", "largest", "ready", "interactive", "blocked")
QUIET = 1000  # milliseconds without a long task, after which a page is taken to be done
SLOW = {"offline": False, "latency": 400, "downloadThroughput": 50_000, "uploadThroughput": 50_000}  # 400 kbit/s

WATCH = """(ready) => {
  const seen = (globalThis.seen = { paint: 0, largest: 0, ready: 0, shift: 0, tasks: [] });
  const watch = (type, hear) =>
    new PerformanceObserver((list) => list.getEntries().forEach(hear)).observe({ type, buffered: true });
  watch("paint", (entry) => { if (entry.name === "first-contentful-paint") seen.paint = entry.startTime; });
  watch("largest-contentful-paint", (entry) => { seen.largest = entry.startTime; });
  watch("layout-shift", (entry) => { if (!entry.hadRecentInput) seen.shift += entry.value; });
  watch("longtask", (entry) => { seen.tasks.push([entry.startTime, entry.duration]); });
  new MutationObserver((_, watch) => {
    if (!document.querySelector(ready)) return;
    seen.ready = performance.now();
    watch.disconnect();
  }).observe(document, { subtree: true, childList: true, attributes: true });
}"""
FROM_HERE = """(ready) => {
  Object.assign(seen, { ready: 0, shift: 0, tasks: [], from: performance.now() });
  new MutationObserver((_, watch) => {
    if (!document.querySelector(ready)) return;
    seen.ready = performance.now();
    watch.disconnect();
  }).observe(document, { subtree: true, childList: true, attributes: true });
}"""
FRAMES = """(seconds) => new Promise((done) => {
  const deltas = [];
  let last = 0, first = 0;
  const frame = (now) => {
    if (last) deltas.push(now - last);
    last = now;
    first ||= now;
    if (now - first < seconds * 1000) requestAnimationFrame(frame);
    else done(deltas);
  };
  requestAnimationFrame(frame);
})"""


class Line(NamedTuple):
    """What one run has measured; times in milliseconds."""

    requests: int
    bytes: int
    fonts: int
    paint: float
    largest: float
    ready: float
    interactive: float
    blocked: float
    shift: float


def say(words: str) -> None:
    print(words, file=sys.stderr, flush=True)


# ---------------------------------------------------------------------- loading


class Meter:
    """Counts what goes over the line to a page."""

    def __init__(self, session: CDPSession) -> None:
        self._kinds: dict[str, str] = {}
        self.sizes: dict[str, int] = {}
        session.send("Network.enable")
        session.on("Network.responseReceived", self._answered)
        session.on("Network.loadingFinished", self._finished)

    def _answered(self, event: dict[str, Any]) -> None:
        self._kinds[event["requestId"]] = event["type"]

    def _finished(self, event: dict[str, Any]) -> None:
        self.sizes[event["requestId"]] = int(event["encodedDataLength"])

    def clear(self) -> None:
        self.sizes.clear()

    def total(self, *, fonts: bool) -> int:
        return sum(size for name, size in self.sizes.items() if (self._kinds.get(name) == "Font") == fonts)


def quiet(page: Page) -> dict[str, Any]:
    """What was seen, once the page is ready and nothing has happened for a while."""
    page.wait_for_function("() => seen.ready > 0", polling=20)
    page.wait_for_load_state("networkidle")
    last = -1
    while True:
        seen: dict[str, Any] = page.evaluate("() => seen")
        if len(seen["tasks"]) == last:
            return seen
        last = len(seen["tasks"])
        page.wait_for_timeout(QUIET)


def line_of(seen: dict[str, Any], meter: Meter) -> Line:
    begun = float(seen.get("from", 0))
    tasks = [(start, length) for start, length in seen["tasks"] if start >= begun]
    interactive = max([seen["ready"], *(start + length for start, length in tasks)])
    blocked = sum(max(0, length - 50) for start, length in tasks if start + length >= seen["paint"])
    return Line(
        len(meter.sizes), meter.total(fonts=False), meter.total(fonts=True),
        seen["paint"] if not begun else 0, seen["largest"] if not begun else 0,
        seen["ready"] - begun, interactive - begun, blocked, seen["shift"],
    )  # fmt: skip


def opened(person: BrowserContext, ready: str, slow: bool) -> tuple[Page, Meter]:
    page = person.new_page()
    page.add_init_script(f"({WATCH})({ready!r})")
    session = person.new_cdp_session(page)
    meter = Meter(session)
    if slow:
        session.send("Network.emulateNetworkConditions", SLOW)
    return page, meter


def load(person: BrowserContext, path: str, ready: str, slow: bool = False) -> Line:
    """Open a page for the first time."""
    page, meter = opened(person, ready, slow)
    page.goto(path)
    return line_of(quiet(page), meter)


def slowly(person: BrowserContext, path: str, ready: str) -> Line:
    """Open a page for the first time, far from the server."""
    return load(person, path, ready, slow=True)


def from_lobby(person: BrowserContext, _: str, ready: str) -> Line:
    """From the lobby to a table, by its great button."""
    page, meter = opened(person, ".start .button.primary:not([disabled])", slow=False)
    page.goto("/")
    quiet(page)
    meter.clear()
    page.evaluate(FROM_HERE, ready)
    page.locator(".start .button.primary").first.click()
    return line_of(quiet(page), meter)


# ---------------------------------------------------------------------- frames


def frames(person: BrowserContext, path: str, seconds: float, throttle: int) -> list[float]:
    """The times between two frames while a replay plays."""
    page = person.new_page()
    page.goto(path)
    page.locator("#turn").wait_for()
    page.wait_for_load_state("networkidle")
    person.new_cdp_session(page).send("Emulation.setCPUThrottlingRate", {"rate": throttle})
    page.get_by_role("button", name="Play", exact=True).click()
    deltas: list[float] = page.evaluate(FRAMES, seconds)
    return deltas


def share(deltas: Sequence[float], part: float) -> float:
    return sorted(deltas)[min(len(deltas) - 1, int(len(deltas) * part))]


# ---------------------------------------------------------------------- the report


def spread(values: Sequence[float], form: str = "{:.0f}") -> str:
    middle, least, most = (form.format(one) for one in (statistics.median(values), min(values), max(values)))
    return middle if least == most else f"{middle} ({least}–{most})"


def table(rows: list[list[str]]) -> None:
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    for row in rows:
        first, *others = (cell.ljust(width) for cell, width in zip(row, widths, strict=True))
        print("  ".join([first, *(cell.strip().rjust(len(cell)) for cell in others)]).rstrip())
    print()


def replay_of(server: Server) -> str:
    """A race of six, recorded and uploaded."""
    race = Table(Setup(seats_for(list(DRIVERS)), seed=7))
    while not race.over:
        race.play(race.computers_move())
    return str(server.visitor().send("/api/records", to_json(race.record())).json()["replay"])


def person(browser: Browser, server: Server) -> BrowserContext:
    fresh = browser.new_context(base_url=server.address, locale="en-GB", viewport={"width": 1440, "height": 900})
    fresh.set_default_timeout(PATIENCE)
    return fresh


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter, usage="make speed, or this with:"
    )
    parser.add_argument("--runs", type=int, default=5, help="how often each page is loaded (5)")
    parser.add_argument("--seconds", type=float, default=10, help="how long frames are counted in each run (10)")
    parser.add_argument("--throttle", type=int, default=4, help="how many times slower the slower processor is (4)")
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, serving(Path(folder)) as server, chromium() as browser:
        replay = f"/replay/{replay_of(server)}"
        button, board = ".start .button.primary:not([disabled])", "#board [data-space]"
        loads: list[tuple[str, Callable[..., Line], str, str]] = [
            ("landing", load, "/", button),
            ("lobby to table", from_lobby, "/", board),
            ("rules", load, "/rules", "main h2"),
            ("replay", load, replay, "#turn"),
            ("landing, slow network", slowly, "/", button),
        ]
        rows = [["page", "requests", "kB", "fonts kB", *MILESTONES, "shift"]]
        for name, measure, path, ready in loads:
            runs = []
            for run in range(asked.runs):
                say(f"{name}, {run + 1} of {asked.runs}")
                with person(browser, server) as fresh:
                    runs.append(measure(fresh, path, ready))
            rows.append([
                name, spread([run.requests for run in runs]), spread([run.bytes / 1000 for run in runs]),
                spread([run.fonts / 1000 for run in runs]),
                *(spread([run[column] for run in runs]) for column in range(3, 8)),
                spread([run.shift for run in runs], "{:.3f}"),
            ])  # fmt: skip
        print("Loading, milliseconds; slow network: 400 ms each way and 400 kbit/s")
        table(rows)
        rows = [["frames, ms", "median", "p95", "p99", "worst", "late"]]
        for name, rate in (("six chariots", 1), (f"{asked.throttle}× slower", asked.throttle)):
            played = []
            for run in range(asked.runs):
                say(f"{name}, {run + 1} of {asked.runs}")
                with person(browser, server) as fresh:
                    played.append(frames(fresh, replay, asked.seconds, rate))
            rows.append([
                name, *(spread([share(run, part) for run in played], "{:.1f}") for part in (0.5, 0.95, 0.99, 1)),
                spread([100 * sum(one > 1.5 * FRAME for one in run) / len(run) for run in played], "{:.1f} %"),
            ])  # fmt: skip
        print("A replay at its usual speed")
        table(rows)


if __name__ == "__main__":
    main()
