"""The help page of a variant, made of its rules."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import product
from textwrap import fill

from pbm.rules.chess.variants.men_tables import (
    ALL,
    DRAW,
    KING,
    LOSS,
    MOST_COLUMNS,
    NONE,
    PAWN,
    SLOTS,
    SOLDIER,
    WIN,
    Region,
    VariantRules,
)
from pbm.rules.chess.variants.move_diagrams import describe_moves, draw_diagrams
from pbm.rules.chess.variants.moves_in_betza import read_betza
from pbm.rules.chess.variants.playing import COUNTS, POINTS, REPETITION_KEYS
from pbm.rules.chess.variants.start import (
    CHESS,
    FOOT,
    Equipment,
    find_later_example,
    find_short_example,
    read_state,
)
from pbm.rules.phrases import (
    Listing,
    Phrase,
    PieceText,
    combine,
    join_phrases,
    make_phrase,
    phrase,
    phrase_number,
    wrap,
)

_WIDTH = 78
_COLUMNS = "abcdefghijkl"
_Saying = Callable[[str], str]
"""Translates a phrase into the language of the page."""
_BOTH = frozenset({0, 1})
_KINGS = {KING, "commoner"}
_STALEMATES = {
    WIN: (
        phrase("A side that has no legal move and is not in check wins."),
        phrase("A side without a legal move wins."),
    ),
    LOSS: (
        phrase("A side that has no legal move and is not in check loses."),
        phrase("A side without a legal move loses."),
    ),
    DRAW: (
        phrase("If a side has no legal move and is not in check, it is a draw."),
        phrase("If a side has no legal move, it is a draw."),
    ),
}
"""What becomes of a side without a legal move, where there is check and where there is none."""
_DRAWN = {
    2: phrase("A position that occurs for the second time is a draw."),
    3: phrase("A position that occurs for the third time is a draw."),
    4: phrase("A position that occurs for the fourth time is a draw."),
}
_LOST = {
    2: phrase("Whoever is to move when a position occurs for the second time loses."),
    3: phrase("Whoever is to move when a position occurs for the third time loses."),
    4: phrase("Whoever is to move when a position occurs for the fourth time loses."),
}


def write_help(equipment: Equipment, title: str, about: str, say: _Saying = str) -> str:
    """Return the page of `GAME help`, of phrases that are said in the language of its reader."""
    page = _Page(equipment, say)
    notes = phrase('"export" mails the game in PGN.')
    if equipment.rules.two_boards:
        notes = phrase('"export" mails the game in BPGN.')
    paragraphs = [
        say(page.head(title)),
        fill(say(make_phrase(about)), _WIDTH) if about else "",
        page.join(phrase("AIM"), page.aims()),
        page.join(phrase("TWO BOARDS"), page.two_boards()),
        page.join(phrase("BOARD"), page.begins()),
        page.pieces(),
        draw_diagrams(equipment, say),
        page.join(phrase("SPECIAL"), page.specials()),
        page.join(phrase("PROMOTION"), page.promotions()),
        page.join(phrase("HANDS"), page.hands()),
        page.writing(),
        page.join(phrase("THE END"), page.ends()),
        page.join(phrase("NOTES"), iter([notes])),
    ]
    return "\n\n".join(paragraph for paragraph in paragraphs if paragraph) + "\n"


class _Page:
    """The data from which a page's paragraphs are made."""

    def __init__(self, equipment: Equipment, say: _Saying) -> None:
        self.equipment, self.rules, self.say = equipment, equipment.rules, say
        self.state = read_state(self.rules)
        self.signs = equipment.signs
        self.slots = {
            letter: slot for letter, slot in self.rules.slots.items() if slot in self.signs
        }
        self.has_check = self.rules.checking and bool(
            KING in self.rules.letters or self.rules.pseudo_royal
        )
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
        own = [slot for slot in self.slots.values() if slot in slots]
        return Listing([self._name(slot) for slot in own], last)

    def _places(self, regions: list[Region], sides: frozenset[int] = _BOTH) -> Phrase:
        """Return the cells of the sides: once where they are the same."""
        one, other = (
            _tell_region(self.rules, region) or phrase("any square") for region in regions
        )
        if one == other:
            return phrase("{cells}", cells=one)
        if len(sides) == 1:
            (side,) = sides
            return phrase(
                "{cells} ({seat})", cells=(one, other)[side], seat=(self.first, self.second)[side]
            )
        return phrase(
            "{cells} ({first}) or {others} ({second})",
            cells=one,
            first=self.first,
            others=other,
            second=self.second,
        )

    def _find_owners(self, slots: frozenset[str]) -> frozenset[int]:
        """Return the sides that have such men at first; both where men change sides."""
        rules, state = self.rules, self.state
        if rules.captures_to_hand or rules.two_boards:
            return _BOTH
        there = state.board + state.hands[0] + state.hands[1].lower()
        return frozenset(
            int(sign.islower())
            for sign in there
            if sign.isalpha() and rules.slots[sign.upper()] in slots
        )

    # Paragraphs

    def head(self, title: str) -> Phrase:
        """Return the title and the number of players."""
        capitals = self.say(Phrase(title)).upper()
        if self.rules.two_boards:
            return phrase("{title}, 4 players on two boards", title=capitals)
        return phrase("{title}, 2 players", title=capitals)

    def aims(self) -> Iterator[str]:
        """Yield what wins."""
        rules = self.rules
        if any(rules.flag_region):
            yield from self._goal()
        if rules.check_counting:
            yield from self._count_checks()
        if rules.connect:
            yield phrase("{count} men in a row win.", count=rules.connect)
        if rules.blast and rules.extinction == LOSS:
            yield phrase("A king that is blown up is lost, and with it the game.")
        elif rules.extinction != NONE and not rules.pseudo_royal:
            yield self._extinction()
        if rules.pseudo_royal and not (rules.blast or rules.duple_check):
            yield phrase(
                "The {pieces} is royal: it must not be left attacked, and whoever cannot save it "
                "is checkmated.",
                pieces=self._names(rules.extinction_pieces, "or"),
            )
        if rules.must_capture:
            yield phrase("Whoever can capture must capture, but may choose how.")
        if not rules.checking or (rules.check_counting and self.state.checks == (1, 1)):
            return  # nobody is ever checkmated, or the first check has won already
        if KING in rules.letters or rules.pseudo_royal:
            if rules.checkmate == LOSS:
                yield phrase("Checkmate wins.")
            else:
                yield phrase("Whoever is checkmated wins.")
        elif "commoner" in rules.extinction_pieces and not rules.two_boards:
            yield phrase(
                "There is no check: the {piece} may be left or put where it is attacked, and is "
                "captured as any man is.",
                piece=self._name("commoner"),
            )
        elif "commoner" in rules.letters:
            yield phrase(
                "There is no check: the {piece} is captured as any man is.",
                piece=self._name("commoner"),
            )

    def _goal(self) -> Iterator[str]:
        rules, goals = self.rules, list[Phrase]()
        for side in range(2):
            if rules.flag_region[side]:
                cells = _tell_region(rules, rules.flag_region[side])
                piece = rules.flag_piece[side]
                if rules.flag_count > 1:
                    count = rules.flag_count
                    goals.append(phrase("{count} men to {cells}", count=count, cells=cells))
                elif piece == "*" or {*self.slots.values()} == {piece}:
                    goals.append(phrase("a man to {cells}", cells=cells))
                else:
                    name = self._name(piece)
                    goals.append(phrase("the {piece} to {cells}", piece=name, cells=cells))
        if len(goals) == 2 and goals[0] == goals[1]:
            yield phrase("Whoever brings {goal} wins.", goal=goals[0])
        else:
            sides = [head for side, head in enumerate(self.heads) if rules.flag_region[side]]
            for head, goal in zip(sides, goals, strict=True):
                yield phrase("{seat} wins by bringing {goal}.", seat=head, goal=goal)
        if rules.flag_move and KING in rules.flag_piece:
            yield phrase(
                "When {first} gets there {second} has one more move, and draws by getting "
                "there too.",
                first=self.first,
                second=self.second,
            )
        elif rules.flag_move:
            yield phrase("It must still be there after the other side's next move.")
        if rules.flag_safe:
            yield phrase("It counts only if it is not attacked there.")

    def _count_checks(self) -> Iterator[Phrase]:
        white, black = self.state.checks
        if white == black:
            yield phrase_number(
                "Whoever gives the first check wins.",
                "Whoever is first to give {count} checks wins, and each check counts once, "
                "however many men give it.",
                white,
            )
            return
        for head, count in zip(self.heads, (white, black), strict=True):
            yield phrase_number(
                "{seat} wins by giving check once.",
                "{seat} wins by giving {count} checks.",
                count,
                seat=head,
            )

    def _extinction(self) -> Phrase:
        rules = self.rules
        names = self._names(rules.extinction_pieces, "or")
        if "*" in rules.extinction_pieces:
            what = phrase("only one man left") if rules.extinction_count else phrase("no man left")
        elif rules.extinction_count:
            count = rules.extinction_count + 1
            what = phrase("fewer than {count} left of the kind {pieces}", pieces=names, count=count)
        else:
            kinds = rules.extinction_pieces.intersection(self.slots.values())
            what = phrase("no {pieces} left", pieces=names)
            if len(kinds) > 1:
                what = phrase("nothing left of one kind ({pieces})", pieces=names)
        if rules.extinction == WIN:
            return phrase("A side with {what} wins.", what=what)
        if rules.extinction == DRAW:
            return phrase("A side with {what} draws.", what=what)
        if rules.extinction_claim:
            return phrase(
                "A side with {what} loses, unless it captures the last man beside the other "
                "side's king at once.",
                what=what,
            )
        if rules.extinction_opponent_count:
            return phrase(
                "A side with {what} loses when the other has {count}.",
                what=what,
                count=rules.extinction_opponent_count,
            )
        return phrase("A side with {what} loses.", what=what)

    def two_boards(self) -> Iterator[str]:
        """Yield how the four play together."""
        if not self.rules.two_boards:
            return
        yield phrase(
            "{first} on board A and {second} on board B are partners, and so are {second} on A "
            "and {white} on B.",
            first=self.heads[0],
            second=self.second,
            white=self.first,
        )
        yield phrase("Of the four who are challenged the first and the last are partners.")
        yield phrase(
            "A captured man keeps its colour and goes to the hand of the capturer's partner."
        )
        yield phrase(
            "The boards take turns, move by move: {first} on A, {first} on B, {second} on A, "
            "{second} on B, so that nobody gains by waiting.",
            first=self.first,
            second=self.second,
        )
        yield phrase("What ends one board ends the game, for both partners alike.")
        if self.has_check:
            yield phrase("Mate counts with what is in hand: nobody waits for a man to come.")

    def begins(self) -> Iterator[str]:
        """Yield the size of the board, and who begins."""
        rules, starts = self.rules, self.state.side
        yield phrase("{columns} columns and {rows} rows.", columns=rules.columns, rows=rules.rows)
        yield phrase(
            "{first} has the capitals and plays up the board, {second} the small letters; "
            "{starts} begins.",
            first=self.heads[0],
            second=self.second,
            starts=(self.first, self.second)[starts],
        )
        for head, hand in zip(self.heads, self.state.hands, strict=True):
            if hand:
                yield phrase(
                    "{seat} has in hand: {hand}.",
                    seat=head,
                    hand=join_phrases(" ", [*map(self._mark, hand)]),
                )

    def pieces(self) -> str:
        """Return the pieces and how they move, in words."""
        lines = []
        for slot, signs in self.signs.items():
            text = combine(
                "{letter} {piece}: {moves}",
                letter=join_phrases(", ", [*map(self._mark, signs)]),
                piece=self.equipment.titles[slot],
                moves=describe_moves(self.rules, slot),
            )
            if slot == SOLDIER and self.rules.soldier_row:
                row, rows = self.rules.soldier_row, self.rules.rows
                whole = (1 << MOST_COLUMNS) - 1
                regions = [
                    sum(whole << each * MOST_COLUMNS for each in beyond)
                    for beyond in (range(row, rows), range(rows - row))
                ]
                places = self._places(regions)
                text = phrase("{text}, sideways only on {cells}", text=text, cells=places)
            regions = [self.rules.mobility[side].get(slot, 0) for side in range(2)]
            if any(regions):
                places = self._places([region or ALL for region in regions])
                text = phrase("{text}; only on {cells}", text=text, cells=places)
            line = self.say(text)
            lines += wrap(line, _WIDTH, first="  ", later="      ")
        how = phrase("Their letters, and how they move; straight is along rows and columns:")
        return "\n".join([self.join(phrase("PIECES"), iter([how])), *lines])

    def _mark(self, text: str) -> str:
        """Return a move or a letter of a piece, which each reader sees in their own letters."""
        letters = self.equipment.letters
        return PieceText(text, letters) if letters else text

    def specials(self) -> Iterator[str]:
        """Yield what moves are special."""
        rules = self.rules
        yield from self._castling()
        yield from self._double_steps()
        if rules.blast:
            yield phrase(
                "A capture explodes: the man that captures, the captured one and every man on the "
                "eight squares around, pawns aside, leave the board."
            )
            if rules.pseudo_royal:
                yield phrase(
                    "A king may therefore never capture, and no capture may blow up one's own king."
                )
                yield phrase(
                    "Kings may stand next to each other: neither can be taken there without the "
                    "other."
                )
            else:
                yield phrase(
                    "A king that captures is blown up too, and whoever blows up both kings at once "
                    "has lost."
                )
        if not rules.checking:
            yield phrase("No move may give check.")
        if rules.seirawan_gating:
            yield phrase(
                "When a man of the first row moves for the first time, castling included, a piece "
                "from the hand may be placed on the square that it leaves."
            )
        if rules.cambodian:
            yield phrase(
                "While it has not moved and is not in check, the king may once leap two squares "
                "sideways and one forward, and the {met} two forward; neither leap captures.",
                met=self._name("fers"),
            )
        if rules.flying_general:
            yield phrase(
                "The {piece} may not face the other side's along a row or column with nothing "
                "between.",
                piece=self._name(KING),
            )
        if rules.diagonals:
            yield phrase(
                "In the palaces {pieces} also go along the diagonals, from the corners through "
                "the middle, as they go straight.",
                pieces=self._names(frozenset(filter(rules.follows_diagonals, self.signs))),
            )
        if rules.facing_kings:
            yield phrase(
                "When the {piece} faces the other side's with nothing between, and the next move "
                "does not change that, it is a draw.",
                piece=self._name(KING),
            )
        if any(rules.passing_turn):
            yield phrase("A side that is not in check may pass; two passes in a row are a draw.")
        elif any(rules.pass_on_stalemate):
            yield phrase("A side without a legal move passes.")
        if rules.makpong:
            yield phrase("A king in check may not move away, unless it captures what checks it.")
        if rules.duple_check:
            yield phrase("With several kings only an attack on all of them at once is check.")

    @property
    def _castling_columns(self) -> dict[str, str]:
        left, right = self.rules.castling_left_column, self.rules.castling_right_column
        return {"left": _COLUMNS[left], "right": _COLUMNS[right]}

    def _castling(self) -> Iterator[str]:
        rules, castles = self.rules, self.state.castles
        if not castles and not rules.castling_dropped:
            letters = rules.letters.keys()
            is_chess = self.equipment.style == CHESS and "rook" in letters and letters & _KINGS
            if is_chess and (PAWN in letters or {"knight", "bishop"} <= letters):
                yield phrase("Nobody castles.")
            return
        where = self._castling_columns
        sides = {int(king >= rules.columns * rules.rows // 2) for king, _ in castles}
        if len(sides) == 1:
            yield phrase(
                "{seat} alone castles, as in chess; the king lands on column {left} or {right}.",
                seat=self.heads[sides.pop()],
                **where,
            )
        else:
            yield phrase(
                "Castling is as in chess; the king lands on column {left} or {right}.", **where
            )
        if rules.castling_dropped:
            yield phrase("A king and a rook dropped on their usual squares may castle.")

    def _double_steps(self) -> Iterator[str]:
        rules = self.rules
        steps = rules.double_step and any(rules.double_step_region)
        if PAWN in self.slots.values() and steps:
            if all(_tell_region(rules, region) == "" for region in rules.double_step_region):
                yield phrase("A pawn may always go two squares forward, if both are empty.")
            else:
                yield phrase(
                    "A pawn may go two squares forward, if both are empty, from {cells}.",
                    cells=self._places(
                        rules.double_step_region, self._find_owners(frozenset({PAWN}))
                    ),
                )
        elif PAWN in self.slots.values():
            yield phrase("A pawn never goes two squares.")
        firsts = frozenset(
            slot
            for slot in self.slots.values()
            if any(way.first for way in read_betza(rules.betza(slot)))
        )
        if firsts - {PAWN} and steps:
            yield phrase(
                "A first move of the {piece} is one from {cells}.",
                piece=self._names(firsts - {PAWN}, "or"),
                cells=self._places(rules.double_step_region, self._find_owners(firsts - {PAWN})),
            )
        passes = any(
            region and pieces.intersection(self.slots.values())
            for region, pieces in zip(rules.passing_region, rules.passing_pieces, strict=True)
        )
        if steps and passes and PAWN in self.slots.values():
            yield phrase("It may then be captured in passing, as in chess.")
            safe = [self._find_unpassed(side) for side in range(2)]
            if any(safe):
                yield phrase(
                    "After a step from {cells} it may not.",
                    cells=self._places(safe, frozenset(side for side in range(2) if safe[side])),
                )
        elif steps and passes and firsts:
            yield phrase(
                "It may then be captured in passing: as if it had gone to the square that it has "
                "passed over."
            )

    def _find_unpassed(self, side: int) -> Region:
        """Return where double steps begin after which nobody captures in passing."""
        starts, passed = self.rules.double_step_region[side], self.rules.passing_region[1 - side]
        over = passed >> MOST_COLUMNS if side == 0 else passed << MOST_COLUMNS
        room = (1 << (self.rules.rows - 2) * MOST_COLUMNS) - 1
        return starts & (room << 2 * MOST_COLUMNS * side) & ~over

    def promotions(self) -> Iterator[str]:
        """Yield how men are promoted."""
        rules = self.rules
        kinds = [rules.promotion_pawns[side].intersection(self.slots.values()) for side in range(2)]
        pieces = rules.promotion_pieces
        if rules.sittuyin_promotion:
            yield from self._promotion_in_place()
        elif kinds[0] and pieces[0] and kinds[0] == kinds[1] and pieces[0] == pieces[1]:
            yield self._promotion(kinds[0], pieces[0], self._places(rules.promotion_region))
        else:
            for side, head in enumerate(self.heads):
                if kinds[side] and pieces[side]:
                    cells = phrase("{cells}", cells=self._zone(side))
                    text = self._promotion(kinds[side], pieces[side], cells)
                    yield combine("{seat}: {promotion}", seat=head, promotion=text)
        if any(kinds) and any(pieces) and not rules.mandatory_pawn_promotion:
            yield phrase("It may also stay what it is, as long as it can move on.")
        limits = [
            phrase("{piece} {points}", piece=self._name(slot), points=count)
            for slot, count in rules.promotion_limit.items()
            if slot in rules.letters
        ]
        if limits and not rules.sittuyin_promotion:
            yield phrase(
                "Nobody may have more of these than the number says: {limits}.",
                limits=Listing(limits),
            )
        yield from self._turning()

    def _zone(self, side: int) -> str:
        return _tell_region(self.rules, self.rules.promotion_region[side])

    def _promotion(self, pawns: frozenset[str], pieces: frozenset[str], cells: str) -> Phrase:
        return phrase(
            "On reaching {cells} the {pawns} is promoted to {pieces}.",
            pawns=self._names(pawns, "or"),
            cells=cells,
            pieces=self._names(pieces, "or"),
        )

    def _promotion_in_place(self) -> Iterator[str]:
        rules = self.rules
        yield phrase(
            "Pawns are promoted on the long diagonals: one on {cells} may become the {piece} in "
            "place of a move, where it stands or on an empty square to which the {piece} could go "
            "from there.",
            cells=self._places(rules.promotion_region),
            piece=self._names(rules.promotion_pieces[0], "or"),
        )
        yield phrase("The new man may neither attack another one there nor give check.")
        yield phrase("A side's last pawn may do so anywhere, and a side has only one of them.")

    def _turning(self) -> Iterator[str]:
        rules = self.rules
        lower = dict[str, list[Phrase]]()
        for slot, other in rules.promoted.items():
            if slot in rules.letters and other in rules.letters:
                lower.setdefault(other, []).append(self._name(slot))
        if not lower:
            return
        pairs = [
            phrase("{piece} to {other}", piece=Listing(pieces), other=self._name(other))
            for other, pieces in lower.items()
        ]
        must = rules.mandatory_piece_promotion
        promotions = join_phrases("; ", pairs)
        if must:
            yield phrase("Promoted are {promotions}.", promotions=promotions)
        else:
            yield phrase(
                "Promoted are {promotions}: write + behind the move.", promotions=promotions
            )
        yield phrase("On the board a promoted man is + and its old letter.")
        every = not _tell_region(rules, rules.promotion_region[0])
        if rules.promotion_on_capture and must:
            yield phrase("A man must be promoted when it captures, and at no other time.")
        elif rules.promotion_on_capture:
            yield phrase("A man may be promoted when it captures, and at no other time.")
        elif every and must:
            yield phrase("A man must be promoted with every move.")
        elif must:
            yield phrase(
                "A man must be promoted by a move that begins or ends on {cells}.",
                cells=self._places(rules.promotion_region),
            )
        else:
            yield phrase(
                "A man may be promoted by a move that begins or ends on {cells}.",
                cells=self._places(rules.promotion_region),
            )
        if rules.immobility_illegal and not must:
            yield phrase("It must be promoted where it could never move again.")
        if rules.demotion:
            yield phrase("A promoted man turns back in the same way.")

    def hands(self) -> Iterator[str]:
        """Yield what the hands are for."""
        rules = self.rules
        if rules.captures_to_hand:
            yield phrase("A captured man changes sides and goes to the hand of who took it.")
        if rules.captures_to_hand or rules.two_boards:
            yield from self._captured()
        if rules.drops:
            yield phrase(
                "Instead of a move, a piece from the hand may be dropped on an empty square."
            )
            if any(_tell_region(rules, region) for region in rules.drop_region):
                places = self._places(rules.drop_region, self._list_droppers())
                yield phrase("That square must be on {cells}.", cells=places)
        if rules.drops and PAWN in rules.letters and (rules.captures_to_hand or rules.two_boards):
            yield from self._pawn_drops()
        if rules.drops and rules.immobility_illegal:
            yield phrase("Nothing is dropped where it could never move.")
        if self._begins_with_drops():
            yield phrase("While there are pieces in hand they must be dropped.")
        elif rules.must_drop:
            piece = self._name(rules.must_drop_piece)
            yield phrase("The {piece} in hand must be dropped before anything else.", piece=piece)
        if rules.opposite_bishops:
            yield phrase("The bishops of a side are dropped on squares of both colours.")
        if rules.sittuyin_rook_drop:
            yield phrase("A rook is dropped on the first row of its side.")
        if rules.no_doubled:
            yield phrase_number(
                "The {piece} is not dropped on a column where the side has one.",
                "The {piece} is not dropped on a column where the side has {count}.",
                rules.no_doubled_count,
                piece=self._name(rules.no_doubled),
            )
        if rules.drop_promoted:
            yield phrase("Either side of a man may be up when it is dropped.")
        if rules.no_pawn_drop_mate:
            yield phrase(
                "A {piece} that mates when it is dropped loses.", piece=self._name("shogiPawn")
            )
        if rules.drops and not rules.drop_checks:
            yield phrase("A drop may not give check.")

    def _begins_with_drops(self) -> bool:
        return self.rules.must_drop and self.rules.must_drop_piece == "*"

    def _list_droppers(self) -> frozenset[int]:
        """Return the sides that ever have something in hand."""
        if self.rules.captures_to_hand or self.rules.two_boards:
            return _BOTH
        return frozenset(side for side in range(2) if self.state.hands[side])

    def _captured(self) -> Iterator[str]:
        """Yield whether a promoted man that is captured changes back."""
        rules = self.rules
        if rules.drop_loop:
            yield phrase("A promoted man that is captured stays what it has become.")
        elif any(rules.promotion_pieces) and PAWN in rules.letters:
            yield phrase("A promoted man that is captured comes back as a pawn.")
        elif rules.promoted:
            yield phrase("A promoted man that is captured comes back as it was before.")

    def _pawn_drops(self) -> Iterator[str]:
        rules = self.rules
        last = not rules.zone_pawn_drops and any(rules.promotion_pieces)
        zone = self._places(rules.promotion_region)
        if last and not rules.first_row_pawn_drops:
            yield phrase(
                "No pawn is dropped on the first row of its side, nor where it would be promoted: "
                "{cells}.",
                cells=zone,
            )
        elif last:
            yield phrase("No pawn is dropped where it would be promoted: {cells}.", cells=zone)
        elif not rules.first_row_pawn_drops:
            yield phrase("No pawn is dropped on the first row of its side.")

    def writing(self) -> str:
        """Return how moves are written."""
        later = find_later_example(self.rules)
        how = phrase("The piece and where it goes, or both squares:")
        if self._begins_with_drops() and later:
            how = phrase(
                "The letter of a piece in hand, @ and its square; once all stand, the piece and "
                "where it goes, or both squares, such as {move}:",
                move=later,
            )
        whole = self._mark(self.equipment.example)
        examples = filter(None, (find_short_example(self.equipment), whole))
        lines = [self.join(phrase("WRITING MOVES"), iter([how]))]
        lines += [f"  > {self.say(example)}" for example in examples]
        more = [self.say(sentence) for sentence in self._notations()]
        if more:
            lines.append(fill(" ".join(more), _WIDTH))
        return "\n".join(lines)

    def _notations(self) -> Iterator[Phrase]:
        """Yield how moves are written that are more than two squares."""
        rules = self.rules
        if self.state.castles or rules.castling_dropped:
            yield phrase(
                "Castling is O-O when the king lands on column {right}, O-O-O on column {left}.",
                **self._castling_columns,
            )
        letter = self.state.hands[0][0] if self.state.hands[0] else ""
        gating = find_short_example(self.equipment, f"/{letter}")
        if rules.seirawan_gating and gating and letter:
            yield phrase("A piece comes in with its letter behind the move: {move}.", move=gating)
            if self.state.castles:
                king = _name_cell(rules, self.state.castles[0][0])
                yield phrase(
                    "After castling its square is written too: {move}.",
                    move=f"O-O/{letter}{king}",
                )
        yield from self._promoting()
        yield from self._dropping()
        if any(rules.passing_turn):
            yield phrase("To pass, write pass.")

    def _promoting(self) -> Iterator[Phrase]:
        rules = self.rules
        pawns = rules.promotion_pawns[0].intersection(self.signs)
        pieces = [
            letter for letter, slot in self.slots.items() if slot in rules.promotion_pieces[0]
        ]
        if rules.sittuyin_promotion and pieces:
            cell, letter = self._find_diagonal(), pieces[-1].lower()
            yield phrase(
                "A promotion ends with the letter of the new piece: {stays} where the pawn stands, "
                "{goes} beside it.",
                stays=f"{cell}{cell}{letter}",
                goes=f"{cell}{_COLUMNS[_COLUMNS.index(cell[0]) - 1]}{int(cell[1:]) + 1}{letter}",
            )
            return
        step = self._find_last_step(min(pawns)) if pawns and pieces else ""
        if step:
            yield phrase(
                "A promotion ends with the letter of the new piece: {move}.",
                move=self._mark(f"{step}={pieces[-1]}"),
            )
        risers = sorted(rules.promoted.keys() & self.signs, key=lambda slot: slot not in FOOT)
        if risers and not rules.mandatory_piece_promotion:
            step = next(filter(None, map(self._find_last_step, risers)), "")
            if step:
                yield phrase("A promotion ends with +: {move}.", move=f"{step}+")

    def _find_diagonal(self) -> str:
        """Return a cell where a pawn of the first side may be promoted, with one up to the left."""
        region = self.rules.promotion_region[0]
        cells = (
            f"{_COLUMNS[column]}{row + 1}"
            for row, column in product(range(self.rules.rows - 1), range(1, self.rules.columns))
            if region >> row * MOST_COLUMNS + column & 1
        )
        return next(cells, "")

    def _dropping(self) -> Iterator[Phrase]:
        rules, sides = self.rules, self._list_droppers()
        if not rules.drops or not sides or self._begins_with_drops():
            return
        side = min(sides)
        held = self.state.hands[side] if sides != _BOTH or not rules.captures_to_hand else ""
        letters = [
            letter
            for letter, slot in self.slots.items()
            if slot != KING and self.signs[slot] == (letter,) and (not held or letter in held)
        ]
        square = self._find_drop(side) if letters else ""
        if not square:
            return
        letter = next((one for one in letters if self.slots[one] not in FOOT), letters[0])
        yield phrase(
            "A drop is the letter of the piece, @ and the square: {move}.",
            move=self._mark(f"{letter}@{square}"),
        )
        if rules.drop_promoted and self.slots[letter] in rules.promoted:
            yield phrase(
                "With + in front its other side is up: {move}.", move=f"+{letter}@{square}"
            )

    def _find_last_step(self, pawn: str) -> str:
        """Return a step of a pawn into the zone of the first side, "" if it has none."""
        rules, region = self.rules, self.rules.promotion_region[0]
        steps = [
            step
            for way in read_betza(rules.betza(pawn))
            for step in way.steps
            if way.moves and way.reach == 1 and not (way.first or way.hops) and step[1] > 0
        ]
        for column, row in product(range(rules.columns), range(rules.rows)):
            for across, along in steps if region >> row * MOST_COLUMNS + column & 1 else ():
                if 0 <= column - across < rules.columns and row >= along:
                    start = f"{_COLUMNS[column - across]}{row - along + 1}"
                    return f"{start}{_COLUMNS[column]}{row + 1}"
        return ""

    def _find_drop(self, side: int) -> str:
        """Return a square for a drop of a side, near its third row; "" for none."""
        region, near = self.rules.drop_region[side], (2, self.rules.rows - 3)[side]
        cells = [
            (abs(row - near), f"{_COLUMNS[column]}{row + 1}")
            for row in range(self.rules.rows)
            for column in range(self.rules.columns)
            if region >> row * MOST_COLUMNS + column & 1
        ]
        return min(cells, default=(0, ""))[1]

    def ends(self) -> Iterator[str]:
        """Yield how games end."""
        rules = self.rules
        if rules.stalemate_by_count:
            yield phrase("Without a legal move, the side with fewer men wins.")
        else:
            in_check, without = _STALEMATES[rules.stalemate]
            yield in_check if self.has_check else without
        yield from self._idling()
        if rules.perpetual_check:
            yield phrase("Whoever repeats a position by giving check with every move loses.")
        if rules.recurring:
            yield self._repetition()
        if rules.counting != NONE:
            yield from self._counting()
        if rules.material != NONE:
            yield from self._material()
        is_claimed = rules.recurring and not rules.said & REPETITION_KEYS
        if is_claimed or (rules.idle_moves and "nMoveRule" not in rules.said):
            yield phrase("To claim a draw, reply draw.")
        yield phrase("Resigning loses.")

    def _idling(self) -> Iterator[Phrase]:
        """Yield after how many moves without progress it is a draw."""
        rules = self.rules
        if not rules.idle_moves:
            return
        pawns = self._names(rules.idle_pieces[0] | rules.idle_pieces[1], "or")
        most = rules.idle_moves if "nMoveRule" in rules.said else 75
        if pawns:
            yield phrase(
                "After {most} moves of each side without a capture or a move of a {pieces} it "
                "is a draw.",
                most=most,
                pieces=pawns,
            )
        else:
            yield phrase(
                "After {most} moves of each side without a capture it is a draw.", most=most
            )
        if most != rules.idle_moves:
            yield phrase("After {count} a draw may be claimed.", count=rules.idle_moves)

    def _repetition(self) -> Phrase:
        rules, number = self.rules, self.rules.recurring
        if not rules.said & REPETITION_KEYS:
            return phrase(
                "When a position occurs for the third time a draw may be claimed; the fifth time "
                "makes it one."
            )
        if rules.recurring_value == DRAW:
            return _DRAWN.get(number) or phrase(
                "A position that occurs {count} times is a draw.", count=number
            )
        if rules.recurring_absolute:
            loser = self.first if rules.recurring_value == LOSS else self.second
            return phrase(
                "When a position occurs {count} times {seat} loses.", count=number, seat=loser
            )
        if rules.recurring_value == LOSS:
            return _LOST.get(number) or phrase(
                "Whoever is to move when a position occurs {count} times loses.", count=number
            )
        return phrase("Whoever makes a position occur {count} times loses.", count=number)

    def _counting(self) -> Iterator[str]:
        counts = COUNTS[self.rules.counting]
        silver, knight, rook = (self._name(slot) for slot in ("silver", "knight", "rook"))
        if self.rules.counting == "asean":
            yield phrase(
                "Once no pawns are left a bare king has to be mated in {rook} moves by {first}, in "
                "{silver} by {second} without {first}, in {board} by {third} alone; else it is a "
                "draw. The server counts.",
                rook=counts.rook,
                silver=counts.silver,
                board=counts.board,
                first=rook,
                second=silver,
                third=knight,
            )
            return
        if self.rules.counting == "makruk":
            yield phrase(
                "When no pawns are left, the side that is to move then has to be mated within "
                "{board} moves.",
                board=counts.board,
            )
        else:
            yield phrase(
                "A side with three men or fewer has to be mated within {board} moves.",
                board=counts.board,
            )
        against = [
            phrase("{count} against {men}", count=count, men=Listing(men))
            for count, men in (
                (counts.rooks, [rook, rook]),
                (counts.rook, [rook]),
                (counts.silvers, [silver, silver]),
                (counts.knights, [knight, knight]),
                (counts.silver, [silver]),
            )
        ]
        yield phrase(
            "Once no pawns are left a bare king has to be mated sooner, and the count begins with "
            "the number of men on the board: {counts}, the first of these that holds, else "
            "{board}.",
            counts=Listing(against),
            board=counts.board,
        )
        yield phrase("The server counts. When the count has run out it is a draw.")

    def _material(self) -> Iterator[str]:
        rule = self.rules.material
        if rule == "janggi":
            points = [
                phrase("{piece} {points}", piece=self._name(slot), points=points)
                for slot, points in POINTS.items()
                if slot in self.rules.letters
            ]
            yield phrase(
                "Instead of a draw the men are counted, and the higher sum wins: {points}.",
                points=Listing(points),
            )
            yield phrase("{second} has one point more, for moving second.", second=self.heads[1])
        elif rule == "unweighted":
            yield phrase("Instead of a draw the side with more men wins.")
        else:
            winner = self.first if rule == "whitedrawodds" else self.second
            yield phrase("What would be a draw is won by {seat}.", seat=winner)


def _name_cell(rules: VariantRules, cell: int) -> str:
    return f"{_COLUMNS[cell % rules.columns]}{cell // rules.columns + 1}"


def _tell_region(rules: VariantRules, region: Region) -> str:
    """Return the cells of a region; "" for the whole board."""
    rows, cells = list[int](), list[tuple[int, int]]()
    full = (1 << rules.columns) - 1
    for row in range(rules.rows):
        line = region >> row * MOST_COLUMNS & full
        if line == full:
            rows.append(row + 1)
        else:
            cells += [(column, row) for column in range(rules.columns) if line >> column & 1]
    if len(rows) == rules.rows:
        return ""
    names = list[str]()
    if len(rows) > 2 and rows[-1] - rows[0] == len(rows) - 1:
        names.append(phrase("rows {low} to {high}", low=rows[0], high=rows[-1]))
    elif len(rows) > 1:
        names.append(phrase("rows {rows}", rows=Listing([str(row) for row in rows])))
    elif rows:
        names.append(phrase("row {row}", row=rows[0]))
    return Listing([*names, *_tell_cells(cells)], "or")


def _tell_cells(cells: list[tuple[int, int]]) -> list[str]:
    """Return the names of cells; a rectangle of them by two corners."""
    if not cells:
        return []
    columns, rows = ({one[at] for one in cells} for at in range(2))
    names = [f"{_COLUMNS[column]}{row + 1}" for column, row in cells]
    width, height = max(columns) - min(columns) + 1, max(rows) - min(rows) + 1
    if len(cells) == width * height > 4:
        return [phrase("{low} to {high}", low=names[0], high=names[-1])]
    return names
