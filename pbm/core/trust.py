"""How much of other people's attention somebody may cause."""

from __future__ import annotations

from msgspec import Struct
from sqlalchemy import delete, insert, select

from pbm.core.context import Context
from pbm.core.feature import list_hooks
from pbm.core.notices import Notice
from pbm.core.player import Player, get_player
from pbm.core.refusal import Refusal, RefusalCode
from pbm.rules.phrases import phrase
from pbm.store.rows import Query
from pbm.store.tables import HeldWordsRow, audit, held_words
from pbm.store.transaction import Session

# Words that are held: they wait for a moderator's yes. Retention deletes what is old.


class HeldWords(Struct, frozen=True):
    """Words that wait for a moderator.

    kind        what they are: "message", "broadcast" and so on
    about       the number of the event or invitation that they are about, or 0
    recipients  whom they are for: userids, or one address
    players     the numbers of these players
    at          when they were written
    """

    id: int
    player: int
    userid: str
    kind: str
    about: int
    recipients: tuple[str, ...]
    players: tuple[int, ...]
    text: str
    at: float


def list_held(session: Session) -> list[HeldWords]:
    """Return all words that wait for a moderator, oldest first."""
    rows = session.all(Query(HeldWordsRow, select(held_words).order_by(held_words.c.id)))
    return [_read_held(session, row) for row in rows]


def get_held(session: Session, number: int) -> HeldWords:
    """Return the words held under that number. Refused when there are none."""
    query = select(held_words).where(held_words.c.id == number)
    row = session.first(Query(HeldWordsRow, query))
    if row is None:
        raise Refusal(
            RefusalCode.WRONG_STATE,
            phrase("no words wait under the number {number}", number=number),
        )
    return _read_held(session, row)


def _read_held(session: Session, row: HeldWordsRow) -> HeldWords:
    writer = get_player(session, row.player_id)
    people: list[Player] = []
    words = row.recipients.split()
    for word in words:
        player = get_player(session, int(word)) if word.isdecimal() else None
        if player is not None and player.is_active:
            people.append(player)
    return HeldWords(
        id=row.id,
        player=row.player_id,
        userid=writer.userid if writer is not None and writer.is_active else "",
        kind=row.kind,
        about=row.about,
        recipients=tuple([each.userid for each in people] or [w for w in words if "@" in w]),
        players=tuple(each.id for each in people),
        text=row.text,
        at=row.at,
    )


def hold(
    session: Session,
    player: int,
    kind: str,
    recipients: tuple[str, ...],
    text: str,
    now: float,
    *,
    about: int = 0,
) -> None:
    """Keep words of a player for a moderator. `recipients` are numbers of players, or an
    address."""
    session.execute(
        insert(held_words).values(
            player_id=player,
            kind=kind,
            about=about,
            recipients=" ".join(recipients),
            text=text,
            at=now,
        )
    )


def release(context: Context, number: int, by: str) -> list[Notice]:
    """Pass held words on: the notices that do, to those who still want to hear of their writer.
    `by` is the actor whom the audit names. Refused where nothing is held under that number."""
    words = get_held(context.session, number)
    _end(context, words, by, "pass on held words")
    if not words.userid:
        return []
    return [
        notice
        for builders in list_hooks(lambda each: each.passes_on)
        if (build := builders.get(words.kind)) is not None
        for notice in build(context, words)
    ]


def discard(context: Context, number: int, by: str) -> None:
    """Delete held words. `by` is the actor whom the audit names. Refused where nothing is held
    under that number."""
    _end(context, get_held(context.session, number), by, "discard held words")


def _end(context: Context, words: HeldWords, by: str, action: str) -> None:
    """Take the words out, which one of two moderators does, and record who did."""
    taken = delete(held_words).where(held_words.c.id == words.id)
    if not context.session.execute(taken).rowcount:
        get_held(context.session, words.id)
    context.session.execute(
        insert(audit).values(at=context.now, actor=by, action=action, player_id=words.player)
    )
