"""What the port answers while the rules are compiled: a page that shows how far it is and becomes the lobby by itself.

It stands on the standard library alone, so that it is there at once; the real server's machinery is loaded meanwhile.
Every request is read up to its blank line, bounded in size and time, answered, and the connection closed; no body is
read. Connections are bounded, too, those of one household and of one network among them.
"""

from __future__ import annotations

import asyncio
import json
import socket
import threading
from base64 import b64encode
from collections import Counter
from contextlib import suppress
from dataclasses import dataclass
from hashlib import sha256
from html import escape
from types import TracebackType

from avecaesar.server.networks import household, wider
from avecaesar.speech import preferred, say, speaking, spoken

HOW_FAR = "/set-up.json"  # an address that the real server does not know: then the page is loaded anew
LARGEST_HEAD = 16 * 2**10  # bytes
MOST_CONNECTIONS = 256
EVERYBODY = ""  # the room of all
RETRY = 3  # seconds


@dataclass(frozen=True, slots=True)
class Bounds:
    """How much anybody may ask of it."""

    connections: int = MOST_CONNECTIONS
    of_an_address: int = 32
    of_a_network: int = 64
    seconds: float = 10.0  # for a request to arrive, and for its answer to be taken


class WaitingRoom:
    """Answers on these sockets, in a thread of its own, until it is closed. They stay open."""

    def __init__(self, sockets: list[socket.socket], bounds: Bounds | None = None) -> None:
        self.progress = (0, 0)  # functions compiled, of how many; (0, 0): not known yet
        self._sockets, self._bounds = sockets, bounds or Bounds()
        self._loop = asyncio.new_event_loop()
        self._open = threading.Event()
        self._closing = asyncio.Event()
        self._guests: Counter[str] = Counter()  # by address and network, and all of them
        self._tasks: set[asyncio.Task[None]] = set()
        self._thread = threading.Thread(target=self._run, name="waiting room", daemon=True)

    def __enter__(self) -> WaitingRoom:
        self._thread.start()
        self._open.wait()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def show(self, done: int, total: int) -> None:
        """So many functions are compiled, of so many."""
        self.progress = (done, total)

    def close(self) -> None:
        """Answer nobody any more."""
        if self._thread.is_alive():
            with suppress(RuntimeError):  # it has ended by itself in this moment
                self._loop.call_soon_threadsafe(self._closing.set)
            self._thread.join()

    def _run(self) -> None:
        try:
            self._loop.run_until_complete(self._answer_all())
        finally:
            self._loop.close()
            self._open.set()

    async def _answer_all(self) -> None:
        own = [each.dup() for each in self._sockets]  # which asyncio closes
        servers = [await asyncio.start_server(self._come_in, sock=each, limit=LARGEST_HEAD) for each in own]
        self._open.set()
        await self._closing.wait()
        for server in servers:
            server.close()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    def _come_in(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        address = household(str((writer.get_extra_info("peername") or [""])[0]))
        bounds = self._bounds
        rooms = {EVERYBODY: bounds.connections, wider(address): bounds.of_a_network, address: bounds.of_an_address}
        if any(self._guests[room] >= most for room, most in rooms.items()):
            writer.transport.abort()
            return
        self._guests.update(rooms.keys())
        task = self._loop.create_task(self._attend(reader, writer))
        self._tasks.add(task)

        def leave(task: asyncio.Task[None]) -> None:
            self._tasks.discard(task)
            self._guests.subtract(rooms.keys())
            for room in rooms:
                if not self._guests[room]:
                    del self._guests[room]
            writer.transport.abort()

        task.add_done_callback(leave)

    async def _attend(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(TimeoutError, OSError, asyncio.IncompleteReadError):
            async with asyncio.timeout(self._bounds.seconds):
                try:
                    head = await reader.readuntil(b"\r\n\r\n")
                except asyncio.LimitOverrunError:
                    writer.write(response(431, "text/plain", "the header of this request is too long\n"))
                else:
                    writer.write(answer(head, *self.progress))
                await writer.drain()
                writer.write_eof()
                while await reader.read(LARGEST_HEAD):  # closed with something unread it would be cut off
                    pass


# ---------------------------------------------------------------------- what is answered


REASONS = {200: "OK", 400: "Bad Request", 431: "Request Header Fields Too Large", 503: "Service Unavailable"}


def answer(head: bytes, done: int, total: int) -> bytes:
    """The answer to a request, by its header."""
    first, *lines = head.decode("latin-1").split("\r\n")
    words = first.split(" ")
    if len(words) != 3 or not words[2].startswith("HTTP/1."):
        return response(400, "text/plain", "this is not HTTP\n")
    method, path = words[0], words[1].partition("?")[0]
    headers = dict(line.lower().split(":", 1) for line in lines if ":" in line)
    with speaking(preferred(headers.get("accept-language", ""))):
        if path == HOW_FAR:
            status, kind, text = 200, "application/json", json.dumps(how_far(done, total))
        elif path == "/api" or path.startswith("/api/"):
            sentence = say("the server is being set up: try again in a few seconds")
            status, kind, text = 503, "application/json", json.dumps({"problem": sentence, "clause": None})
        else:
            status, kind, text = 503, "text/html", page(done, total)
    return response(status, kind, text, body=method != "HEAD")


def response(status: int, kind: str, text: str, *, body: bool = True) -> bytes:
    """An answer as it is sent."""
    content = text.encode()
    lines = [
        f"HTTP/1.1 {status} {REASONS[status]}",
        f"Content-Type: {kind}; charset=utf-8",
        f"Content-Length: {len(content)}",
        "Cache-Control: no-store",
        "Connection: close",
        f"Content-Security-Policy: {POLICY}",
        "Referrer-Policy: no-referrer",
        "X-Content-Type-Options: nosniff",
        *([f"Retry-After: {RETRY}"] if status == 503 else []),
    ]
    return "\r\n".join([*lines, "", ""]).encode() + (content if body else b"")


def how_far(done: int, total: int) -> dict[str, int | str]:
    """How far it is, in numbers and in words."""
    if not total:
        words = say("The compiler is starting.")
    elif done < total:
        words = say("{done} of {total} functions are compiled.", done=done, total=total)
    else:
        words = say("All functions are compiled. The gates are opening.")
    return {"done": done, "total": total, "words": words}


STYLE = """
:root { color-scheme: light; --sand: #f4e7c9; --deep: #e6cd98; --marble: #fffaf0; --vermilion: #b8371f;
  --awning: #b8371f; --on: #fff6e4; --ink: #33241a; --soft: #6b5340; --line: #a3835a; }
@media (prefers-color-scheme: dark) { :root { color-scheme: dark; --sand: #1f1914; --deep: #2b221a; --marble: #2a221b;
  --vermilion: #c9452b; --awning: #8a2815; --ink: #f3e6c8; --soft: #c4ae8a; --line: #8a7150; } }
* { box-sizing: border-box; }
html { font: 100%/1.5 "Alegreya Sans", Optima, Candara, "Noto Sans", sans-serif; background: var(--sand);
  color: var(--ink); }
body { margin: 0; min-height: 100vh; display: flex; flex-direction: column; }
header { background: var(--awning); color: var(--on); padding: 0.75rem 1.25rem; display: flex; align-items: center;
  gap: 0.6rem; font: 600 1.25rem Cinzel, "Trajan Pro", Palatino, serif; border-bottom: 4px solid #d9a441; }
svg { width: 1.9rem; height: 1.9rem; }
main { flex: 1; display: flex; align-items: center; justify-content: center; padding: 1.25rem; }
section { width: 34rem; max-width: 100%; background: var(--marble); border: 1px solid var(--line); border-radius: 10px;
  padding: 1.5rem; }
h1 { font: 600 1.5rem/1.25 Cinzel, "Trajan Pro", Palatino, serif; margin: 0 0 0.75rem; }
p { margin: 0 0 1.25rem; }
progress { appearance: none; display: block; width: 100%; height: 1rem; border: 1px solid var(--line);
  border-radius: 10px; overflow: hidden; background: var(--deep); }
progress::-webkit-progress-bar { background: var(--deep); }
progress::-webkit-progress-value { background: var(--vermilion); transition: width 0.3s; }
progress::-moz-progress-bar { background: var(--vermilion); }
@media (prefers-reduced-motion: reduce) { progress::-webkit-progress-value { transition: none; } }
#words { color: var(--soft); margin: 0.6rem 0 0; font-variant-numeric: tabular-nums; }
"""
SCRIPT = """
const bar = document.querySelector("progress"), words = document.querySelector("#words");
async function look() {
  try {
    const answer = await fetch("%s", { cache: "no-store" });
    if (answer.status !== 200) return location.reload();
    const far = await answer.json();
    if (far.total) { bar.max = far.total; bar.value = far.done; }
    if (words.textContent !== far.words) words.textContent = far.words;
  } catch { /* it is about to open */ }
  setTimeout(look, 700);
}
setTimeout(look, 700);
"""
WHEEL = (
    '<svg viewBox="-32 -32 64 64" aria-hidden="true"><g fill="none" stroke="currentColor" stroke-linecap="round">'
    '<circle r="26" stroke-width="6"/><path stroke-width="4" d="M0-24V24M-20.8-12L20.8 12M-20.8 12L20.8-12"/></g>'
    '<circle r="7" fill="currentColor"/></svg>'
)


def _script() -> str:
    return SCRIPT % HOW_FAR


def _hash(text: str) -> str:
    return f"'sha256-{b64encode(sha256(text.encode()).digest()).decode()}'"


POLICY = (
    f"default-src 'none'; script-src {_hash(_script())}; style-src {_hash(STYLE)}; connect-src 'self'; img-src data:; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)


def page(done: int, total: int) -> str:
    """The page, in the language that is spoken."""
    title = say("The circus is being set up")
    why = say(
        "The rules are being compiled for this computer, once after each installation. This usually takes less than a "
        "minute; then the lobby opens by itself."
    )
    bar = f'<progress max="{total or 1}" value="{done}" aria-label="{escape(title)}"></progress>'
    return f"""<!doctype html>
<html lang="{spoken()}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="theme-color" content="#b8371f">
<title>{escape(title)} · Ave Caesar</title>
<link rel="icon" href="data:,">
<noscript><meta http-equiv="refresh" content="{RETRY}"></noscript>
<style>{STYLE}</style>
</head>
<body>
<header>{WHEEL}<span>Ave Caesar</span></header>
<main><section>
<h1>{escape(title)}</h1>
<p>{escape(why)}</p>
{bar}
<p id="words" role="status">{escape(str(how_far(done, total)["words"]))}</p>
</section></main>
<script>{_script()}</script>
</body>
</html>
"""
