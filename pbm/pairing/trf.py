"""Tournament reports as FIDE's programs exchange them: TRF16, with the lines of TRF26 and of
JaVaFo that say what pairing needs. For Swiss events and round robins of two seats a board."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

from pbm.pairing.game_points import HALF, show_points, total_of
from pbm.pairing.record import Entrant, EventGame, Options, Record
from pbm.pairing.standings import standings
from pbm.pairing.swiss.contestant import WHITE
from pbm.pairing.swiss.history import find_initial_colour

POINTS = {"1": 1.0, "=": HALF, "0": 0.0, "+": 1.0, "-": 0.0, "W": 1.0, "D": HALF, "L": 0.0}
CODES = {"1": "W", "=": "D", "0": "L", "W": "W", "D": "D", "L": "L"}
"""Results at the board by their codes in `trf_points`, without the colour."""
BYE_CODES = {"U": "PAB", "F": "FPB", "H": "HPB", "Z": "ZPB", "+": "FW", "-": "FL"}
"""Of a round without an opponent; + and - are what Swiss-Manager writes."""
FIRST_ROUND = 91
WIDTH = 10


def write_trf(record: Record, group: int = 0) -> str:
    """Return the report, of one group or division. ValueError, with a sentence, for events that the
    format cannot hold."""
    options = record.options
    if options.kind not in ("swiss", "roundrobin", "league") or options.seats != 2:
        raise ValueError("A TRF holds Swiss events and round robins of two seats a board.")
    rows = standings(record, None if options.kind == "swiss" else group)
    games = [game for game in record.games if game.stage == "main" and game.group == group]
    last = max((game.round for game in games), default=0)
    by_round = {(number, game.round): game for game in games for number in game.seats}
    lines = [
        f"012 {record.name}",
        f"062 {len(rows)}",
        f"092 {'Swiss system' if options.kind == 'swiss' else 'Round robin'}",
    ]
    if options.kind == "swiss":
        rounds = options.rounds
        white = find_initial_colour(record) == WHITE
        lines += [f"142 {rounds}", f"152 {'W' if white else 'B'}"]
        lines += [f"XXR {rounds}", f"XXC {'white1' if white else 'black1'}"]
    if (options.win, options.draw) != (1.0, HALF):
        lines.append(f"XXS W={options.win:.1f} D={options.draw:.1f}")
    places = {row.number: row for row in rows}
    numbers = {number: n for n, number in enumerate(sorted(places), 1)}
    for number in sorted(places):
        entrant, row = record.entrant(number), places[number]
        results = "  ".join(
            _write_result(by_round.get((number, n)), entrant, n, numbers, options)
            for n in range(1, last + 1)
        )
        lines.append(
            f"001 {numbers[number]:4d}      {entrant.name:<33.33} {entrant.rating or '':>4} "
            f"{'':26} {row.points:4.1f} {row.place:4d}  {results}".rstrip()
        )
    if options.kind == "swiss":
        lines += _write_exceptions(record, last)
    return "".join(f"{line}\n" for line in lines)


def _write_exceptions(record: Record, last: int) -> list[str]:
    """Return who is not to be paired in the next round, and who are not to meet after a forfeit."""
    absent = [
        str(each.number)
        for each in record.entrants
        if each.left is not None or last + 1 in each.away or each.joins > last + 1
    ]
    return ([f"XXZ {' '.join(absent)}"] if absent else []) + [
        f"XXP {game.seats[0]} {game.seats[1]}"
        for game in record.games
        if game.how == "forfeit" and not game.is_bye
    ]


def _write_result(
    game: EventGame | None,
    entrant: Entrant,
    round: int,
    numbers: Mapping[int, int],
    options: Options,
) -> str:
    """Return one round of a player: the opponent's number, the colour, the result."""
    if game is None or game.how == "annulled":
        return "0000 - Z"
    if game.is_bye:
        points = game.points_of(entrant.number)
        asked = {options.win: "F", options.draw: "H"}.get(points, "Z")
        return f"0000 - {asked if round in entrant.away else 'U' if points else 'Z'}"
    (opponent,) = (numbers[seat] for seat in game.seats if seat != entrant.number)
    colour = "w" if game.seats[0] == entrant.number else "b"
    if game.is_open:
        return f"{opponent:4d} {colour}  "
    points = game.points_of(entrant.number)
    result = {options.win: "1", options.draw: "="}.get(points, "0")
    if not game.is_played:
        result = "+" if points else "-"
    return f"{opponent:4d} {colour} {result}"


def read_trf(text: str) -> Record:
    """Return the record that a report holds. ValueError, with a sentence, unless it is one whose
    players agree about their games."""
    name, rounds, kind = "", 0, "swiss"
    players: dict[int, str] = {}
    for line in text.splitlines():
        code, content = line[:3], line[4:].strip()
        if code == "012":
            name = content
        elif code in ("142", "XXR") and content.isdigit():
            rounds = int(content)
        elif code == "092" and "robin" in content.lower():
            kind = "roundrobin"
        elif code == "001":
            number = _read_number(line[4:8], line)
            if number in players:
                raise ValueError(f"Two players have start number {number}.")
            players[number] = line
    if not players:
        raise ValueError("The report names no players (lines that begin with 001).")
    cells = {number: _read_cells(line, number) for number, line in players.items()}
    entrants = tuple(_read_entrant(players[number], cells[number]) for number in sorted(players))
    last = max(len(row) for row in cells.values())
    worth = read_points(text.splitlines())
    options = Options(
        kind="swiss" if kind == "swiss" else "roundrobin",
        game="chess",
        rounds=rounds or last,
        win=max(worth["WW"], worth["BW"]),
        draw=max(worth["WD"], worth["BD"]),
    )
    games: list[EventGame] = []
    for round in range(1, last + 1):
        games += _read_round(cells, round, len(games), worth)
    return Record(event=0, name=name, options=options, entrants=entrants, games=tuple(games))


Cell = tuple[int, str, str]
"""The opponent's number or 0, the colour or a dash, the result or nothing."""


def _read_number(text: str, line: str) -> int:
    if not text.strip().isdigit():
        raise ValueError(f'The line "{line[:20].strip()}" has no number where one belongs.')
    return int(text)


def _read_cells(line: str, number: int) -> list[Cell]:
    cells: list[Cell] = []
    for place in range(FIRST_ROUND, len(line.rstrip()), WIDTH):
        cell = f"{line[place : place + 8]:<8}"
        opponent = int(cell[:4]) if cell[:4].strip().isdigit() else 0
        colour, result = cell[5].lower(), cell[7].upper()
        known = POINTS if opponent else BYE_CODES
        if (opponent and colour not in "wb") or (result.strip() and result not in known):
            raise ValueError(
                f'"{cell.strip()}", round {len(cells) + 1} of player {number}, is no result.'
            )
        cells.append((opponent, colour, result.strip()))
    return cells


def _read_entrant(line: str, cells: Sequence[Cell]) -> Entrant:
    rating = line[48:52].strip()
    return Entrant(
        number=_read_number(line[4:8], line),
        name=line[14:47].strip(),
        rating=int(rating) if rating.isdigit() else 0,
        away=tuple(n for n, (_, _, result) in enumerate(cells, 1) if result in ("H", "F")),
    )


def _find_worth(result: str, colour: str, worth: Mapping[str, float]) -> float:
    """Return the points of a result against an opponent."""
    if result in "+-":
        return worth["FW" if result == "+" else "FL"]
    return worth[colour + CODES[result]]


def _read_round(
    cells: Mapping[int, Sequence[Cell]], round: int, count: int, worth: Mapping[str, float]
) -> list[EventGame]:
    """Return the games of a round, in the order of the start numbers with white."""
    games: list[EventGame] = []
    for number in sorted(cells):
        row = cells[number]
        opponent, colour, result = row[round - 1] if len(row) >= round else (0, "-", "Z")
        if opponent:
            other = cells.get(opponent, ())
            back = other[round - 1] if len(other) >= round else (0, "-", "")
            if back[0] != number or back[1] == colour or not _agree(result, back[2]):
                raise ValueError(
                    f"Players {number} and {opponent} do not agree about round {round}."
                )
            if colour == "b":
                continue
            seats: tuple[int, ...] = (number, opponent)
            points: tuple[float, ...] | None = None
            if result:
                points = _find_worth(result, "W", worth), _find_worth(back[2], "B", worth)
            how = (
                "open" if not result else "forfeit" if {result, back[2]} & {"+", "-"} else "played"
            )
        elif not result or (result in "Z-" and not worth[BYE_CODES[result]]):
            continue
        else:
            seats, points, how = (number,), (worth[BYE_CODES[result]],), "bye"
        games.append(
            EventGame(
                id=count + len(games) + 1,
                round=round,
                table=len(games) + 1,
                seats=seats,
                points=points,
                how=how,  # type: ignore[arg-type]  # a code of the table above
            )
        )
    return games


def _agree(one: str, two: str) -> bool:
    """Whether two players' results are those of one game: at the board both may have lost, or one
    have lost what is a draw for the other."""
    if {one, two} <= {"+", "-"}:
        return "-" in (one, two)
    if not one or not two:
        return one == two
    is_played = not {one, two} & {"+", "-"}
    total = POINTS[one] + POINTS[two]
    return total == 1 or (is_played and total < 1)


# Points in tournament reports: the systems that a report may name, and whether its players' own
# points are those of their games.

USUAL = {
    **dict.fromkeys(("WW", "BW", "FW", "FPB", "PAB"), 1.0),
    **dict.fromkeys(("WD", "BD", "HPB"), HALF),
    **dict.fromkeys(("WL", "BL", "FL", "ZPB"), 0.0),
}
"""The points of a win, draw and loss with white and black, of forfeits and of byes, by the codes of
JaVaFo."""
_WIN, _DRAW, _LOSS = ("WW", "BW", "FW", "FPB"), ("WD", "BD", "HPB"), ("WL", "BL")
_JAVAFO = {"W": _WIN, "D": _DRAW, "L": _LOSS, **{code: (code,) for code in USUAL}}
_BBP = {
    "BBW": (*_WIN, "PAB"),
    "BBD": _DRAW,
    "BBL": _LOSS,
    "BBZ": ("ZPB",),
    "BBF": ("FL",),
    "BBU": ("PAB",),
}
_FIDE = {
    **{"W": (*_WIN, "PAB"), "D": _DRAW, "L": (*_LOSS, "FL"), "Z": ("ZPB",), "F": ("FPB",)},
    **{"H": ("HPB",), "P": ("PAB",), "A": (), "U": (), "X": ()},
}
_PAIR = re.compile(r"([A-Z]{1,3})\s*[= ]\s*([0-9]{1,2}(?:\.[0-9])?)(?=\s|$)")
_NUMBER = re.compile(r"[0-9]{1,3}(?:\.[0-9])?")
_POINTS = slice(80, 84)
"""The columns in which a player's line has the points."""


def read_points(lines: Iterable[str]) -> dict[str, float]:
    """Return the points of each result by its code: as the lines XXS of JaVaFo, BBW and its like of
    bbpPairings and 162 of TRF26 say, or as usual. ValueError, with a sentence, for what is none."""
    points = dict(USUAL)
    for line in lines:
        code, content = line[:3], line[4:].strip()
        if code in _BBP:
            if not _NUMBER.fullmatch(content):
                raise ValueError(f'The line "{line[:40].strip()}" names no points.')
            points.update(dict.fromkeys(_BBP[code], float(content)))
        elif code in ("XXS", "162"):
            _read_pairs(line, _JAVAFO if code == "XXS" else _FIDE, points)
    return points


def _read_pairs(line: str, known: Mapping[str, tuple[str, ...]], points: dict[str, float]) -> None:
    """Take over the points of one line, such as W=3.0 D=1.0."""
    content = line[4:].strip()
    pairs = _PAIR.findall(content)
    left = _PAIR.sub("", content).strip()
    unknown = [name for name, _ in pairs if name not in known]
    if left or unknown or not pairs:
        what = left or "".join(unknown[:1]) or "nothing"
        raise ValueError(
            f'The line "{line[:40].strip()}" has "{what[:20]}" where points belong, such as '
            f"W=3.0; the results are {', '.join(known)}."
        )
    for name, value in sorted(pairs, key=lambda pair: -len(known[pair[0]])):
        points.update(dict.fromkeys(known[name], float(value)))


def list_differences(text: str, record: Record) -> list[str]:
    """Return a sentence for each player whose own points in a report are others than those of the
    games there."""
    found = []
    for line in text.splitlines():
        told = line[_POINTS].strip()
        if line[:3] != "001" or not _NUMBER.fullmatch(told):
            continue
        entrant = record.entrant(int(line[4:8]))
        points = total_of(record, entrant.number)
        if float(told) != points:
            found.append(
                f"{entrant.name} has {show_points(float(told))} in the report, but "
                f"{show_points(points)} by its games."
            )
    return found
