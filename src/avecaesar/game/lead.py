"""Who is in front: the lead changes when a chariot leads alone that was not the last to do so."""

from __future__ import annotations

from collections.abc import Collection

from avecaesar.game.numbers import ChariotNumber


class Front:
    """Told the leaders turn by turn, it knows who led alone last.

    >>> front = Front()
    >>> [front.taken_by(leaders) for leaders in ({0, 1}, {1}, {0, 1}, {1}, {0})]
    [None, 1, None, None, 0]
    """

    def __init__(self, chariot: ChariotNumber | None = None) -> None:
        self.chariot = chariot  # the last to lead alone

    def taken_by(self, leaders: Collection[ChariotNumber]) -> ChariotNumber | None:
        """The chariot that has come to the front; None if nobody new leads alone."""
        if len(leaders) != 1 or self.chariot in leaders:
            return None
        (self.chariot,) = leaders
        return self.chariot
