"""Refuses rules that contradict each other, or that are played only half."""

from __future__ import annotations

from pbm.rules.chess.variants.moves_in_betza import read_betza
from pbm.rules.chess.variants.rule_set import KING, NONE, VariantRules
from pbm.rules.chess.variants.start import FenError, read_state
from pbm.rules.errors import VariantError


def check_rules(rules: VariantRules) -> None:
    """Raise VariantError for rules that cannot be played."""

    def refuse(key: str, why: str) -> None:
        raise VariantError(rules.name, key, why)

    if not rules.letters:
        refuse("", "it has no pieces")
    has_king = KING in rules.letters
    if rules.blast and has_king:
        refuse("blastOnCapture", "a king cannot explode: use a commoner with extinction")
    if rules.pseudo_royal and rules.extinction == NONE:
        refuse("extinctionPseudoRoyal", "extinctionValue is missing")
    if rules.blast_immune and (rules.pseudo_royal or has_king):
        refuse("blastImmuneTypes", "not together with royal pieces")
    if rules.mutually_immune and (rules.pseudo_royal or has_king):
        refuse("mutuallyImmuneTypes", "not together with royal pieces")
    if rules.flag_safe and rules.blast:
        refuse("flagPieceSafe", "not together with explosions")
    if rules.check_counting and not rules.checking:
        refuse("checkCounting", "no check may be given")
    if rules.castling and rules.castling_row >= rules.rows:
        refuse("castlingRank", "there is no such row")
    if rules.seirawan_gating and not rules.gating:
        refuse("seirawanGating", "gating = true is missing")
    if rules.cambodian and not rules.gating:
        refuse("cambodianMoves", "gating = true is missing")
    if rules.gating and not (rules.seirawan_gating or rules.cambodian):
        refuse("gating", "neither seirawanGating nor cambodianMoves says what for")
    if rules.demotion and rules.promotion_pawns != [frozenset()] * 2:
        _check_demotion(rules)
    if rules.sittuyin_promotion and "pawn" not in rules.letters:
        refuse("sittuyinPromotion", "there is no pawn")
    if rules.two_boards:
        _check_two_boards(rules)
    king_ways = read_betza(rules.betza(KING)) if has_king else ()
    if any(way.hops for way in king_ways):
        refuse("king", "a king cannot hop")
    _check_start(rules)


def _check_two_boards(rules: VariantRules) -> None:
    """Refuse what is not played on two boards."""
    for key, is_there in (
        ("capturesToHand", rules.captures_to_hand),
        ("blastOnCapture", rules.blast),
        ("gating", rules.gating),
    ):
        if is_there:
            raise VariantError(rules.name, "twoBoards", f"not together with {key} = true")
    if not rules.drops:
        raise VariantError(rules.name, "twoBoards", "pieceDrops = true is missing")


def _check_demotion(rules: VariantRules) -> None:
    """Find men that are promoted as pawns are: they have nothing to go back to."""
    for side in (0, 1):
        if rules.promotion_pieces[side] and rules.promotion_pawns[side] & rules.letters.keys():
            raise VariantError(
                rules.name, "pieceDemotion", "not together with pawns that are promoted"
            )


def _check_start(rules: VariantRules) -> None:
    try:
        read_state(rules)
    except FenError as fault:
        raise VariantError(rules.name, "startFen", str(fault)) from None
