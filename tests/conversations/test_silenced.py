"""A silenced player is silent: whatever command words come with, and however it is proved whose
they are."""

from __future__ import annotations

from collections.abc import Callable, Container

import pytest
from msgspec.structs import replace
from sqlalchemy import func, select, update

from pbm.core.feature import list_verbs
from pbm.core.player import find_player, save_player
from pbm.features.lobby.tables import offers
from pbm.store.tables import boards, moves
from tests.harness.conversation import DAY, SERVER, Conversation

TRUSTS = {"address": SERVER, "trusts": "mail.example.net", "trusted_peers": ("127.0.0.0/8",)}
VOUCHED = "mail.example.net; dmarc=pass header.from=example.org"
WORDS = "Zounds and gadzooks!"
LINES = {
    "invite": "invite {me} vic@v.example",
    "event new": "event new roundrobin hex {me}",
    "message": "message {me} bob",
    "broadcast": "broadcast {me}",
    "challenge": "tictactoe challenge eve bob",
    "seek": "tictactoe seek {me}",
    "simul": "tictactoe simul {me} --boards=3",
    "join": "join {offer} {me}",
    "rematch": "tictactoe rematch {over} {me}",
    "move": "tictactoe move {board} {me} a1",
    "pass": "go pass {go} {me}",
    "swap": "hex swap {hex} {me}",
    "resign": "tictactoe resign {board} {me}",
    "submit": "tictactoe submit {board} {me} a1",
    "confirm": "tictactoe confirm {board} {me}",
    "queue": "tictactoe queue {board} {me} a1",
    "plan": "tictactoe plan {board} {me} if b2 then c3",
    "note": "tictactoe note {board} {me}",
    "variations": "tictactoe variations {board} {me}",
    "propose": "tictactoe propose {board} {me}",
    "undo": "tictactoe undo {board} {me}",
    "accept": "tictactoe accept {asked} {me}",
    "reject": "tictactoe reject {asked} {me}",
    "cancel": "tictactoe cancel {board} {me}",
    "decline": "tictactoe decline {asked} {me}",
    "chat": "tictactoe chat {board} {me}",
    "press": "tictactoe press {board} {me} bob",
    "confer": "tictactoe confer {board} {me}",
    "kibitz": "tictactoe kibitz {watched} {me}",
    "time": "tictactoe time {board} {me} 3",
    "pause": "tictactoe pause {board} {me} until monday",
    "team say": "team say rooks {me}",
    "club say": "club say rooks {me}",
    "club new": "club new knights {me}",
    "club enter": "club enter 1 {me}",
}
"""A line of each command beside which words may stand; `set_up` makes the boards."""
TO_THE_OPERATOR = {"report", "moderate"}
"""What is written there is for the operator, or is a moderator's reason."""
HEARD = {
    *("invite", "message", "broadcast", "seek", "rematch", "move", "resign"),
    *("chat", "kibitz", "time", "pause"),
}
"""Commands whose words do arrive, with a password, while nobody is silenced."""
VOUCHED_FOR = {"challenge"}
"""The same with a From that the operator's mail server has authenticated."""


def set_up(talk: Conversation, line: str, *, by: str = "eve") -> dict[str, str]:
    """Make the offer and the boards that a line names, on which eve is to move; their numbers. `by`
    eve, whom bob does not know then, or by bob."""
    numbers = {}
    for name, game in (("board", "tictactoe"), ("go", "go"), ("hex", "hex"), ("over", "tictactoe")):
        if f"{{{name}}}" in line:
            numbers[name] = begin(talk, by, f"{game} challenge eve bob")
    if "{asked}" in line:
        numbers["asked"] = begin(talk, "bob", "tictactoe challenge bob eve --ask")
    if "{watched}" in line:
        numbers["watched"] = begin(talk, "bob", "tictactoe challenge bob vic")
        for who in ("eve", "kim"):
            number = numbers["watched"]
            talk.mails(who, f"tictactoe watch {number} {who} {talk.password(who)}")
    if "over" in numbers:
        for who, act, move in (
            ("eve", "move", " a1"),
            ("bob", "move", " b2"),
            ("bob", "resign", ""),
        ):
            claim = f"{who} {talk.password(who)}"
            talk.mails(who, f"tictactoe {act} {numbers['over']} {claim}{move}")
            talk.everything()
    if "{offer}" in line:
        talk.proves("bob", "tictactoe seek")
        talk.everything()
        with talk.server.store.reading() as session:
            offer = session.execute(select(func.max(offers.c.id))).scalar_one()
        numbers["offer"] = str(offer)
    talk.everything()
    return numbers


def begin(talk: Conversation, who: str, line: str) -> str:
    """Begin a board, whoever hears of it; the number of the last one."""
    talk.proves(who, line)
    talk.everything()
    with talk.server.store.reading() as session:
        return str(session.execute(select(func.max(boards.c.id))).scalar_one())


def silence(talk: Conversation, who: str, *, days: float = 30.0) -> None:
    """Silence somebody, as the operator does, without the mail about it."""
    with talk.server.store.writing() as session:
        player = find_player(session, who)
        assert player is not None
        player = replace(player, silenced=talk.clock.now + days * DAY)
        save_player(session, player)


def by_password(talk: Conversation, line: str) -> None:
    talk.mails("eve", line.format(me=f"eve {talk.password('eve')}"), WORDS)


def by_player_address(talk: Conversation, line: str) -> None:
    talk.proves("eve", " ".join(line.format(me="").split()), WORDS)


def by_vouched_from(talk: Conversation, line: str) -> None:
    line = " ".join(line.format(me="").split())
    talk.mails("eve", line, WORDS, Authentication_Results=VOUCHED)


def by_from_alone(talk: Conversation, line: str) -> None:
    talk.mails("eve", " ".join(line.format(me="").split()), WORDS)


PROOFS: list[Callable[[Conversation, str], None]] = [
    by_password,
    by_player_address,
    by_vouched_from,
    by_from_alone,
]


def speak(
    talk: Conversation,
    proof: Callable[[Conversation, str], None],
    *,
    but: Container[str] = (),
) -> set[str]:
    """Write these words by every command `but` some; the commands by which they reach anybody else,
    at once or in what others look at."""
    heard = set()
    for name, line in LINES.items():
        if name in but:
            continue
        numbers = set_up(talk, line)
        proof(talk, line.replace("{me}", "{{me}}").format(**numbers))
        others = [mail for mail in talk.everything() if mail.address != "eve@example.org"]
        talk.mails("bob", f"seeks bob {talk.password('bob')}")
        others += talk.everything()
        with talk.server.store.reading() as session:
            logged = session.execute(select(moves.c.comment)).scalars().all()
        if any("gadzooks" in text for text in (*(mail.text for mail in others), *logged)):
            heard.add(name)
        with talk.server.store.writing() as session:
            session.execute(update(moves).values(comment=""))
    return heard


def test_no_command_with_words_is_forgotten() -> None:
    with_words = {verb.name for verb in list_verbs() if verb.text or verb.has_message}
    assert with_words == {*LINES} | TO_THE_OPERATOR


UNLIMITED = dict.fromkeys(
    (
        *("open_boards", "mails_a_day", "unproved_a_day"),
        *("notices_a_day", "news_a_day", "announcements_a_day"),
    ),
    0,
)


@pytest.mark.config(server=TRUSTS, limits=UNLIMITED)
@pytest.mark.parametrize("proof", PROOFS)
def test_no_word_of_a_silenced_player_arrives(
    talk: Conversation, proof: Callable[[Conversation, str], None]
) -> None:
    talk.signup("bob", "eve", "kim", "vic")
    silence(talk, "eve")
    assert speak(talk, proof) == set()


@pytest.mark.config(server=TRUSTS, limits=UNLIMITED)
@pytest.mark.parametrize(("proof", "heard"), [(by_password, HEARD), (by_vouched_from, VOUCHED_FOR)])
def test_the_words_of_others_arrive(
    talk: Conversation, proof: Callable[[Conversation, str], None], heard: set[str]
) -> None:
    talk.signup("bob", "eve", "kim", "vic")
    assert speak(talk, proof) >= heard


@pytest.mark.config(server=TRUSTS)
def test_a_vouched_challenge_of_a_silenced_player_says_so(talk: Conversation) -> None:
    talk.signup("bob", "eve")
    silence(talk, "eve")
    by_vouched_from(talk, LINES["challenge"])
    told = {mail.subject: mail for mail in talk.everything()}
    assert "[tictactoe 1] new board: eve, bob" in told
    assert "[pbm] your words were not passed on" in told


def test_what_was_written_before_a_silence_is_not_passed_on_after_it(talk: Conversation) -> None:
    """Beside a move that is submitted, queued or planned."""
    talk.signup("bob", "eve")
    eve = talk.password("eve")
    first, second = (talk.challenge("tictactoe", "eve", "bob") for _ in range(2))
    talk.replies(first[0], f"submit a1\n\n{WORDS}")
    talk.replies(second[0], "a1")
    latest = [talk.any_mail("eve") for _ in range(2)] and talk.everything()
    talk.mails("eve", f"tictactoe queue 2 eve {eve} c3", WORDS)
    talk.everything()
    silence(talk, "eve")
    talk.mails("eve", f"tictactoe confirm 1 eve {eve}")
    talk.replies(second[1], "b2", who="bob")
    talk.mails("bob", f"tictactoe move 2 bob {talk.password('bob')} b2")
    mails = [*latest, *talk.everything()]
    assert {"b2", "c3"} <= {word for mail in mails for word in mail.text.replace(",", " ").split()}
    assert not any("gadzooks" in mail.text for mail in mails if mail.address == "bob@example.org")
