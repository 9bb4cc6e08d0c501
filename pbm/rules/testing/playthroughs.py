"""Random games: one move, to the end, and written out as a playthrough."""

from __future__ import annotations

import random

from pbm.rules.chance import CHANCE, CHANCE_TO_MOVE
from pbm.rules.game import Game, Position
from pbm.rules.options import Option, Value
from pbm.rules.testing.nonconforming import require
from pbm.rules.testing.topics import CHANCE_QUESTIONS, ENDLESS, MOVES

PLAYED = 400
"""The number of moves of a playthrough whose header gives no other."""


def random_options(game: Game, rng: random.Random) -> dict[str, Value]:
    """Return some options of the game with allowed values; together they may exclude each other."""
    return {
        option.name: value
        for option in game.info.options
        if rng.random() < 0.5 and (value := _random_value(option, rng)) is not None
    }


def _random_value(option: Option, rng: random.Random) -> Value | None:
    if option.kind == "flag":
        return True
    if option.kind == "int":
        return rng.randint(int(option.low), int(option.high))
    if option.kind == "float":
        return rng.uniform(option.low, option.high)
    return rng.choice(option.choices) if option.choices else None


def choose(position: Position, rng: random.Random) -> tuple[int, str]:
    """Return a seat on the move, or chance, and one of its moves."""
    if position.to_move == CHANCE_TO_MOVE:
        question = position.chance
        asks = "a position that awaits chance asks a question"
        require(question is not None, asks, CHANCE_QUESTIONS)
        return CHANCE, rng.choice(question.outcomes if question else ())
    seat = rng.choice(sorted(position.to_move))
    moves = position.legal_moves(seat)
    require(len(moves) > 0, f"seat {seat} is on the move and has one", MOVES)
    return seat, rng.choice(moves)


def finished(position: Position, rng: random.Random, most: int = 100_000) -> tuple[Position, int]:
    """Play at random to the end; returns the last position and the number of moves. Raise
    Nonconforming if a seat on the move has no legal move, or if the game is not over after `most`
    moves."""
    number = 0
    while position.to_move:
        require(number < most, f"not over after {most} moves: {position.encode()}", ENDLESS)
        seat = CHANCE if position.to_move == CHANCE_TO_MOVE else min(position.to_move)
        question = position.chance
        moves = position.legal_moves(seat) if question is None else question.outcomes
        require(
            len(moves) > 0, f"seat {seat} is on the move and has one: {position.encode()}", MOVES
        )
        position = position.play(seat, rng.choice(moves))
        number += 1
    return position, number


def playthrough(
    game: Game,
    *,
    players: int,
    seed: int,
    options: dict[str, Value] | None = None,
    moves: int = PLAYED,
    every: int = 1,
) -> str:
    """Return a random game written out state by state, for a file that is committed, regenerated
    and compared: the board as each viewer sees it, seats on the move, legal moves, question,
    choice, news, outcome. Boards and legal moves are written only for each `every`-th state, the
    first and the last among them."""
    rng = random.Random(seed)  # noqa: S311 (not cryptography)
    position = game.setup(players, options or {})
    lines = [f"game {game.info.name} version {game.info.version}", f"players {players}"]
    lines.append(f"seed {seed}")
    lines += [] if moves == PLAYED else [f"moves {moves}"]
    lines += [] if every == 1 else [f"every {every}"]
    lines += [f"option {name} = {value}" for name, value in (options or {}).items()]
    last: tuple[str, ...] = ()
    viewers: list[int | None] = [None]
    if "hidden" in game.info.features or "sealed" in game.info.features:
        viewers += range(players)
    for number in range(moves):
        lines += ["", f"# state {number}, turn {position.turn}"]
        full = number % every == 0 or number == moves - 1 or not position.to_move
        for viewer in viewers if full else ():
            lines += [] if viewer is None else [f"as seat {viewer} sees it:"]
            lines += position.render(viewer, last).split("\n")
        if not position.to_move:
            break
        for seat in sorted(position.to_move - {CHANCE}) if full else ():
            legal = list(position.legal_moves(seat))
            shown = " | ".join(legal[:60]) + (" | ..." if len(legal) > 60 else "")
            lines.append(f"seat {seat} has {len(legal)} moves: {shown}")
        if position.chance is not None:
            lines.append(f"chance {position.chance.kind} of {len(position.chance.outcomes)}")
        seat, move = choose(position, rng)
        lines.append(f"{'chance' if seat == CHANCE else f'seat {seat}'} plays {move}")
        for viewer in viewers:
            words = position.describe(seat, move, viewer)
            if words != move:
                lines.append(
                    f"  which reads {words}" + ("" if viewer is None else f" for {viewer}")
                )
        position = position.play(seat, move)
        lines += [f"  {sentence}" for sentence in position.news]
        last = (*last, move) if position.to_move == CHANCE_TO_MOVE else (move,)
    if position.outcome is not None:
        lines += ["", f"ranks {position.outcome.ranks}: {position.outcome.reason}"]
    return "\n".join(line.rstrip() for line in lines) + "\n"
