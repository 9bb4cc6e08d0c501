"""Invitations of players: how they are stored, and the reply addresses and links that prove
them."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from msgspec.structs import replace
from sqlalchemy import delete, insert, or_, select, update

from pbm.core import proofs, storing
from pbm.core.call import Call
from pbm.core.clubs import GuestMatch, note_guest
from pbm.core.context import Context
from pbm.core.making import insert_board
from pbm.core.notices import Appearance, Drawing, Notice
from pbm.core.operator import OperatorAct
from pbm.core.options import Terms, format_server, load_terms
from pbm.core.player import (
    Player,
    delete_own,
    find_player,
    get_player,
    list_own,
    pass_on,
    save_player,
)
from pbm.core.proofs import Proof
from pbm.core.secrets import Token
from pbm.core.storing import save
from pbm.core.updates import add_remark, notify_new_board
from pbm.core.view import format_options
from pbm.features.accounts.notices import (
    FriendJoined,
    GuestCame,
    GuestWelcome,
    InvitationDeclined,
    InvitationExplained,
    Welcome,
)
from pbm.features.accounts.tables import (
    FriendInvitationRow,
    friend_invitations,
    invited_addresses,
    waiting_guests,
)
from pbm.features.accounts.userids import find_former_owner, is_reserved, is_valid_userid
from pbm.games import UnknownGame, get_game
from pbm.rules import Game, OptionError, Position
from pbm.rules.phrases import phrase
from pbm.store import reads
from pbm.store.daily_counters import DAY
from pbm.store.rows import Query
from pbm.store.transaction import Session, insert_into

LASTS = proofs.count_days(Proof.INVITATION)
"""The days for which an invitation or a link to forward can be accepted."""
_ENDLESS = 1_000_000
_MOST_TRIED = 9


class Opened(NamedTuple):
    """An invitation that can be accepted, and who sent it."""

    row: FriendInvitationRow
    host: Player

    @property
    def is_link(self) -> bool:
        """Whether it is a link to forward."""
        return not self.row.address


class InvitedBoard(NamedTuple):
    """The board that an invitation would begin: its game, terms and first position."""

    game: Game
    terms: Terms
    position: Position

    @property
    def title(self) -> str:
        """The title of the game."""
        return storing.find_title(self.game.info.name)

    @property
    def options(self) -> str:
        """The options, as a player would write them."""
        return _format_terms(self.terms)

    def draw(self) -> Drawing:
        """Draw the first position as a spectator sees it."""
        first = self.position
        return Drawing(first.picture(), Appearance(first, None), self.title, first.colours)


def add(
    call: Call,
    *,
    address: str = "",
    offer: InvitedBoard | None = None,
    userid: str = "",
    moves_first: bool = True,
    host: Player | None = None,
) -> int:
    """Store an invitation from the sender, or from another `host`, to an address, or a link to
    forward. Return its number."""
    row = {
        "player_id": (host or call.me).id,
        "address": address,
        "game": offer.game.info.name if offer is not None else "",
        "options": json.dumps(offer.terms.options) if offer is not None else "",
        "server": json.dumps(offer.terms.dump_server()) if offer is not None else "",
        "moves_first": moves_first,
        "userid": userid,
        "uses": 1 if address else call.config.limits.joins_a_link or _ENDLESS,
        "created": call.now,
        "expires": call.now + LASTS * DAY,
    }
    query = insert(friend_invitations).values(row).returning(friend_invitations.c.id)
    return int(call.session.execute(query).scalar_one())


def list_open(context: Context, host: Player) -> Sequence[FriendInvitationRow]:
    """Return the invitations and links of a player, oldest first. Answered ones are included, so
    that nobody learns which addresses declined."""
    query = select(friend_invitations).where(
        friend_invitations.c.player_id == host.id, friend_invitations.c.expires > context.now
    )
    return context.session.all(Query(FriendInvitationRow, query.order_by(friend_invitations.c.id)))


def withdraw(context: Context, host: Player) -> None:
    """Withdraw all invitations and links of a player."""
    own = friend_invitations.c.player_id == host.id
    context.session.execute(delete(friend_invitations).where(own))


def use_up(context: Context, number: int) -> bool:
    """Count one use of an invitation or link. Return whether it could be used."""
    # One statement, so that of two daemons only one gets the last use.
    used = (
        update(friend_invitations)
        .where(friend_invitations.c.id == number, friend_invitations.c.uses > 0)
        .values(uses=friend_invitations.c.uses - 1)
    )
    return context.session.execute(used).rowcount > 0


def open_token(context: Context, token: Token) -> Opened | None:
    """Return the invitation with that token; None when it is not genuine, used, expired or
    withdrawn, or its maker may no longer act."""
    opened = find(context, token.number)
    if opened is None or opened.is_link is not (token.kind == "j"):
        return None
    stored = opened.host.binding if opened.is_link else ""
    return opened if context.secrets.is_genuine(token, stored) else None


def find(context: Context, number: int) -> Opened | None:
    """Return the invitation with that number if it can still be used."""
    query = select(friend_invitations).where(
        friend_invitations.c.id == number,
        friend_invitations.c.expires > context.now,
        friend_invitations.c.uses > 0,
    )
    return _open(context, context.session.first(Query(FriendInvitationRow, query)))


def _open(context: Context, row: FriendInvitationRow | None) -> Opened | None:
    host = get_player(context.session, row.player_id) if row is not None else None
    return Opened(row, host) if row is not None and host is not None and host.is_active else None


def make_url(context: Context, host: Player, row: FriendInvitationRow) -> str:
    """Return the URL of a link to forward; "" where the server has no web pages."""
    url = context.config.web.url.rstrip("/")
    return f"{url}/join/{context.secrets.make_join_token(row.id, host.binding)}" if url else ""


# Addresses


def claim_address(context: Context, address: str) -> bool:
    """Note that an address gets an invitation. Return whether it never had one and accepts any."""
    digests = context.secrets.list_address_digests(address)
    known = select(invited_addresses.c.digest).where(invited_addresses.c.digest.in_(digests))
    if context.session.execute(known).scalar() is not None:
        return False
    row = {"digest": digests[0], "declined": False, "at": context.now}
    query = insert_into(invited_addresses, is_sqlite=context.session.is_sqlite).values(row)
    free = query.on_conflict_do_nothing(index_elements=(invited_addresses.c.digest,))
    claimed = free.returning(invited_addresses.c.digest)
    return context.session.execute(claimed).scalar() is not None


def decline(context: Context, address: str) -> None:
    """Note that an address accepts no unrequested mail."""
    decline_digest(context, context.secrets.digest_address(address))


def decline_digest(context: Context, digest: str) -> None:
    """Note that the address with that digest accepts no unrequested mail."""
    row = {"digest": digest, "declined": True, "at": context.now}
    query = insert_into(invited_addresses, is_sqlite=context.session.is_sqlite).values(row)
    own = [invited_addresses.c.digest]
    context.session.execute(
        query.on_conflict_do_update(index_elements=own, set_={"declined": True})
    )


# Names


def is_free(context: Context, name: str) -> bool:
    """Whether a userid, in lower case, is free."""
    taken = find_player(context.session, name) or find_former_owner(context, name)
    return is_valid_userid(name) and not is_reserved(context, name) and not taken


def propose_userid(context: Context, address: str) -> str:
    """Return a userid for the owner of the address, made from its first word; "" if none fits."""
    first = re.split(r"[.+_-]", address.partition("@")[0], maxsplit=1)[0]
    word = re.sub(r"[^a-z0-9]", "", first.lower()).lstrip("0123456789")[:16]
    names = [word, *(f"{word}{number}" for number in range(2, _MOST_TRIED))]
    return next((name for name in names if word and is_free(context, name)), "")


# Boards


def describe_terms(row: FriendInvitationRow) -> str:
    """Return the options of the invitation's board, as a player would write them."""
    return _format_terms(_load_terms(row)) if row.game else ""


def _format_terms(terms: Terms) -> str:
    server = format_server(
        terms.control,
        unrated=terms.unrated,
        private=terms.private,
        standin=terms.standin,
        club=terms.club,
    )
    return " ".join(filter(None, [format_options(terms.options), server]))


def load_offer(row: FriendInvitationRow) -> InvitedBoard | None:
    """Return the board that an invitation would begin; None if it is to no board, or the game or
    one of its options no longer exists."""
    if not row.game:
        return None
    try:
        game, terms = get_game(row.game), _load_terms(row)
        return InvitedBoard(game, terms, game.setup(2, terms.options))
    except (UnknownGame, OptionError):
        return None


def find_title(row: FriendInvitationRow) -> str:
    """Return the title of the game that an invitation is to; "" for none, or one that no longer
    exists."""
    try:
        return storing.find_title(get_game(row.game).info.name) if row.game else ""
    except UnknownGame:
        return ""


def begin_board(call: Call, opened: Opened, friend: Player) -> list[Notice]:
    """Start the board that an invitation offers, to which both have agreed; no notices where there
    is none, or it cannot be played now."""
    row, host = opened
    most = call.config.limits.open_boards
    if not find_title(row) or (most and reads.count_open_boards(call.session, host.id) >= most):
        return []
    game, terms = get_game(row.game), _load_terms(row)
    people = (friend, host) if row.moves_first else (host, friend)
    try:
        position = game.setup(len(people), terms.options)
    except OptionError:
        return []
    accepted = [player.id for player in people]
    board = insert_board(call, game, position, people, terms, state="running", accepted=accepted)
    board.start(call.now)
    save(call.session, board, call.now)
    return notify_new_board(call, board, actor=people.index(friend))


def greet(
    call: Call, welcome: Sequence[Notice], opened: Opened | None, friend: Player
) -> list[Notice]:
    """Return the notices of the invitation's board, which welcomes whoever has joined by it;
    without a board, a welcome, and a notice to the host that a friend has joined. The friend reads
    the host's language. For a player who waits to be approved the invitation is remembered."""
    if opened is None:
        return [*welcome]
    match = note_guest(call.session, opened.row.id, friend)
    if not isinstance(welcome[0].content, Welcome):
        row = {"player_id": friend.id, "invitation": opened.row.id}
        call.session.execute(insert(waiting_guests).values(row))
        return [*welcome]
    host = opened.host
    if match is not None:
        return _greet_guest(call, match, host, friend)
    if language := host.get_preference("language", ""):
        shared = {**friend.preferences, "language": language}
        save_player(call.session, replace(friend, preferences=shared))
    if board := begin_board(call, opened, friend):
        remark = phrase("{friend} is a friend whom you have invited", friend=friend.userid)
        ready = phrase(
            "Welcome, {userid}! Your account is ready, and this is your board with {other}. All "
            "that you can do here: help",
            userid=friend.userid,
            other=host.userid,
        )
        return add_remark(add_remark(board, host.id, remark), friend.id, ready)
    content = FriendJoined(userid=host.userid, friend=friend.userid)
    return [*welcome, call.build_notice(host, content)]


def _greet_guest(call: Call, match: GuestMatch, host: Player, guest: Player) -> list[Notice]:
    """Return the welcome of a guest of a match, and the news of it to whoever made the match."""
    number = match.row.id
    own = GuestWelcome(
        userid=guest.userid,
        club=match.club,
        match=number,
        summary=match.summary,
        is_captain=match.is_captain,
    )
    came = GuestCame(userid=host.userid, club=match.club, match=number, guest=guest.userid)
    return [call.answer(own), call.build_notice(host, came)]


def explain(call: Call, opened: Opened) -> Notice:
    """Return the answer to whoever asks what an invitation is, or writes anything else that does
    not answer it. A reply to this mail answers the invitation."""
    row = opened.row
    userid = row.userid or propose_userid(call, row.address)
    content = InvitationExplained(
        host=opened.host.userid, title=find_title(row), userid=userid, is_offered=bool(row.userid)
    )
    return Notice(
        content,
        addresses=(row.address,),
        is_answer=True,
        code=call.secrets.make_invitation_token(row.id),
        language=opened.host.get_preference("language", ""),
        is_unproved=True,
    )


def confirm_no(call: Call, opened: Opened) -> Notice:
    """Return the answer to a refusal of an invitation that says more."""
    host, address = opened.host, opened.row.address
    language = host.get_preference("language", "")
    told = InvitationDeclined(host=host.userid)
    return Notice(told, (address,), is_answer=True, language=language, is_unproved=True)


def take_guest(context: Context, player: Player) -> Opened | None:
    """Return, and forget, the invitation by which a player came who waited to be approved; None
    where there is none, or its maker may no longer act."""
    own = waiting_guests.c.player_id == player.id
    number = context.session.execute(select(waiting_guests.c.invitation).where(own)).scalar()
    context.session.execute(delete(waiting_guests).where(own))
    if number is None:
        return None
    query = select(friend_invitations).where(friend_invitations.c.id == number)
    return _open(context, context.session.first(Query(FriendInvitationRow, query)))


def find_used(call: Call, number: int) -> Opened | None:
    """Return the link with that number, and count one more use; None where it cannot be used."""
    opened = find(call, number) if number else None
    return opened if opened is not None and use_up(call, number) else None


def _load_terms(row: FriendInvitationRow) -> Terms:
    options: Mapping[str, Any] = json.loads(row.options)
    return load_terms(options, json.loads(row.server))


# Invitations of a player: listed, passed on and deleted.


def list_personal_data(session: Session, player: int) -> dict[str, object]:
    """Return the invitations and links that a player has made, without who has answered."""
    names = "address game options server created expires"
    return {"invitations": list_own(session, player, friend_invitations, names)}


def pass_on_rows(act: OperatorAct, old: Player, new: Player) -> None:
    """Pass on the invitations. The one by which the old account came no longer matters."""
    delete_own(act.session, (waiting_guests,), old.id)
    pass_on(act.session, (friend_invitations,), old, new)


def erase_rows(context: Context, player: Player) -> None:
    """Withdraw the player's invitations. Addresses that declined stay noted, as keyed hashes."""
    delete_own(context.session, (friend_invitations, waiting_guests), player.id)


def find_differences(session: Session) -> Iterator[str]:
    """Yield a sentence for each invitation that contradicts itself."""
    odd = or_(
        friend_invitations.c.uses < 0,
        friend_invitations.c.expires <= friend_invitations.c.created,
        (friend_invitations.c.address != "") & (friend_invitations.c.uses > 1),
        (friend_invitations.c.game == "") != (friend_invitations.c.server == ""),
    )
    for row in session.stream(Query(FriendInvitationRow, select(friend_invitations).where(odd))):
        yield f"invitation {row.id} can be used {row.uses} times, until {row.expires}"
