"""Checks of the engines in [[bots.engine]]: each has to answer a position of each of its games."""

from __future__ import annotations

import time
from collections.abc import Iterator

from pbm.cli.doctor.finding import Finding
from pbm.config import Config
from pbm.engines.setup import EnginePlayer
from pbm.games import UnknownGame, get_game
from pbm.rules import CHANCE, CHANCE_TO_MOVE, Game


def check_engines(config: Config) -> Iterator[Finding]:
    """Try every level of every engine in every game."""
    for player in config.bots.list_engine_players():
        for name in player.setup.games:
            try:
                game = get_game(name)
            except UnknownGame:
                says = f"{player.userid}: there is no game called {name!r}"
                yield Finding("engines", "BAD", says, "correct games in [[bots.engine]]")
            else:
                yield _try(config, player, game)


def _try(config: Config, player: EnginePlayer, game: Game) -> Finding:
    from pbm.daemon.engine_process import describe_engine, open_engine
    from pbm.engines.dialogue import EngineError, replay

    first = position = game.setup(2)
    moves = list[tuple[int, str]]()
    while position.to_move == CHANCE_TO_MOVE and position.chance is not None:
        outcomes = position.chance.outcomes  # not always the same: two equal dice are rolled again
        moves.append((CHANCE, outcomes[len(moves) % len(outcomes)]))
        position = position.play(*moves[-1])
    what, began = f"{player.userid} in {game.info.name}", time.monotonic()
    try:
        with open_engine(describe_engine(player, config.bots.seconds), first) as talk:
            thought = talk.think(replay(first, moves))
    except EngineError as error:
        do = f"try by hand: {player.setup.command}; see docs/bots.md"
        return Finding("engines", "BAD", f"{what}: {error}", do)
    took = f"{time.monotonic() - began:.1f} s"
    return Finding("engines", "ok", f"{what} played {', '.join(thought.moves)} after {took}")
