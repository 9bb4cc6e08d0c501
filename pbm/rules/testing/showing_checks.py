"""The conformance suite: the scene shows what the text shows, marks lie where something happened,
and news is of the last move alone."""

from __future__ import annotations

import random
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import replace

from pbm.rules.chance import CHANCE, CHANCE_TO_MOVE
from pbm.rules.drawing.scene import Piece, Scene, find_told
from pbm.rules.drawing.svg.piece_shapes import shape_of
from pbm.rules.errors import MoveError
from pbm.rules.game import Position
from pbm.rules.testing.nonconforming import require
from pbm.rules.testing.topics import NEWS, PICTURE, SCENE

_WHOLE = ("tile", "fog", "unseen", "hole")
"""Kinds that fill their places and are drawn in another way than by a shape."""
_LASTING = 6
"""The number of times in a row after which repeated news counts as left over."""


def check_signs(position: Position, viewer: int | None) -> None:
    """Check that pieces which look alike in a picture have the same sign in the text, and that
    those of different seats have different ones, unless these are of one colour: partners' or on
    boards of their own."""
    scene, colours = position.scene(viewer), position.colours
    signs, owners = dict[object, tuple[str, Piece]](), dict[str, Piece]()
    for piece in scene.pieces:
        if piece.kind in _WHOLE or piece.body or piece.centre:
            continue
        sign = position.sign(piece)
        other_sign, other = signs.setdefault(_look(piece, scene), (sign, piece))
        what = (
            f"the scene shows what the text shows: {other.place} and {piece.place} are "
            f"{other_sign!r} and {sign!r} in the text and look alike in pictures; "
            "`Piece(label=...)` writes a number or letters on them"
        )
        require(sign == other_sign, what, SCENE)
        owner = owners.setdefault(sign, piece)
        what = (
            f"the text tells pieces apart: {owner.place} and {piece.place} belong to different "
            f"seats and `sign` writes {sign!r} for both"
        )
        is_one = owner.seat == piece.seat or type(position).sign is Position.sign
        if owner.seat is not None and piece.seat is not None:
            is_one |= colours[owner.seat] == colours[piece.seat]
        require(is_one or not sign.strip(), what, PICTURE)


def _look(piece: Piece, scene: Scene) -> tuple[object, ...]:
    """Return all that a picture shows of a piece."""
    drawn = shape_of(replace(piece, place=""), 10.0, scene.style, has_emblem=True)
    return drawn, piece.seat, piece.count, piece.turned, piece.height, piece.shape


def check_transposed(position: Position, rng: random.Random) -> None:
    """Check that two orders of the same moves have different texts only where the scenes differ,
    too."""
    one = other = position
    moves = list[tuple[int, str]]()
    for _ in range(3):
        if not one.to_move or one.to_move == CHANCE_TO_MOVE:
            return
        seat = min(one.to_move)
        legal = one.legal_moves(seat)
        if not legal:
            return
        moves.append((seat, rng.choice(legal)))
        one = one.play(*moves[-1])
    try:
        for seat, move in reversed(moves):
            other = other.play(seat, move)
    except MoveError:
        return
    if one.to_move != other.to_move or one.outcome != other.outcome or one.turn != other.turn:
        return
    played = ", ".join(move for _, move in moves)
    what = (
        f"the scene shows what the text shows: after {played} and after the same in the opposite "
        "order the texts differ and the scenes are equal"
    )
    is_shown = one.scene() != other.scene() or one.render() == other.render()
    require(is_shown, what, SCENE)


def check_marks(position: Position, seat: int, move: str) -> None:
    """Check that each marked place belongs to the move, was changed by it, or is named in the news:
    a seed may be sown where it is captured at once."""
    after = position.play(seat, move)
    scene, plain = after.scene(seat, (move,)), after.scene(seat)
    names = {place.name for place in scene.places}
    places = names & {*position.steps(seat, move)}
    marked = {name for one in {*scene.marks} - {*plain.marks} for name in one.places}
    if not places or not marked:
        return
    changed = _find_changed(position.scene(seat), plain)
    wrong = sorted(marked - places - changed - find_told(after.news))
    what = f"the marks of the last move {move!r} are on places of that move; {wrong[:1]} is none"
    require(not wrong, what, SCENE)


def _find_changed(before: Scene, after: Scene) -> set[str]:
    """Find the places on which something else stands."""
    there, here = _stand(before), _stand(after)
    return {name for name in there.keys() | here.keys() if there[name] != here[name]}


def _stand(scene: Scene) -> dict[str, list[Piece]]:
    standing = defaultdict[str, list[Piece]](list)
    for piece in scene.pieces:
        standing[piece.place].append(piece)
    return standing


def find_owners(scene: Scene) -> Iterator[int]:
    """Find the seats of which a scene shows something."""
    for group in (scene.pieces, scene.strokes, scene.panels, scene.marks):
        yield from (one.seat for one in group if one.seat is not None)
    for panel in scene.panels:
        yield from (entry.seat for entry in panel.entries if entry.seat is not None)


class NewsWatch:
    """The news of random games, move by move."""

    def __init__(self) -> None:
        self._repeated = Counter[bool]()

    def check(self, before: Position, seat: int, move: str, after: Position) -> None:
        """Check that news tells what this move brought: not the move, not the news before it."""
        said = {move, before.describe(seat, move)}
        for sentence in after.news:
            what = f"news is what happened by itself, not the move that the mail tells: {sentence}"
            require(sentence not in said or seat == CHANCE, what, NEWS)
            what = f"a sentence of the news has no full stop, which the mail adds: {sentence}"
            require(not sentence.endswith("."), what, NEWS)
        if not before.news:
            return
        kept = [sentence for sentence in before.news if sentence in after.news]
        if kept:
            stored = before.game.decode(before.encode())
            fresh = stored.play(seat, move).news
            what = f"news is of the last move alone; the move before had said: {kept[0]}"
            require(fresh == after.news, what, NEWS)
            self._repeated[True] += 1
            is_left = self._repeated[True] >= _LASTING and not self._repeated[False]
            require(not is_left, what, NEWS)
        else:
            self._repeated[False] += 1


def name_missing(names: Sequence[str], seats: set[int]) -> str:
    """Name the seats that are not among these."""
    return " and ".join(name for seat, name in enumerate(names) if seat not in seats)
