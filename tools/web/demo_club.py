"""A club in which a lot is going on, to be looked at: `python tools/web/demo_club.py` serves it and
writes the addresses of its pages as JSON, by their kind; it ends with its standard input.

It needs nothing but players, boards and links, so that it also fills older versions, whose folder
is then first in PYTHONPATH."""

from __future__ import annotations

import importlib
import importlib.util
import json
import re
import smtplib
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from email import message_from_bytes, policy
from email.message import EmailMessage
from pathlib import Path
from random import Random
from typing import Any
from urllib.request import urlopen

_PLAYERS = ("ann", "bob", "carla", "dmitri", "eve", "firat", "grandmaster_flash-99", "hyun")
_PATIENCE = 300.0
_BEGINS_WITHIN = 40.0
"""Seconds in which a full event begins; older versions let it wait for days."""
_HOME = re.compile(r"(/u/u[0-9]+-[a-z0-9]+)")
_ITALIAN = "e4 e5 Nf3 Nc6 Bc4 Bc5 b4 Bxb4 c3 Ba5 d4 exd4 O-O d3 Qb3 Qf6 e5 Qg6 Re1"
_BOARDS: Sequence[tuple[str, str, int]] = (
    ("go", "-size=13", 44),
    ("hex", "", 21),
    ("cradle", "", 7),
    ("backgammon", "", 9),
    ("spacetruckin", "", 20),
    ("battleship", "", 11),
    ("cyclone", "", 14),
    ("xiangqi", "", 12),
    ("dotsandboxes", "", 22),
    ("amazons", "", 13),
)
"""Games, options, and how many random moves are played of each."""
_TRIED = "v=g8e7|c1a3|o-o|a3e7&v=g8e7|c1a3|b7b5|b3b5&v=g8e7|c4d3|g6h5&v=a5b6|c4d3&t=g8e7&t=c1a3"
_RESULTS = ("e4 e5 Nf3 Nc6", "d4 d5 c4 e6", "e4 c5 Nf3 d6", "e4 e6 d4 d5", "c4 e5", "d4 Nf6")
_CHATS = (
    ("ann", "Good luck, and have fun! I have never played the Evans Gambit by mail."),
    ("bob", "You too. I will be slow at the weekend: we are at my sister's."),
    ("ann", "No hurry. The pawn on b4 is poisoned, you know."),
)
_ORDERS: Sequence[Mapping[int, str]] = (
    {
        0: "A VIE - TRI; A BUD - SER; F TRI - ALB",
        1: "F EDI - NTH; F LON - ENG; A LVP - YOR",
        2: "F BRE - MAO; A MAR - GAS; A PAR - BUR",
        3: "F KIE - DEN; A BER - KIE; A MUN - BUR",
        4: "A VEN - TRI; A ROM - VEN; F NAP - ION",
        5: "F STP/SC - BOT; A WAR - GAL; F SEV - RUM; A MOS - UKR",
        6: "F ANK - CON; A CON - BUL; A SMY - ARM",
    },
    {
        0: "A VIE - TRI; F ALB S A SER - GRE; A SER - GRE",
        1: "A YOR - NWY; F NTH C A YOR - NWY; F ENG - BRE",
        2: "F MAO - SPA/NC; A GAS S F MAO - SPA/NC; A PAR - BUR",
        3: "F DEN H; A KIE - HOL; A MUN - BUR",
        4: "A VEN - TRI; A ROM - VEN; F ION - TUN",
        5: "F BOT - SWE; A UKR S F RUM; A GAL S F RUM; F RUM H",
        6: "F CON - AEG; A BUL - RUM; A ARM - SEV",
    },
)
"""Orders of two phases of Diplomacy, by seat."""
_EVENT = "event new roundrobin hex ann -size=7 --name=Spring cup --max=6"
_LADDER = "event new ladder chess bob --name=Chess ladder --begins=2030-01-01"


def fill(club: Any) -> Mapping[str, str]:
    """Fill a club and return the addresses of its pages, by their kind."""
    club.signup(*_PLAYERS)
    dice = Random("demo")
    for number in range(26):
        _play_result(club, number, dice)
    _hold_events(club)
    boards = {game: _play(club, game, options, plies) for game, options, plies in _BOARDS}
    chess = _play_chess(club)
    link = club.links(chess)[1]
    diplomacy = _play_diplomacy(club) if _has("pbm.games.dip") else 0
    home = _find_home(club, "ann", club.links(chess)[0])
    seats = {game: club.links(board) for game, board in boards.items()}
    public = {
        "front": "/",
        "board": f"/board/{chess}",
        "game-chess": "/game/chess",
        "game-cyclone": "/game/cyclone",
        "game-spacecradles": "/game/spacecradles",
        "game-cradle": "/game/cradle",
        "player": "/player/ann",
        "player-long-name": "/player/grandmaster_flash-99",
        "ladder": "/game/chess/ratings",
        "events": "/events",
        "event": "/event/1",
        "event-ladder": "/event/2",
        "result": "/board/1",
        "join": "/join",
        **({"diplomacy": f"/board/{diplomacy}"} if diplomacy else {}),
        **_hold_club(club),
    }
    return {
        **{kind: club.url + path for kind, path in public.items()},
        "seat": link,
        "seat-move": f"{link}?m=g6&m=e4",
        "seat-past": f"{link}?at=6",
        **({"seat-diplomacy": club.links(diplomacy)[2]} if diplomacy else {}),
        "seat-try": f"{link}/try?{_TRIED}",
        **{f"seat-{game}": links[_find_seat(club, boards[game])] for game, links in seats.items()},
        "preferences": home,
        "own-events": f"{home}/events",
        **({"own-club": f"{home}/club/rooks"} if "club" in public else {}),
        "own-begin": f"{home}/begin?game=chess",
        "own-find": f"{home}/find?game=chess&players=ann&opening=e4",
        "own-settings": f"{home}/settings",
        **_invite(club),
    }


def _play_result(club: Any, number: int, dice: Random) -> None:
    """Play a board that ends soon: the rating of some goes up, of others down."""
    others = [name for name in _PLAYERS if name != "ann"] if number % 2 == 0 else [*_PLAYERS[1:]]
    pair = ["ann", others[number % len(others)]] if number % 2 == 0 else dice.sample(others, 2)
    dice.shuffle(pair)
    game = "chess" if number % 3 else "hex"
    board = club.challenge(game, *pair)
    moves = _RESULTS[number % len(_RESULTS)] if game == "chess" else "a2 f6"
    for ply, move in enumerate(moves.split()):
        club.submit(f"{game} move {board} {pair[ply % 2]} {move}")
    strength = [_PLAYERS[::-1].index(name) + 4 for name in pair]
    loser = dice.choices(pair, strength[::-1])[0]
    club.submit(f"{game} resign {board} {loser}")


def _hold_events(club: Any) -> None:
    club.submit(_EVENT)
    for name in _PLAYERS[:6]:
        club.submit(f"event enter 1 {name}")
    deadline = time.monotonic() + _BEGINS_WITHIN
    while "To enter" in _read(f"{club.url}/event/1") and time.monotonic() < deadline:
        time.sleep(0.5)
    club.submit(_LADDER)
    for name in _PLAYERS:
        club.submit(f"event enter 2 {name}")


def _play(club: Any, game: str, options: str, plies: int) -> int:
    """Make a board on which so many random moves have been played."""
    names = ("ann", "bob") if game != "cyclone" else ("ann", "grandmaster_flash-99", "eve")
    board, dice = club.challenge(game, *names, options=options), Random(game)
    for _ in range(plies):
        loaded = club.load(board)
        if loaded.state != "running":
            break
        seat = min(loaded.position.to_move)
        legal = list(loaded.position.legal_moves(seat))
        moves = [move for move in legal if move != "pass"] or legal
        club.submit(f"{game} move {board} {names[seat]} {dice.choice(moves)}")
    return int(board)


def _play_chess(club: Any) -> int:
    """Make a board with an opening, chat, and the second player to move."""
    board = club.challenge("chess", "ann", "bob")
    for ply, move in enumerate(_ITALIAN.split()):
        if ply in (2, 5, 8):
            who, text = _CHATS[ply // 3]
            club.submit(f"chess chat {board} {who} {text}")
        club.submit(f"chess move {board} {('ann', 'bob')[ply % 2]} {move}")
    return int(board)


def _has(module: str) -> bool:
    """Whether the version has a module."""
    try:
        importlib.import_module(module)
    except ModuleNotFoundError:
        return False
    return True


def _play_diplomacy(club: Any) -> int:
    """Make a board of Diplomacy on which two phases were played and builds are due."""
    names = ("ann", "bob", "carla", "dmitri", "eve", "firat", "hyun")
    board = club.challenge("dip", *names)
    for orders in _ORDERS:
        for seat, text in orders.items():
            for order in text.split("; "):
                if min(club.load(board).position.to_move, default=9) < 9:
                    club.submit(f"dip move {board} {names[seat]} {order}")
    return int(board)


def _hold_club(club: Any) -> Mapping[str, str]:
    """Make a club with boards, one of them private, and return the path of its page; none in
    versions that have no clubs."""
    if not _has("pbm.features.clubs"):
        return {}
    club.submit("club new rooks ann")
    club.submit("club colour rooks #1d4e89 ann")
    for name in ("bob", "carla", "eve"):
        club.submit(f"club invite rooks {name} ann")
        club.submit(f"club join rooks {name}")
    for game, option in ("hex", ""), ("chess", "--private"), ("go", "-size=9"):
        club.challenge(game, "ann", "bob", options=f"--club=rooks {option}")
    club.submit("hex seek bob --club=rooks")
    club.submit("event new ladder chess ann --club=rooks --name=Rooks ladder")
    return {"club": "/club/rooks"}


def _find_seat(club: Any, board: int) -> int:
    return min(club.load(board).position.to_move, default=0)


def _find_home(club: Any, name: str, seat: str) -> str:
    """Return the link of a player's own pages: from the page of a seat, where older versions name
    it, or else from the answer to a mail."""
    if found := _HOME.search(_read(seat)):
        return f"{club.url}{found[1]}"
    _mail(club, name, f"mine {name} Sesame-{name}")
    folder, deadline = Path(club.config.relay.url.partition(":")[2]), time.monotonic() + _PATIENCE
    while time.monotonic() < deadline:
        for path in folder.rglob("new/*"):
            sent = message_from_bytes(path.read_bytes(), policy=policy.default)
            body = sent.get_body(("plain",)) if f"{name}@" in str(sent["To"]) else None
            if body and (found := _HOME.search(body.get_content())):
                return f"{club.url}{found[1]}"
        time.sleep(0.1)
    raise TimeoutError(f"{name} gets no mail with such a link")


def _mail(club: Any, name: str, line: str) -> None:
    mail = EmailMessage()
    mail["From"], mail["To"] = f"{name}@example.org", club.config.server.address
    mail["Subject"] = line
    with smtplib.SMTP("127.0.0.1", club.port, timeout=_PATIENCE) as client:
        client.send_message(mail)


def _invite(club: Any) -> Mapping[str, str]:
    """Return the link of an invitation; none in versions that have no invitations."""
    if not hasattr(club, "mailed_link"):
        return {}
    _mail(club, "ann", "invite ann Sesame-ann kim@far.example chess")
    return {"invitation": club.mailed_link("kim@far.example", "join")}


def _read(url: str) -> str:
    with urlopen(url, timeout=_PATIENCE) as answer:  # noqa: S310 (our own server)
        return str(answer.read().decode())


def _open_club(folder: Path) -> Any:
    """Open a club of whatever version is imported."""
    for name in ("tests.harness.club", "tests.web.club", "tests.harness.visitor"):
        try:
            return importlib.import_module(name).Club(folder)
        except ModuleNotFoundError:
            continue
    raise ModuleNotFoundError("this version has no club to fill")


def main() -> None:
    """Serve a club until the standard input ends."""
    with tempfile.TemporaryDirectory(prefix="pbm-demo-") as name:
        club = _open_club(Path(name))
        try:
            print(json.dumps(fill(club)), flush=True)
            sys.stdin.read()
        finally:
            club.close()


if __name__ == "__main__":
    main()
