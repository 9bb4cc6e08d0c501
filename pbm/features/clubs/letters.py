"""The letters that the server sends to the members of a club: one each month, one each year."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from msgspec.structs import replace
from sqlalchemy import bindparam, exists, select, update

from pbm.core.board import Board
from pbm.core.context import Context, DueWork
from pbm.core.log_view import BoardLog
from pbm.core.notices import Notice
from pbm.core.player import prefers_words
from pbm.core.refusal import Refusal
from pbm.core.storing import Unplayable, find_title, load
from pbm.core.view import BoardSummary, build_view, summarize_boards
from pbm.features.clubs.lists import find_boards, list_events, list_offers
from pbm.features.clubs.members import list_readers
from pbm.features.clubs.notices import ClubLetter
from pbm.features.clubs.periods import Period, find_next_month, list_periods
from pbm.games import UnknownGame
from pbm.rules.phrases import Phrase, phrase, phrase_number
from pbm.store.reads import find_seats_by_board
from pbm.store.rows import Query, Row
from pbm.store.tables import BoardRow, ClubRow, boards, clubs, players, rating_changes, seats
from pbm.store.transaction import Session

_MOST_RESULTS = 30
MOST_COUNTED = 2000
_MOST_TOPS = 3
_MOST_TRIED = 5
_AT_ONCE = 1
_LIKELY = 0.5
_DUE = Query(
    ClubRow,
    select(clubs)
    .where(clubs.c.letter <= bindparam("now"))
    .order_by(clubs.c.letter, clubs.c.id)
    .limit(_AT_ONCE),
)


class UpsetRow(Row):
    """A rated board, with the probability that its winner would win."""

    board_id: int
    userid: str
    chance: float


_OTHER = seats.alias("other")
_UPSET = Query(
    UpsetRow,
    select(rating_changes.c.board_id, players.c.userid, rating_changes.c.chance)
    .join(boards, boards.c.id == rating_changes.c.board_id)
    .join(
        seats,
        (seats.c.board_id == rating_changes.c.board_id) & (seats.c.seat == rating_changes.c.seat),
    )
    .join(players, players.c.id == rating_changes.c.player_id)
    .where(
        boards.c.pool == bindparam("club"),
        boards.c.state == "over",
        boards.c.anonymous.is_(False),
        boards.c.ended >= bindparam("begins"),
        boards.c.ended < bindparam("ends"),
        seats.c.rank == 1,
        ~exists().where(
            _OTHER.c.board_id == seats.c.board_id,
            _OTHER.c.seat != seats.c.seat,
            _OTHER.c.rank == 1,
        ),
        rating_changes.c.chance < bindparam("likely"),
    )
    .order_by(rating_changes.c.chance, rating_changes.c.board_id)
    .limit(1),
)


def is_due(session: Session, now: float) -> bool:
    """Whether the letter of a club is due."""
    return session.first(_DUE, {"now": now}) is not None


def mail_letters(work: DueWork) -> list[Notice]:
    """Return the letters of clubs whose month is over, to the members who take such mails; none for
    a club on which no board has ended."""
    context, notices = work.context, list[Notice]()
    for club in context.session.all(_DUE, {"now": context.now}):
        later = update(clubs).where(clubs.c.id == club.id)
        context.session.execute(later.values(letter=find_next_month(context.now)))
        for period in list_periods(context.now):
            if (letter := build_letter(context, club, period)) is None:
                continue
            for player in list_readers(context, club):
                in_words = prefers_words(player.preferences)
                own = replace(letter, userid=player.userid, is_in_words=in_words)
                notices.append(context.build_notice(player, own))
    return notices


def build_letter(context: Context, club: ClubRow, period: Period) -> ClubLetter | None:
    """Return the letter about a month or a year, for members; None where no board has ended."""
    rows = find_boards(
        context,
        club,
        "over",
        MOST_COUNTED,
        is_inside=True,
        begins=period.begins,
        ends=period.ends,
    )
    if not rows:
        return None
    found = summarize_boards(context.session, rows)
    longest = max(found, key=lambda board: (board.ply, -board.id))
    upset = find_upset(context, club, period)
    numbers = [*([upset.board_id] if upset is not None else []), longest.id]
    board = find_playable(context.session, [*numbers, *(each.id for each in found[:_MOST_TRIED])])
    if board is None:
        return None
    view = build_view(board, None, BoardLog(context, board))
    shown = found[:_MOST_RESULTS] if not period.is_year else ()
    return ClubLetter(
        userid="",
        club=club.name,
        colour=club.colour,
        period=period.name,
        is_year=period.is_year,
        boards=len(found),
        results=[(_name(each), each.status, f"{each.game} show {each.id}") for each in shown],
        more=len(found) - len(shown),
        tops=list_tops(context.session, rows) if period.is_year else (),
        upset=say_upset(upset, found) if upset is not None else "",
        longest=say_longest(longest),
        seeking=list_offers(context, club),
        events=list_events(context, club, is_inside=True),
        shown=view.summary.heading,
        drawing=view.draw(),
    )


def _name(board: BoardSummary) -> str:
    return f"{find_title(board.game)}: {' - '.join(seat.name for seat in board.seats)}"


def find_upset(context: Context, club: ClubRow, period: Period) -> UpsetRow | None:
    """Return the rated board of a club whose winner was least likely to win; None if the favourite
    won every time."""
    values = {"club": club.name, "begins": period.begins, "ends": period.ends, "likely": _LIKELY}
    return context.session.first(_UPSET, values)


def find_playable(session: Session, numbers: Iterable[int]) -> Board | None:
    """Return the first of these boards that can be loaded; the game of a board may be gone."""
    for number in numbers:
        try:
            return load(session, number)
        except (Refusal, UnknownGame, Unplayable):
            continue
    return None


def say_upset(row: UpsetRow, found: Iterable[BoardSummary]) -> Phrase:
    """Return the least expected result, as a clause."""
    game = next((each.game for each in found if each.id == row.board_id), "")
    return phrase(
        "{player} won with a chance of {percent} %: {line}",
        player=row.userid,
        percent=max(round(100 * row.chance), 1),
        line=f"{game} show {row.board_id}".lstrip(),
    )


def say_longest(board: BoardSummary) -> Phrase:
    """Return the longest board, as a clause."""
    return phrase_number(
        "{people}, {count} move: {line}",
        "{people}, {count} moves: {line}",
        board.ply,
        people=_name(board),
        line=f"{board.game} show {board.id}",
    )


def list_tops(session: Session, rows: Sequence[BoardRow]) -> list[str]:
    """Return who has played most boards, and who has won most, as clauses. Boards that hide who
    plays do not count."""
    seated = find_seats_by_board(session, [row.id for row in rows if not row.anonymous])
    played, won = Counter[str](), Counter[str]()
    for held in seated.values():
        played.update(seat.userid for seat in held)
        is_drawn = all(seat.rank == 1 for seat in held)
        won.update(seat.userid for seat in held if seat.rank == 1 and not is_drawn)
    return [
        *(
            phrase_number(
                "{player} played {count} board", "{player} played {count} boards", n, player=name
            )
            for name, n in played.most_common(_MOST_TOPS)
        ),
        *(
            phrase_number(
                "{player} won {count} board", "{player} won {count} boards", n, player=name
            )
            for name, n in won.most_common(_MOST_TOPS)
        ),
    ]
