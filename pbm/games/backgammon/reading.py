"""Reads matches of other programs, in MAT and in SGF, and replays them.

What these do not keep is added: that a player who did not double rolled, and the dice of an opening
in the order in which the two threw them. Equal dice of an opening are in no such record."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from typing import cast

from pbm.games.backgammon.men import BAR, count_at, read_ways
from pbm.games.backgammon.state import (
    COLOURS,
    CONCEDES,
    CUBE,
    DOUBLE,
    DOUBLED,
    DROP,
    OPENING,
    PLAY,
    ROLLS,
    TAKE,
    MatchState,
    dice_text,
)
from pbm.rules import CHANCE, MoveError, Played, RecordError, Value
from pbm.rules.formats import mat, sgf
from pbm.rules.phrases import phrase
from pbm.rules.typed import quoted

_ROLL = re.compile(r"([1-6])([1-6]): (.*)", re.DOTALL)
_CUBE = re.compile(r" Doubles => ([0-9]+)")
_BAR = re.compile(r"(?<![0-9/])25(?=/)")
_OFF = re.compile(r"/0(?![0-9])")
_TURN = re.compile(r"([1-6])([1-6])((?:[a-z]{2})*)")
_RESULT = re.compile(r"([BW])\+([0-9]{1,4})R?", re.IGNORECASE)
_WORDS = {"double": "", "take": mat.TAKES, "drop": mat.DROPS}
_TAGS = {"EventDate": "Date", "Event": "Event", "Site": "Site"}


def read_match(text: str) -> mat.MatMatch:
    """Return the match in a text, MAT or SGF."""
    return _read_sgf(text) if sgf.looks_like_record(text) else mat.read(text)


def read_options(match: mat.MatMatch) -> dict[str, Value]:
    """Return how a match is played. RecordError for a session without end."""
    if not match.points:
        raise RecordError(phrase("it is a session for money: a match here is to 1 to 25 points"))
    headers = {name.lower(): value.lower() for name, value in match.headers.items()}
    return {
        "points": match.points,
        "nocrawford": headers.get("crawford") == "off",
        "jacoby": headers.get("jacoby") in ("on", "true") and match.points > 1,
        "nocube": headers.get("cubelimit") == "1",
    }


def replay_match(start: MatchState, match: mat.MatMatch) -> Played:
    """Return the match, replayed. RecordError, with game and row, for what cannot have been
    played."""
    replay = _Replay(start)
    for number, leg in enumerate(match.legs, 1):
        replay.play(number, leg, is_last=number == len(match.legs))
    headers = {_TAGS[name]: value for name, value in match.headers.items() if name in _TAGS}
    headers |= dict(zip(("White", "Black"), match.names, strict=True))
    outcome = replay.position.outcome
    return Played(2, start.options, replay.moves, outcome, headers)


class _Replay:
    """A match being replayed: its position, its moves with the answers of chance."""

    def __init__(self, start: MatchState) -> None:
        self.position = start
        self.moves = list[tuple[int, str]]()

    def play(self, number: int, leg: mat.Leg, *, is_last: bool) -> None:
        """Play a game of the match."""
        place = f"game {number}"
        if self.position.outcome is not None:
            raise RecordError(
                phrase(
                    "{place} comes when the match is over: {reason}",
                    place=place,
                    reason=self.position.outcome.reason,
                )
            )
        before = self.position
        if leg.score != before.score:
            raise RecordError(
                phrase(
                    "{place} begins at {score} to {other_score}, but after the games before the "
                    "score is {own} to {other}",
                    place=place,
                    score=leg.score[0],
                    other_score=leg.score[1],
                    own=before.score[0],
                    other=before.score[1],
                )
            )
        row = 0
        for at, (seat, text) in enumerate(leg.turns):
            row += seat == 0 or not at
            self._turn(seat, text, f"{place}, {COLOURS[seat]}'s move {row}", number)
        if self.position.round == number and self.position.outcome is None:
            self._concede(leg, place, is_last=is_last)
        won = tuple(
            after - had for after, had in zip(self.position.score, before.score, strict=True)
        )
        if leg.winner is not None and won[leg.winner[0]] != leg.winner[1]:
            seat, points = leg.winner
            raise RecordError(
                phrase(
                    "{place}: the record says that {colour} wins {points}, but by the moves white "
                    "wins {won} and black {other_won}",
                    place=place,
                    colour=COLOURS[seat],
                    points=points,
                    won=won[0],
                    other_won=won[1],
                )
            )

    def _concede(self, leg: mat.Leg, place: str, *, is_last: bool) -> None:
        """End a game that was given up: the record names its winner, and the board shows none."""
        if leg.winner is None:
            if is_last:
                return
            raise RecordError(
                phrase("{place} has no end: a line such as Wins 1 point is missing", place=place)
            )
        seat, points = leg.winner
        size = points // self.position.cube
        if points != size * self.position.cube or not 1 <= size <= 3:
            raise RecordError(
                phrase(
                    "{place}: {colour} wins {points}, which is not 1, 2 or 3 times the "
                    "cube, {cube}",
                    place=place,
                    colour=COLOURS[seat],
                    points=points,
                    cube=self.position.cube,
                )
            )
        self._move(1 - seat, f"{CONCEDES} {size}", place)

    def _move(self, seat: int, move: str, place: str) -> None:
        try:
            self.position = cast("MatchState", self.position.play(seat, move))
        except MoveError as error:
            raise sgf.refuse_move(place, move, error) from None
        self.moves.append((seat, move))

    def _turn(self, seat: int, text: str, place: str, number: int) -> None:
        """Play a turn: a roll, or a word about the cube."""
        said = quoted(text.strip())
        if self.position.round != number or self.position.outcome is not None:
            raise RecordError(
                phrase("{place}: {said} comes when the game is over", place=place, said=said)
            )
        position = self.position
        on_move = 1 - position.side if position.phase == DOUBLED else position.side
        if on_move != seat and position.phase != OPENING:
            raise RecordError(
                phrase(
                    "{place}: {said} comes when it is {colour}'s turn",
                    place=place,
                    said=said,
                    colour=COLOURS[on_move],
                )
            )
        if roll := _ROLL.fullmatch(text):
            if position.phase == DOUBLED:
                raise RecordError(
                    phrase(
                        "{place}: {said} is no answer to a double: Takes or Drops is",
                        place=place,
                        said=said,
                    )
                )
            self._roll(seat, (int(roll[1]), int(roll[2])), roll[3], place)
        elif cube := _CUBE.fullmatch(text):
            if position.phase != CUBE:
                raise RecordError(
                    phrase(
                        "{place}: {said} comes when {colour} may not double, or could not gain "
                        "by it",
                        place=place,
                        said=said,
                        colour=COLOURS[seat],
                    )
                )
            if int(cube[1]) != 2 * position.cube:
                raise RecordError(
                    phrase(
                        "{place}: {said}, but the cube shows {cube}",
                        place=place,
                        said=said,
                        cube=position.cube,
                    )
                )
            self._move(seat, DOUBLE, place)
        elif position.phase != DOUBLED:
            raise RecordError(
                phrase("{place}: {said} comes when nobody has doubled", place=place, said=said)
            )
        else:
            self._move(seat, TAKE if text == mat.TAKES else DROP, place)

    def _roll(self, seat: int, dice: tuple[int, int], text: str, place: str) -> None:
        """Roll, and play the roll unless there is no choice."""
        high, low = max(dice), min(dice)
        if self.position.phase == OPENING and high == low:
            raise RecordError(
                phrase(
                    "{place}: nobody begins with equal dice, {dice}",
                    place=place,
                    dice=dice_text(dice),
                )
            )
        if self.position.phase == OPENING:
            dice = (high, low) if seat == 0 else (low, high)
        elif self.position.phase == CUBE:
            self._move(seat, ROLLS, place)
        shown = replace(self.position, phase=PLAY, side=seat, dice=(high, low))
        play = "" if text == "Cannot Move" else _OFF.sub("/off", _BAR.sub("bar", text))
        move = self._find_play(shown, seat, play, place)
        for die in dice:
            self._move(CHANCE, str(die), place)
        if len(shown.results()) > 1:
            self._move(seat, move, place)

    def _find_play(self, shown: MatchState, seat: int, play: str, place: str) -> str:
        """Return the play in our notation, "" where no man can move. RecordError for another
        one."""
        dice, plays = dice_text(shown.dice), shown.plays()
        if not play or not plays:
            if plays:
                raise RecordError(
                    phrase(
                        "{place}: with {dice} a man can move, as in {example}, but the record "
                        "has no play",
                        place=place,
                        dice=dice,
                        example=next(iter(plays)),
                    )
                )
            if play:
                raise RecordError(
                    phrase(
                        "{place}: {play}: with {dice} no man can move",
                        place=place,
                        play=quoted(play),
                        dice=dice,
                    )
                )
            return ""
        try:
            move, left = shown.parse(play, seat)
        except MoveError as error:
            if same := _find_by_men(shown, seat, play):
                return same
            raise sgf.refuse_move(place, play, error) from None
        if left or move not in plays:
            raise RecordError(
                phrase(
                    "{place}: {what} is no play of {dice}; one is {example}",
                    place=place,
                    what=quoted(left or play),
                    dice=dice,
                    example=next(iter(plays)),
                )
            )
        return move


def _find_by_men(shown: MatchState, seat: int, play: str) -> str:
    """Return the one play after which the men stand as after another writing of it, such as 8/2
    2/off with a 6 and a 5 for 8/off; "" for none."""
    ways, end = read_ways(play.lower())
    if end < len(play.rstrip()):
        return ""
    moved = Counter[int]()
    for way in ways:
        moved[way.places[0]] -= way.times
        moved[way.places[-1]] += way.times
    before = _unpack(shown.men[seat])
    wanted = [count + moved[place] for place, count in enumerate(before)]
    fitting = [text for text, (own, _) in shown.plays().items() if _unpack(own) == wanted]
    return fitting[0] if len(fitting) == 1 else ""


def _unpack(men: int) -> list[int]:
    """Return the number of men on each place, from those borne off to the bar."""
    return [count_at(men, place) for place in range(BAR + 1)]


# SGF


def _read_sgf(text: str) -> mat.MatMatch:
    """Return a match in SGF, in which each game is one of the collection and White is the first
    player."""
    match: mat.MatMatch | None = None
    for number, tree in enumerate(sgf.games(text), 1):
        told = _read_told(tree)
        if match is None:
            match = mat.MatMatch(_number(told.get("length", "1"), "MI[length]"))
            match.names = tree.get("PW"), tree.get("PB")
            rules = tree.get("RU").lower()
            match.headers = {"Crawford": "On" if "crawford" in rules else "Off"}
            match.headers |= {"Jacoby": "On"} if "jacoby" in rules else {}
            for name, header in (("DT", "EventDate"), ("EV", "Event"), ("PC", "Site")):
                match.headers |= {header: tree.get(name)} if name in tree.root else {}
        match.legs.append(_read_leg(tree, told, f"game {number}"))
    if match is None:
        raise RecordError(phrase("there is no game in it: a game of SGF begins with (;"))
    if match.points == 1:
        match.headers["Crawford"] = "On"
    return match


def _read_told(tree: sgf.SgfTree) -> Mapping[str, str]:
    """Return the match data in MI: length, game, ws and bs (the scores before it)."""
    pairs = (value.partition(":") for value in tree.root.get("MI", ()))
    return {name.strip(): value.strip() for name, _, value in pairs}


def _number(text: str, what: str) -> int:
    if not re.fullmatch(r"[0-9]{1,4}", text):
        raise RecordError(phrase("{what} {text} is no number", what=what, text=quoted(text)))
    return int(text)


def _read_leg(tree: sgf.SgfTree, told: Mapping[str, str], place: str) -> mat.Leg:
    leg = mat.Leg((_number(told.get("ws", "0"), "MI[ws]"), _number(told.get("bs", "0"), "MI[bs]")))
    if {"AB", "AW", "AE"} & set(tree.root):
        raise RecordError(
            phrase("{place} begins with a position of its own (AB, AW, AE)", place=place)
        )
    cube = 1
    for number, (colour, value) in enumerate(tree.turns, 1):
        seat, turn = int(colour == "B"), _TURN.fullmatch(value.strip().lower())
        if turn:
            pairs = [_read_step(turn[3][at : at + 2], seat) for at in range(0, len(turn[3]), 2)]
            leg.turns.append((seat, mat.turn((int(turn[1]), int(turn[2])), " ".join(pairs))))
        elif (word := value.strip().lower()) in _WORDS:
            cube *= 1 + (word == "double")
            leg.turns.append((seat, _WORDS[word] or mat.doubles(cube)))
        else:
            raise RecordError(
                phrase(
                    "{place}, move {number}: {value} is no turn; one is 31hefe, double, take or "
                    "drop",
                    place=place,
                    number=number,
                    value=quoted(value),
                )
            )
    if result := _RESULT.fullmatch(tree.get("RE")):
        leg.winner = (int(result[1].upper() == "B"), int(result[2]))
    return leg


def _read_step(step: str, seat: int) -> str:
    """Return a man's step in two letters, from a (the first player's point 1) to x, y the bar, z
    off."""
    names = []
    for letter in step:
        place = ord(letter) - ord("a") + 1
        names.append(
            "bar" if letter == "y"
            else "off" if letter == "z"
            else str(place if seat == 0 else 25 - place)
        )  # fmt: skip
    return "/".join(names)
