"""`python -m tools.words [GAME ...] --positions=2000` rebuilds so many random positions of each
game from their words, `--language=de` from those of another language; `--speech` also has espeak-ng
read some of them."""

import sys

from pbm.games import get_game, list_game_names
from pbm.locale import ENGLISH
from tools.words.rebuild import check_game
from tools.words.speech import listen

READ_ALOUD = 40
"""How many positions of each game are read aloud."""


def main(arguments: list[str]) -> int:
    """Check the games named, or all; 1 if one of them fails."""
    given = dict(word[2:].partition("=")[::2] for word in arguments if word.startswith("--"))
    names = [word for word in arguments if not word.startswith("--")] or list_game_names()
    failed = 0
    for name in names:
        try:
            least, language = int(given.get("positions", 2000)), given.get("language", ENGLISH)
            compared, repeated = check_game(get_game(name), least, language=language)
            result = f"{compared:6} positions, {repeated:6} seen before"
            if "speech" in given:
                result += f", {listen(get_game(name), READ_ALOUD):6} words read aloud"
        except AssertionError as error:
            failed += 1
            result = f"FAILED: {error}"
        sys.stdout.write(f"{name:22} {result}\n")
        sys.stdout.flush()
    return min(failed, 1)


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
