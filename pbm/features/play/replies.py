"""Replies to a board's mail whose first line names no command: a move, or else words.

The line is tried as a move first. Otherwise it is understood where it can mean only one thing, or
refused with the lines to send; nothing that ends or settles something is guessed."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial

from msgspec.structs import replace

from pbm.core.authenticate import refuse_astray
from pbm.core.board import Board
from pbm.core.call import Call
from pbm.core.feature import Verb, list_hooks
from pbm.core.intents import find_known, names_move, read_agreement
from pbm.core.links import has_secret
from pbm.core.notices import Believed, Notice, ProgramAsked
from pbm.core.refusal import Offer, Refusal, RefusalCode
from pbm.core.seat import Seat
from pbm.core.talk import (
    find_act,
    is_denied,
    is_greeting,
    is_hesitant,
    is_move,
    is_only_manners,
    is_settled,
    is_talk,
    leaves_move_alone,
    may_mean_move,
    mentions_move,
    read_consent,
)
from pbm.core.trust import (
    CHAT,
    Writer,
    believe,
    end_rhythm,
    guess_writer,
    hold,
    take_absence,
    take_chats,
)
from pbm.core.turns import may_be_played, offer_move, refuse_open_move
from pbm.core.updates import add_remark
from pbm.core.view import find_thread
from pbm.core.words import find_misspelt_verb, get_verb
from pbm.features.play import moves, proposals
from pbm.features.play.described_moves import find_described
from pbm.locale.words import list_meanings, say_reply_word
from pbm.rules import Position
from pbm.rules.examples import begin
from pbm.rules.phrases import Listing, combine, phrase
from pbm.rules.typed import listing
from pbm.rules.typed_moves import ends_turn, is_playable
from pbm.store.reads import AnsweredMailRow, find_answered_mail, find_words_passed_on

_MOST_LINES = 40
_MARKS = ".!;:"
_ENDS = "?!.,;:)( "
"""What may follow a move in a question, or as a smiley."""
_AROUND = ",.;:!?\"'\u00a1\u00bf"
"""What may stand around a move in a sentence."""
_PAUSE = re.compile(r"[,.;:!\u2013\u2014]")
_DASHES = "-\u2013\u2014"
"""Besides a comma, what separates a move from words behind it."""
_MOST_OF_A_MOVE = 6
"""The most words of a move before a message."""
_MOST_BROKEN = 8
"""The most lines into which a mail program breaks a turn."""
"""The most moves among which one is looked for by the piece that makes it."""
_CLAUSE = re.compile(r"[,;.!] ")
_OF_MOVES = (RefusalCode.NOT_A_MOVE, RefusalCode.ILLEGAL_MOVE)
"""Refusals of a line that the game could not read, but for those that ask which move is meant."""
_TO_ACT = {
    "resign": phrase("did you mean to resign? Then reply with the word resign alone on its line"),
    "propose": phrase(
        "did you mean to offer a draw? Then reply with the word draw alone on its line"
    ),
    "accept": phrase("to answer an offer, reply with accept or reject alone on its line"),
    "reject": phrase("to answer an offer, reply with accept or reject alone on its line"),
    "undo": phrase(
        "did you mean to take back a move? Then reply with the word undo alone on its line"
    ),
    "cancel": phrase(
        "to end the game without a result, reply with the word cancel alone on its line"
    ),
    "rematch": phrase(
        "did you mean to play again? Then reply with the word rematch alone on its line"
    ),
}

_OFFERING = ("refused", "answered", "move_submitted")
"""The kinds of mails that may contain an offer."""
_ENDING = ("resign", "propose", "cancel")
_OFFERED = ("resign", "propose", "undo", "cancel", "rematch")


def reply(call: Call) -> list[Notice]:
    """Play the first line of a reply, or understand it as what people write to each other. Refuse
    what may be nearly a move or a command."""
    told = find_words_passed_on(call.session, call.command.sender.answers)
    is_to_side = told is not None and (told.player_id, told.answer) == (call.me.id, "confer")
    if is_to_side and call.command.sender.is_person:
        return _answer_own_side(call)
    _join_broken_turn(call)
    written = call.command
    try:
        played = moves.move(call)
        end_rhythm(call.session, call.me.id)
        return played
    except Refusal as refusal:
        if refusal.code is RefusalCode.SENTENCE:
            raise
        call.command = written
        if not written.sender.is_person:
            return _pass_on_notice(call, refusal)
        done = _understand(call, refusal)
        if done is None:
            call.command = replace(written, text=call.command.text, left=call.command.left)
            raise
        return done


def _answer_own_side(call: Call) -> list[Notice]:
    """Play the move that a reply to the own side begins with, and pass all other words on to that
    side alone."""
    command, played = call.command, list[Notice]()
    text = "\n".join(filter(None, (command.rest, command.text)))
    call.command = replace(command, text="")
    try:
        played, text = moves.move(call), command.text
    except Refusal:
        if not command.text and is_move(call.load_board().position, command.rest):
            raise
    if not text.strip():
        return played
    call.command = replace(command, words=(), rest="", text=text, line="confer")
    return [*played, *call.do_as("confer")]


def _join_broken_turn(call: Call) -> None:
    """Join a list of moves that a mail program has broken into lines: the lines that can be played
    together as one turn, if the first alone cannot, or ends in a comma."""
    command, lines = call.command, call.command.text.split("\n")[:_MOST_BROKEN]
    if "," not in command.rest or not lines[0].strip():
        return
    board = call.load_board()
    seat, position = board.find_seat(call.me).seat, board.position
    if call.below or board.state != "running" or seat not in position.to_move:
        return
    call.command = command  # with the moves that loading has taken out of the text
    fits = partial(is_playable, position, seat, has_begun=board.ply > board.turn_ply)
    if not command.rest.rstrip().endswith(",") and fits(command.rest):
        return
    for count in range(len(lines), 0, -1):
        turn = " ".join([command.rest, *lines[:count]])
        if all(line.strip() for line in lines[:count]) and fits(turn):
            used = {line.strip() for line in lines[:count]}
            below = command.text.split("\n")[count:]
            call.command = replace(
                command,
                words=tuple(turn.split()),
                rest=turn,
                text="\n".join(below).strip(),
                left=tuple(line for line in command.left if line not in used),
            )
            return


def _understand(call: Call, refusal: Refusal) -> list[Notice] | None:
    """Understand a line that could not be played; None where only a refusal is left."""
    line, below = call.command.rest, call.command.text
    board = call.load_board()
    if call.below:
        return None
    seat = board.find_seat(call.me)
    mail = find_answered_mail(call.session, call.command.sender.answers, board.id, call.me.id)
    is_chat = mail is not None and mail.content == "chat"
    if len(meanings := list_meanings(line.rstrip(".!"))) > 1:
        raise _ask_for_meaning(board, line, meanings) from refusal
    is_invited = board.state == "invited" and not seat.accepted
    consent = read_consent(line)
    if consent is None and is_invited:
        consent = read_agreement(line, find_known(board))
    if mail is not None and mail.content == "program_asked" and _denies(line):
        return _say_person(call, board)
    if consent is not None and _is_asked(board, seat):
        return _consent(call, board, seat, mail, consent=consent)
    if consent is not None and mail is not None and mail.content in _OFFERING:
        raise board.make_refusal(
            RefusalCode.NOTHING_PROPOSED,
            phrase("the mail that you answered offers nothing, or no more"),
        )
    if consent and (astray := refuse_astray(call, f"chat {line}")) is not None:
        raise astray from refusal
    if consent is None and _is_asked(board, seat):
        _offer_consent(board, line, below)
    is_on_move = board.state == "running" and seat.seat in board.position.to_move
    is_notation = partial(is_move, _position_to_read(board))
    is_text = not (is_notation(line) or ends_turn(line)) and is_talk(
        line, is_notation, is_over=board.is_over
    )
    if is_on_move and (is_text or is_greeting(line)):
        move = _find_only_move(call, board, seat, below.split("\n"))
        if move and is_settled(line):
            return _play_below(call, line, below, move)
        if move:
            raise _ask_about_move_below(call, board, line, below, move) from refusal
    if call.command.left:
        is_text = False
    is_tried = is_on_move and refusal.code in _OF_MOVES
    bare = line.rstrip(_ENDS)
    if is_tried and bare and bare != line and may_be_played(call, board, seat, bare):
        asked = phrase("did you mean the move {move}?", move=bare)
        raise offer_move(board, asked, Offer(bare, below)) from refusal
    if is_tried and (split := _split_move_from_text(call, board, seat, line.lstrip("¡¿"))):
        return _play_before_text(call, board, split, refusal)
    is_meant = is_tried and may_mean_move(line)
    known = find_known(board)
    is_named = names_move(line, known)  # `knight to f3` is no move of a pawn
    is_asked = is_meant and "?" in line and not is_named
    describes = partial(
        find_described,
        board.position,
        seat.seat,
        known=known,
        reads=partial(may_be_played, call, board, seat),
    )
    head, *rest = _CLAUSE.split(line, maxsplit=1)  # `the middle, and good luck!`
    found = describes(head) if is_meant and rest else []
    if found:
        below = "\n".join(filter(None, (*rest, below)))
    elif is_meant:
        found = describes(line)
    if not found and is_asked and (move := _find_move_within(call, board, seat, line)):
        found = [move]
    if found:
        raise _ask_which(board, found, below) from refusal
    for answer in list_hooks(lambda each: each.answers):
        if (answered := answer(call, line)) is not None:
            if call.command.verb.name != "chat":  # the words below it are named as not passed on
                call.command = replace(call.command, verb=get_verb("ask"))
            return answered
    meant = None if board.is_over else find_misspelt_verb(line)
    if meant is not None and (meant.name in _TO_ACT or (is_tried and meant.is_read_only)):
        raise _ask_about_verb(board, seat, meant, line, below) from refusal
    is_tried &= not is_named
    if is_tried and is_meant and (move := _find_move_within(call, board, seat, line)):
        asked = phrase("did you mean the move {move}?", move=move)
        raise offer_move(board, asked, Offer(move, below)) from refusal
    if is_text and not board.is_over and is_named:
        raise refusal
    waits = board.state in ("invited", "running") and not is_on_move
    if is_text and not board.position.press and is_private(call, board, seat):
        if seat.decides:
            raise _ask_for_side(board, seat, line, below) from refusal
        raise _offer_chat(board, seat, line, below) from refusal
    if is_text and (board.is_over or is_chat or waits):
        return pass_on(call, board, seat, line)
    verb = find_act(line)
    is_doable = verb not in ("accept", "reject") or _is_asked(board, seat)
    if not board.is_over and verb and is_doable:
        raise build_question(board, seat, verb, line, below) from refusal
    if is_text and is_on_move and board.position.press == "none":
        return None
    if is_text and is_on_move and board.position.press:
        raise _offer_press(board, seat, refusal) from refusal
    if is_text and is_on_move:
        raise _offer_chat(board, seat, line, below) from refusal
    is_sentence = is_tried and not board.position.takes_orders and _has_words(line, is_notation)
    if is_sentence and refusal.code is RefusalCode.NOT_A_MOVE:
        raise _offer_chat(board, seat, line, below, is_shown=False) from refusal
    return None


def _ask_for_meaning(board: Board, line: str, meanings: list[str]) -> Refusal:
    """Return the refusal of an ambiguous word, with its English meanings."""
    return board.make_refusal(
        RefusalCode.UNKNOWN_COMMAND,
        phrase(
            "{word} may mean {meanings}: reply with one of these words alone on its line",
            word=line.rstrip(".!"),
            meanings=Listing(meanings, "or"),
        ),
        *meanings,
    )


def _offer_chat(
    board: Board, seat: Seat, line: str, below: str, *, is_shown: bool = True
) -> Refusal:
    """Return the refusal of words to the others on the player's own turn, with the line that sends
    them; not of words that name a move, which nobody else is to read (`is_shown`)."""
    others = [each for each in board.seats if each.player != seat.player]
    names = listing(list(dict.fromkeys(each.userid for each in others)))
    is_shown &= is_only_manners(line) or " " in line.strip()  # any other word may be a password
    is_shown &= not has_secret(f"{line} {below}")
    return board.make_refusal(
        RefusalCode.SENTENCE,
        phrase(
            "nothing was played and nothing was passed on, as your first line is no move. To send "
            "it to {names}, reply with the word chat before it",
            names=names,
        ),
        *([] if is_shown else ["chat TEXT"]),
        shows=True,
        offer=Offer(f"chat {line}", below) if is_shown else None,
    )


def _ask_for_side(board: Board, seat: Seat, line: str, below: str) -> Refusal:
    """Return the refusal of words of somebody who holds a seat with others, which may be for them
    alone: a yes sends them there."""
    others = [each for each in board.seats if each.seat != seat.seat]
    names = listing(list(dict.fromkeys(each.userid for each in others)))
    return board.make_refusal(
        RefusalCode.SENTENCE,
        phrase(
            "that may be for your own side alone, and nothing was passed on. To send it to {names} "
            "too, reply with the word chat before it",
            names=names,
        ),
        offer=Offer("confer", "\n".join(filter(None, (line, below)))),
    )


def _offer_press(board: Board, seat: Seat, refusal: Refusal) -> Refusal:
    """Return the refusal of words that are no order, with the line that begins press. Nobody gets
    them: they may be for one power only, or a misspelt order."""
    name = board.game.info.name
    reader = "all" if board.position.press == "public" else "POWER"
    return board.make_refusal(
        RefusalCode.SENTENCE,
        combine(
            "{fault} {hint}",
            fault=refusal.text,
            hint=phrase(
                "To write to other powers, name them on the first line and put the text below it"
            ),
        ),
        f"{name} press {board.id} {seat.account} PASSWORD to {reader}",
        shows=True,
    )


def _split_move_from_text(
    call: Call, board: Board, seat: Seat, line: str
) -> tuple[str, str, bool] | None:
    """Split a line such as `e4, good luck` into its move, the words, and whether a mark separates
    them; None if it does not begin with a move."""
    is_notation = partial(is_move, board.position)
    words = line.split(" ")
    most = min(len(words) - 1, _MOST_OF_A_MOVE)
    heads = [" ".join(words[:size]) for size in range(most, 0, -1)]
    for head in (*heads, f"{line.partition(',')[0]},"):
        rest = line[len(head) :].lstrip()
        is_apart = head[-1:] in f",{_MARKS}{_DASHES}" or rest[:1] in _DASHES
        move, rest = head.rstrip(f",.;:! {_DASHES}"), rest.lstrip(f"{_DASHES} ")
        is_words = _is_message(rest, is_notation) or _has_words(rest, is_notation)
        if move and rest and is_words and may_be_played(call, board, seat, move):
            return head.rstrip(f", {_DASHES}"), rest, is_apart
    return None


def _play_before_text(
    call: Call, board: Board, split: tuple[str, str, bool], refusal: Refusal
) -> list[Notice]:
    """Play the move that a line begins with, and pass on the rest. Where the rest might change the
    meaning, or no mark separates it, nothing is played; a yes to the refusal does both."""
    move, rest, is_apart = split
    command, is_new = call.command, move[-1:] in _MARKS
    text = "\n".join(filter(None, (rest, command.text)))
    is_sure = (is_apart or is_only_manners(rest)) and mentions_move(move)
    is_sure &= is_talk(rest, partial(is_move, board.position)) and not mentions_move(rest)
    move = move.rstrip(_MARKS)
    if is_sure and leaves_move_alone(rest, is_new=is_new):
        call.command = replace(
            command, words=tuple(move.split()), rest=move, text=text, implied=False
        )
        return moves.move(call)
    told = phrase(
        "{move} can be played, but something follows it: put your message on the next line",
        move=move,
    )
    raise offer_move(board, told, Offer(move, text)) from refusal


def _find_move_within(call: Call, board: Board, seat: Seat, line: str) -> str:
    """Return the one move among the words of a line such as `put it at e4`; "" where there are
    several, or words that may be part of another."""
    is_notation, words = partial(is_move, board.position), line.split(" ")
    found = {
        move
        for word in words
        if (move := word.strip(_AROUND)) and (mentions_move(move) or ends_turn(move.lower()))
        if may_be_played(call, board, seat, move)
    }
    others = " ".join(word for word in words if word.strip(_AROUND) not in found)
    is_single = len(found) == 1 and _is_message(others, is_notation)
    return found.pop() if is_single else ""


def _ask_which(board: Board, found: list[str], below: str) -> Refusal:
    """Return the refusal of a line that describes one of these moves; a yes plays the only one."""
    if len(found) == 1:
        asked = phrase("did you mean the move {move}?", move=found[0])
        if has_secret(found[0]) and not has_secret(below):  # C2=5 only looks like a password
            return board.make_refusal(RefusalCode.TRAILING_TEXT, asked, found[0], shows=True)
        return offer_move(board, asked, Offer(found[0], below))
    asked = phrase("this could be {meant}: write one of them", meant=listing(found, "or"))
    return board.make_refusal(RefusalCode.AMBIGUOUS_MOVE, asked, shows=True)


def _is_message(text: str, is_notation: Callable[[str], bool]) -> bool:
    """Whether the words after a move are a message: no other move is among them."""
    if is_talk(text, is_notation):
        return True
    words = [word.strip(_AROUND) for word in text.split()]
    return not mentions_move(text) and all(
        word.isalpha() and (len(word) == 1 or not is_notation(word)) for word in words if word
    )


def _has_words(text: str, is_notation: Callable[[str], bool]) -> bool:
    """Whether a text that may name a move says more: "I prefer d4"."""
    words = [word.strip(_AROUND) for word in text.split()]
    return sum(word.isalpha() and len(word) > 1 and not is_notation(word) for word in words) > 1


def _position_to_read(board: Board) -> Position:
    """Return a position to read the board's notation: after the end, that of the first turn."""
    if board.position.to_move:
        return board.position
    return begin(board.game, len(board.seats), board.options)


def build_question(board: Board, seat: Seat, verb: str, line: str = "", below: str = "") -> Refusal:
    """Return the refusal of a sentence about an act, with the line that does it, which a yes sends.
    To a question, a doubt or a denial of an end, a yes does nothing. Asking for a draw counts as
    offering one."""
    word = "draw" if verb == "propose" else verb
    is_doubtful = is_denied(line) if verb == "propose" else is_hesitant(line)
    if line and is_doubtful and verb in _ENDING:
        return board.make_refusal(RefusalCode.TRAILING_TEXT, _TO_ACT[verb], shows=True)
    return board.make_refusal(
        RefusalCode.TRAILING_TEXT,
        _TO_ACT[verb],
        f"{board.game.info.name} {word} {board.id} {seat.account} PASSWORD",
        offer=Offer(word, below) if line and verb in _OFFERED else None,
    )


def _ask_about_verb(board: Board, seat: Seat, verb: Verb, line: str, below: str) -> Refusal:
    """Return the refusal of a word that is nearly a command, which a yes sends."""
    if verb.name in _TO_ACT:
        return build_question(board, seat, verb.name, line, below)
    return board.make_refusal(
        RefusalCode.UNKNOWN_COMMAND,
        phrase(
            "{problem}: did you mean {meant}?",
            problem=phrase("there is no such command"),
            meant=say_reply_word(verb.name),
        ),
        offer=Offer(verb.name, below),
    )


# Yes and no


def _is_asked(board: Board, seat: Seat) -> bool:
    """Whether an invitation or a proposal waits for the seat's player."""
    if board.state == "invited":
        return not seat.accepted
    if board.state != "running" or seat.seat not in board.position.playing:
        return False
    own = {each.seat for each in board.seats if each.player == seat.player}
    return any(not own & set(by) for by in board.proposals.values())


def _consent(
    call: Call, board: Board, seat: Seat, mail: AnsweredMailRow | None, *, consent: bool
) -> list[Notice]:
    """Accept or reject for a player who says yes or no. Refuse an answer to any but the last mail:
    its writer may not have read the question."""
    if mail is None or mail.content == "chat" or not mail.is_last:
        raise build_question(board, seat, "accept" if consent else "reject")
    verb = get_verb("accept" if consent else "reject")
    call.command = replace(call.command, verb=verb, words=(), rest="", implied=False)
    return proposals.accept(call) if consent else proposals.reject(call)


def _offer_consent(board: Board, line: str, below: str) -> None:
    """Refuse a yes or no with words behind it, such as `No, let's play on`. A yes to the refusal
    answers, and passes the words on."""
    head, _, rest = (_PAUSE.sub("\n", line, count=1)).partition("\n")
    consent, is_notation = read_consent(head), partial(is_move, _position_to_read(board))
    if consent is None or not is_talk(rest, is_notation) or (consent and not is_settled(rest)):
        return
    text = "\n".join(filter(None, (rest.strip(), below)))
    offer = Offer("accept" if consent else "reject", text)
    raise board.make_refusal(RefusalCode.TRAILING_TEXT, _TO_ACT["accept"], offer=offer)


# A move below a salutation


def _find_only_move(call: Call, board: Board, seat: Seat, lines: list[str]) -> str:
    """Return the only line that can be played; "" if there is none, or another line may be a move,
    a command or the writer's name, or words above the move leave it in doubt."""
    left = call.command.left
    own_lines = [line.strip() for line in lines if line.strip()]
    own_lines += [line for line in left if line not in own_lines]  # `pass` is a command, too
    meant = [line for line in own_lines[:_MOST_LINES] if is_move(board.position, line)]
    if len(meant) != 1 or len(own_lines) > _MOST_LINES or set(left) - {meant[0]}:
        return ""
    if meant[0] != own_lines[0] and _may_be_name(meant[0], seat):
        return ""
    if any(mentions_move(line) for line in own_lines if line != meant[0]):
        return ""
    if not all(map(is_settled, own_lines[: own_lines.index(meant[0])])):
        return ""
    return meant[0] if may_be_played(call, board, seat, meant[0]) else ""


def _may_be_name(line: str, seat: Seat) -> bool:
    """Whether a line of letters may be the player's signature: a word, or an initial. A word that
    passes or ends a turn is one only if it is the player's name."""
    word = line.strip(".!").lower()
    names = (seat.account, seat.preferences.get("name", ""))
    parts = {part.lower() for name in names for part in name.split()}
    initials = {part[:1] for part in parts}
    if ends_turn(word):
        return word in parts
    return word.isalpha() and (len(word) > 1 or word in initials)


def _ask_about_move_below(call: Call, board: Board, line: str, below: str, move: str) -> Refusal:
    """Return the refusal of a move below words that leave it in doubt; a yes plays it."""
    call.command = replace(call.command, left=())
    return refuse_open_move(board, Offer(move, _join_others(line, below, move)))


def _join_others(line: str, below: str, move: str) -> str:
    return "\n".join([line, *(each for each in below.split("\n") if each.strip() != move)]).strip()


def _play_below(call: Call, line: str, below: str, move: str) -> list[Notice]:
    """Play a line from below the greeting. The other lines become its comment, and the answer names
    the line played."""
    text = _join_others(line, below, move)
    call.command = replace(
        call.command, words=tuple(move.split()), rest=move, text=text, left=(), implied=False
    )
    remark = phrase("your line '{move}' was read as the move", move=move)
    return add_remark(moves.move(call), call.me.id, remark)


# Words to the others


def _denies(line: str) -> bool:
    """Whether a line says no, perhaps with more: "No, I am not"."""
    return read_consent(_PAUSE.split(line)[0]) is False


def _say_person(call: Call, board: Board) -> list[Notice]:
    """Take the sender for a person, and pass on the held words."""
    call.player = believe(call.session, call.me)
    texts = take_chats(call.session, call.me.id, board.id)
    if not texts:
        return [call.answer(Believed(userid=call.me.userid))]
    texts += [call.command.text] if call.command.text else []
    call.command = replace(call.command, text="\n\n".join(texts), words=(), implied=False)
    return call.do_as("chat")


def _pass_on_notice(call: Call, refusal: Refusal) -> list[Notice]:
    """Pass on a program's text, such as a notice of absence, for a player who is not to move: once
    a day, and without an answer to the program."""
    line, board = call.command.rest, call.load_board()
    seat, is_notation = board.find_seat(call.me), partial(is_move, _position_to_read(board))
    waits = board.state == "running" and seat.seat not in board.position.to_move
    if not waits or call.command.left or not is_talk(line, is_notation):
        raise refusal
    if not take_absence(call.session, call.me.id, board.id, call.now, call.config):
        raise refusal
    text = "\n".join(filter(None, (line, call.command.text)))
    call.command = replace(call.command, words=tuple(line.split()), text=text)
    return [notice for notice in call.do_as("chat") if not notice.is_answer]


def is_private(call: Call, board: Board, seat: Seat) -> bool:
    """Whether words in this reply may not be for the opponent: they answer what the server told
    their writer alone, or their writer holds the seat with others. After the end all may be
    told."""
    mail = find_answered_mail(call.session, call.command.sender.answers, board.id, call.me.id)
    answers_server = mail is not None and mail.answer == "ask"
    is_chat = mail is not None and mail.content == "chat"
    return not board.is_over and (answers_server or (bool(seat.decides) and not is_chat))


def pass_on(call: Call, board: Board, seat: Seat, line: str) -> list[Notice]:
    """Pass on a text as chat. One that a program seems to have written is held, and its player
    asked, because the program would answer again."""
    command = call.command
    text = "\n".join(filter(None, (line, command.text)))
    answered = command.sender.answers
    writer = guess_writer(call.session, call.me, call.now, call.config, answered, is_error=False)
    if writer is not Writer.PERSON:
        hold(call.session, call.me.id, CHAT, (), text, call.now, about=board.id)
        asked = ProgramAsked(
            game=board.game.info.name,
            board=board.id,
            text=text,
            was_asked=writer is Writer.ASKED,
        )
        return [replace(call.answer(asked), thread=find_thread(board, seat.seat))]
    call.command = replace(command, words=tuple(line.split()), text=text)
    return call.do_as("chat")
