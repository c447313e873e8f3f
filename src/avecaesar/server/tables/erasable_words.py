"""What people wrote, apart from what happened: names, sayings and titles lie in rows of their own, which can be erased.

An event of the log holds none of them. `written` takes them out before it is appended, and `read` puts them back in, so
that the fold never knows. An erased name is NOBODY's from then on, an erased saying or title is gone; the log stays as
it is, and so does the race.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from itertools import count
from typing import NamedTuple, TypeAlias

import msgspec

from avecaesar.game.lineup import HORSES, NAMES
from avecaesar.game.numbers import SeatNumber
from avecaesar.server.store.shapes import Blank, LogEntry, Word
from avecaesar.server.tables import events as e
from avecaesar.server.tables.seats import numbered
from avecaesar.table import character_of

NOBODY = "Nemo"  # in Latin, for everybody
TITLE = 0  # the part of the first event that is the table's title; its seats' names follow
Since: TypeAlias = Mapping[SeatNumber, int]  # by seat: the event by which its person sat down there


class WrittenWord(NamedTuple):
    """A word, and the event that it belongs to."""

    number: int
    word: Word


class Erased(NamedTuple):
    """What it takes to erase some words of a log, and the tags of some people."""

    blank: list[Blank]
    retagged: list[LogEntry]  # as they are written: see `to_rewrite`
    entries: list[LogEntry]  # the log as it will be read then


def written(number: int, at: float, command: str | None, event: e.AnyEvent, holder: str | None = None) -> LogEntry:
    """An event as the log keeps it; `holder` tells who wrote what is written in it, None: nobody's to erase."""
    bare, words = _split(event, holder)
    return LogEntry(number, at, command, e.encode(bare), words)


def read(entry: LogEntry) -> e.AnyEvent:
    """An event of the log. In logs of before 0.7 the words stand in the events; the migration moves them."""
    event = e.decode(entry.body)
    return _joined(event, entry.words) if entry.words else event


def _split(event: e.AnyEvent, holder: str | None) -> tuple[e.AnyEvent, tuple[Word, ...]]:
    match event:
        case e.WasLaid(plan):
            title = [Word(TITLE, "title", None, holder, plan.title)] if plan.title else []
            names = [
                Word(seat + 1, "name", seat, holder, each.name)
                for seat, each in numbered(plan.seats)
                if not _is_ours(each)
            ]
            seats = [each if _is_ours(each) else msgspec.structs.replace(each, name="") for each in plan.seats]
            bare = msgspec.structs.replace(plan, title="", seats=tuple(seats))
            return msgspec.structs.replace(event, plan=bare), (*title, *names)
        case e.Sat(seat, name) | e.Dressed(seat, name):
            return msgspec.structs.replace(event, name=""), (Word(0, "name", seat, holder, name),)
        case e.Wished(seat, _, name) if name:
            return msgspec.structs.replace(event, name=""), (Word(0, "asker", seat, holder, name),)
        case e.Said(seat, str(text)):
            return msgspec.structs.replace(event, text=None), (Word(0, "saying", seat, holder, text),)
        case _:
            return event, ()


def _is_ours(seat: e.PlannedSeat) -> bool:
    """Whether a driver of the computer's has a name of the game's: nobody has written it."""
    if seat.kind != "driver":
        return False
    character = character_of(seat.driver)
    return seat.name in NAMES or (character is not None and seat.name == character.title)


def _joined(event: e.AnyEvent, words: Sequence[Word]) -> e.AnyEvent:
    match event:
        case e.WasLaid(plan):
            told = {word.part: word.text or "" for word in words}
            seats = tuple(
                msgspec.structs.replace(each, name=told.get(seat + 1, each.name)) for seat, each in numbered(plan.seats)
            )
            whole = msgspec.structs.replace(plan, title=told.get(TITLE, plan.title), seats=seats)
            return msgspec.structs.replace(event, plan=whole)
        case e.Sat() | e.Dressed() | e.Wished():
            return msgspec.structs.replace(event, name=words[0].text or "")
        case e.Said():
            return msgspec.structs.replace(event, text=words[0].text)
        case _:
            raise ValueError(f"an event of kind {type(event).__name__} has no words")


# ---------------------------------------------------------------------- erasing


def all_of(entries: Iterable[LogEntry]) -> list[WrittenWord]:
    """All words at a table that are still there."""
    return [WrittenWord(entry.number, word) for entry in entries for word in entry.words if not word.erased]


class Person(NamedTuple):
    """Whose words are to go, by his own tags, and by those of devices that he has let in.

    Somebody else may have opened his link: by a device's tag only that is his which was written on his seats.
    """

    own: frozenset[str] = frozenset()
    devices: frozenset[str] = frozenset()
    seats: frozenset[SeatNumber] = frozenset()

    def since(self, entries: Sequence[LogEntry]) -> Since:
        """When he sat down on each of his seats. Whoever comes back to one in mid-race has had it before."""
        since = dict.fromkeys(self.seats, 0)
        for entry in entries:
            event = e.decode(entry.body) if entry.body.startswith(e.SAT) else None
            if isinstance(event, e.Sat) and event.seat in since and event.how != "back":
                since[event.seat] = entry.number
        return since


def of_person(entries: Sequence[LogEntry], person: Person) -> list[WrittenWord]:
    """What somebody wrote, and his names wherever others go by them.

    Whoever takes a chariot over in mid-race goes by its name, which is not his to erase but whose it was before. And
    whoever sat first on a seat that the host had kept for a friend may go by the name that the host had put on it.
    """
    there = all_of(entries)
    since = person.since(entries)
    mine = {each for each in there if each.word.holder in person.own}
    mine |= {
        each for each in there if each.word.holder in person.devices and _is_in(since, each.number, each.word.seat)
    }
    before: dict[SeatNumber | None, WrittenWord] = {}  # by seat: its name so far
    for each in (each for each in there if each.word.kind == "name"):
        last = before.get(each.word.seat)
        if last is not None and _alike(last, each):
            if each.word.holder is None and last in mine:
                mine.add(each)
            if each in mine and last.number == 0 and _is_friends(entries[0], last.word.seat):
                mine.add(last)
        before[each.word.seat] = each
    return [each for each in there if each in mine]


def _is_in(since: Since, number: int, seat: SeatNumber | None) -> bool:
    return seat is not None and number >= since.get(seat, number + 1)


def _was_his(since: Since, number: int, event: e.AnyEvent) -> bool:
    """Whether a device of his did it for him; where nothing tells, it loses no more than the tag."""
    match event:
        case e.Agreed() | e.Declined() | e.Appointed() | e.HandedOn() | e.Banned() | e.Stood(freed=True):
            return True  # the seat that is told is somebody else's
        case e.Said(seat) | e.Shaken(seat=seat):  # by these tags he may erase the one, and adds no second of the other
            return _is_in(since, number, seat)
        case _:
            seat = getattr(event, "seat", None)
            return seat is None or _is_in(since, number, seat)


def _alike(one: WrittenWord, other: WrittenWord) -> bool:
    return (one.word.text or "").casefold() == (other.word.text or "").casefold()


def _is_friends(opening: LogEntry, seat: SeatNumber | None) -> bool:
    """Whether a seat was free when the table was laid: whatever name it had was nobody's yet."""
    event = e.decode(opening.body)
    return isinstance(event, e.WasLaid) and seat is not None and event.plan.seats[seat].kind == "friend"


def blanks(entries: Sequence[LogEntry], which: Iterable[WrittenWord]) -> list[Blank]:
    """What is to stand in place of these words: nothing, or a name that is nobody's and that no other seat ever had."""
    names, found = set(_names(entries)), list(which)
    nobodies: dict[SeatNumber | None, str] = {}
    for seat in sorted({word.seat for _, word in found if word.kind == "name" and word.seat is not None}):
        nobodies[seat] = _nobody(seat, names)
        names.add((seat, nobodies[seat].casefold()))
    return [Blank(number, word.part, nobodies[word.seat] if word.kind == "name" else None) for number, word in found]


def _names(entries: Sequence[LogEntry]) -> Iterator[tuple[SeatNumber, str]]:
    """Every name that a seat ever had."""
    named = (entry for entry in entries if not entry.number or any(word.kind == "name" for word in entry.words))
    for entry in named:
        match read(entry):
            case e.WasLaid(plan):
                yield from ((seat, each.name.casefold()) for seat, each in numbered(plan.seats))
            case e.Sat(seat, name) | e.Dressed(seat, name):
                yield seat, name.casefold()


def _nobody(seat: SeatNumber, names: Collection[tuple[SeatNumber, str]]) -> str:
    taken = {name for other, name in names if other != seat} | {horse.casefold() for horse in HORSES}
    candidates = (NOBODY if number == 1 else f"{NOBODY} {number}" for number in count(1))
    return next(name for name in candidates if name.casefold() not in taken)


def erased(
    entries: Sequence[LogEntry],
    *,
    which: Callable[[Sequence[LogEntry]], list[WrittenWord]],
    tags: Mapping[str, str],
    person: Person,
) -> Erased:
    """How a log loses these words, and a person's tags, for which it has others then. A long log takes long."""
    blank, changed = blanks(entries, which(entries)), retagged(entries, tags, person)
    instead = {entry.number: entry for entry in changed}
    after = without([instead.get(entry.number, entry) for entry in entries], blank)
    return Erased(blank, to_rewrite(changed, entries), after)


def retagged(entries: Sequence[LogEntry], tags: Mapping[str, str], person: Person) -> list[LogEntry]:
    """The entries in which somebody goes by these tags, with others instead: he is known by them no longer."""
    changed, since = [], person.since(entries)
    for entry in entries:
        holder, colon, command = (entry.command or "").partition(":")
        event = e.decode(entry.body) if b'"holder"' in entry.body or holder in person.devices else None
        by = event.holder if isinstance(event, e.Shaken | e.Wished) else holder
        if event is not None and by in person.devices and not _was_his(since, entry.number, event):
            continue
        if isinstance(event, e.Shaken | e.Wished) and event.holder in tags:
            body = e.encode(msgspec.structs.replace(event, holder=tags[event.holder]))
            entry = entry._replace(body=body)
        elif holder not in tags:
            continue
        if holder in tags:
            entry = entry._replace(command=f"{tags[holder]}{colon}{command}")
        changed.append(entry)
    return changed


def to_rewrite(changed: Iterable[LogEntry], entries: Iterable[LogEntry]) -> list[LogEntry]:
    """Changed entries as they are written: a body that has not changed is left out.

    What is sealed may be encrypted with another key by then, and the token that was read would overwrite the new one.
    """
    bodies = {entry.number: entry.body for entry in entries}
    return [entry._replace(body=b"") if entry.body == bodies[entry.number] else entry for entry in changed]


def without(entries: Iterable[LogEntry], blank: Sequence[Blank]) -> list[LogEntry]:
    """A log as it will be read once these words are erased."""
    instead = {(each.number, each.part): each.text for each in blank}
    return [_without(entry, instead) if entry.words else entry for entry in entries]


def _without(entry: LogEntry, instead: Mapping[tuple[int, int], str | None]) -> LogEntry:
    kept = [
        word._replace(text=instead[entry.number, word.part], holder=None, erased=True)
        if (entry.number, word.part) in instead
        else word
        for word in entry.words
    ]
    return entry._replace(words=tuple(kept))
