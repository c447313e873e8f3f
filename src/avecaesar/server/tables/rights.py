"""Who holds which rights at a table, and what becomes of them with each event."""

from __future__ import annotations

import weakref
from collections import defaultdict
from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING, TypedDict

from avecaesar.game.numbers import SeatNumber
from avecaesar.server.refused import RefusedError
from avecaesar.server.store.shapes import HELD, ROLES, Grant, Revoke, Role
from avecaesar.server.tables import events as e
from avecaesar.server.tables.actor import Actor
from avecaesar.server.tables.admission import tag_of
from avecaesar.server.tables.seats import numbered
from avecaesar.server.tables.state import TableState
from avecaesar.speech import say

if TYPE_CHECKING:
    from avecaesar.server.tables.running import RunningTable

MOST_DEVICES = 8  # of a seat, and of the host: whatever changes at a table is looked at for each of them


class RightsChange(TypedDict):
    """What changes of the rights at a table."""

    revoke: Sequence[Revoke]
    grants: Sequence[Grant]


def seated(key: str, seat: SeatNumber) -> list[Grant]:
    """What whoever takes a seat has with his own key."""
    return [Grant(key, seat, "drive"), Grant(key, seat, "sat")]


def _with_places(grants: Collection[Grant]) -> set[str]:
    """The keys of whoever sits at the table, or has it, himself."""
    return {grant.key for grant in grants if grant.role in ("sat", "host")}


def _no_second_pupil() -> RefusedError:
    return RefusedError(say("nobody else can sit down at a lesson: everybody knows its cards"), status=403)


class Rights:
    """The rights at one table: in mind those of people who sit there, in the store those of links too."""

    def __init__(self, table: RunningTable, held: Sequence[Grant]) -> None:
        self._table: RunningTable = weakref.proxy(table)
        self.held = {grant for grant in held if grant.role in HELD}
        self.changes = 0  # how often they have changed

    @property
    def _state(self) -> TableState:
        return self._table.state

    async def of(self, keys: Sequence[str]) -> Actor:
        """What these keys (hashes) allow, at this very moment."""
        as_of, grants = -1, list[Grant]()
        while as_of != self.changes:
            as_of = self.changes
            grants = await self._table.store.rights(self._state.id, keys) if keys else []
        seats = frozenset(grant.seat for grant in grants if grant.role == "drive" and grant.seat is not None)
        roles = {grant.role for grant in grants if grant.role != "invite" or self._invites(grant.key)}
        left = frozenset(grant.seat for grant in grants if grant.role == "left" and grant.seat is not None)
        own = self._in_order(keys, self._placed())
        return Actor(own, seats, "host" in roles, "invite" in roles, left, as_of, "banned" in roles)

    def _in_order(self, keys: Sequence[str], placed: Collection[str]) -> tuple[str, ...]:
        """Somebody's keys, those first that hold a seat or the table: by them he is known here, and by no others.

        In which order a caller sends his keys is for him to choose.
        """
        return tuple(sorted(keys, key=lambda key: key not in placed))

    def _placed(self) -> set[str]:
        return {grant.key for grant in self.held if grant.role in ("drive", "host")}

    def _invites(self, key: str) -> bool:
        """Whether a key that is an invitation is still good."""
        return self._state.admission.invites(tag_of(key), self._table.clock())

    async def as_of_now(self, who: Actor) -> Actor:
        """The same person, with what he may do now."""
        return who if who.as_of == self.changes else await self.of(who.keys)

    def hand_over(self, revoke: Sequence[Revoke], grants: Sequence[Grant]) -> None:
        """Rights have changed: at once no connection holds what it no longer may."""
        self.changes += 1
        ending = defaultdict[Role, list[Revoke]](list)
        for each in revoke:
            ending[each.role].append(each)
        kept = {grant for grant in self.held if not any(each.ends(grant) for each in ending.get(grant.role, ()))}
        self.held = kept | {grant for grant in grants if grant.role in HELD}
        banned, placed = {grant.key for grant in grants if grant.role == "banned"}, self._placed()
        held_by = defaultdict[str, list[Grant]](list)
        for grant in self.held:
            held_by[grant.key].append(grant)
        for connection in self._table.connections:
            keys = connection.who.keys
            held = [grant for key in keys for grant in held_by.get(key, ())]
            before, connection.who = (
                connection.who,
                connection.who._replace(
                    keys=self._in_order(keys, placed),
                    seats=frozenset(grant.seat for grant in held if grant.role == "drive" and grant.seat is not None),
                    host=any(grant.role == "host" for grant in held),
                    as_of=self.changes,
                    banned=connection.who.banned or not banned.isdisjoint(keys),
                ),
            )
            if before.has_place and not connection.who.has_place:
                connection.step_back()

    def keys_to(self, seat: SeatNumber, role: Role = "drive") -> list[str]:
        """The keys that have such a right to a seat."""
        return sorted(grant.key for grant in self.held if (grant.seat, grant.role) == (seat, role))

    @staticmethod
    def all_rights_to(seat: SeatNumber) -> list[Revoke]:
        """Everything that anybody may do with a seat ends."""
        roles: tuple[Role, ...] = ("drive", "sat", "pass", "left", "wish", "host")
        return [Revoke(role, seat) for role in roles]

    @property
    def host_seats(self) -> frozenset[SeatNumber]:
        """Seats whose person is the host."""
        hosts = {grant.key for grant in self.held if grant.role == "host"}
        return frozenset(seat for key, seat in self._driven if key in hosts and self._is_at_home(key, seat))

    @property
    def _driven(self) -> list[tuple[str, SeatNumber]]:
        return [(grant.key, grant.seat) for grant in self.held if grant.role == "drive" and grant.seat is not None]

    @property
    def _hosts_own(self) -> set[str]:
        """The keys by which somebody is the host, and not by way of a seat."""
        return {grant.key for grant in self.held if (grant.seat, grant.role) == (None, "host")}

    def _is_hosts(self, key: str) -> bool:
        """Whether a key is the host's own, or that of a device of his: not of a guest whom he has let drive for him."""
        ways = [grant.seat for grant in self.held if (grant.key, grant.role) == (key, "host")]
        return any(seat is None or self._is_at_home(key, seat) for seat in ways)

    def given_to(self, keys: Sequence[str], opens: Sequence[Grant]) -> list[Grant]:
        """What somebody may do who opens a link.

        He is host by way of each seat where the host himself sits, unless he has a place of his own beside it.
        """
        seats, host = [grant.seat for grant in opens if grant.seat is not None], None in {each.seat for each in opens}
        if any(grant.role == "sat" and grant.key in keys and grant.seat not in seats for grant in self.held):
            host = False
        his = [seat for seat in seats if host and not self._hosts_own.isdisjoint(self.keys_to(seat, "sat"))]
        return [*(Grant(keys[0], seat, "drive") for seat in seats), *(Grant(keys[0], seat, "host") for seat in his)]

    @property
    def alone(self) -> bool:
        """Whether all persons who sit here are one: seats that share a key, directly or by way of others."""
        held: dict[str, set[SeatNumber]] = {}
        for grant in self.held:
            if grant.role == "drive" and grant.seat is not None:
                held.setdefault(grant.key, set()).add(grant.seat)
        side = set(sorted(self._state.persons)[:1])
        while more := {seat for seats in held.values() if seats & side for seat in seats} - side:
            side |= more
        return self._state.persons <= side

    def devices_of(self, seats: Collection[SeatNumber]) -> set[str]:
        """The keys to somebody's seats that are his, as far as is known here.

        Somebody else with a seat of his own, or the host, may have opened his link.
        """
        return {key for seat in seats for key in self.keys_to(seat) if self._is_at_home(key, seat)}

    def home_of(self, who: Actor) -> list[SeatNumber]:
        """The seats that somebody drives for himself, and not for somebody else who has let him in."""
        return sorted(seat for seat in who.seats if not self.devices_of([seat]).isdisjoint(who.keys))

    def need_host_himself(self, who: Actor) -> None:
        """Refuse what cannot be undone to somebody who is host only because he drives for the host."""
        if who.host and not any(map(self._is_hosts, who.keys)):
            raise RefusedError(say("only the host may do that"), status=403)

    def _is_at_home(self, key: str, seat: SeatNumber) -> bool:
        """Whether somebody has a key to a seat as the person who sits there, and not beside a place of his own."""
        sat = {grant.seat for grant in self.held if (grant.key, grant.role) == (key, "sat")}
        is_host = any((grant.key, grant.role) == (key, "host") for grant in self.held)
        sitters = self.keys_to(seat, "sat")
        return seat in sat or not (sat or (is_host and sitters and self._hosts_own.isdisjoint(sitters)))

    def _all_of(self, seat: SeatNumber) -> tuple[list[str], list[SeatNumber]]:
        """The keys and seats of a person who sits there, with the devices that he has let in, and seats that he left.

        Somebody else with a seat of his own, or the host, may have opened his link: they lose that seat and no more.
        """
        sitter = self.keys_to(seat, "sat")
        hosts = {grant.key for grant in self.held if grant.role == "host" and self._is_hosts(grant.key)}
        if hosts & set(sitter):
            raise RefusedError(say("the host sits there: close the table instead"))
        sat = [grant for grant in self.held if grant.role == "sat" and grant.seat is not None]
        seats = {seat, *(grant.seat for grant in sat if grant.key in sitter and grant.seat is not None)}
        others = hosts | {grant.key for grant in sat if grant.seat not in seats}
        devices = {key for each in seats for key in (*self.keys_to(each), *self.keys_to(each, "left"))}
        return sorted(devices - others), sorted(seats)

    def freed_by_ban(self, seat: SeatNumber) -> list[e.AnyEvent]:
        """All seats of whoever sits there become free, which voids all invitations; and he asks for none any more."""
        keys, seats = self._all_of(seat)
        return [*self.unwished(keys), *(e.Stood(each, freed=True) for each in seats if each in self._state.persons)]

    def _banning(self, seat: SeatNumber) -> RightsChange:
        keys, seats = self._all_of(seat)
        revoke = [Revoke(role, of=frozenset(keys)) for role in ROLES]
        revoke += [Revoke("left", each) for each in seats]
        return {"revoke": revoke, "grants": [Grant(key, None, "banned") for key in keys]}

    def with_seats_of_banned(self, events: Sequence[e.AnyEvent]) -> list[e.AnyEvent]:
        """The same, and before each ban the events that free the seats of whoever is banned."""
        return [
            each
            for event in events
            for each in ([*self.freed_by_ban(event.seat), event] if isinstance(event, e.Banned) else [event])
        ]

    def following(self, events: Sequence[e.AnyEvent], who: Actor) -> RightsChange:
        """Which rights end and which begin with events that somebody brings about."""
        revoke, grants = list[Revoke](), list[Grant]()
        for event in events:
            match event:
                case e.Stood(seat, freed):
                    revoke += self.all_rights_to(seat)
                    if self._state.phase == "racing" and not freed:
                        grants += [Grant(key, seat, "left") for key in self.devices_of([seat])]
                        grants += [Grant(key, seat, "sat") for key in self.keys_to(seat, "sat")]
                case e.Appointed(seat):
                    revoke += self.all_rights_to(seat)
                case e.OthersShutOut(seat):
                    # Of somebody's keys one stays: another may have been planted by somebody who knows it.
                    own = [key for key in who.keys if key in self.keys_to(seat)][:1]
                    revoke += [Revoke("drive", seat, but=tuple(own))]
                    revoke += [Revoke("pass", seat), Revoke("sat", seat), Revoke("host", seat)]
                    grants += [Grant(key, seat, "sat") for key in own]
                    if hosts := [key for key in who.keys if self._is_hosts(key)][:1]:
                        revoke += [Revoke("host", but=tuple(hosts)), Revoke("pass")]
                        grants += [Grant(key, None, "host") for key in hosts]
                case e.HandedOn(seat):
                    revoke += [Revoke("host"), Revoke("pass")]
                    sitter = self.keys_to(seat, "sat")
                    grants += [Grant(key, None if key in sitter else seat, "host") for key in self.devices_of([seat])]
                case e.Declined(seat):
                    revoke += [Revoke("wish", seat)]
                case e.Sat(seat):  # by consent
                    revoke += self.all_rights_to(seat)
                    revoke += [Revoke("left", key=key) for key in self.keys_to(seat, "wish")]
                    grants += [grant for key in self.keys_to(seat, "wish") for grant in seated(key, seat)]
                case e.Begun():
                    revoke += [Revoke("left"), Revoke("wish")]
                    revoke += [Revoke("sat", seat) for seat, chair in numbered(self._state.chairs) if chair.free]
                case e.Banned(seat):
                    banning = self._banning(seat)
                    revoke += banning["revoke"]
                    grants += banning["grants"]
        return {"revoke": [*revoke, *self.ending_with_places(revoke, grants)], "grants": grants}

    def ending_with_places(self, revoke: Sequence[Revoke], grants: Sequence[Grant]) -> list[Revoke]:
        """What ends besides for whoever has no place of his own any more: he would pass for those he drives for."""
        left = {grant for grant in self.held if not any(each.ends(grant) for each in revoke)}.union(grants)
        lost = _with_places(self.held) - _with_places(left)
        driven = [(key, seat) for key, seat in self._driven if key in lost and not self._is_at_home(key, seat)]
        ends: tuple[Role, ...] = ("drive", "host")
        return [Revoke(role, seat, key) for key, seat in driven for role in ends]

    def leaving(self, who: Actor, holders: set[str]) -> tuple[list[e.AnyEvent], RightsChange]:
        """Somebody leaves for good: his seats are free, and the table is somebody else's or closed."""
        state = self._state
        revoke = [Revoke(role, key=key) for key in who.keys for role in ROLES]
        revoke += [each for seat in who.seats for each in self.all_rights_to(seat)]
        if state.closed:
            return [], {"revoke": revoke, "grants": ()}
        asked = [seat for seat, wish in state.admission.wishes.items() if wish.holder in holders]
        events: list[e.AnyEvent] = [e.Declined(seat, None) for seat in asked]
        events += [e.Stood(seat) for seat in sorted(who.seats)]
        heirs = sorted(state.persons - who.seats)
        his = any(map(self._is_hosts, who.keys))
        if his and heirs:
            following = self.following([e.HandedOn(heirs[0])], who)
            events.append(e.HandedOn(heirs[0]))
            # He may hold the heir's seat too, by a link that he opened.
            grants = [grant for grant in following["grants"] if grant.key not in who.keys]
            return events, {"revoke": [*revoke, *following["revoke"]], "grants": grants}
        if his:
            events += [e.Closed("nobody")] if state.phase != "over" else []
            revoke += [Revoke("host"), Revoke("pass"), Revoke("invite")]
        return events, {"revoke": revoke, "grants": ()}

    def open_to_others(self, held: Sequence[Grant]) -> list[SeatNumber]:
        """Those of the seats that somebody drives which another device holds too, or could by a link."""
        keys, linked = {grant.key for grant in held}, {link.seat for link in self._state.admission.links.values()}
        seats = {grant.seat for grant in held if grant.role == "drive" and grant.seat is not None}
        if self._state.closed:
            return []
        return sorted(seat for seat in seats if seat in linked or not keys.issuperset(self.keys_to(seat)))

    def unwished(self, keys: Sequence[str], taken: SeatNumber | None = None) -> list[e.AnyEvent]:
        """Whoever holds these keys asks for no seat any more; of the one that he takes that need not be said."""
        holders, wishes = {tag_of(key) for key in keys}, self._state.admission.wishes
        return [e.Declined(seat, None) for seat, wish in wishes.items() if seat != taken and wish.holder in holders]

    async def promises(self, token: str, seat: SeatNumber) -> bool:
        """Whether a key is a link to a seat that can still be opened."""
        if self._state.admission.good(tag_of(token), self._table.clock()) is None:
            return False
        return Grant(token, seat, "pass") in await self._table.store.rights(self._state.id, [token])

    async def opened_by(self, token: str) -> list[Grant]:
        """What a link opens now, nothing if it is no longer good."""
        if self._state.admission.good(tag_of(token), self._table.clock()) is None:
            return []
        return [grant for grant in await self._table.store.rights(self._state.id, [token]) if grant.role == "pass"]

    def need_room_for(self, own: str, opens: Sequence[Grant]) -> None:
        """Refuse another device for seats that are held on as many as they may be."""
        hosts = {grant.key for grant in self.held if grant.role == "host"}
        for grant in opens:
            devices = hosts if grant.seat is None else self.keys_to(grant.seat)
            if own not in devices and len(devices) >= MOST_DEVICES:
                problem = say("this seat has {many} devices already: shut the others out first", many=len(devices))
                raise RefusedError(problem)

    def need_one_pupil(self, who: Actor) -> None:
        """Refuse a seat at a lesson where somebody else sits, though he may have let in whoever wants it."""
        others = [seat for seat in self._state.persons if set(who.keys).isdisjoint(self.keys_to(seat, "sat"))]
        if self._state.plan.lesson and others:
            raise _no_second_pupil()

    def linked(self, who: Actor, seat: SeatNumber | None, token: str) -> tuple[e.LinkKind, list[Grant]]:
        """What a new link opens, if it is this person's to give: a taken seat is its sitter's alone."""
        if self._state.plan.lesson and seat not in who.seats:
            raise _no_second_pupil()
        if seat is None:
            if not who.host:
                raise RefusedError(say("only the host invites people"), status=403)
            return "invitation", [Grant(token, None, "invite")]
        if seat >= len(self._state.chairs):
            raise RefusedError(say("there is no seat {seat} at this table", seat=seat), status=404)
        if seat in who.seats:
            opens = [Grant(token, own, "pass") for own in self.home_of(who)]
            if seat not in {grant.seat for grant in opens}:
                raise RefusedError(say("that is not your seat"), status=403)
            all_of = [*opens, Grant(token, None, "pass")]
            makes_host = who.host and any(grant.role == "host" for grant in self.given_to([token], all_of))
            return "device", all_of if makes_host else opens
        if not who.host or not self._state.chairs[seat].free:
            if who.host and self._state.chairs[seat].driver:
                raise RefusedError(say("a driver of the computer's sits there: free the seat first"))
            raise RefusedError(say("that is not your seat"), status=403)
        return "seat", [Grant(token, seat, "pass")]
