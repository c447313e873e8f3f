"""The page deals the cards again once they are opened, and says whether the server has kept its word."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Route, WebSocketRoute, expect

from players_in_browser import Invite, Person, race, race_unseen
from servers import serving

FOUND = '#finding[data-found="{}"]'


def own_shares(person: Person, byte: int) -> Person:
    """Shares that are not everybody's."""
    person.context.add_init_script(
        f"""(() => {{
          const chance = crypto.getRandomValues.bind(crypto);
          crypto.getRandomValues = (array) => (array.length === 16 ? array.fill({byte}) : chance(array));
        }})()"""
    )
    return person


def test_the_podium_says_that_the_cards_are_checked_and_who_came_late_that_they_are_not(invite: Invite) -> None:
    anna, late = own_shares(invite(), 21), invite()
    table = anna.lay(["here", "scorpus"])
    anna.begin()
    race_unseen(anna)
    expect(anna.find(FOUND.format("checked"))).to_contain_text("with your share in them")
    anna.find("#figures > summary").click()
    anna.find("#fairness summary").click()
    expect(anna.find("#fairness")).to_contain_text(f"{'15' * 16} (yours)")
    anna.page.reload()
    expect(anna.find(FOUND.format("checked"))).to_be_visible()
    late.goto(f"/t/{table}")
    expect(late.find(FOUND.format("unseen"))).to_contain_text("did not see the pledge")
    kept = anna.page.evaluate("localStorage.getItem('avecaesar.deals.' + location.pathname.slice(3))")
    assert anna.shown["race"]["secret"] not in kept


def test_where_nothing_can_be_kept_the_page_remembers_as_long_as_it_is_open(invite: Invite) -> None:
    anna = invite()
    anna.context.add_init_script("Object.defineProperty(window, 'localStorage', { get() { throw new Error('no'); } })")
    anna.lay(["here", "scorpus"])
    anna.begin()
    race(anna)
    expect(anna.find(FOUND.format("checked"))).to_be_visible()
    anna.page.reload()
    expect(anna.find(FOUND.format("unseen"))).to_be_visible()


def lying(person: Person, lie: Callable[[dict[str, Any]], Any]) -> None:
    """A server that changes what it tells of a table."""

    def tell(line: WebSocketRoute) -> None:
        server = line.connect_to_server()

        def change(message: str | bytes) -> None:
            told = json.loads(message)
            if "table" in told:
                lie(told["table"])
            line.send(json.dumps(told))

        server.on_message(change)

    person.context.route_web_socket("**/socket*", tell)


def test_a_server_that_pledged_something_else_is_told_on_loudly(invite: Invite) -> None:
    anna = invite(viewport={"width": 360, "height": 740})

    def before(table: dict[str, Any]) -> None:
        if table["phase"] == "gathering":
            table["sealed"] = "ab" * 32

    lying(anna, before)
    anna.lay(["here", "scorpus"])
    anna.begin()
    race_unseen(anna)
    alarm = anna.find(FOUND.format("broken"))
    expect(alarm).to_contain_text("The cards do not match what was pledged!")
    expect(alarm).to_contain_text("Before the race the server pledged something else.")
    expect(alarm).to_have_attribute("role", "alert")
    alarm.get_by_role("button", name="Check again").click()
    expect(alarm).to_contain_text("The cards do not match what was pledged!")


def test_a_server_that_deals_other_cards_and_writes_the_record_to_fit_is_found_out(invite: Invite) -> None:
    """It deals from another secret than it pledged, and afterwards forges secret, shares and record."""
    anna = invite()
    forged: dict[str, Any] = {}

    def after(table: dict[str, Any]) -> None:
        told = table["race"]
        if told and told["over"]:
            forged["secret"] = told["secret"]
            told["shares"], told["shared_by"] = ["cd" * 16, *told["shares"]], [1, *told["shared_by"]]

    def record(route: Route) -> None:
        answer = route.fetch()
        told = answer.json()
        told["races"][0]["seal"]["shares"].insert(0, "cd" * 16)
        route.fulfill(response=answer, json=told)

    lying(anna, after)
    anna.context.route("**/record?*", record)
    anna.lay(["here", "scorpus"])
    anna.begin()
    race(anna, turns=4)
    race_unseen(anna)
    alarm = anna.find(FOUND.format("broken"))
    for words in ("was put in another place", "decks do not follow", "drew other cards", "nobody who sat at the table"):
        expect(alarm).to_contain_text(words)
    assert forged["secret"]


def unopened(table: dict[str, Any]) -> None:
    if table["race"]:
        table["race"]["secret"] = None


def a_lesson_by_now(table: dict[str, Any]) -> None:
    if table["phase"] == "gathering":
        table["sealed"] = "ab" * 32
    if table["race"] and table["race"]["over"]:
        table["plan"]["lesson"] = True


@pytest.mark.parametrize(
    ("lie", "words"), [(unopened, "has not opened its secret"), (a_lesson_by_now, "pledged something else")]
)
def test_a_server_that_has_pledged_is_not_spared_the_check(
    invite: Invite, lie: Callable[[dict[str, Any]], Any], words: str
) -> None:
    anna = invite()
    lying(anna, lie)
    anna.lay(["here", "scorpus"])
    anna.begin()
    race_unseen(anna)
    expect(anna.find(FOUND.format("broken"))).to_contain_text(words)


def test_a_hand_that_was_shown_and_never_dealt_is_found(invite: Invite) -> None:
    anna = invite()

    def other_cards(table: dict[str, Any]) -> None:
        for hand in table["hands"]:
            if not table["question"]:
                hand["cards"] = [1] * len(hand["cards"])

    lying(anna, other_cards)
    anna.lay(["here", "scorpus"])
    anna.begin()
    race(anna, turns=4)
    race_unseen(anna)
    expect(anna.find(FOUND.format("broken"))).to_contain_text("drew other cards")


def test_a_lesson_has_no_pledge_and_no_check(invite: Invite) -> None:
    anna = invite()
    anna.lay(["here", "scorpus"], lesson=True)
    anna.begin()
    race_unseen(anna)
    expect(anna.find("#podium")).to_be_visible()
    expect(anna.find("#finding")).to_have_count(0)


def test_who_makes_or_opens_a_link_has_another_device_perhaps(invite: Invite) -> None:
    anna, phone = invite(), invite()
    linked = (
        "import('/static/lib/pledges.js').then(({ pledgeOf }) => pledgeOf(location.pathname.slice(3), 0, 0).linked)"
    )
    table = anna.lay(["here", "friend"])
    anna.find("#invite").click()
    expect(anna.find("#invite-link")).to_be_visible()
    assert anna.page.evaluate(linked) is False  # for somebody else
    link = anna.context.request.post(
        f"/api/tables/{table}/links", headers={"Origin": anna.address}, data={"seat": 0}
    ).json()["link"]
    phone.goto(link)
    expect(phone.find(".gathering")).to_be_visible()
    assert phone.page.evaluate(linked) is True


def test_a_share_of_nobody_is_reported(invite: Invite) -> None:
    anna = invite()

    def unnamed(table: dict[str, Any]) -> None:
        if table["race"]:
            table["race"]["shared_by"] = [None for _ in table["race"]["shared_by"]]

    lying(anna, unnamed)
    anna.lay(["here", "friend", "scorpus"])
    marcus = own_shares(invite(), 99)
    marcus.join(anna.invitation(), "Marcus")
    expect(anna.find("#begin")).to_be_enabled()
    anna.begin()
    expect(marcus.find(".phase-racing")).to_be_visible()
    race_unseen(anna, marcus)
    expect(anna.find("#finding")).to_contain_text("nobody who sat at the table")
    expect(marcus.find(FOUND.format("checked"))).to_be_visible()


def test_a_record_that_cannot_be_had_is_asked_for_again(invite: Invite) -> None:
    anna = invite()
    anna.forgiven = r"record\?game|ERR_FAILED|Failed to load"
    anna.context.route("**/record?*", lambda route: route.abort())
    anna.lay(["here", "scorpus"])
    anna.begin()
    race_unseen(anna)
    expect(anna.find(FOUND.format("failed"))).to_contain_text("could not be checked")
    anna.context.unroute("**/record?*")
    anna.find("#finding button").click()
    expect(anna.find(FOUND.format("checked"))).to_be_visible()


def test_who_has_the_table_open_when_its_key_is_lost_reads_why_it_has_stopped(browser: Browser, tmp_path: Path) -> None:
    with serving(tmp_path) as server:
        anna = Person(browser, server.address)
        laid, on = anna.lay(["here", "scorpus"], open=True), anna.lay(["here", "scorpus"], open=True)
        anna.begin()
        anna.called()
        key = tmp_path / "served.key"
        kept = key.read_bytes()
        server.kill()
        key.unlink()
        server.start()
        expect(anna.find("#lost .farewell")).to_contain_text("the server lacks the key")
        assert "2 deals are sealed with a key that" in server.errors
        other = anna.open_tab()
        other.goto(f"/t/{laid}")
        expect(other.locator("#stopped")).to_contain_text("the server lacks the key")
        expect(other.locator("#begin")).to_be_disabled()
        other.goto("/")
        expect(other.locator(".listed", has=other.locator(f'[href="/t/{on}"]')).locator(".tag")).to_have_text(
            "Rests: the server lacks the key to its cards"
        )
        server.kill()
        key.write_bytes(kept)
        server.start()
        expect(anna.find("#lost")).to_have_count(0)
        anna.answer()
        anna.context.close()
