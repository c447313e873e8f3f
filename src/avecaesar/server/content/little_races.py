"""Little races that show a clause at work, for the rules page.

Nothing in them is drawn by hand: each is a real race with a deal of ours, and every way, refusal and word is the game's
own. A scene is written turn by turn in the notation of records (docs/records.md), and choices before the race, which it
has no turns for, as the moves that they are. Three marks are the stage's: `?6C2b` is a play that is tried and refused,
`-` a turn missed as the edition has it, `.` the only thing that can be done; what stands before `|` happens unseen.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Literal, TypedDict

import msgspec

from avecaesar.courses import Direction
from avecaesar.game import ChooseDeck, Miss, Move, Play, Race, Sort, View, Vote, way
from avecaesar.game.lineup import colours_of
from avecaesar.game.numbers import EntryNumber
from avecaesar.records.parser import moves_of
from avecaesar.rules import DECK, EDITIONS, clauses
from avecaesar.server.content.pictures import CourseShown, course_shown, picture_path
from avecaesar.speech import say
from avecaesar.telling import refusal_words
from avecaesar.telling.scenes import scene_of

MARGIN = 62.0  # round what happens, in the picture's units
SMALLEST = 330.0  # width of what is shown
SHAPE = 1.5  # width by height
PILED = "ausgebremst"
PLAINEST = "pro-ludo"  # stands in for the edition with piles where these do not matter
CURTAIN = "|"  # between what happens unseen and what is seen

ScriptStep = str | Move  # a turn in the notation or a mark for the stage; or a choice before the race

# A race whose end everybody knows by now: two drivers, three laps.
LONG_DEAL = ("436532415253431662415261", "215615345145316624263423")
TO_LINE = (
    "4S9a 5S10a 6D1b 6D2a 5Q1a 2M1a 3T1a 5F2b 3J1a 3G2b 4alley1 4S3a 5S8a 5alley5 2S10a 1S8a 5D1b 4C1b 2M1a 1C2b "
    "4F1b 5E1a 3G1b 3F1b 3S1a 6S1b 1S2a "
)
TO_FINISH = TO_LINE + "6S7a 6S8a 2S9a 6P1a 4C2b 4E1a 2D1b 2Q1a 1D2b 5G2b 6F2b 1J1a 3G2b 2S2a 4S3a "
ALLEY_DEAL = ("351646431421212336452565", "524655232154364113632416")
TO_ALLEY = "5S10a 5S10b 3C2b 6D1a 6E2a 4E1a 4T1a 5T1b 4S1a 5S2a "
QUEUE_DEAL = ("564224133651446362115532", "345634116451422655322163")
TO_QUEUE = (
    "5S10a 5S10b 4P1a 6D1b 2D2a 4E2a 2M1a 4T1a 1E1b 3J1a 4F1a 3S3a 6J1a 1alley1 6S6a 1alley2 5N1a 5S9a 3C3a 6D1b "
    "1P1a 4E2a 4E1a 4T1a 6G1b 2G2a 4S2a "
)
PAST_DEAL = ("325531135241666344642512", "112652366644445235231351")
TO_PAST = (
    "5S10a 1S6d 5P1b 2S8b 2D2b 6P1a 3E2a 2D2b 1Q1a 3E2a 3T1a 6G2b 1G1b 5alley1 3S1a 1alley2 2S3a 4S8a 1S4a 4C1b "
    "4S8a 4D2b 5C2b 4E3b 6E2a 5G1b 3F2a 2J1a 4G2b 3S3b 4S3a 5S8a "
)
AVERAGE = ChooseDeck("average")
SORTED = Sort(((2, 2, 2, 3, 3, 3), (4, 4, 4, 4, 5, 5, 5, 5), (6, 6, 6, 6, 6)))
TO_EMPEROR = (
    "draw3 draw1 draw3 draw1 6N1a draw3 2S7a draw1 3P1a draw1 6C2b draw3 2D2b draw1 6E1a draw3 6F1b draw3 6T1a draw3 "
    "6S1a draw3 6S3a draw3 6S7a draw3 "
)


@dataclass(frozen=True, slots=True)
class Script:
    """A scene as it is written."""

    clause: str
    about: Callable[[], str]  # what to look at, in a sentence or two
    deal: tuple[str, ...] | int  # each chariot's deck, first drawn first, as far as it matters; or a seed
    turns: str | tuple[ScriptStep, ...]
    key: int = -1  # which beat shows it best, where nothing moves
    only: tuple[str, ...] = ()  # the editions that it is for; none: all that have the clause
    drivers: int = 0  # if not everybody has one
    options: Mapping[str, object] = field(default_factory=dict)

    @property
    def editions(self) -> tuple[str, ...]:
        """On which pages it stands."""
        return self.only or clauses()[self.clause].editions or tuple(name for name in EDITIONS if name != PILED)

    @property
    def unseen(self) -> tuple[ScriptStep, ...]:
        """What happens before anybody looks."""
        return self._steps[: self._steps.index(CURTAIN)]

    @property
    def seen(self) -> tuple[ScriptStep, ...]:
        """What is shown."""
        return self._steps[self._steps.index(CURTAIN) + 1 :]

    @property
    def _steps(self) -> tuple[ScriptStep, ...]:
        steps: list[ScriptStep] = []
        for part in (self.turns,) if isinstance(self.turns, str) else self.turns:
            steps += part.split() if isinstance(part, str) else [part]
        return tuple(steps)


SCRIPTS: tuple[Script, ...] = (
    Script(
        "COU-2",
        lambda: say("The second lap ends for Brutus: crossing the line takes him onto the third, not home."),
        LONG_DEAL,
        TO_LINE + "| ?6home 6S7a",
    ),
    Script(
        "COU-4",
        lambda: say("Both play a 5 into the same curve. Aulus keeps inside, Brutus must go round the outside."),
        ("55", "55"),
        "5S10a 5S10b | 5D1b 5P1b",
    ),
    Script(
        "COU-6",
        lambda: say("A wall divides this curve. Aulus cannot change lanes before it ends."),
        ("6111",),
        "6N1a 1C1b | ?1C2a 1C2b 1P1a",
        key=1,
    ),
    Script(
        "MOV-2",
        lambda: say("Aulus and Brutus fill both lanes. Cato comes up behind them."),
        ("2", "2", "1324"),
        "2S7b 2S7a | ?2S7b ?3S8b 1S6b",
        key=2,
    ),
    Script(
        "MOV-3",
        lambda: say("A 4 is four steps, no fewer: only the spaces that are lit can be reached with it."),
        ("425", "2"),
        "| ?4S8a 4S9a 2S7a",
        key=1,
    ),
    Script(
        "MOV-4",
        lambda: say("Aulus stands in the bottleneck, and there is no way round him: Brutus cannot move."),
        ("4245", "54623"),
        "4S9a 5S10b | 2N1a - 1C1b",
        key=2,
    ),
    Script(
        "MOV-5",
        lambda: say("Four steps are left to the end of the race, and Aulus has a 6: what is too much does not matter."),
        LONG_DEAL,
        TO_FINISH + "| 6home",
    ),
    Script(
        "SIX-1",
        lambda: say("Aulus leads and holds a 6."),
        ("262", "163"),
        "2S7b 1S6c | ?6C2b 2S9b 6C1b",
        key=1,
    ),
    Script(
        "SIX-2",
        lambda: say("Nobody has moved yet: the very first card of the race may be a 6."),
        ("6", "2"),
        "| 6N1a 2S7a",
        key=1,
    ),
    Script(
        "SIX-3",
        lambda: say("Aulus leads with nothing but sixes. He waits until Brutus has passed him."),
        ("2666", "13"),
        "2S7b 1S6c | ?6C2b - 3S9a 6C2b",
        key=1,
    ),
    Script(
        "SIX-4",
        lambda: say("Aulus leads with nothing but sixes, and his bottleneck holds everybody up: he may play one."),
        ("51666", "23"),
        "5S10a 2S7a 1N1a 3S10a | 6M1a",
    ),
    Script(
        "SIX-5",
        lambda: say(
            "Both lead, both hold nothing but sixes, and side by side they cut the course: one of them may go."
        ),
        ("4666", "4666"),
        "4S9a 4S9b | 6P1a",
        only=("ravensburger", "pro-ludo", "thibault", PILED),
    ),
    Script(
        "SIX-5",
        lambda: say(
            "Both lead, and both hold nothing but sixes. There is room beside them, and yet one of them may go."
        ),
        ("1666", "1666"),
        "1S6d 1S6b | 6C1b",
        only=("fiche",),
    ),
    Script(
        "TRI-1",
        lambda: say("At the end of his first lap Aulus stops in the alley: one coin for Caesar, and he is free."),
        ALLEY_DEAL,
        TO_ALLEY + "| 3alley1",
        only=tuple(name for name in EDITIONS if name != PILED),
    ),
    Script(
        "TRI-3",
        lambda: say("Aulus is on his second lap and still has his coin, but Brutus stands in the alley: Aulus waits."),
        QUEUE_DEAL,
        TO_QUEUE + "6alley1 | ?3S5b -",
        key=1,
    ),
    Script(
        "TRI-4",
        lambda: say("It is his second lap, Aulus still has his coin, and none of his cards stops in the alley."),
        PAST_DEAL,
        TO_PAST + "| 6S9b",
    ),
    Script(
        "TRI-5",
        lambda: say(
            "The alley is full and Aulus still has his coin. With this variant he may drive past, in dishonour."
        ),
        QUEUE_DEAL,
        TO_QUEUE + "6alley1 | 3S5b",
        options={"tribute": "dishonour"},
    ),
    Script(
        "NPC-1",
        lambda: say("Nobody drives Celer: its card is drawn from its deck, for all to see."),
        ("123", "123", "56"),
        "1S6d 1S6b | . 2S8b 2S8a .",
        drivers=2,
        options={"riderless": "extra", "riderless_count": 1},
    ),
    Script(
        "NPC-2",
        lambda: say("Celer has no driver and moves first. In the lead it may not play a 6 either."),
        ("46", "12", "12", "12"),
        "| . 1S6c 1S6b 1S6a .",
        drivers=3,
        only=("thibault",),
        options={"riderless": "fill"},
    ),
    Script(
        "NPC-3",
        lambda: say(
            "Where the table votes, all drivers say where Celer goes. Of a tie, whoever is furthest from home decides."
        ),
        ("12", "21", "35"),
        "1S6d 2S7a | 3S8b{Aulus:3S8b,Brutus:3S8a}",
        drivers=2,
        only=("ravensburger", "pro-ludo", "fiche", "riassunto"),
        options={"riderless": "extra", "riderless_count": 1, "riderless_moves": "vote"},
    ),
    Script(
        "CRA-1",
        lambda: say("Aulus leads, and it is his turn with nothing but sixes in hand."),
        ("2666", "13"),
        "2S7b 1S6c | ?6C2b crash",
        options={"crash": "yes"},
    ),
    Script(
        "AUS-3",
        lambda: say("Three piles, sorted in secret: everybody sees from which one a card is drawn, nobody which card."),
        1,
        (AVERAGE, AVERAGE, SORTED, CURTAIN, SORTED, "draw3 draw1 draw3 draw1 6N1a draw3"),
        drivers=2,
        only=(PILED,),
    ),
    Script(
        "AUS-4",
        lambda: say("Nobody must stop in the alley. Brutus does, and takes his emperor’s card into his hand."),
        1,
        (AVERAGE, AVERAGE, SORTED, SORTED, TO_EMPEROR + "| 3alley3"),
        drivers=2,
        only=(PILED,),
    ),
)


# ---------------------------------------------------------------------- what is sent


BeatKind = Literal["stands", "refused", "turn"]


class Beat(msgspec.Struct, frozen=True, omit_defaults=True):
    """A moment of a scene: how things stand after it."""

    kind: BeatKind
    words: str
    spaces: tuple[int | None, ...]  # of each chariot; None: off the board
    leads: tuple[int, ...]
    mover: int | None = None
    hand: tuple[int, ...] = ()  # the mover's, before the card left it
    piles: tuple[int, ...] = ()  # and how many cards lie on its piles, if it has any
    card: int | None = None
    targets: tuple[int, ...] = ()  # all spaces that the card can reach
    to: int | None = None  # the space that was refused
    clause: str = ""  # by which clause
    origin: int | None = None
    way: tuple[int, ...] = ()
    home: bool = False
    pays: bool = False
    disqualified: bool = False


class Held(TypedDict):
    """The part of a beat that is known before it."""

    mover: int | None
    hand: tuple[int, ...]
    piles: tuple[int, ...]


class Box(msgspec.Struct, frozen=True):
    """A part of a picture."""

    x: float
    y: float
    width: float
    height: float


class LittleRace(msgspec.Struct, frozen=True):
    """A clause at work on one of our courses."""

    clause: str
    about: str
    course: str
    direction: Direction
    picture: str
    names: tuple[str, ...]
    colours: tuple[str, ...]
    box: Box
    beats: list[Beat]
    key: int  # the beat that shows it best, where nothing moves


def scenes_for(edition: str) -> list[LittleRace]:
    """All scenes of an edition's page, in the language that is spoken now."""
    return [play_out(script, edition) for script in SCRIPTS if edition in script.editions]


def play_out(script: Script, edition: str) -> LittleRace:
    """A script raced, as it goes by an edition's rules."""
    race = race_of(script, edition)
    for step in script.unseen:
        for move in moves_in(step, race):
            race.play(move)
    beats = [_stands(race, script.about()), *_beats(script.seen, race)]
    entries = [None if each in race.riderless else EntryNumber(each - race.driven[0]) for each in race.grid]
    return LittleRace(
        clause=script.clause,
        about=beats[0].words,
        course=race.course.name,
        direction=race.course.direction,
        picture=picture_path(race.course.name, race.course.direction, None),
        names=race.names,
        colours=colours_of(entries),
        box=_box(_drawn(race.course.name, race.course.direction), beats),
        beats=beats,
        key=script.key % len(beats),
    )


def race_of(script: Script, edition: str) -> Race:
    """The race of a script before its first turn."""
    options, deal = {"riderless": "none", **script.options}, script.deal
    if isinstance(deal, int):
        return Race("white", script.drivers, edition=edition, options=options, seed=deal)
    rules = PLAINEST if edition == PILED else edition
    decks = [_deck(cards) for cards in deal]
    return Race("white", script.drivers or len(decks), edition=rules, options=options, decks=decks)


def _deck(cards: str) -> list[int]:
    """A whole deck that begins with these cards."""
    first, rest = [int(card) for card in cards], list(DECK)
    for card in first:
        rest.remove(card)
    return first + rest


def moves_in(step: ScriptStep, race: Race) -> tuple[Move, ...]:
    """What a step of a script leads to now: a move, or the votes on one and then the move."""
    if not isinstance(step, str):
        return (step,)
    if step == ".":
        (only,) = race.legal_moves
        return (only,)
    if step == "-":
        misses = (move for move in race.legal_moves if isinstance(move, Miss))
        return (max(misses, key=lambda miss: miss.exchange or 0),)
    return moves_of(step, race.course)


def tried_in(step: ScriptStep, race: Race) -> Play | None:
    """The play that a step tries in vain, if it is such a step."""
    if not isinstance(step, str) or step[0] != "?":
        return None
    (play,) = moves_of(step[1:], race.course)
    assert isinstance(play, Play)
    return play


# ---------------------------------------------------------------------- beats


def _stands(race: Race, words: str) -> Beat:
    view = race.view()
    return Beat("stands", words, _spaces(view), _leads(view), **_held(race))


def _beats(steps: Iterable[ScriptStep], race: Race) -> Iterator[Beat]:
    before, held = race.view(), _held(race)
    for step in steps:
        if play := tried_in(step, race):
            yield _refused(play, race)
            continue
        for move in moves_in(step, race):
            targets = _targets(move.card, race) if isinstance(move, Play) else ()
            race.play(move)
            if not isinstance(move, Vote):  # votes are told with the turn that they decide
                yield _turn(move, before, race.view(), held, targets)
                before, held = race.view(), _held(race)


def _refused(play: Play, race: Race) -> Beat:
    """A play that is tried: the game says why not."""
    why, view = race.why_not(play), race.view(race.turn)
    assert why is not None, f"{play} is allowed"
    return Beat(
        "refused", refusal_words.of_space(play, why, view).words, _spaces(view), _leads(view), **_held(race),
        card=play.card, targets=_targets(play.card, race), to=None if play.to == "home" else play.to, clause=why.clause,
    )  # fmt: skip


def _turn(move: Move, before: View, after: View, held: Held, targets: tuple[int, ...]) -> Beat:
    play = move if isinstance(move, Play) else None
    mover = held["mover"]
    assert mover is not None
    told = scene_of(before, after, way(before, play) if play else ())
    then, now = before.chariots[mover], after.chariots[mover]
    return Beat(
        "turn", f"{told.words}. {told.event}".replace("!.", "!").strip(), _spaces(after), _leads(after), **held,
        card=play.card if play else None, targets=targets, origin=told.origin, way=told.driven,
        home=play is not None and play.to == "home", pays=now.paid_since(then),
        disqualified=now.disqualified_since(then),
    )  # fmt: skip


def _held(race: Race) -> Held:
    """Whose turn it is, or is voted on, and what lies before him: his hand or its open card, and piles."""
    if race.mover is None:
        return {"mover": None, "hand": (), "piles": ()}
    view = race.view(race.mover)
    return {"mover": race.mover, "hand": view.hand, "piles": view.me.piles}


def _targets(card: int, race: Race) -> tuple[int, ...]:
    plays = (move for move in race.legal_moves if isinstance(move, Play))
    return tuple(play.to for play in plays if play.card == card and play.to != "home")


def _spaces(view: View) -> tuple[int | None, ...]:
    return tuple(chariot.space for chariot in view.chariots)


def _leads(view: View) -> tuple[int, ...]:
    return tuple(sorted(view.leaders))


# ---------------------------------------------------------------------- on the picture


@cache
def _drawn(course: str, direction: Direction) -> CourseShown:
    return course_shown(Race(course, 1, direction=direction).course)


def _box(drawn: CourseShown, beats: Iterable[Beat]) -> Box:
    """The part of the picture in which everything happens, all of the same shape."""
    touched = {
        space
        for beat in beats
        for space in (*beat.spaces, *beat.way, *beat.targets, beat.to, beat.origin)
        if space is not None
    }
    xs, ys = [drawn.spaces[at].x for at in touched], [drawn.spaces[at].y for at in touched]
    width = max(max(xs) - min(xs) + 2 * MARGIN, (max(ys) - min(ys) + 2 * MARGIN) * SHAPE, SMALLEST)
    width = min(width, drawn.width, drawn.height * SHAPE)
    height = width / SHAPE
    x = _within((max(xs) + min(xs) - width) / 2, drawn.width - width)
    y = _within((max(ys) + min(ys) - height) / 2, drawn.height - height)
    return Box(round(x, 1), round(y, 1), round(width, 1), round(height, 1))


def _within(wanted: float, most: float) -> float:
    return min(max(wanted, 0.0), most)
