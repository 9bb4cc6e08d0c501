"""Sentences of games that are said on many boards: how they end. They can be said in any language,
once the colour at their start has become a player."""

from __future__ import annotations

from pbm.rules.phrases import Phrase, phrase

_SAID = frozenset(
    {
        phrase("{player} resigns"),
        phrase("{player} is checkmated"),
        phrase("{player} has no legal move"),
        phrase("{player} has no move"),
        phrase("{player} cannot move"),
        phrase("{player} has taken the king"),
        phrase("{player} has captured all pieces"),
        phrase("{player} has no piece left"),
        phrase("{player} has broken through"),
        phrase("{player} joins top and bottom"),
        phrase("{player} joins left and right"),
        phrase("{player} is in one group"),
        phrase("{player} is on the other side"),
        phrase("the position occurred for the third time"),
        phrase("the board is full"),
        phrase("only the kings are left"),
        phrase("both sides are in one group"),
        phrase("nobody left has a legal move"),
    }
)


def say_often(sentence: str, player: str = "") -> str:
    """Return the sentence, in which `{player}` stands for its player, as a phrase where it is said
    often enough to be one."""
    if sentence in _SAID:
        return Phrase(sentence, {"player": player}) if player else Phrase(sentence)
    return sentence.replace("{player}", player, 1) if player else sentence
