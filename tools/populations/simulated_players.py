"""The simulated players of the year: their habits, what they know from mails, and what they send.

They read mails as players do; only for a legal move do they look at the board."""

from __future__ import annotations

import random
import zlib
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime

from pbm.core.storing import load
from pbm.rules import CHANCE, Position
from pbm.rules.turn_text import turn_text
from pbm.store.transaction import Session
from tests.harness.conversation import DAY, Conversation
from tests.harness.mail import Mail


@dataclass(frozen=True, slots=True)
class Menu:
    """A game, its options, how many may sit down, and how often it is chosen."""

    game: str
    options: str
    seats: tuple[int, ...]
    weight: int
    hides: bool = False


MENU = (
    Menu("tictactoe", "", (2,), 5),
    Menu("fourinarow", "", (2,), 4),
    Menu("cradle", "-size=3", (2, 3), 5),
    Menu("cradle", "", (2, 3), 3),
    Menu("cyclone", "-length=5", (2, 3, 4), 3),
    Menu("dotsandboxes", "-columns=3 -rows=3", (2,), 3),
    Menu("hex", "-size=4", (2,), 3),
    Menu("breakthrough", "-columns=5 -rows=6", (2,), 3),
    Menu("cephalopod", "-rows=3", (2,), 2),
    Menu("atarigo", "-size=7", (2,), 2),
    Menu("linesofaction", "-scrambled", (2,), 1),
    Menu("poolside", "", (3, 4), 3, hides=True),
    Menu("spacecradles", "", (3, 4), 1),
    Menu("spacetruckin", "", (4,), 1),
)
TERMS = (
    *[""] * 8,
    "--nag=3 --forfeit=10",
    "--nag=2 --forfeit=6",
    "--forfeit=14 --total=40",
    "--total=30",
    "--time=10d+1d",
    "--time=6d+12h",
    "--time=36h+12h",
    "--nag=5 --forfeit=none",
    "--nag=none --forfeit=9",
    "--unrated",
)


def choose(dice: random.Random) -> Menu:
    """Return a game by its weight."""
    return dice.choices(MENU, [each.weight for each in MENU])[0]


def terms(dice: random.Random) -> str:
    """Return a clock, mostly the usual one."""
    return dice.choice(TERMS)


_AS_EXPECTED = 0.6
"""How often somebody who can be foreseen does what everybody expects."""
_LONGEST_PLAN = 6
ZONES = ("UTC", "Europe/Berlin", "America/New_York", "Asia/Kolkata", "Pacific/Auckland")
_PREFERENCES = (
    "digest=07:00",
    "digest=21:30",
    "off=sat,sun",
    "off=wed",
    "own=no",
    "mail=picture",
    "ask=yes",
    "broadcasts=no",
)
_LOOKS = (
    "list",
    "games",
    "seeks",
    "{game} ratings",
    "{game} standings",
    "{game} history",
    "rating {user}",
    "all show {user} next",
    "all show {user} all",
    "{game} show {user}",
    "vacation {user} {password}",
    "{game} showas {user} {password} next",
)


@dataclass(slots=True)
class Person:
    """A player with habits; `latest` has the last mail of each unfinished board."""

    name: str
    dice: random.Random
    pace: float
    appetite: int
    silences: Sequence[tuple[float, float]]
    leaves: float
    zone: str
    preferences: tuple[str, ...]
    latest: dict[int, Mail] = field(default_factory=dict)
    letters: list[Mail] = field(default_factory=list)
    away: tuple[float, float] = (0.0, 0.0)
    gone: bool = False
    foresees: bool = False
    plans: bool = False
    ladder: int = 0

    def is_there(self, now: float) -> bool:
        """Whether the player reads mail at that time."""
        if self.gone or any(begin <= now < end for begin, end in self.silences):
            return False
        return not self.away[0] <= now < self.away[1]

    def looks(self) -> bool:
        """Whether this is one of the one or two moments a day when the player reads mail."""
        return self.dice.random() < 0.35


def person(number: int, dice: random.Random, begin: float, days: float) -> Person:
    """Return a player of the population: a third is silent for weeks at some time, some for
    good."""
    own = random.Random(dice.random())
    silences = []
    if own.random() < 0.4:
        start = begin + own.uniform(0.1, 0.8) * days * DAY
        silences.append((start, start + own.choice((20, 35, 70, 5000)) * DAY))
    return Person(
        name=f"p{number:02}",
        dice=own,
        pace=own.choice((0.3, 0.6, 0.8, 0.95)),
        appetite=own.randint(3, 8),
        silences=silences,
        leaves=begin + (own.uniform(0.5, 1.0) * days * DAY if own.random() < 0.05 else 1e9),
        zone=own.choice(ZONES),
        preferences=tuple(own.sample(_PREFERENCES, own.choice((0, 1, 1, 2)))),
    )


def settle_in(talk: Conversation, each: Person) -> None:
    """Open the account and set preferences."""
    talk.signup(each.name)
    prefer(talk, each)


def prefer(talk: Conversation, each: Person) -> None:
    """Set preferences."""
    changes = " ".join([f"zone={each.zone}", "events=yes", *each.preferences])
    talk.mails(each.name, f"set {each.name} {talk.password(each.name)} {changes}")


def reads(each: Person, mail: Mail) -> None:
    """Take note of a mail."""
    facts = dict(fact for line in mail.lines if (fact := _fact(line)))
    if "Board" not in facts or mail.subject.endswith("record"):
        each.letters.append(mail)
        return
    board = int(facts["Board"])
    if facts["Result"] != "*" or "cancelled" in mail.subject:
        each.latest.pop(board, None)
        each.letters.append(mail)
    elif each.name in facts["Players"].split():
        each.latest[board] = mail


def _fact(line: str) -> tuple[str, str] | None:
    if not line.startswith("[") or not line.endswith('"]'):
        return None
    name, _, value = line[1:-2].partition(' "')
    return name, value


def acts(
    talk: Conversation, each: Person, others: Sequence[Person], session: Session, did: Counter[str]
) -> None:
    """Do what a player does who reads the mail now."""
    dice, now = each.dice, talk.clock.now
    if now > each.leaves:
        talk.mails(each.name, f"signoff {each.name} {talk.password(each.name)}")
        did["signoff"] += 1
        each.leaves = 1e12
    for mail in each.letters:
        _answers(talk, each, mail, did)
    each.letters.clear()
    for board, mail in list(each.latest.items()):
        if dice.random() < each.pace:
            _plays(talk, each, board, mail, session, did)
    if len(each.latest) < each.appetite and dice.random() < 0.4:
        _looks_for_a_game(talk, each, others, did)
    if dice.random() < 0.02:
        _looks(talk, each, did)
    if dice.random() < 0.005:
        _takes_a_vacation(talk, each, did)


def _answers(talk: Conversation, each: Person, mail: Mail, did: Counter[str]) -> None:
    """Send codes back; a board that ended may be played again."""
    text = mail.text
    if "close your account?" in mail.subject:
        talk.replies(mail, f"confirm {mail.line('Code: ')}")
        each.gone = True
    elif "goodbye" in mail.subject:
        each.gone = True
    elif "rematch" in text and each.dice.random() < 0.15 and len(each.latest) < each.appetite:
        talk.replies(mail, "rematch")
        did["rematch"] += 1


def _plays(
    talk: Conversation, each: Person, board: int, mail: Mail, session: Session, did: Counter[str]
) -> None:
    """Reply to the last mail of a board."""
    dice, text = each.dice, mail.text
    if "Reply with accept or decline" in text:
        answer = "accept" if dice.random() < 0.85 else "decline"
    elif "Reply with accept or reject" in text:
        answer = "accept" if dice.random() < 0.5 else "reject"
    elif each.name in mail.fact("ToMove").split():
        found = _move(each, board, session)
        if found is None:
            each.latest.pop(board)
            return
        _moves(talk, each, board, mail, found, session, did)
        return
    elif dice.random() < 0.01:
        answer = dice.choice(("undo", "propose", "cancel", "chat Are you there?", "queue none"))
    elif '[Ply "0"]' in text and dice.random() < 0.02:
        answer = "decline"
    else:
        return
    talk.replies(mail, answer)
    did[answer.split()[0]] += 1
    del each.latest[board]


def _moves(
    talk: Conversation,
    each: Person,
    board: int,
    mail: Mail,
    found: str,
    session: Session,
    did: Counter[str],
) -> None:
    """Move, mostly, when on the move, by reply or in full; now and then something else."""
    dice, game = each.dice, mail.fact("Game")
    me = f"{each.name} {talk.password(each.name)}"
    del each.latest[board]
    kind = dice.choices(
        ("reply", "move", "submit", "resign", "propose", "undo", "cancel"),
        (800, 60, 15, 4, 8, 8, 3),
    )[0]
    if kind == "reply":
        plan = _plan(board, found, session) if each.plans else ""
        comment = "\n\nGood luck!" if dice.random() < 0.1 else ""
        talk.replies(mail, f"{found}\n{plan}{comment}" if plan else f"{found}{comment}")
        did["plan"] += bool(plan)
    elif kind == "move":
        talk.mails(each.name, f"{game} move {board} {me} {found}")
    elif kind == "submit":
        talk.mails(each.name, f"{game} submit {board} {me} {found}")
        talk.mails(each.name, f"{game} confirm {board} {me}")
    else:
        talk.mails(each.name, f"{game} {kind} {board} {me}")
    did[kind] += 1


def _move(each: Person, board: int, session: Session) -> str | None:
    """Make any legal move of a seat of the person on the move."""
    position = load(session, board).position
    seats = [seat.seat for seat in load(session, board).seats if seat.userid == each.name]
    for seat in seats:
        if seat in position.to_move and seat != CHANCE:
            if each.foresees and each.dice.random() < _AS_EXPECTED:
                return expected_turn(position, seat)[0][0]
            return each.dice.choice(position.legal_moves(seat))
    return None


def expected_turn(position: Position, seat: int) -> tuple[list[str], Position]:
    """Return the turn of a seat that everybody expects, up to the next chance, and the position
    then."""
    turn, moves = position.turn, list[str]()
    while position.outcome is None and position.turn == turn and seat in position.to_move:
        legal = position.legal_moves(seat)
        moves.append(legal[zlib.crc32(position.encode().encode()) % len(legal)])
        position = position.play(seat, moves[-1])
    return moves, position


def _plan(board: int, move: str, session: Session) -> str:
    """Return a plan below a move, for what everybody expects: the others' next turns and the
    answers; "" where the turn goes on or chance decides."""
    position = load(session, board).position
    if position.game.info.features & {"hidden", "sealed"} or len(position.to_move) != 1:
        return ""
    (seat,) = position.to_move
    turn, position = position.turn, position.play(seat, move)
    if position.turn == turn:
        return ""
    words, last = list[str](), 0
    while len(words) < _LONGEST_PLAN and position.to_move and CHANCE not in position.to_move:
        mover = min(position.to_move)
        before = position
        moves, position = expected_turn(position, mover)
        words.append(f"{'then' if mover == seat else 'if'} {turn_text(before, mover, moves)}")
        last = len(words) if mover == seat else last
    return " ".join(words[:last])


def _looks_for_a_game(
    talk: Conversation, each: Person, others: Sequence[Person], did: Counter[str]
) -> None:
    dice, game = each.dice, choose(each.dice)
    me = f"{each.name} {talk.password(each.name)}"
    count = dice.choice(game.seats)
    how = dice.choices(("seek", "join", "challenge", "house"), (3, 4, 4, 1))[0]
    if how == "seek":
        rating = " --rating=1300-1700" if dice.random() < 0.2 else ""
        players = f" --players={count}" if count != 2 else ""
        talk.mails(
            each.name, f"{game.game} seek {me} {game.options} {terms(dice)}{players}{rating}"
        )
    elif how == "join":
        talk.mails(each.name, "seeks")
    elif how == "challenge":
        _challenges(talk, each, others, game, count)
    elif not game.hides:
        bot = "mcts" if dice.random() < 0.5 else "random"
        talk.proves(each.name, f"{game.game} challenge {bot} {each.name} {game.options}")
    did[how] += 1


def _challenges(
    talk: Conversation, each: Person, others: Sequence[Person], game: Menu, count: int
) -> None:
    dice = each.dice
    people = [each.name, *dice.sample([one.name for one in others if one is not each], count - 1)]
    ask = " --ask" if dice.random() < 0.15 else ""
    dice.shuffle(people)
    line = f"{game.game} challenge {' '.join(people)} {game.options} {terms(dice)}{ask}"
    write = talk.proves if talk.is_welcome(each.name) else talk.mails
    write(each.name, line)


def joins(talk: Conversation, each: Person, mail: Mail, did: Counter[str]) -> None:
    """Accept one of the listed offers."""
    offers = [line.split() for line in mail.lines if line[:4].strip().isdigit()]
    if offers:
        number, game = each.dice.choice(offers)[:2]
        me = f"{each.name} {talk.password(each.name)}"
        talk.mails(each.name, f"{game.rstrip(',')} join {number} {me}")
        did["joined"] += 1


def _looks(talk: Conversation, each: Person, did: Counter[str]) -> None:
    words = each.dice.choice(_LOOKS).format(
        game=choose(each.dice).game, user=each.name, password=talk.password(each.name)
    )
    talk.mails(each.name, words)
    did["look"] += 1


def _takes_a_vacation(talk: Conversation, each: Person, did: Counter[str]) -> None:
    """Plan a vacation, mostly kept; some play on, some end it early."""
    dice, now = each.dice, talk.clock.now
    me = f"{each.name} {talk.password(each.name)}"
    if dice.random() < 0.15:
        talk.mails(each.name, f"vacation {me} off")
        did["vacation off"] += 1
        return
    first = now + dice.randint(1, 10) * DAY
    last = first + dice.randint(2, 14) * DAY
    talk.mails(each.name, f"vacation {me} {day_of(first)} {day_of(last)}")
    did["vacation"] += 1
    if dice.random() < 0.7:
        each.away = (first, last)


def day_of(now: float) -> str:
    """Return the date in UTC."""
    return datetime.fromtimestamp(now, UTC).strftime("%Y-%m-%d")
