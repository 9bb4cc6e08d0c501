"""Password checks: limited for each mail, made before any lock is taken; failures count for a day.

After too many failures the account accepts no password for the day, unless its owner confirms a
code that was mailed to it (`confirm CODE`), which allows as many again. Reply tokens still work, so
that nobody can lock a player out."""

from __future__ import annotations

from collections.abc import Iterable
from math import inf

from pbm.config import Config
from pbm.core.limits import CHECKS, Asker, Limit, Tally, add, count
from pbm.core.player import Player
from pbm.core.secrets import Secrets
from pbm.store import daily_counters
from pbm.store.daily_counters import count_days
from pbm.store.transaction import Session


class PasswordChecks:
    """The password checks of one mail. Those for a stranger, `asker`, have a share of an hour: once
    it is used up, argon2 verifies nothing for strangers, whether or not the userid exists.

    wrong         an account for each wrong password, for `record_failures`
    spent         accounts with too many failures today
    vain          how many passwords argon2 verified of which none was right
    is_unchecked  a password was not verified because the share of the hour was used up

    `guesses` is what the process has counted for earlier mails.
    """

    def __init__(
        self,
        secrets: Secrets,
        config: Config,
        guesses: Tally | None = None,
        asker: Asker | None = None,
    ) -> None:
        self.wrong: list[int] = []
        self.spent: set[int] = set()
        self.vain = 0
        self.is_unchecked = False
        self.secrets = secrets
        self.config = config
        self._guesses = guesses or Tally(Limit.FAILURES)
        self._asker = asker
        self._left = self._hashes_left = config.limits.passwords_a_mail or inf
        self._refuted: set[tuple[int, str]] = set()

    def find_password(
        self, session: Session, player: Player | None, candidates: Iterable[str], now: float
    ) -> str | None:
        """Return the one of these spellings that is the player's password, or None. Takes as long
        for a player who does not exist or may not act."""
        spellings = tuple(dict.fromkeys(candidates))
        if player is None or not player.is_active:
            self._check_nobody(session, spellings, now)
            return None
        if self._is_spent(session, player, now, look=False):
            self._check_nobody(session, spellings, now)
            return None
        for word in spellings:
            if self.secrets.is_remembered(player.id, player.password, word):
                return word
        if self._is_spent(session, player, now, look=True):
            self._check_nobody(session, spellings, now)
            self._guesses.add(player.id, now)
            return None
        if all((player.id, word) in self._refuted for word in spellings):
            return None
        if self._may_verify(session, now):
            for word in spellings:
                if self._verifies(player, word):
                    return word
        elif not self.secrets.has_remembered(player.id, player.password):
            return None
        self.wrong.append(player.id)  # also where another is remembered: it is wrong then
        self._guesses.add(player.id, now)
        return None

    def hash_new_password(self, password: str) -> str:
        """Return the hash of a new password; "" when the mail has used up its hashes."""
        if self._hashes_left <= 0:
            return ""
        self._hashes_left -= 1
        return self.secrets.hash_password(password)

    def _verifies(self, player: Player, word: str) -> bool:
        """Whether argon2 verifies the password; False when the mail has used up its checks."""
        if (player.id, word) in self._refuted or self._left <= 0:
            return False
        self._left -= 1
        if self.secrets.check_password(player.id, player.password, word):
            return True
        self.vain += 1
        self._refuted.add((player.id, word))
        return False

    def _may_verify(self, session: Session, now: float) -> bool:
        """Whether argon2 may verify something: always, but for strangers."""
        if self._asker is None:
            return True
        is_allowed = CHECKS.has_room(session, self._asker, now, self.config)
        self.is_unchecked |= not is_allowed
        return is_allowed

    def _check_nobody(self, session: Session, spellings: tuple[str, ...], now: float) -> None:
        if not self._may_verify(session, now):
            return
        for word in spellings:
            if self._left > 0 and (0, word) not in self._refuted:
                self._left -= 1
                self.vain += 1
                self._refuted.add((0, word))
                self.secrets.check_nobody(word)

    def _is_spent(self, session: Session, player: Player, now: float, *, look: bool) -> bool:
        """Whether there were too many failures today, by this process's count or, with `look`, by
        the database's."""
        limit = Limit.FAILURES.find_most(self.config)
        seen = self._guesses.count(player.id, now)
        if look and limit:
            seen = max(seen, count(session, Limit.FAILURES, player.id, now))
        if not limit or seen < limit:
            return False
        unlocked = daily_counters.count_on(session, _build_unlocked_key(player.id), count_days(now))
        if seen < limit * (1 + unlocked):
            return False
        self._guesses.set(player.id, now, seen)
        self.spent.add(player.id)
        return True


def record_failures(session: Session, wrong: Iterable[int], now: float) -> None:
    """Store a failure for each of these accounts."""
    for player in wrong:
        add(session, Limit.FAILURES, player, now)


def unlock(session: Session, player: int, now: float) -> None:
    """Allow as many wrong passwords again today."""
    daily_counters.increment(session, _build_unlocked_key(player), now)


def _build_unlocked_key(player: int) -> str:
    return f"unlocked {player}"
