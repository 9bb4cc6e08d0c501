"""Diplomacy by mail: orders are taken or refused one by one and echoed to their writer alone, and a
phase is adjudicated when the last are in."""

from __future__ import annotations

import re
from contextlib import closing
from email.message import EmailMessage
from html import unescape

import pytest

from pbm.config import Config, Database, Server
from pbm.games import get_game
from tests.harness.conversation import SERVER, Clock, Conversation
from tests.harness.databases import record
from tests.harness.mail import Mail
from tests.harness.servers import InProcess

POWERS = ("ann", "eve", "fred", "gerd", "ivo", "rita", "tom")
HOLDING = {
    "ann": "A BUD H; A VIE H; F TRI H",
    "eve": "A LVP H; F EDI H; F LON H",
    "fred": "A MAR H; A PAR H; F BRE H",
    "gerd": "A BER H; A MUN H; F KIE H",
    "ivo": "A ROM H; A VEN H; F NAP H",
    "rita": "A MOS H; A WAR H; F SEV H; F STP/SC H",
    "tom": "A CON H; A SMY H; F ANK H",
}


@pytest.fixture
def board(talk: Conversation) -> dict[str, Mail]:
    """The first mails of a board of seven."""
    talk.signup(*POWERS)
    return dict(zip(POWERS, talk.challenge("dip", *POWERS), strict=True))


def order(talk: Conversation, who: str, line: str = "", body: str = "") -> None:
    """Send orders."""
    talk.mails(who, f"dip move 1 {who} {talk.password(who)} {line}".strip(), body)


def test_a_phase_is_adjudicated_when_the_last_orders_are_in(
    talk: Conversation, board: dict[str, Mail]
) -> None:
    for who in POWERS[1:]:
        order(talk, who, HOLDING[who])
        mail = talk.any_mail(who)
        assert "Your orders: A " in mail.text
        talk.nothing_more()
    order(talk, "ann", "A VIE - GAL", "F TRI - ALB\nA BUD - SER")
    for who in POWERS:
        mail = talk.any_mail(who)
        said = " ".join(mail.text.split())
        assert "Fall 1901, movement" in said
        assert "Austria A VIE - GAL, F TRI - ALB, A BUD - SER" in said
        assert "sealed" not in said
    talk.nothing_more()


def test_orders_stand_in_the_body_of_a_reply(talk: Conversation, board: dict[str, Mail]) -> None:
    talk.replies(
        board["fred"],
        "Orders for Spring 1901:\n1. Army Paris -> Burgundy\n- F Brest to Mid-Atlantic Ocean\n"
        "A MAR - ATLANTIS\nThanks!",
    )
    mail = talk.any_mail("fred")
    said = " ".join(mail.text.split())
    assert "You ordered A PAR - BUR, F BRE - MAO." in said
    assert "Not taken: There is no province 'atlantis' on this map" in said
    assert "A MAR (Marseilles) may hold" in said
    assert "Without an order: A MAR." in said
    talk.replies(board["fred"], "A PAR H")
    assert "Your orders: F BRE - MAO, A PAR H." in " ".join(talk.any_mail("fred").text.split())
    talk.nothing_more()


def test_mails_speak_of_orders(talk: Conversation) -> None:
    """Not of moves and turns; and what is ordered is replaced, never taken back."""
    talk.signup("ann", "bob")
    mails = talk.agreed("dip", "ann", "bob", options="--nag=1 --deadline=3")
    order(talk, "ann", "A BUD - SER")
    mails += [talk.any_mail("ann")]
    order(talk, "bob", "A PAR - VIE")
    mails += [talk.any_mail("bob")]
    talk.passes(days=1.5)
    mails += talk.everything()
    for line in ("showas bob {} 1", "boards bob {}"):
        talk.mails("bob", line.format(talk.password("bob")))
        mails += [talk.any_mail("bob")]
    talk.replies(mails[2], "undo")
    mails += [talk.any_mail("ann")]
    assert "a later one replaces an earlier one" in " ".join(mails[-1].text.split())
    for mail in mails:
        for words in ("your move", "to move", "turn", "undo,"):
            assert words not in f"{mail.subject}\n{mail.text}".lower().replace("[tomove", ""), mail
    subjects = {mail.subject for mail in mails}
    assert subjects >= {
        "[dip 1] your orders awaited, you ordered A BUD - SER",
        "[dip 1] reminder: your orders",
    }


def test_a_power_ends_its_orders_or_holds_the_phase_open(talk: Conversation) -> None:
    talk.signup("ann", "bob")
    talk.challenge("dip", "ann", "bob")
    order(talk, "ann", "A BUD - SER")
    assert "Without an order: A VIE, F TRI." in talk.any_mail("ann").text
    talk.mails("ann", f"dip ready 1 ann {talk.password('ann')}")
    assert "Your orders: A BUD - SER." in talk.any_mail("ann").text
    talk.mails("bob", f"dip wait 1 bob {talk.password('bob')}")
    assert "You hold the phase open" in talk.any_mail("bob").text
    order(talk, "bob", body="A PAR H\nA MAR H\nF BRE H\nready")
    for who in ("ann", "bob"):
        assert "Fall 1901, movement" in talk.any_mail(who).text


def test_words_that_say_nothing_new_are_refused_by_themselves(talk: Conversation) -> None:
    """Also where orders stand beside them."""
    talk.signup("ann", "bob")
    talk.challenge("dip", "ann", "bob")
    order(talk, "ann", "ready; ready; A BUD - SER; vote none")
    said = " ".join(talk.any_mail("ann").text.split())
    assert "Your orders: A BUD - SER." in said
    assert "Not taken: your orders are complete already" in said
    assert "Not taken: that is your vote already" in said
    order(talk, "ann", "ready")
    said = " ".join(talk.any_mail("ann").text.split())
    assert said.startswith("Not done: your orders are complete already")
    talk.nothing_more()


def test_orders_that_cannot_be_taken_change_nothing(talk: Conversation) -> None:
    talk.signup("ann", "bob")
    talk.challenge("dip", "ann", "bob")
    order(talk, "ann", "A PAR - BUR")
    said = " ".join(talk.any_mail("ann").text.split())
    assert said.startswith("Not done: The unit in PAR (Paris) is French: A PAR")
    order(talk, "ann", body="A PAR - BUR\nA MAR - SPA\nA LVP - YOR\nF TRI - ROM")
    said = " ".join(talk.any_mail("ann").text.split())
    assert said.startswith(
        "Not done: The unit in PAR (Paris) is French: A PAR. Your units are A BUD, A VIE and "
        "F TRI. The unit in MAR (Marseilles) is French: A MAR; No unit stands in LVP (Liverpool). "
        "F TRI (Trieste) cannot go to ROM (Rome)."
    ), said
    order(talk, "ann")
    assert talk.any_mail("ann").text.startswith("Not done: the orders are missing")


def read_all(talk: Conversation) -> list[str]:
    """The texts of all mails that have come, each in one line."""
    return [" ".join(mail.text.split()) for mail in talk.everything()]


def test_at_the_deadline_units_without_orders_hold(talk: Conversation) -> None:
    """Only who is late is reminded."""
    talk.signup("ann", "bob")
    talk.agreed("dip", "ann", "bob", options="--nag=1 --deadline=3")
    order(talk, "ann", "A BUD H; A VIE H; F TRI H")
    talk.any_mail("ann")
    talk.passes(days=4)
    said = read_all(talk)
    assert any("Please order by" in text and "without an order hold" in text for text in said)
    ended = [text for text in said if "were not complete in time" in text]
    assert sum("your orders were not complete in time" in text for text in ended) == 1
    assert len(ended) == 2
    assert all("Fall 1901" in text for text in ended)


def test_the_last_to_order_does_not_win(talk: Conversation) -> None:
    """Whoever misses two movements is held for, then waited for; the board is then over without a
    result."""
    talk.signup("ann", "bob", "carl")
    talk.agreed("dip", "ann", "bob", options="--deadline=3")
    order(talk, "ann", "A BUD H; A VIE H; F TRI H")
    talk.passes(days=4)
    assert any("Fall 1901, movement" in text for text in read_all(talk))
    order(talk, "ann", "A BUD - SER; A VIE H; F TRI H")
    talk.passes(days=4)
    assert sum("France is late: orders are taken until" in text for text in read_all(talk)) == 2
    talk.passes(days=2)
    said = [text for text in read_all(talk) if "The phase waits for" in text]
    assert len(said) == 2
    assert not any("The game is over:" in text for text in said)
    talk.passes(days=4)
    mails = talk.everything()
    assert "After that the game ends without your orders." in " ".join(mails[0].text.split())
    said = [" ".join(mail.text.split()) for mail in mails]
    assert any("Nobody has come to go on with the game" in text for text in said)
    assert not any("won" in text for text in said)
    assert [mail.subject for mail in mails[-2:]] == ["[dip 1] cancelled (3)"] * 2
    talk.mails("carl", "dip show 1")
    assert "cancelled" in talk.any_mail("carl").text
    talk.mails("carl", "player ann")
    assert "1 won" not in " ".join(talk.any_mail("carl").text.split())


@pytest.mark.parametrize("who", ["bob", "carl"])
def test_whoever_is_waited_for_orders_or_is_replaced(talk: Conversation, who: str) -> None:
    talk.signup("ann", "bob", "carl")
    talk.agreed("dip", "ann", "bob", options="--deadline=3 -disorder=1")
    order(talk, "ann", "A BUD - SER; A VIE H; F TRI H")
    talk.passes(days=6)
    assert any("The phase waits for" in text for text in read_all(talk))
    if who == "carl":
        talk.mails("carl", f"dip takeover 1 carl {talk.password('carl')} france")
        assert any("took over France" in text for text in read_all(talk))
    order(talk, who, "A PAR H; A MAR H; F BRE H")
    said = read_all(talk)
    assert len(said) == 2
    assert all("Fall 1901, movement" in text and "A BUD - SER" in text for text in said)


def test_a_phase_that_the_master_ends_is_nobodys_missed_phase(talk: Conversation) -> None:
    talk.signup(*POWERS, "carl")
    talk.challenge("dip", *POWERS, options="--master=carl")
    order(talk, "tom", "A CON H; A SMY H; F ANK H")
    talk.everything()
    for phase in ("Fall 1901", "Spring 1902", "Fall 1902", "Spring 1903"):
        talk.mails("carl", f"dip master 1 carl {talk.password('carl')} process")
        said = read_all(talk)
        assert any(f"{phase}, movement" in text for text in said)
        assert not any("civil disorder" in text or "in time" in text for text in said)


def test_a_master_ends_the_wait_and_makes_nobody_win(talk: Conversation) -> None:
    talk.signup(*POWERS, "carl")
    talk.agreed("dip", *POWERS, options="--master=carl --deadline=3 -disorder=1")
    for who in ("tom", "ann"):
        order(talk, who, HOLDING[who])
    talk.mails("carl", f"dip master 1 carl {talk.password('carl')} vacate france")
    assert any("opened France" in text for text in read_all(talk))
    talk.passes(days=6)
    said = read_all(talk)
    assert any("The phase waits for" in text for text in said)
    late = [text for text in said if "orders are taken until" in text]
    assert len(late) == 7, "all are told, and each once"
    talk.mails("carl", f"dip master 1 carl {talk.password('carl')} process")
    said = read_all(talk)
    assert any("a draw of those who still order" in text for text in said)
    talk.mails("ann", "dip export 1")
    assert '"ranks": [1, 3, 7, 3, 3, 3, 1]' in " ".join(talk.any_mail("ann").text.split())


def test_phases_end_at_an_hour_of_the_day(talk: Conversation) -> None:
    """Whenever the phase before ended; only who is late is reminded."""
    talk.signup("ann", "bob")
    talk.mails("ann", f"set ann {talk.password('ann')} zone=Europe/Berlin")
    talk.any_mail("ann")
    mails = talk.agreed("dip", "ann", "bob", options="--deadline=2d@20:00 -disorder=9")
    assert "moves are due: 2d@20:00/Europe/Berlin" in mails[1].text
    assert "order by Wed 04 Mar 2026, 20:00 Europe/Berlin" in " ".join(mails[0].text.split())
    assert "order by Wed 04 Mar 2026, 19:00 UTC" in " ".join(mails[1].text.split())
    order(talk, "ann", "A BUD H; A VIE H; F TRI H")
    talk.any_mail("ann")
    talk.passes(days=2.25)
    assert [mail.address for mail in talk.everything()] == ["bob@example.org"]
    talk.passes(days=0.25)
    assert all("Fri 06 Mar 2026," in m.text and "Fall 1901" in m.text for m in talk.everything())
    talk.proves("ann", "dip challenge ann bob --deadline=3d@25:00 -years=5")
    said = " ".join(talk.any_mail("ann").text.split())
    assert said.startswith("Not done: a deadline is at an hour of the day")
    assert "dip challenge ann bob --deadline=3d@20:00 -years=5" in said


def test_late_orders_are_taken_in_a_time_of_grace(talk: Conversation) -> None:
    """Everybody is told once who is late; the phase ends with the grace, or the last orders."""
    talk.signup("ann", "bob")
    talk.agreed("dip", "ann", "bob", options="--deadline=3 -grace=48 -disorder=1")
    order(talk, "ann", "A BUD H; A VIE H; F TRI H")
    talk.passes(days=4)
    said = [" ".join(mail.text.split()) for mail in talk.everything()]
    assert (
        sum("France is late: orders are taken until Sat 07 Mar 2026" in text for text in said) == 2
    )
    assert not any("Fall 1901" in text for text in said)
    order(talk, "bob", "A PAR H; A MAR H; F BRE H")
    assert all("Fall 1901, movement" in mail.text for mail in talk.everything())
    order(talk, "ann", "A BUD H; A VIE H; F TRI H")
    talk.passes(days=6)
    assert any("The phase waits for France" in text for text in read_all(talk))


def test_where_all_are_late_the_phase_ends_all_the_same(talk: Conversation) -> None:
    """Units hold, and the board goes on."""
    talk.signup("ann", "bob")
    talk.agreed("dip", "ann", "bob", options="--nag=1 --deadline=3")
    talk.passes(days=4)
    said = [" ".join(mail.text.split()) for mail in talk.everything()]
    assert sum("Fall 1901, movement" in text for text in said) == 2
    assert not any("cancelled" in text for text in said)


def test_nobody_says_of_oneself_to_be_late(talk: Conversation) -> None:
    """That is for the clock: it would count for civil disorder."""
    talk.signup("ann", "bob")
    talk.challenge("dip", "ann", "bob")
    order(talk, "ann", "late")
    assert talk.any_mail("ann").text.startswith("Not done: ")
    assert "late" not in get_game("dip").setup(2).legal_moves(0)


def test_whoever_waits_and_is_ready_again_moves_no_deadline(talk: Conversation) -> None:
    talk.signup("ann", "bob")
    talk.agreed("dip", "ann", "bob", options="--deadline=3")
    order(talk, "ann", "A BUD H; A VIE H; F TRI H")
    until = [line for line in talk.any_mail("ann").lines if "Please" in line]
    for day in range(3):
        talk.passes(days=0.5)
        for word in ("wait", "ready"):
            talk.mails("ann", f"dip {word} 1 ann {talk.password('ann')}")
            talk.any_mail("ann")
        assert not until, day
    talk.passes(days=3)
    said = [mail.text for mail in talk.everything()]
    assert sum("Fall 1901, movement" in text for text in said) == 2


def test_a_ballot_is_secret_until_it_ends_the_game(talk: Conversation) -> None:
    talk.signup("ann", "bob", "carl")
    talk.challenge("dip", "ann", "bob", "carl")
    talk.mails("carl", f"dip vote 1 carl {talk.password('carl')} draw")
    assert "Your vote draw stands, unseen by the others." in talk.any_mail("carl").text
    talk.mails("carl", f"dip vote 1 carl {talk.password('carl')} for mercy")
    assert "a vote is one of these" in " ".join(talk.any_mail("carl").text.split())
    talk.mails("carl", f"dip vote 1 carl {talk.password('carl')} solo spain")
    said = " ".join(talk.any_mail("carl").text.split())
    assert "powers that are still in the game: England, France and Germany." in said
    assert "dip move 1 carl PASSWORD vote draw" in said
    order(talk, "ann", "vote draw")
    talk.any_mail("ann")
    for line in ("dip show 1", "dip export 1", f"dip showas bob {talk.password('bob')} 1"):
        talk.mails("bob", line)
        assert b"vote" not in talk.any_mail("bob").raw.lower(), line
    talk.nothing_more()
    order(talk, "bob", "vote draw")
    for who in ("ann", "bob", "carl"):
        said = " ".join(talk.any_mail(who).text.split())
        assert "a draw of England, France and Germany, for which all have voted" in said


def test_nothing_of_an_order_is_in_what_others_are_sent(talk: Conversation) -> None:
    """Neither where the board is shown nor in its record, before the phase is over."""
    talk.signup("ann", "bob", "carl")
    talk.challenge("dip", "ann", "bob")
    order(talk, "bob", "A MAR - PIE; F BRE H; A PAR - GAS")
    assert "A MAR - PIE" in talk.any_mail("bob").text
    for who, line in (
        ("carl", "dip show 1"),
        ("carl", "dip show 1#2"),
        ("carl", "dip export 1"),
        ("carl", "show 1"),
        ("ann", f"dip showas ann {talk.password('ann')} 1"),
        ("ann", f"dip note 1 ann {talk.password('ann')}"),
        ("ann", f"dip chat 1 ann {talk.password('ann')} What will you do?"),
        ("ann", f"dip move 1 ann {talk.password('ann')} A BUD H"),
    ):
        talk.mails(who, line)
        for mail in talk.everything():
            assert "PIE" not in mail.text.upper(), line
            assert mail.address.startswith("bob") or "GAS" not in mail.text.upper(), line


def test_chaos_begins_by_an_open_offer(talk: Conversation) -> None:
    """The map says for how many; while players join, only the maker hears of it."""
    people = [f"player{number}" for number in range(1, 35)]
    talk.signup(*people[:20])
    talk.passes(days=1.5)
    talk.signup(*people[20:])
    talk.everything()
    talk.mails("player1", f"dip seek player1 {talk.password('player1')} -map=chaos")
    assert "34" in talk.any_mail("player1").text
    for number, who in enumerate(people[1:-1]):
        talk.mails(who, f"dip join 1 {who} {talk.password(who)}")
        told = {"player1", who} if number < 12 else {who}  # the maker gets the rest in a summary
        assert {m.address.split("@")[0] for m in talk.everything()} == told
    talk.mails("player34", f"dip join 1 player34 {talk.password('player34')}")
    mails = talk.everything()
    assert sorted(mail.address for mail in mails) == sorted(f"{who}@example.org" for who in people)
    for mail in mails:
        assert "Winter 1900, adjustments" in mail.text
        assert max(map(len, mail.lines)) <= 78
        assert len(mail.lines) < 200
    order(talk, "player2", "A ANK B")
    assert "Your orders: A ANK B." in talk.any_mail("player2").text
    talk.nothing_more()


def test_a_phase_of_seven_ends_in_one_transaction(sqlite_url: str) -> None:
    """The position that follows from sealed orders, and the mails to all who play, are committed at
    once."""
    config = Config(server=Server(address=SERVER), database=Database(sqlite_url))
    server = InProcess(config, Clock())
    with closing(server):
        talk = Conversation(server, server.clock, confirms=True)
        talk.signup(*POWERS)
        talk.challenge("dip", *POWERS)
        position = get_game("dip").setup(7)
        *early, last = sorted(position.to_move)
        for seat in early:
            who = POWERS[seat]
            body = "\n".join(position.advise(seat))
            talk.mails(who, f"dip move 1 {who} {talk.password(who)}", body)
        talk.everything()
        said = record(server.store)
        body = "\n".join(position.advise(last))
        talk.mails(POWERS[last], f"dip move 1 {POWERS[last]} {talk.password(POWERS[last])}", body)
        assert len(talk.everything()) == 7
    written = [line.partition("(")[0].split()[:3] for line in said]
    moved = written.index(["UPDATE", "boards", "SET"])
    ended = written.index(["COMMIT"], moved)
    begun = max(at for at, words in enumerate(written[:moved]) if words[:1] == ["BEGIN"])
    mails = [at for at, words in enumerate(written) if words == ["INSERT", "INTO", "outbound"]]
    assert len(mails) == 7
    assert begun < min(mails) <= max(mails) < ended


@pytest.mark.config(players={"pictures": True})
def test_orders_stand_below_the_picture(talk: Conversation) -> None:
    """Who reads the page of a mail reads what was ordered, and what one has ordered, in lines that
    flow; the picture stands for what is where."""
    talk.signup("ann", "bob")
    talk.challenge("dip", "ann", "bob")
    order(talk, "ann", "A BUD - SER; A VIE - GAL; F TRI - ALB")
    talk.everything()
    order(talk, "bob", "A PAR - BUR; A MAR S A PAR - BUR; ready")
    talk.everything()
    order(talk, "bob", "A BUR - MUN")
    mail = talk.any_mail("bob")
    _, related = mail.message.iter_parts()
    assert isinstance(related, EmailMessage)
    page = next(related.iter_parts())
    assert isinstance(page, EmailMessage)
    html = page.get_content()
    said = " ".join(unescape(re.sub(r"<[^>]+>", " ", html.partition("<img")[2])).split())
    assert "Orders of Spring 1901, movement Austria A BUD - SER, A VIE - GAL, F TRI - ALB" in said
    assert "France A PAR - BUR, A MAR S A PAR - BUR" in said
    assert "Your orders: A BUR - MUN." in said
    assert "<b>Austria</b> A BUD - SER" in html
    assert "3 centres: BRE MAR PAR" not in html
    assert len(mail.raw) < 60_000
