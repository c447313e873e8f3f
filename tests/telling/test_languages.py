"""Everything that the server says can be said in five languages, and everybody hears his own.

Most tests speak a made-up language (`foreign`), which says every text in brackets: so one sees what is not translated.
"""

from __future__ import annotations

import asyncio
import importlib.util
import json
import random
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest
from starlette.datastructures import Headers
from websockets.sync.client import connect

from avecaesar import speech
from avecaesar.rules import clauses
from avecaesar.server.content.menu import _menu, menu
from avecaesar.server.content.replay import film_of, replay_of
from avecaesar.server.http.gatekeeper import language_of
from avecaesar.server.http.routes.site import _menu_in
from avecaesar.server.tables.projection import Sight, shown
from avecaesar.speech import ENGLISH, LANGUAGES, Catalogue, counted, key_of, preferred, said_in, say, speaking
from checkout import ROOT
from disguises import disguised, tied_exception_may_speak
from harness import Guest, Harness, open_house, person, workers
from raced import raced
from servers import ServerClient, hear, in_a_thread
from tables_by_chance import HOUSES, chariots_of, fold, message, table_for

OTHERS = tuple(language for language in LANGUAGES if language != ENGLISH)


def tool() -> Any:
    """tools/languages.py, which finds all texts."""
    spec = importlib.util.spec_from_file_location("all_languages", ROOT / "tools" / "languages.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module  # dataclasses look there
    spec.loader.exec_module(module)
    return module


tools = tool()
ALL = tools.texts()


class Foreign(Catalogue):
    """Says every text in brackets, marked with the language."""

    def __init__(self, language: str) -> None:
        super().__init__({}, {})
        if language != ENGLISH:
            self.texts = {key: f"⟦{language} {key.partition(' ¦ ')[0]}⟧" for key in ALL.said}
            self.counted = {
                many: (f"⟦{language} {one}⟧", f"⟦{language} {many}⟧") for many, (_, one) in ALL.counted.items()
            }


@pytest.fixture
def foreign(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    catalogues = {language: Foreign(language) for language in LANGUAGES}
    monkeypatch.setattr(speech, "catalogue", catalogues.__getitem__)
    for menus in (_menu, _menu_in):
        menus.cache_clear()
    yield
    for menus in (_menu, _menu_in):
        menus.cache_clear()


def untranslated(text: str, *names: str) -> list[str]:
    """The words that stand outside of all brackets, but for names and what is written the same everywhere."""
    while (shorter := re.sub(r"⟦[^⟦⟧]*⟧", "", text)) != text:
        text = shorter
    for name in names:
        text = text.replace(name, "")
    return re.findall(r"[^\W\d_]{2,}", re.sub(r"\b[IVX]+\b", "", text))


# ---------------------------------------------------------------------- the catalogues


def test_every_text_is_a_literal_or_among_the_data() -> None:
    assert ALL.unknown == []
    assert ALL.used == {*tools.DATA, *tools.PAIRS}


def test_no_text_is_both_counted_and_not() -> None:
    assert set(ALL.said) & set(ALL.counted) == set()


@pytest.mark.parametrize("language", OTHERS)
def test_nothing_is_missing(language: str) -> None:
    assert tools.missing(language, ALL) == []


@pytest.mark.parametrize("language", OTHERS)
def test_nothing_is_unused_and_all_stands_in_the_order_of_the_code(language: str) -> None:
    told, rules = tools.read(tools.catalogue_file(language)), tools.read(tools.clauses_file(language))
    assert set(told["texts"]) - set(ALL.said) == set()
    assert set(told["counted"]) - set(ALL.counted) == set()
    assert set(told["same"]) - set(ALL.said) == set()
    assert set(rules["clause"]) - set(clauses()) == set()
    for file, wanted in (
        (tools.catalogue_file(language), tools.catalogue_of(language, ALL)),
        (tools.clauses_file(language), tools.clauses_of(language)),
    ):
        assert file.read_text(encoding="utf-8") == wanted, f"run tools/languages.py {language}"


@pytest.mark.parametrize("language", OTHERS)
def test_nothing_is_left_in_english_but_what_is_said_to_be_the_same(language: str) -> None:
    told = tools.read(tools.catalogue_file(language))
    alike = [text for text in ALL.said if told["texts"].get(text) == text.partition(" ¦ ")[0]]
    assert alike == told["same"]
    assert not [many for many, (_, one) in ALL.counted.items() if {one, many} & set(told["counted"].get(many, ()))]
    own = said_in(language, clauses)
    rules = tools.read(tools.clauses_file(language))
    translated = [name for name in own if rules["clause"].get(name, {}).get("text")]
    assert [name for name in translated if own[name].text == clauses()[name].text] == []


@pytest.mark.parametrize("language", OTHERS)
def test_what_is_put_into_a_text_is_the_same_in_every_language(language: str) -> None:
    told = tools.read(tools.catalogue_file(language))
    for text in ALL.said:
        if translated := told["texts"].get(text):
            assert tools.placeholders(translated) == tools.placeholders(text), text
            translated.format(**dict.fromkeys(tools.placeholders(text), ""))
    for many in ALL.counted:
        one_of, several = told["counted"].get(many, ("", ""))
        if several:
            assert tools.placeholders(several) == tools.placeholders(many), many
            assert tools.placeholders(one_of) | {"n"} == tools.placeholders(many) | {"n"}, many


def all_told_in(language: str) -> list[str]:
    """Every text and clause of a language."""
    told, rules = tools.read(tools.catalogue_file(language)), tools.read(tools.clauses_file(language))
    texts = [*told["texts"].values(), *(form for forms in told["counted"].values() for form in forms)]
    return texts + [part for clause in rules["clause"].values() for part in (clause["title"], clause["text"])]


def test_french_has_its_spaces_before_signs_and_inside_quotation_marks() -> None:
    signs = r"(?<!\u202f)[;!?](?=\s|$)|(?<!\u00a0):(?=\s|$)|(?<!\u00a0)»|«(?!\u00a0)"
    codes = r"Authorization: Bearer KEY"
    assert [text for text in all_told_in("fr") if re.search(signs, re.sub(codes, "", text))] == []


@pytest.mark.parametrize("language", OTHERS)
def test_quotation_marks_and_apostrophes_are_the_languages_own(language: str) -> None:
    foreign = "[«»”]" if language == "de" else "[„“”]"
    assert [text for text in all_told_in(language) if re.search(rf"['\"]|\.\.\.|  |{foreign}", text)] == []


@pytest.mark.parametrize("language", OTHERS)
def test_a_clause_has_its_numbers_in_every_language(language: str) -> None:
    rules = tools.read(tools.clauses_file(language))
    for name, clause in clauses().items():
        if text := rules["clause"].get(name, {}).get("text"):
            assert set(re.findall(r"\d+", clause.text)) - set(re.findall(r"\d+", text)) == set(), name


# ---------------------------------------------------------------------- saying


def test_a_text_that_a_language_lacks_is_said_in_english(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(speech, "catalogue", lambda language: Catalogue({"the grid": ""}, {"{n} laps": ["", ""]}))
    with speaking("la"):
        assert say("the grid") == "the grid"
        assert counted(2, "{n} lap", "{n} laps") == "2 laps"


@pytest.mark.usefixtures("foreign")
def test_one_and_several_are_told_as_the_language_has_them() -> None:
    forms = ("{n} point to spare", "{n} points to spare")
    with speaking("fr"):
        assert [counted(n, *forms) for n in (0, 1, 2)] == [
            "⟦fr 0 point to spare⟧",
            "⟦fr 1 point to spare⟧",
            "⟦fr 2 points to spare⟧",
        ]
    with speaking("it"):
        assert counted(0, *forms) == "⟦it 0 points to spare⟧"
    assert counted(0, *forms) == "0 points to spare"


@pytest.mark.parametrize(
    ("language", "spare"),
    [
        ("en", ["0 points to spare", "1 point to spare", "2 points to spare", "21 points to spare"]),
        ("it", ["0 punti di scorta", "1 punto di scorta", "2 punti di scorta", "21 punti di scorta"]),
        ("fr", ["0 point de réserve", "1 point de réserve", "2 points de réserve", "21 points de réserve"]),
        ("de", ["0 Punkte in Reserve", "1 Punkt in Reserve", "2 Punkte in Reserve", "21 Punkte in Reserve"]),
        ("la", ["superant 0 puncta", "superat 1 punctum", "superant 2 puncta", "superant 21 puncta"]),
    ],
)
def test_points_are_counted_in_every_language(language: str, spare: list[str]) -> None:
    with speaking(language):
        assert [counted(n, "{n} point to spare", "{n} points to spare") for n in (0, 1, 2, 21)] == spare


@pytest.mark.parametrize(
    ("language", "places"),
    [
        ("en", ["1st", "2nd", "3rd"]),
        ("it", ["1º", "2º", "3º"]),
        ("fr", ["1er", "2e", "3e"]),
        ("de", ["1.", "2.", "3."]),
        ("la", ["I", "II", "III"]),
    ],
)
def test_places_are_numbered_in_every_language(language: str, places: list[str]) -> None:
    with speaking(language):
        assert [say("1st"), say("2nd"), say("3rd")] == places


def test_a_sense_tells_texts_apart_that_look_alike() -> None:
    assert say("home", "where it goes") == say("home", "where it is") == "home"
    assert key_of("home", "where it goes") in ALL.said


def test_a_language_is_spoken_for_a_while() -> None:
    with speaking("it"):
        with speaking("klingon"):
            assert speech.spoken() == ENGLISH
        assert speech.spoken() == "it"
    assert speech.spoken() == ENGLISH


@pytest.mark.parametrize(
    ("accept", "language"),
    [
        ("it", "it"),
        ("IT-it", "it"),
        ("fr;q=0.3, la;q=0.9", "la"),
        ("fr ; q=0.3, de ; q=0.9", "de"),
        ("de;q=0, fr;q=0.1", "fr"),
        ("*", "en"),
        ("de;q=high, ;;;", "en"),
        ("de;q=nan", "en"),
        ("zh, ja", "en"),
    ],
)
def test_a_browser_says_which_languages_it_likes(accept: str, language: str) -> None:
    assert preferred(accept) == language


@pytest.mark.parametrize(
    ("kind", "query", "language"),
    [
        ("http", b"lang=fr", "de"),
        ("websocket", b"lang=fr", "fr"),
        ("websocket", b"lang=xx", "de"),
        ("websocket", b"", "de"),
    ],
)
def test_a_socket_may_name_its_language_in_its_address(kind: str, query: bytes, language: str) -> None:
    assert language_of({"type": kind, "query_string": query}, Headers({"accept-language": "de"})) == language


# ---------------------------------------------------------------------- nothing is said past the catalogues


@pytest.mark.usefixtures("foreign")
@pytest.mark.parametrize("house", HOUSES)
def test_all_that_is_told_at_a_table_is_translated(house: str) -> None:
    state, events = table_for(house, 1)
    source = random.Random(1)
    with speaking("it"):
        for _ in fold(state, events):
            if state.table is None or source.random() < 0.7:
                continue
            names = (*state.game_table.race.names, *(chair.name for chair in state.chairs), state.plan.edition)
            spaces = [space.name for space in state.game_table.race.course.spaces]
            told = [line.words for line in state.story.since(state.number - 1)]
            for seat in state.seats:
                table = shown(state, Sight(seats=frozenset({seat})))
                told += [*table.house_rules, *(hand.standing for hand in table.hands)]
                if question := table.question:
                    told += [question.title, *(refused.words for refused in question.refused)]
                    told += [words for offer in question.offers for words in (offer.words, offer.name)]
            assert [text for text in told if untranslated(text, *names, *spaces)] == []
    english = [line.words for line in state.lines]
    assert not [words for words in english if "⟦" in words]


@pytest.mark.usefixtures("foreign")
@pytest.mark.parametrize("edition", ["ravensburger", "ausgebremst"])
def test_all_that_a_film_tells_is_translated(edition: str) -> None:
    record = raced(edition)
    with speaking("de"):
        film, replay = film_of(record, 0), replay_of("x", record)
    names = [chariot.name for chariot in record.races[0].chariots]
    assert replay.edition == edition.title()  # a name
    told = [replay.title, film.result, *(moment.words for moment in film.moments)]
    told += [words for scene in film.scenes for words in (scene.words, scene.event)]
    assert [text for text in told if untranslated(text, *names)] == []


@pytest.mark.usefixtures("foreign")
def test_all_that_can_be_chosen_is_told_in_every_language() -> None:
    for language in OTHERS:
        with speaking(language):
            offered = menu()
            told = [edition.title for edition in offered.editions]
            told += [
                text for edition in offered.editions for one in edition.changes for text in (one.meaning, one.words)
            ]
            told += [option.meaning for option in offered.options] + [one.name for one in offered.variants]
            told += [value.words for option in offered.options for value in option.values]
            told += [option.hint for option in offered.options] + [course.board_title for course in offered.courses]
            told += [text for driver in offered.drivers for text in (driver.level, driver.about)]
            told += [phrase.words for phrase in offered.phrases]
        assert [text for text in told if untranslated(text)] == []
        assert all(f"⟦{language} " in text for text in told if text)
    assert "⟦" not in str(menu())


# ---------------------------------------------------------------------- who hears what


@pytest.fixture(scope="module")
def staff() -> Iterator[tuple[Any, asyncio.Runner]]:
    with workers() as shared:
        yield shared


@pytest.fixture
def house(tmp_path: Path, staff: tuple[Any, asyncio.Runner]) -> Iterator[Harness]:
    with open_house(tmp_path, *staff) as opened:
        yield opened


async def come(house: Harness, table: str, language: str, *keys: str) -> Guest:
    """Somebody who speaks a language comes to a table."""
    with speaking(language):
        return await Guest.at(house.server, table, *keys)


def lines_of(guest: Guest) -> list[str]:
    return [line["words"] for line in guest.story if line["kind"] != "said"]


def languages_in(text: str) -> set[str]:
    return set(re.findall(r"⟦(\w+)", text)) or {ENGLISH}


@pytest.mark.usefixtures("foreign")
def test_everybody_at_a_table_hears_his_own_language_and_after_a_restart_too(house: Harness) -> None:
    key = person()
    with speaking("la"):  # the language of whoever lays a table is nobody else's
        table = house.lay("here", "festina", key=key, options={"hand": "4"}).table

    async def race() -> dict[str, list[str]]:
        driver = await come(house, table, "it", key)
        watchers = [await come(house, table, language) for language in ("de", "en")]
        await driver.begin()
        for _ in range(4):
            assert languages_in(driver.table["question"]["title"] if driver.table["question"] else "⟦it") == {"it"}
            await driver.move()
        with speaking("it"):  # as the doors would have it
            refused = await driver.do("move", at=0, seat=0, move={"kind": "withdraw"})
        assert languages_in(refused["problem"]) == {"it"}
        await driver.do("pause")
        number = driver.table["number"]
        for watcher in watchers:
            await watcher.until(lambda guest: guest.table["number"] >= number)
            assert languages_in(str(watcher.table["house_rules"])) == {watcher.connection.language}
        return {guest.connection.language: lines_of(guest) for guest in (driver, *watchers)}

    async def come_again() -> dict[str, list[str]]:
        return {language: lines_of(await come(house, table, language)) for language in ("it", "de", "en")}

    heard_live = house.run(race())
    for language, lines in heard_live.items():
        assert all(languages_in(line) == {language} for line in lines)
        assert len(lines) == len(heard_live["en"]) > 8
    assert house.run(come_again()) == heard_live
    house.restart()
    assert house.run(come_again()) == heard_live


@pytest.mark.parametrize("name", HOUSES)
def test_no_language_tells_what_a_seat_cannot_know(name: str) -> None:
    state, events = table_for(name, 7)
    source, looks = random.Random(7), 0
    for _ in fold(state, events):
        if state.phase != "racing" or source.random() < 0.95:
            continue
        races = state.game_table._games.races
        race, language = races[-1], source.choice(OTHERS)
        for seat in (*range(len(state.chairs)), None):
            own = chariots_of(state, seat)
            if any(tied_exception_may_speak(race, chariot) for chariot in own):
                continue
            with speaking(language):
                mine = message(state, seat)
                races[-1] = disguised(race, own[0] if own else None, source, own)
                assert message(state, seat) == mine
            races[-1] = race
            looks += 1
    assert looks > 10


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerClient]:
    with in_a_thread(tmp_path_factory.mktemp("languages") / "tables.db") as server:
        yield server


def ask(served: ServerClient, path: str, language: str) -> Any:
    return served.client.get(path, headers={"Accept-Language": language}).json()


@pytest.mark.usefixtures("foreign")
def test_answers_come_in_the_language_that_was_asked_for(served: ServerClient) -> None:
    for path in ("/api/tables/none", "/api/nothing", "/api/replays/none", "/api/courses/white/sideways"):
        assert languages_in(ask(served, path, "fr")["problem"]) == {"fr"}
        assert languages_in(ask(served, path, "en")["problem"]) == {ENGLISH}
    assert languages_in(str(ask(served, "/api/menu", "la"))) == {"la"}
    crowded = {"seats": [{}] * 2, "options": {"riderless_count": "5", "hand": "2"}}
    told = served.client.post("/api/check", json=crowded, headers={"Accept-Language": "it"}).json()
    assert languages_in(told["problem"]) == {"it"}
    told = served.client.post("/api/tables", json=crowded, headers={"Accept-Language": "it"})
    assert (told.status_code, languages_in(told.json()["problem"])) == (400, {"it"})


@pytest.mark.usefixtures("foreign")
def test_a_socket_speaks_the_language_of_its_address(served: ServerClient) -> None:
    laid = served.lay({"kind": "here"}, {"kind": "here"}, options={"crash": "yes"})
    address = f"{served.url.replace('http', 'ws', 1)}/api/tables/{laid['table']}/socket"
    for query, header, language in (("?lang=it", "de", "it"), ("", "de", "de"), ("?lang=en", "de", "en")):
        headers = {"Accept-Language": header}
        with connect(address + query, additional_headers=headers, max_size=None, proxy=None) as socket:
            assert languages_in(str(hear(socket)["table"]["house_rules"])) == {language}
            socket.send(json.dumps({"do": "pause", "id": "a"}))
            assert languages_in(hear(socket)["problem"]) == {language}
    with connect(address.replace(laid["table"], "none") + "?lang=fr", max_size=None, proxy=None) as socket:
        assert languages_in(hear(socket)["problem"]) == {"fr"}


def test_films_come_from_other_processes_in_the_right_language(served: ServerClient) -> None:
    record = raced("ravensburger")
    body = msgspec.json.encode(record)
    kept = served.client.post("/api/records", content=body, headers={"Content-Type": "application/json"}).json()
    for language in (ENGLISH, "la"):  # whether it is heard over there, any two can tell
        film = said_in(language, film_of, record, 0)
        assert ask(served, f"/api/replays/{kept['replay']}/races/0", language)["result"] == film.result
        shown_so = said_in(language, replay_of, kept["replay"], record)
        assert ask(served, f"/api/replays/{kept['replay']}", language)["edition"] == shown_so.edition
