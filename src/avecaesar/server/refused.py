"""What the server does not do for somebody, and why."""

from __future__ import annotations

from avecaesar.errors import BadInput, plain
from avecaesar.speech import say


class RefusedError(BadInput):
    """A command that is not carried out, and why; `clause` names the rule of the game, if it was one."""

    def __init__(self, problem: str, *, status: int = 409, clause: str | None = None, pile: int | None = None) -> None:
        super().__init__(plain(problem))
        self.problem = str(self)
        self.status = status
        self.clause = clause
        self.pile = pile  # of a sorting: the one that is wrong
        self.headers: dict[str, str] = {}  # which the answer carries all the same


def stopped() -> str:
    """Why a race cannot go on, for everybody; which key is missing is for the operator's eyes."""
    return say(
        "the cards of this race are sealed, and the server lacks the key to them; nothing is lost, and the race goes "
        "on as soon as the operator puts the key back"
    )


class StoppedError(RefusedError):
    """A race is on, or is to begin, and its cards cannot be dealt without a key that is not here."""

    def __init__(self) -> None:
        super().__init__(stopped(), status=503)
