"""The container file: built and started by buildah.

Its base is a public image. Here an image made of Debian's packages stands in for it, because tests
reach no registry of images."""

from __future__ import annotations

import os
from pathlib import Path

from .checklist import Checklist, export_tree, run
from .debian import Chroot

_BASE = "localhost/pbm-base"
_NAME = "localhost/pbm"
_CERTIFICATES = Path("/etc/ssl/certs")


def check(work: Path, checklist: Checklist) -> None:
    """Needs root, buildah and debootstrap."""
    source = export_tree(work / "source")
    _build_base(work / "base")
    code, said = run(
        "buildah",
        "build",
        *("--isolation", "chroot", "--network", "host", "--build-arg", f"BASE={_BASE}"),
        *("--volume", f"{_CERTIFICATES}:{_CERTIFICATES}:ro"),
        *("-f", "config/Containerfile", "-t", _NAME, "."),
        cwd=source,
        must=False,
    )
    if not checklist.check("the container file builds", code == 0):
        print(said[-4000:])
        return
    config = work / "etc"
    config.mkdir()
    (config / "pbm.toml").write_text((source / "debian" / "pbm.toml").read_text())
    container = run("buildah", "from", _NAME)[1].strip().splitlines()[-1]
    inside = (
        *("buildah", "run", "--isolation", "chroot", "--network", "host"),
        *("--volume", f"{config}:/etc/pbm:ro", container, "--"),
    )
    try:
        _, version = run(*inside, "pbm", "--version")
        checklist.check("it starts", version.startswith("pbm"), version.strip())
        _, user = run(*inside, "id", "-un")
        checklist.check("it is not root in there", user.strip() == "pbm", user.strip())
        stopped = ("timeout", "--preserve-status", "60", "pbm", "serve")
        code, said = run(*inside, *stopped, must=False)
        checklist.check("it serves until it is stopped", code == 0 and "ready smtp" in said)
        _, said = run(*inside, "pbm", "doctor", must=False)
        checklist.check("doctor looks around in it", "database" in said)
    finally:
        run("buildah", "rm", container)


def _build_base(root: Path) -> None:
    """An image with Python and pip, made of this machine's Debian, with the variables by which
    pip finds its packages here."""
    chroot = Chroot(root)
    chroot.bootstrap()
    with chroot.mounted():
        chroot.run("apt-get -qq update && apt-get -qq --no-install-recommends install python3-venv")
    (root / "usr" / "bin" / "python").symlink_to("python3")
    _, container = run("buildah", "from", "scratch")
    container = container.strip().splitlines()[-1]
    run("buildah", "add", "-q", container, root, "/")
    for name, value in os.environ.items():
        if name.startswith("PIP_"):
            run("buildah", "config", "--env", f"{name}={value}", container)
    run("buildah", "config", "--env", "PATH=/usr/sbin:/usr/bin:/sbin:/bin", container)
    run("buildah", "commit", "-q", "--rm", container, _BASE)
