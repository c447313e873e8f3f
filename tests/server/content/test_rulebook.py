"""The rules of each edition as the page gets them, and the little races in them: the game's own verdicts, no others."""

from __future__ import annotations

import pytest

from avecaesar.game import Miss, Play, Race, Vote
from avecaesar.records.notation import notation_of
from avecaesar.rules import EDITIONS, OPTIONS, clauses
from avecaesar.server.content.little_races import (
    PILED,
    PLAINEST,
    SCRIPTS,
    Script,
    moves_in,
    play_out,
    race_of,
    tried_in,
)
from avecaesar.server.content.pictures import course_shown
from avecaesar.server.content.rulebook import AGREED, CHAPTERS, UNSAID, rulebook
from avecaesar.telling import refusal_words
from avecaesar.telling.scenes import votes_on

LINEUP = {"riderless", "riderless_count"}  # a little race has the chariots that it needs
SHOWN = [(script, edition) for script in SCRIPTS for edition in script.editions]


def name(shown: object) -> str:
    return shown.clause if isinstance(shown, Script) else str(shown)


# ---------------------------------------------------------------------- clauses


@pytest.mark.parametrize("edition", EDITIONS)
def test_an_editions_page_holds_exactly_its_clauses(edition: str) -> None:
    told = [clause.id for chapter in rulebook(edition).chapters for clause in chapter.clauses]
    assert sorted(told) == sorted(clause.id for clause in clauses().values() if edition in clause.editions)


def test_every_clause_has_its_one_place() -> None:
    placed = [id for ids in CHAPTERS.values() for id in ids] + list(AGREED)
    assert sorted(placed) == sorted(clauses())


@pytest.mark.parametrize("edition", EDITIONS)
def test_clauses_are_told_in_their_own_words(edition: str) -> None:
    book = rulebook(edition)
    for clause in [*(one for chapter in book.chapters for one in chapter.clauses), *book.agreed]:
        assert (clause.title, clause.text) == (clauses()[clause.id].title, clauses()[clause.id].text)


@pytest.mark.parametrize("edition", EDITIONS)
def test_all_that_editions_do_differently_is_compared(edition: str) -> None:
    rules = [told.rules for told in EDITIONS.values()]
    differ = {option for option in OPTIONS if len({getattr(one, option) for one in rules}) > 1} - set(UNSAID)
    compared = {difference.option: difference for difference in rulebook(edition).differences}
    assert set(compared) == differ
    for difference in compared.values():
        named = [edition, *difference.alike, *(one for other in difference.others for one in other.editions)]
        assert sorted(named) == sorted(EDITIONS)


def test_a_variant_that_an_edition_has_already_or_cannot_have_is_not_offered() -> None:
    offered = {edition: {variant.name for variant in rulebook(edition).variants} for edition in EDITIONS}
    assert offered["ravensburger"] == {"missed turns", "dishonour", "winner first", "crash", "ausgebremst scoring"}
    assert offered["ausgebremst"] == {"crash"}


# ---------------------------------------------------------------------- little races


@pytest.mark.parametrize(("script", "edition"), SHOWN, ids=name)
def test_a_scene_is_the_games_own(script: Script, edition: str) -> None:
    """Race it again, step by step: refusals, destinations and positions are the kernel's."""
    scene, race = play_out(script, edition), race_of(script, edition)
    for step in script.unseen:
        for move in moves_in(step, race):
            race.play(move)
    beats = iter(scene.beats)
    assert next(beats).spaces == spaces(race)
    for step in script.seen:
        if play := tried_in(step, race):
            beat, where = next(beats), str(step)[2:]
            why = race.why_not(play.card, to=where)
            assert why is not None
            told = refusal_words.of_space(play, why, race.view(race.turn)).words
            assert (beat.kind, beat.words, beat.clause) == ("refused", told, why.clause)
            assert where == "home" or where not in beat.words, "no names of spaces beside a board"
        else:
            *votes, move = moves_in(step, race)
            for vote in votes:
                assert isinstance(vote, Vote)
                race.play(vote)
            beat = next(beats)
            assert move in race.legal_moves
            if isinstance(move, Play):
                reached = {one.to for one in race.legal_moves if isinstance(one, Play) and one.card == move.card}
                assert set(beat.targets) == reached - {"home"}
                assert len(beat.way) == move.card or beat.home
            race.play(move)
        assert beat.spaces == spaces(race)
        assert set(beat.leads) == race.leaders
    assert next(beats, None) is None


def spaces(race: Race) -> tuple[int | None, ...]:
    return tuple(chariot.space for chariot in race.view().chariots)


@pytest.mark.parametrize(("script", "edition"), SHOWN, ids=name)
def test_a_scene_is_written_as_a_record_has_its_turns(script: Script, edition: str) -> None:
    race = race_of(script, edition)
    for step in (*script.unseen, *script.seen):
        if tried_in(step, race):
            continue
        for move in moves_in(step, race):
            race.play(move)
        view = race.view()
        if isinstance(step, str) and step not in ("-", "."):
            assert notation_of(view.history[-1], race.course, votes_on(view)) == step


@pytest.mark.parametrize(("script", "edition"), SHOWN, ids=name)
def test_a_scene_is_raced_as_its_edition_plays_the_clause(script: Script, edition: str) -> None:
    about = set(clauses()[script.clause].options) - set(script.options) - LINEUP
    raced, own = race_of(script, edition).rules, EDITIONS[edition].rules
    assert {option: getattr(raced, option) for option in about} == {option: getattr(own, option) for option in about}


@pytest.mark.parametrize(("script", "edition"), SHOWN, ids=name)
def test_everything_in_a_scene_happens_within_its_piece_of_the_board(script: Script, edition: str) -> None:
    scene = play_out(script, edition)
    drawn, box = course_shown(race_of(script, edition).course), scene.box
    assert 0 <= box.x <= box.x + box.width <= drawn.width + 0.2
    assert 0 <= box.y <= box.y + box.height <= drawn.height + 0.2
    touched = {at for beat in scene.beats for at in (*beat.spaces, *beat.way, *beat.targets, beat.to) if at is not None}
    for at in touched:
        space = drawn.spaces[at]
        assert box.x <= space.x <= box.x + box.width
        assert box.y <= space.y <= box.y + box.height


def test_the_scenes_show_what_their_clauses_say() -> None:
    shown = {scene.clause: scene for scene in rulebook("ravensburger").scenes}
    refused = {clause: [beat.clause for beat in scene.beats if beat.clause] for clause, scene in shown.items()}
    assert refused["SIX-1"] == refused["SIX-3"] == ["SIX-1"]
    assert refused["MOV-2"] == ["MOV-2", "MOV-2"]
    assert refused["MOV-3"] == ["MOV-3"]
    assert refused["TRI-3"] == ["TRI-3"]
    assert refused["COU-6"] == ["MOV-2"]
    assert any(beat.pays for beat in shown["TRI-1"].beats)
    assert any(beat.disqualified for beat in shown["TRI-4"].beats)
    assert any(beat.disqualified for beat in shown["TRI-5"].beats)
    assert shown["MOV-5"].beats[-1].home
    for clause in ("SIX-2", "SIX-4", "SIX-5"):
        last = next(beat for beat in shown[clause].beats if beat.kind == "turn")
        assert last.card == 6
        assert last.mover in shown[clause].beats[0].leads


def test_a_missed_turn_exchanges_a_card_only_where_the_edition_says_so() -> None:
    (script,) = [script for script in SCRIPTS if script.clause == "MOV-4"]
    exchanged = {}
    for edition in EDITIONS:
        race = race_of(script, edition)
        for step in (*script.unseen, *script.seen):
            for move in moves_in(step, race):
                race.play(move)
        (miss,) = [turn.move for turn in race.history if isinstance(turn.move, Miss)]
        exchanged[edition] = miss.exchange is not None
    keeps = {edition for edition, told in EDITIONS.items() if told.rules.missed_turn == "keep"}
    assert {edition for edition, did in exchanged.items() if not did} == keeps
    assert EDITIONS[PLAINEST].rules.missed_turn == EDITIONS[PILED].rules.missed_turn


@pytest.mark.parametrize("edition", EDITIONS)
def test_an_edition_shows_a_clause_once_and_only_clauses_that_are_on_its_page(edition: str) -> None:
    book = rulebook(edition)
    on_page = {clause.id for chapter in book.chapters for clause in chapter.clauses}
    on_page |= {clause.id for clause in book.agreed}
    shown = [scene.clause for scene in book.scenes]
    assert len(shown) == len(set(shown)) >= 12
    assert set(shown) <= on_page
