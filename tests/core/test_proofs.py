"""What each proof is worth: the table is what the server does, for every verb and every way in."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from msgspec.structs import replace

from pbm.core.authenticate import PasswordChecks, authenticate
from pbm.core.command import Command, Sender
from pbm.core.feature import Verb, list_verbs
from pbm.core.links import Link
from pbm.core.parser import read_line
from pbm.core.proofs import CAPABILITIES, Act, Proof, is_worth, outlives_board
from pbm.core.refusal import Refusal, RefusalCode
from pbm.core.secrets import Secrets, Token, read_token
from pbm.core.submit import Submission, send_nothing
from pbm.core.words import get_verb
from pbm.daemon.keys import load_secrets
from pbm.mail.compose import build_service
from pbm.store import migrate
from pbm.store.daily_counters import DAY
from pbm.store.engine import Store
from pbm.web.routes import Endpoints
from pbm.web.site import Site
from pbm.web.verb_forms import is_offered
from tests.core.test_verbs import SLOTS, name
from tests.harness.mail_room import NOW, PASSWORD, Room

_GAME = "tictactoe"
_ADDRESS = "ann@example.org"
_WORDS = {**SLOTS, "address": "ann@home.example", "word": "connection", "question": "rules"}
_UNPROVEN = {RefusalCode.NOT_IDENTIFIED, RefusalCode.WRONG_PASSWORD}


@pytest.fixture(scope="module")
def room(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Room]:
    """Ann against bob, twice."""
    store = Store(f"sqlite:///{tmp_path_factory.mktemp('proofs')}/pbm.db")
    migrate.create(store)
    room = Room(store)
    with room.kept() as session:
        for who in ("ann", "bob"):
            room.player(session, who)
        for _ in range(2):
            room.says(session, f"{_GAME} challenge ann bob", _ADDRESS, vouched=True)
    yield room
    store.close()


def build_token(room: Room, proof: Proof) -> Token | None:
    """The token of ann's reply address."""
    secrets = room.secrets
    if proof in (Proof.BOARD_ADDRESS, Proof.OFFER):
        return read_token(secrets.make_board_token(1, 0, 1, 0, room.hash))
    if proof is Proof.PLAYER_ADDRESS:
        return read_token(secrets.make_player_token(1, room.hash, room.now))
    return None


def build_sender(room: Room, proof: Proof) -> Sender:
    """Who sends with that proof."""
    match proof:
        case Proof.SEAT_LINK:
            return Sender(via="web", player=1, seat_at=1)
        case Proof.PLAYER_LINK:
            return Sender(via="web", player=1)
        case Proof.STOP_LINK:
            return Sender(via="web", player=1, stops=True)
        case Proof.TERMINAL:
            return Sender(via="terminal")
        case Proof.OPERATOR:
            return Sender(via="terminal", operator=True)
        case Proof.BOT:
            return Sender(via="bot", operator=True)
        case Proof.INVITATION | Proof.JOIN_LINK:
            kind = "i" if proof is Proof.INVITATION else "j"
            return Sender(_ADDRESS, invitation=Token(kind, 1, 0, 0, "a" * 16))
        case Proof.PASSWORD | Proof.NOTHING:
            return Sender("eve@evil.example")
    return Sender(_ADDRESS, build_token(room, proof), vouched=proof is Proof.VOUCHED)


def build_command(room: Room, verb: Verb, proof: Proof, board: int) -> Command:
    """The command of the verb, as it comes with that proof. Raises Refusal when it cannot be
    read."""
    sender = build_sender(room, proof)
    words: list[str] = [*([_GAME] if verb.game == "yes" else []), verb.name]
    for slot in verb.slots:
        if slot == "password":
            words += [PASSWORD] if proof is Proof.PASSWORD else []
        elif slot == "user":
            is_claimed = proof in (Proof.PASSWORD, Proof.OPERATOR, Proof.BOT)
            words += ["ann"] if is_claimed or "password" not in verb.slots else []
        elif slot.rstrip("+") == "board":
            words.append(str(board))
        elif slot == "game":
            words.append(_GAME)
        elif slot[-1] not in "?*":
            words.append(_WORDS[slot.rstrip("+")])
    words += ["ann"] if verb.name == "challenge" else []
    if sender.player:
        free = [word for word in words[1 + (verb.game == "yes") :] if word not in ("ann", PASSWORD)]
        game = _GAME if verb.game == "yes" else ""
        at = board if verb.has_board else 0
        return Command(verb, sender, game=game, board=at, user="ann", words=tuple(free))
    return read_line(" ".join(words), sender)


def is_allowed(room: Room, verb: Verb, proof: Proof, board: int = 1) -> bool:
    """Whether the server does it for that proof, or refuses it for another reason."""
    checks = PasswordChecks(room.secrets, room.config)
    try:
        command = build_command(room, verb, proof, board)
    except Refusal as refusal:
        return refusal.code not in {RefusalCode.MISSING_ARGUMENT, *_UNPROVEN}
    with room.tried() as session:
        command = authenticate(session, command, checks, room.now)
        command = replace(command, offer=int(proof is Proof.OFFER))
        submission = Submission((command,), room.now, send_nothing)
        refused = room.services.service.submit(session, submission, room.now).refusals
    return not _UNPROVEN & {*refused}


@pytest.mark.parametrize("proof", [proof for proof in Proof if proof is not Proof.CODE])
def test_the_table_is_what_the_server_does(room: Room, proof: Proof) -> None:
    for verb in list_verbs():
        if proof is Proof.PASSWORD and verb.act is Act.CHALLENGE:
            assert "password" not in verb.slots, name(verb)  # so that none can come with it
            continue
        worth = is_worth(proof, verb.act, board=1, proved=1)
        assert is_allowed(room, verb, proof) is worth, name(verb)


@pytest.mark.parametrize("proof", [Proof.BOARD_ADDRESS, Proof.SEAT_LINK])
def test_a_proof_of_a_seat_is_for_its_board_alone(room: Room, proof: Proof) -> None:
    verbs = [verb for verb in list_verbs() if verb.has_board and verb.act is Act.SEAT]
    assert len(verbs) > 9
    for verb in verbs:
        assert not is_allowed(room, verb, proof, board=2), name(verb)
        assert is_allowed(room, verb, Proof.PASSWORD, board=2), name(verb)
        assert is_allowed(room, verb, Proof.PLAYER_ADDRESS, board=2), name(verb)


@pytest.mark.parametrize("kind", Proof)
def test_a_row(kind: Proof) -> None:
    assert CAPABILITIES[kind].worth


def test_nobody_is_worth_more_than_the_password() -> None:
    most = CAPABILITIES[Proof.PASSWORD].worth
    assert all(capability.worth <= most for capability in CAPABILITIES.values())
    assert {*Act} == most
    account = [proof for proof in Proof if is_worth(proof, Act.ACCOUNT)]
    assert account == [Proof.PASSWORD, Proof.OPERATOR]


def test_a_proof_of_a_seat_ends_a_month_after_its_board() -> None:
    for proof in (Proof.BOARD_ADDRESS, Proof.SEAT_LINK):
        assert outlives_board(proof, None, NOW)
        assert outlives_board(proof, NOW, NOW + 30 * DAY)
        assert not outlives_board(proof, NOW, NOW + 30 * DAY + 1)


# Pages


def test_every_form_is_worth_its_link() -> None:
    """Of those that there are: pages behind the link of a seat have the acts of that seat alone,
    and none has what changes who owns the account."""
    seat, own = Link(1, 0, 0, "a" * 32), Link(0, 0, 1, "a" * 32)
    offered = {
        link.proof: {verb.name for verb in list_verbs() if is_offered(verb.name, link)}
        for link in (seat, own)
    }
    assert {"move", "resign", "chat", "rematch"} <= offered[Proof.SEAT_LINK]
    assert {get_verb(verb).act for verb in offered[Proof.SEAT_LINK]} == {Act.SEAT}
    assert offered[Proof.SEAT_LINK] < offered[Proof.PLAYER_LINK]
    assert {"challenge", "seek", "join", "event enter", "set"} <= offered[Proof.PLAYER_LINK]
    for proof, verbs in offered.items():
        assert {get_verb(verb).act for verb in verbs} <= CAPABILITIES[proof].worth
    assert not {"change password", "erase", "remove", "mine"} & offered[Proof.PLAYER_LINK]


def test_every_page_behind_a_link_says_what_the_link_must_be_worth(tmp_path: Path) -> None:
    store = Store(f"sqlite:///{tmp_path}/pbm.db")
    migrate.create(store)
    room = Room(store)
    secrets = load_secrets(store)
    service = build_service(room.config, secrets)
    site = Site(room.config, store, None, secrets, service, lambda: NOW, lambda: None)  # type: ignore[arg-type]
    secret = [route for route in Endpoints(site).routes() if "{link}" in route.path]
    assert len(secret) >= 8
    for route in secret:
        assert route.endpoint.__qualname__.startswith("Answers.behind_link."), route.path
    store.close()


# Reply addresses


def submit(room: Room, line: str, sender: Sender) -> bool:
    """Whether it is done; nothing is kept of it."""
    checks = PasswordChecks(room.secrets, room.config)
    with room.tried() as session:
        command = authenticate(session, read_line(line, sender), checks, room.now)
        submission = Submission((command,), room.now, send_nothing)
        result = room.services.service.submit(session, submission, room.now)
    return not result.is_refused


@pytest.mark.parametrize("proof", [Proof.BOARD_ADDRESS, Proof.PLAYER_ADDRESS])
def test_a_reply_address_proves_nothing_from_elsewhere(room: Room, proof: Proof) -> None:
    """Nor beside a wrong password."""
    sender = build_sender(room, proof)
    assert submit(room, f"{_GAME} chat 1 Hello!", sender)
    for other in ("bob@example.org", "eve@evil.example", ""):
        assert not submit(room, f"{_GAME} chat 1 Hello!", replace(sender, address=other))
    assert not submit(room, f"{_GAME} chat 1 ann Wrong-word Hello!", sender)


# Words that may be a password


class Unasked(Secrets):
    """Secrets of which nobody asks whether a word is a password."""

    def has_remembered(self, player: int, stored: str) -> bool:
        raise AssertionError("looked at what is remembered")

    def is_remembered(self, player: int, stored: str, password: str) -> bool:
        raise AssertionError("looked at what is remembered")

    def check_password(self, player: int, stored: str, password: str) -> bool:
        raise AssertionError("asked argon2")

    def check_nobody(self, password: str) -> None:
        raise AssertionError("asked argon2")


def say(room: Room, verb: Verb, proof: Proof, word: str) -> str:
    """What becomes of the command with that word on its line and in its text, without the word."""
    secrets = Unasked(room.secrets.keys, lambda size: bytes(size))
    service = build_service(room.config, secrets)
    try:
        command = build_command(room, verb, proof, 1)
    except Refusal as refusal:
        return refusal.code
    if command.password:
        return "other words stand where a password does"
    said = "name=" + word if verb.name == "set" else word
    free = " ".join([*command.words, said])
    command = replace(command, words=tuple(free.split()), rest=free, text=f"I know that\n{word}!")
    checks = PasswordChecks(secrets, room.config)
    with room.tried() as session:
        command = authenticate(session, command, checks, room.now)
        submission = Submission((command,), room.now, send_nothing)
        notices = service.submit(session, submission, room.now).notices
    assert secrets.argon2_checks == 0
    return repr(notices).replace(word, "WORD")


@pytest.mark.parametrize(
    "proof",
    [
        proof
        for proof in Proof
        if proof not in (Proof.PASSWORD, Proof.CODE, Proof.OPERATOR, Proof.BOT)
    ],
)
def test_no_word_is_compared_with_a_password_that_the_mail_has_not_proved(
    room: Room, proof: Proof
) -> None:
    """Right and wrong words have the same outcome, and nothing is asked about them."""
    for verb in list_verbs():
        if verb.text or verb.takes_lines or verb.has_message or verb.name == "set":
            said = say(room, verb, proof, PASSWORD)
            assert said == say(room, verb, proof, "Sesame-0pen"), name(verb)


@pytest.mark.parametrize("proof", [Proof.BOARD_ADDRESS, Proof.PLAYER_ADDRESS, Proof.SEAT_LINK])
def test_a_text_is_passed_on_whatever_it_says(room: Room, proof: Proof) -> None:
    assert "WORD!" in say(room, get_verb("chat"), proof, PASSWORD)
