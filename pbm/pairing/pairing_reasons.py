"""Why somebody is paired with somebody, in sentences."""

from __future__ import annotations

from pbm.pairing.record import Record


def explain_pairing(
    record: Record, number: int, round: int | None = None, opponent: int | None = None
) -> str:
    """Return why an entrant has the opponents, or this opponent, of a round, of the last one if
    none is named; a sentence or more."""
    own = [game for game in record.games if number in game.seats]
    if not own:
        entrant = record.entrant(number)
        if entrant.left is not None:
            return f"{entrant.name} has left the event and is not paired any more."
        return f"{entrant.name} has not been paired yet."
    if round is None:
        round = max(game.round for game in own)
    chosen = [game for game in own if game.round == round and opponent in (None, *game.seats)]
    if not chosen:
        return f"{record.name_of(number)} was not paired in round {round}."
    texts = []
    for game in chosen:
        board = f"board {game.board}: " if game.board else ""
        texts.append(f"Round {game.round}, {board}{game.reason} {game.note}".strip())
    return " ".join(texts)
