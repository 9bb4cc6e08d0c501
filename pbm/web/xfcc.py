"""Xfcc: the door through which chess programs such as Scid fetch a player's games and send moves.

Every call has userid and password in it. So it is taken over TLS only, or from this machine, and
what it asks for goes the same way as a mail with that password."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple
from xml.parsers import expat
from xml.sax.saxutils import escape

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from pbm.core.authenticate import PasswordChecks, authenticate, knows_network, note_network
from pbm.core.board import Board
from pbm.core.command import Command, Sender
from pbm.core.limits import CHECKS, Asker, Limit, Tally, add
from pbm.core.links import holds_password
from pbm.core.log import LogEntry, build_entry, drop_undone
from pbm.core.player import Player, get_player
from pbm.core.refusal import Refusal
from pbm.core.storing import find_draw_claim, load
from pbm.core.submit import Submission, send_unless_refused
from pbm.core.words import get_verb
from pbm.features.records.record import build_field_record, build_record
from pbm.locale import ENGLISH
from pbm.rules import CHANCE, MoveError
from pbm.store import reads
from pbm.store.transaction import Session
from pbm.web.site import RateLimiter, Site, find_visitor, refuse_too_many

PATH = "/xfcc"
GAME = "chess"
_XML = "text/xml; charset=utf-8"
_MOST_GAMES = 100
_LONGEST = 2000
_LOCAL = ("127.0.0.1", "::1")


class _NotDoneError(Exception):
    """Undoes the transaction, because part of a call was refused."""


class XfccEndpoint:
    """The endpoint."""

    def __init__(self, site: Site) -> None:
        self._site = site
        self._visitors = RateLimiter(Limit.XFCC_CALLS, 50, site.config)
        self._guesses = Tally(Limit.FAILURES)

    def list_routes(self) -> list[Route]:
        """Return the route."""
        return [Route(PATH, self.answer, methods=["POST"])]

    async def answer(self, request: Request) -> Response:
        """Answer a call."""
        if not is_private(request):
            return Response(write_fault("userid and password go over https only"), 403, None, _XML)
        visitor = find_visitor(request.scope)
        if not self._visitors.allows(visitor, self._site.clock()):
            return refuse_too_many(ENGLISH)
        body = b""
        async for chunk in request.stream():
            body += chunk
            if len(body) > LARGEST:
                return Response(write_fault("this call is too long"), 413, None, _XML)
        try:
            call = read_call(body)
        except UnreadableCall as error:
            return Response(write_fault(str(error)), 400, None, _XML)
        if call.name not in ("GetMyGames", "MakeAMove"):
            return Response(write_fault("FeatureUnavailable"), 400, None, _XML)
        text = await run_in_threadpool(self._do, call, visitor)
        return Response(text, 200, {"Cache-Control": "no-store"}, _XML)

    def _do(self, call: XfccCall, visitor: str) -> str:
        """Execute a call. Return the answer."""
        site, now = self._site, self._site.clock()
        peer = "" if visitor in _LOCAL else visitor
        asker = Asker(peer, "")
        checks = PasswordChecks(site.secrets, site.config, self._guesses, asker, visitor)
        sender = Sender(via="web", peer=peer)
        user = call.values.get("username", "").strip()[:_LONGEST]
        password = call.values.get("password", "").strip()[:_LONGEST]
        text = call.values.get("mymessage", "").strip()[:_LONGEST]
        text = "" if holds_password(text, password) else text
        asked = Command(get_verb("mine"), sender, user=user, password=password, text=text)
        with site.store.reading() as session:
            asked = authenticate(session, asked, checks, now)
            player = get_player(session, asked.proof[0]) if asked.proof else None
            is_new = player is not None and not knows_network(session, player.id, visitor, now, 1)
        if player is not None and is_new:
            number = player.id
            site.writer.submit(lambda session: note_network(session, number, visitor, now)).result()
        with site.store.reading() as session:
            if player is not None and call.name == "GetMyGames":
                return write_result(call.name, _list_games(session, site, player))
        if player is None:
            site.writer.submit(lambda session: _record(session, site, checks, peer, now)).result()
            if call.name == "GetMyGames":
                return write_fault("AuthenticationFailed")
            return write_result(call.name, "AuthenticationFailed")
        try:
            result = site.writer.submit(
                lambda session: _make_move(session, site, call, asked, player, now)
            ).result()
        except _NotDoneError:
            result = "ServerError"
        if result == "Success":
            site.done()
        return write_result(call.name, result)


def is_private(request: Request) -> bool:
    """Whether nobody can read the call on its way: it comes over TLS, as the proxy says, or from
    this machine."""
    headers = request.headers
    if "x-forwarded-for" in headers or "x-forwarded-proto" in headers:
        return headers.get("x-forwarded-proto", "").strip().lower() == "https"
    return request.client is not None and request.client.host in _LOCAL


def _record(session: Session, site: Site, checks: PasswordChecks, peer: str, now: float) -> None:
    """Count wrong passwords, and unnecessary work of argon2, as for a mail."""
    for limit, who in checks.failures:
        add(session, limit, who, now)
    CHECKS.take(session, Asker(peer, ""), now, site.config, checks.vain)


def _list_games(session: Session, site: Site, player: Player) -> str:
    """Write the running games of chess of a player."""
    rows = reads.find_open_boards(session, player.id, _MOST_GAMES)
    boards = [load(session, row.id) for row in rows if row.game == GAME and row.state == "running"]
    return "".join(
        write_element("XfccGame", _describe(session, site, board, seat))
        for board in boards
        for seat, own in enumerate(board.seats)
        if own.is_held_by(player.id)
    )


def _describe(session: Session, site: Site, board: Board, seat: int) -> Mapping[str, str]:
    """Return Xfcc's data of a game."""
    record = build_record(session, board, site.config.server.address, comments=False)
    headers: Mapping[str, Any] = record["headers"]
    text = build_field_record(session, board, record)
    moves = text.rpartition("]")[2].rpartition("*")[0] if text.endswith("*") else text
    return {
        "id": str(board.id),
        "white": str(headers.get("White", "?")),
        "black": str(headers.get("Black", "?")),
        "event": str(headers.get("Event", "?")),
        "site": str(headers.get("Site", "?")),
        "eventDate": str(headers.get("Date", "????.??.??")),
        "round": str(headers.get("Round", "-")),
        "myTurn": str(seat in board.position.to_move).lower(),
        "hasWhite": str(seat == 0).lower(),
        "moves": " ".join(moves.split()),
        "drawOffered": str(any(by != seat for by in board.proposals.get("draw", ()))).lower(),
        "result": "Ongoing",
        "variant": GAME,
        "setup": "false",
        "fen": "",
        "message": "",
    }


def _make_move(
    session: Session, site: Site, call: XfccCall, asked: Command, player: Player, now: float
) -> str:
    """Do one act on a board, as a mail with this password would. Return the result in Xfcc's words.
    A repeated move is a success and changes nothing."""
    number = call.values.get("gameid", "").strip()
    if not number.isascii() or not number.isdecimal() or len(number) > 9:
        return "InvalidGameID"
    try:
        board = load(session, int(number), lock=True)
    except Refusal:
        return "InvalidGameID"
    own = [seat for seat, each in enumerate(board.seats) if each.is_held_by(player.id)]
    if board.game.info.name != GAME:
        return "InvalidGameID"
    if not own:
        return "NotYourGame"
    seat = next((one for one in own if one in board.position.to_move), own[0])
    verbs, rest = ["move"], " ".join(call.values.get("mymove", "")[:_LONGEST].split())
    offered = any(by != seat for by in board.proposals.get("draw", ()))
    if call.is_set("resign"):
        verbs, rest = ["resign"], ""
    elif call.is_set("acceptdraw"):
        verbs, rest = ["accept"], ""
        if not offered:
            return "NoDrawWasOffered"
    elif call.is_set("claimdraw"):
        verbs, rest = ["propose"], ""
        if not find_draw_claim(session, board):
            return "FeatureUnavailable"
    else:
        if problem := _find_problem(session, board, seat, rest, call):
            return problem
        rest, _ = board.position.parse(rest, seat)  # a program writes the letters of the game
        verbs = ["propose", "move"] if call.is_set("offerdraw") and not offered else ["move"]
    commands = [
        Command(
            get_verb(verb),
            asked.sender,
            game=GAME,
            board=board.id,
            user=asked.user,
            password=asked.password,
            words=tuple(rest.split()) if verb == "move" else (),
            rest=rest if verb == "move" else "",
            text=asked.text if verb == verbs[-1] else "",
            proof=asked.proof,
        )
        for verb in verbs
    ]
    submission = Submission(commands, now, send_unless_refused)
    result = site.service.submit(session, submission, now)
    if result.is_refused:
        raise _NotDoneError
    return "Success"


def _find_problem(session: Session, board: Board, seat: int, move: str, call: XfccCall) -> str:
    """Return Xfcc's word for why a move cannot be played; "" if it can."""
    entries = [build_entry(row) for row in reads.find_log(session, board.id)]
    log = [each for each in drop_undone(entries) if each.kind == "move"]
    mine = [row.move for row in log if row.seat == seat]
    count = call.values.get("movecount", "").strip()
    if not count.isascii() or not count.isdecimal() or len(count) > 5:
        return "InvalidMoveNumber"
    if int(count) == len(mine) and mine and board.state in ("running", "over"):
        return "Success" if _is_last(board, log, seat, move) else "InvalidMoveNumber"
    if board.state != "running" or seat not in board.position.to_move:
        return "NotYourTurn"
    if int(count) != len(mine) + 1:
        return "InvalidMoveNumber"
    try:
        first, left = board.position.parse(move, seat)
        board.position.play(seat, first)
    except MoveError:
        return "InvalidMove"
    return "InvalidMove" if left else ""


def _is_last(board: Board, log: list[LogEntry], seat: int, move: str) -> bool:
    """Whether that is the last move of the seat: the call was repeated."""
    position, before = board.game.setup(len(board.seats), dict(board.options)), None
    for row in log:
        if row.seat == seat:
            before = position
        position = position.play(CHANCE if row.seat is None else row.seat, row.move)
    last = [row.move for row in log if row.seat == seat][-1]
    try:
        return before is not None and before.parse(move, seat) == (last, "")
    except MoveError:
        return False


# The XML of Xfcc, the calls with which chess programs fetch games and send moves: bounded to
# read, without entities, and to write.

NAMESPACE = "http://www.bennedik.com/webservices/XfccBasic"
LARGEST = 16_384
"""The most bytes of a call."""
_DEEPEST, _MOST = 8, 40
_ENVELOPE = (
    '<?xml version="1.0" encoding="utf-8"?>\n'
    '<soap:Envelope xmlns:soap="http://schemas.xmlsoap.org/soap/envelope/">'
    "<soap:Body>{body}</soap:Body></soap:Envelope>\n"
)


class UnreadableCall(ValueError):
    """The request is no valid call; the text says why."""


class XfccCall(NamedTuple):
    """A call: its name, and its parameters by their names in lower case."""

    name: str
    values: Mapping[str, str]

    def is_set(self, name: str) -> bool:
        """Whether a boolean parameter is true."""
        return self.values.get(name, "").strip().lower() in ("true", "1")


class _Reader:
    """Reads a call as expat reports it."""

    def __init__(self) -> None:
        self.names: list[str] = []
        self.call = ""
        self.values: dict[str, str] = {}
        self._count = 0

    def begin(self, name: str, _attributes: object) -> None:
        """Enter an element."""
        self._count += 1
        if len(self.names) >= _DEEPEST or self._count > _MOST:
            raise UnreadableCall("a call has fewer elements")
        self.names.append(name.rpartition(":")[2])
        if len(self.names) == 3 and not self.call:
            self.call = self.names[-1]
        if len(self.names) == 4:
            key = self.names[-1].lower()
            if key in self.values:
                raise UnreadableCall("a call has each parameter once")
            self.values[key] = ""

    def end(self, _name: str) -> None:
        """Leave an element."""
        self.names.pop()

    def add(self, text: str) -> None:
        """Take text of a parameter."""
        if len(self.names) == 4:
            self.values[self.names[-1].lower()] += text

    def refuse(self, *_declared: object) -> None:
        """Refuse document types, which can declare entities."""
        raise UnreadableCall("a call declares nothing")


def read_call(body: bytes) -> XfccCall:
    """Return the call in an envelope. UnreadableCall for anything else."""
    reader, parser = _Reader(), expat.ParserCreate()
    parser.StartElementHandler = reader.begin
    parser.EndElementHandler = reader.end
    parser.CharacterDataHandler = reader.add
    parser.StartDoctypeDeclHandler = reader.refuse
    parser.EntityDeclHandler = reader.refuse
    parser.ProcessingInstructionHandler = reader.refuse
    try:
        parser.Parse(body, True)
    except (expat.ExpatError, LookupError, ValueError) as error:
        if isinstance(error, UnreadableCall):
            raise
        raise UnreadableCall("this is no XML") from None
    return XfccCall(reader.call, reader.values)


def write_fault(text: str) -> str:
    """Return a fault with the reason."""
    fault = f"<faultcode>soap:Client</faultcode><faultstring>{escape(text)}</faultstring>"
    return _ENVELOPE.format(body=f"<soap:Fault>{fault}</soap:Fault>")


def write_result(name: str, result: str) -> str:
    """Return the result of a call, as XML in its element."""
    inside = f"<{name}Result>{result}</{name}Result>"
    return _ENVELOPE.format(body=f'<{name}Response xmlns="{NAMESPACE}">{inside}</{name}Response>')


def write_element(name: str, values: Mapping[str, str]) -> str:
    """Return an element with elements of text."""
    inside = "".join(f"<{key}>{escape(text)}</{key}>" for key, text in values.items())
    return f"<{name}>{inside}</{name}>"
