"""What a race feels like, in a real browser: moments that come and go, and that say the same where nothing moves."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from playwright.sync_api import expect

from players_in_browser import Invite, Person, fixtures, race

browser, server, invite = fixtures()

STILL = "() => document.getAnimations().every((one) => one.playState === 'finished')"
PLAYED = "() => import(document.querySelector('script[type=module]').src.replace('app.js', 'lib/sounds.js'))"
# Writes down what is called out over the board, as soon as it is there.
HEARD = """() => {
  window.cries = [];
  new MutationObserver(() => {
    const found = document.querySelector(".stage-cry, .stage-photo");
    const cry = found ? `${found.className}: ${found.innerText}` : "";
    if (cry && cry !== window.cries.at(-1)) window.cries.push(cry);
  }).observe(document.body, { childList: true, subtree: true });
}"""


def hail(question: dict[str, Any]) -> Any:
    """The offer that pays Caesar, if there is one; else what suggests itself."""
    return next((offer for offer in question["offers"] if offer["pays"]), question["offers"][0])


def drive_until(person: Person, met: Callable[[], bool]) -> None:
    """Drive on, paying when it can be paid, until something is so or the race is over."""
    at = person.past(-1)
    while not met() and not person.shown["race"]["over"]:
        if person.on_turn in person.shown["yours"]:
            person.answer(at, choose=hail)
        if not person.shown["race"]["over"]:
            at = person.past(at)


def paid(person: Person) -> bool:
    mine = person.shown["yours"][0]
    return any(one["seat"] == mine and not one["coin"] for one in person.shown["race"]["chariots"])


def test_without_motion_everything_is_said_and_nothing_moves(invite: Invite) -> None:
    anna = invite()
    anna.lay(["here", "scorpus"], pace=0)
    anna.page.evaluate(HEARD)
    anna.begin()
    anna.called()
    drive_until(anna, lambda: paid(anna))
    assert paid(anna)
    expect(anna.find("#question.called")).to_be_visible()
    race(anna)
    expect(anna.find("#podium .step-1 svg")).to_be_visible()
    expect(anna.find("#to-you")).not_to_be_empty()
    expect(anna.find("#places tr")).to_have_count(2)
    cries = anna.page.evaluate("window.cries")
    assert any(cry.startswith("stage-cry ave own") and "coin" in cry for cry in cries), cries
    anna.page.wait_for_function(STILL)


def test_caesar_is_hailed_and_the_first_one_home_has_his_picture_taken(invite: Invite) -> None:
    anna = invite(motion=True)
    anna.lay(["here", "scorpus"], pace=0)
    anna.page.evaluate("localStorage.setItem('avecaesar.motion', '\"at once\"')")
    anna.page.reload()
    anna.page.evaluate(HEARD)
    anna.begin()
    anna.called()
    drive_until(anna, lambda: paid(anna))
    expect(anna.find(".stage-cry.own")).to_have_count(0)
    race(anna)
    expect(anna.find("#podium")).to_be_visible()
    expect(anna.find(".stage-cry, .stage-photo")).to_have_count(0)
    cries = anna.page.evaluate("window.cries")
    assert any(cry.startswith("stage-cry ave own") for cry in cries), cries
    assert any(cry.startswith("stage-photo") for cry in cries), cries


def test_who_mutes_the_page_hears_nothing_now_and_next_time(invite: Invite) -> None:
    anna = invite()
    anna.lay(["here", "scorpus"], pace=0)
    anna.begin()
    anna.called()
    played = f"async () => (await ({PLAYED})()).played.length"
    assert anna.page.evaluate(played) > 0
    anna.page.get_by_role("button", name="Sound is on").click()
    before = anna.page.evaluate(played)
    anna.answer(manner="cards")
    anna.called()
    assert anna.page.evaluate(played) == before
    anna.page.reload()
    anna.called()
    anna.answer(manner="cards")
    anna.called()
    assert anna.page.evaluate(played) == 0
