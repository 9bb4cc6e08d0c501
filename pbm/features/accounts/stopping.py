"""`stop`: no more mails.

The first answer offers less than that; the second stop ends all mails. From alone proves nothing:
it gets only the answer, and an address that nobody has confirmed gets no further mail."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta

from msgspec.structs import replace
from sqlalchemy import bindparam, select, update

from pbm.core import clock
from pbm.core.call import Call
from pbm.core.limits import Limit, spend
from pbm.core.notices import Notice, Unreachable
from pbm.core.player import ALL, BOARDS, EVENTS, Player, has_stopped, save_player, stop
from pbm.core.proofs import Act, Proof, is_worth
from pbm.core.refusal import Refusal, RefusalCode
from pbm.core.words import get_verb
from pbm.features.accounts.erasing import leave_board, send_sign_off_code
from pbm.features.accounts.invitations import decline
from pbm.features.accounts.notices import BoardsResigned, MailStopped, StopChoices
from pbm.features.accounts.rows import SentMailRow, find_sent_mail
from pbm.rules.phrases import phrase
from pbm.store import reads
from pbm.store.reads import find_open_board_numbers
from pbm.store.tables import DROPPED, WAITING, boards, outbound, players, seats
from pbm.store.transaction import Session

_PREFERENCES = {"digest": "digest=no", "broadcasts": "broadcasts=no", "announcements": "events=no"}
"""Mails with a preference of their own, by their word in stop links."""
_CHOICES = ("fewer", "pause", "resign", "leave")
"""What the answer to a first stop offers besides a second one."""
_OF_KIND = {
    ALL: ~outbound.c.content.endswith("_code", autoescape=True),
    BOARDS: outbound.c.board_id.is_not(None),
    EVENTS: outbound.c.content.startswith("event_", autoescape=True),
}
"""Which waiting mails belong to a kind. Codes are sent all the same."""
_WHY = "the player has stopped mail"
_FEWER = ("own=no", "digest=07:00")
_PAUSE = 14
"""The days of a pause."""


def stop_mail(call: Call) -> list[Notice]:
    """Offer less than no mails; the second time, or for mails of one kind, stop them. Do what was
    chosen of the offer. Refuse a choice in reply to any other mail, and other words."""
    words = [word.lower() for word in call.command.words]
    if words and not _is_known(words):
        raise Refusal(
            RefusalCode.BAD_ARGUMENT,
            phrase("stop is a line of its own: it answers how to get fewer mails, or none"),
            "stop",
        )
    if call.player is None:
        return _answer_unproven(call)
    if not is_worth(call.proof, Act.STOP):
        return [offer_less(call)]
    if words and words[0] in _CHOICES:
        return _choose(call, words[0])
    if words and words[0] in (ALL, BOARDS, EVENTS):
        return _stop(call, words[0])
    if words:
        return _stop_list(call, words)
    is_first = spend(call.session, Limit.STOPS, call.me.id, call.now, call.config)
    if not is_first or _find_offer(call) is not None:
        return _stop(call, ALL)
    return [offer_less(call)]


def offer_less(call: Call) -> Notice:
    """Return the answer that offers fewer mails, a pause, or to resign or leave. It stops
    nothing."""
    return _offer(call, call.player or call.senders[0])


def _is_known(words: Sequence[str]) -> bool:
    if words[0] == "watch":
        return len(words) == 2 and words[1].isdecimal()
    return len(words) == 1 and words[0] in (ALL, BOARDS, EVENTS, *_PREFERENCES, *_CHOICES)


def _answer_unproven(call: Call) -> list[Notice]:
    """Answer the players whom From names; send an unconfirmed address no further mail."""
    address = call.command.sender.address
    if not call.senders:
        if address:
            decline(call, address)
        return []
    return [offer_less(call)]


def _offer(call: Call, player: Player) -> Notice:
    said = call.command.line if call.command.sender.board else ""
    return call.answer(
        StopChoices(
            userid=player.userid,
            boards=_list_boards(call, player),
            days=min(_PAUSE, call.config.players.vacation_days),
            said=said,
        )
    )


def _list_boards(call: Call, player: Player, before: float | None = None) -> list[tuple[str, int]]:
    """Return game and number of the player's open boards, only those begun by then if `before`."""
    numbers = find_open_board_numbers(call.session, player.id)
    query = select(boards.c.game, boards.c.id).where(boards.c.id.in_(numbers))
    if before is not None:
        query = query.where(boards.c.created <= before)
    rows = call.session.tuples(query.order_by(boards.c.id))
    return [(str(game), int(number)) for game, number in rows]


# Stopping


def _stop(call: Call, kind: str) -> list[Notice]:
    """Stop mails of a kind. The last of them is the answer; nothing if they were stopped before."""
    player = call.me
    if has_stopped(player.preferences, kind):
        return []
    told = stop_kind(call, kind)
    own = _list_boards(call, player)
    look = player.get_preference("mail", "picture")
    last = MailStopped(userid=player.userid, stopped=kind, boards=own, look=look)
    return [call.answer(last), *told]


def stop_kind(call: Call, kind: str) -> list[Notice]:
    """Stop mails of a kind, waiting ones included. Opponents are notified of boards whose mails
    reach nobody."""
    player = call.me
    heard_of_boards = not has_stopped(player.preferences, BOARDS)
    call.player = save_player(
        call.session, replace(player, preferences=stop(player.preferences, kind))
    )
    waiting = (outbound.c.player_id == player.id) & (outbound.c.state == WAITING)
    dropped = {"state": DROPPED, "finished": call.now, "told": None, "why": _WHY}
    call.session.execute(update(outbound).where(waiting, _OF_KIND[kind]).values(dropped))
    if kind not in (ALL, BOARDS) or not heard_of_boards:
        return []
    numbers = find_open_board_numbers(call.session, player.id)
    return tell_opponents(call.session, player, numbers, is_wish=True)


def _stop_list(call: Call, words: Sequence[str]) -> list[Notice]:
    """Stop mails that have a command of their own."""
    command = call.command
    if words[0] == "watch":
        verb, number = get_verb("unwatch"), int(words[1])
        call.command = replace(command, verb=verb, board=number, words=(), rest="")
    else:
        verb, pair = get_verb("set"), _PREFERENCES[words[0]]
        call.command = replace(command, verb=verb, words=(pair,), rest=pair)
    return verb.do(call)


# The choices


def _find_offer(call: Call) -> SentMailRow | None:
    """Return the offer that the mail answers, going by its headers."""
    sent = find_sent_mail(call.session, call.command.sender.answers, call.me.id)
    return sent if sent is not None and sent.content == "stop_choices" else None


def _choose(call: Call, choice: str) -> list[Notice]:
    offer = _find_offer(call)
    if offer is None or call.proof is not Proof.PLAYER_ADDRESS:
        raise Refusal(
            RefusalCode.BAD_ARGUMENT,
            phrase("this word answers the mail that offers it, and yours is a reply to another"),
            "stop",
        )
    if choice == "leave":
        return [send_sign_off_code(call, call.me)]
    if choice == "resign":
        return _resign(call, offer.created)
    words = _FEWER
    if choice == "pause":
        zone = call.me.get_preference("zone", "UTC")
        today = clock.to_local(call.now, zone).date()
        days = min(_PAUSE, call.config.players.vacation_days)
        words = (str(today), str(today + timedelta(days=max(days, 1) - 1)))
    verb = get_verb("vacation" if choice == "pause" else "set")
    call.command = replace(call.command, verb=verb, words=words, rest=" ".join(words))
    return verb.do(call)


def _resign(call: Call, offered: float) -> list[Notice]:
    """Leave those boards of the offer that are still open."""
    player, named = call.me, _list_boards(call, call.me, offered)
    notices: list[Notice] = []
    for _, number in named:
        notices += leave_board(call, player, number)
    done = call.answer(BoardsResigned(userid=player.userid, boards=named))
    return [done, *(notice for notice in notices if notice.player != player.id)]


# What the opponents of a player are told whom mails do not reach any more.

_OPPONENTS = (
    select(seats.c.player_id, seats.c.board_id)
    .join(players, players.c.id == seats.c.player_id)
    .join(boards, boards.c.id == seats.c.board_id)
    .where(
        seats.c.board_id.in_(bindparam("numbers", expanding=True)),
        boards.c.anonymous.is_(False),
        seats.c.player_id != bindparam("player"),
        players.c.state == "active",
    )
    .distinct()
    .order_by(seats.c.player_id, seats.c.board_id)
)


def tell_opponents(
    session: Session,
    player: Player,
    numbers: Sequence[int],
    *,
    reached: bool = False,
    is_wish: bool = False,
) -> list[Notice]:
    """Return a notice for each opponent on these boards that do not hide who plays. `reached`:
    other addresses of the player still get mail; `is_wish`: the player has asked for none."""
    shared: dict[int, list[int]] = {}
    params = {"numbers": list(numbers), "player": player.id}
    for opponent, board in session.tuples(_OPPONENTS, params):
        shared.setdefault(opponent, []).append(board)
    return [
        Notice(
            Unreachable(userid=player.userid, boards=common, reached=reached, is_wish=is_wish),
            addresses=reads.find_addresses(session, opponent),
            player=opponent,
        )
        for opponent, common in shared.items()
    ]
