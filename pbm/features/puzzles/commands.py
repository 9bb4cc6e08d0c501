"""`puzzle`: mails a puzzle, takes its answer, or shows the player's score."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import groupby

from msgspec import Struct
from msgspec.structs import replace

from pbm.core.board import say_seat_names
from pbm.core.call import Call
from pbm.core.command import Command
from pbm.core.context import Context
from pbm.core.limits import Limit, spend
from pbm.core.notices import Appearance, Content, Notice, PositionContent
from pbm.core.operator import OperatorAct
from pbm.core.player import Player, delete_own, list_own, pass_on
from pbm.core.refusal import Refusal, RefusalCode, get_move_code
from pbm.core.storing import find_title
from pbm.core.words import normalize_word, parse_board_number
from pbm.features.puzzles.sent import (
    GIVEN_UP,
    MISSED,
    OPEN,
    SOLVED,
    ScoreRow,
    add_puzzle,
    choose_puzzle,
    count_answer,
    find_puzzle,
    find_scores,
)
from pbm.features.puzzles.tables import PuzzleRow, puzzles
from pbm.games import get_game
from pbm.locale.men import read_move
from pbm.rules import Game, MoveError, Position
from pbm.rules.phrases import Listing, get_text, phrase
from pbm.rules.solutions import STRENGTHS
from pbm.rules.turn_text import require_no_question
from pbm.rules.typed_moves import respell
from pbm.store import reads
from pbm.store.transaction import Session

_USUAL = "medium"
_SCORE = "score"
_GIVING_UP = ("solution", "give up", "i give up")
LETTER = "p"
"""The letter of reply addresses for puzzles."""


class PuzzleRefusalCode(StrEnum):
    """Reasons to refuse a command about puzzles."""

    NO_SUCH_PUZZLE = "no_such_puzzle"
    """The player was mailed no puzzle of that number, or the game has none."""


def arrange(command: Command, words: list[str]) -> list[str]:
    """Move the number or strength of a puzzle behind userid and password, if these follow."""
    sender = command.sender
    claim = 0 if sender.token is not None else 1 if sender.operator else 2
    if len(words) <= claim:
        return words
    is_ours = parse_board_number(words[0]) or normalize_word(words[0]) in STRENGTHS
    return [*words[1 : 1 + claim], words[0], *words[1 + claim :]] if is_ours else words


def suggest(command: Command) -> str:
    """Return the form of an answer to a puzzle, if the command names one or replies to the mail of
    one."""
    if command.words and parse_board_number(command.words[0]):
        return "puzzle NUMBER {user} PASSWORD MOVE"
    number = command.sender.find_number(LETTER) if command.implied else 0
    return f"puzzle {number} {{user}} PASSWORD MOVE" if number else ""


def puzzle(call: Call) -> list[Notice]:
    """Answer the puzzle that is named or whose mail is replied to; otherwise mail another one or,
    without a game, the player's score."""
    words = [word.lower().rstrip(".!") for word in call.command.words]
    number = parse_board_number(words[0]) if words else 0
    if number and not call.command.implied:
        return _answer(call, _find_own(call, number), call.command.rest.split(" ", 1)[1:])
    wanted = words[0] if len(words) == 1 and words[0] in STRENGTHS else ""
    replied_to = call.command.sender.find_number(LETTER)
    if call.command.implied and not wanted:
        return _answer(call, _find_own(call, replied_to), [call.command.rest])
    replied = find_puzzle(call.session, replied_to)
    game = call.command.game or (replied.game if replied is not None else "")
    if not game and call.command.sender.board:
        board = reads.find_board(call.session, call.command.sender.board)
        game = board.game if board is not None else ""
    if words == [_SCORE] or not (game or words):
        return [_tell_scores(call)]
    if words and not wanted:
        raise Refusal(
            RefusalCode.BAD_ARGUMENT,
            phrase("a puzzle is {strengths}", strengths=Listing(STRENGTHS, "or")),
            f"{game or 'cradle'} puzzle {{user}} PASSWORD {_USUAL}",
        )
    if not game:
        raise Refusal(
            RefusalCode.MISSING_ARGUMENT,
            phrase("the game is missing"),
            "GAME puzzle {user} PASSWORD",
        )
    is_same_game = replied is not None and replied.game == game
    usual = replied.strength if replied is not None and is_same_game else _USUAL
    return [_send(call, get_game(game), wanted or usual)]


def _send(call: Call, game: Game, strength: str) -> Notice:
    """Mail the player's next puzzle. Refused for a game without puzzles, and beyond the day's
    limit."""
    player, name = call.me, game.info.name
    choice = [each for each in game.list_puzzles() if each.strength == strength]
    if not choice:
        raise Refusal(
            PuzzleRefusalCode.NO_SUCH_PUZZLE,
            phrase("there are no puzzles of {game}", game=name),
            "help puzzle",
        )
    if not spend(call.session, Limit.PUZZLES, player.id, call.now, call.config):
        raise Refusal(
            RefusalCode.LIMIT_REACHED,
            phrase(
                "you have had as many puzzles as a day allows ({limit}): ask again after 00:00 UTC",
                limit=Limit.PUZZLES.find_most(call.config),
            ),
        )
    chosen = choose_puzzle(call.session, player.id, name, choice)
    number = add_puzzle(call.session, player.id, name, chosen, call.now)
    position = _set_up(game, chosen.moves)
    last = chosen.moves[-1:]
    content = PuzzleSent(
        game=name,
        puzzle=number,
        title=find_title(game.info.name),
        strength=STRENGTH_NAMES[strength],
        seat=say_seat_names(position)[min(position.to_move)],
        picture=position.picture(None, last),
        appearance=Appearance(position, None, last),
        colours=position.colours,
        is_in_words=call.wants_words,
        played=chosen.moves,
        userid=player.userid,
    )
    return replace(call.answer(content), about=f"{LETTER}{number}")


def _find_own(call: Call, number: int) -> PuzzleRow:
    """Return the sender's puzzle with that number. Refuse any other number."""
    row = find_puzzle(call.session, number)
    if row is None or row.player_id != call.me.id:
        raise Refusal(
            PuzzleRefusalCode.NO_SUCH_PUZZLE,
            phrase("you were mailed no puzzle with that number"),
            "cradle puzzle {user} PASSWORD",
        )
    return row


def _answer(call: Call, row: PuzzleRow, rest: Sequence[str]) -> list[Notice]:
    """Judge a move, or give the solution if asked for. Only the first answer counts. Refuse an
    illegal move."""
    text = " ".join(rest).strip()
    game = get_game(row.game)
    position = _set_up(game, row.moves.split())
    if text.lower().rstrip(".!") in _GIVING_UP:
        verdict = show_solution(position)
        outcome = GIVEN_UP
    else:
        verdict = judge_move(position, _read_move(call, row, position, text))
        outcome = SOLVED if verdict.is_right else MISSED
    counts = count_answer(call.session, row.id, outcome, call.now)
    own = (score for score in _list_scores(find_scores(call.session, row.player_id)))
    score = next(each for each in own if (each.game, each.strength) == (row.game, row.strength))
    content = verdict.build_content(row, counts=counts, score=score, in_words=call.wants_words)
    return [replace(call.answer(content), about=f"{LETTER}{row.id}")]


def _read_move(call: Call, row: PuzzleRow, position: Position, text: str) -> str:
    """Return the legal move of a text, respelled if need be. Refuse anything else."""
    seat = min(position.to_move)
    if not text:
        raise _refuse(row, RefusalCode.MISSING_ARGUMENT, phrase("the move is missing"))
    try:
        text = read_move(position, seat, text, call.language)
        try:
            require_no_question(position, seat, text)
            move, left = position.parse(text, seat)
            position.play(seat, move)
        except MoveError as error:
            move, left = position.parse(respell(position, seat, text, error), seat)
            position.play(seat, move)
    except MoveError as error:
        raise _refuse(row, get_move_code(error), get_text(error)) from None
    if left.strip():
        raise _refuse(row, RefusalCode.TRAILING_TEXT, phrase("one move is the answer"))
    return move


def _refuse(row: PuzzleRow, code: RefusalCode, text: str) -> Refusal:
    """Return the refusal of a text that is no answer, which does not count."""
    forms = (f"puzzle {row.id} {{user}} PASSWORD {word}" for word in ("MOVE", "solution"))
    return Refusal(
        code,
        phrase("puzzle {number} is still open: {problem}", number=row.id, problem=text),
        *forms,
    )


def _set_up(game: Game, moves: Sequence[str]) -> Position:
    position = game.setup()
    for move in moves:
        position = position.play(min(position.to_move), move)
    return position


def _tell_scores(call: Call) -> Notice:
    rows = list(_list_scores(find_scores(call.session, call.me.id)))
    return call.answer(PuzzleScores(userid=call.me.userid, rows=rows))


def _list_scores(rows: Sequence[ScoreRow]) -> Iterator[PuzzleScore]:

    def rank(row: ScoreRow) -> tuple[str, int]:
        return row.game, STRENGTHS.index(row.strength)

    for (game, strength), states in groupby(sorted(rows, key=rank), rank):
        counts = {row.state: row.count for row in states}
        waiting = counts.pop(OPEN, 0)
        tried = sum(counts.values())
        yield PuzzleScore(
            game, STRENGTH_NAMES[STRENGTHS[strength]], counts.get(SOLVED, 0), tried, waiting
        )


# Answers to puzzles: whether a move is the only one that wins, and how the game would go on.

_LONGEST = 40
"""The most moves of a line that is shown."""


@dataclass(frozen=True, slots=True)
class AnswerVerdict:
    """The judgement of an answer.

    position  the puzzle
    move      the answer, or the requested solution
    reply     the best reply to a wrong move; "" if that has ended the game
    is_lost   after that move the other seat wins
    line      the moves that follow, beginning with the reply
    end       the position after them
    """

    position: Position
    move: str
    is_right: bool
    is_asked: bool
    reply: str
    is_lost: bool
    line: tuple[tuple[int, str], ...]
    end: Position

    def build_content(
        self, row: PuzzleRow, *, counts: bool, score: PuzzleScore, in_words: bool
    ) -> PuzzleAnswered:
        """Return the notice of it. `counts`: this is the answer that counts."""
        position, end = self.position, self.end
        seat, names = min(position.to_move), say_seat_names(position)
        last = (self.line[-1][1] if self.line else self.move,)
        return PuzzleAnswered(
            game=row.game,
            puzzle=row.id,
            title=find_title(position.game.info.name),
            strength=STRENGTH_NAMES[row.strength],
            seat=names[seat],
            picture=end.picture(None, last),
            appearance=Appearance(end, None, last),
            colours=end.colours,
            is_in_words=in_words,
            move=self.move,
            is_right=self.is_right,
            is_asked=self.is_asked,
            reply=self.reply,
            is_lost=self.is_lost,
            other=names[self.line[0][0]] if self.line else "",
            line=[(names[number], move) for number, move in self.line],
            reason=end.outcome.reason if end.outcome is not None else "",
            counts=counts,
            solved=score.solved,
            tried=score.tried,
        )


def show_solution(position: Position) -> AnswerVerdict:
    """Return the only move that wins."""
    return _follow_win(position, _find_solution(position), is_asked=True)


def judge_move(position: Position, move: str) -> AnswerVerdict:
    """Judge whether a legal move is the only one that wins; if not, what refutes it."""
    if move == _find_solution(position):
        return _follow_win(position, move, is_asked=False)
    after = position.play(min(position.to_move), move)
    solution = after.solve()
    line, end = tuple[tuple[int, str], ...](), after
    if solution is not None and solution.wins:
        line, end = _play_best(after)
    elif solution is not None:
        reply = solution.best[0]
        line, end = ((min(after.to_move), reply),), after.play(min(after.to_move), reply)
    return AnswerVerdict(
        position,
        move,
        is_right=False,
        is_asked=False,
        reply=line[0][1] if line else "",
        is_lost=bool(solution is not None and solution.wins),
        line=line,
        end=end,
    )


def _find_solution(position: Position) -> str:
    """Return the move that wins. ValueError where the game has no solution of it."""
    solution = position.solve()
    if solution is None or not solution.wins:
        raise ValueError("no move is known to win")
    return solution.best[0]


def _follow_win(position: Position, move: str, *, is_asked: bool) -> AnswerVerdict:
    line, end = _play_best(position.play(min(position.to_move), move))
    return AnswerVerdict(
        position,
        move,
        is_right=True,
        is_asked=is_asked,
        reply="",
        is_lost=False,
        line=line,
        end=end,
    )


def _play_best(position: Position) -> tuple[tuple[tuple[int, str], ...], Position]:
    """Return the line in which one side wins as soon, and the other loses as late, as it can."""
    line: list[tuple[int, str]] = []
    while len(line) < _LONGEST and (solution := position.solve()) is not None:
        seat, move = min(position.to_move), solution.best[0]
        line.append((seat, move))
        position = position.play(seat, move)
    return tuple(line), position


# Notices about puzzles: a position to solve, what an answer is worth, how many were solved.

# TRANSLATORS: how hard a puzzle is to solve: "Hex, puzzle 17, hard"
STRENGTH_NAMES = {"easy": phrase("easy"), "medium": phrase("medium"), "hard": phrase("hard")}


class PuzzleContent(PositionContent, frozen=True, kw_only=True):
    """Content about one puzzle; `seat` is the name of the seat that is to win."""

    puzzle: int
    strength: str
    seat: str


class PuzzleSent(PuzzleContent, frozen=True, kw_only=True):
    """A puzzle, with the moves that led there."""

    played: Sequence[str]
    userid: str


class PuzzleAnswered(PuzzleContent, frozen=True, kw_only=True):
    """The judgement of an answer, with the board at the end of the line.

    move      the answer, or the requested solution
    is_right  it is the only move that wins
    is_asked  the reader asked for the solution
    reply     the best answer to a wrong move; "" when the game is over
    is_lost   after it the other seat wins
    other     the name of that seat
    line      how it goes on, as names of seats and moves
    reason    how that ends, if it does
    counts    this is the answer that counts
    solved    the number solved of the puzzles `tried` of that strength
    """

    move: str
    is_right: bool
    is_asked: bool
    reply: str
    is_lost: bool
    other: str
    line: Sequence[tuple[str, str]]
    reason: str
    counts: bool
    solved: int
    tried: int


class PuzzleScore(Struct, frozen=True):
    """A score for a game and strength: puzzles solved at the first answer, puzzles tried, and
    puzzles that wait for an answer."""

    game: str
    strength: str
    solved: int
    tried: int
    waiting: int


class PuzzleScores(Content, frozen=True, kw_only=True):
    """All scores of a player."""

    userid: str
    rows: Sequence[PuzzleScore]


# Puzzles of a player: listed, passed on and deleted.


def list_personal_data(session: Session, player: int) -> dict[str, object]:
    """Return the puzzles that were sent to a player."""
    names = "id game strength moves sent state answered"
    return {"puzzles": list_own(session, player, puzzles, names)}


def pass_on_rows(act: OperatorAct, old: Player, new: Player) -> None:
    """Pass on the puzzles."""
    pass_on(act.session, (puzzles,), old, new)


def erase_rows(context: Context, player: Player) -> None:
    """Delete the puzzles."""
    delete_own(context.session, (puzzles,), player.id)
