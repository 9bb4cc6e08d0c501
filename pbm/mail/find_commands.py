"""Finds the commands of a mail, and the text that goes along with each."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Callable, Iterable, Sequence

from msgspec import Struct
from msgspec.structs import replace

from pbm.core.authenticate import read_act
from pbm.core.command import Command, Misread, NotACommand, Sender, get_misread
from pbm.core.intents import is_about_account
from pbm.core.links import holds_password
from pbm.core.parser import (
    is_sentence,
    read_ask,
    read_line,
    read_numbered,
    read_reply_line,
    suggest_line,
)
from pbm.core.proofs import Act
from pbm.core.refusal import Refusal, RefusalCode
from pbm.core.submit import Unread
from pbm.core.talk import asks_to_stop, is_only_greeting, read_consent
from pbm.core.words import (
    MAX_LINE,
    SHORTEST_PASSWORD,
    find_game_name,
    find_unnamed,
    get_verb,
    is_userid,
    is_verb,
    normalize_keyword,
    parse_board_number,
    tidy,
    trim_word,
)
from pbm.games import hides
from pbm.locale.words import list_meanings
from pbm.mail.additions import remove_card
from pbm.mail.letter import Letter
from pbm.mail.text import normalize
from pbm.rules.phrases import phrase

_LIST_WORDS = ("mult", "multiple")
_FILLERS = {"", "(no subject)", "no subject", "none", "commands", "pbm", "hi", "hello", "test"}
_OUR_SUBJECT = re.compile(r"\[(?:pbm|([a-z][a-z0-9]*) ([0-9]{1,9}))\]", re.IGNORECASE)
_EVENT_SUBJECT = re.compile(r"(?i)(?:[\w-]{1,4}: *)*\[event ([0-9]{1,9})\]")
_END_WORDS = {"--", "quit", "stop", "end", "thanks", "thank you", "bye"}
_MAX_LINES = 60
"""Own lines of a mail in which a command, a code or an answer is looked for."""
_MAX_LINES_TRIED = 20
"""The own lines of a reply searched for a command; further down it may be a quote."""
_MOST_ASKED = 3
"""Lines of a mail without a command in which a question is looked for."""


def extract_commands(letter: Letter, sender: Sender, most: int) -> tuple[list[FoundCommand], bool]:
    """Return the commands of a mail, and whether it is a list of commands. They are searched for in
    this order: the subject, the first own line of a reply to a mail of ours, the lines of the body;
    those below the first command are added. A code confirms wherever it stands, unless there is
    another command or the mail answers that of a board."""
    pieces = (textwrap.wrap(line, MAX_LINE, subsequent_indent=" ") for line in letter.own_lines)
    if any(len(line) > MAX_LINE for line in letter.own_lines):  # what is too long to act is text
        letter = replace(
            letter, own_lines=tuple(piece for each in pieces for piece in each or [""])
        )
    if sender.invitation is not None:
        if entry := find_answer(letter, sender):
            return [entry], False
        sender = replace(sender, invitation=None)
    if sender.code and (entries := find_code(letter, sender) or find_consent(letter, sender)):
        return entries, False
    if sender.token is not None and (match := _EVENT_SUBJECT.match(tidy(letter.subject))):
        sender = replace(sender, event=int(match[1]))
    entries, is_list = _find_first(letter, sender, most)
    if not entries and not sender.board:
        return find_code(letter, sender) or _find_meant(letter, sender), False
    if is_list or len(entries) != 1:
        return entries, is_list
    entries = _split_further(entries[0], most)
    return entries, len(entries) > 1


def _find_meant(letter: Letter, sender: Sender) -> list[FoundCommand]:
    """Return what a mail without a command asks or wishes for, or else what it most likely means,
    by its subject or else its first line."""
    own = _list_said(letter)
    subject = () if letter.is_reply else (normalize(letter.subject),)
    first = _find_below_greeting(own)
    for line in (*own[:_MOST_ASKED], *subject):
        if (command := read_ask(line, sender, is_first=line == first)) is not None:
            return [_add_text(FoundCommand(sender, command), _list_beside(own, line))]
    for line in (normalize(letter.subject), *own[:1]):
        if (meant := suggest_line(line, sender)) is not None:
            entry = FoundCommand(sender, None, meant, find_printable_words(line))
            return [_add_text(entry, _list_beside(own, line))]
    return []


def _list_beside(lines: Sequence[str], line: str) -> str:
    """Return the lines but for that one, as a text."""
    return "\n".join(each for each in lines if each != line)


def _list_said(letter: Letter) -> list[str]:
    """Return the first own lines in the form of commands, without blank ones."""
    return list(filter(None, map(normalize, letter.own_lines[:_MAX_LINES])))


def _list_below(lines: Sequence[str], line: str) -> str:
    """Return the text below a line, which is one of these; "" for none."""
    return "\n".join(lines[lines.index(line) + 1 :]) if line else ""


def _find_below_greeting(lines: Sequence[str]) -> str:
    """Return the first of the lines that asks for no more mail or says more than a greeting; ""
    for none."""
    return next((line for line in lines if asks_to_stop(line) or not is_only_greeting(line)), "")


def _split_further(entry: FoundCommand, most: int) -> list[FoundCommand]:
    """Return the command, with those below it that are executed too: whole commands for other
    boards, and all of them in a reply to a mail without a board. Other commands are not passed on
    as text; the command names them as `left`. Other lines belong to the command above them."""
    first = entry.meant
    if first is None or not first.text:
        return [entry]
    lines = first.text.split("\n")
    inline = 1 if entry.command is not None and first.verb.has_message and first.words else 0
    bare_first = replace(first, text="")
    entries, texts, left = [entry], [lines[:inline]], list[str]()
    seen = {replace(bare_first, line="")}
    for at, line in enumerate(lines[inline:]):
        further = _find_further(line, first) if at < _MAX_LINES else None
        if further is None:
            texts[-1].append(line)
        elif further.command in seen:
            continue
        elif _is_for_another_board(further, first) and not 0 < most <= len(entries):
            entries.append(further)
            texts.append([])
            if further.command is not None:
                seen.add(further.command)
        else:
            left.append(further.printable)
    entries[0] = entry.change(replace(bare_first, left=tuple(left)))
    return [_add_text(each, "\n".join(text)) for each, text in zip(entries, texts, strict=True)]


def _add_text(entry: FoundCommand, text: str) -> FoundCommand:
    """Return the entry with more text below that of its own line."""
    command = entry.meant
    if command is None or not text.strip():
        return entry
    text = _join_text("\n".join(filter(None, (command.text, text))).split("\n"))
    return entry.change(_strip_text(replace(command, text=text)))


def _find_further(line: str, first: Command) -> FoundCommand | None:
    """Return the command that a line below another one certainly is, or why it cannot be read; None
    for text."""
    written, sender = line, first.sender
    if (numbered := read_numbered(normalize(line), sender)) is not None:
        return FoundCommand(sender, numbered, printable=tidy(line))
    if sender.board:
        line = read_act(normalize(line)) or line
    words = tidy(normalize(line)).split(" ")
    first_word = normalize_keyword(words[0])
    game, verb = find_game_name(first_word), first_word.split("#")[0]
    is_text = first.verb.text == "text" and not game
    if written[:1] in " \t" or is_text or not (game or is_verb(verb)):
        return None
    is_all_verbs = all(is_verb(normalize_keyword(word)) for word in words)
    printable = tidy(written) if is_all_verbs else find_printable_words(line)
    second = normalize_keyword(words[1]).split("#")[0] if len(words) > 1 else ""
    is_sure = (is_verb(second) or parse_board_number(second)) if game else len(words) == 1
    entry = _read_line(line, sender, "")
    if entry is None:
        return None
    if (command := entry.command) is not None:
        is_setting = command.verb.name == "set" and all("=" in word for word in words[1:])
        is_sure = command.is_complete or is_setting or bool(game and is_sure)
    return replace(entry, printable=printable) if is_sure else None


def _is_for_another_board(further: FoundCommand, first: Command) -> bool:
    """Whether a command below the first one is executed: it is for another board, or the mail
    answers one that is about none."""
    sender, command = first.sender, further.command
    if command is not None and command.verb.name == "stop":
        return False  # the first line of a mail alone says so
    if sender.token is not None and not sender.board:
        return True
    if command is None or not command.game or not command.verb.has_board:
        return False
    return command.board not in (0, first.board or sender.board)


def _find_first(letter: Letter, sender: Sender, most: int) -> tuple[list[FoundCommand], bool]:
    """Return the first command of a mail, or all of its list, and whether it is a list."""
    subject = tidy(letter.subject)
    lowered = subject.lower()
    is_list = lowered.partition(" ")[0] in _LIST_WORDS
    is_own = not letter.is_reply
    if is_own and asks_to_stop(subject):
        return [build_stop(letter.subject, sender, text="\n".join(_list_said(letter)))], False
    if not is_list and lowered not in _FILLERS:
        entry = _read_line(letter.subject, sender, _join_text(letter.own_lines))
        if entry is not None and _is_title(letter, entry):
            entry = None
        if entry is not None and parse_board_number(subject.partition(" ")[0]):
            # `17 ann PASSWORD b1,c1`, unless a better command stands in the body: many a subject
            # begins with a number.
            find = _find_in_reply if sender.token else _find_in_body
            return find(letter, sender) or [entry], False
        if entry is not None:
            return [entry], False
    if not is_list and (stop := find_stop(letter, sender)):
        return [stop], False
    if (sender.token is not None or sender.code) and not is_list:
        return _find_in_reply(letter, sender), False
    if is_list or lowered in _FILLERS or _OUR_SUBJECT.match(subject):
        return _find_list(letter, sender, subject if is_list else "", most)
    return _find_in_body(letter, sender), False


def _is_title(letter: Letter, entry: FoundCommand) -> bool:
    """Whether the subject of a reply is a title, such as `Re: Add some salt`, which begins like a
    command while the command stands below, or brings a code, which counts in the text alone."""
    if not letter.is_reply:
        return False
    is_whole = entry.command is not None and entry.command.is_complete
    below = bool(entry.sender.board and letter.own_lines)
    return redeems_code(entry) or (below and not is_whole)


def _find_in_body(letter: Letter, sender: Sender) -> list[FoundCommand]:
    """Return the first own line below a subject that is something else, when it certainly is a
    command: it has userid and password, or the name of a game."""
    at = next((at for at, line in enumerate(letter.own_lines) if line.strip()), 0)
    line = "".join(letter.own_lines[at : at + 1])
    entry = _read_line(line, sender, _join_text(letter.own_lines[at + 1 :], line))
    command = entry.command if entry is not None else None
    is_sure = command is not None and (command.game or (command.user and command.password))
    return [entry] if entry is not None and is_sure else []


def find_board_in_subject(subject: str) -> tuple[str, int] | None:
    """Return game and number of the board whose mail has that subject."""
    match = _OUR_SUBJECT.match(tidy(subject))
    if match is None or not match[1] or not find_game_name(match[1]):
        return None
    return find_game_name(match[1]), int(match[2])


def _read_line(
    line: str, sender: Sender, text: str, read: Callable[[str, Sender, str], Command] = read_line
) -> FoundCommand | None:
    """Return the command that a line is, or why it cannot be read; None when it is none."""
    try:
        return FoundCommand(sender, _strip_text(read(normalize(line), sender, text)))
    except NotACommand:
        return None
    except Refusal as refusal:
        return FoundCommand(sender, None, refusal, find_printable_words(line))


def _join_text(lines: Sequence[str], above: str = "") -> str:
    """Return the lines without the blank ones around them. They keep their indentation, by which a
    branch of a plan goes on, as far as the line above has less."""
    if not lines:
        return ""
    own = len(above) - len(above.lstrip())
    start = next((at for at, line in enumerate(lines) if line.strip()), len(lines))
    kept = (line[min(own, len(line) - len(line.lstrip())) :] for line in lines[start:])
    return "\n".join(kept).rstrip()


def _strip_text(command: Command) -> Command:
    """Return the command with its text stripped, unless lines of it may belong together by how far
    they are indented."""
    if not command.text:
        return command
    verb, lines = command.verb, command.text.split("\n")
    if verb.unnamed is not None or (verb.takes_below and any(map(find_unnamed, lines))):
        return command
    return replace(command, text=command.text.strip())


def _find_in_reply(letter: Letter, sender: Sender) -> list[FoundCommand]:
    """Return the command of a reply: its first own line. When the mail that it answers is about no
    board, a later line will do, such as `confirm CODE` below a greeting."""
    for at, line in enumerate(letter.own_lines[:_MAX_LINES_TRIED]):
        if line.strip():
            text = _join_text(letter.own_lines[at + 1 :], line)
            entry = _read_line(line, sender, text, read_reply_line)
            if entry is not None and entry.meant is not None:
                said = (each for each in letter.own_lines[:at] if not is_only_greeting(each))
                above = tuple(filter(None, map(str.strip, said)))
                entry = entry.change(replace(entry.meant, withheld=above))
            if entry is not None or sender.board:
                return [entry] if entry is not None else []
    return []


def _find_list(
    letter: Letter, sender: Sender, top: str, most: int
) -> tuple[list[FoundCommand], bool]:
    """Return the commands of a body, one a line; `top` is the subject when it is `multiple`. Text
    above the first command is a greeting and is skipped."""
    lines = list(letter.own_lines)
    at = next((at for at, line in enumerate(lines) if line.strip()), 0)
    if not top and lines and tidy(lines[at]).lower().split(" ")[0] in _LIST_WORDS:
        top = tidy(lines[at])
        lines = lines[at + 1 :]
    prefix = top.split(" ")[1:]
    entries: list[FoundCommand] = []
    for line in lines:
        words = normalize(line)
        if words.lower().rstrip(".!,") in _END_WORDS or line.startswith("-- "):
            break
        if not words or words.startswith("#"):
            continue
        if line[0] in " \t" and entries:
            _add_comment(entries, words)
            continue
        if most and len(entries) >= most:
            said = phrase("a mail can hold at most {most} commands", most=most)
            entries.append(FoundCommand(sender, None, Refusal(RefusalCode.LIMIT_REACHED, said)))
            break
        entry = _read_line(add_prefix(words, prefix), sender, "")
        if entry is None and (entries or prefix):
            said = phrase("this line is not a command")
            none = Refusal(RefusalCode.NO_COMMAND, said, "help commands")
            entry = FoundCommand(sender, None, suggest_line(words, sender) or none)
        if entry is not None:
            entries.append(entry)
    return entries, len(entries) > 1 or bool(top and entries)


def _add_comment(entries: list[FoundCommand], words: str) -> None:
    command = entries[-1].command
    if command is not None:
        text = f"{command.text}\n{words}".strip()
        entries[-1] = replace(entries[-1], command=replace(command, text=text))


def add_prefix(line: str, prefix: Sequence[str]) -> str:
    """Add the words that `mult move u p` supplies: a short line `cradle 17 b1,c1` gets verb, userid
    and password. A line that is a command of its own is unchanged."""
    words = line.split(" ")
    if len(prefix) < 3:
        return line
    game = [words[0]] if find_game_name(words[0]) else []
    rest = words[len(game) :]
    if not rest or not parse_board_number(rest[0]):
        return line
    if len(rest) > 2 and trim_word(rest[1]).lower() == trim_word(prefix[1]).lower():
        return line
    return " ".join([*game, prefix[0], rest[0], prefix[1], prefix[2], *rest[1:]])


# Finds what confirms a one-time code in a reply: the code, wherever it stands in the writer's
# own text, or a yes to the mail that brought it.

_CODE = re.compile(r"(?<![\w-])[a-z2-9]{4}-[a-z2-9]{4}-[a-z2-9]{4}(?![\w-])", re.IGNORECASE)
_LINE = re.compile(r"confirm:? +([a-z2-9]{4})[ -]*([a-z2-9]{4})[ -]*([a-z2-9]{4})", re.IGNORECASE)
"""A whole line with a code, whose groups may be joined in any way."""
_CONFIRMS = {"i", "confirm", "confirmed", "confirming"}
_SENTENCE, _LONG = 5, 25
"""Words of a line that a person does not write who only brings a code back; nor does a person write
so many lines of one word."""
_BEFORE_CODE = re.compile(r"\A(?:code|confirm) *:", re.IGNORECASE)


def find_code(letter: Letter, sender: Sender) -> list[FoundCommand]:
    """Return the confirmation by a code in the own text of a letter or, where it is no reply, in
    its subject. None in an echo of our mail, nor beside a no."""
    is_said = letter.is_reply or ":" in _BEFORE_CODE.sub("", letter.subject, count=1)
    lines = [*([] if is_said else [normalize(letter.subject)]), *_list_said(letter)]
    code = next(filter(None, map(_find_code_in, lines)), "")
    is_no = any(read_consent(line) is False for line in lines)
    if not code or is_no or _is_echo(lines, code):
        return []
    return [_build_entry(sender, code)]


def _is_echo(lines: Sequence[str], code: str) -> bool:
    """Whether a text has the server's line with the code among sentences, or the code in a long
    one, or many lines of one word, as when a program breaks a mail of the server."""
    is_ours = f"code: {code}" in map(str.lower, lines)
    most = _SENTENCE if is_ours else _LONG
    counts = [len(line.split()) for line in lines if is_ours or code in line.lower()]
    return max(counts, default=0) > most or sum(len(line.split()) == 1 for line in lines) > _LONG


def _find_code_in(line: str) -> str:
    """Return the code in a line, in small letters and with its hyphens; "" for none."""
    if match := _CODE.search(line):
        return match[0].lower()
    match = _LINE.fullmatch(line.strip())
    return "-".join(match.groups()).lower() if match else ""


def find_consent(letter: Letter, sender: Sender) -> list[FoundCommand]:
    """Return the confirmation by a yes, on the first own line below greetings, to the mail that
    brought a code."""
    said = _list_said(letter)
    line = _find_below_greeting(said)
    return [_build_entry(sender, text=_list_below(said, line))] if _says_yes(line) else []


def _build_entry(sender: Sender, *words: str, text: str = "") -> FoundCommand:
    verb = get_verb("confirm", takes_game=False)
    return FoundCommand(sender, Command(verb, sender, words=words, text=text, implied=True))


def _says_yes(line: str) -> bool:
    """Whether a line says yes, with or without the word confirm, and nothing else."""
    words = re.findall(r"[^\s,.;:!]+", line)
    if list_meanings(" ".join(words)) == ["confirm"]:
        return True
    rest = [word for word in words if word.lower() not in _CONFIRMS]
    confirms = any(word.lower().startswith("confirm") for word in words)
    return read_consent(" ".join(["yes", *rest] if confirms else words)) is True


# Finds the answer to an invitation in a reply: its first own line, or its subject.


def find_answer(letter: Letter, sender: Sender) -> FoundCommand | None:
    """Return the answer on the first own line below a greeting, or in the subject of a mail that is
    no reply; None for a command with a password or a code of its own. Any other command, which only
    a player can send, asks what the invitation is, as a question does."""
    subject = [] if letter.is_reply else [normalize(letter.subject)]
    said = [*filter(None, subject), *_list_said(letter)]
    answer = _find_below_greeting(said)
    text = _list_below(said, answer)
    line = tidy(answer)
    words = line.split()
    at = 1 if words[1:] and find_game_name(words[0]) else 0
    first = normalize_keyword(words[at]) if words else ""
    if asks_to_stop(line):
        words = ["no"]
    elif is_verb(first) and (at or not is_sentence(first, words[1:], line)):
        entry = _read_line(line, sender, "")
        command = entry.meant if entry is not None and words[1:] else None
        is_signed = command and (command.password or command.verb.act in (Act.OPEN, Act.CODE))
        if is_signed and not is_about_account(line, at_board=True):  # "vacation until monday"
            return None
        words = ["?"]
    verb = get_verb("signup")
    command = Command(verb, sender, words=tuple(words), rest=line, text=text, implied=True)
    return FoundCommand(sender, command)


# Finds a wish for no more mail in a mail: its first own line below a greeting, or the word that
# chooses among what the answer to it offers.

_CHOICES = ("fewer", "pause", "resign", "leave")


def find_stop(letter: Letter, sender: Sender) -> FoundCommand | None:
    """Return the command of a mail whose first own line asks for no more mail, or is one word of
    the answer to that; None for any other."""
    said = _list_said(letter)
    line = _find_below_greeting(said)
    first, text = tidy(line), _list_below(said, line)
    if asks_to_stop(first):
        return build_stop(first, sender, text=text)
    token = sender.token
    if token is None or token.kind != "u":
        return None
    word = first.lower().rstrip(".!")
    meant = {word, *list_meanings(word)}
    choice = next((each for each in _CHOICES if each in meant), "")
    return build_stop(first, sender, choice, text=text) if choice else None


def build_stop(line: str, sender: Sender, *words: str, text: str = "") -> FoundCommand:
    """Return the command of that line."""
    line = tidy(normalize(line))
    return FoundCommand(
        sender, Command(get_verb("stop"), sender, words=words, line=line, text=text)
    )


# The text that goes along with a command: what is removed from it, because it is a signature or
# may hold a password.


_MAX_WORDS = 7


def leave_out_card(entry: FoundCommand, withheld: Sequence[str]) -> FoundCommand:
    """Return the entry with the lines that are not passed on, among them those of a card under its
    text, unless they are what the text is to bring."""
    command = entry.meant
    if command is None:
        return entry
    text, card = command.text, tuple[str, ...]()
    if not command.verb.means_addresses:
        text, card = remove_card(text)
    told = (*command.withheld, *withheld, *card)
    return entry.change(replace(command, text=text, withheld=told))


def remove_secret_text(
    command: Command, passwords: Iterable[str], exists: Callable[[str], bool]
) -> Command:
    """Return the command without its text when that holds one of the mail's passwords or repeats a
    command: the writer is told of a text, not of what it says."""
    passwords = list(passwords)
    told = (
        "..." if any(holds_password(line, password) for password in passwords) else line
        for line in command.withheld
    )
    command, text = replace(command, withheld=tuple(told)), command.text
    if not text:
        return command
    is_secret = any(holds_password(text, password) for password in passwords)
    if not is_secret and not repeats_command(text, exists):
        return command
    return replace(command, text="", withheld=(*command.withheld, "..."))


def repeats_command(text: str, exists: Callable[[str], bool]) -> bool:
    """Whether a line of the text is somebody's command, rather than merely beginning with such a
    word. `exists` says whether a userid does."""
    for line in text.splitlines():
        words = tidy(line).split(" ")[:_MAX_WORDS]
        first = normalize_keyword(words[0]).split("#")[0]
        second = normalize_keyword(words[1]).split("#")[0] if len(words) > 1 else ""
        if find_game_name(first) and (is_verb(second) or parse_board_number(second)):
            return True
        userids = [word for word in words[1:] if is_userid(word) and not is_verb(word)]
        if is_verb(first) or find_game_name(first):
            has_number = any(parse_board_number(word) for word in words[1:])
            if len(words) > 3 and has_number and any(exists(trim_word(word)) for word in userids):
                return True
            if (first, second) == ("change", "password") or first == "signup":
                return True
        elif (
            parse_board_number(words[0])
            and len(words) > 3
            and userids[:1] == words[1:2]
            and exists(trim_word(words[1]))
        ):
            return True
    return False


# One command of a mail, or a line that is meant as one.

_NO_COMMAND = Refusal(RefusalCode.NO_COMMAND, phrase("this is not a command"))


class FoundCommand(Struct, frozen=True):
    """One command of a mail, or why a line that is meant as one cannot be read. `printable` is what
    may be shown of such a line."""

    sender: Sender
    command: Command | None
    refusal: Refusal | None = None
    printable: str = "..."

    @property
    def meant(self) -> Command | None:
        """The command, or the part of it that can be read."""
        return self.command or get_misread(self.refusal)

    def change(self, command: Command) -> FoundCommand:
        """Return the entry with another such command."""
        if self.refusal is None:
            return replace(self, command=command)
        suggest = self.refusal.suggest if isinstance(self.refusal, Misread) else None
        return replace(self, refusal=Misread(self.refusal, command, suggest))

    @property
    def unread(self) -> Unread:
        """What is submitted for a line that cannot be read."""
        return Unread(self.sender, self.refusal or _NO_COMMAND)


def redeems_code(entry: FoundCommand) -> bool:
    """Whether it redeems a one-time code or answers an invitation. Only a person may do so, not a
    program, nor the subject of a reply."""
    if entry.command is None:
        return False
    return entry.command.verb.slots == ("code",) or entry.sender.invitation is not None


def is_persons(entry: FoundCommand) -> bool:
    """Whether only a person can have meant it, not a list or a newsletter: a code brought back, or
    a question in the writer's own words."""
    return is_question(entry) or redeems_code(entry)


def is_question(entry: FoundCommand) -> bool:
    """Whether it is a question or a wish in the writer's own words."""
    return entry.command is not None and entry.command.verb.name == "ask"


# Shows the commands of a mail to others than their writer, without secrets.

_MASK = "********"


def find_printable_words(line: str) -> str:
    """Return what may be shown of a line that cannot be read: its game and verb."""
    words = [
        word for word in tidy(line).lower().split(" ")[:2] if find_game_name(word) or is_verb(word)
    ]
    return " ".join([*words, "..."])


def describe_result(entry: FoundCommand, game: str, refusal: str | None) -> str:
    """Return what became of an entry (`refusal` says why it was not done), as others than its
    writer may read it: without what a player of this game hides, which the reason may tell too.
    `game` is "" when it is unknown."""
    command = entry.command
    if command is not None and _is_private(command, game):
        refusal = refusal and "..."
        entry = replace(entry, command=replace(command, words=("...",)))
    words = describe(entry, is_done=refusal is None)
    return f"done: {words}" if refusal is None else f"refused: {words}: {refusal}"


def _is_private(command: Command, game: str) -> bool:
    """Whether a command is only its writer's, or may tell what is hidden on a board."""
    is_open = bool(game) and not hides(game)
    may_tell = command.verb.has_moves or bool(game and command.board)
    return command.verb.is_for_writer or (may_tell and not is_open)


def describe(entry: FoundCommand, *, is_done: bool) -> str:
    """Return the entry as others may read it: in full once it was understood and done, and never
    with a password."""
    command = entry.command
    if command is None:
        return entry.printable
    verb = command.verb
    words = [command.game] if command.game else []
    words.append(verb.name + (f"#{command.ply}" if command.ply else ""))
    if not is_done and not (verb.needs_password and command.proof):
        return " ".join([*words, "..."])
    if command.board and str(command.board) != command.password:
        words.append(str(command.board))
    if command.user and verb.name != "forgot":
        words.append(command.user)
    if command.password or "new_password" in verb.slots:
        words.append(_MASK)
    if not is_done:
        return " ".join([*words, "..."])
    if not verb.hides_words:
        is_shown = verb.needs_password or "userid+" in verb.slots
        words += [
            word if word != command.password and (is_shown or _is_plain(word)) else _MASK
            for word in command.words
        ]
    return " ".join(words)[:200]


def _is_plain(word: str) -> bool:
    """Whether a word is too short for a password, or the server's own: behind a command that takes
    no password any other may be one."""
    return len(word) < SHORTEST_PASSWORD or bool(find_game_name(word)) or is_verb(word.lower())
