"""What has come to the tables of 0.2.0 since then."""

import sqlalchemy as sa
from alembic import op

from pbm.store.tables import normalize_mailbox

revision = "0200"
down_revision = "0100"

ID = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    _make_press()
    _make_friend_invitations()
    _make_masters()
    _make_replacements()
    _make_receipts()
    _make_waiting_guests()
    _make_held_words()
    _find_mailboxes()
    _make_messages_of_the_day()
    _make_mail_ends()
    _change_accounts()
    _change_audit()
    _make_cases()
    _change_boards()
    _change_outbound()
    op.drop_column("inbound", "worker")


def _make_press() -> None:
    op.create_table(
        "press",
        sa.Column("id", ID, nullable=False),
        sa.Column("board_id", ID, nullable=False),
        sa.Column("player_id", ID, nullable=False),
        sa.Column(
            "seat", sa.Integer(), nullable=False, comment="the writer's, when it was written"
        ),
        sa.Column(
            "readers",
            sa.Text(),
            nullable=False,
            comment="the seats that it went to, as seat:player, separated by blanks",
        ),
        sa.Column("unsigned", sa.Boolean(), nullable=False),
        sa.Column(
            "ply", sa.Integer(), nullable=False, comment="the ply to be played when it was written"
        ),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("at", sa.Double(), nullable=False),
        sa.ForeignKeyConstraint(["board_id"], ["boards.id"], name=op.f("fk_press_board_id_boards")),
        sa.ForeignKeyConstraint(
            ["player_id"], ["players.id"], name=op.f("fk_press_player_id_players")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_press")),
        comment="A text that a player of a board wrote to some of its other players.",
        sqlite_autoincrement=True,
    )
    op.create_index("ix_press_board_id", "press", ["board_id"])
    op.create_index("ix_press_player_id", "press", ["player_id"])


def _make_friend_invitations() -> None:
    op.create_table(
        "friend_invitations",
        sa.Column("id", ID, nullable=False),
        sa.Column("player_id", ID, nullable=False, comment="who invites"),
        sa.Column(
            "address", sa.Text(), server_default="", nullable=False, comment="empty for a link"
        ),
        sa.Column(
            "game",
            sa.Text(),
            server_default="",
            nullable=False,
            comment="of the board that begins with it, or empty",
        ),
        sa.Column(
            "options",
            sa.Text(),
            server_default="",
            nullable=False,
            comment="of the game: name to value",
        ),
        sa.Column(
            "server",
            sa.Text(),
            server_default="",
            nullable=False,
            comment="of the server: name to value",
        ),
        sa.Column(
            "moves_first",
            sa.Boolean(),
            server_default=sa.text("true"),
            nullable=False,
            comment="whether whoever is invited moves first",
        ),
        sa.Column(
            "userid",
            sa.Text(),
            server_default="",
            nullable=False,
            comment="the userid that the mail proposes",
        ),
        sa.Column("uses", sa.Integer(), nullable=False, comment="how many may still join by it"),
        sa.Column("created", sa.Double(), nullable=False),
        sa.Column("expires", sa.Double(), nullable=False),
        sa.ForeignKeyConstraint(
            ["player_id"], ["players.id"], name=op.f("fk_friend_invitations_player_id_players")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_friend_invitations")),
        comment="An invitation that a player has sent to an address, or a link to forward.",
        sqlite_autoincrement=True,
    )
    op.create_index("ix_friend_invitations_player_id", "friend_invitations", ["player_id"])
    op.create_index("ix_friend_invitations_expires", "friend_invitations", ["expires"])
    op.create_table(
        "invited_addresses",
        sa.Column("digest", sa.Text(), nullable=False, comment="keyed hash of the address"),
        sa.Column("declined", sa.Boolean(), server_default=sa.text("false"), nullable=False),
        sa.Column("at", sa.Double(), nullable=False),
        sa.PrimaryKeyConstraint("digest", name=op.f("pk_invited_addresses")),
        comment="An address that has had an invitation, or wants none: it gets no other one.",
    )


def _make_masters() -> None:
    op.create_table(
        "masters",
        sa.Column("board_id", ID, nullable=False),
        sa.Column("player_id", ID, nullable=False),
        sa.ForeignKeyConstraint(
            ["board_id"], ["boards.id"], name=op.f("fk_masters_board_id_boards")
        ),
        sa.ForeignKeyConstraint(
            ["player_id"], ["players.id"], name=op.f("fk_masters_player_id_players")
        ),
        sa.PrimaryKeyConstraint("board_id", name=op.f("pk_masters")),
        comment="The player who runs a board without playing on it.",
    )
    op.create_index("ix_masters_player_id", "masters", ["player_id"])


def _make_replacements() -> None:
    op.create_table(
        "replacements",
        sa.Column("board_id", ID, nullable=False),
        sa.Column("seat", sa.Integer(), nullable=False),
        sa.Column("player_id", ID, nullable=False),
        sa.ForeignKeyConstraint(
            ["board_id"], ["boards.id"], name=op.f("fk_replacements_board_id_boards")
        ),
        sa.ForeignKeyConstraint(
            ["player_id"], ["players.id"], name=op.f("fk_replacements_player_id_players")
        ),
        sa.PrimaryKeyConstraint("board_id", "seat", name=op.f("pk_replacements")),
        comment="A player whom the master of a board has asked to take a seat over.",
    )
    op.create_index("ix_replacements_player_id", "replacements", ["player_id"])


def _make_receipts() -> None:
    op.create_table(
        "receipts",
        sa.Column("id", ID, nullable=False),
        sa.Column("outbound_id", ID, nullable=False),
        sa.Column("at", sa.Double(), nullable=False),
        sa.Column("answer", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_receipts")),
        comment="What the next mail server said when it took a mail of ours.",
        sqlite_autoincrement=True,
    )
    op.create_index("ix_receipts_outbound_id", "receipts", ["outbound_id"])


def _make_mail_ends() -> None:
    op.create_table(
        "mail_ends",
        sa.Column("id", ID, nullable=False),
        sa.Column("player_id", ID, nullable=False),
        sa.Column(
            "beginning",
            sa.Text(),
            server_default="",
            nullable=False,
            comment="hash of the first paragraph, or empty",
        ),
        sa.Column(
            "endings",
            sa.Text(),
            server_default="",
            nullable=False,
            comment="hashes of the last line, the last two and so on",
        ),
        sa.ForeignKeyConstraint(
            ["player_id"], ["players.id"], name=op.f("fk_mail_ends_player_id_players")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_mail_ends")),
        comment="How one of the last mails of a player began and ended, to tell what programs add.",
        sqlite_autoincrement=True,
    )
    op.create_index("ix_mail_ends_beginning", "mail_ends", ["beginning"])
    op.create_index("ix_mail_ends_player_id", "mail_ends", ["player_id"])


def _make_waiting_guests() -> None:
    op.create_table(
        "waiting_guests",
        sa.Column("player_id", ID, nullable=False),
        sa.Column("invitation", sa.Integer(), nullable=False, comment="its number; it may be gone"),
        sa.ForeignKeyConstraint(
            ["player_id"], ["players.id"], name=op.f("fk_waiting_guests_player_id_players")
        ),
        sa.PrimaryKeyConstraint("player_id", name=op.f("pk_waiting_guests")),
        comment="By which invitation a player has come who waits to be approved.",
    )


def _make_held_words() -> None:
    op.create_table(
        "held_words",
        sa.Column("id", ID, nullable=False),
        sa.Column("player_id", ID, nullable=False, comment="who wrote them"),
        sa.Column(
            "kind",
            sa.Text(),
            nullable=False,
            comment="of the notices that pass them on, such as message",
        ),
        sa.Column(
            "about",
            sa.Integer(),
            nullable=False,
            comment="the event or invitation that they are about, or 0",
        ),
        sa.Column(
            "recipients",
            sa.Text(),
            nullable=False,
            comment="numbers of players, or one address, separated by blanks",
        ),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("at", sa.Double(), nullable=False),
        sa.ForeignKeyConstraint(
            ["player_id"], ["players.id"], name=op.f("fk_held_words_player_id_players")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_held_words")),
        comment="Words of a player to people who do not know that player: they wait for a "
        "moderator's yes.",
        sqlite_autoincrement=True,
    )
    op.create_index("ix_held_words_player_id", "held_words", ["player_id"])
    op.create_index("ix_held_words_at", "held_words", ["at"])


def _find_mailboxes() -> None:
    """Each address has its mailbox beside it, by which accounts of one person are known."""
    comment = "which of them are one: without tag, and dots that mean nothing"
    op.add_column(
        "addresses",
        sa.Column("mailbox", sa.Text(), server_default="", nullable=False, comment=comment),
    )
    op.create_index("ix_addresses_mailbox", "addresses", ["mailbox"])
    table = sa.table("addresses", sa.column("address", sa.Text()), sa.column("mailbox", sa.Text()))
    for (address,) in op.get_bind().execute(sa.select(table.c.address).distinct()).all():
        mailbox = normalize_mailbox(address)
        op.execute(sa.update(table).where(table.c.address == address).values(mailbox=mailbox))


def _make_messages_of_the_day() -> None:
    op.create_table(
        "messages_of_the_day",
        sa.Column("id", ID, nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("begun", sa.Double(), nullable=False),
        sa.Column("ended", sa.Double(), nullable=True, comment="NULL while it holds"),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_messages_of_the_day")),
        comment="A message of the day.",
        sqlite_autoincrement=True,
    )
    op.create_table(
        "message_readings",
        sa.Column("message_id", ID, nullable=False),
        sa.Column("player_id", ID, nullable=False),
        sa.Column("at", sa.Double(), nullable=False),
        sa.ForeignKeyConstraint(
            ["message_id"],
            ["messages_of_the_day.id"],
            name=op.f("fk_message_readings_message_id_messages_of_the_day"),
        ),
        sa.ForeignKeyConstraint(
            ["player_id"], ["players.id"], name=op.f("fk_message_readings_player_id_players")
        ),
        sa.PrimaryKeyConstraint("message_id", "player_id", name=op.f("pk_message_readings")),
        comment="A player whom a mail has told a message of the day.",
    )
    op.create_index("ix_message_readings_player_id", "message_readings", ["player_id"])


def _change_accounts() -> None:
    op.add_column(
        "signups",
        sa.Column(
            "link_id",
            ID,
            nullable=True,
            comment="the link of a friend invitation by which it came, which may be gone",
        ),
    )
    op.add_column(
        "signups",
        sa.Column(
            "language",
            sa.Text(),
            server_default="",
            nullable=False,
            comment="that of the page or mail by which it came, if not the server's",
        ),
    )
    op.add_column(
        "players",
        sa.Column(
            "writes_to",
            sa.Text(),
            server_default="",
            nullable=False,
            comment="the address of the server that the player last wrote to, if it has several",
        ),
    )
    op.add_column(
        "players",
        sa.Column(
            "silenced",
            sa.Double(),
            nullable=True,
            comment="until when no word of theirs is passed on",
        ),
    )
    op.add_column(
        "players",
        sa.Column(
            "roles",
            sa.Text(),
            server_default="",
            nullable=False,
            comment="moderator, maker: what the operator trusts them with",
        ),
    )
    has_role = sa.text("roles != ''")
    op.create_index(
        "ix_players_roles",
        "players",
        ["id"],
        sqlite_where=has_role,
        postgresql_where=has_role,
    )
    op.add_column(
        "bans",
        sa.Column(
            "was_suspended",
            sa.Boolean(),
            server_default=sa.text("false"),
            nullable=False,
            comment="an account that was suspended before",
        ),
    )


def _change_audit() -> None:
    op.add_column(
        "audit",
        sa.Column(
            "undo",
            sa.Text(),
            nullable=True,
            comment="what undoes it: the act and what was before, as JSON",
        ),
    )
    op.add_column(
        "audit",
        sa.Column(
            "closed",
            sa.Double(),
            nullable=True,
            comment="when it was undone, or, a report, decided",
        ),
    )


def _make_cases() -> None:
    op.create_table(
        "cases",
        sa.Column("id", ID, nullable=False),
        sa.Column("player_id", ID, nullable=False, comment="the moderator"),
        sa.Column("kind", sa.Text(), nullable=False, comment="report, signup, words"),
        sa.Column("about", ID, nullable=False, comment="its number among those of its kind"),
        sa.ForeignKeyConstraint(
            ["player_id"], ["players.id"], name=op.f("fk_cases_player_id_players")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_cases")),
        sa.UniqueConstraint(
            "player_id", "kind", "about", name=op.f("uq_cases_player_id_kind_about")
        ),
        comment="Something to be decided that a moderator was shown, under a number of their own.",
        sqlite_autoincrement=True,
    )


def _change_boards() -> None:
    op.add_column(
        "boards",
        sa.Column(
            "anonymous",
            sa.Boolean(),
            server_default=sa.text("false"),
            nullable=False,
            comment="nobody is to learn who plays, for as long as this is set",
        ),
    )
    op.add_column(
        "boards",
        sa.Column(
            "deadline",
            sa.Text(),
            server_default="",
            nullable=False,
            comment="the hour and the days at which a turn ends: mon,fri@20:00/UTC",
        ),
    )
    op.add_column(
        "boards",
        sa.Column(
            "title",
            sa.Text(),
            server_default="",
            nullable=False,
            comment="what its players call it",
        ),
    )
    _split_news()


def _split_news() -> None:
    """The sentences that a game adds to a move now stand on a line each: a semicolon, which stood
    between them, may be part of one."""
    news = sa.table("moves", sa.column("news", sa.Text())).c.news
    lines = sa.func.replace(news, "; ", "\n")
    op.execute(sa.update(news.table).where(news.contains("; ")).values(news=lines))


def _change_outbound() -> None:
    op.add_column(
        "outbound",
        sa.Column(
            "told",
            sa.Text(),
            nullable=True,
            comment="the news that a bot's answer repeats, as JSON",
        ),
    )
    op.add_column(
        "outbound",
        sa.Column(
            "precedence",
            sa.Integer(),
            server_default="0",
            nullable=False,
            comment="lowest first: 0 of the reader's own boards, 1 for players, 2 for strangers",
        ),
    )
    op.add_column(
        "outbound",
        sa.Column(
            "offer",
            sa.Text(),
            nullable=True,
            comment="the line that a yes in reply does, as JSON",
        ),
    )
    op.drop_index("ix_outbound_waiting", "outbound")
    waiting = sa.text("state = 'waiting'")
    op.create_index(
        "ix_outbound_waiting",
        "outbound",
        ["precedence", "next_attempt", "id"],
        sqlite_where=waiting,
        postgresql_where=waiting,
    )
