"""Verifiable randomness: a secret pledged before the race, mixed with the players' shares (docs/records.md).

Commit and reveal: whoever deals draws a secret and publishes its commitment; after that the players add their shares.
What chance decides comes from all of them together, and once the secret is opened everybody can draw the same lots
again.
"""

from __future__ import annotations

import hashlib
import random
import secrets
from collections.abc import Sequence
from typing import Literal, TypeVar

SECRET_BYTES, SHARE_BYTES = 32, 16
MOST_SHARES = 64
Purpose = Literal["grid", "deal"]  # the first grid (SET-2), and the decks in grid order: each has its own stream
T = TypeVar("T")


def new_secret() -> bytes:
    """A secret, of the operating system's randomness."""
    return secrets.token_bytes(SECRET_BYTES)


def new_share() -> bytes:
    """A player's share, of the operating system's randomness."""
    return secrets.token_bytes(SHARE_BYTES)


def commitment_of(secret: bytes) -> str:
    """What may be told of a secret before it is opened: its SHA-256 in hexadecimal.

    >>> commitment_of(bytes(32))
    '66687aadf862bd776c8fc18b8e9f8e20089714856ee233b3902a591d0d5f2925'
    """
    return hashlib.sha256(secret).hexdigest()


class Lot(random.Random):
    """A stream of chance that follows from a secret, the shares in their order, and what it is for.

    Its bytes are SHA-256 of the line `avecaesar lot PURPOSE SECRET SHARE … NUMBER` (ASCII, single blanks, no line end;
    secret and shares in lower-case hexadecimal) for NUMBER = 0, 1, 2 …, one digest after another. `getrandbits`,
    `random` and `sample` are defined here, and are the same in every release of Python.

    >>> Lot(bytes(32), [bytes(16)], "deal").sample(range(1, 7), 6)
    [6, 3, 5, 1, 2, 4]
    """

    def __init__(self, secret: bytes, shares: Sequence[bytes], purpose: Purpose) -> None:
        if len(secret) != SECRET_BYTES or any(len(share) != SHARE_BYTES for share in shares):
            raise ValueError(f"a secret has {SECRET_BYTES} bytes and a share {SHARE_BYTES}")
        super().__init__(0)  # what it would draw by itself is never used
        words = ("avecaesar", "lot", purpose, secret.hex(), *(share.hex() for share in shares))
        self._line = " ".join(words)
        self._number = 0
        self._bytes = b""

    def getrandbits(self, k: int, /) -> int:
        """As few bytes as hold k bits, the first the highest; their lowest bits are dropped."""
        if k < 0:
            raise ValueError("there are no fewer than 0 bits")
        count = (k + 7) // 8
        while len(self._bytes) < count:
            self._bytes += hashlib.sha256(f"{self._line} {self._number}".encode()).digest()
            self._number += 1
        taken, self._bytes = self._bytes[:count], self._bytes[count:]
        return int.from_bytes(taken, "big") >> (8 * count - k)

    def random(self) -> float:
        """53 bits, as a fraction of 2 to the 53rd."""
        return self.getrandbits(53) / 2**53

    def sample(self, population: Sequence[T], k: int) -> list[T]:  # type: ignore[override]  # nobody counts here
        """The first k after a shuffle: each place in turn, from the first, takes one of those that are left.

        Place i exchanges what it holds with place i + j, where j is a number below the n that are left: as many bits
        as n - 1 has, drawn again until they are below n. (The last one needs none.)
        """
        pool = list(population)
        if not 0 <= k <= len(pool):
            raise ValueError(f"{k} cannot be drawn of {len(pool)}")
        for i in range(k):
            other = i + self._below(len(pool) - i)
            pool[i], pool[other] = pool[other], pool[i]
        return pool[:k]

    def _below(self, n: int) -> int:
        bits = (n - 1).bit_length()
        while (number := self.getrandbits(bits)) >= n:
            pass
        return number
