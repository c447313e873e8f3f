"""How this program is called from where one is: what to type next is told so that it works."""

from __future__ import annotations

import os
import shutil
import sys


def called(name: str = "avecaesar") -> str:
    """The program's name if the shell finds it, else the path by which it was called."""
    if shutil.which(name):
        return name
    program = os.path.abspath(sys.argv[0])
    if os.path.basename(program) != name:
        return f"{os.path.basename(sys.executable)} -m {name}"
    here = os.path.relpath(program)
    return program if here.startswith(os.pardir) else here
