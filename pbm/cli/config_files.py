"""Reads the files of `config`, which a wheel has beside the modules."""

from __future__ import annotations

from pathlib import Path

import pbm


def read_config_file(name: str) -> str:
    """Return the text of a file of `config`, such as `pbm.toml` or `postfix/main.cf`."""
    package = Path(pbm.__file__).parent
    installed = package / "_config"
    folder = installed if installed.is_dir() else package.parent / "config"
    return (folder / name).read_text(encoding="utf-8")
