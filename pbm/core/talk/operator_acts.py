"""What an operator writes to players. Nothing here commits."""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy import select

from pbm.core.kernel.notices.notice import Notice
from pbm.core.kernel.operator import OperatorAct
from pbm.core.kernel.players.player import build_player
from pbm.core.kernel.refusal import Refusal, RefusalCode
from pbm.rules.phrases import phrase
from pbm.store import reads
from pbm.store.reads.account_rows import REPORT
from pbm.store.tables import audit


def answer_report(act: OperatorAct, userid: str) -> list[Notice]:
    """Mail the reason to a player who has reported another one. Refused for anybody else."""
    player = act.find_player(userid)
    reported = select(audit.c.id).where(audit.c.action == REPORT, audit.c.actor == player.userid)
    if act.session.execute(reported.limit(1)).scalar() is None:
        raise Refusal(
            RefusalCode.WRONG_STATE, phrase("{userid} has reported nobody", userid=player.userid)
        )
    act.record("answer a report", player=player.id)
    return [act.notify(player, phrase("your report"), act.reason_line)]


def announce(
    act: OperatorAct, subject: str, text: str, userids: Sequence[str] = ()
) -> list[Notice]:
    """Send a text to these players, or to every active one. Refused when one of them is closed or
    has no address that mail can reach."""
    if not userids:
        act.record(f"announce: {subject}")
        rows = reads.find_active_players(act.session)
        return [act.notify(build_player(row), subject, text) for row in rows]
    chosen = {player.id: player for player in map(act.find_player, userids)}
    notices = [act.notify(player, subject, text) for player in chosen.values()]
    for player, notice in zip(chosen.values(), notices, strict=True):
        if not notice.addresses:
            problem = phrase("{userid} has no address that mail can reach", userid=player.userid)
            raise Refusal(RefusalCode.WRONG_STATE, problem)
        act.record(f"write: {subject}", player=player.id)
    return notices
