"""The page of a board's mail: a picture, links for a short list of moves, everything escaped."""

from __future__ import annotations

import re
from email import message_from_bytes, policy
from email.message import EmailMessage
from html.parser import HTMLParser
from urllib.parse import parse_qs, unquote

import pytest
from msgspec import structs

from pbm.core.notices import Appearance, BoardUpdate, Notice
from pbm.core.proofs import Proof
from pbm.features.finding.game_page import build_game_page
from pbm.features.finding.notices import HelpPage
from pbm.games import get_game
from pbm.mail.letter import read_letter
from pbm.mail.paged_mail import draw_at_once, finish_mail
from pbm.mail.picture_page import PageFacts, build_page
from pbm.pictures.mailed_board import BoardPicture
from pbm.store.engine import Store
from tests.harness.mail import draw_nothing
from tests.harness.mail_room import NOW, PASSWORD, SERVER, Room
from tests.mail.test_compose import COMPOSER, board
from tools.games.sampling import list_sampled_names

_VOID = {"meta", "br", "img", "hr"}


class Page(HTMLParser):
    """Checks that tags are balanced, and collects links and the text."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.links: list[str] = []
        self.text = ""
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

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if self.open[-1:] in (["title"], ["style"]):
            return
        self.text += data


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
    text, html = both(
        finish_mail(COMPOSER.compose(notice, "ann@example.org", 9, NOW), draw_nothing)
    )
    raw = COMPOSER.compose(notice, "ann@example.org", 9, NOW, preferences={"mail": "text"})
    alone = message_from_bytes(raw, policy=policy.default)
    assert text == alone.get_content().replace("\r\n", "\n")
    said, _, facts = text.partition("\n-- \n")
    assert facts.startswith('[Game "')
    shown = Page(html).text
    # On the page what is asked is said once.
    said = re.sub(r"\s+It is your move \(\d+\)\.", "", said)
    assert sorted(shown.replace(">", "").split()) == sorted(said.replace(">", "").split())
    assert '<b>5 > 3</b> & "so"' in shown


def test_moves_are_links_that_fill_in_the_answer() -> None:
    moves = tuple((move, move) for move in ("b1,c1", "c3&body=resign", 'x"><script>', "resign#5"))
    raw = COMPOSER.compose(board(), "ann@example.org", 9, NOW)
    reply_to = message_from_bytes(raw, policy=policy.default)["Reply-To"]
    picture = BoardPicture(b"", 390, "the words", moves)
    page = Page(both(finish_mail(raw, lambda _board, _most: picture))[1])
    for link, (move, _) in zip(page.links, moves, strict=True):
        where, _, rest = link.removeprefix("mailto:").partition("?")
        assert unquote(where) == reply_to
        fields = parse_qs(rest, strict_parsing=True)
        assert fields == {"subject": ["Re: [cradle 17] ann - bob"], "body": [move]}


@pytest.mark.parametrize(("count", "is_first"), [(9, True), (10, False)])
def test_many_moves_stand_below_all_that_a_mail_says(count: int, is_first: bool) -> None:
    moves = tuple((f"a{number}", f"a{number}") for number in range(1, count + 1))
    facts = PageFacts(
        subject="[hex 1] move",
        reply_to="pbm+b@example.net",
        picture=(6, 11),
        link_label="",
        link="",
        content_id="x@y",
    )
    page = build_page(
        "News.\nboard\n\nReply with your move.\n", facts, BoardPicture(b"", 390, "", moves)
    )
    assert (page.index(">a9<") < page.index("Reply with")) is is_first
    assert page.count(">a9<") == 1


def test_no_line_begins_with_a_mark_that_french_sets_apart() -> None:
    facts = PageFacts(
        subject="[pbm] bonjour",
        reply_to="pbm@example.net",
        picture=(0, 0),
        link_label="",
        link="",
        content_id="x@y",
        language="fr",
    )
    page = build_page("Bonjour.\n\nPar exemple : 2 a1. « Oui » ; et toi ?\n", facts, None)
    assert "Par exemple&nbsp;: 2 a1. «&nbsp;Oui&nbsp;»&nbsp;; et toi&nbsp;?<" in page


def test_a_mail_that_is_too_large_has_a_coarser_picture_and_at_last_none() -> None:
    asked: list[int] = []

    def draw(_board: str, most: int) -> BoardPicture:
        asked.append(most)
        return BoardPicture(b"\x89" * most, 390, "the words")

    for words, sizes, has_any in (
        (1, 1, True),
        (6_000, 2, True),
        (9_000, 3, True),
        (14_000, 3, False),
    ):
        asked.clear()
        raw = COMPOSER.compose(board(comment="x " * words), "ann@example.org", 9, NOW)
        sent = finish_mail(raw, draw)
        assert len(asked) == sizes
        assert (b"image/png" in sent) == has_any
        assert len(sent) < 60_000 or not has_any


@pytest.mark.sampled(3)
@pytest.mark.parametrize("name", list_sampled_names())
def test_the_mail_of_every_game_is_small(name: str) -> None:
    """Below 60 kB, with nothing loaded from elsewhere, the headline first."""
    game = get_game(name)
    position = game.setup(min(game.info.players))
    real = board()
    content = real.content
    assert isinstance(content, BoardUpdate)
    view = structs.replace(
        content.view,
        appearance=Appearance(position, 0),
        picture=position.picture(0),
        colours=position.colours,
    )
    notice = structs.replace(real, content=structs.replace(content, view=view))
    raw = COMPOSER.compose(notice, "ann@example.org", 9, NOW)
    drawn = finish_mail(raw, draw_at_once)
    assert (b"image/png" in drawn) == bool(position.scene(0).places)
    for sent in (drawn, finish_mail(raw, draw_nothing)):
        assert len(sent) < 60_000
        page = Page(both(sent)[1])
        assert page.text.split()[:3] == ["Bob", "played", "c1."]
        assert '[Game "' not in page.text
        assert all(link.startswith("mailto:") for link in page.links)


@pytest.fixture
def room(sqlite_store: Store) -> Room:
    """ann wants links, bob text alone; board 1 is a game of Tic-tac-toe."""
    room = Room(sqlite_store)
    with room.kept() as session:
        room.player(session, "ann")
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
        page = Page(both(finish_mail(mails["ann@example.org"], draw_at_once))[1])
        legal = room.legal(session, 1)
        links = page.links
        assert len(links) == len(legal) > 1
        where, _, rest = links[-1].removeprefix("mailto:").partition("?")
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
    picture = BoardPicture(b"", 390, "the words", (("a1", "a1"),))
    raw = COMPOSER.compose(board(), "ann@example.org", 9, NOW)
    _, html = both(finish_mail(raw, lambda _board, _most: picture))
    raw = (
        "From: ann@example.org\r\nSubject: Re: [cradle 17] your move (5)\r\n"
        "Content-Type: text/html; charset=utf-8\r\n\r\n"
        f"<p>b1</p><blockquote>{html}</blockquote>\r\n"
    ).encode()
    assert read_letter(raw, envelope_from="ann@example.org").own_lines == ("b1",)
    assert "the words" in html


def test_of_pictures_that_do_not_fit_the_largest_are_left_out() -> None:
    """The mail keeps within what a page asked for may weigh, and its text has what is missing."""
    page = HelpPage(topic="hex", text=build_game_page(get_game("hex")), games=("hex",))
    notice = Notice(page, ("ann@example.org",), player=1, is_answer=True)
    raw = COMPOSER.compose(notice, "ann@example.org", 9, NOW)
    captions = [lesson.caption for lesson in get_game("hex").list_lessons()]

    def draw(board: str, _most: int) -> BoardPicture:
        return BoardPicture(b"\x89" * (40_000 if '"lesson": 2' in board else 15_000), 390, "words")

    sent = finish_mail(raw, draw)
    assert len(sent) <= 99_000
    text, html = both(sent)
    assert html.count('src="cid:') == sent.count(b"Content-ID") == len(captions)
    shown = " ".join(Page(html).text.split())
    assert all(shown.count(caption) == 1 for caption in captions)
    assert text.count("X red") == 1 + len(captions)
    assert Page(html).text.count("X red") == 1


def test_pieces_on_a_row_are_all_drawn_or_none() -> None:
    """The text shows them in one block: a page with some of them would lack the others."""
    page = HelpPage(topic="orda", text=build_game_page(get_game("orda")), games=("orda",))
    notice = Notice(page, ("ann@example.org",), player=1, is_answer=True)
    raw = COMPOSER.compose(notice, "ann@example.org", 9, NOW)

    def draw(board: str, _most: int) -> BoardPicture | None:
        return None if '"lesson": 3' in board else BoardPicture(b"\x89" * 100, 390, "words")

    _, html = both(finish_mail(raw, draw))
    assert html.count('src="cid:') == 1
    assert ". Y ." in Page(html).text


def test_a_mail_stored_before_there_were_figures_is_sent() -> None:
    """A server that is upgraded finds such mails in its queue."""
    raw = COMPOSER.compose(board(), "ann@example.org", 9, NOW)
    old = raw.replace(b', "is_help": false, "figures": []', b"")
    assert old != raw
    assert b"image/png" in finish_mail(old, draw_at_once)


def test_lines_of_a_paragraph_end_where_their_writer_ended_them() -> None:
    facts = PageFacts((0, 0), "S", "r@x.example", "", "", "c", proof=Proof.PLAYER_ADDRESS)
    text = (
        "News.\n\nA clock ran out, so your vacation has begun: all your clocks are stopped for\n"
        "fourteen days.\nTo see one: GAME showas BOARD\nTo end it: vacation off\n\n"
        "    fewer\n        fewer mails: none about your own moves, and one a day in place of\n"
        "        reminders\n"
    )
    page = build_page(text, facts, None)
    assert "begun: all your clocks are stopped for fourteen days.<br>" in page
    assert "To see one: GAME showas BOARD<br>" in page
    assert 'body=vacation%20off"' in page
    assert 'body=fewer"' in page
    assert ">fewer mails: none about your own moves, and one a day in place of reminders<" in page
