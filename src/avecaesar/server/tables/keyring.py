"""The keys to the sealed cards of races that run. They lie in a file of their own: no backup of the database holds it.

The file has one key a line. The first encrypts, all of them decrypt, so that keys can be rotated. What is sealed is the
secret of a deal (`events.Sealed`), from the moment it is drawn until its race is over and everybody is told. Envelope
encryption: the key to the hidden moves of that race is derived from the secret (`hidden_moves`).
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import secrets
import stat
from collections.abc import Callable, Collection, Iterable, Sequence
from pathlib import Path

import msgspec
from cryptography.fernet import Fernet, InvalidToken

from avecaesar.errors import BadInput
from avecaesar.files import write_atomically
from avecaesar.game import commitment_of
from avecaesar.server.refused import RefusedError
from avecaesar.server.store.shapes import Body
from avecaesar.server.tables import events as e
from avecaesar.speech import say

NAME = 12  # characters of a key's name
LARGEST = 64 * 2**10  # bytes of a file of keys
HEADER = (
    "# Ave Caesar: keys to the sealed cards of running races. The first one encrypts, all of them decrypt.\n"
    "# Keep a copy, but never together with a copy of the database.\n"
)


class Keyring:
    """Keys in their order. `file`: where they are kept; None: nowhere, and they are lost with the process."""

    def __init__(self, keys: Sequence[bytes], file: Path | None = None, fresh: bool = False) -> None:
        self.file = file
        self.fresh = fresh  # made just now: nothing can be sealed with it yet
        self._use(keys)

    def _use(self, keys: Sequence[bytes]) -> None:
        self._keys = list(keys)
        self._by_name = {_name_of(key): Fernet(key) for key in keys}

    @classmethod
    def in_memory(cls) -> Keyring:
        """A key that is written down nowhere."""
        return cls([Fernet.generate_key()])

    @classmethod
    def at(cls, file: Path) -> Keyring:
        """The keys in a file, which is made if there is none."""
        try:
            return cls(_read(file), file)
        except FileNotFoundError:
            file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            fresh = _create(file, _text([Fernet.generate_key()]))
            return cls(_read(file), file, fresh)

    @classmethod
    def if_any(cls, file: Path) -> Keyring:
        """The keys in a file, or none: for whoever only looks."""
        try:
            return cls(_read(file), file)
        except FileNotFoundError:
            return cls([], file)

    @property
    def names(self) -> tuple[str, ...]:
        """What the keys are called; a name tells nothing of its key."""
        return tuple(self._by_name)

    # ------------------------------------------------------------------ the secret of a deal

    def encrypt(self, sealed: e.Sealed) -> e.Sealed:
        """The same with its secret encrypted besides, which is all that is written down."""
        if not self._keys:
            raise RefusedError(say("the server has no key to seal cards with: try again later"), status=503)
        name = self.names[0]
        token = self._by_name[name].encrypt(bytes.fromhex(sealed.secret)).decode()
        return msgspec.structs.replace(sealed, token=token, key=name)

    def decrypt(self, sealed: e.Sealed) -> e.Sealed:
        """The same with its secret, if a key decrypts it; whoever changed the log put no other secret there."""
        if sealed.secret or not sealed.token:
            return sealed
        for fernet in self._by_name.values():
            with contextlib.suppress(InvalidToken):
                secret = fernet.decrypt(sealed.token)
                if commitment_of(secret) == sealed.commitment:
                    return msgspec.structs.replace(sealed, secret=secret.hex())
        return sealed

    def holds(self, name: str) -> bool:
        """Whether a key is here; the empty name is that of no key, which old logs need."""
        return not name or name in self._by_name

    # ------------------------------------------------------------------ other keys

    def rotate(self) -> None:
        """A new key encrypts from now on; the old ones still decrypt."""
        if self.file is not None and not self._keys:
            raise BadInput(f"there is no file {self.file}: the server makes it when it starts; or name --key-file")
        self._write([Fernet.generate_key(), *self._newest()])

    def forget(self, names: Collection[str]) -> None:
        """Drop keys, but never the one that encrypts."""
        if not self._keys:
            return
        first, *others = self._newest()
        self._write([first, *(key for key in others if _name_of(key) not in names)])

    def _newest(self) -> list[bytes]:
        """What the file holds now: somebody may have put a key into it."""
        if self.file is None:
            return self._keys
        with contextlib.suppress(FileNotFoundError):
            found = _read(self.file)
            return [*self._keys, *(key for key in found if key not in self._keys)]
        return self._keys

    def _write(self, keys: Sequence[bytes]) -> None:
        if self.file is not None:
            _overwrite(self.file, _text(keys))
        self._use(keys)


def opened(events: Iterable[e.AnyEvent], keys: Keyring) -> list[e.AnyEvent]:
    """A log with its secrets: those of races that are over stand in it, the last one is opened with a key."""
    found = list(events)
    secret: str | None = None
    for i in range(len(found) - 1, -1, -1):
        event = found[i]
        if isinstance(event, e.Unsealed):
            secret = event.secret
        elif isinstance(event, e.Sealed):
            if secret is not None and commitment_of(bytes.fromhex(secret)) == event.commitment:
                event = msgspec.structs.replace(event, secret=secret)
            found[i], secret = keys.decrypt(event), None
    return found


def readable(events: Sequence[e.AnyEvent]) -> int:
    """How many events of such a log can be folded: all, or those before a race whose cards nobody can deal."""
    secret = ""
    for i, event in enumerate(events):
        if isinstance(event, e.Sealed):
            secret = event.secret
        elif isinstance(event, e.Begun) and not secret:
            return i
    return len(events)


def last_sealed(bodies: Iterable[Body]) -> list[tuple[str, int, e.Sealed]]:
    """Of all that was sealed (table, number, body; in order) what no race was over with: the last of each table."""
    last = {table: (table, number, body) for table, number, body in bodies}
    found = [(table, number, e.decode(body)) for table, number, body in last.values()]
    return [(table, number, event) for table, number, event in found if isinstance(event, e.Sealed)]


def resealed(keys: Keyring) -> Callable[[Sequence[Body]], list[Body]]:
    """What is to be written in the place of what was encrypted with other keys, or not at all in the first logs."""

    def anew(bodies: Sequence[Body]) -> list[Body]:
        opened = [(table, number, keys.decrypt(event)) for table, number, event in last_sealed(bodies)]
        return [
            Body(table, number, e.encode(keys.encrypt(event)))
            for table, number, event in opened
            if event.secret and event.key != keys.names[0]
        ]

    return anew


# ---------------------------------------------------------------------- the file


def file_beside(database: Path) -> Path:
    """Where the keys to a database lie if nothing else is said; not under its name, by which it would be copied too."""
    file = database.with_suffix(".key")
    if file == database:
        raise BadInput(f"{database} is to be a database: name the file of its keys with --key-file")
    return file


def _name_of(key: bytes) -> str:
    return hashlib.sha256(b"avecaesar key " + key).hexdigest()[:NAME]


def _text(keys: Sequence[bytes]) -> bytes:
    return HEADER.encode() + b"".join(key + b"\n" for key in keys)


def _read(file: Path) -> list[bytes]:
    """The keys in a file that nobody else can read."""
    with open(file, "rb") as opened_file:
        found = os.fstat(opened_file.fileno())
        if os.name == "posix" and stat.S_IMODE(found.st_mode) & 0o077:
            raise BadInput(f"{file} holds keys, and others may read or change it: type chmod 600 {file}")
        if os.name == "posix" and found.st_uid not in _rightful(file):
            raise BadInput(f"{file} holds keys, and belongs to somebody else: make it the server's with chown")
        text = opened_file.read(LARGEST)
    lines = [line.strip() for line in text.splitlines()]
    keys = list(dict.fromkeys(line for line in lines if line and not line.startswith(b"#")))
    try:
        for key in keys:
            Fernet(key)
    except ValueError:
        raise BadInput(f"{file} is not a file of keys, or is damaged: restore it, or name another --key-file") from None
    if not keys:
        raise BadInput(f"{file} holds no key: restore it, or delete it if no race runs that it sealed")
    return keys


def _rightful(file: Path) -> set[int]:
    """Who may own a file of keys: we; and where root asks, whoever has the folder, as the server's user does."""
    return {os.geteuid()} | ({file.parent.stat().st_uid} if os.geteuid() == 0 else set())


def _overwrite(file: Path, text: bytes) -> None:
    """Put others in; the file stays its owner's, also if root does it."""
    found = file.stat() if file.exists() else None
    write_atomically(file, text, private=True)
    if found is not None and os.name == "posix" and os.geteuid() == 0:
        os.chown(file, found.st_uid, found.st_gid)


def _create(file: Path, text: bytes) -> bool:
    """Make the file, whole, unless somebody else has made it meanwhile; whether it was we."""
    temporary = file.with_name(f".{secrets.token_hex(8)}.tmp")
    try:
        write_atomically(temporary, text, private=True)
        try:
            os.link(temporary, file)
        except FileExistsError:
            return False
        except OSError:  # a file system without hard links
            os.replace(temporary, file)
    except OSError as error:
        raise OSError(error.errno, error.strerror, str(file)) from None
    finally:
        with contextlib.suppress(OSError):
            temporary.unlink()
    return True
