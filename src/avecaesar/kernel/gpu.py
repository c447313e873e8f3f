"""The same rules on a GPU: one race a thread, nothing leaving the card until it is asked for.

Needs the extra `gpu`; and on a card the compiler of a CUDA toolkit, the machine's own or numba-cuda's extra `cu13`.
Without a card, NUMBA_ENABLE_CUDASIM=1 with NUMBA_DISABLE_JIT=1 runs it in a simulator.
"""

from __future__ import annotations

from typing import Any

import numpy as np

try:
    from numba import cuda
except (ImportError, RuntimeError):  # no numba-cuda, or it finds no CUDA runtime to load
    raise ImportError(
        "the rules on a GPU need numba-cuda and a CUDA runtime: install both with pip install 'avecaesar[gpu]'"
    ) from None

from avecaesar.kernel.playout import STRIDE, deal_and_run, mixed

THREADS = 128  # a block


@cuda.jit
def _random_races(courses, rules, races, drivers, riderless, seed):
    k = cuda.grid(1)
    if k < races.size:
        deal_and_run(courses[0], rules[0], races[k], drivers, riderless, mixed(seed + np.uint64(k) * STRIDE))


def random_races(courses: Any, rules: Any, races: Any, drivers: int, riderless: int, seed: int) -> None:
    """`playout.random_races` on the GPU, bit for bit; `races` may lie there already."""
    blocks = (races.size + THREADS - 1) // THREADS
    _random_races[blocks, THREADS](courses, rules, races, drivers, riderless, np.uint64(seed))
