"""The page of every variant is one from which it can be played: its idea, its pieces drawn, its
endings with numbers, and examples of each kind of move, which are played here."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest

from pbm.games import get_game, list_game_names
from pbm.rules import Game, Position
from pbm.rules.chess import read_variants
from pbm.rules.chess.variants.men_tables import PAWN
from pbm.rules.chess.variants.move_diagrams import describe_moves
from pbm.rules.chess.variants.moves_in_betza import Step, read_betza
from pbm.rules.chess.variants.start import read_state
from pbm.rules.chess.variants.variant_game import TwoBoardGame, VariantGame
from pbm.rules.testing.info_checks import find_example_lines

_NAMES = [
    name for name in list_game_names() if isinstance(get_game(name), VariantGame | TwoBoardGame)
]
_SIGN = re.compile(r"(\d+)|(\+?[A-Za-z*])")
_PROMOTION = re.compile(r"letter of the new piece: ((\w\d+)(\w\d+)=\w)\.")
_DROP = re.compile(r"@ and the square: ((\w)@(\w\d+))\.")
_LIMITED = {"grandchess"}
"""Variants in which a pawn becomes what has been captured."""


def _find_single(name: str) -> VariantGame:
    game = get_game(name)
    assert isinstance(game, VariantGame | TwoBoardGame)
    return game.single if isinstance(game, TwoBoardGame) else game


def _read_rows(game: VariantGame) -> list[list[str]]:
    """The first position, row by row from above; "" for an empty square."""
    rows = list[list[str]]()
    for row in game.rules.start.split()[0].split("[")[0].split("/"):
        rows.append([])
        for count, sign in _SIGN.findall(row):
            rows[-1] += [sign] if sign else [""] * int(count)
    return rows


def _begin(
    game: VariantGame,
    changes: dict[str, str],
    hand: str,
    *,
    lacks: str = "",
    side: str = "w -",
    idle: int = 0,
) -> Position:
    """The first position with other men on some squares, and one in hand, white to move."""
    rows = _read_rows(game)
    for square, sign in changes.items():
        rows[len(rows) - int(square[1:])][ord(square[0]) - ord("a")] = sign
    board = "/".join("".join(sign or "1" for sign in row) for row in rows)
    if lacks:
        board = board.replace(lacks, "1")
    board = re.sub("1+", lambda empty: str(len(empty[0])), board)
    held = f"[{hand}]" if hand or "[" in game.rules.start else ""
    text = f"[own:{game.section}]\nstartFen = {board}{held} {side} - {idle} 1\n"
    (own,) = read_variants(text)
    return own.setup()


def _name(game: VariantGame, cell: int) -> str:
    return f"{'abcdefghijkl'[cell % game.rules.columns]}{cell // game.rules.columns + 1}"


def _plays(position: Position, text: str) -> None:
    (seat,) = position.to_move
    move, left = position.parse(text, seat)
    assert left == ""
    assert move in position.legal_moves(seat)


def _write_page(game: Game) -> str:
    return " ".join(game.info.help.split())


@pytest.mark.parametrize("name", _NAMES)
def test_a_page_says_what_is_special_how_it_ends_and_how_to_write(name: str) -> None:
    game = get_game(name)
    about = _find_single(name).card.about
    assert len(about) >= 60
    text = _write_page(game)
    assert about in text
    ending = text.partition("THE END. ")[2].partition("NOTES.")[0]
    assert re.search(r"After \d+|time|A side without a legal move|Without a legal move", ending)
    assert text.count("DIAGRAMS") == bool(game.list_lessons())
    examples = find_example_lines(game.info.help)
    assert examples
    for example in examples:
        _plays(game.setup(), example)


def test_most_pages_write_a_move_with_the_letter_of_a_piece() -> None:
    written = [" ".join(find_example_lines(get_game(name).info.help)) for name in _NAMES]
    assert sum("N" in each.split("@")[0] for each in written) > len(_NAMES) / 2


@pytest.mark.sampled(3)
@pytest.mark.parametrize(
    "name", [name for name in _NAMES if _PROMOTION.search(_write_page(get_game(name)))]
)
def test_the_promotion_of_a_page_is_played(name: str) -> None:
    game = _find_single(name)
    found = _PROMOTION.search(_write_page(get_game(name)))
    assert found is not None
    text, start, end = found.groups()
    pawns = [
        one for one, slot in game.equipment.slots.items() if slot in game.rules.promotion_pawns[0]
    ]
    beside = f"b{end[1:]}"  # nothing to capture, where that is a duty
    changes = {beside: "", end: "", start: "P" if "P" in pawns else pawns[0]}
    if name == "threekings":  # the king on a8 is one of three, and needed
        changes[beside] = "k"
    lacks = text[-1].upper() if name in _LIMITED else ""
    _plays(_begin(game, changes, "", lacks=lacks), text)


@pytest.mark.sampled(3)
@pytest.mark.parametrize(
    "name", [name for name in _NAMES if _DROP.search(_write_page(get_game(name)))]
)
def test_the_drop_of_a_page_is_played(name: str) -> None:
    found = _DROP.search(_write_page(get_game(name)))
    assert found is not None
    text, letter, square = found.groups()
    _plays(_begin(_find_single(name), {square: ""}, letter), text)


_IDLE = re.compile(r"After (\d+) moves of each side without a capture(.*?)it is a draw\.")
_DROPPED_FIRST = {"placement", "sittuyin"}
_CLAIMED = re.compile(r"After (\d+) a draw may be claimed")


@pytest.mark.sampled(6)
@pytest.mark.parametrize(
    "name",
    [
        name
        for name in _NAMES
        if _IDLE.search(_write_page(get_game(name))) and name not in _DROPPED_FIRST
    ],
)
def test_a_draw_comes_after_as_many_quiet_moves_as_the_page_says(name: str) -> None:
    game, page = _find_single(name), _write_page(get_game(name))
    found = _IDLE.search(page)
    assert found is not None
    side = "b -" if name == "horde" else "w -"  # white has pawns alone
    for idle, ends in ((2 * int(found[1]) - 1, True), (2 * int(found[1]) - 2, False)):
        position = _begin(game, {}, "", side=side, idle=idle)
        (seat,) = position.to_move
        after = [position.play(seat, move).outcome for move in position.legal_moves(seat)]
        quiet = [each for each in after if each and "without progress" in each.reason]
        assert bool(quiet) == ends
    if claimed := _CLAIMED.search(page):
        for idle, may in ((2 * int(claimed[1]), True), (2 * int(claimed[1]) - 1, False)):
            assert bool(_begin(game, {}, "", idle=idle).claim) == may


_CASTLING = re.compile(r"O-O when the king lands on column (\w), O-O-O on column (\w)\.")


@pytest.mark.sampled(3)
@pytest.mark.parametrize(
    "name", [name for name in _NAMES if _CASTLING.search(_write_page(get_game(name)))]
)
def test_castling_takes_the_king_where_the_page_says(name: str) -> None:
    game = _find_single(name)
    if game.rules.castling_dropped:
        return
    found = _CASTLING.search(_write_page(get_game(name)))
    assert found is not None
    rights = game.rules.start.split()[2]
    first = game.setup().scene()
    for king, rook in read_state(game.rules).castles:
        move, column = ("O-O", found[1]) if rook > king else ("O-O-O", found[2])
        row = king // game.rules.columns + 1
        forward = game.rules.columns * (-1 if row > 2 else 1)
        rows = _read_rows(game)[::-1]
        changes = dict[str, str]()
        for cell in range(min(king, rook) + 1, max(king, rook)):
            changes[_name(game, cell)] = ""
            if not game.rules.must_capture:  # before its pawn: Extinction needs one of each kind
                changes[_name(game, cell + 2 * forward)] = rows[row - 1][cell % game.rules.columns]
        (sign,) = (piece.label for piece in first.pieces if piece.place == _name(game, king))
        position = _begin(game, changes, "", side=f"{'b' if row > 2 else 'w'} {rights}")
        (seat,) = position.to_move
        after = position.play(seat, position.parse(move, seat)[0])
        assert (sign, f"{column}{row}") in {
            (piece.label, piece.place.split()[-1])
            for piece in after.scene().pieces
            if piece.seat == seat
        }


_LINES = {
    "in any direction": "WF",
    "two straight and one to the side": "N",
    "two straight forward and one to the side": "N",
    "like a knight": "N",
    "knights' moves": "N",
    "one straight and one diagonally on": "N",
    "one straight and two diagonally on": "Z",
    "two straight": "D",
    "two diagonally": "A",
    "straight": "W",
    "diagonally": "F",
}
"""The words for lines in Betza's notation, the longer ones first."""
_SIDES: dict[str, Callable[[int, int], bool]] = {
    "forward": lambda x, y: y >= max(1, abs(x)),
    "backward": lambda x, y: y < 0,
    "sideways": lambda x, y: y == 0,
    "left": lambda x, y: x < 0,
    "right": lambda x, y: x > 0,
}


def _read_steps(words: str) -> set[Step]:
    """The steps that words on how a man moves name."""
    steps = set[Step]()
    for part in re.sub(r", [^;]*", "", words).split("; "):
        line = next(line for line in _LINES if line in part)
        every = {step for way in read_betza(_LINES[line]) for step in way.steps}
        ways = [
            [is_there for word, is_there in _SIDES.items() if re.search(rf"\b{word}\b", way)]
            for way in part.split(" or ")
        ]
        steps |= {step for step in every if any(all(one(*step) for one in way) for way in ways)}
    return steps


@pytest.mark.parametrize("name", _NAMES)
def test_the_words_on_how_men_move_name_where_they_go(name: str) -> None:
    equipment = _find_single(name).equipment
    for slot in equipment.signs:
        ways = read_betza(equipment.rules.betza(slot))
        if ways and slot != PAWN:
            words = str(describe_moves(equipment.rules, slot))
            assert _read_steps(words) == {step for way in ways for step in way.steps}, words


@pytest.mark.parametrize("name", _NAMES)
def test_a_board_names_the_men_of_its_page_alone(name: str) -> None:
    game = _find_single(name)
    drawn = game.setup().picture(0).text
    named = re.findall(r"(?:^| )(\+?[A-Z])=", drawn)
    listed = game.info.help.partition("PIECES. ")[2].partition("\n\n")[0]
    letters = re.findall(r"\+?[A-Z](?=,| )", listed.partition(":\n")[2])
    assert {*named} <= {*letters}


def test_what_cannot_be_done_is_not_excepted() -> None:
    """No pawn of black begins on row 1."""
    assert "After a step from" in _write_page(get_game("horde"))
    assert "After a step from" not in _write_page(get_game("torpedo"))
