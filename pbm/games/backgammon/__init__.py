"""Backgammon, Nackgammon and Hypergammon: one engine, three starting positions.

Rules: docs/rules/backgammon.md."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar, cast

from pbm.games.backgammon.men import (
    BAR,
    OFF,
    Result,
    count_at,
    find_plays,
    from_text,
    pack_men,
    place_name,
    play_text,
    read_ways,
    to_text,
)
from pbm.games.backgammon.reading import read_match, read_options, replay_match
from pbm.games.backgammon.state import (
    ASK,
    AUTO,
    COLOURS,
    CONCEDES,
    CRAWFORD,
    CUBE,
    DOUBLE,
    DOUBLED,
    DROP,
    NO_CRAWFORD,
    OPENING,
    PAST_CRAWFORD,
    PLAY,
    ROLL,
    ROLLS,
    TAKE,
    MatchState,
    dice_text,
    parse_turn,
)
from pbm.games.backgammon.view import build_scene, draw_match
from pbm.rules import (
    CHANCE,
    Game,
    GameInfo,
    IllegalMove,
    InvalidMove,
    MoveError,
    Option,
    OptionError,
    Outcome,
    Picture,
    Played,
    Value,
)
from pbm.rules.drawing.scene import Scene
from pbm.rules.formats import mat, sgf
from pbm.rules.help_page import read_help
from pbm.rules.phrases import (
    Phrase,
    Sentence,
    combine,
    make_phrase,
    phrase,
    phrase_number,
    tell_roll,
)
from pbm.rules.serialization import dump_fields, load_fields
from pbm.rules.typed import quoted

_CONCEDED = re.compile(rf"{CONCEDES} ([1-3])")
_CONCEDED_SIZES = (phrase("the game"), phrase("a gammon"), phrase("a backgammon"))
_WINS = ("", "", phrase("a gammon"), phrase("a backgammon"))


@dataclass(frozen=True, slots=True)
class Backgammon(MatchState):
    """A position of a match, with the moves that lead to the next."""

    start: ClassVar[Mapping[int, int]] = {24: 2, 13: 5, 8: 3, 6: 5}
    """How many men stand on each point when a game begins, for both sides."""

    def play(self, seat: int, move: str) -> Backgammon:
        if match := _CONCEDED.fullmatch(move):
            return self._concede(seat, int(match[1]))
        return cast("Backgammon", MatchState.play(self, seat, move))

    def _concede(self, seat: int, size: int) -> Backgammon:
        """Return the position after a seat gave up the game, in a record of another program."""
        if self.outcome or seat not in (0, 1) or (self.options["jacoby"] and self.cube == 1 < size):
            raise IllegalMove(phrase("such a game cannot be given up"))
        reason = phrase(
            "{colour} concedes {conceded_size}",
            colour=self.seat_name(seat),
            conceded_size=_CONCEDED_SIZES[size - 1],
        )
        after = replace(self, turn=self.turn + 1)
        return after._end_game(1 - seat, size, (), reason, is_said=True)

    def duty(self, seat: int) -> str:
        """Return that a man of the seat is on the bar."""
        is_entering = self.phase == PLAY and count_at(self.men[self.side], BAR)
        return phrase("your man on the bar must enter first") if is_entering else ""

    def apply(self, seat: int, move: str) -> Backgammon:
        if move in self.plays():
            return self._after_play(move, self.plays()[move])
        if move not in self.legal_moves(seat):
            raise self._refusal(move, seat)
        if move == ASK:
            return replace(self, auto=_with(self.auto, seat, False), news=())
        if move == AUTO:
            return replace(self, auto=_with(self.auto, seat, True), phase=ROLL, news=())
        if move == ROLLS:
            return replace(self, phase=ROLL, news=())
        if move == DOUBLE:
            return replace(self, phase=DOUBLED, turn=self.turn + 1, news=())
        if move == TAKE:
            return replace(
                self, phase=ROLL, cube=2 * self.cube, owner=seat, turn=self.turn + 1, news=()
            )
        return replace(self, turn=self.turn + 1)._end_game(
            self.side, 1, (), phrase("{colour} drops the cube", colour=self.seat_name(seat))
        )

    def _refusal(self, move: str, seat: int) -> MoveError:
        """Return why a move that is not legal is refused."""
        try:
            canonical = self.parse(move, seat)[0]
        except MoveError as error:
            return error
        return InvalidMove(
            phrase("{move} is written {canonical}", move=quoted(move), canonical=canonical)
        )

    def answer(self, outcome: str) -> Backgammon:
        die = int(outcome)
        rolled = self.complete_roll(die)
        if rolled is not None:
            side, dice = rolled
            begins = (
                (phrase("{colour} begins", colour=self.seat_name(side)),)
                if self.phase == OPENING
                else ()
            )
            return replace(self, phase=PLAY, side=side, dice=dice, news=begins)._play_if_forced()
        if not self.dice:
            return replace(self, dice=(die,), news=())
        return replace(self, dice=(), news=(phrase("both rolled {die} and roll again", die=die),))

    def _play_if_forced(self) -> Backgammon:
        """Return the position with its roll to be played; if there is no choice, the position after
        that."""
        results = self.results()
        if len(results) > 1:
            return self
        colour, dice = self.seat_name(self.side), dice_text(self.dice)
        for text, result in self.plays().items():
            forced = phrase(
                "{colour} rolled {dice} and has one play only: {play}",
                colour=colour,
                dice=dice,
                play=text,
            )
            return self._after_play(text, result, (*self.news, forced))
        stuck = phrase("{colour} rolled {dice} and cannot move", colour=colour, dice=dice)
        return replace(
            self,
            last=(self.side, dice, ""),
            news=(*self.news, stuck),
        )._pass_turn()

    def _after_play(self, text: str, result: Result, news: tuple[str, ...] = ()) -> Backgammon:
        own, other = result
        side = self.side
        after = replace(
            self,
            men=(own, other) if side == 0 else (other, own),
            last=(side, dice_text(self.dice), text),
            news=news,
        )
        if own >> 4:
            return after._pass_turn()
        after = replace(after, dice=(), turn=self.turn + 1)
        return after._end_game(
            side,
            after._win_size(),
            news,
            phrase("{colour} has borne off all men", colour=self.seat_name(side)),
        )

    def _win_size(self) -> int:
        """Return the points that the side to move has won: 1, 2 for a gammon, 3 for a
        backgammon."""
        men = self.men[1 - self.side]
        if count_at(men, OFF) or (self.options["jacoby"] and self.cube == 1):
            return 1
        return 3 if men >> 4 * 19 else 2

    def _pass_turn(self) -> Backgammon:
        """Return the position after a turn, keeping its news: the other side may double, or the
        dice are rolled."""
        side = 1 - self.side
        may_double = self.may_double(side) and not self.auto[side]
        return replace(
            self, side=side, phase=CUBE if may_double else ROLL, dice=(), turn=self.turn + 1
        )

    def _end_game(
        self, side: int, size: int, news: tuple[str, ...], reason: str, *, is_said: bool = False
    ) -> Backgammon:
        """Return the position after a game: the match is over, or the next game begins. `is_said`:
        the reason says already how much was won."""
        won = size * self.cube
        score = _with(self.score, side, self.score[side] + won)
        if size > 1 and not is_said:
            reason = combine("{reason}, {size}", reason=reason, size=_WINS[size])
        if score[side] >= self.points:
            if self.points > 1:
                reason = phrase(
                    "{reason}: the match {score} to {other_score}",
                    reason=reason,
                    score=score[side],
                    other_score=score[1 - side],
                )
            ranks = (1, 2) if side == 0 else (2, 1)
            return replace(self, score=score, outcome=Outcome(ranks, reason), news=news)
        crawford = self.crawford
        if crawford == CRAWFORD:
            crawford = PAST_CRAWFORD
        elif crawford == NO_CRAWFORD and max(score) == self.points - 1:
            crawford = PAST_CRAWFORD if self.options["nocrawford"] else CRAWFORD
        men = pack_men(self.start)
        return type(self)(
            self.options,
            (men, men),
            score=score,
            crawford=crawford,
            round=self.round + 1,
            turn=self.turn,
            news=(
                *news,
                phrase(
                    "{reason}: {counted} for {colour}",
                    reason=reason,
                    counted=_counted(won),
                    colour=self.seat_name(side),
                ),
                self._tell_next(score, is_crawford=crawford == CRAWFORD),
            ),
        )

    def _tell_next(self, score: tuple[int, int], *, is_crawford: bool) -> str:
        begins = phrase(
            "game {number} of the match to {points} begins at {score} to {other_score}",
            number=self.round + 1,
            points=self.points,
            score=score[0],
            other_score=score[1],
        )
        return phrase("{begins}, the Crawford game", begins=begins) if is_crawford else begins

    def resign(self, seat: int) -> Backgammon:
        if self.outcome or seat not in (0, 1):
            raise IllegalMove(phrase("only a player who is still in the game can resign"))
        ranks = (2, 1) if seat == 0 else (1, 2)
        colour = self.seat_name(seat)
        reason = (
            phrase("{colour} resigns the match", colour=colour)
            if self.points > 1
            else phrase("{colour} resigns", colour=colour)
        )
        return replace(self, gone=seat, outcome=Outcome(ranks, reason), news=())

    # Parsing and picture

    def parse(self, text: str, seat: int) -> tuple[str, str]:
        if seat not in self.to_move or seat == CHANCE:
            raise IllegalMove(self._not_on_the_move(seat))
        return parse_turn(self, text, seat)

    def describe(self, seat: int, move: str, viewer: int | None = None) -> str:
        if seat != CHANCE:
            return move
        if self.phase == OPENING:
            return tell_roll(self.seat_name(len(self.dice)), move)
        return tell_roll(self.seat_name(self.side), move)

    def picture(self, viewer: int | None = None, last: Sequence[str] = ()) -> Picture:
        return draw_match(self, viewer if viewer in (0, 1) else 0)

    def scene(self, viewer: int | None = None, last: Sequence[str] = ()) -> Scene:
        return build_scene(self, viewer if viewer in (0, 1) else 0)

    def notes(self, viewer: int | None = None) -> tuple[str, ...]:
        return tuple(
            phrase(
                "{colour} rolls without being asked about doubling.",
                colour=Sentence(Phrase(colour)),
            )
            for colour, is_automatic in zip(COLOURS, self.auto, strict=True)
            if is_automatic and not self.outcome
        )

    def steps(self, seat: int, move: str) -> tuple[str, ...]:
        """Return each man's way from place to place, the rearmost man first."""
        ways, _ = read_ways(move)
        return tuple(place_name(place) for way in ways for place in way.places * way.times) or (
            move,
        )

    def dump(self) -> list[Any]:
        men, *others = dump_fields(self)
        return [[*map(to_text, men)], *others]

    @classmethod
    def load(cls, options: Mapping[str, Value], data: list[Any]) -> Backgammon:
        """Return the position that `dump` wrote."""
        men, *others = data
        return load_fields(cls, options, [[*map(from_text, men)], *others])


def _with(pair: tuple[Any, Any], seat: int, value: Any) -> tuple[Any, Any]:
    return (value, pair[1]) if seat == 0 else (pair[0], value)


def _counted(points: int) -> str:
    return phrase_number("{count} point", "{count} points", points)


_SAID = {TAKE: mat.TAKES, DROP: mat.DROPS}


def record(position: Backgammon, played: Played, variation: str) -> str:
    """Return the record of a match that began with `position`; programs call the game
    `variation`."""
    heads, options, names = played.headers, played.options, position.seat_names
    players = (heads.get("White", names[0]), heads.get("Black", names[1]))
    legs = [mat.Leg((0, 0))]
    for seat, move in played.moves:
        legs[-1].turns += _turns(position, seat, move)
        after = position.play(seat, move)
        if after.score != position.score:
            winner = 0 if after.score[0] > position.score[0] else 1
            legs[-1].winner = (winner, after.score[winner] - position.score[winner])
        if after.round != position.round:
            legs.append(mat.Leg(after.score))
        position = after
    headers = [(name, heads[name]) for name in ("Event", "Site") if name in heads]
    headers += [("Player 1", players[0]), ("Player 2", players[1])]
    headers += [("EventDate", heads["Date"])] if "Date" in heads else []
    headers += [("Variation", variation)]
    headers += [("Crawford", "Off" if options["nocrawford"] else "On")]
    headers += [("Jacoby", "On" if options["jacoby"] else "Off")]
    headers += [("CubeLimit", "1")] if options["nocube"] else []
    return mat.match(position.points, players, headers, legs)


def _turns(before: Backgammon, seat: int, move: str) -> list[tuple[int, str]]:
    """Return the record's text for a move, or for a die that left no choice."""
    if seat != CHANCE:
        if move in before.plays():
            return [(seat, mat.turn(before.rolled, move))]
        text = mat.doubles(2 * before.cube) if move == DOUBLE else _SAID.get(move)
        return [(seat, text)] if text else []
    rolled = before.complete_roll(int(move))
    if rolled is None:
        return []
    side, dice = rolled
    possible = find_plays(before.men[side], before.men[1 - side], dice)
    if len(possible) > 1:
        return []
    return [(side, mat.turn(dice, "".join(map(play_text, possible.values()))))]


@dataclass(frozen=True, slots=True)
class Nackgammon(Backgammon):
    """A position of Nackgammon."""

    start: ClassVar[Mapping[int, int]] = {24: 2, 23: 2, 13: 4, 8: 3, 6: 4}


@dataclass(frozen=True, slots=True)
class Hypergammon(Backgammon):
    """A position of Hypergammon."""

    start: ClassVar[Mapping[int, int]] = {24: 1, 23: 1, 22: 1}


class BackgammonGame(Game):
    """One of the three games."""

    record_format: ClassVar[str] = "mat"
    position: ClassVar[type[Backgammon]]
    variation: ClassVar[str]
    """What other programs call the game in their records."""

    def start(self, players: int, options: Mapping[str, Value]) -> Backgammon:
        if options["jacoby"] and options["nocube"]:
            raise OptionError(
                phrase(
                    "{option} and {other_option} exclude each other: no gammon would ever count",
                    option=make_phrase("-jacoby"),
                    other_option=make_phrase("-nocube"),
                )
            )
        men = pack_men(self.position.start)
        return self.position(options, (men, men))

    def load(self, players: int, options: Mapping[str, Value], data: list[Any]) -> Backgammon:
        return self.position.load(options, data)

    def record(self, played: Played) -> str:
        return record(self.start(2, played.options), played, self.variation)

    def read_record(self, text: str) -> Played:
        match = read_match(text)
        start = sgf.settle_options(self, read_options(match))
        return replay_match(self.start(2, start.options), match)

    def is_recorded(self, tags: Mapping[str, str]) -> bool:
        if "GM" in tags:
            return tags["GM"] == "6" and self.variation == "Backgammon"
        return tags.get("Variation", "").lower() == self.variation.lower()


_OPTIONS = (
    Option("points", "int", "the points that win the match", default=1, low=1, high=25),
    Option("nocube", "flag", "a match without the doubling cube"),
    Option("nocrawford", "flag", "a match without the Crawford game"),
    Option("jacoby", "flag", "gammons count only once the cube has been turned"),
)
_AS_BACKGAMMON = "\nEverything else is as in Backgammon."


def _info(
    title: str, summary: str, aim: str, men: str, examples: tuple[str, ...], *aliases: str
) -> GameInfo:
    page = read_help(__name__).format(
        title=title.upper(),
        aim=aim,
        men=men,
        rest="" if title == "Backgammon" else _AS_BACKGAMMON,
        examples="".join(f"  > {example}\n" for example in examples),
        ask=examples[1],
    )
    return GameInfo(
        name=title.lower(),
        title=title,
        version=1,
        players=range(2, 3),
        seats={2: COLOURS},
        summary=summary,
        help=page,
        aliases=aliases,
        options=_OPTIONS,
        features=frozenset({"chance", "turned"}),
        family="race",
        is_decisive=True,
    )


class Usual(BackgammonGame):
    """Backgammon."""

    position = Backgammon
    variation = "Backgammon"
    info = _info(
        "Backgammon",
        "race your men home by dice; hit, block and double",
        "Bring all your men home and bear them off before your opponent does.",
        "two men on 24,\nfive on 13, three on 8 and five on 6",
        ("13/10(2) 8/5(2)", "24/18/13", "13/7 8/7"),
        "bg",
    )


class Nack(BackgammonGame):
    """Nackgammon, as Nack Ballard invented it."""

    position = Nackgammon
    variation = "NackGammon"
    info = _info(
        "Nackgammon",
        "backgammon with four men back at the start",
        "Backgammon from another start: bring all your men home and bear them off.",
        "two men on 24,\ntwo on 23, four on 13, three on 8 and four on 6",
        ("13/10(2) 8/5(2)", "24/18 13/11", "8/5, 6/5"),
    )


class Hyper(BackgammonGame):
    """Hypergammon."""

    position = Hypergammon
    variation = "HyperGammon"
    info = _info(
        "Hypergammon",
        "backgammon with three men, fast and sharp",
        "Backgammon with three men: bring them home and bear them off.",
        "one man on 24,\none on 23 and one on 22",
        ("24-20, 22-21", "24/18/13", "bar/22"),
    )


Backgammon.game = Usual()
Nackgammon.game = Nack()
Hypergammon.game = Hyper()
GAMES = (Backgammon.game, Nackgammon.game, Hypergammon.game)
