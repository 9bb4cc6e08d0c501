"""Players of a Swiss can ask not to be paired in a round."""

import sqlalchemy as sa
from alembic import op

revision = "0017"
down_revision = "0016"

_BYES = "rounds without a pairing, as asked for: 2,4"


def upgrade() -> None:
    op.add_column(
        "entrants", sa.Column("byes", sa.Text(), server_default="", nullable=False, comment=_BYES)
    )
