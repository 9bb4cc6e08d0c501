"""Shared helpers of the tests of the chess family."""

from pbm.rules.chess.position import ChessLikePosition


def perft(position: ChessLikePosition, depth: int) -> int:
    """The number of lines of so many moves, whether the game is over or not; positions that come
    again are counted once and remembered."""
    known: dict[tuple[int, int], int] = {}

    def count(at: ChessLikePosition, left: int) -> int:
        if left == 1:
            return len(at.moves())
        key = at.history[-1], left
        if key not in known:
            known[key] = sum(count(at.make_move(move), left - 1) for move in at.moves())
        return known[key]

    return count(position, depth)
