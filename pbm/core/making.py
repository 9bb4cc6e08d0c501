"""Inserts new boards, for challenges, offers and events alike."""

from __future__ import annotations

import hmac
from collections.abc import Collection, Sequence

from sqlalchemy import insert

from pbm.core import storing
from pbm.core.board import Board
from pbm.core.clubs import require_inside
from pbm.core.context import Context
from pbm.core.links import remove_own_links
from pbm.core.options import Terms
from pbm.core.player import Player, find_player, get_player
from pbm.core.refusal import Refusal, RefusalCode
from pbm.core.seat import Person, Seat
from pbm.core.secrets import compute_commitment
from pbm.core.trust import find_principal, is_heard
from pbm.ratings import HOUSE
from pbm.rules import Game, Position
from pbm.rules.game import ANONYMOUS
from pbm.rules.phrases import make_phrase, phrase
from pbm.store import reads
from pbm.store.reads import find_blockers
from pbm.store.tables import CAPTAIN, MEMBER, RESERVE, masters
from pbm.store.transaction import Session


def insert_board(
    context: Context,
    game: Game,
    position: Position,
    people: Sequence[Player],
    terms: Terms,
    *,
    state: str,
    accepted: Collection[int],
    event: int | None = None,
    answer_days: float | None = None,
) -> Board:
    """Insert a board, of an event or of none, to which some of its players have agreed. An
    invitation waits for `answer_days`, or for as long as a turn may take. The seats of an anonymous
    board are drawn: whoever named its players is not to know who sits where. The
    title has no secret links, and is left out where a player who has agreed is silenced."""
    secret = context.secrets.generate_board_secret()
    if terms.options.get(ANONYMOUS):
        people = _draw_seats(people, secret)
    rated = not terms.is_unrated(game) and len({player.id for player in people}) == len(people)
    has_bots = any(player.is_bot for player in people)
    is_rated_with_people = context.config.bots.rated_with_people
    if terms.club:
        require_inside(context.session, terms.club, list_people(context.session, people))
    title = remove_own_links(terms.title, context.config)
    writers = [player.id for player in people if player.id in accepted] if title else []
    if not all(is_heard(find_principal(context.session, each, context.now)) for each in writers):
        title = ""
    board = Board(
        id=0,
        game=game,
        options=terms.options,
        state=state,
        position=position,
        seats=[
            Seat(
                seat,
                player.id,
                player.userid,
                True,
                player.preferences,
                player.id in accepted,
                is_bot=player.is_bot,
                decides=terms.decide if player.is_team else "",
                party=player.userid if player.is_team else "",
                members=find_members(context.session, player) if player.is_team else (),
            )
            for seat, player in enumerate(people)
        ],
        rated=rated,
        secret=secret,
        commitment=compute_commitment(secret),
        created=context.now,
        turn_began=context.now,
        control=terms.control,
        answer_days=answer_days,
        event=event,
        private=terms.private,
        standin=terms.standin,
        title=title,
        pool=terms.club or (HOUSE if has_bots and not is_rated_with_people else ""),
    )
    if event is not None:
        _leave_out_twofold(board)
    _require_apart(board)
    storing.insert_board(context.session, board)
    if terms.master:
        _appoint_master(context, board, terms.master)
    return board


def list_people(session: Session, players: Sequence[Player]) -> list[Player]:
    """Return these players, with the members of a team in its place, its reserves too."""
    found = list[Player]()
    for each in players:
        members = find_members(session, each, with_reserves=True) if each.is_team else ()
        people = (get_player(session, member.player) for member in members)
        found += [each for each in people if each is not None] if each.is_team else [each]
    return found


def find_members(
    session: Session, team: Player, *, with_reserves: bool = False
) -> tuple[Person, ...]:
    """Return the players of a team, its captain first, and behind all others its reserves."""
    rows = reads.find_team(session, team.id)
    roles = (CAPTAIN, MEMBER, RESERVE) if with_reserves else (CAPTAIN, MEMBER)
    own = [row.player_id for role in roles for row in rows if row.role == role]
    people = [get_player(session, number) for number in own]
    return tuple(
        Person(each.id, each.userid, True, each.preferences)
        for each in people
        if each is not None and each.is_active
    )


def _leave_out_twofold(board: Board) -> None:
    """Leave who is in two teams of an event out of the second: an event has to go on."""
    seen = set[int]()
    for seat in board.seats:
        if seat.decides:
            seat.members = tuple(each for each in seat.members if each.player not in seen)
        seen |= {each.player for each in seat.people}


def _require_apart(board: Board) -> None:
    """Refuse a board on which somebody would hold a seat with others, and another seat: they would
    see what both sides see."""
    if not board.has_parties:
        return
    held = [each for seat in board.seats for each in seat.people]
    seen = set[int]()
    for each in held:
        if each.player in seen:
            raise Refusal(
                RefusalCode.ALREADY_SEATED,
                phrase("{userid} would play on both sides", userid=each.account),
            )
        seen.add(each.player)
    if board.options.get(ANONYMOUS):
        raise Refusal(
            RefusalCode.BAD_OPTION,
            phrase("a board that hides who plays is for single players, not for teams"),
        )


def _appoint_master(context: Context, board: Board, userid: str) -> None:
    """Store who runs the board without playing on it. Refuse a player of the board, an unknown one,
    and one who blocks the sender."""
    player = find_player(context.session, userid)
    sender = context.player
    is_blocked = (
        player is not None
        and sender is not None
        and player.id in find_blockers(context.session, sender.id)
    )
    if player is None or not player.is_active or player.is_bot or is_blocked:
        raise Refusal(
            RefusalCode.NO_SUCH_PLAYER,
            phrase(
                "{option} names somebody who cannot run a board: give the userid of a player",
                option=make_phrase("--master"),
            ),
        )
    if player.id in board.people:
        raise Refusal(
            RefusalCode.ALREADY_SEATED,
            phrase(
                "a master does not play: {option} names somebody who has no seat on the board",
                option=make_phrase("--master"),
            ),
        )
    values = {"board_id": board.id, "player_id": player.id}
    context.session.execute(insert(masters).values(values))


def _draw_seats(people: Sequence[Player], secret: bytes) -> list[Player]:
    """Return the players in an order that follows from the board's secret alone."""

    def draw(place: int) -> bytes:
        return hmac.digest(secret, f"seat {place}".encode(), "sha256")

    return [people[place] for place in sorted(range(len(people)), key=draw)]
