"""A container image, as an archive of an OCI layout, made of a folder: it needs no daemon, and the
same folder gives the same image."""

from __future__ import annotations

import gzip
import hashlib
import io
import json
import tarfile
from collections.abc import Iterator, Mapping
from datetime import datetime
from pathlib import Path
from typing import Any

_TYPE = "application/vnd.oci.image"
_EMPTY = ("dev", "proc", "sys", "tmp", "run")
"""Folders of which the image has nothing but themselves."""


def write_image(
    archive: Path,
    root: Path,
    name: str,
    settings: Mapping[str, Any],
    *,
    architecture: str,
    made: datetime,
) -> None:
    """Write the image `name` with one layer, which is all that is below `root`. The settings are
    those of the OCI's `config`, such as Cmd."""
    layer = _pack(root, int(made.timestamp()))
    packed = gzip.compress(layer, compresslevel=6, mtime=0)
    blobs = dict[str, bytes]()

    def keep(content: bytes) -> dict[str, Any]:
        digest = hashlib.sha256(content).hexdigest()
        blobs[f"blobs/sha256/{digest}"] = content
        return {"digest": f"sha256:{digest}", "size": len(content)}

    config = {
        "created": made.isoformat(),
        "architecture": architecture,
        "os": "linux",
        "config": settings,
        "rootfs": {"type": "layers", "diff_ids": [f"sha256:{hashlib.sha256(layer).hexdigest()}"]},
    }
    manifest = {
        "schemaVersion": 2,
        "mediaType": f"{_TYPE}.manifest.v1+json",
        "config": {"mediaType": f"{_TYPE}.config.v1+json", **keep(_encode(config))},
        "layers": [{"mediaType": f"{_TYPE}.layer.v1.tar+gzip", **keep(packed)}],
    }
    annotations = {
        "org.opencontainers.image.ref.name": name,
        "io.containerd.image.name": name,
    }
    described = {"mediaType": manifest["mediaType"], **keep(_encode(manifest))}
    index = {
        "schemaVersion": 2,
        "mediaType": f"{_TYPE}.index.v1+json",
        "manifests": [{**described, "annotations": annotations}],
    }
    blobs["index.json"] = _encode(index)
    blobs["oci-layout"] = _encode({"imageLayoutVersion": "1.0.0"})
    with tarfile.open(archive, "w", format=tarfile.GNU_FORMAT) as tar:
        for place, content in sorted(blobs.items()):
            entry = tarfile.TarInfo(place)
            entry.size, entry.mtime = len(content), int(made.timestamp())
            tar.addfile(entry, io.BytesIO(content))


def _encode(value: object) -> bytes:
    return json.dumps(value, sort_keys=True, separators=(",", ":")).encode()


def _pack(root: Path, latest: int) -> bytes:
    """Return the files as a tar archive, in order, none of them newer than `latest`."""
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w", format=tarfile.GNU_FORMAT) as tar:
        for path in _walk(root):
            entry = tar.gettarinfo(path, str(path.relative_to(root)))
            entry.mtime = min(int(entry.mtime), latest)
            entry.uname = entry.gname = ""
            if entry.isreg():
                with path.open("rb") as file:
                    tar.addfile(entry, file)
            else:
                tar.addfile(entry)
    return packed.getvalue()


def _walk(folder: Path, depth: int = 0) -> Iterator[Path]:
    for path in sorted(folder.iterdir()):
        yield path
        if path.is_dir() and not path.is_symlink() and not (depth == 0 and path.name in _EMPTY):
            yield from _walk(path, depth + 1)
