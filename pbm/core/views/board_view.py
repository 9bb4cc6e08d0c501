"""What a person is shown of a board: headline, picture, who is who, the last moves, what to send.

Every word of a move goes through `describe` for its viewer; nothing hidden leaves another way."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from textwrap import wrap
from typing import Any

from pbm.core.language.board_options import server_text
from pbm.core.language.call import Call
from pbm.core.model import board_clocks, rating_changes
from pbm.core.model.board import Board, Seat, in_words
from pbm.core.model.draw_claims import claim
from pbm.core.model.log import Entry, effective, entry_of, step
from pbm.core.model.notice import Notice, Thread
from pbm.core.model.player import full_name
from pbm.core.views.board_record import moment
from pbm.rules import CHANCE, Position
from pbm.store import reads

_LAST_MOVES = 12
LOG_SHOWN = 2 * _LAST_MOVES
"""Entries of a log that are read for a mail: some of them are rolls."""
_SHORT_LIST = 40
_LONGEST_WORDS = 60
_LONGEST_EVENTS = 80
"""What a headline tells of several things that happened."""
_COLUMNS = 78
_STAMPED = 46
"""The column before which a move's time stands, unless the move is longer."""


@dataclass(frozen=True, slots=True)
class Happening:
    """Something that happened at a board, of which a mail tells.

    event     what it was, with {who} for the actor ("{who} resigned"); for "played" the moves of
              `entries` are put in words for each viewer
    actor     the seat that did it
    comment   what was written with it, for the other seats
    problem   why the rest of what was typed was not played, for the actor
    private   it concerns the actor alone
    entries   what it added to the log, and `befores` the position before each of these
    """

    event: str
    actor: int | None = None
    comment: str = ""
    problem: str = ""
    private: bool = False
    entries: Sequence[Entry] = ()
    befores: Sequence[Position] = ()


def happened(
    board: Board,
    event: str,
    *,
    actor: int | None = None,
    comment: str = "",
    problem: str = "",
    private: bool = False,
) -> Happening:
    """What this command has just done to the board."""
    entries, befores = tuple(board.entries), tuple(board.befores)
    return Happening(event, actor, comment, problem, private, entries, befores)


def board_notices(
    call: Call, board: Board, event: str, *, actor: int | None = None, comment: str = ""
) -> list[Notice]:
    """A mail about one thing that happened to every player of the board and every watcher."""
    return told(call, board, [happened(board, event, actor=actor, comment=comment)])


def told(call: Call, board: Board, happenings: Sequence[Happening]) -> list[Notice]:
    """One mail to every player of the board and every watcher: the board as it is now, and all
    that happened since the last one."""
    addresses, watching = reads.addresses_at(call.session, board.id)
    logs = Log(call, board)
    claimed = claim(call.session, board)
    notices = []
    for player in dict.fromkeys(seat.player for seat in board.seats):
        seats = [seat for seat in board.seats if seat.player == player]
        known = [each for each in happenings if not each.private or _by(board, each, player)]
        if not seats[0].is_active or not known:
            continue
        is_sender = call.player is not None and call.player.id == player
        own = is_sender and any(_by(board, each, player) for each in known)
        if (
            own
            and not board.is_over
            and not call.command.left
            and _declines_own(seats[0])
            and all(
                _by(board, each, player) and each.event == "played" and not each.problem
                for each in known
            )
        ):
            continue
        viewer = next((s.seat for s in seats if s.seat in board.position.to_move), seats[0].seat)
        data = board_data(board, viewer, logs) | _news(board, known, player, viewer)
        data["comments"] = _comments(board, known, player, addresses)
        data["retractable"] = board.kept.get("player") == player
        data["claim"] = claimed
        html = seats[0].preferences.get("mail") == "html"
        if html:
            data["moves"] = few_moves(board, viewer)
        notices.append(
            Notice(
                "board",
                data,
                addresses=tuple(addresses.get(player, ())),
                player=player,
                thread=Thread(board.id, viewer, board.next_ply, board.undos),
                answer=own,
                html=html,
            )
        )
    return notices + _watching(board, happenings, logs, watching)


def _by(board: Board, happening: Happening, player: int) -> bool:
    return happening.actor is not None and board.seats[happening.actor].player == player


def _declines_own(seat: Seat) -> bool:
    return seat.preferences.get("own") == "no"


def _comments(
    board: Board, happenings: Iterable[Happening], player: int, addresses: Mapping[int, list[str]]
) -> list[tuple[str, str]]:
    """Each comment with the line above it: who writes, or to whom the player's own went. It is not
    shown to who wrote it where nobody gets it."""
    others = {
        seat.userid: None
        for seat in board.seats
        if seat.player != player and seat.is_active and addresses.get(seat.player)
    }
    found = []
    for each in happenings:
        if not each.comment:
            continue
        if not _by(board, each, player):
            writer = "The operator" if each.actor is None else board.seats[each.actor].userid
            found.append((f"{writer} writes", each.comment))
        elif others:
            found.append((f"Passed on to {in_words(list(others))}", each.comment))
    return found


def _watching(
    board: Board, happenings: Iterable[Happening], logs: Log, addresses: Mapping[int, list[str]]
) -> list[Notice]:
    """The mails to those who watch; what the players write to each other is not in them."""
    seated = {seat.player for seat in board.seats}
    public = [each for each in happenings if not each.private]
    if not public or not addresses.keys() - seated:
        return []
    data = board_data(board, None, logs) | _news(board, public, None, None)
    data |= {"comments": [], "claim": "", "retractable": False}
    return [
        Notice(
            "board",
            data,
            addresses=tuple(where),
            player=player,
            thread=Thread(board.id, None, board.next_ply, board.undos),
        )
        for player, where in addresses.items()
        if player not in seated
    ]


def few_moves(board: Board, viewer: int) -> tuple[str, ...]:
    """The legal moves of a seat on the move, when they are few enough to choose from a list."""
    if board.state != "running" or viewer not in board.position.to_move:
        return ()
    moves = board.position.legal_moves(viewer)
    return tuple(moves) if len(moves) <= _SHORT_LIST else ()


def _news(
    board: Board, happenings: Iterable[Happening], player: int | None, viewer: int | None
) -> dict[str, Any]:
    """The headline and the sentences, the first of which is the event, that tell a player what
    happened."""
    events, news, problems = list[str](), list[str](), list[str]()
    for each in happenings:
        is_own = player is not None and _by(board, each, player)
        event, sentences = _sentences(board, each, viewer, is_own=is_own)
        if not each.private:
            events.append(event)
        news += [event, *sentences]
        if is_own and each.problem:
            problems.append(each.problem)
    while len(events) > 1 and len(", ".join(events)) > _LONGEST_EVENTS:
        del events[0]
    return {
        "headline": headline(board, viewer, ", ".join(events)),
        "event": news[0],
        "news": news[1:],
        "problem": "; ".join(problems),
    }


def _sentences(
    board: Board, happening: Happening, viewer: int | None, *, is_own: bool
) -> tuple[str, list[str]]:
    """What happened, and what else is to be said of it."""
    actor = happening.actor
    who = "you" if is_own else board.seats[actor].userid if actor is not None else ""
    if happening.event == "played":
        words = ", ".join(_played(happening, viewer))
        event = f"{who} played {_short(words)}"
        news = [f"{who} played {words}"] if len(words) > _LONGEST_WORDS else []
    else:
        event, news = happening.event.replace("{who}", who), []
    news += [
        named(board, sentence)
        for entry in happening.entries
        for sentence in entry.news.split("; ")
        if sentence
    ]
    return event, [*news, *_chance_words(happening, viewer)]


def named(board: Board, sentence: str) -> str:
    """A sentence of the game with the userid in the place of a seat's name at its beginning."""
    first, blank, rest = sentence.partition(" ")
    names = board.position.seat_names
    if not blank or names.count(first) != 1:
        return sentence
    return f"{board.seats[names.index(first)].userid} {rest}"


def _short(words: str) -> str:
    return words if len(words) <= _LONGEST_WORDS else words[: _LONGEST_WORDS - 3] + "..."


def _played(happening: Happening, viewer: int | None) -> list[str]:
    """The moves of seats in it, in words for that viewer."""
    return [
        _words(before, entry, viewer)
        for before, entry in zip(happening.befores, happening.entries, strict=True)
        if entry.kind == "move"
    ]


def _chance_words(happening: Happening, viewer: int | None) -> list[str]:
    """What chance answered in it, a line."""
    words = [
        _words(before, entry, viewer)
        for before, entry in zip(happening.befores, happening.entries, strict=True)
        if entry.kind == "chance"
    ]
    return [", ".join(words)] if words else []


def _words(before: Position, entry: Entry, viewer: int | None) -> str:
    if entry.kind not in ("move", "chance"):
        return entry.move
    seat = CHANCE if entry.seat is None else entry.seat
    return before.describe(seat, entry.move, viewer)


def headline(board: Board, viewer: int | None, event: str = "") -> str:
    """The subject after the bracket: whose move it is or who won, with the ply, and what
    happened."""
    number = f"({board.next_ply})"
    tail = f", {event}" if event else ""
    if board.is_over:
        return f"{result(board)} ({board.ply})"
    if board.state == "sleeping":
        return f"asleep: {', '.join(seat.userid for seat in board.seats)}"
    if board.state == "invited":
        return f"invitation: {', '.join(seat.userid for seat in board.seats)}"
    if board.ply == 0 and event.startswith("new board"):
        return event
    to_move = board.position.to_move
    if viewer in to_move:
        return f"your move {number}{tail}"
    return f"{board.userids(to_move)} to move {number}{tail}"


def result(board: Board) -> str:
    """Who won, or that it is a tie, or that it was cancelled."""
    outcome = board.outcome
    if outcome is None:
        return "cancelled"
    names = list(dict.fromkeys(board.seats[seat].userid for seat in outcome.winners))
    if len(outcome.winners) == len(board.seats):
        return "draw"
    return f"{in_words(names)} won" if len(outcome.winners) == 1 else f"{in_words(names)} tie"


def board_data(board: Board, viewer: int | None, logs: Log) -> dict[str, Any]:
    """What every mail and page about a board shows."""
    position, info = board.position, board.game.info
    last = logs.last_moves()
    on_move = viewer is not None and viewer in position.to_move and board.state == "running"
    userid = board.seats[viewer].userid if viewer is not None else "USERID"
    return {
        "game": info.name,
        "title": info.title,
        "board": board.id,
        "picture": board.shown.picture(viewer, last),
        "colours": position.colours,
        "people": people(board, viewer),
        "options": options_text(board.options),
        "terms": server_text(board.control, unrated=not board.rated and board.state != "cancelled"),
        "log": logs.lines(viewer),
        "state": board.state,
        "reason": named(board, board.outcome.reason) if board.outcome else "",
        "on_move": on_move,
        "accepted": viewer is not None and board.seats[viewer].accepted,
        "moved": viewer is not None and board.seats[viewer].moved,
        "rolled": "chance" in info.features and board.number > board.ply,
        "until": board_clocks.until_text(board, board.seats[viewer])
        if on_move and viewer is not None
        else "",
        "userid": userid,
        "example": position.legal_moves(viewer)[0]
        if on_move and viewer is not None and board.ply < 2 * len(board.seats)
        else "",
        "ply": board.ply,
        "next_ply": board.next_ply,
        "to_move": "" if board.is_over else board.userids(position.to_move),
        "names": " ".join(seat.userid for seat in board.seats),
        "ranks": " ".join(map(str, board.outcome.ranks)) if board.outcome else "*",
        "proposals": _proposals(board, viewer),
        "rated": board.rated,
        "ratings": rating_changes.lines(logs.ratings),
        "rated_as": rating_changes.facts(logs.ratings, len(board.seats)),
        "commitment": board.commitment if "chance" in info.features else "",
        "secret": board.secret.hex() if board.is_over and "chance" in info.features else "",
    }


_PROPOSED = {"draw": "a draw", "undo": "to take back a move", "cancel": "to cancel the board"}


def _proposals(board: Board, viewer: int | None) -> list[tuple[str, bool]]:
    """What is proposed and who has not answered, and whether the viewer is to answer."""
    told = []
    for kind, by in board.proposals.items():
        asked = viewer is not None and viewer in board.position.playing and viewer not in by
        missing = sorted(board.position.playing - set(by))
        waits = "" if asked else f"; {board.userids(missing)} may accept or reject"
        told.append((f"{board.seats[by[0]].userid} proposes {_PROPOSED[kind]}{waits}", asked))
    return told


def options_text(options: Any) -> str:
    """Options as one would type them."""
    return " ".join(
        f"-{name}" if value is True else f"-{name}={value}" for name, value in options.items()
    )


def people(board: Board, viewer: int | None) -> list[str]:
    """A line a seat: userid and name, seat name, rank or whose turn."""
    names = board.position.seat_names
    people = [full_name(seat.userid, seat.preferences) for seat in board.seats]
    width = max(map(len, people))
    colour = max(len(name) for name in names)
    lines = []
    for seat, player in zip(board.seats, people, strict=True):
        notes = []
        if seat.seat == viewer:
            notes.append("you")
        if seat.seat in board.position.to_move and board.state == "running":
            notes.append("to move")
        if board.state == "running" and seat.seat not in board.position.playing:
            notes.append("out")
        if board.outcome is not None:
            notes.append(f"rank {board.outcome.ranks[seat.seat]}")
        if board.state == "invited":
            notes.append("accepts" if seat.accepted else "is asked")
        text = f"  {player:<{width}}  {names[seat.seat]:<{colour}}  {', '.join(notes)}"
        lines.append(text.rstrip())
    return lines


class Log:
    """The end of a board's log in words, all of it when the board is over, read once for all
    viewers. Where something is hidden the whole log is replayed for each viewer."""

    def __init__(self, call: Call, board: Board, upto: int | None = None) -> None:
        self._board = board
        ended = board.state == "over" and upto is None
        self._is_whole = ended or upto is not None
        if board.is_hidden or self._is_whole:
            entries = [entry_of(row) for row in reads.log_of(call.session, board.id)]
        else:
            rows = reads.end_of_log(call.session, board.id, LOG_SHOWN)
            entries = [entry_of(row) for row in rows]
        self._entries = effective(entries)
        if upto is not None:
            self._entries = [entry for entry in self._entries if entry.ply <= upto]
        self._plain = dict[bool, list[str]]()
        self.ratings = rating_changes.changes_at(call.session, board.id) if ended else []

    @property
    def entries(self) -> list[Entry]:
        """What the log has that an undo did not take back; the end of it where nothing is
        hidden."""
        return self._entries

    def last_moves(self) -> tuple[str, ...]:
        """The moves to mark: those of the last seat that moved, back to the turn before."""
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

    def lines(self, viewer: int | None) -> list[str]:
        """The last moves, a line each, oldest first; with the comments of a whole log for a seat
        only, to which alone they belong."""
        is_seated = viewer is not None
        if self._board.is_hidden:
            return self._lines(self._replayed(viewer), is_seated=is_seated)
        if is_seated not in self._plain:
            words = [entry.words or entry.move for entry in self._entries]
            self._plain[is_seated] = self._lines(words, is_seated=is_seated)
        return self._plain[is_seated]

    def _replayed(self, viewer: int | None) -> list[str]:
        position = self._board.game.setup(len(self._board.seats), self._board.options)
        words = []
        for entry in self._entries:
            shown = position.uncovered() if self._board.is_over else position
            words.append(_words(shown, entry, viewer))
            position = step(position, entry)
        return words

    def _lines(self, words: Sequence[str], *, is_seated: bool) -> list[str]:
        width = max(len(seat.userid) for seat in self._board.seats)
        lines: list[str] = []
        for entry, text in zip(self._entries, words, strict=True):
            who = self._board.seats[entry.seat].userid if entry.seat is not None else ""
            number = str(entry.ply) if entry.kind == "move" else ""
            said = list(_wrapped(f"{number:>4} {who:<{width}}  {text}", width + 7))
            if self._is_whole and entry.kind != "chance":
                said = _stamped(said, entry.at, width + 7)
            lines += said
            for sentence in entry.news.split("; "):
                if sentence:
                    lines += _wrapped(f"{'':>4} {'':<{width}}  ({sentence})", width + 8)
            if self._is_whole and (is_seated or entry.seat is None):
                lines += _quoted(entry.comment, width + 7)
        return lines if self._is_whole else lines[-_LAST_MOVES:]


def _stamped(lines: list[str], at: float, indent: int) -> list[str]:
    """The lines of a move with its time, UTC, to the right or, where it does not fit, below."""
    stamp = moment(at)[:16].replace("T", " ")
    if len(lines[-1]) + 2 + len(stamp) > _COLUMNS:
        lines = [*lines, " " * indent]
    return [*lines[:-1], f"{lines[-1]:<{_STAMPED - len(stamp)}}  {stamp}"]


def _quoted(comment: str, indent: int) -> list[str]:
    """What was written with a move, as mail programs quote."""
    before = " " * indent + "> "
    return [
        before + piece
        for line in comment.splitlines()
        for piece in wrap(line, _COLUMNS - len(before)) or [""]
    ]


def _wrapped(line: str, indent: int) -> Iterable[str]:
    """The line in pieces of at most 78 columns, the later ones indented."""
    while len(line) > _COLUMNS:
        at = max(line.rfind(" ", indent, 78), line.rfind(",", indent, 77) + 1)
        at = at if at > indent else 78
        yield line[:at].rstrip()
        line = " " * indent + line[at:].lstrip()
    yield line
