"""What a club posts elsewhere: what its officers chose and everybody may see, nothing else."""

from __future__ import annotations

import json

import pytest
from sqlalchemy import select

from pbm.core.clock import HOUR
from pbm.store.tables import outbound
from tests.conversations.test_club_letters import play
from tests.conversations.test_clubs import make_club, sign
from tests.conversations.test_parties import read
from tests.harness.conversation import Conversation

PAGE = "http://127.0.0.1:9"
SECRET = f"{PAGE}/services/T0001/xyzzy"


def posts(talk: Conversation) -> list[str]:
    """The bodies of the posts that wait or went out, in order."""
    with talk.server.store.reading() as session:
        own = select(outbound.c.message).where(outbound.c.recipient == "webhook:rooks")
        found = [*session.execute(own.order_by(outbound.c.id)).scalars()]
    return [message.partition(b"\r\n\r\n")[2].decode() for message in found]


@pytest.mark.config(clubs={"webhooks": (PAGE,)}, web={"url": "http://games.example"})
def test_news_of_a_club_are_posted(talk: Conversation) -> None:
    """Results an hour after they came, of boards that everybody may see, as JSON that Matrix, Slack
    and Discord take; never a link of a seat, an address or a private board."""
    talk.signup("ann", "bob", "dora")
    make_club(talk, "rooks", "ann", "bob")
    sign(talk, "bob", f"club hook rooks {SECRET} results")
    assert "for the officers of the club rooks" in read(talk.everything(), "bob")
    sign(talk, "ann", f"club hook rooks {SECRET} results offers events")
    said = read(talk.everything(), "ann")
    assert "Its news are posted: json results events offers." in said
    assert "xyzzy" not in said
    play(talk, 1)
    play(talk, 2, "--private", "--title=Derby")
    talk.proves("ann", "hex challenge ann bob -size=3")
    talk.mails("ann", f"hex resign 3 ann {talk.password('ann')}")
    talk.mails("bob", f"hex seek bob {talk.password('bob')} --club=rooks -size=5")
    talk.mails("bob", f"hex seek bob {talk.password('bob')} --club=rooks --private")
    talk.proves("ann", f"event new swiss hex ann {talk.password('ann')} --club=rooks")
    talk.proves(
        "ann",
        f"event new swiss hex ann {talk.password('ann')} --club=rooks --private --name=Derby",
    )
    talk.everything()
    assert posts(talk) == []
    talk.passes(days=0.1, step=HOUR)
    told = [json.loads(each) for each in posts(talk)]
    texts = "\n".join(each["text"] for each in told)
    assert [each["content"] for each in told] == [each["text"] for each in told]
    assert all(each["allowed_mentions"] == {"parse": []} for each in told)
    assert "Hex: ann - bob: ann won http://games.example/board/1" in texts
    assert "bob: Hex -size=5: hex join 1" in texts
    assert "New event: Hex Swiss" in texts
    for secret in ("board/2", "board/3", "Derby", "join 2", "/s/", "/u/", "@", "xyzzy"):
        assert secret not in texts, secret
    talk.passes(days=0.2, step=HOUR)
    assert len(posts(talk)) == len(told)
    sign(talk, "ann", "club hook rooks none")
    talk.everything()
    play(talk, 4)
    talk.passes(days=0.2, step=HOUR)
    assert len(posts(talk)) == len(told)
    talk.everything()


@pytest.mark.config(clubs={"webhooks": (PAGE,)})
def test_the_operator_says_where_posts_may_go(talk: Conversation) -> None:
    talk.signup("ann")
    make_club(talk, "rooks", "ann")
    for url in (
        "http://127.0.0.1:10/x",
        "https://127.0.0.1:9/x",
        "http://127.0.0.1:9@evil.example/x",
        "http://evil.example/127.0.0.1:9",
        "http://127.0.0.1.evil.example:9/",
    ):
        sign(talk, "ann", f"club hook rooks {url} results")
        said = read(talk.everything(), "ann")
        assert f"the operator allows addresses that begin with {PAGE}" in said, url
        assert "evil" not in said, url
    sign(talk, "ann", f"club hook rooks {PAGE}/x gossip")
    assert "which news go there" in read(talk.everything(), "ann")
    sign(talk, "ann", f"club hook rooks {PAGE}/x letters text")
    assert "Its news are posted: text letters." in read(talk.everything(), "ann")


def test_without_the_operator_nothing_is_posted(talk: Conversation) -> None:
    talk.signup("ann")
    make_club(talk, "rooks", "ann")
    sign(talk, "ann", f"club hook rooks {SECRET} results")
    assert "the operator allows no such posts" in read(talk.everything(), "ann")
