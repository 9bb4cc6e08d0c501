"""How games of variants end."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from pbm.rules.chess.movement_tables import cells_in
from pbm.rules.chess.variants.arena import Arena
from pbm.rules.chess.variants.generation import GeneratedMoves
from pbm.rules.chess.variants.men_tables import MenTables
from pbm.rules.chess.variants.rule_set import DRAW, KING, LOSS, NONE, WIN
from pbm.rules.chess.variants.state import State
from pbm.rules.phrases import Phrase, combine, phrase, phrase_number

_LAST_REPETITION, _LAST_IDLE = 5, 75
"""When a game ends by itself whose section leaves repetition and idle moves to the usual rules."""
_OTHER = {WIN: LOSS, LOSS: WIN, DRAW: DRAW}
_TIMES = {
    2: phrase("the position occurred for the second time"),
    3: phrase("the position occurred for the third time"),
    4: phrase("the position occurred for the fourth time"),
    5: phrase("the position occurred for the fifth time"),
    6: phrase("the position occurred for the sixth time"),
}
_REPETITION_KEYS = {
    "nFoldRule",
    "nFoldValue",
    "nFoldValueAbsolute",
    "perpetualCheckIllegal",
}
_JANGGI = {
    "rook": 13,
    "janggiCannon": 7,
    "horse": 5,
    "janggiElephant": 3,
    "wazir": 3,
    "soldier": 2,
}


MOVER, OTHER = "{mover}", "{other}"
"""The values that stand for the sides in the reason of an ending."""


class Ending(NamedTuple):
    """The result for the side to move, and why; a slot in braces stands for what a piece of it is
    called."""

    value: str
    reason: Phrase


def find_end(tables: MenTables, state: State, generated: GeneratedMoves) -> Ending | None:
    """Return how the game has ended, or None."""
    ending = next(_find_immediate(tables, state, generated), None)
    if ending is not None:
        return ending
    if not generated.moves:
        return _find_standstill(tables, state, generated)
    return _find_draw(tables, state, generated)


def _needs_arena(tables: MenTables) -> bool:
    rules = tables.rules
    return bool(rules.extinction != NONE or any(tables.flags) or rules.connect or rules.full_board)


def _find_immediate(tables: MenTables, state: State, generated: GeneratedMoves) -> Iterator[Ending]:
    """Yield the endings by rules of the variant, whether or not there are legal moves."""
    rules = tables.rules
    if _needs_arena(tables):
        arena = Arena(tables, state.board, state.side)
        if rules.extinction != NONE and (not rules.pseudo_royal or rules.blast):
            yield from _find_extinct(tables, state, arena)
        if any(tables.flags):
            yield from _find_flag(tables, state, arena, generated)
        if rules.connect and _connects(tables, arena):
            reason = phrase("{side} has {men} men in a row", side=OTHER, men=rules.connect)
            yield Ending(_OTHER[rules.connect_value], reason)
        if rules.full_board and arena.occupied == tables.full:
            yield _count_material(tables, state, phrase("the board is full"))
    if rules.check_counting and not state.checks[1 - state.side]:
        yield Ending(LOSS, phrase("{side} has given the last check needed", side=OTHER))
    if rules.facing_kings or any(rules.passing_turn):
        yield from _find_stillness(tables, state)


def _find_extinct(tables: MenTables, state: State, arena: Arena) -> Iterator[Ending]:
    """Return kinds of which a side has lost too many."""
    rules, us = tables.rules, state.side
    for side in (1 - us, us):
        for slot in sorted(rules.extinction_pieces):
            own, other = _count(tables, state, arena, side, slot), 0
            other = _count(tables, state, arena, 1 - side, slot)
            claim = int(rules.extinction_claim and side == us)
            if own <= rules.extinction_count and other >= rules.extinction_opponent_count + claim:
                value = rules.extinction if side == us else _OTHER[rules.extinction]
                yield Ending(value, _tell_left(MOVER if side == us else OTHER, own, slot))


def _tell_left(side: str, count: int, slot: str) -> Phrase:
    if slot == "*":
        if not count:
            return phrase("{side} has no man left", side=side)
        return phrase_number(
            "{side} has one man left", "{side} has only {count} men left", count, side=side
        )
    piece = f"{{{slot}}}"
    if not count:
        return phrase("{side} has no {piece} left", side=side, piece=piece)
    return phrase_number(
        "{side} has one {piece} left",
        "{side} has only {count} {piece}s left",
        count,
        side=side,
        piece=piece,
    )


def _count(tables: MenTables, state: State, arena: Arena, side: int, slot: str) -> int:
    """Return how many of a kind a side has on the board and in hand."""
    hand = state.hands[side]
    held = len(hand) if slot == "*" else hand.count(tables.letter_of.get(slot, " "))
    return arena.count(side, slot) + held


def _find_flag(
    tables: MenTables, state: State, arena: Arena, generated: GeneratedMoves
) -> Iterator[Ending]:
    """Return goals that have been reached."""
    rules, us, them = tables.rules, state.side, 1 - state.side
    if (rules.flag_move or rules.flag_safe) and _has_reached(tables, arena, us):
        ends_even = (rules.flag_move and us == 0 and rules.flag_piece[them] == KING) or (
            rules.flag_safe and not rules.flag_move
        )
        if ends_even and _has_reached(tables, arena, them):
            yield Ending(DRAW, phrase("both sides have reached the goal"))
        yield Ending(WIN, phrase("{side} has reached the goal", side=MOVER))
    at_once = not rules.flag_move or rules.flag_safe or rules.flag_piece[us] == KING
    if (
        at_once
        and _has_reached(tables, arena, them)
        and not _may_follow(tables, state, arena, generated)
    ):
        yield Ending(LOSS, phrase("{side} has reached the goal", side=OTHER))


def _may_follow(tables: MenTables, state: State, arena: Arena, generated: GeneratedMoves) -> bool:
    """Whether the second player's king can reach the goal with the next move."""
    rules, us = tables.rules, state.side
    if not rules.flag_move or rules.flag_piece[us] != KING or us == 0 or generated.in_check:
        return False
    king = arena.king(us)
    if king < 0:
        return False
    for move in generated.moves:
        start, end, _ = tables.ends[move]
        if start == king and tables.flags[us] >> end & 1:
            return True
    return False


def _has_reached(tables: MenTables, arena: Arena, side: int) -> bool:
    """Whether a side's men stand on its goal."""
    rules, region = tables.rules, tables.flags[side]
    there = region & arena.mask(side, rules.flag_piece[side])
    if not there:
        return False
    is_full = rules.flag_blocked and not region & ~arena.occupied
    if there.bit_count() < rules.flag_count and not is_full:
        return False
    must_be_safe = rules.flag_safe and (not rules.flag_move or side != arena.side)
    if not must_be_safe or there.bit_count() != rules.flag_count:
        return True
    return not any(arena.is_attacked(cell, 1 - side, arena.occupied) for cell in cells_in(there))


def _connects(tables: MenTables, arena: Arena) -> bool:
    """Whether the side that has just moved has enough men in a row."""
    rules, them = tables.rules, 1 - arena.side
    men = 0
    for slot in rules.connect_pieces:
        men |= arena.mask(them, slot)
    steps = [
        step
        for step, counts in (
            ((1, 0), rules.connect_rows),
            ((0, 1), rules.connect_columns),
            ((1, 1), rules.connect_diagonals),
            ((1, -1), rules.connect_diagonals),
        )
        if counts
    ]
    for cell in cells_in(men):
        for step in steps:
            line = tables.line(cell, step, 0, rules.connect - 1)
            if len(line) == rules.connect - 1 and all(men >> one & 1 for one in line):
                return True
    return False


def _find_stillness(tables: MenTables, state: State) -> Iterator[Ending]:
    """Return kings that face each other after a turn that did not change it, or two passes."""
    if state.turn and state.facing and state.faced:
        yield _count_material(tables, state, phrase("the kings face each other"))
    if state.turn > 1 and state.passing and state.passed_before:
        yield _count_material(tables, state, phrase("both sides have passed"))


def _count_material(tables: MenTables, state: State, why: Phrase) -> Ending:
    """Return the result by counting what the sides have left."""
    rule = tables.rules.material
    if rule == NONE:
        return Ending(DRAW, why)
    arena = Arena(tables, state.board, 0)
    if rule == "janggi":
        ahead = -1 + sum(
            worth * (arena.count(0, slot) - arena.count(1, slot))
            for slot, worth in _JANGGI.items()
            if slot in tables.letter_of
        )
    elif rule == "unweighted":
        ahead = arena.own.bit_count() - arena.other.bit_count()
    else:
        ahead = 1 if rule == "whitedrawodds" else -1
    if not ahead:
        return Ending(DRAW, phrase("{why}, with as many men on both sides", why=why))
    is_white = ahead > 0
    side = MOVER if is_white is (state.side == 0) else OTHER
    result = phrase("{side} wins on count", side=side)
    return Ending(
        WIN if side == MOVER else LOSS, combine("{why}: {result}", why=why, result=result)
    )


def _find_standstill(tables: MenTables, state: State, generated: GeneratedMoves) -> Ending:
    """Return the result for a side without a legal move."""
    rules = tables.rules
    if generated.in_check:
        if rules.no_pawn_drop_mate and _was_pawn_dropped(tables, state):
            return Ending(WIN, phrase("{side} is mated by a pawn that was dropped", side=MOVER))
        return Ending(rules.checkmate, phrase("{side} is checkmated", side=MOVER))
    if generated.checked:
        return Ending(rules.checkmate, phrase("{side} is checkmated", side=MOVER))
    value, reason = rules.stalemate, phrase("{side} has no legal move", side=MOVER)
    if rules.stalemate_by_count:
        arena = Arena(tables, state.board, state.side)
        ahead = arena.own.bit_count() - arena.other.bit_count()
        value = DRAW if not ahead else value if ahead < 0 else _OTHER[value]
    if value == DRAW:
        return _count_material(tables, state, phrase("stalemate: {reason}", reason=reason))
    return Ending(value, reason)


def _was_pawn_dropped(tables: MenTables, state: State) -> bool:
    """Whether the mate was given by dropping a shogi pawn alone."""
    if not state.dropped:
        return False
    arena = Arena(tables, state.board, state.side)
    king, them = arena.king(state.side), 1 - state.side
    attackers = arena.attackers(king, them, arena.occupied)
    return not attackers & ~arena.mask(them, "shogiPawn")


def is_repetition_ruled(tables: MenTables) -> bool:
    """Whether the section says what becomes of repetition."""
    return bool(tables.rules.said & _REPETITION_KEYS)


def _find_draw(tables: MenTables, state: State, generated: GeneratedMoves) -> Ending | None:
    """Return the endings by idle moves, repetition and counting."""
    rules = tables.rules
    moves = rules.idle_moves if "nMoveRule" in rules.said else _LAST_IDLE
    if moves and rules.idle_moves and state.idle >= 2 * moves:
        why = phrase_number(
            "{count} move of each side without progress",
            "{count} moves of each side without progress",
            moves,
        )
        return _count_material(tables, state, why)
    if rules.recurring:
        ruled = is_repetition_ruled(tables)
        times = rules.recurring if ruled else _LAST_REPETITION
        if state.history.count(state.history[-1]) >= times:
            return _end_by_repetition(tables, state, times)
    if rules.counting != NONE and state.limit and state.counted > state.limit:
        return Ending(DRAW, phrase("the count has run out"))
    if rules.sittuyin_promotion and _has_only_promotions(tables, state, generated):
        return Ending(DRAW, phrase("{side} has no move but to promote the last pawn", side=MOVER))
    return None


def _end_by_repetition(tables: MenTables, state: State, times: int) -> Ending:
    rules = tables.rules
    why = _TIMES.get(times) or phrase("the position occurred {times} times", times=times)
    if rules.perpetual_check:
        ours, theirs = (_has_always_checked(state, side) for side in (state.side, 1 - state.side))
        if ours != theirs:
            reason = phrase(
                "{why} and {side} has always given check", why=why, side=MOVER if ours else OTHER
            )
            return Ending(LOSS if ours else WIN, reason)
        if ours:
            return _count_material(tables, state, why)
    value = rules.recurring_value
    if rules.recurring_absolute and state.side:
        value = _OTHER.get(value, value)
    if value == DRAW:
        return _count_material(tables, state, why)
    return Ending(value, why)


def _has_always_checked(state: State, side: int) -> bool:
    """Whether every move of a side has given check since the position first occurred."""
    end, first = len(state.history) - 1, state.history.index(state.history[-1])
    marks = state.history[end - (side == state.side) : first : -2]
    return all(mark & 1 for mark in marks)


def _has_only_promotions(tables: MenTables, state: State, generated: GeneratedMoves) -> bool:
    """Whether the side to move has a king and a pawn, and nothing to play but its promotion."""
    if generated.in_check:
        return False
    arena = Arena(tables, state.board, state.side)
    if arena.own.bit_count() != 2 or arena.count(state.side, "pawn") != 1:
        return False
    return all(tables.ends[move][2] for move in generated.moves)
