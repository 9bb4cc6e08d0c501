"""Adds birthdays to the features: `pytest -p tests.conversations.birthdays.install`."""

from __future__ import annotations

from pbm.core.feature import install
from pbm.features import FEATURES
from tests.conversations.birthdays.feature import FEATURE

install((*FEATURES, FEATURE))
