"""Chess, and Chess960 with its 960 starting positions. Rules: the FIDE Laws of Chess."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from itertools import combinations
from typing import ClassVar

from pbm.rules import (
    CHANCE,
    CHANCE_TO_MOVE,
    Chance,
    GameInfo,
    Option,
    Played,
    RecordError,
    Value,
    pick,
)
from pbm.rules.chess.algebraic import Algebraic
from pbm.rules.chess.chess_game import ChessLikeGame
from pbm.rules.chess.position import ChessLikePosition, fen
from pbm.rules.chess.variant import Kind, Rules
from pbm.rules.drawing.grid_scene import CHEQUERED
from pbm.rules.drawing.scene_text import CHEQUERS
from pbm.rules.families.two_player import TWO
from pbm.rules.lessons import Lesson, list_area
from pbm.rules.phrases import phrase

HELP = """\
{title}, 2 players

AIM. Checkmate: attack the enemy king so that no move can save it.

{start}MOVES. White (capitals) begins. The rules are those of FIDE. You may not leave
your king in check. A rook moves any distance along its row or column, a
bishop along its diagonals, a queen as both; a king one square in any
direction; a knight leaps two squares straight and one to the side, over
whatever stands between. A pawn moves one square forward, or two from where it
began, and captures diagonally; a pawn that has just moved two squares can be
captured by a pawn beside it as if it had moved one (en passant). To castle,
king and rook must not have moved, nothing may stand between them, and the
king may not be in check, nor pass or reach an attacked square.
{special}

WRITING MOVES. The piece and where it goes, K Q R B N for king, queen, rook,
bishop and knight, nothing for a pawn; or both squares. You may leave out
e.p., +, !, x and -:
  > Nf3
  > e2-e4
  > e2e4
  > 1. d4
If several pieces could go there, add the column or row: Nbd2, R1e1. In small
letters bxc3 can be a move of a pawn or of a bishop: if both are legal you are
asked which. A pawn on the last row is promoted to the piece you name: e8=Q.
Castling is O-O toward the h side and O-O-O toward the a side, or 0-0.
Names and German, French, Spanish and Dutch letters are read where one move
fits: Bishop to e7, Sf3; a letter that is English too is not guessed.
{spelling}
THE END. Checkmate wins. The game is drawn at once by stalemate (no legal
move, not in check); when neither side can mate any more (kings alone, with
one knight, or with bishops all on squares of one colour); when a position
occurs for the fifth time; after 75 moves of each side without a capture or a
pawn move. A player may claim a draw with "draw" when a position occurs for
the third time with the same moves possible, or after 50 such moves; otherwise
"draw" offers one. Resigning loses, and so does running out of time, even
against a bare king.

NOTES. The board marks the squares that the last move left and reached; dark
squares are ":". "export" mails the game in PGN.
"""
USUAL = {
    "start": "",
    "special": "The king moves two squares toward the rook, and the rook to his other side.",
    "spelling": "",
}
SHUFFLED = {
    "start": """\
BOARD. The pieces behind the pawns stand in one of 960 orders, drawn by the
server and the same for both: bishops on squares of both colours, the king
between the rooks. Order 518 is chess.

""",
    "special": """\
The king goes to column g or c and the rook beside him to f or d, from
wherever they stand; nothing else may be between or on these squares.""",
    "spelling": """\
You may also write the squares of king and rook: f1h1.
""",
}
KINDS = {
    "K": Kind(phrase("king"), "K"),
    "Q": Kind(phrase("queen"), "Q"),
    "R": Kind(phrase("rook"), "R"),
    "B": Kind(phrase("bishop"), "B"),
    "N": Kind(phrase("knight"), "N"),
    "P": Kind(phrase("pawn"), "fmWfcFifmnD", becomes="QRBN"),
}
RULES = Rules(
    setup=("rnbqkbnr", "pppppppp", *["........"] * 4, "PPPPPPPP", "RNBQKBNR"),
    kinds=KINDS,
    in_passing="P",
    castling=((2, 3), (6, 5)),
    onward="P",
    claim=50,
    idle=75,
    recurring=5,
)
ORDERS = 960


class ChessPosition(Algebraic):
    """A position of chess."""

    moves_once = True
    __slots__ = ()
    rules = RULES
    look = CHEQUERED
    layout = CHEQUERS

    @property
    def key(self) -> str | None:
        return str(self.history[-1])

    @property
    def claim(self) -> str:
        if self.outcome or self.idle < 2 * self.rules.claim:
            return ""
        return phrase("each side has made fifty moves without a capture or a pawn move")

    @property
    def dead_position(self) -> str:
        board = self.board
        if any(sign in board for sign in "PpQqRr"):
            return ""
        bishops = [cell for cell, sign in enumerate(board) if sign in "Bb"]
        knights = board.count("N") + board.count("n")
        colours = {self.is_dark(cell) for cell in bishops}
        if knights + len(bishops) < 2 or (not knights and len(colours) < 2):
            return phrase("neither side has enough material to mate")
        return ""

    def is_dark(self, cell: int) -> bool:
        """Whether a square is dark; a1 is."""
        return (cell + cell // self.tables.width) % 2 == 0


_LESSONS = (
    Lesson(
        phrase(
            "Castling: white's king has gone two squares toward the rook, and the rook to its "
            "other side, in one move, O-O. Neither of them had moved before, and nothing stood "
            "between them."
        ),
        ["e2e4", "e7e5", "g1f3", "b8c6", "f1c4", "f8c5", "o-o"],
        area=list_area("a1", "h4"),
    ),
    Lesson(
        phrase(
            "No castling: black's bishop on a6 attacks f1, over which white's king would pass. "
            "Nor may the king castle out of check, or into it."
        ),
        ["e2e4", "b7b6", "g1f3", "c8a6", "g2g3", "e7e6", "f1h3", "h7h6"],
        area=list_area("a1", "h6"),
        cannot=("o-o",),
        is_before=True,
    ),
    Lesson(
        phrase(
            "In passing: black's pawn went from d7 to d5, beside white's on e5, which took it as "
            "if it had gone to d6. That is allowed in the very next move alone."
        ),
        ["e2e4", "a7a6", "e4e5", "d7d5", "e5d6"],
        area=list_area("a3", "h8"),
    ),
    Lesson(
        phrase(
            "A pawn that comes to the last row becomes a queen, rook, bishop or knight at once: "
            "here it took the knight on g8 and is a queen, hxg8=Q."
        ),
        ["h2h4", "g7g5", "h4g5", "h7h6", "g5h6", "a7a6", "h6h7", "a6a5", "h7g8q"],
        area=list_area("a5", "h8"),
    ),
    Lesson(
        phrase(
            "Stalemate: black is to move, is not in check and has no legal move. That is a draw, "
            "however strong white is."
        ),
        [
            "e2e3",
            "a7a5",
            "d1h5",
            "a8a6",
            "h5a5",
            "h7h5",
            "h2h4",
            "a6h6",
            "a5c7",
            "f7f6",
            "c7d7",
            "e8f7",
            "d7b7",
            "d8d3",
            "b7b8",
            "d3h7",
            "b8c8",
            "f7g6",
            "c8e6",
        ],
    ),
)


class Chess(ChessLikeGame):
    """The game."""

    position = ChessPosition
    info = GameInfo(
        name="chess",
        title="Chess",
        version=1,
        players=TWO,
        seats={2: ("white", "black")},
        summary="attack the enemy king so that no move can save it",
        help=HELP.format(title="CHESS", **USUAL),
        features=frozenset({"paired"}),
        family="kings",
        length="long",
    )

    lessons: ClassVar[Sequence[Lesson]] = _LESSONS
    variants: ClassVar[tuple[str, ...]] = ("", "Standard", "Classical", "Normal", "From Position")

    def start(self, players: int, options: Mapping[str, Value]) -> ChessPosition:
        return start_position(self.position, options, "RNBQKBNR")

    def tags(self, first: ChessLikePosition) -> dict[str, str]:
        return {}


def start_position(
    kind: type[ChessPosition], options: Mapping[str, Value], order: str
) -> ChessPosition:
    """Return the first position with that order of pieces."""
    board = order + "P" * 8 + "." * 32 + "p" * 8 + order.lower()
    rooks = tuple(cell for cell, sign in enumerate(board) if sign in "Rr")
    return kind(options, board, rooks=rooks).as_start()


@cache
def order_of(number: int) -> str:
    """Return the order of the pieces with that number (Scharnagl's numbering, 0 to 959)."""
    number, light = divmod(number, 4)
    number, dark = divmod(number, 4)
    knights, queen = divmod(number, 6)
    row = [""] * 8
    row[2 * light + 1] = row[2 * dark] = "B"

    def free() -> list[int]:
        return [column for column in range(8) if not row[column]]

    row[free()[queen]] = "Q"
    left = free()
    for n in list(combinations(range(5), 2))[knights]:
        row[left[n]] = "N"
    for column, piece in zip(free(), "RKR", strict=True):
        row[column] = piece
    return "".join(row)


class Chess960Position(ChessPosition):
    """A position of Chess960; the history is empty until the order is drawn."""

    __slots__ = ()

    @property
    def to_move(self) -> frozenset[int]:
        if not self.history and not self.outcome:
            return CHANCE_TO_MOVE
        return super().to_move

    @property
    def key(self) -> str | None:
        return super().key if self.history else None

    @property
    def chance(self) -> Chance | None:
        return _orders() if self.to_move == CHANCE_TO_MOVE else None

    def legal_moves(self, seat: int) -> Sequence[str]:
        if self.to_move == CHANCE_TO_MOVE:
            return _orders().outcomes if seat == CHANCE else ()
        return super().legal_moves(seat)

    def answer(self, outcome: str) -> ChessPosition:
        return start_position(type(self), self.options, order_of(int(outcome)))


@cache
def _orders() -> Chance:
    return pick([str(number) for number in range(ORDERS)])


class Chess960(Chess):
    """Chess with a drawn starting position."""

    position = Chess960Position
    info = GameInfo(
        name="chess960",
        title="Chess960",
        version=1,
        players=TWO,
        seats={2: ("white", "black")},
        summary="chess from one of 960 starting positions",
        help=HELP.format(title="CHESS960, chess from a drawn position", **SHUFFLED),
        aliases=("fischerandom", "frc"),
        options=(
            Option(
                "start",
                "int",
                "the number of the order; 518 is chess",
                low=0,
                high=ORDERS - 1,
                shown="drawn",
            ),
        ),
        features=frozenset({"chance", "paired", "shuffled"}),
        family="kings",
        length="long",
    )
    variants = ("Chess960", "Fischer Random")
    lessons = ()

    def start(self, players: int, options: Mapping[str, Value]) -> ChessPosition:
        if "start" in options:
            return start_position(self.position, options, order_of(int(options["start"])))
        board = "." * 8 + "P" * 8 + "." * 32 + "p" * 8 + "." * 8
        return Chess960Position(options, board)

    def start_of(self, played: Played) -> ChessPosition:
        drawn = [move for seat, move in played.moves if seat == CHANCE]
        more = {"start": drawn[0]} if drawn else {}
        return self.start(2, {**played.options, **more})

    def tags(self, first: ChessLikePosition) -> dict[str, str]:
        return {"Variant": self.variants[0], "SetUp": "1", "FEN": fen(first)}

    def recorded_options(self, tags: Mapping[str, str]) -> dict[str, Value]:
        if "FEN" not in tags:
            return {"start": 518}  # as PGN specifies: without FEN a game begins as chess does
        row = tags["FEN"].partition(" ")[0].rpartition("/")[2]
        if row not in _numbers():
            raise RecordError(
                phrase("the tag FEN shows none of the 960 orders that pieces begin in")
            )
        return {"start": _numbers()[row]}


@cache
def _numbers() -> dict[str, int]:
    return {order_of(number): number for number in range(ORDERS)}


ChessPosition.game = Chess()
Chess960Position.game = Chess960()
GAMES = (ChessPosition.game, Chess960Position.game)
