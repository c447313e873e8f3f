"""What the server does not do for somebody, and why."""

from __future__ import annotations

from avecaesar.errors import BadInput, plain


class RefusedError(BadInput):
    """A command that is not carried out, and why; `clause` names the rule of the game, if it was one."""

    def __init__(self, problem: str, *, status: int = 409, clause: str | None = None, pile: int | None = None) -> None:
        super().__init__(plain(problem))
        self.problem = str(self)
        self.status = status
        self.clause = clause
        self.pile = pile  # of a sorting: the one that is wrong
