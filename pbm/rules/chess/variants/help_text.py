"""The help page of a variant, made of its rules."""

from __future__ import annotations

from collections.abc import Iterator
from textwrap import fill

from pbm.rules.chess.variants.equipment import Equipment
from pbm.rules.chess.variants.move_diagrams import describe_moves, draw_diagrams
from pbm.rules.chess.variants.rule_set import (
    DRAW,
    KING,
    LOSS,
    MOST_COLUMNS,
    NONE,
    PAWN,
    WIN,
    VariantRules,
)
from pbm.rules.chess.variants.slots import SLOTS
from pbm.rules.typed import listing

_WIDTH = 78
USUAL = {"knight", "bishop", "rook", "queen", "king", PAWN}
"""The pieces that everybody knows."""
_RESULTS = {WIN: "wins", LOSS: "loses", DRAW: "draws"}


def write_help(equipment: Equipment, title: str, notes: str) -> str:
    """Return the page of `GAME help`."""
    page = _Page(equipment)
    paragraphs = [
        f"{title.upper()}, 2 players",
        page.aim(),
        page.board(),
        page.pieces(),
        draw_diagrams(equipment, USUAL),
        page.special(),
        page.promotion(),
        page.hands(),
        page.writing(),
        page.end(),
        fill(f"NOTES. {notes}", _WIDTH) if notes else "",
        'NOTES. "export" mails the game in PGN.' if not notes else "",
    ]
    return "\n\n".join(paragraph for paragraph in paragraphs if paragraph) + "\n"


def _say(head: str, sentences: Iterator[str]) -> str:
    """Return a paragraph; "" if there is nothing to say."""
    text = " ".join(sentences)
    return fill(f"{head}. {text}", _WIDTH) if text else ""


class _Page:
    """What the paragraphs of a page are made of."""

    def __init__(self, equipment: Equipment) -> None:
        self.equipment, self.rules = equipment, equipment.rules
        self.first, self.second = equipment.seats

    def _name(self, slot: str) -> str:
        letter = self.rules.letters.get(slot)
        return self.equipment.name_of(letter) if letter else SLOTS[slot].title or slot

    def _names(self, slots: frozenset[str], last: str = "and") -> str:
        own = [slot for slot in self.rules.slots.values() if slot in slots]
        return listing([self._name(slot) for slot in own], last)

    # Paragraphs

    def aim(self) -> str:
        """Return what wins."""
        return _say("AIM", self._aims())

    def _aims(self) -> Iterator[str]:
        rules = self.rules
        if any(rules.flag_region):
            yield self._goal()
        if rules.check_counting:
            yield "Giving the last of the checks that the board counts wins."
        if rules.connect:
            yield f"{rules.connect} men in a row win."
        if rules.extinction != NONE and not rules.pseudo_royal:
            yield self._extinction()
        if rules.pseudo_royal:
            names = self._names(rules.extinction_pieces, "or")
            yield f"The {names} must not be lost: attacked, it is in check as a king is."
        if rules.must_capture:
            yield "A capture that is possible must be made."
        if KING in rules.letters or rules.pseudo_royal:
            what = "Checkmate" if rules.checkmate == LOSS else "Being checkmated"
            yield f"{what} wins."

    def _goal(self) -> str:
        rules, parts = self.rules, []
        for side, seat in enumerate((self.first, self.second)):
            piece = rules.flag_piece[side]
            what = "a man" if piece == "*" else f"the {self._name(piece)}"
            if rules.flag_region[side]:
                parts.append(f"{seat} brings {what} to {_tell_cells(rules, side)}")
        count = f", {rules.flag_count} of them" if rules.flag_count > 1 else ""
        text = f"Wins who reaches the goal{count}: {', '.join(parts)}."
        if rules.flag_move:
            text += " The other side has one more move."
        if rules.flag_safe:
            text += " It must not be attacked there."
        return text

    def _extinction(self) -> str:
        rules = self.rules
        if "*" in rules.extinction_pieces:
            what = "all men" if not rules.extinction_count else "all men but one"
        else:
            what = f"the last {self._names(rules.extinction_pieces, 'or')}"
            if rules.extinction_count:
                what = f"the {self._names(rules.extinction_pieces, 'or')} down to "
                what += f"{rules.extinction_count}"
        return f"A side that has lost {what} {_RESULTS[rules.extinction]}."

    def board(self) -> str:
        """Return the size of the board."""
        rules = self.rules
        size = f"{rules.columns} columns and {rules.rows} rows"
        text = f"BOARD. {size}. {self.first.capitalize()}, in capitals, begins"
        return fill(text + (" below." if not _begins_with_second(rules) else "."), _WIDTH)

    def pieces(self) -> str:
        """Return the pieces and how they move, in words."""
        lines = []
        for letter, slot in self.rules.slots.items():
            name = self.equipment.name_of(letter)
            text = f"{letter} {name}: {describe_moves(self.rules, slot)}"
            lines.append(fill(text, _WIDTH, initial_indent="  ", subsequent_indent="      "))
        return "PIECES.\n" + "\n".join(lines)

    def special(self) -> str:
        """Return what moves are special."""
        return _say("SPECIAL", self._specials())

    def _specials(self) -> Iterator[str]:
        rules = self.rules
        if rules.castling and _has_rights(rules):
            left, right = (
                "abcdefghijkl"[column]
                for column in (rules.castling_left_column, rules.castling_right_column)
            )
            yield f"Castling brings the king to column {left} or {right}."
        if PAWN in rules.letters and rules.double_step and any(rules.double_step_region):
            yield "A pawn may go two squares from where it may make a double step."
        if rules.blast:
            yield "A capture explodes: the men around it, pawns aside, are gone with both."
        if not rules.checking:
            yield "No check may be given."
        if rules.seirawan_gating:
            yield "A man that moves for the first time may be followed by a piece of the hand."
        if rules.cambodian:
            yield "The king may once leap like a knight, forward, and the met two squares."
        if rules.flying_general:
            yield "The kings may not face each other with nothing between."
        if rules.diagonals:
            yield "In the palaces men also move along the lines drawn."
        if rules.facing_kings:
            yield "Kings that face each other are answered, or the game ends."
        if any(rules.passing_turn):
            yield "A side may pass."
        if rules.makpong:
            yield "The king may not move away from check."
        if rules.duple_check:
            yield "With several kings only an attack on all of them is check."

    def promotion(self) -> str:
        """Return how men are promoted."""
        return _say("PROMOTION", self._promotions())

    def _promotions(self) -> Iterator[str]:
        rules = self.rules
        for side, seat in enumerate((self.first, self.second)):
            pawns = rules.promotion_pawns[side] & rules.letters.keys()
            if pawns and rules.promotion_pieces[side]:
                names = self._names(rules.promotion_pieces[side], "or")
                if not side or rules.promotion_pieces[0] != rules.promotion_pieces[1]:
                    yield f"{seat.capitalize()}'s {self._names(pawns)} becomes {names}."
        pairs = [
            f"{self._name(slot)} to {self._name(other)}"
            for slot, other in rules.promoted.items()
            if slot in rules.letters and other in rules.letters
        ]
        if pairs:
            yield f"Promoted are {listing(pairs)}: write + behind the move."
            must = "must" if rules.mandatory_piece_promotion else "may"
            where = "when it captures" if rules.promotion_on_capture else "in its zone"
            yield f"A man {must} be promoted {where}."
        if rules.demotion:
            yield "A promoted man turns back: write - behind the move."

    def hands(self) -> str:
        """Return what the hands are for."""
        return _say("HANDS", self._hands())

    def _hands(self) -> Iterator[str]:
        rules = self.rules
        if rules.captures_to_hand:
            yield "A captured man changes sides and goes to the hand of who took it."
        if rules.drops:
            yield "Instead of a move, a piece of the hand may be dropped on an empty square."
        if rules.must_drop:
            yield "While there are pieces in hand they must be dropped."
        if rules.no_doubled:
            yield f"No second {self._name(rules.no_doubled)} of a side on a column."
        if rules.no_pawn_drop_mate:
            yield "A pawn dropped so that it mates loses."
        if not rules.drop_checks:
            yield "A drop may not give check."

    def writing(self) -> str:
        """Return how moves are written."""
        first = self.equipment.example
        lines = ["WRITING MOVES. The piece and where it goes, or both squares:", f"  > {first}"]
        if self.rules.drops:
            lines.append("A drop is the letter of the piece, @ and the square, as in N@c3.")
        if any(self.rules.passing_turn):
            lines.append("To pass, write pass.")
        return "\n".join(lines)

    def end(self) -> str:
        """Return how games end."""
        return _say("THE END", self._ends())

    def _ends(self) -> Iterator[str]:
        rules = self.rules
        if rules.stalemate_by_count:
            yield "Without a legal move, the side with fewer men wins."
        else:
            yield f"A side without a legal move, not in check, {_RESULTS[rules.stalemate]}."
        if "nMoveRule" in rules.said and rules.idle_moves:
            yield f"After {rules.idle_moves} moves of each side without progress it is a draw."
        elif rules.idle_moves:
            yield "After 75 moves of each side without progress it is a draw."
        if rules.perpetual_check:
            yield "Who repeats the position by checking always loses."
        if rules.recurring:
            yield f"Positions that come back: {_tell_repetition(rules)}."
        if rules.counting != NONE:
            yield f"The count of {rules.counting} limits mating a king nearly alone."
        if rules.material != NONE:
            yield "Where the board decides nothing, the men are counted."
        yield "Resigning loses."


def _tell_repetition(rules: VariantRules) -> str:
    if "nFoldRule" in rules.said or "nFoldValue" in rules.said:
        result = rules.recurring_value
        what = "a draw" if result == DRAW else "a loss" if result == LOSS else "a win"
        who = "" if result == DRAW else " for the side to move"
        return f"the {rules.recurring}. time is {what}{who}"
    return "a draw may be claimed the third time"


def _tell_cells(rules: VariantRules, side: int) -> str:
    """Return the cells of a goal."""
    region, names = rules.flag_region[side], []
    for row in range(rules.rows):
        line = region >> row * MOST_COLUMNS & (1 << rules.columns) - 1
        if line == (1 << rules.columns) - 1:
            names.append(f"row {row + 1}")
        else:
            names += [
                f"{'abcdefghijkl'[column]}{row + 1}"
                for column in range(rules.columns)
                if line >> column & 1
            ]
    return listing(names[:12], "or") + (" and so on" if len(names) > 12 else "")


def _has_rights(rules: VariantRules) -> bool:
    fields = rules.start.split()
    return len(fields) > 2 and fields[2] not in ("-", "") and not fields[2].isdigit()


def _begins_with_second(rules: VariantRules) -> bool:
    fields = rules.start.split()
    return len(fields) > 1 and fields[1] == "b"
