"""`takeover`: another player goes on with a power whose player has left."""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy import delete

from pbm.core.kernel.audit_log import add_audit_row
from pbm.core.kernel.boards.board import Board
from pbm.core.kernel.boards.seat import Seat
from pbm.core.kernel.boards.storing import save
from pbm.core.kernel.boards.turns import build_show_line
from pbm.core.kernel.boards.updates import build_change, notify_changes
from pbm.core.kernel.language.call import Call
from pbm.core.kernel.notices.notice import Notice
from pbm.core.kernel.players.player import get_player
from pbm.core.kernel.refusal import Refusal, RefusalCode, tell_limit
from pbm.core.masters.notices import SeatPassedOn
from pbm.core.masters.rows import find_master, find_offered_seats, forget_replacement
from pbm.rules.game import TAKEOVER
from pbm.rules.phrases import phrase
from pbm.rules.typed import listing
from pbm.store import reads
from pbm.store.reads.player_rows import find_blockers
from pbm.store.tables import watchers


def take_over(call: Call) -> list[Notice]:
    """Give a vacant seat to the sender. Refuse one who plays on the board or runs it, who may not
    begin another one, and a power that nobody has left."""
    board = call.load_board()
    seat = _find_vacant(call, board, call.command.words)
    _require_free(call, board, seat)
    player, before, played = call.me, seat.account, seat.player
    is_passed_on = seat.seat not in board.position.vacant
    board.begin_act()
    board.play_orders(seat.seat, [TAKEOVER], call.now)
    seat.player, seat.account = player.id, player.userid
    seat.is_active, seat.preferences = True, player.preferences
    seat.accept()
    seat.discard_plans()
    seat.count_notes(0)
    forget_replacement(call.session, board.id, seat.seat)
    own = watchers.c.board_id == board.id, watchers.c.player_id == player.id
    call.session.execute(delete(watchers).where(*own))
    save(call.session, board, call.now)
    power = board.position.seat_names[seat.seat]
    add_audit_row(
        call, player.userid, f"takes over {power}", player=player.id, board=board.id, reason=before
    )
    event, actors = phrase("{power} has a new player", power=power), ""
    if not board.is_anonymous:
        event = phrase("{player} took over {power}", player=seat.userid, power=power)
        actors = phrase("you took over {power}", power=power)
    change = build_change(board, event, own=actors, actor=seat.seat)
    notices = notify_changes(call, board, [change])
    former = get_player(call.session, played) if is_passed_on else None
    if former is not None and former.is_active and not former.is_bot:
        by = "" if board.is_anonymous else player.userid
        told = SeatPassedOn(game=board.game.info.name, board=board.id, power=power, by=by)
        notices.append(call.build_notice(former, told))
    return notices


def _find_vacant(call: Call, board: Board, words: Sequence[str]) -> Seat:
    """Return the vacant seat that the words name; the only one where they name none."""
    names = board.position.seat_names
    offered = find_offered_seats(call.session, board.id, call.me.id) & board.position.playing
    vacant = sorted(board.position.vacant | offered) if board.state == "running" else []
    wanted = " ".join(words).lower()
    found = [seat for seat in vacant if names[seat].lower().startswith(wanted)]
    if len(found) == 1:
        return board.seats[found[0]]
    listed = listing([names[seat] for seat in vacant])
    reason = (
        phrase("choose one of these: {powers}", powers=listed)
        if vacant
        else phrase("nobody has left a seat there")
    )
    line = f"{board.game.info.name} takeover {board.id} {{user}} PASSWORD"
    raise Refusal(
        RefusalCode.BAD_ARGUMENT,
        reason,
        f"{line} {names[vacant[0]].lower()}" if vacant else build_show_line(board),
        board=board.id,
    )


def _require_free(call: Call, board: Board, seat: Seat) -> None:
    """Refuse a sender who has something to do with the board, or has too many boards."""
    player, show = call.me, build_show_line(board)
    others = [
        each for each in board.seats if each is not seat or seat.seat in board.position.playing
    ]
    if any(each.player == player.id for each in others):
        raise Refusal(
            RefusalCode.ALREADY_SEATED,
            phrase("you play on board {board}", board=board.id),
            show,
            board=board.id,
        )
    if find_master(call.session, board.id) == player.id:
        raise Refusal(
            RefusalCode.ALREADY_SEATED,
            phrase("you are the master of board {board}: a master does not play", board=board.id),
            show,
            board=board.id,
        )
    blockers = find_blockers(call.session, player.id)
    if board.event is not None or any(each.player in blockers for each in board.seats):
        raise Refusal(
            RefusalCode.PLAYER_UNAVAILABLE,
            phrase("you cannot take over a seat on board {board}", board=board.id),
            show,
            board=board.id,
        )
    most = call.config.limits.open_boards
    if most and reads.count_open_boards(call.session, player.id) >= most:
        raise Refusal(RefusalCode.LIMIT_REACHED, tell_limit(most), show)
