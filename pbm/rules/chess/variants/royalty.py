"""Whether a move leaves the king attacked, or men that count as kings while few are left."""

from __future__ import annotations

from dataclasses import dataclass

from pbm.rules.chess.movement_tables import cells_in
from pbm.rules.chess.variants.arena import Arena
from pbm.rules.chess.variants.men_tables import EXACT, Line, MenTables
from pbm.rules.chess.variants.rule_set import KING, PAWN


@dataclass(slots=True)
class Step:
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

    def _keeps_pseudo_royals(self, step: Step, occupied: int, gone: int) -> bool:
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

    def _cannons_after(self, step: Step) -> int:
        cannons = self.arena.cannons
        if self.tables.men[step.sign].is_cannon:
            return cannons & ~step.bit | step.to
        return cannons & ~step.to

    def is_safe(self, step: Step) -> bool:
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

    def _is_king_safe(self, step: Step, occupied: int) -> bool:
        """Whether the king may go there."""
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
            if self.is_safe(Step(sign, bit, low, low & other)):
                safe |= low
            targets ^= low
        return safe
