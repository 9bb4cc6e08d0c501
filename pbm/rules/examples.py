"""Examples: how a game begins, and what to type now, a whole turn."""

from __future__ import annotations

from collections.abc import Mapping

from pbm.rules.chance import CHANCE
from pbm.rules.errors import MoveError
from pbm.rules.game import Game, Position
from pbm.rules.options import Value
from pbm.rules.phrases import join_phrases, phrase
from pbm.rules.turn_text import is_same_turn
from pbm.rules.typed_moves import find_ending

_MOST_PARTS = 40
_MOST_ROLLS = 12


def begin(game: Game, players: int = 0, options: Mapping[str, Value] | None = None) -> Position:
    """Return a first position in which a player is to move; opening rolls are unequal."""
    position = game.setup(players, options)
    for number in range(_MOST_ROLLS):
        if position.chance is None:
            break
        outcomes = position.chance.outcomes
        position = position.play(CHANCE, outcomes[number % len(outcomes)])
    return position


def find_example(position: Position, seat: int) -> str:
    """Return a turn that the seat, which is to move, could type now, made of what
    `Position.suggest` says: to its end or to the first chance, and of a hidden game one move. It
    tells nothing but what the seat may do, and rolls nothing."""
    return join_phrases(", ", _list_parts(position, seat))


def list_duties(position: Position, seat: int) -> tuple[str, ...]:
    """Return the duties of the seat on the move, as clauses: from the rules, and that it has only
    one move. For hidden games and games of orders there are none."""
    if position.takes_orders or position.game.info.features & {"hidden", "sealed"}:
        return ()
    duty, moves = position.duty(seat), position.legal_moves(seat)
    said = (duty,) if duty else ()
    if len(moves) != 1 or moves[0] in duty:
        return said
    return (*said, phrase("your only move is {move}", move=position.describe(seat, moves[0], seat)))


def is_example(before: Position, seat: int, after: Position) -> bool:
    """Whether the example of a turn leads from one position to the other."""
    try:
        for part in _list_parts(before, seat):
            before = _play(before, seat, part)
    except MoveError:
        return False
    return before.encode() == after.encode()


def _list_parts(position: Position, seat: int) -> list[str]:
    """Return the moves of the example. A turn that is still open after more moves than
    anybody would copy ends with the word for that."""
    if position.moves_once:
        return [position.suggest(seat)]
    turn, parts = position.turn, list[str]()
    is_open = not position.game.info.features & {"hidden", "sealed"}
    while is_same_turn(position, seat, turn):
        if len(parts) == _MOST_PARTS:
            ending = find_ending(position, seat)
            return [*parts, ending] if ending else parts
        parts.append(position.suggest(seat))
        if not is_open:
            break
        position = _play(position, seat, parts[-1])
    return parts


def _play(position: Position, seat: int, text: str) -> Position:
    """Return the position after a legal move as people write it. Most are written as they are
    stored, and need not be parsed, for a stored move parses to itself."""
    try:
        return position.play(seat, text)
    except MoveError:
        return position.play(seat, position.parse(text, seat)[0])
