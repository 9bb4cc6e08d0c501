"""The conformance suite: positions that differ only in hidden information look the same to a
viewer."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence

from pbm.rules.chance import CHANCE_TO_MOVE
from pbm.rules.errors import MoveError
from pbm.rules.game import Position
from pbm.rules.testing.nonconforming import require
from pbm.rules.testing.position_checks import choose_viewers
from pbm.rules.testing.topics import HIDING

Viewer = int | None
_TYPED = ("a1", "b7", "a1-b2", "1", "pass", "x", "zz99")
_SEATS = 3
"""The number of seats of which two moves are compared, if more move at once."""
_FURTHER = 12
"""The number of further answers of chance after which two such positions are compared."""


def check_hiding(position: Position, rng: random.Random) -> bool:
    """Compare what two moves of each seat, or two answers of chance, look like to the others;
    whether anything was hidden from anybody."""
    hidden = False
    seats = sorted(position.to_move)
    for seat in seats if len(seats) <= _SEATS else rng.sample(seats, _SEATS):
        moves = position.legal_moves(seat)
        if len(moves) > 1:
            one, other = rng.sample(list(moves), 2)
            viewers = choose_viewers(position, rng)
            hidden |= _check_pair(position, seat, (one, other), viewers)
    return hidden


def _check_pair(
    position: Position, seat: int, moves: tuple[str, str], looking: Sequence[Viewer]
) -> bool:
    """Compare the boards after two moves, for each viewer to whom both read the same, until the
    turn ends, which may reveal hidden information."""
    readings = {
        viewer: {position.describe(seat, move, viewer) for move in moves}
        for viewer in looking
        if viewer != seat
    }
    viewers = [viewer for viewer, texts in readings.items() if len(texts) == 1]
    one, other = (position.play(seat, move) for move in moves)
    if {one.turn, other.turn} != {position.turn} or one.outcome != other.outcome:
        return bool(viewers)
    for viewer in readings.keys() - {*viewers}:
        is_shown = list(_look(one, viewer, moves)) != list(_look(other, viewer, moves))
        require(
            is_shown,
            f"`describe` tells {_name(position, viewer)} no more of {moves[0]!r} and "
            f"{moves[1]!r} than the board does, which looks the same after both",
            HIDING,
        )
    _compare(one, other, viewers, moves, f"after {moves[0]!r} and after {moves[1]!r}")
    _follow_chance(one, other, viewers, moves)
    return bool(viewers)


def _follow_chance(
    one: Position, other: Position, viewers: list[Viewer], moves: Sequence[str]
) -> None:
    """Compare the boards after further answers of chance: the same to both as long as possible."""
    turn, since = one.turn, f"{moves[0]!r} or {moves[1]!r}"
    for _ in range(_FURTHER):
        if not viewers or one.to_move != CHANCE_TO_MOVE or other.to_move != CHANCE_TO_MOVE:
            return
        (seat,) = CHANCE_TO_MOVE
        common = [m for m in one.legal_moves(seat) if m in set(other.legal_moves(seat))]
        if not common:
            return
        answer = common[0]
        viewers = [
            viewer
            for viewer in viewers
            if one.describe(seat, answer, viewer) == other.describe(seat, answer, viewer)
        ]
        one, other = one.play(seat, answer), other.play(seat, answer)
        if {one.turn, other.turn} != {turn}:
            return
        since += f", {answer!r}"
        _compare(one, other, viewers, (), f"whether {since}")


def _look(position: Position, viewer: Viewer, last: Sequence[str]) -> Iterator[object]:
    yield position.scene(viewer, last)
    yield position.render(viewer)


def _compare(
    one: Position, other: Position, viewers: Sequence[Viewer], last: Sequence[str], when: str
) -> None:
    for viewer in viewers:
        to = f"equal to {_name(one, viewer)} {when}"
        require(one.scene(viewer, last) == other.scene(viewer, last), f"scenes are {to}", HIDING)
        require(one.words(viewer) == other.words(viewer), f"words are {to}", HIDING)
        require(one.render(viewer) == other.render(viewer), f"pictures are {to}", HIDING)
        require(one.news == other.news, f"news is {to}", HIDING)
        if viewer is not None:
            mine = (list(position.legal_moves(viewer)) for position in (one, other))
            require(next(mine) == next(mine), f"the legal moves are {to}", HIDING)
            for text in _TYPED:
                read = (_read(position, viewer, text) for position in (one, other))
                require(next(read) == next(read), f"answers to {text!r} are {to}", HIDING)


def _read(position: Position, seat: int, text: str) -> str:
    """Return the move that typed text means, or why it is refused."""
    try:
        move, _ = position.parse(text, seat)
        position.play(seat, move)
    except MoveError as error:
        return f"refused: {error}"
    return move


def _name(position: Position, viewer: Viewer) -> str:
    return "a spectator" if viewer is None else position.seat_names[viewer]
