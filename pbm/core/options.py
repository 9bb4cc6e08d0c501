"""Parser for the arguments of a challenge or an offer: userids, game options, server options.

It queries no database and starts no board."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from functools import cache, partial
from typing import TYPE_CHECKING, Any

from msgspec import Struct, field
from msgspec.structs import asdict, replace

from pbm.bots import GROUPS, NAMES
from pbm.core import clock
from pbm.core.clock import TimeControl, format_deadline_hour, read_deadline
from pbm.core.feature import OptionField
from pbm.core.refusal import Refusal, RefusalCode
from pbm.core.seat import Way
from pbm.core.words import SHORTEST_PASSWORD
from pbm.games import UnknownGame, get_game
from pbm.locale import ENGLISH, LANGUAGES, Page, translate
from pbm.locale.intents import read_vocabulary
from pbm.locale.words import is_typo_of
from pbm.rules import Game, Option, OptionError, Position, Value
from pbm.rules.phrases import (
    Listing,
    Phrase,
    combine,
    fill_in,
    get_text,
    join_phrases,
    make_phrase,
    phrase,
    wrap,
)

if TYPE_CHECKING:
    from pbm.core.call import Call

_DAYS, _TIME, _FLAG, _COUNT, _RANGE, _BOT = "days", "time", "", "count", "range", "bot"
_NAME, _TEXT, _WAY, _HOURS = "name", "text", "way", "hours"
_SERVER: Mapping[str, tuple[str, str, str]] = {
    "nag": (_DAYS, "--nag=DAYS", phrase("a reminder after this many days without a move (7)")),
    "forfeit": (_DAYS, "--forfeit=DAYS", phrase("the board is lost after this many days (21)")),
    "deadline": (
        _DAYS,
        "--deadline=3d@20:00",
        phrase("the same at an hour, in your zone; mon,thu@20:00/Asia/Tokyo: on such days"),
    ),
    "total": (_DAYS, "--total=DAYS", phrase("the most days a player may use in all (no limit)")),
    "time": (
        _TIME,
        "--time=10d+1d",
        phrase("a clock for the whole game: 10 days, and 1 more for each move, never more than 10"),
    ),
    "unrated": (_FLAG, "--unrated", phrase("the result does not count for ratings")),
    "private": (
        _FLAG,
        "--private",
        phrase("nobody but its players sees the board and its end; unrated"),
    ),
    "club": (
        _NAME,
        "--club=NAME",
        phrase("a board of that club, with ratings of its own; if private, its members see it"),
    ),
    "ask": (_FLAG, "--ask", phrase("the others have to accept first")),
    "title": (
        _TEXT,
        '--title="Winter match"',
        phrase("what the board is called, for everybody to read"),
    ),
}
_DECIDED: Mapping[str, tuple[str, str, str]] = {
    "decide": (
        _WAY,
        "--decide=vote",
        phrase("how a team decides: captain (as usual), first who answers, in turn, by vote"),
    ),
    "boards": (
        _COUNT,
        "--boards=8",
        phrase("a match of two teams, or a simul, on this many boards"),
    ),
}
_MASTERED: Mapping[str, tuple[str, str, str]] = {
    "master": (_NAME, "--master=USERID", phrase("runs the board and does not play: see help GAME")),
}
_CROWDED: Mapping[str, tuple[str, str, str]] = {
    "grace": (
        _HOURS,
        "--grace=HOURS",
        phrase("everybody learns who is out of time, and a move still counts for this many hours"),
    ),
    "standin": (
        _BOT,
        "--standin=level2",
        phrase("this computer player moves for who is out of time, until they are back"),
    ),
}
_OFFERED: Mapping[str, tuple[str, str, str]] = {
    "players": (_COUNT, "--players=3", phrase("for how many players, where the game has several")),
    "rating": (_RANGE, "--rating=1400-1700", phrase("only for players of such a rating")),
    "house": (
        _BOT,
        "--house=level2",
        phrase("if nobody joins within a day, this computer player does"),
    ),
}
# TRANSLATORS: the options of a board in words, one after the other with semicolons between them
_IN_WORDS: Mapping[str, Phrase] = {
    "nag": phrase("days until a reminder: {value}"),
    "forfeit": phrase("days for a move: {value}"),
    "deadline": phrase("moves are due: {value}"),
    "total": phrase("days that a player may use in all: {value}"),
    "time": phrase("a clock for the whole game: {value}"),
    "grace": phrase("hours of grace: {value}"),
    "standin": phrase("{value} moves for who is silent"),
    "house": phrase("{value} joins if nobody else does"),
    "boards": phrase("boards: {value}"),
    "club": phrase("of the club {value}"),
    "private": phrase("only who belongs to it sees the board"),
    "unrated": phrase("the result does not count for ratings"),
}
_UNLIMITED: Mapping[str, Phrase] = {
    "nag": phrase("no reminders"),
    "forfeit": phrase("no limit of time for a move"),
    "total": phrase("no limit of time in all"),
}
_OLD_NAMES = {
    "nagtime": "nag",
    "forfeittime": "forfeit",
    "totaltime": "total",
    "deadline": "forfeit",
}
_ANY_OF_THESE = phrase("with any of these options:")
_SQUARE = re.compile(r"(\d{1,2})[x*\u00d7]\1")
_HINT = re.compile(r"(?<=\w) ?[.:;] (?=\S)| (?=\()")
"""Where in the help of an option or the label of a field begins what explains its values."""
_HELP_COLUMN = 25
_LONGEST = 3660
_LONGEST_TITLE = 40
_LONGEST_GRACE = 168
_PAIR = 2


class Terms(Struct):
    """The terms of a challenge or an offer.

    has_clock  the options name a clock: `control` is not the default
    house      the bot that joins an offer when nobody does
    master     the userid of the player who runs the board
    title      the board's title, as its maker wrote it
    decide     how the teams on it decide: see `Way`
    boards     of a match of teams; 0 for one board
    private    only its players, or the members of its club, may see the board
    club       the club whose board it is, by name; only its members play
    standin    the bot that moves for silent players
    """

    userids: list[str] = field(default_factory=list)
    options: dict[str, Value] = field(default_factory=dict)
    control: TimeControl = field(default_factory=TimeControl)
    has_clock: bool = False
    unrated: bool = False
    ask: bool = False
    players: int | None = None
    rating: tuple[int, int] | None = None
    house: str = ""
    master: str = ""
    title: str = ""
    decide: str = Way.CAPTAIN.value
    boards: int = 0
    private: bool = False
    club: str = ""
    standin: str = ""

    def is_unrated(self, game: Game) -> bool:
        """Whether the result does not count, by the terms or by an option of the game."""
        return (
            self.unrated
            or self.private
            or any(option.unrated and option.name in self.options for option in game.info.options)
        )

    def dump_server(self) -> dict[str, Any]:
        """Return the server options, as they are stored."""
        terms = {"control": asdict(self.control), "unrated": self.unrated}
        terms |= {"master": self.master} if self.master else {}
        terms |= {"title": self.title} if self.title else {}
        terms |= {"boards": self.boards} if self.boards else {}
        terms |= {"private": True} if self.private else {}
        terms |= {"club": self.club} if self.club else {}
        terms |= {"standin": self.standin} if self.standin else {}
        return terms | {"house": self.house} if self.house else terms


def load_terms(options: Mapping[str, Value], server: Mapping[str, Any]) -> Terms:
    """Build terms from stored options."""
    return Terms(
        options=dict(options),
        control=TimeControl(**server["control"]),
        unrated=bool(server["unrated"]),
        house=server.get("house", ""),
        master=server.get("master", ""),
        title=server.get("title", ""),
        boards=server.get("boards", 0),
        private=server.get("private", False),
        club=server.get("club", ""),
        standin=server.get("standin", ""),
    )


_USUAL, _USUAL_BANK = TimeControl(), TimeControl(forfeit=None)
"""The default time control of a board, and the one with only a bank of time."""


def format_server(
    control: TimeControl,
    *,
    unrated: bool,
    private: bool = False,
    standin: str = "",
    club: str = "",
) -> str:
    """Format the server options that differ from their defaults, as a player would write them."""
    words = []
    usual = _USUAL_BANK if control.bank is not None else _USUAL
    for name in ("nag", "forfeit", "total"):
        days = getattr(control, name)
        if name == "forfeit" and control.at:
            words.append(f"--deadline={format_deadline_hour(days or 1, control.at)}")
        elif days != getattr(usual, name):
            words.append(f"--{name}={'none' if days is None else f'{days:g}'}")
    if control.grace:
        words.append(f"--grace={control.grace:g}")
    if control.bank is not None:
        more = f"+{clock.format_duration(control.increment)}" if control.increment else ""
        words.append(f"--time={clock.format_duration(control.bank)}{more}")
    if standin:
        words.append(f"--standin={standin}")
    if club:
        words.append(f"--club={club}")
    if private:
        return " ".join([*words, "--private"])
    return " ".join([*words, "--unrated"] if unrated else words)


class _WrongOption(Exception):
    """An invalid option: the reason, its name, and a valid form of it."""

    def __init__(self, text: str, name: str = "", instead: str = "") -> None:
        super().__init__(text)
        self.text = text
        self.name = name
        self.instead = instead


def read_terms(
    game: Game,
    words: Sequence[str],
    form: Callable[[Sequence[str]], str],
    *,
    offered: bool = False,
    writer: Call | None = None,
) -> Terms:
    """Parse userids and options in any order, in the zone of their writer. Both kinds of options
    take one dash or two and may stand in brackets, as forms of pages have them, and userids may be
    separated by commas. A Refusal suggests a corrected line: `form` of the userids, with the valid
    options. Refuse a title of a writer who is silenced or a newcomer."""
    terms = Terms()
    server: dict[str, str] = {}
    right: dict[str, str] = {}
    wrong: list[_WrongOption] = []
    loose: list[str] = []
    rest = [word.strip("[]") if word.startswith("[-") else word for word in words]
    rest = [add_dash(game, word, offered=offered) for word in rest]
    while rest:
        word = rest.pop(0)
        if not word.startswith("-") or word.strip("-") == "":
            userids = (userid.strip("<>\"'") for userid in re.split("[,;]", word))
            terms.userids += filter(None, userids)
            continue
        try:
            name, text = _read_word(game, word, rest, offered=offered)
            if name == "title" and not (text[:1] in '"\u201c\u201e' or " " in text):
                while rest and not rest[0].startswith("-"):
                    loose.append(rest.pop(0))
                text = " ".join([text, *loose])
            right[name] = _read_option(game, terms, server, name, text)
        except _WrongOption as error:
            wrong.append(error)
            right[error.name] = error.instead
    try:
        _read_server(terms, server, writer.zone if writer is not None else "UTC")
        _require_clear_title(game, terms, loose, form, offered=offered)
    except _WrongOption as error:
        wrong.append(error)
        right[error.name] = error.instead
    if terms.title and writer is not None:
        writer.require_voice()
        if writer.is_newcomer:
            problem = phrase(
                "everybody reads the title of a board, so it is for those who have played one to "
                "its end here, or have been here for some days"
            )
            wrong.append(_WrongOption(problem, "title", ""))
            right["title"] = ""
    if wrong:
        line = " ".join([form(terms.userids), *filter(None, right.values())])
        is_meant = len(wrong) == 1 and f'"{terms.title}"' in wrong[0].instead
        is_meant &= all(right.values()) and "USERID" not in line
        raise Refusal(
            RefusalCode.BAD_OPTION,
            wrong[0].text,
            line,
            *([] if is_meant else suggest_options(game, offered=offered)),
            field=wrong[0].name,
        )
    return terms


def add_dash(game: Game, word: str, *, offered: bool = False) -> str:
    """Return a word that is no userid and can only be an option as one: `size=9`, `9x9`."""
    names = {option.name for option in game.info.options}
    if (size := _SQUARE.fullmatch(word)) and "size" in names:
        return f"-size={size[1]}"
    name, equals, _ = word.partition("=")
    names = {*map(_normalize_name, (*names, *_get_server_options(game, offered=offered)))}
    return f"-{word}" if equals and _normalize_name(name) in names else word


def read_loose_options(game: Game, words: Sequence[str], *, offered: bool = False) -> list[str]:
    """Return words that name no player as the options that they are without their dash, such as
    `handicap 3`, `unrated` or `3 days`; nothing if they are anything else."""
    found, rest = list[str](), list(words)
    while rest:
        word = rest.pop(0)
        if word.isdecimal() and rest and rest.pop(0).lower() in _list_words_for_days():
            found.append(f"--forfeit={word}")
            continue
        try:
            name, kind = _find_option(game, word, offered=offered)
        except _WrongOption:
            return []
        if _normalize_name(name) != _normalize_name(word):
            return []
        dashes = "-" if any(option.name == name for option in game.info.options) else "--"
        if kind in (_FLAG, "flag"):
            found.append(f"{dashes}{name}")
        elif rest and rest[0].isalnum():
            found.append(f"{dashes}{name}={rest.pop(0)}")
        else:
            return []
    try:
        read_terms(game, found, lambda _: "", offered=offered)
    except Refusal:
        return []
    return found


@cache
def _list_words_for_days() -> frozenset[str]:
    return frozenset(
        word.parts[0] for language in LANGUAGES for word in read_vocabulary(language)["days"]
    )


def _read_word(game: Game, word: str, rest: list[str], *, offered: bool) -> tuple[str, str]:
    """Read an option: (full name, value). The value may be the next word, which is then taken."""
    beginning, equals, text = word.lstrip("-").partition("=")
    name, kind = _find_option(game, beginning, offered=offered)
    if kind not in (_FLAG, "flag") and not equals:
        if not rest:
            raise _WrongOption(
                phrase("{option} needs a value", option=make_phrase(f"-{name}")),
                name,
                _build_example(game, name, offered=offered),
            )
        text = rest.pop(0)
    return name, text


def _read_option(game: Game, terms: Terms, server: dict[str, str], name: str, text: str) -> str:
    """Store an option and return it in a form that may be quoted, or "" when its value may not."""
    option = next((each for each in game.info.options if each.name == name), None)
    if option is None:
        server[name] = text
        is_plain = re.fullmatch(r"[0-9]{0,3}[dh]?", text) or text in NAMES
        is_plain = is_plain or read_deadline(text, "UTC") is not None
        return f"--{name}={text}" if text and is_plain else "" if text else f"--{name}"
    try:
        value = option.read(text if text or option.kind != "flag" else True)
    except OptionError as error:
        raise _WrongOption(get_text(error), name, _suggest_option(option, text)) from None
    terms.options[name] = value
    seats = {seat for names in game.info.seats.values() for seat in names}
    if option.kind == "text" and not seats.issuperset(str(value).split(",")):
        return ""
    return f"-{name}" if option.kind == "flag" else f"-{name}={value}"


def _suggest_option(option: Option, text: str) -> str:
    """Return an option with the allowed value nearest to a text."""
    if option.kind in ("int", "float"):
        try:
            number = min(max(float(text), option.low), option.high)
        except ValueError:
            number = float(option.default if option.default is not None else option.low)
        return f"-{option.name}={int(number) if option.kind == 'int' else number:g}"
    if option.kind == "choice":
        return f"-{option.name}={option.default or option.choices[0]}"
    return f"-{option.name}" if option.kind == "flag" else ""


def _build_example(game: Game, name: str, *, offered: bool) -> str:
    option = next((each for each in game.info.options if each.name == name), None)
    if option is not None:
        return _suggest_option(option, "")
    usage = _get_server_options(game, offered=offered)[name][1]
    return usage.replace("DAYS", "14").replace("HOURS", "24")


def _read_server(terms: Terms, params: dict[str, str], zone: str) -> None:
    """Set the server options from their texts."""
    terms.unrated, terms.ask = "unrated" in params, "ask" in params
    terms.private = "private" in params
    terms.has_clock = any(name in params for name in ("nag", "forfeit", "total", "time"))
    control = terms.control
    if "@" in params.get("forfeit", ""):
        control = _read_hour(params.pop("forfeit"), zone, others={*params})
    for name in {"nag", "forfeit", "total"} & set(params):
        control = replace(control, **{name: _read_days(name, params[name])})
    if "grace" in params:
        control = replace(control, grace=_read_grace(params["grace"]))
    if "time" in params:
        time_limits = clock.read_time(params["time"])
        if time_limits is None:
            raise _WrongOption(
                phrase(
                    "{option} is a number of days and what each move adds: {example}",
                    option=make_phrase("--time"),
                    example="10d+1d",
                ),
                "time",
                "--time=10d+1d",
            )
        if control.total is not None:
            raise _WrongOption(
                phrase(
                    "{option} and {other_option} cannot be combined",
                    option=make_phrase("--time"),
                    other_option=make_phrase("--total"),
                ),
                "total",
            )
        forfeit = control.forfeit if "forfeit" in params else None
        control = replace(control, bank=time_limits[0], increment=time_limits[1], forfeit=forfeit)
    terms.control = control
    terms.master = params.get("master", "")
    terms.club = params.get("club", "").lower()
    if "boards" in params:
        if not re.fullmatch(r"[1-9][0-9]?", params["boards"]):
            raise _refuse_count("boards", 8)
        terms.boards = int(params["boards"])
    if "decide" in params:
        terms.decide = _read_way(params["decide"])
    if "title" in params:
        terms.title = _read_title(params["title"])
    if "players" in params:
        if not re.fullmatch(r"[0-9]{1,2}", params["players"]):
            raise _refuse_count("players", 3)
        terms.players = int(params["players"])
    if "rating" in params:
        terms.rating = _read_rating(params["rating"])
    terms.house = _read_bot(params, "house")
    terms.standin = _read_bot(params, "standin")


def _refuse_count(name: str, example: int) -> _WrongOption:
    text = phrase(
        "{option} is a number, for instance {example}",
        option=make_phrase(f"--{name}"),
        example=example,
    )
    return _WrongOption(text, name, f"--{name}={example}")


def _read_bot(params: Mapping[str, str], name: str) -> str:
    """Read the name of a computer player; "" where the option is not given."""
    bot = params.get(name, "").lower()
    if name in params and bot not in NAMES:
        raise _WrongOption(
            phrase(
                "{option} is a computer player: {names}",
                option=make_phrase(f"--{name}"),
                names=join_phrases(", ", GROUPS),
            ),
            name,
            f"--{name}=level2",
        )
    return bot


def _read_way(text: str) -> str:
    if (way := text.lower()) not in [*Way]:
        raise _WrongOption(
            phrase(
                "{option} is one of these: {ways}",
                option=make_phrase("--decide"),
                ways=", ".join(Way),
            ),
            "decide",
            "--decide=vote",
        )
    return way


def _read_title(text: str) -> str:
    """Read a title, without the quotes around it."""
    title = " ".join(text.strip('"\u201c\u201d\u201e ').split())
    if not 0 < len(title) <= _LONGEST_TITLE or not title.isprintable():
        raise _WrongOption(
            phrase(
                "{option} is a text of up to {most} characters",
                option=make_phrase("--title"),
                most=_LONGEST_TITLE,
            ),
            "title",
            _SERVER["title"][1],
        )
    return title


def _require_clear_title(
    game: Game,
    terms: Terms,
    loose: Sequence[str],
    form: Callable[[Sequence[str]], str],
    *,
    offered: bool,
) -> None:
    """Refuse a title without quotes behind which userids may stand. The last words that are players
    are taken for them."""
    if not loose or offered:
        return
    words = terms.title.split()
    for size in range(min(len(loose), max(game.info.players)), 0, -1):
        names = loose[-size:]
        if {*names} <= {*form([*terms.userids, *names]).split()}:
            terms.userids += names
            words = words[:-size]
            break
    else:
        counts = {len(terms.userids) + len(loose) + sender for sender in (0, 1)}
        if not counts & {*game.info.players}:
            return
    terms.title = " ".join(words)
    is_plain = all(word.isalpha() or len(word) < SHORTEST_PASSWORD for word in words)
    is_plain &= all(word[1:].islower() for word in words if len(word) >= SHORTEST_PASSWORD)
    raise _WrongOption(
        phrase("a title of several words stands in quotes"),
        "title",
        f'--title="{terms.title}"' if is_plain else _SERVER["title"][1],
    )


def _read_hour(text: str, zone: str, *, others: Collection[str]) -> TimeControl:
    """Read a deadline at an hour of the day: `3d@20:00`, `mon,wed,fri@20:00/Europe/Berlin`."""
    found = read_deadline(text, zone)
    if found is None or found[0] > _LONGEST:
        raise _WrongOption(
            phrase(
                "a deadline is at an hour of the day, after a number of days or on certain "
                "weekdays: {examples}",
                examples=Listing(("3d@20:00", "mon,wed,fri@20:00/Europe/Berlin"), "or"),
            ),
            "forfeit",
            "--deadline=3d@20:00",
        )
    if {"total", "time"} & {*others}:
        raise _WrongOption(
            phrase(
                "{option} and {other_option} have no deadline at an hour of the day",
                option=make_phrase("--total"),
                other_option=make_phrase("--time"),
            ),
            "forfeit",
        )
    return replace(TimeControl(), forfeit=found[0], at=found[1])


def _read_days(name: str, text: str) -> float | None:
    """Read days: `14`, `1.5`, `3d` or `12h`; None for `none`."""
    if text.lower() in ("none", "no"):
        return None
    time_limits = clock.read_time(text if text[-1:].lower() in ("d", "h") else f"{text}d")
    if time_limits is None or time_limits[1]:
        raise _WrongOption(
            phrase(
                "{option} is a number of days up to {most}, such as 14",
                option=make_phrase(f"--{name}"),
                most=_LONGEST,
            ),
            name,
            f"--{name}=14",
        )
    return time_limits[0]


def _read_grace(text: str) -> float:
    if not re.fullmatch(r"[0-9]{1,3}", text) or int(text) > _LONGEST_GRACE:
        raise _WrongOption(
            phrase(
                "{option} is a number of hours up to {most}, such as 24",
                option=make_phrase("--grace"),
                most=_LONGEST_GRACE,
            ),
            "grace",
            "--grace=24",
        )
    return float(text)


def _read_rating(text: str) -> tuple[int, int]:
    """Read a range of ratings: (lowest, highest)."""
    match = re.fullmatch(r"(\d{1,4})-(\d{1,4})", text)
    if match is None or int(match[1]) > int(match[2]):
        raise _WrongOption(
            phrase("{option} is a range, for instance 1400-1700", option=make_phrase("--rating")),
            "rating",
            "--rating=1400-1700",
        )
    return int(match[1]), int(match[2])


def _get_server_options(game: Game, *, offered: bool) -> dict[str, tuple[str, str, str]]:
    """Return the server's options for a game; one that is also talked may have a master, one of
    three and more players a time of grace."""
    is_talked = any(option.name == "press" for option in game.info.options)
    return {
        **_SERVER,
        **(_MASTERED if is_talked else {}),
        **(_CROWDED if max(game.info.players) > _PAIR else {}),
        **(_OFFERED if offered else _DECIDED),
    }


def _find_option(game: Game, beginning: str, *, offered: bool) -> tuple[str, str]:
    """Return the full name and kind of the option that has this unique beginning. Case, hyphens and
    underscores do not matter, nor whether colour is spelt with a u."""
    kinds = {name: row[0] for name, row in _get_server_options(game, offered=offered).items()}
    kinds |= dict.fromkeys(_OLD_NAMES, _DAYS)
    kinds |= {option.name: option.kind for option in game.info.options}
    wanted = _normalize_name(beginning)
    matches = [name for name in kinds if _normalize_name(name) == wanted] or [
        name for name in kinds if wanted and _normalize_name(name).startswith(wanted)
    ]
    matches = list(dict.fromkeys(_OLD_NAMES.get(name, name) for name in matches))
    if len(matches) == 1:
        return matches[0], kinds[matches[0]]
    option = f"-{beginning[:20]}"
    if matches:
        several = Listing((f"-{name}" for name in matches), "or")
        raise _WrongOption(phrase("{option} could be {several}", option=option, several=several))
    near = [name for name in kinds if is_typo_of(wanted, _normalize_name(name))]
    text = phrase("there is no option {option}", option=option)
    if len(near) != 1:
        raise _WrongOption(text)
    dashes = "-" if any(option.name == near[0] for option in game.info.options) else "--"
    value = _build_example(game, near[0], offered=offered) if kinds[near[0]] else ""
    raise _WrongOption(
        phrase("{problem}: did you mean {meant}?", problem=text, meant=dashes + near[0]),
        near[0],
        value or dashes + near[0],
    )


def _normalize_name(name: str) -> str:
    return re.sub("[-_]", "", name).lower().replace("colour", "color")


def set_up(
    game: Game, players: int, options: Mapping[str, Value], form: str, *, offered: bool = False
) -> Position:
    """Return the first position of a board. Refuse options that the game does not allow, with the
    command in that form and what they lack, or all options."""
    try:
        return game.setup(players, options)
    except OptionError as error:
        lines = [form, *(suggest_options(game, offered=offered) if options else ())]
        if error.missing and not any(each.kind == "text" for each in game.info.options):
            given = (
                f"-{name}" if value is True else f"-{name}={value}"
                for name, value in options.items()
            )
            lines = [" ".join((form, *given, error.missing))]
        raise Refusal(RefusalCode.BAD_OPTION, get_text(error), *lines) from None


def suggest_options(game: Game, *, offered: bool = False) -> list[str]:
    """Return the lines of a refusal that list the options below a command to send."""
    return suggest_rows(list_options(game, offered=offered))


def suggest_rows(rows: Iterable[tuple[str, str]]) -> list[str]:
    """Return the lines of a refusal that list options, each with its usage and help."""
    return [_ANY_OF_THESE, *(Page(partial(_write_option, usage, help)) for usage, help in rows)]


def format_options(game: Game, *, offered: bool = False, language: str = ENGLISH) -> list[str]:
    """List all options of the game and the server, in lines of at most 74 columns."""
    return format_option_rows(list_options(game, offered=offered), language)


def list_options(game: Game, *, offered: bool = False) -> list[tuple[str, str]]:
    """Return the usage and the help of each option of the game and the server."""
    rows = [(option.usage, _describe_option(option)) for option in game.info.options]
    return rows + [
        (usage, help) for _, usage, help in _get_server_options(game, offered=offered).values()
    ]


def list_challenge_fields(_call: Call, game: str) -> list[OptionField]:
    """Return the options of a challenge as fields of a form."""
    return list_fields(get_game(game), offered=False)


def list_offer_fields(_call: Call, game: str) -> list[OptionField]:
    """Return the options of an open offer as fields of a form."""
    return list_fields(get_game(game), offered=True)


def list_fields(game: Game, *, offered: bool) -> list[OptionField]:
    """Return the options of the game and the server as fields, each with its usual value."""
    kinds = {"flag": "flag", "choice": "choice", "int": "count"}
    fields = [
        OptionField(
            option.name,
            f"-{option.name}" if option.kind == "flag" else f"-{option.name}=",
            Phrase(option.help),
            kinds.get(option.kind, "text"),
            "" if option.default is None or option.kind == "flag" else str(option.default),
            [(each, each) for each in option.choices],
        )
        for option in game.info.options
    ]
    usual = {name: getattr(_USUAL, name) for name in ("nag", "forfeit")}
    for name, (kind, usage, help) in _get_server_options(game, offered=offered).items():
        head = usage if kind == _FLAG else f"--{name}="
        words = NAMES if kind == _BOT else [*Way] if kind == _WAY else ()
        choices = [(each, each) for each in ("", *words)] if words else ()
        known = {_FLAG: "flag", _BOT: "choice", _WAY: "choice", _COUNT: "count"}.get(kind, "text")
        value = f"{usual[name]:g}" if usual.get(name) else ""
        example = usage.partition("=")[2].strip('"')
        example = "" if example.isupper() else example
        fields.append(OptionField(name, head, help, known, value, choices, example))
    return fields


def format_option_rows(rows: Iterable[tuple[str, str]], language: str = ENGLISH) -> list[str]:
    """List options, each with its usage and help, in lines of at most 74 columns."""
    return [line for row in rows for line in _write_option(*row, language).split("\n")]


def put_options_in_words(game: str, typed: str, say: Callable[[str], str]) -> str:
    """Return options of a game, as they are typed, in words that `say` translates; its own ones
    stay as they are where the game is missing."""
    try:
        helps = {option.name: Phrase(option.help) for option in get_game(game).info.options}
    except UnknownGame:
        helps = {}
    said = list[str]()
    for word in typed.split():
        name, _, value = word.lstrip("-").partition("=")
        if name in helps:
            label, _ = split_label(say(helps[name]))
            said.append(
                say(combine("{what}: {value}", what=label, value=value)) if value else label
            )
        else:
            pattern = _UNLIMITED.get(name) if value == "none" else _IN_WORDS.get(name)
            said.append(say(fill_in(pattern, value=value)) if pattern else word)
    return say(join_phrases("; ", said))


def split_label(text: str) -> tuple[str, str]:
    """Return what names an option or a field, and what explains its values; "" for nothing."""
    label, _, hint = _HINT.sub("\n", text, count=1).partition("\n")
    return label, hint


def is_board_option(game: Game, beginning: str) -> bool:
    """Whether an option of the game or the server begins so."""
    names = [*_SERVER, *_OLD_NAMES, *(option.name for option in game.info.options)]
    wanted = _normalize_name(beginning)
    return any(_normalize_name(name).startswith(wanted) for name in names)


def _describe_option(option: Option) -> str:
    """Return the effect of an option, and its default."""
    help = Phrase(option.help)
    shown = Phrase(option.shown)
    usual = shown or ("" if option.default is None else str(option.default))
    if not usual or option.kind == "flag":
        return help
    return combine("{help} ({usual})", help=help, usual=usual)


def _write_option(usage: str, help: str, language: str) -> str:
    """Write an option: its usage, with its help beside it, or below when the usage is long."""
    heads = textwrap.wrap(usage, 74, subsequent_indent="  ")
    texts = wrap(translate(help, language), 74 - _HELP_COLUMN) or [""]
    beside = f"{heads[-1]:<{_HELP_COLUMN}}{texts[0]}".rstrip()
    if len(heads[-1]) < _HELP_COLUMN:
        heads, texts = [*heads[:-1], beside], texts[1:]
    return "\n".join([*heads, *(" " * _HELP_COLUMN + text for text in texts)])
