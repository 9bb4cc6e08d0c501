"""Poolside: a game of towels for three, which comes from outside the package by an entry point.

It is small and uses every part of the game interface: dice, draws, hidden hands, sealed moves,
several moves a turn. Pure like every game: it imports `pbm.rules` only."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar

from pbm.rules import (
    CHANCE,
    CHANCE_TO_MOVE,
    NOBODY,
    SEAT_TO_MOVE,
    Canvas,
    Chance,
    Game,
    GameInfo,
    IllegalMove,
    InvalidMove,
    Option,
    Outcome,
    Picture,
    Position,
    Value,
    outcome_of,
    pick,
    roll,
)
from pbm.rules.drawing.grid_scene import square
from pbm.rules.drawing.picture import LABEL, LAST, PLAIN
from pbm.rules.drawing.picture import seat as seat_role
from pbm.rules.drawing.scene import Entry, Mark, Panel, Piece, Place, Scene, remark, tally
from pbm.rules.typed import left_of, quoted

SEATS = ("red", "white", "blue")
TOWELS = tuple(range(1, 10))
DEAL, BID, TURN, OVER = "deal", "bid", "turn", "over"
PASS, END = "pass", "end"
PASSED = 0

_CANONICAL = re.compile(r"(bid|play)-([0-9])")
_TYPED = re.compile(
    r"\s*(?:(pass|end)|(?:(bid|play)[\s-]*)?([0-9]))(?![0-9a-z])", re.ASCII | re.IGNORECASE
)
_FORMS = {BID: "write bid 5 or pass", TURN: "write play 5, or end"}

HELP = """\
POOLSIDE, 3 players

AIM
  Lay your towels on the best loungers: most points win.

PLAY
  There are nine towels, 1 to 9. Each player is dealt two of them; nobody else
  sees them. Then all bid at the same time, sealed: one towel, which is lost,
  or pass. When the last bid is in all are shown, and everybody takes one
  turn: whoever bid most first, those who passed last.

  A turn begins with a roll of a die. Then you lay as many towels as you like,
  one after the other, and end the turn. A towel above the die and above every
  towel that lies there already scores its number, any other one scores 1.
  After your last towel the end of the turn goes without saying.

WRITING MOVES
  A bid, or all that you do in your turn:

    > bid 5
    > pass
    > play 7, play 3, end
    > 7 3 end

THE END
  When all turns are over the hands are shown, and most points win.

RESIGNING
  The hand of a player who resigns is out of the game, the towels that lie
  there remain. The others play on; a single one who is left wins.
"""


@dataclass(frozen=True, slots=True)
class PoolsidePosition(Position):
    """A moment of Poolside.

    hands   the towels of each seat, in rising order; a towel that is bid leaves it when all are in
    deck    the towels that nobody was dealt
    bids    the towel each seat bid, PASSED, or None
    order   the seats whose turns are to come, the one on turn first
    die     what it rolled for this turn, 0 before
    laid    the towels on the loungers, in the order in which they came
    left    the seats that resigned, in that order
    bare    whether everything is shown, since the board ended otherwise
    """

    game: ClassVar[Game]

    players: int
    options: Mapping[str, Value]
    phase: str
    turn: int
    hands: tuple[tuple[int, ...], ...]
    deck: tuple[int, ...]
    bids: tuple[int | None, ...]
    order: tuple[int, ...]
    die: int
    laid: tuple[int, ...]
    scores: tuple[int, ...]
    left: tuple[int, ...]
    news: tuple[str, ...] = field(default=(), compare=False)
    bare: bool = field(default=False, compare=False)

    @property
    def playing(self) -> frozenset[int]:
        return frozenset(range(self.players)).difference(self.left)

    @property
    def to_move(self) -> frozenset[int]:
        if self.phase == OVER:
            return NOBODY
        if self.chance is not None:
            return CHANCE_TO_MOVE
        if self.phase == BID:
            return frozenset(seat for seat in self.playing if self.bids[seat] is None)
        return SEAT_TO_MOVE[self.order[0]]

    @property
    def chance(self) -> Chance | None:
        if self.phase == DEAL:
            return pick([str(towel) for towel in self.deck])
        return roll(6) if self.phase == TURN and not self.die else None

    @property
    def outcome(self) -> Outcome | None:
        if self.phase != OVER:
            return None
        totals = sorted({self.scores[seat] for seat in self.playing}, reverse=True)
        groups = [[s for s in self.playing if self.scores[s] == total] for total in totals]
        alone = len(self.playing) == 1
        reason = "the others resigned" if alone else "everybody has had a turn"
        return outcome_of([*groups, *([seat] for seat in reversed(self.left))], reason)

    def legal_moves(self, seat: int) -> Sequence[str]:
        if seat not in self.to_move:
            return []
        if seat == CHANCE:
            return self.chance.outcomes if self.chance else ()
        word, end = ("bid", PASS) if self.phase == BID else ("play", END)
        return [*(f"{word}-{towel}" for towel in self.hands[seat]), end]

    def parse(self, text: str, seat: int) -> tuple[str, str]:
        match = _TYPED.match(text[:200])
        form = _FORMS.get(self.phase, "wait for the next question")
        if match is None:
            raise InvalidMove(f"{quoted(text)} is not a move of this game: {form}")
        word, verb, towel = match.groups()
        verb = (verb or ("bid" if self.phase == BID else "play")).lower()
        move = word.lower() if word else f"{verb}-{towel}"
        left = left_of(text, match.end())
        last = len(self.hands[seat]) == 1 if 0 <= seat < self.players else False
        if not left and last and self.phase == TURN and move in self.legal_moves(seat)[:1]:
            return move, END
        return move, left

    def apply(self, seat: int, move: str) -> PoolsidePosition:
        if move not in self.legal_moves(seat):
            raise self._refusal(seat, move)
        if self.phase == BID:
            towel = PASSED if move == PASS else int(move[4:])
            return replace(self, bids=_with(self.bids, seat, towel), news=())._shown()
        if move == END:
            return self._next_turn(())
        towel = int(move[5:])
        points = towel if towel > max((self.die, *self.laid)) else 1
        return replace(
            self,
            hands=_with(self.hands, seat, _without(self.hands[seat], towel)),
            laid=(*self.laid, towel),
            scores=_with(self.scores, seat, self.scores[seat] + points),
            news=(f"{SEATS[seat]}'s towel {towel} scores {points}",),
        )

    def _refusal(self, seat: int, move: str) -> IllegalMove | InvalidMove:
        match = _CANONICAL.fullmatch(move)
        if match is None and move not in (PASS, END):
            return InvalidMove(f"{quoted(move)} is not a move of this game: {_FORMS[self.phase]}")
        verb, towel = match.groups() if match else (move, "")
        if (verb in ("bid", PASS)) != (self.phase == BID):
            when = "all bids must be in first" if self.phase == BID else "the bids are in"
            return IllegalMove(f"{when}: {_FORMS[self.phase]}")
        return IllegalMove(f"you have no towel {towel}")

    def answer(self, outcome: str) -> PoolsidePosition:
        if self.phase == TURN:
            return replace(self, die=int(outcome), news=())
        seat, towel = self._dealt_next(), int(outcome)
        hand = tuple(sorted((*self.hands[seat], towel)))
        deck = _without(self.deck, towel)
        return replace(self, hands=_with(self.hands, seat, hand), deck=deck, news=())._dealt()

    def _dealt_next(self) -> int:
        return min(self.playing, key=lambda seat: (len(self.hands[seat]), seat))

    def _dealt(self) -> PoolsidePosition:
        """This position, ready for bids when every seat has its towels."""
        full = all(len(self.hands[seat]) == self.options["hand"] for seat in self.playing)
        return replace(self, phase=BID) if full else self

    def _shown(self) -> PoolsidePosition:
        """This position, or the first turn with the bids shown if all are in."""
        if any(self.bids[seat] is None for seat in self.playing):
            return self
        bids = {seat: self.bids[seat] or PASSED for seat in sorted(self.playing)}
        order = sorted(bids, key=lambda seat: -bids[seat])
        said = ", ".join(f"{SEATS[seat]} {bid or 'passes'}" for seat, bid in bids.items())
        return replace(
            self,
            phase=TURN,
            turn=self.turn + 1,
            hands=tuple(
                _without(hand, bids.get(seat, PASSED)) for seat, hand in enumerate(self.hands)
            ),
            order=tuple(order if self.options["order"] == "bids" else bids),
            news=(*self.news, f"the bids are {said}"),
        )

    def _next_turn(self, news: tuple[str, ...]) -> PoolsidePosition:
        order = self.order[1:]
        phase = TURN if order else OVER
        return replace(self, phase=phase, turn=self.turn + 1, order=order, die=0, news=news)

    def resign(self, seat: int) -> PoolsidePosition:
        if self.phase == OVER or seat not in self.playing:
            raise IllegalMove("only a seat that still plays can resign")
        news = (f"{SEATS[seat]}'s hand is out of the game",)
        after = replace(self, left=(*self.left, seat), hands=_with(self.hands, seat, ()), news=news)
        if len(after.playing) == 1:
            return replace(after, phase=OVER, order=(), turn=self.turn + 1)
        if self.phase == DEAL:
            return after._dealt()
        if self.phase == BID:
            return after._shown()
        if seat == self.order[0]:
            return after._next_turn(news)
        return replace(after, order=_without(self.order, seat))

    def uncovered(self) -> PoolsidePosition:
        return replace(self, bare=True)

    def _sees(self, viewer: int | None, seat: int) -> bool:
        return viewer == seat or self.phase == OVER or self.bare or self.options["open"] is True

    def picture(self, viewer: int | None = None, last: Sequence[str] = ()) -> Picture:
        canvas = Canvas()
        canvas.line("        points  hand    bid", LABEL)
        for seat, name in enumerate(SEATS):
            row = canvas.height
            on_turn = self.phase == TURN and seat == self.order[0]
            canvas.put(row, 0, ">" if on_turn else " ")
            canvas.put(row, 2, name, seat_role(seat))
            canvas.put(row, 11, f"{self.scores[seat]:3}")
            hand = (str(towel) if self._sees(viewer, seat) else "-" for towel in self.hands[seat])
            canvas.put(row, 16, " ".join(hand))
            canvas.put(row, 24, self._bid_shown(viewer, seat))
        canvas.line()
        row = canvas.height
        canvas.put(row, 2, f"die {self.die or '-'}   loungers")
        for number, towel in enumerate(self.laid):
            new = f"play-{towel}" in last
            canvas.put(row, 19 + 3 * number, f"{towel}{'*' if new else ''}", LAST if new else PLAIN)
        return canvas.picture()

    def scene(self, viewer: int | None = None, last: Sequence[str] = ()) -> Scene:
        panels = [tally("points", SEATS, self.scores)]
        for seat, name in enumerate(SEATS):
            verb = "" if seat not in self.to_move else "bid-" if self.phase == BID else "play-"
            hand = (
                Entry(str(towel), "towel", seat, name=f"{verb}{towel}" if verb else "")
                if self._sees(viewer, seat)
                else Entry("-", "towel", seat)
                for towel in self.hands[seat]
            )
            panels.append(Panel(f"hand of {name}", tuple(hand), seat))
            if bid := self._bid_shown(viewer, seat):
                panels.append(Panel(f"bid of {name}", (Entry(bid, seat=seat),), seat))
        panels += remark(f"the die shows {self.die}" if self.die else "")
        return Scene(
            tuple(
                Place(f"lounger {n}", square(n - 1, 0), (n - 0.5, 0.5), "lounger")
                for n in range(1, len(TOWELS) + 1)
            ),
            tuple(
                Piece(f"lounger {n}", "towel", label=str(towel))
                for n, towel in enumerate(self.laid, 1)
            ),
            tuple(
                Mark((f"lounger {n}",), "last")
                for n, towel in enumerate(self.laid, 1)
                if f"play-{towel}" in last
            ),
            panels=tuple(panels),
        )

    def _bid_shown(self, viewer: int | None, seat: int) -> str:
        bid = self.bids[seat]
        if seat in self.left:
            return "resigned"
        if bid is None:
            return "to bid" if self.phase == BID else ""
        if self.phase == BID and viewer != seat and not self.bare:
            return "sealed"
        return str(bid) if bid else PASS

    def describe(self, seat: int, move: str, viewer: int | None = None) -> str:
        if seat == CHANCE and self.phase == DEAL:
            owner = self._dealt_next()
            return f"{SEATS[owner]} draws {move if self._sees(viewer, owner) else '-'}"
        if seat == CHANCE:
            return f"{SEATS[self.order[0]]} rolls {move}"
        if self.phase == BID and viewer != seat and not self.bare:
            return "bid -"
        return move.replace("-", " ")

    def dump(self) -> list[Any]:
        return [
            self.phase,
            self.turn,
            self.hands,
            self.deck,
            self.bids,
            self.order,
            self.die,
            self.laid,
            self.scores,
            self.left,
        ]


def _with(row: tuple[Any, ...], at: int, value: Any) -> tuple[Any, ...]:
    return (*row[:at], value, *row[at + 1 :])


def _without(row: tuple[int, ...], value: int) -> tuple[int, ...]:
    return tuple(one for one in row if one != value)


class Poolside(Game):
    """The game."""

    info: ClassVar[GameInfo] = GameInfo(
        name="poolside",
        aliases=("towels",),
        title="Poolside",
        version=1,
        players=range(3, 4),
        seats={3: SEATS},
        summary="bid for the first turn at the pool, then lay your towels",
        help=HELP,
        options=(
            Option("hand", "int", "towels for each player", 2, 2, 3),
            Option(
                "order", "choice", "who takes the first turn", "bids", choices=("bids", "seats")
            ),
            Option("open", "flag", "hands are open, bids stay sealed", unrated=True),
        ),
        features=frozenset({"chance", "hidden", "sealed"}),
    )

    def start(self, players: int, options: Mapping[str, Value]) -> PoolsidePosition:
        zeros, bids = (0,) * players, (None,) * players
        hands = ((),) * players
        return PoolsidePosition(
            players, options, DEAL, 0, hands, TOWELS, bids, (), 0, (), zeros, ()
        )

    def load(self, players: int, options: Mapping[str, Value], data: list[Any]) -> PoolsidePosition:
        phase, turn, hands, deck, bids, order, die, laid, scores, left = data
        return PoolsidePosition(
            players,
            options,
            phase,
            turn,
            tuple(map(tuple, hands)),
            tuple(deck),
            tuple(bids),
            tuple(order),
            die,
            tuple(laid),
            tuple(scores),
            tuple(left),
        )


GAME = PoolsidePosition.game = Poolside()
