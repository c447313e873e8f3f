"""The secret of a running deal stands encrypted in the database; its key lies elsewhere, is lost and found."""

from __future__ import annotations

import logging
import os
import signal
import sqlite3
import stat
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import msgspec
import pytest

from avecaesar.errors import BadInput
from avecaesar.server.refused import RefusedError, StoppedError
from avecaesar.server.store.database import Store
from avecaesar.server.tables import events as e
from avecaesar.server.tables import keyring as keyring_module
from avecaesar.server.tables.dealing import new_seal
from avecaesar.server.tables.house import House
from avecaesar.server.tables.keyring import Keyring, file_beside, opened, readable
from harness import Guest, Harness, person
from seat_numbers import FIRST
from secrets_on_disk import is_in, on_disk, secrets_of, typed
from servers import as_typed, hear

WHY = (
    "the cards of this race are sealed, and the server lacks the key to them; nothing is lost, and the race goes on as "
    "soon as the operator puts the key back"
)


# ---------------------------------------------------------------------- what the database holds


def test_the_database_holds_no_secret_of_a_deal_before_its_race_is_over(house: Harness, tmp_path: Path) -> None:
    async def play() -> None:
        laid = await Guest.at(house.server, table, livia)
        _, to_come = secrets_of(house, table)
        assert to_come
        assert not is_in(to_come, data)
        await laid.begin()
        running, none = secrets_of(house, table)
        assert (running, none) == (to_come, None)
        await laid.move()
        assert not is_in(running, data)
        await laid.race()
        over, to_come = secrets_of(house, table)
        assert over == running == laid.table["race"]["secret"]
        assert is_in(over, data)  # it is open to everybody
        assert to_come
        assert not is_in(to_come, data)

    livia, data = person(), tmp_path / "house.db"
    table = house.lay("here", "scorpus", key=livia, tournament=True).table
    assert b"sealed" in on_disk(data)
    house.run(play())


def test_nothing_of_a_secret_is_told_or_written_where_an_event_is_encoded() -> None:
    ring, seal = Keyring.in_memory(), new_seal()
    kept = ring.encrypt(seal)
    assert seal.secret.encode() not in e.encode(kept)
    assert ring.decrypt(e.decode(e.encode(kept))).secret == seal.secret  # type: ignore[arg-type]
    assert Keyring.in_memory().decrypt(msgspec.structs.replace(kept, secret="")).secret == ""


def test_a_secret_that_somebody_put_in_the_place_of_another_is_not_dealt() -> None:
    ring = Keyring.in_memory()
    ours, other = ring.encrypt(new_seal()), ring.encrypt(new_seal())
    forged = e.Sealed(ours.commitment, token=other.token, key=other.key)
    assert ring.decrypt(forged).secret == ""
    unsealed = opened([msgspec.structs.replace(ours, secret=""), e.Unsealed("5" * 64)], ring)
    assert isinstance(unsealed[0], e.Sealed)
    assert unsealed[0].secret == ours.secret  # not what the other event says


def test_a_log_is_read_without_a_key_as_far_as_its_races_are_over() -> None:
    ring = Keyring.in_memory()
    first, second = (msgspec.structs.replace(ring.encrypt(seal), secret="") for seal in (new_seal(), new_seal()))
    secret = ring.decrypt(first).secret
    log: list[e.AnyEvent] = [first, e.Begun(), e.Unsealed(secret), second, e.Readied((FIRST,))]
    nobody = Keyring([])
    assert readable(opened(log, nobody)) == 5
    assert readable(opened([*log, e.Begun(), e.Closed()], nobody)) == 5
    assert readable(opened([*log, e.Begun(), e.Closed()], ring)) == 7


# ---------------------------------------------------------------------- the file


def test_the_file_is_made_once_for_its_owner_alone(tmp_path: Path) -> None:
    os.umask(os.umask(0))  # as it is
    file = file_beside(tmp_path / "data" / "games.db")
    assert file == tmp_path / "data" / "games.key"  # not games.db…: who copies games.db* copies no key
    ring = Keyring.at(file)
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert [path.name for path in file.parent.iterdir()] == ["games.key"]
    again = Keyring.at(file)
    assert (again.names, ring.fresh, again.fresh) == (ring.names, True, False)
    ring.rotate()
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert Keyring.at(file).names == ring.names == (ring.names[0], *again.names)
    with pytest.raises(BadInput, match="key-file"):
        file_beside(tmp_path / "games.key")


@pytest.mark.skipif(os.name != "posix", reason="files have no such modes")
@pytest.mark.parametrize("mode", [0o640, 0o604, 0o620])
def test_a_file_that_others_may_read_is_refused(tmp_path: Path, mode: int) -> None:
    file = tmp_path / "games.key"
    Keyring.at(file)
    file.chmod(mode)
    with pytest.raises(BadInput, match="type chmod 600"):
        Keyring.at(file)
    assert typed("serve", "--port", "0", "--data", str(tmp_path / "games.db"))[::2] == (
        2,
        f"avecaesar: {file} holds keys, and others may read or change it: type chmod 600 {file}\n",
    )


@pytest.mark.parametrize("text", [b"", b"# nothing\n", b"no key\n", b"A" * 43 + b"=\nno key\n"])
def test_what_is_no_file_of_keys_is_refused_and_left_alone(tmp_path: Path, text: bytes) -> None:
    file = tmp_path / "games.key"
    file.write_bytes(text)
    file.chmod(0o600)
    with pytest.raises(BadInput, match=r"holds no key|is not a file of keys"):
        Keyring.at(file)
    assert file.read_bytes() == text


def test_of_two_who_make_the_file_at_once_both_have_the_same_key(tmp_path: Path, monkeypatch: Any) -> None:
    file = tmp_path / "games.key"
    create = keyring_module._create

    def late(file: Path, text: bytes) -> bool:
        monkeypatch.setattr(keyring_module, "_create", create)
        Keyring.at(file)
        return create(file, text)

    monkeypatch.setattr(keyring_module, "_create", late)
    ring = Keyring.at(file)
    assert (ring.names, ring.fresh) == (Keyring.at(file).names, False)


def test_a_key_that_somebody_added_to_the_file_is_not_lost_by_the_next_rotation(tmp_path: Path) -> None:
    file = tmp_path / "games.key"
    ring = Keyring.at(file)
    old = Keyring.at(tmp_path / "old.key")
    file.write_bytes(file.read_bytes() + (tmp_path / "old.key").read_bytes())
    ring.rotate()
    assert set(Keyring.at(file).names) == {*ring.names} > {*old.names}


# ---------------------------------------------------------------------- the drill


@contextmanager
def restored(house: Harness, copy: Path, keys: Keyring) -> Iterator[House]:
    """A server on a copy of the database."""
    store = Store(f"sqlite:///{copy}")
    house.run(store.open())
    server = House(
        store, house.thinkers, house.time, house.time.sleep, house.time.steady, quotas=house.quotas, keys=keys
    )
    house.run(server.open())
    try:
        yield server
    finally:
        house.run(server.close())
        house.run(store.close())


def backed_up(data: Path, copy: Path) -> Path:
    """What `sqlite3 games.db ".backup copy.db"` does, while the server runs."""
    with closing(sqlite3.connect(data)) as source, closing(sqlite3.connect(copy)) as target:
        source.backup(target)
    return copy


def test_the_restore_drill_with_the_key_and_without_it(
    house: Harness, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    async def play() -> dict[str, Any]:
        over, running, tour = [await Guest.at(house.server, table, livia) for table in (finished, on, tournament)]
        for guest in (over, running, tour):
            await guest.begin()
        await over.race()
        await running.move()
        await running.until(lambda guest: guest.wanted)
        await tour.race()
        await tour.begin()  # its second race runs
        return running.table

    livia = person()
    finished, on, tournament, laid = (
        house.lay("here", "scorpus", key=livia, open=True, tournament=tour, clock=600).table
        for tour in (False, False, True, False)
    )
    before = house.run(play())
    copy = backed_up(tmp_path / "house.db", tmp_path / "copy.db")
    for secret in (house.running(on).state.seals[-1].secret, house.running(tournament).state.seals[-1].secret):
        assert not is_in(secret, copy)

    with restored(house, copy, Keyring([])) as server:  # a server that is moved, say, and whose key is forgotten
        [line] = [record.getMessage() for record in caplog.records if record.levelno >= logging.ERROR]
        assert line.startswith("4 deals are sealed with a key that this process does not hold")
        assert house.run(server.shown(finished, [livia])).table.race.over  # type: ignore[union-attr]
        assert len(house.run(server.record(finished, 0)).races) == 1
        assert len(house.run(server.record(tournament, 0)).races) == 1  # the race that was over
        assert house.run(server.made_by(tournament, 0, 0))
        for table in (on, tournament):
            for asked in (server.shown(table, [livia]), server.connect(table, [livia])):
                with pytest.raises(StoppedError, match="lacks the key"):
                    house.run(asked)
        waiting = house.run(server.shown(laid, [livia])).table
        assert (waiting.phase, waiting.stopped) == ("gathering", WHY)
        guest = house.run(Guest.at(server, laid, livia))
        refused = house.run(guest.do("begin", at=guest.table["changed"]))
        assert (refused["is"], refused["problem"]) == ("refused", WHY)
        lobby = house.run(server.lobby([livia]))
        assert {row.table for row in lobby.mine if row.stopped} == {on, tournament}
        assert {row.table for row in lobby.mine} == {finished, on, tournament, laid}  # nothing is erased

    with restored(house, copy, house.keys) as server:  # the key is back
        again = house.run(Guest.at(server, on, livia))
        assert again.table["race"] == before["race"]
        assert again.table["hands"] == before["hands"]
        house.run(again.race())
        assert again.table["phase"] == "over"
        assert not any(row.stopped for row in house.run(server.lobby([livia])).mine)


def test_people_hear_why_their_race_has_stopped_by_http_and_by_socket_in_their_own_language(tmp_path: Path) -> None:
    data = tmp_path / "games.db"
    german = "die Karten dieses Rennens sind versiegelt, und dem Server fehlt der Schlüssel"
    with as_typed(data) as server:
        laid = server.lay({"kind": "here"}, {"driver": "scorpus"}, open=True)
        assert server.command(laid, do="begin", id="1", at=server.table(laid)["changed"]).status_code == 200
        hand = server.table(laid)["hands"]
    key = (tmp_path / "games.key").read_bytes()
    (tmp_path / "games.key").unlink()
    with as_typed(data) as server:
        assert key.splitlines()[-1] not in (tmp_path / "games.key").read_bytes()
        answer = server.client.get(f"/api/tables/{laid['table']}")
        assert (answer.status_code, answer.json()["problem"]) == (503, WHY)
        answer = server.client.get(f"/api/tables/{laid['table']}", headers={"Accept-Language": "de"})
        assert answer.json()["problem"].startswith(german)
        with server.socket(f"{laid['table']}", laid["token"]) as line:
            assert hear(line) == {"is": "bye", "problem": WHY}
        assert server.client.get("/api/tables").json()["open"][0]["stopped"]
        status, told, _ = typed("key", "list", "--data", str(data))
        assert (status, [line.split()[1] for line in told.splitlines()]) == (0, ["seals", "MISSING"])
        assert "stopped" in typed("tables", "list", "--data", str(data))[1]
    with (tmp_path / "games.key").open("ab") as file:
        file.write(key)  # as a line of its own, beside the new one
    with as_typed(data) as server:
        assert server.table(laid)["hands"] == hand
        assert server.process is not None
        assert server.process.stderr is not None
        server.process.send_signal(signal.SIGINT)
        server.process.wait()
        assert server.process.stderr.read() == ""


# ---------------------------------------------------------------------- no key, or somebody else's


def test_without_any_key_nothing_is_sealed_and_no_table_is_laid(house: Harness) -> None:
    house.server.keys = Keyring([])
    with pytest.raises(RefusedError, match="no key"):
        house.lay("here", "scorpus", key=person())


@pytest.mark.skipif(os.name != "posix", reason="who owns a file is known on POSIX")
def test_a_file_of_keys_that_is_somebody_elses_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "tables.key"
    Keyring.at(file)
    monkeypatch.setattr(os, "geteuid", lambda: file.stat().st_uid + 4711)
    with pytest.raises(BadInput, match="belongs to somebody else"):
        Keyring.at(file)
