"""Films: a finished race scene by scene for the page, and records that come in from outside."""

from __future__ import annotations

import json
import pickle
import random
from collections.abc import Callable
from typing import Any

import msgspec
import pytest

from avecaesar.errors import BadInput
from avecaesar.game import ChooseDeck, Race, Sort, Tournament, Vote, new_secret, new_share
from avecaesar.game.sealed_chance import Lot
from avecaesar.records import Record, RecordError, from_json, record_of, referee, seal_of, to_json, to_text
from avecaesar.records.notation import _RaceWriter, notation_of
from avecaesar.rules import EDITIONS
from avecaesar.server.content.replay import Film, HandOpened, film_of, read_upload, replay_of
from avecaesar.server.wire.shown import ChariotShown
from avecaesar.table import Setup, Table, seats_for
from avecaesar.telling.scenes import scenes, votes_on
from raced import raced
from recordings import change, crews_of, plain_record, record_for, remove, run


def driven() -> Record:
    """A race in which most come home."""
    table = Table(Setup(seats_for(["greedy"] * 4), seed=7))
    while not table.over:
        table.play(table.computers_move())
    return table.record()


def shown_again(film: Film) -> list[tuple[list[ChariotShown], list[HandOpened]]]:
    """Every scene whole, as a page puts it together."""
    chariots: dict[int, ChariotShown] = {}
    hands: dict[int, HandOpened] = {}
    found = []
    for scene in film.scenes:
        chariots, hands = chariots | scene.chariots, hands | scene.hands
        found.append(([chariots[i] for i in range(len(chariots))], [hands[i] for i in range(len(hands))]))
    return found


def agrees(record: Record, k: int) -> None:
    """A film says what the record says and what the referee sees, scene by scene."""
    film, told, race = film_of(record, k), record.races[k], referee(record)[k]
    again = Race(
        race.course,
        chariots=[race.names[i] for i in race.driven],
        riderless=[race.names[i] for i in sorted(race.riderless)],
        rules=race.rules,
        decks=race.deal,
    )
    whole = shown_again(film)
    choices = len(film.scenes) - 1 - len(told.turns)
    written = [""] * choices + [
        _RaceWriter(1, told, race.course).turn(number, turn) for number, turn in enumerate(told.turns, 1)
    ]
    movers = [None] * choices + [turn.chariot for turn in told.turns]
    numbers = iter(range(len(film.scenes)))
    for move in [None, *(turn.made for turn in race.history)]:
        if move is not None:
            again.play(move)
            if isinstance(move, Vote):
                continue
        number = next(numbers)
        scene, (chariots, hands) = film.scenes[number], whole[number]
        view = again.view()
        assert [(c.name, c.space, c.lap, c.coin, c.status, c.place) for c in chariots] == [
            (c.name, c.space, c.lap, c.coin, c.status, c.place) for c in view.chariots
        ]
        assert [hand.cards for hand in hands] == [again.view(i).hand for i in again.grid]
        if number:
            assert scene.notation == written[number - 1]
            assert scene.mover == movers[number - 1] or number <= choices
            assert scene.words.startswith(told.chariots[scene.mover or 0].name)
        if scene.way and scene.mover is not None:
            assert scene.origin == whole[number - 1][0][scene.mover].space
            assert chariots[scene.mover].space in (scene.way[-1], None)
            assert not scene.home or chariots[scene.mover].status == "home"
    assert next(numbers, None) is None
    assert [(c.colour, c.seat is None) for c in whole[-1][0]] == [(c.colour, c.riderless) for c in told.chariots]
    assert film.arrivals == told.arrivals
    assert film.laurels == told.laurels
    arrived = [moment.chariot for moment in film.moments if moment.kind == "home"]
    assert arrived == [i for i in sorted(range(len(whole[-1][0])), key=lambda i: whole[-1][0][i].arrival or 0)
                       if whole[-1][0][i].arrival]  # fmt: skip


@pytest.mark.parametrize("edition", EDITIONS)
def test_a_film_agrees_with_its_record_in_every_edition(edition: str) -> None:
    agrees(raced(edition), 0)


@pytest.mark.parametrize("seed", range(12))
def test_a_film_agrees_with_its_record_whatever_the_rules(seed: int) -> None:
    record = record_for(seed)
    for k in range(len(record.races)):
        agrees(record, k)


def test_votes_and_teams_are_in_the_film() -> None:
    record = raced("ravensburger", drivers=2, riderless="extra", riderless_count=2, riderless_moves="vote")
    agrees(record, 0)
    assert any("{" in scene.notation for scene in film_of(record, 0).scenes)
    agrees(raced("ravensburger", drivers=2, chariots_each=2), 0)


@pytest.mark.parametrize("edition", EDITIONS)
def test_while_a_race_is_on_its_notation_says_only_what_everybody_may_know(edition: str) -> None:
    race = referee(raced(edition))[0]
    for scene in scenes(race)[1:-1]:
        notation = notation_of(scene.view.history[-1], race.course, votes_on(scene.view))
        if scene.mover in race.driven and notation[:1] in ("x", "-"):
            assert notation in ("x", "-")
        if type(scene.move) in (ChooseDeck, Sort):
            assert notation == ""


def test_the_moments_of_a_film_are_where_they_happen() -> None:
    film = film_of(driven(), 0)
    whole = shown_again(film)
    assert {"pays", "home", "leads"} <= {moment.kind for moment in film.moments}
    for moment in film.moments:
        before, after = (whole[number][0][moment.chariot] for number in (moment.scene - 1, moment.scene))
        match moment.kind:
            case "pays":
                assert before.coin
                assert not after.coin
            case "leads":
                assert after.leads
            case "disqualified":
                assert after.disqualified > before.disqualified
            case status:
                assert (before.status, after.status) == ("racing", status)


def test_a_long_race_is_a_small_film() -> None:
    sizes = []
    for record in (raced("ravensburger", drivers=6), raced("ausgebremst")):
        film = film_of(record, 0)
        sizes.append(len(msgspec.json.encode(film)) / len(film.scenes))
    assert max(sizes) * 150 < 400_000


def test_films_travel_to_worker_processes_and_back() -> None:
    record = raced("ausgebremst")
    assert film_of(pickle.loads(pickle.dumps(record)), 0) == pickle.loads(pickle.dumps(film_of(record, 0)))


def test_there_is_no_film_of_a_race_that_is_not_there() -> None:
    with pytest.raises(RecordError, match="there is no race 2 in this record"):
        film_of(raced("fiche"), 1)


# ---------------------------------------------------------------------- replays


def test_a_replay_says_what_there_is_to_see() -> None:
    record = from_json(json.dumps(plain_record()).encode())
    shown = replay_of("abc.0", record)
    assert shown.title.startswith("3 races: ")
    assert shown.download == "/api/replays/abc.0/record"
    assert [(race.course, race.direction) for race in shown.races] == [(r.course, r.direction) for r in record.races]
    assert sum(rank.laurels for rank in shown.standings) == sum(sum(race.laurels) for race in record.races)
    assert not any(race.sealed for race in shown.races)
    for race, told in zip(shown.races, record.races, strict=True):
        assert race.turns == len(told.turns)
        assert [c.name for c in race.chariots] == [c.name for c in told.chariots]


# ---------------------------------------------------------------------- from outside


def test_both_notations_can_be_uploaded() -> None:
    record = raced("ausgebremst")
    assert read_upload(to_json(record)) == record
    assert read_upload(b"\xef\xbb\xbf\n" + json.dumps(json.loads(to_json(record)), indent=2).encode()) == record
    assert read_upload(to_text(record).encode()) == record


SPOILT: list[tuple[Callable[[dict[str, Any]], None], str]] = [
    (change("races", 0, "turns", 0, "play", to=7), "race 1, turn 1, play: expected `int` <= 6"),
    (change("races", 0, "laurels", to=[9, 9, 9]), "the laurels are"),
    (change("races", 0, "turns", to=lambda turns: turns[:-1]), "breaks off"),
    (change("races", 0, "turns", to=lambda turns: turns[1:]), "turn 1: it is"),
    (change("boards", 0, "sha256", to="0" * 64), "another version of board"),
    (remove("edition"), "the key 'edition' is missing"),
]


@pytest.mark.parametrize(("spoil", "problem"), SPOILT, ids=[problem for _, problem in SPOILT])
def test_what_the_referee_refuses_cannot_be_uploaded(spoil: Callable[[dict[str, Any]], None], problem: str) -> None:
    raw = plain_record()
    spoil(raw)
    with pytest.raises(RecordError) as refused:
        read_upload(json.dumps(raw).encode())
    assert problem in str(refused.value)


@pytest.mark.parametrize("body", [b"", b"[]", b"{", b"\xff\xfe", b"GIF89a", b"<html>", b"record 1", b"[" * 100_000])
def test_what_is_no_record_is_refused_in_a_sentence(body: bytes) -> None:
    with pytest.raises(BadInput) as refused:
        read_upload(body)
    assert "\n" not in str(refused.value)


def test_a_record_that_is_too_large_is_refused_unread() -> None:
    with pytest.raises(RecordError, match="larger than 4 MB"):
        read_upload(b" " * (4 * 2**20 + 1))


def sealed_record() -> Record:
    secret, shares = new_secret(), [new_share()]
    games = Tournament(["Livia", "Marcus", "Titus"])
    race = games.next_race(grid_source=Lot(secret, shares, "grid"), deal_source=Lot(secret, shares, "deal"))
    run(race, "careful", random.Random(1))
    return record_of(games.races, crews_of(games.races, "human"), "ravensburger", seals=[seal_of(secret, shares)])


def test_an_uploaded_record_never_has_the_mark_of_a_race_that_this_server_saw_sealed() -> None:
    """Its seal is sound, and can have been searched for when the race was over."""
    record = sealed_record()
    assert not replay_of("0" * 64, read_upload(to_json(record))).races[0].sealed


def test_a_broken_seal_is_refused() -> None:
    record = sealed_record()
    assert replay_of("table.0", record).races[0].sealed
    raw = json.loads(to_json(record))
    raw["races"][0]["seal"]["commitment"] = "0" * 64
    with pytest.raises(RecordError, match="the seal is broken"):
        read_upload(json.dumps(raw).encode())
