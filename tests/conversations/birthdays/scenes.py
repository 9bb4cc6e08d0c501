"""What a server with birthdays does, and one without: run by tests/conversations/test_features.py
with the feature and without it."""

from __future__ import annotations

import json

import pytest

from pbm.core.feature import get_features
from pbm.core.fsck import find_differences
from pbm.core.operator import OperatorAct
from pbm.features.accounts.admin import erase, merge
from pbm.store.tables import metadata
from tests.harness.conversation import Conversation
from tests.harness.servers import InProcess
from tests.harness.visitor import HOST, Visitor

IS_THERE = any(feature.package.endswith(".birthdays") for feature in get_features())
pytestmark = pytest.mark.config(web={"url": HOST})


@pytest.mark.skipif(not IS_THERE, reason="the feature is not installed")
def test_a_feature_is_there(talk: Conversation, visitor: Visitor) -> None:
    from tests.conversations.birthdays.days import birthdays

    metadata.create_all(talk.server.store.engine, [birthdays])
    talk.signup("ann", "bob")
    talk.mails("ann", f"birthday ann {talk.password('ann')} tomorrow")
    talk.receives("ann", "[pbm] not done: a birthday is MM-DD")
    talk.mails("ann", f"birthday ann {talk.password('ann')} 03-04")
    talk.receives("ann", "[pbm] your birthday is 03-04", "ann, we shall think of it.")
    assert "Birthdays ann" in visitor.get("/birthdays").says
    talk.mails("bob", "help birthday")
    talk.receives("bob", "[pbm] help birthday", "birthday USERID PASSWORD DAY")
    talk.passes(days=3)
    talk.receives("ann", "[pbm] happy birthday, ann", "Many happy returns")
    talk.mails("ann", f"mydata ann {talk.password('ann')}")
    data = talk.receives("ann", "[pbm] what is kept about ann")
    (file,) = data.message.iter_attachments()
    assert json.loads(file.get_content())["birthday"] == [{"day": "03-04"}]
    server = talk.server
    assert isinstance(server, InProcess)
    for change, names, shown in ((merge, ("ann", "bob"), "bob"), (erase, ("bob",), "")):
        with server.store.writing() as session:
            act = OperatorAct(
                session, "root", "a test", talk.clock(), server.secrets, server.services.config
            )
            change(act, *names)
            assert [*find_differences(session)] == []
        page = visitor.get("/birthdays").says
        assert "Birthdays" in page
        assert ("bob" in page) is (shown == "bob")


@pytest.mark.skipif(IS_THERE, reason="the feature is installed")
def test_a_feature_is_not_there(talk: Conversation, visitor: Visitor) -> None:
    talk.signup("ann")
    talk.mails("ann", f"birthday ann {talk.password('ann')} 03-04")
    talk.receives("ann", "[pbm] not done: there was no command in your mail")
    assert visitor.get("/birthdays").status == 404
    talk.passes(days=3)
