"""Password checks: made before any lock is taken, bounded for each mail, and every wrong one
counted for the account it was tried on.

When too many were wrong in a day, a password alone opens the account no more: a code that is mailed
to the account's own addresses makes room for as many again (`confirm CODE`). Reply tokens go on
working, so that nobody can lock a player out."""

from __future__ import annotations

from collections.abc import Iterable

from pbm.config import Config
from pbm.core.model.player import Player
from pbm.core.model.secrets import Secrets
from pbm.store import daily_counters
from pbm.store.daily_counters import day_of
from pbm.store.transaction import Session

_MOST_CHECKED = 4
"""Passwords that are verified by argon2 for one mail; it takes tens of milliseconds each."""
MOST_HASHED = 4
"""New passwords that are hashed for one mail, which takes as long."""


class Unverified(Exception):
    """Whether words are a player's password has to be verified before the command can be answered:
    outside the transaction, by `verify`. Then the mail is executed again."""

    def __init__(self, player: Player, words: tuple[str, ...]) -> None:
        super().__init__("words to verify")
        self.player = player
        self.words = words

    def verify(self, secrets: Secrets) -> None:
        """Check the words; `secrets` remembers what came of it."""
        for word in self.words:
            secrets.check_password(self.player.id, self.player.password, word)


class Guesses:
    """How many wrong passwords were tried on each account today, as far as this process knows."""

    def __init__(self) -> None:
        self._day = 0
        self._seen: dict[int, int] = {}

    def seen(self, player: int, now: float) -> int:
        """The wrong ones of today."""
        return self._seen.get(player, 0) if day_of(now) == self._day else 0

    def note(self, player: int, now: float, at_least: int = 0) -> None:
        """One more was wrong; or `at_least` so many, as the database says."""
        if day_of(now) != self._day:
            self._day, self._seen = day_of(now), {}
        self._seen[player] = max(self._seen.get(player, 0) + (not at_least), at_least)


class Checks:
    """The password checks of one mail.

    wrong  accounts that a wrong password was tried on, once a try; `record_failures` stores them
    spent  accounts on which too many have been tried today
    """

    def __init__(self, secrets: Secrets, config: Config, guesses: Guesses) -> None:
        self.wrong: list[int] = []
        self.spent: set[int] = set()
        self.secrets = secrets
        self.config = config
        self._guesses = guesses
        self._left = _MOST_CHECKED
        self._hashes_left = MOST_HASHED
        self._refuted: set[tuple[int, str]] = set()

    def is_right(
        self, session: Session, player: Player | None, typed: Iterable[str], now: float
    ) -> str | None:
        """The one of these spellings that is the player's password, else None. It takes as long
        for a player who does not exist or may not act."""
        spellings = tuple(dict.fromkeys(typed))
        if player is None or not player.is_active:
            self._check_nobody(spellings)
            return None
        if self._is_spent(session, player, now, look=False):
            self._check_nobody(spellings)
            return None
        for word in spellings:
            if self.secrets.remembers(player.id, player.password, word):
                return word
        if self._is_spent(session, player, now, look=True):
            self._check_nobody(spellings)
            self._guesses.note(player.id, now)
            return None
        if all((player.id, word) in self._refuted for word in spellings):
            return None
        for word in spellings:
            if self._verifies(player, word):
                return word
        self.wrong.append(player.id)
        self._guesses.note(player.id, now)
        return None

    def holds(self, players: Iterable[Player], words: Iterable[str]) -> bool:
        """Whether one of the words is the password of one of these players, who are proven. Where
        there are more words than may be verified, only the first are."""
        listed = list(words)
        for player in players:
            if any(self.secrets.remembers(player.id, player.password, word) for word in listed):
                return True
            if not self.secrets.knows(player.id, player.password) and any(
                self._verifies(player, word) for word in listed[:_MOST_CHECKED]
            ):
                return True
        return False

    def hashed(self, password: str) -> str:
        """The hash of a new password to store, "" when the mail has had its share of hashes."""
        if self._hashes_left <= 0:
            return ""
        self._hashes_left -= 1
        return self.secrets.hash_password(password)

    def _verifies(self, player: Player, word: str) -> bool:
        """Whether argon2 says so, as long as the mail may ask it."""
        if (player.id, word) in self._refuted or self._left <= 0:
            return False
        self._left -= 1
        if self.secrets.check_password(player.id, player.password, word):
            return True
        self._refuted.add((player.id, word))
        return False

    def _check_nobody(self, spellings: tuple[str, ...]) -> None:
        for word in spellings:
            if self._left > 0 and (0, word) not in self._refuted:
                self._left -= 1
                self._refuted.add((0, word))
                self.secrets.check_nobody(word)

    def _is_spent(self, session: Session, player: Player, now: float, *, look: bool) -> bool:
        """Whether too many wrong passwords were tried today: as this process knows, or, with
        `look`, as the database does."""
        limit = self.config.limits.failures_a_day
        seen = self._guesses.seen(player.id, now)
        if look and limit:
            counted = daily_counters.count_on(session, _failures(player.id), day_of(now))
            seen = max(seen, counted)
        if not limit or seen < limit:
            return False
        unlocked = daily_counters.count_on(session, _unlocked(player.id), day_of(now))
        if seen < limit * (1 + unlocked):
            return False
        self._guesses.note(player.id, now, at_least=seen)
        self.spent.add(player.id)
        return True


def record_failures(session: Session, wrong: Iterable[int], now: float) -> None:
    """Count a wrong password for each of these accounts."""
    for player in wrong:
        daily_counters.increment(session, _failures(player), now)


def unlock(session: Session, player: int, now: float) -> None:
    """Let passwords be tried again on an account whose limit of today is spent."""
    daily_counters.increment(session, _unlocked(player), now)


def _failures(player: int) -> str:
    return f"failures {player}"


def _unlocked(player: int) -> str:
    return f"unlocked {player}"
