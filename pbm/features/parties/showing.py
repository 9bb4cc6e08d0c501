"""What a party sees of itself below its board, and what others see once the board is over."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from pbm.core.board import Board, find_vote_end, format_time
from pbm.core.context import DueWork
from pbm.core.log_view import format_time as format_precisely
from pbm.core.notices import Notice
from pbm.core.parties import list_talk
from pbm.core.seat import Seat, Way
from pbm.core.turns import play_choice
from pbm.features.parties.talking import format_talk
from pbm.rules.phrases import Listing, Phrase, combine, fill_in, phrase
from pbm.store.transaction import Session

_LAST = 6
_WAYS: Mapping[str, Phrase] = {
    Way.CAPTAIN: phrase("{captain}, the captain, plays; what others send is a proposal."),
    Way.FIRST: phrase("Whoever answers first plays."),
    Way.TURN: phrase("You play in turn; what others send is a proposal."),
    Way.VOTE: phrase("You vote by reply; the move with the most votes is played."),
}


def show_party(
    session: Session, board: Board, seat: Seat, *, ply: int, is_whole: bool
) -> Sequence[str]:
    """Return a party's members, its way to decide, its proposals, and its last texts; nothing for a
    seat of one player."""
    if not seat.decides:
        return []
    names = Listing([each.account for each in seat.members])
    speaker = seat.name_member(next(iter(seat.list_speakers()), 0))
    way = _WAYS[seat.decides]
    lines: list[str] = [
        phrase("Your side, {party}, is {people}.", party=seat.userid, people=names),
        fill_in(way, captain=speaker),
    ]
    is_on_move = board.state == "running" and seat.seat in board.position.to_move
    if seat.decides == Way.TURN and is_on_move:
        (who,) = seat.list_speakers(board.round_number) or (0,)
        lines.append(phrase("It is for {member} to play.", member=seat.name_member(who)))
    ballots = seat.read_ballots(board.next_ply, board.undos)
    for each in ballots.cast if is_on_move else ():
        member = seat.name_member(each.player)
        lines.append(combine("  {member}: {move}", member=member, move=each.words))
    end = find_vote_end(board, seat) if is_on_move else None
    if end is not None:
        until = format_time(end, seat.preferences)
        lines.append(phrase("Votes are counted on {time}, or when all are in.", time=until))
    talk = [row for row in list_talk(session, board, seat.seat) if row.kind == "text"]
    said = format_talk(row for row in talk if row.ply <= ply + 1)
    lines += [f"  {line}" for line in (said if is_whole else said[-_LAST:])]
    return lines


def count_votes(work: DueWork, board: Board) -> list[Notice]:
    """Play the moves elected by parties whose time to vote is over."""
    if board.state != "running" or not board.has_parties:
        return []
    notices = list[Notice]()
    for seat in board.on_move:
        if seat.decides == Way.VOTE and seat.ballots and board.state == "running":
            notices += play_choice(work.context, board, seat)
    return notices


def describe_talk(session: Session, board: Board) -> dict[str, object]:
    """Return the talk of parties for the record of a board: all of it once the result is settled;
    nothing before, and never that of a cancelled board."""
    if not board.has_parties or not board.is_uncovered or board.state == "cancelled":
        return {}
    names = board.position.seat_names
    lines = [
        {
            "at": format_precisely(row.at),
            "ply": row.ply,
            "seat": names[row.seat],
            "from": row.userid,
            "kind": row.kind,
            "text": row.text,
        }
        for row in list_talk(session, board)
    ]
    return {"party_talk": lines} if lines else {}
