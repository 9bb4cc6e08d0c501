"""A game of Diplomacy of seven players by mail, with lies, late mails, press and ballots, played on
two boards that differ only in what England seals, writes to Germany and takes back: what others are
sent, shown or given to export is the same on both, until the end shows all."""

from __future__ import annotations

import json
import re

import pytest

from tests.harness.conversation import Conversation
from tests.harness.mail import Mail
from tests.harness.visitor import HOST, Visitor

POWERS = ("ann", "eve", "fred", "gerd", "ivo", "rita", "tom")
SPRING = {
    "ann": "A BUD - SER; A VIE - GAL; F TRI - ALB",
    "eve": "F LON - ENG; F EDI - NTH; A LVP - YOR",
    "fred": "A PAR - BUR; A MAR S A PAR - BUR; F BRE - ENG",
    "gerd": "A BER - KIE; A MUN - RUH; F KIE - HOL",
    "ivo": "A VEN H; A ROM - APU; F NAP - ION",
    "rita": "A WAR - GAL; A MOS - UKR; F SEV - BLA; F STP/SC - BOT",
}
FALL = {
    "ann": "A SER - GRE; A VIE - BUD; F ALB S A SER - GRE",
    "eve": "A YOR - NWY; F NTH C A YOR - NWY; F LON - ENG",
    "fred": "A BUR - BEL; A MAR - SPA; F BRE - ENG",
    "gerd": "A RUH - BEL; F HOL S A RUH - BEL; A KIE - DEN",
    "ivo": "A VEN H; A APU - TUN; F ION C A APU - TUN",
    "rita": "F BOT - SWE; A UKR - RUM; F BLA S A UKR - RUM; A WAR H",
    "tom": "A CON - BUL; A SMY H; F ANK H",
}
CHANGED = (
    ("F LON - NTH; F EDI - NWG; A LVP - EDI", "vote solo germany", "I swear to keep out of it"),
    ("F LON H; A LVP - CLY; F EDI H", "vote concede", "You get Belgium, zebra"),
)
"""What England orders first, votes and writes, on either board."""

VERBS = ("accept", "move", "press", "rematch", "resign", "show", "unwatch", "vote")


def normalized(mail: Mail) -> tuple[str, str]:
    """A mail without what names its board."""
    named = re.compile(rf"\b(dip|{'|'.join(VERBS)}|(?i:board|round))(\"?[ :] ?\"?)[12]\b")
    text = re.sub(r"https://\S+", "LINK", f"{mail.subject}\n{mail.text}")
    return mail.address, named.sub(r"\1\g<2>N", text)


class Table:
    """Two boards with the same players."""

    def __init__(self, talk: Conversation) -> None:
        self.talk = talk
        self.sent: tuple[list[Mail], list[Mail]] = ([], [])
        talk.signup(*POWERS, "carl")
        for _ in (1, 2):
            line = f"dip challenge {' '.join(POWERS)} --nag=1 --deadline=3 -years=1"
            talk.proves("ann", line)
            for who in POWERS[1:]:
                invitation = talk.any_mail(who)
                talk.everything()
                talk.replies(invitation, "accept")
            talk.everything()

    def does(self, board: int, who: str, verb: str, rest: str = "", body: str = "") -> list[Mail]:
        """Somebody does something at a board; all mails that come of it."""
        line = f"dip {verb} {board} {who} {self.talk.password(who)} {rest}"
        self.talk.mails(who, line.strip(), body)
        mails = self.talk.everything()
        self.sent[board - 1].extend(mails)
        return mails

    def both(self, who: str, verb: str, rest: str = "", body: str = "") -> None:
        """Somebody does the same at both boards."""
        for board in (1, 2):
            self.does(board, who, verb, rest, body)

    def look(self, board: int) -> None:
        """Everybody but England and Germany looks at all there is to see."""
        for who in ("carl", *POWERS):
            if who in ("eve", "gerd"):
                continue
            for line in (
                f"dip show {board}",
                f"dip export {board}",
                f"dip showas {who} {self.talk.password(who)} {board}",
            ):
                self.talk.mails(who, line)
                self.sent[board - 1].extend(self.talk.everything())


@pytest.mark.config(web={"url": HOST}, limits={"unproved_a_day": 0})
def test_a_whole_game_tells_nobody_what_is_not_theirs(talk: Conversation, visitor: Visitor) -> None:
    table = Table(talk)
    assert visitor.get("/board/1").text.count("Orders are due by Thu 05 Mar 2026") == 1
    for board, (orders, vote, text) in enumerate(CHANGED, 1):
        table.does(board, "carl", "watch")
        first = table.does(board, "eve", "move", orders)
        assert [mail.address.split("@")[0] for mail in first] == ["eve"]
        table.does(board, "eve", "vote", vote.removeprefix("vote "))
        mails = table.does(board, "eve", "press", "to germany", f"{text}.\nA MUN - RUH?")
        assert sorted(mail.address.split("@")[0] for mail in mails) == ["eve", "gerd"]
        table.look(board)
        table.does(board, "eve", "move", f"{SPRING['eve']}; vote none")
    for who, orders in SPRING.items():
        if who != "eve":
            table.both(who, "move", orders)
    for board in (1, 2):
        table.look(board)
    assert "<details><summary>The board in words" in visitor.get("/board/1").text
    one, other = (visitor.get(f"/board/{board}").says for board in (1, 2))
    assert one == other.replace("Diplomacy 2", "Diplomacy 1").replace("board 2", "board 1")
    talk.passes(days=3.5)  # Turkey is late: it alone is reminded, and the phase ends without it
    late = talk.everything()
    reminded = {mail.address.split("@")[0] for mail in late if "reminder" in mail.subject}
    assert reminded == {"tom"}
    for mail in late:
        table.sent[int(mail.fact("Board")) - 1].append(mail)
    assert sum("were not complete in time" in mail.text for mail in late) >= 14
    old = next(mail for mail in table.sent[0] if mail.address.startswith("tom@"))
    talk.replies(old, "A CON - BUL")
    assert "changed since the mail you replied to" in " ".join(talk.any_mail("tom").text.split())
    for who, orders in FALL.items():
        table.both(who, "move", orders)
    for who in POWERS:
        table.both(who, "move", "ready")
    ends = [mail for mail in table.sent[0] if "a draw of all survivors after 1 year" in mail.text]
    assert {mail.address.split("@")[0] for mail in ends} == {*POWERS, "carl"}
    _compare(table)
    talk.mails("carl", "dip export 1")
    text = talk.any_mail("carl").text
    record = json.loads(text[text.index("{") : text.rindex("}") + 1])
    assert [line["text"].split(".")[0] for line in record["press"]] == [CHANGED[0][2]]
    assert "f lon - nth" in [move["move"] for move in record["moves"]]
    assert "vote solo germany" in [move["move"] for move in record["moves"]]


def _compare(table: Table) -> None:
    """What all but England and Germany were sent before the end is the same at both boards."""
    streams = []
    for mails in table.sent:
        before = [
            normalized(mail)
            for mail in mails
            if mail.address.split("@")[0] not in ("eve", "gerd")
            and "a draw of all survivors" not in " ".join(mail.text.split())
        ]
        assert len(before) >= 50
        assert not any(secret in text for _, text in before for secret in ("zebra", "I swear"))
        streams.append(before)
    for one, other in zip(*streams, strict=True):
        assert one == other
