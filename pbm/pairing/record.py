"""The record of an event: all that its pairings and tables are computed from, and its JSON."""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Iterable
from typing import Literal

import msgspec

How = Literal["open", "played", "forfeit", "adjudicated", "bye", "annulled"]
"""How a game ended. *bye*: one seat, no opponent. *annulled*: it counts for nobody."""
Stage = Literal["main", "losers", "final"]
"""*main*: the event, its groups or divisions; *losers*: the lower half of a double knockout;
*final*: of the winners of the groups, or of the two halves of a double knockout."""

DAY = 86400.0


class _Part(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """What the parts of a record have in common: immutable, compact in JSON, and strict."""


class Options(_Part, frozen=True):
    """How an event is played. What does not apply to its kind is ignored."""

    kind: str
    game: str
    seats: int = 2
    """Seats at a board."""
    boards: int = 1
    """Boards between the same players: a double round robin has 2, a match is best of this many."""
    members: bool = False
    """Whether the boards of a match of teams are played at once, by single members of each."""
    rounds: int = 0
    """Rounds of a Swiss, or tables for each player where a board has three seats or more;
    0: as many as the number of entrants needs."""
    groups: int = 1
    """Groups of a round robin."""
    advance: int = 1
    """How many of each group play the final; with one group there is none."""
    divisions: int = 1
    """Divisions of a league."""
    exchange: int = 1
    """So many move up and down between two divisions of a league."""
    every: float = 0
    """Days from the beginning of a league's season to that of the next; 0: there is no next."""
    reach: int = 3
    """How many rungs up a ladder's challenger may challenge."""
    answer: float = 7
    """Days to answer a challenge; without an answer the board is lost."""
    decay: float = 30
    """Days without a challenge or a defence after which a ladder's player sinks by one rung."""
    together: int = 0
    """Boards of a round robin that one player has at a time; 0: all."""
    bye: float = 1
    """Points of a player whom the pairing leaves without an opponent."""
    adjudication: Literal["rating", "draw", "operator"] = "rating"
    """How boards that are unfinished when the event ends are decided."""
    claim: int = 200
    """Points of rating that win an unfinished board; a smaller difference draws it."""
    breaks: tuple[str, ...] = ()
    """The names of the tie-breaks in their order; empty: those of the kind."""
    edition: Literal["2012", "2024"] = "2012"
    """The edition of FIDE's regulations by which tie-breaks count unplayed rounds."""
    win: float = 1
    """Points of a won board; a record that was read from a report may have others."""
    draw: float = 0.5

    def list_legs(self, seats: tuple[int, ...]) -> list[tuple[int, tuple[int, ...]]]:
        """Return the boards that begin at once where these meet, each with who sits where: one, or
        those of a match of teams, with colours in turn."""
        boards = self.boards if self.members else 1
        return [(leg, seats if leg % 2 else seats[::-1]) for leg in range(1, boards + 1)]


class Entrant(_Part, frozen=True):
    """A player of an event. Players of the same event differ in their numbers."""

    number: int
    """The start number, from 1, by rating when the event began; entries after that come last."""
    name: str
    rating: int = 0
    """Points when the event began or, later, when the player entered."""
    entered: float = 0
    joins: int = 1
    """The first round that the player takes part in."""
    division: int = 0
    """The division of a league or the group of a round robin, from 0."""
    away: tuple[int, ...] = ()
    """Rounds of a Swiss in which the player asked not to be paired."""
    left: float | None = None
    why: str = ""
    """Why the player left: "withdrew", "silent", "closed", "removed"."""
    lots: tuple[tuple[str, int], ...] = ()
    """By purpose, the lots that were drawn under another userid."""


class EventGame(_Part, frozen=True):
    """One board of an event, or one bye."""

    id: int
    """From 1, in the order in which the boards of the event were paired."""
    round: int
    table: int
    seats: tuple[int, ...]
    """The start numbers of the players in the order of the board's seats; one of them: a bye."""
    reason: str = ""
    """Why these players were paired, as a sentence."""
    stage: Stage = "main"
    group: int = 0
    """The group or division, from 0; in a knockout the match within its round."""
    leg: int = 1
    """Which board of the match it is, from 1."""
    points: tuple[float, ...] | None = None
    """For each seat a point for every opponent it finished before and half a point for every one
    it tied with; None while the board is being played."""
    how: How = "open"
    note: str = ""
    """More about how it ended, as a sentence: for people, never read back."""
    board: int | None = None
    """The number of the board on the server."""
    begun: float = 0
    ended: float | None = None

    @property
    def is_open(self) -> bool:
        """Whether the board is still being played."""
        return self.how == "open"

    @property
    def is_bye(self) -> bool:
        """Whether there is no opponent."""
        return len(self.seats) == 1

    @property
    def is_played(self) -> bool:
        """Whether it was decided between the players: it counts for colours and as a meeting."""
        return len(self.seats) > 1 and self.how in ("open", "played", "adjudicated")

    def points_of(self, number: int) -> float:
        """Return the points of an entrant: 0 while the board is open or when it was annulled."""
        if self.points is None or self.how == "annulled" or number not in self.seats:
            return 0.0
        return self.points[self.seats.index(number)]


class Leg(_Part, frozen=True):
    """An event that counts for a tour: its entrants' names from the first place to the last."""

    event: int
    name: str
    ended: float
    places: tuple[tuple[str, ...], ...]
    """Names that share a place stand together."""


class Record(_Part, frozen=True):
    """An event from its announcement to its prize list."""

    event: int
    name: str
    options: Options
    secret: str = ""
    """64 hexadecimal digits that decide all lots; empty in what is shown before the end."""
    commitment: str = ""
    """SHA-256 of the secret's bytes, in hexadecimal digits; public from the announcement."""
    season: int = 1
    announced: float = 0
    begins: float = 0
    ends: float | None = None
    ended: float | None = None
    entrants: tuple[Entrant, ...] = ()
    games: tuple[EventGame, ...] = ()
    legs: tuple[Leg, ...] = ()
    """The events of a tour."""

    def entrant(self, number: int) -> Entrant:
        """Return the entrant with a start number. KeyError if there is none."""
        for entrant in self.entrants:
            if entrant.number == number:
                return entrant
        raise KeyError(number)

    def name_of(self, number: int) -> str:
        """Return the name of the entrant with a start number."""
        return self.entrant(number).name

    @property
    def present(self) -> tuple[Entrant, ...]:
        """The entrants who have not left."""
        return tuple(entrant for entrant in self.entrants if entrant.left is None)

    @property
    def open_games(self) -> tuple[EventGame, ...]:
        """The boards that are still being played."""
        return tuple(game for game in self.games if game.is_open)

    def with_games(self, games: Iterable[EventGame]) -> Record:
        """Return the record with games added, or put in the place of those with the same ids."""
        merged = {game.id: game for game in self.games} | {game.id: game for game in games}
        return msgspec.structs.replace(self, games=tuple(merged[id] for id in sorted(merged)))

    def with_entrants(self, entrants: Iterable[Entrant]) -> Record:
        """Return the record with entrants added, or put in the place of those with the same
        numbers."""
        merged = {entrant.number: entrant for entrant in self.entrants}
        merged |= {entrant.number: entrant for entrant in entrants}
        return msgspec.structs.replace(
            self, entrants=tuple(merged[number] for number in sorted(merged))
        )


def write_json(record: Record) -> str:
    """Return the record as JSON, indented for people; without the secret and what was drawn from it
    while the event is on."""
    public = record
    if record.ended is None:
        entrants = tuple(msgspec.structs.replace(each, lots=()) for each in record.entrants)
        public = msgspec.structs.replace(record, secret="", entrants=entrants)
    return msgspec.json.format(msgspec.json.encode(public, enc_hook=str), indent=2).decode()


def read_json(text: str) -> Record:
    """Return the record that JSON holds. ValueError, with a sentence, unless it is one."""
    record = msgspec.json.decode(text, type=Record)
    numbers = {entrant.number for entrant in record.entrants}
    for game in record.games:
        if not numbers.issuperset(game.seats):
            raise ValueError(f"Game {game.id} is played by {game.seats}, not all of whom entered.")
    return record


# Lots drawn from an event's secret: fixed when it is announced, open to audit when it is over.

_PURPOSES = ("start", "colour", "place")


def commit(secret: str) -> str:
    """Return what is published of a secret of 64 hexadecimal digits: the SHA-256 of its bytes."""
    return hashlib.sha256(bytes.fromhex(secret)).hexdigest()


def draw_all_lots(record: Record, number: int) -> tuple[tuple[str, int], ...]:
    """Return all lots of an entrant, each with its purpose, to be kept under another name."""
    return tuple((purpose, draw_lot(record, number, purpose)) for purpose in _PURPOSES)


def draw_lot(record: Record, number: int, purpose: str = "place") -> int:
    """Return the lot of an entrant, 0 to 2**64 - 1; the lower is the better. It is the first eight
    bytes of HMAC-SHA-256, with the secret as the key, of "purpose:name". An entrant who has since
    changed the userid keeps the lots of the first."""
    entrant = record.entrant(number)
    for drawn_for, lot in entrant.lots:
        if drawn_for == purpose:
            return lot
    message = f"{purpose}:{entrant.name}".encode()
    digest = hmac.digest(bytes.fromhex(record.secret), message, "sha256")
    return int.from_bytes(digest[:8], "big")
