"""Drivers stood here until 0.6. Code that imports them from here goes on working; new code uses `avecaesar.drivers`."""

from __future__ import annotations

from avecaesar import drivers
from avecaesar.renamed import renamed

__getattr__ = renamed(
    __name__, {name: (f"avecaesar.drivers.{name}", getattr(drivers, name)) for name in drivers.__all__}
)
