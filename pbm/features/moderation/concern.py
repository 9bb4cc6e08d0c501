"""The people whom an act affects. A moderator who is one of them, or close to one, must not do
it."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from typing import Any, NamedTuple

from email_validator import EmailNotValidError, validate_email
from sqlalchemy import select, union

from pbm.config import Config
from pbm.core.feature import ActRow
from pbm.core.player import (
    Player,
    Role,
    find_covered_addresses,
    find_player,
    find_players_with_role,
    get_player,
)
from pbm.core.refusal import Refusal, RefusalCode
from pbm.core.trust import get_held
from pbm.features.events.rows import find_entrants
from pbm.rules.phrases import Phrase, phrase
from pbm.store import reads
from pbm.store.tables import boards, normalize_mailbox, seat_members, seats
from pbm.store.transaction import Session


class Subject(NamedTuple):
    """The people whom an act affects.

    players    the players to whom it is done, and the players of the board
    others     others who have a part in it, such as whoever reported them
    mailboxes  addresses to which it is done, without tags, of a player or not
    event      the event that the board belongs to; 0 for none
    """

    players: frozenset[int] = frozenset()
    others: frozenset[int] = frozenset()
    mailboxes: frozenset[str] = frozenset()
    event: int = 0


def read_target(who: str) -> str:
    """Return an address without its tag, or a `@domain`, in the spelling of the list of bans.
    ValueError for anything else."""
    local, _, host = who.strip().rpartition("@")
    try:
        checked = validate_email(
            f"{local or 'anybody'}@{host}",
            check_deliverability=False,
            allow_smtputf8=False,
            test_environment=True,
        )
    except EmailNotValidError:
        raise ValueError(
            phrase("this is neither an address (eve@example.org) nor a domain (@example.org)")
        ) from None
    address = normalize_mailbox(checked.ascii_email or "")
    return address if local else address[address.rindex("@") :]


def find_subject(session: Session, row: ActRow, values: Sequence[Any]) -> Subject:
    """Return the subject of an act with these arguments. Unknown players are ignored; the act
    itself refuses them."""
    found = Subject()
    for argument, value in zip(row.arguments, values, strict=True):
        if argument.kind == "board":
            found = find_subject_of_board(session, value)
        elif argument.kind == "words":
            words = get_held(session, value)
            found = Subject(frozenset({words.player}))
        elif argument.kind == "userid" and "@" in value:
            found = Subject(mailboxes=_read_mailbox(value))
        elif argument.kind == "userid" and (player := find_player(session, value)) is not None:
            found = Subject(frozenset({player.id}))
    return found


def _read_mailbox(value: str) -> frozenset[str]:
    try:
        return frozenset({read_target(value)})
    except ValueError:
        return frozenset()


def find_subject_of_board(session: Session, number: int) -> Subject:
    """Return the subject of an act on a board."""
    row = reads.find_board(session, number)
    if row is None:
        return Subject()
    seated = reads.find_seats(session, number)
    people = {seat.player_id for seat in seated}
    if any(seat.decides for seat in seated):
        people |= {each.player_id for each in reads.find_seat_members(session, number)}
    return Subject(frozenset(people), event=row.event_id or 0)


def explain_concern(
    session: Session, config: Config, me: Player, subject: Subject
) -> Phrase | None:
    """Return why this moderator must not act on a subject; None if there is no objection. One
    mailbox counts as one person, however many accounts it has."""
    own_mailboxes = _list_mailboxes(session, {me.id})
    mine = {me.id} | _list_owners(session, own_mailboxes)
    named = subject.players | _list_owners(session, subject.mailboxes)
    if mine & (named | subject.others) or own_mailboxes & subject.mailboxes:
        return phrase("this concerns you yourself: another moderator or the operator decides it")
    if subject.event and mine & {each.player_id for each in find_entrants(session, subject.event)}:
        return phrase("you play in the event of this board: only somebody else may decide it")
    if _list_opponents(session, mine) & (named | subject.others):
        return phrase(
            "this concerns your opponent on an open board: only somebody else may decide it"
        )
    peers = {each.id for each in find_players_with_role(session, Role.MODERATOR)} - mine
    protected = _list_mailboxes(session, peers)
    if (peers | _list_owners(session, protected)) & named or protected & subject.mailboxes:
        return phrase("only the operator may act against a moderator")
    own = [*config.server.addresses, config.house.operator]
    operators = {normalize_mailbox(each) for each in own if each}
    if operators & subject.mailboxes or _list_owners(session, operators) & named:
        return phrase("only the operator may act against the operator's own addresses")
    return None


def require_unconcerned(session: Session, config: Config, me: Player, subject: Subject) -> None:
    """Refuse a moderator an act that concerns that moderator, another one or the operator."""
    problem = explain_concern(session, config, me, subject)
    if problem is not None:
        raise Refusal(RefusalCode.NOT_PERMITTED, problem)


def _list_mailboxes(session: Session, people: Iterable[int]) -> set[str]:
    """Return the mailboxes that these players have confirmed."""
    rows = [row for each in people for row in reads.find_confirmed_addresses(session, each)]
    return {normalize_mailbox(row.address) for row in rows}


def _list_owners(session: Session, mailboxes: Collection[str]) -> set[int]:
    """Return the players who have confirmed an address of one of these mailboxes."""
    rows = [row for each in mailboxes for row in find_covered_addresses(session, each)]
    return {row.player_id for row in rows if row.confirmed is not None}


def _list_opponents(session: Session, people: Collection[int]) -> set[int]:
    """Return the people who share an open board with one of these players, alone or in a party."""
    own = union(
        select(seats.c.board_id).where(seats.c.player_id.in_(people)),
        select(seat_members.c.board_id).where(seat_members.c.player_id.in_(people)),
    )
    numbers = {
        number
        for table in (seats, seat_members)
        for number in session.execute(
            select(table.c.player_id)
            .join(boards, boards.c.id == table.c.board_id)
            .where(boards.c.state.in_(("invited", "running")), boards.c.id.in_(own))
        ).scalars()
    }
    others = [get_player(session, each) for each in numbers]
    return {each.id for each in others if each is not None and not each.is_bot} - set(people)
