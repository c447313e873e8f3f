"""Which key a browser is given by a request that is refused."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from servers import ServerClient, in_a_thread

SEATS = {"seats": [{"kind": "here"}, {"kind": "friend"}], "open": True, "away": None, "pace": 0}


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerClient]:
    with in_a_thread(tmp_path_factory.mktemp("keys") / "a.db") as server:
        yield server


def asked(server: ServerClient, path: str, body: dict[str, Any]) -> Any:
    """What a browser without any key is answered."""
    answer = server.client.post(path, json=body, headers={"Origin": server.url})
    server.client.cookies.clear()
    return answer


def test_of_two_requests_for_a_seat_the_one_that_is_refused_takes_no_cookie_away(served: ServerClient) -> None:
    """A new browser that asks twice at once is twice somebody whom nobody knows."""
    table = served.lay(**SEATS)["table"]
    path, wish = f"/api/tables/{table}/sit", {"seat": 1, "name": "Anna"}
    first, second = asked(served, path, wish), asked(served, path, wish)
    assert (first.status_code, second.status_code) == (200, 409)
    assert first.headers["set-cookie"].startswith("avecaesar=b_")
    assert "set-cookie" not in second.headers


def test_of_two_requests_to_take_over_the_one_that_is_refused_takes_no_cookie_away(served: ServerClient) -> None:
    table = served.lay(**SEATS)["table"]
    answer = asked(served, f"/api/tables/{table}/take-over", {"seat": 1, "name": "Anna"})
    assert answer.status_code == 409  # nobody has left it
    assert "set-cookie" not in answer.headers
