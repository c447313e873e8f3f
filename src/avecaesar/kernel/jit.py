"""How the rules are compiled, and where the compiled code is kept.

Numba's cache does not notice a change in a function of another module: it would go on playing yesterday's
rules. So the cache lies in a folder named by a digest of every source that goes into it and the compiler's versions;
an edited rule is another folder, and the same rules in another checkout or an installed wheel are the same one.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import numba
import numpy as np
from numba.core.caching import UserProvidedCacheLocator

from avecaesar import files

KERNEL = Path(__file__).parent


class Locator(UserProvidedCacheLocator):  # type: ignore[misc]  # Numba is untyped
    """Where Numba keeps a function: those of the kernel by the digest alone, wherever their sources lie."""

    @classmethod
    def get_suitable_cache_subpath(cls, py_file: str) -> str:
        """A folder for a source's functions."""
        return KERNEL.name if _is_ours(py_file) else str(super().get_suitable_cache_subpath(py_file))

    def get_source_stamp(self) -> Any:
        """The digest has seen the source, and a checkout's files are as old as the checkout."""
        return "" if _is_ours(self._py_file) else super().get_source_stamp()


def _is_ours(source: str) -> bool:
    return Path(source).parent == KERNEL


def compiled(function: Callable[..., Any]) -> Any:
    """Compile a function of the rules for the CPU; `@cuda.jit` kernels call the very same functions."""
    return _compile(function)


def inlined(function: Callable[..., Any]) -> Any:
    """The same, set into its caller: for the few large functions of every turn, worth a seventh of the speed."""
    return _compile(function, inline="always")


def _compile(function: Callable[..., Any], **options: str) -> Any:
    config = numba.config
    before = config.CACHE_DIR, config.CACHE_LOCATOR_CLASSES
    config.CACHE_DIR, config.CACHE_LOCATOR_CLASSES = str(cache_folder()), f"{__name__}.{Locator.__name__}"
    try:
        return numba.njit(cache=True, nogil=True, error_model="numpy", **options)(function)
    finally:
        config.CACHE_DIR, config.CACHE_LOCATOR_CLASSES = before


@cache
def cache_folder() -> Path:
    """The folder for these sources and this compiler."""
    constants = (KERNEL.parent / "rules" / "options.py", KERNEL.parent / "courses" / "course.py")
    compiler = f"{sys.version_info[:2]} {numba.__version__} {np.__version__}"
    return files.cache_folder(*KERNEL.glob("*.py"), *constants, version=compiler)
