"""What an operator may do to boards, players and mail. Each act leaves a row in the audit table and
is told to the players concerned, with its reason.

Like every other act of the core it never commits; whether the operator may is decided outside."""

from __future__ import annotations

from dataclasses import dataclass

from sqlalchemy import insert, select, update

from pbm.config import Config
from pbm.core.language.call import Call
from pbm.core.language.parser import Command, Sender
from pbm.core.language.verbs import get_verb
from pbm.core.model.board import Board
from pbm.core.model.board_store import load, save
from pbm.core.model.log import entry_of
from pbm.core.model.notice import Notice
from pbm.core.model.notices.account_notices import ResetCode
from pbm.core.model.notices.talk_notices import OperatorMessage
from pbm.core.model.player import NO_PASSWORD, Player, find_player, player_from_row
from pbm.core.model.refusal import Refusal, RefusalCode
from pbm.core.model.secrets import Secrets
from pbm.core.service import retention
from pbm.core.views.board_updates import notify_board
from pbm.rules import Outcome
from pbm.store import reads
from pbm.store.daily_counters import DAY
from pbm.store.mail_outcome import MailOutcome
from pbm.store.rows import Query, Row
from pbm.store.tables import audit, codes, inbound, outbound, players
from pbm.store.transaction import Session

_LONGEST = 300


class MailRow(Row):
    """Whom and what a mail is about."""

    player_id: int | None
    board_id: int | None


@dataclass(frozen=True, slots=True)
class OperatorAct:
    """An act of an operator: who, why and when, inside the caller's transaction."""

    session: Session
    actor: str
    reason: str
    now: float
    secrets: Secrets
    config: Config

    @property
    def why(self) -> str:
        """The reason as one line that may stand in a mail."""
        plain = "".join(letter if letter.isprintable() else " " for letter in self.reason)
        return " ".join(plain.split())[:_LONGEST]

    def record(self, action: str, *, player: int | None = None, board: int | None = None) -> None:
        """Add the row to the audit table."""
        self.session.execute(
            insert(audit).values(
                at=self.now,
                actor=self.actor,
                action=action,
                player_id=player,
                board_id=board,
                reason=self.why,
            )
        )

    def because(self, event: str) -> str:
        """The event with the reason, as players read it."""
        return f"the operator {event}: {self.why}" if self.why else f"the operator {event}"

    def call(self, board: int) -> Call:
        """A call that nobody but the operator sent."""
        verb = get_verb("cancel")
        command = Command(verb, Sender(via="terminal", operator=True), board=board)
        return Call(self.session, command, self.now, self.secrets, self.config)

    def player(self, userid: str) -> Player:
        """The player of that userid; Refusal when there is none."""
        found = find_player(self.session, userid)
        if found is None:
            raise Refusal(RefusalCode.NO_SUCH_PLAYER, "there is no player of that userid")
        return found

    def tell(self, player: Player, subject: str, text: str) -> Notice:
        """A notice to a player from the operator."""
        where = reads.addresses_of(self.session, player.id)
        return Notice(OperatorMessage(subject=subject, text=text), where, player.id)


def cancel(desk: OperatorAct, number: int) -> list[Notice]:
    """End a board without a result; Refusal when it has ended."""
    board = _open(desk, number)
    board.cancel(None, desk.because("cancels"), desk.now)
    save(desk.session, board, desk.now)
    desk.record("cancel", board=board.id)
    return notify_board(desk.call(number), board, desk.because("cancelled this board"))


def adjudicate(desk: OperatorAct, number: int, ranks: tuple[int, ...]) -> list[Notice]:
    """Give a board the ranks of its seats; Refusal when they cannot be ranks or it has ended."""
    board = _open(desk, number)
    if board.state == "invited":
        raise Refusal(RefusalCode.NOT_STARTED, f"board {number} has not begun: cancel it")
    if len(ranks) != len(board.seats) or any(
        rank != 1 + sum(other < rank for other in ranks) for rank in ranks
    ):
        raise Refusal(
            RefusalCode.BAD_ARGUMENT,
            f"ranks are one number for each of {len(board.seats)} seats, 1 for the best, equal for "
            "ties: 1,2 or 1,1",
        )
    reason = desk.because("decided")
    board.adjudicate(Outcome(ranks, reason), desk.now)
    save(desk.session, board, desk.now)
    desk.record(f"adjudicate {','.join(map(str, ranks))}", board=board.id)
    return notify_board(desk.call(number), board, reason)


def roll_back(desk: OperatorAct, number: int, ply: int) -> list[Notice]:
    """Take a board back to the position after `ply` moves, also one that has ended; Refusal when
    it never got there or was only an invitation."""
    board = load(desk.session, number, lock=True)
    if not (board.ply or all(seat.accepted for seat in board.seats)):
        raise Refusal(RefusalCode.NOT_STARTED, f"board {number} has not begun")
    if not board.secret:
        raise Refusal(RefusalCode.WRONG_STATE, f"board {number} was imported and stays as it is")
    if not 0 <= ply <= board.ply:
        raise Refusal(RefusalCode.NO_SUCH_PLY, f"board {number} has had {board.ply} moves")
    log = [entry_of(row) for row in reads.log_of(desk.session, number)]
    board.roll_back(ply, desk.because("took back"), log, desk.now)
    save(desk.session, board, desk.now)
    desk.record(f"rollback to {ply}", board=board.id)
    where = f"to the position after move {ply}" if ply else "to the start"
    return notify_board(desk.call(number), board, desk.because(f"took the board back {where}"))


def _open(desk: OperatorAct, number: int) -> Board:
    board = load(desk.session, number, lock=True, anyway=True)
    if board.is_over:
        raise Refusal(RefusalCode.BOARD_OVER, f"board {number} is over")
    return board


def reset_password(desk: OperatorAct, userid: str) -> list[Notice]:
    """Make the old password worthless and mail the player a code for a new one. The operator sees
    neither. Refusal for an account without an address."""
    player = desk.player(userid)
    where = reads.addresses_of(desk.session, player.id)
    if not player.is_active or not where:
        raise Refusal(RefusalCode.WRONG_STATE, "this account is not open, or no mail can reach it")
    code = desk.secrets.new_code()
    desk.session.execute(
        insert(codes).values(
            player_id=player.id,
            purpose="reset",
            digest=desk.secrets.digest_of_code(code),
            created=desk.now,
            expires=desk.now + DAY,
        )
    )
    desk.session.execute(
        update(players).where(players.c.id == player.id).values(password=NO_PASSWORD)
    )
    desk.record("reset password", player=player.id)
    text = desk.because("withdrew your password") + ". A code for a new one comes in another mail"
    return [
        desk.tell(player, "choose a new password", text),
        Notice(ResetCode(userid=player.userid, code=code, days=1), where, player.id),
    ]


def announce(desk: OperatorAct, subject: str, text: str) -> list[Notice]:
    """A text to every active player."""
    desk.record(f"announce: {subject}")
    rows = reads.active_players(desk.session)
    return [desk.tell(player_from_row(row), subject, text) for row in rows]


def mails_in(desk: OperatorAct, state: str) -> list[tuple[str, int]]:
    """(way, number) of all mails in a state: incoming ones that are aside, else outgoing ones."""
    way, table = ("in", inbound) if state == "aside" else ("out", outbound)
    query = select(table.c.id).where(table.c.state == state).order_by(table.c.id)
    return [(way, number) for number in desk.session.execute(query).scalars()]


def retry_mail(desk: OperatorAct, way: str, number: int) -> None:
    """Let a mail be sent or executed at the next opportunity; Refusal when it is done."""
    if way == "out":
        row = _change_out(
            desk,
            number,
            ("waiting", "failed", "dropped"),
            state="waiting",
            next_attempt=desk.now,
            finished=None,
        )
    else:
        row = _change_in(
            desk, number, ("waiting", "aside"), state="waiting", finished=None, worker=""
        )
    desk.record(f"retry mail {way}:{number}", player=row.player_id, board=row.board_id)


def drop_mail(desk: OperatorAct, way: str, number: int) -> None:
    """Give up a mail that waits or was set aside; Refusal when it is done."""
    if way == "out":
        row = _change_out(
            desk,
            number,
            ("waiting",),
            state="dropped",
            finished=desk.now,
            why=desk.because("dropped it"),
        )
    else:
        row = _change_in(
            desk,
            number,
            ("waiting", "aside"),
            state="done",
            finished=desk.now,
            code=MailOutcome.DROPPED,
            outcome=desk.because("dropped it"),
            raw=b"\r\n(text removed)\r\n",
        )
    desk.record(f"drop mail {way}:{number}", player=row.player_id, board=row.board_id)


def release_mail(desk: OperatorAct, number: int) -> None:
    """Let a mail that was set aside be executed as if it had just come; Refusal for any other."""
    _change_in(desk, number, ("aside",), state="waiting", finished=None, attempts=0, worker="")
    desk.record(f"release mail in:{number}")


def _change_out(
    desk: OperatorAct, number: int, states: tuple[str, ...], **values: object
) -> MailRow:
    retention.look_again(desk.session, "out", number)
    has_text = outbound.c.recipient != ""
    chosen = (outbound.c.id == number) & outbound.c.state.in_(states) & has_text
    changed = (
        update(outbound)
        .where(chosen)
        .values(**values)
        .returning(outbound.c.player_id, outbound.c.board_id)
    )
    row = desk.session.first(Query(MailRow, changed))
    if row is None:
        raise Refusal(
            RefusalCode.NO_SUCH_MAIL,
            f"there is no outgoing mail {number} that is {' or '.join(states)} and "
            "still has its text",
        )
    return row


def _change_in(
    desk: OperatorAct, number: int, states: tuple[str, ...], **values: object
) -> MailRow:
    retention.look_again(desk.session, "in", number)
    chosen = (inbound.c.id == number) & inbound.c.state.in_(states)
    if values["state"] == "waiting":
        chosen &= inbound.c.code != MailOutcome.UNREADABLE
    changed = (
        update(inbound)
        .where(chosen)
        .values(**values)
        .returning(inbound.c.player_id, inbound.c.board_id)
    )
    row = desk.session.first(Query(MailRow, changed))
    if row is None:
        raise Refusal(
            RefusalCode.NO_SUCH_MAIL,
            f"there is no incoming mail {number} that is {' or '.join(states)} and still "
            "has its text",
        )
    return row
