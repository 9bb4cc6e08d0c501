"""Reads sections of variants into rules. What is not played here is refused, never left out."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import cache
from typing import Any, NamedTuple

from pbm.rules.chess.movement_tables import LONG, SHORT, cells_in
from pbm.rules.chess.variants.generation import PASS
from pbm.rules.chess.variants.men_tables import (
    ALL,
    DRAW,
    EMPTY,
    KING,
    LOSS,
    MOST_COLUMNS,
    MOST_ROWS,
    NONE,
    SLOTS,
    WIN,
    MenTables,
    VariantRules,
    row_of_frame,
)
from pbm.rules.chess.variants.moves_in_betza import read_betza
from pbm.rules.chess.variants.sections import Section, split_sections
from pbm.rules.chess.variants.start import FenError, read_state
from pbm.rules.chess.variants.state import PROMOTED_PAWN, State
from pbm.rules.errors import VariantError
from pbm.rules.help_page import read_help

WAZIR = "wazir"
"""The notation of a king that moves as a wazir and uses diagonal lines as one."""
_REGIONS: Mapping[str, tuple[int, str]] = {
    f"mobilityRegion{colour}{slot[0].upper()}{slot[1:]}": (side, slot)
    for side, colour in enumerate(("White", "Black"))
    for slot in SLOTS
}


@cache
def read_shelf() -> Mapping[str, VariantRules]:
    """Return the rules of the variants that come with the server, by section: other files inherit
    from them."""
    rules, faults = read_rules(TEXT, dict)
    if faults:
        raise faults[0]
    return rules


def read_rules(
    text: str, find_base: Callable[[], Mapping[str, VariantRules]] = read_shelf
) -> tuple[dict[str, VariantRules], list[VariantError]]:
    """Return the rules in a file, by section, and the faults of the sections that are left out."""
    sections, faults = split_sections(text)
    found = dict[str, VariantRules]()
    refused = {fault.section: fault for fault in faults}
    later = {section.name for section in sections}
    for section in sections:
        later.discard(section.name)
        try:
            if section.parent in later and section.parent not in find_base():
                why = f"[{section.parent}] stands below it: put what it inherits from before it"
                raise VariantError(section.name, "", why)
            found[section.name] = _read_section(section, found, refused, find_base)
        except VariantError as fault:
            faults.append(fault)
            refused[section.name] = fault
    return found, faults


def _read_section(
    section: Section,
    found: Mapping[str, VariantRules],
    refused: Mapping[str, VariantError],
    find_base: Callable[[], Mapping[str, VariantRules]],
) -> VariantRules:
    if not section.parent:
        rules = VariantRules(section.name)
    elif section.parent in found:
        rules = found[section.parent].inherit(section.name)
    elif section.parent in refused:
        why = f"[{section.parent}], from which it inherits, is faulty"
        raise VariantError(section.name, refused[section.parent].key, why)
    elif section.parent in (base := find_base()):
        rules = base[section.parent].inherit(section.name)
    elif section.parent in UNPLAYED_GAMES:
        why = f"it comes with [{section.parent}] and is not played here"
        raise VariantError(section.name, UNPLAYED_GAMES[section.parent], why)
    else:
        raise VariantError(section.name, "", f"there is no [{section.parent}] to inherit from")
    _check_keys(section)
    _set_sizes(rules, section)
    _set_pieces(rules, section)
    for name, key in KEYS.items():
        if name in section.values and name not in ("maxRank", "maxFile"):
            _set(rules, section, name, key)
    _set_ranks(rules, section)
    rules.said |= section.values.keys()
    rules.sections += (section,)
    check_rules(rules)
    return rules


def _fault(section: Section, key: str, why: str) -> VariantError:
    return VariantError(section.name, key, f"{section.values[key][:60]!r} {why}")


def _check_keys(section: Section) -> None:
    """Refuse keys that are unknown, and those that are not played."""
    for key, value in section.values.items():
        if key in UNPLAYED:
            if value not in UNPLAYED[key]:
                raise _fault(section, key, "is not played here")
        elif not (key in KEYS or key in DISPLAY or key in SLOTS or key in _REGIONS):
            raise _fault(section, key, "is the value of a key that does not exist")


def _read(rules: VariantRules, section: Section, name: str, kind: str) -> Any:
    try:
        return read_value(rules, kind, section.values[name])
    except ValueFault as fault:
        raise _fault(section, name, str(fault)) from None


def _set_sizes(rules: VariantRules, section: Section) -> None:
    for name, attribute, kind in (("maxRank", "rows", "row"), ("maxFile", "columns", "column")):
        if name in section.values:
            setattr(rules, attribute, _read(rules, section, name, kind) + 1)


def _set_pieces(rules: VariantRules, section: Section) -> None:
    """Give slots their letters and moves, and regions to men."""
    for slot in SLOTS:
        value = section.values.get(slot, "")
        if slot in section.values and not value:
            raise _fault(section, slot, "is no letter")
        if value == "-":
            rules.remove_piece(slot)
        elif value:
            letter, colon, moves = value.partition(":")
            _set_piece(rules, section, slot, letter.strip(), moves.strip() if colon else None)
    for key, (side, slot) in _REGIONS.items():
        if key in section.values:
            rules.mobility[side][slot] = _read(rules, section, key, "region")


def _set_piece(
    rules: VariantRules, section: Section, slot: str, letter: str, moves: str | None
) -> None:
    if len(letter) != 1 or not letter.isascii() or not letter.isalpha():
        raise _fault(section, slot, "does not begin with the letter of the piece")
    is_custom = slot.startswith("customPiece")
    if moves is None and is_custom:
        raise _fault(section, slot, "has no moves: write p:W")
    if moves is not None and not (is_custom or slot == KING):
        raise _fault(section, slot, "has moves of its own: use a customPiece")
    if slot == KING and moves == WAZIR:
        moves = ""
        rules.king_is_wazir = True
    elif slot == KING:
        rules.king_is_wazir = False
    if moves:
        try:
            read_betza(moves)
        except ValueError as fault:
            raise _fault(section, slot, f"cannot be read: {fault}") from None
    rules.add_piece(slot, letter.upper())
    if is_custom and moves is not None:
        rules.custom[slot] = moves
        if "e" in moves:
            rules.passing_pieces = [pieces | {slot} for pieces in rules.passing_pieces]
    elif slot == KING:
        rules.king_moves = moves or ""


_SINGLE = {"main_pawn"}
_ALL_ALLOWED = {"extinction_pieces", "connect_pieces", "flag_piece", "must_drop_piece"}


def _set(rules: VariantRules, section: Section, name: str, key: Key) -> None:
    if key.kind in ("zone", "step"):
        return
    value = _read(rules, section, name, key.kind)
    for attribute in key.names:
        if key.kind == "pieces" and attribute not in _ALL_ALLOWED and "*" in value:
            raise _fault(section, name, "cannot be all pieces")
        one = frozenset(value) if key.kind == "pieces" else value
        if attribute in _SINGLE:
            one = value[-1] if value else ""
        if key.kind in ("limits", "promotions"):
            one = {**getattr(rules, attribute), **value}
        if key.sides:
            both = list(getattr(rules, attribute))
            for side in key.sides:
                both[side] = one
            one = both
        setattr(rules, attribute, one)


def _set_ranks(rules: VariantRules, section: Section) -> None:
    """Read the keys of older files that name rows instead of regions, unless the section says it
    in regions too."""
    values = section.values
    if "promotionRank" in values:
        row = _read(rules, section, "promotionRank", "zone")
        for side, key in zip(BOTH, ("promotionRegionWhite", "promotionRegionBlack"), strict=True):
            if key not in values:
                rules.promotion_region[side] = zone_of(rules, row, side)
    if "doubleStepRank" in values or "doubleStepRankMin" in values:
        low = (
            _read(rules, section, "doubleStepRankMin", "step")
            if "doubleStepRankMin" in values
            else 1
        )
        high = _read(rules, section, "doubleStepRank", "step") if "doubleStepRank" in values else 1
        for side, key in zip(BOTH, ("doubleStepRegionWhite", "doubleStepRegionBlack"), strict=True):
            if key not in values:
                rows = range(low, high + 1)
                rules.double_step_region[side] = sum(
                    row_of_frame(rules.rows - 1 - row if side else row) for row in rows
                )


# What each key of a section sets: its type, and what it stands for here.

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
    {"about", "variantTemplate", "pieceToCharTable", "pocketSize", "pieceValueMg", "pieceValueEg"}
)
"""The keys that tell what a game is about, how a program shows or values pieces, and no rule."""

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


# Reads the values of keys.

_WORDS = {"true": True, "false": False}
_CELL = re.compile(r"([a-l])([0-9]{1,2})")
_MOST = 10_000


class ValueFault(ValueError):
    """A value that is not of the type of its key."""


def read_flag(rules: VariantRules, text: str) -> bool:
    """Read `true` or `false`."""
    if text not in _WORDS:
        raise ValueFault("is not true or false")
    return _WORDS[text]


def read_number(rules: VariantRules, text: str) -> int:
    """Return a whole number."""
    if not re.fullmatch(r"[0-9]{1,4}", text):
        raise ValueFault(f"is not a number from 0 to {_MOST - 1}")
    return int(text)


def read_row(rules: VariantRules, text: str) -> int:
    """Return a row, counted from 0."""
    if not re.fullmatch(r"[0-9]{1,2}", text) or not 1 <= int(text) <= MOST_ROWS:
        raise ValueFault(f"is not a row from 1 to {MOST_ROWS}")
    return int(text) - 1


def read_column(rules: VariantRules, text: str) -> int:
    """Return a column, a letter or a number, counted from 0."""
    if re.fullmatch(r"[a-l]", text):
        return ord(text) - ord("a")
    if re.fullmatch(r"[0-9]{1,2}", text) and 1 <= int(text) <= MOST_COLUMNS:
        return int(text) - 1
    raise ValueFault("is not a column from a to l, or 1 to 12")


def read_region(rules: VariantRules, text: str) -> int:
    """Read cells: `e4`, all of a row `*8`, all of a column `d*`; `-` for none."""
    region = 0
    for word in text.split():
        if word == "-":
            break
        if match := re.fullmatch(r"\*([0-9]{1,2})", word):
            region |= row_of_frame(_row(match[1], word))
        elif match := re.fullmatch(r"([a-lA-L])\*", word):
            column = ord(match[1].lower()) - ord("a")
            region |= sum(1 << row * MOST_COLUMNS + column for row in range(MOST_ROWS))
        elif match := _CELL.fullmatch(word.lower()):
            region |= 1 << _row(match[2], word) * MOST_COLUMNS + ord(match[1]) - ord("a")
        else:
            raise ValueFault(f"has {word[:20]}, which is no cell, row (*8) or column (d*)")
    return region


def _row(text: str, word: str) -> int:
    row = int(text) - 1
    if not 0 <= row < MOST_ROWS:
        raise ValueFault(f"has {word[:20]}, and there are {MOST_ROWS} rows at most")
    return row


def read_pieces(rules: VariantRules, text: str) -> list[str]:
    """Return the slots of letters: `nbrq`; `-` for none, `*` for all."""
    slots, found = rules.slots, list[str]()
    for letter in text.replace(" ", ""):
        if letter == "-":
            break
        if letter == "*":
            found.append("*")
        elif letter.upper() in slots:
            found.append(slots[letter.upper()])
        else:
            raise ValueFault(f"has {letter}, which is no piece of this variant")
    return found


def read_piece(rules: VariantRules, text: str) -> str:
    """Return the slot of one letter; "" for `-`."""
    pieces = read_pieces(rules, text)
    if len(pieces) > 1:
        raise ValueFault("is more than one piece")
    return pieces[0] if pieces else ""


def read_pairs(text: str) -> list[tuple[str, str]]:
    """Return the pairs of `q:1 r:2`."""
    pairs = re.findall(r"([A-Za-z])\s*:\s*([A-Za-z]|-|[0-9]+)", text)
    if "".join(f"{one}:{two}" for one, two in pairs) != text.replace(" ", ""):
        raise ValueFault("is not a list of pairs, letter:value")
    return pairs


def read_limits(rules: VariantRules, text: str) -> dict[str, int]:
    """Return the most men of a kind that promotion allows."""
    limits = {}
    for letter, number in read_pairs(text):
        if not number.isdigit():
            raise ValueFault(f"has {letter}:{number}, which is no number")
        limits[read_piece(rules, letter)] = int(number[:3])
    return limits


def read_promotions(rules: VariantRules, text: str) -> dict[str, str]:
    """Return the kinds to which pieces are promoted."""
    promotions = {}
    for letter, other in read_pairs(text):
        if other.isdigit():
            raise ValueFault(f"has {letter}:{other}, and {other} is no piece")
        promotions[read_piece(rules, letter)] = read_piece(rules, other)
    return promotions


def read_text(rules: VariantRules, text: str) -> str:
    """Return the text unchanged."""
    return text


READERS: Mapping[str, Callable[[VariantRules, str], Any]] = {
    "flag": read_flag,
    "number": read_number,
    "row": read_row,
    "column": read_column,
    "region": read_region,
    "pieces": read_pieces,
    "piece": read_piece,
    "limits": read_limits,
    "promotions": read_promotions,
    "text": read_text,
    "zone": read_row,
    "step": read_row,
}
"""The readers of values by type; other types are the allowed words, separated by bars."""


def read_value(rules: VariantRules, kind: str, text: str) -> Any:
    """Return the value of a key. ValueFault if it is not of its type."""
    if kind in READERS:
        return READERS[kind](rules, text)
    if text not in kind.split("|"):
        raise ValueFault(f"is not one of {', '.join(kind.split('|'))}")
    return text


def zone_of(rules: VariantRules, row: int, side: int) -> int:
    """Return the rows from that one to the far end, as a side counts them."""
    rows = range(row, rules.rows)
    return sum(row_of_frame(rules.rows - 1 - one if side else one) for one in rows) & ALL


# Positions of variants in FEN, and moves as engines spell them.


def spell_fen(tables: MenTables, state: State) -> str:
    """Return the position: board with hands, side to move, rights, cells passed, checks, idle
    turns, move number."""
    rules = tables.rules
    board = spell_board(tables, state)
    if rules.drops or rules.seirawan_gating:
        board += f"[{state.hands[0]}{state.hands[1].lower()}]"
    passed = "".join(tables.names[cell] for cell in state.passed) or "-"
    checks = f" {state.checks[0]}+{state.checks[1]}" if rules.check_counting else ""
    idle = state.idle
    if state.limit:
        passed, idle = str(state.limit), state.counted
    number = state.turn // 2 + 1
    side = "wb"[state.side]
    return f"{board} {side} {_spell_rights(tables, state)} {passed}{checks} {idle} {number}"


def spell_board(tables: MenTables, state: State) -> str:
    """Return the men of a position as in FEN, from the top row down."""
    rows, width = [], tables.width
    for first in range(tables.size - width, -1, -width):
        row = "".join(_spell_man(tables, state, cell) for cell in range(first, first + width))
        rows.append(re.sub(r"\.+", lambda empty: str(len(empty[0])), row))
    return "/".join(rows)


def _spell_man(tables: MenTables, state: State, cell: int) -> str:
    sign = state.board[cell]
    was = state.under[cell] if state.under else EMPTY
    if was.isalpha():
        return f"+{was.lower() if sign.islower() else was}"
    rules = tables.rules
    shows = (rules.captures_to_hand or rules.two_boards) and not rules.drop_loop
    return f"{sign}~" if was == PROMOTED_PAWN and shows else sign


def _spell_rights(tables: MenTables, state: State) -> str:
    """Return the rights to castle, and the cells behind whose men pieces may enter."""
    text = ""
    for side in (0, 1):
        own = [one for one in state.castles if state.board[one[0]].islower() == bool(side)]
        letters = "".join("KQ"[rook < king] for king, rook in sorted(own, key=lambda o: -o[1]))
        gates = state.gates[side]
        for king, rook in own:
            gates &= ~(1 << king | 1 << rook)
        letters += "".join(tables.columns[cell % tables.width].upper() for cell in cells_in(gates))
        text += letters.lower() if side else letters
    return text or "-"


def spell_move(tables: MenTables, state: State, move: str, legal: list[str]) -> str:
    """Return a legal move as engines write it: castling is the king's move, or, where that is a
    move of his own too, onto the rook; a pass is a move of the king to where he stands."""
    names = tables.names
    if move == PASS:
        king = state.board.find(tables.royal[state.side]) if tables.royal[state.side] else -1
        if king < 0:
            men = (cell for cell, sign in enumerate(state.board) if sign.isalpha())
            king = next(cell for cell in men if state.board[cell].islower() == bool(state.side))
        return names[king] * 2
    bare, _, gate = move.partition("/")
    if bare not in (SHORT, LONG):
        return move
    own = [one for one in state.castles if state.board[one[0]].islower() == bool(state.side)]
    king, rook = next(one for one in own if (one[1] > one[0]) is (bare == SHORT))
    king_to, _ = tables.castle(king, rook, state.side)
    if gate and tables.number[gate[1:]] == rook:
        return names[rook] + names[king] + gate[0]
    spelled = names[king] + names[king_to]
    if spelled in legal:
        spelled = names[king] + names[rook]
    return spelled + gate[:1]


# Refuses rules that contradict each other, or that are played only half.


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
    """Refuse rules that cannot be played on two boards."""
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


# The variants of the shelf, as one text of sections.

TEXT = read_help(__name__, "shelf.ini")
