"""`press`: a text to some powers of a board, delivered there once and nowhere else."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence

from msgspec import Struct
from msgspec.structs import replace
from sqlalchemy import bindparam, delete, insert, select

from pbm.core import board as clocks
from pbm.core.board import Board
from pbm.core.call import Call
from pbm.core.context import Context
from pbm.core.feature import PreparedTurn
from pbm.core.log_view import format_time
from pbm.core.notices import BoardWords, GameContent, Notice
from pbm.core.operator import OperatorAct
from pbm.core.player import Player, get_player, list_own, pass_on
from pbm.core.refusal import Offer, RefusalCode
from pbm.core.seat import Seat
from pbm.core.storing import find_seated, find_title
from pbm.core.trust import HeldWords
from pbm.core.turns import require_running, require_writing
from pbm.core.updates import find_mailboxes, find_silenced
from pbm.core.view import find_thread
from pbm.features.press.letters import (
    Readers,
    find_address,
    find_readers,
    has_orders,
    leave_out_letter,
    list_letter,
    list_others,
    refuse_letter,
)
from pbm.features.press.tables import PressRow
from pbm.features.press.tables import press as press_table
from pbm.rules.phrases import Listing, combine, phrase
from pbm.store import reads
from pbm.store.reads import find_blockers
from pbm.store.rows import Query
from pbm.store.transaction import Session

_OFFICIAL = re.compile(r"(?:to )?(?:the )?(master|house)\W*")
"""Readers of press that are no powers."""


def press(call: Call) -> list[Notice]:
    """Send the body to the named powers; without either, list the sender's press."""
    board, text = _load(call)
    seat = board.find_seat(call.me)
    named = call.command.rest
    read = find_readers(board, seat, call.language, named)
    if not named and not text:
        return [_list_press(call, board, seat)]
    call.require_voice()
    official = _OFFICIAL.fullmatch(named.lower())
    if official is None or official[1] != "master":
        require_writing(board)
    is_question = official is not None and official[1] == "house" and board.position.teaches
    _require_writer(board, seat, text or ("?" if is_question else read.tail))
    if is_question:
        return [_ask_house(call, board, seat)]
    if official is not None and official[1] == "master":
        return _write_to_master(call, board, seat, text)
    readers = _require_readers(board, seat, read, text)
    is_signed = not read.is_unsigned
    _require_kind(call, board, read)
    people = [board.seats[each].player for each in readers if not board.seats[each].is_bot]
    names = Listing([board.position.seat_names[each] for each in readers])
    kind = "press" if is_signed else "unsigned press"
    if call.hold(kind, text, people, names, board.id):
        return []
    _keep(call, board, seat, readers, text, is_signed=is_signed)
    sent = PressSent(
        game=board.game.info.name,
        board=board.id,
        names=names,
        text=text,
        signed=is_signed,
        count=len({board.seats[each].player for each in readers}),
    )
    # It belongs to the board's conversation, also where no mail says whom it answers.
    answer = replace(call.answer(sent), thread=find_thread(board, seat.seat))
    silenced = find_silenced(call, board)
    return [answer, *_notify(call, board, seat, readers, text, silenced, is_signed=is_signed)]


def pass_on_press(context: Context, words: HeldWords) -> list[Notice]:
    """Return the notices of released press, to powers whose players still have them."""
    found = find_seated(context.session, words.about, words.player)
    if found is None:
        return []
    board, seat = found
    readers = [each.seat for each in board.seats if each.player in words.players]
    is_signed = words.kind == "press"
    _keep(context, board, seat, readers, words.text, is_signed=is_signed)
    blockers = find_blockers(context.session, words.player)
    silenced = {player for player in blockers if not board.has_agreed(player)}
    return _notify(context, board, seat, readers, words.text, silenced, is_signed=is_signed)


def pass_on_letter(context: Context, words: HeldWords) -> list[Notice]:
    """Return the notice of released words to the master of a board."""
    found = find_seated(context.session, words.about, words.player)
    if found is None:
        return []
    board, seat = found
    people = [get_player(context.session, number) for number in words.players]
    return [
        context.build_notice(each, _write_letter(board, seat, each, words.text))
        for each in people
        if each is not None
    ]


def _write_letter(board: Board, seat: Seat, master: Player, text: str) -> PressReceived:
    return PressReceived(
        game=board.game.info.name,
        board=board.id,
        userid=master.userid,
        writer=_sign(board, seat),
        names=phrase("the master"),
        word="",
        text=text,
        player="" if board.is_anonymous else seat.account,
    )


def _keep(
    context: Context,
    board: Board,
    seat: Seat,
    readers: Sequence[int],
    text: str,
    *,
    is_signed: bool,
) -> None:
    row = {
        "board_id": board.id,
        "player_id": seat.player,
        "seat": seat.seat,
        "readers": " ".join(f"{each}:{board.seats[each].player}" for each in readers),
        "unsigned": not is_signed,
        "ply": board.next_ply,
        "text": text,
        "at": context.now,
    }
    context.session.execute(insert(press_table).values(row))


def _write_to_master(call: Call, board: Board, seat: Seat, text: str) -> list[Notice]:
    """Pass a text on to the board's master only. Refuse where there is none, or one who blocks the
    sender."""
    row = reads.find_master(call.session, board.id)
    master = None if row is None else get_player(call.session, row.id)
    if master is None or not master.is_active or master.id in find_silenced(call, board):
        raise board.make_refusal(
            RefusalCode.BAD_ARGUMENT,
            phrase("board {board} has no master to write to", board=board.id),
            _form(board, seat),
        )
    if call.hold("letter", text, [master.id], phrase("the master"), board.id):
        return []
    received = _write_letter(board, seat, master, text)
    sent = PressSent(
        game=board.game.info.name,
        board=board.id,
        names=phrase("the master"),
        text=text,
        signed=True,
        count=1,
    )
    answer = replace(call.answer(sent), thread=find_thread(board, seat.seat))
    return [answer, call.build_notice(master, received)]


def _load(call: Call) -> tuple[Board, str]:
    """Return the board and the text. Lines of orders stay in it: powers tell each other what they
    will order. Refuse a game without press."""
    text, left = call.command.text.strip(), call.command.left
    board = call.load_board(lock=False)
    call.command = replace(call.command, text=text, left=left)
    if not board.position.press:
        name = board.game.info.name
        raise board.make_refusal(
            RefusalCode.BAD_ARGUMENT,
            phrase(
                "there is no press in {game}: chat writes to the others",
                game=find_title(board.game.info.name),
            ),
            f"{name} chat {board.id} {{user}} PASSWORD TEXT",
        )
    return board, text


def _form(board: Board, seat: Seat) -> str:
    reader = "all" if board.position.press == "public" else "POWER"
    return f"{board.game.info.name} press {board.id} {seat.account} PASSWORD to {reader}"


def _require_writer(board: Board, seat: Seat, text: str) -> None:
    """Refuse a board that has not begun, an eliminated power, and a missing text."""
    if board.state != "over":
        require_running(board, seat)
        if seat.seat not in board.position.playing:
            raise board.make_refusal(
                RefusalCode.HAS_LEFT,
                phrase(
                    "your power is out of the game on board {board}, and so is its press",
                    board=board.id,
                ),
            )
    if not text:
        raise board.make_refusal(
            RefusalCode.MISSING_ARGUMENT,
            phrase(
                "the text is missing: write it in the body of the mail, below the powers it is for"
            ),
            _form(board, seat),
        )


def _require_readers(board: Board, seat: Seat, read: Readers, text: str) -> list[int]:
    """Return the seats that a letter goes to. Refuse one whose readers are unclear, and one to the
    writer's own power or to an eliminated one. Nothing is sent then, and the refusal contains the
    text."""
    others = list_others(board, seat)
    for each in sorted(read.seats - others):
        own = board.seats[each].player == seat.player
        power = board.position.seat_names[each]
        raise board.make_refusal(
            RefusalCode.SENTENCE,
            phrase("{power} is your own power, and nothing was sent", power=power)
            if own
            else phrase("{power} is out of the game, and nothing was sent", power=power),
            *list_letter(board, seat, read, text.split("\n")),
        )
    if not read.seats and not read.unknown and not read.is_doubtful:
        raise board.make_refusal(
            RefusalCode.MISSING_ARGUMENT,
            phrase("say who is to read it: one power or several, or all"),
            *list_letter(board, seat, read, text.split("\n")),
        )
    if not read.is_clear:
        raise refuse_letter(board, seat, read, text.split("\n"), is_press=True)
    return sorted(read.seats)


def _require_kind(call: Call, board: Board, read: Readers) -> None:
    """Refuse press that the board's kind of press does not allow."""
    seat = board.find_seat(call.me)
    line = f"{board.game.info.name} press {board.id} {seat.account} PASSWORD to"
    if read.is_unsigned and board.position.press != "grey":
        raise board.make_refusal(
            RefusalCode.BAD_ARGUMENT,
            phrase(
                "press on board {board} is signed: grey press needs a board with -press=grey",
                board=board.id,
            ),
            _form(board, seat),
        )
    if board.position.press == "public" and not read.is_to_all:
        raise board.make_refusal(
            RefusalCode.BAD_ARGUMENT,
            phrase("press on board {board} is public: it goes to all or to nobody", board=board.id),
            f"{line} all",
        )


def _notify(
    context: Context,
    board: Board,
    seat: Seat,
    readers: Sequence[int],
    text: str,
    silenced: Collection[int],
    *,
    is_signed: bool,
) -> list[Notice]:
    """Return one notice to each reader, except those who block the writer."""
    names = board.position.seat_names
    listed = Listing([names[reader] for reader in readers])
    addresses, _ = find_mailboxes(context.session, board)
    reached = dict[int, Seat]()
    for reader in readers:
        for each in board.seats[reader].people:
            if each.is_active:
                reached.setdefault(each.player, board.seats[reader])
    notices = []
    for player, own in reached.items():
        if player in silenced:
            continue
        own.read_as(player)
        content = PressReceived(
            game=board.game.info.name,
            board=board.id,
            userid=own.account,
            writer=_sign(board, seat) if is_signed else "",
            names=listed,
            word=names[seat.seat].lower()
            if is_signed and board.position.press != "public"
            else "all",
            text=text,
        )
        thread = find_thread(board, own.seat)
        notices.append(Notice(content, tuple(addresses.get(player, ())), player, thread))
    return notices


def _sign(board: Board, seat: Seat) -> str:
    """Return the signature of a text: the power, and its player unless anonymous."""
    power = board.position.seat_names[seat.seat]
    if board.is_anonymous:
        return power
    return combine("{power} ({userid})", power=power, userid=seat.userid)


def _ask_house(call: Call, board: Board, seat: Seat) -> Notice:
    """On boards for learners, return the orders that a computer player would give for the sender's
    power."""
    orders = [
        board.position.describe(seat.seat, order, seat.seat)
        for order in board.position.advise(seat.seat)
        if seat.seat in board.position.to_move | board.position.may_revise
    ]
    head = phrase("The house would order")
    line = PressLine(clocks.format_time(call.now, seat.preferences), head, "\n".join(orders))
    content = PressList(
        game=board.game.info.name, board=board.id, lines=[line], userid=seat.account
    )
    return replace(call.answer(content), thread=find_thread(board, seat.seat))


def _list_press(call: Call, board: Board, seat: Seat) -> Notice:
    """List the press that the sender's seats have sent and received."""
    own = {each.seat for each in board.seats if each.player == seat.player}
    names = board.position.seat_names
    lines = []
    for row in find_press(call.session, board.id):
        readers = read_readers(row)
        is_sent = row.seat in own and row.player_id == seat.player
        if not is_sent and not any(readers.get(each) == seat.player for each in own):
            continue  # somebody else had the seat then
        to = Listing([names[reader] for reader in readers])
        head = phrase("{writer} to {readers}", writer=names[row.seat], readers=to)
        if is_sent:
            head = phrase("You to {readers}", readers=to)
        elif row.unsigned:
            head = phrase("Somebody to {readers}", readers=to)
        at = clocks.format_time(row.at, seat.preferences)
        others = () if row.unsigned else (row.seat,)
        lines.append(
            PressLine(at, head, row.text, row.ply, tuple(readers) if is_sent else others, is_sent)
        )
    content = PressList(game=board.game.info.name, board=board.id, lines=lines, userid=seat.account)
    return replace(call.answer(content), thread=find_thread(board, seat.seat))


# Rows of press: read, listed, passed on, deleted, and shown in the record of a settled board.

_OF_BOARD = Query(
    PressRow,
    select(*press_table.c)
    .where(press_table.c.board_id == bindparam("board"))
    .order_by(press_table.c.id),
)


def find_press(session: Session, board: int) -> Sequence[PressRow]:
    """Return all press of a board, oldest first."""
    return session.all(_OF_BOARD, {"board": board})


def read_readers(row: PressRow) -> dict[int, int]:
    """Return the seats that a text went to, each with its player at the time."""
    pairs = (pair.split(":") for pair in row.readers.split())
    return {int(seat): int(player) for seat, player in pairs}


# Replies to a letter.


def _require_no_answer(call: Call, board: Board, text: str) -> None:
    """Refuse words in reply to a letter: a yes sends them to its writer. They go to nobody unasked,
    as they may be a misspelt order."""
    number = call.command.sender.answers
    mail = reads.find_answered_mail(call.session, number, board.id, call.me.id)
    if mail is None or mail.content != "press_received" or not mail.answer:
        return
    raise board.make_refusal(
        RefusalCode.SENTENCE,
        phrase(
            "you answered a letter, and your first line is no order: nothing was sent, and nothing "
            "ordered"
        ),
        offer=Offer(mail.answer, text),
    )


def prepare_turn(call: Call, board: Board, seat: Seat, lines: Sequence[str]) -> PreparedTurn | None:
    """Return the lines above a letter in a turn. Refuse a turn that may be a letter as a whole, or
    the answer to one."""
    text = "\n".join(lines).strip()
    first = text.partition("\n")[0]
    is_words = board.position.press and find_address(board, seat, call.language, first) is None
    if is_words and not has_orders(board, seat, [first]):
        _require_no_answer(call, board, text)
    return leave_out_letter(call, board, seat, lines)


def answer_words(call: Call, line: str) -> None:
    """Refuse words in reply to a letter while there is nothing to order: a yes sends them."""
    if not call.command.sender.board:
        return
    board = call.load_board()
    if board.position.press:
        text = "\n".join(filter(None, (line, call.command.text)))
        _require_no_answer(call, board, text)


def describe_press(session: Session, board: Board) -> dict[str, object]:
    """Return the press of a board for its record: all of it once the result is settled, with
    unsigned texts without writer; nothing before, and never that of a cancelled board."""
    if not board.is_uncovered or board.state == "cancelled" or not board.position.press:
        return {}
    names = board.position.seat_names
    lines = [
        {
            "at": format_time(row.at),
            "ply": row.ply,
            "from": None if row.unsigned else names[row.seat],
            "to": [names[seat] for seat in read_readers(row)],
            "text": row.text,
        }
        for row in find_press(session, board.id)
    ]
    return {"press": lines} if lines else {}


def list_personal_data(session: Session, player: int) -> dict[str, object]:
    """Return the press that a player has written."""
    return {
        "press": list_own(session, player, press_table, "board_id seat readers unsigned text at")
    }


def pass_on_rows(act: OperatorAct, old: Player, new: Player) -> None:
    """Pass press on."""
    pass_on(act.session, (press_table,), old, new)


def erase_rows(context: Context, player: Player) -> None:
    """Delete the press that the player wrote."""
    context.session.execute(delete(press_table).where(press_table.c.player_id == player.id))


# Notices that pass press on, confirm it and list it.


class PressReceived(BoardWords, frozen=True, kw_only=True):
    """A text from one power to the reader's. `writer` is "" where it is unsigned, `names` are all
    powers that it went to, and `word` begins a reply to it; to a master, `player` wrote it."""

    names: str
    word: str
    player: str = ""

    @property
    def answer(self) -> str:
        """Press to its writer, or to all where all press is public; a message of a master to the
        player. None to who is not named."""
        if self.player:
            return f"message {self.player}"
        return f"press to {self.word}" if self.word and self.writer else ""


class PressSent(GameContent, frozen=True, kw_only=True):
    """Confirms that the reader's press went to these powers, `signed` or not."""

    is_told_alone = True

    board: int
    names: str
    text: str
    signed: bool
    count: int


class PressLine(Struct, frozen=True):
    """One text: its time, a line that says by whom and to whom, the text, the ply to be played
    then, and the other seats: the readers (`is_sent`), or the writer if it is signed."""

    at: str
    head: str
    text: str
    ply: int = 0
    seats: Sequence[int] = ()
    is_sent: bool = False


class PressList(GameContent, frozen=True, kw_only=True):
    """The press sent and received by the reader on a board, oldest first."""

    is_personal = True
    is_told_alone = True

    board: int
    lines: Sequence[PressLine]
    userid: str
