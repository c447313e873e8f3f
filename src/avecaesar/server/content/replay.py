"""Finished races for the page: as a list of scenes with everything open, for after a race all may know all.

Plain functions, fit for worker processes.
"""

from __future__ import annotations

from codecs import BOM_UTF8
from collections.abc import Iterator, Sequence
from typing import Literal, TypeVar

import msgspec
from msgspec import UNSET

from avecaesar.courses import Direction
from avecaesar.game import Play, Race, Vote
from avecaesar.game.lead import Front
from avecaesar.records import Record, RecordedRace, RecordError, from_json, from_text, referee
from avecaesar.records.boards import is_ours
from avecaesar.records.notation import notation_of
from avecaesar.server.tables import lesson
from avecaesar.server.tables.events import By
from avecaesar.server.tables.projection import chariots_shown
from avecaesar.server.wire.decoding import LARGEST_UPLOAD
from avecaesar.server.wire.legible import fault_in
from avecaesar.server.wire.shown import ChariotShown
from avecaesar.speech import say
from avecaesar.table import Rig, SeatNumber
from avecaesar.telling.narration import listed, result_in_words
from avecaesar.telling.scenes import Scene, scenes, standings_of, votes_on
from avecaesar.telling.wording import capital, short_name

T = TypeVar("T")
TOLD = ("clock", "stand-in")  # of those who make turns: it was not he who sat there

Happening = Literal["pays", "home", "disqualified", "leads", "out of cards", "crashed", "withdrawn"]

ENDS = {
    "home": "{name} is home",
    "out of cards": "{name} is out of cards",
    "crashed": "{name} crashes",
    "withdrawn": "{name} withdraws",
}


class HandOpened(msgspec.Struct, frozen=True, omit_defaults=True):
    """A chariot's cards, and how many of each value 1 to 6 lie on its piles, if it has any."""

    cards: tuple[int, ...]
    piles: tuple[tuple[int, ...], ...] = ()


class SceneShown(msgspec.Struct, frozen=True, omit_defaults=True):
    """The race after a turn; the first is the grid. Only those chariots and hands are told that have changed since."""

    chariots: dict[int, ChariotShown]  # by number, from 0 in grid order
    hands: dict[int, HandOpened] = {}
    turn: int | None = None  # the chariot that must decide next
    mover: int | None = None
    words: str = ""
    notation: str = ""
    event: str = ""  # what that brought about for all
    origin: int | None = None  # the space driven from
    way: tuple[int, ...] = ()  # the spaces driven over
    home: bool = False
    by: By | None = None  # "clock" or "stand-in": not who sat there; None: he himself, or it is not known


class Moment(msgspec.Struct, frozen=True):
    """Something to jump to."""

    scene: int
    kind: Happening
    chariot: int
    words: str


class Film(msgspec.Struct, frozen=True):
    """A race from the grid to its end."""

    race: int  # from 0
    of: int
    course: str
    board: str | None  # the digest of a board of somebody's own, None: one of ours
    direction: Direction
    edition: str
    scenes: list[SceneShown]
    moments: list[Moment]
    result: str  # in words
    arrivals: tuple[int, ...]
    laurels: tuple[int, ...]


class DriverShown(msgspec.Struct, frozen=True):
    """Who drove a chariot."""

    name: str
    colour: str
    driver: str
    riderless: bool


class RaceListed(msgspec.Struct, frozen=True):
    """A race of a replay."""

    course: str
    board: str | None
    direction: Direction
    chariots: list[DriverShown]
    turns: int
    laurels: tuple[int, ...]
    sealed: bool  # whether this server saw the cards sealed before the race; an uploaded seal may be made afterwards


class RankShown(msgspec.Struct, frozen=True):
    """A player's rank after all races of a replay."""

    rank: int
    name: str
    laurels: int


class ReplayShown(msgspec.Struct, frozen=True):
    """What a replay has to show."""

    replay: str
    title: str
    edition: str
    races: list[RaceListed]
    standings: list[RankShown]
    download: str


# ---------------------------------------------------------------------- in and out


def read_upload(body: bytes) -> Record:
    """A record in JSON or in the notation for people, refereed."""
    if len(body) > LARGEST_UPLOAD:
        raise RecordError(
            say("this is larger than {size} MB, more than a record for the page may be", size=LARGEST_UPLOAD // 2**20)
        )
    is_json = body.removeprefix(BOM_UTF8).lstrip()[:1] in (b"{", b"[", b"")
    record = from_json(body) if is_json else from_text(body)
    chariots = [chariot for race in record.races for chariot in race.chariots]
    if fault := fault_in(*{text for one in chariots for text in (one.name, one.colour, one.driver)}):
        raise RecordError(fault)
    referee(record)
    return record


def replay_of(replay: str, record: Record) -> ReplayShown:
    """What the replay of this number, of this record, has to show. Races of tables here have a point in theirs."""
    races = referee(record)
    ranks = standings_of(races)
    return ReplayShown(
        replay=replay,
        title=_title(races, listed([rank.name for rank in ranks])),
        edition=short_name(record.edition),
        races=[_listed_race(*pair, here="." in replay) for pair in zip(record.races, races, strict=True)],
        standings=[RankShown(rank.rank, rank.name, rank.laurels) for rank in ranks],
        download=f"/api/replays/{replay}/record",
    )


def _title(races: Sequence[Race], names: str) -> str:
    if len(races) > 1:
        return say("{many} races: {names}", many=len(races), names=names)
    course, direction = say(races[0].course.name), say(races[0].course.direction)
    return capital(say("{course} {direction}: {names}", course=course, direction=direction, names=names))


def _listed_race(told: RecordedRace, race: Race, *, here: bool) -> RaceListed:
    return RaceListed(
        course=told.course,
        board=_digest(race),
        direction=told.direction,
        chariots=[DriverShown(c.name, c.colour, c.driver, c.riderless) for c in told.chariots],
        turns=sum(not isinstance(turn.move, Vote) for turn in race.history),
        laurels=told.laurels,
        sealed=here and told.seal is not UNSET and told.seal.commitment != lesson.seal().commitment,
    )


def _digest(race: Race) -> str | None:
    board = race.course.board
    return None if is_ours(board) else board.sha256


# ---------------------------------------------------------------------- the film


def film_of(record: Record, k: int, by: Sequence[By] = ()) -> Film:
    """A record's race, counted from 0, scene by scene; and who made each turn, if the table still knows."""
    if not 0 <= k < len(record.races):
        raise RecordError(say("there is no race {number} in this record", number=k + 1))
    race = referee(record)[k]
    told = scenes(race)
    last = told[-1].view
    rigs = [
        Rig(recorded.name, recorded.colour, None if chariot.player is None else SeatNumber(chariot.player))
        for recorded, chariot in zip(record.races[k].chariots, last.chariots, strict=True)
    ]
    return Film(
        race=k,
        of=len(record.races),
        course=race.course.name,
        board=_digest(race),
        direction=race.course.direction,
        edition=record.edition,
        scenes=list(_shown(told, race, rigs, by)),
        moments=list(_moments(told)),
        result=result_in_words(last),
        arrivals=last.arrivals,
        laurels=last.laurels,
    )


def _shown(told: Sequence[Scene], race: Race, rigs: Sequence[Rig], by: Sequence[By]) -> Iterator[SceneShown]:
    """Each scene, with what is different from the one before."""
    opened = [None, *(turn for turn in race.history if not isinstance(turn.move, Vote))]  # with what was hidden then
    chariots: list[ChariotShown] = []
    hands: list[HandOpened] = []
    makers: Sequence[By | None] = (None, *by) if by else [None] * len(told)
    for scene, turn, maker in zip(told, opened, makers, strict=True):
        chariots_now = chariots_shown(scene.view, rigs)
        hands_now = [HandOpened(hand.cards, hand.piles) for hand in scene.hands]
        yield SceneShown(
            chariots=_news(chariots, chariots_now),
            hands=_news(hands, hands_now),
            turn=scene.view.mover,
            mover=scene.mover,
            words=scene.words,
            notation="" if turn is None else notation_of(turn, race.course, votes_on(scene.view)),
            event=scene.event,
            origin=scene.origin,
            way=scene.driven,
            home=isinstance(scene.move, Play) and scene.move.to == "home",
            by=maker if maker in TOLD else None,
        )
        chariots, hands = chariots_now, hands_now


def _news(before: Sequence[T], now: Sequence[T]) -> dict[int, T]:
    """What is new, by its number."""
    return {i: part for i, part in enumerate(now) if i >= len(before) or before[i] != part}


def _moments(told: Sequence[Scene]) -> Iterator[Moment]:
    """What one may want to jump to: coins paid, arrivals, who drops out, and a new chariot in front."""
    front = Front()
    for number in range(1, len(told)):
        before, view = told[number - 1].view, told[number].view
        for i, (then, chariot) in enumerate(zip(before.chariots, view.chariots, strict=True)):
            if chariot.paid_since(then):
                yield Moment(number, "pays", i, say("{name} pays", name=chariot.name))
            if chariot.disqualified_since(then):
                yield Moment(number, "disqualified", i, say("{name} is disqualified", name=chariot.name))
            if chariot.status != "racing" and chariot.status != then.status:
                yield Moment(number, chariot.status, i, say(ENDS[chariot.status], name=chariot.name))
        led, leader = front.chariot, front.taken_by(view.leaders)
        if led is not None and leader is not None:
            words = say("{name} takes the lead", name=view.chariots[leader].name)
            yield Moment(number, "leads", leader, words)
