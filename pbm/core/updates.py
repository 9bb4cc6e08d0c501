"""Builds the notices to a board's players and watchers when something has changed there."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import takewhile
from types import MappingProxyType

from msgspec import Struct
from msgspec.structs import replace

from pbm.bots import NAMES
from pbm.config import Config
from pbm.core.board import Board, UndoState, label_seats
from pbm.core.context import Context
from pbm.core.log import LogEntry, apply_entry, build_entry, drop_undone
from pbm.core.log_view import BoardLog, describe_entry, join_rolls, name_player
from pbm.core.notices import BoardContent, BoardUpdate, Notice
from pbm.core.player import get_player, parse_preferences, prefers_words
from pbm.core.seat import Seat, Way
from pbm.core.storing import find_draw_claim, find_title, save
from pbm.core.view import BoardViews, build_headline, describe_state, find_thread
from pbm.rules import Position, outcome_of
from pbm.rules.phrases import Listing, Phrase, combine, join_phrases, phrase
from pbm.rules.typed_moves import find_ending
from pbm.store import reads
from pbm.store.reads import find_blockers
from pbm.store.transaction import Session

_LONGEST_WORDS = 60
_LONGEST_EVENTS = 80
"""How much of several changes a headline holds."""
_MOST_UNDOS = 10
_ENDS = ("resign", "draw", "forfeit", "adjudicate")
_PAIR = 2
_HIDDEN = "-"
"""The words of a move for who may not know it."""


class Change(Struct, frozen=True):
    """One thing that happened at a board.

    event     what it was ("ann resigned"); None for moves: those of `entries` are put in words for
              each viewer
    own       the same for the actor ("you resigned"), if other than the event
    actor     the seat that did it
    comment   what the actor wrote with it, for the other seats
    problem   why the rest of the typed moves was not played, for the actor
    remark    a sentence for the actor alone, below the news
    private   only the actor is told
    sentence  the first sentence of the mail, if other than the event
    is_new    the board has just started
    planned   the actor had planned it
    is_forced  it was the actor's only move, and played without asking
    standin   the computer player that did it for the actor, who is silent
    entries   what it added to the log, and `positions_before` the position before each entry
    refused   sentences on orders that were refused, for the actor
    since     the ply at which the turn began that it ended; the others have not heard of that yet
    by        the member of a party who did it, where the others of it read who
    """

    event: str | None
    own: str = ""
    actor: int | None = None
    comment: str = ""
    problem: str = ""
    remark: str = ""
    private: bool = False
    sentence: str = ""
    is_new: bool = False
    planned: bool = False
    is_forced: bool = False
    standin: str = ""
    refused: Sequence[str] = ()
    entries: Sequence[LogEntry] = ()
    positions_before: Sequence[Position] = ()
    since: int | None = None
    by: str = ""


def build_change(
    board: Board,
    event: str | None,
    *,
    own: str = "",
    actor: int | None = None,
    comment: str = "",
    problem: str = "",
    remark: str = "",
    private: bool = False,
    sentence: str = "",
    is_new: bool = False,
    planned: bool = False,
    is_forced: bool = False,
    standin: str = "",
    refused: Sequence[str] = (),
) -> Change:
    """Return the change that the current command has made, with the log entries that it added."""
    return Change(
        event,
        own,
        actor,
        board.admit_comment(comment) if actor is not None else comment,
        problem,
        remark,
        private,
        sentence,
        is_new,
        planned,
        is_forced,
        standin,
        refused,
        entries=tuple(board.entries),
        positions_before=tuple(board.positions_before),
        since=_find_turn_start(board),
    )


def _find_turn_start(board: Board) -> int | None:
    """Return the ply at which the turn began that the current act ended or handed over, if it had
    earlier parts."""
    if not board.positions_before:
        return None
    before = board.positions_before[0]
    played = sum(entry.kind == "move" for entry in board.entries)
    is_ended = board.is_over or not _is_same_turn(before, board.position)
    return board.turn_start if is_ended and board.ply - played > board.turn_start else None


def _is_open(board: Board, changes: Sequence[Change]) -> bool:
    """Whether all that has happened is a part of a turn that goes on: the others hear of it when
    the turn ends, or when somebody else is to move."""
    if board.state != "running":
        return False
    goes_on = False
    for each in changes:
        if each.event is not None:
            return False
        if each.positions_before:
            if not _is_same_turn(each.positions_before[0], board.position):
                return False
            goes_on = True
    return goes_on


def _is_same_turn(before: Position, after: Position) -> bool:
    """Whether the same seats are still in the same turn; of orders, whether it is not over."""
    is_same = before.turn == after.turn
    return is_same and (after.takes_orders or before.to_move == after.to_move)


def notify_board(
    context: Context,
    board: Board,
    event: str,
    *,
    own: str = "",
    actor: int | None = None,
    comment: str = "",
    remark: str = "",
) -> list[Notice]:
    """Notify of one change every player and watcher of the board."""
    change = build_change(board, event, own=own, actor=actor, comment=comment, remark=remark)
    return notify_changes(context, board, [change])


def notify_seat(context: Context, board: Board, seat: Seat, content: BoardContent) -> Notice:
    """Return a notice to one seat about its board; where a party holds it, to the member who acts,
    and to no other."""
    addresses, _ = find_mailboxes(context.session, board)
    player = context.player
    is_own = player is not None and seat.is_held_by(player.id)
    reader = player.id if player is not None and is_own else seat.player
    if seat.members and not is_own:
        reader = seat.members[0].player
    return Notice(
        content,
        addresses=tuple(addresses.get(reader, ())),
        player=reader,
        thread=find_thread(board, seat.seat),
        is_answer=is_own,
    )


def find_mailboxes(
    session: Session, board: Board
) -> tuple[Mapping[int, list[str]], Mapping[int, list[str]]]:
    """Return the addresses of all who hold the board's seats, and of its watchers, by player. One
    who holds a seat is no watcher."""
    seated, watching = reads.find_board_addresses(session, board.id)
    if not board.has_parties:
        return seated, watching
    people = {
        each.player: [*reads.find_addresses(session, each.player)]
        for seat in board.seats
        for each in seat.members
        if each.is_active
    }
    others = {player: each for player, each in watching.items() if player not in people}
    return {**seated, **people}, others


def notify_new_board(
    context: Context, board: Board, *, actor: int | None = None, comment: str = ""
) -> list[Notice]:
    """Notify the players that a board has begun, or of an invitation to it."""
    userids = [seat.userid for seat in board.seats]
    seated = [
        name if board.is_anonymous else combine("{who} ({name})", who=seat.userid, name=name)
        for seat, name in zip(board.seats, label_seats(board.position), strict=True)
    ]
    names: str = Listing(seated)
    if len(seated) == 2:
        names = phrase("{one} against {other}", one=seated[0], other=seated[1])
    is_new, title, people = (
        board.state != "invited",
        find_title(board.game.info.name),
        ", ".join(userids),
    )
    change = build_change(
        board,
        phrase("new board: {people}", people=people)
        if is_new
        else phrase("invitation: {people}", people=people),
        actor=actor,
        comment=comment,
        sentence=phrase("new game of {game}: {people}", game=title, people=names)
        if is_new
        else phrase("invitation to a game of {game}: {people}", game=title, people=names),
        is_new=is_new,
    )
    return notify_changes(context, board, [change], _find_master(context, board))


def _find_master(context: Context, board: Board) -> dict[int, list[str]]:
    """Return the addresses of who runs a board without playing on it, by player. A master hears of
    its beginning and not of more unless they watch it: others have named them."""
    master = None
    if board.position.takes_orders:
        master = reads.find_master(context.session, board.id)
    player = get_player(context.session, master.id) if master is not None else None
    if player is None or not player.is_active or player.id in find_silenced(context, board):
        return {}
    return {player.id: [*reads.find_addresses(context.session, player.id)]}


def add_remark(notices: list[Notice], player: int, remark: str) -> list[Notice]:
    """Return the notices with a remark in the player's own notice of the board; "" for none."""
    if not remark:
        return notices
    return [
        replace(notice, content=replace(notice.content, remark=remark))
        if notice.player == player and isinstance(notice.content, BoardUpdate)
        else notice
        for notice in notices
    ]


def notify_changes(
    context: Context,
    board: Board,
    changes: Sequence[Change],
    officials: Mapping[int, list[str]] = MappingProxyType({}),
) -> list[Notice]:
    """Return one notice to every player and watcher of the board, and to these officials: the
    present board, and all of these changes. The owner of a plan reads that it has ended."""
    changes = [
        *changes,
        *(Change(text, actor=seat, private=True) for seat, text in board.take_lapsed()),
    ]
    addresses, watching = find_mailboxes(context.session, board)
    log = BoardLog(context, board)
    views = BoardViews(board, log)
    claimed = find_draw_claim(context.session, board)
    is_open = _is_open(board, changes)
    bots = _find_bots(context.config, board)
    awaits_bot = _awaits(board, bots)
    has_all = all(seat.accepted or seat.moved for seat in board.seats)
    silenced = () if has_all else find_silenced(context, board)
    giver = reads.find_giver(context.session, board.id)
    notices = []
    acting = context.player.id if context.player is not None else 0
    for player, seats in _group_seats(board).items():
        visible = [each for each in changes if not each.private or _is_by(board, each, player)]
        if not visible or player in silenced:
            continue
        if is_open and not any(_is_by(board, each, player) for each in visible):
            continue
        is_sender = acting == player
        is_own = is_sender and any(_is_by(board, each, player) for each in visible)
        for seat in seats:
            seat.read_as(player)
        if is_own and not is_open and _is_unwanted(context, board, seats[0], player, visible):
            continue
        if not is_own and _may_wait(board, seats, visible, is_giver=player == giver):
            continue
        if not is_own and _has_voted(board, seats[0], player) and _are_votes(visible):
            continue  # they stand in the next mail; to change one's mind the page has them, too
        viewer = next((s.seat for s in seats if s.seat in board.position.to_move), seats[0].seat)
        # What one member of a party has done, the others read as they do what others do.
        doer = player if is_sender or not seats[0].decides else None
        headline, lead, news, problem = _describe_changes(board, visible, doer, viewer, log)
        untold, unread = _tell_since(board, seats, visible, viewer, log)
        news = [*untold, *news]
        if is_open and not board.position.takes_orders:
            lead[-1] = phrase("your turn goes on ({move})", move=board.turn_number)
        content = BoardUpdate(
            view=views.build(viewer, is_news=True),
            headline=headline,
            lead=lead,
            news=news,
            problem=problem,
            remark=_find_remark(board, visible, doer),
            comments=[
                *unread,
                *_list_comments(board, visible, doer, addresses, log, is_open=is_open),
            ],
            is_open=is_open,
            ending=find_ending(board.position, viewer) if is_open else "",
            retractable=board.undo_state.get("player") == player,
            claim=claimed,
            personal=any(each.private for each in visible),
            planned=any(each.planned or each.is_forced or each.standin for each in visible)
            and not _is_last(board, visible),
            has_moved=_has_moved(board, changes, player),
            is_first=not board.ply,
            has_bots=bool(bots),
            awaits_bot=awaits_bot,
        )
        mailboxes, thread = tuple(addresses.get(player, ())), find_thread(board, viewer)
        notices.append(Notice(content, mailboxes, player, thread, is_answer=is_own))
    if is_open:
        return notices
    others = {**officials, **watching}
    offered = officials.keys() - watching.keys()
    return notices + _notify_watchers(context, board, changes, log, views, others, offered)


def _group_seats(board: Board) -> Mapping[int, list[Seat]]:
    """Return the seats that each active player holds, alone or with others."""
    seats_of = dict[int, list[Seat]]()
    for seat in board.seats:
        for each in seat.people:
            if each.is_active:
                seats_of.setdefault(each.player, []).append(seat)
    return seats_of


def _find_bots(config: Config, board: Board) -> set[int]:
    """Return the seats of computer players, none where these are switched off."""
    if not config.bots.enabled:
        return set()
    names = {*NAMES, *(player.userid.lower() for player in config.bots.list_engine_players())}
    return {seat.seat for seat in board.seats if seat.is_active and seat.userid.lower() in names}


def _awaits(board: Board, bots: Collection[int]) -> bool:
    """Whether it is for these seats alone to move, or for one of them to answer a proposal."""
    if board.state != "running" or not bots:
        return False
    is_asked = any(seat not in by for by in board.proposals.values() for seat in bots)
    to_move = board.position.to_move
    return is_asked or (bool(to_move) and to_move <= set(bots))


def _has_moved(board: Board, changes: Iterable[Change], player: int = 0) -> bool:
    """Whether moves were played, or a game that the player agreed to has come to an end for a seat.
    Where much was taken back, it may be the same again, and is mailed no more freely than anything
    else."""
    if board.undos > _MOST_UNDOS:
        return False
    kinds = {"move", *_ENDS} if board.has_agreed(player) else {"move"}
    return any(entry.kind in kinds for each in changes for entry in each.entries)


def find_silenced(context: Context, board: Board) -> Collection[int]:
    """Return those who block the acting player and have not agreed to play on the board: they get
    nothing of that player's."""
    if context.player is None:
        return ()
    blockers = find_blockers(context.session, context.player.id)
    return {player for player in blockers if not board.has_agreed(player)}


def _is_by(board: Board, change: Change, player: int) -> bool:
    return change.actor is not None and board.seats[change.actor].is_held_by(player)


def _find_remark(board: Board, changes: Sequence[Change], player: int | None) -> str:
    return next(
        (
            each.remark
            for each in changes
            if each.remark and player is not None and _is_by(board, each, player)
        ),
        "",
    )


def _is_unwanted(
    context: Context, board: Board, seat: Seat, player: int, changes: Iterable[Change]
) -> bool:
    """Whether the mover wants no copies of own moves (`own=no`) and this would be nothing more."""
    if seat.preferences.get("own") != "no" or board.is_over or context.has_left_lines:
        return False
    return all(
        _is_by(board, each, player) and each.event is None and not each.problem for each in changes
    )


def _may_wait(
    board: Board, seats: Sequence[Seat], changes: Sequence[Change], *, is_giver: bool
) -> bool:
    """Whether a player hears of these changes later, since the log has them: one who wants news
    only when it is their turn (`news=mine`) and for whom nobody waits, and who gives an exhibition,
    whose boards come in one mail."""
    own = {seat.seat for seat in seats}
    is_asked = any(own.isdisjoint(by) for by in board.proposals.values())
    if is_asked or any(each.private or each.actor in own for each in changes):
        return False
    if is_giver:
        return all(each.entries for each in changes)
    if seats[0].preferences.get("news") != "mine" or board.state != "running":
        return False
    is_in_log = all(each.entries and not each.is_new for each in changes)
    return is_in_log and own.isdisjoint(board.position.to_move)


def _has_voted(board: Board, seat: Seat, player: int) -> bool:
    """Whether a member of a party has voted for the move that it is about to make."""
    cast = seat.read_ballots(board.next_ply, board.undos).cast if seat.decides == Way.VOTE else ()
    return any(each.player == player for each in cast)


def _are_votes(changes: Iterable[Change]) -> bool:
    """Whether all that has happened are votes of members of a party, without a word."""
    return all(each.by and each.private and not each.comment for each in changes)


def _tell_since(
    board: Board, seats: Sequence[Seat], changes: Sequence[Change], viewer: int, log: BoardLog
) -> tuple[list[str], list[tuple[str, str]]]:
    """Return what such a player has not heard of yet, since their last turn and before these
    changes: a sentence, if anything has happened, and the comments."""
    if seats[0].preferences.get("news") != "mine" or len(board.seats) <= _PAIR:
        return [], []
    own = {seat.seat for seat in seats}
    number = min((entry.number for each in changes for entry in each.entries), default=0)
    since = [each.since for each in changes if each.since is not None and each.actor not in own]
    told = [
        (entry, words)
        for entry, words in log.find_since_turn(own, number or board.number + 1, viewer)
        if not since or entry.ply <= min(since)
    ]
    happened, comments = tell_moves(board, told), tell_comments(board, told)
    if not happened:
        return [], comments
    events = join_phrases(", ", happened)
    return [phrase("since your last turn: {events}", events=events)], comments


def tell_moves(board: Board, told: Iterable[tuple[LogEntry, str]]) -> list[str]:
    """Return the acts of seats, each in words, as sentences."""
    return [
        combine("{who} {what}", who=board.seats[entry.seat].userid, what=words)
        if entry.kind != "move"
        else _tell_played(words, board.seats[entry.seat].userid)
        for entry, words in told
        if entry.seat is not None and words != _HIDDEN
    ]


def tell_comments(board: Board, told: Iterable[tuple[LogEntry, str]]) -> list[tuple[str, str]]:
    """Return the comments of seats on their acts, each with a line that names the writer."""
    return [
        (phrase("{writer} writes", writer=board.seats[entry.seat].userid), entry.comment)
        for entry, _ in told
        if entry.seat is not None and entry.comment
    ]


def _list_comments(
    board: Board,
    changes: Sequence[Change],
    player: int | None,
    addresses: Mapping[int, list[str]],
    log: BoardLog,
    *,
    is_open: bool,
) -> list[tuple[str, str]]:
    """Return the comments, each with a line that says who writes, or to whom the player's own was
    passed on. The player's own is left out where it reaches nobody. Those of earlier parts of a
    turn go out when it ends."""
    comments: list[tuple[str, str]] = []
    for each in changes:
        if player is None or not _is_by(board, each, player):
            written = phrase("The operator writes")
            if each.actor is not None:
                writer = each.by or board.seats[each.actor].userid
                written = phrase("{writer} writes", writer=writer)
            earlier = [entry.comment for entry, _ in _find_earlier(board, each, None, log)]
            comments += [(written, text) for text in (*earlier, each.comment) if text]
        elif each.comment and not each.by and (others := _list_others(board, player, addresses)):
            names = Listing(others)
            passed_on = phrase("Passed on to {people}", people=names)
            if is_open:
                passed_on = phrase("When your turn ends, this goes to {people}", people=names)
            comments.append((passed_on, each.comment))
    return comments


def _list_others(board: Board, player: int, addresses: Mapping[int, list[str]]) -> list[str]:
    """Return the userids of the other players whom mails reach."""
    others = [seat for seat in board.seats if not seat.is_held_by(player)]
    return list(
        dict.fromkeys(
            seat.userid
            for seat in others
            if any(each.is_active and addresses.get(each.player) for each in seat.people)
        )
    )


def _notify_watchers(
    context: Context,
    board: Board,
    changes: Iterable[Change],
    log: BoardLog,
    views: BoardViews,
    addresses: Mapping[int, list[str]],
    offered: Collection[int],
) -> list[Notice]:
    """Return the notices to watchers, and to those who are offered to watch, without what the
    players write to each other."""
    seated = board.people
    public = [each for each in changes if not each.private]
    if not public or not addresses.keys() - seated:
        return []
    headline, lead, news, problem = _describe_changes(board, public, None, None, log)
    bots = _find_bots(context.config, board)
    thread = find_thread(board, None)
    readers = reads.find_readers(context.session, addresses.keys() - seated)
    contents = dict[tuple[bool, bool], BoardUpdate]()
    notices = []
    for player, reader in sorted(readers.items()):
        in_words = prefers_words(parse_preferences(reader.preferences))
        kind = in_words, player in offered
        if kind not in contents:
            contents[kind] = BoardUpdate(
                view=views.build(None, in_words=in_words),
                headline=headline,
                lead=lead,
                news=news,
                problem=problem,
                has_moved=_has_moved(board, public),
                is_first=not board.ply,
                has_bots=bool(bots),
                awaits_bot=_awaits(board, bots),
                is_offered=player in offered,
            )
        mailboxes = tuple(addresses[player])
        is_own = context.player is not None and context.player.id == player
        notices.append(Notice(contents[kind], mailboxes, player, thread, is_answer=is_own))
    return notices


def _describe_changes(
    board: Board,
    changes: Sequence[Change],
    player: int | None,
    viewer: int | None,
    log: BoardLog,
) -> tuple[str, list[str], list[str], str]:
    """Return the changes as one player (None: a watcher) reads them: headline, first sentences,
    further sentences, and why the rest of the player's typed moves was not played."""
    events, leads, news, problems = list[str](), list[str](), list[str](), list[str]()
    for each in changes:
        is_own = player is not None and _is_by(board, each, player)
        event, more = _describe_change(board, each, viewer, log, is_own=is_own)
        if not each.private:
            events.append(event)
        sentence = each.sentence or event
        if each.planned:
            sentence = phrase("{what} as planned", what=sentence)
        elif each.is_forced:
            sentence = phrase("{what}, the only move", what=sentence)
        elif each.standin:
            sentence = phrase("{what}, which {bot} chose", what=sentence, bot=each.standin)
        (news if each.private and leads else leads).append(sentence)
        news += more
        if is_own and each.problem:
            problems.append(each.problem)
    while len(events) > 1 and len(", ".join(events)) > _LONGEST_EVENTS:
        del events[0]
    is_new = not board.ply and any(each.is_new for each in changes)
    headline = build_headline(board, viewer, join_phrases(", ", events), is_new=is_new)
    is_played = changes[-1].event is None
    state = describe_state(board, viewer, has_reason=is_played)
    if _is_last(board, changes):
        return headline, [state], [*leads, *news], join_phrases("; ", problems)
    return headline, [*leads, state], news, join_phrases("; ", problems)


def _is_last(board: Board, changes: Sequence[Change]) -> bool:
    """Whether moves have ended the board: then the ending comes first."""
    return changes[-1].event is None and board.is_over


def _describe_change(
    board: Board, change: Change, viewer: int | None, log: BoardLog, *, is_own: bool
) -> tuple[str, list[str]]:
    """Return the event in words, and further sentences about it; for the others, with the earlier
    parts of the turn that it ended."""
    actor = change.actor
    who = board.seats[actor].userid if actor is not None else ""
    told = _describe_entries(change, viewer)
    if not is_own:
        told = [*_find_earlier(board, change, viewer, log), *told]
    if change.event is None and board.position.takes_orders:
        return _describe_orders(change, told, is_own=is_own)
    if change.event is None:
        shown = [words for entry, words in told if entry.kind == "move" and words != _HIDDEN]
        words = join_phrases(", ", shown)
        event = _tell_played(_shorten(words), "" if is_own else who)
        is_long = len(words) > _LONGEST_WORDS
        sentences = [_tell_played(words, "" if is_own else who)] if is_long else []
    else:
        event, sentences = (is_own and change.own) or change.event, []
    for entry, _ in told:
        sentences += [name_player(board, sentence, viewer) for sentence in entry.news]
    rolled = join_rolls(_list_rolls(told))
    rolls = join_phrases(", ", [name_player(board, roll, viewer) for roll in rolled])
    return event, [*sentences, rolls] if rolls else sentences


def _list_rolls(told: Sequence[tuple[LogEntry, str]]) -> list[str]:
    """Return the answers of chance in words, without dice that the news already names."""
    rolls, pending = list[str](), list[tuple[LogEntry, str]]()
    for entry, words in told:
        if entry.kind != "chance":
            rolls += [text for _, text in pending]
            pending = []
            continue
        pending.append((entry, words))
        if entry.news:
            named = _list_named(entry.news)
            rolls += [text for each, text in pending if each.move not in named]
            pending = []
    return [*rolls, *(text for _, text in pending)]


def _list_named(news: Iterable[str]) -> set[str]:
    """Return the numbers in news, those of a roll such as 6-2 one by one."""
    values = [value for text in news if isinstance(text, Phrase) for value in text.values.values()]
    return {part for value in values for part in str(value).split("-")}


def _describe_orders(
    change: Change, told: Sequence[tuple[LogEntry, str]], *, is_own: bool
) -> tuple[str, list[str]]:
    """Return the results of orders: for their writer the accepted and the refused ones, and for
    everybody the news when the turn ended, without whose orders were the last."""
    news = [text for entry, _ in told for text in entry.news]
    if not is_own:
        return (news[0] if news else phrase("the turn goes on")), news[1:]
    words = join_phrases(", ", [text for entry, text in told if entry.kind == "move"])
    ordered = [phrase("you ordered {orders}", orders=text) for text in (_shorten(words), words)]
    sentences = ordered[1:] if len(words) > _LONGEST_WORDS else []
    return ordered[0], [*sentences, *change.refused, *news]


def _tell_played(words: str, who: str) -> str:
    """Return a sentence on the moves played, by a player or ("") the reader; hidden moves are not
    named."""
    if not words:
        return phrase("{who} moved", who=who) if who else phrase("you moved")
    if words == "pass":
        return phrase("{who} passed", who=who) if who else phrase("you passed")
    if words == "swap":
        return phrase("{who} swapped sides", who=who) if who else phrase("you swapped sides")
    if not who:
        return phrase("you played {moves}", moves=words)
    return phrase("{who} played {moves}", who=who, moves=words)


def _find_earlier(
    board: Board, change: Change, viewer: int | None, log: BoardLog
) -> Sequence[tuple[LogEntry, str]]:
    """Return the parts of the turn, each in words, that are new to the others: the actor's since
    another seat last acted, or with sealed moves all of the actor's."""
    if change.since is None or board.position.takes_orders:
        return ()
    entries = log.find_between(change.since, change.entries[0].number, viewer)
    if "sealed" in board.game.info.features:
        return [each for each in entries if each[0].seat == change.actor]
    own = takewhile(lambda each: each[0].seat in (change.actor, None), reversed(entries))
    return list(reversed(list(own)))


def _shorten(words: str) -> str:
    return words if len(words) <= _LONGEST_WORDS else words[: _LONGEST_WORDS - 3] + "..."


def _describe_entries(change: Change, viewer: int | None) -> list[tuple[LogEntry, str]]:
    """Return the entries of which it consists, each in words."""
    return [
        (entry, describe_entry(before, entry, viewer))
        for before, entry in zip(change.positions_before, change.entries, strict=True)
    ]


# Keeps what taking back an act would restore: once on a board for each kind of act.

_FINAL: Mapping[str, str] = {
    "resign": phrase("you have taken back a resignation on this board before: this one is final"),
    "draw": phrase(
        "you have taken back the acceptance of a draw on this board before: this one is final"
    ),
    "undo": phrase(
        "you have taken back the acceptance of an undo on this board before: this one is final"
    ),
    "cancel": phrase("you have taken back a cancellation on this board before: this one is final"),
}


def keep_act(context: Context, board: Board, seat: Seat, act: str, before: UndoState) -> str:
    """Let the player take back the act just done, unless one of its kind was taken back on the
    board before. Returns the sentence that says so, "" where there is nothing to say."""
    own = {each.seat for each in board.seats if each.player == seat.player}
    for row in reads.find_log(context.session, board.id):
        if row.kind == "undo" and row.move == act and row.seat in own:
            return _FINAL[act]
    by = context.player.id if context.player is not None and seat.decides else seat.player
    board.keep(act, by, before, context.now)
    return ""


# Draws: by agreement of all who still play, or claimed.


def claim_draw(context: Context, board: Board, seat: Seat, comment: str) -> Change | None:
    """End the board as a draw that the seat may claim; None when it may not."""
    reason = find_draw_claim(context.session, board)
    if not reason:
        return None
    event = phrase("{player} claimed a draw: {reason}", player=seat.userid, reason=reason)
    own = phrase("you claimed a draw: {reason}", reason=reason)
    return _end_as_draw(context, board, seat, reason, (event, own), comment)


def agree_to_draw(
    context: Context, board: Board, seat: Seat, comment: str, before: UndoState
) -> Change | None:
    """Propose a draw or agree to one, for all seats of the player; None while others have not
    agreed. `before` is the state restored if the agreement is taken back."""
    seats = [each.seat for each in board.seats if each.player == seat.player]
    if not board.propose("draw", [seat.seat, *seats]):
        return None
    event = phrase("{player} agreed to a draw", player=seat.userid)
    own = phrase("you agreed to a draw")
    reason = phrase("a draw by agreement")
    return _end_as_draw(context, board, seat, reason, (event, own), comment, before)


def _end_as_draw(
    context: Context,
    board: Board,
    seat: Seat,
    reason: str,
    event: tuple[str, str],
    comment: str,
    before: UndoState | None = None,
) -> Change:
    """End the board as a draw of the seats in play; those that have left rank below them. The event
    is as others read it, and as its actor does."""
    playing = sorted(board.position.playing)
    left = [each.seat for each in board.seats if each.seat not in playing]
    outcome = outcome_of([playing, *([s] for s in _sort_leavers(context, board, left))], reason)
    board.draw(seat.seat, outcome, comment, context.now)
    remark = keep_act(context, board, seat, "draw", before) if before is not None else ""
    save(context.session, board, context.now)
    told, own = event
    return build_change(board, told, own=own, actor=seat.seat, comment=comment, remark=remark)


def _sort_leavers(context: Context, board: Board, seats: list[int]) -> list[int]:
    """Return the seats that have left, last to leave first."""
    position = board.game.setup(len(board.seats), board.options)
    order: list[int] = []
    for entry in drop_undone(build_entry(row) for row in reads.find_log(context.session, board.id)):
        position = apply_entry(position, entry)
        order += [s for s in seats if s not in position.playing and s not in order]
    return order[::-1]
