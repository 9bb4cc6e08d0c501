"""What players themselves do that the operator may have to look up later."""

from __future__ import annotations

from sqlalchemy import insert

from pbm.core.kernel.language.call import Call
from pbm.store.tables import audit


def add_audit_row(
    call: Call, actor: str, action: str, *, player: int, board: int = 0, reason: str = ""
) -> None:
    """Add a row to the audit table."""
    call.session.execute(
        insert(audit).values(
            at=call.now,
            actor=actor,
            action=action,
            player_id=player,
            board_id=board or None,
            reason=reason,
        )
    )
