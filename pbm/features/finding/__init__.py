"""Looking at games, boards and players, and help pages."""

from __future__ import annotations

from pbm.core.feature import SIGNED, Feature, Group, Verb
from pbm.core.proofs import Act
from pbm.features.finding import archive, boards, help, looking, players

_VERBS = (
    Verb(
        "help",
        ("topic*",),
        help.help_page,
        "this page, or one about a topic or a game",
        Act.LOOK,
        Group.LOOKING,
        aliases=("info", "?"),
        for_game="maybe",
        meant_by=("rules",),
    ),
    Verb(
        "list",
        ("game*",),
        looking.list_boards,
        "boards being played, all or of some games",
        Act.LOOK,
        Group.LOOKING,
        for_game="maybe",
    ),
    Verb(
        "games",
        ("kind*",),
        boards.list_games,
        "the games there are; games hidden, games short, games 3 lists some",
        Act.LOOK,
        Group.LOOKING,
        "Kinds: the families kings, capture, lines, connection, territory, blocking, race,\n"
        "sowing, tiles and war; the variants of chess, shogi and xiangqi; short, medium and\n"
        "long; hidden, dice and swap; a number of players. Of several, the games that are all\n"
        "of them.",
    ),
    Verb(
        "search",
        ("word+",),
        boards.search,
        "games that a word describes: search connection",
        Act.LOOK,
        Group.LOOKING,
    ),
    Verb(
        "players",
        ("game?",),
        players.list_players,
        "who is here; players hex lists those about as strong as you",
        Act.LOOK,
        Group.LOOKING,
        for_game="maybe",
    ),
    Verb(
        "who",
        ("userid?",),
        players.who,
        "what everybody may know of a player",
        Act.LOOK,
        Group.LOOKING,
    ),
    Verb(
        "stats",
        ("userid+",),
        players.stats,
        "how two players have fared; stats bob is you against bob",
        Act.LOOK,
        Group.LOOKING,
    ),
    Verb(
        "all show",
        ("userid", "filter?"),
        looking.all_show,
        "a player's boards in all games; filter next, active or all",
        Act.LOOK,
        Group.LOOKING,
    ),
    Verb(
        "mine",
        SIGNED,
        boards.list_own_boards,
        "your open boards, the most urgent first",
        Act.OWN,
        Group.LOOKING,
    ),
    Verb(
        "show",
        ("board+",),
        looking.show,
        "boards as a spectator sees them, or of a player",
        Act.LOOK,
        Group.BOARDS,
        "show 17 18, show 17#4 (after 4 moves), show ann, show ann next. show 17 d4 says what\n"
        "stands there and around it, show 17 row 4 the same of a line.",
    ),
    Verb(
        "showas",
        (*SIGNED, "board+"),
        looking.show_as,
        "boards as you may see them, sent to your registered address",
        Act.OWN,
        Group.BOARDS,
    ),
    Verb(
        "games",
        ("userid*", "filter?"),
        looking.game_boards,
        "boards of a game: filter all, active, inactive or next",
        Act.LOOK,
        Group.BOARDS,
        for_game="yes",
    ),
    Verb(
        "history",
        ("userid*",),
        looking.history,
        "boards of a game that have ended, all or those of some players",
        Act.LOOK,
        Group.BOARDS,
        for_game="yes",
    ),
    Verb(
        "find",
        ("what+",),
        archive.find,
        "a board by its number, or boards that have ended",
        Act.LOOK,
        Group.LOOKING,
        "find 17. Or, in any order: a game, players, a year, month or day, event NUMBER; at the\n"
        "end opening and the first moves: find chess bob 2026-03 opening e4 e5. page 2 goes on.",
        for_game="maybe",
    ),
    Verb(
        "openings",
        ("game?",),
        archive.list_openings,
        "how the boards of a game began, and who won",
        Act.LOOK,
        Group.LOOKING,
        for_game="maybe",
    ),
    Verb(
        "standings",
        (),
        looking.standings,
        "wins and losses in a game",
        Act.LOOK,
        Group.BOARDS,
        for_game="yes",
    ),
    Verb(
        "watch best",
        (*SIGNED, "game?"),
        boards.watch_best,
        "watch the board with the strongest players",
        Act.PLAYER,
        Group.BOARDS,
        for_game="maybe",
    ),
)

FEATURE = Feature(
    __package__,
    verbs=_VERBS,
    due=players.do_due,
    is_due=players.is_due,
    on_clock_back=players.repair_times,
)
