"""Space Cradles: bump the other motherships off a cross of five regions.

After the "Space Cradles Rulebook", as the rules page settles it. Turns, platforms, eliminations
and pictures; what happens on the board itself is in `_spacecradles`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar

from pbm.games._spacecradles import (
    BACK,
    COLOURS,
    DRONES,
    END,
    GRID,
    MOTHERSHIPS,
    PIECES,
    RANKS,
    REGION,
    SIDES,
    VACANT,
    board_moves,
    in_words,
    move_fault,
    moved,
    read,
    read_typed,
    sides_of,
    vacant_back,
)
from pbm.rules import (
    NOBODY,
    SEAT_TO_MOVE,
    Canvas,
    Game,
    GameInfo,
    IllegalMove,
    Option,
    Outcome,
    Picture,
    Position,
    Value,
    outcome_of,
)
from pbm.rules.picture import LABEL, LAST, PLAIN
from pbm.rules.picture import seat as seat_role
from pbm.rules.typed import left_of, listing

HELP = """\
SPACE CRADLES, 2 to 4 players, after the "Space Cradles Rulebook"

AIM. Be the last one whose mothership has not been taken.

BOARD. Five regions of 4x4 cells in a cross, columns a to l, rows 1 to 12:
north e9-h12, east i5-l8, south e1-h4, west a5-d8 and the centre e5-h8. Each
colour has a side, a back rank at its far end, and a platform behind that:
red north e12-h12, yellow east l5-l8, green south e1-h1, blue west a5-a8.
Small letters are drones, capitals are motherships. You begin with four
drones on your back rank and your mothership on your platform. Two players
are red and green, three red, yellow and green. The player named first in the
challenge begins, then turns go clockwise round the sides.

MOVING. A turn is one move with one piece; there is no passing.
- A step goes to one of the eight cells around, also diagonally round an
  inner corner of the cross: e12-e11, e4-d5.
- A drone that stands in the same region as its own mothership may instead
  teleport to any vacant cell of that region: e12-h9.

BUMPING. A step may go to a cell with a piece and bumps it: the piece slides
away in the direction of the step while cells are vacant and stops at the
edge. At the edge already, it is taken. If it runs into another piece, next
to it or after a slide, both are taken, whosever they are. Drones do not bump
their own colour; a mothership may.

TAKEN PIECES. A drone goes back to its owner's platform. Who loses the
mothership is out: the platform is emptied, the pieces on the board stay as
obstacles that can be bumped and taken. What one move takes is taken at once.

THE PLATFORM. If you have a piece on your platform and a vacant cell in your
back rank, your move must bring one piece in: m-f12 the mothership, d-f12 a
drone. In your first turn, after a move with a drone, you may at once bring
in the mothership too, if there is room: e12-e11,m-e12. Write e12-e11 alone
to leave it out (that is short for e12-e11,end).

WRITING MOVES. from-to for a step, a bump or a teleport; m-f12 or d-f12 from
the platform; end. Case and blanks do not matter. Two players may begin:
  > e12-e11,m-e12
  > F1 - F2, m-f1
  > e11-g9
  > f2-f3.
  > g9-h8

OPTION. -colors=blue,red gives each seat its colour in seat order; the order
of turns follows the colours.

THE END. The last one left wins. If one move takes the last motherships
together, their owners tie for first. Ranks follow the order of elimination,
later is better, at once is equal. Nothing is random.

RESIGNING. Your mothership is removed, your drones stay as obstacles; it
counts as an elimination at that moment.

DECIDED HERE. Which colour has which side. A piece bumped straight into a
neighbour has collided: both go. Who cannot move is skipped; if nobody left
can, they tie for first. Whether you must bring a piece in is seen when you
move, so a resignation that clears your back rank may call for it. An
eliminated drone that is taken leaves the game, also one taken together with
its own mothership.
"""


@dataclass(frozen=True, slots=True)
class SpaceCradlesPosition(Position):
    """A moment of Space Cradles.

    sides      for each seat the number of its colour
    board      as `_spacecradles` has it
    platforms  for each seat what stands on its platform: `m` before any number of `d`
    seat       who is on the move, or was when it ended
    begun      the seats that have begun their first turn
    open       the seat on the move has moved a drone and may bring in its mothership
    gone       the seats eliminated or resigned, a group for each moment, in order
    """

    game: ClassVar[Game]
    players: int
    options: Mapping[str, Value]
    sides: tuple[int, ...]
    board: str
    platforms: tuple[str, ...]
    seat: int = 0
    turn: int = 0
    begun: frozenset[int] = frozenset()
    open: bool = False
    gone: tuple[tuple[int, ...], ...] = ()
    outcome: Outcome | None = None
    news: tuple[str, ...] = field(default=(), compare=False)

    @property
    def to_move(self) -> frozenset[int]:
        return NOBODY if self.outcome else SEAT_TO_MOVE[self.seat]

    @property
    def playing(self) -> frozenset[int]:
        return frozenset(range(self.players)).difference(*self.gone)

    @property
    def seat_names(self) -> tuple[str, ...]:
        return tuple(COLOURS[side] for side in self.sides)

    @property
    def key(self) -> str | None:
        flags = f"{self.seat}{'+' if self.open else ''}{sorted(self.begun)}{self.gone}"
        return f"{self.board}/{','.join(self.platforms)}/{flags}"

    @property
    def standing(self) -> tuple[float, ...]:
        """The drones on the board; none for who is out."""
        return tuple(
            float(self.board.count(DRONES[side])) if seat in self.playing else 0.0
            for seat, side in enumerate(self.sides)
        )

    def legal_moves(self, seat: int) -> Sequence[str]:
        if seat not in self.to_move:
            return ()
        side = self.sides[seat]
        if self.open:
            return (*(f"m-{name}" for name in vacant_back(self.board, side)), END)
        return self._entries(seat) or board_moves(self.board, side)

    def _entries(self, seat: int) -> list[str]:
        """The moves from the platform of which the seat must choose one, if there are any."""
        platform = self.platforms[seat]
        if not platform:
            return []
        vacant = vacant_back(self.board, self.sides[seat])
        return [f"{kind}-{name}" for kind in "md" if kind in platform for name in vacant]

    def _can_move(self, seat: int) -> bool:
        side = self.sides[seat]
        # On the board, a mothership always has a neighbour to go to or to bump.
        return (
            MOTHERSHIPS[side] in self.board
            or bool(self._entries(seat))
            or bool(board_moves(self.board, side))
        )

    def parse(self, text: str, seat: int) -> tuple[str, str]:
        move, end = read_typed(text)
        rest = left_of(text, end)
        if not rest and not self.open and seat in self.to_move and self.apply(seat, move).open:
            rest = END  # "a first turn that is typed without a second part ends by itself"
        return move, rest

    def apply(self, seat: int, move: str) -> SpaceCradlesPosition:
        if move == END:
            if not self.open:
                raise IllegalMove("end: a turn is one move here, there is no passing")
            return self._next_turn()
        kind, source, target = read(move)
        fault = self._fault(seat, kind, source, target)
        if fault:
            raise IllegalMove(f"{move}: {fault}")
        begun = self.begun | {seat}
        if kind:
            piece = (MOTHERSHIPS if kind == "m" else DRONES)[self.sides[seat]]
            board = self.board[:target] + piece + self.board[target + 1 :]
            platforms = list(self.platforms)
            platforms[seat] = platforms[seat].replace(kind, "", 1)
            entered = replace(self, board=board, platforms=tuple(platforms), begun=begun)
            return entered._next_turn()
        board, taken, slide = moved(self.board, source, target)
        news = (slide,) if slide else ()
        following = replace(self, board=board, begun=begun, news=news)
        if taken:
            following = following._taking(taken)
        if following.outcome:
            return following
        if seat not in self.begun and "m" in following._entry_kinds(seat):
            return replace(following, open=True)
        return following._next_turn(following.news)

    def _entry_kinds(self, seat: int) -> set[str]:
        return {move[0] for move in self._entries(seat)}

    def _fault(self, seat: int, kind: str, source: int, target: int) -> str:
        """Why a move that `read` understood is not legal; empty where it is."""
        side = self.sides[seat]
        colour = COLOURS[side]
        if self.open and kind != "m":
            return f"after its first move {colour} may only bring in its mothership, or end"
        if not kind:
            entries = self._entries(seat)
            if entries:
                which = listing(entries, "or")
                return f"{colour} must bring in a piece from its platform first: {which}"
            return move_fault(self.board, side, source, target)
        if kind not in self.platforms[seat]:
            piece = "its mothership" if kind == "m" else "a drone"
            return f"{colour} does not have {piece} on its platform"
        if target not in BACK[side]:
            return (
                f"{colour}'s pieces come in on its back rank {RANKS[side]}, "
                f"not on {GRID.names[target]}"
            )
        if self.board[target] != VACANT:
            return f"{in_words(self.board[target])} is on {GRID.names[target]}"
        return ""

    def _taking(self, taken: Sequence[str]) -> SpaceCradlesPosition:
        """The position after the pieces have been taken, all at once."""
        owners = [self.sides.index(PIECES.index(piece) % 4) for piece in taken]
        pieces = list(zip(taken, owners, strict=True))
        lost = tuple(sorted(owner for piece, owner in pieces if piece in MOTHERSHIPS))
        platforms = ["" if seat in lost else has for seat, has in enumerate(self.platforms)]
        staying, news = self.playing.difference(lost), list[str]()
        for piece, owner in pieces:
            if piece in MOTHERSHIPS:
                news.append(f"{in_words(piece)} is taken, {self.seat_names[owner]} is out")
            elif owner in staying:
                platforms[owner] += "d"
                news.append(f"{in_words(piece)} is taken and returns to its platform")
            else:
                news.append(f"{in_words(piece)} is taken and leaves the game")
        following = replace(self, platforms=tuple(platforms), news=tuple(news))
        return following._without(lost) if lost else following

    def _without(self, lost: tuple[int, ...]) -> SpaceCradlesPosition:
        """The position after these seats, whose motherships and platforms are gone, are out at
        once; over when fewer than two are left."""
        gone, staying = (*self.gone, lost), self.playing.difference(lost)
        if len(staying) > 1:
            return replace(self, gone=gone)
        reason = "the last motherships were taken at once"
        if staying:
            (winner,) = staying
            reason = f"{self.seat_names[winner]} alone is left"
        return replace(self, gone=gone, outcome=outcome_of([staying, *reversed(gone)], reason))

    def _next_turn(self, news: tuple[str, ...] = ()) -> SpaceCradlesPosition:
        """The position in which the next seat clockwise that has a legal move is on the move."""
        side, playing, turn = self.sides[self.seat], self.playing, self.turn + 1
        for ahead in (1, 2, 3, 4):
            colour = (side + ahead) % 4
            seat = self.sides.index(colour) if colour in self.sides else -1
            if seat in playing:
                if self._can_move(seat):
                    return replace(self, seat=seat, turn=turn, open=False, news=news)
                news = (*news, f"{COLOURS[colour]} has no legal move and is skipped")
        outcome = outcome_of([playing, *reversed(self.gone)], "nobody left has a legal move")
        return replace(self, turn=turn, open=False, outcome=outcome, news=news)

    def resign(self, seat: int) -> SpaceCradlesPosition:
        if self.outcome or seat not in self.playing:
            raise IllegalMove("only a seat that is still playing can resign")
        board = self.board.replace(MOTHERSHIPS[self.sides[seat]], VACANT)
        platforms = tuple("" if s == seat else has for s, has in enumerate(self.platforms))
        news = (f"{self.seat_names[seat]}'s mothership is removed, its drones stay",)
        left = replace(self, board=board, platforms=platforms, news=news)._without((seat,))
        return left if left.outcome or seat != self.seat else left._next_turn(news)

    def picture(self, viewer: int | None = None, last: Sequence[str] = ()) -> Picture:
        canvas = Canvas()
        marked = {GRID.number.get(name) for move in last for name in move.split("-")}
        for row in (0, 13):
            for column in range(12):
                canvas.put(row, 5 + 3 * column, GRID.names[column][0], LABEL)
        for line in range(1, 13):
            canvas.put(line, 0, f"{13 - line:2}", LABEL)
            canvas.put(line, 41, str(13 - line), LABEL)
        for cell in REGION:
            row, column = divmod(cell, 12)
            if cell in marked:
                canvas.put(12 - row, 4 + 3 * column, "[ ]", LAST)
            piece = self.board[cell]
            role = PLAIN
            if piece != VACANT:
                role = seat_role(self.sides.index(PIECES.index(piece) % 4))
            elif cell in marked:
                role = LAST
            canvas.put(12 - row, 5 + 3 * column, piece, role)
        canvas.line()
        for seat in sorted(range(self.players), key=lambda seat: self.sides[seat]):
            self._platform_line(canvas, seat)
        canvas.line()
        legend = "  small letters drones, capitals motherships"
        canvas.line(legend + (", [ ] the last move" if marked - {None} else ""))
        if self.open and not self.outcome:
            colour = self.seat_names[self.seat]
            canvas.line(f"  {colour} may bring in its mothership now, or write end")
        return canvas.picture()

    def _platform_line(self, canvas: Canvas, seat: int) -> None:
        side, row = self.sides[seat], canvas.height
        own = {"m": MOTHERSHIPS[side], "d": DRONES[side]}
        canvas.put(row, 0, ">" if seat in self.to_move else " ", LABEL)
        canvas.put(row, 2, COLOURS[side], seat_role(seat))
        canvas.put(row, 9, f"{SIDES[side]:5}  platform")
        if seat not in self.playing:
            canvas.put(row, 26, "(out of the game)")
        elif self.platforms[seat]:
            pieces = " ".join(own[kind] for kind in self.platforms[seat])
            canvas.put(row, 26, pieces, seat_role(seat))
        else:
            canvas.put(row, 26, "-")

    def dump(self) -> list[Any]:
        over = self.outcome and [list(self.outcome.ranks), self.outcome.reason]
        gone = [list(group) for group in self.gone]
        place = [self.board, list(self.platforms), self.seat, self.turn]
        return [*place, sorted(self.begun), self.open, gone, over]


class SpaceCradles(Game):
    """The game."""

    info = GameInfo(
        name="spacecradles",
        title="Space Cradles",
        version=1,
        players=range(2, 5),
        seats={2: ("red", "green"), 3: ("red", "yellow", "green"), 4: COLOURS},
        summary="bump the other motherships off a cross of five regions",
        help=HELP,
        options=(
            Option(
                "colors",
                "text",
                "each seat's colour in seat order; turns go clockwise round the sides",
                pattern="a list like red,green of red, yellow, green, blue, all different",
            ),
        ),
    )

    def start(self, players: int, options: Mapping[str, Value]) -> SpaceCradlesPosition:
        sides = sides_of(players, options.get("colors"))
        cells = [VACANT if cell in REGION else " " for cell in range(len(GRID))]
        for side in sides:
            for cell in BACK[side]:
                cells[cell] = DRONES[side]
        return SpaceCradlesPosition(players, options, sides, "".join(cells), ("m",) * players)

    def load(
        self, players: int, options: Mapping[str, Value], data: list[Any]
    ) -> SpaceCradlesPosition:
        board, platforms, seat, turn, begun, is_open, gone, over = data
        return SpaceCradlesPosition(
            players=players,
            options=options,
            sides=sides_of(players, options.get("colors")),
            board=board,
            platforms=tuple(platforms),
            seat=seat,
            turn=turn,
            begun=frozenset(begun),
            open=is_open,
            gone=tuple(tuple(group) for group in gone),
            outcome=Outcome(tuple(over[0]), over[1]) if over else None,
        )


SpaceCradlesPosition.game = SpaceCradles()
GAMES = (SpaceCradlesPosition.game,)
