"""Modules that are read into memory and imported from there later, also in processes that a server
starts: an upgrade replaces the files under it, and would take them away or mix two versions.

Reading everything takes a few milliseconds; importing it would delay each start by half a second.
Text files of a package are read as well. Extension modules and other files stay on disk."""

from __future__ import annotations

import marshal
import os
import subprocess
import sys
from collections.abc import Iterable, Iterator, Sequence
from importlib import import_module
from importlib.abc import MetaPathFinder
from importlib.machinery import EXTENSION_SUFFIXES, ModuleSpec, SourceFileLoader
from importlib.util import MAGIC_NUMBER, cache_from_source, find_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType

Source = tuple[str, int, int, dict[str, bytes]]
"""A module: the path of its source, when that was changed, its size, and the contents by path of
its compiled file, or of the source where there is none that fits; those of a package's texts."""

_sources: dict[str, Source] = {}
"""The modules in memory, by name."""

_EXTENSIONS = tuple(EXTENSION_SUFFIXES)
_BOOT = """
import marshal, sys
code, *arguments = marshal.load(sys.stdin.buffer)
exec(code, scope := {"__name__": "pbm.daemon.preload"})
scope["run"](*arguments)
"""


class _Loader(SourceFileLoader):
    """Python's own loader, for which the files are as they were when they were read."""

    def __init__(self, name: str, source: Source) -> None:
        self._modified, self._size, self._contents = source[1:]
        super().__init__(name, source[0])

    def path_stats(self, path: str) -> dict[str, int]:
        return {"mtime": self._modified, "size": self._size}

    def get_data(self, path: str) -> bytes:
        try:
            return self._contents[path]
        except KeyError:
            raise FileNotFoundError(path) from None

    def set_data(self, path: str, data: bytes, **_: object) -> None:  # type: ignore[override]
        """Store nothing: the file there may belong to another version by now."""


class _Finder(MetaPathFinder):
    """Finds the modules that are in memory, before any that are on disk."""

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        source = _sources.get(fullname)
        if source is None:
            return None
        return spec_from_file_location(fullname, source[0], loader=_Loader(fullname, source))


def read(packages: Iterable[str]) -> None:
    """Read the modules of these packages; what is imported of them from now on comes from memory.
    Those that are not installed are left out."""
    for package in packages:
        _sources.update((name, _read_source(path)) for name, path in _find_modules(package))
    _install(_sources)


def _install(sources: dict[str, Source]) -> None:
    _sources.update(sources)
    if not any(isinstance(finder, _Finder) for finder in sys.meta_path):
        sys.meta_path.insert(0, _Finder())


def _find_modules(package: str) -> Iterator[tuple[str, str]]:
    """Yield the names of a package's modules and where they are."""
    spec = find_spec(package)
    if spec is None or not isinstance(spec.loader, SourceFileLoader):
        return
    if not spec.submodule_search_locations:
        yield package, spec.loader.path
        return
    for top in spec.submodule_search_locations:
        for folder, folders, files in os.walk(top):
            if "__init__.py" not in files:
                folders.clear()
                continue
            parts = [package, *Path(folder).relative_to(top).parts]
            extensions = {file.partition(".")[0] for file in files if file.endswith(_EXTENSIONS)}
            for file in files:
                stem, suffix = os.path.splitext(file)
                if suffix == ".py" and stem not in extensions:
                    name = parts if stem == "__init__" else [*parts, stem]
                    yield ".".join(name), os.path.join(folder, file)


def _read_source(path: str) -> Source:
    stat = os.stat(path)
    modified, size = int(stat.st_mtime) & 0xFFFFFFFF, stat.st_size & 0xFFFFFFFF
    head = MAGIC_NUMBER + b"".join(number.to_bytes(4, "little") for number in (0, modified, size))
    compiled = cache_from_source(path)
    contents = _read_contents(compiled)
    texts = {text: _read_contents(text) for text in _find_texts(path)}
    if contents.startswith(head):  # PEP 552: compiled from this source
        return path, modified, size, {compiled: contents, **texts}
    return path, modified, size, {path: _read_contents(path), **texts}


def _find_texts(path: str) -> list[str]:
    """Return the texts, fonts and tables beside the modules of a package, which it reads with
    `pkgutil.get_data`."""
    source = Path(path)
    if source.name != "__init__.py":
        return []
    return [str(each) for kind in ("*.txt", "*.otf", "*.bin") for each in source.parent.glob(kind)]


def _read_contents(path: str) -> bytes:
    try:
        with open(path, "rb") as file:
            return file.read()
    except OSError:
        return b""


def start(
    module: str, *, stdout: int | None = subprocess.PIPE, pass_fds: Sequence[int] = ()
) -> subprocess.Popen[bytes]:
    """Start a process that calls `main` of the module, with a pipe for its standard input. It
    imports what is in memory here, and the rest from the same path. OSError."""
    here = _Loader(__name__, _sources.get(__name__) or _read_source(__file__))
    process = subprocess.Popen(  # noqa: S603 (this Python, with the lines above)
        [sys.executable, "-c", _BOOT], stdin=subprocess.PIPE, stdout=stdout, pass_fds=pass_fds
    )
    if process.stdin is not None:
        code = here.get_code(__name__)
        process.stdin.write(marshal.dumps((code, sys.path, _sources, module)))
        process.stdin.flush()
    return process


def run(path: list[str], sources: dict[str, Source], module: str) -> None:
    """Do in a new process what `start` asks for."""
    sys.path[:] = path
    _install(sources)
    import_module(module).main()
