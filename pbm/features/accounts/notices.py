"""Notices about an account: its addresses, codes, preferences and vacations."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from msgspec.structs import replace

from pbm.core.notices import AccountContent, Attachment, Content, Drawing, Kind
from pbm.rules.phrases import phrase


class Welcome(AccountContent, frozen=True, kw_only=True):
    """The account is open. Without `has_password` it is used by replies and links alone."""

    has_home = True

    has_password: bool = True


class SignupWaits(AccountContent, frozen=True, kw_only=True):
    """The address is confirmed; the account waits for the operator."""


class Invitation(Content, frozen=True, kw_only=True):
    """The operator invites somebody to sign up."""


class InvitationExplained(Content, frozen=True, kw_only=True):
    """Answers an invited person who asks what the invitation is: the host, the title of the game
    ("" for none), and the proposed userid ("" for none), which a yes takes if it `is_offered`."""

    host: str
    title: str
    userid: str
    is_offered: bool


class InvitationDeclined(Content, frozen=True, kw_only=True):
    """Answers an invited person who says no to that host, and more."""

    host: str


class FriendInvitation(Content, frozen=True, kw_only=True):
    """A player invites an address that may never have written. It gets no other such mail.

    host      who invites, with the name that the player has set
    text      a few words by the host
    game      that begins with it, or ""
    title     of that game
    options   of that board, as a player would write them
    begins    whether whoever is invited moves first; None where both give orders
    drawing   the first position of that game
    userid    the userid that a yes is taken for, or ""
    match     the match of clubs it invites to, as a clause, or ""
    terms     the server's terms, accepted with the invitation
    """

    attention = Kind.INVITATION
    link_label: ClassVar[str] = phrase("Join or decline on the web")
    link_text = link_label
    stopped_by: ClassVar[str] = "no"
    held_as: ClassVar[str] = "invitation"

    host: str
    text: str
    game: str = ""
    title: str = ""
    options: str = ""
    begins: bool | None = None
    drawing: Drawing | None = None
    userid: str = ""
    match: str = ""
    days: int
    terms: str = ""

    @property
    def passed_on(self) -> str:
        """The host's words."""
        return self.text


class PlayerInvited(AccountContent, frozen=True, kw_only=True):
    """Another player, `host`, has invited an address of the reader, who has an account. `line`
    starts the board, or any."""

    attention = Kind.INVITATION

    host: str
    text: str
    title: str
    line: str

    held_as: ClassVar[str] = "invitation"

    @property
    def passed_on(self) -> str:
        """The host's words."""
        return self.text


class InvitationSent(AccountContent, frozen=True, kw_only=True):
    """The answer to an invitation, the same whether or not a mail has gone to the address; where it
    `waits`, a moderator must agree first."""

    address: str
    title: str
    until: str
    waits: bool = False

    def tell_held(self, names: str, *, is_kept: bool) -> InvitationSent:
        """Return the same content, saying that the mail waits."""
        return replace(self, waits=True)


class InvitationList(AccountContent, frozen=True, kw_only=True):
    """The reader's invitations as (address, title, until) and links to forward as (URL, title,
    number of those who may still join, until). `is_withdrawn`: all
    others have just been withdrawn."""

    has_home = True

    invitations: Sequence[tuple[str, str, str]]
    links: Sequence[tuple[str, str, int, str]]
    has_pages: bool
    is_withdrawn: bool = False


class GuestWelcome(AccountContent, frozen=True, kw_only=True):
    """The account of a guest is open, for a match of clubs only. A captain reads how to enter the
    team."""

    has_home = True

    club: str
    match: int
    summary: str
    is_captain: bool


class GuestCame(AccountContent, frozen=True, kw_only=True):
    """A guest has come to a match that the reader made."""

    club: str
    match: int
    guest: str


class FriendJoined(AccountContent, frozen=True, kw_only=True):
    """`friend`, whom the reader invited, has joined."""

    friend: str


class Unlocked(AccountContent, frozen=True, kw_only=True):
    """Passwords are accepted again."""


class AddressList(AccountContent, frozen=True, kw_only=True):
    """The addresses of an account, each with a note. Those of `instead` are to replace all others;
    with `waits` some are not confirmed."""

    rows: Sequence[tuple[str, str]]
    instead: Sequence[str]
    waits: bool


class AccountChanged(AccountContent, frozen=True, kw_only=True):
    """Notifies addresses that no longer belong to the account; `what` of it was changed."""

    what: str


class PasswordChanged(AccountContent, frozen=True, kw_only=True):
    """The password has been changed."""


class CodeSent(Content, frozen=True, kw_only=True):
    """The answer to `forgot`, the same whether or not the userid exists."""


class OneTimeCode(AccountContent, frozen=True, kw_only=True):
    """A code, valid for `days` days, which only its recipient may see."""

    goes_anyway = True
    is_code = True

    code: str
    days: int


class ConfirmationCode(OneTimeCode, frozen=True, kw_only=True):
    """Confirms what a mail of the time `asked` has asked for.

    purpose   "signup" or "join", without a password: it opens the account; "add" or "change": adds
              the address or replaces all
    is_own    the request's From was the address that is confirmed
    replaced  when the earlier signup was sent whose code is now void, or ""
    terms     the server's terms, accepted with the code
    """

    link_label: ClassVar[str] = phrase("Confirm on the web")
    link_text = link_label

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
    """The player is erased and called `former` from now on. Mails to others that name the player
    stay for `days` days (0: for ever). `reason` is the operator's."""

    former: str
    days: int
    reason: str = ""


class PersonalData(AccountContent, frozen=True, kw_only=True):
    """Everything stored about the reader, as JSON."""

    is_personal = True

    data: str

    @property
    def attachment(self) -> Attachment:
        """The data as a file."""
        return Attachment(f"pbm-{self.userid.lower()}.json", "application/json", self.data)


class Goodbye(AccountContent, frozen=True, kw_only=True):
    """The account is closed; its addresses stay in the log of mails for `days` days (0: for
    ever)."""

    days: int


class PreferenceList(AccountContent, frozen=True, kw_only=True):
    """All preferences as (key, value, allowed values, help). `changed` are those just changed."""

    has_home = True

    rows: Sequence[tuple[str, str, str, str]]
    changed: str


class StopChoices(AccountContent, frozen=True, kw_only=True):
    """Answers the word stop: what the reader can do besides stopping all mails. `boards` are the
    open ones, as (game, number); `days` is the length of a pause in days of vacation, 0 for none
    left. `said` is the line that was read as stop in a reply to a board's mail, or ""."""

    has_home = True

    boards: Sequence[tuple[str, int]]
    days: int
    said: str = ""


class MailStopped(AccountContent, frozen=True, kw_only=True):
    """The last mail of the kinds that the reader has just stopped (`stopped`: everything, boards or
    events). Clocks run on `boards`; `look` is the preference for mails, picture or text."""

    has_home = True
    goes_anyway = True

    stopped: str
    boards: Sequence[tuple[str, int]]
    look: str = "picture"


class BoardsResigned(AccountContent, frozen=True, kw_only=True):
    """The reader has left these boards, as (game, number), after asking for fewer mails."""

    boards: Sequence[tuple[str, int]]
