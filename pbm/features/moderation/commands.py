"""`moderate`: decides what waits for a moderator by yes or no, does a moderator's act with its
reason, and undoes either."""

from __future__ import annotations

import json
from collections.abc import Sequence

from sqlalchemy import select, update

from pbm.core.call import Call
from pbm.core.context import Context
from pbm.core.feature import ActRow, Argument, list_operator_rows
from pbm.core.notices import AccountContent, Notice
from pbm.core.operator import MODERATOR, OperatorAct, refuse_changed
from pbm.core.player import Player, Role, get_player
from pbm.core.proofs import Proof
from pbm.core.refusal import Refusal, RefusalCode
from pbm.core.retention import UNDO_DAYS
from pbm.core.words import parse_board_number
from pbm.features.moderation.concern import (
    Subject,
    find_subject,
    find_subject_of_board,
    require_unconcerned,
)
from pbm.features.moderation.queue import (
    LETTER,
    Item,
    find_case,
    find_item,
    list_items,
    number_item,
)
from pbm.locale.words import list_meanings
from pbm.rules.phrases import get_text, phrase
from pbm.store.daily_counters import DAY
from pbm.store.rows import Query
from pbm.store.tables import AuditRow, audit
from pbm.store.transaction import Session

_LARGEST = 2**31
_MOST_MAILED = 10
"""The most waiting items that are mailed at a time."""
_FORM = "moderate {user} PASSWORD"
_VERDICTS = {"yes": True, "no": False}
_OF_ACCOUNT = (Proof.PASSWORD, Proof.OPERATOR)
"""What is required to act against a player of whom nobody has complained."""


def moderate(call: Call) -> list[Notice]:
    """List what waits, decide some of it, undo an own act, or do one of the operator's acts that
    moderators may do. Refuse everybody else, an act without a reason, and a moderator whom it
    concerns."""
    if not call.me.has_role(Role.MODERATOR):
        raise Refusal(
            RefusalCode.NOT_PERMITTED, phrase("only moderators of this server may do this")
        )
    word, *words = call.command.words or ("queue",)
    verdict = _read_verdict(word)
    if call.command.implied and (number := call.command.sender.find_number(LETTER)):
        if verdict is None:
            problem = phrase("the first word of the reply is yes or no; a reason may follow")
            raise Refusal(RefusalCode.BAD_ARGUMENT, problem)
        return _decide(call, _find_own(call, str(number)), verdict, words)
    if word.lower() == "queue":
        return _list(call)
    if verdict is not None:
        item, words = _find_named(call, words)
        return _decide(call, item, verdict, words)
    if word.lower() == "undo":
        return _undo_own(call, words)
    if call.proof not in _OF_ACCOUNT:
        problem = phrase("what a moderator does to a player needs the moderator's password")
        raise Refusal(RefusalCode.NOT_IDENTIFIED, problem, f"{_FORM} {' '.join([word, *words])}")
    return _do(call, word.lower(), words)


def _read_verdict(word: str) -> bool | None:
    """Return True for yes and False for no, in any language; None for any other word."""
    bare = word.lower().rstrip(".,:;!")
    meanings = [bare, *list_meanings(bare)]
    return next((_VERDICTS[each] for each in meanings if each in _VERDICTS), None)


# What waits.


def _list(call: Call) -> list[Notice]:
    """Return the list of what waits, and for each of the oldest items a mail to be answered by yes
    or no."""
    items, left = list_items(call, call.me)
    numbered = [(number_item(call.session, call.me, each), each) for each in items]
    userid = call.me.userid
    shown = [(number, each.title, each.text) for number, each in numbered]
    told = Queue(
        userid=userid, items=shown[:_MOST_MAILED], more=len(items[_MOST_MAILED:]), left=left
    )
    return [
        call.answer(told),
        *(_build_case(call, number, each) for number, each in numbered[:_MOST_MAILED]),
    ]


def _build_case(call: Call, number: int, item: Item) -> Notice:
    content = CaseToDecide(
        userid=call.me.userid, number=number, kind=item.kind, title=item.title, text=item.text
    )
    notice = call.build_notice(call.me, content)
    return Notice(content, notice.addresses, notice.player, about=f"{LETTER}{number}")


def _find_named(call: Call, words: Sequence[str]) -> tuple[Item, list[str]]:
    """Return the item to be decided, named by the moderator's own number for it, or by kind and
    number as on a page; and the words after it."""
    if len(words) > 1 and not parse_board_number(words[0]) and parse_board_number(words[1]):
        item = find_item(call.session, words[0].lower(), parse_board_number(words[1]), call.now)
        return item, list(words[2:])
    return _find_own(call, *words[:1]), list(words[1:])


def _find_own(call: Call, word: str = "") -> Item:
    row = find_case(call.session, parse_board_number(word))
    if row is None or row.player_id != call.me.id:
        raise Refusal(
            RefusalCode.BAD_ARGUMENT,
            phrase("nothing waits for you under that number"),
            _FORM,
            f"{_FORM} yes NUMBER",
        )
    return find_item(call.session, row.kind, row.about, call.now)


def _decide(call: Call, item: Item, verdict: bool, words: Sequence[str]) -> list[Notice]:
    require_unconcerned(call.session, call.config, call.me, item.subject)
    act = _begin(call, _read_reason(call, words))
    notices = item.decide(act, verdict)
    done = f"{'yes' if verdict else 'no'}: {item.title}"
    return _confirm(call, act, done, notices)


def _read_reason(call: Call, words: Sequence[str]) -> str:
    return "\n".join(filter(None, (" ".join(words), call.command.text.strip())))


# Acts.


def _begin(call: Call, reason: str) -> OperatorAct:
    actor = f"{MODERATOR}{call.me.userid}"
    return OperatorAct(call.session, actor, reason, call.now, call.secrets, call.config)


def _confirm(call: Call, act: OperatorAct, done: str, notices: Sequence[Notice]) -> list[Notice]:
    content = Moderated(
        userid=call.me.userid,
        act=done,
        is_told=bool(notices),
        undo=act.undoable[0] if act.undoable else 0,
        days=UNDO_DAYS,
    )
    return [call.answer(content), *notices]


def _map_acts() -> dict[str, ActRow]:
    return {row.name: row for row in list_operator_rows() if isinstance(row, ActRow)}


def _do(call: Call, word: str, words: Sequence[str]) -> list[Notice]:
    """Do one of the operator's acts in the moderator's name."""
    allowed = {name: row for name, row in _map_acts().items() if row.for_moderators}
    row = allowed.get(word)
    if row is None or row.do is None:
        acts = ", ".join(sorted([*allowed, "undo", "yes", "no"]))
        raise Refusal(
            RefusalCode.BAD_ARGUMENT,
            phrase("a moderator's acts are {acts}", acts=acts),
            _FORM,
            f"{_FORM} ban USERID",
        )
    shown = " ".join(each.shown or each.name.upper() for each in row.arguments)
    form = f"{_FORM} {row.name} {shown}"
    if len(words) != len(row.arguments):
        raise Refusal(
            RefusalCode.MISSING_ARGUMENT,
            phrase("{act} needs {arguments}", act=row.name, arguments=shown),
            form,
        )
    reason = _require_reason(call, form) if row.needs_reason else call.command.text.strip()
    if any(each.startswith("@") for each in words):
        raise Refusal(
            RefusalCode.NOT_PERMITTED, phrase("only the operator may ban whole domains"), form
        )
    values = [
        _read(argument, text, form) for argument, text in zip(row.arguments, words, strict=True)
    ]
    subject = find_subject(call.session, row, values)
    require_unconcerned(call.session, call.config, call.me, subject)
    act = _begin(call, reason)
    notices = row.do(act, *values)
    return _confirm(call, act, " ".join([row.name, *words]), notices)


def _require_reason(call: Call, form: str) -> str:
    reason = call.command.text.strip()
    if not reason:
        problem = phrase("write in the body of the mail why: the players concerned read it")
        raise Refusal(RefusalCode.MISSING_ARGUMENT, problem, form)
    return reason


def _read(argument: Argument, text: str, form: str) -> object:
    """Return the value of an argument. Refuse an invalid one."""
    if argument.kind in ("board", "number", "words"):
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


# What undoes an act.


def _undo_own(call: Call, words: Sequence[str]) -> list[Notice]:
    """Undo an act of this moderator or, for the operator, of anybody."""
    form = f"{_FORM} undo NUMBER"
    number = parse_board_number(words[0]) if words else 0
    row = _find_act(call.session, number)
    if row is None or row.actor != f"{MODERATOR}{call.me.userid}":
        raise Refusal(
            RefusalCode.BAD_ARGUMENT,
            phrase("name the number of something that you did yourself as a moderator"),
            form,
        )
    reason = _read_reason(call, words[1:])
    if not reason:
        _require_reason(call, form)
    subject = Subject(frozenset({row.player_id} if row.player_id else ()))
    if row.board_id:
        subject = find_subject_of_board(call.session, row.board_id)
    require_unconcerned(call.session, call.config, call.me, subject)
    act = _begin(call, reason)
    notices = undo(act, number)
    return _confirm(call, act, f"undo {number}", notices)


def _find_act(session: Session, number: int) -> AuditRow | None:
    return session.first(Query(AuditRow, select(audit).where(audit.c.id == number)))


def list_undoable(context: Context, me: Player) -> list[tuple[int, str]]:
    """Return the acts of a moderator that can still be undone, as (number, act), the latest
    first."""
    query = (
        select(audit)
        .where(
            audit.c.actor == f"{MODERATOR}{me.userid}",
            audit.c.undo.is_not(None),
            audit.c.closed.is_(None),
            audit.c.at >= context.now - UNDO_DAYS * DAY,
        )
        .order_by(audit.c.id.desc())
        .limit(_MOST_MAILED)
    )
    found = []
    for row in context.session.all(Query(AuditRow, query)):
        player = get_player(context.session, row.player_id or 0)
        about = [player.userid] if player is not None else []
        about += [str(row.board_id)] if row.board_id else []
        found.append((row.id, " ".join([row.action, *about])))
    return found


def undo(act: OperatorAct, number: int) -> list[Notice]:
    """Undo an act of an operator or a moderator, by its number in the audit. Refused for acts that
    cannot be undone, were undone, are older than 30 days, or were followed by another on the same
    subject."""
    row = _find_act(act.session, number)
    if row is None:
        raise Refusal(RefusalCode.BAD_ARGUMENT, phrase("there is no act with that number"))
    if row.closed is not None and row.undo:
        raise Refusal(RefusalCode.ALREADY_DONE, phrase("this was undone before"))
    if not row.undo or act.now > row.at + UNDO_DAYS * DAY:
        raise Refusal(
            RefusalCode.WRONG_STATE,
            phrase("this cannot be undone, or not after {days} days", days=UNDO_DAYS),
        )
    name, *values = json.loads(row.undo)
    do = _map_acts()[name].undo
    if do is None:
        raise refuse_changed()
    act.session.execute(update(audit).where(audit.c.id == number).values(closed=act.now))
    act.record(f"undo {number}", player=row.player_id, board=row.board_id)
    return do(act, *values)


# What is told.


class Moderated(AccountContent, frozen=True, kw_only=True):
    """Confirms a moderator's act, of which players are told or not. The act numbered `undo` can be
    undone within `days` days; 0 where it cannot."""

    act: str
    is_told: bool
    undo: int
    days: int


class Queue(AccountContent, frozen=True, kw_only=True):
    """What waits for a moderator: number, title and text of the oldest items; how many more there
    are, and how many are left to others because they concern this moderator."""

    items: Sequence[tuple[int, str, str]]
    more: int
    left: int


class CaseToDecide(AccountContent, frozen=True, kw_only=True):
    """Something that waits for a moderator, to be answered by yes or no."""

    number: int
    kind: str
    title: str
    text: str
