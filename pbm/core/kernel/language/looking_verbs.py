"""The commands that show what there is, rows of the table of commands."""

from __future__ import annotations

from pbm.core.kernel.language.verb import Verb
from pbm.core.kernel.proofs import Act

LOOKING_VERBS: tuple[Verb, ...] = (
    Verb(
        "help",
        ("topic*",),
        "talk.chat:help_page",
        "this page, or one about a topic or a game",
        Act.LOOK,
        aliases=("info", "?"),
        game="maybe",
        is_read_only=True,
    ),
    Verb(
        "list",
        ("game*",),
        "finding.looking:list_boards",
        "boards being played, all or of some games",
        Act.LOOK,
        game="maybe",
        is_read_only=True,
    ),
    Verb(
        "games",
        ("kind*",),
        "finding.games:list_games",
        "the games there are; games hidden, games short, games 3 lists some",
        Act.LOOK,
        "Kinds: the families kings, capture, lines, connection, territory, blocking, race,\n"
        "sowing, tiles and war; the variants of chess, shogi and xiangqi; short, medium and\n"
        "long; hidden, dice and swap; a number of players. Of several, the games that are all\n"
        "of them.",
        is_read_only=True,
    ),
    Verb(
        "search",
        ("word+",),
        "finding.games:search",
        "games that a word describes: search connection",
        Act.LOOK,
        is_read_only=True,
    ),
    Verb(
        "players",
        ("game?",),
        "finding.players:list_players",
        "who is here; players hex lists those about as strong as you",
        Act.LOOK,
        game="maybe",
        is_read_only=True,
    ),
    Verb(
        "who",
        ("userid?",),
        "finding.players:who",
        "what everybody may know of a player",
        Act.LOOK,
        is_read_only=True,
    ),
    Verb(
        "stats",
        ("userid+",),
        "finding.players:stats",
        "how two players have fared; stats bob is you against bob",
        Act.LOOK,
        is_read_only=True,
    ),
    Verb(
        "all show",
        ("userid", "filter?"),
        "finding.looking:all_show",
        "a player's boards in all games; filter next, active or all",
        Act.LOOK,
        is_read_only=True,
    ),
    Verb(
        "seeks",
        (),
        "lobby.seeks:seeks",
        "open offers: who is looking for opponents",
        Act.LOOK,
        game="maybe",
        is_read_only=True,
    ),
    Verb(
        "rating",
        ("userid?",),
        "ratings.ladder:rating",
        "a player's ratings in all games, or in one, and what changed them",
        Act.LOOK,
        game="maybe",
        is_read_only=True,
    ),
    Verb(
        "mine",
        ("user", "password"),
        "finding.boards:list_own_boards",
        "your open boards, the most urgent first",
        Act.OWN,
        is_read_only=True,
    ),
)
