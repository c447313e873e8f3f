"""How the rules are compiled, and where the compiled code is kept.

Numba's cache does not notice a change in a function of another module: it would go on playing yesterday's
rules. So the cache lies in a folder named by a digest of every source that goes into it and the compiler's versions;
an edited rule is another folder.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import numba
import numpy as np

from avecaesar import files


def compiled(function: Callable[..., Any]) -> Any:
    """Compile a function of the rules for the CPU; `@cuda.jit` kernels call the very same functions."""
    return _compile(function)


def inlined(function: Callable[..., Any]) -> Any:
    """The same, set into its caller: for the few large functions of every turn, worth a seventh of the speed."""
    return _compile(function, inline="always")


def _compile(function: Callable[..., Any], **options: str) -> Any:
    before = numba.config.CACHE_DIR
    numba.config.CACHE_DIR = str(cache_folder())
    try:
        return numba.njit(cache=True, nogil=True, error_model="numpy", **options)(function)
    finally:
        numba.config.CACHE_DIR = before


@cache
def cache_folder() -> Path:
    """The folder for these sources and this compiler."""
    kernel = Path(__file__).parent
    constants = (kernel.parent / "rules" / "options.py", kernel.parent / "courses" / "course.py")
    compiler = f"{sys.version_info[:2]} {numba.__version__} {np.__version__}"
    return files.cache_folder(*kernel.glob("*.py"), *constants, version=compiler)
