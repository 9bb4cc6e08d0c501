"""The scene and the picture of a position of Space Fighters: the board, the teams and the dice.

The picture shows rooms, walls and doors as the printed board does, and the teams in a table."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

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
from pbm.rules.drawing.scene import (
    Entry,
    Panel,
    Piece,
    Scene,
    Stroke,
    counters,
    mark_told,
    marks_on,
)
from pbm.rules.phrases import join_phrases, phrase, tell_end
from pbm.rules.typed import listing

_SHIPS = {"f": "fighter", "c": "control ship"}
_RESERVES = {"f": phrase("fighters in reserve"), "c": phrase("control ships in reserve")}
_HEADINGS = (
    # TRANSLATORS: heading of a column, at most 8 letters
    (5, 9, phrase("team")),
    # TRANSLATORS: heading of a column, at most 10 letters
    (14, 11, phrase("resources")),
    # TRANSLATORS: heading of a column, at most 8 letters
    (25, 9, phrase("reserve")),
    # TRANSLATORS: heading of a column, at most 9 letters
    (34, 10, phrase("in space")),
    # TRANSLATORS: heading of a column
    (44, 34, phrase("stations owned")),
)
"""The columns of the table of teams: the beginning and width of each."""


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
    scene = replace(
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
    return mark_told(scene, position.news) if last else scene


def _team_panels(position: FightersState) -> Iterator[Panel]:
    for number, team in enumerate(position.teams):
        if number in position.left:
            entry = Entry(
                _tell_left(position, number), seat=number, short=phrase("out of the game")
            )
            yield Panel(position.seat_name(number), (entry,), number)
            continue
        is_deploying = number in position.to_move and position.phase == DEPLOY
        reserve = (
            Entry(
                _RESERVES[kind],
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
        owned = " ".join(names_of(team.controls & STATION_MASK)) or phrase("none")
        has, earns = team.resources, team.income(position.home(number))
        entries = (
            Entry(
                phrase("resources"),
                seat=number,
                count=has,
                short=phrase("resources {count}", count=has),
            ),
            *reserve,
            Entry(
                phrase("income, stations owned: {stations}", stations=owned),
                seat=number,
                count=earns,
                short=phrase("earns {count}", count=earns),
            ),
        )
        yield Panel(position.seat_name(number), entries, number)


def _turn_panels(position: FightersState) -> Iterator[Panel]:
    """Yield the dice, and the remaining options of the turn."""
    if len(position.dice) == 2:
        numbers = (position.dice[0], position.control_steps)
        names = phrase("fighters"), phrase("control ships")
        yield counters(phrase("dice"), names, numbers)
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
    legend = phrase(
        "fighters {small} (f), control ships {large} (c), star {star}",
        small=letters,
        large=letters.upper(),
        star="*",
    )
    canvas.paragraph(legend, indent=5, width=73)
    canvas.line()
    head = canvas.height
    for column, room, heading in _HEADINGS:
        canvas.put(head, column, heading, picture.LABEL, room)
    for number in range(position.players):
        row = canvas.height
        canvas.put(row, 3, ">" if number == position.seat and position.to_move else " ")
        canvas.put(row, 5, position.seat_name(number), picture.seat(number), room=9)
        _put_team(position, number, canvas, row)
    canvas.line()
    for caption in _captions(position):
        canvas.paragraph(caption, indent=5, width=72)
    return canvas.picture()


def _tell_left(position: FightersState, number: int) -> str:
    """Return that a team is out of the game."""
    return phrase(
        "out of the game, number {number} to leave", number=position.left.index(number) + 1
    )


def _put_team(position: FightersState, number: int, canvas: picture.Canvas, row: int) -> None:
    """Write a team's row of the table."""
    team = position.teams[number]
    if number in position.left:
        canvas.put(row, 14, _tell_left(position, number))
        return
    owned = names_of(team.controls & STATION_MASK)
    reserve = f"{team.spare_fighters}f {team.spare_controls}c"
    space = f"{team.fighters.bit_count()}f {team.controls.bit_count()}c"
    stations, income = " ".join(owned), f"(+{team.income(position.home(number))})"
    canvas.put(row, 14, f"{team.resources:<11}{reserve:9}{space:10}{stations}")
    if not stations:
        none = phrase("none")
        canvas.put(row, 44, none)
        stations = none
    canvas.put(row, 44 + len(stations), f" {income}")


def _captions(position: FightersState) -> list[str]:
    """Return what happens next, and the remaining options."""
    name = position.seat_name(position.seat)
    if outcome := position.outcome:
        return [tell_end(outcome.reason)]
    if position.phase == SETUP:
        tiles = listing(names_of(ADJACENT[position.home(position.seat)]))
        return [
            phrase(
                "{team} sets up two fighters and a control ship on {tiles}", team=name, tiles=tiles
            )
        ]
    if len(position.dice) < 2:
        return [phrase("{team} rolls the movement dice", team=name)]
    shown, steps = position.dice[1], position.control_steps
    control = str(shown)
    if shown != steps:
        control = phrase("{shown}, read as {steps}", shown=shown, steps=steps)
    lines: list[str] = [
        phrase(
            "dice of {team}: fighters {fighters}, control ships {controls}",
            team=name,
            fighters=position.dice[0],
            controls=control,
        ),
        phrase("still open: {choices}", choices=join_phrases(", ", _list_open(position))),
    ]
    if position.moved:
        moved = ", ".join(names_of(position.moved))
        lines.append(phrase("moved, may attack a station: {places}", places=moved))
    if position.spent:
        spent = ", ".join(names_of(position.spent))
        lines.append(phrase("done for this turn: {places}", places=spent))
    return lines


def _list_open(position: FightersState) -> list[str]:
    """Return what the team on the move may still do."""
    team = position.teams[position.seat]
    kinds: list[str] = [phrase("control ships")]
    if position.phase != CONTROLS:
        kinds.insert(0, phrase("fighters"))
    if position.phase == DEPLOY and team.spare_fighters + team.spare_controls:
        kinds.insert(0, phrase("deployments"))
    kinds += [f"buy {kind}" for kind in "fc" if not find_purchase_fault(position, kind)]
    return [*kinds, "end"]
