"""`avecaesar serve` as people type it, and every endpoint with every kind of input that its own description allows."""

from __future__ import annotations

import os
import re
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, given, settings
from schemathesis import GenerationMode, checks
from websockets.exceptions import ConnectionClosed

from avecaesar.cli.serve import QUIET_ZONE, Links, qr_code
from avecaesar.server.http.gatekeeper import Origin
from avecaesar.server.http.openapi import document
from avecaesar.server.http.routes import OPERATIONS
from checkout import ROOT
from servers import PROGRAM, ServerClient, as_typed, hear, in_a_thread


def refused(*words: str) -> tuple[int, str]:
    """What a command that cannot begin says, and its status."""
    done = subprocess.run([*PROGRAM, "serve", *words], capture_output=True, text=True, timeout=120)
    assert done.stdout == ""
    (line,) = done.stderr.splitlines()
    return done.returncode, line


# ---------------------------------------------------------------------- beginning and ending


def test_it_says_where_it_is_and_ends_with_a_sentence(tmp_path: Path) -> None:
    with as_typed(tmp_path / "tables.db") as server:
        assert server.process is not None
        assert server.process.stdout is not None
        assert server.process.stderr is not None
        assert server.client.get("/api/health").json()["status"] == "ok"
        laid = server.lay()
        kept = f"Tables are kept in {tmp_path / 'tables.db'}, finished ones for 90 days (--keep). Ctrl-C ends it.\n"
        assert server.process.stdout.readline() == kept
        with server.socket(laid["table"], laid["token"]) as connection:
            assert hear(connection)["is"] == "whole"
            server.process.send_signal(signal.SIGINT)
            bye = hear(connection)
            assert bye == {"is": "bye", "problem": "the server is closing; the table is safe"}
            with pytest.raises(ConnectionClosed):
                connection.recv(timeout=60)
            assert connection.protocol.close_code == 1012
        assert server.process.wait(60) == 0
        assert server.process.stdout.read() == "Vale! All tables are safe.\n"
        assert server.process.stderr.read() == ""


def test_a_table_outlives_the_server(tmp_path: Path) -> None:
    with as_typed(tmp_path / "tables.db") as server:
        laid = server.lay({"kind": "here", "name": "Livia"}, {})
        assert server.process is not None
        server.process.send_signal(signal.SIGKILL)
    with as_typed(tmp_path / "tables.db") as server:
        table = server.table(laid)
        assert (table["seats"][0]["name"], table["yours"]) == ("Livia", [0])


def test_a_port_that_is_taken_is_not_fought_for(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        status, line = refused("--port", str(port), "--data", str(tmp_path / "a.db"))
    assert status == 2
    assert line == f"avecaesar: port {port} is in use: choose another --port, or leave it out"


@pytest.mark.parametrize(
    ("words", "status", "problem"),
    [
        (["--host", "192.0.2.77"], 2, "'192.0.2.77' is not an address of this machine"),
        (
            ["--host", "no such host"],
            2,
            "'no such host' is not an address of this machine; 0.0.0.0 stands for all it has",
        ),
        (
            ["--public", "race.example"],
            2,
            "a public address is written such as https://race.example, not 'race.example'",
        ),
        (["--public", "https://race.example/path"], 2, "a public address is written such as https://race.example, not"),
        (["--port", "70000"], 2, "not a whole number from 0 to 65535"),
        (["--workers", "0"], 2, "not a whole number from 1 to 64"),
    ],
)
def test_what_makes_no_sense_is_said_in_a_line(tmp_path: Path, words: list[str], status: int, problem: str) -> None:
    told = refused("--data", str(tmp_path / "a.db"), *words)
    assert told[0] == status
    assert problem in told[1]


def test_a_file_that_is_no_database_stays_as_it_is(tmp_path: Path) -> None:
    letter = tmp_path / "letter.txt"
    letter.write_text("Dear Livia, " * 1000)
    status, line = refused("--data", str(letter), "--port", "0")
    assert status == 2
    assert "letter.txt is not a database" in line
    assert letter.read_text() == "Dear Livia, " * 1000
    status, line = refused("--data", str(tmp_path), "--port", "0")
    assert status == 2
    assert str(tmp_path) in line


def test_the_browser_is_opened_once_the_server_answers(tmp_path: Path) -> None:
    pipe = tmp_path / "visited"
    os.mkfifo(pipe)
    browser = tmp_path / "browser"
    browser.write_text(f'#!/bin/sh\necho "$1" > {pipe}\n')
    browser.chmod(0o755)
    with as_typed(tmp_path / "a.db", "--open", env={**os.environ, "BROWSER": f"{browser} %s"}) as server:
        assert pipe.read_text().strip() == server.told


def test_where_there_is_no_browser_the_address_is_told(tmp_path: Path) -> None:
    env = {name: value for name, value in os.environ.items() if name not in ("BROWSER", "DISPLAY", "WAYLAND_DISPLAY")}
    with as_typed(tmp_path / "a.db", "--open", env={**env, "PATH": str(tmp_path)}) as server:
        assert server.process is not None
        assert server.process.stdout is not None
        server.process.stdout.readline()
        assert server.process.stdout.readline() == f"There is no browser to open here: visit {server.told}\n"


# ---------------------------------------------------------------------- the local network


def test_beyond_localhost_there_is_a_link_for_others_and_it_works(tmp_path: Path) -> None:
    lan = Links("0.0.0.0", 1, None).lan
    with as_typed(tmp_path / "a.db", "--host", "0.0.0.0") as server:
        assert server.process is not None
        assert server.process.stdout is not None
        port = server.url.rpartition(":")[2]
        assert server.told == f"http://localhost:{port}"
        if lan is not None:
            link = f"http://{lan}:{port}"
            assert server.process.stdout.readline() == f"In your local network: {link}\n"
            assert server.client.get(f"{link}/api/health").status_code == 200
        assert server.client.get("/api/health", headers={"Host": f"evil.example:{port}"}).status_code == 403


def test_at_home_it_answers_to_this_machine_only_and_in_the_world_to_its_public_name() -> None:
    home = Links("localhost", 8042, None)
    assert (home.first, home.shared, home.names) == ("http://localhost:8042", None, frozenset({"localhost"}))
    world = Links("localhost", 8042, Origin("https", "race.example", 443))
    assert world.shared == "https://race.example"
    assert Links("::1", 8042, None).first == "http://[::1]:8042"


def test_the_code_in_the_terminal_is_the_link(tmp_path: Path) -> None:
    import segno

    link = "http://192.168.178.20:8042"
    lines = [re.sub(r"\x1b\[[0-9;]*m", "", line) for line in qr_code(link).splitlines()]
    rows = [[block in blocks for block in line] for line in lines for blocks in ("▀█", "▄█")]
    expected = [[bool(module) for module in row] for row in segno.make(link, error="m", micro=False).matrix]
    inner = [row[QUIET_ZONE:-QUIET_ZONE] for row in rows[QUIET_ZONE:]][: len(expected)]
    assert inner == expected
    assert not any(rows[0] + rows[1] + rows[-1])
    assert all(line.startswith("\x1b[38;2;0;0;0;48;2;255;255;255m") for line in qr_code(link).splitlines())


# ---------------------------------------------------------------------- programs


def test_the_bot_of_the_examples_joins_by_link_and_races_to_the_end(tmp_path: Path) -> None:
    with as_typed(tmp_path / "a.db") as server:
        laid = server.lay({"kind": "friend"}, {"driver": "festina"}, {"driver": "scorpus"})
        link = f"{server.url}{laid['invitation']}"
        bot = [sys.executable, str(ROOT / "examples" / "bot.py"), link]
        with subprocess.Popen(bot, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as racing:
            assert racing.stdout is not None
            assert "takes a seat" in racing.stdout.readline()
            begin = server.command(laid, do="begin", id="go", at=server.table(laid)["changed"])
            assert begin.status_code == 200
            told, problems = racing.communicate(timeout=120)
        assert (racing.returncode, problems) == (0, "")
        assert "plays" in told
        assert server.table(laid)["phase"] == "over"


def test_the_bot_has_thirty_lines() -> None:
    code = (ROOT / "examples" / "bot.py").read_text(encoding="utf-8").split('"""', 2)[2]
    assert len([line for line in code.splitlines() if line.strip() and '"""' not in line]) <= 30


# ---------------------------------------------------------------------- every endpoint, every kind of input


def without_pairs(schema: Any) -> Any:
    """The document with pairs as lists of either: schemathesis stumbles over `prefixItems` in answers."""
    if isinstance(schema, list):
        return [without_pairs(part) for part in schema]
    if not isinstance(schema, dict):
        return schema
    plain = {key: without_pairs(part) for key, part in schema.items() if key != "prefixItems"}
    return plain | ({"items": {"anyOf": without_pairs(schema["prefixItems"])}} if "prefixItems" in schema else {})


api = schemathesis.openapi.from_dict(without_pairs(document()))
SOUND = [
    checks.not_a_server_error,
    checks.status_code_conformance,
    checks.content_type_conformance,
    checks.response_schema_conformance,
]


@pytest.fixture(scope="module")
def anybodys(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[ServerClient, dict[str, Any]]]:
    """A server, and a table there."""
    with in_a_thread(tmp_path_factory.mktemp("anybodys") / "tables.db") as server:
        yield server, server.lay({"kind": "here"}, {"kind": "friend"}, {"driver": "greedy"}, open=True)


@pytest.mark.parametrize("name", [operation.name for operation in OPERATIONS])
def test_no_input_breaks_an_endpoint(name: str, anybodys: tuple[ServerClient, dict[str, Any]]) -> None:
    server, laid = anybodys
    operation = api.find_operation_by_id(name)
    told = operation.definition.raw
    cases = operation.as_strategy(generation_mode=GenerationMode.POSITIVE)
    if told["parameters"] or "requestBody" in told:
        cases |= operation.as_strategy(generation_mode=GenerationMode.NEGATIVE)

    @settings(
        max_examples=20,
        deadline=None,
        derandomize=True,
        database=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(cases)
    def ask(case: schemathesis.Case[Any]) -> None:
        case.call_and_validate(base_url=server.url, checks=[*SOUND, checks.negative_data_rejection])
        if "table" in case.path_parameters:  # and the same at a table that there is, by its host
            case.path_parameters["table"] = laid["table"]
            key = {"Authorization": f"Bearer {laid['token']}"}
            case.call_and_validate(base_url=server.url, headers=key, checks=SOUND)

    ask()
