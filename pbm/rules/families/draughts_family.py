"""Draughts positions: notation, pictures and endings, by the parameters of a federation's rules.

How pieces move is in `draughts_moves`. Rules: docs/rules/draughts.md."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from types import MappingProxyType
from typing import ClassVar

from pbm.rules.drawing.grid_scene import CHEQUERED, grid_scene, square
from pbm.rules.drawing.grid_scene import PLAIN as PLAIN_SQUARES
from pbm.rules.drawing.scene import Label, Panel, Scene, Stroke
from pbm.rules.errors import AmbiguousMove, InvalidMove, RecordError
from pbm.rules.families.board_positions import OnSquares
from pbm.rules.families.draughts_moves import (
    KINGS,
    MEN,
    Chain,
    Draughtboard,
    DraughtsRules,
    draughtboard,
)
from pbm.rules.families.move_lists import MoveListPosition
from pbm.rules.families.two_player import EMPTY, TwoPlayerGame
from pbm.rules.formats import pdn, pgn
from pbm.rules.options import Value
from pbm.rules.outcome import Played
from pbm.rules.phrases import EnglishWord, Listing, combine, phrase, phrase_number
from pbm.rules.typed import left_of, listing, quoted

Force = tuple[int, int]
"""The numbers of men and kings of a side."""

_SQUARE = r"(?:[a-j][0-9]{1,2}|[0-9]{1,2})"
_NAMES = re.compile(_SQUARE)
_FORM = re.compile(rf"{_SQUARE}(?:\s*[-x:]\s*{_SQUARE}|[a-j][0-9]{{1,2}})+(?![a-z0-9])")
_KING = EnglishWord("king", phrase("crowned man"))
_KINDS = MappingProxyType(
    {
        sign: (kind, side)
        for side in (0, 1)
        for sign, kind in ((MEN[side], "man"), (KINGS[side], _KING))
    }
)
_CHOICES = 6
"""The most captures that a refusal of an ambiguous text names."""


@dataclass(frozen=True, slots=True)
class Endings:
    """When a game is drawn; all numbers count the turns of both sides together.

    idle    turns without a capture or a man moving forward that end the game
    claim   such turns after which either player may claim the draw
    few     how long an endgame may last, by the forces of both sides, 0 for any number; counted
            from the capture or crowning that brought it about
    kept    whether a capture in such an endgame does not prolong it
    """

    idle: int
    claim: int = 0
    few: Callable[[Force, Force], int] = lambda one, other: 0
    kept: bool = False


@dataclass(frozen=True, slots=True)
class DraughtsPosition(OnSquares, MoveListPosition):
    """A position of such a game.

    idle   the turns since the last capture or man moving forward
    until  the turn at which an endgame of few pieces is drawn; 0 if there is no limit
    """

    form = _FORM
    rules: ClassVar[DraughtsRules]
    endings: ClassVar[Endings]
    idle: int = 0
    until: int = 0
    chains: dict[str, Chain] = field(default_factory=dict, init=False, compare=False, repr=False)
    """What each listed move does: the squares it visits and those it captures."""
    kinds = _KINDS

    @property
    def geometry(self) -> Draughtboard:
        return draughtboard(self.rules)

    @property
    def key(self) -> str | None:
        return f"{self.side}{self.board}"

    @property
    def claim(self) -> str:
        """Why a player may claim a draw here; "" if none may."""
        allowed = self.endings.claim
        if not allowed or self.idle < allowed or self.outcome:
            return ""
        return phrase(
            "both sides have made {allowed} moves without a capture or a man's step",
            allowed=allowed // 2,
        )

    def list_moves(self) -> list[str]:
        if not self.chains:
            self.chains.update(self.geometry.moves(self.board, self.side))
        return list(self.chains)

    def make_move(self, move: str) -> DraughtsPosition:
        geometry, side, board = self.geometry, self.side, self.board
        chain = self.chains[move]
        path, taken = chain
        row, start, end = list(board), path[0], path[-1]
        piece, row[start] = row[start], EMPTY
        for cell in taken:
            row[cell] = EMPTY
        crowned = piece == MEN[side] and geometry.crowns(chain, board, side)
        row[end] = KINGS[side] if crowned else piece
        step = piece == MEN[side] and start // self.rules.size != end // self.rules.size
        after = replace(
            self,
            board="".join(row),
            side=1 - side,
            turn=self.turn + 1,
            idle=0 if taken or step else self.idle + 1,
            news=self.tell_captured(taken),
        )
        if taken or crowned:
            after = after._limit_endgame()
        return after._end_if_decided()

    def _limit_endgame(self) -> DraughtsPosition:
        """Return the position with `until` as the pieces on the board require."""
        count = self.board.count
        one, other = ((count(MEN[n]), count(KINGS[n])) for n in (0, 1))
        more = self.endings.few(one, other)
        until = self.turn + more if more else 0
        if until and self.until and self.endings.kept:
            until = min(until, self.until)
        return replace(self, until=until) if until != self.until else self

    def _end_if_decided(self) -> DraughtsPosition:
        if not self.moves():
            side = self.side
            left = any(sign in self.board for sign in (MEN[side], KINGS[side]))
            colour = self.colour(side)
            reason = (
                phrase("{colour} cannot move", colour=colour)
                if left
                else phrase("{colour} has no piece left", colour=colour)
            )
            return self.win(1 - side, reason)
        if self.idle >= self.endings.idle:
            moves = self.endings.idle // 2
            return self.end_in_draw(
                phrase("{moves} moves of each side without a capture or a man's step", moves=moves)
            )
        if self.until and self.turn >= self.until:
            return self.end_in_draw(phrase("this endgame has lasted as long as it may"))
        return self

    # Parsing

    def parse(self, text: str, seat: int) -> tuple[str, str]:
        begun = text[:400].lstrip(" ,;")
        match = _FORM.match(begun.lower())
        if not match or len(text) > 4000:
            return MoveListPosition.parse(self, text, seat)
        skipped = len(text[:400]) - len(begun)
        return self.read(re.sub(r"\s", "", match[0])), left_of(text, skipped + match.end())

    def canonicalize(self, match: re.Match[str]) -> str:
        """Return the legal move that visits the named squares, all of them or some between the
        first and the last; if there is none, the text with the squares as this game writes them."""
        geometry, cells = self.geometry, self._cells(match[0])
        names = [geometry.square_names[cell] for cell in cells]
        crossed = "x" in match[0] or ":" in match[0] or len(cells) > 2
        text = (geometry.rules.cross if crossed else "-").join(names)
        if self.outcome:
            return text
        for move in (geometry.rules.cross.join(names), "-".join(names)):
            if move in self.moves():
                return move
        effects = {geometry.effect(c, self.board, self.side): m for m, c in self.chains.items()}
        ways = (
            c for c in geometry.captures(self.board, self.side) if _visits_in_order(c[0], cells)
        )
        moves = sorted(
            {m for c in ways if (m := effects.get(geometry.effect(c, self.board, self.side)))}
        )
        if len(moves) > 1:
            more = (
                combine(" ({all})", all=phrase("{number} in all", number=len(moves)))
                if len(moves) > _CHOICES
                else ""
            )
            raise AmbiguousMove(
                phrase(
                    "{text} could be several captures: {move}{more}",
                    text=text,
                    move=listing(moves[:_CHOICES], "or"),
                    more=more,
                )
            )
        return moves[0] if moves else text

    def _cells(self, text: str) -> list[int]:
        """Return the squares that a text names; InvalidMove for a square that does not exist."""
        geometry, cells = self.geometry, list[int]()
        for name in _NAMES.findall(text):
            cell = geometry.cell_named.get(name.lstrip("0"))
            if cell is None:
                if name in geometry.names:
                    raise InvalidMove(
                        phrase("{name} is a light square; only the dark ones are used", name=name)
                    )
                raise InvalidMove(
                    phrase("{name} is not on the board: {extent}", name=name, extent=self.extent)
                )
            cells.append(cell)
        return cells

    def read(self, word: str) -> str:
        match = _FORM.fullmatch(word)
        if not match:
            raise InvalidMove(
                phrase(
                    "{word} is not a move; a move looks like {example}",
                    word=quoted(word),
                    example=self.example,
                )
            )
        return self.canonicalize(match)

    @property
    def extent(self) -> str:
        geometry = self.geometry
        if self.rules.numbers:
            return phrase(
                "the squares go from 1 to {squares_count}", squares_count=len(geometry.squares)
            )
        return phrase("it runs from a1 to {name}", name=geometry.names[-1])

    def find_fault(self, move: str) -> str:
        geometry, side, board = self.geometry, self.side, self.board
        cells = self._cells(move)
        start, end = cells[0], cells[-1]
        name, target = geometry.square_names[start], geometry.square_names[end]
        if board[start] == EMPTY:
            return phrase("{name} is empty", name=name)
        if board[start] in (MEN[1 - side], KINGS[1 - side]):
            return phrase(
                "the piece on {name} is {colour}'s, not yours",
                name=name,
                colour=self.colour(1 - side),
            )
        if any(taken for _, taken in self.chains.values()):
            return self._explain_missed_capture(cells)
        if self.rules.cross in move:
            return phrase(
                "there is nothing to capture; a move looks like {example}", example=self.example
            )
        if board[end] != EMPTY:
            return phrase("{target} is not empty", target=target)
        if board[start] == MEN[side]:
            if self.rules.straight:
                return phrase("a man moves one square forward or sideways")
            return phrase("a man moves one square diagonally forward")
        if not self.rules.flying:
            return phrase("a king moves one square diagonally")
        if not any(end in line for line in geometry.lines[start]):
            return phrase("{name} and {target} are not on one line", name=name, target=target)
        return phrase("a piece stands between {name} and {target}", name=name, target=target)

    def duty(self, seat: int) -> str:
        """Return that there is something to capture."""
        has_captures = any(taken for _, taken in self.chains.values())
        return phrase("you must capture") if has_captures else ""

    def _explain_missed_capture(self, cells: Sequence[int]) -> str:
        """Return why the named squares are not a legal capture when there is one."""
        geometry = self.geometry
        paths = [path for path, _ in self.chains.values()]
        for path in paths:
            if list(path[: len(cells)]) == list(cells):
                return phrase(
                    "the capture goes on: {sample_moves}",
                    sample_moves=listing(self._sample_moves(cells[0]), "or"),
                )
        for path, taken in geometry.captures(self.board, self.side):
            if _visits_in_order(path, cells):
                most = max(len(more) for _, more in self.chains.values())
                return phrase(
                    "that captures {taken}, you must capture as many as possible, {most}: "
                    "{sample_moves}",
                    taken=len(taken),
                    most=most,
                    sample_moves=listing(self._sample_moves(None), "or"),
                )
        return phrase(
            "you must capture: {sample_moves}", sample_moves=listing(self._sample_moves(None), "or")
        )

    def _sample_moves(self, start: int | None) -> list[str]:
        """Return some legal moves, only those of the piece on a square if one is given."""
        moves = [m for m, (path, _) in self.chains.items() if start in (None, path[0])]
        return moves[:_CHOICES]

    def shorten(self, move: str) -> str:
        """Return a legal move by its first and last square, if that cannot mean another one."""
        cross = self.rules.cross
        squares = move.split(cross)
        short = f"{squares[0]}{cross}{squares[-1]}"
        try:
            return short if len(squares) > 2 and self.read(short) == move else move
        except AmbiguousMove:
            return move

    # Scenes and pictures

    @property
    def place_names(self) -> Sequence[str]:
        return self.geometry.square_names

    @property
    def empty_scene(self) -> Scene:
        return squares_scene(self.geometry)

    def panels(self) -> tuple[Panel, ...]:
        return ()

    def named_cells(self, moves: Sequence[str]) -> set[int]:
        number = self.geometry.cell_named
        return {number[name] for move in moves for name in _NAMES.findall(move) if name in number}

    @property
    def remark(self) -> str:
        kings = [sign for sign in KINGS if sign in self.board]
        if not kings:
            return ""
        return phrase_number(
            "{kings} is a king", "{kings} are kings", len(kings), kings=Listing(kings)
        )


@cache
def squares_scene(board: Draughtboard) -> Scene:
    """Return the scene of the empty board: the squares that are used, without coordinates where
    numbers name them."""
    scene = grid_scene(
        board, PLAIN_SQUARES if board.rules.straight else CHEQUERED, names=tuple(board.square_names)
    )
    size = board.rules.size
    frame = (Stroke(square(0, 0, size), "frame"),)
    if not board.rules.numbers:
        return replace(scene, strokes=frame)
    rows = tuple(region for region in scene.regions if region.kind == "row")
    labels = tuple(
        Label(place.name, (place.centre[0] - 0.37, place.centre[1] - 0.39))
        for place in scene.places
    )
    return replace(scene, labels=labels, regions=rows, strokes=frame)


def _visits_in_order(path: Sequence[int], cells: Sequence[int]) -> bool:
    """Whether a capture starts on the first cell, ends on the last and visits the others in
    order."""
    if path[0] != cells[0] or path[-1] != cells[-1]:
        return False
    rest = iter(path[1:-1])
    return all(cell in rest for cell in cells[1:-1])


class DraughtsGame(TwoPlayerGame):
    """A game of draughts, whose positions know the rules. `kind` is its GameType in PDN."""

    record_format: ClassVar[str] = "pdn"
    position: ClassVar[type[DraughtsPosition]]
    kind: ClassVar[str]

    def start(self, players: int, options: Mapping[str, Value]) -> DraughtsPosition:
        return self.position(options, draughtboard(self.position.rules).first())

    def record(self, played: Played) -> str:
        """Return the game in PDN, with captures shortened as far as they stay unambiguous."""
        position, words = self.start(played.players, played.options), list[str]()
        for _, move in played.moves:
            words.append(position.shorten(move).replace(":", "x"))
            position = position.advance(move)
        return pdn.pdn(played, words, self.kind)

    def is_recorded(self, tags: Mapping[str, str]) -> bool:
        return "GameType" in tags and pdn.number(tags["GameType"]) == pdn.number(self.kind)

    def read_record(self, text: str) -> Played:
        """Return the game in a PDN record."""
        record = pdn.read(text)
        if "GameType" in record.tags and not self.is_recorded(record.tags):
            raise RecordError(
                phrase(
                    "GameType {tag} is not {title}",
                    tag=quoted(record.tags["GameType"]),
                    title=self.info.title,
                )
            )
        first = self.start(2, {})
        if "FEN" in record.tags and pdn.placement(record.tags["FEN"]) != self._placement_of(first):
            raise RecordError(
                phrase("the game begins with a position of its own (FEN), not the first one")
            )
        return pgn.replay(record, first, white=int(pdn.black_first(self.kind)))

    def _placement_of(self, first: DraughtsPosition) -> tuple[str, frozenset[str]]:
        """Return the first position in the form of `pdn.placement`."""
        colours = "BW" if pdn.black_first(self.kind) else "WB"
        geometry, men = first.geometry, zip(MEN, colours, strict=True)
        return colours[0], frozenset(
            colour + geometry.square_names[cell].upper()
            for sign, colour in men
            for cell in geometry.squares
            if first.board[cell] == sign
        )
