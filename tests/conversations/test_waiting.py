"""Moves that wait: queued for one's turn, or submitted and looked at before they are confirmed."""

from __future__ import annotations

import re
from urllib.parse import unquote

import pytest

from tests.harness.conversation import Conversation
from tests.harness.mail import Mail


@pytest.fixture
def mails(talk: Conversation) -> list[Mail]:
    """The first mails of a board of hex between ann and bob."""
    talk.signup("ann", "bob")
    return talk.challenge("hex", "ann", "bob")


@pytest.mark.postgresql
def test_a_queued_move_is_played_when_the_turn_comes(talk: Conversation, mails: list[Mail]) -> None:
    talk.mails("bob", f"hex queue 1 bob {talk.password('bob')} e5", "As always.")
    talk.receives("bob", "[hex 1] queued: e5", "queue none")
    talk.mails("bob", "hex show 1")
    talk.receives("bob", "[hex 1] ann to move (1)")
    talk.mails("ann", f"hex move 1 ann {talk.password('ann')} d4", "Hello!")
    talk.receives(
        "ann",
        "[hex 1] your move (3), you played d4, bob played e5",
        "Your move in 21 days: you played d4. bob played e5 as planned.",
        "bob writes:\n> As always.",
        "Passed on to bob:\n> Hello!",
    )
    mail = talk.receives(
        "bob",
        "[hex 1] ann to move (3), ann played d4, you played e5",
        "ann played d4. You played e5 as planned. It is ann's turn (3).",
        "ann writes:\n> Hello!",
        "Passed on to ann:\n> As always.",
    )
    assert "your move" not in mail.text.lower()


def test_queued_moves_answer_queued_moves_in_one_mail(talk: Conversation) -> None:
    """With three players each gets one mail about the whole chain, watchers too."""
    people = ("ann", "bob", "carl")
    talk.signup(*people, "dora")
    talk.challenge("cradle", *people, options="-size=3")
    talk.mails("dora", f"cradle watch 1 dora {talk.password('dora')}")
    talk.any_mail("dora")
    for who, move in (("bob", "i1,g2,h2,i2"), ("carl", "b3,c3,b4,c4")):
        talk.mails(who, f"cradle queue 1 {who} {talk.password(who)} {move}", f"By {who}.")
        talk.receives(who, f"[cradle 1] queued: {move}")
    talk.mails("ann", f"cradle move 1 ann {talk.password('ann')} c1,d1,e1,c2")
    told = {who: talk.any_mail(who) for who in (*people, "dora")}
    for who, mail in told.items():
        said = " ".join(mail.text.split())
        for mover, move in (
            ("ann", "c1,d1,e1,c2"),
            ("bob", "i1,g2,h2,i2"),
            ("carl", "b3,c3,b4,c4"),
        ):
            planned = "" if mover == "ann" else " as planned"
            teller = "you" if who == mover else mover
            assert f"{teller} played {move}{planned}." in said.replace("You", "you"), mail
        assert ("By bob." in said) is (who != "dora")
        assert mail.fact("ToMove") == "ann"


def test_who_wants_no_copies_hears_of_the_answer(talk: Conversation, mails: list[Mail]) -> None:
    talk.mails("ann", f"set ann {talk.password('ann')} own=no")
    talk.receives("ann", "[pbm] preferences of ann changed")
    talk.mails("bob", f"hex queue 1 bob {talk.password('bob')} e5")
    talk.receives("bob", "[hex 1] queued: e5")
    talk.replies(mails[0], "d4")
    talk.receives("ann", "[hex 1] your move (3), you played d4, bob played e5")
    talk.receives("bob", "[hex 1] ann to move (3), ann played d4, you played e5")


def test_both_queue(talk: Conversation, mails: list[Mail]) -> None:
    """A queued move answers each move that comes."""
    ann, bob = talk.password("ann"), talk.password("bob")
    talk.mails("bob", f"hex queue 1 bob {bob} e5")
    talk.receives("bob", "[hex 1] queued: e5")
    talk.mails("ann", f"hex move 1 ann {ann} d4")
    talk.any_mail("ann")
    talk.any_mail("bob")
    talk.mails("bob", f"hex queue 1 bob {bob} f6")
    talk.receives("bob", "[hex 1] queued: f6")
    talk.mails("ann", f"hex move 1 ann {ann} c3")
    talk.receives("ann", "[hex 1] your move (5), you played c3, bob played f6")
    talk.receives("bob", "[hex 1] ann to move (5), ann played c3, you played f6")


@pytest.mark.postgresql
def test_a_queued_move_that_no_longer_fits(talk: Conversation, mails: list[Mail]) -> None:
    """The mail about the move that came says it; nobody else learns what was queued."""
    talk.mails("bob", f"hex queue 1 bob {talk.password('bob')} d4")
    talk.receives("bob", "[hex 1] queued: d4", "d4 will be played the moment it is your turn")
    talk.mails("ann", f"hex move 1 ann {talk.password('ann')} d4")
    own = talk.receives("ann", "[hex 1] bob to move (2), you played d4")
    assert "queued" not in own.text
    mail = talk.receives(
        "bob",
        "[hex 1] your move (2), ann played d4",
        "Your queued move d4 was not played: ",
        "Reply with your move, for instance ",
    )
    talk.replies(mail, "e5")
    talk.receives("bob", "[hex 1] ann to move (3), you played e5")
    talk.receives("ann", "[hex 1] your move (3), bob played e5")


def test_none_clears_and_another_one_replaces(talk: Conversation, mails: list[Mail]) -> None:
    bob = talk.password("bob")
    for typed, subject in (
        ("e5", "queued: e5"),
        ("f6", "queued: f6"),
        ("None.", "nothing is queued"),
    ):
        talk.mails("bob", f"hex queue 1 bob {bob} {typed}")
        talk.receives("bob", f"[hex 1] {subject}")
    talk.mails("ann", f"hex move 1 ann {talk.password('ann')} d4")
    talk.receives("ann", "[hex 1] bob to move (2), you played d4")
    talk.receives("bob", "[hex 1] your move (2), ann played d4")


def test_queued_for_one_move_number_only(talk: Conversation, mails: list[Mail]) -> None:
    talk.mails("bob", f"hex queue#4 1 bob {talk.password('bob')} e5")
    talk.receives("bob", "[hex 1] queued: e5")
    talk.mails("ann", f"hex move 1 ann {talk.password('ann')} d4")
    talk.receives("ann", "[hex 1] bob to move (2), you played d4")
    talk.receives(
        "bob",
        "[hex 1] your move (2), ann played d4",
        "Your queued move e5 was not played: it was for move 4",
    )


def test_an_undo_forgets_what_was_queued(talk: Conversation, mails: list[Mail]) -> None:
    talk.plays(["d4"], "ann", "bob", latest=mails)
    ann, bob = talk.password("ann"), talk.password("bob")
    talk.mails("ann", f"hex queue 1 ann {ann} c3")
    talk.receives("ann", "[hex 1] queued: c3")
    talk.mails("ann", f"hex undo 1 ann {ann}")
    talk.any_mail("ann")
    talk.replies(talk.any_mail("bob"), "accept")
    talk.any_mail("ann")
    talk.any_mail("bob")
    talk.mails("ann", f"hex move 1 ann {ann} e5")
    talk.any_mail("ann")
    talk.any_mail("bob")
    talk.mails("bob", f"hex move 1 bob {bob} d4")
    talk.receives("bob", "[hex 1] ann to move (3), you played d4")
    talk.receives("ann", "[hex 1] your move (3), bob played d4")


def test_a_reply_queues(talk: Conversation, mails: list[Mail]) -> None:
    talk.replies(mails[1], "queue e5")
    mail = talk.receives("bob", "[hex 1] queued: e5")
    talk.replies(mail, "queue none")
    talk.receives("bob", "[hex 1] nothing is queued")


# Submit and confirm


@pytest.mark.postgresql
def test_submit_and_confirm(talk: Conversation, mails: list[Mail]) -> None:
    ann = talk.password("ann")
    talk.mails("ann", f"hex submit 1 ann {ann} d4", "Here I come.")
    talk.receives("ann", "[hex 1] submitted (1): d4", "nobody else sees it.")
    talk.mails("ann", f"hex submit 1 ann {ann} e5", "There I come.")
    talk.receives("ann", "[hex 1] submitted (1): e5", "reply with yes")
    talk.mails("bob", "hex show 1")
    talk.receives("bob", "[hex 1] ann to move (1)")
    talk.mails("ann", f"hex confirm 1 ann {ann}")
    talk.receives("ann", "[hex 1] bob to move (2), you played e5")
    talk.receives("bob", "[hex 1] your move (2), ann played e5", "> There I come.")
    talk.mails("ann", f"hex confirm 1 ann {ann}")
    talk.receives("ann", "[hex 1] not done: you have not submitted a move")


@pytest.mark.parametrize(
    "word", ["confirm", "Confirm.", "hex confirm", "confirm 1", "hex confirm 1"]
)
def test_a_reply_confirms(talk: Conversation, mails: list[Mail], word: str) -> None:
    talk.replies(mails[0], "submit d4")
    mail = talk.receives("ann", "[hex 1] submitted (1): d4", "To play the move, reply with")
    talk.replies(mail, word)
    talk.receives("ann", "[hex 1] bob to move (2), you played d4")
    talk.receives("bob", "[hex 1] your move (2), ann played d4")


def test_a_submitted_move_is_for_one_position(talk: Conversation, mails: list[Mail]) -> None:
    talk.replies(mails[0], "submit d4")
    talk.receives("ann", "[hex 1] submitted (1): d4")
    latest = talk.plays(["e5", "f6"], "ann", "bob", latest=mails)
    talk.mails("ann", f"hex confirm 1 ann {talk.password('ann')}")
    talk.receives("ann", "[hex 1] not done: you have not submitted a move")
    talk.replies(latest[0], "submit c3")
    talk.receives("ann", "[hex 1] submitted (3): c3")
    talk.mails("bob", f"hex submit 1 bob {talk.password('bob')} c3")
    talk.receives("bob", "[hex 1] not done: it is ann's turn")


def test_what_is_submitted_is_marked_as_the_last_move(talk: Conversation) -> None:
    talk.signup("ann", "bob")
    first, _ = talk.challenge("cradle", "ann", "bob")
    talk.replies(first, "b1,c1,d1,d2")
    talk.receives("ann", "[cradle 1] bob to move (2), you played b1,c1,d1,d2")
    mail = talk.receives("bob", "[cradle 1] your move (2), ann played b1,c1,d1,d2")
    talk.replies(mail, "submit d3,d4,e4,f4")
    talk.receives("bob", "[cradle 1] submitted (2): d3,d4,e4,f4", "* placed last: d3,d4,e4,f4")
    talk.mails("bob", "cradle preview 1 d3,d4,e4,f4")
    talk.receives("bob", "[cradle 1] preview: d3,d4,e4,f4", "* placed last: d3,d4,e4,f4")


def test_submit_stops_at_the_first_chance(talk: Conversation) -> None:
    """No roll is shown before the move is played."""
    talk.signup("ann", "bob")
    first, _ = talk.agreed("cyclone", "ann", "bob")
    move = first.example
    talk.mails("ann", f"cyclone submit 1 ann {talk.password('ann')} {move}")
    mail = talk.any_mail("ann")
    assert mail.subject.startswith("[cyclone 1] submitted (1): ")


# Preview


def test_a_preview_stores_nothing(talk: Conversation, mails: list[Mail]) -> None:
    talk.mails("carl", f"signup carl {talk.password('carl')}")
    code = talk.receives("carl", "[pbm] confirm this address")
    talk.replies(code, f"confirm {code.line('Code: ')}")
    talk.receives("carl", "[pbm] welcome, carl")
    talk.mails("carl", "hex preview 1 d4")
    talk.receives("carl", "[hex 1] preview: d4", "Nothing is stored.")
    talk.mails("carl", "hex preview 1 z9")
    talk.receives("carl", "[pbm] not done: z9 is not on the board: it runs from a1 to k11")
    talk.mails("bob", "hex show 1")
    assert talk.receives("bob", "[hex 1] ann to move (1)").fact("Ply") == "0"


def test_a_preview_is_played_by_a_reply(talk: Conversation, mails: list[Mail]) -> None:
    talk.replies(mails[0], "preview d4")
    preview = talk.receives("ann", "[hex 1] preview: d4", "To play it, reply: d4")
    talk.replies(preview, "d4")
    moved = [talk.any_mail(who) for who in ("ann", "bob")]
    assert "d4" in moved[1].text
    talk.replies(moved[1], "preview e5 f6")
    preview = talk.receives(
        "bob", "[hex 1] preview: e5 f6", "To play the first of these turns, reply: e5"
    )
    talk.replies(moved[0], "preview e5")
    assert "reply: e5" not in talk.receives("ann", "[hex 1] preview: e5").text, "it is bob's turn"
    talk.replies(preview, "e5")
    assert all("e5" in talk.any_mail(who).text for who in ("bob", "ann"))


def test_what_shows_a_board_says_what_to_reply(talk: Conversation, mails: list[Mail]) -> None:
    talk.replies(mails[0], "show")
    shown = talk.receives("ann", "[hex 1] ann to move (1)", "Reply with your move, for instance ")
    assert "PASSWORD" not in shown.text
    talk.replies(mails[0], "moves")
    talk.receives("ann", "[hex 1] help", "reply with one of them:")
    talk.proves("ann", "mine")
    talk.receives(
        "ann",
        "[pbm] open boards of ann",
        "reply with a line for each board, its number and your move, for instance: 1 ",
    )
    talk.replies(mails[1], "show")
    assert "Reply with" not in talk.any_mail("bob").text, "it is ann's turn"
    talk.replies(shown, "d4")
    assert all("d4" in talk.any_mail(who).text for who in ("ann", "bob"))


@pytest.mark.parametrize("verb", ["mine", "digest"])
def test_each_line_of_waiting_boards_is_answered_by_itself(
    talk: Conversation, mails: list[Mail], verb: str
) -> None:
    """The page of a list has the reply address of each board that waits, of its reader alone; the
    text says what to reply, by an example that is played."""
    second = talk.challenge("chess", "ann", "bob")
    if verb == "mine":
        talk.proves("ann", "mine")
    else:
        talk.proves("ann", "set digest=07:00")
        talk.any_mail("ann")
        talk.passes(days=1)
    told = talk.any_mail("ann")
    page = told.message.get_body(("html",))
    assert page is not None
    links = re.findall(r'href="mailto:(\S+?)\?subject=([^"&]+)', page.get_content())
    found = {unquote(subject): address for address, subject in links}
    assert found["Re: [hex 1] ann - bob"] == mails[0].reply_to
    assert found["Re: [chess 2] ann - bob"] == second[0].reply_to
    line = re.search(r"for instance: (\d) (\S+)", " ".join(told.text.split()))
    assert line is not None
    subject, move = ("[hex 1]", "d4") if line[1] == "2" else ("[chess 2]", "e4")
    talk.mails("ann", f"Re: {subject} ann - bob", move, to=found[f"Re: {subject} ann - bob"])
    assert all(move in talk.any_mail(who).text for who in ("ann", "bob"))
    talk.replies(told, line[0].removeprefix("for instance: "))
    assert all(line[2] in talk.any_mail(who).text for who in ("ann", "bob"))
    talk.proves("bob", "mine")
    page = talk.any_mail("bob").message.get_body(("html",))
    assert page is not None
    assert not {*found.values()} & {*re.findall(r"mailto:(\S+?)\?", page.get_content())}


def test_a_preview_of_a_new_board(talk: Conversation) -> None:
    talk.signup("ann")
    talk.mails("ann", "cradle preview new 3 -size=3")
    talk.receives(
        "ann",
        "[pbm] preview: cradle for 3",
        "Nothing is stored.",
        "-size=3",
        "cradle challenge ann OTHER OTHER -size=3",
    )
    talk.mails("ann", "cradle preview new 9")
    talk.receives("ann", "[pbm] not done: Cradle is for 2 or 3 players, not 9", "preview new 2")
    talk.mails("ann", "list")
    talk.receives("ann", "[pbm] boards being played", "No boards being played.")


def test_nothing_hidden_is_previewed(talk: Conversation) -> None:
    talk.signup("ann", "bob", "carl")
    talk.agreed("poolside", "ann", "bob", "carl")
    talk.mails("carl", "poolside preview 1 1")
    talk.receives(
        "carl",
        "[poolside 1] not done: Poolside hides things from spectators, so it cannot be previewed",
        "poolside submit 1 carl PASSWORD MOVE",
    )


def test_a_submitted_or_previewed_move_that_ends_the_game(talk: Conversation) -> None:
    talk.signup("ann", "bob")
    latest = talk.challenge("tictactoe", "ann", "bob")
    latest = talk.plays(["a1", "b2", "b1", "c3"], "ann", "bob", latest=latest)
    talk.mails("bob", "tictactoe preview 1 c1")
    talk.receives("bob", "[tictactoe 1] preview: c1", "That ends the game: 3 in a row for crosses.")
    talk.replies(latest[0], "submit c1")
    mail = talk.receives("ann", "[tictactoe 1] submitted (5): c1", "That ends the game: 3 in a row")
    talk.replies(mail, "confirm")
    for who in ("ann", "bob"):
        talk.receives(who, "[tictactoe 1] ann won (5)")


def test_a_submitted_move_after_which_chance_decides(talk: Conversation) -> None:
    talk.signup("ann", "bob")
    mail, _ = talk.agreed("cyclone", "ann", "bob")
    move = mail.example
    talk.replies(mail, f"submit {move}")
    talk.receives("ann", f"[cyclone 1] submitted (1): {move}")


def test_what_a_hidden_board_would_show_is_not_shown_to_who_submits(talk: Conversation) -> None:
    """The last bid opens all: who submits it sees the board as it is. Nor does it show to who plays
    it with more behind it, which is refused as a whole."""
    people = ("ann", "bob", "carl")
    talk.signup(*people)
    talk.agreed("poolside", *people)
    for who in ("ann", "bob"):
        talk.mails(who, f"poolside pass 1 {who} {talk.password(who)}")
        for reader in people:
            talk.any_mail(reader)
    talk.mails("carl", f"poolside submit 1 carl {talk.password('carl')} pass")
    talk.receives(
        "carl", "[poolside 1] submitted (3): pass", "stays hidden until it is played", "sealed"
    )
    talk.mails("carl", f"poolside submit 1 carl {talk.password('carl')} dive")
    assert "'dive' is not a move" in talk.any_mail("carl").subject
    talk.mails("carl", f"poolside move 1 carl {talk.password('carl')} pass, dive")
    mail = talk.any_mail("carl")
    assert "not done: your turn ends before 'dive'" in mail.subject
    assert "sealed" in mail.text
    assert (talk.waiting("ann"), talk.waiting("bob")) == (0, 0)
    talk.mails("carl", f"poolside move 1 carl {talk.password('carl')} pass")
    for reader in people:
        talk.any_mail(reader)


def test_a_hidden_board_that_ends_by_agreement_is_shown_to_all(talk: Conversation) -> None:
    people = ("ann", "bob", "carl")
    talk.signup(*people)
    talk.agreed("poolside", *people)
    for who, verb in (("ann", "propose"), ("bob", "accept"), ("carl", "accept")):
        talk.mails(who, f"poolside {verb} 1 {who} {talk.password(who)}")
        latest = [talk.any_mail(reader) for reader in people]
    for mail in latest:
        assert "draws -" not in mail.text
        assert not re.search(r"^. (red|white|blue).* - ", mail.text, re.MULTILINE)
