"""Settings for all tests."""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Generator, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, settings

import luck

if TYPE_CHECKING:  # they take seconds to load, and most tests do without
    from playwright.sync_api import Browser

    from in_node import Node
    from players_in_browser import Invite
    from servers import Server

# Whole races are slow examples; no test is timed, and a failure is repeatable.
settings.register_profile(
    "races",
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "races"))

collect_ignore_glob = ["*conftest.py"]  # they hold no examples, and as modules they all have one name

FOLDER = tempfile.TemporaryDirectory()
PLACE_OF_LUCK = Path(FOLDER.name) / "luck"
PLACE_OF_LUCK.touch()
os.environ[luck.PLACE] = str(PLACE_OF_LUCK)  # for the servers that tests start
os.environ[luck.HASTE] = "1"
luck.repeat_deals()


# ---------------------------------------------------------------------- what is dear to start is shared


@pytest.fixture(scope="module")
def browser() -> Browser:
    """A real browser."""
    from browser import SHARED

    return SHARED.get()


@pytest.fixture(scope="session")
def node() -> Iterator[Node]:
    """The page's modules, where they need no page."""
    from in_node import node_running

    with node_running() as node:
        yield node


@pytest.fixture(scope="session")
def shared_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server for tests that do not mind what others do there; nobody is refused for being many."""
    from servers import serving

    with serving(tmp_path_factory.mktemp("shared"), boundless=True) as server:
        yield server


@pytest.fixture(scope="module")
def server(shared_server: Server) -> Server:
    """A real server; a module that stops it, or looks at its lobby, has one of its own."""
    return shared_server


@pytest.fixture(scope="module")
def own_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A real server of one module's own."""
    from servers import serving

    with serving(tmp_path_factory.mktemp("served")) as server:
        yield server


@pytest.fixture
def invite(browser: Browser, server: Server) -> Iterator[Invite]:
    """People with browsers of their own, who come when they are invited."""
    from players_in_browser import company

    with company(browser, server) as invite:
        yield invite


DEAR = ("server", "browser")  # the dearest last

# `make quick` leaves these out: they start servers and other processes, compile the rules anew, play the whole terminal
# by keys, or prove something by thousands of races. A single long test elsewhere is marked as such.
LONG_FOLDERS = {Path(__file__).parent / folder for folder in ("lab", "tui")}
LONG = {
    "admin", "admin_bans", "answers", "app_install", "bench", "bites", "boards", "compiled_drivers",
    "connection_limits", "costs", "crashes", "fairness", "findings", "first_start", "key_rotation", "keys", "leaks",
    "little_storm", "load", "load_on_disk", "lock", "lockstep", "measures", "modes", "pool", "ready", "record_fuzz",
    "release_times", "searcher", "serve", "server_fuzz", "sharing", "storm_at_a_table", "table_over_sockets",
    "unwatched", "vendor", "versions", "watchdog", "wheel", "workers_coming_and_going",
}  # fmt: skip


@pytest.hookimpl(tryfirst=True)  # before it is asked which are long
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Keep the tests of a module together that share a browser or a server, so that one worker starts it once.

    They come first, and other long ones next: the many small ones after them end at the same time on all workers.
    """
    for item in items:
        if _dearness(item):
            item.add_marker(pytest.mark.xdist_group(item.path.stem))
        if "browser" in getattr(item, "fixturenames", ()):
            item.add_marker(pytest.mark.flaky(reruns=2, only_rerun=[NotDrawnError.__name__]))
        if _dearness(item) or item.path.stem.removeprefix("test_") in LONG or item.path.parent in LONG_FOLDERS:
            item.add_marker(pytest.mark.long)
    # They stay in their order otherwise.
    items.sort(key=lambda item: (_dearness(item), item.get_closest_marker("long") is not None), reverse=True)


def _dearness(item: pytest.Item) -> int:
    used = getattr(item, "fixturenames", ())
    return max((i for i, name in enumerate(DEAR, 1) if name in used), default=0)


class NotDrawnError(Exception):
    """Chromium has stopped drawing a page: it says nothing of what was tested, which is tried again."""


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Generator[None]:
    """Tell a page that is not drawn any more from one that does something wrong."""
    module = sys.modules.get("browser")
    if module:
        module.stalled.clear()
    try:
        yield
    except Exception as error:
        if module and module.stalled:
            raise NotDrawnError(f"{module.STALLED}: {module.stalled[0]}") from error
        raise


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    """Each test has luck of its own, whichever tests ran before it; and no browser that it does not want."""
    PLACE_OF_LUCK.write_text(item.name)
    if "browser" not in getattr(item, "fixturenames", ()):
        _close_browser()


def pytest_sessionfinish() -> None:
    """Leave no browser behind."""
    _close_browser()


def _close_browser() -> None:
    if module := sys.modules.get("browser"):
        module.SHARED.close()
