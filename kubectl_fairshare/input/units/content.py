"""What the build of a kustomization rests on, so that two versions of a repository share one build.

Tested in ``tests/unit/input/units/test_content.py``.
"""

import os
from collections.abc import Iterator
from hashlib import sha256
from typing import Final

from kubectl_fairshare.input.files.opening import small_file
from kubectl_fairshare.input.units.kustomization_fields import spelled_otherwise
from kubectl_fairshare.input.units.kustomizations import (
    Kustomization,
    KustomizedFolders,
    closure_in,
    is_address,
    references_in,
)
from kubectl_fairshare.input.units.reader import documents_in
from kubectl_fairshare.model.json import Json

_OPEN: Final = ("generators", "validators", "helmCharts", "helmChartInflationGenerator")
"""Fields that name plugins and charts, which name further files themselves."""
_ALONE: Final = frozenset(
    {
        *("AnnotationsTransformer", "ImageTagTransformer", "LabelTransformer", "NamespaceTransformer"),
        *("PatchTransformer", "PrefixSuffixTransformer", "PrefixTransformer", "ReplicaCountTransformer"),
        "SuffixTransformer",
    }
)
"""The transformers of kustomize that name no file, but in their field ``path``."""
_LARGEST: Final = 4 << 20
"""The bytes of a file that is compared."""


def content_of(folder: str, folders: KustomizedFolders) -> bytes:
    """A digest of all that a build of a kustomization reads; empty where that is not known.

    Builds of one digest print the same: it has each kustomization of the closure and each file that these name, with
    their paths from the folder on. Names of files that other files give, links, and what is elsewhere are not known.
    """
    try:
        parts = sorted(part for each in closure_in(folders.found, folder) for part in _parts(each, folder, folders))
    except (_UnknownError, OSError, ValueError):
        return b""
    return sha256(b"".join(sha256(path.encode() + b"\0" + data).digest() for path, data in parts)).digest()


class _UnknownError(Exception):
    """Not all that a build reads is known."""


def _parts(each: Kustomization, top: str, folders: KustomizedFolders) -> Iterator[tuple[str, bytes]]:
    """The kustomization and the files that it names, each with its path. Raises ``_UnknownError``."""
    names_more = any(each.data.get(field) for field in _OPEN) or not all(map(_is_alone, _transformers(each)))
    if each.text is None or names_more or any(True for _ in spelled_otherwise(each.data)):
        raise _UnknownError
    yield _name(each.folder, top), each.text.data
    for _, entry in references_in(each.data):
        path = os.path.normpath(os.path.join(each.folder, entry))
        if is_address(entry):
            raise _UnknownError
        if path not in folders.found:
            yield _name(path, top), small_file(path, _LARGEST)


def _transformers(each: Kustomization) -> Iterator[Json]:
    """What its transformers are, each in a file or in the kustomization itself."""
    entries = each.data.get("transformers")
    for entry in entries if isinstance(entries, list) else ():
        text = str(entry)
        written = "\n" in text
        path = os.path.join(each.folder, text)
        yield from documents_in("transformer", text.encode()) if written else each.reader.documents(path)[1] or (None,)


def _is_alone(transformer: Json) -> bool:
    """Whether a transformer is one of kustomize that reads no file."""
    named = isinstance(transformer, dict) and transformer.get("apiVersion") == "builtin"
    return named and transformer.get("kind") in _ALONE and not any(name.lower() == "path" for name in transformer)


def _name(path: str, top: str) -> str:
    """The path from a folder on. Raises ``_UnknownError`` for a link: kustomize goes on from where it leads to."""
    here = os.path.realpath(os.curdir)
    if os.path.realpath(path) != os.path.normpath(os.path.join(here, path)):
        raise _UnknownError
    return os.path.relpath(path, top)
