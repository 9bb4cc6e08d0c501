"""Games of two sides that move in turn, with nothing hidden and nothing random: whose move it is,
the swap, resigning, winning, serialization.

A board is one character per cell; the only notation known here is `swap`."""

from __future__ import annotations

import re
from abc import abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar, TypeVar

from pbm.rules.chance import NOBODY, SEAT_TO_MOVE
from pbm.rules.drawing.picture import LABEL, Canvas, Picture
from pbm.rules.drawing.picture import seat as seat_role
from pbm.rules.drawing.scene import Panel, Scene
from pbm.rules.drawing.scene_text import TextLayout, draw_scene, list_panels
from pbm.rules.errors import IllegalMove, InvalidMove, RecordError
from pbm.rules.game import Game, Position
from pbm.rules.game_info import GameInfo
from pbm.rules.lessons import Lesson
from pbm.rules.options import Option, Value
from pbm.rules.outcome import Outcome, Played
from pbm.rules.phrases import LoneName, Phrase, SeatName, combine, join_phrases, phrase, tell_end
from pbm.rules.serialization import dump_fields, load_fields
from pbm.rules.typed import left_of, quoted

EMPTY, STONES = ".", "XO"
"""The signs of an empty cell, and of a stone of side 0 and side 1."""
SWAP = "swap"
TWO = range(2, 3)
"""The allowed numbers of players."""
SWAP_OPTION = Option(
    "swap", "flag", "the second player may answer the first move with swap, and changes sides"
)
NO_SWAP_OPTION = Option("noswap", "flag", "the second player may not swap")
_WORD = re.compile(r"[^\s,;]+")
D = TypeVar("D", bound="TwoPlayerPosition")


@dataclass(frozen=True, slots=True)
class TwoPlayerPosition(Position):
    """A position of two sides.

    board    one character per cell
    side     the side to move, 0 or 1; the board and the rules know sides, not seats
    turn     the number of turns that have ended
    swapped  whether seat 0 plays side 1, because seat 1 took over the first move
    gone     the seat that resigned, or None
    """

    sgf_game: ClassVar[int] = 0
    """The number of SGF (property GM) whose records are of this game; 0 for none."""
    swaps: ClassVar[Sequence[str]] = (SWAP, "swap-sides")
    """How the swap may be written."""
    layout: ClassVar[TextLayout | None] = None
    """How the picture sets the scene in characters; None for what its shapes suggest."""
    options: Mapping[str, Value]
    board: str
    side: int = 0
    turn: int = 0
    swapped: bool = False
    gone: int | None = None
    outcome: Outcome | None = None
    news: tuple[str, ...] = field(default=(), compare=False)

    @classmethod
    def initial(cls: type[D], options: Mapping[str, Value]) -> D:
        """Return the first position: an empty board unless the game says otherwise."""
        return cls(options, "")

    @classmethod
    def initial_of(cls: type[D], players: int, options: Mapping[str, Value]) -> D:
        """Return the first position for more than two."""
        raise NotImplementedError

    @classmethod
    def check_options(cls, options: Mapping[str, Value]) -> None:
        """Raise OptionError if options exclude each other."""

    @classmethod
    def record(cls, played: Played) -> str:
        """Return the game in the format of its field; see `Game.record`."""
        return ""

    @classmethod
    def read_record(cls, text: str) -> Played:
        """Return the game in a record in SGF; see `Game.read_record`."""
        raise RecordError(phrase("records of {title} cannot be read", title=cls.game.info.title))

    @property
    def players(self) -> int:
        return 2

    @property
    def to_move(self) -> frozenset[int]:
        return NOBODY if self.outcome else SEAT_TO_MOVE[self.side ^ self.swapped]

    @property
    def playing(self) -> frozenset[int]:
        return frozenset(seat for seat in (0, 1) if seat != self.gone)

    @property
    def seat_names(self) -> tuple[str, ...]:
        names = self.game.info.seats[2]
        return names[::-1] if self.swapped else names

    @property
    def colours(self) -> tuple[str, ...]:
        """Pieces belong to sides: players who swap take over each other's pieces."""
        return self.game.info.seats[2]

    def colour(self, side: int) -> SeatName:
        """Return the name of a side."""
        return SeatName(self.colours[side], side ^ self.swapped)

    def tell_hands(self, hands: Sequence[str]) -> Phrase:
        """Return which men the sides have in hand, by their letters, below a picture."""
        each = [
            combine(
                "{side} {letters}", side=self.colour(side), letters=self._spell_hand(hand) or "-"
            )
            for side, hand in enumerate(hands)
        ]
        return phrase("in hand: {hands}", hands=join_phrases(", ", each))

    def _spell_hand(self, hand: str) -> str:
        return join_phrases(" ", [self.mark_letters(letter) for letter in hand])

    def notes(self, viewer: int | None = None) -> tuple[str, ...]:
        if self.swapped:
            return (phrase("The players have swapped."),)
        return (phrase("The answer may be swap."),) if self.may_swap and not self.outcome else ()

    @property
    def may_swap(self) -> bool:
        """Whether `swap` is legal now: as the answer to the first move, if the board is played with
        it."""
        if self.turn != 1 or self.swapped:
            return False
        return bool(self.options.get("swap", self.options.get("noswap") is False))

    def legal_moves(self, seat: int) -> Sequence[str]:
        if self.outcome or seat != self.side ^ self.swapped:
            return ()
        moves = self.moves()
        return [*moves, SWAP] if self.may_swap else moves

    @abstractmethod
    def moves(self) -> Sequence[str]:
        """Return every legal move of the side on the move except `swap`."""

    def apply(self, seat: int, move: str) -> Position:
        if move != SWAP:
            return self.advance(move)
        if self.may_swap:
            news = (phrase("the players have swapped: {colour} moves next", colour=self.colour(1)),)
            return replace(self, swapped=True, turn=self.turn + 1, news=news)
        if self.swapped:
            raise IllegalMove(phrase("swap: it has already been played"))
        if "swap" not in self.options and "noswap" not in self.options:
            raise IllegalMove(phrase("swap: this game has no swap rule"))
        if self.turn != 1:
            raise IllegalMove(phrase("swap: allowed only as the answer to the first move"))
        raise IllegalMove(phrase("swap: this board is played without the swap rule"))

    @abstractmethod
    def advance(self, move: str) -> Position:
        """Return the position after any move but `swap`; validates it as `apply` does."""

    def parse(self, text: str, seat: int) -> tuple[str, str]:
        match = _WORD.search(text[:400])
        if not match or len(text) > 4000:
            raise InvalidMove(
                phrase(
                    "there is no move in {text}; a move looks like {example}",
                    text=quoted(text),
                    example=self.example,
                )
            )
        word = match[0].lower().rstrip(".!")
        move = SWAP if word in self.swaps else self.read(word)
        return move, left_of(text, match.end())

    @property
    def example(self) -> str:
        """A move to show in refusals: the first legal one."""
        return next(iter(self.legal_moves(self.side ^ self.swapped)), "-")

    @abstractmethod
    def read(self, word: str) -> str:
        """Return the canonical move that a typed word (no blanks, lower case) means."""

    def end_turn(self: D, board: str, **more: Any) -> D:
        """Return the position with another board (and other changed fields) and the other side on
        the move."""
        return replace(self, board=board, side=1 - self.side, turn=self.turn + 1, news=(), **more)

    def win(self: D, side: int, reason: str) -> D:
        """Return the position with that side as the winner."""
        seat = side ^ self.swapped
        return replace(self, outcome=Outcome((1 + seat, 2 - seat), reason))

    def win_by_goal(self: D, side: int, what: str) -> D:
        """Return the position won by the side that reached the goal of the game; lost by it with
        -misere."""
        return self.win(side ^ bool(self.options.get("misere")), what)

    def end_in_draw(self: D, reason: str) -> D:
        """Return the position ended as a draw."""
        return replace(self, outcome=Outcome((1, 1), reason))

    def resign(self: D, seat: int) -> D:
        if self.outcome or seat not in (0, 1):
            raise IllegalMove(phrase("only a player who is still in the game can resign"))
        return replace(
            self,
            gone=seat,
            news=(),
            outcome=Outcome(
                (1 + (seat == 0), 1 + (seat == 1)),
                phrase("{seat_name} resigns", seat_name=self.seat_name(seat)),
            ),
        )

    @property
    def stones(self) -> str:
        """The sign of each side's stones on the board."""
        return STONES

    @property
    def seat_signs(self) -> Sequence[str]:
        """The sign that stands for each side below the picture."""
        return self.stones

    @property
    def remark(self) -> str:
        """An additional line below the board."""
        return ""

    def panels(self) -> tuple[Panel, ...]:
        """Return the scene's panels beside the board."""
        return ()

    def note(self) -> str:
        """Return the line below the picture: the remark, or the panels."""
        return self.remark or join_phrases("; ", [*list_panels(self.panels(), self.colours)])

    def text_scene(self, viewer: int | None, last: Sequence[str]) -> Scene:
        """Return the scene of which the picture is made, where its places lie otherwise than in
        graphics."""
        return self.scene(viewer, last)

    def picture(self, viewer: int | None = None, last: Sequence[str] = ()) -> Picture:
        is_turned = self.turns_board and viewer == 1
        scene = self.text_scene(viewer, last)
        canvas = draw_scene(scene, self.layout, self.sign, is_turned=is_turned)
        self.caption(canvas)
        return canvas.picture(self.letters)

    def caption(self, canvas: Canvas) -> None:
        """Write below a board each player's sign and whose turn it is, then the note, and the
        outcome when the game is over."""
        canvas.line()
        self.caption_sides(canvas, None if self.outcome else self.side)
        if self.outcome:
            canvas.paragraph(tell_end(self.outcome.reason))

    def caption_sides(self, canvas: Canvas, mover: int | None, first: int = 0) -> None:
        """Write below a board each player's sign and which side is to move, then the note. Side 0
        has the colour of the seat `first`."""
        row, column = canvas.height, 3
        for side, sign in enumerate(self.seat_signs):
            canvas.put(row, column, f"{sign} ", seat_role(first + side))
            words: str = LoneName(self.colour(side))
            if side == mover:
                words = phrase("{seat}, to move", seat=words)
            column += len(sign) + 1
            canvas.put(row, column, words, LABEL)
            column += len(words) + 3
        canvas.paragraph(self.note(), LABEL)

    def dump(self) -> list[Any]:
        return dump_fields(self)


class TwoPlayerGame(Game):
    """A game whose positions are instances of `position`."""

    record_format: ClassVar[str] = "sgf"
    position: ClassVar[type[TwoPlayerPosition]]
    crowd: ClassVar[type[TwoPlayerPosition] | None] = None
    """The positions of boards for more than two."""
    lessons: ClassVar[Sequence[Lesson]] = ()

    def start(self, players: int, options: Mapping[str, Value]) -> TwoPlayerPosition:
        self.position.check_options(options)
        if self.crowd is not None and players > len(STONES):
            return self.crowd.initial_of(players, options)
        return self.position.initial(options)

    def list_lessons(self) -> Sequence[Lesson]:
        return self.lessons

    def record(self, played: Played) -> str:
        return self.position.record(played) if played.players == len(STONES) else ""

    def read_record(self, text: str) -> Played:
        return self.position.read_record(text)

    def is_recorded(self, tags: Mapping[str, str]) -> bool:
        number = self.position.sgf_game
        return number != 0 and tags.get("GM") == str(number)

    def load(
        self, players: int, options: Mapping[str, Value], data: list[Any]
    ) -> TwoPlayerPosition:
        kind = self.position
        if self.crowd is not None and players > len(STONES):
            kind = self.crowd
        return load_fields(kind, options, data)


def two_player_game(
    position: type[TwoPlayerPosition],
    name: str,
    title: str,
    seats: tuple[str, str],
    summary: str,
    help: str,
    *options: Option,
    aliases: tuple[str, ...] = (),
    version: int = 1,
    family: str = "",
    length: str = "medium",
    is_decisive: bool = False,
    features: frozenset[str] = frozenset(),
    crowd: type[TwoPlayerPosition] | None = None,
    crowds: Sequence[tuple[str, ...]] = (),
    lessons: Sequence[Lesson] = (),
) -> TwoPlayerGame:
    """Build the game whose positions are instances of `position`; the other arguments are its
    `GameInfo`. Those for more than two are instances of `crowd`; `crowds` are the names of the
    seats for each number of them; `lessons` explain it in pictures."""
    info = GameInfo(
        name=name,
        title=title,
        version=version,
        players=(len(seats), *map(len, crowds)) if crowds else TWO,
        seats={2: seats, **{len(names): names for names in crowds}},
        summary=summary,
        help=help,
        aliases=aliases,
        options=options,
        features=features | ({SWAP} if {SWAP_OPTION, NO_SWAP_OPTION} & {*options} else set()),
        family=family,
        length=length,
        is_decisive=is_decisive,
    )
    body = {"__doc__": f"{title}.", "__module__": position.__module__}
    kind = type(
        f"{position.__name__}Game",
        (TwoPlayerGame,),
        {**body, "position": position, "crowd": crowd, "info": info, "lessons": lessons},
    )
    game: TwoPlayerGame = kind()
    position.game = game
    if crowd is not None:
        crowd.game = game
    return game
