"""The page of what people write and how it was read."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from tools.people.replies import When
from tools.people.table import Outcome

COLUMNS = ("as meant", "asked back", "asked on purpose", "refused", "misunderstood", "not meant")
BAD = ("refused", "misunderstood", "not meant")
_HEAD = """\
# What people write

`python -m tools.people` prints this page. The kinds of replies (`tools/people/replies.py`) were
written down with the reading that a person would give them before the server was asked. Each is
sent on a board of its own, in each of these games, and what came of it is looked up in the
database.

- *as meant*: read as a person would read it; *asked back*: unclear to a person too, and refused.
- *asked on purpose*: a person would have understood it, but it ends or settles something, or would
  be a guess; the answer says what to send.
- *refused*: a person would have understood it. *misunderstood*: read as something else that changes
  nothing.
- *not meant*: something was done, passed on or shown that was not meant.
"""


def write_page(
    replies: Sequence[Outcome], games: Sequence[Outcome], made: str = ""
) -> Iterable[str]:
    """Yield the lines of the page; `made` says when, and of which commit."""
    yield _HEAD
    kinds = len({(each.reply.when, each.reply.text) for each in replies})
    yield f"{kinds} kinds of replies, {len(replies):,} mails{f', {made}' if made else ''}:"
    yield ""
    yield from _write_table("game", _group_by_game(replies))
    yield ""
    yield from _write_table("answers", [(when, _select(replies, when)) for when in When])
    yield ""
    yield (
        "Ten games from signup to rematch, between people with nine mother tongues, phones, "
        "signatures, answers below the quotation and digests answered line by line:"
    )
    yield ""
    yield from _write_table("game", _group_by_game(games))
    bad = [each for each in (*replies, *games) if each.verdict in BAD]
    if bad:
        yield "\n## What was not read as meant\n"
        yield "| what | game | when | written | answer |\n| --- | --- | --- | --- | --- |"
    for each in bad:
        text = each.reply.text.replace("\n", " / ")
        yield f"| {each.verdict} | {each.game} | {each.reply.when} | {text} | {each.answer} |"
    yield "\n## What is asked back on purpose\n"
    yield "| when | written | answer |\n| --- | --- | --- |"
    asked = {each.reply: each for each in replies if each.verdict == "asked on purpose"}
    for each in asked.values():
        text = each.reply.text.replace("\n", " / ")
        yield f"| {each.reply.when} | {text} | {each.answer} |"


def _group_by_game(outcomes: Sequence[Outcome]) -> list[tuple[str, list[Outcome]]]:
    names = dict.fromkeys(each.game for each in outcomes)
    return [(name, [each for each in outcomes if each.game == name]) for name in names]


def _select(outcomes: Sequence[Outcome], when: When) -> list[Outcome]:
    return [each for each in outcomes if each.reply.when is when]


def _write_table(title: str, rows: Sequence[tuple[str, Sequence[Outcome]]]) -> Iterable[str]:
    yield f"| {title} | mails | {' | '.join(COLUMNS)} |"
    yield f"| --- | {' | '.join(['---:'] * (len(COLUMNS) + 1))} |"
    for name, outcomes in (*rows, ("all", [each for _, part in rows for each in part])):
        counts = Counter(each.verdict for each in outcomes)
        figures = " | ".join(f"{counts[column]:,}" for column in COLUMNS)
        yield f"| {name} | {len(outcomes):,} | {figures} |"
