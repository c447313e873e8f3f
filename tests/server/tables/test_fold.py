"""The log folds to the same table, at every event and for everybody."""

from __future__ import annotations

import random
from itertools import pairwise
from typing import Any

import pytest

from avecaesar.rules import EDITIONS
from avecaesar.server.refused import RefusedError
from avecaesar.server.tables import decisions
from avecaesar.server.tables import events as e
from avecaesar.server.tables.projection import Sight, shown
from avecaesar.server.wire import messages as msg
from avecaesar.telling.chronicle import chronicle_of
from folded_tables import everything, folded, sights, whole
from harness import SHORT
from logs import Log, laid, of
from recordings import choose
from situations import PLAIN
from tables_by_chance import HOUSES

LIVES: dict[str, dict[str, Any]] = {
    **HOUSES,
    "a tournament": {"edition": "ravensburger", "players": 3, "tournament": True, "options": {**SHORT, "races": "2"}},
    "own board": {"edition": "ravensburger", "players": 3, "course": "blue"},
}


def busy_life(house: str, source: random.Random) -> Log:
    """A table where everything happens that can: a game and a rematch, chat, pauses, people and drivers come and go."""
    wanted = dict(LIVES[house])
    players = wanted.pop("players")
    board = PLAIN.read_text() if house == "own board" else None
    log = laid("here", *["friend"] * (players - 1), board=board, **wanted)
    state = log.state
    for seat in state.seats[1:]:
        log.add(*decisions.sit(state, seat, f"Titus {seat}", None), command=f"titus:{seat}")
    games = 2 if "tournament" in house else 1
    while state.game + 1 < games or state.phase != "over":
        if state.phase == "racing" and not state.paused and source.random() < 0.9:
            on_turn, race = state.on_turn, state.game_table.race
            by: e.By = "rule" if on_turn is None else source.choice(["person", "driver", "stand-in", "clock"])
            log.happen(e.Moved(on_turn, choose(race, "careful", source), by), command=f"livia:{state.number}")
            continue
        seat = source.choice(state.seats)
        commands: list[msg.Logged] = [
            msg.Say(id="a", text="Make way!"),
            msg.Say(id="a", phrase="sorry"),
            msg.Shake(id="a", share=f"{source.getrandbits(128):032x}"),
            msg.Begin(id="a", at=state.changed, share=f"{source.getrandbits(128):032x}"),
            msg.Pause(id="a"),
            msg.Resume(id="a"),
            msg.Dress(id="a", seat=seat, name=f"Gaius {state.number}", colour=state.chairs[seat].colour),
            msg.Stand(id="a", seat=seat),
            msg.Appoint(id="a", seat=seat, driver="bibulus"),
        ]
        try:
            if state.phase in ("gathering", "over") or source.random() < 0.7:
                log.do(of(*range(players), host=True), source.choice(commands))
            else:
                log.add(*decisions.sit(state, None, "Nero", None))
        except RefusedError:
            if state.phase == "gathering":
                log.do(of(seat, host=True), msg.Appoint(id="a", seat=seat, driver="scorpus"))
    return log


@pytest.mark.parametrize("house", LIVES)
def test_the_log_folds_to_the_same_table_at_every_event_for_everybody(house: str) -> None:
    source = random.Random(house)
    entries = busy_life(house, source).entries
    assert {type(e.decode(body)) for _, _, body in entries} >= {e.Moved, e.Said, e.Begun, e.Sealed, e.Sat}
    first, second = folded([]), folded([])
    for at, command, body in entries:
        for log in (first, second):
            log.state.apply(log.state.number + 1, at, e.decode(body), command)
        sight = source.choice(sights(first.state))
        assert whole(first.state, sight) == whole(second.state, sight)
    late = folded(entries)  # who comes last is told the same as who was there all along
    assert everything(late.state) == everything(first.state)
    assert late.state.commands == first.state.commands
    for game in range(late.state.game + 1):
        assert late.state.record(game) == first.state.record(game)


def test_every_edition_is_folded_and_every_house() -> None:
    assert set(EDITIONS) <= set(LIVES)


def test_the_story_and_the_podium_tell_what_a_chronicle_counts() -> None:
    """Who took the lead and when, and how many points everybody threw away: the same figures, counted twice."""
    log = laid("here", "here", "here", seed=3)
    log.add(e.Begun())
    log.race(random.Random(3))
    written = chronicle_of(log.state.game_table.record(), 0, looks=0, second_look=1)
    turns = [line for line in log.state.lines if line.kind == "turn"]
    leads = [(number, line.chariot) for number, line in enumerate(turns, 1) if line.leads]
    assert leads == [
        (lead.turn, lead.chariot) for lead in written.leads if turns[lead.turn - 1].chariot == lead.chariot
    ]
    assert len(leads) > 3
    last = {lead.turn: before.chariot for before, lead in pairwise(written.leads)}
    assert [line.lead_from for line in turns if line.leads] == [last.get(number) for number, _ in leads]
    assert all(line.lead_from is None for line in turns if not line.leads)
    race = shown(log.state, Sight()).race
    assert race is not None
    assert [chariot.wasted for chariot in race.chariots] == [chariot.wasted for chariot in written.chariots]
    assert {line.lap for line in turns} == {None, 1, 2, 3}
    log.add(e.Begun())
    race = shown(log.state, Sight()).race
    assert race is not None
    assert {chariot.wasted for chariot in race.chariots} == {None}  # of this race nothing is told yet
