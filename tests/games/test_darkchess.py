"""Dark Chess: what is visible, capturing the king, castling, en passant, endings, refusals, PGN."""

import re
from dataclasses import replace

import pytest

from pbm.games import get_game
from pbm.games.darkchess import FOG, DarkPosition
from pbm.rules import IllegalMove, MoveError, Outcome, Played
from tests.games.chesses import position_from_fen
from tests.games.classics import after, begun, moves, refusal, unplayable_examples
from tools.games.hiding import compare

WHITE, BLACK = 0, 1


def at(text: str) -> DarkPosition:
    """The position of a FEN."""
    first = begun("darkchess")
    assert isinstance(first, DarkPosition)
    return position_from_fen(first, text)


def played(position: DarkPosition, text: str) -> DarkPosition:
    """The position after typed moves."""
    following = after(position, text)
    assert isinstance(following, DarkPosition)
    return following


def rows(position: DarkPosition, side: int) -> str:
    """What a side sees, rows from the top."""
    board = position.visible_to(side)
    return " ".join(board[at : at + 8] for at in range(56, -1, -8))


def ending(position: DarkPosition) -> tuple[tuple[int, ...], str]:
    assert isinstance(position.outcome, Outcome)
    return position.outcome.ranks, position.outcome.reason


# What is seen


def test_a_side_sees_its_pieces_and_where_they_could_go() -> None:
    position = begun("darkchess")
    assert isinstance(position, DarkPosition)
    assert rows(position, WHITE) == " ".join(
        [*[FOG * 8] * 4, *["." * 8] * 2, "PPPPPPPP", "RNBQKBNR"]
    )
    position = played(position, "e4 d5")
    assert rows(position, WHITE).split()[3] == "?.?p.??."  # bishop, two of the pawn, queen
    assert rows(position, BLACK).split()[4] == "???.P?.?"  # the bishop on c8 sees g4


def test_what_a_piece_could_take_is_seen_and_what_is_behind_is_not() -> None:
    position = at("4k2r/7p/8/8/8/8/8/K6R w - - 0 1")
    column = "".join(row[7] for row in rows(position, WHITE).split())
    assert column == "?p.....R"


def test_a_square_before_a_pawn_that_cannot_go_on_is_known_to_be_occupied() -> None:
    position = at("4k3/8/8/8/p3p3/4P3/P7/4K3 w - - 0 1")
    assert rows(position, WHITE).split()[4] == "#???#???"
    assert rows(position, BLACK).split()[5] == ".???#???"
    assert moves(position).count("a2a4") == 0


def test_a_pawn_that_may_be_taken_in_passing_is_seen_by_who_may_take_it() -> None:
    position = played(at("4k3/3p4/8/4P3/8/8/8/4K3 b - - 0 1"), "d5")
    assert rows(position, WHITE).split()[2:4] == ["???..???", "???pP???"]
    taken = played(position, "exd6")
    assert taken.news == ("black loses the pawn on d5",)
    assert (taken.taken, taken.lost) == (("", "P"), 35)
    marked = taken.render(BLACK, ("e5d6",))
    assert re.search(r"^   5 .*\[.\]", marked, re.MULTILINE)
    assert not re.search(r"^   6 .*\[", marked, re.MULTILINE)
    later = played(position, "Kd1 Kd8")
    assert rows(later, WHITE).split()[3] == "????P???"


def test_who_watches_sees_fog_and_what_is_taken() -> None:
    position = played(at("4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1"), "exd5")
    text = position.render(None, ("e4d5",))
    assert not re.search(r"^ +[1-8] .*[A-Za-z.:]", text, re.MULTILINE)
    assert "taken: p" in text
    assert "[?]" in text


def test_a_move_is_told_to_who_made_it_only() -> None:
    position = at("4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1")
    assert position.describe(WHITE, "e4d5", WHITE) == "exd5"
    assert {position.describe(WHITE, "e4d5", viewer) for viewer in (BLACK, None)} == {"-"}
    assert position.uncovered().describe(WHITE, "e4d5", BLACK) == "exd5"
    assert position.uncovered() == position
    assert "?" not in position.uncovered().render(None)


def test_what_a_seat_is_told_does_not_depend_on_what_it_must_not_know() -> None:
    count, different = compare("darkchess", 300)
    assert different > count // 2


# The rules


def test_there_is_no_check() -> None:
    position = at("4r2k/8/8/8/8/8/4K3/8 w - - 0 1")
    assert len(moves(position)) == 8
    assert "check" not in position.render(WHITE)
    assert position.notation("e2e3") == "Ke3"


def test_who_takes_the_king_wins_and_all_is_shown() -> None:
    position = played(at("r3k2r/8/8/8/4Q3/8/8/4K3 w kq - 0 1"), "Qxe8")
    assert ending(position) == ((1, 2), "white has taken the king")
    assert position.news == ("black loses the king on e8",)
    for viewer in (None, WHITE, BLACK):
        assert "?" not in position.render(viewer)
    back = played(at("4k3/8/8/4r3/8/8/8/R3K2R b KQ - 0 1"), "Rxe1")
    assert ending(back) == ((2, 1), "black has taken the king")


def test_castling_goes_out_of_over_and_into_attacked_squares() -> None:
    for rook in ("e8", "f8", "g8"):
        column = "abcdefgh".index(rook[0])
        row = "".join("r" if n == column else "." for n in range(8))
        text = re.sub(r"\.+", lambda run: str(len(run[0])), row)
        position = at(f"{text}/k7/8/8/8/8/8/R3K2R w KQ - 0 1")
        assert played(position, "O-O").board[4:8] == ".RK."
    assert "something stands between" in refusal(begun("darkchess"), "O-O")
    moved = played(at("k7/8/8/8/8/8/8/R3K2R w KQ - 0 1"), "Ke2 Kb8 Ke1 Ka8")
    assert "has moved" in refusal(moved, "0-0-0")


def test_a_pawn_is_promoted_and_the_other_side_does_not_learn_of_it() -> None:
    position = at("7k/P7/8/8/8/8/8/K7 w - - 0 1")
    assert "promotion to what" in refusal(position, "a8")
    queen, knight = played(position, "a8=Q"), played(position, "a8=N")
    assert queen.news == knight.news == ()
    assert knight.render(BLACK, ("a7a8n",)) == replace(
        knight, board=knight.board.replace("N", "B")
    ).render(BLACK, ("a7a8b",))


# Endings


def test_a_side_that_has_no_move_has_a_draw() -> None:
    position = played(at("7K/8/8/8/8/8/pp6/kp6 w - - 0 1"), "Kh7")
    assert ending(position) == ((1, 1), "black has no move")


def test_kings_alone_are_a_draw() -> None:
    position = played(at("8/8/8/8/8/8/3k1q2/4K3 w - - 0 1"), "Kxf2")
    assert ending(position) == ((1, 1), "only the kings are left")


def test_a_hundred_moves_of_each_side_without_a_capture_are_a_draw() -> None:
    position = replace(at("4k3/p7/8/8/8/8/8/4K2R w - - 0 1"), turn=198)
    assert position.claim == ""
    assert position.key is None
    position = played(position, "Rh2")
    assert position.outcome is None
    position = played(position, "a6")  # a pawn's move makes no difference: white does not see it
    assert ending(position) == ((1, 1), "100 moves of each side without a capture")
    taking = replace(at("4k3/p7/8/8/8/8/8/R3K3 w - - 0 1"), turn=198)
    assert played(taking, "Rxa7 Kd8").outcome is None


def test_positions_may_come_again() -> None:
    position = begun("darkchess")
    for _ in range(6):
        position = after(position, "Nf3 Nf6 Ng1 Ng8")
    assert position.outcome is None
    assert position.key is None
    assert position.claim == ""


def test_who_resigns_loses() -> None:
    position = begun("darkchess").resign(WHITE)
    assert position.outcome is not None
    assert position.outcome.ranks == (2, 1)
    assert "?" not in position.render(None)


# Refusals


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("e7e5", "no piece of yours stands on e7"),
        ("e4e5", "no piece of yours stands on e4"),
        ("e2e5", "the pawn on e2 cannot go to e5"),
        ("exd3", "the pawn on e2 cannot go to d3"),
        ("Nd2", "your own piece stands on d2"),
        ("Qh5", "the queen on d1 cannot go to h5"),
        ("x", "is not a move"),
    ],
)
def test_a_refusal_says_nothing_of_the_other_side(text: str, reason: str) -> None:
    assert reason in refusal(begun("darkchess"), text)


def test_only_who_is_on_the_move_is_understood() -> None:
    position = begun("darkchess")
    with pytest.raises(IllegalMove, match="it is white's turn"):
        position.parse("e2e4", BLACK)
    with pytest.raises(MoveError):
        position.play(BLACK, "e7e5")


# Records and help


def test_the_whole_game_is_exported_in_pgn_and_read_again() -> None:
    game = get_game("darkchess")
    position = begun("darkchess")
    log: list[tuple[int, str]] = []
    for text in [
        "e4",
        "d5",
        "exd5",
        "Qxd5",
        "Nc3",
        "Qe5+",
        "Be2",
        "Kd8",
        "Nf3",
        "Qxe2",
        "O-O",
        "Qxf1",
    ]:
        move, _ = position.parse(text, position.side)
        log.append((position.side, move))
        position = after(position, text)
    text = game.record(Played(2, {}, log))
    assert '[Variant "Fog of War"]' in text
    body = re.sub(r"\[.*?\]|[0-9]+\.+", " ", text).replace("*", " ")
    again = after(begun("darkchess"), " ".join(body.split()))
    assert again == position


def test_the_examples_of_the_help_can_be_played() -> None:
    assert not unplayable_examples("darkchess")
