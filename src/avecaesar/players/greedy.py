"""A driver who keeps inside, minds his points, and pays in time; he neither blocks nor looks ahead."""

from __future__ import annotations

from avecaesar.courses.course import pays
from avecaesar.game import Miss, Move, Play, View

WASTED_POINT = 3.0  # worth more steps than the step it is
PAYING_STOP = 12.0
PAST_THE_ALLEY = 100.0  # disqualified: anything else is better
WAY_TO_A_STOP = 4.0


class Greedy:
    """Plays the move that looks best by itself.

    >>> from avecaesar.game import Race
    >>> race = Race("white", 3, seed=2)
    >>> Greedy().choose(race.view(race.turn))
    Play(card=6, to=14)
    """

    def choose(self, view: View) -> Move:
        """The best play, else the exchange of the highest card, else whatever is left."""
        if not view.legal_moves:
            raise ValueError("it is not this seat's turn: there is nothing to choose")
        if view.plays:
            return max(view.plays, key=lambda play: (self._worth(view, play), play.card))
        exchanges = [move for move in view.legal_moves if isinstance(move, Miss) and move.exchange]
        if exchanges:
            return max(exchanges, key=lambda move: move.exchange or 0)
        return view.legal_moves[0]

    def _worth(self, view: View, play: Play) -> float:
        if play.to == "home":
            return 1000.0 - play.card  # a low card is enough
        outlook = view.outlooks[play]
        worth = play.card - outlook.wasted - WASTED_POINT * outlook.wasted
        if view.me.coin and view.rules.tribute != "optional":
            worth += self._tribute(view, play, play.to)
        return worth

    def _tribute(self, view: View, play: Play, to: int) -> float:
        """What a move is worth for the coin: a stop that pays, a way to one, or being past it for good."""
        outlook = view.outlooks[play]
        if outlook.pays:
            return PAYING_STOP + WASTED_POINT * view.course.alley_extra  # a point there is owed, not wasted
        if outlook.disqualifies:
            return -PAST_THE_ALLEY
        hand = list(view.hand)
        hand.remove(play.card)
        crossings = view.me.crossings + (to < (view.me.space or 0))
        return WAY_TO_A_STOP if any(_stops(view, to, crossings, card) for card in hand) else 0.0


def _stops(view: View, space: int, crossings: int, card: int) -> bool:
    """Whether a card would stop in the alley from there, were the course empty."""
    reached = {(space, crossings)}
    for _ in range(card):
        reached = {(step.to, crossed + step.line) for at, crossed in reached for step in view.course.spaces[at].steps}
    return any(pays(view.course.spaces[at], crossed) for at, crossed in reached)
