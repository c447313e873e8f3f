"""What RULES.md says around the races: grids, schedule and standings, as plain functions.

Seats are numbered from 0, clockwise round the table. It may know nothing of the package.
"""

from collections.abc import Callable, Mapping, Sequence

CLOCKWISE, ANTICLOCKWISE = "clockwise", "anticlockwise"
COURSES = {"A": ("white", "blue"), "B": ("yellow", "red")}  # COU-1


def first_grid_high_card(
    decks_by_seat: Sequence[Sequence[int]], reshuffle: Callable[[int], Sequence[int]]
) -> tuple[list[int], list[dict[int, int]]]:
    """SET-2: the seats in grid order, and the cards turned up, round by round."""
    decks = [list(deck) for deck in decks_by_seat]
    seats = list(range(len(decks)))
    rounds: list[dict[int, int]] = []
    contenders = seats
    while not rounds or len(contenders) > 1:  # those tied for highest turn up their next card until one is left
        turned_up: dict[int, int] = {}
        for seat in contenders:
            if not decks[seat]:
                decks[seat] = list(reshuffle(seat))
            turned_up[seat] = decks[seat].pop(0)
        rounds.append(turned_up)
        highest = max(turned_up.values())
        contenders = [seat for seat in contenders if turned_up[seat] == highest]
    return _clockwise_from(contenders[0], seats), rounds


def next_grid(kind: str, seating: Sequence[int], arrivals: Sequence[int]) -> list[int]:
    """NEXT-2: the seats in grid order; `seating` goes clockwise, `arrivals` is the full order of NEXT-3."""
    assert sorted(seating) == sorted(arrivals), f"seats {seating} and arrivals {arrivals} are not the same drivers"
    if kind == "last_then_seats":
        return _clockwise_from(arrivals[-1], seating)
    if kind == "reverse_arrival":
        return list(reversed(arrivals))
    if kind == "arrival":
        return list(arrivals)
    raise AssertionError(f"{kind!r} is no next_grid")


def schedule(
    kind: str, races: int, drivers: int, side: str | None = None, courses: Sequence[str] | None = None
) -> list[tuple[str, str]]:
    """NEXT-1: course and direction of each race; `drivers` counts the drivers' chariots."""
    by_number = side or ("A" if drivers <= 4 else "B")
    if kind == "by_table":
        assert courses is None, "by_table leaves the side to choose, not the courses"
        first, second = COURSES[by_number]
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


def standings(results: Sequence[Mapping[int, tuple[int, int | None]]]) -> list[list[int]]:
    """NEXT-4: seats in groups of one rank, best first; a race is {seat: (laurels, place from 1 or None)}."""
    seats = sorted({seat for race in results for seat in race})

    def merit(seat: int) -> tuple[int, ...]:
        laurels = sum(race[seat][0] for race in results if seat in race)
        places = [race[seat][1] for race in results if seat in race]
        return laurels, *(places.count(place) for place in range(1, 7))  # more wins, more second places, and so on

    merits = sorted({merit(seat) for seat in seats}, reverse=True)
    return [[seat for seat in seats if merit(seat) == shared] for shared in merits]


def _clockwise_from(seat: int, seating: Sequence[int]) -> list[int]:
    start = list(seating).index(seat)
    return [*seating[start:], *seating[:start]]
