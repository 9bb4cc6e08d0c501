"""`moderate`: a moderator's act, with its reason."""

from __future__ import annotations

from typing import Any

from pbm.core.call import Call
from pbm.core.feature import ActRow, Argument, list_operator_rows
from pbm.core.notices import AccountContent, Notice
from pbm.core.operator import MODERATOR, OperatorAct
from pbm.core.refusal import Refusal, RefusalCode
from pbm.rules.phrases import get_text, phrase

_LARGEST = 2**31


def moderate(call: Call) -> list[Notice]:
    """Do one of the operator's acts that moderators may do, in the moderator's name. Refused for
    others, without a reason, and against another moderator."""
    me = call.me
    moderators = call.config.house.moderators
    if me.name not in (each.lower() for each in moderators):
        raise Refusal(
            RefusalCode.NOT_PERMITTED, phrase("only moderators of this server may do this")
        )
    rows = {row.name: row for row in list_operator_rows() if isinstance(row, ActRow)}
    allowed = {name: row for name, row in rows.items() if row.for_moderators}
    word, *words = call.command.words
    row = allowed.get(word.lower())
    if row is None:
        acts = ", ".join(sorted(allowed))
        form = f"moderate {me.userid} PASSWORD ban USERID"
        raise Refusal(
            RefusalCode.BAD_ARGUMENT, phrase("a moderator's acts are {acts}", acts=acts), form
        )
    shown = " ".join(each.shown or each.name.upper() for each in row.arguments)
    form = f"moderate {me.userid} PASSWORD {row.name} {shown}"
    if len(words) != len(row.arguments):
        raise Refusal(
            RefusalCode.MISSING_ARGUMENT,
            phrase("{act} needs {arguments}", act=row.name, arguments=shown),
            form,
        )
    reason = call.command.text.strip()
    if row.needs_reason and not reason:
        problem = phrase("write in the body of the mail why: the players concerned read it")
        raise Refusal(RefusalCode.MISSING_ARGUMENT, problem, form)
    if any(each.lower() in {name.lower() for name in moderators} for each in words):
        raise Refusal(
            RefusalCode.NOT_PERMITTED, phrase("only the operator may act against a moderator")
        )
    if any(each.startswith("@") for each in words):
        raise Refusal(
            RefusalCode.NOT_PERMITTED, phrase("only the operator may ban whole domains"), form
        )
    values = [
        _read(argument, text, form) for argument, text in zip(row.arguments, words, strict=True)
    ]
    act = OperatorAct(
        call.session, f"{MODERATOR}{me.userid}", reason, call.now, call.secrets, call.config
    )
    notices = row.do(act, *values) if row.do is not None else []
    done = Moderated(userid=me.userid, act=" ".join([row.name, *words]))
    return [call.answer(done), *notices]


def _read(argument: Argument, text: str, form: str) -> Any:
    """Return the value of an argument. Refused for what is none."""
    if argument.kind in ("board", "number"):
        if not (text.isascii() and text.isdigit() and int(text) < _LARGEST):
            name = argument.name.upper()
            raise Refusal(
                RefusalCode.BAD_ARGUMENT, phrase("{argument} is a number", argument=name), form
            )
        return int(text)
    if argument.reads is None:
        return text
    try:
        return argument.reads(text)
    except ValueError as error:
        raise Refusal(RefusalCode.BAD_ARGUMENT, get_text(error), form) from None


# What a moderator is told.


class Moderated(AccountContent, frozen=True, kw_only=True):
    """Confirms a moderator's act."""

    userid: str
    act: str
