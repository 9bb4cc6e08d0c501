"""Whole turns of a bot: moves until the turn ends or chance is asked, and their text."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from pbm.bots.search import Search
from pbm.bots.simple import Dice, random_move
from pbm.rules import CHANCE_TO_MOVE, MoveError, Position

_CLEARLY_AHEAD = 0.75
_SEPARATORS = (" ", ",", ", ", "; ")


def _is_same_turn(position: Position, seat: int, turn: int) -> bool:
    return position.outcome is None and position.turn == turn and seat in position.to_move


def random_turn(position: Position, seat: int, dice: Dice) -> list[str]:
    """Random moves until the turn ends or chance is asked."""
    turn, moves = position.turn, []
    while _is_same_turn(position, seat, turn):
        moves.append(random_move(position, seat, dice.choice))
        position = position.play(seat, moves[-1])
    return moves


def mcts_accepts_draw(position: Position, dice: Dice, enough: Callable[[], bool]) -> bool:
    """Whether the seat to move takes a draw that it may claim: not if it is clearly ahead."""
    search = Search(position, dice)
    search.run(enough)
    return search.prospect() < _CLEARLY_AHEAD


def mcts_turn(
    position: Position, seat: int, dice: Dice, enough: Callable[[float], bool]
) -> list[str]:
    """The moves that a search prefers until the turn ends or chance is asked. `enough(part)` says
    whether that part of the time, 0.0 to 1.0, is over; the first move gets half of it."""
    search = Search(position, dice)
    turn, moves, part = position.turn, [], 0.0
    while _is_same_turn(search.root.position, seat, turn):
        part += (1.0 - part) / 2
        limit = 1.0 if not _may_go_on(search.root.position, seat, turn) else part
        if len(search.root.position.legal_moves(seat)) > 1:
            search.run(partial(enough, limit))
        moves.append(search.best())
        search.advance(moves[-1])
    return moves


def _may_go_on(position: Position, seat: int, turn: int) -> bool:
    """Whether the turn may go on after the first legal move: a guess that only divides the time."""
    moves = position.legal_moves(seat)
    after = position.play(seat, moves[0])
    return after.to_move != CHANCE_TO_MOVE and _is_same_turn(after, seat, turn)


def turn_text(position: Position, seat: int, moves: Sequence[str]) -> str:
    """The moves as one text that parses to exactly these moves; only the first if the notation
    cannot join them."""
    for separator in _SEPARATORS:
        text = separator.join(moves)
        if _reads_as(position, seat, text) == list(moves):
            return text
    return moves[0]


def _reads_as(position: Position, seat: int, text: str) -> list[str]:
    """The moves that the server would parse one after another; empty if it would refuse."""
    read, rest, turn = [], text, position.turn
    try:
        while rest and _is_same_turn(position, seat, turn):
            move, rest = position.parse(rest, seat)
            rest = rest.strip()
            position = position.play(seat, move)
            read.append(move)
    except MoveError:
        return []
    return read if not rest else []
