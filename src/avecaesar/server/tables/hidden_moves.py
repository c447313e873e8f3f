"""Moves that tell hidden cards stand encrypted in the log of a running race: a deck, a sorting, an exchanged card.

Their key is derived from the secret of the deal, which the log keeps encrypted as well (`keyring.py`). So whoever has a
copy of the database alone learns no card from it, and once a race is over and its secret is open, so are its moves.
"""

from __future__ import annotations

import base64
import hashlib

import msgspec
from cryptography.fernet import Fernet, InvalidToken

from avecaesar.game import ChooseDeck, Miss, Move, Sort
from avecaesar.server.tables import events as e

LENGTH = 96  # bytes to which a move is padded: neither a sorting nor a deck is to be told by its length

_decoder: msgspec.json.Decoder[Move] = msgspec.json.Decoder(Move)


class Veil:
    """Follows a log event by event, so that it knows by which secret the race that is on was dealt."""

    def __init__(self, dealt: str = "", sealed: str = "") -> None:
        """The secrets of the race that is on and of the one to come, where the log so far has them."""
        self._dealt, self._sealed = dealt, sealed
        self._cipher: Fernet | None = None  # made when it is first needed: most moves tell nothing

    def encrypt(self, event: e.AnyEvent) -> e.AnyEvent:
        """An event as it is written down."""
        self._follow(event)
        if isinstance(event, e.ChosenAhead | e.Moved) and not isinstance(event.move, e.Veiled) and _tells(event.move):
            clear = msgspec.json.encode(event.move).ljust(LENGTH)
            if not self._dealt:
                raise ValueError("a move that tells cards needs the secret by which its race was dealt")
            token = self._of_race().encrypt(clear).decode()
            return msgspec.structs.replace(event, move=e.Veiled(token))
        return event

    def decrypt(self, event: e.AnyEvent) -> e.AnyEvent:
        """An event as it was before it was written down; as it stands there, if the secret is not known."""
        self._follow(event)
        if isinstance(event, e.ChosenAhead | e.Moved) and isinstance(event.move, e.Veiled) and self._dealt:
            try:
                clear = self._of_race().decrypt(event.move.token)
            except InvalidToken:
                return event
            return msgspec.structs.replace(event, move=_decoder.decode(clear))
        return event

    def _follow(self, event: e.AnyEvent) -> None:
        if isinstance(event, e.Sealed):
            self._sealed = event.secret
        elif isinstance(event, e.Begun):
            self._dealt, self._sealed, self._cipher = self._sealed, "", None

    def _of_race(self) -> Fernet:
        if self._cipher is None:
            self._cipher = _cipher(self._dealt)
        return self._cipher


def _tells(move: Move) -> bool:
    """Whether a move tells what others may not know before the race is over."""
    match move:
        case ChooseDeck() | Sort():
            return True
        case Miss(exchange):
            return exchange is not None
        case _:
            return False


def _cipher(secret: str) -> Fernet:
    key = hashlib.sha256(b"avecaesar veil " + bytes.fromhex(secret)).digest()
    return Fernet(base64.urlsafe_b64encode(key))
