"""What a player chooses unseen stands encrypted in the log: a copy of the database alone tells no hidden card."""

from __future__ import annotations

import asyncio
import sqlite3
from collections import Counter
from contextlib import closing
from pathlib import Path
from typing import Any

import msgspec
import pytest

from avecaesar.game import ChariotNumber, ChooseDeck, Crash, Draw, Lay, Miss, Move, Play, Sort, Vote, Withdraw
from avecaesar.server.tables import events as e
from avecaesar.server.tables.dealing import new_seal
from avecaesar.server.tables.hidden_moves import Veil
from avecaesar.server.tables.keyring import Keyring, opened, readable
from avecaesar.server.wire import messages as msg
from harness import Guest, Harness, person
from seat_numbers import FIRST, SECOND

SORTING = Sort(((1, 2), (3, 4), (5, 6)))
TELLING: list[Move] = [ChooseDeck("fast"), SORTING, Miss(4)]
PLAIN: list[Move] = [Miss(), Play(3, 17), Draw(1), Lay(2), Withdraw(), Crash(), Vote()]


def bodies(data: Path, table: str) -> list[dict[str, Any]]:
    with closing(sqlite3.connect(data)) as database:
        found = database.execute('SELECT body FROM events WHERE "table" = ? ORDER BY number', (table,)).fetchall()
    return [msgspec.json.decode(body) for (body,) in found]


def kinds(data: Path, table: str) -> list[str]:
    """Of the moves in a log, as anybody reads them who has the database."""
    return [body["move"]["kind"] for body in bodies(data, table) if body["event"] in ("moved", "chosen")]


def lifted(log: list[e.AnyEvent], keys: Keyring) -> list[e.AnyEvent]:
    """A log as it is folded."""
    veil = Veil()
    return [veil.decrypt(event) for event in opened(log, keys)]


@pytest.mark.parametrize("move", TELLING + PLAIN, ids=str)
def test_a_move_is_veiled_if_it_tells_hidden_cards_and_comes_back_as_it_was(move: Move) -> None:
    seal = new_seal()
    log: list[e.AnyEvent] = [
        seal,
        e.Begun(),
        e.ChosenAhead(FIRST, ChariotNumber(0), move),
        e.Moved(FIRST, move, "person"),
    ]
    lowering, lifting = Veil(), Veil()
    written = [e.encode(lowering.encrypt(event)) for event in log]
    veiled = [isinstance(getattr(e.decode(body), "move", None), e.Veiled) for body in written]
    assert veiled == [False, False, move in TELLING, move in TELLING]
    assert [lifting.decrypt(e.decode(body)) for body in written] == log


def test_neither_kind_nor_cards_of_a_veiled_move_are_told_by_its_length() -> None:
    veil = Veil(new_seal().secret)
    sorting = Sort(((1,) * 8, (2,) * 8, (3,) * 8))
    lengths = {len(e.encode(veil.encrypt(e.Moved(FIRST, move, "person")))) for move in (*TELLING, sorting)}
    assert len(lengths) == 1


def test_another_races_secret_lifts_nothing() -> None:
    event = Veil(new_seal().secret).encrypt(e.Moved(FIRST, SORTING, "person"))
    assert Veil(new_seal().secret).decrypt(event) == event


def test_each_race_of_a_log_has_a_veil_of_its_own() -> None:
    ring, veil = Keyring.in_memory(), Veil()
    first, second = ring.encrypt(new_seal()), ring.encrypt(new_seal())
    sorted_first, sorted_second = e.Moved(FIRST, SORTING, "person"), e.Moved(SECOND, SORTING, "driver")
    log: list[e.AnyEvent] = [first, e.Begun(), sorted_first, e.Unsealed(first.secret), second, e.Begun(), sorted_second]
    written = [e.decode(e.encode(veil.encrypt(event))) for event in log]
    assert lifted(written, ring)[2] == sorted_first
    assert lifted(written, ring)[6] == sorted_second
    without = lifted(written, Keyring([]))  # a race that is over is read without any key
    assert without[2] == sorted_first
    assert readable(without) == 5


def test_the_log_of_a_running_race_tells_no_deck_and_no_sorting(house: Harness, tmp_path: Path) -> None:
    async def sort_cards() -> None:
        guest = await Guest.at(house.server, table, livia)
        await guest.begin()
        while guest.table["race"]["asks"] in ("deck", "sort"):
            await guest.move()
        guest.leave()

    async def race() -> None:
        guest = await Guest.at(house.server, table, livia)
        await guest.race()

    livia, data = person(), tmp_path / "house.db"
    table = house.lay("here", "scorpus", key=livia, edition="ausgebremst").table
    house.run(sort_cards())
    assert "veiled" in kinds(data, table)
    assert not {"deck", "sort"} & set(kinds(data, table))
    before = house.running(table).state.game_table.race._races.tobytes()
    house.restart()
    house.run(house.server.shown(table, [livia]))
    assert house.running(table).state.game_table.race._races.tobytes() == before
    house.run(race())
    assert len(house.run(house.server.record(table, 0)).races) == 1


def test_the_log_of_a_running_race_tells_no_exchanged_card(house: Harness, tmp_path: Path) -> None:
    async def race_until_exchanged() -> None:
        guest = await Guest.at(house.server, table, livia)
        await guest.begin()
        while not any(turn.exchanged for turn in house.running(table).state.game_table.race.history):
            await (guest.move() if guest.table["phase"] == "racing" else guest.begin())

    livia, data = person(), tmp_path / "house.db"
    options = {"missed_turn": "exchange"}
    table = house.lay("here", *["scorpus"] * 5, key=livia, options=options, tournament=True).table
    house.run(race_until_exchanged())
    running = bodies(data, table)
    running = running[max(i for i, body in enumerate(running) if body["event"] == "begun") :]
    assert "veiled" in kinds(data, table)
    assert not any(body.get("move", {}).get("exchange") for body in running)
    before = house.running(table).state.game_table.race._races.tobytes()
    house.restart()
    house.run(house.server.shown(table, [livia]))
    assert house.running(table).state.game_table.race._races.tobytes() == before


def test_the_log_of_an_older_release_in_which_they_stand_in_clear_is_still_read(house: Harness, tmp_path: Path) -> None:
    async def sort_cards() -> None:
        guest = await Guest.at(house.server, table, livia)
        await guest.begin()
        while guest.table["race"]["asks"] in ("deck", "sort"):
            await guest.move()

    livia, data = person(), tmp_path / "house.db"
    table = house.lay("here", "scorpus", key=livia, edition="ausgebremst").table
    house.run(sort_cards())
    before = house.running(table).state.game_table.race._races.tobytes()
    veil = Veil(*house.running(table).state.secrets)
    with closing(sqlite3.connect(data)) as database:
        for number, body in database.execute("SELECT number, body FROM events").fetchall():
            if isinstance(event := e.decode(body), e.ChosenAhead | e.Moved):
                clear = e.encode(veil.decrypt(event))
                database.execute("UPDATE events SET body = ? WHERE number = ?", (clear, number))
        database.commit()
    assert {"deck", "sort"} <= set(kinds(data, table))
    house.restart()
    house.run(house.server.shown(table, [livia]))
    assert house.running(table).state.game_table.race._races.tobytes() == before


def test_a_log_is_decrypted_and_folded_event_by_event_and_others_are_served_meanwhile(
    house: Harness, monkeypatch: pytest.MonkeyPatch
) -> None:
    livia = person()
    table = house.lay("here", "scorpus", "scorpus", key=livia, edition="ausgebremst").table
    decrypted, step = Counter[int](), 0
    decrypt = Veil.decrypt

    def counted(veil: Veil, event: e.AnyEvent) -> e.AnyEvent:
        decrypted[step] += 1
        return decrypt(veil, event)

    async def count_steps() -> None:
        nonlocal step
        while True:
            step += 1
            await asyncio.sleep(0)

    async def wake() -> None:
        counter = asyncio.create_task(count_steps())
        await house.server.shown(table, [livia])
        counter.cancel()

    house.run(house.server.command(table, msg.Begin(id="b", at=house.running(table).state.changed), [livia]))
    house.run(house.server.waking.awake.pop(table).close())  # it sleeps
    monkeypatch.setattr(Veil, "decrypt", counted)
    house.run(wake())
    assert sum(decrypted.values()) >= 3
    assert max(decrypted.values()) == 1
