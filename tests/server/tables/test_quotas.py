"""What one person, address or table may have of what costs the server something for good."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import msgspec
import pytest

from avecaesar.courses import LARGEST_BOARD
from avecaesar.courses.board import digest_of
from avecaesar.game.sealed_chance import MOST_SHARES
from avecaesar.server.fairness import Asker, on_behalf_of
from avecaesar.server.rates import InMemory, Quotas, Rate
from avecaesar.server.refused import RefusedError
from avecaesar.server.store import rights_rows
from avecaesar.server.store.shapes import Grant, Listing, LogEntry
from avecaesar.server.tables import announcing, connection, decisions
from avecaesar.server.tables import events as e
from avecaesar.server.tables.actor import Actor
from avecaesar.server.tables.announcing import A_CROWD
from avecaesar.server.tables.dealing import new_seal
from avecaesar.server.tables.erasable_words import read
from avecaesar.server.tables.house import hashed, new_key
from avecaesar.server.tables.presence import Presence
from avecaesar.server.tables.projection import common_to_all, shown
from avecaesar.server.tables.state import TableState
from avecaesar.server.wire import messages as msg
from checkout import BOARDS
from harness import GENEROUS, Guest, Harness, person, settle
from seat_numbers import FIRST, SECOND
from servers import in_a_thread

BOARD = (BOARDS / "plain.board").read_text(encoding="utf-8")
NEVER = 1e-9  # a second


def limited(house: Harness, **quotas: Any) -> None:
    """From now on so much, and as much as anybody likes of the rest."""
    house.server.quotas, house.server.rates = Quotas(**{**_fields(GENEROUS), **quotas}), InMemory()


def _fields(quotas: Quotas) -> dict[str, Any]:
    return {name: getattr(quotas, name) for name in Quotas.__slots__}


def refusal(house: Harness, work: Any) -> RefusedError:
    with pytest.raises(RefusedError) as refused:
        house.run(work)
    return refused.value


# ---------------------------------------------------------------------- words and deeds


def test_a_seat_talks_so_much_and_no_more_however_many_keys_its_person_has(house: Harness) -> None:
    limited(house, sayings=Rate(NEVER, 3))
    livia, marcus = person(), person()
    laid = house.lay("here", "friend", key=livia)

    async def play() -> None:
        link = (await house.server.link(laid.table, msg.WantLink(seat=FIRST), [livia])).link
        again = person()
        await house.server.sit(laid.table, msg.Sit(token=link.partition("#")[2]), [again])
        mine, other = await Guest.at(house.server, laid.table, livia), await Guest.at(house.server, laid.table, again)
        assert laid.invitation is not None
        await house.server.sit(laid.table, msg.Sit(token=laid.invitation.partition("#")[2]), [marcus])
        theirs = await Guest.at(house.server, laid.table, marcus)
        answers = [(await guest.do("say", text="Ave!"))["is"] for guest in (mine, other, mine, other, mine)]
        assert answers == ["done", "done", "done", "refused", "refused"]
        assert "take a breath" in other.answers["say-1"]["problem"]
        assert (await theirs.do("say", text="Ave!"))["is"] == "done"
        before = house.running(laid.table).state.number
        assert (await mine.do("say", id="say-0", text="Ave!"))["is"] == "done"  # sent again: the old answer
        assert house.running(laid.table).state.number == before

    house.run(play())


def test_a_seat_does_so_much_beside_its_moves(house: Harness) -> None:
    limited(house, deeds=Rate(NEVER, 2))
    livia = person()
    laid = house.lay("here", "scorpus", key=livia)

    async def play() -> None:
        mine = await Guest.at(house.server, laid.table, livia)
        names = [(await mine.do("dress", seat=0, name=name, colour="red"))["is"] for name in ("Livia", "Lia", "Liv")]
        assert names == ["done", "done", "refused"]

    house.run(play())


def laid_room() -> TableState:
    state = TableState("t")
    plan = e.Plan(
        seats=(
            e.PlannedSeat(kind="here", name="Livia", colour="red"),
            e.PlannedSeat(kind="friend", name="Marcus", colour="blue"),
        )
    )
    fold(state, e.WasLaid(plan), new_seal(), e.Sat(SECOND, "Marcus", "blue"))
    return state


LIVIA, MARCUS = Actor(("livia",), frozenset({FIRST}), True), Actor(("marcus",), frozenset({SECOND}), False)


def fold(state: TableState, *events: e.AnyEvent) -> None:
    for event in events:
        state.apply(state.number + 1, 0.0, event)


def test_a_log_takes_so_many_sayings_and_tells_when_it_is_full(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(decisions, "MOST_SAID", 5)
    state = laid_room()
    for _ in range(5):
        fold(state, *decisions.decide(state, LIVIA, msg.Say(id="a", text="Ave!")))
    with pytest.raises(RefusedError, match="enough was said at this table"):
        decisions.decide(state, MARCUS, msg.Say(id="a", phrase="ave"))
    assert decisions.decide(state, MARCUS, msg.Dress(id="b", seat=SECOND, name="Gaius", colour="blue"))


def test_a_log_does_not_grow_without_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(decisions, "MOST_EVENTS", 10)
    state = laid_room()
    while state.number < 10:
        fold(
            state,
            *decisions.decide(
                state, MARCUS, msg.Dress(id="b", seat=SECOND, name=f"Gaius {state.number}", colour="blue")
            ),
        )
    with pytest.raises(RefusedError, match="lay a new one"):
        decisions.decide(state, MARCUS, msg.Dress(id="b", seat=SECOND, name="Gaius", colour="blue"))
    with pytest.raises(RefusedError, match="lay a new one"):
        decisions.sit(state, None, None, None)


def test_links_and_wishes_do_not_make_a_log_grow_without_end(house: Harness, monkeypatch: pytest.MonkeyPatch) -> None:
    livia, marcus, titus, cleo = (person() for _ in range(4))
    laid = house.lay("here", "friend", "friend", key=livia, open=True, pace=5000)
    table, server = laid.table, house.server

    async def begin() -> None:
        for key in (marcus, titus):
            await server.sit(table, msg.Sit(), [key])
        changed = house.running(table).state.changed
        await server.command(table, msg.Begin(id="a", at=changed), [livia])
        await server.command(table, msg.Vacate(id="b", seat=SECOND), [livia])

    async def ask() -> None:
        await server.take_over(table, msg.TakeOver(seat=SECOND), [cleo])
        state = house.running(table).state
        wish = state.admission.wishes[SECOND].number
        await server.command(table, msg.Decline(id=f"c{state.number}", seat=SECOND, wish=wish), [livia])

    house.run(begin())
    limited(house, deeds=Rate(NEVER, 3))
    house.run(ask())
    house.run(ask())
    house.run(ask())
    assert refusal(house, ask()).status == 429
    monkeypatch.setattr(decisions, "MOST_EVENTS", house.running(table).state.number)
    assert "lay a new one" in refusal(house, ask()).problem
    assert "lay a new one" in refusal(house, server.link(table, msg.WantLink(), [livia])).problem


def test_200_000_sayings_cannot_be_made() -> None:
    assert decisions.MOST_SAID < decisions.MOST_EVENTS <= 20_000


# ---------------------------------------------------------------------- shares and links


def test_nobody_uses_up_the_shares_that_others_may_add() -> None:
    state = laid_room()
    for number in range(MOST_SHARES):
        with suppress(RefusedError):
            same_seat = Actor((f"key {number}",), frozenset({SECOND}), False)
            fold(state, *decisions.decide(state, same_seat, msg.Shake(id="a", share="0" * 32)))
    assert len(state.shares) == 1
    fold(state, *decisions.decide(state, LIVIA, msg.Shake(id="a", share="1" * 32)))
    assert state.shares[1].holder == "livia"


def test_an_old_share_that_does_not_tell_its_seat_is_still_folded() -> None:
    state = laid_room()
    fold(state, e.decode(b'{"event":"shaken","holder":"x","share":"' + b"0" * 32 + b'"}'))
    assert [(share.holder, share.share, share.seat) for share in state.shares] == [("x", "0" * 32, None)]


def test_a_person_makes_so_many_links_and_a_table_has_so_many(house: Harness) -> None:
    livia = person()
    laid = house.lay("here", "friend", key=livia)

    async def made() -> str:
        return (await house.server.link(laid.table, msg.WantLink(), [livia])).link

    limited(house, links=Rate(NEVER, 2))
    assert house.run(made()) != house.run(made())
    assert refusal(house, made()).status == 429
    limited(house, rights=4)
    house.run(
        house.server.share(laid.table, [livia], True)
    )  # what people may do here is no link, however many they are
    house.run(made())  # and now there are four invitations
    assert "too many links" in refusal(house, made()).problem
    stranger = house.server.link(laid.table, msg.WantLink(), [person()])
    assert refusal(house, stranger).status == 403


def test_a_new_right_reads_no_more_than_its_own_key(house: Harness) -> None:
    laid = house.lay("here", key=person())
    grants = [Grant(hashed(new_key("s")), FIRST, "drive") for _ in range(50)]
    house.run(house.server.store.append(laid.table, [], Listing(False, False, b"{}"), grants=grants))
    read: list[int] = []

    class Counting:
        """A connection that counts the rows that it gives."""

        def __init__(self, connection: Any) -> None:
            self._connection = connection

        def execute(self, statement: Any, *more: Any) -> Any:
            result = self._connection.execute(statement, *more)
            if not result.returns_rows:
                return result
            rows = list(result)
            read.append(len(rows))
            return rows

    house.run(
        house.server.store._write(lambda connection: rights_rows.add(Counting(connection), laid.table, grants[:1]))  # type: ignore[arg-type]
    )
    assert read == [1]


# ---------------------------------------------------------------------- watching


class Work:
    """How often something was computed."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.done: Counter[str] = Counter()
        present = vars(Presence)["present"].fget
        monkeypatch.setattr(announcing, "shown", self._counted("shown", shown))
        monkeypatch.setattr(connection, "shown", self._counted("shown", shown))
        monkeypatch.setattr(announcing, "common_to_all", self._counted("common", common_to_all))
        monkeypatch.setattr(msg, "News", self._counted("written", msg.News))
        monkeypatch.setattr(Presence, "present", property(self._counted("present", present)))

    def _counted(self, name: str, work: Callable[..., Any]) -> Callable[..., Any]:
        def count(*args: Any) -> Any:
            self.done[name] += 1
            return work(*args)

        return count


@pytest.mark.parametrize("phase", ["gathering", "over"])
def test_what_strangers_see_is_put_together_once_for_all_of_them(
    house: Harness, monkeypatch: pytest.MonkeyPatch, phase: str
) -> None:
    livia = person()
    table = house.lay("here", "scorpus", key=livia).table

    async def play() -> None:
        mine = await Guest.at(house.server, table, livia)
        if phase == "over":
            await mine.begin()
            await mine.race()
        costs = []
        watching: list[Guest] = []
        for crowd in (5, 50):
            watching += [await Guest.at(house.server, table) for _ in range(crowd - len(watching))]
            for guest in watching:
                while guest.connection._waiting:
                    await guest.hear()
            with monkeypatch.context() as patch:
                work = Work(patch)
                assert (await mine.do("say", text=f"Ave {crowd}"))["is"] == "done"
            costs.append(work.done)
            for guest in watching:
                assert (await guest.hear())["story"][-1]["words"] == f"Ave {crowd}"
        assert costs[0] == costs[1]
        assert costs[0]["shown"] == costs[0]["written"] == 2  # for her, and for all strangers
        assert costs[0]["common"] == 1  # for everybody

    house.run(play())


def test_strangers_who_come_and_go_are_told_of_now_and_then(house: Harness) -> None:
    livia, marcus = person(), person()
    laid = house.lay("here", "friend", key=livia)

    async def watch() -> None:
        mine = await Guest.at(house.server, laid.table, livia)
        await settle()
        await house.time.pass_by(A_CROWD)  # since she has come herself
        heard = mine.connection._waiting
        for _ in range(20):
            (await Guest.at(house.server, laid.table)).connection.close()
        await Guest.at(house.server, laid.table)
        await settle()
        assert len(heard) == 1  # of the first of them
        assert (await mine.hear())["table"]["watchers"] == 1
        await house.time.pass_by(A_CROWD)
        assert len(heard) == 1  # of all the others
        assert (await mine.hear())["table"]["watchers"] == 1
        assert invited is not None
        await house.server.sit(laid.table, msg.Sit(token=invited), [marcus])
        await mine.hear()
        theirs = await Guest.at(house.server, laid.table, marcus)
        assert len(heard) == 1  # of whoever sits here at once
        assert (await mine.hear())["table"]["seats"][1]["connected"]
        theirs.connection.close()
        assert not (await mine.hear())["table"]["seats"][1]["connected"]
        await house.time.pass_by(A_CROWD)
        await house.time.pass_by(A_CROWD)
        assert not heard  # nothing has changed
        await Guest.at(house.server, laid.table)
        assert len(heard) == 1  # at once again

    invited = laid.invitation.partition("#")[2] if laid.invitation else None
    house.run(watch())


# ---------------------------------------------------------------------- the lobby


def test_an_address_has_a_few_tables_in_the_lobby_at_a_time(house: Harness) -> None:
    limited(house, open_tables=2)

    async def lay(address: str, **wishes: Any) -> str:
        seats = (msg.SeatPlan(kind="here"), msg.SeatPlan(kind="friend"))
        laid = await house.server.lay(msg.NewTable(seats=seats, **{"open": True, **wishes}), person(), address)
        return laid.table

    mine = [house.run(lay("192.0.2.1")) for _ in range(2)]
    assert refusal(house, lay("192.0.2.1")).status == 429
    house.run(lay("192.0.2.1", open=False))
    house.run(lay("192.0.2.2"))
    running = house.running(mine[0])
    house.run(house.server.store.append(mine[0], [], Listing(False, False, b"{}")))  # its race is over
    assert not house.run(house.server.store.still_listed([running.state.id]))
    house.run(lay("192.0.2.1"))
    for address in ("192.0.2.3", "192.0.2.3", "192.0.2.4"):  # of one network
        house.run(lay(address))
    assert refusal(house, lay("192.0.2.5")).status == 429
    house.run(lay("198.51.100.9"))


# ---------------------------------------------------------------------- the disk


def test_records_of_tables_are_put_together_for_an_address_so_often_and_no_more(house: Harness) -> None:
    livia = person()
    tables = [house.lay("here", "scorpus", key=livia, away=None).table for _ in range(2)]

    async def race() -> None:
        for table in tables:
            mine = await Guest.at(house.server, table, livia)
            await mine.begin()
            await mine.race()

    async def ask(address: str, table: str) -> None:
        with on_behalf_of(Asker(address, address)):
            await house.server.kept_record(table, 0)

    house.run(race())
    limited(house, written=Rate(NEVER, 1))
    for _ in range(3):  # what is kept costs nothing
        house.run(ask("192.0.2.7", tables[0]))
    assert refusal(house, ask("192.0.2.7", tables[1])).status == 429
    house.run(ask("198.51.100.9", tables[1]))
    house.run(ask("192.0.2.7", tables[1]))


def test_courses_of_boards_of_ones_own_are_unpacked_for_an_address_so_often_and_no_more(house: Harness) -> None:
    limited(house, courses=Rate(NEVER, 6))
    boards = [BOARD, BOARD + "# another"]
    for board in boards:
        house.run(house.server.store.keep("board", digest_of(board), board.encode()))

    async def check(address: str, board: str | None) -> str | None:
        new = msg.NewTable(seats=(msg.SeatPlan(), msg.SeatPlan()), board=board and digest_of(board))
        with on_behalf_of(Asker(address, address)):
            return (await house.server.uploads.check(new)).problem

    for _ in range(3):  # what is kept costs nothing
        assert house.run(check("192.0.2.7", boards[0])) is None
    assert refusal(house, check("192.0.2.7", boards[1])).status == 429
    assert house.run(check("192.0.2.7", boards[0])) is None
    assert house.run(check("192.0.2.7", None)) is None
    assert house.run(check("198.51.100.9", boards[1])) is None


def test_uploads_have_a_quota_by_address_and_in_all(tmp_path: Path) -> None:
    text = {"Content-Type": "text/plain"}
    other = BOARD.replace("A board that tests", "Another board that tests", 1)
    size = len(BOARD.encode())
    by_address = Quotas(**{**_fields(GENEROUS), "uploads": Rate(NEVER, size + 10)})
    with in_a_thread(tmp_path / "a.db", quotas=by_address) as server:
        statuses = [
            server.client.post("/api/boards", content=board.encode(), headers=text).status_code
            for board in (BOARD, BOARD, other)
        ]
        assert statuses == [201, 201, 429]  # what is there already takes no room
    in_all = Quotas(**{**_fields(GENEROUS), "uploads": Rate(1e12, 10**12), "kept": size + 10})
    with in_a_thread(tmp_path / "b.db", quotas=in_all) as server:
        statuses = [
            server.client.post("/api/boards", content=board.encode(), headers=text).status_code
            for board in (BOARD, other)
        ]
        assert statuses == [201, 503]


def test_a_boards_text_is_kept_once_whatever_is_laid_on_it(house: Harness) -> None:
    server, livia = house.server, person()
    digest = house.run(server.thinkers.call(_digest_of, BOARD))
    house.run(server.uploads.keep("board", digest, BOARD.encode(), "here"))
    laid = house.lay("here", "scorpus", key=livia, course="blue", board=digest)
    log = house.run(server.store.log(laid.table))
    assert b"A board that tests can rely on" not in b"".join(entry.body for entry in log)
    assert sum(len(entry.body) for entry in log) < len(BOARD)

    async def race() -> str:
        mine = await Guest.at(house.server, laid.table, livia)
        await mine.begin()
        return str(mine.table["race"]["board"])

    assert house.run(race()) == digest
    house.restart()
    assert house.run(house.server.shown(laid.table, [livia])).table.race is not None


def test_a_log_of_old_with_its_boards_text_is_still_read(house: Harness) -> None:
    livia = person()
    laid = house.lay("here", "scorpus", key=livia)
    first, *rest = house.run(house.server.store.log(laid.table))
    event = read(first)
    assert isinstance(event, e.WasLaid)
    plan = msgspec.structs.replace(event.plan, course="blue", board="0" * 64)  # which nobody has uploaded here
    old = [LogEntry(0, first.at, None, e.encode(e.WasLaid(plan, BOARD))), *rest]
    grants = [Grant(hashed(livia), FIRST, "drive")]
    house.run(house.server.store.create("old", old, grants, Listing(False, False, b"{}")))
    assert house.run(house.server.shown("old", [livia])).table.yours == (0,)
    assert house.running("old").state.load("blue", "clockwise").board.name


def test_a_log_of_old_on_a_board_that_is_too_long_today_is_still_read(house: Harness) -> None:
    livia = person()
    laid = house.lay("here", "scorpus", key=livia)
    first, *rest = house.run(house.server.store.log(laid.table))
    event = read(first)
    assert isinstance(event, e.WasLaid)
    plan = msgspec.structs.replace(event.plan, course="blue", board="0" * 64)
    old = [LogEntry(0, first.at, None, e.encode(e.WasLaid(plan, BOARD + "#" * 100_000))), *rest]
    grants = [Grant(hashed(livia), FIRST, "drive"), Grant(hashed(livia), None, "host")]
    house.run(house.server.store.create("old", old, grants, Listing(False, False, b"{}")))

    async def race() -> None:
        mine = await Guest.at(house.server, "old", livia)
        await mine.begin()
        await mine.race()

    house.run(race())
    assert len(house.run(house.server.kept_record("old", 0)).body) < LARGEST_BOARD


def _digest_of(text: str) -> str:
    from avecaesar.courses import parse_board

    return parse_board(text).sha256
