"""What a program can do over HTTP: boards and records of its own, the menu, the manual."""

from __future__ import annotations

import json
import re

import pytest
from starlette.routing import Route

from avecaesar.rules import EDITIONS, offered
from avecaesar.server.http.openapi import document, page
from avecaesar.server.http.routes import OPERATIONS
from avecaesar.server.workers.budgets import allowed_driver
from checkout import BOARDS
from servers import ServerClient, hear

BOARD = (BOARDS / "plain.board").read_text(encoding="utf-8")


# ---------------------------------------------------------------------- boards and records


def test_a_board_of_ones_own_is_checked_kept_drawn_and_raced_on(served: ServerClient) -> None:
    answer = served.client.post("/api/boards", content=BOARD, headers={"Content-Type": "text/plain"})
    assert answer.status_code == 201
    kept = answer.json()
    course = kept["courses"][0]["name"]
    drawn = served.client.get(f"/api/courses/{course}/anticlockwise", params={"board": kept["board"]})
    assert drawn.json()["board"] == kept["board"]
    assert served.client.get(drawn.json()["picture"]).text.startswith("<svg")
    laid = served.lay(course=course, board=kept["board"])
    assert served.table(laid)["plan"]["course"] == course
    check = {"seats": [{}, {}], "course": "nowhere", "board": kept["board"]}
    assert "no course 'nowhere'" in served.client.post("/api/check", json=check).json()["problem"]


@pytest.mark.parametrize("text", ["", "board", BOARD.replace("alley", "lane", 1), "\0", "é" * 1000, BOARD[:300]])
def test_a_bad_board_is_refused_with_what_is_wrong(served: ServerClient, text: str) -> None:
    answer = served.client.post("/api/boards", content=text.encode(), headers={"Content-Type": "text/plain"})
    assert answer.status_code == 400
    assert answer.json()["problem"]


def test_a_race_is_downloaded_uploaded_and_replayed(served: ServerClient) -> None:
    laid = served.lay({"driver": "greedy"}, {"driver": "random"})
    with served.socket(laid["table"], laid["token"]) as connection:
        served.command(laid, do="begin", id="go", at=served.table(laid)["changed"])
        while hear(connection)["table"]["phase"] != "over":
            pass
    record = served.client.get(f"/api/tables/{laid['table']}/record")
    assert record.headers["content-disposition"].startswith("attachment; filename=")
    text = served.client.get(f"/api/tables/{laid['table']}/record", params={"format": "text"})
    uploads = [
        served.client.post("/api/records", content=content, headers={"Content-Type": kind}).json()["replay"]
        for content, kind in ((record.content, "application/json"), (text.content, "text/plain"))
    ]
    assert uploads[0] == uploads[1]
    for replay in (uploads[0], f"{laid['table']}.0"):
        shown = served.client.get(f"/api/replays/{replay}").json()
        assert len(shown["races"]) == 1
        assert served.client.get(f"/api/replays/{replay}/races/0").json()["scenes"]
        assert served.client.get(f"/api/replays/{replay}/races/1").status_code == 404
        assert served.client.get(shown["download"]).content == record.content
    turned = record.content.replace(b'"driver":"greedy"', '"driver":"\u202eydeerg"'.encode())
    refused = served.client.post("/api/records", content=turned, headers={"Content-Type": "application/json"})
    assert "invisible or reversing characters" in refused.json()["problem"]
    forged = record.content.replace(b'"arrivals":[', b'"arrivals":[0,')
    refused = served.client.post("/api/records", content=forged, headers={"Content-Type": "application/json"})
    assert refused.status_code == 400


# ---------------------------------------------------------------------- the menu and the manual


def test_whatever_the_menu_offers_can_be_had(served: ServerClient) -> None:
    menu = served.client.get("/api/menu").json()
    assert [edition["name"] for edition in menu["editions"]] == list(EDITIONS)
    assert [option["name"] for option in menu["options"]] == list(offered())
    for edition in menu["editions"]:
        plan = {**menu["defaults"], "edition": edition["name"], "options": edition["rules"]}
        checked = served.client.post("/api/check", json=plan).json()
        assert (checked["problem"], checked["house_rules"]) == (None, [])
    for course in menu["courses"]:
        for direction in course["directions"]:
            plan = {**menu["defaults"], "course": course["name"], "direction": direction}
            assert served.client.post("/api/check", json=plan).json()["stages"] == [[course["name"], direction]]
    for driver in menu["drivers"]:
        assert allowed_driver(driver["name"]) == driver["name"]
    assert served.client.post("/api/tables", json=menu["defaults"]).status_code == 201


def test_everything_that_can_be_asked_is_in_the_manual(served: ServerClient) -> None:
    told = {(method.upper(), path) for path, methods in document()["paths"].items() for method in methods}
    routes = [route for route in served.app.router.routes if isinstance(route, Route)]
    there = {
        (method, route.path)
        for route in routes
        for method in route.methods or ()
        if route.path.startswith("/api/") and method != "HEAD"
    }
    assert there - told == {("GET", "/api/docs"), ("GET", "/api/openapi.json")}
    assert told <= there
    assert all(operation.description for operation in OPERATIONS)


def test_the_manual_is_a_plain_page(served: ServerClient) -> None:
    html = served.client.get("/api/docs").text
    assert html == page()
    assert "<script" not in html
    assert "style=" not in html
    for operation in OPERATIONS:
        assert f'id="{operation.name}"' in html
    names = set(re.findall(r'id="(\w+)"', html))
    assert set(re.findall(r'href="#(\w+)"', html)) <= names
    assert served.client.get("/static/css/manual.css").status_code == 200
    assert served.client.get("/api/openapi.json").json() == json.loads(json.dumps(document()))
