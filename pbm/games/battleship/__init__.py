"""Battleship: two hidden fleets, and shots in turn or in salvoes.

Rules: docs/rules/battleship.md."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar

from pbm.games.battleship.battleship_state import (
    FLEETS,
    ROOMY,
    SEATS,
    BattleshipState,
    ship_cells,
    ship_places,
)
from pbm.games.battleship.seas import build_scene, cell_name, describe_seas, draw_seas
from pbm.rules import (
    Game,
    GameInfo,
    IllegalMove,
    InvalidMove,
    MoveError,
    Option,
    OptionError,
    Picture,
    Value,
)
from pbm.rules.boards.squares import cached_grid
from pbm.rules.drawing.scene import Scene
from pbm.rules.families.two_player import TWO
from pbm.rules.help_page import read_help
from pbm.rules.phrases import combine, make_phrase, phrase
from pbm.rules.typed import left_of, listing, quoted

_CELL = r"[a-z]{1,2}[0-9]{1,3}"
_TYPED = re.compile(rf"\s*({_CELL})(?![0-9a-z]*[0-9a-z])")
_PLACED = re.compile(
    rf"\s*(?:([a-z]+)[\s:-]+)?({_CELL})(?:\s*(?:-+|to|:|\s)\s*|(?=[a-z]))({_CELL})(?![0-9a-z])"
)
_BOAT = re.compile(rf"\s*(?:([a-z]+)[\s:-]+)?({_CELL})(?![0-9a-z])")


@dataclass(frozen=True, slots=True)
class BattleshipPosition(BattleshipState):
    """A position of Battleship, with the moves that lead to the next."""

    def legal_moves(self, seat: int) -> Sequence[str]:
        if seat not in self.to_move:
            return ()
        if not self.is_placing:
            shot = set(self.shots[seat])
            return [name for name in cached_grid(self.size, self.size).names if name not in shot]
        taken = self.blocked_cells(seat)
        _, length = self.next_ship(seat)
        return [move for move, cells in ship_places(self.size, length).items() if not cells & taken]

    def parse(self, text: str, seat: int) -> tuple[str, str]:
        if seat not in self.to_move:
            raise IllegalMove(self._not_on_the_move(seat))
        low = text[:400].lower()
        if not self.is_placing:
            if match := _TYPED.match(low):
                return match[1], left_of(text, match.end())
            raise InvalidMove(phrase("{text} is not a cell; write a shot as b7", text=quoted(text)))
        ship, length = self.next_ship(seat)
        match = _PLACED.match(low)
        if length == 1 and not (match and match[2] == match[3]):
            match = _BOAT.match(low)
        if match is None or match[1] not in (None, *(name for name, _ in self.fleet)):
            raise InvalidMove(
                phrase(
                    "{text} is not a place for a ship: {placing_hint}",
                    text=quoted(text),
                    placing_hint=self.placing_hint(seat),
                )
            )
        if match[1] and match[1] != ship:
            raise IllegalMove(
                phrase(
                    "the {ship} comes next: {placing_hint}",
                    ship=ship,
                    placing_hint=self.placing_hint(seat),
                )
            )
        ends = match[2], match[match.lastindex or 2]
        return self._placed(*ends), left_of(text, match.end())

    def _placed(self, start: str, end: str) -> str:
        """Return the notation of a place from one cell to another."""
        number = cached_grid(self.size, self.size).number
        if start in number and end in number and number[start] > number[end]:
            start, end = end, start
        return start if start == end else f"{start}-{end}"

    def apply(self, seat: int, move: str) -> BattleshipPosition:
        if self.is_placing:
            cells = ship_places(self.size, self.next_ship(seat)[1]).get(move)
            if cells is None or cells & self.blocked_cells(seat):
                raise self._no_place(seat, move)
            after = replace(self, ships=_added(self.ships, seat, move), news=())
            return after if after.is_placing else after._start_shooting()
        grid = cached_grid(self.size, self.size)
        if move not in grid.number:
            if grid.looks_like_cell(move) and move not in map(str.upper, grid.names):
                raise IllegalMove(
                    phrase(
                        "{move} is not on the board, which ends at {name}",
                        move=move,
                        name=grid.names[-1],
                    )
                )
            raise InvalidMove(phrase("{move} is not a cell; write a shot as b7", move=quoted(move)))
        if move in self.shots[seat]:
            raise IllegalMove(phrase("you have already shot at {move}", move=move))
        shots, fired, left = _added(self.shots, seat, move), self.fired + 1, self.left - 1
        after = replace(self, shots=shots, fired=fired, left=left, news=())
        return after if left else after._reveal_shots()

    def _no_place(self, seat: int, move: str) -> MoveError:
        number = cached_grid(self.size, self.size).number
        ends = move.split("-")
        if not all(re.fullmatch(_CELL, end) for end in ends) or len(ends) > 2:
            return InvalidMove(
                phrase(
                    "{move} is not a place for a ship: {placing_hint}",
                    move=quoted(move),
                    placing_hint=self.placing_hint(seat),
                )
            )
        off = [end for end in ends if end not in number]
        if off:
            return IllegalMove(
                phrase(
                    "{off} is not on the board: {placing_hint}",
                    off=off[0],
                    placing_hint=self.placing_hint(seat),
                )
            )
        cells = ship_places(self.size, self.next_ship(seat)[1]).get(move)
        if cells is None:
            if ship_places(self.size, self.next_ship(seat)[1]).get(self._placed(ends[0], ends[-1])):
                return InvalidMove(
                    phrase(
                        "{move} is written {placed}",
                        move=quoted(move),
                        placed=self._placed(ends[0], ends[-1]),
                    )
                )
            return IllegalMove(
                phrase(
                    "{move} does not fit: {placing_hint}, along a row or column",
                    move=move,
                    placing_hint=self.placing_hint(seat),
                )
            )
        for name, ship in zip(self.fleet, self.ships[seat], strict=False):
            if cells & ship_cells(self.size, ship):
                return IllegalMove(
                    phrase(
                        "{move}: your {name} lies there, {ship}", move=move, name=name[0], ship=ship
                    )
                )
        return IllegalMove(phrase("{move}: it would touch another ship of yours", move=move))

    def _start_shooting(self) -> BattleshipPosition:
        """Return the first turn of shooting."""
        news = (phrase("both fleets are at sea, {seat} shoots first", seat=self.seat_name(0)),)
        return replace(self, turn=self.turn + 1, left=self._volley(0), news=news)

    def _volley(self, seat: int) -> int:
        """Return the number of shots in a turn of that seat."""
        if not self.options["salvo"]:
            return 1
        return min(len(self.fleet) - len(self.sunk(seat)), self.size**2 - len(self.shots[seat]))

    def _reveal_shots(self) -> BattleshipPosition:
        """Return the position after the last shot of a turn, with hits and misses revealed."""
        seat, other, name = self.side, 1 - self.side, self.seat_name(self.side)
        afloat = set(self.sunk(other))
        after = replace(self, fired=0, turn=self.turn + 1)
        ship_map = self.ship_map(other)
        volley, grid = self.shots[seat][-self.fired :], cached_grid(self.size, self.size)
        hits = [cell for cell in volley if grid.number[cell] in ship_map]
        misses = [cell for cell in volley if grid.number[cell] not in ship_map]
        news: list[str] = (
            [phrase("{name} hits at {hits}", name=name, hits=listing(hits))] if hits else []
        )
        news += (
            [phrase("{name} misses at {misses}", name=name, misses=listing(misses))]
            if misses
            else []
        )
        sunk = after.sunk(other)
        news += [
            phrase("{name} sinks the {ship}", name=name, ship=self.fleet[n][0])
            for n in sunk
            if n not in afloat
        ]
        if len(sunk) == len(self.fleet):
            return replace(after, side=other, left=0, winner=seat, news=tuple(news))
        return replace(after, side=other, left=after._volley(other), news=tuple(news))

    def resign(self, seat: int) -> BattleshipPosition:
        if self.winner is not None or seat not in (0, 1):
            raise IllegalMove(phrase("only a player who is still in the game can resign"))
        return replace(self, gone=seat, winner=1 - seat, turn=self.turn + 1, news=())

    def uncovered(self) -> BattleshipPosition:
        return replace(self, all_shown=True)

    def describe(self, seat: int, move: str, viewer: int | None = None) -> str:
        if not self.is_placing:
            return move  # everybody sees a shot
        where = move if self.sees(viewer, seat) else phrase("(hidden)")
        return combine("{ship} {where}", ship=self.next_ship(seat)[0], where=where)

    def picture(self, viewer: int | None = None, last: Sequence[str] = ()) -> Picture:
        return draw_seas(self, viewer, last)

    def scene(self, viewer: int | None = None, last: Sequence[str] = ()) -> Scene:
        return build_scene(self, viewer, last)

    def describe_pieces(self, scene: Scene) -> Sequence[str]:
        return describe_seas(scene)

    def steps(self, seat: int, move: str) -> tuple[str, ...]:
        """Return the ends of a ship in the own sea, or a cell of the other one."""
        sea = seat if self.is_placing else 1 - seat
        return tuple(cell_name(sea, cell) for cell in move.split("-"))

    def dump(self) -> list[Any]:
        return [
            self.ships,
            self.shots,
            self.side,
            self.turn,
            self.fired,
            self.left,
            self.winner,
            self.gone,
        ]


def _added(
    rows: tuple[tuple[str, ...], tuple[str, ...]], seat: int, word: str
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    return (rows[0], (*rows[1], word)) if seat else ((*rows[0], word), rows[1])


class Battleship(Game):
    """The game."""

    info: ClassVar[GameInfo] = GameInfo(
        name="battleship",
        title="Battleship",
        version=1,
        players=TWO,
        seats={2: SEATS},
        summary="place a fleet in secret, then find and sink the other",
        help=read_help(__name__),
        aliases=("seabattle", "battleships"),
        options=(
            Option("size", "int", "cells along an edge", 10, 8, 14),
            Option(
                "fleet",
                "choice",
                "the ships; russian: one of 4 cells, two of 3, three of 2, four of 1; "
                "short: 4, 3, 2",
                "classic",
                choices=tuple(FLEETS),
            ),
            Option(
                "apart", "flag", "ships may not touch, not even at a corner; needs size 10 or more"
            ),
            Option(
                "salvo",
                "flag",
                "a turn has one shot for each ship you have afloat; hits are told after the last",
            ),
        ),
        features=frozenset({"hidden", "sealed"}),
        family="war",
        is_decisive=True,
    )

    def start(self, players: int, options: Mapping[str, Value]) -> BattleshipPosition:
        if options["apart"] and int(options["size"]) < ROOMY:
            raise OptionError(
                phrase(
                    "{option} needs a size of {roomy} or more",
                    option=make_phrase("-apart"),
                    roomy=ROOMY,
                )
            )
        return BattleshipPosition(options)

    def load(
        self, players: int, options: Mapping[str, Value], data: list[Any]
    ) -> BattleshipPosition:
        ships, shots, *rest = data
        return BattleshipPosition(
            options,
            (tuple(ships[0]), tuple(ships[1])),
            (tuple(shots[0]), tuple(shots[1])),
            *rest,
        )


BattleshipPosition.game = Battleship()
GAMES = (BattleshipPosition.game,)
