"""The player whose userid was nearly written right."""

from __future__ import annotations

import hashlib

from sqlalchemy import bindparam, select

from pbm.config import Config
from pbm.core.call import Call
from pbm.core.context import Context
from pbm.core.limits import Limit, spend
from pbm.core.player import find_player
from pbm.core.refusal import Refusal, RefusalCode
from pbm.core.words import FILTERS, is_typo_of
from pbm.rules.phrases import phrase
from pbm.store import reads
from pbm.store.tables import outbound
from pbm.store.transaction import Session

_NOBODY = phrase("there is no player with that userid")
_SHORTEST = 3
"""A shorter userid is near to too many others."""


def find_similar_player(context: Context, word: str) -> str:
    """Return the one player whose userid the word nearly is; "" for none."""
    word = word.lower()
    if len(word) < _SHORTEST:
        return ""
    names = reads.find_names_like(context.session, word)
    near = [name for name in names if is_typo_of(word, name)]
    return near[0] if len(near) == 1 else ""


def correct_line(call: Call, wrong: str, right: str) -> str:
    """Return the line with one word replaced; "" when another word is no option, filter or userid,
    and so may be a password."""
    command = call.command
    words = [right if word.lower() == wrong.lower() else word for word in command.words]
    for word in words:
        is_known = word.startswith("-") or word.lower() in FILTERS
        if not is_known and find_player(call.session, word) is None:
            return ""
    game = [command.game] if command.game else []
    return " ".join([*game, command.verb.name, *words])


def refuse_unknown_player(
    call: Call,
    word: str,
    form: str,
    *others: str,
    problem: str = _NOBODY,
) -> Refusal:
    """Return the refusal of a userid that nobody has: with the player who may be meant, and the
    line `form` with that userid in place of USERID."""
    similar = find_similar_player(call, word) if call.knows_sender else ""
    if similar:
        return Refusal(
            RefusalCode.NO_SUCH_PLAYER,
            phrase("{problem}: did you mean {meant}?", problem=problem, meant=similar),
            form.replace("USERID", similar),
        )
    return Refusal(RefusalCode.NO_SUCH_PLAYER, problem, *(others or (form,)))


# Recognises programs that answer our mails at once, again and again, in words that hardly
# change: in a number, a date, or one word.

AT_ONCE = 30.0
"""Seconds after a mail of ours within which a program answers, and a person seldom."""
_LEAST_WORDS = 3
_MOST_WORDS = 24

_LAST_MAIL = (
    select(outbound.c.created)
    .where(outbound.c.player_id == bindparam("player"))
    .order_by(outbound.c.id.desc())
    .limit(1)
)


def allow_like(
    session: Session, limit: Limit, who: str, player: int, text: str, now: float, config: Config
) -> bool:
    """Count a text that a player sends at once after a mail to them; whether no more like it came
    today than the limit of `who` allows."""
    likenesses = list_likenesses(text)
    last = session.execute(_LAST_MAIL, {"player": player}).scalar() if likenesses else None
    if last is None or now - last > AT_ONCE:
        return True
    return all([spend(session, limit, f"{who} {each}", now, config) for each in likenesses])


def list_likenesses(text: str) -> list[str]:
    """Return digests of the words of a text, all and each one left out: texts that differ in one
    word have one in common. Only words of letters count; fewer than three are like nothing, so that
    moves are not taken for each other."""
    found = dict.fromkeys(word.strip(".,;:!?()[]'\"<>*_").lower() for word in text.split())
    words = sorted([word for word in found if len(word) > 1 and word.isalpha()][:_MOST_WORDS])
    shorter = [[*words[:at], *words[at + 1 :]] for at in range(len(words))]
    return [
        hashlib.blake2b(" ".join(each).encode("utf-8", "replace"), digest_size=8).hexdigest()
        for each in (words, *shorter)
        if len(each) >= _LEAST_WORDS
    ]
