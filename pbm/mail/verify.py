"""Verifies the passwords of a mail before any write lock is taken, and who it is from."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import cache

from msgspec.structs import replace

from pbm.core import player as bans
from pbm.core.authenticate import PasswordChecks, authenticate, find_senders
from pbm.core.call import MustWrite
from pbm.core.command import Command, NotACommand, Sender
from pbm.core.links import find_candidates
from pbm.core.log_view import LOG_SHOWN
from pbm.core.parser import read_line
from pbm.core.player import find_player, find_players_by_address
from pbm.core.refusal import Refusal
from pbm.core.storing import load
from pbm.core.talk import is_talk
from pbm.core.words import get_verb, is_verb
from pbm.features.finding.help import load_pages
from pbm.locale.intents import guess_language
from pbm.locale.pages import list_translated
from pbm.mail.additions import (
    can_act,
    digest_beginning,
    digest_endings,
    measure_banner,
    measure_ending,
    measure_paragraph,
)
from pbm.mail.answered import AnsweredText, find_quoted, find_typed, keep_lines, leave_out
from pbm.mail.body import html_to_text, list_texts
from pbm.mail.execute import COPIES_WITHIN
from pbm.mail.find_commands import FoundCommand, leave_out_card, remove_secret_text
from pbm.mail.letter import NO_REPLIES, NOTICE, REACTION, Letter, Machine
from pbm.mail.own_words import is_rule
from pbm.mail.paged_mail import build_page_of, has_page
from pbm.mail.pages import show_pages
from pbm.mail.read import IncomingMail, build_sender, find_commands
from pbm.mail.render import list_sentences, list_whole_texts
from pbm.mail.services import MailServices
from pbm.store import inbound_queue, reads
from pbm.store.inbound_queue import find_endings, has_begun
from pbm.store.mail_outcome import MailOutcome, MailResult
from pbm.store.reads import (
    find_board,
    find_latest_texts,
    find_sent_language,
    find_sent_texts,
)
from pbm.store.transaction import Session

_MOST_ANSWERED = 5
_SAID = ("ask", "offer yes")
"""The verbs of words in a reply that are no command: questions, wishes, and a yes or no."""
_BANNED = MailResult(MailOutcome.BANNED, "banned")


def verify_mail(services: MailServices, session: Session, mail: IncomingMail) -> IncomingMail:
    """Return the mail without the lines of the mails that it answers, with its commands' passwords
    verified, and with its pages when it asks for pages only; ignored when its sender is banned. The
    session only reads."""
    mail = _find_own(services, session, mail)
    letter = mail.letter
    if letter is None or mail.ignored is not None or mail.bounce is not None:
        return mail
    kind = bans.find_ban_kind(session, letter.sender)
    if kind == bans.BAN:
        return replace(mail, entries=(), ignored=_BANNED)
    if kind == bans.STOP:
        mail = replace(mail, is_stopped=True)
    mail = _read_as_answer(services, session, mail, letter)
    mail = _add_language(session, mail, letter)
    if not mail.entries:
        return mail
    asker = mail.asker if mail.is_stranger else None
    checks = PasswordChecks(services.secrets, services.config, services.guesses, asker)
    entries = _verify_entries(session, mail.entries, checks, mail.received)
    proofs = [each.command.proof for each in entries if each.command is not None]
    proven = next((proof[0] for proof in proofs if proof is not None), 0)
    mail = replace(
        mail,
        entries=entries,
        guessed=tuple(checks.wrong),
        vain=checks.vain if mail.is_stranger else 0,
        is_unchecked=checks.is_unchecked,
        proven=proven,
        is_verified=True,
    )
    sender, asks_for_pages = entries[0].sender, mail.asks_for_pages
    if proven:
        mail = _drop_forged_sender(session, mail)
    elif asks_for_pages or sender.token is None or sender.token.is_reference:
        is_unknown = not find_players_by_address(session, sender.address)
        mail = replace(mail, is_unknown=is_unknown)
    if asks_for_pages and not mail.is_unknown:
        return _add_pages(services, session, mail, letter)
    return mail


def _find_own(services: MailServices, session: Session, mail: IncomingMail) -> IncomingMail:
    """Return the mail with the commands of what is its writer's own."""
    letter = mail.letter
    if letter is None or (mail.bounce is not None and mail.bounce.reports):
        return mail
    own = letter
    if _is_persons(services, session, mail, letter):
        own = replace(letter, machine=Machine.NO, mark="")
        mail = replace(mail, letter=own, ignored=None, bounce=None)
    if mail.ignored is not None or mail.bounce is not None:
        return mail
    own = leave_out_quotes(session, mail, mail.to or services.config.server.address) or own
    lines = (*own.own_lines, *own.signature)
    mail = replace(mail, beginning=digest_beginning(lines), endings=tuple(digest_endings(lines)))
    own = leave_out_additions(session, mail, own)
    return mail if own is letter else find_commands(services, mail, own)


def _is_persons(
    services: MailServices, session: Session, mail: IncomingMail, letter: Letter
) -> bool:
    """Whether a mail with the marks of bulk mail answers one of the server's and went to the
    genuine reply address of its writer: the marks only say how it travelled."""
    if letter.machine is not Machine.SOFT or letter.mark in (NOTICE, REACTION, NO_REPLIES):
        return False
    if mail.token is None or not (mail.answers or letter.is_reply):
        return False
    asked = Command(get_verb("help"), Sender(letter.sender, mail.token))
    people = find_senders(session, asked, mail.received, services.secrets, services.config)
    return bool(people)


def _read_as_answer(
    services: MailServices, session: Session, mail: IncomingMail, letter: Letter
) -> IncomingMail:
    """Return a reply to what somebody wrote, without a command of its own, with the one that sends
    its words back. At a board the first line may be a move: there the board decides."""
    sender = build_sender(services, mail, letter)
    is_own = any(
        entry.command is None or entry.command.verb.name not in _SAID for entry in mail.entries
    )
    if is_own or sender.token is None or sender.board or not sender.is_person:
        return mail
    told = reads.find_words_passed_on(session, sender.answers)
    text = "\n".join(letter.own_lines).strip()
    first = text.partition("\n")[0]
    if (
        told is None
        or told.answer in _SAID
        or is_verb(first)
        or not is_talk(first, lambda _: False, is_over=True)
    ):
        return mail
    try:
        command = replace(read_line(told.answer, sender, text), implied=True)
    except (NotACommand, Refusal):
        return mail  # the answer is one at a board, and the mail went to another address
    people = find_senders(session, command, mail.received, services.secrets, services.config)
    if told.player_id not in {player.id for player in people}:
        return mail
    entry = leave_out_card(FoundCommand(sender, command), letter.withheld)
    return replace(mail, entries=(entry,))


def _add_language(session: Session, mail: IncomingMail, letter: Letter) -> IncomingMail:
    """Return a stranger's mail with the language in which it is answered: that of the mail that it
    answers, else the one in which it is plainly written."""
    is_proven = mail.token is not None and mail.token.is_of_player and not mail.token.is_reference
    if is_proven:
        return mail
    language = find_sent_language(session, mail.answers[:_MOST_ANSWERED]) if mail.answers else ""
    language = language or guess_language("\n".join([letter.subject, *letter.own_lines]))
    if not language or find_players_by_address(session, letter.sender):
        return mail
    entries = []
    for entry in mail.entries:
        sender = replace(entry.sender, language=language)
        command = entry.command and replace(entry.command, sender=sender)
        entries.append(replace(entry, sender=sender, command=command))
    return replace(mail, entries=tuple(entries), language=language)


def _verify_entries(
    session: Session, entries: Sequence[FoundCommand], checks: PasswordChecks, now: float
) -> tuple[FoundCommand, ...]:
    """Return the entries with their passwords verified and without texts that should not travel."""
    passwords = {entry.command.password for entry in entries if entry.command is not None}
    passwords -= {""}
    # Any word of a line that cannot be read may be one.
    passwords.update(
        word
        for each in entries
        if each.command is None and each.meant is not None
        for word in find_candidates(each.meant.words)
        if not is_verb(word.lower())
    )

    def exists(name: str) -> bool:
        return find_player(session, name) is not None

    verified = []
    for entry in entries:
        if entry.meant is not None:
            entry = entry.change(remove_secret_text(entry.meant, passwords, exists))
        if entry.command is not None:
            entry = replace(entry, command=authenticate(session, entry.command, checks, now))
        verified.append(entry)
    return tuple(verified)


def _add_pages(
    services: MailServices, session: Session, mail: IncomingMail, letter: Letter
) -> IncomingMail:
    """Return the mail with the pages that it asks for, unless a board has to be woken for them."""
    now = mail.received
    senders_of_each = [
        find_senders(session, command, now, services.secrets, services.config)
        for command in mail.commands
    ]
    player = next((people[0] for people in senders_of_each if people), None)
    try:
        pages = show_pages(services, session, mail.entries, player, letter.sender, mail.peer, now)
    except MustWrite:
        return mail
    return replace(mail, pages=pages)


def _drop_forged_sender(session: Session, mail: IncomingMail) -> IncomingMail:
    """Return a mail that a password proves to be a player's. When From is not an address of that
    player, the entries without a proof lose it as sender, so that nothing is answered to its
    owner."""
    if all(entry.command and entry.command.proof for entry in mail.entries):
        return mail
    sender = mail.entries[0].sender
    if any(player.id == mail.proven for player in find_players_by_address(session, sender.address)):
        return mail
    entries = []
    for entry in mail.entries:
        if entry.command is None or entry.command.proof is None:
            nobody = replace(entry.sender, address="")
            command = entry.command and replace(entry.command, sender=nobody)
            entry = replace(entry, sender=nobody, command=command)
        entries.append(entry)
    return replace(mail, entries=tuple(entries))


# The texts of the mails that a reply answers, so that nothing of them acts where it is quoted.

_MOST_LATEST = 12
_MANY = 2
"""A paragraph that begins the mails of this many players is a gateway's banner."""
_LETTER = "press "
_OFFERED = re.compile(r"^\S.*:\r?\n(?: {4}\S.*\r?\n|[ \t]*\r?\n(?= {4}\S))+", re.MULTILINE)
"""Lines that a mail tells its reader to send: indented below a colon."""
_FACT = re.compile(r"\[\w+ \".*\"\]")
"""A line of the block for programs, with which our mails end."""
_FILLED_IN = re.compile(r"{\w+}")
_WORD = re.compile(r"[^\W\d_]{4,}")
_PARAGRAPH = re.compile(r"\r?\n\r?\n")


def leave_out_quotes(session: Session, mail: IncomingMail, server: str) -> Letter | None:
    """Return the letter of a reply without the lines of the mails that it answers; None when that
    changes nothing. `server` is our address.

    Their texts are kept for some time. Of a mail whose text is not there any more, or that the
    reply does not name, the latest mails to its sender stand in, and else what our mails say to
    everybody."""
    letter = mail.letter
    if letter is None:
        return None
    is_answer = mail.token is not None or bool(mail.answers) or letter.is_reply
    own = [line for line in letter.own_lines if line.strip()]
    is_one = len(own) < 2 and bool(letter.unquoted)
    if not is_answer or (is_one and not (letter.signature or letter.quoted)):
        return None
    players = find_players_by_address(session, letter.sender)
    known = [player.id for player in players]
    numbers = mail.answers[:_MOST_ANSWERED]
    sent = find_sent_texts(session, numbers, letter.sender, known) if numbers else []
    typed = _find_typed(letter, sent) if letter.quoted and sent else []
    letter = replace(letter, withheld=(*letter.withheld, *typed))
    if is_one and not letter.signature:
        return letter if typed else None
    texts = [text for raw in sent for text in _list_texts(raw)]
    use_latest = known and not texts
    latest = find_latest_texts(session, letter.sender, known, _MOST_LATEST) if use_latest else []

    def find(letter: Letter) -> set[int]:
        if texts:
            return _find_without_offered(letter, texts)
        userids = [player.userid.lower() for player in players]
        quoted = find_quoted(letter, _join(latest))
        for omit in ([server], [server, *userids]):
            quoted |= find_quoted(letter, _read_templates(), omit)
        return quoted

    signature, above = letter.signature, ("",) * len(letter.signature)
    below = replace(letter, own_lines=signature, above=above, unquoted=0)
    ours = find(below) if signature else set[int]()
    quoted = set[int]() if is_one else find(letter)
    kept = leave_out(letter, quoted) if quoted else letter
    rest = leave_out(below, ours) if ours else below
    others = (*rest.withheld[len(letter.withheld) :], *rest.own_lines)
    if others and (numbers or ours) and not texts:
        # Without the mail, what is its quote cannot be told; what stands below all that is known of
        # it is the writer's, and so may be the first line above, and those with words of their own.
        known = [at for at, line in enumerate(signature) if at in ours or _FACT.match(line)]
        is_quote = bool(known) and (is_rule(others[0]) or ":" in others[0])
        first = () if is_quote else (others[0] + " ..." * (len(others) > 1),)
        between = range(_count_fields(signature), known[-1] if known else 0)
        foreign = _list_foreign([signature[at] for at in between if at not in known], letter)
        last = signature[known[-1] + 1 :] if known else ()
        others = (*first, *foreign, *(each for each in last if each.strip() and not _is_row(each)))
    return replace(kept, signature=others) if quoted or typed or others != signature else None


def _find_typed(letter: Letter, sent: Sequence[bytes]) -> list[str]:
    """Return the lines behind the marks of a quote that the writer typed there. Most programs quote
    the text part: the other one, which takes longer, is read only where that is not enough."""
    texts = AnsweredText(text for raw in sent for text in list_texts(raw))
    typed = find_typed(letter.quoted, texts, anywhere=True)
    return find_typed(letter.quoted, _join(sent)) if typed else []


def _count_fields(lines: Sequence[str]) -> int:
    """Return how many of the first lines are a rule or have a colon, as a quote's header has."""
    is_head = (is_rule(line) or ":" in line for line in lines)
    return next((at for at, each in enumerate(is_head) if not each), len(lines))


def _list_foreign(lines: Sequence[str], letter: Letter) -> list[str]:
    """Return the lines, from the margin on, with a word that is in no sentence of ours, in the
    subject or in the facts at the end of the mail: somebody typed them there, or wrote them to the
    reader."""
    facts = filter(_FACT.match, letter.signature)
    known = _read_words().union(_list_words([letter.subject, *facts]))
    return [
        line for line in lines if line[:1].strip() and not known.issuperset(_list_words([line]))
    ]


def _is_row(line: str) -> bool:
    """Whether a line may be a row of a board: it begins with a blank, and has no words."""
    return not line[:1].strip() and not _list_words([line])


def _list_words(texts: Iterable[str]) -> list[str]:
    return [word for text in texts for word in _WORD.findall(text.casefold())]


@cache
def _read_words() -> frozenset[str]:
    """Return the words of what our mails say."""
    return frozenset(_list_words((*list_sentences(), *list_whole_texts())))


def _find_without_offered(letter: Letter, texts: Sequence[str]) -> set[int]:
    """Return the numbers of the own lines of a reply that are quotes of these texts. A letter to
    other players that came back, with which the reply begins, is the reader's own as far as no
    other quote: our mail has its lines to be sent again. Nothing else that we wrote is."""
    quoted = find_quoted(letter, AnsweredText(texts))
    begins = next((line for line in letter.own_lines if line.strip()), "")
    if not quoted or not begins.strip().lower().startswith(_LETTER):
        return quoted
    others = find_quoted(letter, AnsweredText(_list_without_offered(texts)))
    first = min(others, default=len(letter.own_lines))
    return {number for number in quoted if number in others or number > first}


def _list_without_offered(texts: Sequence[str]) -> list[str]:
    """Return the texts of a mail without the lines that it tells its reader to send; in its HTML
    they stand with other marks."""
    found = [each[0].split("\n")[1:] for text in texts for each in _OFFERED.finditer(text)]
    offered = {line.strip() for lines in found for line in lines}
    return [
        "\n".join(line for line in text.split("\n") if line.strip() not in offered)
        for text in texts
    ]


def leave_out_additions(session: Session, mail: IncomingMail, letter: Letter) -> Letter:
    """Return the letter without what programs add: a banner above it, by its shape or because mails
    of others began with it too, or of the same player, where an act may stand below; and below it
    what mails of the same player ended with. The writer is told of all that: of an ending that has
    been left out before, its first line."""
    lines = letter.own_lines
    known = [player.id for player in find_players_by_address(session, letter.sender)]
    top = measure_banner(lines, letter.sender)
    first = 0 if top else measure_paragraph(lines)
    own = known if any(map(can_act, lines[first:])) else []
    if first and has_begun(session, mail.beginning, own, _MANY):
        top = first
    both = (*lines, *letter.signature)
    ending, times = measure_ending(both, find_endings(session, known) if len(both) > 1 else ())
    if (top or ending) and _takes_orders(session, mail):
        top, ending = 0, min(ending, len(letter.signature))
    numbers = [at for at, line in enumerate(both) if line.strip()]
    first_below = numbers[-ending] if ending else len(both)
    if not top and first_below >= len(lines) and not letter.signature:
        return letter
    told = numbers if times == 1 else numbers[: len(numbers) - ending]
    withheld = [both[at] for at in told if at < top or at >= min(first_below, len(lines))]
    if times > 1 and first_below < len(lines):
        withheld.append(both[first_below] + (" ..." if ending > 1 else ""))
    kept = keep_lines(letter, range(top, min(first_below, len(lines))))
    return replace(kept, withheld=(*letter.withheld, *withheld))


def _takes_orders(session: Session, mail: IncomingMail) -> bool:
    """Whether all lines of the mail may be orders: those of one year may well be the next one's."""
    token = mail.token
    row = find_board(session, token.number) if token is not None and token.kind == "b" else None
    return row is not None and load(session, row.id, lock=False).position.takes_orders


def _join(mails: Sequence[bytes]) -> AnsweredText:
    return AnsweredText(text for raw in mails for text in _list_texts(raw))


def _list_texts(raw: bytes) -> list[str]:
    """Return the texts of an outgoing mail as it was sent: a page with a picture is made when it is
    sent, and where there is none, the board as text stands below the page's first line."""
    texts = list_texts(raw)
    if has_page(raw):
        page = html_to_text(build_page_of(raw))
        title, board = page.partition("\n")[0], _PARAGRAPH.split(texts[0], maxsplit=1)[-1]
        texts += [page, f"{title}\n{board}"]
    return texts


@cache
def _read_templates() -> AnsweredText:
    """Return what stands in our mails whoever reads them."""
    pages = (_FILLED_IN.sub("", page) for page in (*load_pages().values(), *list_translated()))
    return AnsweredText((*list_whole_texts(), *pages))


# Reads at once what a batch of mails will most likely ask of the database.


def prefetch_senders(session: Session, mails: Sequence[IncomingMail]) -> None:
    """Read what verifying these mails asks of their senders, and of the players they name."""
    senders = {mail.letter.sender for mail in mails if mail.letter is not None}
    reads.prefetch_owners(session, senders)
    bans.prefetch_bans(session, senders)
    reads.prefetch_players(session, _list_named(mails))


def claim_mails(session: Session, mails: Sequence[IncomingMail]) -> None:
    """Claim these mails and read the present data that executing them needs."""
    session.prefetched = None
    if not mails:
        return
    since = min(mail.received for mail in mails) - COPIES_WITHIN
    inbound_queue.prefetch(
        session, {mail.number: mail.fingerprint or None for mail in mails}, since
    )
    reads.prefetch_players(session, _list_named(mails))
    commands = [command for mail in mails for command in mail.commands]
    numbers = {command.board or command.sender.board for command in commands} - {0}
    reads.prefetch_boards(session, numbers, LOG_SHOWN)


def _list_named(mails: Sequence[IncomingMail]) -> set[str]:
    """Return the userids that the commands of these mails name, in lower case."""
    return {command.user.lower() for mail in mails for command in mail.commands} - {""}
