"""Moves as people type them: `1. e4`, `(e2 -> e4)`, `my move: e4!`. No game has to forgive such
things itself.

`respell` is asked only when the game has refused a text as it stands. It guesses nothing: a text
counts when it has exactly one reading that can be played to its end."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from pbm.rules.chance import CHANCE_TO_MOVE
from pbm.rules.errors import AmbiguousMove, IllegalMove, InvalidMove, MoveError
from pbm.rules.game import ENDING_WORDS, Position
from pbm.rules.phrases import phrase
from pbm.rules.turn_text import require_whole
from pbm.rules.typed import listing

_LONGEST = 1000
"""The longest text that is respelled."""
_MOST_ITEMS = 60
_MOST_ROUNDS = 4
_MOST_SUGGESTED = 3
_PAIRS = {"(": ")", "[": "]", "{": "}", "<": ">", '"': '"', "'": "'", "`": "`", "*": "*", "_": "_"}
# Patterns are compiled when they are needed: most moves are typed as the game writes them.
_END = r"[\s.!,;:]+\Z"
_SMILEY = (
    r"(?:(?:^|(?<=\s))(?:[:;=]'?-?[)(DPpo/|]|<3|\^\^|xD)"
    r"|[\U0001F300-\U0001FAFF\u2600-\u27BF]\ufe0f?)\Z"
)
_BULLET = r"(?:[-*\u2022]\s|[-=]*>+|[\u2192\u21d2])\s*"
_NUMBER = r"#?(\d{1,3})\s*(?:\.{1,3}|\)|:|-(?=\s))\s*(?=\S)"
_LEAD_IN = (
    r"(?i)(?:(?:my|our|the|this|next)\s+){0,2}(?:move|turn)s?(?:\s+(?:no\.?|number)?\s*\d{1,3})?"
    r"(?:\s+(?:is|will\s+be|are|would\s+be)\b\s*:?|\s*[:=]|\s+-)\s*"
    r"|(?:i|we)(?:\s+(?:will|would|shall)|'ll|'d)?(?:\s+like\s+to)?\s+(?:play|move|go|choose|try)"
    r"(?:\s+(?:with|from))?\s*:?\s+"
    r"|(?:here(?:'s|\s+is)|this\s+is)\s+(?:my|our)\s+(?:next\s+)?move\s*:?\s*"
    r"|(?:move|play|let's\s+play|from)\s+"
    r"|(?:mein|meine|unser)\s+zug(?:\s+ist\s*:?|\s*:)\s*|ich\s+(?:spiele|ziehe|setze)\s*:?\s+"
    r"|(?:mon|notre)\s+coup(?:\s+est\s*:?|\s*:)\s*|je\s+(?:joue|vais\s+jouer)\s*:?\s+"
    r"|mi\s+(?:jugada|movimiento)(?:\s+es\s*:?|\s*:)\s*|(?:yo\s+)?(?:juego|muevo)\s*:?\s+"
    r"|mijn\s+zet(?:\s+is\s*:?|\s*:)\s*|ik\s+(?:speel|zet)\s*:?\s+"
    r"|(?:in(?:to|\s+die)?\s+|dans\s+la\s+|en\s+la\s+)?"
    r"(?:column|colonne|columna|spalte|kolom)\s+(?=\S{1,2}\Z)"
)
_ARROW = r"(?i)\s*(?:-+>|=+>|>+|[\u2192\u21d2\u27a1])\s*|(?<=\w)\s+to\s+(?=\w)"
_AROUND = r"\s*([-,/:;])\s*"
_JOINERS = ("-", "/", "", " ", "x", ":")
"""Signs that games write between the places of one move."""
_PLACE = r"(?:[a-z]{1,2}\d{1,2}|\d{1,2}[a-z])"
_TWO_PLACES = rf"(?i)({_PLACE})\s*({_PLACE})"
_PLACES = rf"(?i){_PLACE}(?:{_PLACE})+"
_ONE_PLACE = rf"(?i){_PLACE}"
_TWO_WORDS = r"([\w.+]+)\s+([\w.+]+)"
_PASSING = {
    "pass": (
        *("pass", "i pass", "passe", "pass my turn", "i pass my turn"),
        *("ich passe", "je passe", "yo paso", "paso", "ik pas", "pas"),
    ),
    "skip": ("skip", "i skip", "skip my turn", "skip turn", "skip my move"),
    "end": ("end", "end turn", "end my turn", "end of turn", "that's all", "that is all"),
    "done": ("done", "i'm done", "i am done", "finished"),
}


def respell(
    position: Position, seat: int, text: str, error: MoveError, *, has_begun: bool = False
) -> str:
    """Return the text as the game reads it. `error` is why the game refused it as it stands, and
    `has_begun` says that earlier moves of the turn are played.

    Raise a MoveError: one that says what to write instead, or else `error`."""
    if len(text) > _LONGEST:
        raise error
    require_no_number(position, seat, text)
    core = undecorate(text, position, seat)
    cores = _end_turn(position, seat, core, has_begun=has_begun)
    readings = _find_readings(position, seat, (text for each in cores for text in _spell(each)))
    if len(readings) == 1:
        return next(iter(readings.values()))
    meant = list((readings or _find_readings(position, seat, _separate(core))).values())
    if len(meant) > 1:
        raise AmbiguousMove(
            phrase(
                "this could be {meant}: write one of them",
                meant=listing(meant[:_MOST_SUGGESTED], "or"),
            )
        )
    if meant:
        if meant[0].count(",") > core.count(","):
            raise InvalidMove(phrase("the commas are missing: write {meant}", meant=meant[0]))
        raise InvalidMove(
            phrase("the marks between the places are missing: write {meant}", meant=meant[0])
        )
    raise error


def read_letters(position: Position, seat: int, text: str, language: str) -> str:
    """Return the text with the game's letters of pieces for those of the player's language, if that
    makes it a move; see `Position.read_letters`. Raise AmbiguousMove where both are moves."""
    if len(text) > _LONGEST:
        return text
    for each in (text, *list_spellings(position, seat, text)):
        read = position.read_letters(each, seat, language)
        if read != each:
            return read
        if _play_through(position, seat, each):
            break
    return text


def is_playable(position: Position, seat: int, text: str, *, has_begun: bool = False) -> bool:
    """Whether the text can be played, respelled if need be; of a hidden game or before a roll, its
    first move."""
    if len(text) > _LONGEST:
        return False
    if _play_through(position, seat, text):
        return True
    try:
        respell(position, seat, text, InvalidMove(phrase("not as it stands")), has_begun=has_begun)
    except MoveError:
        return False
    return True


def ends_turn(text: str) -> bool:
    """Whether the text says that a turn is passed or ended, in whatever words."""
    words = " ".join(re.sub(_END, "", text).lower().split())
    return any(words in phrases for phrases in _PASSING.values())


def find_ending(position: Position, seat: int) -> str:
    """Return the word by which the seat can end its turn now; "" for none."""
    for word in ENDING_WORDS:
        try:
            move, rest = position.parse(word, seat)
            if move == word and not rest and position.play(seat, move).turn != position.turn:
                return word
        except MoveError:
            continue
    return ""


def require_no_number(position: Position, seat: int, text: str) -> None:
    """Refuse a text such as `1. f` where the number names a place of this game too: it may be two
    moves or one."""
    number = re.match(_NUMBER, text)
    if number is None or len(text) > _LONGEST or not _is_notation(position, seat, number[1]):
        return
    rest = re.sub(_END, "", text[number.end() :])
    if _play_through(position, seat, rest):
        both = f"{number[1]},{rest}"
        other = both if _play_through(position, seat, both) else number[1]
        raise AmbiguousMove(
            phrase(
                "'{number}' may be a number in front of the move, or a move: write {rest} or "
                "{other}",
                number=number[1],
                rest=rest,
                other=other,
            )
        )


def list_spellings(position: Position, seat: int, text: str) -> list[str]:
    """Return the text without decoration in all its spellings, if that makes it another; to
    recognise a move, not to play it."""
    core = undecorate(text[:_LONGEST], position, seat)
    return [] if core == text and not re.search(_ARROW, text) else list(dict.fromkeys(_spell(core)))


def undecorate(text: str, position: Position, seat: int) -> str:
    """Return the text without what people put around a move: brackets, quotes, `1.`, `my move:`,
    exclamation marks. Nothing is removed that could itself be a move."""
    for _ in range(_MOST_ROUNDS):
        before = text
        text = re.sub(_SMILEY, "", re.sub(_END, "", text.strip()))
        text = _unwrap(text)
        text = re.sub(_BULLET, "", text, count=1) if re.match(_BULLET, text) else text
        number = re.match(_NUMBER, text)
        if number and not _is_notation(position, seat, number[1]):
            text = text[number.end() :]
        lead_in = re.match(_LEAD_IN, text)
        if lead_in and lead_in.end() < len(text):
            text = text[lead_in.end() :]
        if text == before:
            break
    return text


def _unwrap(text: str) -> str:
    """Return the text without a pair of quotes or brackets around all of it."""
    if len(text) < 3 or _PAIRS.get(text[0]) != text[-1]:
        return text
    inner, opening, closing = text[1:-1], text[0], text[-1]
    depth = 0
    for letter in inner:
        depth += (letter == opening) - (letter == closing)
        if depth < 0 or (opening == closing and letter == opening):
            return text
    return inner.strip()


def _is_notation(position: Position, seat: int, text: str) -> bool:
    """Whether the game reads the text as a move, legal or not. Some games look at it no earlier
    than when it is played."""
    try:
        move, _rest = position.parse(text, seat)
        position.play(seat, move)
    except InvalidMove:
        return False
    except MoveError:
        return True
    return True


def _end_turn(position: Position, seat: int, core: str, *, has_begun: bool) -> list[str]:
    """Return the text with the game's own word for the end of a turn, if its last word means `done`
    or the like; else unchanged. Refuse that in a game without such a word."""
    head, comma, last = core.rpartition(",")
    words = " ".join(last.lower().split())
    kind = next((kind for kind, phrases in _PASSING.items() if words in phrases), "")
    if not kind or (words in ENDING_WORDS and _is_notation(position, seat, words)):
        return [core]
    own = [word for word in ENDING_WORDS if _is_notation(position, seat, word)]
    if not own:
        title = position.game.info.title
        if kind in ("pass", "skip"):
            raise IllegalMove(phrase("there is no passing in {title}", title=title))
        raise InvalidMove(phrase("there is no '{kind}' in {title}", kind=kind, title=title))
    if kind in ("end", "done") and not (has_begun or comma):
        return [core]  # It may be meant to end the game.
    if not comma and len(own) == 1:
        move, _rest = position.parse(own[0], seat)
        if move in ENDING_WORDS:
            position.play(seat, move)
    return [f"{head}{comma}{word}" for word in own]


def _spell(core: str) -> Iterator[str]:
    """Yield the spellings of a text that mean the same: arrows, blanks or nothing between two
    places."""
    yield core
    yield _squeeze(core)
    for joiner in _JOINERS:
        joined = _squeeze(re.sub(_ARROW, joiner, core))
        yield joined
        items = joined.split(",")
        if len(items) <= _MOST_ITEMS:
            yield ",".join(_join_two(item, joiner) for item in items)


def _squeeze(text: str) -> str:
    """Return the text without blanks beside commas and marks."""
    return re.sub(_AROUND, r"\1", text).replace(";", ",")


def _join_two(item: str, joiner: str) -> str:
    """Return `e2 e4` or `e2e4` with the joiner between the two cells; any other text unchanged."""
    match = re.fullmatch(_TWO_PLACES, item) or re.fullmatch(_TWO_WORDS, item)
    return f"{match[1]}{joiner}{match[2]}" if match else item


def _separate(core: str) -> Iterator[str]:
    """Yield the text with commas, or the game's marks, where it has blanks or nothing."""
    squeezed = _squeeze(core)
    split = re.sub(_PLACES, lambda run: " ".join(re.findall(_ONE_PLACE, run[0])), squeezed)
    for text in (squeezed, split):
        if " " in text:
            for joiner in (",", *_JOINERS):
                yield joiner.join(text.split())


def _find_readings(
    position: Position, seat: int, texts: Iterable[str]
) -> dict[tuple[str, ...], str]:
    """Return the different lines of play that the texts can be read as, each with its first
    text."""
    readings: dict[tuple[str, ...], str] = {}
    for text in dict.fromkeys(texts):
        if line := _play_through(position, seat, text):
            readings.setdefault(line, text)
    return readings


def _play_through(position: Position, seat: int, text: str) -> tuple[str, ...]:
    """Return the moves of a text that can be played to its end; () when it cannot. Of what a move
    would reveal nothing is tried: after it, the text counts as it stands."""
    turn, moves, rest = position.turn, list[str](), text.strip()
    is_open = not position.game.info.features & {"hidden", "sealed"}
    try:
        require_whole(position, seat, text)
        while rest and position.outcome is None and position.turn == turn:
            move, rest = position.parse(rest, seat)
            position, rest = position.play(seat, move), rest.strip()
            moves.append(move)
            if position.to_move == CHANCE_TO_MOVE or not is_open:
                return (*moves, rest)
    except MoveError:
        return ()
    return () if rest else tuple(moves)
