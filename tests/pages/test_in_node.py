"""What the page reckons without drawing anything: its modules in Node, with no browser and no server."""

from __future__ import annotations

import json
from typing import Any

import msgspec
import pytest

from avecaesar.records import Record
from avecaesar.server.content import poster
from avecaesar.server.content.replay import film_of
from avecaesar.server.wire.decoding import LARGEST_UPLOAD
from avecaesar.speech import LANGUAGES
from avecaesar.table import Setup, Table, seats_for
from avecaesar.telling.chronicle import chronicle_of
from in_node import Node


@pytest.fixture(scope="module")
def raced() -> Record:
    table = Table(Setup(seats_for(["greedy", "greedy", "festina"]), seed=7))
    while not table.over:
        table.play(table.computers_move())
    return table.record()


def as_sent(shape: Any) -> Any:
    return json.loads(msgspec.json.encode(shape))


# ---------------------------------------------------------------------- what a race was

# Whether a finish was close, of two chariots out of three that came home so many turns apart.
CLOSE = """async (apart) => {
  const { closeFinish } = await import("/static/table/facts.js");
  const stands = (arrival) => (arrival ? { arrival, status: "home" } : { arrival, status: "racing" });
  const chariot = (arrival) => ({ ...stands(arrival), disqualified: false, space: 1, to_go: 30 });
  const race = { over: false, chariots: [chariot(1), chariot(2), chariot(null)] };
  const turn = (chariot, home = false) => ({ kind: "turn", chariot, home, missed: false, way: [] });
  const between = Array.from({ length: apart - 1 }, () => turn(2));
  return closeFinish(race, [turn(0, true), ...between, turn(1, true)], 1) !== null;
}"""
WENT = """async (lines) => {
  const { wentFor, roundsAfter } = await import("/static/table/facts.js");
  const story = lines.map(([chariot, what]) => ({ kind: "turn", chariot, [what]: true }));
  return [wentFor(story, 0), roundsAfter(story, 1, 0)];
}"""
CHRONICLE = """async (chronicle) => {
  const { corners, ranked, spread } = await import("/static/race/chronicle.js");
  return {
    corners: chronicle.chariots.map((chariot) => corners(chariot)),
    ranked: ranked(chronicle).map((chariot) => chariot.name),
    spread: [[10, 200, 205], [470, 480, 490], []].map((wanted) => spread(wanted, 30, 500)),
  };
}"""


def test_a_photo_is_taken_only_of_a_close_finish(node: Node) -> None:
    assert [node.evaluate(CLOSE, apart) for apart in (1, 2, 3, 9)] == [True, True, False, False]


def test_how_a_race_went_is_read_from_what_was_told(node: Node) -> None:
    told = [(0, "paid"), (1, "missed"), (0, "missed"), (1, "paid"), (0, "home"), (1, "way"), (1, "home")]
    went, rounds = node.evaluate(WENT, told)
    assert went == {"missed": 1, "home": 4, "paid": 0}
    assert rounds == 1


def test_the_page_draws_the_chart_as_the_poster_does(node: Node, raced: Record) -> None:
    chronicle = chronicle_of(raced, 0, looks=300, second_look=40)
    found = node.evaluate(CHRONICLE, as_sent(chronicle))
    assert found["corners"] == [[list(corner) for corner in poster.corners(one)] for one in chronicle.chariots]
    assert found["ranked"] == [one.name for one in poster._ranked(chronicle)]
    rows: list[list[int]] = [[10, 200, 205], [470, 480, 490], []]
    assert found["spread"] == [poster.spread(wanted, 30, 500) for wanted in rows]


def test_a_film_is_unrolled_to_whole_scenes(node: Node, raced: Record) -> None:
    film = as_sent(film_of(raced, 0))
    unroll = "async (film) => (await import('/static/replay/reel.js')).unroll(film)"
    scenes, known = node.evaluate(unroll, film), dict[str, Any]()
    for scene, whole in zip(film["scenes"], scenes, strict=True):
        known |= scene["chariots"]
        assert whole["all"] == [known[str(i)] for i in range(3)]
        assert whole.get("words") == scene.get("words")


def test_what_happens_to_a_chariot_at_a_scene_is_what_the_film_tells(node: Node, raced: Record) -> None:
    film = as_sent(film_of(raced, 0))
    happened = """async ([film, scenes]) => {
      const { happenedTo } = await import("/static/replay/reel.js");
      return Array.from({ length: scenes }, (_, scene) => [0, 1, 2].map((chariot) => happenedTo(chariot, film, scene)));
    }"""
    found = node.evaluate(happened, [film, len(film["scenes"])])
    told = [
        (scene, kind, chariot)
        for scene, everybody in enumerate(found)
        for chariot, kinds in enumerate(everybody)
        for kind in kinds
    ]
    moments = [(moment["scene"], moment["kind"], moment["chariot"]) for moment in film["moments"]]
    assert sorted(told) == sorted(moments)
    assert {"pays", "leads", "home"} <= {kind for _, kind, _ in told}


# ---------------------------------------------------------------------- ways over the board

CURVED = """async (points) => (await import("/static/board/motion.js")).curve(points)"""


def test_a_way_is_a_smooth_curve_through_its_spaces(node: Node) -> None:
    points = [{"x": 0, "y": 0}, {"x": 60, "y": 0}, {"x": 120, "y": 60}]
    assert node.evaluate(CURVED, points[:1]) == "M0 0"
    assert node.evaluate(CURVED, points) == "M0 0C10.0 0.0 40.0 -10.0 60 0C80.0 10.0 110.0 50.0 120 60"
    assert node.evaluate(CURVED, []) == ""


# ---------------------------------------------------------------------- a table

# A session whose line is ours: `does` is what is done with it, `sent` what it has sent.
SESSION = """async (messages) => {
  const sent = [];
  let line = null;
  globalThis.WebSocket = class {
    static OPEN = 1;
    readyState = 1;
    constructor() { line = this; }
    send(text) { sent.push(JSON.parse(text)); }
    close() {}
  };
  const { Session } = await import("/static/table/session.js");
  const session = new Session("T");
  const hear = (message) => line.onmessage({ data: JSON.stringify(message) });
  line.onopen();
  try {
    return await (DOES)(session, hear, messages, sent);
  } finally {
    session.close();
  }
}"""


def at_a_table(node: Node, does: str, *messages: dict[str, Any]) -> Any:
    return node.evaluate(SESSION.replace("DOES", does), messages)


def offer(card: int, to: int | str | None) -> dict[str, Any]:
    move = {"kind": "miss", "exchange": card} if to is None else {"kind": "play", "card": card, "to": to}
    return {"move": move, "card": card, "to": to, "way": [], "pays": False, "risk": "none"}


def told(number: int = 5, kind: str = "whole", **question: Any) -> dict[str, Any]:
    """A table whose only person is asked for a card: 1 leads to spaces 7 and 8, 2 to space 8; the 6 is in the way."""
    asked = {
        "asks": "turn", "since": 5, "chariot": 0, "offers": [offer(1, 7), offer(1, 8), offer(2, 8)],
        "refused": [{"card": 6, "words": "No.", "clause": "MOV-3", "blockers": [2]}], "culprits": [], **question,
    }  # fmt: skip
    stand: list[dict[str, Any]] = [{"seat": 0, "space": 6}, {"seat": 1, "space": 9}, {"seat": None, "space": 12}]
    chariots = [{**one, "unseen": [4] * 6, "piles": []} for one in stand]
    table = {
        "table": "T", "game": 0, "number": number, "changed": number, "eyes": 0, "yours": [0], "host": True, "now": 0.0,
        "paused": False, "phase": "racing", "plan": {"lesson": False}, "seats": [],
        "race": {"index": 0, "chariots": chariots, "over": False, "asks": "turn", "turn_number": 9},
        "question": asked, "hands": [], "sealed": None, "shaken": True, "shares": [], "shared_by": [],
        "shared_left": [],
    }  # fmt: skip
    return {"is": kind, "table": table, "story": [{"kind": "turn", "chariot": 1, "way": [9]}]}


def test_the_chariots_in_the_way_are_those_that_the_server_names(node: Node) -> None:
    blockers = """(session, hear, [message]) => {
      hear(message);
      const seen = [session.blockers.value];
      session.peeked.value = 6;
      seen.push(session.blockers.value);
      session.peeked.value = null;
      session.chooseCard(6);
      seen.push(session.blockers.value);
      return seen;
    }"""
    assert at_a_table(node, blockers, told()) == [[], [2], [2]]
    stuck = told(offers=[offer(6, None)], culprits=[1, 2])
    assert at_a_table(node, blockers, stuck)[0] == [1, 2]


def test_a_card_and_a_space_are_a_move_in_either_order(node: Node) -> None:
    choose = """async (session, hear, [message], sent) => {
      hear(message);
      const seen = [];
      const look = () => seen.push([session.card.value, session.to.value, session.chosen.value?.move ?? null]);
      session.chooseCard(1);
      look();
      session.chooseSpace(8);
      look();
      session.clear();
      session.chooseSpace(8);
      look();
      session.chooseCard(2);
      look();
      void session.play();
      return [seen, sent.map(({ id, ...command }) => command)];
    }"""
    seen, sent = at_a_table(node, choose, told())
    assert seen == [
        [1, None, None],
        [1, 8, {"kind": "play", "card": 1, "to": 8}],
        [None, 8, None],
        [2, 8, {"kind": "play", "card": 2, "to": 8}],
    ]
    assert sent == [{"do": "move", "at": 5, "seat": 0, "move": {"kind": "play", "card": 2, "to": 8}}]


def test_news_are_shown_when_their_chariots_have_arrived_and_nothing_is_asked_before(node: Node) -> None:
    drive = """(session, hear, [whole, first, second]) => {
      const driven = [];
      session.driveOn({ drive: (told) => driven.push(told.table.number), forget: () => driven.push("forgotten") });
      const now = () => [session.shown.value.number, session.running.value, session.question.value !== null];
      hear(whole);
      const seen = [now()];
      hear(first);
      hear(second);
      seen.push(now());
      session.arrived();
      seen.push(now());
      session.arrived();
      seen.push(now());
      hear(first);
      hear({ ...whole, table: { ...whole.table, number: 9 } });
      seen.push(now());
      return [seen, driven];
    }"""
    seen, driven = at_a_table(node, drive, told(), told(6, "news"), told(7, "news"))
    assert seen == [[5, False, True], [5, True, False], [6, True, False], [7, False, True], [9, False, True]]
    assert driven == ["forgotten", 6, 7, 6, "forgotten"]


def test_what_was_decided_is_not_asked_again_before_the_server_has_told_of_it(node: Node) -> None:
    decide = """async (session, hear, [whole, next], sent) => {
      hear(whole);
      session.chooseCard(2);
      const decided = session.play();
      hear({ is: "done", id: sent[0].id, number: 6 });
      await decided;
      const seen = [session.question.value !== null];
      hear(next);
      return [...seen, session.question.value !== null];
    }"""
    assert at_a_table(node, decide, told(), told(6, "news", since=6)) == [False, True]


# ---------------------------------------------------------------------- what the server says as well

SPOKEN = """async () => Object.entries((await import("/static/lib/words.js")).LANGUAGES)"""
TAKEN = """async () => (await import("/static/lib/upload.js")).LARGEST_UPLOAD"""


def test_page_and_server_speak_the_same_languages(node: Node) -> None:
    assert node.evaluate(SPOKEN) == [[code, name] for code, name in LANGUAGES.items()]


def test_the_page_refuses_no_file_that_the_server_takes_and_reads_none_that_it_refuses(node: Node) -> None:
    assert node.evaluate(TAKEN) == LARGEST_UPLOAD
