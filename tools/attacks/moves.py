"""Moves, options and chance: parsers, rolls that are fished for, what is hidden."""

from __future__ import annotations

import itertools
import random
import re
import time
from collections.abc import Iterator

from pbm.core.storing import load
from pbm.games import get_game
from pbm.rules import MoveError, OptionError, Position
from pbm.store.tables import boards, inbound, moves
from tests.conversations.test_passwords import UNLIMITED
from tests.harness.conversation import Conversation
from tools.attacks.catalogue import Run, attack, column, count, run_admin, served
from tools.games.hiding import PAIRS, compare
from tools.games.sampling import list_sampled_names

_LONGEST = 0.05
"""Seconds of processor time that a move takes to parse, at most."""
_PIECES = (
    "a",
    "1",
    "a1",
    "z9",
    "-",
    ",",
    " ",
    "/",
    ":",
    "*",
    "x",
    "(",
    ")",
    "[",
    "]",
    "{",
    "}",
    "+",
    "=",
    "#",
    "@",
    "0",
    "9",
    "a1-",
    "a1,",
    "a1a1",
    "o-o ",
    "1/2 ",
    "bar/",
    "off ",
    "e8=q",
    "nb1c3 ",
    "pass ",
    "swap",
    "\u0661",
    "\u00b2",
    "\u2460",
    "\u0430",
    "\uff41\uff11",
    "\u200b",
    "\u202e",
    "\u00df",
    "\u0130",
    "\U0001f3b2",
    "\ud800",
    "\x00",
    "\x1b[2J",
    "\x7f",
    "%s",
    "{0}",
    "\\",
    "'",
    '"',
    "`",
    "$(",
    "<b>",
    "a01",
    "a-1",
    "1e9",
    "0x1",
    "1_0",
    "nan",
    "inf",
    "None",
    "..",
    "//",
    "--",
    "\t",
    "\n",
    "\r\n",
)
_LENGTHS = (1, 2, 3, 7, 40, 400, 4000)


def hostile(position: Position, rng: random.Random, many: int) -> Iterator[str]:
    """Yield so many texts that are no moves, or hardly: pieces repeated, and legal moves
    mangled."""
    repeated = [piece * length for piece in _PIECES for length in _LENGTHS]
    rng.shuffle(repeated)
    yield from itertools.islice(repeated, many // 2)
    seat = min(position.to_move)
    legal = list(position.legal_moves(seat)[:200]) or ["pass"]
    for _ in range(many - many // 2):
        text = rng.choice(legal)
        for _ in range(rng.randint(1, 4)):
            at, piece = rng.randint(0, len(text)), rng.choice(_PIECES)
            change = rng.randrange(6)
            text = (
                text[:at] + piece + text[at:],
                text[:at] + text[at + 1 :],
                text[at:] + text[:at],
                text * rng.choice((2, 50)),
                text.upper(),
                f"{text},{rng.choice(legal)}",
            )[change][:4000]
        yield text


def _positions(name: str, rng: random.Random) -> Iterator[Position]:
    """Yield a few positions of a random game in which a seat is to move."""
    position = get_game(name).setup()
    for ply in range(24):
        while position.outcome is None and position.chance is not None:
            position = position.answer(rng.choice(position.chance.outcomes))
        if position.outcome is not None or not position.to_move:
            return
        if ply % 6 == 0:
            yield position
        seat = min(position.to_move)
        position = position.play(seat, rng.choice(position.legal_moves(seat)))


def _parses(position: Position, seat: int, text: str) -> float:
    began, said = time.thread_time(), ""
    try:
        move, _ = position.parse(text, seat)
        bare = re.sub(r"^[A-Z](?=@)", "", move)  # a drop names its piece by a capital
        assert bare == bare.lower(), (text, move)
    except MoveError as error:
        said = str(error)
    assert len(said) < 2000, len(said)
    return time.thread_time() - began


@attack("moves", "a typed move that hangs or breaks a parser", in_suite=True)
def parsers(run: Run) -> str:
    rng = random.Random(20260302)
    worst, slowest = 0.0, ""
    each = 4 if run.short else 520
    names = list_sampled_names()
    for name in names:
        for position in itertools.islice(_positions(name, rng), 1 if run.short else 4):
            seat = min(position.to_move)
            for text in hostile(position, rng, each):
                run.tries += 1
                spent = _parses(position, seat, text)
                if spent > _LONGEST:
                    spent = min(_parses(position, seat, text) for _ in range(3))
                assert spent < _LONGEST, (name, text[:60], len(text), spent)
                if spent > worst:
                    worst, slowest = spent, name
    took = f"the longest took {worst * 1000:.0f} ms ({slowest})"
    return f"{len(names)} parsers; none over {_LONGEST * 1000:.0f} ms, {took}"


_VALUES = (
    "",
    "0",
    "-1",
    "1",
    "2",
    "3",
    "1.5",
    "99999999999999999999",
    "1e9",
    "1e400",
    "nan",
    "inf",
    "-inf",
    "0x10",
    "1_000",
    "\u0663",
    "\u00b2",
    "yes",
    "no",
    "red",
    "red,red",
    ",,,",
    "a" * 5000,
    "%s",
    "{0}",
    "../../etc/passwd",
    "\x00",
    "\x1b[2J",
    "None",
    "true",
    "'",
    '"',
)


@attack("options", "an option that hangs or breaks the start of a game", in_suite=True)
def options(run: Run) -> str:
    begun = refused = 0
    worst = 0.0
    cases = [
        (name, option.name, value)
        for name in list_sampled_names()
        for option in get_game(name).info.options
        for value in _VALUES
    ] + [
        (name, other, "1")
        for name in list_sampled_names()
        for other in ("__class__", "players", "\x00")
    ]
    for name, option, value in run.some(cases, 150):
        began, said = time.thread_time(), ""
        try:
            position = get_game(name).setup(0, {option: value})
            assert len(position.encode()) < 1_000_000
            begun += 1
        except OptionError as error:
            said = str(error)
            refused += 1
        assert len(said) < 2000, (name, option, len(said))
        worst = max(worst, time.thread_time() - began)
        assert worst < 2, (name, option, value, worst)
    return f"{begun} games began, {refused} options were refused; {worst:.2f} s at most"


@attack("M6", "an opening roll that is looked at and declined until it suits")
def opening(run: Run) -> str:
    talk = run.talk(limits=UNLIMITED)
    talk.signup("ann", "bob")
    rolls = agreed = 0
    for number in run.some(range(11), 2):
        talk.proves("ann", "backgammon challenge ann bob")
        mails = {mail.address: mail for mail in talk.everything()}
        assert count(talk, moves, moves.c.kind == "chance") == rolls
        for line in (f"backgammon show {number + 1}", f"backgammon export {number + 1}"):
            talk.proves("bob", line)
        shown = " ".join(mail.text for mail in talk.everything())
        assert not re.search(r"rolled|to play [1-6]", shown), shown
        talk.replies(mails["bob@example.org"], "decline" if number % 2 else "accept")
        mails = {mail.address: mail for mail in talk.everything()}
        if number % 2 == 0:
            first = count(talk, moves, moves.c.kind == "chance")
            assert first > rolls
            rolls, agreed = first, agreed + 1
            talk.replies(mails["bob@example.org"], "decline")
            talk.everything()
            assert count(talk, boards, boards.c.state == "running") == agreed
    running = count(talk, boards, boards.c.state == "running")
    assert running == agreed
    return "no roll before both have accepted, and nobody declines after it"


@attack("dice", "a roll that is known or chosen by undo, submit, preview or queue")
def dice(run: Run) -> str:
    """A move is shown up to the roll that follows. Whether it is then taken back or played
    otherwise, the next roll is the same one."""
    talk = run.talk(limits=UNLIMITED)
    talk.signup("ann", "bob")
    talk.agreed("backgammon", "ann", "bob")
    (first,) = {*column(talk, boards.c.to_move)}
    who, other = ("ann", "bob") if "0" in str(first) else ("bob", "ann")
    position = _at(talk)
    seat = min(position.to_move)
    legal = list(position.legal_moves(seat))
    seen: set[str] = set()
    for move in run.some(legal[:10], 3):
        for line in (f"submit 1 {who} {talk.password(who)} {move}", f"preview 1 {move}"):
            talk.proves(who, f"backgammon {line}")
            for mail in talk.everything():
                shown = mail.text.partition("board 1\n")[0]  # below are the rolls of the beginning
                assert not re.search(rf"{other} (?:rolled|rolls) [1-6]", shown), mail
        talk.mails(who, f"backgammon move 1 {who} {talk.password(who)} {move}")
        talk.everything()
        seen.add(str(column(talk, moves.c.move, moves.c.kind == "chance")[-1]))
        talk.mails(who, f"backgammon undo 1 {who} {talk.password(who)}")
        talk.mails(other, f"backgammon accept 1 {other} {talk.password(other)}")
        talk.everything()
    assert len(seen) == 1, seen
    return f"the next roll was the same each time, after {run.tries} different moves"


def _at(talk: Conversation) -> Position:
    with talk.server.store.reading() as session:
        return load(session, 1).position


@attack("hiding", "what is hidden, told by pictures, refusals and what may be typed", in_suite=True)
def hiding(run: Run) -> str:
    said = []
    for name in PAIRS:
        pairs, different = compare(name, 60 if run.short else 10_000)
        run.tries += pairs
        said.append(f"{name}: {pairs:,} pairs, {different:,} of them different")
    return "; ".join(said) + "; nobody could tell them apart"


@attack("M11", "hidden moves in what the operator sees of mails")
def outcomes(run: Run) -> str:
    """Try queued and submitted moves of games that hide something, alone and in lists of
    commands."""
    talk = run.talk(limits=UNLIMITED)
    talk.signup("ann", "bob")
    talk.challenge("darkchess", "ann", "bob")
    talk.challenge("battleship", "ann", "bob")
    secrets = ["d7d5", "a1-a5"]
    for who in run.some(("bob", "ann"), 2):
        word = talk.password(who)
        lines = [
            f"darkchess queue 1 {who} {word} d7d5",
            f"battleship submit 2 {who} {word} a1-a5",
            f"battleship queue 2 {who} {word} a1-a5",
            f"darkchess submit 1 {who} {word} d7d5",
            "darkchess preview 1 d7d5",
        ]
        for line in lines:
            talk.mails(who, line)
        talk.mails(who, "multiple", "\n".join(lines))
        talk.mails(who, "multiple", f"multiple queue {who} {word}\ndarkchess 1 d7d5")
        talk.everything()
    shown = ""
    for words in (
        ["mails", "--json"],
        ["mails"],
        ["sql", "SELECT * FROM inbound", "--json"],
        ["sql", "SELECT * FROM outbound"],
        ["mail", "9"],
        ["mail", "12"],
    ):
        done = run_admin(served(talk).config, *words)
        assert done.returncode == 0, done.stderr
        shown += done.stdout
    raw = b" ".join(bytes(each) for each in column(talk, inbound.c.raw))
    told = [secret for secret in secrets if secret in shown or secret.encode() in raw]
    assert not told, told
    return "pbm admin mails, mail and sql name none of them"
