"""What the server does not do for somebody, and why."""

from __future__ import annotations

from typing import TYPE_CHECKING

from avecaesar.errors import BadInput, plain
from avecaesar.speech import say

if TYPE_CHECKING:
    from avecaesar.game import Refusal


class RefusedError(BadInput):
    """A command that is not carried out, and why; `refusal` is the game's own, if the rules forbid it."""

    def __init__(self, problem: str, *, status: int = 409, refusal: Refusal | None = None) -> None:
        super().__init__(plain(problem))
        self.problem = str(self)
        self.status = status
        self.refusal = refusal
        self.headers: dict[str, str] = {}  # which the answer carries all the same

    @classmethod
    def by_the_rules(cls, refusal: Refusal) -> RefusedError:
        """The rules of the game forbid it."""
        return cls(refusal.reason, refusal=refusal)

    @property
    def clause(self) -> str | None:
        """The rule of the game that forbids it, if one does."""
        return self.refusal.clause if self.refusal else None

    @property
    def pile(self) -> int | None:
        """Of a sorting: the pile that is wrong."""
        return self.refusal.pile if self.refusal else None


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
