"""Settings for all tests."""

import os
import tempfile
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

import luck

# Whole races are slow examples; no test is timed, and a failure is repeatable.
settings.register_profile(
    "races",
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "races"))

FOLDER = tempfile.TemporaryDirectory()
PLACE_OF_LUCK = Path(FOLDER.name) / "luck"
PLACE_OF_LUCK.touch()
os.environ[luck.PLACE] = str(PLACE_OF_LUCK)  # for the servers that tests start
luck.repeat_deals()

DEAR = {"browser", "server"}  # fixtures of a module that take seconds to set up


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Keep the tests of a module together that share a browser or a server, so that one worker starts it once.

    They come first: the many small ones after them end at the same time on all workers.
    """
    for item in items:
        if _is_dear(item):
            item.add_marker(pytest.mark.xdist_group(item.path.stem))
    items.sort(key=_is_dear, reverse=True)  # and stay in their order otherwise


def _is_dear(item: pytest.Item) -> bool:
    return bool(DEAR & set(getattr(item, "fixturenames", ())))


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    """Each test has luck of its own, whichever tests ran before it."""
    PLACE_OF_LUCK.write_text(item.name)
