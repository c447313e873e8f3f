"""The values of options as the compiled rules compare them: each is its place among its option's `values`, from 0.

An option of no and yes, in this order, needs no constant: it is simply asked for its truth, as in `if rules.crash`.
"""

from __future__ import annotations

from avecaesar.rules import OPTIONS


def code(option: str, value: str) -> int:
    """The number that stands for a value of an option."""
    return OPTIONS[option].values.index(value)


DRAW_AT_ONCE = code("draw", "at_once")
DRAW_END_OF_ROUND = code("draw", "end_of_round")
MISSED_KEEP = code("missed_turn", "keep")
MISSED_EXCHANGE_IF_BLOCKED = code("missed_turn", "exchange_if_blocked")
FIRST_SIX_EXEMPT = code("first_six", "exempt")
NARROW_BOTTLENECK = code("narrow_exception", "bottleneck")
TIED_IF_CUTTING = code("tied_exception", "if_cutting")
TIED_ALWAYS = code("tied_exception", "always")
TRIBUTE_REQUIRED = code("tribute", "required")
TRIBUTE_OPTIONAL = code("tribute", "optional")
ENDS_FIRST_HOME = code("race_ends", "first_home")
DRAW_FROM_PILES = code("draw", "from_piles")
EXTRA = code("riderless", "extra")
FILL = code("riderless", "fill")
FILL_NO_TRIBUTE = code("riderless", "fill_no_tribute")
MOVED_BY_VOTE = code("riderless_moves", "vote")
DECKS_BY_CHOICE = code("decks", "choice")
EMPEROR_BY_SIDE = code("emperor_cards", "by_side")
