"""The answer to a command that was refused: why, and what to send instead, with the sender's own
board and userid filled in. It repeats no word that may be a password."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from functools import cache, partial

from msgspec import structs
from sqlalchemy import bindparam, select

from pbm.core.authenticate import can_offer, find_proof, is_whole
from pbm.core.board import Board
from pbm.core.call import Call
from pbm.core.command import Command, Misread, NotACommand, get_misread
from pbm.core.context import Context
from pbm.core.feature import list_verbs
from pbm.core.links import has_secret, is_place_or_date, scrub
from pbm.core.log_view import BoardLog
from pbm.core.notices import Notice, Refused
from pbm.core.parser import read_reply_line
from pbm.core.player import Player, find_player, find_similar_player
from pbm.core.proofs import Act, Proof, is_worth
from pbm.core.refusal import Offer, Refusal, RefusalCode
from pbm.core.secrets import Token
from pbm.core.storing import build_board
from pbm.core.view import build_view, find_thread
from pbm.core.words import (
    FILTERS,
    find_game_name,
    find_verbs,
    get_verb,
    is_userid,
    is_verb,
    normalize_word,
    parse_board_number,
    trim_word,
)
from pbm.rules.examples import find_example
from pbm.rules.phrases import Phrase, change_values, phrase
from pbm.store import reads
from pbm.store.tables import boards, seats

_OF_PLAYER = (
    select(boards.c.id, boards.c.game)
    .join(seats, seats.c.board_id == boards.c.id)
    .where(seats.c.player_id == bindparam("player"), boards.c.state == "running")
    .distinct()
    .order_by(boards.c.id.desc())
    .limit(4)
)
"""The newest of a player's boards that are being played."""
_OWN_WORDS = (
    RefusalCode.WRONG_PASSWORD,
    RefusalCode.NOT_IDENTIFIED,
    RefusalCode.OTHER_ADDRESS,
)
"""Refusals that quote no word of the command."""
_BY_REPLY = (Proof.BOARD_ADDRESS, Proof.OFFER, Proof.PLAYER_ADDRESS)
_OPTION = re.compile(r"--?[a-z_]+=[0-9]{1,3}")
"""An option that cannot be anybody's password."""
_MOST_NUMBERS = 6
_ALWAYS_NUMBER = 999
"""Passwords have at least four characters, so no number up to this one can be a password."""


@cache
def _match_signed_line() -> re.Pattern[str]:
    """The pattern of a line that names a player and a password."""
    verbs = "|".join(sorted({re.escape(verb.name) for verb in list_verbs()}, key=len, reverse=True))
    return re.compile(
        rf"(?P<game>(?:GAME|[a-z][a-z0-9]*) (?={verbs}))?(?P<verb>{verbs})"
        r"(?P<about>(?: [^ ]+){0,2}?)"
        r" [a-z][a-z0-9_-]* PASSWORD(?P<rest>(?: .*)?)"
    )


def build_refusal(call: Call, refusal: Refusal) -> Notice:
    """Return the notice of a refusal, with the present position if the refusal asks for it."""
    me = call.player or (call.senders[0] if len(call.senders) == 1 else None)
    board = _find_board(call, refusal, me) if me is not None and not refusal.apart else None
    view = thread = None
    if board is not None and me is not None and (call.player is not None or refusal.shows):
        seat = board.find_seat(me).seat
        thread = find_thread(board, seat)
        if refusal.shows:
            # Without proof it is shown as a spectator sees it.
            view = build_view(board, seat if call.player else None, BoardLog(call, board))
            if view.on_move:
                view = structs.replace(view, example=find_example(board.position, seat))
    reason, is_proven = refusal.text, call.player is not None
    if refusal.code not in _OWN_WORDS:
        known = {word.lower() for word in call.command.words if is_userid(word)}
        known = {word for word in known if is_proven and find_player(call.session, word)}
        reason = _scrub(reason, call.command, refusal.brief, is_proven=is_proven, userids=known)
    lines = refusal.send
    if refusal.offer is not None and not lines and _has_secret(refusal.offer):
        lines = (refusal.offer.line,)  # without the text, in which it is
    if meant := _suggest(call, refusal):
        lines = (meant,)
        if "did you mean" not in reason:
            reason = phrase("{problem}: did you mean this?", problem=reason)
    send = [_fill_in(call, line, refusal, board, me) for line in lines]
    if board is None and me is not None and refusal.code is RefusalCode.MISSING_ARGUMENT:
        send = [filled for line in send for filled in _name_boards(call, line, me)]
    if refusal.code is RefusalCode.NO_SUCH_GAME and not meant:
        # The lines repeat words of the sender's.
        send = [scrub(line, call.command, "help", is_proven=is_proven) for line in send]
    proof = Proof.PLAYER_ADDRESS if refusal.apart else find_proof(call)[0]
    if proof in _BY_REPLY:
        here = board if thread is not None else None
        send = [_shorten(line, here, proof) for line in send]
        if view is not None and view.on_move and view.example:
            send = [line for line in send if line != "move MOVE"]
    offer = _find_offer(call, refusal, send)
    offered = {offer.line, *offer.text.splitlines()} if offer is not None else set()
    content = Refused(
        code=refusal.code,
        reason=reason,
        send=[line for line in send if line not in offered],
        verb=call.command.verb.name,
        game=board.game.info.name if board is not None else "",
        board=board.id if board is not None else 0,
        view=view,
        offer=offer,
        field=refusal.field,
    )
    about = call.command.sender.about if call.player is not None and thread is None else ""
    return Notice(content, is_answer=True, thread=thread, about=about)


def _find_offer(call: Call, refusal: Refusal, send: Sequence[str]) -> Offer | None:
    """Return what a yes to the refusal does: its offer, or the only line to send, if that is
    complete and can be undone; None for a reader who cannot answer by mail, or might be somebody
    else."""
    if not can_offer(call):
        return _offer_as_written(call, refusal)
    if refusal.offer is not None:
        return None if _has_secret(refusal.offer) else refusal.offer
    if len(send) != 1 or isinstance(send[0], Phrase) or not is_whole(send[0]):
        return None
    words = {word for line in send for word in line.lower().split()}
    if words <= {"help", "commands"} or ("help" in words and not isinstance(refusal, Misread)):
        # A page to read, not what was meant.
        return None
    is_same = refusal.apart and send[0] == call.command.line  # it came to the wrong address alone
    if not is_same and _loses_words(call.command, send[0]):
        return None
    is_final = any(
        verb.act is Act.ACCOUNT or (verb.is_final and not (is_same and verb.act is Act.EVENT))
        for verb in find_verbs(words)
    )
    return None if is_final else Offer(send[0], call.command.text)


def _offer_as_written(call: Call, refusal: Refusal) -> Offer | None:
    """Return the line as it was written, where nothing but userid and password is missing from it
    and From is the address of one player: a yes from there proves who says it. None where a word
    may be a password, or for what cannot be undone."""
    command, verb, senders = call.command, call.command.verb, call.senders
    if not isinstance(refusal, Misread) or refusal.code is not RefusalCode.MISSING_ARGUMENT:
        return None
    if command.sender.via != "mail" or command.sender.token is not None or len(senders) != 1:
        return None
    is_final = verb.is_final or verb.stands_alone or not verb.needs_password
    if is_final or not is_worth(Proof.PLAYER_ADDRESS, verb.act) or command.ply:
        return None
    words = [word for word in command.words if normalize_word(word) != senders[0].userid]
    line = " ".join(filter(None, (command.game, verb.name, *words)))
    if not all(_is_public(call, word) for word in words) or command.text:
        return None  # a text may be anybody's, and goes into no mail
    reply = structs.replace(command.sender, token=Token("u", senders[0].id, 0, 0, ""))
    try:
        read = read_reply_line(line, reply)
    except (NotACommand, Refusal):
        return None
    return Offer(line) if read.verb == verb else None


def _is_public(call: Call, word: str) -> bool:
    """Whether a word is known or of a shape that no password has."""
    if find_game_name(word) or is_verb(word) or _OPTION.fullmatch(word) or is_place_or_date(word):
        return True
    if word.isdecimal():
        return int(word) <= _ALWAYS_NUMBER
    return is_userid(word) and find_player(call.session, trim_word(word)) is not None


def _has_secret(offer: Offer) -> bool:
    return has_secret(f"{offer.line} {offer.text}")


def _loses_words(command: Command, line: str) -> bool:
    """Whether a line is the bare verb, though more was written, or was all that was written."""
    if line != command.verb.name:
        return False
    return not {*command.words} <= {*command.text.split()} or not (command.words or command.text)


def _scrub(
    text: str, command: Command, instead: str, *, is_proven: bool, userids: Collection[str]
) -> str:
    """Return the text without words that may be a password: still a phrase where they stand in
    what is filled in. What a phrase says whatever is filled in repeats no word of the sender's."""
    leave_out = partial(scrub, command=command, is_proven=is_proven, userids=userids)
    scrubbed = leave_out(text, instead=instead)
    if scrubbed in (text, instead):
        return text if scrubbed == text else instead
    changed = change_values(text, partial(leave_out, instead="..."))
    is_clean = leave_out(changed, instead="") == changed or (is_proven and not command.password)
    return changed if is_clean else scrubbed


def _suggest(call: Call, refusal: Refusal) -> str:
    """Return the line that was most likely meant, with nearly right userids put right; "" for none.
    No word is in it that may be a password."""
    if not isinstance(refusal, Misread) or refusal.suggest is None:
        return ""

    def repeat(word: str) -> str:
        is_ours = find_game_name(word) or is_verb(word) or word in ("{user}", *FILTERS)
        if is_ours or _OPTION.fullmatch(word):
            return word
        if word.isdecimal():
            return word if int(word) <= _ALWAYS_NUMBER else ""
        userid = trim_word(word)
        if find_player(call.session, userid) is not None:
            return userid
        near = find_similar_player(call.session, userid) if call.knows_sender else ""
        return near or (word if may_repeat(call, word) else "")

    return refusal.suggest(repeat)


def _shorten(line: str, board: Board | None, proof: Proof) -> str:
    """Return a line to send as a reply needs it: without userid and password where its address
    proves enough, and in the thread of a board without its game and number."""
    match = _match_signed_line().fullmatch(line)
    if match is None:
        return line
    game, verb, about, rest = match["game"] or "", match["verb"], match["about"], match["rest"]
    is_of_board = bool(about) and get_verb(verb).has_board
    if is_of_board and board is not None and about == f" {board.id}":
        return f"{verb}{rest}" if game.strip() in ("", board.game.info.name) else line
    if board is not None or (is_of_board and proof is not Proof.PLAYER_ADDRESS):
        return line
    if not is_worth(Proof.PLAYER_ADDRESS, get_verb(verb).act):
        return line
    return f"{game}{verb}{about}{rest}"


def _fill_in(
    context: Context, line: str, refusal: Refusal, board: Board | None, me: Player | None
) -> str:
    if "{" not in line and not line.startswith("GAME "):
        return line  # a phrase stays one
    number = board.id if board is not None else refusal.board
    line = line.replace("{board}", str(number) if number else "BOARD")
    line = line.replace("{user}", me.userid if me is not None else "USERID")
    if line.startswith("GAME ") and board is not None:
        line = f"{board.game.info.name}{line[4:]}"
    return line


def _find_board(call: Call, refusal: Refusal, me: Player) -> Board | None:
    """Return the board that is meant, if the player has a seat there: the refusal's, the command's,
    that of the mail that was answered, or a number in a line that could not be read; failing these,
    the player's only running board."""
    command = call.command
    is_unread = get_misread(refusal) is not None and "offer" not in command.verb.slots
    unread = command.words[:_MOST_NUMBERS] if is_unread else ()
    mentioned = [parse_board_number(word) for word in unread]
    numbers = [refusal.board, command.board, command.sender.board, *mentioned]
    for number in dict.fromkeys(number for number in numbers if number):
        board = _load_if_seated(call, number, me)
        if board is not None and (number == refusal.board or not _is_password(call, number)):
            return board
    if refusal.board or command.board or "{board}" not in command.form:
        return None
    query = _OF_PLAYER.where(boards.c.game == command.game) if command.game else _OF_PLAYER
    numbers = list(call.session.execute(query, {"player": me.id}).scalars())
    return _load_if_seated(call, numbers[0], me) if len(numbers) == 1 else None


def _name_boards(call: Call, line: str, me: Player) -> list[str]:
    """Return a line without the number of a board for each board of the player's that may be
    meant."""
    if "BOARD" not in line.split():
        return [line]
    game, named = call.command.game, []
    query = _OF_PLAYER.where(boards.c.game == game) if game else _OF_PLAYER
    for row in call.session.execute(query, {"player": me.id}).mappings():
        words = line.replace("BOARD", str(row["id"]))
        named.append(f"{row['game']} {words[5:]}" if words.startswith("GAME ") else words)
    return named or [line]


def _load_if_seated(context: Context, number: int, player: Player) -> Board | None:
    row = reads.find_board(context.session, number)
    if row is None or row.state == "sleeping":
        return None
    board = build_board(
        context.session, row, reads.find_seats(context.session, number), anyway=True
    )
    return board if player.id in board.people else None


def _is_password(call: Call, number: int) -> bool:
    """Whether the number is the password of the line, in the wrong place."""
    if number <= _ALWAYS_NUMBER or number == call.command.sender.board:
        return False
    return str(number) == call.command.password


# The player whose userid was nearly written right.

_NOBODY = phrase("there is no player with that userid")


def repeat_line(call: Call, words: Sequence[str]) -> str:
    """Return the line of the command with these words in place of all that stand behind it, as a
    reply needs it; "" where one of them may be a password."""
    command, verb, own = call.command, call.command.verb, call.own_userid
    for before, word in zip(("", *words), words, strict=False):
        is_plain = call.player is not None and not has_secret(word) and before.lower() != own
        if not (is_plain or _is_public(call, word)):
            return ""
    head = [command.game] if command.game else []
    number = [str(command.board)] if command.board else []
    return " ".join([*head, verb.name, *number, *words])


def correct_line(call: Call, wrong: str, right: str) -> str:
    """Return the line with one word replaced; "" when another word is no option, filter or userid,
    and so may be a password."""
    command = call.command
    words = [right if word.lower() == wrong.lower() else word for word in command.words]
    for word in words:
        is_known = word.startswith("-") or word.lower() in FILTERS
        if not is_known and find_player(call.session, word) is None:
            return ""
    game = [command.game] if command.game else []
    return " ".join([*game, command.verb.name, *words])


def may_repeat(call: Call, word: str) -> bool:
    """Whether an answer may say a word that is no userid: to whoever has proved to be a player, if
    it does not resemble a password."""
    return call.player is not None and not has_secret(word)


def refuse_unknown_player(
    call: Call,
    word: str,
    form: str,
    *others: str,
    problem: str = _NOBODY,
) -> Refusal:
    """Return the refusal of a userid that nobody has: with the player who may be meant, and the
    line `form` with that userid in place of USERID."""
    similar = find_similar_player(call.session, word) if call.knows_sender else ""
    if similar:
        return Refusal(
            RefusalCode.NO_SUCH_PLAYER,
            phrase("{problem}: did you mean {meant}?", problem=problem, meant=similar),
            form.replace("USERID", similar),
        )
    return Refusal(RefusalCode.NO_SUCH_PLAYER, problem, *(others or (form,)))
