"""Trouble in the middle of a race, in a real browser: a reload, a line that is cut, a server that is killed."""

from __future__ import annotations

import os
import signal
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import expect

from network_faults import wired
from players_in_browser import Invite, Person, race, race_unseen
from servers import Server, hear, shell


@pytest.fixture(scope="module")
def server(own_server: Server) -> Server:
    return own_server


TROUBLE = r"net::ERR_|WebSocket connection|Failed to load resource"  # what a browser says about a line that is lost


def racing(invite: Invite, address: str | None = None, turns: int = 3) -> Person:
    """Somebody in the middle of a race against a driver."""
    person = invite(address)
    person.forgiven = TROUBLE
    person.lay([{"kind": "here", "name": "Anna"}, "scorpus"], away=None)
    person.begin()
    race(person, turns=turns)
    person.called()
    return person


def turns_told(person: Person) -> list[str]:
    return person.find("#story .turn").all_inner_texts()


def own_turns(server: Server, person: Person) -> list[dict[str, Any]]:
    """What everybody can know that Anna has done."""
    whole = server.visitor().whole(person.shown["table"])
    mine = next(i for i, chariot in enumerate(whole["table"]["race"]["chariots"]) if chariot["name"] == "Anna")
    return [line for line in whole["story"] if line["kind"] == "turn" and line["chariot"] == mine]


def test_a_reload_loses_nothing(invite: Invite) -> None:
    anna = racing(invite)
    anna.forgiven = TROUBLE
    hand, told = anna.find("#hand [data-card]").all_inner_texts(), turns_told(anna)
    assert len(told) >= 6
    anna.read_answers()
    anna.page.reload()
    anna.called()
    assert anna.find("#hand [data-card]").all_inner_texts() == hand
    assert turns_told(anna) == told
    anna.answer()
    anna.content()


def test_a_line_that_is_cut_is_found_again_by_itself(invite: Invite, server: Server) -> None:
    with wired(server) as wire:
        anna = racing(invite, wire.address)
        told = turns_told(anna)
        wire.cut()
        expect(anna.find("#lost")).to_be_visible()
        expect(anna.find("#hand [data-card]:enabled")).to_have_count(0)
        assert turns_told(anna) == told
        wire.mend()
        expect(anna.find("#lost")).to_have_count(0)
        anna.called()
        assert turns_told(anna) == told
        assert race(anna, turns=2) == 2


def test_a_browser_that_is_offline_for_a_while_comes_back(invite: Invite, server: Server) -> None:
    with wired(server) as wire:
        anna = racing(invite, wire.address)
        anna.context.set_offline(True)
        wire.cut()
        expect(anna.find("#lost")).to_be_visible()
        wire.mend()
        anna.context.set_offline(False)
        expect(anna.find("#lost")).to_have_count(0)
        assert race(anna, turns=2) == 2


def test_a_move_whose_answer_is_lost_is_made_once(invite: Invite, server: Server) -> None:
    with wired(server) as wire:
        anna = racing(invite, wire.address)
        before, at = own_turns(server, anna), anna.shown["changed"]
        question = anna.called()
        anna.point(question["offers"][0], question, "cards")
        with server.visitor().socket(anna.shown["table"]) as bystander:
            hear(bystander, "whole")
            wire.keep_back()
            anna.find("#confirm").click()
            hear(bystander, "news")
        expect(anna.find("#status")).to_have_text("Your move is on its way…")
        wire.cut()
        expect(anna.find("#lost")).to_be_visible()
        wire.mend()
        anna.past(at)
        anna.called()
        assert len(own_turns(server, anna)) == len(before) + 1
        moves = [sent["id"] for sent in anna.sent if sent["do"] == "move" and sent["at"] == at]
        assert len(moves) == 2
        assert len(set(moves)) == 1
        anna.answer()


def test_a_server_that_is_killed_loses_nothing_and_the_race_is_driven_to_its_end(
    invite: Invite, server: Server, tmp_path: Path
) -> None:
    anna, ben = invite(), invite()
    anna.forgiven = ben.forgiven = TROUBLE
    anna.lay([{"kind": "here", "name": "Anna"}, "friend", "scorpus"], away=None, options={"race_ends": "first_home"})
    ben.join(anna.invitation(), "Ben")
    anna.begin()
    race(anna, ben, until=lambda: anna.shown["race"]["turn_number"] > 3 and anna.on_turn == 0)
    told, before, at = turns_told(anna), own_turns(server, anna), anna.shown["changed"]
    question = anna.called()
    anna.point(question["offers"][0], question, "cards")
    assert server.process is not None
    os.kill(server.process.pid, signal.SIGSTOP)  # what is sent now lies before a closed door
    anna.find("#confirm").click()
    expect(anna.find("#status")).to_have_text("Your move is on its way…")
    server.kill()
    for person in (anna, ben):
        expect(person.find("#lost")).to_be_visible()
    server.start()
    anna.past(at)
    ben.past(at)
    assert turns_told(anna)[: len(told)] == told
    assert turns_told(ben)[: len(told)] == told
    assert len(own_turns(server, anna)) == len(before) + 1
    race(anna, ben, turns=6)
    race_unseen(anna, ben)
    for person in (anna, ben):
        expect(person.find("#podium")).to_be_visible()
    anna.find("#figures > summary").click()
    with anna.page.expect_download() as download:
        anna.find("#record").click()
    record = tmp_path / "killed.race.json"
    download.value.save_as(record)
    verified = shell("verify", record)
    assert verified.returncode == 0, verified.stdout + verified.stderr
