"""Plays moves of variants: what a legal move makes of a state."""

from __future__ import annotations

from pbm.rules.chess.generate import LONG, SHORT
from pbm.rules.chess.movement_tables import cells_in
from pbm.rules.chess.variants.counting import count_on
from pbm.rules.chess.variants.generation import PASS, GeneratedMoves, generate
from pbm.rules.chess.variants.men_tables import EMPTY, MenTables, Targets
from pbm.rules.chess.variants.rule_set import KING, PAWN
from pbm.rules.chess.variants.state import State

PROMOTED_PAWN = "~"


def play(tables: MenTables, state: State, move: str) -> tuple[State, GeneratedMoves]:
    """Return the state after a legal move, and the moves that are legal in it."""
    return Player(tables, state).play(move)


def find_letter_in_hand(tables: MenTables, sign: str, was: str) -> str:
    """Return the letter of a captured man in a hand: what was promoted is as it was before."""
    letter = sign.upper()
    if was == EMPTY or tables.rules.drop_loop:
        return letter
    if was == PROMOTED_PAWN:
        return tables.letter_of.get(tables.rules.main_pawn[int(sign >= "a")], letter)
    return was.upper()


class Player:
    """One move in progress: what it has changed so far."""

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

    def play(self, move: str) -> tuple[State, GeneratedMoves]:
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
        """Capture the man on a cell."""
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

    def _finish(self, *, is_pass: bool) -> tuple[State, GeneratedMoves]:
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
