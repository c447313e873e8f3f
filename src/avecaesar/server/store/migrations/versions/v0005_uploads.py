"""Uploads know when they were last opened, and tables on which board they were laid: it stays as long as they do."""

from __future__ import annotations

import json
import time

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Nobody knows when older uploads were opened: their time is counted from now."""
    op.add_column("kept", sa.Column("opened", sa.Double, nullable=False, server_default="0"))
    op.create_index("kept_by_opening", "kept", ["opened"])
    op.create_table(
        "laid_on",
        sa.Column("table", sa.Text, sa.ForeignKey("tables.id"), primary_key=True),
        sa.Column("board", sa.Text, nullable=False),
    )
    op.create_index("laid_on_board", "laid_on", ["board"])
    connection = op.get_bind()
    connection.execute(sa.text("UPDATE kept SET opened = :now"), {"now": time.time()})
    laid = sa.text('SELECT "table", body FROM events WHERE number = 0')
    for table, body in connection.execute(laid).all():
        if board := _board_of(body):
            values = {"table": table, "board": board}
            connection.execute(sa.text('INSERT INTO laid_on ("table", board) VALUES (:table, :board)'), values)


def _board_of(body: bytes) -> str | None:
    """The uploaded board of a table's first event."""
    try:
        board = json.loads(body)["plan"].get("board")
    except (ValueError, LookupError, TypeError, AttributeError):
        return None  # its log is damaged and cannot be folded either
    return board if isinstance(board, str) else None
