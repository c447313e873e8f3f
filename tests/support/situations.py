"""Races set up in the middle: chariots where a test wants them, with the cards it wants.

All on the board in `boards/plain.board`, which stays as it is when the game's own boards are tuned. Clockwise
its white course runs: S6 S7 S8 S9 S10 N C P D M E Q F T G J S1 S2 S3 S4 S5 and the line; C, E and G are walled,
D and F dashed; N, M, Q and J are bottlenecks; the alley leaves at S3a and comes back at S8a.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Any

import numba

from avecaesar import Crash, Miss, Move, Play, Race, Withdraw
from avecaesar.courses import Course, Direction, load_course
from avecaesar.game.numbers import AnyChariot
from avecaesar.kernel import layout as k
from avecaesar.kernel import turn as kernel_turn
from avecaesar.rules import EDITIONS
from checkout import BOARDS

PLAIN = BOARDS / "plain.board"
STATUS = {"racing": 0, "home": 1, "out": 2, "crashed": 3, "withdrawn": 4}
FILLER = (1, 2, 3, 4, 5, 1, 2, 3, 4, 5)  # a deck that matters to nobody


@dataclass
class Standing:
    """A chariot for a situation."""

    space: str
    hand: tuple[int, ...]
    crossings: int
    deck: tuple[int, ...]
    coin: bool
    disqualified: bool
    status: str
    piles: tuple[tuple[int, ...], ...]
    emperor: bool


def at(
    space: str,
    *hand: int,
    crossings: int = 1,
    deck: tuple[int, ...] = FILLER,
    coin: bool = True,
    disqualified: bool = False,
    status: str = "racing",
    piles: tuple[tuple[int, ...], ...] = (),
    emperor: bool = False,
) -> Standing:
    """A chariot on a space with these cards in hand; a riderless one holds its open card, or none."""
    return Standing(space, hand, crossings, deck, coin, disqualified, status, piles, emperor)


@cache
def plain(course: str = "white", direction: Direction = "clockwise") -> Course:
    return load_course(f"{PLAIN}:{course}", direction)


def race(
    *chariots: Standing,
    turn: int = 0,
    turns: int = 20,
    course: str = "white",
    direction: Direction = "clockwise",
    edition: str = "ravensburger",
    ban_lifted: bool = False,
    loose: int = 0,
    **options: object,
) -> Race:
    """A race in the middle, chariot `turn` to move; `loose` is how many of the chariots nobody drives."""
    if options.get("riderless", EDITIONS[edition].rules.riderless) == "extra":
        options |= {"riderless_count": loose}
    elif not loose:
        options |= {"riderless": "none"}
    driven = [f"driver {number}" for number in range(len(chariots) - loose)]
    it = Race(plain(course, direction), chariots=driven, edition=edition, options=options, seed=1)
    assert len(it.riderless) == loose
    fields = it._fields
    for i, chariot in enumerate(chariots):
        _place(it, i, chariot)
    racing = [chariot.status == "racing" for chariot in chariots]
    fields["racing"][0] = sum(racing)
    fields["contenders"][0] = sum(
        c.status == "racing" and not c.disqualified for i, c in enumerate(chariots) if i in it.driven
    )
    fields["home"][0] = sum(chariot.status == "home" for chariot in chariots)
    fields["turn"][0] = turn
    fields["turns"][0] = turns
    fields["ban_lifted"][0] = ban_lifted
    _survey(it._course_table, it._rules_table, it._races)
    return it


def _place(it: Race, i: int, chariot: Standing) -> None:
    fields = it._fields
    space = it.course.space(chariot.space).id
    fields["space"][0][i] = space if chariot.status in ("racing", "crashed") else k.OFF
    fields["crossings"][0][i] = chariot.crossings
    home = chariot.status == "home"
    fields["remaining"][0][i] = 0 if home else it.course.remaining[chariot.crossings][space]
    fields["coin"][0][i] = chariot.coin
    fields["disqualified"][0][i] = chariot.disqualified
    fields["status"][0][i] = STATUS[chariot.status]
    if home:
        fields["arrival"][0][i] = 1
    fields["hand"][0][i] = sum(1 << 4 * card for card in chariot.hand)
    fields["held"][0][i] = len(chariot.hand)
    fields["deck"][0][i][: len(chariot.deck)] = chariot.deck
    fields["top"][0][i] = 0
    fields["undrawn"][0][i] = len(chariot.deck)
    if chariot.piles:
        cards = [card for pile in chariot.piles for card in pile]
        sizes = [len(pile) for pile in chariot.piles]
        fields["deck"][0][i][: len(cards)] = cards
        fields["undrawn"][0][i] = len(cards)
        fields["pile"][0][i] = sizes
        fields["pile_top"][0][i] = [0, sizes[0], sizes[0] + sizes[1]]
        fields["choice"][0][i] = 1
        fields["emperor"][0][i] = chariot.emperor
        it._sorted[i] = chariot.piles


@numba.njit  # type: ignore[untyped-decorator, unused-ignore]
def _survey(courses: Any, rules: Any, races: Any) -> None:
    kernel_turn.survey(courses[0], rules[0], races[0])


# ---------------------------------------------------------------------- asking about it


def cards(it: Race) -> set[int]:
    """The cards that the driver on turn can play."""
    return {move.card for move in it.legal_moves if isinstance(move, Play)}


def only_move(it: Race) -> Move:
    """What a riderless chariot does."""
    (move,) = it.legal_moves
    return move


def told(it: Race) -> str:
    """Where the riderless chariot on turn goes, by name."""
    move = only_move(it)
    assert isinstance(move, Play)
    return "home" if move.to == "home" else it.course.spaces[move.to].name


def destinations(it: Race, card: int) -> set[str]:
    """Where a card can take the driver on turn, by name."""
    return {
        "home" if move.to == "home" else it.course.spaces[move.to].name
        for move in it.legal_moves
        if isinstance(move, Play) and move.card == card
    }


def clause_against(it: Race, card: int, to: str) -> str:
    """The clause that forbids a play."""
    there = "home" if to == "home" else it.course.space(to).id
    refusal = it.why_not(Play(card, there))  # type: ignore[arg-type]
    return refusal.clause if refusal else "allowed"


def misses(it: Race) -> str:
    """Why the driver on turn misses the turn; '' if he does not."""
    phase = int(it._fields["phase"][0])
    return ("blocked", "barred", "waiting")[int(it._fields["miss"][0])] if phase == k.MISS else ""


def hand(it: Race, chariot: AnyChariot) -> tuple[int, ...]:
    return it.view(chariot).hand


def kinds(it: Race) -> set[type]:
    """The kinds of moves on offer."""
    return {type(move) for move in it.legal_moves}


__all__ = [
    "Crash", "Miss", "Play", "Withdraw",
    "at", "cards", "clause_against", "destinations", "hand", "kinds", "misses", "only_move", "plain", "race",
    "told",
]  # fmt: skip
