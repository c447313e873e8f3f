"""What a race was, in a real browser: from the podium to the poster, shown, shared, downloaded as a picture."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from avecaesar.game import Race
from avecaesar.records import Record, record_of, to_json
from avecaesar.telling.chronicle import Chronicle, chronicle_of
from avecaesar.telling.chronicle_words import praise
from browser import visitor
from recordings import crews_of, run
from servers import Server

PNG = b"\x89PNG\r\n\x1a\n"
LAID = """async (plan) => {
  const post = async (path, body) => {
    const headers = { "Content-Type": "application/json" };
    return (await fetch(path, { method: "POST", headers, body: JSON.stringify(body) })).json();
  };
  const { table } = await post("/api/tables", plan);
  const whole = await (await fetch(`/api/tables/${table}`)).json();
  await post(`/api/tables/${table}/commands`, { do: "begin", id: "begin", at: whole.table.changed });
  return table;
}"""


@pytest.fixture
def page(browser: Browser, server: Server) -> Iterator[Page]:
    """A tab of a new person, who must not find anything in its console but what the server refused."""
    with visitor(browser, server.address, locale="en") as person:
        complaints: list[str] = []
        tab = person.new_page()
        tab.on("console", lambda message: complaints.append(message.text))
        tab.on("pageerror", lambda error: complaints.append(str(error)))
        yield tab
        assert [words for words in complaints if "Failed to load resource" not in words] == []


@pytest.fixture(scope="module")
def record() -> Record:
    races = [run(Race("white", ["Livia", "Marcus", "Titus"], seed=8), "greedy", random.Random(8))]
    return record_of(races, crews_of(races, "chance"), "ravensburger")


@pytest.fixture(scope="module")
def chronicle(record: Record) -> Chronicle:
    return chronicle_of(record, 0)


@pytest.fixture(scope="module")
def replay(server: Server, record: Record) -> str:
    return str(server.visitor().send("/api/records", to_json(record)).json()["replay"])


def test_it_shows_what_the_race_was(page: Page, replay: str, chronicle: Chronicle) -> None:
    told = praise(chronicle)
    page.goto(f"/race/{replay}")
    expect(page.get_by_role("heading", level=1)).to_have_text(told.headline)
    expect(page).to_have_title(re.compile(re.escape(told.headline)))
    for sentence in told.story:
        expect(page.locator(".race-story")).to_contain_text(sentence)
    expect(page.locator(".race-way")).to_have_count(len(chronicle.chariots))
    for i, chariot in enumerate(chronicle.chariots):
        row = page.locator(f'.race-figures [data-chariot="{i}"]')
        expect(row).to_contain_text(chariot.name)
        cells = row.locator("td").all_text_contents()
        figures = (chariot.laurels, len(chariot.missed), chariot.wasted, len(chariot.barred))
        assert cells[1:5] == [str(figure) for figure in figures]
        assert cells[6] == str(chariot.led)
    assert told.decided is not None
    expect(page.locator(".race-decided")).to_contain_text(told.decided.played)
    expect(page.locator(".race-decided")).to_contain_text(told.decided.verdict)


def test_the_deciding_turn_leads_to_its_moment_in_the_replay(page: Page, replay: str, chronicle: Chronicle) -> None:
    decided = chronicle.decided
    assert decided is not None
    page.goto(f"/race/{replay}?race=1")
    page.get_by_role("link", name="See it in the replay").click()
    expect(page.locator("#now")).to_contain_text(f"Turn {decided.scene} of ")
    page.get_by_role("link", name="What a race it was").click()
    expect(page.locator(".race-decided")).to_be_visible()


def test_one_chariot_can_be_looked_at_alone(page: Page, replay: str) -> None:
    page.goto(f"/race/{replay}")
    name = page.get_by_role("button", name="Marcus")
    name.click()
    expect(name).to_have_attribute("aria-pressed", "true")
    expect(page.locator(".race-chart g.faint .race-way")).to_have_count(2)
    name.click()
    expect(page.locator(".race-chart .faint")).to_have_count(0)


def test_it_is_downloaded_as_a_picture_and_as_a_drawing(page: Page, replay: str, record: Record) -> None:
    page.goto(f"/race/{replay}")
    with page.expect_download() as download:
        page.get_by_role("button", name="Save as picture").click()
    picture = Path(download.value.path()).read_bytes()
    assert download.value.suggested_filename.endswith("-1.png")
    assert picture.startswith(PNG)
    assert (int.from_bytes(picture[16:20]), int.from_bytes(picture[20:24])) == (2160, 2700)
    with page.expect_download() as download:
        page.get_by_role("button", name="Save as drawing").click()
    drawing = Path(download.value.path()).read_text(encoding="utf-8")
    assert drawing.startswith("<svg ")
    assert all(f">{chariot.name}<" in drawing for chariot in record.races[0].chariots)


def test_the_link_is_copied(page: Page, server: Server, replay: str) -> None:
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.goto(f"/race/{replay}")
    page.get_by_role("button", name="Copy the link").click()
    expect(page.get_by_role("status").last).to_contain_text("The link is copied.")
    assert page.evaluate("() => navigator.clipboard.readText()") == f"{server.address}/race/{replay}?race=1"


def test_while_it_is_written_somebody_says_so(page: Page, replay: str) -> None:
    waiting: list[object] = []
    page.route("**/chronicle", lambda route: waiting.append(route))
    page.goto(f"/race/{replay}")
    expect(page.get_by_role("status").first).to_contain_text("The chronicler is writing")
    page.wait_for_function("() => true")
    assert waiting
    waiting[0].continue_()  # type: ignore[attr-defined]
    expect(page.locator(".race-chart svg").first).to_be_visible()


@pytest.mark.parametrize("address", ["nothing.0", "0" * 64, "REPLAY?race=7"])
def test_a_race_that_is_not_there_is_said_so(page: Page, replay: str, address: str) -> None:
    page.goto(f"/race/{address.replace('REPLAY', replay)}")
    expect(page.get_by_role("heading", name="Nothing is written about this race")).to_be_visible()
    expect(page.get_by_role("alert")).to_have_text(re.compile(r"\w+ \w+ .*"))


def test_nothing_is_wider_than_the_screen(page: Page, replay: str) -> None:
    page.goto(f"/race/{replay}")
    expect(page.locator(".race-chart svg").first).to_be_visible()
    for width in (360, 1440):
        page.set_viewport_size({"width": width, "height": 640})
        assert page.evaluate("() => document.documentElement.scrollWidth") == width


def test_it_is_a_click_from_the_podium(page: Page) -> None:
    page.goto("/")
    plan = {"seats": [{"kind": "driver", "driver": "greedy"}, {"kind": "driver", "driver": "festina"}], "pace": 0}
    table = page.evaluate(LAID, plan)
    page.goto(f"/t/{table}")
    page.locator("#podium #summary").click()
    expect(page).to_have_url(re.compile(rf"/race/{table}\.0\?race=1$"))
    expect(page.get_by_role("heading", level=1)).to_have_text(re.compile("wins|Nobody"))
    expect(page.locator(".race-chart svg").first).to_be_visible()
