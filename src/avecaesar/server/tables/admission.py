"""Who may still come in: links that open once, invitations that expire, and wishes to take over a freed seat.

It is folded from the log with the rest of the table. A link is known by its tag, the beginning of its key's digest:
whoever reads the log can tell links apart and open none.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from avecaesar.game.numbers import SeatNumber
from avecaesar.server.tables import events as e

LINK_LASTS = 24 * 3600.0  # seconds, to a seat
INVITATION_LASTS = 7 * 24 * 3600.0
MOST_INVITATIONS = 8  # that are good at once; a ninth voids the oldest
NEVER = 0.0
TAG = 16  # characters of a key's digest


def tag_of(key: str) -> str:
    """What tells a key's holder or a link from others, from the key's digest."""
    return key[:TAG]


@dataclass(frozen=True, slots=True)
class OpenLink:
    """A link that was not opened yet, or an invitation."""

    kind: e.LinkKind
    seat: SeatNumber | None
    until: float


@dataclass(frozen=True, slots=True)
class Wish:
    """Somebody asks to take over a seat that a stand-in drives in this race."""

    number: int  # of the event
    holder: str
    name: str
    agreed: frozenset[SeatNumber] = frozenset()


@dataclass(slots=True)
class Admission:
    """Links and wishes as they are now."""

    links: dict[str, OpenLink] = field(default_factory=dict)
    wishes: dict[SeatNumber, Wish] = field(default_factory=dict)  # by seat
    _laid: float = 0.0
    _voided: bool = False

    def copy(self) -> Admission:
        """An independent copy."""
        return Admission(dict(self.links), dict(self.wishes), self._laid, self._voided)

    def good(self, tag: str, now: float) -> OpenLink | None:
        """A link that can be opened."""
        link = self.links.get(tag)
        return link if link is not None and now < link.until else None

    def invites(self, tag: str, now: float) -> bool:
        """Whether a key that is an invitation is good: those of 0.6 are in no log, and last as long as others."""
        if tag in self.links:
            return self.good(tag, now) is not None
        return not self._voided and now < self._laid + INVITATION_LASTS

    def apply(self, event: e.AnyEvent, at: float, number: int = 0) -> None:
        """Fold an event of that number in."""
        match event:
            case e.WasLaid():
                self._laid = at
            case e.Linked(tag, kind, seat, until):
                self._make_room(kind, seat)
                self.links[tag] = OpenLink(kind, seat, until)
            case e.Opened(tag):
                self.links.pop(tag, None)
            case e.Voided():
                self._void_invitations()
            case e.OthersShutOut(seat):
                self._drop("device", seat)
            case e.Sat(seat) | e.Appointed(seat):
                self._forget(seat)
            case e.Stood(seat, freed):
                self._forget(seat)
                if freed:
                    self._void_invitations()  # or whoever had to leave would be back by the link he came with
            case e.Wished(seat, holder, name):
                self.wishes[seat] = Wish(number, holder, name)
            case e.Agreed(seat, by):
                self.wishes[seat] = replace(self.wishes[seat], agreed=self.wishes[seat].agreed | frozenset(by))
            case e.Declined(seat):
                self.wishes.pop(seat, None)
            case e.Begun():
                self.wishes = {}

    def _make_room(self, kind: e.LinkKind, seat: SeatNumber | None) -> None:
        """A new link to a seat takes the place of the one before; of invitations there are several."""
        if kind != "invitation":
            self._drop(kind, seat)
            return
        good = [tag for tag, link in self.links.items() if link.kind == "invitation" and link.until > NEVER]
        for tag in good[: max(0, len(good) - MOST_INVITATIONS + 1)]:
            self.links[tag] = OpenLink("invitation", None, NEVER)  # not forgotten: it would pass for one of 0.6

    def _drop(self, kind: e.LinkKind, seat: SeatNumber | None) -> None:
        self.links = {tag: link for tag, link in self.links.items() if (link.kind, link.seat) != (kind, seat)}

    def _forget(self, seat: SeatNumber) -> None:
        """Somebody else sits there, or nobody: what was good for the seat is void."""
        self.links = {tag: link for tag, link in self.links.items() if link.seat != seat}
        self.wishes.pop(seat, None)
        for other, wish in self.wishes.items():  # whoever agreed there does not sit there any more
            self.wishes[other] = replace(wish, agreed=wish.agreed - {seat})

    def _void_invitations(self) -> None:
        self._voided = True
        self.links = {tag: link for tag, link in self.links.items() if link.kind == "device"}
