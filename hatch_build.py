"""Write the version into what is built: there is no git to ask there."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

PLACE = "pbm/version.txt"


class VersionHook(BuildHookInterface):
    """Adds pbm/version.txt, which git ignores and hatchling would leave out."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Called before anything is built."""
        if version == "editable":
            return
        made = Path(self.directory) / "version.txt"
        made.parent.mkdir(parents=True, exist_ok=True)
        made.write_text(f"{self.metadata.version}\n", encoding="utf-8")
        build_data["force_include"][str(made)] = PLACE

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        """Called when it is built."""
        (Path(self.directory) / "version.txt").unlink(missing_ok=True)
