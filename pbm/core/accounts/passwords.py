"""Passwords: what may be one, changing it, and the codes that help when it is lost or locked."""

from __future__ import annotations

from pbm.core.accounts.codes import CODE_DAYS, issue_code, void_codes
from pbm.core.accounts.notices import (
    CodeSent,
    PasswordChanged,
    ResetCode,
    UnlockCode,
)
from pbm.core.kernel.boards.clocks import format_time
from pbm.core.kernel.language.call import Call
from pbm.core.kernel.notices.notice import Notice
from pbm.core.kernel.players import password_checks
from pbm.core.kernel.players.player import Player, find_player, replace_password
from pbm.core.kernel.refusal import Refusal, RefusalCode, refuse_password
from pbm.rules.phrases import phrase
from pbm.store import daily_counters, reads
from pbm.store.daily_counters import count_days

_MOST_RESETS = 3
"""Codes for a new password in so many days that mails from elsewhere ask for."""


def change_password(call: Call) -> list[Notice]:
    """Set a new password; the old one may be a code from `forgot`. Refuse an unfit one."""
    player = call.me
    require_password(call, f"change password {player.userid} PASSWORD NEWPASSWORD")
    require_hash(call)
    # Another daemon may have taken the same password, or the same code, in the meantime.
    if not replace_password(call.session, player, call.command.new_hash):
        raise refuse_password(call.command.form)
    void_codes(call, player)
    call.secrets.remember(player.id, call.command.new_hash, call.command.words[0])
    return [call.answer(PasswordChanged(userid=player.userid))]


def require_password(call: Call, form: str) -> None:
    """Refuse a new password that cannot be one: also the word that stands for a password in our
    mails, which comes back when a program echoes it."""
    word = call.command.words[0] if call.command.words else ""
    is_placeholder = word.upper() in ("PASSWORD", "NEWPASSWORD")
    if is_placeholder or not (4 <= len(word) <= 64 and word.isprintable()):
        raise Refusal(
            RefusalCode.BAD_PASSWORD,
            phrase("choose a password of 4 to 64 characters without blanks"),
            form,
        )


def require_hash(call: Call) -> None:
    """Refuse a new password that was not hashed because the mail holds too many."""
    if not call.command.new_hash:
        raise Refusal(
            RefusalCode.LIMIT_REACHED,
            phrase(
                "one mail can set {most} passwords at most: send this line in another mail",
                most=password_checks.MOST_HASHED,
            ),
            call.command.form,
        )


def forgot(call: Call) -> list[Notice]:
    """Send a code to the confirmed addresses. To a mail from one of these it is the answer; any
    other is answered alike whether or not the userid exists."""
    player = find_player(call.session, call.command.user)
    answer = call.answer(CodeSent())
    if player is None or not player.is_active:
        return [answer]
    addresses = reads.find_addresses(call.session, player.id)
    is_own = any(sender.id == player.id for sender in call.senders)
    if not addresses or not (is_own or _allow_reset(call, player)):
        return [answer]
    code = issue_code(call, player, "reset")
    content = ResetCode(
        userid=player.userid,
        code=code,
        days=CODE_DAYS,
        asked=format_time(call.now, player.preferences),
    )
    sent = Notice(content, addresses=addresses, player=player.id, is_answer=is_own)
    return [sent] if is_own else [answer, sent]


def _allow_reset(call: Call, player: Player) -> bool:
    """Count a code for a new password that a mail from elsewhere asks for. Each stays valid for the
    week that it counts in: whoever asks, a code that still works has come."""
    name, week = f"resets {player.id}", count_days(call.now) - CODE_DAYS + 1
    if daily_counters.count_since(call.session, name, week) >= _MOST_RESETS:
        return False
    daily_counters.increment(call.session, name, call.now)
    return True


def send_unlock_code(call: Call) -> list[Notice]:
    """Send a code that unlocks an account after too many wrong passwords, at most once an hour. The
    mail is the same whether or not the last password was right."""
    player = find_player(call.session, call.command.user)
    if player is None:
        return []
    this_hour = f"unlock {player.id} {int(call.now // 3600)}"
    if not daily_counters.allow(call.session, this_hour, call.now, 1):
        return []
    content = UnlockCode(
        userid=player.userid, code=issue_code(call, player, "unlock"), days=CODE_DAYS
    )
    addresses = reads.find_addresses(call.session, player.id)
    return [Notice(content, addresses=addresses, player=player.id)]
