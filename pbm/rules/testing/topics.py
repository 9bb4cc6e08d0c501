"""The kinds of mistakes that the conformance suite finds, each with its usual cause."""

from __future__ import annotations

from dataclasses import dataclass

PAGE = "docs/authors/findings.md"


@dataclass(frozen=True, slots=True)
class Topic:
    """A kind of mistake: its name, which is a heading of PAGE, and its usual cause."""

    name: str
    cause: str

    @property
    def page(self) -> str:
        """The page that explains it."""
        return f"{PAGE}#{self.name.lower().replace(' ', '-')}"


INFO = Topic("Info", "a field of GameInfo was left empty or written as people would write it.")
HELP = Topic(
    "Help",
    "the page was written before the rules settled; an example of a move is a line of its own "
    "that begins with blanks and '> '.",
)
OPTIONS = Topic(
    "Options",
    "the option is declared but never read, or `start` reads another name than the declared one.",
)
MOVES = Topic(
    "Moves",
    "`legal_moves` builds the same move in two ways, or sorts by something that changes; a move "
    "has one spelling, in lower case.",
)
LEGALITY = Topic(
    "Legality",
    "`apply` checks other conditions than `legal_moves`; begin it with `if move not in "
    "self.legal_moves(seat): raise IllegalMove(...)`.",
)
PARSING = Topic(
    "Parsing",
    "`parse` guesses, or reads a shorter move from the beginning of a longer one; match the whole "
    "word.",
)
AMBIGUITY = Topic(
    "Ambiguity",
    "two moves are described alike, or a word of the game is one of the command language; give "
    "each move words of its own.",
)
TURNS = Topic(
    "Turns",
    "`turn` is counted down or set back, or `to_move` and `outcome` are computed from different "
    "fields.",
)
CHANCE_QUESTIONS = Topic(
    "Chance",
    "`chance` is computed from other fields than `to_move`; both must follow from the same one.",
)
STORAGE = Topic(
    "Storage",
    "`dump` leaves out a field, or `load` reads the fields in another order. Fields with "
    "compare=False are not stored, sets have no order, and floats are not exact.",
)
SHARING = Topic(
    "Sharing",
    "a list, set or dict inside the position is changed in place, and the next position has the "
    "same one; use tuples and frozensets, and `dataclasses.replace`.",
)
REPLAY = Topic(
    "Replay",
    "something outside of the position decides what happens: a module variable, a counter, the "
    "clock, a generator. Ask chance instead.",
)
HIDING = Topic(
    "Hiding",
    "`picture`, `scene`, `describe`, `news` or a refusal does not ask who is looking.",
)
ENDING = Topic(
    "Ending", "`outcome` was made by hand; `outcome_of(groups, reason)` ranks every seat."
)
NEWS = Topic(
    "News",
    "a position keeps the field of its news: give `replace` the new ones with every move, "
    "`news=()` where nothing happened by itself.",
)
PIECES = Topic(
    "Pieces",
    "`apply` changes other places than the move names, or fewer: a piece is taken in silence, or "
    "stays where it was. It may be as it should.",
)
BALANCE = Topic(
    "Balance",
    "`outcome` asks the wrong seat, or too early. Random games do not show how people play: it may "
    "be as it should.",
)
STANDING = Topic(
    "Standing",
    "a number is divided by nothing, or seats that have left are missing; both are tuples with a "
    "finite number for each seat, in positions that are over too.",
)
SOLUTIONS = Topic(
    "Solutions",
    "`solve` asks a table that was made by other rules, or for the other seat; a puzzle is the "
    "moves to a position in which `solve` knows exactly one that wins.",
)
ENDLESS = Topic(
    "Endless",
    "the rules do not force an end, or `rough_key` hides that a position is repeated; count the "
    "moves without progress, or end the game when a position is repeated.",
)
RESIGNING = Topic(
    "Resigning",
    "`resign` forgets the seat to move, the last player left, or a turn for which all others have "
    "already moved.",
)
PICTURE = Topic("Picture", "the largest board is wider than a mail, or a sign is not ASCII.")
SCENE = Topic("Scene", "a piece, mark or label refers to a place that `places` does not have.")
STEPS = Topic(
    "Steps",
    "two moves name the same places; give what tells them apart an `Entry` with a name in a panel, "
    "or override `steps`.",
)
SPEECH = Topic("Speech", "`words` was overridden, or a note has signs that nobody can pronounce.")
SPEED = Topic(
    "Speed",
    "the list is computed anew for each question, or tries every move to see whether it is legal; "
    "compute tables once a board, and cache the list in the position.",
)
CRASHES = Topic(
    "Crashes",
    "typed text reached an index, a dictionary or int(); refuse with InvalidMove or IllegalMove.",
)

TOPICS = (
    INFO,
    HELP,
    OPTIONS,
    MOVES,
    LEGALITY,
    PARSING,
    AMBIGUITY,
    TURNS,
    CHANCE_QUESTIONS,
    STORAGE,
    SHARING,
    REPLAY,
    HIDING,
    ENDING,
    NEWS,
    PIECES,
    BALANCE,
    STANDING,
    SOLUTIONS,
    ENDLESS,
    RESIGNING,
    PICTURE,
    SCENE,
    STEPS,
    SPEECH,
    SPEED,
    CRASHES,
)
"""All of them, in the order of the page."""
