"""Races in a real browser: at once from the lobby, and with a friend who joins by link."""

from __future__ import annotations

import json
import re
from typing import Any

from playwright.sync_api import Route, expect

from players_in_browser import Invite, knows_only_what_he_may, race

MARKUP = "<img src=x onerror=a()>"
SAYING = '<script>alert("ave")</script><img src=x onerror=alert(1)><b id="bold">bold</b>'


def at_once(route: Route) -> None:
    """The computer's drivers do not pretend to think."""
    if route.request.method != "POST":
        return route.continue_()
    plan = json.loads(route.request.post_data or "{}")
    return route.continue_(post_data=json.dumps(plan | {"pace": 0}))


def driving(question: dict[str, Any]) -> Any:
    return next(offer for offer in question["offers"] if offer["to"] is not None)


def test_race_now_is_one_click_and_ends_on_the_podium(invite: Invite) -> None:
    anna = invite()
    anna.context.route("**/api/tables", at_once)
    anna.goto("/")
    anna.page.get_by_role("button", name="Race now").click()
    question = anna.called()
    assert question["asks"] == "turn"
    expect(anna.find("#hand [data-card]")).to_have_count(3)
    expect(anna.find("#status")).to_have_text("Your turn")
    assert race(anna) > 10
    expect(anna.find("#podium")).to_be_visible()
    expect(anna.find("#places tr")).to_have_count(4)
    expect(anna.find("#rematch")).to_be_enabled()
    expect(anna.find("#confirm")).to_have_count(0)


def test_chariots_run_along_their_way(invite: Invite) -> None:
    anna = invite(motion=True)
    anna.context.route("**/api/tables", at_once)
    anna.goto("/")
    anna.page.get_by_role("button", name="Race now").click()
    for _ in range(2):
        question, _ = anna.called_to_drive()
        chariot = anna.find(f"#board .chariot >> nth={question['chariot']}")
        before = chariot.get_attribute("transform")
        anna.answer(choose=driving)
        expect(chariot).not_to_have_attribute("transform", before or "")


def test_two_people_and_a_driver_race_to_the_podium_and_on_to_the_next_grid(invite: Invite) -> None:
    anna, ben = invite(), invite()
    anna.lay(["here", "friend", "scorpus"], tournament=True, title="<b>Circus</b>")
    expect(anna.find("#begin")).to_be_disabled()
    link = anna.invitation()
    table, token = link.split("#")
    ben.join(link, MARKUP)
    expect(ben.page).to_have_url(table)
    assert token not in ben.page.content()
    cookies = ben.context.cookies()
    assert [(cookie.get("name"), cookie.get("httpOnly"), cookie.get("sameSite")) for cookie in cookies] == [
        ("avecaesar", True, "Lax")
    ]
    assert ben.page.evaluate("() => document.cookie") == ""
    expect(anna.find('[data-seat="1"] .call')).to_have_text(MARKUP)
    anna.begin()
    ben.say(SAYING)
    for person in (anna, ben):
        expect(person.find("#story .said").last).to_have_text(re.compile(re.escape(f"{MARKUP} {SAYING}")))
        expect(person.find("#story img, #story script, #bold, #seats img")).to_have_count(0)
    race(anna, ben)
    for person in (anna, ben):
        expect(person.find("#podium")).to_be_visible()
        expect(person.find("#places tr")).to_have_count(3)
        expect(person.find("#standings tr")).to_have_count(3)
        expect(person.find("#podium img, #bold")).to_have_count(0)
        assert sorted(chariot["lap"] for chariot in person.shown["race"]["chariots"])[-1] >= 3
    ben.find("#next").click()  # he is ready, and waits for her
    expect(ben.find("#next")).to_be_disabled()
    expect(anna.find("#ready .ready-on b")).to_have_text(MARKUP)
    expect(anna.find("#podium")).to_be_visible()
    anna.find("#next").click()
    for person in (anna, ben):
        expect(person.find("#podium")).to_have_count(0)
        expect(person.find(".where")).to_contain_text("Race 2 of 4")
        expect(person.find("#board .chariot")).to_have_count(3)
    assert race(anna, ben, turns=2) == 2
    for person in (anna, ben):
        knows_only_what_he_may(person)
