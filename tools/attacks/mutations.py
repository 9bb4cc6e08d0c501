"""What a generator makes of the seeds of the corpus. `--minutes` says for how long they are varied,
all kinds together: each has an equal share, the same in a release."""

from __future__ import annotations

import contextlib
import random
import socket
import time
from collections.abc import Callable, Iterator, Mapping, Sequence

from sqlalchemy import func, select

from pbm.config import Config, Database, Players, Web
from pbm.config import Server as Address
from pbm.core.fsck import find_differences
from pbm.core.limits import Limit
from pbm.core.refusal import Refusal
from pbm.features.records.foreign import ImportTerms, read_games
from pbm.features.records.importing import check_record
from pbm.features.records.record import parse_record
from pbm.games.dip.own_map import read_own_map
from pbm.mail.receive import MailRefused
from pbm.rules import CHANCE_TO_MOVE, Game, OptionError
from pbm.rules.chess import VariantError
from pbm.rules.chess.variants.variant_game import read_variant_file
from pbm.rules.diplomacy.maps import MapError
from pbm.store.mail_outcome import MailOutcome
from pbm.store.tables import inbound, moves, players
from tests.harness.conversation import SERVER, Clock, Conversation
from tests.harness.servers import InProcess
from tests.harness.visitor import HOST, Visitor
from tools.attacks.attacked_server import Dialogue
from tools.attacks.catalogue import DAY, Run, attack, column, count, served
from tools.attacks.corpus import read_octets, read_seeds
from tools.attacks.sessions import MAIL, OURS, SECOND, THIRD, list_recipients, require_turn
from tools.attacks.tokens import HOST as DOMAIN
from tools.attacks.tokens import LOCAL, list_tokens

_FAULTS = (MailOutcome.FAULT, MailOutcome.TIMED_OUT, MailOutcome.CRASHED)
_ODD = (
    *(
        "\n",
        "\n\n",
        "\t",
        " ",
        "\x00",
        "\u202e",
        "\u200b",
        "\u3002",
        "\uff0e",
        "\uff41",
        "ß",
        "İ",
        "é",
        "\U0001d7d9",
    ),
    *("> ", "-- \n", "#", "'", '"', "<b>", "&amp;", "%00", "../", "{me}", "0", "-1", "9" * 30),
    *("ann", "bob", "eve", "Re: ", "PASSWORD", "multiple\n", "resign", "a1", "@", "+", "."),
)
_BATCH = 40
_SECONDS = 4.0
"""What an attack gets in a short run."""
KINDS = 8
"""Kinds of seeds: command lines, bodies, requests, reply addresses, dialogues, variants, maps and
records."""


def draw(chance: random.Random, seeds: list[str], number: int) -> str:
    """Return the text of a try: each seed as it stands, then varied ones."""
    return seeds[number] if number < len(seeds) else vary(chance, seeds)


def vary(chance: random.Random, seeds: list[str]) -> str:
    """Return a seed that was changed in up to four ways."""
    text = chance.choice(seeds)
    for _ in range(chance.randint(0, 4)):
        at = chance.randint(0, len(text))
        end = min(len(text), at + chance.randint(0, 12))
        text = chance.choice(_CHANGES)(chance, seeds, text, at, end)[:4000]
    return text


_Change = Callable[[random.Random, list[str], str, int, int], str]
_CHANGES: list[_Change] = [
    lambda chance, seeds, text, at, end: text[:at] + text[end:],
    lambda chance, seeds, text, at, end: (
        text[:end] + text[at:end] * chance.randint(1, 9) + text[end:]
    ),
    lambda chance, seeds, text, at, end: text[:at] + chance.choice(_ODD) + text[at:],
    lambda chance, seeds, text, at, end: text[:at] + text[at:end].swapcase() + text[end:],
    lambda chance, seeds, text, at, end: text[:at] + chance.choice(seeds)[-(end - at) :],
    lambda chance, seeds, text, at, end: " ".join(chance.sample(text.split(), len(text.split()))),
]


def _go_on(run: Run, kinds: int = 1) -> Iterator[random.Random]:
    """Yield chance for as long as there is time for so many kinds of seeds; the same in every
    run."""
    chance = random.Random(62)
    ends = time.monotonic() + (_SECONDS if run.short else run.minutes * 60 * kinds / KINDS)
    while time.monotonic() < ends:
        yield chance


def _open(run: Run, url: str = "") -> tuple[Conversation, Config]:
    """Return a server in this process on which ann and bob play, and eve has an account."""
    config = Config(
        server=Address(address=SERVER),
        database=Database(f"sqlite:///{run.folder / 'mutations.db'}"),
        players=Players(pictures=False),
        web=Web("", url),
    )
    server = InProcess(config, clock := Clock())
    run.callback(server.close)
    talk = Conversation(server, clock, confirms=True)
    talk.signup("ann", "bob", "eve")
    talk.challenge("tictactoe", "ann", "bob")
    talk.everything()
    return talk, config


@attack("mail", "varied command lines and bodies, from eve and in ann's name", in_suite=True)
def mails(run: Run) -> str:
    """Nothing fails, the board of ann and bob stays as it is, no password is mailed, and nobody
    gets more than the budget of a day."""
    talk, config = _open(run)
    lines, bodies = read_seeds("lines"), read_seeds("bodies")
    got: dict[str, int] = {}
    most = Limit.UNPROVED.find_most(config) + Limit.NOTICES.find_most(config)
    for chance in _go_on(run, kinds=2):
        for _ in range(_BATCH):
            run.tries += 1
            subject = " ".join(draw(chance, lines, run.tries - 1).replace("\x00", "").split())
            body = draw(chance, bodies, run.tries - 1).replace("\x00", "")
            talk.mails(chance.choice(("eve", "ann")), subject, body)
        for mail in talk.everything():
            got[mail.address] = got.get(mail.address, 0) + 1
        for who in ("ann", "bob"):
            assert got.get(f"{who}@example.org", 0) <= most, (who, got)
        with talk.server.store.reading() as session:
            failed = select(inbound.c.id)
            failed = failed.where(inbound.c.code.in_([each.value for each in _FAULTS]))
            assert not session.execute(failed).scalars().all()
            own = select(func.count()).select_from(moves).where(moves.c.board_id == 1)
            assert session.execute(own).scalar_one() == 0
            assert list(find_differences(session)) == []
        talk.clock.advance(days=1)
        got.clear()
    return f"no fault; nobody got more than {most} mails a day; the board stands as it was"


@attack("requests", "varied requests for pages", in_suite=True)
def requests(run: Run) -> str:
    """Each is answered, and none with an error of the server."""
    talk, config = _open(run, HOST)
    visitor = Visitor(config, talk.server, talk.clock)
    run.callback(visitor.close)
    seeds = read_seeds("requests")
    seen: dict[int, int] = {}
    for number, chance in enumerate(_go_on(run)):
        run.tries += 1
        path = "/" + draw(chance, seeds, number).replace("\n", "").lstrip("/")
        try:
            page = visitor.get(path)
        except ValueError:  # no URL: urlsplit refuses it before the server sees it
            continue
        seen[page.status] = seen.get(page.status, 0) + 1
        assert page.status < 500, (page.status, path)
        talk.clock.advance(days=1 / DAY)
    return ", ".join(f"{count} times {status}" for status, count in sorted(seen.items()))


@attack("addresses", "varied reply addresses and headers From, that move for ann", in_suite=True)
def tokens(run: Run) -> str:
    """Nothing fails, nobody moves, resigns or is renamed."""
    talk, _ = _open(run)
    opening = talk.challenge("tictactoe", "ann", "bob")
    genuine = [mail.reply_to.partition("+")[2].partition("@")[0] for mail in opening]
    seeds, froms = list_tokens(*genuine), read_seeds("senders")
    for number, chance in enumerate(_go_on(run)):
        token, sender = draw(chance, seeds, number), draw(chance, froms, number)
        if not any(each in token.lower() for each in genuine):
            run.tries += 1
            to = f"{LOCAL}+{' '.join(token.split())}@{DOMAIN}".replace("\x00", "")
            body = ("a1", "resign", "set name=Owned")[number % 3]
            raw = f"{sender}\r\nTo: {to}\r\nSubject: Re:\r\nMessage-ID: <{number}@x>\r\n\r\n{body}"
            with contextlib.suppress(MailRefused):  # as a session says
                talk.server.take("eve@evil.example", to, raw.replace("\x00", "").encode())
        if number % _BATCH:
            continue
        talk.everything()
        with talk.server.store.reading() as session:
            failed = select(inbound.c.id)
            failed = failed.where(inbound.c.code.in_([each.value for each in _FAULTS]))
            assert not session.execute(failed).scalars().all()
            assert session.execute(select(func.count()).select_from(moves)).scalar_one() == 0
            named = select(players.c.id).where(players.c.preferences.contains("Owned"))
            assert not session.execute(named).scalars().all()
        talk.clock.advance(days=1)
    return "no fault, no move, no resignation, no preference"


def _list_dialogues() -> list[str]:
    """Return whole sessions: ends of data that are none, recipients elsewhere, what goes before
    TLS."""
    begin = b"EHLO evil.example\r\nMAIL FROM:<ann@example.org>\r\n"
    first = begin + b"RCPT TO:<" + OURS + b">\r\nDATA\r\n" + MAIL % 1
    said = [first + end + SECOND + THIRD for end in read_octets("ends")]
    for where in list_recipients():
        said.append(begin + b"RCPT TO:<" + where + b">\r\nDATA\r\n" + MAIL % 2 + b"\r\n.\r\n")
    for clear in read_octets("clear"):
        said.append(b"EHLO x\r\n" + clear.replace(b"%us", OURS) + b"\r\n" + begin)
    return [each.decode("latin-1") for each in said]


@attack("dialogues", "varied SMTP and LMTP sessions", in_suite=True)
def dialogues(run: Run) -> str:
    """Each is answered or cut off, with a mail at most for each time that data were asked for, and
    an honest mail goes in afterwards."""
    talk = run.talk(limits={"unproved_a_day": 0, "strangers_an_hour": 0})
    seeds, server = _list_dialogues(), served(talk)
    asked = 0
    for number, chance in enumerate(_go_on(run)):
        run.tries += 1
        said = draw(chance, seeds, number)
        octets = b"".join(each.encode("latin-1" if each < "\u0100" else "utf-8") for each in said)
        with Dialogue(server.ports[("smtp", "lmtp")[number % 2]]) as client:
            client.sends(octets)
            with contextlib.suppress(OSError):
                client.socket.shutdown(socket.SHUT_WR)
            asked += sum(reply.startswith("354") for reply in client.ends())
        if number % _BATCH == 0:
            require_turn(server)
            asked += 1
            assert count(talk, inbound) <= asked
            talk.everything()
    log = server.said().lower()
    assert "traceback" not in log, log
    assert "exception" not in log, log
    senders = {*column(talk, inbound.c.envelope_from)}
    return f"{count(talk, inbound)} mails of {len(senders)} senders were taken, none unasked"


def _read_variants(text: str) -> Sequence[Game]:
    games, _ = read_variant_file(text)
    return games


def _read_map(text: str) -> Sequence[Game]:
    return (read_own_map(text, "varied"),)


def _read_record(text: str) -> Sequence[Game]:
    if text.lstrip().startswith("{"):
        check_record(parse_record(text))
    else:
        list(read_games(text, ImportTerms(None, {}, 0.0), []))
    return ()


_READERS: Mapping[str, Callable[[str], Sequence[Game]]] = {
    "variants": _read_variants,
    "maps": _read_map,
    "records": _read_record,
}
_MOST_SECONDS = 5.0
"""Of processor time, that a file of a few lines may take."""
_PLIES = 6


@attack("files", "varied files of variants, maps and records", in_suite=True)
def files(run: Run) -> str:
    """Each is read, and its game played for some moves, or refused in a sentence."""
    seeds = {kind: read_seeds(kind) for kind in _READERS}
    read, played = dict.fromkeys(_READERS, 0), 0
    for number, chance in enumerate(_go_on(run, kinds=len(_READERS))):
        for kind, reads in _READERS.items():
            run.tries += 1
            text, began = draw(chance, seeds[kind], number), time.process_time()
            try:
                for game in reads(text):
                    played += _play(game, chance)
                read[kind] += 1
            except (VariantError, MapError, OptionError, Refusal):
                pass
            took = time.process_time() - began
            assert took < _MOST_SECONDS, (kind, took, text)
    said = ", ".join(f"{count} {kind}" for kind, count in read.items())
    return f"read without a fault of the server: {said}; {played} moves were played"


def _play(game: Game, chance: random.Random) -> int:
    """Play some moves of a game at random; how many."""
    position = game.setup(min(game.info.players), {})
    for plies in range(_PLIES):
        if position.outcome is not None or position.to_move == CHANCE_TO_MOVE:
            return plies
        seat = min(position.to_move)
        moves = position.legal_moves(seat)
        if not moves:
            return plies
        position = position.play(seat, chance.choice(list(moves)))
    return _PLIES
