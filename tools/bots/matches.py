"""Games between bots of given strengths, and how sure their result is."""

from __future__ import annotations

import math
import random
from collections.abc import Mapping, Sequence
from typing import NamedTuple, TypeAlias

from pbm.bots.simple import shares
from pbm.bots.strengths import Strength
from pbm.bots.turns import choose_turn, open_turn, play_turn
from pbm.games import get_game
from pbm.rules import CHANCE, CHANCE_TO_MOVE, Game, Position
from tools.bots import beginner
from tools.games.sampling import list_sampled_names

_MOST_TURNS: Mapping[str, int] = {"go": 1500, "pegs": 1500}
_USUAL_TURNS = 400
"""A game that is not over by then counts as a tie."""


class Reader(NamedTuple):
    """Plays from the opening book as long as it goes, and then with a strength."""

    strength: Strength


Player: TypeAlias = Strength | Reader | str
"""Who plays: a strength, or a bot or the beginner by name."""


def is_searchable(game: Game) -> bool:
    """Whether bots can play it with two seats."""
    return 2 in game.info.players and not game.info.features & {"hidden", "sealed"}


def list_searchable_games() -> list[str]:
    """Return the names of the games that bots can play with two seats."""
    return [name for name in list_sampled_names() if is_searchable(get_game(name))]


def play(name: str, players: Sequence[Player], seed: str) -> tuple[float, int]:
    """Return a game between two players, the first seat first: the first seat's share of it, and
    the number of its turns."""
    dice = random.Random(seed)
    position = get_game(name).setup(2)
    seen: dict[str, int] = {}
    most_turns = _MOST_TURNS.get(name, _USUAL_TURNS)
    while position.outcome is None and position.turn < most_turns:
        if position.to_move == CHANCE_TO_MOVE and position.chance is not None:
            position = position.play(CHANCE, dice.choice(position.chance.outcomes))
            continue
        if position.key is not None:
            seen[position.key] = seen.get(position.key, 0) + 1
            if seen[position.key] == 3:
                break
        seat = min(position.to_move)
        for move in choose(position, seat, players[seat], dice):
            position = position.play(seat, move)
    share = 0.5 if position.outcome is None else shares(position.outcome)[0]
    return share, position.turn


def choose(position: Position, seat: int, player: Player, dice: random.Random) -> Sequence[str]:
    """Return the moves of a turn, however long it takes: the levels have no other limit than their
    work."""
    if player == beginner.NAME:
        return [beginner.choose_move(position, seat, dice)]
    if isinstance(player, str):
        return choose_turn(position, seat, player, dice, lambda part: False)
    if isinstance(player, Reader):
        return open_turn(position, seat, player.strength, dice, lambda part: False)
    return play_turn(position, seat, player, dice, lambda part: False)


def compute_interval(score: float, count: int, deviations: float = 1.96) -> tuple[float, float]:
    """Return Wilson's interval for a share that was measured in `count` games."""
    squared = deviations**2
    middle = (score + squared / (2 * count)) / (1 + squared / count)
    spread = score * (1 - score) / count + squared / (4 * count**2)
    half = deviations * math.sqrt(spread) / (1 + squared / count)
    return middle - half, middle + half
