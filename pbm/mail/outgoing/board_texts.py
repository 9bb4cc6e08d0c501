"""The texts of a board that many mails have. They are written in Python, so that a board can be
shown without a template engine, whose import takes longer than the rest of an answer."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from textwrap import wrap

from pbm.core.notices import BoardShown, BoardView, LogLine
from pbm.mail.outgoing.fitted_text import COLUMNS, fill, format_sentence, punctuate, wrap_line
from pbm.rules.phrases import combine, phrase

Say = Callable[[str], str]
"""Says a text in the reader's language."""
_TIME_COLUMN = 46
"""The column before which the time of a move ends, unless the move is longer."""


def write_board(view: BoardView, say: Say) -> str:
    """Return the board, what it is, who plays, and the last moves."""
    title = phrase("{game}, board {number}", game=view.title, number=view.board)
    about = filter(None, [say(title), view.options, view.terms])
    parts = [
        say(view.appearance.words() if view.in_words else view.picture.text),
        "\n".join([fill(", ".join(about)), *_write_people(view, say)]),
        "\n".join(_write_log(view, say)),
        *("\n".join(map(say, lines)) for lines in (view.plan, view.notes)),
    ]
    return "\n\n".join(filter(None, parts))


def _write_people(view: BoardView, say: Say) -> Iterator[str]:
    """Yield a line a seat and official: sentences for those who want words, else columns."""
    rows = [(each.player, say(each.name), say(each.notes)) for each in view.people]
    if all(each.player == each.name for each in view.people):
        rows = [(player, "", notes) for player, _, notes in rows]
    width, name_width = (max(len(row[at]) for row in rows) for at in (0, 1))
    for seat, (player, name, notes) in zip(view.people, rows, strict=True):
        if view.in_words:
            yield f"{say(seat.sentence)}."
        else:
            named = f"{name:<{name_width}}  " if name_width else ""
            yield f"  {player:<{width}}  {named}{notes}".rstrip()
    for userid, what in view.officials:
        yield f"  {userid}: {say(what)}."


def _write_log(view: BoardView, say: Say) -> Iterator[str]:
    """Yield the lines of a log: its own lines of text, and what people wrote as it is."""
    for line in view.log:
        if not isinstance(line, LogLine):
            yield line
            continue
        text = say(line.text)
        if line.is_quoted:
            yield from _quote(text, line.indent)
            continue
        if line.is_sentence:
            yield punctuate(text, view.names)
            continue
        if line.has_capital:
            text = text[:1].upper() + text[1:]
        lines = wrap_line(f"{line.before}{text}", line.indent)
        yield from _add_time(lines, line.time, line.indent) if line.time else lines


def _quote(text: str, indent: int) -> Iterator[str]:
    """Yield the lines of a text, quoted as mail programs do."""
    before = " " * indent + "> "
    for line in text.splitlines():
        for piece in wrap(line, COLUMNS - len(before)) or [""]:
            yield before + piece


def _add_time(lines: Sequence[str], time: str, indent: int) -> Sequence[str]:
    """Return the lines of a move with its time (UTC) at the right, or below where it does not
    fit."""
    if len(lines[-1]) + 2 + len(time) > COLUMNS:
        lines = [*lines, " " * indent]
    return [*lines[:-1], f"{lines[-1]:<{_TIME_COLUMN - len(time)}}  {time}"]


def write_next(view: BoardView, say: Say) -> str:
    """Return how to move, behind the board, for a viewer on the move."""
    if not view.on_move:
        return ""
    asked, slot = phrase("Your move? Send"), "MOVE"
    if view.takes_orders:
        asked, slot = phrase("Your orders? Send"), "ORDER"
    command = f"{view.game} move {view.board} {view.userid} PASSWORD {slot}"
    return f"\n\n{say(asked)}\n    {command}"


def write_facts(view: BoardView) -> str:
    """Return the block for programs at the end of a mail, and what the dice follow from."""
    to_move = view.to_move.replace(",", "").replace(" and ", " ")
    of_programs: dict[str, object] = {
        "Game": view.game,
        "Board": view.board,
        "Event": view.event,
        "Options": view.options,
        "Players": view.names,
        "Ply": str(view.ply),
        "ToMove": to_move or "-",
        "Result": view.ranks,
        "Ratings": view.rated_as,
    }
    of_dice: dict[str, object] = {"Hash": view.commitment, "Secret": view.secret}
    facts = of_dice if view.in_words else of_programs | of_dice
    optional = {"Event", "Options", "Ratings", "Hash", "Secret"}
    lines = [f'[{name} "{fact}"]' for name, fact in facts.items() if fact or name not in optional]
    has_mark = not view.in_words or view.commitment
    return "\n".join(["-- ", *lines] if has_mark else lines)


def write_shown(shown: BoardShown, say: Say) -> str:
    """Return the whole text of an answer that shows one board, the subject first."""
    view = shown.view
    subject, status = shown.headline, view.status
    if shown.at is not None:
        subject = phrase("after move {move}", move=shown.at)
        status = combine("{past}: {status}", past=subject, status=status)
    return (
        f"[{view.game} {view.board}] {say(subject)}\n"
        f"{format_sentence(say(status), view.names)}\n\n"
        f"{write_board(view, say)}{write_next(view, say)}\n\n{write_facts(view)}"
    )
