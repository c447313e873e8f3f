"""A race told again from its beginning: what was seen after each turn. Whoever shows races tells them from here."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import reduce
from typing import NamedTuple

from avecaesar.courses import Course
from avecaesar.game import (
    ChooseDeck,
    Crash,
    Draw,
    Lay,
    Miss,
    Move,
    Play,
    Race,
    Sort,
    Standing,
    Turn,
    View,
    Vote,
    Withdraw,
    way,
)
from avecaesar.game.tournament import standings
from avecaesar.kernel.piles import LAID_CARD
from avecaesar.records.notation import as_word
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
    move: Move | None = None  # None at the beginning, and a missed turn of somebody else
    mover: int | None = None  # the chariot that moved; None at the beginning
    origin: int | None = None  # the space it drove from, if it drove
    driven: tuple[int, ...] = ()  # the spaces it drove over
    words: str = ""
    brief: tuple[str, str] = ("", "")  # the same beside the board: what happened, and where
    notation: str = ""  # and as a record would have it
    event: str = ""  # what that brought about for all
    hands: tuple[Hands, ...] = ()  # everybody's, for those who may look into them


def scene_of(before: View, after: View, driven: tuple[int, ...]) -> Scene:
    """The last turn as it was seen."""
    turn = after.history[-1]
    return Scene(
        after,
        turn.move,
        turn.seat,
        before.chariots[turn.seat].space if driven else None,
        driven,
        narration.tell(before, after),
        narration.tell_briefly(before, after),
        notation_of(turn, after.course, votes_on(after)),
        narration.announce(before, after),
    )


def scenes(race: Race, seat: int | None = None) -> list[Scene]:
    """All scenes of a race so far, as a seat saw it, or a spectator. A vote is part of the turn that it decides."""
    again = at_the_start(race)
    found = [Scene(again.view(seat), hands=_hands(again))]
    for turn in race.history:
        before = found[-1].view
        assert turn.move is not None
        driven = way_of(before, turn.move) if isinstance(turn.move, Play) else ()
        again.play(turn.move)
        if not isinstance(turn.move, Vote):
            found.append(replace(scene_of(before, again.view(seat), driven), hands=_hands(again)))
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
    views = [race.view(chariot) for chariot in range(len(race.names))]
    return tuple(Hands(view.hand, view.piles) for view in views)


def way_of(view: View, play: Play) -> tuple[int, ...]:
    """The way of the chariot on turn, or of the one that is voted on."""
    return way(view if view.voted_on is None else replace(view, turn=view.voted_on), play)


# ---------------------------------------------------------------------- in notation


def notation_of(turn: Turn, course: Course, votes: Mapping[str, Play | None] | None = None) -> str:
    """A turn as records write it, as far as it is known; nothing for choices before the race.

    >>> course = Race("white", 3).course
    >>> notation_of(Turn(0, Play(6, 14)), course), notation_of(Turn(0, Miss(5), True, "blocked"), course)
    ('6N1a', 'x5')
    >>> notation_of(Turn(0, Miss(None), False, "barred"), course), notation_of(Turn(0, None, True), course)
    ('-(barred)', 'x')
    """
    match turn.move:
        case Play():
            return _play(turn.move, course) + ("" if votes is None else f"{{{_votes(votes, course)}}}")
        case Miss(exchange):
            card = "-" if exchange is None else f"x{exchange}"
            return card if turn.reason in ("blocked", None) else f"{card}({turn.reason})"
        case None:
            return "x" if turn.exchanged else "-"
        case Draw(pile):
            return f"draw{pile + 1}"
        case Lay(pile):
            return f"lay{LAID_CARD}on{pile + 1}"
        case Crash():
            return "crash"
        case Withdraw():
            return "withdraw"
        case Vote() | ChooseDeck() | Sort():
            return ""


def votes_on(view: View) -> dict[str, Play | None] | None:
    """The votes that decided the last turn, by the voters' names; None if there was no vote."""
    cast = narration.votes(view.history[:-1])
    return {view.chariots[voter].name: play for voter, play in cast.items()} or None


def _votes(votes: Mapping[str, Play | None], course: Course) -> str:
    return ",".join(f"{as_word(voter)}:{_play(play, course)}" for voter, play in votes.items() if play is not None)


def _play(play: Play, course: Course) -> str:
    return f"{play.card}{'home' if play.to == 'home' else course.spaces[play.to].name}"


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
    return standings(names, [[chariots.index(race.names[c]) for c in race.driven] for race in races], races)


def _and(first: str, last: str) -> str:
    return say("{first} and {last}", first=first, last=last)
