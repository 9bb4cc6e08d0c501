"""Ten games from signup to rematch, each between two people with habits of their own."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass, field

from pbm.core.board import Board
from tests.harness.conversation import SERVER
from tests.harness.mail import Mail
from tools.people.replies import Reading, Reply, When
from tools.people.table import Outcome, Table

_MOST_TURNS = 24
"""After so many turns whoever is to move resigns."""


@dataclass(frozen=True)
class Person:
    """Somebody and how they write mails; {move} stands for the move."""

    name: str
    replies: Sequence[str]
    confirms: str = "{line}"
    talk: str = "Nice move!"
    yes: str = "Yes, sure"
    no: str = "No, sorry"
    thanks: str = "Thanks, nice game!"
    rematch: str = "rematch"
    footer: str = ""
    quotes_above: bool = False
    digest: bool = False


@dataclass(frozen=True)
class Game:
    """Two people, a game, and how they come to play it."""

    first: Person
    second: Person
    game: str
    options: str = ""
    starts: str = "challenge"


ANNA = Person(
    "anna",
    ("Hi Boris,\n\n{move}\n\nCheers\nAnna",),
    confirms="Hello,\n\n{line}\n\nAnna",
    footer="Anna",
)
BOB = Person("boris", ("{move}", "{move}!"), talk="lol", thanks="gg", rematch="Rematch!")
CLAUDE = Person(
    "claude",
    ("Bonjour,\n\n{move}\n\nÀ bientôt", "Je joue {move}"),
    talk="Bien joué !",
    yes="Oui, d'accord",
    no="Non merci",
    thanks="Merci pour la partie !",
    footer="Envoyé de mon iPhone",
)
DIETER = Person(
    "dieter",
    ("Mein Zug: {move}", "{move}\n\nViele Grüße\nDieter Schmidt\n+49 170 1234567"),
    talk="Gut gespielt!",
    yes="Ja, gerne!",
    no="Nein danke",
    thanks="Danke für das Spiel!",
    footer="Von meinem iPhone gesendet",
)
ELENA = Person(
    "elena",
    ("Ciao,\n\n{move}\n", "{move}\n\nElena"),
    talk="Bella mossa!",
    thanks="Grazie della partita!",
    quotes_above=True,
)
FELIPE = Person(
    "felipe",
    ("Hola,\n\n{move}\n\nSaludos", "Mi jugada: {move}."),
    talk="Muy buena jugada",
    yes="Sí, claro",
    no="No, gracias",
    thanks="Gracias por la partida",
    digest=True,
)
GOSIA = Person(
    "gosia",
    ("Cześć!\n\n{move}\n", "{move}\n\nGosia"),
    talk="Dobra gra!",
    thanks="Dziękuję za grę",
)
HENK = Person(
    "henk",
    ("Hoi,\n{move}\nGroetjes", "Mijn zet: {move}"),
    talk="Mooi gespeeld",
    yes="Ja, graag",
    no="Nee, bedankt",
    thanks="Bedankt voor het spel",
    quotes_above=True,
)
INGRID = Person(
    "ingrid",
    ("Hej,\n\n{move}\n\nMvh\nIngrid", "{move}\n\nIngrid"),
    talk="Bra spelat",
    thanks="Tack för spelet!",
)
JOAO = Person(
    "joao",
    ("Bom dia!\n\n{move}\n\nAbraço", "{move}\n\nJoão"),
    talk="Boa jogada, obrigado",
    thanks="Obrigado pelo jogo",
    footer="Enviado do meu iPhone",
    digest=True,
)
KATYA = Person(
    "katya",
    ("Привет!\n\n{move}\n", "{move}\n\nKatya"),
    talk="Хороший ход!",
    thanks="Спасибо за игру!",
)

GAMES = (
    Game(ANNA, BOB, "hex", "-size=4"),
    Game(CLAUDE, DIETER, "cradle", "-size=2"),
    Game(ELENA, FELIPE, "fourinarow"),
    Game(GOSIA, HENK, "spacecradles"),
    Game(INGRID, JOAO, "chess", starts="invitation"),
    Game(KATYA, ANNA, "kalah", starts="offer"),
    Game(BOB, CLAUDE, "cyclone"),
    Game(DIETER, ELENA, "draughts", starts="invitation"),
    Game(FELIPE, GOSIA, "spacetruckin"),
    Game(HENK, JOAO, "spacefighters", starts="offer"),
)


@dataclass
class Evening:
    """One game as it is played; `outcomes` has what came of each mail."""

    table: Table
    game: Game
    number: int = 0
    outcomes: list[Outcome] = field(default_factory=list)
    latest: dict[str, Mail] = field(default_factory=dict)
    dice: random.Random = field(default_factory=lambda: random.Random(1))

    def play(self) -> list[Outcome]:
        """Play from signup and challenge on: the game with all that people write in between,
        thanks, rematch."""
        self.dice = random.Random(self.game.game)
        people = (self.game.first, self.game.second)
        for person in people:
            self._sign_up(person)
        self._begin()
        self._talk(people[0])
        turns = 0
        while not (board := self._board()).is_over:
            mover = self._person(board.on_move[0].userid)
            turns += 1
            if turns == 4:
                self._offer_draw(mover)
            if turns == 7:
                self._take_back()
                continue
            if turns > _MOST_TURNS:
                self._writes(mover, "resign", Reading.RESIGNED)
            elif mover.digest and turns % 5 == 0:
                self._answer_digest(mover)
            else:
                self._move(mover)
            if turns % 6 == 1:
                self._talk(self._other(mover))
        for person in people:
            self._writes(person, person.thanks, Reading.PASSED_ON)
        self._writes(people[1], people[1].rematch, Reading.REMATCH)
        return self.outcomes

    # Before the game

    def _sign_up(self, person: Person) -> None:
        talk = self.table.talk
        if person.name in self.table.welcomes:
            return
        talk.mails(person.name, f"signup {person.name} {talk.password(person.name)}")
        (mail,) = talk.everything()
        line = person.confirms.format(line=f"confirm {mail.line('Code: ')}")
        talk.replies(mail, line)
        (welcome,) = talk.everything()
        self.table.welcomes[person.name] = welcome
        self._note("a signup", line, "welcome" in welcome.subject)
        if person.digest:
            talk.replies(welcome, "set digest=7:00")
            talk.everything()

    def _begin(self) -> None:
        talk, game = self.table.talk, self.game
        first, second = game.first, game.second
        line = f"{game.game} challenge {second.name} {game.options}".strip()
        if game.starts == "invitation":
            line += " --ask"
        if game.starts == "offer":
            talk.replies(self.table.welcomes[second.name], f"{game.game} seek {game.options}")
            (offer,) = talk.everything()
            line = f"join {_find_number(offer.subject)}"
        talk.replies(self.table.welcomes[first.name], line)
        self._collect()
        self.number = int(next(iter(self.latest.values())).fact("Board"))
        if self._board().state == "invited":
            self._writes(second, second.yes, Reading.ACCEPTED)
        self._note("a beginning", line, self._board().state == "running")

    # While it is played

    def _board(self) -> Board:
        return self.table.board(self.number)

    def _person(self, name: str) -> Person:
        return self.game.first if name == self.game.first.name else self.game.second

    def _other(self, person: Person) -> Person:
        return self.game.second if person is self.game.first else self.game.first

    def _move(self, person: Person) -> None:
        board = self._board()
        seat = board.on_move[0].seat
        moves = board.position.legal_moves(seat)
        move = moves[self.dice.randrange(min(len(moves), 500))]
        text = self.dice.choice(person.replies).format(move=move)
        self._writes(person, text, Reading.MOVE, move)

    def _talk(self, person: Person) -> None:
        """Have somebody who is not to move say something, and the other answer."""
        board = self._board()
        if board.is_over or board.on_move[0].userid == person.name:
            return
        self._writes(person, person.talk, Reading.PASSED_ON)
        other = self._other(person)
        self._writes(other, other.thanks, Reading.PASSED_ON)

    def _offer_draw(self, person: Person) -> None:
        self._writes(person, "Draw?", Reading.OFFERED)
        other = self._other(person)
        self._writes(other, other.no, Reading.REJECTED)

    def _take_back(self) -> None:
        """Have whoever moved last ask to take back, and the other agree."""
        mover = self._person(self._board().on_move[0].userid)
        asker = self._other(mover)
        self._writes(asker, "undo", None)
        self._writes(mover, mover.yes, Reading.ACCEPTED)

    def _answer_digest(self, person: Person) -> None:
        """Answer the digest line by line, below each line that names a board."""
        talk, board = self.table.talk, self._board()
        talk.passes(days=1)
        digests = [mail for mail in talk.everything() if "wait" in mail.subject]
        mine = [mail for mail in digests if mail.address.startswith(person.name)]
        if not mine:
            self._move(person)
            return
        move = board.position.legal_moves(board.on_move[0].seat)[0]
        lines = []
        for line in mine[-1].lines:
            lines.append(f"> {line}")
            if line.split()[:2] == [str(self.number), self.game.game]:
                lines.append(f"\n{self.game.game} move {self.number} {move}\n")
        self._sends(person, mine[-1], "\n".join(lines), Reading.MOVE, move)

    # Writing

    def _writes(self, person: Person, text: str, reading: Reading | None, move: str = "") -> None:
        """Reply to the latest mail of the board, as that person's mail program does."""
        mail = self.latest[person.name]
        body = f"{text}\n\n{person.footer}".rstrip()
        quoted = "\n".join(f"> {line}".rstrip() for line in mail.lines)
        attribution = f"On Mon, 2 Mar 2026, {SERVER} wrote:"
        if person.quotes_above:
            body = f"{attribution}\n{quoted}\n\n{body}"
        else:
            body = f"{body}\n\n{attribution}\n{quoted}"
        self._sends(person, mail, body, reading, move, text)

    def _sends(
        self,
        person: Person,
        mail: Mail,
        body: str,
        reading: Reading | None,
        move: str = "",
        text: str = "",
    ) -> None:
        before = self._board()
        self.table.talk.mails(
            person.name,
            f"Re: {mail.subject}",
            body,
            to=mail.reply_to,
            In_Reply_To=mail.message_id,
            References=" ".join([*mail.references, mail.message_id]),
        )
        read_as, mails = self.table.observe(before, person.name, move)
        self._keep(mails)
        if reading is None:
            return
        reply = Reply(When.MY_TURN, text or "a digest, answered line by line", reading)
        own = [each for each in mails if each.address.startswith(person.name)]
        faults = ("no answer",) if not own else ()
        answer = " ".join(own[0].text.split("\n\n")[0].split()) if own else ""
        self.outcomes.append(Outcome(reply, self.game.game, read_as, faults, answer))

    def _collect(self) -> None:
        self._keep(self.table.talk.everything())

    def _keep(self, mails: Sequence[Mail]) -> None:
        for mail in mails:
            if mail.header("References").startswith("<board."):
                self.latest[mail.address.partition("@")[0]] = mail

    def _note(self, what: str, text: str, done: bool) -> None:
        reply = Reply(When.MY_TURN, text, Reading.ACCEPTED)
        read_as = Reading.ACCEPTED if done else Reading.ASKED
        self.outcomes.append(Outcome(reply, what, read_as, (), ""))


def _find_number(text: str) -> int:
    words = text.replace(".", " ").replace(":", " ").split()
    return next(int(word) for word in words if word.isdecimal())


def play_all(table: Table, games: Sequence[Game] = GAMES) -> list[Outcome]:
    """Return what came of every mail of these games."""
    return [outcome for game in games for outcome in Evening(table, game).play()]
