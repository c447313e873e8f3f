"""The course by RULES.md alone: `CourseFacts` works out from the steps what the clauses ask of it.

Written to be compared with the clauses in the comments, line by line. It may know nothing of the package.
"""

import math
from collections.abc import Iterable, Mapping
from typing import Any, TypeAlias

Space: TypeAlias = int | str
State: TypeAlias = tuple[Space, int]  # a space, and the crossings of a chariot there
Ways: TypeAlias = list[dict[Space, int]]  # by number of steps: the spaces reached, with the crossings on arrival

LAPS = 3  # COU-2
HOME = "home"  # a destination like a space, with LAPS + 1 crossings


class CourseFacts:
    """What RULES.md asks of a course, worked out from its steps alone; one object serves all its races."""

    def __init__(self, export: Mapping[str, Any]) -> None:
        assert export["laps"] == LAPS, f"a race is {LAPS} laps (COU-2), not {export['laps']}"
        self.grid: list[Space] = list(export["grid"])
        self.steps: dict[Space, list[tuple[Space, bool]]] = {
            space["id"]: [(step["to"], bool(step["line"])) for step in space["steps"]] for space in export["spaces"]
        }
        self.alley: set[Space] = {space["id"] for space in export["spaces"] if space["alley"]}
        self._known_cuts: dict[frozenset[Space], bool] = {}
        self._known_shortest_ways: dict[State, frozenset[State]] = {}
        self._check_the_course()

        self.states_before = self._find_states_before()
        # Words, remaining(space, crossings): tribute ignored
        self.remaining: dict[State, int] = self._distances_to([(HOME, LAPS + 1)])
        # Words: a bottleneck is a space that cuts the course alone
        self.bottlenecks: set[Space] = {space for space in self.steps if self.cuts([space])}
        # TRI-1: a stop pays before the line with 1 or 2 crossings, beyond it with 2 or 3
        self.alley_before_line: set[Space] = {space for space in self.alley if self._line_lies_ahead(space)}
        self.alley_beyond_line: set[Space] = self.alley - self.alley_before_line
        self.paying: set[State] = {(space, crossings) for space in self.alley_before_line for crossings in (1, 2)}
        self.paying |= {(space, crossings) for space in self.alley_beyond_line for crossings in (2, 3)}
        # TRI-3: everything else is past
        self.not_past: set[State] = set(self._distances_to(self.paying))

    def ways(self, space: Space, crossings: int, taken: set[Space], most: int = 6) -> Ways:
        """Where 0, 1, 2 ... `most` steps lead from a space when the `taken` spaces are closed."""
        ways: Ways = [{space: crossings}]
        for _ in range(most):
            reached: dict[Space, int] = {}
            for here, crossed in ways[-1].items():
                if here == HOME:
                    reached[HOME] = crossed  # MOV-5: any number of steps past the end
                    continue
                for to, line in self.steps[here]:
                    if crossed + line > LAPS:
                        reached[HOME] = crossed + line  # MOV-5: what stands beyond the line no longer counts
                    elif to not in taken:
                        reached[to] = crossed + line  # MOV-2
            ways.append(reached)
        return ways

    def is_past(self, space: Space, crossings: int) -> bool:
        """TRI-3: no paying stop can be reached from there any more (nor from home)."""
        return (space, crossings) not in self.not_past

    def cuts(self, spaces: Iterable[Space]) -> bool:
        """Words: no way round, the alley included, avoids all these spaces."""
        closed = frozenset(spaces)
        if closed not in self._known_cuts:
            self._known_cuts[closed] = not self._leads_on_for_ever(closed, may_cross_line=True)
        return self._known_cuts[closed]

    def shortest_ways_home(self, space: Space, crossings: int) -> frozenset[State]:
        """NPC-3: what lies ahead on some shortest way home: the steps to it and those from it make up all of them."""
        start = (space, crossings)
        if start not in self._known_shortest_ways:
            self._known_shortest_ways[start] = frozenset(
                state
                for state, steps in self._distances_from(start).items()
                if steps >= 1 and steps + self.remaining.get(state, math.inf) == self.remaining[start]
            )
        return self._known_shortest_ways[start]

    def side_if_unmarked(self) -> str:
        """The side of a board that claims none: B if its alley adds two or more (COU-3), else A."""
        added = []
        for place in self.grid:
            distances = self._distances_from((place, 0))
            added += [
                distances[stop] + self.remaining[stop] - self.remaining[place, 0]
                for stop in self.paying
                if stop in distances
            ]
        return "B" if added and min(added) >= 2 else "A"

    def _leads_on_for_ever(self, closed: frozenset[Space], may_cross_line: bool) -> bool:
        """Whether a way round is left: take off dead ends until none is left, and see what remains."""
        left = set(self.steps) - closed
        while True:
            dead_ends = {
                space
                for space in left
                if not any(to in left and (may_cross_line or not line) for to, line in self.steps[space])
            }
            if not dead_ends:
                return bool(left)
            left -= dead_ends

    def _line_lies_ahead(self, space: Space) -> bool:
        """Whether a chariot in the alley has yet to cross the line on its way through and out of it."""
        return any(line or (to in self.alley and self._line_lies_ahead(to)) for to, line in self.steps[space])

    def _find_states_before(self) -> dict[State, list[State]]:
        """For each state those one step before it, on an empty course."""
        before: dict[State, list[State]] = {}
        for crossings in range(LAPS + 1):
            for space in self.steps:
                for to, crossed in self.ways(space, crossings, set(), most=1)[1].items():
                    before.setdefault((to, crossed), []).append((space, crossings))
        return before

    def _distances_to(self, goals: Iterable[State]) -> dict[State, int]:
        """The fewest steps to the nearest of the goals, from each state that can still reach one."""
        distances = dict.fromkeys(goals, 0)
        newest = list(distances)
        steps = 0
        while newest:
            steps += 1
            previous = {state for goal in newest for state in self.states_before.get(goal, [])}
            newest = [state for state in previous if state not in distances]
            distances.update(dict.fromkeys(newest, steps))
        return distances

    def _distances_from(self, start: State) -> dict[State, int]:
        """The fewest steps to each state that can be reached from there, on an empty course."""
        distances = {start: 0}
        newest = [start]
        steps = 0
        while newest:
            steps += 1
            following = {state for here in newest for state in self.ways(*here, set(), most=1)[1].items()}
            newest = [state for state in following if state not in distances]
            distances.update(dict.fromkeys(newest, steps))
        return distances

    def _check_the_course(self) -> None:
        assert HOME not in self.steps, f"no space may be called {HOME!r}"
        assert set(self.grid) <= set(self.steps), "a place of the grid is not a space"
        assert all(to in self.steps for steps in self.steps.values() for to, _ in steps), "a step leads nowhere"
        assert self._leads_on_for_ever(frozenset(), may_cross_line=True), "the course does not lead round"
        assert not self._leads_on_for_ever(frozenset(), may_cross_line=False), "one can go round without the line"
        # A move names only its destination: that must tell the crossings, and no move may lead a whole lap.
        for space in self.steps:
            crossings_at: dict[Space, int] = {}
            for reached in self.ways(space, 0, set()):
                for to, crossed in reached.items():
                    assert crossings_at.setdefault(to, crossed) == crossed, f"the way from {space} to {to} is ambiguous"
