"""The lines of a plan: `if b1,c1,d1,d2 then e2,f2,g2,e3 if any then resign`, a line a branch.

Only the words `if` and `then` are read here; what stands between them is for the game to read."""

from __future__ import annotations

import re
from collections.abc import Sequence

from pbm.core.board import Board
from pbm.core.call import Call
from pbm.core.command import Command
from pbm.core.feature import UnnamedLines
from pbm.core.refusal import RefusalCode
from pbm.core.talk import LONGEST_MOVE, is_notation
from pbm.core.words import parse_board_number, tidy, trim_word
from pbm.locale.words import fold, list_meanings, map_command_words
from pbm.rules import CHANCE_TO_MOVE, Position
from pbm.rules.phrases import phrase

FORM = "GAME plan {board} {user} PASSWORD if MOVE then MOVE"
_SPELLED = {
    spelling: word
    for spelling, words in map_command_words().items()
    for word in words & {"if", "then"}
}
"""Words of plans, by the spellings that players use."""
_IF = "|".join(spelling for spelling, word in _SPELLED.items() if word == "if")
_PLAN_WORDS = re.compile(rf"(?<!\S)({'|'.join(_SPELLED)})(?!\S)", re.IGNORECASE)
_INLINE = re.compile(rf";\s*(?=(?:{_IF})\b)", re.IGNORECASE)
_PLACE = re.compile(r"#?([1-9][0-9]{0,2}(?:\.[1-9][0-9]{0,2})*)\.?")
_LONGEST = 1000
_EVENTS = ("any", "resign", "propose", "accept")
"""Words that stand for a move in a plan."""


def is_plan_line(line: str) -> bool:
    """Whether a line is a branch of a plan: it begins with `if` and contains `then`."""
    first, words, _ = split_line(tidy(line))
    return not first and words[:1] == ["if"] and "then" in words


def split_line(line: str) -> tuple[str, list[str], list[str]]:
    """Return the text before the first `if` or `then` of a line, these words in English, whatever
    their language, and the text behind each."""
    first, *parts = _PLAN_WORDS.split(line)
    return first.strip(), [_SPELLED[fold(word)] for word in parts[::2]], parts[1::2]


def _split_segments(line: str) -> list[str]:
    """Return the texts between the words `if` and `then`; the whole line when it has neither."""
    first, _, parts = split_line(tidy(line))
    return [part.strip() for part in (first, *parts) if part.strip()]


def read_word(text: str) -> str:
    """Return the English word of a plan that a text means, such as `any` or `resign`, in any
    language; a move is returned unchanged."""
    word = fold(text).rstrip(".!")
    meanings = {word, *map_command_words().get(word, ()), *list_meanings(word)}
    if "draw" in meanings:
        return "propose"
    return next((each for each in sorted(meanings) if each in _EVENTS), text)


def take_plan(text: str) -> tuple[str, tuple[str, ...]]:
    """Separate a text into the text without the plan, and the plan's lines. A line that is indented
    more than the one above, or begins with `then`, continues its branch."""
    kept, plan, branch = list[str](), list[str](), ""
    for line in text.split("\n") if text else ():
        if branch and _is_continued(branch, line):
            plan[-1] += f" {tidy(line)}"
        elif is_plan_line(line):
            plan.append(tidy(line))
            branch = line
        else:
            kept.append(line)
            branch = ""
    return "\n".join(kept).strip(), tuple(plan)


def join_lines(text: str) -> tuple[str, ...]:
    """Return the branches of a text that contains only a plan: a line each, or separated by
    semicolons before `if`; continued as in `take_plan`."""
    lines, branch = list[str](), ""
    for line in text.split("\n"):
        if branch and _is_continued(branch, line):
            lines[-1] += f" {tidy(line)}"
        elif line.strip():
            lines += _INLINE.split(tidy(line))
            branch = line
    return tuple(lines)


def _is_continued(branch: str, line: str) -> bool:
    """Whether a line continues the branch that begins with another line."""
    is_indented = _indentation(line) > _indentation(branch)
    first, words, _ = split_line(tidy(line))
    return bool(line.strip()) and (is_indented or (not first and words[:1] == ["then"]))


def _indentation(line: str) -> int:
    line = line.expandtabs()
    return len(line) - len(line.lstrip())


def read_place(words: Sequence[str]) -> str:
    """Return the number of a branch (`#2.1`, `2.1`) if the words are only that; else ""."""
    match = _PLACE.fullmatch(words[0]) if len(words) == 1 else None
    return match[1] if match else ""


def has_moves(line: str, position: Position) -> bool:
    """Whether a line with `if` or `then` contains moves, or words that stand for them in a plan."""
    segments = _split_segments(line[:_LONGEST])
    if segments == [tidy(line)] or not position.to_move or position.to_move == CHANCE_TO_MOVE:
        return False
    return any(
        read_word(segment) in _EVENTS or is_notation(position, segment)
        for segment in segments
        if len(segment) <= LONGEST_MOVE
    )


def _take_from(call: Call, board: Board) -> tuple[str, tuple[str, ...]]:
    """Split the text below a move as `take_plan` does, if its lines hold moves on the board."""
    text, plan = take_plan(call.command.text)
    if not any(has_moves(line, board.position) for line in plan):
        return call.command.text, ()
    _require_whole(call, board)
    return text, plan


UNNAMED = UnnamedLines(is_plan_line, _take_from, has_moves)


def read_lines(call: Call, board: Board) -> tuple[str, ...]:
    """Return the lines of the plan that a command consists of."""
    _require_whole(call, board)
    return join_lines(f"{call.command.rest}\n{call.command.text}")


def _require_whole(call: Call, board: Board) -> None:
    """Refuse a plan whose end was cut off: what remains of its last move may be another move."""
    if call.command.is_cut:
        raise board.make_refusal(
            RefusalCode.LIMIT_REACHED,
            phrase(
                "the text is longer than {most} characters, too long for a plan: send fewer "
                "branches",
                most=call.config.limits.text,
            ),
            FORM.replace("GAME", board.game.info.name, 1),
        )


def split_place(command: Command, rest: list[str]) -> list[str]:
    """Move the number of a branch behind the other words: `17#2.1 ann PASSWORD`, `#2.1`, or `2` in
    a reply. After the word of a game a number is that of a board (`cradle plan 17`)."""
    if not rest:
        return rest
    board, _, place = trim_word(rest[0]).lstrip("#").partition("#")
    if place and parse_board_number(board):
        return [board, *rest[1:], f"#{place}"]
    here = command.sender.board
    if len(rest) != 1 or not here or not (place := read_place(rest)):
        return rest
    is_board = bool(command.game) and place == rest[0].rstrip(".")
    return rest if is_board else [str(here), f"#{place}"]
