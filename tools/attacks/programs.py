"""The door for chess programs (Xfcc): guessed passwords, races, XML that costs much or reaches for
files, and what a message brings to the other player."""

from __future__ import annotations

import re
import time
import urllib.error
import urllib.request
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from itertools import product

from pbm.store.tables import moves as played
from pbm.web.xfcc import LARGEST, UnreadableCall, read_call
from tests.conversations.test_passwords import UNLIMITED
from tests.harness.conversation import Conversation
from tests.web.test_xfcc import call
from tools.attacks.catalogue import Run, attack, count, free_of, served

_WEB = {"listen": "127.0.0.1:0", "url": "http://127.0.0.1:1", "xfcc": True}


def _talk(run: Run) -> Conversation:
    talk = run.talk(web=_WEB, limits=UNLIMITED)
    talk.signup("ann", "bob", "eve")
    return talk


def _begin(talk: Conversation) -> int:
    """Start a board of ann against bob; its number."""
    (mail, _) = talk.challenge("chess", "ann", "bob")
    found = re.match(r"\[chess ([0-9]+)\]", mail.subject)
    assert found, mail.subject
    return int(found[1])


def _send(talk: Conversation, body: bytes) -> tuple[int, str]:
    """Return what the door answers."""
    url = f"http://127.0.0.1:{served(talk).ports['web']}/xfcc"
    request = urllib.request.Request(url, body, {"Content-Type": "text/xml"})
    try:
        with urllib.request.urlopen(request, timeout=60) as answer:  # noqa: S310 (our own)
            return answer.status, answer.read().decode()
    except urllib.error.HTTPError as error:
        return error.code, error.read().decode()


def _move(talk: Conversation, user: str, password: str, board: int, **values: object) -> str:
    """Return what comes of a move, in the words of Xfcc."""
    asked = {"username": user, "password": password, "gameId": board, "movecount": 1, **values}
    status, text = _send(talk, call("MakeAMove", **asked).encode())
    found = re.search("<MakeAMoveResult>(.*)</MakeAMoveResult>", text)
    return found[1] if found else f"{status} {text}"


def _is_refused(said: str) -> bool:
    return said in ("AuthenticationFailed", "NotYourGame") or said.startswith(("4", "5"))


@attack("X1", "a move or a list of games without the password", in_suite=True)
def guessed(run: Run) -> str:
    """Guesses are close to the password, are somebody else's, or are no text. An unknown userid
    gets the same answer as a known one."""
    talk = _talk(run)
    board = _begin(talk)
    right = talk.password("ann")
    words: tuple[str, ...] = (
        "",
        " ",
        "%",
        "*",
        right.upper(),
        right[:-1],
        f"{right}x",
        f"{right}\0",
        "' OR 1=1 --",
    )
    words = (*words, talk.password("eve"), "a" * 2100, f"{right} {right}", "${jndi:x}", "\u202e")
    users = ("ann", "ANN", "ann ", "bob", "eve", "nobody", "", "ann\nbob", "ann@example.org")
    own = {"ann": right, "bob": talk.password("bob"), "eve": talk.password("eve")}
    tried = [
        (user, word)
        for user, word in product(users, words)
        if "\0" not in word and own.get(user.strip().lower()) != word.strip()
    ]
    said = set()
    for user, word in run.some(tried, 12):
        assert _is_refused(_move(talk, user, word, board, myMove="e4")), (user, word)
        asked = call("GetMyGames", username=user, password=word)
        text = _send(talk, asked.encode())[1]
        assert "<XfccGame>" not in text, (user, word)
        said.add(text)
    assert count(talk, played) == 0
    assert all("AuthenticationFailed" in text or "Too many" in text for text in said), said
    return "nothing was played, and no list came"


@attack("X2", "a second move by calls that come at once", in_suite=True)
def raced(run: Run) -> str:
    talk = _talk(run)
    password = talk.password("ann")
    for moves in run.some(
        (["e4"] * 8, ["e4", "d4"] * 4, ["e4", "e2-e4", "E4", "e2e4"], ["e4", "c4", "d4"]), 2
    ):
        board = _begin(talk)

        def play(move: str, board: int = board) -> str:
            return _move(talk, "ann", password, board, myMove=move)

        with ThreadPoolExecutor(8) as pool:
            said = [*pool.map(play, moves)]
        assert "Success" in said, said
        assert count(talk, played, played.c.board_id == board) == 1, (moves, said)
    return "one move each, whatever came beside it"


_ENTITY = '<!DOCTYPE x [<!ENTITY a "{}">{}]>'
_DEEP = "".join(f'<!ENTITY a{n} "{f"&a{n - 1};" * 10}">' for n in range(1, 10))
_XML = (
    _ENTITY.format("ha", _DEEP.replace("&a0;", "&a;")) + "<x>&a9;</x>",
    _ENTITY.format("y" * 8000, "") + f"<x>{'&a;' * 2000}</x>",
    '<!DOCTYPE x [<!ENTITY a SYSTEM "file:///etc/passwd">]><x>&a;</x>',
    '<!DOCTYPE x SYSTEM "http://127.0.0.1:1/x.dtd"><x/>',
    '<!DOCTYPE x [<!ENTITY % a SYSTEM "http://127.0.0.1:1/x">%a;]><x/>',
    "<x>" * 4000,
    "<x " + " ".join(f"a{n}=''" for n in range(1500)) + "/>",
    "<x " + " ".join(f"xmlns:a{n}='u'" for n in range(900)) + "/>",
    f"<x><!--{'-' * 10}{'a' * 15000}--></x>",
    f"<x><![CDATA[{'a' * 15000}]]></x>",
    f"<x>{'&#65;' * 3000}</x>",
    '<?xml version="1.0" encoding="utf-7"?><x>+ADw-</x>',
    '<?xml version="1.0" encoding="x-nothing"?><x/>',
    "<x/>" * 3000,
    "<?a b?>" * 2000,
    "",
)


@attack("X3", "XML that costs much, or reads what lies on the server", in_suite=True)
def costly(run: Run) -> str:
    talk = _talk(run)
    for text in run.some(_XML, 6):
        body = text.encode()[:LARGEST]
        began = time.thread_time()
        with suppress(UnreadableCall):
            read_call(body)
        assert time.thread_time() - began < 1, text[:60]
        status, answer = _send(talk, text.encode())
        assert status in (400, 413), (status, text[:60])
        assert "root:" not in answer, text[:60]
    said = served(talk).said().lower()
    assert "traceback" not in said, said
    return "refused, each within a second of processor time, and nothing was fetched"


@attack("X4", "a password or a link in what the other player reads", in_suite=True)
def passed_on(run: Run) -> str:
    """Write one's own password, in pieces and among words, into the message beside a move."""
    talk = _talk(run)
    password = talk.password("ann")
    texts = (
        password,
        f"my password is {password}",
        f"{password}.",
        password.upper(),
        f"move 1 ann {password} e4",
        f"<b>{password}</b>",
    )
    for text in run.some(texts, 6):
        board = _begin(talk)
        talk.everything()
        said = _move(talk, "ann", password, board, myMove="e4", myMessage=text)
        assert said == "Success", (text, said)
        mails = [mail for mail in talk.everything() if mail.address != "ann@example.org"]
        assert mails, "bob is told of the move"
        for mail in mails:
            assert free_of(mail.text.lower(), [password.lower()]), (text, mail.text)
    return "the move came, the message did not"
