"""Uploaded records are found by the seals of their races, whatever else in them was changed."""

from __future__ import annotations

import json
from collections.abc import Iterator

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the rows, for uploads that are there too. Chronicles of uploads go: they did not tell of which they are."""
    op.create_table(
        "seals",
        sa.Column("commitment", sa.Text, primary_key=True),
        sa.Column("record", sa.Text, primary_key=True),
    )
    op.create_index("seals_by_record", "seals", ["record"])
    connection = op.get_bind()
    connection.execute(sa.text("DELETE FROM kept WHERE kind = 'chronicle' AND \"table\" IS NULL"))
    for (record,) in connection.execute(sa.text("SELECT digest FROM kept WHERE kind = 'record'")).all():
        this = {"record": record}
        body = connection.execute(sa.text("SELECT body FROM kept WHERE kind = 'record' AND digest = :record"), this)
        for commitment in dict.fromkeys(_commitments(bytes(body.scalar_one()))):
            row = {"commitment": commitment, **this}
            connection.execute(sa.text("INSERT INTO seals (commitment, record) VALUES (:commitment, :record)"), row)


def _commitments(body: bytes) -> Iterator[str]:
    try:
        for race in json.loads(body)["races"]:
            if "seal" in race:
                yield str(race["seal"]["commitment"])
    except (ValueError, KeyError, TypeError):
        return  # it cannot be read by anybody
