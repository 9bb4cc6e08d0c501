"""The tables of commands. A command's module is imported only when the command runs.

What players do is in `pbm.core.kernel.language.verbs`; the command line takes it from there."""

from __future__ import annotations

from typing import NamedTuple


class Row(NamedTuple):
    """A command: its name, its module (or module:name if it is not called `command`), and one line
    of help."""

    name: str
    module: str
    help: str


COMMANDS: tuple[Row, ...] = (
    Row("serve", "pbm.cli.serve", "run the server until SIGTERM"),
    Row("setup", "pbm.cli.setup", "write the files that a new server needs, after a few questions"),
    Row("send", "pbm.cli.send", "mail a command to the running server, print the answers"),
    Row("demo", "pbm.cli.demo", "watch two players play a whole game by mail"),
    Row("play", "pbm.cli.play", "play a board at this terminal"),
    Row(
        "receive",
        "pbm.cli.receive",
        "accept one mail from standard input, for a mail server's pipe",
    ),
    Row("new-game", "pbm.cli.authors.new_game", "write the package of a new game of yours"),
    Row("try", "pbm.cli.authors.try_game", "play a game of yours at this terminal"),
    Row("check-game", "pbm.cli.authors.check_game", "check a game of yours, and explain faults"),
    Row("admin", "pbm.cli.admin", "inspect the server and act as its operator"),
    Row("verify-dice", "pbm.cli.verify_dice", "verify all dice of a finished board"),
    Row("tables", "pbm.cli.show_tables", "compute the tables of an event from its record"),
    Row("doctor", "pbm.cli.doctor", "check configuration, database, mail routes and machine"),
    Row("manual", "pbm.cli.manual", "print a manual page, pbm(8) or pbm.toml(5)"),
    Row("completion", "pbm.cli.completion", "print the completion script for your shell"),
)

ADMIN: tuple[Row, ...] = (
    Row("boards", "pbm.cli.admin.boards:boards", "boards, newest first"),
    Row(
        "board",
        "pbm.cli.admin.boards:board",
        "one board: position, log, seats, clocks, mails about it",
    ),
    Row("players", "pbm.cli.admin.people:players", "accounts"),
    Row(
        "player",
        "pbm.cli.admin.people:player",
        "one account: addresses, boards, mails, operators' actions",
    ),
    Row(
        "mails",
        "pbm.cli.admin.mails:mails",
        "mails in and out, each with its outcome and the reason",
    ),
    Row("mail", "pbm.cli.admin.mails:mail", "one mail and the mails it caused"),
    Row("moves", "pbm.cli.admin.boards:moves", "the latest moves on all boards"),
    Row("ratings", "pbm.cli.admin.people:ratings", "the ratings of all players"),
    Row("audit", "pbm.cli.admin.stats:audit", "what operators did and why"),
    Row("stats", "pbm.cli.admin.stats:stats", "moves per day, active players, queue lengths"),
    Row("top", "pbm.cli.admin.top:top", "a live screen: queues, rates, slow games, errors"),
    Row(
        "deliverability",
        "pbm.cli.admin.deliverability:deliverability",
        "what became of the mails to each provider, and what it said",
    ),
    Row("sql", "pbm.cli.admin.sql:sql", "run one read-only SELECT over the documented views"),
    Row(
        "check",
        "pbm.cli.admin.database:check",
        "check the database for consistency: replay every board",
    ),
    Row("db", "pbm.cli.admin.database:db", "the database: db create, db status, db upgrade"),
    Row("backup", "pbm.cli.admin.database:backup", "back up the database while the server runs"),
    Row(
        "copy",
        "pbm.cli.admin.moving:copy",
        "copy the database into an empty one, SQLite or PostgreSQL",
    ),
    Row("vacuum", "pbm.cli.admin.moving:vacuum", "reclaim the space of deleted rows"),
    Row("export", "pbm.cli.admin.records:export", "write the records of boards"),
    Row("reload", "pbm.cli.admin.reload:reload", "have the server reload its configuration"),
    Row("retry", "pbm.cli.admin.acts.act_mails:retry", "send or execute a mail again, now"),
    Row("resend", "pbm.cli.admin.acts.act_mails:resend", "send a mail once more"),
    Row("drop", "pbm.cli.admin.acts.act_mails:drop", "give up a mail"),
    Row("release", "pbm.cli.admin.acts.act_mails:release", "execute a mail that was set aside"),
    Row(
        "reset-password",
        "pbm.cli.admin.acts.act_people:reset_password",
        "mail a player a code to choose a new password",
    ),
    Row(
        "set-address",
        "pbm.cli.admin.acts.act_people:set_address",
        "give a player whose mailbox is dead another address",
    ),
    Row("rename", "pbm.cli.admin.acts.act_accounts:rename", "give a player another userid"),
    Row("merge", "pbm.cli.admin.acts.act_accounts:merge", "make two accounts of one person one"),
    Row(
        "erase",
        "pbm.cli.admin.acts.act_accounts:erase",
        "erase a player; boards stay as a former player's",
    ),
    Row(
        "player-data",
        "pbm.cli.admin.acts.act_accounts:player_data",
        "everything that is kept about a player",
    ),
    Row(
        "suspend",
        "pbm.cli.admin.acts.act_people:suspend",
        "suspend a player, or stop mail to an address",
    ),
    Row(
        "unsuspend",
        "pbm.cli.admin.acts.act_people:unsuspend",
        "lift a suspension, or resume mail to an address",
    ),
    Row(
        "invite",
        "pbm.cli.admin.acts.act_signups:invite",
        "let an address sign up, and mail it once",
    ),
    Row(
        "approve",
        "pbm.cli.admin.acts.act_signups:approve",
        "open an account that waits to be approved",
    ),
    Row(
        "deny",
        "pbm.cli.admin.acts.act_signups:deny",
        "delete an account that waits to be approved",
    ),
    Row("ban", "pbm.cli.admin.acts.act_people:ban", "refuse an address, domain or account"),
    Row("unban", "pbm.cli.admin.acts.act_people:unban", "lift a ban"),
    Row("bans", "pbm.cli.admin.people:bans", "who is banned, and which addresses get no mail"),
    Row("cancel", "pbm.cli.admin.acts.act_boards:cancel", "end a board without a result"),
    Row(
        "adjudicate",
        "pbm.cli.admin.acts.act_boards:adjudicate",
        "end a board with a result you decide",
    ),
    Row(
        "rollback", "pbm.cli.admin.acts.act_boards:rollback", "take a board back to an earlier move"
    ),
    Row(
        "event",
        "pbm.cli.admin.acts.act_boards:event",
        "correct an event: a result, a player, a date",
    ),
    Row("import", "pbm.cli.admin.acts.act_boards:import_", "create boards from records"),
    Row("announce", "pbm.cli.admin.acts.act_people:announce", "mail a text to all players"),
)
