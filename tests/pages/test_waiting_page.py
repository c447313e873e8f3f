"""The page of a first start in a real browser: it moves on, and becomes the lobby by itself, without scripts too."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest
from playwright.sync_api import Browser, expect

from avecaesar.server.http.waiting import WaitingRoom
from browser import visitor


class Lobby(BaseHTTPRequestHandler):
    """Stands for the server that comes after it: it knows one page."""

    def do_GET(self) -> None:
        self.send_response(200 if self.path == "/" else 404)
        self.send_header("Content-Type", "text/html")
        self.end_headers()
        self.wfile.write(b"<h1>The lobby</h1>")

    def log_message(self, format: str, *args: object) -> None:
        """Nobody wants to read it."""


@contextmanager
def lobby(listening: socket.socket) -> Iterator[None]:
    with ThreadingHTTPServer(("127.0.0.1", 0), Lobby, bind_and_activate=False) as server:
        server.socket.close()
        server.socket = listening.dup()
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield
        server.shutdown()


@pytest.mark.parametrize("scripts", [True, False])
def test_it_moves_on_and_becomes_the_lobby_by_itself(browser: Browser, scripts: bool) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listening:
        port = listening.getsockname()[1]
        visiting = visitor(browser, f"http://127.0.0.1:{port}", java_script_enabled=scripts)
        errors: list[str] = []
        with WaitingRoom([listening]) as room:
            page = visiting.new_page()
            page.on("pageerror", lambda error: errors.append(str(error)))
            page.goto("/")
            expect(page.get_by_role("status")).to_have_text("The compiler is starting.")
            room.show(30, 90)
            expect(page.get_by_role("status")).to_have_text("30 of 90 functions are compiled.")
            assert page.locator("progress").get_attribute("max") == "90"
            assert page.locator("progress").get_attribute("value") == "30"
            assert page.evaluate("document.documentElement.scrollWidth <= innerWidth") if scripts else True
        with lobby(listening):
            expect(page.get_by_role("heading")).to_have_text("The lobby")
        assert not errors
        visiting.close()
