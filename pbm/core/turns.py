"""A seat's turn: what stands against a move, and playing one."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import partial
from typing import NamedTuple

from msgspec import structs

from pbm.config import Config
from pbm.core.board import Board
from pbm.core.call import Call
from pbm.core.context import Context
from pbm.core.feature import PreparedTurn, list_hooks
from pbm.core.intents import find_known, names_move
from pbm.core.links import has_secret
from pbm.core.notices import Notice
from pbm.core.parties import add_ballot, find_choice, may_move, refuse_member
from pbm.core.refusal import Offer, Refusal, RefusalCode, get_move_code
from pbm.core.seat import Seat
from pbm.core.storing import save
from pbm.core.talk import find_act, is_move, is_only_manners, is_settled, is_talk, split_move
from pbm.core.updates import Change, build_change, notify_changes
from pbm.locale.men import read_move
from pbm.rules import AmbiguousMove, InvalidMove, MoveError, Position
from pbm.rules.game import LATE
from pbm.rules.phrases import Phrase, combine, get_text, phrase
from pbm.rules.turn_text import require_no_question
from pbm.rules.typed import quoted
from pbm.rules.typed_moves import is_playable, require_no_number, respell
from pbm.store import reads


def require_running(board: Board, seat: Seat) -> None:
    """Refuse a board that is not being played."""
    if board.state == "invited":
        raise board.make_refusal(
            RefusalCode.NOT_STARTED,
            phrase("board {board} is waiting for its players to accept", board=board.id),
            build_line(board, seat, "accept"),
            build_line(board, seat, "decline"),
        )
    if board.is_over:
        again = (build_line(board, seat, "rematch"),) if board.state == "over" else ()
        raise board.make_refusal(
            RefusalCode.BOARD_OVER,
            phrase("board {board} is over", board=board.id),
            board.show_line,
            f"{build_line(board, seat, 'chat')} TEXT",
            *again,
        )


def require_under_way(board: Board) -> None:
    """Refuse whoever has no seat on it a board that is not being played."""
    if board.state != "running":
        raise board.make_refusal(
            RefusalCode.WRONG_STATE,
            phrase("board {board} is not running", board=board.id),
            board.show_line,
        )


def require_in_play(board: Board, seat: Seat, *send: str) -> None:
    """Refuse a seat that has left the game."""
    if seat.seat not in board.position.playing:
        raise board.make_refusal(
            RefusalCode.HAS_LEFT,
            phrase("you no longer play on board {board}", board=board.id),
            *send,
        )


def require_writing(board: Board) -> None:
    """Refuse a board whose powers write nothing to each other."""
    if board.position.press == "none":
        raise board.make_refusal(
            RefusalCode.BAD_ARGUMENT,
            phrase(
                "board {board} is played without press: its powers write nothing to each other",
                board=board.id,
            ),
            board.show_line,
        )


def list_acts(board: Board, seat: Seat) -> list[str]:
    """Return the verbs that a seat has a use for as the board stands: pages have a form for each,
    and mails name them."""
    if board.state == "invited":
        return [*(() if seat.accepted else ("accept",)), "decline", "chat"]
    if board.state != "running":
        return ["rematch", "chat"] if board.state == "over" else []
    position, press = board.position, board.position.press
    talk = [] if press == "none" else ["press" if press else "chat"]
    if seat.seat not in position.playing:
        return ["note", *talk]
    is_asked = any(seat.seat not in by for by in board.proposals.values())
    acts = ["accept", "reject"] if is_asked else []
    acts.append("move" if seat.seat in position.to_move else "queue")
    if position.takes_orders:
        acts += ["ready", "wait", *(["vote"] if press else [])]
    if not seat.moved:
        acts.append("decline")
    elif not position.takes_orders:  # where orders are replaced, not taken back
        acts.append("undo")
    return [*acts, "propose", "resign", "cancel", "plan", "note", *talk]


def offer_move(board: Board, text: str, offer: Offer) -> Refusal:
    """Return the refusal of a line that is more than a move, which a yes plays."""
    return board.make_refusal(RefusalCode.TRAILING_TEXT, text, shows=True, offer=offer)


def refuse_open_move(board: Board, offer: Offer) -> Refusal:
    """Return the refusal of a move below words that leave it in doubt, which a yes plays."""
    told = phrase("{move} can be played, but what stands above it leaves it open", move=offer.line)
    return offer_move(board, told, offer)


def may_be_played(call: Call, board: Board, seat: Seat, text: str) -> bool:
    """Whether a text can be played, or its writer is to be asked which move it is."""
    try:
        text = read_move(board.position, seat.seat, text, find_language(call.config, seat))
    except AmbiguousMove:
        return True
    has_begun = board.ply > board.turn_ply
    return is_playable(board.position, seat.seat, text, has_begun=has_begun)


def find_open_move(call: Call, board: Board) -> Offer | None:
    """Return the only playable move among the lines below a line, with all other lines; None if
    there is none, or several."""
    seat, command = board.find_seat(call.me), call.command
    if board.state != "running" or seat.seat not in board.position.to_move:
        return None
    lines = [line.strip() for line in command.text.split("\n")]
    moves = [line for line in lines if line and may_be_played(call, board, seat, line)]
    if len(moves) != 1 or board.position.takes_orders:
        return None
    others = [line for line in lines if line != moves[0]]
    return Offer(moves[0], "\n".join([command.line, *others]).strip())


def build_line(board: Board, seat: Seat, verb: str) -> str:
    return f"{board.game.info.name} {verb} {board.id} {seat.account} PASSWORD"


def require_turn(call: Call, board: Board, seat: Seat) -> None:
    """Refuse a move out of turn, for another move number, or in reply to an outdated mail."""
    require_running(board, seat)
    require_fresh(call, board, seat)
    if seat.seat not in board.position.to_move:
        who, written = board.join_userids(board.position.to_move), call.command.rest
        is_shown = 0 < len(written) <= _LONGEST_SHOWN and not has_secret(written)
        is_shown = is_shown and call.player is not None
        is_whole = is_move(board.position, written)
        head, rest = ("", "") if is_whole else split_move(board.position, written)
        move = (written if is_whole else head or "MOVE") if is_shown else "MOVE"
        is_said = is_whole or " " in written  # any other word may be a password
        is_said = is_said and is_shown and call.command.implied
        if is_said and names_move(written, find_known(board)):
            move = head or written
        said = written if is_said else "TEXT"
        text = "\n".join(filter(None, (rest, call.command.text)))
        offer = Offer(f"queue {move}", text) if is_said and move != "MOVE" else None
        raise board.make_refusal(
            RefusalCode.WRONG_TURN,
            phrase("it is {who}'s turn", who=who),
            f"{build_line(board, seat, 'queue')} {move}",
            f"{build_line(board, seat, 'chat')} {said}",
            shows=True,
            offer=offer,
        )


def refuse_missing_move(call: Call, board: Board) -> Refusal:
    """Return the refusal of a command that needs a move and has none."""
    return board.make_refusal(
        RefusalCode.MISSING_ARGUMENT, phrase("the move is missing"), call.command.form
    )


def require_fresh(call: Call, board: Board, seat: Seat) -> None:
    """Refuse an answer to a mail that shows an older position, unless userid and password came
    with it. Another seat's sealed move does not make it old."""
    token = call.command.sender.token
    if token is None or token.kind != "b" or token.number != board.id or call.command.user:
        return
    if call.undos == board.undos:
        if token.ply == board.next_ply:
            return
        if board.position.takes_orders and token.ply > board.turn_ply:
            return
        since = [
            entry for entry in reads.find_log(call.session, board.id) if entry.ply >= token.ply
        ]
        if token.ply > board.turn_ply and all(
            entry.kind != "move" or entry.seat != seat.seat for entry in since
        ):
            return
    raise board.make_refusal(
        RefusalCode.STALE, phrase("the board has changed since the mail you replied to"), shows=True
    )


def play_moves(call: Call, board: Board, seat: Seat, text: str) -> list[Notice]:
    """Play moves of a seat. Refuse what cannot be played, and what stands below them and cannot
    follow."""
    if board.position.takes_orders:
        return give_orders(call, board, seat, text)
    require_turn(call, board, seat)
    if not text:
        raise refuse_missing_move(call, board)
    comment, prepared, told = call.command.text, list[PreparedTurn](), list[Change]()
    try:
        text = read_move(board.position, seat.seat, text, find_language(call.config, seat))
        if not may_move(board, seat, call.me.id):
            told, comment = [_take_ballot(call, board, seat, text)], ""
            chosen = find_choice(board, seat, call.now)
            if chosen is None:
                save(call.session, board, call.now)
                return notify_changes(call, board, told)
            text = chosen.text
        else:
            prepared = _prepare(call, board, seat, (text,))
        problem = play_text(board, seat, text, comment, call.now)
    except MoveError as error:
        _require_no_resignation(board, seat, text)
        form = f"{board.game.info.name} move {board.id} {seat.account} PASSWORD MOVE"
        raise board.make_refusal(
            get_move_code(error), get_text(error), form, f"{board.game.info.name} help", shows=True
        ) from None
    for each in prepared:
        if each.keep is not None:
            each.keep(is_whole=not problem)
    save(call.session, board, call.now)
    played = build_change(
        board,
        None,
        actor=seat.seat,
        comment=comment,
        problem=problem,
        standin=board.standin if call.is_standin else "",
    )
    return notify_changes(call, board, follow_up(call, board, [*told, played]))


def _take_ballot(call: Call, board: Board, seat: Seat, text: str) -> Change:
    """Note what a member of a party proposes or votes for, respelled if need be."""
    require_no_number(board.position, seat.seat, text)
    try:
        return add_ballot(call, board, seat, text)
    except MoveError as error:
        return add_ballot(call, board, seat, respell_move(board, seat.seat, text, error))


def play_choice(context: Context, board: Board, seat: Seat) -> list[Notice]:
    """Play what a party has voted for once the time to vote is over; none where it goes on."""
    chosen = find_choice(board, seat, context.now)
    if chosen is None:
        return []
    seat.ballots = None
    board.begin_act()
    try:
        problem = play_text(board, seat, chosen.text, "", context.now)
    except MoveError:  # a new version of the game may read it otherwise
        save(context.session, board, context.now)
        lost = phrase(
            "{move}, for which you voted, cannot be played: vote again", move=chosen.words
        )
        told = build_change(board, lost, actor=seat.seat, private=True)
        return notify_changes(context, board, [told])
    save(context.session, board, context.now)
    played = build_change(board, None, actor=seat.seat, problem=problem)
    return notify_changes(context, board, follow_up(context, board, [played]))


def _prepare(call: Call, board: Board, seat: Seat, lines: Sequence[str]) -> list[PreparedTurn]:
    """Let features prepare a turn, each with the lines that the one before has left."""
    prepared = list[PreparedTurn]()
    for prepare in list_hooks(lambda each: each.prepares_turn):
        found = prepare(call, board, seat, prepared[-1].lines if prepared else lines)
        prepared += [found] if found is not None else []
    return prepared


def give_orders(
    call: Call, board: Board, seat: Seat, text: str, *, example: str = "ORDER"
) -> list[Notice]:
    """Take the orders of the line and of the lines below it, one by one. Refuse only if none can be
    taken, with a line to send that ends with the example, an order or a vote; otherwise only the
    writer reads which orders were refused."""
    require_running(board, seat)
    require_fresh(call, board, seat)
    if not may_move(board, seat, call.me.id):
        raise refuse_member(board, seat)
    position, name = board.position, board.game.info.name
    if seat.seat not in position.to_move | position.may_revise:
        raise board.make_refusal(
            RefusalCode.WRONG_TURN,
            phrase("you have nothing to order in this phase"),
            board.show_line,
            shows=True,
        )
    words = [line for line in call.command.left if line.lower().rstrip(".!") in _ORDER_WORDS]
    left = tuple(line for line in call.command.left if line not in words)
    call.command = structs.replace(call.command, left=left)
    below = call.command.text.split("\n")
    lines: Sequence[str] = [text, *below]
    prepared = _prepare(call, board, seat, lines)
    lines = prepared[-1].lines if prepared else lines
    refusals = [sentence for each in prepared for sentence in each.left_out]
    read = read_orders(position, seat.seat, [*lines, *words])
    _require_orders(call, board, seat, read)
    moves = [move for line in read for move in line.moves]
    refusals = [*(refusal for line in read for refusal in line.refusals), *refusals]
    refusals += [get_text(error) for error in board.play_orders(seat.seat, moves, call.now)]
    form = f"{name} move {board.id} {seat.account} PASSWORD {example}"
    if not board.entries:
        first = _join_refusals(refusals) if refusals else phrase("the orders are missing")
        code = RefusalCode.NOT_A_MOVE if refusals else RefusalCode.MISSING_ARGUMENT
        raise board.make_refusal(code, first, form, f"{name} help", shows=True)
    save(call.session, board, call.now)
    refused = [phrase("not taken: {refusal}", refusal=refusal) for refusal in refusals]
    given = build_change(board, None, actor=seat.seat, refused=refused)
    return notify_changes(call, board, follow_up(call, board, [given]))


def _require_orders(call: Call, board: Board, seat: Seat, read: Sequence[OrderLine]) -> None:
    """Refuse orders where the mail is not clearly meant as such: more of its lines are sentences, a
    sentence above them asks or doubts something, or its first line is another command. The answer
    has the orders, to be sent if they are meant."""
    orders = [line for line in read if line.moves]
    sentences = [line for line in read if not line.moves and _is_sentence(board, line.text)]
    long = [line for line in sentences if len(line.text.split()) >= _FEWEST_WORDS]
    above = read[: read.index(orders[0])] if orders else []
    is_other = bool(call.command.implied and call.command.line and above)
    is_doubtful = is_other or any(not is_settled(line.text) for line in above if line in sentences)
    if orders and (len(long) > len(orders) or is_doubtful):
        raise refuse_unclear_orders(call, board, seat, orders)


def refuse_unclear_orders(
    call: Call, board: Board, seat: Seat, read: Sequence[OrderLine]
) -> Refusal:
    """Return the refusal of orders that may be meant otherwise. In a reply, a yes gives them."""
    moves = dict.fromkeys(move for line in read for move in line.moves)
    first, *others = [board.position.describe(seat.seat, move, seat.seat) for move in moves]
    is_reply = call.command.implied
    return board.make_refusal(
        RefusalCode.SENTENCE,
        phrase(
            "it is not clear whether your mail is meant as orders, and nothing was ordered. If "
            "these are your orders, send them alone, without other lines"
        ),
        *(() if is_reply else (build_line(board, seat, "move"),)),
        *(first, *others),
        offer=Offer(first, "\n".join(others)) if is_reply else None,
    )


def _is_sentence(board: Board, line: str) -> bool:
    """Whether a line says something to somebody, and not only hello or thanks."""
    is_notation = partial(is_move, board.position)
    is_said = bool(find_act(line)) or is_talk(line, is_notation)
    return is_said and not is_only_manners(line)


def _join_refusals(refusals: Sequence[str]) -> str:
    """Return the refusals of orders as one; some are whole sentences."""
    first, *others = refusals
    for other in others:
        pattern = "{first} {other}" if first.endswith(".") else "{first}; {other}"
        first = combine(pattern, first=first, other=other)
    return first


def end_orders(context: Context, board: Board, late: Sequence[Seat], why: str = "") -> list[Notice]:
    """End the orders of these seats: what has none is as the rules say. `why` their turn is ended
    before their time is up, which is then no missed turn."""
    turn, ending = board.position.turn, board.position.ending if why else LATE
    board.begin_act()
    changes = [build_change(board, why)] if why else []
    for seat in late:
        if board.is_over or board.position.turn != turn:
            break
        board.begin_act()
        board.play_orders(seat.seat, [ending], context.now)
        save(context.session, board, context.now)
        told, own = (
            phrase("the orders of {player} were not complete", player=seat.userid),
            phrase("your orders were not complete"),
        )
        if not why:
            told, own = (
                phrase("the orders of {player} were not complete in time", player=seat.userid),
                phrase("your orders were not complete in time"),
            )
        changes.append(build_change(board, told, own=own, actor=seat.seat))
    return notify_changes(context, board, changes)


def follow_up(
    context: Context, board: Board, changes: list[Change], *, proposer: int | None = None
) -> list[Change]:
    """Let features do what follows from an act that has just been saved, and return all changes.
    `proposer` is the seat that has just proposed a draw."""
    for do in list_hooks(lambda each: each.on_moved):
        changes = do(context, board, changes, proposer)
    return changes


def _require_no_resignation(board: Board, seat: Seat, text: str) -> None:
    """Refuse a sentence such as "I resign" with the word that resigns."""
    if "resign" not in _WORDS.findall(text.lower()):
        return
    raise board.make_refusal(
        RefusalCode.TRAILING_TEXT,
        phrase("did you mean to resign? Then reply with the word resign alone on its line"),
        f"{board.game.info.name} resign {board.id} {seat.account} PASSWORD",
    )


_LONGEST_SHOWN = 60
_FEWEST_WORDS = 3
"""A line of fewer words that is no order may be how a mail ends."""
_ORDER_WORDS = ("ready", "wait")
_WORDS = re.compile("[a-z]+")


# Plays what players type.

_BETWEEN_ORDERS = re.compile("[;,]")
_BULLET = re.compile(r"^\s*(?:[-*>\u2022]+\s+|\d{1,2}[.)]\s*)")
_MOST_ORDERS = 80


def play_text(board: Board, seat: Seat, text: str, comment: str, now: float) -> str:
    """Play the text for a seat, respelled if need be; return "" or why the rest of it was dropped.
    Raise MoveError when nothing was played."""
    require_no_number(board.position, seat.seat, text)
    try:
        problem = board.play_text(seat.seat, text, comment, now)
    except MoveError as error:
        text = respell_move(board, seat.seat, text, error)
        problem = board.play_text(seat.seat, text, comment, now)
    return "" if problem is None else get_text(problem)


def find_language(config: Config, seat: Seat) -> str:
    """Return the language in which the player of a seat reads mails, and writes pieces."""
    return seat.preferences.get("language") or config.server.language


def respell_move(board: Board, seat: int, text: str, error: MoveError) -> str:
    """Return a text that the game refused, as the game reads it. Raise MoveError when it cannot be
    read, or not with certainty."""
    has_begun = board.ply > board.turn_ply
    return respell(board.position, seat, text, error, has_begun=has_begun)


def _say_hint_once(reason: str, hints: set[object]) -> str:
    """Return why an order is refused, without the hint that another refusal has given already."""
    hint = reason.values.get("hint") if isinstance(reason, Phrase) else None
    if hint is None:
        return reason
    if hint in hints and isinstance(reason, Phrase):
        fault = reason.values["fault"]
        return fault if isinstance(fault, str) else reason
    hints.add(hint)
    return reason


class OrderLine(NamedTuple):
    """A line of a mail with orders: those on it as they are recorded, and a sentence on each part
    that is none."""

    text: str
    moves: Sequence[str]
    refusals: Sequence[str]


def read_orders(position: Position, seat: int, lines: Iterable[str]) -> list[OrderLine]:
    """Return the orders in these lines, without empty lines. A line that ends with a colon is a
    heading, and holds none."""
    read, hints, count = list[OrderLine](), set[object](), 0
    for line in filter(str.strip, lines):
        moves, refusals = list[str](), list[str]()
        parts = _BETWEEN_ORDERS.split(_BULLET.sub("", line))
        if line.rstrip().endswith(":"):
            parts = []
            refusals.append(phrase("{line} is read as a heading", line=quoted(line.strip())))
        for text in filter(None, map(str.strip, parts)):
            count += 1
            if count > _MOST_ORDERS:
                break
            try:
                require_no_question(position, seat, text)
                move, rest = position.parse(text, seat)
                if rest:
                    raise InvalidMove(phrase("{order} is more than one order", order=quoted(text)))
                moves.append(move)
            except MoveError as error:
                refusals.append(_say_hint_once(get_text(error), hints))
        if count > _MOST_ORDERS:
            refusals.append(
                phrase(
                    "more than {most} orders in one mail: send the others again", most=_MOST_ORDERS
                )
            )
        read.append(OrderLine(line, moves, refusals))
        if count > _MOST_ORDERS:
            break
    return read
