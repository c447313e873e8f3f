"""Fair cards: lots that anybody can draw again, in tournaments of every edition."""

from __future__ import annotations

import hashlib
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator, Sequence

import pytest

from avecaesar.courses import Course, Direction, compile_course, load_course, parse_board
from avecaesar.game import Lot, Tournament, commitment_of, new_secret, new_share
from avecaesar.game.sealed_chance import Purpose
from avecaesar.game.tournament import schedule
from avecaesar.rules import EDITIONS
from sealed_races import KINDS, SECRET, SHARES, sealed, sealed_games, secret_of
from situations import PLAIN

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


@pytest.mark.parametrize("about", KINDS)
def test_the_deal_and_the_first_grid_come_from_the_lots_and_from_nothing_else(about: str) -> None:
    games, seals = sealed_games(about)
    for race, seal in zip(games.races, seals, strict=True):
        stream = bits_of(bytes.fromhex(seal.secret), [bytes.fromhex(share) for share in seal.shares], "deal")
        piles = race.rules.draw == "from_piles"
        for chariot, deck in enumerate(race.deal):
            assert list(deck) == shuffled(range(24) if piles and chariot in race.driven else CARDS, stream)
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
