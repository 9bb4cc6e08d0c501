"""Queued moves become plans, in the shape `if any then MOVE`; players make notes at boards."""

import json

import sqlalchemy as sa
from alembic import op

revision = "0012"
down_revision = "0011"

ID = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
_PLANNED = "what it answers to what the others may do"
_NOTES = "how many notes its player has made"


def upgrade() -> None:
    op.execute("ALTER TABLE seats RENAME COLUMN queued TO plan")
    if op.get_bind().dialect.name == "postgresql":
        op.alter_column("seats", "plan", comment=_PLANNED)
    op.add_column(
        "seats",
        sa.Column("notes", sa.Integer(), server_default="0", nullable=False, comment=_NOTES),
    )
    op.create_table(
        "notes",
        sa.Column("id", ID, autoincrement=True, nullable=False),
        sa.Column("board_id", ID, nullable=False),
        sa.Column("player_id", ID, nullable=False),
        sa.Column(
            "number",
            sa.Integer(),
            nullable=False,
            comment="of the last row in moves when it was made",
        ),
        sa.Column("ply", sa.Integer(), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("at", sa.Double(), nullable=False),
        sa.ForeignKeyConstraint(["board_id"], ["boards.id"], name=op.f("fk_notes_board_id_boards")),
        sa.ForeignKeyConstraint(
            ["player_id"], ["players.id"], name=op.f("fk_notes_player_id_players")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_notes")),
        sqlite_autoincrement=True,
        comment="A private remark of a player at a position of a board.",
    )
    op.create_index(op.f("ix_notes_player_id"), "notes", ["player_id"])
    op.create_index("ix_notes_board_id", "notes", ["board_id", "player_id"])
    _convert_queued()


def _convert_queued() -> None:
    connection = op.get_bind()
    queued = connection.execute(
        sa.text(
            "SELECT seats.board_id, seats.seat, seats.plan, boards.number FROM seats"
            " JOIN boards ON boards.id = seats.board_id WHERE seats.plan IS NOT NULL"
        )
    ).all()
    for board, seat, plan, number in queued:
        connection.execute(
            sa.text("UPDATE seats SET plan = :plan WHERE board_id = :board AND seat = :seat"),
            {"board": board, "seat": seat, "plan": _convert(plan, number)},
        )
    kept = connection.execute(
        sa.text("SELECT id, kept, number FROM boards WHERE kept IS NOT NULL")
    ).all()
    for board, text, number in kept:
        act = json.loads(text)
        for values in act.get("seats", ()):
            values[3] = values[3] and _convert(values[3], number)
        connection.execute(
            sa.text("UPDATE boards SET kept = :kept WHERE id = :board"),
            {"board": board, "kept": json.dumps(act)},
        )


def _convert(queued: str, number: int) -> str:
    """Return the plan that a queued move is."""
    text, comment, ply = json.loads(queued)
    tree = [["if", "any", [["then", text, []]]]]
    plan = {"tree": tree, "since": number, "comment": comment, "ply": ply}
    return json.dumps({**plan, "queued": True, "due": False}, separators=(",", ":"))
