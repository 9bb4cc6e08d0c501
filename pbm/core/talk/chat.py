"""Messages between players, chat and watching at a board, and help pages."""

from __future__ import annotations

from msgspec.structs import replace
from sqlalchemy import delete, insert

from pbm.core.kernel.boards.board import Board, join_names
from pbm.core.kernel.boards.seat import Seat
from pbm.core.kernel.boards.updates import find_silenced
from pbm.core.kernel.boards.view import find_thread
from pbm.core.kernel.context import Context
from pbm.core.kernel.language.call import Call
from pbm.core.kernel.notices.notice import Notice
from pbm.core.kernel.players.player import Player, build_player, find_player
from pbm.core.kernel.players.similar import refuse_unknown_player
from pbm.core.kernel.refusal import Refusal, RefusalCode
from pbm.core.talk.notices import Broadcast, Chat, Message, PassedOn, Watching
from pbm.rules.phrases import phrase
from pbm.store import daily_counters, reads
from pbm.store.reads.player_rows import find_blockers
from pbm.store.tables import chats, watchers
from pbm.store.transaction import Session

_MOST_RECIPIENTS = 10


def _require_text(call: Call) -> str:
    call.require_voice()
    text = call.command.text.strip()
    if not text:
        raise Refusal(
            RefusalCode.MISSING_ARGUMENT,
            phrase(
                "the text is missing: write it in the body of the mail, without password or command"
            ),
            call.command.form,
        )
    return text


def message(call: Call) -> list[Notice]:
    """Send the body to other players, once each; they see the userid but no address."""
    sender, text = call.me, _require_text(call)
    form = f"message {sender.userid} PASSWORD USERID"
    people: list[Player] = []
    for word in call.command.words:
        player = find_player(call.session, word)
        problem = phrase("one of the userids is unknown")
        if player is None and len(call.command.words) == 1:
            raise refuse_unknown_player(call, word, form, problem=problem)
        if player is None or not player.is_active:
            raise Refusal(RefusalCode.NO_SUCH_PLAYER, problem, form)
        if player not in people:
            people.append(player)
    if not people:
        raise Refusal(RefusalCode.MISSING_ARGUMENT, phrase("name at least one player"), form)
    if len(people) > _MOST_RECIPIENTS:
        raise Refusal(
            RefusalCode.LIMIT_REACHED,
            phrase(
                "a message can go to at most {most} players: send several",
                most=_MOST_RECIPIENTS,
            ),
            form,
        )
    limit = call.config.limits.messages_a_day
    for player in people:
        if not daily_counters.allow(
            call.session, f"messages {sender.id} {player.id}", call.now, limit
        ):
            raise Refusal(
                RefusalCode.LIMIT_REACHED,
                phrase(
                    "you have sent {userid} as many messages as a day allows ({limit}): send the "
                    "rest tomorrow, in one mail",
                    userid=player.userid,
                    limit=limit,
                ),
                form,
            )
    names = join_names([player.userid for player in people])
    blockers = find_blockers(call.session, sender.id)
    notices = [
        call.build_notice(player, Message(userid=player.userid, writer=sender.userid, text=text))
        for player in people
        if player.id not in blockers
    ]
    return [call.answer(PassedOn(names=names, count=len(people), text=text)), *notices]


def broadcast(call: Call) -> list[Notice]:
    """Send the body to all players who want broadcasts. Refuse more than the daily limit."""
    sender, text = call.me, _require_text(call)
    limit = call.config.limits.broadcasts_a_day
    if not daily_counters.allow(call.session, f"broadcasts {sender.id}", call.now, limit):
        raise Refusal(
            RefusalCode.LIMIT_REACHED,
            phrase("you have used today's broadcasts: to reach single players, send a message"),
            f"message {sender.userid} PASSWORD USERID",
        )
    people = [player for player in _find_recipients(call.session) if player.id != sender.id]
    people = [player for player in people if player.get_preference("broadcasts", "yes") == "yes"]
    blockers = find_blockers(call.session, sender.id)
    notices = [
        call.build_notice(player, Broadcast(userid=player.userid, writer=sender.userid, text=text))
        for player in people
        if player.id not in blockers
    ]
    return [
        call.answer(PassedOn(names=phrase("everybody"), count=len(people), text=text)),
        *notices,
    ]


def _find_recipients(session: Session) -> list[Player]:
    return [build_player(row) for row in reads.find_active_players(session)]


def chat(call: Call) -> list[Notice]:
    """Send the body, or the rest of the line, to the board's other players and watchers; what a
    reply does not call a chat goes to the players alone. It is kept for the players' pages."""
    board = call.load_board(lock=False)
    seat, text = board.find_seat(call.me), _require_text(call)
    _require_no_press(board, seat)
    limit = call.config.limits.chats_a_day
    if not daily_counters.allow(call.session, f"chats {board.id} {seat.player}", call.now, limit):
        raise Refusal(
            RefusalCode.LIMIT_REACHED,
            phrase(
                "you have sent board {board} as many texts as a day allows ({limit}): send the "
                "rest tomorrow, in one mail",
                board=board.id,
                limit=limit,
            ),
            call.command.form,
            board=board.id,
        )
    at, watching = reads.find_board_addresses(call.session, board.id)
    if call.command.implied:
        watching = {}
    silenced = find_silenced(call, board)
    notices, unheard = [], 0
    for player, addresses in {**watching, **at}.items():
        if player == seat.player:
            continue
        if player in silenced:
            unheard += 1
            continue
        own = next((each for each in board.seats if each.player == player), None)
        content = Chat(
            game=board.game.info.name,
            board=board.id,
            writer=seat.userid,
            text=text,
            seated=own is not None,
            userid=own.userid if own is not None else "",
        )
        thread = find_thread(board, own.seat if own is not None else None)
        notices.append(Notice(content, tuple(addresses), player, thread))
    others = dict.fromkeys(s.userid for s in board.seats if s.player != seat.player)
    names = join_names(list(others) or [phrase("nobody else")])
    passed_on = PassedOn(
        game=board.game.info.name,
        board=board.id,
        names=names,
        text=text,
        count=len(notices) + unheard,
        watchers=_name_watchers(call, board) if watching else "",
    )
    row = {"board_id": board.id, "player_id": seat.player, "text": text, "at": call.now}
    call.session.execute(insert(chats).values(row))
    # It belongs to the board's conversation, also where no mail says whom it answers.
    answer = replace(call.answer(passed_on), thread=find_thread(board, seat.seat))
    return [answer, *notices]


def _require_no_press(board: Board, seat: Seat) -> None:
    """Refuse a text to all others in a game in which it may have been meant for one of them."""
    name = board.game.info.name
    if board.position.press == "none":
        raise Refusal(
            RefusalCode.BAD_ARGUMENT,
            phrase(
                "board {board} is played without press: its powers write nothing to each other",
                board=board.id,
            ),
            f"{name} show {board.id}",
            board=board.id,
        )
    if board.position.press:
        raise Refusal(
            RefusalCode.BAD_ARGUMENT,
            phrase(
                "this game has press in place of chat: say who is to read it, with the text in the "
                "body of the mail"
            ),
            f"{name} press {board.id} {seat.account} PASSWORD to all",
            board=board.id,
        )


def _name_watchers(context: Context, board: Board) -> str:
    """Name those who watch and do not play."""
    seated = {seat.player for seat in board.seats}
    rows = reads.find_watchers(context.session, board.id)
    return join_names([row.userid for row in rows if row.id not in seated])


def watch(call: Call) -> list[Notice]:
    """Send the sender a board's mails as a watcher. Refuse its players, who get them anyway."""
    board, player = call.load_board(), call.me
    if any(seat.player == player.id for seat in board.seats):
        raise Refusal(
            RefusalCode.ALREADY_SEATED,
            phrase("you play on board {board} and get its mails anyway", board=board.id),
            board=board.id,
        )
    if not _is_watching(call, board, player):
        call.session.execute(insert(watchers).values(board_id=board.id, player_id=player.id))
    return [_answer_watching(call, board, player, on=True)]


def unwatch(call: Call) -> list[Notice]:
    """Stop sending the sender a board's mails."""
    board, player = call.load_board(), call.me
    call.session.execute(
        delete(watchers).where(watchers.c.board_id == board.id, watchers.c.player_id == player.id)
    )
    return [_answer_watching(call, board, player, on=False)]


def _is_watching(context: Context, board: Board, player: Player) -> bool:
    return any(row.id == player.id for row in reads.find_watchers(context.session, board.id))


def _answer_watching(call: Call, board: Board, player: Player, *, on: bool) -> Notice:
    content = Watching(game=board.game.info.name, board=board.id, userid=player.userid, on=on)
    return replace(call.answer(content), thread=find_thread(board, None))
