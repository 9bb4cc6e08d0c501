"""Boards begin here: challenges with their options, and invitations."""

from __future__ import annotations

import json
from collections.abc import Collection, Sequence

from sqlalchemy import insert, update

from pbm.core.commands import sleeping
from pbm.core.commands.bot_players import plays, require_house
from pbm.core.language.board_options import Terms, read_terms, suggest_options
from pbm.core.language.call import Call
from pbm.core.model.board import Board
from pbm.core.model.board_store import load, save
from pbm.core.model.notices.board_notices import BoardShown
from pbm.core.model.notices.notice import Notice
from pbm.core.model.player import Player, find_player
from pbm.core.model.refusal import Refusal, RefusalCode
from pbm.core.model.seat import Seat
from pbm.core.model.secrets import compute_commitment
from pbm.core.views.board_log import BoardLog
from pbm.core.views.board_updates import notify_new_board
from pbm.core.views.board_view import build_headline, build_view
from pbm.games import get_game
from pbm.rules import CHANCE_TO_MOVE, Game, OptionError, Position
from pbm.store import reads
from pbm.store.tables import boards, seats


def challenge(call: Call) -> list[Notice]:
    """Start a board, or an invitation with --ask; Refusal when a player cannot take part."""
    command = call.command
    if not call.knows_sender:
        raise Refusal(
            RefusalCode.NOT_IDENTIFIED,
            "only players can challenge: sign up first",
            "signup USERID PASSWORD",
        )
    if not command.game:
        raise Refusal(
            RefusalCode.MISSING_ARGUMENT, "the game is missing", "GAME challenge USERID USERID"
        )
    game = get_game(command.game)

    def form(userids: Sequence[str]) -> str:
        return f"{game.info.name} challenge {' '.join(_form_names(call, game, userids))}"

    terms = read_terms(game, command.words, form)
    _seat_writer(call, game, terms)
    right = form(terms.userids)
    people = _invited(call, game, terms, right)
    if not (call.player or call.vouched or command.sender.via == "terminal"):
        return [_asleep(call, game, people, terms, right)]
    _, notices = begin(call, game, people, terms, right)
    return notices


def _seat_writer(call: Call, game: Game, terms: Terms) -> None:
    """In a reply that names others alone, its writer takes the first seat if there is one more."""
    me, named = call.player, terms.userids
    if me is None or call.command.sender.token is None or not named:
        return
    if me.name not in map(str.lower, named) and len(named) + 1 in game.info.players:
        terms.userids.insert(0, me.userid)


def _asleep(call: Call, game: Game, people: Sequence[Player], terms: Terms, form: str) -> Notice:
    """Keep a challenge of which From alone says whose it is; Refusal when it names nobody whose
    address that is, or too many wait already."""
    challenger = next((p for p in people if any(p.id == each.id for each in call.senders)), None)
    if challenger is None:
        raise Refusal(
            RefusalCode.NOT_IDENTIFIED,
            "you are not one of these players, and your address alone is no proof: send that "
            "line as a reply to one of our mails",
            form,
        )
    sleeping.require_few(call.session, [player.id for player in call.senders])
    position = set_up(call, game, people, terms, form)
    board = new_board(
        call, game, position, people, terms, state="sleeping", accepted=[challenger.id]
    )
    board.sleep(ask=terms.ask)
    save(call.session, board, call.now)
    return sleeping.told(call, board)


def wake(call: Call, number: int, comment: str) -> list[Notice]:
    """Let a board begin whose challenger has proved to be one, as it would have begun at once, and
    pass the comment on; Refusal when its players cannot take part any more."""
    board = load(call.session, number, lock=True, asleep=True)
    userids = [seat.userid for seat in board.seats]
    form = f"{board.game.info.name} challenge {' '.join(userids)}"
    people = _taking_part(call, userids, form)
    require_house(call.config, board.game, people, form)
    asked = [player for player in people if not (player.is_bot or player.id == call.me.id)]
    is_asked = bool(board.kept.get("ask")) or board.control.is_fast
    accepted = {player.id for player in people if player not in asked}
    ask = must_ask(board.position, asked, is_asked=is_asked)
    board.wake(call.now, ask=ask, accepted=accepted)
    save(call.session, board, call.now)
    call.session.execute(update(boards).where(boards.c.id == number).values(created=call.now))
    return begun(call, board, board.seat_of(call.me).seat, comment)


def begin(
    call: Call,
    game: Game,
    people: Sequence[Player],
    terms: Terms,
    form: str,
    *,
    agreed: bool = False,
    knows_clocks: bool = False,
) -> tuple[Board, list[Notice]]:
    """A new board, and what everybody is told; an invitation when somebody has to be asked, unless
    all have `agreed` before. `knows_clocks`: they have played with these clocks. Refusal when it
    cannot be set up so."""
    position = set_up(call, game, people, terms, form)
    asked = [player for player in people if not (player.is_bot or _is_sender(call, player))]
    is_asked = terms.ask or (terms.control.is_fast and not knows_clocks)
    ask = not agreed and must_ask(position, asked, is_asked=is_asked)
    accepted = {player.id for player in people if agreed or player not in asked}
    state = "invited" if ask else "running"
    board = new_board(call, game, position, people, terms, state=state, accepted=accepted)
    if not ask:
        board.start(call.now)
    save(call.session, board, call.now)
    return board, begun(call, board, _actor(call, board), call.command.text)


def set_up(call: Call, game: Game, people: Sequence[Player], terms: Terms, form: str) -> Position:
    """The position that the board begins with; Refusal when it cannot be set up so."""
    require_house(call.config, game, people, form)
    try:
        return game.setup(len(people), terms.options)
    except OptionError as error:
        lines = suggest_options(game) if terms.options else ()
        raise Refusal(RefusalCode.BAD_OPTION, str(error), form, *lines) from None


def must_ask(position: Position, asked: Sequence[Player], *, is_asked: bool) -> bool:
    """Whether the board waits until these players have accepted: the terms say so, one of them
    wishes it, or the game opens with a roll, after which nobody may leave for nothing."""
    is_asked |= position.to_move == CHANCE_TO_MOVE
    return any(is_asked or player.wants("ask", "no") == "yes" for player in asked)


def begun(call: Call, board: Board, actor: int | None, comment: str) -> list[Notice]:
    """What everybody is told of a new board or an invitation."""
    notices = notify_new_board(call, board, actor=actor, comment=comment)
    if actor is None:
        view = build_view(board, None, BoardLog(call, board))
        shown = BoardShown(view=view, headline=build_headline(board, None))
        notices.append(call.answer(shown))
    return notices


def _form_names(call: Call, game: Game, userids: Sequence[str]) -> list[str]:
    """The userids for the right form: those that exist and can play, as many as the game takes, and
    the sender's where nobody else is a person. A word that is nobody's userid is not repeated."""
    typed = [userid for userid in userids[:6] if "=" not in userid]
    found = [find_player(call.session, userid) for userid in typed]
    playing = [player for player in found if player and plays(call.config, game, player)]
    names = [player.userid if player and player in playing else "USERID" for player in found]
    me = call.player or next(iter(call.senders), None)
    only_house = bool(playing) and all(player.is_bot for player in playing)
    if me is not None and me.userid not in names and (len(names) < 2 or only_house):
        names.insert(0, me.userid)
    counts = game.info.players
    count = next((count for count in counts if count >= len(names)), counts[-1])
    return [*names, *["USERID"] * count][:count]


def _is_sender(call: Call, player: Player) -> bool:
    known = [*([call.player] if call.player else []), *call.vouched]
    return any(sender.id == player.id for sender in known)


def _actor(call: Call, board: Board) -> int | None:
    known = [*([call.player] if call.player else []), *call.vouched]
    for sender in known:
        for seat in board.seats:
            if seat.player == sender.id:
                call.player = sender
                return seat.seat
    return None


def _invited(call: Call, game: Game, terms: Terms, form: str) -> list[Player]:
    """The players named; Refusal for an unknown, closed or busy one."""
    if len(terms.userids) < 2:
        everybody = "both players" if list(game.info.players) == [2] else "all players"
        raise Refusal(
            RefusalCode.MISSING_ARGUMENT,
            f"name {everybody}, starting with the one who moves first",
            form,
        )
    return _taking_part(call, terms.userids, form)


def _taking_part(call: Call, userids: Sequence[str], form: str) -> list[Player]:
    people = []
    for place, userid in enumerate(userids, 1):
        player = find_player(call.session, userid)
        if player is None and "=" in userid:
            raise Refusal(RefusalCode.BAD_OPTION, "an option begins with a dash: -NAME=VALUE", form)
        if player is None or not player.is_active:
            is_short = userid.isalnum() and len(userid) < 4  # too short for a password
            name = f"'{userid}'" if is_short else f"with the userid in place {place}"
            raise Refusal(RefusalCode.NO_SUCH_PLAYER, f"there is no player {name}", form)
        people.append(require_free(call, player, form))
    return people


def require_free(call: Call, player: Player, form: str) -> Player:
    """The player; Refusal for one whom no mail reaches or who plays on too many boards."""
    if player.is_bot:
        return player
    if not reads.addresses_of(call.session, player.id):
        raise Refusal(
            RefusalCode.PLAYER_UNAVAILABLE,
            f"{player.userid} has not confirmed an address yet",
            form,
        )
    most = call.config.limits.open_boards
    if most and reads.open_boards(call.session, player.id) >= most:
        who = "you already have" if _is_sender(call, player) else f"{player.userid} already has"
        raise Refusal(
            RefusalCode.LIMIT_REACHED,
            f"{who} {most} {'game' if most == 1 else 'games'} running, the limit",
        )
    return player


def new_board(
    call: Call,
    game: Game,
    position: Position,
    people: Sequence[Player],
    terms: Terms,
    *,
    state: str,
    accepted: Collection[int],
) -> Board:
    """A board in the database, to which some of its players have agreed."""
    secret = call.secrets.new_board_secret()
    rated = not terms.is_unrated(game) and len({player.id for player in people}) == len(people)
    now, control = call.now, terms.control
    row = {
        "game": game.info.name,
        "version": game.info.version,
        "options": json.dumps(terms.options),
        "players": len(people),
        "state": state,
        "position": position.encode(),
        "to_move": "",
        "number": 0,
        "ply": 0,
        "turn_ply": 0,
        "asked": 0,
        "undos": 0,
        "rated": rated,
        "secret": secret,
        "commitment": compute_commitment(secret),
        "nag_days": control.nag,
        "forfeit_days": control.forfeit,
        "total_days": control.total,
        "bank_days": control.bank,
        "increment_days": control.increment,
        "created": now,
        "moved": now,
    }
    number = call.session.execute(insert(boards).values(row).returning(boards.c.id)).scalar_one()
    call.session.execute(
        insert(seats),
        [
            {
                "board_id": number,
                "seat": seat,
                "player_id": player.id,
                "accepted": player.id in accepted,
            }
            for seat, player in enumerate(people)
        ],
    )
    return Board(
        id=number,
        game=game,
        options=terms.options,
        state=state,
        position=position,
        seats=[
            Seat(
                seat,
                player.id,
                player.userid,
                True,
                player.preferences,
                player.id in accepted,
                False,
                None,
                None,
                None,
            )
            for seat, player in enumerate(people)
        ],
        number=0,
        ply=0,
        turn_ply=0,
        asked=0,
        undos=0,
        rated=rated,
        proposals={},
        secret=secret,
        commitment=compute_commitment(secret),
        created=now,
        moved=now,
        ended=None,
        control=control,
    )
