"""The folder that is published: what is in it can be verified and taken by the programs of those
who have nothing but its address."""

from __future__ import annotations

import hashlib
import json
import re
import shutil
import subprocess
import tarfile
from collections.abc import Iterator
from datetime import UTC, datetime
from importlib import metadata
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from tools.installing.checklist import ROOT
from tools.installing.published import (
    list_lines,
    list_package_lines,
    list_trial_lines,
    serve,
)
from tools.release.folder import (
    EXTRAS,
    KEY,
    SUMS,
    is_example,
    list_libraries,
    pack_config,
    pin,
    read_address,
    read_settings,
    seal,
)
from tools.release.packages import IMAGE, write_image
from tools.release.repository import Signer, make_trial_signer, write_repository

MADE = datetime(2026, 11, 26, 12, tzinfo=UTC)


@pytest.fixture(scope="module")
def signer() -> Iterator[Signer]:
    if shutil.which("gpg") is None:
        pytest.skip("needs the package gpg")
    with make_trial_signer() as made:
        yield made


def verify(folder: Path, home: Path) -> int:
    """Verify the signature as config/README.md says; the exit code of gpg."""
    home.mkdir(mode=0o700, exist_ok=True)
    gpg = ["gpg", "--homedir", str(home), "--quiet"]
    for words in (["--import", KEY], ["--verify", f"{SUMS}.asc", SUMS]):
        done = subprocess.run([*gpg, *words], cwd=folder, capture_output=True, check=False)
    return done.returncode


def test_checksums_cover_every_file_and_are_signed(tmp_path: Path, signer: Signer) -> None:
    folder = tmp_path / "folder"
    (folder / "site").mkdir(parents=True)
    (folder / "site" / "index.html").write_text("hello")
    pack_config(folder / "config.tar.gz", MADE)
    seal(folder, signer)
    done = subprocess.run(
        ["sha256sum", "--check", SUMS], cwd=folder, capture_output=True, check=True
    )
    assert done.stdout.decode().splitlines() == [
        f"{name}: OK" for name in ("config.tar.gz", KEY, "site/index.html")
    ]
    assert verify(folder, tmp_path / "home") == 0
    (folder / SUMS).write_text((folder / SUMS).read_text().replace("0", "1", 1))
    assert verify(folder, tmp_path / "home") != 0


def test_the_files_of_config_are_packed_the_same_each_time(tmp_path: Path) -> None:
    for name in ("one", "two"):
        pack_config(tmp_path / name, MADE)
    assert (tmp_path / "one").read_bytes() == (tmp_path / "two").read_bytes()
    with tarfile.open(tmp_path / "one") as archive:
        names = set(archive.getnames())
        assert archive.getmember("config/pbm").mode == 0o755
    named = {
        name
        for line in list_lines("## 1. The program")
        for name in re.findall(r" (config/\S+)", line)
    }
    assert named
    assert named <= names


def test_requirements_have_the_wheel_by_address_and_checksum(tmp_path: Path) -> None:
    wheel = tmp_path / "pbm_server-1.0-py3-none-any.whl"
    wheel.write_bytes(b"a wheel")
    text = pin(wheel, "https://releases.test")
    digest = hashlib.sha256(b"a wheel").hexdigest()
    assert text.endswith(
        "pbm-server[imap,metrics] @ https://releases.test/pbm_server-1.0-py3-none-any.whl \\\n"
        f"    --hash=sha256:{digest}\n"
    )
    for line in re.split(r"\n(?=\S)", text.rstrip("\n")):
        assert " \\\n    --hash=sha256:" in line, line


def make_package(folder: Path) -> Path:
    """A Debian package with nothing in it."""
    control = folder / "package" / "DEBIAN" / "control"
    control.parent.mkdir(parents=True)
    control.write_text(
        "Package: pbm-server\nVersion: 1.0~deb12\nArchitecture: amd64\n"
        "Maintainer: pbm <pbm@games.example.org>\nDescription: a trial\n"
    )
    package = folder / "pbm-server_1.0~deb12_amd64.deb"
    subprocess.run(
        ["dpkg-deb", "--root-owner-group", "--build", str(control.parents[1]), str(package)],
        check=True,
        capture_output=True,
    )
    return package


def test_apt_takes_the_package_by_one_line_and_nothing_that_was_changed(
    tmp_path: Path, signer: Signer
) -> None:
    for program in ("apt-get", "dpkg-deb"):
        if shutil.which(program) is None:
            pytest.skip(f"needs {program}")
    folder, root = tmp_path / "folder", tmp_path / "root"
    write_repository(folder / "apt", {"bookworm": make_package(tmp_path)}, signer, MADE)
    for name in (
        "state/lists/partial",
        "cache/archives/partial",
        "etc/sources.list.d",
        "state/dpkg",
    ):
        (root / name).mkdir(parents=True)
    (root / "state" / "dpkg" / "status").touch()
    (tmp_path / KEY).write_bytes(signer.export())

    def run(*words: str) -> subprocess.CompletedProcess[str]:
        places = {
            "Dir::Etc": f"{root}/etc",
            "Dir::State": f"{root}/state",
            "Dir::State::status": f"{root}/state/dpkg/status",
            "Dir::Cache": f"{root}/cache",
            "APT::Architecture": "amd64",
            "APT::Sandbox::User": "root",
            "APT::Update::Error-Mode": "any",
        }
        given = [word for name, value in places.items() for word in ("-o", f"{name}={value}")]
        return subprocess.run(
            ["apt-get", *given, *words], cwd=tmp_path, capture_output=True, text=True, check=False
        )

    with serve(folder) as url:
        line = f"deb [signed-by={tmp_path / KEY}] {url}/apt bookworm main\n"
        (root / "etc" / "sources.list").write_text(line)
        done = run("update")
        assert done.returncode == 0, done.stderr
        fetched = tmp_path / "fetched"
        fetched.mkdir()
        done = run("download", "pbm-server")
        assert done.returncode == 0, done.stderr
        for path in (folder / "apt" / "dists").rglob("*Release"):
            path.write_bytes(path.read_bytes().replace(b"Label: pbm", b"Label: pbx"))
        shutil.rmtree(root / "state" / "lists")
        (root / "state" / "lists" / "partial").mkdir(parents=True)
        assert run("update").returncode != 0


def test_an_image_is_an_oci_layout_whose_digests_are_true(tmp_path: Path) -> None:
    root = tmp_path / "root"
    (root / "usr" / "bin").mkdir(parents=True)
    (root / "proc" / "1").mkdir(parents=True)
    (root / "usr" / "bin" / "pbm").write_text("#!/bin/sh\n")
    (root / "usr" / "bin" / "pbm").chmod(0o755)
    (root / "bin").symlink_to("usr/bin")
    images = [tmp_path / "one.tar", tmp_path / "two.tar"]
    for image in images:
        write_image(image, root, IMAGE, {"Cmd": ["pbm"]}, architecture="amd64", made=MADE)
    assert images[0].read_bytes() == images[1].read_bytes()
    layout = tmp_path / "layout"
    with tarfile.open(images[0]) as archive:
        for member in archive:
            content = archive.extractfile(member)
            assert content is not None
            path = layout / member.name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content.read())

    def read(described: dict[str, object]) -> bytes:
        kind, _, digest = str(described["digest"]).partition(":")
        content = (layout / "blobs" / kind / digest).read_bytes()
        assert hashlib.sha256(content).hexdigest() == digest
        assert len(content) == described["size"]
        return content

    assert json.loads((layout / "oci-layout").read_text()) == {"imageLayoutVersion": "1.0.0"}
    [described] = json.loads((layout / "index.json").read_text())["manifests"]
    assert set(described["annotations"].values()) == {IMAGE}, "what podman and docker call it"
    manifest = json.loads(read(described))
    config = json.loads(read(manifest["config"]))
    assert config["config"] == {"Cmd": ["pbm"]}
    [packed] = manifest["layers"]
    (tmp_path / "layer.tar.gz").write_bytes(read(packed))
    with tarfile.open(tmp_path / "layer.tar.gz") as layer:
        assert layer.getnames() == ["bin", "proc", "usr", "usr/bin", "usr/bin/pbm"]
        assert layer.getmember("usr/bin/pbm").mtime <= MADE.timestamp()
    unpacked = subprocess.run(
        ["gzip", "-dc", str(tmp_path / "layer.tar.gz")], check=True, capture_output=True
    ).stdout
    assert config["rootfs"]["diff_ids"] == [f"sha256:{hashlib.sha256(unpacked).hexdigest()}"]


def test_the_address_is_one_setting() -> None:
    """Documents have the address of pyproject.toml, and no other beside it."""
    url = read_address()
    for page in ("README.md", "config/README.md"):
        text = (ROOT / page).read_text(encoding="utf-8")
        assert url in text
        assert set(re.findall(r"https?://releases\.[\w./]*?pbm\b", text)) <= {url}
    assert is_example("https://releases.example.org/pbm")
    assert not is_example("https://pbm.games.net/releases")
    assert is_example("security@pbm.example.org")


def test_where_to_write_is_a_setting_of_the_project() -> None:
    settings = read_settings()
    for page, names in (
        ("CONTRIBUTING.md", ("issues", "patches")),
        ("SECURITY.md", ("security",)),
        ("debian/control", ("patches",)),
        ("debian/write-changelog", ("patches",)),
    ):
        text = (ROOT / page).read_text(encoding="utf-8")
        found = set(re.findall(r"<(https?://[^>]+|[\w.]+@[^>]+)>", text))
        assert found == {settings[name] for name in names}, page


def test_the_lines_that_are_typed_are_found() -> None:
    assert list_package_lines()[-1] == "apt install pbm-server"
    assert list_trial_lines()[-1] == ".venv/bin/pbm serve"
    assert any("--require-hashes" in line for line in list_lines("### Upgrade"))


def test_an_installation_has_what_the_server_needs_and_no_more() -> None:
    """What builds a wheel is pinned in config/requirements.txt as well."""
    needed, waiting = set[str](), [("pbm-server", frozenset(EXTRAS.split(",")))]
    while waiting:
        name, extras = waiting.pop()
        for line in metadata.requires(name) or ():
            one = Requirement(line)
            if one.marker is None or any(one.marker.evaluate({"extra": x}) for x in ("", *extras)):
                needed.add(canonicalize_name(one.name))
                waiting.append((one.name, frozenset(one.extras)))
    assert {each.partition("==")[0] for each in list_libraries()} == needed
