"""Plays at random and compares what the words say with what stands on the board."""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice, product
from typing import NamedTuple

from pbm.locale import ENGLISH, translate
from pbm.locale.scenes import translate_scene
from pbm.rules import CHANCE, Game, MoveError, OptionError, Position, Value
from pbm.rules.drawing.scene import LAST, SLIDE, TAKEN, Panel, Piece, Scene, is_said
from pbm.rules.drawing.sentences import ROLES, is_on_request, plural
from pbm.rules.phrases import EnglishWord, Phrase
from pbm.rules.testing import random_options
from pbm.rules.typed_moves import respell
from tools.words.reader import Board, Reading, Standing, read_words
from tools.words.tongue import Tongue

COLUMNS = 200
JOINING = ("and", "to", "with", "times")
PLURALS = {"die": "dice", "man": "men"}
UNNAMED = ("stone", "disc", "man", "cross", "nought")
"""Kinds that colours such as "crosses" say."""
LONGEST = 150
"""How many positions of a game are compared."""
NARROW, SHORT = 3, 30
"""In every other game only so many moves are considered and so many positions compared, so that
many are repeated."""
READ_ALOUD = re.compile(
    r"(?:[A-Za-z0-9 \n]|[.,](?! [.,])|:(?= )|(?<=[a-z])'(?=s)"
    r"|(?<=[a-z])-(?=[a-z0-9])|(?<=[0-9])-(?=[a-z]))*"
)
"""What the words consist of: espeak-ng names no mark of it (`tools/words/speech.py`)."""
SAID_ALOUD = re.compile(r"(?:[\w \n]|[.,](?! [.,])|:(?= )|(?<=\w)['-](?=\w))*")
"""What they consist of in other languages."""
_TOKEN = re.compile(r"[^\W_]+")
_DONE = (TAKEN, SLIDE)
"""The roles of marks that are said right after the last move."""


class Different(AssertionError):
    """Words and board differ, or the words leave out what matters."""


def require(condition: object, what: str, position: Position, words: str) -> None:
    """Raise Different unless the condition holds."""
    if not condition:
        raise Different(f"{what}\n{words}\n{position.render()}\n{position.encode()}")


class Facts(NamedTuple):
    """What equal words must mean: what stands where, the repeated position, the legal moves."""

    scene: Scene
    key: str | None
    moves: dict[int, tuple[str, ...]]


@dataclass
class Comparison:
    """Compares positions of one game, all with the same players and options."""

    seen: dict[tuple[int | None, str], Position] = field(default_factory=dict)
    looks: dict[tuple[str, int | None], set[tuple[str, int]]] = field(default_factory=dict)
    repeated: int = 0
    language: str = ENGLISH
    kinds: set[str] = field(default_factory=set)

    def compare(self, position: Position, viewer: int | None, last: Sequence[str]) -> None:
        """Compare the words of one viewer with the scene, and with words read before."""
        scene, words = position.scene(viewer, last), position.words(viewer, last)
        if self.language != ENGLISH:
            self._compare_said(position, viewer, scene, translate(words, self.language))
            return
        for line in words.split("\n"):
            require(0 < len(line) <= COLUMNS, f"{len(line)} characters: {line}", position, words)
        require(READ_ALOUD.fullmatch(words), "a mark is read aloud", position, words)
        board = Board.of(scene, position.colours, position.seat_names)
        reading = read_words(words, board)
        self._compare_pieces(position, scene, reading, words, position.colours)
        self._compare_turn(position, viewer, scene, reading, words)
        self._compare_beside(position, viewer, scene, reading, words)
        if not last:
            self._compare_repeated(position, viewer, words)

    def _compare_said(
        self, position: Position, viewer: int | None, scene: Scene, words: str
    ) -> None:
        """Compare the words of another language: what stands where is read back into English, what
        lies beside the board has to have the words that its parts have."""
        for line in words.split("\n"):
            require(0 < len(line) <= COLUMNS, f"{len(line)} characters: {line}", position, words)
        require(SAID_ALOUD.fullmatch(words), "a mark is read aloud", position, words)
        # Where a language says a power's name for its adjective, both are read as the name.
        names = {translate(name, self.language): name for name in position.seat_names}
        said = (
            translate(colour, self.language) if isinstance(colour, EnglishWord) else colour
            for colour in position.colours
        )
        colours = [names.get(colour, colour) for colour in said]
        board = Board.of(scene, colours, position.seat_names)
        self.kinds |= {piece.kind for piece in scene.pieces}
        named = (*colours, *position.seat_names)
        labels = {piece.label for piece in scene.pieces}
        tongue = Tongue(self.language, sorted(self.kinds), named, board.places | labels)
        reading = read_words(words, board, tongue)
        self._compare_pieces(position, scene, reading, words, colours)
        self._compare_turn(position, viewer, scene, reading, words)
        expected = [*_list_parts(position, viewer, translate_scene(scene, self.language))]
        require(len(reading.beside) == len(expected), f"{reading.beside}", position, words)
        for sentence, parts in zip(reading.beside, expected, strict=True):
            has = {*_TOKEN.findall(sentence.lower())}
            for part in parts:
                ways = [{*_TOKEN.findall(translate(way, self.language).lower())} for way in part]
                is_there = any(way <= has for way in ways)
                require(is_there, f"{sentence}: {part}", position, words)

    def _compare_pieces(
        self,
        position: Position,
        scene: Scene,
        reading: Reading,
        words: str,
        colours: Sequence[str],
    ) -> None:
        expected = list_standings(scene, colours)
        read: Counter[Standing] = Counter()
        for (place, kind, colour, number, shows, level), count in reading.standing.items():
            if not kind:
                kind = next((k for p, k, *_ in expected if p == place and k in UNNAMED), "")
            read[place, kind, colour, number, shows, level] = count
        require(read == expected, f"read {read - expected}, not {expected - read}", position, words)
        for piece in scene.pieces:
            is_said = bool(find_label(piece, scene))
            looks = (piece.label if not is_said else "", piece.turned if not is_said else 0)
            others = self.looks.setdefault((piece.kind, piece.seat), {looks})
            require(looks in others, f"{piece} looks different", position, words)
        bodies: dict[int, set[str]] = {}
        for piece in scene.pieces:
            bodies.setdefault(piece.body, set()).add(piece.place)
        bodies.pop(0, None)
        parts = {frozenset(places) for places in bodies.values()}
        require(parts <= reading.together, f"together {parts}", position, words)

    def _compare_turn(
        self, position: Position, viewer: int | None, scene: Scene, reading: Reading, words: str
    ) -> None:
        names = position.seat_names
        to_move = {"chance" if seat == CHANCE else names[seat] for seat in position.to_move}
        require(reading.to_move == to_move, f"{to_move} to move", position, words)
        require(bool(reading.over) == (position.outcome is not None), "over", position, words)
        require(viewer is None or reading.seat == names[viewer], "the viewer", position, words)
        last = {place for mark in scene.marks if mark.role == LAST for place in mark.places}
        require({*reading.last} == last, "the last move", position, words)
        if reading.moves:
            moves = list(position.legal_moves(CHANCE if viewer is None else viewer))
            read = [_understand(position, viewer or 0, move) for move in reading.moves]
            require(read == moves, f"moves {moves}", position, words)

    def _compare_beside(
        self, position: Position, viewer: int | None, scene: Scene, reading: Reading, words: str
    ) -> None:
        moved, standing = (
            [[find_tokens(f"{role} {' '.join(on)}")] for role, on in marks.items()]
            for marks in (_group_marks(scene, moved=True), _group_marks(scene, moved=False))
        )
        expected = [*moved, *(list_wordings(panel, position.colours) for panel in scene.panels)]
        expected += standing
        expected += [[find_tokens(note)] for note in position.notes(viewer)]
        require(len(reading.beside) == len(expected), f"{reading.beside}", position, words)
        for sentence, wordings in zip(reading.beside, expected, strict=True):
            require(find_tokens(sentence) in wordings, f"{sentence}: {wordings}", position, words)

    def _compare_repeated(self, position: Position, viewer: int | None, words: str) -> None:
        """Check that equal words of equal boards mean that equal moves are legal."""
        before = self.seen.setdefault((viewer, words), position)
        if before is position:
            return
        self.repeated += 1
        was, facts = find_facts(before, viewer), find_facts(position, viewer)
        if was != facts:
            what = next(
                name for name in Facts._fields if getattr(was, name) != getattr(facts, name)
            )
            differing = {
                move for seat in facts.moves for move in {*facts.moves[seat]} ^ {*was.moves[seat]}
            }
            raise Different(
                f"same words, other {what}: {sorted(differing)[:9]}\n{words}\n"
                f"{position.encode()}\n{before.encode()}"
            )


def _group_marks(scene: Scene, *, moved: bool) -> dict[str, list[str]]:
    """Return the places of marks, by what their role is called: those of what the last move did,
    which is said right after it, or all others."""
    marks: dict[str, list[str]] = {}
    for mark in scene.marks:
        if is_said(mark) and mark.role != LAST and (mark.role in _DONE) == moved:
            role = ROLES.get(mark.role, mark.role)
            marks.setdefault(role, []).append(" to ".join(mark.places))
    return marks


def _list_mark_parts(scene: Scene, *, moved: bool) -> Iterator[list[tuple[str, ...]]]:
    """Yield what each sentence about such marks consists of."""
    for role, on in _group_marks(scene, moved=moved).items():
        yield [(role if isinstance(role, Phrase) else Phrase(role),)] + [
            (place.replace(" to ", " "),) for place in on
        ]


def _list_parts(
    position: Position, viewer: int | None, scene: Scene
) -> Iterator[list[tuple[str, ...]]]:
    """Yield what each sentence beside the board consists of, each part in the ways in which it may
    be written."""
    yield from _list_mark_parts(scene, moved=True)
    for panel in scene.panels:
        parts: list[tuple[str, ...]] = [(re.sub(r" ?\(.*\)", "", panel.title),)]
        for entry in panel.entries if not is_on_request(panel) else ():
            many = PLURALS.get(entry.kind, entry.kind + "s")
            kinds = (Phrase(str(entry.kind)), Phrase(many)) if entry.kind else ()
            if isinstance(entry.kind, EnglishWord):
                kinds = (entry.kind, Phrase(plural(entry.kind.message)))
            parts.append((entry.text, *kinds))
            parts += [(str(entry.count),)] * (entry.count > 1)
        yield parts
    yield from _list_mark_parts(scene, moved=False)
    for note in position.notes(viewer):
        yield [(note,)]


def find_facts(position: Position, viewer: int | None) -> Facts:
    """Return the facts of a position, as the viewer may know them."""
    moves = {seat: tuple(position.legal_moves(seat)) for seat in _seats_seen(position, viewer)}
    return Facts(_plain(position.scene(viewer)), position.key, moves)


def _seats_seen(position: Position, viewer: int | None) -> Sequence[int]:
    """Return the seats whose legal moves the viewer may know."""
    if position.game.info.features & {"hidden", "sealed"}:
        return () if viewer is None else (viewer,)
    return range(position.players)


def _understand(position: Position, seat: int, text: str) -> str:
    """Return the move that a typed text means."""
    try:
        return position.parse(text, seat)[0]
    except MoveError as error:
        try:
            return position.parse(respell(position, seat, text, error), seat)[0]
        except MoveError:
            raise Different(f"{text} is not understood: {error}") from None


def _plain(scene: Scene) -> Scene:
    """Return the scene with the bodies numbered in the order of places."""
    numbers: dict[int, int] = {0: 0}
    for piece in scene.pieces:
        numbers.setdefault(piece.body, len(numbers))
    return replace(
        scene, pieces=tuple(replace(piece, body=numbers[piece.body]) for piece in scene.pieces)
    )


def find_label(piece: Piece, scene: Scene) -> str:
    """Return what the words have to say of a label: numbers, the edges of ships on tiles. Letters
    only abbreviate the kind."""
    if piece.kind == "tile":
        return f"{piece.label} turned {piece.turned // 90}"
    on_tiles = any(each.kind == "tile" for each in scene.pieces)
    return piece.label if on_tiles or any(map(str.isdigit, piece.label)) else ""


def list_standings(scene: Scene, colours: Sequence[str]) -> Counter[Standing]:
    """Return what stands where, as a reader of the words should learn it. A shot at a ship is no
    stack."""
    standings: Counter[Standing] = Counter()
    on_places: dict[str, list[Piece]] = {}
    for piece in scene.pieces:
        if not piece.place.startswith("@"):  # the drawn tile in its rotations, not on the board
            on_places.setdefault(piece.place, []).append(piece)
    for place, pieces in on_places.items():
        is_stack = any(each.height and each.kind not in ("hit", "shot") for each in pieces)
        if is_stack and len({(each.kind, each.seat) for each in pieces}) == 1:
            pieces, is_stack = [replace(pieces[0], count=len(pieces))], False
        for level, piece in enumerate(pieces):
            colour = "" if piece.seat is None else colours[piece.seat]
            shows = find_label(piece, scene)
            at = level if is_stack else 0
            standings[place, piece.kind, colour, piece.count, shows, at] += 1
    return standings


def find_tokens(text: str) -> list[str]:
    """Return the words and numbers of a text, without those that only join."""
    if text == "-":
        return ["hidden"]
    text = re.sub(r" ?\(\^.*\)$", "", text).lower().replace("^", " arrow ").replace("*", "")
    tokens = [token.strip(".") for token in re.findall(r"[a-z0-9.]+", text)]
    return [token for token in tokens if token not in ("", *JOINING)]


def list_wordings(panel: Panel, colours: Sequence[str]) -> list[list[str]]:
    """Return what a panel may be called: with all its counts or, where each is 1, without any; its
    pieces by kind or by what they show; with or without the colour of its seat."""
    if is_on_request(panel):
        return [find_tokens(f"{panel.title} on request")]
    wordings = list[list[str]]()
    for by_kind, has_owner, has_owners in product((True, False), repeat=3):
        owner = [colours[panel.seat]] if has_owner and panel.seat is not None else []
        title = owner + find_tokens(panel.title)
        for has_counts in {True, any(entry.count != 1 for entry in panel.entries)}:
            tokens = list[str]()
            for entry in panel.entries:
                tokens += [colours[entry.seat]] if has_owners and entry.seat is not None else []
                if by_kind and entry.kind:
                    kind = PLURALS.get(entry.kind, entry.kind + "s")
                    many = entry.count > 1
                    tokens += (
                        [str(entry.count), *find_tokens(kind)] if many else find_tokens(entry.kind)
                    )
                elif re.search(r"\d", entry.text):
                    tokens += [str(entry.count)] * (entry.count > 1) + find_tokens(entry.text)
                else:
                    tokens += find_tokens(entry.text) + [str(entry.count)] * has_counts
            wordings.append(title + (tokens if panel.entries else ["nothing"]))
    return wordings


def play_randomly(
    game: Game, rng: random.Random, options: dict[str, Value], most: int = 1_000_000
) -> Iterator[tuple[Position, tuple[str, ...]]]:
    """Yield the positions of a random game with the last move. All moves are among the first
    `most`, and now and then a piece goes back, so that positions are repeated with another
    history."""
    position = rng.choice([*_list_starts(game, options)])
    last: tuple[str, ...] = ()
    own = dict[int, str]()
    yield position, last
    while position.to_move:
        seat = (
            min(position.to_move)
            if CHANCE in position.to_move
            else rng.choice(sorted(position.to_move))
        )
        question = position.chance
        moves = question.outcomes if question is not None else position.legal_moves(seat)
        move = moves[rng.randrange(min(most, len(moves)))]
        back = re.sub(r"^([a-z]+[0-9]+)([-x]?)([a-z]+[0-9]+)$", r"\3\2\1", own.get(seat, ""))
        if rng.random() < 0.4 and back in moves:
            move = back
        position = position.play(seat, move)
        if seat != CHANCE:
            own[seat], last = move, (move,)
        yield position, last


def _list_starts(game: Game, options: dict[str, Value]) -> Iterator[Position]:
    """Yield the first positions, for each number of players that the options allow."""
    for players in game.info.players:
        try:
            yield game.setup(players, options)
        except OptionError:
            continue


def check_game(game: Game, least: int, seed: int = 0, language: str = ENGLISH) -> tuple[int, int]:
    """Compare at least that many positions of a game, with various players and options. Return how
    many were compared, and how many of them had been seen before."""
    rng = random.Random(seed)
    chosen_options = [{}, *_choose_options(game, rng)]
    compared = 0
    comparisons = dict[tuple[int, str], Comparison]()
    while compared < least:
        options, is_narrow = rng.choice(chosen_options), rng.random() < 0.5
        length = SHORT if is_narrow else LONGEST
        moments = play_randomly(game, rng, options, most=NARROW if is_narrow else 1_000_000)
        for position, last in islice(moments, min(length, least - compared)):
            at = position.players, str(sorted(position.options.items()))
            comparison = comparisons.setdefault(at, Comparison(language=language))
            viewers: list[int | None] = [None, *range(position.players)]
            is_hiding = position.game.info.features & {"hidden", "sealed"}
            for viewer in viewers if is_hiding else [None, rng.randrange(position.players)]:
                comparison.compare(position, viewer, last)
                comparison.compare(position, viewer, ())
            compared += 1
    return compared, sum(comparison.repeated for comparison in comparisons.values())


def _choose_options(game: Game, rng: random.Random) -> Iterator[dict[str, Value]]:
    """Return two sets of options that the game allows."""
    allowed = 0
    while allowed < 2:
        options = random_options(game, rng)
        try:
            game.setup(game.info.players[0], options)
        except OptionError:
            continue
        allowed += 1
        yield options
