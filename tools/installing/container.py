"""The container file: built by buildah, started by buildah and, if there is one, by podman.

Its base is a public image. Here an image made of Debian's packages stands in for it, because tests
reach no registry of images."""

from __future__ import annotations

import shutil
from pathlib import Path

from tools.installing import signup
from tools.installing.checklist import Checklist, export_tree, find_version, run
from tools.installing.debian import Chroot

_BASE = "localhost/pbm-base"
_NAME = "localhost/pbm"
_PODMAN = (
    "--cgroup-manager cgroupfs run --rm --runtime crun --cgroups disabled --network host"
    " --ulimit nofile=1024:1024 --ulimit nproc=1024:1024"
)
"""Asks for nothing that a container inside a container may not have."""
_UNIFIED = "/sys/fs/cgroup/unified"
"""Where it is mounted, crun refuses to start anything."""
_CERTIFICATES = Path("/etc/ssl/certs")


def check(work: Path, checklist: Checklist) -> None:
    """Check: this needs root, buildah and debootstrap."""
    source = export_tree(work / "source")
    _build_base(work / "base")
    code, said = run(
        "buildah",
        "build",
        *("--isolation", "chroot", "--network", "host", "--build-arg", f"BASE={_BASE}"),
        *("--build-arg", f"VERSION={find_version()}"),
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
    text = (source / "debian" / "pbm.toml").read_text()
    (config / "pbm.toml").write_text(text + signup.SETTINGS)
    (config / "play.py").write_text(signup.SCRIPT)
    container = run("buildah", "from", _NAME)[1].strip().splitlines()[-1]
    inside = (
        *("buildah", "run", "--isolation", "chroot", "--network", "host"),
        *("--volume", f"{config}:/etc/pbm:ro", container, "--"),
    )
    try:
        _, version = run(*inside, "pbm", "--version")
        checklist.check("it starts", find_version() in version, version.strip())
        _, user = run(*inside, "id", "-un")
        checklist.check("it is not root in there", user.strip() == "pbm", user.strip())
        signup.check_answer(run(*inside, "python3", "/etc/pbm/play.py", must=False)[1], checklist)
        _, said = run(*inside, "pbm", "doctor", must=False)
        checklist.check("doctor looks around in it", "database" in said)
    finally:
        run("buildah", "rm", container)
    if shutil.which("podman"):
        command = f"umount -l {_UNIFIED}; exec podman {_PODMAN} -v {config}:/etc/pbm:ro {_NAME}"
        words = ("unshare", "--mount", "sh", "-c", f"{command} python3 /etc/pbm/play.py")
        signup.check_answer(run(*words, must=False)[1], checklist)
    else:
        checklist.check("podman", True, "not on this machine: not tried")


def _build_base(root: Path) -> None:
    """Build an image with Python and pip, made of this machine's Debian, where pip finds its
    packages as it does here."""
    chroot = Chroot(root)
    chroot.bootstrap()
    chroot.run("apt-get -qq update && apt-get -qq --no-install-recommends install python3-venv")
    chroot.borrow_pip()
    (root / "usr" / "bin" / "python").symlink_to("python3")
    _, container = run("buildah", "from", "scratch")
    container = container.strip().splitlines()[-1]
    run("buildah", "add", "-q", container, root, "/")
    for variable in chroot.environment:
        run("buildah", "config", "--env", variable, container)
    run("buildah", "config", "--env", "PATH=/usr/sbin:/usr/bin:/sbin:/bin", container)
    run("buildah", "commit", "-q", "--rm", container, _BASE)
