"""Who sits where, in a real browser: spectators, seats that change hands, second devices, drivers who are appointed."""

from __future__ import annotations

import re

from playwright.sync_api import expect

from players_in_browser import Invite, Person, knows_only_what_he_may, race, race_unseen

PLAYTHINGS = "#hand, #offers, #confirm, #hint, #pause, #chat-input, #next, #rematch, #begin, .manage"


def manage(host: Person, name: str) -> None:
    """Open what somebody may do about a seat."""
    host.find("#open-seats").click()
    expect(host.find(".help-seats [data-seat]", has_text=name)).to_be_visible()


def watches(person: Person) -> None:
    expect(person.find(".where")).to_contain_text("You are watching")
    expect(person.find(PLAYTHINGS)).to_have_count(0)
    assert person.shown["yours"] == []


def test_a_spectator_who_comes_late_sees_the_whole_story_and_no_hand(invite: Invite) -> None:
    anna, cleo = invite(), invite()
    table = anna.lay([{"kind": "here", "name": "Anna"}, "scorpus", "festina"], options={"race_ends": "first_home"})
    anna.begin()
    race(anna, turns=4)
    anna.called()
    cleo.goto(f"/t/{table}")
    expect(cleo.find("#board .chariot")).to_have_count(3)
    watches(cleo)
    assert cleo.find("#story .turn").all_inner_texts() == anna.find("#story .turn").all_inner_texts()
    expect(anna.find(".where")).to_contain_text("1 watcher")
    target = cleo.find("#board .target")
    expect(target).to_have_count(0)
    race_unseen(anna)
    expect(cleo.find("#podium")).to_be_visible()
    watches(cleo)
    assert all(frame["table"]["hands"] == [] for frame in cleo.frames if "table" in frame)
    knows_only_what_he_may(cleo)


def test_a_seat_is_freed_by_the_host_and_taken_by_somebody_else(invite: Invite) -> None:
    anna, ben, cleo, dora = invite(), invite(), invite(), invite()
    anna.lay([{"kind": "here", "name": "Anna"}, "friend", "friend"], away=None, options={"race_ends": "first_home"})
    invitation = anna.invitation()
    ben.join(invitation, "Ben")
    dora.join(invitation, "Dora")
    anna.begin()
    race(anna, ben, dora, turns=4)
    race(anna, ben, dora, until=lambda: anna.on_turn == 1)
    ben.called()
    manage(anna, "Ben")
    anna.find('[data-vacate="1"]').click()
    watches(ben)
    anna.find('[data-seat="1"] .manage button', has_text="Invite a friend").click()
    link = anna.find(".help-seats .link-made input").input_value()
    anna.find(".help-close").click()
    cleo.goto(link)
    expect(cleo.page).to_have_url(re.compile(r"/t/[^#]+$"))
    expect(cleo.find("#sit")).to_have_text("Ask to take over Ben’s chariot")
    cleo.find("#sit").click()
    expect(cleo.find(".sit-down")).to_contain_text("The others decide.")
    watches(cleo)  # a hand that was dealt to Ben
    for person in (anna, dora):
        watches(cleo)
        expect(person.find("#wish")).to_contain_text("Ben’s chariot in this race")
        person.find('#wish [data-do="agree"]').click()
        expect(person.find("#wish")).to_have_count(0)
    expect(cleo.find(".tag.you").first).to_be_visible()
    race(anna, cleo, dora, turns=6)
    race_unseen(anna, cleo, dora)
    assert any(sent["do"] == "move" for sent in cleo.sent)
    watches(ben)
    for person in (anna, cleo, dora):
        expect(person.find("#podium")).to_be_visible()
    for person in (anna, ben, cleo, dora):
        knows_only_what_he_may(person)


def test_the_same_person_drives_from_a_second_device(invite: Invite) -> None:
    anna, phone = invite(), invite()
    anna.lay([{"kind": "here", "name": "Anna"}, "scorpus"])
    anna.begin()
    anna.answer()
    manage(anna, "Anna")
    anna.find('[data-seat="0"] .manage button', has_text="Link for a second device").click()
    link = anna.find(".help-seats .link-made input").input_value()
    anna.find(".help-close").click()
    phone.page.set_viewport_size({"width": 390, "height": 780})
    phone.goto(link)
    at = phone.answer()
    anna.past(at - 1)
    at = anna.answer(at)
    expect(anna.find("#seats .devices")).to_have_text("2 devices")
    thief = invite()
    thief.goto(link)  # which has been opened
    thief.forgiven = "403"
    expect(thief.find(".whole-page")).to_contain_text("no longer good")
    manage(anna, "Anna")
    anna.find('[data-seat="0"] [data-do="shut_out"]').click()
    anna.find(".help-close").click()
    expect(anna.find("#seats .devices")).to_have_count(0)
    watches(phone)


def test_whoever_has_a_place_is_asked_before_a_link_to_another_seat_is_opened(invite: Invite) -> None:
    anna, ben = invite(), invite()
    anna.lay([{"kind": "here", "name": "Anna"}, "friend"], away=None)
    ben.join(anna.invitation(), "Ben")
    anna.begin()
    manage(ben, "Ben")
    ben.find('[data-seat="1"] .manage button', has_text="Link for a second device").click()
    link = ben.find(".help-seats .link-made input").input_value()
    anna.goto(link)
    expect(anna.find("#another-seat")).to_contain_text("You already have a place at this table")
    expect(anna.find("#another-no")).to_be_focused()
    anna.find("#another-no").click()
    expect(anna.find("#seats")).to_be_visible()
    assert anna.shown["yours"] == [0]
    anna.goto(link)  # which is still good
    anna.find("#another-yes").click()
    expect(anna.find("#seats .devices")).to_have_text("2 devices")


def test_the_host_appoints_a_driver_and_the_race_goes_on(invite: Invite) -> None:
    anna, ben = invite(), invite()
    anna.lay([{"kind": "here", "name": "Anna"}, "friend"], away=None)
    ben.join(anna.invitation(), "Ben")
    anna.begin()
    race(anna, ben, until=lambda: anna.on_turn == 1)
    manage(anna, "Ben")
    at = anna.shown["changed"]
    anna.find('[data-seat="1"] .appoint select').select_option("festina")
    anna.find('[data-appoint="1"]').click()
    anna.find(".help-close").click()
    watches(ben)
    anna.past(at)
    assert race(anna, turns=3) == 3
    expect(anna.find("#seats [data-chariot]", has_text="Ben")).to_contain_text("Festina")


def test_a_free_seat_is_given_to_the_computer_with_one_click(invite: Invite) -> None:
    anna = invite()
    anna.lay([{"kind": "here", "name": "Anna"}, "friend", "friend"])
    expect(anna.find("#begin")).to_be_disabled()
    for seat in (1, 2):
        anna.find(f'[data-fill="{seat}"]').click()
        expect(anna.find(f'[data-seat="{seat}"]')).to_contain_text("Bibulus")
    expect(anna.find("[data-fill]")).to_have_count(0)
    anna.begin()


def test_who_leaves_his_seat_watches_and_can_take_it_again_by_invitation(invite: Invite) -> None:
    anna, ben = invite(), invite()
    anna.lay([{"kind": "here", "name": "Anna"}, "friend"])
    link = anna.invitation()
    ben.join(link, "Ben")
    ben.find('[data-seat="1"] button').click()
    ben.find(".manage button", has_text="Leave the seat").click()
    expect(anna.find("#begin")).to_be_disabled()
    ben.join(link, "Benno")
    expect(anna.find('[data-seat="1"] .call')).to_have_text("Benno")
    expect(anna.find("#begin")).to_be_enabled()


def test_what_is_said_is_seen_on_a_phone_too(invite: Invite) -> None:
    anna, ben = invite(), invite(viewport={"width": 360, "height": 640}, has_touch=True, is_mobile=True)
    anna.lay([{"kind": "here", "name": "Anna"}, "friend"])
    ben.join(anna.invitation(), "Ben")
    anna.begin()
    expect(ben.find(".phase-racing")).to_be_visible()
    anna.say("Make way!")
    expect(ben.find("#bubble")).to_contain_text("Make way!")
    expect(ben.find(".bar-unread")).to_have_text("1")
    ben.find("#open-story").tap()
    expect(ben.find(".telling.open .said")).to_contain_text("Make way!")
    expect(ben.find("#bubble, .bar-unread")).to_have_count(0)
    ben.page.keyboard.press("Escape")
    race(anna, ben, turns=1, manner="cards")
    expect(ben.find("#ticker")).to_contain_text(re.compile("Anna|Ben"))
