"""The HTML twin of a board's mail: colours, links for a short list of moves, everything escaped."""

from __future__ import annotations

import colorsys
import re
from email import message_from_bytes, policy
from email.message import EmailMessage
from html import unescape
from html.parser import HTMLParser
from urllib.parse import parse_qs, unquote

import pytest

from pbm.games import get_game
from pbm.mail.incoming.message.letter import read_letter
from pbm.mail.outgoing.html_part import find_style
from pbm.store.engine import Store
from tests.harness.mail_room import NOW, PASSWORD, SERVER, Room
from tests.mail.test_compose import COMPOSER, board
from tools.games.sampling import list_sampled_names

_VOID = {"meta", "br", "img"}


class Page(HTMLParser):
    """Checks that tags are balanced, and collects links, styled runs and the text."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.links: list[str] = []
        self.styled: list[tuple[str, str]] = []
        self.text = ""
        self._style = ""
        self.feed(text)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        assert tag not in ("script", "link", "iframe", "svg")
        assert tag != "img" or str(given["src"]).startswith("cid:")
        if tag not in _VOID:
            self.open.append(tag)
        if tag == "a":
            self.links.append(given["href"] or "")
        self._style = given.get("style") or "" if tag == "span" else ""

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag
        self._style = ""

    def handle_data(self, data: str) -> None:
        if self.open[-1:] in (["title"], ["style"]):
            return
        self.text += data
        if self._style:
            self.styled.append((data, self._style))


def both(raw: bytes) -> tuple[str, str]:
    """(text, HTML) of a mail of two parts, the text first."""
    message = message_from_bytes(raw, policy=policy.default)
    assert isinstance(message, EmailMessage)
    assert message.get_content_type() == "multipart/alternative"
    parts = list(message.iter_parts())
    if parts[1].get_content_type() == "multipart/related":
        parts[1] = next(parts[1].iter_parts())
    assert [part.get_content_type() for part in parts] == ["text/plain", "text/html"]
    first, second = (str(part.get_content()).replace("\r\n", "\n") for part in parts)
    return first, second


def test_the_text_part_stays_complete_and_the_page_says_the_same() -> None:
    notice = board(comment='<b>5 > 3</b> & "so"')
    text, html = both(COMPOSER.compose(notice, "ann@example.org", 9, NOW))
    raw = COMPOSER.compose(notice, "ann@example.org", 9, NOW, preferences={"mail": "text"})
    alone = message_from_bytes(raw, policy=policy.default)
    assert text.rstrip() == alone.get_content().replace("\r\n", "\n").rstrip()
    page = Page(html)
    assert page.text.split() == text.split()


def test_the_board_is_coloured_by_role() -> None:
    _, html = both(COMPOSER.compose(board(), "ann@example.org", 9, NOW))
    assert dict(Page(html).styled) == {
        "a  b": find_style("label"),
        "x": find_style("seat0"),
        "o": find_style("last"),
    }
    assert find_style("seat0", ("red",)) != find_style("seat0")
    styles = {find_style(f"seat{number}") for number in range(8)}
    assert len(styles) == 8
    assert find_style('"><script>') == find_style("plain") == find_style("seat٣") == ""


def test_a_mail_has_the_colours_of_its_seats() -> None:
    notice = board(colours=("blue", "red"))
    _, html = both(COMPOSER.compose(notice, "ann@example.org", 9, NOW))
    assert dict(Page(html).styled)["x"] == find_style("seat0", ("blue", "red"))


HUES = {"red": 0, "orange": 33, "yellow": 51, "green": 138, "blue": 217}


@pytest.mark.parametrize("name", list_sampled_names())
def test_a_seat_that_is_called_a_colour_has_it(name: str) -> None:
    game = get_game(name)
    for players in game.info.players:
        colours = game.setup(players).colours
        for number, colour in enumerate(colours):
            letters, ground = (
                channels(value)
                for value in re.findall("#[0-9a-f]{6}", find_style(f"seat{number}", colours))
            )
            assert contrast(letters, ground) >= 4.5
            hue, lightness, saturation = colorsys.rgb_to_hls(*ground)
            if colour in HUES:
                assert abs((360 * hue - HUES[colour] + 180) % 360 - 180) < 8
                assert saturation > 0.5
            elif colour in ("white", "black"):
                assert (lightness > 0.9, lightness < 0.2) == (colour == "white", colour == "black")
        assert len({find_style(f"seat{number}", colours) for number in range(players)}) == players


def channels(value: str) -> tuple[float, float, float]:
    red, green, blue = (int(value[at : at + 2], 16) / 255 for at in (1, 3, 5))
    return red, green, blue


def contrast(one: tuple[float, ...], other: tuple[float, ...]) -> float:
    """WCAG 2, 1.4.3."""
    lights = []
    for colour in (one, other):
        linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in colour]
        lights.append(0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2])
    return (max(lights) + 0.05) / (min(lights) + 0.05)


def test_a_swapped_seat_keeps_the_colour_of_its_stones() -> None:
    position = get_game("hex").setup(2)
    position = position.play(0, "d4").play(1, "swap")
    assert position.seat_names == ("blue", "red")
    assert find_style("seat0", position.colours) == find_style("seat0", ("red", "blue"))


def test_moves_are_links_that_fill_in_the_answer() -> None:
    moves = ("b1,c1", "c3&body=resign", 'x"><script>', "resign#5")
    raw = COMPOSER.compose(board(moves=moves), "ann@example.org", 9, NOW)
    reply_to = message_from_bytes(raw, policy=policy.default)["Reply-To"]
    page = Page(both(raw)[1])
    assert len(page.links) == len(moves)
    for link, move in zip(page.links, moves, strict=True):
        where, _, rest = link.removeprefix("mailto:").partition("?")
        assert unquote(where) == reply_to
        fields = parse_qs(rest, strict_parsing=True)
        assert fields == {"subject": ["Re: [cradle 17] ann - bob"], "body": [move]}


@pytest.fixture
def room(sqlite_store: Store) -> Room:
    """ann wants links, bob text alone; board 1 is a game of Tic-tac-toe."""
    room = Room(sqlite_store)
    with room.kept() as session:
        room.player(session, "ann", mail="html")
        room.player(session, "bob", mail="text")
        room.says(session, "tictactoe challenge ann bob", "ann@example.org", vouched=True)
    return room


def test_a_link_plays_its_move(room: Room) -> None:
    """What the mail program sends after a click is a move of the player whom the mail was for."""
    with room.tried() as session:
        raw = (
            f"From: bob@example.org\r\nSubject: tictactoe show 1\r\nTo: {SERVER}\r\n\r\n\r\n"
        ).encode()
        room.takes(session, raw, "bob@example.org")
        line = f"tictactoe move 1 ann {PASSWORD} "
        moves = list(room.legal(session, 1))
        raw = f"From: ann@example.org\r\nSubject: {line}{moves[0]}\r\n\r\n\r\n".encode()
        room.takes(session, raw, "ann@example.org")
        moves = list(room.legal(session, 1))
        raw = (
            f"From: bob@example.org\r\nSubject: tictactoe move 1 bob {PASSWORD} {moves[0]}\r\n"
            "\r\n\r\n"
        ).encode()
        sent = room.takes(session, raw, "bob@example.org")
        mails = {mail["recipient"]: mail["message"] for mail in sent}
        assert b"multipart" not in mails["bob@example.org"]
        page = Page(both(mails["ann@example.org"])[1])
        legal = room.legal(session, 1)
        assert len(page.links) == len(legal) > 1
        where, _, rest = page.links[-1].removeprefix("mailto:").partition("?")
        fields = parse_qs(rest)
        answer = (
            f"From: Ann <ann@example.org>\r\nTo: {unquote(where)}\r\n"
            f"Subject: {fields['subject'][0]}\r\n\r\n{fields['body'][0]}\r\n"
        ).encode()
        room.takes(session, answer, "ann@example.org", unquote(where))
        assert room.played(session)[-1] == legal[-1]
        assert room.last.outcome.startswith("done")


def test_a_quoted_page_is_not_read_as_a_move(room: Room) -> None:
    """An answer whose only part quotes our page holds nothing of its own."""
    _, html = both(COMPOSER.compose(board(moves=("a1",)), "ann@example.org", 9, NOW))
    raw = (
        "From: ann@example.org\r\nSubject: Re: [cradle 17] your move (5)\r\n"
        "Content-Type: text/html; charset=utf-8\r\n\r\n"
        f"<p>b1</p><blockquote>{html}</blockquote>\r\n"
    ).encode()
    assert read_letter(raw, envelope_from="ann@example.org").own_lines == ("b1",)
    assert re.search(r"<pre", unescape(html))
