"""Time that players give each other."""

from __future__ import annotations

from pbm.core.board import compute_turn_limit
from pbm.core.call import Call
from pbm.core.clock import DAY
from pbm.core.notices import Notice
from pbm.core.parties import find_speaking_seat
from pbm.core.refusal import RefusalCode
from pbm.core.storing import save
from pbm.core.turns import require_running
from pbm.core.updates import notify_board
from pbm.features.play.proposals import require_no_event
from pbm.rules.phrases import phrase, phrase_number

_MOST = 60
"""The most days that all others together may give for one turn."""


def give_time(call: Call) -> list[Notice]:
    """Give the others some days more for their present turn, or for their next one. Refuse it on a
    board of an event, and beyond the most that a turn may be given."""
    board = call.load_board()
    seat = find_speaking_seat(call, board)
    require_running(board, seat)
    require_no_event(
        board,
        phrase(
            "board {board} belongs to event {event}, whose clocks go on",
            board=board.id,
            event=board.event,
        ),
    )
    days = call.command.words[0].rstrip("dD") if call.command.words else ""
    form = f"{board.game.info.name} time {board.id} {seat.account} PASSWORD"
    if not (days.isascii() and days.isdecimal() and 0 < int(days[:3]) <= _MOST):
        raise board.make_refusal(
            RefusalCode.BAD_ARGUMENT,
            phrase(
                "say how many days the others are to have more: a number up to {most}", most=_MOST
            ),
            f"{form} DAYS",
        )
    others = [
        each
        for each in board.seats
        if each.player != seat.player and each.seat in board.position.playing
    ]
    if not others or all(compute_turn_limit(board, each) is None for each in others):
        raise board.make_refusal(
            RefusalCode.BAD_ARGUMENT,
            phrase("nobody else on board {board} has a limit of time", board=board.id),
        )
    if any(each.given + int(days) * DAY > _MOST * DAY for each in others):
        raise board.make_refusal(
            RefusalCode.LIMIT_REACHED, phrase("a turn can be given {most} days in all", most=_MOST)
        )
    for each in others:
        each.give(int(days) * DAY)
    save(call.session, board, call.now)
    people = board.join_userids({each.seat for each in others})
    return notify_board(
        call,
        board,
        phrase_number(
            "{player} gave {people} {count} more day",
            "{player} gave {people} {count} more days",
            int(days),
            player=seat.userid,
            people=people,
        ),
        own=phrase_number(
            "you gave {people} {count} more day",
            "you gave {people} {count} more days",
            int(days),
            people=people,
        ),
        actor=seat.seat,
        comment=call.command.text,
    )
