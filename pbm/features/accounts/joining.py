"""Signups without a password: the answer to an invitation, and the form of a page."""

from __future__ import annotations

from msgspec.structs import replace

from pbm.core import player as bans
from pbm.core.call import Call
from pbm.core.context import add_audit_row
from pbm.core.intents import Known, read_agreement
from pbm.core.limits import Asker
from pbm.core.notices import Notice
from pbm.core.player import find_players_by_address
from pbm.core.refusal import Refusal, RefusalCode
from pbm.core.talk import is_move, is_only_manners, read_consent
from pbm.features.accounts import invitations
from pbm.features.accounts.addresses import read_addresses, require_unbarred
from pbm.features.accounts.admission import (
    admit,
    may_sign_up,
    require_admission,
    takes_players,
)
from pbm.features.accounts.codes import allow_named, require_share
from pbm.features.accounts.invitations import Opened
from pbm.features.accounts.rows import has_declined
from pbm.features.accounts.signup import (
    create,
    require_few,
    require_free,
    store_confirmed,
    store_signup,
)
from pbm.features.accounts.userids import require_valid_userid
from pbm.games import get_game
from pbm.locale.words import fold
from pbm.rules.examples import begin
from pbm.rules.phrases import phrase
from pbm.store.tables import normalize_mailbox

_FORM = "signup USERID PASSWORD"


def join(call: Call) -> list[Notice]:
    """Answer an invitation, or send a code to the address of a form. Refuse an invitation that is
    over, and a userid that is not free."""
    token = call.command.sender.invitation
    if token is None:
        return _send_code(call, None)
    opened = invitations.open_token(call, token)
    if opened is None:
        raise Refusal(
            RefusalCode.BAD_CODE,
            phrase(
                "this invitation is over: it can be accepted once, for {days} days, and whoever "
                "sent it may withdraw it",
                days=invitations.LASTS,
            ),
            _FORM,
        )
    return _send_code(call, opened) if opened.is_link else _answer(call, opened)


# The answer to an invitation


def _answer(call: Call, opened: Opened) -> list[Notice]:
    """Open an account at the invited address, with the userid that the answer gives, and begin the
    board; or note that the address declines, of which nobody is notified: only who writes more than
    a no is answered, as that goes to nobody."""
    sender, row = call.command.sender, opened.row
    if sender.via == "mail" and sender.address != row.address:
        raise Refusal(
            RefusalCode.OTHER_ADDRESS,
            phrase("this invitation went to another address: reply from there, or open its link"),
        )
    line = " ".join(call.command.words)
    if _reads_as(line, opened) is False:
        invitations.decline(call, row.address)
        invitations.use_up(call, row.id)
        return [invitations.confirm_no(call, opened)] if call.command.text else []
    if players := find_players_by_address(call.session, row.address):
        reason = phrase("this address has an account already, {userid}", userid=players[0].userid)
        raise Refusal(RefusalCode.ALREADY_DONE, reason, "help")
    if not _may_be_userid(line, opened.row.game) and not (_reads_as(line, opened) and row.userid):
        if line and "?" not in line:  # the answer names the line, which goes to nobody
            text = "\n".join(filter(None, (line, call.command.text)))
            call.command = replace(call.command, text=text)
        return [invitations.explain(call, opened)]
    userid = _read_userid(call, opened, line)
    require_free(call, userid.lower())
    require_unbarred(call, [row.address])
    require_admission(call, row.address)
    if not invitations.use_up(call, row.id):
        raise Refusal(RefusalCode.BAD_CODE, phrase("this invitation has been answered"), _FORM)
    player = call.player = create(call, userid, "")
    store_confirmed(call, player, row.address)
    if version := call.config.house.version:
        add_audit_row(call, player.userid, f"accept terms {version}", player=player.id)
    return invitations.greet(call, admit(call, player, row.address), opened, player)


def _reads_as(line: str, opened: Opened) -> bool | None:
    """Return True for a yes or a sentence that agrees, False for a no, None for anything else. A
    single word that could be agreement but also a userid is a userid."""
    consent = read_consent(line)
    if consent is not None or " " not in line:
        return consent
    known = Known(players={fold(opened.host.userid)})
    return read_agreement(line, known, is_reversible=True)


def _may_be_userid(line: str, game: str) -> bool:
    """Whether an answer is a single word that could be a userid: no question, no mere courtesy, and
    no move of the game that is offered."""
    is_word = len(line.split()) == 1 and not is_only_manners(line) and not line.endswith("?")
    return is_word and not (game and is_move(begin(get_game(game)), line))


def _read_userid(call: Call, opened: Opened, line: str) -> str:
    """Return the userid that an answer names; for a yes, the one that the mail proposes. Refuse an
    invalid userid."""
    proposed = opened.row.userid
    if _reads_as(line, opened) and proposed:
        return proposed
    word = line.strip("<>,;:.!\"'()*")
    example = invitations.propose_userid(call, opened.row.address)
    require_valid_userid(word.lower(), *([example] if example else []))
    return word


# Forms


def _send_code(call: Call, opened: Opened | None) -> list[Notice]:
    """Send a code to the address of a form; when it comes back, it opens an account without a
    password. The answer is the same whether or not the address is registered, banned, has declined
    mail, or has had too much."""
    command = call.command
    name = command.user.lower()
    require_valid_userid(name)
    require_free(call, name)
    (address,) = read_addresses(call, command.words[:1], "signup USERID PASSWORD")
    if not takes_players(call.config.players):
        require_admission(call, address)
    source = command.sender.peer
    require_few(call, source or "the web")
    require_few(call, normalize_mailbox(address))
    require_share(call, Asker(source, address))
    if not _may_join(call, address):
        return []
    link = opened.row.id if opened is not None else 0
    if call.config.players.confirm_addresses:
        return [store_signup(call, [address], "", link=link)] if allow_named(call, address) else []
    player = call.player = create(call, command.user, "")
    store_confirmed(call, player, address)
    used = invitations.find_used(call, link)
    return invitations.greet(call, admit(call, player, address), used, player)


def _may_join(call: Call, address: str) -> bool:
    """Whether a code may go to the address: it is not banned, has not said no, and its owner may
    sign up here."""
    is_barred = bans.find_bans(call.session, (address,))
    has_said_no = has_declined(call.session, call.secrets, address)
    return not is_barred and not has_said_no and may_sign_up(call, address)
