"""A small engine that speaks Hub: it knows only what the protocol says, and plays by pydraughts."""

from __future__ import annotations

import random
import sys

from draughts import Board, Move


def main() -> None:
    board, dice = Board("standard", "startpos"), random.Random(1)
    for line in sys.stdin:
        word = line.split()[0] if line.split() else ""
        if word == "hub":
            print('id name="Small" version=1 author="us"', "wait", sep="\n", flush=True)
        elif word == "init":
            print("ready", flush=True)
        elif word == "pos":
            fields = dict(part.split("=", 1) for part in line.split(" ", 2)[1:2])
            board = Board("standard", _read_position(fields["pos"]))
            if 'moves="' in line:
                for text in line.split('moves="')[1].split('"')[0].split():
                    board.push(Move(board, hub_move=text))
        elif word == "go":
            moves = board.legal_moves()
            best = max(moves, key=lambda move: (len(move.captures), dice.random()))
            print("info depth=1 score=0.10", f"done move={best.hub_move}", sep="\n", flush=True)


def _read_position(text: str) -> str:
    """FEN of a position in Hub."""
    squares = {kind: [n for n, sign in enumerate(text[1:], 1) if sign == kind] for kind in "wbWB"}
    sides = [
        colour
        + ",".join(
            [
                *(f"{n}" for n in squares[colour.lower()]),
                *(f"K{n}" for n in squares[colour]),
            ]
        )
        for colour in "WB"
    ]
    return f"{text[0]}:{':'.join(sides)}"


if __name__ == "__main__":
    main()
