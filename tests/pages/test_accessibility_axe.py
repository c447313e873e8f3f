"""Every page and every state of a table, held against WCAG 2.2 AA: by axe-core in light and dark, at 200 and 400 %."""

from __future__ import annotations

from typing import Any

from playwright.sync_api import ViewportSize, expect

from accessibility import examine, reflow
from players_in_browser import Invite, Person, race, race_unseen

FIRST_HOME = {"race_ends": "first_home"}
LAPTOP = ViewportSize(width=1280, height=720)
SIZES = {"400 %": (320, 568), "200 %": (720, 450)}  # of 1280 and of 1440 wide windows


class Inspector:
    """Looks at one state after another, and says at the end what was wrong."""

    def __init__(self) -> None:
        self.found: list[str] = []

    def look(self, person: Person, what: str) -> None:
        """By axe in the larger window, as the first state in words and beside the picture also in a small one."""
        self.found += examine(person.page, what)
        for width, height in SIZES.values():
            self.found += reflow(person.page, what, width, height)
        if what in ("your turn", "in words"):
            self.found += examine(person.page, f"{what}, small")
        person.page.set_viewport_size(LAPTOP)

    def content(self) -> None:
        assert self.found == [], "\n".join(sorted(set(self.found)))


def test_the_pages_around_the_table(invite: Invite) -> None:
    anna, inspector = invite(), Inspector()
    for path, there in {
        "/": "#learn",
        "/new": ".summary .button.primary",
        "/rules": "h1",
        "/rules/ausgebremst": "h1",
        "/privacy": "#forget",
        "/nowhere": "h1",
        "/api/docs": "h1, h2",
    }.items():
        anna.goto(path)
        expect(anna.find(there).first).to_be_visible()
        anna.page.wait_for_load_state("networkidle")
        inspector.look(anna, path)
    anna.forgiven = "404"
    inspector.content()


def test_a_table_before_and_during_a_race(invite: Invite) -> None:
    anna, inspector = invite(), Inspector()
    anna.lay([{"kind": "here", "name": "Anna"}, "friend", "scorpus"], hints=True, clock=600)
    anna.invitation()
    inspector.look(anna, "gathering")
    anna.find('[data-seat="0"] [aria-expanded]').click()
    inspector.look(anna, "gathering, seat open")
    anna.lay([{"kind": "here", "name": "Anna"}, "scorpus", "festina", "bibulus", "scorpus"], hints=True, clock=600)
    anna.begin()
    _question, offer = anna.called_to_drive()
    inspector.look(anna, "your turn")
    anna.page.keyboard.press("t")
    expect(anna.find(".text-page")).to_be_visible()
    inspector.look(anna, "in words")
    anna.page.keyboard.press("t")
    expect(anna.find(".text-page")).to_have_count(0)
    anna.find(f'#hand [data-card="{offer["card"]}"]').first.click()
    inspector.look(anna, "a card chosen")
    anna.find("#hint").click()
    expect(anna.find("#hinted")).to_be_visible()
    inspector.look(anna, "hint")
    anna.find("#pause").click()
    expect(anna.find("#paused")).to_be_visible()
    inspector.look(anna, "paused")
    anna.find("#resume").click()
    expect(anna.find("#paused")).to_have_count(0)
    anna.find("#help").click()
    expect(anna.find("#help-dialog")).to_be_visible()
    inspector.look(anna, "help")
    anna.find("#tab-prefs").click()
    expect(anna.find("#pref-theme")).to_be_visible()
    inspector.look(anna, "preferences")
    anna.page.keyboard.press("Escape")
    expect(anna.find("#help-dialog")).to_have_count(0)
    anna.page.keyboard.press("Escape")  # so that no card is chosen any more
    expect(anna.find("#hand .chosen")).to_have_count(0)
    race(anna, manner="cards", until=lambda: bool((anna.shown["question"] or {}).get("refused")))
    inspector.look(anna, "a card refused")
    inspector.content()


def test_tables_with_curtains_votes_decks_and_piles(invite: Invite) -> None:
    anna, inspector = invite(), Inspector()
    anna.lay([{"kind": "here", "name": "Anna"}, {"kind": "here", "name": "Ben"}])
    anna.begin()
    expect(anna.find("#curtain")).to_be_visible()
    inspector.look(anna, "curtain")
    anna.lay(["here", "scorpus"], options={"riderless_count": "1", "riderless_moves": "vote"})
    anna.begin()
    race(anna, until=lambda: (anna.shown["question"] or {}).get("asks") == "vote")
    inspector.look(anna, "vote")
    anna.lay(["here", "scorpus"], edition="ausgebremst", course="yellow")
    anna.begin()
    asked: set[str] = set()
    at = anna.past(-1)
    while asked < {"deck", "sort", "draw"}:
        if anna.on_turn == 0:
            question = anna.called(at)
            if question["asks"] not in asked:
                inspector.look(anna, question["asks"])
            asked.add(question["asks"])
            anna.answer(at)
        at = anna.past(at)
    inspector.content()


def past_caesar(question: dict[str, Any]) -> Any:
    offers = question["offers"]
    past = [offer for offer in offers if offer["disqualifies"]]
    return next(iter([*past, *(offer for offer in offers if not offer["pays"])]), offers[0])


def test_the_end_of_a_race_and_what_is_left_of_it(invite: Invite) -> None:
    anna, inspector = invite(), Inspector()
    anna.lay([{"kind": "here", "name": "Anna"}, "scorpus"], options={"tribute": "dishonour"})
    anna.begin()
    race_unseen(anna, choose=past_caesar)
    inspector.look(anna, "podium, disqualified")
    anna.find("#replay").click()
    expect(anna.find("#now")).to_be_visible()
    inspector.look(anna, "replay")
    anna.page.go_back()
    anna.find("#summary").click()
    expect(anna.find(".race-figures")).to_be_visible()
    inspector.look(anna, "summary")
    anna.lay(["scorpus", "festina"], tournament=True)
    anna.find("#begin").click()
    expect(anna.find("#next")).to_be_visible()
    inspector.look(anna, "podium of a tournament")
    while anna.shown["phase"] != "over":
        at = anna.past(-1)
        anna.find("#next").click()
        anna.past(at)
        expect(anna.find("#next, #rematch")).to_be_visible()
    inspector.look(anna, "triumph")
    inspector.content()


def test_the_lesson(invite: Invite) -> None:
    anna, inspector = invite(), Inspector()
    anna.lay(["here"], lesson=True)
    anna.begin()
    expect(anna.find("#coach")).to_be_visible()
    inspector.look(anna, "lesson")
    inspector.content()
