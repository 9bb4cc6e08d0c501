"""Runs plans: after a move, a roll or a proposal, their answers are played in the owner's name, in
the same transaction, as long as plans have answers. No time passes on the owner's clock."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import partial
from itertools import islice
from typing import NamedTuple

from msgspec.structs import replace

from pbm.core.board import Board
from pbm.core.call import Call
from pbm.core.context import Context
from pbm.core.feature import PreparedTurn
from pbm.core.log import LogEntry, apply_entry, build_entry, drop_undone, replay
from pbm.core.refusal import Refusal, RefusalCode, get_move_code
from pbm.core.seat import Seat, Way
from pbm.core.storing import save
from pbm.core.trust import Verdict, find_principal, keep_words, weigh_words
from pbm.core.turns import find_language, play_text, respell_move
from pbm.core.updates import Change, agree_to_draw, build_change, claim_draw, keep_act
from pbm.features.plans.lines import FORM
from pbm.features.plans.rules import (
    ACCEPT,
    ANSWER_WORDS,
    ANY,
    PROPOSE,
    RESIGN,
    BranchLine,
    Conflict,
    PlanRefusalCode,
    PlanRules,
    Problem,
    build_branch,
    grow,
    is_complete,
    play_turn,
    read_plan,
    roll_results,
)
from pbm.features.plans.tree import OWN, Plan, PlanNode, Tree, find_plan, make_plan
from pbm.locale.men import read_move
from pbm.rules import CHANCE_TO_MOVE, IllegalMove, MoveError, Position
from pbm.rules.phrases import Phrase, fill_in, get_text, phrase
from pbm.store import reads

_NAMED = re.compile(r"\{(\w+)\}: \{(\w+)\}")
"""The pattern of refusals that begin with a move."""


def run_plans(
    context: Context, board: Board, changes: list[Change], proposer: int | None
) -> list[Change]:
    """Run the plans on a board after `changes` were saved, and play only moves for players who want
    that. Return all changes. While a phase of orders is open, nothing is run."""
    are_orders = board.position.takes_orders and changes and changes[0].event is None
    if are_orders or not any(seat.plan or _wants_forced(seat) for seat in board.seats):
        return changes
    return [*changes, *_Run(context, board).run(proposer)]


def build_rules(context: Context, board: Board, seat: Seat) -> PlanRules:
    """Return the checker of a seat's plans."""
    language = find_language(context.config, seat)
    return PlanRules(
        seat.seat, lambda number: board.seats[number].userid, board.is_hidden, language
    )


def note_cut(board: Board, seat: Seat, problems: list[Problem]) -> None:
    """Note, for the owner of a plan, the branches that were cut."""
    for problem in problems:
        cut = phrase(
            "of your plan, `{branch}` is cut: {why}",
            branch=problem.words,
            why=get_text(problem.reason),
        )
        board.note_lapse(seat, cut)


def _tell_unplayed(plan: Plan, text: str, why: str) -> str:
    """Return the sentence that a planned or queued act was not played."""
    if text in ANSWER_WORDS:
        return phrase("your planned {word} was not played: {why}", word=text, why=why)
    if plan.is_queued:
        return phrase("your queued move {move} was not played: {why}", move=text, why=why)
    return phrase("your planned move {move} was not played: {why}", move=text, why=why)


def _wants_forced(seat: Seat) -> bool:
    """Whether the player of a seat wants only moves played; parties that decide together never
    do."""
    return not seat.decides and seat.preferences.get("forced") == "yes" and seat.is_active


def _find_forced_turn(position: Position, seat: int) -> list[str]:
    """Return all moves of a seat's turn if each is its only legal one; else none."""
    moves, after = list[str](), position
    while after.turn == position.turn and after.to_move == {seat} and len(moves) < _MOST_FORCED:
        legal = [*islice(after.legal_moves(seat), 2)]
        if len(legal) != 1:
            return []
        moves += legal
        after = after.play(seat, legal[0])
    return [] if after.turn == position.turn and after.outcome is None else moves


_MOST_FORCED = 50
"""The most turns played automatically after one act."""


class _Run:
    """The plans of a board, run until no answer is due."""

    def __init__(self, context: Context, board: Board) -> None:
        self._context = context
        self._board = board
        self._changes: list[Change] = []
        self._forced = 0
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
        """Follow a seat's plan, or play its only move if its player wants that. Return whether it
        acted."""
        return self._follow(seat) or self._play_only_move(seat)

    def _play_only_move(self, seat: Seat) -> bool:
        board = self._board
        is_asked = any(seat.seat not in by for by in board.proposals.values())
        if not _wants_forced(seat) or is_asked or self._forced >= _MOST_FORCED:
            return False
        is_open = board.state == "running" and not board.is_hidden
        moves = _find_forced_turn(board.position, seat.seat) if is_open else ()
        if not moves:
            return False
        self._forced += 1
        board.begin_act()
        board.play_only_moves(seat.seat, moves, self._context.now)
        self._history += zip(board.entries, board.positions_before, strict=True)
        save(self._context.session, board, self._context.now)
        self._changes.append(build_change(board, None, actor=seat.seat, is_forced=True))
        return True

    def _follow(self, seat: Seat) -> bool:
        """Follow a seat's plan. Return whether it has answered."""
        plan, board = find_plan(seat), self._board
        if plan is None or board.state != "running":
            return False
        position, entries = self._find_since(plan.since)
        progress = follow(plan, build_rules(self._context, board, seat), position, entries)
        note_cut(board, seat, list(progress.problems))
        if progress.answer and progress.plan is not None:
            self._answer(seat, progress.plan, progress)
            return True
        if progress.plan != plan:
            make_plan(seat, progress.plan)
        if progress.ended:
            board.note_lapse(seat, phrase("your plan has ended: {why}", why=progress.ended))
        return False

    def _find_since(self, since: int) -> tuple[Position, list[LogEntry]]:
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
        """Do what plans answer to a proposed draw."""
        board = self._board
        for seat in board.seats:
            plan = find_plan(seat)
            if plan is None or seat.player == board.seats[proposer].player:
                continue
            left = answer_proposal(plan)
            if left is None or board.state != "running":
                continue
            if not left.tree[0].is_answer:
                make_plan(seat, left)
                continue
            self._answer(seat, left, Progress(left, left.tree[0].text))

    def _answer(self, seat: Seat, plan: Plan, progress: Progress) -> None:
        """Play a seat's due answer. An impossible answer ends the plan."""
        board, answer = self._board, plan.tree[0]
        board.begin_act()
        make_plan(seat, None)
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
        """Play the answer, and store the rest of the plan."""
        board, now = self._board, self._context.now
        language = find_language(self._context.config, seat)
        text = read_move(board.position, seat.seat, plan.tree[0].text, language)
        comment = self._weigh_comment(seat, plan.comment)
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
            make_plan(seat, left)
        save(self._context.session, board, now)
        return build_change(
            board,
            None,
            actor=seat.seat,
            comment=comment,
            problem=problem,
            planned=True,
        )

    def _weigh_comment(self, seat: Seat, text: str) -> str:
        """Return the words beside a planned move, "" if they must not be passed on now: a silenced
        player's are dropped, and a newcomer's to players who have not agreed to play are held."""
        context, board = self._context, self._board
        owner = find_principal(context.session, seat.player, context.now)
        readers = [each.player for each in board.seats if not each.is_bot]
        verdict = weigh_words(context.session, owner, readers, context.now, context.config)
        if not text or verdict is Verdict.NOW:
            return text
        if verdict is Verdict.HELD:
            to = tuple(str(each) for each in readers if each != seat.player)
            args = (context.session, seat.player, "comment", to, text, context.now)
            is_kept = keep_words(*args, about=board.id)
            board.note_lapse(
                seat,
                phrase("what you wrote beside your planned move waits for a moderator")
                if is_kept
                else phrase("what you wrote beside your planned move was not passed on"),
            )
        return ""

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


# Writes plans: the branches as typed, checked against the rules where they stand.

_LONGEST_BRANCH = 250


class PreparedPlan(NamedTuple):
    """The plan below a move that is not played yet; `is_checked`: against the position after it."""

    tree: Tree
    is_checked: bool


def require_own_plan(board: Board, seat: Seat) -> None:
    """Refuse a plan for a seat whose party votes or takes turns: it would bypass the others."""
    if seat.decides in (Way.TURN, Way.VOTE) and not board.position.takes_orders:
        raise board.make_refusal(
            RefusalCode.BAD_ARGUMENT,
            phrase("your side decides each move together: nothing can be planned for it"),
            f"{board.game.info.name} confer {board.id} {{user}} PASSWORD TEXT",
        )


def build_tree(
    context: Context, board: Board, seat: Seat, lines: Sequence[str], position: Position | None
) -> Tree:
    """Return the tree of a plan that begins at a position (None: unknown). Refuse what cannot be
    read or played there, naming the line and the words, and a second answer to an event."""
    require_own_plan(board, seat)
    read = read_plan(lines)
    most = context.config.limits.plan_moves
    if most and sum(len(line.steps) for line in read) > most:
        raise board.make_refusal(
            RefusalCode.LIMIT_REACHED,
            phrase("a plan holds at most {most} moves, those of the others included", most=most),
            FORM,
        )
    tree: Tree = ()
    for line in read:
        if len(line.steps) > _LONGEST_BRANCH:
            raise _refuse(
                board,
                RefusalCode.LIMIT_REACHED,
                phrase(
                    "line {number} of your plan is longer than {most} moves",
                    number=line.number,
                    most=_LONGEST_BRANCH,
                ),
            )
        rules = build_rules(context, board, seat)
        typed = build_branch(line.steps)
        branch = rules.settle(typed, position)
        if rules.problems:
            problem = rules.problems[0]
            raise _refuse_line(board, line, problem, _measure_depth(typed, problem.node))
        try:
            tree = grow(tree, branch)
        except Conflict as conflict:
            step = line.steps[_measure_depth(branch, conflict.node)]
            words = f"then {step.text}"
            raise _refuse(
                board,
                PlanRefusalCode.BAD_PLAN,
                phrase(
                    "line {number} of your plan, {words}: an earlier line has another answer there",
                    number=line.number,
                    words=words,
                ),
            ) from None
    return tree


def _measure_depth(branch: Tree, node: PlanNode) -> int:
    """Return the number of steps before a node of a branch."""
    depth = 0
    while branch[0] is not node:
        depth, branch = depth + 1, branch[0].children
    return depth


def _refuse_line(board: Board, line: BranchLine, problem: Problem, depth: int) -> Refusal:
    reason = get_text(problem.reason)
    if isinstance(reason, Phrase) and (parts := _NAMED.fullmatch(reason.message)):
        named, why = (reason.values[name] for name in parts.groups())
        if named == problem.node.text and isinstance(why, str):
            reason = why
    where = phrase("line {number} of your plan, {words}: {problem}")
    if reason.startswith(f"{problem.node.text}: "):
        where = phrase("line {number} of your plan: {problem}")
    return _refuse(
        board,
        get_move_code(problem.reason),
        fill_in(where, number=line.number, words=problem.words, problem=reason),
        phrase(
            "move {move} in line {number} of your plan cannot be played there",
            move=depth + 1,
            number=line.number,
        ),
    )


def _refuse(board: Board, code: StrEnum, problem: str, brief: str = "") -> Refusal:
    form = FORM.replace("GAME", board.game.info.name, 1)
    brief = brief or phrase("your plan could not be read")
    return Refusal(code, problem, form, "help plans", board=board.id, brief=brief)


def after_own(tree: Tree) -> Tree:
    """Return the tree for use after the owner's own move."""
    return (PlanNode(False, OWN, tree),)


def prepare_plan(call: Call, board: Board, seat: Seat, lines: Sequence[str]) -> PreparedTurn | None:
    """Prepare the plan below a move, before the move is played. None when there is no plan, or the
    move cannot be played anyway."""
    if not call.below or board.position.takes_orders:
        return None
    text = " ".join(lines)
    try:
        try:
            position, rest = _play_all(board.position, seat.seat, text)
        except MoveError as error:
            text = respell_move(board, seat.seat, text, error)
            position, rest = _play_all(board.position, seat.seat, text)
    except MoveError:
        return None
    # Checked before the move is played, so that the answer of chance decides nothing about it.
    is_open = bool(rest) or not is_complete(board.position, seat.seat, position)
    tree = build_tree(call, board, seat, call.below, None if is_open else position)
    tree = after_own(tree) if is_open and not rest else tree
    keep = partial(_keep_plan, call, board, seat, PreparedPlan(tree, not is_open))
    return PreparedTurn(lines, keep=keep)


def _play_all(position: Position, seat: int, text: str) -> tuple[Position, str]:
    """Return the position after the moves of a text, up to the first chance, and the remaining
    text."""
    rest = text.strip()
    while rest and position.outcome is None and position.to_move != CHANCE_TO_MOVE:
        move, rest = position.parse(rest, seat)
        position, rest = position.play(seat, move), rest.strip()
    return position, rest


def _keep_plan(
    context: Context,
    board: Board,
    seat: Seat,
    prepared: PreparedPlan,
    is_whole: bool,
) -> None:
    """Store the plan below a move that has just been played, unless only some of its moves were
    (`is_whole`)."""
    if not is_whole:
        lost = phrase("your plan is not kept: not all of your moves were played")
        board.note_lapse(seat, lost)
        return
    own = [entry.kind == "move" and entry.seat == seat.seat for entry in board.entries]
    last = len(own) - 1 - own[::-1].index(True)
    tree = prepared.tree
    if not prepared.is_checked and tree[0].text != OWN:
        rules = build_rules(context, board, seat)
        after = (*board.positions_before, board.position)[last + 1]
        tree = rules.settle(tree, None if rules.hides else after)
        note_cut(board, seat, rules.problems)
    make_plan(seat, Plan(tree, board.entries[last].number) if tree else None)


# How far a plan has come: its tree followed along the entries that the log has got since.

_LEAVING = ("resign", "forfeit")


@dataclass(frozen=True, slots=True)
class Progress:
    """The state of a plan after it was followed.

    plan      the rest of it, from the answer on when one is due; None when it has ended
    answer    the answer to play now; "" for none
    ended     why it has ended, a clause; "" when it goes on or is used up
    problems  branches that no longer hold and were cut
    """

    plan: Plan | None
    answer: str = ""
    ended: str = ""
    problems: tuple[Problem, ...] = ()


class _Unit(NamedTuple):
    """Entries of a log that form one event: the moves of a turn, a roll, a resignation."""

    kind: str
    seat: int | None
    moves: tuple[str, ...]
    words: str
    after: Position
    last: int
    is_complete: bool


def follow(
    plan: Plan, rules: PlanRules, position: Position, entries: Sequence[LogEntry]
) -> Progress:
    """Follow a plan along these entries; `position` is the one before them."""
    tree, since, is_due = plan.tree, plan.since, plan.is_due
    rest = list(entries)
    problems = rules.problems
    while tree:
        if tree[0].is_answer and not (is_due and rest):
            break
        if not rest:
            return Progress(plan.go_on(tree, since), problems=tuple(problems))
        unit = _take_unit(position, rest)
        if not unit.is_complete and not is_due:
            return Progress(plan.go_on(tree, since), problems=tuple(problems))
        if unit.seat == rules.seat and unit.kind in _LEAVING:
            return Progress(None, ended=phrase("you no longer play"))
        if unit.seat == rules.seat and tree[0].text != OWN:
            return Progress(None, ended=phrase("you moved before it could go on"))
        if not is_due:
            node = _find_branch(tree, rules, unit, position)
            if node is None:
                return Progress(None, ended=_describe_surprise(unit, rules), problems=(*problems,))
            tree, is_due = node.children, node.text == ANY and node.children[0].is_answer
            if not is_due and node.text in (OWN, ANY):
                tree = rules.settle(tree, None if rules.hides else unit.after)
                if not tree:
                    return Progress(
                        None, ended=phrase("nothing of it holds"), problems=(*problems,)
                    )
        position, since = unit.after, unit.last
    if not tree:
        return Progress(None, problems=tuple(problems))
    left = plan.go_on(tree, since, is_due=is_due)
    text = tree[0].text
    if is_due and rules.seat not in position.to_move:
        return Progress(left, problems=tuple(problems))
    if is_due or text in ANSWER_WORDS:
        return Progress(left, text, problems=tuple(problems))
    if rest:
        ended = phrase("something else happened before {move}", move=text)
        if rest[0].kind == "chance":
            ended = phrase("chance decided before {move}", move=text)
        return Progress(None, ended=ended, problems=tuple(problems))
    if rules.seat not in position.to_move:
        ended = phrase("it is not your turn for {move}", move=text)
        return Progress(None, ended=ended, problems=tuple(problems))
    return Progress(left, text, problems=tuple(problems))


def answer_proposal(plan: Plan) -> Plan | None:
    """Return the rest of a plan after a proposed draw; None when it does not name that and goes on
    unchanged."""
    if not plan.tree or plan.tree[0].is_answer:
        return None
    for node in plan.tree:
        if node.text == PROPOSE:
            return plan.go_on(node.children, plan.since)
    return None


def _take_unit(position: Position, rest: list[LogEntry]) -> _Unit:
    """Remove the first event from `rest` and return it."""
    first, turn, before = rest[0], position.turn, position
    taken = list[LogEntry]()
    while rest and (rest[0].kind, rest[0].seat) == (first.kind, first.seat):
        if taken and (first.kind not in ("move", "chance") or position.turn != turn):
            break
        taken.append(rest.pop(0))
        position = apply_entry(position, taken[-1])
    moves = tuple(entry.move for entry in taken)
    is_whole = bool(rest) or first.kind != "move" or first.seat is None
    is_whole = is_whole or is_complete(before, first.seat or 0, position)
    words = before.mark_letters(", ".join(entry.shown for entry in taken))
    return _Unit(first.kind, first.seat, moves, words, position, taken[-1].number, is_whole)


def _find_branch(tree: Tree, rules: PlanRules, unit: _Unit, before: Position) -> PlanNode | None:
    """Return the branch that names an event, or else `any`."""
    if tree[0].text == OWN:
        return tree[0] if unit.seat == rules.seat else None
    if unit.kind in _LEAVING:
        is_turn = unit.kind == "resign" and unit.seat in before.to_move
        named = [node for node in tree if node.text == RESIGN and is_turn]
    elif rules.hides:
        named = []
    else:
        named = [node for node in tree if node.text == unit.moves[0] and len(unit.moves) == 1]
        named = named or [node for node in tree if _names(node.text, unit, before)]
    named = named or [node for node in tree if node.text == ANY and _is_covered(node, unit)]
    return named[0] if named else None


def _is_covered(node: PlanNode, unit: _Unit) -> bool:
    """Whether `any` stands for the event. A resignation or forfeit is covered only if an answer
    comes next."""
    return unit.kind not in _LEAVING or node.children[0].is_answer


def _names(text: str, unit: _Unit, before: Position) -> bool:
    """Whether a text names the event: the same moves, or others that lead to the same position."""
    if text in (ANY, PROPOSE, RESIGN):
        return False
    if unit.kind == "chance":
        results = roll_results(before, text)
        return bool(results) and results[0][1].encode() == unit.after.encode()
    if unit.seat is None:
        return False
    try:
        moves, after = play_turn(before, unit.seat, text)
    except MoveError:
        return False
    return tuple(moves) == unit.moves or after.encode() == unit.after.encode()


def _describe_surprise(unit: _Unit, rules: PlanRules) -> str:
    if unit.kind in _LEAVING and unit.seat is not None:
        return phrase("{player} no longer plays", player=rules.name(unit.seat))
    if unit.kind == "chance":
        return phrase("it has no branch for this roll")
    if rules.hides or unit.kind != "move":
        return phrase("it has no branch for what happened")
    return phrase("it has no branch for {moves}", moves=unit.words)
