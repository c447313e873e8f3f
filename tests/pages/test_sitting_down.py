"""Sitting down in a real browser: a button that asks does not ask again before it is answered."""

from __future__ import annotations

from playwright.sync_api import Route, expect

from players_in_browser import Invite, Person

TWICE = "button => { button.click(); button.click(); }"


def asks_once(person: Person, what: str) -> None:
    """Two clicks on the same button are one request."""
    asked = list[str]()

    def note(route: Route) -> None:
        asked.append(route.request.url)
        route.continue_()

    person.page.route(f"**/{what}", note)
    person.find("#sit").evaluate(TWICE)
    expect(person.find("#sit")).to_have_count(0)
    assert len(asked) == 1


def test_whoever_clicks_twice_asks_for_a_seat_once(invite: Invite) -> None:
    anna, ben = invite(), invite()
    anna.lay([{"kind": "here", "name": "Anna"}, "friend", "friend"], away=None)
    ben.goto(anna.invitation())
    ben.find("#sit-name").fill("Ben")
    asks_once(ben, "sit")
    expect(ben.find(".tag.you")).to_have_count(1)
