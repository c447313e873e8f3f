"""Where the cards of a table come from: a secret that is sealed before anybody adds to it, and then opened."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random

from avecaesar.game import commitment_of, new_secret
from avecaesar.game.sealed_chance import Purpose
from avecaesar.records import Seal
from avecaesar.server.tables import events as e
from avecaesar.server.tables import lesson

Dealer = Callable[[bytes, Sequence[bytes], Purpose], Random]
Encrypter = Callable[[e.Sealed], e.Sealed]  # encrypts the secret of a deal besides


def lot(dealer: Dealer, seals: Sequence[Seal], race: int, purpose: Purpose) -> Random:
    """The randomness of a race, from its secret and the shares that were added."""
    seal = seals[race]
    return dealer(bytes.fromhex(seal.secret), [bytes.fromhex(share) for share in seal.shares], purpose)


def seal_for(plan: e.Plan) -> e.Sealed:
    """A secret for the next cards of a table."""
    return lesson.seal() if plan.lesson else new_seal()


def new_seal() -> e.Sealed:
    """A secret for the next cards, of the operating system's randomness."""
    secret = new_secret()
    return e.Sealed(commitment_of(secret), secret.hex())
