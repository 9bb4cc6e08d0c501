"""`master`: acts of the player who runs a board, or of the operator in their place. Everybody on
the board is notified, and each act is in the audit."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from msgspec.structs import replace

from pbm.core.board import Board
from pbm.core.call import Call
from pbm.core.clock import DAY, format_duration, read_time
from pbm.core.context import Context, add_audit_row
from pbm.core.log import build_entry
from pbm.core.log_view import BoardLog
from pbm.core.notices import BoardShown, Notice
from pbm.core.operator import OperatorAct
from pbm.core.player import Player, find_player
from pbm.core.refusal import Refusal, RefusalCode
from pbm.core.seat import Seat
from pbm.core.storing import load, save
from pbm.core.turns import end_orders, require_under_way
from pbm.core.updates import build_change, notify_changes
from pbm.core.view import build_headline, build_view
from pbm.features.parties.notices import SeatOffered
from pbm.features.parties.rows import offer_seat
from pbm.rules import MoveError
from pbm.rules.phrases import combine, get_text, phrase
from pbm.store import reads
from pbm.store.reads import find_blockers
from pbm.store.transaction import Session

_LONGEST = 366.0
_USAGE = phrase(
    "a master may extend DAYS, process, vacate POWER, replace POWER USERID, set POWER UNITS, or "
    "go back N"
)


@dataclass(frozen=True, slots=True)
class _Acting:
    """A master, or the operator, acting on a board: their name for others, and the audit.

    form  the beginning of the line to send
    why   follows each act: the reason that an operator gives
    """

    context: Context
    board: Board
    who: str
    form: str
    record: Callable[[str], None]
    text: str = ""
    why: str = ""

    def refuse(self, reason: str) -> Refusal:
        """Return the refusal of words that are no act of a master."""
        lines = (f"{self.form} extend 3", f"{self.form} process")
        return Refusal(RefusalCode.BAD_ARGUMENT, reason, *lines, board=self.board.id)

    def say(self, act: str) -> str:
        """Return the act, as everybody reads it."""
        return combine("{act}{why}", act=act, why=self.why) if self.why else act

    def tell(self, act: str) -> list[Notice]:
        """Save the board, record the act, and notify everybody, the master too."""
        save(self.context.session, self.board, self.context.now)
        self.record(act.removeprefix(f"{self.who} "))
        return notify_changes(self.context, self.board, [build_change(self.board, self.say(act))])

    def find_seat(self, wanted: str) -> Seat:
        """Return the seat of the power whose name begins with a word. Refuse any other word."""
        position = self.board.position
        names, playing = position.seat_names, sorted(position.playing | position.vacant)
        found = [seat for seat in playing if wanted and names[seat].lower().startswith(wanted)]
        if len(found) != 1:
            powers = ", ".join(names[seat] for seat in playing)
            raise self.refuse(phrase("name one power: {powers}", powers=powers))
        return self.board.seats[found[0]]


def master(call: Call) -> list[Notice]:
    """Do an act of the master. Refuse everybody else, and a board that is not running."""
    text, left = call.command.text.strip(), call.command.left  # what is set looks like orders
    board = call.load_board()
    call.command = replace(call.command, text=text, left=left)
    is_master = _is_master(call.session, board.id, call.me)
    if not is_master and not _is_operator(call):
        raise board.make_refusal(
            RefusalCode.NOT_SEATED,
            phrase("you are not the master of board {board}", board=board.id),
            board.show_line,
        )
    me = call.me

    def record(act: str) -> None:
        add_audit_row(call, me.userid, f"master {act}", player=me.id, board=board.id)

    who = phrase("the master, {userid},", userid=me.userid) if is_master else phrase("the operator")
    form = f"{board.game.info.name} master {board.id} {{user}} PASSWORD"
    acting = _Acting(call, board, who, form, record, call.command.text.strip())
    notices = _do(acting, call.command.words)
    if any(notice.is_answer for notice in notices):
        return notices
    view = build_view(board, None, BoardLog(call, board), in_words=call.wants_words)
    return [*notices, call.answer(BoardShown(view=view, headline=build_headline(board, None)))]


def act_as_operator(act: OperatorAct, number: int, words: tuple[str, ...]) -> list[Notice]:
    """Do a master's act for the operator. Refuse a board that is not running."""
    board = load(act.session, number, lock=True)

    def record(done: str) -> None:
        act.record(f"master {done}", board=board.id)

    why = f": {act.reason_line}" if act.reason_line else ""
    form = f"pbm admin master {number}"
    return _do(_Acting(act.context, board, phrase("the operator"), form, record, why=why), words)


def _do(acting: _Acting, words: Sequence[str]) -> list[Notice]:
    board = acting.board
    require_under_way(board)
    act, *rest = (*(word.lower() for word in words), "")
    do = _ACTS.get(act)
    if do is None:
        raise acting.refuse(_USAGE)
    if act in _OF_ORDERS and not board.position.takes_orders:
        raise acting.refuse(
            phrase("that is for games of orders; here one may extend DAYS, or go back N")
        )
    return do(acting, [word for word in rest if word])


def _is_master(session: Session, board: int, player: Player) -> bool:
    master = reads.find_master(session, board)
    return master is not None and master.id == player.id


def _is_operator(call: Call) -> bool:
    """Whether the operator acts at the terminal, in any player's name."""
    sender = call.command.sender
    return sender.operator and sender.via == "terminal"


def _extend(acting: _Acting, words: Sequence[str]) -> list[Notice]:
    """Move the deadline of this phase."""
    text = words[0] if len(words) == 1 else ""
    span = read_time(text if text[-1:] in ("d", "h") else f"{text}d")
    if span is None or span[1] or not span[0] <= _LONGEST:
        raise acting.refuse(phrase("say by how many days, or hours, the phase is to be longer"))
    board = acting.board
    if board.control.at and span[0] < 1:
        raise acting.refuse(
            phrase("phases end at a fixed hour here: say by how many days, as in extend 1")
        )
    board.begin_act()
    board.turn_began += span[0] * DAY
    for seat in board.seats:
        seat.stop_clock(seat.spent)
    return acting.tell(
        phrase(
            "{who} made this phase longer, by {time}", who=acting.who, time=format_duration(span[0])
        )
    )


def _process(acting: _Acting, words: Sequence[str]) -> list[Notice]:
    """End the phase now; units without orders hold, and nobody counts as late. A phase kept open
    for players ends too."""
    if words:
        raise acting.refuse(phrase("process takes no more words"))
    acting.record("process")
    board = acting.board
    return end_orders(
        acting.context,
        board,
        board.on_move,
        acting.say(phrase("{who} ended this phase", who=acting.who)),
    )


def _vacate(acting: _Acting, words: Sequence[str]) -> list[Notice]:
    """Free a power for another player; until somebody takes it, it is in civil disorder."""
    board = acting.board
    seat = acting.find_seat(" ".join(words)).seat
    if seat not in board.position.playing:
        raise acting.refuse(phrase("that power is open to another player already"))
    if board.position.resign(seat).outcome is not None:
        raise acting.refuse(
            phrase("that would end the game: replace asks somebody to go on with the power")
        )
    board.begin_act()
    board.forfeit(seat, acting.context.now, phrase("was removed by the master"))
    return acting.tell(
        phrase(
            "{who} opened {power} to another player",
            who=acting.who,
            power=board.position.seat_names[seat],
        )
    )


def _replace(acting: _Acting, words: Sequence[str]) -> list[Notice]:
    """Ask a player to take over a power; until they agree, its present player plays on."""
    context, board = acting.context, acting.board
    if len(words) < 2:
        raise acting.refuse(
            phrase("name the power and the player who is asked: replace france dora")
        )
    seat, player = acting.find_seat(" ".join(words[:-1])), find_player(context.session, words[-1])
    blockers = find_blockers(context.session, context.player.id) if context.player else ()
    is_free = player is not None and player.is_active and not player.is_bot
    if player is None or not is_free or player.id in blockers:
        raise acting.refuse(phrase("nobody of that userid can be asked"))
    # A refusal would tell who plays on an anonymous board; its players are refused as they agree.
    known = () if board.is_anonymous else [each.player for each in board.seats]
    if player.id in known or _is_master(context.session, board.id, player):
        raise acting.refuse(phrase("whoever plays on the board or runs it cannot be asked"))
    offer_seat(context.session, board.id, seat.seat, player.id)
    board.begin_act()
    power = board.position.seat_names[seat.seat]
    asked = phrase("another player") if board.is_anonymous else player.userid
    offered = SeatOffered(
        game=board.game.info.name,
        board=board.id,
        userid=player.userid,
        power=power,
        who=acting.say(
            phrase(
                "{who} asks you to play {power} on board {board}",
                who=acting.who,
                power=power,
                board=board.id,
            )
        ),
    )
    notices = acting.tell(
        phrase(
            "{who} asks {player} to go on with {power}", who=acting.who, player=asked, power=power
        )
    )
    return [*notices, context.build_notice(player, offered)]


def _set(acting: _Acting, words: Sequence[str]) -> list[Notice]:
    """Set the units or centres of powers, a line each."""
    context, board = acting.context, acting.board
    lines = [" ".join(words), *acting.text.splitlines()]
    done = list[tuple[int, str]]()
    board.begin_act()
    for line in filter(None, map(str.strip, lines)):
        wanted, _, what = line.replace(":", " ", 1).partition(" ")
        seat = acting.find_seat(wanted.lower()).seat
        try:
            move = board.position.read_setting(seat, what.strip())
        except MoveError as error:
            problem = phrase("{problem}: nothing was set", problem=get_text(error))
            raise acting.refuse(problem) from None
        board.play_orders(seat, [move], context.now)
        done.append((seat, move))
    if not done:
        raise acting.refuse(
            phrase("say what to set: set france A PAR, F BRE, or set france centres PAR")
        )
    changed = dict.fromkeys(board.position.seat_names[seat] for seat, _ in done)
    return acting.tell(
        phrase("{who} changed the position of {powers}", who=acting.who, powers=", ".join(changed))
    )


def _go_back(acting: _Acting, words: Sequence[str]) -> list[Notice]:
    """Return to the position after the number of moves that the line names."""
    context, board = acting.context, acting.board
    text = words[0].lstrip("#") if len(words) == 1 else ""
    if not text.isascii() or not text.isdecimal() or int(text) >= board.ply:
        raise acting.refuse(
            phrase("say after which move, from 0 to {last}", last=max(board.ply - 1, 0))
        )
    log = [build_entry(row) for row in reads.find_log(context.session, board.id)]
    secret = context.secrets.generate_board_secret()
    board.begin_act()
    board.roll_back(int(text), "", log, context.now, secret)
    return acting.tell(
        phrase(
            "{who} took the board back to the position after move {number}",
            who=acting.who,
            number=text,
        )
    )


_ACTS: Mapping[str, Callable[[_Acting, Sequence[str]], list[Notice]]] = {
    "extend": _extend,
    "process": _process,
    "vacate": _vacate,
    "replace": _replace,
    "set": _set,
    "back": _go_back,
}
_OF_ORDERS = frozenset({"process", "vacate", "replace", "set"})
"""Acts that exist only where seats give orders."""
