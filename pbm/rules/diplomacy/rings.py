"""Answers all questions of a movement phase, those too that depend on themselves."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from pbm.rules.diplomacy.equations import (
    CONVOY,
    MOVE,
    PATH,
    SUPPORT,
    Answers,
    Equations,
    Paradox,
    Question,
)

_GUESSED_FIRST = (CONVOY, MOVE, SUPPORT, PATH)
_MOST_GUESSES = 2_000
"""Guesses that the search in one ring may cost; one that needs more counts as having no
solution."""


def answer_all(equations: Equations) -> None:
    """Fill in `equations.answers`."""
    _deduce(equations, equations.questions)
    while len(equations.answers) < len(equations.questions):
        for ring in _find_rings(equations):
            _answer_ring(equations, ring)
        _deduce(equations, equations.questions)


def _deduce(equations: Equations, questions: Iterable[Question]) -> None:
    """Answer what the answers known leave no choice about, until nothing new is found."""
    answers = equations.answers
    waiting = [question for question in questions if question not in answers]
    found = True
    while found:
        found, still = False, list[Question]()
        for question in waiting:
            answer = equations.evaluate(question)
            if answer is None:
                still.append(question)
            else:
                answers[question], found = answer, True
        waiting = still


def _answer_ring(equations: Equations, ring: list[Question]) -> None:
    """Answer some questions of a ring, at least one."""
    solutions = _list_solutions(equations, ring)
    convoys = [question for question in ring if question[0] == CONVOY]
    if len(solutions) == 1 or (solutions and not convoys):
        equations.answers.update(solutions[0])
    elif convoys and equations.paradox is not Paradox.ALL_HOLD:
        equations.answers.update(dict.fromkeys(convoys, False))
    else:
        stop = [question for question in ring if question[0] in (MOVE, PATH)]
        equations.answers.update(dict.fromkeys(stop or ring, False))


def _list_solutions(equations: Equations, ring: list[Question]) -> list[Answers]:
    """Return up to two sets of answers that satisfy the equations of the ring; the first has units
    moving where it can."""
    known = equations.answers
    found, guesses = list[Answers](), [_MOST_GUESSES]

    def search(guessed: Answers) -> None:
        equations.answers = known | guessed
        _deduce(equations, ring)
        tried = equations.answers
        if any(equations.evaluate(each) is (not answer) for each, answer in guessed.items()):
            return
        open_questions = [question for question in ring if question not in tried]
        if not open_questions:
            found.append({question: tried[question] for question in ring})
            return
        for answer in (True, False):
            guesses[0] -= 1
            if len(found) < 2 and guesses[0] > 0:
                search(guessed | {open_questions[0]: answer})

    search({})
    equations.answers = known
    return found if guesses[0] > 0 else []


def _find_rings(equations: Equations) -> list[list[Question]]:
    """Return the sets of open questions that depend on each other and on no other open question:
    the last strongly connected components, found as by Tarjan."""
    answers = equations.answers
    reads = {
        question: [read for read in equations.list_read(question) if read not in answers]
        for question in equations.questions
        if question not in answers
    }
    number, low = dict[Question, int](), dict[Question, int]()
    stack, rings = list[Question](), list[list[Question]]()
    closed = set[Question]()

    def visit(root: Question) -> None:
        work: list[tuple[Question, Iterator[Question]]] = [(root, iter(reads[root]))]
        number[root] = low[root] = len(number)
        stack.append(root)
        while work:
            question, left = work[-1]
            read = next(left, None)
            if read is None:
                work.pop()
                if work:
                    parent = work[-1][0]
                    low[parent] = min(low[parent], low[question])
                if low[question] == number[question]:
                    members = stack[stack.index(question) :]
                    del stack[stack.index(question) :]
                    inside = set(members)
                    if all(each in inside for member in members for each in reads[member]):
                        rings.append(sorted(members, key=_rank))
                    closed.update(members)
            elif read not in number:
                number[read] = low[read] = len(number)
                stack.append(read)
                work.append((read, iter(reads[read])))
            elif read not in closed:
                low[question] = min(low[question], number[read])

    for question in reads:
        if question not in number:
            visit(question)
    return rings


def _rank(question: Question) -> tuple[int, str]:
    return _GUESSED_FIRST.index(question[0]), question[1]
