"""How much of other people's attention anybody may cause: every command, by every proof, from every
kind of sender, again and again. Nobody gets more than the budget."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path

import pytest

from pbm.config import Config
from pbm.core.feature import Verb, list_verbs
from pbm.core.limits import Asker, Limit
from pbm.core.notices import BoardUpdate, Content, Kind, Notice, WordsHeld
from pbm.core.outgoing import Addressed
from pbm.core.player import find_player
from pbm.core.secrets import Secrets
from pbm.core.trust import (
    let_through,
    list_held,
    take_code,
    take_invitation,
    take_reset,
    take_share,
)
from pbm.mail.compose import Postbox
from pbm.store.daily_counters import DAY
from pbm.store.transaction import Session
from tests.conversations.test_silenced import LINES as WITH_WORDS
from tests.conversations.test_silenced import (
    PROOFS,
    TRUSTS,
    UNLIMITED,
    by_password,
    set_up,
    silence,
)
from tests.core.test_verbs import SLOTS
from tests.harness.conversation import Conversation
from tests.harness.mail import Mail
from tests.harness.servers import InProcess

TIMES = 2
"""How often each command is mailed; what it causes is decided about a thousand times."""
THOUSAND = 1000
ENDS = {"erase", "signoff", "stop", "change password", "change address", "remove"}
"""Commands after which eve is nobody who could go on."""
NOON = 20_000.5 * DAY
WORDS_OF = {
    **SLOTS,
    "offer": "1",
    "event": "1",
    "move": "a1",
    "until": "2030-01-02",
    "key=value": "broadcasts=yes",
    "question": "who are you?",
}


class Recording(Postbox):
    """A postbox that also keeps what it was given to decide about: one of what is decided alike."""

    def __init__(self, config: Config, secrets: Secrets) -> None:
        super().__init__(config, secrets)
        self.given: dict[object, Notice] = {}

    def address_notices(
        self,
        session: Session,
        notices: Sequence[Notice],
        now: float,
        *,
        inbound: int | None,
        answers: str,
        to: str = "",
    ) -> Addressed:
        for each in notices:
            about = (each.kind, each.content.held_as, each.content.once, each.content.is_error)
            to_whom = (each.cause, each.is_unproved, each.player, each.addresses)
            self.given[(*about, *to_whom, each.asker is None, each.thread is None)] = each
        return super().address_notices(
            session, notices, now, inbound=inbound, answers=answers, to=to
        )


LIMITED = pytest.mark.config(
    server=TRUSTS,
    trust={"newcomer": 3},
    limits={"mails_a_day": 0, "looks_a_day": 0, "look_seconds_a_day": 0, "looks_bytes_a_day": 0},
)


def write(verb: Verb) -> str:
    """A line of the verb; its name, password and board stand in braces. KeyError for an argument
    that the table does not know."""
    for slot in verb.slots:
        if slot[-1] not in "*?":
            assert slot.rstrip("+") in {*WORDS_OF, "address", "word", "game"}, verb
    game = "tictactoe" if verb.game == "yes" else "hex"
    line = verb.build_form(game).replace("{board}", "1").replace("{user} PASSWORD", "{me}")
    line = line.replace("{user}", "eve").replace("ADDRESS", "new@far.example").replace("GAME", game)
    for slot, word in WORDS_OF.items():
        line = re.sub(rf"\b{slot.upper().replace('_', '')}\b", word, line)
    return f"{line} new@far.example" if verb.name == "invite" else line


SET_UP = {
    **WITH_WORDS,
    "no confirm": "confirm abcd-efgh-2345",
    "signup": "signup eva Sesame-none",
    "event enter": "event enter 1 {me}",
    "event leave": "event leave 1 {me}",
    "team new": "team new pawns {me}",
    "team join": "team join kings {me}",
    "team leave": "team leave kings {me}",
    "team captain": "team captain pawns eve {me}",
    "club new": "club new knights {me}",
    "club join": "club join kings {me}",
    "club leave": "club leave kings {me}",
    "club remove": "club remove rooks mia {me}",
    "club match": "club match rooks tictactoe @rooks new@far.example {me}",
    "handover": "tictactoe handover {board} {me} mia",
    "watch": "tictactoe watch {watched} {me}",
    "unwatch": "tictactoe unwatch {watched} {me}",
    "show": "tictactoe show {board}",
    "showas": "tictactoe showas {me} {board}",
    "preview": "tictactoe preview {board} a1",
    "export": "tictactoe export {board}",
    "analyse": "tictactoe analyse {over} {me}",
}
"""Lines of commands that need a board or more, which `set_up` and `set_scene` make."""
LINES = {
    name: SET_UP.get(name) or SET_UP.get(verb.name) or write(verb)
    for verb in list_verbs()
    if verb.name not in ENDS
    for name in [f"{verb.game} {verb.name}"]
}


def test_every_command_is_tried() -> None:
    """A new one is too, with words for each of its arguments; what ends the account is named."""
    names = {verb.name for verb in list_verbs()}
    assert names >= ENDS
    assert {line.partition(" ")[2] for line in LINES} == names - ENDS


CLOSE = ("bob", "mia")
"""Who belongs to eve's team and club, and knows her by that."""


def set_scene(talk: Conversation) -> None:
    """Eve leads a team and a club to which bob and mia belong, bob others to which eve is invited,
    and has made an event."""
    for kind in ("team", "club"):
        for who, name, others in (("eve", "rooks", "bob mia"), ("bob", "kings", "eve")):
            talk.proves(who, f"{kind} new {name}")
            talk.proves(who, f"{kind} invite {name} {others}")
        for who in CLOSE:
            talk.proves(who, f"{kind} join rooks")
    talk.proves("bob", "event new roundrobin hex")
    talk.everything()


def send(
    talk: Conversation, proof: Callable[[Conversation, str], None], line: str
) -> list[tuple[str, Mail]]:
    """Send a line of the table; what came, by whom it came to."""
    numbers = set_up(talk, line, by="bob")
    proof(talk, line.replace("{me}", "{{me}}").format(**numbers))
    return [(mail.address.partition("@")[0], mail) for mail in talk.everything()]


def is_new(talk: Conversation) -> None:
    """Nothing is known of eve."""


def is_known(talk: Conversation) -> None:
    talk.passes(days=4)


def is_silenced(talk: Conversation) -> None:
    talk.passes(days=4)
    silence(talk, "eve")


def is_blocked(talk: Conversation) -> None:
    talk.passes(days=4)
    for who in CLOSE:
        talk.mails(who, f"block {who} {talk.password(who)} eve")


def is_robot(talk: Conversation) -> None:
    """One that begins as a person whom others know."""
    talk.passes(days=4)


NOT_DONE = {
    *("no confirm", "no offer yes", "yes confirm", "yes undo", "yes swap", "yes takeover"),
    *("no moderate", "no club hook", "no club enter", "no club begin", "no club stay"),
    *("no event bye", "no event why", "no event challenge", "maybe find", "maybe watch best"),
    *("yes ready", "yes wait", "yes vote", "yes press", "yes master", "yes confer"),
    *("yes plan", "yes variations", "maybe puzzle"),
}
"""Commands that are refused: they are for another game, role or time, or answer something."""


@pytest.mark.in_process
@pytest.mark.config(limits=dict.fromkeys((*UNLIMITED, "errors_a_day"), 0), trust={"newcomer": 3})
def test_the_others_are_done(talk: Conversation) -> None:
    """A refused command would prove nothing."""
    talk.appoint("mia")
    talk.signup("bob", "eve", "vic", "kim")
    set_scene(talk)
    refused = {
        name
        for name, line in LINES.items()
        if all(
            "not done" in mail.subject
            for who, mail in send(talk, by_password, line)
            if who == "eve"
        )
    }
    assert refused == NOT_DONE


STATES: list[Callable[[Conversation], None]] = [
    is_new,
    is_known,
    is_silenced,
    is_blocked,
    is_robot,
]


@LIMITED
@pytest.mark.in_process
@pytest.mark.sampled(12)
@pytest.mark.parametrize("proof", PROOFS)
@pytest.mark.parametrize("state", STATES)
def test_nobody_gets_more_than_the_budget(
    talk: Conversation,
    state: Callable[[Conversation], None],
    proof: Callable[[Conversation, str], None],
) -> None:
    talk.appoint("mia")
    talk.signup("bob", "eve", "vic", "kim")
    check(talk, state, proof)


@LIMITED
@pytest.mark.in_process
@pytest.mark.sampled(6)
@pytest.mark.parametrize("proof", PROOFS)
def test_nor_from_a_moderator(
    talk: Conversation, proof: Callable[[Conversation, str], None]
) -> None:
    talk.appoint("mia", "eve")
    talk.signup("bob", "vic", "kim")
    check(talk, is_known, proof)


def check(
    talk: Conversation,
    state: Callable[[Conversation], None],
    proof: Callable[[Conversation, str], None],
) -> None:
    """Send every command, some times; what everybody gets, and whose words."""
    set_scene(talk)
    state(talk)
    talk.everything()
    assert isinstance(talk.server, InProcess)
    service = talk.server.services.service
    recorded = service._outgoing = Recording(service.config, service.secrets)
    got: dict[str, int] = {}
    told: list[tuple[str, str]] = []
    for line in LINES.values():
        for _ in range(TIMES):
            for who, mail in send(talk, proof, line):
                is_moved = "] your move" in mail.subject
                got[who] = got.get(who, 0) + (not is_moved)
                told += [(who, mail.text)] if who != "eve" else []
                if state is is_robot and who == "eve":
                    talk.replies(mail, f"My case number {len(told) * 7919} is this")
    talk.everything()
    most = Limit.NOTICES.find_most(Config())
    assert got.get("bob", 0) <= most, got
    assert got.get("mia", 0) <= most, got
    assert got.get("new", 0) <= 1 + Limit.CODES.find_most(Config()), got  # one invitation
    if proof.__name__ == "by_from_alone":
        assert got.get("eve", 0) <= Limit.UNPROVED.find_most(Config()), got
    heard = [(who, text) for who, text in told if "gadzooks" in text]
    if state is is_silenced:
        assert not [text for _, text in heard if "complains" not in text and "report" not in text]
    if state is is_blocked:
        # Words at boards that bob began with eve go on.
        assert not [text for who, text in heard if who in CLOSE and "eve writes to" in text]
    if state is is_new:
        assert not [text for who, text in heard if who not in CLOSE and "eve writes to" in text]

    decide_again_and_again(talk, recorded.given.values())


BEFORE = (Kind.CODE, Kind.INVITATION)
"""What is decided before it is made: below."""
ALWAYS = (Kind.MOVE,)


def decide_again_and_again(talk: Conversation, given: Iterable[Notice]) -> None:
    """On a day of its own, each of these notices comes up a thousand times, with all others."""
    config = talk.server.services.config if isinstance(talk.server, InProcess) else Config()
    now = talk.clock() + 2 * DAY
    got: dict[str, int] = {}
    repeated = [each for each in given if each.kind not in (*BEFORE, *ALWAYS)]
    with talk.server.store.writing() as session:
        for notice in repeated:
            if not (notice.cause or notice.is_unproved):
                continue  # an answer to whoever proved to have asked for it
            for _ in range(2):
                alike = [notice] * (THOUSAND // 2)
                for sent in let_through(session, alike, now, config, lambda *_: ("", "")).sent:
                    for address in sent.addresses:
                        told = isinstance(sent.content, WordsHeld)
                        got[address] = got.get(address, 0) + (not told)
        waiting = list_held(session)
    unproved, caused = Limit.UNPROVED.find_most(config), Limit.NOTICES.find_most(config)
    for address, count in got.items():
        is_players = address.partition("@")[0] in ("bob", "eve", "kim", "mia", "vic")
        assert count <= unproved + (caused if is_players else 0), got
    assert len(waiting) <= 10


def test_codes_and_invitations_a_thousand_times(talk: Conversation) -> None:
    """What is decided before a mail is made, by whoever asks."""
    talk.signup("eve")
    config = Config()
    with talk.server.store.writing() as session:
        eve = find_player(session, "eve")
        assert eve is not None
        at = (session, "kim@far.example")
        for asker in (None, Asker("127.0.0.1", "kim@far.example"), Asker("", "kim@far.example")):
            sent = [
                take_code(*at, asker, NOON, config, is_own=False, is_counted=True)
                for _ in range(THOUSAND)
            ]
            assert sum(sent) <= Limit.CODES.find_most(config)
        shares = [
            take_share(session, Asker("127.0.0.1", f"kim@d{number}.example"), NOON, config)
            for number in range(THOUSAND)
        ]
        assert sum(shares) <= Limit.STRANGERS.find_most(config)
        resets = [take_reset(session, eve.id, NOON, config) for _ in range(THOUSAND)]
        assert sum(resets) == Limit.RESETS.find_most(config)
        invited = [take_invitation(session, eve.id, NOON, config) for _ in range(THOUSAND)]
        assert invited.count(False) <= Limit.INVITATIONS.find_most(config)


def list_contents(above: type[Content] = Content) -> Iterator[type[Content]]:
    """All contents of notices."""
    for each in above.__subclasses__():
        yield each
        yield from list_contents(each)


def test_no_words_are_forgotten() -> None:
    """Whatever passes on what a player wrote says what it asks of its reader; the comments of a
    board's mails go with the moves of that board."""
    silent = [
        each.__name__
        for each in list_contents()
        if each.passed_on is not Content.passed_on
        and each.attention is Content.attention
        and not issubclass(each, BoardUpdate)
    ]
    assert silent == []
    held = {each.held_as for each in list_contents()} - {""}
    assert held == {"message", "broadcast", "invitation", "announcement", "kibitz", "club words"}
    assert {kind.name for kind in Kind} >= {"WORDS", "CHAT", "ANNOUNCEMENT", "INVITATION"}


OF_MAILS = {
    *("UNPROVED", "STRANGERS", "ERRORS", "ONCE", "QUICK", "ASKED", "FIRST_ANSWERS"),
    *("CODES", "RESETS", "UNLOCKS", "NOTICES", "NEWS", "CHATS", "INVITATIONS", "ANNOUNCEMENTS"),
}
"""The limits of how many mails go to somebody, or wait."""


def test_no_other_module_counts_mails() -> None:
    """Whatever limits mails is spent in `trust`; others may say how much it is."""
    counted = re.compile(r"\bLimit\.([A-Z_]+)\b(?!\.find_most)|\b(STRANGERS)\.(?!has_room)")
    found = {
        (path.name, match[1] or match[2])
        for path in Path("pbm").rglob("*.py")
        if path.name not in ("limits.py", "trust.py")
        for match in counted.finditer(path.read_text(encoding="utf-8"))
    }
    assert {each for each in found if each[1] in OF_MAILS} == set()
    assert {limit.name for limit in Limit} >= OF_MAILS


_NUMBERS = {"ten": 10, "thirty": 30}


def read_promise(sentence: str) -> int:
    """The number that SECURITY.md gives, by the words behind it."""
    text = " ".join(Path("SECURITY.md").read_text(encoding="utf-8").split())
    (word,) = re.findall(rf"at most (\w+) {sentence}", text, re.IGNORECASE)
    return _NUMBERS[word]


def test_a_forged_from_costs_what_is_promised(talk: Conversation) -> None:
    """A player's address, and one that is nobody's, in mails of every kind."""
    talk.signup("ann", "bob")
    lines = [
        *("forgot ann", "forgot bob", "signup ann Sesame-none", "help", "tictactoe list"),
        *(
            "games",
            "who",
            "nonsense",
            "mine ann",
            "confirm abcd-efgh-ijkl",
            "signup {} Sesame-none",
        ),
    ]
    got = {"ann": 0, "nobody": 0}
    for number in range(12):
        for line in lines:
            for who in got:
                talk.mails(who, line.format(f"new{number}"), "Hello!")
        for mail in talk.everything():
            who = mail.address.partition("@")[0]
            got[who] = got.get(who, 0) + 1
    most = read_promise("mails a day go to an address because of mails that do not prove")
    assert max(got.values()) == most, got


def test_all_forms_of_an_address_have_one_budget(talk: Conversation) -> None:
    """Tags, and dots where the domain ignores them: the mails come to one mailbox."""
    for number in range(30):
        line = ("help", "forgot ann", f"signup new{number} Sesame-none", "confirm abcd-efgh-2jkm")
        for form in (f"kim.lee+{number}@gmail.com", f"k.imlee+{number}@googlemail.com"):
            talk.mails("kim", line[number % 4], From=form, envelope=form)
    got = [mail.address for mail in talk.everything()]
    most = read_promise("mails a day go to an address because of mails that do not prove")
    assert 0 < len(got) <= most, got


@pytest.mark.config(limits={"news_a_day": 0})
def test_one_player_causes_another_what_is_promised(talk: Conversation) -> None:
    talk.signup("ann", "bob")
    for _ in range(40):
        talk.mails("ann", f"message ann {talk.password('ann')} bob", "Hello!")
    got = sum(mail.address.startswith("bob") for mail in talk.everything())
    assert got == read_promise("mails a day besides moves")


@pytest.mark.config(limits={"news_a_day": 0, "notices_a_day": 3})
def test_a_mailbox_has_its_budget_once_whatever_becomes_of_its_accounts(talk: Conversation) -> None:
    """The oldest is closed, the next one erased, and a new one opened."""
    talk.signup("bob", "eve")
    for who in ("eva", "evi"):
        talk.mails("eve", f"signup {who} {talk.password(who)}")
        talk.replies(talk.any_mail("eve"), "yes")
    got = 0
    for who, ends in (("eva", "signoff eve"), ("eva", "erase eva"), ("evi", "")):
        for _ in range(4):
            talk.mails("eve", f"message {who} {talk.password(who)} bob", "It is me again!")
        if ends:
            talk.mails("eve", f"{ends} {talk.password(ends.split()[1])}")
        mails = talk.everything()
        got += sum(mail.address.startswith("bob") for mail in mails)
        for mail in mails:
            if mail.subject == "[pbm] erase your account?":
                talk.mails("eve", f"confirm {mail.line('Code: ')}")
    talk.everything()
    assert got == 3
