"""Chronicles: what a race was agrees with its record, counted again by hand; and the turn that decided it."""

from __future__ import annotations

import asyncio
import json
import pickle
import random
import re
from dataclasses import replace
from functools import cache
from itertools import accumulate, pairwise
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import msgspec
import pytest
from msgspec import UNSET, structs

from avecaesar.courses.drawing.ink import VERMILION, tag, words
from avecaesar.drivers import Searcher
from avecaesar.game import ChooseDeck, Draw, Lay, Miss, Play, Race, Sort, Vote
from avecaesar.records import Record, RecordError, from_json, record_of, referee, to_json
from avecaesar.rules import EDITIONS
from avecaesar.server.content import poster as posters
from avecaesar.server.content.annals import Annals, chronicle_key, written_chronicle
from avecaesar.server.content.poster import corners, poster
from avecaesar.server.store.database import Store
from avecaesar.speech import LANGUAGES, speaking
from avecaesar.table import Setup, Table, seats_for
from avecaesar.telling.chronicle import Chronicle, ChronicledMove, chronicle_of
from avecaesar.telling.chronicle_words import praise
from avecaesar.telling.liveries import livery_of
from avecaesar.telling.scenes import scenes
from recordings import crews_of, plain_record, record_for, run

FEW = {"looks": 300, "second_look": 40}


def raced(edition: str, seed: int = 3, drivers: int = 4, **options: object) -> Record:
    course = "yellow" if edition == "ausgebremst" else "white"
    race = Race(course, drivers, edition=edition, options=options, seed=seed)
    races = [run(race, "careful", random.Random(seed))]
    return record_of(races, crews_of(races, "chance"), edition)


def driven(*drivers: str, seed: int = 7, **options: str) -> Record:
    table = Table(Setup(seats_for(list(drivers)), seed=seed, options=options))
    while not table.over:
        table.play(table.computers_move())
    return table.record()


# ---------------------------------------------------------------------- figures


def agrees(record: Record, k: int) -> Chronicle:
    """Count everything again from the record alone, with nothing but the course's distances."""
    told, refereed = record.races[k], referee(record)[k]
    course, rules = refereed.course, refereed.rules
    chronicle = chronicle_of(record, k, **FEW)
    count = len(told.chariots)
    spaces: list[int] = [course.grid[i] for i in range(count)]
    crossings, remaining = [0] * count, [course.remaining[0][space] for space in spaces]
    ways = [[far] for far in remaining]
    missed: list[list[int]] = [[] for _ in range(count)]
    wasted, turn = [0] * count, 0
    for taken in told.turns:
        i = taken.chariot
        if taken.draw is not UNSET or taken.lay is not UNSET:
            continue
        turn += 1
        if taken.miss is not UNSET:
            missed[i].append(turn)
        if taken.play is not UNSET and taken.to == "home":
            remaining[i] = 0
        elif taken.play is not UNSET and isinstance(taken.to, int):
            crossings[i] += taken.to < spaces[i]
            spaces[i] = taken.to
            nearer = course.remaining[crossings[i]][taken.to]
            wasted[i] += taken.play - (remaining[i] - nearer)
            remaining[i] = nearer
            if turn == chronicle.chariots[i].paid and rules.tribute != "optional":
                wasted[i] -= course.alley_extra  # which is no waste
        for way, far in zip(ways, remaining, strict=True):
            way.append(far)
    assert [list(c.way) for c in chronicle.chariots] == ways
    assert [list(c.missed) for c in chronicle.chariots] == missed
    assert [c.wasted for c in chronicle.chariots] == wasted
    assert tuple(c.laurels for c in chronicle.chariots) == told.laurels
    assert [c.disqualified for c in chronicle.chariots] == [i in told.disqualified for i in range(count)]
    assert [(c.name, c.colour) for c in chronicle.chariots] == [(c.name, c.colour) for c in told.chariots]
    assert len(chronicle.scenes) == turn + 1
    return chronicle


def sees(record: Record, k: int, chronicle: Chronicle) -> None:
    """What is told of leads, coins and barred sixes is what the replay shows."""
    race = referee(record)[k]
    told = scenes(race)
    views = [told[scene].view for scene in chronicle.scenes]
    for i, chariot in enumerate(chronicle.chariots):
        assert chariot.led == sum(view.leaders == {i} for view in views[1:])
        if chariot.paid is not None:
            assert views[chariot.paid - 1].chariots[i].coin
        assert (chariot.paid is not None) == (views[0].chariots[i].coin > views[-1].chariots[i].coin)
        if chariot.ended is not None:
            assert views[chariot.ended - 1].chariots[i].status == "racing" != views[chariot.ended].chariots[i].status
        for turn in chariot.barred:
            before = told[chronicle.scenes[turn] - 1]
            assert 6 in before.hands[i].cards
            assert i in before.view.leaders
    for lead in chronicle.leads:
        assert views[lead.turn].leaders == {lead.chariot}


@pytest.mark.parametrize("edition", EDITIONS)
def test_figures_agree_with_the_record_in_every_edition(edition: str) -> None:
    record = raced(edition)
    sees(record, 0, agrees(record, 0))


@pytest.mark.parametrize("seed", range(8))
def test_figures_agree_with_the_record_whatever_the_rules(seed: int) -> None:
    record = record_for(seed)
    for k in range(len(record.races)):
        agrees(record, k)


def test_a_race_of_a_tournament_is_told_alone() -> None:
    record = from_json(json.dumps(plain_record()).encode())
    chronicle = agrees(record, 2)
    assert (chronicle.race, chronicle.of) == (2, 3)
    with pytest.raises(RecordError, match="there is no race 4"):
        chronicle_of(record, 3)


def test_the_margin_is_what_the_second_had_still_to_go() -> None:
    record = driven(*["greedy"] * 4)
    chronicle = chronicle_of(record, 0, **FEW)
    winner, second = (next(c for c in chronicle.chariots if c.place == place) for place in (1, 2))
    assert winner.ended is not None
    assert chronicle.margin == second.way[winner.ended] > 0
    assert winner.way[winner.ended] == 0


def test_jams_and_close_moments_are_what_they_are_called() -> None:
    chronicle = chronicle_of(driven(*["greedy"] * 4), 0, **FEW)
    assert chronicle.jam is not None
    stuck = chronicle.chariots[chronicle.jam.chariot]
    assert chronicle.jam.turn in stuck.missed
    assert stuck.missed.index(chronicle.jam.turn) + 1 >= chronicle.jam.turns > 1
    assert chronicle.close is not None
    ways = [chariot.way[chronicle.close.turn] for chariot in chronicle.chariots]
    assert max(ways) - min(ways) == chronicle.close.spaces


# ---------------------------------------------------------------------- what decided it


def test_a_chronicle_is_the_same_every_time() -> None:
    record = driven("festina", "scorpus", "greedy", seed=3)
    once = chronicle_of(record, 0, **FEW)
    assert once == chronicle_of(pickle.loads(pickle.dumps(record)), 0, **FEW)


def test_the_deciding_turn_is_weighed_from_its_drivers_own_view() -> None:
    record, decided = driven("random", "scorpus", seed=3), decided_chronicle().decided
    assert decided is not None
    race = referee(record)[0]
    again = Race(race.course, list(race.names), rules=race.rules, decks=race.deal)
    for turn in race.history[: decided.scene - 1]:
        again.play(turn.made)
    last = race.history[decided.scene - 1]
    assert again.turn == decided.chariot == last.chariot
    view = again.view(again.turn)
    only_wins = replace(view, rules=replace(view.rules, laurels=(1, 0, 0, 0, 0, 0)))
    considered = Searcher(1, playouts=400).consider(only_wins)
    worth = {one.move: round(one.laurels, 2) for one in considered}
    assert decided.chance == worth[last.made]
    assert isinstance(last.move, Play | Miss)
    card = last.move.card if isinstance(last.move, Play) else last.move.exchange
    assert (decided.played.card, decided.played.kind) == (card, type(last.move).__name__.lower())
    if decided.kind == "loss":
        assert decided.otherwise == round(considered[0].laurels, 2) > decided.chance
    else:
        assert decided.otherwise < decided.chance


def test_nothing_is_weighed_where_nothing_was_to_choose_or_could_not_be_compared() -> None:
    record = raced("ausgebremst")
    decided = chronicle_of(record, 0, **FEW).decided
    assert decided is None or decided.played.kind in ("play", "miss", "withdraw", "crash", "deck", "draw", "lay")
    history = [turn for turn in referee(record)[0].history if not isinstance(turn.move, Vote)]
    scene = chronicle_of(record, 0, **FEW).scenes[-1]
    assert scene == len(history)
    assert any(isinstance(turn.move, ChooseDeck | Sort | Draw | Lay) for turn in history)


# ---------------------------------------------------------------------- in words and as a picture


@cache
def decided_chronicle() -> Chronicle:
    """Of a race in which somebody drove at random, so that some turn cost him dear."""
    return chronicle_of(driven("random", "scorpus", seed=3), 0, looks=4000, second_look=400)


@pytest.mark.parametrize("edition", EDITIONS)
def test_every_race_has_a_headline_a_story_and_a_poster(edition: str) -> None:
    chronicle = chronicle_of(raced(edition), 0, **FEW)
    told = praise(chronicle)
    assert re.fullmatch(r"\S.* wins( by \d+ spaces?)?|Nobody comes home", told.headline)
    assert all(sentence.endswith(".") and "{" not in sentence for sentence in told.story)
    assert (told.decided is None) == (chronicle.decided is None)
    drawn = poster(chronicle, told)
    picture = ElementTree.fromstring(drawn)
    assert picture.attrib["viewBox"] == "0 0 1080 1350"
    written = " ".join(text for element in picture.iter() if (text := element.text))
    for chariot in chronicle.chariots:
        assert chariot.name in written
    assert "style=" not in drawn
    assert "<script" not in drawn


def test_marks_stand_on_their_lines_and_only_who_came_home_on_the_home_line() -> None:
    """Whoever pays may come no nearer by it, and who is out of cards may be a space from home."""
    told = decided_chronicle()
    home, out = sorted(told.chariots, key=lambda one: one.place or 9)
    assert home.status == "home"
    assert home.paid is not None
    stood = {home.paid: home.way[home.paid - 1]}
    home = structs.replace(home, way=tuple(stood.get(turn, spaces) for turn, spaces in enumerate(home.way)))
    out = structs.replace(
        out, way=(*out.way[:-1], 1), status="out of cards", ended=len(out.way) - 1, disqualified=False, missed=(5,)
    )
    chariots = (home, out) if told.chariots[0].name == home.name else (out, home)
    told = structs.replace(told, chariots=chariots)
    picture = ElementTree.fromstring(poster(told, praise(told)))
    parts = [{**part.attrib, "is": part.tag.rpartition("}")[2]} for part in picture.iter()]

    def line(colour: str) -> list[tuple[float, float]]:
        paint = livery_of(colour).paint
        drawn = next(p["d"] for p in parts if p.get("stroke") == paint and p.get("stroke-width") == "4.5")
        tenths = [round(float(number) * 10) for number in re.findall(r"-?[\d.]+", drawn)]  # steps, but for the first
        return [(x / 10, y / 10) for x, y in zip(accumulate(tenths[::2]), accumulate(tenths[1::2]), strict=True)]

    def discs(radius: str) -> set[tuple[float, float]]:
        found = {
            (float(p["cx"]), float(p["cy"]))
            for p in parts
            if p["is"] == "circle" and p.get("r") == radius and "cx" in p
        }
        return found - {(0, 0)}  # the legend's

    finish = next(p["d"] for p in parts if p.get("stroke") == VERMILION and p.get("stroke-width") == "4")
    level = float(re.findall(r"-?[\d.]+", finish)[1])
    came, left = line(home.colour), line(out.colour)
    assert len(discs("10")) == sum(one.paid is not None for one in told.chariots)
    assert discs("10") <= {*came, *left}
    assert discs("10") & {*came}
    assert discs("7.5") <= {*came, *left}
    assert discs("9") <= {*came, *left}
    assert discs("5.5") == {came[-1]}
    assert came[-1][1] == level
    assert left[-1][1] > level + 10
    x, y = left[-1]
    assert [p["d"] for p in parts if p.get("stroke-width") == "9" and f"M{x - 8:g} {y - 8:g}l" in p["d"]]


def test_shields_that_would_cover_each_other_stand_side_by_side() -> None:
    assert posters.spread([10, 200, 205], 30, 500) == [10, 200, 230]
    assert posters.spread([470, 480, 490], 30, 500) == [440, 470, 500]
    assert posters.spread([], 30, 500) == []


def test_who_drives_several_chariots_reads_what_they_earned_together() -> None:
    chronicle = chronicle_of(driven("scorpus", "scorpus", chariots_each="2"), 0, **FEW)
    told = praise(chronicle).teams
    assert re.fullmatch(r"Laurels of each player: \S.* and \S.* \d+; \S.* and \S.* \d+\.", told)
    assert sum(map(int, re.findall(r" (\d+)[;.]", told))) == sum(one.laurels for one in chronicle.chariots) > 0
    assert not praise(chronicle_of(raced("ravensburger"), 0, **FEW)).teams


def test_names_are_text_in_the_poster_and_never_markup() -> None:
    race = Race("white", ['<b>&"Livia"', "Marcus"], seed=1)
    races = [run(race, "careful", random.Random(1))]
    record = record_of(races, crews_of(races, "human"), "ravensburger")
    chronicle = chronicle_of(record, 0, **FEW)
    drawn = poster(chronicle, praise(chronicle))
    assert "<b>" not in drawn
    assert any(element.text == '<b>&"Livia"' for element in ElementTree.fromstring(drawn).iter())


@pytest.mark.parametrize("language", LANGUAGES)
def test_praise_and_poster_can_be_spoken_in_every_language(language: str) -> None:
    chronicle = decided_chronicle()
    with speaking(language):
        told = praise(chronicle)
        assert told.decided is not None
        assert not any("{" in text for text in (told.headline, *told.story, told.decided.played, told.decided.verdict))
        assert re.search(r"\b\d+\D?% .*\b\d+\D?%", told.decided.verdict)
        ElementTree.fromstring(poster(chronicle, told))


def test_two_spaces_of_one_lane_are_told_apart_without_their_names() -> None:
    chronicle = decided_chronicle()
    assert chronicle.decided is not None
    back, on = (
        ChronicledMove("play", 5, "S1a", None, "outside", "back"),
        ChronicledMove("play", 5, "S2a", None, "outside", "on"),
    )
    told = praise(structs.replace(chronicle, decided=structs.replace(chronicle.decided, played=on, other=back))).decided
    assert told is not None
    assert "plays 5, outside, further on." in told.played
    assert "5, outside, further back" in told.verdict
    assert not re.search(r"S\da", told.played + told.verdict)


def test_a_way_is_drawn_from_the_grid_to_its_end() -> None:
    for chariot in chronicle_of(driven(*["greedy"] * 4), 0, **FEW).chariots:
        points = corners(chariot)
        assert points[0] == (0, chariot.way[0])
        assert points[-1] == (chariot.ended, 0)
        assert all(far >= near for (_, far), (_, near) in pairwise(points))
        assert {turn for turn, _ in points} >= set(chariot.missed)


# ---------------------------------------------------------------------- kept


class OneWorker:
    """Does the work at once, and remembers by which key others could have shared it."""

    def __init__(self) -> None:
        self.keys: list[object] = []

    async def call(self, function: Any, body: bytes, k: int, *, limit: float, key: object) -> bytes:
        assert function is written_chronicle
        self.keys.append(key)
        await asyncio.sleep(0)
        return msgspec.json.encode(chronicle_of(from_json(body), k, **FEW))


def test_a_chronicle_is_written_once_and_kept(tmp_path: Path) -> None:
    record = raced("fiche")

    async def ask() -> None:
        store, worker = Store(f"sqlite:///{tmp_path / 'kept.db'}"), OneWorker()
        await store.open()
        annals = Annals(store, worker)  # type: ignore[arg-type]
        asked = ("1" * 64, to_json(record), 0)
        await store.keep_record(asked[0], asked[1], [])
        first, second = await asyncio.gather(annals.chronicle(*asked), annals.chronicle(*asked))
        later = await Annals(store, worker).chronicle(*asked)  # type: ignore[arg-type]
        assert first == second == later == msgspec.json.encode(chronicle_of(record, 0, **FEW))
        assert len(worker.keys) == 2  # both who asked at once, for the same errand
        assert len(set(worker.keys)) == 1
        await store.close()

    asyncio.run(ask())


def test_what_xml_does_not_take_in_any_form_is_left_out_of_drawings() -> None:
    drawn = ElementTree.fromstring(tag("text", words("Livia\uffff\x01 & \ud800co"), about="a\ufffeb\x00"))
    assert (drawn.text, drawn.attrib) == ("Livia & co", {"about": "ab"})


def test_what_was_made_of_an_upload_is_not_kept_longer_than_the_upload(tmp_path: Path) -> None:
    """Somebody in it was forgotten while the chronicle was being written."""
    record = raced("fiche")

    async def ask() -> None:
        store, digest = Store(f"sqlite:///{tmp_path / 'kept.db'}"), "1" * 64

        class Slow(OneWorker):
            async def call(self, *args: Any, **kwargs: Any) -> bytes:
                await store.drop_records(["2" * 64])
                return await super().call(*args, **kwargs)

        await store.open()
        await store.keep_record(digest, to_json(record), ["2" * 64])
        told = await Annals(store, Slow()).chronicle(digest, to_json(record), 0)  # type: ignore[arg-type]
        assert told == msgspec.json.encode(chronicle_of(record, 0, **FEW))  # whoever asked is answered
        assert await store.kept("chronicle", chronicle_key(digest, 0)) is None
        await store.close()

    asyncio.run(ask())
