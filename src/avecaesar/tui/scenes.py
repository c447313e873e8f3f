"""A race told again from its beginning: what was seen after each turn."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from avecaesar.game import Draw, Lay, Move, Play, Race, View, Vote
from avecaesar.table import narration
from avecaesar.tui.board import Mark
from avecaesar.tui.offers import way_of
from avecaesar.tui.screen import Line


class Hands(NamedTuple):
    """A chariot's cards, and how many of each value lie on its piles, if it has any."""

    cards: tuple[int, ...]
    piles: tuple[tuple[int, ...], ...]


@dataclass(frozen=True, slots=True)
class Scene:
    """The race after a turn (or at its beginning), for eyes that may see `view`."""

    view: View
    move: Move | None = None  # None at the beginning, and a missed turn of somebody else
    mover: int | None = None  # the chariot that moved; None at the beginning
    driven: tuple[int, ...] = ()  # the spaces it drove over
    words: str = ""
    brief: tuple[str, str] = ("", "")  # the same beside the board: what happened, and where
    event: str = ""  # what that brought about for all
    hands: tuple[Hands, ...] = ()  # everybody's, for those who may look into them


def scene_of(before: View, after: View, driven: tuple[int, ...]) -> Scene:
    """The last turn as it was seen."""
    turn = after.history[-1]
    words, brief = narration.tell(before, after), narration.tell_briefly(before, after)
    return Scene(after, turn.move, turn.seat, driven, words, brief, narration.announce(before, after))


def scenes(race: Race, seat: int | None = None) -> list[Scene]:
    """All scenes of a race so far, as a seat saw it, or a spectator. A vote is part of the turn that it decides."""
    again = Race(
        race.course,
        chariots=[race.names[chariot] for chariot in race.driven],
        riderless=[race.names[chariot] for chariot in sorted(race.riderless)],
        rules=race.rules,
        decks=race.deal,
        memory_aid=race.memory_aid,
    )
    found = [Scene(again.view(seat), hands=_hands(again))]
    for turn in race.history:
        before = found[-1].view
        assert turn.move is not None
        driven = way_of(before, turn.move) if isinstance(turn.move, Play) else ()
        again.play(turn.move)
        if not isinstance(turn.move, Vote):
            found.append(replace(scene_of(before, again.view(seat), driven), hands=_hands(again)))
    return found


def _hands(race: Race) -> tuple[Hands, ...]:
    views = [race.view(chariot) for chariot in range(len(race.names))]
    return tuple(Hands(view.hand, view.piles) for view in views)


def told_after(lines: Sequence[Line], scene: Scene, marks: Sequence[Mark]) -> list[Line]:
    """The log with what a scene adds to it; what a driver draws stands beside what he played."""
    told, (words, place) = list(lines), scene.brief
    mark = None if scene.mover is None else marks[scene.mover]
    if scene.mover is not None and isinstance(scene.move, Draw | Lay) and told and told[-1][0] == mark:
        _, played, where = told.pop()
        more = words.removeprefix(f"{scene.view.chariots[scene.mover].name} ")
        joined = f"{played} {more[0].upper()}{more[1:]}" if played.endswith("!") else f"{played}, {more}"
        told.append((mark, joined, where))
    else:
        told.append((mark, words, place))
    return [*told, (None, scene.event, "")] if scene.event else told


def as_text(title: str, told: Sequence[Scene]) -> list[str]:
    """A race in words, turn by turn."""
    lines = [title]
    for number, scene in enumerate(told[1:], 1):
        lines += [f"{number:4}  {scene.words}", *([f"      {scene.event}"] if scene.event else [])]
    return lines
