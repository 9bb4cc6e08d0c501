"""The sentences that a game adds to a move stand a line each, as no sentence has a line's end: what
was between them before, a semicolon, may be in one."""

import sqlalchemy as sa
from alembic import op

revision = "0111"
down_revision = "0110"


def upgrade() -> None:
    news = sa.table("moves", sa.column("news", sa.Text())).c.news
    lines = sa.func.replace(news, "; ", "\n")
    op.execute(sa.update(news.table).where(news.contains("; ")).values(news=lines))
