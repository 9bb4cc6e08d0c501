"""Draughts by the rules of four federations: English, International, Russian and Turkish.

Rules: docs/rules/draughts.md. The engine is in `pbm.rules.families.draughts_family`."""

from __future__ import annotations

from dataclasses import dataclass

from pbm.rules import GameInfo
from pbm.rules.drawing.scene_text import NUMBERED
from pbm.rules.families.draughts_family import DraughtsGame, DraughtsPosition, Endings, Force
from pbm.rules.families.draughts_moves import GOES_ON, STOPS, DraughtsRules
from pbm.rules.families.two_player import TWO
from pbm.rules.help_page import read_help


def against_a_king(one: Force, other: Force) -> int:
    """Return the pieces with a king among them that stand against a lone king; 0 for other
    endgames."""
    for force, lone in ((one, other), (other, one)):
        if lone == (0, 1) and force[1]:
            return sum(force)
    return 0


def few_international(one: Force, other: Force) -> int:
    """Return the moves that FMJD, annex 1, allows for few pieces: three pieces against a king 16
    moves each, two or one 5."""
    return {1: 10, 2: 10, 3: 32}.get(against_a_king(one, other), 0)


def few_russian(one: Force, other: Force) -> int:
    """Return the moves that Draughts-64, 7.2, allows for few pieces: three or more kings against
    one 15 moves each, two pieces or one 5; with kings on both sides four or five pieces 30, six or
    seven 60."""
    pieces = against_a_king(one, other)
    if pieces in (1, 2):
        return 10
    if pieces and (one[0], other[0]) == (0, 0):
        return 30
    if not one[1] or not other[1]:
        return 0
    return {4: 60, 5: 60, 6: 120, 7: 120}.get(sum(one) + sum(other), 0)


def few_turkish(one: Force, other: Force) -> int:
    """Return one piece each: two moves each."""
    return 4 if sum(one) == sum(other) == 1 else 0


@dataclass(frozen=True, slots=True)
class English(DraughtsPosition):
    """A position of the English game."""

    layout = NUMBERED
    rules = DraughtsRules(numbers=True, downward=True, flying=False, crowning=STOPS)
    endings = Endings(idle=160, claim=80)


@dataclass(frozen=True, slots=True)
class International(DraughtsPosition):
    """A position of the game on a hundred squares."""

    layout = NUMBERED
    rules = DraughtsRules(size=10, rows=4, numbers=True, backward=True, most=True)
    endings = Endings(idle=50, few=few_international, kept=True)


@dataclass(frozen=True, slots=True)
class Russian(DraughtsPosition):
    """A position of the Russian game."""

    rules = DraughtsRules(cross=":", backward=True, crowning=GOES_ON)
    endings = Endings(idle=30, few=few_russian)


@dataclass(frozen=True, slots=True)
class Turkish(DraughtsPosition):
    """A position of the Turkish game."""

    rules = DraughtsRules(rows=2, behind=1, straight=True, most=True, at_once=True)
    endings = Endings(idle=100, few=few_turkish)


class EnglishGame(DraughtsGame):
    """English draughts or checkers."""

    position = English
    kind = "21,B,8,8,N1,0"
    info = GameInfo(
        name="draughts",
        title="English Draughts",
        version=1,
        players=TWO,
        seats={2: ("black", "white")},
        summary="checkers: jump over opposing men, on 64 squares",
        help=read_help(__name__, "english.txt"),
        aliases=("checkers", "englishdraughts"),
        family="capture",
    )


class InternationalGame(DraughtsGame):
    """International draughts."""

    position = International
    kind = "20,W,10,10,N2,0"
    info = GameInfo(
        name="internationaldraughts",
        title="International Draughts",
        version=1,
        players=TWO,
        seats={2: ("white", "black")},
        summary="100 squares: flying kings, capture the most",
        help=read_help(__name__, "international.txt"),
        aliases=("draughts100", "dammen", "polishdraughts"),
        family="capture",
        length="long",
    )


class RussianGame(DraughtsGame):
    """Russian draughts."""

    position = Russian
    kind = "25,W,8,8,A0,0"
    info = GameInfo(
        name="russiandraughts",
        title="Russian Draughts",
        version=1,
        players=TWO,
        seats={2: ("white", "black")},
        summary="shashki: flying kings, men capture backward too",
        help=read_help(__name__, "russian.txt"),
        aliases=("shashki", "draughts64"),
        family="capture",
        length="long",
    )


class TurkishGame(DraughtsGame):
    """Turkish draughts."""

    position = Turkish
    kind = "30,W,8,8,A0,0"
    info = GameInfo(
        name="turkishdraughts",
        title="Turkish Draughts",
        version=1,
        players=TWO,
        seats={2: ("white", "black")},
        summary="dama: along rows and columns, capture the most",
        help=read_help(__name__, "turkish.txt"),
        aliases=("dama",),
        family="capture",
        length="long",
    )


English.game = EnglishGame()
International.game = InternationalGame()
Russian.game = RussianGame()
Turkish.game = TurkishGame()
GAMES = (English.game, International.game, Russian.game, Turkish.game)
