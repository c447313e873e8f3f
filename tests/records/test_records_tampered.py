"""Piles, votes, riderless chariots and teams on paper: whatever is changed there, the referee notices."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from functools import cache
from typing import Any

import pytest

from avecaesar.records import RecordError, from_json, referee
from recordings import change, plain_record, remove

Spoil = Callable[[dict[str, Any]], object]
VOTE = {"riderless_moves": "vote"}
# What each record of three races is about.
SOUND: dict[str, Callable[[], dict[str, Any]]] = {
    "piles": lambda: plain_record("ausgebremst"),
    "piles on side B": lambda: plain_record("ausgebremst", side="B"),
    "standard decks in piles": lambda: plain_record("ausgebremst", options={"decks": "standard"}),
    "votes": lambda: plain_record("thibault", options=VOTE),
    "fill": lambda: plain_record("thibault"),
    "extra": lambda: plain_record("pro-ludo", options={"riderless_count": 2}),
    "teams": lambda: plain_record("pro-ludo", players=2, options={"chariots_each": 2} | VOTE | {"riderless_count": 1}),
}
R = ("races", 0)
FIRST = 1  # the first driver's chariot of three on side A, behind one riderless chariot


@cache
def sound(about: str) -> bytes:
    return json.dumps(SOUND[about]()).encode()


def first_turn(wanted: Callable[[dict[str, Any]], object], spoil: Spoil) -> Spoil:
    """How to spoil the first turn of that kind."""
    return lambda raw: spoil(next(turn for turn in raw["races"][0]["turns"] if wanted(turn)))


def with_key(key: str) -> Callable[[dict[str, Any]], object]:
    return lambda turn: key in turn


# ---------------------------------------------------------------------- decks and piles


def sort_anew(sort: Callable[[list[list[int]], list[int]], object], chariot: int = FIRST) -> Spoil:
    """Change a driver's piles or emperor's cards, and his deck with them."""

    def spoil(raw: dict[str, Any]) -> None:
        race = raw["races"][0]
        choice = race["choices"][chariot]
        sort(choice["piles"], choice["emperor"])
        race["decks"][chariot] = [card for pile in [*choice["piles"], choice["emperor"]] for card in pile]

    return spoil


def exchange_with_the_top(piles: list[list[int]], emperor: list[int]) -> None:
    for pile in piles:
        other = next((at for at, card in enumerate(pile) if card != pile[0]), 0)
        pile[0], pile[other] = pile[other], pile[0]


def move_a_card_that_makes_three_values(piles: list[list[int]], emperor: list[int]) -> None:
    home = next(pile for pile in piles if len(set(pile)) == 2)
    card = next(card for pile in piles for card in pile if card not in home)
    next(pile for pile in piles if card in pile).remove(card)
    home.append(card)


def put_another_card_aside(piles: list[list[int]], emperor: list[int]) -> None:
    pile = next(pile for pile in piles if emperor[-1] not in pile)
    pile[0], emperor[-1] = emperor[-1], pile[0]


def draw_from_an_empty_pile(raw: dict[str, Any]) -> None:
    race = raw["races"][0]
    left = [choice and [len(pile) for pile in choice["piles"]] for choice in race["choices"]]
    for turn in race["turns"]:
        piles = left[turn["chariot"]]
        if "draw" in turn and 0 in piles:
            turn["draw"] = piles.index(0)
            return
        if "draw" in turn:
            piles[turn["draw"]] -= 1
    pytest.fail("nobody drew after a pile was empty")


def draw_from_another_pile(raw: dict[str, Any]) -> None:
    for turn in raw["races"][0]["turns"][:6]:
        turn["draw"] = (turn["draw"] + 1) % 3


def swap_a_draw_and_the_turn_before(raw: dict[str, Any]) -> None:
    turns = raw["races"][0]["turns"]
    at = next(at for at, turn in enumerate(turns) if at > 6 and "draw" in turn)
    turns[at - 1], turns[at] = turns[at], turns[at - 1]


AUS_3 = r"The three piles together are not the deck that you have to sort. \(AUS-3\)"
PILES: dict[str, tuple[str, Spoil, str]] = {
    "no choices": ("piles", remove(*R, "choices"), r"race 1: decks are sorted into piles, and no choices .* \(AUS-3\)"),
    "no choices of one deck": (
        "standard decks in piles",
        remove(*R, "choices"),
        r"race 1: decks are sorted into piles, and no choices are recorded \(AUS-3\)",
    ),
    "a choice too few": ("piles", remove(*R, "choices", 0), "race 1: 4 chariots have as many choices, not 3"),
    "a choice left out": (
        "piles",
        change(*R, "choices", FIRST, to=None),
        r"race 1: \w+ has sorted no deck, and so the cards cannot be dealt again \(AUS-3\)",
    ),
    "a sorting left out": (
        "piles",
        change(*R, "choices", FIRST, to=lambda old: {"deck": old["deck"]}),
        r"race 1: \w+ has sorted no deck, and so the cards cannot be dealt again \(AUS-3\)",
    ),
    "a choice of nobody's": (
        "piles",
        change(*R, "choices", to=lambda old: [old[1], *old[1:]]),
        "race 1: Celer is riderless, and a choice is recorded",
    ),
    "half a sorting": (
        "piles",
        remove(*R, "choices", FIRST, "emperor"),
        r"race 1, choices\[1\]: piles and emperor stand",
    ),
    "another deck": (
        "piles",
        change(*R, "choices", FIRST, "deck", to=lambda old: "slow" if old != "slow" else "fast"),
        rf"race 1, choice of \w+: {AUS_3}",
    ),
    "a deck that is not to be chosen": (
        "standard decks in piles",
        change(*R, "choices", FIRST, "deck", to="fast"),
        r"race 1: the choice of \w+ does not follow from the deal",
    ),
    "no such deck": (
        "piles",
        change(*R, "choices", FIRST, "deck", to="quick"),
        r"race 1, choices\[1\], deck: 'quick' is",
    ),
    "a deck unlike its piles": (
        "piles",
        change(*R, "decks", FIRST, to=lambda old: old[::-1]),
        r"race 1: the deck of \w+ is not its piles, one after another, and the emperor's cards",
    ),
    "piles swapped": (
        "piles",
        sort_anew(lambda piles, emperor: piles.reverse()),
        r"race 1, turn \d+: .*\([A-Z]+-\d\)",
    ),
    "the order in a pile": ("piles", sort_anew(exchange_with_the_top), r"race 1, turn \d+: .*\([A-Z]+-\d\)"),
    "three values in a pile": (
        "piles",
        sort_anew(move_a_card_that_makes_three_values),
        r"race 1, choice of \w+: Pile I holds more than two values: one or two are allowed. \(AUS-3\)",
    ),
    "an empty pile": ("piles", change(*R, "choices", FIRST, "piles", 0, to=[]), r"race 1, choices\[1\], piles\[0\]: "),
    "a fourth pile": (
        "piles",
        change(*R, "choices", FIRST, "piles", to=lambda old: [*old, [1]]),
        r"race 1, choices\[1\], piles: expected `array` of length <= 3",
    ),
    "a card too few": (
        "piles on side B",
        sort_anew(lambda piles, emperor: max(piles, key=len).pop(), 3),
        rf"race 1, choice of \w+: {AUS_3}",
    ),
    "a card too many": (
        "piles",
        sort_anew(lambda piles, emperor: piles[0].append(piles[0][0])),
        r"race 1, decks\[1\]: expected `array` of length <= 24",
    ),
    "twenty cards of one value": (
        "piles",
        sort_anew(lambda piles, emperor: piles.__setitem__(slice(None), [[6] * 20, [5], [4]])),
        r"race 1, choice of \w+: no deck has 20 cards of 6",
    ),
    "another card for the emperor": ("piles", sort_anew(put_another_card_aside), rf"race 1, choice of \w+: {AUS_3}"),
    "the emperor's card": (
        "piles",
        sort_anew(lambda piles, emperor: emperor.__setitem__(0, 5)),
        r"race 1: the emperor's cards of \w+ are not those that are put aside here \(AUS-2\)",
    ),
    "the emperor's cards in order": (
        "piles on side B",
        sort_anew(lambda piles, emperor: emperor.reverse(), 3),
        r"race 1: the emperor's cards of \w+ are not those that are put aside here \(AUS-2\)",
    ),
    "no card for the emperor": (
        "piles",
        sort_anew(lambda piles, emperor: emperor.clear()),
        r"race 1: the emperor's cards of \w+ are not those that are put aside here \(AUS-2\)",
    ),
    "a draw from an empty pile": ("piles", draw_from_an_empty_pile, r"race 1, turn \d+: That pile is empty. \(AUS-3\)"),
    "draws from other piles": ("piles", draw_from_another_pile, r"race 1, turn \d+: .*\([A-Z]+-\d\)"),
    "a draw from no pile": (
        "piles",
        change(*R, "turns", 0, "draw", to=5),
        "race 1, turn 1, draw: expected `int` <= 2",
    ),
    "a draw missing": ("piles", remove(*R, "turns", 1), r"race 1, turn 2: it is \w+'s turn, chariot 1, not that of"),
    "a draw too early": (
        "piles",
        swap_a_draw_and_the_turn_before,
        r"race 1, turn \d+: That is not asked now: it is time to play a card. \(TURN-1\)",
    ),
    "a turn in place of a draw": (
        "piles",
        change(*R, "turns", 1, to={"chariot": FIRST, "play": 6, "to": 20}),
        r"race 1, turn 2: Draw a card from one of your piles. \(AUS-3\)",
    ),
    "another card laid": (
        "piles on side B",
        first_turn(with_key("lay"), lambda turn: turn.update(lay=4)),
        r"race 1, turn \d+: the card laid on a pile is the emperor's 3, not a 4 \(AUS-4\)",
    ),
    "a card laid on pile 5": (
        "piles on side B",
        first_turn(with_key("lay"), lambda turn: turn.update(pile=5)),
        r"race 1, turn \d+, pile: expected `int` <= 2",
    ),
    "a draw in place of the card laid": (
        "piles on side B",
        first_turn(with_key("lay"), lambda turn: turn.update({"draw": turn.pop("pile")}) or turn.pop("lay")),
        r"race 1, turn \d+: Lay the emperor's 3 on one of your piles. \(AUS-4\)",
    ),
    "a card laid too often": (
        "piles on side B",
        lambda raw: raw["races"][0]["turns"].insert(0, {"chariot": 3, "lay": 3, "pile": 0}),
        r"race 1, turn 1: Draw a card from one of your piles. \(AUS-3\)",
    ),
    "another side's emperor": (
        "piles on side B",
        change("rules", "emperor_cards", to="none"),
        rf"race 1, choice of \w+: {AUS_3}",
    ),
}


# ---------------------------------------------------------------------- riderless chariots, votes, teams


def swap_flags(first: int, second: int) -> Spoil:
    def spoil(raw: dict[str, Any]) -> None:
        chariots = raw["races"][0]["chariots"]
        flags = chariots[first]["riderless"], chariots[second]["riderless"]
        chariots[second]["riderless"], chariots[first]["riderless"] = flags

    return spoil


def split_vote(turn: dict[str, Any]) -> bool:
    return len({vote["to"] for vote in turn.get("votes", {}).values()}) > 1


def decide_otherwise(turn: dict[str, Any]) -> None:
    turn["to"] = next(vote["to"] for vote in turn["votes"].values() if vote["to"] != turn["to"])


def is_moved_by_rule(turn: dict[str, Any]) -> bool:
    return turn["chariot"] == 0 and "play" in turn and "votes" not in turn


def vote_with_the_second_chariot(raw: dict[str, Any]) -> None:
    race = raw["races"][0]
    names = [chariot["name"] for chariot in race["chariots"]]
    turn = next(turn for turn in race["turns"] if names[0] in turn.get("votes", {}))
    turn["votes"][names[2]] = turn["votes"].pop(names[0])


def swap_grid(raw: dict[str, Any]) -> None:
    for key in ("chariots", "decks"):
        places = raw["races"][1][key]
        places[1], places[3] = places[3], places[1]


def rename(race: int, key: str) -> Spoil:
    return change("races", race, "chariots", 0, key, to="Incitatus")


NPC_3 = r"A riderless chariot does what rule or vote say, and nothing else. \(NPC-3\)"
RIDERLESS: dict[str, tuple[str, Spoil, str]] = {
    "filling chariots behind": ("fill", swap_flags(0, 3), r"race 1: the grid is .*: riderless chariots have places of"),
    "extra chariots in front": (
        "extra",
        swap_flags(0, 4),
        r"race 1: the grid is .*: riderless chariots have places of",
    ),
    "a chariot driven": (
        "extra",
        change(*R, "chariots", 4, "riderless", to=False),
        "race 1: these rules have 2 riderless",
    ),
    "a chariot not driven": ("fill", change(*R, "chariots", 1, "riderless", to=True), rf"race 1, turn \d+: {NPC_3}"),
    "one more": (
        "extra",
        change("rules", "riderless_count", to=3),
        "race 1: these rules have 3 riderless chariots here, not 2",
    ),
    "too many": (
        "extra",
        change("rules", "riderless_count", to=5),
        "race 1: 3 chariots and 5 riderless ones are more than",
    ),
    "the other kind": (
        "extra",
        lambda raw: raw.update(
            edition="thibault", rules=raw["rules"] | {"riderless": "fill", "riderless_count": "fill"}
        ),
        "race 1: these rules have 1 riderless chariot here, not 2",
    ),
    "nobody drives": (
        "extra",
        lambda raw: [chariot.update(riderless=True) for chariot in raw["races"][0]["chariots"]],
        "race 1: a race is run by 1 to 6 chariots, not 0",
    ),
    "a name twice": ("extra", change(*R, "chariots", 4, "name", to="Livia"), "race 1: two drivers have the same name"),
    "a riderless deck": ("fill", change(*R, "decks", 0, to=lambda old: old[::-1]), rf"race 1, turn \d+: {NPC_3}"),
    "another name in the next race": (
        "fill",
        rename(1, "name"),
        r"race 2: riderless chariots have the same names and colours from race to race \(NPC-2\)",
    ),
    "another colour in the next race": ("fill", rename(2, "colour"), "race 3: riderless chariots have the same names"),
    "a card under the deck": (
        "fill",
        first_turn(lambda turn: turn["chariot"] == 0 and "miss" in turn, lambda turn: turn.update(exchange=None)),
        rf"race 1, turn \d+: {NPC_3}",
    ),
    "a card thrown away": (
        "extra",
        first_turn(lambda turn: turn["chariot"] > 2 and "miss" in turn, lambda turn: turn.update(exchange=1)),
        rf"race 1, turn \d+: {NPC_3}",
    ),
    "why it missed": (
        "fill",
        first_turn(lambda turn: turn["chariot"] == 0 and "miss" in turn, lambda turn: turn.update(miss="waiting")),
        r"race 1, turn \d+: the turn was missed because the chariot was \w+, not waiting",
    ),
    "another way by rule": (
        "fill",
        first_turn(lambda turn: turn["chariot"] == 0 and "play" in turn, lambda turn: turn.update(to=turn["to"] + 1)),
        rf"race 1, turn \d+: {NPC_3}",
    ),
    "a vote for nothing possible": (
        "votes",
        first_turn(split_vote, lambda turn: next(iter(turn["votes"].values())).update(to=100)),
        r"race 1, turn \d+, vote of \w+: The riderless chariot cannot do that with its card. \(NPC-3\)",
    ),
    "a vote for another card": (
        "votes",
        first_turn(split_vote, lambda turn: next(iter(turn["votes"].values())).update(play=turn["play"] % 6 + 1)),
        r"race 1, turn \d+, vote of \w+: The riderless chariot cannot do that with its card. \(NPC-3\)",
    ),
    "votes that decide otherwise": ("votes", first_turn(split_vote, decide_otherwise), rf"race 1, turn \d+: {NPC_3}"),
    "a stranger's vote": (
        "votes",
        first_turn(split_vote, lambda turn: turn["votes"].update(Nero=next(iter(turn["votes"].values())))),
        r"race 1, turn \d+: Nero has no vote: each player votes once, in the name of his first chariot \(NPC-3\)",
    ),
    "the vote of a second chariot": ("teams", vote_with_the_second_chariot, r"race 1, turn \d+: \w+ II? has no vote"),
    "votes left out": (
        "votes",
        first_turn(with_key("votes"), lambda turn: turn.pop("votes")),
        r"race 1, turn \d+: Celer's move is put to the vote, and no votes are recorded \(NPC-3\)",
    ),
    "votes on one way only": (
        "votes",
        first_turn(is_moved_by_rule, lambda turn: turn.update(votes={})),
        r"race 1, turn \d+: votes are recorded, and there is nothing to vote on \(NPC-3\)",
    ),
    "votes on a driver": (
        "votes",
        first_turn(lambda turn: turn["chariot"] == 1, lambda turn: turn.update(votes={})),
        r"race 1, turn \d+: votes are recorded, and there is nothing to vote on \(NPC-3\)",
    ),
    "votes on a missed turn": (
        "votes",
        first_turn(with_key("miss"), lambda turn: turn.update(votes={})),
        r"race 1, turn \d+: votes and miss and exchange beside chariot is no turn",
    ),
    "no votes at this table": (
        "votes",
        change("rules", "riderless_moves", to="rule"),
        r"race 1, turn \d+: votes are recorded",
    ),
    "teams of three": (
        "teams",
        change("rules", "chariots_each", to=3),
        r"race 1: chariots_each = 3 is for .*\(TEAM-1\)",
    ),
    "the grid of teams": ("teams", swap_grid, r"race 2: after the race before, the grid is .* \(NEXT-2\)"),
}


TAMPERED = PILES | RIDERLESS


@pytest.mark.parametrize("about", SOUND)
def test_the_untouched_records_are_sound(about: str) -> None:
    assert len(referee(from_json(sound(about)))) == 3


@pytest.mark.parametrize("how", TAMPERED)
def test_what_was_tampered_with_is_refused_in_one_line(how: str) -> None:
    about, spoil, sentence = TAMPERED[how]
    raw = json.loads(sound(about))
    spoil(raw)
    with pytest.raises(RecordError) as refused:
        referee(from_json(json.dumps(raw).encode()))
    told = str(refused.value)
    assert re.match(sentence, told), told
    assert told.isprintable()
