"""Modules that are copied when a server starts and imported from the copy later, by processes that
it starts too: an upgrade replaces the files under it, and would take them away or mix two versions.

Copying everything takes a few milliseconds; importing it would delay each start by half a second.
The copy is one file that has no name and ends with the last of these processes; in memory it would
be 12 MiB. Text files of a package are copied as well, extension modules and other files are not."""

from __future__ import annotations

import marshal
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from importlib import import_module
from importlib.abc import MetaPathFinder
from importlib.machinery import EXTENSION_SUFFIXES, ModuleSpec, SourceFileLoader
from importlib.util import MAGIC_NUMBER, cache_from_source, find_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType

Span = tuple[int, int]
"""A part of the copy: where it begins, and its length."""
Source = tuple[str, int, int, dict[str, Span]]
"""A module: the path of its source, when that was changed, its size, and where the copy has, by
path, its compiled file, or the source where there is none that fits, and a package's texts."""

_sources: dict[str, Source] = {}
"""The modules in the copy, by name."""

_EXTENSIONS = tuple(EXTENSION_SUFFIXES)
_BOOT = """
import marshal, sys
code, *arguments = marshal.load(sys.stdin.buffer)
exec(code, scope := {"__name__": "pbm.daemon.preload"})
scope["run"](*arguments)
"""


class _Copy:
    """The file without a name, which the processes of a server share."""

    def __init__(self) -> None:
        self._descriptor = -1
        self._length = 0
        self._added = bytearray()

    @property
    def descriptor(self) -> int:
        """Its descriptor here; it is made on the first use."""
        if self._descriptor < 0:
            with tempfile.TemporaryFile() as file:
                self._descriptor = os.dup(file.fileno())
        return self._descriptor

    def inherit(self, descriptor: int) -> None:
        """Use the file of the process that started this one."""
        self._descriptor = descriptor

    def append(self, content: bytes) -> Span:
        """Add what `write` will write at its end."""
        begin = self._length + len(self._added)
        self._added += content
        return begin, len(content)

    def write(self) -> None:
        """Write what was added, at once. OSError."""
        added, self._added = memoryview(self._added), bytearray()
        done = 0
        while done < len(added):
            done += os.pwrite(self.descriptor, added[done:], self._length + done)
        self._length += done

    def read(self, span: Span) -> bytes:
        """Return what is there."""
        begin, length = span
        return os.pread(self.descriptor, length, begin)


_copy = _Copy()


class _Loader(SourceFileLoader):
    """Python's own loader, for which the files are as they were when they were copied."""

    def __init__(self, name: str, source: Source) -> None:
        self._modified, self._size, self._spans = source[1:]
        super().__init__(name, source[0])

    def path_stats(self, path: str) -> dict[str, int]:
        return {"mtime": self._modified, "size": self._size}

    def get_data(self, path: str) -> bytes:
        try:
            return _copy.read(self._spans[path])
        except KeyError:
            raise FileNotFoundError(path) from None

    def set_data(self, path: str, data: bytes, **_: object) -> None:  # type: ignore[override]
        """Store nothing: the file there may belong to another version by now."""


class _Finder(MetaPathFinder):
    """Finds the modules that are in the copy, before any others."""

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        source = _sources.get(fullname)
        if source is None:
            return None
        return spec_from_file_location(fullname, source[0], loader=_Loader(fullname, source))


def read(packages: Iterable[str]) -> None:
    """Copy the modules of these packages; what is imported of them from now on is the copy. Those
    that are not installed are left out. OSError."""
    for package in packages:
        _sources.update((name, _read_source(path)) for name, path in _find_modules(package))
    _copy.write()
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
    if not contents.startswith(head):  # PEP 552: not compiled from this source
        compiled, contents = path, _read_contents(path)
    files = {compiled: contents} | {text: _read_contents(text) for text in _find_texts(path)}
    return path, modified, size, {name: _copy.append(found) for name, found in files.items()}


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
    imports what was copied here, and the rest from the same path. OSError."""
    here = _Loader(__name__, _sources.get(__name__) or _read_source(__file__))
    _copy.write()
    process = subprocess.Popen(  # noqa: S603 (this Python, with the lines above)
        [sys.executable, "-c", _BOOT],
        stdin=subprocess.PIPE,
        stdout=stdout,
        pass_fds=(*pass_fds, _copy.descriptor),
    )
    if process.stdin is not None:
        code = here.get_code(__name__)
        process.stdin.write(marshal.dumps((code, sys.path, _sources, _copy.descriptor, module)))
        process.stdin.flush()
    return process


def run(path: list[str], sources: dict[str, Source], descriptor: int, module: str) -> None:
    """Do in a new process what `start` asks for."""
    sys.path[:] = path
    _copy.inherit(descriptor)
    _install(sources)
    import_module(module).main()
