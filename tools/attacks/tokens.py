"""Reply tokens: forged, stolen, of another seat, out of date; and a From that only looks right."""

from __future__ import annotations

from collections.abc import Iterator

from pbm.store.tables import boards, moves, players
from tests.harness.conversation import SERVER, Conversation
from tools.attacks.catalogue import Run, attack, column, count, served
from tools.attacks.corpus import read_seeds

LOCAL, _, HOST = SERVER.partition("@")
_HEAD = "To: {to}\r\nSubject: Re: [tictactoe 1]\r\nMessage-ID: <{number}@evil.example>\r\n"


def _written(talk: Conversation, to: str, number: int, headers: str, body: str = "a1") -> None:
    """Send a mail with these headers, which the server may refuse at once."""
    raw = f"{headers}{_HEAD.format(to=to, number=number)}\r\n{body}\r\n"
    served(talk).offer("eve@evil.example", to, raw.encode("utf-8", "surrogateescape"))


@attack("From", "a stolen token with a From that only looks like the player's")
def senders(run: Run) -> str:
    talk = run.talk(limits={"errors_a_day": 0})
    talk.signup("ann", "bob")
    opening = talk.challenge("tictactoe", "ann", "bob")
    for line in run.some(read_seeds("senders"), 28):
        _written(talk, opening[0].reply_to, run.tries, f"{line}\r\n")
    _written(
        talk, SERVER, 1000, f"From: eve@evil.example\r\nIn-Reply-To: {opening[0].message_id}\r\n"
    )
    assert count(talk, moves) == 0, column(talk, moves.c.move)
    talk.everything()
    talk.replies(opening[0], "a1")
    assert count(talk, moves) == 1
    return "no move was made; ann's own reply made one"


def list_tokens(ann: str, bob: str) -> list[str]:
    """Return the tokens of the corpus, with the tags of two genuine ones in them."""
    tag, theirs = ann.rpartition("-")[2], bob.rpartition("-")[2]
    return [seed.replace("%ann", tag).replace("%bob", theirs) for seed in read_seeds("tokens")]


def _forged(talk: Conversation, ann: str, bob: str) -> Iterator[str]:
    """Yield tokens made of genuine ones: none of them may be ann's, who is to move at board 1."""
    tag = ann.rpartition("-")[2]
    yield from list_tokens(ann, bob)
    for at in (0, 7, 15):
        other = "a" if tag[at] != "a" else "b"
        yield f"b1-0-1-{tag[:at]}{other}{tag[at + 1 :]}"
    yield f"b1-0-1-{tag[:15]}"
    yield f"B1-0-1-{tag[::-1]}"
    yield f"b1-0-1-{tag[:8]}-{tag[8:]}"


@attack("forged", "a forged token, from the player's own address")
def forged(run: Run) -> str:
    talk = run.talk(limits={"errors_a_day": 0, "looks_a_day": 0, "unproved_a_day": 0})
    talk.signup("ann", "bob")
    opening = talk.challenge("tictactoe", "ann", "bob")
    talk.challenge("tictactoe", "bob", "ann")
    ann, bob = (mail.reply_to.partition("+")[2].partition("@")[0] for mail in opening)
    for number, token in enumerate(run.some(dict.fromkeys(_forged(talk, ann, bob)), 40)):
        for body in ("a1", "resign", f"set name=Owned{number}"):
            headers = f"From: ann@example.org\r\nIn-Reply-To: <{token}.7@{HOST}>\r\n"
            try:
                _written(talk, f"{LOCAL}+{token}@{HOST}", 10 * number + len(body), headers, body)
            except UnicodeError:
                _written(talk, SERVER, 10 * number + len(body), headers, body)
    talk.everything()
    assert count(talk, moves) == 0, column(talk, moves.c.move)
    assert count(talk, players, players.c.preferences.contains("Owned")) == 0
    assert {*column(talk, boards.c.state)} == {"running"}
    return "no move, no resignation, no preference"


@attack("M7", "an old mail's token, after the password has changed")
def outlived(run: Run) -> str:
    talk = run.talk(limits={"errors_a_day": 0})
    talk.signup("ann", "bob")
    old = talk.challenge("tictactoe", "ann", "bob")[0]
    talk.mails("ann", "help")
    page = talk.any_mail("ann")
    new = talk.secret("Sesame-anew")
    talk.mails("ann", f"change password ann {talk.password('ann')} {new}")
    talk.everything()
    for mail in run.some((old, page), 2):
        for body in ("a1", "resign", "set name=Owned", "tictactoe challenge ann bob", "signoff"):
            talk.replies(mail, body)
    talk.everything()
    assert count(talk, moves) == 0
    assert count(talk, boards, boards.c.state == "running") == 1
    assert count(talk, players, players.c.preferences.contains("Owned")) == 0
    talk.mails("ann", f"tictactoe move 1 ann {new} a1")
    assert count(talk, moves) == 1
    if not run.short:
        latest = talk.receives("ann", "[tictactoe 1] bob to move (2), you played a1")
        served(talk).restart(400.0)
        run.tries += 1
        talk.everything()
        talk.replies(page, "set name=Owned")
        assert count(talk, players, players.c.preferences.contains("Owned")) == 0
        assert latest
    return "older mails prove nothing any more"
