"""Somebody who races with a coach and does as he says."""

from __future__ import annotations

import re

from playwright.sync_api import expect

from players_in_browser import Person

SPEAKS = """(seen) => {
  const thought = document.querySelector("#coach");
  const now = document.querySelector(".table-page")?.dataset.changed + " " + thought?.dataset.thought;
  return thought && now !== seen ? now : null;
}"""
WHOLLY_SEEN = """() => {
  const bubble = document.querySelector("#coach");
  const box = bubble.getBoundingClientRect();
  const within = (part, whole) =>
    part.left >= whole.left && part.top >= whole.top && part.right <= whole.right && part.bottom <= whole.bottom;
  const placed = bubble.dataset.thought === "end" || bubble.dataset.side;
  const texts = [...bubble.querySelectorAll("p, li, h2, dd, button")].filter((part) => part.checkVisibility());
  const parts = texts.map((part) => part.getBoundingClientRect());
  const screen = new DOMRect(0, 0, innerWidth, innerHeight);
  return placed && within(box, screen) && parts.every((part) => within(part, box));
}"""


def heard(person: Person, seen: str = "") -> str:
    """Wait until the coach says something else; the event and the thought."""
    return str(person.page.wait_for_function(SPEAKS, arg=seen).json_value())


def follow(person: Person, *, until: str = "end") -> list[str]:
    """Do as the coach says, until he has a certain thought; all that he said."""
    said, now = [], ""
    while True:
        now = heard(person, now)
        thought = now.partition(" ")[2]
        said.append(thought)
        person.page.wait_for_function(WHOLLY_SEEN)
        if thought == until:
            return said
        if thought == "advice":
            person.find("#coach-show").click()
            at = int(person.shown["changed"])
            person.find("#confirm").click()
            person.past(at)
        elif thought == "wall 0":  # the way through it is drawn, and the wall
            for drawn in (".coach-way", ".coach-wall"):
                expect(person.find(drawn)).to_have_attribute("d", re.compile("^M.*L"))
            person.find("#coach-on").click()
        elif thought == "move 0":  # he asks for the card itself, and nothing else leads on
            expect(person.find("#coach-on")).to_have_count(0)
            person.find('#hand [data-card="4"]').first.click()
        else:
            person.find("#coach-on").click()
