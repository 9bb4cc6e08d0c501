"""Numbers in a picture where several have moved since the reader's turn: what happened first, and
what then."""

from __future__ import annotations

import random

import pytest

from pbm.games import get_game, list_game_names
from pbm.rules import CHANCE_TO_MOVE
from pbm.rules.drawing.scene import TURN
from pbm.rules.drawing.svg import draw_svg


def list_crowds() -> list[str]:
    """The games that more than two play and that hide nothing, a few of them."""
    found = [
        name
        for name in list_game_names()
        if max((info := get_game(name).info).players) > 2
        and not info.features & {"hidden", "sealed"}
        and not get_game(name).setup().takes_orders
    ]
    return found[::3]


@pytest.mark.parametrize("name", list_crowds())
def test_a_turn_of_long_ago_can_be_shown_on_the_board_of_now(name: str) -> None:
    game, dice = get_game(name), random.Random(name)
    position = game.setup(max(game.info.players))
    turns: list[tuple[str, ...]] = []
    for _ in range(24):
        if position.outcome is not None:
            break
        if position.to_move == CHANCE_TO_MOVE:
            assert position.chance is not None
            position = position.play(-1, dice.choice(position.chance.outcomes))
            continue
        seat = min(position.to_move)
        move = dice.choice(position.legal_moves(seat))
        position = position.play(seat, move)
        turns.append((move,))
        scene = position.scene(0, turns[-1])
        shown = scene.number_turns([position.scene(0, moves) for moves in turns[-3:]])
        numbers = [mark for mark in shown.marks if mark.role.startswith(TURN)]
        assert {mark.places[0] for mark in numbers} <= {place.name for place in scene.places}
        assert draw_svg(shown, position.colours).count('class="goldtext"') >= len(numbers)
