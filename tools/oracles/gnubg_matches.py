"""`python -m tools.oracles.gnubg_matches [COUNT]` has GNU Backgammon read random matches that were
written here as MAT, and reads what it makes of them: as MAT and as SGF.

Scores, winners and plays must be the same: gnubg's import is the judge of the writer, and its two
exports are what the readers have to understand. In these matches cubes are turned, taken and
dropped, and some games are given up."""

import random
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from pbm.games import get_game
from pbm.games.backgammon import Backgammon
from pbm.games.backgammon.reading import read_match
from pbm.games.backgammon.state import ASK, AUTO, CONCEDES, CUBE, DOUBLE, DOUBLED, DROP, TAKE
from pbm.rules import CHANCE, Played
from pbm.rules.formats import mat
from pbm.rules.formats.mat import MatMatch

_PATH = "/usr/games:/usr/bin:/usr/local/bin"


def play_match(seed: int) -> Played:
    """Return a random match."""
    rng = random.Random(seed)
    game = get_game("backgammon")
    start = game.setup(2, {"points": rng.choice((1, 2, 3, 5, 7, 11))})
    position, log = start, list[tuple[int, str]]()
    while position.to_move:
        assert isinstance(position, Backgammon)
        (seat,) = position.to_move
        move = rng.choice([m for m in position.legal_moves(seat) if m not in (ASK, AUTO)])
        if position.phase == CUBE:
            move = DOUBLE if rng.random() < 0.05 else "roll"
        elif position.phase == DOUBLED:
            move = DROP if rng.random() < 0.4 else TAKE
        elif seat != CHANCE and position.phase == "play" and rng.random() < 0.002:
            move = f"{CONCEDES} {rng.choice((1, 1, 2, 3))}"
        log.append((seat, move))
        position = position.play(seat, move)
    names = {"White": "ann", "Black": "bob"}
    return Played(2, start.options, log, position.outcome, names)


def ask_gnubg(texts: list[str], folder: Path) -> list[tuple[str, str]]:
    """Return each match as gnubg writes it after reading it, as MAT and as SGF."""
    program = shutil.which("gnubg", path=_PATH)
    if program is None:
        raise SystemExit("gnubg is not installed")
    commands = ["set automatic game off", "set automatic roll off", "set confirm new off"]
    for number, text in enumerate(texts):
        (folder / f"{number}.mat").write_text(text)
        commands += [
            f"import mat {number}.mat",
            f"export match mat {number}.out",
            f"save match {number}.sgf",
        ]
    subprocess.run(
        [program, "-t", "-q", "-r"],
        input="\n".join(commands) + "\n",
        cwd=folder,
        env={"HOME": str(folder), "PATH": _PATH},
        text=True,
        capture_output=True,
        check=False,
    )
    return [
        ((folder / f"{n}.out").read_text(), (folder / f"{n}.sgf").read_text())
        for n in range(len(texts))
    ]


def list_results(match: MatMatch) -> list[tuple[tuple[int, int], tuple[int, int] | None]]:
    """Return the score before each game, and who won it with how much."""
    return [(leg.score, leg.winner) for leg in match.legs]


def compare(count: int, first: int = 0) -> dict[str, int]:
    """Return how many matches, games, doubles and drops were compared. AssertionError at the first
    difference."""
    game = get_game("backgammon")
    matches = [play_match(first + n) for n in range(count)]
    texts = [game.record(played) for played in matches]
    counts = dict.fromkeys(("matches", "games", "doubles", "drops", "given up"), 0)
    with tempfile.TemporaryDirectory() as folder:
        answers = ask_gnubg(texts, Path(folder))
    for played, text, answer in zip(matches, texts, answers, strict=True):
        own = read_match(text)
        for theirs in answer:
            assert list_results(read_match(theirs)) == list_results(own), (text, theirs)
            again = game.read_record(theirs)
            assert [*again.moves] == [*game.read_record(text).moves], (text, theirs)
        assert game.read_record(text).outcome == played.outcome, text
        counts["matches"] += 1
        counts["games"] += len(own.legs)
        turns = [turn for leg in own.legs for _, turn in leg.turns]
        counts["doubles"] += sum(turn.startswith(" Doubles") for turn in turns)
        counts["drops"] += turns.count(mat.DROPS)
        counts["given up"] += sum(move.startswith(CONCEDES) for _, move in played.moves)
    return counts


if __name__ == "__main__":
    found = compare(int(sys.argv[1]) if len(sys.argv) > 1 else 200)
    sys.stdout.write(", ".join(f"{count:,} {what}" for what, count in found.items()) + "\n")
