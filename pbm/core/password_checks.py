"""Password checks: limited for each mail, made before any lock is taken; failures count for a day.

After too many failures the account accepts no password for the day, unless its owner confirms a
code that was mailed to it (`confirm CODE`), which allows as many again. Reply tokens still work, so
that nobody can lock a player out.

A program has no reply token. So where it is known from which network a password comes, networks
from which the right one came lately have tries of their own, which nobody else can use up; all
others share some, of which one network has a quarter."""

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

_KNOWN_DAYS = 14
"""The days for which a network is known, while counters are kept."""


class PasswordChecks:
    """The password checks of one mail. Those for a stranger, `asker`, have a share of an hour: once
    it is used up, argon2 verifies nothing for strangers, whether or not the userid exists.

    wrong         an account for each wrong password, for `record_failures`
    failures      the same as what is to be counted, where `network` is where it comes from
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
        network: str = "",
    ) -> None:
        self.wrong: list[int] = []
        self.failures: list[tuple[Limit, str]] = []
        self._network = network
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
        budgets = self._list_budgets(session, player, now)
        if self._is_spent(session, player, budgets, now, look=False):
            self._check_nobody(session, spellings, now)
            return None
        for word in spellings:
            if self.secrets.is_remembered(player.id, player.password, word):
                return word
        if self._is_spent(session, player, budgets, now, look=True):
            self._check_nobody(session, spellings, now)
            self._add_guess(budgets, now)
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
        self.failures += budgets
        self._add_guess(budgets, now)
        return None

    def _add_guess(self, budgets: Iterable[tuple[Limit, str]], now: float) -> None:
        for budget in budgets:
            self._guesses.add(budget, now)

    def _list_budgets(
        self, session: Session, player: Player, now: float
    ) -> list[tuple[Limit, str]]:
        """Return the limits that a wrong password of this player counts for, and whom it is counted
        for."""
        if not self._network:
            return [(Limit.FAILURES, str(player.id))]
        own = f"{player.id} {self._network}"
        if knows_network(session, player.id, self._network, now):
            return [(Limit.FAILURES_AT_HOME, own)]
        return [(Limit.FAILURES_BY, own), (Limit.FAILURES_ELSEWHERE, str(player.id))]

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

    def _is_spent(
        self,
        session: Session,
        player: Player,
        budgets: Iterable[tuple[Limit, str]],
        now: float,
        *,
        look: bool,
    ) -> bool:
        """Whether there were too many failures today, by this process's count or, with `look`, by
        the database's."""
        for limit, who in budgets:
            most = limit.find_most(self.config)
            seen = self._guesses.count((limit, who), now)
            if look and most:
                seen = max(seen, count(session, limit, who, now))
            if not most or seen < most:
                continue
            key = _build_unlocked_key(player.id)
            if seen >= most * (1 + daily_counters.count_on(session, key, count_days(now))):
                self._guesses.set((limit, who), now, seen)
                self.spent.add(player.id)
                return True
        return False


def record_failures(session: Session, wrong: Iterable[int], now: float) -> None:
    """Store a failure for each of these accounts."""
    for player in wrong:
        add(session, Limit.FAILURES, player, now)


def knows_network(
    session: Session, player: int, network: str, now: float, days: int = _KNOWN_DAYS
) -> bool:
    """Whether the right password of a player came from a network in the last days."""
    since = count_days(now) - (days - 1)
    return daily_counters.count_since(session, _build_network_key(player, network), since) > 0


def note_network(session: Session, player: int, network: str, now: float) -> None:
    """Note that the right password of a player came from a network."""
    daily_counters.increment(session, _build_network_key(player, network), now)


def _build_network_key(player: int, network: str) -> str:
    return f"right password {player} {network}"


def unlock(session: Session, player: int, now: float) -> None:
    """Allow as many wrong passwords again today."""
    daily_counters.increment(session, _build_unlocked_key(player), now)


def _build_unlocked_key(player: int) -> str:
    return f"unlocked {player}"
