"""Why somebody is paired with somebody, in sentences."""

from __future__ import annotations

from pbm.pairing.record import Record
from pbm.rules.phrases import join_phrases, phrase


def explain_pairing(
    record: Record, number: int, round: int | None = None, opponent: int | None = None
) -> str:
    """Return why an entrant has the opponents, or this opponent, of a round, of the last one if
    none is named; a sentence or more."""
    own = [game for game in record.games if number in game.seats]
    if not own:
        entrant = record.entrant(number)
        if entrant.left is not None:
            return phrase(
                "{player} has left the event and is not paired any more.", player=entrant.name
            )
        return phrase("{player} has not been paired yet.", player=entrant.name)
    if round is None:
        round = max(game.round for game in own)
    chosen = [game for game in own if game.round == round and opponent in (None, *game.seats)]
    if not chosen:
        return phrase(
            "{player} was not paired in round {round}.",
            player=record.name_of(number),
            round=round,
        )
    texts: list[str] = []
    for game in chosen:
        why = join_phrases(" ", [*filter(None, (game.reason, game.note))])
        if game.board:
            texts.append(
                phrase(
                    "Round {round}, board {board}: {why}",
                    round=game.round,
                    board=game.board,
                    why=why,
                )
            )
        else:
            texts.append(phrase("Round {round}, {why}", round=game.round, why=why))
    return join_phrases(" ", texts)
