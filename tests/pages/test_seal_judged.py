"""What the page works out of a deal, and keeps for it: the same lots as the server, and every lie is found."""

from __future__ import annotations

import json
from collections.abc import Callable
from copy import deepcopy
from typing import Any

import pytest

from avecaesar.drivers import Scorpus
from avecaesar.game import COLOURS, Lot, Race, Tournament, commitment_of
from avecaesar.game.tournament import turn_up
from avecaesar.records import Crew, record_of, seal_of, to_json
from in_node import Node

SECRET = bytes(range(32))
SHARES = [bytes([n]) * 16 for n in (1, 2, 3)]

DRAWN = """async ({ secret, shares, players }) => {
  const [lots, { sha256 }] = [await import("/static/lib/lots.js"), await import("@noble/hashes/sha2.js")];
  const chance = (purpose) => lots.chanceOf(sha256, secret, shares, purpose);
  const [deal, many] = [chance("deal"), Array.from({ length: 300 }, (_, n) => n % 256)];
  return {
    commitment: lots.commitmentOf(sha256, secret),
    decks: Array.from({ length: 40 }, () => lots.shuffled(deal, lots.DECK)),
    small: [1, 2, 3, 5, 200].map((n) => lots.shuffled(deal, many.slice(0, n))),
    grids: ["random", "high_card"].map((rule) => lots.firstGrid(chance("grid"), rule, players, 2)),
  };
}"""
JUDGED = """async ([pledge, race, players, record]) => {
  const [{ judge }, { sha256 }] = [await import("/static/table/seal.js"), await import("@noble/hashes/sha2.js")];
  return judge(sha256, pledge, race, players, record);
}"""


# ---------------------------------------------------------------------- the lots themselves


@pytest.mark.parametrize("players", [2, 5, 6])
def test_the_page_draws_the_same_lots_as_the_server(node: Node, players: int) -> None:
    secret, shares = SECRET, SHARES[: players - 2]
    drawn = node.evaluate(
        DRAWN, {"secret": secret.hex(), "shares": [share.hex() for share in shares], "players": players}
    )
    deck = [card for card in range(1, 7) for _ in range(4)]
    deal = Lot(secret, shares, "deal")
    assert drawn["commitment"] == commitment_of(secret)
    assert drawn["decks"] == [deal.sample(deck, 24) for _ in range(40)]
    assert drawn["small"] == [deal.sample(range(n), n) for n in (1, 2, 3, 5, 200)]
    order = Lot(secret, shares, "grid").sample(range(players), players)
    grid = Lot(secret, shares, "grid")
    first, _ = turn_up(players, lambda: grid.sample(deck, 24))
    assert drawn["grids"] == [order * 2, [(first + place) % players for place in range(2 * players)]]


# ---------------------------------------------------------------------- judging


class Case:
    """A race that is over, as the page knows it: what it saw before, what it is shown, and the record."""

    def __init__(self, players: int = 3, **wishes: Any) -> None:
        self.players = players
        games = Tournament([f"Driver {n}" for n in range(players)], **wishes)
        raced = games.next_race(Lot(SECRET, SHARES, "grid"), Lot(SECRET, SHARES, "deal"))
        self.hands, self.left = dict[str, list[str]](), dict[str, list[str]]()
        while not raced.over:
            self._see(raced)
            raced.play(Scorpus().choose(raced.view(raced.turn)) if raced.turn is not None else raced.legal_moves[0])
        seats: list[int | None] = [None] * len(raced.names)
        for chariot, seat in zip(raced.driven, games.grids[0], strict=True):
            seats[chariot] = seat % players
        colours = [str(colour) for colour in COLOURS]
        crews = [[Crew(colours[i], "human" if seat is not None else "riderless") for i, seat in enumerate(seats)]]
        edition = wishes.get("edition", "ravensburger")
        self.record = json.loads(to_json(record_of([raced], crews, edition, [seal_of(SECRET, SHARES)])))
        shares = [share.hex() for share in SHARES]
        self.race: dict[str, Any] = {
            "index": 0,
            "chariots": [
                {"name": name, "colour": colour, "seat": seat}
                for name, colour, seat in zip(raced.names, colours, seats, strict=False)
            ],
            "commitment": commitment_of(SECRET),
            "secret": SECRET.hex(),
            "shares": shares,
            "shared_by": [0, 1, 2],
            "shared_left": [False, False, False],
        }
        self.pledge: dict[str, Any] = {
            "commitment": commitment_of(SECRET),
            "changed": False,
            "shares": shares[:2],
            "given": [shares[1]],
            "offered": [shares[1]],
            "before": shares[:1],
            "people": [0, 1, 2],
            "mine": [1],
            "elsewhere": [],
            "hands": self.hands,
            "left": self.left,
            "named": [1],
            "sits": [1],
            "held": [1],
        }

    def _see(self, raced: Race) -> None:
        """What the page keeps of the cards that it is shown."""
        if raced.asks in ("deck", "sort"):
            return
        for i in raced.driven:
            view = raced.view(i)
            unseen = "".join(map(str, view.me.unseen))
            if unseen not in self.left.setdefault(str(i), []):
                self.left[str(i)].append(unseen)
            rest = (
                [".".join(map(str, view.me.piles))]
                if view.me.piles
                else ["".join(map(str, view.undrawn)), "".join(map(str, view.bottom))]
            )
            words = "|".join(["".join(map(str, sorted(view.hand))), *rest])
            if words not in self.hands.setdefault(str(i), []):
                self.hands[str(i)].append(words)

    def judged(self, node: Node) -> Any:
        return node.evaluate(JUDGED, [self.pledge, self.race, self.players, self.record])


@pytest.fixture(scope="module")
def honest() -> Case:
    return Case()


def test_an_honest_deal_is_found_true_and_everybodys_share_is_named(node: Node, honest: Case) -> None:
    found = honest.judged(node)
    assert (found["verdict"], found["lies"], found["doubts"]) == ("checked", [], [])
    assert [(one["seat"], one["mine"], one["later"]) for one in found["shares"]] == [
        (0, False, False),
        (1, True, False),
        (2, False, True),  # who gave it can have known the reader's
    ]


@pytest.mark.parametrize(
    "wishes",
    [
        {"edition": "ausgebremst"},
        {"options": {"first_grid": "random"}},
        {"options": {"chariots_each": 2}, "players": 2},
        {"options": {"riderless_count": 2}},
        {"edition": "ausgebremst", "options": {"riderless": "extra", "riderless_count": 1}},
        {"edition": "ausgebremst", "options": {"riderless_moves": "vote"}},
        {"options": {"draw": "end_of_round", "hand": 4}},
        {"options": {"missed_turn": "exchange", "crash": "yes"}, "players": 6},
        {"edition": "thibault", "options": {"riderless_moves": "vote", "missed_turn": "exchange"}},
        {"edition": "ausgebremst", "players": 2},
    ],
    ids=[
        "piles",
        "random-grid",
        "teams",
        "riderless",
        "piles-and-riderless",
        "piles-and-votes",
        "end-of-round",
        "crowd",
        "fill",
        "two-with-piles",
    ],
)
def test_deals_of_every_kind_are_checked(node: Node, wishes: dict[str, Any]) -> None:
    case = Case(**wishes)
    case.pledge["people"] = [0, 1, 2]
    found = case.judged(node)
    assert (found["verdict"], found["lies"]) == ("checked", [])
    assert all(len(hands) > 3 for hands in case.hands.values())
    decks = case.record["races"][0]["decks"]
    decks[0][0], decks[0][-1] = decks[0][-1] % 6 + 1, decks[0][0]
    assert case.judged(node)["lies"] == ["decks"]


def other_secret(case: Case) -> None:
    """It opens another secret, and shows the pledge that fits it."""
    secret = bytes(32)
    for seal in (case.race, case.record["races"][0]["seal"]):
        seal |= {"secret": secret.hex(), "commitment": commitment_of(secret)}


def last_share_chosen(case: Case) -> None:
    case.race["shares"][2] = case.record["races"][0]["seal"]["shares"][2] = "ff" * 16


def without_mine(case: Case) -> None:
    for seal in (case.race, case.record["races"][0]["seal"]):
        seal["shares"] = [share for share in seal["shares"] if share != case.pledge["given"][0]]


def swapped(case: Case) -> None:
    for seal in (case.race, case.record["races"][0]["seal"]):
        seal["shares"] = [seal["shares"][i] for i in (1, 0, 2)]


def other_hand(case: Case) -> None:
    """It shows three ones all the time; what is said to be left in the deck is true."""
    for i, seen in case.pledge["hands"].items():
        case.pledge["hands"][i] = ["111|" + words.partition("|")[2] for words in seen]


def other_deck(case: Case) -> None:
    """The hands are true, but what is said to be left in the deck would not give the next one."""
    [hand, left, bottom] = case.pledge["hands"]["1"][5].split("|")
    case.pledge["hands"]["1"][5] = "|".join([hand, left[1:] + left[0], bottom])


def other_play(case: Case) -> None:
    """The record tells of a card that was not in the hand."""
    deck = case.record["races"][0]["decks"][0]
    turn = next(turn for turn in case.record["races"][0]["turns"] if turn["chariot"] == 0)
    turn["play"] = next(card for card in range(1, 7) if card not in deck[:3])


def other_race(case: Case) -> None:
    """Everybody saw a chariot play what the record, which follows from the seal, does not tell of."""
    case.pledge["left"]["0"][-1] = "044444"


def other_grid(case: Case) -> None:
    seats = [chariot["seat"] for chariot in case.race["chariots"]]
    for chariot, seat in zip(case.race["chariots"], [*seats[1:], seats[0]], strict=True):
        chariot["seat"] = seat


def unsorted(case: Case) -> None:
    """It hopes that a deck of which nothing lies on piles is checked against nothing."""
    chariots = case.record["races"][0]["chariots"]
    case.record["races"][0]["choices"] = [None for _ in chariots]


def no_record(case: Case) -> None:
    """It hopes that nothing is checked where there is nothing to check it with."""
    other_secret(case)
    case.record = None


LIES: dict[str, tuple[Callable[[Case], Any], set[str]]] = {
    "the pledge is another one": (other_secret, {"pledge", "secret"}),
    "the pledge was changed meanwhile": (lambda case: case.pledge.update(changed=True), {"pledge"}),
    "the secret is another one": (lambda case: case.race.update(secret="00" * 32), {"secret", "record"}),
    "the secret is no secret": (lambda case: case.race.update(secret="no"), {"secret", "record"}),
    "the secret is not opened": (lambda case: case.race.update(secret=None), {"withheld"}),
    "the share is missing": (without_mine, {"share"}),
    "shares change places": (swapped, {"share"}),
    "the share is somebody else's": (lambda case: case.race.update(shared_by=[0, 2, 1]), {"share"}),
    "the last share is another one": (last_share_chosen, {"decks"}),
    "the hand is another one": (other_hand, {"hand"}),
    "the rest of the deck is another one": (other_deck, {"hand"}),
    "a card was played that nobody held": (other_play, {"turns"}),
    "other cards were played than the record tells": (other_race, {"turns"}),
    "the grid is another one": (other_grid, {"grid"}),
    "the record has no seal": (lambda case: case.record["races"][0].pop("seal"), {"record"}),
    "the record has another seal": (lambda case: case.record["races"][0]["seal"].update(secret="00" * 32), {"record"}),
    "the record cannot be read": (lambda case: case.record["races"][0].update(chariots=None), {"record"}),
    "the record tells of another chariot": (
        lambda case: case.record["races"][0]["chariots"][1].update(colour="yellow"),
        {"record"},
    ),
    "the record says that nobody drove": (
        lambda case: case.record["races"][0]["chariots"][1].update(riderless=True),
        {"record"},
    ),
    "a deck is missing": (lambda case: case.record["races"][0]["decks"].pop(), {"decks"}),
    "decks are said to be sorted that were not": (unsorted, {"record"}),
    "the pledge is another one, and there is no record": (no_record, {"pledge", "secret"}),
    "the record is missing": (lambda case: case.record.update(races=[]), {"record"}),
}


def test_whoever_was_forgotten_meanwhile_makes_no_liar_of_the_server(node: Node, honest: Case) -> None:
    case = deepcopy(honest)
    case.record["races"][0]["chariots"][0]["name"] = "Nemo"
    assert case.judged(node)["verdict"] == "checked"


@pytest.mark.parametrize("lie", LIES)
def test_every_lie_is_found(node: Node, honest: Case, lie: str) -> None:
    case = deepcopy(honest)
    change, lies = LIES[lie]
    change(case)
    found = case.judged(node)
    assert found["verdict"] == "broken"
    assert lies <= set(found["lies"])


def test_who_has_not_seen_the_pledge_is_told_so_and_still_finds_a_lie(node: Node, honest: Case) -> None:
    case = deepcopy(honest)
    case.pledge |= {
        "commitment": None,
        "shares": [],
        "given": [],
        "offered": [],
        "people": [],
        "mine": [],
        "hands": {},
        "left": {},
    }
    assert case.judged(node)["verdict"] == "unseen"
    case.record["races"][0]["decks"][0].reverse()
    assert case.judged(node)["verdict"] == "broken"


def test_who_gave_no_share_is_told_so(node: Node, honest: Case) -> None:
    case = deepcopy(honest)
    case.pledge |= {"given": [], "offered": [], "mine": []}
    assert case.judged(node)["verdict"] == "watched"


@pytest.mark.parametrize(
    ("givers", "left", "elsewhere", "linked", "doubts"),
    [
        ([0, 1, None], False, [], False, ["stranger"]),
        ([0, 1, None], True, [], False, ["stranger"]),
        ([0, 1, 3], False, [], False, ["stranger"]),  # where nobody was seen to sit
        ([0, 1, 3], True, [], False, []),  # somebody did while the reader was away, and has left
        ([0, 1, 1], False, [], True, ["mine"]),
        ([0, 1, 1], False, [1], False, ["device"]),  # another device of the reader's, as the server says
        ([0, 1, 1], False, [1], True, []),  # and as he knows himself
    ],
)
def test_a_share_of_nobody_who_sits_there_or_in_ones_own_name_is_suspicious(
    node: Node,
    honest: Case,
    givers: list[int | None],
    left: bool,
    elsewhere: list[int],
    linked: bool,
    doubts: list[str],
) -> None:
    case = deepcopy(honest)
    case.race |= {"shared_by": givers, "shared_left": [False, False, left]}
    case.pledge |= {"elsewhere": elsewhere, "linked": linked}
    found = case.judged(node)
    assert (found["verdict"], found["doubts"]) == ("doubtful" if doubts else "checked", doubts)
    assert found["shares"][2]["left"] is left


MINE, OTHER = "0b" * 16, "0a" * 16


def look(yours: list[int], *shares: tuple[str, int, bool], racing: bool = False) -> dict[str, Any]:
    """A table as the page is shown it, with shares, their seats and whether whoever gave them has left; 0 is a host."""
    given = {"shares": [one[0] for one in shares], "shared_by": [one[1] for one in shares]}
    given["shared_left"] = [one[2] for one in shares]
    race = {"index": 0, "over": False, "turn_number": 2, "chariots": [], "asks": "turn", **given}
    return {
        "table": "circus",
        "game": 0,
        "phase": "racing" if racing else "gathering",
        "plan": {"lesson": False},
        "race": race if racing else None,
        "sealed": None if racing else commitment_of(SECRET),
        "yours": yours,
        "seats": [{"seat": seat, "taken": True, "driver": None, "devices": 1} for seat in {0, *yours}],
        "hands": [],
        **(given if not racing else {"shares": [], "shared_by": [], "shared_left": []}),
    }


BEFORE, LEFT, NOW = (OTHER, 1, False), (OTHER, 1, True), (MINE, 1, False)
LOOKS: dict[str, tuple[list[dict[str, Any]], list[str]]] = {
    "a passer-by gave one on the seat": ([look([1], LEFT), look([1], LEFT, NOW)], []),
    "and the reader saw him": ([look([], BEFORE), look([], LEFT), look([1], LEFT), look([1], LEFT, NOW)], []),
    "it is said to be the reader's": ([look([1], BEFORE), look([1], BEFORE, NOW)], ["mine"]),
    "a passer-by is made up": ([look([1]), look([1], NOW), look([1], NOW, LEFT)], ["mine"]),
    "the reader has left": ([look([1]), look([1], NOW), look([], (MINE, 1, True), BEFORE)], []),
    "it comes as the race begins": ([look([1], NOW), look([1], NOW, BEFORE, racing=True)], ["mine"]),
    "and the reader is gone by then": ([look([1], NOW), look([], (MINE, 1, True), BEFORE, racing=True)], []),
    "a passer-by was there while nobody looked": ([look([0], LEFT), look([0], LEFT, (MINE, 0, False))], []),
    "nobody was": ([look([0], BEFORE), look([0], BEFORE, (MINE, 0, False))], ["stranger"]),
}
WATCHED = """async ([looks, mine, secret, commitment]) => {
  const pledges = await import("/static/lib/pledges.js?" + Math.random());
  const [{ judge }, { sha256 }] = [await import("/static/table/seal.js"), await import("@noble/hashes/sha2.js")];
  localStorage.clear();
  pledges.observe({ ...looks[0], shares: [], shared_by: [], shared_left: [], yours: [] });
  for (const shown of looks) {
    pledges.observe(shown);
    if (shown === looks[0]) pledges.offer(shown, mine);
  }
  const last = looks[looks.length - 1];
  const { shares, shared_by, shared_left } = last.race ?? last;
  const race = { index: 0, secret, commitment, shares, shared_by, shared_left, chariots: [] };
  return judge(sha256, pledges.pledgeOf("circus", 0, 0), race, 3, null);
}"""


@pytest.mark.parametrize("seen", LOOKS)
def test_whoever_gave_a_share_and_left_makes_nobody_suspicious(node: Node, seen: str) -> None:
    looks, doubts = LOOKS[seen]
    found = node.evaluate(WATCHED, [looks, MINE, SECRET.hex(), commitment_of(SECRET)])
    assert (found["lies"], found["doubts"]) == ([], doubts)


# ---------------------------------------------------------------------- what is kept before the race

KEPT = """async (frames) => {
  localStorage.clear();
  const { observe, pledgeOf } = await import("/static/lib/pledges.js?" + Math.random());
  for (const [frame, whole] of frames) observe(frame, whole);
  return pledgeOf(frames.at(-1)[0].table, frames.at(-1)[0].game, frames.at(-1)[0].race?.index ?? 0);
}"""
EVICTED = """async (frame) => {
  localStorage.clear();
  const { observe, judged, pledgeOf } = await import("/static/lib/pledges.js?" + Math.random());
  observe(frame, true);
  for (let game = 0; game < 20; game++) {
    const race = { index: 0, over: true, chariots: [] };
    observe({ ...frame, game, race, phase: "over", sealed: "cd".repeat(32) }, true);
    judged(frame.table, game + 1, 0);
  }
  for (let n = 0; n < 60; n++) {
    observe({ ...frame, table: `U${n}` }, true);
    if (n % 2) judged(`U${n}`, 0, 0);
  }
  const tables = Object.keys(localStorage).filter((name) => name.startsWith("avecaesar.deals."));
  const deals = Object.keys(JSON.parse(localStorage.getItem("avecaesar.deals.T")).deals);
  return [pledgeOf("T", 0, 0).commitment, pledgeOf("U0", 0, 0).commitment, deals.length, tables.length];
}"""


def frame(race: dict[str, Any] | None = None, **more: Any) -> dict[str, Any]:
    """A table as the page is shown it."""
    raced = race and {"over": False, "asks": "turn", "turn_number": 9, "chariots": [], **race}
    return {
        "table": "T", "phase": "racing" if race else "gathering", "race": raced, "game": 0, "plan": {"lesson": False},
        "hands": [], "yours": [], "seats": [], "sealed": None if race else "ab" * 32, "shares": [],
        "shared_by": [], "shared_left": [], **more,
    }  # fmt: skip


@pytest.mark.parametrize(
    ("then", "whole", "lie"),
    [
        (frame({"index": 0}), False, False),
        (frame({"index": 0}, game=7), False, True),
        (frame({"index": 3}), False, True),
        (frame({"index": 3}), True, False),  # after a gap: it was not seen how it began
    ],
)
def test_before_the_eyes_of_the_page_the_race_begins_that_was_pledged(
    node: Node, then: dict[str, Any], whole: bool, lie: bool
) -> None:
    kept = node.evaluate(KEPT, [[frame(), True], [then, whole]])
    assert kept["changed"] is lie


def test_a_race_that_is_over_is_followed_by_the_one_that_was_sealed_then(node: Node) -> None:
    between = frame({"index": 0, "over": True}, phase="between", sealed="cd" * 32)
    rematch = frame({"index": 1, "over": True}, phase="over", sealed="ef" * 32)
    frames = [frame(), frame({"index": 0}), between, frame({"index": 1}), rematch, frame({"index": 0}, game=1)]
    kept = node.evaluate(KEPT, [[each, i == 0] for i, each in enumerate(frames)])
    assert (kept["changed"], kept["commitment"]) == (False, "ef" * 32)
    renumbered = frame({"index": 1, "over": True}, phase="over", sealed="00" * 32, game=5)
    begun = frame({"index": 0}, game=6)
    kept = node.evaluate(KEPT, [[each, i == 0] for i, each in enumerate([*frames[:5], renumbered, begun])])
    assert kept["changed"]


def test_a_tab_that_lags_behind_makes_no_liar_of_an_honest_server(node: Node) -> None:
    behind = frame(shares=["0a"], shared_by=[0], shared_left=[False])
    ahead = frame(shares=["0a", "0b"], shared_by=[0, 1], shared_left=[False, False])
    kept = node.evaluate(KEPT, [[behind, True], [ahead, False], [behind, False]])
    assert (kept["changed"], kept["shares"]) == (False, ["0a", "0b"])
    other = frame(shares=["0c"], shared_by=[0], shared_left=[False])
    kept = node.evaluate(KEPT, [[behind, True], [other, False]])
    assert kept["changed"]


def test_no_pledge_is_forgotten_before_its_race_is_judged(node: Node) -> None:
    first, other, deals, tables = node.evaluate(EVICTED, frame())
    assert (first, other) == ("ab" * 32, "ab" * 32)
    assert (deals, tables) == (8, 40)
