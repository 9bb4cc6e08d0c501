"""Writes the commit into what is built: `pbm --version` shows it."""

from __future__ import annotations

import os
import re
import subprocess
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

PLACE = "pbm/_commit.py"


class CommitHook(BuildHookInterface):
    """Adds pbm/_commit.py, unless the source has it already, as an sdist does."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Called before anything is built."""
        root = Path(self.root)
        commit = os.environ.get("PBM_COMMIT") or find_commit(root)
        if version == "editable" or (root / PLACE).exists() or not commit:
            return
        made = Path(self.directory) / "_commit.py"
        made.parent.mkdir(parents=True, exist_ok=True)
        made.write_text(f'"""Written when this was built."""\n\nCOMMIT = "{commit}"\n')
        build_data["force_include"][str(made)] = PLACE

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        """Called when it is built."""
        (Path(self.directory) / "_commit.py").unlink(missing_ok=True)


def find_commit(root: Path) -> str:
    """The commit that is checked out; "" without git."""
    if not (root / ".git").exists():
        return ""
    command = ["git", "-C", str(root), "rev-parse", "--short=12", "HEAD"]
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=False)  # noqa: S603 (no input)
    except OSError:
        return ""
    commit = done.stdout.strip()
    return commit if re.fullmatch("[0-9a-f]{12}", commit) else ""
