"""A board that hides who plays: until its end no mail, page, list, feed or record of another seat,
of its master or of a spectator has the userid, the name or the address of a player."""

from __future__ import annotations

import json

import pytest

from tests.harness.conversation import Conversation
from tests.harness.mail import Mail, has_name
from tests.harness.visitor import HOST, Page, Visitor

SEATED = {"quill": "Quenby", "brock": "Bronwyn", "zorin": "Zebedee"}
"""The players, and the names that they have set."""
OTHERS = ("mistral", "carl", "dora")
"""The master, a spectator, and who takes a seat over."""


def contents(mail: Mail) -> str:
    """All of a mail in lower case, as it is sent and decoded."""
    parts = [mail.raw.decode(), *(" ".join(each) for each in mail.headers.values())]
    for part in mail.message.walk():
        if part.get_content_maintype() in ("text", "application"):
            content = part.get_content()
            parts.append(
                content if isinstance(content, str) else content.decode("utf-8", "replace")
            )
    return "\n".join(parts).lower()


def require_nobody(reader: str, text: str) -> None:
    """AssertionError where a text for a reader says who else plays."""
    for userid, name in SEATED.items():
        if userid != reader:
            assert not has_name(text.lower(), userid), f"{userid} to {reader}: {text}"
            assert not has_name(text.lower(), name.lower()), f"{name} to {reader}: {text}"


class Watched:
    """A conversation in which every mail is read for what it must not say."""

    def __init__(self, talk: Conversation) -> None:
        self.talk = talk
        self.count = 0

    def everything(self) -> list[Mail]:
        """All mails that have come, none of which says who plays."""
        mails = self.talk.everything()
        for mail in mails:
            require_nobody(mail.address.split("@")[0], contents(mail))
        self.count += len(mails)
        return mails

    def says(self, who: str, line: str, body: str = "") -> list[Mail]:
        """Somebody sends a line, `ME` for userid and password; all mails that come of it."""
        self.talk.mails(who, line.replace("ME", f"{who} {self.talk.password(who)}"), body)
        return self.everything()


@pytest.fixture
def watched(talk: Conversation) -> Watched:
    """The players, who have set their names, and the others."""
    talk.signup(*SEATED, *OTHERS)
    for userid, name in SEATED.items():
        talk.mails(userid, f"set {userid} {talk.password(userid)} name={name}")
        talk.any_mail(userid)
    return Watched(talk)


def find_powers(mails: list[Mail]) -> dict[str, str]:
    """Who has which power, as each reads in their own first mail."""
    found = {}
    for mail in mails:
        who = mail.address.split("@")[0]
        own = [line for line in mail.lines if "  you" in line]
        if own:
            found[own[0].split()[0]] = who
    return found


def look(watched: Watched, visitor: Visitor, readers: tuple[str, ...]) -> None:
    """Everybody looks at all there is."""
    for reader in readers:
        for line in (
            "dip show 1",
            "dip show 1#1",
            "dip export 1",
            "dip games",
            "games",
            "list",
            "seeks",
            "standings dip",
            "history dip",
            "boards ME",
            "dip press 1 ME",
        ):
            watched.says(reader, line)
    for userid in SEATED:
        for line in (
            f"all show {userid}",
            f"dip games {userid} next",
            f"all show mistral {userid}",
        ):
            watched.talk.mails("carl", line)
            (mail,) = watched.talk.everything()
            assert "dip   " not in mail.text, line
            assert not any(power in mail.text for power in ("England", "France", "Germany")), line
        page = visitor.get(f"/player/{userid}")
        assert "France" not in page.text
        assert "France" not in visitor.get(f"/player/{userid}.atom").text
    pages = [f"/board/1{kind}" for kind in ("", ".json", ".svg")]
    for path in ("/", "/game/dip", "/results.atom", *pages):
        page = visitor.get(path)
        assert page.status == 200 or path.endswith("json"), path
        require_nobody("", page.text)


@pytest.mark.config(web={"url": HOST}, limits={"unproved_a_day": 0})
def test_nobody_learns_who_plays_before_the_end(watched: Watched, visitor: Visitor) -> None:
    talk = watched.talk
    talk.proves(
        "quill",
        "dip challenge quill brock zorin -anonymous -disorder=9 -years=1 --nag=1 --deadline=3 "
        "--master=mistral",
    )
    mails = watched.everything()
    assert {mail.address.split("@")[0] for mail in mails} >= {*SEATED}
    for mail in mails:  # who has answered, and who has not, may be known of a person
        assert "accepted" not in mail.text.replace("everybody has accepted", "")
        assert "no answer" not in mail.text
    accepted = watched.says("brock", "dip accept 1 ME")
    assert [mail.address.split("@")[0] for mail in accepted] == ["brock"]
    assert accepted[0].text.startswith("You accepted.")
    mails += accepted + watched.says("zorin", "dip accept 1 ME")
    powers = find_powers(mails)
    assert powers.keys() == {"England", "France", "Germany"}
    assert any("\n  England  orders awaited\n" in mail.text for mail in mails)
    france = powers["France"]
    watched.says("carl", "dip watch 1 ME")
    for who in SEATED:
        watched.says(
            who, "dip move 1 ME ready; vote draw" if who == france else "dip move 1 ME wait"
        )
    watched.says(france, "dip press 1 ME to england germany master", "Peace?")
    watched.says(france, "dip press 1 ME to master", "Who are they?")
    watched.says(powers["England"], "dip propose 1 ME", "Shall we?")
    watched.says(powers["England"], f"dip press 1 ME to {france}", "Is that you?")
    watched.says(powers["England"], "dip move 1 ME A PAR - BUR")
    watched.says("mistral", "dip master 1 ME extend 1")
    watched.says("mistral", "dip watch 1 ME")
    look(watched, visitor, (*SEATED, *OTHERS))
    page = visitor.follow(Page("", 200, {}, ""), talk.home(powers["England"]))
    require_nobody(powers["England"], page.text)
    for link in [link for link in page.links if "/s/" in link]:
        require_nobody(powers["England"], visitor.follow(page, link).text)
    calendar = next(link for link in page.links if link.endswith(".ics"))
    require_nobody(powers["England"], visitor.follow(page, calendar).text)
    watched.says(france, "vacation ME 2026-03-03 2026-03-09")
    talk.passes(days=4.5)
    watched.everything()
    for who in ("brock", "zorin"):  # quill's own data has the challenge that named them
        watched.says(who, "mydata ME")
    watched.says(france, "dip resign 1 ME")
    watched.says("dora", "dip takeover 1 ME france")
    for who in (powers["England"], powers["Germany"], "dora"):
        for _ in range(4):
            talk.mails(who, f"dip ready 1 {who} {talk.password(who)}")
    ended = talk.everything()
    assert any("a draw of all survivors" in mail.text for mail in ended), [m.text for m in ended]
    assert watched.count > 100
    talk.mails("carl", "dip export 1")
    text = talk.any_mail("carl").text
    record = json.loads(text[text.index("{") : text.rindex("}") + 1])
    seats = {each["name"]: each["userid"] for each in record["players"]}
    assert seats == {**powers, "France": "dora"}


def test_an_offer_of_such_a_board_names_nobody(watched: Watched, visitor: Visitor) -> None:
    watched.says("quill", "dip seek ME -anonymous --players=3 --unrated")
    watched.says("brock", "seeks")
    for word in ("quill", "dip"):
        watched.talk.mails("carl", f"players {word}")
        assert "seeks" not in watched.talk.any_mail("carl").text
    watched.says("brock", "dip join 1 ME")
    require_nobody("", visitor.get("/game/dip").text)
    mails = watched.says("zorin", "dip join 1 ME")
    assert len(find_powers(mails)) == 3


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("invite ME kim@example.com dip -anonymous", "an invitation says who sends it"),
        ("event new swiss dip ME -anonymous", "an event says who plays whom"),
    ],
)
def test_what_names_players_starts_no_such_board(watched: Watched, line: str, reason: str) -> None:
    (mail,) = watched.says("quill", line)
    assert reason in " ".join(mail.text.split())


@pytest.mark.config(limits={"notices_a_day": 2})
def test_a_summary_of_many_notices_names_nobody_either(watched: Watched) -> None:
    """Not even whose notices they are, where somebody causes more than a day's."""
    line = "dip challenge quill brock zorin -anonymous --unrated"
    for _ in range(4):
        watched.talk.proves("quill", line)
    watched.everything()
    watched.talk.passes(days=0.5)
    summaries = [mail for mail in watched.everything() if "more notices from" in mail.subject]
    assert {mail.address.split("@")[0] for mail in summaries} == {"brock", "zorin"}
    assert all("from somebody" in mail.subject for mail in summaries)


def test_a_master_cannot_find_out_who_plays_by_asking_them(watched: Watched) -> None:
    """Whoever is asked to go on with a power, the master reads the same; who plays cannot agree."""
    talk = watched.talk
    talk.proves("quill", "dip challenge quill brock zorin -anonymous --deadline=3 --master=mistral")
    mails = watched.everything() + watched.says("brock", "dip accept 1 ME")
    powers = find_powers(mails + watched.says("zorin", "dip accept 1 ME"))
    read = set()
    for asked in ("dora", powers["France"], powers["England"]):
        talk.mails(
            "mistral", f"dip master 1 mistral {talk.password('mistral')} replace france {asked}"
        )
        mails = talk.everything()
        (answer,) = [mail for mail in mails if mail.address.startswith("mistral@")]
        require_nobody("mistral", contents(answer))
        read.add(answer.text)
        assert [m for m in mails if m.address.startswith(f"{asked}@") and "asks you" in m.text]
        if asked != "dora":
            (refused,) = watched.says(asked, "dip takeover 1 ME france")
            assert "you play on board 1" in refused.text
    assert len(read) == 1
