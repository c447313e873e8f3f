"""How people come to a table and leave it for good: free seats, links, chariots that they take over, bans."""

from __future__ import annotations

import secrets
import weakref
from collections.abc import Sequence
from typing import TYPE_CHECKING

from avecaesar.game.numbers import SeatNumber
from avecaesar.server.refused import RefusedError
from avecaesar.server.store.shapes import ROLES, Grant, Revoke, Role
from avecaesar.server.tables import decisions
from avecaesar.server.tables import events as e
from avecaesar.server.tables.actor import STRANGER, Actor
from avecaesar.server.tables.admission import INVITATION_LASTS, LINK_LASTS, tag_of
from avecaesar.server.tables.appending import TRIES, too_much
from avecaesar.server.tables.rights import seated
from avecaesar.server.tables.state import TableState
from avecaesar.speech import say

if TYPE_CHECKING:
    from avecaesar.server.tables.running import RunningTable


class Seating:
    """Who sits down at one table, by which right."""

    def __init__(self, table: RunningTable) -> None:
        self._table: RunningTable = weakref.proxy(table)

    @property
    def _state(self) -> TableState:
        return self._table.state

    async def sit(
        self,
        seat: SeatNumber | None,
        name: str | None,
        colour: str | None,
        keys: Sequence[str],
        token: str | None = None,
    ) -> SeatNumber:
        """Somebody takes a free seat, by an invitation where one is needed; which one."""
        await self._table.room.need()
        return await self._table.shielded(self._sit_down(seat, name, colour, keys, token))

    async def _sit_down(
        self, seat: SeatNumber | None, name: str | None, colour: str | None, keys: Sequence[str], token: str | None
    ) -> SeatNumber:
        async with self._table.lock:
            for _ in range(TRIES):
                who = await self._welcome(keys, token)
                if (taken := await self._take(seat, name, colour, who)) is not None:
                    return taken
        raise too_much()

    async def _welcome(self, keys: Sequence[str], token: str | None) -> Actor:
        """Whoever may sit down here at this very moment; what was true before we waited may be so no longer."""
        who = self._unbanned(await self._table.rights.of(keys))
        brought = await self._table.rights.of([token]) if token is not None else None
        invited = who.invited or (brought is not None and brought.invited)
        if not (self._state.plan.open or who.host or invited):
            raise RefusedError(say("one sits down at this table by invitation: ask the host for a link"), status=403)
        return who

    @staticmethod
    def _unbanned(who: Actor) -> Actor:
        if who.banned:
            raise RefusedError(say("you were banned from this table: you may watch, but not sit down here"), status=403)
        return who

    async def _take(
        self, seat: SeatNumber | None, name: str | None, colour: str | None, who: Actor, opened: e.Opened | None = None
    ) -> SeatNumber | None:
        """Who takes a free seat has it with his own key, and nobody has it who was once promised it.

        None if another server was faster.
        """
        self._table.rights.need_one_pupil(who)
        events = decisions.sit(self._state, seat, name, colour, who.left, who.seats)
        (taken,) = (event.seat for event in events if isinstance(event, e.Sat))
        self._table.presence.saw(frozenset({taken}))
        own = who.keys[0]
        found = [opened] if opened else []
        before = [*self._table.rights.unwished(who.keys, taken), *found]
        ended: tuple[Role, ...] = ("left", "wish")
        revoke = [
            *self._table.rights.all_rights_to(taken),
            *(Revoke(role, key=key) for role in ended for key in who.keys),
        ]
        grants = seated(own, taken)
        revoke += self._table.rights.ending_with_places(revoke, grants)
        done = await self._table.add([*before, *events], holder=tag_of(own), revoke=revoke, grants=grants)
        return taken if done else None

    async def carry_over(self, outworn: Sequence[str], own: str) -> None:
        """What a browser's older keys hold here is its newer one's from now on, and no other device's.

        Somebody else may have planted the old key, who knows it and perhaps has let in another device of his.
        """
        if outworn:
            await self._table.shielded(self._carry_over(outworn, own))

    async def _carry_over(self, outworn: Sequence[str], own: str) -> None:
        async with self._table.lock:
            for _ in range(TRIES):
                held = await self._table.store.rights(self._state.id, outworn)
                if all(grant.role == "banned" for grant in held):
                    return
                who = await self._table.rights.of([own, *outworn])
                events: list[e.AnyEvent] = [e.OthersShutOut(seat) for seat in self._table.rights.open_to_others(held)]
                ended = self._table.rights.following(events, who)
                revoke = [Revoke(role, key=key) for key in outworn for role in ROLES if role != "banned"]
                kept = [grant for grant in held if not any(each.ends(grant) for each in ended["revoke"])]
                grants = {grant._replace(key=own) for grant in (*kept, *ended["grants"])}
                if await self._table.add(events, revoke=[*revoke, *ended["revoke"]], grants=sorted(grants, key=str)):
                    return
        raise too_much()

    async def take_over(self, seat: SeatNumber, name: str | None, keys: Sequence[str], token: str | None) -> None:
        """Somebody asks those who sit here to let him have a seat that a stand-in drives in this race.

        Whoever left it himself has it back at once.
        """
        await self._table.room.need()
        await self._table.shielded(self._ask_for(seat, name, keys, token))

    async def _ask_for(self, seat: SeatNumber, name: str | None, keys: Sequence[str], token: str | None) -> None:
        async with self._table.lock:
            for _ in range(TRIES):
                who = self._unbanned(await self._table.rights.of(keys))
                if who.seats:
                    raise RefusedError(say("you have a seat at this table"))
                if seat in who.left:
                    if await self._take(seat, None, None, who) is not None:
                        return
                    continue
                if token is None or not await self._table.rights.promises(token, seat):
                    await self._welcome(keys, token)
                self._table.rights.need_one_pupil(who)
                own = who.keys[0]
                events = decisions.wish(self._state, seat, tag_of(own), name or "", self._table.presence.circumstances)
                if self._table.rights.unwished(who.keys):
                    raise RefusedError(say("you have asked for a chariot already"))
                if self._table.count("asking", False, 0):
                    raise RefusedError(say("so much at once: take a breath first"), status=429)
                name_of_it = f"{tag_of(own)}:{secrets.token_hex(8)}"  # by which his tag is found in the log
                grants = [Grant(own, seat, "wish")]
                if await self._table.add(events, command=name_of_it, holder=tag_of(own), grants=grants):
                    return
        raise too_much()

    async def admit(self, token: str, keys: Sequence[str], name: str | None, colour: str | None) -> SeatNumber:
        """Somebody comes with a link to a seat: the same person on another device, or who is to sit there; which."""
        await self._table.room.need()
        return await self._table.shielded(self._let_in(token, keys, name, colour))

    async def _let_in(self, token: str, keys: Sequence[str], name: str | None, colour: str | None) -> SeatNumber:
        async with self._table.lock:
            decisions.need_open(self._state)
            decisions.need_room_in_log(self._state)
            for _ in range(TRIES):
                who = self._unbanned(await self._table.rights.of(keys))
                opens = await self._table.rights.opened_by(token)
                seats = sorted(grant.seat for grant in opens if grant.seat is not None)
                if not seats or token in keys:
                    raise RefusedError(say("this link is no longer good: ask for another one"), status=403)
                free = next((seat for seat in seats if self._state.chairs[seat].free), None)
                given = self._table.rights.given_to(who.keys, opens)
                host = any(grant.role == "host" for grant in given)
                opened = e.Opened(tag_of(token), seats[0], "device" if free is None else "seat", tuple(seats), host)
                if free is not None:
                    if (taken := await self._take(free, name, colour, who, opened)) is not None:
                        return taken
                    continue
                self._table.rights.need_room_for(who.keys[0], opens)
                ended = [Revoke(role, key=token) for role in ROLES] + [Revoke("wish", key=key) for key in keys]
                if await self._table.add([*self._table.rights.unwished(keys), opened], grants=given, revoke=ended):
                    return seats[0]
        raise too_much()

    async def link(self, keys: Sequence[str], seat: SeatNumber | None, token: str) -> float:
        """Make a link: to one's own seats for another device, for the host to a free seat, or an invitation."""
        await self._table.room.need()
        return await self._table.shielded(self._make_link(keys, seat, token))

    async def _make_link(self, keys: Sequence[str], seat: SeatNumber | None, token: str) -> float:
        async with self._table.lock:
            decisions.need_open(self._state)
            decisions.need_room_in_log(self._state)
            for _ in range(TRIES):
                who = await self._table.rights.of(keys)
                kind, grants = self._table.rights.linked(who, seat, token)
                until = self._table.clock() + (INVITATION_LASTS if kind == "invitation" else LINK_LASTS)
                linked = sorted({grant.seat for grant in grants if grant.seat is not None})
                ended = [Revoke("pass", each) for each in linked]  # one link to a seat at a time
                all_of = tuple(linked) if kind == "device" else ()
                made = e.Linked(tag_of(token), kind, seat, until, all_of, host=Grant(token, None, "pass") in grants)
                if await self._table.add([made], grants=grants, revoke=ended):
                    return until
        raise too_much()

    async def share(self, keys: Sequence[str], on: bool) -> None:
        """Somebody who has a place here shares its races by link, or whoever did so does it no longer."""
        await self._table.shielded(self._share(keys, on))

    async def _share(self, keys: Sequence[str], on: bool) -> None:
        async with self._table.lock:
            who, sharing = (
                await self._table.rights.of(keys),
                frozenset(await self._table.store.shared_by(self._state.id)),
            )
            if on and not who.has_place:
                raise RefusedError(say("only those who sit at the table may do that"), status=403)
            if on == (not sharing.isdisjoint(keys)):
                return  # it is so already
            if self._table.count(str(min(who.seats, default=who.holder)), False, 0):
                raise RefusedError(say("so much at once: take a breath first"), status=429)
            ended = sharing & (
                self._table.rights.devices_of(who.seats) if on else set(keys)
            )  # one share a seat, with its last device
            revoke = [Revoke("share", key=key) for key in sorted(ended)]
            await self._table.add([], revoke=revoke, grants=[Grant(who.keys[0], None, "share")] if on else [])

    async def ban(self, seat: SeatNumber) -> None:
        """The operator frees a person's seats for good: neither his keys nor any invitation bring him back."""
        await self._table.shielded(self._ban(seat))

    async def _ban(self, seat: SeatNumber) -> None:
        async with self._table.lock:
            for _ in range(TRIES):
                if seat not in self._state.persons:
                    raise RefusedError(say("no person sits there"))
                events = self._table.rights.freed_by_ban(seat)
                following = self._table.rights.following([*events, e.Banned(seat)], STRANGER)
                if await self._table.add(events, **following):
                    return
        raise too_much()
