"""What to say when another server appended to the log first."""

from __future__ import annotations

from avecaesar.server.refused import RefusedError
from avecaesar.speech import say

TRIES = 5  # before it is given up


def too_much() -> RefusedError:
    """Others were faster again and again."""
    return RefusedError(say("too much happens at this table at once: try again"), status=503)


def no_tables() -> RefusedError:
    """What everybody is told while the database cannot be used; what is wrong with it is for the operator's eyes."""
    return RefusedError(say("tables cannot be read or written just now: try again later"), status=503)
