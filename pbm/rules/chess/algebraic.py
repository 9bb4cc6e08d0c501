"""Algebraic notation of chess moves: `Nf3`, `exd5`, `e8=Q`, `O-O`, `Ng1-f3`, `e2e4`.

Canonical moves are from and to in small letters, `g1f3`, `e7e8q`, and `o-o`; everything else is
parsed and, by `describe`, written."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache

from pbm.rules.chess.movement_tables import EMPTY, LONG, SHORT, MovementTables
from pbm.rules.chess.position import ChessLikePosition
from pbm.rules.chess.typed_words import (
    ask_which,
    read_castling,
    read_letters,
    tell_apart,
    write_move,
)
from pbm.rules.errors import AmbiguousMove, IllegalMove
from pbm.rules.phrases import combine, phrase
from pbm.rules.piece_letters import NAMES, PAWN

_CASTLING = re.compile(r"[o0](-?[o0]){1,2}")
_PROMOTION = re.compile(r"(.*\d)([=/(]?)([A-Z])\)?")
_TAIL = re.compile(r"(?:e\.?p\.?|[+#!?.]|mate)+$", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Reading:
    """The meaning of a word: a kind ("" for any), the starting cell as far as given, the target,
    the promotion."""

    kind: str
    column: str
    row: str
    end: str
    more: str


@cache
def forms(tables: MovementTables) -> tuple[re.Pattern[str], re.Pattern[str]]:
    """Return the patterns of a move without and with the letter of a piece."""
    column, row = "".join(tables.columns), "|".join(sorted(tables.rows, key=len, reverse=True))
    letters = "".join(tables.rules.kinds).lower()
    cells = rf"([{column}]?)({row}|)[-x:]?([{column}](?:{row}))(?:[=/(]?([{letters}])\)?)?"
    return re.compile(cells), re.compile(rf"([{letters}]){cells}")


@cache
def letters_of(tables: MovementTables) -> dict[str, list[str]]:
    """Return the kinds that a letter may stand for in another language."""
    letters = dict[str, list[str]]()
    for letter, kind in tables.rules.kinds.items():
        foreign = [each[kind.name].split() for each in NAMES.values() if kind.name in each]
        for initial in sorted({words[0][0].upper() for words in foreign} - {letter}):
            letters.setdefault(initial, []).append(letter)
    return letters


@cache
def list_letters(tables: MovementTables) -> tuple[tuple[str, str], ...]:
    """Return the letters of pieces in moves by their names: without the pawns, unless they are
    dropped."""
    rules = tables.rules
    kinds = [(str(kind.name), letter) for letter, kind in rules.kinds.items()]
    return tuple((name, letter) for name, letter in kinds if rules.drops or name != PAWN)


class Algebraic(ChessLikePosition):
    """A position of a game in algebraic notation."""

    __slots__ = ()

    @property
    def pawn(self) -> str:
        """The kind whose letter is not written."""
        return "P"

    def read(self, word: str) -> str:
        bare = _TAIL.sub("", word) or word
        low = bare.lower()
        if self.rules.castling and (castling := read_castling(low)):
            return self._castle(castling)
        if _CASTLING.fullmatch(low) and self.rules.castling:
            return self._castle(LONG if low.count("o") + low.count("0") == 3 else SHORT)
        readings = list(self._readings(bare)) if bare.isascii() else []
        matches = self._match_all(readings)
        if not matches:
            others = self._read_all(self._respell(bare))
            readings, matches = readings or others, self._match_all(others)
        if not readings:
            raise self.refuse_word(word)
        if len(matches) == 1:
            return matches[0]
        if matches:
            ends = {self.tables.ends[move][:2] for move in matches}
            choices = {move: self.notation(move) for move in matches}
            raise ask_which(word, choices, self.letters, promotes=len(ends) == 1)
        if move := self._as_castling(readings[0]):
            return move
        why = self._explain(readings[-1] if low != bare else readings[0])
        meant = self._match_all(self._read_all(self._swap_letter(bare)))
        wrong = combine("{bare}: {why}", bare=bare, why=why)
        if len(meant) == 1:
            likely = self.mark_letters(self.notation(meant[0]))
            sure = phrase("Did you mean {move}?", move=likely)
            wrong = combine("{wrong}. {question}", wrong=wrong, question=sure)
        raise IllegalMove(wrong)

    def _read_all(self, words: Iterable[str]) -> list[Reading]:
        return [reading for word in words for reading in self._readings(word)]

    def _match_all(self, readings: Iterable[Reading]) -> list[str]:
        return list(dict.fromkeys(m for one in readings for m in self._matching_moves(one)))

    def _respell(self, word: str) -> Iterator[str]:
        """Yield a move with letters of its own for those of another language, and one of a pawn
        that a telephone has begun with a capital. No letter of the game's own is replaced."""
        letters, kinds = letters_of(self.tables), self.rules.kinds
        first, rest = word[:1], word[1:]
        texts = [word]
        if first.isupper() and first not in kinds and rest:
            texts = [f"{each}{rest}" for each in (first.lower(), *letters.get(first, ()))]
        promoted = _PROMOTION.fullmatch(word)
        if promoted and promoted[3] not in kinds:
            size = len(promoted[1]) - 1
            ends = [f"{promoted[2]}{each}" for each in letters.get(promoted[3], ())]
            texts = [f"{text[: 1 + size]}{end}" for text in texts for end in ends]
        yield from (text for text in texts if text != word and text.isascii())

    def _swap_letter(self, word: str) -> Iterator[str]:
        """Yield a move of which the letter is also one of another language: Re2 may be a king's."""
        if word[:1] in self.rules.kinds:
            for each in letters_of(self.tables).get(word[0], ()):
                yield f"{each}{word[1:]}"

    def _readings(self, word: str) -> Iterator[Reading]:
        """Yield the readings of a word. A capital is a piece, a small letter the column of a pawn
        or a piece; in a word without small letters everything may be either."""
        low = word.lower()
        plain, lettered = forms(self.tables)
        if (word[:1] == low[:1] or word == word.upper()) and (match := plain.fullmatch(low)):
            column, row, end, more = match.groups()
            kind = "" if column and row else self.pawn
            if not column:  # a pawn that captures names its column
                column = end.rstrip("0123456789")
            yield Reading(kind, column, row, end, more or "")
            if not kind:
                return  # two cells are a move, whatever else they could mean
        if match := lettered.fullmatch(low):
            letter, column, row, end, more = match.groups()
            yield Reading(letter.upper(), column, row, end, more or "")

    def _matching_moves(self, reading: Reading) -> Iterator[str]:
        """Yield the legal moves that fit a reading."""
        names, ends = self.tables.names, self.tables.ends
        for move in self.moves():
            start, end, more = ends[move]
            if start < 0 or names[end] != reading.end:
                continue
            if reading.kind and self.kind_at(start) != reading.kind:
                continue
            if reading.column and not names[start].startswith(reading.column):
                continue
            if reading.row and names[start][1:] != reading.row:
                continue
            if reading.more in ("", more):
                yield move

    def _castle(self, move: str) -> str:
        if move in self.moves():
            return move
        raise IllegalMove(
            combine(
                "{upper}: {no_castling}", upper=move.upper(), no_castling=self._no_castling(move)
            )
        )

    def _no_castling(self, move: str) -> str:
        king = self.board.find(self.tables.royal[self.side])
        if not any((rook > king) is (move == SHORT) for rook in self.rooks if self._is_own(rook)):
            return phrase("the king or that rook has moved, or the rook is gone")
        if self.checked:
            return phrase("not out of check")
        return phrase(
            "something stands between, or the king would pass or reach an attacked square"
        )

    def _as_castling(self, reading: Reading) -> str:
        """Return castling written as a move of the king: two squares or more, or onto his own
        rook."""
        king = self.board.find(self.tables.royal[self.side])
        names = self.tables.names
        if king < 0 or reading.kind not in ("", self.rules.royal):
            return ""
        if f"{reading.column}{reading.row}" not in ("", names[king]):
            return ""
        end = self.tables.number[reading.end]
        move = SHORT if end > king else LONG
        row = king - king % self.tables.width
        far = abs(end - king) > 1 and end in [row + column for column, _ in self.rules.castling]
        onto = end in self.rooks and self._is_own(end)
        return move if (far or onto) and move in self.moves() else ""

    def _explain(self, reading: Reading) -> str:
        """Return why no legal move fits a reading."""
        number, kinds = self.tables.number, self.rules.kinds
        end = number[reading.end]
        if reading.column and reading.row:
            return self.find_move_fault(number[reading.column + reading.row], end)
        name, reasons = kinds[reading.kind].name, list[str]()
        for cell in range(self.tables.size):
            fits = self.tables.names[cell]
            if (
                self.board[cell] != EMPTY
                and self._is_own(cell)
                and self.kind_at(cell) == reading.kind
                and reading.column in ("", fits[0])
                and reading.row in ("", fits[1:])
            ):
                reasons.append(self.find_move_fault(cell, end))
        if len(reasons) == 1:
            return reasons[0]
        for reason in reasons:
            if "check" in reason or "own piece" in reason:
                return reason
        return phrase("no {name} of yours can go to {end}", name=name, end=reading.end)

    # Notation

    def describe(self, seat: int, move: str, viewer: int | None = None) -> str:
        if seat < 0:
            return ChessLikePosition.describe(self, seat, move, viewer)
        after = self.make_move(move)
        sign = "" if not after.checked else "+" if after.moves() else "#"
        return write_move(self, seat, move, sign)

    def suggest(self, seat: int) -> str:
        return write_move(self, seat, min(self.legal_moves(seat), key=self._rate_as_example))

    def _rate_as_example(self, move: str) -> tuple[bool, int, int]:
        """Return the distance of a move from a pawn's move to the centre."""
        start, end, _ = self.tables.ends[move]
        row, column = divmod(end, self.tables.width)
        off_centre = abs(2 * row + 1 - self.tables.height) + abs(2 * column + 1 - self.tables.width)
        return start < 0 or self.kind_at(start) != self.pawn, off_centre, -column

    def read_letters(self, text: str, seat: int, language: str) -> str:
        return read_letters(self, text, seat, language, self.tables.columns)

    @property
    def letters(self) -> tuple[tuple[str, str], ...]:
        return list_letters(self.tables)

    def write_origin(self, move: str) -> str:
        """Return a legal move with the letter of its piece and both cells."""
        start, end, more = self.tables.ends[move]
        if start < 0:
            return self.notation(move)
        names, takes = self.tables.names, "x" * (self.board[end] != EMPTY)
        letter = self.letter_of(self.kind_at(start))
        text = f"{letter}{names[start]}{takes}{names[end]}"
        return f"{text}={more.upper()}" if more else text

    def write_plainly(self, move: str) -> str:
        """Return a legal move in algebraic notation that can be read without a question: b4xc5
        for bxc5 where Bxc5 is also possible."""
        text = self.notation(move)
        if text[:1].islower() and "x" in text and text[:1].upper() in self.rules.kinds:
            try:
                self.read(text)
            except AmbiguousMove:
                return self.tables.names[self.tables.ends[move][0]] + text[1:]
        return text

    def notation(self, move: str) -> str:
        """Return a legal move in algebraic notation, without check and mate signs."""
        start, end, more = self.tables.ends[move]
        if start < -1:
            return move.upper()
        names = self.tables.names
        if start == -1:
            return f"{self.letter_of(more)}{self.rules.drops}{names[end]}"
        kind = self.kind_at(start)
        takes = self.board[end] != EMPTY or (end == self.passed and kind == self.rules.in_passing)
        if kind == self.pawn:
            text = f"{names[start][0]}x{names[end]}" if takes else names[end]
            return f"{text}={more.upper()}" if more else text
        origin = self._disambiguation(kind, start, end)
        text = f"{self.letter_of(kind)}{origin}{'x' * takes}{names[end]}"
        return f"{text}={more.upper()}" if more else text

    def _disambiguation(self, kind: str, start: int, end: int) -> str:
        """Return the column, the row or both of a cell, as far as needed to tell its piece from
        others."""
        ends, names = self.tables.ends, self.tables.names
        others = {
            names[other]
            for other, to, _ in map(ends.__getitem__, self.moves())
            if to == end and other not in (-1, start) and self.kind_at(other) == kind
        }
        return tell_apart(names[start], others)
