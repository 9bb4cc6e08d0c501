"""Notices about an account: its addresses, codes, preferences and vacations."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from pbm.core.model.notices.content import Content


@dataclass(frozen=True, slots=True, kw_only=True)
class AccountContent(Content):
    """What is about the account of one player."""

    userid: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Welcome(AccountContent):
    """The account is open."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Unlocked(AccountContent):
    """Passwords are taken again."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AddressList(AccountContent):
    """The addresses of an account with a note on each; `instead` are to take the place of all
    others, and one of them `waits` for its code."""

    rows: Sequence[tuple[str, str]]
    instead: Sequence[str]
    waits: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class AccountChanged(AccountContent):
    """To addresses that no longer belong to the account: `what` of it was changed."""

    what: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PasswordChanged(AccountContent):
    """The password is a new one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CodeSent(Content):
    """The answer to `forgot`, the same for any userid."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OneTimeCode(AccountContent):
    """A code, valid for so many days. Nobody but its reader may see it."""

    code: str
    days: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ConfirmationCode(OneTimeCode):
    """It proves that an address is the player's."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ResetCode(OneTimeCode):
    """It stands for the old password where a new one is set."""


@dataclass(frozen=True, slots=True, kw_only=True)
class UnlockCode(OneTimeCode):
    """It has passwords taken again after too many wrong ones."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SignOffCode(OneTimeCode):
    """It closes an account that has open boards."""

    boards: Sequence[int]


@dataclass(frozen=True, slots=True, kw_only=True)
class Goodbye(AccountContent):
    """The account is closed; the log of mails forgets its addresses after so many days (0:
    never)."""

    days: int


@dataclass(frozen=True, slots=True, kw_only=True)
class AddressStopped(AccountContent):
    """Mail to one of the reader's addresses came back on so many days."""

    address: str
    days: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Unreachable(AccountContent):
    """Mail to somebody with whom the reader plays comes back; `reached`: not from everywhere."""

    boards: Sequence[int]
    reached: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class PreferenceList(AccountContent):
    """All preferences as (key, value, what is allowed, what it does), and those just changed."""

    rows: Sequence[tuple[str, str, str, str]]
    changed: Sequence[str]


@dataclass(frozen=True, slots=True, kw_only=True)
class VacationState(AccountContent):
    """The vacations that are on or planned, from when to when, and the days that are left."""

    ended: bool
    spans: Sequence[tuple[str, str]]
    left: str
    allowance: int
    example: str


@dataclass(frozen=True, slots=True, kw_only=True)
class VacationTaken(AccountContent):
    """A clock of the reader's ran out, so a vacation began by itself."""

    until: str
    left: str


@dataclass(frozen=True, slots=True, kw_only=True)
class VacationAnnounced(AccountContent):
    """Somebody with whom the reader plays is on vacation, or will be from `begin` on."""

    boards: Sequence[str]
    begin: str
    until: str
