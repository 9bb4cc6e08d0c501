"""What an operator does to boards, players and mail. Each act adds a row to the audit table, and
the players concerned are notified with the reason. Nothing here commits."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from sqlalchemy import insert, select, update

from pbm.config import Config
from pbm.core import retention
from pbm.core.accounts import addresses
from pbm.core.accounts.codes import CODE_DAYS, send_confirmations
from pbm.core.accounts.notices import ResetCode
from pbm.core.kernel.boards.board import Board
from pbm.core.kernel.boards.clocks import format_time
from pbm.core.kernel.boards.log import build_entry
from pbm.core.kernel.boards.storing import load, save
from pbm.core.kernel.boards.updates import build_change, notify_board, notify_changes
from pbm.core.kernel.language.call import Call
from pbm.core.kernel.language.command import Command, Sender
from pbm.core.kernel.language.verbs import get_verb
from pbm.core.kernel.notices.notice import Notice
from pbm.core.kernel.notices.operator import OperatorMessage
from pbm.core.kernel.players.player import NO_PASSWORD, Player, build_player, find_player
from pbm.core.kernel.refusal import Refusal, RefusalCode
from pbm.core.kernel.secrets import Secrets
from pbm.rules import Outcome
from pbm.store import reads
from pbm.store.daily_counters import DAY
from pbm.store.mail_outcome import MailOutcome
from pbm.store.queues import inbound_queue
from pbm.store.rows import Query, Row
from pbm.store.tables import audit, codes, inbound, outbound, players
from pbm.store.transaction import Session

_LONGEST = 300
_NEW_DICE = "Its secret is out, so the dice follow from another one, whose hash stands below"


class MailRow(Row):
    """The player and the board of a mail."""

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
    def reason_line(self) -> str:
        """The reason as one line that may stand in a mail."""
        plain = "".join(letter if letter.isprintable() else " " for letter in self.reason)
        return " ".join(plain.split())[:_LONGEST]

    def record(self, action: str, *, player: int | None = None, board: int | None = None) -> None:
        """Add a row to the audit table."""
        self.session.execute(
            insert(audit).values(
                at=self.now,
                actor=self.actor,
                action=action,
                player_id=player,
                board_id=board,
                reason=self.reason_line,
            )
        )

    def add_reason(self, event: str) -> str:
        """The event with its reason, as players read it."""
        return (
            f"the operator {event}: {self.reason_line}"
            if self.reason_line
            else f"the operator {event}"
        )

    def build_call(self, board: int) -> Call:
        """The call of a command that the operator sent."""
        verb = get_verb("cancel")
        command = Command(verb, Sender(via="terminal", operator=True), board=board)
        return Call(self.session, command, self.now, self.secrets, self.config)

    def find_player(self, userid: str) -> Player:
        """The player of that userid. Refused when there is none."""
        player = find_player(self.session, userid)
        if player is None:
            raise Refusal(RefusalCode.NO_SUCH_PLAYER, "there is no player with that userid")
        return player

    def notify(self, player: Player, subject: str, text: str) -> Notice:
        """A notice to a player from the operator."""
        recipients = reads.find_addresses(self.session, player.id)
        return Notice(OperatorMessage(subject=subject, text=text), recipients, player.id)


def cancel(act: OperatorAct, number: int) -> list[Notice]:
    """End a board without a result. Refused when it is over."""
    board = _load_open(act, number)
    board.cancel(None, act.add_reason("cancels"), act.now)
    save(act.session, board, act.now)
    act.record("cancel", board=board.id)
    return notify_board(act.build_call(number), board, act.add_reason("cancelled this board"))


def adjudicate(act: OperatorAct, number: int, ranks: tuple[int, ...]) -> list[Notice]:
    """End a board with these ranks of its seats. Refused when they are no ranks or it is over."""
    board = _load_open(act, number)
    if board.state == "invited":
        raise Refusal(RefusalCode.NOT_STARTED, f"board {number} has not started: cancel it")
    if len(ranks) != len(board.seats) or any(
        rank != 1 + sum(other < rank for other in ranks) for rank in ranks
    ):
        raise Refusal(
            RefusalCode.BAD_ARGUMENT,
            f"give a rank for each of the {len(board.seats)} seats, 1 for the best, the same for "
            "ties: 1,2 or 1,1",
        )
    reason = act.add_reason("decided")
    board.adjudicate(Outcome(ranks, reason), act.now)
    save(act.session, board, act.now)
    act.record(f"adjudicate {','.join(map(str, ranks))}", board=board.id)
    return notify_board(act.build_call(number), board, reason)


def roll_back(act: OperatorAct, number: int, ply: int) -> list[Notice]:
    """Take a board, running or over, back to the position after `ply` moves. Refused when it never
    had that many, has not begun or was imported."""
    board = load(act.session, number, lock=True)
    if not (board.ply or all(seat.accepted for seat in board.seats)):
        raise Refusal(RefusalCode.NOT_STARTED, f"board {number} has not started")
    if not board.secret:
        raise Refusal(RefusalCode.WRONG_STATE, f"board {number} was imported and cannot be changed")
    if not 0 <= ply <= board.ply:
        raise Refusal(RefusalCode.NO_SUCH_PLY, f"board {number} has only had {board.ply} moves")
    log = [build_entry(row) for row in reads.find_log(act.session, number)]
    secret = act.secrets.generate_board_secret()
    board.roll_back(ply, act.add_reason("took back"), log, act.now, secret)
    has_new_secret = board.secret == secret
    save(act.session, board, act.now)
    act.record(f"rollback to {ply}", board=board.id)
    target = f"to the position after move {ply}" if ply else "to the start"
    event = act.add_reason(f"took the board back {target}")
    change = build_change(board, event, sentence=f"{event}. {_NEW_DICE}" if has_new_secret else "")
    return notify_changes(act.build_call(number), board, [change])


def _load_open(act: OperatorAct, number: int) -> Board:
    board = load(act.session, number, lock=True, anyway=True)
    if board.is_over:
        raise Refusal(RefusalCode.BOARD_OVER, f"board {number} is over")
    return board


def reset_password(act: OperatorAct, userid: str) -> list[Notice]:
    """Withdraw a password and mail the player a code for a new one; the operator sees neither.
    Refused for an account that is not open or has no address."""
    player = act.find_player(userid)
    recipients = reads.find_addresses(act.session, player.id)
    if not player.is_active or not recipients:
        raise Refusal(
            RefusalCode.WRONG_STATE, "this account is closed or has no address that mail can reach"
        )
    code = act.secrets.generate_code()
    act.session.execute(
        insert(codes).values(
            player_id=player.id,
            purpose="reset",
            digest=act.secrets.digest_code(code),
            created=act.now,
            expires=act.now + CODE_DAYS * DAY,
        )
    )
    act.session.execute(
        update(players)
        .where(players.c.id == player.id)
        .values(password=NO_PASSWORD, links=players.c.links + 1)
    )
    act.record("reset password", player=player.id)
    text = act.add_reason("withdrew your password") + ". A code for a new one comes in another mail"
    return [
        act.notify(player, "choose a new password", text),
        Notice(
            ResetCode(
                userid=player.userid,
                code=code,
                days=CODE_DAYS,
                asked=format_time(act.now, player.preferences),
            ),
            recipients,
            player.id,
        ),
    ]


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
            problem = f"{player.userid} has no address that mail can reach"
            raise Refusal(RefusalCode.WRONG_STATE, problem)
        act.record(f"write: {subject}", player=player.id)
    return notices


def set_address(act: OperatorAct, userid: str, address: str) -> list[Notice]:
    """Give a player whose mailbox is dead another address. It gets a code, and takes the place of
    all others when that comes back; they are told. Refused for a closed account, and for an address
    that cannot be used."""
    player = act.find_player(userid)
    if not player.is_active:
        raise Refusal(RefusalCode.WRONG_STATE, "this account is closed")
    call = act.build_call(0)
    (address,) = addresses.read_addresses(call, [address], "set-address USERID")
    sent, event = list[Notice](), f"made {address} your address"
    if act.config.players.confirm_addresses:
        event = f"sent a code to {address}, which takes the place of your addresses when it returns"
    told = act.notify(player, "another address", act.add_reason(event))
    unconfirmed = addresses.store_addresses(call, player, [address])
    if not act.config.players.confirm_addresses:
        addresses.keep_only(call, player, [address])
    elif not (sent := send_confirmations(call, player, unconfirmed, replaces=[address])):
        problem = "this address is confirmed already, or has had too many codes this week"
        raise Refusal(RefusalCode.WRONG_STATE, problem)
    act.record(f"set address {address}", player=player.id)
    return [*sent, told]


def find_mails(act: OperatorAct, state: str) -> list[tuple[str, int]]:
    """(way, number) of all mails in a state: incoming ones for `aside`, else outgoing ones."""
    way, table = ("in", inbound) if state == "aside" else ("out", outbound)
    query = select(table.c.id).where(table.c.state == state).order_by(table.c.id)
    return [(way, number) for number in act.session.execute(query).scalars()]


def retry_mail(act: OperatorAct, way: str, number: int) -> None:
    """Have a mail sent or executed as soon as possible. Refused when it is done."""
    if way == "out":
        row = _update_outgoing(
            act,
            number,
            ("waiting", "failed", "dropped"),
            state="waiting",
            next_attempt=act.now,
            finished=None,
        )
    else:
        row = _update_incoming(
            act, number, ("waiting", "aside"), state="waiting", finished=None, worker=""
        )
    act.record(f"retry mail {way}:{number}", player=row.player_id, board=row.board_id)


def resend_mail(act: OperatorAct, number: int) -> None:
    """Send a mail that was sent once more, as it was. Refused for any other."""
    again = {"state": "waiting", "next_attempt": act.now, "finished": None, "why": ""}
    row = _update_outgoing(act, number, ("sent",), **again)
    act.record(f"resend mail out:{number}", player=row.player_id, board=row.board_id)


def drop_mail(act: OperatorAct, way: str, number: int) -> None:
    """Give up a mail that waits or was set aside. Refused when it is done."""
    if way == "out":
        row = _update_outgoing(
            act,
            number,
            ("waiting",),
            state="dropped",
            finished=act.now,
            why=act.add_reason("dropped it"),
        )
    else:
        row = _update_incoming(
            act,
            number,
            ("waiting", "aside"),
            state="done",
            finished=act.now,
            code=MailOutcome.DROPPED.value,
            outcome=act.add_reason("dropped it"),
            raw=inbound_queue.REMOVED,
        )
    act.record(f"drop mail {way}:{number}", player=row.player_id, board=row.board_id)


def release_mail(act: OperatorAct, number: int) -> None:
    """Execute a mail that was set aside as if it had just come. Refused for any other."""
    _update_incoming(act, number, ("aside",), state="waiting", finished=None, attempts=0, worker="")
    act.record(f"release mail in:{number}")


def _update_outgoing(
    act: OperatorAct, number: int, states: tuple[str, ...], **values: object
) -> MailRow:
    retention.visit_again(act.session, "out", number)
    has_text = outbound.c.recipient != ""
    chosen = (outbound.c.id == number) & outbound.c.state.in_(states) & has_text
    changed = (
        update(outbound)
        .where(chosen)
        .values(**values)
        .returning(outbound.c.player_id, outbound.c.board_id)
    )
    row = act.session.first(Query(MailRow, changed))
    if row is None:
        raise Refusal(
            RefusalCode.NO_SUCH_MAIL,
            f"there is no outgoing mail {number} that is {' or '.join(states)} and "
            "still has its text",
        )
    return row


def _update_incoming(
    act: OperatorAct, number: int, states: tuple[str, ...], **values: object
) -> MailRow:
    retention.visit_again(act.session, "in", number)
    chosen = (inbound.c.id == number) & inbound.c.state.in_(states)
    if values["state"] == "waiting":
        chosen &= inbound.c.code != MailOutcome.UNREADABLE.value
    changed = (
        update(inbound)
        .where(chosen)
        .values(**values)
        .returning(inbound.c.player_id, inbound.c.board_id)
    )
    row = act.session.first(Query(MailRow, changed))
    if row is None:
        raise Refusal(
            RefusalCode.NO_SUCH_MAIL,
            f"there is no incoming mail {number} that is {' or '.join(states)} and still "
            "has its text",
        )
    return row
