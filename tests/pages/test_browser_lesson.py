"""The first race with a coach, in a real Chromium: followed, ignored, sent away, called back; on a phone's screen."""

from __future__ import annotations

import re
from typing import Any

from playwright.sync_api import ViewportSize, expect

from lesson_pupil import follow, heard
from players_in_browser import Invite, Person

PHONE = ViewportSize(width=360, height=640)
LESSONS = {"move", "exact", "six", "blocked", "wall", "spare", "alley"}
APART = """(both) => {
  const [one, other] = both.map((found) => document.querySelector(found).getBoundingClientRect());
  return one.right <= other.left || other.right <= one.left || one.bottom <= other.top || other.bottom <= one.top;
}"""


def lesson(person: Person) -> None:
    """Begin a lesson whose drivers lose no time."""
    person.lay(["here"], lesson=True)
    person.begin()


def learned(person: Person) -> int:
    return person.find(".coach-leaf.earned").count()


def test_a_pupil_on_a_phone_follows_the_coach_to_the_end_and_wins(invite: Invite) -> None:
    livia = invite()
    livia.page.set_viewport_size(PHONE)
    lesson(livia)
    said = follow(livia)
    assert {thought.partition(" ")[0] for thought in said} >= LESSONS | {"welcome", "paid", "advice", "end"}
    assert learned(livia) == len(LESSONS)
    expect(livia.find(".coach-sum dt")).to_have_text(["The alley", "A barred 6", "Points to spare"])
    me = next(chariot for chariot in livia.shown["race"]["chariots"] if chariot["seat"] == 0)
    assert me["place"] == 1

    old = livia.shown["table"]
    livia.find("#coach-real").click()
    livia.page.wait_for_url(lambda url: old not in url)
    livia.called()
    assert not livia.shown["plan"]["lesson"]
    expect(livia.find("#coach")).to_have_count(0)


def test_the_coach_holds_nobody_up_who_plays_as_he_likes(invite: Invite) -> None:
    marcus = invite()
    lesson(marcus)

    def contrary(question: dict[str, Any]) -> Any:
        others = [offer for offer in question["offers"] if offer["move"] != question["coaching"]["advised"]]
        return (others or question["offers"])[-1]

    at = 0
    said = set()
    while not marcus.shown.get("race") or not marcus.shown["race"]["over"]:
        marcus.called(at)
        said.add(heard(marcus).partition(" ")[2].partition(" ")[0])
        at = marcus.answer(at, choose=contrary)
        marcus.page.wait_for_function("() => document.querySelector('#question.called, #podium')")
    heard(marcus)
    expect(marcus.find("#coach")).to_have_attribute("data-thought", "end")
    assert said >= {"welcome", "exact", "spare"}
    expect(marcus.find("#podium")).to_be_visible()
    assert marcus.page.evaluate(APART, ["#coach", "#podium"])
    marcus.find("#coach-close").click()
    expect(marcus.find("#podium")).to_be_visible()
    expect(marcus.find("#coach")).to_have_count(0)


def test_the_coach_is_sent_away_called_back_and_found_again_from_the_lobby(invite: Invite) -> None:
    anna = invite()
    anna.goto("/")
    anna.find("#learn", "Learn by racing").click()
    follow(anna, until="six 0")
    before = learned(anna)
    assert before == 2

    anna.page.reload()
    follow(anna, until="six 0")
    assert learned(anna) == before

    anna.find("#coach-leave").click()
    expect(anna.find("#coach")).to_have_count(0)
    anna.page.reload()
    anna.called()
    expect(anna.find("#coach-call")).to_be_visible()
    expect(anna.find("#coach")).to_have_count(0)

    anna.goto("/")
    anna.find("#learn", "Go on with your first race").click()
    anna.find("#coach-call").click()
    expect(anna.find("#coach")).to_have_attribute("data-thought", "six 0")
    assert learned(anna) == before


def test_the_coach_is_heard_and_answered_by_keyboard_alone(invite: Invite) -> None:
    titus = invite()
    lesson(titus)
    now = heard(titus)
    expect(titus.find("#coach-live")).to_have_text(re.compile("Crescens: Ave!"))
    titus.page.keyboard.press("c")
    expect(titus.find("#coach-on")).to_be_focused()
    titus.page.keyboard.press("Enter")
    now = heard(titus, now)
    expect(titus.find("#coach-live")).to_have_text(re.compile("This 4 takes you 4 spaces"))
    titus.page.keyboard.press("4")
    heard(titus, now)
    titus.page.keyboard.press("c")
    expect(titus.find("#coach-show")).to_be_focused()
    titus.page.keyboard.press("Enter")
    expect(titus.find("#confirm")).to_be_enabled()
    expect(titus.find("#coach-ring")).to_be_visible()


def test_the_landing_page_shows_the_game_at_a_glance(invite: Invite) -> None:
    visitor = invite()
    visitor.page.set_viewport_size(PHONE)
    visitor.goto("/")
    expect(visitor.find(".glance li svg")).to_have_count(4)
    expect(visitor.find(".glance li p")).to_have_count(4)
    assert visitor.page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
