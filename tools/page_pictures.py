"""The pictures of the pages in docs/pages/: a real server, a real browser, and people who race until there is something
to see.

    tools/page_pictures.py               # all of them, ten minutes
    tools/page_pictures.py table blocked # only these scenes
"""

from __future__ import annotations

import io
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from PIL import Image
from playwright.sync_api import Browser

ROOT = Path(__file__).parent.parent
FOLDER = ROOT / "docs" / "pages"
sys.path.insert(0, str(ROOT / "tests"))

from browser import chromium  # noqa: E402
from players_in_browser import Person, race  # noqa: E402
from served import Server, serving  # noqa: E402

WIDE = {"viewport": {"width": 1440, "height": 900}}
HUGE = {"viewport": {"width": 2560, "height": 1440}}
PHONE = {
    "viewport": {"width": 360, "height": 640},
    "device_scale_factor": 2,
    "has_touch": True,
    "is_mobile": True,
}
SETTLED = 900  # milliseconds until what comes in has come in
Plan = dict[str, Any]
LIVIA = {"kind": "here", "name": "Livia", "colour": "white"}
FOUR = [LIVIA, "festina", "bibulus", "scorpus"]


class Studio:
    """Where people are drawn in front of their pages."""

    def __init__(self, browser: Browser, server: Server) -> None:
        self.browser, self.server = browser, server

    @contextmanager
    def person(self, device: Any = WIDE, **more: Any) -> Iterator[Person]:
        """Somebody with a browser of his own."""
        somebody = Person(self.browser, self.server.address, **device, locale="en", **more)
        try:
            yield somebody
        finally:
            somebody.context.close()

    def draw(self, person: Person, name: str, *, wait: int = SETTLED, whole: bool = False) -> None:
        """Keep what somebody sees."""
        person.page.wait_for_timeout(wait)
        picture = Image.open(io.BytesIO(person.page.screenshot(full_page=whole)))
        picture.convert("RGB").save(FOLDER / f"{name}.webp", quality=82, method=6)
        print(f"docs/pages/{name}.webp", file=sys.stderr, flush=True)


def drive(person: Person, met: Callable[[dict[str, Any]], bool], choose: Any = None) -> dict[str, Any]:
    """Drive on until a question is so, or the race is over; the question, or {}."""
    at = person.past(-1)
    while not person.shown["race"]["over"]:
        if person.on_turn in person.shown["yours"]:
            question = person.called(at)
            if met(question):
                return question
            person.answer(at, choose=choose)
        if not person.shown["race"]["over"]:
            at = person.past(at)
    return {}


def moving(question: dict[str, Any]) -> list[Any]:
    return [offer for offer in question["offers"] if offer["to"] is not None]


def paying(question: dict[str, Any]) -> Any:
    """The offer that pays Caesar, if there is one; else what suggests itself."""
    return next((offer for offer in question["offers"] if offer["pays"]), question["offers"][0])


# ---------------------------------------------------------------------- scenes


def landing(studio: Studio) -> None:
    """The first page: at a glance, with tables, in the evening, on other screens."""
    for name, device, scheme in (
        ("landing", WIDE, "light"),
        ("landing-dark", WIDE, "dark"),
        ("landing-phone", PHONE, "light"),
        ("landing-huge", HUGE, "light"),
    ):
        with studio.person(device, color_scheme=scheme) as livia:
            livia.goto("/")
            livia.find(".glance li svg").first.wait_for()
            livia.page.wait_for_load_state("networkidle")
            studio.draw(livia, name)


def lobby(studio: Studio) -> None:
    """Tables to resume and to join."""
    with studio.person() as titus, studio.person() as livia:
        titus.lay([{"kind": "here", "name": "Titus"}, "friend", "scorpus"], open=True, title="Saturday’s circus")
        livia.lay(FOUR)
        livia.begin()
        race(livia, turns=4)
        livia.goto("/")
        livia.page.get_by_text("Saturday’s circus").first.scroll_into_view_if_needed()
        studio.draw(livia, "lobby")


def new(studio: Studio) -> None:
    """A table of one's own."""
    for name, device in (("new-table", WIDE), ("new-table-phone", PHONE)):
        with studio.person(device) as livia:
            livia.goto("/new")
            livia.find("form.plan").wait_for()
            studio.draw(livia, name)


def gathering(studio: Studio) -> None:
    """Waiting for friends."""
    with studio.person() as livia, studio.person(PHONE) as marcus:
        livia.lay([LIVIA, "friend", "friend", "scorpus"])
        link = livia.invitation()
        marcus.goto(link)
        marcus.find("#sit").wait_for()
        studio.draw(marcus, "joining-phone")
        marcus.join(link, "Marcus")
        studio.draw(livia, "gathering")


def table(studio: Studio) -> None:
    """A race under way, on every screen; a card that is blocked; a pause."""
    with studio.person() as livia:
        livia.lay(FOUR, course="white")
        livia.begin()
        race(livia, turns=9)
        question = drive(livia, lambda question: len(moving(question)) > 1)
        livia.point(moving(question)[0], question)
        studio.draw(livia, "table")
        livia.page.emulate_media(color_scheme="dark")
        studio.draw(livia, "table-dark")
        livia.page.emulate_media(color_scheme="light")
        livia.page.set_viewport_size(HUGE["viewport"])  # type: ignore[arg-type]
        studio.draw(livia, "table-huge")
        livia.page.set_viewport_size(WIDE["viewport"])  # type: ignore[arg-type]
        livia.page.keyboard.press("Escape")
        livia.find("#pause").click()
        studio.draw(livia, "paused")
        livia.find("#resume").first.click()


def phone(studio: Studio) -> None:
    """The same with one thumb."""
    with studio.person(PHONE) as livia:
        livia.lay(FOUR, course="white")
        livia.begin()
        race(livia, manner="cards", turns=9)
        question = drive(livia, lambda question: len(moving(question)) > 1)
        livia.point(moving(question)[0], question, "cards")
        studio.draw(livia, "table-phone")
        livia.page.emulate_media(color_scheme="dark")
        studio.draw(livia, "table-phone-dark")


def blocked(studio: Studio) -> None:
    """A card that cannot be played says why."""
    for name, device in (("blocked", WIDE), ("blocked-phone", PHONE)):
        with studio.person(device) as livia:
            livia.lay([LIVIA, "festina", "bibulus", "scorpus", "sibylla", "scorpus"], course="white")
            livia.begin()
            question = drive(livia, lambda question: any(one["blockers"] for one in question["refused"]))
            if question:
                card = next(one["card"] for one in question["refused"] if one["blockers"])
                livia.find(f'#hand [data-card="{card}"]').first.click()
                studio.draw(livia, name)


def alley(studio: Studio) -> None:
    """The coin is paid."""
    for name, device in (("alley-moment", WIDE), ("alley-moment-phone", PHONE)):
        with studio.person(device) as livia:
            livia.lay([LIVIA, "festina", "scorpus", "bibulus"], course="white")
            livia.begin()
            question = drive(livia, lambda question: any(offer["pays"] for offer in question["offers"]))
            livia.page.emulate_media(reduced_motion="no-preference")
            livia.point(paying(question), question, "cards")
            livia.find("#confirm").click()
            livia.find(".stage-cry.own").wait_for()
            studio.draw(livia, name, wait=100)


def photo(studio: Studio) -> None:
    """The first one is home; the podium, and what the race was."""
    for suffix, device in (("", WIDE), ("-phone", PHONE)):
        with studio.person(device) as livia:
            livia.lay([LIVIA, "festina", "scorpus", "bibulus"], course="white")
            livia.begin()
            near = lambda _: min(c["to_go"] for c in livia.shown["race"]["chariots"]) <= 8  # noqa: E731
            drive(livia, near, paying)
            livia.page.emulate_media(reduced_motion="no-preference")
            livia.page.evaluate(
                """() => new Promise((seen) => { window.photo = new MutationObserver(() => {
                  if (document.querySelector(".stage-photo")) document.body.dataset.photo = "taken";
                }); window.photo.observe(document.body, { childList: true, subtree: true }); seen(); })"""
            )
            while not livia.shown["race"]["over"] and not livia.find("body[data-photo]").count():
                if livia.on_turn in livia.shown["yours"]:
                    livia.answer(choose=paying)
                livia.page.wait_for_timeout(50)
            if livia.find(".stage-photo").count():
                studio.draw(livia, f"photo-finish{suffix}", wait=300)
            livia.page.emulate_media(reduced_motion="reduce")
            race(livia)
            livia.find("#podium").wait_for()
            studio.draw(livia, f"podium{suffix}")
            livia.page.emulate_media(color_scheme="dark")
            studio.draw(livia, f"podium{suffix}-dark")
            livia.page.emulate_media(color_scheme="light")
            livia.goto(f"/race/{livia.shown['table']}.0?race=1")
            livia.find(".chronicle, main svg").first.wait_for()
            studio.draw(livia, f"summary{suffix}", wait=2500, whole=True)
            livia.goto(f"/replay/{livia.shown['table']}.0?race=1&turn=60")
            livia.page.get_by_role("slider").wait_for()
            studio.draw(livia, f"replay{suffix}")


def triumph(studio: Studio) -> None:
    """The end of a tournament."""
    with studio.person() as livia:
        livia.lay([LIVIA, "festina"], courses=["white"], options={"race_ends": "first_home"})
        livia.begin()
        race(livia)
        livia.find("#podium").wait_for()
        studio.draw(livia, "triumph")


def editions(studio: Studio) -> None:
    """What only some editions ask."""
    with studio.person() as livia:
        livia.lay([LIVIA, "scorpus"], edition="ausgebremst")
        livia.begin()
        for _ in range(4):
            question = livia.called()
            studio.draw(livia, f"ausgebremst-{question['asks']}")
            if question["asks"] == "turn":
                break
            livia.answer(manner="cards")
    with studio.person(PHONE) as livia:
        livia.lay([LIVIA, "scorpus"], edition="ausgebremst")
        livia.begin()
        drive(livia, lambda question: question["asks"] == "sort")
        studio.draw(livia, "ausgebremst-sort-phone")
    with studio.person() as livia:
        livia.lay([LIVIA, "scorpus"], edition="pro-ludo", options={"chariots_each": "2"})
        livia.begin()
        race(livia, turns=4)
        livia.called()
        studio.draw(livia, "pro-ludo-teams")
    with studio.person() as livia:
        livia.lay([LIVIA, "scorpus", "festina"], edition="thibault", options={"riderless_moves": "vote"})
        livia.begin()
        if drive(livia, lambda question: question["asks"] == "vote"):
            studio.draw(livia, "thibault-vote")
    for edition in ("fiche", "riassunto"):
        with studio.person() as livia:
            livia.lay([LIVIA, "scorpus", "festina", "bibulus", "sibylla"], edition=edition)
            livia.begin()
            drive(livia, lambda question: not moving(question))
            studio.draw(livia, f"{edition}-missed")
    with studio.person() as livia:
        livia.lay([LIVIA, {"kind": "here", "name": "Marcus"}, "scorpus"])
        livia.begin()
        livia.find("#lift").wait_for()
        studio.draw(livia, "curtain")


def texts(studio: Studio) -> None:
    """The table in words."""
    for name, device in (("text-mode", WIDE), ("text-mode-phone", PHONE)):
        with studio.person(device) as livia:
            livia.lay(FOUR, course="white")
            livia.begin()
            race(livia, turns=6)
            livia.page.goto(f"{livia.page.url.partition('?')[0]}?text=1")
            livia.find(".text-sheet").wait_for()
            studio.draw(livia, name)


def rules(studio: Studio) -> None:
    """The rules of an edition."""
    for name, device, path in (
        ("rules", WIDE, "/rules/ravensburger"),
        ("rules-moving", WIDE, "/rules/ravensburger#MOV-2"),
        ("rules-phone", PHONE, "/rules/ravensburger#SIX-1"),
    ):
        with studio.person(device) as livia:
            livia.goto(path)
            livia.page.wait_for_load_state("networkidle")
            studio.draw(livia, name, wait=2000)


def lesson(studio: Studio) -> None:
    """The guided first race."""
    for suffix, device in (("", WIDE), ("-phone", PHONE)):
        with studio.person(device) as livia:
            livia.lay([LIVIA], lesson=True)
            livia.begin()
            livia.find("#coach").wait_for()
            studio.draw(livia, f"lesson-welcome{suffix}")
            seen = 0
            while livia.find("#coach").get_attribute("data-thought") != "end":
                thought = livia.find("#coach").get_attribute("data-thought") or ""
                if thought.split(" ")[0] in ("wall", "six", "alley", "spare"):
                    studio.draw(livia, f"lesson-{thought.split(' ')[0]}{suffix}")
                if livia.find("#coach-on").count():
                    livia.find("#coach-on").click()
                elif livia.find("#coach-show").count():
                    livia.find("#coach-show").click()
                    at = int(livia.shown["changed"])
                    livia.find("#confirm").click()
                    livia.past(at)
                livia.page.wait_for_timeout(150)
                seen += 1
                if seen > 400:
                    break
            studio.draw(livia, f"lesson-end{suffix}")


def trouble(studio: Studio) -> None:
    """Somebody is disqualified; a line is lost."""
    with studio.person() as livia:
        livia.lay([LIVIA, "scorpus"], options={"tribute": "dishonour"})
        livia.begin()

        def past(question: dict[str, Any]) -> Any:
            return next((offer for offer in question["offers"] if offer["disqualifies"]), question["offers"][0])

        shameful = drive(livia, lambda question: any(offer["disqualifies"] for offer in question["offers"]))
        if shameful:
            livia.point(past(shameful), shameful)
            studio.draw(livia, "disqualifying")
            livia.page.keyboard.press("Escape")
        livia.context.set_offline(True)
        livia.page.evaluate("dispatchEvent(new Event('offline'))")
        studio.draw(livia, "disconnected", wait=2500)


SCENES = (
    landing, lobby, new, gathering, table, phone, blocked, alley, photo, triumph, editions, texts, rules, lesson,
    trouble,
)  # fmt: skip


def main(wanted: list[str]) -> None:
    """Draw those that are wanted, or all."""
    FOLDER.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as folder, serving(Path(folder)) as server, chromium() as browser:
        for scene in SCENES:
            if not wanted or scene.__name__ in wanted:
                print(scene.__doc__, file=sys.stderr, flush=True)
                scene(Studio(browser, server))


if __name__ == "__main__":
    main(sys.argv[1:])
