"""The game interface: immutable positions, moves as text, chance as a player, outcomes as ranks.

Everything above the rules (mail, command line, bots, tests) uses only this interface. A game module
imports nothing but the standard library and `pbm.rules`: no clock, no I/O, no random generator."""

from __future__ import annotations

import json
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import fields, is_dataclass, replace
from functools import lru_cache
from typing import TYPE_CHECKING, Any, ClassVar

from pbm.rules.chance import CHANCE, CHANCE_TO_MOVE, Chance
from pbm.rules.composition import Composition, compose_in_order, step_finder
from pbm.rules.drawing.picture import Picture
from pbm.rules.drawing.scene import Piece, Scene
from pbm.rules.drawing.scene_text import draw_with_panels, sign_of
from pbm.rules.drawing.sentences import (
    describe_pieces,
    describe_seat,
    describe_turn,
    pronounce,
    write_words,
)
from pbm.rules.errors import IllegalMove, InvalidMove, RecordError
from pbm.rules.game_info import GameInfo
from pbm.rules.options import OptionError, Value, settle
from pbm.rules.outcome import Outcome, Played
from pbm.rules.phrases import Listing, PieceText, SeatName, phrase, tell_end, tell_turn
from pbm.rules.solutions import Puzzle, Solution
from pbm.rules.typed import listing

if TYPE_CHECKING:
    from pbm.rules.lessons import Lesson

ENDING_WORDS = ("pass", "end", "done")
"""The words by which games end a turn."""
MOST_TRIED = 500
"""The most moves tried to find an example, for which a mail waits."""
ANONYMOUS = "anonymous"
"""The option, a flag, of a board whose players stay unknown until it has ended."""
LATE = "late"
"""The move by which a server ends the orders of a seat that are late."""
ENDED = "ended"
"""The move by which a server ends the orders of a seat before the deadline, by decision of the
board's master: it is no missed turn."""
TAKEOVER = "takeover"
"""The move by which a server gives a vacant seat to another player."""
API = 1
"""The version of this interface: docs/authors/versions.md says what is stable in it."""


class Game(ABC):
    """A kind of game. Stateless: one instance serves all boards.

    record_format  what `record` writes, as the ending of a file: sgf, pgn, pdn, mat
    earlier        earlier versions of the game, each a Game of the same name with the version that
                   it had: boards that began under one of them are finished under it
    """

    info: ClassVar[GameInfo]
    record_format: ClassVar[str] = "txt"
    earlier: ClassVar[tuple[Game, ...]] = ()

    def find_version(self, version: int) -> Game | None:
        """Return this game as it was in a version: itself, one of `earlier`, or None."""
        if version == self.info.version:
            return self
        return next((game for game in self.earlier if game.info.version == version), None)

    def setup(self, players: int = 0, options: Mapping[str, Value] | None = None) -> Position:
        """Return the first position. `players` 0 means the usual number, the first that the game
        allows.

        Raise OptionError, whose text lists what is allowed."""
        allowed = self.info.players
        players = players or allowed[0]
        if players not in allowed:
            raise OptionError(
                phrase(
                    "{title} is for {number} players, not {players}",
                    title=self.info.title,
                    number=_count(allowed),
                    players=players,
                )
            )
        return self.start(players, settle(self.info.options, options or {}))

    @abstractmethod
    def start(self, players: int, options: Mapping[str, Value]) -> Position:
        """Return the first position for an allowed number of players and settled options, in which
        each declared option has a value. Raise OptionError if options exclude each other."""

    @abstractmethod
    def load(self, players: int, options: Mapping[str, Value], data: list[Any]) -> Position:
        """Return the position whose `dump()` was `data`."""

    def upgrade(self, options: Mapping[str, Value], version: int) -> Mapping[str, Value]:
        """Return the options with which a board of an earlier version is replayed and continued; by
        default the ones it was given. Asked only for versions that are not in `earlier`.

        After a change of the rules, a board in progress keeps its old rules if the change added an
        option for them: `{**options, "captures": "optional"}`. A board whose moves are illegal in
        the replay waits for the operator."""
        return options

    def record(self, played: Played) -> str:
        """Return the game in the format of its field that other programs read (SGF, PGN), in lines
        that fit into a mail; "" if there is none. It contains only what everybody may know."""
        return ""

    def read_record(self, text: str) -> Played:
        """Return the game in a record in the format of its field, replayed; `record` or another
        program may have written it. RecordError if it is not such a record or the game cannot have
        been played."""
        raise RecordError(phrase("records of {title} cannot be read", title=self.info.title))

    def is_recorded(self, tags: Mapping[str, str]) -> bool:
        """Whether a record with these tags (of PGN or PDN) is one of this game."""
        return False

    def list_puzzles(self) -> Sequence[Puzzle]:
        """Return positions for players to solve, in which exactly one move wins, as
        `Position.solve` knows; () if there are none."""
        return ()

    def write_help(self, say: Callable[[str], str]) -> str:
        """Return the page of `GAME help`, with its phrases translated, if it is generated from the
        rules; "" for a page that somebody wrote."""
        return ""

    def list_lessons(self) -> Sequence[Lesson]:
        """Return positions that explain a rule in a picture, for the page of the game; () if there
        are none."""
        return ()

    def decode(self, text: str) -> Position:
        """Return the position whose `encode()` was `text`, of this version or one of `earlier`;
        ValueError if another game or version wrote it."""
        return build_position(self, json.loads(text))


def _count(allowed: Sequence[int]) -> str:
    numbers = [str(n) for n in sorted(allowed)]
    if len(numbers) == 1:
        return numbers[0]
    if len(numbers) == 2 or max(allowed) - min(allowed) >= len(allowed):
        return listing(numbers, "or")
    return phrase("{low} to {high}", low=numbers[0], high=numbers[-1])


class Position(ABC):
    """A position of a game: immutable and self-contained. Playing a move returns the next one.

    A concrete position is a frozen slotted dataclass (or a class with slots) that provides the
    attributes declared here, as fields or as properties."""

    __slots__ = ()

    game: ClassVar[Game]
    """Set on the concrete class: the game whose position it is."""

    turns_board: ClassVar[bool] = False
    """Whether the field shows the second seat the board from its own side, in text and pictures."""

    moves_once: ClassVar[bool] = False
    """Whether each move ends its turn, so that a whole turn is one move."""

    takes_orders: ClassVar[bool] = False
    """Whether the moves of a turn are orders, sealed until the last seat has given its own: of a
    text each is taken or refused by itself, `parse` reads each without regard to the others, and a
    later one replaces an earlier one. `news` says what came of the turn. `LATE` may be
    played for each seat on the move: the server does so when its time is up, no player can."""

    ending: ClassVar[str] = LATE
    """The move by which a server ends the orders of a seat when the board's master ends a turn:
    `ENDED` in a game that counts missed turns, and otherwise `LATE`."""

    @property
    def is_deserted(self) -> bool:
        """Whether too many players have left for the game to have a result: the server
        then cancels the board, which is not rated, whatever the outcome."""
        return False

    @property
    def vacant(self) -> frozenset[int]:
        """The seats whose players have left and that others may take over: the server does so by
        the move `TAKEOVER`, no player can."""
        return frozenset()

    def read_setting(self, seat: int, text: str) -> str:
        """Return the move by which a server sets a seat's units or centres, from the text of a
        board's master. Refuses it in games without such settings."""
        raise InvalidMove(phrase("the positions of this game cannot be set"))

    @property
    def teaches(self) -> bool:
        """Whether its seats may ask for the orders that a computer player would give."""
        return False

    @property
    def grace(self) -> int:
        """The hours after its deadline in which late orders are accepted by the rules, if the board
        does not allow more."""
        return 0

    @property
    def press(self) -> str:
        """The kind of press that its seats may write, `white`, `grey`, `public` or `none`; "" for a
        game without press."""
        return ""

    def list_judged(self) -> Sequence[tuple[str, Sequence[str]]]:
        """Return the seats that gave orders in the last phase, by name, each with its orders and
        their results, for a game of orders."""
        return ()

    def list_orderable(self, seat: int) -> Sequence[tuple[str, str, Sequence[str]]]:
        """Return what a seat can order, for a game of orders: each unit by the first step of its
        orders, with its present order ("" for none) and its possible ones; nothing where orders
        cannot be given unit by unit."""
        return ()

    def find_phase(self, news: Sequence[str]) -> str:
        """Return the sentence of the news that says that a phase has ended, for a game of orders;
        else ""."""
        return ""

    if TYPE_CHECKING:

        @property
        def players(self) -> int:
            """The number of seats, including those that have left."""

        @property
        def options(self) -> Mapping[str, Value]:
            """Each declared option with its value."""

        @property
        def to_move(self) -> frozenset[int]:
            """The seats on the move: empty when the game is over, {CHANCE} when the server must
            answer, several when moves are sealed."""

        @property
        def turn(self) -> int:
            """The number of the turn, from 0. It increases when a turn ends, before the rolls and
            draws that open the next one, even if the same seat moves again. With sealed moves it
            increases when the last of them is in."""

        @property
        def playing(self) -> frozenset[int]:
            """The seats that have neither resigned nor been eliminated; only these can resign."""

        @property
        def outcome(self) -> Outcome | None:
            """How the game ended, or None."""

    @property
    def may_revise(self) -> frozenset[int]:
        """The seats that are not on the move and may still change what they have sealed, until the
        last seat has moved; none in most games. They have legal moves, and `play` takes them."""
        return frozenset()

    @property
    def chance(self) -> Chance | None:
        """The question to chance when `to_move` is {CHANCE}; otherwise None."""
        return None

    @property
    def news(self) -> tuple[str, ...]:
        """What happened by itself in the move that led here, each item a sentence without a full
        stop ("yellow has no legal move and is skipped"). It names the places where something leaves
        the board or is moved that the move itself does not name, each as a value of its phrase:
        `mark_told` marks these in the scene. Not part of `encode`."""
        return ()

    @property
    def seat_names(self) -> tuple[str, ...]:
        """The names of the seats on this board."""
        return self.game.info.seats[self.players]

    def seat_name(self, seat: int) -> SeatName:
        """Return the name of a seat as a value of a phrase: in news and endings the server puts the
        player in its place."""
        return SeatName(self.seat_names[seat], seat)

    @property
    def colours(self) -> tuple[str, ...]:
        """The name of the pieces of each role `seat(n)` in its pictures."""
        return self.seat_names

    @property
    def key(self) -> str | None:
        """Equal for positions that count as repeated (seat to move included); None where repetition
        means nothing or something is hidden."""
        return None

    @property
    def rough_key(self) -> str | None:
        """Where `key` is slow to compute: equal for positions with an equal `key`, and rarely for
        others. The log then stores it in place of `key`, which is computed only when it recurs."""
        return None

    @property
    def claim(self) -> str:
        """Why a player may claim a draw here, as a clause ("fifty moves were played without a
        capture"); "" when none may. Positions with an equal `key` need none: a third occurrence can
        always be claimed."""
        return ""

    @property
    def standing(self) -> tuple[float, ...] | None:
        """What each seat would score if the game were counted now, more being better; None where
        only the end shows who is ahead. Long games provide it so that bots need not play them
        out."""
        return None

    @property
    def outlook(self) -> tuple[float, ...] | None:
        """The standing with the position's prospects, for a search that looks only a few turns
        ahead: how near pieces are to their goal, or the likely result of a fight. By default the
        standing alone."""
        return self.standing

    @abstractmethod
    def legal_moves(self, seat: int) -> Sequence[str]:
        """Return every canonical move of that seat, in a stable order; empty when it is neither on
        the move nor in `may_revise`. For CHANCE, the distinct outcomes."""

    def solve(self, *, wants_all: bool = False) -> Solution | None:
        """Return the result of each move of the seat on the move, if the game is solved: bots play
        by it, and puzzles are explained. Moves that win later than others may be missing, unless
        `wants_all`. None if unknown, and when the game is over."""
        return None

    def suggest(self, seat: int) -> str:
        """Return a legal move as an example for newcomers, in the usual notation; the suggestions
        of successive positions make up a turn of several moves. By default a move from the middle
        of the list, which on most boards is near the centre: if possible one that leaves the turn
        open, and no word that only ends a turn with something left to do."""
        moves = self.legal_moves(seat)
        middle = moves[len(moves) // 2]
        is_tried = not (self.moves_once or self.game.info.features & {"hidden", "sealed"})
        if len(moves) == 1 or not (is_tried or middle in ENDING_WORDS):
            return middle
        moves = sort_from_middle(moves)
        for move in moves[: MOST_TRIED * is_tried]:  # what is hidden is not tried
            if self.play(seat, move).leaves_open(seat, self.turn):
                return move
        return next((move for move in moves if move not in ENDING_WORDS), middle)

    def duty(self, seat: int) -> str:
        """Return a duty of a seat on the move, as a clause addressed to it ("you must capture"); ""
        where it has none."""
        return ""

    def leaves_open(self, seat: int, turn: int) -> bool:
        """Whether a seat's turn with that number goes on here, if need be after a roll."""
        if self.outcome is not None or self.turn != turn:
            return False
        return seat in self.to_move or self.to_move == CHANCE_TO_MOVE

    @abstractmethod
    def parse(self, text: str, seat: int) -> tuple[str, str]:
        """Parse typed text into (first canonical move, remaining text). Raise InvalidMove,
        IllegalMove or AmbiguousMove if no sensible move can be read; a listed move parses to
        itself."""

    @property
    def letters(self) -> tuple[tuple[str, str], ...]:
        """The letters of pieces in moves, by the names of the pieces, if readers of other languages
        use other letters."""
        return ()

    def mark_letters(self, text: str) -> str:
        """Return a stored description of a move as a text whose letters can be shown in the
        reader's language."""
        letters = self.letters
        return PieceText(text, letters) if letters and type(text) is str else text

    def read_letters(self, text: str, seat: int, language: str) -> str:
        """Return typed text in the form that `parse` reads, from a player who may write the letters
        of pieces in a language (`de`, `fr`, ...); by default unchanged. Raise AmbiguousMove if it
        is one move by these letters and another by the game's own."""
        return text

    @abstractmethod
    def apply(self, seat: int, move: str) -> Position:
        """Return the position after a move of a seat that is on the move, if `move` is exactly one
        of its canonical legal moves; otherwise raises InvalidMove or IllegalMove with the specific
        reason."""

    def answer(self, outcome: str) -> Position:
        """Return the position after chance gave `outcome`, one of `chance.outcomes`."""
        raise IllegalMove(phrase("this game has no dice or draws"))

    def play(self, seat: int, move: str) -> Position:
        """Return the position after `seat` played `move`; deterministic, also for CHANCE."""
        if seat not in self.to_move and seat not in self.may_revise:
            raise IllegalMove(self._not_on_the_move(seat))
        if seat == CHANCE:
            question = self.chance
            if question is None or move not in question.outcomes:
                raise IllegalMove(phrase("'{move}' is not one of the outcomes", move=move))
            return self.answer(move)
        return self.apply(seat, move)

    def _not_on_the_move(self, seat: int) -> str:
        if not self.to_move:
            return phrase("the game is over")
        if seat == CHANCE:
            return phrase("there is nothing to roll or draw now")
        if not 0 <= seat < self.players:
            return phrase("there is no seat {seat}", seat=seat)
        if self.to_move == CHANCE_TO_MOVE:
            return phrase("it is chance's turn")
        return phrase(
            "it is {names}'s turn",
            names=listing([self.seat_name(seat) for seat in sorted(self.to_move)]),
        )

    @abstractmethod
    def resign(self, seat: int) -> Position:
        """Return the position after a seat that is still playing resigned; IllegalMove for any
        other seat."""

    def advise(self, seat: int) -> Sequence[str]:
        """For a game of orders, return a computer player's orders, which end its turn and follow
        from public information."""
        raise NotImplementedError

    def picture(self, viewer: int | None = None, last: Sequence[str] = ()) -> Picture:
        """Return the board as that seat may see it (None: a spectator), with the moves `last`
        marked; by default the scene in characters, and below it the panels."""
        scene = self.scene(viewer, last)
        movers = [self.seat_name(seat) for seat in sorted(self.to_move - CHANCE_TO_MOVE)]
        ending: str = tell_turn(Listing(movers)) if movers else ""
        if self.outcome is not None:
            ending = tell_end(self.outcome.reason)
        return draw_with_panels(scene, self.colours, self.sign, ending)

    def sign(self, piece: Piece) -> str:
        """Return the sign of a piece in the picture: by default its label, or a sign for its
        seat."""
        return sign_of(piece)

    def render(self, viewer: int | None = None, last: Sequence[str] = ()) -> str:
        """Return the picture as text: lines of at most 78 columns of printable ASCII."""
        return self.picture(viewer, last).text

    def scene(self, viewer: int | None = None, last: Sequence[str] = ()) -> Scene:
        """Return the board with all that stands on it, as that seat may see it, with the moves
        `last` marked; without places if the game has no scene."""
        return Scene()

    def words(
        self,
        viewer: int | None = None,
        last: Sequence[str] = (),
        *,
        is_stopped: bool = False,
        is_short: bool = False,
    ) -> str:
        """Return what that seat may see, in sentences to be read aloud: the moves `last`, who is to
        move, what stands where, and the viewer's legal moves if they are few. Lines have at most
        200 characters; the only marks are full stops, commas, colons and hyphens. `is_stopped`:
        nobody plays here now, though by the rules it would be somebody's turn. `is_short`: without
        what stands on the board, for who has it in mind."""
        names = self.seat_names
        opening = list[str]()
        if viewer is not None:
            opening.append(describe_seat(self.seat_name(viewer)))
        if self.outcome is not None:
            reason = pronounce(self.outcome.reason)
            opening.append(phrase("The game is over: {reason}.", reason=reason))
        elif not is_stopped:
            turn = describe_turn(names, self.to_move, viewer, takes_orders=self.takes_orders)
            opening.append(turn)
        moves = () if viewer is None or is_stopped else self.legal_moves(viewer)
        scene = self.scene(viewer, last)
        pieces = () if is_short else self.describe_pieces(scene)
        return write_words(scene, self.colours, opening, pieces, self.notes(viewer), moves)

    def describe_pieces(self, scene: Scene) -> Sequence[str]:
        """Return the lines of `words` about the pieces on the board."""
        return describe_pieces(scene, self.colours)

    def notes(self, viewer: int | None = None) -> tuple[str, ...]:
        """Return sentences for `words` about anything that the scene does not show but that decides
        which moves are legal, such as rights to castle."""
        return ()

    def steps(self, seat: int, move: str) -> tuple[str, ...]:
        """Return the places and buttons, in order, that compose a legal move by clicks: by default
        the names of its places in `scene(seat)`, and its other parts as buttons. No two legal moves
        of a seat have the same steps."""
        return _step_finder(self.game, self.players, tuple(self.options.items()))(move)

    def compose(self, seat: int, chosen: Sequence[str] = ()) -> Composition:
        """Return the state of a move after the steps that a seat has chosen: the steps that can
        follow, and the legal move that they compose. Nothing follows steps that no legal move
        has."""
        moves = self.legal_moves(seat)
        return compose_in_order(chosen, ((self.steps(seat, move), move) for move in moves))

    def told(self, news: Sequence[str]) -> Position:
        """Return the same position with the news of the moves `last`, which `encode` does not store
        but the log does; the places that they name are marked in `picture` and `scene`."""
        if tuple(news) == self.news or not is_dataclass(self):
            return self
        if all(each.name != "news" for each in fields(self)):
            return self
        return replace(self, news=tuple(news))

    def uncovered(self) -> Position:
        """Return the same position with nothing hidden from anybody, for `picture` and `describe`
        of a board that has ended, even if not by its rules (by agreement, or by the operator)."""
        return self

    def describe(self, seat: int, move: str, viewer: int | None = None) -> str:
        """Return a move played in this position, in words or notation, as that viewer may read it;
        a dash stands for hidden information."""
        if seat != CHANCE or self.chance is None:
            return move
        if self.chance.kind == "roll":
            return phrase("roll {number}", number=move)
        if self.chance.kind == "pick":
            return phrase("draw {what}", what=move)
        return phrase("clock {seconds}", seconds=move)

    @abstractmethod
    def dump(self) -> list[Any]:
        """Return the position as JSON values, without game, version, players and options."""

    def encode(self) -> str:
        """Return one line of text from which `game.decode` builds an equal position."""
        return json.dumps(list_stored_values(self), separators=(",", ":"))


def sort_from_middle(moves: Sequence[str]) -> list[str]:
    """Return moves from the middle of their list outwards."""
    middle = len(moves) // 2
    order = sorted(range(len(moves)), key=lambda number: abs(number - middle))
    return [moves[number] for number in order]


def build_position(game: Game, values: Sequence[Any]) -> Position:
    """Return the position that `decode` builds from these JSON values."""
    name, version, players, options, *data = values
    edition = game.find_version(version) if name == game.info.name else None
    if edition is None:
        raise ValueError(
            f"a position of {name} version {version} cannot be decoded as "
            f"{game.info.name} version {game.info.version}"
        )
    return edition.load(players, options, data)


def list_stored_values(position: Position) -> list[Any]:
    """Return the values that `encode` writes, as JSON values."""
    info = position.game.info
    return [info.name, info.version, position.players, dict(position.options), *position.dump()]


@lru_cache(maxsize=256)
def _step_finder(
    game: Game, players: int, options: tuple[tuple[str, Value], ...]
) -> Callable[[str], tuple[str, ...]]:
    """Return the function that splits a board's moves into steps; its places never change during a
    game."""
    first = game.setup(players, dict(options)).scene()
    return step_finder(place.name for place in first.places)
