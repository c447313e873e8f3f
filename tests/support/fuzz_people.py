"""Everybody who may come to a server, and what he sends: mostly what he could well mean, often not quite, or garbage.

Who holds which seat is looked up in the server's own mind, so that many messages come from whoever has a right to them.
"""

from __future__ import annotations

import asyncio
import random
from dataclasses import dataclass, field
from functools import cache
from itertools import islice
from typing import Any
from urllib.parse import quote, urlencode

import msgspec
from msgspec import inspect

from avecaesar.courses import DIRECTIONS, boards
from avecaesar.drivers import CHARACTERS
from avecaesar.game import COLOURS, Play
from avecaesar.game.numbers import SeatNumber
from avecaesar.records import to_json, to_text
from avecaesar.rules import EDITIONS, offered
from avecaesar.server.http.app import PAGES
from avecaesar.server.http.gatekeeper import COOKIE, JSON
from avecaesar.server.http.routes import OPERATIONS
from avecaesar.server.http.routes.exchange import LARGEST_MESSAGE
from avecaesar.server.http.routes.operation import Operation
from avecaesar.server.tables.house import hashed
from avecaesar.server.tables.plan import check
from avecaesar.server.tables.running import RunningTable
from avecaesar.server.tables.state import TableState
from avecaesar.server.wire import messages as msg
from avecaesar.speech import LANGUAGES
from fuzz_oracles import HOSTS_ONLY, Rights, Shadow
from grammar import NOT_FILLED, WORDS, Grammar, members, spoil, spoil_bytes, type_of, written
from inprocess import Answer, InProcess, Wire
from seat_numbers import FIRST
from situations import PLAIN

SPOILT = 0.28  # of all messages
THUMBS = tuple(name for name, character in CHARACTERS.items() if not character.thinks)
COURSES = tuple(course for board in boards() for course in board.courses)
DEAR = {  # or sent in another way
    "command": 0.0, "upload_board": 0.02, "upload_record": 0.1, "rules": 0.03, "chronicle": 0.2, "race_poster": 0.2,
    "film": 0.3, "forget": 0.1,
}  # fmt: skip
FINAL = {msg.CloseTable: 0.1, msg.EraseWords: 0.2, msg.Ban: 0.4}  # after which little happens at a table
LIKELY = {"table": 4.0, "sit": 6.0, "link": 4.0, "take_over": 3.0, "check": 2.0}
BY_NAME = {operation.name: operation for operation in OPERATIONS}


@dataclass
class Place:
    """A table, as those know it who come there."""

    table: str
    until: int  # so many messages
    wires: list[Wire] = field(default_factory=list)
    tokens: list[str] = field(default_factory=list)  # of all links that were ever made
    messages: int = 0
    compared: int = 0  # up to which event all views were
    verified: tuple[int, int] = (0, 0)  # up to which game and race its record was
    shadow: Shadow = field(init=False)

    def __post_init__(self) -> None:
        self.shadow = Shadow(self.table)


@dataclass
class Message:
    """Something that is sent, and how it was answered."""

    kind: str
    decodes: bool
    keys: tuple[str, ...] = ()
    place: Place | None = None
    command: msg.Command | None = None
    operation: Operation | None = None
    wire: Wire | None = None
    task: asyncio.Task[Answer] | None = None
    known: bool = False  # a command of this name stood in the log before
    rights: Rights = Rights(frozenset(), False)  # noqa: RUF009  # of its sender, before
    names: frozenset[str] = frozenset()  # by which the log may call it
    text: str = ""  # for whoever has to repeat it
    accepted: bool = False
    answered: str = ""
    number: int | None = None  # of its event, as the sender was told
    gained: frozenset[int] = frozenset()  # the seat that it gave him


@cache
def board_text() -> str:
    return PLAIN.read_text(encoding="utf-8")


class People:
    """All who come, what they know, and what they send."""

    def __init__(self, source: random.Random, server: InProcess) -> None:
        self.source, self.server = source, server
        self.places: list[Place] = []
        self.board: str | None = None  # one of somebody's own, by its digest
        self._keys: dict[str, str] = {}  # that were ever given out, by digest
        self._used: list[str] = []  # ids of commands
        self._ids = 0

    def know(self, key: str | None) -> None:
        """Somebody was given a key."""
        if key:
            self._keys[hashed(key)] = key

    # ------------------------------------------------------------------ new tables

    def playable(self) -> dict[str, Any]:
        """A new table that can be played, of whatever kind chance wills."""
        grammar = Grammar(self.source, self._new_table)
        while True:
            plan: dict[str, Any] = grammar.of(type_of(msg.NewTable))
            plan["edition"] = self.source.choice(sorted(EDITIONS))
            own = {"course": "white", "tournament": False, "lesson": False} if self.source.random() < 0.06 else {}
            if check(msgspec.convert(plan | own, msg.NewTable)).problem is None:
                return plan | own | ({"board": self.board} if own else {})

    def _new_table(self, name: str, kind: inspect.Type) -> Any:
        source = self.source
        match name:
            case "seats":
                kinds = source.choices(("here", "friend", "driver"), (3, 6, 2), k=source.choice((2, 2, 2, 3, 3, 4, 6)))
                return [{"kind": each, **({"driver": source.choice(THUMBS)} if each == "driver" else {})}
                        for each in ("here", *kinds[1:])]  # fmt: skip
            case "options" if isinstance(kind, inspect.DictType):
                chosen = source.sample(sorted(offered()), source.choice((0, 0, 1, 2)))
                short = {"race_ends": "first_home"} if source.random() < 0.4 else {}
                return short | {option: self._value_of(option) for option in chosen}
            case "course":
                return source.choice(COURSES)
            case "courses" | "side":
                return None
            case "board":
                return None
            case "title":
                return source.choice(("", "Circus", "Ave!"))
            case "tournament" | "lesson":
                return source.random() < 0.12
            case "clock":
                return source.choice((None, None, 30))
            case "away":
                return source.choice((60, None, 5))
            case "pace":
                return source.choice((0, 700))
            case "hints" | "memory_aid":
                return source.random() < 0.9
        return NOT_FILLED

    def _value_of(self, option: str) -> str:
        told = offered()[option]
        if told.values:
            return self.source.choice(told.values)
        return str(self.source.randint(told.least, max(told.most, told.least)))

    # ------------------------------------------------------------------ who

    def running(self, place: Place) -> RunningTable | None:
        return self.server.house.waking.awake.get(place.table)

    def state(self, place: Place) -> TableState | None:
        running = self.running(place)
        return None if running is None else running.state

    def _holders(self, place: Place, seat: int | None = None) -> list[str]:
        """Keys to a seat, or the host's."""
        if (running := self.running(place)) is None:
            return []
        role = "host" if seat is None else "drive"
        held = sorted(grant.key for grant in running.rights.held if (grant.role, grant.seat) == (role, seat))
        return [self._keys[digest] for digest in held if digest in self._keys]

    def somebody(self, place: Place, seat: int | None = None) -> tuple[str, ...]:
        """Somebody's keys as the server reads them: a browser's first, then one program's."""
        keys = self._keys_of_somebody(place, seat)
        browser = [key for key in keys if key.startswith("b_")][:1]
        return (*browser, *[key for key in keys if key not in browser][:1])

    def _keys_of_somebody(self, place: Place, seat: int | None) -> tuple[str, ...]:
        """Whoever has a right to what he asks for, mostly; else somebody else at the table, or a stranger."""
        source = self.source
        right = self._holders(place, seat)
        if right and source.random() < 0.85:
            return (source.choice(right),)
        here = [key for each in (None, *range(6)) for key in self._holders(place, each)]
        others = [*here, *source.choices(list(self._keys.values()), k=2)] if self._keys else here
        strange = [*place.tokens[-3:], "b_" + "x" * 32, "s_thought_up_by_somebody"]
        match source.randrange(8):
            case 0:
                return ()
            case 1:
                return (source.choice(strange),)
            case 2 if len(others) > 1:
                return tuple(source.sample(others, 2))
        return (source.choice(others or strange),)

    def headers(self, keys: tuple[str, ...]) -> list[tuple[bytes, bytes]]:
        """The headers by which somebody is known: a browser's cookie, a program's key, or nothing."""
        source = self.source
        headers = [(b"accept-language", source.choice((*LANGUAGES, "xx;q=2", "")).encode())]
        browser = next((key for key in keys if key.startswith("b_")), None)
        if browser is not None or (not keys and source.random() < 0.4):
            headers.append((b"origin", b"http://localhost"))
        if browser is not None:
            headers.append((b"cookie", f"{COOKIE}={browser}".encode()))
        headers += [(b"authorization", f"Bearer {key}".encode()) for key in keys if key != browser][:1]
        return headers

    # ------------------------------------------------------------------ what

    def anything(self, place: Place) -> Message:
        requests = 0.4 if self._has_room(place) else 0.17
        return self._some_request(place) if self.source.random() < requests else self._some_command(place)

    def _has_room(self, place: Place) -> bool:
        """Whether guests are waited for."""
        room = self.state(place)
        return room is not None and room.phase == "gathering" and any(chair.free for chair in room.chairs)

    def _some_command(self, place: Place) -> Message:
        """A command, by socket or HTTP."""
        room = self.state(place)
        kind = self._likely(room)
        seat = self._seat_for(kind, room)
        keys = self.somebody(place, None if kind.cls in (msg.Begin, msg.Resume) else seat)
        if kind.cls in HOSTS_ONLY and self.source.random() < 0.6:  # else a guest tries
            keys = self.somebody(place)
        if kind.cls in (msg.Agree, msg.Decline) and room is not None and room.persons:
            keys = self.somebody(place, self.source.choice(sorted(room.persons)))
        self._ids += 1
        made = Grammar(self.source, lambda name, _: self._of_command(name, room, seat)).of(kind)
        body = spoil(made, self.source) if self.source.random() < SPOILT else written(made)
        wire = self._wire_of(place, keys)
        if wire is None:
            return self._posted(place, keys, body)
        try:
            text = body.decode()
        except UnicodeDecodeError:
            return self._posted(place, keys, body)  # no frame of text has such bytes: who sends them is cut off before
        command = _read(body, msg.Command) if len(body) <= LARGEST_MESSAGE else None
        return Message(_kind(command), command is not None, wire.keys, place, command, wire=wire, text=text)

    def _posted(self, place: Place, keys: tuple[str, ...], body: bytes) -> Message:
        operation = BY_NAME["command"]
        command = _read(body, operation.takes) if len(body) <= LARGEST_MESSAGE else None
        message = Message(_kind(command), command is not None, keys, place, command, operation)
        headers = [(b"content-type", JSON.encode()), *self.headers(keys)]
        leaves = self.source.random() < 0.01 and not isinstance(command, msg.Logged)
        message.text = body.decode("utf-8", "replace")
        message.task = self.server.ask("POST", f"/api/tables/{place.table}/commands", b"", headers, body, leaves)
        return message

    def _wire_of(self, place: Place, keys: tuple[str, ...]) -> Wire | None:
        """Somebody's socket, if he has one; others use HTTP, or a socket that is not theirs to begin with."""
        open_ones = [wire for wire in place.wires if wire.open]
        own = [wire for wire in open_ones if wire.keys == keys]
        if own and self.source.random() < 0.9:
            return self.source.choice(own)
        return self.source.choice(open_ones) if open_ones and self.source.random() < 0.15 else None

    def _likely(self, room: TableState | None) -> inspect.StructType:
        """What somebody is likely to send, as the table stands; and now and then anything that there is."""
        kinds = members(msg.Command)
        weights = {kind.cls: FINAL.get(kind.cls, 1.0) for kind in kinds}
        if room is not None:
            weights.update(_weights(room))
        return self.source.choices(kinds, [weights[kind.cls] for kind in kinds])[0]

    def _seat_for(self, kind: inspect.StructType, room: TableState | None) -> SeatNumber:
        if room is None:
            return FIRST
        source, seats = self.source, room.seats
        if kind.cls in (msg.MakeMove, msg.Why, msg.AskHint, msg.Lift):
            asked = [seat for seat in seats if room.asked(seat) is not None and seat in room.persons]
            if asked and source.random() < 0.95:
                return source.choice(asked)
        if kind.cls is msg.Appoint:
            free = [seat for seat in seats if room.chairs[seat].free]
            if free and source.random() < 0.8:
                return source.choice(free)
        if kind.cls in (msg.Agree, msg.Decline) and room.admission.wishes:
            return source.choice(sorted(room.admission.wishes))
        persons = sorted(room.persons)
        return source.choice(persons) if persons and source.random() < 0.8 else SeatNumber(source.randrange(7) % 6)

    def _of_command(self, name: str, room: TableState | None, seat: SeatNumber) -> Any:
        source = self.source
        if source.random() < 0.06:
            return NOT_FILLED  # whatever the type allows
        match name:
            case "id":
                if self._used and source.random() < 0.03:
                    return source.choice(self._used)
                self._used = [*self._used[-20:], f"c{self._ids}"]
                return self._used[-1]
            case "at" if room is not None:
                return source.choices(
                    (room.changed, room.number, room.number + 1, max(room.changed - 1, 0)), (12, 2, 1, 1)
                )[0]
            case "seat":
                return seat
            case "move" if room is not None:
                return self._move(room, seat)
            case "number" if room is not None and room.sayers:
                return source.choice(sorted(room.sayers))
            case "wish" if room is not None and seat in room.admission.wishes:
                return room.admission.wishes[seat].number
            case "driver":
                return source.choice(THUMBS)
            case "text":
                return source.choice(WORDS)
            case "name" if source.random() < 0.8:
                return f"{source.choice(('Livia', 'Ἑρμῆς', 'Åse', '馬'))} {source.randrange(99)}"
            case "colour":
                return source.choice(COLOURS)
        return NOT_FILLED

    def _move(self, room: TableState, seat: SeatNumber) -> Any:
        """Mostly a move that is allowed; else whatever the type allows."""
        asked = room.asked(seat)
        if asked is None or self.source.random() < 0.08:
            return NOT_FILLED
        moves = asked[1].legal_moves
        move = moves[self.source.randrange(len(moves))]
        if self.source.random() < 0.6:  # or races would hardly come to their end
            plays = [each for each in islice(moves, 40) if isinstance(each, Play)]
            move = max(plays, key=lambda play: play.card, default=move)
        return msgspec.to_builtins(move)

    # ------------------------------------------------------------------ requests

    def _some_request(self, place: Place) -> Message:
        """Anything else that can be asked over HTTP."""
        source = self.source
        if source.random() < 0.06:
            return self._stray_request(place)
        freed = (room := self.state(place)) is not None and room.kept
        waited_for = {"sit": 25.0} if self._has_room(place) else {"take_over": 25.0} if freed else {}
        weights = [({**LIKELY, **DEAR} | waited_for).get(one.name, 1.0) for one in OPERATIONS]
        operation = source.choices(OPERATIONS, weights)[0]
        keys = self._asker(operation, place)
        grammar = Grammar(source, lambda name, kind: self._of_request(name, kind, place, operation), usual=("token",))
        within = {} if operation.within is None else grammar.of(type_of(operation.within))
        asks = {} if operation.asks is None else grammar.of(type_of(operation.asks))
        if within and source.random() < SPOILT / 4:
            within[source.choice(sorted(within))] = source.choice(
                ("", "..", "a b", "%00", "馬", "x" * 300, "\0", "-", "0" * 80)
            )
        if source.random() < SPOILT / 4:
            asks[source.choice(("game", "format", "board", "x", ""))] = source.choice(
                ("-1", "99999999999", "text", "", "馬")
            )
        body, kind = self._body(operation, grammar)
        path = operation.path.format(**{name: str(value) for name, value in within.items()})
        message = Message(f"{operation.method} {operation.path}", True, keys, operation=operation)
        message.place = place if within.get("table") == place.table else None
        message.decodes = _reads(operation, within, asks, body)
        query = urlencode({name: str(value) for name, value in asks.items() if value is not None}).encode()
        headers = [(b"content-type", kind), *self.headers(keys)] if operation.takes is not None else self.headers(keys)
        if source.random() < 0.03:
            headers.append(source.choice(ODD_HEADERS))
            message.operation = None  # what is answered at the doors is not told operation by operation
        message.text = f"{operation.method} {path}?{query.decode()} {headers} {body[:1000]!r}"
        message.task = self.server.ask(operation.method, path, query, headers, body, source.random() < 0.01)
        return message

    def _asker(self, operation: Operation, place: Place) -> tuple[str, ...]:
        """Whoever sits down is mostly somebody new."""
        if operation.name in ("sit", "take_over", "lay") and self.source.random() < 0.7:
            return ()
        return self.somebody(place, self.source.choice((None, None, 0, 1, 2)))

    def _body(self, operation: Operation, grammar: Grammar) -> tuple[bytes, bytes]:
        source = self.source
        if operation.takes is None:
            return b"", b""
        kind = source.choice(operation.accepts) if source.random() < 0.98 else "text/html"
        match operation.name:
            case "upload_board":
                text = board_text().encode()
                return (spoil_bytes(text, source) if source.random() < 0.7 else text), kind.encode()
            case "upload_record":
                return spoil_bytes(source.choice(self._records()), source), kind.encode()
            case "command":
                made = grammar.of(source.choice(members(operation.takes)))
            case "lay" | "check":
                made = Grammar(source, self._new_table).of(type_of(operation.takes))
            case _:
                made = grammar.of(type_of(operation.takes))
        return (spoil(made, source) if source.random() < SPOILT else written(made)), kind.encode()

    def _records(self) -> list[bytes]:
        rooms = [room for place in self.places if (room := self.state(place)) is not None and room.game >= 0]
        over = [room.record(room.game) for room in rooms if room.races_over(room.game)]
        return [*(to_json(record) for record in over), *(to_text(record).encode() for record in over), b"{}"]

    def _of_request(self, name: str, kind: inspect.Type, place: Place, operation: Operation) -> Any:
        source, room = self.source, self.state(place)
        if source.random() < 0.06:
            return NOT_FILLED
        match name:
            case "table":
                return place.table
            case "replay":
                return f"{place.table}.{source.choice((0, 0, 0, 1))}"
            case "race" | "game":
                return source.choice((0, 0, 0, 1))
            case "course":
                return source.choice(COURSES)
            case "direction":
                return source.choice(DIRECTIONS)
            case "board":
                return source.choice((None, None, self.board))
            case "edition":
                return source.choice(sorted(EDITIONS))
            case "token":
                strange = [token for other in self.places for token in other.tokens[-1:]]
                return source.choice([None, *place.tokens[-4:] * 3, *strange[:1]])
            case "seat" if room is not None and isinstance(
                kind, inspect.UnionType | inspect.IntType | inspect.Metadata
            ):
                seats = list(range(len(room.chairs)))
                free = [seat for seat in seats if room.chairs[seat].free]
                return source.choice(
                    [*free * 3, *seats] if operation.name == "take_over" else [None, *free * 2, *seats]
                )
        return self._of_command(name, room, FIRST)

    def _stray_request(self, place: Place) -> Message:
        """Pages, files, other methods, addresses that do not exist."""
        source = self.source
        paths = [
            *(page.format(table=place.table, replay=f"{place.table}.0", edition="ravensburger") for page in PAGES),
            "/api/docs", "/api/openapi.json", "/offline", "/worker.js", "/static/index.html", "/static/../app.py",
            "/static/", "/api/nothing", f"/api/tables/{place.table}/", "//", "/" + quote("馬"), "/static/v-0/x.js",
            "/\0",
        ]  # fmt: skip
        method = source.choice(("GET", "GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS", "TRACE", "🐎"))
        path, keys = source.choice(paths), self.somebody(place)
        message = Message("pages and strange addresses", True, keys)
        message.text = f"{method} {path}"
        message.task = self.server.ask(method, path, b"", self.headers(keys))
        return message


ODD_HEADERS = (
    (b"host", b"evil.example"), (b"origin", b"null"), (b"origin", b"http://evil.example"),
    (b"authorization", b"Basic eDp5"),
    (b"authorization", b"Bearer \xff"), (b"cookie", b"avecaesar=b_" + b"y" * 40), (b"cookie", b"\xff=\0; ;;="),
    (b"content-length", b"99999999999"), (b"content-length", b"-1"), (b"x-forwarded-for", b"1.2.3.4, \xff"),
    (b"if-none-match", b'"x"'), (b"accept-encoding", b"gzip;q=0, *"), (b"accept-language", b"\xff;q=x,,;"),
)  # fmt: skip


def _weights(room: TableState) -> dict[type, float]:
    """How likely commands are as a table stands, beside 1 for each other one."""
    free = any(chair.free for chair in room.chairs)
    if room.closed:
        return {msg.MakeMove: 4.0}
    if room.paused:
        return {msg.Resume: 40.0, msg.MakeMove: 10.0}
    match room.phase:
        case "gathering":
            return {
                msg.Begin: 4.0 if free else 30.0,
                msg.Appoint: 5.0 if free else 1.0,
                msg.Shake: 6.0,
                msg.Dress: 4.0,
            }
        case "racing":
            asked = any(room.asked(seat) is not None for seat in room.persons)
            rare: dict[type, float] = dict.fromkeys((msg.Stand, msg.Vacate, msg.Appoint), 0.7)
            wished = 12.0 if room.admission.wishes else 1.0
            lively: dict[type, float] = {
                msg.MakeMove: 90.0 if asked else 6.0,
                msg.Say: 4.0,
                msg.Why: 3.0,
                msg.Pause: 2.0,
            }
            return {**rare, **lively, msg.Agree: wished, msg.Decline: wished / 3}
        case _:
            return {msg.Begin: 30.0, msg.Shake: 5.0, msg.Dress: 3.0}


def _kind(command: msg.Command | None) -> str:
    return "unreadable command" if command is None else type(command).__name__


def _read(body: bytes, shape: Any) -> Any:
    """What a body says, by its type alone; None if it cannot be read."""
    try:
        return msgspec.json.decode(body, type=shape)
    except (msgspec.MsgspecError, RecursionError, UnicodeError):
        return None


def _reads(operation: Operation, within: dict[str, Any], asks: dict[str, Any], body: bytes) -> bool:
    """Whether all parts of a request have the shape that they should have."""
    told = {name: str(value) for name, value in asks.items() if value is not None}
    try:
        for shape, words in ((operation.within, within), (operation.asks, told)):
            if shape is not None:
                msgspec.convert({name: str(value) for name, value in words.items()}, shape, strict=False)
    except msgspec.MsgspecError:
        return False
    if operation.takes is None or operation.name in ("upload_board", "upload_record"):
        return True
    return len(body) <= LARGEST_MESSAGE and _read(body, operation.takes) is not None
