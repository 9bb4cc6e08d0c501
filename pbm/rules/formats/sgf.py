"""Game records in SGF (FF[4], red-bean.com/sgf), written and read: the format of go programs, also
used for othello, hex and others."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from pbm.rules.boards.squares import Grid
from pbm.rules.chance import CHANCE
from pbm.rules.errors import MoveError, RecordError
from pbm.rules.families.two_player import STONES, SWAP
from pbm.rules.game import Game, Position
from pbm.rules.options import OptionError, Value
from pbm.rules.outcome import Outcome, Played
from pbm.rules.phrases import combine, get_text, phrase
from pbm.rules.typed import quoted

GO, OTHELLO, GOMOKU, LINES_OF_ACTION, HEX, AMAZONS = 1, 2, 4, 9, 11, 18
"""The numbers that SGF gives games (property GM)."""

_HEADERS = ("Event", "Site", "Date")
_COLUMNS = 78
_LETTERS = "abcdefghijklmnopqrstuvwxyz"


def point(column: int, down: int) -> str:
    """Return a point by its column from the left and its row from the top, both from 0."""
    return _LETTERS[column] + _LETTERS[down]


def point_on(grid: Grid, name: str) -> str:
    """Return a named cell of a board as a point."""
    row, column = divmod(grid.number[name], grid.width)
    return point(column, grid.height - 1 - row)


def setup_of(grid: Grid, board: str) -> dict[str, list[str]]:
    """Return the stones of an initial board, for `setup`: X is black."""
    setup: dict[str, list[str]] = {"AB": [], "AW": []}
    for name, stone in zip(grid.names, board, strict=True):
        if stone in STONES:
            setup["AB" if stone == STONES[0] else "AW"].append(point_on(grid, name))
    return setup


def stone_turns(
    played: Played, at: Callable[[str], str], *, swap: str = ""
) -> tuple[list[tuple[str, str]], bool]:
    """Return the turns of a game in which the sides alternately put stones, and whether it was
    swapped. Colours are those on the board; a swap is left out, or written as `swap`."""
    turns: list[tuple[str, str]] = []
    count = 0
    for _, move in played.moves:
        if move != SWAP:
            turns.append(("BW"[count % 2], at(move)))
            count += 1
        elif swap:
            turns.append(("BW"[count % 2], swap))
    return turns, count < len(played.moves)


def escape(text: str) -> str:
    """Return a text as a property value on one line, with backslashes and closing brackets
    escaped."""
    return " ".join(text.replace("\\", "\\\\").replace("]", "\\]").split())


def result(played: Played, *, swapped: bool = False, margin: str = "") -> str:
    """Return the result as SGF writes it: `B+R`, `W+T`, `B+3.5` with a `margin`, `W+`, `0` for a
    draw; "" while the game is in progress. `swapped` if seat 0 has White."""
    if played.outcome is None:
        return ""
    if len(played.outcome.winners) != 1:
        return "0"
    cause = {"resignation": "R", "time forfeit": "T"}.get(played.headers.get("Termination", ""))
    return f"{'BW'[played.outcome.winners[0] ^ swapped]}+{cause or margin}"


def sgf(
    game: int,
    size: int,
    turns: Iterable[tuple[str, str]],
    played: Played,
    *,
    swapped: bool = False,
    margin: str = "",
    setup: Mapping[str, Sequence[str]] | None = None,
    more: Mapping[str, str] | None = None,
) -> str:
    """Return the record of one game with its comments. `turns` are ("B" or "W", point or "" for a
    pass), `swapped` and `margin` as in `result`, `setup` the points of the initial board under AB
    and AW, `more` further properties of the root."""
    root = {"FF": "4", "CA": "UTF-8", "GM": str(game), "SZ": str(size), **(more or {})}
    seats = ("White", "Black")[:: -1 if swapped else 1]  # the headers of the first and second seat
    for name, header in zip(("PB", "PW", "EV", "PC", "DT"), (*seats, *_HEADERS), strict=True):
        root |= {name: played.headers[header]} if header in played.headers else {}
    root |= {"DT": root["DT"].replace(".", "-")} if "DT" in root else {}
    over = result(played, swapped=swapped, margin=margin)
    root |= {"RE": over} if over else {}
    parts = ["(;", *(f"{name}[{escape(value)}]" for name, value in root.items())]
    for name, points in (setup or {}).items():
        parts += [name] if points else []
        parts += [f"[{one}]" for one in points]
    comments = played.comments_by_turn()
    parts += [f"C[{escape(comments[0])}]"] if 0 in comments else []
    written = list(turns)
    left_out = sum(seat != CHANCE for seat, _ in played.moves) - len(written)
    for number, (colour, at) in enumerate(written, 1 + left_out):
        parts.append(f";{colour}[{at}]")
        parts += [f"C[{escape(comments[number])}]"] if number in comments else []
    lines = [""]
    for part in [*parts, ")"]:  # a line may break between two properties or values
        if lines[-1] and len(lines[-1]) + len(part) > _COLUMNS:
            lines.append("")
        lines[-1] += part
    return "\n".join(lines) + "\n"


# Reading SGF (FF[1] to FF[4]): the games of a collection, each with its properties and the nodes
# of its main line, and the replay of turns in which one side plays after the other.

Node = Mapping[str, Sequence[str]]
"""The values of each property of a node."""

_MOST_NODES = 100_000
_OF_ROOTS = ("GM", "FF")
"""Properties with which a new game begins, and no variation."""
_UNCLOSED = "a game or variation, which begins with (, is not closed"
_BEGINS = re.compile(r"[\s\ufeff\x1a]*\(\s*;")
_TOKEN = re.compile(
    r"\s+|(?P<sign>[();])|(?P<name>[A-Za-z][A-Za-z0-9]*)|"
    r"\[(?P<value>(?:[^\]\\]++|\\.)*+)\]|(?P<other>.)",
    re.DOTALL,
)
_SOFT_BREAK = re.compile(r"\\(?:\r\n|\n\r|\r|\n)")
_RESULT = re.compile(r"\s*([BW])(?:lack|hite)?\s*(?:\+\s*(.*?))?\s*", re.IGNORECASE | re.DOTALL)
_GAME = re.compile(r"\(\s*;")
_DRAWN = ("0", "draw", "jigo", "drawn", "tie")
_HOW = {"r": "resignation", "resign": "resignation", "t": "time forfeit", "time": "time forfeit"}
_HOW |= {"f": "rules infraction", "forfeit": "rules infraction"}
_HEADER_OF = {"EV": "Event", "PC": "Site", "DT": "Date", "RO": "Round"}
RESIGNS = "resign"
"""The word that some servers write in the place of a move."""


@dataclass(slots=True)
class SgfTree:
    """A game: the nodes of its main line with the root as the first, its text, and where that ends
    in the file."""

    nodes: list[dict[str, list[str]]] = field(default_factory=list)
    text: str = ""
    end: int = 0

    @property
    def root(self) -> Node:
        """The properties of the game."""
        return self.nodes[0]

    def get(self, name: str, otherwise: str = "") -> str:
        """Return the first value of a property of the root, on one line."""
        return " ".join((self.root.get(name) or [otherwise])[0].split())

    @property
    def turns(self) -> list[tuple[str, str]]:
        """The moves of the main line, each as (B or W, value). RecordError for a node that has two
        moves, or sets up stones once moves have been made."""
        found = list[tuple[str, str]]()
        for node in self.nodes:
            place = f"move {len(found) + 1}"
            if any(not node.get(colour, [""]) for colour in "BW"):
                raise RecordError(
                    phrase("{place}: B or W has no value; one looks like B[dd]", place=place)
                )
            moves = [(colour, node[colour][0]) for colour in "BW" if colour in node]
            if len(moves) > 1:
                raise RecordError(
                    phrase("{place}: one node holds a move of B and one of W", place=place)
                )
            setup = [name for name in ("AB", "AW", "AE") if name in node]
            if setup and found:
                raise RecordError(
                    phrase(
                        "{place}: {setup} puts stones on the board, which is no move",
                        place=place,
                        setup=setup[0],
                    )
                )
            found += moves
        return found


def looks_like_record(text: str) -> bool:
    """Whether a text begins as a collection does: with (;"""
    return _BEGINS.match(text) is not None


def games(text: str, at: int = 0) -> Iterator[SgfTree]:
    """Yield the games of a collection from index `at`, one after another; of variations the first
    is the main line. RecordError for an unclosed game or misplaced text."""
    while begins := _GAME.search(text, at):
        reader = _Reader(text, begins.start())
        at = reader.read()
        yield reader.tree


class _Reader:
    """Reads one game tree. `skipped` is the depth at which a variation began that is not the main
    line, `filled` the depths at which one has been read."""

    def __init__(self, text: str, start: int) -> None:
        self.text, self.start = text, start
        self.tree = SgfTree()
        self.depth, self.skipped = 0, 0
        self.filled = list[bool]()
        self.name = ""
        self.at, self.opened = start, start

    def read(self) -> int:
        """Read up to the end of the game, and return where it is."""
        for token in _TOKEN.finditer(self.text, self.start):
            self.at = token.end()
            if token["sign"] == "(":
                self.opened = token.start()
            if token["sign"]:
                self._take_sign(token["sign"])
                if not self.depth:
                    self.tree.end = token.end()
                    self.tree.text = self.text[self.start : token.end()]
                    return token.end()
            elif token["name"]:
                self.name = re.sub(r"[a-z]", "", token["name"])  # FF[3]: GaMe is GM
                if self.name in _OF_ROOTS and self.depth > 1:
                    raise RecordError(_UNCLOSED, self.opened)
                if not self.skipped:
                    self._node().setdefault(self.name, [])
            elif token["value"] is not None:
                self._take_value(token["value"])
            elif token["other"] == "[":
                raise RecordError(phrase("a value, which begins with [, is not closed"), self.at)
            elif token["other"] and not self.skipped:
                raise RecordError(
                    phrase(
                        "{place}: {token} is neither a property, such as B[dd], nor one of "
                        "; ( and )",
                        place=self._place(),
                        token=quoted(token["other"]),
                    ),
                    self.at,
                )
        raise RecordError(_UNCLOSED, self.at)

    def _take_sign(self, sign: str) -> None:
        self.name = ""
        if sign == "(":
            if self.filled and self.filled[-1] and not self.skipped:
                self.skipped = self.depth + 1
            if self.filled:
                self.filled[-1] = True
            self.depth += 1
            self.filled.append(False)
        elif sign == ")":
            if self.skipped == self.depth:
                self.skipped = 0
            self.depth -= 1
            self.filled.pop()
        elif not self.skipped:
            if len(self.tree.nodes) > _MOST_NODES:
                raise RecordError(
                    phrase("a game has at most {number} moves", number=f"{_MOST_NODES:,}"), self.at
                )
            self.tree.nodes.append({})

    def _take_value(self, value: str) -> None:
        if self.skipped:
            return
        if not self.name:
            raise RecordError(
                phrase(
                    "{place}: the value {value} belongs to no property",
                    place=self._place(),
                    value=quoted(value),
                ),
                self.at,
            )
        self._node().setdefault(self.name, []).append(
            re.sub(r"\\(.)", r"\1", _SOFT_BREAK.sub("", value), flags=re.DOTALL)
        )

    def _node(self) -> dict[str, list[str]]:
        if not self.tree.nodes:
            raise RecordError(phrase("the game begins with no node: ( is followed by ;"), self.at)
        return self.tree.nodes[-1]

    def _place(self) -> str:
        return f"node {len(self.tree.nodes)}"


def read(text: str) -> SgfTree:
    """Return the first game in a text; see `games`."""
    for tree in games(text):
        return tree
    raise RecordError(phrase("there is no game in it: a game of SGF begins with (;"))


def settle_options(game: Game, options: Mapping[str, Value]) -> Position:
    """Return the first position with these options. RecordError for one that the game does not
    have."""
    try:
        return game.setup(2, options)
    except OptionError as error:
        raise RecordError(
            phrase("the game cannot be played here: {error}", error=get_text(error))
        ) from None


def read_size(tree: SgfTree, otherwise: int) -> int:
    """Return the lines along a side. RecordError for an invalid number, or a board that is not
    square."""
    size = tree.get("SZ", str(otherwise))
    columns, colon, rows = size.partition(":")
    if not re.fullmatch(r"[0-9]{1,2}", columns) or (colon and rows != columns):
        raise RecordError(
            phrase("SZ {size} is no size of a square board, such as 19", size=quoted(size))
        )
    return int(columns)


def read_point(value: str, size: int) -> tuple[int, int] | None:
    """Return column from the left and row from the top of a point such as `dd`, both from 0; None
    for a text that is no point of a board of that size."""
    if not re.fullmatch("[a-z]{2}", value):
        return None
    column, row = (_LETTERS.index(letter) for letter in value)
    return (column, row) if column < size and row < size else None


def name_point(value: str, size: int, names: Sequence[str]) -> str:
    """Return the name of a point on a board whose names begin with the lowest row. ValueError, with
    an example of a point, for any other text."""
    point = read_point(value, size)
    if point is None:
        last = _LETTERS[size - 1]
        raise ValueError(f"{quoted(value)} is no point; one is two letters from aa to {last}{last}")
    column, down = point
    return names[(size - 1 - down) * size + column]


def list_points(values: Iterable[str]) -> set[str]:
    """Return points, with rectangles such as aa:cc as the points in them."""
    points = set[str]()
    for value in values:
        first, colon, last = value.strip().partition(":")
        if colon and len(first) == len(last) == 2:
            points |= {
                chr(column) + chr(row)
                for column in range(ord(first[0]), ord(last[0]) + 1)
                for row in range(ord(first[1]), ord(last[1]) + 1)
            }
        else:
            points.add(first)
    return points


@dataclass(slots=True)
class SgfLine:
    """The turns of a game as this server writes them.

    turns   (seat, move), a resignation left out
    black   the seat whose stones are B at the end
    gone    the seat that resigned by a word in the place of a move
    """

    turns: list[tuple[int, str]] = field(default_factory=list)
    black: int = 0
    gone: int | None = None


def read_line(tree: SgfTree, to_move: Callable[[str], str], *, black: int | None = None) -> SgfLine:
    """Return the turns of a game of alternate moves; `to_move` reads a value. B is the seat
    `black`, or else the side that begins is seat 0."""
    turns = tree.turns
    if black is None:
        black = int(bool(turns) and turns[0][0] == "W")
    line = SgfLine(black=black)
    for number, (colour, value) in enumerate(turns, 1):
        seat = black if colour == "B" else 1 - black
        if line.gone is not None:
            raise RecordError(
                phrase(
                    "move {number}: {value} comes after a resignation",
                    number=number,
                    value=quoted(value),
                )
            )
        if value.strip().lower() == RESIGNS:
            line.gone = seat
            continue
        try:
            move = to_move(value.strip())
        except ValueError as error:
            raise RecordError(
                phrase(
                    "{colour}'s move {number}: {error}", colour=colour, number=number, error=error
                )
            ) from None
        line.turns.append((seat, move))
    return line


def refuse_move(place: str, move: str, error: MoveError) -> RecordError:
    """Return the fault of a record whose move at that place cannot be played."""
    return RecordError(
        combine("{place}: {move}: {error}", place=place, move=quoted(move), error=get_text(error))
    )


def replay(tree: SgfTree, start: Position, line: SgfLine, options: Mapping[str, Value]) -> Played:
    """Return the game, replayed from its first position. The outcome is that of the last position,
    or else what RE says. RecordError for a move that cannot be played, or a result that the board
    contradicts."""
    position = start
    for number, (seat, move) in enumerate(line.turns, 1):
        place = f"{start.seat_names[seat]}'s move {number}"
        if position.outcome is not None:
            raise RecordError(
                phrase(
                    "{place}: {move} comes when the game is over: {reason}",
                    place=place,
                    move=quoted(move),
                    reason=position.outcome.reason,
                )
            )
        try:
            position = position.play(seat, move)
        except MoveError as error:
            raise refuse_move(place, move, error) from None
    outcome, how = read_result(tree.get("RE"), line)
    if position.outcome is not None:
        if outcome is not None and outcome.ranks != position.outcome.ranks:
            raise RecordError(
                phrase(
                    "the result is {value}, but the moves end otherwise: {reason}",
                    value=quoted(tree.get("RE")),
                    reason=position.outcome.reason,
                )
            )
        outcome = position.outcome
    headers = {head: tree.get(name) for name, head in _HEADER_OF.items() if tree.get(name)}
    names = ("PB", "PW")[:: -1 if line.black else 1]
    headers |= {
        head: tree.get(name)
        for head, name in zip(("White", "Black"), names, strict=True)
        if tree.get(name)
    }
    headers |= {"Termination": how} if how else {}
    return Played(2, dict(options), line.turns, outcome, headers)


def read_result(text: str, line: SgfLine) -> tuple[Outcome | None, str]:
    """Return the outcome in RE, and how the game ended, "" if unknown. RecordError for an invalid
    result."""
    if line.gone is not None:
        ranks = (2, 1) if line.gone == 0 else (1, 2)
        return Outcome(ranks, phrase("as the record says")), "resignation"
    lower = text.lower()
    if lower in ("", "?"):
        return None, ""
    if lower == "void":
        return None, "abandoned"
    if lower in _DRAWN:
        return Outcome((1, 1), phrase("as the record says")), "draw"
    match = _RESULT.fullmatch(text)
    if match is None:
        raise RecordError(
            phrase("RE {text} is no result, such as B+R, W+3.5, W+T, 0 or Void", text=quoted(text))
        )
    winner = line.black if match[1].upper() == "B" else 1 - line.black
    said = (match[2] or "").lower()
    how, ranks = _HOW.get(said, ""), (1, 2) if winner == 0 else (2, 1)
    if re.fullmatch(r"[0-9]{1,4}(?:\.[0-9]{1,3})?", said):
        return Outcome(ranks, phrase("by {said}, as the record says", said=said)), "count"
    return Outcome(ranks, phrase("as the record says")), how
