"""The picture of a position of Space Fighters: the board, the teams and the dice."""

from __future__ import annotations

import re
from collections.abc import Sequence
from textwrap import wrap

from pbm.games.spacefighters.battlefield import ADJACENT, PLAN, STAR, STATION_MASK, names_of
from pbm.games.spacefighters.fighters_state import FightersState
from pbm.games.spacefighters.orders import find_purchase_fault
from pbm.games.spacefighters.teams import CONTROLS, DEPLOY, SETUP
from pbm.rules import Canvas, Picture
from pbm.rules.boards.floor_plans import bits
from pbm.rules.drawing import picture
from pbm.rules.typed import listing


def draw_position(position: FightersState, last: Sequence[str]) -> Picture:
    """Draw the board, the teams and the dice, with the places of the moves `last` in brackets."""
    marked = {PLAN.place(word) for move in last for word in re.split("[- x]", move)}
    canvas = Canvas()
    PLAN.draw(canvas)
    for place in bits(PLAN.places):
        row, column = PLAN.spot(place)
        holder = position.holder_of(place)
        char = "*" if place == STAR else "."
        if holder is not None:
            letter = position.seat_names[holder][0]
            char = letter.upper() if position.kind_on(place) == "c" else letter
        if place in marked:
            canvas.put(row, column - 1, f"[{char}]", picture.LAST)
        if holder is not None or place not in marked:
            role = picture.PLAIN if holder is None else picture.seat(holder)
            canvas.put(row, column, char, role)
    letters = " ".join(name[0] for name in position.seat_names)
    canvas.line()
    canvas.line(f"     fighters {letters} (f), control ships {letters.upper()} (c), star *")
    canvas.line()
    heading = f"{'team':9}{'resources':11}{'reserve':9}{'in space':10}stations owned"
    canvas.line(f"     {heading}", picture.LABEL)
    for number, name in enumerate(position.seat_names):
        row = canvas.height
        canvas.put(row, 3, ">" if number == position.seat and position.to_move else " ")
        canvas.put(row, 5, f"{name:9}", picture.seat(number))
        canvas.put(row, 14, _team_row(position, number))
    canvas.line()
    for caption in _captions(position):
        for line in wrap(caption, 72):
            canvas.line(f"     {line}")
    return canvas.picture()


def _team_row(position: FightersState, number: int) -> str:
    """A team's row of the table."""
    team = position.teams[number]
    if number in position.left:
        return f"out of the game, number {position.left.index(number) + 1} to leave"
    owned = names_of(team.controls & STATION_MASK)
    reserve = f"{team.spare_fighters}f {team.spare_controls}c"
    space = f"{team.fighters.bit_count()}f {team.controls.bit_count()}c"
    income = f"{' '.join(owned) or 'none'} (+{team.income(position.home(number))})"
    return f"{team.resources:<11}{reserve:9}{space:10}{income}"


def _captions(position: FightersState) -> list[str]:
    """What happens next, and what is still open."""
    name = position.seat_names[position.seat]
    if outcome := position.outcome:
        return [f"the game is over: {outcome.reason}"]
    if position.phase == SETUP:
        tiles = listing(names_of(ADJACENT[position.home(position.seat)]))
        return [f"{name} sets up two fighters and a control ship on {tiles}"]
    if len(position.dice) < 2:
        return [f"{name} rolls the movement dice"]
    shown, steps = position.dice[1], position.control_steps
    control = f"{shown}" if shown == steps else f"{shown}, read as {steps}"
    team = position.teams[position.seat]
    kinds = ["fighters", "control ships"] if position.phase != CONTROLS else ["control ships"]
    if position.phase == DEPLOY and team.spare_fighters + team.spare_controls:
        kinds.insert(0, "deployments")
    kinds += [f"buy {kind}" for kind in "fc" if not find_purchase_fault(position, kind)]
    lines = [
        f"dice of {name}: fighters {position.dice[0]}, control ships {control}",
        f"still open: {', '.join(kinds)}, end",
    ]
    lines += [f"moved, may attack a station: {', '.join(names_of(position.moved))}"] * bool(
        position.moved
    )
    lines += [f"done for this turn: {', '.join(names_of(position.spent))}"] * bool(position.spent)
    return lines
