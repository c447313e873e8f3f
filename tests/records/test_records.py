"""Records: what is written down can be read, refereed and converted, a thousand races of every kind."""

from __future__ import annotations

import json
import random
from collections import Counter
from typing import Any

import jsonschema  # type: ignore[import-untyped]
import msgspec
import pytest

from avecaesar.courses import boards, load_course
from avecaesar.game import COLOURS, Play, Race, Vote
from avecaesar.records import (
    Crew,
    RecordedTurn,
    RecordError,
    from_json,
    from_text,
    nearest_editions,
    record_of,
    referee,
    rules_of,
    schema,
    to_json,
    to_text,
)
from avecaesar.rules import EDITIONS, edition, offered
from lockstep import COURSES
from recordings import as_json, crews_of, plain_record, record_for, rules_for

RECORDS, CHUNK = 1000, 50


# ---------------------------------------------------------------------- a thousand records


@pytest.mark.parametrize("first", range(0, RECORDS, CHUNK))
def test_recorded_races_verify_and_round_trip_in_json_and_text(first: int) -> None:
    validator = jsonschema.Draft202012Validator(schema())
    for seed in range(first, first + CHUNK):
        record = record_for(seed)
        data = to_json(record)
        assert from_json(data) == record, seed
        assert from_text(to_text(record).encode()) == record, seed
        races = referee(record)
        again = record_of(
            races, [[Crew(c.colour, c.driver) for c in race.chariots] for race in record.races], record.edition
        )
        assert to_json(again) == data, seed
        if seed % 10 == 0:
            validator.validate(json.loads(data))


@pytest.mark.long
def test_the_thousand_go_through_everything_that_can_be_played() -> None:
    met = {name: {getattr(rules_for(random.Random(seed)), name) for seed in range(RECORDS)} for name in offered()}
    for name, option in offered().items():
        assert set(option.values) <= met[name], name
    seen: Counter[str] = Counter()
    for seed in range(300):
        record = record_for(seed)
        rules = rules_of(record)
        seen["tournaments"] += len(record.races) > 1
        seen["tournaments with riderless chariots"] += len(record.races) > 1 and record.races[0].chariots[0].riderless
        seen["boards of others"] += record.boards[0].source is not msgspec.UNSET
        for race in record.races:
            seen[f"{race.course} {race.direction}"] += 1
            seen[f"{len(race.chariots)} chariots"] += 1
            seen[f"{rules.chariots_each} chariots each"] += 1
            seen[f"{sum(chariot.riderless for chariot in race.chariots)} riderless, {rules.riderless}"] += 1
            seen["disqualified"] += len(race.disqualified)
            for choice in race.choices or ():
                seen["no choice" if choice is None else choice.deck] += 1
            for turn in race.turns:
                seen[kind_of(turn)] += 1
                seen["home"] += turn.to == "home"
    reasons = {f"{why} {what}" for why in ("blocked", "barred", "waiting") for what in ("exchange", "keep")}
    kinds = {"play", "crash", "withdraw", "draw", "lay", "play by 0 votes", "play by 1 votes", "play by 3 votes"}
    choices = {"slow", "average", "fast", "no choice"}
    riderless = {f"{n} riderless, {kind}" for n in (1, 3, 5) for kind in ("extra", "fill", "fill_no_tribute")}
    assert set(seen) >= reasons | kinds | choices | riderless | {f"{n} chariots" for n in range(1, 7)}
    assert set(seen) >= {f"{course} {direction}" for course, direction in COURSES}
    assert set(seen) >= {f"{n} chariots each" for n in (1, 2, 3)}
    assert min(seen["tournaments with riderless chariots"], seen["boards of others"], seen["home"]) > 0
    assert min(seen["tournaments"], seen["disqualified"]) > 0


def kind_of(turn: RecordedTurn) -> str:
    if turn.votes is not msgspec.UNSET:
        return f"play by {len(turn.votes)} votes"
    if turn.miss is not msgspec.UNSET:
        return f"{turn.miss} {'exchange' if turn.exchange else 'keep'}"
    kinds = ("play", "crash", "withdraw", "draw", "lay")
    return next(key for key in kinds if getattr(turn, key) is not msgspec.UNSET)


def test_a_race_that_breaks_off_is_a_record_too() -> None:
    race = Race("white", 3, seed=2)
    for _ in range(40):
        race.play(race.legal_moves[0])
    record = record_of([race], [[Crew(colour, "human") for colour in COLOURS[:3]]], "ravensburger")
    (again,) = referee(record, unfinished=True)
    assert again.history == race.history
    assert again.view(0) == race.view(0)
    assert from_text(to_text(record).encode()) == record
    with pytest.raises(RecordError, match=r"^race 1: it breaks off after turn 40, and it is \w+'s turn$"):
        referee(record)


def test_before_everybody_has_sorted_only_the_deal_can_tell_what_comes() -> None:
    race = Race("white", 3, edition="ausgebremst", seed=2)
    unsorted: set[str] = set()
    while race.asks in ("deck", "sort"):
        record = record_of([race], crews_of([race], "human"), "ausgebremst")
        assert from_json(to_json(record)) == from_text(to_text(record).encode()) == record
        (again,) = referee(record, unfinished=True, deal=race.deal, memory_aid=False)
        assert (again.history, again.turn, again.memory_aid) == (race.history, race.turn, False)
        with pytest.raises(RecordError, match=r"race 1: .* has sorted no deck, and so the cards cannot be dealt"):
            referee(record, unfinished=True)
        with pytest.raises(RecordError, match=r"race 1: it breaks off after turn 0, and it is .*'s turn"):
            referee(record, deal=race.deal)
        unsorted |= {str(choice.deck) for choice in record.races[0].choices or () if choice and not choice.piles}
        race.play(race.legal_moves[-1])
    assert unsorted == {"fast"}
    record = record_of([race], crews_of([race], "human"), "ausgebremst")
    (again,) = referee(record, unfinished=True)
    assert again.view(again.turn) == race.view(race.turn)


def test_votes_stand_in_the_turn_that_they_decide() -> None:
    race = Race("white", ["Livia", "Marcus", "Titus"], edition="thibault", options={"riderless_moves": "vote"}, seed=2)

    def turns() -> list[Any]:
        recorded = record_of([race], crews_of([race], "human"), "thibault")
        assert referee(recorded, unfinished=True)[0].turn == (race.turn if race.asks != "vote" else 1)
        return list(json.loads(to_json(recorded))["races"][0]["turns"])

    assert race.asks == "vote"
    vote = race.legal_moves[0]
    assert isinstance(vote, Vote)
    assert isinstance(vote.play, Play)
    for cast in (vote, Vote(), vote):
        assert turns() == []
        race.play(cast)
    race.play(race.legal_moves[0])
    play = {"play": vote.play.card, "to": vote.play.to}
    assert turns() == [{"chariot": 0, "votes": {"Livia": play, "Titus": play}, **play}]


def test_only_the_last_race_may_break_off() -> None:
    raw = plain_record()
    del raw["races"][1]["turns"][-3:]
    with pytest.raises(RecordError, match="race 2: it breaks off"):
        referee(from_json(as_json(raw)), unfinished=True)


def test_the_json_is_laid_out_as_published() -> None:
    raw = plain_record()
    assert list(raw) == ["format", "version", "edition", "rules", "boards", "races"]
    assert list(raw["rules"]) == list(offered())
    assert raw["rules"]["laurels"] == [6, 4, 3, 2, 1, 0]
    assert raw["boards"] == [{"name": "A", "sha256": boards()[0].sha256}]
    race = raw["races"][0]
    assert list(race) == ["course", "direction", "chariots", "decks", "turns", "arrivals", "disqualified", "laurels"]
    assert list(race["chariots"][0]) == ["name", "colour", "driver", "riderless"]
    assert {tuple(turn) for turn in race["turns"]} == {("chariot", "play", "to"), ("chariot", "miss", "exchange")}
    assert any(turn.get("exchange", 0) is None for race in plain_record("pro-ludo")["races"] for turn in race["turns"])


def test_the_json_of_piles_and_riderless_chariots_is_laid_out_as_published() -> None:
    race = plain_record("ausgebremst", side="B")["races"][0]
    assert list(race)[3:6] == ["decks", "choices", "turns"]
    assert [chariot["riderless"] for chariot in race["chariots"]] == [True, True, True, False, False, False]
    assert {chariot["driver"] for chariot in race["chariots"]} == {"riderless", "human"}
    assert race["choices"][:3] == [None, None, None]
    for choice, deck in zip(race["choices"][3:], race["decks"][3:], strict=True):
        assert list(choice) == ["deck", "piles", "emperor"]
        assert choice["emperor"] == [4, 3]
        assert [card for pile in [*choice["piles"], choice["emperor"]] for card in pile] == deck
        assert sum(deck) == 84
    assert [turn["chariot"] for turn in race["turns"][:6]] == [3, 3, 4, 4, 5, 5]
    assert all(list(turn) == ["chariot", "draw"] for turn in race["turns"][:6])
    assert next(turn for turn in race["turns"] if "lay" in turn).keys() == {"chariot", "lay", "pile"}
    piles = plain_record("ausgebremst", options={"decks": "standard", "emperor_cards": "none"})["races"][0]["choices"]
    assert [choice and (choice["deck"], choice["emperor"]) for choice in piles] == [None, *[("slow", [])] * 3]
    votes = plain_record("thibault", options={"riderless_moves": "vote"})["races"][0]["turns"]
    assert ("chariot", "votes", "play", "to") in {tuple(turn) for turn in votes}


# ---------------------------------------------------------------------- the edition's name


def test_a_record_names_the_edition_asked_for_or_the_nearest() -> None:
    def name(asked: str, **options: object) -> str:
        race = Race("white", 1, edition=asked, options=options, seed=1)
        return str(record_of([race], crews_of([race], "human"), asked).edition)

    for asked in EDITIONS:
        assert name(asked) == asked
        assert name(asked, crash="yes", first_six="barred") == asked
    assert nearest_editions(edition("pro-ludo").with_options({"schedule": "by_table"})) == ("ravensburger", "pro-ludo")
    assert name("thibault", riderless="none") == "thibault"
    assert name("thibault", riderless="extra") == "ravensburger"
    assert name("fiche", missed_turn="keep", schedule="both_sides", tied_exception="if_cutting",
                first_grid="high_card", next_grid="last_then_seats") == "pro-ludo"  # fmt: skip


# ---------------------------------------------------------------------- what a record is of


def test_the_course_of_a_record_is_the_course_itself() -> None:
    (race,) = referee(record_for(0))
    assert race.course is load_course(race.course.name, race.course.direction)
