"""What each key of a section sets: its type, and what it stands for here."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from pbm.rules.chess.variants.rule_set import DRAW, LOSS, NONE, WIN

BOTH = (0, 1)


class Key(NamedTuple):
    """A key that is played.

    kind    the type of its value: flag, number, row, column, region, piece, pieces, result, or the
            words allowed, with bars between them
    names   the attributes of the rules that it sets
    sides   for which sides; () for what does not depend on the side
    """

    kind: str
    names: tuple[str, ...]
    sides: tuple[int, ...] = ()


def _plain(kind: str, **keys: str) -> dict[str, Key]:
    return {key: Key(kind, (name,)) for key, name in keys.items()}


def _sided(kind: str, key: str, *names: str) -> dict[str, Key]:
    """Return a key for both sides, and with White and Black behind it for one."""
    return {
        key: Key(kind, names, BOTH),
        f"{key}White": Key(kind, names, (0,)),
        f"{key}Black": Key(kind, names, (1,)),
    }


RESULT = f"{WIN}|{LOSS}|{DRAW}|{NONE}"
KEYS: Mapping[str, Key] = {
    **_plain("row", maxRank="rows", castlingRank="castling_row"),
    **_plain(
        "column",
        maxFile="columns",
        castlingKingsideFile="castling_right_column",
        castlingQueensideFile="castling_left_column",
        castlingKingFile="castling_king_column",
        castlingRookKingsideFile="castling_rook_right",
        castlingRookQueensideFile="castling_rook_left",
    ),
    "startFen": Key("text", ("start",)),
    # In this order: what comes later wins over what comes before it.
    "promotionRank": Key("zone", ("promotion_region",), BOTH),
    "doubleStepRank": Key("step", ("double_step_region",), BOTH),
    "doubleStepRankMin": Key("step", ("double_step_region",), BOTH),
    "whiteFlag": Key("region", ("flag_region",), (0,)),
    "blackFlag": Key("region", ("flag_region",), (1,)),
    "castlingRookPiece": Key("pieces", ("castling_rooks",), BOTH),
    "whiteDropRegion": Key("region", ("drop_region",), (0,)),
    "blackDropRegion": Key("region", ("drop_region",), (1,)),
    "pawnTypes": Key(
        "pieces", ("main_pawn", "promotion_pawns", "passing_pieces", "idle_pieces"), BOTH
    ),
    "promotionRegionWhite": Key("region", ("promotion_region",), (0,)),
    "promotionRegionBlack": Key("region", ("promotion_region",), (1,)),
    **_sided("pieces", "promotionPawnTypes", "main_pawn", "promotion_pawns"),
    **_sided("pieces", "promotionPieceTypes", "promotion_pieces"),
    **_plain("flag", sittuyinPromotion="sittuyin_promotion"),
    "promotionLimit": Key("limits", ("promotion_limit",)),
    "promotedPieceType": Key("promotions", ("promoted",)),
    **_plain(
        "flag",
        piecePromotionOnCapture="promotion_on_capture",
        mandatoryPawnPromotion="mandatory_pawn_promotion",
        mandatoryPiecePromotion="mandatory_piece_promotion",
        pieceDemotion="demotion",
        blastOnCapture="blast",
    ),
    **_plain("pieces", blastImmuneTypes="blast_immune", mutuallyImmuneTypes="mutually_immune"),
    **_plain("flag", doubleStep="double_step"),
    "doubleStepRegionWhite": Key("region", ("double_step_region",), (0,)),
    "doubleStepRegionBlack": Key("region", ("double_step_region",), (1,)),
    "tripleStepRegionWhite": Key("region", ("triple_step_region",), (0,)),
    "tripleStepRegionBlack": Key("region", ("triple_step_region",), (1,)),
    **_sided("region", "enPassantRegion", "passing_region"),
    **_sided("pieces", "enPassantTypes", "passing_pieces"),
    **_plain("flag", castling="castling", castlingDroppedPiece="castling_dropped"),
    **_sided("piece", "castlingKingPiece", "castling_king"),
    **_sided("pieces", "castlingRookPieces", "castling_rooks"),
    **_plain(
        "flag",
        checking="checking",
        dropChecks="drop_checks",
        mustCapture="must_capture",
        mustDrop="must_drop",
    ),
    **_plain("piece", mustDropType="must_drop_piece"),
    **_plain(
        "flag",
        pieceDrops="drops",
        dropLoop="drop_loop",
        capturesToHand="captures_to_hand",
        twoBoards="two_boards",
        firstRankPawnDrops="first_row_pawn_drops",
        promotionZonePawnDrops="zone_pawn_drops",
        dropOnTop="drop_on_top",
    ),
    "dropRegionWhite": Key("region", ("drop_region",), (0,)),
    "dropRegionBlack": Key("region", ("drop_region",), (1,)),
    **_plain(
        "flag",
        sittuyinRookDrop="sittuyin_rook_drop",
        dropOppositeColoredBishop="opposite_bishops",
        dropPromoted="drop_promoted",
    ),
    **_plain("piece", dropNoDoubled="no_doubled"),
    **_plain("number", dropNoDoubledCount="no_doubled_count"),
    **_plain(
        "flag",
        immobilityIllegal="immobility_illegal",
        gating="gating",
        seirawanGating="seirawan_gating",
        cambodianMoves="cambodian",
    ),
    **_plain("region", diagonalLines="diagonals"),
    **_sided("flag", "pass", "passing_turn"),
    **_sided("flag", "passOnStalemate", "pass_on_stalemate"),
    **_plain("flag", makpongRule="makpong", flyingGeneral="flying_general"),
    **_plain("row", soldierPromotionRank="soldier_row"),
    **_sided("pieces", "nMoveRuleTypes", "idle_pieces"),
    **_plain("number", nMoveRule="idle_moves", nFoldRule="recurring"),
    **_plain(RESULT, nFoldValue="recurring_value", stalemateValue="stalemate"),
    **_plain(
        "flag",
        nFoldValueAbsolute="recurring_absolute",
        perpetualCheckIllegal="perpetual_check",
        stalematePieceCount="stalemate_by_count",
        shogiPawnDropMateIllegal="no_pawn_drop_mate",
        bikjangRule="facing_kings",
        extinctionClaim="extinction_claim",
        extinctionPseudoRoyal="pseudo_royal",
        dupleCheck="duple_check",
    ),
    **_plain(RESULT, checkmateValue="checkmate", extinctionValue="extinction"),
    **_plain("pieces", extinctionPieceTypes="extinction_pieces"),
    **_plain(
        "number",
        extinctionPieceCount="extinction_count",
        extinctionOpponentPieceCount="extinction_opponent_count",
    ),
    **_sided("piece", "flagPiece", "flag_piece"),
    **_sided("region", "flagRegion", "flag_region"),
    **_plain("number", flagPieceCount="flag_count", connectN="connect"),
    **_plain(
        "flag",
        flagPieceBlockedWin="flag_blocked",
        flagMove="flag_move",
        flagPieceSafe="flag_safe",
        checkCounting="check_counting",
        connectHorizontal="connect_rows",
        connectVertical="connect_columns",
        connectDiagonal="connect_diagonals",
        adjudicateFullBoard="full_board",
    ),
    **_plain("pieces", connectPieceTypes="connect_pieces"),
    **_plain(RESULT, connectValue="connect_value"),
    "materialCounting": Key("janggi|unweighted|whitedrawodds|blackdrawodds|none", ("material",)),
    "countingRule": Key("makruk|cambodian|asean|none", ("counting",)),
}
"""The keys that are played, in the order in which they are read."""

UNPLAYED: Mapping[str, tuple[str, ...]] = {
    "chess960": ("false",),
    "petrifyOnCaptureTypes": ("-",),
    "petrifyOnCapture": ("false",),
    "petrifyBlastPieces": ("false",),
    "oppositeCastling": ("false",),
    "enclosingDrop": ("none",),
    "enclosingDropStart": ("-",),
    "flipEnclosedPieces": ("none",),
    "wallingRule": ("none",),
    "wallingRegion": ("-",),
    "wallingRegionWhite": ("-",),
    "wallingRegionBlack": ("-",),
    "wallOrMove": ("false",),
    "arrowGating": ("false",),
    "duckGating": ("false",),
    "staticGating": ("false",),
    "staticGatingRegion": ("-",),
    "pastGating": ("false",),
    "moveRepetitionIllegal": ("false",),
    "chasingRule": ("none",),
    "shatarMateRule": ("false",),
    "connectRegion1White": ("-",),
    "connectRegion2White": ("-",),
    "connectRegion1Black": ("-",),
    "connectRegion2Black": ("-",),
    "connectNxN": ("0",),
    "collinearN": ("0",),
    "castlingWins": ("-",),
}
"""The keys that are known and not played, with the values that change nothing."""
DISPLAY = frozenset(
    {"variantTemplate", "pieceToCharTable", "pocketSize", "pieceValueMg", "pieceValueEg"}
)
"""The keys that tell a program how to show or value pieces, and no rule."""

UNPLAYED_GAMES: Mapping[str, str] = {
    **dict.fromkeys(
        ("amazons", "duck", "isolation", "isolation7x7", "joust", "snailtrail"), "wallingRule"
    ),
    **dict.fromkeys(("ataxx", "flipersi", "flipello", "flipello10"), "enclosingDrop"),
    **dict.fromkeys(("fischerandom", "caparandom"), "chess960"),
    "petrified": "petrifyOnCaptureTypes",
    "shatar": "shatarMateRule",
    "xiangqi": "chasingRule",
}
"""The games that files of the field inherit from without describing them, and that are not played
here as sections, with the key that would stand in theirs."""
