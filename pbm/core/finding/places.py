"""One place of a board in words: `show 17 d4`, `show 17 row 4`."""

from __future__ import annotations

from collections.abc import Sequence

from pbm.core.kernel.boards.board import Board
from pbm.core.kernel.boards.view import address_to_seat
from pbm.core.kernel.language.call import Call
from pbm.core.kernel.language.titles import find_title
from pbm.core.kernel.notices.boards import PlaceShown
from pbm.core.kernel.notices.notice import Notice
from pbm.core.kernel.refusal import Refusal, RefusalCode
from pbm.rules.drawing.scene import Region
from pbm.rules.drawing.surroundings import describe_surroundings, find_places
from pbm.rules.phrases import Listing, phrase

_MOST = 10


def has_places(board: Board, words: Sequence[str]) -> bool:
    """Whether all the words name places or lines of the board."""
    return find_places(board.shown.scene(None), words) is not None


def show_places(call: Call, board: Board, viewer: int | None, words: Sequence[str]) -> list[Notice]:
    """Say what stands on the places named, and around them, as that viewer may see it."""
    name = board.game.info.name
    scene = board.shown.scene(viewer)
    which = find_places(scene, words)
    if which is None:
        examples = [place.name for place in scene.places[:1]]
        examples += [f"{region.kind} {region.name}" for region in scene.regions[:1]]
        raise Refusal(
            RefusalCode.BAD_ARGUMENT,
            phrase(
                "{game} has no such place; places are named like {examples}",
                game=find_title(board.game.info.name),
                examples=Listing(examples, "or"),
            )
            if examples
            else phrase("{game} has no such place", game=find_title(board.game.info.name)),
            *(f"{name} show {board.id} {example}" for example in examples),
            board=board.id,
        )
    lines = [
        sentence
        for each in which[:_MOST]
        for sentence in describe_surroundings(scene, board.shown.colours, each)
    ]
    names = [
        f"{each.kind} {each.name}" if isinstance(each, Region) else each.name for each in which
    ]
    content = PlaceShown(game=name, board=board.id, places=", ".join(names[:_MOST]), lines=lines)
    return [address_to_seat(call, board, call.answer(content))]
