"""Forms of commands: each is built from its verb's row; when sent, it builds the command that a
mail with these words would contain, with the proof of the page's link."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from enum import StrEnum
from functools import partial
from hashlib import sha256
from types import MappingProxyType
from typing import NamedTuple

from pbm.core.board import Board
from pbm.core.call import Call
from pbm.core.command import CLAIM, Command, Sender
from pbm.core.feature import Button, OptionField, Verb, list_verbs
from pbm.core.limits import Limit, add, has_room
from pbm.core.links import Link, open_own_seat, open_player, open_seat
from pbm.core.options import split_label
from pbm.core.parties import may_move
from pbm.core.player import Player
from pbm.core.proofs import is_worth
from pbm.core.refusal import RefusalCode
from pbm.core.submit import Submitted, send_nothing, send_unless_refused
from pbm.core.words import find_game_name, get_verb
from pbm.features.accounts.notices import InvitationSent
from pbm.features.lobby.rows import find_last_begun
from pbm.locale import Page, translate
from pbm.rules.phrases import phrase
from pbm.store.reads import find_board
from pbm.store.transaction import Session
from pbm.web import clicks
from pbm.web.clicks import Click
from pbm.web.site import Site

LONGEST = 200
LONGEST_TEXT = 8000
_LONGEST_ID = 60
_PLAIN = re.compile(r"[^a-z0-9_]+")
_NUMBERS = ("offer", "event")
"""Arguments that are numbers, and stand behind all others in a command."""
_SURE = "sure"
_MADE = "made"
_WORDS = "do.words"
"""The field with the words of a form that is only a button; no option can have that name."""
_BALLOT = "ballot"
"""Acts done by a move that is a proposal or a vote."""
_USUAL: Mapping[str, str] = {
    "address": phrase("Mail address"),
    "comment": phrase("Comment (optional)"),
    "from": phrase("First day"),
    "game": phrase("Game"),
    "kind": phrase("Kind"),
    "move": phrase("Move"),
    "reader": phrase("To whom"),
    "round": phrase("Rounds"),
    "text": phrase("Text"),
    "to": phrase("Last day"),
    "userid": phrase("Userid"),
    "what": phrase("What"),
}
"""The labels of arguments, unless a verb's row has others."""
_DATES = ("from", "to")
_WRONG: Mapping[StrEnum, str] = {
    RefusalCode.NO_SUCH_PLAYER: "userid",
    RefusalCode.PLAYER_UNAVAILABLE: "userid",
    RefusalCode.BOT_UNAVAILABLE: "userid",
    RefusalCode.BAD_ADDRESS: "address",
    RefusalCode.BARRED_ADDRESS: "address",
    RefusalCode.BAD_DATE: "from",
    RefusalCode.NO_DAYS_LEFT: "from",
    RefusalCode.NOT_A_MOVE: "move",
    RefusalCode.ILLEGAL_MOVE: "move",
    RefusalCode.AMBIGUOUS_MOVE: "move",
    RefusalCode.NO_SUCH_GAME: "game",
}
"""The argument that is wrong, by the code of a refusal that names none itself."""


class Field(NamedTuple):
    """A field of a form: `id` within the page, `kind` as of OptionField, or "area" for a text and
    "comment" for a remark. `problem` says why it was refused; `example` could stand in it."""

    id: str
    name: str
    label: str
    kind: str
    value: str
    choices: Sequence[tuple[str, str]] = ()
    is_required: bool = False
    problem: str = ""
    example: str = ""


class VerbForm(NamedTuple):
    """A form: its act and its fields; `options` may be left unchanged. `is_sent`: it was just sent,
    and refused."""

    do: str
    button: Button
    hidden: Sequence[tuple[str, str]]
    fields: Sequence[Field]
    options: Sequence[Field] = ()
    is_sent: bool = False

    def call_fields(self, words: Mapping[str, str]) -> VerbForm:
        """Return the form with other labels for some of its fields."""
        fields = [each._replace(label=words.get(each.name, each.label)) for each in self.fields]
        return self._replace(fields=fields)


class Sent(NamedTuple):
    """The result of a form just sent, for the page that shows it again."""

    form: Mapping[str, str]
    problem: str = ""
    field: str = ""


NOTHING_SENT = Sent({})


def build_form(
    call: Call,
    name: str,
    /,
    *,
    sent: Sent = NOTHING_SENT,
    board: Board | None = None,
    choices: Mapping[str, Sequence[tuple[str, str]]] | None = None,
    typed: Mapping[str, str] = MappingProxyType({}),
    label: str = "",
    key: str = "",
    words: str = "",
    **given: str,
) -> VerbForm:
    """Return the form of a verb, filled with what was just `sent` if that was the same form.

    choices  the values of an argument that is one of several, with labels
    typed    the initial values of its fields
    label    the button's label, if not that of its row
    key      distinguishes it from other forms of that verb on the page
    words    the words of the command, for a form that is only a button
    given    arguments that need no field
    """
    verb = get_verb(name)
    button = verb.button or Button(name, "")
    if label:
        button = replace(button, label=label)
    given |= {_WORDS: words} if words else {}
    path = _PLAIN.sub("-", "-".join(filter(None, [name, key, *given.values()])))[:_LONGEST_ID]
    is_same = all(sent.form.get(each, value) == value for each, value in given.items())
    was_sent = [sent.form.get(each, "") for each in ("do", "form", _WORDS)]
    is_sent = is_same and was_sent == [name, key, words]
    typed = sent.form if is_sent else typed

    def find_problem(slot: str) -> str:
        return sent.problem if is_sent and sent.field == slot else ""

    def build(slot: str, kind: str, *, is_required: bool, called: str = "") -> Field:
        return Field(
            f"{path}-{slot}",
            slot,
            called or button.words.get(slot) or _USUAL.get(slot, slot),
            kind,
            typed.get(slot, ""),
            (choices or {}).get(slot, ()),
            is_required,
            find_problem(slot),
        )

    fields = [
        build(
            slot,
            "choice" if slot in (choices or {}) else "date" if slot in _DATES else "text",
            is_required=is_needed or slot in button.needs,
        )
        for slot, is_needed in _list_arguments(verb)
        if slot not in given and not words
    ]
    if _takes_text(verb) and "text" not in given and not words:
        is_text = _is_about_text(verb)
        called = button.words.get("text") or _USUAL["text" if is_text else "comment"]
        kind = "area" if is_text or "text" in button.words else "comment"
        fields.append(build("text", kind, is_required="text" in button.needs, called=called))
    hidden = [*given.items(), *([("form", key)] if key else [])]
    if button.at_position and board is not None:
        hidden.append(("number", str(board.number)))
    if button.starts:
        hidden.append(("begun", str(find_last_begun(call.session, call.me.id))))
    if _brings_words(verb):
        hidden.append((_MADE, f"{call.now:.3f}"))
    listed = verb.fields(call, given.get("game", "")) if verb.fields and not words else ()
    options = [
        Field(
            f"{path}-{each.name}",
            each.name,
            each.help,
            each.kind,
            typed.get(each.name, "" if is_sent and each.kind == "flag" else each.usual),
            each.choices,
            problem=find_problem(each.name),
            example=each.example,
        )
        for each in listed
    ]
    return VerbForm(name, button, hidden, fields, options, is_sent)


def _list_arguments(verb: Verb) -> Iterator[tuple[str, bool]]:
    """Yield the arguments of a verb that have a field, each with whether it is required. Board and
    sender have none, nor have words that can as well be the body of the mail."""
    for slot in verb.slots:
        is_other = slot in ("board", *CLAIM) or "=" in slot
        if not is_other and not _reads_body(verb):
            yield slot.rstrip("+*?"), slot[-1] not in "*?"


def _reads_body(verb: Verb) -> bool:
    return verb.has_message or verb.unnamed is not None


def _is_about_text(verb: Verb) -> bool:
    """Whether the text is the subject of the verb, not a comment on it."""
    return verb.text == "text" or _reads_body(verb)


def _brings_words(verb: Verb) -> bool:
    """Whether a form sent twice differs from two equal texts only in the time at which its page was
    made."""
    is_bound = verb.button is not None and verb.button.at_position
    return _is_about_text(verb) and not is_bound


def _takes_text(verb: Verb) -> bool:
    return _is_about_text(verb) or (verb.text == "comment" and not verb.is_for_writer)


# What a form asks for.


class _Opened(NamedTuple):
    """What the link of a page opens: its player, and the game, number and last log entry of the
    page's board, if any. `votes`: the player's move is a proposal or a vote."""

    player: Player
    game: str = ""
    board: int = 0
    entry: int = 0
    votes: bool = False


def act(site: Site, link: Link, number: int, form: Mapping[str, str]) -> Click | None:
    """Submit a form on a page about the board with that number, or 0. None for an invalid link."""
    name = form.get("do", "")
    verb = _find_verb(name) if is_offered(name, link) else None
    if verb is None or verb.button is None or (verb.has_board and not number):
        return Click(problem=phrase("This page has no such form."))
    button, now = verb.button, site.clock()
    if problem := _find_missing(verb, form):
        return problem
    with site.store.reading() as session:
        opened = _open(site, session, link, number, verb, lock=False)
        if opened is None:
            return None
        command = _build_command(site, session, opened, link, verb, form)
        if isinstance(command, Click):
            return command
        command = clicks.verify(site, session, command, now)

    def execute(session: Session) -> Click | None:
        opened = _open(site, session, link, number, verb, lock=True)
        if opened is None:
            return None
        if button.at_position and form.get("number") != str(opened.entry):
            return Click(
                problem=phrase("Nothing was done: the board has changed since this page was made.")
            )
        if button.starts and form.get("begun") != str(find_last_begun(session, opened.player.id)):
            return Click(
                problem=phrase(
                    "Nothing was done: a board, an offer or an event of yours has begun since this "
                    "page was made. Send it again if it is to be another one."
                )
            )
        copies = _name_copies(opened.player, form) if _brings_words(verb) else ""
        if copies and not has_room(session, Limit.FORMS, copies, now, site.config):
            return Click(done=name)
        policy = send_nothing if button.is_quiet else send_unless_refused
        result, refused = clicks.execute(site, session, command, policy, now)
        if refused is not None:
            field = refused.field or _WRONG.get(refused.code, "")
            called = _call_options(site, session, command, opened.player, form)
            return Click(problem=clicks.say_refused(refused, field, called), field=field)
        if copies:
            add(session, Limit.FORMS, copies, now)
        page = "" if link.board else _find_page(result, number)
        is_invited = any(isinstance(each.content, InvitationSent) for each in result.notices)
        done = "invite" if is_invited else _BALLOT if opened.votes else name
        return Click(done=done, page=page)

    return clicks.commit(site, execute)


def _call_options(
    site: Site, session: Session, command: Command, player: Player, form: Mapping[str, str]
) -> Mapping[str, str]:
    """Return the options of a form, each with the label of its field in quotes."""
    list_fields = command.verb.fields
    if list_fields is None:
        return {}
    call = site.call(session, command)
    call.player = player
    fields = list_fields(call, find_game_name(form.get("game", "")[:LONGEST]))
    return {each.name: Page(partial(_write_label, each.help)) for each in fields}


def _write_label(label: str, language: str) -> str:
    return f'"{split_label(translate(label, language))[0]}"'


def _name_copies(player: Player, form: Mapping[str, str]) -> str:
    """Return the name under which copies of a form are counted; "" for a form without the time of
    its page."""
    if _MADE not in form:
        return ""
    whole = "\0".join(f"{name}={value}" for name, value in sorted(form.items()))
    return f"{player.id} {sha256(whole.encode()).hexdigest()[:20]}"


def is_offered(name: str, link: Link) -> bool:
    """Whether pages behind such a link may have a form of the verb with that name."""
    verb = _find_verb(name)
    if verb is None or not is_worth(link.proof, verb.act):
        return False
    return verb.has_board or not link.board


def say_done(name: str) -> str:
    """Return the page's sentence when the command with that name is done; "" for an unknown
    name."""
    if name == _BALLOT:
        return phrase("Your side knows what you would play.")
    verb = _find_verb(name)
    return verb.button.done if verb is not None and verb.button is not None else ""


def _find_verb(name: str) -> Verb | None:
    """Return the verb with that name, if pages offer it."""
    return next((verb for verb in list_verbs() if verb.name == name and verb.button), None)


def _find_missing(verb: Verb, form: Mapping[str, str]) -> Click | None:
    """Return why a form is incomplete."""
    button = verb.button
    if button is None or (button.sure and form.get(_SURE) != "yes"):
        box = button.sure if button is not None else ""
        return Click(problem=phrase("Nothing was done: first tick this box: {box}.", box=box))
    required = [slot for slot, is_needed in _list_arguments(verb) if is_needed]
    for slot in () if _WORDS in form else (*required, *button.needs):
        if not form.get(slot, "").strip():
            label = button.words.get(slot) or _USUAL.get(slot, slot)
            text = phrase("Nothing was done: this is missing: {field}.", field=label)
            return Click(problem=text, field=slot)
    if any(len(value) > LONGEST_TEXT for value in form.values()):
        text = phrase(
            "Nothing was done: a text is longer than {most} characters.", most=LONGEST_TEXT
        )
        return Click(problem=text)
    return None


def _open(
    site: Site, session: Session, link: Link, number: int, verb: Verb, *, lock: bool
) -> _Opened | None:
    """Return what the link opens, for a verb about the board with that number."""
    if link.board:
        seat = open_seat(session, site.secrets, link, site.clock(), lock=lock)
        if seat is None:
            return None
        board, player = seat
        return _build_opened(player, board, link.seat, verb)
    owner = open_player(session, site.secrets, link)
    row = find_board(session, number, lock=lock) if owner and verb.has_board else None
    if owner is None or (row is None and verb.has_board):
        return None
    if row is None:
        return _Opened(owner)
    own = open_own_seat(session, owner, number) if verb.name == "move" else None
    return _build_opened(owner, *own, verb) if own else _Opened(owner, row.game, row.id, row.number)


def _build_opened(player: Player, board: Board, seat: int, verb: Verb) -> _Opened:
    votes = verb.name == "move" and not may_move(board, board.seats[seat], player.id)
    return _Opened(player, board.game.info.name, board.id, board.number, votes)


def _build_command(
    site: Site,
    session: Session,
    opened: _Opened,
    link: Link,
    verb: Verb,
    form: Mapping[str, str],
) -> Command | Click:
    """Return the command that a mail with these words would contain."""
    player = opened.player
    sender = Sender(via="web", player=player.id, seat_at=link.board)
    named = find_game_name(form.get("game", "")[:LONGEST])
    game = opened.game or (named if verb.game != "no" else "")
    if verb.game == "yes" and not game:
        return Click(problem=phrase("There is no game with that name."), field="game")
    call = site.call(session, Command(verb, sender))
    call.player = player
    words, numbers = _read(form, _WORDS).split(), list[str]()
    for slot, _ in _list_arguments(verb):
        value = _read(form, slot, LONGEST_TEXT if slot == "move" else LONGEST)
        if slot != "move":
            value = value.replace(",", " ")
        (numbers if slot in _NUMBERS else words).extend(value.split())
    words += _list_chosen(verb.fields(call, named) if verb.fields else (), form)
    words += numbers
    text = form.get("text", "").replace("\r\n", "\n") if _takes_text(verb) else ""
    return Command(
        verb,
        sender,
        game=game if verb.game != "no" else "",
        board=opened.board if verb.has_board else 0,
        user=player.userid,
        words=tuple(words),
        rest=" ".join(words),
        text=text,
    )


def _read(form: Mapping[str, str], name: str, longest: int = LONGEST) -> str:
    return " ".join(form.get(name, "")[:longest].split())


def _list_chosen(fields: Sequence[OptionField], form: Mapping[str, str]) -> Iterator[str]:
    """Yield the options that differ from their defaults, in written form. A name comes last, as it
    may contain blanks."""
    for field in sorted(fields, key=lambda field: field.name == "name"):
        value = _read(form, field.name)
        if field.kind == "flag":
            if value:
                yield field.head
        elif field.name in form and value != field.usual:
            yield f"{field.head}{value or 'none'}"


def _find_page(result: Submitted, number: int) -> str:
    """Return the page of the board or event that has begun, below the player's own; "" to stay."""
    for notice in result.notices:
        event = getattr(notice.content, "event", 0)
        thread = notice.thread
        if thread is not None and thread.board != number:
            return f"board/{thread.board}"
        if notice.is_answer and event and not number:
            return f"event/{event}"
    return ""
