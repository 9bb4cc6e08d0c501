"""What a player begins, finds and writes on pages, who never mails: behind one link of a mail."""

from __future__ import annotations

import re
from urllib.parse import urlencode

import pytest

from pbm.features.accounts.preferences import PREFERENCES
from pbm.rules.phrases import Listing
from tests.conversations.test_archive import finish
from tests.harness.conversation import Conversation
from tests.harness.visitor import HOST, Page, Visitor

pytestmark = pytest.mark.config(web={"url": HOST})


def play(visitor: Visitor, page: Page, *steps: str) -> Page:
    """Click these steps and play the move."""
    for step in steps:
        page = visitor.follow(page, page.steps[step])
    return visitor.send(page, page.form("move"))


def begin(visitor: Visitor, home: str, game: str) -> Page:
    """The page on which boards of a game begin, by its form."""
    page = visitor.get(home)
    page = visitor.follow(page, next(url for url in page.links if url.endswith("/begin")))
    return visitor.follow(page, f"?game={game}")


def test_a_board_with_a_friend_begins_by_a_form(talk: Conversation, visitor: Visitor) -> None:
    talk.signup("ann", "bob")
    page = begin(visitor, talk.home("ann"), "hex")
    form = page.form("challenge")
    assert form.fields["size"] == "11"
    assert form.fields["nag"] == "7"
    late = visitor.send(page, form, userid="bob", nag="soon")
    assert "Not done: this field is a number of days" in late.says
    both = visitor.send(page, form, userid="bob", time="10d", total="60")
    problem = 'Not done: "a clock for the whole game" and this field cannot be combined.'
    assert problem in both.says
    shapes = begin(visitor, talk.home("ann"), "cradle")
    endless = visitor.send(
        shapes, shapes.form("challenge"), userid="bob", size="4", all_shapes="yes"
    )
    problem = 'Not done: "snakes and triangles too" with a size above 2 needs "how many '
    assert problem in endless.says
    wrong = visitor.send(page, form, userid="bob", size="99", title="Two words")
    assert wrong.status == 409
    assert wrong.says.count("Not done: this field is a number from 3 to 19") == 2
    assert re.search(r'name="size" [^>]*aria-invalid="true"', wrong.text)
    assert wrong.form("challenge").fields["title"] == "Two words"
    nobody = visitor.send(page, form, userid="bobb")
    assert re.search(r'name="userid"[^>]*aria-invalid="true" aria-describedby="wrong"', nobody.text)
    assert '<p class="problem" id="wrong">' in nobody.text
    assert "Not done: there is no player 'bobb': did you mean bob? " in nobody.says
    invited = visitor.send(page, form, userid="kim@far.example", size="5")
    assert "Done. What you have sent stands below." in invited.says
    assert "kim@far.example, to a game of Hex" in invited.says
    talk.any_mail("ann")
    talk.any_mail("kim@far.example")
    titles = re.findall("<option[^>]*>([^<]+)</option>", page.text)
    assert titles.index("Y") > titles.index("Xiangqi")
    page = visitor.send(page, form, userid="bob", size="5", title="Two words", text="Hello Bob!")
    assert "The board is made." in page.says
    assert page.url.partition("?")[0].endswith("/board/1")
    assert "Two words" in page.says
    assert talk.any_mail("ann").subject == "[hex 1] new board: ann, bob"
    assert "> Hello Bob!" in talk.any_mail("bob").text
    page = play(visitor, page, "c3")
    assert "It is bob's turn." in page.says
    talk.everything()


def test_the_same_form_begins_one_board(talk: Conversation, visitor: Visitor) -> None:
    talk.signup("ann", "bob")
    page = begin(visitor, talk.home("ann"), "hex")
    visitor.send(page, page.form("challenge"), userid="bob")
    twice = visitor.send(page, page.form("challenge"), userid="bob")
    assert twice.status == 409
    assert "has begun since this page was made" in twice.says
    again = visitor.send(twice, twice.form("challenge"))
    assert again.url.partition("?")[0].endswith("/board/2")
    assert visitor.changes == 2
    talk.everything()


def test_an_offer_is_made_and_taken_by_clicks(talk: Conversation, visitor: Visitor) -> None:
    talk.signup("ann", "bob")
    ann = begin(visitor, talk.home("ann"), "tictactoe")
    ann = visitor.send(ann, ann.form("seek"))
    assert "Your open offers stand below" in ann.says
    assert not any(form.fields.get("do") == "join" for form in ann.forms)
    talk.any_mail("ann")
    home = talk.home("bob")
    for path in ("/begin", "/game/tictactoe"):
        assert visitor.get(home + path).form("join").fields["offer"] == "1"
    assert all(form.fields.get("do") != "join" for form in visitor.get("/game/tictactoe").forms)
    page = visitor.get(f"{home}/begin")
    page = visitor.send(page, page.form("join"))
    assert "You have taken the offer." in page.says
    assert page.url.partition("?")[0].endswith("/board/1")
    assert "It is your move." in page.says
    talk.everything()


def test_an_offer_is_withdrawn_by_a_click(talk: Conversation, visitor: Visitor) -> None:
    """Also one that hides who makes it, wherever it stands; nobody takes an own one."""
    talk.signup("ann", "bob")
    home = talk.home("ann")
    for game, options in (("tictactoe", ""), ("dip", "-anonymous --players=3 --unrated")):
        talk.proves("bob", f"{game} seek {options}")
        talk.proves("ann", f"{game} seek {options}")
        talk.any_mail("ann")
        talk.any_mail("bob")
        page = visitor.get(f"{home}/game/{game}")
        assert [form.fields["do"] for form in page.forms if "do" in form.fields] == ["seek", "join"]
        page = visitor.send(page, page.form("seek"))
        assert [form.fields["do"] for form in page.forms if "do" in form.fields] == ["join"]
        assert "withdrawn" in talk.any_mail("ann").subject
    page = visitor.get(f"{home}/begin?game=dip")
    assert [form.fields["do"] for form in page.forms if "do" in form.fields].count("seek") == 1
    talk.everything()


def test_after_a_move_the_next_board_waits(talk: Conversation, visitor: Visitor) -> None:
    """For who came by the link of a player; that of a seat leads to no other board."""
    talk.signup("ann", "bob")
    mails = talk.challenge("hex", "ann", "bob")
    talk.challenge("tictactoe", "ann", "bob")
    home = talk.home("ann")
    page = visitor.get(f"{home}/board/1")
    assert "Next:" not in page.says
    page = play(visitor, page, "c3")
    assert "Next: Tic-Tac-Toe 2 waits for you" in page.says
    page = visitor.follow(page, "2")
    assert "It is your move." in page.says
    seat = visitor.get(mails[0].line("On the web: "))
    assert "Next:" not in seat.says
    assert not any("/u/" in url for url in seat.links)
    talk.everything()


def test_boards_are_filtered_and_watched(talk: Conversation, visitor: Visitor) -> None:
    talk.signup("ann", "bob", "carl")
    talk.challenge("hex", "ann", "bob")
    talk.challenge("tictactoe", "ann", "bob")
    finish(talk, "tictactoe", ["b2"])
    home = visitor.get(talk.home("ann"))
    assert home.text.count('loading="lazy"') == 2
    assert "Tic-Tac-Toe 2" in home.says
    assert "Tic-Tac-Toe 3" in home.says
    chosen = visitor.follow(home, "?game=hex")
    assert "Hex 1" in chosen.says
    assert "Tic-Tac-Toe 2" not in chosen.says
    assert "Tic-Tac-Toe 3" not in chosen.says
    page = visitor.get(f"{talk.home('carl')}/board/1")
    page = visitor.send(page, page.form("watch"))
    assert "You get the mails of this board." in page.says
    assert page.form("unwatch")
    talk.everything()


def test_letters_between_players(talk: Conversation, visitor: Visitor) -> None:
    """Once they have played together; before that a moderator reads them first."""
    talk.signup("ann", "bob")
    finish(talk, "tictactoe", ["b2"])
    page = visitor.get(f"{talk.home('ann')}/player/bob")
    assert any(url.endswith("/begin?with=bob") for url in page.links)
    page = visitor.send(page, page.form("message"), text="Shall we play?")
    assert "Your message is on its way" in page.says
    assert "Shall we play?" in talk.any_mail("bob").text
    talk.any_mail("ann")
    page = visitor.send(page, page.form("block"))
    assert page.form("unblock")
    talk.everything()


@pytest.mark.parametrize("verb", ["message", "chat"])
def test_words_that_are_sent_twice_go_out_once(
    talk: Conversation, visitor: Visitor, verb: str
) -> None:
    """Two clicks on one page; the same words from a page made later are words of their own."""
    talk.signup("ann", "bob")
    finish(talk, "tictactoe", ["b2"])
    board = talk.challenge("tictactoe", "ann", "bob")[0].line("On the web: ")
    url = f"{talk.home('ann')}/player/bob" if verb == "message" else board
    page = visitor.get(url)
    said = [visitor.send(page, page.form(verb), text="Again?").says for _ in range(2)]
    assert said[0] == said[1]
    assert said[0] != page.says
    assert [mail.address for mail in talk.everything()].count("bob@example.org") == 1
    talk.clock.advance(seconds=1)
    later = visitor.get(url)
    visitor.send(page, page.form(verb), text="Once more?")
    visitor.send(later, later.form(verb), text="Again?")
    heard = [mail.text for mail in talk.everything() if mail.address == "bob@example.org"]
    assert ["Once more?" in heard[0], "Again?" in heard[1]] == [True, True]


def test_old_boards_are_found(talk: Conversation, visitor: Visitor) -> None:
    talk.signup("ann", "bob")
    finish(talk, "chess", ["e4", "e5", "Nf3"])
    finish(talk, "chess", ["d4", "d5"])
    finish(talk, "tictactoe", ["b2", "a1"])
    page = visitor.get("/find?game=chess&players=bob&opening=e4")
    assert "./board/1" in page.links
    assert "./board/2" not in page.links
    opening = next(url for url in visitor.get("/game/chess").links if "opening=e4" in url)
    assert visitor.get(f"/game/{opening}").status == 200
    for wrong, value, problem in (
        ("players", "zoe", "no player, game or date"),
        ("when", "17/3/2026", "A date is written as 2026-03-17, 2026-03 or 2026."),
        ("event", "cup", "An event is named by its number."),
        ("opening", "e4", "Name the game whose opening it is"),
    ):
        page = visitor.get("/find?" + urlencode({"when": "2026-03", wrong: value}))
        assert problem in page.says
        assert re.findall(r'name="(\w+)"[^>]* aria-invalid', page.text) == [wrong]
    own = visitor.get(f"{talk.home('ann')}/find?players=bob")
    assert any(re.search("u/u.*/board/3", url) for url in own.links)


def test_boards_of_an_event_are_found(talk: Conversation, visitor: Visitor) -> None:
    talk.signup("ann", "bob")
    finish(talk, "tictactoe", ["b2", "a1"])
    talk.proves("ann", "event new roundrobin tictactoe --name=Cup")
    for who in ("ann", "bob"):
        talk.proves(who, "event enter 1")
    talk.passes(days=7)
    talk.everything()
    assert visitor.get("/find?event=1").links.keys().isdisjoint({"./board/1", "./board/2"})
    for who, line in (("ann", "2 b2"), ("bob", "2 b2"), ("ann", "2 a1"), ("bob", "2 a1")):
        talk.proves(who, f"tictactoe move {line}")
    talk.proves("ann", "tictactoe resign 2")
    talk.everything()
    found = visitor.get("/find?event=1")
    assert "./board/2" in found.links
    assert "./board/1" not in found.links
    assert "Finished boards, event 1" in found.says


def test_how_a_player_has_fared(talk: Conversation, visitor: Visitor) -> None:
    talk.signup("ann", "bob")
    finish(talk, "chess", ["e4", "e5", "Nf3"])
    finish(talk, "tictactoe", ["b2", "a1"])
    for path in ("/player/bob", f"{talk.home('ann')}/player/bob"):
        page = visitor.get(path)
        assert "100 percent played to their end" in page.says
        assert "Chess 0 0 1 Tic-Tac-Toe 1 0 0" in page.says
    assert "You against bob" in page.says


def test_press_is_written_and_read_on_the_page_of_a_seat(
    talk: Conversation, visitor: Visitor
) -> None:
    talk.signup("ann", "bob", "carl")
    mails = talk.challenge("dip", "ann", "bob", options="-map=franceaustria")
    ann, bob = (visitor.get(mail.line("On the web: ")) for mail in mails)
    nobody = visitor.send(ann, ann.form("press"), text="Hello?")
    assert re.search(r'name="reader"[^>]*aria-invalid="true"', nobody.text)
    ann = visitor.send(ann, ann.form("press"), reader="all", text="Let us have peace.")
    assert "The letter is sent." in ann.says
    assert "Let us have peace." in ann.says
    talk.everything()
    assert "Let us have peace." in visitor.get(bob.url).says
    for url in ("/board/1", f"{talk.home('carl')}/board/1"):
        assert "peace" not in visitor.get(url).text


def test_my_boards_are_shown_as_i_see_them(talk: Conversation, visitor: Visitor) -> None:
    talk.signup("ann", "bob", "carl")
    talk.challenge("chess", "ann", "bob", options="--private")
    talk.challenge("darkchess", "ann", "bob")
    page = visitor.get(talk.home("bob"))
    for number in (1, 2):
        assert f'board/{number}.svg"' in page.text
        own = visitor.get(f"{page.url}/board/{number}.svg")
        assert own.headers["content-type"] == "image/svg+xml"
        assert own.headers["cache-control"].startswith("private")
        public = visitor.get(f"/board/{number}.svg")
        assert public.status == (404 if number == 1 else 200)
        assert own.text != public.text
        assert own.text != visitor.get(f"{talk.home('ann')}/board/2.svg").text
        assert visitor.get(f"{talk.home('carl')}/board/{number}.svg").status == 404
    assert visitor.get(f"/u/u1-{'a' * 32}/board/1.svg").status == 404


def test_a_link_that_is_good_says_what_there_is_not(talk: Conversation, visitor: Visitor) -> None:
    talk.signup("ann")
    home = talk.home("ann")
    for base in (home, ""):
        page = visitor.get(f"{base}/player/zed")
        assert (page.status, "There is no player zed" in page.says) == (404, True)
    for path in ("board/99", "event/99", "game/none", "player/!"):
        page = visitor.get(f"{home}/{path}")
        assert (page.status, "There is no such page" in page.says) == (404, True), path
        assert "My boards" in page.says
    assert "This link opens nothing" in visitor.get(f"/u/u1-{'a' * 32}/player/zed").says


def test_the_game_that_is_played_most_is_offered_first(
    talk: Conversation, visitor: Visitor
) -> None:
    talk.signup("ann", "bob", "cat")
    homes = {name: talk.home(name) for name in ("ann", "cat")}

    def find_offered(name: str) -> list[str]:
        return re.findall(r'value="(\w+)" selected', visitor.get(f"{homes[name]}/begin").text)

    assert find_offered("ann") == ["chess"]
    talk.challenge("hex", "ann", "bob")
    assert find_offered("ann") == find_offered("cat") == ["hex"]
    talk.challenge("go", "cat", "bob")
    assert find_offered("cat") == ["go"]


def test_preferences_say_in_words_what_each_does(talk: Conversation, visitor: Visitor) -> None:
    talk.signup("ann")
    page = visitor.get(f"{talk.home('ann')}/settings")
    for preference in PREFERENCES:
        if isinstance(preference.allowed, Listing):
            assert preference.choices, preference.key
        for value, words in preference.choices:
            assert value not in ("yes", "no") or words != value
    chosen = {each.key: each.choices[0][0] for each in PREFERENCES if each.choices}
    page = visitor.send(page, page.form("set"), **chosen | {"forced": "yes", "news": "mine"})
    assert "Your preferences are changed." in page.says
    assert re.search(r'value="mine" selected>come when I am to move', page.text)
    assert re.search(r'value="yes" selected>is played for me', page.text)
    talk.everything()


def test_a_page_tells_who_resigned_in_the_second_person(
    talk: Conversation, visitor: Visitor
) -> None:
    talk.signup("ann", "bob")
    latest = talk.challenge("hex", "ann", "bob")
    latest = talk.plays(["c3", "d3"], "ann", "bob", latest=latest)
    talk.replies(latest[1], "resign")
    talk.everything()
    said = [visitor.get(each.line("On the web: ")).says for each in latest]
    assert "You won: bob resigns." in said[0]
    assert "ann won: you resigned." in said[1]
