"""The same races on the card as on the CPU, bit for bit, and how fast they are there: `python tools/bench.py --gpu`."""

from __future__ import annotations

import hashlib
import multiprocessing
import os
import subprocess
import sys
import time
from typing import Any

import numpy as np

from avecaesar.kernel import packing, playout
from avecaesar.kernel.layout import RACE
from bench_turns import CHARIOTS, course_and_rules, progress, spread

GPU_RACES = 1_000_000
GPU_CHUNK = 10_000
GPU_BATCHES = (1 << 14, 1 << 16, 1 << 18, 1 << 20, 1 << 22)
GPU_LAUNCHES = 12
STRIDE = int(playout.STRIDE)


def gpu(quick: bool) -> dict[str, Any]:
    """Equality with the CPU bit for bit, then moves a second with the races staying on the card."""
    for name, successor in (("row_stack", "vstack"), ("in1d", "isin"), ("trapz", "trapezoid")):
        if not hasattr(np, name):  # numba-cuda still asks for what NumPy 2.4 took away
            setattr(np, name, getattr(np, successor))
    from numba import cuda

    from avecaesar.kernel import gpu as card

    if not cuda.is_available():
        sys.exit("No NVIDIA card was found, or no driver for it, so there is nothing to measure with --gpu.")
    races = 20 if quick else GPU_RACES
    begun = time.perf_counter()
    expected = digests_by_cpu(races)
    by_cpu = time.perf_counter() - begun
    course, rules = course_and_rules()
    here = [cuda.to_device(course), cuda.to_device(rules)]
    on_card = cuda.to_device(packing.new_races(races))
    begun = time.perf_counter()
    card.random_races(*here, on_card, CHARIOTS, 0, 1)
    cuda.synchronize()
    compiled = time.perf_counter() - begun
    found = on_card.copy_to_host()
    chunks = [found[k : k + GPU_CHUNK] for k in range(0, races, GPU_CHUNK)]
    differing = [k for k, chunk in enumerate(chunks) if digest(chunk) != expected[k]]
    return {
        "card": card_in_words(cuda),
        "equality": {
            "races": races,
            "moves": int(found["turns"].sum(dtype=np.int64)),
            "bytes": found.nbytes,
            "sha256": digest(found),
            "first_chunks_that_differ": differing[:5],
            "equal": not differing,
        },
        "seconds": {"races_on_the_cpu": by_cpu, "first_launch_with_compilation": compiled},
        "per_second": {
            str(size): spread(launches(cuda, card, here, size, 2 if quick else GPU_LAUNCHES))
            for size in ((8, 16) if quick else GPU_BATCHES)
        },
    }


def launches(cuda: Any, card: Any, here: list[Any], size: int, count: int) -> list[float]:
    """Moves a second of each launch; one before them does not count, nor does looking at the races afterwards."""
    races = cuda.to_device(packing.new_races(size))
    rates = []
    for number in progress(range(count + 1), f"{size} races on the card: launch"):
        cuda.synchronize()
        begun = time.perf_counter()
        card.random_races(*here, races, CHARIOTS, 0, 1_000_000 * number)
        cuda.synchronize()
        seconds = time.perf_counter() - begun
        if number > 0:
            rates.append(int(races.copy_to_host()["turns"].sum(dtype=np.int64)) / seconds)
    return rates


def digests_by_cpu(races: int) -> list[str]:
    """The same races on all cores of the CPU, a digest of all bytes for each chunk."""
    digest_of_chunk((0, 1))  # compiled once here, found in the cache by the others
    spans = [(first, min(GPU_CHUNK, races - first)) for first in range(0, races, GPU_CHUNK)]
    jobs = min(len(spans), os.cpu_count() or 1)
    with multiprocessing.get_context("spawn").Pool(jobs) as pool:
        return pool.map(digest_of_chunk, spans, chunksize=1)


def digest_of_chunk(span: tuple[int, int]) -> str:
    """Races `first` to `first + count - 1` of seed 1: each race's own seed is its number times the stride."""
    first, count = span
    races = packing.new_races(count)
    with np.errstate(over="ignore"):  # uncompiled, NumPy warns when the random numbers wrap round as they should
        playout.random_races(*course_and_rules(), races, CHARIOTS, 0, np.uint64((1 + first * STRIDE) % 2**64))
    return digest(races)


def digest(races: Any) -> str:
    """Of every byte of every field (between the fields lies padding, which NumPy does not promise to copy)."""
    seen = hashlib.sha256()
    for name in RACE.names or ():
        seen.update(races[name].tobytes())
    return seen.hexdigest()


def card_in_words(cuda: Any) -> str:
    try:
        asked = "--query-gpu=name,driver_version,clocks.max.sm", "--format=csv,noheader"
        answer = subprocess.run(["nvidia-smi", *asked], capture_output=True, text=True, check=True).stdout
        return " ".join(answer.strip().splitlines()[0].split())
    except (OSError, subprocess.CalledProcessError):
        name = getattr(cuda.get_current_device(), "name", "a simulated card")
        return name.decode() if isinstance(name, bytes) else str(name)
