"""A race told again from its beginning: what was seen after each turn. Whoever shows races tells them from here."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import reduce
from typing import NamedTuple

from avecaesar.game import (
    Hidden,
    Move,
    Play,
    Race,
    Standing,
    View,
    Vote,
    way,
)
from avecaesar.game.numbers import AnyChariot, ChariotNumber, EntryNumber
from avecaesar.game.tournament import standings
from avecaesar.speech import say
from avecaesar.telling import narration


class Hands(NamedTuple):
    """A chariot's cards, and how many of each value lie on its piles, if it has any."""

    cards: tuple[int, ...]
    piles: tuple[tuple[int, ...], ...]


@dataclass(frozen=True, slots=True)
class Scene:
    """The race after a turn (or at its beginning), for eyes that may see `view`."""

    view: View
    before: View | None = None  # the same eyes before it
    move: Move | Hidden | None = None  # None at the beginning, and a missed turn of somebody else
    mover: ChariotNumber | None = None  # the chariot that moved; None at the beginning
    origin: int | None = None  # the space it drove from, if it drove
    driven: tuple[int, ...] = ()  # the spaces it drove over
    hands: tuple[Hands, ...] = ()  # everybody's, for those who may look into them

    @property
    def words(self) -> str:
        """What happened."""
        return narration.tell(self.before, self.view) if self.before else ""

    @property
    def brief(self) -> tuple[str, str]:
        """The same beside the board: what happened, and where."""
        return narration.tell_briefly(self.before, self.view) if self.before else ("", "")

    @property
    def event(self) -> str:
        """What that brought about for all."""
        return narration.announce(self.before, self.view) if self.before else ""


def scene_of(before: View, after: View, driven: tuple[int, ...]) -> Scene:
    """The last turn as it was seen."""
    turn = after.history[-1]
    return Scene(
        after, before, turn.move, turn.chariot, before.chariots[turn.chariot].space if driven else None, driven
    )


def scenes(race: Race, chariot: AnyChariot | None = None) -> list[Scene]:
    """All scenes of a race so far, as a driver or a spectator saw it. A vote is part of the turn that it decides."""
    again = at_the_start(race)
    found = [Scene(again.view(chariot), hands=_hands(again))]
    for turn in race.history:
        before = found[-1].view
        driven = way(before, turn.move) if isinstance(turn.move, Play) else ()
        again.play(turn.made)
        if not isinstance(turn.move, Vote):
            found.append(replace(scene_of(before, again.view(chariot), driven), hands=_hands(again)))
    return found


def at_the_start(race: Race) -> Race:
    """The same race before its first decision."""
    return Race(
        race.course,
        chariots=[race.names[chariot] for chariot in race.driven],
        riderless=[race.names[chariot] for chariot in sorted(race.riderless)],
        rules=race.rules,
        decks=race.deal,
        memory_aid=race.memory_aid,
    )


def _hands(race: Race) -> tuple[Hands, ...]:
    views = [race.view(chariot) for chariot in race.grid]
    return tuple(Hands(view.hand, view.piles) for view in views)


def votes_on(view: View) -> dict[str, Play | None] | None:
    """The votes that decided the last turn, by the voters' names; None if there was no vote."""
    cast = narration.votes(view.history[:-1])
    return {view.chariots[voter].name: play for voter, play in cast.items()} or None


# ---------------------------------------------------------------------- in words


def as_text(title: str, told: Sequence[Scene]) -> list[str]:
    """A race in words, turn by turn."""
    lines = [title]
    for number, scene in enumerate(told[1:], 1):
        lines += [f"{number:4}  {scene.words}", *([f"      {scene.event}"] if scene.event else [])]
    return lines


def standings_of(races: Sequence[Race]) -> tuple[Standing, ...]:
    """Best first; a player of several chariots goes by the names of them all."""
    rules, chariots = races[0].rules, tuple(races[0].names[chariot] for chariot in races[0].driven)
    players = len(chariots) // rules.chariots_each
    names = [reduce(_and, chariots[player::players]) for player in range(players)]
    entries = {name: EntryNumber(number) for number, name in enumerate(chariots)}
    return standings(names, [[entries[race.names[c]] for c in race.driven] for race in races], races)


def _and(first: str, last: str) -> str:
    return say("{first} and {last}", first=first, last=last)
