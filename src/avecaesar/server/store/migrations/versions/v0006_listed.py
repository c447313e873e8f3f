"""The lobby finds the tables that it lists without walking through all others."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """An index of the listed tables alone: they are few, and others change it with no move."""
    op.create_index(
        "tables_listed",
        "tables",
        [sa.text("updated DESC"), "id"],
        sqlite_where=sa.text("listed = 1"),  # as the store asks for them: SQLite compares by the letter
        postgresql_where=sa.text("listed"),
    )
