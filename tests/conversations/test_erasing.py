"""A player's rights: what is kept about me, and have it erased; the boards of others go on."""

from __future__ import annotations

import json
import re

import pytest
from sqlalchemy import select

from pbm.core.fsck import find_differences
from pbm.store.engine import Store
from pbm.store.tables import metadata, ratings
from tests.harness.conversation import Conversation
from tests.harness.mail import Mail

SPARE = "bob@spare.example"


def data_of(mail: Mail) -> dict[str, list[dict[str, object]]]:
    """The object in the file that came with a mail."""
    (part,) = [part for part in mail.message.walk() if part.get_filename()]
    assert part.get_filename() == "pbm-bob.json"
    data: dict[str, list[dict[str, object]]] = json.loads(part.get_content())
    return data


def erases(talk: Conversation, who: str, *others: str) -> str:
    """Somebody is erased; the userid that the boards have from then on."""
    talk.mails(who, f"erase {who} {talk.password(who)}")
    code = talk.receives(who, "[pbm] erase your account?", "This cannot be undone", *others)
    talk.replies(code, f"confirm {code.line('Code: ')}")
    mail = talk.receives(who, f"[pbm] {who} is erased", "nobody else can have its userid")
    return next(word.rstrip(",") for word in mail.text.split() if word.startswith("former-"))


def find_words(store: Store, *words: str) -> list[tuple[str, str]]:
    """Where in the database one of these words stands, by table and column. A reply address whose
    random letters happen to spell one is none of them."""
    own = re.compile(rf"\b(?:{'|'.join(map(re.escape, words))})s?\b", re.IGNORECASE)
    places = []
    with store.reading() as session:
        for table in metadata.sorted_tables:
            for row in session.execute(select(table)).mappings():
                for name, value in row.items():
                    text = value.decode("latin-1") if isinstance(value, bytes) else str(value)
                    if own.search(text):
                        places.append((table.name, name))
    return places


def leaves_traces(talk: Conversation) -> None:
    """Ann and bob have played board 1 to its end and play on board 2; bob has left traces."""
    talk.signup("ann", "bob")
    latest = talk.challenge("hex", "ann", "bob", options="-size=3")
    talk.plays(["a1", "b2\nbobs-comment", "a2"], "ann", "bob", latest=latest)
    latest = talk.challenge("hex", "ann", "bob", options="-size=3")
    talk.plays(["c1", "c2"], "ann", "bob", latest=latest)
    for line, text in (
        ("hex resign 1 bob {}", ""),
        ("hex chat 2 bob {}", "bobs-chat"),
        ("hex note 2 bob {} bobs-note", ""),
        ("hex plan 2 bob {} if a1 then b2", ""),
        (f"add bob {{}} {SPARE}", ""),
        ("set bob {} name=Robert-Tables", ""),
        ("block bob {} ann", ""),
        ("vacation bob {} 2026-04-01 2026-04-05", ""),
    ):
        talk.mails("bob", line.format(talk.password("bob")), text)
        assert not any("not done" in mail.subject for mail in talk.everything()), line


@pytest.mark.postgresql
def test_everything_about_a_player_as_a_file(talk: Conversation) -> None:
    leaves_traces(talk)
    talk.mails("ann", "mydata bob wrong-word")
    talk.receives("ann", "[pbm] not done: wrong userid or password")
    talk.mails("ann", f"mydata bob {talk.password('bob')}")
    mail = talk.receives("bob", "[pbm] what is kept about bob", "erase bob PASSWORD")
    data = data_of(mail)
    assert [row["address"] for row in data["addresses"]] == ["bob@example.org", SPARE]
    assert [(row["board"], row["state"]) for row in data["boards"]] == [(1, "over"), (2, "running")]
    written = json.dumps(data)
    assert "b2" in str(data["boards"][1]["plan"])
    for word in ("bobs-comment", "bobs-chat", "bobs-note", "Robert-Tables"):
        assert word in written
    assert data["blocked_players"][0]["userid"] == "ann"
    assert [row["game"] for row in data["ratings"]] == ["hex"]
    assert data["vacations"][0]["begins"] == "2026-04-01T00:00:00+00:00"
    received = [(str(row["outcome"]), str(row["text"])) for row in data["mails_received"]]
    assert ("done: hex resign 1 bob ********", True) in [
        (outcome, text.startswith("From: bob@example.org")) for outcome, text in received
    ], received
    for secret in (talk.password("bob"), "argon2"):
        assert secret not in written
    assert not re.search(r"\ba2\b", written)
    talk.mails("bob", f"mydata bob {talk.password('bob')}")
    talk.receives("bob", "[pbm] what is kept about bob")
    talk.mails("bob", f"mydata bob {talk.password('bob')}")
    talk.receives(
        "bob", "[pbm] not done: your data have been sent to you today: ask again tomorrow"
    )


@pytest.mark.postgresql
def test_an_erased_player_leaves_results_and_nothing_else(talk: Conversation) -> None:
    leaves_traces(talk)
    store = talk.server.store
    with store.reading() as session:
        before = session.tuples(select(ratings.c.mu).order_by(ratings.c.player_id))
    former = erases(talk, "bob", "would be resigned: 2")
    talk.receives("ann", "[hex 2] ann won (2)", "bob resigned")
    with store.reading() as session:
        assert list(find_differences(session)) == []
        after = session.tuples(select(ratings.c.mu).order_by(ratings.c.player_id))
    assert len(before) == len(after) == 2
    talk.passes(days=2)
    assert find_words(store, "bob@example.org") == []
    # He has not confirmed that one, so what was mailed there counts on, for two weeks.
    counted = {*find_words(store, SPARE)}
    assert counted == {("counters", "name")}
    to_others = counted | {("outbound", "message"), ("inbound", "raw"), ("inbound", "outcome")}
    assert set(find_words(store, "bob", "robert", "tables")) <= to_others
    talk.mails("ann", "hex show 1")
    talk.receives("ann", "[hex 1] ann won (3)", f"{former}  ")
    talk.mails("ann", "who bob")
    talk.receives("ann", "[pbm] not done: there is no player with that userid")
    talk.mails("bob", f"signup bob {talk.password('bob')}")
    talk.receives("bob", "[pbm] not done: this userid is taken: choose another")
    talk.mails("bob", f"signup {former} {talk.password('bob')}")
    talk.receives("bob", "[pbm] not done: this userid is taken: choose another")
    talk.mails("bob", f"signup robert {talk.password('bob')}")
    talk.receives("bob", "[pbm] confirm this address")


def test_nobody_is_erased_without_the_code(talk: Conversation) -> None:
    """Neither by a reply, which does not stand for the password, nor by a mail that came before."""
    talk.signup("ann", "bob")
    talk.proves("bob", "erase")
    talk.receives("bob", "[pbm] not done: the userid is missing")
    talk.mails("bob", f"erase bob {talk.password('bob')}")
    code = talk.receives("bob", "[pbm] erase your account?")
    talk.clock.advance(days=8)
    talk.replies(code, f"confirm {code.line('Code: ')}")
    talk.receives(
        "bob",
        "[pbm] not done: this code is wrong, expired, already used or replaced by a newer one",
    )
    talk.mails("ann", "who bob")
    talk.receives("ann", "[pbm] bob")


def test_the_others_of_a_board_of_three_play_on(talk: Conversation) -> None:
    talk.signup("ann", "bob", "carl")
    talk.challenge("cyclone", "ann", "bob", "carl")
    former = erases(talk, "ann")
    for who in ("bob", "carl"):
        talk.any_mail(who)
    with talk.server.store.reading() as session:
        assert list(find_differences(session)) == []
    talk.mails("bob", "cyclone show 1")
    mail = talk.any_mail("bob")
    assert former in mail.text.split()
    assert "ann" not in mail.text.split()
