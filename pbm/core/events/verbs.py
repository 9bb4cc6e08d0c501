"""The commands of events, rows of the table of commands."""

from __future__ import annotations

from pbm.core.kernel.language.verb import Verb
from pbm.core.kernel.proofs import Act

_SIGNED = ("user", "password")

EVENT_VERBS: tuple[Verb, ...] = (
    Verb(
        "events",
        (),
        "events.listing:list_events",
        "tournaments, leagues and ladders: open to enter, running, ended",
        Act.LOOK,
        is_read_only=True,
    ),
    Verb(
        "event show",
        ("event",),
        "events.reports:show",
        "what an event is, who plays, and the crosstable",
        Act.LOOK,
        is_read_only=True,
    ),
    Verb(
        "event enter",
        ("event", *_SIGNED),
        "events.entering:enter",
        "take part in an event; its boards then start by themselves",
        Act.EVENT,
        is_final=True,
    ),
    Verb(
        "event leave",
        ("event", *_SIGNED),
        "events.entering:leave",
        "leave an event; your open boards there are lost or annulled",
        Act.EVENT,
        is_final=True,
    ),
    Verb(
        "event bye",
        ("event", *_SIGNED, "round+"),
        "events.byes:ask",
        "in a Swiss: half a point instead of a pairing in a round",
        Act.EVENT,
        "At most two rounds of an event, not the last one, and before they are paired. They\n"
        "replace those asked for before; none takes all back.",
    ),
    Verb(
        "event standings",
        ("event",),
        "events.reports:show_standings",
        "places, points, and the sum of every tie-break",
        Act.LOOK,
        is_read_only=True,
    ),
    Verb(
        "event pairings",
        ("event",),
        "events.reports:show_pairings",
        "who plays whom, each with the reason",
        Act.LOOK,
        is_read_only=True,
    ),
    Verb(
        "event why",
        ("event", "userid?", "round?"),
        "events.reports:explain",
        "why a player has that opponent, now or in a round, and that place",
        Act.LOOK,
        is_read_only=True,
    ),
    Verb(
        "event calendar",
        ("event",),
        "events.reports:show_calendar",
        "the dates of an event, with a file for your calendar",
        Act.LOOK,
        is_read_only=True,
    ),
    Verb(
        "event record",
        ("event", "form?"),
        "events.reports:show_record",
        "all that its tables are computed from; trf: FIDE's tournament report",
        Act.LOOK,
        is_read_only=True,
    ),
    Verb(
        "event challenge",
        ("event", *_SIGNED, "userid"),
        "events.ladder_challenges:challenge",
        "on a ladder: challenge somebody above you",
        Act.EVENT,
    ),
    Verb(
        "event new",
        ("kind", "game", *_SIGNED),
        "events.making:make",
        "make an event; the body of the mail says what it is about",
        Act.EVENT,
        "Kinds: roundrobin, swiss, knockout, doubleknockout, league, ladder and tour. Options\n"
        "of the event, such as --name, --begins, --ends, --rounds and --max, stand beside those\n"
        "of the game and the boards; a wrong one is answered with the list. More: help events.",
        options=True,
        text="comment",
        is_final=True,
    ),
)
