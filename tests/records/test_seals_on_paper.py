"""Seals on paper fit or are refused: whatever is changed is noticed, in every edition."""

from __future__ import annotations

import hashlib
import json
import random
import re
from collections.abc import Callable, Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import jsonschema  # type: ignore[import-untyped]
import pytest

from avecaesar.cli import main
from avecaesar.game import COLOURS, Lot, Race, Sort
from avecaesar.game.sealed_chance import MOST_SHARES
from avecaesar.records import (
    Crew,
    RecordError,
    Seal,
    from_json,
    from_text,
    record_of,
    referee,
    schema,
    seal_of,
    to_json,
    to_text,
)
from checkout import ROOT
from recordings import change, crews_of, remove, run
from sealed_races import KINDS, SECRET, SHARES, sealed, sealed_games, secret_of

DOCS = (ROOT / "docs" / "records.md").read_text(encoding="utf-8")


# ---------------------------------------------------------------------- on paper


@pytest.mark.parametrize("about", KINDS)
def test_sealed_races_verify_and_round_trip_in_json_and_text(about: str) -> None:
    record = sealed(about)
    data = to_json(record)
    assert from_json(data) == from_text(to_text(record).encode()) == record
    jsonschema.Draft202012Validator(schema()).validate(json.loads(data))
    races = referee(record)
    crews = [[Crew(c.colour, c.driver) for c in race.chariots] for race in record.races]
    assert to_json(record_of(races, crews, record.edition, [race.seal or None for race in record.races])) == data


def test_a_record_without_seals_is_what_it_was() -> None:
    games, seals = sealed_games("ravensburger")
    crews = crews_of(games.races, "human")
    bare, full = (record_of(games.races, crews, "ravensburger", s) for s in (None, seals))
    assert b"seal" not in to_json(bare)
    assert "seal" not in to_text(bare)
    raw = json.loads(to_json(full))
    assert [list(race)[-1] for race in raw["races"]] == ["seal"] * 3
    assert [list(race.pop("seal")) for race in raw["races"]] == [["commitment", "secret", "shares"]] * 3
    assert raw == json.loads(to_json(bare))


def test_some_races_may_be_sealed_and_others_not() -> None:
    games, seals = sealed_games("ausgebremst")
    record = record_of(games.races, crews_of(games.races, "human"), "ausgebremst", [None, seals[1], None])
    assert from_text(to_text(record).encode()) == from_json(to_json(record)) == record
    referee(record)


def test_as_many_shares_as_there_may_be() -> None:
    shares = [secret_of("many", n)[:16] for n in range(MOST_SHARES)]
    race = Race("white", 2, seed=Lot(SECRET, shares, "deal"))
    run(race, "greedy", random.Random(1))
    record = record_of([race], crews_of([race], "human"), "ravensburger", [seal_of(SECRET, shares)])
    assert from_text(to_text(record).encode()) == record
    referee(record)
    with pytest.raises(RecordError, match="shares: expected `array` of length <= 64"):
        seal_of(SECRET, [*shares, shares[0]])


def test_a_seal_is_for_one_race_and_opened_when_that_is_over() -> None:
    race, seal = Race("white", 2, seed=Lot(SECRET, SHARES, "deal")), seal_of(SECRET, SHARES)
    crews = [[Crew(colour, "human") for colour in COLOURS[:2]]]
    with pytest.raises(RecordError, match="a seal is opened when its race is over, and not before"):
        record_of([race], crews, "ravensburger", [seal])
    with pytest.raises(RecordError, match="a record has a seal or none for each of its races, not 2 for 1"):
        record_of([race], crews, "ravensburger", [None, None])
    run(race, "greedy", random.Random(1))
    raw = json.loads(to_json(record_of([race], crews, "ravensburger", [seal])))
    del raw["races"][0]["turns"][-1]
    raw["races"][0] |= {"arrivals": [], "laurels": [0, 0], "disqualified": []}
    record = from_json(json.dumps(raw).encode())
    with pytest.raises(RecordError, match=r"^race 1: it is not over, and a seal is opened when the race is over"):
        referee(record, unfinished=True)


def test_a_deal_known_from_elsewhere_is_that_of_the_seal() -> None:
    games, seals = sealed_games("ausgebremst", races=1)
    record = record_of(games.races, crews_of(games.races, "human"), "ausgebremst", seals)
    deal = [list(deck) for deck in games.races[0].deal]
    referee(record, deal=deal)
    deal[1][0], deal[1][1] = deal[1][1], deal[1][0]
    with pytest.raises(RecordError, match=r"^race 1: the deal is not the one under the seal$"):
        referee(record, deal=deal)


# ---------------------------------------------------------------------- whatever is changed is noticed


def other_digit(text: str) -> str:
    return text[:-1] + ("0" if text[-1] != "0" else "1")


def another_secret(raw: dict[str, Any]) -> None:
    """With a commitment that fits."""
    seal = raw["races"][2]["seal"]
    seal["secret"] = other_digit(seal["secret"])
    seal["commitment"] = hashlib.sha256(bytes.fromhex(seal["secret"])).hexdigest()


def commitment_to_the_digits(raw: dict[str, Any]) -> None:
    seal = raw["races"][2]["seal"]
    seal["commitment"] = hashlib.sha256(seal["secret"].encode()).hexdigest()


def seals_of_each_other(raw: dict[str, Any]) -> None:
    races = raw["races"]
    races[1]["seal"], races[2]["seal"] = races[2]["seal"], races[1]["seal"]


S = ("races", 2, "seal")
BROKEN = r"race 3: the seal is broken: the commitment made before the race is not the SHA-256 of the secret$"
NOT_DEALT = (
    r"race [23]: the (deck of .+ is not the one that was dealt|choice of .+ does not follow from the deal) under the"
)
TAMPERED: dict[str, tuple[Callable[[dict[str, Any]], object], str]] = {
    "the secret": (change(*S, "secret", to=other_digit), BROKEN),
    "the commitment": (change(*S, "commitment", to=other_digit), BROKEN),
    "a commitment to the digits": (commitment_to_the_digits, BROKEN),
    "secret and commitment exchanged": (
        change(*S, to=lambda s: s | {"secret": s["commitment"], "commitment": s["secret"]}),
        BROKEN,
    ),
    "another secret": (another_secret, NOT_DEALT),
    "a share": (change(*S, "shares", 0, to=other_digit), NOT_DEALT),
    "the order of shares": (change(*S, "shares", to=lambda old: old[::-1]), NOT_DEALT),
    "a share left out": (remove(*S, "shares", 1), NOT_DEALT),
    "no shares": (change(*S, "shares", to=[]), NOT_DEALT),
    "a share added": (change(*S, "shares", to=lambda old: [*old, "0" * 32]), NOT_DEALT),
    "a share twice": (change(*S, "shares", to=lambda old: [*old, old[-1]]), NOT_DEALT),
    "the seal of another race": (seals_of_each_other, NOT_DEALT),
    "a short secret": (change(*S, "secret", to="00"), r"race 3, seal, secret: expected `str` of length >= 64"),
    "capital letters": (change(*S, "secret", to="A" * 64), "race 3, seal, secret: this text has characters that"),
    "a short share": (
        change(*S, "shares", 0, to="0" * 31),
        r"race 3, seal, shares\[0\]: expected `str` of length >= 32",
    ),
    "a line in a share": (change(*S, "shares", 0, to="0" * 31 + "\n"), r"race 3, seal, shares\[0\]: this text has"),
    "too many shares": (change(*S, "shares", to=["0" * 32] * 65), "race 3, seal, shares: expected `array` of length"),
    "half a seal": (remove(*S, "secret"), "race 3, seal: the key 'secret' is missing"),
    "a seal without commitment": (remove(*S, "commitment"), "race 3, seal: the key 'commitment' is missing"),
    "a seal without a list of shares": (remove(*S, "shares"), "race 3, seal: the key 'shares' is missing"),
    "one key more": (change(*S, "salt", to=""), "race 3, seal: there is no key 'salt' here"),
    "no seal at all": (change(*S, to=None), "race 3, seal: expected `object`, got `null`"),
}


def refusal(raw: dict[str, Any]) -> str:
    with pytest.raises(RecordError) as refused:
        referee(from_json(json.dumps(raw).encode()))
    told = str(refused.value)
    assert told.isprintable()
    return told


@pytest.mark.parametrize("about", KINDS)
@pytest.mark.parametrize("how", TAMPERED)
def test_what_was_tampered_with_is_refused_in_one_line(how: str, about: str) -> None:
    spoil, sentence = TAMPERED[how]
    raw = json.loads(to_json(sealed(about)))
    spoil(raw)
    told = refusal(raw)
    assert re.match(sentence, told), told


def swaps(raw: dict[str, Any]) -> Iterator[tuple[int, int, dict[str, Any]]]:
    """The record with two neighbouring cards of a deck in each other's place, wherever that makes a difference."""
    for chariot, deck in enumerate(raw["races"][0]["decks"]):
        for at, (card, after) in enumerate(pairwise(tuple(deck))):
            if card != after:
                deck[at : at + 2] = after, card
                yield chariot, at, raw
                deck[at : at + 2] = card, after


def test_two_cards_cannot_change_places_whether_the_turns_are_legal_or_not() -> None:
    """Without a seal many such records would pass: what is never drawn, or drawn together, nobody can tell."""
    games, seals = sealed_games("ravensburger", races=1)
    record = record_of(games.races, crews_of(games.races, "human"), "ravensburger", seals)
    refused = passed = 0
    for chariot, _, raw in swaps(json.loads(to_json(record))):
        name = raw["races"][0]["chariots"][chariot]["name"]
        assert refusal(raw) == f"race 1: the deck of {name} is not the one that was dealt under the seal"
        bare = {**raw, "races": [{key: value for key, value in raw["races"][0].items() if key != "seal"}]}
        try:
            referee(from_json(json.dumps(bare).encode()))
            passed += 1
        except RecordError:
            refused += 1
    assert passed >= 3
    assert refused >= 3


def test_cards_in_a_pile_cannot_change_places_either() -> None:
    games, seals = sealed_games("ausgebremst", races=1)
    record = record_of(games.races, crews_of(games.races, "human"), "ausgebremst", seals)
    passed = met = 0
    for chariot, at, raw in swaps(json.loads(to_json(record))):
        race = raw["races"][0]
        choice, name = race["choices"][chariot], race["chariots"][chariot]["name"]
        if choice is None:
            assert refusal(raw) == f"race 1: the deck of {name} is not the one that was dealt under the seal"
            continue
        sizes = [len(pile) for pile in choice["piles"]]
        if at + 1 >= sum(sizes) or at + 1 in (sizes[0], sizes[0] + sizes[1]):
            continue  # of two piles, or of the emperor's
        piles, met = choice["piles"], met + 1
        ends = [sizes[0], sizes[0] + sizes[1], sum(sizes)]
        choice["piles"] = [race["decks"][chariot][a:b] for a, b in zip([0, *ends], ends, strict=False)]
        told = f"the choice of {name} does not follow from the deal under the seal and the choices before it"
        assert refusal(raw) == f"race 1: {told}"
        bare = {**raw, "races": [{key: value for key, value in race.items() if key != "seal"}]}
        try:
            referee(from_json(json.dumps(bare).encode()))
            passed += 1
        except RecordError:
            pass
        choice["piles"] = piles
    assert passed >= 3
    assert met > passed


def test_the_same_sealed_deal_lies_otherwise_in_piles_sorted_otherwise() -> None:
    """So the referee deals first and sorts then; he cannot compare decks."""
    decks = set()
    for pick in (0, -1):
        race = Race("white", 3, edition="ausgebremst", seed=Lot(SECRET, SHARES, "deal"))
        while race.asks in ("deck", "sort"):
            race.play(race.legal_moves[pick])
        assert any(isinstance(turn.move, Sort) for turn in race.history)
        run(race, "careful", random.Random(3))
        record = record_of([race], crews_of([race], "human"), "ausgebremst", [seal_of(SECRET, SHARES)])
        referee(record)
        decks.add(record.races[0].decks[1:])
    assert len(decks) == 2


# ---------------------------------------------------------------------- the notation for people

NOTATION: dict[str, tuple[str, str, str]] = {
    "a share before its seal": (r"(?m)^seal \w+\n", "", r"line \d+: write 'secret SECRET' after its seal, once"),
    "no secret": (r"(?m)^secret \w+\n", "", "race 1, seal: the key 'secret' is missing"),
    "two seals": (r"(?m)^(seal \w+\n)", r"\1\1", r"line \d+: write 'seal COMMITMENT', once a race"),
    "two secrets": (r"(?m)^(secret \w+\n)", r"\1\1", r"line \d+: write 'secret SECRET' after its seal, once"),
    "two words": (r"(?m)^seal (\w+)", r"seal \1 \1", r"line \d+: write 'seal COMMITMENT', once a race"),
    "two shares on a line": (r"(?m)^share (\w+)", r"share \1 \1", r"line \d+: write 'share SHARE' after its seal"),
    "only shares": (r"(?m)^se(al|cret) \w+\n", "", r"line \d+: write 'share SHARE' after its seal"),
    "a seal of no race": (
        r"(?m)^record 1\n",
        f"record 1\nseal {'0' * 64}\n",
        r"line \d+: this stands before any 'race",
    ),
    "a digit": (r"(?m)^secret \w", "secret x", "race 1, seal, secret: this text has characters that cannot stand"),
}


@pytest.mark.parametrize("how", NOTATION)
def test_a_seal_that_is_mistyped_is_refused_in_one_line(how: str) -> None:
    pattern, typed, sentence = NOTATION[how]
    record = sealed("ravensburger")
    text = to_text(record)
    head, mark, races = text.partition("\nrace ")
    last = races.rpartition("\nrace ")[2]  # the one with two shares
    text = head + mark + last
    assert from_text(text.encode()).races == record.races[2:]
    with pytest.raises(RecordError, match=f"^{sentence}"):
        from_text(re.sub(pattern, typed, text).encode())


def test_a_seal_is_told_a_line_for_each_part() -> None:
    record = sealed("ravensburger")
    seal = record.races[2].seal
    assert isinstance(seal, Seal)
    tail = "\n".join([f"seal {seal.commitment}", f"secret {seal.secret}", *(f"share {share}" for share in seal.shares)])
    assert to_text(record).endswith(f"\n{tail}\n")
    assert to_text(record).splitlines()[1].startswith("# seal: ")


# ---------------------------------------------------------------------- what people type and read


def test_verify_says_that_the_cards_were_sealed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    games, seals = sealed_games("ravensburger")
    for name, some in (("all", seals), ("two", [seals[0], None, seals[2]]), ("none", None)):
        record = record_of(games.races, crews_of(games.races, "human"), "ravensburger", some)
        (tmp_path / f"{name}.race.json").write_bytes(to_json(record))
    raw = json.loads(to_json(sealed("ravensburger")))
    raw["races"][0]["seal"]["secret"] = "0" * 64
    (tmp_path / "bad.race.json").write_text(json.dumps(raw))
    assert main(["verify", *(str(tmp_path / f"{name}.race.json") for name in ("all", "two", "none", "bad"))]) == 2
    told = capsys.readouterr()
    endings = [re.sub(r".*verified, 3 races, \d+ turns", "", line) for line in told.out.splitlines()]
    assert endings == [", cards as sealed", ", in 2 of them cards as sealed", ""]
    assert told.err.endswith("bad.race.json: race 1: the seal is broken: the commitment made before the race is not the"
                             " SHA-256 of the secret\n")  # fmt: skip


def test_the_dealer_in_the_manual_deals_the_same_cards() -> None:
    (code,) = (code for code in re.findall(r"```python\n(.*?)```", DOCS, re.DOTALL) if "def shuffle" in code)
    manual: dict[str, Any] = {}
    exec(compile(code, "records.md", "exec"), manual)
    for about in KINDS:
        for race in json.loads(to_json(sealed(about)))["races"]:
            dealt = manual["decks"](race["seal"], len(race["chariots"]))
            if "choices" not in race:
                assert dealt == race["decks"]
