"""Notices about an account: its addresses, codes, preferences and vacations."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from pbm.core.model.notices.content import Content


@dataclass(frozen=True, slots=True, kw_only=True)
class AccountContent(Content):
    """Content about the account of one player."""

    userid: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Welcome(AccountContent):
    """The account is open."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Unlocked(AccountContent):
    """Passwords are accepted again."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AddressList(AccountContent):
    """The addresses of an account, each with a note; those of `instead` are to replace all others;
    `waits`: some are not confirmed."""

    rows: Sequence[tuple[str, str]]
    instead: Sequence[str]
    waits: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class AccountChanged(AccountContent):
    """Tells addresses that no longer belong to the account `what` of it was changed."""

    what: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PasswordChanged(AccountContent):
    """The password has been changed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CodeSent(Content):
    """The answer to `forgot`, the same whether or not the userid exists."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OneTimeCode(AccountContent):
    """A code, valid for so many days, which only its recipient may see."""

    code: str
    days: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ConfirmationCode(OneTimeCode):
    """Confirms an address."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ResetCode(OneTimeCode):
    """Serves once as the old password, to set a new one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class UnlockCode(OneTimeCode):
    """Has passwords accepted again after too many wrong ones."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SignOffCode(OneTimeCode):
    """Closes an account that has open boards."""

    boards: Sequence[int]


@dataclass(frozen=True, slots=True, kw_only=True)
class Goodbye(AccountContent):
    """The account is closed; its addresses stay in the log of mails for so many days (0: for
    ever)."""

    days: int


@dataclass(frozen=True, slots=True, kw_only=True)
class PreferenceList(AccountContent):
    """All preferences as (key, value, allowed values, help), and those just changed."""

    rows: Sequence[tuple[str, str, str, str]]
    changed: Sequence[str]


@dataclass(frozen=True, slots=True, kw_only=True)
class VacationState(AccountContent):
    """The current and planned vacations as (first, last), and the days left; `ended`: just now."""

    ended: bool
    spans: Sequence[tuple[str, str]]
    left: str
    allowance: int
    example: str


@dataclass(frozen=True, slots=True, kw_only=True)
class VacationTaken(AccountContent):
    """One of the reader's clocks ran out, so a vacation began automatically."""

    until: str
    left: str


@dataclass(frozen=True, slots=True, kw_only=True)
class VacationAnnounced(AccountContent):
    """An opponent of the reader's is on vacation, or will be from `begin` on."""

    boards: Sequence[str]
    begin: str
    until: str
