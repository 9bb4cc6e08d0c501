"""Clubs, and their matches against guests of other towns."""

import sqlalchemy as sa
from alembic import op

revision = "0268"
down_revision = "0267"

ID = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    op.create_table(
        "clubs",
        sa.Column("id", ID, nullable=False),
        sa.Column("name", sa.Text(), nullable=False, comment="in lower case"),
        sa.Column(
            "about",
            sa.Text(),
            server_default="",
            nullable=False,
            comment="what its officers say of it",
        ),
        sa.Column("created", sa.Double(), nullable=False),
        sa.Column(
            "letter",
            sa.Double(),
            nullable=False,
            comment="when the next letter to its members is due",
        ),
        sa.Column(
            "colour",
            sa.Text(),
            server_default="",
            nullable=False,
            comment="of its pages, such as #1d4e89",
        ),
        sa.Column(
            "hook",
            sa.Text(),
            server_default="",
            nullable=False,
            comment="the URL that its news are posted to, or empty",
        ),
        sa.Column(
            "hook_form", sa.Text(), server_default="json", nullable=False, comment="json or text"
        ),
        sa.Column(
            "hook_news",
            sa.Text(),
            server_default="",
            nullable=False,
            comment="which news: results, events, offers, letters",
        ),
        sa.Column(
            "hook_since",
            sa.Double(),
            server_default="0",
            nullable=False,
            comment="up to when they were posted",
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_clubs")),
        sa.UniqueConstraint("name", name=op.f("uq_clubs_name")),
        comment=(
            "A club. Its boards have its name as their pool, so that a name is never used again."
        ),
    )
    op.create_table(
        "club_members",
        sa.Column("club_id", ID, nullable=False),
        sa.Column("player_id", ID, nullable=False),
        sa.Column("role", sa.Text(), nullable=False, comment="officer, member, invited or asking"),
        sa.Column("since", sa.Double(), nullable=False),
        sa.ForeignKeyConstraint(
            ["club_id"], ["clubs.id"], name=op.f("fk_club_members_club_id_clubs")
        ),
        sa.ForeignKeyConstraint(
            ["player_id"], ["players.id"], name=op.f("fk_club_members_player_id_players")
        ),
        sa.PrimaryKeyConstraint("club_id", "player_id", name=op.f("pk_club_members")),
        comment="A player in a club, or who was invited, or who asks to be let in.",
    )
    op.create_index("ix_club_members_player_id", "club_members", ["player_id"])
    op.create_table(
        "club_matches",
        sa.Column("id", ID, nullable=False),
        sa.Column("club_id", ID, nullable=False),
        sa.Column("player_id", ID, nullable=False, comment="the officer who made it"),
        sa.Column("home_id", ID, nullable=False, comment="the team of the club"),
        sa.Column("away_id", ID, nullable=True, comment="the team of the guests"),
        sa.Column("game", sa.Text(), nullable=False),
        sa.Column("options", sa.Text(), nullable=False, comment="of the game: name to value"),
        sa.Column("server", sa.Text(), nullable=False, comment="of the server: name to value"),
        sa.Column("created", sa.Double(), nullable=False),
        sa.Column("match_id", ID, nullable=True, comment="its boards, once it has begun"),
        sa.ForeignKeyConstraint(
            ["club_id"], ["clubs.id"], name=op.f("fk_club_matches_club_id_clubs")
        ),
        sa.ForeignKeyConstraint(
            ["player_id"], ["players.id"], name=op.f("fk_club_matches_player_id_players")
        ),
        sa.ForeignKeyConstraint(
            ["home_id"], ["players.id"], name=op.f("fk_club_matches_home_id_players")
        ),
        sa.ForeignKeyConstraint(
            ["away_id"], ["players.id"], name=op.f("fk_club_matches_away_id_players")
        ),
        sa.ForeignKeyConstraint(
            ["match_id"], ["matches.id"], name=op.f("fk_club_matches_match_id_matches")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_club_matches")),
        comment="A match of a team of a club against guests of another town.",
    )
    op.create_index("ix_club_matches_club_id", "club_matches", ["club_id"])
    op.create_index("ix_club_matches_player_id", "club_matches", ["player_id"])
    op.create_index("ix_club_matches_match_id", "club_matches", ["match_id"])
    op.create_table(
        "club_guests",
        sa.Column("invitation_id", ID, nullable=False),
        sa.Column("club_match_id", ID, nullable=False),
        sa.Column("player_id", ID, nullable=True),
        sa.Column("is_captain", sa.Boolean(), nullable=False),
        sa.ForeignKeyConstraint(
            ["club_match_id"],
            ["club_matches.id"],
            name=op.f("fk_club_guests_club_match_id_club_matches"),
        ),
        sa.ForeignKeyConstraint(
            ["player_id"], ["players.id"], name=op.f("fk_club_guests_player_id_players")
        ),
        sa.PrimaryKeyConstraint("invitation_id", name=op.f("pk_club_guests")),
        comment=(
            "Somebody who was invited to a match, and has an account once they have answered."
        ),
    )
    op.create_index("ix_club_guests_club_match_id", "club_guests", ["club_match_id"])
    op.create_index("ix_club_guests_player_id", "club_guests", ["player_id"])
    of_pool = sa.text("pool <> ''")
    op.create_index(
        "ix_boards_pool",
        "boards",
        ["pool", "state"],
        sqlite_where=of_pool,
        postgresql_where=of_pool,
    )
