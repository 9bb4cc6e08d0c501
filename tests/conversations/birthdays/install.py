"""Adds birthdays to the features: `pytest -p tests.conversations.birthdays.install`."""

from __future__ import annotations

from pbm.core.features import FEATURES
from pbm.core.kernel.feature import install
from tests.conversations.birthdays.feature import FEATURE

install((*FEATURES, FEATURE))
