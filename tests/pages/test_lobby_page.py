"""The lobby and the form for a new table in a real browser; and the line to a table, which comes back by itself."""

from __future__ import annotations

import re
from collections.abc import Iterator
from importlib.resources import files
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from browser import visitor
from players_in_browser import Invite
from servers import Server, serving

BOARD = files("avecaesar.courses").joinpath("data", "a.board").read_text().replace("valley", "hidden")


@pytest.fixture(scope="module")
def server(own_server: Server) -> Server:
    return own_server


@pytest.fixture
def page(browser: Browser, server: Server) -> Iterator[Page]:
    with person(browser, server) as page:
        yield page


class person:  # noqa: N801  # reads as what it gives
    """A tab of somebody new, who must not find anything in its console but what the server refused."""

    def __init__(self, browser: Browser, server: Server, **more: Any) -> None:
        self.context = visitor(browser, server.address, **more)
        self.complaints: list[str] = []

    def __enter__(self) -> Page:
        tab = self.context.new_page()
        tab.on("console", lambda message: self.complaints.append(message.text))
        tab.on("pageerror", lambda error: self.complaints.append(str(error)))
        return tab

    def __exit__(self, *failed: object) -> None:
        self.context.close()
        if failed[0] is None:
            assert [words for words in self.complaints if not re.search("Failed to load|WebSocket", words)] == []


def board_file(text: str) -> Any:
    return {"name": "my.board", "mimeType": "text/plain", "buffer": text.encode()}


def told(page: Page) -> dict[str, Any]:
    """The page's table, as the server shows it to this person."""
    path = page.url.partition("#")[0].replace("/t/", "/api/tables/")
    shown: dict[str, Any] = page.request.get(path).json()["table"]
    return shown


# ---------------------------------------------------------------------- the lobby


def test_race_now_is_one_click_and_remembers_name_and_colour(page: Page) -> None:
    page.goto("/")
    page.get_by_label("Your name").fill("Livia")
    page.get_by_role("radio", name="white").check()
    page.get_by_role("button", name="Race now").click()
    page.wait_for_url("**/t/*")
    expect(page.locator("#question")).to_be_visible()
    table = told(page)
    assert table["phase"] == "racing"
    assert [(seat["name"], seat["colour"]) for seat in table["seats"] if seat["seat"] in table["yours"]] == [
        ("Livia", "white")
    ]
    assert [seat["kind"] for seat in table["seats"]] == ["here", "driver", "driver", "driver"]
    page.goto("/")
    expect(page.get_by_label("Your name")).to_have_value("Livia")
    expect(page.get_by_role("radio", name="white")).to_be_checked()
    expect(page.locator(".listed").first.get_by_role("link", name=re.compile("Resume|To your chariot"))).to_be_visible()
    expect(page.locator(".hero").get_by_role("link", name="To your chariot")).to_have_attribute(
        "href", f"/t/{table['table']}"
    )  # who is waited for is led there first
    expect(page.locator(".hero ~ *").first).to_have_class("tables")
    expect(page.locator(".lobby > *").last).to_have_class("glance")
    expect(page.locator(".hero").get_by_role("button", name="Race now")).to_be_enabled()


def test_who_says_no_name_and_no_colour_is_told_which_he_gets(page: Page) -> None:
    page.goto("/")
    expect(page.get_by_label("Your name")).to_have_accessible_description("No name yet? Then you race as Aulus.")
    expect(page.get_by_role("radio", name="red")).to_be_checked()
    expect(page.locator(".hero-runners .chariot")).to_have_count(4)
    page.get_by_role("button", name="Race now").click()
    page.wait_for_url("**/t/*")
    expect(page.locator("#question")).to_be_visible()
    mine = told(page)["seats"][0]
    assert (mine["name"], mine["colour"]) == ("Aulus", "red")


def test_a_race_of_drivers_only_can_be_watched(page: Page) -> None:
    page.goto("/")
    page.get_by_role("button", name="Watch a race").click()
    page.wait_for_url("**/t/*")
    expect(page.locator(".table-page")).to_be_visible()
    table = told(page)
    assert table["yours"] == []
    assert {seat["kind"] for seat in table["seats"]} == {"driver"}


def test_who_looks_in_joins_an_open_table_with_one_click(browser: Browser, server: Server, page: Page) -> None:
    page.goto("/")
    page.get_by_role("link", name="Lay an open table").click()
    page.locator(".part-head", has_text="How it is played").click()
    page.get_by_label("Name of the table").fill("Whoever comes")
    page.get_by_role("button", name="Lay the open table").click()
    page.wait_for_url("**/t/*")
    with person(browser, server, viewport={"width": 360, "height": 640}) as other:
        other.goto("/")
        other.get_by_label("Your name").fill("<b>Titus</b>")
        other.locator(".listed", has_text="Whoever comes").get_by_role("button", name="Join").click()
        other.wait_for_url(page.url)
        expect(other.locator(".table-page")).to_be_visible()
        table = told(other)
        assert [table["seats"][seat]["name"] for seat in table["yours"]] == ["<b>Titus</b>"]


def test_a_lobby_without_a_server_says_so_and_recovers(page: Page) -> None:
    page.route("**/api/tables", lambda route: route.abort())
    page.goto("/")
    expect(page.get_by_role("alert")).to_contain_text("The server cannot be reached")
    page.unroute("**/api/tables")
    page.get_by_role("button", name="Try again").click()
    expect(page.get_by_role("alert")).to_have_count(0)
    expect(page.get_by_role("heading", name="Your tables")).to_be_visible()


def test_a_record_that_is_none_is_refused_in_words(page: Page) -> None:
    page.goto("/")
    page.set_input_files("input[type=file]", {"name": "a.json", "mimeType": "application/json", "buffer": b"{}"})
    expect(page.get_by_role("alert")).to_contain_text("not a record")


def test_an_address_that_leads_nowhere_says_so(page: Page) -> None:
    page.goto("/t/")
    expect(page.get_by_role("heading", name="No such place in the circus")).to_be_visible()


# ---------------------------------------------------------------------- the form


def test_what_cannot_be_played_is_said_where_it_was_changed(page: Page) -> None:
    page.goto("/new")
    begin = page.get_by_role("button", name="Begin the race")
    expect(begin).to_be_enabled()
    page.locator(".part-head", has_text="Who drives").click()
    page.get_by_text("Riderless chariots and teams").click()
    page.get_by_role("spinbutton", name="Chariots for each player").fill("3")
    seats = page.locator(".part", has=page.get_by_role("heading", name="Who drives"))
    expect(seats.get_by_role("alert")).to_contain_text("chariots, not 12")
    expect(page.get_by_role("button", name="This cannot be played yet")).to_be_disabled()
    seats.get_by_role("button", name="Reset: chariots for each player").click()
    expect(begin).to_be_enabled()
    expect(page.get_by_role("alert")).to_have_count(0)


def test_a_table_that_is_ready_needs_one_choice_and_is_dressed_as_it_says(page: Page) -> None:
    page.goto("/new")
    for name, begins, told_of in (
        ("With friends by a link", "Lay the table and invite", ["A friend, by link"] * 2),
        ("Round one screen", "Begin the race", ["At this screen"] * 3),
        ("Ausgebremst", "Begin the race", ["Ausgebremst"]),
        ("An open table", "Lay the open table", ["A friend, by link"] * 3),
        ("Quick race with bots", "Begin the race", ["Ravensburger", "4 chariots"]),
    ):
        page.locator(".ready-table", has_text=name).click()
        expect(page.get_by_role("button", name=begins)).to_be_enabled()
        for words in told_of:
            expect(page.locator(".summary li", has_text=words)).to_have_count(told_of.count(words))
    page.locator(".part-head", has_text="Who drives").click()
    page.get_by_role("button", name="Remove seat 4").click()
    expect(page.locator(".ready-table :checked")).to_have_count(0)
    page.set_viewport_size({"width": 360, "height": 640})
    assert page.locator(".summary").evaluate("(bar) => bar.offsetHeight") <= 64


def test_a_tournament_shows_its_races_before_it_begins(page: Page) -> None:
    page.goto("/new")
    page.locator(".ready-table", has_text="A tournament").click()
    page.locator(".part-head", has_text="Course").click()
    expect(page.locator(".schedule li")).to_have_count(4)
    page.get_by_label("Courses of the tournament").select_option("B")
    expect(page.locator(".schedule li").first).to_contain_text("Yellow, clockwise")
    page.locator(".part-head", has_text="Who drives").click()
    page.get_by_role("button", name="a friend by link").click()
    page.get_by_role("button", name="Lay the table and invite").click()
    page.wait_for_url("**/t/*")
    table = told(page)
    assert table["phase"] == "gathering"
    assert (table["plan"]["tournament"], table["plan"]["side"]) == (True, "B")
    assert [seat["kind"] for seat in table["seats"]] == ["here", "driver", "driver", "driver", "friend"]


def test_a_part_is_folded_into_a_line_that_says_what_was_chosen(page: Page) -> None:
    page.goto("/new")
    edition = page.locator(".part", has=page.get_by_role("heading", name="Edition"))
    expect(edition.locator(".part-says")).to_have_text("Ravensburger")
    edition.locator(".part-head").click()
    edition.get_by_role("radio", name="A French one-page summary").check()
    edition.locator(".part-head").click()
    expect(edition.locator(".part-says")).to_have_text("Fiche")
    expect(page.get_by_role("button", name="Crash")).to_have_count(0)


def test_who_takes_anothers_medallion_gives_him_his_own(page: Page) -> None:
    page.goto("/new")
    page.locator(".part-head", has_text="Who drives").click()
    page.locator('summary[aria-label="Colour, Seat 1: red"]').click()
    page.get_by_role("radiogroup", name="Colour, Seat 1").get_by_role("radio", name="blue").check()
    expect(page.locator('summary[aria-label="Colour, Seat 1: blue"]')).to_be_focused()
    expect(page.locator('summary[aria-label="Colour, Seat 2: red"]')).to_be_visible()
    expect(page.get_by_role("radiogroup", name="Colour, Seat 1")).to_have_count(0)


def test_house_rules_are_marked_and_reset(page: Page) -> None:
    page.goto("/new")
    page.locator(".part-head", has_text="House rules").click()
    page.get_by_role("button", name="Crash").click()
    expect(page.locator(".summary .told .changed")).to_have_count(1)
    group = page.locator(".group", has_text="Leaders and their sixes")
    expect(group.locator("summary")).to_contain_text("1 change")
    page.get_by_role("button", name="Reset all house rules").click()
    expect(page.locator(".summary .told .changed")).to_have_count(0)


def test_a_board_of_ones_own_is_checked_at_once(page: Page) -> None:
    page.goto("/new")
    page.locator(".part-head", has_text="Course").click()
    page.get_by_text("A board of your own").click()
    page.set_input_files("input[type=file]", board_file("board X\nnonsense\n"))
    expect(page.locator(".own-board")).to_contain_text("line 2: 'nonsense'")
    page.set_input_files("input[type=file]", board_file(BOARD))
    expect(page.locator(".own-board")).to_contain_text("“The hidden circus” is sound. Its courses: white, blue.")
    page.get_by_role("radio", name="Blue", exact=True).check()
    page.get_by_role("button", name="Begin the race").click()
    page.wait_for_url("**/t/*")
    expect(page.locator("#question")).to_be_visible()
    race = told(page)["race"]
    assert race["course"] == "blue"
    assert race["board"] is not None


def test_the_keyboard_alone_lays_a_table(page: Page) -> None:
    page.goto("/")
    page.get_by_role("link", name="New table").focus()
    page.keyboard.press("Enter")
    begin = page.get_by_role("button", name="Begin the race")
    expect(begin).to_be_enabled()
    page.locator(".part-head", has_text="Who drives").focus()
    page.keyboard.press("Enter")
    page.get_by_label("Name, Seat 1").focus()
    page.keyboard.type("Claudia")
    page.keyboard.press("Enter")  # ends no form by accident
    expect(begin).to_be_visible()
    begin.focus()
    page.keyboard.press("Enter")
    page.wait_for_url("**/t/*")
    assert told(page)["seats"][0]["name"] == "Claudia"


@pytest.mark.parametrize("path", ["/", "/new"])
def test_nothing_overflows(page: Page, path: str) -> None:
    page.goto(path)
    expect(page.locator("h1")).to_be_visible()
    page.evaluate("document.querySelectorAll('details').forEach((one) => { one.open = true; })")
    for width in (320, 360, 768, 1440):
        page.set_viewport_size({"width": width, "height": 640})
        page.emulate_media(color_scheme="dark" if width in (360, 1440) else "light")
        expect(page.locator("html")).to_have_attribute("data-theme", "dark" if width in (360, 1440) else "light")
        assert page.evaluate("document.documentElement.scrollWidth") == width


# ---------------------------------------------------------------------- the line to a table

JOIN = """async () => {
  const { TableSocket } = await import("/static/lib/socket.js");
  const { lay } = await import("/static/lib/api.js");
  const { table } = await lay({ seats: [{ kind: "here" }, { kind: "friend" }], away: null });
  window.states = [];
  await new Promise((joined) => {
    window.line = new TableSocket(table, { told: joined, line: ({ state }) => window.states.push(state) });
  });
  return table;
}"""


def test_what_was_not_acknowledged_is_sent_again_once_the_server_is_back(
    browser: Browser, tmp_path_factory: pytest.TempPathFactory
) -> None:
    with serving(tmp_path_factory.mktemp("line")) as server, person(browser, server) as page:
        page.goto("/")
        table = page.evaluate(JOIN)
        assert page.evaluate("line.send({ do: 'say', text: 'one' })")["is"] == "done"
        server.kill()
        page.evaluate("() => { window.later = ['two', 'three'].map((text) => line.send({ do: 'say', text })); }")
        server.start()
        assert [answer["is"] for answer in page.evaluate("Promise.all(later)")] == ["done", "done"]
        story = page.request.get(f"/api/tables/{table}").json()["story"]
        assert [line["words"] for line in story if line["kind"] == "said"] == ["one", "two", "three"]
        assert page.evaluate("states.at(0)") == "joining"
        assert page.evaluate("states.at(-1)") == "open"
        assert "lost" in page.evaluate("states")


def test_a_refused_command_says_why(page: Page) -> None:
    page.goto("/")
    page.evaluate(JOIN)
    assert page.evaluate("line.send({ do: 'say', text: 'fine' })")["is"] == "done"
    refused = "line.send({ do: 'appoint', seat: 5, driver: 'nobody' }).then(() => '', (problem) => problem.message)"
    assert page.evaluate(refused) != ""
    assert page.evaluate("() => { line.close(); return states.at(-1); }") == "ended"


@pytest.mark.parametrize("path", ["/t/%", "/replay/%E0%A4%A"])
def test_an_address_that_means_nothing_leads_nowhere_and_breaks_nothing(invite: Invite, path: str) -> None:
    anna = invite()
    anna.forgiven = "404"
    anna.page.goto(anna.address + path)
    expect(anna.find("main h1")).to_be_visible()
    expect(anna.find("main").get_by_role("link").first).to_be_visible()


def test_a_clause_that_means_nothing_is_passed_over(invite: Invite) -> None:
    anna = invite()
    anna.goto("/rules#%E0%A4")
    expect(anna.find("main h1")).to_be_visible()
