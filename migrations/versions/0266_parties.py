"""Teams, and seats that several people hold together."""

import sqlalchemy as sa
from alembic import op

revision = "0266"
down_revision = "0200"

ID = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    op.add_column(
        "seats",
        sa.Column(
            "decides",
            sa.Text(),
            server_default="",
            nullable=False,
            comment="how the party decides that holds it: captain, first, turn, vote",
        ),
    )
    op.add_column(
        "seats",
        sa.Column(
            "ballots",
            sa.Text(),
            nullable=True,
            comment="what the members of that party want played",
        ),
    )
    op.add_column(
        "replacements",
        sa.Column("member_id", ID, nullable=True, comment="of a party, whose place it is"),
    )
    if op.get_bind().dialect.name == "postgresql":
        op.create_table_comment(
            "replacements",
            "A player who was asked to take a seat over, by who holds it or by the board's master.",
        )
    op.create_table(
        "team_members",
        sa.Column("team_id", ID, nullable=False),
        sa.Column("player_id", ID, nullable=False),
        sa.Column("role", sa.Text(), nullable=False, comment="captain, member or invited"),
        sa.Column("since", sa.Double(), nullable=False),
        sa.ForeignKeyConstraint(
            ["team_id"], ["players.id"], name=op.f("fk_team_members_team_id_players")
        ),
        sa.ForeignKeyConstraint(
            ["player_id"], ["players.id"], name=op.f("fk_team_members_player_id_players")
        ),
        sa.PrimaryKeyConstraint("team_id", "player_id", name=op.f("pk_team_members")),
        comment="A player in a team, whose name is that of an account which begins with @.",
    )
    op.create_index("ix_team_members_player_id", "team_members", ["player_id"])
    op.create_table(
        "seat_members",
        sa.Column("board_id", ID, nullable=False),
        sa.Column("seat", sa.Integer(), nullable=False),
        sa.Column("player_id", ID, nullable=False),
        sa.Column(
            "place",
            sa.Integer(),
            nullable=False,
            comment="their order: the captain has the lowest",
        ),
        sa.ForeignKeyConstraint(
            ["board_id"], ["boards.id"], name=op.f("fk_seat_members_board_id_boards")
        ),
        sa.ForeignKeyConstraint(
            ["player_id"], ["players.id"], name=op.f("fk_seat_members_player_id_players")
        ),
        sa.PrimaryKeyConstraint("board_id", "seat", "player_id", name=op.f("pk_seat_members")),
        comment="A player who holds a seat together with others.",
    )
    op.create_index("ix_seat_members_player_id", "seat_members", ["player_id"])
    op.create_table(
        "party_talk",
        sa.Column("id", ID, nullable=False),
        sa.Column("board_id", ID, nullable=False),
        sa.Column("seat", sa.Integer(), nullable=False),
        sa.Column("player_id", ID, nullable=False),
        sa.Column(
            "ply", sa.Integer(), nullable=False, comment="the ply to be played when it was written"
        ),
        sa.Column(
            "kind",
            sa.Text(),
            nullable=False,
            comment="text, proposal or vote: the text is then a move",
        ),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("at", sa.Double(), nullable=False),
        sa.ForeignKeyConstraint(
            ["board_id"], ["boards.id"], name=op.f("fk_party_talk_board_id_boards")
        ),
        sa.ForeignKeyConstraint(
            ["player_id"], ["players.id"], name=op.f("fk_party_talk_player_id_players")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_party_talk")),
        comment="What somebody wrote to those who hold a seat together, and to nobody else.",
        sqlite_autoincrement=True,
    )
    op.create_index("ix_party_talk_board_id", "party_talk", ["board_id"])
    op.create_index("ix_party_talk_player_id", "party_talk", ["player_id"])
    _make_matches()


def _make_matches() -> None:
    op.create_table(
        "matches",
        sa.Column("id", ID, nullable=False),
        sa.Column("game", sa.Text(), nullable=False),
        sa.Column("home_id", ID, nullable=False),
        sa.Column("away_id", ID, nullable=True, comment="none for an exhibition"),
        sa.Column("begun", sa.Double(), nullable=False),
        sa.Column("told", sa.Double(), nullable=False, comment="when its table was last mailed"),
        sa.Column("ended", sa.Double(), nullable=True),
        sa.ForeignKeyConstraint(
            ["home_id"], ["players.id"], name=op.f("fk_matches_home_id_players")
        ),
        sa.ForeignKeyConstraint(
            ["away_id"], ["players.id"], name=op.f("fk_matches_away_id_players")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_matches")),
        comment="Boards that are one contest: of two teams, or of a player who takes on many.",
        sqlite_autoincrement=True,
    )
    op.create_index("ix_matches_home_id", "matches", ["home_id"])
    op.create_table(
        "match_boards",
        sa.Column("match_id", ID, nullable=False),
        sa.Column("board_id", ID, nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("home_seat", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(
            ["match_id"], ["matches.id"], name=op.f("fk_match_boards_match_id_matches")
        ),
        sa.ForeignKeyConstraint(
            ["board_id"], ["boards.id"], name=op.f("fk_match_boards_board_id_boards")
        ),
        sa.PrimaryKeyConstraint("match_id", "board_id", name=op.f("pk_match_boards")),
        comment="A board of a match.",
    )
    op.create_index("ix_match_boards_board_id", "match_boards", ["board_id"])
