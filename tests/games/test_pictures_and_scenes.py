"""The text picture and the scene of a position show the same, place by place, on boards whose
pictures have a line for each row with a sign for each place."""

from __future__ import annotations

import random
import re

import pytest

from pbm.games import get_game
from pbm.rules import CHANCE, Position
from pbm.rules.drawing.scene import Scene
from tools.games.sampling import list_sampled_names

OTHERWISE = {
    "backgammon": "men lie in columns",
    "battleship": "two seas lie side by side",
    "corridor": "walls lie between rows",
    "bughouse": "two boards stand side by side",
    "cradle": "cells are triangles",
    "cyclone": "a line is a path",
    "dip": "powers have lines, provinces have none",
    "dotsandboxes": "lines lie between dots",
    "fanorona": "lines join points",
    "hypergammon": "men lie in columns",
    "internationaldraughts": "squares have their numbers beside them",
    "kalah": "houses have no rows",
    "draughts": "squares have their numbers beside them",
    "morris": "lines join points",
    "nackgammon": "men lie in columns",
    "oware": "houses have no rows",
    "pegs": "links cross the rows",
    "poolside": "there is no board",
    "qubic": "four levels lie side by side",
    "russiandraughts": "light squares are blank",
    "spacefighters": "stations cover several cells",
    "spacetruckin": "tiles are three lines high",
    "cephalopod": "dice are two signs",
    "minishogi": "promoted pieces are two signs",
    "spacecradles": "the board is a cross",
}
Sign = tuple[object, ...]


def read_rows(position: Position, scene: Scene) -> dict[str, str]:
    """The sign on each place, as the text picture has it."""
    signs: dict[str, str] = {}
    lines = re.sub(r"[][]|--", " ", position.render()).split("\n")
    rows = [region for region in scene.regions if region.kind == "row"]
    for row in rows:
        pattern = re.compile(rf"^ *{row.name} +((?:\S+ +)*\S+?)(?: +{row.name})? *$")
        size = len(row.places)
        matches = [match[1].split() for line in lines if (match := pattern.match(line))]
        (shown,) = {tuple(tokens[:size]) for tokens in matches if len(tokens) in (size, size + 1)}
        signs.update(zip(row.places, shown, strict=True))
    assert set(signs) == {place.name for place in scene.places}
    return signs


@pytest.mark.parametrize("name", [name for name in list_sampled_names() if name not in OTHERWISE])
def test_the_text_picture_and_the_scene_show_the_same(name: str) -> None:
    rng = random.Random(name)
    position: Position = get_game(name).setup()
    meaning: dict[str, Sign] = {}
    for _ in range(60):
        scene = position.scene()
        standing: dict[str, Sign] = {
            piece.place: (piece.kind, piece.seat, piece.label) for piece in scene.pieces
        }
        shades = {place.name: place.shade for place in scene.places}
        dead = {mark.places[0] for mark in scene.marks if mark.role == "dead"}
        for place, sign in read_rows(position, scene).items():
            there = (*standing.get(place, ("", shades[place])), place in dead)
            assert meaning.setdefault(sign, there) == there or not standing.get(place), (
                place,
                sign,
            )
            assert bool(standing.get(place)) == bool(meaning[sign][0]), (place, sign)
        if not position.to_move:
            break
        seat = min(position.to_move)
        moves = position.chance.outcomes if seat == CHANCE and position.chance else ()
        position = position.play(seat, rng.choice(moves or position.legal_moves(seat)))
    pieces = [what for what in meaning.values() if what[0]]
    assert len(set(pieces)) == len(pieces)
