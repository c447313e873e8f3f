"""The rules page in a real browser: every edition opens, little races run, clauses can be linked to."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from avecaesar.rules import EDITIONS, clauses
from browser import visitor
from players_in_browser import Invite
from servers import Server


class reader:  # noqa: N801  # reads as what it gives
    """A tab of somebody who must not find anything in its console."""

    def __init__(self, browser: Browser, server: Server, **more: Any) -> None:
        self.context = visitor(browser, server.address, **{"reduced_motion": "no-preference"} | more)
        self.complaints: list[str] = []

    def __enter__(self) -> Page:
        tab = self.context.new_page()
        tab.on("console", lambda message: self.complaints.append(message.text))
        tab.on("pageerror", lambda error: self.complaints.append(str(error)))
        return tab

    def __exit__(self, *failed: object) -> None:
        self.context.close()
        if failed[0] is None:
            assert self.complaints == []


def opened(page: Page, path: str) -> None:
    page.goto(path)
    expect(page.locator(".rb")).to_be_visible()


@pytest.mark.parametrize("edition", EDITIONS)
def test_an_editions_page_shows_its_clauses_with_their_little_races(
    browser: Browser, server: Server, edition: str
) -> None:
    with reader(browser, server, reduced_motion="reduce") as page:
        opened(page, f"/rules/{edition}")
        for clause in clauses().values():
            expect(page.locator(f".rb-part #{clause.id}")).to_have_count(
                int(edition in clause.editions or on_agreement(clause.id, edition))
            )
        scenes = page.request.get(f"/api/rules/{edition}").json()["scenes"]
        expect(page.locator(".rb-scene")).to_have_count(len(scenes))
        expect(page.locator(".rb-scene:not(:has(.chariot))")).to_have_count(0)


def on_agreement(clause: str, edition: str) -> bool:
    return not clauses()[clause].editions and not (clause == "TRI-5" and edition == "ausgebremst")


def test_a_little_race_runs_while_it_is_seen_and_can_be_stopped(browser: Browser, server: Server) -> None:
    with reader(browser, server) as page:
        opened(page, "/rules#SIX-1")
        scene = page.locator('.rb-scene[data-clause="SIX-1"]')
        expect(scene).to_have_attribute("data-playing", "true")
        expect(scene).to_have_attribute("data-beat", "2")
        expect(scene.locator("[aria-current=step]")).to_contain_text("Aulus plays 2")
        scene.get_by_role("button", name="Pause").click()
        expect(scene).to_have_attribute("data-playing", "false")
        at = int(scene.get_attribute("data-beat") or "")
        scene.get_by_role("button", name="Next step").click()
        expect(scene).to_have_attribute("data-beat", str((at + 1) % 4))
        expect(page.locator('.rb-scene[data-clause="NPC-1"]')).to_have_attribute("data-playing", "false")


def test_who_wants_no_motion_sees_the_best_moment_and_steps_by_hand(browser: Browser, server: Server) -> None:
    with reader(browser, server, reduced_motion="reduce") as page:
        opened(page, "/rules#SIX-1")
        scene = page.locator('.rb-scene[data-clause="SIX-1"]')
        expect(scene).to_have_attribute("data-playing", "false")
        expect(scene).to_have_attribute("data-beat", "1")
        expect(scene.locator(".rb-cross")).to_be_visible()
        scene.get_by_role("button", name="Next step").click()
        expect(scene).to_have_attribute("data-beat", "2")


def test_a_link_leads_to_its_clause_and_clauses_lead_to_each_other(browser: Browser, server: Server) -> None:
    with reader(browser, server, reduced_motion="reduce") as page:
        opened(page, "/rules/riassunto#TRI-4")
        expect(page.locator("#TRI-4")).to_be_in_viewport()
        expect(page.locator("#TRI-4")).to_have_class("rb-clause is-target")
        page.locator("#TRI-4 .rb-words p").get_by_role("link", name=clauses()["TRI-3"].title).click()
        expect(page.locator("#TRI-3")).to_be_in_viewport()
        expect(page).to_have_url(f"{server.address}/rules/riassunto#TRI-3")
        page.get_by_role("navigation", name="Contents").get_by_role("link", name="Laurels").click()
        expect(page.locator("#laurels h2")).to_be_in_viewport()


def test_one_goes_from_edition_to_edition_and_reads_what_differs(browser: Browser, server: Server) -> None:
    with reader(browser, server, reduced_motion="reduce") as page:
        opened(page, "/rules")
        page.get_by_role("navigation", name="Editions").get_by_role("link", name="Riassunto").click()
        expect(page.locator('.rb[data-edition="riassunto"]')).to_be_visible()
        ends = page.locator(".rb-difference").filter(has_text="when the race is over")
        expect(ends.locator(".is-own")).to_contain_text("when the first is home")
        expect(ends.locator("td.is-other")).to_have_count(5)
        expect(page.locator(".rb-compare thead th")).to_have_count(len(EDITIONS))
        expect(page.locator("#SIX-2")).to_have_count(0)


def test_an_edition_that_there_is_not_is_told_in_a_sentence(browser: Browser, server: Server) -> None:
    with visitor(browser, server.address, reduced_motion="no-preference").new_page() as page:
        page.goto("/rules/nonsense")
        expect(page.get_by_role("alert")).to_have_text("there is no edition of that name")


@pytest.mark.parametrize("width", [360, 720])  # 720 points at 200 % are 360
def test_nothing_is_wider_than_a_phone(browser: Browser, server: Server, width: int) -> None:
    scale = width / 360
    with reader(
        browser, server, reduced_motion="reduce", viewport={"width": 360, "height": 640}, device_scale_factor=scale
    ) as page:
        opened(page, "/rules/ausgebremst")
        assert page.evaluate("document.documentElement.scrollWidth") <= 360


def test_what_is_refused_at_the_table_leads_to_its_clause(invite: Invite) -> None:
    anna = invite()
    anna.lay(["here", "scorpus"], edition="fiche")
    anna.begin()
    question, _ = anna.called_to_drive()
    reached = {offer["to"] for offer in question["offers"]}
    anna.click_space(next(space for space in range(60) if space not in reached))
    tag = anna.find("#refusals .asked .clause")
    with anna.page.expect_popup() as popup:
        tag.click()
    expect(popup.value.locator(".rb-clause.is-target .rb-own")).to_have_text(tag.inner_text())
    expect(popup.value.locator('.rb[data-edition="fiche"]')).to_be_visible()


def test_the_help_at_the_table_leads_to_its_rules(invite: Invite) -> None:
    anna = invite()
    anna.lay(["here", "scorpus"], edition="riassunto")
    anna.begin()
    anna.page.keyboard.press("?")
    expect(anna.find("#help-dialog #all-rules")).to_have_attribute("href", "/rules/riassunto")
