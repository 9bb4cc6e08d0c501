"""Secrets: tokens that cannot be forged, codes, passwords known again, and chance that is fair and
can be verified."""

from __future__ import annotations

import base64
import hashlib
import hmac
import itertools
import os
import re
import subprocess
import sys
from collections import Counter
from typing import Literal

import pytest
from argon2 import PasswordHasher, extract_parameters, profiles
from argon2.exceptions import InvalidHashError
from hypothesis import given, settings
from hypothesis import strategies as st

from pbm.core.secrets import Secrets, Token, compute_commitment, decide, read_token

OLD, NEW, OTHER = (bytes([number]) * 32 for number in (1, 2, 3))
SECRETS = Secrets((NEW,), os.urandom)
HASH, NOW = "$argon2id$of ann", 1772452800.0


def read(text: str) -> Token:
    token = read_token(text)
    assert token is not None, text
    return token


# Tokens


def test_a_board_token_names_board_seat_and_move_in_the_open() -> None:
    text = SECRETS.make_board_token(17, 0, 5, 0, HASH)
    assert re.fullmatch("b17-0-5-[a-z2-7]{16}", text)
    token = read(text)
    assert (token.kind, token.number, token.seat, token.ply) == ("b", 17, 0, 5)
    assert SECRETS.is_genuine(token, HASH, now=NOW)


def test_the_tag_of_a_token_is_the_start_of_an_hmac_in_base32() -> None:
    tag = hmac.digest(NEW, f"token:b17-0-5-0-{HASH}".encode(), "sha256")[:10]
    token = read(SECRETS.make_board_token(17, 0, 5, 0, HASH))
    assert token.tag == base64.b32encode(tag).decode().lower()


def test_a_player_token_and_a_delivery_token_are_no_board_tokens() -> None:
    player, mail = SECRETS.make_player_token(7, HASH, NOW), SECRETS.make_delivery_token(7)
    assert player.startswith("u7-")
    assert mail.startswith("d")
    assert player[-16:] != mail[-16:]
    for text in (player, mail):
        assert SECRETS.is_genuine(read(text), HASH, now=NOW)
        assert SECRETS.reveal_number(read(text).number) == 7


@given(st.integers(0, 9 * 10**11 - 1))
def test_the_number_of_a_mail_is_hidden_and_found_again(number: int) -> None:
    hidden = SECRETS.hide_number(number)
    assert len(str(hidden)) == 12
    assert SECRETS.reveal_number(hidden) == number


def test_the_numbers_of_mails_tell_neither_how_many_there_are_nor_their_order() -> None:
    numbers = [SECRETS.hide_number(number) for number in range(1, 2001)]
    assert len(set(numbers)) == len(numbers)
    rises = sum(one < other for one, other in itertools.pairwise(numbers))
    assert 900 < rises < 1100
    assert min(abs(one - other) for one, other in itertools.pairwise(numbers)) > 1000
    stranger = Secrets((OTHER,), os.urandom)
    assert [stranger.hide_number(number) for number in range(1, 2001)] != numbers
    assert SECRETS.reveal_number(21) == 21  # of a mail that left before numbers were hidden


def test_no_token_is_longer_than_40_characters_or_has_capitals() -> None:
    longest = (
        SECRETS.make_board_token(9_999_999_999, 99, 999_999, 99, HASH),
        SECRETS.make_player_token(999_999_999_999, HASH, NOW),
        SECRETS.make_delivery_token(899_999_999_999),
    )
    for text in longest:
        assert len(text) <= 40
        assert text == text.lower()
        assert SECRETS.is_genuine(read(text), HASH, undos=99, now=NOW)


@settings(deadline=None, max_examples=50)
@given(st.integers(1, 10**10 - 1), st.integers(0, 99), st.integers(0, 10**6 - 1), st.integers(0, 9))
def test_every_token_is_read_as_it_was_written(board: int, seat: int, ply: int, undos: int) -> None:
    token = read(SECRETS.make_board_token(board, seat, ply, undos, HASH))
    assert (token.number, token.seat, token.ply) == (board, seat, ply)
    assert SECRETS.is_genuine(token, HASH, undos=undos)
    assert not SECRETS.is_genuine(token, HASH, undos=undos + 1)


def test_capitals_do_not_matter() -> None:
    """Some mail programs write addresses in capitals."""
    assert SECRETS.is_genuine(
        read(SECRETS.make_board_token(17, 0, 5, 0, HASH).upper()), HASH, now=NOW
    )


def test_a_token_in_which_anything_was_changed_is_not_ours() -> None:
    text = SECRETS.make_board_token(17, 0, 5, 0, HASH)
    for changed in ("b18-0-5-", "b17-1-5-", "b17-0-6-", "b1-7-5-"):
        assert not SECRETS.is_genuine(read(changed + text[-16:]), HASH, now=NOW)
    for place in range(-16, 0):
        for letter in "ab":
            if text[place] != letter:
                changed = text[:place] + letter + text[len(text) + place + 1 :]
                assert not SECRETS.is_genuine(read(changed), HASH, now=NOW)
    assert not SECRETS.is_genuine(read(f"u17-{text[-16:]}"), HASH, now=NOW)


def test_a_token_by_another_key_is_not_ours() -> None:
    forged = Secrets((OTHER,), os.urandom).make_board_token(17, 0, 5, 0, HASH)
    assert not SECRETS.is_genuine(read(forged), HASH, now=NOW)


def test_keys_rotate() -> None:
    """The newest key signs, older ones still count, one that was dropped does not."""
    before, during, after = (Secrets(keys, os.urandom) for keys in ((OLD,), (NEW, OLD), (NEW,)))
    old = read(before.make_board_token(17, 0, 5, 0, HASH))
    new = read(during.make_board_token(17, 0, 5, 0, HASH))
    assert new.tag != old.tag
    assert during.is_genuine(old, HASH, now=NOW)
    assert during.is_genuine(new, HASH, now=NOW)
    assert after.is_genuine(new, HASH, now=NOW)
    assert not after.is_genuine(old, HASH, now=NOW)


def test_a_token_is_bound_to_the_stored_password() -> None:
    for text in (
        SECRETS.make_board_token(17, 0, 5, 0, HASH),
        SECRETS.make_player_token(7, HASH, NOW),
    ):
        assert SECRETS.is_genuine(read(text), HASH, now=NOW)
        assert not SECRETS.is_genuine(read(text), f"{HASH}e", now=NOW)
        assert len(text) <= 40


def test_a_token_without_a_board_lives_for_a_year_and_a_month_at_most() -> None:
    token = read(SECRETS.make_player_token(7, HASH, NOW))
    for days, is_good in ((0, True), (365, True), (397, False), (4000, False)):
        assert SECRETS.is_genuine(token, HASH, now=NOW + days * 86400) is is_good


@pytest.mark.parametrize(
    "text",
    [
        "",
        "b17",
        "b17-0-5",
        "b17-0-5-short",
        "x17-0-5-abcdefghijklmnop",
        "b-1-0-5-abcdefghijklmnop",
        "b17-0-5-abcdefghijklmno1",
        "b17-0-5-abcdefghijklmnopq",
        "u-abcdefghijklmnop",
        "b" * 1000,
        "b17-0-5-abcdefghijklmnop\n",
    ],
)
def test_what_is_no_token_is_read_as_none(text: str) -> None:
    assert read_token(text) is None


# Codes


def test_codes_are_new_every_time_and_easy_to_type() -> None:
    codes = [SECRETS.generate_code() for _ in range(200)]
    assert len(set(codes)) == 200
    for code in codes:
        assert re.fullmatch(r"[a-z0-9]{4}(-[a-z0-9]{4}){2}", code)
        assert not set(code) & set("il01o")


def test_every_letter_of_a_code_is_as_likely_as_any_other() -> None:
    """All bytes of entropy in turn: none is favoured by more than the last round."""
    source = itertools.cycle(range(256))
    secrets = Secrets((NEW,), lambda count: bytes(next(source) for _ in range(count)))
    letters = Counter("".join(secrets.generate_code() for _ in range(640)).replace("-", ""))
    assert max(letters.values()) <= 1.13 * min(letters.values())


def test_a_code_is_known_by_its_digest_however_it_is_typed() -> None:
    digest = SECRETS.digest_code("abcd-efgh-2345")
    assert digest == SECRETS.digest_code(" ABCD efgh2345 ")
    assert digest != SECRETS.digest_code("abcd-efgh-2346")
    assert "abcd" not in digest
    assert digest != Secrets((OTHER,), os.urandom).digest_code("abcd-efgh-2345")


# Passwords


def test_a_right_password_is_checked_by_argon2_once() -> None:
    secrets = Secrets((NEW,), os.urandom)
    stored = secrets.hash_password("Sesame-ann")
    assert stored.startswith("$argon2id$")
    assert [secrets.check_password(1, stored, "Sesame-ann") for _ in range(5)] == [True] * 5
    assert secrets.argon2_checks == 1


def test_a_wrong_password_is_checked_by_argon2_each_time() -> None:
    """Nothing is remembered of what was wrong, and a right one before does not help."""
    secrets = Secrets((NEW,), os.urandom)
    stored = secrets.hash_password("Sesame-ann")
    assert secrets.check_password(1, stored, "Sesame-ann")
    assert [secrets.check_password(1, stored, "sesame-ann") for _ in range(2)] == [False] * 2
    secrets.check_nobody("Sesame-ann")
    assert secrets.argon2_checks == 4


def test_a_remembered_password_counts_for_its_player_and_hash_only() -> None:
    secrets = Secrets((NEW,), os.urandom)
    stored, changed = (secrets.hash_password(word) for word in ("Sesame-ann", "Sesame-new"))
    assert secrets.check_password(1, stored, "Sesame-ann")
    assert not secrets.check_password(1, changed, "Sesame-ann")
    assert not secrets.check_password(2, changed, "Sesame-ann")
    assert secrets.check_password(1, changed, "Sesame-new")


class CountingHasher(PasswordHasher):
    """Argon2 that counts how often it does its work."""

    worked = 0

    def verify(self, hash: str | bytes, password: str | bytes) -> Literal[True]:
        try:
            return super().verify(hash, password)
        except InvalidHashError:
            self.worked -= 1
            raise
        finally:
            self.worked += 1


@pytest.mark.parametrize("stored", ["!", "", "plain text"])
def test_a_closed_account_has_no_right_password(stored: str) -> None:
    """And is as slow to say so as any other account, or none."""
    secrets = Secrets((NEW,), os.urandom)
    secrets._hasher = hasher = CountingHasher()
    assert not secrets.check_password(1, stored, stored or "anything")
    assert (secrets.argon2_checks, hasher.worked) == (1, 1)
    assert not secrets.check_password(2, secrets.hash_password("Sesame-bob"), "Sesame-ann")
    secrets.check_nobody("Sesame-ann")
    assert (secrets.argon2_checks, hasher.worked) == (3, 3)


def test_a_server_hashes_with_the_parameters_of_rfc_9106() -> None:
    """Tests lower them, so this one asks another process: those for 64 MiB of memory, and verifying
    the sentinel costs the same."""
    script = (
        "import os; from pbm.core.secrets import Secrets; "
        "secrets = Secrets((b'',), os.urandom); "
        "print(secrets.hash_password('Sesame-ann'), secrets._nobody)"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, check=True)
    for stored in done.stdout.decode().split():
        assert extract_parameters(stored) == profiles.RFC_9106_LOW_MEMORY


# Chance


def test_chance_is_decided_by_the_secret_alone() -> None:
    """Prefetched answers: HMAC-SHA256 over `board/ply/question/try`, its first 8 bytes modulo n."""
    answers = [decide(b"secret", 17, 4, question, 6) for question in range(6)]
    assert answers == [decide(b"secret", 17, 4, question, 6) for question in range(6)]
    by_hand = []
    for question in range(6):
        inner = bytes(a ^ 0x36 for a in b"secret".ljust(64, b"\0"))
        outer = bytes(a ^ 0x5C for a in b"secret".ljust(64, b"\0"))
        said = f"17/4/{question}/0".encode()
        digest = hashlib.sha256(outer + hashlib.sha256(inner + said).digest()).digest()
        by_hand.append(int.from_bytes(digest[:8], "big") % 6)
    assert answers == by_hand


def test_secret_board_ply_and_question_all_matter() -> None:
    many = 10**9
    answers = {
        decide(secret, board, ply, question, many)
        for secret in (OLD, NEW)
        for board in (1, 11)
        for ply in (1, 11)
        for question in (1, 11)
    }
    assert len(answers) == 16


@pytest.mark.parametrize("outcomes", [2, 6, 7, 60])
def test_every_outcome_is_as_likely_as_any_other(outcomes: int) -> None:
    """Chi squared of 6000 fixed answers, against its 99.9 % bound."""
    rolls = 6000
    counts = Counter(decide(OLD, 1, ply, 0, outcomes) for ply in range(rolls))
    expected = rolls / outcomes
    chi = sum((counts[index] - expected) ** 2 / expected for index in range(outcomes))
    bound = {2: 10.83, 6: 20.52, 7: 22.46, 60: 98.32}[outcomes]
    assert chi < bound
    assert set(counts) == set(range(outcomes))


def test_a_value_that_would_favour_low_outcomes_is_drawn_again() -> None:
    """With 2**63 + 1 outcomes nearly half of all values are beyond the last whole round; taken
    modulo they would all be low."""
    outcomes = 2**63 + 1
    answers = [decide(OLD, 1, ply, 0, outcomes) for ply in range(400)]
    assert all(0 <= answer < outcomes for answer in answers)
    low = sum(answer < outcomes // 2 for answer in answers)
    assert 150 < low < 250


def test_one_outcome_is_no_question() -> None:
    assert decide(OLD, 1, 1, 0, 1) == 0


def test_the_commitment_is_a_plain_hash_that_anybody_can_compute() -> None:
    secret = SECRETS.generate_board_secret()
    assert len(secret) == 32
    assert compute_commitment(secret) == hashlib.sha256(secret).hexdigest()
    assert secret != SECRETS.generate_board_secret()
