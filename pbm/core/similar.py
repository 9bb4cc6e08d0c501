"""The player whose userid was nearly written right."""

from __future__ import annotations

from pbm.core.call import Call
from pbm.core.context import Context
from pbm.core.player import find_player
from pbm.core.refusal import Refusal, RefusalCode
from pbm.core.words import FILTERS, is_typo_of
from pbm.rules.phrases import phrase
from pbm.store import reads

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
