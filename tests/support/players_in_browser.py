"""People with browsers of their own, for tests of the pages: they lay tables, join by link, answer what they are asked.

    def test_it(invite: Invite) -> None:
        anna = invite()
        anna.lay(["here", "scorpus"])
        anna.begin()
        race(anna)

A person hears what his browser hears (every frame, every answer) and complains about whatever his browser complains
about: a company ends with the assertion that there was nothing. Nothing is waited for by the clock: the page tells
which event it has got to (`data-changed`), and people wait for that.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from typing import Any, Protocol

from playwright.sync_api import (
    Browser,
    BrowserContext,
    ConsoleMessage,
    Dialog,
    Error,
    Locator,
    Page,
    Request,
    Response,
    WebSocket,
    expect,
)

from browser import PATIENCE, visitor
from servers import Server, call, hear, tell

KEY = re.compile(r"\b[bhis]_[0-9A-Za-z_-]{16,}")
OWN_LINKS = ("/api/tables", "/links")  # who lays a table is told its invitation, who asks for a link is told the link

PAST = """(seen) => {
  const page = document.querySelector(".table-page:not(.offline)");
  return page && Number(page.dataset.changed) > seen ? { at: Number(page.dataset.changed) } : null;
}"""
CALLED = """(seen) => {
  const page = document.querySelector(".table-page:not(.offline, .sending)");
  if (!page || Number(page.dataset.changed) < seen) return null;
  if (document.querySelector("#lift:not([disabled])")) return "curtain";
  return document.querySelector("#question.called button:not([disabled], #ticker)") ? "question" : null;
}"""
INSIDE = """(space) => {
  const box = space.getBoundingClientRect();
  const parts = [6, 5, 7, 4, 8, 3, 9, 2, 10, 1, 11].map((part) => part / 12);
  for (const across of parts)
    for (const down of parts) {
      const at = [box.x + box.width * across, box.y + box.height * down];
      if (space.contains(document.elementFromPoint(...at))) return at;
    }
  return null;
}"""


def lay(context: BrowserContext, address: str, seats: Sequence[str | dict[str, Any]], **plan: Any) -> str:
    """Lay a table without a page: "here", "friend", the name of a driver, or a whole plan for each seat; its name."""
    kinds = [
        seat
        if isinstance(seat, dict)
        else {"kind": seat}
        if seat in ("here", "friend")
        else {"kind": "driver", "driver": seat}
        for seat in seats
    ]
    wish = {"pace": 0, "seats": kinds, **plan}
    answer = context.request.post("/api/tables", data=wish, headers={"Origin": address}, timeout=PATIENCE)
    assert answer.ok, answer.text()
    return str(answer.json()["table"])


def is_over(table: dict[str, Any]) -> bool:
    """Whether a table, as somebody is shown it, has had its race."""
    return bool(table["race"] and table["race"]["over"])


def first_offer(question: dict[str, Any]) -> Any:
    """What suggests itself."""
    return question["offers"][0]


def drive_unseen(
    address: str,
    table: str,
    keys: dict[str, str],
    until: Callable[[dict[str, Any]], bool] = is_over,
    choose: Callable[[dict[str, Any]], Any] = first_offer,
) -> bool:
    """Begin a race if need be and drive on without a page, with somebody's keys; whether it came to `until`."""
    with call(address, table, keys) as socket:
        shown = hear(socket, "whole")["table"]
        if shown["phase"] == "gathering":
            tell(socket, do="begin", id="begin", at=shown["changed"])
        while not until(shown):
            if is_over(shown):
                return False
            if shown["question"] is not None:
                at, move = shown["changed"], choose(shown["question"])["move"]
                tell(socket, do="move", id=f"at{at}", at=at, seat=shown["eyes"], move=move)
            shown = hear(socket, "whole", "news")["table"]
    return True


def keys_of(context: BrowserContext, address: str) -> dict[str, str]:
    """The headers with which a program comes as the person whose browser this is."""
    cookies = "; ".join(f"{cookie['name']}={cookie['value']}" for cookie in context.cookies())
    return {"Origin": address, "Cookie": cookies}


class Person:
    """Somebody with a browser of his own."""

    def __init__(self, browser: Browser, address: str, *, motion: bool = False, **device: Any) -> None:
        reduced = "no-preference" if motion else "reduce"
        self.context = visitor(browser, address, reduced_motion=reduced, **device)
        self.context.set_default_timeout(PATIENCE)
        self.address = address
        self.frames: list[dict[str, Any]] = []  # all messages of sockets that came
        self.sent: list[dict[str, Any]] = []  # and that went
        self.bodies: list[tuple[str, str]] = []  # all answers to requests: address and text
        self.shown: dict[str, Any] = {}  # the table as the last message showed it
        self.complaints: list[str] = []
        self.forgiven = ""  # what may be complained about, as a regular expression
        self._unread: list[Response] = []
        self.page = self.open_tab()

    def open_tab(self) -> Page:
        """Another tab, which is listened to like the first."""
        page = self.context.new_page()
        page.on("websocket", self._overhear)
        page.on("response", self._answered)
        page.on("console", self._grumble)
        page.on("pageerror", lambda error: self.complaints.append(f"error: {error}"))
        page.on("requestfailed", self._failed)
        page.on("dialog", self._startled)
        return page

    # ------------------------------------------------------------------ what he hears

    def _overhear(self, socket: WebSocket) -> None:
        socket.on("framereceived", self._hear)
        socket.on("framesent", lambda frame: self.sent.append(json.loads(frame)))

    def _hear(self, frame: str | bytes) -> None:
        message = json.loads(frame)
        self.frames.append(message)
        if message["is"] in ("whole", "news"):
            self.shown = message["table"]

    def _answered(self, response: Response) -> None:
        self._unread.append(response)
        if response.status >= 400:
            self.complaints.append(f"{response.status} {response.url}")

    def _grumble(self, message: ConsoleMessage) -> None:
        if message.type in ("error", "warning"):
            self.complaints.append(f"{message.type}: {message.text}")

    def _startled(self, dialog: Dialog) -> None:
        self.complaints.append(f"a dialog: {dialog.message}")
        dialog.dismiss()

    def _failed(self, request: Request) -> None:
        if request.failure != "net::ERR_ABORTED":  # the page itself wanted it no more
            self.complaints.append(f"{request.failure} {request.url}")

    def read_answers(self) -> None:
        """Take down what was answered since; to be done before a page is left, which forgets it."""
        for response in self._unread:
            with suppress(Error):  # a redirection, or nothing
                self.bodies.append((response.url.removeprefix(self.address), response.text()))
        self._unread.clear()

    def content(self) -> None:
        """See that there was nothing to complain about."""
        rest = [one for one in self.complaints if not (self.forgiven and re.search(self.forgiven, one))]
        assert rest == [], rest

    # ------------------------------------------------------------------ where he goes

    def goto(self, path: str) -> None:
        self.read_answers()
        self.page.goto(path)

    def find(self, selector: str, has_text: str | re.Pattern[str] | None = None) -> Locator:
        return self.page.locator(selector, has_text=has_text)

    def lay(self, seats: Sequence[str | dict[str, Any]], **plan: Any) -> str:
        """Lay a table, go there, and look until the board is painted."""
        table = lay(self.context, self.address, seats, **plan)
        self.goto(f"/t/{table}")
        expect(self.find(".painting svg, .text-page").first).to_be_attached()
        return table

    def say(self, words: str) -> None:
        self.find("#chat-input").fill(words)
        self.page.keyboard.press("Enter")
        self.page.keyboard.press("Escape")  # so that keys are moves again

    def begin(self) -> None:
        """Begin the race, as the host."""
        self.find("#begin").click()
        expect(self.find(".phase-racing")).to_be_visible()

    def invitation(self) -> str:
        """A link for a friend, made by the page."""
        self.find("#invite").click()
        return self.find("#invite-link").input_value()

    def join(self, link: str, name: str | None = None) -> None:
        """Open a link, and take a seat; in mid-race under the name that it has."""
        self.goto(link)
        if name is not None:
            self.find("#sit-name").fill(name)
        self.find("#sit").click()
        expect(self.find("#sit")).to_have_count(0)
        expect(self.find(".tag.you").first).to_be_visible()

    # ------------------------------------------------------------------ how he drives

    @property
    def on_turn(self) -> int | None:
        """The seat that must decide now; None: nobody's."""
        race = self.shown["race"]
        return None if race is None or race["turn"] is None else race["chariots"][race["turn"]]["seat"]

    def past(self, seen: int) -> int:
        """Wait until the page shows more than this event; which one it has got to."""
        at = int(self.page.wait_for_function(PAST, arg=seen).json_value()["at"])
        while int(self.shown.get("changed", -1)) < at:  # the page may know before we have overheard its message
            self.page.evaluate("0")
        return at

    def called(self, seen: int = 0) -> dict[str, Any]:
        """Wait until he is asked something, with a curtain lifted if there is one; what."""
        if self.page.wait_for_function(CALLED, arg=seen).json_value() == "curtain":
            self.find("#lift").click()
            expect(self.find("#curtain")).to_have_count(0)
            expect(self.find("#question.called")).to_be_visible()
        question: dict[str, Any] = self.shown["question"]
        return question

    def answer(self, seen: int = 0, manner: str = "keys", choose: Callable[[Any], Any] | None = None) -> int:
        """Decide what he is asked as it suggests itself, or as chosen, and wait until it stands; the event then."""
        question = self.called(seen)
        at = int(self.shown["changed"])
        self.point(choose(question) if choose else question["offers"][0], question, manner)
        if question["asks"] == "draw":
            pass  # the pile was all that there was to decide
        elif manner == "keys" and question["asks"] == "turn":
            self.page.keyboard.press("Enter")
        else:
            self.find("#confirm").click()
        return self.past(at)

    def point(self, offer: dict[str, Any], question: dict[str, Any], manner: str = "keys") -> None:
        """Point at an offer, without confirming it: by "keys", at "cards" first, or at the "board" first."""
        move = offer["move"]
        if question["asks"] == "sort":
            return
        if question["asks"] == "deck":
            self.find(f'[data-deck="{move["deck"]}"]').click()
        elif question["asks"] in ("draw", "lay"):
            self.find(f'button[data-pile="{move["pile"]}"]').click()
        elif question["asks"] == "vote" or offer["to"] is None:
            if len(question["offers"]) > 1:  # what is the only one is chosen already
                self.find(f'#question [data-offer="{offer["name"]}"]').click()
        elif manner == "keys":
            self._press(offer, question)
        else:
            self._click(offer, question, manner)

    def _press(self, offer: dict[str, Any], question: dict[str, Any]) -> None:
        """The card's number; then arrows through where it leads, if it leads to several places."""
        self.page.keyboard.press(str(offer["card"]))
        ways = [one["to"] for one in question["offers"] if one["card"] == offer["card"] and one["to"] is not None]
        if len(ways) > 1:
            for _ in range(ways.index(offer["to"]) + 1):
                self.page.keyboard.press("ArrowRight")

    def _click(self, offer: dict[str, Any], question: dict[str, Any], manner: str) -> None:
        card = f'#hand [data-card="{offer["card"]}"]'
        if manner == "cards":
            self.find(card).first.click()
            if sum(one["card"] == offer["card"] and one["to"] is not None for one in question["offers"]) > 1:
                self.find(f'#offers [data-offer="{offer["name"]}"]').click()
        else:
            self.click_space(offer["to"])
            if sum(one["to"] == offer["to"] for one in question["offers"]) > 1:
                self.find(card).first.click()

    def click_space(self, space: int | str) -> None:
        """Click on a space of the board, which is seldom a rectangle."""
        outline = self.find(f'[data-space="{space}"]').element_handle()  # it has none before the board is drawn
        x, y = self.page.wait_for_function(INSIDE, arg=outline).json_value()
        self.page.mouse.click(x, y)

    def called_to_drive(self) -> tuple[dict[str, Any], dict[str, Any]]:
        """Wait until he is asked to play a card and can; the question, and an offer that leads somewhere."""
        while not (driving := [offer for offer in self.called()["offers"] if offer["to"] is not None]):
            self.answer()
        return self.shown["question"], driving[0]


class Invite(Protocol):
    """Brings another person; `motion`: one who wants to see things move; `device`: what Playwright knows of his."""

    def __call__(self, address: str | None = None, *, motion: bool = False, **device: Any) -> Person: ...


@contextmanager
def company(browser: Browser, server: Server) -> Iterator[Invite]:
    """People who come when they are invited, and have nothing to complain about when they go."""
    people: list[Person] = []

    def invite(address: str | None = None, *, motion: bool = False, **device: Any) -> Person:
        people.append(Person(browser, address or server.address, motion=motion, **device))
        return people[-1]

    try:
        yield invite
        for person in people:
            person.content()
    finally:
        for person in people:
            person.context.close()


def race(
    *people: Person, manner: str = "keys", until: Callable[[], bool] | None = None, turns: int | None = None
) -> int:
    """Drive on together until the race is over, or until something, or so many answers; how many they gave."""
    watcher, answers = people[0], 0
    at = watcher.past(-1)
    while not watcher.shown["race"]["over"] and answers != turns and not (until and until()):
        seat = watcher.on_turn
        driver = next((person for person in people if seat in person.shown["yours"]), None)
        if driver is not None:
            driver.answer(at, manner)
            answers += 1
        at = watcher.past(at)
    return answers


def race_unseen(*people: Person, choose: Callable[[dict[str, Any]], Any] = first_offer) -> None:
    """Look elsewhere until the race is over, and come back to its podium.

    Meanwhile a program drives for each of them. A race in pages costs ten times as much as one without, and who only
    wants to see what is told at its end need not have watched it.
    """
    with ThreadPoolExecutor(len(people)) as programs:
        ends = []
        for person in people:
            keys, table, back = keys_of(person.context, person.address), person.shown["table"], person.page.url
            person.goto("about:blank")
            ends.append((person, back, programs.submit(drive_unseen, person.address, table, keys, choose=choose)))
        for person, back, end in ends:
            assert end.result()
            person.page.goto(back)
            expect(person.find("#podium")).to_be_visible()


def knows_only_what_he_may(person: Person) -> None:
    """See that nothing he was ever told holds a hand of somebody else's, a key, or a secret before its time."""
    tables = [message["table"] for message in person.frames if "table" in message]
    secrets = {table["race"]["secret"] for table in tables if table["race"] and table["race"]["secret"]}
    for table in tables:
        assert set(table["yours"]) >= ({table["eyes"]} - {None})
        for hand in table["hands"]:
            assert table["race"]["chariots"][hand["chariot"]]["seat"] == table["eyes"]
        if table["question"]:
            assert table["race"]["chariots"][table["question"]["chariot"]]["seat"] == table["eyes"]
        assert _hidden_words(table | {"hands": [], "question": None}) == []
    for secret in secrets:
        first = next(i for i, frame in enumerate(person.frames) if secret in json.dumps(frame))
        assert is_over(person.frames[first]["table"])
    person.read_answers()
    told = [json.dumps(frame) for frame in person.frames]
    told += [body for path, body in person.bodies if path.startswith("/api") and not path.endswith(OWN_LINKS)]
    assert [found[0] for text in told if (found := KEY.search(text))] == []


def _hidden_words(shown: Any) -> list[str]:
    """Names of fields that only a hand or a question may have."""
    if isinstance(shown, list):
        return [word for one in shown for word in _hidden_words(one)]
    if not isinstance(shown, dict):
        return []
    own = [name for name in shown if name in ("cards", "hand", "undrawn", "bottom", "offers", "refused", "to_sort")]
    return own + [word for one in shown.values() for word in _hidden_words(one)]
