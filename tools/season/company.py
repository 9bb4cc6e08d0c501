"""What a club of forty plays in company, by mail: a league of teams, a consultation with votes, a
match, an exhibition, and boards of three and more with substitutes. A fifth of its members fall
silent, a captain leaves, five languages are read, and the server dies again and again.

`Club` plays; whatever leaves the server is held against what its reader may know."""

from __future__ import annotations

import contextlib
import random
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from sqlalchemy import func, select

from pbm.config import Config, Database, Players, Trust
from pbm.config import Server as Address
from pbm.core.board import (
    GRACE,
    Board,
    compute_turn_limit,
    find_grace,
    find_turn_end,
    find_vote_end,
    read_calendar,
)
from pbm.core.fsck import find_differences
from pbm.core.seat import Seat, Way
from pbm.core.storing import load
from pbm.daemon.startup import open_store
from pbm.features.lobby.rows import find_open_offers
from pbm.locale import LANGUAGES, translate
from pbm.rules.phrases import fill_in, phrase
from pbm.store import reads
from pbm.store.engine import Store
from pbm.store.reads import find_captain
from pbm.store.tables import boards, outbound, players
from tests.harness.conversation import DAY, SERVER, Clock, Conversation
from tests.harness.mail import Mail
from tests.harness.servers import InProcess
from tools.populations.fragile_server import Crash, FragileStore, Killed

STEP = DAY / 4
MOST_A_DAY = 12
"""Mails that one person gets a day besides answers, with as many boards as this club has. A board
that waits for its reader says so at once; what asks nothing waits for one summary a day."""
_WARNED = 1.5 * DAY
"""A warning that comes late gives a day more, and the scheduler comes by every six hours."""
_VISITS = 0.25
"""How likely it is that somebody reads their mails within six hours: once a day."""
_LONGEST_GAME = 30
_LEADERLESS = 15
"""The day on which members follow a captain of whom nothing was heard."""
_LATE = 3
"""Days after which a captain has a reserve go on for a member who does not move."""
_VOTES = (
    phrase("vote of {member}: {move}"),
    phrase("proposal of {member}: {move}"),
)
_UNMARKED = str.maketrans("[]", "  ")
_ROWS = re.compile(r"^ *[1-8] [ \[].*", re.MULTILINE)


class MortalServer:
    """The worker and the scheduler of the product, which die at a share `odds` of their commits. A
    new one goes on from the file. A mail whose 250 was lost is sent again."""

    def __init__(self, config: Config, clock: Clock, dice: random.Random) -> None:
        self._config, self._clock, self._dice = config, clock, dice
        self.odds = 0.0
        self.deaths = 0
        self._begin()

    def _begin(self) -> None:
        self._server = InProcess(self._config, self._clock, self._dice.randbytes, self._open)

    @contextlib.contextmanager
    def _dying(self) -> Iterator[None]:
        """Let it die at commits in this block, and begin again."""
        self._store.odds = self.odds
        try:
            yield
        finally:
            self._store.odds = 0.0

    def _open(self, config: Config) -> Store:
        open_store(config).close()
        self._store = FragileStore(config.database.url, self._dice, 0.0)
        return self._store

    @property
    def store(self) -> Store:
        """Its database."""
        return self._store

    def _survive(self, do: Callable[[], object]) -> None:
        """Have the server do something, and after each death a new one."""
        while True:
            try:
                with self._dying():
                    do()
            except (Crash, Killed):
                self.deaths += 1
                self._server.close()
                self._begin()
            else:
                return

    def take(self, envelope_from: str, recipient: str, raw: bytes) -> None:
        """Deliver a mail to the server, again where it was not accepted."""
        self._survive(lambda: self._server.take(envelope_from, recipient, raw))

    def settle(self) -> list[tuple[str, bytes]]:
        """Let the server work until it is idle. Return the mails sent since the last call. The
        courier, which does not die here, marks what is sent."""
        self._survive(self._work)
        return self._server.settle()

    def _work(self) -> None:
        while self._server.work():
            pass

    def tick(self, every: float) -> None:
        """Run the scheduler."""
        self._survive(lambda: self._server.tick(every))

    def close(self) -> None:
        """Stop the server."""
        self._server.close()


def configure(folder: Path) -> Config:
    """Return the configuration of the club's server."""
    return Config(
        server=Address(address=SERVER),
        database=Database(f"sqlite:///{folder}/pbm.db"),
        players=Players(pictures=False),
        trust=Trust(newcomer=0),
    )


class Club:
    """A club of forty, or a small form of it.

    team      teams by name, each with its members, the captain first
    latest    the last mail to somebody about a board
    whispers  words for the own side, with its board and those who may read them
    votes     the sentences that tell a side of its proposals and votes, by board, with its members
    counts    mails by reader and day, those aside that answer a mail of the reader's own
    refused   refusals, and how many there were of each
    ends      boards by game and how they stand at the end
    exchanges  seats that another player went on with
    hidden    mails with a position of which a part is hidden
    offers    the last mail that asks somebody to go on with a seat
    offered   boards of which somebody was asked to take a seat over
    sheet     the last mail about all boards of the exhibition, while it is not answered
    shown     the boards of the exhibition
    """

    def __init__(
        self, talk: Conversation, server: MortalServer, seed: int, *, is_small: bool
    ) -> None:
        self.talk, self.server, self.is_small = talk, server, is_small
        self.dice = random.Random(f"club {seed}")
        self.people = [f"p{number:02}" for number in range(1, 17 if is_small else 41)]
        self.numbers: dict[str, int] = {}
        self.language = dict(zip(self.people, [*LANGUAGES] * len(self.people), strict=False))
        self.team: dict[str, list[str]] = {}
        self.silent: set[str] = set()
        self.gone: set[str] = set()
        self.latest: dict[tuple[str, int], Mail] = {}
        self.told: dict[tuple[str, int], float] = {}
        self.whispers: dict[str, tuple[int, frozenset[str]]] = {}
        self.votes: defaultdict[int, dict[str, frozenset[str]]] = defaultdict(dict)
        self.counts: Counter[tuple[str, int]] = Counter()
        self.told_of: defaultdict[tuple[str, int], list[str]] = defaultdict(list)
        self.refused: Counter[str] = Counter()
        self.ids: defaultdict[str, set[str]] = defaultdict(set)
        self.offers: dict[str, Mail] = {}
        self.offered: set[tuple[str, int]] = set()
        self.kinds: Counter[str] = Counter()
        self.mails: list[Mail] = []
        self.ends: Counter[str] = Counter()
        self.hidden = self.exchanges = 0
        self.sheet: Mail | None = None
        self.shown: set[int] = set()
        self.begun = 0.0

    # What it plays

    def begin(self) -> None:
        """Let everybody sign up, make teams and begin all that is played."""
        talk, people = self.talk, self.people
        for at in range(0, len(people), 20):  # so many strangers an hour
            talk.signup(*people[at : at + 20])
            talk.clock.advance(seconds=4000)
        with talk.server.store.reading() as session:
            self.numbers = dict(session.tuples(select(players.c.userid, players.c.id)))
        for who in people:
            self.say(who, f"set language={self.language[who]}")
        size = 4 if self.is_small else 5
        teams = ("rooks", "knights") if self.is_small else ("rooks", "knights", "bishops", "pawns")
        for number, name in enumerate(teams):
            self.make_team(name, people[number * size : (number + 1) * size])
        left = people[len(teams) * size :]
        reds, blues, rest = left[:3], left[3:6], left[6:]
        self.make_team("reds", reds)
        self.make_team("blues", blues)
        self.spend_days(1)
        options = "-size=5 --forfeit=5 --nag=none"
        league = f"event new teamleague hex {options} --boards={size - 1} --max={len(teams)}"
        self.say(people[-1], f"{league} --name=Cup")
        for name in teams:
            captain, *_, reserve = self.team[name]
            self.say(captain, f"team reserves {name} {reserve}")
            self.say(captain, f"event enter 1 @{name}")
        if self.is_small:
            self.say(people[0], f"hex challenge @{teams[0]} @{teams[1]} {options}")
        self.say(reds[0], "chess challenge @reds @blues --decide=vote --forfeit=6 --nag=none")
        self.say(blues[0], "darkchess challenge @blues @reds --decide=vote --forfeit=6 --nag=none")
        self.say(reds[0], f"hex challenge @reds @blues --boards=3 {options}")
        giver = people[-1]
        guests = people[2:6] if self.is_small else people[1:16:2] + rest[:-1][:4]
        self.say(giver, f"hex simul --boards={len(guests)} {options}")
        for who in guests:
            self.say(who, f"hex join {self.find_offers()[-1]}")
        with talk.server.store.reading() as session:
            self.shown = {
                board.id
                for board in self.list_boards(giver)
                if reads.find_giver(session, board.id) is not None
            }
        many = "--forfeit=4 --nag=none --unrated"
        for game, players_, extra in (
            ("dip", 7, ""),
            ("cradle", 3, "--grace=24"),
            ("corridor", 4, ""),
            ("sternhalma", 3, ""),
        )[: 2 if self.is_small else 4]:
            free = people[1:-1]
            first = self.dice.sample(free, players_)
            self.say(first[0], f"{game} challenge {' '.join(first)} {many} {extra}".strip())
        for who in people:
            for board in self.list_boards(who):
                if board.state == "invited":
                    self.accept(who, board)
        free = [each for each in people[1:-1] if each not in (reds[0], blues[0])]
        self.silent = {*self.dice.sample(free, len(people) // 5)}
        self.begun = talk.clock.now

    def find_offers(self) -> list[int]:
        """Return the numbers of the open offers."""
        with self.talk.server.store.reading() as session:
            rows = find_open_offers(session, "", self.talk.clock.now, 10)
        return sorted(row.id for row in rows)

    def make_team(self, name: str, people: Sequence[str]) -> None:
        """Make a team of these, the first of whom leads it."""
        captain, *others = people
        self.team[name] = [*people]
        self.say(captain, f"team new {name}")
        self.say(captain, f"team invite {name} {' '.join(others)}")
        for who in others:
            self.say(who, f"team join {name}")

    def spend_days(self, days: int) -> None:
        """Let days pass in which nobody does anything."""
        self.talk.passes(days=days)
        self.collect()

    def live(self, days: int) -> None:
        """Play for that many days."""
        for day in range(days):
            self.act(day)
            for _ in range(int(DAY / STEP)):
                for who in self.dice.sample(self.people, len(self.people)):
                    if who not in self.silent | self.gone and self.dice.random() < _VISITS:
                        self.play(who)
                self.talk.passes(days=STEP / DAY, step=STEP)
                self.collect()
                self.check_clocks()

    def act(self, day: int) -> None:
        """Do what is done on a certain day: a captain goes, seats are handed and taken over."""
        if day == 4:
            who = self.team["knights"][0]
            self.talk.mails(who, f"signoff {who} {self.talk.password(who)}")
            (mail,) = [each for each in self.collect() if each.address.startswith(who)]
            self.talk.replies(mail, f"confirm {_find_code(mail)}")
            self.collect()
            self.gone.add(who)
            assert self.find_captain("knights") != who, "a captain who has gone still leads"
        if day in (3, 7):
            self.hand_over()
        if day in (5, 6, 8, 9, 11, 14):
            self.take_over()
        if day >= _LATE:
            self.exchange()
        if day == _LEADERLESS:
            for name in self.team:
                if self.find_captain(name) in self.silent - self.gone:
                    who = self.list_awake(name)[0]
                    self.say(who, f"team captain {name} {who}")
                    assert self.find_captain(name) == who, f"{who} does not lead {name}"

    # What its members do

    def say(self, who: str, line: str, body: str = "") -> None:
        """Somebody writes to the reply address of their welcome mail."""
        self.ids[who].add(self.talk.proves(who, line, body))
        self.collect()

    def list_boards(self, who: str) -> list[Board]:
        """Return the boards of somebody that go on."""
        with self.talk.server.store.reading() as session:
            rows = reads.find_open_boards(session, self.numbers[who], 100)
            return [load(session, row.id) for row in rows if row.state in ("running", "invited")]

    def play(self, who: str) -> None:
        """Somebody reads their mails and answers what waits for them."""
        open_boards = self.list_boards(who)
        if who == self.people[-1]:
            self.play_exhibition(who, [each for each in open_boards if each.id in self.shown])
            open_boards = [each for each in open_boards if each.id not in self.shown]
        for board in open_boards:
            seats = [each for each in board.seats if each.is_held_by(self.numbers[who])]
            if not seats or board.state == "cancelled":
                continue
            seat = next((each for each in seats if each in board.on_move), seats[0])
            if board.state == "invited":
                self.accept(who, board)
                continue
            if self.answer(who, board, seat) or seat not in board.on_move:
                continue
            if seat.decides and self.dice.random() < 0.05:
                self.whisper(who, board, seat)
            self.move(who, board, seat)

    def accept(self, who: str, board: Board) -> None:
        """Accept an invitation, where that is for somebody to do."""
        for seat in board.seats:
            if not seat.accepted and self.numbers[who] in seat.list_speakers():
                self.reply(who, board, "accept")

    def play_exhibition(self, who: str, waiting: Sequence[Board]) -> None:
        """Answer the mail about all boards of the exhibition with a line for each."""
        own = [each for each in waiting if 0 in each.position.to_move and each.state == "running"]
        if self.sheet is not None and own:
            lines = [f"{board.id} {self.choose(board, 0)}" for board in own]
            self.ids[who].add(self.talk.replies(self.sheet, "\n".join(lines)))
            self.collect()
            self.sheet = None

    def answer(self, who: str, board: Board, seat: Seat) -> bool:
        """Answer a proposal, if there is one."""
        asked = [kind for kind, by in board.proposals.items() if seat.seat not in by]
        if not asked or self.numbers[who] not in seat.list_speakers():
            return False
        if len(asked) == 1:
            self.reply(who, board, self.dice.choice(("accept", "accept", "reject")))
        return len(asked) == 1

    def move(self, who: str, board: Board, seat: Seat) -> None:
        """Play, propose or vote."""
        number = self.numbers[who]
        speaks = number in seat.list_speakers(board.round_number)
        if seat.decides == Way.VOTE:
            cast = seat.read_ballots(board.next_ply, board.undos).cast
            if any(each.player == number for each in cast):
                return
        elif seat.decides and not speaks and self.dice.random() < 0.85:
            return
        is_long = board.ply > (_LONGEST_GAME if board.game.info.name != "hex" else 60)
        if is_long and number in seat.list_speakers():
            self.reply(who, board, "resign")
            return
        text = self.choose(board, seat.seat)
        if not text:
            return
        comment = ""
        if self.dice.random() < 0.15:
            comment = self.make_words(board, seat) if seat.decides and not speaks else "Good luck!"
        before = board.number
        self.reply(who, board, f"{text}\n\n{comment}" if comment else text)
        with self.talk.server.store.reading() as session:
            after = load(session, board.id, anyway=True)
        if seat.decides:
            self.note_votes(after, seat.seat)
        if not after.position.takes_orders:
            log = after.number - before
            assert log <= 3, f"{who} on board {board.id}: {log} entries by one mail"

    def choose(self, board: Board, seat: int) -> str:
        """Return a turn of that seat: of a side that votes often the same one."""
        position = board.position
        if position.takes_orders:
            orders = sorted(position.legal_moves(seat))
            by_unit: dict[str, str] = {}
            for order in self.dice.sample(orders, len(orders)):
                by_unit.setdefault(" ".join(order.split()[:2]), order)
            return "\n".join(by_unit.values())
        moves = sorted(position.legal_moves(seat))
        dice = random.Random(f"{board.id} {board.ply} {self.dice.random() < 0.3}")
        return dice.choice(moves) if moves else ""

    def whisper(self, who: str, board: Board, seat: Seat) -> None:
        """Write to the own side."""
        self.reply(who, board, f"team: {self.make_words(board, seat)}")

    def make_words(self, board: Board, seat: Seat) -> str:
        """Return words that only the side that holds a seat may read."""
        words = f"whisper {len(self.whispers)} of {self.dice.randrange(10**9)}"
        readers = frozenset(each.account for each in seat.people)
        self.whispers[words] = board.id, readers
        return words

    def note_votes(self, board: Board, seat: int) -> None:
        """Note the sentences that tell a side of its votes, in all languages."""
        own = board.seats[seat]
        readers = frozenset(each.account for each in own.people)
        for each in own.read_ballots(board.next_ply, board.undos).cast:
            for pattern in _VOTES:
                said = fill_in(pattern, member=own.name_member(each.player), move=each.words)
                for language in LANGUAGES:
                    self.votes[board.id][translate(said, language).casefold()] = readers

    def reply(self, who: str, board: Board, text: str) -> None:
        """Somebody replies to their last mail about a board."""
        mail = self.latest.get((who, board.id))
        assert mail is not None, f"{who} has had no mail about board {board.id}"
        self.ids[who].add(self.talk.replies(mail, text))
        self.collect()

    def hand_over(self) -> None:
        """Somebody on a board of three and more asks another to go on with their seat."""
        for board in self.list_many():
            here = [each for each in board.seats if each.account not in self.silent | self.gone]
            free = [each for each in self.people if self.numbers[each] not in board.people]
            free = [each for each in free if each not in self.silent | self.gone]
            here = [each for each in here if each.seat in board.position.playing]
            if here and free and board.event is None:
                giver, taker = self.dice.choice(here).account, self.choose_free(free)
                self.reply(giver, board, f"handover {taker}")
                self.agree(taker, board.id)

    def exchange(self) -> None:
        """Captains have a reserve go on for who does not move on a board of the league."""
        for name, members in self.team.items():
            captain, reserve = self.find_captain(name), self.list_awake(name)[-1]
            if captain in self.silent or captain == reserve:
                continue
            for who in members:
                late = [each for each in self.list_boards(who) if self.is_late(who, each)]
                for board in late[:1]:
                    self.say(captain, f"hex handover {board.id} {reserve}")
                    self.agree(reserve, board.id)

    def agree(self, who: str, board: int) -> None:
        """Somebody agrees to go on with a seat, if they were asked."""
        mail = self.offers.pop(who, None)
        if mail is not None:
            self.offered.add((who, board))
            self.ids[who].add(self.talk.replies(mail, "yes"))
            self.collect()

    def find_captain(self, team: str) -> str:
        """Return who leads a team."""
        with self.talk.server.store.reading() as session:
            rows = session.tuples(select(players.c.id).where(players.c.userid == f"@{team}"))
            ((number,),) = rows
            leader = find_captain(session, number)
        return next(who for who, own in self.numbers.items() if own == leader)

    def list_awake(self, team: str) -> list[str]:
        """Return the members of a team who are there and not silent."""
        return [each for each in self.team[team] if each not in self.silent | self.gone]

    def is_late(self, who: str, board: Board) -> bool:
        """Whether somebody has not moved on a board of the league, alone, for some days."""
        waits = self.talk.clock.now - board.turn_began > _LATE * DAY
        own = [each for each in board.on_move if each.account == who and not each.decides]
        return waits and bool(own) and board.event is not None

    def take_over(self) -> None:
        """Somebody takes over whatever was left on a board of three and more."""
        for board in self.list_many():
            free = [each for each in self.people if self.numbers[each] not in board.people]
            free = [each for each in free if each not in self.silent | self.gone]
            names = board.position.seat_names
            late = [each for each in board.on_move if each.due is not None]
            left = [*sorted(board.position.vacant), *(each.seat for each in late)]
            if left and free:
                line = f"{board.game.info.name} takeover {board.id} {names[left[0]].lower()}"
                self.say(self.choose_free(free), line)

    def choose_free(self, people: Sequence[str]) -> str:
        """Return one of these people who plays on the fewest boards."""
        counts = {each: len(self.list_boards(each)) for each in people}
        return self.dice.choice([each for each in people if counts[each] == min(counts.values())])

    def list_many(self) -> list[Board]:
        """Return the boards of three and more that are running."""
        found = dict[int, Board]()
        for who in self.people:
            for board in self.list_boards(who):
                if board.state == "running" and len(board.seats) > 2:
                    found[board.id] = board
        return [found[number] for number in sorted(found)]

    # What must hold

    def collect(self) -> list[Mail]:
        """Read all mails that have arrived, and check each."""
        mails = self.talk.everything()
        if mails:
            with self.talk.server.store.reading() as session:
                for mail in mails:
                    number = self.talk.find_number(mail)
                    query = select(outbound.c.content, outbound.c.board_id)
                    query = query.where(outbound.c.id == number)
                    ((content, board),) = session.tuples(query)
                    found = load(session, board, anyway=True, asleep=True) if board else None
                    self.check_mail(mail, content, found)
        return mails

    def check_mail(self, mail: Mail, content: str, board: Board | None) -> None:
        """Check that a mail concerns its reader, and says nothing that they must not know."""
        who = mail.address.partition("@")[0]
        self.mails.append(mail)
        self.kinds[content] += 1
        day = int((self.talk.clock.now - self.begun) // DAY) if self.begun else -1
        is_answer = mail.in_reply_to in self.ids[who]
        self.counts[who, day] += not is_answer
        self.exchanges += content == "seat_passed_on"
        if content == "seat_offered":
            self.offers[who] = mail
        answer = "answer" if is_answer else ""
        self.told_of[who, day].append(f"{content} {answer}: {mail.subject}")
        if content == "match_table" and who == self.people[-1]:
            self.sheet = mail
            for number in self.shown:
                self.told[who, number] = self.talk.clock.now
        if content in ("refused", "no_command"):
            self.refused[" ".join(mail.text.split())[:200]] += 1
        if board is not None:
            self.latest[who, board.id] = mail
            self.told[who, board.id] = self.talk.clock.now
            concerns = is_answer or self.numbers[who] in board.people
            concerns |= content == "seat_passed_on" or (who, board.id) in self.offered
            assert concerns, f"{content} of board {board.id} does not concern its reader: {mail}"
            self.check_secrets(who, mail, board)
        elif not is_answer and content.startswith("team_"):
            name = next((each for each in self.team if f"@{each}" in mail.text), "")
            assert who in self.team.get(name, ()), f"{content} does not concern its reader: {mail}"
        for words, (number, readers) in self.whispers.items():
            if words in mail.text and who not in readers:
                with self.talk.server.store.reading() as session:
                    is_open = load(session, number, anyway=True).is_uncovered
                assert is_open, f"{words}, of board {number}, is read by {who}: {mail}"

    def check_secrets(self, who: str, mail: Mail, board: Board) -> None:
        """Check that a mail tells of no vote of another side, and no hidden position."""
        if board.is_uncovered:
            return
        said = " ".join(mail.text.split()).casefold()
        for sentence, readers in self.votes[board.id].items():
            assert who in readers or sentence not in said, f"{sentence}: {mail}"
        seat = next((s for s in board.seats if s.is_held_by(self.numbers[who])), None)
        if board.game.info.name != "darkchess" or board.state != "running" or seat is None:
            return
        shown = _list_rows(mail.text)
        if shown and int(mail.fact("Ply")) == board.ply:
            own, other = (
                _list_rows(translate(board.position.picture(n).text, self.language[who]))
                for n in (seat.seat, 1 - seat.seat)
            )
            self.hidden += 1
            assert own <= shown, f"{own - shown} not in {mail}"
            assert own == other or not other <= shown, mail

    def check_clocks(self) -> None:
        """Check that no seat is idle for longer than its clock allows, and that everybody who is to
        move was told."""
        now, seen = self.talk.clock.now, set[int]()
        with self.talk.server.store.reading() as session:
            for who in self.people:
                for row in reads.find_open_boards(session, self.numbers[who], 100):
                    if row.id in seen or row.state != "running":
                        continue
                    seen.add(row.id)
                    board = load(session, row.id)
                    for seat in board.on_move:
                        allowed = compute_turn_limit(board, seat)
                        assert allowed is not None, f"board {board.id} has no clock"
                        end = find_turn_end(board, read_calendar(session, board, seat), allowed)
                        end = max(end, seat.due or 0.0) + find_grace(board) + GRACE + _WARNED
                        assert now <= end, f"seat {seat.seat} of board {board.id} is dead"
                        self.check_told(board, seat, now)

    def check_told(self, board: Board, seat: Seat, now: float) -> None:
        """Check that those who hold a seat on the move know of it, and that its votes are counted
        in time."""
        wait = 1.5 * DAY
        for each in seat.people:
            told = self.told.get((each.account, board.id), 0.0)
            if each.is_active and told < board.turn_began and now > board.turn_began + wait:
                raise AssertionError(f"{each.account} does not know of board {board.id}")
        end = find_vote_end(board, seat)
        assert end is None or now <= end + 2 * STEP, f"votes on board {board.id} are not counted"

    def check(self) -> None:
        """Check what must hold at the end."""
        with self.talk.server.store.reading() as session:
            differences = list(find_differences(session))
            assert not differences, differences
            query = select(boards.c.game, boards.c.state, func.count())
            for game, state, count in session.tuples(query.group_by(boards.c.game, boards.c.state)):
                self.ends[f"{game} {state}"] = count
        counts = [(count, who, day) for (who, day), count in self.counts.items() if day > 0]
        most, who, day = max(counts)
        listed = "\n".join(self.told_of[who, day])
        assert most <= MOST_A_DAY, f"{who} had {most} mails on day {day}:\n{listed}"
        for name in ("mail_failed", "mail_set_aside"):
            assert not self.kinds[name], name


def _list_rows(text: str) -> set[str]:
    """Return the rows of a board in a text, without the marks of the last move."""
    return {row.strip().translate(_UNMARKED) for row in _ROWS.findall(text)}


def _find_code(mail: Mail) -> str:
    (code,) = re.findall(r"^    \w+ ?: (\S+)$", mail.text, re.MULTILINE)
    return str(code)


def play(folder: Path, seed: int, days: int, odds: float, *, is_small: bool = False) -> Club:
    """Play so many days; the club as it stands at their end, checked."""
    clock, config = Clock(), configure(folder)
    server = MortalServer(config, clock, random.Random(f"server {seed}"))
    talk = Conversation(server, clock, confirms=config.players.confirm_addresses)
    club = Club(talk, server, seed, is_small=is_small)
    try:
        club.begin()
        server.odds = odds
        club.live(days)
        club.check()
    finally:
        server.close()
    return club
