"""The referee checked by hand: random races under any rules end, and cards are where they should be."""

import random
from collections import Counter
from typing import Any

import pytest

from referee_situations import AUSGEBREMST, DECK, RAVENSBURGER, TINY, WHITE, shuffled

from .piles import DECKS
from .race import KNOWN_VALUES, CourseFacts, RefereeRace


def random_rules(chance: random.Random) -> dict[str, Any]:
    """Any options that make sense together."""
    rules = RAVENSBURGER | {option: chance.choice(sorted(KNOWN_VALUES[option], key=str)) for option in KNOWN_VALUES}
    if rules["draw"] == "from_piles":
        rules["hand"] = 2
    else:
        rules["decks"], rules["emperor_cards"] = "standard", "none"
    if rules["emperor_cards"] == "by_side":
        rules["tribute"] = "optional"
    return rules


def random_field(rules: dict[str, Any], places: int, chance: random.Random) -> tuple[int, int]:
    """Chariots in all, and riderless ones, for which the rules and the grid have room."""
    each = rules["chariots_each"]
    drivers = [number for number in range(1, places + 1) if each == 1 or number in (2 * each, 3 * each)]
    if not drivers:
        rules["chariots_each"], drivers = 1, [1, 2]
    number = chance.choice(drivers)
    riderless = 0 if rules["riderless"] == "none" else chance.randint(0, places - number)
    return number + riderless, riderless


def check_the_table(race: RefereeRace, all_cards: list[Counter[int]], played: list[list[int]]) -> None:
    assert (race.turn is None) == (race.phase is None) == (race.ending is not None)
    assert (race.voting is not None) == (race.phase == "vote")
    on_board = [space for space in race.position if space is not None]
    assert len(set(on_board)) == len(on_board)  # MOV-2
    for chariot in race.chariots:
        hand, deck, piles = race.hand[chariot], race.deck[chariot], race.piles[chariot]
        assert hand == sorted(hand)
        cards = Counter(
            hand + deck + played[chariot] + race.emperor[chariot] + [card for pile in piles or [] for card in pile]
        )
        if race.is_riderless[chariot]:
            assert len(hand) <= 1
            assert piles is None
            if race.rules["riderless"] == "extra":
                assert cards <= all_cards[chariot]  # some are thrown away
                assert not race.coin[chariot]
            else:
                assert cards == all_cards[chariot]
                assert len(hand) == (chariot in (race.turn, race.voting))
            assert race.status[chariot] not in {"crashed", "withdrawn"}
            assert not (race.rules["riderless"] == "fill_no_tribute" and race.position[chariot] in race.facts.alley)
        elif piles is not None:
            assert not deck
            assert cards == all_cards[chariot]
            if race.phase == "turn" and race.status[chariot] == "racing" and not any(piles):
                assert hand
        elif race.rules["draw"] != "from_piles":
            assert cards == all_cards[chariot]


def random_race(
    facts: CourseFacts, rules: dict[str, Any], chariots: int, riderless: int, chance: random.Random
) -> tuple[RefereeRace, Counter[str]]:
    decks = [chance.sample(DECK, len(DECK)) for _ in range(chariots)]
    first = riderless if str(rules["riderless"]).startswith("fill") else 0
    given: list[list[int] | None] = [
        None if rules["draw"] == "from_piles" and first <= chariot < first + chariots - riderless else deck
        for chariot, deck in enumerate(decks)
    ]
    race = RefereeRace(facts, rules, given, riderless=riderless, side=chance.choice("AB"))
    all_cards = [Counter(deck) for deck in decks]
    played: list[list[int]] = [[] for _ in decks]
    seen: Counter[str] = Counter()
    while race.turn is not None:
        chariot, legal = race.turn, race.legal()
        seen[str(race.phase)] += 1
        move = chance.choice(sorted(legal, key=str))
        if race.phase == "turn":
            assert len({move[0] for move in legal} - {"withdraw"}) == 1
            assert len(legal) == 1 or not race.is_riderless[chariot]
        else:
            assert {move[0] for move in legal} == {race.phase}
            assert not race.is_riderless[chariot]
        if move[0] == "deck":
            all_cards[chariot] = Counter(DECKS[str(move[1])])
        if move[0] == "sort":
            assert isinstance(move[1], tuple)
            move = ("sort", tuple(shuffled(list(pile)) for pile in move[1]))
        if race.phase == "turn":
            seen[f"{'riderless ' if race.is_riderless[chariot] else ''}{move[0]}"] += 1
        race.apply(move)
        if move[0] == "play":
            assert isinstance(move[1], int)
            played[chariot].append(move[1])
        check_the_table(race, all_cards, played)
    return race, seen


@pytest.mark.parametrize("facts", [TINY, WHITE], ids=["tiny", "white"])
def test_random_races_end_under_any_rules(facts: CourseFacts) -> None:
    chance = random.Random(1991)
    endings: Counter[str | None] = Counter()
    seen: Counter[str] = Counter()
    for _ in range(250):
        rules = random_rules(chance)
        chariots, riderless = random_field(rules, len(facts.grid), chance)
        race, happened = random_race(facts, rules, chariots, riderless, chance)
        seen += happened
        endings[race.ending] += 1
        places, arrivals, laurels = race.places(), race.arrivals(), race.laurels()
        assert arrivals[: len(places)] == places
        assert sorted(arrivals) == sorted({*places, *race.drivers})
        assert not any(race.disqualified[chariot] for chariot in places)
        assert not (rules["riderless"] == "extra" and any(race.is_riderless[chariot] for chariot in places))
        assert not any(laurels[chariot] for chariot in race.chariots if race.is_riderless[chariot])
        assert all(
            laurels[chariot] == rules["laurels"][place]
            for place, chariot in enumerate(places)
            if not race.is_riderless[chariot]
        )
    assert endings["finished"] > 100
    assert {"deck", "sort", "draw", "lay", "vote", "turn"} <= set(seen)
    assert min(seen["riderless play"], seen["riderless miss"], seen["lay"], seen["vote"]) > 20


def test_an_unchecked_race_is_the_same_race() -> None:
    chance = random.Random(5)
    rules = AUSGEBREMST | {"riderless_moves": "vote"}
    decks = [chance.sample(DECK, len(DECK)), None, None, None]
    checked, unchecked = (
        RefereeRace(WHITE, rules, decks, checked=checked, riderless=1, side="B") for checked in (True, False)
    )
    while checked.turn is not None:
        move = chance.choice(sorted(checked.legal(), key=str))
        checked.apply(move)
        unchecked.apply(move)
        assert (unchecked.turn, unchecked.phase) == (checked.turn, checked.phase)
    assert unchecked.arrivals() == checked.arrivals()
