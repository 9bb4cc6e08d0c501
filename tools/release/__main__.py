"""A release: `python -m tools.release FOLDER --key FINGERPRINT`.

The folder is what is published, by any web server: source archive, wheel and the requirements that
install it, a repository of Debian packages, a container image, the site, the files of `config`, a
bill of materials, notes, checksums, and the key by which checksums and repository are signed.

Each item of the checklist is ok or BAD; exit 1 when one is bad. Before anything is built, all
attacks that were ever found are varied for ten minutes; one that succeeds ends it there. What is
left to a person stands at the end. With --draft it does not matter that the version is not dated
and tagged yet, and a key is made for this once. --short neither varies attacks nor tries the
packages afterwards, which takes three quarters of an hour. --url is where the folder will be, if
not where pyproject.toml says. --cut VERSION makes the tree that release: it writes version and
date, and the commit of that is the release."""

from __future__ import annotations

import argparse
import json
import re
import shutil
import subprocess
import sys
import tempfile
import venv
from collections.abc import Iterator
from contextlib import nullcontext
from datetime import UTC, date, datetime
from pathlib import Path

from packaging.version import Version

from pbm.cli.check_language import count_left, extract
from pbm.locale import LANGUAGES
from pbm.version import RELEASE, find_version
from tools.installing.debian import find_obstacle
from tools.release.folder import (
    EXTRAS,
    ROOT,
    TO_THE_SITE,
    build,
    find_date,
    find_previous,
    is_example,
    list_libraries,
    pack_config,
    pin,
    read_address,
    read_changelog,
    read_notes,
    read_settings,
    seal,
    unpack,
)
from tools.release.keeping import keep
from tools.release.packages import SUITES, build_image, build_package
from tools.release.repository import Signer, make_trial_signer, write_repository
from tools.release.sbom import build_sbom, inspect_packages
from tools.release.upgrades import NOT_TRIED, check_packages, check_upgrades

Item = tuple[str, bool, str]
_MOST_LINES = 20
"""Of the notes of a release: more is not read."""
_LEFT = (
    "read {out}/NOTES.md as an operator would, and do what it says on a copy of a real club",
    "sign: git tag -s {tag}",
    "publish the tag, and everything in {out} at {url}; the wheel and the archive on the package "
    "index too",
    "write to those who operate a server, with the notes",
)


class Broken(Exception):
    """Nothing is released: what was found ends it."""


def check_tree(*, is_draft: bool) -> Iterator[Item]:
    """Check that the checkout is clean, and a release."""
    changes = ask_git("status", "--porcelain")
    yield "nothing is uncommitted", not changes or is_draft, f"{len(changes.splitlines())} files"
    version = find_version()
    yield "the commit is a release", version == RELEASE or is_draft, version
    tag = f"v{RELEASE}"
    is_tagged = tag in ask_git("tag", "--points-at", "HEAD").split()
    yield "the commit has its tag", is_tagged or is_draft, f"git tag -s {tag}"


def check_changelog() -> Iterator[Item]:
    """Check that the newest release is dated, nothing but what comes next stands above it, and each
    begins with what an operator must do."""
    sections = read_changelog()
    dated = [version for version, day, _ in sections if day != "unreleased"]
    yield "CHANGELOG has a date for the newest release", dated[0] == RELEASE, dated[0]
    above = [version for version, day, _ in sections[:2] if day == "unreleased"]
    is_next = all(Version(version) > Version(RELEASE) for version in above)
    yield "only what comes next stands above it", is_next, " ".join(above)
    for version, _, text in sections[:-1]:
        begins = text.lstrip().startswith("### What you must do\n")
        yield f"{version} begins with what you must do", begins, ""
    version, notes = read_notes()
    lines = len(list(filter(None, notes.splitlines())))
    yield (
        f"{version} has {_MOST_LINES} lines of notes at most",
        lines <= _MOST_LINES,
        f"{lines} lines",
    )


def check_languages() -> Iterator[Item]:
    """Check that readers of each language get nothing in English that could be in theirs."""
    source = extract()
    for language in LANGUAGES[1:]:
        left = count_left(language, source)
        yield f"all is translated into {language}", left.is_whole, str(left)


def cut(version: str, day: date) -> None:
    """Write into the tree that it is a release: what is unreleased in the changelog is dated, and
    what authors of games may import from now on is kept."""
    for path, pattern, line in (
        (ROOT / "CHANGELOG.md", r"^## \S+ \(unreleased\)$", f"## {version} ({day})"),
        (ROOT / "pbm" / "version.py", r'^RELEASE = ".*"$', f'RELEASE = "{version}"'),
    ):
        text, number = re.subn(pattern, line, path.read_text("utf-8"), count=1, flags=re.MULTILINE)
        if not number:
            sys.exit(f"{path.relative_to(ROOT)} has no line like {pattern}")
        path.write_text(text, encoding="utf-8")
    keep(version)


def write_texts(out: Path, url: str, *, is_draft: bool) -> Iterator[Item]:
    """Yield the notes, and what else a web server shows or operators fetch."""
    version, notes = read_notes()
    (out / "NOTES.md").write_text(f"# pbm {version}\n\n{notes}\n", encoding="utf-8")
    examples = [each for each in (url, *read_settings().values()) if is_example(each)]
    yield "no address is an example", not examples or is_draft, ", ".join(dict.fromkeys(examples))
    (wheel,) = out.glob("*.whl")
    (out / "requirements.txt").write_text(pin(wheel, url), encoding="utf-8")
    pack_config(out / "config.tar.gz", find_date())
    site = [sys.executable, "-m", "tools.site", str(out / "site")]
    done = subprocess.run(site, capture_output=True, text=True, check=False, cwd=ROOT)
    yield "the site is built", done.returncode == 0, done.stderr.strip()[-200:]
    (out / "index.html").write_text(TO_THE_SITE)


def build_packages(work: Path, out: Path, signer: Signer) -> Iterator[Item]:
    """Yield the Debian packages in their repository, and the container image made of one."""
    what = "packages for Debian and a container image"
    if obstacle := find_obstacle():
        yield what, True, f"{NOT_TRIED}a chroot {obstacle}"
        return
    made = find_date()
    packages = {suite: build_package(work / "packages", suite) for suite in SUITES}
    write_repository(out / "apt", packages, signer, made)
    yield "a repository of Debian packages", True, ", ".join(packages)
    suite = min(packages)
    archives = [out / "pbm-image.tar", work / "again.tar"]
    for number, archive in enumerate(archives):
        build_image(work / f"image-{number}", suite, packages[suite], archive, made)
    is_same = archives[0].read_bytes() == archives[1].read_bytes()
    yield "two container images are equal", is_same, f"{archives[0].stat().st_size / 1e6:.0f} MB"


def ask_git(*words: str) -> str:
    command = ["git", "-C", str(ROOT), *words]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def check_build(work: Path, out: Path) -> Iterator[Item]:
    """Check that a build makes the same archive each time, and the same files of it, wherever it is
    unpacked."""
    archives = build(ROOT, out, "--sdist")
    (archive,) = out.iterdir()
    is_same = build(ROOT, work / "archive", "--sdist") == archives
    yield "two archives are equal", is_same, archive.name
    files = build(unpack(archive, work / "one"), work / "built")
    other = build(unpack(archive, work / "another-name"), work / "again", umask=0o077)
    yield "two builds of it are equal", files == other, ", ".join(files)
    (wheel,) = (work / "built").glob("*.whl")
    shutil.copy(wheel, out)


def check_installation(work: Path, out: Path) -> Iterator[Item]:
    """Check the wheel, installed as the requirements of an installation name it, in an environment
    of its own."""
    venv.create(work / "venv")
    python = work / "venv" / "bin" / "python"
    (wheel,) = out.glob("*.whl")
    constraints = ROOT / ".ci" / "constraints.txt"
    pip = [sys.executable, "-m", "pip", "--python", str(python), "install", "-q"]
    subprocess.run([*pip, "-c", str(constraints), f"{wheel}[{EXTRAS}]"], check=True)
    program = python.with_name("pbm")
    said = run(program, work, "--version")
    yield "it says which version it is", said == f"pbm {find_version()}\n", said
    yield "it plays", "won" in run(program, work, "demo"), "pbm demo"
    bill = build_sbom("pbm-server", inspect_packages(python))
    (out / "sbom.cdx.json").write_text(json.dumps(bill, indent=1) + "\n")
    named = {
        f"{re.sub('[._]', '-', str(each['name'])).lower()}=={each['version']}"
        for each in bill["components"]
    }
    unequal = sorted(named ^ list_libraries())
    yield "the bill of materials is what requirements install", not unequal, " ".join(unequal)
    licences = {each["licenses"][0]["license"]["name"] for each in bill["components"]}
    yield (
        "each part has a licence",
        "not stated" not in licences,
        f"{len(bill['components'])} parts",
    )


def check_advisories() -> Iterator[Item]:
    """Check that no library of an installation has a known weakness, where pip-audit is and finds
    whom it asks."""
    what = "no library has a known weakness"
    if shutil.which("pip-audit") is None:
        yield what, True, f"{NOT_TRIED}needs pip-audit"
        return
    # Else it finds nothing wrong with what nobody could be asked about.
    audit = ["pip-audit", "--strict", "--no-deps", "--disable-pip"]
    audit += ["-r", "config/requirements.txt"]
    done = subprocess.run(audit, capture_output=True, text=True, check=False, cwd=ROOT)
    said = (done.stderr.strip().splitlines() or [""])[-1]
    found = re.search(r"^Found \d+ known", done.stderr, re.MULTILINE)
    is_answered = done.returncode == 0 or found is not None
    yield what, found is None, said if is_answered else f"{NOT_TRIED}{said}"


def check_attacks(name: str = "mutations", minutes: float = 10) -> Iterator[Item]:
    """Vary the seeds of what was ever found, all kinds together for so long. Nothing is released
    when one breaks something."""
    vary = [sys.executable, "-m", "tools.attacks", name, "--minutes", str(minutes)]
    done = subprocess.run(vary, capture_output=True, text=True, check=False, cwd=ROOT)
    said = [line for line in done.stdout.splitlines() if "BROKEN" in line or " tries, " in line]
    is_held = done.returncode == 0
    yield "no varied attack succeeds", is_held, " ".join(said) or done.stderr.strip()[-200:]
    if not is_held:
        raise Broken


def run(program: Path, folder: Path, *words: str) -> str:
    done = subprocess.run(
        [str(program), *words], check=True, capture_output=True, text=True, cwd=folder
    )
    return done.stdout


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tools.release")
    parser.add_argument("out", nargs="?", metavar="FOLDER", type=Path, default=ROOT / "dist")
    parser.add_argument("--key", metavar="FINGERPRINT")
    parser.add_argument("--url", default=read_address())
    parser.add_argument("--draft", action="store_true")
    parser.add_argument("--short", action="store_true")
    parser.add_argument("--cut", metavar="VERSION")
    options = parser.parse_args()
    if options.cut:
        cut(options.cut, datetime.now(UTC).date())
        return 0
    if not options.key and not options.draft:
        parser.error("--key: which key of gpg signs it? (--draft makes one for a trial)")
    options.out.mkdir(parents=True, exist_ok=True)
    if list(options.out.iterdir()):
        parser.error(f"{options.out} is not empty")
    is_good = True
    undone: list[str] = []
    signing = nullcontext(Signer(options.key)) if options.key else make_trial_signer()
    with tempfile.TemporaryDirectory() as name, signing as signer:
        work = Path(name)
        for items in (
            check_tree(is_draft=options.draft),
            check_changelog(),
            check_languages(),
            check_advisories(),
            () if options.short else check_attacks(),
            check_build(work, options.out),
            check_installation(work, options.out),
            check_upgrades(work, work / "venv" / "bin" / "pbm", find_previous()),
            build_packages(work, options.out, signer),
            write_texts(options.out, options.url, is_draft=options.draft),
            () if options.short else check_packages(work),
        ):
            for what, is_right, says in items:
                is_good = is_good and is_right
                if says.startswith(NOT_TRIED):
                    undone.append(f"{what}: {says.removeprefix(NOT_TRIED)}")
                print(f"{'ok' if is_right else 'BAD':<4} {what}: {says.strip()}", flush=True)
        seal(options.out, signer)
    print("\nWhat is left to a person:")
    for number, line in enumerate([*undone, *_LEFT], 1):
        print(f"{number:>2}. {line.format(out=options.out, url=options.url, tag=f'v{RELEASE}')}")
    return 0 if is_good else 1


if __name__ == "__main__":
    try:
        sys.exit(main())
    except Broken:
        sys.exit("Stopped: nothing is built or signed.")
