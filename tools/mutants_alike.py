"""Mutants that race like the unbroken rules: the changes that change nothing, each with its reason."""

from __future__ import annotations

ITSELF = "a chariot's own space is out of its reach, be it seen here or a lap further on"
AT_THE_END = "no reach comes near the window's end"
ONWARD = "ahead += lap if ahead < 0 else 0"
BIT = "return ONE << np.uint64(ahead) if ahead < 64 else NONE"
BEYOND = "return ~NONE << np.uint64(to_line) if to_line < 64 else NONE"
NO_CARD_0 = "no card is worth 0: no hand holds one, no window and no way home is ever kept for it"
EACH_CARD = "for card in range(1, CARDS):"
EACH_STEP = "for steps in range(1, card + 1):"
ALL_ON_ONE = "all cards on one pile are no sorting"
OTHER = "if race.phase > OVER or kind > MOVE_CRASH:"
NEXT = "if race.phase <= OVER and next_turn(course, rules, race):"
STALL = "return settle_stall(race) if race.idle > 0 else NOT_ENDED"
FIRST = "best, first = (-1, np.int64(-1))"
BETTER = "if counts and ranked >> j & 1 == 0 and (first < 0 or rank(race, j) < first):"
PLACED = "return (1 << 8) + (np.int64(race.remaining[i]) << 4) + after_winner"
DISQUALIFIED = "return (2 << 40) + np.int64(race.arrival[i])"
GROUP = "group = 3 if race.disqualified[i] else 1"
NOT_HOME = (
    "return (group << 40) + (np.int64(race.remaining[i]) << 24) + (STILL_RACING - np.int64(race.left[i]) << 4) + i"
)
APART = "the parts of a rank still lie apart, and in the same order"
MERIT = "merit = (pays << 40) - (to_go << 20) + (in_the_way(course, race, there, crossings) << 10) - there"
CROSSED = "return np.int64(race.crossings[i]) + (there < race.space[i])"
CHOSEN = "chosen, best = (-1, 0)"
BETTER_WAY = "if chosen < 0 or merit > best:"
STRIDES = "for stride in range(1, LONGEST_STRIDE + 1):"
THEN = "then = crossed + (to < here)"
THIRD = "if on_pile(cards, sorting, value, PILES - 1) < 0:"
NOTHING_LEFT = "if window == NONE or crossed > crossings:"
VOTES = "winner, most, rank = (-1, 0, 0)"
NEARER = "if race.status[j] == RACING and (best < 0 or race.remaining[j] < best):"
SHARED = "if shared & shared - 1 or first & second & third or (split > 1 and shared == 0):"
BELOW_0 = "any number below 0 will do"
REPLACED = "the first that is looked at takes its place"
ALIKE = "all of them gain alike"
ELSEWHERE = "a move never ends where it began"
WAS_OVER = "a race that is over was refused before"
TO_GO = "a racing chariot has something to go"
STEPS_TO_GO = "steps to go weigh so much in a rank that they alone put a chariot behind"

# By function, line and what it became, as ast.unparse writes them.
EQUIVALENT: dict[tuple[str, str, str], str] = {
    ("movement.bit", ONWARD, ONWARD.replace("< 0", "<= 0")): ITSELF,
    ("movement.bit", ONWARD, ONWARD.replace("< 0", "< 1")): ITSELF,
    ("movement.bit", BIT, BIT.replace(" < ", " <= ")): AT_THE_END,
    ("movement.bit", BIT, BIT.replace("64 ", "65 ")): AT_THE_END,
    ("movement.bit", BIT, BIT.replace("64 ", "63 ")): AT_THE_END,
    ("movement.beyond_line", BEYOND, BEYOND.replace(" < ", " <= ")): AT_THE_END,
    ("movement.beyond_line", BEYOND, BEYOND.replace("64 ", "65 ")): AT_THE_END,
    ("movement.beyond_line", BEYOND, BEYOND.replace("64 ", "63 ")): AT_THE_END,
    ("movement.crossings_after", CROSSED, CROSSED.replace("<", "<=")): ELSEWHERE,
    ("tribute.stops_between_walls", "stops = 0", "stops = 1"): NO_CARD_0,
    ("turn.list_plays", EACH_CARD, EACH_CARD.replace("1", "0")): NO_CARD_0,
    ("turn.list_misses", EACH_CARD, EACH_CARD.replace("1", "0")): NO_CARD_0,
    ("turn.verdict_on_home", EACH_STEP, EACH_STEP.replace("(1", "(2")): (
        "a first step over the line goes home, for nothing can stand in its way"
    ),
    ("turn.verdict_on_home", EACH_STEP, EACH_STEP.replace("(1", "(0")): "no reach is kept for no steps",
    ("turn.list_others", "if sorting >= 0:", "if sorting > 0:"): ALL_ON_ONE,
    ("turn.list_others", "if sorting >= 0:", "if sorting >= 1:"): ALL_ON_ONE,
    ("turn.verdict", OTHER, OTHER.replace("race.phase >", "race.phase >=")): WAS_OVER,
    ("turn.verdict_on_other", "if race.phase <= OVER:", "if race.phase < OVER:"): WAS_OVER,
    ("turn.apply", NEXT, NEXT.replace("<=", "<")): "a race that is over is not moved on",
    ("piles.to_sort", "return 0", "return 1"): NO_CARD_0,
    (
        "piles.verdict_on_sorting",
        THIRD,
        THIRD.replace("- 1", "+ 1"),
    ): "whatever is not one of the first two is the third",
    (
        "piles.verdict_on_sorting",
        THIRD,
        THIRD.replace("- 1", "- 0"),
    ): "whatever is not one of the first two is the third",
    ("piles.sorting_of", SHARED, SHARED.replace("- 1", "- 2")): "no card is worth 0, so the lowest bit is never set",
    ("piles.sorting_of", "return -1", "return -2"): BELOW_0,
    ("piles.sort_piles", "race.pile[i, pile] = 0", "pass"): "it is empty since the race began",
    ("piles.pile_and_value", "return (0, 0)", "return (1, 0)"): "nobody asks on which pile no card lies",
    ("riderless.open_card", EACH_CARD, EACH_CARD.replace("1", "0")): NO_CARD_0,
    ("riderless.by_rule", CHOSEN, CHOSEN.replace("-1", "-2")): BELOW_0,
    ("riderless.by_rule", CHOSEN, CHOSEN.replace("0", "1")): REPLACED,
    ("riderless.by_rule", MERIT, MERIT.replace("40", "41")): APART,
    ("riderless.by_rule", MERIT, MERIT.replace("40", "39")): APART,
    ("riderless.by_rule", MERIT, MERIT.replace("20", "21")): APART,
    ("riderless.by_rule", MERIT, MERIT.replace("20", "19")): APART,
    ("riderless.by_rule", MERIT, MERIT.replace("10", "11")): APART,
    ("riderless.by_rule", MERIT, MERIT.replace("10", "9")): APART,
    ("riderless.by_rule", BETTER_WAY, BETTER_WAY.replace("merit >", "merit >=")): "no two spaces have the same merit",
    ("riderless.in_the_way", "blocked = 0", "blocked = 1"): ALIKE,
    ("riderless.leads_over", STRIDES, STRIDES.replace("(1", "(0")): "no space is nearer home than itself",
    ("riderless.leads_over", THEN, THEN.replace("<", "<=")): ELSEWHERE,
    ("riderless.leads_over", NOTHING_LEFT, NOTHING_LEFT.replace(" or ", " and ")): (
        "an empty window stays empty, and one that has gone too far fills no more: it only takes longer"
    ),
    ("riderless.winner_of_vote", VOTES, VOTES.replace("-1", "-2")): "it counts only if somebody voted",
    ("riderless.winner_of_vote", VOTES, VOTES.replace("-1", "-0")): "it counts only if somebody voted",
    ("riderless.winner_of_vote", VOTES, VOTES.replace("0)", "1)")): REPLACED,
    ("riderless.winner_of_vote", "votes = 0", "votes = 1"): ALIKE,
    ("riderless.furthest", "best = -1", "best = -2"): BELOW_0,
    ("riderless.furthest", NEARER, NEARER.replace("< 0", "<= 0")): TO_GO,
    ("riderless.furthest", NEARER, NEARER.replace("< 0", "< 1")): TO_GO,
    ("riderless.furthest", NEARER, NEARER.replace("< best", "<= best")): "it is as far as the other",
    ("ending.how_it_ended", STALL, STALL.replace(">", ">=")): (
        "somebody is racing, so it takes at least one missed turn to stall"
    ),
    ("ending.finish", FIRST, FIRST.replace("(-1,", "(-2,")): BELOW_0,
    ("ending.finish", FIRST, FIRST.replace("(-1)", "(-2)")): BELOW_0,
    ("ending.finish", BETTER, BETTER.replace("first < 0", "first <= 0")): "no rank is 0",
    ("ending.finish", BETTER, BETTER.replace("first < 0", "first < 1")): "no rank is 0",
    ("ending.finish", BETTER, BETTER.replace(") < first", ") <= first")): "no two chariots rank alike",
    ("ending.rank", PLACED, PLACED.replace("1 << 8", "1 >> 8")): APART,
    ("ending.rank", PLACED, PLACED.replace("1 << 8", "2 << 8")): APART,
    ("ending.rank", PLACED, PLACED.replace("1 << 8", "0 << 8")): APART,
    ("ending.rank", PLACED, PLACED.replace("<< 8", "<< 9")): APART,
    ("ending.rank", PLACED, PLACED.replace("<< 8", "<< 7")): APART,
    ("ending.rank", PLACED, PLACED.replace("<< 4", "<< 5")): APART,
    ("ending.rank", PLACED, PLACED.replace("<< 4", "<< 3")): APART,
    ("ending.rank", DISQUALIFIED, DISQUALIFIED.replace("2", "3")): STEPS_TO_GO,
    ("ending.rank", GROUP, GROUP.replace("3", "2")): STEPS_TO_GO,
    ("ending.rank", GROUP, GROUP.replace("3", "4")): APART,
    ("ending.rank", GROUP, GROUP.replace("1", "0")): STEPS_TO_GO,
    ("ending.rank", NOT_HOME, NOT_HOME.replace("<< 24", "<< 25")): APART,
    ("ending.rank", NOT_HOME, NOT_HOME.replace("<< 24", "<< 23")): APART,
    ("ending.rank", NOT_HOME, NOT_HOME.replace("<< 4)", "<< 5)")): APART,
    ("ending.rank", NOT_HOME, NOT_HOME.replace("<< 4)", "<< 3)")): APART,
}
