"""Addresses the mails of notices, composes them and puts them into the outgoing queue. Headers are
written by hand: that is fast, and nothing a player typed can become a header."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Mapping, Sequence
from email.header import Header
from email.utils import formatdate
from functools import partial
from types import MappingProxyType
from typing import Any
from urllib.parse import quote as percent

import msgspec
import structlog
from msgspec import Struct
from msgspec.structs import replace

from pbm.config import Config
from pbm.core.authenticate import pack_offer
from pbm.core.command import Command
from pbm.core.feature import find_replies
from pbm.core.links import make_address_stop_link, make_player_link, make_seat_link, make_stop_link
from pbm.core.notices import Attachment, BoardUpdate, Figure, Notice, Preview, Thread, Told
from pbm.core.outgoing import Addressed, OutgoingMail, add_lines
from pbm.core.player import UNSET_PASSWORD, find_locale, has_stopped, parse_preferences
from pbm.core.proofs import Proof
from pbm.core.secrets import Secrets, bind_member
from pbm.core.storing import find_title
from pbm.core.submit import CommandService
from pbm.core.trust import let_through
from pbm.features.accounts.notices import Invitation, OneTimeCode
from pbm.features.events.notices import EventContent
from pbm.features.finding.notices import HelpPage
from pbm.locale import ENGLISH, get_language, translate
from pbm.locale.words import reply_word
from pbm.logs import place
from pbm.mail.paged_mail import (
    BOUNDARY,
    ENCODED,
    build_part,
    encode_quoted_printable,
    encode_text,
    end_lines,
    end_lines_of_picture,
    join_lines,
    store_page,
)
from pbm.mail.picture_page import CHOICE, FigurePlace, PageFacts, WaitingLine
from pbm.mail.render import (
    Text,
    build_title,
    get_content_name,
    render,
    render_parts,
    write_standing,
)
from pbm.pictures.mailed_board import write_lesson
from pbm.rules.phrases import capitalize, pack, phrase, unpack
from pbm.store import outbound_queue, reads
from pbm.store.prefetched import Reader
from pbm.store.transaction import Session

_STOPPED_BY = {
    "set digest=no": "digest",
    "set broadcasts=no": "broadcasts",
    "set events=no": "announcements",
}
"""What a link that stops mails names, by the command that stops them."""
_TAG = re.compile(r"^\[[^\]]*\] ")
"""What the subject of a mail begins with."""
_NO_PREFERENCES: Mapping[str, str] = MappingProxyType({})


class Composer:
    """Composes the bytes of outgoing mails."""

    def __init__(self, config: Config, secrets: Secrets) -> None:
        self._config = config
        self._secrets = secrets
        self._dates: tuple[int, str] = (0, "")

    def compose(
        self,
        notice: Notice,
        recipient: str,
        number: int,
        now: float,
        answers: str = "",
        *,
        stored: str = "",
        preferences: Mapping[str, str] = _NO_PREFERENCES,
        sender: str = "",
    ) -> bytes:
        """Return one mail to one address. `answers` is the Message-ID of the mail it answers,
        `stored` the hash of the player's password, which its token is bound to, `sender` the
        address of the server that it comes from, if not the first."""
        sender = sender or self._config.server.address
        hidden = self._secrets.hide_number(number)
        host = sender.rpartition("@")[2]
        token = self._make_token(notice, stored, now)
        reply_to = _add_tag(sender, token) if token else ""
        proof = _find_proof("" if notice.code else token)
        link = self._build_link(notice, stored) if preferences.get("web") != "no" else ""
        content = notice.content
        drawing = None if content.is_in_words else content.drawing
        usual = notice.language or self._config.server.language
        language = find_locale(preferences, usual)
        picture = translate(drawing.picture.text, language) if drawing is not None else ""
        text = render_parts(
            notice,
            self._config,
            picture,
            subject=preferences.get("subject", "names"),
            link=link,
            proof=proof,
            has_password=not stored.startswith(UNSET_PASSWORD),
            server=sender,
            language=language,
        )
        subject = text.subject
        head = [
            f"From: {_write_name(self._config.server.name)} <{sender}>",
            f"To: {recipient if _is_safe(recipient) else _make_safe(recipient)}",
            f"Subject: {_format_header(subject)}",
            f"Date: {self._format_date(now)}",
            f"Message-ID: <{self._find_reference(notice, token)}-{hidden}@{host}>",
        ]
        if token:
            head.append(f"Reply-To: {reply_to}")
        references = self._list_references(notice, answers, host)
        if references:
            head.append(f"In-Reply-To: {references[-1]}")
            head.append("References: " + "\r\n ".join(references))
        head.append(f"Auto-Submitted: {'auto-replied' if notice.is_answer else 'auto-generated'}")
        head.append("X-Auto-Response-Suppress: All")
        if (spoken := get_language(language)) != ENGLISH:
            head.append(f"Content-Language: {spoken}")
        if content.is_personal:
            head.append("Sensitivity: Private")
        head += self._build_unsubscribe(notice, recipient, reply_to or sender, stored)
        shown = end_lines_of_picture(text.picture)
        body = f"{end_lines(text.before)}{shown}{end_lines(text.after)}"
        attachment = content.attachment
        if attachment is not None:
            return _join_attachment(head, body, attachment)
        if preferences.get("mail") != "text":
            takes_orders = drawing is not None and drawing.appearance.takes_orders
            club, colour = content.sender
            standing = write_standing(content, partial(translate, language=language))
            facts = PageFacts(
                picture=_find_picture(text, picture),
                kept=_count_orders(picture) if takes_orders else 0,
                subject=subject,
                reply_to=reply_to,
                link_label=translate(content.link_label, language),
                link_text=translate(_find_link_text(notice), language),
                choice=translate(CHOICE, language),
                language=language,
                link=link,
                content_id=f"board.{hidden}@{host}",
                headline=_find_headline(notice, subject, language),
                proof=proof,
                club=club or self._config.server.name,
                colour=colour or self._config.server.colour,
                is_help=isinstance(content, HelpPage),
                yes=_find_answer(notice, language),
                is_offer=content.offered is not None,
                standing=standing,
                waiting=self._list_waiting(notice, stored, sender, language),
            )
            if not token:
                return store_page(head, body, None, facts)
            figures = _place_figures(text.body, content.list_figures(language))
            facts = replace(facts, figures=[place for place, _ in figures])
            lessons = [write_lesson(each.game, each.lesson, language) for _, each in figures]
            return store_page(head, body, drawing, facts, lessons)
        headers, written = encode_text(body)
        head += ["MIME-Version: 1.0", *headers]
        return join_lines(*head, "", written)

    def _build_link(self, notice: Notice, stored: str) -> str:
        """Return the URL of the page of a code, of a seat, of the board for who watches it, of a
        player's event, or of the player's own page in a mail to that player alone; "" where there
        are no pages, or for other mails."""
        thread, url = notice.thread, self._config.web.url.rstrip("/")
        if notice.code:
            folder = "join" if _is_invitation(notice) else "c"
            return f"{url}/{folder}/{notice.code}" if url else ""
        if not (url and stored and notice.player):
            return ""
        if thread is None:
            content = notice.content
            event = content.event if isinstance(content, EventContent) else 0
            if not (content.has_home or event):
                return ""
            link = make_player_link(self._secrets, notice.player, stored, notice.addresses)
            return f"{url}/u/{link}/event/{event}" if event else f"{url}/u/{link}"
        if thread.seat is None:
            return f"{url}/board/{thread.board}" if self._config.web.public else ""
        part = make_seat_link(self._secrets, thread.board, thread.seat, stored, notice.addresses)
        return f"{url}/s/{part}"

    def _build_unsubscribe(
        self, notice: Notice, recipient: str, reply_to: str, stored: str
    ) -> list[str]:
        """Return the fields by which a mail program stops mails like this one: a mail to send (RFC
        2369), and where there are pages that it can reach, a link that does it by one click (RFC
        8058). The link belongs to whoever the mail goes to, and is worth nothing else. None in a
        mail that brings a code, which somebody asked for, and in those to the operator."""
        what, line = _find_stop(notice)
        if not line:
            return []
        mail = f"<mailto:{reply_to}?subject={percent(line, safe='')}>"
        url = self._config.web.url.rstrip("/")
        if not url.startswith("https://"):
            return [f"List-Unsubscribe: {mail}"]
        link = (
            make_stop_link(self._secrets, what, notice.player, stored)
            if what
            else make_address_stop_link(self._secrets, recipient)
        )
        return [
            f"List-Unsubscribe: <{url}/stop/{link}>,\r\n {mail}",
            "List-Unsubscribe-Post: List-Unsubscribe=One-Click",
        ]

    def build_envelope_sender(self, number: int, sender: str = "") -> str:
        """Return the envelope sender of a mail, unique to it, so that a bounce names the mail."""
        token = self._secrets.make_delivery_token(number)
        return _add_tag(sender or self._config.server.address, token)

    def _list_waiting(
        self, notice: Notice, stored: str, sender: str, language: str
    ) -> list[WaitingLine]:
        """Return the boards of a list that wait for its reader, each with the reader's own reply
        address. There are none in an answer that goes to nobody known."""
        if not (notice.player and stored):
            return []
        return [
            WaitingLine(
                number=str(each.thread.board),
                names=" - ".join(each.thread.names),
                asked=translate(each.asked, language),
                reply_to=_add_tag(
                    sender, self._make_board_token(each.thread, notice.player, stored)
                ),
                subject=build_title(each.thread),
                answer=translate(phrase("Reply"), language),
                show=reply_word("show", language),
            )
            for each in notice.content.waiting
        ]

    def _make_board_token(self, thread: Thread, player: int, stored: str) -> str:
        return self._secrets.make_board_token(
            thread.board,
            thread.seat or 0,
            thread.ply,
            thread.undos,
            bind_member(stored, player if thread.is_party else 0),
        )

    def _make_token(self, notice: Notice, stored: str, now: float) -> str:
        thread = notice.thread
        if notice.code:
            return notice.code
        if thread is not None and thread.seat is not None:
            return self._make_board_token(thread, notice.player, stored)
        if not notice.player:
            return ""
        return self._secrets.make_player_token(notice.player, stored, now, notice.about)

    @staticmethod
    def _find_reference(notice: Notice, token: str) -> str:
        """Return what the Message-ID says that the mail is about: the token without its tag."""
        return "n" if notice.code else token.rpartition("-")[0] or "n"

    @staticmethod
    def _list_references(notice: Notice, answers: str, host: str) -> list[str]:
        """Return the thread of what it is about first, so that mail programs show each as one
        conversation."""
        references = []
        if notice.thread is not None:
            references.append(f"<board.{notice.thread.board}@{host}>")
        if (replies := find_replies(notice.about[:1])) is not None:
            references.append(f"<{replies.name}.{notice.about[1:]}@{host}>")
        if notice.is_answer and answers:
            references.append(answers)
        return references

    def _format_date(self, now: float) -> str:
        second = int(now)
        if self._dates[0] != second:
            self._dates = (second, formatdate(second, usegmt=False))
        return self._dates[1]


def _add_tag(address: str, tag: str) -> str:
    local, _, host = address.rpartition("@")
    return f"{local}+{tag}@{host}"


def _find_stop(notice: Notice) -> tuple[str, str]:
    """Return what a link that stops mails like this one names, "" for all to an address that is
    nobody's, and the command that stops them; two empty texts where nothing is to be stopped."""
    thread, content = notice.thread, notice.content
    if _is_invitation(notice):
        return "", content.stopped_by
    if isinstance(content, OneTimeCode) or notice.code:
        return "", ""
    if not notice.player:
        is_asked_for = notice.is_answer or isinstance(content, Invitation)
        return "", "stop" if is_asked_for else ""
    if thread is not None and thread.seat is None:
        return f"watch-{thread.board}", f"{thread.game} unwatch {thread.board}"
    if content.stopped_by:
        return _STOPPED_BY[content.stopped_by], content.stopped_by
    return notice.mail_kind, f"stop {notice.mail_kind}"


def _find_headline(notice: Notice, subject: str, language: str) -> str:
    """Return what stands above a page about no board: its subject, or the game that it explains."""
    content = notice.content
    if notice.thread is not None:
        return ""
    if isinstance(content, HelpPage) and content.topic in content.games:
        return translate(find_title(content.topic), language)
    news = _TAG.sub("", subject)
    return capitalize(news) if isinstance(content, HelpPage) else news


def _find_link_text(notice: Notice) -> str:
    """Return what stands on the button that opens the link of a mail."""
    content = notice.content
    if notice.thread is not None or notice.code:
        return content.link_text
    if isinstance(content, EventContent) and content.event:
        return phrase("Open the event")
    return phrase("Open your page")


def _find_proof(token: str) -> Proof:
    """Return what a reply to a mail with that token, which is no code, proves."""
    if not token:
        return Proof.NOTHING
    return Proof.BOARD_ADDRESS if token.startswith("b") else Proof.PLAYER_ADDRESS


def _find_answer(notice: Notice, language: str) -> str:
    """Return what a mail waits for in reply: a yes to a code or to what it offers, or the turn that
    it shows; "" where it waits for nothing."""
    if isinstance(notice.content, Preview):
        return translate(notice.content.turn, language)
    is_code = bool(notice.code) and not _is_invitation(notice)
    return reply_word("yes", language) if notice.content.offered is not None or is_code else ""


def _is_invitation(notice: Notice) -> bool:
    """Whether a mail brings an invitation, rather than a code."""
    return notice.code.startswith("i")


def _format_header(text: str) -> str:
    """Return a header's text, folded when long and encoded (RFC 2047) when not ASCII."""
    if text.isascii() and len(text) <= 180:
        return text
    if text.isascii():
        return "\r\n ".join(textwrap.wrap(text, 180, break_on_hyphens=False)) or ""
    return Header(text, "utf-8", maxlinelen=75).encode(linesep="\r\n")


def _write_name(club: str) -> str:
    """Return the name of the sender: that of the club, in quotes where it is no plain words."""
    if not club.isascii():
        return _format_header(club)
    return f'"{club}"' if re.search(r"[^\w ]", club) else club or "pbm"


def _is_safe(text: str) -> bool:
    return text.isascii() and text.isprintable()


def _make_safe(text: str) -> str:
    """Return a header's text with every character replaced that could end the header."""
    return "".join(letter if " " <= letter <= "~" else "?" for letter in text)


def _find_picture(text: Text, picture: str) -> tuple[int, int]:
    """Return where in the text the board begins and ends; twice 0 where it does not stand there."""
    start = len(text.before) if text.picture else text.before.find(picture)
    return (start, start + len(picture)) if picture and start >= 0 else (0, 0)


def _place_figures(text: str, figures: Sequence[Figure]) -> list[tuple[FigurePlace, Figure]]:
    """Return the figures that stand in the text, with their places."""
    placed, start, end = list[tuple[FigurePlace, Figure]](), -1, 0
    for figure in figures:
        if figure.text:
            start = text.find(figure.text, end)
        elif start >= 0:
            start = end
        if start >= 0:
            end = start + len(figure.text)
            placed.append(((start, end, figure.caption), figure))
    return placed


def _count_orders(picture: str) -> int:
    """Return the length of what a board of orders says below its first lines and its list."""
    return len(picture) - len("\n\n".join(picture.split("\n\n")[:2]))


def _join_attachment(head: list[str], body: str, attachment: Attachment) -> bytes:
    """Return a multipart/mixed mail: the text, then the file."""
    kind = f'Content-Type: multipart/mixed; boundary="{BOUNDARY}"'
    return join_lines(
        *head,
        "MIME-Version: 1.0",
        kind,
        "",
        *build_part(BOUNDARY, "plain", body),
        f"--{BOUNDARY}",
        f'Content-Type: {attachment.kind}; charset=utf-8; name="{attachment.name}"',
        f'Content-Disposition: attachment; filename="{attachment.name}"',
        ENCODED,
        "",
        encode_quoted_printable(attachment.text),
        f"--{BOUNDARY}--",
        "",
    )


def build_outbound_row(composer: Composer, mail: OutgoingMail) -> dict[str, Any]:
    """Return the row of the outgoing queue for one mail."""
    notice = mail.notice
    return {
        "id": mail.number,
        "inbound_id": mail.inbound,
        "board_id": notice.thread.board if notice.thread is not None else None,
        "player_id": notice.player or None,
        "envelope_from": composer.build_envelope_sender(mail.number, mail.sender),
        "recipient": mail.address,
        "message": composer.compose(
            notice,
            mail.address,
            mail.number,
            mail.created,
            mail.answers,
            stored=mail.stored,
            preferences=mail.preferences,
            sender=mail.sender,
        ),
        "state": "waiting",
        "created": mail.created,
        "next_attempt": mail.due,
        "content": get_content_name(type(notice.content)),
        "told": mail.told,
        "offer": pack_offer(notice.content.offered),
        "answer": notice.content.answer,
        "precedence": _find_precedence(notice),
    }


def _find_precedence(notice: Notice) -> int:
    """Return how soon a mail goes out when many wait: those of the reader's own boards first, moves
    and all else about them, which keep their order; then those to players, and strangers last."""
    if notice.thread is not None and notice.thread.seat is not None:
        return 0
    return 1 if notice.player else 2


# The postbox: a notice is wanted or not, addressed, composed and queued.

log = structlog.get_logger()
_NOBODY = Reader()


class Postbox:
    """What a CommandService sends its notices through."""

    def __init__(self, config: Config, secrets: Secrets) -> None:
        self._config = config
        self._composer = Composer(config, secrets)

    def address_notices(
        self,
        session: Session,
        notices: Sequence[Notice],
        now: float,
        *,
        inbound: int | None,
        answers: str,
        to: str = "",
    ) -> Addressed:
        """Number a mail for each address of each notice that is let through; a bot's answer goes
        out in the place of what waits for it. Answers come from the address that was written to,
        other mails from the one that their reader last wrote to, if the server still writes from
        it."""
        readers = reads.find_readers(session, {each.player for each in notices if each.addresses})
        wanted = [each for each in notices if _is_wanted(each, readers, inbound)]
        sent, unanswered = let_through(session, wanted, now, self._config, self._describe)
        notices = add_lines(session, sent, now, self._config)
        pairs = [(notice, address) for notice in notices for address in notice.addresses]
        if not pairs:
            return Addressed((), unanswered)
        numbers = outbound_queue.reserve_numbers(session, len(pairs))
        mails = []
        for (notice, address), number in zip(pairs, numbers, strict=True):
            reader = readers.get(notice.player, _NOBODY)
            sender = (to if notice.is_answer else "") or reader.writes_to
            mails.append(
                OutgoingMail(
                    notice,
                    address,
                    number,
                    now,
                    answers,
                    inbound,
                    reader.binding,
                    parse_preferences(reader.preferences),
                    self._config.find_sender(sender) or self._config.server.address,
                    due=now,
                )
            )
        waiting = find_waiting(session, notices, now)
        return Addressed([take_in(session, mail, waiting) for mail in mails], unanswered)

    def post(self, session: Session, mails: Sequence[OutgoingMail]) -> list[dict[str, Any]]:
        """Compose these mails and enqueue them; their rows."""
        rows = [build_outbound_row(self._composer, mail) for mail in mails]
        if rows:
            outbound_queue.enqueue(session, rows)
        return rows

    def _describe(self, notice: Notice, language: str) -> tuple[str, str]:
        """Return the kind of a notice and its news, in words for its reader."""
        subject, _ = render(notice, self._config, subject="news", language=language)
        return get_content_name(type(notice.content)), subject


def _is_wanted(notice: Notice, readers: Mapping[int, Reader], inbound: int | None) -> bool:
    """Whether a notice goes out by mail: not of a kind that its reader has stopped. Answers to
    mails go out, and codes that somebody asked for."""
    reader = readers.get(notice.player)
    if reader is None or notice.content.goes_anyway:
        return True
    if notice.is_answer and inbound is not None:
        return True
    return not has_stopped(parse_preferences(reader.preferences), notice.mail_kind)


def build_service(config: Config, secrets: Secrets) -> CommandService:
    """Return the service that executes commands and mails what they cause."""
    return CommandService(config, secrets, Postbox(config, secrets), _report)


def _report(command: Command, error: Exception) -> None:
    log.error(
        "command failed",
        verb=command.verb.name,
        board=command.board or command.sender.board,
        error=type(error).__name__,
        at=place(error),
    )


# Mails that wait for a bot's answer: where it comes at once, one mail tells both, and is sent in
# the place of two.
#
# Such a mail is in the queue like any other, and due some seconds later: without an answer it
# goes out as it is. The news of it are kept beside it, which the mail with the answer repeats.

WAIT = 15.0
"""Seconds for which a mail waits for a bot's answer at most."""
_MARGIN = 3.0
"""Seconds before a mail is due in which it is left alone: it may be sent before this transaction is
committed."""


class WaitingMail(Struct, frozen=True):
    """What is kept of a mail that waits.

    left       the lines of the mail it answers that were neither done nor passed on
    withheld   those that were not passed on
    is_answer  it answers a mail, whose Message-ID is `answers`
    added      the sentences at its end
    """

    told: Told
    left: tuple[str, ...]
    is_answer: bool
    answers: str
    added: tuple[str, ...] = ()
    withheld: tuple[str, ...] = ()


Found = Mapping[tuple[int, str], outbound_queue.ToldRow]
"""The mails that wait, by player and address."""


def find_waiting(session: Session, notices: Sequence[Notice], now: float) -> Found:
    """Return the mails that wait at the board of these notices."""
    boards = {
        notice.thread.board
        for notice in notices
        if notice.thread is not None
        and isinstance(notice.content, BoardUpdate)
        and notice.content.has_bots
    }
    rows = outbound_queue.find_told(session, boards, now + _MARGIN) if boards else ()
    return {(row.player_id, row.recipient): row for row in rows if row.player_id is not None}


def take_in(session: Session, mail: OutgoingMail, found: Found) -> OutgoingMail:
    """Return a mail that also tells what the one says that waits for it, which is taken out of the
    queue. An answer to another mail does not, but no longer lets that one wait: each mail that is
    answered has an answer."""
    notice, content = mail.notice, mail.notice.content
    if not isinstance(content, BoardUpdate):
        return mail
    row = found.get((notice.player, mail.address))
    if row is not None and not notice.is_answer:
        waiting = msgspec.json.decode(row.told or "", type=WaitingMail)
        outbound_queue.withdraw(session, row.id)
        content = content.repeat(waiting.told.change(unpack))
        notice = replace(
            notice,
            content=content,
            left=(*waiting.left, *notice.left),
            withheld=(*waiting.withheld, *notice.withheld),
            is_answer=waiting.is_answer,
            added=(*map(unpack, waiting.added), *notice.added),
        )
        mail = replace(
            mail,
            notice=notice,
            answers=waiting.answers,
            inbound=row.inbound_id,
            due=row.next_attempt if content.awaits_bot else mail.due,
        )
    else:
        if row is not None:
            outbound_queue.hasten(session, row.id, mail.created)
        if content.awaits_bot:
            mail = replace(mail, due=mail.created + WAIT)
    if not content.awaits_bot:
        return mail
    told = content.told.change(pack)
    notice = mail.notice
    added = tuple(map(pack, notice.added))
    kept = WaitingMail(told, notice.left, notice.is_answer, mail.answers, added, notice.withheld)
    return replace(mail, told=msgspec.json.encode(kept).decode())
