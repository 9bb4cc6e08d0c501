"""Passwords: guessed, guessed uncounted, told by what is or is not passed on, found on the disk."""

from __future__ import annotations

import re
from pathlib import Path

from pbm.store.tables import players
from tests.conversations.test_passwords import UNLIMITED
from tests.harness.conversation import SERVER, Conversation
from tests.harness.mail import Mail, mail
from tests.harness.mail_room import PASSWORD, Room
from tests.harness.servers import until
from tools.attacks.catalogue import Run, attack, count, counted, free_of, served, shape

INVENTED = SERVER.replace("@", "+u1-aaaaaaaaaaaaaaaa@")
_COMMANDS = (
    "tictactoe challenge --unrated eve mal",
    "tictactoe challenge --unrated ann mal",
    "message mal",
    "tictactoe seek",
    "broadcast",
    "message ann {} mal",
    "help",
)


@attack("C1", "whether a word of a comment is the victim's password")
def oracle(run: Run) -> str:
    """Ask by an invented token, by a forged From, by both: what everybody receives is the same for
    the right word and for another."""
    talk = run.talk(limits={**UNLIMITED, "looks_a_day": 0})
    talk.signup("ann", "eve", "mal")
    right, wrong = talk.password("ann"), talk.secret("Sesame-aaa")
    ways = [("eve", INVENTED), ("ann", SERVER), ("ann", INVENTED)]
    told = 0
    for command, (who, to) in run.some(((line, way) for line in _COMMANDS for way in ways), 6):
        seen = []
        for word in (right, wrong):
            for body in (word, f"Well, {word}!", " ".join(_words(2000, word))):
                talk.mails(who, command.format("x"), body, to=to)
                mails = talk.everything()
                told += len(mails)
                assert all(free_of(each.text, (right, wrong)) for each in mails)
                seen.append(shape(mails))
                _wake_none(talk, mails)
        assert seen[:3] == seen[3:], (command, who, to, seen)
    assert count(talk, players, players.c.preferences.contains("Owned")) == 0
    return f"{told} mails went out, the same for right and wrong words, without any of them"


def _wake_none(talk: Conversation, mails: list[Mail]) -> None:
    """Get rid of the boards that sleep: only a few of one challenger's may."""
    for each in mails:
        if "asleep" in each.subject:
            talk.replies(each, "decline")
    talk.everything()


def _words(many: int, first: str) -> list[str]:
    return [first, *(f"Word-{number}" for number in range(many))]


@attack("C1-argon2", "20,000 words in one mail, all verified", in_suite=True)
def verified(run: Run) -> str:
    """Require that without proof not one is verified, with proof only a few."""
    room = run.room()
    with room.kept() as session:
        for name in ("ann", "eve", "mal"):
            room.player(session, name)
    body = " ".join(_words(20_000, PASSWORD))
    lines = [body[at : at + 900] for at in range(0, len(body), 900)]
    most = 0
    for command in run.some(_COMMANDS):
        for sender in ("eve@example.org", "ann@example.org"):
            for to in (room.config.server.address, f"pbm+u1-{'a' * 16}@{room.config.server.host}"):
                before = room.secrets.argon2_checks
                with room.tried() as session:
                    raw = mail(*lines, sender=sender, subject=command.format("x"))
                    room.takes(session, raw, sender, to)
                spent = room.secrets.argon2_checks - before
                assert spent <= command.count("{}"), (command, sender, to, spent)
                most = max(most, spent)
    return f"argon2 was asked {most} times for a mail at most: for a password of the command's own"


_SAID = (
    "chat {w}",
    "chat I like\n\n{w}, do you?",
    "note {w}",
    "plan if any then {w}",
    "queue {w}",
    "move {w}",
    "{w}",
    "Nice move! {w}",
    "set name={w}",
    "message bob\n\n{w}",
    "hex show {w}",
    "signup {w}",
)


@attack("H2", "whether a word is the password, by a genuine reply address", in_suite=True)
def genuine(run: Run) -> str:
    """Right and wrong words must lead to the same mails without asking argon2, whether or not the
    password was used a moment ago."""
    room = run.room()
    with room.kept() as session:
        for name in ("ann", "bob"):
            room.player(session, name)
        room.says(session, "tictactoe challenge ann bob", "ann@example.org", vouched=True)
    local, _, host = room.config.server.address.partition("@")
    tokens = (
        room.secrets.make_board_token(1, 0, 1, 0, room.hash),
        room.secrets.make_board_token(1, 1, 1, 0, room.hash),
        room.secrets.make_player_token(1, room.hash, room.now),
    )
    for is_remembered in (False, True):
        if is_remembered:
            assert room.secrets.check_password(1, room.hash, PASSWORD)
        before = room.secrets.argon2_checks
        for said, token in run.some(((line, each) for line in _SAID for each in tokens), 12):
            sender = "bob@example.org" if token.startswith("b1-1") else "ann@example.org"
            seen = []
            for word in (PASSWORD, "Sesame-0pen"):
                raw = mail(said.format(w=word), sender=sender, subject="Re: [tictactoe 1]")
                with room.tried() as session:
                    sent = room.takes(session, raw, sender, f"{local}+{token}@{host}")
                    texts = [row["message"].decode() for row in sent]
                    seen.append([row["recipient"] for row in sent])
                    seen.append(
                        [text.partition("\r\n\r\n")[2].replace(word, "W") for text in texts]
                    )
            assert seen[:2] == seen[2:], (said, token, seen)
        assert room.secrets.argon2_checks == before
    return "right and wrong words lead to the same mails, and nothing was asked about them"


def _guesses(talk: Conversation, mails: int, each: int) -> None:
    for number in range(mails):
        words = [talk.secret(f"Guess-{number:02}-{line:02}") for line in range(each)]
        talk.mails(
            "eve", "multiple", "\n".join(f"signup ann {w}\nset ann {w} name=Owned" for w in words)
        )


@attack("H1", "guesses that no limit counts, by signup and set in one mail")
def uncounted(run: Run) -> str:
    """All wrong guesses count. Then even the right password is refused, until a code that only the
    player gets makes room."""
    talk = run.talk(limits={**UNLIMITED, "failures_a_day": 6})
    talk.signup("ann", "eve")
    served(talk).restart(0.0)  # nothing of the right password is remembered
    many = 3 if run.short else 8
    _guesses(talk, many, 20)
    run.tries = many * 20 + 1
    right = talk.password("ann")
    talk.mails("eve", "multiple", f"signup ann {right}\nset ann {right} name=Owned")
    talk.mails("eve", f"set ann {right} name=Owned")
    wrong = [each for each in talk.everything() if each.address == "ann@example.org"]
    codes = [re.search(r"confirm ([a-z0-9-]{14})", each.text) for each in wrong]
    assert count(talk, players, players.c.preferences.contains("Owned")) == 0
    assert counted(talk, "failures 1") >= 6
    assert len([code for code in codes if code]) == 1, wrong
    talk.mails("ann", f"set ann {right} name=Ann")
    assert "too many" in talk.any_mail("ann").subject
    code = next(code[1] for code in codes if code)
    talk.mails("ann", f"confirm {code}")
    talk.everything()
    talk.mails("ann", f"set ann {right}")
    talk.receives("ann", "[pbm] preferences of ann")
    counts = counted(talk, "failures 1")
    return f"{counts} wrong ones counted, then the right one is refused until a code is back"


@attack("H2a", "spending the day's wrong passwords of a player")
def spent(run: Run) -> str:
    """Require that moves by reply go on as ever; `forgot` and the code of the warning still
    work."""
    talk = run.talk(limits={**UNLIMITED, "failures_a_day": 5})
    talk.signup("ann", "bob", "eve")
    opening = talk.challenge("tictactoe", "ann", "bob")
    for number in run.some(range(30), 8):
        talk.mails("eve", f"tictactoe resign 1 ann {talk.secret(f'Guess-{number:02}')}")
    talk.everything()
    latest = opening
    for number, move in enumerate(("a1", "b1", "a2", "b2")):
        talk.replies(latest[number % 2], move)
        latest = [talk.any_mail(who) for who in ("ann", "bob")]
        assert move in latest[0].subject, latest[0].subject
    talk.mails("ann", "forgot ann")
    found = [each for each in talk.everything() if "a code for" in each.subject]
    code = found[0].line("change password ann ").split()[0]
    talk.mails("ann", f"change password ann {code} {talk.secret('Sesame-anew')}")
    assert any("changed" in each.subject for each in talk.everything())
    return "4 of 4 moves by reply were played, and forgot brought a new password"


@attack("M9", "passwords in clear on the disk, in what is done or set aside")
def on_disk(run: Run) -> str:
    """Require that of all mails that are done no file holds the password: neither the database nor
    its log, nor those of the daemon. What is set aside at the door is kept for the operator."""
    talk = run.talk(limits=UNLIMITED)
    talk.signup("ann", "bob")
    ann = talk.password("ann")
    lines = [
        f"set ann {ann}",
        f"set ann {ann} name=Ann",
        f"cradle move 1 ann {ann} a1,a2",
        f"message ann {ann} bob",
        f"change password ann {ann} {ann}x",
        f"signup ann {ann}",
        f"add ann {ann} ann@home.example",
        f"vacation ann {ann} off",
        f"sett ann {ann}",
        f"cradle seek ann {ann}",
        f"list {ann}",
        f"Re: set ann {ann}",
        f"nonsense ann {ann}",
    ]
    for line in run.some(lines):
        talk.mails("ann", line, f"ann {ann}")
        talk.mails("ann", "multiple", f"{line}\n{line}")
        talk.everything()
    _costly(run, talk, ann)
    where = served(talk).folder
    is_gone = f"the password lies in {where}"
    until(lambda: free_of(_bytes(where), (ann,)), is_gone, seconds=10)
    served(talk).restart(0.0)
    assert free_of(_bytes(where), (ann,))
    return "after a second of quiet no file holds the password, after a restart neither"


def _costly(run: Run, talk: Conversation, password: str) -> None:
    """Send mails that cost too much to read, by LMTP, where they are not refused."""
    line = f"Subject: set ann {password}\r\nFrom: ann@example.org\r\n"
    heads = [
        line + "X: y\r\n" * 1100,
        line + f"X: {'x' * 9000}\r\n",
        line + "Content-Type: multipart/mixed; boundary=a\r\n" * 110,
    ]
    for head in heads:
        for body in (password, "x" * 70_000 + password):
            run.tries += 1
            raw = f"{head}\r\n{body}\r\n".encode()
            reply = served(talk).hand_over("ann@example.org", SERVER, raw)
            assert reply.startswith("250"), reply


def _bytes(folder: Path) -> bytes:
    return b"".join(path.read_bytes() for path in folder.rglob("*") if path.is_file())


@attack("L3", "words of a chat that count as wrong passwords")
def chatted(run: Run) -> str:
    talk = run.talk()
    talk.signup("ann", "bob")
    opening = talk.challenge("tictactoe", "ann", "bob")
    said = ["you play well", "good luck!", "bob you play well", "hello bob", "bob is late"]
    for text in run.some(said, 9):
        talk.replies(opening[0], f"chat {text}")
        talk.any_mail("ann")
        assert talk.any_mail("bob").subject == "[tictactoe 1] ann writes"
    assert counted(talk, "failures 1") == counted(talk, "failures 2") == 0
    return "all were passed on, no wrong password was counted"


@attack("L7", "whether an account exists, is closed or locked, by the time of an answer")
def timing(run: Run) -> str:
    """Each unproven password costs the same number of verifications, whoever it is for."""
    room = run.room()
    with room.kept() as session:
        for name in ("ann", "closed", "spent", "away"):
            room.player(session, name)
        session.execute(
            players.update().where(players.c.name == "closed").values(state="closed", password="!")
        )
        session.execute(players.update().where(players.c.name == "away").values(state="banned"))
    room.config.limits = type(room.config.limits)(failures_a_day=5)
    for number in range(6):
        with room.kept() as session:
            _tries(room, session, "spent", f"Guess-{number}")
    costs: dict[str, set[int]] = {}
    names = ["ann", "closed", "spent", "away", "nobody", "noone"]
    for number, name in run.some(((n, name) for n in range(8) for name in names), 12):
        before = room.secrets.argon2_checks
        with room.kept() as session:
            _tries(room, session, name, f"Wrong-{number}-{name}")
        costs.setdefault(name, set()).add(room.secrets.argon2_checks - before)
    assert set().union(*costs.values()) == {1}, costs
    return "one verification for each, whoever the account belongs to"


def _tries(room: Room, session: object, name: str, password: str) -> None:
    raw = mail(sender="eve@example.org", subject=f"set {name} {password}")
    raw = raw.replace(b"<1@example.com>", f"<{name}.{password}@example.com>".encode())
    room.takes(session, raw, "eve@example.org")  # type: ignore[arg-type]


@attack("L8", "more commands a day than allowed, by several worker processes")
def workers(run: Run) -> str:
    talk = run.talk(limits={"mails_a_day": 10, "unproved_a_day": 0}, workers={"processes": 2})
    talk.signup("ann")
    before = counted(talk, "commands 1")
    for _ in run.some(range(40), 20):
        talk.mails("ann", f"set ann {talk.password('ann')}")
    done = [each for each in talk.everything() if "preferences" in each.subject]
    assert len(done) <= 10 - before, len(done)
    assert done
    return f"{len(done)} were done, the others refused"
