"""Each reader is told everything in one language, from signup to the prizes of an event, and the
other reader the same in English, by the judgement of an identifier of languages."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

import pytest

from pbm.core.storing import load
from pbm.locale import LANGUAGES
from pbm.rules.examples import find_example
from tests.conversations.test_refusals_in_languages import SCENES
from tests.harness.conversation import Conversation
from tests.harness.languages import is_left_in_english
from tests.harness.mail import Mail, identify, list_sentences

pytest.importorskip("py3langid")

MIA, BOB = "mia", "bob"
OTHERS = LANGUAGES[1:]
FIRST_FIVE = ("cradle", "cyclone", "spacecradles", "spacefighters", "spacetruckin")
_MOVES = 6
_GOAL = 0.97
"""The least share of sentences of the reader's language: the identifier misses some short ones."""
_NAMES = (MIA, BOB, "carl", "ann", "Spring", "cup", "Hello", "kim")
_ORDERS = ("setup", "deploy", "buy", "end")
"""Words of Space Fighters, the same in every language."""


def find_others(mails: Iterable[Mail], language: str) -> tuple[int, Counter[str]]:
    """Count the sentences of these mails, and those that are not of the language; but for those
    that nobody has translated yet."""
    said = [each for mail in mails for each in list_sentences(mail, *_NAMES, *_ORDERS)]
    others = Counter(each for each in said if identify(each) != language)
    for each in [*others]:
        if is_left_in_english(each, language):
            del others[each]
    return len(said), others


def require(mails: Iterable[Mail], language: str, least: float) -> None:
    """Require that nearly all sentences of mails are of a language."""
    total, others = find_others(mails, language)
    assert total
    share = 1 - sum(others.values()) / total
    listed = "\n".join(f"{count:3} {each}" for each, count in others.most_common())
    assert share >= least, f"{share:.1%} of {total} sentences are {language}; not these:\n{listed}"


def of(who: str, mails: Iterable[Mail]) -> list[Mail]:
    """The mails that somebody gets."""
    return [mail for mail in mails if mail.address.startswith(f"{who}@")]


def begin(talk: Conversation, language: str) -> None:
    """Two players, the first of whom reads that language."""
    talk.signup(MIA, BOB, "carl")
    talk.proves(MIA, f"set language={language}")
    talk.everything()


def play(talk: Conversation, number: int, mails: list[Mail]) -> list[Mail]:
    """Play some moves of a board, each by whoever has to move; all mails."""
    got = list(mails)
    for _ in range(_MOVES):
        with talk.server.store.reading() as session:
            board = load(session, number)
        if board.is_over or not board.position.to_move:
            break
        seat = min(board.position.to_move)
        who = board.seats[seat].userid
        talk.replies(of(who, got)[-1], find_example(board.position, seat))
        got += talk.everything()
    return got


@pytest.mark.parametrize(
    "language",
    [pytest.param(each, marks=pytest.mark.config(server={"language": each})) for each in OTHERS],
)
def test_signup(talk: Conversation, language: str) -> None:
    talk.mails(MIA, f"signup {MIA} {talk.password(MIA)}")
    got = talk.everything()
    talk.replies(got[-1], f"confirm {got[-1].line('Code: ')}")
    got += talk.everything()
    for line in ("help", "set", "mine", f"forgot {MIA}", "games", "add mia@example.com", "mydata"):
        talk.mails(MIA, line, to=got[-1].reply_to)
        got += talk.everything()
    require(of(MIA, got), language, _GOAL)


@pytest.mark.sampled(8)
@pytest.mark.parametrize("game", [*FIRST_FIVE, "chess", "hex", "go", "backgammon", "morris"])
@pytest.mark.parametrize("language", OTHERS)
def test_a_game(talk: Conversation, language: str, game: str) -> None:
    begin(talk, language)
    talk.proves(MIA, f"{game} challenge {MIA} {BOB}")
    got = play(talk, 1, talk.everything())
    for who, lines in {
        MIA: ("chat Hello!", "draw", "rules", "moves", "help", "show", "undo"),
        BOB: ("reject", "chat Hello!", "draw", "resign", "rematch"),
    }.items():
        for line in lines:
            talk.replies(of(who, got)[-1], line)
            got += talk.everything()
    require(of(MIA, got), language, _GOAL)
    require(of(BOB, got), "en", _GOAL)


@pytest.mark.sampled(2)
@pytest.mark.parametrize("language", OTHERS)
def test_refusals_of_each_code(talk: Conversation, language: str) -> None:
    got: list[Mail] = []
    begin(talk, language)
    for scene in SCENES.values():
        scene(talk, MIA)
        got += talk.everything()
        talk.proves(MIA, f"set language={language}")
        talk.everything()
        talk.passes(days=1)
        talk.everything()
    require(of(MIA, got), language, _GOAL)


@pytest.mark.parametrize("language", OTHERS)
def test_an_event(talk: Conversation, language: str) -> None:
    begin(talk, language)
    talk.proves(MIA, "event new roundrobin tictactoe --name=Spring_cup", "Hello!")
    got = talk.everything()
    for who in (MIA, BOB, "carl"):
        talk.proves(who, "event enter 1")
        got += talk.everything()
    for line in ("event show 1", "events", "event standings 1", "event pairings 1"):
        talk.proves(MIA, line)
        got += talk.everything()
    talk.passes(days=8)
    got += talk.everything()
    for number in (1, 2, 3):
        with talk.server.store.reading() as session:
            seats = [seat.userid for seat in load(session, number).seats]
        mine = [mail for mail in of(seats[1], got) if f'[Board "{number}"]' in mail.text]
        talk.replies(mine[-1], "resign")
        got += talk.everything()
        talk.replies(mine[-1], "resign")
        got += talk.everything()
    talk.proves(MIA, "event why 1 bob")
    got += talk.everything()
    talk.passes(days=2)
    got += talk.everything()
    require(of(MIA, got), language, _GOAL)
    require(of(BOB, got), "en", _GOAL)
