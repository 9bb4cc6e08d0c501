"""Without `[web] listen` a server imports nothing of its pages."""

from __future__ import annotations

import re
from pathlib import Path

from tests.harness.databases import create_database
from tests.harness.servers import ServerProcess


def test_nothing_is_imported(tmp_path: Path) -> None:
    config = tmp_path / "pbm.toml"
    config.write_text("[smtp]\nlisten = '127.0.0.1:0'\n[bots]\nenabled = false\n")
    create_database(f"sqlite:///{tmp_path}/var/pbm.db")
    server = ServerProcess(config, PYTHONPROFILEIMPORTTIME="1").await_ready()
    server.end()
    assert server.places.keys() == {"smtp"}
    imported = set(re.findall(r"\| +([\w.]+)$", server.read_log(), re.MULTILINE))
    assert {"pbm.daemon.app", "pbm.daemon.worker_process"} <= imported
    assert not re.findall(r"starlette\S*|uvicorn\S*|httptools\S*|pbm\.web\S*", " ".join(imported))
