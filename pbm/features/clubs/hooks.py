"""What a club posts to a page elsewhere, such as a room for talk: what its officers chose, to an
address that they named and the operator allows.

Only what everybody may see goes there. The outbox sends it, in the order of the posts."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from urllib.parse import urlsplit

from sqlalchemy import insert, select, update

from pbm.config import Config
from pbm.core.call import Call
from pbm.core.clock import HOUR
from pbm.core.context import Context, DueWork, add_audit_row
from pbm.core.notices import Notice
from pbm.core.refusal import Refusal, RefusalCode
from pbm.core.storing import find_title
from pbm.core.view import summarize_boards
from pbm.features.clubs.letters import MOST_COUNTED, find_upset, say_longest, say_upset
from pbm.features.clubs.lists import find_boards, list_events, list_offers, show_club
from pbm.features.clubs.members import find_led
from pbm.features.clubs.periods import Period, list_periods
from pbm.locale import translate
from pbm.locale.words import says_none
from pbm.rules.phrases import Listing, combine, phrase, phrase_number
from pbm.store.rows import Query
from pbm.store.tables import WAITING, WEBHOOK, ClubRow, clubs, outbound

RESULTS, EVENTS, OFFERS, LETTERS = "results", "events", "offers", "letters"
_NEWS = (RESULTS, EVENTS, OFFERS, LETTERS)
_FORMS = ("json", "text")
_FORM = "club hook NAME https://EXAMPLE.ORG/HOOK results {user} PASSWORD"
_LONGEST_URL = 500
_LONGEST_POST = 1900
"""The most characters of a post; one of the services that take them allows 2000."""
_MOST_RESULTS = 15
_HOOKED = Query(ClubRow, select(clubs).where(clubs.c.hook != "").order_by(clubs.c.id))


def set_hook(call: Call) -> list[Notice]:
    """Set where, in which form and which news of the club are posted; `none` ends the posts. Refuse
    everybody but its officers, and an address that the operator does not allow."""
    club = find_led(call, _FORM)
    words = call.command.words[1:]
    if len(words) == 1 and says_none(words[0]):
        _save(call, club, hook="", hook_news="")
        return [_answer(call, club, phrase("nothing is posted any more"))]
    url = "".join(words[:1])
    rest = [word.lower().strip(",") for word in words[1:]]
    forms = [word for word in rest if word in _FORMS]
    news = [word for word in _NEWS if word in rest]
    if not url or len(forms) > 1 or not news or not {*_FORMS, *_NEWS}.issuperset(rest):
        raise Refusal(
            RefusalCode.BAD_ARGUMENT,
            phrase(
                "name the address, which news go there ({news}) and, unless it is json, the form "
                "({forms})",
                news=", ".join(_NEWS),
                forms=Listing(_FORMS, "or"),
            ),
            _FORM,
        )
    if len(url) > _LONGEST_URL or not is_allowed(call.config, url):
        allowed = Listing(sorted(call.config.clubs.webhooks), "or")
        raise Refusal(
            RefusalCode.NOT_PERMITTED,
            phrase("the operator allows addresses that begin with {allowed}", allowed=allowed)
            if call.config.clubs.webhooks
            else phrase("the operator allows no such posts on this server"),
            _FORM,
        )
    _save(call, club, hook=url, hook_form="".join(forms) or "json", hook_news=" ".join(news))
    return [_answer(call, club, phrase("{news} are posted from now on", news=Listing(news)))]


def is_allowed(config: Config, url: str) -> bool:
    """Whether the operator allows posts to a URL: to its scheme, host and port."""
    return find_origin(url) in {find_origin(each) for each in config.clubs.webhooks} - {""}


def find_origin(url: str) -> str:
    """Return scheme, host and port of a URL; "" for one that must not be posted to, such as one
    with a userid in it."""
    try:
        parts = urlsplit(url)
        port = parts.port or {"https": 443, "http": 80}.get(parts.scheme, 0)
    except ValueError:
        return ""
    is_plain = url.isascii() and url.isprintable() and " " not in url and "@" not in parts.netloc
    return f"{parts.scheme}://{parts.hostname}:{port}" if is_plain and port else ""


def _save(call: Call, club: ClubRow, **values: str) -> None:
    own = update(clubs).where(clubs.c.id == club.id)
    call.session.execute(own.values(**values, hook_since=call.now))
    add_audit_row(call, call.me.userid, f"club hook {club.name}", player=call.me.id)


def _answer(call: Call, club: ClubRow, news: str) -> Notice:
    return call.answer(show_club(call, club.name, [news]))


# What is posted: at each tick, what has happened since the last post.


def post_news(work: DueWork) -> None:
    """Post the latest news of each club that has a hook. All news is an hour old, for within an
    hour a result may be taken back."""
    context = work.context
    for club in context.session.all(_HOOKED):
        since, until = club.hook_since, context.now - HOUR
        if until - since < _EVERY:
            continue
        is_posted = is_allowed(context.config, club.hook)
        period = Period("", since, until)
        lines = [*_list_news(context, club, period)] if is_posted else []
        own = update(clubs).where(clubs.c.id == club.id)
        context.session.execute(own.values(hook_since=until))
        if lines:
            post(context, club, lines)


_EVERY = 60.0
"""The least number of seconds between two posts of a club."""


def _list_news(context: Context, club: ClubRow, period: Period) -> Iterator[str]:
    """Yield a club's public news of a period, as sentences."""
    wanted = club.hook_news.split()
    if RESULTS in wanted:
        yield from _list_results(context, club, period)
    if EVENTS in wanted:
        for new in list_events(context, club, is_inside=False, period=period):
            yield phrase("New event: {what}: {line}", what=new.what, line=new.line)
    if OFFERS in wanted:
        for new in list_offers(context, club, with_private=False, period=period):
            yield phrase("Somebody seeks a game. {what}: {line}", what=new.what, line=new.line)
    if LETTERS in wanted:
        for each in list_periods(context.now):
            if period.begins < each.ends <= period.ends:
                yield from _list_letter(context, club, each)


def _list_results(context: Context, club: ClubRow, period: Period) -> Iterator[str]:
    rows = find_boards(
        context,
        club,
        "over",
        _MOST_RESULTS,
        is_inside=False,
        begins=period.begins,
        ends=period.ends,
    )
    for board in reversed(summarize_boards(context.session, rows)):
        names = " - ".join(seat.name for seat in board.seats)
        page = _find_page(context.config, board.id)
        yield combine(
            "{game}: {names}: {status} {page}",
            game=find_title(board.game),
            names=names,
            status=board.status,
            page=page,
        )


def _find_page(config: Config, board: int) -> str:
    """Return the URL of a board's public page; "" where there is none."""
    url = config.web.url.rstrip("/")
    return f"{url}/board/{board}" if url and config.web.public else ""


def _list_letter(context: Context, club: ClubRow, period: Period) -> Iterator[str]:
    """Yield the public part of the letter about a month or a year."""
    rows = find_boards(
        context,
        club,
        "over",
        MOST_COUNTED,
        is_inside=False,
        begins=period.begins,
        ends=period.ends,
    )
    if not rows:
        return
    found = summarize_boards(context.session, rows)
    yield phrase_number(
        "{period}: {count} board has ended.",
        "{period}: {count} boards have ended.",
        len(found),
        period=period.name,
    )
    if (upset := find_upset(context, club, period)) is not None:
        yield phrase("Upset: {what}", what=say_upset(upset, found))
    longest = max(found, key=lambda board: (board.ply, -board.id))
    yield phrase("Longest game: {what}", what=say_longest(longest))


def post(context: Context, club: ClubRow, lines: Sequence[str]) -> None:
    """Put a post into the queue of outgoing mail."""
    language = context.config.server.language
    texts = [translate(each, language) for each in lines]
    text = "\n".join([f"[{club.name}]", *(" ".join(each.split()) for each in texts)])
    if len(text) > _LONGEST_POST:
        text = f"{text[:_LONGEST_POST]} ..."
    text = text.replace("<", "(").replace(">", ")")
    body, kind = text, "text/plain"
    if club.hook_form == "json":
        told = {"text": text, "content": text, "allowed_mentions": {"parse": []}}
        body, kind = json.dumps(told, ensure_ascii=False), "application/json"
    (number,) = context.session.take_numbers(outbound, 1)
    row = {
        "id": number,
        "inbound_id": None,
        "board_id": None,
        "player_id": None,
        "envelope_from": "",
        "recipient": f"{WEBHOOK}{club.name}",
        "state": WAITING,
        "created": context.now,
        "next_attempt": context.now,
        "content": "webhook",
        "message": f"Content-Type: {kind}; charset=utf-8\r\n\r\n{body}".encode(),
        "precedence": 2,
    }
    context.session.execute(insert(outbound).values(row))
