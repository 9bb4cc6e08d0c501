"""The tables of commands.

What players do is in `pbm.core.words`, which the command line reads, as it reads each feature's
commands of the operator."""

from __future__ import annotations

from typing import NamedTuple

from pbm.core.feature import ActRow, AdminPart, ListRow, list_operator_rows


class CommandRow(NamedTuple):
    """A command: its name, its module (or module:name if it is not called `command`), and one line
    of help."""

    name: str
    module: str
    help: str


class OperatorRow(NamedTuple):
    """A command of the operator, as a `Row`, and the part of the help that lists it."""

    name: str
    module: str
    help: str
    part: AdminPart = AdminPart.LOOKING


COMMANDS: tuple[CommandRow, ...] = (
    CommandRow("serve", "pbm.cli.serve", "run the server until SIGTERM"),
    CommandRow(
        "setup", "pbm.cli.setup", "write the files that a new server needs, after a few questions"
    ),
    CommandRow(
        "send", "pbm.cli.mailing", "mail a command to the running server, print the answers"
    ),
    CommandRow("demo", "pbm.cli.demo", "watch two players play a whole game by mail"),
    CommandRow("play", "pbm.cli.play", "play a board at this terminal"),
    CommandRow(
        "receive",
        "pbm.cli.receive",
        "accept one mail from standard input, for a mail server's pipe",
    ),
    CommandRow("new-game", "pbm.cli.authors.new_game", "write the package of a new game of yours"),
    CommandRow("try", "pbm.cli.authors.try_game", "play a game of yours at this terminal"),
    CommandRow(
        "check-game", "pbm.cli.authors.check_game", "check a game of yours, and explain faults"
    ),
    CommandRow(
        "check-language",
        "pbm.cli.translating",
        "check a translation of what the server says",
    ),
    CommandRow("admin", "pbm.cli.admin", "inspect the server and act as its operator"),
    CommandRow("verify-dice", "pbm.cli.verify_dice", "verify all dice of a finished board"),
    CommandRow(
        "tables", "pbm.cli.rendered_mails", "compute the tables of an event from its record"
    ),
    CommandRow(
        "doctor", "pbm.cli.doctor", "check configuration, database, mail routes and machine"
    ),
    CommandRow("manual", "pbm.cli.manual", "print a manual page, pbm(8) or pbm.toml(5)"),
    CommandRow("completion", "pbm.cli.completion", "print the completion script for your shell"),
)

_ADMIN = (
    OperatorRow(
        "board",
        "pbm.cli.admin.boards:board",
        "one board: position, log, seats, clocks, mails about it",
    ),
    OperatorRow(
        "player",
        "pbm.cli.admin.people:player",
        "one account: addresses, boards, mails, operators' actions",
    ),
    OperatorRow(
        "mails",
        "pbm.cli.admin.mails:mails",
        "mails in and out, each with its outcome and the reason",
    ),
    OperatorRow("mail", "pbm.cli.admin.mails:mail", "one mail and the mails it caused"),
    OperatorRow("stats", "pbm.cli.admin.top:stats", "moves per day, active players, queue lengths"),
    OperatorRow("top", "pbm.cli.admin.top:top", "a live screen: queues, rates, slow games, errors"),
    OperatorRow(
        "deliverability",
        "pbm.cli.admin.mails:deliverability",
        "what became of the mails to each provider, and what it said",
    ),
    OperatorRow(
        "sql", "pbm.cli.admin.sql:sql", "run one read-only SELECT over the documented views"
    ),
    OperatorRow(
        "check",
        "pbm.cli.admin.database:check",
        "check the database for consistency: replay every board",
        AdminPart.SERVER,
    ),
    OperatorRow(
        "db",
        "pbm.cli.admin.database:db",
        "the database: db create, db status, db upgrade",
        AdminPart.SERVER,
    ),
    OperatorRow(
        "keys",
        "pbm.cli.admin.keys:keys",
        "the keys of reply addresses and links: keys list, keys rotate",
        AdminPart.SERVER,
    ),
    OperatorRow(
        "backup",
        "pbm.cli.admin.database:backup",
        "back up the database while the server runs",
        AdminPart.SERVER,
    ),
    OperatorRow(
        "copy",
        "pbm.cli.admin.database:copy",
        "copy the database into an empty one, SQLite or PostgreSQL",
        AdminPart.SERVER,
    ),
    OperatorRow(
        "vacuum",
        "pbm.cli.admin.database:vacuum",
        "reclaim the space of deleted rows",
        AdminPart.SERVER,
    ),
    OperatorRow(
        "reload",
        "pbm.cli.admin.reload:reload",
        "have the server reload its configuration",
        AdminPart.SERVER,
    ),
    OperatorRow(
        "retry",
        "pbm.cli.admin.acts.mails:retry",
        "send or execute a mail again, now",
        AdminPart.MAILS,
    ),
    OperatorRow(
        "resend", "pbm.cli.admin.acts.mails:resend", "send a mail once more", AdminPart.MAILS
    ),
    OperatorRow("drop", "pbm.cli.admin.acts.mails:drop", "give up a mail", AdminPart.MAILS),
    OperatorRow(
        "release",
        "pbm.cli.admin.acts.mails:release",
        "execute a mail that was set aside",
        AdminPart.MAILS,
    ),
    OperatorRow(
        "announce",
        "pbm.cli.admin.acts.acting:announce",
        "mail a text to all players",
        AdminPart.PLAYERS,
    ),
    OperatorRow(
        "player-data",
        "pbm.cli.admin.people:player_data",
        "everything that is kept about a player",
        AdminPart.PLAYERS,
    ),
    OperatorRow(
        "export", "pbm.cli.admin.boards:export", "write the records of boards", AdminPart.BOARDS
    ),
    OperatorRow(
        "import",
        "pbm.cli.admin.acts.mails:import_",
        "create boards from records",
        AdminPart.BOARDS,
    ),
)
"""Commands that need more than a row, or belong to no feature."""

ADMIN: tuple[OperatorRow | ActRow | ListRow, ...] = tuple(
    sorted((*_ADMIN, *list_operator_rows()), key=lambda row: [*AdminPart].index(row.part))
)
"""The operator's commands, in the order of their help; "event result" belongs to the group
event."""
