"""How a riderless chariot moves (NPC-3): by rule, or by vote of the players."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from .course import CourseFacts, Space, State


def by_rule(
    facts: CourseFacts, destinations: Mapping[Space, int], stops_to_pay: bool, drivers: Iterable[State]
) -> Space:
    """NPC-3, `rule`: its choice among the destinations (with its crossings there) of its card.

    `stops_to_pay`: a `fill` chariot on its first lap with its coin. `drivers`: where their racing chariots stand.
    """
    states = list(destinations.items())
    # a paying stop if there is one
    if stops_to_pay:
        states = [state for state in states if state in facts.paying] or states
    # then least remaining distance, home being none
    least = min(facts.remaining[state] for state in states)
    states = [state for state in states if facts.remaining[state] == least]
    # then the space on a shortest way home of most drivers' racing chariots behind it
    if len(states) > 1:
        ways = [facts.shortest_ways_home(*driver) for driver in drivers]
        hindered = {state: sum(state in way for way in ways) for state in states}
        states = [state for state in states if hindered[state] == max(hindered.values())]
    # then the lowest space
    return min(states)[0]


def by_vote(votes: Sequence[Space | None], distances: Sequence[float]) -> Space | None:
    """NPC-3, `vote`: what the players decided, or None if all abstained.

    Both go by player, in grid order of their first chariots; `distances` is the remaining distance of his best
    racing chariot, and less than any (-inf) for a player without one.
    """
    counts = Counter(vote for vote in votes if vote is not None)
    if not counts:
        return None
    # most votes decide
    tied = [to for to, count in counts.items() if count == max(counts.values())]
    # a tie is broken by the driver whose best racing chariot is furthest from home, then by the later in turn order
    decisive = [player for player, vote in enumerate(votes) if vote in tied]
    return votes[max(decisive, key=lambda player: (distances[player], player))]
