"""Without `[web] listen` a server imports nothing of its pages."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

from tests.harness.databases import create_database
from tests.harness.shell import environment


def test_nothing_is_imported(tmp_path: Path) -> None:
    config = tmp_path / "pbm.toml"
    config.write_text("[smtp]\nlisten = '127.0.0.1:0'\n[bots]\nenabled = false\n")
    create_database(f"sqlite:///{tmp_path}/var/pbm.db")
    log = tmp_path / "log"
    with log.open("wb") as written:
        server = subprocess.Popen(
            [sys.executable, "-m", "pbm", "--config", str(config), "serve"],
            cwd=tmp_path,
            env=environment(PYTHONPROFILEIMPORTTIME="1"),
            stdout=subprocess.PIPE,
            stderr=written,
            text=True,
        )
        assert server.stdout is not None
        assert server.stdout.readline().startswith("ready smtp ")
        server.terminate()
        assert "web" not in server.communicate(timeout=60)[0]
    imported = set(re.findall(r"\| +([\w.]+)$", log.read_text(), re.MULTILINE))
    assert {"pbm.daemon.front_process", "pbm.daemon.workers.worker_process"} <= imported
    assert not re.findall(r"starlette\S*|uvicorn\S*|httptools\S*|pbm\.web\S*", " ".join(imported))
