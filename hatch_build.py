"""Write the version into what is built, and compile the translations for it."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po
from hatchling.builders.hooks.plugin.interface import BuildHookInterface

PLACE = "pbm/version.txt"
CATALOGUES = "pbm/locale/*/LC_MESSAGES/pbm.po"
MADE = datetime(2020, 2, 2, tzinfo=UTC)
"""In the place of the minute of the build, as of all files in a wheel: builds are equal."""


class PbmHook(BuildHookInterface):
    """Adds pbm/version.txt, which git ignores and hatchling would leave out, and to a wheel the
    catalogues in the form in which they are read fastest."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Called before anything is built."""
        if version == "editable":
            return
        made = Path(self.directory) / "version.txt"
        made.parent.mkdir(parents=True, exist_ok=True)
        made.write_text(f"{self.metadata.version}\n", encoding="utf-8")
        build_data["force_include"][str(made)] = PLACE
        if self.target_name == "wheel":
            for source in sorted(Path(self.root).glob(CATALOGUES)):
                compiled = made.parent / f"{source.parts[-3]}.mo"
                with source.open("rb") as text, compiled.open("wb") as file:
                    catalogue = read_po(text)
                    catalogue.creation_date = catalogue.revision_date = MADE
                    write_mo(file, catalogue)
                place = source.relative_to(self.root).with_suffix(".mo")
                build_data["force_include"][str(compiled)] = str(place)

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        """Called when it is built."""
        for made in (Path(self.directory) / "version.txt", *Path(self.directory).glob("*.mo")):
            made.unlink(missing_ok=True)
