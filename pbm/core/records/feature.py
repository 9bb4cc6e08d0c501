"""Records of boards, exported and imported."""

from __future__ import annotations

from pbm.core.kernel.feature import Feature
from pbm.core.kernel.language.verb import Group, Verb
from pbm.core.kernel.proofs import Act

_VERBS = (
    Verb(
        "export",
        ("board",),
        "exports:export",
        "the record of a board, for programs",
        Act.LOOK,
        Group.BOARDS,
        game="yes",
        is_read_only=True,
        meant_by=("record", "pgn", "sgf"),
    ),
)

FEATURE = Feature(
    __package__,
    verbs=_VERBS,
)
