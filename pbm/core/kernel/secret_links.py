"""Secret links: a page of a player's own at a board (`17-0-KEY`), or over all boards (`u5-KEY`).

A link proves the player as a reply token does: for the commands of a board, not for the account."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from msgspec import Struct

from pbm.core.kernel.boards.board import Board
from pbm.core.kernel.boards.storing import Asleep, build_board
from pbm.core.kernel.players.player import Player, get_player
from pbm.core.kernel.proofs import Proof, outlives_board
from pbm.core.kernel.secrets import Secrets
from pbm.store import reads
from pbm.store.transaction import Session

_LINK = re.compile(r"(?:([0-9]{1,10})-([0-9]{1,2})|u([0-9]{1,12}))-([a-z2-7]{32})")

_STOP_LINK = re.compile(
    r"(?:([a-z]+(?:-[0-9]{1,10})?)-u([0-9]{1,12})|a([0-9a-f]{64}))-([a-z2-7]{32})"
)


class Link(Struct, frozen=True):
    """A link as read from a URL, not verified yet: to a seat at a board, or (board 0) to the boards
    of the player with that number."""

    board: int
    seat: int
    player: int
    key: str

    @property
    def name(self) -> str:
        """The part before the key."""
        return f"{self.board}-{self.seat}" if self.board else f"u{self.player}"

    @property
    def proof(self) -> Proof:
        """What kind of proof the link is."""
        return Proof.SEAT_LINK if self.board else Proof.PLAYER_LINK


def read_link(text: str) -> Link | None:
    """Parse the last part of a link's path; None for anything else."""
    match = _LINK.fullmatch(text) if len(text) <= 64 else None
    if match is None:
        return None
    board, seat, player, key = match.groups()
    if board is not None:
        return Link(int(board), int(seat), 0, key) if int(board) else None
    return Link(0, 0, int(player), key)


def make_seat_link(
    secrets: Secrets, board: int, seat: int, stored: str, addresses: Sequence[str]
) -> str:
    """Return the last part of the path to a seat's page. It depends on the player's password hash
    and confirmed addresses, so it expires with them."""
    name = f"{board}-{seat}"
    return f"{name}-{secrets.make_link_key(name, stored, addresses)}"


def make_player_link(secrets: Secrets, player: int, stored: str, addresses: Sequence[str]) -> str:
    """Return the last part of the path to the page of a player's boards. It expires like that of a
    seat."""
    name = f"u{player}"
    return f"{name}-{secrets.make_link_key(name, stored, addresses)}"


class StopLink(Struct, frozen=True):
    """A link that stops mails, as read from a URL, not verified yet: those called `what`, to the
    player, or all that are not asked for, to the address with that digest."""

    what: str
    player: int
    digest: str
    key: str


def read_stop_link(text: str) -> StopLink | None:
    """Parse the last part of such a link's path; None for anything else."""
    match = _STOP_LINK.fullmatch(text) if len(text) <= 128 else None
    if match is None:
        return None
    what, player, digest, key = match.groups()
    return StopLink(what or "", int(player or 0), digest or "", key)


def make_stop_link(secrets: Secrets, what: str, player: int, stored: str) -> str:
    """Return the last part of the path that stops mails called `what` to a player. It is worth
    nothing else, and ends with the player's reply addresses."""
    name = f"{what}-u{player}"
    return f"{name}-{secrets.make_link_key(name, stored, ())}"


def make_address_stop_link(secrets: Secrets, address: str) -> str:
    """Return the last part of the path that stops mails to an address that is nobody's. It does
    not tell the address."""
    name = f"a{secrets.digest_address(address)}"
    return f"{name}-{secrets.make_link_key(name, '', ())}"


def is_genuine_stop_link(secrets: Secrets, link: StopLink, stored: str) -> bool:
    """Whether a link that stops mails is ours. `stored` is what the player's links are bound to."""
    name = f"a{link.digest}" if link.digest else f"{link.what}-u{link.player}"
    return secrets.is_link_key(link.key, name, "" if link.digest else stored, ())


class OpenedSeat(NamedTuple):
    """What a link to a seat opens: the board and the player."""

    board: Board
    player: Player


def open_seat(
    session: Session, secrets: Secrets, link: Link, now: float, *, lock: bool = False
) -> OpenedSeat | None:
    """Return what a link to a seat opens; None when it is not genuine, has expired, or belongs to a
    board that ended more than a month ago. Raise Refusal for a board that cannot be shown, but
    never for a link that is not genuine."""
    row = reads.find_board(session, link.board, lock=lock) if link.board else None
    seats = reads.find_seats(session, link.board) if row is not None else ()
    if row is None or link.seat >= len(seats):
        return None
    verified = _verify(session, secrets, link, seats[link.seat].player_id)
    if verified is None:
        return None
    if row.state == "sleeping":
        raise Asleep(link.board)
    board = build_board(session, row, seats)
    if not outlives_board(Proof.SEAT_LINK, board.ended, now):
        return None
    return OpenedSeat(board, verified)


def open_player(session: Session, secrets: Secrets, link: Link) -> Player | None:
    """Return the player of a link to a player's boards; None when it is not genuine or has
    expired."""
    verified = None if link.board else _verify(session, secrets, link, link.player)
    return verified


def _verify(session: Session, secrets: Secrets, link: Link, number: int) -> Player | None:
    """Return the player whom a link proves."""
    player = get_player(session, number)
    if player is None or not player.is_active or player.is_bot:
        return None
    addresses = reads.find_addresses(session, player.id)
    is_ours = secrets.is_link_key(link.key, link.name, player.binding, addresses)
    return player if is_ours and addresses else None
