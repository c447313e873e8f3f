"""What everybody at a table is told of an event beside the race: who comes and goes, and who may.

The words are put together when somebody asks for them, from names as they were when it happened.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import assert_never

from avecaesar.game.numbers import SeatNumber
from avecaesar.server.tables import events as e
from avecaesar.server.tables.admission import Wish
from avecaesar.speech import counted, say
from avecaesar.table import character_of
from avecaesar.telling import narration
from avecaesar.telling.opening import Words

CLOSED = {
    "operator": "The table is closed by the server's operator.",
    "host": "The table is closed by the host.",
    "nobody": "The table is closed: its host has left, and nobody else sits here.",
}


def news_of(
    event: e.AnyEvent, names: Sequence[str], wishes: Mapping[SeatNumber, Wish], may_be_renamed: bool
) -> Iterator[tuple[SeatNumber | None, Words]]:
    """What is told of an event, each with the seat that it is about, if there is one."""
    match event:
        case e.Sat(seat):
            yield seat, _sits_down(event, names, wishes.get(seat), may_be_renamed)
        case e.Stood(seat):
            yield seat, partial(_is_free, names[seat])
        case e.Appointed(seat, driver):
            yield seat, partial(_is_driven, names[seat], driver)
        case e.Readied(seats):
            for each in seats:
                yield each, partial(_is_ready, names[each])
        case e.Paused(seat) | e.Resumed(seat) | e.Struck(_, seat):
            yield seat, partial(_done_by, event, None if seat is None else names[seat])
        case e.Closed(by):
            yield None, lambda: say(CLOSED[by])
        case e.Banned(seat):
            yield seat, partial(_is_banned, names[seat])
        case e.Blanked():
            yield None, lambda: say("The host has erased all names and words, and closed the table.")
        case e.Linked(laid=True):
            pass  # every table for friends has this invitation
        case (
            e.Linked()
            | e.Opened()
            | e.Voided()
            | e.OthersShutOut()
            | e.HandedOn()
            | e.Wished()
            | e.Agreed()
            | e.Declined()
        ):
            yield getattr(event, "seat", None), partial(_of_admission, event, names)
        case (
            e.WasLaid()
            | e.Sealed()
            | e.Unsealed()
            | e.Shaken()
            | e.Dressed()
            | e.Begun()
            | e.ChosenAhead()
            | e.Moved()
            | e.Said()
        ):
            pass  # everybody sees it, or the state tells of it itself
        case _:
            assert_never(event)


def _is_free(name: str) -> str:
    return say("{name}'s seat is free.", name=name)


def _is_driven(name: str, driver: str) -> str:
    who = character_of(driver)
    return say("{name} is driven by {driver} now.", name=name, driver=who.title if who else driver)


def _is_ready(name: str) -> str:
    return say("{name} is ready for the next race.", name=name)


def _is_banned(name: str) -> str:
    return say("The host has banned {name} from this table.", name=name)


def _done_by(event: e.Paused | e.Resumed | e.Struck, name: str | None) -> str:
    """What somebody who sits here has done, or (None) a host without a seat."""
    match event:
        case e.Paused():
            return say("The host pauses the race.") if name is None else say("{name} pauses the race.", name=name)
        case e.Resumed():
            return say("The host goes on.") if name is None else say("{name} goes on.", name=name)
        case e.Struck():
            if name is None:
                return say("The host has erased a saying.")
            return say("{name} has erased a saying.", name=name)


def _sits_down(event: e.Sat, names: Sequence[str], wish: Wish | None, may_be_renamed: bool) -> Words:
    """Who has a seat now, which need not be whoever its chariot is called after."""
    name = event.name
    if event.how == "back":
        return lambda: say("{name}'s chariot has its driver back.", name=name)
    if event.besides is not None:
        who = names[event.besides]
        return lambda: say("{who} now has {name}'s seat too.", who=who, name=name)
    if event.how == "agreed" and wish is not None and wish.name:
        who = wish.name
        return lambda: say("{who} takes over {name}'s chariot.", who=who, name=name)
    if not may_be_renamed:
        return lambda: say("Somebody takes over {name}'s chariot.", name=name)
    return lambda: say("{name} takes a seat.", name=name)


def _of_admission(event: e.AdmissionEvent, names: Sequence[str]) -> str:
    """Everybody hears who may come in, and as what: a hand is never seen by somebody unawares."""
    seat = getattr(event, "seat", None)
    name = "" if seat is None else names[seat]
    all_of = [names[each] for each in getattr(event, "seats", ())] or [name]
    match event:
        case e.Linked(kind="invitation"):
            return say("The host has made an invitation.")
        case e.Linked(kind="seat"):
            return say("The host has made a link to {name}'s seat, which is free.", name=name)
        case e.Linked() | e.Opened(kind="device"):
            return _of_device(event, all_of)
        case e.Opened():
            return say("The link to {name}'s seat has been used.", name=name)
        case e.Voided():
            return say("The host has voided all invitations.")
        case e.OthersShutOut():
            return say("{name} has shut all other devices out.", name=name)
        case e.HandedOn():
            return say("{name} is the host now.", name=name)
        case e.Wished(name=asker):
            if asker:
                return say("{asker} asks to take over {name}'s chariot in this race.", asker=asker, name=name)
            return say("Somebody asks to take over {name}'s chariot in this race.", name=name)
        case e.Agreed(by=by):
            agreed = narration.listed([names[each] for each in by])
            return counted(
                len(by),
                "{agreed} agrees that {name}'s chariot is taken over.",
                "{agreed} agree that {name}'s chariot is taken over.",
                agreed=agreed,
                name=name,
            )
        case e.Declined(by=by):
            if by is None:
                return say("Nobody asks for {name}'s chariot any more.", name=name)
            return say(
                "{who} would rather not: a stand-in drives {name}'s chariot to the end of the race.",
                who=names[by],
                name=name,
            )


def _of_device(event: e.Linked | e.Opened, names: Sequence[str]) -> str:
    """A link for another device was made or opened; whether its holder is host then is said too."""
    many, name = len(names), narration.listed(names)
    match event:
        case e.Linked(host=True):
            return counted(
                many,
                "{name} has made a link for another device, which will have the host's rights too.",
                "{name} have made a link for another device, which will have the host's rights too.",
                name=name,
            )
        case e.Linked():
            return counted(
                many,
                "{name} has made a link for another device.",
                "{name} have made a link for another device.",
                name=name,
            )
        case e.Opened(host=True):
            return counted(
                many,
                "{name} now drives from one more device, which has the host's rights too.",
                "{name} now drive from one more device, which has the host's rights too.",
                name=name,
            )
        case _:
            return counted(
                many,
                "{name} now drives from one more device.",
                "{name} now drive from one more device.",
                name=name,
            )
