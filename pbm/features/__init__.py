"""The features of the server, in the order in which players meet them: in help, in their data and
at each tick. A contract in pyproject.toml says which may call which."""

from __future__ import annotations

from pbm.core.feature import install
from pbm.core.words import list_command_words
from pbm.features.accounts import FEATURE as ACCOUNTS
from pbm.features.analysis import FEATURE as ANALYSIS
from pbm.features.clubs import FEATURE as CLUBS
from pbm.features.events import FEATURE as EVENTS
from pbm.features.finding import FEATURE as FINDING
from pbm.features.intents import FEATURE as INTENTS
from pbm.features.lobby import FEATURE as LOBBY
from pbm.features.masters import FEATURE as MASTERS
from pbm.features.message_of_the_day import FEATURE as MESSAGE_OF_THE_DAY
from pbm.features.moderation import FEATURE as MODERATION
from pbm.features.notes import FEATURE as NOTES
from pbm.features.parties import FEATURE as PARTIES
from pbm.features.plans import FEATURE as PLANS
from pbm.features.play import FEATURE as PLAY
from pbm.features.press import FEATURE as PRESS
from pbm.features.puzzles import FEATURE as PUZZLES
from pbm.features.ratings import FEATURE as RATINGS
from pbm.features.records import FEATURE as RECORDS
from pbm.features.talk import FEATURE as TALK
from pbm.features.vacations import FEATURE as VACATIONS
from pbm.games import reserve

FEATURES = (
    ACCOUNTS,
    VACATIONS,
    FINDING,
    EVENTS,
    TALK,
    MODERATION,
    PRESS,
    MASTERS,
    PARTIES,
    CLUBS,
    LOBBY,
    PLAY,
    PLANS,
    NOTES,
    PUZZLES,
    RATINGS,
    RECORDS,
    ANALYSIS,
    INTENTS,
    MESSAGE_OF_THE_DAY,
)

install(FEATURES)
reserve(list_command_words())
