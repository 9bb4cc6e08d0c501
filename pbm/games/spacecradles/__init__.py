"""Space Cradles: bump the other motherships off a cross of five regions.

Rules: docs/rules/spacecradles.md."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from pbm.games.spacecradles.cells import (
    BACK,
    COLOURS,
    DRONES,
    END,
    GRID,
    MOTHERSHIPS,
    PIECES,
    RANKS,
    REGION,
    VACANT,
    CradlesState,
    board_moves,
    in_words,
    move_and_bump,
    move_fault,
    parse_first,
    read,
    sides_of,
    vacant_back,
)
from pbm.games.spacecradles.platform_view import build_scene, draw_position
from pbm.rules import (
    Game,
    GameInfo,
    IllegalMove,
    Option,
    Outcome,
    Picture,
    Value,
    outcome_of,
)
from pbm.rules.drawing.scene import Scene
from pbm.rules.help_page import read_help
from pbm.rules.lessons import Lesson
from pbm.rules.phrases import combine, pack, phrase, unpack
from pbm.rules.suggestions import choose_best
from pbm.rules.typed import left_of, listing


@dataclass(frozen=True, slots=True)
class SpaceCradlesPosition(CradlesState):
    """A position of Space Cradles, with the moves that lead to the next."""

    @property
    def key(self) -> str | None:
        flags = f"{self.seat}{'+' if self.open else ''}{sorted(self.begun)}{self.gone}"
        return f"{self.board}/{','.join(self.platforms)}/{flags}"

    @property
    def standing(self) -> tuple[float, ...]:
        """The drones on the board; 0 for a seat that is out."""
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

    def suggest(self, seat: int) -> str:
        """Return a move that costs others the most drones and motherships, and itself none; before
        a seat has begun one behind which its mothership can come in."""

        def rate(after: SpaceCradlesPosition) -> float:
            left = after.standing
            return 2 * left[seat] - sum(left)

        return choose_best(self, seat, rate)

    def _entries(self, seat: int) -> list[str]:
        """Return the moves from the platform, of which the seat must choose one if there are
        any."""
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
        move, end = parse_first(text)
        rest = left_of(text, end)
        if not rest and not self.open and seat in self.to_move and self.apply(seat, move).open:
            rest = END  # "a first turn that is typed without a second part ends by itself"
        return move, rest

    def apply(self, seat: int, move: str) -> SpaceCradlesPosition:
        if move == END:
            if not self.open:
                raise IllegalMove(phrase("end: a turn is one move here, there is no passing"))
            return self._next_turn()
        kind, source, target = read(move)
        fault = self._fault(seat, kind, source, target)
        if fault:
            raise IllegalMove(combine("{move}: {fault}", move=move, fault=fault))
        begun = self.begun | {seat}
        if kind:
            piece = (MOTHERSHIPS if kind == "m" else DRONES)[self.sides[seat]]
            board = self.board[:target] + piece + self.board[target + 1 :]
            platforms = list(self.platforms)
            platforms[seat] = platforms[seat].replace(kind, "", 1)
            entered = replace(self, board=board, platforms=tuple(platforms), begun=begun)
            return entered._next_turn()
        board, taken, told = move_and_bump(self.board, source, target)
        news = (told,) if told else ()
        following = replace(self, board=board, begun=begun, news=news)
        if taken:
            following = following._remove_taken(taken)
        if following.outcome:
            return following
        if seat not in self.begun and "m" in following._entry_kinds(seat):
            return replace(following, open=True)
        return following._next_turn(following.news)

    def duty(self, seat: int) -> str:
        if self.open or not (entries := self._entries(seat)):
            return ""
        kinds = {move[0] for move in entries}
        if kinds == {"m"}:
            return phrase("you must bring your mothership in")
        if kinds == {"d"}:
            return phrase("you must bring a drone in")
        return phrase("you must bring a piece in from your platform")

    def _entry_kinds(self, seat: int) -> set[str]:
        return {move[0] for move in self._entries(seat)}

    def _fault(self, seat: int, kind: str, source: int, target: int) -> str:
        """Return why a move that `read` parsed is illegal; "" if it is legal."""
        side, colour = self.sides[seat], self.seat_name(seat)
        if self.open and kind != "m":
            return phrase(
                "after its first move {colour} may only bring in its mothership, or end",
                colour=colour,
            )
        if not kind:
            entries = self._entries(seat)
            if entries:
                which = listing(entries, "or")
                return phrase(
                    "{colour} must bring in a piece from its platform first: {which}",
                    colour=colour,
                    which=which,
                )
            return move_fault(self.board, side, source, target)
        if kind not in self.platforms[seat]:
            if kind == "m":
                return phrase(
                    "{colour} does not have its mothership on its platform", colour=colour
                )
            return phrase("{colour} does not have a drone on its platform", colour=colour)
        if target not in BACK[side]:
            return phrase(
                "{colour}'s pieces come in on its back rank {rank}, not on {name}",
                colour=colour,
                rank=RANKS[side],
                name=GRID.names[target],
            )
        if self.board[target] != VACANT:
            return phrase(
                "{piece} is on {cell}",
                piece=in_words(self.board[target]),
                cell=GRID.names[target],
            )
        return ""

    def _remove_taken(self, taken: Sequence[str]) -> SpaceCradlesPosition:
        """Return the position after these pieces have been taken, all at once."""
        owners = [self.sides.index(PIECES.index(piece) % 4) for piece in taken]
        pieces = list(zip(taken, owners, strict=True))
        lost = tuple(sorted(owner for piece, owner in pieces if piece in MOTHERSHIPS))
        platforms = ["" if seat in lost else has for seat, has in enumerate(self.platforms)]
        staying, news = self.playing.difference(lost), [*self.news]
        returning = Counter(owner for piece, owner in pieces if piece not in MOTHERSHIPS)
        for piece, owner in pieces:
            if piece in MOTHERSHIPS:
                news.append(phrase("{colour} is out", colour=self.seat_name(owner)))
            elif owner in staying:
                platforms[owner] += "d"
                if returning[owner] == 1:
                    news.append(phrase("{piece} returns to its platform", piece=in_words(piece)))
                elif platforms[owner].count("d") == self.platforms[owner].count("d") + 1:
                    news.append(
                        phrase(
                            "{count} drones of {colour} return to the platform",
                            count=returning[owner],
                            colour=self.seat_name(owner),
                        )
                    )
            else:
                news.append(phrase("{piece} leaves the game", piece=in_words(piece)))
        following = replace(self, platforms=tuple(platforms), news=tuple(news))
        return following._eliminate(lost) if lost else following

    def _eliminate(self, lost: tuple[int, ...]) -> SpaceCradlesPosition:
        """Return the position after these seats, whose motherships and platforms are gone, are out
        at once; over if fewer than two are left."""
        gone, staying = (*self.gone, lost), self.playing.difference(lost)
        if len(staying) > 1:
            return replace(self, gone=gone)
        reason = phrase("the last motherships were taken at once")
        if staying:
            (winner,) = staying
            reason = phrase("{seat_name} alone is left", seat_name=self.seat_name(winner))
        return replace(self, gone=gone, outcome=outcome_of([staying, *reversed(gone)], reason))

    def _next_turn(self, news: tuple[str, ...] = ()) -> SpaceCradlesPosition:
        """Return the position with the next seat clockwise that has a legal move on the move."""
        side, playing, turn = self.sides[self.seat], self.playing, self.turn + 1
        for ahead in (1, 2, 3, 4):
            colour = (side + ahead) % 4
            seat = self.sides.index(colour) if colour in self.sides else -1
            if seat in playing:
                if self._can_move(seat):
                    return replace(self, seat=seat, turn=turn, open=False, news=news)
                news = (
                    *news,
                    phrase(
                        "{colour} has no legal move and is skipped", colour=self.seat_name(seat)
                    ),
                )
        outcome = outcome_of(
            [playing, *reversed(self.gone)], phrase("nobody left has a legal move")
        )
        return replace(self, turn=turn, open=False, outcome=outcome, news=news)

    def resign(self, seat: int) -> SpaceCradlesPosition:
        if self.outcome or seat not in self.playing:
            raise IllegalMove(phrase("only a player who is still in the game can resign"))
        board = self.board.replace(MOTHERSHIPS[self.sides[seat]], VACANT)
        platforms = tuple("" if s == seat else has for s, has in enumerate(self.platforms))
        home = self.board.find(MOTHERSHIPS[self.sides[seat]])
        name = self.seat_name(seat)
        told = phrase("{seat_name}'s mothership is removed, its drones stay", seat_name=name)
        if home >= 0:
            told = phrase(
                "{seat_name}'s mothership on {hit} is removed, its drones stay",
                seat_name=name,
                hit=GRID.names[home],
            )
        news = (told,)
        left = replace(self, board=board, platforms=platforms, news=news)._eliminate((seat,))
        return left if left.outcome or seat != self.seat else left._next_turn(news)

    def picture(self, viewer: int | None = None, last: Sequence[str] = ()) -> Picture:
        return draw_position(self, last)

    def scene(self, viewer: int | None = None, last: Sequence[str] = ()) -> Scene:
        return build_scene(self, last)

    def dump(self) -> list[Any]:
        over = self.outcome and [list(self.outcome.ranks), pack(self.outcome.reason)]
        gone = [list(group) for group in self.gone]
        place = [self.board, list(self.platforms), self.seat, self.turn]
        return [*place, sorted(self.begun), self.open, gone, over]


_BEFORE_BUMP = ("g12-f11", "m-g12", "g1-h2", "end")
"""The moves before a piece is bumped, before one is at the wall, and before two collide."""
_BEFORE_WALL = (
    *("f12-f11", "m-f12", "g1-g2", "m-g1", "f11-f10", "e1-e2", "f10-f9", "e2-e1", "f9-f8", "e1-e2"),
    *("f8-f7", "e2-e1", "f7-f6", "e1-e2", "f6-f5", "e2-e1", "f5-f4", "e1-e2", "f4-f3", "e2-e1"),
    *("f3-f2", "e1-e2"),
)
_BEFORE_COLLISION = (
    *("f12-f11", "m-f12", "f1-f2", "m-f1", "f11-f10", "f2-f3", "f10-f9", "f3-f4", "f9-f8", "h1-h2"),
    *("f8-f7", "h2-h1", "f7-f6", "h1-h2", "f6-f5", "h2-h1"),
)


class SpaceCradles(Game):
    """The game."""

    info = GameInfo(
        name="spacecradles",
        title="Space Cradles",
        version=1,
        players=range(2, 5),
        seats={2: ("red", "green"), 3: ("red", "yellow", "green"), 4: COLOURS},
        summary="bump the other motherships off a cross of five regions",
        help=read_help(__name__),
        options=(
            Option(
                "colors",
                "text",
                "each seat's colour in seat order; turns go clockwise round the sides",
                pattern="a list like red,green of red, yellow, green, blue, all different",
            ),
        ),
        family="war",
        length="long",
    )

    def list_lessons(self) -> Sequence[Lesson]:
        return (
            Lesson(
                phrase(
                    "Before: red's mothership on g12 is about to step onto f11, where a drone "
                    "stands."
                ),
                _BEFORE_BUMP,
                is_before=True,
            ),
            Lesson(
                phrase(
                    "After: the drone was bumped. It slid away in the direction of the step until "
                    "it met the edge. A piece that stands at the edge already is taken."
                ),
                (*_BEFORE_BUMP, "g12-f11"),
            ),
            Lesson(
                phrase(
                    "The wall: red's drone stepped from f2 onto f1, where a green drone stood at "
                    "the edge. It could not slide, and is taken. It is back on green's platform, "
                    "and green's next move must bring it in: d-e1, the one vacant cell of the back "
                    "rank."
                ),
                (*_BEFORE_WALL, "f2-f1"),
                can=("d-e1",),
                cannot=("e2-e3", "g1-f1"),
            ),
            Lesson(
                phrase(
                    "Before a collision: red's drone on f5 is about to step onto f4. The green "
                    "drone there would slide south, to where green's own mothership stands."
                ),
                _BEFORE_COLLISION,
                can=("f5-f4",),
                is_before=True,
            ),
            Lesson(
                phrase(
                    "After: the drone ran into the mothership on f1. Both are taken, whoever owns "
                    "them, and green, without a mothership, is out: red has won."
                ),
                (*_BEFORE_COLLISION, "f5-f4"),
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
            outcome=Outcome(tuple(over[0]), unpack(over[1])) if over else None,
        )


SpaceCradlesPosition.game = SpaceCradles()
GAMES = (SpaceCradlesPosition.game,)
