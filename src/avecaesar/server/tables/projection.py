"""What a connection may see of a table, built by allow-list from the game's views; and nothing else is ever sent."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import msgspec

from avecaesar.drivers.compiled import Scorpus
from avecaesar.game import ChooseDeck, Miss, Move, Play, Race, View, Vote, way
from avecaesar.game.numbers import ChariotNumber, SeatNumber
from avecaesar.game.refusal import Refusal
from avecaesar.rules import DECKS
from avecaesar.server.refused import RefusedError, stopped
from avecaesar.server.tables.lesson import coaching
from avecaesar.server.tables.seats import UNTOLD, Circumstances
from avecaesar.server.tables.state import TableState
from avecaesar.server.wire import messages as msg
from avecaesar.server.wire.shown import (
    CardRefused,
    ChariotShown,
    HandShown,
    Offer,
    QuestionShown,
    RaceShown,
    ReadyShown,
    SeatShown,
    StandingShown,
    TableShown,
    WishShown,
)
from avecaesar.speech import say
from avecaesar.table import Rig, Table
from avecaesar.telling import narration, refusal_words
from avecaesar.telling.lanes import standing_in
from avecaesar.telling.sight_lines import order
from avecaesar.telling.stakes import culprits, risk_of, spare_after

ASKED = {
    "turn": "Your turn: play one card",
    "deck": "Choose your deck",
    "sort": "Sort your cards into three piles",
    "draw": "Draw a card",
    "lay": "Lay the emperor’s card on a pile",
    "vote": "Your vote",
}


@dataclass(frozen=True, slots=True)
class Sight:
    """How a connection looks at a table: with whose eyes, and who else is there."""

    seats: frozenset[SeatNumber] = frozenset()
    host: bool = False
    holder: str = ""
    lifted: SeatNumber | None = None  # of several seats at one screen the one whose hand is to be seen
    connected: frozenset[SeatNumber] = frozenset()  # seats whose persons are there
    stand_ins: frozenset[SeatNumber] = frozenset()  # seats that a driver drives for its person now
    circumstances: Circumstances = UNTOLD
    without_from: float | None = None  # when the race may begin without those who are away
    watchers: int = 0
    deadline: float | None = None
    now: float = 0.0
    devices: tuple[int, ...] = ()  # by seat: how many hold it
    hosts: frozenset[SeatNumber] = frozenset()  # seats whose person is the host
    wished: SeatNumber | None = None  # the seat that this person has asked to take over
    banned: bool = False

    def eyes(self, state: TableState) -> SeatNumber | None:
        """The seat whose hand is seen: the only one, or of several the one on turn once its curtain is lifted."""
        if len(self.seats) == 1:
            return next(iter(self.seats))
        lifted = self.lifted if self.lifted in self.seats else None
        return lifted if lifted is not None and lifted == state.on_turn else None

    def curtain(self, state: TableState) -> SeatNumber | None:
        """The seat that is called while its hand is hidden."""
        on_turn = state.on_turn
        called = len(self.seats) > 1 and on_turn in self.seats and self.lifted != on_turn
        return on_turn if called else None


class Common(NamedTuple):
    """What everybody sees alike, in the language that is spoken: put together once for all who are told at a time."""

    plan: dict[str, Any]
    race: RaceShown | None
    standings: list[StandingShown]  # best first


def common_to_all(state: TableState) -> Common:
    """The part of the table that a bystander sees, whoever looks."""
    table = state.table
    if table is None:
        return Common(_plan(state), None, [])
    return Common(_plan(state), _race(state, table), _standings(table))


def shown(state: TableState, sight: Sight, common: Common | None = None) -> TableShown:
    """The table as this connection sees it; `common` is what it has in common with others at this very moment."""
    eyes, table = sight.eyes(state), state.table
    common = common or common_to_all(state)
    asked = None if eyes is None else state.asked(eyes)
    return TableShown(
        table=state.id,
        title=state.plan.title,
        number=state.number,
        changed=state.changed,
        phase=state.phase,
        paused=state.paused,
        paused_by=None if state.paused_by is None else state.chairs[state.paused_by].name,
        yours=tuple(sorted(sight.seats)),
        wished=sight.wished,
        host=sight.host,
        eyes=eyes,
        curtain=sight.curtain(state),
        plan=common.plan,
        house_rules=state.house_rules,
        stages=list(state.stages),
        seats=[_seat(state, seat, sight, common) for seat in state.seats],
        race=common.race,
        hands=[] if table is None or eyes is None else _hands(table, eyes, asked[0] if asked else None),
        question=None if asked is None or eyes is None else _question(state, eyes, *asked),
        ready=_ready(state, sight),
        sealed=None if state.sealed is None else state.sealed.commitment,
        shaken=state.plan.lesson or _shaken(state, sight),  # nobody shakes the cards of a lesson
        shares=tuple(share.share for share in state.shares),
        shared_by=tuple(share.seat for share in state.shares),
        shared_left=tuple(share.left for share in state.shares),
        stopped=stopped() if state.stopped else None,
        deadline=sight.deadline,
        now=sight.now,
        standings=common.standings,
        watchers=sight.watchers,
        closed=state.closed,
        banned=sight.banned,
        game=max(state.game, 0),
    )


def _shaken(state: TableState, sight: Sight) -> bool:
    return bool(sight.seats) and state.has_shared(sight.seats, sight.holder)


def _plan(state: TableState) -> dict[str, Any]:
    """What was laid, but for the seats, which are shown as they are now."""
    plan: dict[str, Any] = msgspec.to_builtins(state.plan)
    del plan["seats"]
    return plan


def _seat(state: TableState, seat: SeatNumber, sight: Sight, common: Common) -> SeatShown:
    chair, table = state.chairs[seat], state.table
    standing = next((standing for standing in common.standings if standing.seat == seat), None)
    counts = table is not None and (table.number > 0 or table.race_over)
    return SeatShown(
        seat=seat,
        name=chair.name,
        colour=chair.colour,
        kind=chair.kind,
        driver=chair.driver or None,
        taken=chair.taken,
        connected=bool(chair.driver) or seat in sight.connected,
        stand_in=seat in sight.stand_ins,
        laurels=standing.laurels if standing else 0,
        rank=standing.rank if standing and counts else None,
        chosen=state.has_chosen(seat),
        host=seat in sight.hosts,
        devices=sight.devices[seat] if seat < len(sight.devices) else 0,
        freed=seat in state.kept,
        wish=_wish(state, seat),
    )


def _wish(state: TableState, seat: SeatNumber) -> WishShown | None:
    wish = state.admission.wishes.get(seat)
    if wish is None:
        return None
    return WishShown(wish.number, wish.name, tuple(sorted(wish.agreed)), tuple(sorted(state.persons - wish.agreed)))


def _ready(state: TableState, sight: Sight) -> ReadyShown | None:
    if state.phase not in ("podium", "over"):
        return None
    waits = state.waits(sight.circumstances.away)
    return ReadyShown(
        ready=tuple(sorted(state.persons - waits)),
        waits=tuple(sorted(waits)),
        you=bool(sight.seats) and sight.seats <= state.ready,
        begins=bool(sight.seats or sight.host) and state.begins(sight.seats, sight.host, sight.circumstances),
        without_from=sight.without_from if sight.host or (sight.seats and not sight.circumstances.host_here) else None,
    )


def _standings(table: Table) -> list[StandingShown]:
    return [StandingShown(s.rank, SeatNumber(s.player), s.laurels, s.places) for s in table.standings]


def _race(state: TableState, table: Table) -> RaceShown:
    view, seal = state.public_view, state.seals[table.number]
    return RaceShown(
        index=table.number,
        of=len(table.stages),
        course=view.course.name,
        board=state.plan.board,
        direction=view.course.direction,
        edition=state.plan.edition,
        chariots=chariots_shown(view, state.rigs, state.wasted if view.over else None),
        turn=view.turn,
        order=order(view),
        asks=view.asks,
        voted_on=view.voted_on,
        turn_number=narration.turn_number(view),
        ban_lifted=view.ban_lifted,
        over=view.over,
        arrivals=view.arrivals,
        commitment=seal.commitment,
        secret=seal.secret if view.over else None,
        shares=seal.shares,
        shared_by=tuple(share.seat for share in state.dealt),
        shared_left=tuple(share.left for share in state.dealt),
        tribute=view.rules.tribute,
    )


def chariots_shown(
    view: View, rigs: Sequence[Rig], wasted: Mapping[ChariotNumber, int] | None = None
) -> list[ChariotShown]:
    """The chariots of a race in grid order, as everybody sees them; with what they wasted, if that is to be told."""
    positions = _positions(view)
    nearest = min((chariot.remaining for chariot in view.chariots if chariot.status == "racing"), default=0)
    return [
        ChariotShown(
            name=chariot.name,
            colour=rig.colour,
            seat=rig.seat,
            space=chariot.space,
            lap=chariot.lap,
            status=chariot.status,
            coin=chariot.coin,
            owes=view.owes(i),
            must_pay=view.must_pay(i),
            paid=view.paid(i),
            disqualified=chariot.disqualified,
            leads=i in view.leaders,
            shares=i in view.leaders and len(view.leaders) > 1,
            barred=i in view.under_ban,  # and not what the kernel calls barred, which minds SIX-4 and SIX-5
            hand_size=chariot.hand_size,
            deck_size=chariot.deck_size,
            unseen=chariot.unseen,
            points_left=chariot.points_left,
            to_go=view.to_go(i),
            to_spare=view.to_spare(i) if chariot.status == "racing" and any(chariot.unseen) else None,
            open_card=chariot.open_card,
            deck=chariot.deck,
            piles=chariot.piles,
            laid=chariot.laid,
            emperor=chariot.emperor,
            arrival=chariot.arrival,
            place=chariot.place,
            laurels=view.laurels[i],
            position=positions[i],
            behind=chariot.remaining - nearest if chariot.status == "racing" else None,
            where="" if chariot.space is None else standing_in(view.course, chariot.space, chariot.crossings),
            wasted=None if wasted is None else wasted.get(i, 0),
        )
        for i, chariot, rig in zip(view.grid, view.chariots, rigs, strict=True)
    ]


def _positions(view: View) -> list[int | None]:
    """How the chariots stand: those at home as they arrived, then those that race, the nearest to home first."""
    home = sum(chariot.status == "home" for chariot in view.chariots)
    racing = [chariot.remaining for chariot in view.chariots if chariot.status == "racing"]
    return [
        home + 1 + sum(other < chariot.remaining for other in racing) if chariot.status == "racing" else chariot.arrival
        for chariot in view.chariots
    ]


def _hands(table: Table, seat: SeatNumber, asked: ChariotNumber | None) -> list[HandShown]:
    """What a player holds with each of his chariots that still race; the one that it is about comes first."""
    first = table.chariot_of(seat) if asked is None else asked
    view = table.race.view(first)
    mine = [i for i, rig in zip(view.grid, table.rigs, strict=True) if rig.seat == seat and i != first]
    return [_hand(view), *(_hand(table.race.view(i)) for i in mine if view.chariots[i].status == "racing")]


def _hand(view: View) -> HandShown:
    assert view.chariot is not None
    return HandShown(
        chariot=view.chariot,
        cards=view.hand,
        undrawn=view.undrawn,
        piles=view.piles,
        bottom=view.bottom,
        standing=narration.coin_and_points(view) if view.me.status == "racing" else "",
    )


def _question(state: TableState, seat: SeatNumber, chariot: ChariotNumber, race: Race) -> QuestionShown:
    view = race.view(chariot)
    assert view.asks is not None
    moves = view.legal_moves if view.asks != "sort" else (Scorpus().choose(view),)
    return QuestionShown(
        asks=view.asks,
        chariot=chariot,
        since=state.asked_since(seat),
        title=_title(view),
        offers=[_offer(move, view) for move in moves],
        refused=[_refused(card, why, view) for card, why in view.refusals.items()],
        culprits=culprits(view),
        warning=narration.caution(view),
        to_sort=view.undrawn if view.asks == "sort" else (),
        ahead=race is not state.game_table.race,
        coaching=coaching(race, view) if state.plan.lesson else None,
    )


def _title(view: View) -> str:
    if view.asks == "vote" and view.voted_on is not None:
        told = view.chariots[view.voted_on]
        return say("Your vote: where does {name} go with its {card}?", name=told.name, card=told.open_card)
    title = say(ASKED[view.asks or "turn"])
    if view.asks == "turn" and not view.plays:
        title = say("Your turn: no card can be played")
    return f"{title} ({view.me.name})" if view.rules.chariots_each > 1 else title


def _offer(move: Move, view: View) -> Offer:
    play = move.play if isinstance(move, Vote) else move if isinstance(move, Play) else None
    outlook = view.outlooks.get(play) if play else None
    deck = DECKS[move.deck] if isinstance(move, ChooseDeck) else None
    return Offer(
        move=move,
        words=narration.offer(move, view, where=False),
        name=narration.named(move, view),
        code="" if play is None or play.to == "home" else view.course.spaces[play.to].name,
        card=play.card if play else move.exchange if isinstance(move, Miss) else None,
        to=play.to if play else None,
        way=way(view, play) if play else (),
        wasted=outlook.wasted if outlook else None,
        pays=bool(outlook and outlook.pays),
        disqualifies=bool(outlook and outlook.disqualifies),
        spare=spare_after(play, view) if outlook and play else None,
        risk=risk_of(play, view) if outlook and play else "none",
        warning=narration.warning(play, view) if outlook and play else "",
        cards=None if deck is None else sum(deck),
        points=None if deck is None else sum(value * count for value, count in enumerate(deck, 1)),
    )


def _refused(card: int, why: Refusal, view: View) -> CardRefused:
    words, blockers = refusal_words.of_card(card, why, view)
    return CardRefused(card, words, why.clause, blockers)


def reason(state: TableState, command: msg.Why, refused: RefusedError) -> msg.Reason:
    """Why a move is not allowed, for somebody who has pointed at a space and need not be told its name."""
    move, view = command.move, state.game_table.view(command.seat)
    if refused.refusal and isinstance(move, Play) and view.asks == "turn":
        words, blockers = refusal_words.of_space(move, refused.refusal, view)
        return msg.Reason(command.id, words, refused.clause, blockers)
    return msg.Reason(command.id, refused.problem, refused.clause, pile=refused.pile)
