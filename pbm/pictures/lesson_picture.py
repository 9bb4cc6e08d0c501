"""Draws what explains a game on its page: the first position, and the lessons."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache

from pbm.locale import ENGLISH
from pbm.locale.scenes import translate_scene
from pbm.rules import Game
from pbm.rules.drawing.svg import draw_svg
from pbm.rules.examples import begin
from pbm.rules.lessons import build_lesson_scene, play_lesson


@lru_cache(maxsize=64)
def draw_lesson(
    game: Game, number: int, *, dark: bool | None = None, language: str = ENGLISH
) -> str:
    """Return one of a game's lessons as SVG, counted from 1, or (0) its first position; "" where
    there is none."""
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
    return draw_svg(translate_scene(scene, language), colours, dark=dark)


def describe_lesson(game: Game, number: int) -> str:
    """Return what such a picture shows, in words, for who does not see it; "" where its caption
    says all."""
    if not number:
        return begin(game).words()
    lesson = game.list_lessons()[number - 1]
    if lesson.scene is not None or lesson.area:
        return ""
    return play_lesson(game, lesson).words(None, tuple(lesson.moves[-1:]))
