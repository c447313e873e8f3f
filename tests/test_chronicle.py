"""Chronicles: what a race was agrees with its record, counted again by hand; and the turn that decided it."""

from __future__ import annotations

import asyncio
import json
import pickle
import random
import re
from dataclasses import replace
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from msgspec import UNSET

from avecaesar.game import ChooseDeck, Draw, Lay, Miss, Play, Race, Sort, Vote
from avecaesar.players import Searcher
from avecaesar.records import Record, RecordError, from_json, record_of, referee
from avecaesar.rules import EDITIONS
from avecaesar.server import poster as posters
from avecaesar.server.chronicle import Annals, Chronicle, chronicle_of
from avecaesar.server.poster import corners, poster
from avecaesar.server.praise import praise
from avecaesar.server.store import Store
from avecaesar.speech import LANGUAGES, speaking
from avecaesar.table import Setup, Table, seats_for
from avecaesar.table.scenes import scenes
from recordings import crews_of, plain_record, record_for, run

LIVERIES = Path(__file__).parent.parent / "src/avecaesar/web/lib/liveries.js"
FEW = {"looks": 300, "second_look": 40}


def raced(edition: str, seed: int = 3, drivers: int = 4, **options: object) -> Record:
    course = "yellow" if edition == "ausgebremst" else "white"
    race = Race(course, drivers, edition=edition, options=options, seed=seed)
    races = [run(race, "careful", random.Random(seed))]
    return record_of(races, crews_of(races, "chance"), edition)


def driven(*drivers: str, seed: int = 7) -> Record:
    table = Table(Setup(seats_for(list(drivers)), seed=seed))
    while not table.over:
        table.play(table.computers_move())
    return table.record()


# ---------------------------------------------------------------------- figures


def agrees(record: Record, k: int) -> Chronicle:
    """Count everything again from the record alone, with nothing but the course's distances."""
    told, course = record.races[k], referee(record)[k].course
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
        assert turn.move is not None
        again.play(turn.move)
    last = race.history[decided.scene - 1]
    assert again.turn == decided.chariot == last.seat
    view = again.view(again.turn)
    only_wins = replace(view, rules=replace(view.rules, laurels=(1, 0, 0, 0, 0, 0)))
    considered = Searcher(1, playouts=400).consider(only_wins)
    worth = {one.move: round(one.laurels, 2) for one in considered}
    assert last.move is not None
    assert decided.chance == worth[last.move]
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


def test_a_way_is_drawn_from_the_grid_to_its_end() -> None:
    for chariot in chronicle_of(driven(*["greedy"] * 4), 0, **FEW).chariots:
        points = corners(chariot)
        assert points[0] == (0, chariot.way[0])
        assert points[-1] == (chariot.ended, 0)
        assert all(far >= near for (_, far), (_, near) in pairwise(points))
        assert {turn for turn, _ in points} >= set(chariot.missed)


def test_the_poster_has_the_liveries_of_the_page() -> None:
    script = LIVERIES.read_text(encoding="utf-8")
    signs = dict(re.findall(r'const ([A-Z]+) =\s+"([^"]+)";', script))
    found = re.findall(r'(\w+): \{ paint: "(.*?)", ink: "(.*?)", edge: "(.*?)", sign: (\w+) \}', script)
    page = {colour: posters.Livery(paint, ink, edge, signs[sign]) for colour, paint, ink, edge, sign in found}
    assert page == posters.LIVERIES


# ---------------------------------------------------------------------- kept


class OneWorker:
    """Does the work at once and counts it."""

    def __init__(self) -> None:
        self.calls = 0

    async def call(self, function: Any, *args: Any) -> Any:
        self.calls += 1
        await asyncio.sleep(0)
        return function(*args, **FEW)


def test_a_chronicle_is_written_once_and_kept(tmp_path: Path) -> None:
    record = raced("fiche")

    async def ask() -> None:
        store, worker = Store(f"sqlite:///{tmp_path / 'kept.db'}"), OneWorker()
        await store.open()
        annals = Annals(store, worker)  # type: ignore[arg-type]
        first, second = await asyncio.gather(annals.chronicle(record, 0), annals.chronicle(record, 0))
        later = await Annals(store, worker).chronicle(record, 0)  # type: ignore[arg-type]
        assert first == second == later == chronicle_of(record, 0, **FEW)
        assert worker.calls == 1
        await store.close()

    asyncio.run(ask())
