"""Events: tournaments, leagues, ladders and tours."""

from __future__ import annotations

from pbm.core.feature import SIGNED, Button, Feature, Group, Verb
from pbm.core.proofs import Act
from pbm.features.events import (
    entering,
    options,
    pairing_questions,
    record,
    reports,
    running,
    starting,
)
from pbm.features.events.admin import ACTS
from pbm.rules.phrases import phrase

_VERBS = (
    Verb(
        "events",
        ("page*",),
        reports.list_events,
        "tournaments, leagues and ladders: open to enter, running, ended",
        Act.LOOK,
        Group.EVENTS,
        "With page 2 it lists those that ended before.",
    ),
    Verb(
        "event show",
        ("event",),
        reports.show,
        "what an event is, who plays, and the crosstable",
        Act.LOOK,
        Group.EVENTS,
    ),
    Verb(
        "event enter",
        ("event", *SIGNED, "team?"),
        entering.enter,
        "take part in an event; its boards then start by themselves",
        Act.EVENT,
        Group.EVENTS,
        "In a reply to a mail of the event or of your own, the name of the event will do.",
        aliases=("enter",),
        is_final=True,
        remedy="pbm admin event remove NUMBER {who}",
        button=Button(phrase("Enter this event"), phrase("You take part.")),
    ),
    Verb(
        "event leave",
        ("event", *SIGNED, "team?"),
        entering.leave,
        "leave an event; your open boards there are lost or annulled",
        Act.EVENT,
        Group.EVENTS,
        is_final=True,
        remedy="pbm admin event add NUMBER {who}",
        button=Button(
            phrase("Leave this event"),
            phrase("You have left this event."),
            sure=phrase("Yes, I leave: boards that I have open there are lost or do not count"),
        ),
    ),
    Verb(
        "event bye",
        ("event", *SIGNED, "round+"),
        entering.ask,
        "in a Swiss: half a point instead of a pairing in a round",
        Act.EVENT,
        Group.EVENTS,
        "At most two rounds of an event, not the last one, and before they are paired. They\n"
        "replace those asked for before; none takes all back.",
        button=Button(
            phrase("Ask for this"),
            phrase("It is noted in which rounds you are not to be paired."),
            words={
                "round": phrase(
                    "Rounds, as in 2 4 (none: in every round you are paired); each brings half a "
                    "point"
                )
            },
        ),
    ),
    Verb(
        "event standings",
        ("event",),
        reports.show_standings,
        "places, points, and the sum of every tie-break",
        Act.LOOK,
        Group.EVENTS,
        "In a reply to a mail of the event, standings will do, or who leads?",
    ),
    Verb(
        "event pairings",
        ("event",),
        reports.show_pairings,
        "who plays whom, each with the reason",
        Act.LOOK,
        Group.EVENTS,
        "In a reply to a mail of the event, pairings will do.",
    ),
    Verb(
        "event why",
        ("event", "userid?", "round*"),
        reports.explain,
        "why a player has that opponent, now or in a round, and that place",
        Act.LOOK,
        Group.EVENTS,
        "In a reply to a mail of the event: why bob?",
        asked=pairing_questions.read_pairing_question,
    ),
    Verb(
        "event calendar",
        ("event",),
        reports.show_calendar,
        "the dates of an event, with a file for your calendar",
        Act.LOOK,
        Group.EVENTS,
    ),
    Verb(
        "event record",
        ("event", "form?"),
        reports.show_record,
        "all that its tables are computed from; trf: FIDE's tournament report",
        Act.LOOK,
        Group.EVENTS,
    ),
    Verb(
        "event challenge",
        ("event", *SIGNED, "userid"),
        pairing_questions.challenge,
        "on a ladder: challenge somebody above you",
        Act.EVENT,
        Group.EVENTS,
        remedy="pbm admin cancel --player {who}",
        button=Button(phrase("Challenge"), phrase("The challenge has gone out by mail.")),
    ),
    Verb(
        "event new",
        ("kind", "game", *SIGNED),
        starting.make,
        "make an event; the body of the mail says what it is about",
        Act.EVENT,
        Group.EVENTS,
        "Kinds: roundrobin, swiss, knockout, doubleknockout, league, ladder, tour, and of teams\n"
        "teamleague and teamknockout. Options of the event, such as --name, --begins, --ends,\n"
        "--rounds and --max, stand beside those of the game and the boards; a wrong one is\n"
        "answered with the list. More: help events.",
        arranges=starting.arrange,
        options=True,
        text="comment",
        is_final=True,
        remedy="pbm admin event cancel NUMBER",
        button=Button(
            phrase("Announce this event"),
            phrase("The event is open. To play in it yourself, enter it."),
            starts=True,
            words={"text": phrase("What it is about")},
        ),
        fields=options.list_event_fields,
    ),
)

FEATURE = Feature(
    __package__,
    verbs=_VERBS,
    operator_acts=ACTS,
    on_result=running.note_result,
    adds_to_front_page=reports.add_to_front_page,
    personal_data=record.list_personal_data,
    on_merge=record.pass_on_rows,
    on_erase=record.erase_rows,
    passes_on={
        "announcement": reports.pass_on_announcement,
        "event name": starting.pass_on_text,
        "event text": starting.pass_on_text,
    },
    on_rename=record.rename,
    due=running.do_due,
    is_due=running.is_due,
    on_clock_back=running.repair_times,
    finds_differences=running.find_event_differences,
)
