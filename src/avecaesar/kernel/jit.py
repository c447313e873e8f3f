"""How rules and drivers are compiled.

Python calls *entries*. What they call are *parts*: an entry is compiled together with all its parts, once (`linking`),
and only entries lie in the cache (`cache` says where). Whoever waits for it is told how far it is (`first_start`).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any

import numba
from numba.core import event
from numba.core.caching import UserProvidedCacheLocator
from numba.core.dispatcher import Dispatcher

from avecaesar import first_start
from avecaesar.kernel import linking
from avecaesar.kernel.cache import DRIVERS, KERNEL, cache_folder

OPTIONS: dict[str, Any] = {"nogil": True, "error_model": "numpy"}
ENTRIES: defaultdict[str, list[Any]] = defaultdict(list)  # by stage


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
    return not {KERNEL, DRIVERS}.isdisjoint(Path(source).parents)


def entry(stage: str = "") -> Callable[[Callable[..., Any]], Any]:
    """Compile a function that Python calls, and keep it in the cache; it is compiled with the others of its stage."""

    def compile_entry(function: Callable[..., Any]) -> Any:
        made = _entry(function)
        if stage and isinstance(made, Dispatcher):
            ENTRIES[stage].append(made)
        return made

    return compile_entry


def _entry(function: Callable[..., Any]) -> Any:
    config = numba.config
    before = config.CACHE_DIR, config.CACHE_LOCATOR_CLASSES
    drives = DRIVERS in Path(function.__code__.co_filename).parents
    folder = cache_folder(DRIVERS if drives else KERNEL)
    config.CACHE_DIR, config.CACHE_LOCATOR_CLASSES = str(folder), f"{__name__}.{Locator.__name__}"
    try:
        return numba.njit(cache=True, pipeline_class=linking.EntryCompiler, **OPTIONS)(function)
    finally:
        config.CACHE_DIR, config.CACHE_LOCATOR_CLASSES = before


def compiled(function: Callable[..., Any]) -> Any:
    """Compile a function that entries call; `@cuda.jit` kernels call the very same functions."""
    return _part(function)


def inlined(function: Callable[..., Any]) -> Any:
    """The same, set into its caller: for the few large functions of every turn, worth a seventh of the speed."""
    return _part(function, forceinline=True)


def _part(function: Callable[..., Any], **options: bool) -> Any:
    """A part. If Python calls it all the same, as tests do, an entry is made of it."""
    part: Any = numba.njit(pipeline_class=linking.PartCompiler, **OPTIONS, **options)(function)
    if isinstance(part, Dispatcher):  # it is the function itself with NUMBA_DISABLE_JIT
        as_entry = cache(lambda: _entry(function))
        overloads = part.overloads
        part.__dict__["_compile_for_args"] = lambda *_: as_entry()
        part.__dict__["add_overload"] = lambda result: overloads.update({tuple(result.signature.args): result})
    return part


# ---------------------------------------------------------------------- telling of it


class _Watch(event.Listener):  # type: ignore[misc]
    """Tells of our functions as they are compiled, how many of those that are wanted."""

    def __init__(self) -> None:
        self.wanted: set[Any] | None = None  # None: what comes with the entry that is compiled
        self._counted: set[Any] = set()
        self._compiled: set[Any] = set()
        self._depth = 0

    def on_start(self, event: Any) -> None:
        """An entry is called that is not in the cache, or one of its parts is at hand."""
        function = event.data["dispatcher"]
        if self._depth or _is_ours(function.py_func.__code__.co_filename):
            if not self._depth:
                self._counted = self.wanted or _with_all_parts(_companions(function))
                first_start.audience.begin()
            self._depth += 1

    def on_end(self, event: Any) -> None:
        """It is done."""
        if self._depth:
            self._depth -= 1
            self._compiled.add(event.data["dispatcher"])
            first_start.audience.show(len(self._compiled & self._counted), len(self._counted))
            if not self._depth:
                first_start.audience.end()


_watch = _Watch()
event.register("numba:compile", _watch)


@contextmanager
def expecting(stages: Iterable[str]) -> Iterator[None]:
    """All of these stages are going to be compiled: how far it is, is told of them together."""
    _watch.wanted = _with_all_parts(function for stage in stages for function in ENTRIES[stage])
    try:
        yield
    finally:
        _watch.wanted = None


def _companions(function: Any) -> list[Any]:
    """The entries of the same stage."""
    return next((entries for entries in ENTRIES.values() if function in entries), [function])


def _with_all_parts(functions: Iterable[Any]) -> set[Any]:
    """These functions, all that they call, and so on."""
    found: set[Any] = set()
    waiting = list(functions)
    while waiting:
        function = waiting.pop()
        if function not in found:
            found.add(function)
            names = (function.py_func.__globals__.get(name) for name in function.py_func.__code__.co_names)
            waiting += [called for called in names if isinstance(called, Dispatcher)]
    return found
