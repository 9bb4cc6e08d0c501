"""The record of a match of backgammon."""

from __future__ import annotations

from pbm.games.backgammon.match import Backgammon
from pbm.games.backgammon.men import find_plays, play_text
from pbm.games.backgammon.vocabulary import DOUBLE, DROP, TAKE
from pbm.rules import CHANCE, Played
from pbm.rules.formats import mat

_SAID = {TAKE: mat.TAKES, DROP: mat.DROPS}


def record(position: Backgammon, played: Played, variation: str) -> str:
    """The record of a match that began with `position`; programs call the game `variation`."""
    heads, options, names = played.headers, played.options, position.seat_names
    players = (heads.get("White", names[0]), heads.get("Black", names[1]))
    legs = [mat.Leg((0, 0))]
    for seat, move in played.moves:
        legs[-1].turns += _turns(position, seat, move)
        after = position.answer(move) if seat == CHANCE else position.apply(seat, move)
        if after.score != position.score:
            winner = 0 if after.score[0] > position.score[0] else 1
            legs[-1].winner = (winner, after.score[winner] - position.score[winner])
        if after.round != position.round:
            legs.append(mat.Leg(after.score))
        position = after
    headers = [(name, heads[name]) for name in ("Event", "Site") if name in heads]
    headers += [("Player 1", players[0]), ("Player 2", players[1])]
    headers += [("EventDate", heads["Date"])] if "Date" in heads else []
    headers += [("Variation", variation)]
    headers += [("Crawford", "Off" if options["nocrawford"] else "On")]
    headers += [("Jacoby", "On" if options["jacoby"] else "Off")]
    headers += [("CubeLimit", "1")] if options["nocube"] else []
    return mat.match(position.points, players, headers, legs)


def _turns(before: Backgammon, seat: int, move: str) -> list[tuple[int, str]]:
    """What a move adds to the record, or a die after which there was no choice."""
    if seat != CHANCE:
        if move in before.plays():
            return [(seat, mat.turn(before.rolled, move))]
        text = mat.doubles(2 * before.cube) if move == DOUBLE else _SAID.get(move)
        return [(seat, text)] if text else []
    rolled = before.complete_roll(int(move))
    if rolled is None:
        return []
    side, dice = rolled
    possible = find_plays(before.men[side], before.men[1 - side], dice)
    if len(possible) > 1:
        return []
    return [(side, mat.turn(dice, "".join(map(play_text, possible.values()))))]
