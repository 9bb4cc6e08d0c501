"""What a refusal says to send instead is not refused again."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from msgspec.structs import replace

from pbm.core.authenticate import PasswordChecks, authenticate
from pbm.core.command import NotACommand, Sender
from pbm.core.feature import Verb, list_verbs
from pbm.core.house_players import enrol
from pbm.core.notices import NoCommand, Notice, Refused
from pbm.core.parser import read_line
from pbm.core.refusal import Refusal, RefusalCode
from pbm.core.submit import Submission, SubmissionPart, Unread, send_nothing
from pbm.locale import LANGUAGES
from pbm.mail.render import render
from pbm.store.engine import Store
from pbm.store.transaction import Session
from tests.harness.languages import is_left_in_english
from tests.harness.mail_room import NOW, PASSWORD, Room

ANN = Sender("ann@example.org")
GOOD = {
    "board": "1",
    "board+": "1",
    "user": "ann",
    "password": PASSWORD,
    "move+": "d4",
    "offer": "1",
    "userid+": "ann bob",
    "code": "abcd-efgh-jkmn",
    "address+": "new@example.org",
    "address*": "",
    "key=value*": "",
    "from?": "",
    "to*": "",
    "userid?": "",
    "userid*": "",
    "filter?": "",
    "topic*": "",
    "game*": "",
    "new_password": "Sesame-other",
    "userid": "ann",
}
OTHERS = """
    darkchess challenge ann mcts
    darkchess challenge kim mcts
    battleship challenge ann random
    battleship challenge random ann
    hex challenge mcts
    hex challenge ann
    hex challenge bob
    hex challenge kim
    hex challenge ann kim
    hex challenge kim carl
    hex challenge mcts random
    hex challenge ann bob carl
    hex challenge ann bob -size=99
    hex challenge ann bob -colour=red
    hex challenge ann bob -size
    hex challenge ann bob --forfeit=soon
    hex challenge ann bob --time=x
    hex challenge ann bob level=3
    poolside challenge ann bob
    poolside challenge ann mcts random
    hex seek ann {p} bob
    hex seek ann {p} none
    hex seek ann {p} -size=99
    hex seek ann {p} --players=3
    hex seek ann {p} --rating=high
    seek ann {p}
    hex join 99 ann {p}
    hex rematch 1 ann {p}
    hex rematch 2 ann {p}
    hex rematch 3 ann {p}
    hex move 1 ann {p} zz9
    hex move 1 ann {p} d4 d5
    hex move 1 bob {p} d4
    hex move#7 1 ann {p} d4
    hex resign#7 1 ann {p}
    hex queue 1 ann {p} resign
    hex queue 1 bob {p} resign
    hex queue 1 bob {p}
    hex submit 1 ann {p} zz9
    hex submit 1 bob {p} d4
    hex confirm 1 ann {p}
    hex pass 1 ann {p}
    hex swap 1 ann {p}
    hex undo 1 ann {p}
    hex accept 1 ann {p}
    hex reject 1 ann {p}
    hex decline 1 ann {p}
    hex show 99
    hex show 1#99
    hex show x#y
    hex show kim
    hex showas ann {p} 2
    hex showas ann {p} 99
    hex export 99
    hex games kim
    hex games ann bob kim
    hex preview 1
    hex preview 1 zz9
    hex preview 3 d4
    hex preview new 7
    hex preview new 2 -size=99
    preview new 2
    battleship preview 4 a1
    battleship show 1
    hex chat 1 ann {p}
    hex chat#3 1 ann {p} hello
    hex watch 1 ann {p}
    hex watch 99 ann {p}
    set ann {p} zone=Berlin
    set ann {p} zone=Atlantis
    set ann {p} digest=7pm
    set ann {p} own=maybe
    set ann {p} colour=red
    set ann {p} mail=pdf
    set ann {p} off=always
    set ann {p} name=<>
    set ann {p} name=bob
    vacation ann {p} soon
    vacation ann {p} tomorrow later
    vacation ann {p} 2026-03-20 2026-03-10
    vacation ann {p} 2020-03-10 2020-03-20
    vacation ann {p} 2026-03-10 2026-09-20
    vacation ann {p} 2036-03-10 2036-03-12
    message ann {p} kim
    message ann {p}
    add ann {p} nonsense
    remove ann {p} ann@example.org
    remove ann {p} zoe@example.org
    change password ann {p} abc
    change address ann {p} nonsense
    signup ann {p}
    signup 1x {p}
    signup kim abc
    signup mcts {p}
    forgot kim
    confirm abcd
    all show kim
    all show
    rating kim
    ratings
    standings
    history
    list kim
    help nonsense
    hex frobnicate 1 ann {p}
    hex
    hex ann bob
    hex resing 1 ann {p}
    hex chalenge ann bob
    challenge ann bob hex
    hex ann challenge bob
    hexx challenge ann bbo
    hex bob
    hex 1
    hex top
    hex 1 resign ann {p}
    cradle move 1 ann {p} d4
    hex move 2 ann {p} d4
    hex move 3 ann {p} d4
    hex resign 3 ann {p}
    hex chat 2 ann {p} hello
    hex accept 5 bob {p}
    hex move 5 ann {p} d4
    hex accept 3 ann {p}
    broadcast ann {p}
    signoff ann wrong-one
"""


def slips() -> Iterator[str]:
    """Each command with one of its words missing or wrong, and what people really sent."""
    for verb in list_verbs():
        words = [GOOD.get(slot, "") for slot in verb.slots]
        yield _line(verb, words)
        for at, slot in enumerate(verb.slots):
            for wrong in (
                "",
                *(
                    {
                        "board": ("99", "2", "3", "x"),
                        "user": ("kim",),
                        "password": ("wrong-one",),
                    }.get(slot, ())
                ),
            ):
                yield _line(verb, [*words[:at], wrong, *words[at + 1 :]])
    for line in OTHERS.strip().splitlines():
        yield line.strip().replace("{p}", PASSWORD)


def _line(verb: Verb, words: list[str]) -> str:
    return " ".join(filter(None, ["hex" if verb.game == "yes" else "", verb.name, *words]))


@pytest.fixture
def room(sqlite_store: Store) -> Room:
    """Hex between ann and bob (1), of others (2), over (3), an invitation (5); battleship (4)."""
    room = Room(sqlite_store)
    with room.kept() as session:
        for name in ("ann", "bob", "carl", "dora"):
            room.player(session, name)
        enrol(session, NOW)
        for line in (
            "hex challenge ann bob",
            "hex challenge bob carl",
            "hex challenge ann bob",
            "battleship challenge ann bob",
            "hex challenge ann bob --ask",
        ):
            who = line.split()[2]
            assert not _said(room, session, who, line, vouched=True)[0].is_failure, line
        for line in (f"hex resign 3 ann {PASSWORD}", f"team new rooks ann {PASSWORD}"):
            assert not _said(room, session, "ann", line)[0].is_failure, line
    return room


def _said(
    room: Room, session: Session, who: str, line: str, text: str = "", *, vouched: bool = False
) -> list[Notice]:
    """What the server answers to a line, also to one that cannot be read."""
    sender = Sender(f"{who}@example.org", vouched=vouched)
    try:
        command = read_line(line, sender, text)
    except NotACommand:
        return [Notice(NoCommand())]
    except Refusal as refusal:
        part: SubmissionPart = Unread(sender, refusal)
    else:
        checks = PasswordChecks(room.secrets, room.config)
        part = authenticate(session, command, checks, NOW)
    submission = Submission((part,), NOW, send_nothing)
    return room.services.service.submit(session, submission, NOW).notices


FILLED = {
    "PASSWORD": PASSWORD,
    "NEWPASSWORD": "Sesame-other",
    "USERID": "dora",
    "GAME": "hex",
    "BOARD": "1",
    "MOVE": "d4",
    "CODE": "abcd-efgh-jkmn",
    "ADDRESS": "new@example.org",
    "OFFER": "1",
    "NAME": "rooks",
    "TEXT": "Hello!",
    "OTHER": "dora",
    "DAYS": "3",
}
_PLACE = re.compile(r"\b[A-Z]{4,}\b")
_OF_FORM = {
    RefusalCode.MISSING_ARGUMENT,
    RefusalCode.NOT_IDENTIFIED,
    RefusalCode.WRONG_PASSWORD,
}
"""A command that was not even complete may turn out not to be possible."""


def _filled(send: str) -> str:
    """The line with somebody's, or with a new player's, words in its places."""
    words = FILLED | ({"USERID": "zoe"} if send.startswith("signup") else {})
    return _PLACE.sub(lambda found: words.get(found[0], found[0]), send)


CODES = {
    "hex move 1 ann {p} zz9": RefusalCode.ILLEGAL_MOVE,
    "hex move 1 bob {p} d4": RefusalCode.WRONG_TURN,
    "hex move#7 1 ann {p} d4": RefusalCode.STALE,
    "hex move 2 ann {p} d4": RefusalCode.NOT_SEATED,
    "hex move 3 ann {p} d4": RefusalCode.BOARD_OVER,
    "hex accept 3 ann {p}": RefusalCode.BOARD_OVER,
    "hex move 5 ann {p} d4": RefusalCode.NOT_STARTED,
    "hex move 99 ann {p} d4": RefusalCode.NO_SUCH_BOARD,
    "cradle move 1 ann {p} d4": RefusalCode.WRONG_GAME,
    "hex move 1 kim wrong-one d4": RefusalCode.WRONG_PASSWORD,
    "hex move 1 ann wrong-one d4": RefusalCode.WRONG_PASSWORD,
    "hex accept 1 ann {p}": RefusalCode.NOTHING_PROPOSED,
    "hex challenge ann kim": RefusalCode.NO_SUCH_PLAYER,
    "hex challenge ann bob -size=99": RefusalCode.BAD_OPTION,
    "hex show 1#99": RefusalCode.NO_SUCH_PLY,
    "hex frobnicate 1 ann {p}": RefusalCode.UNKNOWN_COMMAND,
    "hex join 99 ann {p}": RefusalCode.NO_SUCH_OFFER,
    "darkchess challenge ann mcts": RefusalCode.BOT_UNAVAILABLE,
    "battleship preview 4 a1": RefusalCode.HIDDEN,
    "set ann {p} mail=pdf": RefusalCode.BAD_PREFERENCE,
    "vacation ann {p} 2020-03-10 2020-03-20": RefusalCode.BAD_DATE,
    "remove ann {p} ann@example.org": RefusalCode.LAST_ADDRESS,
    "signup ann {p}": RefusalCode.USERID_TAKEN,
    "signup kim abc": RefusalCode.BAD_PASSWORD,
    "signup 1x {p}": RefusalCode.BAD_USERID,
    "help nonsense": RefusalCode.NO_SUCH_TOPIC,
    "broadcast ann {p}": RefusalCode.MISSING_ARGUMENT,
    "hex move 1 ann": RefusalCode.MISSING_ARGUMENT,
}


@pytest.mark.parametrize("line", CODES)
def test_a_refusal_has_the_code_of_its_reason(room: Room, line: str) -> None:
    with room.tried() as session:
        (refused,) = _said(room, session, "ann", line.replace("{p}", PASSWORD))
    assert (refused.is_failure, refused.refusal) == (True, CODES[line])


def _refusal(notices: list[Notice]) -> Refused | None:
    return next((n.content for n in notices if isinstance(n.content, Refused)), None)


def test_what_to_send_instead_is_not_refused_again(room: Room) -> None:
    lines, wrong = list(dict.fromkeys(slips())), list[str]()
    assert len(lines) > 250
    for line in lines:
        with room.tried() as session:
            refused = _refusal(_said(room, session, "ann", line))
        if refused is None:
            continue
        for send in refused.send:
            if send.startswith(("-", " ")):
                continue  # an option of the game, or its description
            if "CODE" in send:
                continue  # only the code that came by mail would do
            places = set(_PLACE.findall(send)) - {"PASSWORD"}
            filled = _filled(send)
            with room.tried() as session:
                told = _said(room, session, "ann", filled, "Hello!")
                again = _refusal(told)
            if again is None:
                continue
            is_form = refused.code in _OF_FORM
            if again.reason == refused.reason or not (places or is_form):
                wrong.append(f"{line}: {refused.reason}\n   {send}: {again.reason}")
    assert not wrong, "\n".join(wrong)


def test_no_sentence_of_a_refusal_is_english_in_another_language(room: Room) -> None:
    """But for the lines to send, which are the same, and for what nobody has translated yet."""
    left = dict[str, str]()
    for line in dict.fromkeys(slips()):
        with room.tried() as session:
            refused = _refusal(_said(room, session, "ann", line))
        if refused is None:
            continue
        notice = Notice(replace(refused, view=None))
        english = _list_said(render(notice, room.config))
        for language in LANGUAGES[1:]:
            translated = _list_said(render(notice, room.config, language=language))
            for said in english & translated:
                if not is_left_in_english(said, language):
                    left[f"{language}: {said}"] = line
    assert left == {}


def _list_said(mail: tuple[str, str]) -> set[str]:
    """The sentences of a mail: its paragraphs that are no lines to send."""
    subject, body = mail
    paragraphs = [each for each in body.split("\n\n") if each.strip()]
    return {subject, *(each for each in paragraphs if not each.startswith("    "))}
