"""Messages between players, chat and watching at a board, and blocks."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from itertools import takewhile

from msgspec.structs import replace
from sqlalchemy import delete, insert, select

from pbm.core.board import Board
from pbm.core.call import Call
from pbm.core.context import Context
from pbm.core.notices import AccountContent, BoardWords, Content, GameContent, Kind, Notice, Words
from pbm.core.operator import OperatorAct
from pbm.core.player import (
    Player,
    build_player,
    delete_own,
    find_player,
    get_player,
    list_own,
    pass_on,
    pass_on_pairs,
    read,
)
from pbm.core.refusal import Offer, Refusal, RefusalCode
from pbm.core.refusal_texts import refuse_unknown_player
from pbm.core.seat import Seat
from pbm.core.storing import find_seated, load
from pbm.core.trust import HeldWords, find_principal, is_newcomer
from pbm.core.turns import require_writing
from pbm.core.updates import find_mailboxes, find_silenced
from pbm.core.view import find_thread
from pbm.features.talk.tables import chats
from pbm.rules.phrases import Listing, phrase
from pbm.store import reads
from pbm.store.reads import find_accounts, find_blocked, find_blockers
from pbm.store.tables import blocks, players, watchers
from pbm.store.transaction import Session


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


def _offer_text_below(call: Call) -> None:
    """Refuse a message on the line of its command, such as `message bob hello there`, with what a
    yes sends: one word alone may be a misspelt userid, or a password."""
    command = call.command
    names = list(takewhile(partial(find_player, call.session), command.words))
    text = " ".join(command.words[len(names) :])
    if command.text.strip() or not names or " " not in text:
        return
    raise Refusal(
        RefusalCode.TRAILING_TEXT,
        phrase("the text of a message stands below its line"),
        offer=Offer(" ".join([command.verb.name, *names]), text),
    )


def message(call: Call) -> list[Notice]:
    """Send the body to other players, once each; they see the userid but no address."""
    sender = call.me
    _offer_text_below(call)
    text, form = _require_text(call), f"message {sender.userid} PASSWORD USERID"
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
    most = call.config.limits.message_players
    if most and len(people) > most:
        raise Refusal(
            RefusalCode.LIMIT_REACHED,
            phrase(
                "a message can go to at most {most} players: send several",
                most=most,
            ),
            form,
        )
    names = Listing([player.userid for player in people])
    notices = [
        call.build_notice(player, Message(userid=player.userid, writer=sender.userid, text=text))
        for player in people
    ]
    return [call.answer(PassedOn(names=names, count=len(people), text=text)), *notices]


def broadcast(call: Call) -> list[Notice]:
    """Send the body to all players who want broadcasts."""
    sender, text = call.me, _require_text(call)
    people = [player for player in _find_recipients(call.session) if player.id != sender.id]
    people = [player for player in people if player.get_preference("broadcasts", "yes") == "yes"]
    notices = [
        call.build_notice(player, Broadcast(userid=player.userid, writer=sender.userid, text=text))
        for player in people
    ]
    return [
        call.answer(PassedOn(names=phrase("everybody"), count=len(people), text=text)),
        *notices,
    ]


def pass_on_message(context: Context, words: HeldWords) -> list[Notice]:
    """Return the notices of a released message."""
    return _pass_on(context, words, Message)


def pass_on_broadcast(context: Context, words: HeldWords) -> list[Notice]:
    """Return the notices of a released broadcast."""
    return _pass_on(context, words, Broadcast)


def _pass_on(
    context: Context, words: HeldWords, content: type[Message | Broadcast]
) -> list[Notice]:
    blockers = find_blockers(context.session, words.player)
    people = [get_player(context.session, number) for number in words.players]
    return [
        context.build_notice(
            player, content(userid=player.userid, writer=words.userid, text=words.text)
        )
        for player in people
        if player is not None and player.id not in blockers
    ]


def _find_recipients(session: Session) -> list[Player]:
    return [build_player(row) for row in reads.find_active_players(session)]


def chat(call: Call) -> list[Notice]:
    """Send the body, or the rest of the line, to the board's other players and watchers; a reply
    that does not begin with chat goes to the players only. It is stored for the players' pages."""
    board = call.load_board(lock=False)
    seat, text = board.find_seat(call.me), _require_text(call)
    _require_no_press(call, board, seat, text)
    if call.hold_at(board, "comment", text):
        return []
    at, watching = find_mailboxes(call.session, board)
    if call.command.implied:
        watching = {}
    silenced = find_silenced(call, board)
    notices, unheard = [], 0
    for player, addresses in {**watching, **at}.items():
        if player == call.me.id:
            continue
        if player in silenced:
            unheard += 1
            continue
        own = next((each for each in board.seats if each.is_held_by(player)), None)
        content = Chat(
            game=board.game.info.name,
            board=board.id,
            writer=_sign(seat),
            text=text,
            seated=own is not None,
            userid=own.userid if own is not None else "",
            implied=call.command.implied,
        )
        thread = find_thread(board, own.seat if own is not None else None)
        notices.append(Notice(content, tuple(addresses), player, thread))
    others = dict.fromkeys(s.userid for s in board.seats if s.player != seat.player)
    names = Listing(list(others) or [phrase("nobody else")])
    passed_on = PassedOn(
        game=board.game.info.name,
        board=board.id,
        names=names,
        text=text,
        count=len(notices) + unheard,
        watchers=_name_watchers(call, board) if watching else "",
        is_invited=board.state == "invited" and not seat.accepted,
    )
    row = {"board_id": board.id, "player_id": call.me.id, "text": text, "at": call.now}
    call.session.execute(insert(chats).values(row))
    # It belongs to the board's conversation, also where no mail says whom it answers.
    answer = replace(call.answer(passed_on), thread=find_thread(board, seat.seat))
    return [answer, *notices]


def _sign(seat: Seat) -> str:
    """Return the writer's name below a text: the userid, and that of the party that holds the
    seat."""
    if not seat.decides:
        return seat.userid
    return f"{seat.account} ({seat.userid})"


def pass_on_comment(context: Context, words: HeldWords) -> list[Notice]:
    """Return the notices of released words at a board, as chat: to its players who still accept
    words of the writer."""
    found = find_seated(context.session, words.about, words.player)
    if found is None:
        return []
    board, seat = found
    chat_row = {
        "board_id": board.id,
        "player_id": words.player,
        "text": words.text,
        "at": context.now,
    }
    context.session.execute(insert(chats).values(chat_row))
    blockers = find_blockers(context.session, words.player)
    addresses, _ = find_mailboxes(context.session, board)
    notices = []
    for player, mailboxes in addresses.items():
        is_unwilling = player in blockers and not board.has_agreed(player)
        own = next((each for each in board.seats if each.is_held_by(player)), None)
        if own is None or player == words.player or is_unwilling:
            continue
        content = Chat(
            game=board.game.info.name,
            board=board.id,
            writer=_sign(seat),
            text=words.text,
            seated=True,
            userid=own.userid,
        )
        thread = find_thread(board, own.seat)
        notices.append(Notice(content, tuple(mailboxes), player, thread))
    return notices


def kibitz(call: Call) -> list[Notice]:
    """Send the body, or the rest of the line, to all others who watch a board, and once its result
    is settled to its players. Refuse its players, with any account."""
    board, me, text = call.load_board(lock=False), call.me, _require_text(call)
    name = board.game.info.name
    seated = board.people
    if seated & find_accounts(call.session, me.id):
        raise board.make_refusal(
            RefusalCode.ALREADY_SEATED,
            phrase("you play on board {board}: write to the others with chat", board=board.id),
            f"{name} chat {board.id} {{user}} PASSWORD",
        )
    if not _is_watching(call, board, me):
        raise board.make_refusal(
            RefusalCode.NOT_SEATED,
            phrase("to write to those who watch board {board}, watch it too", board=board.id),
            f"{name} watch {board.id} {{user}} PASSWORD",
        )
    readers = _find_gallery(call, board, me.id)
    principal = find_principal(call.session, me.id, call.now)
    if principal is not None and is_newcomer(call.session, principal, call.now, call.config):
        if not readers:
            raise board.make_refusal(
                RefusalCode.NO_SUCH_PLAYER,
                phrase("nobody else watches board {board} yet", board=board.id),
            )
    else:
        _keep_kibitz(call, board, me.id, text)
    notices = _build_kibitz(call, board, me.userid, readers, text)
    names = Listing([each.userid for each in readers] or [phrase("nobody else")])
    passed_on = PassedOn(game=name, board=board.id, names=names, text=text, count=len(notices))
    return [replace(call.answer(passed_on), thread=find_thread(board, None)), *notices]


def pass_on_kibitz(context: Context, words: HeldWords) -> list[Notice]:
    """Return the notices of released words about a board, to those who may read them now."""
    board = load(context.session, words.about)
    readers = _find_gallery(context, board, words.player)
    _keep_kibitz(context, board, words.player, words.text)
    return _build_kibitz(context, board, words.userid, readers, words.text)


def _keep_kibitz(context: Context, board: Board, player: int, text: str) -> None:
    row = {"board_id": board.id, "player_id": player, "text": text, "at": context.now}
    context.session.execute(insert(chats).values({**row, "kibitz": True}))


def _find_gallery(context: Context, board: Board, writer: int) -> list[Player]:
    """Return the readers of a watcher's words: the other watchers who are no players with any
    account and, once the board's result is settled, its players. Those who block the writer are
    left out."""
    seated = board.people
    watching = [row.id for row in reads.find_watchers(context.session, board.id)]
    numbers = [each for each in watching if seated.isdisjoint(find_accounts(context.session, each))]
    if board.is_settled(context.now):
        numbers += sorted(seated)
    people = [get_player(context.session, number) for number in numbers]
    unmoved = {writer, *find_blockers(context.session, writer)}
    return [
        each
        for each in people
        if each is not None and each.is_active and not each.is_bot and each.id not in unmoved
    ]


def _build_kibitz(
    context: Context, board: Board, writer: str, readers: Sequence[Player], text: str
) -> list[Notice]:
    notices = []
    for reader in readers:
        own = next((each for each in board.seats if each.is_held_by(reader.id)), None)
        content = Kibitz(
            game=board.game.info.name,
            board=board.id,
            userid=reader.userid,
            writer=writer,
            text=text,
            seated=own is not None,
        )
        thread = find_thread(board, own.seat if own is not None else None)
        notices.append(replace(context.build_notice(reader, content), thread=thread))
    return notices


def _require_no_press(call: Call, board: Board, seat: Seat, text: str) -> None:
    """Refuse a text to all others in a game in which it may have been meant for one of them. A yes
    sends it to all only where chat was asked for, or all press is public."""
    require_writing(board)
    is_to_all = board.position.press == "public" or not call.command.implied
    name = board.game.info.name
    if board.position.press:
        raise board.make_refusal(
            RefusalCode.BAD_ARGUMENT,
            phrase(
                "this game has press in place of chat: say who is to read it, with the text in the "
                "body of the mail"
            ),
            f"{name} press {board.id} {seat.account} PASSWORD to {'all' if is_to_all else 'POWER'}",
            *([] if is_to_all else text.split("\n")),
        )


def _name_watchers(context: Context, board: Board) -> str:
    """Return the userids of watchers who do not play."""
    seated = board.people
    rows = reads.find_watchers(context.session, board.id)
    return Listing([row.userid for row in rows if row.id not in seated])


def watch(call: Call) -> list[Notice]:
    """Send the sender a board's mails as a watcher. Refuse its players, who get them anyway."""
    board, player = call.load_board(), call.me
    if player.id in board.people:
        raise board.make_refusal(
            RefusalCode.ALREADY_SEATED,
            phrase("you play on board {board} and get its mails anyway", board=board.id),
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


# Blocking: a player hears no more of another one, who is not told.


def block(call: Call) -> list[Notice]:
    """Block challenges, messages and offers from these players; without any, list the blocked ones.
    Refuse an unknown userid, the sender's own, and more than the limit."""
    people = _find_people(call)
    blocked = find_blocked(call.session, call.me.id)
    new = [player for player in people if player.id not in blocked]
    most = call.config.limits.blocked_players
    if most and len(blocked) + len(new) > most:
        raise Refusal(
            RefusalCode.LIMIT_REACHED,
            phrase(
                "you block {blocked} players; {most} is the limit",
                blocked=len(blocked),
                most=most,
            ),
            "unblock {user} PASSWORD USERID",
        )
    for player in new:
        call.session.execute(
            insert(blocks).values(player_id=call.me.id, blocked_id=player.id, at=call.now)
        )
    return [_list(call)]


def unblock(call: Call) -> list[Notice]:
    """End the blocks of these players. Refuse an unknown userid."""
    people = _find_people(call)
    if not people:
        raise Refusal(
            RefusalCode.MISSING_ARGUMENT,
            phrase("name the player"),
            "unblock {user} PASSWORD USERID",
        )
    numbers = [player.id for player in people]
    call.session.execute(
        delete(blocks).where(blocks.c.player_id == call.me.id, blocks.c.blocked_id.in_(numbers))
    )
    return [_list(call)]


def _find_people(call: Call) -> list[Player]:
    """Return the named players. Refuse an unknown userid, and the sender's own."""
    form = f"{call.command.verb.name} {{user}} PASSWORD USERID"
    people: list[Player] = []
    for word in call.command.words:
        player = find_player(call.session, word)
        if player is None:
            raise refuse_unknown_player(call, word, form)
        if player.id == call.me.id:
            raise Refusal(RefusalCode.BAD_ARGUMENT, phrase("you cannot block yourself"), form)
        if player not in people:
            people.append(player)
    return people


def _list(call: Call) -> Notice:
    names = find_blocked(call.session, call.me.id).values()
    return call.answer(Blocked(userid=call.me.userid, names=sorted(names)))


# Notices that pass on what somebody wrote, and help pages.


class Message(Words, frozen=True, kw_only=True):
    """A player's text to the reader."""

    held_as = "message"


class Broadcast(Words, frozen=True, kw_only=True):
    """A player's text to everybody."""

    attention = Kind.ANNOUNCEMENT
    stopped_by = "set broadcasts=no"
    held_as = "broadcast"


class Chat(BoardWords, frozen=True, kw_only=True):
    """A player's text at a board; the reader is `seated` there, or watches."""

    seated: bool
    implied: bool = False

    @property
    def answer(self) -> str:
        """That of a watcher; a player's reply is read at the board."""
        return "" if self.seated else f"{self.game} kibitz {self.board}"

    @property
    def attention(self) -> Kind:
        """A reply that names no command may have been written by a program."""
        return Kind.CHAT if self.implied else Kind.WORDS


class Kibitz(BoardWords, frozen=True, kw_only=True):
    """A watcher's text about a board; the reader watches, or was a player there (`seated`)."""

    held_as = "kibitz"

    seated: bool

    @property
    def answer(self) -> str:
        """That of a watcher; a player's reply is read at the board."""
        return "" if self.seated else f"{self.game} kibitz {self.board}"

    @property
    def held_about(self) -> int:
        """The board."""
        return self.board


class PassedOn(GameContent, frozen=True, kw_only=True):
    """Confirms that the reader's text was passed on: to whom, in how many mails. Those of `held`
    get it after a moderator's yes, or never if it is not `is_kept`. One who `is_invited` has not
    answered an invitation to that board."""

    is_brief = True

    game: str = ""
    board: int = 0
    names: str
    text: str
    count: int
    watchers: str = ""
    held: str = ""
    is_kept: bool = True
    is_invited: bool = False

    def tell_held(self, names: str, *, is_kept: bool) -> PassedOn:
        """Return the same content, naming those who have not got it yet."""
        return replace(self, held=names, is_kept=is_kept)


class Watching(GameContent, frozen=True, kw_only=True):
    """The reader now watches a board (`on`), or no longer does."""

    is_told_alone = True

    board: int
    userid: str
    on: bool


class AbuseReport(Content, frozen=True, kw_only=True):
    """Reports to the operator that `writer` complains of a player, with the board whose mail was
    answered, or 0, and that player's last texts there."""

    writer: str
    reported: str
    text: str
    board: int
    chats: Sequence[str]


class ReportPassedOn(Content, frozen=True, kw_only=True):
    """Confirms that the operator has the reader's report."""

    userid: str
    reported: str


class Blocked(AccountContent, frozen=True, kw_only=True):
    """The players whom the reader blocks."""

    names: Sequence[str]


# Chats and blocks of a player: listed, passed on and deleted.


def list_personal_data(session: Session, player: int) -> dict[str, object]:
    """Return what a player has written at boards, and whom the player blocks."""
    blocked = select(players.c.userid, blocks.c.at).where(
        blocks.c.blocked_id == players.c.id, blocks.c.player_id == player
    )
    return {
        "chats": list_own(session, player, chats, "board_id at text"),
        "blocked_players": read(session, blocked.order_by(players.c.name)),
    }


def pass_on_rows(act: OperatorAct, old: Player, new: Player) -> None:
    """Pass on chats and blocks, except blocks between the two accounts."""
    session = act.session
    pass_on(session, (chats,), old, new)
    pass_on_pairs(session, blocks, "player_id", "blocked_id", old, new)
    pass_on_pairs(session, blocks, "blocked_id", "player_id", old, new)
    session.execute(delete(blocks).where(blocks.c.player_id == blocks.c.blocked_id))


def erase_rows(context: Context, player: Player) -> None:
    """Delete the player's blocks. Others' blocks of the player go on, should the player come
    back."""
    delete_own(context.session, (blocks,), player.id)
