"""The bill of materials of an installation, as CycloneDX 1.5."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

_LIST = """
import importlib.metadata, json
print(json.dumps([each.metadata.json for each in importlib.metadata.distributions()]))
"""


def inspect_packages(python: Path = Path(sys.executable)) -> list[dict[str, Any]]:
    """The metadata of what is installed for a Python, each package once."""
    command = [str(python), "-I", "-c", _LIST]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    return list({each["name"]: each for each in json.loads(done.stdout)}.values())


def build_sbom(name: str, packages: list[dict[str, Any]]) -> dict[str, Any]:
    """The bill of the package `name` and all others, which are its parts."""
    components = {
        str(each["name"]): _describe(each) for each in sorted(packages, key=lambda x: x["name"])
    }
    root = components.pop(name)
    return {
        "bomFormat": "CycloneDX",
        "specVersion": "1.5",
        "version": 1,
        "metadata": {"component": {**root, "type": "application"}},
        "components": list(components.values()),
        "dependencies": [
            {"ref": root["bom-ref"], "dependsOn": [one["bom-ref"] for one in components.values()]}
        ],
    }


def _describe(metadata: dict[str, Any]) -> dict[str, Any]:
    name, version = str(metadata["name"]), str(metadata["version"])
    url = f"pkg:pypi/{name.lower().replace('_', '-')}@{version}"
    described = {"type": "library", "bom-ref": url, "name": name, "version": version, "purl": url}
    return {**described, "licenses": [{"license": {"name": _find_licence(metadata)}}]}


def _find_licence(metadata: dict[str, Any]) -> str:
    """The licence: an expression, a short name, or what the classifiers say."""
    for key in ("license_expression", "license"):
        if text := str(metadata.get(key) or "").strip():
            return text.splitlines()[0][:100]
    classifiers = [
        each.rpartition(" :: ")[2]
        for each in metadata.get("classifier", ())
        if each.startswith("License ::")
    ]
    return ", ".join(classifiers) or "not stated"
