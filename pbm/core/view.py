"""What is shown of a board: the view in mails and on pages (picture, seats, last moves, turn),
and its line in lists, feeds and the operator's tables."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING

from msgspec import structs

from pbm.config import Server
from pbm.core import board as board_clocks
from pbm.core import log_view
from pbm.core.board import TAKES_OVER, Board, label_seats
from pbm.core.log_view import BoardLog, name_player
from pbm.core.notices import Appearance, BoardView, Notice, Proposal, SeatLine, Thread
from pbm.core.options import format_server
from pbm.core.player import prefers_words
from pbm.core.seat import Seat
from pbm.rules import Outcome, Picture, Value
from pbm.rules.examples import find_example, list_duties
from pbm.rules.phrases import Listing, Phrase, combine, fill_in, join_phrases, phrase, phrase_place

if TYPE_CHECKING:
    from pbm.core.call import Call
import json
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import NamedTuple

from icalendar import Calendar, Event

from pbm.core.board import name_anonymous
from pbm.core.storing import Unplayable, copy_columns, find_title, load
from pbm.games import UnknownGame, get_game
from pbm.store.reads import find_seats_by_board
from pbm.store.tables import BoardColumns, BoardRow
from pbm.store.transaction import Session

# What lists, pages, feeds and the operator's tables show of a board.

_SAID: Mapping[str, str] = {
    "invited": phrase("invited"),
    "sleeping": phrase("sleeping"),
    "cancelled": phrase("cancelled"),
}
"""What lists say of boards that are neither played nor over."""


@dataclass(frozen=True, slots=True)
class SeatSummary:
    """A seat in a list of boards: the name that everybody reads, and its player's number."""

    name: str
    player: int
    is_on_move: bool


@dataclass(kw_only=True)
class BoardSummary(BoardColumns):
    """A board of a list. `status` is how far it is or who won; `moved` is when the turn began, or
    when the board ended; `within`, in words, how soon the reader has to move."""

    game: str
    options: Mapping[str, Value]
    seats: Sequence[SeatSummary]
    status: str
    moved: float
    within: str = ""

    @property
    def heading(self) -> str:
        """What a mail calls the board, above its players."""
        heading = phrase("{game}, board {number}", game=find_title(self.game), number=self.id)
        if not self.title:
            return heading
        return combine('{heading}, "{title}"', heading=heading, title=self.title)

    @property
    def names(self) -> str:
        """The names of the seats; a star marks whose turn it is."""
        return join_phrases(
            " ",
            [
                combine("{name}*", name=seat.name) if seat.is_on_move else seat.name
                for seat in self.seats
            ],
        )


def summarize_boards(
    session: Session, rows: Sequence[BoardRow], *, for_operator: bool = False
) -> list[BoardSummary]:
    """Return the boards as everybody may see them in a list; `for_operator` names the players of
    anonymous boards too."""
    seats_by_board = find_seats_by_board(session, [row.id for row in rows])
    summaries = []
    for row in rows:
        seats = seats_by_board.get(row.id, [])
        on_move = {int(seat) for seat in row.to_move.split(",") if seat}
        names: Sequence[str] = [seat.userid for seat in seats]
        if row.anonymous and not for_operator:
            names = name_anonymous(row.game, row.players, row.options)
        is_stuck = row.state in ("running", "invited") and not _is_playable(session, row)
        winners = [seat.userid for seat in seats if seat.rank == 1]
        status = _say_status(row, winners, len(seats))
        summaries.append(
            BoardSummary(
                **copy_columns(row),
                game=row.game,
                options=json.loads(row.options),
                seats=[
                    SeatSummary(name, seat.player_id, seat.seat in on_move)
                    for seat, name in zip(seats, names, strict=True)
                ],
                status=phrase("cannot go on") if is_stuck else status,
                moved=row.moved,
            )
        )
    return summaries


def summarize_board(board: Board) -> BoardSummary:
    """Return a board that was loaded, as everybody may see it in a list."""
    to_move = () if board.is_over else board.position.to_move
    winners = [seat.userid for seat in board.seats if seat.rank == 1]
    return BoardSummary(
        **copy_columns(board),
        game=board.game.info.name,
        options=board.options,
        seats=[SeatSummary(seat.userid, seat.player, seat.seat in to_move) for seat in board.seats],
        status=_say_status(board, winners, len(board.seats)),
        moved=board.turn_began,
    )


def _say_status(board: BoardColumns, winners: Sequence[str], seats: int) -> str:
    if board.state == "running":
        return phrase("move {number}", number=board.ply + 1)
    if board.state != "over":
        return _SAID.get(board.state, board.state)
    if len(winners) == seats:
        return phrase("draw")
    if len(winners) == 1:
        return phrase("{player} won", player=winners[0])
    return phrase("{players} won", players=Listing([*winners]))


def _is_playable(session: Session, row: BoardRow) -> bool:
    """Whether the position can be loaded: the game may be missing or have changed."""
    try:
        if get_game(row.game).find_version(row.version) is None:
            load(session, row.id)
    except (UnknownGame, Unplayable):
        return False
    return True


# Calendars (RFC 5545) of what happens when.


class CalendarEvent(NamedTuple):
    """An event of a calendar: a name that stays the same, its times, what happens."""

    uid: str
    begins: float
    ends: float | None
    summary: str


def write_calendar(name: str, entries: Iterable[CalendarEvent], server: Server, now: float) -> str:
    """Return a calendar with these entries, made by the part of the server with that name; a
    program that shows it lists it under the club's."""
    calendar = Calendar()
    calendar.add("version", "2.0")
    calendar.add("prodid", f"-//pbm//{name}//EN")
    if server.name:
        calendar.add("x-wr-calname", server.name)
    for entry in entries:
        event = Event()
        event.add("uid", f"{entry.uid}@{server.host}")
        event.add("dtstamp", _to_time(now))
        event.add("dtstart", _to_time(entry.begins))
        if entry.ends is not None:
            event.add("dtend", _to_time(entry.ends))
        event.add("summary", entry.summary)
        calendar.add_component(event)
    text: bytes = calendar.to_ical()
    return text.decode()


def _to_time(at: float) -> datetime:
    return datetime.fromtimestamp(int(at), UTC)


# The view of a board.

_NUMBER = re.compile(r" \(\d+\)(?=\.?$| ?:)")
_NO_PICTURE = Picture((), ())
_PROPOSED = {
    "draw": phrase("a draw"),
    "undo": phrase("to take back a move"),
    "cancel": phrase("to cancel the board"),
    "pause": phrase("that all clocks stand still until {day}"),
    TAKES_OVER: phrase("to play on for {player}"),
}


class BoardViews:
    """Builds the views of a board for its viewers; the parts common to all are computed once."""

    def __init__(self, board: Board, log: BoardLog) -> None:
        position, info, outcome = board.position, board.game.info, board.outcome
        has_dice = "chance" in info.features
        self._board, self._log = board, log
        self._seats = _list_seats(board)
        self._build_view = partial(
            BoardView,
            game=info.name,
            summary=summarize_board(board),
            board=board.id,
            colours=position.colours,
            options=format_options(board.options),
            terms=format_server(
                board.control,
                unrated=not board.rated and board.state != "cancelled",
                private=board.private,
                standin=board.standin,
                club=board.club,
            ),
            state=board.state,
            reason=name_player(board, outcome.reason) if outcome else "",
            rolled=has_dice and board.number > board.ply,
            can_be_drawn=not info.is_decisive,
            next_first=_find_next_first(board),
            ply=board.ply,
            next_ply=board.next_ply,
            turn=board.turn_number,
            to_move="" if board.is_over else board.join_userids(position.to_move),
            players=" ".join([each.userid for each in board.seats]),
            ranks=" ".join(map(str, outcome.ranks)) if outcome else "*",
            ratings=log_view.format_changes(log.ratings) if log.ratings else (),
            rated_as=log_view.format_points(log.ratings, len(board.seats)),
            commitment=board.commitment if has_dice else "",
            secret=board.secret.hex() if board.is_uncovered and has_dice else "",
            event=board.event or 0,
            pool=board.pool,
            colour=log.colour,
        )

    def build(
        self,
        viewer: int | None,
        *,
        in_words: bool = False,
        is_drawn: bool = True,
        is_news: bool = False,
    ) -> BoardView:
        """Return the board as one seat, or (None) a spectator, may see it: in words if that seat's
        player prefers them, or if `in_words`. Unless `is_drawn`, there is no picture as text and no
        example of a move. As `is_news`, words may be as short as the player wants them."""
        board, log, position = self._board, self._log, self._board.position
        seat = None if viewer is None else board.seats[viewer]
        in_words |= seat is not None and prefers_words(seat.preferences)
        is_short = is_news and seat is not None and seat.preferences.get("words") == "short"
        is_running = board.state == "running"
        on_move = is_running and board.waits_for(viewer)
        mover = viewer if on_move and is_drawn else None
        until, span = "", ""
        if on_move and seat is not None:
            until, span = board_clocks.format_deadline(board, seat, log.now)
        return self._build_view(
            picture=log.draw(board, viewer) if is_drawn else _NO_PICTURE,
            appearance=Appearance(
                log.tell(board),
                viewer,
                log.last_moves,
                not is_running,
                is_short,
                log.list_turns_since(viewer),
            ),
            in_words=in_words,
            people=_describe_seats(self._seats, viewer),
            names=" ".join(
                [
                    *(each.userid for each in board.seats),
                    *(each.account for each in (seat.people if seat is not None else ())),
                ]
            ),
            officials=log.officials,
            log=log.sentences(viewer) if in_words else log.lines(viewer),
            status=describe_state(board, viewer),
            takes_orders=position.takes_orders,
            press=position.press,
            is_seated=seat is not None,
            on_move=on_move,
            accepted=seat is not None and seat.accepted,
            moved=seat is not None and seat.moved,
            until=until,
            span=span,
            userid=seat.account if seat is not None else "USERID",
            text_only=seat is not None and seat.preferences.get("mail") == "text",
            example="" if mover is None else find_example(position, mover),
            duties=() if mover is None else list_duties(position, mover),
            proposals=_list_proposals(board, viewer),
            own=log.list_own(seat) if seat is not None else {},
        )


def build_view(
    board: Board,
    viewer: int | None,
    log: BoardLog,
    *,
    in_words: bool = False,
    is_drawn: bool = True,
) -> BoardView:
    """Return the board as one seat, or (None) a spectator, may see it, as `BoardViews.build` has
    it."""
    return BoardViews(board, log).build(viewer, in_words=in_words, is_drawn=is_drawn)


def find_thread(board: Board, seat: int | None) -> Thread:
    """Return the thread of mails about the board to that seat, or (None) to spectators."""
    names = tuple([each.userid for each in board.seats])
    is_party = seat is not None and board.seats[seat].decides != ""
    return Thread(
        board.game.info.name, board.id, seat, board.next_ply, board.undos, names, is_party
    )


def address_to_seat(call: Call, board: Board, answer: Notice, ply: int = 0) -> Notice:
    """Return an answer about a board in the thread of the seat of whoever asks, so that a reply to
    it is one to the board; of a past position with its `ply`. Unchanged where they have no seat."""
    readers = [call.player] if call.player is not None else list(call.senders)
    seated = [each for each in readers if each.id in board.people]
    if len(readers) != 1 or not seated or board.state == "sleeping":
        return answer
    thread = find_thread(board, board.find_seat(seated[0]).seat)
    return structs.replace(answer, thread=structs.replace(thread, ply=ply or thread.ply))


def build_headline(
    board: Board, viewer: int | None, event: str = "", *, is_new: bool = False
) -> str:
    """Return the subject after the bracket: whose move it is or who won, with the ply, and what
    happened; nothing but that for a board that `is_new`. Where orders are awaited, it does not say
    of whom."""
    people = ", ".join(seat.userid for seat in board.seats)
    if board.is_over:
        return combine("{result} ({move})", result=_describe_result(board), move=board.turn_number)
    if board.state == "sleeping":
        return phrase("asleep: {people}", people=people)
    if board.state == "invited":
        return phrase("invitation: {people}", people=people)
    if is_new:
        return event
    awaited = _describe_awaited(board, viewer)
    return combine("{awaited}, {event}", awaited=awaited, event=event) if event else awaited


def _describe_awaited(board: Board, viewer: int | None) -> str:
    """Return for a headline whose move or orders are awaited."""
    number, is_own = board.turn_number, board.waits_for(viewer)
    if board.position.takes_orders:
        return phrase("your orders awaited") if is_own else phrase("orders awaited")
    if is_own:
        return phrase("your move ({move})", move=number)
    return phrase("{people} to move ({move})", people=board.name_awaited(viewer), move=number)


def _describe_result(board: Board) -> str:
    """Return the winners, a tie, or the cancellation, in words."""
    outcome = board.outcome
    if outcome is None:
        return phrase("cancelled")
    names = list(dict.fromkeys(board.seats[seat].userid for seat in outcome.winners))
    if len(outcome.winners) == len(board.seats):
        return phrase("draw")
    if len(outcome.winners) == 1:
        return phrase("{player} won", player=names[0])
    if "partners" in board.game.info.features:
        return phrase("{players} won", players=Listing(names))
    return phrase("{people} tie", people=Listing(names))


def drop_number(sentence: str) -> str:
    """Return what `describe_state` says, as a sentence in any language, without the number of the
    turn, which is for programs."""
    return _NUMBER.sub("", sentence)


def describe_state(board: Board, viewer: int | None, *, has_reason: bool = True) -> str:
    """Return whose turn it is, or how the board ended and (`has_reason`) why, in words for a seat
    or (None) a spectator."""
    seat = None if viewer is None else board.seats[viewer]
    if board.state == "cancelled":
        return phrase("the game is cancelled")
    if board.state == "sleeping":
        return phrase("the game is asleep")
    if board.state == "invited":
        is_asked = seat is not None and not seat.accepted
        waits = phrase("it starts when everybody has accepted")
        return phrase("will you play?") if is_asked else waits
    outcome = board.outcome
    if board.state == "over" and outcome is not None:
        result = _describe_result_for(board, outcome, seat)
        if not has_reason:
            return combine("{result} ({move})", result=result, move=board.turn_number)
        reason = name_player(board, outcome.reason)
        if seat is not None and reason == f"{seat.userid} resigns":
            reason = phrase("you resigned")
        if not isinstance(reason, Phrase):
            reason = reason.removeprefix("a draw ")
        return combine(
            "{result} ({move}): {reason}", result=result, move=board.turn_number, reason=reason
        )
    if board.position.takes_orders:
        return _describe_orders(board, viewer)
    if board.waits_for(viewer):
        return phrase("it is your move ({move})", move=board.turn_number)
    to_move = board.name_awaited(viewer)
    if not to_move:
        return phrase("chance decides")
    return phrase("it is {player}'s turn ({move})", player=to_move, move=board.turn_number)


def _describe_orders(board: Board, viewer: int | None) -> str:
    """Return whether orders of the viewer are awaited, or only of others."""
    if board.waits_for(viewer):
        return phrase("your orders are awaited")
    is_complete = viewer is not None and viewer in board.position.may_revise
    return phrase("your orders are complete") if is_complete else phrase("orders are awaited")


def _describe_result_for(board: Board, outcome: Outcome, seat: Seat | None) -> str:
    """Return the winners in words for that seat or (None) a spectator."""
    if len(outcome.winners) == len(board.seats):
        return phrase("the game is drawn")
    winners = {board.seats[winner].player: board.seats[winner].userid for winner in outcome.winners}
    is_own = seat is not None and bool(winners.pop(seat.player, ""))
    names = Listing([*winners.values()])
    if is_own:
        return (
            phrase("you share the win with {people}", people=names) if names else phrase("you won")
        )
    if len(winners) == 1:
        return phrase("{player} won", player=names)
    return phrase("{people} share the win", people=names)


def format_options(options: Mapping[str, Value]) -> str:
    """Format options as one would type them."""
    return " ".join(
        f"-{name}" if value is True else f"-{name}={value}" for name, value in options.items()
    )


def _list_proposals(board: Board, viewer: int | None) -> list[Proposal]:
    own = None if viewer is None else board.seats[viewer].player
    return [
        Proposal(
            proposer=rest if kind == TAKES_OVER else first.userid,
            what=fill_in(_PROPOSED[kind], player=first.userid, day=rest),
            missing=board.join_userids(board.position.playing - set(by)),
            is_own=kind != TAKES_OVER and first.player == own,
            is_asked=viewer in board.position.playing and viewer not in by,
        )
        for each, by in board.proposals.items()
        for (kind, _, rest), first in [(each.partition(" "), board.seats[by[0]])]
    ]


def _list_seats(board: Board) -> list[SeatLine]:
    """Return each seat with what is noted of it: whose turn, or the rank."""
    position, outcome = board.position, board.outcome
    names, to_move, playing = label_seats(position), position.to_move, position.playing
    is_running = board.state == "running"
    people = [seat.full_name for seat in board.seats]
    seats = []
    for seat, player in zip(board.seats, people, strict=True):
        notes = list[str]()
        if is_running and seat.seat in to_move:
            is_ordering = position.takes_orders
            notes.append(phrase("orders awaited") if is_ordering else phrase("to move"))
            if seat.is_late:
                # TRANSLATORS: beside a player whose orders are awaited beyond the deadline
                notes.append(phrase("late"))
        if is_running and seat.seat not in playing:
            notes.append(phrase("out"))
        if is_running and seat.standin:
            notes.append(phrase("{bot} moves", bot=board.standin))
        if position.takes_orders and seat.is_bot and not board.is_anonymous:
            notes.append(phrase("computer player"))
        if outcome is not None:
            notes.append(_describe_rank(outcome, seat.seat))
        if board.state == "invited" and not board.is_anonymous:
            notes.append(phrase("accepted") if seat.accepted else phrase("no answer yet"))
        seats.append(SeatLine(player, names[seat.seat], join_phrases(", ", notes) if notes else ""))
    return seats


def _describe_seats(seats: Sequence[SeatLine], viewer: int | None) -> list[SeatLine]:
    """Return the seats as the viewer reads of them."""
    lines = list(seats)
    if viewer is not None:
        own = seats[viewer]
        notes = phrase("you")
        if own.notes:
            notes = combine("{you}, {notes}", you=notes, notes=own.notes)
        lines[viewer] = structs.replace(own, notes=notes)
    return lines


def _find_next_first(board: Board) -> str:
    """Return the player who would move first in a rematch; "" when one player has all seats."""
    next_first = board.seats[1 % len(board.seats)]
    return "" if next_first.player == board.seats[0].player else next_first.userid


def _describe_rank(outcome: Outcome, seat: int) -> str:
    """Return the outcome for a seat: won, lost, draw; 1st, 2nd, 3rd ... of three or more."""
    rank, seats = outcome.ranks[seat], len(outcome.ranks)
    if len(outcome.winners) == seats:
        return phrase("draw")
    if seats == 2:
        return phrase("won") if rank == 1 else phrase("lost")
    return phrase_place(rank)
