"""The form for a new table and the manners of a table, in a real browser: boards, clocks, pauses, rematches, keys."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import expect

from players_in_browser import Invite, race
from situations import PLAIN


def test_a_board_of_ones_own_is_checked_and_raced_on(invite: Invite) -> None:
    anna = invite()
    anna.forgiven = r"^400 .*/api/boards$|status of 400"
    anna.goto("/")
    anna.page.get_by_label("Your name").fill("Anna")
    anna.page.get_by_role("link", name="New table").click()
    form = anna.find("form.plan")
    form.locator(".part-head", has_text="Who drives").click()
    form.locator(".part-head", has_text="Course").click()
    for number in (4, 3):
        form.get_by_role("button", name=f"Remove seat {number}").click()
    form.locator("summary", has_text="A board of your own").click()
    board = form.locator('.own-board input[type="file"]')
    bad = PLAIN.read_text().replace("alley 5 line 3", "alley 5 line 9")
    board.set_input_files({"name": "bad.board", "mimeType": "text/plain", "buffer": bad.encode()})
    expect(form.locator(".own-board .trouble")).to_have_text(re.compile(r"^line \d+: .*alley"))
    board.set_input_files(PLAIN)
    expect(form.locator(".own-board .fine")).to_contain_text("white, blue")
    form.locator(".part-head", has_text="How it is played").click()
    form.get_by_label("at once", exact=True).check()
    form.locator(".summary").get_by_role("button", name="Begin the race").click()
    anna.called()
    expect(anna.find("#board svg.play")).to_have_attribute("aria-label", re.compile("A board that tests can rely on"))
    expect(anna.find("#seats [data-chariot]", has_text="Anna")).to_be_visible()
    assert race(anna, turns=3, manner="board") == 3


def test_what_cannot_be_played_is_said_beside_the_form(invite: Invite) -> None:
    anna = invite()
    anna.goto("/new")
    form = anna.find("form.plan")
    form.locator(".part-head", has_text="House rules").click()
    form.locator(".group summary", has_text="Cards").click()
    hand = form.get_by_role("spinbutton", name="Cards in hand")
    hand.fill("9")
    expect(form.locator(".part .trouble")).to_have_text(re.compile(r"hand"))
    expect(form.locator(".summary button")).to_be_disabled()
    hand.fill("2")
    expect(form.locator(".summary button")).to_be_enabled()
    expect(form.locator(".summary .changed")).to_have_text("two cards in hand")
    form.locator(".part-head", has_text="Course").click()
    form.get_by_role("radio", name="A tournament", exact=True).check()
    expect(form.locator(".schedule li")).to_have_count(4)
    form.locator(".part-head", has_text="How it is played").click()
    form.get_by_label("Clock for a turn").select_option("1 minute")
    form.locator(".summary").get_by_role("button", name="Begin the tournament").click()
    anna.called()
    expect(anna.find("#hand [data-card]")).to_have_count(2)
    expect(anna.find("#clock")).to_have_text(re.compile(r"[01]:\d\d"))
    expect(anna.find(".where")).to_contain_text("Race 1 of 4")


def test_an_open_table_is_found_in_the_lobby_and_joined(invite: Invite) -> None:
    anna, ben = invite(), invite()
    anna.lay([{"kind": "here", "name": "Anna"}, "friend"], open=True, title="Circus Maximus")
    ben.goto("/")
    ben.page.get_by_label("Your name").fill("Ben")
    table = ben.find(".listed", has_text="Circus Maximus")
    table.get_by_role("button", name="Join").click()
    expect(ben.find('[data-seat="1"] .call')).to_have_text("Ben")
    expect(anna.find('[data-seat="1"] .call')).to_have_text("Ben")
    anna.begin()
    race(anna, ben, turns=2)
    ben.goto("/")
    mine = ben.find(".listed", has_text="Circus Maximus")
    mine.get_by_role("link", name=re.compile("Resume|To your chariot")).click()
    race(anna, ben, turns=2)


def test_a_clock_that_runs_out_plays_a_move(invite: Invite) -> None:
    anna = invite()
    anna.lay([{"kind": "here", "name": "Anna"}, "scorpus"], clock=5)
    anna.begin()
    anna.called()
    at = anna.shown["changed"]
    expect(anna.find("#clock")).to_have_text(re.compile("0:0[0-5]"))
    anna.past(at)
    expect(anna.find("#story .turn", has_text="time ran out").first).to_contain_text("Anna")
    anna.answer(at + 1)


def test_a_race_rests_and_goes_on(invite: Invite) -> None:
    anna = invite()
    anna.lay([{"kind": "here", "name": "Anna"}, "scorpus"])
    anna.begin()
    anna.called()
    anna.find("#pause").click()
    expect(anna.find("#paused")).to_contain_text(f"{anna.shown['seats'][0]['name']} has paused the race")
    expect(anna.find("#question.called")).to_have_count(0)
    expect(anna.find("#hand [data-card]:enabled")).to_have_count(0)
    anna.find("#resume").click()
    expect(anna.find("#paused")).to_have_count(0)
    anna.answer()


def test_after_the_last_race_there_is_a_rematch(invite: Invite) -> None:
    anna = invite()
    anna.lay(["scorpus", "festina"])
    anna.find("#begin").click()
    expect(anna.find("#podium")).to_be_visible()
    at = anna.shown["changed"]
    anna.find("#rematch").click()
    anna.past(at)
    expect(anna.find("#podium")).to_be_visible()
    assert anna.shown["game"] == 1


def test_cards_and_spaces_are_chosen_in_either_order_and_what_cannot_be_is_explained(invite: Invite) -> None:
    anna = invite()
    anna.lay(["here", "scorpus"])
    anna.begin()
    for manner in ("cards", "board", "keys"):
        anna.answer(manner=manner)
    question, offer = anna.called_to_drive()
    reached = {offer["to"] for offer in question["offers"]}
    anna.click_space(next(space for space in range(60) if space not in reached))
    expect(anna.find("#refusals .asked")).to_have_text(re.compile(r"[A-Z]{3}-\d"))
    anna.point(offer, question, "cards")
    expect(anna.find("#confirm")).to_contain_text(offer["name"])
    expect(anna.find("#board .way")).to_have_count(1)
    anna.page.keyboard.press("Escape")
    expect(anna.find("#confirm")).to_be_disabled()
    anna.find("#hint").click()
    expect(anna.find("#hinted li").first).to_be_visible()
    anna.find("#hint").click()  # again: her best move is chosen
    best = anna.find("#hinted li b").first.inner_text()
    expect(anna.find("#confirm")).to_contain_text(best.removeprefix("★").strip())
    anna.find("#clear").click()
    anna.answer()


@pytest.mark.parametrize("tool", ["#hint", "header button.tool >> nth=0"])
def test_enter_plays_what_was_chosen_by_key_whichever_button_was_used_before(invite: Invite, tool: str) -> None:
    anna = invite()
    anna.lay(["here", "scorpus"])
    anna.begin()
    anna.called_to_drive()
    anna.find(tool).click()
    expect(anna.find("#hinted")).to_have_count(1 if tool == "#hint" else 0)
    anna.find(tool).focus()
    anna.answer()


def test_the_button_that_plays_stays_where_it_is_whatever_is_chosen(invite: Invite) -> None:
    anna = invite()
    anna.lay(["here", "scorpus", "festina"], hints=True)
    anna.begin()
    for width, height in ((1440, 900), (360, 640)):
        anna.page.set_viewport_size({"width": width, "height": height})
        expect(anna.find("#ticker")).to_be_visible(visible=width < 500)  # it is laid out anew
        for _ in range(2):
            question, _ = anna.called_to_drive()
            button = anna.find("#confirm")
            place = button.bounding_box()
            hand = anna.shown["hands"][0]["cards"]
            for card in {one["card"] for one in (*question["offers"], *question["refused"])} & set(hand):
                anna.page.keyboard.press("Escape")
                anna.page.keyboard.press(str(card))
                expect(anna.find(f'#hand .chosen[data-card="{card}"]')).to_be_visible()
                assert button.bounding_box() == place
            at = anna.shown["changed"]
            anna.page.keyboard.press("Escape")
            anna.answer(at)
            anna.past(at)


def as_advised(question: dict[str, Any]) -> dict[str, Any]:
    """The offer that the coach would take."""
    advised = question["coaching"]["advised"]
    return next(offer for offer in question["offers"] if offer["move"] == advised)


def test_a_blocked_card_names_those_in_its_way_and_the_board_shows_them(invite: Invite) -> None:
    """In a lesson, whose cards are always the same, it comes up for a pupil who does as he is told."""
    anna = invite()
    anna.lay(["here"], lesson=True)
    anna.begin()
    question = anna.called()
    while not (blocked := [one for one in question["refused"] if one["blockers"]]):
        question = anna.called(anna.answer(choose=as_advised))
    names = [anna.shown["race"]["chariots"][i]["name"] for i in blocked[0]["blockers"]]
    anna.page.keyboard.press(str(blocked[0]["card"]))
    for name in names:
        expect(anna.find("#refusals .asked")).to_contain_text(name)
    expect(anna.find(".in-the-way circle")).to_have_count(len(names))
    expect(anna.find("#confirm")).to_be_disabled()


def test_without_confirmation_the_last_click_is_the_move(invite: Invite) -> None:
    anna = invite()
    anna.lay(["here", "scorpus"])
    anna.begin()
    anna.called()
    anna.find("#help").click()
    anna.find("#tab-prefs").click()
    anna.find("#pref-confirm").uncheck()
    anna.find("#help-dialog").get_by_role("button", name="Close").click()
    expect(anna.find("#help-dialog")).to_have_count(0)
    for manner in ("cards", "board"):
        ways = 0
        while ways < 2:  # until a card could go more than one way, and two clicks were needed
            question, _ = anna.called_to_drive()
            cards = [one["card"] for one in question["offers"]]
            offer = max(question["offers"], key=lambda one: cards.count(one["card"]))
            ways = cards.count(offer["card"])
            at = anna.shown["changed"]
            anna.point(offer, question, manner)
            anna.past(at)
