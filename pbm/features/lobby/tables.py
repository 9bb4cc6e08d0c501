"""The table of offers."""

from __future__ import annotations

from pbm.store.rows import ID, Row, column, make_table, partial_index, primary_key, reference


class OfferRow(Row):
    """A game on offer to whoever joins."""

    id: int = primary_key(ID)
    player_id: int = reference("players", index=True)
    game: str
    options: str = column(comment="of the game: name to value")
    server: str = column(comment="of the server: name to value")
    players: int = column(comment="number of seats")
    joined: str = column(comment="the players so far, whoever made it first")
    lowest: int | None = column(comment="the lowest rating, as shown, that may join")
    highest: int | None
    comment: str = column(server_default="")
    state: str = column(comment="open, taken, withdrawn, expired")
    created: float
    expires: float
    board_id: int | None = column(ID)


offers = make_table("offers", OfferRow)
partial_index(
    "ix_offers_open",
    offers.c.state == "open",
    offers.c.expires,
)
