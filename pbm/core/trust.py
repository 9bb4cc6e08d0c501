"""How much of other people's attention somebody may cause: one decision for every notice.

Who causes it is a principal: a mailbox with all of its accounts, for strangers the address, and in
`limits` its network and domain. What it asks of its reader is a `Kind`. `decide` says whether it
goes out now, later in a summary, once a moderator has said yes, or never; `let_through` asks it for
each notice, where notices become mails. News of moves always go to the players of their board."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from enum import Enum, IntEnum, unique
from typing import Any, NamedTuple
from zlib import crc32

from msgspec import Struct
from msgspec.structs import replace
from sqlalchemy import Select, Table, bindparam, delete, exists, func, insert, or_, select

from pbm.config import Config
from pbm.core.context import Context
from pbm.core.feature import list_hooks
from pbm.core.limits import STRANGERS, Asker, Limit, add, count, spend
from pbm.core.notices import ErrorsOver, Kind, Notice, WordsHeld
from pbm.core.outgoing import Describe, add_to_summary
from pbm.core.player import BAN, Player, find_bans, find_players_by_address, get_player, save_player
from pbm.core.refusal import Refusal, RefusalCode
from pbm.rules.phrases import Listing, phrase
from pbm.store import reads
from pbm.store.daily_counters import DAY, count_days, count_since, increment
from pbm.store.mail_outcome import NoAnswer
from pbm.store.reads import find_accounts, find_blockers
from pbm.store.rows import Query, Row
from pbm.store.tables import (
    ASKING,
    INVITED,
    HeldWordsRow,
    audit,
    boards,
    club_members,
    counters,
    entrants,
    held_words,
    normalize_mailbox,
    outbound,
    players,
    seats,
    team_members,
)
from pbm.store.transaction import Session

# Who causes a notice.

_SANCTIONS = ("silence", "ban", "suspend")
_WROTE = "wrote"
"""What counts the texts of one player to another."""
_ANSWERED_WITHIN = 13
"""Days in which somebody who has written may be answered by a newcomer."""


class Level(IntEnum):
    """How far the words of somebody are heard."""

    HEARD = 0
    BLOCKED = 1
    """By the one reader who has said so."""
    SILENCED = 2
    SUSPENDED = 3
    BANNED = 4


class Principal(Struct, frozen=True):
    """A person as far as the server can tell: a mailbox, with all accounts that have confirmed an
    address of it.

    accounts  theirs, oldest first, closed ones too
    name      the mailbox, under which it is counted: accounts may be closed and opened
    level     the worst of these; BLOCKED is asked for each reader
    since     when the first of them was opened, or was last silenced, suspended or banned for what
              somebody reported
    """

    accounts: tuple[Player, ...]
    name: str
    level: Level
    since: float

    @property
    def numbers(self) -> tuple[int, ...]:
        """The numbers of its accounts."""
        return tuple(each.id for each in self.accounts)

    @property
    def silenced(self) -> float | None:
        """Until when it is silenced."""
        return max((each.silenced for each in self.accounts if each.silenced), default=None)


def find_principal(session: Session, player: int, now: float) -> Principal | None:
    """Return the principal of an account; None for no player."""
    numbers = sorted(find_accounts(session, player))
    accounts = tuple(each for number in numbers if (each := get_player(session, number)))
    if not accounts:
        return None
    level = max(_find_level(each, now) for each in accounts)
    if level is Level.SUSPENDED:
        addresses = [row.address for row in reads.find_confirmed_addresses(session, player)]
        level = Level.BANNED if BAN in find_bans(session, addresses).values() else level
    acts = [audit.c.action.startswith(word) for word in _SANCTIONS]
    upheld = select(func.max(audit.c.at)).where(
        audit.c.player_id.in_([each.id for each in accounts]),
        or_(*acts),
        audit.c.closed.is_(None),  # an act that was undone leaves nothing behind
    )
    since = min(each.created for each in accounts)
    name = reads.find_mailbox(session, player) or str(player)
    return Principal(accounts, name, level, max(since, session.execute(upheld).scalar() or 0.0))


def _find_level(player: Player, now: float) -> Level:
    if player.state == "suspended":
        return Level.SUSPENDED
    return Level.SILENCED if player.is_silenced(now) else Level.HEARD


def is_heard(principal: Principal | None) -> bool:
    """Whether any words of the principal are passed on."""
    return principal is None or principal.level < Level.SILENCED


def is_newcomer(session: Session, principal: Principal, now: float, config: Config) -> bool:
    """Whether the principal is new: no board of theirs against another person has ended since they
    came, and the days of the configuration are not over."""
    if now - principal.since >= config.trust.newcomer * DAY:
        return False
    own, others = seats.alias("own"), seats.alias("others")
    finished = (
        select(boards.c.id)
        .join(own, own.c.board_id == boards.c.id)
        .join(others, others.c.board_id == boards.c.id)
        .join(players, players.c.id == others.c.player_id)
        .where(
            boards.c.state == "over",
            boards.c.ended >= principal.since,
            own.c.player_id.in_(principal.numbers),
            others.c.player_id.not_in(principal.numbers),
            players.c.password.not_like("!%"),
        )
        .limit(1)
    )
    return session.execute(finished).scalar() is None


def _knows(session: Session, reader: int, principal: Principal, now: float) -> bool:
    """Whether a player knows the principal: they have agreed to a board, joined one event, club or
    team, or the player has written lately, who is answered."""
    numbers = principal.numbers
    if reader in numbers:
        return True
    own, others = seats.alias("own"), seats.alias("others")
    shared = select(own.c.board_id).where(
        exists().where(others.c.board_id == own.c.board_id, others.c.player_id.in_(numbers)),
        own.c.player_id == reader,
        own.c.accepted | own.c.moved,
    )
    joined = [
        _list_common(table, key, reader, numbers)
        for table, key in (
            (entrants, "event_id"),
            (club_members, "club_id"),
            (team_members, "team_id"),
        )
    ]
    if any(session.execute(query.limit(1)).scalar() is not None for query in (shared, *joined)):
        return True
    wrote = find_principal(session, reader, now)
    since = count_days(now) - _ANSWERED_WITHIN
    return wrote is not None and any(
        count_since(session, f"{_WROTE} {wrote.name} {number}", since) for number in numbers
    )


def _list_common(table: Table, key: str, reader: int, others: Collection[int]) -> Select[Any]:
    """Select what of a kind both a player and one of some others have joined."""
    mine, theirs = table.alias("mine"), table.alias("theirs")
    inside = [each.c.role.not_in((INVITED, ASKING)) for each in (mine, theirs) if "role" in each.c]
    return (
        select(mine.c[key])
        .join(theirs, theirs.c[key] == mine.c[key])
        .where(mine.c.player_id == reader, theirs.c.player_id.in_(others), *inside)
    )


# What goes out.

_LAST_ANSWER = phrase(
    "This is today's last answer to mails that do not show who wrote them. Replies to our "
    "mails, and commands with userid and password, are done and answered as always."
)


@unique
class Verdict(Enum):
    """What becomes of a notice."""

    NOW = "now"
    SUMMARY = "later, in a summary"
    HELD = "once a moderator has said yes"
    NEVER = "never"


class Cause(Struct):
    """Who causes notices, and with what proof.

    principal    whose act they tell somebody else of; None for the server's and the operator's own,
                 and for whoever is answered
    is_proved    it is known who sent the command
    is_new       the principal is a newcomer; `blockers` hear nothing of it
    announced    whether each text may go to everybody
    """

    principal: Principal | None
    is_proved: bool
    is_new: bool = False
    blockers: frozenset[int] = frozenset()
    announced: dict[str, bool] = {}


def _build_cause(session: Session, notice: Notice, now: float, config: Config) -> Cause:
    principal = find_principal(session, notice.cause, now) if notice.cause else None
    if principal is None:
        return Cause(None, not notice.is_unproved)
    is_new = is_newcomer(session, principal, now, config)
    blockers = frozenset(find_blockers(session, notice.cause))
    return Cause(principal, not notice.is_unproved, is_new, blockers, {})


class Decision(NamedTuple):
    """What becomes of a notice, and why an answer does not go out."""

    verdict: Verdict
    why: NoAnswer | None = None


_NOW = Decision(Verdict.NOW)


def decide(
    session: Session, cause: Cause, notice: Notice, address: str, now: float, config: Config
) -> Decision:
    """Decide about a notice to one of its addresses, and count what it uses up."""
    kind = notice.kind
    for refuse in (_refuse_stranger, _refuse_unproved, _refuse_again, _refuse_error):
        if why := refuse(session, cause, notice, address, now, config):
            return Decision(Verdict.NEVER, why)
    if notice.asker is not None:
        STRANGERS.take(session, notice.asker, now, config)
    if not cause.is_proved:
        add(session, Limit.UNPROVED, normalize_mailbox(address), now)
    principal = cause.principal
    if principal is None or kind in (Kind.ANSWER, Kind.LIMIT, Kind.MOVE, Kind.CODE):
        return _NOW
    if kind is not Kind.NEWS:
        weighed = _weigh(session, cause, principal, notice, now, config)
        if weighed is not Verdict.NOW:
            return Decision(weighed)
    if not notice.player:
        return _NOW
    if notice.player in cause.blockers and notice.thread is None:
        return Decision(Verdict.NEVER)
    if notice.is_late:
        return Decision(Verdict.SUMMARY)
    if kind is Kind.CHAT:
        board = notice.thread.board if notice.thread is not None else 0
        who = f"{board} {principal.name} {notice.player}"
        if not spend(session, Limit.CHATS, who, now, config):
            return Decision(Verdict.SUMMARY)
    who = f"{principal.name} {notice.player}"
    if notice.content.passed_on:
        increment(session, f"{_WROTE} {who}", now)
    is_left = spend(session, Limit.NOTICES, who, now, config)
    if kind is not Kind.NEWS or notice.thread is None or notice.thread.seat is None:
        is_left = is_left and spend(session, Limit.NEWS, normalize_mailbox(address), now, config)
    return _NOW if is_left else Decision(Verdict.SUMMARY)


def _refuse_stranger(
    session: Session, cause: Cause, notice: Notice, address: str, now: float, config: Config
) -> NoAnswer | None:
    """Strangers have not had their mails for the hour. What codes take was counted before."""
    who = notice.asker
    if who is None or STRANGERS.has_room(session, who, now, config):
        return None
    STRANGERS.turn_away(session, who, now)
    return NoAnswer.STRANGERS_SPENT


def _refuse_unproved(
    session: Session, cause: Cause, notice: Notice, address: str, now: float, config: Config
) -> NoAnswer | None:
    """Return a reason not to send an unproved mail: the address has used up its day's budget, or it
    is a notice of a limit to nobody's address. None to send it."""
    if cause.is_proved:
        return None
    is_of_limit = notice.kind is Kind.LIMIT and not notice.player
    code_for = notice.player if notice.kind is Kind.CODE else None
    if is_of_limit or not has_budget(session, address, now, config, code_for=code_for):
        return NoAnswer.UNPROVED_SPENT
    return None


def _refuse_again(
    session: Session, cause: Cause, notice: Notice, address: str, now: float, config: Config
) -> NoAnswer | None:
    """Return a reason not to send a notice of which one a day is sent: the reader has had it today.
    None to send it."""
    once = notice.content.once
    if not once or (not cause.is_proved and not Limit.UNPROVED.find_most(config)):
        return None
    reader = notice.player or normalize_mailbox(address)
    if spend(session, Limit.ONCE, f"{reader} {once}", now, config):
        return None
    return NoAnswer.REPEATED if notice.player else NoAnswer.STRANGER


def _refuse_error(
    session: Session, cause: Cause, notice: Notice, address: str, now: float, config: Config
) -> NoAnswer | None:
    """Return a reason not to send an answer to an error: a proved player's errors of the day are
    used up; unproved ones have the budget of their address. None to send it."""
    is_counted = cause.is_proved and notice.is_answer and notice.content.is_error and notice.player
    if not is_counted or spend(session, Limit.ERRORS, notice.player, now, config):
        return None
    return NoAnswer.ERRORS_SPENT


def _weigh(
    session: Session,
    cause: Cause,
    principal: Principal,
    notice: Notice,
    now: float,
    config: Config,
) -> Verdict:
    """Decide about a notice with words. Those to everybody and to strangers wait for a moderator
    beyond a day's number too."""
    kind, content = notice.kind, notice.content
    if not is_heard(principal):
        return Verdict.NEVER
    if not content.held_as:
        return Verdict.NOW
    if kind is Kind.ANNOUNCEMENT:
        text = f"{content.held_about} {content.passed_on}"
        if text not in cause.announced:
            cause.announced[text] = not cause.is_new and spend(
                session, Limit.ANNOUNCEMENTS, principal.name, now, config
            )
        return Verdict.NOW if cause.announced[text] else Verdict.HELD
    if kind is Kind.INVITATION:
        waits = _invitations_wait(session, principal, now, config)
        return Verdict.HELD if waits else Verdict.NOW
    return weigh_words(session, principal, (notice.player,), now, config)


def weigh_words(
    session: Session,
    principal: Principal | None,
    readers: Collection[int] | None,
    now: float,
    config: Config,
) -> Verdict:
    """Decide about words to these players, or (None) to everybody who looks: those of a newcomer to
    anybody who does not know them wait for a moderator. It is asked wherever a text enters what
    others read, where no notice alone brings it."""
    if not is_heard(principal):
        return Verdict.NEVER
    if principal is None or not is_newcomer(session, principal, now, config):
        return Verdict.NOW
    is_known = readers is not None and all(
        _knows(session, reader, principal, now) for reader in readers
    )
    return Verdict.NOW if is_known else Verdict.HELD


def take_invitation(session: Session, player: int, now: float, config: Config) -> bool:
    """Count an invitation of a player. Return whether it waits for a moderator, even if its address
    accepts no mail, so that nobody learns of that."""
    principal = find_principal(session, player, now)
    if principal is None:
        return False
    add(session, Limit.INVITATIONS, principal.name, now)
    return _invitations_wait(session, principal, now, config)


def _invitations_wait(session: Session, principal: Principal, now: float, config: Config) -> bool:
    """Whether invitations of the principal, which were counted, wait for a moderator."""
    most = Limit.INVITATIONS.find_most(config)
    used = count(session, Limit.INVITATIONS, principal.name, now)
    return bool(most and used > most) or is_newcomer(session, principal, now, config)


class LetThrough(NamedTuple):
    """The notices that go out now, and why answers do not."""

    sent: list[Notice]
    unanswered: list[NoAnswer]


def let_through(
    session: Session, notices: Sequence[Notice], now: float, config: Config, describe: Describe
) -> LetThrough:
    """Return the notices that go out now, each with the addresses to which it goes. Others are kept
    for a summary or a moderator, which the answer says. `describe` names the kind of a notice and
    its news in a language."""
    causes: dict[tuple[int, bool], Cause] = {}
    waiting: dict[tuple[int, str, int, str], list[Notice]] = {}
    sent, unanswered = list[Notice](), list[NoAnswer]()
    for notice in notices:
        if not notice.addresses or not _is_limited(notice):
            sent.append(notice)
            continue
        key = (notice.cause, notice.is_unproved)
        if key not in causes:
            causes[key] = _build_cause(session, notice, now, config)
        cause, content = causes[key], notice.content
        if notice.is_unproved:
            decided = [
                decide(session, cause, notice, address, now, config) for address in notice.addresses
            ]
        else:
            first = decide(session, cause, notice, notice.addresses[0], now, config)
            decided = [first] * len(notice.addresses)
        verdicts = [each.verdict for each in decided]
        addresses = tuple(
            address
            for address, verdict in zip(notice.addresses, verdicts, strict=True)
            if verdict is Verdict.NOW
        )
        if addresses:
            is_last = notice.is_unproved and any(
                _is_last(session, notice, each, now, config) for each in addresses
            )
            added = (*notice.added, _LAST_ANSWER) if is_last else notice.added
            sent.append(replace(notice, addresses=addresses, added=added))
        elif Verdict.HELD in verdicts:
            about = (notice.cause, content.held_as, content.held_about, content.passed_on)
            waiting.setdefault(about, []).append(notice)
        elif Verdict.SUMMARY in verdicts:
            add_to_summary(session, notice, now, config, describe)
        elif decided[0].why is NoAnswer.ERRORS_SPENT:
            over = replace(notice, content=ErrorsOver(), left=(), withheld=())
            last = decide(session, cause, over, notice.addresses[0], now, config)
            if last.verdict is Verdict.NOW:
                sent.append(over)
            else:
                unanswered.append(NoAnswer.ERRORS_SPENT)
        elif decided[0].why is not None:
            unanswered.append(decided[0].why)
    for held in waiting.values():
        sent = _hold_all(session, held, sent, now)
    return LetThrough(sent, unanswered)


def _is_limited(notice: Notice) -> bool:
    """Whether anything limits how often a notice goes out."""
    is_error = notice.is_answer and notice.content.is_error
    return bool(notice.cause or notice.is_unproved or notice.content.once or is_error)


def _hold_all(
    session: Session, held: Sequence[Notice], sent: list[Notice], now: float
) -> list[Notice]:
    """Hold words for a moderator. Return the notices that go out instead, with an answer that says
    so."""
    first = held[0]
    writer = get_player(session, first.cause)
    if writer is None:
        return sent
    numbers = [str(each.player) for each in held if each.player]
    content = first.content
    is_kept = keep_words(
        session,
        writer.id,
        content.held_as,
        tuple(numbers) or first.addresses,
        content.passed_on,
        now,
        about=content.held_about,
    )
    if content.attention is Kind.ANNOUNCEMENT:
        names: str = phrase("everybody")
    else:
        people = [get_player(session, int(number)) for number in numbers]
        named = [each.userid for each in people if each is not None]
        names = Listing(named or list(first.addresses))
    for at, notice in enumerate(sent):
        is_own = notice.is_answer and notice.player == writer.id
        told = notice.content.tell_held(names, is_kept=is_kept) if is_own else None
        if told is not None:
            return [*sent[:at], replace(notice, content=told), *sent[at + 1 :]]
    told = WordsHeld(userid=writer.userid, names=names, text=content.passed_on, is_kept=is_kept)
    return [*sent, Notice(told, reads.find_addresses(session, writer.id), writer.id)]


# Programs that answer our mails: not what they write tells them, but that they answer each of these
# mails within minutes, copies and receipts too. People answer some and leave the others. The third
# text without a command that comes so is held, and its player asked once; the word no says that a
# person writes, for good. A command is done, but its third time is the last that is answered.

_ANSWERED_SOON = 600.0
"""Seconds after a mail within which a program answers it."""
_BEGAN = "rhythm"
"""What keeps the number of the mail that a player's rhythm begins with, as a counter."""
_PERSON = "person"
"""The preference, hidden from `set`, of a player who has confirmed to be a person."""
_END_RHYTHM = (
    delete(counters)
    .where(counters.c.name.in_(bindparam("names", expanding=True)))
    .execution_options(gathers="names")
)


class OwnMailRow(Row):
    """A mail from the server to a player."""

    id: int
    created: float
    recipient: str


_OF_MAILBOX = (
    select(outbound.c.id, outbound.c.created, outbound.c.recipient)
    .where(outbound.c.player_id.in_(bindparam("players", expanding=True)))
    .order_by(outbound.c.id.desc())
    .limit(1)
)
_LAST_MAIL = Query(OwnMailRow, _OF_MAILBOX)
_ANSWERED_MAIL = Query(OwnMailRow, _OF_MAILBOX.where(outbound.c.id == bindparam("number")))
_COUNT_MAILS = select(func.count()).where(
    outbound.c.player_id.in_(bindparam("players", expanding=True)),
    outbound.c.recipient == bindparam("recipient"),
    outbound.c.id.between(bindparam("first"), bindparam("last")),
)


@unique
class Writer(Enum):
    """Who seems to have written a mail without a command."""

    PERSON = "a person"
    PROGRAM = "a program: its player is to be asked"
    ASKED = "a program, whose player was asked"


def guess_writer(
    session: Session,
    player: Player,
    now: float,
    config: Config,
    answered: int,
    *,
    is_error: bool,
    command: str = "",
) -> Writer:
    """Count a mail without a password, and return who seems to have written it. It answers our mail
    with the number `answered`, or (0) the last one. A program has written it where this mail and
    those before it, from any account of the mailbox, came within minutes and left no older mail of
    the server unanswered. Of errors and commands only the first answer to each mail counts: people
    who try again answer the same mail or write a new one. The `command` that was done, if any, is
    compared with those before it: people who look around send others."""
    accounts = find_accounts(session, player.id)
    most = Limit.QUICK.find_most(config)
    if not most or any(_is_person(session, number) for number in accounts):
        return Writer.PERSON
    numbers = list(accounts)
    mail = session.first(_ANSWERED_MAIL, {"players": numbers, "number": answered})
    mail = mail or session.first(_LAST_MAIL, {"players": numbers})
    if mail is None or now - mail.created > _ANSWERED_SOON:
        for number in accounts:
            end_rhythm(session, number)
        return Writer.PERSON
    is_first = spend(session, Limit.FIRST_ANSWERS, f"{player.id} {mail.id}", now, config)
    if (is_error or command) and not (answered and is_first):
        if command:
            end_rhythm(session, player.id)
        return Writer.PERSON
    since = count_days(now) - 1
    began = {each: count_since(session, f"{_BEGAN} {each}", since) for each in accounts}
    if not began[player.id]:
        began[player.id] = mail.id
        increment(session, f"{_BEGAN} {player.id}", now, mail.id)
    if command:
        row = f"{player.id} {began[player.id]}"
        alike = add(session, Limit.ALIKE, f"{row} {crc32(command.encode())}", now)
        in_all = add(session, Limit.QUICK_COMMANDS, row, now)
        is_over = alike > most or in_all > Limit.QUICK_COMMANDS.find_most(config)
    else:
        add(session, Limit.QUICK, player.id, now)
    texts = sum(count(session, Limit.QUICK, each, now) for each in accounts)
    written = texts + sum(
        count(session, Limit.QUICK_COMMANDS, f"{each} {number}", now)
        for each, number in began.items()
        if number
    )
    first = min(number for number in began.values() if number)
    bounds = {"recipient": mail.recipient, "first": first, "last": mail.id}
    sent = session.value(_COUNT_MAILS, {"players": numbers, **bounds})
    is_over = is_over if command else texts > most
    was_asked = any(count(session, Limit.ASKED, each, now) for each in accounts)
    if was_asked and (is_over or not command):
        return Writer.ASKED
    if not is_over or sent > written:
        return Writer.PERSON
    add(session, Limit.ASKED, player.id, now)
    return Writer.PROGRAM


def _is_person(session: Session, number: int) -> bool:
    player = get_player(session, number)
    return player is not None and _PERSON in player.preferences


def end_rhythm(session: Session, who: int) -> None:
    """Note that a player does what programs do not: sends a command, plays, or takes time."""
    names = (Limit.QUICK.word, Limit.ASKED.word, _BEGAN)
    session.defer(_END_RHYTHM, [{"names": f"{name} {who}"} for name in names])


def believe(session: Session, player: Player) -> Player:
    """Take a player for a person from now on; the player as stored."""
    end_rhythm(session, player.id)
    return save_player(session, replace(player, preferences={**player.preferences, _PERSON: "yes"}))


def take_absence(session: Session, player: int, board: int, now: float, config: Config) -> bool:
    """Count what a marked program says at a board for a player who is away. Return whether it goes
    to the others, which it does once a day."""
    return spend(session, Limit.ONCE, f"{player} absence-{board}", now, config)


def take_chats(session: Session, player: int, board: int) -> list[str]:
    """Take out the texts of a player to the others of a board that are held, oldest first."""
    own = (
        (held_words.c.player_id == player)
        & (held_words.c.kind == CHAT)
        & (held_words.c.about == board)
    )
    query = select(held_words.c.text).where(own).order_by(held_words.c.id)
    texts = [str(text) for text in session.execute(query).scalars()]
    session.execute(delete(held_words).where(own))
    return texts


# The budget of an address: how many mails a day go there because of mails that prove nothing.
#
# Anybody can write anybody's address into From, or name it in a command. What that leads to is
# counted here, of all kinds together, and for all forms of an address that lead to one mailbox.


def has_budget(
    session: Session, address: str, now: float, config: Config, *, code_for: int | None = None
) -> bool:
    """Whether one more mail may go to the address today because of one that proves nothing.
    `code_for` is the player whose code it brings, 0 for nobody yet. Of three in ten only codes get
    any, so that nobody who forges its mails keeps a code from its owner: they are for those of the
    address's own players, or, where it has none, for those that make it somebody's."""
    most = Limit.UNPROVED.find_most(config)
    sent = count(session, Limit.UNPROVED, normalize_mailbox(address), now)
    if not most or sent < most - _reserve(most):
        return True
    if code_for is None or sent >= most:
        return False
    owners = find_players_by_address(session, address)
    return not owners or any(owner.id == code_for for owner in owners)


# Codes are decided about before they are made, as each voids the one before it.


def take_code(
    session: Session,
    address: str,
    asker: Asker | None,
    now: float,
    config: Config,
    *,
    is_own: bool,
    is_counted: bool,
) -> bool:
    """Count a code to the address. Return whether it may go: the address has not reached the day's
    limit, nor for requests from elsewhere (not `is_own`) the week's, and for nobody's address
    (`asker`) strangers have mails left for the hour. For the terminal (not `is_counted`) the day's
    limit does not count."""
    if is_counted and not has_budget(session, address, now, config, code_for=0):
        return False
    if asker is not None and not STRANGERS.has_room(session, asker, now, config):
        return False
    mailbox = normalize_mailbox(address)
    if not is_own and not spend(session, Limit.CODES, mailbox, now, config):
        return False
    if asker is not None:
        STRANGERS.take(session, asker, now, config)
    return True


def take_reset(session: Session, player: int, now: float, config: Config) -> bool:
    """Count a code for a new password that a mail from elsewhere asks for, unless the player has
    had those of a week. Each stays valid for the week that it counts in: whoever asks, a code that
    still works has come."""
    return spend(session, Limit.RESETS, player, now, config)


def take_unlock(session: Session, player: int, now: float, config: Config) -> bool:
    """Count a code that unlocks an account, unless its player has had those of the hour."""
    return spend(session, Limit.UNLOCKS, player, now, config)


def take_share(session: Session, asker: Asker, now: float, config: Config) -> bool:
    """Count a mail to an address that somebody names who has not proved it, registered or not,
    unless strangers have had their mails for the hour."""
    return STRANGERS.spend(session, asker, now, config)


def _is_last(session: Session, notice: Notice, address: str, now: float, config: Config) -> bool:
    """Whether the address gets no more such mails today, codes aside, which this one says."""
    most = Limit.UNPROVED.find_most(config)
    is_spent = count(session, Limit.UNPROVED, normalize_mailbox(address), now) == most - _reserve(
        most
    )
    return bool(most) and notice.kind is not Kind.CODE and is_spent


def _reserve(most: int) -> int:
    """Return the number of an address's daily mails that are reserved for codes."""
    return most * 3 // 10


# Words that are held: they wait for a moderator's yes. Retention deletes what is old.


CHAT = "chat"
"""The kind of words to the others of a board that wait for their own player's word."""
_MOST_HELD = 10
"""Texts of one player that wait at once."""


class HeldWords(Struct, frozen=True):
    """Words that wait for a moderator.

    kind        what they are: "message", "broadcast" and so on
    about       the number of the board, offer or event that they are about, or 0
    recipients  whom they are for: userids, or one address; nobody where all see it who look
    players     the numbers of these players
    at          when they were written
    """

    id: int
    player: int
    userid: str
    kind: str
    about: int
    recipients: tuple[str, ...]
    players: tuple[int, ...]
    text: str
    at: float


def list_held(session: Session) -> list[HeldWords]:
    """Return all words that wait for a moderator, oldest first."""
    query = select(held_words).where(held_words.c.kind != CHAT).order_by(held_words.c.id)
    rows = session.all(Query(HeldWordsRow, query))
    return [_read_held(session, row) for row in rows]


def get_held(session: Session, number: int) -> HeldWords:
    """Return the words held under that number. Refused when there are none."""
    query = select(held_words).where(held_words.c.id == number, held_words.c.kind != CHAT)
    row = session.first(Query(HeldWordsRow, query))
    if row is None:
        raise Refusal(
            RefusalCode.WRONG_STATE,
            phrase("no words wait under the number {number}", number=number),
        )
    return _read_held(session, row)


def _read_held(session: Session, row: HeldWordsRow) -> HeldWords:
    writer = get_player(session, row.player_id)
    people: list[Player] = []
    words = row.recipients.split()
    for word in words:
        player = get_player(session, int(word)) if word.isdecimal() else None
        if player is not None and player.is_active:
            people.append(player)
    return HeldWords(
        id=row.id,
        player=row.player_id,
        userid=writer.userid if writer is not None and writer.is_active else "",
        kind=row.kind,
        about=row.about,
        recipients=tuple([each.userid for each in people] or [w for w in words if "@" in w]),
        players=tuple(each.id for each in people),
        text=row.text,
        at=row.at,
    )


def hold(
    session: Session,
    player: int,
    kind: str,
    recipients: tuple[str, ...],
    text: str,
    now: float,
    *,
    about: int = 0,
) -> None:
    """Keep words of a player for a moderator. `recipients` are numbers of players, or an
    address."""
    session.execute(
        insert(held_words).values(
            player_id=player,
            kind=kind,
            about=about,
            recipients=" ".join(recipients),
            text=text,
            at=now,
        )
    )


def keep_words(
    session: Session,
    player: int,
    kind: str,
    recipients: tuple[str, ...],
    text: str,
    now: float,
    *,
    about: int = 0,
) -> bool:
    """Hold words of a player, unless too many wait already. Return whether they are held."""
    own = held_words.c.player_id.in_(find_accounts(session, player))
    waits = select(func.count()).where(own, held_words.c.kind != CHAT)
    is_kept = int(session.execute(waits).scalar_one()) < _MOST_HELD
    if is_kept:
        hold(session, player, kind, recipients, text, now, about=about)
    return is_kept


def release(context: Context, number: int, by: str) -> list[Notice]:
    """Pass held words on: the notices that do, to those who still want to hear of their writer.
    `by` is the actor whom the audit names. Refused where nothing is held under that number."""
    words = get_held(context.session, number)
    _end(context, words, by, "pass on held words")
    if not words.userid:
        return []
    return [
        notice
        for builders in list_hooks(lambda each: each.passes_on)
        if (build := builders.get(words.kind)) is not None
        for notice in build(context, words)
    ]


def discard(context: Context, number: int, by: str) -> int:
    """Delete held words; the number of that in the audit. `by` is the actor whom the audit names.
    Refused where nothing is held under that number."""
    return _end(context, get_held(context.session, number), by, "discard held words")


def _end(context: Context, words: HeldWords, by: str, action: str) -> int:
    """Take the words out, which one of two moderators does, and record who did."""
    taken = delete(held_words).where(held_words.c.id == words.id)
    if not context.session.execute(taken).rowcount:
        get_held(context.session, words.id)
    row = {"at": context.now, "actor": by, "action": action, "player_id": words.player}
    return int(
        context.session.execute(insert(audit).values(row).returning(audit.c.id)).scalar_one()
    )
