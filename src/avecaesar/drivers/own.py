"""Drivers of one's own: classes found by `module:Class` or `path/file.py:Class`."""

from __future__ import annotations

import importlib
import importlib.util
import inspect
import os
import sys
import sysconfig
import traceback
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any

from avecaesar.errors import BadInput, plain

PACKAGE = str(Path(__file__).parent.parent)
LIBRARIES = tuple(sysconfig.get_path(name) for name in ("stdlib", "purelib", "platlib"))


class DriverError(BadInput):
    """A driver that cannot be found or made, or that does not drive: in one sentence."""


def load(name: str, seed: int | None) -> Any:
    """A new driver of that class, made with the seed if it takes one."""
    try:
        maker = _maker(name)
        takes_seed = "seed" in inspect.signature(maker).parameters
        made = maker(seed=seed) if takes_seed else maker()
    except DriverError:
        raise
    except Exception as error:
        raise DriverError(f"driver '{name}' cannot be made: {with_place(error)}") from error
    if not callable(getattr(made, "choose", None)):
        raise DriverError(f"driver '{name}' does not drive: it has no choose(view) that answers with a move")
    return made


def in_a_line(error: BaseException) -> str:
    """An error in one line: what kind, and what it says."""
    said = plain(" ".join(str(error).split()))
    return f"{type(error).__name__}: {said}" if said else type(error).__name__


def with_place(error: BaseException) -> str:
    """The same, with the file and line of a driver of one's own where it happened."""
    places = [place for place in traceback.extract_tb(error.__traceback__) if _is_own(place.filename)]
    where = f" ({plain(Path(places[-1].filename).name)}, line {places[-1].lineno})" if places else ""
    return f"{in_a_line(error)}{where}"


def _is_own(file: str) -> bool:
    """Whether a source is neither ours, nor Python's, nor of a library."""
    return not file.startswith(("<", PACKAGE, *LIBRARIES))


@cache
def _maker(name: str) -> Any:
    where, _, what = name.rpartition(":")
    if where.endswith(".py") and not Path(where).is_file():
        raise DriverError(f"driver '{name}' cannot be found: there is no file {where}")
    try:
        module = _from_file(Path(where)) if where.endswith(".py") else _from_module(where)
    except ModuleNotFoundError as error:
        raise DriverError(f"driver '{name}' cannot be found: there is no module {error.name}") from error
    except Exception as error:
        raise DriverError(f"driver '{name}' cannot be loaded: {with_place(error)}") from error
    maker = getattr(module, what, None)
    if not callable(maker):
        raise DriverError(f"driver '{name}' cannot be found: {where} has no class '{what}'")
    return maker


def _from_module(name: str) -> ModuleType:
    _look_in(os.getcwd())
    return importlib.import_module(name)


def _from_file(file: Path) -> ModuleType:
    _look_in(str(file.resolve().parent))  # for what it imports from beside it
    name = str(file.resolve())
    spec = importlib.util.spec_from_file_location(name, file)
    if spec is None or spec.loader is None:
        raise ImportError("it is not a Python file")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module  # before it runs: dataclasses and pickles look there
    spec.loader.exec_module(module)
    return module


def _look_in(folder: str) -> None:
    if folder not in sys.path:
        sys.path.append(folder)
