"""What people want when they write no move and no command: one table, in which what a sentence is
about follows from the words that it has, in each language the same.

Nothing here queries the database or decides what is done."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from datetime import date, timedelta
from enum import StrEnum
from functools import cache, partial
from itertools import product
from typing import NamedTuple

from pbm.core.board import Board
from pbm.core.words import SHORTEST_PASSWORD, find_game_name, find_named_game
from pbm.locale import ENGLISH, LANGUAGES, Page, get_language, translate
from pbm.locale.formats import name_weekday
from pbm.locale.intents import find_meanings, find_stem, list_also, read_vocabulary, split_words
from pbm.locale.words import fold
from pbm.rules import Game, Value
from pbm.rules.examples import begin
from pbm.rules.phrases import Phrase


class Intent(StrEnum):
    """What somebody wants."""

    RULES = "rules"
    MOVES = "moves"
    WHERE = "where"
    PANEL = "panel"
    STATUS = "status"
    HELP = "help"
    UNDO = "undo"
    TIME = "time"
    VACATION = "vacation"
    PAUSE = "pause"
    DRAW = "draw"
    RESIGN = "resign"
    AGAIN = "again"
    STOP = "stop"
    LEAVE = "leave"
    OPPONENT = "opponent"
    START = "start"
    GAMES = "games"
    WATCH = "watch"
    EVENTS = "events"
    PASSWORD = "password"  # noqa: S105 (what is asked for)
    ADDRESS = "address"
    WHO = "who"
    RECORD = "record"
    ANALYSIS = "analysis"
    MINE = "mine"
    PAST = "past"
    BEGIN = "begin"
    WITHDRAW = "withdraw"
    BYE = "bye"
    POINTS = "points"
    PAIRING = "pairing"
    PLAYER = "player"
    RATING = "rating"
    PICTURE = "picture"


class Occasion(StrEnum):
    """What the mail was about that somebody answers."""

    BOARD = "board"
    EVENT = "event"
    ACCOUNT = "account"
    TURN = "turn"
    """A board at which the writer is to move."""


_GAME, _PIECE, _DAY, _CELL, _PLAYER = "<game>", "<piece>", "<day>", "<place>", "<player>"
_PANEL = "<panel>"
_QUESTION, _SHORT = "?", "!"
_ASKED = "inquires"
"""What a question without its mark begins with."""
_SAID_TO_PERSON = "you-play"
"""Questions to a player, not to the server: `do you play`, but not `how do you play`."""
_BOARD = (Occasion.BOARD,)
_EVENT = (Occasion.EVENT,)
_ANY = (*Occasion,)
_Table = Sequence[tuple[Intent, Sequence[Occasion], str]]
_TABLE: _Table = (
    (
        Intent.BEGIN,
        _EVENT,
        "when [my] [begin/game/games] | what [time] begin | what time | begin [tournament] ?"
        " | how/what/explain tournament | how [many] joined | who joined | who other play"
        " | how play/begin | how [many] games [must play] | how [many] opponent [joined]"
        " | how [time] begin tournament | how time tournament"
        " | until when [must] [finished] [game]",
    ),
    (
        Intent.WITHDRAW,
        _EVENT,
        "[how] withdraw [tournament] | gives-in | resign | leave/stop tournament"
        " | not play/joined tournament",
    ),
    (Intent.BYE, _EVENT, "holiday/withdraw/not/leave [play] round | [can/how/want] bye [round]"),
    (Intent.POINTS, _EVENT, "[how/my] points | who win | win ? | [how/where/what] table"),
    (
        Intent.PAIRING,
        _EVENT,
        "who play/opponent [begin] | against who [play] [begin] | opponent ?"
        " | [who/opponent] pairings",
    ),
    (
        Intent.RULES,
        _BOARD,
        "[explain/what] rules | how/can/explain/what castle | castle ? | how/can/what promote"
        " | how/what capture | can/must capture ? | how [move] <piece> [capture] | how <piece> move"
        " | explain <piece> [move] | can <piece> move/capture/? | what <piece> do/move/mean"
        " | where can <piece> move | how win [game] -you | when win ? -they -you"
        " | what must win ? | how [game] play | explain game -how | [how] explain game/this works"
        " | how works ? | what/explain goal [game] | goal ? | how points [end] | swapped ?"
        " | can/how/what swapped | what swapped/castle/promote/capture mean | when finished [game]"
        " | how finished game ? | when deadline game | what connect [my] | must connect ?"
        " | what must connect | what happened promote [<piece>] | how pass [my] [turn] | can pass",
    ),
    (
        Intent.RULES,
        (Occasion.ACCOUNT,),
        "[explain/what/how] rules [<game>] | explain [play] <game> | how win <game>"
        " | what goal <game> | what <game> ?",
    ),
    (
        Intent.MOVES,
        _BOARD,
        "moves ! -now -agree | list my/can moves | explain my moves | [stuck/what] hint"
        " | what hint moves | what do hint | what do -you | what moves [legal] | can moves ?"
        " | moves legal | where put | where can move/play | what piece move | not understand"
        " | what can/must play | what can move | stuck",
    ),
    (Intent.HELP, _BOARD, "help !"),
    (Intent.WHERE, _BOARD, "where <piece> | [what] square <piece> | not seek/see <piece>"),
    (Intent.PANEL, _BOARD, "<panel> ! | what/how <panel> ? | list <panel>"),
    (
        Intent.UNDO,
        _BOARD,
        "takes-back | undo [moves] | change moves | meant <place> | wanted [play] <place>"
        " | [can] change <place> | wrong <piece>/square/piece/moves | not right/wanted <piece>"
        " | not <piece> wanted move | meant other moves",
    ),
    (
        Intent.STATUS,
        _BOARD,
        "who [points] win | win [time] ? | whose/who turn | when my turn | turn"
        " | who must ? | time left | finished game ? | what/how/when time | how left"
        " | what/how time left | what/when deadline | when must move/moves/moved"
        " | until when [time] | how days/time move | how days moves | how many days [left]"
        " | must move/play/moves ?"
        " | [<player>/who] moved ? | <player> move/play ? | [<player>] seen moves ? -you"
        " | what <player> play | [what] happened -you | [what] happened last/so-far"
        " | what last do/moves | last moves | what other do/play/moved | what they do"
        " | explain game last | explain how game | list/explain board | what colour | colour ?"
        " | they moved -<piece> | they play ? -<piece> | how [time] left they/<player>"
        " | how time they/<player>",
    ),
    (
        Intent.TIME,
        _BOARD,
        "extend | please more time/days/weeks | more time/days/weeks !/?"
        " | can/want/need more time/days/weeks | need time",
    ),
    (
        Intent.PAUSE,
        _BOARD,
        "[until] [<day>] pause | pause game | need pause | stop/pause clock [days]",
    ),
    (Intent.VACATION, _ANY, "[until] [<day>] holiday/pause | pause game"),
    (Intent.DRAW, _BOARD, "draw"),
    (
        Intent.RESIGN,
        _BOARD,
        "resign | gives-in | stop play ! | want stop play [game] | [want] stop/leave game",
    ),
    (Intent.AGAIN, _BOARD, "again [colour] [swapped]"),
    (Intent.STOP, _ANY, "[why] many mail | stop mail | many sends"),
    (
        Intent.LEAVE,
        _ANY,
        "[how] leave account | want leave | not want play -<game> -what -how | not want account",
    ),
    (
        Intent.OPPONENT,
        _ANY,
        "[against] other opponent | against other | need/seek opponent"
        " | opponent [game/play] <game> | want game [against] opponent",
    ),
    (
        Intent.OPPONENT,
        (Occasion.ACCOUNT,),
        "who [other] play | have opponent ? | want opponent play",
    ),
    (
        Intent.START,
        _ANY,
        "can/want <game> | [how] start [game] <game> | want play -not | [play] against computer"
        " | play [<game> against] computer | [how] start game | how start [opponent]"
        " | [how/start] other game | how play [game] | have [game] <game> [?]"
        " | game <game> against -my -finished -list"
        " | want play [game] against -my -finished | start/want game against -my -finished"
        " | [want] play <game> [against <player>] | want play against <player>",
    ),
    (
        Intent.START,
        (Occasion.ACCOUNT,),
        "<game> ? | seek <game> | what/? now ! | what do [now] | what must do"
        " | how [game/this] works | relative play/joined/account",
    ),
    (Intent.OPPONENT, (Occasion.ACCOUNT,), "who play <game> | opponent play <game> ?"),
    (Intent.GAMES, (Occasion.ACCOUNT,), "what [other] play | [more] games ?"),
    (
        Intent.MINE,
        (Occasion.ACCOUNT,),
        "how games/game/board | [list/what] my board | urgent ? | what urgent [game]"
        " | what/where turn | where/what must move"
        " | running ? | what running | [what/my] running game/games | list running"
        " | list game turn | [how] win this ?",
    ),
    (Intent.PAST, (Occasion.ACCOUNT,), "how [against] win ?"),
    (Intent.GAMES, _ANY, "games ! | what [other] games | list games | other games ?"),
    (
        Intent.WATCH,
        (Occasion.ACCOUNT,),
        "[can/where/how/want] watch [other] [game/games] | where/can list/see other game/games",
    ),
    (Intent.EVENTS, _ANY, "tournament !/? | what/list tournament"),
    (
        Intent.PASSWORD,
        _ANY,
        "forgot/not/other password | how [change] password | what [my] password",
    ),
    (Intent.ADDRESS, _ANY, "[how] change address | other address | [how] twice mail"),
    (
        Intent.PLAYER,
        (Occasion.BOARD, Occasion.ACCOUNT),
        "who/explain <player> | how/what level/rating <player> | level <player> ? | rating <player>"
        " | when <player> last",
    ),
    (
        Intent.WHO,
        _ANY,
        "who you | what this ? ! | spam [mail] | what spam | who sent [this] | who this"
        " | how/where/why you address | price ? | what/how/must price",
    ),
    (Intent.WHO, (Occasion.ACCOUNT,), "[opponent/you] computer ? | you opponent ? | why mail"),
    (
        Intent.RECORD,
        _BOARD,
        "record ! | record game/moves | moves game | [list/explain] whole game | list whole moves"
        " | whole record [game] | list record | [what] [moved] moves so-far | moved so-far"
        " | list moves so-far | how/where/can [can] list game [again] | where/can list moves",
    ),
    (
        Intent.ANALYSIS,
        _BOARD,
        "can/please/want/list analysis [game] | need/explain/how/where analysis"
        " | analysis game/!/?",
    ),
    (
        Intent.RATING,
        (Occasion.BOARD, Occasion.ACCOUNT),
        "rating ? | [how/what] my rating | how/what rating | how [my] rating change"
        " | rating change ? | points ? | my points | [win] rating points | win points | win rating",
    ),
    (
        Intent.PICTURE,
        _BOARD,
        "not see board/picture | [see] not [board] picture | can see board -what | picture ?",
    ),
    (
        Intent.MINE,
        _ANY,
        "what game/games play i -can | [what/list] my game/games | [list] whole my games",
    ),
    (
        Intent.PAST,
        _ANY,
        "finished game ? | my finished game | finished games | list finished game"
        " | [my] game/games against | games against <player>",
    ),
)
"""Each intent, where it is one, and the words that say it: what they stand for in `intents.txt`, or
what the server knows. With a hyphen stands what may not be there; a question mark stands for one,
an exclamation mark for a line of few words. A slash parts what can stand for each other, and in
brackets is what may be left out."""
_TOPICS: _Table = (
    (Intent.WHERE, _BOARD, "where <piece> | square <piece>"),
    (
        Intent.RULES,
        _BOARD,
        "<piece> ? | how <piece> | can <piece> | castle [<piece>] ? | can castle <piece>"
        " | castle <piece> square ? | promote/capture/swapped ? | must ? | rules"
        " | what mean | how win -<player>",
    ),
    (Intent.PANEL, _BOARD, "<panel> ?"),
    (Intent.AGAIN, _BOARD, "again -mishap | rematch"),
    (
        Intent.UNDO,
        _BOARD,
        "wanted/meant <piece> | meant/wanted other | mishap/sorry wrong/wanted/meant"
        " | mishap can | mishap not -see | takes-back | change sent | sorry not square/piece/moves"
        " | wrong move/moves/piece/square/<piece>",
    ),
    (Intent.PAUSE, _BOARD, "can clock -left -list -see | stop clock"),
    (
        Intent.MOVES,
        _BOARD,
        "stuck | hint ? | not understand | can move ? | what can ? | list legal | what legal"
        " | list what can",
    ),
    (Intent.MOVES, (Occasion.TURN,), "hint | what play/move ? | why/help ? | what wrong"),
    (
        Intent.STATUS,
        _BOARD,
        "what happened they/opponent/<player> | time/clock/turn/moved/deadline/win ? | how game"
        " | my/last moves ? | they move ? -<piece>",
    ),
    (Intent.RATING, _BOARD, "rating ? | points ?"),
    (Intent.PICTURE, (Occasion.TURN,), "board | picture"),
    (
        Intent.RECORD,
        _BOARD,
        "list record/moves | whole record/moves | can list game | record can game",
    ),
    (Intent.TIME, _BOARD, "need days/week/weeks | more days/time"),
    (Intent.VACATION, _ANY, "until <day> -draw | holiday <day> -? -they | not week/weeks -they"),
    (Intent.START, _BOARD, "start ?"),
    (Intent.AGAIN, _BOARD, "game ?"),
    (Intent.AGAIN, (Occasion.TURN,), "? -draw -resign -accept -cancel"),
    (Intent.STOP, _ANY, "many mail | stop mail | not more mail | how mail | why mail"),
    (Intent.OPPONENT, (Occasion.TURN,), "have other play | have opponent play"),
    (Intent.STOP, (Occasion.TURN,), "mail -you"),
    (Intent.PASSWORD, (Occasion.ACCOUNT,), "password | not account -want"),
    (Intent.ADDRESS, (Occasion.ACCOUNT,), "change address"),
    (Intent.LEAVE, (Occasion.ACCOUNT,), "leave/stop account"),
    (Intent.WHO, (Occasion.ACCOUNT,), "price | spam"),
    (Intent.EVENTS, (Occasion.ACCOUNT,), "tournament"),
    (Intent.START, (Occasion.ACCOUNT,), "<game> ? | want <game> | computer ?"),
    (Intent.OPPONENT, (Occasion.ACCOUNT,), "opponent ? | seek"),
    (Intent.MINE, (Occasion.ACCOUNT,), "my game ? | turn/must/left ? | game/games urgent"),
    (Intent.PAST, (Occasion.ACCOUNT,), "against"),
    (Intent.RATING, (Occasion.ACCOUNT,), "rating"),
    (Intent.GAMES, (Occasion.ACCOUNT,), "games ?"),
    (Intent.BYE, _EVENT, "not/holiday/withdraw round | bye"),
    (Intent.WITHDRAW, _EVENT, "withdraw | not/holiday/must -?"),
)
"""What a sentence is most likely about, whatever else it says: it may be for the opponent, too."""
_OF_EVENTS = (Intent.BEGIN, Intent.BYE, Intent.PAIRING, Intent.POINTS, Intent.WITHDRAW)
"""What is asked of rounds, by their numbers."""
_ASKING = ("can", "want", "must", "need", "please", "thanks", "list", "explain")
_ONLY_ASK = (
    *_ASKING,
    *("how", "what", "where", "when", "who", "whose", "why", "i", "you", "not", "this", "help"),
    *("rules", "game", "games", "play", "do", "understand", "mean", "works", _ASKED, "asks"),
)
"""What says nothing of what a question is about."""
_LONGEST = 160
_MOST_WORDS = 18
_FEW = 4
_SHORT_WORD = 2
_SHORTEST_GAME = 3
"""A shorter name of a game counts only beside a word for playing or a game."""
_CELL_WORD = re.compile(r"(?=\w*\d)(?=\w*[a-z])\w{2,6}")
_STEM = 3
"""The letters by which the plural of a piece may be longer than its name."""


class Known(NamedTuple):
    """What the server knows where a sentence is read: in all languages the names of pieces, by
    kind, and the titles of panels, with the English ones; the names of players. All are folded."""

    pieces: Mapping[str, str] = {}
    players: Set[str] = frozenset()
    panels: Mapping[str, str] = {}
    own: Set[str] = frozenset()
    """Those of the players' names that are the writer's."""
    terms: Callable[[str], Set[str]] = lambda _: frozenset()
    """The words of the game's page in a language."""


NOTHING_KNOWN = Known()


def find_known(board: Board) -> Known:
    """Return the names of a board's pieces and players."""
    names = {fold(name) for seat in board.seats for name in (seat.userid, seat.account)}
    pieces, panels = _list_names(board.game, len(board.seats), tuple(board.options.items()))
    return Known(pieces, names, panels)


@cache
def _list_names(
    game: Game, players: int, options: tuple[tuple[str, Value], ...]
) -> tuple[Mapping[str, str], Mapping[str, str]]:
    """Return the kinds of pieces with which a game begins, by their names in all languages, and its
    panels' titles likewise."""
    scene = begin(game, players, dict(options)).scene()
    kinds = {piece.kind for piece in scene.pieces}
    pieces = {fold(translate(Phrase(kind), at)): kind for kind in kinds for at in LANGUAGES}
    for kind, at in product(kinds, LANGUAGES):
        pieces |= dict.fromkeys(list_stems(f"{kind}-piece", at), kind)
    titles = {panel.title for panel in scene.panels if panel.title}
    panels = {name_panel(title, at): name_panel(title) for title in titles for at in LANGUAGES}
    for title, at in product(titles, LANGUAGES):
        panels |= dict.fromkeys(list_stems(f"{name_panel(title)}-panel", at), name_panel(title))
    return pieces, panels


def name_panel(title: str, language: str = ENGLISH) -> str:
    """Return the words of a panel's title in a language, folded, without a remark in brackets."""
    return " ".join(split_words(translate(title, language).partition("(")[0]))


class Wish(NamedTuple):
    """What a sentence wants.

    intent    what it wants
    language  the language in which it says so
    size      how many of its words say it
    strange   how many mean nothing here
    about     what it is about, by the words of the table: castle, capture, computer
    pieces    the kinds of pieces that it names
    panel     the English title of the panel that it names, or ""
    game      the game that it names, or ""
    cells     the places of a board that it names
    players   the players whom it names, where they are known
    unknown   the words among which a name may be
    is_question  it asks
    is_negative  it has a word such as not
    is_open      it may as well be said to the opponent
    """

    intent: Intent
    language: str
    size: int
    strange: int
    about: frozenset[str]
    pieces: tuple[str, ...]
    panel: str
    game: str
    cells: tuple[str, ...]
    players: tuple[str, ...]
    unknown: tuple[str, ...]
    is_question: bool
    is_negative: bool
    is_open: bool = False


_MAIL_ADDRESS = re.compile(r"<?(?:mailto:)?([^\s<>,;:()@]+@[^\s<>,;:()@]+\.\w+)>?")


def find_mail_address(line: str) -> str:
    """Return the first mail address in a line, or ""."""
    match = _MAIL_ADDRESS.search(line)
    return match[1] if match else ""


def read_wish(
    line: str, place: Occasion, known: Known = NOTHING_KNOWN, *, is_lenient: bool = False
) -> Wish | None:
    """Return the wish in a line; None if it is not certain that it asks something of the server.
    With `is_lenient` a minority of its words may be meaningless here. In a wish for a game a mail
    address says with whom."""
    wish = _read_wish(line, place, known, is_lenient=is_lenient)
    if wish is None and find_mail_address(line):
        wish = _read_wish(_MAIL_ADDRESS.sub(" ", line), place, known, is_lenient=is_lenient)
        return wish if wish is not None and wish.intent is Intent.START else None
    return wish


def _read_wish(line: str, place: Occasion, known: Known, *, is_lenient: bool) -> Wish | None:
    words = split_words(line) if len(line) <= _LONGEST else []
    if not 0 < len(words) <= _MOST_WORDS:
        return None
    best: tuple[tuple[int, int, int], Wish] | None = None
    for language in LANGUAGES:
        reader = _Reader(line, words, language, known)
        is_for_player = reader.find(_SAID_TO_PERSON) and not reader.find("how")
        is_for_player = bool(is_for_player) and place is Occasion.BOARD
        for order, wish in reader.read_all(_list_patterns(place, _TABLE), int(is_lenient)):
            if is_for_player and wish.intent is not Intent.DRAW:
                continue
            rank = (-wish.strange, wish.size, -order)
            if best is None or rank > best[0]:
                best = rank, wish
    return best[1] if best is not None else None


def is_about_account(line: str, *, at_board: bool) -> bool:
    """Whether a line wishes in a sentence to change or leave the account, for a password or, in
    reply to a board's mail, for a vacation or more time: it may begin like the command that does
    it."""
    first, _, rest = line.partition(" ")
    if at_board and first.lower() == "pause" and begins_with_until(rest):
        return False
    if rest.lower().partition(" ")[0] == "off":
        return False
    words = {*line.split()[1:]} - {"until"}
    if not any(map(str.isalpha, words)):  # dates: the command as it is written
        return False
    wish = read_wish(line, Occasion.ACCOUNT)
    meant = (Intent.LEAVE, Intent.ADDRESS, Intent.PASSWORD)
    if wish is not None and wish.intent in ((*meant, Intent.VACATION) if at_board else meant):
        return True
    return at_board and (wishes_for_time(line) or wishes_for_time(rest))


def wishes_for_time(line: str) -> bool:
    """Whether a line asks for more time and has no other word that may be a userid, which is the
    second behind a number, or a password."""
    wish = read_wish(line, Occasion.BOARD)
    if wish is None or wish.intent is not Intent.TIME:
        return False
    is_plain = all(word.strip(".,!?").isalnum() for word in line.split())
    others = {word for word in wish.unknown if not word.isdecimal()}
    is_short = all(len(word) < SHORTEST_PASSWORD for word in others)
    return is_plain and is_short and others.isdisjoint(split_words(line)[1:2])


_Pattern = tuple[Intent, Sequence[str], frozenset[str]]
"""What is wished for, what a line must say for it, and of that the plain words."""


@cache
def _list_patterns(place: Occasion, table: _Table) -> Sequence[_Pattern]:
    return [
        (intent, pattern, frozenset(each for each in pattern if each[0] not in "-?!<"))
        for intent, places, patterns in table
        if place in places
        for pattern in _list_ways(patterns)
    ]


def _list_ways(patterns: str) -> Iterator[list[str]]:
    """Yield each way to say one of these."""
    for pattern in patterns.split("|"):
        parts = [
            [*part.strip("[]").split("/"), *([""] if part[0] == "[" else [])]
            for part in re.findall(r"\[.*?\]|\S+", pattern)
        ]
        yield from (" ".join(way).split() for way in product(*parts))


@cache
def _list_concepts(intent: Intent) -> frozenset[str]:
    """Return all that the words for an intent stand for."""
    table = [patterns for each, _, patterns in _TABLE if each is intent]
    words = {word for patterns in table for way in _list_ways(patterns) for word in way}
    return frozenset(word for word in words if word[0] not in "-?!|<")


_PARTS = re.compile(r"[.!?;:,]+\s+")
"""What parts the sentences of a line."""
_SUBJECTS = {
    "win": "goal",
    **{
        each: each
        for each in ("castle", "promote", "capture", "pass", "swapped", "connect", "points", "goal")
    },
}
"""What the rules call by other words, too, and what its words stand for."""
_MOST_IN_NAME = 2
_ASIDE = (
    *(Intent.UNDO, Intent.RESIGN, Intent.TIME, Intent.PASSWORD),
    *(Intent.PAUSE, Intent.VACATION, Intent.WITHDRAW, Intent.LEAVE, Intent.STOP),
)
"""What is wished for beside other words; anything else must be asked."""
_VAGUE = (
    *(Intent.MOVES, Intent.RULES, Intent.PANEL, Intent.PICTURE),
    *(Intent.AGAIN, Intent.START, Intent.RATING),
)
"""What a question with other words is about only where the rules have none of these words."""


def find_wish(
    line: str, place: Occasion, known: Known = NOTHING_KNOWN, *, is_lenient: bool = True
) -> tuple[Wish | None, str]:
    """Return the wish in a line, or in one sentence of it, and the other words; None if there is no
    certain wish, or the words may be a move."""
    if (wish := read_wish(line, place, known)) is not None:
        return wish, ""
    ends = [match.end() for match in _PARTS.finditer(line)]
    parts = [line[at:end] for at, end in zip([0, *ends], [*ends, len(line)], strict=True)]
    said = list[tuple[Wish, str]]()
    for part in parts if 1 < len(parts) <= _MOST_WORDS else ():
        wish, rest = read_wish(part, place, known), line.replace(part, "", 1).strip()
        is_letter = all(map(_is_of_letter, (each for each in parts if each is not part)))
        is_sure = wish is not None and (wish.is_question or wish.intent in _ASIDE or is_letter)
        if is_sure and len(split_words(part)) > 1 and not any(map(_CELL_WORD.search, rest.split())):
            said += [(wish, rest)] if wish is not None else []
    if said:  # "there is nothing to be done, I resign"
        return next((each for each in said if each[0].intent in _ASIDE), said[0])
    wish = read_wish(line, place, known, is_lenient=True) if is_lenient else None
    if wish is None and place is Occasion.BOARD:
        wish = _read_about_player(line, known, is_on_move=is_lenient)
    is_vague = wish is not None and (wish.intent in _VAGUE or "happened" in wish.about)
    return None if is_vague and _read_question_of_rules(line, known) else wish, ""


def _is_of_letter(part: str) -> bool:
    """Whether a part of a line is how a letter begins or ends: a greeting, thanks, or a name."""
    words = split_words(part)
    if len(words) <= _MOST_IN_NAME:
        return True
    said = [find_meanings(words, language) for language in LANGUAGES]
    return any({"greeting", "closing", "thanks"} & found.keys() for found in said)


def list_content(line: str, language: str) -> list[tuple[str, list[str]]]:
    """Return the words of a question that say what it is about, with what they stand for: not those
    that only ask, nor those that may stand in any sentence."""
    words = split_words(line[:_LONGEST])[:_MOST_WORDS]
    said = find_meanings(words, language)
    asking = frozenset[int]().union(*(at for name in _ONLY_ASK for at in said.get(name, ())))
    return [
        (
            word,
            [
                to
                for name, to in _SUBJECTS.items()
                if any(at in each for each in said.get(name, ()))
            ],
        )
        for at, word in enumerate(words)
        if at not in asking and not _is_short(word) and word not in list_also(language)
    ]


def _read_question_of_rules(line: str, known: Known, *, is_any: bool = False) -> Wish | None:
    """Return the wish of a question with words that stand for nothing here (with `is_any` for
    whatever), but are words of the game's page, such as "what is a nexus?". None for one to the
    opponent ("what are you"), but for "how do you"."""
    for reader in _list_best_readers(line, known):
        proposes = any(map(reader.find, ("draw", "resign", "undo")))
        is_asked = reader.asks() and (not proposes or reader.find(_ASKED))
        if not is_asked or (reader.find("you") and not reader.find("how")):
            continue
        is_clear = is_any and not proposes and not reader.find("you")
        others = [word for word, _ in list_content(line, reader.language)] if is_clear else []
        words = [find_stem(word) for word in reader.list_strange() or others]
        terms = known.terms(reader.language)
        named = {word for word in words if any(term.startswith(word) for term in terms)}
        if named and len(words) <= 2 * len(named):
            return _build_question(Intent.RULES, reader.language)
    return None


def _list_best_readers(line: str, known: Known) -> list[_Reader]:
    """Return the readers in the languages in which most words of a line mean something."""
    words = split_words(line[:_LONGEST])[:_MOST_WORDS]
    readers = [_Reader(line, words, language, known) for language in LANGUAGES]
    most = max(map(_Reader.count_known, readers))
    return [reader for reader in readers if reader.count_known() == most]


_OF_TURN = {"turn", "must", "move", "moves", "moved", "last"}


def _read_about_player(line: str, known: Known, *, is_on_move: bool) -> Wish | None:
    """Return the wish of any other question that names a player of the board and addresses nobody,
    such as "will bob ever move?": to see how the game stands, or who that is on the own turn, where
    it says nothing of moves. "Are you there, bob?" is for bob."""
    words = split_words(line[:_LONGEST])[:_MOST_WORDS]
    others = known.players - known.own
    names = "|".join(map(re.escape, others))
    if "?" not in line or others.isdisjoint(words) or len(words) <= _MOST_IN_NAME:
        return None
    if re.search(rf",\s*(?:{names})\b|\b(?:{names})\s*,", line, re.IGNORECASE):
        return None
    said = {language: find_meanings(words, language) for language in LANGUAGES}
    language = max(LANGUAGES, key=lambda each: len(said[each]))
    if "you" in said[language]:
        return None
    is_of_turn = _OF_TURN & said[language].keys() or not known.pieces.keys().isdisjoint(words)
    intent = Intent.PLAYER if is_on_move and not is_of_turn else Intent.STATUS
    named = tuple(word for word in words if word in others)
    return _build_question(intent, language)._replace(players=named)


def read_topic(line: str, place: Occasion, known: Known = NOTHING_KNOWN) -> Wish | None:
    """Return what a sentence is most likely about that is not understood as a whole; None where it
    says nothing of what the server knows, or addresses the opponent."""
    readers = _list_best_readers(line, known)
    said = [reader.find(each) for reader in readers for each in ("you", _SAID_TO_PERSON)]
    at_board = place in (Occasion.BOARD, Occasion.TURN)
    if place is Occasion.BOARD and names_move(line, known):
        return None
    patterns = _list_patterns(place, _TOPICS)
    if place is Occasion.TURN:
        patterns = [*_list_patterns(Occasion.BOARD, _TOPICS), *patterns]
    if at_board and any(said):
        patterns = []
    wishes = (wish for each in readers for _, wish in each.read_all(patterns, _MOST_WORDS))
    best = max(wishes, key=lambda wish: wish.size, default=None)
    if at_board and (best is None or best.intent in _VAGUE):
        is_any = best is None or best.intent is Intent.AGAIN
        best = _read_question_of_rules(line, known, is_any=is_any) or best
    return best and best._replace(is_open=True)


def read_inquiry(line: str, place: Occasion) -> Wish | None:
    """Return the wish of a sentence that is not understood, in reply to a mail about an event or an
    account: what it is most likely about; of any other question to see the event, which says most
    that there is to ask, or what one can send."""
    if (wish := read_topic(line, place)) is not None:
        return wish
    intent = Intent.BEGIN if place is Occasion.EVENT else Intent.HELP
    words = split_words(line[:_LONGEST])[:_MOST_WORDS]
    for language in LANGUAGES:
        if "?" in line or any(0 in each for each in find_meanings(words, language).get(_ASKED, ())):
            return _build_question(intent, language)
    return None


def _build_question(intent: Intent, language: str) -> Wish:
    return Wish(
        intent,
        language,
        size=0,
        strange=0,
        about=frozenset(),
        pieces=(),
        panel="",
        game="",
        cells=(),
        players=(),
        unknown=(),
        is_question=True,
        is_negative=False,
    )


def _leave_out_asking(found: dict[str, list[frozenset[int]]]) -> dict[str, list[frozenset[int]]]:
    """Return what words stand for without those that only make a question of the rest, such as
    "est-ce que"."""
    asking = frozenset[int]().union(*found.get("asks", ()))
    if not asking:
        return found
    kept = {name: [each for each in places if not each & asking] for name, places in found.items()}
    return {name: places for name, places in kept.items() if places}


class _Reader:
    """A line as it reads in one language."""

    def __init__(self, line: str, words: Sequence[str], language: str, known: Known) -> None:
        self._line, self._words, self.language = line, words, language
        self._found = _leave_out_asking(find_meanings(words, language))
        self._known = known

    def read_all(self, patterns: Iterable[_Pattern], tolerance: int) -> Iterator[tuple[int, Wish]]:
        """Yield the number of each of these that the line is, and its wish. Of some hundreds few
        have all their words in a line: no others are looked at."""
        said = frozenset(self._found)
        for number, (intent, concepts, words) in enumerate(patterns):
            if words <= said:
                wish = self.read(intent, concepts, tolerance=tolerance)
                if wish is not None:
                    yield number, wish

    def read(self, intent: Intent, concepts: Sequence[str], *, tolerance: int) -> Wish | None:
        """Return the wish that the line is, if it says all of this and nothing else: for each word
        that says it fewer than `tolerance` words that mean nothing here."""
        needed = [each for each in concepts if each[0] not in "-?!"]
        if any(each[0] != "<" and each not in self._found for each in needed):
            return None
        if _QUESTION in concepts and not self.asks():
            return None
        if f"-{_QUESTION}" in concepts and self.asks():
            return None
        if _SHORT in concepts and len(self._words) > _FEW:
            return None
        if any(self.find(each[1:]) for each in concepts if each[0] == "-"):
            return None
        is_own = any(map(self.find, ("how", "can"))) and not self.find("you")
        if "holiday" in needed and self.asks() and not is_own:
            return None  # asked of the opponent
        asks = {"what", "how"}.intersection(needed)
        if asks and "!" in self._line and "?" not in self._line:
            return None  # what a move!
        used = self._assign(needed, frozenset())
        if used is None:
            return None
        also = list_also(self.language)
        unknown = [
            word
            for at, word in enumerate(self._words)
            if at not in used and word not in also and not self._is_known(at, intent)
        ]
        strange = sum(not _is_short(word) for word in unknown)
        if strange and strange >= tolerance * max(len(used), 1):
            return None
        pieces = [self._known.pieces.get(word, "") for word in map(self.stem, self._words)]
        games = [self._words[at] for at in sorted(frozenset().union(*self.find(_GAME)) & used)]
        panels = self.find(_PANEL) if intent is Intent.PANEL else []
        title = " ".join(self._words[at] for at in sorted(frozenset().union(*panels[:1])))
        return Wish(
            intent,
            self.language,
            len(used.union(*(found for each in _ASKING for found in self.find(each)))),
            strange,
            frozenset(filter(self.find, {*needed, *_list_concepts(intent)})),
            tuple(dict.fromkeys(filter(None, pieces))),
            self._known.panels.get(title, ""),
            _name_game(" ".join(games)) if games else "",
            tuple(word for word in self._words if _CELL_WORD.fullmatch(word)),
            tuple(word for word in self._words if word in self._known.players),
            tuple(unknown),
            self.asks(),
            bool(self.find("not")),
        )

    def count_known(self) -> int:
        """Return how many words of the line mean something in this language."""
        said = {at for places in self._found.values() for found in places for at in found}
        also = list_also(self.language)
        return sum(at in said or word in also for at, word in enumerate(self._words))

    def list_strange(self) -> list[str]:
        """Return the words of the line that stand for nothing, and may not stand in any other."""
        said = frozenset[int]().union(*(at for found in self._found.values() for at in found))
        also, tests = list_also(self.language), (self._is_piece, self._is_player, self._is_cell)
        return [
            word
            for at, word in enumerate(self._words)
            if not (at in said or word in also or _is_short(word) or any(is_(at) for is_ in tests))
        ]

    def asks(self) -> bool:
        """Whether the line is a question, by its mark or its first words."""
        return "?" in self._line or any(0 in found for found in self.find(_ASKED))

    def find(self, concept: str) -> list[frozenset[int]]:
        """Return where the line says something: the numbers of the words, each time."""
        if concept[0] == "<" and concept not in self._found:
            self._found[concept] = list(self._find_known(concept))
        return self._found.get(concept, [])

    def _find_known(self, concept: str) -> Iterator[frozenset[int]]:
        if concept == _GAME:
            yield from self._find_games()
            return
        if concept == _PANEL:
            yield from self._find_runs(self._known.panels.__contains__)
            return
        tests = {_PIECE: self._is_piece, _DAY: self._is_day, _PLAYER: self._is_player}
        test = tests.get(concept, self._is_cell)
        yield from (frozenset({at}) for at in range(len(self._words)) if test(at))

    def _assign(self, concepts: Sequence[str], used: frozenset[int]) -> frozenset[int] | None:
        """Return words of the line that match these, one for each; None if there are too few."""
        if not concepts:
            return used
        for found in self.find(concepts[0]):
            if used.isdisjoint(found):
                assigned = self._assign(concepts[1:], used | found)
                if assigned is not None:
                    return assigned
        return None

    def _find_games(self) -> Iterator[frozenset[int]]:
        is_about_games = any(map(self.find, ("play", "game", "start", "have", "rules")))
        is_wished = is_about_games or bool(self.find("want"))

        def names_game(title: str) -> bool:
            is_plain = len(title) < _SHORTEST_GAME and not is_wished
            is_piece = title in self._known.pieces and not is_about_games  # German "Dame"
            return not (is_plain or is_piece or title.isdecimal()) and bool(_name_game(title))

        yield from self._find_runs(names_game)

    def _find_runs(self, is_name: Callable[[str], bool]) -> Iterator[frozenset[int]]:
        """Yield where up to three words in a row are a name, the longest first."""
        for size in (3, 2, 1):
            for at in range(len(self._words) - size + 1):
                if is_name(" ".join(self._words[at : at + size])):
                    yield frozenset(range(at, at + size))

    def _is_known(self, at: int, intent: Intent) -> bool:
        """Whether a word may stand beside the others: one that asks for something, whatever that
        is, a piece, a player, a day where days matter, a place where moves do."""
        if any(self._says(at, concept) for concept in (*_ASKING, *_list_concepts(intent))):
            return True
        if intent in (Intent.VACATION, Intent.PAUSE, Intent.TIME) and (
            self._is_day(at) or self._says(at, "until")
        ):
            return True
        if self._words[at].isdecimal():
            return intent in _OF_EVENTS
        if self._is_cell(at):
            return intent in (Intent.UNDO, Intent.RULES)
        return self._is_piece(at) or self._says(at, "piece") or self._is_player(at)

    def _says(self, at: int, concept: str) -> bool:
        return any(at in each for each in self.find(concept))

    def _is_piece(self, at: int) -> bool:
        return self.stem(self._words[at]) in self._known.pieces

    def stem(self, word: str) -> str:
        """Return the name of a piece of which a word is a form; the word for any other."""
        names = self._known.pieces
        if word[:-1] in names:  # French "fous"
            return word[:-1]
        near = (
            each
            for each in names
            if _STEM < len(each) <= len(word)  # not "see" of "seed"
            if word.startswith(each if len(each) == _STEM + 1 else each[:-1])  # no "king" of "kin"
        )
        return (
            word
            if word in names
            else next((each for each in near if len(word) <= len(each) + _STEM), word)
        )

    def is_day(self) -> bool:
        """Whether the line names a day, or the last one of a time, and says nothing else."""
        also = list_also(self.language)
        return all(
            self._is_day(at) or self._says(at, "until") or word in also or _is_short(word)
            for at, word in enumerate(self._words)
        )

    def _is_day(self, at: int) -> bool:
        word = self._words[at]
        names = ("weekdays", "months", "tomorrow", "week", "weeks", "days", "numbers")
        is_number = word.isdecimal() or _is_number(word)
        return is_number or any(self._says(at, each) for each in names)

    def _is_player(self, at: int) -> bool:
        return self._words[at] in self._known.players

    def _is_cell(self, at: int) -> bool:
        return _CELL_WORD.fullmatch(self._words[at]) is not None


def _is_short(word: str) -> bool:
    """Whether a word is too short to change the meaning."""
    return len(word) <= _SHORT_WORD and word.isascii() and word.isalpha()


def _name_game(title: str) -> str:
    return find_game_name(title) or find_named_game(title)


# Sentences that may be moves, and answers to invitations.


def names_move(line: str, known: Known) -> bool:
    """Whether a line names a move in words, such as `knight takes pawn`: a piece with a place or an
    act, or castling. Such a line is shown to nobody else."""
    words = split_words(line[:_LONGEST])[:_MOST_WORDS]
    for language in LANGUAGES:
        reader = _Reader(line, words, language, known)
        pieces = reader.find(_PIECE)
        if pieces and (reader.find(_CELL) or reader.find("capture")):
            return True
        if len(pieces) > 1 and len(words) <= _FEW:  # Spanish "peón por peón"
            return True
        if reader.find("castle") and (len(words) <= _FEW or reader.find("i")):
            return True
    return False


def find_named(line: str, known: Known) -> tuple[set[str], list[str]]:
    """Return the kinds of pieces that a line names, in whatever language, and its places."""
    words = split_words(line[:_LONGEST])[:_MOST_WORDS]
    reader = _Reader(line, words, ENGLISH, known)
    kinds = {known.pieces[name] for name in map(reader.stem, words) if name in known.pieces}
    return kinds, [word for word in words if _CELL_WORD.fullmatch(word)]


_BESIDE = ("please", "thanks", "sorry", "greeting", "game", "play", "time", _GAME, _PLAYER)
# What leaves an agreement open: a condition, or another time.
_CONDITIONS = ("tomorrow", "week", "weeks", "days", "until", "weekdays", "months")


def read_agreement(
    line: str, known: Known = NOTHING_KNOWN, *, is_reversible: bool = False
) -> bool | None:
    """Return True for a sentence that agrees to a question, False for one that refuses; None for a
    question, a condition or a time, praise of a game, and anything else. To what `is_reversible`
    agrees also who says yes and goes on about something else."""
    if "?" in line or not 0 < len(split_words(line[:_LONGEST])) <= _MOST_WORDS:
        return None
    for language in LANGUAGES:
        consent = _consents(line, language, known)
        head, *below = _leave_out_manners(line, language)
        if consent is None and (is_yes := _consents(head, language, known)) is not None:
            readers = [_Reader(each, split_words(each), language, known) for each in below]
            is_open = any(map(_is_open, readers))
            refuses = any(each.find("refuse") for each in readers)
            thanks = _Reader(head, split_words(head), language, known).find("thanks")
            agrees = any(_consents(each, language, known) for each in below)
            # "Sure, but I am a beginner"; "No thanks, I am busy", but not "No, I do not mind"
            goes_on = is_reversible and not refuses if is_yes else thanks and not agrees
            consent = is_yes if not below or (goes_on and not is_open) else None
        if consent is not None:
            return consent
    return None


def _leave_out_manners(line: str, language: str) -> list[str]:
    """Return the sentences of a line without the greeting and the closing of a letter."""
    parts = _PARTS.split(line)
    said = [find_meanings(split_words(each), language) for each in parts]
    begin = int(len(parts) > 1 and "greeting" in said[0] and not said[0].keys() & {"yes", "agree"})
    end = next((at for at in range(1, len(parts)) if "closing" in said[at]), len(parts))
    return parts[begin : max(end, begin + 1)]


def _is_open(reader: _Reader) -> bool:
    """Whether a sentence sets a condition or a time, or asks something."""
    is_asked = reader.asks() and not reader.find("agree")
    return is_asked or any(map(reader.find, (*_CONDITIONS, "hesitant")))


def _consents(line: str, language: str, known: Known) -> bool | None:
    """Return whether a line agrees (True) or refuses (False) in a language, and says no more."""
    words = split_words(line)
    reader = _Reader(line, words, language, known)
    agrees, refuses = reader.find("agree"), reader.find("refuse")
    # Spanish "por qué no" agrees, though its "no" alone refuses.
    refuses = [each for each in refuses if not any(each < other for other in agrees)]
    # "Nice game!" may praise the last one.
    is_vague = max(map(len, agrees), default=0) == 1 and not reader.find("yes")
    is_praise = is_vague and bool(reader.find("game"))
    said = frozenset[int]().union(*agrees, *refuses)
    is_late = any(map(reader.find, _CONDITIONS))
    is_late |= bool(agrees) and any(not each <= said for each in reader.find("otherwise"))
    if is_praise or is_late or not said:
        return None
    named = _BESIDE if agrees else (*_BESIDE, "otherwise")  # "thanks, but no"
    beside = (found for each in named for found in reader.find(each))
    denied = frozenset[int]().union(*reader.find("not")) - said
    used, also = said.union(*beside), list_also(language)
    others = [word for at, word in enumerate(words) if at not in used]
    if not agrees and all(len(each) == 1 for each in refuses):
        is_clear = not others  # "no", but not "no, I don't mind"
    else:
        is_clear = all(_is_short(word) or word in also for word in others)
    return not refuses if is_clear and (refuses or not denied) else None


def list_stems(concept: str, language: str) -> list[str]:
    """Return the words of a language that stand for something, to be found in a page."""
    words = read_vocabulary(language).get(concept, ())
    return [word.parts[0] for word in words if len(word.parts) == 1]


# Days as people write them: monday, 12 December, next week, for two weeks, 2026-12-12, 12.12.

_ISO = re.compile(r"(\d{4})-(\d{1,2})-(\d{1,2})")
_DAY_AND_MONTH = re.compile(r"(?<!\d)(\d{1,2})([./-])(\d{1,2})(?:\2(\d{4}))?(\.?)(?!\d)")
_WEEK, _MONTHS = 7, 12
_LENGTHS = {"weeks": _WEEK, "days": 1}
_LATEST = 31


def read_day(text: str, today: date) -> date | None:
    """Return the day that a text names, the next one of its kind from tomorrow on; None where it
    names none."""
    if match := _ISO.search(text):
        return _make_date(*map(int, match.groups()))
    if match := _DAY_AND_MONTH.search(text):
        return _read_digits(match, today)
    words = split_words(text)
    for language in LANGUAGES:
        if (day := _read(words, language, today)) is not None:
            return day
    return None


def _read_digits(match: re.Match[str], today: date) -> date | None:
    """Return the day that is written with its month in digits, as 24.12. or 12/24/2026; None where
    the month may be either number."""
    day, month = int(match[1]), int(match[3])
    is_last = not match.string[match.end() :].strip()  # not the 2.5 of 2.5 days
    is_dotted = match[2] == "." and bool(match[4] or match[5] or is_last)
    if month > _MONTHS:
        day, month = month, day
    elif day <= _MONTHS and not is_dotted:
        return None
    if match[4]:
        return _make_date(int(match[4]), month, day)
    days = [_make_date(year, month, day) for year in (today.year, today.year + 1)]
    return next((each for each in days if each is not None and each > today), None)


def read_last_day(text: str, today: date) -> date | None:
    """Return the day that a text such as `until 2 April` names, in any of the languages; None where
    it does not begin so, or says more."""
    is_whole = begins_with_until(text) and any(
        _Reader(text, split_words(text), language, NOTHING_KNOWN).is_day() for language in LANGUAGES
    )
    return read_day(text, today) if is_whole else None


def begins_with_until(text: str) -> bool:
    """Whether a text begins with the word that is *until* in any of the languages, the first of
    those that stand for it there."""
    first = split_words(text)[:1]
    return any([*read_vocabulary(each)["until"][0].parts] == first for each in LANGUAGES)


def _read(words: Sequence[str], language: str, today: date) -> date | None:
    meanings = find_meanings(words, language)

    def find(name: str) -> tuple[int, int] | None:
        """Return where a word of these stands, and which it is."""
        for places in meanings.get(name, ()):
            at = min(places)
            spelled = [word.parts[0] for word in read_vocabulary(language)[name]]
            return at, spelled.index(words[at])
        return None

    def read_count(at: int) -> int:
        """Return the number that is written at a place, in digits or as a word; 0 where none is."""
        if at < 0:
            return 0
        if words[at].isdecimal():
            return int(words[at]) if _is_number(words[at]) else 0
        numbers = [word.parts[0] for word in read_vocabulary(language)["numbers"]]
        return numbers.index(words[at]) + 1 if words[at] in numbers else 0

    if (month := find("months")) is not None:
        near = words[max(month[0] - 2, 0) : month[0] + 2]
        number = next((int(word.rstrip("stndrhe")) for word in near if _is_number(word)), 0)
        years = (today.year, today.year + 1)
        days = [_make_date(year, month[1] + 1, number) for year in years]
        return next((day for day in days if day is not None and day > today), None)
    if (weekday := find("weekdays")) is not None:
        ahead = (weekday[1] - today.weekday() - 1) % _WEEK + 1
        return today + timedelta(days=ahead)
    for unit, length in _LENGTHS.items():
        if (place := find(unit)) is None:
            continue
        if count := read_count(place[0] - 1) or read_count(place[0] - 2):  # 3 more days
            return today + timedelta(days=count * length)
    if find("week") is not None:
        return today + timedelta(days=_WEEK)
    return today + timedelta(days=1) if find("tomorrow") is not None else None


def read_days(text: str) -> int:
    """Return how many days a text says and nothing else, such as `3 days` or `2 Wochen`; 0 for any
    other."""
    words = split_words(text)
    if len(words) != len(("3", "days")) or not _is_number(words[0]):
        return 0
    for language, (unit, length) in product(LANGUAGES, _LENGTHS.items()):
        if any([*word.parts] == words[1:] for word in read_vocabulary(language)[unit]):
            return int(words[0]) * length
    return 0


def _is_number(word: str) -> bool:
    digits = word.rstrip("stndrhe")
    return digits.isdecimal() and len(digits) < 3 and 0 < int(digits) <= _LATEST


def _make_date(year: int, month: int, day: int) -> date | None:
    try:
        return date(year, month, day)
    except ValueError:
        return None


_SHORTEST_DAY = 2


def read_weekday(text: str) -> int | None:
    """Return the day of the week (0 = Monday) that a word names in any language, or that it begins;
    None where it begins none, or several."""
    word = fold(text).strip(" .")
    days = {
        day
        for language in LANGUAGES
        for day, name in enumerate(read_vocabulary(language)["weekdays"])
        if len(word) >= _SHORTEST_DAY and fold(name.parts[0]).startswith(word)
    }
    return days.pop() if len(days) == 1 else None


def say_weekday(day: int) -> str:
    """Return a day of the week (0 = Monday) in short, such as `sat`, which each reader sees in the
    own language."""
    return Page(partial(_say_weekday, day))


def _say_weekday(day: int, language: str) -> str:
    return name_weekday(day, get_language(language))
