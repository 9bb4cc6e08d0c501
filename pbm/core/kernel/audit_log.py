"""What players themselves do that the operator may have to look up later."""

from __future__ import annotations

from sqlalchemy import insert

from pbm.core.kernel.context import Context
from pbm.store.tables import audit


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
