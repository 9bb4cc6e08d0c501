"""Boards in words, made from their scenes: to be read aloud, or where a picture cannot be shown.

Sentences say what stands where, by colour and kind. Their only marks are full stops, commas and
colons, which speech programs turn into pauses, and the hyphens of names and moves."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import groupby, product

from pbm.rules.drawing.scene import (
    BUILT,
    DISBANDED,
    HELD,
    LAST,
    SLIDE,
    STOOD_OFF,
    TAKEN,
    Entry,
    Panel,
    Piece,
    Region,
    Scene,
    is_said,
)
from pbm.rules.moved import forward
from pbm.rules.phrases import (
    Composed,
    EnglishWord,
    Listing,
    Phrase,
    SeatName,
    Sentence,
    combine,
    fill_in,
    join_phrases,
    phrase,
    phrase_number,
    wrap,
)
from pbm.rules.piece_letters import MEN

__getattr__ = forward(
    __name__,
    capitalize="pbm.rules.phrases.capitalize",
    join_words="pbm.rules.phrases.Listing",
)

COLUMNS = 200
"""No line is longer."""
_MOST_PLACES = 16
"""A longer list of places is split by rows."""
_SHORTEST_RUN = 3
_IN_A_SENTENCE = 7
"""A panel of more items is listed in lines."""
_MOST_MOVES = 12
_COLOURS_OF_MEN = ("white", "black")
_COLOURS = (*_COLOURS_OF_MEN, "red", "blue", "green", "yellow")
_PLAIN_MEN = ("man", "stone", "disc", "marble", "peg", "cube", "crowned man")
"""The commonest pieces of other games than chess; the last is what draughts call a king."""
_OF_LAST = {LAST, TAKEN, SLIDE}
"""The roles of the marks that say what the last move did."""
_LINES = ("row", "column")
"""The kinds of regions in which a run of places is given by its ends."""
_PLURALS = {
    **{"man": "men", "die": "dice", "fog": "fog", "unseen": "unseen"},
    **{"goose": "geese", "shaman": "shamans"},
}
_ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth")
_PLAIN = ("stone", "disc", "man")
"""Kinds that are not named beside a seat that is itself named after its pieces: "crosses"."""
_ABBREVIATION = re.compile(r"[A-Z]{1,2}")
_IN_BRACKETS = re.compile(r" ?\(.*\)")
_BRACKETS = re.compile(r"[()]")
_WITHIN = re.compile(r"[(),]")
_SILENT = re.compile(r"[*@]")
_PRONOUNCED = re.compile(r"[A-Za-z0-9 ]*")
_ROLL = re.compile(r"(?<=\d)-(?=\d)")
_PART = re.compile(r"(?<=\w) (?=\w+/)")
_TIMES = re.compile(r"(\S+)\((\d)\)")
_DROP = re.compile(r"\*(?=\w)")
_HYPHEN = r"(?<=[^\W\d]{2})-[^\W\d]{2}"
"""The hyphen within a word, as in porte-avions."""
_JOINT = re.compile(rf"(?<=\w)(?!{_HYPHEN})[^\w,.' ]+(?=[a-z0-9])")
_SPEAKABLE = re.compile(r"(?:[A-Za-z0-9 ,]|(?<!\d)-|-(?!\d))+")
"""Moves of which speech programs name no mark: they name a hyphen between numbers."""


# TRANSLATORS: between two numbers: 6 and 2
_AND = phrase("and")
# TRANSLATORS: between the parts of a move: 13 to 7
_TO = phrase("to")
# TRANSLATORS: between moves of which one may be chosen
_OR = phrase("or")
# TRANSLATORS: after the name of a tile: p3 with arrow
_ARROW = phrase("with arrow")
# TRANSLATORS: a move that its reader may not know
_HIDDEN = phrase("hidden")
EMPTY = phrase("The board is empty.")
ROLES: Mapping[str, str] = {
    "active": phrase("active"),
    "check": phrase("check"),
    "dead": phrase("dead"),
    # TRANSLATORS: in front of the places whose units were ordered to stay
    HELD: phrase("held"),
    # TRANSLATORS: in front of the places where units were built
    BUILT: phrase("built"),
    # TRANSLATORS: in front of the places whose units were taken off the board
    DISBANDED: phrase("disbanded"),
    # TRANSLATORS: in front of the places that several units were ordered to, and none entered
    STOOD_OFF: phrase("stand-off"),
    "link": phrase("link"),
    # TRANSLATORS: in front of the places from which pieces were taken
    "taken": phrase("taken"),
    # TRANSLATORS: in front of "e5 to e11": a piece was pushed so far
    "slide": phrase("slides"),
}
"""The meaning of marks, in front of the places."""


def write_words(
    scene: Scene,
    colours: Sequence[str],
    opening: Sequence[str],
    pieces: Sequence[str],
    notes: Sequence[str] = (),
    moves: Sequence[str] = (),
) -> str:
    """Return the scene in lines of sentences. `colours` are the names of the seats' pieces,
    `opening` follows the last move, `pieces` are lines about the board, `notes` follow them, and
    `moves` are the viewer's possible moves."""
    lines = [join_phrases(" ", [*_describe_last(scene, colours), *opening])]
    lines += pieces
    lines += [_describe_panel(panel, colours) for panel in scene.panels]
    roles = {mark.role for mark in scene.marks if is_said(mark)}
    lines += _describe_marks(scene, roles - _OF_LAST)
    lines += [*notes, *_list_moves(moves)]
    return Composed(_break_lines(lines, str), partial(_break_lines, lines))


def _break_lines(lines: Sequence[str], say: Callable[[str], str]) -> str:
    return "\n".join(piece for line in lines for piece in wrap(say(line), COLUMNS))


def describe_seat(name: str) -> str:
    """Return a sentence to a player on the seat's pieces."""
    if name in _ORDINALS:
        # TRANSLATORS: {seat} is first, second or third: the player who moves so in each round.
        return phrase("You are the {seat} player.", seat=Phrase(name))
    return phrase("You play {seat}.", seat=Phrase(name))


def describe_turn(
    names: Sequence[str],
    on_move: Collection[int],
    viewer: int | None,
    *,
    takes_orders: bool = False,
) -> str:
    """Return whose turn it is, or whose orders are awaited, as a sentence to that seat or (None) to
    a spectator."""
    if min(on_move) < 0:
        return phrase("Chance decides.")
    first, *others = sorted(on_move, key=lambda seat: (seat != viewer, seat))
    movers = Listing(
        phrase("you") if seat == viewer else SeatName(names[seat], seat)
        for seat in (first, *others)
    )
    if takes_orders:
        return phrase("Orders are awaited from {powers}.", powers=movers)
    if first == viewer and not others:
        return phrase("You are to move.")
    if not others and names[first] in _ORDINALS:
        # TRANSLATORS: {seat} is first, second or third: the player who moves so in each round.
        return phrase("The {seat} player is to move.", seat=SeatName(names[first], first))
    if others or first == viewer or names[first].endswith("s"):
        return Sentence(phrase("{names} are to move.", names=movers))
    return Sentence(phrase("{names} is to move.", names=movers))


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
    named = _name_kind(piece, colours, many=many)
    if any(map(str.isdigit, piece.label)):
        return phrase("{pieces} showing {label}", pieces=named, label=piece.label)
    return named


def _name_kind(piece: Piece, colours: Sequence[str], *, many: bool) -> str:
    pieces = name_kind(piece.kind, many=many)
    if piece.seat is None or not colours[piece.seat]:
        return pieces
    colour = name_owner(colours[piece.seat], piece.seat)
    if colour == plural(piece.kind):
        return pieces
    if colour.endswith("s") and piece.kind in _PLAIN:
        return colour if many else Phrase(re.sub("(?<=ss)es$|s$", "", colour))
    if colour.endswith("s") or colour in _ORDINALS:
        return phrase("{pieces} of the {colour}", pieces=pieces, colour=colour)
    if whole := name_man(piece.kind, str(colour), many=many):
        return whole
    # TRANSLATORS: "white king", "white stones". Where an adjective would have to agree with the
    # piece, say it with a noun ("king of White") and no brackets or commas: this is read aloud.
    return phrase("{colour} {pieces}", colour=colour, pieces=pieces)


def name_man(kind: str, colour: str, *, many: bool) -> str:
    """Return a man of chess or a common piece with its colour as one phrase, for catalogues in
    which the adjective agrees with it; "" for others."""
    meaning = kind.message if isinstance(kind, EnglishWord) else str(kind)
    if colour not in (_COLOURS_OF_MEN if meaning in MEN else _COLOURS):
        return ""
    if meaning not in (*MEN, *_PLAIN_MEN):
        return ""
    whole = Phrase(f"{colour} {plural(meaning) if many else meaning}")
    if not isinstance(kind, EnglishWord):
        return whole
    return EnglishWord(f"{colour} {plural(kind) if many else kind}", whole)


def list_named_men() -> Iterator[str]:
    """Yield the men of chess and common pieces with their colours, one and many, as catalogues
    have them."""
    for kinds, colours in ((MEN, _COLOURS_OF_MEN), (_PLAIN_MEN, _COLOURS)):
        for kind, colour in product(kinds, colours):
            yield from (name_man(kind, colour, many=many) for many in (False, True))


def name_kind(kind: str, *, many: bool = False) -> str:
    """Return a kind of piece, one or many of them. Catalogues have both as words of their own."""
    if isinstance(kind, EnglishWord):
        if not many:
            return kind
        return EnglishWord(plural(kind), Phrase(plural(kind.message)))
    promoted, _, piece = kind.partition(" ")
    if promoted == "promoted":
        return make_item(phrase("promoted {piece}", piece=name_kind(piece, many=many)))
    return Phrase(plural(kind) if many else str(kind))


def make_item(text: str) -> str:
    """Return a text as one item of a list that is read aloud: without brackets and commas."""
    item = partial(_make_item, text)
    return Composed(item(str), item)


def _make_item(text: str, say: Callable[[str], str]) -> str:
    return _WITHIN.sub("", say(text))


def count_piece(piece: Piece, colours: Sequence[str]) -> str:
    """Return a piece with its number: "white king", "2 black men"."""
    if piece.count == 1:
        return name_piece(piece, colours)
    pieces = name_piece(piece, colours, many=True)
    return combine("{count} {pieces}", count=piece.count, pieces=pieces)


def describe_pieces(scene: Scene, colours: Sequence[str]) -> list[str]:
    """Return the pieces on the board: a line for each seat, then one for pieces of no seat, and one
    for the stacks."""
    if not scene.pieces:
        return [EMPTY] if scene.places else []
    high = {piece.place for piece in scene.pieces if piece.height}
    flat = [piece for piece in scene.pieces if piece.place not in high]
    lines = list[str]()
    for seat in sorted({piece.seat for piece in flat}, key=lambda seat: (seat is None, seat)):
        groups: dict[str, list[Piece]] = {}
        for piece in flat:
            if piece.seat == seat:
                groups.setdefault(count_piece(piece, colours), []).append(piece)
        ordered = sorted(groups.values(), key=lambda group: (len(group), group[0].kind != "king"))
        sentences = [
            sentence for group in ordered for sentence in _describe_group(scene, colours, group)
        ]
        lines += sentences if len(ordered) < len(sentences) else [join_phrases(" ", sentences)]
    return [*lines, *_describe_stacks(scene, colours, high)]


def _describe_stacks(scene: Scene, colours: Sequence[str], high: Collection[str]) -> Iterator[str]:
    """Yield what the stacks on these places consist of, a sentence for those that are alike."""
    stacks: dict[tuple[str, ...], list[str]] = {}
    for place, pieces in groupby(
        (piece for piece in scene.pieces if piece.place in high), lambda piece: piece.place
    ):
        stacks.setdefault(tuple(_list_layers([*pieces], colours)), []).append(place)
    for layers, places in stacks.items():
        runs = join_runs(scene, places)
        if len(layers) > 1:
            below = join_phrases(", ", layers)
            yield phrase("On {places} from below: {pieces}.", places=runs, pieces=below)
        else:
            yield _put_on(layers[0], runs, each=len(places) > 1)


def _list_layers(pieces: Sequence[Piece], colours: Sequence[str]) -> list[str]:
    """Return the pieces of a stack, from below."""
    like = groupby(pieces, lambda piece: replace(piece, height=0, count=1, centre=None))
    layers = [replace(piece, count=sum(each.count for each in run)) for piece, run in like]
    return [count_piece(piece, colours) for piece in layers]


def _put_on(pieces: str, places: str, *, each: bool) -> str:
    if each:
        return Sentence(phrase("{pieces} each on {places}.", pieces=pieces, places=places))
    return Sentence(phrase("{pieces} on {places}.", pieces=pieces, places=places))


def describe_stack(pieces: Sequence[Piece], colours: Sequence[str]) -> str:
    """Return the pieces on one place, from below."""
    if not any(piece.height for piece in pieces):
        return Listing(count_piece(piece, colours) for piece in pieces)
    layers = _list_layers(pieces, colours)
    if len(layers) == 1:
        return layers[0]
    return phrase("from below: {pieces}", pieces=join_phrases(", ", layers))


def name_places(scene: Scene, colours: Sequence[str], places: Iterable[str]) -> dict[str, str]:
    """Return the places with their pieces: "black pawn a6"; empty ones by their names."""
    standing: dict[str, list[Piece]] = {place: [] for place in places}
    for piece in scene.pieces:
        if piece.place in standing:
            standing[piece.place].append(piece)
    return {
        place: combine("{pieces} {place}", pieces=describe_stack(pieces, colours), place=place)
        if pieces
        else place
        for place, pieces in standing.items()
    }


def _describe_group(scene: Scene, colours: Sequence[str], group: Sequence[Piece]) -> list[str]:
    """Return where pieces stand that differ only in their places: one sentence, or one for each
    row."""
    first, places = group[0], {piece.place: None for piece in group}
    what = name_piece(first, colours, many=len(group) > 1 or first.count > 1)
    if first.count > 1:
        what = count_piece(first, colours)
    is_each = first.count > 1 and len(group) > 1
    rows = [region for region in scene.regions if region.kind == _LINES[0]]
    covered = {place for row in rows for place in row.places}
    if len(find_runs(scene.regions, places)) <= _MOST_PLACES or not covered.issuperset(places):
        return [_put_on(what, join_runs(scene, places), each=is_each)]
    in_row = phrase("{pieces} in row {row} on {places}.")
    if is_each:
        in_row = phrase("{pieces} each in row {row} on {places}.")
    return [
        Sentence(fill_in(in_row, pieces=what, row=row.name, places=join_runs(scene, there)))
        for row in rows
        if (there := [place for place in row.places if place in places])
    ]


def join_runs(scene: Scene, places: Collection[str]) -> str:
    """Join places into a list, with runs in rows and columns given by their ends: "a2 to h2 and
    b4"."""
    return join_places(find_runs(scene.regions, places))


def join_places(runs: Iterable[Sequence[str]]) -> str:
    """Join runs of places into a list, each given by its ends."""
    return Listing(
        join_two(run[0], run[-1]) if len(run) >= _SHORTEST_RUN else run[0] for run in runs
    )


def join_two(first: str, last: str) -> str:
    """Return two places as the ends of what lies between them."""
    # TRANSLATORS: from one place to another: a2 to d2
    return phrase("{first} to {last}", first=first, last=last)


def _lead(start: str, end: str) -> str:
    """Return two places as those that an arrow or a link joins."""
    return combine("{start} {to} {end}", start=start, to=_TO, end=end)


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


def list_panel(panel: Panel, colours: Sequence[str]) -> list[str]:
    """Return a panel as a sentence, or one of many items in lines, to be read by eye."""
    if len(panel.entries) <= _IN_A_SENTENCE:
        return [_describe_panel(panel, colours)]
    return [combine("{what}: {count}", count=each.count, what=each.text) for each in panel.entries]


def is_on_request(panel: Panel) -> bool:
    """Whether the words of a board name a panel without its many items, which `list_panel` has."""
    is_short = all(each.short == "-" for each in panel.entries)
    return bool(panel.title) and is_short and len(panel.entries) > _IN_A_SENTENCE


def _describe_panel(panel: Panel, colours: Sequence[str]) -> str:
    """Return a panel as a sentence."""
    items = Listing(
        _describe_entry(entry, panel, colours, has_count=panel.is_counted)
        for entry in panel.entries
    )
    if not panel.title:
        return Sentence(combine("{items}.", items=items)) if items else ""
    title = pronounce(panel.title, has_remarks=False)
    if is_on_request(panel):
        # TRANSLATORS: "Bag: on request."
        return Sentence(phrase("{title}: on request.", title=title))
    if panel.seat is not None:
        title = _add_owner(colours[panel.seat], panel.seat, title, title.replace(",", ""))
    return Sentence(combine("{title}: {items}.", title=title, items=items or phrase("nothing")))


def _add_owner(colour: str, seat: int, text: str, words: str) -> str:
    """Return a text with whose it is, unless that is among its words."""
    if not colour or colour in words.split():
        return text
    # TRANSLATORS: "white in hand", "white dice"
    return phrase("{owner} {text}", owner=name_owner(colour, seat), text=text)


def name_owner(colour: str, seat: int) -> Phrase:
    """Return the colour of a seat as a phrase, in place of which its player may be named unless it
    is an adjective."""
    return colour if isinstance(colour, EnglishWord) else SeatName(colour, seat)


def _describe_entry(entry: Entry, panel: Panel, colours: Sequence[str], *, has_count: bool) -> str:
    if entry.kind and (_ABBREVIATION.fullmatch(entry.text) or entry.text == entry.kind):
        pieces = name_kind(entry.kind, many=entry.count > 1)
        if entry.count > 1:
            return combine("{count} {pieces}", count=entry.count, pieces=pieces)
        return pieces
    text = pronounce(entry.text)
    if entry.seat is not None and panel.seat is None:
        text = _add_owner(colours[entry.seat], entry.seat, text, text)
    if has_count and any(map(str.isdigit, text)):
        if entry.count > 1:
            return phrase("{count} times {text}", count=entry.count, text=text)
        return text
    return combine("{text} {count}", text=text, count=entry.count) if has_count else text


def pronounce(text: str, *, has_remarks: bool = True) -> str:
    """Return a short text without the marks that speech programs name: rolls, moves, remarks in
    brackets, which are left out unless it `has_remarks`. A dash is something hidden."""
    if text == "-":
        return _HIDDEN
    if type(text) is str and _PRONOUNCED.fullmatch(text):
        return text
    pronounced = partial(_pronounce, text, has_remarks=has_remarks)
    return Composed(pronounced(str), pronounced)


def _pronounce(text: str, say: Callable[[str], str], *, has_remarks: bool) -> str:
    said = say(text)
    if not has_remarks:
        said = _IN_BRACKETS.sub("", said)
    if _PRONOUNCED.fullmatch(said):
        return said
    said = said.replace(" + ", f" {say(_AND)} ").replace("^", f" {say(_ARROW)}")
    said = _ROLL.sub(f" {say(_AND)} ", _PART.sub(", ", _SILENT.sub("", said)))
    said = said.replace("; ", ", ").replace(" (", ", ")
    return _BRACKETS.sub("", _JOINT.sub(f" {say(_TO)} ", said))


def _describe_last(scene: Scene, colours: Sequence[str]) -> list[str]:
    """Return the last move, with what it took and pushed: the piece and its way, or its target, if
    the board shows that, else the places."""
    marks = [mark.places for mark in scene.marks if mark.role == LAST]
    told = list[str]()
    if marks:
        moved = _tell_moved(scene, colours, marks)
        places = [
            places[0] if len(places) == 1 else _lead(places[0], places[-1]) for places in marks
        ]
        told = [moved or phrase("Last move: {places}.", places=Listing(places))]
    return [*told, *_describe_marks(scene, _OF_LAST - {LAST})]


def _tell_moved(scene: Scene, colours: Sequence[str], marks: Sequence[Sequence[str]]) -> str:
    """Return the last move with the piece that made it; "" unless the marks are one place on which
    one piece stands, or two of which it has left the other."""
    places = [place for each in marks for place in each]
    found = {place: [piece for piece in scene.pieces if piece.place == place] for place in places}
    there = [place for place in places if found[place]]
    if len(places) > 2 or len(there) != 1 or len(found[there[0]]) != 1:
        return ""
    (end,), (piece,) = there, found[there[0]]
    if piece.seat is None or (len(marks) == 1 and end != places[-1]):
        return ""
    named = name_piece(replace(piece, count=1), colours)
    if len(places) == 1:
        return phrase("Last move: {moved} on {place}.", moved=named, place=end)
    start = places[places[0] == end]
    return phrase("Last move: {moved} from {start} to {end}.", moved=named, start=start, end=end)


def _describe_marks(scene: Scene, roles: Collection[str]) -> list[str]:
    """Return the marks of these roles, a sentence for each."""
    found: dict[str, list[str]] = {}
    for mark in scene.marks:
        if mark.role in roles:
            where = (
                mark.places[0] if len(mark.places) == 1 else _lead(mark.places[0], mark.places[-1])
            )
            found.setdefault(mark.role, []).append(where)
    return [
        Sentence(combine("{role}: {places}.", role=ROLES.get(role, role), places=Listing(places)))
        for role, places in found.items()
    ]


def _list_moves(moves: Sequence[str]) -> list[str]:
    """Return the legal moves, if they are few and can be read aloud."""
    if not 0 < len(moves) <= _MOST_MOVES:
        return []
    spoken = [spell_move(move) for move in moves]
    if not all(map(_SPEAKABLE.fullmatch, spoken)) or len({*spoken}) < len(moves):
        return []
    if all(move.isalnum() for move in spoken):
        joined: str = Listing(spoken)
    else:  # with commas within them
        joined = combine(
            " {last} ".join(f"{{move{number}}}" for number in range(len(spoken))),
            last=_OR,
            **{f"move{number}": move for number, move in enumerate(spoken)},
        )
    return [
        phrase_number("Legal move: {moves}.", "Legal moves: {moves}.", len(moves), moves=joined)
    ]


def spell_move(move: str) -> str:
    """Return a move in a form that can be read aloud and still be typed: "13 to 7", "8 to 4 8 to
    4"."""
    if len(move) == 1:
        return move.upper()
    if _SPEAKABLE.fullmatch(move):
        return move
    repeated = _TIMES.sub(lambda part: " ".join([part[1]] * int(part[2])), move)
    return _JOINT.sub(" to ", _DROP.sub("", repeated))
