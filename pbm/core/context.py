"""The context in which something is done: the transaction, the time, secrets and configuration."""

from __future__ import annotations

from collections.abc import Callable

from msgspec import Struct
from sqlalchemy import insert

from pbm.config import Config
from pbm.core.notices import Content, Notice
from pbm.core.player import Player
from pbm.core.secrets import Secrets
from pbm.store import reads
from pbm.store.reads import find_captain
from pbm.store.tables import audit
from pbm.store.transaction import Session


class Context(Struct):
    """What something is done with. `player` is who does it, None for the scheduler and the
    operator."""

    session: Session
    now: float
    secrets: Secrets
    config: Config
    player: Player | None = None

    @property
    def vouched(self) -> tuple[Player, ...]:
        """The players whom the From of a mail proves."""
        return ()

    @property
    def has_left_lines(self) -> bool:
        """Whether the answer has to name lines that were left."""
        return False

    def build_notice(self, player: Player, content: Content) -> Notice:
        """Build a notice to a player at all confirmed addresses; of a team, to its captain."""
        return address_to(self.session, player.id, content, is_team=player.is_team)


def address_to(session: Session, player: int, content: Content, *, is_team: bool) -> Notice:
    """Return a notice to the player with that number; of a team, to its captain."""
    reader = (find_captain(session, player) or player) if is_team else player
    return Notice(content, addresses=reads.find_addresses(session, reader), player=reader)


# What players themselves do that the operator may have to look up later.

NO_MAIL = "without a mail: "
"""What begins the action of a command that came by a click or from the terminal: mails keep theirs,
and a board's log has what is done there."""


def add_audit_row(
    context: Context, actor: str, action: str, *, player: int, board: int = 0, reason: str = ""
) -> None:
    """Add a row to the audit table."""
    context.session.execute(
        insert(audit).values(
            at=context.now,
            actor=actor,
            action=action,
            player_id=player,
            board_id=board or None,
            reason=reason,
        )
    )


# The work of one tick of the scheduler, which features do their part of.


class DueWork(Struct, frozen=True):
    """A tick.

    context     the context in which it is done, in nobody's name
    oldest      when the oldest mail came that waits; infinite when none does
    failed      takes notice of what was postponed, as it failed: ("event", its number, why)
    background  computes between ticks what would take long; None where everything waits for it
    """

    context: Context
    oldest: float
    failed: Callable[[str, int, Exception], object] = lambda kind, number, error: None
    background: object = None
