"""The log of a board in words, as one viewer may read it.

Every move is put in words by the game's `describe` for that viewer: nothing hidden leaves by
another way."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from textwrap import wrap

from pbm.core.language.call import Call
from pbm.core.model import rating_changes
from pbm.core.model.board import Board
from pbm.core.model.log import Entry, apply_entry, build_entry, drop_undone
from pbm.core.model.seat import Seat
from pbm.core.views.board_record import format_time
from pbm.rules import CHANCE, Picture, Position
from pbm.store import reads
from pbm.store.tables import NoteRow

_LAST_MOVES = 12
_LAST_NOTES = 5
LOG_SHOWN = 2 * _LAST_MOVES
"""How many entries of a log are read for a mail; some of them are rolls."""
_COLUMNS = 78
_ACTS = {"resign": "resigned", "forfeit": "ran out of time", "cancel": "cancelled"}
"""What a log says of entries that are not moves."""
_TIME_COLUMN = 46
"""The column before which the time of a move ends, unless the move is longer."""


class BoardLog:
    """The end of a board's log, or all of it when the board is over, read once for all viewers.
    Where something is hidden, the log is replayed for each viewer."""

    def __init__(self, call: Call, board: Board, upto: int | None = None) -> None:
        self._board = board
        self._session = call.session
        self._upto = upto
        ended = board.state == "over" and upto is None
        self._is_whole = ended or upto is not None
        if board.is_hidden or self._is_whole:
            entries = [build_entry(row) for row in reads.find_log(call.session, board.id)]
        else:
            rows = reads.find_end_of_log(call.session, board.id, LOG_SHOWN)
            entries = [build_entry(row) for row in rows]
        self._entries = drop_undone(entries)
        if upto is not None:
            self._entries = [entry for entry in self._entries if entry.ply <= upto]
        self._plain = dict[bool, list[str]]()
        self._pictures = dict[int | None, Picture]()
        self.now = call.now
        self.ratings = rating_changes.list_board_changes(call.session, board.id) if ended else []

    @property
    def entries(self) -> list[Entry]:
        """The entries that stand (no undo took them back); only the last ones of a running board
        that hides nothing."""
        return self._entries

    def find_last_moves(self) -> tuple[str, ...]:
        """The moves to mark in the picture: those of the last seat's latest turn."""
        last: list[str] = []
        seat = None
        for entry in reversed(self._entries):
            if entry.kind != "move":
                continue
            if seat is not None and entry.seat != seat:
                break
            seat = entry.seat
            last.append(entry.move)
        return tuple(reversed(last[:8]))

    def draw(self, board: Board, viewer: int | None) -> Picture:
        """The board's picture for that viewer, drawn once for all who see the same."""
        if not board.is_hidden and "turned" not in board.game.info.features:
            viewer = None
        if viewer not in self._pictures:
            self._pictures[viewer] = board.shown.picture(viewer, self.find_last_moves())
        return self._pictures[viewer]

    def lines(self, viewer: int | None) -> list[str]:
        """The last moves, a line each, oldest first. The comments of a complete log are for seated
        viewers only."""
        is_seated = viewer is not None
        if self._board.is_hidden:
            return self._format_lines(self._describe_entries(viewer), is_seated=is_seated)
        if is_seated not in self._plain:
            words = self._describe_entries(viewer)
            self._plain[is_seated] = self._format_lines(words, is_seated=is_seated)
        return self._plain[is_seated]

    def sentences(self, viewer: int | None) -> list[str]:
        """The same to be read aloud: sentences instead of columns, without times."""
        sentences: list[str] = []
        for entry, text in zip(self._entries, self._describe_entries(viewer), strict=True):
            who = self._board.seats[entry.seat].userid if entry.seat is not None else ""
            number = f"{entry.ply} " if entry.kind == "move" else ""
            sentences.append(f"{number}{who} {text}.".lstrip())
            sentences += [
                f"{news[0].upper()}{news[1:]}." for news in entry.news.split("; ") if news
            ]
            if self._is_whole and entry.comment and (viewer is not None or not who):
                sentences += [f"{who or 'The operator'} writes:", *_quote(entry.comment, 0)]
        return sentences if self._is_whole else sentences[-_LAST_MOVES:]

    def notes_of(self, seat: Seat) -> list[str]:
        """The last notes of the seat's player, up to the ply that is shown, below a title."""
        rows = reads.find_notes(self._session, self._board.id, seat.player)
        upto = self._board.ply if self._upto is None else self._upto
        lines = list_notes([row for row in rows if row.ply <= upto][-_LAST_NOTES:])
        return ["Your notes, which only you can see:", *lines] if lines else []

    def find_between(self, ply: int, number: int, viewer: int | None) -> list[tuple[Entry, str]]:
        """The entries after `ply` moves and before that number, each in words."""
        entries = self._entries
        if self._board.is_hidden:
            words = self._describe_entries(viewer)
        else:
            if entries and entries[0].ply > ply:
                rows = reads.find_log(self._session, self._board.id)
                entries = drop_undone(build_entry(row) for row in rows)
            words = [entry.words or entry.move for entry in entries]
        return [
            (entry, text)
            for entry, text in zip(entries, words, strict=True)
            if entry.ply > ply and entry.number < number
        ]

    def _describe_entries(self, viewer: int | None) -> list[str]:
        """What each entry says to that viewer."""
        if not self._board.is_hidden:
            return [_ACTS.get(entry.kind) or entry.words or entry.move for entry in self._entries]
        position = self._board.game.setup(len(self._board.seats), self._board.options)
        words = []
        for entry in self._entries:
            shown = position.uncovered() if self._board.is_over else position
            words.append(describe_entry(shown, entry, viewer))
            position = apply_entry(position, entry)
        return words

    def _format_lines(self, words: Sequence[str], *, is_seated: bool) -> list[str]:
        width = max(len(seat.userid) for seat in self._board.seats)
        lines: list[str] = []
        for entry, text in zip(self._entries, words, strict=True):
            who = self._board.seats[entry.seat].userid if entry.seat is not None else ""
            number = str(entry.ply) if entry.kind == "move" else ""
            move = list(_wrap_line(f"{number:>4} {who:<{width}}  {text}", width + 7))
            if self._is_whole and entry.kind != "chance":
                move = _add_time(move, entry.at, width + 7)
            lines += move
            for sentence in entry.news.split("; "):
                if sentence:
                    lines += _wrap_line(f"{'':>4} {'':<{width}}  ({sentence})", width + 8)
            if self._is_whole and (is_seated or entry.seat is None):
                lines += _quote(entry.comment, width + 7)
        return lines if self._is_whole else lines[-_LAST_MOVES:]


def list_notes(rows: Iterable[NoteRow]) -> list[str]:
    """Notes in lines, each below the number of the move after which it was made."""
    lines = []
    for row in rows:
        head = f"  ({row.ply}) "
        for line in row.text.splitlines():
            pieces = wrap(line, _COLUMNS - len(head)) or [""]
            lines += [f"{head if at == 0 else ' ' * len(head)}{p}" for at, p in enumerate(pieces)]
            head = " " * len(head)
    return lines


def _add_time(lines: list[str], at: float, indent: int) -> list[str]:
    """The lines of a move with its time (UTC) at the right, or below where it does not fit."""
    stamp = format_time(at)[:16].replace("T", " ")
    if len(lines[-1]) + 2 + len(stamp) > _COLUMNS:
        lines = [*lines, " " * indent]
    return [*lines[:-1], f"{lines[-1]:<{_TIME_COLUMN - len(stamp)}}  {stamp}"]


def _quote(comment: str, indent: int) -> list[str]:
    """A comment, quoted as mail programs do."""
    before = " " * indent + "> "
    return [
        before + piece
        for line in comment.splitlines()
        for piece in wrap(line, _COLUMNS - len(before)) or [""]
    ]


def _wrap_line(line: str, indent: int) -> Iterable[str]:
    """Break the line into pieces of at most 78 columns, the later ones indented."""
    while len(line) > _COLUMNS:
        at = max(line.rfind(" ", indent, 78), line.rfind(",", indent, 77) + 1)
        at = at if at > indent else 78
        yield line[:at].rstrip()
        line = " " * indent + line[at:].lstrip()
    yield line


def describe_entry(before: Position, entry: Entry, viewer: int | None) -> str:
    """A move or an answer of chance in words for that viewer, `before` being the position in which
    it was made."""
    if entry.kind not in ("move", "chance"):
        return _ACTS.get(entry.kind, entry.move)
    seat = CHANCE if entry.seat is None else entry.seat
    return before.describe(seat, entry.move, viewer)
