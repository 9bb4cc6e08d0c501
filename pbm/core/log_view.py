"""The log of a board in words, as one viewer may read it.

Every move is put in words by the game's `describe` for that viewer: nothing hidden leaves by
another way."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Collection, Iterable, Sequence
from datetime import UTC, datetime
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from pbm.core.board import OUT_OF_TIME, Board
from pbm.core.context import Context
from pbm.core.feature import get_features
from pbm.core.log import LogEntry, apply_entry, build_entry, drop_undone
from pbm.core.notices import LogLine
from pbm.core.seat import Seat
from pbm.ratings import Rating
from pbm.rules import CHANCE, Picture, Position
from pbm.rules.phrases import (
    EnglishWord,
    Phrase,
    SeatName,
    combine,
    join_phrases,
    join_roll,
    phrase,
    phrase_number,
)
from pbm.store import reads
from pbm.store.reads import (
    ChangeRow,
    find_blocked,
    find_board_changes,
    find_club_colour,
    find_player_changes,
)
from pbm.store.transaction import Session

_LAST_MOVES = 12
_SHORT = 16
_MOST_MARKED = 8
"""The length of a move that shares its line with others in a list of moves."""
_SIDES = 2
"""More seats than these, and a list of moves names who made each."""
LOG_SHOWN = 2 * _LAST_MOVES
"""How many entries of a log are read for a mail; some of them are rolls."""
_ACTS = {
    "resign": phrase("resigned"),
    "forfeit": OUT_OF_TIME,
    "cancel": EnglishWord("cancelled", phrase("cancelled the game")),
    "decline": phrase("declined"),
}
"""The words for entries of a log that are not moves, by their kind or act."""
_CANCELLED = phrase("cancelled")
"""What it says where nobody of the board did it."""
_BEGINS = re.compile(r"{(\w+)}")
"""What a message begins with, where that is a value."""


class MoveLine(Struct, frozen=True):
    """An entry of a log in a page's list: the ply after it (0 for an entry that is no move), the
    number and player of the move in the game's notation, the move, the game's news and the player's
    comment. `is_second`: it is the second move of a pair with one number, as chess counts them."""

    ply: int
    number: str
    text: str
    news: str = ""
    comment: str = ""
    is_second: bool = False

    @property
    def is_wordy(self) -> bool:
        """Whether it needs a line of its own."""
        return bool(self.news or self.comment or len(self.text) > _SHORT)


class LogPhase(Struct, frozen=True):
    """A finished phase of a game of orders: the ply that ended it, and its news."""

    ply: int
    text: str


class BoardLog:
    """The end of a board's log, or all of it (with times, and comments for seated viewers) when the
    board is over, for an earlier ply, and if `is_whole`; read once for all viewers. Where something
    is hidden, the log is replayed for each viewer. Who blocks another player of the board and has
    not agreed to play on it sees no comments.

    last_moves  those of the last seat's latest turn, to mark in the picture
    colour      that of the club whose board it is, or ""
    last_news   what the game said of them, whose places are marked, too
    phases      those of a game of orders that have ended, if the log is whole, later ones too
    """

    def __init__(
        self, context: Context, board: Board, upto: int | None = None, *, is_whole: bool = False
    ) -> None:
        self._board = board
        self._session = context.session
        self._upto = upto
        ended = board.state == "over" and upto is None
        self._is_whole = is_whole or ended or upto is not None
        self._deaf = _find_deaf(context.session, board) if self._is_whole else set()
        takes_orders = self._is_of_orders = board.position.takes_orders
        if self._is_whole or (board.is_hidden and not takes_orders):
            entries = [build_entry(row) for row in reads.find_log(context.session, board.id)]
        else:
            rows = reads.find_end_of_log(context.session, board.id, LOG_SHOWN)
            entries = [build_entry(row) for row in rows]
        self._entries = drop_undone(entries)
        self.phases = [
            LogPhase(entry.ply, said)
            for entry in (self._entries if takes_orders and self._is_whole else ())
            if (said := board.position.find_phase(entry.news))
        ]
        if upto is not None:
            self._entries = [entry for entry in self._entries if entry.ply <= upto]
        turn = _find_last_turn(self._entries)
        self.last_moves = tuple(entry.move for entry in turn if entry.kind == "move")[
            -_MOST_MARKED:
        ]
        self.last_news = tuple(said for entry in turn for said in entry.news)
        self._is_paired = "paired" in board.game.info.features
        self._turns = self._count_turns()
        self._plain = dict[bool, list[LogLine | str]]()
        self._pictures = dict[int | None, Picture]()
        self.now = context.now
        master = reads.find_master(context.session, board.id) if takes_orders else None
        self.officials = [(master.userid, phrase("master"))] if master is not None else []
        self.ratings = list_board_changes(context.session, board.id) if ended else []
        self.colour = find_club_colour(context.session, board.club) if board.club else ""

    @property
    def entries(self) -> list[LogEntry]:
        """The entries that stand (no undo took them back); only the last ones of a running board
        that hides nothing."""
        return self._entries

    def draw(self, board: Board, viewer: int | None) -> Picture:
        """Return the board's picture for that viewer, drawn once for all who see the same."""
        if not board.is_hidden and "turned" not in board.game.info.features:
            viewer = 1 if viewer == 1 and board.position.turns_board else None
        if viewer not in self._pictures:
            self._pictures[viewer] = self.tell(board).picture(viewer, self.last_moves)
        return self._pictures[viewer]

    def tell(self, board: Board) -> Position:
        """Return the position that the board shows, with the news of the last moves, and with
        players in place of seats where it says how it ended."""
        position: Any = board.shown
        outcome, kept = board.shown.outcome, getattr(position, "__dataclass_fields__", ())
        if outcome is not None and "outcome" in kept:  # else it is computed
            named = dataclasses.replace(outcome, reason=name_player(board, outcome.reason))
            position = dataclasses.replace(position, outcome=named)
        shown: Position = position.told(self.last_news)
        return shown

    def list_turns_since(self, viewer: int | None) -> tuple[tuple[str, ...], ...]:
        """Return the moves of each turn since that seat last moved, the oldest first, where several
        others have moved since; none of a board on which something is hidden."""
        board = self._board
        if viewer is None or len(board.seats) <= _SIDES or board.is_hidden:
            return ()
        turns, mover = list[list[str]](), None
        for entry in reversed(self._entries):
            if entry.kind != "move" or board.position.takes_orders:
                continue
            if entry.seat == viewer:
                break
            if entry.seat != mover:
                turns.append([])
            turns[-1].append(entry.move)
            mover = entry.seat
        return tuple(tuple(moves[::-1]) for moves in turns[::-1]) if len(turns) > 1 else ()

    def lines(self, viewer: int | None) -> list[LogLine | str]:
        """Return the last moves, a line each, oldest first. The comments of a complete log are for
        seated viewers only."""
        is_seated = self._reads_comments(viewer)
        if self._board.position.takes_orders and not self._is_whole:
            return [LogLine(said, "  ", 4, has_capital=True) for said in self._list_news()]
        if self._board.is_hidden:
            return self._format_lines(self._describe_entries(viewer), is_seated=is_seated)
        if is_seated not in self._plain:
            words = self._describe_entries(viewer)
            self._plain[is_seated] = self._format_lines(words, is_seated=is_seated)
        return self._plain[is_seated]

    def moves(self, viewer: int | None) -> list[MoveLine]:
        """Return the entries one by one, for a page on which each move leads to its position."""
        is_seated = self._reads_comments(viewer)
        lines: list[MoveLine] = []
        for entry, text in zip(self._entries, self._describe_entries(viewer), strict=True):
            is_move = entry.kind == "move"
            number = self._number(entry, is_first=not lines)
            is_second = is_move and self._is_paired and not number
            if number.isdecimal():
                number = f"{number}."
                if len(self._board.seats) > _SIDES and entry.seat is not None:
                    number = f"{number} {self._name(entry.seat)}"
            who = self._name(entry.seat) if entry.seat is not None and not is_move else ""
            said = name_player(self._board, text) if entry.kind == "chance" else text
            lines.append(
                MoveLine(
                    entry.ply if is_move else 0,
                    number,
                    combine("{who} {what}", who=who, what=said) if who else said,
                    join_phrases("; ", [name_player(self._board, each) for each in entry.news])
                    if entry.news
                    else "",
                    entry.comment if is_seated or entry.seat is None else "",
                    is_second,
                )
            )
        return lines

    def sentences(self, viewer: int | None) -> list[LogLine | str]:
        """Return the same to be read aloud: sentences instead of columns, without times."""
        sentences: list[LogLine | str] = []
        if self._board.position.takes_orders and not self._is_whole:
            return [LogLine(said, is_sentence=True) for said in self._list_news()]
        is_seated = self._reads_comments(viewer)
        for entry, text in zip(self._entries, self._describe_entries(viewer), strict=True):
            who = self._name(entry.seat) if entry.seat is not None else ""
            number = self._turns.get(entry.number, "")
            said = (
                combine("{who} {what}", who=f"{number} {who}".strip(), what=text) if who else text
            )
            sentences += [LogLine(each, is_sentence=True) for each in (said, *entry.news)]
            if self._is_whole and entry.comment and (is_seated or not who):
                written = phrase("{writer} writes", writer=who)
                written = written if who else phrase("The operator writes")
                sentences.append(LogLine(combine("{written}:", written=written)))
                sentences.append(LogLine(entry.comment, is_quoted=True))
        return sentences if self._is_whole else sentences[-_LAST_MOVES:]

    def _list_news(self) -> list[str]:
        """Return the latest events in a game of orders, a sentence each; orders are shown only in
        the picture."""
        told = list[str]()
        for entry in self._entries:
            if act := _describe_act(entry):
                if entry.seat is not None:
                    act = combine("{who} {what}", who=self._name(entry.seat), what=act)
                told.append(act)
            told += entry.news
        return told[-_LAST_MOVES:]

    def list_own(self, seat: Seat) -> dict[str, Sequence[str]]:
        """Return what only the seat's player sees, at the displayed ply, by feature."""
        upto = self._board.ply if self._upto is None else self._upto
        return list_own_lines(self._session, self._board, seat, ply=upto)

    def find_between(self, ply: int, number: int, viewer: int | None) -> list[tuple[LogEntry, str]]:
        """Return the entries after `ply` moves and before that number, each in words."""
        entries = self._entries
        if self._board.is_hidden:
            words = self._describe_entries(viewer)
        else:
            if entries and entries[0].ply > ply:
                rows = reads.find_log(self._session, self._board.id)
                entries = drop_undone(build_entry(row) for row in rows)
            words = [self._board.position.mark_letters(entry.shown) for entry in entries]
        return [
            (entry, text)
            for entry, text in zip(entries, words, strict=True)
            if entry.ply > ply and entry.number < number
        ]

    def find_since_turn(
        self, seats: Collection[int], number: int, viewer: int | None
    ) -> list[tuple[LogEntry, str]]:
        """Return the entries before that number since one of these seats last moved, each in words;
        without the comments of whom the viewer does not hear."""
        found = list[tuple[LogEntry, str]]()
        for entry, words in reversed(self.find_between(-1, number, viewer)):
            if entry.kind == "move" and entry.seat in seats:
                break
            found.append((entry, _describe_act(entry) or words))
        return found[::-1]

    def _reads_comments(self, viewer: int | None) -> bool:
        """Whether that viewer may read what the players wrote."""
        return viewer is not None and self._board.seats[viewer].player not in self._deaf

    def _describe_entries(self, viewer: int | None) -> list[str]:
        """Return each entry in words for that viewer."""
        if self._board.position.takes_orders:
            return [self._describe_order(entry, viewer) for entry in self._entries]
        if not self._board.is_hidden:
            marked = self._board.position.mark_letters
            return [_describe_act(entry) or marked(entry.shown) for entry in self._entries]
        position = self._board.game.setup(len(self._board.seats), self._board.options)
        words = []
        for entry in self._entries:
            shown = position.uncovered() if self._board.is_uncovered else position
            words.append(describe_entry(shown, entry, viewer))
            position = apply_entry(position, entry)
        return words

    def _describe_order(self, entry: LogEntry, viewer: int | None) -> str:
        """Return an entry of a game of orders, each of which reads the same in all positions: whole
        logs are too long to be replayed for each viewer."""
        if entry.kind != "move" or entry.seat is None:
            return _describe_act(entry) or entry.shown
        if self._board.is_uncovered or entry.seat == viewer:
            return self._board.shown.describe(entry.seat, entry.move, entry.seat)
        return entry.words

    def _format_lines(self, words: Sequence[str], *, is_seated: bool) -> list[LogLine | str]:
        named = [self._name(seat.seat) for seat in self._board.seats]
        width = max(map(len, named))
        names = [f"{name:<{width}}" for name in named]
        lines: list[LogLine | str] = []
        turns = _join_turns(self._entries, words, whole=self._is_whole)
        left_out = 0
        if not self._is_whole and len(turns) > _LAST_MOVES:
            turns = turns[-_LAST_MOVES:]
        if not self._is_whole:
            left_out = next((each.ply for each, _ in turns if each.kind == "move"), 1) - 1
        if left_out:
            moves = phrase_number("{count} earlier move", "{count} earlier moves", left_out)
            shown = f"show {self._board.id}#{left_out}"
            lines.append(LogLine(combine("({moves}: {line})", moves=moves, line=shown), " " * 5))
        for at, (entry, text) in enumerate(turns):
            who = names[entry.seat] if entry.seat is not None else " " * width
            if entry.kind == "chance":
                text = name_player(self._board, text)
            number = self._number(entry, is_first=at == 0)
            has_time = self._is_whole and entry.kind != "chance"
            time = format_time(entry.at)[:16].replace("T", " ") if has_time else ""
            lines.append(LogLine(text, f"{number:>4} {who}  ", width + 7, time))
            for sentence in entry.news:
                news = combine("({news})", news=name_player(self._board, sentence))
                lines.append(LogLine(news, " " * (width + 7), width + 8))
            if self._is_whole and entry.comment and (is_seated or entry.seat is None):
                lines.append(LogLine(entry.comment, indent=width + 7, is_quoted=True))
        return lines

    def _name(self, seat: int) -> str:
        """Return a seat's name in the log: its userid, or its own name if others may take it
        over."""
        board = self._board
        return board.position.seat_names[seat] if self._is_of_orders else board.seats[seat].userid

    def _number(self, entry: LogEntry, *, is_first: bool) -> str:
        """Return the number of a move as the game's field has it; "" where a turn goes on."""
        if not self._is_paired or entry.kind != "move":
            return self._turns.get(entry.number, "")
        return f"{(entry.ply + 1) // 2}." if entry.ply % 2 or is_first else ""

    def _count_turns(self) -> dict[int, str]:
        """Return the number of the turn that each entry begins, by that of the entry. Of a log's
        end they are counted back from the present turn."""
        board, turns = self._board, list[list[LogEntry]]()
        is_single = board.position.moves_once or "sealed" in board.game.info.features
        for entry in self._entries:
            if entry.kind != "move":
                continue
            if is_single or not turns or turns[-1][-1].seat != entry.seat:
                turns.append([])
            turns[-1].append(entry)
        if is_single:
            return {entry.number: str(entry.ply) for (entry,) in turns}
        first = 1
        if turns and turns[0][0].ply > 1:
            last = board.position.turn + (board.ply > board.turn_ply)
            first = max(1, last - len(turns) + 1)
        return {turn[0].number: str(number) for number, turn in enumerate(turns, first)}


def _find_last_turn(entries: Sequence[LogEntry]) -> Sequence[LogEntry]:
    """Return the entries since the last seat's latest turn began."""
    first, seat = len(entries), None
    for number in range(len(entries) - 1, -1, -1):
        entry = entries[number]
        if entry.kind != "move":
            continue
        if seat is not None and entry.seat != seat:
            break
        first, seat = number, entry.seat
    return entries[first:]


_TO_READER = {
    "{colour} rolls {dice}": phrase("you roll {dice}"),
    "{colour} rolled {dice} and cannot move": phrase("you rolled {dice} and could not move"),
    "{colour} rolled {dice} and has one play only: {play}": phrase(
        "you rolled {dice} and had one play only: {play}"
    ),
    "{seat} draws {tile}": phrase("you draw {tile}"),
    "{colour} captures {places}": phrase("you capture {places}"),
    "{colour} captures the {piece} on {place}": phrase("you capture the {piece} on {place}"),
    "{colour} turns over {places}": phrase("you turn over {places}"),
    "{colour} has closed {boxes} and draws another line": phrase(
        "you have closed {boxes} and draw another line"
    ),
    "{colour} drops the last seed in the store and moves again": phrase(
        "you drop the last seed in the store and move again"
    ),
}
"""What games say of a seat, as its own player is told it; other sentences name the player."""


def name_player(board: Board, sentence: str, viewer: int | None = None) -> str:
    """Return the game's sentence with the player in place of the seat that it begins with, or as
    said to the `viewer` who holds it. Plain text, as logs of earlier versions and games of packages
    have it, is read for a seat's name."""
    if isinstance(sentence, Phrase):
        return _name_first(board, sentence, viewer)
    first, blank, rest = sentence.partition(" ")
    names = board.position.seat_names
    if not blank or names.count(first) != 1:
        return sentence
    return f"{board.seats[names.index(first)].userid} {rest}"


def _name_first(board: Board, sentence: Phrase, viewer: int | None) -> Phrase:
    begins = _BEGINS.match(sentence.message)
    value = sentence.values.get(begins[1]) if begins else None
    if isinstance(value, SeatName):
        if begins is None or not sentence.message.startswith(" ", begins.end()):
            return sentence
        if value.seat == viewer and (own := _TO_READER.get(sentence.message)):
            return Phrase(own, sentence.values)
        named: str = board.seats[value.seat].userid
    elif isinstance(value, str) and begins is not None:
        named = name_player(board, value)
    else:
        return sentence
    return Phrase(sentence.message, {**sentence.values, begins[1]: named}, sentence.plural)


def join_rolls(words: Iterable[str]) -> list[str]:
    """Join descriptions of chance, the dice of one roll in one: white rolls 5-2."""
    joined: list[str] = []
    for text in words:
        rolled = join_roll(joined[-1], text) if joined else None
        if rolled is None:
            joined.append(text)
        else:
            joined[-1] = rolled
    return joined


def _join_turns(
    entries: Sequence[LogEntry], words: Sequence[str], *, whole: bool
) -> list[tuple[LogEntry, str]]:
    """Return entries and their words, where consecutive moves of one seat and the dice of one roll
    are one entry. A move with news stands alone, and in a `whole` log one with a comment."""
    turns: list[tuple[LogEntry, str]] = []
    for entry, text in zip(entries, words, strict=True):
        before, so_far = turns[-1] if turns else (None, "")
        if before is not None and (before.kind, before.seat) == (entry.kind, entry.seat):
            ends = before.news or (whole and before.comment)
            if entry.kind == "move" and not ends:
                turns[-1] = (
                    replace(entry, ply=before.ply, number=before.number),
                    join_phrases(", ", [so_far, text]),
                )
                continue
            if entry.kind == "chance" and len(rolls := join_rolls([so_far, text])) == 1:
                turns[-1] = (entry, rolls[0])
                continue
        turns.append((entry, text))
    return turns


def _describe_act(entry: LogEntry) -> str:
    """Return an entry that is no move in words; "" for others."""
    if entry.kind == "forfeit" and entry.words:
        return entry.words
    if entry.kind == "cancel":
        return _CANCELLED if entry.seat is None else _ACTS.get(entry.move, "")
    return _ACTS.get(entry.kind, "")


def list_own_lines(
    session: Session, board: Board, seat: Seat, *, ply: int, is_whole: bool = False
) -> dict[str, Sequence[str]]:
    """Return what only a seat's player sees of the board after `ply` moves, by feature: a title and
    further lines, all of them if `is_whole`."""
    found = {
        feature.name: feature.shows_own(session, board, seat, ply=ply, is_whole=is_whole)
        for feature in get_features()
        if feature.shows_own is not None
    }
    return {name: lines for name, lines in found.items() if lines}


def _find_deaf(session: Session, board: Board) -> set[int]:
    """Return the players who block another one of the board and have not agreed to play on it."""
    people = board.people
    unasked = [player for player in people if not board.has_agreed(player)]
    if not unasked:
        return set()

    return {player for player in unasked if people & find_blocked(session, player).keys()}


def describe_entry(before: Position, entry: LogEntry, viewer: int | None) -> str:
    """Return a move or an answer of chance in words for that viewer, `before` being the position in
    which it was made."""
    if entry.kind not in ("move", "chance"):
        return _describe_act(entry) or entry.move
    seat = CHANCE if entry.seat is None else entry.seat
    return before.describe(seat, entry.move, viewer)


def format_time(seconds: float) -> str:
    """Return a POSIX time in ISO 8601, UTC, to the millisecond."""
    text = datetime.fromtimestamp(seconds, UTC).isoformat(timespec="milliseconds")
    return text.replace("+00:00", "Z")


# Rating changes: what the end of a rated board did to its players, and how it is shown.


class RatingChange(Struct, frozen=True):
    """What a board did to the rating of a seat's player. `chance` is that of winning, going by the
    ratings before."""

    board: int
    game: str
    seat: int
    player: int
    userid: str
    rank: int
    chance: float
    before: Rating
    after: Rating

    @property
    def gained(self) -> int:
        """Points gained, or lost when negative."""
        return self.after.points - self.before.points

    @property
    def line(self) -> str:
        """The change, the rank and the chance in one line."""
        return phrase(
            "{before} -> {after} ({gained})  rank {rank}, chance {chance} %",
            before=self.before.text,
            after=self.after.text,
            gained=f"{self.gained:+d}",
            rank=self.rank,
            chance=f"{100 * self.chance:.0f}",
        )


def list_board_changes(session: Session, board: int) -> list[RatingChange]:
    """Return the changes of its players' ratings by a board, by seat; empty for an unrated one."""
    return [_change(row) for row in find_board_changes(session, board)]


def list_player_changes(
    session: Session, player: int, most: int, game: str = ""
) -> list[RatingChange]:
    """Return the last changes of a player over all games, or in one, newest first."""
    return [_change(row) for row in find_player_changes(session, player, game, most)]


def _change(row: ChangeRow) -> RatingChange:
    return RatingChange(
        row.board_id,
        row.game,
        row.seat,
        row.player_id,
        row.userid,
        row.rank or 0,
        row.chance,
        Rating(row.mu_before, row.sigma_before),
        Rating(row.mu, row.sigma),
    )


def format_changes(changed: Sequence[RatingChange]) -> list[str]:
    """Return the rating changes of a board, one line a seat: ann 1500 -> 1579 (+79), still
    provisional."""
    width = max((len(change.userid) for change in changed), default=0)
    lines: list[str] = []
    for change in changed:
        line = (
            f"{change.userid:<{width}}  {change.before.points} -> {change.after.points} "
            f"({change.gained:+d})"
        )
        is_sure = change.after.is_established
        lines.append(line if is_sure else phrase("{change}, still provisional", change=line))
    return lines


def format_points(changed: Sequence[RatingChange], players: int) -> str:
    """Return the new points of each seat for programs, a dash for seats that were not rated; ""
    when the board was not rated."""
    after = {change.seat: str(change.after.points) for change in changed}
    return " ".join(after.get(seat, "-") for seat in range(players)) if changed else ""


class RatingLine(Struct, frozen=True):
    """A player's rating in one game."""

    game: str
    rating: str
    boards: int
    place: str
