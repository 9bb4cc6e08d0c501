"""Birthdays, as a feature."""

from __future__ import annotations

from pbm.core.feature import Feature, Group, Verb
from pbm.core.proofs import Act
from tests.conversations.birthdays import days

FEATURE = Feature(
    __package__,
    verbs=(
        Verb(
            "birthday",
            ("user", "password", "day"),
            days.keep_day,
            "tell your birthday, as MM-DD",
            Act.SETTING,
            Group.ACCOUNTS,
        ),
    ),
    due=days.congratulate,
    personal_data=days.list_personal_data,
    on_merge=days.pass_on_rows,
    on_erase=days.erase_rows,
    finds_differences=days.find_differences,
    pages=(("/birthdays", days.show_page),),
)
