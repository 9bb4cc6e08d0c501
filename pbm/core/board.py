"""A board: its seats, position and clocks, its transitions, and the entries they add to the log.

The log is the truth; the stored position is a cache of what a replay makes of it."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from functools import lru_cache
from typing import Any, NamedTuple, TypedDict

from pbm.core import clock
from pbm.core.clock import HOUR, Calendar, Span, TimeControl, align
from pbm.core.log import LogEntry, apply_entry, build_key, drop_undone
from pbm.core.player import Player
from pbm.core.refusal import Offer, Refusal, RefusalCode
from pbm.core.seat import Seat, Way
from pbm.core.secrets import compute_commitment, decide
from pbm.games import UnknownGame, get_game
from pbm.locale import Moment
from pbm.ratings import HOUSE
from pbm.rules import (
    CHANCE,
    CHANCE_TO_MOVE,
    Game,
    IllegalMove,
    MoveError,
    OptionError,
    Outcome,
    Position,
    Value,
)
from pbm.rules.game import ANONYMOUS
from pbm.rules.phrases import Listing, LoneName, Phrase, combine, drop_marks, phrase
from pbm.rules.turn_text import require_whole
from pbm.store.reads import find_event, find_pauses, find_vacations
from pbm.store.tables import BoardColumns
from pbm.store.transaction import Session

OUT_OF_TIME = phrase("ran out of time")
PAUSE = "pause "
"""The proposal of a pause begins so; then follows its last day."""
TAKES_OVER = "takeover"
"""The proposal to take a seat over begins so; then follows, after a blank, who would."""


class UndoState(TypedDict, total=False):
    """What is needed to take back the last act, or to wake the board.

    act, player, until  what was done, by whom, and until when it can be taken back
    state, moved, proposals, seats, tried  how the board stood before; `moved` is when the turn
                        began, and `tried` what its seats keep
    ask                 the board that sleeps was to ask its players
    """

    act: str
    player: int
    until: float
    state: str
    moved: float
    proposals: dict[str, list[int]]
    seats: list[tuple[float, float | None, int, str | None, str | None, float]]
    tried: list[str | None]
    ask: bool


class _Snapshot(NamedTuple):
    """What a move changes, to be restored when the rest of its turn cannot be played."""

    position: Position
    number: int
    ply: int
    turn_ply: int
    chance_questions: int
    turn_began: float
    entries: int
    moved: Sequence[bool]


@dataclass(kw_only=True)
class Board(BoardColumns):
    """A board as loaded for a command; `storing.save` writes back what has changed.

    chance_questions  questions to chance within this ply
    turn_began        when the current turn began
    undo_state        what is needed to take back the last act, or to wake the board
    agreed            the outcome when the position does not have it
    pauses            when its players have agreed to let all clocks stand still, as far as that may
                      reach into the present turn
    stopped           (seat, begin, end) of clocks that have stopped since the board was loaded
    stored            its columns in the database; empty before it is inserted
    is_hidden         seats see different things
    former            the secrets that came out before the board went on, each with the last
                      entry of the log that follows from it
    entries           what has been added to the log; `positions_before` has the position before
                      each
    lapsed            (seat, sentence) for plans that have ended or were cut since the board was
                      loaded
    turn_start        the ply at which the turn began in which the act was done
    event             the event that the board belongs to
    is_reopened       its result was taken back
    """

    game: Game
    options: Mapping[str, Value]
    position: Position
    seats: list[Seat]
    secret: bytes
    turn_began: float
    chance_questions: int = 0
    proposals: dict[str, list[int]] = field(default_factory=dict)
    control: TimeControl = field(default_factory=TimeControl)
    undo_state: UndoState = field(default_factory=UndoState)
    agreed: Outcome | None = None
    pauses: list[Span] = field(default_factory=list)
    stopped: list[tuple[int, float, float]] = field(default_factory=list)
    entries: list[LogEntry] = field(default_factory=list)
    positions_before: list[Position] = field(default_factory=list)
    lapsed: list[tuple[int, str]] = field(default_factory=list)
    turn_start: int = 0
    event: int | None = None
    is_reopened: bool = False
    stored: Mapping[str, Any] = field(default_factory=dict)
    is_hidden: bool = False
    former: list[tuple[int, bytes]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.turn_start = self.turn_ply
        self.is_hidden = bool(self.game.info.features & {"hidden", "sealed"})
        self.name_seats()

    @property
    def is_anonymous(self) -> bool:
        """Whether nobody is to learn who plays: until the board has ended by its result, and for
        good if it is cancelled."""
        return self.options.get(ANONYMOUS) is True and self.state != "over"

    def name_seats(self) -> None:
        """Give the seats of an anonymous board the names of the game in place of their players'."""
        names = say_seat_names(self.position) if self.is_anonymous else ()
        for seat in self.seats:
            seat.alias = names[seat.seat] if names else ""

    @property
    def is_over(self) -> bool:
        """Whether it has ended, with a result or cancelled."""
        return self.state in ("over", "cancelled")

    @property
    def settles(self) -> float:
        """The last moment at which a player may take the end back; 0 when nobody may."""
        return self.undo_state.get("until", 0.0) if self.is_over else 0.0

    def is_settled(self, now: float) -> bool:
        """Whether it is over for good: no player can take the end back. Whatever waits for the end
        of a board asks this."""
        return self.is_over and now > self.settles

    @property
    def is_uncovered(self) -> bool:
        """Whether everybody may see what was hidden, and the secret of the dice. An end that shows
        something cannot be taken back, so it is settled at once."""
        return self.is_over and not self.settles

    def waits_for(self, viewer: int | None) -> bool:
        """Whether a seat is to move, and that is for whoever reads it: not for a member of its
        party who may only propose, or has voted."""
        if viewer is None or viewer not in self.position.to_move:
            return False
        seat = self.seats[viewer]
        reader = next((each.player for each in seat.members if each.account == seat.account), 0)
        if not reader:
            return True
        if seat.decides == Way.VOTE and not self.position.takes_orders:
            cast = seat.read_ballots(self.next_ply, self.undos).cast
            return all(each.player != reader for each in cast)
        return reader in self.list_movers(seat)

    def list_movers(self, seat: Seat) -> Sequence[int]:
        """Return the players whose word is a move of a seat; of a party that votes, none."""
        return seat.list_speakers(None if self.position.takes_orders else self.round_number)

    def name_awaited(self, viewer: int | None) -> str:
        """Return the userids of those who are to move, for a viewer whose move is not awaited: of
        the viewer's own party the member whose turn it is."""
        if viewer is None or viewer not in self.position.to_move:
            return self.join_userids(self.position.to_move)
        seat = self.seats[viewer]
        movers = self.list_movers(seat)
        return seat.name_member(movers[0]) if movers else seat.userid

    @property
    def on_move(self) -> list[Seat]:
        """The seats whose clocks run; none while chance is to answer or nothing is played."""
        if self.state != "running":
            return []
        return [self.seats[seat] for seat in sorted(self.position.to_move) if seat != CHANCE]

    @property
    def shown(self) -> Position:
        """The position to draw, with nothing hidden once the board has ended."""
        return self.position.uncovered() if self.is_uncovered else self.position

    @property
    def next_ply(self) -> int:
        """The ply of the next move; of the last one once the board has ended."""
        return self.ply if self.is_over else self.ply + 1

    @property
    def turn_number(self) -> int:
        """The number of the turn that is being played, as people count, however many moves it
        takes; of the last one once the board has ended."""
        if self.position.moves_once:
            return self.next_ply
        is_begun = not self.is_over or self.ply > self.turn_ply
        return self.position.turn + is_begun

    def find_seat(self, player: Player) -> Seat:
        """Return the seat that a player holds, alone or with others; of several one on the move,
        else one that still plays. Refusal when there is none."""
        own = [seat for seat in self.seats if seat.is_held_by(player.id)]
        if not own:
            raise Refusal(
                RefusalCode.NOT_SEATED,
                phrase("you do not play on board {board}", board=self.id),
                self.show_line,
                board=self.id,
            )
        if len(own) == 1:
            return own[0].read_as(player.id)
        return max(
            own,
            key=lambda seat: (
                seat.seat in self.position.to_move,
                seat.seat in self.position.playing,
                -seat.seat,
            ),
        ).read_as(player.id)

    @property
    def club(self) -> str:
        """The club whose board it is; "" for none."""
        return self.pool if self.pool != HOUSE else ""

    @property
    def people(self) -> set[int]:
        """The numbers of all who hold its seats."""
        return {each.player for seat in self.seats for each in seat.people}

    def make_refusal(
        self,
        code: StrEnum,
        text: str,
        *send: str,
        shows: bool = False,
        offer: Offer | None = None,
    ) -> Refusal:
        """Return a refusal of something at it, whose mail belongs to it."""
        return Refusal(code, text, *send, board=self.id, shows=shows, offer=offer)

    @property
    def show_line(self) -> str:
        """The command that shows it."""
        return f"{self.game.info.name} show {self.id}"

    @property
    def has_parties(self) -> bool:
        """Whether several people together hold a seat."""
        return any(seat.decides for seat in self.seats)

    @property
    def round_number(self) -> int:
        """How often all seats have had their turn."""
        return self.position.turn // len(self.seats)

    def has_agreed(self, player: int) -> bool:
        """Whether a player has agreed to play: by accepting, by moving, or by entering the event
        that the board belongs to."""
        is_agreed = self.event is not None
        return any(
            seat.is_held_by(player) and (is_agreed or seat.accepted or seat.moved)
            for seat in self.seats
        )

    def join_userids(self, which: Collection[int]) -> str:
        """Return the userids of some seats, as in "ann and bob"; "" for none, and for chance."""
        if len(which) == 1:
            (seat,) = which
            return "" if seat == CHANCE else self.seats[seat].userid
        userids = [self.seats[seat].userid for seat in sorted(which) if seat != CHANCE]
        return Listing(list(dict.fromkeys(userids))) if len(userids) > 1 else "".join(userids)

    def play_text(self, seat: int, text: str, comment: str, now: float) -> MoveError | None:
        """Play a text of moves, at most the rest of the turn, and answer chance. That voids the
        seat's submitted move and the others' proposals.

        Raise MoveError when nothing was played, as of a text that is not wholly moves. Returns one
        when a later move was illegal but the moves before it stand, since chance or a hidden
        position had revealed something by then: otherwise a text with an illegal end would be a
        free look."""
        require_whole(self.position, seat, text)
        turn = self.position.turn
        rest = text.strip()
        start, begun = self._snapshot(), self.turn_began
        revealed = False
        while rest and self.position.outcome is None:
            try:
                move, following_text = self._parse_next_move(seat, rest, turn)
                self._enter("move", seat, move, self.position.play(seat, move), comment, now)
                revealed |= self.answer_chance(now, turn) or self.is_hidden
            except MoveError as error:
                if not revealed:
                    self._restore(start)
                    raise
                self._end_turn(seat, start[0], begun, now)
                return error
            rest, comment = following_text.strip(), ""
        self._end_turn(seat, start[0], begun, now)
        return None

    def play_orders(self, seat: int, moves: Sequence[str], now: float) -> list[MoveError]:
        """Play the orders of one text, and return why others were not. Those that end the turn come
        last, and of these only the last of all: it replaces the others. Proposals to draw stand."""
        start, begun, left = self.position, self.turn_began, [*moves]
        refused = list[MoveError]()
        while left:
            for move in left:
                try:
                    after = self.position.play(seat, move)
                except MoveError as error:
                    refused.append(error)
                    left.remove(move)
                    break
                if after.turn == self.position.turn:
                    left.remove(move)
                    self._enter("move", seat, move, after, "", now)
                    break
            else:
                left.clear()
                self._enter("move", seat, move, after, "", now)
        self._stop_clocks(start, begun, now)
        self.seats[seat].submitted = self.seats[seat].ballots = None
        return refused

    def play_only_moves(self, seat: int, moves: Iterable[str], now: float) -> None:
        """Play moves of a seat that has no choice, each in its canonical form."""
        start, begun = self.position, self.turn_began
        for move in moves:
            self._enter("move", seat, move, self.position.play(seat, move), "", now)
        self.answer_chance(now)
        self._end_turn(seat, start, begun, now)

    def _end_turn(self, seat: int, before: Position, begun: float, now: float) -> None:
        """Finish the moves of a seat. Its own offers of a draw or a pause stand; other plans and
        proposals become void."""
        self._stop_clocks(before, begun, now)
        self.seats[seat].submitted = self.seats[seat].ballots = None
        self.proposals = {
            kind: by
            for kind, by in self.proposals.items()
            if kind.startswith(TAKES_OVER)
            or (by[:1] == [seat] and (kind == "draw" or kind.startswith(PAUSE)))
        }

    def _stop_clocks(self, before: Position, begun: float, now: float) -> None:
        """Note which clocks have stopped since that position, and start those of seats that are
        newly on the move."""
        is_same = before.turn == self.position.turn
        if self.position.takes_orders:
            if not is_same:
                self._stop_all_clocks(before, begun, now)
            return
        for seat in before.to_move:
            if seat != CHANCE and not (is_same and seat in self.position.to_move):
                self.stopped.append((seat, begun, now))
        if self.position.to_move - before.to_move:
            self.turn_began = now

    def _stop_all_clocks(self, before: Position, begun: float, now: float) -> None:
        """Note at the end of a turn of orders that all clocks have stopped; those whose orders were
        complete before are charged nothing for it."""
        for seat in range(len(self.seats)):
            self.stopped.append((seat, begun if seat in before.to_move else now, now))
        self.turn_began = now

    def _parse_next_move(self, seat: int, text: str, turn: int) -> tuple[str, str]:
        if self.position.turn != turn:
            raise IllegalMove(
                phrase(
                    "your turn ends before '{text}': put any text on the next line", text=text[:60]
                )
            )
        return self.position.parse(text, seat)

    def resign(self, seat: int, comment: str, now: float) -> None:
        """Resign for a seat."""
        self._leave("resign", seat, comment, now)

    def forfeit(self, seat: int, now: float, why: str = OUT_OF_TIME) -> None:
        """Have a seat lose on time or for another reason, which is the outcome's reason when that
        ends the board."""
        self._leave("forfeit", seat, "", now, "" if why == OUT_OF_TIME else why)
        if self.position.outcome is not None:
            reason = combine("{who} {what}", who=self.seats[seat].userid, what=why)
            self._end(Outcome(self.position.outcome.ranks, reason), now)

    def _leave(self, kind: str, seat: int, comment: str, now: float, words: str = "") -> None:
        before, begun = self.position, self.turn_began
        self._discard_plans(self.seats[seat], phrase("you no longer play"))
        self._enter(kind, seat, kind, self.position.resign(seat), comment, now, words)
        self.answer_chance(now, self.position.turn)
        self._stop_clocks(before, begun, now)
        self.proposals = {}

    def answer_chance(self, now: float, turn: int = -1) -> bool:
        """Answer all questions to chance from the board's secret. Return whether one was of
        `turn`."""
        revealed = False
        while self.position.to_move == CHANCE_TO_MOVE and self.position.chance is not None:
            outcomes = self.position.chance.outcomes
            revealed |= self.position.turn == turn
            index = decide(self.secret, self.id, self.ply, self.chance_questions, len(outcomes))
            self._enter(
                "chance",
                CHANCE,
                outcomes[index],
                self.position.play(CHANCE, outcomes[index]),
                "",
                now,
            )
        return revealed

    def _enter(
        self,
        kind: str,
        seat: int,
        move: str,
        following: Position,
        comment: str,
        now: float,
        why: str = "",
    ) -> None:
        """Add an entry to the log and move on to its position. `why` somebody had to leave is its
        words, where it was not for time."""
        comment = self.admit_comment(comment)
        is_leaving = kind in ("resign", "forfeit")
        words = (why or move) if is_leaving else drop_marks(self.position.describe(seat, move))
        self.number += 1
        self.undo_state = {}
        if kind == "move":
            self.ply += 1
            self.chance_questions = 0
            self.seats[seat].moved = True
        elif kind == "chance":
            self.chance_questions += 1
        if following.turn != self.position.turn:
            self.turn_ply = self.ply
            self.turn_began = now
        self.entries.append(
            LogEntry(
                self.number,
                self.ply,
                kind,
                None if seat == CHANCE else seat,
                move,
                "" if words == move else words,
                tuple(following.news),
                comment,
                now,
                build_key(following),
            )
        )
        self.positions_before.append(self.position)
        self.position = following

    def _note(self, kind: str, seat: int | None, move: str, comment: str, now: float) -> None:
        """Add an entry to the log that does not change the position: draw, cancel, adjudicate."""
        comment = comment if seat is None else self.admit_comment(comment)
        self.number += 1
        self.undo_state = {}
        self.entries.append(LogEntry(self.number, self.ply, kind, seat, move, "", (), comment, now))
        self.positions_before.append(self.position)

    def admit_comment(self, comment: str) -> str:
        """Return the comment to an act, "" where the seats write nothing to each other."""
        return "" if self.position.press == "none" else comment

    def start(self, now: float) -> None:
        """Start playing: clocks run, and chance answers its first questions."""
        self.state = "running"
        self.answer_chance(now)
        self.turn_ply, self.turn_began = 0, now

    def sleep(self, *, ask: bool) -> None:
        """Wait until the challenger is authenticated; `ask` says whether the others have to accept
        after that."""
        self.state, self.undo_state = "sleeping", {"ask": ask}

    def wake(self, now: float, *, ask: bool, accepted: Collection[int]) -> None:
        """End the sleep as an invitation (`ask`) or by starting; these players have accepted."""
        self.undo_state = {}
        self.state, self.created, self.turn_began = "invited", now, now
        for seat in self.seats:
            seat.accepted = seat.player in accepted
        if not ask:
            self.start(now)

    def accept(self, player: int, now: float) -> None:
        """Accept the invitation for all seats of a player or team; the board starts when all
        have."""
        for seat in self.seats:
            if seat.player == player:
                seat.accept()
        if all(seat.accepted for seat in self.seats):
            self.start(now)

    def propose(self, kind: str, seats: Iterable[int]) -> bool:
        """Note that these seats propose or agree. Return whether all seats in play now do."""
        self.proposals[kind] = list(dict.fromkeys([*self.proposals.get(kind, ()), *seats]))
        return self.position.playing <= set(self.proposals[kind])

    def pause(self, until: float, now: float) -> None:
        """Let all clocks stand still until then."""
        self.pauses = [span for span in self.pauses if span[1] > self.turn_began]
        begin = max([now, *(end for _, end in self.pauses)])
        self.pauses += [(begin, until)] if begin < until else []
        self.proposals = {
            kind: by for kind, by in self.proposals.items() if not kind.startswith(PAUSE)
        }
        for seat in self.seats:
            seat.give(0.0)

    def reject(self, kind: str) -> None:
        """Drop a proposal."""
        del self.proposals[kind]

    def cancel(self, seat: int | None, comment: str, now: float, act: str = "cancel") -> None:
        """End the board without a result; `seat` is None for the server and the operator, `act` is
        what the log says: cancel or decline."""
        before = self.state
        self._note("cancel", seat, act, comment, now)
        self.undo_state = {"state": before}  # for `reopen`
        self.state, self.ended, self.proposals = "cancelled", now, {}

    def take_back(
        self, ply: int, seat: int | None, comment: str, log: Iterable[LogEntry], now: float
    ) -> None:
        """Go back to the position after `ply` moves, for a seat or (None) the operator.
        `drop_undone` says what else that takes back."""
        self._note("undo", seat, str(ply), comment, now)
        self._retrace([*log, self.entries[-1]])
        for each in self.seats:
            self._discard_plans(each, phrase("moves were taken back"))
        self.turn_began = now
        self.undos += 1
        self.proposals = {}

    def roll_back(
        self, ply: int, comment: str, log: Iterable[LogEntry], now: float, secret: bytes
    ) -> None:
        """Go back to the position after `ply` moves for the operator, even when the board has
        ended. Where the secret of its dice is out, they follow from this one from here on."""
        is_out = self.is_uncovered
        self.take_back(ply, None, comment, log, now)
        self._reopen("running")
        if is_out and "chance" in self.game.info.features:
            self.renew_secret(secret)

    def reopen(self, comment: str, log: Iterable[LogEntry], now: float, secret: bytes) -> None:
        """Go on with a cancelled board for the operator: as it was before, with the whole time for
        the turn; one that slept is an invitation. Where the secret of its dice is out, they follow
        from this one."""
        is_out = self.is_uncovered
        has_begun = bool(self.ply) or all(seat.accepted for seat in self.seats)
        before = self.undo_state.get("state", "running" if has_begun else "invited")
        self._note("undo", None, "cancel", comment, now)
        self._reopen("invited" if before == "sleeping" else before)
        self._retrace([*log, self.entries[-1]])
        self.turn_began = now
        for each in self.seats:
            each.stop_clock(each.spent)
        if is_out and "chance" in self.game.info.features:
            self.renew_secret(secret)

    def renew_secret(self, secret: bytes) -> None:
        """Have chance follow from another secret after the last entry of the log."""
        self.former.append((self.number, self.secret))
        self.secret, self.commitment = secret, compute_commitment(secret)

    def snapshot_for_undo(self) -> UndoState:
        """Return the state, besides the position, that undoing the next act has to restore."""
        return {
            "state": self.state,
            "moved": self.turn_began,
            "proposals": dict(self.proposals),
            "seats": [
                (s.spent, s.due, s.reminded, s.plan, s.submitted, s.given) for s in self.seats
            ],
            "tried": [seat.tried for seat in self.seats],
        }

    def keep(self, act: str, player: int, before: UndoState, now: float) -> None:
        """Let that player take back the act just done, for an hour and until something else
        happens; not when it has revealed a roll, what was hidden or what a party wrote inside, as
        the end of a board does, and a turn that ends because its player left."""
        features = self.game.info.features
        has_ended = self.outcome is not None or self.is_over
        hides = features & {"chance", "hidden", "sealed"}
        shows_all = has_ended and (hides or self.has_parties)
        ends_turn = self.positions_before[-1].turn != self.position.turn
        shows_sealed = act == "resign" and ends_turn and features & {"hidden", "sealed"}
        if not shows_all and not shows_sealed and self.entries[-1].kind != "chance":
            self.undo_state = {**before, "act": act, "player": player, "until": now + HOUR}

    def retract(self, seat: int, comment: str, log: Iterable[LogEntry], now: float) -> str:
        """Take back the kept act, continue as before it, and return which act it was."""
        kept = self.undo_state
        self._note("undo", seat, kept["act"], comment, now)
        self._reopen(kept["state"])
        self._retrace([*log, self.entries[-1]])
        self.turn_began, self.proposals = kept["moved"], kept["proposals"]
        for each, values in zip(self.seats, kept["seats"], strict=True):
            each.spent, each.due, each.reminded, each.plan, each.submitted, *given = values
            each.given = given[0] if given else 0.0  # a server of before kept none
        for each, tried in zip(self.seats, kept.get("tried", ()), strict=False):
            each.tried = each.tried or tried
        self.undos += kept["act"] == "undo"
        return kept["act"]

    def _reopen(self, state: str) -> None:
        self.state, self.ended, self.agreed, self.is_reopened = state, None, None, True
        self.name_seats()
        for seat in self.seats:
            seat.rank = None

    def _retrace(self, log: Iterable[LogEntry]) -> None:
        """Set the position and the counters that go with it from a log."""
        position = self.game.setup(len(self.seats), self.options)
        self.turn_ply, self.chance_questions, self.ply = 0, 0, 0
        for each in self.seats:
            each.moved = False
        for entry in drop_undone(log):
            following = apply_entry(position, entry)
            if following.turn != position.turn:
                self.turn_ply = entry.ply
            if entry.kind == "move" and entry.seat is not None:
                self.seats[entry.seat].moved = True
                self.chance_questions = 0
            self.chance_questions += entry.kind == "chance"
            self.ply = entry.ply
            position = following
        self.position = position

    def _snapshot(self) -> _Snapshot:
        return _Snapshot(
            self.position,
            self.number,
            self.ply,
            self.turn_ply,
            self.chance_questions,
            self.turn_began,
            len(self.entries),
            [seat.moved for seat in self.seats],
        )

    def _restore(self, snapshot: _Snapshot) -> None:
        (
            self.position,
            self.number,
            self.ply,
            self.turn_ply,
            self.chance_questions,
            self.turn_began,
            entries,
            moved,
        ) = snapshot
        del self.entries[entries:], self.positions_before[entries:]
        for seat, before in zip(self.seats, moved, strict=True):
            seat.moved = before

    def draw(self, seat: int, outcome: Outcome, comment: str, now: float) -> None:
        """End the board as a draw of the seats in play, by agreement or by the seat's claim."""
        self._note("draw", seat, "draw", comment, now)
        self._end(outcome, now)

    def adjudicate(self, outcome: Outcome, now: float) -> None:
        """End the board with the operator's result."""
        self._note("adjudicate", None, ",".join(map(str, outcome.ranks)), outcome.reason, now)
        self._end(outcome, now)

    def _end(self, outcome: Outcome, now: float) -> None:
        """End the board with an outcome that its position does not have."""
        self.agreed = outcome
        self._close(outcome, now)

    def _close(self, outcome: Outcome, now: float) -> None:
        self.state, self.ended, self.proposals = "over", now, {}
        self.name_seats()
        for seat in self.seats:
            seat.rank = outcome.ranks[seat.seat]

    def conclude(self, now: float) -> None:
        """End the board when its position has an outcome, without a result when its players have
        left it, and discard plans on an ended board."""
        if self.state == "running" and self.position.outcome is not None:
            if self.position.is_deserted:
                self.cancel(None, "", now)
            else:
                self._close(self.position.outcome, now)
        if self.is_over:
            for seat in self.seats:
                if seat.plan or seat.submitted or seat.due:
                    self._discard_plans(seat, phrase("the game is over"))
                seat.tried = None

    def _discard_plans(self, seat: Seat, why: str) -> None:
        """Forget what a seat has planned and submitted, and note why its plan has ended."""
        if seat.plan:
            self.note_lapse(seat, phrase("your plan has ended: {why}", why=why))
        seat.discard_plans()

    def note_lapse(self, seat: Seat, sentence: str) -> None:
        """Note what the owner of a plan is to learn of its end, or of what was cut."""
        self.lapsed.append((seat.seat, sentence))

    def take_lapsed(self) -> list[tuple[int, str]]:
        """Return sentences for the owners of plans, each once."""
        lapsed, self.lapsed = self.lapsed, []
        return lapsed

    def begin_act(self) -> None:
        """Start collecting the log entries of another act."""
        self.entries, self.positions_before = [], []
        self.turn_start = self.turn_ply

    @property
    def outcome(self) -> Outcome | None:
        """The outcome, by agreement or of the position; a cancelled board has none."""
        return None if self.state == "cancelled" else self.agreed or self.position.outcome


# The names of seats as readers are told them, also of a board that hides who plays, from its row
# alone.


def label_seats(position: Position) -> Sequence[str]:
    """Return the names of the seats as they stand in lists and behind players."""
    return [LoneName(name) for name in position.seat_names]


def say_seat_names(position: Position) -> Sequence[str]:
    """Return the names of the seats, which each reader reads in their language."""
    return [Phrase(name) for name in position.seat_names]


@lru_cache(maxsize=256)
def name_anonymous(game: str, players: int, options: str) -> Sequence[str]:
    """Return the names that replace userids for others, by the board's options as JSON; numbers
    where the game no longer accepts these options."""
    try:
        return say_seat_names(get_game(game).setup(players, json.loads(options)))
    except (UnknownGame, OptionError, ValueError):
        return [phrase("seat {number}", number=number) for number in range(1, players + 1)]


# The clocks of a board: time used, deadlines, and when the scheduler has to look at it again.
#
# Most moves cost a sum; pauses are read only where a board counts the time of earlier turns.

GRACE = 120.0
"""Seconds of grace before a forfeit: a mail that arrived in time may not be in the database yet."""

VOTE_TIME = 2 * clock.DAY
"""Seconds within which a party votes."""

SLEEP_LIMIT = 7 * clock.DAY
"""Seconds after which a sleeping board is deleted."""


def build_calendar(board: Board, seat: Seat) -> Calendar:
    """Return the calendar of a seat with its player's days off and the pauses of the board,
    without vacations."""
    chosen = seat.clock_preferences
    off = chosen.get("off", "no")
    week = clock.ALWAYS if off == "no" else _read_week(chosen.get("zone", "UTC"), off)
    return Calendar(week.zone, week.off, tuple(board.pauses)) if board.pauses else week


@lru_cache(maxsize=1024)
def _read_week(zone: str, off: str) -> Calendar:
    return Calendar(zone, clock.read_off(off) or frozenset())


def read_stops(session: Session, player: int, since: float) -> tuple[Span, ...]:
    """Return the player's vacations and the server's downtimes that end after a time."""
    return tuple((row.begins, row.ends) for row in find_pauses(session, player, since))


def read_calendar(
    session: Session, board: Board, seat: Seat, since: float | None = None
) -> Calendar:
    """Return the calendar of a seat with its days off, and all pauses that end after a time, the
    beginning of the turn unless it is given: on a board of an event, vacations only as far as the
    event allows."""
    calendar = build_calendar(board, seat)
    stops = read_stops(session, seat.player, board.turn_began if since is None else since)
    if board.event is not None:
        stops = _limit_vacations(session, board.event, seat.player, stops)
    return Calendar(calendar.zone, calendar.off, (*stops, *calendar.stops))


def _limit_vacations(
    session: Session, event: int, player: int, stops: Iterable[Span]
) -> tuple[Span, ...]:
    """Return the pauses, with the player's vacations cut to the days that the event allows."""
    row = find_event(session, event)
    vacations = [(each.begins, each.ends) for each in find_vacations(session, player)]
    if row is None or not vacations:
        return tuple(stops)
    allowed = clock.take_first(vacations, row.begins, row.vacation * clock.DAY)
    return (*(span for span in stops if span not in vacations), *allowed)


def settle_clocks(session: Session, board: Board) -> None:
    """Charge each seat whose clock stopped with the time of its turn."""
    for which, begin, end in board.stopped:
        seat = board.seats[which]
        spent = seat.spent
        if board.control.is_cumulative:
            calendar = read_calendar(session, board, seat, begin)
            used = clock.count_running_seconds(calendar, begin, end) - seat.given
            if not seat.standin:
                spent = board.control.add_turn(spent, max(used, 0.0))
        seat.stop_clock(spent)
    board.stopped = []


def find_next_check(board: Board, session: Session | None = None) -> float | None:
    """Return when the scheduler has to look at the board again: before anything can be due. Without
    a session pauses are left out, since they only postpone."""
    if board.state == "sleeping":
        return board.created + SLEEP_LIMIT
    if board.state == "invited":
        return find_invitation_end(board, session)
    if board.state != "running":
        return None
    times = [
        find_next_notice(
            board,
            seat,
            read_calendar(session, board, seat)
            if session is not None
            else build_calendar(board, seat),
        )
        for seat in board.on_move
    ]
    times += [find_vote_end(board, seat) for seat in board.on_move if seat.ballots]
    return min([at for at in times if at is not None], default=None)


def find_vote_end(board: Board, seat: Seat) -> float | None:
    """Return when the votes of a party on the move are counted at the latest: two days after the
    turn began, or half of the time for it, at the hour that the board has. None where there is no
    vote."""
    if seat.decides != Way.VOTE or not seat.read_ballots(board.next_ply, board.undos).cast:
        return None
    allowed = compute_turn_limit(board, seat)
    end = board.turn_began + min(VOTE_TIME, (allowed or 2 * VOTE_TIME) / 2)
    return align(board.control.at, end) if board.control.at else end


def compute_turn_limit(board: Board, seat: Seat) -> float | None:
    """Return the seconds that a seat's turn may take, with time given by others; None = no
    limit."""
    allowed = board.control.compute_turn_limit(0.0 if seat.standin else seat.spent)
    return None if allowed is None else allowed + seat.given


def find_grace(board: Board) -> float:
    """Return the seconds after a deadline in which a seat may still move."""
    return max(board.control.grace, board.position.grace) * clock.HOUR


def find_turn_end(board: Board, calendar: Calendar, allowed: float) -> float:
    """Return when a turn of that many seconds ends by a calendar, at the board's hour."""
    end = clock.find_end(calendar, board.turn_began, allowed)
    return align(board.control.at, end) if board.control.at else end


def find_invitation_end(board: Board, session: Session | None) -> float | None:
    """Return when an unanswered invitation ends; None for one that waits for ever. Without a
    session the server's downtimes are left out."""
    days = board.answer_days or board.control.forfeit or board.control.bank
    if days is None:
        return None
    stops = read_stops(session, 0, board.created) if session is not None else ()
    return clock.find_end(Calendar(stops=stops), board.created, days * clock.DAY)


def find_next_notice(board: Board, seat: Seat, calendar: Calendar) -> float | None:
    """Return when the seat's next reminder, the warning of all players or its forfeit is due."""
    allowed = compute_turn_limit(board, seat)
    times = clock.compute_reminder_times(board.control, allowed)
    times_due = []
    if seat.reminded < len(times):
        times_due.append(clock.find_end(calendar, board.turn_began, times[seat.reminded]))
    if allowed is not None:
        end = find_turn_end(board, calendar, allowed)
        if is_warned(seat, end, calendar):
            times_due.append(max(end, seat.due or 0.0) + GRACE + find_grace(board) * seat.is_late)
        else:
            times_due.append(end - clock.compute_warning_lead(allowed))
    return min(times_due, default=None)


def is_warned(seat: Seat, end: float, calendar: Calendar) -> bool:
    """Whether a forfeit at about `end` was announced, for a time at which the clock runs."""
    due = seat.due
    if due is None or due < end - clock.HOUR:
        return False
    return clock.find_end(calendar, due, 0.0) <= due + clock.HOUR


def find_last_moment(board: Board, seat: Seat, calendar: Calendar) -> float | None:
    """Return until when a seat on the move may play, by a calendar: its deadline or, if later, the
    announced time; for a late seat with the time of grace. None = no limit."""
    allowed = compute_turn_limit(board, seat)
    if allowed is None:
        return None
    end = max(find_turn_end(board, calendar, allowed), seat.due or 0.0)
    return end + find_grace(board) * seat.is_late


def find_deadline(board: Board, seat: Seat) -> float | None:
    """Return until when a seat on the move may play, by its clock and its days off. None when there
    is no limit, or when a vacation reaches beyond it."""
    end = find_last_moment(board, seat, build_calendar(board, seat))
    return None if end is None or (seat.away or 0.0) > end else end


def format_time(at: float, preferences: Mapping[str, str]) -> Moment:
    """Return a time in the player's own zone: Mon 23 Mar 2026, 12:00 UTC."""
    return _format_minute(at // 60, preferences.get("zone", "UTC"))


@lru_cache(maxsize=1024)
def _format_minute(minute: float, zone: str) -> Moment:
    """Cache of `format_time`: moves of one minute often share its result."""
    return Moment(clock.to_local(minute * 60, zone), zone)


def format_end(at: float, preferences: Mapping[str, str], now: float) -> str:
    """Return a time as `format_time` has it, and how far away it is: ... (in 3 days)."""
    time, span = format_time(at, preferences), clock.format_span(at - now)
    return combine("{time} ({span})", time=time, span=span)


def format_deadline(
    board: Board, seat: Seat, now: float, *, is_own: bool = True
) -> tuple[str, str]:
    """Return the deadline of a seat on the move, as `format_end` has it, and how far away it is
    alone; twice "" for none. For the members of a party that votes (`is_own`) it is when the votes
    are counted."""
    ends = [find_deadline(board, seat), find_vote_end(board, seat) if is_own else None]
    end = min((each for each in ends if each is not None), default=None)
    if end is None:
        return "", ""
    return format_end(end, seat.preferences, now), clock.format_span(end - now)


# Variations: lines of moves and rolls that are tried from a position of a board. What the holder
# of a seat keeps of them stands in the seat, for whoever reads that seat alone.

MOST_TRIED = 40
"""Moves of a variation."""
MOST_KEPT = 60
"""Variations that are kept of a board."""
BETWEEN = "|"
"""What stands between the moves of a variation; in no game it is part of a move."""
_CLOSED = frozenset({"hidden", "sealed"})
"""Features of games whose players know different things of the board."""

Line = tuple[str, ...]


class Variation(NamedTuple):
    """A variation: the ply of the position that it begins at, and its moves as they are stored."""

    ply: int
    moves: Line


def is_open_to_tries(board: Board) -> bool:
    """Whether moves can be tried on a board: nothing is hidden there, and nothing sealed."""
    is_closed = board.game.info.features & _CLOSED or board.position.takes_orders
    return board.state in ("running", "over") and not is_closed


def read_variations(text: str | None) -> list[Variation]:
    """Return the variations that a seat keeps."""
    lines = (line.split(BETWEEN) for line in (text or "").split("\n") if line)
    return [Variation(int(ply), tuple(moves)) for ply, *moves in lines]


def write_variations(variations: Iterable[Variation]) -> str | None:
    """Return them as a seat keeps them."""
    lines = (BETWEEN.join((str(each.ply), *each.moves)) for each in variations)
    return "\n".join(lines) or None


def add_line(lines: Iterable[Line], line: Line) -> list[Line]:
    """Return the lines with another one: in the place of the one that it continues, and unchanged
    if it is the beginning of one of them. Their order stays."""
    merged, is_there = list[Line](), not line
    for each in lines:
        if line[: len(each)] != each:
            is_there = is_there or each[: len(line)] == line
            merged.append(each)
        elif not is_there:
            is_there = True
            merged.append(line)
    return merged if is_there else [*merged, line]


def find_kept(kept: Iterable[Variation], ply: int, played: Sequence[tuple[int, str]]) -> list[Line]:
    """Return the variations stored at a position: those from there, and the rest of earlier ones
    that begin with what was `played`, each move and roll with its ply."""
    lines = list[Line]()
    for start, moves in kept:
        since = tuple(move for at, move in played if start < at <= ply)
        if start <= ply and moves[: len(since)] == since:
            lines = add_line(lines, moves[len(since) :])
    return lines
