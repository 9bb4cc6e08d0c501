"""The tables of signups, of invitations and of the userids that players had before."""

from __future__ import annotations

from sqlalchemy import ForeignKey, text

from pbm.store.rows import ID, Row, column, make_table, primary_key, reference


class FormerUseridRow(Row):
    """A userid that a player had before; nobody else may have it."""

    name: str = primary_key(comment="in lower case, or its digest once the player was erased")
    player_id: int = reference("players", index=True)
    at: float


former_userids = make_table("former_userids", FormerUseridRow, comment=FormerUseridRow.__doc__)


class SignupRow(Row):
    """A signup that waits for its code: the account is made when that comes back."""

    id: int = primary_key(ID)
    userid: str
    address: str = column(index=True, comment="where the code went")
    others: str = column(server_default="", comment="further addresses, separated by blanks")
    digest: str = column(index=True, comment="keyed hash of the code")
    sealed: str = column(comment="the password, encrypted with the code")
    terms: str = column(
        server_default="", comment="the version of the terms that the mail with the code showed"
    )
    created: float
    expires: float
    link_id: int | None = column(
        ID, comment="the link of a friend invitation by which it came, which may be gone"
    )
    language: str = column(
        server_default="",
        comment="that of the page or mail by which it came, if not the server's",
    )


signups = make_table("signups", SignupRow, comment=SignupRow.__doc__)


class InvitationRow(Row):
    """An address that the operator has invited to sign up."""

    address: str = primary_key()
    actor: str
    at: float


invitations = make_table("invitations", InvitationRow, comment=InvitationRow.__doc__)


class FriendInvitationRow(Row):
    """An invitation that a player has sent to an address, or a link to forward."""

    id: int = primary_key(ID)
    player_id: int = reference("players", index=True, comment="who invites")
    address: str = column(server_default="", comment="empty for a link")
    game: str = column(server_default="", comment="of the board that begins with it, or empty")
    options: str = column(server_default="", comment="of the game: name to value")
    server: str = column(server_default="", comment="of the server: name to value")
    moves_first: bool = column(
        server_default=text("true"), comment="whether whoever is invited moves first"
    )
    userid: str = column(server_default="", comment="the userid that the mail proposes")
    uses: int = column(comment="how many may still join by it")
    created: float
    expires: float = column(index=True)


friend_invitations = make_table(
    "friend_invitations", FriendInvitationRow, comment=FriendInvitationRow.__doc__
)


class InvitedAddressRow(Row):
    """An address that has had an invitation, or wants none: it gets no other one."""

    digest: str = primary_key(comment="keyed hash of the address")
    declined: bool = column(server_default=text("false"))
    at: float


invited_addresses = make_table(
    "invited_addresses", InvitedAddressRow, comment=InvitedAddressRow.__doc__
)


class WaitingGuestRow(Row):
    """By which invitation a player has come who waits to be approved."""

    player_id: int = primary_key(ID, ForeignKey("players.id"))
    invitation: int = column(comment="its number; it may be gone")


waiting_guests = make_table("waiting_guests", WaitingGuestRow, comment=WaitingGuestRow.__doc__)
