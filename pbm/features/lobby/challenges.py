"""Challenges and invitations, with which boards begin."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from pbm.core.board import Board
from pbm.core.call import Call, Handler, MustWrite
from pbm.core.context import Context
from pbm.core.house_players import can_play, has_bots, require_bots_can_play
from pbm.core.log_view import BoardLog
from pbm.core.making import find_members, insert_board
from pbm.core.notices import BoardShown, BoardUpdate, Notice
from pbm.core.options import (
    Terms,
    add_dash,
    read_loose_options,
    read_terms,
    set_up,
    suggest_options,
)
from pbm.core.player import Player, find_player, find_similar_player, get_player
from pbm.core.proofs import Act, is_worth
from pbm.core.refusal import Refusal, RefusalCode, tell_limit
from pbm.core.refusal_texts import build_refusal, correct_line, may_repeat, repeat_line
from pbm.core.storing import load, save
from pbm.core.updates import add_remark, notify_new_board
from pbm.core.view import build_headline, build_view
from pbm.features.lobby import sleeping
from pbm.features.parties.matches import (
    add_board,
    build_table,
    find_matches,
    insert_match,
    rank_players,
)
from pbm.games import get_game
from pbm.rules import CHANCE_TO_MOVE, Game, Position
from pbm.rules.phrases import make_phrase, phrase, phrase_number
from pbm.store import reads
from pbm.store.reads import find_blockers, find_captain

_CROWD = 3


def challenge(call: Call) -> list[Notice]:
    """Start a board, or an invitation with --ask. Refuse when a player cannot take part."""
    command = call.command
    if not call.knows_sender:
        raise Refusal(
            RefusalCode.NOT_IDENTIFIED,
            phrase("only players can challenge: sign up first"),
            "signup USERID PASSWORD",
        )
    call.require_game("GAME challenge USERID USERID")
    if any("@" in word[1:] for word in command.words if not word.startswith("-")):
        return _invite(call)
    game = get_game(command.game)

    def form(userids: Sequence[str]) -> str:
        return f"{game.info.name} challenge {' '.join(_suggest_userids(call, game, userids))}"

    terms = read_terms(game, command.words, form, writer=call)
    _seat_sender(call, game, terms)
    right = form(terms.userids)
    people = _find_invited(call, game, terms, right)
    if terms.boards:
        return start_match(call, game, people, terms, right)
    if not (call.player or call.vouched or command.sender.via == "terminal"):
        return [_put_to_sleep(call, game, people, terms, right)]
    _, notices = begin(call, game, people, terms, right)
    return notices


def _invite(call: Call) -> list[Notice]:
    """Invite the owner of an address that stands in place of a userid. Without the sender's userid
    the sender moves first. Refuse a challenge without proof: it would send mail to a third
    party."""
    command = call.command
    if call.player is None or not is_worth(call.proof, Act.INVITE):
        raise Refusal(
            RefusalCode.NOT_IDENTIFIED,
            phrase("an invitation by mail needs a proof of who sends it"),
            f"invite {{user}} PASSWORD NAME@EXAMPLE.ORG {command.game}",
        )
    names = [word.lower() for word in command.words]
    if call.player.name not in names:
        call.command = replace(command, words=(call.player.userid, *command.words))
    return call.do_as("invite")


def _seat_sender(call: Call, game: Game, terms: Terms) -> None:
    """Give the first seat to the sender of a reply or form that names only others, if the game has
    a seat for one more."""
    vouched = call.vouched[0] if len(call.vouched) == 1 else None
    me, userids, sender = call.player or vouched, terms.userids, call.command.sender
    if me is None or not (sender.token or sender.player) or not userids:
        return
    if me.name not in map(str.lower, userids) and len(userids) + 1 in game.info.players:
        terms.userids.insert(0, me.userid)


def _put_to_sleep(
    call: Call, game: Game, people: Sequence[Player], terms: Terms, form: str
) -> Notice:
    """Store a challenge that only From ascribes to a player as a sleeping board. Refuse one that
    names no player with that address, and one too many."""
    challenger = next((p for p in people if _is_of(call, p)), None)
    if challenger is None:
        raise Refusal(
            RefusalCode.NOT_IDENTIFIED,
            phrase(
                "you are not one of these players, and your address alone is no proof: "
                "send that line as a reply to one of our mails"
            ),
            form,
        )
    sleeping.require_few(call.session, [player.id for player in call.senders])
    position = set_up_position(call, game, people, terms, form)
    board = insert_board(
        call, game, position, people, terms, state="sleeping", accepted=[challenger.id]
    )
    board.sleep(ask=terms.ask)
    save(call.session, board, call.now)
    return sleeping.ask_for_proof(call, board)


def _is_of(call: Call, player: Player) -> bool:
    """Whether From has the address of a player, or of the captain of a team."""
    number = find_captain(call.session, player.id) if player.is_team else player.id
    return any(number == each.id for each in call.senders)


def wake(call: Call, number: int, comment: str) -> list[Notice]:
    """Wake a sleeping board whose challenger has proved their identity, and pass the comment on.
    From then on it begins as any board does. Refuse when a player can no longer take part."""
    board = load(call.session, number, lock=True, asleep=True)
    userids = [seat.account for seat in board.seats]
    form = f"{board.game.info.name} challenge {' '.join(userids)}"
    people = _find_participants(call, board.game, userids, form)
    require_bots_can_play(call.config, board.game, people, form)
    opponents = [player for player in people if not (player.is_bot or _is_sender(call, player))]
    is_asked = bool(board.undo_state.get("ask")) or board.control.is_fast
    accepted = {player.id for player in people if player not in opponents}
    ask = needs_consent(board.position, opponents, is_asked=is_asked)
    board.wake(call.now, ask=ask, accepted=accepted)
    save(call.session, board, call.now)
    return announce_board(call, board, board.find_seat(call.me).seat, comment)


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
    """Start a board and return it with the notices to everybody; an invitation when somebody has to
    be asked, unless all have `agreed` before. `knows_clocks`: they have played with these clocks.
    Refuse options with which the game cannot be set up."""
    position = set_up_position(call, game, people, terms, form)
    opponents = [player for player in people if not (player.is_bot or _is_sender(call, player))]
    is_asked = terms.ask or (terms.control.is_fast and not knows_clocks)
    ask = not agreed and needs_consent(position, opponents, is_asked=is_asked)
    accepted = {player.id for player in people if agreed or player not in opponents}
    state = "invited" if ask else "running"
    board = insert_board(call, game, position, people, terms, state=state, accepted=accepted)
    if not ask:
        board.start(call.now)
    save(call.session, board, call.now)
    actor = _find_actor(call, board)
    call.drop_comment(board)  # of whom From alone has proved, and who may be silenced
    notices = announce_board(call, board, actor, call.command.text)
    if ask:
        why = _explain_invitation(position, terms)
        for player in people:
            notices = add_remark(notices, player.id, why)
    return board, notices


def _explain_invitation(position: Position, terms: Terms) -> str:
    """Return why the board waits for everybody's acceptance."""
    if terms.ask:
        return phrase("it does not start at once, since the challenge asks first")
    if position.to_move == CHANCE_TO_MOVE:
        return phrase("it does not start at once, since the game opens with a roll or a draw")
    if terms.control.is_fast:
        return phrase("it does not start at once, since its clocks are fast")
    return phrase("it does not start at once, since somebody wants to be asked first (ask=yes)")


def set_up_position(
    context: Context, game: Game, people: Sequence[Player], terms: Terms, form: str
) -> Position:
    """Return the first position of the board. Refuse options that the game does not allow."""
    require_bots_can_play(context.config, game, people, form)
    position = set_up(game, len(people), terms.options, form)
    if terms.standin:
        _require_standin(context, game, len(people), position, form)
    if terms.control.grace and len(people) < _CROWD and not position.takes_orders:
        raise Refusal(
            RefusalCode.BAD_OPTION,
            phrase("{option} is for boards of three and more", option=make_phrase("--grace")),
            form,
        )
    return position


def _require_standin(
    context: Context, game: Game, players: int, position: Position, form: str
) -> None:
    """Refuse a stand-in on a board where nobody else would play on, or that no computer player can
    play."""
    if players < _CROWD or position.takes_orders:
        raise Refusal(
            RefusalCode.BAD_OPTION,
            phrase(
                "{option} is for boards of three and more, and not for games of orders",
                option=make_phrase("--standin"),
            ),
            form,
        )
    if not (context.config.bots.enabled and has_bots(game)):
        raise Refusal(
            RefusalCode.BOT_UNAVAILABLE,
            phrase(
                "no computer player can stand in here: leave out {option}",
                option=make_phrase("--standin"),
            ),
            form,
        )


def needs_consent(position: Position, opponents: Sequence[Player], *, is_asked: bool) -> bool:
    """Whether the board waits until these players accept: by its terms, by a preference of one of
    them, or because the game opens with a roll, after which leaving counts as a loss."""
    is_asked |= position.to_move == CHANCE_TO_MOVE
    return any(is_asked or player.get_preference("ask", "no") == "yes" for player in opponents)


def announce_board(call: Call, board: Board, actor: int | None, comment: str) -> list[Notice]:
    """Return the notices of a new board or an invitation."""
    notices = notify_new_board(call, board, actor=actor, comment=comment)
    if actor is None:
        view = build_view(board, None, BoardLog(call, board), in_words=call.wants_words)
        shown = BoardShown(view=view, headline=build_headline(board, None))
        notices.append(call.answer(shown))
    return notices


def _suggest_userids(call: Call, game: Game, userids: Sequence[str]) -> list[str]:
    """Return the userids for the suggested line: those that exist and can play, as many as the game
    takes, and the sender's where all others are bots. A word that is no userid is not repeated."""
    words = [userid for userid in userids[:6] if "=" not in userid]
    players = [find_player(call.session, userid) for userid in words]
    playing = [player for player in players if player and can_play(call.config, game, player)]
    names = [player.userid if player and player in playing else "USERID" for player in players]
    me = call.player or next(iter(call.senders), None)
    only_bots = bool(playing) and all(player.is_bot for player in playing)
    if me is not None and me.userid not in names and (len(names) < 2 or only_bots):
        names.insert(0, me.userid)
    counts = game.info.players
    count = min((count for count in counts if count >= len(names)), default=max(counts))
    return [*names, *["USERID"] * count][:count]


def _is_sender(context: Context, player: Player) -> bool:
    senders = [*([context.player] if context.player else []), *context.vouched]
    if player.is_team:
        captain = find_captain(context.session, player.id)
        return any(sender.id == captain for sender in senders)
    return any(sender.id == player.id for sender in senders)


def _find_actor(call: Call, board: Board) -> int | None:
    senders = [*([call.player] if call.player else []), *call.vouched]
    for sender in senders:
        for seat in board.seats:
            if seat.is_held_by(sender.id):
                call.player = sender
                return seat.seat
    return None


def _find_invited(call: Call, game: Game, terms: Terms, form: str) -> list[Player]:
    """Return the named players. Refuse one who is unknown, closed or busy."""
    if len(terms.userids) < 2:
        own = call.own_userid
        if terms.userids and own and own not in terms.userids:
            words = [add_dash(game, word) for word in call.command.words]
            form = repeat_line(call, [own, *words]) or form
        raise Refusal(
            RefusalCode.MISSING_ARGUMENT,
            phrase("name both players, starting with the one who moves first")
            if list(game.info.players) == [2]
            else phrase("name all players, starting with the one who moves first"),
            form,
        )
    return _find_participants(call, game, terms.userids, form)


def _find_participants(call: Call, game: Game, userids: Sequence[str], form: str) -> list[Player]:
    people = []
    require_dashes(call, game, userids)
    _require_no_password(call, game, userids, form)
    for place, userid in enumerate(userids, 1):
        player = find_player(call.session, userid)
        if player is None and "=" in userid:
            raise Refusal(
                RefusalCode.BAD_OPTION,
                phrase("an option begins with a dash: -NAME=VALUE"),
                form,
                *suggest_options(game),
            )
        if player is None or not player.is_active or player.is_guest:
            # Too short for a password, or of no such shape.
            is_plain = userid.isalnum() and (len(userid) < 4 or may_repeat(call, userid))
            has_field = call.command.sender.via == "web"  # of its own, where no password stands
            problem = (
                phrase("there is no player '{userid}'", userid=userid)
                if is_plain or has_field
                else phrase("there is no player with the userid in place {place}", place=place)
            )
            similar = find_similar_player(call.session, userid) if call.knows_sender else ""
            if similar:
                problem = phrase("{problem}: did you mean {meant}?", problem=problem, meant=similar)
                form = correct_line(call, userid, similar) or form
            raise Refusal(RefusalCode.NO_SUCH_PLAYER, problem, form)
        people.append(require_free(call, player, form))
    return people


def require_dashes(
    call: Call, game: Game, userids: Sequence[str], *, offered: bool = False
) -> None:
    """Refuse options without a dash among the userids, with the line that has them as options."""
    loose = [each for each in userids if find_player(call.session, each) is None]
    if options := read_loose_options(game, loose, offered=offered):
        words = [add_dash(game, word, offered=offered) for word in call.command.words]
        words = [word for word in words if word not in loose]
        text = phrase("an option begins with a dash: -NAME=VALUE")
        line = repeat_line(call, [*words, *options])
        raise Refusal(RefusalCode.BAD_OPTION, text, *filter(None, [line]))


def _require_no_password(call: Call, game: Game, userids: Sequence[str], form: str) -> None:
    """Refuse, without repeating it, a word that resembles no userid while the other words name
    enough players. It may be a password, which stands there in other commands."""
    strange = [each for each in userids if find_player(call.session, each) is None]
    known = [each for each in userids if each not in strange]
    owners = [player.name for player in (call.player, *call.senders) if player is not None]
    if owners and not {*owners} & {each.lower() for each in known}:
        known.insert(0, owners[0])
    is_enough = len(strange) == 1 and len(known) > 1 and len(known) in game.info.players
    if not is_enough or "=" in strange[0] or find_similar_player(call.session, strange[0]):
        return
    named = [find_player(call.session, each) for each in known]
    require_bots_can_play(call.config, game, [each for each in named if each is not None], form)
    raise Refusal(
        RefusalCode.NO_SUCH_PLAYER,
        phrase(
            "a challenge takes no password, and the word in place {place} is no player's: name the "
            "players alone",
            place=[*userids].index(strange[0]) + 1,
        ),
        f"{game.info.name} challenge {' '.join(known)}",
    )


def _require_free_team(context: Context, team: Player, form: str) -> Player:
    """Return the team. Refuse one with a member whom no mail reaches or who blocks the sender, and
    one with too many open boards."""
    members = find_members(context.session, team)
    sender, reached = context.player, False
    blockers = find_blockers(context.session, sender.id) if sender is not None else ()
    for each in members:
        reached |= bool(reads.find_addresses(context.session, each.player))
    most = context.config.limits.open_boards
    is_full = bool(most) and reads.count_open_boards(context.session, team.id) >= most
    if not reached or is_full or any(each.player in blockers for each in members):
        raise Refusal(
            RefusalCode.PLAYER_UNAVAILABLE,
            phrase("{userid} cannot take part in a new board at present", userid=team.userid),
            form,
        )
    return team


def require_free(context: Context, player: Player, form: str) -> Player:
    """Return the player. Refuse one without a confirmed address or with too many open boards."""
    if player.is_bot:
        return player
    if player.is_team:
        return _require_free_team(context, player, form)
    sender = context.player
    if sender is not None and player.id in find_blockers(context.session, sender.id):
        raise Refusal(
            RefusalCode.PLAYER_UNAVAILABLE,
            phrase("{userid} cannot take part in a new board at present", userid=player.userid),
            form,
        )
    if not reads.find_addresses(context.session, player.id):
        raise Refusal(
            RefusalCode.PLAYER_UNAVAILABLE,
            phrase("{userid} has not confirmed an address yet", userid=player.userid),
            form,
        )
    most = context.config.limits.open_boards
    if most and reads.count_open_boards(context.session, player.id) >= most:
        if _is_sender(context, player):
            raise Refusal(RefusalCode.LIMIT_REACHED, tell_limit(most))
        raise Refusal(
            RefusalCode.LIMIT_REACHED,
            phrase_number(
                "{userid} already has {count} game running, the limit",
                "{userid} already has {count} games running, the limit",
                most,
                userid=player.userid,
            ),
        )
    return player


# Matches of two teams: many boards, one table.


def start_match(
    call: Call, game: Game, teams: Sequence[Player], terms: Terms, form: str
) -> list[Notice]:
    """Start the boards of a match: the strongest of both teams meet on the first, and so on; the
    team named first moves first on the first board, the other on the second, and so on in turn.
    Members who cannot take part are passed over. Refuse all but two teams, of which the sender
    leads one, and more boards than they can fill."""
    if len(teams) != 2 or not all(each.is_team for each in teams) or 2 not in game.info.players:
        raise Refusal(
            RefusalCode.BAD_OPTION,
            phrase(
                "{option} is for a match of two teams in a game for two",
                option=make_phrase("--boards"),
            ),
            f"{game.info.name} challenge @TEAM @TEAM --boards=8",
        )
    sides = [_rank_members(call, game, team) for team in teams]
    captains = [side[0] for side in (find_members(call.session, team) for team in teams) if side]
    proved = call.vouched if call.player is None else (call.player,)
    if not proved:
        raise Refusal(
            RefusalCode.NOT_IDENTIFIED,
            phrase(
                "your address alone is no proof that you lead a team: send that line as a reply to "
                "one of our mails"
            ),
            form,
        )
    if not {each.id for each in proved} & {each.player for each in captains}:
        raise Refusal(
            RefusalCode.NOT_CAPTAIN, phrase("a match is for the captain of one of its teams"), form
        )
    if both := {each.id for each in sides[0]} & {each.id for each in sides[1]}:
        shared = next(each.userid for each in sides[0] if each.id in both)
        raise Refusal(
            RefusalCode.ALREADY_SEATED, phrase("{userid} would play on both sides", userid=shared)
        )
    most = min(map(len, sides))
    if terms.boards > most:
        raise Refusal(
            RefusalCode.BAD_OPTION,
            phrase("these teams can play on {most} boards at most", most=most),
            f"{form} --boards={most}" if most else form,
        )
    number = insert_match(call, game.info.name, *teams)
    notices = list[Notice]()
    for place in range(terms.boards):
        home = place % 2
        pair = [sides[home][place], sides[1 - home][place]]
        names = f"{teams[0].userid} - {teams[1].userid}, {place + 1}"
        own = replace(terms, title=terms.title or names)
        board, told = begin(call, game, pair, own, form)
        add_board(call.session, number, place + 1, board, home)
        notices += [_as_news(each) for each in told if not isinstance(each.content, BoardShown)]
    row = next(each for each in find_matches(call.session, teams[0].id, 5) if each.id == number)
    return [call.answer(build_table(call, row)), *notices]


def _as_news(notice: Notice) -> Notice:
    """Return a notice of a board of the match as news; a table of all boards is the answer."""
    return replace(notice, is_answer=False)


def _rank_members(call: Call, game: Game, team: Player) -> list[Player]:
    """Return the team's available members, the strongest first."""
    able = list[Player]()
    for each in find_members(call.session, team, with_reserves=True):
        player = get_player(call.session, each.player)
        try:
            able += [require_free(call, player, "")] if player is not None else []
        except Refusal:
            continue  # the next one plays in their place
    return rank_players(call.session, game.info.name, team, able)


_ENDING_VERBS = ("decline", "reject", "resign", "cancel")
"""Verbs that delete a sleeping board instead of waking it."""


def wake_for(call: Call, number: int, do: Handler) -> list[Notice] | None:
    """Do a challenger's command on a sleeping board, which wakes first and stays awake when the
    command is refused. Return None for anybody but the challenger. Raise MustWrite in a call that
    only reads."""
    board = load(call.session, number, asleep=True)
    if call.player is None or not sleeping.is_challenger(board, call.player.id):
        return None
    if call.reads_only:
        raise MustWrite
    return _wake_and_do(call, board, do)


def _wake_and_do(call: Call, board: Board, do: Handler) -> list[Notice]:
    """Do a command on a sleeping board; the board wakes unless the command deletes it."""
    verb = call.command.verb.name
    with call.session.savepoint():
        if verb in _ENDING_VERBS:
            return sleeping.drop_for_challenger(call, board)
        call.remove_stray_moves(board)
        comment = call.command.text if verb == "accept" else ""
        woken = wake(call, board.id, comment)
    if verb == "accept":
        return woken
    try:
        with call.session.savepoint():
            done = do(call)
    except Refusal as refusal:
        done = [build_refusal(call, refusal)]
    is_shown = any(n.is_answer and isinstance(n.content, BoardUpdate) for n in done)
    return [*(notice for notice in woken if not (is_shown and notice.is_answer)), *done]
