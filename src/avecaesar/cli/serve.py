"""`avecaesar serve`: the game in the browser, for oneself, for a household, or behind a proxy for the world."""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import errno
import ipaddress
import logging
import os
import socket
import sys
import threading
import traceback
import webbrowser
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from avecaesar import first_start
from avecaesar.cli.words import examples, whole_number
from avecaesar.errors import BadInput, plain
from avecaesar.files import data_folder
from avecaesar.setting_up import SetUp

if TYPE_CHECKING:
    import uvicorn
    from fastapi import FastAPI

    from avecaesar.server.http.connection_limits import Patience
    from avecaesar.server.http.gatekeeper import Origin

LOCAL = "localhost"
PORT = 8042
PORTS_TRIED = 20
MOST_DAYS = 100_000  # to keep a table
LARGEST_FRAME = 64 * 2**10  # above a message's limit, so that what is a little too long is told and not cut off
LARGEST_HEADER = 16 * 2**10
SWITCH = 0.0005  # seconds after which a thread lets another one go on: Python's 0.005 would hold up the event loop
QUIET_ZONE = 2  # of a QR code, in modules
DARK_ON_LIGHT = "\x1b[38;2;0;0;0;48;2;255;255;255m"  # whatever the terminal's own colours are
BLOCKS = {(False, False): " ", (True, False): "▀", (False, True): "▄", (True, True): "█"}


def define(parser: argparse.ArgumentParser) -> None:
    """What can be typed."""
    parser.description = (
        "Serves the game to browsers. By itself it can be reached from this machine only; with --host 0.0.0.0 by "
        "everybody in the local network, who gets a link and a QR code. Tables are kept in one file, and go on after a "
        "restart. Ctrl-C ends it."
    )
    parser.epilog = examples(
        "avecaesar serve --open",
        "avecaesar serve --host 0.0.0.0",
        "avecaesar serve --port 9000 --data games.db",
        "avecaesar serve --keep 30d",
        "avecaesar serve --proxy --public https://race.example",
    )
    parser.add_argument("--host", metavar="ADDRESS", default=LOCAL, help="the address to serve on (default: localhost)")
    parser.add_argument(
        "--port",
        type=whole_number(0, 65535),
        metavar="N",
        help=f"the port (default: {PORT}, or the next that is free); 0: any that is free",
    )
    parser.add_argument("--data", metavar="FILE", help="where tables are kept (default: in your data folder)")
    parser.add_argument(
        "--key-file",
        metavar="FILE",
        help="the keys to the sealed cards of running races (default: beside the tables, with the ending .key)",
    )
    parser.add_argument(
        "--keep",
        type=days,
        metavar="90d",
        default=90,
        help="how long finished tables are kept after their last change, and uploads after somebody last opened them: "
        "so many days (default: 90d), or forever",
    )
    parser.add_argument("--open", action="store_true", help="open the browser")
    parser.add_argument("--public", metavar="URL", help="the address that a proxy serves it under")
    parser.add_argument("--proxy", action="store_true", help="a proxy on this machine says who calls (X-Forwarded-For)")
    parser.add_argument(
        "--workers",
        type=whole_number(1, 64),
        metavar="N",
        help="processes in which the computer's drivers think, two at least: one is kept free for short work "
        "(default: one for each core, three at least)",
    )
    parser.set_defaults(run=serve)


def days(text: str) -> int | None:
    """So many days, such as 90d; None: forever."""
    if text == "forever":
        return None
    number = text.removesuffix("d")
    if not (number.isascii() and number.isdigit() and 1 <= int(number) <= MOST_DAYS):
        raise argparse.ArgumentTypeError(f"write days such as 90d, or forever, not '{plain(text)}'")
    return int(number)


def serve(options: argparse.Namespace) -> None:
    """Serve until somebody ends it."""
    from avecaesar.server.store.lock import FileLock  # the server's machinery is loaded for those who serve

    data = Path(options.data).absolute() if options.data else data_folder() / "avecaesar.db"
    with FileLock(data) as lock, contextlib.ExitStack() as until_then:
        listening = listen(options.host, options.port)
        for each in listening:
            until_then.callback(each.close)
        set_up = SetUp()
        until_then.callback(set_up.stop)
        links = Links(options.host, listening[0].getsockname()[1])
        with contextlib.ExitStack() as waiting:
            if not set_up.race.done():
                waiting.enter_context(_waiting_room(options, set_up, listening, links))
            set_up.start()
            _serve(options, data, lock.database, listening, links, set_up, waiting)


@contextlib.contextmanager
def _waiting_room(
    options: argparse.Namespace, set_up: SetUp, listening: list[socket.socket], links: Links
) -> Iterator[None]:
    """Let the port answer while what a race needs is compiled, and tell here how far it is, too."""
    from avecaesar.server.http.waiting import MOST_CONNECTIONS, Bounds, WaitingRoom

    print(f"Compiling the rules, once after each installation: {links.first} shows how far it is.", file=sys.stderr)
    bounds = Bounds(of_an_address=MOST_CONNECTIONS) if options.proxy else Bounds()  # then all come from one
    with WaitingRoom(listening, bounds) as room, first_start.bar() as bar:

        def tell(done: int, total: int) -> None:
            room.show(done, total)
            bar(done, total)

        set_up.tell = tell
        if options.open:
            threading.Thread(target=open_browser, args=(links.first,), daemon=True).start()
        yield


def _serve(
    options: argparse.Namespace,
    data: Path,
    database: Path,
    listening: list[socket.socket],
    links: Links,
    set_up: SetUp,
    waiting: contextlib.ExitStack,
) -> None:
    """Serve the tables of a database that nobody else uses; `data` is what people call it.

    Whoever is `waiting` is let in when the server answers.
    """
    import uvicorn

    from avecaesar.server.admin import Door
    from avecaesar.server.http.app import create_app
    from avecaesar.server.http.connection_limits import QUEUE, Patience, files_allowed, most_connections
    from avecaesar.server.http.gatekeeper import HERE, Settings, public_origin
    from avecaesar.server.http.priority import doors, let_in
    from avecaesar.server.store.database import Store
    from avecaesar.server.store.sqlite import address_of
    from avecaesar.server.tables.house import House
    from avecaesar.server.tables.keyring import Keyring, file_beside
    from avecaesar.server.tables.retention import A_DAY
    from avecaesar.server.workers.pool import Thinkers

    public = public_origin(options.public) if options.public else None
    keys = Keyring.at(Path(options.key_file).absolute() if options.key_file else file_beside(database))
    links.public = public
    settings = Settings(names=HERE | links.names, public=public, proxy=options.proxy)
    keep = None if options.keep is None else options.keep * A_DAY
    waited = not set_up.race.done()
    set_up.race.result()
    house = House(Store(address_of(database)), Thinkers(options.workers, set_up.searcher), keys=keys, keep=keep)
    app = create_app(house, settings)
    door = Door(house, database, app.state.watchdog)
    patience = Patience(in_all=most_connections(files_allowed()), proxy=options.proxy)
    entrances = doors(listening, options.proxy)
    sys.setswitchinterval(SWITCH)
    _log_plainly()

    class Server(uvicorn.Server):
        """Tells where it is once it answers, and says goodbye before it closes."""

        async def startup(self, sockets: list[socket.socket] | None = None) -> None:
            await super().startup(sockets)
            if self.started:
                for each in entrances:
                    each.listen(QUEUE)  # asyncio has made it as short as what it accepts in one go
                    let_in(each)
                await door.open()
                await asyncio.to_thread(waiting.close)
                links.show(data, options.keep)
                if options.open and not waited:
                    threading.Thread(target=open_browser, args=(links.first,), daemon=True).start()

        async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
            await door.close()
            await app.state.sockets.close()
            await super().shutdown(sockets)

    with contextlib.suppress(KeyboardInterrupt, SystemExit):
        Server(configured(app, patience)).run(sockets=entrances)
    if app.state.failure is not None:
        raise app.state.failure
    print("Vale! All tables are safe.")


def configured(app: FastAPI, patience: Patience | None = None) -> uvicorn.Config:
    """How the application is served."""
    import uvicorn

    from avecaesar.server.http.connection_limits import BACKLOG, Gate, Patience
    from avecaesar.server.http.protocols import protocols

    gate = Gate(patience or Patience())
    http, ws = protocols(gate)
    return uvicorn.Config(
        app,
        loop="avecaesar.server.http.priority:new_loop",
        http=http,
        ws=ws,
        backlog=BACKLOG,
        timeout_keep_alive=gate.patience.idle,
        h11_max_incomplete_event_size=LARGEST_HEADER,
        lifespan="on",
        log_config=None,
        log_level="critical",
        access_log=False,
        proxy_headers=False,  # the doors read them, and believe only a proxy on this machine
        server_header=False,
        ws_max_size=LARGEST_FRAME,
        ws_per_message_deflate=False,  # the length of a packed frame tells the hand in it (CRIME)
        timeout_graceful_shutdown=1,
    )


# ---------------------------------------------------------------------- addresses


def listen(host: str, port: int | None) -> list[socket.socket]:
    """Sockets on an address; the port that was asked for, or else the usual one or the next that is free."""
    addresses = _addresses(host)
    for number in [port] if port is not None else range(PORT, PORT + PORTS_TRIED):
        try:
            return _bound(addresses, number)
        except OSError as error:
            if error.errno == errno.EADDRINUSE and port is None:
                continue
            if error.errno == errno.EADDRINUSE:
                raise BadInput(f"port {port} is in use: choose another --port, or leave it out") from None
            if error.errno == errno.EACCES:
                raise BadInput(f"port {port} may not be used by you: choose one above 1023") from None
            if error.errno == errno.EADDRNOTAVAIL:
                raise BadInput(f"'{plain(host)}' is not an address of this machine") from None
            raise
    raise BadInput(f"all ports from {PORT} to {PORT + PORTS_TRIED - 1} are in use: choose another --port")


def _addresses(host: str) -> list[tuple[socket.AddressFamily, str]]:
    if host == LOCAL:
        return [(socket.AF_INET, "127.0.0.1"), (socket.AF_INET6, "::1")]
    try:
        found = socket.getaddrinfo(host, None, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
    except (OSError, UnicodeError):
        raise BadInput(f"'{plain(host)}' is not an address of this machine; 0.0.0.0 stands for all it has") from None
    return [(found[0][0], str(found[0][4][0]))]


def _bound(addresses: list[tuple[socket.AddressFamily, str]], port: int) -> list[socket.socket]:
    """All of the addresses on one port. Only the first has to be there: not every machine has a ::1."""
    bound: list[socket.socket] = []
    for family, address in addresses:
        try:
            one = socket.socket(family, socket.SOCK_STREAM)
        except OSError:
            if not bound:
                raise
            continue
        try:
            if os.name == "posix":  # elsewhere it would mean to share the port
                one.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            one.bind((address, bound[0].getsockname()[1] if bound else port))
            one.listen(256)
        except OSError as error:
            one.close()
            if not bound or error.errno == errno.EADDRINUSE:
                for other in bound:
                    other.close()
                raise
            continue
        bound.append(one)
    return bound


class Links:
    """Where the server can be reached, and by which names."""

    def __init__(self, host: str, port: int, public: Origin | None = None) -> None:
        self._port, self.public = port, public
        self._everywhere = host in ("0.0.0.0", "::", "")
        self._beyond = self._everywhere or not (host == LOCAL or _is_loopback(host))
        self._host = LOCAL if self._everywhere else host
        machine = socket.gethostname().lower()
        self.lan = _lan_address() if self._everywhere else host if self._beyond else None
        own = {machine, f"{machine}.local", self.lan or LOCAL} if self._beyond else set()
        self.names = frozenset({self._host.lower(), *own})

    @property
    def first(self) -> str:
        """The address for this machine's browser."""
        return self._link(self._host)

    @property
    def shared(self) -> str | None:
        """The address for others."""
        if self.public is not None:
            return str(self.public)
        return self._link(self.lan) if self.lan else None

    def _link(self, host: str) -> str:
        return f"http://{f'[{host}]' if ':' in host else host}:{self._port}"

    def show(self, data: Path, keep: int | None) -> None:
        """Tell everything that one needs to know; `keep` are days."""
        print(f"Ave Caesar is served at {self.first}")
        if self.shared is not None:
            where = "from everywhere" if self.public else "in your local network"
            print(f"{where[0].upper()}{where[1:]}: {self.shared}")
            if sys.stdout.isatty():
                print(qr_code(self.shared))
        finished = "for good" if keep is None else f"for {keep} days"
        print(f"Tables are kept in {data}, finished ones {finished} (--keep). Ctrl-C ends it.", flush=True)


def _is_loopback(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def _lan_address() -> str | None:
    """This machine's address in the local network: the one that a packet to elsewhere would leave by. None is sent."""
    with contextlib.suppress(OSError), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        probe.connect(("192.0.2.1", 9))  # an address for documentation: nobody has it
        return str(probe.getsockname()[0])
    return None


def qr_code(text: str) -> str:
    """A QR code for a terminal, two modules a character, dark on light whatever the terminal's colours are."""
    import segno

    code = segno.make(text, error="m", micro=False)
    rows = [[bool(module) for module in row] for row in code.matrix_iter(border=QUIET_ZONE)]
    rows += [[False] * len(rows[0])] * (len(rows) % 2)
    lines = []
    for upper, lower in zip(rows[::2], rows[1::2], strict=True):
        blocks = "".join(BLOCKS[pair] for pair in zip(upper, lower, strict=True))
        lines.append(f"{DARK_ON_LIGHT}{blocks}\x1b[0m")
    return "\n".join(lines)


def open_browser(url: str) -> None:
    """Open the browser, or say what to do."""
    opened = False
    with contextlib.suppress(webbrowser.Error, OSError):
        browser = webbrowser.get()
        in_terminal = type(browser) is webbrowser.GenericBrowser and not os.environ.get("BROWSER")
        opened = not in_terminal and browser.open(url)
    if not opened:
        print(f"There is no browser to open here: visit {url}", flush=True)


# ---------------------------------------------------------------------- what goes wrong


class _Plain(logging.Formatter):
    """One line for whatever went wrong, with the place where it did."""

    def format(self, record: logging.LogRecord) -> str:
        """The line."""
        words = f"avecaesar: {record.getMessage()}"
        error = record.exc_info[1] if record.exc_info else None
        if error is not None:
            frames = traceback.extract_tb(error.__traceback__)
            place = f" ({Path(frames[-1].filename).name}, line {frames[-1].lineno})" if frames else ""
            words += f": {type(error).__name__}: {error}{place}"
        return plain(words)


def _log_plainly() -> None:
    handler: logging.StreamHandler[Any] = logging.StreamHandler()
    handler.setFormatter(_Plain())
    logger = logging.getLogger("avecaesar")
    logger.handlers = [handler]
    logger.propagate = False
    logging.getLogger("asyncio").setLevel(logging.ERROR)  # that somebody is gone to whom it writes is no news
