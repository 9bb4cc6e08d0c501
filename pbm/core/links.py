"""Takes the secret links and reply addresses of this server out of texts that go to others, however
they are wrapped, encoded or written, and a word that its writer calls the password."""

from __future__ import annotations

import re
import unicodedata
from base64 import b64decode
from collections.abc import Collection, Iterable, Iterator, Sequence
from functools import lru_cache
from html import unescape
from typing import NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from pbm.config import Config
from pbm.core.board import Board
from pbm.core.command import Command
from pbm.core.player import Player, get_player
from pbm.core.proofs import Proof, outlives_board
from pbm.core.secrets import Secrets
from pbm.core.storing import BoardSleeping, build_board
from pbm.core.words import SHORTEST_PASSWORD, trim_word
from pbm.store import reads
from pbm.store.transaction import Session

LINK, ADDRESS = "(link removed)", "(address removed)"
_WORD = "(password removed)"
_TOLD = re.compile(r"(\bpassword\s*(?:\bis\b|\bwas\b|[:=])\s*)[^\s,;]+(?<![.!?])", re.IGNORECASE)
"""A word that is called the password. No other is known for one: it is compared with nothing."""

_SHORTEST = 19
"""The length of the shortest reply token: `u1-` and its tag."""
_REPLY = r"(?:b[0-9]{1,10}-[0-9]{1,2}-[0-9]{1,6}|[ac-z][0-9]{1,12})-[a-z2-7]{16}"
_KEY = r"(?:[0-9]{1,10}-[0-9]{1,2}|u[0-9]{1,12}|a[0-9a-f]{64})-[a-z2-7]{32}"
_WRAP = r"=?\r?\n[ \t>|]*"
_WRITTEN = re.compile(rf"{_WRAP}|.", re.DOTALL)
_OF_PAGES = re.compile(
    r"%[0-9a-f]{2}|&(?:#[0-9]{1,7}|#x[0-9a-f]{1,6}|[a-z]{2,8});|.",
    re.IGNORECASE | re.DOTALL,
)
_BETWEEN_TAGS = re.compile(r"</?[a-z]+[1-6]?(?:\s[^<>]{0,200})?/?>|.", re.IGNORECASE | re.DOTALL)
_OF_MAILS = re.compile(r"=[0-9a-f]{2}|.", re.IGNORECASE | re.DOTALL)
_HYPHENS = dict.fromkeys("\u2010\u2011\u2012\u2013\u2014\u2015\u2212\ufe63\uff0d", "-")
_LEAST_LINE = 8
"""The characters of a line below which nothing breaks a link."""
_HINT = re.compile(r"[-%&=]|[^\x00-\x7f]|[A-Za-z0-9+/_]{20}")
"""What a text holds that has a secret in it: a hyphen, something encoded, or base64."""
_BASE64 = re.compile(rf"(?:[A-Za-z0-9+/_-](?:{_WRAP})?){{24,}}={{0,2}}")
_FORBIDDEN = " \t\r\n<>\"'()[]{}"
"""Characters that end a link or an address."""
_PUNCTUATION = ".,;:!?*_"
_NO_TEXT = {"address*", "address+", "code", "new_password"}
"""Arguments that are for the server alone."""


class _Plain(NamedTuple):
    """A text without wraps and encodings, in lower case, or without blanks too (`is_joined`); each
    character with where it begins and ends in the text as written."""

    letters: str
    begins: list[int]
    ends: list[int]
    is_joined: bool = False


def clean_command(command: Command, config: Config) -> Command:
    """Return the command without secret links, reply addresses and proved passwords in text for
    others."""
    text, words, rest = command.text, command.words, command.rest
    if text:
        text = _clean(text, config)
    if rest and _NO_TEXT.isdisjoint(command.verb.slots):
        cleaned = _clean(rest, config)
        if cleaned != rest:
            rest, words = cleaned, tuple([_clean(word, config) for word in words])
            joined = " ".join(words)
            if joined != _clean(joined, config):
                words = tuple(_clean(joined, config).split())
    if (text, rest) == (command.text, command.rest):
        return command
    return replace(command, text=text, words=words, rest=rest)


def _clean(text: str, config: Config) -> str:
    return _TOLD.sub(rf"\1{_WORD}", remove_own_links(text, config))


def remove_own_links(text: str, config: Config) -> str:
    """Return the text with `(link removed)` and `(address removed)` in place of what proves who
    somebody is: a secret link or its key, a reply address or its token."""
    if len(text) < _SHORTEST or not _HINT.search(text):
        return text
    spans = [*_find_secrets(text, config), *_find_encoded(text, config)]
    for begin, end, instead in sorted(_merge(spans), reverse=True):
        text = f"{text[:begin]}{instead}{text[end:]}"
    return text


@lru_cache(maxsize=4)
def _build_pattern(addresses: tuple[str, ...], url: str) -> re.Pattern[str]:
    own = [each.rpartition("@") for each in addresses]
    forms = [rf"{re.escape(local)}\+[a-z0-9._=-]+@{re.escape(host)}" for local, _, host in own]
    parts = [
        rf"(?P<address>{'|'.join(forms)})",
        rf"(?P<key>{_KEY})",
        rf"(?P<token>{_REPLY})",
    ]
    site = url.lower().rstrip("/").partition("://")[2]
    if site:
        parts.insert(0, rf"(?P<link>{re.escape(site)}/+(?:s|u|stop)/+[a-z0-9-]*[a-z0-9])")
    return re.compile("|".join(parts))


def _find_secrets(text: str, config: Config) -> Iterator[tuple[int, int, str]]:
    """Yield where secrets begin and end in a text, with what stands in their place."""
    pattern = _build_pattern(config.server.addresses, config.web.url)
    readings = [*_read(text)]
    if pattern.search("".join(text.lower().split())):
        readings.append(_join(readings[0]))
    for plain in readings:
        for match in pattern.finditer(plain.letters):
            begin, end = plain.begins[match.start()], plain.ends[match.end() - 1]
            if plain.is_joined and _is_prose(text[begin:end], match[0]):
                continue
            while begin and text[begin - 1] not in _FORBIDDEN:
                begin -= 1
            last = end
            while last < len(text) and text[last] not in _FORBIDDEN:
                last += 1
            while last > end and text[last - 1] in _PUNCTUATION:
                last -= 1
            yield begin, last, LINK if match.lastgroup in ("link", "key") else ADDRESS


def _find_encoded(text: str, config: Config) -> Iterator[tuple[int, int, str]]:
    """Yield where base64 begins and ends that holds secrets, wherever its first whole group
    stands."""
    for match in _BASE64.finditer(text):
        letters = match[0].replace("-", "+").replace("_", "/")
        letters = re.sub(r"[^A-Za-z0-9+/]", "", letters)
        for skipped in range(4):
            group = letters[skipped:]
            decoded = b64decode(group[: len(group) // 4 * 4]).decode("latin-1")
            if any(_find_secrets(decoded, config)):
                yield match.start(), match.end(), LINK
                break


def _read(text: str) -> Iterator[_Plain]:
    """Yield the text in lower case and without wraps: as it stands, as a page has it, which may be
    encoded twice, and as a mail has it."""
    as_written = _Plain(text, list(range(len(text))), list(range(1, len(text) + 1)))
    unwrapped = _decode(as_written, _WRITTEN)
    yield unwrapped
    if "%" in text or "&" in text or "<" in text:
        once = _decode(unwrapped, _OF_PAGES)
        yield once
        yield _decode(once, _OF_PAGES)
        yield _decode(once, _BETWEEN_TAGS)
    if "=" in text:
        yield _decode(unwrapped, _OF_MAILS)


def _join(plain: _Plain) -> _Plain:
    """Return the text without blanks."""
    kept = [at for at, letter in enumerate(plain.letters) if not letter.isspace()]
    return _Plain(
        "".join([plain.letters[at] for at in kept]),
        [plain.begins[at] for at in kept],
        [plain.ends[at] for at in kept],
        is_joined=True,
    )


def _decode(plain: _Plain, pieces: re.Pattern[str]) -> _Plain:
    letters, begins, ends = list[str](), list[int](), list[int]()
    for match in pieces.finditer(plain.letters):
        for letter in _decode_piece(match[0]):
            letters.append(letter)
            begins.append(plain.begins[match.start()])
            ends.append(plain.ends[match.end() - 1])
    return _Plain("".join(letters), begins, ends)


def _decode_piece(piece: str) -> str:
    """Return the text of a character, an encoded one, a tag or the end of a line."""
    if len(piece) == 1:
        if " " <= piece <= "~":
            return piece.lower()
        if piece in _HYPHENS:
            return "-"
        if piece == "\n" or unicodedata.category(piece) == "Cf":
            return ""
        return unicodedata.normalize("NFKC", piece).lower()
    if piece[0] == "&":
        return unescape(piece).lower()
    if piece[0] in "%=" and not piece.endswith("\n") and len(piece.strip(" \t>|")) == 3:
        return chr(int(piece[1:], 16)).lower()
    return ""


def _is_prose(written: str, found: str) -> bool:
    """Whether words of a sentence have been put together to what looks like a key: there are too
    many for a key that is broken into lines."""
    return len(written.split()) - 1 > len(found) // _LEAST_LINE


def _merge(spans: list[tuple[int, int, str]]) -> list[tuple[int, int, str]]:
    """Return the spans, of those that overlap one that covers them."""
    merged: list[tuple[int, int, str]] = []
    for begin, end, instead in sorted(spans):
        if merged and begin < merged[-1][1]:
            first, last, text = merged[-1]
            merged[-1] = first, max(last, end), text
        else:
            merged.append((begin, end, instead))
    return merged


# Secret links: a page of a player's own at a board (`17-0-KEY`), or over all boards (`u5-KEY`).
#
# A link proves the player as a reply token does: for the commands of a board, not for the
# account.

_LINK = re.compile(r"(?:([0-9]{1,10})-([0-9]{1,2})|u([0-9]{1,12}))-([a-z2-7]{32})")

_STOP_LINK = re.compile(
    r"(?:([a-z]+(?:-[0-9]{1,10})?)-u([0-9]{1,12})|a([0-9a-f]{64}))-([a-z2-7]{32})"
)


class Link(Struct, frozen=True):
    """A link as read from a URL, not verified yet: to a seat at a board, or (board 0) to the boards
    of the player with that number."""

    board: int
    seat: int
    player: int
    key: str

    @property
    def name(self) -> str:
        """The part before the key."""
        return f"{self.board}-{self.seat}" if self.board else f"u{self.player}"

    @property
    def proof(self) -> Proof:
        """What kind of proof the link is."""
        return Proof.SEAT_LINK if self.board else Proof.PLAYER_LINK


def read_link(text: str) -> Link | None:
    """Parse the last part of a link's path; None for anything else."""
    match = _LINK.fullmatch(text) if len(text) <= 64 else None
    if match is None:
        return None
    board, seat, player, key = match.groups()
    if board is not None:
        return Link(int(board), int(seat), 0, key) if int(board) else None
    return Link(0, 0, int(player), key)


def make_seat_link(
    secrets: Secrets, board: int, seat: int, stored: str, addresses: Sequence[str]
) -> str:
    """Return the last part of the path to a seat's page. It depends on the player's password hash
    and confirmed addresses, so it expires with them."""
    name = f"{board}-{seat}"
    return f"{name}-{secrets.make_link_key(name, stored, addresses)}"


def make_player_link(secrets: Secrets, player: int, stored: str, addresses: Sequence[str]) -> str:
    """Return the last part of the path to the page of a player's boards. It expires like that of a
    seat."""
    name = f"u{player}"
    return f"{name}-{secrets.make_link_key(name, stored, addresses)}"


class StopLink(Struct, frozen=True):
    """A link that stops mails, as read from a URL, not verified yet: those called `what`, to the
    player, or all that are not asked for, to the address with that digest."""

    what: str
    player: int
    digest: str
    key: str


def read_stop_link(text: str) -> StopLink | None:
    """Parse the last part of such a link's path; None for anything else."""
    match = _STOP_LINK.fullmatch(text) if len(text) <= 128 else None
    if match is None:
        return None
    what, player, digest, key = match.groups()
    return StopLink(what or "", int(player or 0), digest or "", key)


def make_stop_link(secrets: Secrets, what: str, player: int, stored: str) -> str:
    """Return the last part of the path that stops mails called `what` to a player. It is worth
    nothing else, and ends with the player's reply addresses."""
    name = f"{what}-u{player}"
    return f"{name}-{secrets.make_link_key(name, stored, ())}"


def make_address_stop_link(secrets: Secrets, address: str) -> str:
    """Return the last part of the path that stops mails to an address that is nobody's. It does
    not tell the address."""
    name = f"a{secrets.digest_address(address)}"
    return f"{name}-{secrets.make_link_key(name, '', ())}"


def is_genuine_stop_link(secrets: Secrets, link: StopLink, stored: str) -> bool:
    """Whether one of the server's keys made a link that stops mails. `stored` is what the player's
    links are bound to."""
    name = f"a{link.digest}" if link.digest else f"{link.what}-u{link.player}"
    return secrets.is_link_key(link.key, name, "" if link.digest else stored, ())


class OpenedSeat(NamedTuple):
    """What a link to a seat opens: the board and the player."""

    board: Board
    player: Player


def open_seat(
    session: Session, secrets: Secrets, link: Link, now: float, *, lock: bool = False
) -> OpenedSeat | None:
    """Return the target of a link to a seat; None when it is not genuine, has expired, or its board
    ended more than a month ago. Raise Refusal for a board that cannot be shown, but never for a
    link that is not genuine."""
    row = reads.find_board(session, link.board, lock=lock) if link.board else None
    seats = reads.find_seats(session, link.board) if row is not None else ()
    if row is None or link.seat >= len(seats):
        return None
    holders = [seats[link.seat].player_id]
    if seats[link.seat].decides:
        members = reads.find_seat_members(session, link.board)
        holders = [each.player_id for each in members if each.seat == link.seat]
    found = (_verify(session, secrets, link, each) for each in holders)
    verified = next((each for each in found if each is not None), None)
    if verified is None:
        return None
    if row.state == "sleeping":
        raise BoardSleeping(link.board)
    board = build_board(session, row, seats)
    if not outlives_board(Proof.SEAT_LINK, board.ended, now):
        return None
    return OpenedSeat(board, verified)


def open_own_seat(session: Session, player: Player, number: int) -> tuple[Board, int] | None:
    """Return a board and the number of the player's seat there, of several of one that is on the
    move; None where the player has none. Raise Refusal for a board that cannot be shown."""
    row = reads.find_board(session, number)
    seats = reads.find_seats(session, number) if row is not None else ()
    own = {seat.seat for seat in seats if seat.player_id == player.id and not seat.decides}
    if any(seat.decides for seat in seats):
        members = reads.find_seat_members(session, number)
        own |= {each.seat for each in members if each.player_id == player.id}
    if row is None or not own:
        return None
    if row.state == "sleeping":
        raise BoardSleeping(number)
    board = build_board(session, row, seats)
    return board, max(own, key=lambda seat: (seat in board.position.to_move, -seat))


def open_player(session: Session, secrets: Secrets, link: Link) -> Player | None:
    """Return the player of a link to a player's boards; None when it is not genuine or has
    expired."""
    verified = None if link.board else _verify(session, secrets, link, link.player)
    return verified


def _verify(session: Session, secrets: Secrets, link: Link, number: int) -> Player | None:
    player = get_player(session, number)
    if player is None or not player.is_active or player.is_bot:
        return None
    addresses = reads.find_addresses(session, player.id)
    is_ours = secrets.is_link_key(link.key, link.name, player.binding, addresses)
    return player if is_ours and addresses else None


# Keeps passwords out of comments, chat and the reasons of refusals.
#
# Words are compared with a password only where the mail has proved that password. For every
# other proof nothing is compared, so that nobody learns from an answer what the password is:
# what may be one by its place or its shape is masked.

_PLACEHOLDERS = {"board", "game", "userid", "password", "move", "number"}
"""Words of the forms we show, which people forget to replace."""
_LONGEST = 64
_SEPARATORS = re.compile(r"[=#,]")
_NOTATION = re.compile(
    r"(?:[a-z]{1,3}[0-9]{1,2}[-,/:x=+]*){1,12}|(?:[a-z0-9]{1,3}[-,/:+]+)*[a-z0-9]{1,3}"
    r"|\+?[a-z][@*][a-z][0-9]{1,2}[+#]?|20[0-9]{2}-[01][0-9]-[0-3][0-9]"
)
"""Places as moves name them, and dates, which are no secret: b1,c1,d1,d9, e2e4, 13/8, N@e6."""

_LINKED = frozenset(
    [
        "toi",
        "moi",
        "lui",
        "leur",
        "nous",
        "vous",
        "le",
        "la",
        "les",
        "y",
        "en",
        "je",
        "tu",
        "il",
        "elle",
        "on",
        "ils",
        "elles",
        "t",
        "ce",
        "ci",
        "là",
        "même",
        "mêmes",
        "être",
        "bas",
        "à",
        "dire",
    ]
)
"""What French writes with a hyphen behind another word: amuse-toi, peut-être, va-t-il."""


def drop_password(command: Command, people: Sequence[Player]) -> Command:
    """Return the command without a text that holds the password of its line. `people` are the
    players who are proven to have sent it; a text in a mail without proof is dropped, so that
    nobody can speak for somebody else. The sender is told that there was one."""
    sender = command.sender
    brings_code = sender.invitation is not None or bool(sender.code)
    is_unproved = not people and sender.via == "mail" and not brings_code
    if command.text and (is_unproved or holds_password(command.text, command.password)):
        return replace(command, text="", withheld=(*command.withheld, "..."))
    return command


def holds_password(text: str, password: str) -> bool:
    """Whether a text has the password in it, with capitals or without: a phone begins a line with
    one."""
    return bool(password) and password.casefold() in text.casefold()


def find_candidates(words: Iterable[str]) -> Iterable[str]:
    """Yield the words that may be a password: as typed, without surrounding punctuation, in
    parts."""
    for word in words:
        for part in dict.fromkeys((word, *_SEPARATORS.split(word)[1:])):
            for form in dict.fromkeys((part, trim_word(part), part.strip(".,;:!?()[]'\"<>"))):
                if SHORTEST_PASSWORD <= len(form) <= _LONGEST:
                    yield form


def scrub(
    text: str, command: Command, instead: str, *, is_proven: bool, userids: Collection[str] = ()
) -> str:
    """Mask the command's password, and without one the words that may be the sender's by their
    shape and are no `userids` (in lower case). Returns `instead` where an unproven sender's text
    quotes any such word."""
    if command.password:
        for word in dict.fromkeys((command.password, trim_word(command.password))):
            if word:
                text = re.sub(re.escape(word), "...", text, flags=re.IGNORECASE)
        return text
    quoted = [
        word
        for word in dict.fromkeys(find_candidates((*command.rest.split(), *command.words)))
        if word.lower() in text.lower() and word.lower() not in _PLACEHOLDERS
    ]
    if not is_proven:
        return instead if quoted else text
    for word in quoted:
        if _looks_secret(word) and word.lower() not in userids:
            text = re.sub(re.escape(word), "...", text, flags=re.IGNORECASE)
    return text


def is_place_or_date(word: str) -> bool:
    """Whether a word is written as places of a board in moves are, or as a date."""
    return _NOTATION.fullmatch(word.lower()) is not None


def has_secret(text: str) -> bool:
    """Whether a word of a sentence may be a password by its shape."""
    return any(map(_may_be_secret, text.split()))


def mask_secrets(line: str) -> str:
    """Return a line with dots in place of each word that may be a password by its shape."""
    return " ".join("..." if _may_be_secret(word) else word for word in line.split())


def _may_be_secret(word: str) -> bool:
    word = re.sub(r"^\W+|['\u2019]|\W+$", "", word)
    return len(word) >= SHORTEST_PASSWORD and _looks_secret(word)


def _looks_secret(word: str) -> bool:
    """Whether a word has digits, marks or capitals inside it, and is no place on a board."""
    first, *linked = word.split("-")
    inner = first[1:] if _LINKED.issuperset(linked) else word[1:]
    is_plain = (inner.isalpha() and inner.islower()) or (bool(linked) and not inner)
    return not is_plain and not _NOTATION.fullmatch(word.lower())
