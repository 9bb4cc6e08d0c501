"""The help page of a variant, made of its rules."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from textwrap import fill

from pbm.rules.chess.variants.men_tables import (
    DRAW,
    KING,
    LOSS,
    MOST_COLUMNS,
    NONE,
    PAWN,
    SLOTS,
    WIN,
    VariantRules,
)
from pbm.rules.chess.variants.move_diagrams import describe_moves, draw_diagrams
from pbm.rules.chess.variants.start import Equipment
from pbm.rules.phrases import Listing, Phrase, combine, join_phrases, make_phrase, phrase

_WIDTH = 78
USUAL = {"knight", "bishop", "rook", "queen", "king", PAWN}
"""The pieces that everybody knows."""
_Saying = Callable[[str], str]
"""What says a phrase in the language of the page."""


def write_help(equipment: Equipment, title: str, notes: str, say: _Saying = str) -> str:
    """Return the page of `GAME help`, of phrases that are said in the language of its reader."""
    page = _Page(equipment, say)
    if not notes and equipment.rules.two_boards:
        notes = phrase('"export" mails the game in BPGN.')
    notes = notes or phrase('"export" mails the game in PGN.')
    paragraphs = [
        say(page.head(title)),
        page.aim(),
        page.two_boards(),
        page.board(),
        page.pieces(),
        draw_diagrams(equipment, USUAL, say),
        page.special(),
        page.promotion(),
        page.hands(),
        page.writing(),
        page.end(),
        page.join(phrase("NOTES"), iter([Phrase(notes)])),
    ]
    return "\n\n".join(paragraph for paragraph in paragraphs if paragraph) + "\n"


class _Page:
    """What the paragraphs of a page are made of."""

    def __init__(self, equipment: Equipment, say: _Saying) -> None:
        self.equipment, self.rules, self.say = equipment, equipment.rules, say
        self.first, self.second = map(Phrase, equipment.seats)
        self.heads = [Phrase(seat.capitalize()) for seat in equipment.seats]

    def join(self, head: str, sentences: Iterator[str]) -> str:
        """Return a paragraph; "" if there is nothing to say."""
        text = " ".join(map(self.say, sentences))
        return fill(f"{self.say(head)}. {text}", _WIDTH) if text else ""

    def _name(self, slot: str) -> Phrase:
        letter = self.rules.letters.get(slot)
        return self.equipment.name_of(letter) if letter else make_phrase(SLOTS[slot].title or slot)

    def _names(self, slots: frozenset[str], last: str = "and") -> Listing:
        own = [slot for slot in self.rules.slots.values() if slot in slots]
        return Listing([self._name(slot) for slot in own], last)

    # Paragraphs

    def head(self, title: str) -> Phrase:
        """Return the title and the number of players."""
        capitals = self.say(Phrase(title)).upper()
        if self.rules.two_boards:
            return phrase("{title}, 4 players on two boards", title=capitals)
        return phrase("{title}, 2 players", title=capitals)

    def aim(self) -> str:
        """Return what wins."""
        return self.join(phrase("AIM"), self._aims())

    def _aims(self) -> Iterator[str]:
        rules = self.rules
        if any(rules.flag_region):
            yield from self._goal()
        if rules.check_counting:
            yield phrase("Giving the last of the checks that the board counts wins.")
        if rules.connect:
            yield phrase("{count} men in a row win.", count=rules.connect)
        if rules.extinction != NONE and not rules.pseudo_royal:
            yield self._extinction()
        if rules.pseudo_royal:
            yield phrase(
                "The {pieces} must not be lost: attacked, it is in check as a king is.",
                pieces=self._names(rules.extinction_pieces, "or"),
            )
        if rules.must_capture:
            yield phrase("A capture that is possible must be made.")
        if KING in rules.letters or rules.pseudo_royal:
            if rules.checkmate == LOSS:
                yield phrase("Checkmate wins.")
            else:
                yield phrase("Being checkmated wins.")

    def _goal(self) -> Iterator[str]:
        rules, parts = self.rules, list[str]()
        for side, seat in enumerate((self.first, self.second)):
            piece = rules.flag_piece[side]
            cells = _tell_cells(rules, side) if rules.flag_region[side] else ""
            if cells and piece == "*":
                parts.append(phrase("{seat} brings a man to {cells}", seat=seat, cells=cells))
            elif cells:
                parts.append(
                    phrase(
                        "{seat} brings the {piece} to {cells}",
                        seat=seat,
                        piece=self._name(piece),
                        cells=cells,
                    )
                )
        goals = join_phrases(", ", parts)
        if rules.flag_count > 1:
            yield phrase(
                "Wins who reaches the goal, {count} of them: {goals}.",
                count=rules.flag_count,
                goals=goals,
            )
        else:
            yield phrase("Wins who reaches the goal: {goals}.", goals=goals)
        if rules.flag_move:
            yield phrase("The other side has one more move.")
        if rules.flag_safe:
            yield phrase("It must not be attacked there.")

    def _extinction(self) -> Phrase:
        rules = self.rules
        names = self._names(rules.extinction_pieces, "or")
        if "*" in rules.extinction_pieces:
            what = phrase("all men but one") if rules.extinction_count else phrase("all men")
        elif rules.extinction_count:
            count = rules.extinction_count
            what = phrase("the {pieces} down to {count}", pieces=names, count=count)
        else:
            what = phrase("the last {pieces}", pieces=names)
        if rules.extinction == WIN:
            return phrase("A side that has lost {what} wins.", what=what)
        if rules.extinction == LOSS:
            return phrase("A side that has lost {what} loses.", what=what)
        return phrase("A side that has lost {what} draws.", what=what)

    def two_boards(self) -> str:
        """Return how the four play together."""
        return self.join(phrase("TWO BOARDS"), self._two_boards())

    def _two_boards(self) -> Iterator[str]:
        if not self.rules.two_boards:
            return
        first, second = self.heads
        yield phrase(
            "{first} on board A and {second} on board B are partners, and so are {second} on A "
            "and {first} on B.",
            first=first,
            second=second,
        )
        yield phrase("Of the four who are challenged the first and the last are partners.")
        yield phrase(
            "A captured man keeps its colour and goes to the hand of the capturer's partner."
        )
        yield phrase(
            "The boards take turns, move by move: {first} on A, {first} on B, {second} on A, "
            "{second} on B, so that nobody gains by waiting.",
            first=first,
            second=second,
        )
        yield phrase("What ends one board ends the game, for both partners alike.")
        yield phrase("Mate counts with what is in hand: nobody waits for a man to come.")

    def board(self) -> str:
        """Return the size of the board."""
        return self.join(phrase("BOARD"), self._sizes())

    def _sizes(self) -> Iterator[str]:
        rules, seat = self.rules, self.heads[0]
        yield phrase("{columns} columns and {rows} rows.", columns=rules.columns, rows=rules.rows)
        if _begins_with_second(rules):
            yield phrase("{seat}, in capitals, begins.", seat=seat)
        else:
            yield phrase("{seat}, in capitals, begins below.", seat=seat)

    def pieces(self) -> str:
        """Return the pieces and how they move, in words."""
        lines = []
        for letter, slot in self.rules.slots.items():
            text = combine(
                "{letter} {piece}: {moves}",
                letter=letter,
                piece=self.equipment.name_of(letter),
                moves=describe_moves(self.rules, slot),
            )
            line = self.say(text)
            lines.append(fill(line, _WIDTH, initial_indent="  ", subsequent_indent="      "))
        how = phrase("Their letters, and how they move:")
        return "\n".join([self.join(phrase("PIECES"), iter([how])), *lines])

    def special(self) -> str:
        """Return what moves are special."""
        return self.join(phrase("SPECIAL"), self._specials())

    def _specials(self) -> Iterator[str]:
        rules = self.rules
        if rules.castling and _has_rights(rules):
            left, right = (
                "abcdefghijkl"[column]
                for column in (rules.castling_left_column, rules.castling_right_column)
            )
            yield phrase(
                "Castling brings the king to column {left} or {right}.", left=left, right=right
            )
        if PAWN in rules.letters and rules.double_step and any(rules.double_step_region):
            yield phrase("A pawn may go two squares from where it may make a double step.")
        if rules.blast:
            yield phrase("A capture explodes: the men around it, pawns aside, are gone with both.")
        if not rules.checking:
            yield phrase("No check may be given.")
        if rules.seirawan_gating:
            yield phrase(
                "A man that moves for the first time may be followed by a piece of the hand."
            )
        if rules.cambodian:
            yield phrase("The king may once leap like a knight, forward, and the met two squares.")
        if rules.flying_general:
            yield phrase("The kings may not face each other with nothing between.")
        if rules.diagonals:
            yield phrase("In the palaces men also move along the lines drawn.")
        if rules.facing_kings:
            yield phrase("Kings that face each other are answered, or the game ends.")
        if any(rules.passing_turn):
            yield phrase("A side may pass.")
        if rules.makpong:
            yield phrase("The king may not move away from check.")
        if rules.duple_check:
            yield phrase("With several kings only an attack on all of them is check.")

    def promotion(self) -> str:
        """Return how men are promoted."""
        return self.join(phrase("PROMOTION"), self._promotions())

    def _promotions(self) -> Iterator[str]:
        rules = self.rules
        for side in range(2):
            pawns = rules.promotion_pawns[side] & rules.letters.keys()
            if pawns and rules.promotion_pieces[side]:
                names = self._names(rules.promotion_pieces[side], "or")
                if not side or rules.promotion_pieces[0] != rules.promotion_pieces[1]:
                    yield phrase(
                        "{seat}'s {pawns} becomes {pieces}.",
                        seat=self.heads[side],
                        pawns=self._names(pawns),
                        pieces=names,
                    )
        pairs = [
            phrase("{piece} to {other}", piece=self._name(slot), other=self._name(other))
            for slot, other in rules.promoted.items()
            if slot in rules.letters and other in rules.letters
        ]
        if pairs:
            yield phrase(
                "Promoted are {promotions}: write + behind the move.", promotions=Listing(pairs)
            )
            if rules.promotion_on_capture:
                yield (
                    phrase("A man must be promoted when it captures.")
                    if rules.mandatory_piece_promotion
                    else phrase("A man may be promoted when it captures.")
                )
            elif rules.mandatory_piece_promotion:
                yield phrase("A man must be promoted in its zone.")
            else:
                yield phrase("A man may be promoted in its zone.")
        if rules.demotion:
            yield phrase("A promoted man turns back: write - behind the move.")

    def hands(self) -> str:
        """Return what the hands are for."""
        return self.join(phrase("HANDS"), self._hands())

    def _hands(self) -> Iterator[str]:
        rules = self.rules
        if rules.captures_to_hand:
            yield phrase("A captured man changes sides and goes to the hand of who took it.")
        if rules.drops:
            yield phrase(
                "Instead of a move, a piece of the hand may be dropped on an empty square."
            )
        if rules.must_drop:
            yield phrase("While there are pieces in hand they must be dropped.")
        if rules.no_doubled:
            piece = self._name(rules.no_doubled)
            yield phrase("No second {piece} of a side on a column.", piece=piece)
        if rules.no_pawn_drop_mate:
            yield phrase("A pawn dropped so that it mates loses.")
        if not rules.drop_checks:
            yield phrase("A drop may not give check.")

    def writing(self) -> str:
        """Return how moves are written."""
        how = phrase("The piece and where it goes, or both squares:")
        lines = [self.join(phrase("WRITING MOVES"), iter([how])), f"  > {self.equipment.example}"]
        if self.rules.drops:
            drop = phrase("A drop is the letter of the piece, @ and the square, as in N@c3.")
            lines.append(fill(self.say(drop), _WIDTH))
        if any(self.rules.passing_turn):
            lines.append(self.say(phrase("To pass, write pass.")))
        return "\n".join(lines)

    def end(self) -> str:
        """Return how games end."""
        return self.join(phrase("THE END"), self._ends())

    def _ends(self) -> Iterator[str]:
        rules = self.rules
        if rules.stalemate_by_count:
            yield phrase("Without a legal move, the side with fewer men wins.")
        elif rules.stalemate == WIN:
            yield phrase("A side without a legal move, not in check, wins.")
        elif rules.stalemate == LOSS:
            yield phrase("A side without a legal move, not in check, loses.")
        else:
            yield phrase("A side without a legal move, not in check, draws.")
        if rules.idle_moves:
            yield phrase(
                "After {most} moves of each side without progress it is a draw.",
                most=rules.idle_moves if "nMoveRule" in rules.said else 75,
            )
        if rules.perpetual_check:
            yield phrase("Who repeats the position by checking always loses.")
        if rules.recurring:
            yield phrase("Positions that come back: {result}.", result=_tell_repetition(rules))
        if rules.counting != NONE:
            yield phrase(
                "The count of {game} limits mating a king nearly alone.", game=rules.counting
            )
        if rules.material != NONE:
            yield phrase("Where the board decides nothing, the men are counted.")
        yield phrase("Resigning loses.")


def _tell_repetition(rules: VariantRules) -> Phrase:
    if "nFoldRule" not in rules.said and "nFoldValue" not in rules.said:
        return phrase("a draw may be claimed the third time")
    if rules.recurring_value == DRAW:
        return phrase("the {number}. time is a draw", number=rules.recurring)
    if rules.recurring_value == LOSS:
        return phrase("the {number}. time is a loss for the side to move", number=rules.recurring)
    return phrase("the {number}. time is a win for the side to move", number=rules.recurring)


def _tell_cells(rules: VariantRules, side: int) -> str:
    """Return the cells of a goal."""
    region, names = rules.flag_region[side], list[str]()
    for row in range(rules.rows):
        line = region >> row * MOST_COLUMNS & (1 << rules.columns) - 1
        if line == (1 << rules.columns) - 1:
            names.append(phrase("row {row}", row=row + 1))
        else:
            names += [
                f"{'abcdefghijkl'[column]}{row + 1}"
                for column in range(rules.columns)
                if line >> column & 1
            ]
    cells = Listing(names[:12], "or")
    return phrase("{cells} and so on", cells=cells) if len(names) > 12 else cells


def _has_rights(rules: VariantRules) -> bool:
    fields = rules.start.split()
    return len(fields) > 2 and fields[2] not in ("-", "") and not fields[2].isdigit()


def _begins_with_second(rules: VariantRules) -> bool:
    fields = rules.start.split()
    return len(fields) > 1 and fields[1] == "b"
