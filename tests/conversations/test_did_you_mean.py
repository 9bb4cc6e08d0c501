"""A line that is nearly a command is not done: the answer has the whole line that was meant."""

from __future__ import annotations

import pytest

from pbm.core.command import CLAIM
from pbm.core.feature import list_verbs
from tests.harness.conversation import Conversation

MEANT = {
    # the name of the game, misspelt
    "hexx challenge ann bob": "hex challenge ann bob",
    "fourinarwo challenge bob ann": "fourinarow challenge bob ann",
    "challenge ann bob hexx": "hex challenge ann bob",
    # words in another order
    "challenge bob ann hex": "hex challenge bob ann",
    "hex bob challenge ann": "hex challenge bob ann",
    "ann challenge bob hex": "hex challenge ann bob",
    "challenge ann bob -size=9 hex": "hex challenge ann bob -size=9",
    "#1 show": "hex show 1",
    "hex 1 show": "hex show 1",
    "all bob show next": "all show bob next",
    "hex 1 resign ann {p}": "hex resign 1 ann PASSWORD",
    "hex ann move 1 {p} d4": "hex move 1 ann PASSWORD MOVE",
    # no verb
    "hex ann bob": "hex challenge ann bob",
    "hex bob": "hex challenge ann bob",
    "hex 1": "hex show 1",
    # words that people say for it
    "hex leaderboard": "hex ratings",
    "rankings hex": "hex ratings",
    "top": "GAME ratings",
    "record 1": "hex export 1",
    "hex pgn 1": "hex export 1",
    "hex rules": "help hex",
    # names of players
    "hex challenge ann bbo": "hex challenge ann bob",
    "hexx challenge ann bbo": "hex challenge ann bob",
    "hex games bbo all": "hex games bob all",
    "all show bbo": "all show bob",
    # no number
    "hex move": "hex move 1 ann PASSWORD MOVE",
    "hex show": "hex show 1",
}


def test_the_whole_line_is_suggested_and_nothing_is_done(talk: Conversation) -> None:
    talk.signup("ann", "bob")
    talk.challenge("hex", "ann", "bob")
    for written, meant in MEANT.items():
        talk.mails("ann", written.replace("{p}", talk.password("ann")), "Regards")
        got = talk.any_mail("ann")
        assert got.text.startswith("Not done: "), f"{written}: {got}"
        assert f"    {meant}" in got.lines, f"{written}: {got}"
        talk.clock.advance(days=1)
    assert talk.everything() == []


def test_a_number_that_is_missing_is_that_of_each_own_board(talk: Conversation) -> None:
    talk.signup("ann", "bob")
    talk.challenge("hex", "ann", "bob")
    talk.challenge("chess", "ann", "bob")
    talk.mails("ann", "show")
    got = talk.any_mail("ann")
    assert "    hex show 1" in got.lines
    assert "    chess show 2" in got.lines
    talk.mails("bob", "resign")
    assert "    hex resign 1 bob PASSWORD" in talk.any_mail("bob").lines


@pytest.mark.parametrize(
    "written",
    ["hexx challenge ann {p}", "challenge {p} hex", "hex {p}", "{p} hex ratings", "hex show {p}"],
)
def test_no_word_that_may_be_a_password_is_in_the_line(talk: Conversation, written: str) -> None:
    talk.signup("ann", "bob")
    line = written.replace("{p}", talk.password("ann"))
    talk.mails("ann", line)
    assert talk.any_mail("ann").text.startswith("Not done: ")
    talk.proves("ann", line)  # the harness looks for passwords in every mail
    assert talk.any_mail("ann").text.startswith("Not done: ")


def test_a_mail_without_a_command_is_not_guessed_at(talk: Conversation) -> None:
    talk.signup("ann", "bob")
    for written in ("Thanks for the lovely game", "Our plan for Sunday", "Hi Bob"):
        talk.mails("ann", written, "See you soon!")
        assert "I could not find a command" in talk.any_mail("ann").text
        talk.clock.advance(days=1)


def test_help_has_several_pages(talk: Conversation) -> None:
    talk.signup("ann")
    talk.mails("ann", "help hex, chess and ratings")
    talk.receives(
        "ann", "[pbm] help hex, chess, ratings", "chain of stones", "To castle", "uncertainty"
    )
    talk.mails("ann", "help hex Narnia")
    assert "there is no help page with that name" in talk.any_mail("ann").text


def test_boards_are_shown_beside_one_that_there_is_not(talk: Conversation) -> None:
    talk.signup("ann", "bob")
    talk.challenge("hex", "ann", "bob")
    talk.challenge("chess", "ann", "bob")
    talk.mails("ann", "show 1 77 2")
    talk.receives("ann", "[pbm] boards 1 and 2", "Board 77: there is no board with that number.")
    talk.mails("ann", "hex show 1 2")
    talk.receives("ann", "[pbm] board 1", "Board 2: board 2 is a game of chess.")
    talk.mails("ann", "show 77 78")
    talk.receives("ann", "[pbm] not done: there is no board with that number")


def test_quotes_round_words_and_a_number_behind_the_move(talk: Conversation) -> None:
    talk.signup("ann", "bob")
    talk.challenge("hex", "ann", "bob")
    password = talk.password("ann")
    talk.mails("ann", f"'hex' 'move' '1' 'ann' '{password}' 'd4#2'")
    talk.receives("ann", "[hex 1] not done: it is move 1 now, not move 2")
    talk.mails("ann", f'"hex" "move" "1" "ann" "{password}" "d4#1"')
    assert "You played d4" in talk.any_mail("ann").text
    latest = talk.any_mail("bob")
    talk.replies(latest, "e5 #4")
    talk.receives("bob", "[hex 1] not done: it is move 2 now, not move 4")
    talk.replies(latest, "e5#2")
    assert "bob played e5" in talk.any_mail("ann").text
    assert "You played e5" in talk.any_mail("bob").text


def test_a_preview_has_the_moves_of_both(talk: Conversation) -> None:
    talk.signup("ann", "bob")
    talk.challenge("chess", "ann", "bob")
    talk.mails("ann", "chess preview 1 d4 Nf6 c4")
    talk.receives("ann", "[chess 1] preview: d4 Nf6 c4", "as it would be after d4 Nf6 c4")
    talk.mails("ann", "chess preview 1 d4 d4")
    talk.receives("ann", "[chess 1] not done: d4: the pawn on d7 cannot go to d4")


@pytest.mark.parametrize(
    "words", ["ann {p} bob", "ann bob {p}", "bob {p}", "bob ann Sesame", "ann bob Sesame"]
)
def test_a_challenge_with_a_password_is_told_that_it_takes_none(
    talk: Conversation, words: str
) -> None:
    """Wherever it stands; a word that may be one is not repeated."""
    talk.signup("ann", "bob")
    talk.mails("ann", f"tictactoe challenge {words.format(p=talk.password('ann'))}")
    told = talk.any_mail("ann")
    assert "a challenge takes no password" in " ".join(told.text.split())
    assert "Sesame" not in told.text
    assert {f"    tictactoe challenge {names}" for names in ("ann bob", "bob ann")} & {*told.lines}


def test_a_command_sent_to_a_board_is_one_yes_away(talk: Conversation) -> None:
    """Every verb that needs no more words: what came to the wrong address alone has one reading."""
    talk.signup("ann", "bob")
    mail, _ = talk.challenge("chess", "ann", "bob")
    alone = [
        each
        for each in list_verbs()
        if {*each.slots} >= {*CLAIM} == {slot for slot in each.slots if slot[-1] not in "*+?"}
        and not (each.has_board or each.is_final or each.text == "text")
    ]
    offered = set[str]()
    for verb in alone:
        talk.replies(mail, verb.name)
        for answer in talk.everything():
            if "reply address of board" in " ".join(answer.text.split()):
                assert "reply with the word yes" in answer.text, (verb.name, answer.text)
                assert f"    {verb.name}" in answer.lines
                offered.add(verb.name)
    assert offered >= {"block", "mydata", "vacation", "set"}
    talk.replies(mail, "vacation")
    talk.replies(talk.any_mail("ann"), "yes")
    talk.receives("ann", "[pbm] your clocks are running")


@pytest.mark.parametrize(
    "line",
    [
        "Wait, I am not sure.",
        "ready or not, here I come",
        "Accept my apologies for the delay",
        "Draw your own conclusions",
        "Warte, ich bin mir nicht sicher",
    ],
)
def test_a_word_of_a_board_that_begins_a_sentence_above_a_move(
    talk: Conversation, line: str
) -> None:
    """The answer names the move, which a yes plays, and passes the sentence on."""
    talk.signup("ann", "bob")
    mail, _ = talk.challenge("chess", "ann", "bob")
    talk.replies(mail, f"{line}\ne4")
    asked = talk.any_mail("ann")
    assert {"    e4", f"    {line}"} <= {*asked.lines}
    talk.replies(asked, "yes")
    talk.receives("ann", "[chess 1] bob to move (2), you played e4")
    talk.receives("bob", "[chess 1] your move (2), ann played e4", f"> {line}")


def test_a_word_of_a_board_with_words_behind_a_mark(talk: Conversation) -> None:
    """A yes does it and passes the words on; nothing else is offered, and no word that may be a
    password is repeated."""
    talk.signup("ann", "bob")
    mail, _ = talk.challenge("go", "ann", "bob")
    for line in ("pass Sesame", "pass the salt", "pass? I do not know"):
        talk.replies(mail, line)
        answer = talk.any_mail("ann")
        assert "Not done" in answer.text or "Not passed on: pass?" in answer.text
        assert "Sesame" not in answer.text
        assert "word yes:\n    pass" not in answer.text
    talk.replies(mail, "pass, and good luck to you!")
    talk.replies(talk.any_mail("ann"), "yes")
    talk.receives("ann", "[go 1] bob to move (2), you passed")
    talk.receives("bob", "[go 1] your move (2), ann passed", "> and good luck to you!")


@pytest.mark.parametrize("word", ["ratings", "standings"])
def test_what_each_game_has_is_that_of_the_board(talk: Conversation, word: str) -> None:
    talk.signup("ann", "bob")
    mail, _ = talk.challenge("chess", "ann", "bob")
    talk.replies(mail, word)
    talk.replies(talk.any_mail("ann"), "yes")
    talk.receives("ann", f"[pbm] {word} chess")


def test_a_numbered_move_with_words_is_no_other_board(talk: Conversation) -> None:
    """`1.` is the number of the move, in a reply to a board's mail."""
    talk.signup("ann", "bob")
    talk.challenge("chess", "ann", "bob")
    mail, _ = talk.challenge("chess", "ann", "bob")
    talk.replies(mail, "1. e4 and now it is up to you")
    asked = talk.any_mail("ann")
    assert asked.subject.startswith("[chess 2] not done")
    talk.replies(asked, "yes")
    talk.receives("ann", "[chess 2] bob to move (2), you played e4")
    talk.receives("bob", "[chess 2] your move (2), ann played e4", "> and now it is up to you")


@pytest.mark.parametrize(
    "line",
    [
        "I think my knight wants to go to f3",
        "Ich glaube, mein Springer möchte nach f3",
        "Je pense que mon cavalier veut aller en f3",
        "Creo que mi caballo quiere ir a f3",
        "Ik denk dat mijn paard naar f3 wil",
    ],
)
def test_a_sentence_that_weighs_one_move(talk: Conversation, line: str) -> None:
    """It is offered; what denies one is neither played nor offered, and not called a move."""
    talk.signup("ann", "bob")
    mail, _ = talk.challenge("chess", "ann", "bob")
    talk.replies(mail, "I would not play e4")
    told = talk.any_mail("ann")
    assert "your first line is no move" in " ".join(told.text.split())
    assert "word yes" not in told.text
    talk.replies(mail, line)
    talk.replies(talk.any_mail("ann"), "yes")
    talk.receives("ann", "[chess 1] bob to move (2), you played Nf3")
    talk.any_mail("bob")


@pytest.mark.parametrize("line", ["Oops, I meant d4", "d4?", "d4;)"])
def test_a_move_that_was_meant_and_can_be_played(talk: Conversation, line: str) -> None:
    talk.signup("ann", "bob")
    mail, _ = talk.challenge("chess", "ann", "bob")
    talk.replies(mail, line)
    talk.replies(talk.any_mail("ann"), "yes")
    talk.receives("ann", "[chess 1] bob to move (2), you played d4")
    talk.receives("bob", "[chess 1] your move (2), ann played d4")


@pytest.mark.parametrize(
    ("line", "offered"),
    [
        ("No, let's play on", "reject"),
        ("Nein danke, ich spiele weiter", "reject"),
        ("Yes, well played", "accept"),
        ("Yes, but let me think", "chat Yes, but let me think"),
    ],
)
def test_yes_or_no_with_words_to_an_offer(talk: Conversation, line: str, offered: str) -> None:
    """Neither is done unasked; a yes does it, and passes the words on."""
    talk.signup("ann", "bob")
    _, mail = talk.challenge("chess", "ann", "bob")
    talk.replies(mail, "draw")
    asked = next(each for each in talk.everything() if each.address.startswith("ann"))
    talk.replies(asked, line)
    answer = talk.any_mail("ann")
    assert f"    {offered}" in answer.lines
    talk.replies(answer, "yes")
    (told,) = [each for each in talk.everything() if each.address.startswith("bob")]
    assert line.partition(", ")[2] in told.text


def test_what_is_offered_without_words_that_hold_an_address(talk: Conversation) -> None:
    """They are not passed on, so a yes is not enough: the answer has the move alone."""
    talk.signup("ann", "bob")
    mail, _ = talk.challenge("chess", "ann", "bob")
    talk.replies(mail, "Write to me at joe@home.example instead\n\nd4")
    answer = talk.any_mail("ann")
    assert "    d4" in answer.lines
    assert "word yes" not in answer.text


NEAREST = {
    "find checs": "find chess",
    "find chess bbo": "find chess bob",
    "who bobb": "who bob",
    "stats bobb": "stats bob",
    "history bobb": "history bob",
    "event enter 99": "event enter 1",
    "event enter sprng cup": "event enter 1",
    "event show 99": "event show 1",
    "invite kim@example.net chees": "invite kim@example.net chess",
    "invite kim@example.net chees -clock=3": "invite kim@example.net chess -clock=3",
    "hex challenge --title=Winter match ann bob": 'hex challenge ann bob --title="Winter match"',
    "hex challenge bob --title=Summer match": 'hex challenge ann bob --title="Summer match"',
}
"""What a yes sends: the one nearest reading, nothing of the line left out."""


@pytest.mark.parametrize("line", NEAREST)
def test_the_nearest_reading_is_one_yes_away(talk: Conversation, line: str) -> None:
    talk.signup("ann", "bob")
    talk.proves("bob", 'event new swiss chess --name="Spring cup"')
    talk.everything()
    talk.proves("ann", line)
    asked = talk.any_mail("ann")
    assert f"    {NEAREST[line]}" in asked.lines, asked
    talk.replies(asked, "yes")
    done = next(each for each in talk.everything() if each.address.startswith("ann"))
    assert "not done" not in done.subject or "-clock" in line, done


def test_an_example_is_no_reading(talk: Conversation) -> None:
    """A yes does not send it."""
    talk.signup("ann", "bob")
    talk.proves("ann", "find xyzzy")
    told = talk.any_mail("ann")
    assert "    find chess bob 2026" in told.lines
    assert "word yes" not in told.text


@pytest.mark.parametrize(
    ("line", "offered"),
    [
        ("takeover", "chess takeover 1"),
        ("invite kim@example.net chess\nHi Kim, come and play", "invite kim@example.net chess"),
    ],
)
def test_a_line_of_a_board_that_needs_another_address_is_offered_whole(
    talk: Conversation, line: str, offered: str
) -> None:
    talk.signup("ann", "bob")
    mail, _ = talk.challenge("chess", "ann", "bob")
    talk.replies(mail, line)
    asked = talk.any_mail("ann")
    assert f"    {offered}" in asked.lines
    talk.replies(asked, "yes")
    done = {each.address: each.text for each in talk.everything()}
    if offered.startswith("invite"):
        assert "Hi Kim, come and play" in done["kim@example.net"]
    else:
        assert "nobody has left a seat there" in done["ann@example.org"]


def test_a_yes_that_does_not_say_what_it_answers_is_told_so(talk: Conversation) -> None:
    """Some mail programs leave out In-Reply-To: the answer has the line of the latest offer."""
    talk.signup("ann", "bob")
    mail, other = talk.challenge("chess", "ann", "bob")
    for written, at_board in (("vacation", False), ("Oops, I meant d4", True)):
        talk.replies(mail, written)
        asked = talk.any_mail("ann")
        talk.mails("ann", f"Re: {asked.subject}", "yes", to=asked.reply_to)
        told = talk.any_mail("ann")
        assert "does not say which mail it answers" in " ".join(told.text.split())
        assert f"    {'d4' if at_board else 'vacation'}" in told.lines
        assert ("    chat yes" in told.lines) is at_board
        assert "word yes" not in told.text
    talk.mails("bob", f"Re: {other.subject}", "yes", to=other.reply_to)
    talk.any_mail("bob")
    assert "> yes" in talk.any_mail("ann").lines  # nothing was offered to bob


@pytest.mark.in_process
@pytest.mark.parametrize(
    ("line", "move"),
    [("toren naar a3? mag dat?", ""), ("doe maar paard naar f3", "Nf3"), ("why not Nf3", "Nf3")],
)
def test_a_move_is_offered_that_the_words_name(talk: Conversation, line: str, move: str) -> None:
    """Not that of a pawn to where a rook was to go."""
    talk.signup("ann", "bob")
    mail, _ = talk.challenge("chess", "ann", "bob")
    talk.replies(mail, line)
    offered = [each.strip() for each in talk.any_mail("ann").lines if each.startswith("    ")]
    assert offered[:1] == [move] if move else "a3" not in offered


@pytest.mark.in_process
def test_a_reason_for_a_refusal_is_no_answer_to_an_offer(talk: Conversation) -> None:
    talk.signup("ann", "bob")
    mail, _ = talk.challenge("chess", "ann", "bob")
    talk.replies(mail, "Ne5")
    talk.replies(talk.any_mail("ann"), "pourquoi c'est refusé ?")
    assert "Your legal moves" in talk.any_mail("ann").text
