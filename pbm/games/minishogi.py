"""Minishogi: shogi on five by five squares."""

from __future__ import annotations

import re
from collections.abc import Iterator

from pbm.rules import AmbiguousMove, GameInfo, IllegalMove, InvalidMove
from pbm.rules.chess.chess_game import ChessLikeGame
from pbm.rules.chess.movement_tables import EMPTY
from pbm.rules.chess.position import ChessLikePosition
from pbm.rules.chess.variant import Kind, Rules
from pbm.rules.drawing.scene_text import TextLayout
from pbm.rules.families.two_player import TWO
from pbm.rules.phrases import combine, phrase
from pbm.rules.typed import listing

HELP = """\
MINISHOGI, 2 players, after Shigenobu Kusumoto

AIM. Checkmate: attack the enemy king so that no move can save it.

PIECES. Black (capitals, below) begins. The king K moves one square in any
direction, the rook R any distance straight and the bishop B any distance
diagonally along empty squares, the gold general G one square straight or
diagonally forward, the silver general S one square diagonally or straight
forward, the pawn P one square forward, which is also how it captures. A
captured piece changes sides and goes to the hand of the player who took it.

PROMOTION. A piece other than K and G that moves to the last row, or from it,
may be promoted: write + after the move, as in S-3a+, or = if it is not to be;
if you write neither, you are asked. A pawn on the last row must be promoted.
+S and +P move like G, +R also one square diagonally, +B also one square
straight. In the hand they are plain again.

DROPS. A pawn may not be dropped on a column with another unpromoted pawn of
yours, not on the last row, and not so that it mates. A dropped piece is never
promoted.

WRITING MOVES. A move on the board, or a piece dropped from the hand on an
empty square:
  > P-5c
  > S3e-4d
  > 3e4d
or for instance P*3c, which drops a pawn. Name the square that a piece comes
from if two of the same kind could go there; you may leave out - and x.
Columns are 5 to 1 from the left, rows a to e from the top, as in 3c.

THE END. Checkmate wins, and so does leaving your opponent without a legal
move. When a position occurs for the fourth time, with the same pieces in hand
and the same side to move, a side that gave check with every move since the
first time loses; without such checks Black loses, who moved first. Resigning
loses.

NOTES. "export" mails the game in PGN, where White is the player who begins.
"""
GOLD = "WfF"
RULES = Rules(
    setup=("rbsgk", "....p", ".....", "P....", "KGSBR"),
    kinds={
        "K": Kind(phrase("king"), "K"),
        "G": Kind(phrase("gold general"), GOLD),
        "S": Kind(phrase("silver general"), "FfW", becomes="N"),
        "N": Kind(phrase("promoted silver"), GOLD, shown="+S", bare="S"),
        "B": Kind(phrase("bishop"), "B", becomes="H"),
        "H": Kind(phrase("promoted bishop"), "BW", shown="+B", bare="B"),
        "R": Kind(phrase("rook"), "R", becomes="D"),
        "D": Kind(phrase("promoted rook"), "RF", shown="+R", bare="R"),
        "P": Kind(phrase("pawn"), "fW", becomes="T", single=True),
        "T": Kind(phrase("promoted pawn"), GOLD, shown="+P", bare="P"),
    },
    optional=True,
    drops="*",
    no_mate="P",
    columns="54321",
    rows="edcba",
    stalemate="loss",
    recurring=4,
)
_CELL = "[1-5][a-e1-5]"
_FORM = re.compile(rf"(\+?[kgsbrp])?({_CELL})?([-x:*'@/]?)({_CELL})([+=]?)")
_DROPS = "*'@/"


class Shogi(ChessLikePosition):
    """A position of a game in shogi notation."""

    __slots__ = ()
    rules = RULES
    layout = TextLayout(across=3)
    style = "shogi"

    def end_by_repetition(self) -> Shogi:
        time = phrase("the position occurred for the fourth time")
        for side in (self.side, 1 - self.side):
            if self.checks_always(side):
                who = self.colour(side)
                return self.win(
                    1 - side, phrase("{time} and {who} has always given check", time=time, who=who)
                )
        return self.win(
            1, phrase("{time}: {colour}, who moved first, loses", time=time, colour=self.colour(0))
        )

    def read(self, word: str) -> str:
        low = word.lower().rstrip("!?.#")
        match = _FORM.fullmatch(low)
        if not match or (low.endswith("+") and not match[5]):
            raise self.refuse_word(word)
        kind, start, sign, end, more = match.groups()
        start, end = _lettered(start or ""), _lettered(end)
        if start and not kind and not more and f"{start}{end}" in self.moves():
            return f"{start}{end}"
        if not kind and (not start or (sign and sign in _DROPS)):
            raise InvalidMove(
                phrase("{low}: name the piece too, as in {sample}", low=low, sample=self.sample)
            )
        fits = list(self._fitting(kind or "", start, sign, end, more))
        if len(fits) == 1:
            return fits[0]
        if not fits:
            raise IllegalMove(
                combine(
                    "{low}: {why}",
                    low=low,
                    why=self._explain(kind or "", start, sign, end, more),
                )
            )
        choices = [f"{self.notation(move)} ({move})" for move in fits]
        listed = listing(choices, "or")
        if len({move[:4] for move in fits}) == 1:
            raise AmbiguousMove(
                phrase("{word}: promoted or not? Send {choices}", word=low, choices=listed)
            )
        raise AmbiguousMove(phrase("{word}: which one? Send {choices}", word=low, choices=listed))

    def _fitting(self, kind: str, start: str, sign: str, end: str, more: str) -> Iterator[str]:
        """Yield the legal moves that fit the typed parts; a drop without its sign only if no piece
        on the board could be meant."""
        names, drops = self.tables.names, list[str]()
        for move in self.moves():
            begin, to, promoted = self.tables.ends[move]
            if names[to] != end:
                continue
            if begin < 0:
                if promoted.lower() == kind and not start and not more and sign in ("", *_DROPS):
                    drops.append(move)
            elif (
                not (sign and sign in _DROPS)
                and kind in ("", self.letter_of(self.kind_at(begin)).lower())
                and start in ("", names[begin])
                and (not more or (more == "+") == (promoted == "+"))
            ):
                drops = [] if sign == "" and not drops else drops
                yield move
                sign = "-"
        yield from drops if sign != "-" else ()

    def _explain(self, kind: str, start: str, sign: str, end: str, more: str) -> str:
        number = self.tables.number
        if sign and sign in _DROPS:
            return self._no_drop(kind.upper(), end)
        if start:
            reason = self.find_move_fault(number[start], number[end])
        else:
            cells = [c for c, s in enumerate(self.board) if s != EMPTY and self._is_own(c)]
            fits = [c for c in cells if self.letter_of(self.kind_at(c)).lower() == kind]
            reasons = [self.find_move_fault(cell, number[end]) for cell in fits]
            reason = next((r for r in reasons if "check" in r), "")
            if len(reasons) == 1:
                reason = reasons[0]
            reason = reason or phrase(
                "no {name} of yours can go to {end}", name=kind.upper(), end=end
            )
        if more and "check" in reason:
            plain = [m for m in self.moves() if m.rstrip("+").endswith(end)]
            if plain:
                return (
                    phrase("it cannot be promoted there")
                    if more == "+"
                    else phrase("it must be promoted there")
                )
        return reason

    def _no_drop(self, letter: str, end: str) -> str:
        cell = self.tables.number[end]
        if letter not in self.hands[self.side]:
            return phrase("you have no {what} in hand", what=letter)
        if self.board[cell] != EMPTY:
            return phrase("{name} is not empty", name=end)
        mover = self.tables.movers[letter.lower() if self.side else letter]
        if mover.stuck >> cell & 1:
            return phrase("it could never move from there")
        column = self.tables.column[cell]
        own = [c for c, s in enumerate(self.board) if s == mover.sign and column >> c & 1]
        if mover.kind.single and own:
            return phrase("you have a pawn on that column already")
        if self.checked:
            return phrase("you are in check")
        return phrase("a pawn may not mate by being dropped")

    def describe(self, seat: int, move: str, viewer: int | None = None) -> str:
        return self.notation(move)

    def notation(self, move: str) -> str:
        """Return a legal move in the usual notation."""
        start, end, more = self.tables.ends[move]
        names = self.tables.names
        if start < 0:
            return f"{more}*{names[end]}"
        kind = self.kind_at(start)
        others = [
            other
            for other, to, also in map(self.tables.ends.__getitem__, self.moves())
            if (to, also) == (end, more)
            and other not in (-1, start)
            and self.kind_at(other) == kind
        ]
        origin = names[start] if others else ""
        joined = "-" if self.board[end] == EMPTY else "x"
        if not more and f"{move}+" in self.moves():
            more = "="
        return f"{self.letter_of(kind)}{origin}{joined}{names[end]}{more}"


def _lettered(cell: str) -> str:
    """Return the name of a cell whose row may have been typed as a number."""
    return cell[:1] + ("abcde"[int(cell[1]) - 1] if cell[1:].isdigit() else cell[1:])


class Minishogi(ChessLikeGame):
    """The game."""

    position = Shogi
    info = GameInfo(
        name="minishogi",
        title="Minishogi",
        version=1,
        players=TWO,
        seats={2: ("black", "white")},
        summary="shogi on 25 squares: captured pieces change sides",
        help=HELP,
        aliases=("5x5shogi", "gogoshogi"),
        family="kings",
        length="short",
    )
    variants = ("Minishogi",)


Shogi.game = Minishogi()
GAMES = (Shogi.game,)
