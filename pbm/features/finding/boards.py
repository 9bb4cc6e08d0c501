"""Lists of one's own boards and of games, and the best board to watch."""

from __future__ import annotations

import dataclasses
import math
import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from functools import cache

from msgspec.structs import replace

from pbm.core.call import Call
from pbm.core.house_players import has_bots, list_bots
from pbm.core.notices import Notice
from pbm.core.refusal import Refusal, RefusalCode
from pbm.core.storing import find_title
from pbm.core.view import BoardSummary, summarize_boards
from pbm.core.words import find_game_name
from pbm.features.finding.notices import BoardList, GameGroup, GameLine, GameList, VariantLine
from pbm.features.finding.players import find_line_to_send, find_waiting_boards
from pbm.features.finding.rows import (
    find_boards_of_players,
    find_newest_boards,
    find_watched_boards,
)
from pbm.features.ratings.rows import find_ratings_of_players
from pbm.games import load_games
from pbm.locale.words import is_typo_of
from pbm.ratings import NEW
from pbm.rules import Game, GameInfo
from pbm.rules.game_info import FAMILIES, LENGTHS, VARIANTS
from pbm.rules.phrases import make_phrase, phrase
from pbm.store.reads import ListedSeatRow, find_seats_by_board

_MOST = 100
_MOST_COMPARED = 200


def list_own_boards(call: Call) -> list[Notice]:
    """List the sender's open boards: first those where it is the sender's turn, the most urgent
    first, then the others."""
    me = call.me
    waiting = {row.board: row for row in find_waiting_boards(call, me)}
    rows = find_boards_of_players(
        call.session,
        [me.id],
        ("running", "invited"),
        "",
        only_open=True,
        most=_MOST + 1,
        covered=True,
    )

    def describe(line: BoardSummary) -> BoardSummary:
        row = waiting.get(line.id)
        if row is None:
            return line
        return dataclasses.replace(line, status=row.status, within=row.within)

    def find_place(line: BoardSummary) -> tuple[bool, float, int]:
        row = waiting.get(line.id)
        return row is None, math.inf if row is None else row.end, -line.id

    lines = [describe(line) for line in summarize_boards(call.session, rows[:_MOST])]
    lines.sort(key=find_place)
    first = waiting.get(lines[0].id) if lines else None
    return [
        call.answer(
            BoardList(
                title=phrase("open boards of {userid}", userid=me.userid),
                rows=lines,
                more=len(rows) > _MOST,
                urgent=len(waiting) > 0,
                has_home=True,
                waiting=[*waiting.values()],
                example=find_line_to_send(call.session, me, first) if first else "",
            )
        )
    ]


def watch_best(call: Call) -> list[Notice]:
    """Watch the running board with the strongest players, of one game or of all, among the newest
    that the sender neither plays on nor watches. Refuse when there is none."""
    me, words = call.me, call.command.words
    game = call.command.game or (find_game_name(words[0]) if words else "")
    if words and not game:
        raise Refusal(
            RefusalCode.NO_SUCH_GAME,
            phrase("there is no game with that name"),
            "watch best {user} PASSWORD",
            "games",
        )
    games = [game] if game else []
    rows = find_newest_boards(call.session, ("running",), games, _MOST_COMPARED)
    seats = find_seats_by_board(call.session, [row.id for row in rows])
    watched = find_watched_boards(call.session, me.id)
    rows = [
        row
        for row in rows
        if row.id not in watched and all(seat.player_id != me.id for seat in seats[row.id])
    ]
    if not rows:
        raise Refusal(
            RefusalCode.NO_SUCH_BOARD,
            phrase("no other board of {game} is being played", game=game)
            if game
            else phrase("no other board is being played"),
            "list",
        )
    people = {seat.player_id for row in rows for seat in seats[row.id]}
    ratings = {
        (row.player_id, row.game): row.mu for row in find_ratings_of_players(call.session, people)
    }

    def find_strength(game: str, seated: Sequence[ListedSeatRow]) -> float:
        return sum(ratings.get((seat.player_id, game), NEW.mu) for seat in seated) / len(seated)

    best = max(rows, key=lambda row: (find_strength(row.game, seats[row.id]), row.id))
    call.command = replace(call.command, board=best.id, game=best.game)
    return call.do_as("watch")


# Games by family, players and length, and those that a word describes.

_say = cache(make_phrase)
OTHERS = "others"
"""The family of games without one."""
_FEATURES = {"hidden": {"hidden", "sealed"}, "swap": {"swap"}}
_MOST_GAMES = 30
_SHORTEST = 3


def list_games(call: Call) -> list[Notice]:
    """List all games, or those of a family, length, number of players or feature. Refuse any other
    word."""
    words = [word.lower() for word in call.command.words]
    tests = [_read_filter(word) for word in words]
    games = [game for game in load_games() if all(test(game.info) for test in tests)]
    title = f"games: {' '.join(words)}" if words else "games"
    is_asked = any(word in VARIANTS for word in words)
    return [_list(call, title, games, fold=not is_asked)]


def search(call: Call) -> list[Notice]:
    """List the games whose name or summary contains a text, or whose page a word that begins so,
    the best match first. Refuse a text that is too short."""
    words = [word.lower() for word in call.command.words]
    text = " ".join(words)
    if len(text) < _SHORTEST:
        raise Refusal(
            RefusalCode.MISSING_ARGUMENT,
            phrase(
                "name a word of at least {least} letters that describes the game",
                least=_SHORTEST,
            ),
            "search connection",
            "games",
        )
    ranked = [(_rank(game.info, text), game) for game in load_games()]
    games = [game for rank, game in sorted(ranked, key=lambda pair: pair[0]) if rank < _NOWHERE]
    return [_list(call, f"games: search {text}", games[:_MOST_GAMES], by_family=False)]


def _read_filter(word: str) -> Callable[[GameInfo], bool]:
    """Return a test for games of the kind that the word names."""
    if word.isascii() and word.isdigit():
        return lambda info: int(word[:3]) in info.players
    if word == "dice":
        return lambda info: "chance" in info.features and "shuffled" not in info.features
    if word in _FEATURES:
        return lambda info: bool(info.features & _FEATURES[word])
    if word in LENGTHS:
        return lambda info: info.length == word
    if word in VARIANTS:
        return lambda info: word in (info.name, info.variant_of)
    if word in (*FAMILIES, OTHERS):
        return lambda info: (info.family or OTHERS) == word
    kinds = (*FAMILIES, *VARIANTS, *LENGTHS, *_FEATURES, "dice")
    near = [kind for kind in kinds if is_typo_of(word, kind)]
    raise Refusal(
        RefusalCode.BAD_ARGUMENT,
        phrase("there is no such kind of game"),
        *(f"games {kind}" for kind in near[:2]),
        "help games",
        "search connection",
    )


_NOWHERE = 9


def _rank(info: GameInfo, text: str) -> int:
    """Return the rank of a game in a search: 0 where the text is its name, `_NOWHERE` for no
    match."""
    names = (info.name, info.title.lower(), *info.aliases)
    places: Sequence[bool] = (
        text in names,
        any(name.startswith(text) for name in names),
        any(text in name for name in names) or text == info.family,
        text in info.summary.lower(),
        text in FAMILIES.get(info.family, ""),
        re.search(rf"\b{re.escape(text)}", info.help.lower()) is not None,
    )
    return next((rank for rank, is_there in enumerate(places) if is_there), _NOWHERE)


def _group(games: Iterable[Game]) -> list[tuple[str, str, list[Game]]]:
    """Return the games by family: its word, its description, and its games."""
    by_family: dict[str, list[Game]] = {}
    for game in games:
        by_family.setdefault(game.info.family, []).append(game)
    order = [*FAMILIES, *sorted(by_family.keys() - FAMILIES.keys())]
    return [
        (family or OTHERS, FAMILIES.get(family, ""), by_family[family])
        for family in order
        if family in by_family
    ]


def _fold(games: Sequence[Game], title: str) -> tuple[list[Game], list[VariantLine]]:
    """Return the games that are no variants, and for each game a line about its variants."""
    counts = Counter(game.info.variant_of for game in games)
    asks = title.replace(":", "")
    lines = [VariantLine(of, counts[of], f"{asks} {of}") for of in VARIANTS if counts[of]]
    return [game for game in games if not game.info.variant_of], lines


def _list(
    call: Call, title: str, games: Sequence[Game], *, by_family: bool = True, fold: bool = False
) -> Notice:
    """Return the answer with a list of games; with `fold` the variants of a game share one line."""
    count, lines = len(games), list[VariantLine]()
    if fold:
        games, lines = _fold(games, title)

    def describe(game: Game) -> GameLine:
        info = game.info
        counts = sorted(info.players)
        is_range = counts[-1] - counts[0] == len(counts) - 1 > 0
        players = f"{counts[0]}-{counts[-1]}" if is_range else ",".join(map(str, counts))
        length, summary = _say(info.length), _say(info.summary)
        return GameLine(info.name, players, length, summary, find_title(info.name))

    groups = _group(games) if by_family else [("", "", list(games))] * bool(games)
    return call.answer(
        GameList(
            title=title,
            groups=[
                GameGroup(_say(family), _say(about), [describe(game) for game in among])
                for family, about, among in groups
            ],
            count=count,
            variants=lines,
            bots=list_bots(call.config, engines=False),
            without_bots=[game.info.name for game in games if not has_bots(game)],
            userid=call.own_userid,
        )
    )
