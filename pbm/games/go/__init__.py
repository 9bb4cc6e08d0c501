"""Go by area scoring, with an agreement on dead stones in at most three mails.

Stones, captures and repetition are in `pbm.rules.families.surrounding`."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from pbm.rules import IllegalMove, Option, OptionError, Played, RecordError, Value
from pbm.rules.boards.goban import goban, stars
from pbm.rules.boards.stone_groups import clear_cells, find_group
from pbm.rules.drawing.grid_scene import grid_scene
from pbm.rules.drawing.scene import Panel, Scene, marks_on, remark
from pbm.rules.families.surrounding import SurroundingPosition, fingerprint
from pbm.rules.families.two_player import EMPTY, STONES, two_player_game
from pbm.rules.formats import sgf
from pbm.rules.help_page import read_help
from pbm.rules.lessons import Lesson
from pbm.rules.phrases import Listing, Sentence, combine, fill_in, join_phrases, make_phrase, phrase
from pbm.rules.typed import SEPARATORS, quoted

PLAY, FIRST, SECOND, LAST_WORD = range(4)
_ASKED = {
    FIRST: phrase("{colour} names the dead groups."),
    SECOND: phrase("{colour} agrees, resumes play, or names other groups."),
    LAST_WORD: phrase("{colour} agrees or resumes play."),
}
"""The stages: playing; then the first list of dead stones, the answer, the answer to that."""
DEAD, ALIVE = "dead", "alive"

_SAYS = {
    FIRST: phrase(
        "Nothing dead? Say done. Else name a stone of each dead group: {line}",
        line="dead POINT POINT, done",
    ),
    SECOND: phrase(
        "Say agree or resume, or change the list: {line}", line="dead POINT, alive POINT, done"
    ),
    LAST_WORD: phrase("Say agree or resume"),
}
"""The possible replies at each stage, in the form of an answer."""
_NOTHING = re.compile(
    r"\s*(?:none|nothing|nothing (?:is )?dead|no dead (?:stones|groups))\s*[.!]*\s*"
)
_MARK = re.compile(rf"\s*({DEAD}|{ALIVE})\s+([a-z0-9]+)[\s,;.]*(.*)", re.DOTALL)


def komi_of(options: Mapping[str, Value]) -> float:
    """Return the points that White gets for moving second."""
    return float(options.get("komi", 0.5 if options["handicap"] else 7.5))


def area(board: str, size: int) -> tuple[int, int]:
    """Return for each side its stones and the empty points that only they surround."""
    near, counts, seen = goban(size).orthogonal, [board.count(stone) for stone in STONES], set()
    for cell, stone in enumerate(board):
        if stone == EMPTY and cell not in seen:
            region = find_group(board, cell, near)
            seen |= region
            border = {board[there] for one in region for there in near[one]} - {EMPTY}
            if len(border) == 1:
                counts[STONES.index(border.pop())] += len(region)
    return counts[0], counts[1]


@dataclass(frozen=True, slots=True)
class Go(SurroundingPosition):
    """A position of the game.

    passes   the number of passes in a row
    stage    playing, or how far the agreement on dead stones has come
    dead     the first point of each group marked dead
    changed  the groups marked or unmarked in this turn
    resumed  whether play was resumed, so that the next two passes end the game
    """

    moves_once = True
    sgf_game = sgf.GO
    form = re.compile(r"[a-z][0-9]{1,2}|pass|done|agree|resume|(?:dead|alive) [a-z][0-9]{1,2}")
    passes: int = 0
    stage: int = PLAY
    dead: tuple[int, ...] = ()
    changed: tuple[int, ...] = ()
    resumed: bool = False

    def groups(self) -> list[int]:
        """Return the first point of every group."""
        near, seen, firsts = self.geometry.orthogonal, set[int](), []
        for cell, stone in enumerate(self.board):
            if stone != EMPTY and cell not in seen:
                seen |= find_group(self.board, cell, near)
                firsts.append(cell)
        return firsts

    def list_moves(self) -> list[str]:
        if self.stage == PLAY:
            return [*self.points(), "pass"]
        answers = [] if self.stage == FIRST or self.changed else ["agree", "resume"]
        if self.stage == LAST_WORD:
            return answers
        names = self.geometry.names
        marks = [
            f"{ALIVE if cell in self.dead else DEAD} {names[cell]}"
            for cell in self.groups()
            if cell not in self.changed
        ]
        return [*marks, *answers, *([] if answers else ["done"])]

    def make_move(self, move: str) -> Go:
        if self.stage != PLAY:
            return self._agreeing(move)
        if move != "pass":
            return replace(self.with_stone(move), passes=0)
        after = replace(self, side=1 - self.side, turn=self.turn + 1, passes=self.passes + 1)
        if self.passes == 0:
            return replace(after, news=())
        if self.resumed or self.board.count(EMPTY) == len(self.board):
            return after.end_by_count()
        who = self.colour(after.side)
        return replace(
            after,
            stage=FIRST,
            news=(phrase("both players have passed: {who} names the dead groups", who=who),),
        )

    def _agreeing(self, move: str) -> Go:
        word, _, name = move.partition(" ")
        if name:
            cell = self.geometry.number[name]
            dead = {*self.dead, cell} if word == DEAD else {*self.dead} - {cell}
            changed = (*self.changed, cell)
            return replace(self, dead=tuple(sorted(dead)), changed=changed, news=())
        turned = replace(self, turn=self.turn + 1, changed=(), news=())
        if move == "agree":
            return turned.end_by_count()
        if move == "done":
            return replace(turned, side=1 - self.side, stage=self.stage + 1)
        # After the two passes it was the turn of the side that first named dead groups.
        side = self.side if self.stage == LAST_WORD else 1 - self.side
        news = (
            phrase("play goes on with {colour}", colour=self.colour(side)),
            phrase("the next two passes end it"),
        )
        return replace(turned, side=side, stage=PLAY, passes=0, dead=(), resumed=True, news=news)

    def cleared(self) -> str:
        """Return the board without the groups marked dead."""
        board, near = self.board, self.geometry.orthogonal
        for cell in self.dead:
            board = clear_cells(board, find_group(board, cell, near))
        return board

    def count(self) -> tuple[float, str]:
        """Return Black's lead at present, and the count in words."""
        black, white = area(self.cleared(), self.geometry.width)
        komi = komi_of(self.options)
        return black - white - komi, combine(
            "{first} {black}, {second} {white} + {komi}",
            first=self.colour(0),
            black=black,
            second=self.colour(1),
            white=white,
            komi=f"{komi:g}",
        )

    def end_by_count(self) -> Go:
        """Return the position, ended and scored."""
        ahead, reckoning = self.count()
        if ahead == 0:
            return self.end_in_draw(phrase("a draw: {reckoning}", reckoning=reckoning))
        side = int(ahead < 0)
        return self.win(
            side,
            phrase(
                "{colour} wins by {points}: {reckoning}",
                colour=self.colour(side),
                points=f"{abs(ahead):g}",
                reckoning=reckoning,
            ),
        )

    def suggest(self, seat: int) -> str:
        """Return an answer that gives nothing away, while the two agree on dead stones."""
        if self.stage == PLAY:
            return SurroundingPosition.suggest(self, seat)
        moves = self.list_moves()
        return next(word for word in ("done", "resume") if word in moves)

    @property
    def example(self) -> str:
        seat = self.side ^ self.swapped
        return self.legal_moves(seat)[0] if self.stage == PLAY else self.suggest(seat)

    def parse(self, text: str, seat: int) -> tuple[str, str]:
        if self.stage == FIRST and _NOTHING.fullmatch(text[:80].lower()):
            return "done", ""
        match = _MARK.match(text[:4000].lower())
        if not match:
            return SurroundingPosition.parse(self, text, seat)
        word, name, rest = match[1], match[2], match[3].strip(SEPARATORS)
        if self.stage == PLAY:
            raise IllegalMove(
                phrase("{word}: stones are named dead only after two passes in a row", word=word)
            )
        if name == "none":
            return "done", rest
        move = self.read(f"{word} {name}")
        cell = self.geometry.number[move.partition(" ")[2]]
        if self.board[cell] != EMPTY:
            first = min(find_group(self.board, cell, self.geometry.orthogonal))
            move = f"{word} {self.geometry.names[first]}"
        if not rest:  # a list of groups ends the turn
            return move, "done"
        return move, f"{word} {rest}" if re.match(r"[a-z][0-9]", rest) else rest

    def find_fault(self, move: str) -> str:
        word, _, name = move.partition(" ")
        if self.stage == PLAY:
            if word in (DEAD, ALIVE, "done", "agree", "resume"):
                return phrase("both sides must pass first")
            return SurroundingPosition.find_fault(self, move)
        if word in self.geometry.number or word == "pass":
            return phrase(
                "both players have passed: answer with dead, alive, done, agree or resume"
            )
        if word in ("agree", "resume"):
            return (
                phrase("there is nothing to agree to yet")
                if self.stage == FIRST
                else phrase("finish with done")
            )
        if self.stage == LAST_WORD:
            return phrase("only agree or resume is left")
        if word == "done":
            return phrase("you have changed nothing: write agree or resume")
        cell = self.geometry.number[name]
        if self.board[cell] == EMPTY:
            return phrase("no stone stands there")
        first = min(find_group(self.board, cell, self.geometry.orthogonal))
        if first != cell:
            return phrase("this group is named {name}", name=self.geometry.names[first])
        if cell in self.changed:
            return phrase("this group has already been marked this turn")
        return (
            phrase("it is already marked dead") if word == DEAD else phrase("it is not marked dead")
        )

    @property
    def empty_scene(self) -> Scene:
        spots = frozenset(stars(self.geometry.width))
        return grid_scene(self.geometry, self.look, shades=(("star", spots),))

    def scene(self, viewer: int | None = None, last: Sequence[str] = ()) -> Scene:
        scene, near = SurroundingPosition.scene(self, viewer, last), self.geometry.orthogonal
        dead = {stone for cell in self.dead for stone in find_group(self.board, cell, near)}
        return replace(scene, marks=scene.marks + marks_on(self.geometry.names, dead, "dead"))

    def notes(self, viewer: int | None = None) -> tuple[str, ...]:
        if self.outcome:
            return ()
        if self.stage == PLAY:
            passed = (phrase("The last move was a pass."),) if self.passes else ()
            resumed = (phrase("Play goes on, the next two passes end it."),) if self.resumed else ()
            return (*SurroundingPosition.notes(self, viewer), *passed, *resumed)
        names, who = self.geometry.names, Sentence(self.colour(self.side))
        notes = [fill_in(_ASKED[self.stage], colour=who)]
        if self.changed:
            changed = Listing(names[cell] for cell in sorted(self.changed))
            notes.append(phrase("Changed in this turn: {places}.", places=changed))
        return tuple(notes)

    def panels(self) -> tuple[Panel, ...]:
        note = self._komi if self.stage == PLAY else self.count()[1]
        return SurroundingPosition.panels(self) + remark(note)

    @property
    def remark(self) -> str:
        if self.stage == PLAY:
            return join_phrases("; ", (self.tell_captures(), self._komi))
        dead = " ".join(self.geometry.names[cell] for cell in self.dead)
        called = combine(
            "{dead}; {count}",
            dead=phrase("called dead: {dead} (small letters)", dead=dead or phrase("none")),
            count=self.count()[1],
        )
        if self.outcome:
            return called
        return combine("{called}. {says}", called=called, says=_SAYS[self.stage])

    @property
    def _komi(self) -> str:
        return phrase("komi {komi}", komi=f"{komi_of(self.options):g}")

    @classmethod
    def initial(cls, options: Mapping[str, Value]) -> Go:
        size, handicap = int(options["size"]), int(options["handicap"])
        if komi_of(options) % 0.5:
            raise OptionError(
                phrase(
                    "{option} is a multiple of 0.5, not {value}",
                    option=make_phrase("-komi"),
                    value=quoted(str(options["komi"])),
                )
            )
        spots = stars(size)
        if handicap > len(spots):
            raise OptionError(
                phrase(
                    "{option} is at most {spots} on a board of {size} lines",
                    option=make_phrase("-handicap"),
                    spots=len(spots),
                    size=size,
                )
            )
        chosen = set(spots[:handicap] if handicap > 1 else ())
        if handicap in (5, 7):
            chosen = {*spots[: handicap - 1], spots[-1]}
        board = "".join("X" if cell in chosen else EMPTY for cell in range(size * size))
        side = 1 if chosen else 0
        return cls(options, board, side=side, history=(fingerprint(board),))

    @classmethod
    def record(cls, played: Played) -> str:
        """Return the game in SGF."""
        options, moves = played.options, played.moves
        size = int(options["size"])
        number, first = goban(size).number, cls.initial(options)
        at = {name: sgf.point(n % size, size - 1 - n // size) for name, n in number.items()}
        turns = [
            ("BW"[seat], at.get(move, "")) for seat, move in moves if move in at or move == "pass"
        ]
        stones = [at[name] for name, stone in zip(number, first.board, strict=True) if stone == "X"]
        more = {"RU": "Chinese", "KM": f"{komi_of(options):g}"}
        more |= {"HA": str(options["handicap"])} if stones else {}
        counted = re.search(r"wins by ([0-9.]+)", played.outcome.reason if played.outcome else "")
        margin = counted[1] if counted else ""
        setup = {"AB": stones}
        return sgf.sgf(sgf.GO, size, turns, played, margin=margin, setup=setup, more=more)

    @classmethod
    def read_record(cls, text: str) -> Played:
        """Return the game in SGF. A handicap stands on the marked points; `tt` is a pass, too, and
        the result is the record's: the two may have agreed on dead stones that it does not name."""
        tree = sgf.read(text)
        size, options = sgf.read_size(tree, 19), dict[str, Value]()
        stones = sgf.list_points(tree.root.get("AB", ()))
        options["size"], options["handicap"] = size, len(stones)
        try:
            options["komi"] = float(tree.get("KM", "7.5"))
        except ValueError:
            raise RecordError(
                phrase("KM {value} is no number, such as 6.5", value=quoted(tree.get("KM")))
            ) from None
        start = sgf.settle_options(cls.game, options)
        names = tuple(goban(size).number)
        points = {sgf.point(n % size, size - 1 - n // size): n for n in range(size * size)}
        first = cls.initial(start.options).board
        board = {cell for cell, stone in enumerate(first) if stone != EMPTY}
        if "AW" in tree.root or {points.get(each) for each in stones} != board:
            raise RecordError(
                phrase(
                    "the game begins with stones on the board (AB, AW) that are no handicap on the "
                    "marked points"
                )
            )
        line = sgf.read_line(
            tree,
            lambda at: (
                "pass"
                if at == "" or (at == "tt" and size < 20)
                else sgf.name_point(at, size, names)
            ),
            black=0,
        )
        played = sgf.replay(tree, start, line, start.options)
        return played if "KM" in tree.root else replace(played, remarks=("it names no komi",))


_SMALL: Mapping[str, Value] = {"size": 5}
_LESSONS = (
    Lesson(
        phrase(
            "Black has taken the last of the four empty points around white's stone on c3, by "
            "playing on c4. A group without an empty point beside it, a liberty, is captured and "
            "leaves the board."
        ),
        ["c2", "c3", "b3", "e5", "d3", "e4", "c4"],
        options=_SMALL,
    ),
    Lesson(
        phrase(
            "Suicide: a white stone on a1 would have no liberty and capture nothing. White may not "
            "play there."
        ),
        ["b1", "e5", "a2"],
        options=_SMALL,
        can=("c3",),
        cannot=("a1",),
        is_before=True,
    ),
    Lesson(
        phrase(
            "Ko: black has just captured a stone on c3 from d3. To capture back at once would "
            "repeat the position before, which is not allowed: white first plays elsewhere."
        ),
        ["b3", "d4", "c4", "e3", "c2", "d2", "a1", "c3", "d3"],
        options=_SMALL,
        can=("a5",),
        cannot=("c3",),
    ),
    Lesson(
        phrase(
            "Both have passed, and black has called white's stone on b3 dead. Black counts 15 "
            "points, stones and what they surround, white 10 and the komi of 7.5: white has won, "
            "once both agree."
        ),
        [
            *("c1", "d1", "c2", "d2", "c3", "d3", "c4", "d4", "c5", "d5"),
            *("pass", "b3", "pass", "pass", "dead b3"),
        ],
        options=_SMALL,
    ),
)
GAMES = (
    two_player_game(
        Go,
        "go",
        "Go",
        ("black", "white"),
        "surround more of the board; area scoring",
        read_help(__name__),
        Option("size", "int", "lines along a side", 19, low=5, high=19),
        Option(
            "komi",
            "float",
            "points for white, a multiple of 0.5; 0.5 with a handicap",
            low=0,
            high=100,
            shown="7.5",
        ),
        Option(
            "handicap",
            "int",
            "black stones on the marked points at the beginning; white moves first",
            0,
            low=0,
            high=9,
        ),
        aliases=("weiqi", "baduk"),
        family="territory",
        length="long",
        lessons=_LESSONS,
    ),
)
