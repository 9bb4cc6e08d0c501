"""Notices about an account: its addresses, codes, preferences and vacations."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from pbm.core.kernel.notices.content import AccountContent, Attachment, Content


class Welcome(AccountContent, frozen=True, kw_only=True):
    """The account is open."""

    @property
    def has_home(self) -> bool:
        return True


class SignupWaits(AccountContent, frozen=True, kw_only=True):
    """The address is confirmed; the account waits for the operator."""


class Invitation(Content, frozen=True, kw_only=True):
    """The operator invites somebody to sign up."""


class Unlocked(AccountContent, frozen=True, kw_only=True):
    """Passwords are accepted again."""


class AddressList(AccountContent, frozen=True, kw_only=True):
    """The addresses of an account, each with a note; those of `instead` are to replace all others;
    `waits`: some are not confirmed."""

    rows: Sequence[tuple[str, str]]
    instead: Sequence[str]
    waits: bool


class AccountChanged(AccountContent, frozen=True, kw_only=True):
    """Tells addresses that no longer belong to the account `what` of it was changed."""

    what: str


class PasswordChanged(AccountContent, frozen=True, kw_only=True):
    """The password has been changed."""


class CodeSent(Content, frozen=True, kw_only=True):
    """The answer to `forgot`, the same whether or not the userid exists."""


class OneTimeCode(AccountContent, frozen=True, kw_only=True):
    """A code, valid for so many days, which only its recipient may see."""

    code: str
    days: int


class ConfirmationCode(OneTimeCode, frozen=True, kw_only=True):
    """Confirms what a mail of the time `asked` has asked for.

    purpose   "signup", "add" or "change": opens the account, adds the address or replaces all
    is_own    that mail came from the address that is confirmed, as far as its From says
    replaced  when the earlier signup was sent whose code is now void, or ""
    terms     the terms of the house that are accepted with it
    """

    link_label: ClassVar[str] = "Confirm on the web"

    purpose: str
    asked: str
    is_own: bool
    replaced: str = ""
    terms: str = ""


class ResetCode(OneTimeCode, frozen=True, kw_only=True):
    """Serves once as the old password, to set a new one. `asked`: when somebody asked for it."""

    asked: str


class UnlockCode(OneTimeCode, frozen=True, kw_only=True):
    """Has passwords accepted again after too many wrong ones."""


class SignOffCode(OneTimeCode, frozen=True, kw_only=True):
    """Closes an account that has open boards."""

    boards: Sequence[int]


class EraseCode(OneTimeCode, frozen=True, kw_only=True):
    """Erases the player, and resigns these boards."""

    boards: Sequence[int]


class Erased(AccountContent, frozen=True, kw_only=True):
    """The player is erased and called `former` from now on; mails to others that name the player
    stay for so many days (0: for ever). `reason`: the operator's."""

    former: str
    days: int
    reason: str = ""


class PersonalData(AccountContent, frozen=True, kw_only=True):
    """Everything that is kept about the reader, as JSON."""

    data: str

    @property
    def is_personal(self) -> bool:
        """It holds plans and notes."""
        return True

    @property
    def attachment(self) -> Attachment:
        """The file for the reader to keep."""
        return Attachment(f"pbm-{self.userid.lower()}.json", "application/json", self.data)


class Goodbye(AccountContent, frozen=True, kw_only=True):
    """The account is closed; its addresses stay in the log of mails for so many days (0: for
    ever)."""

    days: int


class PreferenceList(AccountContent, frozen=True, kw_only=True):
    """All preferences as (key, value, allowed values, help), and those just changed."""

    rows: Sequence[tuple[str, str, str, str]]
    changed: Sequence[str]

    @property
    def has_home(self) -> bool:
        return True
