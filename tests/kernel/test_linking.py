"""Entries are compiled once, with all their parts; parts only as far as an entry needs them."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import numba
import numpy as np
import pytest
from numba.core.dispatcher import Dispatcher

from avecaesar.drivers import batch, belief, policies, search, warm
from avecaesar.kernel import entry_points, jit, movement, redaction, turn
from avecaesar.kernel.cache import LABORATORY, RACE, SEARCHER, STAGES, cache_folder
from avecaesar.kernel.linking import PartLibrary

SCRIPT = """
from avecaesar.kernel.jit import compiled, entry, inlined

@inlined
def twice(number):
    return 2 * number

@compiled
def four_times(number):
    return twice(twice(number))

@entry()
def sixteen_times(number):
    return four_times(four_times(number))

print(sixteen_times(3), four_times(5), twice(1.5))
print(sixteen_times.stats.cache_hits)
"""


def test_parts_answer_to_entries_and_to_python_and_only_entries_are_kept(tmp_path: Path) -> None:
    script = tmp_path / "script.py"
    script.write_text(SCRIPT)
    first, second = (
        subprocess.run([sys.executable, script], capture_output=True, text=True, check=True).stdout.splitlines()
        for _ in range(2)
    )
    assert first[0] == second[0] == "48 20 3.0"
    assert "array" not in first[1]
    assert first[1] != second[1]  # it came from the cache


def test_no_part_of_an_entry_becomes_machine_code_of_its_own() -> None:
    window = np.uint64(0b101000)

    @jit.entry()
    def first_and_many(window):  # type: ignore[no-untyped-def]
        return movement.nearest(window) * 100 + movement.population(window)

    assert first_and_many(window) == 302
    assert {type(result.library) for result in movement.nearest.overloads.values()} == {PartLibrary}


def test_anybodys_own_compiled_function_can_call_a_part() -> None:
    @numba.njit  # type: ignore[untyped-decorator, unused-ignore]
    def how_far(window):  # type: ignore[no-untyped-def]
        return movement.nearest(window)  # which calls another

    assert how_far(np.uint64(0b101000)) == 3


OF_A_RACE = (
    "begin_race", "first_driven", "cards_to_sort", "list_moves", "leading", "all_under_ban", "owing", "owing_now",
    "all_paid", "cards_that_owe", "walk_on", "remaining_after", "judge", "step",
)  # fmt: skip


@pytest.mark.parametrize(
    ("stage", "entries"),
    [
        (RACE, {*(getattr(entry_points, name) for name in OF_A_RACE), redaction.redact_race, policies.ask}),
        (LABORATORY, {batch.deal_race, batch.run_races}),
        (SEARCHER, {belief.gather_all, search.try_moves}),
    ],
)
def test_each_stage_has_what_it_needs(stage: str, entries: set[Dispatcher]) -> None:
    assert set(jit.ENTRIES[stage]) == entries


def test_warming_up_compiles_every_entry_of_every_stage() -> None:
    warm.prepare(*STAGES)
    for stage, calls in warm._calls().items():
        for call in calls:
            call()
        for entry in jit.ENTRIES[stage]:
            assert entry.overloads, entry


def test_what_is_counted_of_an_entry_are_all_that_it_calls() -> None:
    counted = jit._with_all_parts([entry_points.step])
    assert {entry_points.step, turn.apply, turn.survey, movement.population} <= counted
    assert entry_points.perft not in counted


def test_the_cache_is_found_without_the_compiler() -> None:
    words = "import sys; from avecaesar.kernel.cache import cache_folder; print(cache_folder(), 'numba' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", words], capture_output=True, text=True, check=True)
    assert done.stdout == f"{cache_folder()} False\n"
