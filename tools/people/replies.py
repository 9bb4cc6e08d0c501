"""The kinds of replies: what a person writes, when, and how another person would read it.

Written from how people answer mails, not from what the server does. {move} stands for a legal move
of the board, {other} for another one, {you} for the opponent's name, {password} for the writer's
own password; `|` is a line break."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class When(StrEnum):
    """The mail that is answered."""

    MY_TURN = "one's turn"
    THEIR_TURN = "not one's turn"
    OVER = "after the end"
    CHAT = "to a chat"
    CHAT_MY_TURN = "to a chat, on one's turn"
    DRAW = "to a draw offer"
    UNDO = "to a request to take back"
    INVITED = "to an invitation"


class Reading(StrEnum):
    """How a person would read the reply."""

    MOVE = "a move"
    PASSED_ON = "a word to the opponent"
    ACCEPTED = "yes"
    REJECTED = "no"
    OFFERED = "a draw offer"
    RESIGNED = "a resignation"
    QUEUED = "a move for later"
    REMATCH = "another game"
    HELPED = "a question about the game"
    ASKED = "unclear"


@dataclass(frozen=True)
class Reply:
    """One kind of reply.

    asks    the server does not do what a person would understand, but says what to send: it ends
            or settles something, or would be a guess
    passed  is in what the opponent gets, as are the other lines of a text that is passed on
    never   is in nothing of the writer's that the opponent gets
    """

    when: When
    text: str
    reading: Reading
    asks: bool = False
    passed: str = ""
    never: str = ""


def kinds(when: When, reading: Reading, texts: str, *, asks: bool = False) -> list[Reply]:
    """Return replies of the same reading, one a line."""
    lines = [line.strip() for line in texts.strip().splitlines()]
    return [Reply(when, line.replace("|", "\n"), reading, asks) for line in lines]


GREETINGS = """\
Hi {you},
Hello {you}!
Hey,
Dear {you},
Good morning {you},
Good evening!
Hi there,
Hello again,
Hallo {you},
Lieber Bob,
Guten Abend {you},
Moin!
Salut {you},
Bonjour,
Bonsoir {you},
Hola {you},
Buenos días,
Buenas tardes {you}!
Ciao {you},
Buongiorno,
Caro {you},
Olá {you},
Bom dia!
Hoi {you},
Beste {you},
Goedemorgen,
Hej {you},
God morgon!
Cześć {you},
Dzień dobry,
Привет, {you}!
Добрый день,
""".splitlines()

GREETED = [
    *(Reply(When.MY_TURN, f"{each}\n\n{{move}}\n\nCheers", Reading.MOVE) for each in GREETINGS),
    *(
        Reply(When.THEIR_TURN, f"{each}\n\nhow are you?", Reading.PASSED_ON, passed="how are you?")
        for each in GREETINGS[::4]
    ),
]

MOVES = kinds(
    When.MY_TURN,
    Reading.MOVE,
    """
    {move}
    {move}!
    {move}.
    ({move})
    *{move}*
    "{move}"
    my move: {move}
    My move is {move}.
    Move: {move}
    move {move}
    I play {move}
    I'll play {move}!
    {move} :-)
    {move} 😀
    - {move}
    Mein Zug: {move}
    Ich spiele {move}
    Je joue {move}
    Mon coup : {move}
    Mi jugada: {move}
    Mijn zet: {move}
    Hi {you},|thanks for your mail.||{move}||All the best
    Hi {you}!|Sorry for the delay, I was away for a week.||{move}
    Hallo {you},|entschuldige die Verspätung.||{move}
    Sorry for the delay.||{move}
    Sorry it took so long!|{move}
    Thanks!|{move}
    Thank you for the nice words.||{move}
    What a position!||{move}
    Nice weather here today.||{move}||Bob
    Here's my move:||{move}
    My apologies, I was ill last week.|Better now.||{move}
    Merry Christmas to you and your family!||{move}
    Entschuldige die lange Pause.||{move}
    Merci pour ton message.||{move}
    Perdona el retraso.||{move}
    Scusa il ritardo!||{move}
    Извини за задержку.||{move}
   ||{move}
    """,
)

MOVES_BUT_NOT_LETTERS = kinds(
    When.MY_TURN,
    Reading.MOVE,
    """
    1: {move}
    """,
    asks=True,
)
"""Asked about where a move is a letter: the number may be a move too."""

MOVES_AND_MORE = [
    Reply(When.MY_TURN, "{move}\n\nGood luck!", Reading.MOVE, passed="Good luck!"),
    Reply(When.MY_TURN, "{move}\nThat was hard.", Reading.MOVE, passed="That was hard."),
    Reply(When.MY_TURN, "{move}\n\nSent from my iPhone", Reading.MOVE),
    Reply(When.MY_TURN, "{move}\n\nVon meinem iPhone gesendet", Reading.MOVE),
    Reply(When.MY_TURN, "{move}\n\nEnvoyé de mon iPhone", Reading.MOVE),
    Reply(When.MY_TURN, "{move}\n\nGet Outlook for Android", Reading.MOVE),
    Reply(When.MY_TURN, "{move}\n-- \nAnn Smith\nHead of Sales", Reading.MOVE, never="Sales"),
    Reply(
        When.MY_TURN,
        "{move}\n\nBest regards,\nAnn Smith\n+49 170 1234567",
        Reading.MOVE,
        never="1234567",
    ),
    Reply(When.MY_TURN, "{move}\n\nmy password is {password}", Reading.MOVE, never="{password}"),
    Reply(When.MY_TURN, "{move}\nresign", Reading.MOVE, never="resign"),
    Reply(When.MY_TURN, "{move}\n{other}", Reading.MOVE),
    Reply(
        When.THEIR_TURN, "My password is {password}, sorry", Reading.PASSED_ON, never="{password}"
    ),
    Reply(
        When.THEIR_TURN,
        "Nice move!\n\nBest regards,\nAnn Smith\n+49 170 1234567",
        Reading.PASSED_ON,
        passed="Nice move!",
        never="1234567",
    ),
    Reply(
        When.THEIR_TURN,
        "Nice move!\n\nSent from my iPhone",
        Reading.PASSED_ON,
        passed="Nice move!",
    ),
]

UNDERSTOOD_BUT_ASKED = [
    *kinds(
        When.MY_TURN,
        Reading.MOVE,
        """
        {move}, good luck
        {move} please
        I think I'll go for {move} this time
        """,
        asks=True,
    ),
    *kinds(
        When.MY_TURN,
        Reading.RESIGNED,
        """
        I resign
        I resign.
        I give up!
        OK, I resign. Well played.
        Ich gebe auf
        """,
        asks=True,
    ),
    *kinds(
        When.MY_TURN,
        Reading.OFFERED,
        """
        I offer a draw
        Shall we call it a draw?
        How about a draw?
        """,
        asks=True,
    ),
    *kinds(
        When.MY_TURN,
        Reading.PASSED_ON,
        """
        Good luck to you, Dan!
        Thanks, nice game!
        Hmm, let me think about it.
        What a position!
        Will you be in town next week?
        Hi {you},|how are you?
        """,
        asks=True,
    ),
    *kinds(
        When.THEIR_TURN,
        Reading.QUEUED,
        """
        {move}
        I play {move}
        my next move: {move}
        """,
        asks=True,
    ),
    *kinds(When.THEIR_TURN, Reading.RESIGNED, "I resign\nI resign, you win!", asks=True),
    *kinds(When.OVER, Reading.REMATCH, "Thanks for the game! Same again?", asks=True),
    *kinds(
        When.CHAT_MY_TURN,
        Reading.PASSED_ON,
        "Sorry, I am travelling; I will move tomorrow.",
        asks=True,
    ),
    *kinds(When.DRAW, Reading.REJECTED, "No grazie", asks=True),
    *kinds(
        When.DRAW,
        Reading.ACCEPTED,
        """
        I accept
        I accept your offer, thank you
        Tak
        Yes, but you were winning
        """,
        asks=True,
    ),
]

UNCLEAR = [
    *kinds(
        When.MY_TURN,
        Reading.ASKED,
        """
        Resign now, you have no chance!
        Accept my apologies for the delay!
        Draw near, my friend
        Propose a toast!
        Cancel my subscription
        Decline and fall of the Roman empire
        Pass me the salt
        Undo the damage, will you
        Hi {you},|{move}|{other}
        {move} or {other}
        yes
        no
        xyzzy
        ???
        Hi {you},|resign
        Hi {you},|{move}|resign
        I am not sure. Would this be legal?|{move}
        Maybe I should have resigned.|{move}
        If I had played this last week...|{move}
        Let me think until tomorrow.|{move}
        """,
    ),
    *kinds(
        When.THEIR_TURN,
        Reading.ASKED,
        """
        Resign now!
        Accept my apologies
        Undo my last move please
        resing
        Will you resign?
        """,
    ),
    *kinds(
        When.DRAW,
        Reading.ASKED,
        """
        Yes and no
        Yes, if you give me a rematch
        Maybe later
        Accept my apologies!
        Reject modernity, embrace tradition
        """,
    ),
    *kinds(When.OVER, Reading.ASKED, "{move}\nI play {move}"),
    *kinds(When.INVITED, Reading.ASKED, "Yes, next week\nAccept my apologies"),
    *kinds(When.CHAT_MY_TURN, Reading.ASKED, "I play {move} tomorrow\nI resign"),
]

TALK = [
    *kinds(
        When.THEIR_TURN,
        Reading.PASSED_ON,
        """
        Thanks, nice game so far!
        Good luck!
        Nice move.
        Take your time, I'm on holiday.
        Sorry for the delay
        Well played!
        Ha, I did not see that coming
        How is the weather in Oslo?
        lol
        Danke, schönes Spiel!
        Merci, bien joué !
        Gracias, buen juego
        Grazie, bella partita
        Obrigado, bom jogo
        Dank je, leuk spel
        Tack, bra spelat
        Dziękuję, dobra gra
        Спасибо, хорошая игра!
        👍
        :-)
        Yes, sure
        No idea yet.
        Ok
        Hmm...
        I have to think about this one.
        See you at 8pm!
        Wow!!!
        Happy birthday!
        You are too strong for me
        Where do you live, if I may ask?
        I'm back on the 12th.
        """,
    ),
    *kinds(
        When.OVER,
        Reading.PASSED_ON,
        """
        Thanks, nice game!
        gg
        Good game, well played.
        You were lucky this time ;-)
        I should have resigned earlier
        {move} would have been better, I think
        Congratulations!
        2-0 for you!
        Danke für das Spiel!
        Merci pour la partie !
        Gracias por la partida
        Grazie della partita!
        Obrigado pelo jogo
        Bedankt voor het spel
        Tack för spelet!
        Dziękuję za grę
        Спасибо за игру!
        Hi {you},||that was fun.||Ann
        👏
        """,
    ),
    *kinds(When.INVITED, Reading.PASSED_ON, "Maybe"),
    *kinds(
        When.CHAT,
        Reading.PASSED_ON,
        """
        Yes, Friday is fine.
        Sure!
        Yes
        No, sorry
        Hello from Oslo
        I was ill, but I am back.
        About 45, and you?
        Ja, gerne!
        Oui, bien sûr
        Sí, claro
        Hi {you},||I am fine, thanks.
        """,
    ),
    *kinds(
        When.CHAT_MY_TURN,
        Reading.PASSED_ON,
        """
        Yes, I live in Oslo.
        Thanks!
        Haha
        No
        """,
    ),
]

ANSWERS = [
    *kinds(When.CHAT_MY_TURN, Reading.MOVE, "{move}\nHi {you},||{move}\nmy move: {move}"),
    *kinds(
        When.DRAW,
        Reading.ACCEPTED,
        """
        accept
        Accept!
        yes
        Yes.
        Yes, sure
        Yes please
        Sure!
        OK
        Okay.
        Agreed
        Ja
        Ja, gerne!
        Oui
        Oui, d'accord
        Sí
        Ja, graag
        """,
    ),
    *kinds(
        When.DRAW,
        Reading.REJECTED,
        """
        reject
        no
        No!
        No thanks
        No, sorry
        No thank you.
        Nein
        Nein danke
        Non
        Non merci
        No, gracias
        Nee
        """,
    ),
    *kinds(When.DRAW, Reading.MOVE, "{move}"),
    *kinds(When.UNDO, Reading.ACCEPTED, "accept\nYes, of course\nok\nNo problem"),
    *kinds(When.UNDO, Reading.REJECTED, "reject\nNo, sorry"),
    *kinds(When.INVITED, Reading.ACCEPTED, "accept\nYes\nYes please!\nJa, gerne"),
    *kinds(When.INVITED, Reading.REJECTED, "decline\nNo thanks\nNein danke"),
]

WORDS = [
    *kinds(
        When.MY_TURN,
        Reading.HELPED,
        """
        help
        Help!
        help me
        rules
        Rules?
        The rules, please
        What are the rules?
        How do I play?
        moves
        Moves?
        What are my moves?
        what can I do?
        What can I play?
        ?
        """,
    ),
    *kinds(When.THEIR_TURN, Reading.HELPED, "help\nrules\nwhat can I do?"),
    *kinds(When.DRAW, Reading.HELPED, "No idea"),
    *kinds(When.MY_TURN, Reading.OFFERED, "draw\ndraw?\nDraw?\nA draw?\npropose\nRemis?\nNulle ?"),
    *kinds(When.THEIR_TURN, Reading.OFFERED, "draw?"),
    *kinds(When.MY_TURN, Reading.RESIGNED, "resign\nResign.\nRESIGN!"),
    *kinds(When.THEIR_TURN, Reading.RESIGNED, "resign"),
    *kinds(When.THEIR_TURN, Reading.QUEUED, "queue {move}\nQueue: {move}"),
    *kinds(When.OVER, Reading.REMATCH, "rematch\nRematch!\nrematch?"),
    *kinds(When.THEIR_TURN, Reading.PASSED_ON, "chat hello\nchat: hello"),
]

REPLIES: tuple[Reply, ...] = (
    *MOVES,
    *MOVES_BUT_NOT_LETTERS,
    *GREETED,
    *MOVES_AND_MORE,
    *UNDERSTOOD_BUT_ASKED,
    *UNCLEAR,
    *TALK,
    *ANSWERS,
    *WORDS,
)
