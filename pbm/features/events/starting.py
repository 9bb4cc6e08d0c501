"""Pairing the next games of an event, and making their boards."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from msgspec import structs
from sqlalchemy import insert, select, update

from pbm.core.board import Board
from pbm.core.call import Call
from pbm.core.clock import DAY
from pbm.core.clubs import require_inside
from pbm.core.command import Command
from pbm.core.context import Context
from pbm.core.making import insert_board, list_people
from pbm.core.notices import BoardUpdate, Notice
from pbm.core.options import load_terms, set_up
from pbm.core.player import Player, Role, get_player
from pbm.core.refusal import Refusal, RefusalCode
from pbm.core.storing import save
from pbm.core.trust import HeldWords
from pbm.core.updates import notify_new_board
from pbm.core.words import find_game_name, join_game_title
from pbm.features.events.finding import show_card, tell
from pbm.features.events.notices import EventFree, EventMade, EventOver
from pbm.features.events.options import EventTerms, read_event
from pbm.features.events.record import (
    build_usual_name,
    find_due,
    insert_entrant,
    insert_games,
    name_event,
    read_options,
    update_event,
)
from pbm.features.events.reports import announce
from pbm.features.events.rows import (
    EnteredRow,
    count_events_made,
    find_entrants,
    find_events_of_tour,
    find_unmade_pairings,
    get_event,
)
from pbm.features.events.tables import PairingRow, pairings
from pbm.features.events.views import build_standings, format_day, list_parts, shorten_parts
from pbm.features.parties.matches import add_board, find_match, insert_match, rank_players
from pbm.games import get_game
from pbm.pairing.kinds import get_kind
from pbm.pairing.record import EventGame, Record, commit
from pbm.pairing.rounds import count_rounds
from pbm.pairing.seasons import list_movements, next_season
from pbm.pairing.standings import standings
from pbm.rules.phrases import (
    Listing,
    combine,
    join_phrases,
    pack,
    phrase,
    phrase_number,
    unpack,
)
from pbm.store import reads
from pbm.store.reads import find_event, find_seats_by_board
from pbm.store.tables import EventRow, events

_MOST_BOARDS = 50
"""The most boards made in one piece of work."""


def add_games(
    context: Context, row: EventRow, record: Record, games: Sequence[EventGame]
) -> list[Notice]:
    """Add the next games. Return notices to those who have no opponent."""
    if not games:
        return []
    rounds = count_rounds(record)
    due = {game.id: find_due(record, game, rounds) for game in games}
    insert_games(context.session, row.id, games, due)
    free = {game.seats[0]: game for game in games if game.is_bye}
    entered = [each for each in find_entrants(context.session, row.id) if each.number in free]
    return tell(
        context,
        entered,
        lambda entrant: EventFree(
            event=row.id,
            name=name_event(row),
            game=row.game,
            round=free[entrant.number].round,
            reason=free[entrant.number].reason,
        ),
    )


def make_boards(context: Context, row: EventRow) -> list[Notice]:
    """Make boards for games that have none yet, a bounded number of them."""
    games = find_unmade_pairings(context.session, row.id, _MOST_BOARDS)
    if not games:
        return []
    entered = {each.number: each for each in find_entrants(context.session, row.id)}
    notices: list[Notice] = []
    make = _make_match_board if read_options(row).members else make_board
    for game in games:
        notices += make(context, row, game, entered)
    return notices


def make_board(
    context: Context,
    row: EventRow,
    pairing: PairingRow | EventGame,
    entered: Mapping[int, EnteredRow],
    challenger: int | None = None,
) -> list[Notice]:
    """Make the board of a game. It begins at once, since its players agreed when they entered; with
    a `challenger` it is an invitation to the others."""
    _, seats = _read_game(pairing)
    people = _find_people(context, [entered[each] for each in seats])
    asker = entered[challenger].player_id if challenger is not None else None
    return _announce(context, row, pairing, _insert(context, row, pairing, people, asker=asker))


def _insert(
    context: Context,
    row: EventRow,
    pairing: PairingRow | EventGame,
    people: Sequence[Player],
    *,
    asker: int | None = None,
    title: str = "",
) -> Board:
    """Insert the board of a game with these players, all of whom have agreed; with an `asker` only
    the asker has."""
    number, _ = _read_game(pairing)
    game = get_game(row.game)
    terms = load_terms(json.loads(row.options), json.loads(row.server))
    terms = structs.replace(terms, title=terms.title or title)
    position = game.setup(len(people), terms.options)
    is_asked = asker is not None
    board = insert_board(
        context,
        game,
        position,
        people,
        terms,
        state="invited" if is_asked else "running",
        accepted=[each.id for each in people] if asker is None else [asker],
        event=row.id,
        answer_days=read_options(row).answer if is_asked else None,
    )
    if not is_asked:
        board.start(context.now)
    save(context.session, board, context.now)
    chosen = (pairings.c.event_id == row.id) & (pairings.c.number == number)
    context.session.execute(
        update(pairings).where(chosen).values(board_id=board.id, begun=context.now)
    )
    return board


# Matches of teams on several boards, each of two members.


def _make_match_board(
    context: Context, row: EventRow, pairing: PairingRow, entered: Mapping[int, EnteredRow]
) -> list[Notice]:
    """Make a board of a match between two teams. A team with nobody left to play loses it; if both
    teams have nobody, both lose."""
    sides = home, away = _find_people(context, [entered[n] for n in json.loads(pairing.entrants)])
    made = _find_boards_of_match(context, pairing)
    people = _line_up(context, row, pairing, sides, made)
    chosen = (pairings.c.event_id == row.id) & (pairings.c.number == pairing.number)
    if not all(people):
        points = [float(each is not None) for each in people]
        missing = Listing([n.userid for n, p in zip(sides, people, strict=True) if p is None])
        note = phrase("{teams} had nobody left to play.", teams=missing)
        lost = {"points": json.dumps(points), "how": "forfeit", "note": pack(note)}
        context.session.execute(update(pairings).where(chosen).values(**lost, ended=context.now))
        return []
    if pairing.leg % 2 == 0:
        home, away = away, home
    players = [each for each in people if each is not None]
    title = f"{home.userid} - {away.userid}, {pairing.leg}"
    board = _insert(context, row, pairing, players, title=title)
    match = find_match(context.session, made[0]) if made else None
    number = match.id if match is not None else insert_match(context, row.game, home, away)
    home_id = match.home_id if match is not None else home.id
    add_board(context.session, number, pairing.leg, board, int(sides[0].id != home_id))
    return _announce(context, row, pairing, board)


def _find_boards_of_match(context: Context, pairing: PairingRow) -> list[int]:
    """Return the boards that a match has so far."""
    chosen = [getattr(pairings.c, name) == getattr(pairing, name) for name in _MATCH]
    query = select(pairings.c.board_id).where(*chosen, pairings.c.board_id.is_not(None))
    return list(context.session.execute(query.order_by(pairings.c.leg)).scalars())


_MATCH = ("event_id", "stage", "division", "round", "place")
"""The columns in which games of one match agree."""


def _line_up(
    context: Context,
    row: EventRow,
    pairing: PairingRow,
    sides: Sequence[Player],
    made: Sequence[int],
) -> list[Player | None]:
    """Return who plays for each of these teams, None for nobody: the strongest member without a
    board in the match; on a board that decides a level match, the strongest of all."""
    busy = set[int]()
    if pairing.leg <= read_options(row).boards:
        seated = find_seats_by_board(context.session, made)
        busy = {seat.player_id for seats in seated.values() for seat in seats}
    people = list[Player | None]()
    for side in sides:
        members = list_people(context.session, [side])
        free = [
            each
            for each in members
            if each.id not in busy and reads.find_addresses(context.session, each.id)
        ]
        people.append(next(iter(rank_players(context.session, row.game, side, free)), None))
        busy |= {each.id for each in people if each is not None}
    return people


def _read_game(pairing: PairingRow | EventGame) -> tuple[int, Sequence[int]]:
    if isinstance(pairing, EventGame):
        return pairing.id, pairing.seats
    return pairing.number, json.loads(pairing.entrants)


def _find_people(context: Context, rows: Sequence[EnteredRow]) -> list[Player]:
    people = [get_player(context.session, row.player_id) for row in rows]
    return [player for player in people if player is not None]


def _announce(
    context: Context, row: EventRow, pairing: PairingRow | EventGame, board: Board
) -> list[Notice]:
    """Return the notices of a new board, with the event's sentences."""
    due = pairing.due if not isinstance(pairing, EventGame) else None
    remark = _describe_round(row, pairing)
    if board.state == "invited":
        until = format_day(context.now + read_options(row).answer * DAY)
        rule = phrase("Who declines it, or does not answer by {time}, loses it", time=until)
        remark = join_phrases(" ", [remark, rule])
    elif due is not None:
        rule = phrase("What is unfinished on {time} is decided then", time=format_day(due))
        remark = join_phrases(" ", [remark, rule])
    return [_add_remark(notice, remark) for notice in notify_new_board(context, board)]


def _describe_round(row: EventRow, pairing: PairingRow | EventGame) -> str:
    """Return a sentence that says in which round of which event a game is, and why."""
    options = read_options(row)
    kind = get_kind(options.kind)
    where = phrase(
        "round {round} of event {event}, {name}",
        round=pairing.round,
        event=row.id,
        name=name_event(row),
    )
    if kind.has_challenges:
        where = phrase("event {event}, {name}", event=row.id, name=name_event(row))
    division = pairing.group if isinstance(pairing, EventGame) else pairing.division
    group = kind.name_group(options, division)
    if pairing.stage == "final":
        group = phrase("final")
    if group:
        where = combine("{group}, {where}", group=group, where=where)
    if not pairing.reason:
        return combine("{where}.", where=where)
    return combine("{where}: {why}", where=where, why=unpack(pairing.reason))


def _add_remark(notice: Notice, remark: str) -> Notice:
    if not isinstance(notice.content, BoardUpdate):
        return notice
    content = structs.replace(notice.content, remark=remark)
    return Notice(
        content, notice.addresses, notice.player, notice.thread, notice.is_answer, notice.left
    )


# The end of an event: its prize list, and the next season of a league.

_KEPT = (
    *("kind", "game", "name", "player_id", "options", "server", "rules", "most"),
    *("lowest", "highest", "vacation", "silent", "about", "tour"),
)
"""The columns that a league's next season copies from the last one."""


def finish(context: Context, row: EventRow, record: Record) -> list[Notice]:
    """End an event: send the prize list to everybody who played, and make the next season if there
    is one."""
    record = structs.replace(record, ended=context.now)
    update_event(context.session, row.id, state="over", ended=context.now, look=None)
    ended = get_event(context.session, row.id)
    news = _begin_next_season(context, ended, record)
    if row.tour is not None:
        update_event(context.session, row.tour, look=context.now)
    card = show_card(context, ended)
    table = build_standings(record, has_sums=False)
    parts = shorten_parts(table, f"event standings {row.id}")
    places = _find_places(record) | _find_movements(record)
    return tell(
        context,
        _find_readers(context, row),
        lambda entrant: EventOver(
            event=row.id,
            name=name_event(row),
            game=row.game,
            card=card,
            own=places.get(entrant.userid, ""),
            parts=parts,
            news=news,
        ),
    )


def _find_readers(context: Context, row: EventRow) -> list[EnteredRow]:
    """Return the readers of the prize list: entrants who have not left; for a tour, those of its
    events."""
    events_played = [row.id]
    if not get_kind(row.kind).has_boards:
        events_played = [each.id for each in find_events_of_tour(context.session, row.id)]
    entered = [each for event in events_played for each in find_entrants(context.session, event)]
    return list({each.player_id: each for each in entered if each.left is None}.values())


def _find_places(record: Record) -> dict[str, str]:
    """Return each entrant's place, as a sentence."""
    places = {}
    for title, group, stage in list_parts(record):
        rows = standings(record, group, stage)
        count = sum(not row.left for row in rows)
        kind = get_kind(record.options.kind)
        where = kind.name_group(record.options, group) if title and group is not None else ""
        for row in rows:
            places[row.name] = _say_place(row.place, count, where, is_final=stage == "final")
    return places


def _say_place(place: int, count: int, where: str, *, is_final: bool) -> str:
    """Return a place in one of several groups or in their final, as a sentence."""
    if is_final:
        return phrase("you are number {place} of {count} in the final", place=place, count=count)
    if where:
        return phrase(
            "you are number {place} of {count} in {group}", place=place, count=count, group=where
        )
    return phrase("you are number {place} of {count}", place=place, count=count)


def _was_heard_of(entrant: EnteredRow, since: float) -> bool:
    """Whether an entrant has written since then, or was on vacation."""
    return entrant.seen >= since or (entrant.away is not None and entrant.away > since)


def _find_movements(record: Record) -> dict[str, str]:
    """Return a sentence for each entrant who changes divisions after a season."""
    if not record.options.every:
        return {}
    places = _find_places(record)
    return {
        each.name: phrase(
            "{reached}, and play in division {division} in the next season",
            reached=places[each.name],
            division=each.after + 1,
        )
        for each in list_movements(record)
        if each.after != each.before and each.name in places
    }


def _begin_next_season(context: Context, row: EventRow, record: Record) -> list[str]:
    """Make the next season of a league, with everybody who stays, promoted and relegated. Return
    what the prize list says about it."""
    days = record.options.every
    if not days or row.ends is None:
        return []
    begins = row.begins + days * DAY
    while begins <= context.now:
        begins += days * DAY
    secret = context.secrets.generate_board_secret().hex()
    values: dict[str, Any] = {name: getattr(row, name) for name in _KEPT}
    values |= {
        "state": "open",
        "season": row.season + 1,
        "series": row.series or row.id,
        "secret": secret,
        "commitment": commit(secret),
        "created": context.now,
        "announced": context.now,
        "begins": begins,
        "ends": begins + (row.ends - row.begins),
        "look": begins,
    }
    number = context.session.execute(
        insert(events).values(values).returning(events.c.id)
    ).scalar_one()
    players = {each.userid: each for each in find_entrants(context.session, row.id)}
    for entrant in next_season(record).entrants:
        stays = players[entrant.name]
        if stays.player_state == "active" and _was_heard_of(stays, row.begins):
            fresh = structs.replace(entrant, entered=context.now, joins=1, left=None, why="")
            insert_entrant(context.session, number, stays.player_id, fresh)
    return [
        phrase(
            "season {season} is event {event} and begins {time}: you take part again unless you "
            "reply with {line}",
            season=row.season + 1,
            event=number,
            time=format_day(begins),
            line=f"event leave {number}",
        )
    ]


# Making events.

_FORM = "event new KIND GAME {user} PASSWORD"
_LONGEST_TEXT = 1000


def arrange(command: Command, words: list[str]) -> list[str]:
    """Move the kind and the game of an event behind userid and password, if these follow."""
    if len(words) < 2 or not find_game_name(join_game_title(words[1:])[0]):
        return words
    kind, game, *others = [words[0], *join_game_title(words[1:])]
    claim = 1 if command.sender.operator else 2
    if len(others) < claim or others[0].startswith("-"):
        return [kind, game, *others]
    return [*others[:claim], kind, game, *others[claim:]]


def make(call: Call) -> list[Notice]:
    """Make an event; the operator's is announced at once. Refuse a player who may not make events,
    too many of them, and terms that the game or the kind does not allow."""
    me = call.me
    require_maker(call, me)
    call.require_voice()
    terms = read_event(call.command.words, call.now)
    _require_setup(terms)
    if terms.board.club:
        require_inside(call.session, terms.board.club, [me])
    if terms.begins < call.now - DAY:
        raise Refusal(RefusalCode.BAD_DATE, phrase("an event cannot begin in the past"), _FORM)
    if terms.tour is not None:
        _require_tour(call, terms.tour)
    number = call.session.execute(
        insert(events).values(_build_row(call, me, terms)).returning(events.c.id)
    ).scalar_one()
    _hold_texts(call, number, terms)
    row = get_event(call.session, number)
    by_operator = call.command.sender.operator
    announcements = announce(call, row, by_operator=True) if by_operator else []
    made = EventMade(
        event=row.id,
        name=name_event(row),
        game=row.game,
        card=show_card(call, row),
        announced=len(announcements),
    )
    return [call.answer(made), *announcements]


def _hold_texts(call: Call, number: int, terms: EventTerms) -> None:
    """Hold a newcomer's name and text for an event until a moderator has seen them."""
    usual = build_usual_name(terms.kind, terms.game.info.name)
    shown = {
        "name": ("event name", terms.name, usual),
        "about": ("event text", call.command.text, ""),
    }
    for column, (kind, text, instead) in shown.items():
        if text != instead and call.hold(kind, text[:_LONGEST_TEXT], about=number):
            own = update(events).where(events.c.id == number)
            call.session.execute(own.values({column: instead}))


def pass_on_text(context: Context, words: HeldWords) -> list[Notice]:
    """Show the name of an event, or its maker's text, that was held."""
    column = "name" if words.kind == "event name" else "about"
    own = update(events).where(events.c.id == words.about, events.c.player_id == words.player)
    context.session.execute(own.values({column: words.text}))
    return []


def require_maker(call: Call, me: Player) -> None:
    """Refuse a player who may not make events, or has made as many as allowed."""
    if call.command.sender.operator:
        return
    makers = call.config.events.makers.lower().split()
    if makers != ["everybody"] and not me.has_role(Role.MAKER):
        raise Refusal(
            RefusalCode.NOT_PERMITTED,
            phrase(
                "on this server only the operator and some players make events: to propose one, "
                "write to them"
            ),
            "events",
        )
    most = call.config.events.open_events
    if most and count_events_made(call.session, me.id) >= most:
        raise Refusal(
            RefusalCode.LIMIT_REACHED,
            phrase_number(
                "a player may have {count} event open or running",
                "a player may have {count} events open or running",
                most,
            ),
            "events",
        )


def _require_setup(terms: EventTerms) -> None:
    """Refuse options with which the game cannot be set up."""
    form = _FORM.replace("KIND", terms.kind).replace("GAME", terms.game.info.name)
    set_up(terms.game, terms.rules["seats"], terms.board.options, form)


def _require_tour(context: Context, number: int) -> None:
    row = find_event(context.session, number)
    if row is None or get_kind(row.kind).has_boards or row.state not in ("open", "running"):
        raise Refusal(
            RefusalCode.NO_SUCH_EVENT,
            phrase("there is no tour with that number to count for"),
            "events",
        )


def _build_row(call: Call, me: Player, terms: EventTerms) -> dict[str, Any]:
    secret = call.secrets.generate_board_secret().hex()
    lowest, highest = terms.rating or (None, None)
    return {
        "kind": terms.kind,
        "game": terms.game.info.name,
        "name": terms.name,
        "player_id": me.id,
        "state": "open",
        "options": json.dumps(terms.board.options),
        "server": json.dumps(terms.board.dump_server()),
        "rules": json.dumps(terms.rules),
        "most": terms.most,
        "lowest": lowest,
        "highest": highest,
        "vacation": terms.vacation,
        "silent": terms.silent,
        "about": call.command.text[:_LONGEST_TEXT],
        "tour": terms.tour,
        "secret": secret,
        "commitment": commit(secret),
        "created": call.now,
        "begins": terms.begins,
        "ends": terms.ends,
        "look": terms.begins,
    }
