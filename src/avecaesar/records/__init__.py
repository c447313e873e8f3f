"""Records: a race or a tournament on paper, refereed again whenever somebody asks."""

from avecaesar.records.boards import courses_of
from avecaesar.records.notation import to_text
from avecaesar.records.parser import from_text
from avecaesar.records.record_files import read_record, write_record
from avecaesar.records.referee import referee, verified
from avecaesar.records.shape import (
    Choice,
    Record,
    RecordedBoard,
    RecordedChariot,
    RecordedRace,
    RecordedRules,
    RecordedTurn,
    RecordedVote,
    RecordError,
    Seal,
    from_json,
    rules_of,
    schema,
    to_json,
)
from avecaesar.records.writing import Crew, nearest_editions, record_of, seal_of

__all__ = [
    "Choice",
    "Crew",
    "Record",
    "RecordError",
    "RecordedBoard",
    "RecordedChariot",
    "RecordedRace",
    "RecordedRules",
    "RecordedTurn",
    "RecordedVote",
    "Seal",
    "courses_of",
    "from_json",
    "from_text",
    "nearest_editions",
    "read_record",
    "record_of",
    "referee",
    "rules_of",
    "schema",
    "seal_of",
    "to_json",
    "to_text",
    "verified",
    "write_record",
]
