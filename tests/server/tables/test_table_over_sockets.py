"""What people at a table do together, over real sockets: they choose decks at once, and race again when all want to."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from websockets.sync.client import ClientConnection

from servers import hear, serving, tell


class Person:
    """Somebody at his own screen."""

    def __init__(self, socket: ClientConnection, life: str) -> None:
        self.socket, self.life = socket, life
        self.table: dict[str, Any] = {}
        self.story: list[dict[str, Any]] = []
        self.commands = 0
        self.listen()

    def listen(self) -> None:
        message = hear(self.socket, "whole", "news")
        self.table, self.story = message["table"], self.story + message["story"]

    def until(self, true: Any) -> None:
        """Listen until the table is so."""
        while not true(self.table):
            self.listen()

    def do(self, do: str, **more: Any) -> dict[str, Any]:
        """Give a command, and listen until it is seen."""
        self.commands += 1
        tell(self.socket, do=do, id=f"{self.life}-{self.commands}", **more)
        while (message := hear(self.socket))["is"] not in ("done", "refused"):
            self.table, self.story = message["table"], self.story + message["story"]
        if message["is"] == "done":
            self.until(lambda table: table["number"] >= message["number"])
        return message

    def begin(self) -> dict[str, Any]:
        return self.do("begin", at=self.table["changed"])

    def choose(self) -> dict[str, Any]:
        """Do what suggests itself."""
        move = self.table["question"]["offers"][0]["move"]
        return self.do("move", at=self.table["changed"], seat=self.table["eyes"], move=move)


def race(one: Person, two: Person) -> None:
    """Drive to the end of the race, whoever is asked."""
    while one.table["phase"] == "racing":
        for person in (one, two):
            person.until(lambda table: table["number"] >= max(one.table["number"], two.table["number"]))
        asked = next((person for person in (one, two) if person.table["question"]), None)
        if asked is None:
            one.until(lambda table: table["question"] or table["phase"] != "racing" or on_turn(table) == 1)
            continue
        assert asked.choose()["is"] == "done"
    two.until(lambda table: table["phase"] != "racing")


def on_turn(table: dict[str, Any]) -> int | None:
    race = table["race"]
    return None if race["turn"] is None else race["chariots"][race["turn"]]["seat"]


def test_friends_choose_their_decks_at_once_and_race_again_when_both_want_to(tmp_path: Path) -> None:
    with serving(tmp_path) as server:
        livia, marcus = server.visitor(), server.visitor()
        rules = {"race_ends": "first_home", "riderless": "none"}
        laid = livia.lay(["here", "friend"], edition="ausgebremst", options=rules, pace=0)
        marcus.sit(laid["invitation"])
        table = laid["table"]
        with livia.socket(table) as first, marcus.socket(table) as second:
            one, two = Person(first, "first"), Person(second, "first")
            assert one.begin()["is"] == "done"
            for asks in ("deck", "sort"):
                choose_at_once(one, two, asks)
            race(one, two)
            assert one.table["ready"]["waits"] == [0, 1]
            assert two.begin()["is"] == "done"
            one.until(lambda table: table["ready"]["ready"] == [1])
            assert one.story[-1]["words"] == f"{one.table['seats'][1]['name']} is ready for the next race."
            assert two.begin()["problem"] == f"the race waits for {one.table['seats'][0]['name']}"
        server.restart()  # what was said is kept
        with livia.socket(table) as first, marcus.socket(table) as second:
            one, two = Person(first, "second"), Person(second, "second")
            one.until(lambda table: table["ready"]["ready"] == [1])  # once he is here again
            assert one.table["ready"]["begins"]
            assert one.begin()["is"] == "done"
            two.until(lambda table: table["phase"] == "racing" and table["game"] == 1)


def choose_at_once(one: Person, two: Person, asks: str) -> None:
    """Who is not on turn chooses first."""
    for person in (one, two):
        person.until(lambda table: table["question"] and table["question"]["asks"] == asks)
    early = one if one.table["question"]["ahead"] else two
    late = two if early is one else one
    assert early.choose()["is"] == "done"
    early.until(lambda table: table["question"] is None)
    late.until(lambda table: [seat["chosen"] for seat in table["seats"]].count(True) == 1)
    assert late.choose()["is"] == "done"
