"""Generates the legal moves of a variant's position."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Protocol

from pbm.rules.chess.movement_tables import LONG, SHORT, cells_in
from pbm.rules.chess.variants.arena import Arena
from pbm.rules.chess.variants.men_tables import (
    EXACT,
    KING,
    PAWN,
    Line,
    Man,
    MenTables,
    VariantRules,
)
from pbm.rules.chess.variants.state import State

PASS = "pass"  # noqa: S105 (a move)


class VariantMoves:
    """The legal moves, whether the side to move is in check, whether a king is, and whether one of
    the moves captures in passing."""

    __slots__ = ("checked", "in_check", "moves", "passes")

    def __init__(self, moves: list[str], royalty: Royalty, *, passes: bool) -> None:
        self.moves = moves
        self.checked = royalty.checked
        self.in_check = royalty.in_check
        self.passes = passes


def generate(tables: MenTables, state: State) -> VariantMoves:
    """Return the legal moves of the side to move."""
    return Generator(tables, state).run()


class Generator:
    """One generation of moves: what has been found so far."""

    def __init__(self, tables: MenTables, state: State) -> None:
        self.tables, self.state, self.rules = tables, state, tables.rules
        self.side = state.side
        self.arena = Arena(tables, state.board, state.side)
        self.royalty = Royalty(tables, self.arena, facing=state.facing)
        self.moves = list[str]()
        self.taking = list[str]()
        self.dropping = list[str]()
        self.passes = False
        rules = self.rules
        self.gates = state.gates[self.side] if rules.seirawan_gating else 0
        self.quiet_only = not rules.checking
        self.enemy_king = self.arena.king(1 - self.side)
        needs_checks = self.quiet_only or not rules.drop_checks or rules.sittuyin_promotion
        self.lines_to_enemy = (
            self.arena.lines_to(self.enemy_king, self.side)
            if needs_checks and self.enemy_king >= 0
            else []
        )

    def run(self) -> VariantMoves:
        """Find all moves."""
        for bit, sign in self.arena.mine:
            man = self.tables.men[sign]
            if man.slot == KING:
                self._move_king(man, bit)
            elif man.slot == PAWN:
                self._move_pawn(man, bit)
            else:
                self._move_piece(man, bit)
        if self.state.castles:
            self._castle()
        rules = self.rules
        if rules.drops and self.state.hands[self.side]:
            for move, step in find_drops(self):
                if self._may_drop(step):
                    self.dropping.append(move)
        if rules.cambodian and self.state.gates[self.side]:
            self._leap()
        self._settle()
        return VariantMoves(self.moves, self.royalty, passes=self.passes)

    def _settle(self) -> None:
        """Keep the moves that are allowed when drops or captures are compulsory."""
        rules, side = self.rules, self.side
        if rules.must_drop and self.dropping and self._count_hand(rules.must_drop_piece):
            self.moves = []
        self.moves += self.dropping
        if rules.must_capture and self.taking:
            self.moves = self.taking
        if rules.passing_turn[side] or rules.pass_on_stalemate[side]:
            self._pass()

    def _count_hand(self, slot: str) -> int:
        hand = self.state.hands[self.side]
        return len(hand) if slot == "*" else hand.count(self.tables.letter_of.get(slot, " "))

    # Emitting

    def _add(self, start: int, targets: int, suffix: str = "") -> None:
        """Take moves that are legal as far as attacks are concerned."""
        if self.quiet_only:
            targets = self._keep_quiet(start, targets, suffix)
        texts, other = self.tables.text[suffix][start], self.arena.other
        is_gate = self.gates >> start & 1 and not suffix
        while targets:
            low = targets & -targets
            text = texts[low]
            self.moves.append(text)
            if low & other and self.rules.must_capture:
                self.taking.append(text)
            if is_gate:
                self._gate(start, text)
            targets ^= low

    def _gate(self, start: int, text: str) -> None:
        """Add the same move with a piece that enters behind it."""
        self.moves += [self.tables.gate(text, letter) for letter in self._may_enter(start)]

    def _may_enter(self, cell: int) -> list[str]:
        """Return the letters of the pieces in hand that may enter on a cell."""
        hand = dict.fromkeys(self.state.hands[self.side])
        signs = {letter: letter.lower() if self.side else letter for letter in hand}
        return [letter for letter in hand if find_region(self, signs[letter]) >> cell & 1]

    def _keep_quiet(self, start: int, targets: int, suffix: str) -> int:
        """Return the targets from which no check is given."""
        sign = self.sign_after(start, suffix)
        quiet = 0
        for cell in cells_in(targets):
            step = BoardChange(sign, 1 << start, 1 << cell, 1 << cell & self.arena.other)
            if not self.gives_check(step):
                quiet |= 1 << cell
        return quiet

    def sign_after(self, start: int, suffix: str) -> str:
        """Return the sign of a man after a move with that suffix."""
        sign = self.state.board[start]
        if suffix == "+":
            slot = self.rules.promoted[self.tables.men[sign].slot]
            letter = self.tables.letter_of[slot]
        elif suffix == "-":
            letter = self.state.under[start]
        else:
            letter = suffix or sign
        return letter.lower() if self.side else letter.upper()

    def gives_check(self, step: BoardChange, also: tuple[int, int] = (0, 0)) -> bool:
        """Whether a move attacks the other king; `also` is a man that leaves and one that appears,
        as the rook does when castling."""
        king = self.enemy_king
        if king < 0:
            return False
        left, came = also
        occupied = (self.arena.occupied & ~step.bit & ~step.gone & ~left) | step.to | came
        for (kind, path, hurdle, bit), is_cannon in self.lines_to_enemy:
            on_path = occupied & path
            if bit & (step.bit | left):
                continue
            if kind == 0 and on_path == hurdle:
                return True
            is_screened = on_path.bit_count() == 1
            if kind and is_screened and not (is_cannon and on_path & self.arena.cannons):
                return True
        _, along = self.tables.men[step.sign].threats[king]
        for kind, path, hurdle, _ in along.get(step.to, ()):
            on_path = occupied & path
            if on_path == hurdle if kind == 0 else on_path.bit_count() == 1:
                return True
        return False

    # Kings, pawns, pieces

    def _targets(self, man: Man, cell: int) -> tuple[int, int]:
        """Return the cells that a man attacks and those where it may move, considering only what
        stands in its way."""
        arena = self.arena
        attacks = arena.reach(man.captures[cell], man)
        moves = attacks if man.moves is man.captures else arena.reach(man.moves[cell], man)
        if man.first:
            moves |= arena.reach(man.first[cell], man)
        return attacks, moves

    def _move_king(self, man: Man, bit: int) -> None:
        cell = bit.bit_length() - 1
        attacks, moves = self._targets(man, cell)
        targets = attacks & self.arena.other | moves & ~self.arena.occupied
        self._add(cell, self.royalty.filter(man.sign, bit, targets))

    def _move_pawn(self, man: Man, bit: int) -> None:
        rules, cell = self.rules, bit.bit_length() - 1
        attacks, moves = self._targets(man, cell)
        targets = attacks & self.arena.other | moves & ~self.arena.occupied
        zone = 0 if rules.sittuyin_promotion else targets & self.tables.zones[self.side]
        plain = targets & ~zone if rules.mandatory_pawn_promotion else targets
        if rules.immobility_illegal:
            plain &= ~man.stuck
        if plain:
            self._add(cell, self.royalty.filter(man.sign, bit, plain))
        if zone:
            self._promote(man, bit, zone)
            if rules.promoted.get(PAWN):
                if rules.promotion_on_capture:
                    zone &= self.arena.other
                self._add(cell, self.royalty.filter(man.sign, bit, zone), "+")
        if rules.sittuyin_promotion:
            self._promote_in_place(man, bit)
        passed = [one for one in self.state.passed if not self.arena.occupied >> one & 1]
        for one in passed:
            if man.captures[cell][0] >> one & 1:
                self._take_in_passing(man, bit, one)

    def _promote(self, man: Man, bit: int, targets: int) -> None:
        """Add the promotions of a pawn on its targets."""
        rules, cell = self.rules, bit.bit_length() - 1
        for slot in self.tables.promotions[self.side]:
            limit = rules.promotion_limit.get(slot, 0)
            if limit and self.arena.count(self.side, slot) >= limit:
                continue
            if rules.pseudo_royal and slot in rules.extinction_pieces:
                other = self.arena.other
                safe = sum(
                    1 << to
                    for to in cells_in(targets)
                    if self.royalty.is_safe(
                        BoardChange(man.sign, bit, 1 << to, 1 << to & other, slot)
                    )
                )
            else:
                safe = self.royalty.filter(man.sign, bit, targets)
            self._add(cell, safe, self.tables.letter_of[slot].lower())

    def _promote_in_place(self, man: Man, bit: int) -> None:
        """Add Burmese promotion: where the pawn stands or one step of the new piece away, attacking
        nothing."""
        arena, rules, cell = self.arena, self.rules, bit.bit_length() - 1
        if arena.count(self.side, PAWN) > 1 and not bit & self.tables.zones[self.side]:
            return
        occupied = arena.occupied & ~bit
        for slot in self.tables.promotions[self.side]:
            limit = rules.promotion_limit.get(slot, 0)
            if limit and arena.count(self.side, slot) >= limit:
                continue
            letter = self.tables.letter_of[slot]
            new = self.tables.men[letter.lower() if self.side else letter]
            reached = arena.reach(new.captures[cell], new) & ~arena.occupied
            for to in cells_in(reached | bit):
                step = BoardChange(new.sign, bit, 1 << to)
                if (
                    not self._attacks_any(new, to, occupied)
                    and self.royalty.is_safe(step)
                    and not self.gives_check(step)
                ):
                    self.moves.append(self.tables.text[letter.lower()][cell][1 << to])

    def _attacks_any(self, man: Man, cell: int, occupied: int) -> bool:
        """Whether a man would attack one of the other side from a cell."""
        fixed, parts = man.captures[cell]
        for relevant, part in parts:
            fixed |= part[occupied & relevant]
        return bool(fixed & self.arena.other)

    def _move_piece(self, man: Man, bit: int) -> None:
        rules, arena, cell = self.rules, self.arena, bit.bit_length() - 1
        attacks, moves = self._targets(man, cell)
        every = attacks & arena.other | moves & ~arena.occupied
        if self.state.passed and man.slot in rules.passing_pieces[self.side]:
            for one in self.state.passed:
                if attacks & ~moves & ~arena.occupied & 1 << one:
                    self._take_in_passing(man, bit, one)
        if not every:
            return
        zone = self.tables.zones[self.side]
        pawn = every & zone if man.slot in rules.promotion_pawns[self.side] else 0
        up, down = self._find_turning(man, bit, every)
        plain = every & ~pawn if pawn and rules.mandatory_pawn_promotion else every
        if (up or down) and rules.mandatory_piece_promotion:
            left = 0 if zone & bit else ~zone
            if rules.promotion_on_capture:
                left |= ~arena.occupied
            plain &= left
        up, down = self._limit_turning(bit, up), self._limit_turning(bit, down)
        if rules.immobility_illegal:
            plain &= ~man.stuck
        safe = self.royalty.filter(man.sign, bit, every)
        if not safe:
            return
        self._add(cell, plain & safe)
        if up & safe:
            self._add(cell, up & safe, "+")
        if down & safe:
            self._add(cell, down & safe, "-")
        if pawn:
            self._promote(man, bit, pawn)

    def _find_turning(self, man: Man, bit: int, targets: int) -> tuple[int, int]:
        """Return where a piece could be promoted and demoted if every zone allowed it."""
        rules = self.rules
        slot = rules.promoted.get(man.slot, "")
        limit = rules.promotion_limit.get(slot, 0) if slot else 0
        is_full = limit and self.arena.count(self.side, slot) >= limit
        up = targets if slot and not is_full else 0
        under = self.state.under
        is_turned = rules.demotion and under and under[bit.bit_length() - 1].isalpha()
        return up, targets if is_turned else 0

    def _limit_turning(self, bit: int, targets: int) -> int:
        """Return where a piece can be promoted or demoted."""
        if self.rules.promotion_on_capture:
            targets &= self.arena.other
        zone = self.tables.zones[self.side]
        return targets if zone & bit else targets & zone

    def _take_in_passing(self, man: Man, bit: int, to: int) -> None:
        gone = 1 << self.state.victim
        step = BoardChange(man.sign, bit, 1 << to, gone)
        if not self.royalty.is_safe(step) or (self.quiet_only and self.gives_check(step)):
            return
        text = self.tables.text[""][bit.bit_length() - 1][1 << to]
        self.moves.append(text)
        self.taking.append(text)
        self.passes = True

    # Castling, leaps, passes, drops

    def _castle(self) -> None:
        """Add castling with each rook that may."""
        arena, royalty = self.arena, self.royalty
        for king, rook in self.state.castles:
            if not arena.own >> king & 1:
                continue
            sign = self.state.board[king]
            is_royal = self.tables.men[sign].slot == KING
            if (is_royal and royalty.in_check) or (not is_royal and royalty.king >= 0):
                continue
            king_to, rook_to = self.tables.castle(king, rook, self.side)
            ways = _between(king, king_to) | _between(rook, rook_to)
            if arena.occupied & ways & ~(1 << king | 1 << rook):
                continue
            if not self._is_castling_safe(king, rook, king_to, rook_to, is_royal=is_royal):
                continue
            step = BoardChange(sign, 1 << king, 1 << king_to)
            if self.quiet_only and self._checks_by_castling(step, rook, rook_to):
                continue
            move = SHORT if rook > king else LONG
            self.moves.append(move)
            for gate in (king, rook):
                if self.gates >> gate & 1 and gate not in (king_to, rook_to):
                    self._gate_castling(move, gate)

    def _checks_by_castling(self, step: BoardChange, rook: int, rook_to: int) -> bool:
        rook_sign = self.state.board[rook]
        as_rook = BoardChange(rook_sign, 1 << rook, 1 << rook_to)
        return self.gives_check(as_rook, (step.bit, step.to))

    def _gate_castling(self, move: str, gate: int) -> None:
        name = self.tables.names[gate]
        self.moves += [f"{move}/{letter.lower()}{name}" for letter in self._may_enter(gate)]

    def _is_castling_safe(
        self, king: int, rook: int, king_to: int, rook_to: int, *, is_royal: bool
    ) -> bool:
        """Whether the king passes and reaches no attacked cell."""
        arena, royalty, them = self.arena, self.royalty, 1 - self.side
        pseudo = royalty.pseudo
        if self.rules.pseudo_royal:
            without = arena.occupied & ~(1 << king)
            if pseudo >> king & 1:
                passed = cells_in(_between(king, king_to) & ~(1 << king_to) | 1 << king)
                for cell in passed:
                    if cell == king_to and king != king_to:
                        continue
                    is_hit = arena.is_attacked(cell, them, without)
                    if is_hit and not royalty.is_immune(cell):
                        return False
            after = without & ~(1 << rook) | 1 << rook_to | 1 << king_to
            royals = pseudo
            if pseudo >> king & 1:
                royals ^= 1 << king | 1 << king_to
            for cell in cells_in(royals):
                if not royalty.is_immune(cell) and arena.is_attacked(cell, them, after):
                    return False
        if not is_royal:
            return True
        for cell in cells_in(_between(king, king_to) & ~(1 << king)):
            if arena.is_attacked(cell, them, arena.occupied):
                return False
            other = arena.king(them)
            is_watched = self.rules.flying_general and other >= 0
            if is_watched and arena.sees_along_row(cell, other, arena.occupied & ~(1 << king)):
                return False
        return not arena.is_attacked(king_to, them, arena.occupied & ~(1 << rook))

    def _leap(self) -> None:
        """Add the leaps of Cambodian chess: of the king as a knight, of the met two forward."""
        tables, arena, royalty = self.tables, self.arena, self.royalty
        gates = self.state.gates[self.side]
        king = royalty.king
        leaps = list[tuple[int, int]]()
        if king >= 0 and gates >> king & 1 and not royalty.in_check:
            leaps += [(king, to) for to in self._step(king, ((2, 1), (-2, 1)))]
        for cell in cells_in(arena.mask(self.side, "fers") & gates):
            leaps += [(cell, to) for to in self._step(cell, ((0, 2),))]
        for start, to in leaps:
            if arena.occupied >> to & 1:
                continue
            if royalty.filter(self.state.board[start], 1 << start, 1 << to):
                text = tables.text[""][start][1 << to]
                if text not in self.moves:
                    self.moves.append(text)

    def _step(self, cell: int, steps: tuple[tuple[int, int], ...]) -> Iterator[int]:
        for step in steps:
            there = self.tables.step(cell, step, self.side)
            if there is not None:
                yield there

    def _pass(self) -> None:
        """Add passing, if it is allowed here."""
        royalty, side = self.royalty, self.side
        if self.rules.pass_on_stalemate[side] and not royalty.in_check and self.moves:
            return
        if not self.arena.own:
            return
        if self.rules.must_capture and self.taking:
            return
        is_safe = not royalty.is_exposed and royalty.is_pseudo_safe
        if is_safe or (self.state.facing and royalty.king >= 0):
            self.moves.append(PASS)

    def _may_drop(self, step: BoardChange) -> bool:
        rules = self.rules
        if (self.quiet_only or not rules.drop_checks) and self.gives_check(step):
            return False
        royalty, slot = self.royalty, self.tables.men[step.sign].slot
        is_royal = slot == KING or (rules.pseudo_royal and slot in rules.extinction_pieces)
        if not is_royal and not step.to & royalty.sensitive:
            return not royalty.is_exposed and royalty.is_pseudo_safe
        return royalty.is_safe(step)


def _between(start: int, end: int) -> int:
    """Return the cells of a row from one to another, both included, as bits."""
    low, high = min(start, end), max(start, end)
    return (2 << high) - (1 << low)


# Whether a move leaves the king attacked, or men that count as kings while few are left.


@dataclass(slots=True)
class BoardChange:
    """What a move does to the board, as far as attacks are concerned.

    sign, bit  the man that moves or is dropped, and where it comes from; 0 for a drop
    to         where it goes
    gone       the men of the other side that it captures
    becomes    the slot that it is promoted to as pawns are; "" otherwise
    """

    sign: str
    bit: int
    to: int
    gone: int = 0
    becomes: str = ""


class Royalty:
    """The royal men of a position, and which moves keep them safe.

    king      the cell of the king of the side to move; -1 without one
    checked   whether it, or a man that counts as a king, is attacked
    """

    def __init__(self, tables: MenTables, arena: Arena, *, facing: bool) -> None:
        self.tables, self.arena, self.rules = tables, arena, tables.rules
        self.us, self.them = arena.side, 1 - arena.side
        self.is_facing = facing
        self.king = arena.king(self.us)
        self.lines: list[tuple[Line, bool]] = []
        self.in_check = False
        self.pseudo = self.candidates = self.pseudo_theirs = 0
        if self.rules.pseudo_royal:
            self._find_pseudo_royals()
        if self.king >= 0:
            self.lines = arena.lines_to(self.king, self.them)
            self.in_check = self._holds(arena.occupied, 0, arena.cannons)
            if self.rules.flying_general or facing:
                self._look_at_king()
        self.sensitive = 0
        for (_, path, _, attacker), _ in self.lines:
            self.sensitive |= path | attacker
        self.is_exposed = self._holds(arena.occupied, 0, arena.cannons)
        self.is_pseudo_safe = True
        if self.pseudo or self.candidates:
            self._watch_pseudo_royals()
        self.checked = self.in_check or bool(self.find_checked_pseudo_royals())

    def _holds(self, occupied: int, gone: int, cannons: int) -> bool:
        """Whether one of the lines to the king is an attack."""
        for (kind, path, hurdle, attacker), is_cannon in self.lines:
            if attacker & gone:
                continue
            on_path = occupied & path
            if kind == EXACT:
                if on_path == hurdle:
                    return True
            elif on_path.bit_count() == 1 and not (is_cannon and on_path & cannons):
                return True
        return False

    def _look_at_king(self) -> None:
        """Add the line on which the kings must not see each other."""
        other = self.arena.king(self.them)
        if other >= 0:
            path = self.tables.rook_lines[self.king].get(1 << other)
            if path is not None:
                self.lines.append(((EXACT, path, 0, 1 << other), False))

    # Men that count as kings

    def _find_pseudo_royals(self) -> None:
        arena, rules = self.arena, self.rules
        for slot in rules.extinction_pieces:
            for side in (self.us, self.them):
                mask = arena.mask(side, slot)
                is_royal = mask.bit_count() <= rules.extinction_count + 1
                if side == self.us:
                    self.candidates |= mask
                    self.pseudo |= mask if is_royal else 0
                elif is_royal:
                    self.pseudo_theirs |= mask

    def _watch_pseudo_royals(self) -> None:
        watched = self.pseudo | (self.candidates if self.rules.duple_check else 0)
        for cell in cells_in(watched):
            self.sensitive |= 1 << cell
            for (_, path, _, attacker), _ in self.arena.lines_to(cell, self.them):
                self.sensitive |= path | attacker
        self.is_pseudo_safe = self._is_safe_for(
            self.pseudo, self.candidates, self.arena.occupied, 0, self.arena.cannons
        )

    def is_immune(self, cell: int) -> bool:
        """Whether capturing on a cell would blast the capturer's own royal man."""
        near = self.tables.around[cell]
        return self.rules.blast and bool(near & self.pseudo_theirs)

    def find_checked_pseudo_royals(self) -> int:
        """Return the men that count as kings and are attacked."""
        if not self.candidates:
            return 0
        arena, checked, attacked = self.arena, 0, 0
        for cell in cells_in(self.pseudo | self.candidates):
            if not self.is_immune(cell) and arena.is_attacked(cell, self.them, arena.occupied):
                attacked |= 1 << cell
        checked = attacked & self.pseudo
        if self.rules.duple_check and attacked & self.candidates == self.candidates:
            checked |= attacked
        return checked

    def _is_safe_for(
        self, royals: int, candidates: int, occupied: int, gone: int, cannons: int
    ) -> bool:
        """Whether none of these royals is attacked, nor all candidates at once."""
        arena = self.arena

        def is_hit(cell: int) -> bool:
            return not self.is_immune(cell) and arena.is_attacked(
                cell, self.them, occupied, gone, cannons
            )

        if any(is_hit(cell) for cell in cells_in(royals)):
            return False
        if not self.rules.duple_check or not candidates:
            return True
        return not all(is_hit(cell) for cell in cells_in(candidates))

    def _keeps_pseudo_royals(self, step: BoardChange, occupied: int, gone: int) -> bool:
        """Whether a move leaves the men that count as kings safe."""
        rules, arena, tables = self.rules, self.arena, self.tables
        slot = tables.men[step.sign].slot
        if step.gone and rules.blast:
            cell = step.to.bit_length() - 1
            pawns = arena.mask(0, PAWN) | arena.mask(1, PAWN)
            blasted = tables.around[cell] & (arena.own | arena.other) & ~pawns | step.to
            occupied &= ~blasted
            gone |= blasted
        royals, candidates = self.pseudo, self.candidates
        if not step.bit and slot in rules.extinction_pieces:
            royals |= step.to
        if royals & step.bit:
            royals ^= step.bit | step.to
        if candidates & step.bit:
            candidates ^= step.bit | step.to
        if step.becomes and step.becomes in rules.extinction_pieces:
            if arena.count(self.us, step.becomes) > rules.extinction_count:
                royals &= ~arena.mask(self.us, step.becomes)
            else:
                royals |= step.to
            candidates |= step.to
        if royals & ~occupied:
            return False
        if self.pseudo_theirs & ~occupied:
            royals = 0
        cannons = self._cannons_after(step)
        return self._is_safe_for(royals, candidates, occupied, gone | step.to, cannons)

    # Moves

    def _cannons_after(self, step: BoardChange) -> int:
        cannons = self.arena.cannons
        if self.tables.men[step.sign].is_cannon:
            return cannons & ~step.bit | step.to
        return cannons & ~step.to

    def is_safe(self, step: BoardChange) -> bool:
        """Whether a move that is possible leaves no royal man attacked."""
        arena, rules = self.arena, self.rules
        occupied = (arena.occupied & ~step.bit & ~step.gone) | step.to
        gone = step.gone & ~step.to | step.to
        if rules.pseudo_royal and not self._keeps_pseudo_royals(step, occupied, gone):
            return False
        if rules.mutually_immune and step.gone & step.to:
            slot = self.tables.men[step.sign].slot
            if slot in rules.mutually_immune and step.gone & arena.mask(self.them, slot):
                return False
        if not step.bit and self.tables.men[step.sign].slot == KING:  # dropped
            return self._is_king_safe(step, occupied)
        if self.king < 0:
            return True
        if step.bit >> self.king & 1:
            return self._is_king_safe(step, occupied)
        return not self._holds(occupied, gone, self._cannons_after(step))

    def _is_king_safe(self, step: BoardChange, occupied: int) -> bool:
        arena, rules = self.arena, self.rules
        to = step.to.bit_length() - 1
        other = arena.king(self.them)
        is_watched = rules.flying_general or self.is_facing
        is_watched = is_watched and other >= 0 and not step.to >> other & 1
        if is_watched and arena.sees_along_row(to, other, occupied):
            return False
        if rules.makpong and self.in_check:
            attackers = arena.attackers(self.king, self.them, arena.occupied)
            if attackers != step.to:
                return False
        return not arena.is_attacked(to, self.them, occupied, step.to)

    def filter(self, sign: str, bit: int, targets: int) -> int:
        """Return the targets of a man, which are empty or hold men of the other side, where it may
        go."""
        rules, arena = self.rules, self.arena
        if bit >> self.king & 1 if self.king >= 0 else False:
            return self._filter_each(sign, bit, targets)
        tested = targets if bit & self.sensitive else targets & self.sensitive
        if rules.blast or rules.mutually_immune:
            tested |= targets & arena.other
        safe = 0 if self.is_exposed or not self.is_pseudo_safe else targets & ~tested
        return safe | (self._filter_each(sign, bit, tested) if tested else 0)

    def _filter_each(self, sign: str, bit: int, targets: int) -> int:
        safe, other = 0, self.arena.other
        while targets:
            low = targets & -targets
            if self.is_safe(BoardChange(sign, bit, low, low & other)):
                safe |= low
            targets ^= low
        return safe


# Where pieces in hand may be dropped.

BISHOP = "bishop"


class DropPosition(Protocol):
    """The position in which a man is dropped, and what has been found of it."""

    tables: MenTables
    rules: VariantRules
    side: int
    state: State
    arena: Arena


def find_drops(at: DropPosition) -> Iterator[tuple[str, BoardChange]]:
    """Yield the drops that the rules of dropping allow, each with its effect."""
    tables, rules, side = at.tables, at.rules, at.side
    hand = at.state.hands[side]
    for letter in dict.fromkeys(hand):
        slot = tables.slot_of[letter]
        if rules.must_drop and _must_drop_other(at, slot):
            continue
        sign = letter.lower() if side else letter
        cells = find_region(at, sign) & ~at.arena.occupied
        promoted = rules.promoted.get(slot) if rules.drop_promoted else ""
        if promoted:
            other = tables.letter_of[promoted]
            raised = other.lower() if side else other
            yield from _drop(at, f"+{letter}", raised, cells)
        yield from _drop(at, letter, sign, cells)


def _must_drop_other(at: DropPosition, slot: str) -> bool:
    wanted = at.rules.must_drop_piece
    if wanted in ("*", slot):
        return False
    return at.tables.letter_of.get(wanted, " ") in at.state.hands[at.side]


def _drop(at: DropPosition, what: str, sign: str, cells: int) -> Iterator[tuple[str, BoardChange]]:
    tables, rules = at.tables, at.rules
    if rules.immobility_illegal:
        cells &= ~tables.men[sign].stuck
    for cell in cells_in(cells):
        if rules.opposite_bishops and not _keeps_bishops_apart(at, sign, cell):
            continue
        yield tables.drop(what, cell), BoardChange(sign, 0, 1 << cell)


def find_region(at: DropPosition, sign: str) -> int:
    """Return the cells where a piece may come in from the hand, empty or not."""
    tables, rules, side, arena = at.tables, at.rules, at.side, at.arena
    man = tables.men[sign]
    cells, slot = tables.drop_region[side] & man.fits, man.slot
    first = tables.rank[tables.height - 1 if side else 0]
    if slot == PAWN:
        if not rules.zone_pawn_drops:
            cells &= ~tables.zones[side]
        if not rules.first_row_pawn_drops:
            cells &= ~first
    if slot == rules.no_doubled:
        own = arena.mask(side, slot)
        for column in tables.file:
            if (column & own).bit_count() >= rules.no_doubled_count:
                cells &= ~column
    if slot == "rook" and rules.sittuyin_rook_drop:
        cells &= first
    if rules.drop_on_top:
        cells &= (arena.occupied << tables.width) | tables.rank[0]
    return cells


def _keeps_bishops_apart(at: DropPosition, sign: str, cell: int) -> bool:
    """Whether the bishops of a side can still be on cells of both colours."""
    tables, side, arena = at.tables, at.side, at.arena
    bishops = arena.mask(side, BISHOP)
    hand = at.state.hands[side].count(tables.letter_of.get(BISHOP, " "))
    count = bishops.bit_count() + hand
    if tables.slot_of[sign.upper()] == BISHOP:
        same = tables.dark if tables.dark >> cell & 1 else ~tables.dark
        return (same & bishops).bit_count() + 1 <= (count + 1) // 2
    letter = tables.letter_of.get(BISHOP, "")
    region = 0
    if letter:
        region = find_region(at, letter.lower() if side else letter) & ~arena.occupied
    left = (bishops | region & ~(1 << cell)) & tables.full
    dark, light = left & tables.dark, left & ~tables.dark
    return dark.bit_count() >= count // 2 and light.bit_count() >= count // 2
