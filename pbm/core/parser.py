"""The parser: one line of text to one `Command`, forgiving where that can do no harm.

It queries no database and never repeats a word that may be a password."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import NamedTuple

from msgspec.structs import replace

from pbm.core.command import (
    CLAIM,
    Command,
    Misread,
    NotACommand,
    Sender,
    Suggest,
)
from pbm.core.feature import Verb, list_verbs
from pbm.core.intents import (
    Intent,
    Occasion,
    find_wish,
    is_about_account,
    read_days,
    read_inquiry,
    wishes_for_time,
)
from pbm.core.proofs import Proof, is_worth
from pbm.core.refusal import Refusal, RefusalCode
from pbm.core.talk import find_question, find_verb_asked, is_courtesy, read_consent
from pbm.core.words import (
    SHORTEST_PASSWORD,
    find_game_name,
    find_meant_by,
    find_named_game,
    find_similar_game,
    find_unnamed,
    find_verbs,
    get_verb,
    is_userid,
    is_verb,
    join_game_title,
    list_first_words,
    list_last_words,
    list_two_words,
    map_words_to_verbs,
    normalize_keyword,
    normalize_word,
    parse_board_number,
    tidy,
    trim_word,
    trim_words,
    unwrap,
)
from pbm.locale.words import count_longest_name, is_typo_of, list_meanings, list_verb_words
from pbm.rules.game_info import VARIANTS
from pbm.rules.phrases import Listing, phrase

_is_exact = re.compile(r"\S+[=@]\S+|[0-9]+").fullmatch
_MESSAGE = re.compile(r"message ?: *(?=\S)", re.IGNORECASE)
"""It heads words to the opponent; a message to a player names that player."""


def read_line(line: str, sender: Sender, text: str = "") -> Command:
    """Parse a line. Raise NotACommand when it is none, Misread when it cannot be understood."""
    if (command := read_question(line, sender, text)) is not None:
        return command
    words = join_game_title(tidy(read_own_words(line, at_board=bool(sender.board))).split(" "))
    if not words[0]:
        raise NotACommand
    readable = Command(get_verb("help"), sender, words=tuple(words), text=text)
    try:
        game, word, ply, rest = split_head(words)
        readable = replace(readable, game=game, words=tuple(rest))
        verb, guessed = choose_verb(game, word, rest, sender)
        if not game and _names_game_later(verb, rest):
            problem = phrase("the name of the game comes first")
            raise Refusal(RefusalCode.MISSING_ARGUMENT, problem, verb.build_form())
    except Refusal as refusal:
        raise Misread(refusal, readable, _suggest(line)) from None
    command = Command(verb, sender, game=game, ply=ply, guessed=guessed, text=text)
    try:
        return _fill(command, rest)
    except Refusal as refusal:
        raise Misread(refusal, replace(command, words=tuple(rest))) from None


def _names_game_later(verb: Verb, rest: list[str]) -> bool:
    """Whether the name of the game, which stands before a verb or right behind it, is among the
    other words, where none of them is a password."""
    if verb.game != "yes" or verb.has_board or verb.needs_password:
        return False
    is_near = not verb.is_read_only  # else `show chesss` may be a player
    return any(find_game_name(word) or (is_near and find_similar_game(word)) for word in rest)


def suggest_line(line: str, sender: Sender) -> Misread | None:
    """Return the refusal of a line that is no command, with the likeliest command; None if there is
    none."""
    suggest = _suggest(line, is_free=True)
    if suggest is None:
        return None
    words = tuple(tidy(line).split(" "))
    refusal = Refusal(RefusalCode.UNKNOWN_COMMAND, phrase("this is not a command"))
    return Misread(refusal, Command(get_verb("help"), sender, words=words), suggest)


def _suggest(line: str, *, is_free: bool = False) -> Suggest | None:
    meant = find_meant(line, is_free=is_free)
    return meant.build if meant is not None else None


def read_question(line: str, sender: Sender, text: str = "") -> Command | None:
    """Return the command that a question in a player's own words asks for, if it is one."""
    for verb in list_verbs():
        if verb.asked:
            words = verb.asked(line, sender.event)
            if words is not None:
                return Command(verb, sender, words=words, text=text)
    return None


def read_reply_line(line: str, sender: Sender, text: str = "") -> Command:
    """Parse the first own line of a reply to one of the server's mails: a verb such as `resign`, a
    full command, or else a move."""
    if (command := read_question(line, sender, text)) is not None:
        return command
    line = read_own_words(line, at_board=bool(sender.board))
    if sender.board and (headed := _MESSAGE.match(line)):
        line = f"chat {line[headed.end() :]}"
    words = tidy(line).split(" ")
    if sender.board:
        if question := find_question(line):
            return Command(get_verb("help"), sender, words=(question,), text=text, implied=True)
        if verb := find_verb_asked(line):
            return Command(get_verb(verb), sender, text=text)
    if read_consent(line) is not None and sender.board:
        return _fill_moves(Command(get_verb("move"), sender, text=text, implied=True), words)
    if read_consent(line) is not None and sender.token is not None and sender.replies is None:
        return Command(get_verb("offer yes"), sender, words=tuple(words), rest=line, text=text)
    try:
        command = _read_in_reply(line, words, sender, text)
    except (NotACommand, Refusal) as error:
        if sender.board:
            raise
        if (wish := read_ask(line, sender, text)) is not None:
            return wish
        if len(words) > 1 or not sender.answers or isinstance(error, NotACommand):
            raise
        # `join`, `accept`: without a number it may answer what the mail offers.
        return Command(get_verb("offer yes"), sender, words=tuple(words), rest=line, text=text)
    if sender.event and not command.is_complete:
        return read_ask(line, sender, text) or command  # `standings`: of that event, not of a game
    return command


def read_ask(
    line: str, sender: Sender, text: str = "", *, is_first: bool = False
) -> Command | None:
    """Return the command that answers a wish in its writer's own words; None if the line certainly
    contains none. Any question counts on the first line of a reply (`is_first`); further down it
    may be a quote."""
    place = Occasion.EVENT if sender.event else Occasion.ACCOUNT
    may_ask = is_first and sender.token is not None and sender.is_person
    if find_wish(line, place)[0] is None and not (may_ask and read_inquiry(line, place)):
        return None
    words = tuple(tidy(line).split(" "))
    return Command(get_verb("ask"), sender, words=words, rest=tidy(line), text=text)


def _read_in_reply(line: str, words: list[str], sender: Sender, text: str) -> Command:
    """Parse a line of a reply that is no question."""
    if sender.board and (verb := find_unnamed(line)) is not None:
        return _fill_moves(Command(verb, sender, text=text), words)
    first = normalize_keyword(join_game_title(words)[0]).split("#")[0]
    is_wish = is_verb(first) and words[1:] and is_about_account(line, at_board=bool(sender.board))
    if is_wish or (is_verb(first) and _sets_up(first, line)):
        if not sender.board:
            raise NotACommand
        return _fill_moves(Command(get_verb("move"), sender, text=text, implied=True), words)
    is_talk = is_verb(first) and is_sentence(first, words[1:], line)
    if is_verb(first) and _takes_days(first) and len(words) > len(("time", "3")):
        days = read_days(" ".join(words[1:]))
        line = f"{first} {days}" if days else line
    if is_verb(first) and not is_talk:
        return replace(read_line(line, sender, text), line=tidy(line))
    if find_game_name(first) and not (sender.board and _only_names_game(line, sender)):
        return replace(read_line(line, sender, text), line=tidy(line))
    if (command := read_numbered(line, sender, text)) is not None:
        return command
    is_ply = sender.board and words[0].endswith(".")  # `1. e4 and now you`
    is_signed = parse_board_number(words[0]) > 0 and len(words) >= 4 and is_userid(words[1])
    if is_signed and not is_ply and not wishes_for_time(line):  # `3 more days please`
        return read_line(line, sender, text)
    if (replies := sender.replies) is not None and words[0]:
        return _fill_moves(Command(get_verb(replies.verb), sender, text=text, implied=True), words)
    if not sender.board or not words[0]:
        raise NotACommand
    try:
        require_game_name(words)
    except Refusal as refusal:
        readable = Command(get_verb("help"), sender, words=tuple(words), text=text)
        raise Misread(refusal, readable, _suggest(line)) from None
    return _fill_moves(Command(get_verb("move"), sender, text=text, implied=True), words)


def read_numbered(line: str, sender: Sender, text: str = "") -> Command | None:
    """Return the move of a line such as `18 d` in a reply to a list of boards or any other mail to
    a player: the number of a board stands before it; None for any other line."""
    words = tidy(line).split(" ")
    is_own = sender.token is not None and sender.token.kind == "u" and not sender.event
    if not is_own or len(words) < 2 or not parse_board_number(words[0]) or not words[0].isdecimal():
        return None
    return _fill(Command(get_verb("move"), sender, text=text), words)


def read_own_words(line: str, *, at_board: bool = False) -> str:
    """Return a line that begins with a command, or a game and a command, in another language with
    the English words; as help a line that begins with its word, if it names a game or has one word
    more: a sentence may begin so."""
    words = tidy(line).split(" ")
    first, rest = words[0], " ".join(words[1:])
    meanings = list_meanings(first.rstrip(".!?"))
    if not rest and meanings in (["games"], ["seeks"]):
        return meanings[0]
    if meanings == ["help"]:
        is_game = find_game_name("".join(words[1:])) or find_named_game(rest)
        is_page = len(words) < 3 or is_game or find_verbs([read_own_verb(rest)])
        return f"help {rest}".rstrip() if is_page else line
    for end in range(min(len(words) - 1, count_longest_name()), 0, -1):
        behind = _read_own_verb(words[end:], of_board=True)
        if behind != words[end:] and (game := find_named_game(" ".join(words[:end]))):
            return " ".join([game, *behind])
    read = _read_own_verb(words)
    is_short = len(words) < (2 if at_board else 4) or any(map(_is_exact, words[1:]))
    is_claim = not at_board and len(read) > len(CLAIM) and read[1].islower()
    is_claim = is_claim and any(verb.needs_password for verb in _list_verbs(read[0], []))
    is_certain = is_short or is_claim or " " in read[0]  # else a sentence may begin so
    return " ".join(read) if is_certain else line


def _read_own_verb(words: list[str], *, of_board: bool = False) -> list[str]:
    """Return words that begin with a verb of another language with its name, as one word; others as
    they are. `of_board`: behind the name of a game, words of a reply too, if a number or new
    follows."""
    for size in (3, 2, 1):
        text = " ".join(words[:size]).rstrip(".!:")
        behind = words[size] if of_board and len(words) > size else ""
        meanings = list_meanings(text) if parse_board_number(behind) or behind == "new" else []
        for name in list_verb_words(text) or (meanings if len(meanings) == 1 else []):
            second = normalize_keyword(words[size]) if len(words) > size else ""
            for word in {second, *list_verb_words(second)}:
                if (name, word) in list_two_words():
                    return [f"{name} {word}", *words[size + 1 :]]
            if is_verb(name) and not is_sentence(name, words[size:], " ".join(words)):
                return [name, *words[size:]]
    return words


def read_own_verb(text: str) -> str:
    """Return the English name of a command that has another in some language; itself for any other
    text."""
    return " ".join(_read_own_verb(text.split(" ")))


def _only_names_game(line: str, sender: Sender) -> bool:
    """Whether a line begins with the name of a game that neither a command follows nor the number
    of a board: many names are words that people say, or play."""
    if any(map(parse_board_number, line.split()[1:])):
        return False
    try:
        read_line(line, sender)
    except NotACommand:
        return True
    except Misread as misread:
        words = join_game_title(tidy(line).split(" "))
        second = normalize_keyword(words[1]) if len(words) > 1 else ""
        is_near = bool(second) and any(is_typo_of(second, word) for word in map_words_to_verbs())
        return misread.code is RefusalCode.UNKNOWN_COMMAND and not is_near
    return False


def is_sentence(word: str, rest: list[str], line: str) -> bool:
    """Whether a line that begins with a verb is talk: it has more words than the verb takes in a
    reply, or asks something. One that names a number or a game, or ends with off, is a command."""
    certain = rest[-1:] == ["off"] or any(char.isdigit() for each in rest for char in each)
    if not rest or certain or word == "forgot" or any(map(find_game_name, rest)):
        return False
    verbs = _list_verbs(word, rest)
    if any(_takes_any_words(verb) for verb in verbs):
        return False
    return line.rstrip().endswith("?") or all(_has_too_many(verb, rest) for verb in verbs)


def _sets_up(word: str, line: str) -> bool:
    """Whether a line that begins with the verb of preferences sets none and wishes for a game."""
    takes_values = any("=" in slot for verb in _list_verbs(word, []) for slot in verb.slots)
    wish = find_wish(line, Occasion.ACCOUNT)[0] if takes_values and "=" not in line else None
    return wish is not None and wish.intent is Intent.START


def _takes_days(word: str) -> bool:
    return any("days" in verb.slots for verb in map_words_to_verbs().get(word, ()))


def _list_verbs(word: str, rest: list[str]) -> tuple[Verb, ...]:
    two = f"{word} {normalize_keyword(rest[0])}" if rest else word
    named = map_words_to_verbs().get(word, ())
    others = [verb for verb in list_verbs() if verb.name.startswith(f"{word} ")]
    return (*named, *(verb for verb in others if verb.name == two))


def _takes_any_words(verb: Verb) -> bool:
    """Whether words of any kind may follow the verb: a text, moves, lines of its own, options, or
    what is refused because it does not stand alone."""
    is_text = verb.text == "text" or verb.has_message
    return is_text or verb.takes_lines or verb.options or verb.stands_alone


def _has_too_many(verb: Verb, rest: list[str]) -> bool:
    own = [slot for slot in verb.slots if slot not in ("board", *CLAIM)]
    if any(slot[-1] in "*+" for slot in own):
        return False
    most = len(own) + (0 if verb.needs_password else sum(slot in CLAIM for slot in verb.slots))
    has_claim = (
        verb.needs_password and len(rest) - most == len(CLAIM) and is_userid(rest[0].lower())
    )
    return len(rest) - (len(verb.name.split()) - 1) > most and not has_claim


def _fill(command: Command, rest: list[str]) -> Command:
    """Fill the command's slots from the words after the verb."""
    verb = command.verb
    if command.ply and not verb.takes_ply:
        raise Refusal(
            RefusalCode.BAD_ARGUMENT,
            phrase("{verb} takes no move number", verb=verb.name),
            command.form,
        )
    if verb.name == "preview" and rest and normalize_word(rest[0]) == "new":
        return replace(command, words=("new", *trim_words(rest[1:])))
    if verb.arranges:
        rest = verb.arranges(command, rest)
    if verb.has_board:
        command, rest = _fill_board(command, rest)
    for numbered in ("offer", "event"):
        if numbered in verb.slots:
            rest = _move_number_last(command, rest, numbered)
    if "user" in verb.slots:
        command, rest = _fill_user(command, rest)
    if verb.name == "forgot" and rest:
        text = phrase("forgot takes your userid and nothing else")
        raise Refusal(RefusalCode.TRAILING_TEXT, text, command.form.replace("USERID", "{user}"))
    if verb.has_message:
        message = "\n".join(part for part in (" ".join(rest), command.text) if part)
        return replace(command, text=message, words=tuple(rest))
    if verb.takes_lines:
        return _fill_moves(command, rest)
    if "new_password" in verb.slots:
        return replace(command, words=tuple(trim_word(word) or word for word in rest))
    if "userid+" in verb.slots and not verb.options:
        rest = [userid for word in rest for userid in word.split(",")]
    return replace(command, words=tuple(trim_words(rest)), rest=" ".join(rest))


def _move_number_last(command: Command, rest: list[str], what: str) -> list[str]:
    """Move the number of the offer or event behind userid and password. Refuse words without
    one."""
    if rest and parse_board_number(rest[0]):
        return [*rest[1:], rest[0]]
    if rest and parse_board_number(rest[-1]):
        return rest
    if what == "event" and rest and (command.sender.token or not command.verb.needs_password):
        return rest  # its name
    raise Refusal(
        RefusalCode.MISSING_ARGUMENT,
        phrase("the number of the offer is missing")
        if what == "offer"
        else phrase("the number of the event is missing"),
        command.form,
    )


def _fill_moves(command: Command, rest: list[str]) -> Command:
    """Fill in the moves, without the quotes and angle brackets around them, and the number behind
    the last one, for which they are meant: `e4#3`, `e4 #3`."""
    words = [unwrap(word) if word[:1] in "<\"'" else word for word in rest]
    verb = command.verb
    if words and "#" in words[-1] and verb.takes_ply and verb.has_moves and not command.ply:
        last, _, ply = words[-1].rpartition("#")
        if PLY.fullmatch(f"#{ply}"):
            words[-1:] = [last] if last else []
            command = replace(command, ply=int(ply))
    return replace(command, words=tuple(words), rest=unwrap(" ".join(words)))


def _fill_board(command: Command, rest: list[str]) -> tuple[Command, list[str]]:
    """Fill in the board: from the words, or the one whose mail was answered. Refuse when neither
    has one."""
    here = command.sender.board
    is_alone = len(rest) == 1 or (len(rest) > 1 and is_courtesy(" ".join(rest[1:])))
    if here and is_alone and "days" in command.verb.slots:
        return command, rest
    board = parse_board_number(rest[0]) if rest else 0
    if here and not command.game and board and board != here:
        return _fill_other_board(command, rest, board)
    if board:
        return replace(command, board=board), rest[1:]
    second = parse_board_number(rest[1]) if len(rest) > 2 else 0
    if second and command.verb.needs_password and here in (0, second):
        return replace(command, board=parse_board_number(rest[1])), [rest[0], *rest[2:]]
    if here:
        return command, rest
    raise Refusal(
        RefusalCode.MISSING_ARGUMENT, phrase("the number of the board is missing"), command.form
    )


def _fill_other_board(command: Command, rest: list[str], board: int) -> tuple[Command, list[str]]:
    """Read a number that is not the board whose mail was answered: a move number, part of a text or
    move, or another board. Refuse another board without userid and password."""
    verb, here = command.verb, command.sender.board
    has_claim = len(rest) > 2 + verb.has_moves and is_userid(rest[1]) and rest[1].lower() != "if"
    if verb.takes_ply and len(rest) > 1 and PLY.fullmatch(rest[0]) and not has_claim:
        return replace(command, ply=board), rest[1:]
    is_path = len(rest) == 3 and rest[2].isdecimal() and not rest[1].isdecimal()  # 11 to 15
    if verb.has_message or (verb.has_moves and (len(rest) == 1 or is_path)):
        return command, rest
    if has_claim or not verb.needs_password:
        return replace(command, board=board), rest[1:]
    raise Refusal(
        RefusalCode.WRONG_BOARD,
        phrase(
            "you replied to a mail about board {board}: another board needs userid and password",
            board=here,
        ),
        command.form,
    )


def _fill_user(command: Command, rest: list[str]) -> tuple[Command, list[str]]:
    """Fill in userid and password. A reply may omit them, except to change the account or act on
    another board; `apply_claim`, which knows the sender, reads those that a reply has."""
    verb, sender = command.verb, command.sender
    elsewhere = sender.board and command.board not in (0, sender.board) and not command.game
    if (
        verb.needs_password
        and sender.token is not None
        and is_worth(Proof.PLAYER_ADDRESS, verb.act)
        and not elsewhere
    ):
        return command, rest
    wanted = 1 if sender.operator or not verb.needs_password else 2
    if "new_password" in verb.slots and not verb.needs_password:
        wanted = 2
    if len(rest) < wanted:
        raise Refusal(
            RefusalCode.MISSING_ARGUMENT,
            phrase("the password is missing") if rest else phrase("the userid is missing"),
            command.form,
        )
    user = trim_word(rest[0])
    if verb.needs_password and not sender.operator:
        return replace(command, user=user, password=rest[1]), rest[2:]
    return replace(command, user=user), rest[1:]


_OPTION = re.compile(r"--?[a-z_]+=")


def apply_claim(
    command: Command, is_own: Callable[[str], bool], is_player: Callable[[str], bool]
) -> Command:
    """Apply a userid and password given where they may be omitted. In a reply a password follows
    the sender's own userid, unless an option or a word too short for one does, or any player's
    behind a board number; in a preview both are ignored. A line that names no verb claims nothing.
    `is_own` and `is_player` say whether a word is the sender's or any player's userid."""
    words, verb = command.words, command.verb
    if command.implied or not (verb.needs_password or verb.ignores_claim):
        return command
    if verb.has_message and len(words) > 2 and parse_board_number(words[0]) and not command.board:
        elsewhere = replace(command, board=parse_board_number(words[0]), words=words[1:])
        claimed = apply_claim(elsewhere, is_own, is_player)
        return claimed if claimed.user else command
    claims = is_player if command.board and not verb.has_message else is_own
    if command.user or len(words) < 2 or not claims(normalize_word(words[0])):
        return command
    if verb.name == "message" and is_player(normalize_word(words[1])):
        return command
    has_password = len(words[1]) >= SHORTEST_PASSWORD and not _OPTION.match(words[1])
    if verb.has_message and not has_password:
        return command  # "bob is happy"
    rest = words[1 + has_password :]
    unclaimed = replace(command, words=rest, rest=" ".join(rest))
    if verb.has_message:
        inline, _, below = command.text.partition("\n")
        parts = [" ".join(rest), below if inline.endswith(" ".join(words)) else command.text]
        unclaimed = replace(unclaimed, text="\n".join(part for part in parts if part))
    if not (verb.needs_password and has_password):
        return unclaimed
    return replace(unclaimed, user=trim_word(words[0]), password=words[1])


# The head of a line: which game it names, if any, and which verb, misspelt ones included.

PLY = re.compile(r"#([0-9]{1,6})")
"""A move number that stands alone."""
_VERB_PLY = re.compile(r"([a-z]+)#([0-9]{1,6})")
_NO_GAME = phrase("there is no game with that name")
_SHORTEST_TYPO = 4
_SHORTEST_TYPO_WITH_CONTEXT = 3
"""Shorter words count as misspelt verbs only after a game or before a board number."""


def split_head(words: list[str]) -> tuple[str, str, int, list[str]]:
    """Split a line into (game, verb word, ply, remaining words). Game and verb may stand in either
    order or be missing, and a leading board number means a move."""
    first = normalize_keyword(words[0])
    second = normalize_keyword(words[1]) if len(words) > 1 else ""
    two = _match_two_words(first, second, len(words))
    if two:
        return "", two, 0, words[2:]
    if first == "event" and parse_board_number(second):
        return "", "event show", 0, words[1:]
    if parse_board_number(words[0]):
        if len(words) < 3 or not is_userid(words[1]):
            raise NotACommand
        return "", "move", 0, words
    game = find_game_name(first)
    if game:
        third = normalize_keyword(words[2]) if len(words) > 2 else ""
        if (second, third) in list_two_words() and get_verb(f"{second} {third}").game != "no":
            return game, f"{second} {third}", 0, words[3:]
        if parse_board_number(second):
            if len(words) < 3:
                raise Refusal(
                    RefusalCode.MISSING_ARGUMENT, phrase("the command is missing"), "help"
                )
            if _read_ply(third, [])[0] in map_words_to_verbs():
                problem = phrase("{verb} comes before the number", verb=third)
                raise Refusal(RefusalCode.UNKNOWN_COMMAND, problem, "help commands")
            return game, "move", 0, words[1:]
        return game, *_read_ply(second, words[2:])
    word, ply, rest = _read_ply(first, words[1:])
    if word == "games" and rest and normalize_keyword(rest[0]) in VARIANTS:
        return "", word, ply, rest  # its variants; `chess games` are boards
    likely = _find_likely_verbs(word)
    if any(verb.game == "yes" or verb.name == "rating" for verb in likely):
        words = join_game_title(rest)
        is_text = any(verb.has_message for verb in likely)  # `chat chess is fun`
        is_text = is_text and not (len(words) > 1 and parse_board_number(words[1]))
        if words and find_game_name(words[0]) and not is_text:
            return find_game_name(words[0]), *_read_ply(word, words[1:], ply)
    return "", word, ply, rest


def _find_likely_verbs(word: str) -> list[Verb]:
    """Return the verbs that a word names, or those it is a typo of."""
    verbs = map_words_to_verbs()
    words = [word] if word in verbs else [each for each in verbs if is_typo_of(word, each)]
    return [verb for each in words for verb in verbs[each]]


def _match_two_words(first: str, second: str, count: int) -> str:
    """Return the two-word verb at the head of the line, its words in either order; "" for none."""
    if (first, second) in list_two_words():
        return f"{first} {second}"
    if (second, first) in list_two_words() and count > 2:
        return f"{second} {first}"
    if first not in list_first_words() and second not in list_last_words():
        return ""
    near = [
        " ".join(two)
        for two in list_two_words()
        if (second == two[1] and is_typo_of(first, two[0]))
        or (first == two[0] and is_typo_of(second, two[1]))
    ]
    return f"{first} {second}" if len(near) == 1 and count > 2 else ""


def _read_ply(word: str, rest: list[str], ply: int = 0) -> tuple[str, int, list[str]]:
    """Read the ply in `move#5`, or in `move #5` when a board number follows: (verb word, ply,
    remaining words)."""
    match = _VERB_PLY.fullmatch(word) if "#" in word else None
    if match:
        return match[1], int(match[2]), rest
    is_ply = len(rest) > 1 and rest[0][:1] == "#" and PLY.fullmatch(rest[0])
    if is_ply and parse_board_number(rest[1]):
        return word, int(rest[0][1:]), rest[1:]
    return word, ply, rest


def choose_verb(game: str, word: str, rest: list[str], sender: Sender) -> tuple[Verb, bool]:
    """Return the verb that the word names, and whether it had to be guessed. Verbs that cannot be
    undone or need no password are never guessed, unless they are read-only."""
    matches = _match_verbs(game, word, rest, sender)
    if matches:
        return matches[0], False
    if not game:
        require_game_name([word, *rest])
    is_sure = game or any(map(parse_board_number, rest[:2]))
    shortest = _SHORTEST_TYPO_WITH_CONTEXT if is_sure else _SHORTEST_TYPO
    near = {
        verb.name: verb
        for verb_word in map_words_to_verbs()
        if len(word) >= shortest and is_typo_of(word, verb_word) and not find_meant_by(word)
        for verb in _match_verbs(game, verb_word, rest, sender)[:1]
    }
    if len(near) == 1:
        (verb,) = near.values()
        fits = is_sure or (len(rest) <= 1 if verb.is_read_only else not verb.has_board)
        if fits and (verb.is_read_only or (verb.needs_password and not verb.is_final)):
            return verb, True
    looks_right = game or any(
        is_userid(trim_word(rest[0])) if not verb.has_board else parse_board_number(rest[0])
        for verb in near.values()
        if len(rest) > 1 and not verb.is_read_only
    )
    if not looks_right:
        raise NotACommand
    problem = (
        phrase("{game} has no such command", game=game)
        if game
        else phrase("there is no such command")
    )
    if near:
        meant = Listing(sorted(near), "or")
        raise Refusal(
            RefusalCode.UNKNOWN_COMMAND,
            phrase("{problem}: did you mean {meant}?", problem=problem, meant=meant),
            *(near[each].build_form(game or "GAME") for each in sorted(near)),
        )
    raise Refusal(
        RefusalCode.UNKNOWN_COMMAND,
        problem,
        *(get_verb(each).build_form(game) for each in ("challenge", "move", "show", "help")),
    )


def require_game_name(words: list[str]) -> None:
    """Refuse a line that begins with a misspelt name of a game, with the line to send."""
    for size in (1, 2):
        verb_word = normalize_keyword(words[size]) if len(words) > size else ""
        verbs = [verb for verb in map_words_to_verbs().get(verb_word, ()) if verb.game == "yes"]
        name = find_similar_game("".join(words[:size])) if verbs else ""
        if name:
            words_after = " ".join([name, verb_word, *words[size + 1 :]])
            is_short = verbs[0].needs_password or not words[size + 1 :]
            raise Refusal(
                RefusalCode.NO_SUCH_GAME,
                phrase("{problem}: did you mean {meant}?", problem=_NO_GAME, meant=name),
                verbs[0].build_form(name) if is_short else words_after,
            )


def _match_verbs(game: str, word: str, rest: list[str], sender: Sender) -> list[Verb]:
    """Return the verbs that a word names, likeliest first: a board number or a reply to a board's
    mail favours the verb that takes a board."""
    verbs = map_words_to_verbs().get(word, ())
    if game:
        return [verb for verb in verbs if verb.game != "no"]
    seated = bool(parse_board_number(rest[0])) if rest else bool(sender.board)
    return sorted(verbs, key=lambda verb: verb.has_board is not (seated and len(verbs) > 1))


# The command that a line most likely means whose words are in another order, or which misspells
# the game or leaves out the verb. It is only ever suggested, never done.
#
# It queries no database: which of the sender's words may be repeated is its caller's to say.

_MOST_WORDS = 12
_MOST_FREE = 4
"""A line with more words beside game, verb, number and options is a sentence."""
_FILLING = ("a", "an", "the", "new", "with", "against", "versus", "vs", "of", "for", "me", "please")


class Meant(NamedTuple):
    """A command as it was most likely meant.

    board   0 where the line has no number
    words   the sender's own words: userids, options, moves
    """

    verb: Verb
    game: str
    board: int
    words: tuple[str, ...]

    def build(self, repeat: Callable[[str], str]) -> str:
        """Return the line to send, with {board} and {user} for the sender's own. `repeat` puts a
        word of the sender's right, or gives "" for one that may not be repeated: then it is without
        any."""
        verb = self.verb
        form = verb.build_form(self.game or "GAME")
        if self.board and (number := repeat(str(self.board))):
            form = form.replace("{board}", number)
        words = [repeat(word) for word in self.words]
        if not all(words) or not words:
            return form
        required = [slot for slot in verb.slots if slot[-1] not in "?*"]
        own = [slot for slot in required if slot not in ("board", "user", "password")]
        head = form.split(" ")
        head = head[: len(head) - len(own)]
        return " ".join([*head, *words])


def find_meant(line: str, *, is_free: bool = False) -> Meant | None:
    """Return the command that the words of a line make in the right order; None if they make none.
    In a line that does not begin like a command (`is_free`) every word must fit."""
    words = join_game_title(tidy(line).split(" "))
    if not 0 < len(words) <= _MOST_WORDS:
        return None
    game, words = _take_game(words)
    verb, words = _take_verb(words, has_game=bool(game), is_free=is_free)
    if is_free and verb is None:
        return None
    if not game and (verb is None or verb.game == "yes"):
        game, words = _take_game(words, is_near=True)
    board = next((number for number in map(parse_board_number, words) if number), 0)
    if verb is not None and not (verb.has_board or "board+" in verb.slots):
        board = 0
    words = [word for word in words if not board or parse_board_number(word) != board]
    words = [word for word in words if normalize_word(word) not in _FILLING]
    if verb is None:
        if not game or bool(board) == bool(words):
            return None
        verb = get_verb("show" if board else "challenge")
    free = [word for word in words if not word.startswith("-")]
    is_challenge = verb.name == "challenge"
    is_placed = not free or " " in verb.name or (is_challenge and game)
    if len(free) > _MOST_FREE or (is_free and not is_placed):
        return None
    if is_challenge and not all(map(is_userid, free)):
        return None
    if is_challenge and len(free) == 1:
        words = ["{user}", *words]
    return Meant(verb, game, board, tuple(words) if _takes_own_words(verb) else ())


def _takes_own_words(verb: Verb) -> bool:
    """Whether the sender's own words may follow: where a password does, they may be it."""
    has_secret = verb.needs_password or "new_password" in verb.slots
    return not has_secret and any(slot not in ("board", "board+", "user") for slot in verb.slots)


def _take_game(words: list[str], *, is_near: bool = False) -> tuple[str, list[str]]:
    """Return the game that the words name, nearly or exactly, and the other words."""
    for at in range(len(words)):
        joined = join_game_title(words[at:])
        if is_near:
            joined = _join_near_title(joined)
            name = "" if _names_verb(joined[0]) else find_similar_game(joined[0])
        else:
            name = find_game_name(joined[0])
        if name and not parse_board_number(joined[0]):
            return name, [*words[:at], *joined[1:]]
    return "", words


def _join_near_title(words: list[str]) -> list[str]:
    """Join two words at the head that are nearly a title whose first word is right."""
    joined = "".join(words[:2])
    name = find_similar_game(joined) if len(words) > 1 else ""
    is_title = bool(name) and name.startswith(normalize_word(words[0]))
    return [joined, *words[2:]] if is_title and not _names_verb(words[1]) else words


def _take_verb(words: list[str], *, has_game: bool, is_free: bool) -> tuple[Verb | None, list[str]]:
    """Return the verb that a word names, exactly, in other words or (unless `is_free`) misspelt,
    and the other words."""
    keys = [normalize_keyword(word).split("#")[0] for word in words]
    for first, second in list_two_words():
        verb = get_verb(f"{first} {second}")
        if first in keys and second in keys and not (has_game and verb.game == "no"):
            left = [
                word for word, key in zip(words, keys, strict=True) if key not in (first, second)
            ]
            return verb, left
    for names in (_find_named, find_meant_by, *(() if is_free else (_find_misspelt,))):
        for at, key in enumerate(keys):
            verbs = [verb for verb in names(key) if not (has_game and verb.game == "no")]
            if verbs:
                return verbs[0], [*words[:at], *words[at + 1 :]]
    return None, words


def _names_verb(word: str) -> bool:
    return normalize_keyword(word) in map_words_to_verbs()


def _find_named(key: str) -> list[Verb]:
    return list(map_words_to_verbs().get(key, ()))


def _find_misspelt(key: str) -> list[Verb]:
    if len(key) < _SHORTEST_TYPO:
        return []
    names = [name for name in map_words_to_verbs() if is_typo_of(key, name)]
    verbs = {verb.name: verb for name in names for verb in _find_named(name)}
    return list(verbs.values()) if len(verbs) == 1 else []
