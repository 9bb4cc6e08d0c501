"""What the commands of teams and of clubs share: the order of their words, names, invitations, and
texts to all members."""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy import insert

from pbm.core.call import Call
from pbm.core.command import Command
from pbm.core.player import (
    NO_PASSWORD,
    TEAM_SIGN,
    Player,
    find_player,
    insert_player,
    make_player,
)
from pbm.core.refusal import Refusal, RefusalCode
from pbm.core.words import is_userid, list_command_words
from pbm.rules.phrases import Phrase, phrase
from pbm.store.tables import CAPTAIN, team_members

DECLINED = phrase("you have declined the invitation")


def arrange(command: Command, words: list[str]) -> list[str]:
    """Move userid and password, which stand behind the name and before any option, to the front.
    Replies have neither."""
    if command.sender.token is not None or command.sender.player:
        return words
    begin = next((n for n, word in enumerate(words) if word.startswith("-")), len(words))
    plain, options = words[:begin], words[begin:]
    claim = 1 if command.sender.operator else 2
    if len(plain) <= claim:
        return [*plain[1:], *options]
    return [*plain[-claim:], *plain[:-claim], *options]


def is_name(name: str) -> bool:
    """Whether the name of a team or a club is valid."""
    return is_userid(name) and name not in list_command_words()


def make_team(call: Call, word: str, form: str) -> Player:
    """Make a team with that name, led by the sender. Refuse a taken or invalid name."""
    name = word.lower().removeprefix(TEAM_SIGN)
    if not is_name(name):
        raise Refusal(
            RefusalCode.BAD_ARGUMENT,
            phrase(
                "the name of a team has 2 to 20 letters, digits, - and _, begins with a letter, "
                "and is no word of a command"
            ),
            form,
        )
    team = insert_player(call.session, make_player(TEAM_SIGN + name, NO_PASSWORD, call.now))
    if team is None:
        raise Refusal(RefusalCode.BAD_ARGUMENT, phrase("there is a team of that name"), form)
    row = {"team_id": team.id, "player_id": call.me.id, "role": CAPTAIN, "since": call.now}
    call.session.execute(insert(team_members).values(row))
    return team


def find_invited(call: Call, words: Sequence[str], form: str) -> list[Player]:
    """Return the players with these userids, each once. Refuse an unknown userid."""
    found = dict[int, Player]()
    for word in words:
        player = find_player(call.session, word)
        is_person = player is not None and not (player.is_bot or player.is_team or player.is_guest)
        if player is None or not player.is_active or not is_person:
            raise Refusal(RefusalCode.NO_SUCH_PLAYER, phrase("one of the userids is unknown"), form)
        found[player.id] = player
    return list(found.values())


def require_text(call: Call, form: str) -> str:
    """Return the body, a text to all members. Refuse an empty one, and a sender who may not write
    to others."""
    text = call.command.text.strip()
    if not text:
        raise Refusal(
            RefusalCode.MISSING_ARGUMENT,
            phrase("the text is missing: write it in the body of the mail"),
            form,
        )
    call.require_voice()
    return text


def find_word(call: Call, missing: Phrase, form: str) -> str:
    """Return the first word, the name of a team or a club. Refuse a missing one."""
    name = "".join(call.command.words[:1])
    if not name:
        raise Refusal(RefusalCode.MISSING_ARGUMENT, missing, form)
    return name
