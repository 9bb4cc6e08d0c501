"""More games with one mistake each: in what they say of themselves, in what a board shows, and in
what only many games show."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from pbm.games import get_game
from pbm.games.breakthrough import BreakthroughPosition
from pbm.games.tictactoe import GAMES, TicTacToePosition
from pbm.rules import Canvas, IllegalMove, Option, Outcome, Picture, Position
from pbm.rules.drawing.scene import Mark, Piece, Scene
from pbm.rules.families.two_player import two_player_game
from pbm.rules.game import Game
from pbm.rules.testing.topics import (
    BALANCE,
    CRASHES,
    ENDING,
    ENDLESS,
    HELP,
    INFO,
    LEGALITY,
    NEWS,
    OPTIONS,
    PARSING,
    PICTURE,
    PIECES,
    RESIGNING,
    SCENE,
    TURNS,
)
from tests.rules.nim import Nim, NimPosition
from tests.rules.testing.broken_games import Broken, filling, nim_game, nim_info

_INFO = GAMES[0].info
BREAKTHROUGH = get_game("breakthrough")
_HELP = Nim.info.help


def row_game(features: frozenset[str] = frozenset(), **members: Any) -> Game:
    """Tic-Tac-Toe whose positions have these members in the place of their own."""
    position: type[TicTacToePosition] = type("BrokenRow", (TicTacToePosition,), members)
    game = two_player_game(
        position,
        "brokenrow",
        "Broken Row",
        ("crosses", "noughts"),
        "a mistake",
        _INFO.help,
        *_INFO.options,
    )
    type(game).info = replace(game.info, features=features)
    return game


def with_help(text: str) -> Callable[[], Game]:
    return lambda: nim_info(help=_HELP + text)


def with_option(option: Option) -> Callable[[], Game]:
    return lambda: nim_info(options=(*Nim.info.options, option))


# Resigning


def resigned_to(winner: int) -> Callable[[NimPosition], Outcome | None]:
    """Resigning for which this seat is the first, whoever gave up."""

    def outcome(self: NimPosition) -> Outcome | None:
        if not self.over:
            return None
        if not self.left:
            return NimPosition.outcome.fget(self)  # type: ignore[attr-defined,no-any-return]
        seats = [self.left[winner], *(s for s in range(self.players) if s != self.left[winner])]
        return Outcome(tuple(1 + seats.index(seat) for seat in range(self.players)), "resigned")

    return outcome


def drawn_by_resigning(self: NimPosition) -> Outcome | None:
    whole = NimPosition.outcome.fget(self)  # type: ignore[attr-defined]
    return Outcome((1,) * self.players, "nobody plays on") if self.left and whole else whole


# Text that is typed


def first_word(self: NimPosition, text: str, seat: int) -> tuple[str, str]:
    return NimPosition.parse(self, (text.split() or [""])[0], seat)[0], ""


def first_match(self: NimPosition, text: str, seat: int) -> tuple[str, str]:
    found = re.match("take-[0-9]+", text.lower())
    return (found[0], "") if found else NimPosition.parse(self, text, seat)


def part_of_the_rest(self: NimPosition, text: str, seat: int) -> tuple[str, str]:
    words = text.lower().split()
    move, _ = NimPosition.parse(self, (words or [""])[0], seat)
    return move, " ".join(word for word in words[1:] if word.startswith("take"))


def refused_in_two_lines(self: NimPosition, seat: int, move: str) -> NimPosition:
    if move not in self.legal_moves(seat):
        raise IllegalMove("not now;\ntake 1 to 3 stones")
    return NimPosition.apply(self, seat, move)


def refused_with(say: Callable[[NimPosition, str], str]) -> Any:
    def apply(self: NimPosition, seat: int, move: str) -> NimPosition:
        if move not in self.legal_moves(seat):
            raise IllegalMove(say(self, move))
        return NimPosition.apply(self, seat, move)

    return apply


def suggesting(text: str) -> Callable[..., str]:
    return lambda self, seat: text


# News


def telling(say: Callable[[NimPosition, str], tuple[str, ...]]) -> Callable[[], Game]:
    """Nim whose news after a move is what this says, as a field that nothing else empties."""

    def apply(self: NimPosition, seat: int, move: str) -> NimPosition:
        after = NimPosition.apply(self, seat, move)
        kind = type("Telling", (type(after),), {"news": say(self, move)})
        return _make(kind, after)

    return lambda: nim_game(apply=apply)


def _make(kind: type[NimPosition], position: NimPosition) -> NimPosition:
    """The same position as one of this class."""
    return kind(
        position.players,
        position.options,
        position.stones,
        position.seat,
        position.turn,
        position.left,
    )


def kept_news(before: NimPosition, move: str) -> tuple[str, ...]:
    """A sentence that stays once it was said."""
    return before.news or (("the heap is lower",) if before.turn == 1 else ())


def added_news(before: NimPosition, move: str) -> tuple[str, ...]:
    return (*before.news, f"{before.stones} stones were there")


# What a board shows


def scene_with(change: Callable[[TicTacToePosition, Scene, Sequence[str]], Scene]) -> Any:
    """A member `scene` that changes the scene."""

    def scene(
        self: TicTacToePosition, viewer: int | None = None, last: Sequence[str] = ()
    ) -> Scene:
        return change(self, TicTacToePosition.scene(self, viewer, last), last)

    return scene


def without_pieces(seat: int | None) -> Any:
    return scene_with(
        lambda self, scene, last: replace(
            scene, pieces=tuple(piece for piece in scene.pieces if piece.seat != seat)
        )
    )


def of_one_seat(self: Position, scene: Scene, last: Sequence[str]) -> Scene:
    return replace(scene, pieces=tuple(replace(piece, seat=0) for piece in scene.pieces))


def mark_another(self: Position, scene: Scene, last: Sequence[str]) -> Scene:
    """The mark lies on the mirror image of the cell that was played."""
    marks = tuple(Mark(tuple(_mirror(name) for name in one.places), "last") for one in scene.marks)
    return replace(scene, marks=marks)


def mark_two(self: Position, scene: Scene, last: Sequence[str]) -> Scene:
    return replace(scene, marks=(*scene.marks, *([Mark(("a1",), "last")] if last else [])))


def mark_outside(self: Position, scene: Scene, last: Sequence[str]) -> Scene:
    return replace(scene, marks=tuple(Mark(("z9",), "last") for _ in scene.marks))


def _mirror(name: str) -> str:
    return "cba"["abc".index(name[0])] + name[1:] if name[0] in "abc" else name


def unlabelled(self: Position, scene: Scene, last: Sequence[str]) -> Scene:
    return replace(scene, pieces=tuple(replace(p, kind="stone", label="") for p in scene.pieces))


def numbered(self: TicTacToePosition, piece: Piece) -> str:
    return f"{self.geometry.number[piece.place]}"


def lettered(self: TicTacToePosition, piece: Piece) -> str:
    """A king on the first column, a man elsewhere: the scene has the same kind for both."""
    letter = "K" if piece.place.startswith("a") else "M"
    return letter if piece.seat else letter.lower()


def two_on_each(self: Position, scene: Scene, last: Sequence[str]) -> Scene:
    return replace(scene, places=(*scene.places, scene.places[0]))


def without_kind(self: Position, scene: Scene, last: Sequence[str]) -> Scene:
    return replace(scene, pieces=tuple(replace(piece, kind="") for piece in scene.pieces))


def of_a_third_seat(self: Position, scene: Scene, last: Sequence[str]) -> Scene:
    return replace(scene, pieces=tuple(replace(piece, seat=5) for piece in scene.pieces))


def pieces_nowhere(self: Position, scene: Scene, last: Sequence[str]) -> Scene:
    return replace(scene, pieces=tuple(replace(piece, place="z9") for piece in scene.pieces))


def draw_history(self: NimPosition, viewer: int | None = None, last: Sequence[str] = ()) -> Picture:
    """How many stones were taken last is in the text alone."""
    canvas = Canvas()
    taken = getattr(self, "taken", "")
    canvas.line(f"{self.stones} stones{taken}")
    return canvas.picture()


def by_viewer(
    self: TicTacToePosition, viewer: int | None = None, last: Sequence[str] = ()
) -> Picture:
    canvas = Canvas()
    canvas.line(f"{self.board} {viewer}")
    return canvas.picture()


def remember(self: NimPosition, seat: int, move: str) -> NimPosition:
    after = NimPosition.apply(self, seat, move)
    kind = type("Remembering", (type(after),), {"taken": f", {move} before"})
    return _make(kind, after)


# What many games show


def first_wins(self: NimPosition) -> Outcome | None:
    whole = NimPosition.outcome.fget(self)  # type: ignore[attr-defined]
    ranks = tuple(range(1, self.players + 1))
    return Outcome(ranks, "the first player wins") if whole and not self.left else whole


def nobody_wins(self: NimPosition) -> Outcome | None:
    whole = NimPosition.outcome.fget(self)  # type: ignore[attr-defined]
    return Outcome((1,) * self.players, "a draw") if whole and not self.left else whole


def over_early(self: NimPosition) -> bool:
    return self.turn >= 2 or len(self.playing) == 1


def over_at_once(self: NimPosition) -> bool:
    return True


def stays(self: NimPosition) -> NimPosition:
    """Whoever moves stays on the move until it resigns."""
    return NimPosition.passed_on(self) if self.seat in self.left else self


def takes_in_silence(self: TicTacToePosition, seat: int, move: str) -> TicTacToePosition:
    """A cross also takes the nought on the first place that has one."""
    after = TicTacToePosition.apply(self, seat, move)
    assert isinstance(after, TicTacToePosition)
    return replace(after, board=after.board.replace("O", ".", seat == 0))


def step_game(**members: Any) -> Game:
    """Breakthrough whose positions have these members in the place of their own."""
    position: type[BreakthroughPosition] = type("BrokenStep", (BreakthroughPosition,), members)
    info = BREAKTHROUGH.info
    seats = info.seats[2]
    return two_player_game(
        position,
        "brokenstep",
        "Broken Step",
        (seats[0], seats[1]),
        "a mistake",
        info.help,
        *info.options,
    )


def stays_behind(self: BreakthroughPosition, move: str) -> BreakthroughPosition:
    """What moves stays on its first place, too."""
    after = BreakthroughPosition.make_move(self, move)
    source = self.geometry.number[move[:2]]
    board = after.board[:source] + self.board[source] + after.board[source + 1 :]
    return replace(after, board=board)


BOARDS = (
    Broken(
        "who resigns wins",
        lambda: nim_game(outcome=property(resigned_to(-1))),
        RESIGNING,
        "who resigns loses to those still playing",
    ),
    Broken(
        "the first who resigned wins",
        lambda: nim_game(outcome=property(resigned_to(0))),
        RESIGNING,
        "who resigns loses to those still playing",
    ),
    Broken(
        "resigning is a draw",
        lambda: nim_game(outcome=property(drawn_by_resigning)),
        RESIGNING,
        "who resigns loses to those still playing",
    ),
    Broken("the rest dropped", lambda: nim_game(parse=first_word), PARSING, "`parse` leaves"),
    Broken(
        "the rest of a match dropped",
        lambda: nim_game(parse=first_match),
        PARSING,
        "`parse` leaves",
    ),
    Broken(
        "strange words of the rest dropped",
        lambda: nim_game(parse=part_of_the_rest),
        PARSING,
        "`parse` leaves",
    ),
    Broken(
        "a suggestion that is no move",
        lambda: nim_game(suggest=suggesting("three")),
        PARSING,
        "`suggest` gives a move that can be played; 'three' was refused",
    ),
    Broken(
        "a suggestion that is not legal",
        lambda: nim_game(suggest=suggesting("take-9")),
        PARSING,
        "'take-9' was refused",
    ),
    Broken(
        "a refusal of two lines",
        lambda: nim_game(apply=refused_in_two_lines),
        LEGALITY,
        "a refusal is one line",
    ),
    Broken(
        "a refusal of the move alone",
        lambda: nim_game(apply=refused_with(lambda _, move: f"{move}: ")),
        LEGALITY,
        "a refusal says what is wrong",
    ),
    Broken(
        "a refusal that is an object",
        lambda: nim_game(apply=refused_with(lambda position, move: f"{move} is not in {position}")),
        LEGALITY,
        "a refusal is a sentence for people",
    ),
    Broken(
        "help in which another begins",
        with_help("\nNorth begins.\n"),
        HELP,
        "help says who begins; it is south, not north",
    ),
    Broken(
        "a capture in silence",
        lambda: row_game(apply=takes_in_silence),
        PIECES,
        "is gone without a word",
    ),
    Broken(
        "a piece that stays behind",
        lambda: step_game(make_move=stays_behind),
        PIECES,
        "a piece that moves leaves none behind",
    ),
    Broken(
        "a reason that names the same seat whoever wins",
        lambda: nim_game(
            outcome=property(lambda self: _reasoned(self, "north took the last piece"))
        ),
        BALANCE,
        "a reason names the seat that it is about; each says north",
    ),
    Broken(
        "a reason of two lines",
        lambda: nim_game(outcome=property(lambda self: _reasoned(self, "the heap\nis gone"))),
        ENDING,
        "a reason is one line of plain ASCII",
    ),
    Broken(
        "a reason that no mail can show",
        lambda: nim_game(outcome=property(lambda self: _reasoned(self, "the h\u00e9ap is gone"))),
        ENDING,
        "a reason is one line of plain ASCII",
    ),
    Broken(
        "a reason with a full stop",
        lambda: nim_game(outcome=property(lambda self: _reasoned(self, "the heap is gone."))),
        ENDING,
        "a reason has no full stop",
    ),
    Broken(
        "a draw of a game without draws",
        lambda: _decisive(nim_game(outcome=property(nobody_wins))),
        ENDING,
        "there is no draw, as `is_decisive` says",
    ),
    Broken("news that stays", telling(kept_news), NEWS, "news is of the last move alone"),
    Broken("news that grows", telling(added_news), NEWS, "news is of the last move alone"),
    Broken(
        "news that repeats the move", telling(lambda before, move: (move,)), NEWS, "not the move"
    ),
    Broken(
        "news with a full stop",
        telling(lambda before, move: (f"{before.stones} are gone.",)),
        NEWS,
        "no full stop",
    ),
    Broken(
        "an example off the board",
        lambda: _helped(row_game(), _INFO.help.replace("> a1", "> q7")),
        HELP,
        "'q7' names q7, which no board has",
    ),
    Broken("an example never legal", with_help("  > take-9\n"), HELP, "'take-9' was legal in none"),
    Broken("an option that is not there", with_help("With -misere you lose.\n"), HELP, "-misere"),
    Broken(
        "an option of another name", with_help("So many: -heaps=9.\n"), HELP, "-heaps is not one"
    ),
    Broken("a wide line of help", with_help("x" * 79), HELP, "wider than 78"),
    Broken(
        "an option without help",
        with_option(Option("tax", "int", "", 1, 1, 3)),
        OPTIONS,
        "-tax has a line of help",
    ),
    Broken(
        "an option explained in two lines",
        with_option(Option("tax", "int", "what a move\ncosts", 1, 1, 3)),
        OPTIONS,
        "-tax has one line",
    ),
    Broken(
        "an option in capitals",
        with_option(Option("Tax", "int", "what a move costs", 1, 1, 3)),
        OPTIONS,
        "named in lower case",
    ),
    Broken(
        "an option with one value",
        with_option(Option("tax", "int", "what a move costs", 1, 1, 1)),
        OPTIONS,
        "more than one number",
    ),
    Broken(
        "a choice without choices",
        with_option(Option("side", "choice", "of the street", None)),
        OPTIONS,
        "-side has choices",
    ),
    Broken(
        "a default out of range",
        with_option(Option("tax", "int", "what a move costs", 7, 1, 3)),
        OPTIONS,
        "has a default that is allowed",
    ),
    Broken("a name in capitals", lambda: nim_info(name="Nim"), INFO, "lower case, alphanumeric"),
    Broken("a title of signs", lambda: nim_info(title="N\u00edm"), INFO, "title and summary are"),
    Broken("no players", lambda: nim_info(players=()), INFO, "some number of players"),
    Broken("players twice", lambda: nim_info(players=(2, 2)), INFO, "each number of players once"),
    Broken(
        "seats of one name",
        lambda: nim_info(seats={2: ("a", "a"), 3: ("a", "b", "c")}),
        INFO,
        "seats have different names",
    ),
    Broken(
        "a seat without a name",
        lambda: nim_info(seats={2: ("a", ""), 3: ("a", "b", "c")}),
        INFO,
        "a seat has a name",
    ),
    Broken("an alias in capitals", lambda: nim_info(aliases=("NIM",)), INFO, "the alias 'NIM'"),
    Broken("an alias twice", lambda: nim_info(aliases=("nim",)), INFO, "name and aliases differ"),
    Broken("an unknown feature", lambda: nim_info(features=frozenset({"dice"})), INFO, "unknown"),
    Broken("a family of its own", lambda: nim_info(family="heaps"), INFO, "family is one of"),
    Broken("a length of its own", lambda: nim_info(length="brief"), INFO, "length is one of"),
    Broken(
        "no piece of a seat",
        lambda: row_game(scene=without_pieces(1)),
        SCENE,
        "scenes show something of every seat, with its `seat`; nothing of noughts",
    ),
    Broken(
        "all pieces of one seat",
        lambda: row_game(scene=scene_with(of_one_seat)),
        SCENE,
        "nothing of noughts",
    ),
    Broken(
        "a mark beside the move",
        lambda: row_game(scene=scene_with(mark_another)),
        SCENE,
        "the marks of the last move",
    ),
    Broken(
        "a mark too many",
        lambda: row_game(scene=scene_with(mark_two)),
        SCENE,
        "are on places of that move; ['a1'] is none",
    ),
    Broken(
        "a mark off the board", lambda: row_game(scene=scene_with(mark_outside)), SCENE, "'z9' is"
    ),
    Broken(
        "numbers in the text alone",
        lambda: row_game(sign=numbered, picture=Position.picture, scene=scene_with(unlabelled)),
        SCENE,
        "`Piece(label=...)` writes a number or letters on them",
    ),
    Broken(
        "kinds in the text alone",
        lambda: row_game(sign=lettered, picture=Position.picture),
        SCENE,
        "the scene shows what the text shows",
    ),
    Broken(
        "one sign for both",
        lambda: row_game(sign=lambda self, piece: "o", picture=Position.picture),
        PICTURE,
        "`sign` writes 'o' for both",
    ),
    Broken(
        "what was played in the text alone",
        lambda: nim_game(picture=draw_history, apply=remember),
        SCENE,
        "the texts differ and the scenes are equal",
    ),
    Broken(
        "a place twice", lambda: row_game(scene=scene_with(two_on_each)), SCENE, "different names"
    ),
    Broken(
        "a piece without a kind", lambda: row_game(scene=scene_with(without_kind)), SCENE, "a kind"
    ),
    Broken(
        "a piece of no seat there is",
        lambda: row_game(scene=scene_with(of_a_third_seat)),
        SCENE,
        "belongs to one there is",
    ),
    Broken(
        "a piece nowhere", lambda: row_game(scene=scene_with(pieces_nowhere)), SCENE, "'z9' is a"
    ),
    Broken(
        "a board for each viewer",
        lambda: row_game(picture=by_viewer),
        PICTURE,
        "everybody sees the same picture",
    ),
    Broken(
        "over at once", lambda: nim_game(over=property(over_at_once)), TURNS, "not over at once"
    ),
    Broken(
        "a method that is missing",
        lambda: nim_game(passed_on=property(lambda self: None)),
        CRASHES,
        "TypeError",
    ),
    Broken(
        "the first seat wins always",
        lambda: nim_game(outcome=property(first_wins)),
        BALANCE,
        "every seat can win; north never did",
    ),
    Broken(
        "nobody wins ever",
        lambda: nim_game(outcome=property(nobody_wins)),
        BALANCE,
        "somebody wins now and then; nobody did",
    ),
    Broken(
        "over after two moves",
        lambda: nim_game(over=property(over_early)),
        BALANCE,
        "a game takes more than 2 moves",
    ),
    Broken(
        "a seat that never moves",
        lambda: nim_game(passed_on=stays),
        BALANCE,
        "every seat moves; north never did",
    ),
    Broken("an end never", lambda: nim_game(apply=filling), ENDLESS, "games end; none of"),
)
"""More rows of the table."""


def _reasoned(position: NimPosition, reason: str) -> Outcome | None:
    whole: Outcome | None = NimPosition.outcome.fget(position)  # type: ignore[attr-defined]
    return None if whole is None else replace(whole, reason=reason)


def _decisive(game: Nim) -> Nim:
    type(game).info = replace(game.info, is_decisive=True)
    return game


def _helped(game: Game, text: str) -> Game:
    type(game).info = replace(game.info, help=text)
    return game
