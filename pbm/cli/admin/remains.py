"""What a player did that an act of the operator does not undo, as its preview says.

Boards are known from their logs, whatever way a move came; all else from the mails that were
executed, which is the way of whoever has a stolen password."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence

from sqlalchemy import RowMapping, bindparam, exists, select

from pbm.core.feature import Verb, list_verbs
from pbm.core.log import LogEntry, build_entry, drop_undone
from pbm.core.player import Player, find_player
from pbm.core.proofs import Act
from pbm.core.words import find_game_name
from pbm.store import reads
from pbm.store.tables import boards, inbound, moves, seats
from pbm.store.transaction import Session

DAYS_WITHOUT_SINCE = 7.0
"""How far back a preview looks where the operator does not say since when."""
_LONGEST_SHOWN = 900
_MOST_BOARDS = 30

_BOARDS = (
    select(boards.c.id, boards.c.game, boards.c.state, boards.c.secret, seats.c.seat)
    .join(seats, seats.c.board_id == boards.c.id)
    .where(seats.c.player_id == bindparam("player"))
    .where(
        exists().where(
            moves.c.board_id == boards.c.id,
            moves.c.seat == seats.c.seat,
            moves.c.at >= bindparam("since"),
        )
    )
    .order_by(boards.c.id)
)
_MAILS = (
    select(inbound.c.id, inbound.c.outcome, inbound.c.board_id)
    .where(inbound.c.player_id == bindparam("player"), inbound.c.received >= bindparam("since"))
    .where(inbound.c.code.in_(("executed", "partly_executed")))
    .order_by(inbound.c.id)
)
_VERBS = sorted(list_verbs(), key=lambda verb: len(verb.name), reverse=True)


def list_remains(session: Session, userid: str, since: float, undone: Collection[int]) -> list[str]:
    """Return what the player has done since then that stays when what was done on these boards is
    undone, each with the command that does something about it, if there is one."""
    player = find_player(session, userid)
    if player is None:
        return []
    wanted = {"player": player.id, "since": since}
    found = dict[int, str]()
    for row in session.execute(_BOARDS, wanted).mappings().all():
        own = [] if row["id"] in undone else _find_own(session, row["id"], row["seat"], since)
        if own and (how := _describe_board(row, own)):
            found[row["id"]] = how
    told = list(found.values())
    if len(told) > _MOST_BOARDS:
        more = len(told) - _MOST_BOARDS
        told = [*told[:_MOST_BOARDS], f"{more} more boards (pbm admin moves --player {userid})"]
    return [*told, *_list_commands(session, player, wanted, {*undone, *found})]


def _find_own(session: Session, board: int, seat: int, since: float) -> list[LogEntry]:
    """Return what a seat has done on a board since then that is in effect."""
    log = drop_undone(map(build_entry, reads.find_log(session, board)))
    return [entry for entry in log if entry.seat == seat and entry.at >= since]


def _describe_board(row: RowMapping, own: Sequence[LogEntry]) -> str:
    """Return what a player did on a board and what the operator can do about it; "" where somebody
    else has cancelled it since."""
    name, number, last = f"{row['game']} {row['id']}", row["id"], own[-1]
    if row["state"] == "cancelled":
        how = "declined" if last.move == "decline" else "cancelled"
        return f"{name} ({how}; pbm admin reopen {number})" if last.kind == "cancel" else ""
    if not row["secret"]:
        return f"{name} (imported)"
    what = {"resign": "resigned", "move": "moved"}.get(last.kind, last.kind)
    ply = min(entry.ply - (entry.kind == "move") for entry in own)
    return f"{name} ({what}; pbm admin rollback {number} {ply})"


def _list_commands(
    session: Session, player: Player, wanted: Mapping[str, float], boards: Collection[int]
) -> Iterator[str]:
    """Yield the other commands, how often each was done and in which mail first."""
    counts, first, cut = dict[Verb, int](), dict[Verb, int](), list[int]()
    for row in session.execute(_MAILS, wanted).mappings().all():
        number, outcome, board = row["id"], row["outcome"], row["board_id"]
        if len(outcome) >= _LONGEST_SHOWN:
            cut.append(number)
        for verb, named in _read_done(outcome):
            place = named or board
            is_undone = verb.goes_with_board and (not place or place in boards)
            if is_undone or verb.is_read_only or verb.act is Act.OPEN:
                continue
            counts[verb] = counts.get(verb, 0) + 1
            first.setdefault(verb, number)
    for verb, count in counts.items():
        look = f"pbm admin mail in:{first[verb]}"
        do = verb.remedy.format(who=player.userid)
        yield f"{count} {verb.name} ({'; '.join(filter(None, (do, look)))})"
    for number in cut:
        yield f"more in a long mail (pbm admin mail in:{number})"


def _read_done(outcome: str) -> Iterator[tuple[Verb, int]]:
    """Yield the commands that a mail's outcome says were done, each with the board that it names,
    or 0."""
    for part in outcome.split("; "):
        mark, _, words = part.partition(": ")
        if mark != "done":
            continue
        first, _, rest = words.partition(" ")
        if find_game_name(first) and rest:
            words = rest
        line = f"{words} ".replace("#", " ", 1)
        verb = next((each for each in _VERBS if line.startswith(f"{each.name} ")), None)
        if verb is None:
            continue
        after = words.removeprefix(verb.name).split()
        board = next((int(word) for word in after[:1] if word.isdecimal()), 0)
        yield verb, board
