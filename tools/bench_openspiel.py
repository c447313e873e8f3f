"""Whole races and single steps beside OpenSpiel's games: two sections of `make bench`, which run without it, too."""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from statistics import median
from typing import Any

import numpy as np

from avecaesar import Race
from avecaesar.kernel import entry_points, packing, playout
from avecaesar.kernel.layout import MOST_MOVES
from avecaesar.rules import DECK
from bench_turns import BATCH, CHARIOTS, Rate, course_and_rules, progress, ratios, spread, take_turns

try:
    import pyspiel
    from open_spiel.python import games as _python_games  # noqa: F401  # makes its games in Python known
except ImportError:
    pyspiel = None

ROLLOUTS = 2000
ROLLOUT_GAMES = ("hearts", "connect_four", "backgammon")
STEP_GAMES = (
    "tic_tac_toe", "nim", "pig", "connect_four", "kuhn_poker", "breakthrough", "hearts", "backgammon",
    "python_tic_tac_toe", "python_kuhn_poker",
)  # fmt: skip
PLAYOUTS = 200  # random playouts that tell how many decisions a rollout takes
SECONDS_OF_STEPS = 0.03  # a round of single steps
STARTS = 16  # dealt races and games that the single steps begin from


# ---------------------------------------------------------------------- whole races against C++ rollouts


def random_races_per_second() -> Rate:
    """Moves a second of whole random races, their deal included."""
    course, rules = course_and_rules()
    races = packing.new_races(BATCH)
    seeds = iter(range(1 << 62))

    def one_round() -> float:
        begun = time.process_time()
        moves = playout.random_races(course, rules, races, CHARIOTS, 0, np.uint64(next(seeds)))
        return float(moves / (time.process_time() - begun))

    return one_round


def start_of(game: Any, source: random.Random) -> Any:
    """A game after its deal: the bot cannot begin at a chance node."""
    state = game.new_initial_state()
    while state.is_chance_node():
        state.apply_action(by_chance(state, source))
    return state


def by_chance(state: Any, source: random.Random) -> int:
    actions, chances = zip(*state.chance_outcomes(), strict=True)
    return int(source.choices(actions, chances)[0])


def length_of(start: Any, playouts: int, source: random.Random) -> tuple[float, float]:
    """Mean decisions and mean chance nodes of a random playout from here."""
    decisions = chances = 0
    for _ in range(playouts):
        state = start.clone()
        while not state.is_terminal():
            if state.is_chance_node():
                chances += 1
                state.apply_action(by_chance(state, source))
            else:
                decisions += 1
                state.apply_action(source.choice(state.legal_actions()))
    return decisions / playouts, chances / playouts


class Rollouts:
    """OpenSpiel's C++ rollouts of a game, each round from another deal."""

    def __init__(self, name: str, rounds: int, quick: bool) -> None:
        self.game = pyspiel.load_game(name)
        self.rollouts = 20 if quick else ROLLOUTS
        source = random.Random(1)
        self.starts = []
        for _ in progress(range(rounds + 1), f"{name}: counting decisions from deal"):
            start = start_of(self.game, source)
            self.starts.append((start, *length_of(start, 5 if quick else PLAYOUTS, source)))
        self.round = 0

    def __call__(self) -> float:
        start, decisions, _ = self.starts[self.round]
        evaluator = pyspiel.RandomRolloutEvaluator(n_rollouts=self.rollouts, seed=self.round)
        bot = pyspiel.MCTSBot(self.game, evaluator, 2.0, 1, 1000, False, self.round, False)
        self.round += 1
        begun = time.process_time()
        bot.step(start)
        return self.rollouts * decisions / (time.process_time() - begun)

    def nodes_per_decision(self) -> float:
        """What the rate is to be multiplied with if chance nodes are counted too."""
        return sum(d + c for _, d, c in self.starts) / sum(d for _, d, _ in self.starts)


def rollouts(rounds: int, quick: bool) -> dict[str, Any]:
    theirs = {name: Rollouts(name, rounds, quick) for name in ROLLOUT_GAMES} if pyspiel else {}
    rates = take_turns({"avecaesar": random_races_per_second(), **theirs}, rounds, "whole races: round")
    return {
        name: {
            "per_second": spread(values),
            "we_are_faster": ratios(rates["avecaesar"], values),
            "with_chance_nodes": median(values) * (theirs[name].nodes_per_decision() if name in theirs else 1),
        }
        for name, values in rates.items()
    }


# ---------------------------------------------------------------------- single steps through Python


class OurSteps:
    """Random races through the kernel's entry points, beginning from races already dealt."""

    def __init__(self) -> None:
        self.course, self.rules = course_and_rules()
        source = random.Random(1)
        self.starts = packing.new_races(STARTS)
        self.races = packing.new_races(1)
        self.moves = np.empty(MOST_MOVES, np.int64)
        for k in range(STARTS):
            packing.deal(self.starts, k, [source.sample(DECK, len(DECK)) for _ in range(CHARIOTS)])
            entry_points.begin_race(self.course, self.rules, self.starts, k, CHARIOTS, 0)

    def two_calls(self, steps: int) -> int:
        """List the legal moves, choose, make the move."""
        course, rules, races, moves = self.course, self.rules, self.races, self.moves
        list_moves, step, move_at, chance = entry_points.list_moves, entry_points.step, moves.item, random.random
        races[0] = self.starts[0]
        for number in range(steps):
            count = list_moves(course, races, 0, moves)
            if count == 0:
                races[0] = self.starts[number % STARTS]
                count = list_moves(course, races, 0, moves)
            step(course, rules, races, 0, move_at(int(chance() * count)))
        return steps

    def one_call(self, steps: int) -> int:
        """Choose, make the move and list the next legal moves."""
        course, rules, races, moves = self.course, self.rules, self.races, self.moves
        move_on, move_at, chance = entry_points.move_on, moves.item, random.random
        count = 0
        for number in range(steps):
            if count == 0:
                races[0] = self.starts[number % STARTS]
                count = entry_points.list_moves(course, races, 0, moves)
            count = move_on(course, rules, races, 0, move_at(int(chance() * count)), moves)
        return steps


class FriendlySteps:
    """The same with `Race`, which is made for people: moves are objects, and it keeps a history."""

    def __init__(self) -> None:
        self.starts = [Race("white", CHARIOTS, seed=seed) for seed in range(STARTS)]

    def __call__(self, steps: int) -> int:
        chance = random.random
        race = self.starts[0].copy()
        for number in range(steps):
            if race.over:
                race = self.starts[number % STARTS].copy()
            moves = list(race.legal_moves)
            race.play(moves[int(chance() * len(moves))])
        return steps


class TheirSteps:
    """OpenSpiel's Python interface, from games already dealt; chance nodes are passed quickly and not counted."""

    def __init__(self, name: str) -> None:
        game, source = pyspiel.load_game(name), random.Random(1)
        self.starts = [start_of(game, source) for _ in range(STARTS)]

    def __call__(self, steps: int) -> int:
        chance, starts = random.random, self.starts
        state = starts[0].clone()
        done = 0
        while done < steps:
            if state.is_terminal():
                state = starts[done % STARTS].clone()
            elif state.is_chance_node():
                outcomes = state.chance_outcomes()
                state.apply_action(outcomes[int(chance() * len(outcomes))][0])
            else:
                actions = state.legal_actions()
                state.apply_action(actions[int(chance() * len(actions))])
                done += 1
        return steps


def steps_per_second(loop: Callable[[int], int], quick: bool) -> Rate:
    """Rounds of about the same time for everybody."""
    loop(20)
    begun = time.process_time()
    loop(200)
    steps = 50 if quick else max(200, int(200 * SECONDS_OF_STEPS / (time.process_time() - begun)))

    def one_round() -> float:
        begun = time.process_time()
        return loop(steps) / (time.process_time() - begun)

    return one_round


def steps(rounds: int, quick: bool) -> dict[str, Any]:
    loops: dict[str, Callable[[int], int]] = {
        "one call: move_on": OurSteps().one_call,
        "two calls: list_moves, step": OurSteps().two_calls,
        "Race.legal_moves, Race.play": FriendlySteps(),
    }
    loops |= {name: TheirSteps(name) for name in STEP_GAMES} if pyspiel else {}
    contestants = {name: steps_per_second(loop, quick) for name, loop in loops.items()}
    rates = take_turns(contestants, rounds, "single steps: round")
    ours = rates["one call: move_on"]
    return {
        name: {"per_second": spread(values), "we_are_faster": ratios(ours, values)} for name, values in rates.items()
    }
