"""Words to somebody that begin like a command, or come on one's own turn: nothing is guessed, and
the answer has the line that sends them."""

from __future__ import annotations

import pytest

from tests.harness.conversation import Conversation
from tests.harness.mail import Mail

Mails = dict[str, Mail]


@pytest.fixture
def mails(talk: Conversation) -> Mails:
    """The latest mails at a board of chess; it is ann's turn."""
    talk.signup("ann", "bob")
    first = talk.challenge("chess", "ann", "bob")
    latest = talk.plays(["e4", "e5"], "ann", "bob", latest=first)
    return {"ann": latest[0], "bob": latest[1]}


def says(talk: Conversation, mail: Mail, text: str) -> Mails:
    """What each receives when a mail is replied to."""
    talk.replies(mail, text)
    return {each.address.partition("@")[0]: each for each in talk.everything()}


SAID = (
    "who won the cup final?",
    "who is coming on Sunday?",
    "watch out!",
    "join me for a beer?",
    "mine is better",
    "rating is not everything",
    "players like you are rare",
    "help is on its way",
    "seeks and finds",
    "show me your garden one day",
    "vacation would be nice",
    "message would be nice",
    "block would be nice",
    "challenge would be nice to have",
    "bob is happy",
    "ann thinks you play well",
    "perfect weather over here",
    "grand to hear from you",
    "almost had me there",
    "analyse this",
    "stats are boring",
    "history will judge us",
)


def test_a_sentence_is_passed_on_while_the_other_is_to_move(
    talk: Conversation, mails: Mails
) -> None:
    for said in SAID:
        got = says(talk, mails["bob"], said)
        assert f"> {said}" in got.get("ann", got["bob"]).lines, f"{said}: {got['bob']}"
        told = ("This was sent to ann", "Your words were passed on")
        assert any(each in got["bob"].text for each in told)
        talk.clock.advance(seconds=3600)


def test_on_ones_own_turn_the_answer_has_the_line_that_sends_it(
    talk: Conversation, mails: Mails
) -> None:
    for said in (*SAID, "Happy Birthday, Bob!", "Danke für das Spiel!", "good game!"):
        got = says(talk, mails["ann"], said)
        assert got.keys() == {"ann"}, f"{said}: {got}"
        told = " ".join(got["ann"].text.split())
        assert "nothing was passed on" in told or f"Not passed on: {said}" in told, got["ann"]
        assert f"    chat {said}" in got["ann"].lines
        assert "PASSWORD" not in got["ann"].text
        talk.clock.advance(seconds=3600)
    got = says(talk, got["ann"], "chat Happy Birthday, Bob!")
    assert "> Happy Birthday, Bob!" in got["bob"].lines


def test_a_word_that_may_be_a_password_is_not_repeated(talk: Conversation, mails: Mails) -> None:
    got = says(talk, mails["ann"], f"my secret word here is {talk.password('ann')}")
    assert "    chat TEXT" in got["ann"].lines


def test_a_question_about_the_board_brings_it(talk: Conversation, mails: Mails) -> None:
    for asked in ("who won?", "Whose move is it?", "show me the board", "Wer ist dran?"):
        for who in ("ann", "bob"):
            got = says(talk, mails[who], asked)
            assert got.keys() == {who}
            assert "Not done" not in got[who].text
            assert got[who].subject.startswith("[chess 1] "), f"{asked}: {got[who]}"
            assert "a b c d e f g h" in " ".join(got[who].text.split()).replace(
                "h g f e d c b a", "a b c d e f g h"
            )


@pytest.mark.parametrize("asked", ["How do I castle?", "wie rochiere ich?", "what are the rules?"])
def test_a_question_about_the_rules_brings_them(
    talk: Conversation, mails: Mails, asked: str
) -> None:
    got = says(talk, mails["ann"], asked)
    assert got.keys() == {"ann"}
    assert "WRITING MOVES" in got["ann"].text


def test_what_stands_below_a_question_is_named(talk: Conversation, mails: Mails) -> None:
    """A question goes to nobody else, nor do the words below it: both on one's turn and off it."""
    questions = ("who won?", "What is this?", "rules", "hint please", "Can I take back my move?")
    for asked, day in zip(questions, ("Monday", "Tuesday", "Friday", "June", "July"), strict=True):
        for who in ("ann", "bob"):
            got = says(talk, mails[who], f"{asked}\nSee you in {day}, my friend!")
            assert got.keys() == {who}
            told = " ".join(got[who].text.split())
            assert f"Not passed on: See you in {day}, my friend!" in told, asked
            talk.clock.advance(seconds=7200)


def test_a_yes_does_what_is_offered_and_nothing_else(talk: Conversation, mails: Mails) -> None:
    """With the words below it, once; the command's own name is no way around that."""
    offered = says(talk, mails["ann"], "Good luck to you, Bob!\nSee you on Friday.")["ann"]
    told = says(talk, offered, "yes")
    assert "> Good luck to you, Bob!\n> See you on Friday.\n" in told["bob"].text
    assert says(talk, offered, "yes").keys() == {"ann"}
    talk.proves("ann", "offer yes")
    told = {"ann": talk.any_mail("ann")}
    assert "offers nothing to which yes is an answer" in " ".join(told["ann"].text.split())
    talk.nothing_more()


def test_how_are_you_is_no_question_about_the_rules(talk: Conversation, mails: Mails) -> None:
    got = says(talk, mails["ann"], "How are you?")
    assert "    chat How are you?" in got["ann"].lines


def test_out_of_turn_the_line_has_the_move_that_was_written(
    talk: Conversation, mails: Mails
) -> None:
    got = says(talk, mails["bob"], "Nf6")
    assert got.keys() == {"bob"}
    assert "    queue Nf6" in got["bob"].lines
    assert "    chat Nf6" in got["bob"].lines
    assert "PASSWORD" not in got["bob"].text
    got = says(talk, got["bob"], "queue Nf6")
    assert "Not done" not in got["bob"].text


def test_queue_refuses_at_once_what_can_be_no_move(talk: Conversation, mails: Mails) -> None:
    for written in ("hello", "hello there", "anything?", "lunch"):
        got = says(talk, mails["bob"], f"queue {written}")
        assert got["bob"].text.startswith("Not done: only moves can be queued"), got["bob"]


def test_forgot_takes_a_userid_alone(talk: Conversation, mails: Mails) -> None:
    talk.mails("ann", "forgot my password")
    got = talk.any_mail("ann")
    assert "    forgot ann" in got.lines
    talk.mails("ann", "Re: chess", "forgot my password", to=mails["ann"].reply_to)
    assert "    forgot ann" in talk.any_mail("ann").lines


def test_an_answer_that_proves_nothing_is_told_the_whole_line(
    talk: Conversation, mails: Mails
) -> None:
    """A mail program that answers the wrong address: the move that was written stands in it."""
    for written, line in (("Nf3", "Nf3"), ("Sf3", "Sf3"), ("zeppelin", "MOVE")):
        subject, answered = f"Re: {mails['ann'].subject}", mails["ann"].message_id
        talk.mails("ann", subject, written, In_Reply_To=answered)
        assert f"    chess move 1 ann PASSWORD {line}" in talk.any_mail("ann").lines


def test_a_reply_needs_no_password(talk: Conversation, mails: Mails) -> None:
    """No line that a refusal shows asks for one where the reply address proves it all."""
    for written in ("resign, I think", "resing", "draw now please", "undo that", "e9", "Ke9"):
        got = says(talk, mails["ann"], written)
        assert "PASSWORD" not in got["ann"].text, f"{written}: {got['ann']}"
        talk.clock.advance(seconds=3600)


def test_nor_does_one_to_a_mail_about_no_board(talk: Conversation, mails: Mails) -> None:
    """The line that is shown is done as it stands, in a reply to the mail that shows it."""
    talk.challenge("hex", "ann", "bob")
    for written, line in (
        ("undo", "chess undo 1"),
        ("chess move Nf3", "move MOVE"),
        ("move Nf3", "chess move 1 MOVE"),
        ("Nf3", "GAME move BOARD MOVE"),
        ("event enter", "event enter EVENT"),
        ("event new swiss chess bob", "event new swiss chess"),
        ("report", "report USERID"),
    ):
        talk.proves("ann", written)
        got = talk.any_mail("ann")
        assert f"    {line}" in got.lines, f"{written}: {got}"
        assert "PASSWORD" not in got.text, got
        talk.clock.advance(seconds=3600)
    assert "ann played Nf3" in says(talk, got, "chess move 1 Nf3")["bob"].text
    talk.proves("ann", "change password")
    assert "PASSWORD" in talk.any_mail("ann").text


def test_a_line_for_another_board_is_sent_in_reply_to_its_refusal(
    talk: Conversation, mails: Mails
) -> None:
    """The address of a board's mail is good for that board only; that of the refusal is the
    player's."""
    talk.challenge("hex", "ann", "bob")
    got = says(talk, mails["ann"], "hex move 2 d4")
    assert "    hex move 2 d4" in got["ann"].lines
    assert "ann played d4" in says(talk, got["ann"], "yes")["bob"].text
    talk.proves("bob", "event new roundrobin hex -size=5 --title=Spring")
    talk.any_mail("bob")
    got = says(talk, mails["ann"], "event enter 1")
    assert "    event enter 1" in got["ann"].lines
    assert "You take part" in says(talk, got["ann"], "yes")["ann"].text
    got = says(talk, mails["ann"], "hex resign 2")  # what ends a game is sent twice
    assert "    hex resign 2" in got["ann"].lines
    assert "offers nothing" in says(talk, got["ann"], "yes")["ann"].text


@pytest.mark.parametrize("asked", ["chess show 1", "chess export 1", "chess show 1 e4"])
def test_a_reply_to_a_board_that_was_asked_for_is_one_to_the_board(
    talk: Conversation, mails: Mails, asked: str
) -> None:
    talk.mails("ann", asked)
    shown = talk.any_mail("ann")
    got = says(talk, shown, "Nf3")
    assert "ann played Nf3" in got["bob"].text, got
    talk.proves("bob", asked)
    got = says(talk, talk.any_mail("bob"), "Nc6")
    assert "bob played Nc6" in got["ann"].text


def test_a_reply_to_a_past_position_is_late(talk: Conversation, mails: Mails) -> None:
    talk.proves("ann", "chess show 1#0")
    got = says(talk, talk.any_mail("ann"), "Nf3")
    assert got.keys() == {"ann"}
    assert got["ann"].text.startswith("Not done")


def test_the_answer_about_a_holiday_takes_a_move_or_a_yes(talk: Conversation, mails: Mails) -> None:
    """It comes from the board's address, and the yes is as good as one to the player's."""
    told = says(talk, mails["ann"], "I'm on holiday until 2026-03-12")["ann"]
    assert "    vacation until 2026-03-12" in told.lines
    done = says(talk, told, "yes")["ann"]
    assert done.text.startswith("Your clocks are stopped"), done
    refused = says(talk, told, "vacation off")["ann"]
    assert "send the same line in reply to this mail" in " ".join(refused.text.split())
    assert "bob" in says(talk, told, "Nf3")


def test_one_sentence_of_several_is_answered_and_the_others_are_named(
    talk: Conversation, mails: Mails
) -> None:
    for said, rest in (
        ("Oh dear, you play well! Can I take back my move?", "Oh dear, you play well!"),
        ("Mist, meine Katze war das. Kann ich den Zug zurücknehmen?", "Mist, meine Katze war das."),
    ):
        told = says(talk, mails["bob"], said)
        assert told.keys() == {"bob"}
        assert "    undo" in told["bob"].lines
        assert f"Not passed on: {rest}" in " ".join(told["bob"].text.split())
        talk.clock.advance(seconds=7200)
    told = says(talk, mails["bob"], "You play well! Do you play in a club?")
    assert "> You play well! Do you play in a club?" in told["ann"].lines


def test_a_line_that_begins_with_the_own_userid_is_no_guess_of_a_password(
    talk: Conversation, mails: Mails
) -> None:
    """Without a verb it is read as written; behind one a word that may be a password is asked
    about."""
    assert "> chat ann is happy" not in says(talk, mails["ann"], "chat ann is happy")["bob"].text
    told = says(talk, mails["ann"], "chat ann thinks so")["ann"]
    assert "a reply needs neither, so leave both out" in " ".join(told.text.split())
    got = says(talk, mails["ann"], "move ann Nf3")
    assert "ann played Nf3" in got["bob"].text


def test_a_second_yes_is_told_that_it_is_done(talk: Conversation, mails: Mails) -> None:
    """However it is said, in reply to a mail about the account."""
    talk.proves("ann", "Re: hello", "I am on holiday until 2026-04-12")
    offered = talk.any_mail("ann")
    assert "    vacation until 2026-04-12" in offered.lines
    talk.replies(offered, "yes")
    talk.everything()
    for again in ("yes", "accept", "ok, thanks"):
        told = says(talk, offered, again)
        assert "Not done: you have answered that already." in told["ann"].lines, again
        assert "    mine" in told["ann"].lines


@pytest.mark.parametrize(
    "asked", ["Set up a game of go with bob", "Start a game of go against bob, please"]
)
def test_a_wish_for_a_game_may_begin_like_any_command(
    talk: Conversation, mails: Mails, asked: str
) -> None:
    got = says(talk, mails["ann"], asked)
    assert got.keys() == {"ann"}
    assert "    go challenge ann bob" in got["ann"].lines


@pytest.mark.parametrize("asked", ["Do you have go?", "have you got go", "Is there go here?"])
def test_a_question_for_a_game_brings_how_to_begin_it(
    talk: Conversation, mails: Mails, asked: str
) -> None:
    for who in ("ann", "bob"):
        got = says(talk, mails[who], asked)
        assert got.keys() == {who}
        assert f"    go challenge {who} OPPONENT" in got[who].lines


def test_words_for_orders_are_words_where_a_game_has_none(talk: Conversation, mails: Mails) -> None:
    got = says(talk, mails["bob"], "Ready when you are, my friend!")
    assert got.keys() == {"bob"}
    assert "    chat Ready when you are, my friend!" in got["bob"].lines
    got = says(talk, mails["bob"], "Wait, that was the wrong piece!")
    assert got.keys() == {"bob"}
    assert "    undo" in got["bob"].lines


def test_any_question_about_an_event_brings_the_event(talk: Conversation, mails: Mails) -> None:
    talk.proves("ann", "event new swiss chess --rounds=3 --begins=2026-06-20")
    made = talk.any_mail("ann")
    for asked in ("is there any prize money", "Who is the arbiter?", "What about the trophies?"):
        got = says(talk, made, asked)
        assert "Begins Sat 20 Jun 2026" in got["ann"].text, asked


def test_what_it_costs_is_told(talk: Conversation, mails: Mails) -> None:
    for asked in ("Is it free?", "do I have to pay", "What does this cost?"):
        talk.proves("ann", "Re: hello", asked)
        assert "It asks nobody for money." in " ".join(talk.any_mail("ann").text.split()), asked


def test_a_question_that_names_the_other_is_for_the_server(
    talk: Conversation, mails: Mails
) -> None:
    """Not one about oneself, nor one that addresses somebody."""
    got = says(talk, mails["bob"], "What is ann waiting for?")
    assert got.keys() == {"bob"}
    assert "It is ann's turn" in got["bob"].text
    for said in ("is bob awake?", "ann, how about Sunday?"):
        talk.clock.advance(seconds=7200)
        assert f"> {said}" in says(talk, mails["bob"], said)["ann"].lines
