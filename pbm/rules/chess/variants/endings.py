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

_LAST_REPETITION, _LAST_IDLE = 5, 75
"""When a game ends by itself whose section leaves repetition and idle moves to the usual rules."""
_OTHER = {WIN: LOSS, LOSS: WIN, DRAW: DRAW}
_TIMES = {2: "second", 3: "third", 4: "fourth", 5: "fifth", 6: "sixth"}
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


class Ending(NamedTuple):
    """The result for the side to move, and why; {mover} and {other} stand for the sides,
    {piece[SLOT]} for what a piece is called."""

    value: str
    reason: str


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
            reason = "{other} has " + f"{rules.connect} men in a row"
            yield Ending(_OTHER[rules.connect_value], reason)
        if rules.full_board and arena.occupied == tables.full:
            yield _count_material(tables, state, "the board is full")
    if rules.check_counting and not state.checks[1 - state.side]:
        yield Ending(LOSS, "{other} has given the last check needed")
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
                who = "{mover}" if side == us else "{other}"
                yield Ending(value, f"{who} has {_tell_left(own, slot)}")


def _tell_left(count: int, slot: str) -> str:
    what = "man" if slot == "*" else f"{{piece[{slot}]}}"
    if not count:
        return f"no {what} left"
    return f"one {what} left" if count == 1 else f"only {count} {what}s left"


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
    goal = "reached the goal"
    if (rules.flag_move or rules.flag_safe) and _has_reached(tables, arena, us):
        ends_even = (rules.flag_move and us == 0 and rules.flag_piece[them] == KING) or (
            rules.flag_safe and not rules.flag_move
        )
        if ends_even and _has_reached(tables, arena, them):
            yield Ending(DRAW, f"both sides have {goal}")
        yield Ending(WIN, "{mover} has " + goal)
    at_once = not rules.flag_move or rules.flag_safe or rules.flag_piece[us] == KING
    if (
        at_once
        and _has_reached(tables, arena, them)
        and not _may_follow(tables, state, arena, generated)
    ):
        yield Ending(LOSS, "{other} has " + goal)


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
        yield _count_material(tables, state, "the kings face each other")
    if state.turn > 1 and state.passing and state.passed_before:
        yield _count_material(tables, state, "both sides have passed")


def _count_material(tables: MenTables, state: State, why: str) -> Ending:
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
        return Ending(DRAW, f"{why}, with as many men on both sides")
    is_white = ahead > 0
    who = "{mover}" if is_white is (state.side == 0) else "{other}"
    return Ending(WIN if who == "{mover}" else LOSS, f"{why}: {who} wins on count")


def _find_standstill(tables: MenTables, state: State, generated: GeneratedMoves) -> Ending:
    """Return the result for a side without a legal move."""
    rules = tables.rules
    if generated.in_check:
        if rules.no_pawn_drop_mate and _was_pawn_dropped(tables, state):
            return Ending(WIN, "{mover} is mated by a pawn that was dropped")
        return Ending(rules.checkmate, "{mover} is checkmated")
    if generated.checked:
        return Ending(rules.checkmate, "{mover} is checkmated")
    value, reason = rules.stalemate, "{mover} has no legal move"
    if rules.stalemate_by_count:
        arena = Arena(tables, state.board, state.side)
        ahead = arena.own.bit_count() - arena.other.bit_count()
        value = DRAW if not ahead else value if ahead < 0 else _OTHER[value]
    if value == DRAW:
        return _count_material(tables, state, f"stalemate: {reason}")
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
        return _count_material(tables, state, f"{moves} moves of each side without progress")
    if rules.recurring:
        ruled = is_repetition_ruled(tables)
        times = rules.recurring if ruled else _LAST_REPETITION
        if state.history.count(state.history[-1]) >= times:
            return _end_by_repetition(tables, state, times)
    if rules.counting != NONE and state.limit and state.counted > state.limit:
        return Ending(DRAW, "the count has run out")
    if rules.sittuyin_promotion and _has_only_promotions(tables, state, generated):
        return Ending(DRAW, "{mover} has no move but to promote the last pawn")
    return None


def _end_by_repetition(tables: MenTables, state: State, times: int) -> Ending:
    rules = tables.rules
    why = f"the position occurred for the {_TIMES.get(times, f'{times}th')} time"
    if rules.perpetual_check:
        ours, theirs = (_has_always_checked(state, side) for side in (state.side, 1 - state.side))
        if ours != theirs:
            who = "{mover}" if ours else "{other}"
            return Ending(LOSS if ours else WIN, f"{why} and {who} has always given check")
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
