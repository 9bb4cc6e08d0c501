"""The message of the day: a text of the operator, shown once to each player in a mail that goes out
anyway, and on the front page."""

from __future__ import annotations

from pbm.core.feature import Feature
from pbm.features.message_of_the_day import showing
from pbm.features.message_of_the_day.admin import ACTS, LISTS

FEATURE = Feature(
    __package__,
    adds_to_mail=showing.add_to_mail,
    adds_to_front_page=showing.add_to_front_page,
    personal_data=showing.list_personal_data,
    on_merge=showing.pass_on_rows,
    on_erase=showing.erase_rows,
    operator_acts=ACTS,
    lists=LISTS,
)
