"""The bill of materials of an installation, as CycloneDX 1.5."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

_LIST = """
import importlib.metadata, json

def read(each):
    found = each.metadata.json
    names = each.metadata.get_all("License-File", ())
    texts = [each.read_text(f"licenses/{name}") for name in names]
    paths = [path for path in each.files or () if path.match("sboms/*.json")]
    bills = [json.loads(path.read_text()) for path in paths]
    return {**found, "licence_text": next(filter(None, texts), ""), "bills": bills}

print(json.dumps([read(each) for each in importlib.metadata.distributions()]))
"""


def inspect_packages(python: Path = Path(sys.executable)) -> list[dict[str, Any]]:
    """Return the metadata of what is installed for a Python, each package once, with the text of
    its licence and the bills (PEP 770) of what was compiled into it."""
    command = [str(python), "-I", "-c", _LIST]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    return list({each["name"]: each for each in json.loads(done.stdout)}.values())


def build_sbom(name: str, packages: list[dict[str, Any]]) -> dict[str, Any]:
    """Return the bill of the package `name` and all others, which are its parts."""
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
    within = [
        {key: value for key, value in part.items() if key != "bom-ref"}  # unique in one bill only
        for bill in metadata["bills"]
        for part in bill.get("components", ())
    ]
    return {**described, "licenses": [{"license": _find_licence(metadata)}], "components": within}


def _find_licence(metadata: dict[str, Any]) -> dict[str, Any]:
    """Return the licence: an expression, a short name, what the classifiers say, or its text."""
    for key in ("license_expression", "license"):
        if text := str(metadata.get(key) or "").strip():
            return {"name": text.splitlines()[0][:100]}
    classifiers = [
        each.rpartition(" :: ")[2]
        for each in metadata.get("classifier", ())
        if each.startswith("License ::")
    ]
    if text := metadata["licence_text"]:
        return {"name": ", ".join(classifiers) or "its text", "text": {"content": text}}
    return {"name": ", ".join(classifiers) or "not stated"}
