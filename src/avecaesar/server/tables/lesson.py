"""The lesson: an ordinary race whose cards are chosen so that what is to be taught comes up, and a coach's remarks.

A pupil races on white, clockwise, against two drivers who leave nothing to chance. The secret of the deal is pledged
and opened like any other; nobody adds to it, or it would be another deal. What comes up is shown by
`tests/telling/test_coach.py`.
"""

from __future__ import annotations

from hashlib import sha256

from avecaesar.game import Play, Race, View, commitment_of, way
from avecaesar.game.path import walled_ways
from avecaesar.kernel.layout import REFUSED_NOT_EXACT, REFUSED_WALL
from avecaesar.server.tables import events as e
from avecaesar.server.wire import messages as msg
from avecaesar.server.wire.shown import Beyond, Coaching
from avecaesar.telling import coach, refusal_words

SECRET = sha256(b"Ave Caesar: the lesson 860").digest()  # the 860th deal that was tried teaches best
OPPONENT = "greedy"  # keeps inside, counts and pays in time, always in the same way
OPPONENTS = ("Felix", "Musa", "Tatius")


def plan_of(wish: msg.NewTable) -> msg.NewTable:
    """The table of a lesson: of what was wished for only who drives, its title, and how fast others move."""
    pupil = msg.SeatPlan(kind="here", name=wish.seats[0].name, colour=wish.seats[0].colour)
    names = [name for name in OPPONENTS if name.casefold() != pupil.name.strip().casefold()]
    opponents = (msg.SeatPlan(kind="driver", name=name, driver=OPPONENT) for name in names[:2])
    return msg.NewTable(
        seats=(pupil, *opponents), lesson=True, title=wish.title, pace=wish.pace, away=None, hints=False
    )


def seal() -> e.Sealed:
    """The secret of the lesson's cards, the same for everybody."""
    return e.Sealed(commitment_of(SECRET), SECRET.hex())


def coaching(race: Race, view: View) -> Coaching:
    """What a coach who sees no more than the pupil would play, and what cannot be done for a reason worth knowing."""
    move = coach.advised(view)
    return Coaching(
        advised=move,
        because=coach.because(move, view),
        beyond=_walled(race, view) + _short(race, view),
    )


def _walled(race: Race, view: View) -> list[Beyond]:
    """A space that a card would reach if there were no wall, the way there, and the step that the wall takes away."""
    for card in sorted({play.card for play in view.plays}):
        for driven, wall in walled_ways(view, card):
            to = driven[-1]
            why = race.why_not(Play(card, to))
            if why is not None and why.verdict == REFUSED_WALL:
                return [Beyond("wall", card, to, refusal_words.walled(), why.clause, driven, wall)]
    return []


def _short(race: Race, view: View) -> list[Beyond]:
    """A space on the way of a card that the card leads past: its count is exact."""
    for play in sorted(view.plays, key=lambda play: -play.card):
        driven = way(view, play)
        for to in reversed(driven[:-1]):
            why = race.why_not(Play(play.card, to))
            if why is not None and why.verdict == REFUSED_NOT_EXACT:
                return [Beyond("exact", play.card, to, refusal_words.inexact(play.card), why.clause, driven)]
    return []
