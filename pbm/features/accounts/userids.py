"""Userids: which are valid, and when one that was given up is free again."""

from __future__ import annotations

import re

from msgspec.structs import replace
from sqlalchemy import delete, insert, select, update

from pbm.core.context import Context
from pbm.core.feature import list_hooks
from pbm.core.operator import MODERATOR
from pbm.core.player import Player, save_player
from pbm.core.refusal import Refusal, RefusalCode
from pbm.core.words import find_game_name, list_command_words
from pbm.features.accounts.tables import former_userids
from pbm.features.moderation.roles import list_named
from pbm.rules.phrases import phrase
from pbm.store.reads import REPORT
from pbm.store.tables import audit

FORMER = "former"
"""The beginning of an erased player's userid: former-17."""
_USERID = re.compile(r"[a-z][a-z0-9_-]{1,19}")
_LEVEL = re.compile(rf"level[0-9]+|{FORMER}-[0-9]+")
_RESERVED = """
new none yes no random mcts all active inactive next pbm password userid
operator admin administrator root system server house staff support security moderator referee
event events everybody everyone anybody nobody
postmaster hostmaster webmaster abuse daemon mailer-daemon noreply no-reply
"""
"""Reserved words: of commands and bots, of who speaks for the server or for everybody, and the
addresses of mail systems (RFC 2142)."""


def is_valid_userid(name: str) -> bool:
    """Whether a word in lower case has the form of a userid."""
    return _USERID.fullmatch(name) is not None


def require_valid_userid(name: str, *form: str) -> None:
    """Refuse a word that cannot be a userid."""
    if not is_valid_userid(name):
        raise Refusal(
            RefusalCode.BAD_USERID,
            phrase("a userid has 2 to 20 letters a to z, digits, - or _, and begins with a letter"),
            *form,
        )


def is_reserved(context: Context, name: str, *, by_operator: bool = False) -> bool:
    """Whether a userid could be taken for a command, a game, the server or its operator, or has a
    role in the configuration. With `by_operator` the last does not count."""
    if not by_operator and any(name == named for _, named in list_named(context.config)):
        return True
    own = {each.partition("@")[0] for each in context.config.server.addresses}
    if name in own or _LEVEL.fullmatch(name):
        return True
    return bool(find_game_name(name)) or name in list_reserved_names()


def list_reserved_names() -> frozenset[str]:
    """Return words that no player may have as a userid."""
    return list_command_words().union(_RESERVED.split())


def find_former_owner(context: Context, name: str) -> int:
    """Return the number of the player who once had that userid; 0 for none."""
    spellings = (name, context.secrets.digest_userid(name))
    query = select(former_userids.c.player_id).where(former_userids.c.name.in_(spellings))
    return int(context.session.execute(query).scalar() or 0)


def change_userid(
    context: Context, player: Player, userid: str, *, is_erased: bool = False
) -> None:
    """Give a player another userid, in the sentences of boards and events too. Nobody else can have
    the former one; for an erased player only its digest is kept. Drawn lots stay as they are."""
    session = context.session
    for rename_in_texts in list_hooks(lambda each: each.on_rename):
        rename_in_texts(context, player, userid)
    name = context.secrets.digest_userid(player.name) if is_erased else player.name
    is_own = find_former_owner(context, player.name) == player.id
    if not is_own and userid.lower() != player.name:
        row = {"name": name, "player_id": player.id, "at": context.now}
        session.execute(insert(former_userids).values(row))
    again = (former_userids.c.name == userid.lower()) & (former_userids.c.player_id == player.id)
    session.execute(delete(former_userids).where(again))
    save_player(session, replace(player, userid=userid, name=userid.lower()))
    reported = (audit.c.actor == player.userid) & (audit.c.action == REPORT)
    session.execute(update(audit).where(reported).values(actor=userid))
    acted = audit.c.actor == f"{MODERATOR}{player.userid}"
    session.execute(update(audit).where(acted).values(actor=f"{MODERATOR}{userid}"))
