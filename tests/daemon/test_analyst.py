"""The analyst: what survives a restart, what it leaves alone, and engines that help it."""

from __future__ import annotations

import itertools
import random
from collections.abc import Callable, Iterator

import pytest
from sqlalchemy import select
from structlog.testing import capture_logs

from pbm.bots.analysis.judging import assess, count_work, judge
from pbm.bots.analysis.plan import Act, Turn, list_turns, retrace
from pbm.config import Bots, Config, Database
from pbm.config import Server as Address
from pbm.core.operator import OperatorAct
from pbm.core.storing import load
from pbm.daemon.analyst import AnalysisRequest
from pbm.daemon.bot_process import analyse
from pbm.engines.setup import EngineLevel, EngineSetup
from pbm.features.analysis import queue as analysis_queue
from pbm.features.analysis.tables import analyses, analysis_requests
from pbm.features.analysis.views import find_valid_analysis
from pbm.features.play.admin import roll_back
from pbm.games import get_game
from pbm.rules import CHANCE
from pbm.store.tables import WAITING
from tests.engines.matches import find_engine
from tests.harness.conversation import SERVER, Clock, Conversation
from tests.harness.servers import InProcess
from tools.games.sampling import list_sampled_names

MATED = ["f3", "e5", "g4", "Qh4"]
Open = Callable[..., tuple[Conversation, InProcess]]


@pytest.fixture
def open_server(request: pytest.FixtureRequest) -> Iterator[Open]:
    """A server without a running analyst, where ann has lost board 1, chess, and asks why."""
    opened: list[InProcess] = []

    def start(
        database: str = "sqlite", engine: tuple[EngineSetup, ...] = (), seconds: float = 0.1
    ) -> tuple[Conversation, InProcess]:
        config = Config(
            server=Address(address=SERVER),
            database=Database(request.getfixturevalue(f"{database}_url")),
            bots=Bots(analysis_seconds=seconds, engine=engine),
        )
        server = InProcess(config, clock := Clock())
        opened.append(server)
        talk = Conversation(server, clock, confirms=True)
        talk.signup("ann", "bob")
        latest = talk.plays(MATED, "ann", "bob", latest=talk.challenge("chess", "ann", "bob"))
        talk.replies(latest[0], "analyse")
        talk.receives("ann", "[chess 1] it will be analysed")
        return talk, server

    yield start
    for server in opened:
        server.close()


def finish(server: InProcess) -> None:
    analyst = server.build_analyst()
    while analyst.work():
        pass
    analyst.end()


@pytest.mark.long
@pytest.mark.parametrize("database", ["sqlite", "postgresql"])
def test_a_restart_in_the_middle_loses_nothing_and_does_nothing_twice(
    open_server: Open, database: str
) -> None:
    talk, server = open_server(database)
    killed = server.build_analyst()
    assert killed.work()
    killed._thinker.end(kill=True)
    finish(server)
    talk.nothing_more()  # as another daemon may still be at it
    talk.clock.advance(seconds=200)
    given_up = server.build_analyst()
    assert given_up.work()
    given_up.end()
    finish(server)
    assert talk.any_mail("ann").subject == "[chess 1] analysis"
    finish(server)
    talk.nothing_more()


@pytest.mark.long
def test_a_board_that_is_reopened_loses_its_analysis(open_server: Open) -> None:
    talk, server = open_server()
    finish(server)
    assert talk.any_mail("ann").subject == "[chess 1] analysis"
    with server.store.reading() as session:
        assert find_valid_analysis(session, load(session, 1)) is not None
    reopen(talk, server, 2)
    with server.store.reading() as session:
        assert find_valid_analysis(session, load(session, 1)) is None
    talk.proves("ann", "chess analyse 1")
    assert "board 1 is not over" in talk.any_mail("ann").text


def test_a_board_that_goes_on_meanwhile_is_not_analysed(open_server: Open) -> None:
    talk, server = open_server()
    begun = server.build_analyst()
    assert begun.work()
    reopen(talk, server, 2)
    while begun.work():
        pass
    begun.end()
    mail = talk.any_mail("ann")
    assert mail.subject == "[chess 1] it was not analysed"
    assert "board 1 is being played again" in mail.text
    with server.store.reading() as session:
        assert session.tuples(select(analyses.c.state, analyses.c.result)) == [("failed", "")]
        assert session.tuples(select(analysis_requests.c.player_id)) == []


def reopen(talk: Conversation, server: InProcess, ply: int) -> None:
    with server.store.writing() as session:
        act = OperatorAct(
            session, "op", "", talk.clock(), server.secrets, server.services.service.config
        )
        roll_back(act, 1, ply)


@pytest.mark.long
def test_an_end_whose_analysis_has_begun_stands(open_server: Open) -> None:
    """Even when the mail that would take it back came in time and is executed late."""
    talk, server = open_server()
    finish(server)
    talk.any_mail("ann")
    latest = talk.plays(MATED[:3], "ann", "bob", latest=talk.challenge("chess", "ann", "bob"))
    talk.replies(latest[1], "resign")
    ended = [talk.any_mail(who) for who in ("ann", "bob")]
    talk.replies(ended[1], "analyse")
    talk.receives("bob", "[chess 2] it will be analysed", "can still be taken back")
    talk.clock.advance(seconds=3599)
    early = server.build_analyst()
    assert not early.work()
    talk.clock.advance(seconds=1)
    analyst = server.build_analyst()
    assert analyst.work()
    talk.replies(ended[1], "undo")
    talk.receives("bob", "[chess 2] not done: board 2 is over")
    while analyst.work():
        pass
    analyst.end()
    assert talk.any_mail("bob").subject == "[chess 2] analysis"


def test_positions_that_are_being_played_are_left_out(open_server: Open) -> None:
    """Nobody may ask about a running board by way of another one."""
    talk, server = open_server()
    talk.plays(MATED[:2], "ann", "bob", latest=talk.challenge("chess", "ann", "bob"))
    finish(server)
    says = " ".join(talk.any_mail("ann").text.split())
    assert "g4" not in says
    assert "One turn is left out: the same position stands on a board that is being played." in says


@pytest.mark.parametrize("command", ["stockfish", "true"])
def test_an_engine_analyses_and_one_that_fails_is_replaced(open_server: Open, command: str) -> None:
    program = find_engine("stockfish") if command == "stockfish" else command
    engine = EngineSetup("Fish", "uci", program, ("chess",), (EngineLevel(skill=0, nodes=9),))
    talk, server = open_server(engine=(engine,), seconds=1.0)
    with capture_logs() as logs:
        finish(server)
    says = " ".join(talk.any_mail("ann").text.split())
    assert "ann played g4: a decisive mistake" in says
    failed = [entry["engine"] for entry in logs if entry["event"] == "analysis failed"]
    assert failed == ([] if command == "stockfish" else ["Fish"])
    by = "Fish" if command == "stockfish" else "the search with which mcts plays"
    assert f"a game of Chess, by {by}." in says


def test_a_board_whose_analysis_fails_is_told(open_server: Open) -> None:
    talk, server = open_server()
    analyst = server.build_analyst()
    analyst._thinker.end()
    analyst._thinker._module = "pbm.nothing"
    with capture_logs():
        while analyst.work():
            pass
    analyst.end()
    mail = talk.any_mail("ann")
    assert "Not done: the analysis of board 1 failed" in " ".join(mail.text.split())
    with server.store.reading() as session:
        row = analysis_queue.find_analysis(session, 1)
        assert row is not None
        assert row.state != WAITING
    talk.proves("ann", "chess analyse 1")  # it may be tried again
    talk.receives("ann", "[chess 1] it will be analysed")


def test_a_turn_ends_where_chance_is_asked() -> None:
    """A roll in the middle of a turn is nobody's fault either."""
    position, dice = get_game("cyclone").setup(2), random.Random(5)
    first = position
    acts: list[Act] = []
    while position.outcome is None and len(acts) < 30:
        seat = min(position.to_move)
        move = dice.choice(position.legal_moves(seat))
        acts.append((seat, move))
        position = position.play(seat, move)
    positions = retrace(first, acts)
    turns = list_turns(positions, acts)
    assert all(
        len({seat for seat, _ in acts[turn.start : turn.end]} | {CHANCE}) == 2 for turn in turns
    )
    assert sum(turn.end - turn.start for turn in turns) == sum(seat != CHANCE for seat, _ in acts)
    assert sum(assess(positions[-1], first, dice, lambda: True)) == pytest.approx(1.0)


def test_a_busy_machine_hides_no_mistake(monkeypatch: pytest.MonkeyPatch) -> None:
    """However fast the clock runs meanwhile, as much is searched, and the same is found."""
    request = AnalysisRequest(
        "chess",
        get_game("chess").setup(2).encode(),
        acts=[(0, "f2f3"), (1, "e7e5"), (0, "g2g4"), (1, "d8h4")],
        at=[2, 3],
        turns=[Turn(0, 1), Turn(2, 3)],
        seconds=0.1,
    )
    calm = analyse(request, random.Random(1))
    hours = itertools.count(step=3600.0)
    with monkeypatch.context() as patch:
        patch.setattr("time.monotonic", lambda: next(hours))
        assert analyse(request, random.Random(1)) == calm
    assert calm.shares[1] == (0.0, 1.0)
    best, before, after = calm.judgements[1]
    assert best != ("g2g4",)
    assert after == 0.0 < before


def test_more_work_is_done_in_more_time_and_some_in_every_game() -> None:
    for name in list_sampled_names():
        position = get_game(name).setup()
        assert 0 < count_work(position, 0.5) < count_work(position, 1.0)
    four = get_game("spacecradles").setup(4)
    assert count_work(four, 1.0) < count_work(get_game("spacecradles").setup(2), 1.0)


def test_what_is_solved_is_judged_without_a_search() -> None:
    position = get_game("cradle").setup(2, {"size": 2})
    acts: list[Act] = [(0, "c2,a3,b3,c3")]
    positions = retrace(position, acts)
    (turn,) = list_turns(positions, acts)
    found = judge(positions, acts, turn, random.Random(1), lambda part: True)
    assert (found.before, found.after) == (0.5, 0.0)
    assert found.best != ("c2,a3,b3,c3",)
