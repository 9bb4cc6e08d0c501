"""The parser: one line of text to one `Command`, forgiving where that can do no harm.

It queries no database and never repeats a word that may be a password."""

from __future__ import annotations

from collections.abc import Callable

from msgspec.structs import replace

from pbm.core.kernel.feature import find_function
from pbm.core.kernel.language.command import (
    CLAIM,
    Command,
    Misread,
    NotACommand,
    Sender,
    Suggest,
)
from pbm.core.kernel.language.line_head import PLY, choose_verb, require_game_name, split_head
from pbm.core.kernel.language.plan_text import is_plan_line, read_place
from pbm.core.kernel.language.verb import Verb
from pbm.core.kernel.language.verbs import VERBS, get_verb, map_words_to_verbs
from pbm.core.kernel.language.words import (
    find_game_name,
    find_similar_game,
    is_typo_of,
    is_userid,
    is_verb,
    join_game_title,
    normalize_keyword,
    normalize_word,
    parse_board_number,
    tidy,
    trim_word,
    unwrap,
)
from pbm.core.kernel.proofs import Proof, is_worth
from pbm.core.kernel.refusal import Refusal, RefusalCode
from pbm.locale.words import list_meanings
from pbm.rules.phrases import phrase


def read_line(line: str, sender: Sender, text: str = "") -> Command:
    """Parse a line. Raise NotACommand when it is none, Misread when it cannot be understood."""
    if (command := read_question(line, sender, text)) is not None:
        return command
    words = join_game_title(tidy(line).split(" "))
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
    """Return the refusal of a line that is no command, with the one that was most likely meant;
    None where it makes none."""
    suggest = _suggest(line, is_free=True)
    if suggest is None:
        return None
    words = tuple(tidy(line).split(" "))
    refusal = Refusal(RefusalCode.UNKNOWN_COMMAND, phrase("this is not a command"))
    return Misread(refusal, Command(get_verb("help"), sender, words=words), suggest)


def _suggest(line: str, *, is_free: bool = False) -> Suggest | None:
    from pbm.core.kernel.language.correction import find_meant  # only mistakes need it

    meant = find_meant(line, is_free=is_free)
    return meant.build if meant is not None else None


def read_question(line: str, sender: Sender, text: str = "") -> Command | None:
    """Return the command that a question in a player's own words asks for, if it is one."""
    for verb in VERBS:
        if verb.asked:
            words: tuple[str, ...] | None = find_function(verb.asked)(line, sender.event)
            if words is not None:
                return Command(verb, sender, words=words, text=text)
    return None


def read_reply_line(line: str, sender: Sender, text: str = "") -> Command:
    """Parse the first own line of a reply to one of our mails: a verb such as `resign`, a full
    command, or else a move."""
    if (command := read_question(line, sender, text)) is not None:
        return command
    line = _read_help(line, sender)
    words = tidy(line).split(" ")
    if sender.board:
        from pbm.core.kernel.language.talk import find_question, find_verb_asked  # only mails talk

        if question := find_question(line):
            return Command(get_verb("help"), sender, words=(question,), text=text, implied=True)
        if verb := find_verb_asked(line):
            return Command(get_verb(verb), sender, text=text)
    first = normalize_keyword(join_game_title(words)[0]).split("#")[0]
    is_sentence = is_verb(first) and _is_sentence(first, words[1:], line)
    if is_verb(first) and not is_sentence:
        return replace(read_line(line, sender, text), line=tidy(line))
    if find_game_name(first) and not (sender.board and _only_names_game(line, sender)):
        return replace(read_line(line, sender, text), line=tidy(line))
    if parse_board_number(words[0]) and len(words) >= 4 and is_userid(words[1]):
        return read_line(line, sender, text)
    if sender.puzzle and words[0]:
        return _fill_moves(Command(get_verb("puzzle"), sender, text=text, implied=True), words)
    if not sender.board or not words[0]:
        raise NotACommand
    try:
        require_game_name(words)
    except Refusal as refusal:
        readable = Command(get_verb("help"), sender, words=tuple(words))
        raise Misread(refusal, readable, _suggest(line)) from None
    if is_plan_line(line):
        return _fill_moves(Command(get_verb("plan"), sender, text=text), words)
    return _fill_moves(Command(get_verb("move"), sender, text=text, implied=True), words)


def _read_help(line: str, sender: Sender) -> str:
    """Return a line that begins with the word for help of another language with the English one, in
    a reply to a mail that is about no board, or about a puzzle."""
    first, blank, rest = tidy(line).partition(" ")
    if sender.board or list_meanings(first.rstrip(".!?")) != ["help"]:
        return line
    return f"help{blank}{rest}"


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


def _is_sentence(word: str, rest: list[str], line: str) -> bool:
    """Whether a line that begins with a verb has more words than the verb takes in a reply, or asks
    something: then it is said to somebody. One that names a number or a game is a command."""
    numbered = any(char.isdigit() for each in rest for char in each)
    if not rest or numbered or word == "forgot" or any(map(find_game_name, rest)):
        return False
    verbs = _list_verbs(word, rest)
    if any(_takes_any_words(verb) for verb in verbs):
        return False
    return line.rstrip().endswith("?") or all(_has_too_many(verb, rest) for verb in verbs)


def _list_verbs(word: str, rest: list[str]) -> tuple[Verb, ...]:
    two = f"{word} {normalize_keyword(rest[0])}"
    named = map_words_to_verbs().get(word, ())
    others = [verb for verb in VERBS if verb.name.startswith(f"{word} ")]
    return (*named, *(verb for verb in others if verb.name == two))


def _takes_any_words(verb: Verb) -> bool:
    """Whether words of any kind may follow the verb: a text, moves, a plan, options, or what is
    refused because it does not stand alone."""
    is_text = verb.text == "text" or verb.has_message
    return is_text or verb.has_moves or verb.has_plan or verb.options or verb.stands_alone


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
        return replace(command, words=("new", *map(trim_word, rest[1:])))
    if verb.has_plan:
        rest = _split_place(command, rest)
    if verb.has_board:
        command, rest = _fill_board(command, rest)
    for numbered in ("offer", "event"):
        if numbered in verb.slots:
            rest = _move_number_last(command, rest, numbered)
    if "kind" in verb.slots:
        rest = _move_kind_last(command, rest)
    if verb.name == "puzzle":
        rest = _move_puzzle_behind_claim(command, rest)
    if "user" in verb.slots:
        command, rest = _fill_user(command, rest)
    if verb.name == "forgot" and rest:
        text = phrase("forgot takes your userid and nothing else")
        raise Refusal(RefusalCode.TRAILING_TEXT, text, command.form.replace("USERID", "{user}"))
    if verb.has_message:
        message = "\n".join(part for part in (" ".join(rest), command.text) if part)
        return replace(command, text=message, words=tuple(rest))
    if verb.has_moves or verb.has_plan:
        return _fill_moves(command, rest)
    if "new_password" in verb.slots:
        return replace(command, words=tuple(trim_word(word) or word for word in rest))
    if "userid+" in verb.slots and not verb.options:
        rest = [userid for word in rest for userid in word.split(",")]
    return replace(command, words=tuple(filter(None, map(trim_word, rest))), rest=" ".join(rest))


def _split_place(command: Command, rest: list[str]) -> list[str]:
    """Move the number of a branch behind the other words: `17#2.1 ann PASSWORD`, `#2.1` or `2` in a
    reply, where a number behind the word of a game (`cradle plan 17`) is that of a board."""
    if not rest:
        return rest
    board, _, place = trim_word(rest[0]).lstrip("#").partition("#")
    if place and parse_board_number(board):
        return [board, *rest[1:], f"#{place}"]
    here = command.sender.board
    if len(rest) != 1 or not here or not (place := read_place(rest)):
        return rest
    is_board = bool(command.game) and place == rest[0].rstrip(".")
    return rest if is_board else [str(here), f"#{place}"]


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


def _move_kind_last(command: Command, rest: list[str]) -> list[str]:
    """Move the kind and the game of an event behind userid and password, if these follow."""
    if len(rest) < 2 or not find_game_name(join_game_title(rest[1:])[0]):
        return rest
    kind, game, *others = [rest[0], *join_game_title(rest[1:])]
    claim = 1 if command.sender.operator else 2
    if len(others) < claim or others[0].startswith("-"):
        return [kind, game, *others]
    return [*others[:claim], kind, game, *others[claim:]]


def _move_puzzle_behind_claim(command: Command, rest: list[str]) -> list[str]:
    """Move the number of a puzzle, or how hard it is to be, behind userid and password, if these
    follow."""
    from pbm.rules.solutions import STRENGTHS  # puzzles alone need it

    sender = command.sender
    claim = 0 if sender.token is not None else 1 if sender.operator else 2
    if len(rest) <= claim:
        return rest
    is_ours = parse_board_number(rest[0]) or normalize_word(rest[0]) in STRENGTHS
    return [*rest[1 : 1 + claim], rest[0], *rest[1 + claim :]] if is_ours else rest


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
    if verb.has_message or (verb.has_moves and len(rest) == 1):
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


def apply_claim(
    command: Command, is_own: Callable[[str], bool], is_player: Callable[[str], bool]
) -> Command:
    """Apply a userid and password given where they may be omitted. In a reply a password follows
    the sender's own userid, or any player's behind a board number; in a preview both are ignored.
    `is_own` and `is_player` say whether a word is the sender's or any player's userid."""
    words, verb = command.words, command.verb
    if not (verb.needs_password or verb.ignores_claim):
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
    rest = words[2:]
    unclaimed = replace(command, words=rest, rest=" ".join(rest))
    if verb.has_message:
        inline, _, below = command.text.partition("\n")
        parts = [" ".join(rest), below if inline.endswith(" ".join(words)) else command.text]
        unclaimed = replace(unclaimed, text="\n".join(part for part in parts if part))
    if not verb.needs_password:
        return unclaimed
    return replace(unclaimed, user=trim_word(words[0]), password=words[1])
