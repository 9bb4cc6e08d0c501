"""Opening an account. A signup reserves nothing until its code comes back."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec.structs import replace
from sqlalchemy import delete, insert, select, true, update

from pbm.core import player as bans
from pbm.core.authenticate import PasswordChecks, unlock
from pbm.core.board import format_time
from pbm.core.call import Call
from pbm.core.command import Command
from pbm.core.context import Context, add_audit_row
from pbm.core.limits import Limit, spend
from pbm.core.notices import Notice, OperatorMessage
from pbm.core.operator import OperatorAct, refuse_changed
from pbm.core.player import (
    UNSET_PASSWORD,
    WAITING,
    Player,
    find_player,
    get_player,
    insert_player,
    insert_row,
    make_player,
    save_player,
)
from pbm.core.refusal import Refusal, RefusalCode, refuse_waiting
from pbm.core.secrets import Secrets
from pbm.core.words import get_verb, parse_board_number
from pbm.features.accounts.addresses import (
    confirm_address,
    read_addresses,
    require_unbarred,
    return_to_mailbox,
    store_addresses,
)
from pbm.features.accounts.admission import admit, require_admission, takes_players
from pbm.features.accounts.codes import (
    CODE_DAYS,
    allow_code,
    counts,
    list_digests,
    list_tags,
    redeem_code,
    refuse_code,
    require_room,
    send_confirmations,
)
from pbm.features.accounts.erasing import close_account, erase
from pbm.features.accounts.invitations import find_used, greet, propose_userid, take_guest
from pbm.features.accounts.notices import ConfirmationCode, Invitation, Unlocked, Welcome
from pbm.features.accounts.preferences import require_hash, require_password
from pbm.features.accounts.rows import find_signup, find_signups_of_address, is_invited
from pbm.features.accounts.tables import SignupRow, invitations, signups, waiting_guests
from pbm.features.accounts.userids import find_former_owner, is_reserved, require_valid_userid
from pbm.rules.phrases import phrase
from pbm.store import reads
from pbm.store.daily_counters import DAY
from pbm.store.tables import (
    CodeRow,
    addresses,
    audit,
    codes,
    former_mailboxes,
    inbound,
    mail_ends,
    normalize_mailbox,
    outbound,
    players,
)
from pbm.store.transaction import Session

_FORM = "signup USERID PASSWORD"


def signup(call: Call) -> list[Notice]:
    """Send a code to the first address; when it comes back, it opens the account with the password
    of this command. Refuse a userid that is taken or unfit, a bad password and too many signups; no
    refusal repeats a word of the command."""
    command = call.command
    _require_valid_userid(call, command.user.lower())
    require_free(call, command.user.lower())
    chosen = read_addresses(call, command.words[1:] or (command.sender.address,), _FORM)
    most = call.config.limits.signup_addresses
    if most and len(chosen) > most:
        raise Refusal(
            RefusalCode.BAD_ARGUMENT,
            phrase(
                "sign up with at most {most} addresses and add the others later",
                most=most,
            ),
            f"{_FORM} NAME@EXAMPLE.ORG",
            f"add {command.user} PASSWORD NAME@EXAMPLE.ORG",
        )
    chosen.sort(key=lambda address: address != command.sender.address)
    require_unbarred(call, chosen)
    require_admission(call, chosen[0])
    source = command.sender.address
    require_few(call, normalize_mailbox(source) if source else "terminal")
    if call.config.players.confirm_addresses:
        require_room(call, chosen[:1])
        return [_send_code(call, chosen)]
    require_hash(call)
    call.player = create(call, command.user, command.words[0])
    store_addresses(call, call.player, chosen)
    return admit(call, call.player, chosen[0])


def _require_valid_userid(call: Call, name: str) -> None:
    """Refuse an invalid userid or password. A userid is proposed from the sender's address, never
    from the line, whose words may be passwords."""
    proposed = propose_userid(call, call.command.sender.address)
    is_typed = proposed in map(str.lower, (name, *call.command.words))
    form = f"signup {proposed} PASSWORD" if proposed and not is_typed else _FORM
    require_valid_userid(name, form)
    require_password(call, _FORM)
    if call.command.words[0].lower() == name:
        raise Refusal(
            RefusalCode.BAD_PASSWORD,
            phrase("your password must not be your userid, which everybody sees"),
            _FORM,
        )


def require_free(context: Context, name: str) -> None:
    """Refuse a userid that is taken or reserved."""
    other = find_player(context.session, name)
    is_taken = other is not None and not _is_abandoned(context, other)
    if is_taken or is_reserved(context, name) or find_former_owner(context, name):
        raise _build_taken_refusal()


def _build_taken_refusal() -> Refusal:
    return Refusal(RefusalCode.USERID_TAKEN, phrase("this userid is taken: choose another"), _FORM)


def require_few(call: Call, source: str) -> None:
    """Refuse an account beyond those that one source may open in a day."""
    if not spend(call.session, Limit.SIGNUPS, source, call.now, call.config):
        raise Refusal(
            RefusalCode.LIMIT_REACHED,
            phrase("too many accounts were opened from your address today: try again tomorrow"),
        )


def _send_code(call: Call, chosen: Sequence[str]) -> Notice:
    """Store the signup and send its code; earlier signups of the address become void."""
    address, command = chosen[0], call.command
    is_own = address == command.sender.address
    if not allow_code(call, address):
        raise Refusal(
            RefusalCode.LIMIT_REACHED,
            phrase("too many codes have gone to this address today: sign up again tomorrow")
            if is_own
            else phrase(
                "{most} codes have gone to this address in the last seven days: sign up in a mail "
                "from there",
                most=Limit.CODES.find_most(call.config),
            ),
            _FORM,
        )
    return store_signup(call, chosen, command.words[0])


def store_signup(call: Call, chosen: Sequence[str], password: str, *, link: int = 0) -> Notice:
    """Store a signup and build the mail with its code. It voids earlier ones of the address; one
    without a password, which comes from a page, voids only those of its kind. `link` is the number
    of the link by which the newcomer came."""
    (address, *others), command = chosen, call.command
    is_own = address == command.sender.address
    earlier = find_signups_of_address(call.session, address, call.now) if password else ()
    voided = (signups.c.address == address) & (true() if password else signups.c.sealed == "")
    call.session.execute(delete(signups).where(voided))
    code = call.secrets.generate_code()
    tag = call.secrets.make_code_tag(code)
    house = call.config.house
    row = {
        "userid": command.user,
        "address": address,
        "others": " ".join(others),
        "digest": call.secrets.digest_code(tag),
        # Hashed when the code comes back: argon2 is too costly for strangers.
        "sealed": call.secrets.seal(password, tag) if password else "",
        "terms": house.version,
        "created": call.now,
        "expires": call.now + CODE_DAYS * DAY,
        "link_id": link or None,
        "language": find_own_language(call),
    }
    number = call.session.execute(insert(signups).values(row).returning(signups.c.id)).scalar_one()
    content = ConfirmationCode(
        userid=command.user,
        code=code,
        days=CODE_DAYS,
        purpose="signup" if password else "join",
        asked=format_time(call.now, {}),
        is_own=is_own,
        replaced=format_time(earlier[-1].created, {}) if earlier else "",
        terms=house.terms.strip(),
    )
    return Notice(
        content,
        addresses=(address,),
        is_answer=is_own,
        code=f"c{number}-{tag}",
        language=command.sender.language,
        is_unproved=counts(call),
    )


def find_signup_by_code(
    session: Session, secrets: Secrets, command: Command, now: float
) -> tuple[SignupRow, str] | None:
    """Return the signup whose code a command names or answers, and the password sent in it ("" for
    none)."""
    row = find_signup(session, list_digests(secrets, command), now)
    if row is None:
        return None
    if not row.sealed:
        return row, ""
    opened = (secrets.unseal(row.sealed, tag) for tag in list_tags(secrets, command))
    password = next((text for text in opened if text is not None), None)
    return (row, password) if password is not None else None


def hash_sent_password(
    session: Session, command: Command, checks: PasswordChecks, now: float
) -> Command:
    """Return the command with the hash of the password sent in the signup that its code
    confirms."""
    found = find_signup_by_code(session, checks.secrets, command, now)
    if found is None or not found[1]:
        return command
    return replace(command, new_hash=checks.hash_new_password(found[1]))


def open_account(call: Call, row: SignupRow, password: str) -> list[Notice]:
    """Open the account of a signup whose code has come back, and send codes to its other addresses.
    Refuse a userid that somebody has confirmed in the meantime."""
    require_free(call, row.userid.lower())
    require_unbarred(call, [row.address])
    require_admission(call, row.address)
    if password:
        require_hash(call)
    own = signups.c.id == row.id
    if not call.session.execute(delete(signups).where(own)).rowcount:
        raise refuse_code()
    player = call.player = create(call, row.userid, password, row.language)
    store_confirmed(call, player, row.address)
    others = row.others.split()
    for address in others:
        call.session.execute(insert(addresses).values(player_id=player.id, address=address))
    if row.terms:
        add_audit_row(call, player.userid, f"accept terms {row.terms}", player=player.id)
    welcome = admit(call, player, row.address)
    greeted = greet(call, welcome, find_used(call, row.link_id or 0), player)
    if not isinstance(welcome[0].content, Welcome):
        return greeted
    return [*greeted, *send_confirmations(call, player, others)]


def store_confirmed(call: Call, player: Player, address: str) -> None:
    """Store the address at which a new account was confirmed."""
    confirmed = {"player_id": player.id, "address": address, "confirmed": call.now}
    call.session.execute(insert(addresses).values(confirmed))
    return_to_mailbox(call, player.id, address)


def find_own_language(call: Call) -> str:
    """Return the language of the page or mail by which a newcomer comes; "" for the server's."""
    language = call.command.sender.language
    return "" if language == call.config.server.language else language


def create(call: Call, userid: str, password: str, language: str = "") -> Player:
    """Return the new account, which replaces one of that userid that was never confirmed.
    `password` may be "". `language` defaults to that of the page or mail. Refuse a userid that
    another daemon has just given away."""
    session, name = call.session, userid.lower()
    new_hash = call.command.new_hash if password else UNSET_PASSWORD
    player = replace(make_player(userid, new_hash, call.now), writes_to=call.command.sender.to)
    if language := language or find_own_language(call):
        player = replace(player, preferences={**player.preferences, "language": language})
    abandoned = find_player(session, name)
    if abandoned is not None:
        for table in (codes, addresses):
            session.execute(delete(table).where(table.c.player_id == abandoned.id))
        player = replace(player, id=abandoned.id, stored=abandoned.stored)
        created: Player | None = save_player(session, player)
    else:
        created = insert_player(session, player)
    if created is None:
        raise _build_taken_refusal()
    if password:
        call.secrets.remember(created.id, new_hash, password)
    return created


def _is_abandoned(context: Context, player: Player) -> bool:
    """Whether no address of the account was confirmed while its codes were valid."""
    if player.is_confirmed or not player.is_active:
        return False
    valid = select(codes.c.id).where(codes.c.player_id == player.id, codes.c.expires > context.now)
    return context.session.execute(valid).scalar() is None


# `confirm CODE`: confirm an address; unlock, close or erase an account.


def confirm(call: Call) -> list[Notice]:
    """Redeem a code and do what it was issued for. Refuse an invalid one."""
    command = call.command
    word = command.words[0] if command.words else ""
    if parse_board_number(word) or not (word or list_tags(call.secrets, command)):
        raise Refusal(
            RefusalCode.MISSING_ARGUMENT,
            phrase("the code is missing: copy it from the mail that brought it"),
            "confirm CODE",
            get_verb("confirm").build_form(),
        )
    if found := find_signup_by_code(call.session, call.secrets, command, call.now):
        _require_recipient(call, found[0].address)
        return open_account(call, *found)
    row = redeem_code(call)
    _require_word(call, row)
    _require_recipient(call, row.address.partition(" ")[0])
    player = get_player(call.session, row.player_id)
    if player is not None and player.state == WAITING:
        raise refuse_waiting()
    if player is None or not player.is_active:
        raise Refusal(RefusalCode.ACCOUNT_CLOSED, phrase("this account is closed"))
    if row.purpose in ("confirm", "change"):
        return confirm_address(call, player, row)
    call.player = player
    if row.purpose == "signoff":
        return close_account(call, player)
    if row.purpose == "erase":
        return erase(call, player)
    unlock(call.session, player.id, call.now)
    return [call.answer(Unlocked(userid=player.userid))]


def _require_word(call: Call, row: CodeRow) -> None:
    """Refuse to close an account by a code without the word confirm."""
    if call.command.implied and row.purpose in ("signoff", "erase"):
        raise Refusal(
            RefusalCode.MISSING_ARGUMENT,
            phrase("the word confirm is missing before the code, so your account stays as it is"),
            "confirm CODE",
        )


def _require_recipient(call: Call, address: str) -> None:
    """Refuse a reply without the code from any address but the one that the code was sent to."""
    command = call.command
    if not command.words and command.sender.via == "mail" and command.sender.address != address:
        raise Refusal(
            RefusalCode.BAD_CODE,
            phrase(
                "this code was sent to another address: reply from there, or send the code itself"
            ),
            "confirm CODE",
        )


# What an operator does about new players: invite, approve, deny.


def invite(act: OperatorAct, address: str) -> list[Notice]:
    """Let an address sign up, and mail it once. Refused for an address that was invited before,
    belongs to a player or is banned, and while nobody may sign up."""
    call = act.build_call(0)
    (invited,) = read_addresses(call, (address,), "pbm admin invite")
    if not takes_players(act.config.players):
        raise Refusal(RefusalCode.WRONG_STATE, '[players] signups is "closed": nobody may sign up')
    if is_invited(act.session, invited):
        raise Refusal(RefusalCode.ALREADY_DONE, "this address was invited before")
    if reads.find_known_addresses(act.session, {invited}):
        raise Refusal(RefusalCode.ALREADY_DONE, "this address has a player already")
    if bans.find_bans(act.session, (invited,)):
        raise Refusal(RefusalCode.BARRED_ADDRESS, "this address is banned: see pbm admin bans")
    row = {"address": invited, "actor": act.actor, "at": act.now}
    act.session.execute(insert(invitations).values(row))
    act.record(f"invite {invited}")
    return [Notice(Invitation(), addresses=(invited,))]


def approve(act: OperatorAct, userid: str) -> list[Notice]:
    """Open an account that waits for approval, begin the board that its player was invited to, and
    send codes to its other addresses."""
    player = _find_waiting(act, userid)
    opened = save_player(act.session, replace(player, state="active"))
    act.record("approve", player=player.id, undo=("approve", player.id))
    rows = reads.find_all_addresses(act.session, player.id)
    others = [row.address for row in rows if not row.confirmed]
    recipients = reads.find_addresses(act.session, player.id)
    content = Welcome(userid=player.userid, has_password=player.has_password)
    welcome = Notice(content, addresses=recipients, player=player.id)
    call = act.build_call(0)
    greeting = greet(call, [welcome], take_guest(call, opened), opened)
    return [*greeting, *send_confirmations(call, opened, others)]


def deny(act: OperatorAct, userid: str) -> list[Notice]:
    """Delete an account that waits for approval; its userid is free again."""
    player = _find_waiting(act, userid)
    recipients = reads.find_addresses(act.session, player.id)
    text = act.give_reason(phrase("{who} did not approve your signup", who=act.who))
    rows = reads.find_all_addresses(act.session, player.id)
    own = waiting_guests.c.player_id == player.id
    guest = act.session.execute(select(waiting_guests.c.invitation).where(own)).scalar()
    kept = [(row.address, row.confirmed) for row in rows]
    act.record(f"deny {player.userid}", undo=("deny", player.columns, kept, guest))
    for table in (codes, addresses, former_mailboxes, mail_ends, waiting_guests):
        act.session.execute(delete(table).where(table.c.player_id == player.id))
    for log in (audit, inbound, outbound):
        named = update(log).where(log.c.player_id == player.id)
        act.session.execute(named.values(player_id=None))
    act.session.execute(delete(players).where(players.c.id == player.id))
    return [Notice(OperatorMessage(subject=phrase("your signup"), text=text), addresses=recipients)]


def undo_approval(act: OperatorAct, number: int) -> list[Notice]:
    """Have an approved account wait again; its boards stay. Refused when it is not open."""
    player = get_player(act.session, number)
    if player is None or not player.is_active:
        raise refuse_changed()
    save_player(act.session, replace(player, state=WAITING))
    text = act.give_reason(
        phrase("{who} took the approval back, so that your account waits again", who=act.who)
    )
    return [act.notify(player, phrase("your signup"), text)]


def undo_denial(
    act: OperatorAct,
    account: Mapping[str, object],
    own: Sequence[tuple[str, float | None]],
    guest: int | None,
) -> list[Notice]:
    """Restore a denied account, which then waits again. Refused when somebody else has its
    userid."""
    number = insert_row(act.session, account)
    if number is None:
        raise refuse_changed()
    for address, confirmed in own:
        row = {"player_id": number, "address": address, "confirmed": confirmed}
        act.session.execute(insert(addresses).values(row))
    if guest is not None:
        act.session.execute(insert(waiting_guests).values(player_id=number, invitation=guest))
    text = act.give_reason(
        phrase("{who} took the refusal back, so that your account waits again", who=act.who)
    )
    told = OperatorMessage(subject=phrase("your signup"), text=text)
    return [Notice(told, addresses=reads.find_addresses(act.session, number))]


def _find_waiting(act: OperatorAct, userid: str) -> Player:
    """Return the player with that userid who waits for approval. Refuse any other."""
    player = act.find_player(userid)
    if player.state != WAITING:
        raise Refusal(RefusalCode.WRONG_STATE, f"this account does not wait: it is {player.state}")
    return player
