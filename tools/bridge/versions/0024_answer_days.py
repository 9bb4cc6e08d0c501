"""How long an invitation waits stands with its board: on a ladder the event says it."""

import json

import sqlalchemy as sa
from alembic import op

revision = "0024"
down_revision = "0023"

_COMMENT = "how long an invitation waits; NULL for as long as a turn may take"
_USUAL = 7.0


def upgrade() -> None:
    op.add_column("boards", sa.Column("answer_days", sa.Double(), nullable=True, comment=_COMMENT))
    connection = op.get_bind()
    asked = connection.execute(
        sa.text(
            "SELECT boards.id, events.rules FROM boards JOIN events ON events.id = boards.event_id"
            " WHERE boards.state = 'invited'"
        )
    )
    for board, rules in asked.all():
        days = json.loads(rules).get("answer", _USUAL)
        connection.execute(
            sa.text("UPDATE boards SET answer_days = :days WHERE id = :board"),
            {"days": days, "board": board},
        )
