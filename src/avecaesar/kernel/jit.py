"""How rules and drivers are compiled, and where the compiled code is kept.

Numba's cache does not notice a change in a function of another module: it would go on playing yesterday's
rules. So the cache lies in a folder named by a digest of every source that goes into it and the compiler's versions;
an edited rule is another folder, and the same rules in another checkout or an installed wheel are the same one.
Drivers have a folder of their own, named by their sources and the rules': an edited driver recompiles no rule.
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
DRIVERS = KERNEL.parent / "drivers"


class Locator(UserProvidedCacheLocator):  # type: ignore[misc]  # Numba is untyped
    """Where Numba keeps a function: one of ours by the digest alone, wherever its source lies."""

    @classmethod
    def get_suitable_cache_subpath(cls, py_file: str) -> str:
        """A folder for a source's functions."""
        return Path(py_file).parent.name if _is_ours(py_file) else str(super().get_suitable_cache_subpath(py_file))

    def get_source_stamp(self) -> Any:
        """The digest has seen the source, and a checkout's files are as old as the checkout."""
        return "" if _is_ours(self._py_file) else super().get_source_stamp()


def _is_ours(source: str) -> bool:
    return Path(source).parent in (KERNEL, DRIVERS)


def compiled(function: Callable[..., Any]) -> Any:
    """Compile a function for the CPU; `@cuda.jit` kernels call the very same functions."""
    return _compile(function)


def inlined(function: Callable[..., Any]) -> Any:
    """The same, set into its caller: for the few large functions of every turn, worth a seventh of the speed."""
    return _compile(function, inline="always")


def _compile(function: Callable[..., Any], **options: str) -> Any:
    config = numba.config
    before = config.CACHE_DIR, config.CACHE_LOCATOR_CLASSES
    drives = Path(function.__code__.co_filename).parent == DRIVERS
    folder = cache_folder(DRIVERS if drives else KERNEL)
    config.CACHE_DIR, config.CACHE_LOCATOR_CLASSES = str(folder), f"{__name__}.{Locator.__name__}"
    try:
        return numba.njit(cache=True, nogil=True, error_model="numpy", **options)(function)
    finally:
        config.CACHE_DIR, config.CACHE_LOCATOR_CLASSES = before


@cache
def cache_folder(package: Path = KERNEL) -> Path:
    """The folder for the compiled functions of a package, for its sources, all that they call, and this compiler."""
    constants = (KERNEL.parent / "rules" / "options.py", KERNEL.parent / "courses" / "course.py")
    sources = {*KERNEL.glob("*.py"), *package.glob("*.py")}
    compiler = f"{sys.version_info[:2]} {numba.__version__} {np.__version__}"
    return files.cache_folder(*sources, *constants, version=compiler)
