"""The conformance suite: turns, legal moves, stored positions, pictures, endings, resigning."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import fields, is_dataclass
from itertools import permutations
from math import isfinite
from typing import Any

from pbm.rules.chance import CHANCE, CHANCE_TO_MOVE
from pbm.rules.errors import IllegalMove, InvalidMove, MoveError
from pbm.rules.game import Position
from pbm.rules.outcome import Outcome
from pbm.rules.testing.nonconforming import Log, Nonconforming, play_listed, require
from pbm.rules.testing.scene_checks import check_scene, check_steps
from pbm.rules.testing.showing_checks import check_marks, check_signs
from pbm.rules.testing.topics import (
    AMBIGUITY,
    CHANCE_QUESTIONS,
    ENDING,
    ENDLESS,
    LEGALITY,
    MOVES,
    PARSING,
    PICTURE,
    RESIGNING,
    SHARING,
    SPEECH,
    STANDING,
    STORAGE,
    TURNS,
    Topic,
)

COLUMNS = 78
"""The widest line a board may have in a mail."""
SPOKEN = 200
"""The longest line of a board in words."""
_COMPARED = 60
"""The longest list of moves of which all are compared with each other."""
_VIEWERS, _SOME = 12, 4
"""The most seats that all look at each board; of more seats only some do."""

_DROP = re.compile(r"\A\+?[A-Z](?=@)")
"""The piece of a drop as chess programs write it, P@e5: the one capital in a stored move."""
_NONSENSE = (
    "",
    "?",
    "zz99",
    "a1-",
    "0",
    "pass pass",
    "b1,,",
    "x" * 300,
    "\u00e9",
    "a1\n",
    " a1",
    "-1",
)


def check_turn(position: Position) -> None:
    """Check that whose turn it is, what chance is asked and whether it is over agree."""
    over = position.outcome is not None
    is_clause = isinstance(position.claim, str)
    require(is_clause, "`claim` says why a draw may be claimed now, or is empty", ENDING)
    for name in ("standing", "outlook"):
        _check_points(position, name)
    _check_standing_at_end(position)
    require(over == (not position.to_move), "it is over exactly when nobody is to move", TURNS)
    require(
        (CHANCE in position.to_move) == (position.to_move == CHANCE_TO_MOVE),
        "chance moves alone",
        CHANCE_QUESTIONS,
    )
    question = position.chance
    require(
        (question is not None) == (position.to_move == CHANCE_TO_MOVE),
        "there is a question exactly when chance is to move",
        CHANCE_QUESTIONS,
    )
    if question is not None:
        require(question.outcomes, "a question has possible answers", CHANCE_QUESTIONS)
        require(
            list(position.legal_moves(CHANCE)) == list(dict.fromkeys(question.outcomes)),
            "the legal moves of chance are the possible answers, each once",
            CHANCE_QUESTIONS,
        )
    playing = position.playing
    require(over or position.to_move - {CHANCE} <= playing, "who moves is playing", TURNS)


def _check_points(position: Position, name: str) -> None:
    """Check that `standing` or `outlook` is a finite number for each seat, or None."""
    points = getattr(position, name)
    if points is None:
        return
    has_all = isinstance(points, tuple) and len(points) == position.players
    require(has_all, f"the {name} has a number for each seat: {points!r}", STANDING)
    is_finite = all(isinstance(one, int | float) and isfinite(one) for one in tuple(points))
    require(is_finite, f"the {name} consists of finite numbers: {points!r}", STANDING)


def _check_standing_at_end(position: Position) -> None:
    """Check that at the end nobody with less is ranked above a seat still playing."""
    standing, outcome = position.standing, position.outcome
    if standing is None or outcome is None:
        return
    for one, other in permutations(position.playing, 2):
        require(
            standing[one] >= standing[other] or outcome.ranks[one] > outcome.ranks[other],
            "at the end the standing agrees with the ranks",
            STANDING,
        )


def check_rough_key(position: Position, keys: dict[str | None, str]) -> None:
    """Check that a rough key, if any, does not tell positions apart that are the same; `keys` has
    those of the game so far by their keys."""
    rough = position.rough_key
    if rough is not None:
        is_same = keys.setdefault(position.key, rough) == rough and position.key is not None
        require(is_same, "positions with an equal `key` have an equal `rough_key`", ENDLESS)


def check_encoding(position: Position, *, looks: bool) -> None:
    """Check that a position survives being stored."""
    text = position.encode()
    require("\n" not in text, "an encoded position is one line", STORAGE)
    copy = position.game.decode(text)
    require(copy.encode() == text, "encode and decode are inverse", STORAGE)
    for name in (
        *("to_move", "turn", "playing", "outcome", "chance", "key", "players", "seat_names"),
        *("standing", "outlook"),
    ):
        require(
            getattr(copy, name) == getattr(position, name),
            f"a decoded position has its {name}",
            STORAGE,
        )
    require(
        dict(copy.options) == dict(position.options),
        "a decoded position has its options",
        STORAGE,
    )
    if not looks:
        return
    if is_dataclass(position) and type(position).__eq__ is not object.__eq__:
        lost = [
            one.name
            for one in fields(position)
            if one.compare and getattr(copy, one.name) != getattr(position, one.name)
        ]
        require(not lost, f"a decoded position has its {', '.join(lost)}", STORAGE)
    dumped = list(_walk(position.dump()))
    floats = [part for part in dumped if isinstance(part, float)]
    require(not floats, f"a stored position has whole numbers and words, not {floats[:1]}", STORAGE)
    phrases = [part for part in dumped if isinstance(part, str) and type(part) is not str]
    require(not phrases, f"a text is stored as `pack` writes it, not {phrases[:1]}", STORAGE)
    for name, part in _walk_fields(position):
        _check_part(name, part, dumped)
    require(copy.render() == position.render(), "a decoded position looks the same", STORAGE)
    require(copy.scene() == position.scene(), "a decoded position has its scene", STORAGE)


def _check_part(name: str, part: object, dumped: Sequence[object]) -> None:
    """Check a value inside a position: it cannot be changed in place, and its order is stored."""
    is_mutable = isinstance(part, (list, set, dict, bytearray))
    require(
        not is_mutable,
        f"`{name}` consists of what nobody can change, but has a {type(part).__name__}",
        SHARING,
    )
    if isinstance(part, frozenset) and len(part) > 1:
        for listed in dumped:
            is_it = isinstance(listed, (list, tuple)) and _has_the_same(listed, part)
            require(
                not is_it or listed in (sorted(part), tuple(sorted(part))),
                f"the set `{name}` is stored in one order: `dump` writes sorted(self.{name})",
                STORAGE,
            )


def _has_the_same(listed: Sequence[object], part: frozenset[object]) -> bool:
    is_plain = all(isinstance(one, (int, str)) for one in listed)
    return is_plain and len(listed) == len(part) and part == {*listed}


def _walk_fields(position: Position) -> Iterator[tuple[str, object]]:
    """Yield everything inside the compared fields of a position, but its options."""
    if is_dataclass(position):
        for one in fields(position):
            if one.compare and one.name != "options":
                for part in _walk(getattr(position, one.name)):
                    yield one.name, part


def _walk(value: Any) -> Iterator[object]:
    yield value
    if isinstance(value, (list, tuple, set, frozenset)):
        for part in value:
            yield from _walk(part)
    elif isinstance(value, Mapping):
        for part in value.values():
            yield from _walk(part)


def choose_viewers(position: Position, rng: random.Random) -> list[int | None]:
    """Return the viewers of a board: a spectator and all seats, or some of many."""
    seats = range(position.players)
    return [None, *(seats if len(seats) <= _VIEWERS else rng.sample(seats, _SOME))]


def check_text(position: Position, rng: random.Random, *, looks: bool) -> None:
    """Check pictures, words and news."""
    features = position.game.info.features
    viewers = choose_viewers(position, rng)
    everyone = position.outcome or {"hidden", "sealed"} & features
    chosen = viewers[position.turn % len(viewers)]
    moves: Sequence[str] = ()
    if position.to_move and position.to_move != CHANCE_TO_MOVE:
        moves = position.legal_moves(min(position.to_move))
    if not {"hidden", "sealed", "turned"} & features and not position.turns_board:
        is_same = position.turn % 5 or position.picture(0) == position.picture(viewers[-1])
        require(is_same, "everybody sees the same picture", PICTURE)
    for viewer in viewers:
        last = (rng.choice(moves),) if moves and rng.random() < 0.5 else ()
        if not everyone and viewer != chosen:  # they hardly differ, and drawing is slow
            continue
        if looks:
            check_scene(position, viewer, last)
            check_signs(position, viewer)
            _check_words(position.words(viewer, last))
        check_picture(position, viewer, last)
    for sentence in position.news:
        is_plain = sentence.isascii() and sentence.isprintable()
        require(is_plain, f"not plain ASCII: {sentence!r}", PICTURE)


def check_picture(position: Position, viewer: int | None, last: Sequence[str]) -> None:
    """Check that a mail can show the picture."""
    text = position.render(viewer, last)
    require(text.strip(), "a board shows something", PICTURE)
    check_lines(text, "a line", PICTURE)


def check_lines(text: str, what: str, topic: Topic) -> None:
    """Check that lines fit into a mail."""
    for line in text.split("\n"):
        require(len(line) <= COLUMNS, f"{what} is wider than {COLUMNS} columns: {line!r}", topic)
        is_plain = line.isascii() and (line.isprintable() or not line)
        require(is_plain, f"{what} is not plain ASCII: {line!r}", topic)


def _check_words(words: str) -> None:
    require(words.strip(), "the words say something", SPEECH)
    for line in words.split("\n"):
        require(len(line) <= SPOKEN, f"a line of words is longer than {SPOKEN}: {line!r}", SPEECH)
        require(line.isascii() and line.isprintable(), f"not plain ASCII: {line!r}", SPEECH)


def check_outcome(outcome: Outcome, players: int) -> None:
    """Check that every seat has its rank."""
    require(len(outcome.ranks) == players, "every seat is ranked", ENDING)
    require(outcome.reason, "an outcome has a reason", ENDING)
    is_line = outcome.reason.isascii() and outcome.reason.isprintable()
    require(is_line, f"a reason is one line of plain ASCII, not {outcome.reason!r}", ENDING)
    is_clause = not outcome.reason.rstrip().endswith(".")
    require(is_clause, f"a reason has no full stop, which the mail adds: {outcome.reason}", ENDING)
    for rank in outcome.ranks:
        better = sum(other < rank for other in outcome.ranks)
        require(rank == better + 1, "a rank is 1 + the number of seats that did better", ENDING)


def check_end(position: Position, outcome: Outcome) -> None:
    """Check a position that is over."""
    check_outcome(outcome, position.players)
    for seat in range(position.players):
        require(not position.legal_moves(seat), "nothing is legal when it is over", LEGALITY)
        check_refusal(position, seat, "pass")
    check_picture(position.uncovered(), None, ())


def check_moves(
    position: Position, seat: int, rng: random.Random, earlier: Sequence[str], *, looks: bool
) -> None:
    """Check the list of moves of a seat on the move, and moves outside it."""
    moves = position.legal_moves(seat)
    require(len(moves) > 0, f"seat {seat} is on the move and has one", MOVES)
    legal = set(moves)
    require(len(legal) == len(moves), "each legal move is listed once", MOVES)
    is_stable = list(position.legal_moves(seat)) == list(moves)
    require(is_stable, "the list of moves is stable", MOVES)
    some = rng.sample(list(moves), min(4, len(moves)))
    for move in some:
        bare = _DROP.sub("", move)
        is_lower = bare == bare.lower()
        is_plain = move.isascii() and move.isprintable() and move == move.strip() and is_lower
        require(is_plain, f"{move!r} is lower case and plain ASCII", MOVES)
    if looks and len(moves) <= _COMPARED:
        _check_descriptions(position, seat, moves)
    if looks:
        check_steps(position, seat, moves, some[:1])
        check_suggestion(position, seat)
        if "hidden" not in position.game.info.features:
            check_marks(position, seat, some[0])
    for move in some:
        _check_move(position, seat, move)
        _check_doubt(position, seat, move)
        _check_rest(position, seat, move)
    strange = [*_NONSENSE, *earlier, *(_mutations(rng.choice(list(moves)), rng))]
    for text in strange:
        if text not in legal:
            check_refusal(position, seat, text)
        try:
            parsed, _rest = position.parse(text, seat)
        except MoveError as error:
            require(str(error), "an error has a text", LEGALITY)
        else:
            require(parsed, "a parsed move is not empty", PARSING)
            means = text.strip().lower()
            is_guess = means in legal and parsed in legal and parsed != means
            require(not is_guess, f"{text!r} is read as {means!r}, not as {parsed!r}", PARSING)


def _check_move(position: Position, seat: int, move: str) -> None:
    following = play_listed(position, seat, move, LEGALITY)
    try:
        first, implied = position.parse(move, seat)
    except MoveError as error:
        raise Nonconforming(f"{move!r} parses to itself; refused: {error}", PARSING) from error
    require(first == move, f"{move!r} parses to itself, not to {first!r}", PARSING)
    is_turn = following.turn > position.turn
    require(is_turn or not position.moves_once, f"{move!r} ends the turn: `moves_once`", TURNS)
    if implied:  # the rules say that the end of the turn is implied
        is_one = following.parse(implied, seat) == (implied, "")
        require(is_one, f"{implied!r} is one move", PARSING)
        ended = following.play(seat, implied)
        is_ending = ended.turn > position.turn
        require(is_ending, f"{implied!r} after {move!r} ends the turn", PARSING)
    for viewer in (None, *range(position.players)):
        words = position.describe(seat, move, viewer)
        is_plain = words and words.isascii() and words.isprintable()
        require(is_plain, f"{move!r} is described", PICTURE)
    require(following.encode() != position.encode(), f"{move!r} changes the position", LEGALITY)


def _check_rest(position: Position, seat: int, move: str) -> None:
    """Check that `parse` returns the text after a move, or refuses it: nothing typed may be
    lost."""
    for tail in ("zz99 qq", "qq88"):
        try:
            first, rest = position.parse(f"{move} {tail}", seat)
        except MoveError:
            continue
        is_left = first != move or tail[-4:].strip() in rest.lower()
        what = f"`parse` leaves {tail!r} of '{move} {tail}', or refuses the line; it left {rest!r}"
        require(is_left, what, PARSING)


def check_suggestion(position: Position, seat: int) -> None:
    """Check that the move which newcomers are shown can be played."""
    text = position.suggest(seat)
    try:
        move, _ = position.parse(text, seat)
        position.play(seat, move)
    except MoveError as error:
        what = f"`suggest` gives a move that can be played; {text!r} was refused: {error}"
        raise Nonconforming(what, PARSING) from error


def _check_descriptions(position: Position, seat: int, moves: Sequence[str]) -> None:
    """Check that a player can tell each move from the others by its description, and by more than
    punctuation."""
    described: dict[str, str] = {}
    spelled: dict[str, str] = {}
    for move in moves:
        text = position.describe(seat, move, seat)
        other = described.setdefault(text, move)
        require(other == move, f"{other!r} and {move!r} are not both called {text!r}", AMBIGUITY)
        other = spelled.setdefault("".join(filter(str.isalnum, move)), move)
        if other != move:
            differ = position.play(seat, other).encode() != position.play(seat, move).encode()
            require(differ, f"{other!r} and {move!r} are two moves, not two spellings", MOVES)


def _check_doubt(position: Position, seat: int, move: str) -> None:
    """Check that a game which hides something does not take `or MOVE` for notation: a line such as
    `b5 or b6` would be played in part."""
    if not position.game.info.features & {"hidden", "sealed"}:
        return
    text = f"or {move}"
    try:
        first, _rest = position.parse(text, seat)
        position.play(seat, first)
    except InvalidMove:
        return
    except MoveError:
        pass
    raise Nonconforming(f"{text!r} is no notation: raise InvalidMove", PARSING)


def _mutations(move: str, rng: random.Random) -> Iterator[str]:
    for _ in range(3):
        at = rng.randrange(len(move))
        yield move[:at] + rng.choice("abcdefgh12345,-x@:/ ") + move[at + 1 :]
    yield move.upper() if move.upper() != move else move + move
    yield move + " "


_LETTERS = re.compile(r"[^\W\d_]{2}")
_CODE = re.compile(
    r"(?<![-\w])[a-z_]{2,}=(?:['\"\[({\d]|None|True|False)|[\[({]'|<[\w.]+ (?:object )?at 0x"
)
"""What the text of an object has and a sentence has not."""


def check_refusal(position: Position, seat: int, move: str) -> None:
    """Check that an unlisted move is refused, with a reason."""
    try:
        position.play(seat, move)
    except MoveError as error:
        require(str(error), "an error has a text", LEGALITY)
        is_line = len(str(error).splitlines()) == 1
        require(is_line, f"a refusal is one line, not {str(error)!r}", LEGALITY)
        says = _LETTERS.search(str(error).replace(move, ""))
        require(says, f"a refusal says what is wrong, not only {str(error)!r}", LEGALITY)
        code = _CODE.search(str(error).replace(move, ""))
        what = f"a refusal is a sentence for people, without {code and code[0]!r}"
        require(code is None, what, LEGALITY)
    else:
        what = f"{move!r} is refused: it is not listed for seat {seat}, and was played"
        raise Nonconforming(what, LEGALITY)


def check_outsiders(position: Position) -> None:
    """Check that only playing seats can resign."""
    outsiders = set(range(position.players)) - position.playing
    for seat in [*outsiders, position.players, CHANCE]:
        try:
            position.resign(seat)
        except IllegalMove:
            continue
        raise Nonconforming(f"seat {seat} cannot resign", RESIGNING)


def _check_loser(after: Position, outcome: Outcome, seat: int) -> None:
    """Check that a seat which resigned ranks below those that play on."""
    names = after.seat_names
    for other in after.playing - {seat}:
        is_below = outcome.ranks[seat] > outcome.ranks[other]
        what = f"who resigns loses to those still playing; {names[seat]} does not to {names[other]}"
        require(is_below, what, RESIGNING)


def check_deserters(position: Position, outcome: Outcome, log: Log) -> None:
    """Check that at the end seats that resigned on the way rank below the others."""
    for seat, move in log:
        if move == "resign":
            _check_loser(position, outcome, seat)


def check_resignations(position: Position) -> None:
    """Check the board after each of its seats resigns now."""
    if position.to_move == CHANCE_TO_MOVE:  # nobody waits for this position
        return
    for seat in sorted(position.playing):
        try:
            after = position.resign(seat)
            name = position.seat_names[seat]
            is_gone = seat not in after.playing
            require(is_gone, f"who resigned no longer plays, but {name} does", RESIGNING)
            check_turn(after)
            if after.outcome is not None:
                check_outcome(after.outcome, after.players)
                _check_loser(after, after.outcome, seat)
            for mover in after.to_move - {CHANCE}:
                has_moves = len(after.legal_moves(mover)) > 0
                require(has_moves, f"seat {mover} is on the move and has one", RESIGNING)
            check_encoding(after, looks=False)
        except Nonconforming as fault:
            what = f"after {position.seat_names[seat]} resigns here: {fault.what}"
            raise Nonconforming(what, RESIGNING) from fault
