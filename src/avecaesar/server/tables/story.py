"""What is told at a table: turns, news and sayings. Nothing is put into words before somebody asks for it.

A line is kept as facts, and its words in each language once they were asked for. The last turns keep the views that
they are told from; whoever comes later, or in another language, has the race run again before his eyes, step by step.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Any

import msgspec

from avecaesar.game import Miss, Move, Play, Race, View, Vote, way
from avecaesar.records.notation import notation_of
from avecaesar.server.wire.shown import Line
from avecaesar.speech import say, spoken
from avecaesar.telling import narration
from avecaesar.telling.opening import Words
from avecaesar.telling.scenes import at_the_start, votes_on
from avecaesar.telling.sight_lines import lap_begun, stuck_behind

MOST_TOLD = 200  # sayings that are kept in sight, and announcements
FRESH = 8  # turns that keep their views: more than are made between two messages to anybody


@dataclass(frozen=True, slots=True)
class StoryLine:
    """A line and its words, by language, as far as somebody has heard them."""

    line: Line
    words: Words | None  # None: a turn whose views are gone
    turn: int = -1  # of a turn: how many decisions of the race it follows on
    heard: dict[str, str] = field(default_factory=dict)


class Story:
    """Everything told in the current race, and said."""

    def __init__(self) -> None:
        self._lines: list[StoryLine] = []
        self._race: Race | None = None
        self._retellings: dict[str, asyncio.Task[None]] = {}  # by language: the last one, under way or done

    def copy(self, race: Race | None) -> Story:
        """An independent copy, of that race; its lines are shared, for they are replaced and never changed.

        So is what they were heard as, and who is retelling it.
        """
        twin = Story()
        twin._retellings = self._retellings
        twin._lines, twin._race = list(self._lines), race
        return twin

    def begin(self, race: Race) -> None:
        """A new race: what was said stays, what was told of the race before does not."""
        self._lines = [each for each in self._lines if each.line.kind == "said"]
        self._race = race

    def add(self, line: Line, words: Words) -> None:
        """News, or something said. The words must stay the same, whenever they are asked for."""
        self._lines.append(StoryLine(line, words))
        alike = [each for each in self._lines if each.line.kind == line.kind]
        if len(alike) > MOST_TOLD:
            self._lines.remove(alike[0])

    def add_turn(self, line: Line, before: View, after: View) -> None:
        """A turn that was just taken."""
        self._lines.append(StoryLine(line, lambda: narration.tell(before, after), len(before.history)))
        turns = [number for number, each in enumerate(self._lines) if each.turn >= 0]
        if len(turns) > FRESH:
            self._replace(turns[-FRESH - 1], words=None)

    def strike(self, number: int) -> None:
        """What was said with this event is told no longer."""
        for place, each in enumerate(self._lines):
            if each.line.kind == "said" and each.line.number == number:
                line = msgspec.structs.replace(each.line, erased=True)
                self._replace(place, line=line, words=erased, heard={})

    def _replace(self, place: int, **changes: Any) -> None:
        self._lines[place] = replace(self._lines[place], **changes)

    def since(self, number: int = -1) -> list[Line]:
        """What was told after an event, in the language that is spoken now."""
        wanted = [each for each in self._lines if each.line.number > number]
        if any(self._is_unheard(each) for each in wanted):
            for _ in self._retell():
                pass
        return [msgspec.structs.replace(each.line, words=_heard(each)) for each in wanted]

    async def prepare(self) -> None:
        """Put older turns into words in the language that is spoken now; others are served meanwhile.

        The race is run again once for all who wait, and to its end even if they go: or whoever comes and goes would
        have it begun anew each time.
        """
        while any(map(self._is_unheard, self._lines)):  # those who ran it may have known less of it
            task = self._retellings.get(spoken())
            if task is None or task.done():
                task = self._retellings[spoken()] = asyncio.create_task(self._retell_slowly())
            await asyncio.shield(task)

    async def _retell_slowly(self) -> None:
        for _ in self._retell():
            await asyncio.sleep(0)

    @staticmethod
    def _is_unheard(each: StoryLine) -> bool:
        return each.words is None and spoken() not in each.heard

    def _retell(self) -> Iterator[None]:
        """Run the race again, and tell its turns once more."""
        assert self._race is not None
        turns = {each.turn: each for each in self._lines if each.turn >= 0}
        language, again = spoken(), at_the_start(self._race)
        for number, turn in enumerate(self._race.history):
            line = turns.get(number)
            if line is None or language in line.heard or isinstance(turn.move, Vote):
                again.play(turn.made)
            else:
                before = again.view()
                again.play(turn.made)
                line.heard[language] = narration.tell(before, again.view())
            yield


def turn_line(before: View, after: View, move: Move) -> Line:
    """The last turn as facts; whoever tells it knows by whom it was made, and when."""
    turn = after.history[-1]
    driven = way(before, move) if isinstance(move, Play) else ()
    then, now = before.chariots[turn.chariot], after.chariots[turn.chariot]
    return Line(
        len(after.history),
        "turn",
        "",
        chariot=turn.chariot,
        notation=notation_of(turn, after.course, votes_on(after)),
        origin=then.space if driven else None,
        way=driven,
        home=now.status == "home",
        paid=now.paid_since(then),
        missed=isinstance(move, Miss),
        culprits=stuck_behind(before, turn.chariot) if isinstance(move, Miss) and not now.riderless else (),
        lap=lap_begun(before, after, turn.chariot),
    )


def _heard(each: StoryLine) -> str:
    language = spoken()
    if language not in each.heard:
        assert each.words is not None
        each.heard[language] = each.words()
    return each.heard[language]


def erased() -> str:
    """In place of words that are gone."""
    return say("(erased)")
