"""A refusal tells the same to a German as to an English reader: each in their own language, with
the same lines to send."""

from __future__ import annotations

import re
from collections.abc import Callable
from enum import StrEnum

import pytest
from sqlalchemy import select, update

from pbm.core.feature import list_refusal_codes
from pbm.core.refusal import RefusalCode
from pbm.features.accounts import banning
from pbm.features.plans.rules import PlanRefusalCode
from pbm.games import list_game_names
from pbm.locale import LANGUAGES, translate
from pbm.mail.render import say_command
from pbm.rules.phrases import phrase
from pbm.store.tables import boards, inbound, players
from tests.conversations.test_bans import operates
from tests.conversations.test_internal_errors import BROKEN
from tests.harness.conversation import Conversation
from tests.harness.languages import is_left_in_english
from tests.harness.mail import Mail
from tests.harness.packages import Packages, nim
from tests.harness.visitor import HOST, Visitor

ENGLISH, GERMAN = "ann", "uwe"
_TIMES = 3
"""How often is too often."""
_PLAIN = phrase("The board as it is now:")
"""What stands before a board, whose drawing and words are not of this test."""


def board(talk: Conversation, who: str, game: str = "hex", options: str = "") -> Mail:
    """Somebody's first mail of a new board against bob."""
    return talk.challenge(game, who, "bob", options=options)[0]


def number_of(mail: Mail) -> str:
    """The number of the board that a mail is of."""
    found = re.search(r"\[\w+ (\d+)\]", mail.subject)
    assert found is not None, mail
    return found[1]


def _line(line: str) -> Callable[[Conversation, str], None]:
    """Mail a line to a proving address; {me} and {p} are userid and password."""
    return lambda talk, who: _send(talk, who, line)


def _send(talk: Conversation, who: str, line: str) -> None:
    talk.proves(who, line.format(me=who, p=talk.password(who)))


def _at_board(line: str, game: str = "hex", options: str = "") -> Callable[..., None]:
    """Mail a line about a new board; {b} is its number."""

    def scene(talk: Conversation, who: str) -> None:
        mail = board(talk, who, game, options)
        talk.mails(who, line.format(b=number_of(mail), me=who, p=talk.password(who)))

    return scene


def _reply(text: str) -> Callable[[Conversation, str], None]:
    """Reply to the first mail of a new board."""
    return lambda talk, who: _answer(talk, board(talk, who), text)


def _answer(talk: Conversation, mail: Mail, text: str) -> None:
    talk.replies(mail, text)


def _often(line: str) -> Callable[[Conversation, str], None]:
    """Mail a line again and again."""

    def scene(talk: Conversation, who: str) -> None:
        for _ in range(_TIMES):
            talk.everything()
            _send(talk, who, line)

    return scene


def _elsewhere(talk: Conversation, who: str) -> None:
    talk.mails(who, "mine", to=talk.reply_address("bob"))


def _later(talk: Conversation, who: str) -> None:
    mail = board(talk, who)
    talk.replies(mail, "d4")
    talk.everything()
    talk.mails(who, f"hex decline {number_of(mail)} {who} {talk.password(who)}")


def _agreed(talk: Conversation, who: str) -> None:
    mail = board(talk, who)
    for _ in range(2):
        talk.everything()
        talk.mails(who, f"hex propose {number_of(mail)} {who} {talk.password(who)}")


def _over(talk: Conversation, who: str) -> None:
    mail = board(talk, who)
    talk.replies(mail, "resign")
    talk.everything()
    talk.mails(who, f"hex move {number_of(mail)} {who} {talk.password(who)} d4")


def _of_others(talk: Conversation, who: str) -> None:
    talk.mails(who, f"hex move 1 {who} {talk.password(who)} d4")


def _planned(talk: Conversation, who: str) -> None:
    mail = board(talk, who)
    line = f"hex plan {number_of(mail)} {who} {talk.password(who)}"
    talk.mails(who, line, "if d4 then")


def _rated(talk: Conversation, who: str) -> None:
    talk.proves("bob", "hex seek --rating=2900-3000")
    seek = talk.any_mail("bob")
    found = re.search(r"join (\d+)", seek.text)
    assert found is not None, seek
    _send(talk, who, f"hex join {found[1]}")


def _blocked(talk: Conversation, who: str) -> None:
    talk.proves("carl", f"block {who}")
    talk.everything()
    _send(talk, who, f"hex challenge {who} carl")


def _out_of_turn(talk: Conversation, who: str) -> None:
    mail = board(talk, who)
    talk.replies(mail, "d4")
    talk.everything()
    talk.mails(who, f"hex move {number_of(mail)} {who} {talk.password(who)} d5")


def _made_event(talk: Conversation, line: str) -> str:
    """Have bob make an event, and do something in it; its number."""
    talk.proves("bob", line)
    mail = talk.any_mail("bob")
    found = re.search(r"\[event (\d+)\]", mail.subject)
    assert found is not None, mail
    return found[1]


def _not_entered(talk: Conversation, who: str) -> None:
    number = _made_event(talk, "event new swiss hex")
    talk.everything()
    _send(talk, who, f"event leave {number}")


def _closed_event(talk: Conversation, who: str) -> None:
    number = _made_event(talk, "event new roundrobin hex")
    talk.everything()
    _send(talk, who, f"event bye {number} {{me}} {{p}} 2")


def _set_state(talk: Conversation, who: str, **values: object) -> None:
    with talk.server.store.writing() as session:
        session.execute(update(players).where(players.c.name == who).values(**values))


def _silenced(talk: Conversation, who: str) -> None:
    _set_state(talk, who, silenced=talk.clock() + 86_400)
    talk.proves(who, "message bob", "Hello!")


def _several(talk: Conversation, who: str) -> None:
    mail = board(talk, who)
    for verb in ("propose", "cancel"):
        talk.mails("bob", f"hex {verb} {number_of(mail)} bob {talk.password('bob')}")
    talk.everything()
    talk.mails(who, f"hex accept {number_of(mail)} {who} {talk.password(who)}")


def _list(talk: Conversation, who: str) -> None:
    talk.proves(who, "multiple", f"mine {who} {talk.password(who)}\nthis is no command")


def _guessed(talk: Conversation, who: str) -> None:
    for number in range(_TIMES):
        talk.mails("bob", f"set {who} {talk.secret(f'Sesame-{who}{number}')}")
    talk.everything()
    talk.mails(who, f"set {who} {talk.password(who)} web=no")


def _spare(who: str) -> str:
    return f"{who}@spare.example"


def _barred(talk: Conversation, who: str) -> None:
    operates(talk, banning.ban, _spare(who))
    _send(talk, who, f"add {{me}} {{p}} {_spare(who)}")


def _moderating(words: str) -> Callable[[Conversation, str], None]:
    """Use a power of moderators, with a reason."""

    def scene(talk: Conversation, who: str) -> None:
        _set_state(talk, who, roles="moderator")
        talk.proves(who, f"moderate {who} {talk.password(who)} {words}", "because")

    return scene


def _left_board(talk: Conversation, who: str) -> None:
    talk.proves(who, f"cradle challenge {who} bob carl")
    mail = [each for each in talk.everything() if each.address.startswith(f"{who}@")][-1]
    for words in ("b1,c1,d1,d2", "resign", "resign"):
        talk.replies(mail, words)
        mail = [each for each in talk.everything() if each.address.startswith(f"{who}@")][-1]
    talk.replies(mail, "resign")


def _taken_away(talk: Conversation, who: str) -> None:
    mail = board(talk, who)
    own = boards.c.id == int(number_of(mail))
    with talk.server.store.writing() as session:
        session.execute(update(boards).where(own).values(game="gone"))
    talk.replies(mail, "d4")


def _two_knights(talk: Conversation, who: str) -> None:
    latest = talk.challenge("chess", who, "bob")
    for at, move in enumerate(("Nf3", "a6", "d4", "a5")):
        talk.replies(latest[at % 2], move)
        mine, theirs = (
            [each for each in mails if each.address.startswith(f"{name}@")]
            for mails in [talk.everything()]
            for name in (who, "bob")
        )
        latest = [mine[-1], theirs[-1]]
    talk.replies(latest[0], "Nd2")


def _entered(talk: Conversation, kind: str, *people: str) -> str:
    """Make an event with these players, which has begun; its number."""
    number = _made_event(talk, f"event new {kind}")
    for who in people:
        talk.proves(who, f"event enter {number}")
    talk.passes(days=8)
    return number


def _board_of_event(talk: Conversation, who: str) -> None:
    _entered(talk, "roundrobin hex", who, "bob")
    mails = [each for each in talk.everything() if each.address.startswith(f"{who}@")]
    mail = next(each for each in reversed(mails) if each.subject.startswith("[hex "))
    _send(talk, who, f"hex decline {number_of(mail)} {{me}} {{p}}")


def _not_captain(talk: Conversation, who: str) -> None:
    talk.proves("bob", "team new rooks")
    talk.everything()
    _send(talk, who, f"team invite rooks {who} {{me}} {{p}}")


def _too_far_up(talk: Conversation, who: str) -> None:
    number = _entered(talk, "ladder hex", who, "bob", "carl")
    talk.everything()
    _send(talk, who, f"event challenge {number} {{me}} {{p}} {who}")


def _stranger(talk: Conversation, who: str) -> None:
    """Somebody whom we do not know answers a mail that a player has passed on."""
    mail = board(talk, who)
    talk.mails(_FRIEND.format(who=who), "mine", In_Reply_To=mail.message_id)


SCENES: dict[StrEnum, Callable[..., None]] = {
    RefusalCode.WRONG_TURN: _out_of_turn,
    RefusalCode.NOT_ENTERED: _not_entered,
    RefusalCode.EVENT_CLOSED: _closed_event,
    RefusalCode.SILENCED: _silenced,
    RefusalCode.SEVERAL_PROPOSED: _several,
    RefusalCode.NOT_IDENTIFIED: _reply("set own=no"),
    RefusalCode.WRONG_PASSWORD: _at_board("hex resign {b} {me} wrong-one"),
    RefusalCode.OTHER_ADDRESS: _elsewhere,
    RefusalCode.UNKNOWN_COMMAND: _line("hex frobnicate 1"),
    RefusalCode.MISSING_ARGUMENT: _line("broadcast {me} {p}"),
    RefusalCode.BAD_ARGUMENT: _line("stats {me} {me}"),
    RefusalCode.TRAILING_TEXT: _reply("I think I resign"),
    RefusalCode.SENTENCE: _reply("Have a lovely evening, all of you"),
    RefusalCode.BAD_OPTION: _line("hex challenge {me} bob --forfeit=soon"),
    RefusalCode.NO_SUCH_GAME: _line("watch best nonsensical"),
    RefusalCode.NO_SUCH_BOARD: _line("hex show 99"),
    RefusalCode.NO_SUCH_PLAYER: _line("hex challenge {me} kim"),
    RefusalCode.NO_SUCH_OFFER: _line("hex join 99"),
    RefusalCode.NO_SUCH_EVENT: _line("event enter 99"),
    RefusalCode.NO_SUCH_TOPIC: _line("help nonsense"),
    RefusalCode.NO_SUCH_PLY: _at_board("hex show {b}#99"),
    RefusalCode.WRONG_GAME: _at_board("cradle move {b} {me} {p} d4"),
    RefusalCode.WRONG_BOARD: _reply("resign 99"),
    RefusalCode.NOT_SEATED: _of_others,
    RefusalCode.ALREADY_SEATED: _at_board("hex watch {b} {me} {p}"),
    RefusalCode.NOT_STARTED: _at_board("hex move {b} {me} {p} d4", options="--ask"),
    RefusalCode.BOARD_OVER: _over,
    RefusalCode.BOARD_NOT_OVER: _at_board("hex rematch {b} {me} {p}"),
    RefusalCode.STALE: _at_board("hex move#7 {b} {me} {p} d4"),
    PlanRefusalCode.BAD_PLAN: _planned,
    PlanRefusalCode.NO_SUCH_BRANCH: _at_board("hex plan {b}#3.1 {me} {p}"),
    RefusalCode.HIDDEN: _at_board("battleship preview {b} a1", game="battleship"),
    RefusalCode.NOTHING_SUBMITTED: _at_board("hex confirm {b} {me} {p}"),
    RefusalCode.NOTHING_PROPOSED: _at_board("hex accept {b} {me} {p}"),
    RefusalCode.NOTHING_TO_UNDO: _at_board("hex undo {b} {me} {p}"),
    RefusalCode.TOO_LATE: _later,
    RefusalCode.ALREADY_DONE: _agreed,
    RefusalCode.PLAYER_UNAVAILABLE: _blocked,
    RefusalCode.BOT_UNAVAILABLE: _line("hex seek {me} {p} --house=level2"),
    RefusalCode.RATING_OUT_OF_RANGE: _rated,
    RefusalCode.LIMIT_REACHED: _often("mydata {me} {p}"),
    RefusalCode.NOT_PERMITTED: _line("moderate {me} {p} cancel 1"),
    RefusalCode.USERID_TAKEN: _line("signup bob {p}"),
    RefusalCode.BAD_USERID: _line("signup 1x {p}"),
    RefusalCode.BAD_PASSWORD: _line("signup kim abc"),
    RefusalCode.BAD_ADDRESS: _line("add {me} {p} nonsense"),
    RefusalCode.LAST_ADDRESS: _line("remove {me} {p} {me}@example.org"),
    RefusalCode.BAD_CODE: _line("confirm abcd-efgh-jkmn"),
    RefusalCode.BAD_PREFERENCE: _line("set {me} {p} own=maybe"),
    RefusalCode.BAD_DATE: _line("vacation {me} {p} soon later"),
    RefusalCode.NO_DAYS_LEFT: _line("vacation {me} {p} 2026-03-20 2026-11-20"),
    RefusalCode.TOO_MANY_GUESSES: _guessed,
    RefusalCode.NOT_CONFIRMED: _stranger,
    RefusalCode.SIGNUP_REFUSED: _line("invite {me} {p} kim@far.example"),
    RefusalCode.BARRED_ADDRESS: _barred,
    RefusalCode.NO_COMMAND: _list,
    RefusalCode.NO_SUCH_BAN: _moderating("unban kim"),
    RefusalCode.WRONG_STATE: _moderating("unsilence bob"),
    RefusalCode.HAS_LEFT: _left_board,
    RefusalCode.UNPLAYABLE: _taken_away,
    RefusalCode.NOT_A_MOVE: _at_board("hex move {b} {me} {p} nonsense"),
    RefusalCode.ILLEGAL_MOVE: _at_board("chess move {b} {me} {p} e5", game="chess"),
    RefusalCode.AMBIGUOUS_MOVE: _two_knights,
    RefusalCode.NO_CHALLENGE: _too_far_up,
    RefusalCode.IN_EVENT: _board_of_event,
    RefusalCode.NOT_CAPTAIN: _not_captain,
}
"""How each is refused to whoever does this."""
OF_FEATURES = {"no_such_puzzle": _line("puzzle 99 {me} {p} solution")}
"""The same for the codes of single features."""
SCENES |= {code: OF_FEATURES[code] for code in list_refusal_codes() if code in OF_FEATURES}
LEFT = {
    RefusalCode.SUSPENDED: "its owner gets a mail that says so, and no answer: `test_bans.py`",
    RefusalCode.ACCOUNT_CLOSED: "no mail goes to the addresses of a suspended account",
    RefusalCode.NOT_APPROVED: "a page says so; for a mail: `test_who_waits_to_be_approved`",
    RefusalCode.FAULT: "an error in the server: `test_a_fault_is_told`",
    RefusalCode.NO_SUCH_MAIL: "raised by `pbm admin mails` alone: no mail asks for it",
    RefusalCode.BAD_RECORD: "raised by `pbm admin import` alone: no mail holds a record",
}
"""What is not in this table, and why."""
MARKS: dict[StrEnum, pytest.MarkDecorator] = {
    RefusalCode.BOT_UNAVAILABLE: pytest.mark.config(bots={"enabled": False}),
    RefusalCode.TOO_MANY_GUESSES: pytest.mark.config(limits={"failures_a_day": 2}),
    RefusalCode.SIGNUP_REFUSED: pytest.mark.config(players={"signup_domains": ("example.org",)}),
}
"""What has to be configured."""
_FRIEND = "{who}s-friend@example.org"
OF_NOBODY = {RefusalCode.NOT_CONFIRMED}
"""By these the mail of an address that is no player's is recorded; its writer is told what this
server is, in the language of the mail that they answer."""


def test_no_code_is_forgotten() -> None:
    assert {*SCENES, *LEFT} == {*list_refusal_codes()}
    assert not {*SCENES} & {*LEFT}


def _find_codes(talk: Conversation) -> str:
    """Why the last mail that came was refused, as it is recorded."""
    query = select(inbound.c.refusals).order_by(inbound.c.id.desc()).limit(1)
    with talk.server.store.reading() as session:
        return str(session.execute(query).scalar_one())


def _refused(talk: Conversation, who: str, code: StrEnum, language: str) -> Mail:
    """The answer to somebody who does what is refused so."""
    talk.everything()
    SCENES[code](talk, who)
    reader = (_FRIEND if code in OF_NOBODY else "{who}@example.org").format(who=who)
    mail = [each for each in talk.everything() if each.address == reader][-1]
    assert _find_codes(talk) == code, mail
    if code not in OF_NOBODY | {RefusalCode.NO_COMMAND}:
        assert translate(phrase("not done: {reason}", reason=""), language) in mail.subject, mail
    return mail


def _list_lines(mail: Mail, who: str, language: str) -> list[str]:
    """The lines of a mail, without the board, and without what differs from one reader to the
    other: the userid, and the numbers of their boards."""
    text = mail.text.partition(translate(_PLAIN, language))[0]
    text = text.replace(who, "ME")
    return [re.sub(r"\b\d+\b", "N", line) for line in [mail.subject, *text.splitlines()]]


@pytest.mark.sampled(3)
@pytest.mark.parametrize(
    "code",
    [pytest.param(code, marks=MARKS.get(code, ())) for code in SCENES],
    ids=str,
)
def test_a_refusal_is_told_in_the_language_of_its_reader(talk: Conversation, code: StrEnum) -> None:
    has_powers = code in (RefusalCode.NO_SUCH_BAN, RefusalCode.WRONG_STATE)
    (talk.appoint if has_powers else talk.signup)(ENGLISH, GERMAN)
    talk.signup("bob", "carl")
    talk.challenge("hex", "bob", "carl")
    talk.proves(GERMAN, "set language=de")
    english = _list_lines(_refused(talk, ENGLISH, code, "en"), ENGLISH, "en")
    german = _list_lines(_refused(talk, GERMAN, code, "de"), GERMAN, "de")
    # The lines to send are the same, but for the word for help and the help of options.
    lines = [line for line in english if re.match(" {4}[a-z]", line) and not line.endswith(":")]
    assert {line for line in lines if line not in german} <= {
        line for line in lines if f"    {say_command(line[4:], 'de')}" in german
    }
    said = {line for line in english if line[:1].strip(" >") and not _lists_games(line)}
    left = [line for line in german if line in said]
    assert [line for line in left if not is_left_in_english(line, "de")] == []
    assert _list_facts(german) == _list_facts(english)


def _lists_games(line: str) -> bool:
    return {*re.findall(r"\w+", line)} <= {*list_game_names()}


def _list_facts(lines: list[str]) -> set[str]:
    """What a text says that is no word: userids, numbers, and words of the command language with
    marks."""
    return set(re.findall(r"\bME\b|\bN\b|(?<!\w)--?[a-z_]+=?|\bbob\b|\bcarl\b", " ".join(lines)))


@pytest.mark.config(server={"language": "de"})
def test_a_stranger_is_refused_in_the_language_of_the_server(talk: Conversation) -> None:
    talk.mails("zoe", f"signup mcts {talk.password('zoe')}")
    taken = translate(phrase("this userid is taken: choose another"), "de")
    mail = talk.any_mail("zoe")
    assert mail.subject == f"[pbm] {translate(phrase('not done: {reason}', reason=taken), 'de')}"
    assert "signup USERID PASSWORD" in mail.text


def test_a_word_that_may_be_a_password_is_left_out_in_each_language(talk: Conversation) -> None:
    """It is masked where it is filled in; the sentence stays that of the language."""
    talk.signup("ann", "bob")
    talk.proves("ann", "set language=de")
    talk.everything()
    talk.proves("ann", f"hex challenge ann bob -{talk.password('ann')}")
    mail = talk.any_mail("ann")
    assert translate(phrase("there is no option {option}", option="..."), "de") in mail.subject


def test_each_answer_to_a_list_of_commands_is_told_in_the_language_of_its_reader(
    talk: Conversation,
) -> None:
    talk.signup("ann", "bob")
    talk.proves("ann", "set language=de")
    talk.everything()
    talk.proves("ann", "hex show 99", "hex join 99\nhex challenge ann kim")
    mail = talk.any_mail("ann")
    for english in (
        "there is no board with that number",
        "there is no open offer with that number",
        "there is no player 'kim'",
    ):
        assert english not in mail.text
    said = " ".join(mail.text.split())
    assert translate(phrase("there is no board with that number"), "de") in said
    assert translate(phrase("there is no open offer with that number"), "de") in said


def test_what_became_of_a_mail_is_recorded_in_english(talk: Conversation) -> None:
    talk.signup("ann")
    talk.proves("ann", "set language=de")
    talk.proves("ann", "hex show 99")
    talk.everything()
    query = select(inbound.c.outcome).order_by(inbound.c.id.desc()).limit(1)
    with talk.server.store.reading() as session:
        outcome = str(session.execute(query).scalar_one())
    assert outcome.endswith("there is no board with that number")


@pytest.mark.config(web={"url": HOST})
def test_a_page_refuses_in_the_language_of_its_player(talk: Conversation, visitor: Visitor) -> None:
    talk.signup("ann", "bob")
    link = board(talk, "ann").line("On the web: ")
    talk.proves("ann", "set language=de")
    talk.everything()
    page = visitor.get(link)
    empty = visitor.send(page, page.form("chat"), text=" ")
    needed = phrase(
        "Nothing was done: this is missing: {field}.", field=phrase("Write to the others")
    )
    assert translate(needed, "de") in empty.says
    bad = visitor.send(page, page.form("plan"), text="if d4 then")
    problem = phrase("a move is missing after `{word}`", word="then")
    line = phrase("line {number} of your plan: {problem}", number=1, problem=problem)
    assert translate(phrase("Not done: {reason}.", reason=line), "de") in bad.says


@pytest.mark.parametrize(
    "language",
    [pytest.param(each, marks=pytest.mark.config(server={"language": each})) for each in LANGUAGES],
)
@pytest.mark.config(players={"signups": "approved"})
def test_who_waits_to_be_approved(talk: Conversation, language: str) -> None:
    talk.mails("zoe", f"signup zoe {talk.password('zoe')}")
    talk.replies(talk.any_mail("zoe"), "yes")
    talk.any_mail("zoe")
    talk.mails("zoe", f"hex challenge zoe {talk.password('zoe')} level1")
    hello = phrase(
        "Hello! You have signed up; the operator of this server has not approved your account yet. "
        "You will get a mail once that is decided, and no other of this kind today."
    )
    assert translate(hello, language) in " ".join(talk.any_mail("zoe").text.split())


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_fault_is_told(talk: Conversation, packages: Packages, language: str) -> None:
    packages.install("nim", nim())
    talk.signup("ann", "bob")
    talk.challenge("nim", "ann", "bob")
    talk.proves("ann", f"set language={language}")
    talk.any_mail("ann")
    packages.install("nim", BROKEN)
    word = talk.password("ann")
    talk.mails("ann", "multiple", f"nim move 1 ann {word} take-1\nmine ann {word}")
    mail = talk.any_mail("ann")
    assert RefusalCode.FAULT in _find_codes(talk)
    fault = phrase("an error in the server, which its operator finds in the log")
    assert translate(fault, language) in " ".join(mail.text.split())
