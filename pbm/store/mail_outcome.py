"""What became of an incoming mail, as a code that the database, programs and metrics share."""

from __future__ import annotations

from enum import StrEnum

from msgspec import Struct
from msgspec.structs import replace

_LONGEST_TEXT = 900


class MailOutcome(StrEnum):
    """What became of an incoming mail.

    EXECUTED         every command in it was done
    PARTLY_EXECUTED  some commands were done, others refused; `refusals` says why
    REFUSED          every command in it was refused; `refusals` says why
    NO_COMMAND       it holds no command
    DUPLICATE        a copy of a mail that came before; `about` is the number of that mail
    MACHINE          a program wrote it; `about` is the header or phrase that says so
    BOUNCE           a delivery report on a mail of ours
    UNPROVEN_BOUNCE  a delivery report without our token, which anybody can forge
    COMPLAINT        a mail of ours was reported as spam; `about` is the address, if known
    NOT_A_REPORT     it went to an address for delivery reports and is none
    OWN_ADDRESS      its From is the server's own address
    NO_SENDER        its From names nobody, or several people
    BANNED           the operator banned its sender
    UNREADABLE       too large or too costly to read; its text is not kept
    POSTMASTER       for the operator to read: never executed or answered
    FAULT            executing it raised an exception
    TIMED_OUT        executing it took longer than it may
    OUT_OF_MEMORY    executing it took more memory than it may
    CRASHED          the worker that executed it died
    RESTORED         it waited when the backup was made that this database comes from
    DROPPED          the operator dropped it
    """

    EXECUTED = "executed"
    PARTLY_EXECUTED = "partly_executed"
    REFUSED = "refused"
    NO_COMMAND = "no_command"
    DUPLICATE = "duplicate"
    MACHINE = "machine"
    BOUNCE = "bounce"
    UNPROVEN_BOUNCE = "unproven_bounce"
    COMPLAINT = "complaint"
    NOT_A_REPORT = "not_a_report"
    OWN_ADDRESS = "own_address"
    NO_SENDER = "no_sender"
    BANNED = "banned"
    UNREADABLE = "unreadable"
    POSTMASTER = "postmaster"
    FAULT = "fault"
    TIMED_OUT = "timed_out"
    OUT_OF_MEMORY = "out_of_memory"
    CRASHED = "crashed"
    RESTORED = "restored"
    DROPPED = "dropped"


class NoAnswer(StrEnum):
    """Why a mail that was executed or refused gets no answer.

    STOPPED_ADDRESS  the operator stopped mail to its sender
    MACHINE          its sender may be a program, which is not told of errors
    REPEATED         its player was asked whether a program writes
    ERRORS_SPENT     the errors that are answered in a day are used up
    UNPROVED_SPENT   its sender's address has had the mails of a day that mails without proof cause
    HELP_SPENT       before 0.2.1: the help mails of a day were used up
    PAGES_SPENT      before 0.2.1: the pages of a day were used up
    STRANGER         nobody has confirmed its sender's address
    NOT_FOR_US       nobody has either, and it seems to know nothing of games
    STRANGERS_SPENT  all strangers together have had what they get in an hour
    STOPPED          its sender wants no more mail
    DECLINED         an invitation was declined, and nothing more goes to its address
    OWN_MOVE         the player wants no copy of own moves
    THANKS           it only says thanks, in reply to a mail of ours
    """

    STOPPED_ADDRESS = "stopped_address"
    MACHINE = "machine"
    REPEATED = "repeated"
    ERRORS_SPENT = "errors_spent"
    UNPROVED_SPENT = "unproved_spent"
    HELP_SPENT = "help_spent"
    PAGES_SPENT = "pages_spent"
    STRANGER = "stranger"
    NOT_FOR_US = "not_for_us"
    STRANGERS_SPENT = "strangers_spent"
    STOPPED = "stopped"
    DECLINED = "declined"
    OWN_MOVE = "own_move"
    THANKS = "thanks"

    @property
    def sentence(self) -> str:
        """The reason in words, for the operator."""
        return _SENTENCES[self]


_SENTENCES = {
    NoAnswer.STOPPED_ADDRESS: "the operator stopped mail to this address",
    NoAnswer.MACHINE: "a machine is not told of errors",
    NoAnswer.REPEATED: (
        "it answers each mail within minutes: its player was asked whether it is a program"
    ),
    NoAnswer.ERRORS_SPENT: ("no more errors are answered today: [limits] errors_a_day"),
    NoAnswer.UNPROVED_SPENT: (
        "it does not prove who wrote it, and its address has had what such mails get in a day "
        "([limits] unproved_a_day), or is nobody's and hears of no limits"
    ),
    NoAnswer.HELP_SPENT: "this address had had its help mails for the day",
    NoAnswer.PAGES_SPENT: "this address had used up its pages for the day",
    NoAnswer.STRANGER: (
        "a stranger, or an address that is not confirmed, that has had its answer for today"
    ),
    NoAnswer.NOT_FOR_US: "a stranger's letter without a command, and no short question",
    NoAnswer.STRANGERS_SPENT: (
        "strangers have had their mails for this hour: [limits] strangers_an_hour"
    ),
    NoAnswer.STOPPED: "this address, or its player, has asked for no more mail",
    NoAnswer.DECLINED: "the invitation was declined: this address hears no more",
    NoAnswer.OWN_MOVE: "the player wants no copy of own moves: own=no",
    NoAnswer.THANKS: "it only says thanks, in reply to a mail of ours",
}


class MailResult(Struct, frozen=True):
    """What became of a mail.

    `text` is for people and never read back. `about` completes the code or `no_answer`: the number
    of the original, the mark of a machine. `refusals` holds the RefusalCode of each refusal once.
    """

    code: MailOutcome
    text: str
    about: str = ""
    no_answer: NoAnswer | None = None
    refusals: tuple[str, ...] = ()

    def leave_unanswered(self, reason: NoAnswer, about: str = "") -> MailResult:
        """Return the result of a mail that gets no answer, with the reason."""
        sentence = f"{reason.sentence}: {about}" if about else reason.sentence
        text = f"{self.text[:_LONGEST_TEXT]}; no answer: {sentence}"
        return replace(self, text=text, about=about or self.about, no_answer=reason)
