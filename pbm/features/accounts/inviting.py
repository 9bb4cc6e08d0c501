"""`invite`: one mail to an address that may never have written, or a link to forward."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence

from msgspec.structs import replace

from pbm.core import player as bans
from pbm.core.board import format_time
from pbm.core.call import Call
from pbm.core.clubs import find_guest_match
from pbm.core.context import Context
from pbm.core.limits import Asker
from pbm.core.notices import Notice
from pbm.core.options import read_terms, set_up
from pbm.core.player import Player, find_player, format_name, get_player
from pbm.core.refusal import Refusal, RefusalCode
from pbm.core.trust import HeldWords, take_invitation
from pbm.core.words import find_named_game, find_similar_game, join_game_title
from pbm.features.accounts import invitations
from pbm.features.accounts.addresses import read_addresses
from pbm.features.accounts.admission import describe_refused_signups
from pbm.features.accounts.codes import require_share
from pbm.features.accounts.invitations import (
    LASTS,
    InvitedBoard,
    Opened,
    claim_address,
    find_title,
    propose_userid,
)
from pbm.features.accounts.notices import (
    FriendInvitation,
    InvitationList,
    InvitationSent,
    PlayerInvited,
)
from pbm.features.accounts.tables import FriendInvitationRow
from pbm.games import get_game
from pbm.locale.intents import is_joining
from pbm.locale.words import read_command_word, says_none
from pbm.rules import Game
from pbm.rules.game import ANONYMOUS
from pbm.rules.phrases import Listing, phrase, phrase_number
from pbm.store.daily_counters import DAY
from pbm.store.reads import find_blockers

_FORM = "invite {user} PASSWORD NAME@EXAMPLE.ORG"
_OPTION = re.compile(r"--?[a-z_]+(?:=[0-9]{1,3})?")
"""An option that cannot be anybody's password."""
_LONGEST_TEXT = 200
_LINK = re.compile(r"://|\w\.\w|[\w-]@[\w-]|[^\W\d_]:[\w+/]")
"""A link, a host, an address, or the beginning of mailto: and tel:."""
_DOTS = str.maketrans(dict.fromkeys("\u3002\uff0e\uff61", "."))
"""Characters that count as a dot in host names (UTS 46)."""


def invite(call: Call) -> list[Notice]:
    """Invite an address, make a link to forward, withdraw all of both, or list them. Refuse an
    invalid address, options that the game does not have, and a text with links."""
    words = [*call.command.words]
    game, rest = _find_game(call, words)
    is_link = rest[:1] and read_command_word(rest[0], ("link",)) == "link"
    is_end = len(words) == 1 and says_none(words[0])
    if not words or is_link or is_end:  # nobody gets a mail, so nobody gets its text
        lines = filter(None, call.command.text.split("\n"))
        call.command = replace(call.command, withheld=(*call.command.withheld, *lines))
    if not words:
        return [_list(call)]
    if is_end:
        invitations.withdraw(call, call.me)
        return [_list(call, is_withdrawn=True)]
    _require_open(call)
    return _make_link(call, game, rest[1:]) if is_link else _send(call, game, rest)


_MOST_JOINING = 4
_ELISION = re.compile("^[dl]['\u2019]")
"""As in French "une partie d'échecs"."""


def _require_open(call: Call) -> None:
    """Refuse invitations where only the operator decides who may sign up."""
    config = call.config.players
    if config.signups in ("closed", "invited"):
        raise Refusal(RefusalCode.SIGNUP_REFUSED, describe_refused_signups(config))


def _find_game(call: Call, words: list[str]) -> tuple[Game | None, list[str]]:
    """Return the game named before the command or behind its first word, maybe after words such as
    `to a game of`, and the other words."""
    if call.command.game:
        return get_game(call.command.game), words
    for at in range(1, min(len(words), _MOST_JOINING + 2)):
        rest = join_game_title([_ELISION.sub("", words[at]), *words[at + 1 :]])
        if name := find_named_game(rest[0]):
            return get_game(name), [words[0], *rest[1:]]
        if not is_joining(words[at]) or find_player(call.session, words[at]) is not None:
            break
    return None, words


def _read_offer(call: Call, game: Game, words: Sequence[str]) -> tuple[InvitedBoard, list[str]]:
    """Return the game with its terms, and the words that are not options. Refuse a game that two
    cannot play, and options that it does not have."""
    form = f"{_FORM} {game.info.name}"
    terms = read_terms(game, words, lambda _: form, writer=call)
    if ANONYMOUS in terms.options:
        raise Refusal(
            RefusalCode.BAD_OPTION,
            phrase("an invitation says who sends it, so that the board cannot hide who plays"),
            form,
        )
    if 2 not in game.info.players:
        reason = phrase(
            "{game} is not for two players: invite a friend without a game", game=game.info.title
        )
        raise Refusal(RefusalCode.BAD_ARGUMENT, reason, _FORM)
    position = set_up(game, 2, terms.options, form)
    return InvitedBoard(game, terms, position), terms.userids


def _send(call: Call, game: Game | None, words: list[str]) -> list[Notice]:
    """Invite an address. The answer does not reveal whether it is registered or has declined
    mail."""
    offer = None
    if game is not None:
        offer, words = _read_offer(call, game, words)
    address, moves_first = _find_address(call, words, offer)
    text = _read_text(call, address, offer)
    _require_domain(call, address)
    waits = _count(call, address)
    sent = InvitationSent(
        userid=call.me.userid,
        address=address,
        title=offer.title if offer is not None else "",
        until=format_time(call.now + LASTS * DAY, call.me.preferences),
        waits=waits,
    )
    userid = propose_userid(call, address)
    number = invitations.add(
        call, address=address, offer=offer, userid=userid, moves_first=moves_first
    )
    notices = [call.answer(sent)]
    if bans.find_bans(call.session, (address,)):
        return notices
    if players := _find_owners(call, address):
        return notices + _tell_player(call, call.me, players[0], offer, text)
    if not claim_address(call, address):
        return notices
    opened = invitations.find(call, number)
    return notices + ([_invite_stranger(call, opened, offer, text)] if opened is not None else [])


def _invite_stranger(
    context: Context, opened: Opened, offer: InvitedBoard | None, text: str
) -> Notice:
    """Return the mail to an address that may never have written."""
    row, host = opened
    match = find_guest_match(context.session, row.id)
    content = FriendInvitation(
        host=_format_host(host),
        text=text,
        game=offer.game.info.name if offer is not None else "",
        title=offer.title if offer is not None else "",
        options=offer.options if offer is not None else "",
        begins=None if offer is None or offer.position.takes_orders else row.moves_first,
        drawing=offer.draw() if offer is not None else None,
        userid=row.userid,
        match=match.summary if match is not None else "",
        days=LASTS,
        terms=context.config.house.terms.strip(),
    )
    code = context.secrets.make_invitation_token(row.id)
    language = host.get_preference("language", "")
    return Notice(content, addresses=(row.address,), code=code, language=language)


def open_invitation(call: Call, host: Player, address: str) -> tuple[int, bool]:
    """Store and count a host's invitation to a match of clubs. Return its number, and whether it
    waits for a moderator. Refuse it where only the operator decides who may sign up."""
    _require_open(call)
    _require_domain(call, address)
    require_share(call, Asker(f"player {host.id}", address))
    waits = take_invitation(call.session, host.id, call.now, call.config)
    userid = propose_userid(call, address)
    return invitations.add(call, address=address, userid=userid, host=host), waits


def mail_invitation(call: Call, number: int) -> list[Notice]:
    """Return the mail that invites an address to a match in the host's name; nothing for an address
    that has an account, was invited before, or has declined such mail."""
    opened = invitations.find(call, number)
    if opened is None:
        return []
    address = opened.row.address
    is_known = bool(_find_owners(call, address))
    if is_known or bans.find_bans(call.session, (address,)) or not claim_address(call, address):
        return []
    return [replace(_invite_stranger(call, opened, None, ""), cause=opened.host.id)]


def pass_on_invitation(context: Context, words: HeldWords) -> list[Notice]:
    """Return the mail of a held invitation now released, unless it was withdrawn or its address has
    declined mail."""
    host = get_player(context.session, words.player)
    for row in invitations.list_open(context, host) if host is not None else ():
        opened = invitations.find(context, row.id)
        if opened is None or not row.address:
            continue
        offer = invitations.load_offer(row)
        players = _find_owners(context, row.address)
        if players and players[0].id in words.players:
            return _tell_player(context, opened.host, players[0], offer, words.text)
        is_meant = row.address in words.recipients and not players
        if is_meant and not bans.find_bans(context.session, (row.address,)):
            return [_invite_stranger(context, opened, offer, words.text)]
    return []


def _require_domain(call: Call, address: str) -> None:
    """Refuse an address outside the domains from which players may sign up."""
    domains = [domain.lower() for domain in call.config.players.signup_domains]
    if domains and address.rpartition("@")[2] not in domains:
        reason = phrase("new players need an address of {domains}", domains=Listing(domains, "or"))
        form = f"invite {{user}} PASSWORD NAME@{domains[0]}"
        raise Refusal(RefusalCode.SIGNUP_REFUSED, reason, form)


def _find_address(call: Call, words: Sequence[str], offer: InvitedBoard | None) -> tuple[str, bool]:
    """Return the one address among the words, and whether its owner moves first: not if the
    sender's userid stands before it. Refuse other words, which belong in the body."""
    named = [word for word in words if "@" in word]
    others = [word for word in words if "@" not in word]
    if len(named) == 1 and any(word.lower() != call.me.name for word in others):
        reason = phrase(
            "an invitation names one address, and then a game with its options, or none; words for "
            "your friend go below, in the body of the mail"
        )
        (address,) = read_addresses(call, named, _FORM.rpartition(" ")[0])
        near = [find_similar_game(others[0]), *others[1:]]
        if offer is None and near[0] and all(map(_OPTION.fullmatch, near[1:])):
            problem = phrase("there is no game with that name")
            reason = phrase("{problem}: did you mean {meant}?", problem=problem, meant=near[0])
            line = " ".join([_write_form(address, offer), *near])
            raise Refusal(RefusalCode.BAD_ARGUMENT, reason, line)
        raise Refusal(RefusalCode.BAD_ARGUMENT, reason, _FORM, _write_form(address, offer))
    if len(named) > 1:
        reason = phrase(
            "an invitation names one address, and then a game with its options, or none"
        )
        raise Refusal(RefusalCode.BAD_ARGUMENT, reason, _FORM, f"{_FORM} chess")
    (address,) = read_addresses(call, named, _FORM.rpartition(" ")[0])
    return address, not others or "@" in words[0]


def _write_form(address: str, offer: InvitedBoard | None) -> str:
    """Return the line that invites an address as it was typed, with the game if one was named."""
    form = f"invite {{user}} PASSWORD {address}"
    if offer is None:
        return form
    return f"{form} {offer.game.info.name} {offer.options}".rstrip()


def _read_text(call: Call, address: str, offer: InvitedBoard | None) -> str:
    """Return the text of the mail. Refuse a long one, and one with a link or an address."""
    text = " ".join(call.command.text.split())
    if len(text) > _LONGEST_TEXT or _may_be_link(text):
        raise Refusal(
            RefusalCode.BAD_ARGUMENT,
            phrase(
                "the text of an invitation has at most {most} characters, no address, and no dot "
                "between letters or digits, of which a mail program might make a link: nothing was "
                "sent",
                most=_LONGEST_TEXT,
            ),
            _write_form(address, offer),
        )
    return text


def _count(call: Call, address: str) -> bool:
    """Count an invitation. Return whether it waits for a moderator. Refuse any once strangers have
    used up the hour's mails."""
    require_share(call, Asker(f"player {call.me.id}", address))
    return take_invitation(call.session, call.me.id, call.now, call.config)


def _find_owners(context: Context, address: str) -> list[Player]:
    """Return the active players to whose mailbox an address leads, whatever its tag."""
    rows = bans.find_covered_addresses(context.session, address)
    people = [get_player(context.session, row.player_id) for row in rows if row.confirmed]
    return [each for each in people if each is not None and each.is_active]


def _format_host(host: Player) -> str:
    """Return the host's userid, with the host's name unless that looks like a link."""
    shown = format_name(host.userid, host.preferences)
    return host.userid if _may_be_link(shown) else shown


def _may_be_link(text: str) -> bool:
    """Whether a mail program might turn part of a text into a link, in any script and with any kind
    of dot. In doubt True: a refused text costs less than a link mailed to a stranger."""
    plain = unicodedata.normalize("NFKC", text.translate(_DOTS))
    visible = (each for each in plain if unicodedata.category(each) not in ("Cf", "Mn", "Me"))
    return _LINK.search("".join(visible)) is not None


def _tell_player(
    context: Context, host: Player, player: Player, offer: InvitedBoard | None, text: str
) -> list[Notice]:
    """Return the notice that invites a player, unless that is the host or blocks the host."""
    if player.id == host.id or player.id in find_blockers(context.session, host.id):
        return []
    line = f"{offer.game.info.name if offer else 'GAME'} challenge {player.userid} {host.userid}"
    content = PlayerInvited(
        userid=player.userid,
        host=_format_host(host),
        text=text,
        title=offer.title if offer is not None else "",
        line=f"{line} {offer.options if offer is not None else ''}".rstrip(),
    )
    return [context.build_notice(player, content)]


def _make_link(call: Call, game: Game | None, words: Sequence[str]) -> list[Notice]:
    """Make a link to forward. Refuse one too many, and any where the server has no web pages."""
    offer = None
    if game is not None:
        offer, words = _read_offer(call, game, words)
    if words:
        reason = phrase("behind the word link stands a game with its options, or nothing")
        raise Refusal(RefusalCode.BAD_ARGUMENT, reason, "invite {user} PASSWORD link")
    if not call.config.web.url:
        reason = phrase("this server has no web pages, so there are no links to forward")
        raise Refusal(RefusalCode.NOT_PERMITTED, reason, _FORM)
    most = call.config.limits.join_links
    own = [row for row in invitations.list_open(call, call.me) if not row.address]
    if most and len(own) >= most:
        reason = phrase_number(
            "you have {count} link already; this withdraws it, and your invitations",
            "you have {count} links already; this withdraws them, and your invitations",
            most,
        )
        raise Refusal(RefusalCode.LIMIT_REACHED, reason, "invite {user} PASSWORD none")
    invitations.add(call, offer=offer)
    return [_list(call)]


def _list(call: Call, *, is_withdrawn: bool = False) -> Notice:
    return call.answer(list_sent(call, call.me, is_withdrawn=is_withdrawn))


def list_sent(context: Context, host: Player, *, is_withdrawn: bool = False) -> InvitationList:
    """Return the invitations and links of a player."""
    rows = invitations.list_open(context, host)

    def until(row: FriendInvitationRow) -> str:
        return format_time(row.expires, host.preferences)

    return InvitationList(
        userid=host.userid,
        invitations=[(row.address, find_title(row), until(row)) for row in rows if row.address],
        links=[
            (invitations.make_url(context, host, row), find_title(row), row.uses, until(row))
            for row in rows
            if not row.address
        ],
        has_pages=bool(context.config.web.url),
        is_withdrawn=is_withdrawn,
    )
