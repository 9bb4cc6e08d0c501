"""The texts of a board that many mails have. They are written in Python, so that a board can be
shown without a template engine, whose import takes longer than the rest of an answer."""

from __future__ import annotations

from pbm.core.kernel.notices.boards import BoardShown, BoardView
from pbm.mail.outgoing.fitted_text import fill, format_sentence


def write_board(view: BoardView) -> str:
    """Return the board, what it is, who plays, and the last moves."""
    title = [f"{view.title}, board {view.board}", view.options, view.terms]
    parts = [
        str(view.appearance.words() if view.in_words else view.picture.text),
        "\n".join([fill(", ".join(filter(None, title))), *view.people]),
        *("\n".join(lines) for lines in (view.log, view.plan, view.notes) if lines),
    ]
    return "\n\n".join(parts)


def write_next(view: BoardView) -> str:
    """Return how to move, behind the board, for a viewer on the move."""
    if not view.on_move:
        return ""
    asked, slot = ("orders", "ORDER") if view.takes_orders else ("move", "MOVE")
    command = f"{view.game} move {view.board} {view.userid} PASSWORD {slot}"
    return f"\n\nYour {asked}? Send\n    {command}"


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


def write_shown(shown: BoardShown) -> str:
    """Return the whole text of an answer that shows one board, the subject first."""
    view = shown.view
    is_past = shown.at is not None
    title = f"after move {shown.at}"
    subject = title if is_past else shown.headline
    status = format_sentence(f"{title}: {view.status}" if is_past else view.status, view.names)
    return (
        f"[{view.game} {view.board}] {subject}\n"
        f"{status}\n\n{write_board(view)}{write_next(view)}\n\n{write_facts(view)}"
    )
