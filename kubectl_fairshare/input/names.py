"""The names of the objects in manifests, for shell completion: quick, and satisfied with what can be made out.

No call looks at more than a shell's patience allows: the next one goes on in a large file where this one stopped.
Who needs what a manifest says reads it with ``files``, whose import alone would try that patience.
"""

import os
import zlib

from kubectl_fairshare.input.files.opening import opened
from kubectl_fairshare.input.name_scan import GROUPS, RESOURCE, covered, names_in_json, names_in_yaml
from kubectl_fairshare.input.remembered import keep, labels, remembered, version

TYPE_CHECKING = False  # typing's own costs more than all else here
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from typing import BinaryIO, Final

    from kubectl_fairshare.input.remembered import Name
    from kubectl_fairshare.model.manifest import Manifest

__all__ = ["RESOURCE", "names_in", "names_of"]
_LARGE: "Final" = 64 << 10
"""Bytes of a file whose names are kept, for the next word that is typed."""
_PATIENCE: "Final" = 2 << 20
"""Bytes, decompressed, that one call looks through: some two starts of Python."""
_OPENING: "Final" = 4 << 10
"""Bytes that could be looked through while a file is opened."""
_FAR: "Final" = 16 << 20
"""Bytes of a compressed file behind which nothing is looked at: they are decompressed each time."""
_SUFFIXES: "Final" = (".yaml", ".yml", ".json", ".yaml.gz", ".yml.gz", ".json.gz")
_GZIP: "Final" = b"\x1f\x8b"
_MARK: "Final" = "\xef\xbb\xbf"
"""A byte order mark of UTF-8 as three letters: every text for a shell has one byte per letter."""


def names_of(manifests: "Iterable[Manifest]") -> "Iterator[Name]":
    """The names of manifests that were read, and of the resources that their quotas cover."""
    for manifest in manifests:
        yield manifest.key.kind, manifest.key.namespace, manifest.key.name
        if manifest.may_mention(GROUPS):
            yield from covered(manifest.passing_data)


def names_in(paths: "Sequence[str]") -> "Iterator[Name]":
    """The names in files, folders and globs, as many as can be had in time; what cannot be read is passed over."""
    left = _PATIENCE
    for path in paths:
        for file in _files(path):
            if left <= 0:
                return
            size, written = version(file)
            left -= _OPENING
            if size <= _LARGE and not file.endswith(".gz"):
                left -= size
                yield from _piece(file, 0, size)[0]
                continue
            who = repr((os.path.abspath(file), size, written))
            yield from remembered(who)
            start = _reached(who)
            if start >= 0 and left > 0:
                found, used, more = _piece(file, start, left)
                left -= used
                keep(who, f"{start}-{start + used if more else -1}", found)
                yield from found


def _reached(who: str) -> int:
    """Where to go on in a file: behind the pieces that are known from its beginning on; -1 where all of it is."""
    ends = dict(_ends(label) for label in labels(who))
    at = 0
    while at in ends:
        at = ends.pop(at)
    return at


def _ends(label: str) -> tuple[int, int]:
    start, _, end = label.partition("-")
    return int(start), int(end)


def _piece(path: str, start: int, length: int) -> "tuple[list[Name], int, bool]":
    """The names in so many bytes of a file, how many of these are done with, and whether there are more of them."""
    try:
        text, more = _text(path, start, length)
    except (OSError, zlib.error):
        return [], 0, False
    scan = names_in_json if _is_json(path, text, start) else names_in_yaml
    found, used = scan(text, last=not more)
    return found, used, more and used > 0


def _is_json(path: str, text: str, start: int) -> bool:
    """Whether a file holds JSON, by its beginning, of which ``text`` may be the first piece."""
    if start:
        text = _text(path, 0, _OPENING)[0]
    return text.lstrip()[:1] == "{"


def _text(path: str, start: int, length: int) -> tuple[str, bool]:
    """A piece of a file, a letter for each byte, decompressed; and whether there is more."""
    with opened(path) as stream:
        if stream.read(2) == _GZIP:
            stream.seek(0)
            data = _decompressed(stream, start, length)
        else:
            stream.seek(start)
            data = stream.read(length + 1)
    return data[:length].decode("latin-1").removeprefix("" if start else _MARK), len(data) > length


def _decompressed(stream: "BinaryIO", start: int, length: int) -> bytes:
    """The bytes from ``start`` on, one more than ``length`` if there are so many; none far behind the beginning."""
    if start > _FAR:
        return b""
    inflating, found, passed = zlib.decompressobj(zlib.MAX_WBITS | 16), b"", 0
    while len(found) <= length and not inflating.eof:
        compressed = inflating.unconsumed_tail or stream.read(1 << 20)
        if not compressed:
            break
        piece = inflating.decompress(compressed, _FAR)
        found += piece[max(start - passed, 0) :]
        passed += len(piece)
    return found[: length + 1]


def _files(path: str) -> "Iterator[str]":
    if os.path.isdir(path):
        for folder, below, files in os.walk(path):
            below[:] = sorted(name for name in below if not name.startswith("."))
            yield from (os.path.join(folder, file) for file in sorted(files) if file.endswith(_SUFFIXES))
    elif os.path.isfile(path):
        yield path
    elif "*" in path or "?" in path or "[" in path:
        from glob import glob

        for found in sorted(glob(path, recursive=True)):
            yield from _files(found)
