"""The archive as a page: finished boards, found with a form."""

from __future__ import annotations

from urllib.parse import urlencode

from pbm.core.call import Call
from pbm.core.refusal import Refusal
from pbm.core.storing import find_title
from pbm.core.view import BoardSummary
from pbm.features.finding.archive import describe, find_boards, read_wanted
from pbm.games import list_game_names
from pbm.rules.phrases import phrase
from pbm.web.answers import Visit, WebPage

_LONGEST = 100
_FIELDS = ("game", "players", "when", "event", "opening")
_PROBLEMS = {
    "when": phrase("a date is written as 2026-03-17, 2026-03 or 2026"),
    "event": phrase("an event is named by its number"),
}
"""What is wrong with fields in which only one kind of word can stand."""


def build_archive(visit: Visit) -> WebPage:
    """Return a page of the finished boards that a search finds, the latest first; or what is wrong
    with the search."""
    asked = {name: " ".join(visit.query.get(name, "")[:_LONGEST].split()) for name in _FIELDS}
    page = visit.query.get("page", "")[:3]
    number = max(1, int(page)) if page.isdigit() and page.isascii() else 1
    call, problem, wrong_field = visit.call("find"), "", ""
    lines, more, title = list[BoardSummary](), False, ""
    try:
        wanted = read_wanted(call, _list_words(asked))
        wanted.page = number
        lines, more = find_boards(call, wanted)
        title = describe(wanted)
    except Refusal as refusal:
        wrong_field = _find_wrong_field(call, asked)
        problem = _PROBLEMS.get(wrong_field, refusal.text)
    values = {
        **{name: asked[name] for name in _FIELDS},
        "games": [("", ""), *((name, find_title(name)) for name in list_game_names())],
        "lines": lines,
        "title": title,
        "wrong": problem,
        "wrong_field": wrong_field,
        "next": _write_query(asked, number + 1) if more else "",
        "before": _write_query(asked, number - 1) if number > 1 else "",
    }
    return WebPage("find.html", values, status=409 if problem else 200)


def _find_wrong_field(call: Call, asked: dict[str, str]) -> str:
    """Return the first field up to which the search is refused."""
    begun = dict.fromkeys(_FIELDS, "")
    for name in _FIELDS:
        begun[name] = asked[name]
        try:
            read_wanted(call, _list_words(begun))
        except Refusal:
            return name
    return ""


def _list_words(asked: dict[str, str]) -> list[str]:
    """Return the search in the words of `find`."""
    words = [*asked["game"].split(), *asked["players"].replace(",", " ").split()]
    words += asked["when"].split()
    words += ["event", asked["event"]] if asked["event"] else []
    return [*words, *(["opening", *asked["opening"].split()] if asked["opening"] else [])]


def _write_query(asked: dict[str, str], page: int) -> str:
    chosen = {name: value for name, value in asked.items() if value}
    return "?" + urlencode({**chosen, "page": page})
