"""The words of a board in the language of whoever looks at it: those beside a picture."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from pbm.locale import ENGLISH, translate
from pbm.rules.drawing.scene import Panel, Scene
from pbm.rules.drawing.sentences import name_places


def translate_scene(scene: Scene, language: str) -> Scene:
    """Return a scene with its labels and panels in a language."""
    if language == ENGLISH:
        return scene
    labels = tuple(replace(each, text=translate(each.text, language)) for each in scene.labels)
    panels = tuple(_translate_panel(each, language) for each in scene.panels)
    return replace(scene, labels=labels, panels=panels)


def _translate_panel(panel: Panel, language: str) -> Panel:
    entries = tuple(
        replace(each, text=translate(each.text, language), short=translate(each.short, language))
        for each in panel.entries
    )
    return replace(panel, title=translate(panel.title, language), entries=entries)


def name_links(
    scene: Scene, colours: Sequence[str], places: Iterable[str], language: str
) -> dict[str, str]:
    """Return the names of places in a language, for readers who cannot see what stands there."""
    named = name_places(scene, colours, places)
    return {place: translate(name, language) for place, name in named.items()}
