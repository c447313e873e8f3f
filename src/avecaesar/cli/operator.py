"""What an operator's commands have in common: they ask the server that runs, or change its file if none does."""

from __future__ import annotations

import argparse
import asyncio
import logging
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from avecaesar.errors import BadInput
from avecaesar.files import data_folder

if TYPE_CHECKING:
    from avecaesar.server.admin import Answer, OperatorQuestion


def name_files(parser: argparse.ArgumentParser) -> None:
    """Where everything lies."""
    parser.add_argument("--data", metavar="FILE", help="where tables are kept (default: in your data folder)")
    parser.add_argument(
        "--key-file",
        metavar="FILE",
        help="the keys to the cards of running races, if no server runs (default: beside the tables)",
    )


def told_by_server(options: argparse.Namespace, question: OperatorQuestion) -> Answer:
    """What the running server answers, or the file itself."""
    from avecaesar.server.admin import ask
    from avecaesar.server.store.lock import FileLock, InUse

    data = Path(options.data).absolute() if options.data else data_folder() / "avecaesar.db"
    if not data.is_file():
        raise BadInput(f"there is no file {data}: name the server's file with --data")
    lock = FileLock(data)
    try:
        with lock:
            told = asyncio.run(_without_server(lock.database, question, options.key_file))
    except InUse as busy:
        try:
            told = ask(lock.database, question)
        except (OSError, ValueError, AttributeError):
            raise BadInput(f"{busy.holder} has {lock.database} and does not answer: try again, or stop it") from None
    if told.problem is not None:
        raise BadInput(told.problem)
    return told


async def _without_server(database: Path, question: OperatorQuestion, key_file: str | None) -> Answer:
    """No server is running, and none can start meanwhile."""
    from avecaesar.server.admin import obey
    from avecaesar.server.store.database import Store
    from avecaesar.server.store.sqlite import address_of
    from avecaesar.server.tables.house import House
    from avecaesar.server.tables.keyring import Keyring, file_beside
    from avecaesar.server.workers.pool import Thinkers

    class Here(Thinkers):
        """No workers: nobody plays, and a board that is looked at holds nobody up."""

        async def call(self, function: Callable[..., Any], *args: object, **_: object) -> Any:
            return await asyncio.to_thread(function, *args)

    logging.getLogger("avecaesar.server").addHandler(logging.NullHandler())  # what is wrong is told in the answer
    keys = Keyring.if_any(Path(key_file).absolute() if key_file else file_beside(database))
    store, thinkers = Store(address_of(database)), Here(1)
    house = House(store, thinkers, keys=keys)
    try:
        await store.open()
        return await obey(house, question)
    finally:
        await house.close()
        await thinkers.close()
        await store.close()
