"""Brings a database up to date. Each change of its tables is a file in `versions`, in Alembic's form.

A new one names the one before it in `down_revision` and is never edited once it is out: databases remember it.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from alembic.config import Config
from alembic.runtime.environment import EnvironmentContext
from alembic.script import ScriptDirectory
from alembic.util import CommandError
from sqlalchemy import Connection, inspect

from avecaesar.errors import BadInput

NOTES = "alembic_version"  # the table in which Alembic notes how far a database has come


def bring_up_to_date(connection: Connection, name: str) -> None:
    """Make the changes that this database has not seen yet; refuse one that is not ours or newer than we are."""
    tables = inspect(connection).get_table_names()
    if tables and NOTES not in tables:
        raise BadInput(f"{name} belongs to another program: its tables are not those of Ave Caesar")
    script = ScriptDirectory(str(Path(__file__).parent))

    def changes(revision: Any, _: object) -> Any:
        return script._upgrade_revs("head", revision)

    try:
        with EnvironmentContext(Config(), script, fn=changes) as environment:
            environment.configure(connection=connection)
            environment.run_migrations()
    except CommandError as error:
        raise BadInput(f"{name} was written by a newer Ave Caesar, or by another program") from error
