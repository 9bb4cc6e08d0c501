"""Builds what is made in a Debian of its own: a package for each release of Debian, and the
container image."""

from __future__ import annotations

import gzip
import hashlib
import io
import json
import shutil
import tarfile
from collections.abc import Iterator, Mapping
from datetime import datetime
from pathlib import Path
from typing import Any

from tools.installing.checklist import Checklist, find_version, run
from tools.installing.debian import Chroot, build

SUITES = {"bookworm": "12", "trixie": "13"}
"""The releases of Debian that packages are built for, the oldest first."""
IMAGE = "localhost/pbm:latest"
_NEEDS = "adduser ca-certificates libgcc-s1 libstdc++6 python3 zlib1g"
_UNPACK = 'dpkg-deb --fsys-tarfile "$0" | tar -x --keep-directory-symlink -C "$1"'
"""Follows /lib to where it leads, which dpkg-deb alone would replace."""
_PASSING = (
    *("etc/machine-id", "etc/resolv.conf", "root/.cache", "usr/sbin/policy-rc.d", "etc/pip.conf"),
    *("var/cache/ldconfig/aux-cache", "var/cache/apt", "var/cache/debconf", "var/lib/apt/lists"),
    *("var/log", "etc/apt/apt.conf.d", "etc/apt/auth.conf.d", "etc/apt/sources.list.d"),
)
"""What a chroot has of the machine and the hour that made it."""
_SOURCES = """\
deb http://deb.debian.org/debian {suite} main
deb http://deb.debian.org/debian {suite}-updates main
deb http://deb.debian.org/debian-security {suite}-security main
"""


def build_package(work: Path, suite: str) -> Path:
    """Return the package for a suite, built in a chroot below `work`."""
    chroot = Chroot(work / suite)
    chroot.bootstrap(suite)
    return build(chroot, Checklist(), f"~deb{SUITES[suite]}")


def build_image(work: Path, suite: str, package: Path, archive: Path, made: datetime) -> None:
    """Write the image: a Debian with nothing but Python, and the files of the package. It has no
    database and no configuration."""
    chroot = Chroot(work / "image")
    root = chroot.root
    chroot.bootstrap(suite)
    chroot.run(f"apt-get -qq update && apt-get -qq --no-install-recommends install {_NEEDS}")
    _, architecture = chroot.run("dpkg --print-architecture")
    run("sh", "-c", _UNPACK, package, root)
    home = "/var/lib/pbm"
    chroot.run(f"adduser --quiet --system --group --home {home} pbm && chown pbm:pbm {home}")
    chroot.run("rm /usr/bin/pbm && ln -s /usr/lib/pbm/pbm /usr/bin/pbm")  # which wants to be root
    _forget(root, suite)
    settings = {
        "User": "pbm",
        "Env": ["PATH=/usr/local/bin:/usr/bin:/bin", "PBM_CONFIG=/etc/pbm/pbm.toml"],
        "Cmd": ["pbm", "serve"],
        "WorkingDir": home,
        "Volumes": {home: {}},
        "Labels": {"org.opencontainers.image.version": find_version()},
    }
    write_image(archive, root, IMAGE, settings, architecture=architecture.strip(), made=made)


def _forget(root: Path, suite: str) -> None:
    for name in _PASSING:
        path = root / name
        if path.is_dir():
            shutil.rmtree(path)
            path.mkdir()
        else:
            path.unlink(missing_ok=True)
    (root / "etc" / "machine-id").touch()
    (root / "etc" / "apt" / "sources.list").write_text(_SOURCES.format(suite=suite))
    for name in ("shadow", "shadow-"):
        path = root / "etc" / name
        rows = [line.split(":") for line in path.read_text().splitlines()]
        days = "".join(":".join([*row[:2], "19000", *row[3:]]) + "\n" for row in rows)
        path.write_text(days)  # the day on which a password was changed


# A container image, as an archive of an OCI layout, made of a folder: it needs no daemon, and the
# same folder gives the same image.

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
