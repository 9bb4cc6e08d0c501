"""Positions of variants on two boards with four players, as of bughouse: a captured man goes to the
hand of the capturer's partner, and the boards take turns."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Any, ClassVar, Self

from pbm.rules.chance import NOBODY, SEAT_TO_MOVE
from pbm.rules.chess.variants.equipment import Equipment
from pbm.rules.chess.variants.men_tables import EMPTY, WALL
from pbm.rules.chess.variants.playing import find_letter_in_hand
from pbm.rules.chess.variants.state import State
from pbm.rules.chess.variants.variant_position import VariantPosition, draw_empty
from pbm.rules.drawing.picture import Picture
from pbm.rules.drawing.scene import (
    Label,
    Mark,
    Panel,
    Piece,
    Scene,
    join_scenes,
    mark_told,
    shifted,
)
from pbm.rules.drawing.scene_text import TextLayout, draw_scene
from pbm.rules.drawing.sentences import describe_pieces
from pbm.rules.drawing.turning import turn
from pbm.rules.errors import IllegalMove, InvalidMove
from pbm.rules.game import Position
from pbm.rules.options import Value
from pbm.rules.outcome import Outcome
from pbm.rules.phrases import Listing, SeatName, pack, phrase, tell_end, unpack
from pbm.rules.serialization import load_fields

BOARDS = "AB"
"""What the boards are called. Seats 0 and 1 play on A, seats 2 and 3 on B, White first."""
_TEAMS = ((0, 3), (1, 2))
"""The seats that play together: White on one board and Black on the other."""
_GAP = 3
"""How far apart the boards stand."""
_WIDEST = 10
"""So many columns leave room in a text for three characters each."""
_BOARD = re.compile(r"\s*[0-9]{0,3}([ABab])[.:]+\s*")


class BoardOfTwo(VariantPosition):
    """A position on one of the boards.

    number  0 for A, 1 for B
    """

    __slots__ = ()
    number: ClassVar[int]

    def colour(self, side: int) -> SeatName:
        seat = 2 * self.number + side
        return SeatName(name_seat(self.colours[side], self.number), seat)

    def receive(self, side: int, letters: str) -> Self:
        """Return the position with pieces added to the hand of a side."""
        state = self.state
        hands = list(state.hands)
        hands[side] = "".join(sorted(hands[side] + letters))
        following = state._replace(hands=(hands[0], hands[1]))
        mark = following.fingerprint() * 2 + (state.history[-1] & 1)
        after = self.with_state(following._replace(history=(*state.history[:-1], mark)))
        return after if after.moves() else after.settle()


def name_seat(colour: str, board: int) -> str:
    """Return the name of a seat: its colour and its board."""
    return f"{colour} {BOARDS[board]}"


def find_captured(before: State, after: State) -> Iterator[tuple[str, str]]:
    """Yield the men that a move has captured, each with what it was before it was promoted."""
    other = 1 - before.side
    for cell, sign in enumerate(before.board):
        if sign in (EMPTY, WALL) or sign.islower() != bool(other):
            continue
        if after.board[cell] != sign:
            yield sign, before.under[cell] if before.under else EMPTY


@dataclass(frozen=True, slots=True)
class TwoBoardPosition(Position):
    """A position on both boards.

    boards  those of A and B
    turn    the number of turns that have ended; board A is on the move in even ones
    gone    the seat that resigned, or None
    """

    moves_once = True
    options: Mapping[str, Value]
    boards: tuple[BoardOfTwo, BoardOfTwo]
    turn: int = 0
    gone: int | None = None
    outcome: Outcome | None = None
    news: tuple[str, ...] = field(default=(), compare=False)

    @property
    def players(self) -> int:
        return 4

    @property
    def board(self) -> BoardOfTwo:
        """The board on the move."""
        return self.boards[self.turn % 2]

    @property
    def seat(self) -> int:
        """The seat on the move."""
        return 2 * (self.turn % 2) + self.board.side

    @property
    def to_move(self) -> frozenset[int]:
        return NOBODY if self.outcome else SEAT_TO_MOVE[self.seat]

    @property
    def playing(self) -> frozenset[int]:
        if self.gone is None:
            return frozenset(range(4))
        return frozenset(_TEAMS[self.gone in _TEAMS[0]])

    @property
    def colours(self) -> tuple[str, ...]:
        return self.board.colours * 2

    @property
    def key(self) -> str | None:
        first, second = (board.key for board in self.boards)
        return None if first is None or second is None else f"{self.turn % 2} {first} {second}"

    @property
    def claim(self) -> str:
        return "" if self.outcome else self.board.claim

    @property
    def outlook(self) -> tuple[float, ...]:
        """By how many pawns' worth of men each side is ahead on both boards."""
        ahead = self.boards[0].count_material() - self.boards[1].count_material()
        return ahead, -ahead, -ahead, ahead

    # Playing

    def legal_moves(self, seat: int) -> Sequence[str]:
        return self.board.moves() if seat in self.to_move else ()

    def parse(self, text: str, seat: int) -> tuple[str, str]:
        number = seat // 2
        named = _BOARD.match(text[:40])
        if named is None:
            return self.boards[number].parse(text, seat)
        if named[1].upper() != BOARDS[number]:
            raise InvalidMove(phrase("you play on board {board}", board=BOARDS[number]))
        return self.boards[number].parse(text[named.end() :], seat)

    def read_letters(self, text: str, seat: int, language: str) -> str:
        named = _BOARD.match(text[:40])
        begin = named.end() if named else 0
        return text[:begin] + self.boards[seat // 2].read_letters(text[begin:], seat, language)

    def apply(self, seat: int, move: str) -> TwoBoardPosition:
        before, other = self.board, self.boards[1 - self.turn % 2]
        after = before.advance(move)
        side, letters = 1 - before.side, ""
        for sign, was in find_captured(before.state, after.state):
            letters += find_letter_in_hand(before.tables, sign, was)
        news = list[str]()
        if gone := before.find_gone(move, after):
            places = Listing(_prefix(self.turn % 2) + name for name in gone)
            colour = self.seat_name(seat)
            news.append(phrase("{colour} captures {places}", colour=colour, places=places))
        if letters and not after.outcome:
            other = other.receive(side, letters)
            news += (self._tell_handed(letter, side) for letter in letters)
        boards = (after, other) if self.turn % 2 == 0 else (other, after)
        ended = [(board.number, board.outcome) for board in boards if board.outcome]
        outcome = _end_both(*ended[0]) if ended else self.outcome
        return replace(self, boards=boards, turn=self.turn + 1, news=tuple(news), outcome=outcome)

    def _tell_handed(self, letter: str, side: int) -> str:
        seat = 2 * (1 - self.turn % 2) + side
        return phrase(
            "{player} has one more {piece} in hand",
            player=self.seat_name(seat),
            piece=self.board.equipment.name_of(letter),
        )

    def resign(self, seat: int) -> TwoBoardPosition:
        if self.outcome or seat not in range(4):
            raise IllegalMove(phrase("only a player who is still in the game can resign"))
        reason = phrase("{seat_name} resigns", seat_name=self.seat_name(seat))
        winner = min(_TEAMS[seat in _TEAMS[0]])
        return replace(self, gone=seat, news=(), outcome=Outcome(_rank(winner), reason))

    # Notation

    def describe(self, seat: int, move: str, viewer: int | None = None) -> str:
        return self.boards[seat // 2].describe(seat, move, viewer)

    def suggest(self, seat: int) -> str:
        return self.boards[seat // 2].suggest(self.boards[seat // 2].side)

    def steps(self, seat: int, move: str) -> tuple[str, ...]:
        board, prefix = self.boards[seat // 2], _prefix(seat // 2)
        number = board.tables.number
        return tuple(
            prefix + step if step in number else step for step in board.steps(board.side, move)
        )

    # The scene, the picture, the words

    def scene(self, viewer: int | None = None, last: Sequence[str] = ()) -> Scene:
        pieces, marks, panels = list[Piece](), list[Mark](), list[Panel]()
        for number, board in enumerate(self.boards):
            prefix, first = _prefix(number), 2 * number
            shown = board.told(()).scene(None, self._find_last(number, last))
            pieces += [
                replace(
                    piece,
                    place=prefix + piece.place,
                    seat=None if piece.seat is None else first + piece.seat,
                )
                for piece in shown.pieces
            ]
            marks += [
                replace(mark, places=tuple(prefix + place for place in mark.places))
                for mark in shown.marks
                if mark.role == "last" or not self.outcome
            ]
            panels += self._list_panels(number, shown.panels)
        empty = lay_boards(self.board.equipment, is_turned=viewer in _TEAMS[1])
        scene = replace(
            empty,
            pieces=tuple(pieces),
            marks=tuple(marks),
            panels=tuple(panels),
            style=self.board.equipment.style,
        )
        return mark_told(scene, self.news) if last else scene

    def _list_panels(self, number: int, panels: Sequence[Panel]) -> Iterator[Panel]:
        """Yield what stands beside a board, with its seats."""
        is_on_move = not self.outcome and number == self.turn % 2
        for panel in panels:
            yield Panel(
                phrase("on board {board}, {what}", board=BOARDS[number], what=panel.title),
                tuple(
                    replace(
                        entry,
                        seat=None if entry.seat is None else 2 * number + entry.seat,
                        name=entry.name if is_on_move else "",
                    )
                    for entry in panel.entries
                ),
                None if panel.seat is None else 2 * number + panel.seat,
            )

    def _find_last(self, number: int, last: Sequence[str]) -> list[str]:
        """Return those of the last moves that were played on a board."""
        first = self.turn - len(last)
        tables = self.boards[number].tables
        return [
            move
            for at, move in enumerate(last, first)
            if at % 2 == number and (move in tables.ends or not any(map(str.isdigit, move)))
        ]

    def sign(self, piece: Piece) -> str:
        return piece.label.lower() if piece.seat and piece.seat % 2 else piece.label

    def picture(self, viewer: int | None = None, last: Sequence[str] = ()) -> Picture:
        across = 3 if self.board.tables.width <= _WIDEST else 2
        canvas = draw_scene(self.scene(viewer, last), TextLayout(across=across), self.sign)
        canvas.line()
        for number, board in enumerate(self.boards):
            is_on_move = not self.outcome and number == self.turn % 2
            board.caption_sides(canvas, board.side if is_on_move else None, 2 * number)
        if self.outcome:
            canvas.paragraph(tell_end(self.outcome.reason))
        return canvas.picture()

    def describe_pieces(self, scene: Scene) -> Sequence[str]:
        lines = list[str]()
        for number, board in enumerate(self.boards):
            first, *more = describe_pieces(board.scene(), board.colours)
            lines += [_put_on_board(number, first), *more]
        return lines

    def notes(self, viewer: int | None = None) -> tuple[str, ...]:
        return tuple(
            _put_on_board(number, note)
            for number, board in enumerate(self.boards)
            for note in board.notes()
        )

    def dump(self) -> list[Any]:
        over = self.outcome and [self.outcome.ranks, pack(self.outcome.reason)]
        return [[board.dump() for board in self.boards], self.turn, self.gone, over]


def load(
    kind: type[TwoBoardPosition],
    kinds: Sequence[type[BoardOfTwo]],
    options: Mapping[str, Value],
    data: list[Any],
) -> TwoBoardPosition:
    """Return the position whose `dump()` was `data`."""
    boards, turn_number, gone, over = data
    first, second = (
        load_fields(one, options, dumped) for one, dumped in zip(kinds, boards, strict=True)
    )
    outcome = Outcome(tuple(over[0]), unpack(over[1])) if over else None
    return kind(options, (first, second), turn_number, gone, outcome)


@lru_cache(maxsize=32)
def lay_boards(equipment: Equipment, *, is_turned: bool) -> Scene:
    """Return both empty boards side by side, as partners who sit beside each other see them: A from
    White's side and B from Black's, or (`is_turned`) the other way round."""
    empty, tables, scenes = draw_empty(equipment), equipment.tables, list[Scene]()
    width, height = tables.width, tables.height
    for number, letter in enumerate(BOARDS):
        left = number * (width + _GAP)
        board = empty
        if is_turned != bool(number):
            board = shifted(turn(empty), width, height, "")
        board = shifted(board, left, 0.0, _prefix(number))
        name = Label(letter, (left + width / 2, -1.5))
        scenes.append(replace(board, labels=(name, *board.labels)))
    return join_scenes(scenes)


def _put_on_board(board: int, sentence: str) -> str:
    """Return a sentence with the board that it is about."""
    return phrase("On board {board}: {sentence}", board=BOARDS[board], sentence=sentence)


def _prefix(board: int) -> str:
    return f"{BOARDS[board].lower()} "


def _rank(winner: int) -> tuple[int, ...]:
    """Return the ranks when the side of a seat has won."""
    own = next(team for team in _TEAMS if winner in team)
    return tuple(1 if seat in own else 3 for seat in range(4))


def _end_both(number: int, ended: Outcome) -> Outcome:
    """Return how the game ends that has ended so on one of its boards."""
    if len(set(ended.ranks)) == 1:
        return Outcome((1, 1, 1, 1), ended.reason)
    return Outcome(_rank(2 * number + ended.ranks.index(1)), ended.reason)
