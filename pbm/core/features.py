"""The features of the server; the only place that names them all."""

from __future__ import annotations

from pbm.core.accounts.feature import FEATURE as ACCOUNTS
from pbm.core.analysis.feature import FEATURE as ANALYSIS
from pbm.core.events.feature import FEATURE as EVENTS
from pbm.core.finding.feature import FEATURE as FINDING
from pbm.core.lobby.feature import FEATURE as LOBBY
from pbm.core.masters.feature import FEATURE as MASTERS
from pbm.core.moderation.feature import FEATURE as MODERATION
from pbm.core.plans.feature import FEATURE as PLANS
from pbm.core.play.feature import FEATURE as PLAY
from pbm.core.press.feature import FEATURE as PRESS
from pbm.core.puzzles.feature import FEATURE as PUZZLES
from pbm.core.ratings.feature import FEATURE as RATINGS
from pbm.core.records.feature import FEATURE as RECORDS
from pbm.core.talk.feature import FEATURE as TALK
from pbm.core.vacations.feature import FEATURE as VACATIONS

FEATURES = (
    ACCOUNTS,
    VACATIONS,
    FINDING,
    EVENTS,
    TALK,
    MODERATION,
    PRESS,
    MASTERS,
    LOBBY,
    PLAY,
    PLANS,
    PUZZLES,
    RATINGS,
    RECORDS,
    ANALYSIS,
)
