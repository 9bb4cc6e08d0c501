"""A signup waits in a table of its own until its code comes back: it reserves no userid, and its
password is encrypted with the code. Those that wait now have to be sent again."""

import sqlalchemy as sa
from alembic import op

revision = "0028"
down_revision = "0027"

ID = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    op.create_table(
        "signups",
        sa.Column("id", ID, autoincrement=True, nullable=False),
        sa.Column("userid", sa.Text(), nullable=False),
        sa.Column("address", sa.Text(), nullable=False, comment="where the code went"),
        sa.Column(
            "others",
            sa.Text(),
            server_default="",
            nullable=False,
            comment="further addresses, separated by blanks",
        ),
        sa.Column("digest", sa.Text(), nullable=False, comment="keyed hash of the code"),
        sa.Column(
            "sealed", sa.Text(), nullable=False, comment="the password, encrypted with the code"
        ),
        sa.Column(
            "terms",
            sa.Text(),
            server_default="",
            nullable=False,
            comment="the version of the terms that the mail with the code showed",
        ),
        sa.Column("created", sa.Double(), nullable=False),
        sa.Column("expires", sa.Double(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_signups")),
        sqlite_autoincrement=True,
        comment="A signup that waits for its code: the account is made when that comes back.",
    )
    for column in ("address", "digest"):
        op.create_index(op.f(f"ix_signups_{column}"), "signups", [column])
    op.execute(
        "UPDATE codes SET used = created, expires = created "
        "WHERE purpose = 'confirm' AND used IS NULL AND player_id NOT IN "
        "(SELECT player_id FROM addresses WHERE confirmed IS NOT NULL)"
    )
