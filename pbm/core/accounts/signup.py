"""Opening an account: a signup waits for its code, and reserves nothing until that comes back."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace
from sqlalchemy import delete, insert, select, true

from pbm.core.accounts.addresses import (
    read_addresses,
    require_unbarred,
    store_addresses,
)
from pbm.core.accounts.admission import admit, require_admission
from pbm.core.accounts.codes import (
    CODE_DAYS,
    MOST_A_WEEK,
    allow_code,
    counts,
    list_digests,
    list_tags,
    refuse_code,
    require_room,
    send_confirmations,
)
from pbm.core.accounts.invitations import find_used, greet, propose_userid
from pbm.core.accounts.notices import ConfirmationCode, Welcome
from pbm.core.accounts.passwords import require_hash, require_password
from pbm.core.accounts.userids import (
    find_former_owner,
    is_reserved,
    require_valid_userid,
)
from pbm.core.kernel.audit_log import add_audit_row
from pbm.core.kernel.boards.clocks import format_time
from pbm.core.kernel.context import Context
from pbm.core.kernel.language.call import Call
from pbm.core.kernel.language.command import Command
from pbm.core.kernel.notices.notice import Notice
from pbm.core.kernel.players.password_checks import PasswordChecks
from pbm.core.kernel.players.player import (
    UNSET_PASSWORD,
    Player,
    find_player,
    insert_player,
    make_player,
    save_player,
)
from pbm.core.kernel.refusal import Refusal, RefusalCode
from pbm.core.kernel.secrets import Secrets
from pbm.rules.phrases import phrase
from pbm.store import daily_counters
from pbm.store.daily_counters import DAY
from pbm.store.reads.account_rows import find_signup, find_signups_of_address
from pbm.store.tables import SignupRow, addresses, codes, signups
from pbm.store.transaction import Session

_FORM = "signup USERID PASSWORD"
_MOST_ADDRESSES = 3


def signup(call: Call) -> list[Notice]:
    """Send a code to the first address: when it comes back, it opens the account with the password
    of this command. Refuse a userid that is taken or unfit, a bad password and too many signups;
    no refusal repeats a word of the command."""
    command = call.command
    _require_valid_userid(call, command.user.lower())
    require_free(call, command.user.lower())
    chosen = read_addresses(call, command.words[1:] or (command.sender.address,), _FORM)
    if len(chosen) > _MOST_ADDRESSES:
        raise Refusal(
            RefusalCode.BAD_ARGUMENT,
            phrase(
                "sign up with at most {most} addresses and add the others later",
                most=_MOST_ADDRESSES,
            ),
            f"{_FORM} NAME@EXAMPLE.ORG",
            f"add {command.user} PASSWORD NAME@EXAMPLE.ORG",
        )
    chosen.sort(key=lambda address: address != command.sender.address)
    require_unbarred(call, chosen)
    require_admission(call, chosen[0])
    require_few(call, command.sender.address or "terminal")
    if call.config.players.confirm_addresses:
        require_room(call, chosen[:1])
        return [_send_code(call, chosen)]
    require_hash(call)
    call.player = create(call, command.user, command.words[0])
    store_addresses(call, call.player, chosen)
    return admit(call, call.player, chosen[0])


def _require_valid_userid(call: Call, name: str) -> None:
    """Refuse a userid or a password that cannot be one. A userid is proposed that comes from the
    sender's address, never from the line, whose words may be passwords."""
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
    """Refuse a userid that somebody has, or nobody can have."""
    other = find_player(context.session, name)
    is_taken = other is not None and not _is_abandoned(context, other)
    if is_taken or is_reserved(context, name) or find_former_owner(context, name):
        raise _build_taken_refusal()


def _build_taken_refusal() -> Refusal:
    return Refusal(RefusalCode.USERID_TAKEN, phrase("this userid is taken: choose another"), _FORM)


def require_few(call: Call, source: str) -> None:
    """Refuse an account beyond those that one source may open in a day."""
    limit = call.config.limits.signups_a_day
    if not daily_counters.allow(call.session, f"signups {source}", call.now, limit):
        raise Refusal(
            RefusalCode.LIMIT_REACHED,
            phrase("too many accounts were opened from your address today: try again tomorrow"),
        )


def _send_code(call: Call, chosen: Sequence[str]) -> Notice:
    """Store the signup and send the code for it; earlier signups of the address are void. The
    password is kept for whoever has the code, and hashed when that comes back: argon2 is not for
    strangers."""
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
                most=MOST_A_WEEK,
            ),
            _FORM,
        )
    return store_signup(call, chosen, command.words[0])


def store_signup(call: Call, chosen: Sequence[str], password: str, *, link: int = 0) -> Notice:
    """Store a signup and build the mail with its code. It voids earlier ones of the address; one
    without a password, which comes from a page, only those of its kind. `link` is the number of the
    link by which it came."""
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
    """Return the signup whose code a command names or answers, and the password that was sent in
    it; "" for none."""
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
    """Return the command with the hash of the password that was sent in the signup whose code it
    brings back."""
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


def find_own_language(call: Call) -> str:
    """Return the language of the page or mail by which somebody comes; "" for the server's."""
    language = call.command.sender.language
    return "" if language == call.config.server.language else language


def create(call: Call, userid: str, password: str, language: str = "") -> Player:
    """Return the new account, in place of one that was never confirmed and so never did anything;
    it may have no password. It reads that language, or else the one by which it comes. Refuse a
    userid that another daemon has just given away."""
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
    """Whether nobody confirmed an address of the account while its codes were valid."""
    if player.is_confirmed or not player.is_active:
        return False
    valid = select(codes.c.id).where(codes.c.player_id == player.id, codes.c.expires > context.now)
    return context.session.execute(valid).scalar() is None
