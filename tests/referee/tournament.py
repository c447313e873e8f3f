"""What RULES.md says around the races: grids, schedule and standings, as plain functions.

Entries are numbered from 0, clockwise round the table. Each driver's chariot is an entry, and where players drive
several they alternate (TEAM-1: A1 B1 C1 A2 B2 C2): of P players, number p has the entries p, p + P, p + 2P.
It may know nothing of the package.
"""

from collections.abc import Callable, Mapping, Sequence

CLOCKWISE, ANTICLOCKWISE = "clockwise", "anticlockwise"
COURSES = {"A": ("white", "blue"), "B": ("yellow", "red")}  # COU-1
FULL_GRID = {"A": 4, "B": 6}  # NPC-2


def riderless_count(kind: str, count: int, drivers: int, side: str) -> int:
    """NPC-1, NPC-2, AUS-5: how many riderless chariots race along with so many drivers' chariots."""
    if kind == "none":
        return 0
    if kind == "extra":
        return count
    if kind in {"fill", "fill_no_tribute"}:
        return max(0, FULL_GRID[side] - drivers)
    raise AssertionError(f"{kind!r} is no kind of riderless chariots")


def whole_grid(kind: str, grid: Sequence[int], riderless: int) -> list[int | None]:
    """NPC-1, NPC-2: the grid of the drivers' chariots with the riderless ones (None) in their places."""
    others = [None] * riderless
    return [*grid, *others] if kind == "extra" else [*others, *grid]


def first_grid_high_card(
    decks_by_player: Sequence[Sequence[int]], reshuffle: Callable[[int], Sequence[int]], chariots_each: int = 1
) -> tuple[list[int], list[dict[int, int]]]:
    """SET-2: the entries in grid order, and the cards turned up, round by round.

    TEAM-1: one card a player is turned up, so there is a deck for each player.
    """
    decks = [list(deck) for deck in decks_by_player]
    rounds: list[dict[int, int]] = []
    contenders = list(range(len(decks)))
    while not rounds or len(contenders) > 1:  # those tied for highest turn up their next card until one is left
        turned_up: dict[int, int] = {}
        for player in contenders:
            if not decks[player]:
                decks[player] = list(reshuffle(player))
            turned_up[player] = decks[player].pop(0)
        rounds.append(turned_up)
        highest = max(turned_up.values())
        contenders = [player for player in contenders if turned_up[player] == highest]
    return _clockwise_from(contenders[0], range(len(decks) * chariots_each)), rounds


def first_grid_random(players_drawn: Sequence[int], chariots_each: int = 1) -> list[int]:
    """SET-2, 002: the entries in grid order, the players being drawn in this one; TEAM-1: alternating in it."""
    return [player + number * len(players_drawn) for number in range(chariots_each) for player in players_drawn]


def next_grid(
    kind: str, seating: Sequence[int], arrivals: Sequence[int | None], players: int | None = None
) -> list[int]:
    """NEXT-2: the entries in grid order; `seating` has them clockwise, `arrivals` is the full order of NEXT-3.

    Riderless chariots (None) never count. Without `players` every entry is a player's only one.
    """
    drivers = [entry for entry in arrivals if entry is not None]
    assert sorted(seating) == sorted(drivers), f"entries {seating} and arrivals {drivers} are not the same drivers"
    if kind == "last_then_seats":
        return _clockwise_from(drivers[-1], seating)
    if kind == "reverse_arrival":
        return _alternating(list(reversed(drivers)), players)
    if kind == "arrival":
        return _alternating(drivers, players)
    raise AssertionError(f"{kind!r} is no next_grid")


def schedule(
    kind: str,
    races: int,
    drivers: int,
    side: str | None = None,
    courses: Sequence[str] | None = None,
    by_table_courses: str = "of_one_side",
) -> list[tuple[str, str]]:
    """NEXT-1: course and direction of each race; `drivers` counts the drivers' chariots."""
    by_number = side or ("A" if drivers <= 4 else "B")
    if kind == "by_table":
        first, second = courses or COURSES[by_number]
        one_side = (first, second) in COURSES.values()
        assert one_side or by_table_courses == "any", "by_table leaves the side to choose, not the courses"
        cycle = [(first, CLOCKWISE), (second, CLOCKWISE), (first, ANTICLOCKWISE), (second, ANTICLOCKWISE)]
    elif kind == "both_sides":
        first, second = courses or ("white", "yellow")
        assert (first in COURSES["A"]) != (second in COURSES["A"]), f"{first} and {second} are on one side"
        cycle = [(first, CLOCKWISE), (second, CLOCKWISE), (first, ANTICLOCKWISE), (second, ANTICLOCKWISE)]
    elif kind == "one_course":
        (only,) = courses or COURSES[by_number][:1]
        cycle = [(only, CLOCKWISE), (only, CLOCKWISE), (only, ANTICLOCKWISE), (only, ANTICLOCKWISE)]
    else:
        raise AssertionError(f"{kind!r} is no schedule")
    return [cycle[number % len(cycle)] for number in range(races)]  # a longer tournament repeats it


def standings(results: Sequence[Mapping[int, tuple[int, int | None]]], players: int | None = None) -> list[list[int]]:
    """NEXT-4: entries in groups of one rank, best first; a race is {entry: (laurels, place from 1 or None)}.

    TEAM-1: with `players` the players in such groups, laurels and places added up over their entries.
    """
    entries = sorted({entry for race in results for entry in race})
    owner = {entry: entry if players is None else entry % players for entry in entries}
    ranked = sorted(set(owner.values()))

    def merit(player: int) -> tuple[int, ...]:
        mine = [race[entry] for race in results for entry in race if owner[entry] == player]
        places = [place for _, place in mine]
        # laurels; then more wins, more second places, and so on
        return sum(laurels for laurels, _ in mine), *(places.count(place) for place in range(1, 7))

    merits = sorted({merit(player) for player in ranked}, reverse=True)
    return [[player for player in ranked if merit(player) == shared] for shared in merits]


def _clockwise_from(entry: int, seating: Sequence[int]) -> list[int]:
    start = list(seating).index(entry)
    return [*seating[start:], *seating[:start]]


def _alternating(order: Sequence[int], players: int | None) -> list[int]:
    """TEAM-1: the players by their first chariot in this order; first one chariot of each, then the second."""
    if players is None:
        return list(order)
    chariots: dict[int, list[int]] = {}
    for entry in order:
        chariots.setdefault(entry % players, []).append(entry)
    return [entry for one_of_each in zip(*chariots.values(), strict=True) for entry in one_of_each]
