"""The list of events."""

from __future__ import annotations

from collections.abc import Sequence

from pbm.core.events.notices import EventLine, EventList
from pbm.core.events.views import build_line
from pbm.core.kernel.context import Context
from pbm.core.kernel.language.call import Call
from pbm.core.kernel.notices.notice import Notice
from pbm.store.reads.event_rows import count_entrants, find_events_in_state

_MOST = 50
_MOST_ENDED = 10


def list_events(call: Call) -> list[Notice]:
    """List events that are open or running, and the last ones that ended."""
    return [
        call.answer(
            EventList(
                open=_list_lines(call, "open", _MOST),
                running=_list_lines(call, "running", _MOST),
                ended=_list_lines(call, "over", _MOST_ENDED),
            )
        )
    ]


def _list_lines(context: Context, state: str, most: int) -> Sequence[EventLine]:
    rows = find_events_in_state(context.session, state, most)
    counts = count_entrants(context.session, [row.id for row in rows])
    return [build_line(row, counts.get(row.id, 0)) for row in rows]
