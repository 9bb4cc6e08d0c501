"""Roles that the operator gives to players. A role belongs to an account, whatever its userid."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from typing import Any

from msgspec.structs import replace
from sqlalchemy import insert, update

from pbm.config import Config
from pbm.core.context import Context, add_audit_row
from pbm.core.feature import ActRow, AdminPart, Argument, Asked, ListRow
from pbm.core.notices import Notice
from pbm.core.operator import OperatorAct
from pbm.core.player import (
    Player,
    Role,
    build_player,
    find_player,
    save_player,
)
from pbm.core.refusal import Refusal, RefusalCode
from pbm.core.secrets import Secrets
from pbm.rules.phrases import phrase
from pbm.store import reads
from pbm.store.tables import settings
from pbm.store.transaction import Session

_GROUPS = {"everybody", "operator"}
"""Words that `[events] makers` may contain instead of userids."""
_SETTING = "names with roles"
"""The setting with the names of the configuration that have become roles."""
_SUBJECTS = {
    Role.MODERATOR: (
        phrase("you are a moderator now: help moderate"),
        phrase("you are no longer a moderator"),
    ),
    Role.MAKER: (
        phrase("you may make events now: help event new"),
        phrase("you may no longer make events"),
    ),
}


def add(act: OperatorAct, userid: str, role: Role) -> list[Notice]:
    """Give an account a role. Refused for a computer player, for an account that is not open, and
    for one that has the role."""
    player = act.find_player(userid)
    if player.is_bot or not player.is_active:
        raise Refusal(
            RefusalCode.WRONG_STATE,
            phrase("this account is closed, suspended or a computer player's"),
        )
    if player.has_role(role):
        raise Refusal(
            RefusalCode.ALREADY_DONE,
            phrase("{userid} is a {role} already", userid=player.userid, role=role),
        )
    save_player(act.session, _give(player, role))
    act.record(f"{role} add", player=player.id)
    subject, _ = _SUBJECTS[role]
    text = act.give_reason(phrase("{who} gave you this", who=act.who))
    return [act.notify(player, subject, text)]


def remove(act: OperatorAct, userid: str, role: Role) -> list[Notice]:
    """Take a role from an account. Refused for one that does not have it."""
    player = act.find_player(userid)
    if not player.has_role(role):
        raise Refusal(
            RefusalCode.ALREADY_DONE,
            phrase("{userid} is no {role}", userid=player.userid, role=role),
        )
    left = " ".join(each for each in player.roles.split() if each != role)
    save_player(act.session, replace(player, roles=left))
    act.record(f"{role} remove", player=player.id)
    _, subject = _SUBJECTS[role]
    text = act.give_reason(phrase("{who} took this from you", who=act.who))
    return [act.notify(player, subject, text)]


def _give(player: Player, role: Role) -> Player:
    return replace(player, roles=" ".join(sorted({*player.roles.split(), role})))


# Names in the configuration, each of which is read once: from then on the account has the role.


def list_named(config: Config) -> dict[tuple[Role, str], str]:
    """Return the roles given in the configuration, with userids in lower case; each with the
    section and key that gives it."""
    makers = set(config.events.makers.lower().split()) - _GROUPS
    named = {(Role.MAKER, name): "[events] makers" for name in sorted(makers)}
    for name in config.house.moderators:
        named[Role.MODERATOR, name.lower()] = "[house] moderators"
    return named


def list_unread(session: Session, config: Config) -> dict[tuple[Role, str], str]:
    """Return those of these names that have not become roles, because nobody has the userid."""
    named, done = list_named(config), set(_list_read(session))
    return {each: named[each] for each in named if " ".join(each) not in done}


def _list_read(session: Session) -> list[str]:
    text = reads.read_setting(session, _SETTING)
    return list(json.loads(text)) if text else []


def adopt(session: Session, secrets: Secrets, config: Config, now: float) -> list[str]:
    """Give the roles named in the configuration, each name only once ever, so that a role taken
    away later stays away. Return a sentence for each name that nobody has."""
    unread = list_unread(session, config)
    context, read, problems = Context(session, now, secrets, config), list[str](), list[str]()
    for (role, name), key in unread.items():
        player = find_player(session, name)
        if player is None or player.is_bot:
            problems.append(f"{key} names {name}, who is nobody")
            continue
        if not player.has_role(role):
            save_player(session, _give(player, role))
            add_audit_row(context, "pbm", f"{role} add", player=player.id, reason=f"named in {key}")
        read.append(f"{role} {name}")
    if read:
        value = json.dumps(_list_read(session) + read)
        own = settings.c.name == _SETTING
        if not session.execute(update(settings).where(own).values(value=value)).rowcount:
            session.execute(insert(settings).values(name=_SETTING, value=value))
    return problems


# The operator's commands.


def _list_holders(role: Role) -> Callable[[Session, Asked], Sequence[dict[str, object]]]:
    def find(session: Session, asked: Asked) -> list[dict[str, Any]]:
        rows = reads.find_players_with_roles(session)
        return [
            {"userid": row.userid, "state": row.state, "created": row.created, "seen": row.seen}
            for row in rows
            if build_player(row).has_role(role)
        ][: asked["limit"]]

    return find


_DOES = {
    Role.MODERATOR: "ban, silence, cancel, adjudicate, and decide what waits for a moderator",
    Role.MAKER: 'make events where [events] makers is not "everybody"',
}


def _list_acts(role: Role) -> list[ActRow | ListRow]:
    does = _DOES[role]
    named = (Argument("userid", "userid"),)
    return [
        ActRow(
            role.value,
            f"who may {does.partition(',')[0]}: {role} add, {role} remove, {role} list",
            f"Players who may {does}.",
            part=AdminPart.PLAYERS,
        ),
        ActRow(
            f"{role} add",
            "",
            f"Let a player {does}. The player is told. It is bound to the account, whatever its "
            "userid, and ends with it.",
            f"Let {{userid}} {does}?",
            lambda act, userid: add(act, userid, role),
            named,
            AdminPart.PLAYERS,
        ),
        ActRow(
            f"{role} remove",
            "",
            f"Let a player no longer {does}. The player is told.",
            f"Let {{userid}} no longer {does}?",
            lambda act, userid: remove(act, userid, role),
            named,
            AdminPart.PLAYERS,
        ),
        ListRow(
            f"{role} list",
            "",
            f"Who may {does}.",
            _list_holders(role),
            times=("created", "seen"),
            has_numbers=False,
            part=AdminPart.PLAYERS,
        ),
    ]


_ROWS = [row for role in Role for row in _list_acts(role)]
ACTS = tuple(row for row in _ROWS if isinstance(row, ActRow))
LISTS = tuple(row for row in _ROWS if isinstance(row, ListRow))
