"""Comments on columns and tables are edited; SQLite has none."""

from alembic import op

revision = "0009"
down_revision = "0008"

_TABLES = {
    "pauses": "Times at which clocks stand still: vacations of a player, downtimes of the server.",
    "rating_changes": "What each rated board did to the ratings of its players, in order.",
}
_COLUMNS = {
    "boards.position": "cache of what a replay of the moves leads to",
    "boards.undos": "number of undos; each expires the reply tokens before it",
    "boards.look": "when the scheduler looks at it next",
    "boards.kept": "what is needed to wake it, or to take back its last act",
    "inbound.envelope_from": "NULL when the source has none",
    "inbound.worker": "the worker that is to execute it",
    "inbound.outcome": "the result in words",
    "players.seen": "time of the last command",
    "bans.kind": "ban: no mail either way; stop: none is sent",
    "moves.words": "the move as spectators read it",
    "moves.news": "what happened as a consequence",
    "moves.key": "key of the position, to find repetitions",
    "offers.players": "number of seats",
    "offers.joined": "the players so far, whoever made it first",
    "offers.lowest": "the lowest rating, as shown, that may join",
    "rating_changes.chance": "of winning, by the ratings before",
    "ratings.won": "boards won alone",
    "ratings.lost": "boards lost; the rest are ties",
    "seats.moved": "whether it has ever moved",
    "seats.spent": "seconds used on its clock",
    "seats.due": "the announced time of its forfeit",
}


def upgrade() -> None:
    if op.get_bind().dialect.name != "postgresql":
        return
    for table, comment in _TABLES.items():
        op.create_table_comment(table, comment)
    for name, comment in _COLUMNS.items():
        table, _, column = name.partition(".")
        op.alter_column(table, column, comment=comment)
