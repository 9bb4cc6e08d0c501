"""`confer`: talk among the people who hold a seat together."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from msgspec.structs import replace

from pbm.core.board import Board
from pbm.core.call import Call
from pbm.core.feature import UnnamedLines
from pbm.core.notices import Notice
from pbm.core.parties import TalkRow, list_talk, note_talk
from pbm.core.refusal import RefusalCode
from pbm.core.seat import Seat
from pbm.core.updates import find_mailboxes
from pbm.core.view import find_thread
from pbm.features.parties.notices import PartyWords
from pbm.rules import Position
from pbm.rules.phrases import Listing, phrase

_HEAD = re.compile(r"\s*team\s*:\s*(.*)", re.IGNORECASE | re.DOTALL)


def confer(call: Call) -> list[Notice]:
    """Send a text only to the people with whom the sender holds a seat; without a text, list their
    talk. Refuse a sender who holds a seat alone."""
    board = call.load_board(lock=False)
    seat = board.find_seat(call.me)
    if not seat.decides:
        raise board.make_refusal(
            RefusalCode.BAD_ARGUMENT,
            phrase(
                "you hold your seat on board {board} alone: nothing was passed on", board=board.id
            ),
            f"{board.game.info.name} chat {board.id} {seat.account} PASSWORD TEXT",
        )
    text = "\n".join(filter(None, (call.command.rest, call.command.text))).strip()
    if found := _HEAD.fullmatch(text):
        text = found[1].strip()
    if not text:
        lines = format_talk(list_talk(call.session, board, seat.seat))
        return [_answer(call, board, seat, lines=lines)]
    call.require_voice()
    note_talk(call, board, seat, text)
    addresses, _ = find_mailboxes(call.session, board)
    others = [each for each in seat.members if each.player != call.me.id and each.is_active]
    names = Listing([each.account for each in others] or [phrase("nobody else")])
    notices = [
        Notice(
            PartyWords(
                game=board.game.info.name,
                board=board.id,
                userid=each.account,
                party=seat.userid,
                writer=call.me.userid,
                text=text,
            ),
            tuple(addresses.get(each.player, ())),
            each.player,
            find_thread(board, seat.seat),
        )
        for each in others
    ]
    return [_answer(call, board, seat, text=text, names=names), *notices]


def _answer(
    call: Call,
    board: Board,
    seat: Seat,
    *,
    text: str = "",
    names: str = "",
    lines: Sequence[str] = (),
) -> Notice:
    content = PartyWords(
        game=board.game.info.name,
        board=board.id,
        userid=call.me.userid,
        party=seat.userid,
        writer="",
        text=text,
        lines=lines,
        names=names,
    )
    # It belongs to the board's conversation, also where no mail says whom it answers.
    return replace(call.answer(content), thread=find_thread(board, seat.seat))


def format_talk(rows: Iterable[TalkRow]) -> list[str]:
    """Return talk in lines, each with the number of the ply at which it was written."""
    return [f"({row.ply}) {row.userid}: {line}" for row in rows for line in row.text.splitlines()]


def _take(call: Call, board: Board) -> tuple[str, tuple[str, ...]]:
    """Return the text below a move unchanged, and no lines: a mail with such a line there is
    refused."""
    return call.command.text, ()


def _is_one(line: str) -> bool:
    return _HEAD.fullmatch(line) is not None


def _is_withheld(line: str, position: Position) -> bool:
    """Whether a line must not reach any other player."""
    return _is_one(line)


UNNAMED = UnnamedLines(_is_one, _take, _is_withheld, is_private=True)
"""`team: I am for e4`, as the first line of a reply."""
