"""Game records in PGN, the format of chess programs (the 1994 standard, import and export format).

Moves are words here; the caller interprets them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from textwrap import wrap

from pbm.rules.chance import CHANCE
from pbm.rules.errors import InvalidMove, MoveError, RecordError
from pbm.rules.game import Position
from pbm.rules.options import Value
from pbm.rules.outcome import Outcome, Played
from pbm.rules.phrases import combine, get_text, phrase
from pbm.rules.typed import quoted

WON, LOST, DRAWN, OPEN = "1-0", "0-1", "1/2-1/2", "*"
"""The results: White has won, Black has, nobody has, and none yet."""
RESULTS = {WON: (1, 2), LOST: (2, 1), DRAWN: (1, 1)}
"""The ranks of White and Black."""
BOTH_LOST = "0-0"
"""The result of a game that neither player came to, as some programs write it."""
_SPELLINGS = {**{word: word for word in (*RESULTS, OPEN)}, "1/2": DRAWN, "\xbd-\xbd": DRAWN}
_COLUMNS = 78
_MOST_MOVES = 100_000
_ROSTER = {
    "Event": "?",
    "Site": "?",
    "Date": "????.??.??",
    "Round": "?",
    "White": "?",
    "Black": "?",
    "Result": OPEN,
}
"""The seven tags of every record, with their values for unknown data."""
_TOKEN = re.compile(
    r"""
      \{[^}]*\} | ;[^\n]* | ^%[^\n]* | \$[0-9]+                      # comments, escapes, NAGs
    | \[\s*(?P<bare>\w+)[^\S\n]+(?P<plain>[^"\s\]]+)\s*\]             # a tag without quotes
    | \[\s*(?P<name>\w[\w ]*?)\s+"(?:(?P<value>(?:[^"\\\n]|\\.)*)"\s*\]     # a tag
        | (?P<loose>[^\n]*)"\s*\][^\S\n]*$)                           # with unescaped quotes
    | (?P<bracket>[()])
    | (?P<word>[^\s{}();\[\]$]+)
    | (?P<other>\S)
    """,
    re.MULTILINE | re.VERBOSE | re.ASCII,
)
_NO_MOVE = re.compile(r"[0-9]+|[!?]+|(?!-+$)[-/+=±∓∞⩲⩱□]+|e\.?p\.?|N")
"""Numbers of moves, marks and judgements, which stand beside the moves; N is a novelty."""
_NUMBER = re.compile(r"^(?:[0-9]+(?=[.…]))?[.…]+")
_CLEANED = str.maketrans(
    {
        **dict.fromkeys("\ufeff\u200b\u200c\u200d\u2060\x1a"),
        **dict(zip("♔♕♖♗♘♚♛♜♝♞", "KQRBNKQRBN", strict=True)),
        **dict.fromkeys("♙♟"),
    }
)
"""Characters that programs leave between games and in words, and the letters of figurines."""
_BEGINS = re.compile(r"\s*(?:\[\s*\w+\s+\"|[0-9]+\s*\.)", re.ASCII)
_ASIDES = re.compile(r"\s*(?:\{[^}]*\}|;[^\n]*|%[^\n]*)")


@dataclass(slots=True)
class ParsedRecord:
    """A parsed record: its tags, the words of its moves, the result at its end ("" for none), its
    text, and where that ends in the file."""

    tags: dict[str, str] = field(default_factory=dict)
    words: list[str] = field(default_factory=list)
    result: str = ""
    text: str = ""
    end: int = 0


def result(played: Played) -> str:
    """Return the result as PGN writes it."""
    if played.outcome is None:
        return OPEN
    first, second = played.outcome.ranks
    return WON if first < second else LOST if second < first else DRAWN


def pgn(
    played: Played, words: Sequence[str], *, more: Mapping[str, str] | None = None, first: int = 0
) -> str:
    """Return a record of one game: its moves in `words`, the first by side `first`, `more` tags."""
    roster = {name: played.headers.get(name, unknown) for name, unknown in _ROSTER.items()}
    tags = {**roster, "Result": result(played), **(more or {})}
    if "Termination" in played.headers:
        tags["Termination"] = played.headers["Termination"]
    return lay_out(tags, _numbered(words, first, played.comments_by_turn()))


def lay_out(tags: Mapping[str, str], moves: Iterable[str]) -> str:
    """Return a record with these tags and moves, and the result behind them."""
    head = "".join(f'[{name} "{_escape(value)}"]\n' for name, value in tags.items())
    text = " ".join([*moves, tags["Result"]])
    return head + "\n" + "\n".join(wrap(text, _COLUMNS, break_on_hyphens=False)) + "\n"


def write_moves(start: Position, played: Played) -> list[str]:
    """Return the moves of a game from its first position on, as each position writes its own."""
    position, words = start, list[str]()
    for seat, move in played.moves:
        if seat != CHANCE:
            words.append(position.describe(seat, move, seat))
            position = position.play(seat, move)
    return words


def _numbered(words: Iterable[str], first: int, comments: Mapping[int, str]) -> Iterable[str]:
    """Yield the moves with their numbers, and the comments by the number of moves before them."""
    if 0 in comments:
        yield put_in_braces(comments[0])
    for ply, word in enumerate(words, first):
        if ply % 2 == 0:
            yield f"{ply // 2 + 1}. {word}"
        else:
            is_apart = ply == first or ply - first in comments
            yield f"{ply // 2 + 1}... {word}" if is_apart else word
        if ply - first + 1 in comments:
            yield put_in_braces(comments[ply - first + 1])


def put_in_braces(text: str) -> str:
    """Return a comment in braces; it cannot hold a closing one."""
    return f"{{{' '.join(text.replace('}', ')').split())}}}"


def _escape(value: str) -> str:
    """Return the value of a tag as it stands between quotes."""
    return " ".join(value.replace("\\", "\\\\").replace('"', '\\"').split())


# Parsing


def looks_like_record(text: str) -> bool:
    """Whether a text begins as a record does: with a tag or a move number."""
    at = 0
    while aside := _ASIDES.match(text, at):
        at = aside.end()
    return _BEGINS.match(text, at) is not None


def clean(text: str) -> str:
    """Return the text with ends of lines as \\n, and without what programs leave between games and
    in words."""
    return text.replace("\r\n", "\n").replace("\r", "\n").translate(_CLEANED)


def games(text: str) -> Iterator[ParsedRecord]:
    """Yield the games in a text, one after another, with moves as written; comments, variations and
    annotations are left out. RecordError if brackets are not closed or a sign means nothing in
    PGN."""
    return games_from(clean(text), 0)


def games_from(text: str, at: int) -> Iterator[ParsedRecord]:
    """Yield the games in a cleaned text from index `at`; see `games`."""
    game, begun, end, depth = ParsedRecord(), at, at, 0
    for token in _TOKEN.finditer(text, at):
        name, word, bracket = token["name"] or token["bare"], token["word"], token["bracket"]
        if token["other"]:
            raise RecordError(_unread(token["other"]), token.end())
        if bracket:
            depth += 1 if bracket == "(" else -1
            if depth < 0:
                raise RecordError(phrase("a ) closes no variation"), token.end())
        elif name and depth:
            raise RecordError(
                phrase("a variation, which begins with (, is not closed"), token.start()
            )
        elif (name and (game.words or game.result)) or (word and game.result and not depth):
            yield _finish(game, text[begun:end], end)
            game, begun = ParsedRecord(), token.start()
        if name:
            escaped, loose = token["value"], token["loose"] or token["plain"]
            value = re.sub(r"\\(.)", r"\1", escaped) if escaped is not None else loose
            game.tags.setdefault(name, " ".join(value.split()))
        elif word and not depth:
            if len(game.words) == _MOST_MOVES:
                raise RecordError(
                    phrase("a game has at most {number} moves", number=f"{_MOST_MOVES:,}"),
                    token.end(),
                )
            _take(game, word)
        end = token.end()
    if depth:
        raise RecordError(phrase("a variation, which begins with (, is not closed"), len(text))
    if game.tags or game.words or game.result:
        yield _finish(game, text[begun:end], end)


def _finish(game: ParsedRecord, text: str, end: int) -> ParsedRecord:
    """Return a game that has been read. 0-0 at its end is a result if the tag says so, too."""
    game.text, game.end = text, end
    if game.tags.get("Result") == BOTH_LOST and game.words[-1:] == [BOTH_LOST]:
        game.words.pop()
    return game


def _take(game: ParsedRecord, word: str) -> None:
    """Add a word: the result, a move, or something that is neither."""
    if word in _SPELLINGS:
        game.result = _SPELLINGS[word]
        return
    word = _NUMBER.sub("", word)
    if word and not _NO_MOVE.fullmatch(word):
        game.words.append(word)


def _unread(sign: str) -> str:
    if sign == "{":
        return phrase("a comment, which begins with {brace}, is not closed", brace="{")
    return phrase("{sign} is neither a tag, a comment nor a move", sign=quoted(sign))


def read(text: str) -> ParsedRecord:
    """Return the first game in a text; see `games`."""
    for game in games(text):
        return game
    raise RecordError(phrase("there is no game in it"))


Reads = Callable[[Position, str, int], str]


def parse_word(position: Position, word: str, seat: int) -> str:
    """Return the move that a player would play by typing that word."""
    move, left = position.parse(word, seat)
    if left:
        raise InvalidMove(phrase("{left} is left over", left=quoted(left)))
    return move


def replay(
    record: ParsedRecord,
    start: Position,
    reads: Reads = parse_word,
    *,
    options: Mapping[str, Value] | None = None,
    white: int = 0,
) -> Played:
    """Return the game in a record, replayed from its first position; `white` is the seat of White.
    The outcome is that of the last position, or else what the record says. RecordError for a move
    that cannot be played, or a result that contradicts the board."""
    position, moves = start, list[tuple[int, str]]()
    for number, word in enumerate(record.words):
        place = f"move {number // 2 + 1}"
        if position.outcome is not None:
            raise RecordError(
                phrase(
                    "{place}: {word} comes when the game is over: {reason}",
                    place=place,
                    word=quoted(word),
                    reason=position.outcome.reason,
                )
            )
        (seat,) = position.to_move
        try:
            move = reads(position, word, seat)
            position = position.play(seat, move)
        except MoveError as error:
            reason = get_text(error)
            if word.lower() not in reason.lower() and quoted(word) not in reason:
                reason = combine("{word}: {reason}", word=quoted(word), reason=reason)
            raise RecordError(
                phrase(
                    "{seat_name}'s {place}: {reason}",
                    seat_name=start.seat_names[seat],
                    place=place,
                    reason=reason,
                )
            ) from None
        moves.append((seat, move))
    names = {"White": "Black", "Black": "White"} if white else {}
    headers = {names.get(name, name): value for name, value in record.tags.items()}
    outcome = _outcome(record, position, white)
    played = Played(2, start.options if options is None else options, moves, outcome, headers)
    headers["Result"] = result(played)
    return played


def _outcome(record: ParsedRecord, position: Position, white: int) -> Outcome | None:
    """Return how the game ended: by its last position, or else as the record says."""
    result_text = _result(record)
    ranks = RESULTS.get(result_text)
    if white and ranks:
        ranks = (ranks[1], ranks[0])
    outcome = position.outcome
    if outcome is None:
        return Outcome(ranks, phrase("as the record says")) if ranks else None
    if ranks not in (None, outcome.ranks):
        raise contradict(result_text, outcome)
    return outcome


def contradict(result_text: str, outcome: Outcome) -> RecordError:
    """Return the error of a record that gives another result than its moves have."""
    return RecordError(
        phrase(
            "the result is {result_text}, but the moves end otherwise: {reason}",
            result_text=result_text,
            reason=outcome.reason,
        )
    )


def _result(record: ParsedRecord) -> str:
    """Return the result in the tag or at the end of the moves; RecordError if they differ."""
    tag = record.tags.get("Result", "")
    if tag == BOTH_LOST:
        raise RecordError(
            phrase("its result, 0-0, says that both have lost, as no board here can end")
        )
    tagged = _SPELLINGS.get(tag, "" if tag in ("", "?") else tag)
    if tagged not in ("", *RESULTS, OPEN):
        raise RecordError(
            phrase("{tagged} is no result; one is 1-0, 0-1, 1/2-1/2 or *", tagged=quoted(tagged))
        )
    results = [one for one in (tagged, record.result) if one in RESULTS]
    if len(set(results)) > 1:
        raise RecordError(
            phrase(
                "the tag Result says {result}, the end of the moves {other_result}",
                result=results[0],
                other_result=results[1],
            )
        )
    return results[0] if results else OPEN
