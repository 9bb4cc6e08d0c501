"""A game of chess through Xfcc, as Scid sends its calls, and what the door refuses."""

from __future__ import annotations

import re
import urllib.error
import urllib.request
from collections.abc import Iterator
from xml.sax.saxutils import escape

import pytest

from pbm.web.xfcc import UnreadableCall, read_call
from tests.harness.visitor import Club

_START = (
    '<?xml version="1.0" encoding="utf-8"?>\n'
    '<soap:Envelope xmlns:soap="http://schemas.xmlsoap.org/soap/envelope/"><soap:Body>'
)
_END = "</soap:Body></soap:Envelope>"
MATE = ("f3", "e5", "g4", "Qh4#")


@pytest.fixture(scope="module")
def club(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Club]:
    """A server with the door open, and two players."""
    club = Club(tmp_path_factory.mktemp("xfcc"), web="xfcc = true\n")
    club.signup("ann", "bob")
    yield club
    club.close()


def send(club: Club, body: str, **headers: str) -> tuple[int, str]:
    """What the door answers."""
    data = body.encode()
    named = {"Content-Type": 'text/xml; charset="utf-8"'}
    named |= {name.replace("_", "-"): value for name, value in headers.items()}
    request = urllib.request.Request(f"{club.url}/xfcc", data, named)  # noqa: S310 (our own)
    try:
        with urllib.request.urlopen(request, timeout=60) as answer:  # noqa: S310 (our own)
            return answer.status, answer.read().decode()
    except urllib.error.HTTPError as error:
        return error.code, error.read().decode()


def call(name: str, **values: object) -> str:
    """A call as Scid writes it."""
    inside = "".join(f"<{key}>{escape(str(value))}</{key}>" for key, value in values.items())
    return f'{_START}<{name} xmlns="http://www.bennedik.com/webservices/XfccBasic">{inside}</{name}>{_END}'


def games(club: Club, user: str) -> list[dict[str, str]]:
    """The games that a player fetches."""
    asked = call("GetMyGames", username=user, password=f"Sesame-{user}")
    status, text = send(club, asked)
    assert status == 200, text
    found = re.findall(r"<XfccGame>(.*?)</XfccGame>", text, re.DOTALL)
    return [dict(re.findall(r"<(\w+)>(.*?)</\1>", one, re.DOTALL)) for one in found]


def move(club: Club, user: str, board: int, count: int, text: str, **more: object) -> str:
    """What comes of a move."""
    flags = {"resign": "false", "acceptDraw": "false", "offerDraw": "false", "claimDraw": "false"}
    values = {
        **{"username": user, "password": f"Sesame-{user}", "gameId": board},
        **{"movecount": count, "myMove": text, "myMessage": ""},
        **flags,
        **more,
    }
    status, answer = send(club, call("MakeAMove", **values))
    assert status == 200, answer
    found = re.search("<MakeAMoveResult>(.*)</MakeAMoveResult>", answer)
    assert found, answer
    return found[1]


def test_a_whole_game_from_a_chess_program(club: Club) -> None:
    board = club.challenge("chess", "ann", "bob")
    for number, text in enumerate(MATE):
        user = ("ann", "bob")[number % 2]
        (game,) = [one for one in games(club, user) if one["id"] == str(board)]
        assert (game["myTurn"], game["white"], game["result"]) == ("true", "ann", "Ongoing")
        count, waiting = number // 2 + 1, ("bob", "ann")[number % 2]
        assert move(club, waiting, board, count + 1, "e6") in ("NotYourTurn", "InvalidMoveNumber")
        assert move(club, user, board, count + 1, text) == "InvalidMoveNumber"
        assert move(club, user, board, count, "Ke4") == "InvalidMove"
        assert move(club, user, board, count, text, myMessage="Well?") == "Success"
        assert move(club, user, board, count, text) == "Success", "sent again"
        assert club.load(board).ply == number + 1, "one effect of two calls"
    over = club.load(board)
    assert over.state == "over"
    assert over.outcome is not None
    assert over.outcome.winners == (1,)
    assert str(board) not in [one["id"] for one in games(club, "ann")]


def test_draws_and_resigning(club: Club) -> None:
    board = club.challenge("chess", "ann", "bob")
    assert move(club, "bob", board, 1, "", acceptDraw="true") == "NoDrawWasOffered"
    assert move(club, "ann", board, 1, "", claimDraw="true") == "FeatureUnavailable"
    assert move(club, "ann", board, 1, "e4", offerDraw="true") == "Success"
    (game,) = [one for one in games(club, "bob") if one["id"] == str(board)]
    assert (game["drawOffered"], game["moves"]) == ("true", "1. e4")
    assert move(club, "bob", board, 1, "", acceptDraw="true") == "Success"
    assert club.load(board).state == "over"
    other = club.challenge("chess", "ann", "bob")
    assert move(club, "ann", other, 1, "d4") == "Success"
    assert move(club, "bob", other, 1, "d5") == "Success"
    assert move(club, "bob", other, 2, "", resign="true") == "Success"
    outcome = club.load(other).outcome
    assert outcome is not None
    assert outcome.winners == (0,)


def test_who_has_no_right_gets_nothing(club: Club) -> None:
    board = club.challenge("chess", "ann", "bob")
    club.signup("eve")
    assert move(club, "eve", board, 1, "e4") == "NotYourGame"
    assert move(club, "ann", 999, 1, "e4") == "InvalidGameID"
    assert move(club, "ann", board, 1, "e4", password="wrong") == "AuthenticationFailed"
    assert club.load(board).ply == 0
    asked = call("GetMyGames", username="ann", password="wrong")
    assert "<faultstring>AuthenticationFailed" in send(club, asked)[1]
    right = call("GetMyGames", username="ann", password="Sesame-ann")
    for headers in ({"X_Forwarded_Proto": "http"}, {"X_Forwarded_For": "192.0.2.1"}):
        status, text = send(club, right, **headers)
        assert (status, "over https only" in text) == (403, True)
    assert send(club, right, X_Forwarded_For="192.0.2.1", X_Forwarded_Proto="https")[0] == 200
    assert "Sesame" not in club.log.read_text()


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"<a>",
        b"\xff\xfe\x00",
        b'<!DOCTYPE x [<!ENTITY a "aaaa">]><x>&a;</x>',
        b'<!DOCTYPE x SYSTEM "file:///etc/passwd"><x/>',
        b"<a>" * 5000,
        b"<a>" + b"<b/>" * 1000 + b"</a>",
        b"<a><b><c><d>1</d><d>2</d></c></b></a>",
    ],
)
def test_hostile_xml_is_refused_at_once(body: bytes) -> None:
    with pytest.raises(UnreadableCall):
        read_call(body)
