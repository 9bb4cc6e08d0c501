"""Strangers with somebody's From: what they may cost, start, spend and learn."""

from __future__ import annotations

import re
from typing import Any

from sqlalchemy import select

from pbm.core.feature import list_verbs
from pbm.store.tables import boards, codes, inbound, outbound
from tests.harness.conversation import Conversation
from tests.harness.databases import all_rows
from tests.harness.mail import Mail
from tools.attacks.catalogue import Run, attack, column, count, served


def _over(talk: Conversation, *who: str) -> list[Mail]:
    """Return what these people have received."""
    return [mail for mail in talk.everything() if mail.address.partition("@")[0] in who]


@attack("H2b", "spending a player's commands by forged mails")
def commands(run: Run) -> str:
    talk = run.talk(limits={"mails_a_day": 20})
    talk.signup("ann", "bob")
    opening = talk.challenge("tictactoe", "ann", "bob")
    for _ in run.some(range(12), 4):
        talk.mails("ann", "multiple", "list\n" * 50, envelope="eve@evil.example")
    talk.everything()
    ann = talk.password("ann")
    talk.replies(opening[0], "a1")
    talk.receives("ann", "[tictactoe 1] bob to move (2), you played a1")
    talk.any_mail("bob")
    talk.mails("ann", f"tictactoe resign 1 ann {ann}")
    talk.receives("ann", "[tictactoe 1] bob won (1)")
    talk.any_mail("bob")
    talk.proves("ann", "help")
    talk.receives("ann", "[pbm] help")
    talk.mails("ann", "forgot ann")
    assert any("a code for" in mail.subject for mail in talk.everything())
    return "move, resign, help and forgot were done"


@attack("H2c", "filling a player's open boards by forged challenges")
def challenges(run: Run) -> str:
    talk = run.talk(limits={"open_boards": 2, "mails_a_day": 0})
    talk.signup("ann", "bob")
    for _ in run.some(range(30), 10):
        talk.mails("ann", "tictactoe challenge ann bob", envelope="eve@evil.example")
        talk.mails("ann", "tictactoe challenge bob ann", envelope="eve@evil.example")
    heard = _over(talk, "bob")
    assert not heard, heard[0]
    talk.challenge("tictactoe", "ann", "bob")
    asleep = count(talk, boards, boards.c.state == "sleeping")
    assert count(talk, boards, boards.c.state == "running") == 1
    return f"{asleep} boards sleep, bob heard nothing, ann began one of her own"


@attack("M8", "a forged challenge that speaks in another's name", in_suite=True)
def forged(run: Run) -> str:
    talk = run.talk()
    talk.signup("ann", "bob")
    lines = [
        "cradle challenge ann bob",
        "chess challenge bob ann",
        "go challenge bob",
        "backgammon challenge ann bob --time=1h",
        "cradle seek ann",
        "rematch 1",
        "message bob",
        "broadcast",
        "cradle chat 1 hello",
        "tictactoe challenge ann bob mal",
        "vacation 2026-03-01 2026-03-09",
        "signoff ann",
    ]
    for line in run.some(lines, 12):
        talk.mails("ann", line, "You coward!", envelope="eve@evil.example")
    for mail in talk.everything():
        assert mail.address == "ann@example.org", mail
        assert "coward" not in mail.text, mail
    assert {*column(talk, boards.c.state)} <= {"sleeping"}
    return "nobody but the named sender heard of any; boards sleep until they are proven"


@attack("H3", "stalling the server with pages that cost a lot")
def costly(run: Run) -> str:
    """Forged mails ask for 50 positions each and send 50 wrong passwords each. An honest move sent
    right behind them overtakes all but the batch under way, and a turn of theirs now and then."""
    talk = run.talk(limits={"mails_a_day": 0, "unproved_a_day": 0})
    talk.signup("ann", "bob", "eve")
    latest = talk.challenge("go", "ann", "bob")
    columns = "abcdefghjklmnopqrst"
    moves = [f"{column}{row}" for row in (3, 10, 17) for column in columns]
    played = moves[: 12 if run.short else 50]
    latest = talk.plays(played, "ann", "bob", latest=latest)
    ahead = {"ann": latest[0], "bob": latest[1]}
    overtaken = 0
    for number in run.some(range(6), 2):
        who = ("ann", "bob")[(len(played) + number) % 2]
        first = count(talk, inbound)
        for each in range(6):
            pages = [f"show 1#{ply % len(played)}" for ply in range(each, each + 50)]
            guesses = [f"set ann Guess-{number}-{each}-{line}" for line in range(50)]
            for sender in ("ann", "eve", f"stranger{number}"):
                talk.mails(sender, "multiple", "\n".join(pages), envelope="eve@evil.example")
                talk.mails(sender, "multiple", "\n".join(guesses), envelope="eve@evil.example")
        talk.replies(ahead[who], moves[len(played) + number])
        rows = _finished(talk, first)
        *others, honest = rows
        waited = [row for row in others if row.finished > honest.received]
        before = [row for row in waited if row.finished < honest.finished]
        overtaken += len(waited) - len(before)
        assert len(before) <= 4, f"{len(before)} of {len(waited)} were done first"
        mails = {
            mail.address.partition("@")[0]: mail
            for mail in talk.everything()
            if "you played" in mail.subject or "your move" in mail.subject
        }
        ahead = mails
    assert overtaken
    return f"{overtaken} costly mails that waited were overtaken by {run.tries} honest moves"


def _finished(talk: Conversation, after: int) -> list[Any]:
    served(talk).rests()
    with talk.server.store.reading() as session:
        query = select(inbound.c.received, inbound.c.finished).order_by(inbound.c.id).offset(after)
        return list(all_rows(session, query))


@attack("M1", "amplification: a small forged mail that has a large answer")
def amplified(run: Run) -> str:
    talk = run.talk(limits={"mails_a_day": 0})
    talk.signup("ann", "bob")
    talk.challenge("tictactoe", "ann", "bob")
    bodies = [
        "tictactoe export 1\n" * 50,
        "help commands\n" * 50,
        "help go\nhelp chess\n" * 25,
        "games\nlist\n" * 25,
        "all show ann all\n" * 50,
    ]
    got = sent = 0
    most = 0.0
    for body in run.some(bodies * 40, 10):
        sent += 300 + len(body)
        talk.mails("ann", "multiple", body, envelope="eve@evil.example")
        out = sum(len(mail.raw) for mail in talk.everything())
        got += out
        most = max(most, out / (300 + len(body)))
        assert out <= 160_000, out
    assert got <= 1_300_000, got
    return f"{sent:,} octets in, {got:,} out; {most:.0f} times as much in one mail at most"


@attack("M2", "answers and codes to whomever From or a command names")
def scattered(run: Run) -> str:
    """Require that 350 forged senders have 60 answers an hour together; a signup mails few third
    parties; an address gets three codes in a week."""
    talk = run.talk(limits={"mails_a_day": 0})
    for number in run.some(range(350), 90):
        talk.mails(f"victim{number}", "help", envelope="eve@evil.example")
    answers = len(talk.everything())
    assert answers <= 60, answers
    for number in range(3 if run.short else 12):
        run.tries += 1
        talk.mails("eve", f"signup eve{number} {talk.secret(f'Sesame-e{number}')} vic@v.example")
    third = [mail for mail in talk.everything() if mail.address == "vic@v.example"]
    for day in () if run.short else range(1, 7):
        served(talk).restart(float(day))
        run.tries += 1
        name = f"day{day}"
        talk.mails("eve", f"signup {name} {talk.secret(f'Sesame-{name}')} vic@v.example")
        third += [mail for mail in talk.everything() if mail.address == "vic@v.example"]
    assert len(third) <= 3, len(third)
    return f"{answers} answers in an hour; {len(third)} codes to one address in a week"


@attack("M4", "what a transcript tells of the player whose From is forged")
def transcript(run: Run) -> str:
    talk = run.talk(limits={"mails_a_day": 0, "unproved_a_day": 0})
    talk.signup("ann", "bob", "eve")
    talk.challenge("tictactoe", "ann", "bob")
    eve = talk.password("eve")
    bodies = [
        f"set eve {eve}\nset",
        f"set eve {eve}\nall show",
        f"set\nset eve {eve}\nmove a1",
        f"set eve {eve}\ntictactoe move a1\nresign",
        f"set eve {eve}\nvacation\nadd\nplan",
    ]
    for body in run.some(bodies, 5):
        talk.mails("ann", "multiple", body, envelope="eve@example.org")
        for mail in talk.everything():
            assert mail.address != "bob@example.org", mail
            if mail.address == "eve@example.org":
                said = re.sub(r"[a-z]+@[a-z.]+", "", mail.text.lower())
                assert not re.search(r"\bann\b|\bboard 1\b|\b1 ann\b", said), mail
    return "eve's answers name neither ann nor her board"


@attack("M1a", "mail without end to whomever From names, by mails of every kind", in_suite=True)
def bombed(run: Run) -> str:
    """Send 300 mails with the From of a player, and as many with one that nobody has registered:
    ten a day come back at most, and the player's own `forgot` brings a code all the same."""
    talk = run.talk()
    talk.signup("ann", "bob")
    lines = [
        "help",
        "games",
        "What a lovely day {}",
        "forgot bob",
        "forgot nobody{}",
        "signup kim{} Sesame-{}",
        "signup ann x",
        "confirm 1234-5678-{}",
        "set ann Sesame-wrong{} own=no",
        "tictactoe challenge ann bob",
        "chess show {}",
        "message bob",
    ]
    most = 0
    for who in ("ann", "zoe"):
        for number in run.some(range(300), 40):
            line = lines[number % len(lines)].format(number, number)
            talk.mails(who, line, envelope="eve@evil.example")
        got = [mail.address for mail in talk.everything()]
        most = max([most, *map(got.count, got)])
    talk.mails("ann", "forgot ann")
    codes = [mail.subject for mail in _over(talk, "ann")]
    assert codes == ["[pbm] a code for a new password"], codes
    assert most <= 10, most
    return f"{most} mails to one address at most, and a code for who had forgotten a password"


@attack("codes", "codes by forgot, for an address that did not ask")
def forgotten(run: Run) -> str:
    talk = run.talk(limits={"mails_a_day": 0, "unproved_a_day": 0})
    talk.signup("ann")
    for number in run.some(range(60), 10):
        talk.mails(f"eve{number % 7}", "forgot ann", envelope="eve@evil.example")
    got = _over(talk, "ann")
    assert len(got) <= 3, len(got)
    assert count(talk, codes) <= 4
    return f"{len(got)} codes for {run.tries} requests"


@attack("H1b", "an account that its owner confirms with a forger's password", in_suite=True)
def adopted(run: Run) -> str:
    """Send signups with the victim's From, or for the victim's address, before and after the
    victim's own; the victim answers the mail of the own signup, by the code or by a yes."""
    talk = run.talk(limits={"strangers_an_hour": 0, "signups_a_day": 0})
    ways = [(who, answer) for who in ("From", "named") for answer in ("code", "yes")]
    for number, (way, answer) in enumerate(run.some(ways, 4)):
        name = f"bob{number}"
        sender = name if way == "From" else "eve"
        eves, own = talk.secret(f"Sesame-eve{number}"), talk.password(name)
        talk.mails(sender, f"signup {name} {eves} {name}@example.org", envelope="eve@evil.example")
        forged = talk.receives(name, "[pbm] confirm this address")
        talk.mails(name, f"signup {name} {own}")
        mail = talk.receives(name, "[pbm] confirm this address", "somebody else wrote one")
        for each in (forged, mail):
            talk.replies(each, each.line("Code: ") if answer == "code" else "yes")
        opened = [each.subject for each in talk.everything()]
        assert f"[pbm] welcome, {name}" in opened, opened
        talk.mails(name, f"set {name} {eves}")
        talk.receives(name, "[pbm] not done: wrong userid or password")
        talk.mails(name, f"set {name} {own}")
        talk.receives(name, f"[pbm] preferences of {name}")
    return "each account has its owner's password"


@attack("unregistered", "anything done for, or told to, an address nobody registered")
def unregistered(run: Run) -> str:
    """A stranger sends every command of the table and gets at most ten answers a day."""
    talk = run.talk(limits={"strangers_an_hour": 0})
    talk.signup("ann", "bob")
    talk.challenge("tictactoe", "ann", "bob")
    before = count(talk, outbound)
    names = [name for verb in list_verbs() for name in (verb.name, *verb.aliases)]
    lines = [form for name in names for form in (name, f"tictactoe {name} 1", f"{name} ann bob")]
    got = []
    for line in run.some(lines, 30):
        talk.mails("zoe", line)
        got += talk.everything()
    assert {mail.address for mail in got} <= {"zoe@example.org", "ann@example.org"}, got
    kinds = {mail.subject for mail in got if mail.address == "zoe@example.org"}
    told = len([mail for mail in got if mail.address == "zoe@example.org"])
    assert told <= 10, kinds
    assert len([mail for mail in got if mail.address == "ann@example.org"]) <= 3  # codes
    assert count(talk, boards) == 1
    return f"{count(talk, outbound) - before} answers: {', '.join(sorted(kinds))}"


@attack("I1", "mail to third parties by invitations: forged, in a flood, after a no", in_suite=True)
def invited(run: Run) -> str:
    """A forged From invites nobody. A player invites five addresses a day, each once, whatever its
    spelling, and nobody after a no."""
    talk = run.talk(limits={"mails_a_day": 0})
    talk.signup("ann", "eve")
    ann, forged = talk.secret("Sesame-wrong"), "vic@v.example"
    lines = [
        f"invite {forged}",
        f"invite ann {ann} {forged}",
        f"invite ann {ann} {forged} chess",
        f"chess invite ann {forged}",
        f"chess challenge ann {forged}",
        f"chess challenge {forged}",
        f"go challenge {forged} ann --ask",
    ]
    for line in run.some(lines, 7):
        talk.mails("ann", line, "Come here!", envelope="eve@evil.example")
    assert all(mail.address != forged for mail in talk.everything())
    for number in run.some(range(20), 10):
        talk.proves("eve", f"invite vic+{number}@v.example", "Come here!")
        talk.proves("eve", f"chess challenge eve vic{number}@v.example")
    sent = [mail for mail in talk.everything() if mail.address.endswith("@v.example")]
    assert len(sent) <= 5, len(sent)
    assert len({mail.address for mail in sent if "+" in mail.address}) <= 1
    for mail in sent:
        talk.replies(mail, "no")
    served(talk).restart(40.0)
    for mail in sent:
        talk.proves("eve", f"invite {mail.address}")
    again = [mail for mail in talk.everything() if mail.address.endswith("@v.example")]
    assert not again, again[0]
    return (
        f"no forged mail reached a third party; {len(sent)} invitations in a day, none after a no"
    )
