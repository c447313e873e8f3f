"""Privacy and order in a real browser: being forgotten, hidden and erased sayings, a ban, closing, what is kept."""

from __future__ import annotations

from typing import Any

from playwright.sync_api import Page, expect

from players_in_browser import Invite, Person, race_unseen

PHONE = {"viewport": {"width": 360, "height": 740}, "has_touch": True}


def two(invite: Invite, **device: Any) -> tuple[Person, Person]:
    """A host and his guest, who have a table and have not begun."""
    anna, bruno = invite(**device), invite(**device)
    anna.lay([{"kind": "here", "name": "Anna"}, "friend"])
    bruno.join(anna.invitation(), "Bruno")
    return anna, bruno


def said(page: Page, words: str) -> Any:
    return page.locator("#story .said", has_text=words)


def test_a_saying_is_hidden_by_who_would_rather_not_hear_it_and_nobody_else_misses_it(invite: Invite) -> None:
    anna, bruno = two(invite)
    bruno.say("prattle")
    line = said(anna.page, "prattle")
    line.get_by_role("button", name="About what Bruno said").press("Enter")
    line.get_by_role("button", name="Hide what Bruno says").press("Enter")
    expect(said(anna.page, "prattle")).to_have_count(0)
    bruno.say("more prattle")
    expect(said(bruno.page, "more prattle")).to_have_count(1)
    anna.page.reload()
    expect(anna.find(".muted")).to_contain_text("Hidden: Bruno")  # it is remembered
    expect(said(anna.page, "prattle")).to_have_count(0)
    anna.find(".muted").get_by_role("button", name="Show what Bruno says").click()
    expect(said(anna.page, "prattle")).to_have_count(2)


def test_whoever_types_on_before_his_saying_has_arrived_loses_nothing(invite: Invite) -> None:
    anna, bruno = two(invite)
    bruno.page.evaluate("""() => {
      const send = WebSocket.prototype.send;
      WebSocket.prototype.send = function (data) { this.held = () => send.call(this, data); window.held = this; };
    }""")
    bruno.find("#chat-input").fill("first")
    bruno.page.keyboard.press("Enter")
    bruno.find("#chat-input").fill("and then")
    bruno.page.evaluate("() => { delete WebSocket.prototype.send; }")
    bruno.page.evaluate("() => window.held.held()")
    expect(said(anna.page, "first")).to_have_count(1)
    expect(said(bruno.page, "first")).to_have_count(1)
    bruno.page.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
    assert bruno.find("#chat-input").input_value() == "and then"


def test_a_saying_is_erased_for_everybody_and_at_once(invite: Invite) -> None:
    anna, bruno = two(invite)
    bruno.say("something rude")
    bruno.say("something kind")
    line = said(anna.page, "something rude")
    line.get_by_role("button", name="About what Bruno said").click()
    line.get_by_role("button", name="Erase this saying").click()
    for person in (anna, bruno):
        expect(said(person.page, "(erased)")).to_have_count(1)
        expect(said(person.page, "something rude")).to_have_count(0)
        expect(said(person.page, "something kind")).to_have_count(1)
    own = said(bruno.page, "something kind")
    own.get_by_role("button", name="About what Bruno said").click()
    expect(own.get_by_role("button", name="Hide what Bruno says")).to_have_count(0)
    own.get_by_role("button", name="Erase this saying").click()
    expect(said(anna.page, "(erased)")).to_have_count(2)


def test_the_host_bans_a_guest_who_is_told_and_closes_the_table(invite: Invite) -> None:
    anna, bruno = two(invite)
    anna.find("[data-seat='1']").get_by_role("button", name="Manage this seat").click()
    anna.find("#ban-1").click()
    expect(anna.find(".sure")).to_contain_text("Ban Bruno?")
    expect(anna.find(".sure .button", "No, go back")).to_be_focused()
    anna.page.keyboard.press("Escape")
    expect(anna.find("#ban-1")).to_be_focused()
    anna.find("#ban-1").click()
    anna.find("#ban-1-yes").click()
    expect(bruno.find("#order")).to_have_text("You were banned from this table. You may watch, but not sit down here.")
    expect(bruno.find("#sit")).to_have_count(0)
    expect(bruno.find("#story")).to_contain_text("The host has banned Bruno from this table.")
    anna.find("#help").click()
    anna.find("#tab-table").click()
    anna.find("#close-table").click()
    anna.find("#close-table-yes").click()
    for person in (anna, bruno):
        expect(person.find("#order")).to_contain_text("This table is closed.")
    anna.find("#erase-words").click()
    anna.find("#erase-words-yes").click()
    expect(bruno.find("#story")).to_contain_text("The host has erased all names and words")
    expect(bruno.find("[data-seat='0'] .call")).to_have_text("Nemo")
    expect(bruno.find("body")).not_to_contain_text("Anna")


def test_whoever_wants_to_be_forgotten_finds_the_way_from_the_lobby(invite: Invite) -> None:
    anna, bruno = two(invite, **PHONE)
    bruno.page.evaluate("sessionStorage.setItem('avecaesar.invitation.elsewhere', 'i_of-another-table')")
    bruno.goto("/")
    bruno.find(".foot").get_by_role("link", name="Privacy").click()
    expect(bruno.find("#keeping")).to_contain_text("after 90 days")
    bruno.page.reload()
    bruno.find("#forget").press("Enter")
    expect(bruno.find(".sure .button", "No, go back")).to_be_focused()
    bruno.find("#forget-yes").click()
    expect(bruno.find(".forget-told")).to_have_text("You are forgotten at 1 table.")
    expect(anna.find("[data-seat='1']")).to_contain_text("A free seat")
    expect(anna.find("body")).not_to_contain_text("Bruno")
    assert bruno.page.context.cookies() == []
    kept = "[...Object.keys(localStorage), ...Object.keys(sessionStorage)].filter((name) => /deals|invit/.test(name))"
    assert bruno.page.evaluate(kept) == []
    bruno.find("#forget").click()
    bruno.find("#forget-yes").click()
    expect(bruno.find(".forget-told")).to_have_text("There was nothing to forget.")
    bruno.goto("/")
    expect(bruno.find(".me-name input")).to_have_value("")


def test_a_race_says_how_long_it_is_kept_and_is_kept_while_it_is_shared(invite: Invite) -> None:
    anna, stranger = invite(), invite()
    table = anna.lay(["here", "scorpus"], pace=0)
    anna.begin()
    race_unseen(anna)
    expect(anna.find("#podium #keeping")).to_contain_text("This race is kept until")
    anna.goto(f"/race/{table}.0")
    expect(anna.find("#keeping")).to_contain_text("This race is kept until")
    anna.find("#copy").click()
    expect(anna.find("#keeping")).to_contain_text("You share this race: it is kept until you stop.")
    stranger.goto(f"/replay/{table}.0")
    expect(stranger.find("#keeping")).to_contain_text("Somebody shares this race")
    expect(stranger.find("#keeping button")).to_have_count(0)
    anna.find("#unshare").click()
    expect(anna.find("#keeping")).to_contain_text("This race is kept until")
    anna.find("#keep").click()
    expect(anna.find("#unshare")).to_be_visible()
