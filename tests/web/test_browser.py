"""The pages in Debian's Chromium: played by clicks and by keyboard, read by axe-core, at the width
of a phone, within their budget."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator
from pathlib import Path
from random import Random
from urllib.parse import quote, urlsplit

import axe_playwright_python
import msgspec
import pytest
from playwright.sync_api import Browser, Page, Response
from starlette.routing import Route

from pbm.features.analysis import queue as analysis_queue
from pbm.features.analysis.views import AnalysedTurn, Analysis
from pbm.games import get_game, list_shown_names
from pbm.locale import LANGUAGES
from pbm.locale.scenes import translate_scene
from pbm.rules.drawing.svg import draw_svg
from pbm.web.board_pictures import allow_style, with_style
from pbm.web.site import STYLE, load_templates
from tests.harness.visitor import Club, options_for
from tests.rules.drawing.test_svg import drawn_games
from tools.gallery import sample
from tools.games.clicks import list_clicks
from tools.web.clicker import PATIENCE_MS, Clicker, open_context, play_out

_AXE = Path(axe_playwright_python.__file__).with_name("axe.min.js").read_text(encoding="utf-8")
_RUN_AXE = "async () => (await axe.run()).violations.map(v => v.id + ': ' + v.nodes[0].html)"
_FOCUSED = """(() => {
    const focused = document.activeElement;
    return focused.getAttribute('href') || focused.textContent;
})()"""
"""The link or the label of what has the keyboard."""
_WIDEST = """[document.documentElement, ...document.querySelectorAll('body *')].filter(
    each => each.scrollWidth > 390 || each.tagName === 'PRE' && each.scrollWidth > each.clientWidth
).map(each => each.outerHTML.slice(0, 100))"""
"""What is wider than a phone, or scrolls sideways."""
_WIDE = ("battleship", "go", "cradle", "spacetruckin", "backgammon", "dip")
_PLIES = 13
"""How many moves are played of the first of these: a list that names ships is text with links."""
_BUDGET, _LARGEST = 60_000, 300_000
_BY_CODE = "/c/{code}"
"""The page of a code, which only a signup brings; the evening in test_joining reads it."""
_MAPS = ((7, "colonial"), (2, "franceaustria"), (3, "western"), (5, "ancmed"), (10, "modern"))
"""The maps of Diplomacy besides that of its sample, for how many."""
_OVERLAPS = """async () => {
    await document.fonts.load('700 12px "Pbm Board"');
    const texts = [...document.querySelectorAll('svg > text')].map(each => {
        const box = each.getBoundingClientRect(), inset = 0.22 * box.height;
        return {
            words: each.textContent, left: box.left + 1, right: box.right - 1,
            top: box.top + inset, bottom: box.bottom - inset,
        };
    });
    const picture = document.querySelector('svg').getBoundingClientRect();
    const cut = texts.filter(one => one.left < picture.left || one.right > picture.right);
    const pairs = texts.flatMap((one, at) => texts.slice(at + 1).filter(other =>
        one.left < other.right && other.left < one.right
        && one.top < other.bottom && other.top < one.bottom
    ).map(other => one.words + ' | ' + other.words));
    return [document.fonts.check('700 12px "Pbm Board"'), [...pairs, ...cut.map(one => one.words)]];
}"""
"""Whether the font of pictures is there, and the texts that lie on each other or are cut off."""


def measure(answers: list[Response]) -> dict[str, int]:
    """The sizes of what a server sent, by URL; not of what is within a page."""
    return {each.url: len(each.body()) for each in answers if not each.url.startswith("data:")}


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    """A window without JavaScript."""
    context = open_context(browser)
    yield context.new_page()
    context.close()


def test_a_printed_board_has_all_its_moves(club: Club, page: Page) -> None:
    board = analyse_lost_board(club)
    page.goto(f"{club.url}/board/{board}")
    assert "a decisive mistake" in page.content()
    page.emulate_media(media="print", color_scheme="dark")
    shown = page.evaluate("""() => {
        const list = document.querySelector('.scroll'), style = getComputedStyle(document.body);
        return [list.scrollHeight - list.clientHeight, style.color, style.backgroundColor,
                getComputedStyle(document.querySelector('header')).display];
    }""")
    assert shown == [0, "rgb(0, 0, 0)", "rgb(255, 255, 255)", "none"]
    club.submit(f"chess chat {board} bob\nWell played!")
    page.goto(club.links(board)[0])
    titles = page.locator("h2:visible").all_inner_texts()
    assert "Chat" in titles
    assert "What else you can do" not in titles


@pytest.mark.parametrize("game", [pytest.param("hex", marks=pytest.mark.long), "tictactoe"])
def test_a_game_by_clicks(club: Club, page: Page, game: str) -> None:
    board = club.challenge(game, "ann", "bob", options=options_for(game))
    clicker = Clicker(page)
    assert play_out(club, clicker, board, Random(game)) > 4
    assert max(clicker.clicks) <= 4
    page.goto(club.links(board)[0])
    assert page.get_by_role("button", name="Play again").count() == 1


def test_a_game_by_keyboard(club: Club, page: Page) -> None:
    board = club.challenge("tictactoe", "ann", "bob")
    links = club.links(board)
    for _ in range(9):
        state, to_move = club.state(board)
        if state != "running":
            break
        page.goto(links[min(to_move)])
        for _ in range(40):
            page.keyboard.press("Tab")
            focused = page.evaluate(_FOCUSED)
            if "?m=" in focused or focused == "Play this move":
                with page.expect_navigation():
                    page.keyboard.press("Enter")
                if page.locator(".done").count():
                    break
    assert club.state(board)[0] == "over"


def analyse_lost_board(club: Club) -> int:
    """A board that is over and analysed; its number."""
    board = club.challenge("chess", "ann", "bob")
    for number, move in enumerate(("f3", "e5", "g4", "Qh4")):
        club.submit(f"chess move {board} {('ann', 'bob')[number % 2]} {move}")
    turn = AnalysedTurn(at=2, seat=0, played="g4", better="e4", before=0.4, after=0.0)
    curve = tuple(enumerate((0.5, 0.45, 0.4, 0.0, 0.0)))
    result = msgspec.json.encode(Analysis(by="", turns=(turn,), curve=curve)).decode()
    with club.store.writing() as session:
        analysis_queue.enqueue_analysis(session, board, club.load(board).number, time.time())
        analysis_queue.finish_analysis(session, board, result, time.time())
    return board


@pytest.fixture(scope="module")
def invitation(club: Club) -> str:
    """The link of an invitation to a server on which there are an event and a club, too."""
    club.submit("event new roundrobin hex ann")
    club.submit("event enter 1 ann")
    club.submit("club new rooks ann")
    club.mails("ann", "invite ann Sesame-ann kim@far.example hex")
    return club.mailed_link("kim@far.example", "join")


@pytest.mark.parametrize("width", [390, pytest.param(1200, marks=pytest.mark.long)])
def test_axe_finds_nothing_and_no_page_is_wider_than_a_phone(
    club: Club, browser: Browser, invitation: str, width: int
) -> None:
    """Each kind of page, dark on a phone and light in a wide window; none has a script or is
    large."""
    board, analysed = club.challenge("chess", "ann", "bob"), analyse_lost_board(club)
    link, home = club.links(board)[0], club.home("ann")
    shared = ("/events?game=hex", "/event/1", "/find?game=chess", "/player/bob", "/game/hex")
    public = ("/", "/games", "/how", "/curious", "/help/dice", "/game/hex/ratings", "/join")
    boards = [club.challenge(game, "ann", "bob") for game in _WIDE]
    sea = boards[0]
    for _ in range(_PLIES):
        loaded = club.load(sea)
        seat = min(loaded.position.to_move)
        move = loaded.position.legal_moves(seat)[0]
        club.submit(f"battleship move {sea} {('ann', 'bob')[seat]} {move}")
    paths = [
        *(f"{link}{more}" for more in ("", "?m=e2", "?m=e2&m=e4", "/try?t=e2e4&t=e7e5&t=g1f3")),
        *(club.links(each)[0] for each in boards),
        *(f"{club.url}{path}" for path in (*public, *shared, "/clubs", "/club/rooks", "/nothing")),
        *(f"{club.url}/{path}" for path in (f"board/{board}", f"board/{analysed}")),
        f"{club.url}/s/1-0-{'a' * 32}",
        *club.stop_links("ann"),
        invitation,
        *(f"{home}{path}" for path in ("", "/begin?game=chess", "/settings", *shared)),
        *(f"{home}{path}" for path in ("/clubs", "/club/rooks", "/game/hex/ratings")),
        *(f"{at}/board/{board}{more}" for at in (home, club.url) for more in ("", "/try")),
    ]
    visited = {urlsplit(path).path for path in paths}
    for route in list_pages(club):
        assert any(map(route.path_regex.fullmatch, visited)) or route.path == _BY_CODE, route.path
    context = browser.new_context(
        bypass_csp=True,
        color_scheme="dark" if width == 390 else "light",
        viewport={"width": width, "height": 844},
    )
    context.set_default_timeout(PATIENCE_MS)
    page = context.new_page()
    answers: list[Response] = []
    page.on("response", lambda answer: answers.append(answer))
    for path in paths:
        answers.clear()
        page.goto(path)
        page.wait_for_load_state("networkidle")
        assert sum(measure(answers).values()) < _LARGEST, path
        assert page.locator("script").count() == 0, path
        assert width > 390 or page.evaluate(_WIDEST) == [], path
        page.evaluate("document.querySelectorAll('details').forEach(each => each.open = true)")
        page.evaluate(_AXE)
        assert page.evaluate(_RUN_AXE) == [], path
    context.close()


def list_pages(club: Club) -> list[Route]:
    """The routes of pages, not of files or of programs."""
    routes = [route for route in club.list_routes() if "GET" in (route.methods or ())]
    return [route for route in routes if "." not in route.path and route.path != "/xfcc"]


@pytest.mark.parametrize("width", [390, pytest.param(1200, marks=pytest.mark.long)])
def test_boards_begin_end_and_are_found_by_clicks(club: Club, browser: Browser, width: int) -> None:
    """From the pages of a player and of a game: a friend, who is named on the form or has only an
    address, an offer that another takes, a rematch; moves that are tried, and old boards."""
    context = open_context(browser, width=width)
    page, main = (made := context.new_page()), made.locator("main")
    ann, bob = club.home("ann"), club.home("bob")

    def press(name: str, last: str = "") -> None:
        page.get_by_role("button", name=name, exact=True).first.click()
        assert last in main.inner_text()

    def follow(name: str) -> None:
        page.get_by_role("link", name=name, exact=True).first.click()

    # A friend, from that player's page; what is wrong is said at its field
    page.goto(f"{ann}/player/bob")
    follow("Play bob")
    page.locator("#game").select_option("tictactoe")
    press("Choose this game")
    assert page.locator("#challenge-tictactoe-userid").input_value() == "bob"
    page.get_by_text("Options of the game, the clock and the board").first.click()
    assert page.locator("#challenge-tictactoe-size").input_value() == "3"
    page.locator("#challenge-tictactoe-size").fill("77")
    press("Challenge", "Not done: this field is a number from 3 to")
    assert page.locator("[aria-invalid]").get_attribute("name") == "size"
    page.locator("#challenge-tictactoe-size").fill("3")
    press("Challenge", "The board is made.")

    # An address, from the page of a game
    page.goto(f"{ann}/game/tictactoe")
    follow("Begin a game")
    page.locator("#challenge-tictactoe-userid").fill(f"far{width}@far.example")
    press("Challenge", f"far{width}@far.example, to a game of Tic-Tac-Toe")

    # An offer, which another takes and plays to the end, and again
    page.goto(f"{ann}/begin?game=tictactoe")
    page.get_by_text("Play whoever takes the offer").click()
    press("Make this offer", "Your open offers stand below")
    page.goto(f"{bob}/begin?game=tictactoe")
    press("Play", "You have taken the offer.")
    board = int(urlsplit(page.url).path.rpartition("/")[2])
    for move in ("a1", "b1", "a2", "b2", "a3"):
        seat = min(club.state(board)[1])
        home = ann if club.load(board).seats[seat].userid == "ann" else bob
        page.goto(f"{home}/board/{board}?m={move}")
        press("Play this move", "waits for you" if home == ann else "Played.")
    press("Play again with the seats swapped", "A new board starts")

    # Moves are tried on it, with a variation, and kept
    page.goto(f"{ann}/board/{urlsplit(page.url).path.rpartition('/')[2]}/try")
    for move in ("b2", "a1"):
        follow(move)
    page.locator(".tree a").first.click()
    follow("c3")
    press("Keep these variations", "Your variations are changed.")
    page.goto(page.url.partition("?")[0])
    assert [line.split(": ")[-1] for line in page.locator(".tree li").all_inner_texts()] == [
        "a1",
        "c3",
    ]

    # An old board, by the opening on the page of its game
    page.goto(f"{ann}/game/tictactoe")
    follow("a1")
    assert f"Tic-Tac-Toe {board}" in main.inner_text()
    page.locator("#players").fill("carl")
    press("Find", "No board that has ended is so.")
    context.close()


@pytest.mark.sampled(3)
@pytest.mark.parametrize("language", LANGUAGES)
def test_the_header_is_one_line_on_a_phone(club: Club, browser: Browser, language: str) -> None:
    context = browser.new_context(locale=language, viewport={"width": 390, "height": 844})
    context.set_default_timeout(PATIENCE_MS)
    page = context.new_page()
    club.submit(f"set ann language={language}")
    for url in (f"{club.url}/", club.home("ann")):
        page.goto(url)
        middles = page.evaluate("""[...document.querySelectorAll('header a')].map(
            each => each.getBoundingClientRect()).map(box => (box.top + box.bottom) / 2)""")
        assert len(middles) > 2
        assert max(middles) - min(middles) < 4, url
    club.submit("set ann language=en")
    context.close()


@pytest.mark.sampled(3)
@pytest.mark.parametrize("game", ["chess", "cradle", "go", "spacefighters", "battleship", "dip"])
def test_a_board_page_is_small_and_asks_for_two_things(club: Club, page: Page, game: str) -> None:
    board = club.challenge(game, "ann", "bob")
    answers: list[Response] = []
    page.on("response", lambda answer: answers.append(answer))
    page.goto(club.links(board)[0])
    page.wait_for_load_state("networkidle")
    sizes = measure(answers)
    assert len(sizes) == 2
    assert sum(sizes.values()) <= _BUDGET, sizes


@pytest.mark.sampled(4)
@pytest.mark.parametrize("part", range(4))
def test_no_text_of_a_picture_lies_on_another(page: Page, part: int) -> None:
    style = load_templates()[STYLE]
    shown = [(name, sample(name).scene(), sample(name).position) for name in drawn_games()]
    for count, name in _MAPS:
        position = get_game("dip").setup(count, {"map": name})
        shown.append((name, position.scene(), position))
    for name, scene, position in shown[part::4]:
        svg = draw_svg(scene, position.colours)
        page.set_content(f"<!doctype html><style>{style}</style><div class=board>{svg}</div>")
        assert page.evaluate(_OVERLAPS) == [True, []], name


def test_letters_that_the_style_sheet_lacks_come_with_the_picture(page: Page) -> None:
    """Those of the languages; a picture without any of them brings none."""
    style, position = load_templates()[STYLE], get_game("dip").setup(7)
    for language, fonts in (("en", 1), ("de", 2)):
        scene = translate_scene(position.scene(), language)
        svg, source = with_style(draw_svg(scene, position.colours))
        (rules,) = re.findall("<style>(.*?)</style>", svg, re.DOTALL)
        assert source == allow_style(rules)
        page.set_content(f"<!doctype html><style>{style}</style><div class=board>{svg}</div>")
        loaded = page.evaluate(
            """async () => (await document.fonts.load('700 12px "Pbm Board"', '\u00fc')).length"""
        )
        assert loaded == fonts, language
        assert page.evaluate(_OVERLAPS) == [True, []]


def test_the_page_of_games_has_a_picture_of_each(club: Club, page: Page) -> None:
    """In one file. The front page has those of a few, and beside them boards."""
    answers: list[Response] = []
    page.on("response", lambda answer: answers.append(answer))
    page.goto(f"{club.url}/")
    page.wait_for_load_state("networkidle")
    sizes = measure(answers)
    live = {url for url in sizes if re.search(r"/board/[0-9]+\.svg$", url)}
    assert len(live) == page.locator(".live img").count() <= 3
    assert sizes.keys() - live == {f"{club.url}/{path}" for path in ("", "style.css", "games.webp")}
    assert sizes[f"{club.url}/games.webp"] <= _BUDGET
    assert page.locator(".thumb").count() <= 8
    page.goto(f"{club.url}/games")
    places = page.locator(".thumb").evaluate_all(
        "all => all.map(each => getComputedStyle(each).backgroundImage"
        " + getComputedStyle(each).backgroundPosition)"
    )
    assert len(set(places)) == len(places) == len(list_shown_names())
    assert all("games.webp" in place for place in places)


def test_the_front_page_is_short_on_a_phone(club: Club, browser: Browser) -> None:
    context = open_context(browser, width=390)
    page = context.new_page()
    page.goto(f"{club.url}/")
    assert page.evaluate("document.documentElement.scrollHeight") < 4000
    context.close()


def test_a_list_of_moves_ends_with_all_of_the_last(page: Page) -> None:
    """Also with what it brought about, which may be longer than a line."""
    remark = f"<small>{'a wormhole ' * 20}</small>"
    rows = [f"<li class=wordy><a href='?at={at}'>{at}</a> {remark}</li>" for at in range(8)]
    rows.append(rows[-1].replace("<a ", "<a aria-current=true "))
    page.set_content(
        f"<!doctype html><style>{load_templates()[STYLE]}</style>"
        f"<div class=scroll><ol class=moves>{''.join(rows)}</ol></div>"
    )
    assert page.evaluate("document.querySelector('.scroll').scrollTop") == 0, "its end"


_PLAY_AT = """(() => {
    const all = [...document.querySelectorAll('button')];
    const box = all.find(each => each.textContent === 'Play this move').getBoundingClientRect();
    return [box.top, box.bottom];
})()"""


@pytest.mark.sampled(3)
@pytest.mark.parametrize("game", ["chess", "hex", "battleship", "spacetruckin", "backgammon"])
def test_the_button_that_plays_is_in_sight(club: Club, browser: Browser, game: str) -> None:
    """Without scrolling, at the size of a screen and of a phone."""
    board = club.challenge(game, "ann", "bob", options=options_for(game))
    loaded = club.load(board)
    seat = min(loaded.position.to_move)
    clicks = list_clicks(loaded.position, seat, loaded.position.legal_moves(seat)[0])
    query = "&".join(f"m={quote(step)}" for step in clicks)
    for width, height in ((1200, 900), (390, 844)):
        context = browser.new_context(
            java_script_enabled=False, viewport={"width": width, "height": height}
        )
        context.set_default_timeout(PATIENCE_MS)
        page = context.new_page()
        page.goto(f"{club.links(board)[seat]}?{query}")
        top, bottom = page.evaluate(_PLAY_AT)
        assert top > 0, (game, width)
        assert bottom <= height, (game, width)
        context.close()


def test_the_picture_of_a_board_for_previews(club: Club, page: Page) -> None:
    board = club.challenge("chess", "ann", "bob")
    page.goto(f"{club.url}/board/{board}")
    named = page.locator("meta[property='og:image']").get_attribute("content")
    assert named == f"{club.config.web.url}/board/{board}.png"
    answer = page.goto(f"{club.url}/board/{board}.png")
    assert answer is not None
    assert answer.headers["content-type"] == "image/png"
    assert page.evaluate("document.images[0].naturalWidth") > 400


def test_no_secret_in_the_log(club: Club, page: Page) -> None:
    board = club.challenge("hex", "ann", "bob")
    link = club.links(board)[0]
    page.goto(link)
    assert page.locator("h1").inner_text() == f"Hex {board}"
    assert re.search(r"[a-z2-7]{32}", club.log.read_text()) is None
