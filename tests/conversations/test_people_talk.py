"""Replies as people write them: greetings, yes and no, thanks and questions. What is neither a move
nor a command goes to the opponent or is asked about; nothing is guessed."""

from __future__ import annotations

import pytest

from tests.harness.conversation import Conversation
from tests.harness.mail import Mail

Mails = dict[str, Mail]


@pytest.fixture
def mails(talk: Conversation) -> Mails:
    """The latest mails at a board of chess; it is ann's turn, and both have moved."""
    talk.signup("ann", "bob")
    first = talk.challenge("chess", "ann", "bob")
    latest = talk.plays(["e4", "e5"], "ann", "bob", latest=first)
    return {"ann": latest[0], "bob": latest[1]}


def says(talk: Conversation, mail: Mail, text: str, **headers: str) -> Mails:
    """What each receives when a mail is replied to; nobody receives two."""
    talk.replies(mail, text, **headers)
    arrived = talk.everything()
    mails = {each.address.partition("@")[0]: each for each in arrived}
    assert len(mails) == len(arrived), "\n".join(map(str, arrived))
    return mails


def is_refused(mails: Mails, who: str, sentence: str = "") -> bool:
    """Whether one player is refused, with that sentence, and nobody else hears of it."""
    text = " ".join(mails[who].text.split())
    return mails.keys() == {who} and text.startswith("Not done: ") and sentence in text


def passed_on(mails: Mails, who: str, *lines: str) -> bool:
    """Whether these lines reached one player, and the writer is told."""
    quoted = "".join(f"> {line}\n" for line in lines)
    (writer,) = mails.keys() - {who}
    told = (f"sent to {who}", "Your words were passed on")
    return quoted in mails[who].text and any(each in mails[writer].text for each in told)


# Words to the opponent


@pytest.mark.postgresql
def test_thanks_after_the_end(talk: Conversation, mails: Mails) -> None:
    over = says(talk, mails["ann"], "resign")
    for who, other in (("ann", "bob"), ("bob", "ann")):
        assert passed_on(
            says(talk, over[who], "Thanks, nice game!\nAgain?"), other, "Thanks, nice game!"
        )
    assert is_refused(says(talk, over["ann"], "d4"), "ann", "board 1 is over")
    again = says(talk, over["ann"], "Rematch?")
    assert '[Board "2"]' in again["bob"].text


def test_what_is_written_while_the_other_is_to_move(talk: Conversation, mails: Mails) -> None:
    assert passed_on(says(talk, mails["bob"], "Nice opening!\n\nBob"), "ann", "Nice opening!")
    assert passed_on(says(talk, mails["bob"], "Yes, sure"), "ann", "Yes, sure")
    for text in ("d5", "I play d5", "Resign now!", "I resign", "resing", "d5 is strong"):
        assert is_refused(says(talk, mails["bob"], text), "bob"), text
    assert is_refused(says(talk, mails["bob"], "I resign"), "bob", "the word resign alone")


def test_on_ones_turn_nothing_is_passed_on(talk: Conversation, mails: Mails) -> None:
    told = says(talk, mails["ann"], "Good luck to you, Bob!")
    assert is_refused(told, "ann", "nothing was passed on")
    assert "    chat Good luck to you, Bob!" in told["ann"].lines


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("Nf3, your turn", "your turn"),
        ("NF3. Good luck", "Good luck"),
        ("Nf3 - good luck!", "good luck!"),
        ("Nf3, and you?", "and you?"),
        ("Nf3. By the way, can we pause?", "By the way, can we pause?"),
        ("Nf3 please", "please"),
    ],
)
def test_words_behind_a_move(talk: Conversation, mails: Mails, line: str, words: str) -> None:
    told = says(talk, mails["ann"], f"{line}\n\nAnn")
    assert "ann played Nf3" in told["bob"].text
    assert f"> {words}\n" in told["bob"].text
    assert "Passed on to bob:" in told["ann"].text


@pytest.mark.parametrize(
    "line",
    [
        "Nf3 if you like",
        "Nf3, or d4?",
        "Nf3, is that good?",
        "Nf3, no, wait",
        "Nf3?",
        "Nf3 your turn",
        "Nf3, not d4",
        "Nf3, draw?",
        "Nf3, ignore this",
        "Nf3, moment mal",
        "Nf3, un instant",
        "Nf3, olvídalo",
        "Nf3, grapje",
    ],
)
def test_words_that_leave_a_move_in_doubt(talk: Conversation, mails: Mails, line: str) -> None:
    assert is_refused(says(talk, mails["ann"], line), "ann"), line


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("Nf3, je préfère d4", "je préfère d4"),
        ("Waiting for tea, should be fine\n\nNf3", "Waiting for tea, should be fine"),
        ("[don't play this yet, still thinking]\n\nNf3", "[don't play this yet, still thinking]"),
        ("You don't often get mail from us\n\nNf3", "You don't often get mail from us"),
    ],
)
def test_a_yes_plays_a_move_beside_words_of_doubt(
    talk: Conversation, mails: Mails, text: str, words: str
) -> None:
    asked = says(talk, mails["ann"], text)
    assert is_refused(asked, "ann", "Nf3 can be played, but")
    assert "passed on;" not in asked["ann"].text
    played = says(talk, asked["ann"], "yes")
    assert "ann played Nf3" in played["bob"].text
    assert f"> {words}\n" in played["bob"].text


@pytest.mark.parametrize(
    ("who", "line", "offered", "sees"),
    [
        ("ann", "undoo", "undo", "ann asked to take back move 1"),
        ("ann", "draw please", "draw", "ann proposed a draw"),
        ("bob", "resing", "resign", "bob resigned"),
        ("ann", "exprot", "export", ""),
    ],
)
def test_a_yes_does_what_is_nearly_written(
    talk: Conversation, mails: Mails, who: str, line: str, offered: str, sees: str
) -> None:
    asked = says(talk, mails[who], line)
    assert is_refused(asked, who)
    assert f"    {offered}" in asked[who].lines
    done = says(talk, asked[who], "yes")
    if sees:
        assert sees in done["bob" if who == "ann" else "ann"].text


def test_an_act_with_more_behind_it_than_manners_offers_nothing(
    talk: Conversation, mails: Mails
) -> None:
    for line in ("resign, no", "resign now or later", "draw, or is it too early"):
        assert "the word yes" not in says(talk, mails["ann"], line)["ann"].text, line


def test_a_preference_told_to_a_board_is_offered_whole(talk: Conversation, mails: Mails) -> None:
    asked = says(talk, mails["ann"], "set language=de")
    assert "    set language=de" in asked["ann"].lines
    assert "[pbm] " in says(talk, asked["ann"], "yes")["ann"].subject


def test_praise_off_turn_is_no_resignation(talk: Conversation, mails: Mails) -> None:
    assert passed_on(says(talk, mails["bob"], "you win this one, friend"), "ann")
    offered = says(talk, mails["ann"], "you win this one")
    assert is_refused(offered, "ann", "the word resign alone")
    assert is_refused(says(talk, mails["bob"], "You win, I resign"), "bob", "the word resign alone")


def test_an_answer_to_a_chat(talk: Conversation, mails: Mails) -> None:
    """It is chat on one's turn too, but a move is a move."""
    chat = says(talk, mails["bob"], "chat Where do you live?")["ann"]
    assert passed_on(says(talk, chat, "In Oslo, and you?"), "bob", "In Oslo, and you?")
    assert is_refused(says(talk, chat, "I play Nf3 tomorrow"), "ann")
    assert "ann played Nf3" in says(talk, chat, "Nf3")["bob"].text


def test_a_command_with_a_password_is_not_passed_on(talk: Conversation, mails: Mails) -> None:
    """By its shape: no word is compared with a password that the mail has not proved."""
    password = talk.password("bob")
    heard = says(talk, mails["bob"], f"Hello there!\nchess move 1 bob {password} d5")
    assert "sent to ann" not in heard["bob"].text or password not in heard["ann"].text


@pytest.mark.parametrize(
    "headers",
    [
        {"Auto-Submitted": "auto-replied"},
        {"X-Autoreply": "yes"},
    ],
)
def test_machines_do_not_talk(talk: Conversation, mails: Mails, headers: dict[str, str]) -> None:
    """Neither to the opponent, nor do they agree to anything."""
    over = says(talk, mails["bob"], "draw")
    for text in ("Thank you for your message.", "Yes", "I am away until Monday.", "Hi Bob,\n\nNf3"):
        talk.mails(
            "ann",
            f"Re: {over['ann'].subject}",
            text,
            to=over["ann"].reply_to,
            In_Reply_To=over["ann"].message_id,
            **{name.replace("-", "_"): value for name, value in headers.items()},
        )
    assert all(mail.address != "bob@example.org" for mail in talk.everything())
    talk.mails("bob", "chess show 1")
    assert talk.any_mail("bob").fact("Ply") == "2"


@pytest.mark.parametrize("name", ["Precedence: bulk", "Feedback-ID: 1:x", "X-Loop: y"])
def test_a_person_behind_a_relay_is_a_person(talk: Conversation, mails: Mails, name: str) -> None:
    """In a reply to one of our mails; the marks say how it travelled."""
    header, _, value = name.partition(": ")

    def writes(who: str, text: str) -> Mails:
        mail = mails[who]
        reply = {"In_Reply_To": mail.message_id, header.replace("-", "_"): value}
        talk.mails(who, f"Re: {mail.subject}", text, to=mail.reply_to, **reply)
        return {each.address.partition("@")[0]: each for each in talk.everything()}

    assert passed_on(writes("bob", "I was ill, sorry"), "ann", "I was ill, sorry")
    assert is_refused(writes("ann", "Nf9"), "ann")
    assert "ann played Nf3" in writes("ann", "Nf3")["bob"].text


def test_a_notice_of_absence_is_passed_on_once(talk: Conversation, mails: Mails) -> None:
    """Whoever wrote it; to a program nothing is said."""
    for text in ("I am out of the office until 12 March.", "Our office is closed on Monday."):
        assert passed_on(says(talk, mails["bob"], text), "ann", text)
    for count in (1, 0):
        talk.mails(
            "bob",
            "Afwezigheidsbericht: [chess 1] ann - bob",
            "Ik ben er niet tot 12 maart.",
            to=mails["bob"].reply_to,
            In_Reply_To=mails["bob"].message_id,
        )
        arrived = talk.everything()
        assert [mail.address for mail in arrived] == count * ["ann@example.org"]


# What is not passed on


def test_what_a_mail_ends_with_again_is_left_out(talk: Conversation, mails: Mails) -> None:
    """The first time it is passed on. Later the writer is told of it each time, since it may be a
    wish; of several lines, of the first."""
    app = "Gesendet mit der Post-App"
    first = says(talk, mails["ann"], f"Nf3\n\nYour turn!\n\n{app}")
    assert f"> {app}" in first["bob"].text
    replied = says(talk, first["bob"], "Nc6")
    second = says(talk, replied["ann"], f"d4\n{app}")
    assert app not in second["bob"].text
    assert f"Not passed on: {app}" in second["ann"].text
    third = says(talk, second["ann"], f"Well, well, well!\n\n{app}")
    assert "Well, well" in third["bob"].text
    assert app not in third["bob"].text
    assert f"Not passed on: {app}" in third["ann"].text
    for said, told in (
        ("Fine", ""),
        ("Thanks", "Warm wishes / from Kiel!"),
        ("Bye", "Warm wishes ..."),
    ):
        replied = says(talk, third["bob"], f"chat {said}!\n\nWarm wishes\nfrom Kiel!")
        assert ("Kiel" in replied["ann"].text) == (not told)
        assert told in " ".join(replied["bob"].text.split())


def test_a_signature_and_a_card_are_named(talk: Conversation, mails: Mails) -> None:
    told = says(talk, mails["ann"], "Nf3\n\nHello\n\nAnn Smith\n+49 170 1234567\n-- \nACME Ltd.")
    assert "Hello" in told["bob"].text
    assert not any(word in told["bob"].text for word in ("1234567", "ACME"))
    assert "> Not passed on: ACME Ltd. / Ann Smith / +49 170 1234567" in told["ann"].text


def test_what_was_not_passed_on_is_not_so_when_it_is_quoted(
    talk: Conversation, mails: Mails
) -> None:
    """Each of its lines is marked, also where a mail program copies it without a mark of its
    own."""
    below = "ACME Ltd. of Kiel, by the old harbour, where all the tall ships come in at noon"
    told = says(talk, mails["ann"], f"Nf3\n\nHello\n-- \n{below}")
    _, _, named = told["ann"].text.partition("Hello\n")
    quoted = [line for line in named.split("\n") if line.startswith("> ")]
    assert " ".join(line[2:] for line in quoted) == f"Not passed on: {below}"
    again = says(talk, told["ann"], "\n".join([*quoted, "", "A lovely day, is it not?"]))
    assert passed_on(again, "bob", "A lovely day, is it not?")
    assert "ACME" not in again["bob"].text


def test_french_words_with_a_hyphen_are_no_passwords(talk: Conversation, mails: Mails) -> None:
    """On one's turn they are shown again, as what a yes sends."""
    line = "Amuse-toi bien, et dis-moi peut-être ce que tu fais"
    told = says(talk, mails["ann"], line)
    assert f"    chat {line}" in told["ann"].lines
    assert passed_on(says(talk, told["ann"], "Yes"), "bob", line)


def test_a_banner_is_what_mails_of_several_begin_with(talk: Conversation) -> None:
    banner = "This mail has come from far away and over the sea."
    talk.signup("ann", "bob", "carl", "dora")
    for count, who in enumerate(("ann", "carl", "dora")):
        latest = talk.challenge("chess", who, "bob")
        told = says(talk, latest[0], f"{banner}\n\ne4\n\nGood luck")
        assert "Good luck" in told["bob"].text
        assert (banner in told["bob"].text) == (count < 2)
        assert (f"Not passed on: {banner}" in " ".join(told[who].text.split())) == (count == 2)


def test_nobody_speaks_for_somebody_else(talk: Conversation, mails: Mails) -> None:
    """A reply from another address, or with a token that is not genuine, proves nobody."""
    talk.signup("carl")
    forged = mails["bob"].reply_to.replace("+b1-1-3-", "+b1-1-2-")
    assert forged != mails["bob"].reply_to
    talk.replies(mails["bob"], "Thanks, nice game!", who="carl")
    talk.mails("bob", "Re: hello", "Thanks, nice game!", to=forged)
    talk.mails("bob", "Re: hello", "help", to=forged)
    mails_out = talk.everything()
    assert all(mail.address != "ann@example.org" for mail in mails_out)
    assert not any("Nice" in mail.text or "legal moves" in mail.text for mail in mails_out)


# Yes and no


@pytest.mark.parametrize(
    ("yes", "no"), [("Yes, sure", "No, sorry"), ("Ja, gerne!", "Nein danke"), ("Oui", "Non merci")]
)
def test_yes_and_no_to_a_draw(talk: Conversation, mails: Mails, yes: str, no: str) -> None:
    offered = says(talk, mails["bob"], "Draw?")
    rejected = says(talk, offered["ann"], no)
    assert "ann rejected the draw" in " ".join(rejected["bob"].text.split())
    offered = says(talk, mails["bob"], "draw")
    drawn = says(talk, offered["ann"], f"{yes}\nThanks for the game!")
    assert "agreed to a draw. The game is drawn" in drawn["bob"].text
    assert "> Thanks for the game!" in drawn["bob"].text


def test_yes_to_a_mail_that_asked_nothing(talk: Conversation, mails: Mails) -> None:
    """The offer came later: who answers the mail before it may not have read it."""
    offered = says(talk, mails["bob"], "draw")
    for text in ("yes", "No"):
        assert is_refused(says(talk, mails["ann"], text), "ann", "accept or reject alone"), text
    again = says(talk, offered["ann"], "moves")["ann"]
    assert "agreed to a draw. The game" in says(talk, again, "Yes")["bob"].text


def test_yes_to_a_chat_while_a_draw_is_offered(talk: Conversation, mails: Mails) -> None:
    says(talk, mails["bob"], "draw")
    chat = says(talk, mails["bob"], "chat Do you like chess?")["ann"]
    assert is_refused(says(talk, chat, "Yes"), "ann", "accept or reject alone")


def test_yes_where_nothing_is_asked(talk: Conversation, mails: Mails) -> None:
    assert is_refused(says(talk, mails["ann"], "yes"), "ann")
    assert is_refused(says(talk, mails["ann"], "No"), "ann")


def test_yes_to_an_invitation_and_to_an_undo(talk: Conversation, mails: Mails) -> None:
    _, invited = talk.challenge("hex", "ann", "bob", options="--ask")
    assert is_refused(says(talk, invited, "Yes, next week"), "bob")
    assert '[Ply "0"]' in says(talk, invited, "Yes please!")["ann"].text
    asked = says(talk, mails["bob"], "undo")
    assert "back to the position after move 1" in says(talk, asked["ann"], "Yes, of course")[
        "bob"
    ].text.replace("Back", "back")


# A move below a salutation


@pytest.mark.parametrize(
    "text",
    [
        "Hi Bob,\n\nNf3\n\nCheers",
        "Hallo Bob!\nentschuldige die Verspätung.\n\nNf3\n",
        "Hola,\n1. Nf3!\nSaludos",
        "Dear Bob,\nmy move: g1 -> f3\nAnn",
        "Sorry for the delay.\n\nNf3",
        "Nice weather here.\nNf3",
        "What a position!\nNf3",
        "Here's my move:\n\nNf3\n\nAnn",
    ],
)
def test_a_move_below_a_salutation(talk: Conversation, mails: Mails, text: str) -> None:
    """It is played, the writer is told which line it was, and the rest is passed on."""
    played = says(talk, mails["ann"], text)
    assert "was read as the move" in " ".join(played["ann"].text.split())
    assert "ann played Nf3" in played["bob"].text
    assert f"> {text.partition(chr(10))[0]}" in played["bob"].text
    assert "> Nf3" not in played["bob"].text


def test_a_letter_below_a_salutation_is_the_move_unless_it_may_be_a_name(
    talk: Conversation,
) -> None:
    talk.signup("dan", "eve")
    dan, _ = talk.challenge("fourinarow", "dan", "eve")
    assert is_refused(says(talk, dan, "Hi Eve,\nI was ill last week.\n\nd"), "dan")
    assert "dan played e" in says(talk, dan, "Sorry for the delay.\nI was ill.\ne")["eve"].text
    dan, _ = talk.challenge("go", "dan", "eve", options="-size=5")
    assert "dan passed" in says(talk, dan, "Bonjour,\n\npass\n\nÀ bientôt")["eve"].text


@pytest.mark.parametrize(
    "text",
    [
        "Hi Bob,\nNf3\nor d4",
        "Hi Bob,\nNf3\nd4",
        "Hi Bob,\nNf3\nresign",
        "Hi Bob,\nNf3\nNf9",
        "Hi Bob,\nresign",
        "Hi Bob,\nNf9",
        "Sorry for the delay.\nShould I play this?\nNf3",
        "Maybe I should resign.\nNf3",
        "Nice weather, isn't it?\nNf3",
        "Stop! Let me look again.\nNf3",
        "I am not sure about this.\nNf3",
        "Pause! Not yet.\nNf3",
        "Ich bin nicht sicher.\nNf3",
        "Je ne suis pas sûr.\nNf3",
        "No estoy seguro.\nNf3",
        "Ik weet het niet.\nNf3",
    ],
)
def test_what_is_not_certain_is_not_played(talk: Conversation, mails: Mails, text: str) -> None:
    assert is_refused(says(talk, mails["ann"], text), "ann")


def test_a_name_is_no_move(talk: Conversation) -> None:
    """In a game of columns the initial of a name is one, but not below a text."""
    talk.signup("ann", "dan")
    mine, _ = talk.challenge("fourinarow", "ann", "dan")
    assert is_refused(says(talk, mine, "Hi Dan,\nhow are you?\n\nA"), "ann")
    assert is_refused(says(talk, mine, "Hi Dan,\nhow are you?\n\nA."), "ann")
    assert "ann played d" in says(talk, mine, "Hi Dan,\n\nd\n\nAnn")["dan"].text


# Questions


@pytest.mark.postgresql
def test_questions_are_about_this_board(talk: Conversation, mails: Mails) -> None:
    for text in ("help", "Help!", "What can I do?", "?"):
        help_here = says(talk, mails["ann"], text)["ann"].text
        assert "this game of Chess" in help_here, text
        assert "Nf3" in help_here
    for text in ("moves", "What are my moves?"):
        assert "Nf3" in says(talk, mails["ann"], text)["ann"].text
    for text in ("rules", "Rules?", "How do I play?", "help rules"):
        assert "WITHOUT THE DRAWING" in says(talk, mails["ann"], text)["ann"].text, text
    waiting = says(talk, mails["bob"], "moves")["bob"].text
    assert "It is ann's turn." in waiting
    assert "Nf3" not in waiting
    assert "Nf3" in says(talk, mails["ann"], "help\n\nthanks")["ann"].text


def test_help_in_answer_to_help_is_about_the_board(talk: Conversation, mails: Mails) -> None:
    page = says(talk, mails["ann"], "help")["ann"]
    assert "ann played Nf3" in says(talk, page, "Nf3")["bob"].text


def test_a_board_shown_to_its_player_can_be_answered(talk: Conversation, mails: Mails) -> None:
    talk.mails("ann", f"chess showas ann {talk.password('ann')} 1")
    shown = talk.any_mail("ann")
    talk.mails("ann", f"chess showas ann {talk.password('ann')} 1#1")
    earlier = talk.any_mail("ann")
    assert is_refused(says(talk, earlier, "Nf3"), "ann", "the board has changed")
    assert "ann played Nf3" in says(talk, shown, "Nf3")["bob"].text


def test_a_board_shown_to_who_is_to_move_says_so(talk: Conversation, mails: Mails) -> None:
    assert "It is your move" in says(talk, mails["ann"], "show")["ann"].text
    assert "It is ann's turn" in says(talk, mails["bob"], "show")["bob"].text


# Names slightly wrong


MISSPELT = [
    ("cradel challenge bob mcts", "did you mean cradle?", "cradle challenge bob mcts"),
    ("Ches challenge bob", "did you mean chess?", "chess challenge ann bob"),
    (
        "space craddles challenge bob",
        "did you mean spacecradles?",
        "spacecradles challenge ann bob",
    ),
    ("backgamon show 17", "did you mean backgammon?", "backgammon show 17"),
    ("fourinarwo move 1 a", "did you mean fourinarow?", "fourinarow move 1 bob PASSWORD MOVE"),
    ("hex challenge bbo", "did you mean bob?", "hex challenge bob"),
    ("hex challenge ann bobb -size=5", "did you mean bob?", "hex challenge ann bob -size=5"),
]


def test_did_you_mean(talk: Conversation, mails: Mails) -> None:
    """The answer has the whole line to send; nothing is done before it is sent."""
    for line, meant, send in MISSPELT:
        talk.proves("ann", line)
        answer = talk.any_mail("ann")
        text = " ".join(answer.text.split())
        assert text.startswith("Not done: "), answer
        assert meant in text, answer
        assert f"\n    {send.replace('bob PASSWORD', 'ann PASSWORD')}\n" in answer.text, answer
    assert is_refused(
        says(talk, mails["ann"], "cradel challenge bob"), "ann", "did you mean cradle"
    )


def test_did_you_mean_repeats_no_password(talk: Conversation) -> None:
    """Every mail is held to that: neither in a proven mail nor in one that proves nothing."""
    talk.signup("ann", "bob")
    password = talk.password("ann")
    for line in (f"cradel challenge ann {password} bob", f"hex challenge ann {password} bobb"):
        talk.proves("ann", line)
        assert "Not done: " in talk.any_mail("ann").text
        talk.mails("ann", line)
        assert "Not done: " in talk.any_mail("ann").text


def test_a_word_that_is_called_the_password_goes_to_nobody(
    talk: Conversation, mails: Mails
) -> None:
    """It is compared with nothing, so it is known by what stands before it alone."""
    heard = says(talk, mails["bob"], "Sorry, my password is Sesame-bobs, and I am late.")
    said = " ".join(heard["ann"].text.split())
    assert "my password is (password removed), and I am late." in said
    assert "Sesame-bobs" not in said
    heard = says(talk, mails["ann"], "Nf3\n\nPassword: Sesame-anns.\nI forgot my password again!")
    said = " ".join(heard["bob"].text.split())
    assert "Password: (password removed). > I forgot my password again!" in said


# Sentences at an invitation


@pytest.fixture
def invited(talk: Conversation) -> Mails:
    """The mails of an invitation from ann to bob."""
    talk.signup("ann", "bob")
    ann, bob = talk.challenge("hex", "ann", "bob", options="--ask")
    return {"ann": ann, "bob": bob}


@pytest.mark.parametrize("sentence", ["Sure, why not!", "Klar, warum nicht", "Por qué no"])
def test_a_sentence_that_agrees_accepts(talk: Conversation, invited: Mails, sentence: str) -> None:
    mails = says(talk, invited["bob"], sentence)
    assert "[hex 1] new board" in mails["ann"].subject


def test_a_sentence_that_refuses_declines(talk: Conversation, invited: Mails) -> None:
    mails = says(talk, invited["bob"], "Sorry, too busy at the moment")
    assert "cancelled" in mails["ann"].subject


def test_a_yes_with_more_behind_it_is_asked_about(talk: Conversation, invited: Mails) -> None:
    mails = says(talk, invited["bob"], "Yes, but I am slow these days")
    assert is_refused(mails, "bob")
    assert "> but I am slow these days" in says(talk, mails["bob"], "yes")["ann"].lines


@pytest.mark.parametrize(
    "sentence", ["I am slow these days", "Do you play it often?", "Nice game last week, Ann!"]
)
def test_other_words_go_to_who_invites(talk: Conversation, invited: Mails, sentence: str) -> None:
    mails = says(talk, invited["bob"], sentence)
    assert passed_on(mails, "ann", sentence)
    assert "still waits for your answer: reply with accept or decline" in mails["bob"].text
    assert "[hex 1] new board" in says(talk, mails["bob"], "yes")["ann"].subject


def test_praise_of_a_game_accepts_none(talk: Conversation, invited: Mails) -> None:
    assert passed_on(says(talk, invited["bob"], "Great game, Ann!"), "ann", "Great game, Ann!")


def test_who_invites_writes_to_who_is_invited(talk: Conversation, invited: Mails) -> None:
    mails = says(talk, invited["ann"], "No hurry with the answer, Bob.")
    assert passed_on(mails, "bob", "No hurry with the answer, Bob.")
    assert "still waits" not in mails["ann"].text


def test_a_word_of_the_rules_is_explained(talk: Conversation, mails: Mails) -> None:
    got = says(talk, mails["ann"], "What is a stalemate?")
    assert got.keys() == {"ann"}
    assert "stalemate" in got["ann"].text
    assert "this is what the rules say of it" in got["ann"].text.lower()


def test_a_word_that_the_rules_do_not_have_is_no_question_to_them(
    talk: Conversation, mails: Mails
) -> None:
    assert passed_on(says(talk, mails["bob"], "What is the weather like?"), "ann")
    told = says(talk, mails["ann"], "What is the weather like?")
    assert told.keys() == {"ann"}
    assert "    chat What is the weather like?" in told["ann"].lines


def test_a_banner_that_denies_or_explains_leaves_no_doubt_about_the_move(
    talk: Conversation, mails: Mails
) -> None:
    """It speaks of a mail, and its writer not of himself."""
    banner = "You don't often get email from pbm@example.net. Learn why this is important"
    told = says(talk, mails["ann"], f"{banner}\n\nNf3")
    assert "You played Nf3" in told["ann"].text
