"""For all tests of what the server answers over HTTP and sockets."""

from __future__ import annotations

from contextlib import ExitStack

import pytest

from servers import ServerClient, in_a_thread

SERVED = pytest.StashKey[ServerClient]()


@pytest.fixture(scope="module")
def served(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> ServerClient:
    """A server in this process for all tests of this folder; none of another has it beside itself."""
    folder: pytest.Collector = request.node.parent
    if SERVED not in folder.stash:
        stack = ExitStack()
        server = stack.enter_context(in_a_thread(tmp_path_factory.mktemp("http") / "tables.db"))
        folder.stash[SERVED] = server
        stack.callback(folder.stash.__delitem__, SERVED)
        folder.addfinalizer(stack.close)
    return folder.stash[SERVED]
