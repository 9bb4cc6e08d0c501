"""What the command line offers, as data: a command's module is imported only when it is called.

Those of the game server itself stand in `pbm.core.language.verbs`; they come in from there."""

from __future__ import annotations

from typing import NamedTuple


class Row(NamedTuple):
    """A command: its name, where it is (module, or module:name where it is not called `command`),
    and one line of help."""

    name: str
    module: str
    help: str


COMMANDS: tuple[Row, ...] = (
    Row("serve", "pbm.cli.serve", "run the server until SIGTERM"),
    Row("send", "pbm.cli.send", "mail a command to the running server, print the answers"),
    Row("demo", "pbm.cli.demo", "watch two players play a whole game by mail"),
    Row("play", "pbm.cli.play", "play on a board at this terminal"),
    Row("receive", "pbm.cli.receive", "take one mail from standard input, as a mail server does"),
    Row("admin", "pbm.cli.admin", "look into the server, and act as its operator"),
    Row("verify-dice", "pbm.cli.verify_dice", "check all dice of a board that is over"),
    Row("doctor", "pbm.cli.doctor", "check configuration, database, mail ways and machine"),
    Row("completion", "pbm.cli.completion", "the line that teaches your shell to complete pbm"),
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
        "one account: addresses, boards, mails, what was done",
    ),
    Row("mails", "pbm.cli.admin.mails:mails", "mails in and out, with what became of them and why"),
    Row("mail", "pbm.cli.admin.mails:mail", "one mail and the mails it caused"),
    Row("moves", "pbm.cli.admin.boards:moves", "the newest moves of all boards"),
    Row("ratings", "pbm.cli.admin.people:ratings", "the ratings of all players"),
    Row("audit", "pbm.cli.admin.stats:audit", "what operators did, and why"),
    Row(
        "stats", "pbm.cli.admin.stats:stats", "moves a day, who is active, how long the queues are"
    ),
    Row("sql", "pbm.cli.admin.sql:sql", "one SELECT over the documented views, read-only"),
    Row(
        "check",
        "pbm.cli.admin.database:check",
        "hold the database against itself: replay every board",
    ),
    Row("db", "pbm.cli.admin.database:db", "the schema: db status, db upgrade"),
    Row("backup", "pbm.cli.admin.database:backup", "a copy of the database, while the server runs"),
    Row("copy", "pbm.cli.admin.moving:copy", "the whole database into another one, of any kind"),
    Row("vacuum", "pbm.cli.admin.moving:vacuum", "give room back that deleted rows took"),
    Row("export", "pbm.cli.admin.records:export", "boards as their records"),
    Row("reload", "pbm.cli.admin.reload:reload", "the server reads its configuration again"),
    Row("retry", "pbm.cli.admin.act_mails:retry", "send or execute a mail once more, now"),
    Row("drop", "pbm.cli.admin.act_mails:drop", "give up a mail"),
    Row("release", "pbm.cli.admin.act_mails:release", "let a mail that was set aside be executed"),
    Row(
        "reset-password",
        "pbm.cli.admin.act_people:reset_password",
        "mail a player a code for a new one",
    ),
    Row(
        "suspend",
        "pbm.cli.admin.act_people:suspend",
        "stop a player from acting, or mail to an address",
    ),
    Row(
        "unsuspend",
        "pbm.cli.admin.act_people:unsuspend",
        "let the player or address take part again",
    ),
    Row("ban", "pbm.cli.admin.act_people:ban", "take nothing from an address, domain or account"),
    Row("unban", "pbm.cli.admin.act_people:unban", "lift a ban"),
    Row("bans", "pbm.cli.admin.people:bans", "who is banned, and where mail is stopped"),
    Row("cancel", "pbm.cli.admin.act_boards:cancel", "end a board without a result"),
    Row("adjudicate", "pbm.cli.admin.act_boards:adjudicate", "give a board its result"),
    Row("rollback", "pbm.cli.admin.act_boards:rollback", "take a board back to an earlier move"),
    Row("import", "pbm.cli.admin.act_boards:import_", "boards from their records"),
    Row("announce", "pbm.cli.admin.act_people:announce", "mail a text to all players"),
)
