"""The grammar of plans: `if b1,c1,d1,d2 then e2,f2,g2,e3 if any then resign`, a line a branch.

Only the words `if` and `then` are read here; what stands between them is for the game to read."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from pbm.core.kernel.language.words import tidy
from pbm.core.kernel.refusal import Refusal, RefusalCode
from pbm.rules.phrases import phrase

FORM = "GAME plan {board} {user} PASSWORD if MOVE then MOVE"
_WORDS = re.compile(r"(?<!\S)(if|then)(?!\S)", re.IGNORECASE)
_INLINE = re.compile(r";\s*(?=if\b)", re.IGNORECASE)
_PLACE = re.compile(r"#?([1-9][0-9]{0,2}(?:\.[1-9][0-9]{0,2})*)\.?")


class Step(NamedTuple):
    """A part of a branch: what somebody else does, or what is answered."""

    is_answer: bool
    text: str


class Line(NamedTuple):
    """A branch as typed, and the number of its line."""

    number: int
    steps: tuple[Step, ...]


def is_plan_line(line: str) -> bool:
    """Whether a line is written as a branch of a plan: it begins with `if` and has a `then`."""
    words = [word.lower() for word in _WORDS.findall(line)]
    return words[:1] == ["if"] and "then" in words and tidy(line)[:3].lower() == "if "


def split_segments(line: str) -> list[str]:
    """Return what stands between the words `if` and `then`; the whole line when it has neither."""
    return [part.strip() for part in _WORDS.split(tidy(line))[::2] if part.strip()]


def take_plan(text: str) -> tuple[str, tuple[str, ...]]:
    """Split the text of a mail into (what is no plan, the lines of the plan). A line that is
    indented more than the one above, or begins with `then`, continues its branch."""
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
    """Return the branches of a text that is nothing but a plan: a line each, or separated by
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
    """Whether a line goes on with the branch that begins with another line."""
    is_indented = _indentation(line) > _indentation(branch)
    return bool(line.strip()) and (is_indented or tidy(line)[:5].lower() == "then ")


def _indentation(line: str) -> int:
    line = line.expandtabs()
    return len(line) - len(line.lstrip())


def read_plan(lines: Iterable[str]) -> list[Line]:
    """Read the branches of a plan. Refuse a line that is none, naming its number."""
    return [_read_line(number, line) for number, line in enumerate(lines, 1)]


def _read_line(number: int, line: str) -> Line:
    first, *parts = _WORDS.split(line.strip().rstrip(".!;"))
    words = [word.lower() for word in parts[::2]]
    if first.strip() or words[:1] != ["if"]:
        raise _refuse(number, phrase("a branch begins with the word if"))
    steps = []
    for word, text in zip(words, parts[1::2], strict=True):
        if not text.strip(" ,;"):
            raise _refuse(number, phrase("a move is missing after `{word}`", word=word))
        steps.append(Step(word == "then", text.strip(" ,;")))
    if not steps[-1].is_answer:
        raise _refuse(
            number, phrase("it does not say what you answer: end it with then and your move")
        )
    return Line(number, tuple(steps))


def _refuse(number: int, problem: str) -> Refusal:
    return Refusal(
        RefusalCode.BAD_PLAN,
        phrase("line {number} of your plan: {problem}", number=number, problem=problem),
        FORM,
    )


def read_place(words: Sequence[str]) -> str:
    """Return the number of a branch (`#2.1`, `2.1`) when that is all the words say; else ""."""
    match = _PLACE.fullmatch(words[0]) if len(words) == 1 else None
    return match[1] if match else ""
