"""Records of backgammon matches in the text format of JellyFish (.mat), written and read.

GNU Backgammon, eXtreme Gammon, BKG and servers write it: one match after another, two turns a
line."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from pbm.rules.errors import RecordError
from pbm.rules.formats import mat
from pbm.rules.phrases import get_text, phrase
from pbm.rules.typed import quoted

_COLUMN = 34
"""The width of the first player's column."""


@dataclass(slots=True)
class Leg:
    """One game of a match.

    score   what the players had before it
    turns   (seat, what is written for the turn)
    winner  the seat that won it, with the points; None when it did not end
    """

    score: tuple[int, int]
    turns: list[tuple[int, str]] = field(default_factory=list)
    winner: tuple[int, int] | None = None


def turn(dice: tuple[int, int], play: str) -> str:
    """Return a roll and its moves, "" if it could not be played."""
    return f"{dice[0]}{dice[1]}: {play or 'Cannot Move'}"


def doubles(cube: int) -> str:
    """Return the offer of the cube at that value."""
    return f" Doubles => {cube}"


TAKES, DROPS = " Takes", " Drops"


def match(
    points: int, names: tuple[str, str], headers: Iterable[tuple[str, str]], legs: Sequence[Leg]
) -> str:
    """Return the record of a match to that many points."""
    lines = [f'; [{name} "{value}"]' for name, value in headers]
    lines += ["", f" {points} point match"]
    for number, leg in enumerate(legs, 1):
        first, second = (f"{n} : {s}" for n, s in zip(names, leg.score, strict=True))
        lines += ["", f" Game {number}", f" {first:{_COLUMN + 4}} {second}"]
        rows: list[list[str]] = []
        for seat, text in leg.turns:
            if seat == 0 or not rows:
                rows.append(["", ""])
            rows[-1][seat] = text
        after = _write_winner(leg, rows, points)
        lines += [f"{n:3}) {a:{_COLUMN}} {b}".rstrip() for n, (a, b) in enumerate(rows, 1)]
        lines += after
    return "\n".join(lines).lstrip("\n") + "\n"


def _write_winner(leg: Leg, rows: list[list[str]], points: int) -> list[str]:
    """Return the line below the turns that says who won. There is none where the second player wins
    and has not answered the last turn: it is then said in that place, where readers look for it."""
    if leg.winner is None:
        return []
    seat, won = leg.winner
    over = " and the match" if leg.score[seat] + won >= points else ""
    words = f"Wins {won} point{'s' * (won > 1)}{over}"
    if seat and rows and not rows[-1][1]:
        rows[-1][1] = f" {words}"
        return []
    return [" " * (6 + (_COLUMN + 1) * seat) + words]


_MOST_TURNS, _LONGEST = 100_000, 500
_BEGINS = re.compile(r"(?:[ \t\ufeff]*(?:;[^\n]*)?\r?\n)*+[ \t\ufeff]*[0-9]{1,4} point match", re.I)
_LINE = re.compile(r"[^\n]+")
_MATCH = re.compile(r"\s*([0-9]{1,4}) point match\b.*", re.IGNORECASE)
_HEADER = re.compile(r'\s*;?\s*\[\s*(\w[\w ]*?)\s+"(.*)"\s*\]\s*')
_GAME = re.compile(r"\s*Game\s+([0-9]{1,4})\s*", re.IGNORECASE)
_SCORE = re.compile(r"\s*(\S.*?)\s*:\s*([0-9]{1,3})\s{2,}(\S.*?)\s*:\s*([0-9]{1,3})\s*")
_ROW = re.compile(r"\s*([0-9]{1,5})\)(.*)")
_CELL = re.compile(
    r"""(?<!\S)(?:
      (?P<dice>[1-6][1-6])\s?:
    | (?:(?:re)?doubles\s*=>\s*(?P<cube>[0-9]{1,5})
      | (?P<taken>takes|accepts) | (?P<dropped>drops|passes|rejects)
      | wins\s+(?P<won>[0-9]{1,4})\s+points?(?:\s+and\s+the\s+match)?
      )(?!\w)
    )""",
    re.IGNORECASE | re.VERBOSE,
)
_ALLOWED = "31: 8/5 6/5, Doubles => 2, Takes, Drops or Wins 1 point"
_RIGHT = 12
"""A single turn of a row that begins this many columns behind the row's number is the second
player's."""
_MIDDLE = 20
"""A line of its own says that the second player won if it begins at this column or later."""


@dataclass(slots=True)
class MatMatch:
    """A match: its length, the players, what the lines before it say of it, its games, its text."""

    points: int
    headers: dict[str, str] = field(default_factory=dict)
    names: tuple[str, str] = ("", "")
    legs: list[mat.Leg] = field(default_factory=list)
    text: str = ""


def looks_like_record(text: str) -> bool:
    """Whether a text begins as a match does: with its length, or with comments above that."""
    return _BEGINS.match(text) is not None


def clean(text: str) -> str:
    """Return the text with ends of lines as \\n."""
    return text.replace("\r\n", "\n").replace("\r", "\n")


def matches(text: str) -> Iterator[MatMatch]:
    """Yield the matches in a text, one after another. RecordError, with game and row, for a line
    that means nothing there."""
    return matches_from(clean(text), 0)


def matches_from(text: str, at: int) -> Iterator[MatMatch]:
    """Yield the matches in a text with plain ends of lines from index `at`; see `matches`."""
    match: MatMatch | None = None
    headers, kept, waiting, turns = dict[str, str](), list[str](), list[str](), 0
    for found in _LINE.finditer(text, at):
        line = found[0][: _LONGEST + 1].expandtabs().strip("\ufeff\x1a")
        if len(line) > _LONGEST:
            where = f"game {len(match.legs)}: " if match else ""
            raise RecordError(
                phrase(
                    "{where}{text} is too long for a line of a match",
                    where=where,
                    text=quoted(line.strip()),
                ),
                found.end(),
            )
        header, begins = _HEADER.fullmatch(line), _MATCH.fullmatch(line)
        if begins:
            if match is not None:
                match.text = "\n".join(kept)
                yield match
            match = MatMatch(int(begins[1]), headers)
            headers, kept, waiting = {}, [*waiting, line], []
            continue
        if not line.strip() or line.lstrip().startswith(";") or header:
            if header:
                headers[header[1]] = " ".join(header[2].split())
            waiting.append(line)  # of the next match, if none of this one follows
            continue
        if match is None:
            raise RecordError(
                phrase(
                    "{text} comes before a line such as 5 point match", text=quoted(line.strip())
                ),
                found.end(),
            )
        kept += [*waiting, line]
        waiting = []
        try:
            _take(match, line)
        except RecordError as error:
            raise RecordError(get_text(error), found.end()) from None
        turns += 1
        if turns > _MOST_TURNS:
            raise RecordError(
                phrase("a match has at most {number} rows", number=f"{_MOST_TURNS:,}"), found.end()
            )
    if match is not None:
        match.text = "\n".join(kept)
        yield match


def read(text: str) -> MatMatch:
    """Return the first match in a text; see `matches`."""
    for match in matches(text):
        return match
    raise RecordError(
        phrase("there is no match in it: one begins with a line such as 5 point match")
    )


def _take(match: MatMatch, line: str) -> None:
    """Add a line that is neither empty nor a comment."""
    if _GAME.fullmatch(line):
        match.legs.append(mat.Leg((-1, -1)))
        return
    place = f"game {len(match.legs)}"
    leg = match.legs[-1] if match.legs else None
    if leg is None:
        raise RecordError(
            phrase("{text} comes before a line such as Game 1", text=quoted(line.strip()))
        )
    score, row = _SCORE.fullmatch(line), _ROW.fullmatch(line)
    if leg.score == (-1, -1):
        if not score:
            raise RecordError(
                phrase(
                    "{place}: {text} stands where the score belongs, such as ann : 0   bob : 0",
                    place=place,
                    text=quoted(line.strip()),
                )
            )
        names, leg.score = (score[1], score[3]), (int(score[2]), int(score[4]))
        if match.names not in (("", ""), names):
            raise RecordError(
                phrase("{place}: the players have other names than in game 1", place=place)
            )
        match.names = names
        return
    if row:
        _take_row(leg, row[2], f"{place}, row {int(row[1])}")
        return
    cell = _CELL.search(line)
    if cell is None or not cell["won"] or line[: cell.start()].strip():
        raise RecordError(
            phrase(
                "{place}: {text} is no row; one begins with 1)",
                place=place,
                text=quoted(line.strip()),
            )
        )
    _take_winner(leg, int(cell.start() >= _MIDDLE), cell, place)


def _take_row(leg: mat.Leg, row: str, place: str) -> None:
    """Add the turns of a row: of the first player, of the second, or of both."""
    cells = [*_CELL.finditer(row)]
    if before := (row[: cells[0].start()] if cells else row).strip():
        raise RecordError(
            phrase(
                "{place}: {before} is no turn; one is {allowed}",
                place=place,
                before=quoted(before),
                allowed=_ALLOWED,
            )
        )
    seat = int(bool(cells) and cells[0].start() >= _RIGHT)
    for at, cell in enumerate(cells):
        end = cells[at + 1].start() if at + 1 < len(cells) else len(row)
        rest = row[cell.end() : end].strip()
        if cell["won"]:
            _take_winner(leg, min(seat, 1), cell, place)
        elif leg.winner is not None:
            raise RecordError(
                phrase(
                    "{place}: {cell} comes when the game has been won",
                    place=place,
                    cell=quoted(cell[0]),
                )
            )
        elif seat > 1:
            raise RecordError(
                phrase(
                    "{place}: {cell} is a third turn, and a row has two",
                    place=place,
                    cell=quoted(cell[0]),
                )
            )
        elif cell["dice"]:
            first, second = map(int, cell["dice"])
            is_none = rest.lower() in ("cannot move", "can't move", "")
            leg.turns.append((seat, mat.turn((first, second), "" if is_none else rest)))
            rest = ""
        else:
            word = mat.doubles(int(cell["cube"])) if cell["cube"] else ""
            leg.turns.append((seat, word or (mat.TAKES if cell["taken"] else mat.DROPS)))
        if rest:
            raise RecordError(
                phrase(
                    "{place}: {rest} is no turn; one is {allowed}",
                    place=place,
                    rest=quoted(rest),
                    allowed=_ALLOWED,
                )
            )
        seat += 1


def _take_winner(leg: mat.Leg, seat: int, cell: re.Match[str], place: str) -> None:
    if leg.winner is not None:
        raise RecordError(
            phrase(
                "{place}: {cell}, but it has been won already", place=place, cell=quoted(cell[0])
            )
        )
    leg.winner = (seat, int(cell["won"]))
