"""What stands of the secrets of deals in a database."""

from __future__ import annotations

import subprocess
from pathlib import Path

from harness import Harness
from servers import PROGRAM


def on_disk(data: Path) -> bytes:
    """Everything that lies there under the database's name, what is not yet merged into it too."""
    return b"".join(file.read_bytes() for file in sorted(data.parent.glob(f"{data.name}*")) if file.is_file())


def is_in(secret: str, data: Path) -> bool:
    found = on_disk(data)
    return secret.encode() in found or bytes.fromhex(secret) in found


def secrets_of(house: Harness, table: str) -> tuple[str, str | None]:
    """The secret of the race that is on or just over, and of the one to come."""
    state = house.running(table).state
    return state.seals[-1].secret if state.seals else "", state.sealed.secret if state.sealed else None


def typed(*words: str) -> tuple[int, str, str]:
    done = subprocess.run([*PROGRAM, *words], capture_output=True, text=True, timeout=600, check=False)
    assert "Traceback" not in done.stderr
    return done.returncode, done.stdout, done.stderr
