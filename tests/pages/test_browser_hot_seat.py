"""Several people at one screen, in a real browser: a curtain hides each hand from the others."""

from __future__ import annotations

import json

from playwright.sync_api import expect

from players_in_browser import Invite, Person, knows_only_what_he_may, race

NAMES = ("Anna", "Ben", "Cleo")


def hidden(screen: Person) -> None:
    """Nothing of a hand is on the page."""
    expect(screen.find("#curtain")).to_be_visible()
    expect(screen.find("[data-card], #hand, #offers, #refusals, .standing, .undrawn")).to_have_count(0)


def test_three_people_at_one_screen_see_their_own_hands_only(invite: Invite) -> None:
    screen = invite()
    screen.lay([{"kind": "here", "name": name} for name in NAMES], options={"race_ends": "first_home"})
    screen.begin()
    for _ in NAMES:
        hidden(screen)
        seat = screen.shown["curtain"]
        expect(screen.find("#curtain")).to_have_attribute("aria-label", f"{NAMES[seat]}, it is your turn")
        expect(screen.find("#curtain h2")).to_have_text(NAMES[seat])
        screen.find("#lift").click()
        expect(screen.find("#curtain")).to_have_count(0)
        cards = screen.find("#hand [data-card]")
        expect(cards).to_have_count(3)
        assert screen.shown["eyes"] == seat
        assert list(map(int, cards.all_inner_texts())) == list(screen.shown["hands"][0]["cards"])
        screen.find("#fall").click()
        hidden(screen)
        screen.answer()
        hidden(screen)
        assert screen.shown["curtain"] != seat
    race(screen)
    expect(screen.find("#podium")).to_be_visible()
    knows_only_what_he_may(screen)
    lifted = None
    for frame in screen.frames:
        if "table" not in frame or frame["table"]["phase"] != "racing":
            continue
        table = frame["table"]
        if table["curtain"] is not None:
            lifted = None
            assert (table["hands"], table["question"], table["eyes"]) == ([], None, None), json.dumps(table)
        elif table["eyes"] is not None:
            assert lifted in (None, table["eyes"])
            lifted = table["eyes"]
            assert table["race"]["chariots"][table["race"]["turn"]]["seat"] == lifted


def test_a_reload_lets_the_curtain_fall(invite: Invite) -> None:
    screen = invite()
    screen.lay([{"kind": "here", "name": name} for name in NAMES[:2]])
    screen.begin()
    screen.called()
    screen.read_answers()
    screen.page.reload()
    hidden(screen)
    screen.answer()
