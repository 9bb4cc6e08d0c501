"""Random pairs of Battleship games that a viewer must not be able to tell apart."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence

from pbm.games.battleship import Battleship, BattleshipPosition
from pbm.games.battleship.battleship_state import FLEETS, ship_cells, ship_places
from pbm.rules import Game, Position, Value
from pbm.rules.boards.squares import cached_grid
from tests.games.turns import played as play_on

Log = list[tuple[int, str]]


def battleships(
    rng: random.Random,
) -> Iterator[
    tuple[int | None, tuple[Position, Sequence[str], str], tuple[Position, Sequence[str], str]]
]:
    """The moments of a game and of another in which fleets that the viewer does not see lie
    elsewhere, as far as the shots leave it open."""
    game, viewer = Battleship(), rng.choice((None, 0, 1))
    options, other = options_of(rng), None
    while other is None:
        one = played(game, options, rng)
        other = elsewhere(one, options, {0, 1} - {viewer}, rng)
    yield from (
        (viewer, here, there)
        for here, there in zip(
            moments(game, options, one, viewer), moments(game, options, other, viewer), strict=True
        )
    )


def moments(
    game: Game, options: dict[str, Value], log: Log, viewer: int | None
) -> Iterator[tuple[Position, Sequence[str], str]]:
    """The positions of a game, each with the last moves of one seat and the words of the last."""
    position, last, mover = game.setup(2, options), list[str](), -1
    yield position, last, ""
    for seat, move in log:
        words = position.describe(seat, move, viewer)
        position = position.play(seat, move)
        last = [*last[-7:], move] if seat == mover else [move]
        mover = seat
        yield position, last, words


def options_of(rng: random.Random) -> dict[str, Value]:
    """Options that go together."""
    options: dict[str, Value] = {"fleet": rng.choice(list(FLEETS)), "size": rng.randint(8, 12)}
    if int(options["size"]) >= 10 and rng.random() < 0.3:
        options["apart"] = True
    if rng.random() < 0.5:
        options["salvo"] = True
    return options


def played(game: Game, options: dict[str, Value], rng: random.Random) -> Log:
    """A random game, often broken off; shots near hits are likelier, so that ships are sunk."""
    position, log = game.setup(2, options), Log()
    assert isinstance(position, BattleshipPosition)
    most = rng.choice((rng.randrange(20), rng.randrange(60), 400))
    while position.to_move and len(log) < most:
        seat = rng.choice(sorted(position.to_move))
        moves = position.legal_moves(seat)
        if position.turn and rng.random() < 0.5:
            ships = cells(position.ships[1 - seat], int(position.options["size"]))
            names = cached_grid(int(position.options["size"]), int(position.options["size"])).number
            moves = [move for move in moves if names[move] in ships] or moves
        move = rng.choice(moves)
        log.append((seat, move))
        position = play_on(position, seat, move)
    if position.outcome is not None:  # then all is shown
        log.pop()
    return log


def cells(ships: Sequence[str], size: int) -> set[int]:
    """The cells of ships."""
    return {cell for ship in ships for cell in ship_cells(size, ship)}


def elsewhere(
    log: Log, options: dict[str, Value], hidden: set[int], rng: random.Random
) -> Log | None:
    """The same shots at other fleets: each ship lies anywhere where they hit just as much of it.
    None where none was found."""
    size, fleet = int(options["size"]), FLEETS[str(options["fleet"])]
    number, around = cached_grid(size, size).number, cached_grid(size, size).king
    placed: list[list[str]] = [[], []]
    shots: list[set[int]] = [set(), set()]
    for seat, move in log:
        if len(placed[seat]) < len(fleet):
            placed[seat].append(move)
        else:
            shots[seat].add(number[move])
    for seat in hidden:
        places: list[str] = []
        taken: set[int] = set()
        for (_, length), ship in zip(fleet, placed[seat], strict=False):
            hit = ship_cells(size, ship) & shots[1 - seat]
            fits = [
                move
                for move, there in ship_places(size, length).items()
                if there & shots[1 - seat] == hit and not there & taken
            ]
            if not fits:
                return None
            places.append(rng.choice(fits))
            taken |= ship_cells(size, places[-1])
            if options.get("apart"):
                taken |= {near for cell in taken.copy() for near in around[cell]}
        placed[seat] = places
    ships = [iter(placed[0]), iter(placed[1])]
    return [(seat, next(ships[seat], move)) for seat, move in log]
