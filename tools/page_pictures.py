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
sys.path.insert(0, str(ROOT / "tests" / "support"))

from browser import chromium  # noqa: E402
from lesson_pupil import follow  # noqa: E402
from network_faults import wired  # noqa: E402
from players_in_browser import Person, race  # noqa: E402
from servers import Server, serving  # noqa: E402

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
FOUR: list[Any] = [LIVIA, "festina", "bibulus", "scorpus"]


class Studio:
    """Where people are drawn in front of their pages."""

    def __init__(self, browser: Browser, server: Server) -> None:
        self.browser, self.server = browser, server

    @contextmanager
    def person(self, device: Any = WIDE, address: str = "", **more: Any) -> Iterator[Person]:
        """Somebody with a browser of his own."""
        somebody = Person(self.browser, address or self.server.address, **device, locale="en", **more)
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


def drive(person: Person, met: Callable[[dict[str, Any]], Any]) -> dict[str, Any]:
    """Drive on until a question is so, or the race is over; the question, or {}."""
    at = person.past(-1)
    while not person.shown["race"]["over"]:
        if person.on_turn in person.shown["yours"]:
            question = person.called(at)
            if met(question):
                return question
            person.answer(at)
        if not person.shown["race"]["over"]:
            at = person.past(at)
    return {}


@contextmanager
def come_to(
    studio: Studio, met: Callable[[dict[str, Any]], Any], seats: list[Any], device: Any = WIDE, **plan: Any
) -> Iterator[tuple[Person, dict[str, Any]]]:
    """Somebody before a question that is so, in the first race in which it is asked."""
    for _ in range(9):
        with studio.person(device) as livia:
            livia.lay(seats, **plan)
            livia.begin()
            if question := drive(livia, met):
                yield livia, question
                return
    raise RuntimeError(f"none of nine races came to what is to be drawn: {met.__name__}")


def moving(question: dict[str, Any]) -> list[Any]:
    return [offer for offer in question["offers"] if offer["to"] is not None]


def disqualifying(question: dict[str, Any]) -> list[Any]:
    return [offer for offer in question["offers"] if offer["disqualifies"]]


def paying(question: dict[str, Any]) -> list[Any]:
    return [offer for offer in question["offers"] if offer["pays"]]


def in_the_way(question: dict[str, Any]) -> list[Any]:
    """The cards that others bar."""
    return [refused for refused in question["refused"] if refused["blockers"]]


def voting(question: dict[str, Any]) -> bool:
    return bool(question["asks"] == "vote")


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
        with come_to(studio, in_the_way, [*FOUR, "sibylla", "scorpus"], device, course="white") as (livia, question):
            livia.find(f'#hand [data-card="{in_the_way(question)[0]["card"]}"]').first.click()
            studio.draw(livia, name)


def alley(studio: Studio) -> None:
    """The coin is paid."""
    for name, device in (("alley-moment", WIDE), ("alley-moment-phone", PHONE)):
        with come_to(studio, paying, FOUR, device, course="white") as (livia, question):
            livia.page.emulate_media(reduced_motion="no-preference")
            livia.point(paying(question)[0], question, "cards")
            livia.find("#confirm").click()
            livia.find(".stage-cry.own").wait_for()
            studio.draw(livia, name, wait=100)


def photo(studio: Studio) -> None:
    """A close finish, as those see it who watch; in the first race that has one."""
    for suffix, device in (("", WIDE), ("-phone", PHONE)):
        for _ in range(12):
            with studio.person(device, motion=True) as livia:
                livia.lay(["scorpus"] * 4, course="white", pace=150)
                livia.find("#begin").click()
                livia.find(".stage-photo, #podium").first.wait_for(timeout=120_000)
                if livia.find(".stage-photo").count():
                    studio.draw(livia, f"photo-finish{suffix}", wait=300)
                    break


def podium(studio: Studio) -> None:
    """The podium, what the race was, and how it went."""
    for suffix, device in (("", WIDE), ("-phone", PHONE)):
        with studio.person(device) as livia:
            livia.lay([LIVIA, "festina", "scorpus", "bibulus"], course="white")
            livia.begin()
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
        livia.lay([LIVIA, "festina", "scorpus"], tournament=True, options={"race_ends": "first_home"})
        livia.begin()
        for following in range(4):
            race(livia)
            livia.find("#podium").wait_for()
            if following < 3:
                livia.find("#next").click()
                livia.find("#podium").wait_for(state="detached")
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
    plan = {"edition": "thibault", "options": {"riderless_moves": "vote"}}
    with come_to(studio, voting, [LIVIA, "scorpus", "festina"], **plan) as (livia, _):
        studio.draw(livia, "thibault-vote")
    for edition in ("fiche", "riassunto"):  # nothing can be played: what is said then
        five = [LIVIA, "scorpus", "festina", "bibulus", "sibylla"]
        with come_to(studio, lambda question: not moving(question), five, edition=edition) as (livia, _):
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
            for thought in ("welcome", "six 0", "wall 0", "spare 0", "alley 0", "end"):
                follow(livia, until=thought)
                studio.draw(livia, f"lesson-{thought.split()[0]}{suffix}")


def trouble(studio: Studio) -> None:
    """Somebody is disqualified; a line is lost."""
    plan = {"options": {"tribute": "dishonour"}}
    with come_to(studio, disqualifying, [LIVIA, "scorpus"], **plan) as (livia, question):
        at = livia.shown["changed"]
        livia.point(disqualifying(question)[0], question)
        studio.draw(livia, "disqualifying")
        livia.find("#confirm").click()
        livia.past(at)
        studio.draw(livia, "disqualified")
    with wired(studio.server) as wire, studio.person(address=wire.address) as livia:
        livia.lay(FOUR)
        livia.begin()
        race(livia, turns=4)
        livia.called()
        wire.cut()
        livia.find("#lost").wait_for()
        studio.draw(livia, "disconnected")


SCENES = (
    landing, lobby, new, gathering, table, phone, blocked, alley, photo, podium, triumph, editions, texts, rules,
    lesson, trouble,
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
