"""Drivers stood here until 0.6. Code that imports them from here goes on working; new code uses `avecaesar.drivers`."""

from __future__ import annotations

import warnings
from typing import Any

from avecaesar import drivers


def __getattr__(name: str) -> Any:
    if name not in drivers.__all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    warnings.warn(f"avecaesar.players.{name} is now avecaesar.drivers.{name}", DeprecationWarning, stacklevel=2)
    return getattr(drivers, name)
