"""Refusals: why a command was not done, in words for the player, and what to send instead."""

from __future__ import annotations


class Refusal(Exception):
    """A command is not done. `text` is a sentence; `send` are lines the player could send instead,
    with GAME, {board} and {user} for the sender's own. `shows` asks for the board to be shown with
    it.

    Neither may repeat a word of the command that could be a password."""

    def __init__(self, text: str, *send: str, board: int = 0, shows: bool = False) -> None:
        super().__init__(text)
        self.text = text
        self.send = send
        self.board = board
        self.shows = shows


WRONG_PASSWORD = "userid and password do not fit together"  # noqa: S105 (words, not a password)
"""The same words for a wrong userid and for a wrong password."""
