"""Whatever can be looked at is looked at in every state of a board, an event and an account: a
sentence or a page comes back, never an error of the server's.

Commands come from their table and pages from the routes, so that a new one is tried too."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

import pytest
from sqlalchemy import select
from starlette.routing import Route

from pbm.core.command import Sender
from pbm.core.feature import Verb, list_verbs
from pbm.core.links import make_player_link, make_seat_link, make_stop_link
from pbm.core.parser import read_line
from pbm.core.player import find_player
from pbm.core.refusal import Refusal
from pbm.core.submit import Submission, SubmissionPart, Unread, send_nothing
from pbm.games import list_game_names
from pbm.store import reads
from pbm.store.tables import boards, events, inbound, players, seats
from tests.conversations.every_state import GONE, PEOPLE, World, build_world
from tests.harness.visitor import Visitor

LOOKING = [each for each in list_verbs() if each.is_read_only]
HUGE = ("2147483648", "99999999999999999999", "9" * 5000)
"""Numbers beyond what a column holds, a driver takes and Python reads."""
ODD = ("0", "-1", "\u00b2", "\u0663", "nobody", "x" * 300, *HUGE)
WORDS = {
    "name": ("rooks", "@rooks", "nobody", *HUGE[:2]),
    "userid": ("ann", *GONE, "nobody", "ann bob", *HUGE[:2]),
    "filter": ("over", "cradle", "won", *ODD),
    "topic": ("", "dice", "undo", "chess", "cradle board", *ODD),
    "round": ("", "1", "9", "round 2", *ODD),
    "form": ("", "trf", "trf 1", "trf 2", "json", *(f"trf {odd}" for odd in ODD)),
    "kind": ("", "2 players", "dice", *ODD),
    "question": ("can I castle", *ODD),
    "word": ("chess", "2", "a b c", *ODD),
    "game": ("", "chess", "nogame", *ODD),
    "move": ("e4", "resign", "d4 e5", *ODD),
    "pool": ("", "house", "rooks", *ODD),
    "page": ("", "2", "page 2", *ODD),
    "what": ("1", "chess ann", "2026-03", "2026-13-40", "chess opening e4", "event 1", *ODD),
    "user": ("ann", "nobody"),
    "password": ("Sesame-no",),
}
"""What is tried for each argument of a command that only looks."""
PATHS = {
    "stop": [f"boards-u1-{'a' * 32}", f"watch-1-u999999999999-{'a' * 32}", "x"],
    "code": ("abcdefghjkmn", "abcd-efgh-jkmn", "x", *HUGE[:2]),
    "userid": (*PEOPLE, *GONE, "nobody", "ann.atom", *HUGE[:2]),
    "topic": ("dice", "web", "commands", "nothing", *HUGE[:2]),
    "name": ("rooks", "chess", "cradle", "backgammon", "nogame", *HUGE[:2]),
    "kind": ("json", "pgn", "txt", "png", "svg", "webp", "ics", "trf", "xml", "x"),
    "invitation": ("x", *HUGE[:2]),
    "path": ("x", "x/y", "robots.txt", "%00"),
}
_PARTS = 4
"""Parts of all pages, each of which is a test."""
QUERIES = ("", "?at=0", "?at=1", f"?at={HUGE[1]}", "?m=e4", "?at=\u00b2", f"?page={HUGE[1]}&q=x")


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> Iterator[World]:
    """A club in which every state occurs."""
    built = build_world(f"sqlite:///{tmp_path_factory.mktemp('states')}/pbm.db")
    yield built
    built.server.close()


def list_lines(world: World, verb: Verb) -> Iterator[str]:
    """Lines of a command with every board, event and player, and with arguments that are odd."""
    own = dict(world.boards)
    slots = [slot.rstrip("?*+") for slot in verb.slots]
    if "board" in slots:
        names = [*own.items(), *((number, "chess") for number in (0, 999_999_999, *HUGE))]
        firsts = [(name, str(number)) for number, name in names] + [("", str(names[0][0]))]
    elif "event" in slots:
        firsts = [("", str(number)) for number in (*world.events, 0, 999_999_999, *ODD)]
    else:
        games = list_game_names()[:3] if verb.game == "yes" else ["", "chess"]
        firsts = [(name, "") for name in games[: 1 if verb.game == "no" else 3]]
    others = [WORDS[slot] for slot in slots if slot not in ("board", "event")]
    for (game, number), rest in product(firsts, product(*others)):
        is_common = number[-1:] in ("0", "4", "8")
        if len(others) > 1 and is_common and rest != tuple(each[0] for each in others):
            continue  # every combination of odd words need not be tried at every event
        behind = [*rest, number] if slots[-1:] == ["board"] and rest else [number, *rest]
        yield " ".join(word for word in (game, verb.name, *behind) if word)


def test_every_state_occurs(world: World) -> None:
    with world.server.store.reading() as session:
        states = {*session.column(select(boards.c.state).distinct(), {})}
        assert states == {"sleeping", "invited", "running", "over", "cancelled"}
        assert {*session.column(select(events.c.state).distinct(), {})} == {
            "open",
            "running",
            "over",
            "cancelled",
        }
        assert {"active", "suspended", "closed"} <= {
            *session.column(select(players.c.state).distinct(), {})
        }
        assert {*session.column(select(inbound.c.state).distinct(), {})} == {"done"}


@pytest.mark.sampled(9)
@pytest.mark.parametrize(
    "verb",
    [each for each in list_verbs() if each.is_read_only],
    ids=lambda verb: f"{verb.name} {verb.game}",
)
def test_a_command_that_looks(world: World, verb: Verb) -> None:
    asked = 0
    with world.server.store.reading() as session:
        senders = world.find_senders(session)
        for at, line in enumerate(list_lines(world, verb)):
            for sender in {senders[0], senders[at % len(senders)]}:
                for subject, body in world.asks(session, line, sender):
                    asked += 1
                    assert subject.startswith("["), line
                    assert "Traceback" not in body, line
    assert asked


class _NotDone(Exception):
    """What was tried is undone."""


@pytest.fixture(params=["sqlite", "postgresql"])
def small_world(request: pytest.FixtureRequest) -> Iterator[World]:
    """The same before its events begin, on a database of its own."""
    built = build_world(request.getfixturevalue(f"{request.param}_url"), is_small=True)
    yield built
    built.server.close()


def test_a_command_with_odd_words_is_refused_or_done(small_world: World) -> None:
    """What it changes is undone."""
    world = small_world
    with world.server.store.reading() as session:
        ann = find_player(session, "ann")
        assert ann is not None
    sender = Sender(address="ann@example.org", player=ann.id)
    for verb in list_verbs():
        game = "" if verb.game == "no" else "chess"
        number = str(world.boards[0][0] if verb.has_board else world.events[-1])
        for odd in ("0", "\u00b2", *HUGE):
            for words in ((number, odd), (odd, odd), (f"{number}#{odd}", odd)):
                line = " ".join(word for word in (game, verb.name, *words) if word)
                try:
                    part: SubmissionPart = read_line(line, sender, "A text.")
                except Refusal as refusal:
                    part = Unread(sender, refusal)
                with pytest.raises(_NotDone):
                    _try(world, part)


def _try(world: World, part: SubmissionPart) -> None:
    now = world.talk.clock()
    with world.server.store.writing() as session:
        world.service.submit(session, Submission((part,), now, send_nothing), now)
        session.flush()
        raise _NotDone


@pytest.fixture
def visitor(world: World) -> Iterator[Visitor]:
    """A browser in front of the same server."""
    opened = Visitor(world.config, world.server, world.talk.clock)
    yield opened
    opened.close()


def find_links(world: World, kind: str) -> list[str]:
    """Links of seats (s) or players (u) in every state, and some that are none."""
    secrets, found = world.server.secrets, []
    with world.server.store.reading() as session:
        people = {who: find_player(session, who) for who in (*PEOPLE, *GONE)}
        known = {each.id: each for each in people.values() if each is not None}
        if kind == "u":
            for each in known.values():
                addresses = reads.find_addresses(session, each.id)
                found.append(make_player_link(secrets, each.id, each.password, addresses))
        else:
            rows = select(seats.c.board_id, seats.c.seat, seats.c.player_id)
            for board, seat, player in session.tuples(rows):
                if player in known:
                    stored = known[player].password
                    addresses = reads.find_addresses(session, player)
                    found.append(make_seat_link(secrets, board, seat, stored, addresses))
    key = "a" * 32
    return [*found, "x", f"{HUGE[1]}-0-{key}", f"1-{HUGE[1]}-{key}", f"{HUGE[1]}-{key}"]


def find_stop_links(world: World) -> list[str]:
    """The links that stop each player's mails about boards."""
    secrets = world.server.secrets
    with world.server.store.reading() as session:
        known = filter(None, (find_player(session, who) for who in PEOPLE))
        return [make_stop_link(secrets, "boards", each.id, each.binding) for each in known]


def list_paths(world: World, route: Route) -> Iterator[str]:
    """Paths of a route, with every board, event, player and link where it names one."""
    of_event = route.path.startswith(("/event", "/u/"))
    boards = [number for number, _ in world.boards]
    values = []
    for name in route.param_convertors:
        if name in ("number", "board"):
            numbers = world.events if of_event and name == "number" else boards
            values.append([*map(str, numbers), "0", "999999999", *HUGE, "-1"])
        elif name == "link":
            values.append(find_links(world, route.path[1]))
        else:
            own = {
                "code": world.codes,
                "invitation": world.invitations,
                "stop": find_stop_links(world) if name == "stop" else [],
            }
            values.append([*PATHS[name], *own.get(name, ())])
    if len(values) > 1:  # a page has all that its files have, and one player's events those of all
        values[0] = [*values[0][:3], *values[0][-4:]] if values[0] else values[0]
    for chosen in product(*values):
        path = route.path
        for (name, _), value in zip(route.param_convertors.items(), chosen, strict=True):
            start = path.index(f"{{{name}")
            path = path[:start] + value + path[path.index("}", start) + 1 :]
        yield path


@pytest.mark.sampled(_PARTS)
@pytest.mark.parametrize("part", range(_PARTS))
def test_every_page_feed_and_file(world: World, visitor: Visitor, part: int) -> None:
    for route in visitor.routes[part::_PARTS]:
        assert isinstance(route, Route)
        if "GET" not in (route.methods or ()):
            continue
        found, names = set[int](), route.param_convertors
        for at, path in enumerate(list_paths(world, route)):
            for query in {"", QUERIES[at % len(QUERIES)]}:
                world.talk.clock.advance(seconds=10)  # nobody asks for too many at once
                page = visitor.get(path + query)
                assert page.status < 429, (path, query)
                assert "an error in the server" not in page.text, (path, query)
                found.add(page.status)
                if any(each in path for each in HUGE) and {"number", "board", "link"} & {*names}:
                    assert page.status == 404, (path, page.status)
        is_left_out = route.path in ("/{path:path}", "/games.webp")  # drawn in a quiet moment
        assert found & {200, 303} or is_left_out, route.path
