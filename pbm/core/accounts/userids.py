"""Userids: which ones can be had, and what becomes of one that is given up."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable

from sqlalchemy import Column, Table, delete, insert, select, update

from pbm.core.events.record import build_record
from pbm.core.kernel.language.call import Call
from pbm.core.kernel.language.verbs import list_command_words
from pbm.core.kernel.language.words import find_game_name
from pbm.core.kernel.players.player import Player
from pbm.core.kernel.refusal import Refusal, RefusalCode
from pbm.pairing.lots import draw_all_lots
from pbm.store.event_tables import EventRow, entrants, events, pairings
from pbm.store.reads.audit_rows import REPORT
from pbm.store.rows import Query
from pbm.store.tables import audit, boards, former_userids, moves, players, seats

FORMER = "former"
"""What the userid of an erased player begins with: former-17."""
_USERID = re.compile(r"[a-z][a-z0-9_-]{1,19}")
_LEVEL = re.compile(rf"level[0-9]+|{FORMER}-[0-9]+")
_RESERVED = """
new none yes no random mcts all active inactive next pbm password userid
operator admin administrator root system server house staff support security moderator referee
event events everybody everyone anybody nobody
postmaster hostmaster webmaster abuse daemon mailer-daemon noreply no-reply
"""
"""Words of the language and names of bots; who speaks for the server, or for everybody; where mail
systems have their addresses (RFC 2142)."""


def require_valid_userid(name: str, *form: str) -> None:
    """Refuse a word that cannot be a userid."""
    if not _USERID.fullmatch(name):
        raise Refusal(
            RefusalCode.BAD_USERID,
            "a userid has 2 to 20 letters a to z, digits, - or _, and begins with a letter",
            *form,
        )


def is_reserved(call: Call, name: str) -> bool:
    """Whether a userid could be taken for a command, a game, the server or its operator."""
    if name == call.config.server.local.lower() or _LEVEL.fullmatch(name):
        return True
    return bool(find_game_name(name)) or name in list_reserved_names()


def list_reserved_names() -> frozenset[str]:
    """Words that are nobody's userid."""
    return list_command_words().union(_RESERVED.split())


def find_former_owner(call: Call, name: str) -> int:
    """The number of the player who once had that userid; 0 for nobody."""
    spellings = (name, call.secrets.digest_userid(name))
    query = select(former_userids.c.player_id).where(former_userids.c.name.in_(spellings))
    return int(call.session.execute(query).scalar() or 0)


def change_userid(call: Call, player: Player, userid: str, *, is_erased: bool = False) -> None:
    """Give a player another userid, in the sentences of boards and events too. Nobody else can have
    the former one; of an erased player only its digest is kept. Lots stay as they were drawn."""
    session = call.session
    keep_lots(call, player)
    name = call.secrets.digest_userid(player.name) if is_erased else player.name
    is_own = find_former_owner(call, player.name) == player.id
    if not is_own and userid.lower() != player.name:
        row = {"name": name, "player_id": player.id, "at": call.now}
        session.execute(insert(former_userids).values(row))
    again = (former_userids.c.name == userid.lower()) & (former_userids.c.player_id == player.id)
    session.execute(delete(former_userids).where(again))
    own = players.c.id == player.id
    session.execute(update(players).where(own).values(userid=userid, name=userid.lower()))
    reported = (audit.c.actor == player.userid) & (audit.c.action == REPORT)
    session.execute(update(audit).where(reported).values(actor=userid))
    rename_in_sentences(call, player, userid)


def rename_in_sentences(call: Call, player: Player, userid: str) -> None:
    """Replace the player's userid in what boards and events say of their ends and pairings."""
    seated = select(seats.c.board_id).where(seats.c.player_id == player.id)
    entered = select(entrants.c.event_id).where(entrants.c.player_id == player.id)
    word = re.compile(rf"(?<![\w-]){re.escape(player.userid)}(?![\w-])")
    places = (
        (boards, boards.c.outcome, boards.c.id.in_(seated), (boards.c.id,)),
        (
            moves,
            moves.c.comment,
            moves.c.board_id.in_(seated) & moves.c.seat.is_(None),
            tuple(moves.primary_key),
        ),
        *(
            (pairings, column, pairings.c.event_id.in_(entered), tuple(pairings.primary_key))
            for column in (pairings.c.reason, pairings.c.note)
        ),
        (entrants, entrants.c.why, entrants.c.event_id.in_(entered), tuple(entrants.primary_key)),
    )
    for table, column, chosen, key in places:
        holds = column.contains(player.userid, autoescape=True)
        rows = call.session.tuples(select(column, *key).where(chosen, holds))
        _write_sentences(call, table, column, key, list(rows), word, userid)


def _write_sentences(
    call: Call,
    table: Table,
    column: Column[str],
    key: Iterable[Column[int]],
    rows: Iterable[tuple[object, ...]],
    word: re.Pattern[str],
    userid: str,
) -> None:
    for text, *values in rows:
        changed = word.sub(userid, str(text))
        is_row = [part == value for part, value in zip(key, values, strict=True)]
        call.session.execute(update(table).where(*is_row).values({column.name: changed}))


def keep_lots(call: Call, player: Player) -> None:
    """Keep the lots of the player's events: they are drawn from the userid."""
    entered = (
        select(events)
        .join(entrants, entrants.c.event_id == events.c.id)
        .where(entrants.c.player_id == player.id)
    )
    for row in call.session.all(Query(EventRow, entered)):
        record = build_record(call.session, row)
        number = next(each.number for each in record.entrants if each.name == player.userid)
        own = (entrants.c.event_id == row.id) & (entrants.c.player_id == player.id)
        lots = json.dumps(draw_all_lots(record, number))
        call.session.execute(update(entrants).where(own).values(lots=lots))
