"""Closing an account: its boards end, its addresses are deleted."""

from __future__ import annotations

from msgspec.structs import replace
from sqlalchemy import delete, func, select, update

from pbm.core.accounts.codes import CODE_DAYS, issue_code
from pbm.core.accounts.notices import Goodbye, SignOffCode
from pbm.core.kernel.boards.board import Board
from pbm.core.kernel.boards.storing import load, save
from pbm.core.kernel.boards.unplayable import UnreadablePosition
from pbm.core.kernel.boards.updates import notify_board
from pbm.core.kernel.context import Context
from pbm.core.kernel.feature import find_function
from pbm.core.kernel.language.call import Call
from pbm.core.kernel.language.command import Command
from pbm.core.kernel.language.verbs import get_verb
from pbm.core.kernel.notices.notice import Notice
from pbm.core.kernel.players.player import NO_PASSWORD, Player, save_player
from pbm.rules.phrases import phrase
from pbm.store import reads
from pbm.store.reads.board_rows import find_open_board_numbers
from pbm.store.tables import addresses, audit, chats, codes, invitations, notes, signups


def sign_off(call: Call) -> list[Notice]:
    """Close the account; with open boards, send a code that must come back first."""
    player = call.me
    if not find_open_board_numbers(call.session, player.id):
        return close_account(call, player)
    return [send_sign_off_code(call, player)]


def send_sign_off_code(call: Call, player: Player) -> Notice:
    """Send the code that closes the account when it comes back."""
    numbers = find_open_board_numbers(call.session, player.id)
    code = issue_code(call, player, "signoff")
    content = SignOffCode(userid=player.userid, code=code, days=CODE_DAYS, boards=numbers)
    confirmed = reads.find_addresses(call.session, player.id)
    return Notice(content, addresses=confirmed, player=player.id, is_answer=True)


def close_account(call: Call, player: Player) -> list[Notice]:
    """Resign or decline every open board, then close the account and delete its addresses. A board
    that waits for its game is cancelled: nobody can tell what a resignation would mean there."""
    notices: list[Notice] = []
    confirmed = reads.find_addresses(call.session, player.id)
    for number in find_open_board_numbers(call.session, player.id):
        notices += leave_board(call, player, number)
    save_player(call.session, replace(player, state="closed", password=NO_PASSWORD))
    _delete_private(call, player)
    days = call.config.retention.mails_days
    goodbye = Notice(Goodbye(userid=player.userid, days=days), confirmed, is_answer=True)
    return [goodbye, *(notice for notice in notices if notice.player != player.id)]


def leave_board(call: Call, player: Player, number: int) -> list[Notice]:
    """Resign or decline a board of the player's, all seats."""
    board = load(call.session, number, lock=True, anyway=True)
    if isinstance(board.position, UnreadablePosition):
        return _cancel(call, board, player)
    name = "decline" if board.state == "invited" else "resign"
    verb = get_verb(name)
    sender = replace(call.command.sender, token=None)
    command = Command(verb, sender, board=number, user=player.userid)
    leaving = Call(call.session, call.now, call.secrets, call.config, player, command=command)
    own = {seat.seat for seat in board.seats if seat.player == player.id}
    notices: list[Notice] = []
    for _ in own & board.position.playing if name == "resign" else (0,):
        if not load(call.session, number).is_over:
            notices += find_function(verb.do)(leaving)
    return notices


def _cancel(call: Call, board: Board, player: Player) -> list[Notice]:
    seat = board.find_seat(player)
    board.cancel(seat.seat, "", call.now)
    save(call.session, board, call.now)
    event, own = phrase("{player} left", player=seat.userid), phrase("you left")
    return notify_board(call, board, event, own=own, actor=seat.seat)


def _delete_private(context: Context, player: Player) -> None:
    """Delete the player's addresses, codes, notes and texts at boards, and take the addresses out
    of the audit."""
    for row in reads.find_all_addresses(context.session, player.id):
        reason = func.replace(audit.c.reason, row.address, "(an address)")
        context.session.execute(
            update(audit).where(audit.c.player_id == player.id).values(reason=reason)
        )
    own = select(addresses.c.address).where(addresses.c.player_id == player.id)
    for table in (signups, invitations):
        context.session.execute(delete(table).where(table.c.address.in_(own)))
    for table in (codes, addresses, notes, chats):
        context.session.execute(delete(table).where(table.c.player_id == player.id))
