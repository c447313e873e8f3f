"""The referee checked by hand on votes (NPC-3) and teams (TEAM)."""

import math
from typing import Any

import pytest

from referee_situations import DECK, MISS, RAVENSBURGER, TINY, WHITE, extra, fill

from .race import RefereeRace, Space
from .riderless import by_vote
from .tournament import first_grid_high_card, first_grid_random, next_grid, standings

# ---- riderless chariots: votes ----


def vote_race(*options: tuple[str, Any]) -> RefereeRace:
    """Place I riderless, with its first card a 1: a3 or b3; then drivers 25, 26 and 26 from home."""
    rules = RAVENSBURGER | {"riderless": "fill", "riderless_moves": "vote"} | dict(options)
    return RefereeRace(TINY, rules, [[1] * 24, DECK, DECK, DECK], riderless=1)


@pytest.mark.parametrize(
    ("votes", "decided"),
    [
        (["b3", "b3", "a3"], "b3"),  # most votes
        (["b3", None, None], "b3"),
        (["b3", "a3", None], "a3"),  # a tie: of those at 25 and 26 the second is further from home
        (["a3", "b3", None], "b3"),
        ([None, "a3", "b3"], "b3"),  # both at 26: the later
        ([None, "b3", "a3"], "a3"),
        ([None, None, None], "a3"),  # by rule
    ],
)
def test_most_votes_decide_npc_3(votes: list[Space | None], decided: Space) -> None:
    race = vote_race()
    for voter, vote in enumerate(votes, start=1):
        assert (race.turn, race.phase, race.voting) == (voter, "vote", 0)
        assert race.legal() == {("vote", 1, "a3"), ("vote", 1, "b3"), ("vote", None, None)}
        race.apply(("vote", 1, vote) if vote else ("vote", None, None))
    assert (race.turn, race.phase, race.voting, race.turns_taken) == (0, "turn", None, 0)
    assert race.legal() == {("play", 1, decided)}
    race.apply(("play", 1, decided))
    assert (race.turn, race.position[0], race.turns_taken) == (1, decided, 1)


def test_without_a_choice_there_is_no_vote_npc_3() -> None:
    race = vote_race()
    for to in ("b3", "b3", None):
        race.apply(("vote", 1, to) if to else ("vote", None, None))
    race.apply(("play", 1, "b3"))
    race.position[1] = "a4"
    race._begin_turn(0)
    assert (race.turn, race.phase, race.voting) == (0, "turn", None)
    assert race.legal() == {("play", 1, "b4")}
    race.position[2] = "b4"
    race._begin_turn(0)
    assert (race.phase, race.voting, race.legal()) == ("turn", None, {("miss", "blocked", 1)})


def test_a_vote_is_not_bound_to_stop_in_the_alley_on_the_first_lap_npc_3() -> None:
    race = fill(("n8", 1, []), ("a3", 1, [1]), riderless_moves="vote")
    race._begin_turn(0)
    assert race.legal() == {("vote", None, None), *(("vote", 1, to) for to in ("a1", "b1", "p1"))}
    race.apply(("vote", None, None))
    assert race.legal() == {("play", 1, "p1")}, "but the rule is"


def test_who_is_home_or_out_votes_too_and_counts_as_nearest_npc_3() -> None:
    race = fill(("a3", 1, []), ("a7", 3, [1]), ("b2", 1, [1]), ("b1", 1, [1]), riderless_moves="vote")
    race._leave(3, "out")
    race._begin_turn(0)
    for place in ("b4", "a4", "a4"):
        race.apply(("vote", 1, place))
    assert race.legal() == {("play", 1, "a4")}
    race._begin_turn(0)
    for to in ("b4", None, "a4"):
        race.apply(("vote", 1, to) if to else ("vote", None, None))
    assert race.legal() == {("play", 1, "b4")}
    assert by_vote(["x", "y"], [-math.inf, -math.inf]) == "y"


def test_a_stalled_count_does_not_see_votes_npc_3() -> None:
    chariots: list[tuple[Space, int, list[int]]] = [("n5", 1, [2]), ("a6", 1, [1]), ("b6", 1, [1]), ("a3", 1, [])]
    race = extra(*chariots, riderless_moves="vote", missed_turn="keep")
    race.apply(MISS)
    assert (race.kept, race.turn) == (1, 1)
    race._begin_turn(3)
    assert race.phase == "vote"
    for _ in range(3):
        race.apply(("vote", None, None))
    assert (race.kept, race.turns_taken) == (1, 2)


def test_a_barred_or_waiting_card_is_not_voted_on_npc_3() -> None:
    race = extra(("n8", 0, [1]), ("a6", 1, [6]), riderless_moves="vote", turn=1)
    race._begin_turn(1)
    assert (race.phase, race.legal()) == ("turn", {("miss", "barred", None)})
    race = fill(("a7", 2, []), ("a3", 3, [1]), riderless_moves="vote")
    race.deck[0] = [3]
    race._begin_turn(0)
    assert (race.phase, race.legal()) == ("turn", {("play", 3, "p2")}), "TRI-3 leaves it one destination"


# ---- teams ----


def test_players_alternate_on_the_grid_team_1() -> None:
    rules = RAVENSBURGER | {"chariots_each": 2}
    assert RefereeRace(TINY, rules, [DECK] * 4).player == [0, 1, 0, 1]
    assert RefereeRace(WHITE, rules, [DECK] * 6).player == [0, 1, 2, 0, 1, 2]
    assert RefereeRace(WHITE, rules | {"chariots_each": 3}, [DECK] * 6).player == [0, 1, 0, 1, 0, 1]
    assert RefereeRace(WHITE, rules, [DECK] * 5, riderless=1).player == [0, 1, 0, 1, None]
    race = RefereeRace(WHITE, rules | {"riderless": "fill"}, [DECK] * 6, riderless=2)
    assert race.player == [None, None, 0, 1, 0, 1]


def test_each_player_has_one_vote_that_counts_by_his_best_chariot_team_1_npc_3() -> None:
    rules = RAVENSBURGER | {"chariots_each": 2, "riderless_moves": "vote"}
    race = RefereeRace(WHITE, rules, [DECK] * 4 + [[1] * 24], riderless=1)
    # remaining distances: player 0 near and far, player 1 in the middle twice
    for chariot, (space, crossings) in enumerate([("Ma1", 3), ("Na1", 2), ("Na1", 1), ("Pa1", 2), ("S4b1", 0)]):
        race.position[chariot], race.crossings[chariot] = space, crossings
    race._begin_turn(4)
    one, other = sorted(str(move[2]) for move in race.legal() if move[2])[:2]
    assert (race.turn, race.voting) == (0, 4)
    race.apply(("vote", 1, one))
    assert (race.turn, race.voting) == (1, 4)
    race.apply(("vote", 1, other))
    assert (race.turn, race.legal()) == (4, {("play", 1, other)})
    race._leave(0, "out")
    race._begin_turn(4)
    race.apply(("vote", 1, one))
    race.apply(("vote", 1, other))
    assert race.legal() == {("play", 1, one)}, "his best racing chariot is now the far one"


def test_the_first_grid_with_teams_team_1_set_2() -> None:
    order, rounds = first_grid_high_card([[5, 1], [6], [6]], lambda player: [player], chariots_each=2)
    assert (order, rounds[1]) == ([2, 3, 4, 5, 0, 1], {1: 1, 2: 2})
    assert [entry % 3 for entry in order] == [2, 0, 1, 2, 0, 1]
    assert first_grid_random([2, 0, 1], chariots_each=2) == [2, 0, 1, 5, 3, 4]
    assert first_grid_random([1, 0, 2]) == [1, 0, 2]


def test_the_next_grid_with_teams_and_riderless_ones_team_1_next_2() -> None:
    seating = [0, 1, 2, 3, 4, 5]  # A1 B1 C1 A2 B2 C2
    arrivals = [3, 0, 1, 5, 4, 2]
    assert next_grid("last_then_seats", seating, arrivals, players=3) == [2, 3, 4, 5, 0, 1]
    assert next_grid("arrival", seating, arrivals, players=3) == [3, 1, 5, 0, 4, 2]
    assert next_grid("reverse_arrival", seating, arrivals, players=3) == [2, 4, 0, 5, 1, 3]
    assert next_grid("arrival", seating, arrivals) == arrivals
    assert next_grid("last_then_seats", [0, 1, 2], [2, 0, 1, None]) == [1, 2, 0]
    assert next_grid("reverse_arrival", [0, 1, 2], [None, 2, 0, 1]) == [1, 0, 2]


def test_laurels_and_places_add_up_by_player_team_1_next_4() -> None:
    race: dict[int, tuple[int, int | None]] = {0: (6, 1), 1: (4, 2), 2: (0, None), 3: (2, 4)}
    assert standings([race]) == [[0], [1], [3], [2]]
    assert standings([race], players=2) == [[0], [1]], "six laurels each, but player 0 has a win"
    assert standings([race, {0: (4, 2), 1: (6, 1), 2: (2, 4), 3: (0, None)}], players=2) == [[0, 1]]
