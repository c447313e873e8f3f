"""The pictures of the pages in docs/: a real server, a real browser, and somebody who drives for a while."""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT / "tests"))

from browser import chromium  # noqa: E402
from players_in_browser import Person, race  # noqa: E402
from served import serving  # noqa: E402

WIDE, PHONE = {"width": 1440, "height": 900}, {"width": 390, "height": 780}
TURNS = 9  # driven before the table is drawn


def draw(person: Person, name: str) -> None:
    """Keep what somebody sees, in few colours where there is a tool for it."""
    file = ROOT / "docs" / f"browser-{name}.png"
    person.page.screenshot(path=file)
    if shutil.which("pngquant"):
        subprocess.run(["pngquant", "--force", "--output", file, file], check=True)


def main() -> None:
    """Draw all of them."""
    with tempfile.TemporaryDirectory() as folder, serving(Path(folder)) as server, chromium() as browser:
        livia = Person(browser, server.address)
        livia.page.set_viewport_size(WIDE)  # type: ignore[arg-type]
        livia.goto("/")
        livia.find(".hero img, .hero svg").first.wait_for()
        draw(livia, "lobby")
        livia.goto("/new")
        livia.find("form.plan").wait_for()
        draw(livia, "new-table")
        seats = [{"kind": "here", "name": "Livia", "colour": "white"}, "festina", "bibulus", "scorpus"]
        livia.lay(seats, course="white")
        livia.begin()
        race(livia, turns=TURNS)
        question, offer = livia.called_to_drive()
        livia.point(offer, question)
        draw(livia, "table")
        livia.page.set_viewport_size(PHONE)  # type: ignore[arg-type]
        draw(livia, "phone")
        livia.page.set_viewport_size(WIDE)  # type: ignore[arg-type]
        livia.page.keyboard.press("Escape")
        race(livia)
        livia.find("#podium").wait_for()
        draw(livia, "podium")
        livia.goto(f"/replay/{livia.shown['table']}.0?race=1&turn=60")
        livia.page.get_by_role("slider").wait_for()
        draw(livia, "replay")


if __name__ == "__main__":
    main()
