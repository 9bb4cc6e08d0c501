"""Runs plans: what a move, a roll or a proposal makes due is done in its owner's name, in the same
transaction, as often as the plans reach. No time passes on the owner's clock."""

from __future__ import annotations

from msgspec.structs import replace

from pbm.core.kernel.boards.board import Board
from pbm.core.kernel.boards.draws import agree_to_draw, claim_draw
from pbm.core.kernel.boards.log import Entry, build_entry, drop_undone, replay
from pbm.core.kernel.boards.playing import find_language, play_text
from pbm.core.kernel.boards.seat import Seat
from pbm.core.kernel.boards.storing import save
from pbm.core.kernel.boards.undo_state import keep_act
from pbm.core.kernel.boards.updates import Change, build_change
from pbm.core.kernel.context import Context
from pbm.core.kernel.plans.rules import Problem, Rules
from pbm.core.kernel.plans.tree import ACCEPT, ANSWER_WORDS, PROPOSE, RESIGN, Plan
from pbm.core.kernel.players.player import get_player
from pbm.core.plans.progress import Progress, answer_proposal, follow
from pbm.rules import IllegalMove, MoveError, Position
from pbm.rules.phrases import get_text, phrase
from pbm.rules.typed_moves import read_letters
from pbm.store import reads


def run_plans(context: Context, board: Board, proposer: int | None = None) -> list[Change]:
    """Do what the plans at the board make of what has just been saved, and return the changes; the
    caller builds the notices. `proposer` is the seat that has just proposed a draw."""
    if not any(seat.plan for seat in board.seats):
        return []
    return _Run(context, board).run(proposer)


def build_rules(context: Context, board: Board, seat: Seat) -> Rules:
    """Build what checks the plans of a seat."""
    language = find_language(context.config, seat)
    return Rules(seat.seat, lambda number: board.seats[number].userid, board.is_hidden, language)


def note_cut(board: Board, seat: Seat, problems: list[Problem]) -> None:
    """Note, for the owner of a plan, the branches that were cut."""
    for problem in problems:
        cut = phrase(
            "of your plan, `{branch}` is cut: {why}", branch=problem.words, why=problem.reason
        )
        board.note_lapse(seat, cut)


def _tell_unplayed(plan: Plan, text: str, why: str) -> str:
    """Say that what was planned or queued could not be done."""
    if text in ANSWER_WORDS:
        return phrase("your planned {word} was not played: {why}", word=text, why=why)
    if plan.is_queued:
        return phrase("your queued move {move} was not played: {why}", move=text, why=why)
    return phrase("your planned move {move} was not played: {why}", move=text, why=why)


class _Run:
    """The plans of a board, run until nothing is due."""

    def __init__(self, context: Context, board: Board) -> None:
        self._context = context
        self._board = board
        self._changes: list[Change] = []
        self._history = list(zip(board.entries, board.positions_before, strict=True))

    def run(self, proposer: int | None) -> list[Change]:
        board = self._board
        if proposer is not None:
            self._answer_proposal(proposer)
        while board.state == "running" and any([self._advance(seat) for seat in board.seats]):
            pass
        if any(seat.has_changed for seat in board.seats):
            board.begin_act()
            save(self._context.session, board, self._context.now)
        return self._changes

    def _advance(self, seat: Seat) -> bool:
        """Follow the plan of a seat; whether it has answered."""
        plan, board = seat.current_plan, self._board
        if plan is None or board.state != "running":
            return False
        position, entries = self._find_since(plan.since)
        progress = follow(plan, build_rules(self._context, board, seat), position, entries)
        note_cut(board, seat, list(progress.problems))
        if progress.answer and progress.plan is not None:
            self._answer(seat, progress.plan, progress)
            return True
        if progress.plan != plan:
            seat.make_plan(progress.plan)
        if progress.ended:
            board.note_lapse(seat, phrase("your plan has ended: {why}", why=progress.ended))
        return False

    def _find_since(self, since: int) -> tuple[Position, list[Entry]]:
        """Return the position after that entry of the log, and the entries since."""
        board = self._board
        if since >= board.number:
            return board.position, []
        if self._history and self._history[0][0].number <= since + 1:
            new = [pair for pair in self._history if pair[0].number > since]
            return new[0][1], [entry for entry, _ in new]
        log = drop_undone(
            build_entry(row) for row in reads.find_log(self._context.session, board.id)
        )
        before = [entry for entry in log if entry.number <= since]
        return (
            replay(board.game, len(board.seats), board.options, before),
            [entry for entry in log if entry.number > since],
        )

    def _answer_proposal(self, proposer: int) -> None:
        """Do what plans answer to a proposal of a draw."""
        board = self._board
        for seat in board.seats:
            plan = seat.current_plan
            if plan is None or seat.player == board.seats[proposer].player:
                continue
            left = answer_proposal(plan)
            if left is None or board.state != "running":
                continue
            if not left.tree[0].is_answer:
                seat.make_plan(left)
                continue
            self._answer(seat, left, Progress(left, left.tree[0].text))

    def _answer(self, seat: Seat, plan: Plan, progress: Progress) -> None:
        """Do what is due for a seat. An answer that is impossible ends the plan."""
        board, answer = self._board, plan.tree[0]
        board.begin_act()
        seat.make_plan(None)
        try:
            if plan.ply and plan.ply != board.next_ply:
                raise IllegalMove(
                    phrase(
                        "it was for move {named}, and now it is move {present}",
                        named=plan.ply,
                        present=board.next_ply,
                    )
                )
            if answer.text in ANSWER_WORDS:
                change = self._speak(seat, answer.text)
            else:
                change = self._play(seat, plan)
        except MoveError as error:
            board.note_lapse(seat, _tell_unplayed(plan, answer.text, get_text(error)))
            return
        self._history += zip(board.entries, board.positions_before, strict=True)
        self._changes.append(change)
        if answer.text == PROPOSE and board.state == "running":
            self._answer_proposal(seat.seat)

    def _play(self, seat: Seat, plan: Plan) -> Change:
        """Play the answer, and keep what may come after it."""
        board, now = self._board, self._context.now
        language = find_language(self._context.config, seat)
        text = read_letters(board.position, seat.seat, plan.tree[0].text, language)
        owner = get_player(self._context.session, seat.player)
        is_silenced = owner is not None and owner.is_silenced(now)
        comment = "" if is_silenced else plan.comment
        problem = play_text(board, seat, text, comment, now)
        own = [entry.kind == "move" and entry.seat == seat.seat for entry in board.entries]
        last = len(own) - 1 - own[::-1].index(True)
        tree = plan.tree[0].children
        if plan.is_due and tree:
            after = (*board.positions_before, board.position)[last + 1]
            rules = build_rules(self._context, board, seat)
            tree = rules.settle(tree, None if rules.hides else after)
            note_cut(board, seat, rules.problems)
        if tree and not problem:
            left = Plan(tree, board.entries[last].number, is_queued=plan.is_queued)
            seat.make_plan(left)
        save(self._context.session, board, now)
        return build_change(
            board,
            None,
            actor=seat.seat,
            comment=comment,
            problem=problem,
            planned=True,
        )

    def _speak(self, seat: Seat, word: str) -> Change:
        """Resign, propose a draw or accept one."""
        call, board = self._context, self._board
        before = board.snapshot_for_undo()
        if word == RESIGN:
            if seat.seat not in board.position.playing:
                raise IllegalMove(phrase("you no longer play"))
            board.resign(seat.seat, "", call.now)
            remark = keep_act(call, board, seat, "resign", before)
            save(call.session, board, call.now)
            return build_change(
                board,
                phrase("{player} resigned", player=seat.userid),
                own=phrase("you resigned"),
                actor=seat.seat,
                planned=True,
                remark=remark,
            )
        agreed = board.proposals.get("draw", [])
        if word == ACCEPT and not agreed:
            raise IllegalMove(phrase("no draw is proposed"))
        if seat.seat in agreed:
            raise IllegalMove(phrase("you have already agreed to a draw"))
        drawn = claim_draw(call, board, seat, "") if word == PROPOSE else None
        if drawn := drawn or agree_to_draw(call, board, seat, "", before):
            return replace(drawn, planned=True)
        save(call.session, board, call.now)
        event, own = phrase("{player} agreed", player=seat.userid), phrase("you agreed")
        if not agreed:
            event = phrase("{player} proposed a draw", player=seat.userid)
            own = phrase("you proposed a draw")
        return build_change(board, event, own=own, actor=seat.seat, planned=True)
