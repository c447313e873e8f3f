"""Other editions and house rules in a real browser: piles, teams, votes, dishonour."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import permutations
from typing import Any

from playwright.sync_api import expect

from players_in_browser import Invite, Person, race


def piles_of(person: Person) -> list[list[int]]:
    texts = [person.find(f'.sort-pile[data-pile="{pile}"] [data-card]').all_inner_texts() for pile in range(3)]
    return [[int(text) for text in pile] for pile in texts]


def moves(piles: list[list[int]], sound: bool) -> Iterator[tuple[int, int, int]]:
    """Cards that may be put from one pile to another, or may not: a pile has one or two values (AUS-3)."""
    for one, other in permutations(range(3), 2):
        for card in sorted(set(piles[one])):
            fits = len(piles[one]) > 1 and len({*piles[other], card}) <= 2
            if fits == sound:
                yield one, card, other


def for_caesar(question: dict[str, Any]) -> Any:
    """What pays, if anything does; else what suggests itself."""
    return next((offer for offer in question["offers"] if offer["pays"]), question["offers"][0])


def past_caesar(question: dict[str, Any]) -> Any:
    """Withdraw, if one may; else drive past the alley, if one can; else anything."""
    offers = question["offers"]
    out = [offer for offer in offers if offer["move"]["kind"] == "withdraw"]
    past = [offer for offer in offers if offer["disqualifies"]]
    return next(iter([*out, *past, *(offer for offer in offers if not offer["pays"])]), offers[0])


def test_an_ausgebremst_race_with_a_deck_of_choice_and_piles_sorted_by_hand(invite: Invite) -> None:
    anna = invite()
    anna.lay(["here", "scorpus"], edition="ausgebremst", course="yellow")
    anna.begin()
    assert anna.called()["asks"] == "deck"
    expect(anna.find("[data-deck]")).to_have_count(3)
    anna.answer(choose=lambda question: next(one for one in question["offers"] if one["move"]["deck"] == "fast"))
    assert anna.called()["asks"] == "sort"
    usual = piles_of(anna)
    assert sorted(card for pile in usual for card in pile) == [2] * 2 + [3] + [4] * 2 + [5] * 4 + [6] * 7
    first, card, to = next(moves(usual, sound=False))
    anna.find(f'.sort-pile[data-pile="{first}"] [data-card="{card}"]').first.click()
    anna.find(f'[data-put="{to}"]').click()
    expect(anna.find(".sorting [role=alert]")).to_contain_text("AUS-3")
    expect(anna.find(".sort-bad")).to_have_count(1)
    expect(anna.find("#confirm")).to_be_disabled()
    anna.find(f'.sort-pile[data-pile="{to}"] [data-card="{card}"]').first.click()
    anna.find("#sort-whole").click()
    anna.find(f'[data-put="{to}"]').click()
    expect(anna.find(f'.sort-pile:not([data-pile="{to}"]) [data-card="{card}"]')).to_have_count(0)
    anna.page.get_by_role("button", name="The usual sorting").click()
    expect(anna.find(".sorting [role=alert]")).to_have_count(0)
    assert piles_of(anna) == usual
    first, card, to = next(moves(usual, sound=True))
    anna.find(f'.sort-pile[data-pile="{first}"] [data-card="{card}"]').first.drag_to(
        anna.find(f'.sort-pile[data-pile="{to}"] h3')
    )
    expect(anna.find(f'.sort-pile[data-pile="{to}"] [data-card]')).to_have_count(len(usual[to]) + 1)
    expect(anna.find("#confirm")).to_be_enabled()
    own = piles_of(anna)
    assert own != usual
    anna.answer()
    sent = next(sent["move"]["piles"] for sent in anna.sent if sent["do"] == "move" and sent["move"]["kind"] == "sort")
    assert sent == own
    asked, paid = set(), False
    at = anna.past(-1)
    while not anna.shown["race"]["over"]:
        if anna.on_turn == 0:
            question = anna.called(at)
            asked.add(question["asks"])
            paid = paid or for_caesar(question)["pays"]
            anna.answer(at, choose=for_caesar)
        at = anna.past(at)
    assert asked == {"turn", "draw"} | ({"lay"} if paid else set())
    expect(anna.find("#podium")).to_be_visible()
    expect(anna.find("#places tr")).to_have_count(6)  # riderless ones fill the grid


def test_what_was_chosen_stays_while_others_choose_as_well(invite: Invite) -> None:
    """Decks and sortings are asked of all at once: the answer of one must not undo what another is about to say."""
    anna, bert = invite(), invite()
    anna.lay(["here", "friend"], edition="ausgebremst", course="yellow", options={"riderless": "none"})
    bert.join(anna.invitation(), "Bert")
    anna.begin()
    late, early = sorted((anna, bert), key=lambda person: person.called()["ahead"], reverse=True)
    late.find('[data-deck="fast"]').click()
    early.answer()
    expect(late.find(".chosen-already")).to_have_count(1)
    expect(late.find('[data-deck="fast"]')).to_have_attribute("aria-pressed", "true")
    late.find("#confirm").click()
    for person in (late, early):
        expect(person.find(".sorting")).to_be_visible()
    usual = piles_of(late)
    first, card, to = next(moves(usual, sound=True))
    late.find(f'.sort-pile[data-pile="{first}"] [data-card="{card}"]').first.click()
    late.find(f'[data-put="{to}"]').click()
    expect(late.find(f'.sort-pile[data-pile="{to}"] [data-card]')).to_have_count(len(usual[to]) + 1)
    own = piles_of(late)
    early.answer()
    expect(late.find(".chosen-already")).to_have_count(1)
    assert piles_of(late) == own
    late.find("#confirm").click()
    for person in (late, early):
        expect(person.find("#hand")).to_be_visible()  # the race has begun


def test_a_team_race_with_two_chariots_each(invite: Invite) -> None:
    anna = invite()
    anna.lay(["here", "scorpus"], options={"chariots_each": "2", "race_ends": "first_home"})
    anna.begin()
    expect(anna.find("#seats [data-chariot]")).to_have_count(4)
    expect(anna.find("#seats .tag.you")).to_have_count(2)
    expect(anna.find("#hand .hand")).to_have_count(2)
    race(anna)
    driven = {frame["table"]["question"]["chariot"] for frame in anna.frames if frame.get("table", {}).get("question")}
    assert len(driven) == 2
    expect(anna.find("#places tr")).to_have_count(4)


def test_a_riderless_chariot_goes_where_the_vote_says(invite: Invite) -> None:
    anna, ben = invite(), invite()
    anna.lay(["here", "friend"], options={"riderless_count": "1", "riderless_moves": "vote"})
    ben.join(anna.invitation(), "Ben")
    anna.begin()
    riderless = anna.find("#seats [data-chariot]", has_text="riderless")
    expect(riderless).to_have_count(1)
    seats: dict[int | None, Person] = {0: anna, 1: ben}
    at, votes = anna.past(-1), 0
    while votes < 4:  # two turns of the chariot in which it has a choice; where it has none it goes by itself
        voter = seats.get(anna.on_turn)
        if voter is not None:
            if voter.called(at)["asks"] == "vote":
                expect(voter.find("#status")).to_have_text("Your vote")
                votes += 1
            voter.answer(at)
        at = anna.past(at)
    name = riderless.locator(".call").inner_text()
    for person in (anna, ben):
        expect(person.find("#story .turn", has_text=re.compile(rf"^\s*{name}\b.*vote"))).to_have_count(2)


def test_who_drives_past_caesar_is_disqualified_and_may_withdraw(invite: Invite) -> None:
    anna = invite()
    anna.lay([{"kind": "here", "name": "Anna"}, "scorpus"], options={"tribute": "dishonour"})
    anna.begin()
    at = anna.past(-1)
    while not anna.shown["race"]["over"]:
        if anna.on_turn == 0:
            anna.answer(at, choose=past_caesar)
        at = anna.past(at)
    expect(anna.find("#places tr", has_text="Anna")).to_contain_text("disqualified")
    expect(anna.find("#story")).to_contain_text("Anna withdraws")
