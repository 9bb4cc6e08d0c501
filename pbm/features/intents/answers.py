"""Answers to questions and wishes in a player's own words: a fact, a page, or an offer. Nothing is
done without a yes, but that words may be passed on to others at a board."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace as replace_scene
from datetime import date, timedelta
from functools import partial

from msgspec import Struct
from msgspec.structs import replace

from pbm.core import clock
from pbm.core.authenticate import can_offer, refuse_astray, was_taken
from pbm.core.board import Board, format_deadline
from pbm.core.call import Call
from pbm.core.command import NotACommand
from pbm.core.house_players import has_bots
from pbm.core.intents import (
    Intent,
    Known,
    Occasion,
    Wish,
    find_known,
    find_mail_address,
    find_wish,
    read_day,
    read_inquiry,
    read_topic,
)
from pbm.core.links import has_secret
from pbm.core.log_view import BoardLog
from pbm.core.notices import BoardView, Notice, ProgramAsked
from pbm.core.parser import read_line
from pbm.core.player import find_player
from pbm.core.refusal import Offer, Refusal, RefusalCode
from pbm.core.seat import Seat
from pbm.core.storing import load
from pbm.core.talk import find_act, mentions_move, read_consent
from pbm.core.turns import may_be_played, offer_move
from pbm.core.view import build_view, describe_state, find_thread
from pbm.core.words import get_verb, is_userid
from pbm.features.accounts.stopping import offer_less
from pbm.features.finding.looking import has_places
from pbm.features.intents.notices import Answered
from pbm.features.intents.rulebook import list_terms, write_excerpt
from pbm.features.play.replies import build_question, is_private, pass_on
from pbm.games import get_game
from pbm.locale import ENGLISH, Page
from pbm.locale.intents import split_words
from pbm.locale.words import fold
from pbm.rules.phrases import phrase

_HOLIDAY = 7
"""The days of an offered vacation, if none were named."""
_EXAMPLE = "chess"
_LEVEL = "level1"
_INVITE = "invite NAME@EXAMPLE.ORG"
_LAST_YEAR_DAYS = 366
_TOLD_OTHERS = (Intent.TIME, Intent.PAUSE, Intent.VACATION)
"""What the others hear of in the player's own words, too."""


def ask(call: Call) -> list[Notice]:
    """Answer a question or a wish that is not about a board. Refuse what is not understood."""
    line = " ".join(call.command.words)
    notices = answer(call, line)
    if notices is None:
        raise Refusal(
            RefusalCode.NO_COMMAND,
            phrase("I did not understand that"),
            "help",
            "help commands",
            "games",
        )
    return notices


def say_yes(call: Call) -> list[Notice]:
    """Accept a no to an offer without doing anything; an answer names what stands below it. Refuse
    a yes to a mail that offers nothing, or nothing any more."""
    if call.command.words[:1] == ("no",):
        nothing = phrase("Nothing has changed.")
        return [call.answer(Answered(game="", sentences=[nothing]))] if call.command.text else []
    if call.player is not None and was_taken(
        call.session, call.command.sender.answers, call.player.id
    ):
        raise Refusal(
            RefusalCode.ALREADY_DONE, phrase("you have answered that already"), "mine", "help"
        )
    if read_consent(call.command.rest) is None:
        with suppress(NotACommand):
            read_line(call.command.rest, call.command.sender)  # says what a verb lacks
    raise refuse_astray(call) or Refusal(
        RefusalCode.NOTHING_PROPOSED,
        phrase("the mail that you answered offers nothing to which yes is an answer, or no more"),
        "help",
    )


class Asked(Struct, frozen=True):
    """A wish, and the line that expresses it."""

    call: Call
    wish: Wish
    line: str

    def reply(self, *sentences: str, offer: str = "", send: Iterable[str] = ()) -> list[Notice]:
        """Return an answer outside the thread of any board; a reply to it is a command of the
        player."""
        return [self._answer(sentences, offer, send)]

    def reply_here(self, *sentences: str, offer: str = "") -> list[Notice]:
        """Return an answer in the thread of the question; at a board, a reply to it may be a
        move."""
        return self.reply(*sentences, offer=offer)

    def _answer(
        self,
        sentences: Sequence[str],
        offer: str,
        send: Iterable[str],
        excerpt: str = "",
        view: BoardView | None = None,
    ) -> Notice:
        lines = [*send] if not offer or can_offer(self.call) else [offer, *send]
        return self.call.answer(
            Answered(
                game=view.game if view is not None else "",
                board=view.board if view is not None else 0,
                sentences=sentences,
                excerpt=excerpt,
                offer=Offer(offer) if offer and can_offer(self.call) else None,
                send=lines,
                view=view,
            )
        )


class AskedHere(Asked, frozen=True):
    """A wish of a seat's player, at its board, and the text below its line."""

    board: Board
    seat: Seat
    below: str

    @property
    def is_on_move(self) -> bool:
        """Whether it is the seat's turn."""
        is_running = self.board.state == "running"
        return is_running and self.seat.seat in self.board.position.to_move

    def reply_here(
        self, *sentences: str, offer: str = "", send: Iterable[str] = (), excerpt: str = ""
    ) -> list[Notice]:
        """Return the answer, with the board."""
        view = build_view(self.board, self.seat.seat, BoardLog(self.call, self.board))
        notice = self._answer(sentences, offer, send, excerpt, view)
        return [replace(notice, thread=find_thread(self.board, self.seat.seat))]


def answer(call: Call, line: str) -> list[Notice] | None:
    """Return the answer to a line that is neither a move nor a command; None where it contains no
    clear question or wish."""
    sender = call.command.sender
    if sender.board and call.player is not None:
        board = load(call.session, sender.board, lock=False)
        seat = board.find_seat(call.me)
        is_on_move = board.state == "running" and seat.seat in board.position.to_move
        below = call.command.text
        known = find_known(board)._replace(own={fold(seat.userid), fold(seat.account)})
        if not board.is_over:
            known = known._replace(terms=partial(list_terms, board.game))
        place = Occasion.TURN if is_on_move else Occasion.BOARD
        wish, rest = find_wish(line, Occasion.BOARD, known, is_lenient=is_on_move)
        has_press = bool(board.position.press)
        answered = wish and _answer_here(AskedHere(call, wish, line, board, seat, below), rest)
        is_doubtful = is_on_move and mentions_move(line)
        topic = None if is_doubtful else read_topic(line, place, known)
        if answered is None and topic is not None:
            here = AskedHere(call, topic, line, board, seat, below)
            is_told = (is_on_move or has_press) and not has_secret(f"{line} {below}")
            answered = _answer_here(here, line if is_told else "")
            if answered and is_told and not seat.decides:
                answered = [_offer_words(each, here) for each in answered]
        return answered
    place = Occasion.EVENT if sender.event else Occasion.ACCOUNT
    named = Known(players={each.lower() for each in _find_named(call, split_words(line))})
    wish, _ = find_wish(line, place, named)
    if wish is None and sender.token is not None and sender.is_person:
        wish = read_inquiry(line, place)
    return None if wish is None else _ANYWHERE[wish.intent](Asked(call, wish, line))


def _offer_words(notice: Notice, asked: AskedHere) -> Notice:
    """Return an answer to what may be for the other players, with the line that sends it to them if
    it offers nothing else; where there is press, with how that begins."""
    content, press = notice.content, asked.board.position.press
    if not isinstance(content, Answered) or press == "none":
        return notice
    if press:
        reader = "all" if press == "public" else "POWER"
        return replace(notice, content=replace(content, send=(*content.send, f"press to {reader}")))
    offer = content.offer or Offer(f"chat {asked.line}", asked.below)
    return replace(notice, content=replace(content, offer=offer))


def _answer_here(asked: AskedHere, rest: str) -> list[Notice] | None:
    """Return the answer to a wish at a board; `rest` is named as not passed on. What may as well be
    said to the others is passed on to them, too, as is why somebody needs time."""
    call, wish = asked.call, asked.wish
    written = call.command
    call.command = replace(written, text="\n".join(filter(None, (rest, asked.below))))
    at_board = _AT_BOARDS.get(wish.intent)
    answered = _ANYWHERE[wish.intent](asked) if at_board is None else at_board(asked)
    if answered is None:
        call.command = written
    elif (wish.is_open and not asked.board.position.press) or (
        wish.intent in _TOLD_OTHERS and not wish.is_question
    ):
        passed = _pass_on(asked)
        if any(isinstance(each.content, ProgramAsked) for each in passed):
            return passed
        told = phrase("Your words were passed on.")
        if others := [each for each in passed if not each.is_answer]:
            answered = [replace(each, added=(*each.added, told)) for each in answered] + others
    return answered


# At a board


def _tell_rules(asked: AskedHere) -> list[Notice] | None:
    """Answer with what the game's page says of a question, or with the whole page; after the end
    with the rating, of which points are won and lost."""
    if asked.board.is_over and asked.wish.about & {"win", "points"}:
        return _show_rating(asked)
    write = partial(write_excerpt, asked.board.game, asked.line, asked.wish)
    if not write(ENGLISH):
        return _do(asked, "help", "rules")
    return asked.reply_here(
        phrase("this is what the rules say of it"), excerpt=Page(write), send=("rules", "moves")
    )


def _list_moves(asked: AskedHere) -> list[Notice] | None:
    """List the legal moves; not for "no idea yet" while the other is to move."""
    if "stuck" in asked.wish.about and not (asked.is_on_move or asked.wish.is_question):
        return None
    return _do(asked, "help", "moves") if not asked.board.is_over else _offer_analysis(asked)


def _help(asked: AskedHere) -> list[Notice]:
    return _do(asked, "help")


def _find_pieces(asked: AskedHere) -> list[Notice]:
    """Return where the pieces named in a line stand, as far as the player may see them."""
    board, seat, wish = asked.board, asked.seat, asked.wish
    scene = board.position.scene(seat.seat)
    pieces = [piece for piece in scene.pieces if piece.kind in wish.pieces]
    if not pieces:
        return asked.reply_here(phrase("none of these stands on the board now"))
    told = board.position.describe_pieces(replace_scene(scene, pieces=tuple(pieces)))
    return asked.reply_here(*told)


def _show_panel(asked: AskedHere) -> list[Notice] | None:
    """Return what a panel beside the board says; None if the board has none of that title now."""
    words = asked.wish.panel.split()
    return _do(asked, "show", *words) if has_places(asked.board, words) else None


def _tell_state(asked: AskedHere) -> list[Notice]:
    """Return whose turn it is or who has won, the time left, and the last moves."""
    board, seat, call = asked.board, asked.seat, asked.call
    told = [describe_state(board, seat.seat)]
    if board.state == "running":
        for each in board.seats:
            if each.seat in board.position.to_move and not board.is_anonymous:
                own = each.seat == seat.seat
                end, _ = format_deadline(board, seat if own else each, call.now, is_own=own)
                told += [_say_time(each.userid, end, is_own=own)] if end else []
        if "win" in asked.wish.about:
            told.append(
                phrase("who stands better is not said while a game goes on: here is the board")
            )
    return asked.reply_here(*told, send=("moves", "rules") if asked.wish.is_open else ())


def _say_time(who: str, until: str, *, is_own: bool) -> str:
    if is_own:
        return phrase("your time for this move ends {until}", until=until)
    return phrase("the time of {who} for this move ends {until}", who=who, until=until)


def _offer_undo(asked: AskedHere) -> list[Notice] | None:
    seat, board = asked.seat, asked.board
    if board.is_over:
        return _offer_analysis(asked) if asked.wish.is_question else None
    if board.position.takes_orders or not seat.moved:
        move = asked.wish.cells[-1] if asked.wish.cells else ""
        if move and asked.is_on_move and may_be_played(asked.call, board, seat, move):
            text = phrase("did you mean the move {move}?", move=move)
            raise offer_move(board, text, Offer(move, asked.call.command.text))
        return asked.reply_here(phrase("there is no move of yours here to be taken back"))
    told = [phrase("the others are asked whether you may take back your last move")]
    if asked.wish.cells:
        told.append(
            phrase(
                "once they agree, send {move}: until then nothing changes",
                move=asked.wish.cells[-1],
            )
        )
    return asked.reply_here(*told, offer="undo")


def _offer_draw(asked: AskedHere) -> list[Notice] | None:
    """Offer to propose a draw, also to a player who asks for one; not if the line contains a no."""
    if asked.board.is_over or asked.wish.is_negative or asked.wish.cells:
        return None
    raise build_question(asked.board, asked.seat, "propose", "draw", asked.call.command.text)


def _offer_resignation(asked: AskedHere) -> list[Notice] | None:
    """Offer to resign if the player says so; a question or a no brings no offer."""
    is_said = asked.is_on_move or find_act(asked.line) == "resign"  # "you win this one, friend"
    if asked.board.is_over or asked.wish.cells or not is_said:
        return None
    below = asked.call.command.text
    raise build_question(asked.board, asked.seat, "resign", asked.line, below)


def _offer_rematch(asked: AskedHere) -> list[Notice] | None:
    """Offer to play again; a question for a game that goes on is how it stands."""
    if not asked.board.is_over:
        return _tell_state(asked) if asked.wish.is_open and asked.wish.is_question else None
    return asked.reply_here(phrase("the same game, with the seats swapped"), offer="rematch")


def _send_record(asked: AskedHere) -> list[Notice]:
    return asked.reply_here(
        phrase("the whole game comes as a record, for this board and any program"), send=("export",)
    )


def _offer_analysis(asked: AskedHere) -> list[Notice] | None:
    """Offer the analysis of a board that is over; while it is played, nobody is helped."""
    if not asked.board.is_over:
        return None
    told = phrase("an analysis says which turns changed the most, and what would have been better")
    return asked.reply_here(told, offer="analyse")


def _show_player(asked: Asked) -> list[Notice]:
    """Show the player whom a line names, with rating and results."""
    named = _find_named(asked.call, asked.wish.players)
    return _do(asked, "who", next(named, asked.call.own_userid))


def _show_rating(asked: Asked) -> list[Notice]:
    return _do(asked, "rating", asked.call.own_userid)


def _show_rating_here(asked: AskedHere) -> list[Notice] | None:
    """Show the own rating; nothing for points of a game that goes on, which are its own."""
    is_meant = asked.board.is_over or "rating" in asked.wish.about
    return _show_rating(asked) if is_meant else None


def _tell_pictures(asked: AskedHere) -> list[Notice]:
    """Say how a mail shows the board."""
    return asked.reply_here(
        phrase("a mail can show the board as text, as a picture or in words"),
        send=("set mail=picture", "set mail=text", "set board=words"),
    )


# At an account


def _offer_vacation(asked: Asked) -> list[Notice]:
    """Offer to stop the player's clocks until the named day, or for a week."""
    call = asked.call
    zone = call.me.get_preference("zone", "UTC") if call.player is not None else "UTC"
    today = clock.to_local(call.now, zone).date()
    last = _read_end(asked.line, today)
    at_board = isinstance(asked, AskedHere) and asked.board.event is None
    is_short = at_board and asked.wish.intent is Intent.TIME
    told = [
        phrase("while you are on vacation your clocks stand still at every board"),
        phrase("your opponents hear of it when it begins"),
        *([phrase("they can also give you days: by time 3 in a reply")] if is_short else []),
    ]
    return asked.reply_here(*told, offer=f"vacation until {last}")


def _offer_pause(asked: AskedHere) -> list[Notice]:
    """Offer to propose that all clocks of the board stand still until the named day, or for a week;
    where nobody can, offer a vacation."""
    board, seat, call = asked.board, asked.seat, asked.call
    if (
        board.state != "running"
        or board.event is not None
        or seat.seat not in board.position.playing
    ):
        return _offer_vacation(asked)
    last = _read_end(asked.line, clock.to_local(call.now, call.zone).date())
    told = phrase(
        "the others are asked whether all clocks of this board are to stand still until then"
    )
    return asked.reply_here(told, offer=f"pause until {last}")


def _pass_on(asked: AskedHere) -> list[Notice]:
    """Pass the player's words on as chat, while others are to move or nobody is, unless they may be
    for the own side or the server alone. Return the notices to them, and to the player."""
    call = asked.call
    command = call.command
    if asked.is_on_move or command.left or is_private(call, asked.board, asked.seat):
        return []
    call.command = replace(command, text=asked.below)
    try:
        return pass_on(call, asked.board, asked.seat, asked.line)
    except Refusal:
        call.command = command
        return []


def _read_end(line: str, today: date) -> date:
    last = read_day(line, today)
    is_near = last is not None and today <= last <= today + timedelta(days=_LAST_YEAR_DAYS)
    return last if last is not None and is_near else today + timedelta(days=_HOLIDAY)


def _offer_less(asked: Asked) -> list[Notice]:
    call = asked.call
    if call.player is None and not call.senders:
        return _tell_who(asked)
    call.command = replace(call.command, line=asked.line)
    return [offer_less(call)]


def _find_opponents(asked: Asked) -> list[Notice]:
    return asked.reply(
        phrase("these lists show who is looking for an opponent, and who is here"),
        send=("seeks", "players", *_list_starts(asked), _INVITE),
    )


def _start(asked: Asked) -> list[Notice]:
    """Return how to begin a game: the named one, against the named player, or with whoever has the
    named mail address; on a board that has just ended, offer a rematch."""
    call, wish = asked.call, asked.wish
    if isinstance(asked, AskedHere) and not wish.game and (again := _offer_rematch(asked)):
        return again
    own, rival = call.own_userid, _find_rival(asked)
    game = wish.game or (asked.board.game.info.name if isinstance(asked, AskedHere) else "")
    if can_offer(call) and (friend := find_mail_address(asked.line)):
        line = f"invite {friend} {game or _EXAMPLE}"
        return asked.reply(phrase("this invites your friend to a game"), offer=line)
    if game and (rival or (wish.game and "computer" in wish.about)):
        line = f"{game} challenge {own} {rival or _LEVEL}"
        return asked.reply(phrase("this begins the game"), offer=line, send=("games",))
    return asked.reply(
        phrase("a game begins with a challenge, or with an offer that anybody may take up"),
        send=(*_list_starts(asked), _INVITE, "seeks", "games"),
    )


def _list_starts(asked: Asked) -> Iterator[str]:
    own = asked.call.own_userid
    here = asked.board.game.info.name if isinstance(asked, AskedHere) else _EXAMPLE
    game = asked.wish.game or here
    yield f"{game} challenge {own} {_find_rival(asked) or 'OPPONENT'}"
    if asked.call.config.bots.enabled and has_bots(get_game(game)):
        yield f"{game} challenge {own} {_LEVEL}"
    yield f"{game} seek"


def _find_rival(asked: Asked) -> str:
    """Return the player whom a line names, other than its writer; "" for nobody."""
    named = (*asked.wish.players, *asked.wish.unknown)
    return next(_find_named(asked.call, named), "")


def _find_named(call: Call, words: Sequence[str]) -> Iterator[str]:
    """Yield the players among some words, other than the writer."""
    players = (find_player(call.session, word) for word in words if is_userid(word))
    own = call.own_userid
    return (each.userid for each in players if each is not None and each.userid != own)


def _list_lines(asked: Asked) -> list[Notice]:
    """Return lines that bring what most questions are about."""
    return asked.reply(
        phrase("your question was not understood, but one of these lines may answer it"),
        send=("mine", "games", "seeks", "events", "rating", *_list_starts(asked), _INVITE, "help"),
    )


def _show_rules(asked: Asked) -> list[Notice]:
    game = asked.wish.game
    return _do(asked, "help", game) if game else _list_games(asked)


def _list_games(asked: Asked) -> list[Notice]:
    return _do(asked, "games")


def _list_events(asked: Asked) -> list[Notice]:
    return _do(asked, "events")


def _list_own(asked: Asked) -> list[Notice]:
    return _do(asked, "mine") if asked.call.player is not None else _list_past(asked, "active")


def _list_past(asked: Asked, chosen: str = "inactive") -> list[Notice]:
    if rival := _find_rival(asked):
        return _do(asked, "stats", asked.call.own_userid, rival)
    return _do(asked, "all show", asked.call.own_userid, chosen)


def _offer_password(asked: Asked) -> list[Notice]:
    return asked.reply(
        phrase("a mail brings a code with which you set a new password"),
        offer=f"forgot {asked.call.own_userid}",
    )


def _tell_address(asked: Asked) -> list[Notice]:
    own = asked.call.own_userid
    return asked.reply(
        phrase("put your new address in place of the last word"),
        phrase("the first line adds it, the second one replaces all that you have"),
        send=(
            f"add {own} PASSWORD NAME@EXAMPLE.ORG",
            f"change address {own} PASSWORD NAME@EXAMPLE.ORG",
            f"remove {own} PASSWORD NAME@EXAMPLE.ORG",
        ),
    )


def _tell_who(asked: Asked) -> list[Notice]:
    return asked.reply(
        phrase("this is a program that lets people play board games by e-mail"),
        *([phrase("it asks nobody for money")] if "price" in asked.wish.about else []),
        phrase(
            "it writes to you because you have an account here, {userid}",
            userid=asked.call.own_userid,
        )
        if asked.call.knows_sender
        else phrase("it writes only to those who write to it, or whom a player invites"),
        phrase("it tells your address to nobody"),
        send=("stop", "help", "mydata"),
    )


# At an event


def _show_event(asked: Asked) -> list[Notice]:
    return _do(asked, "event show", str(asked.call.command.sender.event))


def _show_standings(asked: Asked) -> list[Notice]:
    return _do(asked, "event standings", str(asked.call.command.sender.event))


def _show_pairings(asked: Asked) -> list[Notice]:
    return _do(asked, "event pairings", str(asked.call.command.sender.event))


def _offer_withdrawal(asked: Asked) -> list[Notice]:
    event = asked.call.command.sender.event
    return asked.reply(
        phrase("your open boards of the event are then lost or annulled"),
        offer=f"event leave {event}",
    )


def _tell_bye(asked: Asked) -> list[Notice]:
    event = asked.call.command.sender.event
    return asked.reply(
        phrase("in a Swiss: half a point instead of a pairing in a round"),
        send=(f"event bye {event} ROUND", f"event leave {event}"),
    )


def _list_running(asked: Asked) -> list[Notice]:
    return _do(asked, "list")


def _do(asked: Asked, name: str, *words: str) -> list[Notice]:
    """Do a command that only shows something."""
    call = asked.call
    verb = get_verb(name, takes_game=False)
    call.command = replace(
        call.command, verb=verb, words=words, rest=" ".join(words), implied=False
    )
    call.require_guest_may(verb)
    return verb.do(call)


_AT_BOARDS: Mapping[Intent, Callable[[AskedHere], list[Notice] | None]] = {
    Intent.RULES: _tell_rules,
    Intent.MOVES: _list_moves,
    Intent.HELP: _help,
    Intent.WHERE: _find_pieces,
    Intent.PANEL: _show_panel,
    Intent.STATUS: _tell_state,
    Intent.UNDO: _offer_undo,
    Intent.PAUSE: _offer_pause,
    Intent.DRAW: _offer_draw,
    Intent.RESIGN: _offer_resignation,
    Intent.AGAIN: _offer_rematch,
    Intent.RECORD: _send_record,
    Intent.ANALYSIS: _offer_analysis,
    Intent.PICTURE: _tell_pictures,
    Intent.RATING: _show_rating_here,
}
_ANYWHERE: Mapping[Intent, Callable[[Asked], list[Notice]]] = {
    Intent.RULES: _show_rules,
    Intent.HELP: _list_lines,
    Intent.TIME: _offer_vacation,
    Intent.VACATION: _offer_vacation,
    Intent.STOP: _offer_less,
    Intent.LEAVE: _offer_less,
    Intent.OPPONENT: _find_opponents,
    Intent.START: _start,
    Intent.GAMES: _list_games,
    Intent.WATCH: _list_running,
    Intent.EVENTS: _list_events,
    Intent.PASSWORD: _offer_password,
    Intent.ADDRESS: _tell_address,
    Intent.WHO: _tell_who,
    Intent.MINE: _list_own,
    Intent.PAST: _list_past,
    Intent.BEGIN: _show_event,
    Intent.WITHDRAW: _offer_withdrawal,
    Intent.POINTS: _show_standings,
    Intent.BYE: _tell_bye,
    Intent.PAIRING: _show_pairings,
    Intent.PLAYER: _show_player,
    Intent.RATING: _show_rating,
}
