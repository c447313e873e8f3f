"""The replay in a real browser: scrubbed, played, shared by link, downloaded and uploaded again."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from avecaesar.courses import load_course
from avecaesar.game import Race
from avecaesar.records import Record, from_json, record_of, to_json, to_text
from avecaesar.server.content.pictures import course_shown
from avecaesar.server.content.replay import film_of
from avecaesar.server.tables.plan import our_course
from avecaesar.table import Setup, Table, seats_for
from avecaesar.telling.narration import listed
from avecaesar.telling.scenes import standings_of
from browser import visitor
from recordings import crews_of, plain_record, run
from servers import Server
from situations import PLAIN


@pytest.fixture
def page(browser: Browser, server: Server) -> Iterator[Page]:
    """A tab of a new person, who must not find anything in its console but what the server refused."""
    with visitor(browser, server.address) as person:
        complaints: list[str] = []
        tab = person.new_page()
        tab.on("console", lambda message: complaints.append(message.text))
        tab.on("pageerror", lambda error: complaints.append(str(error)))
        yield tab
        assert [words for words in complaints if "Failed to load resource" not in words] == []


def uploaded(server: Server, record: Record) -> str:
    return str(server.visitor().send("/api/records", to_json(record)).json()["replay"])


@pytest.fixture(scope="module")
def race() -> Record:
    table = Table(Setup(seats_for(["greedy", "greedy", "festina"]), seed=7))
    while not table.over:
        table.play(table.computers_move())
    return table.record()


def test_a_race_is_scrubbed_with_slider_and_keys(page: Page, server: Server, race: Record) -> None:
    film, replay = film_of(race, 0), uploaded(server, race)
    page.goto(f"/replay/{replay}")
    now, last = page.locator("#now"), len(film.scenes) - 1
    expect(now).to_contain_text("The grid")
    page.keyboard.press("ArrowRight")
    expect(now).to_have_text(re.compile(f"Turn 1 of {last} {re.escape(film.scenes[1].words)}"))
    page.keyboard.press("ArrowDown")
    first = next(moment.scene for moment in film.moments if moment.scene > 1)
    expect(now).to_contain_text(f"Turn {first} of {last}")
    page.locator("#turn").fill("9")
    expect(now).to_contain_text(film.scenes[9].words)
    page.keyboard.press("ArrowLeft")
    expect(now).to_contain_text(f"Turn 8 of {last}")
    page.get_by_role("button", name="To the end").click()
    expect(now).to_contain_text(film.result)
    expect(page.get_by_role("list", name="The race")).to_contain_text(film.scenes[last].notation)
    page.keyboard.press("Home")
    expect(now).to_contain_text("The grid")


def test_chariots_stand_and_hands_are_where_the_scene_has_them(page: Page, server: Server, race: Record) -> None:
    film, replay = film_of(race, 0), uploaded(server, race)
    spaces = course_shown(our_course(film.course, film.direction)).spaces
    page.goto(f"/replay/{replay}?turn=0")
    page.get_by_label("Hands").check()
    chariots, hands = dict(film.scenes[0].chariots), dict(film.scenes[0].hands)
    for number, scene in enumerate(film.scenes[:12]):
        chariots |= scene.chariots
        hands |= scene.hands
        expect(page.locator("#now")).to_contain_text(f"Turn {number} " if number else "The grid")
        for i, chariot in chariots.items():
            assert chariot.space is not None
            at = spaces[chariot.space]
            there = re.compile(rf"^translate\({at.x:.1f} {at.y:.1f}\)$")
            expect(page.locator(".chariot").nth(i)).to_have_attribute("transform", there)
            expect(page.get_by_label(f"Cards of {chariot.name}")).to_have_text("".join(map(str, hands[i].cards)))
        page.keyboard.press("ArrowRight")


def test_it_plays_by_itself_to_the_end(page: Page, server: Server, race: Record) -> None:
    page.goto(f"/replay/{uploaded(server, race)}")
    page.get_by_label("Speed").select_option("10×")
    page.get_by_role("button", name="Play", exact=True).click()
    expect(page.get_by_role("button", name="Pause", exact=True)).to_be_visible()
    expect(page.locator("#now")).to_have_text(re.compile(r"Turn (\d+) of \1 The race is over"))
    expect(page.get_by_role("button", name="Play", exact=True)).to_be_visible()


def test_a_moment_is_shared_by_link(page: Page, server: Server) -> None:
    record = from_json(json.dumps(plain_record()).encode())
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    replay = uploaded(server, record)
    page.goto(f"/replay/{replay}")
    page.get_by_role("tab", name="Race 2").click()
    expect(page).to_have_url(re.compile(r"\?race=2&turn=0$"))
    page.locator("#turn").fill("17")
    expect(page).to_have_url(re.compile(r"\?race=2&turn=17$"))
    page.get_by_role("button", name="Link to this moment").click()
    expect(page.get_by_role("status").last).to_contain_text("The link is copied.")
    link = page.evaluate("() => navigator.clipboard.readText()")
    assert link == f"{server.address}/replay/{replay}?race=2&turn=17"
    page.goto("/")
    page.goto(link)
    expect(page.get_by_role("tab", name="Race 2")).to_have_attribute("aria-selected", "true")
    expect(page.locator("#now")).to_contain_text(film_of(record, 1).scenes[17].words)


def test_a_record_is_downloaded_and_uploaded_again(page: Page, server: Server, race: Record, tmp_path: Path) -> None:
    page.goto(f"/replay/{uploaded(server, race)}")
    for link, read in (("Record", to_json(race)), ("As text", to_text(race).encode())):
        with page.expect_download() as download:
            page.get_by_role("link", name=link, exact=True).click()
        assert Path(download.value.path()).read_bytes() == read
    page.locator(".papers input[type=file]").set_input_files(
        {"name": "x.txt", "mimeType": "text/plain", "buffer": b"<b>hello</b>"}
    )
    expect(page.get_by_role("alert")).to_contain_text("this is not a record")
    own = tmp_path / "own.race.json"
    races = [run(Race(load_course(f"{PLAIN}:white", "anticlockwise"), 3, seed=4), "greedy", random.Random(3))]
    own.write_bytes(to_json(record_of(races, crews_of(races, "human"), "ravensburger")))
    page.locator(".papers input[type=file]").set_input_files(own)
    expect(page.locator(".replay-head p")).to_contain_text("The white course, anticlockwise · Ravensburger")
    expect(page.get_by_role("heading", level=1)).to_have_text(listed([rank.name for rank in standings_of(races)]))
    expect(page.locator(".chariot")).to_have_count(3)


@pytest.mark.parametrize("replay", ["nothing.0", "0" * 64, "%3Cb%3E"])
def test_a_replay_that_is_not_there_is_said_so(page: Page, replay: str) -> None:
    page.goto(f"/replay/{replay}")
    expect(page.get_by_role("heading", name="No race to be seen here")).to_be_visible()
    expect(page.get_by_role("alert")).to_have_text(re.compile(r"\w+ \w+ .*"))


def test_numbers_in_the_address_that_lead_nowhere_lead_to_the_nearest_place(
    page: Page, server: Server, race: Record
) -> None:
    replay, last = uploaded(server, race), len(film_of(race, 0).scenes) - 1
    page.goto(f"/replay/{replay}?race=7&turn=99999")
    expect(page.locator("#now")).to_contain_text(f"Turn {last} of {last}")
    page.goto(f"/replay/{replay}?race=x&turn=-3")
    expect(page.locator("#now")).to_contain_text("The grid")


@pytest.mark.parametrize("size", [(360, 640), (1400, 850)])
def test_nothing_is_wider_than_the_screen(page: Page, server: Server, race: Record, size: tuple[int, int]) -> None:
    page.set_viewport_size({"width": size[0], "height": size[1]})
    page.goto(f"/replay/{uploaded(server, race)}?turn=20")
    page.get_by_label("Hands").check()
    expect(page.get_by_role("button", name="Play", exact=True)).to_be_in_viewport(ratio=1)
    assert page.evaluate("() => document.documentElement.scrollWidth") == size[0]
