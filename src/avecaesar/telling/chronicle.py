"""What a race was, computed from its record: everybody's way, who led when, what went wrong, and what decided it.

Figures only, the same in every language and worth keeping; `chronicle_words` puts them into words, `poster` draws them.
Plain functions, fit for worker processes.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from math import hypot
from typing import Literal

import msgspec

from avecaesar.courses import Direction
from avecaesar.drivers import Considered, Searcher
from avecaesar.drivers.compiled import Scorpus
from avecaesar.game import ChooseDeck, Crash, Draw, Lay, Miss, Move, Play, Race, Sort, View, Vote, Withdraw
from avecaesar.game.lead import Front
from avecaesar.game.numbers import ChariotNumber
from avecaesar.game.view import Status
from avecaesar.kernel.layout import REFUSED_SIX
from avecaesar.records import Record, RecordError, referee
from avecaesar.records.boards import course_among, is_ours
from avecaesar.speech import say
from avecaesar.telling.lanes import Further, Lane, further, lane
from avecaesar.telling.scenes import at_the_start
from avecaesar.telling.sight_lines import thrown_away

SEED = 1
LOOKS = 24_000  # playouts for a whole race, to find the turns that mattered
LOOK = 400  # at most for one of them
SHORTLIST = 6  # turns that are looked at again
SECOND_LOOK = 4000
LEAST_SWING = 0.1  # of the chances to win; less decides nothing
SURE = 2.0  # standard errors
ALL_FOR_THE_WIN = (1, 0, 0, 0, 0, 0)  # laurels by place: what a move earns on average then is the chance to win


class Chronicled(msgspec.Struct, frozen=True):
    """A chariot's race. A turn is anybody's, counted from 1; 0 is the grid."""

    name: str
    colour: str
    riderless: bool
    player: int | None  # whose it is, players numbered from 0; None: riderless
    way: tuple[int, ...]  # spaces to home after each turn, from the grid on
    status: Status  # in the end
    disqualified: bool
    ended: int | None  # the turn with which it came home or left the race
    missed: tuple[int, ...]  # turns
    barred: tuple[int, ...]  # turns in which a six in its hand was barred
    paid: int | None  # the turn in which its coin was paid
    wasted: int  # points that brought it no nearer
    led: int  # turns after which it was alone in front
    arrival: int | None
    place: int | None
    laurels: int


class Lead(msgspec.Struct, frozen=True):
    """A chariot goes in front, alone."""

    turn: int
    chariot: int


class Close(msgspec.Struct, frozen=True):
    """The moment at which the whole field was closest together, after the first lap."""

    turn: int
    spaces: int


class Jam(msgspec.Struct, frozen=True):
    """The most turns in a row that somebody had to miss."""

    turn: int  # the last of them
    chariot: int
    turns: int


class ChronicledMove(msgspec.Struct, frozen=True):
    """A decision, so that it can be put into words."""

    kind: Literal["play", "miss", "withdraw", "crash", "deck", "draw", "lay"]
    card: int | None = None  # played or exchanged
    space: str | None = None  # its name, None: home
    ground: Literal["bottleneck", "alley"] | None = None  # what is special about it
    lane: Lane = ""
    further: Further = ""  # of several spaces of that lane
    pile: int | None = None  # from 0
    deck: str | None = None


class Decided(msgspec.Struct, frozen=True):
    """The decision that cost most, or brought most: the chances to win after it, and after another one."""

    kind: Literal["loss", "gain"]
    turn: int
    scene: int  # of the replay
    chariot: int
    played: ChronicledMove
    other: ChronicledMove  # of a loss the best there was; of a gain what one usually plays
    chance: float  # from 0 to 1; of a player with several chariots that of any of them
    otherwise: float


class Chronicle(msgspec.Struct, frozen=True):
    """What a race was."""

    race: int  # from 0
    of: int
    course: str
    board: str | None  # the digest of a board of somebody's own, None: one of ours
    direction: Direction
    edition: str
    lap: int  # spaces of the shortest lap
    scenes: tuple[int, ...]  # of the replay, after each turn from the grid on
    chariots: tuple[Chronicled, ...]  # in grid order
    leads: tuple[Lead, ...]
    margin: int | None  # spaces that the second still had to go when the winner came home
    close: Close | None
    jam: Jam | None
    decided: Decided | None  # None: no turn of its own


# ---------------------------------------------------------------------- the whole


def chronicle_of(record: Record, k: int, looks: int = LOOKS, second_look: int = SECOND_LOOK) -> Chronicle:
    """A record's race, counted from 0. `looks` are the playouts for a first look at all decisions together."""
    recorded = _alone(record, k).races[0]
    race = referee(_alone(record, k))[0]
    told = _retold(race)
    board = race.course.board
    chariots = tuple(_chariot(i, told, chariot.colour, race.laurels[i]) for i, chariot in enumerate(recorded.chariots))
    return Chronicle(
        race=k,
        of=len(record.races),
        course=race.course.name,
        board=None if is_ours(board) else board.sha256,
        direction=race.course.direction,
        edition=record.edition,
        lap=race.course.shortest_lap,
        scenes=tuple(told.scenes),
        chariots=chariots,
        leads=tuple(_leads(told)),
        margin=_margin(chariots),
        close=_closest(chariots, told, race.course.shortest_lap),
        jam=_jam(chariots, told),
        decided=_decided(told.decisions, looks, second_look),
    )


def _alone(record: Record, k: int) -> Record:
    """A race of a record without the others: what it was does not depend on them."""
    if not 0 <= k < len(record.races):
        raise RecordError(say("there is no race {number} in this record", number=k + 1))
    race = record.races[k]
    used = course_among(record.boards, race.course, race.direction).board.name
    boards = tuple(board for board in record.boards if board.name == used)
    return msgspec.structs.replace(record, boards=boards, races=(race,))


# ---------------------------------------------------------------------- figures


@dataclass(frozen=True, slots=True)
class _RetoldDecision:
    """What a driver saw when he decided, and what he did."""

    turn: int
    scene: int
    view: View
    move: Move


@dataclass(frozen=True, slots=True)
class _RetoldTurn:
    """A turn: whose, what, and what it did."""

    mover: int
    move: Move
    wasted: int
    barred: bool


@dataclass(frozen=True, slots=True)
class _Retold:
    """A race once more: turn by turn as everybody saw it, and decision by decision as its driver did."""

    views: list[View]  # after each turn, the first from the grid
    scenes: list[int]
    taken: list[_RetoldTurn]  # the turns themselves: one less
    decisions: list[_RetoldDecision]


def _retold(race: Race) -> _Retold:
    again, scene = at_the_start(race), 0
    told = _Retold([again.view()], [0], [], [])
    for turn in race.history:
        move, before = turn.made, again.view(turn.chariot)
        again.play(move)
        after = again.view()
        scene += not isinstance(move, Vote)
        is_turn = after.turns_taken > before.turns_taken
        if len(before.legal_moves) > 1 and not isinstance(move, Sort | Vote):
            told.decisions.append(_RetoldDecision(len(told.taken) + is_turn, scene, before, move))
        if is_turn:
            told.taken.append(_retold_turn(before, after, turn.chariot, move))
            told.views.append(after)
            told.scenes.append(scene)
        else:  # what was chosen before the race or drawn after a turn belongs to the turn before
            told.views[-1], told.scenes[-1] = after, scene
    return told


def _retold_turn(before: View, after: View, mover: ChariotNumber, move: Move) -> _RetoldTurn:
    wasted = thrown_away(before, after, mover, move)
    barred = 6 in before.refusals and before.refusals[6].verdict == REFUSED_SIX
    return _RetoldTurn(mover, move, wasted, barred)


def _chariot(i: int, told: _Retold, colour: str, laurels: int) -> Chronicled:
    seen = [view.chariots[i] for view in told.views]
    last, turns = seen[-1], list(enumerate(told.taken, 1))
    return Chronicled(
        name=last.name,
        colour=colour,
        riderless=last.riderless,
        player=last.player,
        way=tuple(chariot.remaining for chariot in seen),
        status=last.status,
        disqualified=last.disqualified,
        ended=next((turn for turn, chariot in enumerate(seen) if chariot.status != "racing"), None),
        missed=tuple(turn for turn, taken in turns if taken.mover == i and isinstance(taken.move, Miss)),
        barred=tuple(turn for turn, taken in turns if taken.mover == i and taken.barred),
        paid=next((turn for turn, (then, now) in enumerate(pairwise(seen), 1) if now.paid_since(then)), None),
        wasted=sum(taken.wasted for taken in told.taken if taken.mover == i),
        led=sum(view.leaders == {i} for view in told.views[1:]),
        arrival=last.arrival,
        place=last.place,
        laurels=laurels,
    )


def _leads(told: _Retold) -> Iterator[Lead]:
    front = Front()
    for turn, view in enumerate(told.views[1:], 1):
        if (leader := front.taken_by(view.leaders)) is not None:
            yield Lead(turn, leader)


def _margin(chariots: Sequence[Chronicled]) -> int | None:
    winner = next((chariot for chariot in chariots if chariot.place == 1), None)
    second = next((chariot for chariot in chariots if chariot.place == 2), None)
    if winner is None or second is None or winner.ended is None or winner.status != "home":
        return None
    return second.way[winner.ended]


def _closest(chariots: Sequence[Chronicled], told: _Retold, lap: int) -> Close | None:
    """While all race and somebody has a lap behind him; the last such moment, if there are several."""
    if len(chariots) < 2:
        return None
    begun = next((turn for turn, spaces in enumerate(_fronts(chariots)) if spaces <= 2 * lap), len(told.views))
    ended = min((chariot.ended for chariot in chariots if chariot.ended is not None), default=len(told.views))
    spreads = [
        (max(c.way[turn] for c in chariots) - min(c.way[turn] for c in chariots), -turn) for turn in range(begun, ended)
    ]
    spaces, turn = min(spreads, default=(None, 0))
    return None if spaces is None else Close(-turn, spaces)


def _fronts(chariots: Sequence[Chronicled]) -> Iterator[int]:
    return (min(ways) for ways in zip(*(chariot.way for chariot in chariots), strict=True))


def _jam(chariots: Sequence[Chronicled], told: _Retold) -> Jam | None:
    longest = None
    runs = [0] * len(chariots)
    for turn, taken in enumerate(told.taken, 1):
        runs[taken.mover] = runs[taken.mover] + 1 if isinstance(taken.move, Miss) else 0
        if runs[taken.mover] > (longest.turns if longest else 1):  # once is no jam
            longest = Jam(turn, taken.mover, runs[taken.mover])
    return longest


# ---------------------------------------------------------------------- what decided it


@dataclass(frozen=True, slots=True)
class _Weighed:
    """What a decision was worth beside another: of a loss beside the best, of a gain beside the usual one."""

    kind: Literal["loss", "gain"]
    decision: _RetoldDecision
    played: Considered
    other: Considered

    @property
    def swing(self) -> float:
        """The difference in the chances to win."""
        return abs(self.other.laurels - self.played.laurels)

    @property
    def sure(self) -> bool:
        """Whether chance alone would hardly make such a difference."""
        return self.swing >= max(LEAST_SWING, SURE * hypot(self.played.error, self.other.error))


def _decided(decisions: Sequence[_RetoldDecision], looks: int, second_look: int) -> Decided | None:
    """A quick look at every decision, then a longer one at those that seem to have mattered most."""
    if not decisions:
        return None
    quick = Searcher(SEED, playouts=max(1, min(LOOK, looks // len(decisions))))
    seen = [weighed for decision in decisions for weighed in _weigh(quick, decision)]
    shortlist = dict.fromkeys(weighed.decision.scene for weighed in _ranked(seen))
    chosen = [decision for decision in decisions if decision.scene in list(shortlist)[:SHORTLIST]]
    slow = Searcher(SEED, playouts=second_look)
    found = [weighed for decision in chosen for weighed in _weigh(slow, decision) if weighed.sure]
    if not found:
        return None
    best = _ranked(found)[0]
    view = best.decision.view
    assert view.chariot is not None
    return Decided(
        kind=best.kind,
        turn=best.decision.turn,
        scene=best.decision.scene,
        chariot=view.chariot,
        played=_choice(best.played.move, view),
        other=_choice(best.other.move, view),
        chance=round(best.played.laurels, 2),
        otherwise=round(best.other.laurels, 2),
    )


def _ranked(weighed: Sequence[_Weighed]) -> list[_Weighed]:
    return sorted(weighed, key=lambda one: (-one.swing, one.decision.scene))


def _weigh(searcher: Searcher, decision: _RetoldDecision) -> Iterator[_Weighed]:
    """What a decision lost against the best move, and what it won over the one that a solid driver makes."""
    rules = replace(decision.view.rules, laurels=ALL_FOR_THE_WIN)
    considered = searcher.consider(replace(decision.view, rules=rules))
    by_move = {one.move: one for one in considered}
    played, best, usual = by_move[decision.move], considered[0], by_move[Scorpus(SEED).choose(decision.view)]
    if best.laurels > played.laurels:
        yield _Weighed("loss", decision, played, best)
    if usual.laurels < played.laurels:
        yield _Weighed("gain", decision, played, usual)


def _driven(play: Play, to: int, view: View) -> ChronicledMove:
    space = view.course.spaces[to]
    ground: Literal["bottleneck", "alley"] | None = (
        "bottleneck" if space.bottleneck else "alley" if space.alley else None
    )
    return ChronicledMove("play", play.card, space.name, ground, lane(view.course, to), further(play, view))


def _choice(move: Move, view: View) -> ChronicledMove:
    match move:
        case Play(card, to):
            return ChronicledMove("play", card) if to == "home" else _driven(move, to, view)
        case Miss(card):
            return ChronicledMove("miss", card)
        case Withdraw():
            return ChronicledMove("withdraw")
        case Crash():
            return ChronicledMove("crash")
        case ChooseDeck(deck):
            return ChronicledMove("deck", deck=deck)
        case Draw(pile):
            return ChronicledMove("draw", pile=pile)
        case Lay(pile):
            return ChronicledMove("lay", pile=pile)
        case Sort() | Vote():
            raise ValueError("sortings and votes are not weighed")
