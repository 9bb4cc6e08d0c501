"""A bot on the server's own machine: it looks for its turns and moves by the command line of pbm.

PBM_CONFIG=pbm.toml PBM_PASSWORD=… python terminal_bot.py USERID
"""

import json
import random
import subprocess
import sys
import time
from typing import Any

from pbm.games import get_game
from pbm.rules import CHANCE


def run(*words: str) -> Any:
    """What a command of pbm prints with --json."""
    command = [sys.executable, "-m", "pbm", *words, "--json"]
    return json.loads(subprocess.run(command, stdout=subprocess.PIPE, check=False).stdout)


def choose(record: dict[str, Any]) -> str:
    """Any legal move in the position to which the record of a board leads."""
    position = get_game(record["game"]).setup(len(record["players"]), record["options"])
    for entry in record["moves"]:
        if entry["kind"] in ("move", "chance"):
            seat = CHANCE if entry["seat"] is None else entry["seat"]
            position = position.play(seat, entry["move"])
    return random.choice(position.legal_moves(min(position.to_move)))


userid = sys.argv[1]
while True:
    for board in run("admin", "boards", "--player", userid, "--state", "running"):
        if userid in board["to_move"]:
            game, number = board["game"], str(board["board"])
            text = run(game, "export", number)["mails"][0]["text"]
            record = json.loads(text[text.index('{\n "record"') :])
            run(game, "move", number, userid, choose(record))
    time.sleep(1)
