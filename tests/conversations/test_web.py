"""The web pages: a seat's page by clicks, its forms, and the pages for everybody."""

from __future__ import annotations

import re
from datetime import datetime
from urllib.parse import urlsplit
from xml.etree import ElementTree

import pytest
from sqlalchemy import func, select, text, update

from pbm.config import Config, Players, Server, Web
from pbm.games import get_game
from pbm.rules.drawing.svg.palette import ink_of
from pbm.store.tables import boards, inbound, metadata
from tests.harness.conversation import SERVER, Conversation
from tests.harness.mail import Mail
from tests.harness.visitor import HOST, Page, Visitor

pytestmark = pytest.mark.config(web={"url": HOST})
_ATOM = "{http://www.w3.org/2005/Atom}"
_STYLE = re.compile(r"<style>(.*?)</style>", re.DOTALL)


@pytest.fixture
def mails(talk: Conversation) -> list[Mail]:
    """Board 1, Hex between ann and bob; their first mails."""
    talk.signup("ann", "bob")
    return talk.challenge("hex", "ann", "bob", options="-size=5")


def link_of(mail: Mail) -> str:
    """The link to the seat's page in a mail."""
    return mail.line("On the web: ")


def play(visitor: Visitor, page: Page, *steps: str, comment: str = "") -> Page:
    """Click these steps and play the move."""
    for step in steps:
        page = visitor.follow(page, page.steps[step])
    return visitor.send(page, page.form("move"), text=comment)


def content(talk: Conversation) -> list[object]:
    """All rows of all tables."""
    with talk.server.store.reading() as session:
        return [list(session.execute(select(table)).mappings()) for table in metadata.sorted_tables]


def test_a_move_by_clicks(talk: Conversation, mails: list[Mail], visitor: Visitor) -> None:
    page = visitor.get(link_of(mails[0]))
    assert page.status == 200
    assert "It is your move." in page.says
    assert "You have until " in page.says
    assert "The board in words" in page.says
    assert re.search(r"Players ann \w+, you, to move bob \w+ ", page.says)
    page = visitor.follow(page, page.steps["c3"])
    assert "This is the board after c3" in page.says
    page = visitor.send(page, page.form("move"), text="Good luck!")
    assert "Played." in page.says
    assert "It is bob's turn." in page.says
    assert visitor.changes == 1
    own = talk.any_mail("ann")
    assert own.line("On the web: ") == link_of(mails[0])
    assert "> Good luck!" in talk.any_mail("bob").text
    talk.nothing_more()


def test_the_same_form_twice_plays_once(
    talk: Conversation, mails: list[Mail], visitor: Visitor
) -> None:
    page = visitor.get(link_of(mails[0]))
    page = visitor.follow(page, page.steps["c3"])
    visitor.send(page, page.form("move"))
    again = visitor.send(page, page.form("move"))
    assert again.status == 409
    assert "Nothing was done: the board has changed" in again.says
    assert visitor.changes == 1
    talk.any_mail("ann")
    talk.any_mail("bob")


def test_a_mail_for_the_same_turn_wins(
    talk: Conversation, mails: list[Mail], visitor: Visitor
) -> None:
    page = visitor.get(link_of(mails[0]))
    page = visitor.follow(page, page.steps["c3"])
    talk.replies(mails[0], "b2")
    talk.any_mail("ann")
    talk.any_mail("bob")
    late = visitor.send(page, page.form("move"))
    assert "the board has changed" in late.says
    assert visitor.changes == 0


def test_a_get_changes_nothing(talk: Conversation, mails: list[Mail], visitor: Visitor) -> None:
    """Scanners of mails follow every link there is."""
    before = content(talk)
    seen, waiting = set[str](), [link_of(mails[0])]
    while waiting and len(seen) < 80:
        url = waiting.pop(0)
        page = visitor.get(url)
        seen.add(url)
        for link in page.links:
            target = visitor.follow(page, link).url if link.startswith("?") else ""
            if target and target not in seen and target not in waiting:
                waiting.append(target)
    assert len(seen) > 20
    assert content(talk) == before


def test_what_players_write_to_each_other_is_on_their_pages_alone(
    talk: Conversation, mails: list[Mail], visitor: Visitor
) -> None:
    talk.replies(mails[0], "chat Hello <b>Bob</b>\nHow are you?")
    talk.everything()
    bob = visitor.get(link_of(mails[1]))
    visitor.send(bob, bob.form("chat"), text="Fine.")
    mail = talk.receives("ann", "[hex 1] bob writes")
    talk.everything()
    for link in map(link_of, mails):
        page = visitor.get(link)
        assert re.search(r"ann ?, [^:]*, \d\d:\d\d UTC Hello <b>Bob</b> How are you\?", page.says)
        assert page.says.index("How are you?") < page.says.index("Fine.")
    for path in ("/board/1", "/board/1.json", "/"):
        assert "How are you" not in visitor.get(path).text
    for line in ("hex show 1", "hex export 1", f"hex showas ann {talk.password('ann')} 1"):
        talk.mails("ann", line)
        assert "How are you" not in talk.any_mail("ann").text
    talk.replies(mail, f"signoff ann {talk.password('ann')}")
    code = talk.any_mail("ann")
    talk.replies(code, f"confirm {code.line('Code: ')}")
    talk.everything()
    page = visitor.get(link_of(mails[1]))
    assert "How are you" not in page.text
    assert "Fine." in page.says


def test_forms(talk: Conversation, mails: list[Mail], visitor: Visitor) -> None:
    ann, bob = (visitor.get(link_of(mail)) for mail in mails)
    assert "Nothing was done" in visitor.send(bob, bob.form("resign")).says
    visitor.send(bob, bob.form("chat"), text="Hello Ann")
    assert "> Hello Ann" in talk.any_mail("ann").text
    talk.any_mail("bob")
    play(visitor, ann, "c3")
    talk.any_mail("ann")
    talk.any_mail("bob")
    bob = visitor.get(link_of(mails[1]))
    bob = visitor.send(bob, bob.form("resign"), sure="yes")
    assert "ann won" in bob.says
    talk.any_mail("ann")
    talk.any_mail("bob")
    ann = visitor.get(link_of(mails[0]))
    visitor.send(ann, ann.form("rematch"))
    talk.any_mail("ann")
    talk.any_mail("bob")


def test_an_invitation_by_clicks(talk: Conversation, visitor: Visitor) -> None:
    talk.signup("ann", "bob")
    for game, do, says in (("hex", "decline", "Declined."), ("chess", "accept", "Accepted.")):
        talk.proves("ann", f"{game} challenge ann bob --ask")
        ann, bob = (visitor.get(link_of(talk.any_mail(who))) for who in ("ann", "bob"))
        assert "accept" not in [form.fields["do"] for form in ann.forms]
        assert says in visitor.send(bob, bob.form(do), text="Hello!").says
        talk.any_mail("ann")
        talk.any_mail("bob")
    assert "It is your move." in visitor.get(ann.url).says


def test_what_needs_consent_by_clicks(
    talk: Conversation, mails: list[Mail], visitor: Visitor
) -> None:
    ann, bob = map(link_of, mails)

    def click(link: str, do: str, says: str, **fields: str) -> Page:
        page = visitor.get(link)
        page = visitor.send(page, page.form(do), **fields)
        assert says in page.says
        talk.everything()
        return page

    play(visitor, visitor.get(ann), "c3")
    click(ann, "undo", "You have asked to take back your move.")
    assert "ann proposes to take back a move" in visitor.get(bob).says
    click(bob, "accept", "Accepted.")
    play(visitor, visitor.get(ann), "d4")
    click(ann, "propose", "You have proposed a draw.", text="It is late.")
    click(bob, "reject", "Rejected.")
    assert "proposes" not in visitor.get(ann).says
    click(bob, "cancel", "Nothing was done: first tick this box: Yes, cancel it without a result.")
    click(bob, "cancel", "You have proposed to cancel the board.", sure="yes")
    assert "The game is cancelled." in click(ann, "accept", "Accepted.").says


def test_a_vacation_by_clicks(talk: Conversation, mails: list[Mail], visitor: Visitor) -> None:
    page = visitor.get(f"{talk.home('bob')}/settings")
    page = visitor.send(page, page.form("vacation"), **{"from": "2026-03-10"}, to="2026-03-12")
    assert "Your vacation is changed." in page.says
    assert "until Fri 13 Mar 2026" in talk.any_mail("bob").text
    wrong = visitor.send(page, page.form("vacation"), **{"from": "2026-03-10"}, to="soon")
    assert wrong.status == 409
    assert wrong.form("vacation").fields["to"] == "soon"


def test_vacations_on_and_off_by_clicks_are_announced_once(
    talk: Conversation, mails: list[Mail], visitor: Visitor
) -> None:
    page = visitor.get(f"{talk.home('bob')}/settings")
    for _ in range(20):
        for days in ({"from": "2026-03-02", "to": "2026-03-12"}, {"from": "off", "to": ""}):
            page = visitor.send(page, page.form("vacation"), **days)
            assert "Your vacation is changed." in page.says
        talk.clock.advance(seconds=60)
    heard = [mail for mail in talk.everything() if mail.address == "ann@example.org"]
    assert len(heard) == 1, heard


def test_preferences_by_clicks(talk: Conversation, mails: list[Mail], visitor: Visitor) -> None:
    page = visitor.get(f"{talk.home('bob')}/settings")
    page = visitor.send(page, page.form("set"), own="no", zone="Europe/Berlin")
    assert "Your preferences are changed." in page.says
    mail = talk.receives("bob", "[pbm] preferences of bob changed", "own=no", "zone=Europe/Berlin")
    assert "mail=" not in mail.text.partition("\n\n")[0]
    wrong = visitor.send(page, page.form("set"), zone="Nowhere")
    assert (wrong.status, wrong.form("set").fields["zone"]) == (409, "Nowhere")
    assert re.search(r'name="zone"[^>]* aria-invalid="true"', wrong.text)


def test_the_link_of_a_seat_opens_that_seat_alone(
    talk: Conversation, mails: list[Mail], visitor: Visitor
) -> None:
    """Its page shows no link to others of the player, and no form does what is not of the board."""
    talk.challenge("hex", "bob", "ann")
    link = link_of(mails[1])
    page = visitor.get(link)
    assert not any("/u/" in url or "/s/2-" in url for url in page.links)
    key = link.rpartition("-")[2]
    for path in ("u/1-1", "u/u2", "s/u2", "s/2-1", "s/2-0", "s/1-0"):
        for rest in ("", "/begin", "/board/2", "/settings", "/events", "/event/1", ".ics"):
            assert visitor.get(f"/{path}-{key}{rest}").status == 404
    form = page.form("chat")
    for verb in ("vacation", "set", "message", "cradle challenge", "event new", "mine"):
        form.fields["do"] = verb
        assert "no such form" in visitor.send(page, form, rest="off", text="ann").says


def test_steps_are_taken_back(talk: Conversation, visitor: Visitor) -> None:
    """The last one, or all of them."""
    talk.signup("ann", "bob")
    first = visitor.get(link_of(talk.challenge("cradle", "ann", "bob")[0]))
    one = visitor.follow(first, min(first.steps.values()))
    two = visitor.follow(one, min(one.steps.values()))
    assert "Chosen" not in first.says
    assert "Undo the last step ." in one.says
    assert "Undo the last step or start again ." in two.says
    assert "?" in one.links.keys() & two.links.keys()
    assert visitor.follow(two, f"?{urlsplit(one.url).query}").text == one.text
    assert f"?{urlsplit(one.url).query}" in two.links


def test_earlier_positions(talk: Conversation, mails: list[Mail], visitor: Visitor) -> None:
    talk.plays(["c3", "b2", "d4"], "ann", "bob", latest=mails)
    for link in (link_of(mails[1]), f"{HOST}/board/1"):
        page = visitor.get(link)
        assert "first previous 3 moves" in page.says
        for ply in (2, 1, 0):
            before = page.text
            page = visitor.follow(page, f"?at={ply}")
            assert f"?at={ply}" in before
            assert f"{ply} of 3" in page.says
            assert {f"?at={ply + 1}", "?"} <= page.links.keys()
            assert page.text.count('aria-label="your move"') == 0
        assert "?at=-1" not in page.links


def test_every_mail_about_boards_has_one_link(
    talk: Conversation, mails: list[Mail], visitor: Visitor
) -> None:
    """As text and as HTML, of a refusal, to who watches, and the daily list."""
    talk.mails("ann", f"set ann {talk.password('ann')} mail=text digest=07:00")
    talk.signup("carl")
    talk.mails("carl", f"hex watch 1 carl {talk.password('carl')}")
    talk.everything()
    talk.replies(mails[0], "c3")
    own, bob, watcher = (talk.any_mail(name) for name in ("ann", "bob", "carl"))
    talk.replies(bob, "z9")
    refusal = talk.any_mail("bob")
    for mail, link in (
        (own, link_of(mails[0])),
        (bob, link_of(mails[1])),
        (refusal, link_of(mails[1])),
        (watcher, f"{HOST}/board/1"),
    ):
        assert mail.text.count(f"On the web: {HOST}") == 1
        assert link_of(mail) == link
        assert visitor.get(link).status == 200
    talk.replies(bob, "b2")
    talk.everything()
    talk.passes(days=1)
    (digest,) = (mail for mail in talk.everything() if "for you" in mail.subject)
    waiting = visitor.get(link_of(digest)).says
    assert "Waiting for you Hex 1 ann \u2013 bob last move: b2 your move 3, in 20 days" in waiting


def test_a_link_dies(talk: Conversation, mails: list[Mail], visitor: Visitor) -> None:
    link = link_of(mails[0])
    assert visitor.get(link).status == 200
    assert visitor.get(link[:-1] + ("a" if link[-1] != "a" else "b")).status == 404
    assert visitor.get(link.replace("/s/1-0-", "/s/1-1-")).status == 404
    new = talk.secret("Sesame-anew")
    talk.mails("ann", f"change password ann {talk.password('ann')} {new}")
    assert talk.any_mail("ann")
    gone = visitor.get(link)
    assert gone.status == 404
    assert "newest mail" in gone.says
    bob = link_of(mails[1])
    talk.mails("bob", f"add bob {talk.password('bob')} bob@office.example")
    mail = talk.any_mail("bob@office.example")
    talk.replies(mail, f"confirm {mail.line('Code: ')}")
    talk.everything()
    assert visitor.get(bob).status == 404


def test_a_link_dies_a_month_after_the_end(
    talk: Conversation, mails: list[Mail], visitor: Visitor
) -> None:
    talk.replies(mails[0], "c3")
    talk.any_mail("ann")
    talk.replies(talk.any_mail("bob"), "resign")
    talk.everything()
    assert visitor.get(link_of(mails[0])).status == 200
    talk.clock.advance(days=31)
    assert visitor.get(link_of(mails[0])).status == 404


def test_headers(talk: Conversation, mails: list[Mail], visitor: Visitor) -> None:
    secret, public = visitor.get(link_of(mails[0])), visitor.get("/board/1")
    for page in (secret, public):
        assert "default-src 'none'" in page.headers["content-security-policy"]
        assert page.headers["referrer-policy"] == "no-referrer"
        assert "set-cookie" not in page.headers
        assert "<script" not in page.text
        tag = page.headers["etag"]
        for tags in (tag, f"W/{tag}", f'"other", W/{tag}'):
            again = visitor.get(page.url, If_None_Match=tags)
            assert (again.status, again.text) == (304, "")
        assert visitor.get(page.url, If_None_Match='"other"').text == page.text
    assert "noindex" in secret.headers["x-robots-tag"]
    assert secret.headers["cache-control"].startswith("private")
    assert "x-robots-tag" not in public.headers


def test_public_pages(talk: Conversation, mails: list[Mail], visitor: Visitor) -> None:
    for path in ("/", "/board/1", "/board/1?at=0", "/player/ann", "/game/hex", "/game/hex/ratings"):
        page = visitor.get(path)
        assert page.status == 200, path
        assert re.search(r"/[su]/[0-9u]", page.text) is None, path
    club = visitor.get("/")
    assert "Hex Join your two sides of the board" in club.says
    assert "./game/hex" in club.links
    assert "connection" in visitor.get("/games").text.lower()
    assert f'og:image" content="{HOST}/board/1.png"' in visitor.get("/board/1").text
    for path in ("/board/2", "/board/1?at=9", "/player/zoe", "/game/nothing", "/s/nothing"):
        assert visitor.get(path).status == 404, path
    assert '"game": "hex"' in visitor.get("/board/1.json").text
    assert visitor.get("/board/1.sgf").text.startswith("(;")
    assert visitor.get("/board/1.pgn").status == 404
    assert "<entry>" in visitor.get("/player/ann.atom").text


def test_the_front_page_has_the_best_of_each_ladder(
    talk: Conversation, mails: list[Mail], visitor: Visitor
) -> None:
    assert "Ladders" not in visitor.get("/").says
    talk.replies(mails[0], "c3")
    talk.any_mail("ann")
    talk.replies(talk.any_mail("bob"), "resign")
    talk.everything()
    club = visitor.get("/")
    assert re.search(r"The best Hex ann 1\d+ .*, bob 1\d+ ", club.says), club.says
    assert "player/bob" in club.links


def test_boards_and_calendar(talk: Conversation, mails: list[Mail], visitor: Visitor) -> None:
    boards = visitor.get(talk.home("ann"))
    assert "Waiting for you Hex 1 ann \u2013 bob your move 1, in 21 days" in boards.says
    calendar = visitor.follow(boards, next(url for url in boards.links if url.endswith(".ics")))
    assert "SUMMARY:Move in Hex 1 against bob" in calendar.text
    seat = visitor.follow(boards, next(url for url in boards.links if "/board/" in url))
    assert "Your move" in seat.says


def test_what_is_hidden_stays_hidden(talk: Conversation, visitor: Visitor) -> None:
    """Darkchess: pages of a spectator and of the other seat do not change with a hidden move."""
    talk.signup("ann", "bob")
    mails = talk.challenge("darkchess", "ann", "bob")
    before = visitor.get(link_of(mails[1])).text
    public = visitor.get("/board/1").text
    page = visitor.get(link_of(mails[0]))
    assert "This is the board after" not in page.text
    assert before.count("white") == visitor.get(link_of(mails[1])).text.count("white")
    assert public == visitor.get("/board/1").text
    assert talk.everything() == []


def test_hostile_requests(talk: Conversation, mails: list[Mail], visitor: Visitor) -> None:
    link = link_of(mails[0])
    page = visitor.get(link)
    assert visitor.get(f"{link}?m={'x' * 3000}").status == 414
    assert visitor.get(f"{link}?" + "m=c3&" * 300).status == 200
    assert visitor.get(f"{link}?at=99999999999").status == 404
    form = page.form("chat")
    assert visitor.send(page, form, text="x" * 40_000).status == 413
    form.fields["do"] = "change password"
    assert "no such form" in visitor.send(page, form).says
    with talk.server.store.reading() as session:
        assert session.execute(select(func.count()).select_from(inbound)).scalar_one() > 0
    for url in (link, talk.home("ann")):
        guess = f"{url[:-1]}{'a' if url[-1] != 'a' else 'b'}"
        assert {visitor.get(guess).status for _ in range(130)} == {404, 429}
        assert visitor.get(url).status == 200
        assert {visitor.get(url).status for _ in range(130)} == {200, 429}
        talk.clock.advance(seconds=60)


def test_a_plan_and_notes(talk: Conversation, mails: list[Mail], visitor: Visitor) -> None:
    """They are written and shown on the own page; what others get is the same byte by byte."""
    others = [link_of(mails[0]), "/board/1", "/board/1?at=0", "/board/1.json", "/player/bob", "/"]
    before = [visitor.get(url).text for url in others]
    bob = visitor.get(link_of(mails[1]))
    bob = visitor.send(bob, bob.form("plan"), text="if c3 then d4 if b2 then e5\r\nif any then c3")
    assert "Your plan, which only you can see: 1 if c3 then d4" in bob.says
    assert "2 if any then c3" in bob.says
    bob = visitor.send(bob, bob.form("note"), text="The corner & the edge")
    assert "(0) The corner & the edge" in bob.says
    assert [visitor.get(url).text for url in others] == before
    wrong = visitor.send(bob, bob.form("plan"), text="if c3 then z9")
    assert (wrong.status, "z9" in wrong.form("plan").fields["text"]) == (409, True)
    assert "if c3 then z9" in wrong.text
    assert "Nothing was done" in visitor.send(bob, bob.form("note"), text=" ").says
    assert "1 if c3 then d4" in visitor.get(link_of(mails[1])).says
    play(visitor, visitor.get(link_of(mails[0])), "c3", comment="Well?")
    talk.receives("ann", "[hex 1] your move (3), you played c3, bob played d4")
    talk.any_mail("bob")
    bob = visitor.get(link_of(mails[1]))
    assert "Well?" in bob.says
    assert "1 if b2 then e5" in bob.says
    bob = visitor.send(bob, bob.form("plan"), text="None")
    assert "Your plan is changed." in bob.says
    assert "only you can see: 1" not in bob.says


def test_a_queued_move(talk: Conversation, mails: list[Mail], visitor: Visitor) -> None:
    """It is for the position that the page showed."""
    bob = visitor.get(link_of(mails[1]))
    late = visitor.get(link_of(mails[1]))
    bob = visitor.send(bob, bob.form("queue"), move="b2")
    assert "if any then b2" in bob.says
    talk.any_mail("bob")
    talk.replies(mails[0], "c3")
    talk.receives("ann", "[hex 1] your move (3), you played c3, bob played b2")
    talk.any_mail("bob")
    assert "the board has changed" in visitor.send(late, late.form("queue"), move="d4").says


def test_a_comment_with_a_resignation(
    talk: Conversation, mails: list[Mail], visitor: Visitor
) -> None:
    talk.replies(mails[0], "c3")
    talk.any_mail("ann")
    talk.any_mail("bob")
    bob = visitor.get(link_of(mails[1]))
    visitor.send(bob, bob.form("resign"), sure="yes", text="Well played!")
    assert "> Well played!" in talk.receives("ann", "[hex 1] ann won (1)").text
    talk.any_mail("bob")


def test_chosen_steps_are_marked(talk: Conversation, visitor: Visitor) -> None:
    talk.signup("ann", "bob")
    page = visitor.get(link_of(talk.challenge("chess", "ann", "bob")[0]))
    chosen = visitor.follow(page, page.steps["e2"])
    marks = [each.text.count('class="chosen"') for each in (page, chosen)]
    assert marks == [0, 1]


def test_feeds_are_valid(talk: Conversation, mails: list[Mail], visitor: Visitor) -> None:
    """By RFC 4287 and RFC 5545, as far as what is used of them goes."""
    talk.replies(mails[0], "c3")
    talk.any_mail("ann")
    talk.replies(talk.any_mail("bob"), "resign")
    talk.everything()
    for path in ("/results.atom", "/player/ann.atom", "/player/zoe.atom"):
        page = visitor.get(path)
        assert page.headers["content-type"].startswith("application/atom+xml")
        feed = ElementTree.fromstring(page.text)  # noqa: S314 (our own)
        assert feed.tag == f"{_ATOM}feed"
        for each in (feed, *feed.findall(f"{_ATOM}entry")):
            for name in ("id", "title", "updated"):
                (element,) = each.findall(f"{_ATOM}{name}")
                assert element.text
            assert re.fullmatch(r"tag:[a-z.]+,2026:\S+", each.findtext(f"{_ATOM}id") or "")
            datetime.strptime(each.findtext(f"{_ATOM}updated") or "", "%Y-%m-%dT%H:%M:%S%z")
            assert each.findall(f"{_ATOM}link")[0].get("href", "").startswith(HOST)
    assert visitor.get("/results.atom").text.count("<entry>") == 1


@pytest.mark.config(
    server={"name": "Hex & Go", "motto": "Since <1911>", "contact": "ida@club.example"}
)
def test_feeds_and_calendars_say_whose_club_it_is(talk: Conversation, visitor: Visitor) -> None:
    talk.mails("ann", f"signup ann {talk.password('ann')}")
    talk.replies(talk.any_mail("ann"), "yes")
    talk.replies(talk.any_mail("ann"), "mine")
    home = visitor.get(talk.any_mail("ann").line("On the web: "))
    calendar = visitor.follow(home, next(url for url in home.links if url.endswith(".ics")))
    assert "X-WR-CALNAME:Hex & Go" in calendar.text.split("\r\n")
    feed = ElementTree.fromstring(visitor.get("/results.atom").text)  # noqa: S314 (our own)
    assert feed.findtext(f"{_ATOM}subtitle") == "Since <1911>"
    author = feed.find(f"{_ATOM}author")
    assert author is not None
    assert [each.text for each in author] == ["Hex & Go", "ida@club.example"]


def test_the_calendar_is_valid(talk: Conversation, visitor: Visitor) -> None:
    talk.signup("ann", "bob", "carl")
    talk.challenge("hex", "ann", "bob")
    talk.challenge("spacefighters", "ann", "bob")
    boards = visitor.get(talk.home("ann"))
    page = visitor.follow(boards, next(url for url in boards.links if url.endswith(".ics")))
    assert page.headers["content-type"].startswith("text/calendar")
    assert page.text.endswith("\r\n")
    raw = page.text.removesuffix("\r\n").split("\r\n")
    assert all(0 < len(line.encode()) <= 75 for line in raw)
    lines = page.text.replace("\r\n ", "").split("\r\n")[:-1]
    assert lines[0] == "BEGIN:VCALENDAR"
    assert lines[-1] == "END:VCALENDAR"
    assert {"VERSION:2.0"} < set(lines)
    starts = [at for at, line in enumerate(lines) if line == "BEGIN:VEVENT"]
    assert starts
    for start in starts:
        event = lines[start + 1 : lines.index("END:VEVENT", start)]
        values = dict(line.split(":", 1) for line in event)
        assert values.keys() == {"UID", "DTSTAMP", "DTSTART", "DTEND", "SUMMARY"}
        begin, end = (
            datetime.strptime(values[name], "%Y%m%dT%H%M%S%z") for name in ("DTSTART", "DTEND")
        )
        assert begin < end


def test_a_page_that_fails_is_a_sentence(
    talk: Conversation, mails: list[Mail], visitor: Visitor, capfd: pytest.CaptureFixture[str]
) -> None:
    """A game that is not installed any more, then a database that cannot be read."""
    link = link_of(mails[0])
    with talk.server.store.writing() as session:
        session.execute(update(boards).values(game="nothing"))
    page = visitor.get(link)
    assert page.status == 503
    assert page.text.startswith("This board cannot be shown: nothing cannot be played")
    assert page.headers["referrer-policy"] == "no-referrer"
    assert visitor.get("/board/1").status == visitor.get("/board/1.json").status == 404
    with talk.server.store.writing() as session:
        session.execute(text("ALTER TABLE seats RENAME TO chairs"))
    page = visitor.get(link)
    assert (page.status, page.text) == (503, "The database cannot be read. Try again soon.\n")
    with talk.server.store.writing() as session:
        session.execute(text("ALTER TABLE chairs RENAME TO seats"))
        session.execute(update(boards).values(game="hex"))
    assert link.rpartition("-")[2] not in "".join(capfd.readouterr())


@pytest.mark.config(web={"url": HOST, "public": False})
def test_only_secret_links(talk: Conversation, mails: list[Mail]) -> None:
    web = Web("", HOST, public=False)
    config = Config(server=Server(address=SERVER), players=Players(), web=web)
    visitor = Visitor(config, talk.server, talk.clock)
    page = visitor.get(link_of(mails[0]))
    assert page.status == 200
    assert visitor.get("/style.css").status == 200
    assert "." not in page.links
    assert not [url for url in page.links if "board/" in url or "game/" in url or "player/" in url]
    for path in (
        "/",
        "/board/1",
        "/board/1.json",
        "/board/1.png",
        "/player/ann",
        "/player/ann.atom",
        "/results.atom",
        "/game/hex",
        "/game/hex/ratings",
    ):
        assert visitor.get(path).status == 404, path
    visitor.close()


def test_pages_of_events(talk: Conversation, visitor: Visitor) -> None:
    talk.signup("ann", "bob")
    assert "All events" not in visitor.get("/").says
    talk.proves("ann", "event new roundrobin hex --name=Cup", "For <b>everybody</b>.")
    talk.everything()
    for who in ("ann", "bob"):
        talk.proves(who, "event enter 1")
    talk.everything()
    front = visitor.get("/")
    assert front.links["event/1"] == ""
    assert "1: Cup Round robin" in visitor.get("/events").says
    page = visitor.get("/event/1")
    assert page.status == 200
    assert "Standings" not in page.says
    assert "For <b>everybody</b>." in page.says
    assert "ann (1500)" in page.says
    assert visitor.get("/event/2").status == 404
    assert visitor.get("/event/1.exe").status == 404
    assert "BEGIN:VEVENT" in visitor.get("/event/1.ics").text
    talk.passes(days=7)
    talk.everything()
    page = visitor.get("/event/1")
    assert "../board/1" in page.links
    assert "Standings" in page.says
    assert "Round 1" in page.says
    record = visitor.get("/event/1.json")
    assert record.headers["content-type"].startswith("application/json")
    assert '"name": "Cup"' in record.text
    assert '"secret"' not in record.text
    assert visitor.get("/event/1.trf").text.startswith("012 Cup")


@pytest.mark.parametrize(
    ("game", "move"),
    [
        ("gameofy", "a1"),
        ("gonnect", "c3"),
        ("havannah", "c3"),
        ("hex", "c3"),
        ("pegs", "c3"),
        ("yavalath", "c3"),
    ],
)
def test_colours_stay_with_their_pieces_when_players_swap(
    talk: Conversation, visitor: Visitor, game: str, move: str
) -> None:
    """On both kinds of page the disc beside a name is of the colour that the name goes by."""
    talk.signup("ann", "bob")
    first, _ = talk.challenge(game, "ann", "bob")
    colours = get_game(game).info.seats[2]
    inks = {colour: ink_of(side, colours, dark=False).fill for side, colour in enumerate(colours)}
    pages = (link_of(first), f"{HOST}/board/1")
    assert [list_discs(visitor.get(page)) for page in pages] == [
        [("ann", inks[colours[0]]), ("bob", inks[colours[1]])]
    ] * 2
    talk.replies(first, move)
    talk.any_mail("ann")
    talk.replies(talk.any_mail("bob"), "swap")
    for player in ("ann", "bob"):
        talk.any_mail(player)
    assert [list_discs(visitor.get(page)) for page in pages] == [
        [("ann", inks[colours[1]]), ("bob", inks[colours[0]])]
    ] * 2


def list_discs(page: Page) -> list[tuple[str, str]]:
    """The names of the players on a page, each with the colour of the disc beside it."""
    found = re.findall(r'fill="(#\w+)"[^>]*/></svg><span>(?:<a[^>]*>)?(\w+)', page.text)
    return [(name, fill) for fill, name in found]
