"""Where compiled code is kept; found without importing Numba, which is slow.

Numba's cache does not notice a change in a function of another module: it would go on playing yesterday's
rules. So the cache lies in a folder named by a digest of every source that goes into it and the compiler's versions;
an edited rule is another folder, and the same rules in another checkout or an installed wheel are the same one.
Drivers have a folder of their own, named by their sources and the rules': an edited driver recompiles no rule.
"""

from __future__ import annotations

import os
import platform
import sys
from functools import cache
from hashlib import sha256
from importlib.metadata import version
from pathlib import Path

from avecaesar import files

KERNEL = Path(__file__).parent
DRIVERS = KERNEL.parent / "drivers"

# What is compiled together: all that a race needs with people and with drivers by rules of thumb; the laboratory; the
# searcher. What belongs to none of them (a bench, a proof) is compiled when it is first called.
RACE, LABORATORY, SEARCHER = STAGES = ("race", "laboratory", "searcher")


@cache
def cache_folder(package: Path = KERNEL) -> Path:
    """The folder for the compiled functions of a package, for its sources, all that they call, and this compiler."""
    constants = (KERNEL.parent / "rules" / "options.py", KERNEL.parent / "courses" / "course.py")
    sources = {*KERNEL.rglob("*.py"), *package.rglob("*.py")}
    compiler = f"{sys.version_info[:2]} {version('numba')} {version('numpy')}"
    return files.cache_folder(*sources, *constants, version=compiler)


def is_ready(stage: str) -> bool:
    """Whether all of a stage was compiled for this machine; or never is."""
    return _uncompiled() or _mark(stage).exists()


def note_ready(stage: str) -> None:
    """All of a stage lies in the cache now."""
    if not _uncompiled():
        _mark(stage).touch()


def _uncompiled() -> bool:
    return os.environ.get("NUMBA_DISABLE_JIT", "0") not in ("", "0")


def _mark(stage: str) -> Path:
    return cache_folder(DRIVERS) / f"{stage}-{_processor()}.ready"


@cache
def _processor() -> str:
    """This processor, as far as compiled code depends on it: a home folder may be shared by several machines."""
    words = [platform.machine(), platform.processor()]
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        lines = []
    words += sorted({line for line in lines if line.startswith(("model name", "flags", "Features"))})
    return sha256("\n".join(words).encode()).hexdigest()[:16]
