"""Each kind of content has a template of its own, which knows no other words than its fields."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator, Sequence
from importlib import import_module
from pkgutil import walk_packages

import pytest

from pbm import core, features
from pbm.config import Config, Players, Server
from pbm.core import due
from pbm.core.clock import DAY
from pbm.core.notices import (
    AddressStopped,
    Believed,
    BoardAtTerminal,
    BoardDropped,
    BoardHelp,
    BoardShown,
    CodeWaits,
    Content,
    DailyDigest,
    ErrorsOver,
    HeldNotices,
    HeldRow,
    MailFailed,
    MailKept,
    MailResumed,
    MailSetAside,
    NoCommand,
    Notice,
    OperatorMessage,
    PlaceShown,
    PlayerWaits,
    ProgramAsked,
    Stranger,
    Transcript,
    TranscriptPart,
    Unheard,
    Unreachable,
    WordsHeld,
)
from pbm.core.refusal import Offer
from pbm.features.accounts.notices import (
    AccountChanged,
    BoardsResigned,
    EraseCode,
    Erased,
    FriendInvitation,
    FriendJoined,
    GuestCame,
    GuestWelcome,
    Invitation,
    InvitationDeclined,
    InvitationExplained,
    InvitationList,
    InvitationSent,
    MailStopped,
    PersonalData,
    PlayerInvited,
    SignupWaits,
    StopChoices,
    UnlockCode,
    Unlocked,
    Welcome,
)
from pbm.features.analysis.views import (
    AnalysisFailed,
    AnalysisQueued,
    AnalysisShown,
    AnalysisView,
    TurnView,
    draw_curve,
)
from pbm.features.clubs.notices import (
    ClubAsked,
    ClubEntry,
    ClubInvited,
    ClubLetter,
    ClubLine,
    ClubList,
    ClubMatchShown,
    ClubNews,
    ClubShown,
    ClubWords,
    GuestCalled,
)
from pbm.features.intents.notices import Answered
from pbm.features.lobby.notices import SimulOffered
from pbm.features.moderation.commands import CaseToDecide, Moderated, Queue
from pbm.features.notes.notices import VariationsShown
from pbm.features.parties.notices import (
    HandedOver,
    MatchBoard,
    MatchLine,
    MatchTable,
    PartyWords,
    SeatOffered,
    SeatPassedOn,
    TeamInvited,
    TeamNews,
    TeamShown,
    TeamWords,
)
from pbm.features.plans.notices import PlanShown
from pbm.features.press.commands import PressLine, PressList, PressReceived, PressSent
from pbm.features.talk.chat import AbuseReport, Kibitz, ReportPassedOn
from pbm.features.vacations.commands import VacationTaken
from pbm.locale import LANGUAGES
from pbm.mail.render import get_template_name, load_templates, render, shorten
from pbm.store.engine import Store
from pbm.store.transaction import Session
from tests.harness.mail_room import NOW, PASSWORD, Room
from tests.mail.event_samples import build_event_contents

CONFIG = Config(server=Server("pbm@games.example"))
PEOPLE = ("ann", "bob", "carl", "dora")
LONG = (
    "annabella-of-the-sea",
    "bartholomew-the-bold",
    "carolina_of_the_hill",
    "dorothea-the-first-1",
)
ASKS = Config(server=CONFIG.server, players=Players(confirm_addresses=True))
CONVERSATION = f"""
    ann: players
    ann: who bob
    ann: stats ann bob
    ann: block ann {PASSWORD}
    ann: help
    ann: games
    ann: list
    ann: signup nan Sesame-nan nan@example.org
    ann: cradle challenge ann bob
    ann: hex challenge ann bob -size=5
    bob: hex chat 2 bob {PASSWORD} hello there
    bob: hex watch 1 bob {PASSWORD}
    carl: hex watch 2 carl {PASSWORD}
    ann: hex move 2 ann {PASSWORD} a1
    ann: hex queue 2 ann {PASSWORD} b2
    ann: hex note 2 ann {PASSWORD} c3 is strong
    bob: hex submit 2 bob {PASSWORD} c3
    bob: hex move 2 bob {PASSWORD} c3
    bob: hex show 2
    bob: show 1 2
    bob: hex preview 2 d4
    bob: hex preview new 2 -size=4
    bob: hex export 2
    bob: hex move 2 bob {PASSWORD} nonsense
    bob: hex undo 2 bob {PASSWORD}
    ann: hex resign 2 ann {PASSWORD}
    ann: find 2
    ann: openings hex
    ann: hex ratings
    ann: hex standings
    ann: rating ann
    carl: hex challenge bob carl
    bob: set bob {PASSWORD} digest=08:00
    ann: add ann {PASSWORD} other@example.org
    ann: remove ann {PASSWORD} other@example.org
    ann: change address ann {PASSWORD} other@example.org
    ann: forgot ann
    ann: forgot bob
    ann: message ann {PASSWORD} bob
    ann: broadcast ann {PASSWORD}
    ann: hex seek ann {PASSWORD} --players=2
    bob: seeks
    ann: hex seek ann {PASSWORD} none
    ann: spacecradles seek ann {PASSWORD} --players=3
    bob: spacecradles join 2 bob {PASSWORD}
    ann: cradle puzzle ann {PASSWORD} hard
    ann: puzzle 1 ann {PASSWORD} solution
    ann: puzzle ann {PASSWORD}
    ann: vacation ann {PASSWORD} 2026-04-01 2026-04-05
    ann: signoff ann {PASSWORD}
    dora: signoff dora {PASSWORD}
    ann: change password ann {PASSWORD} Sesame-other
"""


def kinds() -> set[type[Content]]:
    """All kinds of content that a notice can have: those that no other is made of."""
    for package in (core, features):
        for module in walk_packages(package.__path__, f"{package.__name__}."):
            import_module(module.name)
    classes = {
        each
        for name, module in sys.modules.items()
        if name.startswith((f"{core.__name__}.", f"{features.__name__}."))
        for each in vars(module).values()
        if isinstance(each, type) and issubclass(each, Content)
    }
    return {kind for kind in classes if not any(kind in each.__mro__[1:] for each in classes)}


def test_no_kind_has_a_field_that_every_template_is_given() -> None:
    assert [kind for kind in kinds() if {"reader", "server"} & {*kind.__struct_fields__}] == []


def test_each_kind_has_its_template_and_each_template_its_kind() -> None:
    pages = [name for name in load_templates() if not name.startswith("_")]
    assert sorted(map(get_template_name, kinds() - {BoardShown})) == sorted(pages)


@pytest.fixture
def room(sqlite_store: Store) -> Room:
    return Room(sqlite_store, ASKS)


def conversation(room: Room, people: Sequence[str] = PEOPLE) -> Iterator[Notice]:
    """What players and the scheduler are told in a long conversation."""
    ann, bob = people[:2]
    text = CONVERSATION
    for short, name in zip(PEOPLE, people, strict=True):
        text = re.sub(rf"\b{short}\b", name, text)
    with room.tried() as session:
        for name in people:
            room.player(session, name)
        for line in filter(None, map(str.strip, text.splitlines())):
            name, _, command = line.partition(": ")
            yield from room.says(
                session, command, f"{name}@example.org", "Good luck!", vouched=True
            )
        yield from room.says(session, f"hex challenge {bob} {ann}", f"{bob}@example.org")  # asleep
        yield from later(room, session)


def later(room: Room, session: Session) -> Iterator[Notice]:
    """What the scheduler sends when nobody writes."""
    for days in range(1, 60):
        yield from due.do_due(session, NOW + days * DAY, room.secrets, room.config, every=DAY)


def build_analysis_contents() -> list[Content]:
    """What is said about the analysis of a board; with a turn of a very long move."""
    turn = TurnView(3, "ann", "b1,c1,d1,d2 " * 12, "c1", "a mistake", 60, 45, "a b c")
    view = AnalysisView("", [turn, turn], "ann", [(number, 50) for number in range(200)], 2)
    shown = AnalysisShown(
        game="hex",
        board=3,
        title="Hex",
        result="ann won (9): a chain joins both sides",
        names="ann bob",
        view=view,
        curve=draw_curve(view),
        is_in_words=False,
    )
    return [
        AnalysisQueued(game="hex", board=3, ahead=2),
        AnalysisFailed(game="hex", board=3, goes_on=True),
        shown,
    ]


def others(shown: BoardShown) -> list[Content]:
    """What no line of the conversation brings about."""
    return [
        Welcome(userid="ann"),
        SignupWaits(userid="ann"),
        Invitation(),
        PlayerWaits(userid="ann", address="ann@example.org"),
        Moderated(userid="ann", undo=7, days=30, act="ban eve", is_told=True),
        Moderated(userid="ann", undo=0, days=30, act="undo 5", is_told=False),
        Queue(userid="ann", items=[(3, "bob reports eve", "She is rude.")], more=2, left=1),
        Queue(userid="ann", items=[], more=0, left=0),
        CaseToDecide(userid="ann", number=3, kind="report", title="bob reports eve", text="Rude."),
        DailyDigest(lines=["New players: eve (pbm admin players)."]),
        EraseCode(userid="ann", code="abcd-efgh-jkmn", days=1, boards=[3]),
        VariationsShown(view=shown.view, lines=["  3: c3 | b2"]),
        VariationsShown(view=shown.view, lines=[]),
        Erased(userid="ann", former="former-1", days=30, reason="she asked"),
        PersonalData(userid="ann", data="{}"),
        *build_analysis_contents(),
        AbuseReport(writer="ann", reported="bob", text="He cheats.", board=3, chats=["Ha!"]),
        ReportPassedOn(userid="ann", reported="bob"),
        AccountChanged(userid="ann", what="addresses"),
        UnlockCode(userid="ann", code="abcd-efgh-jkmn", days=1),
        Unlocked(userid="ann"),
        PlanShown(view=shown.view, lines=["if b2 then c3"]),
        BoardDropped(game="hex", board=3),
        BoardHelp(
            view=shown.view,
            title="Hex",
            words=[("resign", "give up")],
            to_move="",
            moves=["a1", "b2"],
            count=30,
        ),
        PlaceShown(game="hex", board=3, places="a1", lines=["A1: empty."]),
        BoardAtTerminal(view=shown.view, headline="x", comments=[("bob", "hello")]),
        AddressStopped(userid="ann", address="ann@example.org"),
        Unreachable(userid="ann", boards=[1, 2], reached=False),
        Unreachable(userid="ann", boards=[1], reached=False, is_wish=True),
        StopChoices(userid="ann", boards=[("hex", 1)], days=14, said="please stop"),
        StopChoices(userid="ann", boards=[], days=0),
        MailStopped(userid="ann", stopped="everything", boards=[("hex", 1), ("go", 2)]),
        MailStopped(userid="ann", stopped="boards", boards=[]),
        MailStopped(userid="ann", stopped="events", boards=[("hex", 1)]),
        MailResumed(userid="ann"),
        BoardsResigned(userid="ann", boards=[("hex", 1)]),
        BoardsResigned(userid="ann", boards=[]),
        Unheard(userid="ann", until="Mon 09 Mar 2026, 12:00 UTC"),
        VacationTaken(userid="ann", until="Sun", left="3 days"),
        OperatorMessage(subject="hello", text="the server moves"),
        ErrorsOver(),
        ProgramAsked(game="hex", board=1, text="Hello!"),
        Believed(userid="ann"),
        WordsHeld(userid="ann", names="bob", text="Hello!", is_kept=True),
        WordsHeld(userid="ann", names="bob", text="Hello!", is_kept=False),
        MailFailed(),
        MailKept(),
        MailSetAside(),
        HeldNotices(
            userid="ann",
            names="bob and carl",
            example="bob",
            count=5,
            rows=[HeldRow("[hex 3] bob writes", 3, "hello"), HeldRow("[hex 4] cancelled", 1, "")],
        ),
        NoCommand(),
        Stranger(),
        Stranger(games=("chess", "hex"), variants=79),
        Stranger(signups="Nobody may.", may_join=False),
        Stranger(waits=True),
        CodeWaits(userid="ann", asked="Mon 02 Mar 2026, 12:00 UTC"),
        Transcript(parts=[TranscriptPart("help", [("a", "b")])], done=1, count=1, facts=["x"]),
        FriendInvitation(host="ann", text="Hello!", days=30, terms="Be kind."),
        InvitationDeclined(host="ann"),
        InvitationExplained(host="ann", title="Hex", userid="kim", is_offered=True),
        InvitationExplained(host="ann", title="", userid="", is_offered=False),
        Answered(game="", sentences=("it is your turn",), offer=Offer("vacation"), send=("help",)),
        Answered(
            game="cradle", board=1, sentences=("here it is",), view=shown.view, excerpt="A rule."
        ),
        PlayerInvited(userid="bob", host="ann", text="", title="Hex", line="hex challenge bob ann"),
        InvitationSent(userid="ann", address="kim@far.example", title="Hex", until="Sun"),
        InvitationList(
            userid="ann",
            invitations=[("kim@far.example", "Hex", "Sun")],
            links=[("https://club.example/join/j1-aaaaaaaaaaaaaaaa", "", 3, "Sun")],
            has_pages=True,
        ),
        FriendJoined(userid="ann", friend="kim"),
        Kibitz(game="hex", board=1, userid="bob", writer="ann", text="Nice!", seated=False),
        Kibitz(game="hex", board=1, userid="bob", writer="ann", text="Nice!", seated=True),
        SeatOffered(
            game="dip",
            board=7,
            userid="bob",
            power="France",
            who="the master carl asks you to play France on board 7",
        ),
        SeatPassedOn(game="dip", board=7, power="France", by="bob"),
        SimulOffered(
            offer=3,
            game="hex",
            title="Hex",
            boards=20,
            options="-size=5",
            userid="ann",
            until="Mon 02 Mar 2026, 12:00 UTC",
        ),
        MatchTable(
            game="hex",
            title="Hex",
            home="@rooks",
            away="@knights",
            lines=[MatchLine(number=1, home="ann", away="bob", board=7, result="½ : ½")],
            score="½ : ½",
            is_last=True,
        ),
        MatchTable(
            game="hex",
            title="Hex",
            home="ann",
            away="",
            lines=[MatchLine(number=1, home="ann", away="bob", board=7, result="open")],
            score="0 : 0",
            is_last=False,
            boards=[
                MatchBoard(
                    opponent="bob",
                    view=shown.view,
                    news=["bob played c3"],
                    comments=[("bob writes", "So there!")],
                )
            ],
        ),
        MatchTable(
            game="hex",
            title="Hex",
            home="@rooks",
            away="@knights",
            lines=[MatchLine(number=1, home="ann", away="bob", board=7, result="open")],
            score="0 : 0",
            is_last=False,
            others=[
                MatchTable(
                    game="hex",
                    title="Hex",
                    home="@rooks",
                    away="@pawns",
                    lines=[MatchLine(number=1, home="ann", away="eve", board=8, result="1 : 0")],
                    score="1 : 0",
                    is_last=True,
                )
            ],
        ),
        HandedOver(game="hex", board=7, news="dora is asked", rule="the result is dora's"),
        TeamShown(
            team="@rooks",
            news="you lead the team @rooks",
            captain="ann",
            members=["bob"],
            reserves=["eve"],
            invited=["carl"],
            boards=["chess show 17"],
        ),
        ClubList(clubs=[ClubLine(club="rooks", about="Thursdays", count=3)], own=["rooks"]),
        ClubShown(
            club="rooks",
            news="you have let in bob",
            about="We play on Thursdays.",
            officers=["ann"],
            count=2,
            is_inside=True,
            userid="ann",
            members=["bob"],
            invited=["carl"],
            asking=["dora"],
            boards=[ClubEntry("ann - bob: move 3", "chess show 17")],
            offers=[ClubEntry("ann: Chess", "chess join 3")],
            events=[ClubEntry("Chess ladder, no end", "event show 4")],
            hook="json results",
        ),
        ClubInvited(userid="bob", club="rooks", writer="ann", about="We play on Thursdays."),
        ClubAsked(userid="ann", club="rooks", asker="dora"),
        *(
            ClubLetter(
                userid="bob",
                club="rooks",
                period="2026-03",
                is_year=is_year,
                boards=31,
                results=[] if is_year else [("Hex: ann - bob", "ann won", "hex show 17")],
                more=30,
                tops=["ann played 20 boards"] if is_year else [],
                upset="bob won with a chance of 9 %: hex show 18",
                longest="Hex: ann - bob, 61 moves: hex show 19",
                seeking=[ClubEntry("ann: Chess", "chess join 3")],
                events=[ClubEntry("Chess ladder, no end", "event show 4")],
                shown="Hex, board 18",
                drawing=shown.view.draw(),
            )
            for is_year in (False, True)
        ),
        ClubNews(userid="bob", club="rooks", news="the club is without ann now"),
        ClubWords(userid="bob", club="rooks", writer="ann", text="The hall is closed."),
        ClubMatchShown(
            userid="ann",
            club="rooks",
            match=3,
            news="the captain of the other town is invited",
            title="Chess",
            home="@rooks",
            away="@knights",
            boards=4,
            guests=["cleo", "dion"],
            has_begun=False,
            leads=True,
            waits=2,
        ),
        GuestCalled(
            userid="cleo",
            club="rooks",
            match=3,
            summary="a match against the club rooks: 4 boards of Chess",
        ),
        GuestWelcome(
            userid="cleo",
            club="rooks",
            match=3,
            summary="a match against the club rooks: 4 boards of Chess",
            is_captain=True,
        ),
        GuestCame(userid="ann", club="rooks", match=3, guest="cleo"),
        TeamInvited(userid="bob", team="@rooks", writer="ann", members=["ann"]),
        TeamNews(userid="bob", team="@rooks", news="@rooks is led by ann now"),
        TeamWords(userid="bob", team="@rooks", writer="ann", text="Thursday?"),
        PartyWords(
            game="chess", board=17, userid="bob", party="@rooks", writer="ann", text="The Grob?"
        ),
        PressReceived(
            game="dip",
            board=1,
            userid="ann",
            writer="France",
            names="England",
            word="france",
            text="Peace?",
        ),
        PressSent(game="dip", board=1, names="England", text="Peace?", signed=True, count=1),
        PressList(
            game="dip",
            board=1,
            lines=[PressLine("Sun", "France to England", "Peace?")],
            userid="ann",
        ),
        *build_event_contents(),
    ]


def test_every_template_renders_with_real_data(room: Room) -> None:
    told = list(conversation(room))
    shown = next(each.content for each in told if isinstance(each.content, BoardShown))
    told += [Notice(content) for content in others(shown)]
    texts = {}
    for notice in told:
        subject, body = render(notice, CONFIG)
        assert subject.startswith("["), type(notice.content)
        assert max(map(len, body.splitlines()), default=0) <= 78, body
        texts[type(notice.content)] = body
    missing = sorted(kind.__name__ for kind in kinds() - texts.keys())
    assert not missing, missing


def test_every_notice_fits_in_every_language_however_long_the_names(room: Room) -> None:
    told = list(conversation(room, LONG))
    shown = next(each.content for each in told if isinstance(each.content, BoardShown))
    told += [Notice(content) for content in others(shown)]
    for language in LANGUAGES:
        for notice in told:
            subject, body = render(notice, CONFIG, language=language)
            mail = f"{language}: {subject}\n{body}"
            assert max(map(len, body.splitlines()), default=0) <= 78, mail
            assert len(subject) <= 78, mail


@pytest.mark.parametrize(
    ("sentence", "headline"),
    [
        ("it is ann's turn", "it is ann's turn"),
        (
            f"no move was found in what you wrote, nothing is passed on: {'word ' * 9}",
            "no move was found in what you wrote, nothing is passed on ...",
        ),
        (f"{'word ' * 15}longer than a subject", f"{'word ' * 15}..."),
    ],
)
def test_a_long_refusal_is_cut_in_the_subject(sentence: str, headline: str) -> None:
    assert shorten(sentence) == headline
