"""Everything that waits for a moderator's yes or no: reports, new accounts, and held words."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

from sqlalchemy import select

from pbm.core.context import Context
from pbm.core.feature import ActRow, list_operator_rows
from pbm.core.notices import Notice
from pbm.core.operator import OperatorAct
from pbm.core.player import WAITING, Player, delete_own, find_player, get_player
from pbm.core.refusal import Refusal, RefusalCode
from pbm.core.retention import UNDO_DAYS
from pbm.core.trust import list_held
from pbm.features.moderation.concern import Subject, explain_concern, find_subject_of_board
from pbm.features.moderation.tables import CaseRow, cases
from pbm.features.talk.reporting import decide_report, find_reports
from pbm.rules.phrases import Listing, Phrase, phrase
from pbm.store import reads
from pbm.store.daily_counters import DAY
from pbm.store.rows import Query
from pbm.store.tables import AuditRow, players
from pbm.store.transaction import Session, insert_into

LETTER = "q"
"""The letter of reply addresses for decisions."""
REPORT, SIGNUP, WORDS = "report", "signup", "words"


class Item(NamedTuple):
    """Something that waits for a decision.

    kind     REPORT, SIGNUP or WORDS
    about    its number among those of its kind
    since    when it arrived
    title    what it is
    text     what somebody wrote, to be read before
    subject  the people whom it concerns
    decide   carries out a yes (True) or no: (act, verdict) -> notices
    """

    kind: str
    about: int
    since: float
    title: Phrase
    text: str
    subject: Subject
    decide: Callable[[OperatorAct, bool], list[Notice]]


def list_items(context: Context, me: Player) -> tuple[list[Item], int]:
    """Return what this moderator may decide, the oldest first, and the number of items left to
    others because they concern this moderator."""
    found = sorted(_find_all(context.session, context.now), key=lambda each: each.since)
    free = [
        each
        for each in found
        if explain_concern(context.session, context.config, me, each.subject) is None
    ]
    return free, len(found) - len(free)


def find_item(session: Session, kind: str, about: int, now: float) -> Item:
    """Return the item to be decided. Refuse one that was decided or no longer matters."""
    for each in _find_all(session, now):
        if (each.kind, each.about) == (kind, about):
            return each
    raise Refusal(
        RefusalCode.ALREADY_DONE,
        phrase("this does not wait any more: somebody has decided it, or it has ended by itself"),
        "moderate {user} PASSWORD",
    )


def _find_all(session: Session, now: float) -> Iterator[Item]:
    yield from _find_reports(session, now)
    yield from _find_signups(session)
    yield from _find_words(session)


def _find_reports(session: Session, now: float) -> Iterator[Item]:
    """Yield the undecided reports of the last days."""
    for row in find_reports(session, now - UNDO_DAYS * DAY):
        if row.closed is None:
            writer, reported = (
                find_player(session, row.actor),
                get_player(session, row.player_id or 0),
            )
            if writer is not None and reported is not None:
                yield _build_report(session, row, writer, reported)


def _build_report(session: Session, row: AuditRow, writer: Player, reported: Player) -> Item:
    title = phrase("{writer} reports {reported}", writer=writer.userid, reported=reported.userid)
    others = {writer.id}
    if row.board_id:
        title = phrase(
            "{writer} reports {reported}, on board {board}",
            writer=writer.userid,
            reported=reported.userid,
            board=row.board_id,
        )
        others |= find_subject_of_board(session, row.board_id).players
    return Item(
        REPORT,
        row.id,
        row.at,
        title,
        row.reason,
        Subject(frozenset({reported.id}), frozenset(others)),
        lambda act, verdict: decide_report(act, row, is_upheld=verdict),
    )


def _find_signups(session: Session) -> Iterator[Item]:
    """Yield the accounts that wait for approval. Moderators see only the domain of an address."""
    query = select(players.c.id).where(players.c.state == WAITING).order_by(players.c.id)
    for number in session.execute(query).scalars().all():
        player = get_player(session, number)
        if player is None:
            continue
        addresses = [row.address for row in reads.find_all_addresses(session, number)]
        domains = ", ".join(sorted({each.rpartition("@")[2] for each in addresses}))
        yield Item(
            SIGNUP,
            number,
            player.created,
            phrase(
                "{userid}, with an address at {domains}, wants to join",
                userid=player.userid,
                domains=domains,
            ),
            "",
            Subject(frozenset({number})),
            _choose("approve", "deny", player.userid),
        )


_KINDS = {
    "message": phrase("a message"),
    "broadcast": phrase("a text to everybody"),
    "invitation": phrase("an invitation"),
    "announcement": phrase("the announcement of an event"),
    "comment": phrase("words at a board"),
    "kibitz": phrase("words about a board"),
    "press": phrase("press"),
    "unsigned press": phrase("press"),
    "letter": phrase("words to the master of a board"),
    "offer": phrase("words beside an offer"),
    "name": phrase("a name to be shown beside the userid"),
    "event name": phrase("the name of an event"),
    "event text": phrase("what an event is about"),
    "club text": phrase("what a club is"),
    "club words": phrase("words to a club"),
}
"""Names of the kinds of held words."""


def _find_words(session: Session) -> Iterator[Item]:
    """Yield newcomers' words to people who do not know them. Moderators see only the domain of an
    address."""
    for words in list_held(session):
        readers = [each.partition("@") for each in words.recipients]
        shown = Listing(
            [phrase("somebody at {host}", host=host) if host else name for name, _, host in readers]
            or [phrase("everybody")]
        )
        yield Item(
            WORDS,
            words.id,
            words.at,
            phrase(
                "{userid} wants to write to {readers}: {kind}",
                userid=words.userid or phrase("somebody"),
                readers=shown,
                kind=_KINDS.get(words.kind, words.kind),
            ),
            words.text,
            Subject(frozenset({words.player})),
            _choose("deliver", "discard", words.id),
        )


def _choose(
    when_yes: str, when_no: str, value: str | int
) -> Callable[[OperatorAct, bool], list[Notice]]:
    """Return the function that does one of two acts of the operator, by the verdict."""
    rows = {row.name: row for row in list_operator_rows() if isinstance(row, ActRow)}

    def decide(act: OperatorAct, verdict: bool) -> list[Notice]:
        do = rows[when_yes if verdict else when_no].do
        return do(act, value) if do is not None else []

    return decide


# The numbers under which moderators are shown what waits, each bound to one of them.


def number_item(session: Session, me: Player, item: Item) -> int:
    """Return the moderator's own number for an item."""
    row = {"player_id": me.id, "kind": item.kind, "about": item.about}
    query = insert_into(cases, is_sqlite=session.is_sqlite).values(row)
    key = (cases.c.player_id, cases.c.kind, cases.c.about)
    session.execute(query.on_conflict_do_nothing(index_elements=key))
    own = select(cases.c.id).where(*(column == row[column.name] for column in key))
    return int(session.execute(own).scalar_one())


def find_case(session: Session, number: int) -> CaseRow | None:
    """Return the item that a moderator was shown under that number."""
    return session.first(Query(CaseRow, select(cases).where(cases.c.id == number)))


def find_owner(session: Session, number: int) -> int | None:
    """Return the moderator who was shown an item under that number."""
    row = find_case(session, number)
    return row.player_id if row is not None else None


def drop_rows(act: OperatorAct, old: Player, new: Player) -> None:
    """Delete the numbers shown to an account that is merged into another one."""
    delete_own(act.session, (cases,), old.id)


def erase_rows(context: Context, player: Player) -> None:
    """Delete the numbers shown to a player."""
    delete_own(context.session, (cases,), player.id)
