"""Boards in words, made from their scenes: to be read aloud, or where a picture cannot be shown.

Sentences say what stands where, by colour and kind. Their only marks are full stops, commas and
colons, which speech programs turn into pauses, and the hyphens of names and moves."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace
from itertools import groupby

from pbm.rules.drawing.scene import Entry, Panel, Piece, Region, Scene

COLUMNS = 200
"""No line is longer."""
_MOST_PLACES = 16
"""A longer list of places is split by rows."""
_SHORTEST_RUN = 3
_MOST_MOVES = 12
_LINES = ("row", "column")
"""The kinds of regions in which a run of places is given by its ends."""
_PLURALS = {"man": "men", "die": "dice", "fog": "fog", "unseen": "unseen"}
_ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth")
_PLAIN = ("stone", "disc", "man")
"""Kinds that are not named beside a seat that is itself named after its pieces: "crosses"."""
_ABBREVIATION = re.compile(r"[A-Z]{1,2}")
_IN_BRACKETS = re.compile(r" ?\(.*\)")
_BRACKETS = re.compile(r"[()]")
_SILENT = re.compile(r"[*@]")
_PRONOUNCED = re.compile(r"[A-Za-z0-9 ]*")
_ROLL = re.compile(r"(?<=\d)-(?=\d)")
_PART = re.compile(r"(?<=\w) (?=\w+/)")
_TIMES = re.compile(r"(\S+)\((\d)\)")
_DROP = re.compile(r"\*(?=\w)")
_JOINT = re.compile(r"(?<=\w)[^A-Za-z0-9,. ]+(?=[a-z0-9])")
_SPEAKABLE = re.compile(r"(?:[A-Za-z0-9 ,]|(?<!\d)-|-(?!\d))+")
"""Moves of which speech programs name no mark: they name a hyphen between numbers."""


def write_words(
    scene: Scene,
    colours: Sequence[str],
    opening: Sequence[str],
    pieces: Sequence[str],
    notes: Sequence[str] = (),
    moves: Sequence[str] = (),
) -> str:
    """Return the scene in lines of sentences. `colours` are the names of the seats' pieces,
    `opening` is what follows the last move, `pieces` what stands on the board, `notes` what follows
    that beside it, and `moves` are those that the viewer may play."""
    lines = [" ".join([*_describe_marks(scene, is_last=True), *opening])]
    lines += pieces
    lines += [_describe_panel(panel, colours) for panel in scene.panels]
    lines += _describe_marks(scene, is_last=False)
    lines += [*notes, *_list_moves(moves)]
    return "\n".join(piece for line in lines for piece in textwrap.wrap(line, COLUMNS))


def describe_turn(
    names: Sequence[str],
    on_move: Collection[int],
    viewer: int | None,
    *,
    takes_orders: bool = False,
) -> str:
    """Return who is to move, or whose orders are awaited, as a sentence to that seat or (None) to a
    spectator."""
    if min(on_move) < 0:
        return "Chance decides."
    first, *others = sorted(on_move, key=lambda seat: (seat != viewer, seat))
    is_plural = others or first == viewer or names[first].endswith("s")
    movers = join_words("you" if seat == viewer else names[seat] for seat in (first, *others))
    if takes_orders:
        return f"Orders are awaited from {movers}."
    return f"{capitalize(movers)} {'are' if is_plural else 'is'} to move."


def capitalize(text: str) -> str:
    """Return the text with its first letter in upper case."""
    return text[:1].upper() + text[1:]


def join_words(words: Iterable[str]) -> str:
    """Join words: one, two and three."""
    *others, last = words
    return f"{', '.join(others)} and {last}" if others else last


def plural(kind: str) -> str:
    """Return the plural of a kind of piece."""
    if kind in _PLURALS:
        return _PLURALS[kind]
    if kind.endswith("man"):
        return kind[:-3] + "men"
    if kind.endswith(("s", "x", "ch", "sh")):
        return kind + "es"
    return kind[:-1] + "ies" if re.search(r"[^aeiou]y$", kind) else kind + "s"


def name_piece(piece: Piece, colours: Sequence[str], *, many: bool = False) -> str:
    """Return a piece without its number and place: "white king", "black dice showing 3"."""
    kind = plural(piece.kind) if many else piece.kind
    shows = f" showing {piece.label}" if any(map(str.isdigit, piece.label)) else ""
    colour = "" if piece.seat is None else colours[piece.seat]
    if colour == plural(piece.kind):
        return kind + shows
    if colour.endswith("s") and piece.kind in _PLAIN:
        return (colour if many else re.sub("(?<=ss)es$|s$", "", colour)) + shows
    if colour.endswith("s") or colour in _ORDINALS:
        return f"{kind} of the {colour}{shows}"
    return f"{colour} {kind}{shows}".strip()


def count_piece(piece: Piece, colours: Sequence[str]) -> str:
    """Return a piece with its number: "white king", "2 black men"."""
    if piece.count == 1:
        return name_piece(piece, colours)
    return f"{piece.count} {name_piece(piece, colours, many=True)}"


def describe_pieces(scene: Scene, colours: Sequence[str]) -> list[str]:
    """Return what stands on the board: a line for each seat, then one for what is nobody's, and one
    for the stacks."""
    if not scene.pieces:
        return ["The board is empty."] if scene.places else []
    high = {piece.place for piece in scene.pieces if piece.height}
    flat = [piece for piece in scene.pieces if piece.place not in high]
    lines = []
    for seat in sorted({piece.seat for piece in flat}, key=lambda seat: (seat is None, seat)):
        groups: dict[str, list[Piece]] = {}
        for piece in flat:
            if piece.seat == seat:
                groups.setdefault(count_piece(piece, colours), []).append(piece)
        ordered = sorted(groups.values(), key=lambda group: (len(group), group[0].kind != "king"))
        sentences = [
            sentence for group in ordered for sentence in _describe_group(scene, colours, group)
        ]
        lines += sentences if len(ordered) < len(sentences) else [" ".join(sentences)]
    stacks: dict[str, list[str]] = {}
    for place, pieces in groupby(
        (piece for piece in scene.pieces if piece.place in high), lambda piece: piece.place
    ):
        stacks.setdefault(describe_stack([*pieces], colours), []).append(place)
    for stack, places in stacks.items():
        lines.append(
            f"On {join_runs(scene, places)} {stack}."
            if stack.startswith("from")
            else f"{capitalize(stack)}{' each' if len(places) > 1 else ''} on "
            f"{join_runs(scene, places)}."
        )
    return lines


def describe_stack(pieces: Sequence[Piece], colours: Sequence[str]) -> str:
    """Return what stands on one place, from below."""
    if not any(piece.height for piece in pieces):
        return join_words(count_piece(piece, colours) for piece in pieces)
    like = groupby(pieces, lambda piece: replace(piece, height=0, count=1, centre=None))
    layers = [replace(piece, count=sum(each.count for each in run)) for piece, run in like]
    items = [count_piece(piece, colours) for piece in layers]
    return items[0] if len(items) == 1 else f"from below: {', '.join(items)}"


def _describe_group(scene: Scene, colours: Sequence[str], group: Sequence[Piece]) -> list[str]:
    """Return where pieces stand that differ only in their places: one sentence, or one for each
    row."""
    first, places = group[0], {piece.place: None for piece in group}
    what = capitalize(name_piece(first, colours, many=len(group) > 1 or first.count > 1))
    if first.count > 1:
        what = f"{first.count} {what[0].lower()}{what[1:]}{' each' if len(group) > 1 else ''}"
    rows = [region for region in scene.regions if region.kind == _LINES[0]]
    covered = {place for row in rows for place in row.places}
    if len(find_runs(scene.regions, places)) <= _MOST_PLACES or not covered.issuperset(places):
        return [f"{what} on {join_runs(scene, places)}."]
    return [
        f"{what} in row {row.name} on {join_runs(scene, there)}."
        for row in rows
        if (there := [place for place in row.places if place in places])
    ]


def join_runs(scene: Scene, places: Collection[str]) -> str:
    """Join places into a list, with runs in rows and columns given by their ends: "a2 to h2 and
    b4"."""
    return join_words(
        f"{run[0]} to {run[-1]}" if len(run) >= _SHORTEST_RUN else run[0]
        for run in find_runs(scene.regions, places)
    )


def find_runs(regions: Sequence[Region], places: Collection[str]) -> list[Sequence[str]]:
    """Return the places in their order, those of a run in a row or column together: the longest
    first, and only runs that no other line could join."""
    lines = [region.places for region in regions if region.kind in _LINES]
    left, runs = dict.fromkeys(places), list[Sequence[str]]()
    while candidates := [
        run
        for line in lines
        if sum(map(left.__contains__, line)) >= _SHORTEST_RUN
        for run in _split_line(line, left)
        if len(run) >= _SHORTEST_RUN and sum({run[0], run[-1]} <= {*other} for other in lines) == 1
    ]:
        longest = max(candidates, key=len)
        runs.append(longest)
        for place in longest:
            del left[place]
    order = {place: number for number, place in enumerate(places)}
    return sorted([*runs, *((place,) for place in left)], key=lambda run: order[run[0]])


def _split_line(line: Sequence[str], places: Collection[str]) -> list[Sequence[str]]:
    """Return the stretches of a line that consist of these places."""
    return [
        tuple(run) for is_there, run in groupby(line, lambda place: place in places) if is_there
    ]


def _describe_panel(panel: Panel, colours: Sequence[str]) -> str:
    """Return what stands beside the board, as a sentence."""
    has_counts = any(entry.count != 1 for entry in panel.entries)
    items = [
        _describe_entry(entry, panel, colours, has_count=has_counts or entry.text in colours)
        for entry in panel.entries
    ]
    if not panel.title:
        return f"{capitalize(join_words(items))}." if items else ""
    title = pronounce(_IN_BRACKETS.sub("", panel.title))
    owner = "" if panel.seat is None else colours[panel.seat]
    title = title if owner in title.replace(",", "").split() else f"{owner} {title}".strip()
    return f"{capitalize(title)}: {join_words(items) if items else 'nothing'}."


def _describe_entry(entry: Entry, panel: Panel, colours: Sequence[str], *, has_count: bool) -> str:
    if entry.kind and (_ABBREVIATION.fullmatch(entry.text) or entry.text == entry.kind):
        return f"{entry.count} {plural(entry.kind)}" if entry.count > 1 else entry.kind
    owner = colours[entry.seat] if entry.seat is not None and panel.seat is None else ""
    text = pronounce(entry.text)
    text = text if owner in text.split() else f"{owner} {text}".strip()
    if has_count and any(map(str.isdigit, text)):
        return f"{entry.count} times {text}" if entry.count > 1 else text
    return f"{text} {entry.count}" if has_count else text


def pronounce(text: str) -> str:
    """Return a short text without the marks that speech programs name: rolls, moves, remarks in
    brackets. A dash is something hidden."""
    if text == "-":
        return "hidden"
    if _PRONOUNCED.fullmatch(text):
        return text
    text = text.replace(" + ", " and ")
    text = _ROLL.sub(" and ", _PART.sub(", ", _SILENT.sub("", text).replace("^", " with arrow")))
    return _BRACKETS.sub("", _JOINT.sub(" to ", text).replace("; ", ", ").replace(" (", ", "))


def _describe_marks(scene: Scene, *, is_last: bool) -> list[str]:
    """Return the marks of the last move, or all others, a sentence for each role."""
    roles: dict[str, list[str]] = {}
    for mark in scene.marks:
        if (mark.role == "last") == is_last:
            roles.setdefault(mark.role, []).append(" to ".join(mark.places))
    return [
        f"{'Last move' if is_last else capitalize(role)}: {join_words(places)}."
        for role, places in roles.items()
    ]


def _list_moves(moves: Sequence[str]) -> list[str]:
    """Return the legal moves, if they are few and can be read aloud."""
    if not 0 < len(moves) <= _MOST_MOVES:
        return []
    spoken = [spell_move(move) for move in moves]
    if not all(map(_SPEAKABLE.fullmatch, spoken)) or len({*spoken}) < len(moves):
        return []
    is_plain = all(move.isalnum() for move in spoken)
    joined = join_words(spoken) if is_plain else " or ".join(spoken)
    return [f"Legal {'move' if len(moves) == 1 else 'moves'}: {joined}."]


def spell_move(move: str) -> str:
    """Return a move as it is read aloud, so that it can still be typed: "13 to 7", "8 to 4 8 to
    4"."""
    if len(move) == 1:
        return move.upper()
    if _SPEAKABLE.fullmatch(move):
        return move
    repeated = _TIMES.sub(lambda part: " ".join([part[1]] * int(part[2])), move)
    return _JOINT.sub(" to ", _DROP.sub("", repeated))
