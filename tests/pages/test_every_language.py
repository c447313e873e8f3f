"""Every page in every language, in a real Chromium: nothing is cut off, and nothing is left in English.

What is to be seen is brought about once; then each language looks at all of it, on a desk, a phone and a small phone.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, ViewportSize, expect

from avecaesar.drivers import CHARACTERS
from avecaesar.game.lineup import HORSES, NAMES
from avecaesar.rules import EDITIONS
from avecaesar.speech import LANGUAGES
from browser import PATIENCE, visitor
from checkout import TESTS
from page_texts import SAME, texts_of
from players_in_browser import drive_unseen, is_over, keys_of, lay
from servers import Server

SIZES = ((1440, 900), (360, 640), (320, 640))
OURS = ("Ave Caesar", "Wolfgang Riedesser", "Ave!", "Livia", "Crescens", "Felix", "Musa")
MARBLE = ("CIRCVS IN VALLE", "CIRCVS AD FLVMEN", "PARS A", "PARS B")
DRIVERS = [name.title() for name in CHARACTERS]
RULES = [name.replace("-", " ").title() for name in EDITIONS]
NAMED = (*OURS, *MARBLE, *DRIVERS, *NAMES, *HORSES, *RULES)
ANY_NAME = "|".join(map(re.escape, NAMED))

LOOK = (TESTS / "support" / "look.js").read_text("utf-8")


@dataclass(frozen=True)
class Place:
    """Something to be seen: where it is, what shows that it is there, and what is to be opened first."""

    name: str
    path: str
    shows: str
    opened: str = ""  # a script


OPEN_ALL = "() => document.querySelectorAll('details').forEach((one) => (one.open = true))"
HELP = "() => document.querySelector('#help').click()"
PHRASES = "() => document.querySelector('#phrases').click()"
PREFERENCES = """async () => {
  document.querySelector("#help").click();
  while (!document.querySelector("#tab-prefs")) await new Promise(requestAnimationFrame);
  document.querySelector("#tab-prefs").click();
}"""


@dataclass
class Circus:
    """A server with something going on, and the person who brought it about."""

    places: list[Place]
    state: Any  # cookies and what the browser remembers
    english: dict[str, set[str]] = field(default_factory=dict)  # what stands at each place


class Somebody:
    """Who lays tables and drives there, without a page; the pages that are looked at then are hers."""

    def __init__(self, context: BrowserContext, server: Server) -> None:
        self.context, self.server = context, server

    def lay(self, *seats: str, **plan: Any) -> str:
        livia = {"kind": "here", "name": "Livia"}
        return lay(self.context, self.server.address, [livia if seat == "here" else seat for seat in seats], **plan)

    def drive(self, table: str, until: Callable[[dict[str, Any]], bool]) -> str:
        """Begin, and do what suggests itself until something is so; nothing, if it never is."""
        address = self.server.address
        return table if drive_unseen(address, table, keys_of(self.context, address), until) else ""


def is_asked(table: dict[str, Any]) -> bool:
    return table["question"] is not None


def draws(table: dict[str, Any]) -> bool:
    return is_asked(table) and table["question"]["asks"] == "draw"


def is_blocked(table: dict[str, Any]) -> bool:
    return is_asked(table) and any(refused["blockers"] for refused in table["question"]["refused"])


def places(livia: Somebody) -> Iterator[Place]:
    """Bring everything about."""
    over = livia.drive(livia.lay("scorpus", "festina", "scorpus", tournament=True), until=is_over)
    yield Place("podium", f"/t/{over}", "#next")
    yield Place("replay", f"/replay/{over}.0?turn=9", "#now", OPEN_ALL)
    yield Place("summary", f"/race/{over}.0", ".race-poster h1")
    yield Place("gathering", f"/t/{livia.lay('here', 'friend', 'scorpus', options={'crash': 'yes'})}", "#begin")
    drivers = ("scorpus", "festina", "bibulus", "scorpus", "festina")
    races = (livia.drive(livia.lay("here", *drivers), until=is_blocked) for _ in range(9))
    blocked = next(filter(None, races))  # some races are over before she is
    yield Place("blocked", f"/t/{blocked}", "#question.called")
    yield Place("help", f"/t/{blocked}", "#question.called", HELP)
    yield Place("phrases", f"/t/{blocked}", "#question.called", PHRASES)
    yield Place("preferences", f"/t/{blocked}", "#question.called", PREFERENCES)
    yield Place("in words", f"/t/{blocked}?text=1", "#question.called")
    piles = livia.drive(livia.lay("here", "scorpus", "festina", edition="ausgebremst"), until=draws)
    yield Place("piles", f"/t/{piles}?text=0", "#question.called")
    lesson = livia.drive(livia.lay("here", lesson=True), until=is_asked)
    yield Place("lesson", f"/t/{lesson}", "#coach")
    yield Place("rules", "/rules/ausgebremst", "main h1", OPEN_ALL)
    yield Place("privacy", "/privacy", "#forget", OPEN_ALL)
    yield Place("new table", "/new", ".summary .button.primary", OPEN_ALL)
    yield Place("lobby", "/", ".listing li")
    yield Place("nowhere", "/nowhere", ".whole-page h1")


@pytest.fixture(scope="module")
def server(own_server: Server) -> Server:
    return own_server


@pytest.fixture(scope="module")
def circus(browser: Browser, server: Server) -> Circus:
    with visitor(browser, server.address, reduced_motion="no-preference") as context:
        return Circus(list(places(Somebody(context, server))), context.storage_state())


# ---------------------------------------------------------------------- looking

MEANT = ".group select"  # a house rule is a sentence: its list tells it in full
# A page that has just become narrow may still be too wide or too high for some frames, until it is laid out anew; a
# table is as high as the window.
DRAWN = """async () => {
  const page = document.scrollingElement;
  const frame = () => new Promise(requestAnimationFrame);
  const table = document.body.dataset.page === "table";
  const late = () => page.scrollWidth > page.clientWidth || (table && document.body.clientHeight !== innerHeight);
  await document.fonts.ready;
  for (let frames = 2; frames > 0 || (frames > -60 && late()); frames--) await frame();
}"""
CODES = re.compile(  # numerals, clauses, spaces and moves in notation, seals, keys
    r"\b(?:[IVX]+|[A-Z]+-\d+|\d*[A-Z]\d+[a-d]|\d*alley\d|\dhome|[0-9a-f]{8,}|Esc|Enter)\b|-\(\w+\)"
)


def look(page: Page, place: Place, sizes: tuple[tuple[int, int], ...] = SIZES) -> tuple[set[str], list[str]]:
    """All that is told at a place, and what is wrong there."""
    told: set[str] = set()
    wrong = []
    page.set_viewport_size(ViewportSize(width=sizes[0][0], height=sizes[0][1]))
    page.goto(place.path)
    expect(page.locator(place.shows).first).to_be_visible()
    if place.opened:
        page.evaluate(place.opened)
    for width, height in sizes:
        page.set_viewport_size(ViewportSize(width=width, height=height))
        page.evaluate(DRAWN)
        seen = page.evaluate(LOOK, [ANY_NAME, MEANT])
        told |= set(seen["told"])
        wrong += [f"{place.name} at {width}: {what}" for what in seen["wrong"]]
    return told, wrong


@pytest.fixture
def page(browser: Browser, server: Server, circus: Circus, language: str) -> Iterator[Page]:
    """A tab of the same person, who speaks a language."""
    kept = [{"name": "avecaesar.language", "value": json.dumps(language)}]
    state = circus.state | {"origins": [{"origin": server.address, "localStorage": kept}]}
    with visitor(browser, server.address, storage_state=state) as context:
        context.set_default_timeout(PATIENCE)
        yield context.new_page()


def in_english(told: set[str], english: set[str], language: str) -> set[str]:
    """What is told as it is in English, names, codes and words apart that are the same."""
    same = set()
    alike = {text for path, (_, text) in texts_of(language).items() if path in SAME[language]}
    alike |= {"1 minute", "5 minutes"} if language == "fr" else set()
    for text in told & english - alike:
        rest = CODES.sub("", re.sub(ANY_NAME, "", text))
        if re.search(r"[^\W\d_]{2}", rest):
            same.add(text)
    return same


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_page_has_room_for_every_language_and_speaks_no_other(page: Page, circus: Circus, language: str) -> None:
    wrong = []
    for place in circus.places:
        told, cut = look(page, place)
        expect(page.locator("html")).to_have_attribute("lang", language)
        broken = [text for text in told if re.search(r"undefined|NaN|\[object|\$\{", text)]
        english = circus.english.setdefault(place.name, told if language == "en" else set())
        left = set() if language == "en" else in_english(told, english, language)
        wrong += [*cut, *(f"{place.name}: “{text}” is no word of this language" for text in {*broken, *left})]
    assert wrong == [], "\n".join(wrong)
