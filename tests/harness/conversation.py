"""A conversation: who mails the server what, and who receives what.

    talk.signup("ann")
    talk.proves("ann", "cradle challenge ann bob")
    mail = talk.receives("ann", "[cradle 1] new board: ann, bob")
    talk.replies(mail, "b1,c1,d1,d2")

`ann` is short for ann@example.org. Every outgoing mail is checked (`check_outgoing`), and by the
end every mail must have been received by name: nobody gets one too many.

New players prefer the news in the subject, so that a conversation reads like a game; in
`test_subjects.py` they prefer nothing, as new players do."""

from __future__ import annotations

import json
import time
from collections.abc import Iterable, Sequence
from email import policy
from email.message import EmailMessage
from typing import Protocol

from sqlalchemy import bindparam, update

from pbm.core.player import Role
from pbm.daemon.keys import load_secrets
from pbm.mail.render import shorten
from pbm.store.engine import Store
from pbm.store.tables import WEBHOOK, players
from tests.harness.mail import Mail, check_outgoing

_PREFER = (
    update(players)
    .where(players.c.name == bindparam("who"))
    .values(preferences=bindparam("wishes"))
)
SERVER = "pbm@example.net"
UNLIMITED = dict.fromkeys(
    (
        "chats_an_hour",
        "errors_a_day",
        "invitations_a_day",
        "looks_a_day",
        "mails_a_day",
        "notices_a_day",
        "news_a_day",
        "open_boards",
        "quick_replies",
        "signups_a_day",
        "strangers_an_hour",
        "unproved_a_day",
    ),
    0,
)
"""The limits of a server to which one player says in a minute what many say in a year."""
DAY = 86400.0


class Clock:
    """The time, set by the conversation; it starts on Monday, 2 March 2026, at noon UTC."""

    def __init__(self) -> None:
        self.now = 1772452800.0

    def __call__(self) -> float:
        return self.now

    def advance(self, *, days: float = 0.0, seconds: float = 0.0) -> None:
        """Move the clock forward."""
        self.now += days * DAY + seconds


class Server(Protocol):
    """The server under test, however it runs."""

    @property
    def store(self) -> Store:
        """Its database."""

    def take(self, envelope_from: str, recipient: str, raw: bytes) -> None:
        """Deliver a mail to the server."""

    def settle(self) -> list[tuple[str, bytes]]:
        """Wait until the server is idle; the mails sent since the last call."""

    def tick(self, every: float) -> None:
        """Run the scheduler; its last tick was at most `every` seconds ago."""

    def close(self) -> None:
        """Stop the server."""


class Conversation:
    """The mailboxes of all players, and the server they write to."""

    preferred = json.dumps({"subject": "news"})
    """The preferences of players once they are welcome."""

    def __init__(self, server: Server, clock: Clock, *, confirms: bool) -> None:
        self.senders = {SERVER}
        self.server = server
        self.clock = clock
        self._confirms = confirms
        self._passwords: set[str] = set()
        self.sent = 0
        self._ids: set[str] = set()
        self._unread: dict[str, list[Mail]] = {}
        self._welcomes: dict[str, Mail] = {}

    # Who mails what

    def mails(
        self,
        who: str,
        subject: str,
        body: str = "",
        *,
        to: str = SERVER,
        envelope: str | None = None,
        **headers: str,
    ) -> str:
        """Mail the server as somebody. Return the Message-ID."""
        address = address_of(who)
        self.sent += 1
        message = EmailMessage(policy=policy.SMTP)
        message["From"] = address
        message["To"] = to
        message["Subject"] = subject
        message["Date"] = "Mon, 02 Mar 2026 12:00:00 +0000"
        message["Message-ID"] = f"<{self.sent}.{address}>"
        for name, value in headers.items():
            del message[name.replace("_", "-")]
            message[name.replace("_", "-")] = value
        message.set_content(body + "\n")
        self.server.take(address if envelope is None else envelope, to, message.as_bytes())
        return str(message["Message-ID"])

    def replies(self, mail: Mail, body: str, *, who: str = "") -> str:
        """The recipient, or somebody else, replies as mail programs do: Re:, the headers of the
        thread, and the mail quoted below."""
        quoted = "\n".join(f"> {line}".rstrip() for line in mail.lines)
        return self.mails(
            who or mail.address,
            f"Re: {mail.subject}",
            f"{body}\n\nOn Mon, 2 Mar 2026, {SERVER} wrote:\n{quoted}",
            to=mail.reply_to,
            In_Reply_To=mail.message_id,
            References=" ".join([*mail.references, mail.message_id]),
        )

    # Who receives what

    def receives(self, who: str, subject: str, *says: str) -> Mail:
        """The next mail of somebody, which must have that subject, cut where it has no room for
        all of it, and contain those words."""
        self._collect()
        waiting = self._unread.get(address_of(who), [])
        assert waiting, f"{who} receives nothing, not {subject!r}; others: {self._unread}"
        mail = waiting.pop(0)
        assert mail.subject == shorten(subject), f"instead of {subject!r}, {mail}"
        for words in says:
            assert words in mail.text or words in " ".join(mail.text.split()), (
                f"{words!r} is not in {mail}"
            )
        return mail

    def any_mail(self, who: str) -> Mail:
        """The next mail of somebody, whatever it is."""
        self._collect()
        waiting = self._unread.get(address_of(who), [])
        assert waiting, f"{who} receives nothing"
        return waiting.pop(0)

    def awaited_mail(self, who: str) -> Mail:
        """The next mail of somebody, for which a computer player may have to think."""
        deadline = time.monotonic() + 120.0
        while not self.waiting(who):
            assert time.monotonic() < deadline, f"{who} waits in vain"
            time.sleep(0.02)
        return self.any_mail(who)

    def everything(self) -> list[Mail]:
        """All unread mails, in the order of arrival."""
        self._collect()
        mails = [mail for waiting in self._unread.values() for mail in waiting]
        self._unread.clear()
        return self._sort(mails)

    def _sort(self, mails: Iterable[Mail]) -> list[Mail]:
        """The mails in the order in which they were written, which their own numbers hide."""
        secrets = load_secrets(self.server.store)
        return sorted(mails, key=lambda mail: secrets.reveal_number(mail.number))

    def find_number(self, mail: Mail) -> int:
        """The number under which a mail is stored, which its own one hides."""
        return load_secrets(self.server.store).reveal_number(mail.number)

    def waiting(self, who: str) -> int:
        """How many unread mails somebody has."""
        self._collect()
        return len(self._unread.get(address_of(who), []))

    def nothing_more(self) -> None:
        """Every mail that went out must have been received by name."""
        self._collect()
        left = [str(mail) for mails in self._unread.values() for mail in mails]
        assert not left, "unexpected:\n" + "\n\n".join(left)

    def _collect(self) -> None:
        settled = self.server.settle()
        arrived = [Mail(*each) for each in settled if not each[0].startswith(WEBHOOK)]
        for mail in self._sort(arrived):
            check_outgoing(mail, self.senders, self._passwords)
            assert mail.message_id not in self._ids, f"twice: {mail}"
            self._ids.add(mail.message_id)
            if mail.subject.startswith("[pbm] welcome, "):
                self._welcomes[mail.address] = mail
                self._prefer(mail.subject.removeprefix("[pbm] welcome, "))
            self._unread.setdefault(mail.address, []).append(mail)

    def _prefer(self, userid: str) -> None:
        with self.server.store.writing() as session:
            session.defer(_PREFER, [{"who": userid.lower(), "wishes": self.preferred}])

    # Time

    def passes(self, *, days: float, step: float = DAY / 4) -> None:
        """Let time pass while the server runs; the scheduler ticks every six hours."""
        end = self.clock.now + days * DAY
        while self.clock.now < end:
            self.clock.now = min(self.clock.now + step, end)
            self.server.tick(step)

    def is_down(self, *, days: float) -> None:
        """Stop the server for some time, then run it again."""
        self.server.tick(60.0)
        self.clock.advance(days=days)
        self.server.tick(60.0)

    # What most conversations begin with

    def password(self, who: str) -> str:
        """The password of a player, which no mail may show."""
        return self.secret(f"Sesame-{who}")

    def secret(self, word: str) -> str:
        """A word that no mail of the server may show."""
        self._passwords.add(word)
        return word

    def signup(self, *people: str) -> None:
        """Open accounts and confirm their addresses, all at the same time."""
        for who in people:
            self.mails(who, f"signup {who} {self.password(who)}")
        for who in people if self._confirms else ():
            mail = self.receives(who, "[pbm] confirm this address")
            self.replies(mail, f"confirm {mail.line('Code: ')}")
        for who in people:
            self.receives(who, f"[pbm] welcome, {who}")

    def appoint(self, *people: str, role: Role = Role.MODERATOR) -> None:
        """Open accounts of people to whom the operator has given a role."""
        self.signup(*people)
        with self.server.store.writing() as session:
            for who in people:
                named = players.c.name == who
                session.execute(update(players).where(named).values(roles=role.value))

    def reply_address(self, who: str) -> str:
        """The reply address of somebody's welcome mail, which proves who they are."""
        return self._welcomes[address_of(who)].reply_to

    def proves(self, who: str, subject: str, body: str = "", **headers: str) -> str:
        """Somebody writes to the reply address of their welcome mail, which proves who they are."""
        return self.mails(who, subject, body, to=self.reply_address(who), **headers)

    def is_welcome(self, who: str) -> bool:
        """Whether somebody's welcome mail has been read, which may take a while."""
        return address_of(who) in self._welcomes

    def home(self, who: str) -> str:
        """The link to somebody's own page, from a mail to them alone."""
        self.proves(who, "mine")
        return self.any_mail(who).line("On the web: ")

    def challenge(self, game: str, *people: str, options: str = "") -> list[Mail]:
        """Start a board; its first mails."""
        self.proves(people[0], f"{game} challenge {' '.join(people)} {options}".rstrip())
        return [self.any_mail(who) for who in people]

    def agreed(self, game: str, *people: str, options: str = "") -> list[Mail]:
        """Start a board that everybody accepts; its first mails."""
        mails = self.challenge(game, *people, options=options)
        for invitation in mails[1:]:
            self.replies(invitation, "accept")
            mails = [self.any_mail(who) for who in people]
        return mails

    def plays(self, moves: Sequence[str], *people: str, latest: Sequence[Mail]) -> list[Mail]:
        """Have the players in turn reply to their latest mails with those moves. Return the mails
        of the last move."""
        for number, move in enumerate(moves):
            self.replies(latest[number % len(people)], move)
            latest = [self.any_mail(who) for who in people]
        return list(latest)


def address_of(who: str) -> str:
    """ann@example.org for ann."""
    return who if "@" in who else f"{who}@example.org"
