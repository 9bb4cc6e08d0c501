"""The picture of a match of backgammon: the board, the cube, the score, the last turn."""

from __future__ import annotations

from pbm.games.backgammon.board_drawing import (
    BOTTOM_LINES,
    MIDDLE_LINE,
    SIDE_COLUMN,
    TOP_LINES,
    draw_men,
)
from pbm.games.backgammon.match_state import MatchState
from pbm.games.backgammon.men import OFF, count_at, pip_count
from pbm.games.backgammon.play_parser import read_ways
from pbm.games.backgammon.vocabulary import (
    COLOURS,
    CRAWFORD,
    CUBE,
    DOUBLED,
    MIDDLE,
    OPENING,
    PLAY,
    SIGNS,
    dice_text,
)
from pbm.rules import Picture
from pbm.rules.drawing.picture import LABEL
from pbm.rules.drawing.picture import seat as seat_role


def draw_match(position: MatchState, seat: int) -> Picture:
    """Draw a position as that seat sees it."""
    mover, dice, text = position.last or (0, "", "")
    canvas = draw_men(position.men, seat, SIGNS, marked_places(position), mover)
    for owner, row in ((1 - seat, TOP_LINES), (seat, BOTTOM_LINES)):
        men = position.men[owner]
        canvas.put(row, SIDE_COLUMN, SIGNS[owner], seat_role(owner))
        canvas.put(row, SIDE_COLUMN + 2, COLOURS[owner], seat_role(owner))
        canvas.put(row + 1, SIDE_COLUMN + 2, f"pips {pip_count(men)}")
        canvas.put(row + 2, SIDE_COLUMN + 2, f"off {count_at(men, OFF)}")
        if position.points > 1:
            canvas.put(row + 3, SIDE_COLUMN + 2, f"points {position.score[owner]}")
    if position.points > 1:
        game = f"game {position.round} to {position.points} points"
        canvas.put(MIDDLE_LINE - 1, SIDE_COLUMN, game)
        canvas.put(MIDDLE_LINE, SIDE_COLUMN, describe_cube(position))
    canvas.line()
    canvas.line(f"  {describe_next(position)}")
    if position.last:
        whose = f"  (as {COLOURS[mover]} counts)" * (mover != seat)
        canvas.line(f"  last: {COLOURS[mover]} {dice} {text or 'could not move'}{whose}", LABEL)
    return canvas.picture()


def marked_places(position: MatchState) -> set[int]:
    """The places to which the last play led, as its player counts them."""
    ways, _ = read_ways(position.last[2] if position.last else "")
    return {way.places[-1] for way in ways if way.places[-1]}


def describe_cube(position: MatchState) -> str:
    """What the cube shows and who owns it."""
    if position.options["nocube"]:
        return "no cube"
    if position.crawford == CRAWFORD:
        return "no cube, Crawford game"
    owner = position.owner
    whose = "in the middle" if owner == MIDDLE else f"{COLOURS[owner]}'s"
    return f"cube {position.cube}, {whose}"


def describe_next(position: MatchState) -> str:
    """What happens next."""
    if position.outcome:
        return f"over: {position.outcome.reason}"
    colour, other = COLOURS[position.side], COLOURS[1 - position.side]
    if position.phase == CUBE:
        return f"{colour} is to roll or double"
    if position.phase == DOUBLED:
        return f"{colour} doubles to {2 * position.cube}, {other} takes or drops"
    if position.phase == PLAY:
        return f"{colour} rolled {dice_text(position.dice)}"
    return "both are to roll" if position.phase == OPENING else f"{colour} is to roll"
