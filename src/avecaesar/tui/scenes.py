"""A race told again from its beginning: what was seen after each turn."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from avecaesar.game import Play, Race, View, way
from avecaesar.records import RecordedRace
from avecaesar.table import narration


@dataclass(frozen=True, slots=True)
class Scene:
    """The race after a turn (or at its beginning), for eyes that may see `view`."""

    view: View
    mover: int | None  # the chariot that moved; None at the beginning
    driven: tuple[int, ...]  # the spaces it drove over
    words: str
    brief: tuple[str, str]  # the same beside the board: what happened, and where
    hands: tuple[tuple[int, ...], ...]  # everybody's, for those who may look into them


def scenes(race: Race, recorded: RecordedRace, seat: int | None = None) -> list[Scene]:
    """All scenes of a race so far, as a seat saw it, or a spectator."""
    again = Race(race.course, race.names, rules=race.rules, decks=recorded.decks)
    found = [Scene(again.view(seat), None, (), "", ("", ""), _hands(again))]
    for turn in race.history:
        before = found[-1].view
        assert turn.move is not None
        driven = way(before, turn.move) if isinstance(turn.move, Play) else ()
        again.play(turn.move)
        after = again.view(seat)
        words, brief = narration.tell(before, after), narration.tell_briefly(before, after)
        found.append(Scene(after, turn.seat, driven, words, brief, _hands(again)))
    return found


def _hands(race: Race) -> tuple[tuple[int, ...], ...]:
    return tuple(race.view(chariot).hand for chariot in range(len(race.names)))


def as_text(title: str, told: Sequence[Scene]) -> list[str]:
    """A race in words, turn by turn."""
    return [title, *(f"{number:4}  {scene.words}" for number, scene in enumerate(told[1:], 1))]
