"""Cryptography: passwords, reply tokens, one-time codes, and the dice.

Entropy, keys and times are arguments; nothing here reads a clock or a database."""

from __future__ import annotations

import hashlib
import hmac
import re
from base64 import b32encode, b64decode, b64encode
from collections import OrderedDict
from collections.abc import Callable, Iterable
from contextlib import suppress
from typing import NamedTuple

from argon2 import Parameters, PasswordHasher, profiles
from argon2.exceptions import InvalidHashError, VerificationError
from msgspec import Struct

from pbm.core.proofs import Proof, count_days
from pbm.store.tables import drop_tag, normalize_mailbox

_TOKEN = re.compile(
    r"(?:b([0-9]{1,10})-([0-9]{1,2})-([0-9]{1,6})|([ac-z])([0-9]{1,12}))-([a-z2-7]{16})"
)
# No letter of a bounce, a code or an invitation: those are worth something by their tag alone.
_REFERENCE = re.compile(
    r"(?:(?:b([0-9]{1,10})-([0-9]{1,2})-([0-9]{1,6})|([ae-hk-z])([0-9]{1,12}))"
    r"(?:-[a-z2-7]{16})?|n)[-.]([0-9]{1,15})"
)
_HIDDEN = 100_000_000_000
"""The first of the numbers under which mails leave, the least of twelve digits."""
_MOST_MAILS = 9 * _HIDDEN
_HALF = 20
_MASK = (1 << _HALF) - 1
_ROUNDS = 8
_REMEMBERED = 100_000
_MONTH = 365 * 86400 // 12
_MONTHS = count_days(Proof.PLAYER_ADDRESS) * 86400 // _MONTH
"""How long a reply address of a player is genuine, at least."""
_SEALED_BLOCK = 64
_MARK_SIZE = 16
_CODE_LETTERS = "abcdefghjkmnpqrstuvwxyz23456789"
PASSWORD_COST = profiles.RFC_9106_LOW_MEMORY
"""The cost of argon2id: 64 MiB and tens of milliseconds a password."""


class Token(Struct, frozen=True):
    """A reply token as read from an address, its tag not verified yet.

    kind `b`: a seat at a board and the ply that the mail was sent for; `u`: a player; `d`: an
    outgoing mail, in envelope senders; `c`: a one-time code, of which its tag is made; `i`: an
    invitation to an address; `j`: a link to forward; any other letter: something of a player's, by
    the feature that has this letter
    """

    kind: str
    number: int
    seat: int
    ply: int
    tag: str

    @property
    def is_reference(self) -> bool:
        """Whether it says what a mail is about and proves nothing."""
        return not self.tag

    @property
    def is_of_player(self) -> bool:
        """Whether it belongs to a player: to a seat, an account, or something of a feature's."""
        return self.kind not in "cdij"

    @property
    def open(self) -> str:
        """The part before the tag."""
        if self.kind == "b":
            return f"b{self.number}-{self.seat}-{self.ply}"
        return f"{self.kind}{self.number}"


def read_token(text: str) -> Token | None:
    """Parse a token, in upper or lower case; None for anything else."""
    match = _TOKEN.fullmatch(text.lower()) if len(text) <= 48 else None
    if match is None:
        return None
    board, seat, ply, kind, number, tag = match.groups()
    if board is not None:
        return Token("b", int(board), int(seat), int(ply), tag)
    return Token(kind, int(number), 0, 0, tag)


def read_reference(text: str) -> tuple[Token | None, int]:
    """Parse the left side of a Message-ID of the server's: what the mail is about, as a token that
    proves nothing (None for nothing that can be acted on), and its number (0 for a Message-ID of
    somebody else's). The tag in the Message-IDs of older mails is ignored."""
    match = _REFERENCE.fullmatch(text.lower()) if len(text) <= 64 else None
    if match is None:
        return None, 0
    board, seat, ply, kind, number, mail = match.groups()
    if board is not None:
        return Token("b", int(board), int(seat), int(ply), ""), int(mail)
    return Token(kind, int(number), 0, 0, "") if kind is not None else None, int(mail)


def _count_months(now: float) -> int:
    """Return the number of the month since 1970; a month is a twelfth of 365 days."""
    return int(now // _MONTH)


def _compute_sentinel_hash(cost: Parameters, salt: bytes) -> str:
    """Return a hash that no password matches, and that takes as long to verify as a player's."""
    digest = hashlib.sha256(salt).digest()
    parts = (b64encode(part).rstrip(b"=").decode() for part in (salt, digest))
    numbers = f"m={cost.memory_cost},t={cost.time_cost},p={cost.parallelism}"
    return f"$argon2id$v={cost.version}${numbers}${'$'.join(parts)}"


class Keys(NamedTuple):
    """The keys of a server: those of reply addresses and links, newest first, which are changed;
    that of one-time codes, which goes with the newest only when the keys have leaked; and that of
    the userids of erased players and of invited addresses, which always stays."""

    tokens: tuple[bytes, ...]
    codes: bytes
    userids: bytes


class Secrets:
    """The server's keys, its source of entropy, and proofs of recently verified passwords. A mere
    tuple of keys, newest first, has the oldest for all else."""

    def __init__(self, keys: tuple[bytes, ...] | Keys, entropy: Callable[[int], bytes]) -> None:
        self.bundle = keys if isinstance(keys, Keys) else Keys(keys, keys[-1], keys[-1])
        self.keys = self.bundle.tokens
        self._entropy = entropy
        self._hasher = PasswordHasher.from_parameters(PASSWORD_COST)
        self._proof_key = entropy(32)
        self._proofs: OrderedDict[int, tuple[str, bytes]] = OrderedDict()
        self._nobody = _compute_sentinel_hash(PASSWORD_COST, entropy(16))
        self.argon2_checks = 0
        self.argon2_hashes = 0

    # Passwords

    def hash_password(self, password: str) -> str:
        """Return the argon2id hash of a password; takes tens of milliseconds."""
        self.argon2_hashes += 1
        return self._hasher.hash(password)

    def check_password(self, player: int, stored: str, password: str) -> bool:
        """Whether the password is right. One that was verified recently is recognised without
        argon2, as long as the stored hash is the same."""
        if self.is_remembered(player, stored, password):
            return True
        self.argon2_checks += 1
        try:
            self._hasher.verify(stored, password)
        except InvalidHashError:
            self._verify_nobody(password)
            return False
        except VerificationError:
            return False
        self.remember(player, stored, password)
        return True

    def remember(self, player: int, stored: str, password: str) -> None:
        """Remember that this password matches that hash."""
        self._proofs[player] = stored, self._compute_proof(stored, password)
        if len(self._proofs) > _REMEMBERED:
            self._proofs.popitem(last=False)

    def has_remembered(self, player: int, stored: str) -> bool:
        """Whether a password is remembered for the player's present hash."""
        return self._proofs.get(player, ("", b""))[0] == stored

    def is_remembered(self, player: int, stored: str, password: str) -> bool:
        """Whether this password is the one remembered for the player's present hash."""
        hash_then, proof = self._proofs.get(player, ("", b""))
        return hash_then == stored and hmac.compare_digest(
            proof, self._compute_proof(stored, password)
        )

    def _compute_proof(self, stored: str, password: str) -> bytes:
        message = f"{stored}\0{password}".encode(errors="replace")
        return hashlib.blake2b(message, digest_size=32, key=self._proof_key).digest()

    def check_nobody(self, password: str) -> None:
        """Take as long as for a wrong password; for userids that do not exist."""
        self.argon2_checks += 1
        self._verify_nobody(password)

    def _verify_nobody(self, password: str) -> None:
        """Verify against the sentinel hash, so that a closed account answers no sooner."""
        with suppress(VerificationError):
            self._hasher.verify(self._nobody, password)

    # Tokens

    def make_board_token(self, board: int, seat: int, ply: int, undos: int, stored: str) -> str:
        """Return the reply token of a seat for move number `ply`. It expires when a move is taken
        back (`undos`) and when the player's password hash (`stored`) changes."""
        name = f"b{board}-{seat}-{ply}"
        return f"{name}-{self._compute_tag(self.keys[0], f'{name}-{undos}-{stored}')}"

    def make_player_token(self, player: int, stored: str, now: float, about: str = "") -> str:
        """Return the reply token of a player for mails without a board, or of what they are `about`
        that a feature numbers. It expires after twelve months and when the password hash (`stored`)
        changes."""
        name = about or f"u{player}"
        return f"{name}-{self._compute_tag(self.keys[0], f'{name}-{_count_months(now)}-{stored}')}"

    def make_invitation_token(self, number: int) -> str:
        """Return the reply token of a mail that invites somebody, also the last part of its
        link."""
        return f"i{number}-{self._compute_tag(self.keys[0], f'i{number}')}"

    def make_join_token(self, number: int, stored: str) -> str:
        """Return the last part of a link to forward. It expires when the password hash (`stored`)
        of its maker changes."""
        return f"j{number}-{self._compute_tag(self.keys[0], f'j{number}-{stored}')}"

    def make_delivery_token(self, mail: int) -> str:
        """Return the token in the envelope sender of an outgoing mail, which bounces return to."""
        name = f"d{self.hide_number(mail)}"
        return f"{name}-{self._compute_tag(self.keys[0], name)}"

    # Numbers of outgoing mails

    def hide_number(self, mail: int) -> int:
        """Return the number under which an outgoing mail leaves: twelve digits that tell nobody how
        many mails the server has sent, or between two of them."""
        hidden = self._permute(mail, range(_ROUNDS))
        while hidden >= _MOST_MAILS:  # it walks on until it is back among the numbers of mails
            hidden = self._permute(hidden, range(_ROUNDS))
        return _HIDDEN + hidden

    def reveal_number(self, hidden: int) -> int:
        """Return the number of the outgoing mail that left under that one. Mails of before left
        under their own, which have fewer digits."""
        if not _HIDDEN <= hidden < _HIDDEN + _MOST_MAILS:
            return hidden
        mail = self._permute(hidden - _HIDDEN, reversed(range(_ROUNDS)), is_back=True)
        while mail >= _MOST_MAILS:
            mail = self._permute(mail, reversed(range(_ROUNDS)), is_back=True)
        return mail

    def _permute(self, number: int, rounds: Iterable[int], *, is_back: bool = False) -> int:
        """Return another number of forty bits for each one: a Feistel network on its halves, with
        the key that always stays, since mails are answered years later."""
        left, right = number >> _HALF, number & _MASK
        for each in rounds:
            if is_back:
                left, right = right ^ self._mix(each, left), left
            else:
                left, right = right, left ^ self._mix(each, right)
        return left << _HALF | right

    def _mix(self, round_number: int, half: int) -> int:
        message = b"mail:%d:%d" % (round_number, half)
        digest = hashlib.blake2b(message, digest_size=4, key=self.bundle.userids[:64]).digest()
        return int.from_bytes(digest, "big") & _MASK

    def is_genuine(
        self, token: Token, stored: str = "", *, undos: int = 0, now: float = 0.0
    ) -> bool:
        """Whether one of the server's keys made the tag, and the token has not expired: `stored` is
        the player's present password hash, `undos` the board's."""
        if token.is_reference:
            return False
        covered = [token.open]
        if token.kind == "b":
            covered = [f"{token.open}-{undos}-{stored}"]
        elif token.kind == "j":
            covered = [f"{token.open}-{stored}"]
        elif token.is_of_player:
            month = _count_months(now)
            covered = [f"{token.open}-{month - past}-{stored}" for past in range(_MONTHS + 1)]
        return any(
            hmac.compare_digest(self._compute_tag(key, text), token.tag)
            for key in self.keys
            for text in covered
        )

    def is_genuine_in_old_form(self, token: Token, *, undos: int = 0) -> bool:
        """Whether one of the server's keys made the tag in the form that covered no password."""
        if token.is_reference or token.kind not in ("b", "u"):
            return False
        covered = f"{token.open}-{undos}" if token.kind == "b" else token.open
        return any(
            hmac.compare_digest(self._compute_tag(key, covered), token.tag) for key in self.keys
        )

    @staticmethod
    def _compute_tag(key: bytes, text: str) -> str:
        tag = hmac.digest(key, b"token:" + text.encode(), "sha256")
        return b32encode(tag[:10]).decode().lower()

    def make_link_key(self, name: str, stored: str, addresses: Iterable[str]) -> str:
        """Return the secret of a link to a page of a player's own: 160 bits as 32 letters and
        digits. It expires when the password hash (`stored`) or the confirmed addresses change."""
        return self._link_key(self.keys[0], name, stored, addresses)

    def is_link_key(self, key: str, name: str, stored: str, addresses: Iterable[str]) -> bool:
        """Whether one of the server's keys made the secret of a link, and it has not expired."""
        who = tuple(addresses)
        return any(
            hmac.compare_digest(self._link_key(each, name, stored, who), key) for each in self.keys
        )

    @staticmethod
    def _link_key(key: bytes, name: str, stored: str, addresses: Iterable[str]) -> str:
        message = "\0".join(("link", name, stored, *sorted(map(str.lower, addresses))))
        return b32encode(hmac.digest(key, message.encode(), "sha256")[:20]).decode().lower()

    # Codes

    def generate_code(self) -> str:
        """Return a one-time code: 12 letters and digits in groups of four, 59 bits."""
        letters = [_CODE_LETTERS[byte % len(_CODE_LETTERS)] for byte in self._entropy(12)]
        return "-".join("".join(letters[at : at + 4]) for at in (0, 4, 8))

    def digest_code(self, code: str) -> str:
        """Return the digest under which a code is stored; ignores blanks, hyphens and case."""
        message = b"code:" + _strip_code(code).encode()
        return hmac.new(self.bundle.codes, message, "sha256").hexdigest()

    def make_code_tag(self, code: str) -> str:
        """Return the tag of the address that the mail with a code is replied to. It is made from
        the code and is worth as much; like it, it is stored as a digest alone."""
        return self._compute_tag(self.bundle.codes, f"code:{_strip_code(code)}")

    def seal(self, text: str, tag: str) -> str:
        """Encrypt a text for whoever has the tag of a code, which must seal nothing else: the text
        is padded to a multiple of 64 bytes, encrypted with a key stream and authenticated."""
        plain = text.encode()
        plain += bytes(-len(plain) % _SEALED_BLOCK)
        key = self._derive_sealing_key(tag)
        hidden = _encrypt(key, plain)
        return b64encode(hidden + _authenticate(key, hidden)).decode()

    def unseal(self, sealed: str, tag: str) -> str | None:
        """Return the text that was sealed for that tag; None for another tag or a changed text."""
        stored, key = b64decode(sealed), self._derive_sealing_key(tag)
        hidden, mark = stored[:-_MARK_SIZE], stored[-_MARK_SIZE:]
        if not hmac.compare_digest(_authenticate(key, hidden), mark):
            return None
        return _encrypt(key, hidden).rstrip(b"\0").decode()

    def _derive_sealing_key(self, tag: str) -> bytes:
        return hmac.digest(self.bundle.codes, b"seal:" + tag.encode(), "sha256")

    def digest_address(self, address: str) -> str:
        """Return the digest stored for a mailbox that must get no other invitation, the same for
        each of its addresses."""
        return self.list_address_digests(address)[0]

    def list_address_digests(self, address: str) -> list[str]:
        """Return the digest of an address's mailbox, and that of the address without its tag, which
        older versions stored."""
        forms = dict.fromkeys((normalize_mailbox(address), drop_tag(address)))
        messages = [f"address:{form}".encode() for form in forms]
        return [hmac.new(self.bundle.userids, each, "sha256").hexdigest() for each in messages]

    def digest_userid(self, name: str) -> str:
        """Return the digest stored for the userid of an erased player, so that nobody else takes
        it."""
        return hmac.new(self.bundle.userids, b"userid:" + name.encode(), "sha256").hexdigest()

    # Chance

    def generate_board_secret(self) -> bytes:
        """Return the 32 bytes that decide all rolls of a board."""
        return self._entropy(32)


def _strip_code(code: str) -> str:
    return re.sub(r"[^a-z0-9]", "", code.lower())


def _encrypt(key: bytes, text: bytes) -> bytes:
    """Return the text combined with a key stream of SHAKE256; the same again decrypts it."""
    stream = hashlib.shake_256(hmac.digest(key, b"stream", "sha256")).digest(len(text))
    return bytes(one ^ other for one, other in zip(text, stream, strict=True))


def _authenticate(key: bytes, hidden: bytes) -> bytes:
    return hmac.digest(hmac.digest(key, b"mark", "sha256"), hidden, "sha256")[:_MARK_SIZE]


def bind_member(stored: str, member: int) -> str:
    """Return what the reply address of somebody who holds a seat with others is bound to: it is
    nobody else's, also where none of them has a password."""
    return f"{stored}-{member}" if member else stored


def compute_commitment(secret: bytes) -> str:
    """Return the SHA-256 of a board's secret in hexadecimal, published at the start."""
    return hashlib.sha256(secret).hexdigest()


def decide(secret: bytes, board: int, ply: int, question: int, outcomes: int) -> int:
    """Return the index of the outcome: HMAC-SHA256 over board, ply, question within the ply and
    attempt. A value that would favour low indices is rejected, and the next attempt made."""
    whole = 1 << 64
    fair = whole - whole % outcomes
    attempt = 0
    while True:
        message = f"{board}/{ply}/{question}/{attempt}".encode()
        value = int.from_bytes(hmac.digest(secret, message, "sha256")[:8], "big")
        if value < fair:
            return value % outcomes
        attempt += 1
