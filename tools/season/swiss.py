"""A season of a club from its announcement to its prize list, in which nobody organises anything:
some withdraw, go silent, are on vacation, play slowly, close their account or ask for a bye.
`python -m tools.season.swiss [--players 40] [--mails FILE]` plays one of forty."""

from __future__ import annotations

import argparse
import tempfile
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

from msgspec.structs import replace

from pbm.config import Config, Database, Limits, Trust
from pbm.config import Server as Address
from pbm.features.events.record import build_record
from pbm.features.events.rows import get_event
from pbm.features.events.running import find_event_differences
from pbm.pairing.record import Record
from tests.games.cradles import FINISHED
from tests.harness.conversation import SERVER, Clock, Conversation
from tests.harness.mail import Mail
from tests.harness.servers import InProcess

ORGANISER = "ann"
TERMS = (
    "swiss cradle -size=2 --rounds=4 --begins=2026-03-09 --ends=2026-05-03 --silent=11 "
    "--vacation=4 --nag=none --forfeit=9 --name=Club season"
)
SILENT, LEAVER, CLOSER, AWAY, FREE = "p01", "p02", "p03", "p04", "p05"
SLOW = ("p06", "p07")
"""They move once in each round and no more."""
_DAYS = 70
_MANY = 40


@dataclass
class Season:
    """What happened: every mail, and whether somebody has closed their account."""

    mails: list[Mail] = field(default_factory=list)
    closed: bool = False

    def of(self, who: str, words: str) -> list[Mail]:
        """Return the mails to somebody with these words in the subject."""
        return [
            mail
            for mail in self.mails
            if mail.address.partition("@")[0] == who and words in mail.subject
        ]


def play_season(talk: Conversation, players: int) -> tuple[Season, Record]:
    """Play the season day by day until its prize list; what happened, and its record."""
    people = [f"p{number:02}" for number in range(1, players + 1)]
    talk.signup(ORGANISER, *people)
    talk.proves(ORGANISER, f"event new {TERMS}", "Our spring season. Everybody is welcome.")
    for who in people:
        talk.proves(who, "event enter 1")
    talk.proves(FREE, "event bye 1 2")
    season, latest = Season(), dict[tuple[str, int], Mail]()
    for day in range(_DAYS):
        for mail in talk.everything():
            season.mails.append(mail)
            if "Board" in mail.text and "[Board " in mail.text:
                _note(latest, mail)
        if season.of(people[-1], "Club season is over"):
            break
        _act(talk, day, season)
        for (who, board), mail in sorted(latest.items()):
            _answer(talk, who, board, mail, season)
        latest = {}
        talk.passes(days=1, step=86400.0)
    with talk.server.store.reading() as session:
        assert list(find_event_differences(session)) == []
        return season, build_record(session, get_event(session, 1))


def _note(latest: dict[tuple[str, int], Mail], mail: Mail) -> None:
    who, board = mail.address.partition("@")[0], int(mail.fact("Board"))
    latest.pop((who, board), None)
    if who in mail.fact("ToMove").split():
        latest[who, board] = mail


def _act(talk: Conversation, day: int, season: Season) -> None:
    """Do what some do on a certain day."""
    if day == 8:
        talk.proves(AWAY, "vacation 2026-03-11 2026-03-30")
    if day == 23:
        talk.proves(LEAVER, "event leave 1")
    if day == 24:
        talk.mails(CLOSER, f"signoff {CLOSER} {talk.password(CLOSER)}")
        mail = talk.any_mail(CLOSER)
        if "close your account?" in mail.subject:  # boards are open
            talk.replies(mail, f"confirm {mail.line('Code: ')}")
        season.closed = True


def _answer(talk: Conversation, who: str, board: int, mail: Mail, season: Season) -> None:
    """Move as the example game goes; some do not."""
    ply = int(mail.fact("Ply"))
    if who in (SILENT, AWAY) or (who in SLOW and ply > 1) or (who == CLOSER and season.closed):
        return
    if ply < 2 or board % 4 == 0:
        talk.replies(mail, FINISHED[ply])
    else:
        talk.replies(mail, "resign")


def check_season(season: Season, record: Record, players: int) -> None:
    """Check what must hold at the end."""
    met = Counter(frozenset(game.seats) for game in record.games if not game.is_bye)
    assert max(met.values()) == 1, "nobody meets twice"
    left = {each.name: (each.left, each.why) for each in record.entrants if each.left is not None}
    assert {left[SILENT][1], left[LEAVER][1], left[CLOSER][1]} == {"silent", "withdrew", "closed"}
    for game in record.games:
        for number in game.seats:
            gone = record.entrant(number).left
            assert gone is None or game.begun <= gone, "nobody is paired with the gone"
    assert record.ended is not None
    assert record.ends is not None
    assert record.ended <= record.ends + 86400.0
    ways = Counter(game.how for game in record.games)
    assert ways["adjudicated"] or players < _MANY, "with few players the lots may prevent it"
    assert not ways["open"]
    for game in record.games:
        if game.how == "adjudicated":
            for number in game.seats:
                name = record.name_of(number)
                warned = season.of(name, "unfinished boards end")
                assert any(f" {game.board} against" in mail.text for mail in warned), "announced"
    stayed = [each.name for each in record.present]
    for name in stayed:
        assert len(season.of(name, "Club season is over")) == 1
    assert len(season.of(FREE, "no opponent in round 2")) == 1
    assert season.of(ORGANISER, "[event 1]")[0].subject == "[event 1] Club season is open"
    assert len(season.of(ORGANISER, "")) == 1, "the organiser hears and sends nothing more"
    assert set(left) <= {SILENT, LEAVER, CLOSER, AWAY, *SLOW}, "whoever plays is never taken out"
    assert len(stayed) == players - len(left)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--players", type=int, default=_MANY)
    parser.add_argument("--mails", type=Path, help="a file for the mails of everybody")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="pbm-season-") as folder:
        config = Config(
            server=Address(address=SERVER),
            database=Database(f"sqlite:///{folder}/pbm.db"),
            limits=replace(Limits(), mails_a_day=0),
            trust=Trust(newcomer=0),
        )
        clock = Clock()
        server = InProcess(config, clock)
        talk = Conversation(server, clock, confirms=config.players.confirm_addresses)
        season, record = play_season(talk, given.players)
        if given.mails:
            pages = [f"To {mail.address}: {mail.subject}\n\n{mail.text}" for mail in season.mails]
            given.mails.write_text("\n=====\n".join(pages), encoding="utf-8")
        server.close()
    check_season(season, record, given.players)
    ways = ", ".join(
        f"{count} {how}" for how, count in sorted(Counter(g.how for g in record.games).items())
    )
    print(f"{given.players} players, {len(season.mails)} mails, boards: {ways}")


if __name__ == "__main__":
    main()
