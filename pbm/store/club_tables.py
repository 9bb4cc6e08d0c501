"""The tables of clubs, and of their matches against guests of other towns."""

from sqlalchemy import ForeignKey

from pbm.store.rows import ID, Row, column, make_table, primary_key, reference

OFFICER, MEMBER, INVITED, ASKING = "officer", "member", "invited", "asking"
"""What somebody is in a club, or is to become."""

WEBHOOK = "webhook:"
"""How the recipient begins of what is posted to a page: the name of a club follows."""


class ClubRow(Row):
    """A club. Its boards have its name as their pool, so that a name is never used again."""

    id: int = primary_key(ID)
    name: str = column(unique=True, comment="in lower case")
    about: str = column(server_default="", comment="what its officers say of it")
    created: float
    letter: float = column(comment="when the next letter to its members is due")
    colour: str = column(server_default="", comment="of its pages, such as #1d4e89")
    hook: str = column(server_default="", comment="the URL that its news are posted to, or empty")
    hook_form: str = column(server_default="json", comment="json or text")
    hook_news: str = column(
        server_default="", comment="which news: results, events, offers, letters"
    )
    hook_since: float = column(server_default="0", comment="up to when they were posted")


class ClubMemberRow(Row):
    """A player in a club, or who was invited, or who asks to be let in."""

    club_id: int = primary_key(ID, ForeignKey("clubs.id"))
    player_id: int = primary_key(ID, ForeignKey("players.id"), index=True)
    role: str = column(comment="officer, member, invited or asking")
    since: float


class ClubMatchRow(Row):
    """A match of a team of a club against guests of another town."""

    id: int = primary_key(ID)
    club_id: int = reference("clubs", index=True)
    player_id: int = reference("players", index=True, comment="the officer who made it")
    home_id: int = reference("players", comment="the team of the club")
    away_id: int | None = column(ID, ForeignKey("players.id"), comment="the team of the guests")
    game: str
    options: str = column(comment="of the game: name to value")
    server: str = column(comment="of the server: name to value")
    created: float
    match_id: int | None = column(
        ID, ForeignKey("matches.id"), index=True, comment="its boards, once it has begun"
    )


class ClubGuestRow(Row):
    """Somebody who was invited to a match, and has an account once they have answered."""

    invitation_id: int = primary_key(ID)
    club_match_id: int = reference("club_matches", index=True)
    player_id: int | None = column(ID, ForeignKey("players.id"), index=True)
    is_captain: bool


clubs = make_table("clubs", ClubRow, comment=ClubRow.__doc__)
club_members = make_table("club_members", ClubMemberRow, comment=ClubMemberRow.__doc__)
club_matches = make_table("club_matches", ClubMatchRow, comment=ClubMatchRow.__doc__)
club_guests = make_table("club_guests", ClubGuestRow, comment=ClubGuestRow.__doc__)
