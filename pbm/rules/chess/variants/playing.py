"""Plays moves of variants: what a legal move makes of a state."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from pbm.rules.chess.movement_tables import LONG, SHORT, cells_in
from pbm.rules.chess.variants.arena import Arena
from pbm.rules.chess.variants.generation import PASS, VariantMoves, generate
from pbm.rules.chess.variants.men_tables import (
    DRAW,
    EMPTY,
    KING,
    LOSS,
    NONE,
    PAWN,
    WIN,
    MenTables,
    Targets,
)
from pbm.rules.chess.variants.state import PROMOTED_PAWN, State
from pbm.rules.phrases import Phrase, combine, phrase, phrase_number


def play(tables: MenTables, state: State, move: str) -> tuple[State, VariantMoves]:
    """Return the state after a legal move, and the moves that are legal in it."""
    return MoveInProgress(tables, state).play(move)


def find_letter_in_hand(tables: MenTables, sign: str, was: str) -> str:
    """Return the letter of a captured man in a hand: what was promoted is as it was before."""
    letter = sign.upper()
    if was == EMPTY or tables.rules.drop_loop:
        return letter
    if was == PROMOTED_PAWN:
        return tables.letter_of.get(tables.rules.main_pawn[int(sign >= "a")], letter)
    return was.upper()


class MoveInProgress:
    """One move in progress, with its changes so far."""

    def __init__(self, tables: MenTables, state: State) -> None:
        self.tables, self.rules, self.state = tables, tables.rules, state
        self.side = state.side
        self.row = list(state.board)
        self.under = list(state.under or EMPTY * tables.size)
        self.hands = list(state.hands)
        self.castles = state.castles
        self.gates = list(state.gates)
        self.passed: tuple[int, ...] = ()
        self.victim = -1
        self.taken = EMPTY
        self.is_progress = False
        self.has_promoted = False
        self.is_drop = False

    def play(self, move: str) -> tuple[State, VariantMoves]:
        """Return the state after the move."""
        if move != PASS:
            bare, _, gate = move.partition("/")
            if bare in (SHORT, LONG):
                self._castle(bare, gate)
            else:
                start, end, more = self.tables.ends[move]
                if start < 0:
                    self._drop(end, more)
                else:
                    self._move(start, end, more)
        return self._finish(is_pass=move == PASS)

    def _sign(self, letter: str) -> str:
        return letter.lower() if self.side else letter.upper()

    def _slot(self, sign: str) -> str:
        return self.tables.men[sign].slot

    # Moves

    def _move(self, start: int, end: int, more: str) -> None:
        row, under, side = self.row, self.under, self.side
        sign, was = row[start], under[start]
        slot = self._slot(sign)
        row[start] = under[start] = EMPTY
        if start != end and row[end] != EMPTY:
            self._take(end)
        elif end in self.state.passed and self._takes_in_passing(sign, start, end):
            self._take(self.state.victim)
        gates = self.gates[side] if self.rules.seirawan_gating else 0
        is_gating = bool(more and more.isalpha() and gates >> start & 1)
        row[end], under[end] = sign, was
        if more and not is_gating:
            self._turn(end, slot, more, was)
        if is_gating:
            self._enter(start, more)
        self._lose_rights(start, end)
        if not more or is_gating:
            self._leave_passed(slot, start, end)
        if slot in self.rules.idle_pieces[side] and not self._is_reversible(sign, start, end):
            self.is_progress = True
        if self.taken != EMPTY and self.rules.blast:
            self._blast(end)
        if self.rules.cambodian and slot == "rook":
            self._aim(end)

    def _takes_in_passing(self, sign: str, start: int, end: int) -> bool:
        """Whether a move to a passed cell captures there."""
        man = self.tables.men[sign]
        captures = man.captures[start][0] >> end & 1
        if man.slot == PAWN:
            return bool(captures)
        if man.slot not in self.rules.passing_pieces[self.side]:
            return False
        return self._reaches(man.captures[start], end) and not (
            self._reaches(man.moves[start], end)
            or bool(man.first and self._reaches(man.first[start], end))
        )

    def _reaches(self, targets: Targets, end: int) -> bool:
        reached, parts = targets
        occupied = self.tables.walls
        for cell, sign in enumerate(self.state.board):
            if sign != EMPTY:
                occupied |= 1 << cell
        for relevant, part in parts:
            reached |= part[occupied & relevant]
        return bool(reached >> end & 1)

    def _is_reversible(self, sign: str, start: int, end: int) -> bool:
        """Whether the man could go back on an empty board."""
        return bool(self.tables.men[sign].comes_back[end] >> start & 1)

    def _take(self, cell: int) -> None:
        sign, was = self.row[cell], self.under[cell]
        self.taken = sign
        self.row[cell] = self.under[cell] = EMPTY
        self.is_progress = True
        if self.rules.captures_to_hand:
            self._to_hand(sign, was)

    def _to_hand(self, sign: str, was: str) -> None:
        """Put a captured man into the hand of the other side."""
        owner = int(sign < "a")  # the captured man's capital says it was White's
        letter = find_letter_in_hand(self.tables, sign, was)
        self.hands[owner] = "".join(sorted(self.hands[owner] + letter))

    def _turn(self, end: int, slot: str, more: str, was: str) -> None:
        """Promote or demote the man that has moved."""
        tables = self.tables
        if more == "+":
            self.row[end] = self._sign(tables.letter_of[self.rules.promoted[slot]])
            self.under[end] = tables.letter_of[slot]
            self.is_progress = self.is_progress or not self.rules.demotion
        elif more == "-":
            self.row[end] = self._sign(was)
            self.under[end] = EMPTY
        else:
            self.row[end] = self._sign(more)
            self.under[end] = PROMOTED_PAWN
            self.is_progress = self.has_promoted = True

    def _enter(self, cell: int, letter: str) -> None:
        """Let a piece of the hand enter on a cell."""
        self.row[cell] = self._sign(letter)
        self.under[cell] = EMPTY
        self._from_hand(letter.upper())
        self.gates[self.side] &= ~(1 << cell)

    def _from_hand(self, letter: str) -> None:
        self.hands[self.side] = self.hands[self.side].replace(letter, "", 1)

    def _lose_rights(self, start: int, end: int) -> None:
        """Take away what depends on men that stand where they began."""
        if self.castles:
            self.castles = tuple(one for one in self.castles if start not in one and end not in one)
        side = self.side
        self.gates[side] &= ~(1 << start)
        self.gates[1 - side] &= ~(1 << end)

    def _leave_passed(self, slot: str, start: int, end: int) -> None:
        """Note where the man that has moved may be captured in passing."""
        tables, rules, side = self.tables, self.rules, self.side
        region = tables.passing[1 - side]
        others = rules.passing_pieces[1 - side]
        if slot == PAWN:
            rows = abs(end - start) // tables.width
            if (end - start) % tables.width or rows not in (2, 3):
                return
            back = tables.width if side else -tables.width
            for number in range(1, rows):
                cell = end + number * back
                is_met = others - {PAWN} or self._has_pawn_at(cell)
                if region >> cell & 1 and is_met:
                    self.passed += (cell,)
        else:
            man = tables.men[self._sign(tables.letter_of[slot])]
            if not man.first or not man.first_reach[start] >> end & 1:
                return
            if man.comes_back[start] >> end & 1:
                return
            cells = tables.between(start, end)
            self.passed = tuple(cell for cell in cells if region >> cell & 1)
        self.victim = end if self.passed else -1

    def _has_pawn_at(self, cell: int) -> bool:
        """Whether a pawn of the other side attacks a cell."""
        letter = self.tables.letter_of[PAWN]
        sign = letter if self.side else letter.lower()
        sources, _ = self.tables.men[sign].threats[cell]
        return any(self.row[one] == sign for one in cells_in(sources))

    def _blast(self, centre: int) -> None:
        """Take away the men around a capture, and the one that captured."""
        immune = self.rules.blast_immune
        for cell in (*cells_in(self.tables.around[centre]), centre):
            sign = self.row[cell]
            if sign == EMPTY or not sign.isalpha():
                continue
            slot = self._slot(sign)
            if slot in immune or (slot == PAWN and cell != centre):
                continue
            was = self.under[cell]
            self.row[cell] = self.under[cell] = EMPTY
            self.castles = tuple(one for one in self.castles if cell not in one)
            if self.rules.captures_to_hand:
                self._to_hand(sign, was)

    def _aim(self, end: int) -> None:
        """Take the king's leap away when a rook comes in line with it."""
        letter = self.tables.letter_of.get(KING, "")
        sign = letter if self.side else letter.lower()
        king = self.row.index(sign) if sign in self.row else -1
        if king >= 0 and 1 << end in self.tables.rook_lines[king]:
            self.gates[1 - self.side] &= ~(1 << king)

    def _castle(self, move: str, gate: str) -> None:
        row, under, side = self.row, self.under, self.side
        own = [one for one in self.castles if (row[one[0]] >= "a") == side]
        king, rook = next(one for one in own if (one[1] > one[0]) is (move == SHORT))
        king_to, rook_to = self.tables.castle(king, rook, side)
        men = row[king], row[rook], under[king], under[rook]
        for cell in (king, rook):
            row[cell] = under[cell] = EMPTY
        row[king_to], row[rook_to], under[king_to], under[rook_to] = men
        self.castles = tuple(one for one in self.castles if one not in own)
        if gate:
            self._enter(self.tables.number[gate[1:]], gate[0])
        self.gates[side] &= ~(1 << king | 1 << rook)

    def _drop(self, end: int, what: str) -> None:
        tables, rules = self.tables, self.rules
        letter = what[-1]
        self._from_hand(letter)
        if what.startswith("+"):
            slot = rules.promoted[tables.slot_of[letter]]
            self.row[end] = self._sign(tables.letter_of[slot])
            self.under[end] = letter
        else:
            self.row[end] = self._sign(letter)
        self.is_progress = self.is_drop = True
        if rules.castling_dropped:
            self._gain_castling(end, tables.slot_of[letter])

    def _gain_castling(self, end: int, slot: str) -> None:
        """Let dropped kings and rooks castle when they stand where they usually begin."""
        tables, rules, side = self.tables, self.rules, self.side
        row = tables.height - 1 - rules.castling_row if side else rules.castling_row
        if end // tables.width != row:
            return
        first = row * tables.width
        home = first + rules.castling_king_column
        corners = (first, first + tables.width - 1)
        king = self._sign(tables.letter_of.get(rules.castling_king[side], " "))
        rooks = {
            self._sign(tables.letter_of[one])
            for one in rules.castling_rooks[side]
            if one in tables.letter_of
        }
        if self.row[home] != king or king == " ":
            return
        if slot == rules.castling_king[side]:
            new = [cell for cell in corners if self.row[cell] in rooks]
        else:
            new = [end] if end in corners and self.row[end] in rooks else []
        added = tuple((home, cell) for cell in new if (home, cell) not in self.castles)
        self.castles = tuple(sorted(self.castles + added))

    # What follows

    def _finish(self, *, is_pass: bool) -> tuple[State, VariantMoves]:
        state, rules, side = self.state, self.rules, self.side
        if rules.seirawan_gating and not self.hands[side] and not rules.captures_to_hand:
            self.gates[side] = 0
        board, under = "".join(self.row), "".join(self.under)
        limit, counted = state.limit, state.counted
        if rules.counting != "none":
            limit, counted = count_on(
                self.tables, state, board, self.taken, has_promoted=self.has_promoted
            )
        after = State(
            board,
            1 - side,
            "" if under.count(EMPTY) == len(under) else under,
            (self.hands[0], self.hands[1]),
            self.castles,
            self.passed,
            self.victim,
            (self.gates[0], self.gates[1]),
            state.checks,
            limit,
            counted,
            rules.facing_kings and self._kings_face(board),
            state.facing,
            is_pass,
            state.passing,
            self.is_drop,
            0 if self.is_progress else state.idle + 1,
            state.turn + 1,
        )
        generated = generate(self.tables, after)
        if after.passed and not generated.passes:
            after = after._replace(passed=(), victim=-1)
        if rules.check_counting and generated.in_check:
            checks = list(after.checks)
            checks[side] -= 1
            after = after._replace(checks=(checks[0], checks[1]))
        comes_back = rules.captures_to_hand or rules.two_boards
        is_new = self.is_progress and not comes_back
        mark = after.fingerprint() * 2 + generated.in_check
        history = (mark,) if is_new else (*state.history, mark)
        return after._replace(history=history), generated

    def _kings_face(self, board: str) -> bool:
        """Whether the kings are in line with nothing between."""
        white, black = (board.find(sign) for sign in self.tables.royal)
        if white < 0 or black < 0:
            return False
        path = self.tables.rook_lines[white].get(1 << black)
        return path is not None and all(board[cell] == EMPTY for cell in cells_in(path))


# How games of variants end.

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
REPETITION_KEYS = {
    "nFoldRule",
    "nFoldValue",
    "nFoldValueAbsolute",
    "perpetualCheckIllegal",
}
POINTS = {
    "rook": 13,
    "janggiCannon": 7,
    "horse": 5,
    "janggiElephant": 3,
    "wazir": 3,
    "soldier": 2,
}
"""The values of the men of janggi."""


MOVER, OTHER = "{mover}", "{other}"
"""The values that stand for the sides in the reason of an ending."""


class Ending(NamedTuple):
    """The result for the side to move, and why; a slot in braces stands for what a piece of it is
    called."""

    value: str
    reason: Phrase


def find_end(tables: MenTables, state: State, generated: VariantMoves) -> Ending | None:
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


def _find_immediate(tables: MenTables, state: State, generated: VariantMoves) -> Iterator[Ending]:
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
    """Return the number of a side's men of a kind, on the board and in hand."""
    hand = state.hands[side]
    held = len(hand) if slot == "*" else hand.count(tables.letter_of.get(slot, " "))
    return arena.count(side, slot) + held


def _find_flag(
    tables: MenTables, state: State, arena: Arena, generated: VariantMoves
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


def _may_follow(tables: MenTables, state: State, arena: Arena, generated: VariantMoves) -> bool:
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
            for slot, worth in POINTS.items()
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


def _find_standstill(tables: MenTables, state: State, generated: VariantMoves) -> Ending:
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
    """Whether the section has a rule for repetition."""
    return bool(tables.rules.said & REPETITION_KEYS)


def _find_draw(tables: MenTables, state: State, generated: VariantMoves) -> Ending | None:
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


def _has_only_promotions(tables: MenTables, state: State, generated: VariantMoves) -> bool:
    """Whether the side to move has a king and a pawn, and nothing to play but its promotion."""
    if generated.in_check:
        return False
    arena = Arena(tables, state.board, state.side)
    if arena.own.bit_count() != 2 or arena.count(state.side, "pawn") != 1:
        return False
    return all(tables.ends[move][2] for move in generated.moves)


# The counting rules of south-east Asia: how long a side may try to mate a king that is nearly
# alone.


class Counts(NamedTuple):
    """Within how many moves a side has to mate: on a full board, and a bare king with two rooks,
    one, two silvers, two knights, one silver."""

    board: int
    rooks: int
    rook: int
    silvers: int
    knights: int
    silver: int


COUNTS = {
    "makruk": Counts(64, 8, 16, 22, 32, 44),
    "cambodian": Counts(63, 7, 15, 21, 31, 43),
    "asean": Counts(64, 16, 16, 44, 64, 44),
}


class Census:
    """The number of men of each kind on each side."""

    def __init__(self, tables: MenTables, board: str) -> None:
        self._letters = tables.letter_of
        self._board = board
        self.total = (
            sum(sign.isupper() for sign in board),
            sum(sign.islower() for sign in board),
        )

    def count(self, side: int, slot: str) -> int:
        """Return the number of a side's men of a kind."""
        letter = self._letters.get(slot)
        return self._board.count(letter.lower() if side else letter) if letter else 0

    @property
    def pawns(self) -> int:
        """The number of pawns on both sides."""
        return self.count(0, "pawn") + self.count(1, "pawn")


def find_limit(rule: str, census: Census, side: int) -> int:
    """Return the number of moves after which the game is drawn while that side is counted against;
    0 for no count."""
    own, other = census.total[side], census.total[1 - side]
    rooks, silvers, knights = (
        census.count(1 - side, slot) for slot in ("rook", "silver", "knight")
    )
    counts = COUNTS[rule]
    if rule == "asean":
        if census.pawns or own > 1:
            return 0
        return counts.rook if rooks else counts.silver if silvers else counts.board * (knights > 0)
    if rule == "makruk":
        if census.pawns or other == 1:
            return 0
    elif own > 3 or other == 1:
        return 0
    if own > 1:
        return counts.board
    if census.pawns:
        return 0
    if rooks:
        return counts.rooks if rooks > 1 else counts.rook
    if silvers > 1:
        return counts.silvers
    if knights > 1:
        return counts.knights
    return counts.silver if silvers else counts.board


def count_on(
    tables: MenTables, state: State, board: str, taken: str, *, has_promoted: bool
) -> tuple[int, int]:
    """Return the limit and the count, in turns, after a move from a state; `taken` and promotions
    may restart it."""
    rule, mover = tables.rules.counting, state.side
    limit, counted = state.limit, state.counted + bool(state.limit)
    census, other = Census(tables, board), 1 - mover
    every = sum(census.total)
    took = taken != EMPTY
    took_pawn = took and tables.men[taken].slot == "pawn"
    is_bare = took_pawn and census.total[mover] == 1 and not census.pawns
    if rule != "asean" and is_bare and (found := find_limit(rule, census, mover)):
        limit, counted = 2 * found, 2 * every - 1
    changes = (took or has_promoted) and census.total[other] == 1
    if not limit or changes:
        found = find_limit(rule, census, other)
        if found:
            limit = 2 * found
            counted = 0 if rule == "asean" or census.total[other] > 1 else 2 * every
    return limit, counted
