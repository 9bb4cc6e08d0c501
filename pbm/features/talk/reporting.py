"""`report`: a player complains of another one to the operator."""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy import select, update

from pbm.core.call import Call
from pbm.core.context import Context, add_audit_row
from pbm.core.feature import ActRow, AdminPart, Argument
from pbm.core.limits import Limit, spend
from pbm.core.notices import Notice
from pbm.core.operator import OperatorAct
from pbm.core.player import Player, build_player, find_player, get_player
from pbm.core.refusal import Refusal, RefusalCode
from pbm.core.refusal_texts import refuse_unknown_player
from pbm.features.talk.chat import AbuseReport, ReportPassedOn
from pbm.features.talk.rows import find_chats
from pbm.rules.phrases import phrase
from pbm.store import reads
from pbm.store.reads import REPORT, find_mailbox
from pbm.store.rows import Query
from pbm.store.tables import AuditRow, audit
from pbm.store.transaction import Session

UPHELD = "uphold report"
"""The beginning of the audit's action by which a moderator agrees with a report."""
_LONGEST_REASON = 300
_MOST_CHATS = 50
_MOST_SHOWN = 5


def report(call: Call) -> list[Notice]:
    """Record a player's report of another one, and mail it to the operator, with the other one's
    last texts at the board whose mail was answered. The other one is not notified."""
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
    mailbox = find_mailbox(call.session, sender.id)
    if not spend(call.session, Limit.REPORTS, mailbox, call.now, call.config):
        raise Refusal(
            RefusalCode.LIMIT_REACHED,
            phrase(
                "you have sent as many reports as a day allows ({limit}): send the rest tomorrow, "
                "in one mail",
                limit=Limit.REPORTS.find_most(call.config),
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
    return [answer, Notice(content, addresses=(operator,), cause=sender.id)]


def _find_last_chats(context: Context, board: int, writer: Player) -> list[str]:
    """Return a player's last texts at a board, oldest first."""
    if not board:
        return []
    lines = find_chats(context.session, board, _MOST_CHATS, is_settled=True)
    own = [line.text for line in lines if line.userid == writer.userid]
    return own[-_MOST_SHOWN:]


# What an operator writes to players. Nothing here commits.


def find_reports(session: Session, since: float = 0.0, *, by: str = "") -> Sequence[AuditRow]:
    """Return the reports since a time, or by a player, oldest first; decided ones are `closed`."""
    query = select(audit).where(audit.c.action == REPORT, audit.c.at >= since).order_by(audit.c.id)
    return session.all(Query(AuditRow, query.where(audit.c.actor == by) if by else query))


def answer_report(act: OperatorAct, userid: str) -> list[Notice]:
    """Mail the reason to a player who has reported another one, and mark the player's reports as
    decided. Refused for anybody else."""
    player = act.find_player(userid)
    reports = find_reports(act.session, by=player.userid)
    if not reports:
        raise Refusal(
            RefusalCode.WRONG_STATE, phrase("{userid} has reported nobody", userid=player.userid)
        )
    numbers = [row.id for row in reports if row.closed is None]
    _close(act, numbers)
    act.record("answer a report", player=player.id, undo=("answer", *numbers))
    return [act.notify(player, phrase("your report"), act.reason_line)]


def decide_report(act: OperatorAct, row: AuditRow, *, is_upheld: bool) -> list[Notice]:
    """Decide that a report is right, or has no consequence, and notify the reporter."""
    _close(act, [row.id])
    action = f"{UPHELD if is_upheld else 'dismiss report'} {row.id}"
    act.record(action, player=row.player_id, board=row.board_id, undo=("answer", row.id))
    writer = find_player(act.session, row.actor)
    reported = get_player(act.session, row.player_id or 0)
    if writer is None or reported is None:
        return []
    userid = reported.userid
    said = phrase("{who} agrees with your report about {userid}", who=act.who, userid=userid)
    if not is_upheld:
        said = phrase(
            "{who} has looked at your report about {userid}, and nothing follows from it",
            who=act.who,
            userid=userid,
        )
    return [act.notify(writer, phrase("your report"), act.give_reason(said))]


def undo_answer(act: OperatorAct, *numbers: int) -> list[Notice]:
    """Reopen the reports with these numbers. Mails about the decision have already gone out."""
    act.session.execute(update(audit).where(audit.c.id.in_(numbers)).values(closed=None))
    return []


def _close(act: OperatorAct, numbers: Sequence[int]) -> None:
    chosen = update(audit).where(audit.c.id.in_(numbers))
    act.session.execute(chosen.values(closed=act.now))


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


# What the operator answers to players.

ACTS = (
    ActRow(
        "answer",
        "answer a player who has reported another one",
        "Mail a player who has reported another one. The reason is the text of the mail.",
        "Mail this to {userid}?",
        answer_report,
        (Argument("userid", "userid"),),
        AdminPart.PLAYERS,
        for_moderators=True,
        undo=undo_answer,
    ),
)
