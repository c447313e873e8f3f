"""The database's tables. Migrations bring older files to the same."""

from __future__ import annotations

from sqlalchemy import (
    Boolean,
    Column,
    Double,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    Table,
    Text,
    UniqueConstraint,
)

NO_SEAT = -1  # a right that goes with no seat: databases take nothing (NULL) for different from nothing
METADATA = MetaData()
TABLES = Table(
    "tables",
    METADATA,
    Column("id", Text, primary_key=True),
    Column("created", Double, nullable=False),
    Column("updated", Double, nullable=False),
    Column("listed", Boolean, nullable=False),
    Column("live", Boolean, nullable=False),  # clocks or drivers are to go on after a restart
    Column("summary", LargeBinary, nullable=False),  # what lists of tables show
    Index("tables_by_update", "updated"),
)
Index(  # of the few that the lobby lists
    "tables_listed",
    TABLES.c.updated.desc(),
    TABLES.c.id,
    sqlite_where=TABLES.c.listed,
    postgresql_where=TABLES.c.listed,
)
EVENTS = Table(
    "events",
    METADATA,
    Column("table", Text, ForeignKey("tables.id"), primary_key=True),
    Column("number", Integer, primary_key=True, autoincrement=False),  # from 0, without a gap
    Column("at", Double, nullable=False),
    Column("command", Text),
    Column("body", LargeBinary, nullable=False),
    UniqueConstraint("table", "command"),
)
RIGHTS = Table(
    "rights",
    METADATA,
    Column("table", Text, ForeignKey("tables.id"), primary_key=True),
    Column("key", Text, primary_key=True),  # its digest: nobody who reads the database can sit down
    Column("seat", Integer, primary_key=True, autoincrement=False),
    Column("role", Text, primary_key=True),
    Index("rights_by_key", "key"),
)
WORDS = Table(  # what people wrote, which the events refer to by their numbers; the one part of a log that changes
    "words",
    METADATA,
    Column("table", Text, ForeignKey("tables.id"), primary_key=True),
    Column("number", Integer, primary_key=True, autoincrement=False),  # of the event
    Column("part", Integer, primary_key=True, autoincrement=False),  # of it, where several words stand in one
    Column("kind", Text, nullable=False),
    Column("seat", Integer, nullable=False),
    Column("holder", Text),  # who wrote it: the tag of his key
    Column("text", Text),
    Column("erased", Boolean, nullable=False),
    Index("words_by_holder", "holder"),
)
KEPT = Table(
    "kept",
    METADATA,
    Column("kind", Text, primary_key=True),
    Column("digest", Text, primary_key=True),
    Column("body", LargeBinary, nullable=False),
    Column("created", Double, nullable=False),
    Column("table", Text),  # whose race it tells of, a table's or an upload's; nothing for uploads themselves
    Column("opened", Double, nullable=False),  # last, to a day
    Index("kept_by_table", "table"),
    Index("kept_by_opening", "opened"),
)
LAID_ON = Table(  # tables on boards that somebody has uploaded, which are kept as long as the tables are
    "laid_on",
    METADATA,
    Column("table", Text, ForeignKey("tables.id"), primary_key=True),
    Column("board", Text, nullable=False),
    Index("laid_on_board", "board"),
)
SEALS = Table(  # by which uploads are known as some table's: whatever else of a record is changed, its cards are not
    "seals",
    METADATA,
    Column("commitment", Text, primary_key=True),
    Column("record", Text, primary_key=True),
    Index("seals_by_record", "record"),
)
NOTES = Table(  # what a server has to remember about its file
    "notes",
    METADATA,
    Column("name", Text, primary_key=True),
    Column("value", Text, nullable=False),
)
