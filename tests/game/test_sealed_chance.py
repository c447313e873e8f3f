"""Fair cards: lots that anybody can draw again, seals that fit or are refused, in every edition."""

from __future__ import annotations

import hashlib
import json
import random
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any

import jsonschema  # type: ignore[import-untyped]
import pytest

from avecaesar.cli import main
from avecaesar.courses import Course, Direction, compile_course, load_course, parse_board
from avecaesar.game import COLOURS, Lot, Race, Sort, Tournament, commitment_of, new_secret, new_share
from avecaesar.game.sealed_chance import MOST_SHARES, Purpose
from avecaesar.game.tournament import schedule
from avecaesar.records import (
    Crew,
    Record,
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
from avecaesar.rules import EDITIONS
from checkout import ROOT
from recordings import change, crews_of, remove, run
from situations import PLAIN

DOCS = (ROOT / "docs" / "records.md").read_text(encoding="utf-8")
SECRET = bytes(range(32))
SHARES = [bytes([n] * 16) for n in (7, 1, 255)]
R = ("races", 0)


def secret_of(*what: object) -> bytes:
    """A secret for a test, always the same."""
    return hashlib.sha256(repr(what).encode()).digest()


# ---------------------------------------------------------------------- the definition, read once more
# Written from the text of docs/records.md alone, bit by bit, and with nothing of the package.


def bits_of(secret: bytes, shares: Sequence[bytes], purpose: str) -> Iterator[str]:
    """The stream, each byte as eight digits."""
    number = 0
    while True:
        text = "avecaesar lot " + purpose + " " + secret.hex()
        for share in shares:
            text += " " + share.hex()
        text += " " + str(number)
        digest = hashlib.sha256(text.encode("ascii")).hexdigest()
        for at in range(0, 64, 2):
            yield format(int(digest[at : at + 2], 16), "08b")
        number += 1


def number_below(n: int, stream: Iterator[str]) -> int:
    if n == 1:
        return 0
    width = len(format(n - 1, "b"))
    while True:
        number = int(next(stream)[:width], 2)
        if number < n:
            return number


def shuffled(things: Sequence[int], stream: Iterator[str]) -> list[int]:
    places = list(things)
    for i in range(len(places)):
        j = number_below(len(places) - i, stream)
        places[i], places[i + j] = places[i + j], places[i]
    return places


CARDS = sorted([1, 2, 3, 4, 5, 6] * 4)


def first_place_by_high_card(players: int, stream: Iterator[str]) -> int:
    decks = [shuffled(CARDS, stream) for _ in range(players)]
    left = list(range(players))
    while True:
        shown = {}
        for player in left:
            if not decks[player]:
                decks[player] = shuffled(CARDS, stream)
            shown[player] = decks[player].pop(0)
        left = [player for player in left if shown[player] == max(shown.values())]
        if len(left) == 1:
            return left[0]


# ---------------------------------------------------------------------- lots


def test_a_commitment_is_the_digest_of_the_secret() -> None:
    assert commitment_of(SECRET) == "630dcd2966c4336691125448bbb25b4ff412a49c732db2c8abc1b8581bd710dd"


def test_the_stream_is_what_is_written() -> None:
    line = f"avecaesar lot deal {SECRET.hex()} {SHARES[0].hex()} {SHARES[1].hex()} {SHARES[2].hex()}"
    bits = "".join(format(byte, "08b") for n in range(20) for byte in hashlib.sha256(f"{line} {n}".encode()).digest())
    lot, at = Lot(SECRET, SHARES, "deal"), 0
    for k in [1, 8, 9, 0, 53, 64, 7, 300, 12] * 6:
        assert format(lot.getrandbits(k), f"0{k}b") == bits[at : at + k] if k else lot.getrandbits(0) == 0
        at += -(-k // 8) * 8
    assert at > 256 * 10


def test_known_answers() -> None:
    """Computed once with the definition above, and written down: they may never change."""
    by_all = [2, 5, 17, 23, 10, 6, 0, 18, 21, 8, 12, 15, 16, 13, 3, 7, 19, 22, 1, 11, 4, 20, 9, 14]
    by_secret = [3, 18, 5, 6, 10, 9, 0, 2, 22, 23, 12, 16, 1, 11, 4, 8, 19, 21, 15, 13, 14, 7, 20, 17]
    assert Lot(SECRET, SHARES, "deal").sample(range(24), 24) == by_all
    assert Lot(SECRET, [], "deal").sample(range(24), 24) == by_secret
    assert Lot(SECRET, SHARES, "grid").sample(range(6), 6) == [3, 2, 1, 0, 5, 4]
    assert Lot(SECRET, SHARES, "deal").random() == 0.07082323012755032


@pytest.mark.parametrize("purpose", ["grid", "deal"])
def test_lots_are_drawn_as_the_definition_says(purpose: Purpose) -> None:
    for n in range(50):
        secret, shares = secret_of("drawn", n), [secret_of("share", n, i)[:16] for i in range(n % 5)]
        lot, stream = Lot(secret, shares, purpose), bits_of(secret, shares, purpose)
        for size in (24, 6, 1, 2, 24, 200, 24):
            assert lot.sample(range(size), size) == shuffled(range(size), stream)


def test_a_few_are_the_first_of_a_shuffle() -> None:
    for k in range(25):
        few = Lot(SECRET, SHARES, "deal").sample(CARDS, k)
        assert few == Lot(SECRET, SHARES, "deal").sample(CARDS, 24)[:k]
    for k in (-1, 25):
        with pytest.raises(ValueError, match="cannot be drawn of 24"):
            Lot(SECRET, SHARES, "deal").sample(CARDS, k)


def test_every_part_of_a_lot_matters_and_none_runs_into_the_next() -> None:
    a, b = SHARES[:2]
    lots = [
        (SECRET, [a, b], "deal"),
        (SECRET, [b, a], "deal"),
        (SECRET, [a], "deal"),
        (SECRET, [a, b, a], "deal"),
        (SECRET, [], "deal"),
        (SECRET, [a, b], "grid"),
        (SECRET[::-1], [a, b], "deal"),
        (SECRET[:31] + b"\0", [a, b], "deal"),
        (SECRET, [a[:15] + b"\0", b], "deal"),
    ]
    assert len({Lot(*lot).getrandbits(256) for lot in lots}) == len(lots)  # type: ignore[arg-type]


@pytest.mark.parametrize(("secret", "shares"), [(31, []), (33, []), (0, []), (32, [16, 15]), (32, [17]), (16, [32])])
def test_a_secret_or_share_of_another_length_is_no_lot(secret: int, shares: list[int]) -> None:
    with pytest.raises(ValueError, match="a secret has 32 bytes and a share 16"):
        Lot(bytes(secret), [bytes(share) for share in shares], "deal")


def test_secrets_come_from_the_operating_system_wherever_no_test_deals() -> None:
    draw = "import secrets; from avecaesar.game import sealed_chance as lots; "
    draw += "print(lots.secrets is secrets, lots.new_secret().hex())"
    drawn = {subprocess.check_output([sys.executable, "-c", draw], text=True) for _ in range(2)}
    assert len(drawn) == 2
    assert all(one.startswith("True ") for one in drawn)


def test_secrets_and_shares_are_drawn_anew_each_time() -> None:
    assert len({new_secret() for _ in range(100)} | {new_share() for _ in range(100)}) == 200
    assert {len(new_secret()), len(new_share())} == {32, 16}


def test_every_card_comes_to_every_place_equally_often() -> None:
    """Chi-square with (size - 1)^2 degrees of freedom; the bound is six standard deviations away."""
    shuffles, size = 4800, 24
    lot = Lot(SECRET, SHARES, "deal")
    met = Counter((place, card) for _ in range(shuffles) for place, card in enumerate(lot.sample(range(size), size)))
    expected, freedom = shuffles / size, (size - 1) ** 2
    chi = sum((met[place, card] - expected) ** 2 / expected for place in range(size) for card in range(size))
    assert abs(chi - freedom) < 6 * (2 * freedom) ** 0.5


def test_every_order_of_four_comes_equally_often_from_fresh_secrets() -> None:
    shuffles, orders = 4800, 24
    met = Counter(tuple(Lot(secret_of("order", n), [], "grid").sample(range(4), 4)) for n in range(shuffles))
    assert len(met) == orders
    chi = sum((count - shuffles / orders) ** 2 / (shuffles / orders) for count in met.values())
    assert chi < orders - 1 + 6 * (2 * (orders - 1)) ** 0.5


# ---------------------------------------------------------------------- tournaments by lot


def sealed_games(about: str, races: int = 3) -> tuple[Tournament, list[Seal]]:
    """A tournament of which every race was dealt by a seal of its own."""
    edition, players, changes = KINDS[about]
    games = Tournament(["Livia", "Marcus", "Titus"][:players], edition=edition, seed=1, **changes)
    source, seals = random.Random(7), []
    for number in range(races):
        secret, shares = secret_of(about, number), [secret_of(about, number, i)[:16] for i in range(number)]
        run(games.next_race(Lot(secret, shares, "grid"), Lot(secret, shares, "deal")), "careful", source)
        seals.append(seal_of(secret, shares))
    return games, seals


VOTE = {"riderless_moves": "vote"}
KINDS: dict[str, tuple[str, int, dict[str, Any]]] = {
    **{edition: (edition, 3, {}) for edition in EDITIONS},
    "piles on side B": ("ausgebremst", 3, {"side": "B"}),
    "standard decks in piles": ("ausgebremst", 3, {"options": {"decks": "standard"}}),
    "votes": ("thibault", 3, {"options": VOTE}),
    "extra": ("pro-ludo", 3, {"options": {"riderless_count": 2}}),
    "teams": ("pro-ludo", 2, {"options": {"chariots_each": 2} | VOTE | {"riderless_count": 1}}),
    "piles for teams": ("ausgebremst", 2, {"options": {"chariots_each": 2}}),
}


@cache
def sealed(about: str) -> Record:
    games, seals = sealed_games(about)
    return record_of(games.races, crews_of(games.races, "human"), KINDS[about][0], seals)


@pytest.mark.parametrize("about", KINDS)
def test_the_deal_and_the_first_grid_come_from_the_lots_and_from_nothing_else(about: str) -> None:
    games, seals = sealed_games(about)
    for race, seal in zip(games.races, seals, strict=True):
        stream = bits_of(bytes.fromhex(seal.secret), [bytes.fromhex(share) for share in seal.shares], "deal")
        piles = race.rules.draw == "from_piles"
        for seat, deck in enumerate(race.deal):
            assert list(deck) == shuffled(range(24) if piles and seat in race.driven else CARDS, stream)
    grid, players = bits_of(bytes.fromhex(seals[0].secret), [], "grid"), len(games.names)
    if games.rules.first_grid == "random":
        assert list(games.grids[0][:players]) == shuffled(range(players), grid)
    else:
        assert games.grids[0][0] == first_place_by_high_card(players, grid)


@pytest.mark.parametrize("about", [about for about in KINDS if KINDS[about][0] == "ausgebremst"])
def test_piles_lie_as_the_manual_says(about: str) -> None:
    """In each pile, cards numbered by value come in the order of the shuffle."""
    for race, dealt in zip(sealed(about).races, sealed_games(about)[0].races, strict=True):
        for choice, shuffle in zip(race.choices or (), dealt.deal, strict=True):
            if choice is None:
                continue
            cards = [(pile, card) for pile, cards in enumerate(choice.piles or ()) for card in sorted(cards)]
            lying = [cards[number] for number in shuffle if number < len(cards)]
            assert choice.piles == tuple(tuple(card for at, card in lying if at == pile) for pile in range(3))


def test_without_lots_the_seed_decides_as_ever() -> None:
    games = [Tournament(["Livia", "Marcus", "Titus"], seed=5) for _ in range(3)]
    plain, by_deal, by_grid = games[0].next_race(), games[1].next_race(deal_source=Lot(SECRET, [], "deal")), games[2]
    assert games[1].grids == games[0].grids
    assert by_deal.deal != plain.deal
    assert by_grid.next_race(Lot(SECRET, [], "grid")).deal != by_deal.deal


def test_a_tournament_asks_its_table_for_the_boards() -> None:
    board = parse_board(PLAIN.read_text(encoding="utf-8").replace("white", "meadow"))
    asked = []

    def load(name: str, direction: Direction) -> Course:
        asked.append(name)
        return compile_course(board, name, direction) if name in board.courses else load_course(name, direction)

    for chosen in ({"courses": ["meadow"]}, {"stages": [("meadow", "anticlockwise")]}):
        options = {"schedule": "one_course", "races": 1}
        games = Tournament(3, options=options, load=load, seed=1, **chosen)
        assert games.next_race().course.board == board
    assert asked
    assert set(asked) == {"meadow"}
    assert schedule(EDITIONS["pro-ludo"].rules, 3) == schedule(EDITIONS["pro-ludo"].rules, 3, load=load)
    assert Tournament(3, load=load, seed=1).next_race().course is load_course("white")


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
