"""The scene and the picture of a position of Space Fighters: the board, the teams and the dice.

The picture shows rooms, walls and doors as the printed board does, and the teams in a table."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from textwrap import wrap

from pbm.games.spacefighters.battle import (
    ADJACENT,
    CONTROLS,
    DEPLOY,
    NAMES,
    PLAN,
    SETUP,
    STAR,
    STATION_MASK,
    FightersState,
    names_of,
)
from pbm.games.spacefighters.orders import find_purchase_fault
from pbm.rules import Picture
from pbm.rules.boards.floor_plans import bits
from pbm.rules.drawing import picture
from pbm.rules.drawing.floor_scene import floor_scene
from pbm.rules.drawing.scene import Entry, Panel, Piece, Scene, Stroke, counters, marks_on
from pbm.rules.typed import listing

_SHIPS = {"f": "fighter", "c": "control ship"}


def marked_places(last: Sequence[str]) -> set[int]:
    """Return the places named in the moves `last`."""
    places = (PLAN.place(word) for move in last for word in re.split("[- x]", move))
    return {place for place in places if place is not None}


def build_scene(position: FightersState, last: Sequence[str]) -> Scene:
    """Return the board, the teams and the dice."""
    pieces = (
        Piece(NAMES[place], _SHIPS[kind], holder, label=letter.upper() if kind == "c" else letter)
        for place in PLAN.number.values()
        if (holder := position.holder_of(place)) is not None
        for kind, letter in ((position.kind_on(place), position.seat_names[holder][0]),)
    )
    plan = floor_scene(PLAN)
    return replace(
        plan,
        pieces=tuple(pieces),
        marks=marks_on(NAMES, marked_places(last)),
        panels=(*_team_panels(position), *_turn_panels(position)),
        strokes=(
            *plan.strokes,
            *(
                Stroke(place.shape, "owner", position.seat_names.index(place.name))
                for place in plan.places
                if place.name in position.seat_names and not isinstance(place.shape, (int, float))
            ),
        ),
        ground="deck",
    )


def _team_panels(position: FightersState) -> Iterator[Panel]:
    """Yield what each team has, a panel for each."""
    for number, (name, team) in enumerate(zip(position.seat_names, position.teams, strict=True)):
        if number in position.left:
            text = f"out of the game, number {position.left.index(number) + 1} to leave"
            yield Panel(name, (Entry(text, seat=number, short="out of the game"),), number)
            continue
        is_deploying = number in position.to_move and position.phase == DEPLOY
        reserve = (
            Entry(
                f"{ship}s in reserve",
                ship,
                number,
                spare,
                f"deploy {kind}" if is_deploying else "",
                short=f"\u00d7{spare}",
            )
            for (kind, ship), spare in zip(
                _SHIPS.items(), (team.spare_fighters, team.spare_controls), strict=True
            )
        )
        owned = " ".join(names_of(team.controls & STATION_MASK)) or "none"
        has, earns = team.resources, team.income(position.home(number))
        entries = (
            Entry("resources", seat=number, count=has, short=f"resources {has}"),
            *reserve,
            Entry(
                f"income, stations owned: {owned}",
                seat=number,
                count=earns,
                short=f"earns {earns}",
            ),
        )
        yield Panel(name, entries, number)


def _turn_panels(position: FightersState) -> Iterator[Panel]:
    """Yield the dice, and what is still open in the turn."""
    if len(position.dice) == 2:
        numbers = (position.dice[0], position.control_steps)
        yield counters("dice", ("fighters", "control ships"), numbers)
    if not position.outcome:
        for caption in _captions(position):
            is_said = caption.startswith(("dice of", "done for"))
            yield Panel("", (Entry(caption, short="-" if is_said else ""),))


def draw_position(position: FightersState, last: Sequence[str]) -> Picture:
    """Draw the board, the teams and the dice, with the places of the moves `last` in brackets."""
    marked = marked_places(last)
    canvas = PLAN.draw()
    for place in bits(PLAN.places):
        row, column = PLAN.spots[place]
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
    """Return a team's row of the table."""
    team = position.teams[number]
    if number in position.left:
        return f"out of the game, number {position.left.index(number) + 1} to leave"
    owned = names_of(team.controls & STATION_MASK)
    reserve = f"{team.spare_fighters}f {team.spare_controls}c"
    space = f"{team.fighters.bit_count()}f {team.controls.bit_count()}c"
    income = f"{' '.join(owned) or 'none'} (+{team.income(position.home(number))})"
    return f"{team.resources:<11}{reserve:9}{space:10}{income}"


def _captions(position: FightersState) -> list[str]:
    """Return what happens next, and what is still open."""
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
