"""Moves of variants as people write them: `Nf3`, `exd5`, `e8=Q`, `P@e5`, `Sb7+`, `O-O/He1`, `pass`.

Canonical moves are two squares and what is behind them, a drop, castling or `pass`; everything else
is parsed and, by `describe`, written."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from pbm.rules.chess.generate import LONG, SHORT
from pbm.rules.chess.typed_words import ask_which
from pbm.rules.chess.variants.equipment import Equipment
from pbm.rules.chess.variants.generation import PASS
from pbm.rules.chess.variants.men_tables import EMPTY
from pbm.rules.chess.variants.rule_set import PAWN
from pbm.rules.chess.variants.state import State
from pbm.rules.errors import AmbiguousMove, IllegalMove, InvalidMove
from pbm.rules.phrases import Phrase, combine, phrase
from pbm.rules.typed import quoted

_CASTLING = re.compile(r"([o0]-?[o0](?:-?[o0])?)(?:/?([a-z])@?([a-l][0-9]{1,2}))?\+*")
_TAIL = re.compile(r"(?:e\.?p\.?|[#!?.]|mate)+$", re.IGNORECASE)
_CELL = r"[a-l][0-9]{1,2}"
_DROP = re.compile(rf"(\+?)([a-z]?)[@*']({_CELL})\+*")
_MOVE = re.compile(
    rf"(\+?[a-z])??([a-l]?)([0-9]{{0,2}})[-x:]?({_CELL})(?:[=/(]?([a-z])\)?|([-+=]))?(\+*)"
)


class Reading(NamedTuple):
    """What a word may mean: a kind ("" for any), what it says of the first cell, the last cell, and
    what is behind it."""

    kind: str
    column: str
    row: str
    end: str
    more: str


class Notation:
    """Reads and writes the moves of one position."""

    def __init__(self, equipment: Equipment, state: State, moves: Sequence[str]) -> None:
        self.equipment, self.tables = equipment, equipment.tables
        self.state, self.moves = state, moves

    # Writing

    def letter_at(self, cell: int) -> str:
        """Return how the man on a cell is written: its letter, or + and what it was promoted
        from."""
        was = self.state.under[cell] if self.state.under else EMPTY
        return f"+{was}" if was.isalpha() else self.state.board[cell].upper()

    def name_at(self, cell: int) -> Phrase:
        """Return what the man on a cell is called."""
        letter = self.letter_at(cell)
        if letter.startswith("+"):
            return self.equipment.name_promoted(letter[1])
        return self.equipment.name_of(letter)

    def write(self, move: str) -> str:
        """Return a legal move in algebraic notation, without check and mate signs."""
        if move == PASS:
            return PASS
        bare, slash, gate = move.partition("/")
        if bare in (SHORT, LONG):
            return f"{bare.upper()}/{gate.capitalize()}" if slash else bare.upper()
        tables = self.tables
        start, end, more = tables.ends[move]
        if start < 0:
            return move
        names, sign = tables.names, self.state.board[start]
        is_pawn = tables.men[sign].slot == PAWN
        takes = "x" if self._takes(start, end) else ""
        origin = self._origin(move, start, end)
        if is_pawn:
            text = f"{names[start][0]}x{names[end]}" if takes else names[end]
            if start == end or (not takes and names[start][0] != names[end][0]):
                text = names[start] + names[end]
        else:
            text = f"{self.letter_at(start)}{origin}{takes}{names[end]}"
        if not more:
            return f"{text}=" if f"{move}+" in self.moves else text
        if more in "+-":
            return text + more
        sign = "/" if self._is_gating(start, more) else "="
        return f"{text}{sign}{more.upper()}"

    def write_plainly(self, move: str) -> str:
        """Return the same as it is read without a question: the two cells where a pawn's capture
        could be another man's in small letters."""
        text = self.write(move)
        if text[:1].islower() and "x" in text and text[:1].upper() in self.tables.slot_of:
            try:
                self.read(text, "")
            except AmbiguousMove:
                return move
        return text

    def write_origin(self, move: str) -> str:
        """Return the same with both cells of a man that moves."""
        start, end, _ = self.tables.ends[move]
        if start < 0:
            return self.write(move)
        head, letter = self.write(move), self.letter_at(start)
        takes = "x" if self._takes(start, end) else ""
        tail = head[head.rindex(self.tables.names[end]) + len(self.tables.names[end]) :]
        return f"{letter}{self.tables.names[start]}{takes}{self.tables.names[end]}{tail}"

    def _is_gating(self, start: int, more: str) -> bool:
        gates = self.state.gates[self.state.side] if self.tables.rules.seirawan_gating else 0
        return more.isalpha() and bool(gates >> start & 1)

    def _enters(self, move: str) -> bool:
        """Whether a piece enters behind the man that moves."""
        start, _, more = self.tables.ends[move]
        return start >= 0 and self._is_gating(start, more)

    def _takes(self, start: int, end: int) -> bool:
        if start == end:
            return False
        if self.state.board[end] != EMPTY:
            return True
        man = self.tables.men[self.state.board[start]]
        is_aslant = (end - start) % self.tables.width != 0
        return end in self.state.passed and (man.slot != PAWN or is_aslant)

    def _origin(self, move: str, start: int, end: int) -> str:
        """Return the column, the row or both of a cell, as far as needed to tell its man from
        others."""
        names, letter = self.tables.names, self.letter_at(start)
        others = {
            names[other]
            for other, to, _ in map(self.tables.ends.__getitem__, self.moves)
            if to == end and other not in (-1, -2, start) and self.letter_at(other) == letter
        }
        if not others:
            return ""
        name = names[start]
        if all(other[0] != name[0] for other in others):
            return name[0]
        return name[1:] if all(other[1:] != name[1:] for other in others) else name

    # Reading

    def read(self, word: str, sample: str) -> str:
        """Return the legal move that a word without blanks means."""
        if word in self.moves:
            return word
        bare = _TAIL.sub("", word) or word
        low = bare.lower()
        if low in (PASS, "--"):
            return self._require(PASS, word)
        if castling := _CASTLING.fullmatch(low):
            long = low.partition("/")[0].count("o") + low.partition("/")[0].count("0") > 2
            gate = f"/{castling[2]}{castling[3]}" if castling[2] else ""
            return self._require((LONG if long else SHORT) + gate, word)
        if drop := _DROP.fullmatch(low):
            letter = drop[2] or self.tables.letter_of.get(PAWN, "P").lower()
            return self._require(f"{drop[1]}{letter.upper()}@{drop[3]}", word)
        if not bare.isascii() or not (match := _MOVE.fullmatch(low)):
            raise InvalidMove(
                phrase(
                    "{word} is not a move; a move looks like {sample}",
                    word=quoted(word),
                    sample=sample,
                )
            )
        readings = list(self._readings(bare, match))
        if self._begins_with_man(bare) and any(self._matching(readings[0])):
            readings = readings[:1]
        return self._choose(word, readings)

    def _begins_with_man(self, bare: str) -> bool:
        """Whether a word begins with a man's letter, a capital before small letters."""
        return bare[:1].isupper() and not bare.isupper() and bare[0] in self.tables.slot_of

    def _require(self, move: str, word: str) -> str:
        if move in self.moves:
            return move
        raise IllegalMove(
            combine("{word}: {why_not}", word=quoted(word), why_not=self._why_not(move))
        )

    def _why_not(self, move: str) -> str:
        if move == PASS:
            return phrase("nobody passes here")
        if move.startswith(SHORT):
            return phrase("castling is not possible now")
        start, end, what = self.tables.ends[move]
        if start != -1:
            return phrase("there is no such square")
        if what[-1] not in self.state.hands[self.state.side]:
            return phrase("you have no {what} in hand", what=what[-1])
        if self.state.board[end] != EMPTY:
            return phrase("{name} is not empty", name=self.tables.names[end])
        return phrase("it may not be dropped there now")

    def _readings(self, bare: str, match: re.Match[str]) -> Iterator[Reading]:
        """Yield the readings of a word. A capital before small letters is a man if the game has one
        of that letter, and else a column; a small letter may be either."""
        kind, column, row, end, promotion, sign, plus = match.groups()
        more = promotion or sign or ""
        if sign == "+" or (plus and not more):  # a trailing + says check, or promotes
            more = "?+"
        first = bare[:1]
        lettered = bool(kind) and first.isalpha()
        is_piece = self._begins_with_man(bare)
        if kind is None and column and row and first.isupper() and first in self.tables.slot_of:
            yield Reading(first, "", row, end, more)
        if kind is None and column and not row and first.islower():
            yield Reading(PAWN, column, "", end, more)
        if kind is None and not column and not row:
            yield Reading(PAWN, "", "", end, more)
        if kind is None:
            if row or (column and first.isupper() and not is_piece):
                yield Reading("", column, row, end, more)
            if column and not row:
                yield Reading(column.upper(), "", "", end, more)
            return
        yield Reading(kind.upper(), column, row, end, more)
        if lettered and first.islower() and not column:
            yield Reading(PAWN, kind, row, end, more)

    def _choose(self, word: str, readings: list[Reading]) -> str:
        matches = list(dict.fromkeys(m for one in readings for m in self._matching(one)))
        plain = [move for move in matches if not move.endswith("+")]
        if len(matches) == 2 and len(plain) == 1 and word.endswith("+"):
            matches = [move for move in matches if move not in plain]
        if len(matches) > 1 and len(alone := [m for m in matches if not self._enters(m)]) == 1:
            matches = alone  # nothing comes in unless it is said
        if not matches:
            matches = list(filter(None, map(self._as_castling, readings)))[:1]
        if len(matches) == 1:
            return matches[0]
        if not matches:
            raise IllegalMove(
                combine("{word}: {why}", word=quoted(word), why=self._explain(readings))
            )
        choices = {move: self.write(move) for move in matches}
        ends = {self.tables.ends[move][:2] for move in matches}
        raise ask_which(word, choices, promotes=len(ends) == 1)

    def _matching(self, reading: Reading) -> Iterator[str]:
        """Yield the legal moves that fit a reading."""
        tables = self.tables
        pawns = {PAWN, *tables.rules.promotion_pawns[self.state.side]}
        for move in self.moves:
            start, end, more = tables.ends[move]
            if start < 0 or tables.names[end] != reading.end:
                continue
            slot = tables.men[self.state.board[start]].slot
            if reading.kind == PAWN and slot not in pawns:
                continue
            if reading.kind not in ("", PAWN, self.letter_at(start)):
                continue
            if reading.column and not tables.names[start].startswith(reading.column):
                continue
            if reading.row and tables.names[start][1:] != reading.row:
                continue
            if self._fits(reading.more, more, slot):
                yield move

    def _as_castling(self, reading: Reading) -> str:
        """Return legal castling written as a move of the king, where he goes or onto his rook, with
        the piece behind him that enters; "" for anything else."""
        names, side = self.tables.names, self.state.side
        for king, rook in self.state.castles:
            if self.state.board[king].islower() != bool(side):
                continue
            if reading.kind not in ("", self.letter_at(king)):
                continue
            if f"{reading.column}{reading.row}" not in ("", names[king]):
                continue
            king_to, _ = self.tables.castle(king, rook, side)
            gate = f"/{reading.more}{names[king]}" if reading.more.isalpha() else ""
            move = f"{SHORT if rook > king else LONG}{gate}"
            if reading.end in (names[king_to], names[rook]) and move in self.moves:
                return move
        return ""

    def _fits(self, typed: str, more: str, slot: str) -> bool:
        """Whether what stands behind a move may mean what the move has behind it."""
        if typed in ("", more):
            return True
        if typed == "?+":
            return more in ("", "+")
        if typed == "=":
            return not more
        promoted = self.tables.rules.promoted.get(slot, "")
        return more == "+" and typed == self.tables.letter_of.get(promoted, "").lower()

    def _explain(self, readings: list[Reading]) -> str:
        """Return why no legal move fits."""
        if not readings:
            return phrase("no man of yours can go there")
        reading = readings[0]
        tables, side = self.tables, self.state.side
        if reading.end not in tables.number:
            return phrase("there is no square {end}", end=reading.end)
        start = tables.number.get(reading.column + reading.row)
        if start is not None:
            sign = self.state.board[start]
            if not sign.isalpha():
                return phrase("{name} is empty", name=tables.names[start])
            if sign.islower() != bool(side):
                return phrase("the man on {name} is not yours", name=tables.names[start])
            return phrase(
                "the {called} on {name} cannot go there",
                called=self.name_at(start),
                name=tables.names[start],
            )
        if reading.kind in ("", PAWN):
            return phrase("no man of yours can go to {end}", end=reading.end)
        return phrase("no {name} of yours can go to {end}", name=reading.kind, end=reading.end)
