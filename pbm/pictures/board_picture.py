"""Draws boards as SVG as their readers may see them, and what explains a game on its page: the
first position and the lessons."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache

from pbm.core.notices import Drawing
from pbm.locale import ENGLISH, translate
from pbm.locale.scenes import translate_scene
from pbm.rules import Game
from pbm.rules.drawing.svg import draw_svg
from pbm.rules.examples import begin
from pbm.rules.lessons import build_lesson_scene, play_lesson


def draw_board(
    drawing: Drawing,
    *,
    dark: bool | None = None,
    has_sheet: bool = True,
    described: bool = False,
    language: str = ENGLISH,
) -> str:
    """Return the board as SVG, as its reader may see it, in a language; "" if the game has no
    scene. Unless it `has_sheet`, the page is seen behind it. `described`: with its title and words,
    for whoever cannot see it."""
    appearance = drawing.appearance
    scene = appearance.scene()
    if not scene.places:
        return ""
    return draw_svg(
        translate_scene(scene, language),
        drawing.colours,
        title=translate(drawing.title, language) if described else "",
        description=translate(appearance.words(), language) if described else "",
        dark=dark,
        has_sheet=has_sheet,
        is_turned=appearance.is_turned,
    )


@lru_cache(maxsize=64)
def draw_lesson(
    game: Game,
    number: int,
    *,
    dark: bool | None = None,
    has_sheet: bool = True,
    language: str = ENGLISH,
) -> str:
    """Return one of a game's lessons as SVG, counted from 1, or (0) its first position; "" where
    there is none. Unless it `has_sheet`, the page is seen behind it."""
    lessons = game.list_lessons()
    if not 0 <= number <= len(lessons):
        return ""
    if number:
        lesson = lessons[number - 1]
        scene = build_lesson_scene(game, lesson)
        colours = game.setup(lesson.players, lesson.options).colours
    else:
        position = begin(game)
        scene, colours = replace(position.scene(), panels=()), position.colours
    if not scene.places:
        return ""
    return draw_svg(translate_scene(scene, language), colours, dark=dark, has_sheet=has_sheet)


def describe_lesson(game: Game, number: int) -> str:
    """Return what a picture of a lesson shows, in words, for readers who do not see it; "" where
    its caption says all."""
    if not number:
        return begin(game).words()
    lesson = game.list_lessons()[number - 1]
    if lesson.scene is not None or lesson.area:
        return ""
    return play_lesson(game, lesson).words(None, tuple(lesson.moves[-1:]))
