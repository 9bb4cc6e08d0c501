"""What became of an incoming mail is a code; earlier releases wrote sentences only."""

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"

_CODES = """
UPDATE inbound SET code = CASE
    WHEN outcome LIKE 'a copy of mail %' THEN 'duplicate'
    WHEN outcome LIKE 'a machine: %' THEN 'machine'
    WHEN outcome LIKE 'bounce without our token%' THEN 'unproven_bounce'
    WHEN outcome LIKE 'bounce: %' THEN 'bounce'
    WHEN outcome = 'not a report' THEN 'not_a_report'
    WHEN outcome = 'our own address' THEN 'own_address'
    WHEN outcome = 'no single sender' THEN 'no_sender'
    WHEN outcome = 'banned' THEN 'banned'
    WHEN outcome LIKE 'a mail to the postmaster%' THEN 'postmaster'
    WHEN outcome LIKE 'the operator dropped it%' THEN 'dropped'
    WHEN outcome LIKE 'no command%' THEN 'no_command'
    WHEN outcome LIKE 'done: %' AND outcome LIKE '%; refused: %' THEN 'partly_executed'
    WHEN outcome LIKE 'refused: %' AND outcome LIKE '%; done: %' THEN 'partly_executed'
    WHEN outcome LIKE 'done: %' THEN 'executed'
    WHEN outcome LIKE 'refused: %' THEN 'refused'
    WHEN outcome LIKE 'failed: TookTooLong%' THEN 'timed_out'
    WHEN outcome LIKE 'failed: %' THEN 'fault'
    WHEN outcome LIKE 'waited when the backup of %' THEN 'restored'
    WHEN state = 'aside' THEN 'unreadable'
    ELSE '' END
"""
_ABOUT = (
    "UPDATE inbound SET about = substr(outcome, 16) WHERE code = 'duplicate'",
    "UPDATE inbound SET about = substr(outcome, 12) WHERE code = 'machine'",
)
_SILENCE = "; no answer: "
_REASONS = {
    "the operator stopped mail": "stopped_address",
    "a machine is not told of errors: ": "machine",
    "the same words had": "repeated",
    "the errors that are answered": "errors_spent",
    "no more help today": "help_spent",
    "the pages of today": "pages_spent",
    "a stranger, or an address": "stranger",
    "the player wants no copy": "own_move",
}


def upgrade() -> None:
    for name, comment in (
        ("code", "what became of it: a MailOutcome, empty until it was tried"),
        ("about", "what the code is about: number of the original, mark of a machine"),
        ("no_answer", "why nobody was answered: a NoAnswer"),
    ):
        column = sa.Column(name, sa.Text(), server_default="", nullable=False, comment=comment)
        op.add_column("inbound", column)
    op.execute(_CODES)
    for statement in _ABOUT:
        op.execute(statement)
    inbound = sa.table(
        "inbound", sa.column("id"), sa.column("outcome"), sa.column("about"), sa.column("no_answer")
    )
    silent = sa.select(inbound.c.id, inbound.c.outcome).where(
        inbound.c.outcome.contains(_SILENCE, autoescape=True)
    )
    for row in op.get_bind().execute(silent).all():
        text = row.outcome.rpartition(_SILENCE)[2]
        for words, reason in _REASONS.items():
            if text.startswith(words):
                about = text.removeprefix(words) if reason == "machine" else ""
                op.execute(
                    inbound.update()
                    .where(inbound.c.id == row.id)
                    .values(no_answer=reason, about=about)
                )
