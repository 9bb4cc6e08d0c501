"""Parties: who speaks for a seat that several people hold, and what these propose and vote for."""

from __future__ import annotations

from sqlalchemy import bindparam, insert, select

from pbm.core.board import Board, find_vote_end
from pbm.core.call import Call
from pbm.core.refusal import Refusal, RefusalCode
from pbm.core.seat import Ballot, Ballots, Seat, Way
from pbm.core.updates import Change
from pbm.rules import CHANCE_TO_MOVE, Position
from pbm.rules.phrases import fill_in, phrase
from pbm.rules.turn_text import require_whole
from pbm.store.rows import Query, Row
from pbm.store.tables import party_talk, players
from pbm.store.transaction import Session


def find_speaking_seat(call: Call, board: Board) -> Seat:
    """Return the sender's seat, for what ends or settles something. Refuse a member of a party that
    leaves this to its captain."""
    seat = board.find_seat(call.me)
    if seat.decides and call.me.id not in seat.list_speakers():
        raise refuse_member(board, seat)
    return seat


def refuse_member(board: Board, seat: Seat) -> Refusal:
    """Return the refusal of what the captain of a party decides."""
    captain = "".join(seat.name_member(each) for each in seat.list_speakers()[:1])
    return board.make_refusal(
        RefusalCode.NOT_CAPTAIN,
        phrase(
            "that is for {captain} to decide, the captain of {party}. To say what you think of it "
            "to your own side alone, begin a reply with team:",
            captain=captain,
            party=seat.userid,
        ),
        f"{board.game.info.name} confer {board.id} {{user}} PASSWORD TEXT",
    )


def may_move(board: Board, seat: Seat, player: int) -> bool:
    """Whether a player's word is enough for a move of a seat."""
    return player in board.list_movers(seat)


def add_ballot(call: Call, board: Board, seat: Seat, text: str) -> Change:
    """Store a proposal or vote of a member of a party, in place of an earlier one, and return the
    news of it for the party. Raise MoveError where it cannot be played."""
    me, ply = call.me, board.next_ply
    ballot = Ballot(me.id, *spell_turn(board, seat.seat, text), text, call.now)
    before = seat.read_ballots(ply, board.undos).cast
    others = tuple(each for each in before if each.player != me.id)
    seat.store_ballots(Ballots(ply, board.undos, (*others, ballot)))
    kind = "vote" if seat.decides == Way.VOTE else "proposal"
    note_talk(call, board, seat, ballot.words, kind)
    told, own = phrase("{member} proposes {move}"), phrase("you propose {move}")
    if kind == "vote":
        told, own = phrase("{member} votes for {move}"), phrase("you vote for {move}")
    if comment := call.command.text:
        note_talk(call, board, seat, comment)
    return Change(
        fill_in(told, member=me.userid, move=ballot.words),
        fill_in(own, move=ballot.words),
        actor=seat.seat,
        comment=comment,
        by=me.userid,
        private=True,
    )


def find_choice(board: Board, seat: Seat, now: float) -> Ballot | None:
    """Return the move for which a party has voted; None while it is undecided: others can still
    change it, and the time to vote is not over."""
    if seat.decides != Way.VOTE:
        return None
    ballots = seat.read_ballots(board.next_ply, board.undos)
    if not ballots.cast:
        return None
    active = {each.player for each in seat.members if each.is_active}
    captain = next(iter(seat.list_speakers()), 0)
    missing = len(active - {each.player for each in ballots.cast})
    counts = sorted(_count(ballots, move) for move in {each.move for each in ballots.cast})
    second = counts[-2] if len(counts) > 1 else 0
    end = find_vote_end(board, seat)
    is_over = end is not None and now >= end
    if missing and not is_over and counts[-1] <= second + missing:
        return None
    return ballots.find_choice(captain)


def _count(ballots: Ballots, move: str) -> int:
    return sum(each.move == move for each in ballots.cast)


def spell_turn(board: Board, seat: int, text: str) -> tuple[str, str]:
    """Return a turn as the game spells it and as people read it, up to the first chance; of a
    hidden board its first move and the rest as typed, since trying more would be a free look. Raise
    MoveError where it cannot be played."""
    position: Position = board.position
    require_whole(position, seat, text)
    rest, spelled, said = text.strip(), list[str](), list[str]()
    while rest and position.to_move != CHANCE_TO_MOVE:
        move, rest = position.parse(rest, seat)
        said.append(position.describe(seat, move, seat))
        position, rest = position.play(seat, move), rest.strip()
        spelled.append(move)
        if board.is_hidden:
            break
    left = [rest] if rest else []
    return " ".join([*spelled, *left]), ", ".join([*said, *left])


# What those who hold a seat together write to each other: kept with the board.


class TalkRow(Row):
    """A text, or the move of a proposal or vote, with its writer."""

    seat: int
    player_id: int
    userid: str
    ply: int
    kind: str
    text: str
    at: float


_TALK = Query(
    TalkRow,
    select(
        party_talk.c.seat,
        party_talk.c.player_id,
        players.c.userid,
        party_talk.c.ply,
        party_talk.c.kind,
        party_talk.c.text,
        party_talk.c.at,
    )
    .join(players, players.c.id == party_talk.c.player_id)
    .where(party_talk.c.board_id == bindparam("board"))
    .order_by(party_talk.c.id),
)


def note_talk(call: Call, board: Board, seat: Seat, text: str, kind: str = "text") -> None:
    """Keep what a member of a party says to the others."""
    row = {"board_id": board.id, "seat": seat.seat, "player_id": call.me.id, "kind": kind}
    row |= {"ply": board.next_ply, "text": text, "at": call.now}
    call.session.execute(insert(party_talk).values(row))


def list_talk(session: Session, board: Board, seat: int | None = None) -> list[TalkRow]:
    """Return the talk of the members of a seat's party, or (None) of all parties of a board, oldest
    first."""
    rows = session.all(_TALK, {"board": board.id}) if board.has_parties else ()
    return [row for row in rows if seat is None or row.seat == seat]
