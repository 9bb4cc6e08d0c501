"""Positions of variants in FEN, and moves as engines spell them."""

from __future__ import annotations

import re

from pbm.rules.chess.generate import LONG, SHORT
from pbm.rules.chess.movement_tables import cells_in
from pbm.rules.chess.variants.generation import PASS
from pbm.rules.chess.variants.men_tables import EMPTY, MenTables
from pbm.rules.chess.variants.playing import PROMOTED_PAWN
from pbm.rules.chess.variants.state import State


def spell_fen(tables: MenTables, state: State) -> str:
    """Return the position: board with hands, side to move, rights, cells passed, checks, idle
    turns, move number."""
    rules = tables.rules
    board = spell_board(tables, state)
    if rules.drops or rules.seirawan_gating:
        board += f"[{state.hands[0]}{state.hands[1].lower()}]"
    passed = "".join(tables.names[cell] for cell in state.passed) or "-"
    checks = f" {state.checks[0]}+{state.checks[1]}" if rules.check_counting else ""
    idle = state.idle
    if state.limit:
        passed, idle = str(state.limit), state.counted
    number = state.turn // 2 + 1
    side = "wb"[state.side]
    return f"{board} {side} {_spell_rights(tables, state)} {passed}{checks} {idle} {number}"


def spell_board(tables: MenTables, state: State) -> str:
    """Return the men of a position as in FEN, from the top row down."""
    rows, width = [], tables.width
    for first in range(tables.size - width, -1, -width):
        row = "".join(_spell_man(tables, state, cell) for cell in range(first, first + width))
        rows.append(re.sub(r"\.+", lambda empty: str(len(empty[0])), row))
    return "/".join(rows)


def _spell_man(tables: MenTables, state: State, cell: int) -> str:
    sign = state.board[cell]
    was = state.under[cell] if state.under else EMPTY
    if was.isalpha():
        return f"+{was.lower() if sign.islower() else was}"
    rules = tables.rules
    shows = (rules.captures_to_hand or rules.two_boards) and not rules.drop_loop
    return f"{sign}~" if was == PROMOTED_PAWN and shows else sign


def _spell_rights(tables: MenTables, state: State) -> str:
    """Return the rights to castle, and the cells behind whose men pieces may enter."""
    text = ""
    for side in (0, 1):
        own = [one for one in state.castles if state.board[one[0]].islower() == bool(side)]
        letters = "".join("KQ"[rook < king] for king, rook in sorted(own, key=lambda o: -o[1]))
        gates = state.gates[side]
        for king, rook in own:
            gates &= ~(1 << king | 1 << rook)
        letters += "".join(tables.columns[cell % tables.width].upper() for cell in cells_in(gates))
        text += letters.lower() if side else letters
    return text or "-"


def spell_move(tables: MenTables, state: State, move: str, legal: list[str]) -> str:
    """Return a legal move as engines write it: castling is the king's move, or, where that is a
    move of his own too, onto the rook; a pass is a move of the king to where he stands."""
    names = tables.names
    if move == PASS:
        king = state.board.find(tables.royal[state.side]) if tables.royal[state.side] else -1
        if king < 0:
            men = (cell for cell, sign in enumerate(state.board) if sign.isalpha())
            king = next(cell for cell in men if state.board[cell].islower() == bool(state.side))
        return names[king] * 2
    bare, _, gate = move.partition("/")
    if bare not in (SHORT, LONG):
        return move
    own = [one for one in state.castles if state.board[one[0]].islower() == bool(state.side)]
    king, rook = next(one for one in own if (one[1] > one[0]) is (bare == SHORT))
    king_to, _ = tables.castle(king, rook, state.side)
    if gate and tables.number[gate[1:]] == rook:
        return names[rook] + names[king] + gate[0]
    spelled = names[king] + names[king_to]
    if spelled in legal:
        spelled = names[king] + names[rook]
    return spelled + gate[:1]
