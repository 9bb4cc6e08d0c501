"""Dark Chess: a side sees its own pieces and where they could go, and kings are captured."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TypeVar

from pbm.games.chess import KINDS
from pbm.rules import GameInfo, IllegalMove, Value
from pbm.rules.chess.algebraic import Algebraic
from pbm.rules.chess.chess_game import ChessLikeGame
from pbm.rules.chess.movement_tables import EMPTY, SHORT
from pbm.rules.chess.position import generate
from pbm.rules.chess.typed_words import build_refusal, write_move
from pbm.rules.chess.variant import Rules
from pbm.rules.drawing.grid_scene import CHEQUERED
from pbm.rules.drawing.scene import Entry, Panel, Piece, Scene, marks_on, pieces_on
from pbm.rules.drawing.scene_text import CHEQUERS
from pbm.rules.families.two_player import TWO
from pbm.rules.phrases import join_phrases, phrase

D = TypeVar("D", bound="DarkPosition")
FOG, BLOCK = "?", "#"
"""The signs of a square that none of a side's pieces can reach, and of one that it knows to be
occupied because its own pawn is blocked."""
QUIET = 100
"""The number of moves of each side without a capture after which the game is drawn."""
RULES = Rules(
    setup=("rnbqkbnr", "pppppppp", *["........"] * 4, "PPPPPPPP", "RNBQKBNR"),
    kinds=KINDS,
    exposed=True,
    in_passing="P",
    castling=((2, 3), (6, 5)),
)

HELP = """\
DARK CHESS, 2 players

AIM. Capture the enemy king. You see only part of the board.

WHAT YOU SEE. Your own pieces, and every square that one of them could move to
or capture on if it were your turn, with what stands there. Everything else is
fog, ?. A square of fog in front of one of your pawns, to which the pawn could
go if it were empty, is shown as #: something stands there, but you do not see
what. A pawn sees diagonally what it could capture, so where it could not,
there is no enemy piece.
  . : an empty square, light and dark       ? fog       # occupied, unseen

MOVES. White (capitals) begins. The rules are those of chess, except that
there is no check and no mate, and nobody tells you that your king is
attacked: he may stay so, move where he can be captured, and castle out of,
through and into attacked squares. To castle, king and rook must not have
moved, and nothing may stand between them. A pawn that can be captured en
passant is seen by the player who can capture it.

WHAT YOU HEAR. Of your opponent's moves you only learn that they were made. If
one captures a piece, both players learn which piece and where it stood, but
not what took it.

WRITING MOVES. As in chess; only your own pieces and what you see decide what
a move can mean:
  > Nf3
  > e2-e4
  > e2e4
  > 1. d4
  > exd5
A pawn on the last row is promoted to the piece you name: e8=Q. Castling is
O-O toward the h side and O-O-O toward the a side, or 0-0.

THE END. Capturing the king wins. The game is drawn when the side to move has
no move; when only the kings are left; after 100 moves of each side without a
capture. All this uses only what both players know: repeated positions and
pawn moves do not count, and no draw can be claimed ("draw" offers one).
Resigning loses. After the game all moves and the whole board are shown.

NOTES. Spectators see fog and the captured pieces only. The board marks your
last move, or where a piece of yours was captured. Nothing is left to chance,
so there are no dice to verify. After the game "export" mails it in PGN.
"""


_COVERS = {"fog": FOG, "unseen": BLOCK}


@dataclass(frozen=True, slots=True)
class DarkPosition(Algebraic):
    """A position of the game.

    taken      the pieces that each side has lost, in order
    lost       the cell where the last move captured a piece, or -1
    struck     the turn after the last capture
    all_shown  whether everything is shown, because the board ended other than by its rules
    """

    key = None
    rules = RULES
    taken: tuple[str, str] = ("", "")
    lost: int = -1
    struck: int = 0
    all_shown: bool = field(default=False, compare=False)

    # Playing

    def advance(self, move: str) -> DarkPosition:
        if move not in self.generated.moves:
            raise build_refusal(self, move)
        made = self.make_move(move)
        lost, victim = self._victim(move)
        taken, struck = self.taken, self.struck
        news: tuple[str, ...] = ()
        if victim:
            other = 1 - self.side
            rows = [*taken]
            rows[other] += victim.upper()
            taken, struck = (rows[0], rows[1]), made.turn
            name = self.rules.kinds[victim.upper()].name
            news = (
                phrase(
                    "{colour} loses the {name} on {cell}",
                    colour=self.colour(other),
                    name=name,
                    cell=self.tables.names[lost],
                ),
            )
        after = replace(made, taken=taken, lost=lost, struck=struck, news=news, history=(), idle=0)
        after.generation_cache.extend(made.generation_cache)
        return after.end_if_decided()

    def _victim(self, move: str) -> tuple[int, str]:
        """Return where a move captures, and what; -1 and "" if it does not."""
        start, end, _ = self.tables.ends[move]
        if start < 0:
            return -1, ""
        if self.board[end] != EMPTY:
            return end, self.board[end]
        if end == self.passed and self.kind_at(start) == self.pawn:
            cell = end + self.tables.width * (1 if self.side else -1)
            return cell, self.board[cell]
        return -1, ""

    def as_start(self: D) -> D:
        return self

    def end_if_decided(self: D) -> D:
        side = self.side
        if self.tables.royal[side] not in self.board:
            return self.win(
                1 - side, phrase("{colour} has taken the king", colour=self.colour(1 - side))
            )
        if self.board.count(EMPTY) == len(self.board) - 2:
            return self.end_in_draw(phrase("only the kings are left"))
        if not self.generated.moves:
            return self.end_in_draw(phrase("{colour} has no move", colour=self.colour(side)))
        if self.turn - self.struck >= 2 * QUIET:
            return self.end_in_draw(
                phrase("{quiet} moves of each side without a capture", quiet=QUIET)
            )
        return self

    # Visibility

    def uncovered(self) -> DarkPosition:
        return replace(self, all_shown=True)

    @property
    def is_open(self) -> bool:
        """Whether nothing is hidden from anybody any more."""
        return self.all_shown or self.outcome is not None

    def visible_to(self, side: int) -> str:
        """Return the board as a side sees it, one sign per cell."""
        all_of, own = self.tables, [self._owns(side, cell) for cell in range(self.tables.size)]
        is_on_move = side == self.side
        generated = (
            self.generated
            if is_on_move
            else generate(all_of, self.board, side, -1, self.rooks, self.hands)
        )
        sight = {cell for cell, mine in enumerate(own) if mine}
        for move in generated.moves:
            start, end, _ = all_of.ends[move]
            if start >= 0:
                sight.add(end)
                if is_on_move and (victim := self._victim(move)[0]) >= 0:
                    sight.add(victim)  # a pawn captured en passant stands beside the target square
        signs = [sign if cell in sight else FOG for cell, sign in enumerate(self.board)]
        ahead, first = (-all_of.width, 6) if side else (all_of.width, 1)
        for cell, mine in enumerate(own):
            if mine and self.kind_at(cell) == self.pawn:
                if cell // all_of.width == first and signs[cell + ahead] == EMPTY:
                    cell += ahead
                if signs[cell + ahead] == FOG:
                    signs[cell + ahead] = BLOCK
        return "".join(signs)

    def _owns(self, side: int, cell: int) -> bool:
        sign = self.board[cell]
        return sign != EMPTY and (sign > "Z") is bool(side)

    def _view(self, viewer: int | None, last: Sequence[str]) -> tuple[str, set[int]]:
        """Return the board as a viewer sees it, and the cells marked for him."""
        marked_cells = set[int]()
        if self.is_open:
            board, marked_cells = self.board, self.marked_cells(last)
        elif viewer is None:
            board = FOG * len(self.board)
        else:
            board = self.visible_to(viewer)
            if last and viewer == 1 - self.side:
                marked_cells = self.marked_cells(last)
        if last and self.lost >= 0 and viewer != 1 - self.side:
            marked_cells.add(self.lost)
        return board, marked_cells

    look = CHEQUERED
    layout = CHEQUERS

    def scene(self, viewer: int | None = None, last: Sequence[str] = ()) -> Scene:
        board, marked_cells = self._view(viewer, last)
        return self.build_scene(board, marks_on(self.tables.names, marked_cells))

    def sign(self, piece: Piece) -> str:
        return _COVERS.get(piece.kind) or Algebraic.sign(self, piece)

    def scene_pieces(self, board: str) -> tuple[Piece, ...]:
        fog = pieces_on(self.tables.names, board, {FOG: ("fog", None), BLOCK: ("unseen", None)})
        there = {piece.place: piece for piece in (*Algebraic.scene_pieces(self, board), *fog)}
        return tuple(there[name] for name in self.tables.names if name in there)

    def panels(self) -> tuple[Panel, ...]:
        kinds = self.rules.kinds
        return tuple(
            Panel(
                phrase("lost"),
                tuple(Entry(letter, kinds[letter].name, side) for letter in self.taken[side]),
                side,
            )
            for side in (0, 1)
        )

    def notes(self, viewer: int | None = None) -> tuple[str, ...]:
        if self.is_open:
            return Algebraic.notes(self, viewer)
        own = [rook for rook in self.rooks if viewer is not None and self._owns(viewer, rook)]
        return self.describe_rights(own, self.passed if viewer == self.side else -1)

    def note(self) -> str:
        white, black = self.taken[0], self.taken[1].lower()
        signs = [join_phrases("", [*map(self.mark_letters, each)]) for each in (white, black)]
        taken = join_phrases(" ", [*filter(None, signs)])
        return phrase("taken: {letters}", letters=taken) if taken else ""

    def describe(self, seat: int, move: str, viewer: int | None = None) -> str:
        return write_move(self, seat, move) if viewer == seat or self.is_open else "-"

    # Refusals: these depend on nothing but the own pieces and the legal moves

    def parse(self, text: str, seat: int) -> tuple[str, str]:
        if seat not in self.to_move:
            raise IllegalMove(self._not_on_the_move(seat))
        return Algebraic.parse(self, text, seat)

    def find_move_fault(self, start: int, end: int) -> str:
        names = self.tables.names
        if not self._owns(self.side, start):
            return phrase("no piece of yours stands on {name}", name=names[start])
        if self._owns(self.side, end):
            return phrase("your own piece stands on {name}", name=names[end])
        return phrase(
            "the {name} on {cell} cannot go to {name_3}",
            name=self.rules.kinds[self.kind_at(start)].name,
            cell=names[start],
            name_3=names[end],
        )

    def _no_castling(self, move: str) -> str:
        king = self.board.find(self.tables.royal[self.side])
        if not any((r > king) is (move == SHORT) for r in self.rooks if self._is_own(r)):
            return phrase("the king or that rook has moved, or the rook is gone")
        return phrase("something stands between king and rook")


class DarkChess(ChessLikeGame):
    """The game."""

    position = DarkPosition
    info = GameInfo(
        name="darkchess",
        title="Dark Chess",
        version=1,
        players=TWO,
        seats={2: ("white", "black")},
        summary="chess in fog: see where you could go, capture the king",
        help=HELP,
        aliases=("fogofwar", "fogchess"),
        features=frozenset({"hidden", "paired"}),
        family="kings",
        length="long",
    )

    variants = ("Fog of War",)

    def start(self, players: int, options: Mapping[str, Value]) -> DarkPosition:
        board = self.position.rules.board
        rooks = tuple(cell for cell, sign in enumerate(board) if sign in "Rr")
        return DarkPosition(options, board, rooks=rooks)


DarkPosition.game = DarkChess()
GAMES = (DarkPosition.game,)
