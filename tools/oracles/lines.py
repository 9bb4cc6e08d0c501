"""Rows of stones: OpenSpiel where it has the game, else the plain second implementation.

OpenSpiel's Gomoku takes longer rows than `connect` as won, as ours does without -exact; its `anti`
is our misere. It has games of three dimensions, of which one is Qubic."""

from collections.abc import Callable

from pbm.rules import Value
from tools.oracles import Row
from tools.oracles.plain import Connect6, ExactFive, Pente, Plain, Yavalath, hexagon, square
from tools.oracles.spiel import Spiel, cell_names


def tictactoe() -> Spiel:
    names = cell_names(3, 3)
    return Spiel("tic_tac_toe", lambda state, action: names[action])


def in_a_row(size: int, connect: int, *, anti: bool = False) -> Callable[[], Spiel]:
    names, flag = cell_names(size, size), "true" if anti else "false"
    game = f"gomoku(size={size},connect={connect},anti={flag})"
    return lambda: Spiel(game, lambda state, action: names[action])


def fourinarow(columns: int, rows: int, row: int) -> Callable[[], Spiel]:
    game = f"connect_four(columns={columns},rows={rows},x_in_row={row})"
    return lambda: Spiel(game, lambda state, action: "abcdefghijklmno"[action])


def qubic(*, anti: bool) -> Callable[[], Spiel]:
    game = f"gomoku(size=4,connect=4,dims=3,anti={'true' if anti else 'false'})"

    def name(state: object, action: int) -> str:
        level, row, column = action // 16, action // 4 % 4, action % 4
        return f"{level + 1}{'abcd'[column]}{row + 1}"

    return lambda: Spiel(game, name)


def row(game: str, start: Callable[[], Spiel], **options: Value) -> Row:
    return Row(game, "OpenSpiel", start, options)


def second(game: str, start: Callable[[], Plain], **options: Value) -> Row:
    return Row(game, "second", start, options)


ROWS = (
    row("tictactoe", tictactoe),
    row("tictactoe", in_a_row(5, 4), size=5, row=4),
    row("tictactoe", in_a_row(4, 3, anti=True), size=4, row=3, misere=True),
    row("fourinarow", fourinarow(7, 6, 4)),
    row("fourinarow", fourinarow(8, 5, 3), columns=8, rows=5, row=3),
    row("gomoku", in_a_row(15, 5)),
    row("gomoku", in_a_row(9, 5), size=9),
    row("gomoku", in_a_row(9, 5, anti=True), size=9, misere=True),
    row("qubic", qubic(anti=False)),
    row("qubic", qubic(anti=True), misere=True),
    second("gomoku", lambda: ExactFive(square(9)), size=9, exact=True),
    second("connect6", lambda: Connect6(square(19))),
    second("connect6", lambda: Connect6(square(9)), size=9),
    second("fivepairs", lambda: Pente(19, tournament=False, keryo=False)),
    second(
        "fivepairs",
        lambda: Pente(10, tournament=True, keryo=True),
        size=10,
        tournament=True,
        keryo=True,
    ),
    second("yavalath", lambda: Yavalath(hexagon(5))),
    second("yavalath", lambda: Yavalath(hexagon(4)), side=4),
)
