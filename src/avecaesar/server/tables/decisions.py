"""What somebody's command leads to: the events that it adds to a table's log, or why it is refused.

Nothing changes here, and nothing is read or written: whether a move is legal, the fold asks the game.
"""

from __future__ import annotations

from collections import Counter

from avecaesar.drivers import DriverError
from avecaesar.game import Race
from avecaesar.game import moves as m
from avecaesar.game.numbers import SeatNumber
from avecaesar.game.sealed_chance import MOST_SHARES
from avecaesar.rules import MOST_CHARIOTS
from avecaesar.server.refused import RefusedError, StoppedError
from avecaesar.server.tables import events as e
from avecaesar.server.tables.actor import Actor
from avecaesar.server.tables.seats import UNTOLD, Circumstances, numbered
from avecaesar.server.tables.state import TableState
from avecaesar.server.wire import messages as msg
from avecaesar.server.wire.legible import fault_in, fault_in_name, likeness
from avecaesar.server.workers.budgets import allowed_driver
from avecaesar.speech import counted, say
from avecaesar.telling import narration

MOST_SAID = 2_000  # sayings in a table's log
MOST_EVENTS = 20_000  # in a log that is still added to, but for the race that is on: every one is folded when it wakes
RESERVED = 500  # of these for people who sit there already: those who come cannot fill the log up to its end
# What somebody else may do no longer: nobody who was let in can keep people from that.
ENDS_RIGHTS = msg.ShutOut | msg.Stand | msg.Vacate | msg.VoidLinks | msg.HandOn | msg.Ban | msg.CloseTable


def decide(
    state: TableState, actor: Actor, command: msg.Logged, circumstances: Circumstances = UNTOLD
) -> list[e.AnyEvent]:
    """The events that a command leads to; it changes nothing."""
    if not isinstance(command, msg.EraseSaying | msg.EraseWords):
        need_open(state)
    if not isinstance(command, msg.MakeMove | msg.Resume | msg.Moderation | ENDS_RIGHTS):
        need_room_in_log(state)
    match command:
        case msg.MakeMove():
            return _decide_move(state, actor, command)
        case msg.Say(text=text, phrase=phrase):
            _need_place(state, actor)
            if state.said >= MOST_SAID:
                raise RefusedError(say("enough was said at this table: lay a new one to go on talking"))
            if (text is None) == (phrase is None):
                raise RefusedError(say("say either words of your own or a phrase"), status=400)
            _need(fault_in(text or ""))
            return [e.Said(min(actor.seats, default=None), text, phrase)]
        case msg.Shake(share=share):
            return _decide_share(state, actor, share)
        case msg.Begin():
            return _decide_begin(state, actor, command, circumstances)
        case msg.Pause():
            _need_place(state, actor)
            if not state.racing:
                raise RefusedError(say("the race rests already") if state.paused else say("there is no race to pause"))
            return [e.Paused(min(actor.seats, default=None), circumstances.left)]
        case msg.Resume():
            _need_place(state, actor)
            if not state.paused:
                raise RefusedError(say("the race is not paused"))
            return [e.Resumed(min(actor.seats, default=None))]
        case msg.Dress(seat=seat, name=name, colour=colour):
            _need_seat(state, actor, seat)
            if not state.may_be_renamed:
                raise RefusedError(say("names and colours stay as they are until the last race is over"))
            return [e.Dressed(seat, *_dress(state, seat, name, colour))]
        case msg.Stand(seat=seat):
            _need_seat(state, actor, seat)
            return [e.Stood(seat)]
        case msg.Vacate(seat=seat):
            _need_host(state, actor, seat)
            return [e.Stood(seat, freed=True)]
        case msg.Appoint(seat=seat, driver=driver):
            _need_host(state, actor, seat)
            try:
                appointed = e.Appointed(seat, allowed_driver(driver))
            except DriverError as error:
                raise RefusedError(str(error), status=400) from None
            # Whoever has to make way would be back by the link he came with.
            return [appointed, e.Voided()] if seat in state.persons else [appointed]
        case msg.ShutOut(seat=seat):
            _need_seat(state, actor, seat)
            return [e.OthersShutOut(seat)]
        case msg.HandOn(seat=seat, at=at):
            _need_host(state, actor, seat)
            _need_fresh(state, at, state.changed)
            if seat not in state.persons:
                raise RefusedError(say("nobody sits there who could be the host"))
            return [e.HandedOn(seat)]
        case msg.VoidLinks():
            if not actor.host:
                raise RefusedError(say("only the host may do that"), status=403)
            return [e.Voided()]
        case msg.Agree() | msg.Decline():
            return _decide_wish(state, actor, command, circumstances)
        case msg.Ban() | msg.CloseTable() | msg.EraseSaying() | msg.EraseWords():
            return _decide_moderation(state, actor, command)


def _decide_moderation(state: TableState, actor: Actor, command: msg.Moderation) -> list[e.AnyEvent]:
    """What keeps order at a table; most of it is the host's."""
    if isinstance(command, msg.EraseSaying):
        return _decide_strike(state, actor, command.number)
    if not actor.host:
        raise RefusedError(say("only the host may do that"), status=403)
    _need_fresh(state, command.at, state.changed)
    match command:
        case msg.Ban(seat=seat):
            if seat not in state.persons:
                raise RefusedError(say("no person sits there"))
            if seat in actor.seats:
                raise RefusedError(say("you sit there yourself"))
            return [e.Banned(seat)]
        case msg.CloseTable():
            return [e.Closed("host")]
        case msg.EraseWords():
            if not (state.may_be_renamed or state.closed):
                raise RefusedError(say("while a game is on its names and words stay: close the table first"))
            if state.blanked:
                raise RefusedError(say("all names and words are erased already"))
            return [e.Blanked()]


def _decide_strike(state: TableState, actor: Actor, number: int) -> list[e.AnyEvent]:
    _need_place(state, actor)
    if number not in state.sayers:
        raise RefusedError(say("nothing was said there that could be erased"), status=404)
    if not (actor.host or state.sayers[number] == actor.holder):
        raise RefusedError(say("only the host may do that, or whoever said it"), status=403)
    return [e.Struck(number, min(actor.seats, default=None))]


def wish(
    state: TableState, seat: SeatNumber, holder: str, name: str, circumstances: Circumstances = UNTOLD
) -> list[e.AnyEvent]:
    """Somebody asks to take over a seat that a stand-in drives in this race."""
    need_open(state)
    need_room_in_log(state, RESERVED)
    _need(fault_in_name(name))
    if not 0 <= seat < len(state.chairs):
        raise RefusedError(say("there is no seat {seat} at this table", seat=seat), status=404)
    if seat not in state.kept:
        raise RefusedError(say("that seat was not freed in this race"))
    if seat in state.admission.wishes and seat not in circumstances.unasked:
        raise RefusedError(say("somebody has asked for this chariot already"))
    others = [chair.name for number, chair in enumerate(state.chairs) if number != seat]
    wishes = state.admission.wishes.items()
    others += [asks.name for other, asks in wishes if other != seat and other not in circumstances.unasked]
    if name and likeness(name) in map(likeness, others):
        raise RefusedError(say("somebody else is called {name}", name=name))
    _need_two(state, circumstances)
    return [e.Wished(seat, holder, name)]


def _need_two(state: TableState, circumstances: Circumstances) -> None:
    """Nobody agrees with himself: whoever freed a seat could ask for it with another browser.

    Of two persons who agree at least one did not free it, and at least one does not ask.
    """
    if circumstances.alone or not state.persons:
        raise RefusedError(say("at least two people at the table have to agree to that: wait for the end of the race"))


def _decide_wish(
    state: TableState, actor: Actor, command: msg.Agree | msg.Decline, circumstances: Circumstances
) -> list[e.AnyEvent]:
    seat = command.seat
    mine = actor.seats & state.persons
    if not mine:
        raise RefusedError(say("only those who sit at the table may do that"), status=403)
    wish = state.admission.wishes.get(seat)
    if wish is None or wish.number != command.wish:  # or somebody else asks by now
        raise RefusedError(say("nobody asks for that chariot"))
    if isinstance(command, msg.Decline):
        return [e.Declined(seat, min(mine))]
    if seat in circumstances.unasked:  # then the seat would be taken, and nobody would have it
        raise RefusedError(say("nobody asks for that chariot"))
    _need_two(state, circumstances)  # somebody may have left since it was asked
    agreed = e.Agreed(seat, tuple(sorted(mine)))
    if state.persons <= wish.agreed | mine:
        return [agreed, e.Sat(seat, state.chairs[seat].name, state.chairs[seat].colour, "agreed")]
    if mine <= wish.agreed:
        raise RefusedError(say("you have agreed already"))
    return [agreed]


def _decide_move(state: TableState, actor: Actor, command: msg.MakeMove) -> list[e.AnyEvent]:
    _need_seat(state, actor, command.seat)
    _need_fresh(state, command.at, state.asked_since(command.seat))
    if state.paused:
        raise RefusedError(say("the race is paused"))
    if (asked := state.asked(command.seat)) is None:
        raise RefusedError(say("it is not your turn"))
    if state.on_turn == command.seat:
        return [e.Moved(command.seat, command.move, "person")]  # whether it is legal is seen when it is folded in
    chariot, race = asked
    need_legal(state, command.move, race)
    return [e.ChosenAhead(command.seat, chariot, command.move)]


def need_legal(state: TableState, move: m.Move, race: Race) -> None:
    """Refuse what whoever is on turn in a race may not do, with the reason."""
    try:
        if refusal := race.why_not(move):
            raise RefusedError.by_the_rules(refusal)
    except m.InvalidMove as error:
        raise RefusedError(str(error), status=400) from None


def _decide_share(state: TableState, actor: Actor, share: str) -> list[e.AnyEvent]:
    if not actor.seats:  # a share is somebody's whom all can see at the table
        raise RefusedError(say("only those who sit at the table may do that"), status=403)
    if state.sealed is None:
        raise RefusedError(say("the cards are dealt already"))
    if state.plan.lesson:
        raise RefusedError(say("the cards of a lesson are the same for everybody"))
    if state.has_shared(actor.seats, actor.holder):
        raise RefusedError(say("you have added your share already"))
    seat = _shares_for(state, actor)
    if seat is None:
        raise RefusedError(say("no more shares can be added to this deal"))
    return [e.Shaken(actor.holder, share, seat)]


def _shares_for(state: TableState, actor: Actor) -> SeatNumber | None:
    """The seat for which somebody may add a share: each has so many that nobody uses up what is left for others."""
    full, given = MOST_SHARES // (MOST_CHARIOTS + 1), Counter(share.seat for share in state.shares)
    now = {share.seat for share in state.shares if not share.left}
    seats = [seat for seat in sorted(actor.seats - now) if given[seat] < full]
    return seats[0] if seats and len(state.shares) < MOST_SHARES else None


def _decide_begin(
    state: TableState, actor: Actor, command: msg.Begin, circumstances: Circumstances
) -> list[e.AnyEvent]:
    _need_place(state, actor)
    _need_fresh(state, command.at, state.changed)
    if state.phase == "racing":
        raise RefusedError(say("the race has begun already"))
    if state.stopped:
        raise StoppedError
    if state.phase == "gathering":
        if not actor.host:
            raise RefusedError(say("the host begins the first race"), status=403)
        free = [seat + 1 for seat, chair in numbered(state.chairs) if chair.free]
        if free:
            raise RefusedError(
                counted(
                    len(free),
                    "seat {seats} is still free: wait for your friends, or let drivers of the computer's sit there",
                    "seats {seats} are still free: wait for your friends, or let drivers of the computer's sit there",
                    seats=narration.listed(free),
                )
            )
    shared = state.plan.lesson or state.has_shared(actor.seats, actor.holder)
    takes_one = not shared and _shares_for(state, actor) is not None
    share = _decide_share(state, actor, command.share) if command.share is not None and takes_one else []
    if state.phase == "gathering" or state.begins(actor.seats, actor.host, circumstances):
        return [*share, e.Begun()]
    if fresh := (actor.seats & state.persons) - state.ready:
        return [*share, e.Readied(tuple(sorted(fresh)))]
    waits = [state.chairs[seat].name for seat in sorted(state.waits(circumstances.away))]
    raise RefusedError(say("the race waits for {names}", names=narration.listed(waits)))


def sit(
    state: TableState,
    seat: SeatNumber | None,
    name: str | None,
    colour: str | None,
    left: frozenset[SeatNumber] = frozenset(),
    own: frozenset[SeatNumber] = frozenset(),
) -> list[e.AnyEvent]:
    """Somebody takes a free seat, that one or the first.

    `left` are those that he himself left in this race, `own` those that he has.
    """
    need_open(state)
    need_room_in_log(state, RESERVED)
    free = [each for each, chair in numbered(state.chairs) if chair.free]
    kept = state.kept - left
    if seat is None:
        if not free:
            raise RefusedError(say("all seats are taken"))
        seat = next((each for each in free if each not in kept), free[0])
    if not 0 <= seat < len(state.chairs):
        raise RefusedError(say("there is no seat {seat} at this table", seat=seat), status=404)
    if seat not in free:
        raise RefusedError(say("that seat is taken"))
    if seat in kept:
        raise RefusedError(
            say("a stand-in drives this chariot to the end of the race: ask the others to let you take over now")
        )
    chair, besides = state.chairs[seat], min(own, default=None)
    how: e.How = "back" if seat in state.kept else "free"
    if not state.may_be_renamed:  # chariots keep their names to the end
        return [e.Sat(seat, chair.name, chair.colour, how, besides)]
    return [e.Sat(seat, *_dress(state, seat, name or chair.name, colour or chair.colour), how, besides)]


def _dress(state: TableState, seat: SeatNumber, name: str, colour: str) -> tuple[str, str]:
    others = [chair for other, chair in numbered(state.chairs) if other != seat]
    if name != state.chairs[seat].name:  # which was good enough when the seat had it first
        _need(fault_in_name(name))
        if any(likeness(chair.name) == likeness(name) for chair in others):
            raise RefusedError(say("somebody else is called {name}", name=name))
    if any(chair.colour == colour for chair in others):
        raise RefusedError(say("somebody else drives {colour}", colour=say(colour, "a chariot's colour")))
    return name, colour


def need_room_in_log(state: TableState, reserved: int = 0) -> None:
    """Logs do not grow without end; but a race that was begun can be driven to its own."""
    if state.number >= MOST_EVENTS - reserved:
        raise RefusedError(say("this table has seen enough: lay a new one"))


def _need_fresh(state: TableState, at: int, since: int) -> None:
    if at < since:
        raise RefusedError(say("the table has moved on since then: look again"))
    if at > state.number:
        raise RefusedError(say("that has not happened yet"), status=400)


def need_open(state: TableState) -> None:
    """A table that is closed can only be looked at."""
    if state.closed:
        raise RefusedError(say("this table is closed"))


def _need_place(state: TableState, actor: Actor) -> None:
    if not (actor.seats or actor.host):
        raise RefusedError(say("only those who sit at the table may do that"), status=403)


def _need_seat(state: TableState, actor: Actor, seat: SeatNumber) -> None:
    if seat not in actor.seats or seat >= len(state.chairs):
        raise RefusedError(say("that is not your seat"), status=403)


def _need_host(state: TableState, actor: Actor, seat: SeatNumber) -> None:
    if not actor.host:
        raise RefusedError(say("only the host may do that"), status=403)
    if seat >= len(state.chairs):
        raise RefusedError(say("there is no seat {seat} at this table", seat=seat), status=404)


def _need(fault: str | None) -> None:
    if fault:
        raise RefusedError(fault, status=400)
