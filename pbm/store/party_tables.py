"""The tables of teams, of those who hold a seat together, take it over or run the board, and of
matches."""

from sqlalchemy import ForeignKey

from pbm.store.rows import ID, Row, column, make_table, primary_key, reference

CAPTAIN, MEMBER, RESERVE, INVITED = "captain", "member", "reserve", "invited"
"""What somebody is in a team."""


class TeamMemberRow(Row):
    """A player in a team, whose name is that of an account which begins with @."""

    team_id: int = primary_key(ID, ForeignKey("players.id"))
    player_id: int = primary_key(ID, ForeignKey("players.id"), index=True)
    role: str = column(comment="captain, member, reserve or invited")
    since: float


class SeatMemberRow(Row):
    """A player who holds a seat together with others."""

    board_id: int = primary_key(ID, ForeignKey("boards.id"))
    seat: int = primary_key()
    player_id: int = primary_key(ID, ForeignKey("players.id"), index=True)
    place: int = column(comment="their order: the captain has the lowest")


class PartyTalkRow(Row):
    """What somebody wrote to those who hold a seat together, and to nobody else."""

    id: int = primary_key(ID)
    board_id: int = reference("boards", index=True)
    seat: int
    player_id: int = reference("players", index=True)
    ply: int = column(comment="the ply to be played when it was written")
    kind: str = column(comment="text, proposal or vote: the text is then a move")
    text: str
    at: float


team_members = make_table("team_members", TeamMemberRow, comment=TeamMemberRow.__doc__)
seat_members = make_table("seat_members", SeatMemberRow, comment=SeatMemberRow.__doc__)
party_talk = make_table("party_talk", PartyTalkRow, comment=PartyTalkRow.__doc__)


class MasterRow(Row):
    """The player who runs a board without playing on it."""

    board_id: int = primary_key(ID, ForeignKey("boards.id"))
    player_id: int = reference("players", index=True)


class ReplacementRow(Row):
    """A player who was asked to take a seat over, by who holds it or by the board's master."""

    board_id: int = primary_key(ID, ForeignKey("boards.id"))
    seat: int = primary_key()
    player_id: int = reference("players", index=True)
    member_id: int | None = column(ID, comment="of a party, whose place it is")


masters = make_table("masters", MasterRow, comment=MasterRow.__doc__)
replacements = make_table("replacements", ReplacementRow, comment=ReplacementRow.__doc__)


class MatchRow(Row):
    """Boards that are one contest: of two teams, or of a player who takes on many."""

    id: int = primary_key(ID)
    game: str
    home_id: int = reference("players", index=True)
    away_id: int | None = column(ID, ForeignKey("players.id"), comment="none for an exhibition")
    begun: float
    told: float = column(comment="when its table was last mailed")
    ended: float | None


class MatchBoardRow(Row):
    """A board of a match."""

    match_id: int = primary_key(ID, ForeignKey("matches.id"))
    board_id: int = primary_key(ID, ForeignKey("boards.id"), index=True)
    number: int
    home_seat: int


matches = make_table("matches", MatchRow, comment=MatchRow.__doc__)
match_boards = make_table("match_boards", MatchBoardRow, comment=MatchBoardRow.__doc__)
