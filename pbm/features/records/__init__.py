"""Records of boards, exported and imported."""

from __future__ import annotations

from pbm.core.feature import Feature, Group, Verb
from pbm.core.proofs import Act
from pbm.features.records import record

_VERBS = (
    Verb(
        "export",
        ("board",),
        record.export,
        "the record of a board, for programs",
        Act.LOOK,
        Group.BOARDS,
        meant_by=("record", "pgn", "sgf"),
    ),
)

FEATURE = Feature(
    __package__,
    verbs=_VERBS,
)
