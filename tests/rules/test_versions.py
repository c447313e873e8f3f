"""Versions of the rules: a rule is repaired here, and what is older goes on by the rule that it was begun with.

The repaired rule is when a race ends. Before the repair all had to come home; since then the first does. For the test
the option race_ends is taken for one that came with the repair: nobody is offered it, and older records lack it.
"""

from __future__ import annotations

import json
import subprocess
import sys
from typing import Any

import pytest

from avecaesar.cli import main
from avecaesar.rules import OPTIONS, RULES_VERSION, Repair, RulesError, as_of, edition, offered, versions
from avecaesar.server.tables import events as e
from avecaesar.server.tables.plan import check, filled_in
from avecaesar.server.tables.state import TableState
from avecaesar.server.wire import messages as msg
from checkout import environment

PLAY = """
import json, sys
from avecaesar.records import from_json, referee, to_json, to_text, from_text
from avecaesar.game import commitment_of
from avecaesar.drivers import Scorpus
from avecaesar.server.tables import events as e
from avecaesar.server.wire import messages as msg
from avecaesar.server.tables.plan import filled_in
from avecaesar.server.tables.state import TableState
from logs import Log

SECRET = bytes(range(32))

def raced(version):
    log = Log(TableState("circus"), [])
    plan = filled_in(msg.NewTable(seats=(msg.SeatPlan(kind="here"),) * 3))
    sealed = e.Sealed(commitment_of(SECRET), SECRET.hex())
    log.add(e.WasLaid(plan, None, version), sealed, e.Begun())
    while log.state.phase == "racing":
        move = Scorpus().choose(log.state.game_table.view(log.state.on_turn))
        log.happen(e.Moved(log.state.on_turn, move, "person"))
    return log

def state(room):
    race = room.game_table.race
    return [room.phase, [line.words for line in room.lines], race.rules.race_ends, str(race.view()),
            to_json(room.record(0)).decode(), room.house_rules]

def folded(entries):
    room = TableState("circus")
    for number, (at, command, body) in enumerate(entries):
        room.apply(number, at, e.decode(body.encode()), command)
    return room
"""

BEFORE = (
    PLAY
    + """
log = raced(1)
entries = [(at, command, body.decode()) for at, command, body in log.entries]
opening = json.loads(entries[0][2])
del opening["rules"]  # as 0.6 wrote it
entries[0] = (entries[0][0], None, json.dumps(opening))
table = log.state.game_table
print(json.dumps({"entries": entries, "state": state(log.state), "save": table.to_json().decode()}))
"""
)

REPAIRED = """
import dataclasses
from avecaesar import rules
from avecaesar.rules import EDITIONS, Repair, versions
before = rules.RULES_VERSION
versions.RULES_VERSION = rules.RULES_VERSION = before + 1
versions.REPAIRS = rules.REPAIRS = (*rules.REPAIRS, Repair(before + 1, option="race_ends", before="all_home"))
for name, told in list(EDITIONS.items()):
    EDITIONS[name] = dataclasses.replace(told, rules=dataclasses.replace(told.rules, race_ends="first_home"))
"""

AFTER = (
    REPAIRED
    + PLAY
    + """
from avecaesar.server.content.menu import menu
from avecaesar.server.tables.plan import check
from avecaesar.table import Table
before = json.load(sys.stdin)
old = folded(before["entries"])
assert old.rules == 1
record = before["state"][4]
lacking = json.loads(record)
assert lacking["rules"].pop("race_ends") == "all_home"  # as it was written when there was no such option
lacking = json.dumps(lacking).encode()
[race] = referee(from_json(lacking))
assert race.rules.race_ends == "all_home"
text = to_text(from_json(lacking))
assert "race_ends" not in text
assert from_text(text.encode()) == from_json(lacking)
save = json.loads(before["save"])
del save["record"]["rules"]["race_ends"]
resumed = Table.from_json(json.dumps(save).encode())
assert resumed.race.rules.race_ends == "all_home"

new = raced(versions.RULES_VERSION)
told = new.state.record(0)
assert json.loads(to_json(told))["rules"]["race_ends"] == "first_home"
referee(from_json(to_json(told)))
assert from_text(to_text(told).encode()) == told
assert "race_ends" not in [option.name for option in menu().options]
assert "race_ends" not in menu().editions[0].rules
asked = check(msg.NewTable(seats=(msg.SeatPlan(kind="here"), msg.SeatPlan()), options={"race_ends": "all_home"}), None)
again = json.loads(to_json(old.record(0)))
again["rules"]["race_ends"] = "all_home"
print(json.dumps({"old": [*state(old)[:4], json.loads(record) == again, state(old)[5]],
                  "new": state(new.state), "refused": asked.problem}))
"""
)


def run(script: str, given: object = None) -> Any:
    done = subprocess.run(
        [sys.executable, "-c", script],
        input=json.dumps(given),
        capture_output=True,
        text=True,
        env=environment(),
        timeout=300,
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_an_old_log_is_folded_by_the_rule_that_it_was_played_by_and_a_new_table_plays_the_repaired_one() -> None:
    before = run(BEFORE)
    after = run(AFTER, before)
    phase, story, race_ends, view, _, house_rules = before["state"]
    assert after["old"] == [phase, story, race_ends, view, True, house_rules]
    assert (race_ends, house_rules) == ("all_home", [])
    assert (after["new"][2], after["new"][5]) == ("first_home", [])
    assert len(after["new"][1]) < len(story)  # the race was over when the first was home
    assert after["refused"].startswith("there is no option 'race_ends'; the options are ")


@pytest.mark.clause("NEXT-1")
def test_a_tournament_by_table_on_any_two_courses_goes_on_and_none_is_begun() -> None:
    """0.6 let a table in the browser choose them."""
    seats = (msg.SeatPlan(kind="here"), msg.SeatPlan(driver="greedy"))
    wanted = msg.NewTable(seats=seats, tournament=True, courses=("blue", "white"))
    older = TableState("circus")
    older.apply(0, 0.0, e.WasLaid(filled_in(wanted), None, 1), None)
    assert [course for course, _ in older.stages] == ["blue", "white", "blue", "white"]
    assert older.house_rules == []
    problem = check(wanted).problem
    assert problem is not None
    assert problem.startswith("schedule = by_table races on both courses of one side")


def test_an_option_of_a_repair_is_nobodys_to_ask_for(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["simulate", "--races", "1", "--option", "by_table_courses=any"]) == 2
    told = capsys.readouterr().err
    assert told.startswith("avecaesar: there is no option 'by_table_courses'; the options are hand, ")
    assert told.count("by_table_courses") == 1
    seats = (msg.SeatPlan(kind="here"), msg.SeatPlan())
    problem = check(msg.NewTable(seats=seats, options={"trumpets": "yes"})).problem
    assert problem is not None
    assert "by_table_courses" not in problem


def test_each_log_names_the_version_of_the_rules_and_one_that_names_none_is_of_the_first() -> None:
    plan = filled_in(msg.NewTable(seats=(msg.SeatPlan(kind="here"), msg.SeatPlan())))
    written = json.loads(e.encode(e.WasLaid(plan, None, RULES_VERSION)))
    assert written.pop("rules") == RULES_VERSION
    opening = e.decode(json.dumps(written).encode())
    assert isinstance(opening, e.WasLaid)
    assert opening.rules == 1


@pytest.mark.parametrize("version", [0, RULES_VERSION + 1])
def test_rules_of_a_version_that_is_not_known_are_not_guessed(version: int) -> None:
    with pytest.raises(RulesError, match=f"version {version}"):
        as_of(version, "ravensburger", {})


def test_of_several_repairs_each_holds_from_its_version_on(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(versions, "RULES_VERSION", 4)
    repairs = (
        Repair(2, "crash", "no"),
        Repair(3, "missed_turn", "keep", ("thibault", "fiche")),  # two editions had the wrong value
        Repair(4, "crash", "maybe"),
    )
    monkeypatch.setattr(versions, "REPAIRS", repairs)
    assert as_of(1, "thibault", {}) == {"crash": "no", "missed_turn": "keep"}
    assert as_of(2, "thibault", {}) == {"crash": "maybe", "missed_turn": "keep"}
    assert as_of(3, "thibault", {"hand": "4"}) == {"crash": "maybe", "hand": "4"}
    assert as_of(4, "thibault", {"hand": "4"}) == {"hand": "4"}
    assert as_of(1, "ravensburger", {}) == {"crash": "no"}
    assert as_of(1, "fiche", {"missed_turn": "exchange"})["missed_turn"] == "exchange"  # somebody chose it
    assert set(OPTIONS) - set(offered()) == {"crash"}


def test_every_repair_is_of_an_option_and_of_a_version_that_there_is() -> None:
    """What somebody who repairs a rule may forget."""
    for repair in versions.REPAIRS:
        assert 1 < repair.version <= RULES_VERSION
        assert repair.before in OPTIONS[repair.option].values
        for name in repair.editions:
            assert getattr(edition(name), repair.option) != repair.before
    assert max((repair.version for repair in versions.REPAIRS), default=1) == RULES_VERSION
