"""Capabilities: what each proof of who sends a command is worth, and how it ends.

Every way in asks this table and nothing else: mail, terminal, click, code, bot and operator."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from types import MappingProxyType
from typing import NamedTuple

_DAY = 86400.0


class Act(StrEnum):
    """What kind of act a command is."""

    OPEN = "open"
    """Anybody may ask for it, registered or not."""
    CODE = "code"
    """The code in it proves all that it needs."""
    LOOK = "look"
    """It shows what a spectator may see."""
    CHALLENGE = "challenge"
    """It starts a board, which sleeps until the challenger has proved to be one."""
    OWN = "own"
    """It mails what one player alone may see to that player's own addresses."""
    SEAT = "seat"
    """It acts for a seat on its board."""
    SETTING = "setting"
    """It changes the player's vacation, preferences or blocks."""
    INVITE = "invite"
    """It has an invitation mailed to an address that did not ask for one."""
    EVENT = "event"
    """It makes, enters or leaves an event in the player's name."""
    PLAYER = "player"
    """It starts something else in the player's name."""
    MODERATE = "moderate"
    """It decides what waits for a moderator, or undoes what one did."""
    MATCH = "match"
    """It enters a match of clubs with guests, or begins one."""
    STOP = "stop"
    """It ends mails to the player."""
    ACCOUNT = "account"
    """It changes who owns the account, or ends it."""


class Proof(StrEnum):
    """How the sender of a command is known."""

    PASSWORD = "password"  # noqa: S105 (a kind of proof)
    BOARD_ADDRESS = "reply address of a board"
    """From a confirmed address of the player of that seat."""
    PLAYER_ADDRESS = "reply address of a player"
    """Of a player or of something that a feature mails to one, from a confirmed address of that
    player."""
    SEAT_LINK = "link of a seat"
    PLAYER_LINK = "link of a player"
    STOP_LINK = "link that stops mails"
    """In the head of a mail, for the reader's mail program: it stops mails of that kind."""
    OFFER = "yes to an offer"
    """To the mail that made it to the player of a seat, by the reply address of its board."""
    CODE = "code"
    """Mailed to an address, or to all confirmed ones of an account."""
    INVITATION = "reply address or link of an invitation"
    """Mailed to the address that is invited."""
    JOIN_LINK = "link to forward"
    """Made by a player, for whomever it reaches."""
    VOUCHED = "authenticated From"
    """The operator's own mail server vouches for it; on a trial server, every From."""
    FROM = "From alone"
    """A confirmed address, which anybody can write there."""
    NOTHING = "nothing"
    BOT = "bot"
    TERMINAL = "terminal"
    """The shell of the server's machine, in nobody's name."""
    OPERATOR = "operator"
    """The shell, in a player's name, which is recorded."""


class End(StrEnum):
    """What ends a proof before its time."""

    PASSWORD = "the password is changed"  # noqa: S105 (an event)
    LINKS = "set links=new"
    ADDRESSES = "the confirmed addresses change"
    USED = "it is used"
    REPLACED = "a later one replaces it"
    WITHDRAWN = "its maker withdraws it"


class Capability(NamedTuple):
    """What a proof is worth and how it ends.

    worth        the kinds of acts that it is enough for
    at_board     only at the board that it names, for acts of a seat
    lasts        seconds from when it was made (None: without end)
    after_board  seconds from the end of the board that it names
    ends         what ends it sooner
    """

    worth: frozenset[Act]
    at_board: bool = False
    lasts: float | None = None
    after_board: float | None = None
    ends: frozenset[End] = frozenset()


_LOOKING = frozenset({Act.OPEN, Act.CODE, Act.LOOK})
_SEAT = _LOOKING | {Act.OWN, Act.SEAT, Act.STOP}
_PLAYER = _SEAT | {
    Act.SETTING,
    Act.EVENT,
    Act.INVITE,
    Act.MODERATE,
    Act.CHALLENGE,
    Act.PLAYER,
    Act.MATCH,
}
GUEST_ACTS = frozenset(
    {Act.OPEN, Act.CODE, Act.OWN, Act.SEAT, Act.SETTING, Act.STOP, Act.MATCH, Act.ACCOUNT}
)
"""The acts that a guest of a match may do, whatever the proof, besides viewing its boards."""
_ADDRESS_ENDS = frozenset({End.PASSWORD, End.LINKS})
_LINK_ENDS = _ADDRESS_ENDS | {End.ADDRESSES}
YEAR = 365 * _DAY
MONTH = 30 * _DAY

CAPABILITIES: Mapping[Proof, Capability] = MappingProxyType(
    {
        Proof.PASSWORD: Capability(_PLAYER | {Act.ACCOUNT}, ends=frozenset({End.PASSWORD})),
        Proof.BOARD_ADDRESS: Capability(
            _SEAT, at_board=True, after_board=MONTH, ends=_ADDRESS_ENDS
        ),
        Proof.PLAYER_ADDRESS: Capability(_PLAYER, lasts=YEAR, ends=_ADDRESS_ENDS),
        Proof.OFFER: Capability(_PLAYER, lasts=7 * _DAY, ends=_ADDRESS_ENDS | {End.USED}),
        Proof.SEAT_LINK: Capability(
            frozenset({Act.LOOK, Act.SEAT}), at_board=True, after_board=MONTH, ends=_LINK_ENDS
        ),
        Proof.PLAYER_LINK: Capability(_PLAYER, ends=_LINK_ENDS),
        Proof.STOP_LINK: Capability(frozenset({Act.OPEN, Act.STOP}), ends=_ADDRESS_ENDS),
        Proof.CODE: Capability(
            frozenset({Act.CODE}), lasts=7 * _DAY, ends=frozenset({End.USED, End.REPLACED})
        ),
        Proof.INVITATION: Capability(
            _LOOKING, lasts=MONTH, ends=frozenset({End.USED, End.WITHDRAWN})
        ),
        Proof.JOIN_LINK: Capability(_LOOKING, lasts=MONTH, ends=_ADDRESS_ENDS | {End.WITHDRAWN}),
        Proof.VOUCHED: Capability(_LOOKING | {Act.CHALLENGE}),
        Proof.FROM: Capability(_LOOKING | {Act.CHALLENGE}),
        Proof.NOTHING: Capability(_LOOKING),
        Proof.BOT: Capability(_LOOKING | {Act.SEAT}),
        Proof.TERMINAL: Capability(_LOOKING | {Act.CHALLENGE}),
        Proof.OPERATOR: Capability(_PLAYER | {Act.ACCOUNT}),
    }
)
"""A code is worth what the mail that brought it asked for, and nothing else, and so is a yes to an
offer, which the server has kept with that mail; an invitation is worth
an account at the address that it went to, a link to forward a code to an address. A player's
address is worth acts of all seats of that player; a seat's address or link is worth those of that
seat."""


def count_days(proof: Proof) -> int:
    """Return the days that a proof lasts from when it was made; 0 for one without end."""
    return int((CAPABILITIES[proof].lasts or 0) // _DAY)


OLD_FORM_LASTS = MONTH
"""The time after an upgrade for which reply addresses of an earlier form keep their worth."""


def is_worth(proof: Proof, act: Act, *, board: int = 0, proved: int = 0) -> bool:
    """Whether a proof is enough for an act; `board` is the board that the act is on, `proved` the
    one that the proof names (0 for both: any)."""
    capability = CAPABILITIES[proof]
    if act not in capability.worth:
        return False
    return not (capability.at_board and act is Act.SEAT) or board == proved


def outlives_board(proof: Proof, ended: float | None, now: float) -> bool:
    """Whether a proof that names a board still holds, by when the board ended."""
    after = CAPABILITIES[proof].after_board
    return ended is None or after is None or now <= ended + after
