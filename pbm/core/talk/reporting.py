"""`report`: a player complains of another one to the operator."""

from __future__ import annotations

from pbm.core.kernel.audit_log import add_audit_row
from pbm.core.kernel.context import Context
from pbm.core.kernel.language.call import Call
from pbm.core.kernel.notices.notice import Notice
from pbm.core.kernel.players.player import Player, find_player
from pbm.core.kernel.players.similar import refuse_unknown_player
from pbm.core.kernel.refusal import Refusal, RefusalCode
from pbm.core.talk.notices import AbuseReport, ReportPassedOn
from pbm.rules.phrases import phrase
from pbm.store import daily_counters
from pbm.store.reads.account_rows import REPORT
from pbm.store.reads.board_rows import find_chats

_LONGEST_REASON = 300
_MOST_CHATS = 50
_MOST_SHOWN = 5


def report(call: Call) -> list[Notice]:
    """Record what a player reports of another one, and mail it to the operator, with what that one
    wrote last at the board whose mail was answered. The other one is not told."""
    sender = call.me
    form = f"report {sender.userid} PASSWORD USERID"
    text = call.command.text.strip()
    if len(call.command.words) != 1 or not text:
        raise Refusal(
            RefusalCode.MISSING_ARGUMENT,
            phrase("name one player, and write in the body of the mail what has happened"),
            form,
        )
    (userid,) = call.command.words
    reported = find_player(call.session, userid)
    if reported is None:
        raise refuse_unknown_player(call, userid, form)
    limit = call.config.limits.reports_a_day
    if not daily_counters.allow(call.session, f"reports {sender.id}", call.now, limit):
        raise Refusal(
            RefusalCode.LIMIT_REACHED,
            phrase(
                "you have sent as many reports as a day allows ({limit}): send the rest tomorrow, "
                "in one mail",
                limit=limit,
            ),
            form,
        )
    board = call.command.sender.board
    add_audit_row(
        call,
        sender.userid,
        REPORT,
        player=reported.id,
        board=board,
        reason=" ".join(text.split())[:_LONGEST_REASON],
    )
    answer = call.answer(ReportPassedOn(userid=sender.userid, reported=reported.userid))
    operator = call.config.house.operator
    if not operator:
        return [answer]
    content = AbuseReport(
        writer=sender.userid,
        reported=reported.userid,
        text=text,
        board=board,
        chats=_find_last_chats(call, board, reported),
    )
    return [answer, Notice(content, addresses=(operator,))]


def _find_last_chats(context: Context, board: int, writer: Player) -> list[str]:
    """Return what a player wrote last at a board, oldest first."""
    if not board:
        return []
    lines = find_chats(context.session, board, _MOST_CHATS)
    own = [line.text for line in lines if line.userid == writer.userid]
    return own[-_MOST_SHOWN:]
