"""The public pages: the club, boards as a spectator sees them, players, games, ratings."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from itertools import dropwhile, takewhile
from textwrap import dedent

from pbm.core.board import Board, is_open_to_tries
from pbm.core.command import Command
from pbm.core.feature import list_hooks
from pbm.core.notices import BoardRecord
from pbm.core.player import find_player
from pbm.core.refusal import Refusal
from pbm.core.storing import find_title, load
from pbm.core.view import BoardSummary
from pbm.core.words import get_verb, is_userid
from pbm.features.accounts.admission import describe_signups, takes_players
from pbm.features.finding.archive import count_openings
from pbm.features.finding.game_page import BoardPage, build_board_page, build_game_page
from pbm.features.finding.help import find_page, list_topics
from pbm.features.finding.notices import GameLine, GameList, PairStats
from pbm.features.finding.page_parts import split_items, split_page
from pbm.features.finding.players import count_record
from pbm.features.finding.rows import count_boards_by_game, find_watched_boards
from pbm.features.lobby.notices import OfferLine, OfferList
from pbm.features.ratings.ladder import LadderRow, PlayerRatings, RatingList
from pbm.features.ratings.rows import (
    find_established_ratings,
    find_provisional_ratings,
    find_ratings,
)
from pbm.features.records.record import find_field_format
from pbm.games import UnknownGame, get_game, list_game_names
from pbm.locale import LANGUAGES, translate
from pbm.locale.scenes import translate_scene
from pbm.ratings import Rating
from pbm.rules import Game
from pbm.rules.drawing.svg import draw_svg
from pbm.rules.phrases import Listing, Phrase, combine, make_phrase, phrase
from pbm.store.reads import find_blocked, find_player_by_name, find_player_changes
from pbm.store.transaction import Session
from pbm.web.answers import Visit, WebPage, say_missing
from pbm.web.board_lists import build_analysis_section, choose_live, list_boards, list_players
from pbm.web.board_pictures import allow_style, draw_board, with_style, write_style
from pbm.web.site import VISITOR, Site, render
from pbm.web.verb_forms import VerbForm

_MOST = 20
_MOST_LADDERS = 6
_MOST_NEWS = 7
"""The newest results on the front page."""
_MOST_BEST = 3
_MOST_OF_GAME = 5
"""The best players, and the openings, on the page of a game."""
_MOST_GAMES = 8
"""The most played games on the front page."""
_MOST_COMPARED = 100
_LONG = 6
"""The moves from which on a finished board is worth a look."""
_LIVE = 3
"""The boards with pictures on the front page."""
_LETTERS = re.compile("[A-Za-z0-9]")


def find_game(name: str) -> Game | None:
    """Return the game with that name, not an alias; None when there is none."""
    try:
        game = get_game(name)
    except UnknownGame:
        return None
    return game if game.info.name == name else None


def build_club(visit: Visit) -> WebPage:
    """Return the front page: introduction, boards worth a look, open offers, newest results,
    ladders, sections of features, and the most played games."""
    session = visit.session
    games, style = visit.read("games"), write_style()
    groups = games.groups if isinstance(games, GameList) else ()
    call = visit.call("list")
    sections = [
        section for add in list_hooks(lambda each: each.adds_to_front_page) for section in add(call)
    ]
    ended = list_boards(visit, "history")
    boards = count_boards_by_game(session)
    played = sorted(
        (game for group in groups for game in group.games), key=lambda game: -boards[game.name]
    )
    values = {
        "style": style,
        "count": len(list_game_names()),
        "live": _choose_shown(list_boards(visit, "list", most=_MOST_COMPARED), ended),
        "address": visit.site.config.server.address,
        "signups": describe_signups(visit.site.config.players),
        "may_join": takes_players(visit.site.config.players),
        "offers": list_offers(visit, ""),
        "ended": ended[:_MOST_NEWS],
        "sections": sections,
        "ladders": _list_ladders(session, [game for game in played if boards[game.name]]),
        "games": _describe_games(played[:_MOST_GAMES]),
    }
    return WebPage("club.html", values, allow_style(style))


def _choose_shown(
    running: Sequence[BoardSummary], ended: Sequence[BoardSummary]
) -> list[BoardSummary]:
    """Return the boards on the front page: the most active ones, and one that was just decided
    after many moves."""
    live = choose_live([line for line in running if _is_open(line.game)], _LIVE)
    decided = [line for line in ended[:_MOST_NEWS] if _is_open(line.game) and line.ply >= _LONG]
    return [*live[: _LIVE - 1], *(decided[:1] or live[_LIVE - 1 :])]


def build_games(visit: Visit) -> WebPage:
    """Return the games by family, in the visitor's language."""
    games, style = visit.read("games"), write_style()
    groups = games.groups if isinstance(games, GameList) else ()
    families = tuple((group.family, group.about, _describe_games(group.games)) for group in groups)
    values = {
        "style": style,
        "count": len(list_game_names()),
        "variants": games.variants if isinstance(games, GameList) else (),
        "games": _write_games(families, visit.language),
    }
    return WebPage("games.html", values, allow_style(style))


def build_how(visit: Visit) -> WebPage:
    """Return the page on how to play here."""
    return WebPage("how.html", {"address": visit.site.config.server.address})


def build_curious(visit: Visit) -> WebPage:
    """Return the list of further help pages."""
    pages = [(topic, read_page(visit, topic)) for topic in list_topics() if topic != "commands"]
    return WebPage("curious.html", {"pages": [(topic, _sum_up(page)) for topic, page in pages]})


def _sum_up(page: str) -> str:
    """Return the first sentence of a help page below its heading, without its stop."""
    lines = dropwhile(lambda line: not line or line.isupper(), page.splitlines())
    return (
        " ".join(" ".join(takewhile(bool, lines)).split())
        .partition(". ")[0]
        .rstrip(".: \xa0\u202f")
    )


def build_help(visit: Visit) -> WebPage | None:
    """Return a help page as in mails; None for an unknown topic."""
    topic = visit.path["topic"]
    if topic not in list_topics():
        return None
    text = read_page(visit, topic).replace("{server}", visit.site.config.server.address)
    return WebPage("help.html", {"topic": topic, "parts": split_help(text)})


def read_page(visit: Visit, topic: str) -> str:
    """Return a help page in the visitor's language."""
    return find_page(topic, language=visit.language)[1]


def _is_open(name: str) -> bool:
    """Whether boards of a game show anything to people who do not play on them."""
    game = find_game(name)
    return game is not None and "hidden" not in game.info.features


def _describe_games(games: Sequence[GameLine]) -> tuple[tuple[str, ...], ...]:
    """Return the rows of a table of games."""
    return tuple((game.name, game.summary, game.players, game.length) for game in games)


@lru_cache(maxsize=len(LANGUAGES))
def _write_games(
    groups: tuple[tuple[str, str, tuple[tuple[str, ...], ...]], ...], language: str
) -> str:
    """Return the tables of games in a language, as HTML."""
    return render("_games.html", {"groups": groups}, language)


def _list_ladders(
    session: Session, played: Sequence[GameLine]
) -> list[tuple[GameLine, list[LadderRow]]]:
    """Return the first of these games, each with its best players: the established ones, or else
    the provisional ones."""
    ladders = [
        (game, _list_best(session, game.name, _MOST_BEST)) for game in played[:_MOST_LADDERS]
    ]
    return [(game, best) for game, best in ladders if best]


def _count_players(allowed: Sequence[int]) -> str:
    """Return the numbers of players of a game."""
    counts = sorted(allowed)
    low, high = counts[0], counts[-1]
    if len(counts) < 3 or high - low != len(counts) - 1:
        return Listing(map(str, counts), "or")
    return phrase("{low} to {high}", low=low, high=high)


def _list_best(session: Session, game: str, most: int) -> list[LadderRow]:
    """Return the best players of a game: the established ones, or else the provisional ones."""
    rows = find_established_ratings(session, game, most)
    rows = rows or find_provisional_ratings(session, game, most)
    return [LadderRow(row.userid, Rating(row.mu, row.sigma).text, row.boards) for row in rows]


def build_game(visit: Visit) -> WebPage | None:
    """Return the page of a game: its opening position, help, offers, boards and ladder, and for a
    player the forms that begin one; None when there is no such game."""
    game = find_game(visit.path["name"])
    if game is None:
        return None
    name, session = game.info.name, visit.session
    svg, style, rules = _describe_game(name, visit.language)
    values = {
        "info": game.info,
        "summary": make_phrase(game.info.summary),
        "length": Phrase(game.info.length),
        "players": _count_players(game.info.players),
        "svg": svg,
        "rules": rules,
        "address": visit.site.config.server.address,
        "may_join": takes_players(visit.site.config.players),
        "offers": list_offers(visit, name),
        "best": _list_best(session, name, _MOST_OF_GAME),
        "openings": count_openings(visit.call(), name, _MOST_OF_GAME),
        "lessons": [
            (number, lesson.caption) for number, lesson in enumerate(game.list_lessons(), 1)
        ],
        "running": list_boards(visit, "list", name),
        "ended": list_boards(visit, "history", name),
    }
    return WebPage("game.html", values, style)


@cache
def _describe_game(name: str, language: str) -> tuple[str, str, list[tuple[str, str]]]:
    """Return the opening position of a game, the CSP source of the picture's style, and the parts
    of the help page, in a language."""
    game = get_game(name)
    position = game.setup()
    title = translate(phrase("{game}, the start", game=find_title(name)), language)
    scene = translate_scene(position.scene(), language)
    svg, style = with_style(draw_svg(scene, position.colours, title=title))
    return svg, style, split_help(build_game_page(game, has_drawings=False, language=language))


def split_help(page: str) -> list[tuple[str, str]]:
    """Return the parts of a help page, each with its kind: "heading", "prose" without line breaks,
    "items" with one on each line, "list" for lines of examples or options, "drawing" where columns
    matter."""
    parts = []
    for kind, lines in split_page(page):
        if kind == "heading":
            parts.append((kind, " ".join(lines).rstrip(".").capitalize()))
        elif kind == "items":
            parts.append((kind, "\n".join(split_items(lines))))
        elif kind == "prose":
            parts.append((kind, " ".join(lines)))
        else:
            is_drawing = any(
                len(_LETTERS.findall(line)) < len("".join(line.split())) / 2 for line in lines
            )
            parts.append(("drawing" if is_drawing else "list", dedent("\n".join(lines))))
    return parts


def build_ladder(visit: Visit) -> WebPage | None:
    """Return the ratings in a game; None when there is no such game."""
    game = find_game(visit.path["name"])
    if game is None:
        return None
    content = visit.read("ratings", game.info.name)
    parts = content.parts if isinstance(content, RatingList) else ()
    return WebPage("ladder.html", {"info": game.info, "parts": parts})


def build_player(visit: Visit) -> WebPage | None:
    """Return the page of a player: ratings, open boards and results. For an unknown player it says
    so; None for an invalid userid."""
    userid = visit.path["userid"]
    if not is_userid(userid):
        return None
    content = visit.read("rating", words=(userid,))
    if not isinstance(content, PlayerRatings):
        return say_missing(
            phrase("There is no player {userid}", userid=userid),
            phrase("The name may be mistyped, or the account is closed."),
        )
    player, me = find_player(visit.session, userid), visit.player
    is_other = me is not None and player is not None and me.id != player.id
    pair = visit.read("stats", words=(me.userid, userid)) if is_other and me is not None else None
    values = {
        "shown": content,
        "record": count_record(visit.call(), player) if player is not None else None,
        "pair": pair if isinstance(pair, PairStats) else None,
        "is_other": is_other,
        "forms": _list_letters(visit, userid) if is_other else (),
        "titles": [_write_title(row.game) for row in content.rows],
        "curves": build_curves(visit.session, userid),
        "running": list_boards(visit, "all show", words=(userid, "active")),
        "ended": list_boards(visit, "all show", words=(userid, "inactive")),
    }
    return WebPage("player.html", values)


def _list_letters(visit: Visit, userid: str) -> list[tuple[str, VerbForm]]:
    """Return the forms about another player: to write to them, and to block them."""
    is_blocked = userid.lower() in map(str.lower, find_blocked(visit.session, visit.me.id).values())
    return [
        (phrase("Write to {player}", player=userid), visit.form("message", userid=userid)),
        (
            phrase("Hear nothing more of {player}", player=userid),
            visit.form("unblock" if is_blocked else "block", userid=userid),
        ),
    ]


def _write_title(pool: str) -> str:
    """Return the title of a game, with the options of a rating's pool."""
    name, *options = pool.split()
    title = find_title(name)
    return (
        combine("{title} {options}", title=title, options=" ".join(options)) if options else title
    )


def build_board(visit: Visit) -> WebPage | None:
    """Return the page of a board as a spectator sees it; None when there is no such board or
    position."""
    loaded = load_board(visit, visit.path["board"], visit.at)
    if loaded is None:
        return None
    board, page = loaded
    drawing = draw_board(visit.site, board, page, visit.language)
    values = {
        "page": page,
        "players": list_players(board, page.view, visit.language),
        "view": page.view,
        "drawing": drawing,
        "at": visit.at,
        "explorer": f"{board.id}/try" if is_open_to_tries(board) else "",
        "ply": board.ply,
        "base": visit.site.config.web.url.rstrip("/"),
        "record": find_field_format(board),
        "analysis": build_analysis_section(visit.session, board),
        "watch": build_watch_form(visit, board),
    }
    return WebPage("board.html", values, drawing.style)


def build_watch_form(visit: Visit, board: Board) -> VerbForm | None:
    """Return the form with which a player watches a board, or stops watching it; None for other
    visitors, and once it is over."""
    if visit.player is None or board.is_over:
        return None
    watched = find_watched_boards(visit.session, visit.player.id)
    return visit.form("unwatch" if board.id in watched else "watch", board=board)


def load_board(visit: Visit, number: int, at: int | None) -> tuple[Board, BoardPage] | None:
    """Return a board and its page for a spectator; None when it does not exist or cannot be
    shown."""
    try:
        board, call = load(visit.session, number), visit.call()
        call.require_sight(board)
        return board, build_board_page(call, board, None, at)
    except Refusal:
        return None


def draw_preview(
    site: Site, session: Session, number: int, at: int | None = None, *, is_small: bool = False
) -> str | None:
    """Return the board as a spectator sees it, after `at` moves or now, as SVG for a light
    background, or as a small picture in the reader's colours; None when it cannot be shown."""
    call = site.call(session, Command(get_verb("show"), VISITOR))
    try:
        board = load(session, number)
        call.require_sight(board)
        page = build_board_page(call, board, None, at)
    except Refusal:
        return None
    if is_small:
        return draw_small(page)
    return draw_svg(page.build_scene(), page.view.colours, dark=False)


def draw_small(page: BoardPage) -> str:
    """Return a picture of a board as its viewer sees it, without coordinates and panels, in the
    reader's colours."""
    scene = replace(page.build_scene(), labels=(), panels=())
    is_turned = page.position.turns_board and page.viewer == 1
    return draw_svg(scene, page.view.colours, is_turned=is_turned)


def build_download(site: Site, session: Session, number: int, kind: str) -> tuple[str, str] | None:
    """Return the record of a board as a file, without comments, and its media type; None for an
    unavailable format."""
    command = Command(get_verb("export"), VISITOR, board=number)
    content = site.read(session, command)
    if not isinstance(content, BoardRecord):
        return None
    if kind == "json":
        return f"{content.record}\n", "application/json"
    file = content.attachment
    return (file.text, file.kind) if file is not None and kind == content.format else None


def list_offers(visit: Visit, game: str) -> list[tuple[OfferLine, VerbForm | None]]:
    """Return the open offers of a game, or of all, the reader's own first; for a player, each with
    the form that takes it, or that withdraws the player's own offers of its game."""
    content = visit.read("seeks", game)
    rows = content.rows if isinstance(content, OfferList) else ()
    shown = sorted(rows, key=lambda row: not row.is_own)[:_MOST]
    return [(row, _answer_offer(visit, row) if visit.player else None) for row in shown]


def _answer_offer(visit: Visit, row: OfferLine) -> VerbForm:
    if not row.is_own:
        return visit.form("join", offer=str(row.offer), label=phrase("Play"))
    label = phrase("Withdraw my offers of {game}", game=find_title(row.game))
    return visit.form("seek", game=row.game, words="none", label=label)


# The curves on a player's page: what each rated board did to the rating in a game.

_WIDTH, _HEIGHT = 300, 100
_MOST_CURVES = 4
_MOST_BOARDS = 200
_FEWEST = 2
"""The fewest boards for a curve."""


@dataclass(frozen=True, slots=True)
class Curve:
    """The ratings in one game: the points of a line in SVG, its end, the highest and lowest rating,
    and the same in words."""

    line: str
    end: tuple[int, int]
    high: int
    low: int
    words: str


def build_curves(session: Session, userid: str) -> dict[str, Curve]:
    """Return the curves of the games that a player has played most."""
    player = find_player_by_name(session, userid)
    if player is None:
        return {}
    rows = sorted(find_ratings(session, player.id), key=lambda row: -row.boards)
    return {
        row.game: _build_curve(points)
        for row in rows[:_MOST_CURVES]
        if len(points := _list_points(session, player.id, row.game)) > _FEWEST
    }


def _list_points(session: Session, player: int, game: str) -> list[int]:
    """Return the rating before the first of the newest boards and after each of them."""
    changes = list(reversed(find_player_changes(session, player, game, _MOST_BOARDS)))
    if not changes:
        return []
    first = Rating(changes[0].mu_before, changes[0].sigma_before).points
    return [first, *(Rating(change.mu, change.sigma).points for change in changes)]


def _build_curve(points: list[int]) -> Curve:
    high, low = max(points), min(points)
    height = max(1, high - low)
    places = [
        (_WIDTH * at // (len(points) - 1), _HEIGHT * (high - point) // height)
        for at, point in enumerate(points)
    ]
    return Curve(
        " ".join(f"{x},{y}" for x, y in places),
        places[-1],
        high,
        low,
        phrase(
            "From {first} to {last} on {count} boards; the highest was {high}, the lowest {low}.",
            first=points[0],
            last=points[-1],
            count=len(points) - 1,
            high=high,
            low=low,
        ),
    )
