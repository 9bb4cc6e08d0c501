"""`pbm tables`: the tables of an event from the files that a server or another program wrote."""

from __future__ import annotations

from pathlib import Path

import msgspec

from pbm.pairing.record import Entrant, EventGame, Options, Record, commit, write_json
from pbm.pairing.trf import write_trf
from tests.harness.shell import Shell

SECRET = "2a" * 32
CUP = Record(
    event=3,
    name="Spring Cup",
    options=Options(kind="swiss", game="chess", rounds=2),
    secret=SECRET,
    commitment=commit(SECRET),
    entrants=tuple(
        Entrant(number=number, name=name, rating=1900 - 100 * number)
        for number, name in enumerate(("ann", "bob", "cyd", "dan"), 1)
    ),
    games=(
        EventGame(id=1, round=1, table=1, seats=(1, 3), points=(1, 0), how="played", board=17),
        EventGame(id=2, round=1, table=2, seats=(4, 2), points=(0.5, 0.5), how="played", board=18),
        EventGame(id=3, round=2, table=1, seats=(2, 1), points=(0, 1), how="played", board=19),
        EventGame(id=4, round=2, table=2, seats=(3, 4), points=(1, 0), how="forfeit", board=20),
    ),
    ended=5.0,
)


def test_json_and_trf_have_the_same_places_and_points(shell: Shell, tmp_path: Path) -> None:
    said = {}
    for suffix, text in {"json": write_json(CUP), "trf": write_trf(CUP)}.items():
        path = tmp_path / f"event-3.{suffix}"
        path.write_text(text)
        said[suffix] = shell.ok("tables", str(path))
        assert said[suffix].startswith("Spring Cup\n")
        rows = {row["table"]: row for row in shell.json("tables", str(path))}
        assert list(rows) == ["crosstable", "standings", "pairings"]
        (first,) = [line for line in rows["crosstable"]["lines"] if " ann " in line]
        assert first.split() == ["1", "ann", "2w1", "3b1", "2"]
    assert "Buchholz" in said["json"]
    assert max(map(len, said["json"].splitlines())) <= 78


def test_what_is_no_record_is_refused_in_a_sentence(shell: Shell, tmp_path: Path) -> None:
    path = tmp_path / "file"
    beyond = msgspec.structs.replace(CUP, games=(EventGame(id=1, round=1, table=1, seats=(1, 9)),))
    for text, words in {
        "": "names no players",
        "{}": "missing required field",
        '{"nobody": 1}': "unknown field",
        write_json(beyond): "not all of whom entered",
        write_trf(CUP).replace(" w 0", " w =", 1): "do not agree",
    }.items():
        path.write_text(text)
        result = shell.run("tables", str(path))
        assert result.exit_code == 1, text
        assert result.stderr.startswith("pbm: this is no record of an event: "), result.stderr
        assert words in result.stderr
        assert "Traceback" not in result.stderr
