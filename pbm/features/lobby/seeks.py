"""Finding opponents: open offers, joining them, and rematches."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from msgspec import structs
from msgspec.structs import replace
from sqlalchemy import insert, select, update

from pbm.core import board as board_clocks
from pbm.core.board import Board
from pbm.core.call import Call
from pbm.core.clock import DAY
from pbm.core.clubs import is_inside, require_inside
from pbm.core.command import Command, Sender
from pbm.core.context import Context, DueWork
from pbm.core.house_players import require_bots_can_play
from pbm.core.notices import BoardUpdate, Notice
from pbm.core.options import Terms, format_server, load_terms, read_terms, set_up
from pbm.core.parties import find_speaking_seat
from pbm.core.player import Player, find_player, format_name, get_player, parse_preferences
from pbm.core.refusal import Refusal, RefusalCode
from pbm.core.seat import Seat
from pbm.core.storing import find_title, save
from pbm.core.trust import HeldWords
from pbm.core.view import format_options
from pbm.core.words import get_verb, parse_board_number
from pbm.features.lobby.challenges import begin, require_dashes, require_free
from pbm.features.lobby.notices import (
    OfferExpired,
    OfferJoined,
    OfferLine,
    OfferList,
    OfferMade,
    OfferWithdrawn,
    SimulOffered,
)
from pbm.features.lobby.rows import (
    MadeOfferRow,
    count_open_offers,
    find_open_offers,
    lock_expired_offers,
    lock_offer,
    lock_offers_for_bots,
)
from pbm.features.lobby.tables import OfferRow, offers
from pbm.features.parties.matches import (
    add_board,
    build_table,
    find_matches,
    insert_match,
    list_boards,
)
from pbm.features.ratings.rows import find_rating
from pbm.games import get_game
from pbm.locale.words import says_none
from pbm.ratings import NEW, Rating
from pbm.rules import Game, OptionError
from pbm.rules.game import ANONYMOUS
from pbm.rules.phrases import make_phrase, phrase, phrase_number
from pbm.store.reads import find_blockers
from pbm.store.tables import boards

_MOST = 100
_MOST_EXPIRED = 50
_MOST_SHOWN = 20
_LONGEST_COMMENT = 200
_MOST_TOLD = 10
"""With more players than this, only the maker of an offer is notified when somebody joins."""


def seek(call: Call) -> list[Notice]:
    """Make an open offer, or with `none` withdraw the sender's offers of a game. Refuse options
    that the game does not have, and too many offers."""
    command, player = call.command, call.me
    call.require_game("GAME seek {user} PASSWORD")
    game = get_game(command.game)
    form = f"{game.info.name} seek {{user}} PASSWORD"
    if len(command.words) == 1 and says_none(command.words[0]):
        return [_withdraw(call, game, form)]
    terms = read_terms(game, command.words, lambda _: form, offered=True, writer=call)
    if terms.userids:
        require_dashes(call, game, terms.userids, offered=True)
        raise Refusal(
            RefusalCode.BAD_ARGUMENT,
            phrase("an offer is open to everybody: to name a player, challenge one"),
            form,
            f"{game.info.name} challenge {{user}} USERID",
        )
    count = terms.players or _find_count(game, terms)
    set_up(game, count, terms.options, form, offered=True)
    if terms.house:
        _require_house_can_join(call, game, terms, count, form)
    if terms.club:
        require_inside(call.session, terms.club, [player])
    _require_few(call, player, form)
    row = _build_row(call, player, game, terms, count)
    number = _put_up(call, row)
    return [
        call.answer(
            OfferMade(
                offer=number,
                game=game.info.name,
                title=find_title(game.info.name),
                players=count,
                options=_format_terms(terms),
                rating=terms.rating,
                userid=player.userid,
                until=board_clocks.format_time(row["expires"], player.preferences),
            )
        )
    ]


def _put_up(call: Call, row: Mapping[str, Any]) -> int:
    """Insert an offer and return its number. Its maker's comment may be held."""
    number: int = call.session.execute(
        insert(offers).values(row).returning(offers.c.id)
    ).scalar_one()
    if call.hold("offer", row["comment"], about=number):
        call.session.execute(update(offers).where(offers.c.id == number).values(comment=""))
    return number


def simul(call: Call) -> list[Notice]:
    """Offer to play many players at once, on one board each as they join; without options, show the
    table of the sender's last exhibition and the boards that wait."""
    me, game = call.me, get_game(call.command.game)
    form = f"{game.info.name} simul {{user}} PASSWORD --boards=20"
    if not call.command.words:
        rows = find_matches(call.session, me.id, _MOST_SHOWN)
        last = next((each for each in rows if each.away_id is None), None)
        if last is None:
            raise Refusal(
                RefusalCode.MISSING_ARGUMENT, phrase("say against how many you play"), form
            )
        return [call.answer(replace(build_table(call, last), boards=list_boards(call, last)))]
    terms = read_terms(game, call.command.words, lambda _: form, writer=call)
    if terms.userids or not terms.boards or 2 not in game.info.players:
        raise Refusal(
            RefusalCode.BAD_ARGUMENT,
            phrase("a simul is open to everybody, in a game for two: say on how many boards"),
            *([f"{game.info.name} seeks"] if terms.userids else []),
            form,
        )
    position = game.setup(2, terms.options)
    if terms.club:
        require_inside(call.session, terms.club, [me])
    _require_few(call, me, form)
    row = _build_row(call, me, game, terms, position.players)
    match = insert_match(call, game.info.name, me, None)
    row["server"] = json.dumps({**terms.dump_server(), "match": match})
    number = _put_up(call, row)
    until = board_clocks.format_time(row["expires"], me.preferences)
    return [
        call.answer(
            SimulOffered(
                offer=number,
                game=game.info.name,
                title=find_title(game.info.name),
                boards=terms.boards,
                options=_format_terms(terms),
                userid=me.userid,
                until=until,
            )
        )
    ]


def _join_simul(call: Call, row: OfferRow, people: Sequence[Player]) -> list[Notice]:
    """Start a board of an exhibition for the last of these players, the sender of the call; the
    giver of the exhibition moves first. The offer closes when as many have joined as it was for."""
    server = json.loads(row.server)
    terms, (host, *others) = load_terms(json.loads(row.options), server), people
    terms = structs.replace(terms, boards=0)
    joined, most = len(others), int(server["boards"])
    board, notices = begin(call, get_game(row.game), [host, call.me], terms, "seeks", agreed=True)
    add_board(call.session, server["match"], joined, board, 0)
    values: dict[str, Any] = {"joined": json.dumps([each.id for each in people])}
    if joined >= most:
        values |= {"state": "taken", "board_id": board.id}
    call.session.execute(update(offers).where(offers.c.id == row.id).values(**values))
    remark = phrase(
        "this is board {number} of {most} of the simul of {host}",
        number=joined,
        most=most,
        host=host.userid,
    )
    # The host hears of it in the mail with all boards, unless the guest has written something.
    told = [
        notice
        for notice in notices
        if notice.player != host.id
        or (isinstance(notice.content, BoardUpdate) and notice.content.comments)
    ]
    return [_add_remark(notice, remark) for notice in told]


def pass_on_comment(context: Context, words: HeldWords) -> list[Notice]:
    """Show the comment of an open offer that was held."""
    own = update(offers).where(offers.c.id == words.about, offers.c.player_id == words.player)
    context.session.execute(own.where(offers.c.state == "open").values(comment=words.text))
    return []


def _find_count(game: Game, terms: Terms) -> int:
    """Return the usual number of players, or else the first number that the options allow."""
    for count in game.info.players:
        try:
            game.setup(count, terms.options)
        except OptionError:
            continue
        return count
    return game.info.players[0]


def _require_house_can_join(call: Call, game: Game, terms: Terms, count: int, form: str) -> None:
    """Refuse an offer that the bot named in it could not join."""
    bot = find_player(call.session, terms.house)
    people = [call.me] if bot is None else [call.me, bot]
    require_bots_can_play(call.config, game, people, form)
    if bot is None or not bot.is_bot:
        raise Refusal(
            RefusalCode.BOT_UNAVAILABLE,
            phrase("this server has no computer player of that name"),
            form,
        )
    if terms.club:
        raise Refusal(
            RefusalCode.BAD_OPTION,
            phrase(
                "the boards of a club are for its members: leave out {option}",
                option=make_phrase("--house"),
            ),
            form,
        )
    if count != 2:
        raise Refusal(
            RefusalCode.BAD_OPTION,
            phrase("{option} is for games of two players", option=make_phrase("--house")),
            form,
        )


def _build_row(call: Call, player: Player, game: Game, terms: Terms, count: int) -> dict[str, Any]:
    low, high = terms.rating or (None, None)
    days = call.config.limits.offer_days or 3660
    return {
        "player_id": player.id,
        "game": game.info.name,
        "options": json.dumps(terms.options),
        "server": json.dumps(terms.dump_server()),
        "players": count,
        "joined": json.dumps([player.id]),
        "lowest": low,
        "highest": high,
        "comment": call.command.text[:_LONGEST_COMMENT],
        "state": "open",
        "created": call.now,
        "expires": call.now + days * DAY,
    }


def _require_few(call: Call, player: Player, form: str) -> None:
    require_free(call, player, form)
    most = call.config.limits.open_offers
    if most and count_open_offers(call.session, player.id, call.now) >= most:
        raise Refusal(
            RefusalCode.LIMIT_REACHED,
            phrase_number(
                "you already have {count} open offer, the limit",
                "you already have {count} open offers, the limit",
                most,
            ),
            f"{form} none",
            "seeks",
        )


def _withdraw(call: Call, game: Game, form: str) -> Notice:
    """Withdraw the player's offers of a game. Refuse when there is none."""
    numbers = (
        call.session.execute(
            update(offers)
            .where(
                offers.c.player_id == call.me.id,
                offers.c.game == game.info.name,
                offers.c.state == "open",
            )
            .values(state="withdrawn")
            .returning(offers.c.id)
        )
        .scalars()
        .all()
    )
    if not numbers:
        raise Refusal(
            RefusalCode.NO_SUCH_OFFER,
            phrase("you have no open offer for {game}", game=game.info.name),
            form,
        )
    return call.answer(
        OfferWithdrawn(
            game=game.info.name,
            userid=call.me.userid,
            offers=", ".join(map(str, sorted(numbers))),
        )
    )


def _format_terms(terms: Terms) -> str:
    server = format_server(
        terms.control,
        unrated=terms.unrated,
        private=terms.private,
        standin=terms.standin,
        club=terms.club,
    )
    house = f"--house={terms.house}" if terms.house else ""
    many = f"--boards={terms.boards}" if terms.boards else ""
    return " ".join(filter(None, [format_options(terms.options), server, house, many]))


def seeks(call: Call) -> list[Notice]:
    """Return the open offers, of all games or of some, oldest first."""
    game = call.command.game
    hidden = call.hidden_players
    rows = [
        _describe_offer(call, row)
        for row in find_open_offers(call.session, game, call.now, _MOST)
        if row.player_id not in hidden and _is_for(call, row)
    ]
    return [call.answer(OfferList(rows=rows, game=game))]


def _is_for(call: Call, row: OfferRow) -> bool:
    """Whether the reader may join an offer: one of a club is for its members."""
    club = load_terms(json.loads(row.options), json.loads(row.server)).club
    return not club or call.sees_all or is_inside(call.session, club, call.readers)


def _describe_offer(call: Call, row: MadeOfferRow) -> OfferLine:
    terms = load_terms(json.loads(row.options), json.loads(row.server))
    is_anonymous = ANONYMOUS in terms.options
    return OfferLine(
        offer=row.id,
        game=row.game,
        player="" if is_anonymous else format_name(row.userid, parse_preferences(row.preferences)),
        points="" if is_anonymous else _find_rating(call, row.player_id, row.game).text,
        options=_format_terms(structs.replace(terms, boards=0)),
        boards=terms.boards,
        missing=(terms.boards + 1 if terms.boards else row.players) - len(json.loads(row.joined)),
        players=row.players,
        comment=" ".join(row.comment.split()),
        range=f"{row.lowest}-{row.highest}" if row.lowest is not None else "",
        until=board_clocks.format_time(row.expires, {}),
        is_own=row.player_id in {reader.id for reader in call.readers},
    )


def _find_rating(context: Context, player: int, game: str) -> Rating:
    row = find_rating(context.session, player, game)
    return NEW if row is None else Rating(row.mu, row.sigma)


def join(call: Call) -> list[Notice]:
    """Join an offer; the board starts when it has all its players. Those who join move before the
    maker. Refuse an offer that is gone, the sender's own, or for other ratings."""
    command, me = call.command, call.me
    number = parse_board_number(command.words[-1]) if command.words else 0
    row = lock_offer(call.session, number)
    is_open = row is not None and row.state == "open" and row.expires > call.now
    is_for_me = row is not None and _is_for(call, row)
    if (
        row is None
        or not (is_open and is_for_me)
        or row.player_id in find_blockers(call.session, me.id)
    ):
        raise Refusal(
            RefusalCode.NO_SUCH_OFFER, phrase("there is no open offer with that number"), "seeks"
        )
    if command.game and command.game != row.game:
        raise Refusal(
            RefusalCode.WRONG_GAME,
            phrase("offer {number} is a game of {game}", number=number, game=row.game),
            f"{row.game} join {number} {{user}} PASSWORD",
        )
    players = _find_active(call, json.loads(row.joined))
    if not players or players[0].id != row.player_id:
        raise Refusal(
            RefusalCode.NO_SUCH_OFFER, phrase("the player who made this offer has left"), "seeks"
        )
    if any(player.id == me.id for player in players):
        is_own = row.player_id == me.id
        raise Refusal(
            RefusalCode.ALREADY_DONE,
            phrase("offer {number} is your own", number=number)
            if is_own
            else phrase("you have already joined offer {number}", number=number),
            f"{row.game} seek {{user}} PASSWORD none",
            "seeks",
        )
    points = _find_rating(call, me.id, row.game).points
    low, high = row.lowest, row.highest
    if low is not None and high is not None and not low <= points <= high:
        raise Refusal(
            RefusalCode.RATING_OUT_OF_RANGE,
            phrase(
                "offer {number} is for ratings from {low} to {high}, yours is {points}",
                number=number,
                low=low,
                high=high,
                points=points,
            ),
            "seeks",
        )
    is_simul = bool(json.loads(row.server).get("match"))
    playing = [*(players[:1] if is_simul else players), me]
    free = {player.id: require_free(call, player, "seeks") for player in playing}
    return join_offer(call, row, [free.get(each.id, each) for each in (*players, me)])


def _find_active(context: Context, joined: Sequence[int]) -> list[Player]:
    people = [get_player(context.session, player) for player in joined]
    return [player for player in people if player is not None and player.is_active]


def join_offer(call: Call, row: OfferRow, people: Sequence[Player]) -> list[Notice]:
    """Let the last of these players, the sender of the call, join the others in an offer. The board
    starts when it has all its players."""
    if json.loads(row.server).get("match"):
        return _join_simul(call, row, people)
    values: dict[str, Any] = {"joined": json.dumps([player.id for player in people])}
    notices: list[Notice] = []
    is_anonymous = ANONYMOUS in json.loads(row.options)
    if len(people) < row.players:
        joined = OfferJoined(
            game=row.game,
            offer=row.id,
            missing=row.players - len(people),
            joiner=call.me.userid,
            names="" if is_anonymous else ", ".join(player.userid for player in people),
            own=True,
        )
        to_others = structs.replace(
            joined, own=False, joiner=phrase("somebody") if is_anonymous else joined.joiner
        )
        notices = [call.answer(joined)]
        told = people[:-1] if row.players <= _MOST_TOLD else people[:1]
        notices += [call.build_notice(player, to_others) for player in told]
    else:
        game = get_game(row.game)
        terms = load_terms(json.loads(row.options), json.loads(row.server))
        order = [*people[1:], people[0]]
        board, notices = begin(call, game, order, terms, "seeks", agreed=True)
        joiner = phrase("somebody") if is_anonymous else call.me.userid
        remark = phrase("{joiner} joined offer {offer}", joiner=joiner, offer=row.id)
        notices = [_add_remark(notice, remark) for notice in notices]
        values |= {"state": "taken", "board_id": board.id}
    call.session.execute(update(offers).where(offers.c.id == row.id).values(**values))
    return notices


def expire_offers(context: Context) -> list[Notice]:
    """Close expired offers, a bounded number of them, and notify their players."""
    notices = []
    for row in lock_expired_offers(context.session, context.now, _MOST_EXPIRED):
        context.session.execute(update(offers).where(offers.c.id == row.id).values(state="expired"))
        terms = load_terms(json.loads(row.options), json.loads(row.server))
        people = _find_active(context, json.loads(row.joined))
        notices += [
            context.build_notice(
                player,
                OfferExpired(
                    offer=row.id,
                    game=row.game,
                    userid=player.userid,
                    options=_format_terms(terms),
                    players=row.players,
                    own=player.id == row.player_id,
                ),
            )
            for player in people
        ]
    return notices


def rematch(call: Call) -> list[Notice]:
    """Challenge the players of a finished board to another game with the seats swapped. Refuse when
    there is one already, or somebody cannot take part."""
    old = call.load_board()
    seat = find_speaking_seat(call, old)
    name = old.game.info.name
    if old.state != "over":
        raise old.make_refusal(
            RefusalCode.BOARD_NOT_OVER,
            phrase("board {board} is not over", board=old.id),
            f"{name} show {old.id}",
        )
    if old.event is not None:
        raise old.make_refusal(
            RefusalCode.IN_EVENT,
            phrase(
                "board {board} belongs to event {event}: to play again, start a board of its own",
                board=old.id,
                event=old.event,
            ),
            f"{name} challenge {' '.join(each.userid for each in old.seats)}",
        )
    if old.rematch is not None and _is_standing(call, old.rematch):
        raise old.make_refusal(
            RefusalCode.ALREADY_DONE,
            phrase("there is already a rematch: board {board}", board=old.rematch),
            f"{name} show {old.rematch}",
        )
    people = _find_active(call, [each.player for each in _swap_seats(old)])
    form = f"{name} challenge {seat.account} USERID"
    if len(people) < len(old.seats):
        raise old.make_refusal(
            RefusalCode.PLAYER_UNAVAILABLE,
            phrase("not all players of that board are still here"),
            form,
        )
    for player in people:
        require_free(call, player, form)
    terms = Terms(
        options=dict(old.options),
        control=old.control,
        unrated=not old.rated,
        private=old.private,
        club=old.club,
        standin=old.standin,
    )
    terms.decide = next((each.decides for each in old.seats if each.decides), terms.decide)
    board, notices = begin(call, old.game, people, terms, form, knows_clocks=True)
    old.rematch = board.id
    save(call.session, old, call.now)
    remark = phrase("this is the rematch of board {board}, with the seats swapped", board=old.id)
    return [_add_remark(notice, remark) for notice in notices]


def _swap_seats(board: Board) -> list[Seat]:
    """Return the seats in the order of a rematch: each goes to the player of the next one. Where
    partners play, the two of a pair change places, so that they stay partners."""
    if "partners" in board.game.info.features:
        return sorted(board.seats, key=lambda seat: seat.seat ^ 1)
    return [*board.seats[1:], board.seats[0]]


def _add_remark(notice: Notice, remark: str) -> Notice:
    """Add a remark on the origin of the board to its mail."""
    if not isinstance(notice.content, BoardUpdate):
        return notice
    return replace(notice, content=structs.replace(notice.content, remark=remark))


def _is_standing(context: Context, number: int) -> bool:
    state = context.session.execute(select(boards.c.state).where(boards.c.id == number)).scalar()
    return bool(state != "cancelled")


# Offers that nobody has taken up within a day and whose makers allow it: a bot joins.

_MOST_OFFERS = 50


def fill_offers(context: Context) -> list[Notice]:
    """Have bots join the offers that wait for them, a bounded number of them. An offer that a bot
    cannot join is left to people from now on."""
    notices: list[Notice] = []
    for row in lock_offers_for_bots(context.session, context.now, context.now - DAY, _MOST_OFFERS):
        try:
            with context.session.savepoint():
                notices += _fill(context, row)
        except Refusal:
            server = {
                name: term for name, term in json.loads(row.server).items() if name != "house"
            }
            values = {"server": json.dumps(server)}
            context.session.execute(update(offers).where(offers.c.id == row.id).values(**values))
    return notices


def _fill(context: Context, row: OfferRow) -> list[Notice]:
    """Have the bot join the offer. Refuse when the bot does not exist, or the maker cannot play
    now."""
    terms = load_terms(json.loads(row.options), json.loads(row.server))
    bot, maker = (
        find_player(context.session, terms.house),
        get_player(context.session, row.player_id),
    )
    if bot is None or maker is None or not (bot.is_bot and maker.is_active):
        raise Refusal(RefusalCode.PLAYER_UNAVAILABLE, phrase("nobody can join this offer"), "seeks")
    people = [require_free(context, maker, "seeks"), bot]
    return join_offer(_build_call(context, bot), row, people)


def _build_call(context: Context, bot: Player) -> Call:
    """Build the call in which a house player joins."""
    command = Command(get_verb("join"), Sender(via="terminal"))
    return Call(context.session, context.now, context.secrets, context.config, bot, command=command)


def do_due(work: DueWork) -> list[Notice]:
    """Expire offers, and fill others with bots."""
    return [*expire_offers(work.context), *fill_offers(work.context)]
