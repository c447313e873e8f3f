"""Two or three players with two or three chariots each (TEAM-1)."""

from __future__ import annotations

import random

import pytest

from avecaesar import Play, Race, RulesError, Tournament, Vote
from avecaesar.drivers import Greedy, drive
from avecaesar.rules import EDITIONS
from referee.tournament import first_grid_high_card, next_grid, standings
from situations import at, race

clause = pytest.mark.clause
SIZES = [(2, 2), (2, 3), (3, 2)]


def finished(players: int, each: int, seed: int = 1, **changes: object) -> Tournament:
    """A tournament run to its end by random drivers."""
    options = {"chariots_each": each, **changes}
    games = Tournament(list("ABC"[:players]), options=options, seed=seed)
    source = random.Random(seed)
    while not games.over:
        it = games.next_race()
        while not it.over:
            moves = list(it.legal_moves)
            plays = [move for move in moves if isinstance(move, Play)]
            it.play(max(plays, key=lambda play: (play.card, source.random())) if plays else source.choice(moves))
    return games


@clause("TEAM-1")
@pytest.mark.parametrize(("players", "each"), SIZES)
def test_two_or_three_players_with_two_or_three_chariots_each(players: int, each: int) -> None:
    it = Race("red", list("ABC"[:players]), edition="pro-ludo", options={"chariots_each": each}, seed=1)
    names = [f"{player} {number}" for number in ("I", "II", "III")[:each] for player in "ABC"[:players]]
    assert it.names == tuple(names)  # alternating
    assert it.players == tuple(range(players)) * each
    assert [chariot.player for chariot in it.view().chariots] == list(it.players)
    drive(it, [Greedy()] * (players * each))
    assert it.over


@clause("TEAM-1")
@pytest.mark.parametrize(("players", "each"), [(1, 2), (4, 2), (1, 3), (3, 3)])
def test_no_others(players: int, each: int) -> None:
    with pytest.raises(RulesError):
        Race("red", list("ABCD"[:players]), options={"chariots_each": each})
    with pytest.raises(RulesError):
        Tournament(list("ABCD"[:players]), options={"chariots_each": each})


@clause("TEAM-1")
def test_each_chariot_has_its_own_deck_hand_and_coin_and_a_team_mate_is_in_the_way_like_any_other() -> None:
    it = race(at("S8a", 1, 2), at("S7a", 1), at("S9a", 3), at("S6a", 1), chariots_each=2)
    assert it.players == (0, 1, 0, 1)
    assert it.view(0).hand == (1, 2)
    assert it.view(2).hand == (3,)
    assert Play(1, it.course.space("S9a").id) not in it.legal_moves
    assert it.leaders == {2}
    assert it.view(0).chariots[2].hand_size == 1


@clause("TEAM-1")
@pytest.mark.parametrize(("players", "each"), SIZES)
def test_one_card_a_player_is_turned_up(players: int, each: int) -> None:
    for seed in range(20):
        games = Tournament(list("ABC"[:players]), options={"chariots_each": each}, seed=seed)
        games.next_race()
        shown = games.turned_up
        assert set(shown[0]) == set(range(players))
        best = [player for player, card in shown[-1].items() if card == max(shown[-1].values())]
        assert games.grids[0][0] == best[0]
        decks = [[cards[player] for cards in shown if player in cards] for player in range(players)]
        assert list(games.grids[0]) == first_grid_high_card(decks, lambda player: [], chariots_each=each)[0]


@clause("OWN-15")
@pytest.mark.parametrize(("players", "each"), SIZES)
@pytest.mark.parametrize("kind", ["last_then_seats", "reverse_arrival", "arrival"])
def test_on_every_grid_the_players_alternate(players: int, each: int, kind: str) -> None:
    for seed in range(4):
        games = finished(players, each, seed, next_grid=kind, first_grid=("high_card", "random")[seed % 2])
        for it, grid in zip(games.races, games.grids, strict=True):
            owners = [entry % players for entry in grid]
            assert owners == owners[:players] * each
            assert sorted(owners[:players]) == list(range(players))
            assert [games.entries[entry] for entry in grid] == list(it.names)
        for it, grid, following in zip(games.races, games.grids, games.grids[1:], strict=False):
            arrivals = [grid[chariot] for chariot in it.arrivals]
            assert list(following) == list(next_grid(kind, list(games.grids[0]), arrivals, players=players))
            if kind == "last_then_seats":
                assert following[0] == arrivals[-1]


@clause("TEAM-1")
@pytest.mark.parametrize(("players", "each"), SIZES)
def test_laurels_and_wins_add_up_by_player(players: int, each: int) -> None:
    for seed in range(4):
        games = finished(players, each, seed)
        total = [0] * players
        results = []
        for it, grid in zip(games.races, games.grids, strict=True):
            for chariot, entry in enumerate(grid):
                total[entry % players] += it.laurels[chariot]
            results.append({int(entry): (it.laurels[c], it.places[c]) for c, entry in enumerate(grid)})
        assert {standing.player: standing.laurels for standing in games.standings} == dict(enumerate(total))
        groups: dict[int, list[int]] = {}
        for standing in games.standings:
            groups.setdefault(standing.rank, []).append(standing.player)
        assert [sorted(group) for _, group in sorted(groups.items())] == standings(results, players=players)


@clause("TEAM-1")
def test_the_side_follows_the_number_of_chariots() -> None:
    assert Tournament(list("AB"), options={"chariots_each": 2}).schedule[0][0] == "white"
    assert Tournament(list("AB"), options={"chariots_each": 3}).schedule[0][0] == "yellow"


@clause("TEAM-1", "NPC-3")
def test_in_a_vote_a_player_has_one_vote_however_many_chariots_he_drives() -> None:
    it = Race(
        "white", list("AB"), options={"chariots_each": 2, "riderless_count": 2, "riderless_moves": "vote"}, seed=3
    )
    voters: list[int | None] = []
    while len(voters) < 6:
        if it.asks == "vote":
            voters.append(it.turn)
            it.play(Vote())
        else:
            it.play(it.legal_moves[0])
    assert set(voters) == {0, 1}


@clause("TEAM-1", "NPC-3")
def test_a_tied_vote_is_broken_by_the_player_whose_best_chariot_is_furthest_from_home() -> None:
    """A's are level, one of B's is the last of all and the other far ahead."""
    it = race(
        at("S3a", 1, crossings=0), at("C1b", 1), at("S3b", 1, crossings=0), at("S2b", 1, crossings=0),
        at("S8a", deck=(1, 1)), loose=1, turn=4, chariots_each=2, riderless_moves="vote",
    )  # fmt: skip
    for_a, for_b = (Play(1, it.course.space(name).id) for name in ("S9a", "S9b"))
    it.play(Vote(for_a.card, for_a.to))
    it.play(Vote(for_b.card, for_b.to))
    assert list(it.legal_moves) == [for_a]


@pytest.mark.parametrize("name", EDITIONS)
def test_teams_race_in_every_edition(name: str) -> None:
    it = Race("white", list("AB"), edition=name, options={"chariots_each": 2}, seed=1)
    drive(it, [Greedy()] * 4)
    assert it.over
