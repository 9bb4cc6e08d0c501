"""Parser for the arguments of `event new`: the kind, the game, and options of the event, the game
and the server, in any order."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any

from msgspec.structs import replace

from pbm.core.call import Call
from pbm.core.clock import DAY, TimeControl
from pbm.core.feature import OptionField
from pbm.core.options import (
    Terms,
    is_board_option,
    list_fields,
    list_options,
    read_terms,
    suggest_rows,
)
from pbm.core.refusal import Refusal, RefusalCode
from pbm.core.words import find_game_name, join_game_title, normalize_word
from pbm.features.events.record import build_usual_name
from pbm.games import get_game
from pbm.pairing.kinds import KINDS
from pbm.pairing.tie_breaks import NAMED
from pbm.rules import Game
from pbm.rules.game import ANONYMOUS
from pbm.rules.phrases import Listing, Phrase, make_phrase, phrase

_FORM = "event new KIND GAME {user} PASSWORD"
_COUNT, _DAYS, _DATE, _RANGE, _TEXT, _CHOICE, _BREAKS = (
    "count", "days", "date", "range", "text", "choice", "breaks",
)  # fmt: skip
_UNDECIDED = ("rating", "draw", "operator")
_DAYS_TO_ENTER = 7
_LONGEST_NAME = 40
_LONGEST = 3660.0
_MOST = 1000


@dataclass(frozen=True, slots=True)
class _Option:
    """An option of an event: the form of its value, and its help. Unless `is_common`, it exists for
    some kinds only."""

    name: str
    kind: str
    usage: str
    help: str
    is_common: bool = False
    least: int = 1
    most: int = 100


_OPTIONS = {
    each.name: each
    for each in (
        _Option("name", _TEXT, "--name=NAME", phrase("what it is called"), is_common=True),
        _Option(
            "begins",
            _DATE,
            "--begins=DATE",
            phrase("the day it begins, UTC (in a week)"),
            is_common=True,
        ),
        _Option(
            "ends",
            _DATE,
            "--ends=DATE",
            phrase("its last day, UTC (after 12 weeks)"),
            is_common=True,
        ),
        _Option(
            "max", _COUNT, "--max=40", phrase("how many may enter"), is_common=True, most=_MOST
        ),
        _Option(
            "rating",
            _RANGE,
            "--rating=1400-1700",
            phrase("only for players of such a rating"),
            is_common=True,
        ),
        _Option(
            "rounds",
            _COUNT,
            "--rounds=7",
            phrase("rounds of a Swiss, or boards for each player with three seats or more"),
        ),
        _Option(
            "boards",
            _COUNT,
            "--boards=2",
            phrase(
                "boards of the same players: 2 for a double round robin, best of 3; of teams, "
                "the boards of a match"
            ),
            most=15,
        ),
        _Option("seats", _COUNT, "--seats=3", phrase("seats at a board"), least=2, most=16),
        _Option("groups", _COUNT, "--groups=4", phrase("groups of a round robin")),
        _Option("advance", _COUNT, "--advance=2", phrase("this many of each group play the final")),
        _Option(
            "together", _COUNT, "--together=3", phrase("boards that one player has at a time (all)")
        ),
        _Option("divisions", _COUNT, "--divisions=4", phrase("divisions of a league")),
        _Option("exchange", _COUNT, "--exchange=2", phrase("how many move up and down (1)")),
        _Option("every", _DAYS, "--every=91", phrase("days from one season to the next (no next)")),
        _Option("reach", _COUNT, "--reach=3", phrase("rungs that a challenge may reach up (3)")),
        _Option("answer", _DAYS, "--answer=7", phrase("days to accept a challenge (7)")),
        _Option("decay", _DAYS, "--decay=30", phrase("days without a board that cost a rung (30)")),
        _Option(
            "unfinished",
            _CHOICE,
            "--unfinished=rating",
            phrase(
                "boards open at the end: rating (200 points more win, else a draw), draw or "
                "operator"
            ),
            is_common=True,
        ),
        _Option(
            "vacation",
            _DAYS,
            "--vacation=14",
            phrase("days for which a clock may stand still (14)"),
            is_common=True,
        ),
        _Option(
            "silent",
            _DAYS,
            "--silent=21",
            phrase("days of silence that end a player's part (21)"),
            is_common=True,
        ),
        _Option(
            "tiebreak",
            _BREAKS,
            "--tiebreak=2024",
            phrase("FIDE's tie-breaks of 2024, or some: cut1,buchholz,sonneborn (those of 2012)"),
        ),
        _Option("tour", _COUNT, "--tour=5", phrase("the tour it counts for"), most=10**9),
    )
}
_NAMES = {"adjudication": "unfinished", "starts": "begins", "most": "max", "title": "name"}


@dataclass(slots=True)
class EventTerms:
    """The terms of a new event.

    rules     options of `pbm.pairing`, by name
    board     options of the game and the server for each board
    begins, ends  POSIX times; an end of None: never
    """

    kind: str
    game: Game
    board: Terms
    rules: dict[str, Any] = field(default_factory=dict)
    name: str = ""
    begins: float = 0.0
    ends: float | None = None
    most: int | None = None
    rating: tuple[int, int] | None = None
    vacation: float = 14.0
    silent: float = 21.0
    tour: int | None = None


def read_event(words: Sequence[str], now: float) -> EventTerms:
    """Parse kind, game and options. A Refusal says what is wrong and lists the options."""
    kind = normalize_word(words[0]).replace("-", "") if words else ""
    if kind not in KINDS:
        raise Refusal(
            RefusalCode.BAD_ARGUMENT,
            phrase("the kind of event is missing: {kinds}", kinds=", ".join(KINDS)),
            *(_FORM.replace("KIND", each) for each in KINDS),
        )
    rest = join_game_title(words[1:]) if len(words) > 1 else []
    name = find_game_name(rest[0]) if rest else ""
    form = _FORM.replace("KIND", kind)
    if not name:
        raise Refusal(RefusalCode.NO_SUCH_GAME, phrase("the game is missing"), form, "games")
    game = get_game(name)
    form = form.replace("GAME", name)
    own, others = _split(kind, game, rest[1:], form)
    values = {key: _read(_OPTIONS[key], text, kind, game, form) for key, text in own.items()}
    terms = EventTerms(kind, game, read_terms(game, others, lambda _: form))
    if terms.board.userids:
        raise Refusal(
            RefusalCode.BAD_ARGUMENT,
            phrase("an event is open to everybody: players enter it for themselves"),
            form,
        )
    if ANONYMOUS in terms.board.options:
        raise Refusal(
            RefusalCode.BAD_OPTION,
            phrase(
                "an event says who plays whom, so that its boards cannot hide it: leave out "
                "{option}",
                option=make_phrase(f"-{ANONYMOUS}"),
            ),
            form,
        )
    if terms.board.private and not terms.board.club:
        raise Refusal(
            RefusalCode.BAD_OPTION,
            phrase(
                "everybody may see the boards of an event: leave out {option}, or name a club with "
                "{other_option}",
                option=make_phrase("--private"),
                other_option=make_phrase("--club"),
            ),
            form,
        )
    if terms.board.ask:
        raise Refusal(
            RefusalCode.BAD_OPTION,
            phrase(
                "who enters an event agrees to its boards: leave out {option}",
                option=make_phrase("--ask"),
            ),
            form,
        )
    _apply(terms, values, now)
    _check(terms, form)
    if not terms.board.has_clock:
        terms.board.control = _choose_clock(terms)
    return terms


def list_event_options(kind: str, game: Game) -> list[str]:
    """Return the lines of a refusal that list the options below a command to send."""
    rows = [(each.usage, each.help) for each in _OPTIONS.values() if _is_for(kind, each)]
    return suggest_rows([*rows, *list_options(game)])


def list_event_fields(_call: Call, game: str) -> list[OptionField]:
    """Return the options of an event, and those of its boards once the game is known, as fields of
    a form. Some exist for some kinds only."""
    kinds = {_COUNT: "count", _DATE: "date", _CHOICE: "choice"}
    own = [
        OptionField(
            each.name,
            f"--{each.name}=",
            each.help,
            kinds.get(each.kind, "text"),
            "",
            [(word, word) for word in ("", *_UNDECIDED)] if each.kind == _CHOICE else (),
        )
        for each in _OPTIONS.values()
    ]
    boards = list_fields(get_game(game), offered=False) if game else []
    names = {field.name for field in own} | {"ask"}
    return [*own, *(field for field in boards if field.name not in names)]


def _is_for(kind: str, option: _Option) -> bool:
    """Whether events of that kind have the option."""
    return option.is_common or option.name in KINDS[kind].options


def _split(
    kind: str, game: Game, words: Sequence[str], form: str
) -> tuple[dict[str, str], list[str]]:
    """Separate the event's options from the words for the board. A name may contain blanks."""
    own: dict[str, str] = {}
    others: list[str] = []
    rest = list(words)
    while rest:
        word = rest.pop(0)
        name, equals, text = word.lstrip("-").partition("=")
        key = _find_option(game, name) if word.startswith("-") else ""
        if not key:
            others.append(word)
            continue
        if not equals and rest:
            text = rest.pop(0)
        if key == "name":
            while rest and not rest[0].startswith("-"):
                text += f" {rest.pop(0)}"
        if not _is_for(kind, _OPTIONS[key]):
            kinds = Listing((each.title for each in KINDS.values() if key in each.options), "or")
            raise Refusal(
                RefusalCode.BAD_OPTION,
                phrase("--{option} is for a {kinds}", option=key, kinds=kinds),
                form,
                *list_event_options(kind, game),
            )
        own[key] = text
    return own, others


def _find_option(game: Game, beginning: str) -> str:
    """Return the event's option with this unique beginning; "" for none, or for an option of the
    board."""
    wanted = re.sub("[-_]", "", beginning).lower()
    wanted = _NAMES.get(wanted, wanted)
    if wanted in _OPTIONS:
        return wanted
    near = [name for name in _OPTIONS if wanted and name.startswith(wanted)]
    return near[0] if len(near) == 1 and not is_board_option(game, wanted) else ""


def _read(option: _Option, text: str, kind: str, game: Game, form: str) -> Any:
    """Return the value of an option. Refuse an invalid one."""
    text = text.strip("\"'“” ")
    value: Any = None
    if option.kind == _COUNT and re.fullmatch(r"[0-9]{1,9}", text):
        value = int(text) if option.least <= int(text) <= option.most else None
    elif option.kind == _DAYS and re.fullmatch(r"[0-9]{1,4}(\.[0-9]+)?d?", text):
        value = float(text.rstrip("d")) if float(text.rstrip("d")) <= _LONGEST else None
    elif option.kind == _DATE:
        value = _read_date(text)
    elif option.kind == _RANGE and (match := re.fullmatch(r"(\d{1,4})-(\d{1,4})", text)):
        value = (int(match[1]), int(match[2])) if int(match[1]) <= int(match[2]) else None
    elif option.kind == _BREAKS:
        value = _read_breaks(text)
    elif option.kind == _CHOICE and text.lower() in _UNDECIDED:
        value = text.lower()
    elif option.kind == _TEXT:
        plain = " ".join(text.replace("_", " ").split())
        value = plain if plain.isprintable() and 0 < len(plain) <= _LONGEST_NAME else None
    if value is None:
        raise Refusal(
            RefusalCode.BAD_OPTION,
            _say_how_written(option),
            form,
            *list_event_options(kind, game),
        )
    return value


def _say_how_written(option: _Option) -> Phrase:
    """Return the form in which the value of an option is written."""
    written = {"option": option.name, "usage": option.usage.replace("DATE", "YYYY-MM-DD")}
    if option.kind == _COUNT:
        return phrase(
            "--{option} is written {usage}, from {least} to {most}",
            **written,
            least=option.least,
            most=option.most,
        )
    if option.kind == _BREAKS:
        return phrase(
            "--{option} is written {usage}, or with some of {named}",
            **written,
            named=", ".join(NAMED),
        )
    return phrase("--{option} is written {usage}", **written)


def _read_breaks(text: str) -> tuple[str, ...] | None:
    """Return the named tie-breaks of 2024, followed by lots; () for their usual order, None for an
    invalid list."""
    names = [normalize_word(word).replace("-", "") for word in re.split("[,+ ]+", text) if word]
    if names == ["2024"]:
        return ()
    if not names or len({*names}) < len(names) or not {*NAMED}.issuperset(names):
        return None
    return (*names, "lots")


def _read_date(text: str) -> float | None:
    """Return the first moment of a day, UTC."""
    try:
        if re.fullmatch(r"\d{4}-\d{1,2}-\d{1,2}", text):
            year, month, day = map(int, text.split("-"))
            return datetime(year, month, day, tzinfo=UTC).timestamp()
    except ValueError:
        pass
    return None


def find_usual_beginning(made: float) -> float:
    """Return when an event made at that time begins, unless its maker names the day."""
    later = datetime.fromtimestamp(made, UTC) + timedelta(days=_DAYS_TO_ENTER)
    return later.replace(hour=0, minute=0, second=0, microsecond=0).timestamp()


def _apply(terms: EventTerms, values: Mapping[str, Any], now: float) -> None:
    """Set what the options say, and the defaults of the others."""
    kind = KINDS[terms.kind]
    terms.name = values.get("name") or build_usual_name(terms.kind, terms.game.info.name)
    terms.begins = values.get("begins", find_usual_beginning(now))
    if "ends" in values:
        terms.ends = values["ends"] + DAY
    elif kind.usual_days is None:
        terms.ends = None
    else:
        every = values.get("every", 0.0)
        days = max(every - _DAYS_TO_ENTER, 1.0) if every else kind.usual_days
        terms.ends = terms.begins + DAY * days
    terms.most, terms.rating = values.get("max"), values.get("rating")
    terms.vacation = values.get("vacation", terms.vacation)
    terms.silent = values.get("silent", terms.silent)
    terms.tour = values.get("tour")
    names = (
        "rounds boards seats groups advance together divisions exchange every reach answer decay"
    )
    terms.rules = {name: values[name] for name in names.split() if name in values}
    if "tiebreak" in values:
        terms.rules |= {"edition": "2024", "breaks": values["tiebreak"]}
    terms.rules["adjudication"] = values.get("unfinished", "rating")


def _check(terms: EventTerms, form: str) -> None:
    """Refuse terms that contradict each other."""
    game, rules, lines = terms.game, terms.rules, list_event_options(terms.kind, terms.game)
    kind = KINDS[terms.kind]
    seats = rules.get("seats", 2 if 2 in game.info.players else game.info.players[0])
    problem = ""
    if seats not in game.info.players:
        numbers = Listing(map(str, game.info.players), "or")
        problem = phrase("{game} is for {numbers} players", game=game.info.name, numbers=numbers)
    elif seats != 2 and not kind.seats_many:
        problem = phrase("with more than two seats an event is a round robin or a league")
    elif seats != 2 and "breaks" in rules:
        problem = phrase("with more than two seats level players are told apart by wins and lots")
    elif rules["adjudication"] == "operator" and not kind.is_drawable:
        problem = phrase(
            "in a knockout somebody has to advance: {option} is rating or draw",
            option=make_phrase("--unfinished"),
        )
    elif terms.ends is not None and terms.ends <= terms.begins:
        problem = phrase("it ends before it begins")
    elif terms.ends is not None and terms.begins + rules.get("every", _LONGEST) * DAY < terms.ends:
        problem = phrase("a season has to end before the next one begins")
    if problem:
        raise Refusal(RefusalCode.BAD_OPTION, problem, form, *lines)
    rules["seats"] = seats
    rules["members"] = kind.for_teams and seats == 2 and rules.get("boards", 1) > 1


def _choose_clock(terms: EventTerms) -> TimeControl:
    """Return a clock that leaves time for a few turns in each round."""
    if terms.ends is None:
        return TimeControl()
    rounds = terms.rules.get("rounds", KINDS[terms.kind].usual_rounds)
    days = (terms.ends - terms.begins) / DAY / rounds
    forfeit = float(min(max(round(days / 4), 1), 21))
    return replace(TimeControl(), nag=max(round(forfeit / 3), 1.0), forfeit=forfeit)
