"""Old names go on working: they lead to the new ones, with a DeprecationWarning."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping
from typing import Any


def renamed(module: str, names: Mapping[str, tuple[str, Any]]) -> Callable[[str], Any]:
    """A module's `__getattr__`: for each old name the new one, in words, and what it means."""

    def found(name: str) -> Any:
        if name not in names:
            raise AttributeError(f"module {module!r} has no attribute {name!r}")
        new, value = names[name]
        warnings.warn(f"{module}.{name} is now {new}", DeprecationWarning, stacklevel=2)
        return value

    return found


def renamed_attribute(old: str, new: str) -> property:
    """An attribute of a class under its old name."""

    def found(self: Any) -> Any:
        warnings.warn(f"{type(self).__name__}.{old} is now called {new}", DeprecationWarning, stacklevel=2)
        return getattr(self, new)

    return property(found, doc=f"What `{new}` was called up to 0.6.")
